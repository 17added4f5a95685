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
 * fatbin.c (the container), object.c and devicelink.c (separate compilation),
 * hostcompiler.c (-ccbin), touchup.c, localcas.c and mend.c (differences
 * between clang and nvcc).
 *
 * All memory comes from one arena that lives as long as the process.
 */
#ifndef WEFT_CC_INTERNAL_H
#define WEFT_CC_INTERNAL_H

#include "base/base.h"

/* What nvcc answers with; programs that call it look at these. */
enum cc_status {
    CC_OK = 0,
    CC_FAILED = 1,       /* bad option, missing file, preprocessor, linker */
    CC_BAD_SOURCE = 2,   /* an error in CUDA code */
    CC_BAD_DEVICE = 255, /* device code that cannot be put together */
};

/* One command line, or a piece of one. */
typedef VEC(const char *) cc_args;

/* ---- ground.c ------------------------------------------------------------ */

extern struct arena *cc_arena;
extern const char *cc_name; /* "weftcc" or "nvcc": as what we were called */

/* Appends one argument, or all of another list. The strings are kept, not
 * copied. */
void cc_add(cc_args *args, const char *arg);
void cc_add_all(cc_args *args, const cc_args *more);
/* One line on stderr: "weftcc fatal   : ...". */
void cc_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cc_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Adds what is in `from`, which may not exist; false after reporting. */
bool cc_append_file(const char *to, const char *from);
/* A file's bytes with a NUL behind them, or NULL after reporting. */
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
    const char *values[160];     /* by row of options.def: the last one given */
    VEC(struct cc_input) inputs; /* in order; files for the linker too */

    /* By who gets them. */
    cc_args preprocessor; /* every pass that reads source */
    cc_args front_end;    /* both passes over CUDA code */
    cc_args device;       /* the device pass alone */
    cc_args host;         /* the host pass, C and C++ files, the link */
    cc_args link;
    cc_args archiver;

    const char *output, *output_dir, *keep_dir;
    const char *standard;        /* NULL: gnu++17 in CUDA code */
    const char *optimize;        /* "0" to "3", or NULL */
    const char *forced_language; /* of -x */
    const char *cuda_path;       /* headers of a toolkit in place of ours */
    const char *random_seed;     /* of -frandom-seed */
    const char *host_compiler;   /* of -ccbin */
    const char *archiver_binary; /* of -arbin */
    const char *gcc_folder;      /* whose C++ library: found by -ccbin */
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
    unsigned jobs; /* 0: as many as there are processors */

    bool device_debug, line_info, host_debug;
    bool ftz, prec_div, prec_sqrt, fmad, fast_math;
    bool relocatable, no_device_link, per_thread_stream;
    bool has_device_link; /* -dlink, perhaps with -cubin or -fatbin */
    bool device_link_to_fatbin;
    bool shared, no_cudart, shared_cudart, partial_link;
    bool forward_compiler, forward_linker;
    bool is_cubin;                  /* -cubin: one image */
    bool is_nvrtc;                  /* a program that NVRTC compiles */
    bool hides_names;               /* it has some of the host's library */
    const char *precompiled_folder; /* for the implicit header; NULL: none */

    /* For what device code is compiled: as it is asked for, and what
     * cc_arch_choose makes of that, ascending; 80 is 8.0. */
    const char *arch;        /* of -arch, NULL: none */
    cc_args codes, gencodes; /* of -code; arch= of each -gencode */
    VEC(unsigned) levels;
    bool is_exact; /* the newest with all features of that device: sm_90a */
};

/* Reads the command line; false after reporting. */
bool cc_options_read(struct cc_options *o, int argc, char **argv);
void cc_options_help(void);
/* The words that a shell would make of `text`. */
void cc_split_words(cc_args *to, const char *text);
/* Whether the inputs are PTX files that become images of one fat binary. */
/* Whether device code alone comes out, to be loaded as a module. */
bool cc_makes_module(const struct cc_options *o);
bool cc_options_pack_ptx(const struct cc_options *o);
/* False after reporting a file that is none of the kinds we know. */
bool cc_options_check_inputs(const struct cc_options *o);

/* ---- arch.c -------------------------------------------------------------- */

/* The level that device code for `name` (sm_52, compute_90a, native, ...) is
 * compiled for, or 0 if there is no such architecture. */
unsigned cc_arch_level(const char *name);
/* The number in `name`, 90 for compute_90a; 0: not of that form. */
unsigned cc_arch_number(const char *name);
/* Whether what `code` names runs code for `arch`. False after reporting. */
bool cc_arch_runs_on(const char *arch, const char *code);
/* Fills o->levels from what the options ask for; false after reporting. */
bool cc_arch_choose(struct cc_options *o);
/* The newest of them. */
unsigned cc_arch_newest(const struct cc_options *o);
/* "sm" or "compute". */
void cc_arch_list(const char *kind);

