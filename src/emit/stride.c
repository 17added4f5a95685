/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grid-stride loops, in which the warps of a block take turns, and what loads
 * in loops ask memory for: simt/plan/grid_stride.c and prefetch.c say where.
 */
#include "emit/internal.h"

/* Iterations from asking to reading, where one takes less than memory. */
enum { COUNTING_AHEAD = 3 };

/* At the head of such a loop: every few iterations the other warps' turn. */
void emit_take_turns(struct emit *e)
{
    const struct simt_loop_plan *loop = &e->f->plan->loops[e->f->at.block];
    LLVMValueRef turn_length = LLVMConstInt(e->i32, loop->turn, 0);
    LLVMValueRef var = emit_kept(e, e->f->prologue, turn_length, "turn");
    LLVMBasicBlockRef turn = emit_new_block(e, "turn");
    LLVMBasicBlockRef go_on = emit_new_block(e, "go.on");

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

void emit_prefetch_ahead(struct emit *e, const struct ptx_operand *address)
{
    const struct simt_prefetch *plan =
        &e->f->plan->insts[e->f->at.index].prefetch;
    struct simt_shape s = e->f->k->address[e->f->at.index];

    if (!plan->step)
        return;
    LLVMValueRef n = emit_read_lane(e, plan->step, plan->type, 0);
    n = ir_resize(e, n, e->i64, true);
    bool is_counting = plan->is_next && e->f->spread;
    int64_t iterations = is_counting ? COUNTING_AHEAD : plan->iterations;
    LLVMValueRef distance = ir_mul(e, n, ir_int(n, iterations * plan->scale));
    if (emit_spread_ahead(e, address, s, distance))
        return;
    unsigned groups = emit_group_count(e, s), lanes = e->lanes / groups;
    for (unsigned g = 0; g < groups; g++) {
        LLVMValueRef p =
            emit_pointer(e, address, PTX_SPACE_global, (int)(g * lanes), 0);
        emit_prefetch_lines(e, ir_offset_by(e, p, distance), s.stride * lanes,
                            plan->is_next ? EMIT_FIRST_CACHE
                                          : EMIT_SECOND_CACHE);
    }
}
