/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks, masks and control flow from block to block, as simt's schedule says.
 * Lanes that wait for a block are in its mask variable; a checked block is
 * skipped if none waits for it.
 */
#include "emit/core/control.h"
#include "emit/core/hooks.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"

static LLVMBasicBlockRef target_of(struct emit *e, struct simt_goto to)
{
    assert(to.block == SIMT_NO_BLOCK || emit_has_block(e, to.block));
    if (to.block == SIMT_NO_BLOCK)
        return e->f->blocks.exit;
    bool is_check = to.is_check && e->f->k->blocks[to.block].is_checked;
    if (emit_is_outside(e, to.block))
        return emit_way_out(e, to.block, is_check);
    return is_check ? e->f->blocks.check[to.block]
                    : e->f->blocks.body[to.block];
}

static LLVMValueRef load_mask(struct emit *e, LLVMValueRef var)
{
    return ir_load(e, e->mask_type, var, 0);
}

/* The variable for lanes of warp w that wait for block b. */
static LLVMValueRef mask_variable(struct emit *e, uint32_t b, unsigned w)
{
    const struct simt_block *bb = &e->f->k->blocks[b];

    assert(bb->has_mask_variable);
    return e->f->lanes.waiting[bb->mask_variable].of[w];
}

/* May lanes wait for block b while control is in the current block? */
static bool may_wait(struct emit *e, uint32_t b)
{
    const uint64_t *pending = e->f->k->blocks[e->f->at.block].pending;

    assert(emit_has_block(e, b));
    return pending[b / 64] >> b % 64 & 1;
}

/* Lanes of warp w leave the current block by one of its edges, to wait. first:
 * the first of the edges that may be taken together with this one. */
static void deposit_lanes(struct emit *e, const struct simt_edge *edge,
                          const struct simt_edge *first, unsigned w,
                          LLVMValueRef lanes)
{
    assert(w < e->f->warps);
    assert(lanes && emit_is_mask(e, lanes));
    if (!edge->deposits)
        return;
    LLVMValueRef var = mask_variable(e, edge->to, w);
    bool is_more = may_wait(e, edge->to);
    for (; first < edge; first++)
        is_more |= first->deposits && first->to == edge->to;
    if (is_more)
        lanes = ir_or(e, load_mask(e, var), lanes);
    ir_store(e, lanes, var, 0);
}

/* ---- entering ---------------------------------------------------------- */

/* Lanes of the coarse warp that wait for blocks [first, end) of a set, merged
 * into one warp's mask; `set` NULL: of all blocks. */
static LLVMValueRef waiting_for(struct emit *e, uint32_t first, uint32_t end,
                                const uint64_t *set)
{
    LLVMValueRef waiting = NULL;

    assert(first <= end && end <= e->f->k->block_count);
    for (uint32_t b = first; b < end; b++) {
        if ((set && !(set[b / 64] >> b % 64 & 1)) ||
            !e->f->k->blocks[b].has_mask_variable)
            continue;
        for (unsigned w = 0; w < e->f->warps; w++) {
            LLVMValueRef lanes = load_mask(e, mask_variable(e, b, w));
            waiting = waiting ? ir_or(e, waiting, lanes) : lanes;
        }
    }
    return waiting ? waiting : LLVMConstNull(e->mask_type);
}

/* No lane is at b, the last block of loops that may be empty: tests the inner
 * loop, the one around it, and so on. */
static void emit_leave(struct emit *e, uint32_t b)
{
    const struct simt_block *bb = &e->f->k->blocks[b];
    struct simt_goto back = bb->skip;

    assert(e->f->k->blocks[b].leave_count > 0);
    for (unsigned i = 0; i < bb->leave_count; i++) {
        LLVMValueRef waiting = waiting_for(e, back.block, b, bb->pending);
        bool is_last = i + 1 == bb->leave_count;
        LLVMBasicBlockRef out =
            is_last ? target_of(e, bb->leaves[i]) : emit_new_block(e, "leave");
        LLVMBuildCondBr(e->b, emit_any(e, waiting), target_of(e, back), out);
        if (!is_last)
            LLVMPositionBuilderAtEnd(e->b, out);
        back = bb->leaves[i];
    }
}

static void emit_check(struct emit *e, uint32_t b)
{
    const struct simt_block *bb = &e->f->k->blocks[b];

    if (!e->f->blocks.check[b])
        return;
    LLVMPositionBuilderAtEnd(e->b, e->f->blocks.check[b]);
    LLVMValueRef any = emit_any(e, waiting_for(e, b, b + 1, NULL));
    LLVMBasicBlockRef skip =
        bb->leave_count ? emit_new_block(e, "leave") : target_of(e, bb->skip);
    LLVMBuildCondBr(e->b, any, e->f->blocks.body[b], skip);
    if (!bb->leave_count)
        return;
    LLVMPositionBuilderAtEnd(e->b, skip);
    emit_leave(e, b);
}

