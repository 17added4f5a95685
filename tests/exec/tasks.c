/* SPDX-License-Identifier: Apache-2.0 */
/* Order between tasks, kernels side by side, cancelling, waiting. */
#define _GNU_SOURCE
#include "launch.h"
#include "check.h"

#include <pthread.h>
#include <time.h>

static atomic_int sequence;

struct stamp {
    int at;
};

static void take_stamp(void *data)
{
    struct stamp *s = data;
    s->at = atomic_fetch_add(&sequence, 1);
}

/* a -> {b, c, d, e} -> f, with marks between. */
static void check_diamond(void)
{
    struct stamp stamps[6];
    struct exec_task *t[6], *mark = exec_task_nothing();
    for (int i = 0; i < 6; i++)
        t[i] = i % 2 ? exec_task_call(take_stamp, &stamps[i])
                     : exec_task_host_function(take_stamp, &stamps[i]);
    CHECK(exec_task_depend(mark, t[0]));
    for (int i = 1; i < 5; i++) {
        CHECK(exec_task_depend(t[i], mark));
        CHECK(exec_task_depend(t[5], t[i]));
    }
    for (int i = 5; i >= 0; i--)
        exec_submit(t[i]);
    exec_submit(mark);
    exec_wait(t[5], EXEC_WAIT_HELP);
    for (int i = 1; i < 5; i++) {
        CHECK(stamps[0].at < stamps[i].at);
        CHECK(stamps[i].at < stamps[5].at);
        CHECK(exec_task_done_ns(t[i]) <= exec_task_done_ns(t[5]));
    }
    for (int i = 0; i < 6; i++)
        exec_task_unref(t[i]);
    exec_task_unref(mark);
}

static void check_long_chain(void)
{
    struct exec_task *first = exec_task_nothing(), *last = first;
    exec_task_ref(first);
    for (int i = 0; i < 200000; i++) {
        struct exec_task *t = exec_task_nothing();
        CHECK(exec_task_depend(t, last));
        exec_submit(t);
        exec_task_unref(last);
        last = t;
    }
    CHECK(!exec_task_is_done(last));
    exec_submit(first);
    exec_wait(last, EXEC_WAIT_BLOCK);
    CHECK(exec_task_is_done(last));
    exec_task_unref(last);
    exec_task_unref(first);
}

static atomic_int meeting;

/* Each waits for the other: they must run side by side. */
static void meet(struct exec_warp *w)
{
    (void)w;
    atomic_fetch_add(&meeting, 1);
    while (atomic_load(&meeting) < 2)
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
}

static void check_side_by_side(void)
{
    if (exec_sm_count() < 2)
        return;
    atomic_store(&meeting, 0);
    struct exec_kernel k = make_kernel(meet, NULL, 1, 32);
    struct exec_task *a = exec_task_kernel(&k), *b = exec_task_kernel(&k);
    exec_submit(a);
    exec_submit(b);
    exec_wait(a, EXEC_WAIT_HELP);
    exec_wait(b, EXEC_WAIT_HELP);
    exec_task_unref(a);
    exec_task_unref(b);
}

static void on_done(void *data, enum exec_fault fault)
{
    *(int *)data = 10 + (int)fault;
}

static void trap(struct exec_warp *w)
{
    w->launch->helpers->trap(w);
}

static void check_cancelled(void)
{
    atomic_int flag = 0;
    int first = 0, second = 0;
    struct stamp s = {-1};
    struct exec_kernel k = make_kernel(trap, NULL, 100, 32);
    struct exec_task *a = exec_task_kernel(&k);
    struct exec_task *b = exec_task_call(take_stamp, &s);
    exec_task_on_done(a, on_done, &first);
    exec_task_on_done(b, on_done, &second);
    exec_task_cancel_if(b, &flag);
    CHECK(exec_task_depend(b, a));
    exec_submit(b);
    atomic_store(&flag, 1);
    exec_submit(a);
    exec_wait(b, EXEC_WAIT_HELP);
    CHECK_EQUAL(first, 10 + EXEC_FAULT_TRAP);
    CHECK_EQUAL(second, 10 + EXEC_OK);
    CHECK_EQUAL(s.at, -1);
    exec_task_unref(a);
    exec_task_unref(b);
}

static exec_newer_fn newer;
static atomic_ullong old_blocks, new_blocks;

static void newer_code(struct exec_warp *w)
{
    atomic_fetch_add(&new_blocks, w->block_end - w->block_first);
}

static void old_code(struct exec_warp *w)
{
    uint64_t blocks = w->block_end - w->block_first;
    atomic_fetch_add(&old_blocks, blocks);
    nanosleep(&(struct timespec){.tv_nsec = 100000 * (long)blocks}, NULL);
    atomic_store_explicit(&newer, newer_code, memory_order_release);
}

/* Better code takes over in the middle of a launch. */
static void check_newer(void)
{
    enum { BLOCKS = 5000 };
    struct exec_kernel k = make_kernel(old_code, NULL, BLOCKS, 32);
    k.newer = &newer;
    run_and_wait(&k);
    CHECK(old_blocks > 0 && new_blocks > 0);
    CHECK(old_blocks + new_blocks == BLOCKS);
    run_and_wait(&k);
    CHECK(old_blocks + new_blocks == 2 * BLOCKS && new_blocks > BLOCKS);
}

static void nothing(struct exec_warp *w)
{
    (void)w;
}

static void *many_launches(void *data)
{
    (void)data;
    for (int i = 0; i < 3000; i++) {
        struct exec_kernel k = make_kernel(nothing, NULL, 1 + i % 9, 32);
        k.has_barrier = i % 3 == 0;
        run_and_wait(&k);
    }
    return NULL;
}

static void check_many_threads(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, many_launches, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    CHECK(exec_start());
    for (int i = 0; i < 200; i++)
        check_diamond();
    check_long_chain();
    for (int i = 0; i < 20; i++)
        check_side_by_side();
    for (int i = 0; i < 100; i++)
        check_cancelled();
    check_newer();
    check_many_threads();
    exec_stop();
    return check_result();
}
