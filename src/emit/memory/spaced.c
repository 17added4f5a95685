/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads of lanes in lockstep at addresses that only a test can tell more
 * about: simt/plan/lockstep.c. If they are at equal distances, a few elements
 * apart, they are vectors of which every second, third ... element counts; if
 * not, the function is left.
 */
#include "emit/core/address.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/ways.h"

enum {
    STEP_MAX = 5, /* elements between lanes, as vectors and shuffles */
    PART_BYTES = 64,
    PART_MAX = 16, /* elements of a part */
};

/* What addresses are made of, and where lane 0 reads. */
struct spacing {
    LLVMValueRef v;     /* for all lanes: addresses, or indices */
    int64_t scale;      /* bytes for one unit of v */
    bool is_signed;     /* the index */
    LLVMValueRef first; /* i64 */
};

/* Is v first + step * lane in all lanes? step: of v's type; NULL: it is
 * `known`, which saves products. */
static LLVMValueRef is_series(struct emit *e, LLVMValueRef v, LLVMValueRef step,
                              int64_t known)
{
    LLVMValueRef first = ir_extract(e, v, 0);
    LLVMValueRef lanes[EMIT_MAX_LANES], want;

    for (unsigned i = 0; i < e->lanes; i++)
        lanes[i] = ir_int(first, (step ? 1 : known) * i);
    want = LLVMConstVector(lanes, e->lanes);
    if (step)
        want = ir_mul(e, ir_splat(e, step, e->lanes), want);
    want = ir_add(e, want, ir_splat(e, first, e->lanes));
    return emit_all(e, ir_icmp(e, LLVMIntEQ, v, want));
}

/* The last lane's index of 32 bits may have wrapped. */
static LLVMValueRef does_not_wrap(struct emit *e, LLVMValueRef first,
                                  bool is_signed)
{
    const int64_t span = (int64_t)SIMT_NEAR_BYTES * EMIT_MAX_LANES;

    return is_signed
               ? ir_icmp(e, LLVMIntSLT, first, ir_int(first, INT32_MAX - span))
               : ir_icmp(e, LLVMIntULT, first,
                         ir_int(first, (int64_t)UINT32_MAX - span));
}

static struct spacing spacing_of(struct emit *e, const struct ptx_operand *o)
{
    struct emit_base_index p = emit_base_index_of(e, o);
    struct spacing s = {.scale = 1};

    if (!p.index || !p.base || p.scale <= 0) {
        s.v = ir_as_int(e, emit_read_reg(e, o->reg));
        s.v = ir_resize(e, s.v, e->i64, false);
        s.first = ir_extract(e, s.v, 0);
    } else {
        s.v = p.index;
        s.scale = p.scale;
        s.is_signed = p.is_signed;
        s.first = ir_resize(e, ir_extract(e, p.index, 0), e->i64, p.is_signed);
        s.first = ir_mul(e, s.first, ir_int(s.first, p.scale));
        s.first =
            ir_add(e, ir_add(e, s.first, p.base), ir_int(s.first, p.offset));
    }
    s.first = ir_add(e, s.first, ir_int(s.first, o->imm));
    return s;
}

/* The distance from lane 0 to lane 1, of v's type. */
static LLVMValueRef step_of(struct emit *e, const struct spacing *s)
{
    return ir_sub(e, ir_extract(e, s->v, 1), ir_extract(e, s->v, 0));
}

static LLVMValueRef with_no_wrap(struct emit *e, const struct spacing *s,
                                 LLVMValueRef is_equal)
{
    LLVMValueRef first = ir_extract(e, s->v, 0);

    if (ir_bits(first) != 32)
        return is_equal;
    return ir_and(e, is_equal, does_not_wrap(e, first, s->is_signed));
}

/* Is each lane this many bytes behind the one before? */
static LLVMValueRef are_apart(struct emit *e, const struct spacing *s,
                              int64_t bytes)
{
    if (bytes % s->scale)
        return LLVMConstInt(e->i1, 0, 0);
    return with_no_wrap(e, s, is_series(e, s->v, NULL, bytes / s->scale));
}

/* ---- every so many elements --------------------------------------------- */

/* Loads elements [0, lanes) * step from p on, for a part of the lanes; touches
 * nothing behind the last one. */
static LLVMValueRef load_part(struct emit *e, const struct access *a,
                              LLVMTypeRef element, LLVMValueRef p, int step,
                              int lanes)
{
    unsigned size = a->of.size;
    LLVMTypeRef t = LLVMVectorType(element, (unsigned)lanes);
    LLVMValueRef all = NULL;
    int done = 0;

    for (int j = 0; j < step; j++) {
        int start = j + 1 < step ? j * lanes : step * (lanes - 1) + 1 - lanes;
        int index[PART_MAX];
        LLVMValueRef v = emit_access_load_at(
            e, a, t, ir_offset(e, p, (int64_t)start * size));
        for (int i = 0; i < lanes; i++) {
            bool is_here = i >= done && i * step < start + lanes;
            index[i] = is_here ? (all ? lanes : 0) + i * step - start : i;
        }
        while (done < lanes && done * step < start + lanes)
            done++;
        all = ir_shuffle(e, all ? all : v, all ? v : NULL, index,
                         (unsigned)lanes);
    }
    assert(done == lanes);
    return all;
}