static bool is_all_ones(LLVMValueRef mask)
{
    return LLVMIsConstant(mask) && mask == LLVMConstAllOnes(LLVMTypeOf(mask));
}

/* The lanes of warp w that enter block b; NULL: all. */
static LLVMValueRef entering_lanes(struct emit *e, uint32_t b, unsigned w)
{
    struct emit_fn *f = e->f;
    const struct simt_block *bb = &f->k->blocks[b];
    LLVMValueRef mask;

    assert(w < e->f->warps);
    if (bb->is_full) {
        mask = f->lanes.existing.of[w];
        ir_store(e, mask ? mask : emit_all_ones(e), f->lanes.here_var.of[w], 0);
    } else if (bb->has_mask_variable) {
        LLVMValueRef var = mask_variable(e, b, w);
        mask = load_mask(e, var);
        ir_store(e, mask, f->lanes.here_var.of[w], 0);
        ir_store(e, LLVMConstNull(e->mask_type), var, 0);
    } else {
        mask = load_mask(e, f->lanes.here_var.of[w]);
    }
    return mask && is_all_ones(mask) ? NULL : mask;
}

static void enter_block(struct emit *e, uint32_t b)
{
    struct emit_fn *f = e->f;

    assert(emit_has_block(e, b));
    f->at.block = b;
    f->era++;
    for (unsigned w = 0; w < f->warps; w++)
        f->lanes.here.of[w] = entering_lanes(e, b, w);
    f->at.warp = 0;
    f->at.mask = f->lanes.here.of[0];
    if (f->plan->loops[b].turn)
        emit_take_turns(e);
}

/* ---- leaving ----------------------------------------------------------- */

static void leave_by(struct emit *e, const struct simt_edge *edge)
{
    struct emit_fn *f = e->f;

    for (unsigned w = 0; edge->deposits && w < f->warps; w++) {
        LLVMValueRef mask = f->lanes.here.of[w];
        deposit_lanes(e, edge, edge, w, mask ? mask : emit_all_ones(e));
    }
    LLVMBuildBr(e->b, target_of(e, edge->next));
}

static LLVMValueRef scalar_condition(struct emit *e,
                                     const struct simt_block *bb)
{
    emit_select_lane(e, 0);
    LLVMValueRef c = emit_read_reg(e, bb->condition);
    e->f->at.lane = EMIT_ALL_LANES;
    return c;
}

/* In lockstep: if lanes go different ways, the function is left. */
static void branch_together(struct emit *e, LLVMValueRef c,
                            LLVMBasicBlockRef yes, LLVMBasicBlockRef no)
{
    LLVMValueRef bits = emit_mask_bits(e, c);
    LLVMBasicBlockRef other = emit_new_block(e, "not.all");

    assert(e->f->blocks.parted);
    LLVMBuildCondBr(e->b, ir_icmp(e, LLVMIntEQ, bits, ir_int(bits, -1)), yes,
                    other);
    LLVMPositionBuilderAtEnd(e->b, other);
    emit_branch(e, ir_icmp(e, LLVMIntEQ, bits, ir_int(bits, 0)), no,
                e->f->blocks.parted, EMIT_LIKELY);
}

static void leave_uniform(struct emit *e, const struct simt_block *bb)
{
    bool is_uniform = simt_is_uniform(e->f->k->shapes[bb->condition]);
    LLVMValueRef c =
        is_uniform ? scalar_condition(e, bb) : emit_read_reg(e, bb->condition);
    LLVMBasicBlockRef yes = emit_new_block(e, "taken");
    LLVMBasicBlockRef no = emit_new_block(e, "not.taken");

    assert(bb->edge_count == 2 && bb->condition != PTX_NO_REG);
    if (bb->condition_negated)
        c = ir_not(e, c);
    if (is_uniform)
        LLVMBuildCondBr(e->b, c, yes, no);
    else
        branch_together(e, c, yes, no);
    LLVMPositionBuilderAtEnd(e->b, yes);
    leave_by(e, &bb->edges[0]);
    LLVMPositionBuilderAtEnd(e->b, no);
    leave_by(e, &bb->edges[1]);
}

/* The lanes that exited in the call before. */
static LLVMValueRef exited_lanes(struct emit *e)
{
    return emit_mask_of_bits(e, ir_load(e, e->i32, emit_exited_pointer(e), 4));
}

