/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compute-sanitizer, and cuda-memcheck, its older name: runs a program by the
 * interpreter, which checks each access (WEFT_CHECK), or, if WEFT_ENGINE is
 * simd, by compiled code with guard pages around large allocations; and
 * reports from the error log which kernels and calls failed. memcheck is its
 * only tool.
 */
#include "toolkit/toolkit.h"

#include "base/environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PREFIX "========= "

enum {
    TOOL,
    ERROR_EXITCODE,
    LOG_FILE,
    REPORT_API_ERRORS,
    LEAK_CHECK,
    PRINT_LIMIT,
    TARGET_PROCESSES,
    SAVE,
    XML,
};

static const struct kit_option options[] = {
    [TOOL] = {"tool", "t", "NAME", "memcheck, the default", KIT_TAKE},
    [ERROR_EXITCODE] = {"error-exitcode", "", "N",
                        "status if there were errors and the program ended "
                        "with 0 (default: 0)",
                        KIT_TAKE},
    [LOG_FILE] = {"log-file", "", "FILE", "the report, not standard output",
                  KIT_TAKE},
    [REPORT_API_ERRORS] = {"report-api-errors", "", "no|explicit|all",
                           "calls that fail are errors (default) or not",
                           KIT_TAKE},
    [LEAK_CHECK] = {"leak-check", "", "full|no",
                    "no: default; full is refused: what a program has not "
                    "freed is not listed",
                    KIT_TAKE},
    [PRINT_LIMIT] = {"print-limit", "", "N", "errors that are printed (100)",
                     KIT_TAKE},
    [TARGET_PROCESSES] = {"target-processes", "", "all|application-only",
                          "all are looked at", KIT_TUNES},
    [SAVE] = {"save", "", "FILE",
              "reports in NVIDIA's format are not written; use --log-file",
              KIT_REFUSE},
    [XML] = {"xml", "", NULL, "there is no report as XML; use --log-file",
             KIT_REFUSE},
};

/* ---- what is asked for --------------------------------------------------- */

static bool is_tool(const char *name)
{
    if (!name || !strcmp(name, "memcheck"))
        return true;
    kit_error("--tool %s: weft has no such check, only memcheck", name);
    return false;
}

static bool read_number(const struct kit_args *args, unsigned option,
                        long *number)
{
    char *end;
    const char *text = kit_value(args, option);
    if (!text)
        return true;
    *number = strtol(text, &end, 10);
    if (*text && !*end && *number >= 0)
        return true;
    kit_error("--%s %s: expected a number", options[option].name, text);
    return false;
}

struct job {
    long error_exitcode, print_limit, errors;
    bool with_calls;
    char log[64]; /* path of the file for CUDA_LOG_FILE */
    FILE *report;
};

static bool read_job(const struct kit_args *args, struct job *j)
{
    const char *calls = kit_value(args, REPORT_API_ERRORS);
    const char *leaks = kit_value(args, LEAK_CHECK);
    *j = (struct job){.print_limit = 100, .with_calls = true};
    if (!is_tool(kit_value(args, TOOL)) ||
        !read_number(args, ERROR_EXITCODE, &j->error_exitcode) ||
        !read_number(args, PRINT_LIMIT, &j->print_limit))
        return false;
    if (leaks && strcmp(leaks, "no") != 0) {
        kit_error("--leak-check %s: %s", leaks, options[LEAK_CHECK].help);
        return false;
    }
    j->with_calls = !calls || strcmp(calls, "no") != 0;
    if (args->files.count)
        return true;
    kit_error("no program to run; see --help");
    return false;
}

/* ---- running ------------------------------------------------------------- */

/* The path of `weft` in our own folder, into `out` of `size` bytes; it finds
 * the libraries. */
static bool find_weft(char *out, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", out, size - 1);
    if (length < 0)
        return false;
    out[length] = 0;
    char *slash = strrchr(out, '/');
    if (!slash || (size_t)(slash + sizeof "/weft" - out) > size)
        return false;
    memcpy(slash, "/weft", sizeof "/weft");
    return access(out, X_OK) == 0;
}

