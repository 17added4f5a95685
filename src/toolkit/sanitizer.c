/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compute-sanitizer, and cuda-memcheck, its older name: runs a program by the
 * interpreter, which checks what kernels do (WEFT_CHECK), or, if WEFT_ENGINE is
 * simd, by compiled code with guard pages around large allocations; and
 * reports from the error log, while the program runs, what was found, and which
 * kernels and calls failed.
 */
#include "toolkit/toolkit.h"

#include "base/check_lines.h"
#include "base/environment.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
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
    RACECHECK_REPORT,
    ON_DEVICE_ERROR,
    UNUSED,
};

static const struct kit_option options[] = {
    [TOOL] = {"tool", "t", "NAME",
              "memcheck (default), racecheck, initcheck or synccheck",
              KIT_TAKE},
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
                    "with memcheck: device memory that is not freed when its "
                    "context or the program ends (default: no)",
                    KIT_TAKE},
    [PRINT_LIMIT] = {"print-limit", "", "N", "errors that are printed (100)",
                     KIT_TAKE},
    [TARGET_PROCESSES] = {"target-processes", "", "all|application-only",
                          "all are looked at", KIT_TUNES},
    [SAVE] = {"save", "", "FILE",
              "reports in NVIDIA's format are not written; use --log-file",
              KIT_REFUSE},
    [RACECHECK_REPORT] = {"racecheck-report", "", "analysis",
                          "pairs of instructions that race; the other reports "
                          "are refused",
                          KIT_TAKE},
    [ON_DEVICE_ERROR] = {"destroy-on-device-error", "", "context",
                         "what a bad access ends: the context; `kernel` is "
                         "refused",
                         KIT_TAKE},
    [UNUSED] = {"track-unused-memory", "", NULL,
                "memory that is never used is not listed", KIT_REFUSE},
    [XML] = {"xml", "", NULL, "there is no report as XML; use --log-file",
             KIT_REFUSE},
};

/* ---- what is asked for --------------------------------------------------- */

/* A tool, and how it counts what it has found. */
struct tool {
    const char *name, *noun, *summary;
};
static const struct tool tools[] = {
    {ENVIRONMENT_CHECK_MEMCHECK, "error", "ERROR SUMMARY"},
    {ENVIRONMENT_CHECK_RACECHECK, "hazard", "RACECHECK SUMMARY"},
    {ENVIRONMENT_CHECK_INITCHECK, "error", "ERROR SUMMARY"},
    {ENVIRONMENT_CHECK_SYNCCHECK, "error", "ERROR SUMMARY"},
};

/* NULL after an error message. */
static const struct tool *find_tool(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(tools); i++)
        if (!name || !strcmp(name, tools[i].name))
            return &tools[i];
    kit_error("--tool %s: expected memcheck, racecheck, initcheck or synccheck",
              name);
    return NULL;
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

/* False after an error message: an option has another value than the one that
 * there is. */
static bool is_only(const struct kit_args *args, unsigned option)
{
    const char *text = kit_value(args, option);
    if (!text || !strcmp(text, options[option].value))
        return true;
    kit_error("--%s %s: weft has only %s", options[option].name, text,
              options[option].value);
    return false;
}

struct job {
    const struct tool *tool;
    long error_exitcode, print_limit, errors;
    bool with_calls, with_leaks;
    long leaks, warnings;
    size_t leaked_bytes;
    char log[64]; /* path of the file for CUDA_LOG_FILE */
    FILE *report;
};

