/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Non-temporal stores: the kernel compares what its launch is going to store
 * with what the last cache holds; then lines have to be whole and all lanes
 * active. simt/plan/nontemporal.c says which stores may be such.
 *
 * Intel 64 SDM, vol. 1, 10.4.6.2, "Caching of Temporal vs. Non-Temporal Data".
 */
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/memory/memory.h"

enum { LINE_BYTES = 64 };

static unsigned bytes_of(const struct ptx_inst *inst)
{
    return ptx_type_size(inst->type[0]) * ptx_vector_width(inst);
}

/* Bytes that all threads of the launch store at one place of the program. */
static LLVMValueRef bytes_of_all(struct emit *e, uint64_t bytes)
{
    LLVMValueRef threads = emit_launch_field(
        e, offsetof(struct exec_launch, thread_count), e->i64);
    return ir_mul(e, threads, ir_int(threads, (int64_t)bytes));
}

/* At the start of a kernel: what its launch is going to store at least. */
void emit_begin_nontemporal(struct emit *e)
{
    const struct simt_plan *plan = e->f->plan;

    if (!plan->has_nontemporal)
        return;
    e->f->nontemporal.stored_once = bytes_of_all(e, plan->stored_once_bytes);
    e->f->nontemporal.cache_bytes =
        emit_launch_field(e, offsetof(struct exec_launch, cache_bytes), e->i64);
}

/* Does the launch store enough? Each warp counts a loop's stores for all
 * warps, as all do the same. */
static LLVMValueRef is_enough(struct emit *e)
{
    const struct simt_kernel *k = e->f->k;
    LLVMValueRef stored = e->f->nontemporal.stored_once;

    assert(e->f->nontemporal.stored_once);
    if (k->blocks[e->f->at.block].loop_depth > 0) {
        LLVMValueRef var =
            emit_kept(e, e->f->blocks.prologue, stored, "stored");
        stored = ir_add(e, ir_load(e, e->i64, var, 0),
                        bytes_of_all(e, bytes_of(e->f->at.inst)));
        ir_store(e, stored, var, 0);
    }
    return ir_icmp(e, LLVMIntUGT, stored, e->f->nontemporal.cache_bytes);
}

bool emit_is_nontemporal(struct emit *e)
{
    return e->f->plan->insts[e->f->at.index].is_nontemporal;
}

LLVMValueRef emit_test_nontemporal(struct emit *e, LLVMValueRef *p,
                                   unsigned rows)
{
    LLVMValueRef all = NULL;

    assert(e->f->plan->has_nontemporal);
    if (bytes_of(e->f->at.inst) * e->lanes / rows % LINE_BYTES != 0)
        return NULL;
    for (unsigned i = 0; i < rows; i++) {
        LLVMValueRef at = LLVMBuildPtrToInt(e->b, p[i], e->i64, "");
        all = all ? ir_or(e, all, at) : at;
    }
    all = ir_and(e, all, ir_int(all, LINE_BYTES - 1));
    LLVMValueRef test = ir_icmp(e, LLVMIntEQ, all, ir_int(all, 0));
    if (e->f->at.mask)
        test = ir_and(e, test, emit_all(e, e->f->at.mask));
    return ir_and(e, is_enough(e), test);
}

void emit_mark_nontemporal(struct emit *e, LLVMValueRef store)
{
    LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(e->i32, 1, 0));

    LLVMSetAlignment(store, LINE_BYTES);
    LLVMSetMetadata(
        store, LLVMGetMDKindIDInContext(e->cx, "nontemporal", 11),
        LLVMMetadataAsValue(e->cx, LLVMMDNodeInContext2(e->cx, &one, 1)));
}

/* To be called before others are told of what was stored. */
void emit_fence_nontemporal(struct emit *e)
{
    if (e->f->plan->has_nontemporal)
        ir_intrinsic(e, "llvm.x86.sse.sfence", NULL, 0, NULL, 0);
}
