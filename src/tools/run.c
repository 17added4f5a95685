/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weft run: starts a program (program.c), or launches one kernel of a PTX file
 * with arguments from the command line, without a host program. The latter is
 * for tests of the compiler and for trying something out.
 */
#include "tools/tools.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "emu/emu.h"
#include "exec/exec.h"
#include "jit/jit.h"
#include "tools/arguments.h"

enum {
    OPT_KERNEL,
    OPT_GRID,
    OPT_BLOCK,
    OPT_MODULE,
    OPT_SHARED,
    OPT_LANES,
    OPT_ENGINE,
    OPT_REPEAT,
    OPT_STATS
};

static const struct tool_option options[] = {
    [OPT_KERNEL] = {"--kernel", "NAME", "which kernel (default: the only one)"},
    [OPT_GRID] = {"--grid", "X[,Y[,Z]]", "blocks (default: 1)"},
    [OPT_BLOCK] = {"--block", "X[,Y[,Z]]",
                   "threads of a block (default: .reqntid, else 256)"},
    [OPT_MODULE] = {"--module", "N", "which module of an executable"},
    [OPT_SHARED] = {"--shared", "BYTES", "dynamic shared memory"},
    [OPT_LANES] = {"--lanes", "1|32",
                   "lanes to a call (default: as the kernel asks)"},
    [OPT_ENGINE] = {"--engine", "simd|emu",
                    "compiled (default), or the reference interpreter"},
    [OPT_REPEAT] = {"--repeat", "N", "launch N times and say how long"},
    [OPT_STATS] = {"--stats", NULL, "say what the compiler and caches did"},
};

struct launch {
    const struct ptx_func *kernel;
    struct simt_spec spec;
    uint32_t grid[3];
    uint64_t shared_bytes, repeat;
    struct argument *arguments;
    size_t argument_count;
    uint8_t *globals; /* the module's variables */
    /* What runs it: compiled code, or the interpreter. */
    bool is_emulated;
    struct emu_kernel *emu;
    struct jit_module *jit;
    struct jit_kernel code;
};

/* ---- parameters and variables ------------------------------------------- */

static bool check_arguments(const struct launch *l)
{
    const struct ptx_func *k = l->kernel;
    if (l->argument_count != k->param_count) {
        tool_error("%s takes %zu arguments, %zu were given", k->name,
                   k->param_count, l->argument_count);
        return false;
    }
    for (size_t i = 0; i < k->param_count; i++) {
        const struct argument *a = &l->arguments[i];
        size_t given = a->is_buffer ? sizeof(void *) : a->size_bytes;
        if (given == k->params[i].size_bytes)
            continue;
        tool_error("argument %s: has %zu bytes, parameter %zu of %s has %zu",
                   a->text, given, i, k->name, k->params[i].size_bytes);
        return false;
    }
    return true;
}

/* The parameter buffer, malloc'ed; the task frees it. */
static void *pack_params(const struct launch *l)
{
    uint8_t *params = calloc(1, l->kernel->param_bytes + 64);
    for (size_t i = 0; params && i < l->argument_count; i++) {
        const struct argument *a = &l->arguments[i];
        uint8_t *to = params + l->kernel->params[i].offset_bytes;
        if (a->is_buffer)
            memcpy(to, &a->data, sizeof a->data);
        else
            memcpy(to, a->data, a->size_bytes);
    }
    return params;
}

/* Where the variable's bytes are; a managed one's lie behind its pointer. */
static uint8_t *storage_of(uint8_t *globals, const struct ptx_var *v)
{
    return globals + v->offset_bytes + (v->is_managed ? sizeof(void *) : 0);
}

static void init_variable(uint8_t *globals, const struct ptx_var *v)
{
    uint8_t *to = storage_of(globals, v);
    if (v->is_managed)
        memcpy(globals + v->offset_bytes, &to, sizeof to);
    if (v->init)
        memcpy(to, v->init, v->size_bytes);
    for (size_t i = 0; i < v->reloc_count; i++) {
        const struct ptx_reloc *r = &v->relocs[i];
        uint64_t value =
            r->func ? WEFT_FUNC_HANDLE(r->func->index)
                    : (uint64_t)(uintptr_t)storage_of(globals, r->var) +
                          (uint64_t)r->addend;
        value >>= r->shift_bits;
        memcpy(to + r->offset_bytes, &value, r->size_bytes);
    }
}

