/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the texels of a fetch, for all lanes at once and exactly as
 * exec's sampler.c. Three cases, chosen for the warp: all texels are inside
 * and side by side, and are loaded; all are inside; or some are beyond an
 * edge, and addressed by the descriptor's rule for each side.
 */
#include "emit/texture/texture.h"

#include <float.h>

#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "simt/plan/plan.h"

/* Coordinates in 1 / 256 of a texel are kept below this: far beyond any
 * edge. */
#define FAR 8388608.0

#define SLICES_MAX (TEXTURE_LANES / 4)

/* A coordinate of all lanes, in slices. */
struct axis {
    LLVMValueRef size;               /* i32 */
    /* Floats, in texels, or in 1 / 256 of them if filtered; their whole part
     * counts. */
    LLVMValueRef fixed[SLICES_MAX];
    LLVMValueRef first[SLICES_MAX];  /* texels: vectors of i32 */
    LLVMValueRef second[SLICES_MAX]; /* if filtered */
    LLVMValueRef part[SLICES_MAX];
    /* Lanes whose texel is beyond an edge, in the border: masks; may be
     * NULL. */
    LLVMValueRef first_beyond[SLICES_MAX], second_beyond[SLICES_MAX];
};

static size_t side_field(unsigned axis, size_t offset)
{
    return offsetof(struct texture_level, side) +
           axis * sizeof(struct texture_side) + offset;
}

#define SIDE(e, s, axis, name, type)                                           \
    emit_texture_field(e, (s)->level,                                          \
                       side_field(axis, offsetof(struct texture_side, name)),  \
                       type)

static unsigned slice_lanes(const struct emit *e)
{
    return e->target->vector_bytes / 4;
}

static unsigned slice_count(const struct emit *e)
{
    return e->lanes / slice_lanes(e);
}

static LLVMValueRef slice_of(struct emit *e, LLVMValueRef v, unsigned i)
{
    return ir_slice(e, v, i * slice_lanes(e), slice_lanes(e));
}

static LLVMValueRef splat_slice(struct emit *e, LLVMValueRef scalar)
{
    return ir_splat(e, scalar, slice_lanes(e));
}

/* Active lanes of a slice; NULL: all. */
static LLVMValueRef slice_mask(struct emit *e, unsigned i)
{
    return e->f->at.mask ? slice_of(e, e->f->at.mask, i) : NULL;
}

/* x * scale, rounded down, or to nearest with ties up, whatever the rounding
 * of the product itself. */
static LLVMValueRef rounded_product(struct emit *e, LLVMValueRef x,
                                    LLVMValueRef scale, bool is_nearest,
                                    bool is_exact)
{
    LLVMValueRef p = ir_fmul(e, x, scale);
    LLVMValueRef floor = ir_unary(e, "llvm.floor", p);
    LLVMValueRef one = ir_real(p, 1), zero = ir_real(p, 0), step;
    if (is_exact && !is_nearest)
        return floor;
    LLVMValueRef error = is_exact ? zero : ir_fma(e, x, scale, ir_fneg(e, p));
    if (is_nearest) {
        LLVMValueRef past = ir_fsub(e, ir_fsub(e, p, floor), ir_real(p, 0.5));
        if (!is_exact)
            past = ir_fadd(e, past, error);
        LLVMValueRef is_up = ir_fcmp(e, LLVMRealOGE, past, zero);
        step = ir_select(e, is_up, one, zero);
    } else {
        LLVMValueRef is_down = ir_and(e, ir_fcmp(e, LLVMRealOEQ, p, floor),
                                      ir_fcmp(e, LLVMRealOLT, error, zero));
        step = ir_select(e, is_down, ir_real(p, -1), zero);
    }
    return ir_fadd(e, floor, step);
}

/* Rounded down; NaNs go far away, too. */
static LLVMValueRef to_integer(struct emit *e, LLVMValueRef v)
{
    v = ir_unary(e, "llvm.floor", v);
    LLVMValueRef low = ir_real(v, -FAR), high = ir_real(v, FAR);
    v = ir_select(e, ir_fcmp(e, LLVMRealOGT, v, low), v, low);
    v = ir_select(e, ir_fcmp(e, LLVMRealOLT, v, high), v, high);
    return ir_cast(e, LLVMFPToSI, v, e->i32);
}

