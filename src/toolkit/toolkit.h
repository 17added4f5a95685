/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stand-ins for the CUDA toolkit's tools: one program, which chooses the tool
 * by the name it is called by. A tool is one file with a table of its options
 * and a main function; main.c lists them. Options are spelled as NVIDIA spells
 * them.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  the program has one
 *   errors   false or NULL after kit_error has said why
 *   owners   files that are read are malloc'ed, for the caller to free
 *   units    sizes are bytes
 */
#ifndef WEFT_TOOLKIT_H
#define WEFT_TOOLKIT_H

#include "base/base.h"
#include "core/core.h"
#include "fatbin/fatbin.h"

/* ---- options.c ----------------------------------------------------------- */

enum kit_use {
    KIT_TAKE,       /* the tool looks at it */
    KIT_TAKE_ALONE, /* likewise, also where no file is named */
    KIT_TUNES,      /* accepted without effect */
    KIT_REFUSE,     /* an error; `help` says why */
    KIT_OPTIONS,    /* a file with more options */
};

/* The row of tools that take options from files. */
#define KIT_OPTIONS_FILE                                                       \
    {                                                                          \
        "options-file", "optf", "FILE,...", "more options, from files",        \
            KIT_OPTIONS                                                        \
    }

struct kit_option {
    const char *name;  /* "gpu-name", as in --gpu-name */
    const char *brief; /* "arch", as in -arch; or "" */
    /* What its value is called, NULL: a flag. Where the tool has a
     * fatal_status, N is a number, BOOL true or false, and of "ca|cg" one is
     * allowed. */
    const char *value;
    const char *help;
    enum kit_use use;
};

/* An option on the command line. */
struct kit_given {
    unsigned option;
    const char *value; /* "" for a flag */
};

struct kit_args {
    VEC(struct kit_given) given; /* in order */
    VEC(const char *) files;
    VEC(char *) owned; /* the text of files with options */
    unsigned open_files; /* of these, one within the other */
};

/* How arguments are read. All that are no options go to kit_args.files. */
enum kit_rest {
    KIT_REST_FILES,   /* options and files in any order */
    KIT_REST_PROGRAM, /* behind the first file, a program, none is an option */
    KIT_REST_ALL,     /* none is an option */
};

struct kit_tool {
    const char *name, *arguments, *summary;
    const char *details; /* more for --help, or "" */
    const struct kit_option *options;
    size_t option_count;
    int (*run)(const struct kit_args *args);
    enum kit_rest rest;
    /* Of a command line that cannot be understood, with NVIDIA's words in its
     * message; 0: 1, with ours. */
    int fatal_status;
    bool helps_alone; /* called without a file, it prints the help */
};

/* Fills *out, whose strings are argv's or its own. False after printing the
 * help, the version or an error: the program ends with *status. */
bool kit_parse(const struct kit_tool *tool, int argc, char **argv,
               struct kit_args *out, int *status);
void kit_args_fini(struct kit_args *args);
/* The last value given, or NULL. */
const char *kit_value(const struct kit_args *args, unsigned option);

/* Prints "nvidia-smi: MESSAGE" on standard error, with the tool's name; of
 * tools with a fatal_status "ptxas fatal   : MESSAGE". */
void kit_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints a compiler's log on standard error, its places and severities in
 * NVIDIA's form. */
void kit_print_log(const char *log);
/* The name of the tool that runs. */
extern const char *kit_name;

/* ---- files.c ------------------------------------------------------------- */

/* A file's bytes and a NUL, malloc'ed; NULL after an error message. `-` is
 * standard input. */
char *kit_read(const char *path, size_t *size_bytes);
/* Writes a file; of kit_write_fatbin, the images in a container. False after an
 * error message. */
bool kit_write(const char *path, const void *data, size_t size_bytes);
bool kit_write_fatbin(const char *path, const struct fatbin_image *images,
                      size_t count, const char *name);

/*
 * Calls `fn` with every fat binary in a file: an executable, library or object,
 * an archive of these, or a fat binary by itself. `fn` gets a part of `bytes`,
 * which it may change. False after an error message: there is none.
 */
typedef void kit_container_fn(void *data, char *container, size_t size_bytes);
bool kit_for_each_container(const char *path, char *bytes, size_t size_bytes,
                            kit_container_fn *fn, void *data);
struct kit_ptx {
    VEC(char *) texts;       /* malloc'ed */
    VEC(const char *) paths; /* of each, borrowed or owned */
    VEC(char *) owned;       /* paths, malloc'ed */
};
/* Adds the PTX in a file of any of those kinds, or in a text file: of each fat
 * binary the best for devices up to sm. False after an error message. */
bool kit_add_ptx(const char *path, unsigned sm, struct kit_ptx *out);
void kit_free_ptx(struct kit_ptx *p);

/* Reads "sm_90a", "compute_90" or "90"; *suffix: 'a', 'f' or 0. False after an
 * error message, which names the option. */
bool kit_parse_arch(const char *option, const char *text, unsigned *sm,
                    char *suffix);

/* cufilt.c: may the character be in a mangled name? */
bool kit_is_in_name(int c);

/* ---- the tools ----------------------------------------------------------- */

extern const struct kit_tool kit_ptxas, kit_fatbinary, kit_nvlink, kit_bin2c,
    kit_cuobjdump, kit_nvprune, kit_cufilt, kit_smi, kit_sanitizer,
    kit_memcheck, kit_nsys, kit_ncu, kit_nvprof, kit_gdb;

#endif
