/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules, read from text or bitcode of any version that LLVM upgrades, are
 * linked into one, optimised and printed as PTX.
 */
#include "nvvm/internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "nvvm/prelude.h"

#define TRIPLE "nvptx64-nvidia-cuda"

struct job {
    const struct nvvm_options *options;
    LLVMContextRef context;
    LLVMTargetMachineRef machine;
    LLVMModuleRef whole;
    VEC(char *) lazy; /* names that lazy modules alone define */
    struct nvvm_log *log;
    bool has_errors;
    bool is_of_other_version; /* a module */
};

/* ---- LLVM ---------------------------------------------------------------- */

static void init_llvm(void)
{
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
}

static void note_diagnostic(LLVMDiagnosticInfoRef info, void *data)
{
    struct job *job = data;
    LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
    char *text = LLVMGetDiagInfoDescription(info);
    if (severity == LLVMDSError) {
        nvvm_say(job->log, "error: %s", text);
        job->has_errors = true;
    } else if (severity == LLVMDSWarning) {
        nvvm_say(job->log, "warning: %s", text);
    }
    LLVMDisposeMessage(text);
}

/* The PTX version for a device: weftcc's choice; the newest for devices newer
 * than the one we stand for. */
static const char *ptx_feature(unsigned arch)
{
    return arch == 88   ? "+ptx90" /* the first version that has it */
           : arch < 90  ? "+ptx80"
           : arch == 90 ? "+ptx87"
                        : "+ptx90";
}

static bool make_machine(struct job *job)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    LLVMTargetRef target;
    char *message = NULL;
    pthread_once(&once, init_llvm);
    if (LLVMGetTargetFromTriple(TRIPLE, &target, &message)) {
        nvvm_say(job->log, "%s", message);
        LLVMDisposeMessage(message);
        return false;
    }
    job->machine = LLVMCreateTargetMachine(
        target, TRIPLE, job->options->arch, ptx_feature(job->options->number),
        job->options->is_optimised ? LLVMCodeGenLevelAggressive
                                   : LLVMCodeGenLevelNone,
        LLVMRelocDefault, LLVMCodeModelDefault);
    return job->machine != NULL;
}

/* ---- reading ------------------------------------------------------------- */

static bool is_bitcode(const struct nvvm_module *m)
{
    return m->size_bytes >= 4 && (!memcmp(m->bytes, "BC\xc0\xde", 4) ||
                                  !memcmp(m->bytes, "\xde\xc0\x17\x0b", 4));
}

/* Redirects calls of intrinsics that LLVM has in another form to the prelude's
 * functions. */
static void rename_intrinsics(LLVMModuleRef m)
{
    for (size_t i = 0; i < ARRAY_COUNT(nvvm_renamed); i++) {
        LLVMValueRef f = LLVMGetNamedFunction(m, nvvm_renamed[i][0]);
        if (f)
            LLVMSetValueName2(f, nvvm_renamed[i][1],
                              strlen(nvvm_renamed[i][1]));
    }
}

/* LLVM's "name:2:7: error: text", then the line, as "name (2, 6): parse text";
 * columns count from 0 there. */
static void say_unread(struct job *job, const char *name, const char *message)
{
    unsigned line, column;
    int length = 0;
    size_t n = strlen(name);
    if (!strncmp(message, name, n) &&
        sscanf(message + n, ":%u:%u: error: %n", &line, &column, &length) ==
            2 &&
        length) {
        const char *text = message + n + length;
        nvvm_say(job->log, "%s (%u, %u): parse %.*s", name, line, column - 1,
                 (int)strcspn(text, "\n"), text);
        return;
    }
    nvvm_say(job->log, "%s: error: %s", name, message);
}

static LLVMModuleRef parse_module(struct job *job, const char *bytes,
                                  size_t size_bytes, const char *name)
{
    LLVMModuleRef m = NULL;
    char *message = NULL;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, size_bytes, name);
    bool failed = LLVMParseIRInContext2(job->context, buffer, &m, &message);
    LLVMDisposeMemoryBuffer(buffer);
    if (!failed)
        return m;
    say_unread(job, name, message ? message : "cannot be read");
    LLVMDisposeMessage(message);
    return NULL;
}

/* Reads `!nvvmir.version`: the IR's version and, if there are four numbers, the
 * debug information's. A module without it is of version 1.0. */
