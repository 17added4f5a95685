/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls of a library answer to bad arguments. A routine's row gives a letter
 * for each of its arguments; a letter has a good value and some bad ones
 * (letters.def, and the library's own). Each routine is called once as it should
 * be, then once for every bad value of every argument. A line for each call:
 *
 *     cublasSscal_v2(HnSDi) 1 = 0: 0        argument 1 is 0: status 0
 *
 * Integers and pointers travel alike, floating numbers in registers of their own.
 * Run with a file of such lines, a program compares: LIBRARY.truth is NVIDIA's
 * library on an H200, and "ours N" at the end of a line what we answer instead, on
 * purpose. A routine whose line is not there has that of its model: the same for
 * floats, or for doubles' complex numbers, and with numbers of 32 bits. Without a
 * file it prints the lines (that is how the truth was recorded: the program builds
 * with NVIDIA's toolkit); PART=0/4 prints every fourth routine's. A child makes the
 * calls, another goes on where one died.
 */
#ifndef WEFT_STATUSES_ENGINE_H
#define WEFT_STATUSES_ENGINE_H

#include "cuda_runtime_api.h"

#include <dlfcn.h>
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

/* ROUTINES is the library's table. BY_NAME: a version of the library may lack some,
 * which are not called. */
static struct routine routines[] = {
#ifdef BY_NAME
#define ROUTINE(name, letters) {#name, NULL, letters},
#else
#define ROUTINE(name, letters) {#name, (void *)name, letters},
#endif
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
#define LATE_LETTERS "DPrCSORKYIZ*()=HNQ%zyxqvp"
#endif
/* Nothing but calls as they should be, of which none may kill a child. */
#ifndef ARE_GOOD_ONLY
#define ARE_GOOD_ONLY false
#endif
/* After each call; if it fails, the child ends. */
#ifndef SETTLE
#define SETTLE() cudaDeviceSynchronize()
#endif

/* After a call: what else is wrong about it, as text; NULL: nothing. */
#ifndef COMPLAINT
#define COMPLAINT() NULL
#endif

/* What a routine answers, which returns `result`. */
#ifndef STATUS
#define STATUS(result) (result)
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

enum { FLOATS_MAX = 4 };
static double floats[FLOATS_MAX];

static long call_all(void *f, const long long *a)
{
    typedef int any(double, double, double, double, long long, long long,
                    long long, long long, long long, long long, long long,
                    long long, long long, long long, long long, long long,
                    long long, long long, long long, long long, long long,
                    long long, long long, long long, long long, long long,
                    long long, long long, long long, long long, long long,
                    long long);
    return ((any *)f)(floats[0], floats[1], floats[2], floats[3], a[0], a[1],
                      a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10],
                      a[11], a[12], a[13], a[14], a[15], a[16], a[17], a[18],
                      a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26],
                      a[27]);
}

/* A float, double, or complex number of either: 1. How many registers it takes;
 * 0: the letter is of another kind. */
static int fill_floats(char letter, double *at)
{
    static const float one[2] = {1, 0};
    switch (letter) {
    case ':':
    case ',':
        memcpy(at, one, sizeof one);
        return 1;
    case ';':
        at[0] = 1;
        return 1;
    case '.':
        at[0] = 1, at[1] = 0;
        return 2;
    default:
        return 0;
    }
}

/* The arguments of a call; the one with the number `argument` gets a bad value. */
static void fill_args(const char *p, int argument, int bad, long long *args)
{
    int number = 0;
    for (int i = 0; p[i]; i++) {
        int taken = fill_floats(p[i], floats + number);
        number += taken;
        if (taken)
            continue;
        const struct letter *l = letter_of(p[i]);
        *args = i == argument ? l->bad[bad] : l->good;
        if (i != argument && l->good == -77)
            *args = library_value(p[i], i);
        args++;
    }
}

/* Calls a routine as it should be, before the one that is asked about. */
static __attribute__((unused)) void call_before(const char *name)
{
    const char *later = routine_name;
    for (int i = 0; i < routine_count; i++) {
        long long args[ARGUMENTS_MAX] = {0};
        if (strcmp(routines[i].name, name) || !routines[i].function)
            continue;
        routine_name = name;
        fill_args(routines[i].letters, -1, 0, args);
        call_all(routines[i].function, args);
    }
    routine_name = later;
}

/* Where a routine's name has its type, behind the library's; NULL: nowhere. */
static char *type_letter(char *name)
{
    static const char *const prefixes[] = {"cublasXt", "cublas", "cusparse",
                                           "cusolverDn", "cusolverSp"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t n = strlen(prefixes[i]);
        if (!strncmp(name, prefixes[i], n) && strchr("SDCZ", name[n]) &&
            name[n] && name[n + 1] >= 'a' && name[n + 1] <= 'z')
            return name + n;
    }
    return NULL;
}

/* ---- the truth -------------------------------------------------------- */

enum { LINES_MAX = 16384, LINE_MAX_ = 120 };
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

static bool find_line(const char *name, const char *rest, long *status)
{
    char call[LINE_MAX_];
    size_t length = (size_t)snprintf(call, sizeof call, "%s%s:", name, rest);
    for (int i = 0; i < truth_count; i++) {
        if (strncmp(truth[i], call, length))
            continue;
        const char *ours = strstr(truth[i], "ours ");
        *status = atol(ours ? ours + 5 : truth[i] + length);
        return true;
    }
    return false;
}

enum known { UNKNOWN, ITS_OWN, OF_MODEL };

/* The types' models in turn, without and with 32 bits. */
static enum known find_model(const char *name, const char *rest, long *status)
{
    char model[LINE_MAX_];
    size_t length = strlen(name);
    snprintf(model, sizeof model, "%s", name);
    for (int wide = 1; wide >= 0; wide--) {
        char *type = type_letter(model);
        char own = type ? *type : 'S';
        for (const char *t = "ZS"; type && *t; t++) {
            *type = *t;
            if (*t != own && find_line(model, rest, status))
                return OF_MODEL;
        }
        if (type)
            *type = own;
        if (length < 4 || strcmp(name + length - 3, "_64"))
            return UNKNOWN;
        model[length - 3] = 0;
        if (wide && find_line(model, rest, status))
            return OF_MODEL;
    }
    return UNKNOWN;
}

/* What is expected of the call. */
static enum known find_truth(const char *name, const char *rest, long *status)
{
    if (find_line(name, rest, status))
        return ITS_OWN;
    return find_model(name, rest, status);
}

#ifndef OTHER_CALLS
#include "calls.h"
#endif

#endif