/* Texels of a slice. */
static void set_slice(struct emit *e, bool is_linear, struct axis *a,
                      unsigned i, LLVMValueRef fixed, LLVMValueRef offset)
{
    if (!is_linear) {
        a->first[i] = offset ? ir_add(e, fixed, offset) : fixed;
        return;
    }
    fixed = ir_sub(e, fixed, ir_int(fixed, 128));
    a->first[i] = ir_ashr(e, fixed, ir_int(fixed, 8));
    if (offset)
        a->first[i] = ir_add(e, a->first[i], offset);
    a->second[i] = ir_add(e, a->first[i], ir_int(fixed, 1));
    a->part[i] =
        ir_cast(e, LLVMSIToFP, ir_and(e, fixed, ir_int(fixed, 255)), e->f32);
}

/* What hardware keeps of a coordinate. */
static LLVMValueRef cut_off(struct emit *e, const struct emit_sample *s,
                            unsigned d, LLVMValueRef x)
{
    LLVMValueRef grain = splat_slice(e, SIDE(e, s, d, grain, e->f32));
    LLVMValueRef unit = splat_slice(e, SIDE(e, s, d, unit, e->f32));
    x = ir_unary(e, "llvm.floor", ir_fmul(e, x, grain));
    return ir_fmul(e, x, unit);
}

/* How coordinates become texels. */
enum scaling {
    SCALE_ANY,
    SCALE_EXACT, /* by powers of two, for a filter: has_exact_sides */
    SCALE_NONE,  /* they count texels */
};

static LLVMValueRef scale_coordinate(struct emit *e,
                                     const struct emit_sample *s, unsigned d,
                                     enum scaling how, LLVMValueRef x)
{
    LLVMValueRef scale = SIDE(e, s, d, scale, e->f32);
    if (s->is_linear)
        scale = LLVMBuildFMul(e->b, scale, LLVMConstReal(e->f32, 256), "");
    if (how != SCALE_EXACT) {
        if (how == SCALE_ANY)
            x = cut_off(e, s, d, x);
        return rounded_product(e, x, splat_slice(e, scale), s->is_linear,
                               how == SCALE_NONE);
    }
    LLVMValueRef grain = splat_slice(e, SIDE(e, s, d, grain, e->f32));
    LLVMValueRef unit = SIDE(e, s, d, unit, e->f32);
    unit = splat_slice(e, LLVMBuildFMul(e->b, unit, scale, ""));
    x = ir_unary(e, "llvm.floor", ir_fmul(e, x, grain));
    return ir_fma(e, x, unit, ir_real(x, 0.5));
}

/* Texels of all slices. are_inside: no coordinate is outside, or a NaN, and
 * none is negative. */
static void set_axes(struct emit *e, const struct emit_sample *s,
                     struct axis *axis, bool are_inside)
{
    for (unsigned d = 0; d < s->dims; d++)
        for (unsigned i = 0; i < slice_count(e); i++) {
            LLVMValueRef fixed = axis[d].fixed[i], offset = NULL;
            fixed = are_inside ? ir_cast(e, LLVMFPToSI, fixed, e->i32)
                               : to_integer(e, fixed);
            if (s->offset[d])
                offset = slice_of(e, s->offset[d], i);
            set_slice(e, s->is_linear, &axis[d], i, fixed, offset);
        }
}

/* ---- edges -------------------------------------------------------------- */

static LLVMValueRef is_below(struct emit *e, LLVMValueRef v, LLVMValueRef limit)
{
    return ir_icmp(e, LLVMIntULT, v, splat_slice(e, limit));
}

/* i1: are all taps of every active lane in [-before, limit)? */
typedef LLVMValueRef limit_fn(struct emit *e, const struct emit_sample *s,
                              unsigned d, LLVMValueRef size,
                              LLVMValueRef *before);

static LLVMValueRef all_within(struct emit *e, const struct emit_sample *s,
                               const struct axis *axis, limit_fn *limit_of)
{
    LLVMValueRef test[SLICES_MAX];
    for (unsigned i = 0; i < slice_count(e); i++) {
        test[i] = NULL;
        for (unsigned d = 0; d < s->dims; d++) {
            LLVMValueRef before = NULL, first = axis[d].first[i];
            LLVMValueRef limit = limit_of(e, s, d, axis[d].size, &before);
            if (before)
                first = ir_add(e, first, splat_slice(e, before));
            LLVMValueRef t = is_below(e, first, limit);
            test[i] = test[i] ? ir_and(e, test[i], t) : t;
        }
    }
    LLVMValueRef all = ir_concat(e, test, slice_count(e));
    if (e->f->at.mask)
        all = ir_or(e, all, ir_not(e, e->f->at.mask));
    return emit_all(e, all);
}

static LLVMValueRef less_second(struct emit *e, const struct emit_sample *s,
                                LLVMValueRef limit)
{
    return s->is_linear ? ir_sub(e, limit, ir_int(limit, 1)) : limit;
}

