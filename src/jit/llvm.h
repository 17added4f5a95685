/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of libweft-compiler.so share; the part of jit/ that knows
 * LLVM.
 */
#ifndef WEFT_JIT_LLVM_H
#define WEFT_JIT_LLVM_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "jit/internal.h"

/* target.c: code for `target`; NULL after reporting. */
LLVMTargetMachineRef jit_target_machine(const struct jit_target *target,
                                        struct diag *diag);
/* Gives the module and its functions everything that LLVM wants to be told
 * about the target apart from the machine. */
void jit_target_apply(const struct jit_target *target,
                      LLVMTargetMachineRef machine, LLVMModuleRef module);
void jit_target_apply_function(const struct jit_target *target,
                               LLVMValueRef function);

/* passes.c: optimises, and makes the module ready for code generation; false
 * after reporting. */
bool jit_run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine,
                    const struct jit_target *target, struct diag *diag);
/* bases.c: addresses of many groups of lanes in a loop. */
void jit_split_bases(LLVMModuleRef module);
/* narrow.c: accesses whose mask is constant. */
void jit_narrow(LLVMModuleRef module);
/* localise.c: shared memory in registers; true: it is. */
bool jit_localise(const struct jit_target *target, LLVMModuleRef module);
/* lower.c: loops in place of vector operations that the target lacks. */
void jit_lower(const struct jit_target *target, LLVMModuleRef module);
/* lower.c: "llvm.fma.v32f32" of a call of it; NULL: no intrinsic's call. */
const char *jit_intrinsic_name(LLVMValueRef in);
/* masks.c: cheaper masks for the two sides of a branch. */
void jit_share_masks(LLVMModuleRef module);
/* avoid.c: ways around bugs of LLVM's, after all optimisation. */
void jit_avoid_bugs(LLVMModuleRef module);
/* gathers.c: no address of a gather is without a value. */
void jit_set_gather(LLVMBuilderRef b, LLVMValueRef gather);

/* ---- memory.c ----------------------------------------------------------- */

/* Between begin and end, what this thread allocates in this library is from a
 * heap that compilations have, and may be freed nowhere else; but for what it
 * allocates while the heap is suspended. */
#ifdef WEFT_COMPILER_MEMORY
void jit_memory_begin(void);
void jit_memory_suspend(void);
void jit_memory_resume(void);
void jit_memory_end(void);
/* What the heap is going to use first, and has not used yet. */
void *jit_memory_fresh(size_t *size_bytes);
#else
static inline void jit_memory_begin(void)
{
}
static inline void jit_memory_suspend(void)
{
}
static inline void jit_memory_resume(void)
{
}
static inline void jit_memory_end(void)
{
}
static inline void *jit_memory_fresh(size_t *size_bytes)
{
    *size_bytes = 0;
    return NULL;
}
#endif

/* warm.c: brings in the pages of this library and of the heap, on a thread of
 * its own. */
void jit_warm_up(void);

/* ---- narrow.c: masked accesses ------------------------------------------ */

enum jit_masked {
    JIT_MASKED_NONE,
    JIT_MASKED_LOAD,
    JIT_MASKED_STORE,
    JIT_MASKED_GATHER,
    JIT_MASKED_SCATTER,
};
enum jit_masked jit_masked_kind(LLVMValueRef in);

struct jit_masked_access {
    LLVMValueRef in, pointer, mask;
    LLVMValueRef value;     /* stored; NULL: a load */
    LLVMValueRef otherwise; /* what lanes that are not in the mask get */
    LLVMTypeRef vector;
    unsigned align;
};
struct jit_masked_access jit_masked_parts(LLVMValueRef in,
                                          enum jit_masked kind);

#endif
