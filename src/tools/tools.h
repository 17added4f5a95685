/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The `weft` command: what its subcommands share. A subcommand is one file
 * with a table of its options and a main function; main.c lists them.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  the main one alone
 *   errors   false or NULL after tool_error has said why
 *   owners   texts that are read are malloc'ed; tool_free_input ends an input
 *   units    sizes are bytes
 */
#ifndef WEFT_TOOLS_H
#define WEFT_TOOLS_H

#include "base/base.h"
#include "ptx/ptx.h"
#include "simt/simt.h"

enum tool_status { TOOL_OK = 0, TOOL_FAILED = 1, TOOL_USAGE = 2 };

/* ---- options.c ---------------------------------------------------------- */

struct tool_option {
    const char *name;  /* "--kernel" */
    const char *value; /* what its value is called, or NULL: a flag */
    const char *help;
};

#define TOOL_OPTIONS_MAX 24

struct tool_command {
    const char *name;
    const char *arguments; /* "FILE.ptx" */
    const char *summary;   /* one line */
    const char *details;   /* more for --help, or "" */
    const struct tool_option *options;
    size_t option_count;
    enum tool_status (*run)(const struct tool_command *command, int argc,
                            char **argv);
};

/* What was given. values[i] belongs to options[i]: NULL when absent, "" for a
 * flag. Positional arguments are moved to the front of argv. */
struct tool_args {
    const char *values[TOOL_OPTIONS_MAX];
    char **positional;
    int positional_count;
};

/* Fills *args. False after an error message or the help: the command ends with
 * *status. */
bool tool_parse(const struct tool_command *command, int argc, char **argv,
                struct tool_args *args, enum tool_status *status);

/* Prints "weft: MESSAGE" on standard error. */
void tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reads "16,16" into {16, 16, 1}, or a number. False after an error message
 * that names the option. */
bool tool_parse_dim3(const char *option, const char *text, uint32_t out[3]);
bool tool_parse_u64(const char *option, const char *text, uint64_t *out);
/* The value of --lanes: 1 or 32. */
bool tool_parse_lanes(const char *text, unsigned *out);

/* ---- input.c ------------------------------------------------------------ */

/* A PTX file read and parsed; the text stays for its hash. */
struct tool_input {
    char *text;
    size_t length;
    struct ptx_module *module;
};
/* Reads a PTX file, or the PTX in another file (binary.c); `-` is standard
 * input. number: which module of several, from 1; 0: the only one. False after
 * an error message; else tool_free_input frees it. */
bool tool_read_ptx(const char *path, uint64_t number, struct tool_input *input);
/* The same for several files, linked into one module, which has no text. */
bool tool_link_ptx(char *const *paths, int count, struct tool_input *input);
void tool_free_input(struct tool_input *input);

/* The whole file and a NUL, malloc'ed. NULL after an error message. */
char *tool_read_file(const char *path, size_t *length);

/* The function of that name; for NULL, the only kernel. NULL after an error
 * message that lists the kernels. */
const struct ptx_func *tool_find_kernel(const struct ptx_module *m,
                                        const char *name);
/* Fills *spec for 32 lanes, with the block shape in `block`, if NULL the one
 * that the kernel requires, else 256 threads. False after an error message. */
bool tool_make_spec(const struct ptx_func *kernel, const char *block,
                    struct simt_spec *spec);

/* ---- binary.c ----------------------------------------------------------- */

/* Is it an ELF file or a fat binary? */
bool tool_is_binary(const char *data, size_t length);
/* The PTX of its module `number` (see tool_read_ptx), malloc'ed and
 * NUL-terminated. path: for messages. NULL after an error message. */
char *tool_extract_ptx(const char *path, const char *data, size_t length,
                       uint64_t number, size_t *ptx_length);

/* The device code in an executable or a library. */
struct tool_device_code {
    unsigned count, runs_count; /* of images; of those that may run here */
    char targets[256];          /* "PTX for sm_75, machine code for sm_90" */
};
/* Finds out which device code a file has. False: none, or it cannot be read. */
bool tool_device_code(const char *path, struct tool_device_code *out);

/* ---- program.c ---------------------------------------------------------- */

/* Is it an executable ELF file or a script? */
bool tool_is_program(const char *path);
/* The path of a program, malloc'ed; a name without a slash is looked for in
 * PATH. NULL: there is none. */
char *tool_find_program(const char *name);
/* Becomes the program, with our libraries in the place of NVIDIA's. Returns
 * only on failure, after an error message. */
enum tool_status tool_run_program(const char *path, char **argv);

/* ---- device_files.c ----------------------------------------------------- */

/* Lets the program that this process becomes see files in /dev as NVIDIA's
 * kernel module has them. True if there are some already. */
bool tool_show_device_files(void);

/* ---- the subcommands ---------------------------------------------------- */

extern const struct tool_command tool_dump, tool_info, tool_run;

#endif
