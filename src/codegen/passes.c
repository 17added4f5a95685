/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The optimisation pipeline, chosen by hand. The emitter's code is already
 * vector code: what pays is cleaning up after it and moving invariants out of
 * loops. Over 342 kernels of our examples and tests this takes 2.6 ms each on
 * average (code generation 8.6), LLVM's -O2 three times that for 10% larger
 * code: inlining heuristics, vectorisers and repeated rounds find nothing
 * here. Code that is wanted quickly goes without the second half: see
 * src/jit/jit.c.
 */
#include "codegen/codegen.h"

#include <llvm-c/Transforms/PassBuilder.h>

/* One round need not reach the fixed point, and stopping earlier is no
 * error. */
#define INSTCOMBINE "instcombine<no-verify-fixpoint>,"

static const char first[] =
    /* Device functions are internal, so dead ones go first. */
    "always-inline,globaldce,"
    "function("
    /* Registers become values; what is left for sroa are .local arrays. */
    "mem2reg,early-cse,simplifycfg,sroa," INSTCOMBINE "jump-threading"
    ")";

/* After codegen_promote_shared has made a variable of shared memory. */
static const char localised[] =
    "function(sroa,early-cse," INSTCOMBINE "simplifycfg)";

static const char second[] =
    "function("
    "loop-mssa(loop-simplifycfg,loop-rotate,licm),simplifycfg,"
    "gvn,bdce,dse,"
    /* Again, for invariants that gvn has exposed. */
    "loop-mssa(licm)," INSTCOMBINE "simplifycfg<bonus-inst-threshold=1>"
    ")";

static LLVMErrorRef run_optimiser(LLVMModuleRef module,
                                  LLVMTargetMachineRef machine,
                                  const struct jit_target *target,
                                  enum compiler_effort effort,
                                  LLVMPassBuilderOptionsRef options)
{
    LLVMErrorRef error = LLVMRunPasses(module, first, machine, options);
    if (error)
        return error;
    codegen_split_addresses(module);
    codegen_narrow_masked(module);
    if (codegen_promote_shared(target, module))
        error = LLVMRunPasses(module, localised, machine, options);
    if (error || effort == COMPILER_QUICK)
        return error;
    return LLVMRunPasses(module, second, machine, options);
}

bool codegen_run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine,
                        const struct jit_target *target,
                        enum compiler_effort effort, struct diag *diag)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error =
        run_optimiser(module, machine, target, effort, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error) {
        codegen_share_masks(module);
        codegen_load_gathered(target, module);
        codegen_lower(target, module);
        codegen_work_around(module);
        return true;
    }
    char *text = LLVMGetErrorMessage(error);
    diag_error(diag, "optimising: %s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}
