/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what a launch, a switch between warps and waiting cost. Fails only
 * if nothing works: the figures depend on the machine's other load. */
#define _GNU_SOURCE
#include "launch.h"
#include "check.h"

#include <sched.h>
#include <time.h>

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void nothing(struct exec_warp *w)
{
    (void)w;
}

static void launches(uint64_t blocks)
{
    enum { COUNT = 20000 };
    static double us[COUNT];
    for (int i = 0; i < COUNT; i++) {
        double start = now_us();
        launch(nothing, NULL, blocks, 128);
        us[i] = now_us() - start;
    }
    qsort(us, COUNT, sizeof us[0], compare);
    printf("launch and wait, %llu blocks: median %.2f us, 99%% %.2f us\n",
           (unsigned long long)blocks, us[COUNT / 2], us[COUNT * 99 / 100]);
}

static void enqueue(void)
{
    enum { COUNT = 20000 };
    struct exec_kernel k = make_kernel(nothing, NULL, 1, 128);
    struct exec_task *last = exec_task_nothing();
    exec_submit(last);
    double start = now_us();
    for (int i = 0; i < COUNT; i++) {
        struct exec_task *t = exec_task_kernel(&k);
        exec_task_depend(t, last);
        exec_submit(t);
        exec_task_unref(last);
        last = t;
    }
    double enqueued = now_us();
    exec_wait(last, EXEC_WAIT_HELP);
    printf("chain of kernels: enqueue %.2f us, run %.2f us each\n",
           (enqueued - start) / COUNT, (now_us() - start) / COUNT);
    exec_task_unref(last);
}

/* Nobody waits for the kernel, so a worker runs it: one that looks at the
 * queue, or that is woken. */
static void unattended(void)
{
    enum { COUNT = 300 };
    static double us[COUNT];
    struct exec_kernel k = make_kernel(nothing, NULL, 1, 128);
    for (int i = 0; i < COUNT; i++) {
        double start = now_us(), end = start + 20e6;
        struct exec_task *t = exec_task_kernel(&k);
        exec_submit(t);
        while (!exec_task_is_done(t) && now_us() < end)
            sched_yield();
        us[i] = now_us() - start;
        CHECK(exec_task_is_done(t));
        exec_task_unref(t);
        /* From one time to the next, more of them fall asleep. */
        nanosleep(&(struct timespec){.tv_nsec = 10000 * i}, NULL);
    }
    qsort(us, COUNT, sizeof us[0], compare);
    printf("launch that nobody waits for: median %.2f us, 99%% %.2f us\n",
           us[COUNT / 2], us[COUNT * 99 / 100]);
}

static void barriers(struct exec_warp *w)
{
    for (int i = 0; i < 10000; i++)
        w->launch->helpers->barrier_sync(w, 0, 0);
    w->launch->helpers->block_end(w);
}

static void switches(unsigned warps)
{
    double start = now_us();
    launch_with_barriers(barriers, NULL, 1, warps * 32);
    printf("%u warps: %.2f ns a barrier and warp\n", warps,
           (now_us() - start) * 1e3 / (10000.0 * warps));
}

int main(void)
{
    CHECK(exec_start());
    launches(1);
    launches(64);
    enqueue();
    unattended();
    for (unsigned warps = 2; warps <= 32; warps *= 2)
        switches(warps);
    exec_stop();
    return check_result();
}
