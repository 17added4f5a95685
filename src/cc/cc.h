/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weftcc, the compiler driver that is spelled like nvcc. From the command line
 * to programs run, in this order:
 *
 *   options.c     argv              -> struct cc_options (table: options.def)
 *   toolchain.c   where we are      -> struct cc_toolchain
 *   commands.c    options and input -> one command line per pass
 *   compile.c     one input file through its passes (hostpass.c: the last one)
 *   drive.c       all input files, then the archive or the link
 *
 * All stand on ground.c (lines on stderr, lists of arguments, whole files), and
 * beside that line are precompile.c (the implicit header), process.c (running
 * programs), temporary.c (scratch files), diagnostics.c (each message once),
 * fatbin.c (the container) and hostcompiler.c (-ccbin). These are in driver/.
 * link/ has separate compilation (object.c, devicelink.c), and compat/ what is
 * done about differences between clang and nvcc (mend.c, touchup.c and others).
 *
 * In this folder, unless a comment says otherwise:
 *   threads  the process has one; passes run in processes of their own
 *   errors   false, NULL or a status after cc_error has said why
 *   owners   texts and lists of commands are in cc_arena, which lives as long
 *            as the process
 *   units    sizes are bytes; lines and columns count from 1
 */
#ifndef WEFT_CC_INTERNAL_H
#define WEFT_CC_INTERNAL_H

#include "base/base.h"

#include <stdio.h>

/* Exit statuses, as nvcc's: programs that call it look at them. */
enum cc_status {
    CC_OK = 0,
    CC_FAILED = 1,       /* bad option, missing file, preprocessor, linker */
    CC_BAD_SOURCE = 2,   /* an error in CUDA code */
    CC_BAD_DEVICE = 255, /* device code that cannot be linked */
};

/* A command line, or a part of one. */
typedef VEC(const char *) cc_args;

/* ---- ground.c ------------------------------------------------------------ */

extern struct arena *cc_arena;
extern const char *cc_name; /* "weftcc" or "nvcc": the name we were called by */

/* Append one argument, or all of another list. Strings are kept, not
 * copied. */
void cc_add(cc_args *args, const char *arg);
void cc_add_all(cc_args *args, const cc_args *more);
bool cc_contains(const cc_args *args, const char *arg);
/* One line on stderr: "weftcc fatal   : ...". */
void cc_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cc_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Appends the contents of `from`, if it exists; false after reporting. */
bool cc_append_file(const char *to, const char *from);
/* Closes a file that was opened for writing (NULL: it could not be). Is all in
 * it? False after reporting. */
bool cc_close_written(FILE *f, const char *path);
/* A file's bytes and a NUL; NULL after reporting. */
char *cc_read_file(const char *path, size_t *size_bytes);

/* ---- options.c ----------------------------------------------------------- */

enum cc_phase {
    CC_LINK,
    CC_COMPILE,
    CC_PTX,
    CC_FATBIN, /* -fatbin and -cubin */
    CC_PREPROCESS,
    CC_DEPENDENCIES,
    CC_DEVICE_LINK,
    CC_ARCHIVE,
};

enum cc_language {
    CC_UNKNOWN,
    CC_C,
    CC_CXX,
    CC_CUDA,
    CC_PREPROCESSED_C,   /* .i */
    CC_PREPROCESSED_CXX, /* .ii */
    CC_PTX_TEXT,
    CC_FATBIN_FILE,
    CC_LINKER, /* objects, archives, shared libraries */
};

struct cc_input {
    const char *path;
    enum cc_language language;
};

struct cc_options {
    enum cc_phase phase;
    /* by row of options.def: the last value given */
    const char *values[160];
    VEC(struct cc_input) inputs; /* in order; also files for the linker */

    /* Arguments, by the pass that gets them: */
    cc_args preprocessor; /* every pass that reads source */
    cc_args front_end;    /* both passes over CUDA code */
    cc_args device;       /* only the device pass */
    cc_args host;         /* the host pass, C and C++ files, the link */
    cc_args link;
    cc_args archiver;

