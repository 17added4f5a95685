/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditional shapes: registers that are affine unless a sum has wrapped
 * around, which a flag `ok` tells at run time. What they hold when it is false
 * is needed in cold code only: rematerialised there, if the plan says so
 * (simt/plan/rematerialised.c), by emitting its definition again. Else the
 * register has a shadow, the exact vector, written at the definition; its
 * accesses are volatile so that LLVM keeps it out of the fast path.
 */
#include "emit/core/control.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/marks.h"

#include <stdio.h>

struct ok_search {
    struct emit *e;
    LLVMValueRef ok;
};

static void and_ok(void *data, uint32_t reg)
{
    struct ok_search *s = data;
    LLVMValueRef ok = emit_ok(s->e, reg);
    if (ok)
        s->ok = s->ok ? ir_and(s->e, s->ok, ok) : ok;
}

/* True if the way from the group's first to its last lane leaves the range of
 * the 32-bit (or narrower) type: the widened value is not affine then. */
static LLVMValueRef span_wraps(struct emit *e, LLVMValueRef base, int64_t span,
                               bool is_signed)
{
    assert(LLVMGetTypeKind(LLVMTypeOf(base)) == LLVMIntegerTypeKind);
    LLVMTypeRef t = LLVMTypeOf(base);
    const char *name = is_signed  ? "llvm.sadd.with.overflow"
                       : span < 0 ? "llvm.usub.with.overflow"
                                  : "llvm.uadd.with.overflow";
    LLVMValueRef n = ir_int(base, !is_signed && span < 0 ? -span : span);
    LLVMValueRef pair =
        ir_intrinsic(e, name, &t, 1, (LLVMValueRef[]){base, n}, 2);
    return LLVMBuildExtractValue(e->b, pair, 1, "");
}

/* For many groups: all bases are where no span leads out of the range, in the
 * lower half of unsigned numbers, or the middle half of signed ones. Other
 * bases are rare, and handled by cold code. When the operand is read for one
 * group later, its base is marked as tested. */
static LLVMValueRef is_far_from_wrapping(struct emit *e,
                                         const struct ptx_operand *o,
                                         enum ptx_type from, unsigned groups,
                                         unsigned lanes)
{
    struct emit_fn *f = e->f;
    LLVMValueRef args[1 + EMIT_MAX_LANES];
    char name[32];

    assert(groups <= EMIT_MAX_LANES);
    assert(groups * lanes == e->lanes * e->f->warps);
    args[0] = LLVMConstInt(e->i32, ++f->guard.count, 0);
    for (unsigned g = 0; g < groups; g++) {
        emit_select_lane(e, g * lanes);
        args[1 + g] = emit_read(e, o, from);
    }
    snprintf(name, sizeof name, EMIT_BASES_FORMAT,
             ptx_type_is_signed(from) ? 's' : 'u', groups);
    f->guard.tested = o;
    return emit_call_mark(e, name, e->i1, args, 1 + groups);
}

static LLVMValueRef wraps_nowhere(struct emit *e, const struct ptx_operand *o,
                                  enum ptx_type from, int64_t span,
                                  unsigned groups, unsigned lanes)
{
    enum { EACH_GROUPS = 2, ROOM = 1 << 30 };
    LLVMValueRef ok = NULL;

    assert(groups * lanes == e->lanes * e->f->warps);
    if (groups > EACH_GROUPS && ptx_type_size(from) == 4 &&
        !e->f->guard.tested && span >= 0 && span < ROOM)
        return is_far_from_wrapping(e, o, from, groups, lanes);
    for (unsigned g = 0; g < groups; g++) {
        emit_select_lane(e, g * lanes);
        LLVMValueRef base = emit_read(e, o, from);
        LLVMValueRef bad = span_wraps(e, base, span, ptx_type_is_signed(from));
        LLVMValueRef good = ir_not(e, bad);
        ok = ok ? ir_and(e, ok, good) : good;
    }
    return ok;
}

static LLVMValueRef check_wrap(struct emit *e, const struct ptx_inst *inst,
                               LLVMValueRef ok)
{
    bool is_cvt = inst->op == PTX_OP_cvt;
    enum ptx_type from = is_cvt ? inst->type[1] : inst->type[0];
    unsigned last =
        is_cvt ? 1 : 2; /* cvt d, a; mul.wide and mad.wide d, a, b */

    assert(inst->op == PTX_OP_cvt || inst->half == PTX_HALF_wide);
    for (unsigned i = 1; i <= last; i++) {
        const struct ptx_operand *o = &inst->operand[i];
        struct simt_shape s = emit_operand_shape(e, o);
        if (o->kind != PTX_OPERAND_reg || simt_is_varying(s) || s.stride == 0)
            continue;
        unsigned bits = 8 * ptx_type_size(from);
        int64_t stride =
            (int64_t)((uint64_t)s.stride << (64 - bits)) >> (64 - bits);
        unsigned groups = emit_coarse_group_count(e, s);
        unsigned lanes = e->lanes * e->f->warps / groups;
        int64_t span = stride * (lanes - 1);
        if (bits < 64 && (span >> (bits - 1)) != 0 &&
            (span >> (bits - 1)) != -1)
            return LLVMConstInt(e->i1, 0, 0);
        LLVMValueRef good = wraps_nowhere(e, o, from, span, groups, lanes);
        ok = ok ? ir_and(e, ok, good) : good;
    }
    emit_select_lane(e, 0);
    e->f->at.lane = EMIT_ALL_LANES;
    return ok;
}

/*
 * To be called before the scalars of `inst`'s conditional destination are
 * computed: does its shape hold? If not, computes the exact vector. Returns
 * the new flag; NULL: the destination's shape is not conditional.
 */
LLVMValueRef emit_begin_conditional(struct emit *e, const struct ptx_inst *inst,
                                    emit_op_fn *fn)
{
    struct emit_fn *f = e->f;
    const struct ptx_operand *d = &inst->operand[0];

    assert(!e->f->at.is_cold);
    assert(!e->f->guard.tested);
    if (d->kind != PTX_OPERAND_reg || !f->regs[d->reg].ok)
        return NULL;
    struct ok_search search = {.e = e};
    ptx_for_each_use(inst, and_ok, &search);
    LLVMValueRef ok = search.ok;
    if (f->k->inst_flags[f->at.index] & SIMT_CHECK_WRAP)
        ok = check_wrap(e, inst, ok);
    if (!ok)
        ok = LLVMConstInt(e->i1, 1, 0);
    if (f->at.when)
        ok = ir_select(e, f->at.when, ok, emit_ok(e, d->reg));
    if (emit_replays(e, d->reg) ||
        (LLVMIsAConstantInt(ok) && LLVMConstIntGetZExtValue(ok)))
        return ok;
    LLVMBasicBlockRef cold = emit_new_block(e, "wrap");
    LLVMBasicBlockRef done = emit_new_block(e, "wrap.done");
    const struct ptx_operand *tested = f->guard.tested;
    emit_branch(e, ok, done, cold, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, cold);
    f->at.is_cold = true;
    f->guard.tested = NULL;
    emit_each_warp(e, inst, fn);
    f->at.is_cold = false;
    f->guard.tested = tested;
    emit_goto_new(e, done);
    return ok;
}

/* To be called after the scalars. `ok`: from emit_begin_conditional. */
void emit_end_conditional(struct emit *e, const struct ptx_inst *inst,
                          LLVMValueRef ok)
{
    assert(!ok || LLVMTypeOf(ok) == e->i1);
    e->f->guard.tested = NULL;
    if (ok)
        ir_store(e, ok, e->f->regs[inst->operand[0].reg].ok, 0);
}