static LLVMValueRef limit_inside(struct emit *e, const struct emit_sample *s,
                                 unsigned d, LLVMValueRef size,
                                 LLVMValueRef *before)
{
    (void)d, (void)before;
    return less_second(e, s, size);
}

/* i1: the same of coordinates, where all lanes are active and nothing is added
 * to them. */
static LLVMValueRef all_fixed_inside(struct emit *e,
                                     const struct emit_sample *s,
                                     const struct axis *axis)
{
    LLVMValueRef test[SLICES_MAX] = {NULL};
    assert(!e->f->at.mask && !s->offset[0]);
    for (unsigned d = 0; d < s->dims; d++) {
        LLVMValueRef size = less_second(e, s, axis[d].size);
        size = ir_binary(e, "llvm.umin", size, ir_int(size, (int64_t)FAR));
        LLVMValueRef limit = ir_cast(e, LLVMSIToFP, size, e->f32);
        double low = s->is_linear ? 128 : 0;
        if (s->is_linear)
            limit = ir_fma(e, limit, ir_real(limit, 256), ir_real(limit, low));
        for (unsigned i = 0; i < slice_count(e); i++) {
            LLVMValueRef v = axis[d].fixed[i];
            LLVMValueRef t = ir_and(
                e, ir_fcmp(e, LLVMRealOGE, v, ir_real(v, low)),
                ir_fcmp(e, LLVMRealOLT, v, splat_slice(e, limit)));
            test[i] = test[i] ? ir_and(e, test[i], t) : t;
        }
    }
    return emit_all(e, ir_concat(e, test, slice_count(e)));
}

/* At most one length beyond an edge that repeats. */
static LLVMValueRef limit_near(struct emit *e, const struct emit_sample *s,
                               unsigned d, LLVMValueRef size,
                               LLVMValueRef *before)
{
    LLVMValueRef keep = SIDE(e, s, d, keep, e->i32);
    LLVMValueRef repeats = ir_icmp(e, LLVMIntNE, keep, ir_int(keep, 0));
    LLVMValueRef far = ir_int(size, (int64_t)FAR);
    *before = ir_select(e, repeats, size, far);
    LLVMValueRef limit = less_second(e, s, ir_mul(e, size, ir_int(size, 3)));
    return ir_select(e, repeats, limit, ir_mul(e, far, ir_int(far, 2)));
}

/* i1: is each coordinate a number, and no denormal? Hardware takes denormals
 * for zeros, which matters at an edge only. */
static LLVMValueRef are_normal(struct emit *e, const struct emit_sample *s)
{
    LLVMValueRef all = NULL;
    for (unsigned d = 0; d < s->dims; d++) {
        LLVMValueRef x = ir_fabs(e, s->at[d]);
        LLVMValueRef is_zero = ir_fcmp(e, LLVMRealOEQ, x, ir_real(x, 0));
        LLVMValueRef is_big =
            ir_fcmp(e, LLVMRealOGE, x, ir_real(x, (double)FLT_MIN));
        LLVMValueRef test = ir_or(e, is_zero, is_big);
        all = all ? ir_and(e, all, test) : test;
    }
    if (e->f->at.mask)
        all = ir_or(e, all, ir_not(e, e->f->at.mask));
    return emit_all(e, all);
}

static LLVMValueRef is_near(struct emit *e, const struct emit_sample *s,
                            const struct axis *axis)
{
    LLVMValueRef beyond = TEXTURE_FIELD(e, s->texture, beyond, e->i8);
    LLVMValueRef is_plain =
        ir_icmp(e, LLVMIntNE, beyond, ir_int(beyond, TEXTURE_BEYOND_CUBE));
    return ir_and(e, ir_and(e, all_within(e, s, axis, limit_near), is_plain),
                  are_normal(e, s));
}

static LLVMValueRef brought_back(struct emit *e, const struct emit_sample *s,
                                 unsigned d, LLVMValueRef size, LLVMValueRef i)
{
    LLVMValueRef t = ir_xor(e, i, splat_slice(e, SIDE(e, s, d, flip, e->i32)));
    t = ir_and(e, t, splat_slice(e, SIDE(e, s, d, keep, e->i32)));
    LLVMValueRef before =
        ir_add(e, t, splat_slice(e, SIDE(e, s, d, before, e->i32)));
    LLVMValueRef behind =
        ir_add(e, t, splat_slice(e, SIDE(e, s, d, behind, e->i32)));
    LLVMValueRef is_before = ir_icmp(e, LLVMIntSLT, i, ir_int(i, 0));
    LLVMValueRef is_behind = ir_icmp(e, LLVMIntSGE, i, splat_slice(e, size));
    i = ir_select(e, is_before, before, i);
    return ir_select(e, is_behind, behind, i);
}