/* In a device function the caller has to know which lanes have exited. */
static void note_exit(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef lanes = emit_mask(e), at = emit_exited_pointer(e);

    assert(!e->f->k->func->is_entry);
    if (inst->guard != PTX_NO_REG) {
        LLVMValueRef p = emit_read_reg(e, inst->guard);
        lanes = ir_and(e, lanes, inst->guard_negated ? ir_not(e, p) : p);
    }
    LLVMValueRef known = ir_load(e, e->i32, at, 4);
    ir_store(e, ir_or(e, known, emit_mask_bits(e, lanes)), at, 4);
}

static void leave_varying(struct emit *e, const struct simt_block *bb)
{
    struct emit_fn *f = e->f;

    assert(bb->edge_count <= 2);
    for (unsigned w = 0; w < f->warps; w++) {
        f->at.warp = w;
        LLVMValueRef c = bb->condition == PTX_NO_REG
                             ? exited_lanes(e)
                             : emit_read_reg(e, bb->condition);
        if (bb->condition_negated)
            c = ir_not(e, c);
        LLVMValueRef lanes[2] = {
            emit_and_mask(e, f->lanes.here.of[w], c),
            emit_and_mask(e, f->lanes.here.of[w], ir_not(e, c)),
        };
        for (unsigned i = 0; i < bb->edge_count; i++)
            deposit_lanes(e, &bb->edges[i], bb->edges, w, lanes[i]);
    }
    f->at.warp = 0;
    LLVMBuildBr(e->b, target_of(e, bb->next));
}

static void leave_switch(struct emit *e, const struct simt_block *bb)
{
    LLVMValueRef index = ir_as_int(e, scalar_condition(e, bb));
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->b);
    LLVMBasicBlockRef *ways =
        arena_array(e->arena, LLVMBasicBlockRef, bb->edge_count + 1);

    assert(bb->edge_count > 0);
    for (unsigned i = 0; i < bb->edge_count; i++) {
        ways[i] = emit_new_block(e, "case");
        LLVMPositionBuilderAtEnd(e->b, ways[i]);
        leave_by(e, &bb->edges[i]);
    }
    LLVMPositionBuilderAtEnd(e->b, from);
    LLVMValueRef s = LLVMBuildSwitch(e->b, index, ways[0], bb->edge_count);
    for (unsigned i = 1; i < bb->edge_count; i++)
        LLVMAddCase(s, LLVMConstInt(LLVMTypeOf(index), i, 0), ways[i]);
}

static void leave_switch_varying(struct emit *e, const struct simt_block *bb)
{
    struct emit_fn *f = e->f;

    assert(bb->condition != PTX_NO_REG);
    for (unsigned w = 0; w < f->warps; w++) {
        f->at.warp = w;
        LLVMValueRef index = ir_as_int(e, emit_read_reg(e, bb->condition));
        for (unsigned i = 0; i < bb->edge_count; i++) {
            LLVMValueRef here = ir_icmp(e, LLVMIntEQ, index, ir_int(index, i));
            deposit_lanes(e, &bb->edges[i], bb->edges, w,
                          emit_and_mask(e, f->lanes.here.of[w], here));
        }
    }
    f->at.warp = 0;
    LLVMBuildBr(e->b, target_of(e, bb->next));
}

static void leave_trap(struct emit *e)
{
    EMIT_HELPER(e, trap, e->voidt, NULL, 0);
    LLVMBuildBr(e->b, e->f->blocks.exit);
}

static void leave_block(struct emit *e, uint32_t b)
{
    const struct simt_block *bb = &e->f->k->blocks[b];

    switch (bb->kind) {
    case SIMT_END_JUMP:
    case SIMT_END_RETURN:
        if (bb->edge_count > 0)
            leave_by(e, &bb->edges[0]);
        else
            LLVMBuildBr(e->b, target_of(e, bb->next));
        break;
    case SIMT_END_UNIFORM:
        leave_uniform(e, bb);
        break;
    case SIMT_END_VARYING:
        leave_varying(e, bb);
        break;
    case SIMT_END_SWITCH:
        leave_switch(e, bb);
        break;
    case SIMT_END_SWITCH_VARYING:
        leave_switch_varying(e, bb);
        break;
    case SIMT_END_TRAP:
        leave_trap(e);
        break;
    }
}

/* ---- loops of one block with all lanes --------------------------------- */

