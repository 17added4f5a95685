/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One kernel from PTX to an object: analyse, emit, optimise, generate code.
 * This file is the door of libweft-compiler.so; all that it shows is the
 * table weft_compiler.
 *
 * LLVM ends the process when it meets something it cannot do. Here that must
 * become a message, since we are a guest in somebody's program: its handler
 * for fatal errors jumps back to where this compilation began. What the
 * compilation held by then is lost memory, never a lost program.
 */
#include "codegen/codegen.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/ErrorHandling.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "emit/emit.h"

static_assert(SIMT_MAX_NEEDS == JIT_MAX_NEEDS, "one list is the other");

struct compilation {
    const struct ptx_module *ptx;
    const struct ptx_func *kernel;
    const struct simt_spec *spec;
    const struct jit_target *target;
    enum compiler_effort effort;
    struct diag *diag;

    struct arena *arena;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
    struct emit_info info;
    unsigned lane_count; /* decided on */
    size_t stack_bytes;  /* of all functions together */
};

/* ---- what LLVM has to say ----------------------------------------------- */

/* Where a fatal error of LLVM leads to. */
struct fatal_exit {
    jmp_buf to;
    char text[512];
};
static _Thread_local struct fatal_exit *fatal_exit; /* NULL: not compiling */

static void on_fatal_error(const char *reason)
{
    if (!fatal_exit)
        return;
    snprintf(fatal_exit->text, sizeof fatal_exit->text, "%s", reason);
    longjmp(fatal_exit->to, 1);
}

static void install_handler(void)
{
    LLVMInstallFatalErrorHandler(on_fatal_error);
}

/* "stack frame size (N) exceeds limit (0) in function 'f'": the answer to
 * the attribute that target.c puts on every function. */
static bool is_stack_size(const char *text, size_t *size_bytes)
{
    const char *at = strstr(text, "stack frame size (");
    return at && sscanf(at, "stack frame size (%zu)", size_bytes) == 1;
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *data)
{
    struct compilation *c = data;
    char *text = LLVMGetDiagInfoDescription(info);
    size_t size_bytes;
    if (is_stack_size(text, &size_bytes))
        c->stack_bytes += size_bytes;
    else if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
        diag_error(c->diag, "%s: %s", c->kernel->name, text);
    LLVMDisposeMessage(text);
}

/* ---- the stages --------------------------------------------------------- */

/* Verifies the module, which takes 3% of the time: only if WEFT_VERIFY is set,
 * as our tests do. */
static bool is_valid(struct compilation *c)
{
    char *problem = NULL;
    if (!getenv("WEFT_VERIFY"))
        return true;
    bool is_bad = LLVMVerifyModule(c->module, LLVMReturnStatusAction, &problem);
    if (is_bad)
        diag_error(c->diag, "%s: weft made invalid LLVM code: %s",
                   c->kernel->name, problem);
    LLVMDisposeMessage(problem);
    return !is_bad;
}

static bool make_module(struct compilation *c)
{
    struct simt_machine machine = jit_machine(c->target);
    /* For the lane and warp counts that simt chooses where the specialisation
     * leaves them open. */
    const struct simt_plan *plan =
        simt_plan_chosen(c->arena, c->ptx, c->kernel, c->spec,
                         c->spec->preferred_warps, &machine, c->diag);
    if (!plan)
        return false;
    c->lane_count = simt_coarse_lanes(&plan->k->spec);
    c->module = emit_kernel(c->context, plan, &c->info, c->diag);
    if (!c->module)
        return false;
    codegen_target_apply(c->target, c->machine, c->module);
    return is_valid(c);
}

static LLVMMemoryBufferRef generate_code(struct compilation *c,
                                         LLVMCodeGenFileType type)
{
    char *problem = NULL;
    LLVMMemoryBufferRef buffer = NULL;
    unsigned errors = c->diag->error_count;
    if (LLVMTargetMachineEmitToMemoryBuffer(c->machine, c->module, type,
                                            &problem, &buffer)) {
        diag_error(c->diag, "%s: %s", c->kernel->name, problem);
        LLVMDisposeMessage(problem);
        return NULL;
    }
    if (c->diag->error_count == errors)
        return buffer;
    LLVMDisposeMemoryBuffer(buffer);
    return NULL;
}

/* ---- beginning and end -------------------------------------------------- */

static bool begin_compilation(struct compilation *c)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_handler);
    c->arena = arena_create();
    c->machine = codegen_target_machine(c->target, c->effort, c->diag);
    if (!c->machine)
        return false;
    c->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(c->context, on_diagnostic, c);
    return true;
}

static void end_compilation(struct compilation *c)
{
    if (c->module)
        LLVMDisposeModule(c->module);
    if (c->context)
        LLVMContextDispose(c->context);
    if (c->machine)
        LLVMDisposeTargetMachine(c->machine);
    arena_destroy(c->arena);
}