/* ---- addresses ---------------------------------------------------------- */

struct steps {
    LLVMValueRef element, pitch, slice; /* i32 */
    unsigned element_bytes;             /* 0: the descriptor says it */
};

static struct steps find_steps(struct emit *e, const struct emit_sample *s)
{
    bool is_byte =
        s->kind == TEXTURE_PATH_BYTES || s->kind == TEXTURE_PATH_UNITS;
    unsigned bytes = s->channels * (is_byte ? 1 : 4);
    LLVMValueRef element = LLVMConstInt(e->i32, bytes, 0);
    if (emit_texels_are_narrow(s->kind) || s->component) {
        bytes = 0;
        element = ir_zext(e, TEXTURE_FIELD(e, s->texture, element_bytes, e->i8),
                          e->i32);
    }
    return (struct steps){
        .element = element,
        .element_bytes = bytes,
        .pitch = LEVEL_FIELD(e, s, pitch_bytes, e->i32),
        .slice = LEVEL_FIELD(e, s, slice_bytes, e->i32),
    };
}

static LLVMValueRef step_of(const struct steps *n, unsigned d)
{
    return d == 0 ? n->element : d == 1 ? n->pitch : n->slice;
}

/* Scaled by its step; inactive lanes get texel 0. */
static LLVMValueRef place_of(struct emit *e, const struct steps *n, unsigned d,
                             LLVMValueRef texel, LLVMValueRef mask)
{
    LLVMValueRef v = ir_mul(e, texel, splat_slice(e, step_of(n, d)));
    return mask ? ir_select(e, mask, v, ir_int(v, 0)) : v;
}

/* Byte offset of each lane's layer; beyond the last layer, the last one. */
static LLVMValueRef layer_offsets(struct emit *e, const struct emit_sample *s,
                                  const struct steps *n, unsigned slice)
{
    LLVMValueRef layers = LEVEL_FIELD(e, s, depth, e->i32);
    LLVMValueRef last = splat_slice(e, ir_sub(e, layers, ir_int(layers, 1)));
    LLVMValueRef layer = slice_of(e, s->layer, slice);
    layer = ir_binary(e, "llvm.umin", layer, last);
    return ir_mul(e, layer, splat_slice(e, n->slice));
}

static void find_offsets(struct emit *e, const struct emit_sample *s,
                         const struct steps *n, const struct axis *axis,
                         unsigned slice, struct emit_taps *t)
{
    LLVMValueRef place[3][2] = {{NULL}}, mask = slice_mask(e, slice);
    LLVMValueRef layer = s->layer ? layer_offsets(e, s, n, slice) : NULL;
    for (unsigned d = 0; d < s->dims; d++) {
        place[d][0] = place_of(e, n, d, axis[d].first[slice], mask);
        if (t->count > 1)
            place[d][1] = place_of(e, n, d, axis[d].second[slice], mask);
    }
    for (unsigned i = 0; i < t->count; i++) {
        t->offset[i] = t->beyond[i] = NULL;
        for (unsigned d = 0; d < s->dims; d++) {
            LLVMValueRef p = place[d][i >> d & 1];
            t->offset[i] = t->offset[i] ? ir_add(e, t->offset[i], p) : p;
            LLVMValueRef b = i >> d & 1 ? axis[d].second_beyond[slice]
                                        : axis[d].first_beyond[slice];
            if (b)
                t->beyond[i] = t->beyond[i] ? ir_or(e, t->beyond[i], b) : b;
        }
        if (layer)
            t->offset[i] = ir_add(e, t->offset[i], layer);
    }
}

/* Offsets from the first tap of the slice's first lane. */
static void find_rows(struct emit *e, const struct emit_sample *s,
                      const struct steps *n, LLVMValueRef first,
                      struct emit_taps *t)
{
    for (unsigned i = 0; i < t->count; i++) {
        t->offset[i] = NULL;
        t->row[i] = first;
        for (unsigned d = 0; d < s->dims; d++)
            if (i >> d & 1)
                t->row[i] = ir_add(e, t->row[i], step_of(n, d));
    }
}

/* i1: is each lane's first tap the texel behind the last lane's? *first: the
 * first lane's. */
