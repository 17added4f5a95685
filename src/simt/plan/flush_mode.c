/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels in which the machine flushes subnormals. A processor then does so
 * for all its floating-point instructions, as .ftz says: subnormal operands
 * are zeros, and so are results that would be subnormal after rounding to as
 * many bits as normal numbers have. With instructions it costs some ten more
 * for each product.
 *
 * Only for kernels that cannot tell the difference: all arithmetic on singles
 * is .ftz and rounds to nearest, and there is none on halves and doubles, nor
 * matrices. What compiled code calls runs in the usual mode (exec's flush.c).
 *
 * LLVM may replace a product or a sum by its operand (x * 1, x - 0), which
 * would not be flushed; so operands beside constants are flushed by
 * instructions.
 */
#include "simt/plan/internal.h"

enum verdict { HARMLESS, FLUSHES, SPOILS };

static bool is_float_but_single(enum ptx_type t)
{
    return ptx_type_is_float(t) && t != PTX_TYPE_f32;
}

static enum verdict of_arithmetic(const struct ptx_inst *inst)
{
    if (!ptx_type_is_float(inst->type[0]))
        return HARMLESS;
    if (inst->type[0] != PTX_TYPE_f32 || !(inst->flags & PTX_FLAG_ftz) ||
        ptx_is_directed(inst->rnd))
        return SPOILS;
    return FLUSHES;
}

static bool rounds_away_from_zero(enum ptx_rnd rnd)
{
    return rnd == PTX_RND_rmi || rnd == PTX_RND_rpi || rnd == PTX_RND_rm ||
           rnd == PTX_RND_rp;
}

static enum verdict of_cvt(const struct simt_machine *m,
                           const struct ptx_inst *inst)
{
    enum ptx_type to = inst->type[0], from = inst->type[1];
    bool is_ftz = inst->flags & PTX_FLAG_ftz;
    bool is_to_float = ptx_type_is_float(to);

    if (!ptx_type_is_float(from) && !is_to_float)
        return HARMLESS;
    if (!ptx_type_is_float(from))
        return to == PTX_TYPE_f32 && !ptx_is_directed(inst->rnd) ? HARMLESS
                                                                 : SPOILS;
    if (from == PTX_TYPE_f16)
        return to == PTX_TYPE_f32 && m->has_f16c ? HARMLESS : SPOILS;
    if (from != PTX_TYPE_f32)
        return SPOILS;
    if (!is_to_float)
        return is_ftz || !rounds_away_from_zero(inst->rnd) ? HARMLESS : SPOILS;
    if (to == PTX_TYPE_f16)
        return m->has_f16c && inst->rnd == PTX_RND_rn ? HARMLESS : SPOILS;
    bool is_copy = inst->rnd == PTX_RND_none && !(inst->flags & PTX_FLAG_sat);
    if (to == PTX_TYPE_f32)
        return is_ftz || is_copy ? HARMLESS : SPOILS;
    return to == PTX_TYPE_f64 && is_ftz ? HARMLESS : SPOILS;
}

static enum verdict of_atomic(const struct ptx_inst *inst)
{
    bool is_moved = inst->sub == PTX_SUB_exch || inst->sub == PTX_SUB_cas;

    if (inst->flags & PTX_FLAG_reduce)
        return SPOILS;
    if (!ptx_type_is_float(inst->type[0]) || is_moved)
        return HARMLESS;
    return inst->type[0] == PTX_TYPE_f32 && inst->sub == PTX_SUB_add &&
                   inst->space == PTX_SPACE_global
               ? HARMLESS
               : SPOILS;
}

static enum verdict of_comparison(const struct ptx_inst *inst)
{
    for (unsigned i = 0; i < inst->type_count; i++)
        if (is_float_but_single(inst->type[i]) ||
            (inst->type[i] == PTX_TYPE_f32 && !(inst->flags & PTX_FLAG_ftz)))
            return SPOILS;
    return HARMLESS;
}

static enum verdict verdict_of(const struct simt_machine *m,
                               const struct ptx_inst *inst)
{
    switch (ptx_facts[inst->op].ftz) {
    case PTX_FTZ_ROUNDS:
        return of_arithmetic(inst);
    case PTX_FTZ_FLUSHES:
        return of_arithmetic(inst) == SPOILS ? SPOILS : HARMLESS;
    case PTX_FTZ_COMPARES:
        return of_comparison(inst);
    case PTX_FTZ_CONVERTS:
        return of_cvt(m, inst);
    case PTX_FTZ_ADDS:
        return of_atomic(inst);
    case PTX_FTZ_BITS:
        return HARMLESS;
    default:
        return SPOILS;
    }
}

/* What a function's instructions have in common; notes the one that rules the
 * mode out. */
static enum verdict verdict_of_all(struct simt_plan *p,
                                   const struct ptx_func *f)
{
    enum verdict all = HARMLESS;

    for (size_t i = 0; i < f->inst_count && all != SPOILS; i++) {
        enum verdict v = verdict_of(p->machine, &f->insts[i]);
        all = v == HARMLESS ? all : v;
        if (v == SPOILS)
            p->flush_spoiled_by = &f->insts[i];
    }
    return all;
}

/* The same for the kernel and all functions that it may call. */
static enum verdict verdict_of_kernel(struct simt_plan *p)
{
    const struct simt_kernel *k = p->k;
    enum verdict all = verdict_of_all(p, k->func);

    for (size_t i = 0; k->has_calls && i < k->module->func_count; i++) {
        const struct ptx_func *f = k->module->funcs[i];
        if (all == SPOILS)
            return SPOILS;
        enum verdict v =
            f->is_entry || f->is_declaration ? HARMLESS : verdict_of_all(p, f);
        all = v == HARMLESS ? all : v;
    }
    return all;
}

/* Is there arithmetic with .ftz? */
static bool has_ftz(const struct ptx_func *f)
{
    for (size_t i = 0; i < f->inst_count; i++)
        if (f->insts[i].flags & PTX_FLAG_ftz)
            return true;
    return false;
}

void plan_flushing(struct simt_plan *p)
{
    assert(!p->flushes);
    if (!p->k->func->is_entry || !p->machine->is_x86)
        return;
    enum verdict all = verdict_of_kernel(p);
    p->flushes = all == FLUSHES;
    if (p->flushes || has_ftz(p->k->func))
        plan_note(p,
                  (struct simt_note){
                      .of = SIMT_OF_KERNEL,
                      .decision = SIMT_DECIDED_FLUSHES,
                      .reason = all == SPOILS    ? SIMT_REASON_NOT_FTZ
                                : all == FLUSHES ? SIMT_TAKEN
                                                 : SIMT_REASON_NOT_WORTH_IT,
                      .number = all == SPOILS ? p->flush_spoiled_by->line : 0});
}
