/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Privatised reductions: what a call of the kernel, which runs many blocks,
 * adds to one place is kept for the last place, and added there when another
 * place comes, or when the call ends. simt/plan/privatised.c says which.
 */
#include "emit/core/masks.h"
#include "emit/memory/memory.h"

struct emit_private_sum {
    struct emit_private_sum *next;
    const struct ptx_inst *inst;
    LLVMValueRef holds; /* alloca of i1: something is kept */
    LLVMValueRef address, sum;
};

static struct emit_private_sum *late_of(struct emit *e, LLVMTypeRef type)
{
    const struct ptx_inst *inst = e->f->at.inst;
    struct emit_private_sum *l = e->f->kept.sums;

    while (l && l->inst != inst)
        l = l->next;
    if (l)
        return l;
    l = arena_new(e->arena, struct emit_private_sum);
    l->inst = inst;
    l->holds = emit_kept(e, e->f->blocks.allocas, LLVMConstNull(e->i1), "late");
    l->address = emit_kept(e, e->f->blocks.allocas, LLVMConstNull(e->ptr),
                           "late.address");
    l->sum =
        emit_kept(e, e->f->blocks.allocas, LLVMConstNull(type), "late.sum");
    l->next = e->f->kept.sums;
    e->f->kept.sums = l;
    return l;
}

/* Adds what is kept to memory, if there is anything. */
static void release_sum(struct emit *e, const struct emit_private_sum *l)
{
    LLVMBasicBlockRef some = emit_new_block(e, "late.add");
    LLVMBasicBlockRef done = emit_new_block(e, "late.done");
    LLVMTypeRef type = LLVMGetAllocatedType(l->sum);

    assert(LLVMTypeOf(l->holds) == e->ptr);
    emit_branch(e, ir_load(e, e->i1, l->holds, 0), some, done, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, some);
    emit_atomic_at(e, l->inst, PTX_SPACE_global,
                   ir_load(e, e->ptr, l->address, 0),
                   ir_load(e, type, l->sum, 0));
    emit_goto_new(e, done);
}

void emit_add_privately(struct emit *e, LLVMValueRef p, LLVMValueRef v)
{
    const struct emit_private_sum *l = late_of(e, LLVMTypeOf(v));
    LLVMBasicBlockRef same = emit_new_block(e, "late.same");
    LLVMBasicBlockRef other = emit_new_block(e, "late.other");
    LLVMBasicBlockRef done = emit_new_block(e, "late.kept");

    assert(e->f->plan->insts[e->f->at.index].privatised == SIMT_SUM_OF_CALL);
    LLVMValueRef is_same =
        ir_and(e, ir_load(e, e->i1, l->holds, 0),
               ir_icmp(e, LLVMIntEQ, ir_load(e, e->ptr, l->address, 0), p));
    emit_branch(e, is_same, same, other, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, same);
    LLVMValueRef old = ir_load(e, LLVMTypeOf(v), l->sum, 0);
    ir_store(e, emit_atomic_combine(e, l->inst, old, v), l->sum, 0);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, other);
    release_sum(e, l);
    ir_store(e, LLVMConstInt(e->i1, 1, 0), l->holds, 0);
    ir_store(e, p, l->address, 0);
    ir_store(e, v, l->sum, 0);
    emit_goto_new(e, done);
}

void emit_flush_private_sums(struct emit *e)
{
    for (const struct emit_private_sum *l = e->f->kept.sums; l; l = l->next)
        release_sum(e, l);
}
