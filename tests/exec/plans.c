/* SPDX-License-Identifier: Apache-2.0 */
/* Plans: order, sections, sharing, faults, runs one after the other. */
#define _GNU_SOURCE
#include "check.h"
#include "launch.h"

#include "base/size.h"
#include "exec/plan.h"

#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The thread sanitizer takes a millisecond for the fiber of each block. */
#ifdef __SANITIZE_THREAD__
enum { STEPS = 200, ROUNDS = 3, RUNS = 5, ENDS = 200, HAS_SPEED = 0 };
#else
enum {
    STEPS = 200,
    ROUNDS = 30,
    RUNS = 50,
    ENDS = WEFT_SIZE(1000, 10000), /* in the cramped build it was seen */
    HAS_SPEED = 1
};
#endif

static atomic_int sequence;
static int stamp[STEPS];

static void take_stamp(void *data)
{
    *(int *)data = atomic_fetch_add(&sequence, 1) + 1;
}

static void run_plan(struct exec_plan *p)
{
    struct exec_task *t = exec_task_plan(p, NULL, NULL);
    exec_submit(t);
    exec_wait(t, EXEC_WAIT_HELP);
    CHECK(exec_task_is_done(t));
    exec_task_unref(t);
}

/* A random DAG of calls; every step comes after those before it, of which there
 * are `most` at most. With few, brief ones come together. */
static void check_order(unsigned seed, unsigned most)
{
    struct exec_step steps[STEPS];
    struct exec_plan_edge edges[STEPS * 4];
    size_t edge_count = 0;
    for (uint32_t i = 0; i < STEPS; i++) {
        steps[i] = (struct exec_step){
            .kind = i % 7 ? EXEC_STEP_TASK : EXEC_STEP_NOTHING,
            .is_brief = i % 5 && i % 11,
            .task = i % 7 == 0   ? NULL
                    : i % 5 == 0 ? exec_task_host_function(take_stamp, &stamp[i])
                                 : exec_task_call(take_stamp, &stamp[i]),
        };
        for (unsigned k = 0; i && k < most; k++) {
            seed = seed * 1103515245 + 12345;
            uint32_t from = (seed >> 16) % (i + i / 8 + 1);
            bool is_new = from < i;
            for (size_t e = 0; e < edge_count; e++)
                is_new &= edges[e].from != from || edges[e].to != i;
            if (is_new)
                edges[edge_count++] = (struct exec_plan_edge){from, i};
        }
    }
    struct exec_plan *p = exec_plan_create(steps, STEPS, edges, edge_count, 1);
    for (int round = 0; round < 20; round++) {
        memset(stamp, 0, sizeof stamp);
        atomic_store(&sequence, 0);
        run_plan(p);
        CHECK(atomic_load(&sequence) == STEPS - (STEPS + 6) / 7);
        for (size_t e = 0; e < edge_count; e++) {
            int a = stamp[edges[e].from], b = stamp[edges[e].to];
            CHECK(!a || !b || a < b);
        }
    }
    exec_plan_unref(p);
}

static void nap(void *data)
{
    (void)data;
    sched_yield();
}

/* Nobody but its run holds such a plan: it goes while the threads of its host
 * functions come back from them, and leaves nothing that could pass for it. */
static void check_end(void)
{
    mallopt(M_PERTURB, 0xa5);
    for (int round = 0; round < ENDS; round++) {
        struct exec_step steps[] = {
            {.kind = EXEC_STEP_TASK,
             .task = exec_task_host_function(nap, NULL)},
            {.kind = EXEC_STEP_TASK, .task = exec_task_call(nap, NULL)},
            {.kind = EXEC_STEP_TASK, .task = exec_task_call(nap, NULL)},
        };
        const struct exec_plan_edge edges[] = {{0, 2}, {1, 2}};
        /* One with a step that two come before, one with a chain. */
        bool is_chain = round % 2;
        struct exec_plan *p =
            exec_plan_create(steps, 3, edges, is_chain ? 1 : 2, 1);
        struct exec_task *t = exec_task_plan(p, NULL, NULL);
        exec_plan_unref(p);
        exec_submit(t);
        exec_wait(t, EXEC_WAIT_HELP);
        exec_task_unref(t);
    }
    mallopt(M_PERTURB, 0);
}

