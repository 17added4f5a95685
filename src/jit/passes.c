/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The optimisation pipeline, chosen by hand. The emitter's code is already
 * vector code: what pays is cleaning up after it and moving invariants out of
 * loops. LLVM's own -O2 takes several times as long, mostly for inlining
 * heuristics, vectorisers and repeated rounds that find nothing here.
 */
#include "jit/llvm.h"

#include <llvm-c/Transforms/PassBuilder.h>

static const char pipeline[] =
    /* Device functions are internal, so dead ones go first. */
    "always-inline,globaldce,"
    "function("
    "sroa,"
    "early-cse<memssa>,"
    "instcombine<no-verify-fixpoint>,"
    "simplifycfg,"
    "jump-threading,"
    "loop-mssa(loop-simplifycfg,loop-rotate,licm),"
    "simplifycfg,"
    "instcombine<no-verify-fixpoint>,"
    "gvn,"
    "dse,"
    "loop-mssa(licm),"
    "instcombine<no-verify-fixpoint>,"
    "simplifycfg<bonus-inst-threshold=1>"
    ")";

bool jit_run_passes(LLVMModuleRef module, LLVMTargetMachineRef machine,
                    struct diag *diag)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, pipeline, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *text = LLVMGetErrorMessage(error);
    diag_error(diag, "optimising: %s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}