    const char *output, *output_dir, *keep_dir;
    const char *standard;        /* NULL: gnu++17 in CUDA code */
    const char *optimize;        /* "0" to "3", or NULL */
    const char *forced_language; /* of -x */
    /* a toolkit whose headers take the place of ours */
    const char *cuda_path;
    const char *random_seed;     /* of -frandom-seed */
    const char *host_compiler;   /* of -ccbin */
    const char *archiver_binary; /* of -arbin */
    const char *gcc_folder;      /* for its C++ library: found by -ccbin */
    const char *dependency_file;
    const char *time_file;  /* of -time */
    const char *time_trace; /* of -fdevice-time-trace, "-" or without .json */
    cc_args entries;        /* kernels that must be there */
    cc_args dependency_targets;
    bool wants_dependencies, wants_system_dependencies, wants_phony_targets;

    bool keep, dry_run, verbose, run, wants_help, wants_version;
    bool wants_gpu_code_list, wants_gpu_arch_list, wants_linker_script;
    bool clean;
    cc_args run_args;
    unsigned jobs; /* 0: one for each processor */

    bool device_debug, line_info, host_debug;
    bool ftz, prec_div, prec_sqrt, fmad, fast_math;
    bool relocatable, no_device_link, per_thread_stream;
    bool has_device_link; /* -dlink, perhaps with -cubin or -fatbin */
    bool device_link_to_fatbin;
    bool shared, no_cudart, shared_cudart, partial_link;
    bool forward_compiler, forward_linker;
    bool is_cubin;                  /* -cubin: one image */
    bool shows_usage;               /* of registers, as ptxas -v does */
    bool has_machine_code;          /* by a -gencode: code=sm_XX */
    bool is_nvrtc;                  /* a program that NVRTC compiles */
    /* the program defines names of the host's library */
    bool hides_names;
    const char *precompiled_folder; /* for the implicit header; NULL: none */

    /* The levels that device code is compiled for: as asked for, and what
     * cc_arch_choose makes of it, ascending; 80 is 8.0. */
    const char *arch;        /* of -arch, NULL: none */
    cc_args codes, gencodes; /* of -code; arch= of each -gencode */
    VEC(unsigned) levels;
    bool is_exact; /* the newest level has all features of its device: sm_90a */
};

/* Reads the command line; false after reporting. */
bool cc_options_read(struct cc_options *o, int argc, char **argv);
void cc_options_help(void);
/* Splits `text` into words as a shell does. */
void cc_split_words(cc_args *to, const char *text);
/* Is the result device code alone, to be loaded as a module? */
bool cc_makes_module(const struct cc_options *o);
/* Are the inputs PTX files that become images of one fat binary? */
bool cc_options_pack_ptx(const struct cc_options *o);
/* False after reporting a file of an unknown kind. */
bool cc_options_check_inputs(const struct cc_options *o);

/* ---- arch.c -------------------------------------------------------------- */

/* The level for `name` (sm_52, compute_90a, native, ...); 0: there is no such
 * architecture. */
unsigned cc_arch_level(const char *name);
/* The number in `name`, 90 for compute_90a; 0: it has another form. */
unsigned cc_arch_number(const char *name);
/* Can what `code` names run code for `arch`? False after reporting. */
bool cc_arch_runs_on(const char *arch, const char *code);
/* Fills in o->levels from the options; false after reporting. */
bool cc_arch_choose(struct cc_options *o);
/* Is there to be code for a device, and not PTX alone? */
bool cc_arch_has_machine_code(const struct cc_options *o);
/* The newest level. */
unsigned cc_arch_newest(const struct cc_options *o);
/* Prints all architectures; kind: "sm" or "compute". */
void cc_arch_list(const char *kind);

/* ---- toolchain.c --------------------------------------------------------- */