static bool read_job(const struct kit_args *args, struct job *j)
{
    const char *calls = kit_value(args, REPORT_API_ERRORS);
    const char *leaks = kit_value(args, LEAK_CHECK);
    *j = (struct job){.print_limit = 100, .with_calls = true};
    j->tool = find_tool(kit_value(args, TOOL));
    if (!j->tool || !read_number(args, ERROR_EXITCODE, &j->error_exitcode) ||
        !read_number(args, PRINT_LIMIT, &j->print_limit))
        return false;
    if (leaks && strcmp(leaks, "no") != 0 && strcmp(leaks, "full") != 0) {
        kit_error("--leak-check %s: expected full or no", leaks);
        return false;
    }
    if (!is_only(args, RACECHECK_REPORT) || !is_only(args, ON_DEVICE_ERROR))
        return false;
    j->with_leaks = leaks && !strcmp(leaks, "full");
    if (j->with_leaks && j->tool != tools) {
        kit_error("--leak-check full: only with --tool %s", tools->name);
        return false;
    }
    /* Other tools than memcheck look at kernels alone. */
    j->with_calls = j->tool == tools && (!calls || strcmp(calls, "no") != 0);
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
    char weft[4096], check[64];
    snprintf(check, sizeof check, "%s%s", j->tool->name,
             j->with_leaks ? "," ENVIRONMENT_CHECK_LEAKS : "");
    size_t count = args->files.count;
    const char **argv = calloc(count + 3, sizeof *argv);
    if (!argv || setenv(ENVIRONMENT_LOG_FILE, j->log, 1) ||
        setenv(ENVIRONMENT_GUARD, "1", 1) ||
        setenv(ENVIRONMENT_CHECK, check, 1) || !find_weft(weft, sizeof weft))
        return;
    argv[0] = weft;
    argv[1] = "run";
    memcpy(argv + 2, args->files.data, count * sizeof *argv);
    execv(weft, (char *const *)argv);
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

/* Of the C++ runtime; declared here, as its header is C++. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length,
                     int *status);

/* Prints `length` bytes, with each name as the source has it. */
static void print_demangled(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0, n; i < length; i += n) {
        char name[4096];
        n = 0;
        while (i + n < length && kit_is_in_name((unsigned char)text[i + n]))
            n++;
        if (n < 3 || n >= sizeof name || strncmp(text + i, "_Z", 2) != 0) {
            n += n == 0;
            fwrite(text + i, 1, n, out);
            continue;
        }
        memcpy(name, text + i, n);
        name[n] = 0;
        char *plain = __cxa_demangle(name, NULL, NULL, NULL);
        fputs(plain ? plain : name, out);
        free(plain);
    }
}

/* A call that failed: "Returning 719 (cudaErrorLaunchFailure) from NAME". */
static bool print_call(FILE *out, const char *text)
{
    char name[128], function[128];
    int code;
    if (sscanf(text, "Returning %d (%127[^)]) from %127s", &code, name,
               function) != 3)
        return false;
    fprintf(out,
            PREFIX "Program hit %s (error %d) due to \"%s\" on CUDA API call "
                   "to %s.\n" PREFIX "\n",
            name, code, error_text(code), function);
    return true;
}

/* What a check has found has several lines, with "; " between them. */
static void print_error(FILE *out, const char *text)
{
    const char *head = PREFIX, *end;
    if (print_call(out, text))
        return;
    do {
        end = strstr(text, "; ");
        size_t length = end ? (size_t)(end - text) : strcspn(text, "\n");
        fputs(head, out);
        print_demangled(out, text, length);
        fputc('\n', out);
        text = end ? end + 2 : NULL;
        head = PREFIX "    ";
    } while (text);
    fputs(PREFIX "\n", out);
}

/* "1 hazard", "2 hazards" */
static void print_count(FILE *out, long n, const char *noun)
{
    fprintf(out, "%ld %s%s", n, noun, n == 1 ? "" : "s");
}

static void print_summary(const struct job *j)
{
    bool is_race = !strcmp(j->tool->name, ENVIRONMENT_CHECK_RACECHECK);
    long hidden = j->errors > j->print_limit ? j->errors - j->print_limit : 0;
    if (j->with_leaks)
        fprintf(j->report,
                PREFIX "LEAK SUMMARY: %zu bytes leaked in %ld allocations\n",
                j->leaked_bytes, j->leaks);
    fprintf(j->report, PREFIX "%s: ", j->tool->summary);
    print_count(j->report, is_race ? j->errors - hidden : j->errors,
                j->tool->noun);
    if (is_race) {
        fputs(" displayed (", j->report);
        print_count(j->report, j->errors - j->warnings, "error");
        fputs(", ", j->report);
        print_count(j->report, j->warnings, "warning");
        fputs(")", j->report);
    }
    fputs("\n", j->report);
    if (hidden && !is_race) {
        fprintf(j->report, PREFIX "%s: ", j->tool->summary);
        print_count(j->report, hidden, j->tool->noun);
        fputs(" were not printed. Use --print-limit option to adjust the "
              "number of printed errors\n",
              j->report);
    }
}