/* The mask of all lanes of the coarse warp; NULL: there is none to test. */
static LLVMValueRef all_of_coarse_warp(struct emit *e,
                                       const struct emit_masks *masks)
{
    LLVMValueRef all = NULL;

    for (unsigned w = 0; w < e->f->warps; w++)
        all = emit_and_mask(e, all, masks->of[w]);
    return all;
}

/* For each warp, the lanes that stay in the loop. */
static struct emit_masks
staying_lanes(struct emit *e, const struct simt_block *bb, bool is_taken)
{
    struct emit_masks stay = {{0}};

    assert(bb->condition != PTX_NO_REG);
    for (unsigned w = 0; w < e->f->warps; w++) {
        e->f->at.warp = w;
        LLVMValueRef c = emit_read_reg(e, bb->condition);
        stay.of[w] = bb->condition_negated == is_taken ? ir_not(e, c) : c;
    }
    e->f->at.warp = 0;
    return stay;
}

/* At the entry of block b: branches to the copy if all lanes are here. Leaves
 * the builder where some are missing. */
static void emit_copy_for_all(struct emit *e, uint32_t b, uint32_t end)
{
    struct emit_fn *f = e->f;
    const struct simt_block *bb = &f->k->blocks[b];
    struct emit_masks masks = f->lanes.here;
    LLVMValueRef all = all_of_coarse_warp(e, &masks);
    unsigned self = bb->edges[0].to == b ? 0 : 1;

    assert(e->f->k->blocks[b].edge_count == 2);
    assert(e->f->at.block == b);
    if (!all)
        return;
    LLVMBasicBlockRef before = emit_new_block(e, "all.before");
    LLVMBasicBlockRef copy = emit_new_block(e, "all");
    LLVMBasicBlockRef again = emit_new_block(e, "all.again");
    LLVMBasicBlockRef out = emit_new_block(e, "all.out");
    LLVMBasicBlockRef some = emit_new_block(e, "some");
    emit_branch(e, emit_all(e, all), before, some, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, before);
    emit_run_hooks(e, EMIT_AT_begin_full_loop);
    emit_goto_new(e, copy);
    emit_run_hooks(e, EMIT_AT_full_iteration);
    f->lanes.here = (struct emit_masks){{0}};
    f->at.mask = NULL;
    f->at.is_full_copy = true;
    emit_instructions(e, bb->first, end);
    f->at.is_full_copy = false;
    bool is_taken = self == 0;
    if (f->plan->loops[b].stay.affine) {
        LLVMValueRef sure = emit_affine_compare(e, &f->plan->loops[b].stay);
        LLVMBasicBlockRef unsure = emit_new_block(e, "unsure");
        emit_branch(e, sure, again, unsure, EMIT_LIKELY);
        LLVMPositionBuilderAtEnd(e->b, unsure);
    }
    struct emit_masks stay = staying_lanes(e, bb, is_taken);
    emit_branch(e, emit_all(e, all_of_coarse_warp(e, &stay)), again, out,
                EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, again);
    if (f->plan->loops[b].turn)
        emit_take_turns(e);
    LLVMBuildBr(e->b, copy);
    LLVMPositionBuilderAtEnd(e->b, out);
    emit_run_hooks(e, EMIT_AT_end_full_loop);
    for (unsigned w = 0; w < f->warps; w++) {
        deposit_lanes(e, &bb->edges[self], &bb->edges[self], w, stay.of[w]);
        deposit_lanes(e, &bb->edges[1 - self], &bb->edges[1 - self], w,
                      ir_not(e, stay.of[w]));
    }
    LLVMBuildBr(e->b, target_of(e, bb->next));
    f->era++; /* what is known holds in the other copy only */
    f->lanes.here = masks;
    f->at.mask = masks.of[0];
    LLVMPositionBuilderAtEnd(e->b, some);
}

/* ---- blocks behind a bounds test, with all lanes ------------------------ */

/* Control comes to block b with all lanes, and without mask variables. */
static void enter_with_all(struct emit *e, uint32_t b)
{
    struct emit_fn *f = e->f;

    assert(emit_has_block(e, b));
    f->at.block = b;
    f->era++;
    for (unsigned w = 0; w < f->warps; w++)
        ir_store(e, emit_all_ones(e), f->lanes.here_var.of[w], 0);
    f->lanes.here = (struct emit_masks){{0}};
    f->at.warp = 0;
    f->at.mask = NULL;
}

/* Behind the instructions of block b: branches to the copy of the block that
 * it guards if all lanes go there. Leaves the builder where some may not. */