/* ---- sections ---------------------------------------------------------- */

static uint32_t three_times(void *data, uint32_t round)
{
    return round < *(uint32_t *)data ? 1 + round % 2 : EXEC_NO_SECTION;
}

/* begin -> choice(odd: 2 calls, even: 1 call) -> end */
static void check_sections(void)
{
    static int at[5];
    uint32_t rounds = 1001;
    struct exec_step steps[6] = {
        {.kind = EXEC_STEP_TASK, .task = exec_task_call(take_stamp, &at[0])},
        {.kind = EXEC_STEP_CHOICE, .choose = three_times, .data = &rounds},
        {.kind = EXEC_STEP_TASK, .task = exec_task_call(take_stamp, &at[1])},
        {.kind = EXEC_STEP_TASK,
         .task = exec_task_call(take_stamp, &at[2]),
         .section = 1},
        {.kind = EXEC_STEP_TASK,
         .task = exec_task_call(take_stamp, &at[3]),
         .section = 1},
        {.kind = EXEC_STEP_TASK,
         .task = exec_task_call(take_stamp, &at[4]),
         .section = 2},
    };
    const struct exec_plan_edge edges[] = {{0, 1}, {1, 2}};
    struct exec_plan *p = exec_plan_create(steps, 6, edges, 2, 3);
    for (rounds = 1001; rounds < 2000; rounds += 997) {
        atomic_store(&sequence, 0);
        run_plan(p);
        int odd = (int)(rounds + 1) / 2, even = (int)rounds / 2;
        CHECK(at[0] == 1 && at[1] == 2 + 2 * odd + even);
    }
    rounds = 0;
    atomic_store(&sequence, 0);
    run_plan(p);
    CHECK(at[0] == 1 && at[1] == 2);
    exec_plan_unref(p);
    /* One that nothing comes behind. */
    rounds = 1;
    steps[0].task = NULL;
    steps[0].kind = EXEC_STEP_CHOICE;
    steps[0].choose = three_times;
    steps[0].data = &rounds;
    steps[1] = (struct exec_step){
        .kind = EXEC_STEP_TASK,
        .task = exec_task_call(take_stamp, &at[0]),
        .section = 1,
    };
    p = exec_plan_create(steps, 2, NULL, 0, 2);
    run_plan(p);
    exec_plan_unref(p);
}

/* ---- kernels ----------------------------------------------------------- */

static atomic_int blocks_run;
static int spin_ns;

static void count_blocks(struct exec_warp *w)
{
    for (uint64_t b = w->block_first; b < w->block_end; b++) {
        atomic_fetch_add(&blocks_run, 1);
        for (volatile int i = 0; i < spin_ns; i++)
            ;
    }
}

static struct exec_task *kernel_task(exec_kernel_fn *fn, uint64_t blocks)
{
    struct exec_kernel k = {
        .fn = fn,
        .stack_bytes = 4096,
        .launch = {.grid = {(uint32_t)blocks, 1, 1},
                   .block = {32, 1, 1},
                   .block_count = blocks},
    };
    return exec_task_kernel(&k);
}

