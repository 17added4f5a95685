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

static_assert(EMIT_MAX_NEEDS == JIT_MAX_NEEDS, "one list is the other");

struct compilation {
    const struct ptx_module *ptx;
    const struct ptx_func *kernel;
    const struct simt_spec *spec;
    const struct jit_target *target;
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

static struct emit_target emit_target(const struct jit_target *t)
{
    return (struct emit_target){
        .vector_bytes = t->vector_bytes,
        .is_x86 = t->is_x86,
        .has_avx512 = t->has_avx512,
        .has_avx2 = t->has_avx2,
        .has_fma = t->has_fma,
        .has_f16c = t->has_f16c,
    };
}

/* Which warp count, of a kernel built with one. For tests, the environment may
 * name one; it is taken where more than one is possible. */
static unsigned choose_warps(const struct simt_kernel *k)
{
    const char *wanted = getenv("WEFT_WARPS");

    if (!simt_is_team_possible(k))
        return 1;
    unsigned long warps = wanted ? strtoul(wanted, NULL, 10) : 0;
    bool is_good = warps == 1 || warps == 2 || warps == 4 || warps == 8;
    if (is_good)
        return (unsigned)warps;
    warps = simt_choose_warps(k);
    /* Such loops wait for memory: more warps to a turn measured no faster. */
    return warps > 2 && emit_has_striding_loops(k) ? 2 : (unsigned)warps;
}

/* Analyses the kernel, for the lane and warp counts that it decides on where
 * the specialisation leaves them open. */
static struct simt_kernel *analyse(struct compilation *c)
{
    struct simt_spec spec = *c->spec;
    if (spec.lane_count == 0)
        spec.lane_count = SIMT_LANES;
    if (spec.warp_count == 0)
        spec.warp_count = 1;
    const char *piece = getenv("WEFT_PIECE"); /* for tests */
    spec.piece_insts = piece ? (uint32_t)strtoul(piece, NULL, 10) : 0;
    struct simt_kernel *simt =
        simt_build(c->arena, c->ptx, c->kernel, &spec, c->diag);
    if (!simt)
        return NULL;
    struct simt_spec first = spec;
    if (c->spec->lane_count == 0 &&
        (simt->lanes_may_wait || simt_prefers_one_lane(simt)))
        spec.lane_count = 1;
    else if (c->spec->warp_count == 0)
        spec.warp_count = choose_warps(simt);
    if (spec.lane_count != first.lane_count ||
        spec.warp_count != first.warp_count)
        simt = simt_build(c->arena, c->ptx, c->kernel, &spec, c->diag);
    if (simt && c->spec->warp_count == 0 && spec.warp_count > 1 &&
        simt->lanes_may_wait) {
        spec.warp_count = 1; /* warps of the team may wait for each other */
        simt = simt_build(c->arena, c->ptx, c->kernel, &spec, c->diag);
    }
    c->lane_count = simt_team_lanes(&spec);
    return simt;
}

/* Takes 3% of the time, so it is done where it is asked for: in our tests. */
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
    struct simt_kernel *simt = analyse(c);
    if (!simt)
        return false;
    struct emit_target target = emit_target(c->target);
    c->module = emit_kernel(c->context, simt, &target, &c->info, c->diag);
    if (!c->module)
        return false;
    codegen_target_apply(c->target, c->machine, c->module);
    return is_valid(c);
}

static LLVMMemoryBufferRef generate(struct compilation *c,
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

static bool begin(struct compilation *c)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_handler);
    c->arena = arena_create();
    c->machine = codegen_target_machine(c->target, c->diag);
    if (!c->machine)
        return false;
    c->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(c->context, on_diagnostic, c);
    return true;
}

static void end(struct compilation *c)
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
    bool ok = begin(c) && work(c, result);
    end(c);
    fatal_exit = NULL;
    return ok;
}

/* The same with memory of its own. */
static bool run(struct compilation *c, work_fn *work, void *result)
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

/* ---- the two things asked of us ----------------------------------------- */

static bool make_object(struct compilation *c, void *data)
{
    struct compiler_result *result = data;
    if (!make_module(c) ||
        !codegen_run_passes(c->module, c->machine, c->target, c->diag))
        return false;
    LLVMMemoryBufferRef buffer = generate(c, LLVMObjectFile);
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

static bool compile(const struct ptx_module *module,
                    const struct ptx_func *kernel, const struct simt_spec *spec,
                    const struct jit_target *target,
                    struct compiler_result *result, struct diag *diag)
{
    struct compilation c = {.ptx = module,
                            .kernel = kernel,
                            .spec = spec,
                            .target = target,
                            .diag = diag};
    return run(&c, make_object, result);
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
        !codegen_run_passes(c->module, c->machine, c->target, c->diag))
        return false;
    if (request->what != COMPILER_ASM) {
        char *text = LLVMPrintModuleToString(c->module);
        request->text = copy_outside(text, strlen(text) + 1);
        LLVMDisposeMessage(text);
        return request->text != NULL;
    }
    LLVMMemoryBufferRef buffer = generate(c, LLVMAssemblyFile);
    if (!buffer)
        return false;
    /* A buffer of LLVM's ends in a zero. */
    request->text =
        copy_outside(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer) + 1);
    LLVMDisposeMemoryBuffer(buffer);
    return request->text != NULL;
}

static char *print(const struct ptx_module *module,
                   const struct ptx_func *kernel, const struct simt_spec *spec,
                   const struct jit_target *target, enum compiler_text what,
                   struct diag *diag)
{
    struct compilation c = {.ptx = module,
                            .kernel = kernel,
                            .spec = spec,
                            .target = target,
                            .diag = diag};
    struct text_request request = {.what = what};
    return run(&c, make_text, &request) ? request.text : NULL;
}

__attribute__((visibility("default")))
const struct compiler_api weft_compiler = {
    .abi_version = WEFT_ABI_VERSION,
    .compile = compile,
    .print = print,
};