struct cc_toolchain {
    const char *clang, *clangxx, *ar;
    const char *self;   /* weftcc, absolute */
    const char *linker; /* clang++ that finds our libraries */
    const char *include_dir, *library_dir, *device_library;
    const char *toolkit_dir; /* a folder shaped like a CUDA toolkit */
};
/* Finds weft's own folders from the place of the running binary; false after
 * reporting. */
bool cc_toolchain_locate(struct cc_toolchain *t);
/* The CUDA version of an installed toolkit, "13.0"; NULL: unknown. */
const char *cc_toolkit_version(const char *toolkit);
/* Finds the compilers; false after naming the package to install. */
bool cc_toolchain_find_clang(struct cc_toolchain *t);

/* ---- hostcompiler.c ------------------------------------------------------ */

/* -ccbin: adds to `o` the arguments by which clang uses that compiler's C++
 * library. False after reporting a compiler that clang cannot stand in for. */
bool cc_use_host_compiler(struct cc_options *o);
/* Is the host compiler only asked for its version and the like? Configure
 * scripts do that with -Xcompiler, and with an input that need not exist. */
bool cc_asks_host_compiler(const struct cc_options *o);
/* Prints the answer on stdout as nvcc's gcc does; without a gcc, clang's. */
enum cc_status cc_let_host_compiler_answer(const struct cc_options *o,
                                           const struct cc_toolchain *t);

/* ---- commands.c ---------------------------------------------------------- */

struct cc_job {
    const struct cc_options *options;
    const struct cc_toolchain *toolchain;
    struct cc_input input;
    const char *fatbin, *output; /* file names; NULL if unused */
    cc_args ptx;                 /* one for each level */
    size_t turn;                 /* the device pass is for levels[turn] */
    /* no other file is compiled at the same time */
    bool is_alone;
    const char *unit;         /* -rdc: 16 hex digits that no other file has */
    /* puts mended files in place of others; NULL: none */
    const char *overlay;
    bool mends_host;          /* the host pass gets copies of its own */
    /* bodies are parsed where they are instantiated */
    bool delays_templates;
    /* what the program calls texture or surface is none of ours */
    bool renames_references;
    /* errors in code of the other side are deferred */
    bool defers_errors;
    bool lists_errors;        /* all errors, not only the first */
    bool leaves_host_calls;   /* without mending them, which did not help */
    bool is_strict;           /* only to ask; nothing is deferred */
    bool copies_parameters;   /* before their addresses are compared */
    /* members of objects are not taken for constants */
    bool leaves_members;
    bool merges_spaces;       /* only to ask which declarations do not fit */
    /* the device pass writes IR there, before it is optimised; NULL: PTX */
    const char *ir;
    const char *headers;      /* a make rule to write; NULL: none */
    /* NVRTC: a list of host headers to write; NULL: none */
    const char *host_headers;
    const char *precompiled;  /* stands for cuda_runtime.h; NULL: none */
};
enum cc_pass { CC_DEVICE_PASS, CC_HOST_PASS };
/* Append clang's command line for a pass: the program and its arguments, up to
 * the file that it writes. */
void cc_command_device(const struct cc_job *j, cc_args *out);
void cc_command_lower(const struct cc_job *j, cc_args *out); /* IR to PTX */
/* Everything except where the result goes. */
void cc_command_precompile(const struct cc_job *j, enum cc_pass pass,
                           cc_args *out);
void cc_command_pack(const struct cc_job *j, cc_args *out);
void cc_command_host(const struct cc_job *j, cc_args *out);
void cc_command_plain(const struct cc_job *j, cc_args *out); /* C and C++ */
void cc_command_preprocess(const struct cc_job *j, cc_args *out);
void cc_command_link(const struct cc_options *o, const struct cc_toolchain *t,
                     const cc_args *files, const char *output, cc_args *out);
/* headers.c: puts weft's header folders behind the user's, and those of other
 * toolkits behind weft's. */
void cc_order_headers(const struct cc_job *j, cc_args *command);
/* Is it a program for NVRTC whose folders have no toolkit? */
bool cc_has_no_toolkit(const struct cc_job *j);
/* rtcheaders.c: a program for NVRTC sees no headers of the host. list: has
 * clang list the host headers that it includes; leaves: false after reporting
 * one. */
