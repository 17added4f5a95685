/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grid-stride loops, in which the warps of a block take turns:
 * simt/plan/grid_stride.c says where.
 */
#include "emit/core/control.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"

/* At the header of such a loop: lets other warps have their turn every few
 * iterations. */
void emit_take_turns(struct emit *e)
{
    const struct simt_loop_plan *loop = &e->f->plan->loops[e->f->at.block];
    LLVMValueRef turn_length = LLVMConstInt(e->i32, loop->turn, 0);
    LLVMValueRef var = emit_kept(e, e->f->blocks.prologue, turn_length, "turn");
    LLVMBasicBlockRef turn = emit_new_block(e, "turn");
    LLVMBasicBlockRef go_on = emit_new_block(e, "go.on");

    assert(e->f->plan->loops[e->f->at.block].turn > 0);
    LLVMValueRef left = ir_load(e, e->i32, var, 0);
    left = ir_sub(e, left, ir_int(left, 1));
    ir_store(e, left, var, 0);
    emit_branch(e, ir_icmp(e, LLVMIntEQ, left, ir_int(left, 0)), turn, go_on,
                EMIT_UNLIKELY);
    LLVMPositionBuilderAtEnd(e->b, turn);
    EMIT_HELPER(e, turn, e->voidt, NULL, 0);
    ir_store(e, turn_length, var, 0);
    emit_goto_new(e, go_on);
}
