/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies by tensor maps: boxes of up to five dimensions between global memory
 * and a block's shared memory, row by row. Every row starts at a multiple of 16
 * bytes on both sides, so what is moved is chunks of that size.
 *
 * PTX ISA, "Tensors"; where it leaves something open,
 * docs/ptx-hardware-notes.md says what an H200 does.
 */
#include "exec/internal.h"

#include "abi/mbarrier.h"
#include "abi/tensor.h"
#include "base/bits.h"

#define CHUNK TENSOR_CHUNK_BYTES

static_assert(sizeof(struct tensor_map) <= TENSOR_MAP_BYTES,
              "a program has this much room");

/* ---- one chunk -------------------------------------------------------- */

struct copy {
    const struct exec_tensor_copy *request;
    const struct tensor_map *map;
    const struct exec_tensor_watch *watch; /* or NULL */
    uint32_t unit;      /* bytes that a coordinate of dimension 0 counts */
    uint32_t row_bytes; /* dense */
    uint32_t pitch;     /* from row to row in shared memory */
    uint64_t window;    /* what shared addresses count from */
    uint64_t shared;    /* offset in it */
    uint64_t bytes;     /* moved so far, out of bounds or not */
};

static uint8_t *shared_chunk(const struct copy *c, uint64_t offset)
{
    static const uint8_t mask[] = {0, 1, 3, 7};
    uint64_t at = c->shared + offset;
    at ^= (at >> 7 & mask[c->map->swizzle]) << 4;
    return (uint8_t *)(uintptr_t)(c->window + at);
}

/* Loads round to tf32, ties away from zero; subnormals stay. */
static void convert_chunk(enum tensor_type type, uint8_t *chunk, unsigned valid)
{
    if (type != TENSOR_TF32 && type != TENSOR_TF32_FTZ)
        return;
    for (unsigned i = 0; i < valid; i += 4) {
        uint32_t v;
        memcpy(&v, chunk + i, sizeof v);
        bool is_nan = (v & 0x7fffffff) > 0x7f800000;
        v = is_nan ? 0x7fffe000 : (v + 0x1000) & 0xffffe000;
        memcpy(chunk + i, &v, sizeof v);
    }
}

static void load_chunk(const struct copy *c, uint8_t *to, const uint8_t *from,
                       unsigned valid)
{
    const struct tensor_map *m = c->map;
    uint8_t chunk[CHUNK] = {0};
    assert(valid <= CHUNK);
    for (unsigned i = 0; m->fills_nan && i < CHUNK; i += 2)
        memcpy(chunk + i, &(uint16_t){0x7ff7}, 2);
    if (valid)
        memcpy(chunk, from, valid);
    convert_chunk((enum tensor_type)m->type, chunk, valid);
    memcpy(to, chunk, CHUNK);
}

/* ---- reductions ------------------------------------------------------- */

static uint16_t float_to_half(float f)
{
    return f != f ? 0x7fff : bits_of_half(f);
}

static uint32_t float_to_bits(float f)
{
    return f != f ? 0x7fffffff : bits_of_float(f);
}