void cc_list_host_headers(const struct cc_job *j, cc_args *command);
bool cc_leaves_host_headers(const struct cc_job *j);
/* Renames names of the host's library in the implicit header. */
void cc_hide_names(const struct cc_toolchain *t, cc_args *command);
/* Is it an argument of a link that stands for the static runtime? */
bool cc_is_static_runtime(const char *arg);
/* Prints what nvcc -v prints first, which build systems read. */
void cc_print_settings(const struct cc_options *o,
                       const struct cc_toolchain *t);

/* ---- compile.c, drive.c -------------------------------------------------- */

/* Compiles one source file through the passes that its phase needs. Messages
 * go to stderr, each once. */
enum cc_status cc_compile(const struct cc_job *j);
enum cc_status cc_drive(const struct cc_options *o,
                        const struct cc_toolchain *t);

/* ---- hostpass.c ---------------------------------------------------------- */

/* The host pass over a CUDA file. It needs the fat binary only at its end, so
 * it may run beside the device pass: it then reads j->fatbin from a pipe. */
struct cc_host_pass {
    int pid; /* 0: not started early */
    const char *pipe;
    const char *precompiled; /* what it reads in place of cuda_runtime.h */
};
/* Starts the pass early if there is a processor for it. */
void cc_host_pass_start(struct cc_host_pass *p, const struct cc_job *j,
                        const char *messages);
/* Ends it: the device pass has failed, or has read something else. */
void cc_host_pass_cancel(struct cc_host_pass *p, const struct cc_job *j);
/* Gives it the fat binary in j->fatbin, or runs it now. Returns its status. */
int cc_host_pass_finish(struct cc_host_pass *p, const struct cc_job *j,
                        const char *messages);
/* Removes an incomplete result, if it is a regular file. */
void cc_remove_result(const char *path);

/* ---- precompile.c -------------------------------------------------------- */

/* Are headers that a program names with -include precompiled? */
bool cc_reads_others(const struct cc_options *o);
/* The precompiled file for cuda_runtime.h and for what -include names; made if
 * there is none. NULL: the headers themselves are read. */
const char *cc_precompiled(const struct cc_job *j, enum cc_pass pass);
/* Do clang's messages refuse the file? Then it is removed, unless the reason
 * may be what this job has changed in its headers. False if path is NULL. */
bool cc_refuses_precompiled(const struct cc_job *j, const char *path,
                            const char *messages);

/* ---- process.c ----------------------------------------------------------- */

/* Prints a command on stderr, quoted as --dryrun and -v do. */
void cc_print_command(const cc_args *args);
/* Runs a program; stderr goes to the file `messages`, if given. Returns the
 * exit status; 128 + the signal; 127 if it could not be started. */
int cc_run(const cc_args *args, const char *messages);
/* The same in two parts: start returns the process, -1 after reporting; wait
 * its status. */
int cc_start(const cc_args *args, const char *messages);
int cc_wait(int pid);
bool cc_has_ended(int pid); /* it still has to be waited for */
void cc_stop(int pid);
/* What a program writes to stdout; its status goes to *status. */
const char *cc_output_of(const cc_args *args, int *status);
/* Replaces our process by the program; returns only after reporting a
 * failure. */
enum cc_status cc_become(const cc_args *args);
/* Forks, and runs `work` in the child. The parent gets its pid; -1 after
 * reporting. */
int cc_spawn(enum cc_status (*work)(const void *data), const void *data,
             const char *messages);
int cc_wait_any(int *status); /* the pid that ended; -1: none */
/* From now on a signal ends our children, removes the scratch folder and then
 * ends us as it would have. */
void cc_catch_signals(void);

/* ---- temporary.c --------------------------------------------------------- */

/* Reports if the scratch folder is full: a program that failed there may not
 * have been able to say so. */
void cc_report_full_scratch(void);

