/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three names for one program: weftcc and nvcc are the driver; weft-link is
 * clang++ that finds weft's libraries, for build systems that link by
 * themselves with the linker that `nvcc -v` shows.
 */
#include "cc/cc.h"

#include "fatbin/fatbin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Build systems look for the words "nvcc: NVIDIA (R) Cuda compiler driver" and
 * for a version behind "release" and "V". */
static void print_version(void)
{
    puts("weftcc " WEFT_VERSION ", CUDA for any CPU, in the place of\n"
         "nvcc: NVIDIA (R) Cuda compiler driver\n"
         "Cuda compilation tools, release 12.8, V12.8.93\n"
         "Build weft-" WEFT_VERSION);
}

/* -gen-lcs: prints a linker script for the sections of device code, as nvcc
 * does. weft's programs link without one, whatever their size. */
static enum cc_status print_linker_script(const struct cc_options *o)
{
    static const char script[] =
        "SECTIONS\n{\n"
        "\t.nvFatBinSegment : { *(.nvFatBinSegment) }\n"
        "\t" FATBIN_RELOCATABLE_SECTION " : { *(" FATBIN_RELOCATABLE_SECTION
        ") }\n"
        "\t" FATBIN_SECTION " : { *(" FATBIN_SECTION ") }\n"
        "}\n";
    if (o->inputs.count) {
        cc_error("Input files are not allowed with 'gen-lcs'");
        return CC_FAILED;
    }
    FILE *f = o->output ? fopen(o->output, "w") : stdout;
    if (!f || fputs(script, f) < 0 || (f != stdout && fclose(f) != 0)) {
        cc_error("cannot write '%s': %s", o->output, strerror(errno));
        return CC_FAILED;
    }
    return CC_OK;
}

/* Answers --help and other options that need no input file. False: none was
 * given. */
static bool answer_questions(const struct cc_options *o)
{
    if (o->wants_help)
        cc_options_help();
    else if (o->wants_version)
        print_version();
    if (o->wants_gpu_code_list)
        cc_arch_list("sm");
    if (o->wants_gpu_arch_list)
        cc_arch_list("compute");
    return o->wants_help || o->wants_version || o->wants_gpu_code_list ||
           o->wants_gpu_arch_list;
}

/* What a build with sanitizers links; else empty. */
static const char *const sanitizer_runtimes[] = {WEFT_SANITIZER_RUNTIMES NULL};

static enum cc_status link_only(const struct cc_toolchain *t, char **args)
{
    cc_args command = {0};
    cc_add(&command, t->clang);
    cc_add(&command, "--driver-mode=g++");
    cc_add(&command, "-Wno-unused-command-line-argument");
    for (size_t i = 0; sanitizer_runtimes[i]; i++)
        cc_add(&command, sanitizer_runtimes[i]);
    /* First: -L may name a toolkit of NVIDIA's. */
    cc_add(&command, arena_printf(cc_arena, "-L%s", t->library_dir));
    for (; *args; args++)
        cc_add(&command,
               cc_is_static_runtime(*args) ? "-lcudart_static" : *args);
    /* DT_RPATH, not DT_RUNPATH: it comes before LD_LIBRARY_PATH, which on many
     * machines leads to NVIDIA's libraries of the same names. */
    cc_add(&command, "-Wl,--disable-new-dtags");
    cc_add(&command, arena_printf(cc_arena, "-Wl,-rpath,%s", t->library_dir));
    return cc_become(&command);
}

static enum cc_status run_driver(int argc, char **argv)
{
    struct cc_toolchain toolchain = {.ar = "ar"};
    struct cc_options options;

    if (strcmp(cc_name, "weft-link") == 0) {
        if (!cc_toolchain_locate(&toolchain) ||
            !cc_toolchain_find_clang(&toolchain))
            return CC_FAILED;
        return link_only(&toolchain, argv + 1);
    }
    if (!cc_options_read(&options, argc, argv))
        return CC_FAILED;
    if (options.wants_linker_script)
        return print_linker_script(&options);
    if (answer_questions(&options))
        return CC_OK;
    if (!cc_toolchain_locate(&toolchain) ||
        !cc_toolchain_find_clang(&toolchain))
        return CC_FAILED;
    cc_catch_signals();
    if (cc_asks_host_compiler(&options))
        return cc_let_host_compiler_answer(&options, &toolchain);
    if (!cc_use_host_compiler(&options))
        return CC_FAILED;
    if (options.archiver_binary)
        toolchain.ar = options.archiver_binary;
    return cc_drive(&options, &toolchain);
}

/* No leak reports: lists of options and commands live as long as the process.
 */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

int main(int argc, char **argv)
{
    const char *slash = argc ? strrchr(argv[0], '/') : NULL;
    if (argc)
        cc_name = slash ? slash + 1 : argv[0];
    /* A clang that ends for want of room would leave its symbolizer's files. */
    setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 0);
    cc_arena = arena_create();
    enum cc_status status = run_driver(argc, argv);
    cc_remove_temporaries();
    arena_destroy(cc_arena);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    cc_error("cannot write the output: %s", strerror(errno));
    return status ? status : CC_FAILED;
}
