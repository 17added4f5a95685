/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which texels a fetch reads, for all lanes at once and exactly as
 * exec/sampler.c finds them. Three cases, chosen for the warp: all texels lie
 * inside and side by side, and are loaded; all lie inside; or some lie beyond
 * an edge, and are brought back by the descriptor's rule for each side.
 */
#include "emit/texture/texture.h"

#include "emit/internal.h"

/* Coordinates in 1 / 256 of a texel stay below this: far beyond any edge. */
#define FAR 8388608.0

struct axis {
    LLVMValueRef size;   /* i32 */
    LLVMValueRef first;  /* texels: vectors of i32 */
    LLVMValueRef second; /* NULL: point */
    LLVMValueRef part;
};

static size_t side_field(unsigned axis, size_t offset)
{
    return offsetof(struct exec_texture, side) +
           axis * sizeof(struct texture_side) + offset;
}

#define SIDE(e, s, axis, name, type)                                           \
    emit_texture_field(e, (s)->texture,                                        \
                       side_field(axis, offsetof(struct texture_side, name)),  \
                       type)

static LLVMValueRef splat(struct emit *e, LLVMValueRef scalar)
{
    return ir_splat(e, scalar, e->lanes);
}

/* x * scale rounded down, or to the nearest with halves up, whatever the
 * product's own rounding. */
static LLVMValueRef rounded_product(struct emit *e, LLVMValueRef x,
                                    LLVMValueRef scale, bool is_nearest)
{
    LLVMValueRef p = ir_fmul(e, x, scale);
    LLVMValueRef error = ir_fma(e, x, scale, ir_fneg(e, p));
    LLVMValueRef floor = ir_unary(e, "llvm.floor", p);
    LLVMValueRef one = ir_real(p, 1), zero = ir_real(p, 0), step;
    if (is_nearest) {
        LLVMValueRef past = ir_fsub(e, ir_fsub(e, p, floor), ir_real(p, 0.5));
        LLVMValueRef is_up =
            ir_fcmp(e, LLVMRealOGE, ir_fadd(e, past, error), zero);
        step = ir_select(e, is_up, one, zero);
    } else {
        LLVMValueRef is_down = ir_and(e, ir_fcmp(e, LLVMRealOEQ, p, floor),
                                      ir_fcmp(e, LLVMRealOLT, error, zero));
        step = ir_select(e, is_down, ir_real(p, -1), zero);
    }
    return ir_fadd(e, floor, step);
}

/* What is no number goes far away, too. */
static LLVMValueRef to_integer(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef low = ir_real(v, -FAR), high = ir_real(v, FAR);
    v = ir_select(e, ir_fcmp(e, LLVMRealOGT, v, low), v, low);
    v = ir_select(e, ir_fcmp(e, LLVMRealOLT, v, high), v, high);
    return ir_cast(e, LLVMFPToSI, v, e->i32);
}

static struct axis find_axis(struct emit *e, const struct emit_sample *s,
                             unsigned d)
{
    struct axis a = {.size = SIDE(e, s, d, size, e->i32)};
    LLVMValueRef x = s->at[d], scale = SIDE(e, s, d, scale, e->f32);
    if (!s->is_linear) {
        a.first = to_integer(e, rounded_product(e, x, splat(e, scale), false));
        return a;
    }
    scale = LLVMBuildFMul(e->b, scale, LLVMConstReal(e->f32, 256), "");
    LLVMValueRef fixed =
        to_integer(e, rounded_product(e, x, splat(e, scale), true));
    fixed = ir_sub(e, fixed, ir_int(fixed, 128));
    a.first = ir_ashr(e, fixed, ir_int(fixed, 8));
    a.second = ir_add(e, a.first, ir_int(fixed, 1));
    a.part =
        ir_cast(e, LLVMSIToFP, ir_and(e, fixed, ir_int(fixed, 255)), e->f32);
    return a;
}

/* ---- edges ----------------------------------------------------------------
 */

/* i1: does every active lane hold this? */
static LLVMValueRef holds(struct emit *e, LLVMValueRef test)
{
    if (e->f->at.mask)
        test = ir_or(e, test, ir_not(e, e->f->at.mask));
    return emit_all(e, test);
}

static LLVMValueRef is_below(struct emit *e, LLVMValueRef v, LLVMValueRef limit)
{
    return ir_icmp(e, LLVMIntULT, v, splat(e, limit));
}

/* All taps lie inside. */
static LLVMValueRef is_inside(struct emit *e, const struct emit_sample *s,
                              const struct axis *axis)
{
    LLVMValueRef all = NULL;
    for (unsigned d = 0; d < s->dims; d++) {
        LLVMValueRef limit = axis[d].size;
        if (s->is_linear)
            limit = ir_sub(e, limit, ir_int(limit, 1));
        LLVMValueRef test = is_below(e, axis[d].first, limit);
        all = all ? ir_and(e, all, test) : test;
    }
    return holds(e, all);
}

