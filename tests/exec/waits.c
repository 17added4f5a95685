/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks and warps that wait for each other, and lanes that are fibers. */
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "launch.h"
#include "check.h"

struct params {
    atomic_uint *counter;
    uint32_t *out;
    uint32_t count;
};

static const struct params *params_of(const struct exec_warp *w)
{
    return (const void *)w->launch->params;
}

static void wait_until(struct exec_warp *w, atomic_uint *at, uint32_t least)
{
    while (atomic_load(at) < least)
        w->launch->helpers->yield(w);
}

static struct exec_kernel waiting_kernel(exec_kernel_fn *fn, void *params,
                                         uint64_t blocks, unsigned threads)
{
    struct exec_kernel k = make_kernel(fn, params, blocks, threads);
    k.has_barrier = k.has_waits = true;
    return k;
}

/* All blocks meet, three times, with a counter that they spin on. */
static void grid_barrier(struct exec_warp *w)
{
    const struct params *p = params_of(w);
    const struct exec_helpers *h = w->launch->helpers;
    uint32_t *shared = (uint32_t *)w->shared;
    uint32_t blocks = (uint32_t)w->launch->block_count;
    for (uint64_t b = w->block_first; b < w->block_end; b += h->block_end(w)) {
        w->block_current = b;
        shared[w->warp_first] = (uint32_t)b;
        for (uint32_t round = 1; round <= 3; round++) {
            h->barrier_sync(w, 0, 0);
            if (w->warp_first == 0) {
                atomic_fetch_add(p->counter, 1);
                wait_until(w, p->counter, round * blocks);
            }
            h->barrier_sync(w, 0, 0);
        }
        /* Each block has shared memory of its own. */
        if (shared[w->warp_first] == b)
            p->out[b * w->launch->warps_per_block + w->warp_first] = 1;
    }
}

static void check_grid_barrier(uint64_t blocks, unsigned warps)
{
    atomic_uint counter = 0;
    struct params p = {&counter, calloc(blocks * warps, 4), 0};
    struct exec_kernel k = waiting_kernel(grid_barrier, &p, blocks, warps * 32);
    CHECK_EQUAL(run_and_wait(&k), 0);
    uint64_t right = 0;
    for (uint64_t i = 0; i < blocks * warps; i++)
        right += p.out[i];
    CHECK_EQUAL(right, blocks * warps);
    free(p.out);
}

/* Blocks wait for what comes from elsewhere after 500 looks, the first one for
 * much longer. */
static void wait_for_others(struct exec_warp *w)
{
    const struct params *p = params_of(w);
    const struct exec_helpers *h = w->launch->helpers;
    for (uint64_t b = w->block_first; b < w->block_end; b += h->block_end(w)) {
        w->block_current = b;
        p->out[b] = atomic_fetch_add(p->counter, 1) + 1;
        for (uint32_t looks = 0; looks < (b ? 500u : 6000u); looks++)
            h->yield(w);
        atomic_fetch_sub(p->counter, 1);
    }
}

/* While the first one waits, an SM begins others. Then it has one block at a
 * time again. */
static void check_one_stall(void)
{
    enum { BLOCKS = 2000 };
    static uint32_t in_flight[BLOCKS];
    atomic_uint counter = 0;
    struct params p = {&counter, in_flight, 0};
    struct exec_kernel k = waiting_kernel(wait_for_others, &p, BLOCKS, 32);
    k.part = (struct exec_part){.first = 0, .end = 1, .sm_count = 1};
    CHECK_EQUAL(run_and_wait(&k), 0);
    CHECK(in_flight[1] > 1);
#ifndef WEFT_CRAMPED
    CHECK_EQUAL(in_flight[BLOCKS - 1], 1);
#endif
}

/* Sanitizers need address space of their own. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { HAS_LIMITS = 0 };
#else
enum { HAS_LIMITS = 1 };
#endif

/* Address space in use, and a little more. */
static void limit_address_space(rlim_t *before)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    CHECK(f && fscanf(f, "%lu", &pages) == 1);
    fclose(f);
    struct rlimit limit;
    CHECK(!getrlimit(RLIMIT_AS, &limit));
    *before = limit.rlim_cur;
    limit.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + (64 << 20);
    CHECK(!setrlimit(RLIMIT_AS, &limit));
}

/* Blocks that spin until all have begun. The first on each SM wait for each
 * other before, so that no SM is the first to ask for memory and the last. */
static void all_at_once(struct exec_warp *w)
{
    const struct params *p = params_of(w);
    static atomic_uint sms;
    static _Thread_local bool has_come;
    time_t end = time(NULL) + 20;
    if (!has_come)
        atomic_fetch_add(&sms, 1);
    has_come = true;
    while (atomic_load(&sms) < exec_sm_count() && time(NULL) < end)
        sched_yield();
    for (uint64_t b = w->block_first; b < w->block_end;
         b += w->launch->helpers->block_end(w)) {
        atomic_fetch_add(p->counter, 1);
        wait_until(w, p->counter, (uint32_t)w->launch->block_count);
    }
}

