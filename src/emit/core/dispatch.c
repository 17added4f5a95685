/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions: each goes to its emitter, as often as its destinations and the
 * coarse warp ask for.
 */
#include "emit/core/address.h"
#include "emit/core/control.h"
#include "emit/core/emitters.h"
#include "emit/core/hooks.h"
#include "emit/core/launch.h"
#include "emit/core/lines.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"

static void for_all_lanes(struct emit *e, const struct ptx_inst *inst)
{
    struct emit_base_index parts = emit_make_base_index(e);

    assert(emit_emitters[inst->op].how == EMIT_LANES);
    emit_emitters[inst->op].fn(e, inst);
    if (parts.index)
        e->f->regs[inst->operand[0].reg].parts[e->f->at.warp] = parts;
}

/* Emits each lane by itself: vectors of all lanes, and a scalar for each
 * group. */
static void emit_lanes(struct emit *e, const struct ptx_inst *inst,
                       emit_op_fn *fn)
{
    struct emit_fn *f = e->f;
    uint64_t groups;
    bool has_varying;

    assert(e->f->at.lane == EMIT_ALL_LANES);
    f->at.when = emit_uniform_guard(e, inst);
    emit_dest_shapes(e, inst, &groups, &has_varying);
    LLVMValueRef ok = emit_begin_conditional(e, inst, fn);
    if (has_varying)
        emit_each_warp(e, inst, for_all_lanes);
    for (unsigned group = 1; group <= SIMT_ALL_LANES; group *= 2) {
        if (!(groups & group))
            continue;
        f->at.group = group;
        struct simt_shape s = {.group = (uint16_t)group};
        for (unsigned g = 0; g < emit_coarse_group_count(e, s); g++) {
            emit_select_lane(e, g * group);
            fn(e, inst);
        }
    }
    emit_select_warp(e, 0);
    emit_end_conditional(e, inst, ok);
    f->at.when = NULL;
}

/* Does the instruction do the same for all warps of a coarse warp? */
static bool is_of_coarse_warp(struct emit *e, const struct ptx_inst *inst)
{
    uint64_t groups;
    bool has_varying;

    if (ptx_is_barrier(inst))
        return true;
    if (inst->op != PTX_OP_ld && inst->op != PTX_OP_ldu)
        return false;
    emit_dest_shapes(e, inst, &groups, &has_varying);
    return !has_varying && groups == SIMT_ALL_LANES;
}

/* Begins code that is executed only if `condition`. */
static LLVMBasicBlockRef begin_if(struct emit *e, LLVMValueRef condition)
{
    LLVMBasicBlockRef doit = emit_new_block(e, "guarded");
    LLVMBasicBlockRef done = emit_new_block(e, "guarded.done");

    assert(LLVMTypeOf(condition) == e->i1);
    emit_branch(e, condition, doit, done, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, doit);
    return done;
}

static void forget_reg(void *data, uint32_t reg)
{
    emit_forget_reg(data, reg);
}

/* Begins code that is executed only if a lane of this warp is active. If none
 * is, and no other lane needs the destinations, these become undefined. */
static LLVMBasicBlockRef begin_if_any(struct emit *e,
                                      const struct ptx_inst *inst)
{
    LLVMValueRef any = emit_any(e, e->f->at.mask);

    assert(e->f->at.mask);
    if (e->f->at.blend)
        return begin_if(e, any);
    LLVMBasicBlockRef doit = emit_new_block(e, "some");
    LLVMBasicBlockRef none = emit_new_block(e, "none");
    LLVMBasicBlockRef done = emit_new_block(e, "some.done");
    emit_branch(e, any, doit, none, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, none);
    ptx_for_each_def(inst, forget_reg, e);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, doit);
    return done;
}