static LLVMValueRef is_row(struct emit *e, const struct emit_sample *s,
                           const struct steps *n, const struct axis *axis,
                           LLVMValueRef *first)
{
    struct emit_taps one = {.count = 1};
    LLVMValueRef test[SLICES_MAX];
    LLVMValueRef lanes = emit_lane_const(e, e->i32, emit_lane_number);
    LLVMValueRef wanted = ir_mul(e, lanes, ir_int(lanes, n->element_bytes));
    for (unsigned i = 0; i < slice_count(e); i++) {
        find_offsets(e, s, n, axis, i, &one);
        if (i == 0)
            *first = ir_extract(e, one.offset[0], 0);
        test[i] =
            ir_icmp(e, LLVMIntEQ, one.offset[0],
                    ir_add(e, splat_slice(e, *first), slice_of(e, wanted, i)));
    }
    LLVMValueRef all = ir_concat(e, test, slice_count(e));
    if (e->f->at.mask)
        all = ir_and(e, all, e->f->at.mask);
    return emit_all(e, all);
}

/* ---- the whole ---------------------------------------------------------- */

/* A row that is no layer has a second row, which is the same: half of each or,
 * if that side clamps, nothing of the second. */
static void complete_row(struct emit *e, const struct emit_sample *s,
                         struct emit_taps *t)
{
    if (s->dims != 1 || !s->is_linear || s->layer)
        return;
    LLVMValueRef keep = SIDE(e, s, 1, keep, e->i32);
    LLVMValueRef is_clamp = ir_icmp(e, LLVMIntEQ, keep, ir_int(keep, 0));
    t->part[1] = splat_slice(e, ir_select(e, is_clamp, LLVMConstReal(e->f32, 0),
                                          LLVMConstReal(e->f32, 128)));
    for (unsigned i = 0; i < 2; i++) {
        t->offset[2 + i] = t->offset[i];
        t->beyond[2 + i] = t->beyond[i];
        t->row[2 + i] = t->row[i];
    }
    t->count = 4;
}

/* The weight of the second texel is 0 where a clamped side's texel is beyond
 * an edge. */
static LLVMValueRef part_back(struct emit *e, const struct emit_sample *s,
                              unsigned d, const struct axis *a, unsigned i)
{
    LLVMValueRef keep = SIDE(e, s, d, keep, e->i32);
    keep = ir_or(e, keep, SIDE(e, s, d, border, e->i32));
    LLVMValueRef is_clamp = ir_icmp(e, LLVMIntEQ, keep, ir_int(keep, 0));
    LLVMValueRef last = ir_sub(e, a->size, ir_int(a->size, 1));
    LLVMValueRef is_beyond =
        ir_icmp(e, LLVMIntUGE, a->first[i], splat_slice(e, last));
    is_beyond = ir_and(e, is_beyond, splat_slice(e, is_clamp));
    return ir_select(e, is_beyond, ir_real(a->part[i], 0), a->part[i]);
}

static struct emit_taps taps_of_slice(struct emit *e,
                                      const struct emit_sample *s,
                                      const struct axis *axis, unsigned i)
{
    struct emit_taps t = {
        .count = s->is_linear ? 1u << s->dims : 1,
        .first = i * slice_lanes(e),
        .lanes = slice_lanes(e),
    };
    for (unsigned d = 0; d < s->dims; d++)
        t.part[d] = axis[d].part[i];
    return t;
}

/* Texels that are side by side. */
static void read_rows(struct emit *e, const struct emit_sample *s,
                      const struct steps *n, const struct axis *axis,
                      LLVMValueRef first)
{
    for (unsigned i = 0; i < slice_count(e); i++) {
        struct emit_taps t = taps_of_slice(e, s, axis, i);
        uint64_t bytes = (uint64_t)t.first * n->element_bytes;
        find_rows(e, s, n, ir_add(e, first, ir_int(first, (int64_t)bytes)), &t);
        complete_row(e, s, &t);
        emit_read_taps(e, s, &t);
    }
}

static void read_any(struct emit *e, const struct emit_sample *s,
                     const struct steps *n, const struct axis *axis)
{
    for (unsigned i = 0; i < slice_count(e); i++) {
        struct emit_taps t = taps_of_slice(e, s, axis, i);
        find_offsets(e, s, n, axis, i, &t);
        complete_row(e, s, &t);
        emit_read_taps(e, s, &t);
    }
}

/* Second taps lie behind first ones. */
static struct emit_taps pairs_of_slice(struct emit *e,
                                       const struct emit_sample *s,
                                       const struct steps *n,
                                       const struct axis *axis, unsigned i)
{
    struct emit_taps t = taps_of_slice(e, s, axis, i);
    unsigned count = t.count;

    t.are_pairs = true;
    t.count = 1;
    find_offsets(e, s, n, axis, i, &t);
    t.count = count;
    for (unsigned d = 0; d < s->dims; d++)
        for (unsigned tap = 1u << d; tap < 2u << d; tap++)
            t.offset[tap] = ir_add(e, t.offset[tap - (1u << d)],
                                   splat_slice(e, step_of(n, d)));
    complete_row(e, s, &t);
    return t;
}