/* A cooperative grid that has no memory for all its blocks ends, and says so:
 * those that began would wait for the others for ever. */
static void check_no_memory(void)
{
    atomic_uint counter = 0;
    struct params p = {&counter, NULL, 0};
    struct exec_kernel k = waiting_kernel(all_at_once, &p, 100000, 32);
    struct rlimit limit;
    k.is_cooperative = true;
    CHECK(!getrlimit(RLIMIT_AS, &limit));
    limit_address_space(&limit.rlim_cur);
    CHECK_EQUAL(run_and_wait(&k), EXEC_FAULT_STACK);
    CHECK(!setrlimit(RLIMIT_AS, &limit));
    check_grid_barrier(64, 8);
}

/* Each block waits for the one before it; each warp for the next one. */
static void chain(struct exec_warp *w)
{
    const struct params *p = params_of(w);
    const struct exec_helpers *h = w->launch->helpers;
    uint32_t warps = w->launch->warps_per_block;
    for (uint64_t b = w->block_first; b < w->block_end; b += h->block_end(w)) {
        w->block_current = b;
        uint32_t turn = (uint32_t)b * warps + (warps - 1 - w->warp_first);
        wait_until(w, p->counter, turn);
        p->out[turn] = turn;
        atomic_store(p->counter, turn + 1);
    }
}

static void check_chain(uint64_t blocks, unsigned warps)
{
    atomic_uint counter = 0;
    struct params p = {&counter, calloc(blocks * warps, 4), 0};
    struct exec_kernel k = waiting_kernel(chain, &p, blocks, warps * 32);
    CHECK_EQUAL(run_and_wait(&k), 0);
    CHECK_EQUAL(atomic_load(&counter), blocks * warps);
    uint64_t wrong = 0;
    for (uint32_t i = 0; i < blocks * warps; i++)
        wrong += p.out[i] != i;
    CHECK_EQUAL(wrong, 0);
    free(p.out);
}

/* A fault in one block ends those that wait for it. */
static void lost(struct exec_warp *w)
{
    const struct params *p = params_of(w);
    if (w->block_first == 5)
        w->launch->helpers->trap(w);
    wait_until(w, p->counter, 1);
}

static void check_lost(void)
{
    atomic_uint counter = 0;
    struct params p = {&counter, NULL, 0};
    struct exec_kernel k = waiting_kernel(lost, &p, 40, 64);
    CHECK_EQUAL(run_and_wait(&k), EXEC_FAULT_TRAP);
}

/* A warp of the first block waits for warps that have exited; other blocks go
 * on beside it, and then nothing can. */
static void stuck(struct exec_warp *w)
{
    const struct exec_helpers *h = w->launch->helpers;
    for (uint64_t b = w->block_first; b < w->block_end; b += h->block_end(w)) {
        w->block_current = b;
        if (b == 0 && w->warp_first == 0)
            h->barrier_sync(w, 1, 64);
        wait_until(w, params_of(w)->counter, 0);
    }
}

static void check_stuck(uint64_t blocks, unsigned warps)
{
    atomic_uint counter = 0;
    struct params p = {&counter, NULL, 0};
    struct exec_kernel k = waiting_kernel(stuck, &p, blocks, warps * 32);
    CHECK_EQUAL(run_and_wait(&k), EXEC_FAULT_TRAP);
    CHECK_EQUAL(exec_last_fault().block_linear, 0);
}

/* Kernels on all SMs wait for a call that is submitted behind them. */
static void wait_for_later(struct exec_warp *w)
{
    const struct params *p = params_of(w);
    const struct exec_helpers *h = w->launch->helpers;
    for (uint64_t b = w->block_first; b < w->block_end; b += h->block_end(w)) {
        w->block_current = b;
        wait_until(w, p->counter, p->count);
    }
}

static void set_counter(void *counter)
{
    atomic_store((atomic_uint *)counter, 5);
}

static void check_later_tasks(void)
{
    atomic_uint counter = 0;
    struct params p[5];
    struct exec_task *t[5];
    for (uint32_t i = 0; i < 5; i++) {
        p[i] = (struct params){&counter, NULL, i + 1};
        struct exec_kernel k =
            waiting_kernel(wait_for_later, &p[i], 4 * exec_sm_count(), 64);
        t[i] = exec_task_kernel(&k);
        exec_submit(t[i]);
    }
    struct exec_task *last = exec_task_call(set_counter, &counter);
    exec_submit(last);
    for (uint32_t i = 0; i < 5; i++) {
        exec_wait(t[i], EXEC_WAIT_HELP);
        CHECK_EQUAL(exec_task_fault(t[i]), 0);
        exec_task_unref(t[i]);
    }
    exec_wait(last, EXEC_WAIT_HELP);
    exec_task_unref(last);
}