static void emit_guarded_for_all(struct emit *e, uint32_t b)
{
    struct emit_fn *f = e->f;
    const struct simt_guard_plan *g = &f->plan->guards[b];
    const struct simt_block *guarded = &f->k->blocks[g->guarded];
    struct emit_masks masks = f->lanes.here;
    LLVMValueRef here = all_of_coarse_warp(e, &masks);
    uint32_t end = guarded->end;

    assert(g->guarded > b && f->at.block == b);
    LLVMValueRef pass = emit_affine_compare(e, &g->pass);
    if (here)
        pass = ir_and(e, pass, emit_all(e, here));
    LLVMBasicBlockRef copy = emit_new_block(e, "pass.all");
    LLVMBasicBlockRef some = emit_new_block(e, "pass.some");
    emit_branch(e, pass, copy, some, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, copy);
    enter_with_all(e, g->guarded);
    if (end > guarded->first && ptx_ends_block(&f->k->func->insts[end - 1]))
        end--;
    emit_instructions(e, guarded->first, end);
    leave_block(e, g->guarded);
    f->at.block = b;
    f->era++; /* what is known holds in the other copy only */
    f->lanes.here = masks;
    f->at.mask = masks.of[0];
    LLVMPositionBuilderAtEnd(e->b, some);
    if (g->late_test)
        emit_instruction_late(e, g->late_test - 1);
}

/* ---- the body ---------------------------------------------------------- */

static void make_masks(struct emit *e)
{
    struct emit_fn *f = e->f;

    assert(e->f->warps <= EMIT_MAX_WARPS);
    f->lanes.waiting =
        arena_array(e->arena, struct emit_masks, f->k->mask_variable_count + 1);
    for (unsigned w = 0; w < f->warps; w++) {
        LLVMValueRef mask = f->lanes.existing.of[w];
        mask = mask ? mask : emit_all_ones(e);
        for (uint32_t v = 0; v < f->k->mask_variable_count; v++) {
            f->lanes.waiting[v].of[w] = emit_alloca(e, e->mask_type, 0, "mask");
            ir_store(e, LLVMConstNull(e->mask_type), f->lanes.waiting[v].of[w],
                     0);
        }
        f->lanes.here_var.of[w] = emit_alloca(e, e->mask_type, 0, "cur");
        ir_store(e, mask, f->lanes.here_var.of[w], 0);
        if (f->k->blocks[0].has_mask_variable) /* a loop begins here */
            ir_store(e, mask, mask_variable(e, 0, w), 0);
    }
}

void emit_make_blocks(struct emit *e, uint32_t first, uint32_t end)
{
    struct emit_fn *f = e->f;

    assert(first <= end && end <= e->f->k->block_count);
    for (uint32_t b = first; b < end; b++) {
        if (f->k->blocks[b].is_checked)
            f->blocks.check[b] = emit_new_block(e, "check");
        f->blocks.body[b] = emit_new_block(e, "bb");
    }
}

void emit_blocks(struct emit *e, uint32_t first, uint32_t end_block)
{
    struct emit_fn *f = e->f;

    assert(end_block <= e->f->k->block_count);
    for (uint32_t b = first; b < end_block; b++) {
        const struct simt_block *bb = &f->k->blocks[b];
        uint32_t end = bb->end;
        emit_check(e, b);
        LLVMPositionBuilderAtEnd(e->b, f->blocks.body[b]);
        enter_block(e, b);
        if (end > bb->first && ptx_ends_block(&f->k->func->insts[end - 1]))
            end--;
        if (f->plan->loops[b].has_full_copy)
            emit_copy_for_all(e, b, end);
        emit_instructions(e, bb->first, end);
        if (end < bb->end && !f->k->func->is_entry &&
            f->k->func->insts[end].op == PTX_OP_exit)
            note_exit(e, &f->k->func->insts[end]);
        if (bb->ends_with_turn)
            EMIT_HELPER(e, turn, e->voidt, NULL, 0);
        if (f->plan->guards[b].guarded)
            emit_guarded_for_all(e, b);
        leave_block(e, b);
    }
}

void emit_body(struct emit *e)
{
    struct emit_fn *f = e->f;
    uint32_t n = f->k->block_count;

    assert(!e->f->split);
    for (size_t i = 0; i < f->k->func->reg_count; i++) {
        emit_make_reg(e, (uint32_t)i);
        emit_reset_reg(e, (uint32_t)i);
    }
    make_masks(e);
    f->blocks.check = arena_array(e->arena, LLVMBasicBlockRef, n + 1);
    f->blocks.body = arena_array(e->arena, LLVMBasicBlockRef, n + 1);
    emit_make_blocks(e, 0, n);
    LLVMBuildBr(e->b, f->blocks.body[0]);
    emit_blocks(e, 0, n);
}