/* A copy that outlives the compilation. NULL: out of memory. */
static void *copy_outside(const void *from, size_t size_bytes)
{
    codegen_heap_suspend();
    void *to = malloc(size_bytes);
    codegen_heap_resume();
    return to ? memcpy(to, from, size_bytes) : NULL;
}

typedef bool work_fn(struct compilation *c, void *result);

/* Runs `work` so that a fatal error of LLVM comes back as false. */
static bool run_guarded(struct compilation *c, work_fn *work, void *result)
{
    struct fatal_exit here;
    if (setjmp(here.to)) {
        diag_error(c->diag, "%s: LLVM: %s", c->kernel->name, fatal_exit->text);
        fatal_exit = NULL;
        return false; /* LLVM's state is not safe to free */
    }
    fatal_exit = &here;
    bool ok = begin_compilation(c) && work(c, result);
    end_compilation(c);
    fatal_exit = NULL;
    return ok;
}

/* run_guarded with the compilation's heap; messages are copied out of it. */
static bool run_compilation(struct compilation *c, work_fn *work, void *result)
{
    struct diag *diag = c->diag;
    struct diag said = {.error_limit = diag->error_limit};

    codegen_heap_begin();
    codegen_prefault();
    c->diag = &said;
    bool ok = run_guarded(c, work, result);
    codegen_heap_suspend();
    diag_append(diag, &said);
    codegen_heap_resume();
    diag_fini(&said);
    codegen_heap_end();
    return ok;
}

/* ---- objects and texts -------------------------------------------------- */

static bool make_object(struct compilation *c, void *data)
{
    struct compiler_result *result = data;
    if (!make_module(c) || !codegen_run_passes(c->module, c->machine, c->target,
                                               c->effort, c->diag))
        return false;
    LLVMMemoryBufferRef buffer = generate_code(c, LLVMObjectFile);
    if (!buffer)
        return false;

    size_t size_bytes = LLVMGetBufferSize(buffer);
    void *object = copy_outside(LLVMGetBufferStart(buffer), size_bytes);
    LLVMDisposeMemoryBuffer(buffer);
    if (!object) {
        diag_error(c->diag, "out of memory");
        return false;
    }
    *result = (struct compiler_result){
        .object = object,
        .object_bytes = size_bytes,
        .facts = {.has_barrier = c->info.has_barrier,
                  .has_waits = c->info.has_waits,
                  .takes_turns = c->info.takes_turns,
                  .lane_count = c->lane_count,
                  .stack_bytes = c->info.is_recursive ? 0 : c->stack_bytes,
                  .static_shared_bytes = c->info.static_shared_bytes,
                  .local_bytes = c->info.local_bytes,
                  .need_count = c->info.need_count},
    };
    memcpy(result->facts.needs, c->info.needs, sizeof c->info.needs);
    return true;
}

static bool compile_kernel(const struct ptx_module *module,
                           const struct ptx_func *kernel,
                           const struct simt_spec *spec,
                           const struct jit_target *target,
                           enum compiler_effort effort,
                           struct compiler_result *result, struct diag *diag)
{
    struct compilation c = {.ptx = module,
                            .kernel = kernel,
                            .spec = spec,
                            .target = target,
                            .effort = effort,
                            .diag = diag};
    return run_compilation(&c, make_object, result);
}

struct text_request {
    enum compiler_text what;
    char *text;
};

static bool make_text(struct compilation *c, void *data)
{
    struct text_request *request = data;
    if (!make_module(c))
        return false;
    if (request->what != COMPILER_LLVM &&
        !codegen_run_passes(c->module, c->machine, c->target, c->effort,
                            c->diag))
        return false;
    if (request->what != COMPILER_ASM) {
        char *text = LLVMPrintModuleToString(c->module);
        request->text = copy_outside(text, strlen(text) + 1);
        LLVMDisposeMessage(text);
        return request->text != NULL;
    }
    LLVMMemoryBufferRef buffer = generate_code(c, LLVMAssemblyFile);
    if (!buffer)
        return false;
    /* A buffer of LLVM's ends in a zero. */
    request->text =
        copy_outside(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer) + 1);
    LLVMDisposeMemoryBuffer(buffer);
    return request->text != NULL;
}

static char *print_kernel(const struct ptx_module *module,
                          const struct ptx_func *kernel,
                          const struct simt_spec *spec,
                          const struct jit_target *target,
                          enum compiler_text what, struct diag *diag)
{
    struct compilation c = {.ptx = module,
                            .kernel = kernel,
                            .spec = spec,
                            .target = target,
                            .diag = diag};
    struct text_request request = {.what = what};
    return run_compilation(&c, make_text, &request) ? request.text : NULL;
}

__attribute__((visibility("default")))
const struct compiler_api weft_compiler = {
    .abi_version = WEFT_ABI_VERSION,
    .compile = compile_kernel,
    .print = print_kernel,
};