static void set_counter_late(void *counter)
{
    struct timespec time = {.tv_nsec = 700 * 1000000};
    nanosleep(&time, NULL);
    set_counter(counter);
}

static unsigned count_entries(const char *folder)
{
    unsigned count = 0;
    DIR *d = opendir(folder);
    while (d && readdir(d))
        count++;
    if (d)
        closedir(d);
    return count;
}

static void note_threads(struct exec_warp *w)
{
    const struct params *p = params_of(w);
    wait_for_later(w);
    unsigned count = count_entries("/proc/self/task");
    __atomic_store_n(&p->out[0], count, __ATOMIC_RELAXED); /* all do */
}

/* A kernel of more blocks than there are block slots waits for the host, whose
 * thread runs blocks meanwhile or sleeps: no spare helps. One is begun at most:
 * not all slots may be on the SMs. */
static void check_no_spares(enum exec_wait_mode mode)
{
    atomic_uint counter = 0;
    uint32_t threads = 0, before = count_entries("/proc/self/task");
    struct params p = {&counter, &threads, 1};
    struct exec_kernel k =
        waiting_kernel(note_threads, &p, 600 * exec_sm_count(), 32);
    struct exec_task *t = exec_task_kernel(&k);
    struct exec_task *host = exec_task_host_function(set_counter_late, &counter);
    exec_submit(host);
    exec_submit(t);
    exec_wait(t, mode);
    CHECK_EQUAL(exec_task_fault(t), 0);
    exec_task_unref(t);
    exec_wait(host, EXEC_WAIT_HELP);
    exec_task_unref(host);
    CHECK(threads > 0 && threads <= before + exec_sm_count() + 2);
}

/* ---- one lane to a call ------------------------------------------------ */

/* Barriers among 1024 fibers, a thread count, and votes. */
static void barriers_of_threads(struct exec_warp *w)
{
    const struct params *p = params_of(w);
    const struct exec_helpers *h = w->launch->helpers;
    uint32_t threads = w->launch->block[0], self = w->warp_first;
    uint32_t *shared = (uint32_t *)w->shared, total, bad = 0;
    shared[self] = self;
    h->barrier_sync(w, 0, 0);
    bad += shared[threads - 1 - self] != threads - 1 - self;
    bad +=
        h->barrier_red(w, 1, 0, self % 3 == 0, 1, &total) != (threads + 2) / 3;
    bad += total != threads;
    if (self < 32) /* a full warp, though not all of it may exist */
        h->barrier_sync(w, 2, 32);
    if (self % 2)
        goto done; /* exited threads count as arrived */
    h->barrier_sync(w, 3, 0);
done:
    p->out[w->block_first * threads + self] = bad + 1;
    h->block_end(w);
}

static void check_barriers_of_threads(unsigned threads)
{
    enum { BLOCKS = 5 };
    struct params p = {NULL, calloc(BLOCKS * threads, 4), 0};
    struct exec_kernel k =
        waiting_kernel(barriers_of_threads, &p, BLOCKS, threads);
    k.launch.lane_count = 1;
    CHECK_EQUAL(run_and_wait(&k), 0);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < BLOCKS * threads; i++)
        wrong += p.out[i] != 1;
    CHECK_EQUAL(wrong, 0);
    free(p.out);
}

/* Lanes meet all, in halves, and whoever comes. */
static void collectives(struct exec_warp *w)
{
    const struct params *p = params_of(w);
    const struct exec_helpers *h = w->launch->helpers;
    uint32_t threads = w->launch->block[0], self = w->warp_first;
    uint32_t lane = self % 32, bad = 0;
    uint32_t left = threads - self / 32 * 32;
    uint32_t all = left >= 32 ? ~0u : (1u << left) - 1;
    for (uint32_t round = 0; round < 20; round++) {
        const struct exec_collective *m = h->collective(w, ~0u, 1, self * 100 + round);
        uint32_t other = lane ^ 1;
        bad += m->present != all;
        if (all >> other & 1)
            bad += m->value[other] != (self - lane + other) * 100 + round;
        bad += m->ballot != (round % 2 ? all : 0);
        if (lane % 3 == 0) /* these are quicker */
            h->yield(w);
        uint32_t half = lane < 16 ? 0x0000ffff : 0xffff0000;
        m = h->collective(w, half, 2, lane);
        bad += m->present != (half & all);
        if (lane % 4 != 3) { /* all of these come */
            m = h->collective(w, 0, 3, lane);
            bad += m->present != (all & 0x77777777);
        }
    }
    p->out[w->block_first * threads + self] = bad + 1;
    h->block_end(w);
}