/* Path of a scratch file, in a folder of this process that is removed at exit.
 * NULL after reporting. */
const char *cc_temporary(const struct cc_options *o, const char *source,
                         const char *suffix);
/* The same for a result that the next step reads: with -keep, it stays. */
const char *cc_intermediate(const struct cc_options *o, const char *source,
                            const char *suffix);
void cc_remove_temporaries(void);
/* A path as messages show it: for scratch files only the name. */
const char *cc_shown_name(const char *path);
/* "dir/x.cu", ".o" -> "x.o" */
const char *cc_with_suffix(const char *path, const char *suffix);

/* ---- diagnostics.c ------------------------------------------------------- */

/* Copies clang's messages in `file` to stderr. Leaves out those that `seen`
 * (NULL: nothing) has word for word, and candidates in weft's headers,
 * `own_folder`, that did not fit. */
void cc_show_messages(const char *file, const char *seen,
                      const char *own_folder);

/* ---- object.c ------------------------------------------------------------ */

/* A host object file that takes part in separate compilation. */
struct cc_object {
    const char *name;    /* "x.o", "libx.a(y.o)" */
    const char *fatbins; /* __nv_relfatbin, or NULL */
    size_t fatbins_bytes;
    cc_args needed, defined; /* functions that register a file's device code */
    bool is_member;          /* it is in an archive */
};
typedef VEC(struct cc_object) cc_objects;

/* Adds the objects in a file, which may be an archive; other files have none.
 * They stay in memory. False after reporting that it cannot be read. */
bool cc_objects_read(const char *path, cc_objects *out);
/* clang names those functions by the path of the source, which several files
 * may share: renames them by `id`, 16 hex digits. */
bool cc_object_rename(const char *path, const char *id);

/* Kernels have to be registered before the file's constructors run, which may
 * launch them; clang does it the other way round. False: the file cannot be
 * written. */
bool cc_object_register_first(const char *path);

/* nvcc's host functions of kernels have the kernels' names, for host code of
 * other compilers; clang's have others, which are replaced. False: the file
 * cannot be written. */
bool cc_object_name_kernels(const char *path);

/* Does the object launch an instance of a kernel template without having a
 * host function for it? */
bool cc_object_lacks_stub(const char *path);

/* The names of an object file's symbols; false after reporting. */
struct cc_symbols {
    cc_args undefined, defined;
};
bool cc_object_symbols(const char *path, struct cc_symbols *out);

/* ---- otherside.c --------------------------------------------------------- */

/* A function that gets a copy for the host. */
struct cc_host_side {
    char *body, *end;   /* its braces */
    const char *spaces; /* of a lambda: where its attributes go; else NULL */
    const char *type;   /* how it names its result type; "": it does not */
    bool returns_int;   /* and has to name it in the copy */
};
/* at: a function's name or a lambda's '[', in a text that ends with a NUL.
 * False: it has no body there. */
bool cc_find_host_side(char *at, struct cc_host_side *out);
/* The braces of the kernel that a place of the text is in. A macro may hide
 * that it is a kernel; the PTX of the device pass tells. False: it is in
 * none. */
bool cc_find_kernel_body(const struct cc_job *j, char *text, char *at,
                         struct cc_host_side *out);
/* The bracket that closes the one at p; NULL: none. */
char *cc_closing(char *p);
/* Over blanks and line ends: on from p; back from behind them, not before
 * `start`. */
char *cc_skip_space(char *p);
char *cc_skip_space_back(const char *start, char *p);
/* The place behind the comment, string, character literal or number at p, which
 * is not the file's first character; p: none begins there. */
char *cc_skip_text(char *p);
/* Replaces everything but line ends by blanks. */
void cc_blank(char *from, const char *to);

/* ---- hostcalls.c --------------------------------------------------------- */

/* A call of a host function, or the block around it. */
struct cc_host_call {
    char *start, *end;
    bool is_block; /* between its braces */
};
/* at: where clang points when it refuses `name`. False: there is no such
 * call. */
