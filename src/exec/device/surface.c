/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads, stores and reductions at coordinates of a surface: in bytes, of
 * formatted stores in texels, of formatted reductions in values, whatever the
 * texels are.
 *
 * Source: PTX ISA, "Surface Instructions".
 */
#include "exec/internal.h"
#include "exec/device/texel.h"

#include <math.h>

static int64_t clamped_to(int64_t i, int64_t size)
{
    assert(size > 0);
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

/* Address of the lane's element; NULL: it is outside, and the access is
 * ignored. */
static uint8_t *element_at(struct exec_warp *w, const struct exec_texture *t,
                           const struct exec_texture_request *r, unsigned lane)
{
    const struct texture_form *f = &r->form;
    const struct texture_level *l = &t->level[0];
    unsigned texel_bytes = t->channels * t->channel_bytes;
    assert(lane < WEFT_WARP_LANES && texel_bytes > 0);
    unsigned unit = f->op == SURFACE_STORE_FORMATTED    ? texel_bytes
                    : f->op == SURFACE_REDUCE_FORMATTED ? f->bytes
                                                        : 1;
    unsigned access_bytes =
        f->op == SURFACE_STORE_FORMATTED ? texel_bytes : f->bytes * f->count;
    int64_t at[3] = {0},
            size[3] = {(int64_t)l->width * texel_bytes, l->height, l->depth};
    for (unsigned d = 0; d < f->dims; d++)
        at[d] = (int32_t)r->at[d + f->has_index][lane];
    at[0] *= unit;
    if (f->has_index) {
        /* 16 bits: -1 is behind the last one, 65,536 the first. */
        at[2] = (uint16_t)r->at[0][lane];
        if (t->dims < 3)
            size[2] = (int64_t)t->layers * (t->is_cube ? 6 : 1);
    }
    bool is_outside = at[0] + access_bytes > size[0];
    for (unsigned d = 0; d < 3; d++)
        is_outside |= at[d] < 0 || at[d] >= size[d];
    if (is_outside && f->bounds == SURFACE_TRAP)
        fault_raise(w->owner, EXEC_FAULT_ADDRESS);
    if (is_outside && f->bounds == SURFACE_ZERO) {
        if (at[0] >= 0 && at[0] < size[0] && at[0] % access_bytes)
            fault_raise(w->owner, EXEC_FAULT_MISALIGNED);
        return NULL;
    }
    for (unsigned d = 0; d < 3; d++)
        at[d] = clamped_to(at[d], d ? size[d] : size[0] - access_bytes + 1);
    if (at[0] % access_bytes)
        fault_raise(w->owner, EXEC_FAULT_MISALIGNED);
    if (f->has_index && t->dims == 3)
        at[2] = 0; /* of a volume, an index must be inside, but names nothing */
    return l->data + (uint64_t)at[2] * l->slice_bytes +
           (uint64_t)at[1] * l->pitch_bytes + (uint64_t)at[0];
}

static void load_element(const uint8_t *p, struct exec_texture_request *r,
                         unsigned lane)
{
    for (unsigned i = 0; i < r->form.count; i++) {
        r->value[i][lane] = 0;
        if (p)
            memcpy(&r->value[i][lane], p + i * r->form.bytes, r->form.bytes);
    }
}

static void store_element(uint8_t *p, const struct exec_texture_request *r,
                          unsigned lane)
{
    for (unsigned i = 0; p && i < r->form.count; i++)
        memcpy(p + i * r->form.bytes, &r->value[i][lane], r->form.bytes);
}

/* ---- formatted stores --------------------------------------------------
 *
 * Values are limited to what the format holds, as an H200 does; they are
 * integers for integer formats, else floats.
 */

/* Rounded to nearest, ties towards 0; NaN is 0. */
static uint32_t fraction_bits(float v, float low, uint32_t unit)
{
    v = v > low ? v : v <= low ? low : 0;
    float scaled = (v < 1 ? v : 1) * (float)unit;
    return (uint32_t)(int32_t)(scaled < 0 ? floorf(scaled + 0.5f)
                                          : ceilf(scaled - 0.5f));
}

/* A half, rounded towards 0. */
static uint32_t half_bits(float v)
{
    _Float16 h = (_Float16)v;
    uint16_t bits;
    memcpy(&bits, &h, sizeof bits);
    return fabsf((float)h) > fabsf(v) ? bits - 1u : bits;
}

static uint32_t limited_unsigned(uint32_t v, unsigned bits)
{
    uint32_t most = UINT32_MAX >> (32 - bits);
    return v < most ? v : most;
}

static uint32_t limited_signed(uint32_t bits_of_v, unsigned bits)
{
    int32_t v = (int32_t)bits_of_v, most = INT32_MAX >> (32 - bits);
    v = v < most ? v : most;
    return (uint32_t)(v > ~most ? v : ~most);
}

/* A value as the bits of a channel that has so many. */
static uint32_t channel_of(const struct exec_texture *t, uint32_t v,
                           unsigned bits)
{
    switch ((enum texel_kind)t->kind) {
    case TEXEL_UNSIGNED:
        return limited_unsigned(v, bits);
    case TEXEL_SIGNED:
        return limited_signed(v, bits);
    case TEXEL_FLOAT:
        return bits == 16 ? half_bits(float_of_bits(v)) : v;
    case TEXEL_UNSIGNED_NORMALIZED:
        return fraction_bits(float_of_bits(v), 0, UINT32_MAX >> (32 - bits));
    case TEXEL_SIGNED_NORMALIZED:
        return fraction_bits(float_of_bits(v), -1, INT32_MAX >> (32 - bits));
    }
    return v;
}

static void store_packed(const struct exec_texture *t, uint8_t *p,
                         const uint32_t v[4])
{
    uint32_t word = channel_of(t, v[3], 2) << 30;
    for (unsigned i = 0; i < 3; i++)
        word |= channel_of(t, v[i], 10) << 10 * i;
    memcpy(p, &word, sizeof word);
}

/* Channels that the instruction has no values for become 0. */
static void store_formatted(const struct exec_texture *t, uint8_t *p,
                            const struct exec_texture_request *r, unsigned lane)
{
    uint32_t v[4] = {0};
    for (unsigned i = 0; i < r->form.count; i++)
        v[i] = (uint32_t)r->value[i][lane];
    if (!p)
        return;
    if (t->layout == TEXEL_1010102) {
        store_packed(t, p, v);
        return;
    }
    for (unsigned i = 0; i < t->channels; i++) {
        uint32_t bits = channel_of(t, v[i], 8u * t->channel_bytes);
        memcpy(p + i * t->channel_bytes, &bits, t->channel_bytes);
    }
}

/* ---- reductions -------------------------------------------------------- */

static uint64_t reduced_value(const struct texture_form *f, uint64_t a,
                              uint64_t b)
{
    bool is_less = f->bytes == 4  ? f->is_signed ? (int32_t)b < (int32_t)a
                                                 : (uint32_t)b < (uint32_t)a
                   : f->is_signed ? (int64_t)b < (int64_t)a
                                  : b < a;
    switch ((enum surface_reduction)f->reduction) {
    case SURFACE_ADD:
        return a + b;
    case SURFACE_MIN:
        return is_less ? b : a;
    case SURFACE_MAX:
        return is_less ? a : b;
    case SURFACE_AND:
        return a & b;
    case SURFACE_OR:
        return a | b;
    }
    return a;
}

static void reduce_element(const struct exec_texture *t, uint8_t *p,
                           const struct exec_texture_request *r, unsigned lane)
{
    uint64_t operand = r->value[0][lane];
    struct texture_form form = r->form;
    if (!p)
        return;
    if (form.op == SURFACE_REDUCE_FORMATTED)
        form.is_signed =
            t->kind == TEXEL_SIGNED || t->kind == TEXEL_SIGNED_NORMALIZED;
    if (form.bytes == 4) {
        uint32_t *at = (uint32_t *)p,
                 old = __atomic_load_n(at, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(
            at, &old, (uint32_t)reduced_value(&form, old, operand), true,
            __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            ;
        return;
    }
    uint64_t *at = (uint64_t *)p, old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(
        at, &old, reduced_value(&form, old, operand), true, __ATOMIC_RELAXED,
        __ATOMIC_RELAXED))
        ;
}

void surface_access(struct exec_warp *w, const struct exec_texture *t,
                    struct exec_texture_request *r, unsigned lane)
{
    uint8_t *p = element_at(w, t, r, lane);
    switch ((enum texture_op)r->form.op) {
    case SURFACE_LOAD:
        load_element(p, r, lane);
        break;
    case SURFACE_STORE:
        store_element(p, r, lane);
        break;
    case SURFACE_STORE_FORMATTED:
        store_formatted(t, p, r, lane);
        break;
    default:
        reduce_element(t, p, r, lane);
    }
}