static LLVMValueRef load_step(struct emit *e, const struct access *a,
                              LLVMTypeRef element, LLVMValueRef p, int step)
{
    unsigned size = a->of.size;
    unsigned lanes = PART_BYTES / size;
    LLVMValueRef parts[EMIT_MAX_LANES];

    for (unsigned i = 0; i < e->lanes / lanes; i++)
        parts[i] = load_part(
            e, a, element, ir_offset(e, p, (int64_t)(i * lanes * size) * step),
            step, (int)lanes);
    return ir_concat(e, parts, e->lanes / lanes);
}

/* ---- all lanes ---------------------------------------------------------- */

/* Vectors that different ways give, and the blocks they come from. */
struct ways {
    LLVMBasicBlockRef done, from[STEP_MAX];
    LLVMValueRef v[STEP_MAX];
    unsigned count;
};

static void end_way(struct emit *e, struct ways *w, LLVMValueRef v)
{
    assert(w->count < STEP_MAX);
    w->v[w->count] = v;
    w->from[w->count++] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, w->done);
}

/* Goes on where lanes are this far apart; else leaves. */
static void want_apart(struct emit *e, const struct spacing *s, int64_t bytes)
{
    LLVMBasicBlockRef row = emit_new_block(e, "spaced");

    emit_branch(e, are_apart(e, s, bytes), row, e->f->blocks.parted,
                EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, row);
}

/* Component i: neighbours, or a few elements apart. The first component
 * tests. */
static LLVMValueRef load_one(struct emit *e, const struct access *a,
                             const struct spacing *s, LLVMValueRef apart,
                             unsigned i)
{
    LLVMTypeRef bits = a->of.size == 8 ? e->i64 : e->i32;
    LLVMTypeRef t = LLVMVectorType(a->element, e->lanes);
    struct ways w = {.done = emit_new_block(e, "loaded")};
    LLVMValueRef p = LLVMBuildIntToPtr(
        e->b, ir_add(e, s->first, ir_int(s->first, (int64_t)i * a->of.size)),
        e->ptr, "");
    LLVMValueRef ways =
        LLVMBuildSwitch(e->b, apart, e->f->blocks.parted, STEP_MAX);

    for (int step = 1; step <= STEP_MAX; step++) {
        LLVMBasicBlockRef way = emit_new_block(e, "spaced.few");
        int64_t bytes = step * (int64_t)a->of.size;
        LLVMAddCase(ways, ir_int(apart, bytes), way);
        LLVMPositionBuilderAtEnd(e->b, way);
        if (i == 0)
            want_apart(e, s, bytes);
        LLVMValueRef v =
            step == 1
                ? emit_access_load_at(e, a, t, p)
                : LLVMBuildBitCast(e->b, load_step(e, a, bits, p, step), t, "");
        end_way(e, &w, v);
    }
    LLVMPositionBuilderAtEnd(e->b, w.done);
    LLVMValueRef phi = LLVMBuildPhi(e->b, t, "");
    LLVMAddIncoming(phi, w.v, w.from, w.count);
    return phi;
}

/* Any distance up to a line. */
static void load_transposed(struct emit *e, const struct access *a,
                            const struct spacing *s, LLVMValueRef apart,
                            struct lanes *out)
{
    LLVMBasicBlockRef go_on = emit_new_block(e, "spaced");
    LLVMValueRef pointers[EMIT_MAX_LANES];
    LLVMValueRef is_near =
        ir_icmp(e, LLVMIntULE, apart, ir_int(apart, SIMT_NEAR_BYTES));
    LLVMValueRef is_equal = is_series(e, s->v, step_of(e, s), 0);

    is_equal = ir_and(e, with_no_wrap(e, s, is_equal), is_near);
    emit_branch(e, is_equal, go_on, e->f->blocks.parted, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, go_on);
    LLVMValueRef p = LLVMBuildIntToPtr(e->b, s->first, e->ptr, "");
    for (unsigned i = 0; i < e->lanes; i++)
        pointers[i] = ir_offset_by(e, p, ir_mul(e, apart, ir_int(apart, i)));
    emit_load_transposed(e, pointers, a->element, a->of.space, out->v);
}

void emit_load_spaced(struct emit *e, const struct access *a, struct lanes *out)
{
    struct spacing s = spacing_of(e, a->address);

    assert(e->f->blocks.parted && !e->f->at.mask);
    if (a->plan->is_indirect && a->of.count == 1) {
        /* What a loop has loaded determines the addresses: only neighbours
         * pay. */
        want_apart(e, &s, a->of.size);
        out->v[0] =
            emit_access_load_at(e, a, LLVMVectorType(a->element, e->lanes),
                                LLVMBuildIntToPtr(e->b, s.first, e->ptr, ""));
        return;
    }
    LLVMValueRef apart = ir_resize(e, step_of(e, &s), e->i64, true);
    apart = ir_mul(e, apart, ir_int(apart, s.scale));
    if (a->plan->is_transposed && a->of.size == 4) {
        load_transposed(e, a, &s, apart, out);
        return;
    }
    for (unsigned i = 0; i < a->of.count; i++)
        out->v[i] = load_one(e, a, &s, apart, i);
}