static uint32_t flushed_bits(uint32_t bits)
{
    return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

/* Does b win? A number wins over a NaN, and -0 is below +0. */
static bool takes_second(float a, float b, bool is_max)
{
    if (a != a || b != b)
        return a != a;
    if (a == b)
        return is_max ? __builtin_signbit(a) : __builtin_signbit(b);
    return is_max ? b > a : b < a;
}

static uint16_t reduce_half(enum tensor_kind kind, enum tensor_type type,
                            uint16_t old, uint16_t v)
{
    bool is_bf16 = type == TENSOR_BF16;
    float a = is_bf16 ? float_of_bits((uint32_t)old << 16) : half_of_bits(old);
    float b = is_bf16 ? float_of_bits((uint32_t)v << 16) : half_of_bits(v);
    if (kind == TENSOR_ADD)
        return is_bf16 ? bits_of_bfloat(a + b) : float_to_half(a + b);
    if (a != a && b != b)
        return 0x7fff;
    return takes_second(a, b, kind == TENSOR_MAX) ? v : old;
}

static uint64_t reduce_integer(enum tensor_kind kind, uint64_t old, uint64_t v,
                               bool is_less)
{
    switch (kind) {
    case TENSOR_ADD:
        return old + v;
    case TENSOR_MIN:
        return is_less ? old : v;
    case TENSOR_MAX:
        return is_less ? v : old;
    case TENSOR_INC:
        return (uint32_t)old >= (uint32_t)v ? 0 : old + 1;
    case TENSOR_DEC:
        return (uint32_t)old == 0 || (uint32_t)old > (uint32_t)v ? v : old - 1;
    case TENSOR_AND:
        return old & v;
    case TENSOR_OR:
        return old | v;
    default:
        return old ^ v;
    }
}

static uint64_t reduced_value(enum tensor_kind kind, enum tensor_type type,
                              uint64_t old, uint64_t v)
{
    switch (type) {
    case TENSOR_F16:
    case TENSOR_BF16:
        return reduce_half(kind, type, (uint16_t)old, (uint16_t)v);
    case TENSOR_F32: { /* in global memory subnormals are zeros */
        float sum = float_of_bits(flushed_bits((uint32_t)old)) +
                    float_of_bits(flushed_bits((uint32_t)v));
        return flushed_bits(float_to_bits(sum));
    }
    case TENSOR_S32:
        return reduce_integer(kind, old, v, (int32_t)old < (int32_t)v);
    case TENSOR_S64:
        return reduce_integer(kind, old, v, (int64_t)old < (int64_t)v);
    default:
        return reduce_integer(kind, old, v, old < v);
    }
}

/* Which operations exist for which types. */
static bool is_legal(enum tensor_kind kind, enum tensor_type type)
{
    bool is_order = kind == TENSOR_MIN || kind == TENSOR_MAX;
    bool is_bits = kind >= TENSOR_AND;
    switch (type) {
    case TENSOR_U32:
        return true;
    case TENSOR_S32:
    case TENSOR_U64:
        return kind == TENSOR_ADD || is_order || is_bits;
    case TENSOR_S64:
        return is_order;
    case TENSOR_F16:
    case TENSOR_BF16:
        return kind == TENSOR_ADD || is_order;
    case TENSOR_F32:
        return kind == TENSOR_ADD;
    default:
        return false;
    }
}

#define REDUCE(type)                                                           \
    do {                                                                       \
        type *p = (type *)(void *)to, now = *(volatile type *)p, next, given;  \
        memcpy(&given, from, sizeof given);                                    \
        do                                                                     \
            next = (type)reduced_value(kind, t, now, given);                   \
        while (!__atomic_compare_exchange_n(                                   \
            p, &now, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));        \
    } while (0)

static void reduce_chunk(const struct copy *c, uint8_t *to, const uint8_t *from)
{
    enum tensor_kind kind = (enum tensor_kind)c->request->kind;
    enum tensor_type t = (enum tensor_type)c->map->type;
    unsigned size = tensor_type_size(t);
    assert(size > 0 && is_legal(kind, t));
    assert((uintptr_t)to % size == 0);
    for (unsigned i = 0; i < CHUNK; i += size, to += size, from += size) {
        if (size == 2)
            REDUCE(uint16_t);
        else if (size == 4)
            REDUCE(uint32_t);
        else
            REDUCE(uint64_t);
    }
}

/* ---- rows ------------------------------------------------------------- */

/* How many of the 16 bytes at `at_byte` of a row are inside the tensor. */
static unsigned valid_bytes(const struct copy *c, int64_t coordinate,
                            uint32_t at_byte)
{
    const struct tensor_map *m = c->map;
    uint64_t dim = m->dim[0] ? m->dim[0] : UINT64_C(1) << 32;
    int64_t first = coordinate * (int64_t)c->unit + at_byte;
    int64_t left = (int64_t)(dim * c->unit) - first;
    assert(c->unit > 0);
    if (first < 0 || left <= 0)
        return 0;
    return left < CHUNK ? (unsigned)left : CHUNK;
}

/* `p`: the chunk's place in the tensor, of which `valid` bytes are inside. */
static void move_chunk(const struct copy *c, uint64_t offset, uint8_t *p,
                       unsigned valid)
{
    const struct exec_tensor_watch *watch = c->watch;
    bool is_load = c->request->kind == TENSOR_LOAD;
    uint8_t *shared = shared_chunk(c, offset);
    if ((!valid && !is_load) ||
        (watch && !watch->may_move(watch->data, p, valid, shared)))
        return;
    if (is_load)
        load_chunk(c, shared, p, valid);
    else if (c->request->kind == TENSOR_STORE)
        memcpy(p, shared, CHUNK); /* not in parts */
    else
        reduce_chunk(c, p, shared);
}

/* Copies one row. `global`: the address of coordinate 0 in dimension 0. */
static void copy_row(struct copy *c, uint64_t row, uint64_t global,
                     bool is_inside)
{
    const struct tensor_map *m = c->map;
    bool is_sliced = m->interleave != TENSOR_PLAIN;
    uint32_t step = is_sliced && !m->is_im2col ? m->step[0] : 1;
    int64_t at = m->is_im2col && is_sliced ? 0 : c->request->at[0];
    for (uint32_t b = 0; b < c->row_bytes; b += CHUNK) {
        /* With slices a unit is a chunk; otherwise chunks follow each
         * other. */
        int64_t coordinate = at;
        uint32_t byte = b;
        if (is_sliced) {
            coordinate += (int64_t)(b / c->unit) * step;
            byte = b % c->unit;
        }
        unsigned valid = is_inside ? valid_bytes(c, coordinate, byte) : 0;
        uint8_t *p =
            (uint8_t *)(uintptr_t)(global + (uint64_t)coordinate * c->unit +
                                   byte);
        move_chunk(c, row * c->pitch + b, p, valid);
    }
    c->bytes += c->row_bytes;
}

static bool is_in(const struct tensor_map *m, unsigned d, int64_t coordinate)
{
    uint64_t dim = m->dim[d] ? m->dim[d] : UINT64_C(1) << 32;
    return coordinate >= 0 && (uint64_t)coordinate < dim;
}

static void set_row(struct copy *c, uint32_t bytes)
{
    const struct tensor_map *m = c->map;
    uint32_t span = m->swizzle && !m->interleave ? 16u << m->swizzle : 0;
    assert(bytes > 0);
    c->row_bytes = bytes;
    c->pitch = bytes < span ? span : bytes;
}

/* ---- boxes ------------------------------------------------------------ */

/* Extent of the box in dimension d. With slices only one channel position is
 * copied: the box's size in the dimension before the last does not count. */
static uint32_t box_count(const struct tensor_map *m, unsigned d)
{
    assert(d < m->rank && m->step[d] > 0);
    if (m->interleave && d == m->rank - 2u)
        return 1;
    if (d == 0 && !m->interleave)
        return m->box[0];
    return (m->box[d] + m->step[d] - 1u) / m->step[d];
}

static void copy_tiled(struct copy *c)
{
    const struct tensor_map *m = c->map;
    uint32_t count[TENSOR_RANK_MAX], i[TENSOR_RANK_MAX] = {0};
    uint64_t rows = 1;
    assert(m->rank > 0 && m->rank <= TENSOR_RANK_MAX);
    for (unsigned d = 0; d < m->rank; d++)
        count[d] = box_count(m, d);
    for (unsigned d = 1; d < m->rank; d++)
        rows *= count[d];
    set_row(c, count[0] * c->unit);
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t global = m->address;
        bool is_inside = true;
        for (unsigned d = 1; d < m->rank; d++) {
            int64_t at = c->request->at[d] + (int64_t)i[d] * m->step[d];
            is_inside &= is_in(m, d, at);
            global += (uint64_t)at * m->stride[d - 1];
        }
        copy_row(c, row, global, is_inside);
        for (unsigned d = 1; d < m->rank && ++i[d] == count[d]; d++)
            i[d] = 0;
    }
}