bool cc_find_host_call(const char *text, char *at, const char *name,
                       struct cc_host_call *out);
/* Are clang's messages about code that hostcalls.c has inserted? */
bool cc_shows_host_calls(const char *messages);
/* The same for members.c. */
bool cc_shows_members(const char *messages);

/* ---- mend.c -------------------------------------------------------------- */

/* Finds what nvcc would have accepted in clang's messages about `functions`
 * (mangled; NULL: any) and about files that a make rule names (NULL: all).
 * Returns an overlay (-ivfsoverlay) in which it is mended; NULL: there is
 * nothing to mend. `mended`: the copies made so far, for another round. */
const char *cc_mend(const struct cc_job *j, const char *messages,
                    const cc_args *functions, const char *rule,
                    cc_args *mended);

/* The same for function templates that only decltype calls and clang does not
 * find, in files that a make rule names; finds: may there be such? */
bool cc_finds_unfit(const char *messages);
const char *cc_mend_unfit(const struct cc_job *j, const char *messages,
                          const char *rule, cc_args *mended);

/* An overlay in which variables of the device that are declared extern, and
 * whose symbols are undefined, are static; NULL: there are none. `names` gets
 * the symbols. */
const char *cc_mend_externs(const struct cc_job *j,
                            const struct cc_symbols *symbols, cc_args *names,
                            cc_args *mended);

/* An overlay in which kernels with errors in their bodies have empty ones;
 * NULL: there are none. */
const char *cc_empty_kernels(const struct cc_job *j, const char *messages,
                             cc_args *mended);

/* Copies of the mended files for the host pass: j->mends_host. */
void cc_mend_apart(const struct cc_job *j, const cc_args *mended, cc_args *out);

/* Has clang refused a call of a __host__ function that nvcc accepts? */
bool cc_calls_host(const char *messages);
/* Was a header not found? That ends a pass, and nothing can be mended. */
bool cc_lacks_header(const char *messages);

/* Does the source define what is a texture or surface reference to our headers?
 * Toolkits from 12 on have none. */
bool cc_redefines_reference(const char *messages);

/* Has clang missed a name in a template that nvcc looks up where the template
 * is instantiated? */
bool cc_misses_late_name(const char *messages);
bool cc_died(const char *messages); /* clang itself has crashed */

/* ---- declared.c ---------------------------------------------------------- */

/* Does a file of a make rule that clang wrote declare a __device__ function
 * without defining it there? Files in `own_folder`, weft's, do not count. */
bool cc_declares_functions(const char *rule, const char *own_folder);

/* The next file name of a make rule, behind its colon; NULL: no more. */
const char *cc_next_file(const char **at);

/* ---- lookup.c ------------------------------------------------------------ */

/* Lines of a file, counted from 1. */
struct cc_lines_of {
    size_t first, last;
};
typedef VEC(struct cc_lines_of) cc_lines;
/* Can the character be part of a name in C? */
bool cc_is_name_char(char c);
/* The name that ends at *end or at spaces before it; *end moves to the name's
 * end. NULL: there is none. */
const char *cc_last_name(const char *from, const char **end);
/* Number of the line that a place of the text is in. */
size_t cc_line_of(const char *text, const char *at);
/* Calls fn for those of clang's messages that have this error (": error: ...",
 * its beginning) on one of the lines of `path`; `message` begins with the
 * place. False: there are none. */
bool cc_each_error(const char *messages, const char *path, const char *error,
                   const cc_lines *lines,
                   void (*fn)(const char *message, const char *error));

/* ---- initial.c ----------------------------------------------------------- */

/* Lines where a file initialises device variables by calls; false: none. */
bool cc_finds_values(const char *path, cc_lines *lines);
/* Reports those of clang's messages in a strict pass that are about such
 * values; false: none are. */
bool cc_refuses_values(const char *messages, const char *path,
                       const cc_lines *lines);

/* ---- constants.c --------------------------------------------------------- */