/* Not more than one length beyond an edge, where there is no border. */
static LLVMValueRef is_near(struct emit *e, const struct emit_sample *s,
                            const struct axis *axis)
{
    LLVMValueRef all = NULL;
    for (unsigned d = 0; d < s->dims; d++) {
        LLVMValueRef size = axis[d].size;
        LLVMValueRef limit = ir_mul(e, size, ir_int(size, 3));
        if (s->is_linear)
            limit = ir_sub(e, limit, ir_int(limit, 1));
        LLVMValueRef test =
            is_below(e, ir_add(e, axis[d].first, splat(e, size)), limit);
        all = all ? ir_and(e, all, test) : test;
    }
    LLVMValueRef border = TEXTURE_FIELD(e, s->texture, has_border, e->i8);
    return ir_and(e, holds(e, all),
                  ir_icmp(e, LLVMIntEQ, border, ir_int(border, 0)));
}

static LLVMValueRef brought_back(struct emit *e, const struct emit_sample *s,
                                 unsigned d, LLVMValueRef size, LLVMValueRef i)
{
    LLVMValueRef t = ir_xor(e, i, splat(e, SIDE(e, s, d, flip, e->i32)));
    t = ir_and(e, t, splat(e, SIDE(e, s, d, keep, e->i32)));
    LLVMValueRef before = ir_add(e, t, splat(e, SIDE(e, s, d, before, e->i32)));
    LLVMValueRef behind = ir_add(e, t, splat(e, SIDE(e, s, d, behind, e->i32)));
    LLVMValueRef is_before = ir_icmp(e, LLVMIntSLT, i, ir_int(i, 0));
    LLVMValueRef is_behind = ir_icmp(e, LLVMIntSGE, i, splat(e, size));
    i = ir_select(e, is_before, before, i);
    return ir_select(e, is_behind, behind, i);
}

/* ---- addresses ------------------------------------------------------------
 */

struct steps {
    LLVMValueRef pitch, slice; /* i32 */
    unsigned element_bytes;
};

static struct steps find_steps(struct emit *e, const struct emit_sample *s)
{
    bool is_byte =
        s->kind == TEXTURE_PATH_BYTES || s->kind == TEXTURE_PATH_UNITS;
    return (struct steps){
        .pitch = TEXTURE_FIELD(e, s->texture, level[0].pitch_bytes, e->i32),
        .slice = TEXTURE_FIELD(e, s->texture, level[0].slice_bytes, e->i32),
        .element_bytes = s->channels * (is_byte ? 1 : 4),
    };
}

static LLVMValueRef step_of(struct emit *e, const struct steps *n, unsigned d)
{
    return d == 0   ? LLVMConstInt(e->i32, n->element_bytes, 0)
           : d == 1 ? n->pitch
                    : n->slice;
}

/* Scaled by its step; of lanes that are not active, texel 0. */
static LLVMValueRef place_of(struct emit *e, const struct steps *n, unsigned d,
                             LLVMValueRef texel)
{
    LLVMValueRef v = ir_mul(e, texel, splat(e, step_of(e, n, d)));
    return e->f->at.mask ? ir_select(e, e->f->at.mask, v, ir_int(v, 0)) : v;
}

static void find_offsets(struct emit *e, const struct emit_sample *s,
                         const struct steps *n, const struct axis *axis,
                         struct emit_taps *t)
{
    LLVMValueRef place[3][2] = {{NULL}};
    for (unsigned d = 0; d < s->dims; d++) {
        place[d][0] = place_of(e, n, d, axis[d].first);
        if (s->is_linear)
            place[d][1] = place_of(e, n, d, axis[d].second);
    }
    for (unsigned i = 0; i < t->count; i++) {
        LLVMValueRef sum = NULL;
        for (unsigned d = 0; d < s->dims; d++) {
            LLVMValueRef p = place[d][i >> d & 1];
            sum = sum ? ir_add(e, sum, p) : p;
        }
        t->offset[i] = sum;
    }
}

/* From the first lane's first tap. */
static void find_rows(struct emit *e, const struct emit_sample *s,
                      const struct steps *n, LLVMValueRef first,
                      struct emit_taps *t)
{
    for (unsigned i = 0; i < t->count; i++) {
        t->row[i] = first;
        for (unsigned d = 0; d < s->dims; d++)
            if (i >> d & 1)
                t->row[i] = ir_add(e, t->row[i], step_of(e, n, d));
    }
}

static int64_t lane_number(int lane)
{
    return lane;
}