/* Short ones on one thread, long ones shared, again and again. */
static void check_kernels(int spin)
{
    struct exec_step steps[8] = {0};
    const struct exec_plan_edge edges[] = {
        {0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {4, 5}, {5, 6}, {6, 7}};
    spin_ns = spin;
    for (uint32_t i = 0; i < 8; i++)
        steps[i] = (struct exec_step){
            .kind = EXEC_STEP_TASK,
            .task = kernel_task(count_blocks, i % 2 ? 1 : 100)};
    struct exec_plan *p =
        exec_plan_create(steps, 8, edges, ARRAY_COUNT(edges), 1);
    for (int round = 0; round < ROUNDS; round++) {
        atomic_store(&blocks_run, 0);
        run_plan(p);
        CHECK(atomic_load(&blocks_run) == 404);
    }
    exec_plan_step(p, 2)->is_skipped = true;
    atomic_store(&blocks_run, 0);
    run_plan(p);
    CHECK(atomic_load(&blocks_run) == 304);
    exec_plan_unref(p);
}

/* ---- kernels that a team shares ---------------------------------------- */

enum { CELLS = 64, LINKS = 12 };
static unsigned cells[LINKS + 1][CELLS];

/* From what the kernel before left, in other blocks: none of it is atomic. */
static void stir(struct exec_warp *w)
{
    unsigned link = *(const unsigned *)w->launch->params;
    const unsigned *from = cells[link];
    for (uint64_t b = w->block_first; b < w->block_end; b++) {
        for (volatile int i = b % 16 == 5 ? 20000 : 300; i > 0; i--)
            ; /* some blocks are late */
        cells[link + 1][b] =
            from[(b * 7 + 3) % CELLS] * 3 + from[(b + CELLS / 2) % CELLS] + 1;
    }
}

/* Cell by cell, in the same order, on one thread. */
static void expect(unsigned *now)
{
    unsigned next[CELLS];
    for (unsigned link = 0; link < LINKS; link++) {
        for (unsigned b = 0; b < CELLS; b++)
            next[b] =
                now[(b * 7 + 3) % CELLS] * 3 + now[(b + CELLS / 2) % CELLS] + 1;
        memcpy(now, next, sizeof next);
    }
}

static struct exec_plan *chain_plan(unsigned *links, exec_kernel_fn *fn)
{
    struct exec_step steps[LINKS];
    struct exec_plan_edge edges[LINKS];
    for (unsigned i = 0; i < LINKS; i++) {
        struct exec_kernel k = make_kernel(fn, &links[i], CELLS, 32);
        links[i] = i;
        steps[i] = (struct exec_step){.kind = EXEC_STEP_TASK,
                                      .task = exec_task_kernel(&k)};
        edges[i] = (struct exec_plan_edge){i, i + 1};
    }
    return exec_plan_create(steps, LINKS, edges, LINKS - 1, 1);
}

static void carry_over(void *unused)
{
    (void)unused;
    memcpy(cells[0], cells[LINKS], sizeof cells[0]);
}

/* Several runs in flight, each from where the last one ended. */
static void check_team(void)
{
    unsigned links[LINKS], wanted[CELLS] = {0};
    struct exec_task *runs[RUNS];
    struct exec_plan *p = chain_plan(links, stir);
    memset(cells, 0, sizeof cells);
    for (unsigned r = 0; r < RUNS; r++) {
        runs[r] = exec_task_plan(p, carry_over, NULL);
        CHECK(r == 0 || exec_task_depend(runs[r], runs[r - 1]));
        exec_submit(runs[r]);
        expect(wanted);
    }
    exec_wait(runs[RUNS - 1], EXEC_WAIT_HELP);
    for (unsigned r = 0; r < RUNS; r++)
        exec_task_unref(runs[r]);
    CHECK(memcmp(wanted, cells[LINKS], sizeof wanted) == 0);
    exec_plan_unref(p);
}

static void take_no_time(void *unused)
{
    (void)unused;
}

struct outside {
    struct exec_plan *plan;
    uint32_t step;
};

static void end_outside(void *data, enum exec_fault fault)
{
    struct outside *o = data;
    CHECK(fault == EXEC_OK);
    exec_plan_end_step(o->plan, o->step);
    free(o);
}

/* A task beside the run, which comes to the queue behind it. */
static void start_outside(void *data, struct exec_plan *p, uint32_t step)
{
    struct outside *o = malloc(sizeof *o);
    struct exec_task *t = exec_task_call(take_no_time, data);
    *o = (struct outside){p, step};
    exec_task_on_done(t, end_outside, o);
    exec_submit(t);
    exec_task_unref(t);
}

/* Behind a kernel that called helpers, the run waits for a task that is behind
 * it in the queue: those who look for work find the task. */
static void check_outside(void)
{
    enum { COUNT = 20 };
    struct exec_step steps[COUNT];
    struct exec_plan_edge edges[COUNT];
    unsigned zero = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        struct exec_kernel k = make_kernel(stir, &zero, CELLS, 32);
        edges[i] = (struct exec_plan_edge){i, i + 1};
        if (i % 2)
            steps[i] = (struct exec_step){.kind = EXEC_STEP_START,
                                          .start = start_outside};
        else
            steps[i] = (struct exec_step){.kind = EXEC_STEP_TASK,
                                          .task = exec_task_kernel(&k)};
    }
    struct exec_plan *p = exec_plan_create(steps, COUNT, edges, COUNT - 1, 1);
    for (unsigned r = 0; r < RUNS; r++) {
        struct exec_task *t = exec_task_plan(p, NULL, NULL);
        exec_submit(t);
        exec_wait(t, EXEC_WAIT_BLOCK);
        exec_task_unref(t);
    }
    exec_plan_unref(p);
}

