/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the tool by the name that the program was called by, or as the first
 * argument: weft-toolkit TOOL. */
#include "toolkit/toolkit.h"

#include <errno.h>
#include <stdio.h>

static const struct kit_tool *const tools[] = {
    &kit_ptxas,     &kit_fatbinary, &kit_nvlink, &kit_bin2c,
    &kit_cuobjdump, &kit_nvprune,   &kit_cufilt, &kit_smi,
    &kit_sanitizer, &kit_memcheck,  &kit_nsys,   &kit_ncu,
    &kit_nvprof,    &kit_gdb,
};

const char *kit_name = "weft-toolkit";

static const struct kit_tool *find_tool(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < ARRAY_COUNT(tools); i++)
        if (!strcmp(name, tools[i]->name))
            return tools[i];
    return NULL;
}

static int print_usage(FILE *out, int status)
{
    fprintf(out, "Usage: weft-toolkit TOOL [ARGUMENT]...\n\n"
                 "Tools of the CUDA toolkit, over PTX:\n");
    for (size_t i = 0; i < ARRAY_COUNT(tools); i++)
        fprintf(out, "  %-17s %s\n", tools[i]->name, tools[i]->summary);
    return status;
}

static int run_tool(const struct kit_tool *tool, int argc, char **argv)
{
    struct kit_args args = {0};
    int status;
    kit_name = tool->name;
    if (kit_parse(tool, argc, argv, &args, &status))
        status = tool->run(&args);
    kit_args_fini(&args);
    return status;
}

int main(int argc, char **argv)
{
    const struct kit_tool *tool = argc ? find_tool(argv[0]) : NULL;
    if (!tool && argc > 1 && (tool = find_tool(argv[1]))) {
        argc--;
        argv++;
    }
    if (!tool)
        return argc > 1 && !strcmp(argv[1], "--help") ? print_usage(stdout, 0)
                                                      : print_usage(stderr, 2);
    int status = run_tool(tool, argc - 1, argv + 1);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    kit_error("cannot write the output: %s", strerror(errno));
    return status ? status : 1;
}