/* ---- columns of pixels ------------------------------------------------ */

static int64_t last_in_box(const struct tensor_map *m, unsigned i, unsigned d)
{
    return (int64_t)(uint32_t)(m->dim[d] - 1) + m->upper[i];
}

/* Copies pixels of the bounding box in order, from the named one on, each
 * moved by the offsets; images follow each other. Spatial dimensions begin at
 * 1, behind the channels; with slices at 0, where a pixel is one slice. */
static void copy_pixels(struct copy *c)
{
    const struct tensor_map *m = c->map;
    const int32_t *at = c->request->at;
    unsigned spatial = m->rank - 2u, first = m->interleave ? 0 : 1;
    int64_t position[3], image = at[m->rank - 1];
    for (unsigned i = 0; i < spatial; i++)
        position[i] = at[first + i];
    set_row(c, m->interleave ? c->unit : (uint32_t)m->channels * c->unit);
    for (uint64_t row = 0; row < m->pixels; row++) {
        bool is_inside = is_in(m, m->rank - 1u, image);
        uint64_t global = m->address + (uint64_t)image * m->stride[m->rank - 2];
        if (m->interleave) {
            unsigned d = m->rank - 2u;
            is_inside &= is_in(m, d, at[d]);
            global += (uint64_t)(int64_t)at[d] * m->stride[d - 1];
        }
        for (unsigned i = 0; i < spatial; i++) {
            unsigned d = first + i;
            int64_t here = position[i] + c->request->offset[i];
            is_inside &= is_in(m, d, here);
            global += (uint64_t)here * (d ? m->stride[d - 1] : c->unit);
        }
        copy_row(c, row, global, is_inside);
        unsigned i = 0;
        for (; i < spatial; i++) {
            position[i] += m->step[first + i];
            if (position[i] <= last_in_box(m, i, first + i))
                break;
            position[i] = m->lower[i];
        }
        image += i == spatial ? m->step[m->rank - 1] : 0;
    }
}

