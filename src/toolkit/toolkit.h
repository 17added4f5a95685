/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stand-ins of the CUDA toolkit's tools: one program that goes by the name it
 * is called by. A tool is one file with a table of its options and a main
 * function; main.c lists them. Options are spelled as NVIDIA spells them.
 */
#ifndef WEFT_TOOLKIT_H
#define WEFT_TOOLKIT_H

#include "base/base.h"
#include "core/core.h"
#include "fatbin/fatbin.h"

/* ---- options.c ----------------------------------------------------------- */

enum kit_use {
    KIT_TAKE,   /* the tool looks at it */
    KIT_TUNES,  /* only tunes what a GPU would run */
    KIT_REFUSE, /* `help` says why */
};

struct kit_option {
    const char *name;  /* "gpu-name", as in --gpu-name */
    const char *brief; /* "arch", as in -arch; or "" */
    const char *value; /* what its value is called, NULL: a flag */
    const char *help;
    enum kit_use use;
};

struct kit_given {
    unsigned option;
    const char *value; /* "" for a flag */
};

struct kit_args {
    VEC(struct kit_given) given; /* in order */
    VEC(const char *) files;
};

/* What stands behind the options. */
enum kit_rest {
    KIT_REST_FILES,   /* files and more options */
    KIT_REST_PROGRAM, /* the first is a program, the rest is its own */
    KIT_REST_ALL,     /* nothing is looked at */
};

struct kit_tool {
    const char *name, *arguments, *summary;
    const char *details; /* more for --help, or "" */
    const struct kit_option *options;
    size_t option_count;
    int (*run)(const struct kit_args *args);
    enum kit_rest rest;
};

/* False: *status is what the program ends with. */
bool kit_parse(const struct kit_tool *tool, int argc, char **argv,
               struct kit_args *out, int *status);
/* The last value given, or NULL. */
const char *kit_value(const struct kit_args *args, unsigned option);

/* "ptxas: MESSAGE" on standard error. */
void kit_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The name that the program goes by. */
extern const char *kit_name;

/* ---- files.c ------------------------------------------------------------- */

/* NUL-terminated, malloc'ed; NULL after saying why not. `-` is standard
 * input. */
char *kit_read(const char *path, size_t *size_bytes);
bool kit_write(const char *path, const void *data, size_t size_bytes);
bool kit_write_fatbin(const char *path, const struct fatbin_image *images,
                      size_t count, const char *name);

/*
 * Calls `fn` with every fat binary in a file: an executable, library or object,
 * an archive of these, or a fat binary by itself. The bytes are the file's.
 * False after saying that there is none, or what is wrong.
 */
typedef void kit_container_fn(void *data, char *container, size_t size_bytes);
bool kit_for_each_container(const char *path, char *bytes, size_t size_bytes,
                            kit_container_fn *fn, void *data);
/* The PTX in a file, of every kind of these or as text, for devices up to sm;
 * malloc'ed. NULL after saying what is wrong, or that there is none. */
struct kit_ptx {
    VEC(char *) texts;
};
bool kit_add_ptx(const char *path, unsigned sm, struct kit_ptx *out);
void kit_free_ptx(struct kit_ptx *p);

/* "sm_90a", "compute_90", "90"; false after saying that it is none. */
bool kit_parse_arch(const char *text, unsigned *sm, char *suffix);

/* ---- the tools ----------------------------------------------------------- */

extern const struct kit_tool kit_ptxas, kit_fatbinary, kit_nvlink, kit_bin2c,
    kit_cuobjdump, kit_nvprune, kit_cufilt, kit_smi, kit_sanitizer,
    kit_memcheck, kit_nsys, kit_ncu, kit_nvprof, kit_gdb;

#endif
