/* SPDX-License-Identifier: Apache-2.0 */
/* weft info: the device as programs see it, this machine, and the code cache;
 * or what the kernels of a file use. */
#include "tools/tools.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "cache/cache.h"
#include "core/core.h"
#include "jit/jit.h"

static void print_bytes(const char *what, uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double n = (double)bytes;
    size_t unit = 0;
    while (n >= 1024 && unit + 1 < ARRAY_COUNT(units)) {
        n /= 1024;
        unit++;
    }
    printf("%-16s %.4g %s\n", what, n, units[unit]);
}

static void print_cache(hwloc_topology_t t, const char *what,
                        hwloc_obj_type_t type)
{
    hwloc_obj_t cache = hwloc_get_obj_by_type(t, type, 0);
    if (!cache)
        return;
    char text[64];
    int count = hwloc_get_nbobjs_by_type(t, type);
    snprintf(text, sizeof text, "%s x %d", what, count);
    print_bytes(text, cache->attr->cache.size);
}

static void print_device(void)
{
    printf("%-16s %s\n", "device", device_name());
    printf("%-16s %d.%d\n", "compute",
           device_attribute_of(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
           device_attribute_of(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
    printf("%-16s %d\n", "multiprocessors",
           device_attribute_of(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
    print_bytes("memory", device_total_memory());
}

static void print_machine(hwloc_topology_t t)
{
    printf("%-16s %d\n", "cores", hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_CORE));
    print_cache(t, "L1 cache", HWLOC_OBJ_L1CACHE);
    print_cache(t, "L2 cache", HWLOC_OBJ_L2CACHE);
    print_cache(t, "L3 cache", HWLOC_OBJ_L3CACHE);
}

static void print_target(void)
{
    const struct jit_target *target = jit_target_get();
    printf("%-16s %s (%u-bit vectors)\n", "instruction set", target->isa,
           target->vector_bytes * 8);
    printf("%-16s %s\n", "features", target->features);
    if (target->problem)
        printf("%-16s %s\n", "problem", target->problem);
}

static void print_code_cache(void)
{
    struct cache_info info;
    cache_info_get(&info);
    printf("%-16s %s%s%s\n", "code cache",
           info.folder[0] ? info.folder : "none",
           info.is_disabled ? " (disabled by CUDA_CACHE_DISABLE)" : "",
           info.is_refused ? " (not used: it, or a folder above it, is "
                             "somebody else's or others may write it)"
                           : "");
    printf("%-16s %llu\n", "  kernels", (unsigned long long)info.file_count);
    print_bytes("  size", info.size_bytes);
    print_bytes("  limit", info.limit_bytes);
}

/* Prints what the kernels of some files, linked into one module, use. */
static enum tool_status print_module(char *const *paths, int count)
{
    struct tool_input input;
    if (!tool_link_ptx(paths, count, &input))
        return TOOL_FAILED;
    char *text = report_info(input.module);
    if (text)
        fputs(text, stdout);
    else
        tool_error("out of memory");
    free(text);
    tool_free_input(&input);
    return text ? TOOL_OK : TOOL_FAILED;
}

static enum tool_status run_info(const struct tool_command *command, int argc,
                                 char **argv)
{
    struct tool_args args;
    enum tool_status status;
    hwloc_topology_t topology;
    if (!tool_parse(command, argc, argv, &args, &status))
        return status;
    if (args.positional_count)
        return print_module(args.positional, args.positional_count);
    if (hwloc_topology_init(&topology) || hwloc_topology_load(topology)) {
        tool_error("cannot find out about this machine's processors");
        return TOOL_FAILED;
    }
    print_device();
    print_machine(topology);
    hwloc_topology_destroy(topology);
    print_target();
    print_code_cache();
    return TOOL_OK;
}

const struct tool_command tool_info = {
    .name = "info",
    .arguments = "[FILE...]",
    .summary = "shows the device and the code cache, or what kernels take",
    .details = "Of a FILE (PTX, or a program with PTX inside): how many "
               "registers a GPU would\nneed for each kernel, its shared, "
               "local and constant memory and its barriers.",
    .run = run_info,
};