/* A text to insert before `name`, which has to be there. */
struct cc_insertion {
    size_t line, column; /* from 1 */
    const char *text, *name;
};
typedef VEC(struct cc_insertion) cc_insertions;
/* Lines where device code seems to write to __constant__ variables, and where
 * to insert `const`; false: none. */
bool cc_finds_constant_writes(const char *path, cc_lines *lines,
                              cc_insertions *declared);
/* Reports those of clang's messages about that which are on these lines;
 * false: none are. */
bool cc_refuses_constant_writes(const char *messages, const char *path,
                                const cc_lines *lines);
/* mend.c: an overlay in which these texts are inserted into the job's input;
 * NULL: it cannot be made. `mended`: copies that others have made. */
const char *cc_insert(const struct cc_job *j, const cc_insertions *list,
                      cc_args *mended);

/* ---- statics.c ----------------------------------------------------------- */

/* Insertions that keep static variables, since others may fill them; false:
 * there are none. */
bool cc_finds_statics(const char *path, cc_insertions *out);

/* ---- timing.c ------------------------------------------------------------ */

/* Milliseconds since some moment; never goes back. */
double cc_now_ms(void);
/* A step of a compilation; unused fields are NULL. */
struct cc_step {
    const char *source, *phase, *input, *output, *arch, *tool;
};
/* With -time: writes how long the step took. */
void cc_time_step(const struct cc_options *o, const struct cc_step *step,
                  double since_ms);

/* ---- devicelink.c -------------------------------------------------------- */

/* Links the relocatable device code in the files, and in what o->link names.
 * *has_output: there was some, and `output` is a host object to link. */
enum cc_status cc_device_link(const struct cc_options *o,
                              const struct cc_toolchain *t,
                              const cc_args *files, const char *output,
                              bool *has_output);

/* ---- externs.c ----------------------------------------------------------- */

/* Is it a function that device code may call without a definition? */
bool cc_is_provided(const char *name);
/* Makes definitions of the variables that the PTX declares, with a warning. */
void cc_define_variables(char *ptx);
/* The warning about one of them, once for each symbol. */
void cc_warn_of_definition(const char *symbol);
/* False after naming device functions and variables that the PTX declares and
 * neither it nor weft defines. */
bool cc_check_externs(const char *ptx);
/* False after naming the kernels that wait for the grids they launched. */
bool cc_check_waits(const char *ptx);
/* False after naming a kernel, by its mangled name, that the PTX lacks. */
bool cc_check_entries(const char *ptx, const cc_args *names);
/* The functions among them, mangled. */
void cc_unresolved_functions(const char *ptx, cc_args *names);

/* ---- localcas.c ---------------------------------------------------------- */

/* The PTX without atom.local.cas; malloc'ed; NULL: it has none. */
char *cc_without_local_cas(const char *ptx);

/* ---- narrow.c ------------------------------------------------------------ */

/* Does clang's PTX convert floating point to fewer than 32 bits? */
bool cc_converts_narrowly(const char *ptx);
/* Makes such conversions in a file of IR convert to 32 bits, and take the low
 * ones. False after reporting. */
bool cc_widen_conversions(const char *path);

/* ---- touchup.c ----------------------------------------------------------- */

/* Completes what clang leaves undone in a PTX file: marks managed variables,
 * and renames static ones. False after reporting. */
bool cc_touch_up(const struct cc_options *o, const char *path);

/* ---- fatbin.c ------------------------------------------------------------ */

struct fatbin_image;
/* check.c: false after reporting that the text is no PTX, or not valid for its
 * target. `name` is for messages. */
bool cc_check_ptx(const char *name, struct fatbin_image *image);
/* Writes a fat binary with PTX images; replaces the file completely or not at
 * all. False after reporting. */
bool cc_fatbin_write(const char *path, const struct fatbin_image *images,
                     size_t count, const char *source_name);
/* The best PTX in the fat binary at `bytes`, a string to free; NULL: none.
 * *used: size of the fat binary, 0: it is none. */
char *cc_fatbin_ptx(const char *bytes, size_t size, size_t *used);

#endif
