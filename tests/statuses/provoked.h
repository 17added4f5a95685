/* SPDX-License-Identifier: Apache-2.0 */
/* What the sections of provoked.c have at hand, and how their lines are
 * compared. */
#ifndef WEFT_STATUSES_PROVOKED_H
#define WEFT_STATUSES_PROVOKED_H

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define HUGE_SIZE (1ull << 46)

/* The forms of CUDA 13, by the names that they have there. */
#if CUDA_VERSION < 13000
#define cuGraphAddDependencies            cuGraphAddDependencies_v2
#define cuGraphRemoveDependencies         cuGraphRemoveDependencies_v2
#define cuGraphGetEdges                   cuGraphGetEdges_v2
#define cuGraphNodeGetDependencies        cuGraphNodeGetDependencies_v2
#define cuGraphNodeGetDependentNodes      cuGraphNodeGetDependentNodes_v2
#define cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_v2
#endif

struct section {
    const char *name;
    void (*run)(void);
    bool wants_context;
};

static const char good_ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .u32 g;\n.global .u32 hidden;\n"
    ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c,\n"
    "    .param .b64 d, .param .b64 e);\n"
    ".visible .entry k() { ret; }\n"
    ".visible .entry bounded() .maxntid 64, 1, 1 { ret; }\n"
    ".visible .entry taking(.param .u32 n) { ret; }\n"
    ".visible .entry stop() { trap; }\n"
    ".visible .entry pause() { brkpt; ret; }\n"
    ".visible .entry stray()\n"
    "{ .reg .b64 %d<2>; mov.u64 %d1, 64; st.global.u32 [%d1], 1; ret; }\n"
    ".visible .entry odd()\n"
    "{ .reg .b64 %d<2>; mov.u64 %d1, g; st.global.u32 [%d1+2], 1; ret; }\n"
    ".visible .entry deep()\n"
    "{ .reg .b32 %r<2>; mov.u32 %r1, 0x7ffffff0; st.local.u32 [%r1], 1; ret; "
    "}\n"
    ".visible .entry wild()\n"
    "{ .reg .b32 %r<2>; mov.u32 %r1, 0x7fffff0; st.shared.u32 [%r1], 1; ret; "
    "}\n"
    ".visible .entry fails()\n"
    "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d;\n"
    "  .param .b64 e; .reg .b64 %d<2>; .reg .b32 %r<2>;\n"
    "  mov.u64 %d1, g; cvta.global.u64 %d1, %d1; mov.u32 %r1, 1;\n"
    "  st.param.b64 [a], %d1; st.param.b64 [b], %d1; st.param.b32 [c], %r1;\n"
    "  st.param.b64 [d], %d1; st.param.b64 [e], 1;\n"
    "  call.uni __assertfail, (a, b, c, d, e); ret; }\n";

static CUcontext context;
static CUmodule module;
static CUfunction kernel, bounded, taking;
static CUstream stream;
static CUevent event;

static void need(CUresult err, int line)
{
    if (!err)
        return;
    printf("line %d: error %d\n", line, err);
    fflush(stdout);
    _exit(2);
}
#define NEED(call) need(call, __LINE__)

static void start(void)
{
    NEED(cuInit(0));
    NEED(cuDevicePrimaryCtxRetain(&context, 0));
    NEED(cuCtxSetCurrent(context));
    NEED(cuModuleLoadData(&module, good_ptx));
    NEED(cuModuleGetFunction(&kernel, module, "k"));
    NEED(cuModuleGetFunction(&bounded, module, "bounded"));
    NEED(cuModuleGetFunction(&taking, module, "taking"));
    NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    NEED(cuEventCreate(&event, 0));
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    if (!f || fputs(text, f) < 0 || fclose(f))
        exit(2);
}

/* ---- lines ------------------------------------------------------------ */

enum { LINES_MAX = 4096, LINE_SIZE = 300 };

struct progress { /* shared with sections */
    int line, failures;
    int number;   /* of the section's call that began */
    int reported; /* of these calls */
    int deadly[8], deadly_count;
};

