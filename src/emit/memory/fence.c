/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fences around operations with semantics.
 */
#include "emit/core/emitters.h"
#include "emit/memory/memory.h"

void emit_fence_of(struct emit *e, LLVMAtomicOrdering ordering)
{
    LLVMBuildFence(e->b, ordering, 0, "");
}

void emit_fence_before(struct emit *e, enum ptx_sem sem)
{
    if (sem == PTX_SEM_release || sem == PTX_SEM_acq_rel)
        emit_fence_nontemporal(e);
    if (sem == PTX_SEM_release || sem == PTX_SEM_acq_rel)
        emit_fence_of(e, LLVMAtomicOrderingRelease);
    else if (sem == PTX_SEM_sc)
        emit_fence_of(e, LLVMAtomicOrderingSequentiallyConsistent);
}

void emit_fence_after(struct emit *e, enum ptx_sem sem)
{
    if (sem == PTX_SEM_acquire || sem == PTX_SEM_acq_rel)
        emit_fence_of(e, LLVMAtomicOrderingAcquire);
}