/* ---- what hardware refuses -------------------------------------------- */

static bool is_start_in_box(const struct tensor_map *m, const int32_t *at)
{
    unsigned first = m->interleave ? 0 : 1;
    for (unsigned i = 0; i + 2 < m->rank; i++) {
        int64_t here = at[first + i];
        if (here < m->lower[i] || here > last_in_box(m, i, first + i))
            return false;
    }
    return true;
}

/* A written box may reach beyond the tensor's end, not before its beginning;
 * written pixels must all be inside. */
static bool may_write(const struct tensor_map *m, const int32_t *at)
{
    for (unsigned i = 0; i < m->rank; i++) {
        if (at[i] < 0)
            return false;
    }
    for (unsigned i = 0; m->is_im2col && i + 2 < m->rank; i++) {
        if (m->lower[i] < 0 || m->upper[i] > 0)
            return false;
    }
    return true;
}

/* Are fields that a program may have written itself in range? */
static bool is_sound(const struct tensor_map *m)
{
    if (m->magic != TENSOR_MAP_MAGIC || m->rank < 1 ||
        m->rank > TENSOR_RANK_MAX || m->type >= TENSOR_TYPES ||
        m->interleave > TENSOR_SLICES_32 || m->swizzle > 3 ||
        (m->rank < 3 && (m->interleave || m->is_im2col)))
        return false;
    for (unsigned i = 0; i < m->rank; i++) {
        if (m->step[i] == 0 || m->step[i] > TENSOR_STEP_MAX)
            return false;
    }
    return true;
}

/* False: hardware reports an illegal instruction. */
static bool is_good(const struct exec_tensor_copy *r,
                    const struct tensor_map *m)
{
    if (!is_sound(m) || m->rank != r->rank || m->is_im2col != r->is_im2col)
        return false;
    if (!m->interleave &&
        ((int64_t)r->at[0] * tensor_type_size(m->type)) % CHUNK != 0)
        return false;
    if (m->is_im2col && !is_start_in_box(m, r->at))
        return false;
    if (r->kind != TENSOR_LOAD && !may_write(m, r->at))
        return false;
    return r->kind <= TENSOR_STORE ||
           is_legal((enum tensor_kind)r->kind, (enum tensor_type)m->type);
}

/* ---- copies ----------------------------------------------------------- */

static void complete_tx(uint64_t *word, uint64_t bytes)
{
    uint64_t w = *(volatile uint64_t *)word - (bytes << MBARRIER_TX_SHIFT);
    uint64_t pending = w >> MBARRIER_PENDING_SHIFT & MBARRIER_COUNT_MASK;
    if (pending == 0 && w >> MBARRIER_TX_SHIFT == 0) {
        uint64_t expected = w & MBARRIER_COUNT_MASK;
        uint64_t phase = (w >> MBARRIER_PHASE_SHIFT) + 1;
        w = expected | expected << MBARRIER_PENDING_SHIFT |
            (phase & MBARRIER_PHASE_MASK) << MBARRIER_PHASE_SHIFT;
    }
    *(volatile uint64_t *)word = w;
}