static LLVMValueRef join_lanes(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef both[] = {a, b};
    return a ? ir_concat(e, both, 2) : NULL;
}

static struct emit_taps joined_pairs(struct emit *e, struct emit_taps t,
                                     const struct emit_taps *next)
{
    for (unsigned d = 0; d < 3; d++)
        t.part[d] = join_lanes(e, t.part[d], next->part[d]);
    for (unsigned i = 0; i < t.count; i++)
        t.offset[i] = join_lanes(e, t.offset[i], next->offset[i]);
    t.lanes *= 2;
    return t;
}

/* Four taps of two slices fit 32 registers, and the CPU has twice as many
 * instructions to choose from. */
static bool joins_slices(const struct emit *e, const struct emit_sample *s)
{
    return e->target->vector_bytes == 64 && s->channels == 1 && s->dims <= 2 &&
           slice_count(e) % 2 == 0;
}

static void read_pairs(struct emit *e, const struct emit_sample *s,
                       const struct steps *n, const struct axis *axis)
{
    unsigned step = joins_slices(e, s) ? 2 : 1;
    for (unsigned i = 0; i < slice_count(e); i += step) {
        struct emit_taps t = pairs_of_slice(e, s, n, axis, i);
        if (step == 2) {
            struct emit_taps next = pairs_of_slice(e, s, n, axis, i + 1);
            t = joined_pairs(e, t, &next);
        }
        emit_read_taps(e, s, &t);
    }
}

/* Narrow texels are of one kind for the whole warp. */
static void read_narrow(struct emit *e, const struct emit_sample *s,
                        const struct steps *n, const struct axis *axis,
                        LLVMBasicBlockRef done)
{
    LLVMValueRef path = TEXTURE_FIELD(e, s->texture, path, e->i32);
    LLVMValueRef kind = ir_and(e, path, ir_int(path, 255));
    LLVMValueRef choice = LLVMBuildSwitch(e->b, kind, s->call, 3);
    enum texture_path last =
        s->component ? TEXTURE_PATH_FRACTIONS : TEXTURE_PATH_COLORS;
    for (enum texture_path k = TEXTURE_PATH_HALVES; k <= last; k++) {
        struct emit_sample as = *s;
        as.kind = k;
        LLVMBasicBlockRef block = emit_new_block(e, "narrow");
        LLVMAddCase(choice, ir_int(kind, k), block);
        LLVMPositionBuilderAtEnd(e->b, block);
        read_any(e, &as, n, axis);
        LLVMBuildBr(e->b, done);
    }
}

/* Texels of all lanes, kept in variables where ways meet. */
struct kept {
    LLVMValueRef fixed[3][SLICES_MAX];
    LLVMValueRef first[3][SLICES_MAX], second[3][SLICES_MAX];
    LLVMValueRef part[3][SLICES_MAX];
};

static void make_kept(struct emit *e, const struct emit_sample *s,
                      struct kept *k)
{
    LLVMTypeRef words = LLVMVectorType(e->i32, slice_lanes(e));
    LLVMTypeRef floats = LLVMVectorType(e->f32, slice_lanes(e));
    for (unsigned d = 0; d < s->dims; d++)
        for (unsigned i = 0; i < slice_count(e); i++) {
            k->fixed[d][i] = emit_alloca(e, floats, 64, "coordinate");
            k->first[d][i] = emit_alloca(e, words, 64, "texel");
            k->second[d][i] = emit_alloca(e, words, 64, "texel");
            k->part[d][i] = emit_alloca(e, floats, 64, "part");
        }
}

static void keep_taps(struct emit *e, const struct emit_sample *s,
                      const struct axis *axis, const struct kept *k)
{
    for (unsigned d = 0; d < s->dims; d++)
        for (unsigned i = 0; i < slice_count(e); i++) {
            ir_store(e, axis[d].first[i], k->first[d][i], 64);
            if (!s->is_linear)
                continue;
            ir_store(e, axis[d].second[i], k->second[d][i], 64);
            ir_store(e, axis[d].part[i], k->part[d][i], 64);
        }
}