static struct progress *progress;
static const char *section_name;
static char truth[LINES_MAX][LINE_SIZE];
static int truth_count;

/* Where the call ends in the line, which has it with other blanks; NULL: it is
 * another one. */
static const char *behind_call(const char *line, const char *call)
{
    while (*call) {
        line += strspn(line, " ");
        call += strspn(call, " ");
        if (*call && *line++ != *call++)
            return NULL;
    }
    return *line == ' ' ? line : NULL;
}

/* What is expected of this line; false: another call is. */
static bool find_line(const char *call, long *status)
{
    const char *line = truth[progress->line], *ours = strstr(line, " ours ");
    const char *end =
        progress->line < truth_count ? behind_call(line, call) : NULL;
    if (end)
        *status = atol(ours ? ours + 6 : end + 1);
    return end;
}

static void report(const char *what, const char *call, const char *answer)
{
    char line[LINE_SIZE];
    long expected;
    snprintf(line, sizeof line, "%s: %s %s", section_name, what, call);
    if (!*what)
        snprintf(line, sizeof line, "%s: %s", section_name, call);
    if (!truth_count) {
        printf("%s %s\n", line, answer);
    } else if (!find_line(line, &expected)) {
        printf("%s: not in the truth\n", line);
        progress->failures++;
    } else if (expected != atol(answer)) {
        printf("%s: %s, expected %ld\n", line, answer, expected);
        progress->failures++;
    }
    progress->line++;
    progress->reported = progress->number;
    fflush(stdout);
}

/* False: the call is one that has ended the process before. */
static bool begin_call(void)
{
    progress->number++;
    for (int i = 0; i < progress->deadly_count; i++)
        if (progress->deadly[i] == progress->number)
            return false;
    return true;
}

static void end_call(const char *what, const char *call, long status)
{
    char answer[24];
    snprintf(answer, sizeof answer, "%ld", status);
    if (progress->number > progress->reported)
        report(what, call, answer);
}

/* `what` may be made before the call, since it is not one. */
#define ASK_OF(what, name, call)                                               \
    do {                                                                       \
        const char *what_ = what;                                              \
        if (begin_call())                                                      \
            end_call(what_, name, (long)(call));                               \
        else if (progress->number > progress->reported)                        \
            report(what_, name, "died");                                       \
    } while (0)
#define ASK(call) ASK_OF("", #call, call)

static void read_lines(const char *path)
{
    FILE *f = fopen(path, "r");
    while (f && truth_count < LINES_MAX &&
           fgets(truth[truth_count], LINE_SIZE, f))
        truth_count++;
    if (!f || !truth_count)
        exit(2);
    fclose(f);
}

/* A section goes on behind a call that ended its process. */
static void one_section(const struct section *s)
{
    int status;
    section_name = s->name;
    progress->reported = progress->deadly_count = 0;
    do {
        fflush(stdout);
        progress->number = 0;
        pid_t child = fork();
        if (child == 0) {
            alarm(30);
            if (s->wants_context)
                start();
            s->run();
            fflush(stdout);
            _exit(0);
        }
        waitpid(child, &status, 0);
        progress->deadly[progress->deadly_count++] = progress->number;
    } while (status && progress->deadly_count < 8);
}

/* A folder of its own for files that are written, and to its end. */
static int run_sections(const struct section *sections, size_t count, int argc,
                        char **argv)
{
    char folder[] = "/tmp/provoked-XXXXXX", command[64];
    progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc > 1 && *argv[1])
        read_lines(argv[1]);
    if (!mkdtemp(folder) || chdir(folder))
        return 2;
    for (size_t i = 0; i < count; i++)
        if (argc < 3 || !strcmp(argv[2], sections[i].name))
            one_section(&sections[i]);
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command))
        return 2;
    if (truth_count)
        printf("%d calls, %d failures\n", progress->line, progress->failures);
    return truth_count && (progress->failures || progress->line != truth_count);
}

#endif