/* ---- toolchain.c --------------------------------------------------------- */

struct cc_toolchain {
    const char *clang, *clangxx, *ar;
    const char *self;   /* weftcc, absolute */
    const char *linker; /* clang++ that knows our libraries */
    const char *include_dir, *library_dir, *device_library;
    const char *toolkit_dir; /* shaped like a CUDA toolkit */
};
/* Finds weft's own folders from the place of the running binary. */
bool cc_toolchain_locate(struct cc_toolchain *t);
/* The CUDA version of an installed toolkit, "13.0"; NULL: it does not say. */
const char *cc_toolkit_version(const char *toolkit);
/* Finds the compilers; false after naming the package to install. */
bool cc_toolchain_find_clang(struct cc_toolchain *t);

/* ---- hostcompiler.c ------------------------------------------------------ */

/* What -ccbin asks of clang: adds to `o` the arguments by which clang uses the
 * same C++ library. False after reporting a compiler that clang cannot stand
 * in for. */
bool cc_use_host_compiler(struct cc_options *o);
/* Is the host compiler only asked for its version and the like? Configure
 * scripts do that with -Xcompiler, and an input that need not exist. */
bool cc_asks_host_compiler(const struct cc_options *o);
/* On stdout, as nvcc's gcc says it; without a gcc, clang. */
enum cc_status cc_let_host_compiler_answer(const struct cc_options *o,
                                           const struct cc_toolchain *t);

/* ---- commands.c ---------------------------------------------------------- */

struct cc_job {
    const struct cc_options *options;
    const struct cc_toolchain *toolchain;
    struct cc_input input;
    const char *fatbin, *output; /* file names; unused ones are NULL */
    cc_args ptx;                 /* one per level that is compiled for */
    size_t turn;                 /* the device pass is for levels[turn] */
    bool is_alone;               /* no other file is compiled beside it */
    const char *unit;         /* -rdc: 16 hex digits that no other file has */
    const char *overlay;      /* mended files stand for others; NULL: none */
    bool mends_host;          /* copies for the host pass, by other names */
    bool delays_templates;    /* bodies are read where they are instantiated */
    bool defers_errors;       /* in code of the other side */
    bool lists_errors;        /* all, not the first ones */
    bool leaves_host_calls;   /* as they are: mending them is of no use */
    bool is_strict;           /* only asks, and nothing is deferred */
    bool copies_parameters;   /* before they are looked at */
    bool leaves_members;      /* of objects as they are, constants or not */
    bool merges_spaces;       /* only asks which declarations do not fit */
    const char *headers;      /* a make rule to write; NULL: none */
    const char *host_headers; /* NVRTC: a list of them to write; NULL: none */
    const char *precompiled;  /* stands for cuda_runtime.h; NULL: nothing */
};
enum cc_pass { CC_DEVICE_PASS, CC_HOST_PASS };
/* Appends clang's command line for the device pass: the program and its
 * arguments, up to the file it writes. */
void cc_command_device(const struct cc_job *j, cc_args *out);
/* All but where the result goes. */
void cc_command_precompile(const struct cc_job *j, enum cc_pass pass,
                           cc_args *out);
void cc_command_pack(const struct cc_job *j, cc_args *out);
void cc_command_host(const struct cc_job *j, cc_args *out);
void cc_command_plain(const struct cc_job *j, cc_args *out); /* C and C++ */
void cc_command_preprocess(const struct cc_job *j, cc_args *out);
void cc_command_link(const struct cc_options *o, const struct cc_toolchain *t,
                     const cc_args *files, const char *output, cc_args *out);
/* headers.c: puts weft's own header folders behind the user's, and those of
 * other toolkits behind weft's. */
void cc_order_headers(const struct cc_job *j, cc_args *command);
/* Whether it is a program of NVRTC's without a toolkit among its folders. */
bool cc_has_no_toolkit(const struct cc_job *j);
/* rtcheaders.c: a program of NVRTC sees no headers of the host. Asks clang for
 * a list of those that it includes by itself; false after reporting one. */
void cc_list_host_headers(const struct cc_job *j, cc_args *command);
bool cc_leaves_host_headers(const struct cc_job *j);
/* Gives names of the host's library others in the implicit header. */
void cc_hide_names(const struct cc_toolchain *t, cc_args *command);
/* An argument of a link that stands for the static runtime. */
bool cc_is_static_runtime(const char *arg);
/* What nvcc -v says first, and build systems read. */
void cc_print_settings(const struct cc_options *o,
                       const struct cc_toolchain *t);

