/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls whose 1st, 2nd, 3rd ... allocation fails, until they succeed: each
 * failure is reported as one, writes no output and loses no memory. The
 * allocators here stand before the C library's, in every library of the
 * process; they fail in the thread that asked for it. For one file of a
 * program.
 */
#ifndef TESTS_RUNTIME_FAILING_H
#define TESTS_RUNTIME_FAILING_H

#include "check.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "failing_allocators.h"

/* ---- what is tried ------------------------------------------------------- */

enum { OUT_OF_MEMORY = 2, TRIES_MAX = 400 };

/* What calls write: bytes of 0x5a before, and behind a failure. */
static union {
    void *p;
    unsigned char bytes[512];
} out;

/* `call` and `undo` make one call each. */
struct attempt {
    const char *name;
    int (*call)(void);
    int (*undo)(void);
    bool is_queued; /* tried behind work that is not done */
    bool is_silent; /* writes no output */
};

/* Of the API under test: close_gate queues work that waits until open_gate; the
 * last error, cleared. */
static void close_gate(void);
static void open_gate(void);
static int last_error(void);

static bool is_untouched(void)
{
    for (size_t i = 0; i < sizeof out; i++) {
        if (out.bytes[i] != 0x5a)
            return false;
    }
    return true;
}

/* ---- trying -------------------------------------------------------------- */

/* True: the call succeeded without meeting the n-th allocation. */
static bool try_once(const struct attempt *a, unsigned n)
{
    memset(&out, 0x5a, sizeof out);
    if (a->is_queued)
        close_gate();
    has_failed = false;
    until_failure = n;
    int err = a->call();
    until_failure = 0;
    if (err) {
        CHECK(has_failed);
        if (err != OUT_OF_MEMORY)
            printf("allocation %u gives %d\n", n, err);
        CHECK(err == OUT_OF_MEMORY);
        CHECK(is_untouched());
        CHECK(last_error() == OUT_OF_MEMORY);
    } else {
        CHECK(a->is_silent || !is_untouched());
    }
    if (a->is_queued)
        open_gate();
    if (!err && a->undo)
        CHECK(a->undo() == 0);
    return !has_failed;
}

static unsigned try_all(const struct attempt *a)
{
    unsigned n = 1;
    while (n < TRIES_MAX && !try_once(a, n))
        n++;
    return n;
}

/* Another thread may be about to free what a task had. */
static bool lives(long expected)
{
    for (int i = 0; i < 1000 && living != expected; i++)
        usleep(1000);
    return living == expected;
}

/* Sampled while another thread has still to free something, the number is too
 * large; what leaks does so in each round. */
enum { ROUNDS = 4 };

static void check(const struct attempt *a)
{
    int before = failures;
    long left = 1;
    unsigned n = 0;
    try_all(a); /* tables grow to their size */
    try_all(a);
    for (int round = 0; round < ROUNDS && left; round++) {
        usleep(10000);
        long expected = living;
        n = try_all(a);
        left = lives(expected) ? 0 : living - expected;
    }
    if (left)
        printf("%ld allocations are left\n", left);
    CHECK(left == 0);
    CHECK(n < TRIES_MAX);
    if (getenv("VERBOSE"))
        printf("%s: %u allocations\n", a->name, n - 1);
    if (failures != before)
        printf("in %s\n", a->name);
}

#endif