static void fetch_kept(struct emit *e, const struct emit_sample *s,
                       const struct kept *k, struct axis *axis)
{
    for (unsigned d = 0; d < s->dims; d++)
        for (unsigned i = 0; i < slice_count(e); i++) {
            LLVMTypeRef t = LLVMTypeOf(axis[d].first[i]);
            axis[d].first[i] = ir_load(e, t, k->first[d][i], 64);
            if (!s->is_linear)
                continue;
            axis[d].second[i] = ir_load(e, t, k->second[d][i], 64);
            axis[d].part[i] =
                ir_load(e, LLVMTypeOf(axis[d].part[i]), k->part[d][i], 64);
        }
}

static void bring_back(struct emit *e, const struct emit_sample *s,
                       struct axis *axis)
{
    for (unsigned d = 0; d < s->dims; d++)
        for (unsigned i = 0; i < slice_count(e); i++) {
            LLVMValueRef size = axis[d].size;
            if (s->is_linear) {
                axis[d].part[i] = part_back(e, s, d, &axis[d], i);
                axis[d].second[i] =
                    brought_back(e, s, d, size, axis[d].second[i]);
            }
            axis[d].first[i] = brought_back(e, s, d, size, axis[d].first[i]);
        }
}

/* i1 for each lane: is the texel beyond an edge, in the border? */
static LLVMValueRef is_in_border(struct emit *e, const struct emit_sample *s,
                                 unsigned d, LLVMValueRef size, LLVMValueRef i)
{
    LLVMValueRef border = SIDE(e, s, d, border, e->i32);
    border = ir_icmp(e, LLVMIntNE, border, ir_int(border, 0));
    LLVMValueRef is_beyond = ir_icmp(e, LLVMIntUGE, i, splat_slice(e, size));
    return ir_and(e, is_beyond, splat_slice(e, border));
}

static void find_border(struct emit *e, const struct emit_sample *s,
                        const struct axis *axis, struct axis *moved)
{
    for (unsigned d = 0; d < s->dims; d++)
        for (unsigned i = 0; i < slice_count(e); i++) {
            moved[d].first_beyond[i] =
                is_in_border(e, s, d, axis[d].size, axis[d].first[i]);
            if (s->is_linear)
                moved[d].second_beyond[i] =
                    is_in_border(e, s, d, axis[d].size, axis[d].second[i]);
        }
}

/* Rows are worth code of their own if a vector holds nothing else; rays
 * through a volume seldom follow them. */
static bool has_rows(const struct emit_sample *s)
{
    if (s->dims == 3 || s->is_level || emit_texels_are_narrow(s->kind) ||
        s->component)
        return false;
    return s->channels == 1 || s->kind == TEXTURE_PATH_UNITS ||
           s->kind == TEXTURE_PATH_BYTES;
}

static void read_wherever(struct emit *e, const struct emit_sample *s,
                          const struct steps *n, const struct axis *axis,
                          LLVMBasicBlockRef done)
{
    if (emit_texels_are_narrow(s->kind)) {
        read_narrow(e, s, n, axis, done);
    } else {
        read_any(e, s, n, axis);
        LLVMBuildBr(e->b, done);
    }
}

/* Some texels are beyond an edge. */
static void emit_beyond(struct emit *e, const struct emit_sample *s,
                        const struct steps *n, const struct axis *axis,
                        const struct kept *k, LLVMBasicBlockRef any,
                        LLVMBasicBlockRef done)
{
    struct axis moved[3];
    LLVMBasicBlockRef plain = emit_new_block(e, "back");
    LLVMBasicBlockRef border = emit_new_block(e, "border");
    LLVMValueRef beyond = TEXTURE_FIELD(e, s->texture, beyond, e->i8);
    memcpy(moved, axis, sizeof moved);
    bring_back(e, s, moved);
    keep_taps(e, s, moved, k);
    emit_branch(e, ir_icmp(e, LLVMIntEQ, beyond, ir_int(beyond, 0)), plain,
                border, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, plain);
    LLVMBuildBr(e->b, any);
    LLVMPositionBuilderAtEnd(e->b, border);
    if (s->component && emit_texels_are_narrow(s->kind)) {
        LLVMBuildBr(e->b, s->call);
        return;
    }
    find_border(e, s, axis, moved);
    read_wherever(e, s, n, moved, done);
}

/* All texels are inside: rows and pairs go to `done`, others to `any`. */
static void emit_inside(struct emit *e, const struct emit_sample *s,
                        const struct steps *n, const struct axis *axis,
                        LLVMBasicBlockRef any, LLVMBasicBlockRef done)
{
    if (has_rows(s)) {
        LLVMValueRef first = NULL;
        LLVMBasicBlockRef rows = emit_new_block(e, "rows");
        LLVMBasicBlockRef other = emit_new_block(e, "no.rows");
        emit_branch(e, is_row(e, s, n, axis, &first), rows, other, EMIT_EVEN);
        LLVMPositionBuilderAtEnd(e->b, rows);
        read_rows(e, s, n, axis, first);
        LLVMBuildBr(e->b, done);
        LLVMPositionBuilderAtEnd(e->b, other);
    }
    if (emit_reads_pairs(s)) {
        read_pairs(e, s, n, axis);
        LLVMBuildBr(e->b, done);
    } else {
        LLVMBuildBr(e->b, any);
    }
}