/* i1: is each lane's texel the one behind the last lane's? */
static LLVMValueRef is_row(struct emit *e, const struct steps *n,
                           LLVMValueRef offset, LLVMValueRef first)
{
    LLVMValueRef lanes = emit_lane_const(e, e->i32, lane_number);
    LLVMValueRef wanted = ir_add(
        e, splat(e, first), ir_mul(e, lanes, ir_int(lanes, n->element_bytes)));
    LLVMValueRef test = ir_icmp(e, LLVMIntEQ, offset, wanted);
    if (e->f->at.mask)
        test = ir_and(e, test, e->f->at.mask);
    return emit_all(e, test);
}

/* ---- the whole ------------------------------------------------------------
 */

/* A row has a second one below it, which is the same: half of each. */
static void complete_row(struct emit *e, const struct emit_sample *s,
                         struct emit_taps *t)
{
    if (s->dims != 1 || !s->is_linear)
        return;
    t->part[1] = ir_real(t->part[0], 128);
    for (unsigned i = 0; i < 2; i++) {
        t->offset[2 + i] = t->offset[i];
        t->row[2 + i] = t->row[i];
    }
    t->count = 4;
    (void)e;
}

static void read_rows(struct emit *e, const struct emit_sample *s,
                      const struct steps *n, struct emit_taps t,
                      LLVMValueRef first)
{
    find_rows(e, s, n, first, &t);
    memset(t.offset, 0, sizeof t.offset);
    complete_row(e, s, &t);
    emit_read_taps(e, s, &t);
}

/* Rows are worth code of their own where a vector holds nothing else. */
static bool has_rows(const struct emit_sample *s)
{
    return s->channels == 1 || s->kind == TEXTURE_PATH_UNITS ||
           s->kind == TEXTURE_PATH_BYTES;
}

void emit_find_taps(struct emit *e, const struct emit_sample *s)
{
    struct axis axis[3];
    struct emit_taps t = {.count = s->is_linear ? 1u << s->dims : 1};
    LLVMValueRef kept[3][2] = {{NULL}};
    LLVMBasicBlockRef inside = emit_new_block(e, "inside");
    LLVMBasicBlockRef edge = emit_new_block(e, "edge");
    LLVMBasicBlockRef back = emit_new_block(e, "back");
    LLVMBasicBlockRef any = emit_new_block(e, "any");
    LLVMBasicBlockRef done = emit_new_block(e, "sampled");
    struct steps n = find_steps(e, s);

    for (unsigned d = 0; d < s->dims; d++) {
        axis[d] = find_axis(e, s, d);
        t.part[d] = axis[d].part;
    }
    for (unsigned d = 0; d < s->dims; d++)
        for (unsigned i = 0; i <= s->is_linear; i++)
            kept[d][i] = emit_alloca(e, LLVMTypeOf(axis[d].first), 64, "texel");
    emit_branch(e, is_inside(e, s, axis), inside, edge, EMIT_LIKELY);

    LLVMPositionBuilderAtEnd(e->b, inside);
    for (unsigned d = 0; d < s->dims; d++) {
        ir_store(e, axis[d].first, kept[d][0], 64);
        if (s->is_linear)
            ir_store(e, axis[d].second, kept[d][1], 64);
    }
    if (has_rows(s)) {
        LLVMBasicBlockRef rows = emit_new_block(e, "rows");
        struct emit_taps one = {.count = 1};
        find_offsets(e, s, &n, axis, &one);
        LLVMValueRef first = ir_extract(e, one.offset[0], 0);
        emit_branch(e, is_row(e, &n, one.offset[0], first), rows, any,
                    EMIT_EVEN);
        LLVMPositionBuilderAtEnd(e->b, rows);
        read_rows(e, s, &n, t, first);
        LLVMBuildBr(e->b, done);
    } else {
        LLVMBuildBr(e->b, any);
    }

    LLVMPositionBuilderAtEnd(e->b, edge);
    emit_branch(e, is_near(e, s, axis), back, s->call, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, back);
    for (unsigned d = 0; d < s->dims; d++) {
        LLVMValueRef size = axis[d].size;
        ir_store(e, brought_back(e, s, d, size, axis[d].first), kept[d][0], 64);
        if (s->is_linear)
            ir_store(e, brought_back(e, s, d, size, axis[d].second), kept[d][1],
                     64);
    }
    LLVMBuildBr(e->b, any);

    LLVMPositionBuilderAtEnd(e->b, any);
    for (unsigned d = 0; d < s->dims; d++) {
        LLVMTypeRef type = LLVMTypeOf(axis[d].first);
        axis[d].first = ir_load(e, type, kept[d][0], 64);
        if (s->is_linear)
            axis[d].second = ir_load(e, type, kept[d][1], 64);
    }
    find_offsets(e, s, &n, axis, &t);
    complete_row(e, s, &t);
    emit_read_taps(e, s, &t);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
}