static atomic_int stirred;

static void stir_and_stray(struct exec_warp *w)
{
    unsigned link = *(const unsigned *)w->launch->params;
    static volatile uintptr_t low = 64;
    atomic_fetch_add(&stirred, link > LINKS / 2);
    stir(w);
    if (link == LINKS / 2 && w->block_end > CELLS / 2)
        *(volatile int *)low = 1;
}

static atomic_int gave_up;

static void give_up(void *data, enum exec_fault fault, uint32_t step)
{
    CHECK(fault == EXEC_FAULT_ADDRESS && step == LINKS / 2);
    atomic_store((atomic_int *)data, 1);
}

/* A fault in a chunk, whoever had it, ends the kernel and what is behind. */
static void check_team_fault(void)
{
    unsigned links[LINKS];
    struct exec_plan *p = chain_plan(links, stir_and_stray);
    exec_plan_on_fault(p, give_up, &gave_up);
    for (int round = 0; round < 10; round++) {
        struct exec_task *t = exec_task_plan(p, NULL, NULL);
        atomic_store(&gave_up, 0);
        atomic_store(&stirred, 0);
        exec_task_cancel_if(t, &gave_up);
        exec_submit(t);
        exec_wait(t, EXEC_WAIT_HELP);
        CHECK(exec_task_fault(t) == EXEC_FAULT_ADDRESS);
        CHECK(atomic_load(&gave_up) && atomic_load(&stirred) == 0);
        exec_task_unref(t);
    }
    exec_plan_unref(p);
}

/* ---- faults ------------------------------------------------------------ */

static uint32_t faulty;
static atomic_int cancel;

static void note_fault(void *data, enum exec_fault fault, uint32_t step)
{
    CHECK(data == &faulty && fault == EXEC_FAULT_ADDRESS);
    faulty = step;
    atomic_store(&cancel, 1);
}

static void stray(struct exec_warp *w)
{
    (void)w;
    static volatile uintptr_t low = 64;
    *(volatile int *)low = 1;
}

/* What comes behind a fault does not run. */
static void check_fault(void)
{
    struct exec_step steps[3];
    const struct exec_plan_edge edges[] = {{0, 1}, {1, 2}};
    for (uint32_t i = 0; i < 3; i++)
        steps[i] = (struct exec_step){
            .kind = EXEC_STEP_TASK,
            .task = kernel_task(i == 1 ? stray : count_blocks, 3)};
    struct exec_plan *p = exec_plan_create(steps, 3, edges, 2, 1);
    exec_plan_on_fault(p, note_fault, &faulty);
    struct exec_task *t = exec_task_plan(p, NULL, NULL);
    exec_task_cancel_if(t, &cancel);
    atomic_store(&blocks_run, 0);
    exec_submit(t);
    exec_wait(t, EXEC_WAIT_HELP);
    CHECK(exec_task_fault(t) == EXEC_FAULT_ADDRESS);
    CHECK(faulty == 1 && atomic_load(&blocks_run) == 3);
    exec_task_unref(t);
    exec_plan_unref(p);
}

