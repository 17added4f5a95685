/* SPDX-License-Identifier: Apache-2.0 */
/* weft COMMAND: looks at PTX and at this machine, and runs single kernels. */
#include "tools/tools.h"

#include <errno.h>
#include <stdio.h>

#include "jit/jit.h"

static const struct tool_command *const commands[] = {
    &tool_dump,
    &tool_info,
    &tool_run,
};

static void print_help(void)
{
    printf("Usage: weft COMMAND [ARGUMENT]...\n\n"
           "CUDA programs on the CPU: what the compiler makes of a kernel, "
           "and what the\nmachine offers it.\n\nCommands:\n");
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
        printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
    printf("\nweft COMMAND --help tells more; weft --version names this "
           "build.\nweftcc compiles CUDA programs.\n");
}

static enum tool_status refuse_unknown(const char *name)
{
    const char *names[ARRAY_COUNT(commands) + 2];
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
        names[i] = commands[i]->name;
    names[ARRAY_COUNT(commands)] = "--help";
    names[ARRAY_COUNT(commands) + 1] = "--version";
    const char *near = nearest_name(name, names, ARRAY_COUNT(names));
    if (near)
        tool_error("unknown %s %s; did you mean %s?",
                   name[0] == '-' ? "option" : "command", name, near);
    else
        tool_error("unknown %s %s; see weft --help",
                   name[0] == '-' ? "option" : "command", name);
    return TOOL_USAGE;
}

static enum tool_status run_command(int argc, char **argv)
{
    if (argc < 2) {
        tool_error("which command? See weft --help");
        return TOOL_USAGE;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h")) {
        print_help();
        return TOOL_OK;
    }
    if (!strcmp(name, "--version")) {
        printf("weft %s (LLVM %d, %s)\n", WEFT_VERSION, WEFT_LLVM_VERSION,
               jit_target_get()->isa);
        return TOOL_OK;
    }
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
        if (!strcmp(name, commands[i]->name))
            return commands[i]->run(commands[i], argc - 2, argv + 2);
    return refuse_unknown(name);
}

int main(int argc, char **argv)
{
    enum tool_status status = run_command(argc, argv);
    /* Output that is cut off, as on a full disk, must not look complete. */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    tool_error("cannot write the output: %s", strerror(errno));
    return status ? status : TOOL_FAILED;
}