static void check_collectives(unsigned threads)
{
    enum { BLOCKS = 3 };
    struct params p = {NULL, calloc(BLOCKS * threads, 4), 0};
    struct exec_kernel k = waiting_kernel(collectives, &p, BLOCKS, threads);
    k.launch.lane_count = 1;
    CHECK_EQUAL(run_and_wait(&k), 0);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < BLOCKS * threads; i++)
        wrong += p.out[i] != 1;
    CHECK_EQUAL(wrong, 0);
    free(p.out);
}

/* A lock that the lanes of all blocks want. */
static void lock(struct exec_warp *w)
{
    const struct params *p = params_of(w);
    unsigned open = 0;
    while (!atomic_compare_exchange_strong(p->counter, &open, 1)) {
        open = 0;
        w->launch->helpers->yield(w);
    }
    uint32_t n = p->out[0];
    w->launch->helpers->yield(w); /* the holder is not the one that runs */
    p->out[0] = n + 1;
    atomic_store(p->counter, 0);
    w->launch->helpers->block_end(w);
}

static void check_lock(void)
{
    atomic_uint counter = 0;
    uint32_t out = 0;
    struct params p = {&counter, &out, 0};
    struct exec_kernel k = waiting_kernel(lock, &p, 10, 100);
    k.launch.lane_count = 1;
    CHECK_EQUAL(run_and_wait(&k), 0);
    CHECK_EQUAL(out, 1000);
}

/* Turns go through the warps of neighbouring blocks. */
static void turns(struct exec_warp *w)
{
    const struct params *p = params_of(w);
    const struct exec_helpers *h = w->launch->helpers;
    uint32_t *shared = (uint32_t *)w->shared;
    for (uint64_t b = w->block_first; b < w->block_end; b += h->block_end(w)) {
        w->block_current = b;
        shared[w->warp_first] = 0;
        for (uint32_t i = 0; i < 100; i++) {
            shared[w->warp_first]++;
            h->turn(w);
        }
        h->barrier_sync(w, 0, 0);
        if (w->warp_first == 0)
            for (uint32_t i = 0; i < w->launch->warps_per_block; i++)
                p->out[b] += shared[i];
    }
}

static void check_turns(uint64_t blocks, unsigned warps)
{
    struct params p = {NULL, calloc(blocks, 4), 0};
    struct exec_kernel k = make_kernel(turns, &p, blocks, warps * 32);
    k.has_barrier = k.takes_turns = true;
    CHECK_EQUAL(run_and_wait(&k), 0);
    uint64_t wrong = 0;
    for (uint64_t b = 0; b < blocks; b++)
        wrong += p.out[b] != 100 * warps;
    CHECK_EQUAL(wrong, 0);
    free(p.out);
}

/* Waits until two threads run blocks, or for 20 seconds. */
static void meet_another(struct exec_warp *w)
{
    const struct params *p = params_of(w);
    static _Thread_local bool has_come;
    time_t end = time(NULL) + 20;
    for (uint64_t b = w->block_first; b < w->block_end;
         b += w->launch->helpers->block_end(w)) {
        if (!has_come)
            atomic_fetch_add(p->counter, 1);
        has_come = true;
        while (atomic_load(p->counter) < 2 && time(NULL) < end)
            w->launch->helpers->turn(w);
    }
}

/* Neighbours begin together, but no SM takes more than its share of them. */
static void check_shares(void)
{
    atomic_uint threads = 0;
    struct params p = {&threads, NULL, 0};
    struct exec_kernel k = make_kernel(meet_another, &p, 64, 32);
    k.has_barrier = k.takes_turns = true;
    CHECK_EQUAL(run_and_wait(&k), 0);
    if (exec_sm_count() > 1)
        CHECK(atomic_load(&threads) > 1);
}

int main(void)
{
    check_shares();
    check_grid_barrier(1, 1);
    check_grid_barrier(2, 4);
    check_grid_barrier(64, 8);
    check_grid_barrier(300, 2);
    check_one_stall();
    check_chain(1000, 1);
    check_chain(100, 8);
    check_lost();
    check_stuck(1, 4);
    check_stuck(100, 3);
    check_stuck(100, 8);
    check_no_spares(EXEC_WAIT_HELP);
    check_no_spares(EXEC_WAIT_BLOCK);
    check_later_tasks();
    check_barriers_of_threads(32);
    check_barriers_of_threads(100);
    check_barriers_of_threads(1024);
    check_collectives(20);
    check_collectives(64);
    check_collectives(1000);
    check_lock();
    for (unsigned warps = 1; warps <= 32; warps *= 2)
        check_turns(33, warps);
    if (HAS_LIMITS)
        check_no_memory();
    exec_stop();
    return check_result();
}
