/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads of lanes in lockstep at addresses of which only run time knows more:
 * simt/plan/lockstep.c. If they are at equal distances, a few elements apart,
 * they are vectors of which every second, third ... element counts; if not, the
 * function is left.
 */
#include "emit/core/address.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/ways.h"

enum {
    STEP_MAX = 5,    /* elements from lane to lane, as vectors and shuffles */
    NEAR_BYTES = 64, /* from lane to lane: no line lies between */
    PART_BYTES = 64,
    PART_MAX = 16, /* elements of a part */
};

/* Where lane 0 reads, and how far on the next one does; i64. */
struct spacing {
    LLVMValueRef first, step, is_equal;
};

/* first + step * lane in all lanes. */
static LLVMValueRef is_series(struct emit *e, LLVMValueRef v,
                              LLVMValueRef first, LLVMValueRef step)
{
    LLVMValueRef lanes[EMIT_MAX_LANES], want;

    for (unsigned i = 0; i < e->lanes; i++)
        lanes[i] = ir_int(first, i);
    want = ir_mul(e, ir_splat(e, step, e->lanes),
                  LLVMConstVector(lanes, e->lanes));
    want = ir_add(e, want, ir_splat(e, first, e->lanes));
    return emit_all(e, ir_icmp(e, LLVMIntEQ, v, want));
}

/* As an index of 32 bits the last lane's may have wrapped. */
static LLVMValueRef does_not_wrap(struct emit *e, LLVMValueRef first,
                                  bool is_signed)
{
    const int64_t span = (int64_t)NEAR_BYTES * EMIT_MAX_LANES;

    return is_signed
               ? ir_icmp(e, LLVMIntSLT, first, ir_int(first, INT32_MAX - span))
               : ir_icmp(e, LLVMIntULT, first,
                         ir_int(first, (int64_t)UINT32_MAX - span));
}

static struct spacing spacing_of(struct emit *e, const struct ptx_operand *o)
{
    struct emit_base_index p = emit_base_index_of(e, o);
    struct spacing s;

    if (!p.index || !p.base || p.scale <= 0) {
        LLVMValueRef v = ir_as_int(e, emit_read_reg(e, o->reg));
        v = ir_resize(e, v, e->i64, false);
        s.first = ir_extract(e, v, 0);
        s.step = ir_sub(e, ir_extract(e, v, 1), s.first);
        s.is_equal = is_series(e, v, s.first, s.step);
    } else {
        LLVMValueRef first = ir_extract(e, p.index, 0);
        LLVMValueRef step = ir_sub(e, ir_extract(e, p.index, 1), first);
        s.is_equal = is_series(e, p.index, first, step);
        if (ir_bits(first) == 32)
            s.is_equal =
                ir_and(e, s.is_equal, does_not_wrap(e, first, p.is_signed));
        s.first = ir_resize(e, first, e->i64, p.is_signed);
        s.first = ir_mul(e, s.first, ir_int(s.first, p.scale));
        s.first =
            ir_add(e, ir_add(e, s.first, p.base), ir_int(s.first, p.offset));
        s.step = ir_resize(e, step, e->i64, true);
        s.step = ir_mul(e, s.step, ir_int(s.step, p.scale));
    }
    s.first = ir_add(e, s.first, ir_int(s.first, o->imm));
    return s;
}

/* ---- every so many elements -----------------------------------------------
 */

/* Elements [0, lanes) * step from p on, of a part of the lanes; nothing behind
 * the last one is touched. */
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

/* ---- all lanes ------------------------------------------------------------
 */

/* The vectors of one way each, and where they come from. */
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

/* Component i: neighbours, or a few elements apart. */
static LLVMValueRef load_one(struct emit *e, const struct access *a,
                             const struct spacing *s, unsigned i)
{
    LLVMTypeRef bits = a->of.size == 8 ? e->i64 : e->i32;
    LLVMTypeRef t = LLVMVectorType(a->element, e->lanes);
    struct ways w = {.done = emit_new_block(e, "loaded")};
    LLVMValueRef p = LLVMBuildIntToPtr(
        e->b, ir_add(e, s->first, ir_int(s->first, (int64_t)i * a->of.size)),
        e->ptr, "");
    LLVMValueRef ways =
        LLVMBuildSwitch(e->b, s->step, e->f->blocks.parted, STEP_MAX);

    for (int step = 1; step <= STEP_MAX; step++) {
        LLVMBasicBlockRef way = emit_new_block(e, "spaced.few");
        LLVMAddCase(ways, ir_int(s->step, step * (int64_t)a->of.size), way);
        LLVMPositionBuilderAtEnd(e->b, way);
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

static void load_transposed(struct emit *e, const struct access *a,
                            const struct spacing *s, struct lanes *out)
{
    LLVMValueRef p = LLVMBuildIntToPtr(e->b, s->first, e->ptr, "");
    LLVMValueRef pointers[EMIT_MAX_LANES];

    for (unsigned i = 0; i < e->lanes; i++)
        pointers[i] =
            ir_offset_by(e, p, ir_mul(e, s->step, ir_int(s->step, i)));
    emit_load_transposed(e, pointers, a->element, a->of.space, out->v);
}

/* What a loop has loaded says where: neighbours, or nothing is gained. */
static void load_indirect(struct emit *e, const struct access *a,
                          struct lanes *out)
{
    struct spacing s = spacing_of(e, a->address);
    LLVMBasicBlockRef row = emit_new_block(e, "row");
    LLVMTypeRef t = LLVMVectorType(a->element, e->lanes);
    LLVMValueRef is_next =
        ir_icmp(e, LLVMIntEQ, s.step, ir_int(s.step, a->of.size));

    emit_branch(e, ir_and(e, s.is_equal, is_next), row, e->f->blocks.parted,
                EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, row);
    out->v[0] = emit_access_load_at(
        e, a, t, LLVMBuildIntToPtr(e->b, s.first, e->ptr, ""));
}

void emit_load_spaced(struct emit *e, const struct access *a, struct lanes *out)
{
    assert(e->f->blocks.parted && !e->f->at.mask);
    if (a->plan->is_indirect && a->of.count == 1) {
        load_indirect(e, a, out);
        return;
    }
    struct spacing s = spacing_of(e, a->address);
    LLVMBasicBlockRef go_on = emit_new_block(e, "spaced");
    LLVMValueRef is_near =
        ir_icmp(e, LLVMIntULE, s.step, ir_int(s.step, NEAR_BYTES));
    emit_branch(e, ir_and(e, s.is_equal, is_near), go_on, e->f->blocks.parted,
                EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, go_on);
    if (a->plan->is_transposed && a->of.size == 4) {
        load_transposed(e, a, &s, out);
        return;
    }
    for (unsigned i = 0; i < a->of.count; i++)
        out->v[i] = load_one(e, a, &s, i);
}
