/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PTX and shapes to LLVM IR: one kernel, with every device function it can
 * reach, becomes one LLVM module without external symbols. llvm-c is included
 * here and in jit/ alone.
 */
#ifndef WEFT_EMIT_H
#define WEFT_EMIT_H

#include <llvm-c/Core.h>

#include "ptx/effects.h"
#include "simt/plan/plan.h"

/* Facts about the result that the launcher needs. */
struct emit_info {
    /* What the code takes arguments to be multiples of; where they are not,
     * the kernel is to be compiled with simt_spec.tests_alignment. */
    struct simt_need needs[SIMT_MAX_NEEDS];
    uint32_t need_count;
    bool has_barrier; /* or anything else that needs a fiber per warp */
    bool has_waits, takes_turns;
    bool is_recursive;            /* stack need unknown */
    uint32_t static_shared_bytes; /* all .shared variables it can reach */
    uint32_t local_bytes;         /* per thread, of the deepest call chain */
};

/*
 * Emits the kernel of a plan (an entry, analysed for its block shape). Device
 * functions are analysed inside. Returns NULL after reporting an instruction or
 * a construct that cannot be compiled, by name and PTX position. The caller
 * owns the module. One LLVM context per thread.
 */
LLVMModuleRef emit_kernel(LLVMContextRef context, const struct simt_plan *plan,
                          struct emit_info *info, struct diag *diag);

#endif