static uint64_t in_block(uint64_t window, uint64_t address, uint32_t rank)
{
    uint64_t low =
        (address - window) & ((UINT64_C(1) << WEFT_CLUSTER_SHIFT) - 1);
    return window + (low | (uint64_t)rank << WEFT_CLUSTER_SHIFT);
}

static void copy_here(struct copy *c, uint64_t shared, uint64_t mbarrier)
{
    c->shared = shared - c->window;
    c->bytes = 0;
    if (c->map->is_im2col)
        copy_pixels(c);
    else
        copy_tiled(c);
    if (c->request->kind == TENSOR_LOAD &&
        (!c->watch || c->watch->may_complete(
                          c->watch->data, (const void *)(uintptr_t)mbarrier)))
        complete_tx((uint64_t *)(uintptr_t)mbarrier, c->bytes);
}

void tensor_copy(struct exec_warp *w, const struct exec_tensor_copy *r)
{
    watched_tensor_copy(w, r, NULL);
}

void watched_tensor_copy(struct exec_warp *w, const struct exec_tensor_copy *r,
                         const struct exec_tensor_watch *watch)
{
    const struct tensor_map *m = (const void *)(uintptr_t)r->map;
    struct copy c = {.request = r, .map = m, .watch = watch};
    if (!is_good(r, m))
        fault_raise(w->owner, EXEC_FAULT_ILLEGAL);
    c.unit = m->interleave ? 16u * m->interleave : tensor_type_size(m->type);
    c.window = (uintptr_t)w->shared -
               ((uint64_t)w->cluster_rank << WEFT_CLUSTER_SHIFT);
    if (!r->blocks) {
        copy_here(&c, r->shared, r->mbarrier);
        return;
    }
    for (uint32_t i = 0; i < w->launch->cluster_blocks; i++)
        if (r->blocks >> i & 1)
            copy_here(&c, in_block(c.window, r->shared, i),
                      in_block(c.window, r->mbarrier, i));
}

/* ---- changing maps ---------------------------------------------------- */

/* A field's value, or one that no copy takes (is_sound): the change itself is
 * no error, as on an H200. */
static uint8_t narrow_value(uint64_t value, uint64_t most)
{
    return value <= most ? (uint8_t)value : UINT8_MAX;
}

static void replace_field(struct tensor_map *m, enum tensor_field field,
                          uint32_t ordinal, uint64_t value)
{
    assert(ordinal < TENSOR_RANK_MAX);
    switch (field) {
    case TENSOR_FIELD_address:
        m->address = value;
        break;
    case TENSOR_FIELD_rank: /* counted from zero */
        m->rank = narrow_value(value + 1, TENSOR_RANK_MAX);
        break;
    case TENSOR_FIELD_box_dim:
        m->box[ordinal] = (uint16_t)value;
        break;
    case TENSOR_FIELD_global_dim:
        m->dim[ordinal] = (uint32_t)value;
        break;
    case TENSOR_FIELD_global_stride:
        assert(ordinal < TENSOR_RANK_MAX - 1);
        m->stride[ordinal] = value;
        break;
    case TENSOR_FIELD_element_stride:
        m->step[ordinal] = narrow_value(value, TENSOR_STEP_MAX);
        break;
    case TENSOR_FIELD_elemtype:
        m->type = narrow_value(value, TENSOR_TYPES - 1);
        break;
    case TENSOR_FIELD_interleave_layout:
        m->interleave = narrow_value(value, TENSOR_SLICES_32);
        break;
    case TENSOR_FIELD_swizzle_mode:
        m->swizzle = narrow_value(value, 3);
        break;
    case TENSOR_FIELD_fill_mode:
        m->fills_nan = value != 0;
        break;
    }
}

void tensor_replace(struct exec_warp *w, uint64_t map, uint32_t field,
                    uint32_t ordinal, uint64_t value)
{
    struct tensor_map *m = (struct tensor_map *)(uintptr_t)map;
    uint32_t ordinals = field == TENSOR_FIELD_global_stride
                            ? TENSOR_RANK_MAX - 1
                            : TENSOR_RANK_MAX;
    if (ordinal >= ordinals)
        fault_raise(w->owner, EXEC_FAULT_ILLEGAL);
    if (m->magic == 0) /* a kernel may build a map from zeros */
        m->magic = TENSOR_MAP_MAGIC;
    replace_field(m, (enum tensor_field)field, ordinal, value);
}
