/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops in which every iteration jumps far through memory: a warp reads a
 * little, then the same little much further on. On a GPU all warps do so at
 * once and together read everything in order. Here one warp after the other
 * would touch every page again; so the warps of a block run such a loop in
 * step, on fibers, a few iterations each in turn.
 *
 * A loop counts when it is innermost, has no barrier, reaches global memory
 * at neighbouring addresses, and adds a big or unknown but uniform amount to
 * a number that differs between lanes.
 */
#include "emit/internal.h"

/* Iterations before the next warp's turn. */
enum { TURN = 4, FAR_ELEMENTS = 512, FAR_BYTES = 2048 };

struct loop {
    const struct simt_kernel *k;
    uint32_t header;
};

static bool is_inside(const struct loop *l, uint32_t block)
{
    return l->k->blocks[block].loop_header == l->header;
}

static bool is_neighbouring(const struct simt_kernel *k, uint32_t i)
{
    const struct ptx_inst *inst = &k->func->insts[i];
    struct simt_shape s = k->address[i];
    bool is_access = inst->op == PTX_OP_ld || inst->op == PTX_OP_st;
    bool is_far_space = inst->space == PTX_SPACE_global ||
                        inst->space == PTX_SPACE_generic;
    unsigned vector = inst->vector > 1 ? inst->vector : 1;

    if (!is_access || !is_far_space || simt_is_varying(s))
        return false;
    return s.stride == (int64_t)ptx_type_size(inst->type[0]) * vector;
}

/* add r, r, far with r affine in the lane. */
static bool is_far_step(const struct simt_kernel *k, uint32_t i)
{
    const struct ptx_inst *inst = &k->func->insts[i];
    const struct ptx_operand *o = inst->operand;

    if (inst->op != PTX_OP_add || ptx_type_is_float(inst->type[0]) ||
        o[0].kind != PTX_OPERAND_reg)
        return false;
    struct simt_shape s = k->shapes[o[0].reg];
    if (simt_is_varying(s) || s.stride == 0)
        return false;
    for (unsigned j = 1; j <= 2; j++) {
        const struct ptx_operand *self = &o[j], *step = &o[3 - j];
        if (self->kind != PTX_OPERAND_reg || self->reg != o[0].reg)
            continue;
        if (step->kind == PTX_OPERAND_reg)
            return simt_is_uniform(k->shapes[step->reg]);
        int64_t far = s.stride == 1 ? FAR_ELEMENTS : FAR_BYTES;
        return step->kind == PTX_OPERAND_imm &&
               (step->imm >= far || step->imm <= -far);
    }
    return false;
}

static bool is_obstacle(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_bar || inst->op == PTX_OP_barrier ||
           inst->op == PTX_OP_call;
}

bool emit_is_striding_loop(const struct simt_kernel *k, uint32_t header)
{
    struct loop l = {k, header};
    bool is_near = false, is_far = false;

    if (k->blocks[header].loop_header != header)
        return false;
    for (uint32_t b = 0; b < k->block_count; b++) {
        if (!is_inside(&l, b)) {
            if (b > header &&
                k->blocks[b].loop_depth > k->blocks[header].loop_depth &&
                k->blocks[b].idom >= header && is_inside(&l, b - 1))
                return false; /* not innermost */
            continue;
        }
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            if (is_obstacle(&k->func->insts[i]))
                return false;
            is_near |= is_neighbouring(k, i);
            is_far |= is_far_step(k, i);
        }
    }
    return is_near && is_far;
}

bool emit_has_striding_loops(const struct simt_kernel *k)
{
    for (uint32_t b = 0; b < k->block_count; b++)
        if (emit_is_striding_loop(k, b))
            return true;
    return false;
}

/* At the head of such a loop: every TURN iterations the other warps' turn. */
void emit_take_turns(struct emit *e)
{
    LLVMValueRef var = emit_alloca(e, e->i32, 0, "turn");
    LLVMBasicBlockRef turn = emit_new_block(e, "turn");
    LLVMBasicBlockRef go_on = emit_new_block(e, "go.on");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);

    LLVMPositionBuilderBefore(e->b,
                              LLVMGetBasicBlockTerminator(e->f->prologue));
    ir_store(e, LLVMConstInt(e->i32, TURN, 0), var, 0);
    LLVMPositionBuilderAtEnd(e->b, here);
    LLVMValueRef left = ir_load(e, e->i32, var, 0);
    left = ir_sub(e, left, ir_int(left, 1));
    ir_store(e, left, var, 0);
    emit_branch(e, ir_icmp(e, LLVMIntEQ, left, ir_int(left, 0)), turn, go_on,
                EMIT_UNLIKELY);
    LLVMPositionBuilderAtEnd(e->b, turn);
    EMIT_HELPER(e, yield, e->voidt, NULL, 0);
    ir_store(e, LLVMConstInt(e->i32, TURN, 0), var, 0);
    emit_goto_new(e, go_on);
}