/* ---- compile.c, drive.c -------------------------------------------------- */

/* Takes one source file through the passes that its phase needs. Its messages
 * go to stderr, each once. */
enum cc_status cc_compile(const struct cc_job *j);
enum cc_status cc_drive(const struct cc_options *o,
                        const struct cc_toolchain *t);

/* ---- hostpass.c ---------------------------------------------------------- */

/* The host pass over a CUDA file. It needs the fat binary at its very end, so
 * it may run beside the device pass: it then reads j->fatbin, a pipe. */
struct cc_host_pass {
    int pid; /* 0: not started ahead */
    const char *pipe;
    const char *precompiled; /* what it reads in place of cuda_runtime.h */
};
/* Starts it where there is a processor for it. */
void cc_host_pass_start(struct cc_host_pass *p, const struct cc_job *j,
                        const char *messages);
/* The device pass has failed, or has read something else. */
void cc_host_pass_cancel(struct cc_host_pass *p, const struct cc_job *j);
/* Gives it the fat binary in j->fatbin, or runs it now. The status. */
int cc_host_pass_finish(struct cc_host_pass *p, const struct cc_job *j,
                        const char *messages);
/* Half a result is none: removes a file, if it is one. */
void cc_remove_result(const char *path);

/* ---- precompile.c -------------------------------------------------------- */

/* Whether headers are precompiled that a program names with -include. */
bool cc_reads_others(const struct cc_options *o);
/* The file that stands for cuda_runtime.h in a pass, and for what -include
 * names; made if there is none. NULL: the headers themselves are read. */
const char *cc_precompiled(const struct cc_job *j, enum cc_pass pass);
/* Whether clang has refused it, which removes it. */
bool cc_precompiled_is_stale(const char *path, const char *messages);

/* ---- process.c ----------------------------------------------------------- */

/* On stderr, quoted as --dryrun and -v show it. */
void cc_print_command(const cc_args *args);
/* Runs a program. With a file in `messages`, its stderr goes there. The exit
 * status, or 128 + the signal, or 127 when it could not be started. */
int cc_run(const cc_args *args, const char *messages);
/* The same in two parts: the process, -1 after reporting; its status. */
int cc_start(const cc_args *args, const char *messages);
int cc_wait(int pid);
bool cc_has_ended(int pid); /* still to be waited for */
void cc_stop(int pid);
/* What a program writes to stdout, as a string; its status goes to *status. */
const char *cc_output_of(const cc_args *args, int *status);
/* Runs it in our place; returns only after reporting a failure. */
enum cc_status cc_become(const cc_args *args);
/* Forks and runs `work` there; in the parent returns its pid, -1 after
 * reporting. */
int cc_spawn(enum cc_status (*work)(const void *data), const void *data,
             const char *messages);
int cc_wait_any(int *status); /* the pid that ended, or -1 */
/* From here on a signal stops our children, removes the scratch folder and
 * then ends us the way the signal would. */
void cc_catch_signals(void);

/* ---- temporary.c --------------------------------------------------------- */

/* Says so if nothing more fits into the scratch folder: the message of the
 * program that failed there may not have fitted either. */
void cc_report_full_scratch(void);

/* The path of a scratch file, in a folder of this process's own that vanishes
 * at exit; with -keep, of a file that stays. NULL after reporting. */
const char *cc_temporary(const struct cc_options *o, const char *source,
                         const char *suffix);
void cc_remove_temporaries(void);
/* A path as messages show it: of a scratch file, only its name. */
const char *cc_shown_name(const char *path);
/* "dir/x.cu", ".o" -> "x.o" */
const char *cc_with_suffix(const char *path, const char *suffix);

/* ---- diagnostics.c ------------------------------------------------------- */

/* Copies clang's messages in `file` to stderr, leaving out those that `seen`
 * (NULL: nothing) has already shown word for word, and the overloads in weft's
 * own headers, `own_folder`, that did not fit. */
void cc_show_messages(const char *file, const char *seen,
                      const char *own_folder);

/* ---- object.c ------------------------------------------------------------ */

/* A host object file that takes part in separate compilation. */
struct cc_object {
    const char *name;    /* "x.o", "libx.a(y.o)" */
    const char *fatbins; /* __nv_relfatbin, or NULL */
    size_t fatbins_bytes;
    cc_args needed, defined; /* functions that register a file's code */
    bool is_member;          /* of an archive */
};
typedef VEC(struct cc_object) cc_objects;

