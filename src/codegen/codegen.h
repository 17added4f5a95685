/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From emitted LLVM code to an object file: libweft-compiler.so, of which jit
 * knows struct compiler_api and nothing else. The emitter's module goes through
 *
 *   compile.c             PTX -> simt -> emit -> passes -> an object, or text
 *   passes.c              the order of LLVM's passes and of these:
 *   affine_addresses.c    addresses of many groups of lanes in a loop
 *   masked_accesses.c     accesses whose mask is constant
 *   promote_shared.c      shared memory in registers
 *   lower.c               loops for vector operations that the target lacks
 *   share_masks.c         cheaper masks for the two sides of a branch
 *   workarounds.c, workaround_gathers.c   bugs of LLVM's
 *   target.c              what LLVM is told about the machine
 *
 * beside which heap.c is the library's malloc, prefault.c brings in its pages,
 * and immortal.c keeps it loaded.
 */
#ifndef WEFT_CODEGEN_H
#define WEFT_CODEGEN_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "jit/internal.h"

/* target.c: code for `target`; NULL after reporting. */
LLVMTargetMachineRef codegen_target_machine(const struct jit_target *target,
                                            enum compiler_effort effort,
                                            struct diag *diag);
/* Gives the module and its functions everything that LLVM wants to be told
 * about the target apart from the machine. */
void codegen_target_apply(const struct jit_target *target,
                          LLVMTargetMachineRef machine, LLVMModuleRef module);
void codegen_target_apply_function(const struct jit_target *target,
                                   LLVMValueRef function);

/* passes.c: optimises, and makes the module ready for code generation; false
 * after reporting. */
bool codegen_run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine,
                        const struct jit_target *target,
                        enum compiler_effort effort, struct diag *diag);
/* affine_addresses.c: addresses of many groups of lanes in a loop. */
void codegen_split_addresses(LLVMModuleRef module);
/* masked_accesses.c: accesses whose mask is constant. */
void codegen_narrow_masked(LLVMModuleRef module);
/* promote_shared.c: shared memory in registers; true: it is. */
bool codegen_promote_shared(const struct jit_target *target,
                            LLVMModuleRef module);
/* lower.c: loops in place of vector operations that the target lacks. */
void codegen_lower(const struct jit_target *target, LLVMModuleRef module);
/* lower.c: "llvm.fma.v32f32" of a call of it; NULL: no intrinsic's call. */
const char *codegen_intrinsic_name(LLVMValueRef in);
/* share_masks.c: cheaper masks for the two sides of a branch. */
void codegen_share_masks(LLVMModuleRef module);
/* workarounds.c: ways around bugs of LLVM's, after all optimisation. */
void codegen_work_around(LLVMModuleRef module);
/* workaround_gathers.c: no address of a gather is without a value. */
void codegen_set_gather(LLVMBuilderRef b, LLVMValueRef gather);

/* ---- heap.c ----------------------------------------------------------- */

/* Between begin and end, what this thread allocates in this library is from a
 * heap that compilations have, and may be freed nowhere else; but for what it
 * allocates while the heap is suspended. */
#ifdef WEFT_COMPILER_MEMORY
void codegen_heap_begin(void);
void codegen_heap_suspend(void);
void codegen_heap_resume(void);
void codegen_heap_end(void);
/* What the heap is going to use first, and has not used yet. */
void *codegen_heap_fresh(size_t *size_bytes);
#else
static inline void codegen_heap_begin(void)
{
}
static inline void codegen_heap_suspend(void)
{
}
static inline void codegen_heap_resume(void)
{
}
static inline void codegen_heap_end(void)
{
}
static inline void *codegen_heap_fresh(size_t *size_bytes)
{
    *size_bytes = 0;
    return NULL;
}
#endif

/* prefault.c: brings in the pages of this library and of the heap, on a thread
 * of its own. */
void codegen_prefault(void);

/* ---- masked_accesses.c: masked accesses
 * ------------------------------------------ */

enum codegen_masked {
    CODEGEN_MASKED_NONE,
    CODEGEN_MASKED_LOAD,
    CODEGEN_MASKED_STORE,
    CODEGEN_MASKED_GATHER,
    CODEGEN_MASKED_SCATTER,
};
/* Which masked access the instruction is, and its operands. */
enum codegen_masked codegen_masked_kind(LLVMValueRef in);

struct codegen_masked_access {
    LLVMValueRef in, pointer, mask;
    LLVMValueRef value;     /* stored; NULL: a load */
    LLVMValueRef otherwise; /* what lanes that are not in the mask get */
    LLVMTypeRef vector;
    unsigned align;
};
/* The operands of a masked load, store, gather or scatter. */
struct codegen_masked_access codegen_masked_parts(LLVMValueRef in,
                                                  enum codegen_masked kind);

#endif
