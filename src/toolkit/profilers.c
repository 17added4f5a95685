/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profilers and debuggers of GPUs. weft has no stand-ins for them: each names
 * what does the same job here.
 */
#include "toolkit/toolkit.h"

#define PERF                                                                   \
    "WEFT_PERF_MAP=1 perf record PROGRAM shows the time of each kernel, "      \
    "and weft dump --plan what the compiler made of it"

static int refuse_profile(const struct kit_args *args)
{
    (void)args;
    kit_error("weft has no stand-in for this profiler; " PERF);
    return 1;
}

static int refuse_debugger(const struct kit_args *args)
{
    (void)args;
    kit_error("weft has no stand-in for this debugger; WEFT_ENGINE=emu names "
              "the line of a fault, and -lineinfo does so in compiled kernels");
    return 1;
}

#define TOOL(variable, called, runs)                                           \
    const struct kit_tool variable = {                                         \
        .name = called,                                                        \
        .arguments = "...",                                                    \
        .summary = "Not there: says what to use in its place.",                \
        .details = "",                                                         \
        .run = runs,                                                           \
        .rest = KIT_REST_ALL,                                                  \
    };

TOOL(kit_nsys, "nsys", refuse_profile)
TOOL(kit_ncu, "ncu", refuse_profile)
TOOL(kit_nvprof, "nvprof", refuse_profile)
TOOL(kit_gdb, "cuda-gdb", refuse_debugger)