/* Adds the objects in a file, an archive or not; anything else has none. False
 * after reporting that it cannot be read. What is added stays in memory. */
bool cc_objects_read(const char *path, cc_objects *out);
/* clang names those functions after the path of the source, which other files
 * may share: gives them a name made of `id`, 16 hex digits. */
bool cc_object_rename(const char *path, const char *id);

/* Kernels are registered before the file's own constructors run, which may
 * launch them; clang has it the other way round. False: the file cannot be
 * written. */
bool cc_object_register_first(const char *path);

/* The host functions of kernels have the kernels' names, as nvcc's have, for
 * host code that other compilers compile: clang calls them something else.
 * False: the file cannot be written. */
bool cc_object_name_kernels(const char *path);

/* Whether the object launches an instance of a kernel template for which it
 * has no host function. */
bool cc_object_lacks_stub(const char *path);

/* ---- otherside.c --------------------------------------------------------- */

/* A function that gets a copy for the host. */
struct cc_host_side {
    char *body, *end;   /* its braces */
    const char *spaces; /* of a lambda: where its attributes go, or NULL */
    const char *type;   /* and how it says what it returns, "" if it does not */
    bool returns_int;   /* and has to say so then */
};
/* `at`: a function's name or a lambda's '[', in a text that ends with a NUL.
 * False: it has no body there. */
bool cc_find_host_side(char *at, struct cc_host_side *out);
/* The braces of the kernel in which a place of the text is. A macro may hide
 * that it is one; the PTX of the device pass knows. False: it is in none. */
bool cc_find_kernel_body(const struct cc_job *j, char *text, char *at,
                         struct cc_host_side *out);
/* The bracket that closes the one at p, or NULL. */
char *cc_closing(char *p);
/* Puts blanks there, but for ends of lines. */
void cc_blank(char *from, const char *to);

/* ---- hostcalls.c --------------------------------------------------------- */

/* A call of a function of the host's, or the block that it is in. */
struct cc_host_call {
    char *start, *end;
    bool is_block; /* between its braces */
};
/* `at`: where clang points when it refuses `name`. False: nothing is found. */
bool cc_find_host_call(const char *text, char *at, const char *name,
                       struct cc_host_call *out);
/* Whether clang's messages are about what has been put there. */
bool cc_shows_host_calls(const char *messages);
/* The same of members that are taken for static ones. */
bool cc_shows_members(const char *messages);

/* ---- mend.c -------------------------------------------------------------- */

/* Looks through clang's messages for what nvcc would have taken, in what they
 * say of `functions` (mangled; NULL: of anything) and of files that a make rule
 * names (NULL: of all). An overlay (-ivfsoverlay) in
 * which that is mended, or NULL: there is nothing. `mended` says what stands
 * for what so far, for another round. */
const char *cc_mend(const struct cc_job *j, const char *messages,
                    const cc_args *functions, const char *rule,
                    cc_args *mended);

/* The same for function templates that only decltype calls and clang does not
 * find, in files that a make rule names; whether there may be such. */
bool cc_finds_unfit(const char *messages);
const char *cc_mend_unfit(const struct cc_job *j, const char *messages,
                          const char *rule, cc_args *mended);

/* An overlay in which the kernels are empty in whose bodies clang's messages
 * find errors; NULL: there are none. */
const char *cc_empty_kernels(const struct cc_job *j, const char *messages,
                             cc_args *mended);

/* What stands for files so far, in copies of their own: j->mends_host. */
void cc_mend_apart(const struct cc_job *j, const cc_args *mended, cc_args *out);

/* Whether clang has refused a call of a __host__ function that nvcc takes. */
bool cc_calls_host(const char *messages);
/* Whether a header was not found, which ends a pass: nothing can be mended. */
bool cc_lacks_header(const char *messages);

/* Whether clang has missed a name in a template that nvcc looks for where the
 * template is instantiated. */
bool cc_misses_late_name(const char *messages);
bool cc_died(const char *messages); /* clang itself: it asks for a report */

/* ---- declared.c ---------------------------------------------------------- */

/* Whether a file in a make rule that clang wrote declares a __device__ function
 * and does not define it there. Those in `own_folder`, weft's, do not count. */
bool cc_declares_functions(const char *rule, const char *own_folder);

/* The next file name of a make rule, from behind its colon; NULL at its end. */
const char *cc_next_file(const char **at);

/* ---- lookup.c ------------------------------------------------------------ */

