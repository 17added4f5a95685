/* SPDX-License-Identifier: Apache-2.0 */
/*
 * -ccbin, nvcc's choice of a host compiler. Here clang always compiles host
 * code; this makes it use what the chosen compiler would: the C++ library of a
 * gcc installation, and the options that an MPI wrapper adds.
 */
#include "cc/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first line that the program prints for --version and the like; NULL:
 * none. */
static const char *ask_program(const char *program, const char *option)
{
    cc_args command = {0};
    int status;
    cc_add(&command, program);
    cc_add(&command, option);
    const char *answer = cc_output_of(&command, &status);
    vec_fini(&command);
    if (status || !answer || !*answer)
        return NULL;
    return arena_strndup(cc_arena, answer, strcspn(answer, "\n"));
}

/* The program that -ccbin names; a folder stands for the compiler in it. */
static const char *program_of(const char *value)
{
    static const char *const names[] = {"g++", "clang++", "gcc", "clang"};
    struct stat st;
    if (stat(value, &st) || !S_ISDIR(st.st_mode))
        return value;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        const char *path = arena_printf(cc_arena, "%s/%s", value, names[i]);
        if (access(path, X_OK) == 0)
            return path;
    }
    return value;
}

/* The options of mpicc and mpicxx, as Open MPI and MPICH show them. */
static bool add_wrapper(struct cc_options *o, const char *program)
{
    const char *compile = ask_program(program, "--showme:compile");
    const char *link = ask_program(program, "--showme:link");
    if (!compile && !link)
        compile = link = ask_program(program, "-show");
    if (!compile)
        return false;
    cc_args words = {0};
    cc_split_words(&words, compile);
    for (size_t i = 0; i < words.count; i++)
        if (words.data[i][0] == '-' && strchr("ID", words.data[i][1]))
            cc_add(&o->preprocessor, words.data[i]);
    words.count = 0;
    cc_split_words(&words, link ? link : "");
    for (size_t i = 0; i < words.count; i++)
        if (words.data[i][0] == '-' && strchr("LlW", words.data[i][1]))
            cc_add(&o->link, words.data[i]);
    vec_fini(&words);
    return true;
}

/* gcc's own folder, /usr/lib/gcc/x86_64-linux-gnu/12 */
static bool add_gcc(struct cc_options *o, const char *program)
{
    const char *library = ask_program(program, "-print-libgcc-file-name");
    const char *slash = library ? strrchr(library, '/') : NULL;
    if (!slash)
        return false;
    o->gcc_folder = arena_strndup(cc_arena, library, (size_t)(slash - library));
    return true;
}

/* Options with which gcc says something and compiles nothing. */
static bool is_question(const char *word)
{
    return !strcmp(word, "--version") || starts_with(word, "-dump") ||
           starts_with(word, "-print-") || starts_with(word, "--print-");
}

bool cc_asks_host_compiler(const struct cc_options *o)
{
    for (size_t i = 0; i < o->host.count; i++)
        if (is_question(o->host.data[i]))
            return true;
    return false;
}

enum cc_status cc_let_host_compiler_answer(const struct cc_options *o,
                                           const struct cc_toolchain *t)
{
    const char *program =
        o->host_compiler ? program_of(o->host_compiler) : "gcc";
    int status;
    cc_args command = {0};
    cc_add(&command, ask_program(program, "--version") ? program : t->clang);
    for (size_t i = 0; i < o->host.count; i++)
        cc_add(&command, o->host.data[i]);
    const char *answer = cc_output_of(&command, &status);
    vec_fini(&command);
    if (answer)
        fputs(answer, stdout);
    return status ? CC_FAILED : CC_OK;
}

bool cc_use_host_compiler(struct cc_options *o)
{
    if (!o->host_compiler || !*o->host_compiler)
        return true;
    const char *program = program_of(o->host_compiler);
    const char *version = ask_program(program, "--version");
    const char *slash = strrchr(program, '/');
    const char *name = slash ? slash + 1 : program;

    if (!version) {
        cc_error("'%s' of option 'compiler-bindir' cannot be run, or is no "
                 "compiler",
                 o->host_compiler);
        return false;
    }
    bool is_clang = strstr(version, "clang") != NULL;
    bool is_wrapper = starts_with(name, "mpi");
    bool ok = !is_wrapper || add_wrapper(o, program);
    if (ok && !is_clang)
        ok = add_gcc(o, program);
    if (!ok)
        cc_error("'%s' of option 'compiler-bindir' is neither gcc nor clang "
                 "(\"%s\"); clang cannot take its place",
                 o->host_compiler, version);
    if (ok && o->verbose)
        fprintf(stderr, "#$ _CCBIN_=%s: clang compiles, with %s\n", program,
                is_clang ? "its own choice of C++ library" : o->gcc_folder);
    return ok;
}
