/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores that pass the caches by. A launch that writes more than the last
 * cache holds leaves nothing of it there; all that an ordinary store would do
 * is read the line first, to overwrite it. Copies of 64 MB take three quarters
 * of the time, and a block that has to wait for its lines no longer does.
 *
 * A kernel that reads memory in loops and stores what comes out of them at the
 * end is left alone: there are few such stores to a read.
 *
 * It counts the stores at neighbouring addresses where the kernel does not read
 * what it overwrites: before the launch those that a thread makes once, then,
 * in loops that stride through memory, each iteration's as it comes. At run
 * time there has to be enough, all lanes active, and the lines whole.
 *
 * Such stores are weakly ordered: whatever tells other processors about them
 * needs a fence before. Read-modify-writes are one.
 *
 * Intel 64 SDM, vol. 1, 10.4.6.2, "Caching of Temporal vs. Non-Temporal Data".
 */
#include "emit/internal.h"

enum { LINE_BYTES = 64 };

static unsigned bytes_of(const struct ptx_inst *inst)
{
    unsigned vector = ptx_vector_width(inst);
    return ptx_type_size(inst->type[0]) * vector;
}

static bool is_far(const struct ptx_inst *inst)
{
    return (inst->space == PTX_SPACE_global ||
            inst->space == PTX_SPACE_generic) &&
           (inst->sem == PTX_SEM_none || inst->sem == PTX_SEM_weak);
}

static bool is_plain(const struct simt_kernel *k, uint32_t i)
{
    const struct ptx_inst *inst = &k->func->insts[i];
    const struct ptx_operand *to = &inst->operand[0];
    struct simt_shape s = k->address[i];

    return inst->op == PTX_OP_st && is_far(inst) &&
           !(inst->flags & (PTX_FLAG_async | PTX_FLAG_bulk)) &&
           to->reg != PTX_NO_REG && !simt_is_varying(s) &&
           s.stride == (int64_t)bytes_of(inst) && !simt_woven_var(k, to);
}

static bool is_once(const struct simt_kernel *k, uint32_t block)
{
    return k->blocks[block].loop_depth == 0;
}

/* In a loop that jumps far, to a place that is another in each iteration. */
static bool is_striding(const struct simt_kernel *k, uint32_t block, uint32_t i)
{
    uint32_t header = k->blocks[block].loop_header;
    uint32_t reg = k->func->insts[i].operand[0].reg;

    if (is_once(k, block) || k->has_waits || !emit_is_striding_loop(k, header))
        return false;
    for (uint32_t b = header; b < k->block_count; b++)
        for (uint32_t j = k->blocks[b].first;
             k->blocks[b].loop_header == header && j < k->blocks[b].end; j++)
            if (ptx_defines(&k->func->insts[j], reg))
                return true;
    return false;
}

/* What the kernel reads. */
struct reads {
    bool *by;      /* by register: its address is made from that one */
    bool in_loops; /* of global memory */
};

static struct reads find_reads(struct emit *e)
{
    const struct simt_kernel *k = e->f->k;
    struct reads reads = {
        .by = arena_array(e->arena, bool, k->func->reg_count + 1)};

    for (uint32_t b = 0; b < k->block_count; b++)
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            const struct ptx_inst *inst = &k->func->insts[i];
            if (inst->op != PTX_OP_ld)
                continue;
            const struct ptx_operand *from = &inst->operand[1];
            if (from->kind == PTX_OPERAND_address && from->reg != PTX_NO_REG)
                reads.by[from->reg] = true;
            reads.in_loops |= !is_once(k, b) && is_far(inst);
        }
    return reads;
}

/* What all threads of the launch store in one place of the program. */
static LLVMValueRef bytes_of_all(struct emit *e, uint64_t bytes)
{
    LLVMValueRef threads = emit_launch_field(
        e, offsetof(struct exec_launch, thread_count), e->i64);
    return ir_mul(e, threads, ir_int(threads, (int64_t)bytes));
}

/* At the start of a kernel: what its launch is going to store, at least. */
void emit_find_streams(struct emit *e)
{
    const struct simt_kernel *k = e->f->k;
    bool has_any = false, *streams;
    uint64_t once = 0;

    if (!e->target->is_x86 || e->lanes == 1 || k->has_calls ||
        simt_piece_insts(k))
        return;
    struct reads reads = find_reads(e);
    streams = arena_array(e->arena, bool, k->func->inst_count + 1);
    for (uint32_t b = 0; b < k->block_count; b++)
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            const struct ptx_inst *inst = &k->func->insts[i];
            if (!is_plain(k, i) || reads.by[inst->operand[0].reg])
                continue;
            streams[i] = is_once(k, b) ? !reads.in_loops : is_striding(k, b, i);
            has_any |= streams[i];
            once += streams[i] && is_once(k, b) ? bytes_of(inst) : 0;
        }
    if (!has_any)
        return;
    e->f->streams = streams;
    e->f->stored_once = bytes_of_all(e, once);
    e->f->cache_bytes =
        emit_launch_field(e, offsetof(struct exec_launch, cache_bytes), e->i64);
}

/* Has the launch stored enough by now? A loop's stores are counted by each
 * warp for all, since all do the same. */
static LLVMValueRef is_enough(struct emit *e)
{
    const struct simt_kernel *k = e->f->k;
    LLVMValueRef stored = e->f->stored_once;

    if (!is_once(k, e->f->block)) {
        LLVMValueRef var = emit_kept(e, e->f->prologue, stored, "stored");
        stored = ir_add(e, ir_load(e, e->i64, var, 0),
                        bytes_of_all(e, bytes_of(e->f->inst)));
        ir_store(e, stored, var, 0);
    }
    return ir_icmp(e, LLVMIntUGT, stored, e->f->cache_bytes);
}

bool emit_may_stream(struct emit *e)
{
    return e->f->streams && e->f->streams[e->f->index];
}

LLVMValueRef emit_streams_to(struct emit *e, LLVMValueRef *p, unsigned rows)
{
    LLVMValueRef all = NULL;

    if (bytes_of(e->f->inst) * e->lanes / rows % LINE_BYTES != 0)
        return NULL;
    for (unsigned i = 0; i < rows; i++) {
        LLVMValueRef at = LLVMBuildPtrToInt(e->b, p[i], e->i64, "");
        all = all ? ir_or(e, all, at) : at;
    }
    all = ir_and(e, all, ir_int(all, LINE_BYTES - 1));
    LLVMValueRef test = ir_icmp(e, LLVMIntEQ, all, ir_int(all, 0));
    if (e->f->mask)
        test = ir_and(e, test, emit_all(e, e->f->mask));
    return ir_and(e, is_enough(e), test);
}

void emit_mark_streaming(struct emit *e, LLVMValueRef store)
{
    LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(e->i32, 1, 0));

    LLVMSetAlignment(store, LINE_BYTES);
    LLVMSetMetadata(
        store, LLVMGetMDKindIDInContext(e->cx, "nontemporal", 11),
        LLVMMetadataAsValue(e->cx, LLVMMDNodeInContext2(e->cx, &one, 1)));
}

/* Before others are told of what was stored. */
void emit_fence_streams(struct emit *e)
{
    if (e->f->streams)
        ir_intrinsic(e, "llvm.x86.sse.sfence", NULL, 0, NULL, 0);
}