static void find_axes(struct emit *e, const struct emit_sample *s,
                      const struct kept *k, enum scaling how)
{
    for (unsigned d = 0; d < s->dims; d++)
        for (unsigned i = 0; i < slice_count(e); i++) {
            LLVMValueRef x = slice_of(e, s->at[d], i);
            ir_store(e, scale_coordinate(e, s, d, how, x), k->fixed[d][i], 64);
        }
}

/* i1: is the shorter way exact: for filters a product of powers of two, for
 * nearest texels the coordinate itself? */
static LLVMValueRef is_exact(struct emit *e, const struct emit_sample *s)
{
    if (s->is_linear) {
        LLVMValueRef exact =
            TEXTURE_FIELD(e, s->texture, has_exact_sides, e->i8);
        return ir_icmp(e, LLVMIntNE, exact, ir_int(exact, 0));
    }
    LLVMValueRef grain = SIDE(e, s, 0, grain, e->f32);
    return LLVMBuildFCmp(e->b, LLVMRealOGT, grain,
                         LLVMConstReal(e->f32, TEXTURE_GRAIN_EXACT), "");
}

static void find_axes_either(struct emit *e, const struct emit_sample *s,
                             const struct kept *k, struct axis *axis)
{
    LLVMBasicBlockRef exact = emit_new_block(e, "exact");
    LLVMBasicBlockRef any = emit_new_block(e, "scaled");
    LLVMBasicBlockRef found = emit_new_block(e, "found");
    emit_branch(e, is_exact(e, s), exact, any, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, exact);
    find_axes(e, s, k, s->is_linear ? SCALE_EXACT : SCALE_NONE);
    LLVMBuildBr(e->b, found);
    LLVMPositionBuilderAtEnd(e->b, any);
    find_axes(e, s, k, SCALE_ANY);
    LLVMBuildBr(e->b, found);
    LLVMPositionBuilderAtEnd(e->b, found);
    for (unsigned d = 0; d < s->dims; d++) {
        axis[d].size = SIDE(e, s, d, size, e->i32);
        for (unsigned i = 0; i < slice_count(e); i++)
            axis[d].fixed[i] =
                ir_load(e, LLVMVectorType(e->f32, slice_lanes(e)),
                        k->fixed[d][i], 64);
    }
}

void emit_find_taps(struct emit *e, const struct emit_sample *s)
{
    struct axis axis[3] = {{0}};
    struct kept k;
    LLVMBasicBlockRef inside = emit_new_block(e, "inside");
    LLVMBasicBlockRef edge = emit_new_block(e, "edge");
    LLVMBasicBlockRef back = emit_new_block(e, "back");
    LLVMBasicBlockRef any = emit_new_block(e, "any");
    LLVMBasicBlockRef done = emit_new_block(e, "sampled");
    struct steps n = find_steps(e, s);

    make_kept(e, s, &k);
    find_axes_either(e, s, &k, axis);
    /* Lanes that are not active have any coordinate. */
    bool is_plain = !e->f->at.mask && !s->offset[0];
    if (!is_plain)
        set_axes(e, s, axis, false);
    LLVMValueRef are_inside = is_plain
                                  ? all_fixed_inside(e, s, axis)
                                  : all_within(e, s, axis, limit_inside);
    if (s->offset[0]) /* then a denormal may be anywhere */
        are_inside = ir_and(e, are_inside, are_normal(e, s));
    emit_branch(e, are_inside, inside, edge, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, inside);
    if (is_plain)
        set_axes(e, s, axis, true);
    keep_taps(e, s, axis, &k);
    emit_inside(e, s, &n, axis, any, done);

    LLVMPositionBuilderAtEnd(e->b, edge);
    if (is_plain)
        set_axes(e, s, axis, false);
    emit_branch(e, is_near(e, s, axis), back, s->call, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, back);
    emit_beyond(e, s, &n, axis, &k, any, done);

    LLVMPositionBuilderAtEnd(e->b, any);
    fetch_kept(e, s, &k, axis);
    read_wherever(e, s, &n, axis, done);
    LLVMPositionBuilderAtEnd(e->b, done);
}