/* In the child: becomes `weft run PROGRAM`. Returns if it cannot. */
static void start_program(const struct job *j, const struct kit_args *args)
{
    char weft[4096];
    size_t count = args->files.count;
    const char **argv = calloc(count + 3, sizeof *argv);
    if (!argv || setenv(ENVIRONMENT_LOG_FILE, j->log, 1) ||
        setenv(ENVIRONMENT_GUARD, "1", 1) ||
        setenv(ENVIRONMENT_CHECK, ENVIRONMENT_CHECK_MEMCHECK, 1) ||
        !find_weft(weft, sizeof weft))
        return;
    argv[0] = weft;
    argv[1] = "run";
    memcpy(argv + 2, args->files.data, count * sizeof *argv);
    execv(weft, (char *const *)argv);
}

/* The program's status, as a shell has it; -1: it could not be started. */
static int run_program(const struct job *j, const struct kit_args *args)
{
    int status;
    fflush(j->report);
    pid_t child = fork();
    if (child == 0) {
        start_program(j, args);
        kit_error("cannot start weft run: %s", strerror(errno));
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- the report ---------------------------------------------------------- */

/* What a line of the log says behind "[time][thread][CUDA][E] "; NULL: the line
 * is no error. */
static const char *text_of(const char *line)
{
    const char *level = strstr(line, "[CUDA][E] ");
    return level ? level + strlen("[CUDA][E] ") : NULL;
}

/* Calls that runtimes make to find out what the driver has: failing is no
 * error. */
static bool is_question(const char *text)
{
    return strstr(text, " from cuGetExportTable") ||
           strstr(text, " from cuGetProcAddress");
}

static bool is_reported(const struct job *j, const char *text)
{
    bool is_call = starts_with(text, "Returning ");
    return !is_call || (j->with_calls && !is_question(text));
}

static void report_errors(struct job *j)
{
    char line[1024];
    FILE *f = fopen(j->log, "r");
    while (f && fgets(line, sizeof line, f)) {
        const char *text = text_of(line);
        if (!text || !is_reported(j, text))
            continue;
        if (j->errors++ < j->print_limit)
            fprintf(j->report, PREFIX "%s", text);
    }
    if (f)
        fclose(f);
    fprintf(j->report, PREFIX "ERROR SUMMARY: %ld error%s\n", j->errors,
            j->errors == 1 ? "" : "s");
}

static int check_program(struct job *j, const struct kit_args *args)
{
    fprintf(j->report, PREFIX "COMPUTE-SANITIZER\n");
    int status = run_program(j, args);
    if (status < 0) {
        kit_error("cannot run %s: %s", args->files.data[0], strerror(errno));
        return 1;
    }
    report_errors(j);
    return status || !j->errors ? status : (int)j->error_exitcode;
}

static int run_sanitizer(const struct kit_args *args)
{
    struct job j;
    const char *path = kit_value(args, LOG_FILE);
    if (!read_job(args, &j))
        return 1;
    j.report = path ? fopen(path, "w") : stdout;
    strcpy(j.log, "/tmp/weft-sanitizer-XXXXXX");
    int log = j.report ? mkstemp(j.log) : -1;
    int status = 1;
    if (log < 0) {
        kit_error("cannot write %s: %s", j.report ? j.log : path,
                  strerror(errno));
    } else {
        status = check_program(&j, args);
        close(log);
        unlink(j.log);
    }
    if (path && j.report)
        fclose(j.report);
    return status;
}

#define SUMMARY                                                                \
    "Runs a program and tells which of its kernels and calls failed."
#define DETAILS                                                                \
    "Loads, stores and atomics are checked byte by byte, by an\n"              \
    "interpreter, which is slow. With WEFT_ENGINE=simd compiled code runs,\n"  \
    "and nothing is open around allocations of more than 256 KiB.\n"           \
    "Races, uninitialised memory and barriers are not checked."

const struct kit_tool kit_sanitizer = {"compute-sanitizer",
                                       "PROGRAM [ARGUMENT]...",
                                       SUMMARY,
                                       DETAILS,
                                       options,
                                       ARRAY_COUNT(options),
                                       run_sanitizer,
                                       KIT_REST_PROGRAM};

const struct kit_tool kit_memcheck = {
    "cuda-memcheck", "PROGRAM [ARGUMENT]...", SUMMARY,       DETAILS,
    options,         ARRAY_COUNT(options),    run_sanitizer, KIT_REST_PROGRAM};
