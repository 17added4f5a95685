/* SPDX-License-Identifier: Apache-2.0 */
/* Device printf and malloc: conversions, results, overflow, heap. */
#define _GNU_SOURCE
#include "launch.h"
#include "check.h"

#include <unistd.h>

static char captured[8 << 20];

static void capture(exec_kernel_fn *fn)
{
    fflush(stdout);
    FILE *file = tmpfile();
    int saved = dup(1);
    dup2(fileno(file), 1);
    CHECK_EQUAL(launch(fn, NULL, 1, 32), EXEC_OK);
    exec_printf_flush();
    dup2(saved, 1);
    close(saved);
    rewind(file);
    captured[fread(captured, 1, sizeof captured - 1, file)] = 0;
    fclose(file);
}

static int results[8];

static void print(struct exec_warp *w)
{
    struct {
        int32_t i;
        uint32_t u;
        double d;
        uint64_t s;
        int32_t c;
        int32_t pad;
        int64_t ll;
    } args = {-5, 42, 2.5, (uintptr_t) "text", 'z', 0, -1234567890123};
    const struct exec_helpers *h = w->launch->helpers;
    results[0] = h->vprintf(w, (uintptr_t) "%d|%5u|%.3f|%-6s|%c|%lld%%\n",
                            (uintptr_t)&args);
    results[1] = h->vprintf(w, (uintptr_t) "plain\n", 0);
    int32_t star[] = {6, -7, 0xff};
    results[2] = h->vprintf(w, (uintptr_t) "%*d %hhx\n", (uintptr_t)star);
    results[3] = h->vprintf(w, (uintptr_t) "%y\n", (uintptr_t)&args);
    results[4] = h->vprintf(w, 0, 0);
}

static void print_much(struct exec_warp *w)
{
    for (int32_t i = 0; i < 100000; i++)
        w->launch->helpers->vprintf(w, (uintptr_t) "line %06d\n",
                                    (uintptr_t)&i);
}

static void use_heap(struct exec_warp *w)
{
    const struct exec_helpers *h = w->launch->helpers;
    uint64_t p[64];
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 64; i++) {
            p[i] = h->malloc(w, (uint64_t)(i * 37 + round));
            if (p[i])
                memset((void *)(uintptr_t)p[i], i, (size_t)(i * 37 + round));
        }
        for (int i = 0; i < 64; i++)
            h->free(w, p[(i * 29) % 64]);
    }
    uint64_t all = h->malloc(w, (8 << 20) - 16);
    results[5] = all != 0; /* everything grew together again */
    results[6] = h->malloc(w, 64) != 0;
    h->free(w, all);
    results[7] = h->malloc(w, (uint64_t)1 << 40) != 0;
}

static void free_twice(struct exec_warp *w)
{
    uint64_t p = w->launch->helpers->malloc(w, 100);
    w->launch->helpers->free(w, p);
    w->launch->helpers->free(w, p);
}

int main(void)
{
    capture(print);
    CHECK(!strcmp(captured, "-5|   42|2.500|text  |z|-1234567890123%\n"
                            "plain\n    -7 ff\n%y\n"));
    CHECK_EQUAL(results[0], 6);
    CHECK_EQUAL(results[1], 0);
    CHECK_EQUAL(results[2], 3);
    CHECK_EQUAL(results[4], -1);

    CHECK_EQUAL(exec_printf_size(), 33 << 18);
    CHECK(!exec_printf_set_size(4096)); /* too late */
    exec_printf_reset();
    CHECK(exec_printf_set_size(4096));
    capture(print_much); /* the oldest lines are lost */
    CHECK(strlen(captured) <= 4096 && strlen(captured) > 3000);
    CHECK(strstr(captured, "line 099999\n"));

    CHECK_EQUAL(launch(use_heap, NULL, 1, 32), EXEC_OK);
    CHECK_EQUAL(results[5], 1);
    CHECK_EQUAL(results[6], 0);
    CHECK_EQUAL(results[7], 0);
    CHECK_EQUAL(launch(free_twice, NULL, 1, 32), EXEC_FAULT_TRAP);
    CHECK_EQUAL(launch(use_heap, NULL, 1, 32), EXEC_OK);
    CHECK_EQUAL(results[5], 1);
    exec_stop();
    return check_result();
}
