/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Next-block prefetch: each load that simt/plan/next_block.c names prefetches
 * as far ahead as this block is from the last.
 *
 * The distance is taken once in a block, for the register that addresses are
 * made from; beyond FAR_BYTES, or if it changes, nothing is prefetched. Data go
 * to the second-level cache, as what a block loads and keeps fills the first.
 */
#include "emit/core/address.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"

#define FAR_BYTES  ((int64_t)1 << 20)
#define LINE_BYTES 64

struct emit_next_block {
    struct emit_next_block *next;
    uint32_t reg;
    LLVMValueRef distance; /* alloca of i64: from the last block to this one */
};

static LLVMValueRef kept_number(struct emit *e, const char *name)
{
    return emit_kept(e, e->f->blocks.allocas, LLVMConstNull(e->i64), name);
}

/* The distance between `p` and its last value, for all loads by this register.
 * It has to have been that far before, if there was a before: where blocks are
 * taken one by one, by several cores, what lies there is mostly another's. */
static struct emit_next_block *find_prefetch(struct emit *e, uint32_t reg,
                                             LLVMValueRef p)
{
    assert(emit_has_reg(e, reg));
    struct emit_next_block *a = arena_new(e->arena, struct emit_next_block);
    LLVMValueRef last = kept_number(e, "ahead.last");
    LLVMValueRef before = kept_number(e, "ahead.before");
    LLVMValueRef now = LLVMBuildPtrToInt(e->b, p, e->i64, "");
    LLVMValueRef distance = ir_sub(e, now, ir_load(e, e->i64, last, 0));
    LLVMValueRef is_near =
        ir_icmp(e, LLVMIntULT, ir_add(e, distance, ir_int(now, FAR_BYTES)),
                ir_int(now, 2 * FAR_BYTES));
    LLVMValueRef near = ir_select(e, is_near, distance, ir_int(now, 0));
    LLVMValueRef was = ir_load(e, e->i64, before, 0);
    LLVMValueRef is_usual = ir_or(e, ir_icmp(e, LLVMIntEQ, was, near),
                                  ir_icmp(e, LLVMIntEQ, was, ir_int(was, 0)));

    ir_store(e, now, last, 0);
    ir_store(e, near, before, 0);
    *a = (struct emit_next_block){.next = e->f->kept.next_block,
                                  .reg = reg,
                                  .distance = kept_number(e, "ahead.distance")};
    ir_store(e, ir_select(e, is_usual, near, ir_int(now, 0)), a->distance, 0);
    e->f->kept.next_block = a;
    return a;
}

void emit_prefetch_next_block(struct emit *e, const struct ptx_operand *address)
{
    const struct simt_kernel *k = e->f->k;
    struct simt_shape s = k->address[e->f->at.index];
    const struct emit_next_block *a = e->f->kept.next_block;

    if (!e->f->plan->insts[e->f->at.index].asks_next_block)
        return;
    LLVMValueRef p = emit_pointer(e, address, PTX_SPACE_global, 0, 0);
    while (a && a->reg != address->reg)
        a = a->next;
    if (!a)
        a = find_prefetch(e, address->reg, p);
    LLVMValueRef distance = ir_load(e, e->i64, a->distance, 0);
    unsigned groups = emit_group_count(e, s), lanes = e->lanes / groups;
    for (unsigned g = 0; g < groups; g++) {
        if (g > 0)
            p = emit_pointer(e, address, PTX_SPACE_global, (int)(g * lanes), 0);
        emit_prefetch_lines(e, ir_offset_by(e, p, distance), s.stride * lanes,
                            EMIT_SECOND_CACHE);
    }
}
