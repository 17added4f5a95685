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
/* lower.c: loops in place of vector operations that the target lacks. */
void jit_lower(const struct jit_target *target, LLVMModuleRef module);
/* masks.c: cheaper masks for the two sides of a branch. */
void jit_share_masks(LLVMModuleRef module);
/* blend.c: a way around a bug of LLVM's, after all optimisation. */
void jit_protect_blends(LLVMModuleRef module);

#endif