static bool make_globals(const struct ptx_module *m, struct launch *l)
{
    size_t bytes = (m->globals_bytes + 511) & ~(size_t)255;
    l->globals = aligned_alloc(256, bytes);
    if (!l->globals) {
        tool_error("no memory for %zu bytes of variables", m->globals_bytes);
        return false;
    }
    memset(l->globals, 0, bytes);
    for (size_t i = 0; i < m->var_count; i++)
        if (ptx_is_in_globals(m->vars[i]))
            init_variable(l->globals, m->vars[i]);
    for (size_t f = 0; f < m->func_count; f++)
        for (size_t i = 0; i < m->funcs[f]->var_count; i++)
            if (ptx_is_in_globals(&m->funcs[f]->vars[i]))
                init_variable(l->globals, &m->funcs[f]->vars[i]);
    return true;
}

/* ---- launching ---------------------------------------------------------- */

static void report_fault(const struct launch *l, enum exec_fault fault)
{
    struct exec_fault_info info = exec_last_fault();
    if (fault == EXEC_FAULT_MISALIGNED) {
        tool_error("%s: line %u: %s 0x%llx, no multiple of %u, in block %llu, "
                   "thread %u",
                   l->kernel->name, info.line, exec_fault_text(fault),
                   (unsigned long long)info.address, info.align_bytes,
                   (unsigned long long)info.block_linear, info.thread);
        return;
    }
    tool_error("%s: %s 0x%llx in block %llu, warp %u", l->kernel->name,
               exec_fault_text(fault), (unsigned long long)info.address,
               (unsigned long long)info.block_linear, info.warp);
}

static bool launch_once(const struct launch *l)
{
    const struct jit_kernel *code = &l->code;
    const uint32_t *block = l->spec.block, *grid = l->grid;
    const unsigned *cluster = l->kernel->reqnctapercluster;
    void *params = pack_params(l);
    struct exec_kernel k = {
        .fn = code->fn,
        .newer = code->newer,
        .has_barrier = code->has_barrier,
        .has_waits = code->has_waits,
        .takes_turns = code->takes_turns,
        .is_whole_block = l->emu != NULL,
        .stack_bytes = code->stack_bytes,
        .params_storage = params,
        .launch =
            {
                .params = params,
                .globals = l->globals,
                .grid = {grid[0], grid[1], grid[2]},
                .block = {block[0], block[1], block[2]},
                .cluster = {cluster[0], cluster[1], cluster[2]},
                .is_explicit_cluster = cluster[0] != 0,
                .static_shared_bytes = code->static_shared_bytes,
                .dynamic_shared_bytes = (uint32_t)l->shared_bytes,
                .grid_id = 1,
                .emu_kernel = l->emu,
                .sm_count = exec_sm_count(),
                .lane_count = code->lane_count,
                .block_count = (uint64_t)grid[0] * grid[1] * grid[2],
            },
    };
    struct exec_task *task = params ? exec_task_kernel(&k) : NULL;
    if (!task) {
        tool_error("no memory to launch");
        return false;
    }
    exec_submit(task);
    exec_wait(task, EXEC_WAIT_HELP);
    enum exec_fault fault = exec_task_fault(task);
    exec_task_unref(task);
    exec_printf_flush();
    if (fault != EXEC_OK)
        report_fault(l, fault);
    return fault == EXEC_OK;
}

