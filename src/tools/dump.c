/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weft dump: what each stage of the compiler makes of a kernel, as text. The
 * tests of the stages compare it.
 */
#include "tools/tools.h"

#include <stdio.h>
#include <stdlib.h>

#include "jit/jit.h"
#include "simt/plan/plan.h"

enum {
    OPT_PTX,
    OPT_CFG,
    OPT_DOT,
    OPT_SHAPES,
    OPT_SCHEDULE,
    OPT_PLAN,
    OPT_LLVM,
    OPT_LLVM_OPT,
    OPT_ASM,
    STAGE_COUNT,
    OPT_KERNEL = STAGE_COUNT,
    OPT_BLOCK,
    OPT_MODULE,
    OPT_LANES,
    OPT_ISA,
    OPT_SPLIT,
    OPT_LARGE_GRID,
    OPT_ODD_ARGUMENTS
};

static const struct tool_option options[] = {
    [OPT_PTX] = {"--ptx", NULL, "the checked module, printed back"},
    [OPT_CFG] = {"--cfg", NULL, "control flow"},
    [OPT_DOT] = {"--dot", NULL, "control flow as a graph for Graphviz"},
    [OPT_SHAPES] = {"--shapes", NULL,
                    "which registers are uniform, affine or varying"},
    [OPT_SCHEDULE] = {"--schedule", NULL, "blocks in order, and their masks"},
    [OPT_PLAN] = {"--plan", NULL,
                  "what is done beyond plain translation, and why not more"},
    [OPT_LLVM] = {"--llvm", NULL, "LLVM code as emitted"},
    [OPT_LLVM_OPT] = {"--llvm-opt", NULL, "LLVM code after optimisation"},
    [OPT_ASM] = {"--asm", NULL, "machine code"},
    [OPT_KERNEL] = {"--kernel", "NAME", "only this kernel (default: all)"},
    [OPT_BLOCK] = {"--block", "X[,Y[,Z]]",
                   "block shape (default: .reqntid, else 256)"},
    [OPT_MODULE] = {"--module", "N", "which module of an executable"},
    [OPT_LANES] = {"--lanes", "1|32",
                   "lanes to a call (default: 32, of code as chosen)"},
    [OPT_SPLIT] = {"--split", "N",
                   "into functions of N instructions (default: long ones)"},
    [OPT_ISA] = {"--isa", "NAME", "for a machine with this instruction set"},
    [OPT_LARGE_GRID] = {"--large-grid", NULL,
                        "global indices may exceed 32 bits"},
    [OPT_ODD_ARGUMENTS] = {"--odd-arguments", NULL,
                           "arguments may be no multiples of an access"},
};

static char *dump_simt(const struct ptx_func *f, const struct simt_spec *spec,
                       enum simt_dump what, struct diag *diag)
{
    struct arena *arena = arena_create();
    struct simt_kernel *k = simt_build(arena, f->module, f, spec, diag);
    char *text = k ? simt_dump(k, what) : NULL;
    arena_destroy(arena);
    return text;
}

/* The machine to compile for; NULL after saying why there is none. */
static const struct jit_target *find_target(const char *isa, struct diag *diag)
{
    static struct jit_target named;

    if (isa) {
        if (jit_target_named(isa, &named))
            return &named;
        diag_error(diag, "--isa %s is unknown, expected avx512, avx2 or sse4.2",
                   isa);
        return NULL;
    }
    const struct jit_target *here = jit_target_get();
    if (here->problem)
        diag_error(diag, "%s", here->problem);
    return here->problem ? NULL : here;
}

/* The facts about machines that --plan needs; a machine may be of another
 * processor family than this one. */
static const struct {
    const char *isa;
    struct simt_machine machine;
} machines[] = {
    {"avx512", {64, true, true, true, true, true, false}},
    {"avx2", {32, true, false, true, true, true, false}},
    {"sse4.2", {16, true, false, false, false, false, false}},
    {"neon", {16, false, false, false, true, false, false}},
};

static bool find_machine(const char *isa, struct simt_machine *out,
                         struct diag *diag)
{
    for (size_t i = 0; isa && i < ARRAY_COUNT(machines); i++)
        if (strcmp(isa, machines[i].isa) == 0) {
            *out = machines[i].machine;
            return true;
        }
    const struct jit_target *t = find_target(isa, diag);
    if (t)
        *out = jit_machine(t);
    return t != NULL;
}

/* The plan as for a launch: with the lane and warp counts that simt chooses. */
static char *dump_plan(const struct ptx_func *f, const struct simt_spec *spec,
                       const char *isa, struct diag *diag)
{
    struct simt_machine machine;
    if (!find_machine(isa, &machine, diag))
        return NULL;
    struct arena *arena = arena_create();
    const struct simt_plan *p =
        simt_plan_chosen(arena, f->module, f, spec, 0, &machine, diag);
    char *text = p ? simt_dump_plan(p) : NULL;
    arena_destroy(arena);
    return text;
}

static char *dump_code(const struct ptx_func *f, const struct simt_spec *spec,
                       const char *isa, enum compiler_text what,
                       struct diag *diag)
{
    const struct jit_target *target = find_target(isa, diag);
    if (!target)
        return NULL;
    const struct compiler_api *api = jit_compiler_get(diag);
    struct simt_spec own = *spec;
    jit_add_test_settings(&own);
    return api ? api->print(f->module, f, &own, target, what, diag) : NULL;
}

