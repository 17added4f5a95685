/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls of a library answer to bad arguments. A routine's row gives a letter
 * for each of its arguments; a letter has a good value and some bad ones
 * (letters.def, and the library's own). Each routine is called once as it should
 * be, then once for every bad value of every argument. A line for each call:
 *
 *     cublasSscal_v2(HnSDi) 1 = 0: 0        argument 1 is 0: status 0
 *
 * All arguments are integers or pointers, which travel alike. Run with a file of
 * such lines, a program compares: LIBRARY.truth is NVIDIA's library on an H200, and
 * "ours N" at the end of a line what we answer instead, on purpose. Without a file
 * it prints the lines (that is how the truth was recorded: the program builds with
 * NVIDIA's toolkit). A child makes the calls, another goes on where one died.
 */
#ifndef WEFT_STATUSES_ENGINE_H
#define WEFT_STATUSES_ENGINE_H

#include "cuda_runtime_api.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 28, BAD_MAX = 4, ROOM = 1 << 16 };

struct letter {
    char name;
    long long good;
    int bad_count;
    long long bad[BAD_MAX];
};

struct routine {
    const char *name;
    void *function;
    const char *letters;
};

/* ROUTINES is the library's table. */
static const struct routine routines[] = {
#define ROUTINE(name, letters) {#name, (void *)name, letters},
#include ROUTINES
};
static const int routine_count = sizeof routines / sizeof *routines;

/* The library's letters, whose values live at run time. */
long long library_value(char letter, int argument);
void library_prepare(void);
void library_reset(void); /* before each call: what calls may have set */

/* The file of letters; a library may have one of its own. */
#ifndef LETTERS
#define LETTERS      "letters.def"
#define LATE_LETTERS "DPrCSO"
#endif
/* After each call; if it fails, the child ends. */
#ifndef SETTLE
#define SETTLE() cudaDeviceSynchronize()
#endif

static const struct letter letters[] = {
#define LETTER(name, good, count, ...) {name, good, count, {__VA_ARGS__}},
#include LETTERS
};

static const char *routine_name; /* whose call it is */

static const struct letter *letter_of(char name)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (letters[i].name == name)
            return &letters[i];
    }
    fprintf(stderr, "no letter %c\n", name);
    exit(2);
}

static long call_all(void *f, const long long *a)
{
    typedef int any(long long, long long, long long, long long, long long,
                    long long, long long, long long, long long, long long,
                    long long, long long, long long, long long, long long,
                    long long, long long, long long, long long, long long,
                    long long, long long, long long, long long, long long,
                    long long, long long, long long);
    return ((any *)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8],
                      a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16],
                      a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24],
                      a[25], a[26], a[27]);
}

/* Which call it is: shared with the parent. */
struct progress {
    int index, compared, failures;
    bool is_over;
};

/* ---- the truth -------------------------------------------------------- */

enum { LINES_MAX = 8192, LINE_MAX_ = 120 };
static char truth[LINES_MAX][LINE_MAX_];
static int truth_count;

static bool read_truth(const char *path)
{
    FILE *f = fopen(path, "r");
    while (f && truth_count < LINES_MAX &&
           fgets(truth[truth_count], LINE_MAX_, f))
        truth_count++;
    if (f)
        fclose(f);
    return truth_count > 50;
}

/* What is expected of the call; false: nothing is known. */
static bool find_truth(const char *call, long *status)
{
    size_t length = strlen(call);
    for (int i = 0; i < truth_count; i++) {
        if (strncmp(truth[i], call, length) || truth[i][length] != ':')
            continue;
        const char *ours = strstr(truth[i], "ours ");
        *status = atol(ours ? ours + 5 : truth[i] + length + 1);
        return true;
    }
    return false;
}

/* ---- calls ------------------------------------------------------------ */

static void one_call(struct progress *progress, const struct routine *r,
                     int argument, int bad)
{
    long long args[ARGUMENTS_MAX] = {0};
    const char *p = r->letters;
    routine_name = r->name;
    library_reset();
    for (int i = 0; p[i]; i++) {
        const struct letter *l = letter_of(p[i]);
        args[i] = i == argument ? l->bad[bad] : l->good;
        if (i != argument && l->good == -77)
            args[i] = library_value(p[i], i);
    }
    char call[LINE_MAX_];
    long expected = 0;
    if (argument >= 0)
        snprintf(call, sizeof call, "%s(%s) %d = %lld", r->name, r->letters,
                 argument, args[argument]);
    else
        snprintf(call, sizeof call, "%s(%s)", r->name, r->letters);
    if (truth_count && !find_truth(call, &expected))
        return;
    if (!truth_count)
        printf("%s: ", call);
    fflush(stdout);
    alarm(20);
    long status = call_all(r->function, args);
    cudaError_t fault = SETTLE();
    if (!truth_count)
        printf(fault ? "%ld fault\n" : "%ld\n", status);
    progress->compared++;
    if (truth_count && (status != expected || fault)) {
        printf("%s: %ld%s, expected %ld\n", call, status,
               fault ? " fault" : "", expected);
        progress->failures++;
    }
    fflush(stdout);
    if (fault)
        _exit(1);
}

/* Pointers come last: the NULL ones may kill. */
static bool is_late(char letter)
{
    return strchr(LATE_LETTERS, letter) != NULL;
}

static void all_calls(struct progress *progress)
{
    int index = 0;
    library_prepare();
    for (int late = 0; late < 2; late++) {
        for (int i = 0; i < routine_count; i++) {
            const struct routine *r = &routines[i];
            for (int a = -1; a < (int)strlen(r->letters); a++) {
                int count = a < 0 ? 1 : letter_of(r->letters[a])->bad_count;
                if (late != (a >= 0 && is_late(r->letters[a])))
                    continue;
                for (int bad = 0; bad < count; bad++) {
                    if (index++ < progress->index)
                        continue;
                    progress->index = index;
                    one_call(progress, r, a, bad);
                }
            }
        }
    }
    progress->is_over = true;
}

int main(int argc, char **argv)
{
    struct progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc > 1 && !read_truth(argv[1]))
        return 2;
    /* Calls that take a file descriptor get 0. */
    if (!freopen("/dev/null", "r", stdin))
        return 2;
    time_t start = time(NULL);
    const char *limit = getenv("SECONDS_MAX");
    while (!progress->is_over) {
        int status;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            all_calls(progress);
            fflush(stdout);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) {
            printf("signal %d\n", WTERMSIG(status));
            progress->failures++;
        }
        if (limit && time(NULL) - start > atoi(limit)) {
            printf("stopped\n");
            break;
        }
    }
    if (truth_count)
        printf("%d calls, %d failures\n", progress->compared,
               progress->failures);
    /* Of recorded calls, each is compared. */
    return truth_count &&
           (progress->failures || progress->compared != truth_count);
}

#endif