static void report_line(struct job *j, const char *line)
{
    unsigned more;
    size_t leaked;
    const char *text = text_of(line);
    if (!text || !is_reported(j, text))
        return;
    if (sscanf(text, CHECK_LINE_MORE, &more) == 1) {
        j->errors += more;
        return;
    }
    if (sscanf(text, CHECK_LINE_LEAK, &leaked) == 1) {
        j->leaks++;
        j->leaked_bytes += leaked;
    }
    j->warnings += starts_with(text, CHECK_LINE_WARNING);
    if (j->errors++ < j->print_limit)
        print_error(j->report, text);
}

/* Reports the lines that the log has got since the last call, whole ones. */
static void report_new(struct job *j, FILE *log)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    clearerr(log);
    while ((length = getline(&line, &room, log)) > 0) {
        if (line[length - 1] != '\n') {
            fseek(log, -length, SEEK_CUR);
            break;
        }
        report_line(j, line);
    }
    free(line);
    fflush(j->report);
}

/* ---- waiting ------------------------------------------------------------- */

enum { LOOK_MS = 50 };

/* Reports what is found until the program has ended. Its status, as a shell
 * has it; -1: it could not be started. */
static int watch_program(struct job *j, pid_t child, FILE *log)
{
    int status, ended = -1;
    struct pollfd end = {.fd = pidfd_open(child, 0), .events = POLLIN};
    if (end.fd < 0) /* the report comes at the end, then */
        ended = waitpid(child, &status, 0);
    while (end.fd >= 0 && !(ended = waitpid(child, &status, WNOHANG))) {
        poll(&end, 1, LOOK_MS);
        report_new(j, log);
    }
    report_new(j, log);
    if (end.fd >= 0)
        close(end.fd);
    if (ended != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run_program(struct job *j, const struct kit_args *args)
{
    int status = -1;
    FILE *log = fopen(j->log, "r");
    fflush(j->report);
    pid_t child = log ? fork() : -1;
    if (child == 0) {
        start_program(j, args);
        kit_error("cannot start weft run: %s", strerror(errno));
        _exit(127);
    }
    if (child > 0)
        status = watch_program(j, child, log);
    if (log)
        fclose(log);
    return status;
}

static int check_program(struct job *j, const struct kit_args *args)
{
    fprintf(j->report, PREFIX "COMPUTE-SANITIZER\n");
    int status = run_program(j, args);
    if (status < 0) {
        kit_error("cannot run %s: %s", args->files.data[0], strerror(errno));
        return 1;
    }
    print_summary(j);
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
    "An interpreter, which is slow, checks each access of a thread: that it\n" \
    "is in an allocation (memcheck), that no other races with it in shared\n"  \
    "memory (racecheck), that what it reads was written (initcheck); or "      \
    "that\n"                                                                   \
    "no thread misses a barrier (synccheck). With WEFT_ENGINE=simd compiled\n" \
    "code runs, and memcheck finds what is beyond allocations of more than\n"  \
    "256 KiB."

#define TOOL(variable, called)                                                 \
    const struct kit_tool variable = {                                         \
        .name = called,                                                        \
        .arguments = "PROGRAM [ARGUMENT]...",                                  \
        .summary = SUMMARY,                                                    \
        .details = DETAILS,                                                    \
        .options = options,                                                    \
        .option_count = ARRAY_COUNT(options),                                  \
        .run = run_sanitizer,                                                  \
        .rest = KIT_REST_PROGRAM,                                              \
    };

TOOL(kit_sanitizer, "compute-sanitizer")
TOOL(kit_memcheck, "cuda-memcheck")
