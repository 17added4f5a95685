/* SPDX-License-Identifier: Apache-2.0 */
/* Faults end the kernel, say what happened, and leave the process alive. */
#define _GNU_SOURCE
#include "launch.h"
#include "check.h"

#include <fcntl.h>
#include <unistd.h>

static volatile uintptr_t nowhere = 64;

static void null_store(struct exec_warp *w)
{
    for (uint64_t b = w->block_first; b < w->block_end; b++) {
        w->block_current = b;
        if (b == 5)
            *(volatile int *)nowhere = 1;
    }
}

static void null_store_in_warp(struct exec_warp *w)
{
    w->launch->helpers->barrier_sync(w, 0, 0);
    if (w->warp_first == 3)
        *(volatile int *)nowhere = 1;
    w->launch->helpers->barrier_sync(w, 0, 0);
    w->launch->helpers->block_end(w);
}

static void trap(struct exec_warp *w)
{
    w->launch->helpers->trap(w);
}

static void bad_call(struct exec_warp *w)
{
    w->launch->helpers->bad_call(w, 0x1234);
}

static void fail_assert(struct exec_warp *w)
{
    w->block_current = 4;
    w->warp_current = 1;
    w->launch->helpers->assert_fail(w, (uintptr_t) "x > 0", (uintptr_t) "k.cu",
                                    12, (uintptr_t) "void k()", 1, 3, 0x88);
}

/* The thread sanitizer's own stack of calls would overflow first. */
__attribute__((noinline, no_sanitize_thread)) static int recurse(volatile int *p, int depth)
{
    volatile int frame[64];
    frame[0] = *p;
    return depth ? recurse(frame, depth - 1) + frame[1] : 0;
}

static void overflow(struct exec_warp *w)
{
    volatile int x = (int)w->warp_first;
    recurse(&x, 1 << 30);
}

/* The ends of what a shared address can say: an offset of 32 bits with a sign. */
static void stray_above(struct exec_warp *w)
{
    w->shared[INT32_MAX] = 1;
}

static void stray_below(struct exec_warp *w)
{
    w->shared[INT32_MIN] = 1;
}

/* Only warp 0 gets to the barrier with a count that needs all. */
static void half_barrier(struct exec_warp *w)
{
    if (w->warp_first == 0)
        w->launch->helpers->barrier_sync(w, 2, 96);
    w->launch->helpers->block_end(w);
}

static void fine(struct exec_warp *w)
{
    atomic_int *n = *(atomic_int *const *)w->launch->params;
    atomic_fetch_add(n, (int)(w->block_end - w->block_first));
}

static void check_alive(void)
{
    atomic_int n = 0;
    atomic_int *params = &n;
    CHECK_EQUAL(launch(fine, &params, 100, 32), EXEC_OK);
    CHECK_EQUAL(n, 100);
}

/* stderr of the fault goes into a file; its text is returned. */
static const char *stderr_of(exec_kernel_fn *fn, bool has_barrier,
                             unsigned blocks, unsigned threads,
                             enum exec_fault expected)
{
    static char text[512];
    FILE *file = tmpfile();
    int saved = dup(2);
    dup2(fileno(file), 2);
    struct exec_kernel k = make_kernel(fn, NULL, blocks, threads);
    k.has_barrier = has_barrier;
    enum exec_fault fault = run_and_wait(&k);
    dup2(saved, 2);
    close(saved);
    rewind(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = 0;
    fclose(file);
    CHECK_EQUAL(fault, expected);
    return text;
}

static void check_cancels_rest(void)
{
    CHECK_EQUAL(launch(null_store, NULL, 1000, 32), EXEC_FAULT_ADDRESS);
    struct exec_fault_info info = exec_last_fault();
    CHECK_EQUAL(info.fault, EXEC_FAULT_ADDRESS);
    CHECK_EQUAL(info.address, 64);
    CHECK_EQUAL(info.block_linear, 5);
}

int main(void)
{
    for (int i = 0; i < 20; i++) {
        check_cancels_rest();
        CHECK_EQUAL(launch_with_barriers(null_store_in_warp, NULL, 1, 256),
                    EXEC_FAULT_ADDRESS);
        check_alive();
    }
    CHECK_EQUAL(launch(trap, NULL, 4, 32), EXEC_FAULT_TRAP);
    CHECK_EQUAL(launch(stray_above, NULL, 4, 32), EXEC_FAULT_ADDRESS);
    CHECK_EQUAL(launch(stray_below, NULL, 4, 32), EXEC_FAULT_ADDRESS);
    check_alive();
#if !defined(__SANITIZE_ADDRESS__)
    CHECK_EQUAL(launch(overflow, NULL, 1, 32), EXEC_FAULT_STACK);
    CHECK_EQUAL(launch_with_barriers(overflow, NULL, 1, 64), EXEC_FAULT_STACK);
#endif
    const char *text = stderr_of(fail_assert, false, 7, 64, EXEC_FAULT_ASSERT);
    CHECK(strstr(text, "k.cu:12: void k(): block: [4,0,0], thread: [35,0,0] "
                       "Assertion `x > 0` failed.\n"));
    CHECK(strstr(text, "thread: [39,0,0]"));
    text = stderr_of(bad_call, false, 1, 32, EXEC_FAULT_PC);
    CHECK(strstr(text, "0x1234"));
    text = stderr_of(half_barrier, true, 1, 64, EXEC_FAULT_TRAP);
    CHECK(strstr(text, "barrier 2: 32 of 96 threads"));
    text = stderr_of(half_barrier, true, 1, 32, EXEC_FAULT_TRAP);
    CHECK(strstr(text, "barrier 2: 32 of 96 threads"));
    check_alive();
    exec_stop();
    return check_result();
}