static void read_version(LLVMModuleRef m, unsigned version[4])
{
    LLVMValueRef node, numbers[4];
    version[0] = 1;
    version[1] = 0;
    version[2] = NVVM_DEBUG_MAJOR;
    version[3] = NVVM_DEBUG_MINOR;
    if (LLVMGetNamedMetadataNumOperands(m, "nvvmir.version") != 1)
        return;
    LLVMGetNamedMetadataOperands(m, "nvvmir.version", &node);
    unsigned count = LLVMGetMDNodeNumOperands(node);
    if (count != 2 && count != 4)
        return;
    LLVMGetMDNodeOperands(node, numbers);
    for (unsigned i = 0; i < count; i++)
        if (numbers[i] && LLVMIsAConstantInt(numbers[i]))
            version[i] = (unsigned)LLVMConstIntGetZExtValue(numbers[i]);
}

/* Refuses a module of another version, except a lazy one: libraries say no
 * version. */
static bool check_version(struct job *job, LLVMModuleRef m,
                          const struct nvvm_module *from)
{
    unsigned v[4];
    read_version(m, v);
    bool is_ir = v[0] != NVVM_IR_MAJOR || v[1] > NVVM_IR_MINOR;
    bool is_debug = v[2] != NVVM_DEBUG_MAJOR || v[3] > NVVM_DEBUG_MINOR;
    if (from->is_lazy || (!is_ir && !is_debug))
        return true;
    nvvm_say(job->log,
             "%s version %u.%u incompatible with current version %d.%d",
             is_ir ? "IR" : "DBG", v[is_ir ? 0 : 2], v[is_ir ? 1 : 3],
             is_ir ? NVVM_IR_MAJOR : NVVM_DEBUG_MAJOR,
             is_ir ? NVVM_IR_MINOR : NVVM_DEBUG_MINOR);
    nvvm_say(job->log,
             "%s: error: incompatible IR detected. Possible mix of "
             "compiler/IR from different releases.",
             from->name);
    job->is_of_other_version = true;
    return false;
}

static LLVMModuleRef read_module(struct job *job,
                                 const struct nvvm_module *from)
{
    char *message = NULL, *text = NULL;
    if (!is_bitcode(from) && !(text = nvvm_forget_pointees(from->bytes))) {
        nvvm_say(job->log, "no memory");
        return NULL;
    }
    LLVMModuleRef m =
        parse_module(job, text ? text : from->bytes,
                     text ? strlen(text) : from->size_bytes, from->name);
    free(text);
    if (!m)
        return NULL;
    if (!check_version(job, m, from)) {
        LLVMDisposeModule(m);
        return NULL;
    }
    rename_intrinsics(m);
    if (!LLVMVerifyModule(m, LLVMReturnStatusAction, &message)) {
        LLVMDisposeMessage(message);
        LLVMSetTarget(m, TRIPLE);
        LLVMSetModuleDataLayout(m, LLVMCreateTargetDataLayout(job->machine));
        return m;
    }
    nvvm_say(job->log, "%s: error: %s", from->name, message);
    LLVMDisposeMessage(message);
    LLVMDisposeModule(m);
    return NULL;
}

/* ---- linking ------------------------------------------------------------- */

static bool is_defined(LLVMModuleRef m, const char *name)
{
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    return f && !LLVMIsDeclaration(f);
}

/* Notes the names of functions that `m` defines and the modules before it do
 * not. */
static void note_lazy(struct job *job, LLVMModuleRef m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f;
         f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        if (LLVMIsDeclaration(f) || is_defined(job->whole, name))
            continue;
        char *copy = strdup(name);
        if (!copy || !vec_push(&job->lazy, copy))
            free(copy);
    }
}

static bool add_module(struct job *job, const struct nvvm_module *from)
{
    LLVMModuleRef m = read_module(job, from);
    if (!m)
        return false;
    if (from->is_lazy)
        note_lazy(job, m);
    return !LLVMLinkModules2(job->whole, m) && !job->has_errors;
}

/* Links lazy modules behind all others, in whatever order they were added. */
static bool add_modules(struct job *job, const nvvm_modules *modules)
{
    const struct nvvm_module prelude = {
        (char *)nvvm_prelude, sizeof nvvm_prelude - 1, (char *)"prelude", true};
    for (int lazy = 0; lazy < 2; lazy++)
        for (size_t i = 0; i < modules->count; i++)
            if (modules->data[i].is_lazy == lazy &&
                !add_module(job, &modules->data[i]))
                return false;
    return add_module(job, &prelude);
}

