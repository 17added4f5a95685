/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LLVM's view of the target. Features are the ones found on this machine, the
 * CPU is a baseline without a name of its own: LLVM takes some processors for
 * older models and would then keep to half of the register width.
 */
#include "codegen/codegen.h"
#include "abi/abi.h"

#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdio.h>

/* Options that keep the time of code generation linear in a kernel's length.
 * bench/run shows no slower code. */
static void set_options(void)
{
    static const char *const options[] = {
        "weft",
        /* In a function of fewer blocks than this, CodeGenPrepare starts again
         * after each change. LLVM's own limit is higher. */
        "-cgpp-huge-func=300",
        /* Loop strength reduction walks from every loop back to the function's
         * start; and addresses in loops are rarely what takes time here. */
        "-disable-lsr",
        /* Joining copies between blocks first makes long live ranges that the
         * register allocator splits again. Without, kernels with divergent
         * branches compile in a quarter less time to 10% less code. */
        "-join-globalcopies=0",
        /* The terminal rule compares each copy with all others of the same
         * source: a fifth of the time where there are thousands. */
        "-terminal-rule=0",
        /* In a block with more memory accesses than this, the scheduler does
         * not ask of each pair whether they may overlap. With LLVM's 1000, a
         * block with thousands doubles the time of the compilation. */
        "-dag-maps-huge-region=200",
    };
    LLVMParseCommandLineOptions((int)ARRAY_COUNT(options), options, NULL);
}

static void init_llvm(void)
{
    set_options();
#if defined __x86_64__
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
#elif defined __aarch64__
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
#endif
}

LLVMTargetMachineRef codegen_target_machine(const struct jit_target *t,
                                            enum compiler_effort effort,
                                            struct diag *diag)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_llvm);

    LLVMTargetRef target;
    char *error = NULL;
    if (LLVMGetTargetFromTriple(t->triple, &target, &error)) {
        diag_error(diag, "LLVM has no target for %s: %s", t->triple, error);
        LLVMDisposeMessage(error);
        return NULL;
    }
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
        target, t->triple, t->cpu, t->features,
        effort == COMPILER_QUICK ? LLVMCodeGenLevelNone
                                 : LLVMCodeGenLevelDefault,
        LLVMRelocPIC, LLVMCodeModelSmall);
    if (!machine)
        diag_error(diag, "LLVM makes no code for %s", t->key);
    return machine;
}

static void add_attribute(LLVMValueRef function, const char *name,
                          const char *value)
{
    LLVMContextRef context =
        LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value,
                                  (unsigned)strlen(value)));
}

void codegen_target_apply_function(const struct jit_target *t, LLVMValueRef f)
{
    char width[16];
    snprintf(width, sizeof width, "%u", t->vector_bytes * 8);
    add_attribute(f, "target-cpu", t->cpu);
    add_attribute(f, "target-features", t->features);
    add_attribute(f, "prefer-vector-width", width);
    add_attribute(f, "min-legal-vector-width", width);
    /* Asks the code generator to tell every function's stack need, which it
     * does by way of a warning: see compile.c. */
    add_attribute(f, "warn-stack-size", "0");
}

/* Says that the stack is aligned to WEFT_STACK_ALIGN at a kernel's entry, so
 * that no prologue aligns it for spilled vectors. */
static void set_stack_align(const struct jit_target *t, LLVMModuleRef module)
{
    static const char name[] = "override-stack-alignment";
    LLVMContextRef cx = LLVMGetModuleContext(module);
    LLVMValueRef bytes =
        LLVMConstInt(LLVMInt32TypeInContext(cx), WEFT_STACK_ALIGN, 0);

    if (t->is_x86)
        LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorError, name,
                          sizeof name - 1, LLVMValueAsMetadata(bytes));
}

void codegen_target_apply(const struct jit_target *t,
                          LLVMTargetMachineRef machine, LLVMModuleRef module)
{
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(module, layout);
    LLVMDisposeTargetData(layout);
    LLVMSetTarget(module, t->triple);
    set_stack_align(t, module);

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            codegen_target_apply_function(t, f);
}
