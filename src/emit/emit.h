/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PTX, shapes and the plan to LLVM IR: a kernel and all device functions that
 * it can reach become one LLVM module without external symbols. Only emit/,
 * codegen/ and nvvm/ include llvm-c.
 */
#ifndef WEFT_EMIT_H
#define WEFT_EMIT_H

#include <llvm-c/Core.h>

#include "ptx/effects.h"
#include "simt/plan/plan.h"

/* What the launch has to know about the code. */
struct emit_info {
    /* What the code expects of the arguments' alignment. If one is misaligned,
     * the kernel has to be compiled with simt_spec.tests_alignment. */
    struct simt_need needs[SIMT_MAX_NEEDS];
    uint32_t need_count;
    bool has_barrier; /* or anything else that needs a fiber per warp */
    bool has_waits, takes_turns;
    bool is_recursive;            /* its stack need is unknown */
    uint32_t static_shared_bytes; /* all .shared variables that it can reach */
    /* for one thread, of the deepest call chain */
    uint32_t local_bytes;
};

/*
 * Emits the kernel of a plan (an entry, analysed for its block shape);
 * analyses device functions itself. NULL after reporting what cannot be
 * compiled, by name and PTX position. The caller owns the module. One LLVM
 * context for each thread.
 */
LLVMModuleRef emit_kernel(LLVMContextRef context, const struct simt_plan *plan,
                          struct emit_info *info, struct diag *diag);

#endif