/* The emitter expects that some lane is active. */
static void whole_warp(struct emit *e, const struct ptx_inst *inst)
{
    struct emit_fn *f = e->f;
    LLVMValueRef mask = f->at.mask;
    LLVMBasicBlockRef done = NULL;
    bool is_guarded = emit_has_varying_guard(e, inst);

    assert(emit_emitters[inst->op].how == EMIT_WHOLE);
    if (is_guarded)
        f->at.mask = f->at.blend =
            emit_and_mask(e, mask, emit_read_guard(e, inst));
    if (is_guarded || (f->warps > 1 && f->at.mask))
        done = begin_if_any(e, inst);
    emit_run_hooks(e, EMIT_AT_before_access);
    emit_emitters[inst->op].fn(e, inst);
    if (done)
        emit_goto_new(e, done);
    f->at.mask = mask;
}

/* Once for all warps, where some lane of one is active. */
static void whole_coarse_warp(struct emit *e, const struct ptx_inst *inst)
{
    struct emit_fn *f = e->f;
    struct emit_masks masks;

    assert(emit_emitters[inst->op].how == EMIT_WHOLE);
    if (!emit_has_varying_guard(e, inst)) {
        emit_run_hooks(e, EMIT_AT_before_access);
        emit_emitters[inst->op].fn(e, inst);
        return;
    }
    for (unsigned w = 0; w < f->warps; w++) {
        emit_select_warp(e, w);
        masks.of[w] = emit_and_mask(e, f->at.mask, emit_read_guard(e, inst));
    }
    emit_select_warp(e, 0);
    LLVMBasicBlockRef done = begin_if(e, emit_any_of_coarse_warp(e, &masks));
    emit_run_hooks(e, EMIT_AT_before_access);
    emit_emitters[inst->op].fn(e, inst);
    emit_goto_new(e, done);
}

/* A varying guard narrows the mask; a uniform one becomes a branch. */
static void emit_whole(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef p = emit_uniform_guard(e, inst);
    LLVMBasicBlockRef done = p ? begin_if(e, p) : NULL;

    if (e->f->warps > 1 && is_of_coarse_warp(e, inst))
        whole_coarse_warp(e, inst);
    else
        emit_each_warp(e, inst, whole_warp);
    if (done)
        emit_goto_new(e, done);
}

/* Instruction i, as `inst`. */
static void emit_one_as(struct emit *e, uint32_t i, const struct ptx_inst *inst)
{
    struct emit_fn *f = e->f;
    const struct emit_emitter *em = &emit_emitters[inst->op];

    assert(i < e->f->k->func->inst_count);
    f->at.inst = inst;
    emit_set_line(e, inst);
    f->at.index = i;
    f->at.looks = f->plan->insts[i].looks;
    f->at.makes_nan = f->plan->insts[i].makes_nan;
    if (!ptx_is_of_device(inst)) {
        emit_refuse(e, "it needs sm_100, the device is sm_90");
        return;
    }
    if (f->k->inst_flags[i] & SIMT_WAITS)
        EMIT_HELPER(e, yield, e->voidt, NULL, 0);
    bool is_ticket = f->plan->insts[i].is_ticket;
    if (f->k->inst_flags[i] & SIMT_HAZARD || is_ticket)
        EMIT_HELPER(e, turn, e->voidt, NULL, 0);
    if (em->how == EMIT_LANES && !(f->k->inst_flags[i] & SIMT_DEAD))
        emit_lanes(e, inst, em->fn);
    else if (em->how == EMIT_WHOLE)
        emit_whole(e, inst);
    else if (em->how == EMIT_REFUSED)
        emit_refuse(e, "this instruction is not supported");
    if (is_ticket)
        EMIT_HELPER(e, turn, e->voidt, NULL, 0);
}

static void end_instructions(struct emit *e)
{
    e->f->at.inst = NULL;
    emit_set_line(e, NULL);
    e->f->at.looks = e->f->at.makes_nan = false;
}

void emit_instructions(struct emit *e, uint32_t first, uint32_t end)
{
    assert(first <= end && end <= e->f->k->func->inst_count);
    for (uint32_t i = first; i < end && !e->has_failed; i++)
        if (e->f->plan->code[i])
            emit_one_as(e, i, e->f->plan->code[i]);
    end_instructions(e);
}

void emit_instruction_late(struct emit *e, uint32_t i)
{
    assert(!e->f->plan->code[i]);
    emit_one_as(e, i, &e->f->k->func->insts[i]);
    end_instructions(e);
}