static char *dump_stage(int stage, const struct ptx_func *f,
                        const struct simt_spec *spec, const char *isa,
                        struct diag *diag)
{
    switch (stage) {
    case OPT_CFG:
        return dump_simt(f, spec, SIMT_DUMP_CFG, diag);
    case OPT_DOT:
        return dump_simt(f, spec, SIMT_DUMP_DOT, diag);
    case OPT_SHAPES:
        return dump_simt(f, spec, SIMT_DUMP_SHAPES, diag);
    case OPT_SCHEDULE:
        return dump_simt(f, spec, SIMT_DUMP_SCHEDULE, diag);
    case OPT_PLAN:
        return dump_plan(f, spec, isa, diag);
    case OPT_LLVM:
        return dump_code(f, spec, isa, COMPILER_LLVM, diag);
    case OPT_LLVM_OPT:
        return dump_code(f, spec, isa, COMPILER_LLVM_OPT, diag);
    default:
        return dump_code(f, spec, isa, COMPILER_ASM, diag);
    }
}

/* Prints a malloc'ed text. */
static bool show_text(char *text, struct diag *diag)
{
    if (text)
        fputs(text, stdout);
    else if (!diag->error_count)
        diag_error(diag, "out of memory");
    if (diag->text)
        fputs(diag->text, stderr);
    free(text);
    return text != NULL;
}

static bool dump_function(const struct tool_args *args, int stage,
                          const struct ptx_func *f)
{
    struct simt_spec spec;
    struct diag diag;
    if (!tool_make_spec(f, args->values[OPT_BLOCK], &spec))
        return false;
    if (args->values[OPT_LARGE_GRID])
        spec.is_grid_small = false;
    spec.tests_alignment = args->values[OPT_ODD_ARGUMENTS] != NULL;
    if (stage >= OPT_PLAN)
        spec.lane_count = 0;
    uint64_t split = 0;
    if (args->values[OPT_SPLIT] &&
        !tool_parse_u64("--split", args->values[OPT_SPLIT], &split))
        return false;
    spec.split_insts = split < UINT32_MAX ? (uint32_t)split : UINT32_MAX;
    if (args->values[OPT_LANES] &&
        !tool_parse_lanes(args->values[OPT_LANES], &spec.lane_count))
        return false;

    diag_init(&diag);
    bool ok = show_text(
        dump_stage(stage, f, &spec, args->values[OPT_ISA], &diag), &diag);
    diag_fini(&diag);
    return ok;
}

static bool dump_all_kernels(const struct tool_args *args, int stage,
                             const struct ptx_module *m)
{
    bool ok = true;
    size_t count = 0;
    for (size_t i = 0; i < m->func_count; i++) {
        if (!m->funcs[i]->is_entry)
            continue;
        if (count++)
            putchar('\n');
        ok = dump_function(args, stage, m->funcs[i]) && ok;
    }
    if (!count)
        tool_error("the file has no kernel (.entry)");
    return ok && count;
}

static bool dump_module(const struct tool_args *args, int stage,
                        const struct ptx_module *m)
{
    const char *name = args->values[OPT_KERNEL];
    if (stage == OPT_PTX) {
        struct diag diag;
        diag_init(&diag);
        bool ok = show_text(ptx_print(m), &diag);
        diag_fini(&diag);
        return ok;
    }
    if (!name)
        return dump_all_kernels(args, stage, m);
    const struct ptx_func *f = tool_find_kernel(m, name);
    return f && dump_function(args, stage, f);
}

/* The one stage asked for, or -1 after saying what is wrong. */
static int chosen_stage(const struct tool_args *args)
{
    int stage = -1;
    for (int i = 0; i < STAGE_COUNT; i++) {
        if (!args->values[i])
            continue;
        if (stage >= 0) {
            tool_error("dump: %s and %s exclude each other",
                       options[stage].name, options[i].name);
            return -1;
        }
        stage = i;
    }
    if (stage < 0)
        tool_error("dump: which stage? See weft dump --help");
    return stage;
}

static enum tool_status run_dump(const struct tool_command *command, int argc,
                                 char **argv)
{
    struct tool_args args;
    enum tool_status status;
    struct tool_input input;
    if (!tool_parse(command, argc, argv, &args, &status))
        return status;
    int stage = chosen_stage(&args);
    if (stage < 0)
        return TOOL_USAGE;
    if (args.positional_count < 1) {
        tool_error("dump: expected a file, - for standard input");
        return TOOL_USAGE;
    }
    uint64_t number = 0;
    if (args.values[OPT_MODULE] &&
        !tool_parse_u64("--module", args.values[OPT_MODULE], &number))
        return TOOL_USAGE;
    if (args.positional_count > 1
            ? !tool_link_ptx(args.positional, args.positional_count, &input)
            : !tool_read_ptx(args.positional[0], number, &input))
        return TOOL_FAILED;
    bool ok = dump_module(&args, stage, input.module);
    tool_free_input(&input);
    return ok ? TOOL_OK : TOOL_FAILED;
}

const struct tool_command tool_dump = {
    .name = "dump",
    .arguments = "FILE...",
    .summary = "shows what a stage of the compiler makes of a kernel",
    .details = "Exactly one stage is to be chosen. FILE is PTX, - for standard "
               "input, or\nan executable, object file or fat binary with PTX "
               "inside. Several\nfiles are linked into one "
               "module.\n--isa avx512, avx2 or sse4.2 shows the code for "
               "another machine\nthan this one.",
    .options = options,
    .option_count = ARRAY_COUNT(options),
    .run = run_dump,
};
