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

/* Iterations before the next warp's turn, and for which to prefetch. */
enum {
    TURN = 2,
    AHEAD = 2,
    FAR_ELEMENTS = 512,
    FAR_BYTES = 2048,
    LINE_BYTES = 64,
};

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

/* add r, r, far with r affine in the lane: the operand `far`, or NULL. */
static const struct ptx_operand *far_step(const struct simt_kernel *k,
                                          uint32_t i)
{
    const struct ptx_inst *inst = &k->func->insts[i];
    const struct ptx_operand *o = inst->operand;

    if (inst->op != PTX_OP_add || ptx_type_is_float(inst->type[0]) ||
        o[0].kind != PTX_OPERAND_reg)
        return NULL;
    struct simt_shape s = k->shapes[o[0].reg];
    if (simt_is_varying(s) || s.stride == 0)
        return NULL;
    for (unsigned j = 1; j <= 2; j++) {
        const struct ptx_operand *self = &o[j], *step = &o[3 - j];
        if (self->kind != PTX_OPERAND_reg || self->reg != o[0].reg)
            continue;
        if (step->kind == PTX_OPERAND_reg)
            return simt_is_uniform(k->shapes[step->reg]) ? step : NULL;
        int64_t far = s.stride == 1 ? FAR_ELEMENTS : FAR_BYTES;
        if (step->kind == PTX_OPERAND_imm &&
            (step->imm >= far || step->imm <= -far))
            return step;
    }
    return NULL;
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
            is_far |= far_step(k, i) != NULL;
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

/* ---- prefetching ---------------------------------------------------------------- */

/* Bytes that an access with this shape moves from one iteration to the next,
 * or NULL: the loop's step is not known here. */
static LLVMValueRef bytes_ahead(struct emit *e, struct simt_shape address)
{
    const struct simt_kernel *k = e->f->k;
    struct loop l = {k, k->blocks[e->f->block].loop_header};

    for (uint32_t b = 0; b < k->block_count; b++) {
        if (!is_inside(&l, b))
            continue;
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            const struct ptx_operand *step = far_step(k, i);
            if (!step)
                continue;
            const struct ptx_inst *inst = &k->func->insts[i];
            int64_t lane = k->shapes[inst->operand[0].reg].stride;
            if (address.stride % lane != 0)
                continue;
            LLVMValueRef n = emit_read_lane(e, step, inst->type[0], 0);
            n = ir_resize(e, n, e->i64, true);
            return ir_mul(e, n, ir_int(n, address.stride / lane));
        }
    }
    return NULL;
}

/* Asks for what this load will want in its warp's next turn. The other warps
 * have theirs meanwhile, so that it will be there. */
void emit_prefetch_ahead(struct emit *e, LLVMValueRef first)
{
    const struct simt_kernel *k = e->f->k;
    uint32_t header = k->blocks[e->f->block].loop_header;

    if (header == SIMT_NO_BLOCK || !k->func->is_entry ||
        !is_neighbouring(k, e->f->index) ||
        !emit_is_striding_loop(k, header))
        return;
    struct simt_shape s = k->address[e->f->index];
    LLVMValueRef distance = bytes_ahead(e, s);
    if (!distance)
        return;
    LLVMValueRef p = ir_offset_by(
        e, first, ir_mul(e, distance, ir_int(distance, AHEAD)));
    for (int64_t at = 0; at < s.stride * (int64_t)e->lanes; at += LINE_BYTES) {
        LLVMValueRef args[] = {
            ir_offset(e, p, at), LLVMConstInt(e->i32, 0, 0),
            LLVMConstInt(e->i32, 3, 0), LLVMConstInt(e->i32, 1, 0)};
        ir_intrinsic(e, "llvm.prefetch", &e->ptr, 1, args, 4);
    }
}
