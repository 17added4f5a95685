/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels in which the machine flushes subnormals. A processor does that for
 * all its floating point instructions, as .ftz says: operands that are
 * subnormal are zeros, and so are results that would be, as seen after
 * rounding to as many bits as normal numbers have. By instructions it costs
 * some ten more for each product.
 *
 * Only kernels in which nobody can tell: all arithmetic on singles is .ftz and
 * rounds to nearest, and there is none on halves and doubles, nor matrices.
 * What compiled code calls runs in the usual mode (exec/flush.c).
 *
 * Where LLVM may take a product or a sum for its operand (x * 1, x - 0) that
 * would not be flushed; so operands beside constants are flushed as elsewhere.
 */
#include "emit/internal.h"

/* FTZ, DAZ, and all exceptions masked. */
enum { FLUSHING_MXCSR = 0x9fc0, USUAL_MXCSR = 0x1f80 };

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
        emit_is_directed(inst->rnd))
        return SPOILS;
    return FLUSHES;
}

static bool rounds_away_from_zero(enum ptx_rnd rnd)
{
    return rnd == PTX_RND_rmi || rnd == PTX_RND_rpi || rnd == PTX_RND_rm ||
           rnd == PTX_RND_rp;
}

static enum verdict of_cvt(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type to = inst->type[0], from = inst->type[1];
    bool is_ftz = inst->flags & PTX_FLAG_ftz;
    bool is_to_float = ptx_type_is_float(to);

    if (!ptx_type_is_float(from) && !is_to_float)
        return HARMLESS;
    if (!ptx_type_is_float(from))
        return to == PTX_TYPE_f32 && !emit_is_directed(inst->rnd) ? HARMLESS
                                                                  : SPOILS;
    if (from == PTX_TYPE_f16)
        return to == PTX_TYPE_f32 && e->target->has_f16c ? HARMLESS : SPOILS;
    if (from != PTX_TYPE_f32)
        return SPOILS;
    if (!is_to_float)
        return is_ftz || !rounds_away_from_zero(inst->rnd) ? HARMLESS : SPOILS;
    if (to == PTX_TYPE_f16)
        return e->target->has_f16c && inst->rnd == PTX_RND_rn ? HARMLESS
                                                              : SPOILS;
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

static enum verdict verdict_of(struct emit *e, const struct ptx_inst *inst)
{
    switch (ptx_facts[inst->op].ftz) {
    case PTX_FTZ_ROUNDS:
        return of_arithmetic(inst);
    case PTX_FTZ_FLUSHES:
        return of_arithmetic(inst) == SPOILS ? SPOILS : HARMLESS;
    case PTX_FTZ_COMPARES:
        return of_comparison(inst);
    case PTX_FTZ_CONVERTS:
        return of_cvt(e, inst);
    case PTX_FTZ_ADDS:
        return of_atomic(inst);
    case PTX_FTZ_BITS:
        return HARMLESS;
    default:
        return SPOILS;
    }
}

static enum verdict verdict_of_all(struct emit *e, const struct ptx_func *f)
{
    enum verdict all = HARMLESS;

    for (size_t i = 0; i < f->inst_count && all != SPOILS; i++) {
        enum verdict v = verdict_of(e, &f->insts[i]);
        all = v == HARMLESS ? all : v;
    }
    return all;
}

bool emit_may_flush(struct emit *e, const struct simt_kernel *k)
{
    enum verdict all = verdict_of_all(e, k->func);

    if (!e->target->is_x86 || all == SPOILS)
        return false;
    for (size_t i = 0; k->has_calls && i < e->ptx->func_count; i++) {
        const struct ptx_func *f = e->ptx->funcs[i];
        enum verdict v =
            f->is_entry || f->is_declaration ? HARMLESS : verdict_of_all(e, f);
        if (v == SPOILS)
            return false;
        all = v == HARMLESS ? all : v;
    }
    return all == FLUSHES;
}

/* ---- constants --------------------------------------------------------- */

static void note_def(void *data, uint32_t reg)
{
    bool *has_def = data;
    has_def[reg] = true;
}

/* By register: something writes it that is no constant. */
static const bool *find_variables(struct emit *e)
{
    const struct ptx_func *f = e->f->k->func;
    bool *is_variable = arena_array(e->arena, bool, f->reg_count + 1);

    for (size_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *inst = &f->insts[i];
        if (inst->op != PTX_OP_mov || inst->operand[1].kind != PTX_OPERAND_imm)
            ptx_for_each_def(inst, note_def, is_variable);
    }
    return is_variable;
}

bool emit_has_constant(struct emit *e, const struct ptx_inst *inst)
{
    if (!e->f->is_variable)
        e->f->is_variable = find_variables(e);
    for (unsigned i = 1; i < inst->operand_count; i++) {
        const struct ptx_operand *o = &inst->operand[i];
        if (o->kind == PTX_OPERAND_imm ||
            (o->kind == PTX_OPERAND_reg && !e->f->is_variable[o->reg]))
            return true;
    }
    return false;
}

/* ---- the entry --------------------------------------------------------- */

static void set_mode(struct emit *e, unsigned mxcsr)
{
    LLVMValueRef place = LLVMBuildAlloca(e->b, e->i32, "");

    ir_store(e, LLVMConstInt(e->i32, mxcsr, 0), place, 4);
    ir_intrinsic(e, "llvm.x86.sse.ldmxcsr", NULL, 0, &place, 1);
}

void emit_flushing_entry(struct emit *e, LLVMValueRef body)
{
    LLVMTypeRef type = LLVMFunctionType(e->voidt, &e->ptr, 1, 0);
    LLVMValueRef fn = LLVMAddFunction(e->module, WEFT_ENTRY_NAME, type);
    LLVMValueRef warp = LLVMGetParam(fn, 0);
    unsigned noinline = LLVMGetEnumAttributeKindForName("noinline", 8);

    LLVMSetLinkage(body, LLVMInternalLinkage);
    LLVMAddAttributeAtIndex(body,
                            (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->cx, noinline, 0));
    emit_attributes_of_all(e, fn);
    LLVMPositionBuilderAtEnd(e->b,
                             LLVMAppendBasicBlockInContext(e->cx, fn, ""));
    set_mode(e, FLUSHING_MXCSR);
    LLVMBuildCall2(e->b, type, body, &warp, 1, "");
    set_mode(e, USUAL_MXCSR);
    LLVMBuildRetVoid(e->b);
}
