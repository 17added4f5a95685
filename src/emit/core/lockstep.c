/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels whose threads run one after the other, or 32 together while they
 * keep in step: simt/plan/lockstep.c. A failed attempt costs what was done so
 * far, so the next one has to wait, twice as long each time. The kernel
 * remembers that from call to call.
 */
#include "emit/core/control.h"
#include "emit/core/hooks.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"

enum { PENALTY_BITS = 6, PENALTY_MAX = (1 << PENALTY_BITS) - 1 }; /* warps */

/* Sets the emitter to another number of lanes. */
static void set_lanes(struct emit *e, const struct simt_spec *spec)
{
    e->spec = *spec;
    e->lanes = spec->lane_count;
    e->mask_type = LLVMVectorType(e->i1, e->lanes);
}

static LLVMValueRef add_function(struct emit *e, const char *name,
                                 LLVMTypeRef type)
{
    LLVMValueRef fn = LLVMAddFunction(e->module, name, type);

    LLVMSetLinkage(fn, LLVMInternalLinkage);
    emit_attributes(e, fn);
    emit_add_attribute(e, fn, LLVMAttributeFunctionIndex, "noinline", 0);
    return fn;
}

/* (warp, ctaid.x, .y, .z, warp's number): runs 32 threads. Returns false if
 * they did not keep in step; then nothing was done that anyone could see. */
static LLVMValueRef make_together(struct emit *e, const struct simt_plan *plan)
{
    LLVMTypeRef params[] = {e->ptr, e->i32, e->i32, e->i32, e->i32};
    LLVMTypeRef type = LLVMFunctionType(e->i1, params, 5, 0);
    LLVMValueRef value = add_function(e, "weft.lockstep", type);
    struct simt_spec spec = e->spec;

    assert(e->lanes == 1 && plan->k->spec.in_lockstep);
    set_lanes(e, &plan->k->spec);
    emit_begin_function(e, plan, value);
    struct emit_fn *f = e->f;
    for (unsigned d = 0; d < 3; d++)
        f->env.ctaid[d] = LLVMGetParam(value, 1 + d);
    f->env.coarse_index = LLVMGetParam(value, 4);
    f->blocks.prologue = LLVMGetInsertBlock(e->b);
    f->blocks.exit = emit_new_block(e, "all.ran");
    f->blocks.parted = emit_new_block(e, "parted");
    emit_body(e);
    LLVMPositionBuilderAtEnd(e->b, f->blocks.exit);
    LLVMBuildRet(e->b, LLVMConstInt(e->i1, 1, 0));
    LLVMPositionBuilderAtEnd(e->b, f->blocks.parted);
    LLVMBuildRet(e->b, LLVMConstInt(e->i1, 0, 0));
    emit_end_function(e);
    set_lanes(e, &spec);
    return value;
}

static LLVMValueRef make_var(struct emit *e, LLVMValueRef first,
                             const char *name)
{
    LLVMValueRef var = emit_alloca(e, e->i32, 0, name);

    ir_store(e, first, var, 0);
    return var;
}

/* (warp, ctaid.x, .y, .z, first, end, block): runs these threads one by one. A
 * function of its own, so that its loop has all registers. */