/* Makes what lazy modules define internal, so that unused parts go. */
static void hide_lazy(struct job *job)
{
    for (size_t i = 0; i < job->lazy.count; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(job->whole, job->lazy.data[i]);
        if (f && !LLVMIsDeclaration(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

/* ---- options ------------------------------------------------------------- */

static void set_attribute(struct job *job, LLVMValueRef f, const char *key,
                          const char *value)
{
    LLVMAddAttributeAtIndex(
        f, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(job->context, key, (unsigned)strlen(key),
                                  value, (unsigned)strlen(value)));
}

/* -fma=1: a product that is added to something may be fused with the sum. */
static void allow_contraction(LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            if (op == LLVMFAdd || op == LLVMFSub || op == LLVMFMul)
                LLVMSetFastMathFlags(i, LLVMGetFastMathFlags(i) |
                                            LLVMFastMathAllowContract);
        }
}

static LLVMAttributeRef convergent_attribute(struct job *job)
{
    static const char name[] = "convergent";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    return LLVMCreateEnumAttribute(job->context, kind, 0);
}

/* Marks every asm statement and function convergent, as NVVM does: an asm may
 * look at its warp, so two that are alike on both sides of a branch must not
 * become one. LLVM removes the mark from functions that contain none. */
static void keep_apart(struct job *job, LLVMValueRef f)
{
    if (!LLVMIsDeclaration(f))
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                convergent_attribute(job));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
                LLVMAddCallSiteAttribute(i, LLVMAttributeFunctionIndex,
                                         convergent_attribute(job));
}

static void apply_options(struct job *job)
{
    const struct nvvm_options *o = job->options;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(job->context);
    static const char reflect[] = "nvvm-reflect-ftz";
    LLVMAddModuleFlag(job->whole, LLVMModuleFlagBehaviorOverride, reflect,
                      sizeof reflect - 1,
                      LLVMValueAsMetadata(LLVMConstInt(i32, o->flushes, 0)));
    for (LLVMValueRef f = LLVMGetFirstFunction(job->whole); f;
         f = LLVMGetNextFunction(f)) {
        if (o->flushes)
            set_attribute(job, f, "denormal-fp-math-f32",
                          "preserve-sign,preserve-sign");
        keep_apart(job, f);
        if (o->contracts && o->is_optimised)
            allow_contraction(f);
    }
}

/* ---- code ---------------------------------------------------------------- */

static bool optimise_whole(struct job *job)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef err =
        LLVMRunPasses(job->whole,
                      job->options->is_optimised ? "default<O3>,globaldce"
                                                 : "default<O0>,globaldce",
                      job->machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!err)
        return !job->has_errors;
    char *message = LLVMGetErrorMessage(err);
    nvvm_say(job->log, "%s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

static char *print_ptx(struct job *job)
{
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL, *text = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(
            job->machine, job->whole, LLVMAssemblyFile, &message, &buffer)) {
        nvvm_say(job->log, "%s", message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    if (!job->has_errors)
        text = strndup(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    return text;
}

static char *compile_modules(struct job *job, const nvvm_modules *modules,
                             bool only_check)
{
    if (!make_machine(job))
        return NULL;
    job->whole = LLVMModuleCreateWithNameInContext("nvvm", job->context);
    LLVMSetTarget(job->whole, TRIPLE);
    LLVMSetModuleDataLayout(job->whole,
                            LLVMCreateTargetDataLayout(job->machine));
    if (!add_modules(job, modules))
        return NULL;
    if (only_check)
        return strdup("");
    hide_lazy(job);
    apply_options(job);
    return optimise_whole(job) ? print_ptx(job) : NULL;
}

nvvmResult nvvm_compile(const nvvm_modules *modules,
                        const struct nvvm_options *o, bool only_check,
                        struct nvvm_log *log, char **out)
{
    struct job job = {.options = o, .context = LLVMContextCreate(), .log = log};
    LLVMContextSetDiagnosticHandler(job.context, note_diagnostic, &job);
    *out = compile_modules(&job, modules, only_check);
    for (size_t i = 0; i < job.lazy.count; i++)
        free(job.lazy.data[i]);
    vec_fini(&job.lazy);
    if (job.whole)
        LLVMDisposeModule(job.whole);
    if (job.machine)
        LLVMDisposeTargetMachine(job.machine);
    LLVMContextDispose(job.context);
    return *out                      ? NVVM_SUCCESS
           : job.is_of_other_version ? NVVM_ERROR_IR_VERSION_MISMATCH
                                     : NVVM_ERROR_COMPILATION;
}