static double now_ms(void)
{
    return (double)clock_now_ns() * 1e-6;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static bool launch_repeatedly(const struct launch *l)
{
    double *times = calloc(l->repeat, sizeof *times);
    bool ok = times != NULL;
    for (uint64_t i = 0; ok && i < l->repeat; i++) {
        double start = now_ms();
        ok = launch_once(l);
        times[i] = now_ms() - start;
    }
    if (ok) {
        qsort(times, l->repeat, sizeof *times, compare_times);
        fprintf(stderr, "%s: median %.4f ms, best %.4f ms of %llu\n",
                l->kernel->name, times[l->repeat / 2], times[0],
                (unsigned long long)l->repeat);
    }
    free(times);
    return ok;
}

static void print_stats(const struct jit_kernel *code)
{
    struct jit_stats s = jit_stats_get();
    fprintf(stderr,
            "compiled %llu, from disk %llu; compiling %.2f ms, loading "
            "%.3f ms\nstack %zu bytes, shared %u, local %u, barriers: %s\n",
            (unsigned long long)s.compiled, (unsigned long long)s.disk_hits,
            (double)s.compile_ns / 1e6, (double)s.load_ns / 1e6,
            code->stack_bytes, code->static_shared_bytes, code->local_bytes,
            code->has_barrier ? "yes" : "no");
}

/* Fills l->code: from the JIT, or with the interpreter's entry. */
static bool prepare_launch(struct launch *l, const struct tool_input *input,
                           struct diag *diag)
{
    if (l->is_emulated) {
        l->emu = emu_kernel_create(l->kernel, diag);
        if (l->emu)
            l->code = (struct jit_kernel){
                .fn = emu_entry,
                .has_waits = true,
                .stack_bytes = EMU_STACK_BYTES,
                .static_shared_bytes = emu_static_shared_bytes(l->emu),
            };
        return l->emu != NULL;
    }
    l->jit = jit_module_create(input->module,
                               hash_bytes(input->text, input->length, 0));
    const struct jit_kernel *code =
        l->jit ? jit_get(l->jit, l->kernel, &l->spec, diag) : NULL;
    uint8_t *params = code ? pack_params(l) : NULL;
    if (params && !jit_needs_hold(code, params)) {
        l->spec.tests_alignment = true;
        code = jit_get(l->jit, l->kernel, &l->spec, diag);
    }
    free(params);
    if (code)
        l->code = *code;
    return code != NULL;
}

/* Refuses more shared memory than a launch by the runtime may have. */
static bool check_shared(const struct launch *l)
{
    const uint64_t limit = 163 << 10;
    uint32_t own = l->code.static_shared_bytes;
    if (l->shared_bytes <= limit && l->shared_bytes + own <= limit)
        return true;
    tool_error("--shared: %llu bytes and %s's own %u are more than %llu",
               (unsigned long long)l->shared_bytes, l->kernel->name, own,
               (unsigned long long)limit);
    return false;
}

static bool launch_kernel(struct launch *l, const struct tool_input *input,
                          bool with_stats)
{
    struct diag diag;
    diag_init(&diag);
    bool ok = make_globals(input->module, l) && prepare_launch(l, input, &diag);
    if (diag.text)
        fputs(diag.text, stderr);
    diag_fini(&diag);
    ok = ok && check_shared(l);
    if (ok && with_stats)
        print_stats(&l->code);
    if (ok)
        ok = l->repeat ? launch_repeatedly(l) : launch_once(l);
    exec_stop();
    jit_module_destroy(l->jit);
    emu_kernel_destroy(l->emu);
    free(l->globals);
    return ok;
}

/* ---- the command -------------------------------------------------------- */

static bool read_engine(const char *name, struct launch *l)
{
    l->is_emulated = name && !strcmp(name, "emu");
    if (!name || l->is_emulated || !strcmp(name, "simd"))
        return true;
    tool_error("--engine: %s is unknown, expected simd or emu", name);
    return false;
}

static bool check_clusters(const struct launch *l)
{
    const unsigned *cluster = l->kernel->reqnctapercluster;
    uint64_t blocks = 1;
    for (int i = 0; i < 3 && blocks <= WEFT_CLUSTER_MAX; i++)
        blocks *= cluster[i] ? cluster[i] : 1;
    if (blocks > WEFT_CLUSTER_MAX) {
        tool_error("%s has clusters of more than %d blocks", l->kernel->name,
                   WEFT_CLUSTER_MAX);
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (cluster[i] && l->grid[i] % cluster[i]) {
            tool_error("--grid: no multiple of the clusters of %s",
                       l->kernel->name);
            return false;
        }
    }
    return true;
}

static bool read_options(const struct tool_args *args, struct launch *l)
{
    const char *const *v = args->values;
    const char *grid = v[OPT_GRID] ? v[OPT_GRID] : "1";
    if (!read_engine(v[OPT_ENGINE], l) ||
        !tool_make_spec(l->kernel, v[OPT_BLOCK], &l->spec) ||
        !tool_parse_dim3("--grid", grid, l->grid) ||
        (v[OPT_SHARED] &&
         !tool_parse_u64("--shared", v[OPT_SHARED], &l->shared_bytes)) ||
        (v[OPT_REPEAT] &&
         !tool_parse_u64("--repeat", v[OPT_REPEAT], &l->repeat)))
        return false;
    l->spec.lane_count = 0;
    if (v[OPT_LANES] && !tool_parse_lanes(v[OPT_LANES], &l->spec.lane_count))
        return false;
    const uint32_t *block = l->spec.block;
    if ((uint64_t)block[0] * block[1] * block[2] > 1024) {
        tool_error("--block: more than 1024 threads");
        return false;
    }
    if (!check_clusters(l))
        return false;
    for (int i = 0; i < 3; i++)
        if ((uint64_t)l->grid[i] * block[i] > UINT64_C(1) << 31)
            l->spec.is_grid_small = false;
    return true;
}

static bool read_arguments(char **texts, int count, struct launch *l)
{
    l->arguments = calloc((size_t)count + 1, sizeof *l->arguments);
    for (int i = 0; i < count; i++) {
        if (!l->arguments || !argument_parse(texts[i], &l->arguments[i]))
            return false;
        l->argument_count++;
    }
    return check_arguments(l);
}

static bool run_file(const struct tool_args *args,
                     const struct tool_input *input)
{
    struct launch l = {0};
    l.kernel = tool_find_kernel(input->module, args->values[OPT_KERNEL]);
    if (!l.kernel)
        return false;
    if (!l.kernel->is_entry) {
        tool_error("%s is a device function, not a kernel", l.kernel->name);
        return false;
    }
    bool ok =
        read_options(args, &l) &&
        read_arguments(args->positional + 1, args->positional_count - 1, &l) &&
        launch_kernel(&l, input, args->values[OPT_STATS] != NULL);
    for (size_t i = 0; i < l.argument_count; i++) {
        if (ok && l.arguments[i].is_printed)
            argument_print(&l.arguments[i], (unsigned)i);
        argument_fini(&l.arguments[i]);
    }
    free(l.arguments);
    return ok;
}

/* The one option for programs. */
static const char device_files[] = "--device-files";

static enum tool_status run_run(const struct tool_command *command, int argc,
                                char **argv)
{
    struct tool_args args;
    enum tool_status status;
    struct tool_input input;
    /* All arguments behind a program are the program's. Another option in
     * front means that a kernel is to be launched. */
    bool shows_files = argc > 1 && !strcmp(argv[0], device_files);
    char **words = argv + shows_files;
    char *program =
        argc && words[0][0] != '-' ? tool_find_program(words[0]) : NULL;
    if (program) {
        status = shows_files && !tool_show_device_files()
                     ? TOOL_FAILED
                     : tool_run_program(program, words);
        free(program);
        return status;
    }
    if (shows_files) {
        tool_error("run: %s is no program that can be started, which %s needs",
                   words[0], device_files);
        return TOOL_USAGE;
    }
    if (!tool_parse(command, argc, argv, &args, &status))
        return status;
    if (args.positional_count < 1) {
        tool_error("run: expected a program and its arguments, or a PTX file "
                   "and the kernel's");
        return TOOL_USAGE;
    }
    uint64_t number = 0;
    if (args.values[OPT_MODULE] &&
        !tool_parse_u64("--module", args.values[OPT_MODULE], &number))
        return TOOL_USAGE;
    if (!tool_read_ptx(args.positional[0], number, &input))
        return TOOL_FAILED;
    bool ok = run_file(&args, &input);
    tool_free_input(&input);
    return ok ? TOOL_OK : TOOL_FAILED;
}

const struct tool_command tool_run = {
    .name = "run",
    .arguments = "[--device-files] PROGRAM [ARG]... | FILE [ARG]...",
    .summary = "starts a CUDA program; or launches one kernel of a PTX file",
    .details =
        "A PROGRAM that others compiled finds our libraries in the place of\n"
        "NVIDIA's, and our tools in the place of the toolkit's; with\n"
        "--device-files also empty files in /dev as NVIDIA's kernel module "
        "has\nthem, for programs that look there first (JAX). Other options "
        "are for\nkernels; with one in front, the FILE may be an executable, "
        "too.\n\n" ARGUMENT_HELP,
    .options = options,
    .option_count = ARRAY_COUNT(options),
    .run = run_run,
};