static LLVMValueRef make_alone(struct emit *e, const struct simt_plan *plan)
{
    LLVMTypeRef params[] = {e->ptr, e->i32, e->i32, e->i32,
                            e->i32, e->i32, e->i64};
    LLVMTypeRef type = LLVMFunctionType(e->voidt, params, 7, 0);
    LLVMValueRef value = add_function(e, "weft.alone", type);

    emit_begin_function(e, plan, value);
    struct emit_fn *f = e->f;
    LLVMValueRef var = make_var(e, LLVMGetParam(value, 4), "thread");
    LLVMBasicBlockRef head = emit_new_block(e, "threads");
    LLVMBasicBlockRef done = emit_new_block(e, "threads.done");
    f->blocks.prologue = emit_new_block(e, "thread");
    f->blocks.exit = emit_new_block(e, "thread.next");
    emit_goto_new(e, head);
    LLVMValueRef index = ir_load(e, e->i32, var, 0);
    LLVMValueRef more = ir_icmp(e, LLVMIntULT, index, LLVMGetParam(value, 5));
    LLVMBuildCondBr(e->b, more, f->blocks.prologue, done);
    LLVMPositionBuilderAtEnd(e->b, f->blocks.prologue);
    for (unsigned d = 0; d < 3; d++)
        f->env.ctaid[d] = LLVMGetParam(value, 1 + d);
    f->env.coarse_index = emit_coarse_index(e, index);
    emit_note_position(e, LLVMGetParam(value, 6), f->env.coarse_index);
    emit_body(e);
    LLVMPositionBuilderAtEnd(e->b, f->blocks.exit);
    emit_run_hooks(e, EMIT_AT_end_warp);
    ir_store(e, ir_add(e, index, ir_int(index, 1)), var, 0);
    LLVMBuildBr(e->b, head);
    LLVMPositionBuilderAtEnd(e->b, done);
    LLVMBuildRetVoid(e->b);
    emit_end_function(e);
    return value;
}

void emit_lockstep_functions(struct emit *e, const struct simt_plan *plan,
                             struct emit_lockstep *l)
{
    l->together = make_together(e, plan->lockstep);
    l->alone = make_alone(e, plan);
}

/* ---- how long to wait ---------------------------------------------------- */

static LLVMValueRef habit_pointer(struct emit *e)
{
    return emit_launch_field(e, offsetof(struct exec_launch, habit), e->ptr);
}

static LLVMValueRef access_habit(LLVMValueRef access)
{
    LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(access, 4);
    return access;
}

/* The habit word: the penalty, and above it what is left to wait. */
void emit_begin_lockstep(struct emit *e, struct emit_lockstep *l)
{
    LLVMBasicBlockRef known = emit_new_block(e, "habit");
    LLVMBasicBlockRef begin = emit_new_block(e, "no.habit");
    LLVMValueRef none = LLVMConstInt(e->i32, 0, 0), p = habit_pointer(e);

    l->penalty_var = make_var(e, none, "penalty");
    l->wait_var = make_var(e, none, "wait");
    LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, p, ""), begin, known);
    LLVMPositionBuilderAtEnd(e->b, known);
    LLVMValueRef v = access_habit(ir_load(e, e->i32, p, 4));
    ir_store(e, ir_and(e, v, ir_int(v, PENALTY_MAX)), l->penalty_var, 0);
    ir_store(e, ir_lshr(e, v, ir_int(v, PENALTY_BITS)), l->wait_var, 0);
    emit_goto_new(e, begin);
}

/* Stored only if it has changed, as SMs share the line. */
void emit_end_lockstep(struct emit *e, const struct emit_lockstep *l)
{
    LLVMBasicBlockRef known = emit_new_block(e, "habit");
    LLVMBasicBlockRef changed = emit_new_block(e, "new.habit");
    LLVMBasicBlockRef end = emit_new_block(e, "no.habit");
    LLVMValueRef p = habit_pointer(e);

    LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, p, ""), end, known);
    LLVMPositionBuilderAtEnd(e->b, known);
    LLVMValueRef now = ir_load(e, e->i32, l->wait_var, 0);
    now = ir_shl(e, now, ir_int(now, PENALTY_BITS));
    now = ir_or(e, now, ir_load(e, e->i32, l->penalty_var, 0));
    LLVMValueRef old = access_habit(ir_load(e, e->i32, p, 4));
    LLVMBuildCondBr(e->b, ir_icmp(e, LLVMIntEQ, now, old), end, changed);
    LLVMPositionBuilderAtEnd(e->b, changed);
    access_habit(ir_store(e, now, p, 4));
    emit_goto_new(e, end);
}

