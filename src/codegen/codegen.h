/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libweft-compiler.so, of which jit knows struct compiler_api and nothing else.
 * A kernel goes through
 *
 *   compile.c             PTX -> simt -> emit -> passes -> an object, or text
 *   passes.c              the order of LLVM's passes and of these:
 *   affine_addresses.c    cheaper addresses of groups of lanes in a loop
 *   masked_accesses.c     plain accesses for those with a constant mask
 *   promote_shared.c      shared memory in registers
 *   gather_loads.c        loads for gathers, where these take longer
 *   lower.c               loops for vector operations that the target lacks
 *   share_masks.c         cheaper masks for the two sides of a branch
 *   workarounds.c, workaround_gathers.c   bugs of LLVM's
 *   target.c              what LLVM is told about the machine
 *
 * Besides, heap.c is the library's malloc, prefault.c brings in its pages, and
 * immortal.c keeps LLVM's static objects alive at exit.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  one at a time for each module; modules share nothing
 *   errors   false or NULL after a message in the struct diag; a pass that
 *            finds nothing to do changes nothing
 *   owners   a module stays the caller's; objects and texts are malloc'ed for
 *            the caller
 *   units    sizes are bytes, times nanoseconds
 */
#ifndef WEFT_CODEGEN_H
#define WEFT_CODEGEN_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "jit/internal.h"

/* target.c: LLVM's code generator for `target`; the caller disposes of it. NULL
 * after reporting. */
LLVMTargetMachineRef codegen_target_machine(const struct jit_target *target,
                                            enum compiler_effort effort,
                                            struct diag *diag);
/* Sets the module's triple, data layout and stack alignment, and all attributes
 * about the target of the functions that it defines; or of one function. */
void codegen_target_apply(const struct jit_target *target,
                          LLVMTargetMachineRef machine, LLVMModuleRef module);
void codegen_target_apply_function(const struct jit_target *target,
                                   LLVMValueRef function);

/* passes.c: optimises the module in place, and makes it ready for code
 * generation; false after reporting. */
bool codegen_run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine,
                        const struct jit_target *target,
                        enum compiler_effort effort, struct diag *diag);
/* affine_addresses.c: splits addresses of groups of lanes in loops into a part
 * that stays and one that moves. */
void codegen_split_addresses(LLVMModuleRef module);
/* masked_accesses.c: makes accesses with a constant mask plain ones. */
void codegen_narrow_masked(LLVMModuleRef module);
/* promote_shared.c: makes a variable of the shared memory window, where it can;
 * true: it did. */
bool codegen_promote_shared(const struct jit_target *target,
                            LLVMModuleRef module);
/* gather_loads.c: loads in place of gathers of all lanes, where the target's
 * own take longer. */
void codegen_load_gathered(const struct jit_target *target,
                           LLVMModuleRef module);
/* lower.c: puts loops in place of vector operations that the target lacks. */
void codegen_lower(const struct jit_target *target, LLVMModuleRef module);
/* lower.c: the name of the intrinsic that `in` calls, as "llvm.fma.v32f32";
 * NULL: it calls none. LLVM owns the string. */
const char *codegen_intrinsic_name(LLVMValueRef in);
/* share_masks.c: computes the mask of a branch's second side from the first. */
void codegen_share_masks(LLVMModuleRef module);
/* workarounds.c: ways around bugs of LLVM's, after all optimisation. */
void codegen_work_around(LLVMModuleRef module);
/* workaround_gathers.c: gives undefined addresses of a gather a value. */
void codegen_set_gather(LLVMBuilderRef b, LLVMValueRef gather);

/* ---- heap.c ----------------------------------------------------------- */

/* Between begin and end, malloc in this library takes this thread's memory from
 * a heap of its compilation; only this library may free it. What outlives the
 * compilation is allocated between suspend and resume, from the C library. A
 * lock guards the list of heaps; each heap is one thread's at a time. */
#ifdef WEFT_COMPILER_MEMORY
void codegen_heap_begin(void);
void codegen_heap_suspend(void);
void codegen_heap_resume(void);
void codegen_heap_end(void);
/* The memory that this thread's heap will use next, untouched so far. NULL, and
 * 0 bytes: there is no heap. */
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

/* prefault.c: at the process's first call, starts a thread that brings in the
 * pages of this library and of the caller's heap. */
void codegen_prefault(void);

/* ---- masked_accesses.c -------------------------------------------------- */

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
    LLVMValueRef otherwise; /* of a load: what lanes outside the mask get */
    LLVMTypeRef vector;
    unsigned align;
};
/* The operands of a masked load, store, gather or scatter. */
struct codegen_masked_access codegen_masked_parts(LLVMValueRef in,
                                                  enum codegen_masked kind);
/* `to` overlaps as little as `from` does. */
void codegen_copy_alias(LLVMContextRef cx, LLVMValueRef from, LLVMValueRef to);

#endif
