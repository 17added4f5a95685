/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions that may reach memory late. All blocks of a kernel often add to
 * one place, and do nothing after it: on a GPU the memory itself adds, here
 * each core would fetch the line from the other for every block. So one call
 * of the kernel, which runs many blocks, keeps what it has for the place it
 * had last, and adds it there when another place comes, or when it ends.
 *
 * Nobody may be able to tell, so this holds only where no thread, once it has
 * come past such an instruction, reads or writes global memory in any other
 * way, or orders what it did by a fence; and in kernels that wait for nobody.
 * That others see a relaxed operation later than they might is what relaxed
 * means; those at system scope, which the host may look at, are not delayed.
 *
 * PTX ISA, "Memory Consistency Model": without a fence or a release, nothing
 * orders the operation before those of other blocks.
 */
#include "emit/internal.h"

/* In one function; each takes registers and code. */
enum { LATE_MAX = 8 };

struct emit_late {
    struct emit_late *next;
    const struct ptx_inst *inst;
    LLVMValueRef holds; /* alloca of i1: something is kept */
    LLVMValueRef address, sum;
};

/* ---- what can be told -------------------------------------------------- */

/* Would it notice that `late` has not happened yet? What a block's barrier
 * orders is seen by that block alone. */
static bool notices(const struct ptx_inst *in, const struct ptx_inst *late)
{
    if (ptx_is_barrier(in))
        return in->scope == PTX_SCOPE_cluster;
    if (ptx_orders_memory(in))
        return true;
    if (!ptx_reads_memory(in) && !ptx_writes_memory(in))
        return false;
    bool is_same =
        in == late || (in->op == PTX_OP_red && in->sub == late->sub &&
                       in->type[0] == late->type[0]);
    return !ptx_is_private(in->space) && !is_same;
}

static bool is_noticed_in(const struct simt_kernel *k, uint32_t first,
                          uint32_t end, const struct ptx_inst *late)
{
    for (uint32_t i = first; i < end; i++)
        if (notices(&k->func->insts[i], late))
            return true;
    return false;
}

/* Does anything notice on any way from instruction i of block b? */
static bool is_noticed(struct emit *e, uint32_t b, uint32_t i)
{
    const struct simt_kernel *k = e->f->k;
    const struct ptx_inst *late = &k->func->insts[i];
    bool *is_reached = arena_array(e->arena, bool, k->block_count);
    uint32_t *stack = arena_array(e->arena, uint32_t, k->block_count + 1);
    uint32_t count = 0;

    if (is_noticed_in(k, i + 1, k->blocks[b].end, late))
        return true;
    for (;;) {
        for (unsigned n = 0; n < k->blocks[b].edge_count; n++) {
            uint32_t to = k->blocks[b].edges[n].to;
            if (to == SIMT_NO_BLOCK || is_reached[to])
                continue;
            if (is_noticed_in(k, k->blocks[to].first, k->blocks[to].end, late))
                return true;
            is_reached[to] = true;
            stack[count++] = to;
        }
        if (count == 0)
            return false;
        b = stack[--count];
    }
}

static bool has_room(struct emit *e)
{
    unsigned count = 0;

    for (const struct emit_late *l = e->f->late; l; l = l->next, count++)
        if (l->inst == e->f->inst)
            return true;
    return count < LATE_MAX;
}

bool emit_may_be_late(struct emit *e, enum ptx_space space)
{
    const struct ptx_inst *inst = e->f->inst;
    const struct simt_kernel *k = e->f->k;

    return !e->f->pieces && has_room(e) && k->func->is_entry && !k->has_calls &&
           !k->has_waits && space == PTX_SPACE_global &&
           ptx_is_relaxed(inst->sem) && inst->scope != PTX_SCOPE_sys &&
           inst->vector <= 1 && !is_noticed(e, e->f->block, e->f->index);
}

/* ---- what is kept ------------------------------------------------------ */

static struct emit_late *late_of(struct emit *e, LLVMTypeRef type)
{
    const struct ptx_inst *inst = e->f->inst;
    struct emit_late *l = e->f->late;

    while (l && l->inst != inst)
        l = l->next;
    if (l)
        return l;
    l = arena_new(e->arena, struct emit_late);
    l->inst = inst;
    l->holds = emit_kept(e, e->f->allocas, LLVMConstNull(e->i1), "late");
    l->address =
        emit_kept(e, e->f->allocas, LLVMConstNull(e->ptr), "late.address");
    l->sum = emit_kept(e, e->f->allocas, LLVMConstNull(type), "late.sum");
    l->next = e->f->late;
    e->f->late = l;
    return l;
}

/* Adds what is kept to memory, if anything is. */
static void release(struct emit *e, const struct emit_late *l)
{
    LLVMBasicBlockRef some = emit_new_block(e, "late.add");
    LLVMBasicBlockRef done = emit_new_block(e, "late.done");
    LLVMTypeRef type = LLVMGetAllocatedType(l->sum);

    emit_branch(e, ir_load(e, e->i1, l->holds, 0), some, done, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, some);
    emit_atomic_at(e, l->inst, PTX_SPACE_global,
                   ir_load(e, e->ptr, l->address, 0),
                   ir_load(e, type, l->sum, 0));
    emit_goto_new(e, done);
}

void emit_atomic_late(struct emit *e, LLVMValueRef p, LLVMValueRef v)
{
    const struct emit_late *l = late_of(e, LLVMTypeOf(v));
    LLVMBasicBlockRef same = emit_new_block(e, "late.same");
    LLVMBasicBlockRef other = emit_new_block(e, "late.other");
    LLVMBasicBlockRef done = emit_new_block(e, "late.kept");

    LLVMValueRef is_same =
        ir_and(e, ir_load(e, e->i1, l->holds, 0),
               ir_icmp(e, LLVMIntEQ, ir_load(e, e->ptr, l->address, 0), p));
    emit_branch(e, is_same, same, other, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, same);
    LLVMValueRef old = ir_load(e, LLVMTypeOf(v), l->sum, 0);
    ir_store(e, emit_atomic_combine(e, l->inst, old, v), l->sum, 0);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, other);
    release(e, l);
    ir_store(e, LLVMConstInt(e->i1, 1, 0), l->holds, 0);
    ir_store(e, p, l->address, 0);
    ir_store(e, v, l->sum, 0);
    emit_goto_new(e, done);
}

void emit_release_late(struct emit *e)
{
    for (const struct emit_late *l = e->f->late; l; l = l->next)
        release(e, l);
}
