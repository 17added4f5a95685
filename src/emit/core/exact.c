/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exact vector of a conditionally affine register, for code where its flag
 * is false (see overflow.c): computed again by the emitter of its definition,
 * or read from its shadow.
 */
#include "emit/core/emitters.h"
#include "emit/core/values.h"
#include "emit/marks.h"

bool emit_replays(struct emit *e, uint32_t reg)
{
    assert(emit_has_reg(e, reg));
    return e->f->plan->regs[reg].remade_by != 0;
}

const struct ptx_inst *emit_replayed(struct emit *e, uint32_t reg)
{
    assert(emit_replays(e, reg));
    return &e->f->k->func->insts[e->f->plan->regs[reg].remade_by - 1];
}

static LLVMValueRef replay_register(struct emit *e, uint32_t reg)
{
    struct emit_fn *f = e->f;
    struct emit_cursor saved = f->at;
    uint32_t replaying = f->guard.replaying;
    LLVMValueRef outer = f->guard.replayed;

    assert(emit_emitters[emit_replayed(e, reg)->op].how == EMIT_LANES);
    f->at.index = f->plan->regs[reg].remade_by - 1;
    f->at.inst = &f->k->func->insts[f->at.index];
    f->at.lane = EMIT_ALL_LANES;
    f->at.blend = f->at.when = NULL;
    f->at.is_cold = true;
    f->guard.replaying = reg + 1;
    emit_emitters[f->at.inst->op].fn(e, f->at.inst);
    LLVMValueRef v = f->guard.replayed;
    f->at = saved;
    f->guard.replaying = replaying;
    f->guard.replayed = outer;
    return v;
}

/* For the current warp, where the register's flag is false. */
LLVMValueRef emit_exact(struct emit *e, uint32_t reg)
{
    struct emit_reg *r = &e->f->regs[reg];

    assert(e->f->regs[reg].ok);
    assert(e->f->at.warp < e->f->warps);
    if (emit_replays(e, reg))
        return replay_register(e, reg);
    LLVMTypeRef t = LLVMVectorType(r->type, e->lanes);
    LLVMValueRef v = ir_load(e, t, r->shadow[e->f->at.warp], 64);
    LLVMSetVolatile(v, 1);
    return v;
}

/* Calls a function that codegen/affine_addresses.c replaces by code. */
LLVMValueRef emit_call_mark(struct emit *e, const char *name,
                            LLVMTypeRef result, LLVMValueRef *args,
                            unsigned count)
{
    /* Each with the value 0; memory: accesses none. */
    static const char *const facts[] = {"memory", "nounwind", "willreturn",
                                        "nofree", "speculatable"};
    LLVMTypeRef params[1 + EMIT_MAX_LANES];
    LLVMValueRef fn = LLVMGetNamedFunction(e->module, name);

    assert(count <= ARRAY_COUNT(params));
    for (unsigned i = 0; i < count; i++)
        params[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, params, count, 0);
    if (!fn) {
        fn = LLVMAddFunction(e->module, name, type);
        for (size_t i = 0; i < ARRAY_COUNT(facts); i++)
            LLVMAddAttributeAtIndex(
                fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                LLVMCreateEnumAttribute(
                    e->cx,
                    LLVMGetEnumAttributeKindForName(facts[i], strlen(facts[i])),
                    0));
    }
    return LLVMBuildCall2(e->b, type, fn, args, count, "");
}

LLVMValueRef emit_tested_base(struct emit *e, LLVMValueRef base)
{
    assert(e->f->guard.count > 0);
    LLVMValueRef args[] = {LLVMConstInt(e->i32, e->f->guard.count, 0), base};
    return emit_call_mark(e, EMIT_BASE_NAME, LLVMTypeOf(base), args, 2);
}

LLVMValueRef emit_ok(struct emit *e, uint32_t reg)
{
    assert(emit_has_reg(e, reg));
    struct emit_reg *r = &e->f->regs[reg];
    return r->ok ? ir_load(e, e->i1, r->ok, 0) : NULL;
}