/* A run of which a late thread, as it were, refers to the step's task. */
static struct exec_task *run_held(struct exec_plan *p)
{
    struct exec_task *held = exec_task_ref(exec_plan_step(p, 0)->task);
    run_plan(p);
    CHECK(exec_plan_step(p, 0)->task != held);
    exec_task_unref(held);
    return held;
}

/* The next run takes a task of the reserve, and a later one the first again,
 * when its thread has let go of it. */
static void check_reserve(void)
{
    struct exec_step step = {.kind = EXEC_STEP_TASK,
                             .task = exec_task_host_function(take_stamp, stamp)};
    struct exec_plan *p = exec_plan_create(&step, 1, NULL, 0, 1);
    struct exec_task *first = run_held(p), *hole;
    hole = exec_task_host_function(take_stamp, stamp); /* if that was freed */
    for (int i = 0; i < 1000 && exec_plan_step(p, 0)->task != first; i++)
        run_held(p);
    CHECK(exec_plan_step(p, 0)->task == first && hole != first);
    exec_task_unref(hole);
    exec_plan_unref(p);
}

static uint64_t best_ns(struct exec_plan *p, int rounds)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < rounds; i++) {
        struct timespec a, b;
        clock_gettime(CLOCK_MONOTONIC, &a);
        run_plan(p);
        clock_gettime(CLOCK_MONOTONIC, &b);
        uint64_t ns = (uint64_t)(b.tv_sec - a.tv_sec) * 1000000000u +
                      (uint64_t)b.tv_nsec - (uint64_t)a.tv_nsec;
        best = ns < best ? ns : best;
    }
    return best;
}

/* ---- a run that is launched again ------------------------------------- */

static struct {
    atomic_bool is_open;
    atomic_int starts, calls, seen;
} again;

static void count_start(void *unused)
{
    (void)unused;
    atomic_fetch_add(&again.starts, 1);
}

static void pass_gate(void *unused)
{
    (void)unused;
    while (!atomic_load(&again.is_open))
        sched_yield();
    atomic_fetch_add(&again.calls, 1);
}

static void note_calls(void *unused)
{
    (void)unused;
    atomic_store(&again.seen, atomic_load(&again.calls));
}

static struct exec_plan *one_call(void (*fn)(void *))
{
    struct exec_step step = {.kind = EXEC_STEP_TASK,
                             .task = exec_task_call(fn, NULL)};
    return exec_plan_create(&step, 1, NULL, 0, 1);
}

/* A submitted run on the first SM alone, which stands before the gate. */
static struct exec_task *begin_gated(struct exec_plan *p)
{
    const struct exec_part part = {.first = 0, .end = 1};
    struct exec_task *t = exec_task_plan(p, count_start, NULL);
    atomic_store(&again.is_open, false);
    atomic_store(&again.starts, 0);
    atomic_store(&again.calls, 0);
    exec_task_set_part(t, &part);
    exec_submit(t);
    return t;
}

/* Opens the gate; the run is made so many times in all. */
static void end_gated(struct exec_task *t, int times)
{
    atomic_store(&again.is_open, true);
    exec_wait(t, EXEC_WAIT_BLOCK);
    CHECK(atomic_load(&again.starts) == times);
    CHECK(atomic_load(&again.calls) == times);
    CHECK(!exec_task_plan_repeat(t, 0));
    exec_task_unref(t);
}

static void *wait_for(void *t)
{
    exec_wait(t, EXEC_WAIT_BLOCK);
    return NULL;
}

/* Who waits, waits for what was launched before. */
static void check_again_waited(struct exec_plan *p)
{
    enum { TRIES = 20000 };
    const struct timespec moment = {.tv_nsec = 100000};
    pthread_t thread;
    struct exec_task *t = begin_gated(p);
    int times = 1;
    CHECK(pthread_create(&thread, NULL, wait_for, t) == 0);
    while (times < TRIES && exec_task_plan_repeat(t, 0)) {
        times++;
        nanosleep(&moment, NULL);
    }
    CHECK(times < TRIES);
    atomic_store(&again.is_open, true);
    CHECK(pthread_join(thread, NULL) == 0);
    end_gated(t, times);
}