/* After a failed attempt: threads until the next one, these included. */
static void wait_longer(struct emit *e, const struct emit_lockstep *l)
{
    LLVMValueRef penalty = ir_load(e, e->i32, l->penalty_var, 0);

    penalty = ir_shl(e, penalty, ir_int(penalty, 1));
    penalty = ir_or(e, penalty, ir_int(penalty, 1));
    penalty = ir_and(e, penalty, ir_int(penalty, PENALTY_MAX));
    ir_store(e, penalty, l->penalty_var, 0);
    penalty = ir_add(e, penalty, ir_int(penalty, 1));
    ir_store(e, ir_mul(e, penalty, ir_int(penalty, SIMT_LANES)), l->wait_var,
             0);
}

/* The end of the threads, from `index` on, that run one by one while
 * waiting. */
static LLVMValueRef end_of_wait(struct emit *e, const struct emit_lockstep *l,
                                LLVMValueRef index, LLVMValueRef end)
{
    LLVMValueRef wait = ir_load(e, e->i32, l->wait_var, 0);
    LLVMValueRef there = ir_sub(e, end, index);
    LLVMValueRef to = ir_add(e, index, wait);

    to = ir_or(e, to, ir_int(to, SIMT_LANES - 1));
    to = ir_binary(e, "llvm.umin", ir_add(e, to, ir_int(to, 1)), end);
    there = ir_binary(e, "llvm.umin", wait, there);
    ir_store(e, ir_sub(e, wait, there), l->wait_var, 0);
    return to;
}

/* Is it a warp's first thread, are all its others there, and is the wait
 * over? */
static LLVMValueRef may_attempt(struct emit *e, const struct emit_lockstep *l,
                                LLVMValueRef index, LLVMValueRef end)
{
    LLVMValueRef lane = ir_and(e, index, ir_int(index, SIMT_LANES - 1));
    LLVMValueRef last = ir_add(e, index, ir_int(index, SIMT_LANES));
    LLVMValueRef late = ir_or(e, lane, ir_load(e, e->i32, l->wait_var, 0));
    LLVMValueRef is_time = ir_icmp(e, LLVMIntEQ, late, ir_int(late, 0));

    return ir_and(e, is_time, ir_icmp(e, LLVMIntULE, last, end));
}

LLVMValueRef emit_try_lockstep(struct emit *e, const struct emit_lockstep *l,
                               LLVMValueRef block, LLVMValueRef index,
                               LLVMValueRef end, LLVMBasicBlockRef ran)
{
    LLVMBasicBlockRef attempt = emit_new_block(e, "attempt");
    LLVMBasicBlockRef did = emit_new_block(e, "did");
    LLVMBasicBlockRef parted = emit_new_block(e, "parted");
    LLVMBasicBlockRef alone = emit_new_block(e, "alone");
    const struct emit_env *env = &e->f->env;

    LLVMBuildCondBr(e->b, may_attempt(e, l, index, end), attempt, alone);
    LLVMPositionBuilderAtEnd(e->b, attempt);
    emit_note_position(e, block,
                       ir_or(e, index, ir_int(index, WEFT_IN_LOCKSTEP)));
    LLVMValueRef args[] = {env->warp,
                           env->ctaid[0],
                           env->ctaid[1],
                           env->ctaid[2],
                           ir_lshr(e, index, ir_int(index, 5)),
                           NULL,
                           block};
    LLVMValueRef ok = LLVMBuildCall2(e->b, LLVMGlobalGetValueType(l->together),
                                     l->together, args, 5, "");
    LLVMBuildCondBr(e->b, ok, did, parted);
    LLVMPositionBuilderAtEnd(e->b, did);
    ir_store(e, LLVMConstInt(e->i32, 0, 0), l->penalty_var, 0);
    LLVMBuildBr(e->b, ran);
    LLVMPositionBuilderAtEnd(e->b, parted);
    wait_longer(e, l);
    emit_goto_new(e, alone);
    args[4] = index;
    args[5] = end_of_wait(e, l, index, end);
    LLVMBuildCall2(e->b, LLVMGlobalGetValueType(l->alone), l->alone, args, 7,
                   "");
    return args[5];
}