/* Lines of a file, from 1. */
struct cc_lines_of {
    size_t first, last;
};
typedef VEC(struct cc_lines_of) cc_lines;
/* Of a name in C. */
bool cc_is_name_char(char c);
/* The number of the line in which a place of the text is. */
size_t cc_line_of(const char *text, const char *at);
/* Of clang's messages, calls fn for those with this error (": error: ...", its
 * beginning) on one of the lines of `path`; `message` begins with the place.
 * False: there are none. */
bool cc_each_error(const char *messages, const char *path, const char *error,
                   const cc_lines *lines,
                   void (*fn)(const char *message, const char *error));

/* ---- initial.c ----------------------------------------------------------- */

/* Where a file gives variables of the device values that are calls; false:
 * nowhere. */
bool cc_finds_values(const char *path, cc_lines *lines);
/* Of clang's messages in a strict pass, reports those about such values; false:
 * there are none. */
bool cc_refuses_values(const char *messages, const char *path,
                       const cc_lines *lines);

/* ---- constants.c --------------------------------------------------------- */

/* A text to be put into a file, before `name`, which has to stand there. */
struct cc_insertion {
    size_t line, column; /* from 1 */
    const char *text, *name;
};
typedef VEC(struct cc_insertion) cc_insertions;
/* Where device code seems to write to __constant__ variables, and where these
 * would become const; false: nowhere. */
bool cc_finds_constant_writes(const char *path, cc_lines *lines,
                              cc_insertions *declared);
/* Of clang's messages about that, reports those on these lines; false: there
 * are none. */
bool cc_refuses_constant_writes(const char *messages, const char *path,
                                const cc_lines *lines);
/* mend.c: an overlay in which these texts are in the job's input; NULL: it
 * cannot be made. `mended`: what others have mended in it. */
const char *cc_insert(const struct cc_job *j, const cc_insertions *list,
                      cc_args *mended);

/* ---- statics.c ----------------------------------------------------------- */

/* What keeps static variables as what others may fill; false: there are
 * none. */
bool cc_finds_statics(const char *path, cc_insertions *out);

/* ---- timing.c ------------------------------------------------------------ */

/* Milliseconds since some moment; it never goes back. */
double cc_now_ms(void);
/* One step of a compilation; what there is none of is NULL. */
struct cc_step {
    const char *source, *phase, *input, *output, *arch, *tool;
};
/* With -time: says how long it took. */
void cc_time_step(const struct cc_options *o, const struct cc_step *step,
                  double since_ms);

/* ---- devicelink.c -------------------------------------------------------- */

/* Links the relocatable device code in the files, and in what o->link names.
 * *has_output: there was some, and `output` is a host object for the link. */
enum cc_status cc_device_link(const struct cc_options *o,
                              const struct cc_toolchain *t,
                              const cc_args *files, const char *output,
                              bool *has_output);

/* ---- externs.c ----------------------------------------------------------- */

/* A function that device code may call without a definition. */
bool cc_is_provided(const char *name);
/* Makes definitions of the variables that the PTX declares, with a warning. */
void cc_define_variables(char *ptx);
/* False after naming the device functions and variables that the PTX declares
 * but neither it nor weft defines. */
bool cc_check_externs(const char *ptx);
/* False after naming the kernels that wait for the grids they launched. */
bool cc_check_waits(const char *ptx);
/* False after naming a kernel, by its mangled name, that the PTX lacks. */
bool cc_check_entries(const char *ptx, const cc_args *names);
/* The functions among them, mangled. */
void cc_unresolved_functions(const char *ptx, cc_args *names);

/* ---- localcas.c ---------------------------------------------------------- */

/* The PTX without atom.local.cas; malloc'ed, NULL if it has none. */
char *cc_without_local_cas(const char *ptx);

/* ---- touchup.c ----------------------------------------------------------- */

/* Mends what clang leaves undone in a PTX file: which variables are managed,
 * and by which name static ones go. False after reporting. */
bool cc_touch_up(const struct cc_options *o, const char *path);

/* ---- fatbin.c ------------------------------------------------------------ */

struct fatbin_image;
/* check.c: false after reporting what is no PTX, or none for its target.
 * `name` is for messages. */
bool cc_check_ptx(const char *name, struct fatbin_image *image);
/* Writes a fat binary with PTX images. Replaces the file at once or not at all;
 * false after reporting. */
bool cc_fatbin_write(const char *path, const struct fatbin_image *images,
                     size_t count, const char *source_name);
/* The best PTX in the fat binary that `bytes` begins with, as a string to free;
 * NULL: there is none. *used: how long the fat binary is, 0 if it is none. */
char *cc_fatbin_ptx(const char *bytes, size_t size, size_t *used);

#endif