/* Runs count until somebody looks for the end. */
static void check_again(void)
{
    struct exec_plan *p = one_call(pass_gate);
    struct exec_task *t = begin_gated(p);
    CHECK(!exec_task_plan_repeat(t, 1)); /* of another priority */
    for (int i = 0; i < 3; i++)
        CHECK(exec_task_plan_repeat(t, 0));
    struct exec_task *mark = exec_task_nothing();
    CHECK(exec_task_depend(mark, t));
    exec_submit(mark);
    CHECK(!exec_task_plan_repeat(t, 0));
    end_gated(t, 4);
    exec_wait(mark, EXEC_WAIT_HELP);
    exec_task_unref(mark);

    t = begin_gated(p);
    CHECK(exec_task_plan_repeat(t, 0));
    exec_task_close(t);
    CHECK(!exec_task_plan_repeat(t, 0));
    end_gated(t, 2);
    check_again_waited(p);
    exec_plan_unref(p);
}

/* Other work for the same SM comes between two runs. */
static void check_again_is_fair(void)
{
    enum { TIMES = 10000 };
    const struct exec_part part = {.first = 0, .end = 1};
    struct exec_plan *p = one_call(pass_gate), *other = one_call(note_calls);
    struct exec_task *t = begin_gated(p);
    struct exec_task *between = exec_task_plan(other, NULL, NULL);
    exec_task_set_part(between, &part);
    for (int i = 1; i < TIMES; i++)
        CHECK(exec_task_plan_repeat(t, 0));
    while (!atomic_load(&again.starts))
        sched_yield();
    exec_submit(between);
    end_gated(t, TIMES);
    exec_wait(between, EXEC_WAIT_HELP);
    CHECK(atomic_load(&again.seen) < TIMES);
    exec_task_unref(between);
    exec_plan_unref(other);
    exec_plan_unref(p);
}

static struct exec_task *empty_run(struct exec_plan *p)
{
    struct exec_task *t = exec_task_plan(p, count_start, NULL);
    exec_submit(t);
    exec_task_plan_repeat(t, 0);
    return t;
}

/* A plan without steps, too. */
static void check_again_empty(void)
{
    struct exec_plan *p = exec_plan_create(NULL, 0, NULL, 0, 1);
    for (int i = 0; i < 200; i++) {
        struct exec_task *t = empty_run(p);
        exec_wait(t, EXEC_WAIT_HELP);
        exec_task_unref(t);
    }
    exec_plan_unref(p);
}

static void nothing(struct exec_warp *w)
{
    (void)w;
}

/* Figures, and that a step costs no thread: a second is far too long. */
static void check_speed(void)
{
    static struct exec_step steps[1000];
    static struct exec_plan_edge edges[1000];
    for (uint32_t chained = 0; chained < 2; chained++) {
        for (uint32_t i = 0; i < 1000; i++) {
            steps[i] = (struct exec_step){.kind = EXEC_STEP_TASK,
                                          .task = kernel_task(nothing, 1)};
            edges[i] = (struct exec_plan_edge){i, i + 1};
        }
        struct exec_plan *p =
            exec_plan_create(steps, 1000, edges, chained ? 999 : 0, 1);
        uint64_t ns = best_ns(p, 200);
        printf("%s: %.1f ns per step\n", chained ? "chain" : "independent",
               (double)ns / 1000);
        CHECK(ns < 1000000000u);
        exec_plan_unref(p);
    }
}

int main(void)
{
    CHECK(exec_start());
    for (unsigned seed = 1; seed < 20; seed++)
        check_order(seed, seed % 4 + 1);
    check_end();
    check_sections();
    check_kernels(0);
    check_kernels(3000);
    check_reserve();
    check_team();
    check_outside();
#ifndef __SANITIZE_THREAD__ /* which has no way out of a signal handler */
    check_team_fault();
    check_fault();
#endif
    check_again();
    check_again_is_fair();
    check_again_empty();
    if (HAS_SPEED)
        check_speed();
    exec_stop();
    return check_result();
}
