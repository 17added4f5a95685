/* SPDX-License-Identifier: Apache-2.0 */
/* Phases: kernels of a chain that a team runs without waiting in between. */
#include "check.h"
#include "launch.h"

#include "exec/internal.h"
#include "exec/sched/plan_internal.h"
#include "exec/reach.h"

#include <string.h>

enum { KERNELS = 3, BLOCKS = 64, RUNS_MOST = 1000 };

static atomic_int ran[KERNELS], strangers;

static void count_blocks(struct exec_warp *w)
{
    unsigned which = *(const unsigned *)w->launch->params;
    for (uint64_t b = w->block_first; b < w->block_end; b++) {
        atomic_fetch_add(&ran[which], 1);
        for (volatile int i = 0; i < 100; i++)
            ;
    }
}

static void count_strangers(struct exec_warp *w)
{
    (void)w;
    atomic_fetch_add(&strangers, 1);
}

/* Nothing that others touch. */
static bool reach_nothing(const struct exec_kernel *k, struct exec_reach *out)
{
    CHECK(k->launch.block_count == BLOCKS && out->count == 0);
    return true;
}

static struct exec_plan *chain_plan(exec_kernel_fn *fn)
{
    static const unsigned which[KERNELS] = {0, 1, 2};
    static const struct exec_plan_edge edges[] = {{0, 1}, {1, 2}};
    struct exec_step steps[KERNELS];
    for (unsigned i = 0; i < KERNELS; i++) {
        struct exec_kernel k =
            make_kernel(fn, (void *)(uintptr_t)&which[i], BLOCKS, 32);
        steps[i] = (struct exec_step){.kind = EXEC_STEP_TASK,
                                      .task = exec_task_kernel(&k)};
    }
    return exec_plan_create(steps, KERNELS, edges, 2, 1);
}

/* What the plan has measured, as if nothing had disturbed it: kernels that are
 * worth a team of two. Else a machine with much to do would have none. */
static void set_measured(struct exec_plan *p)
{
    enum { CYCLES = 20000 };
    tune_start(&p->tune, 2, 2);
    p->team_kernels = 1;
    for (int i = 0; i < KERNELS; i++)
        p->steps[i].cycles = CYCLES;
    if (p->steps[0].phase)
        p->steps[0].phase->cycles = (uint64_t)KERNELS * CYCLES;
}

static enum exec_fault run_plan(struct exec_plan *p, atomic_int *cancel)
{
    struct exec_task *t = exec_task_plan(p, NULL, NULL);
    set_measured(p);
    memset(ran, 0, sizeof ran);
    exec_task_cancel_if(t, cancel);
    exec_submit(t);
    exec_wait(t, EXEC_WAIT_HELP);
    enum exec_fault fault = exec_task_fault(t);
    exec_task_unref(t);
    return fault;
}

static bool is_one_phase(const struct exec_plan *p)
{
    const struct phase *ph = p->steps[0].phase;
    return ph && ph->changes == p->phases.changes &&
           ph->kernel_count == KERNELS;
}

/* Runs the plan until all its kernels are one phase. */
static void find_phase(struct exec_plan *p)
{
    for (int run = 0; run < RUNS_MOST && !is_one_phase(p); run++)
        CHECK(run_plan(p, NULL) == EXEC_OK);
    CHECK(is_one_phase(p));
}

/* As a step's task is replaced where the scheduler shares it while somebody
 * still refers to the last one; which is then used for something else. */
static struct exec_task *replace_task(struct plan_step *s)
{
    struct exec_task *was = s->as.task;
    exec_task_ref(was);
    s->as.task = task_again(was, 0);
    CHECK(s->as.task != was);
    was->kernel.fn = count_strangers;
    return was;
}

/* A phase runs the kernels that its steps have now. */
static void check_replaced(void)
{
    struct exec_task *was[KERNELS];
    struct exec_plan *p = chain_plan(count_blocks);
    find_phase(p);
    for (int i = 0; i < KERNELS; i++)
        was[i] = replace_task(&p->steps[i]);
    for (int run = 0; run < 100; run++) {
        CHECK(run_plan(p, NULL) == EXEC_OK);
        for (int i = 0; i < KERNELS; i++)
            CHECK_EQUAL(atomic_load(&ran[i]), BLOCKS);
    }
    CHECK_EQUAL(atomic_load(&strangers), 0);
    CHECK(is_one_phase(p));
    for (int i = 0; i < KERNELS; i++)
        exec_task_unref(was[i]);
    exec_plan_unref(p);
}

/* ---- faults ------------------------------------------------------------ */

static atomic_int is_faulty, gave_up;

static void count_and_stray(struct exec_warp *w)
{
    static volatile uintptr_t low = 64;
    bool is_second = *(const unsigned *)w->launch->params == 1;
    count_blocks(w);
    if (is_second && w->block_end == BLOCKS && atomic_load(&is_faulty))
        *(volatile int *)low = 1;
}

static void give_up(void *data, enum exec_fault fault, uint32_t step)
{
    CHECK(fault == EXEC_FAULT_ADDRESS);
    CHECK_EQUAL(step, 1);
    atomic_store((atomic_int *)data, 1);
}

/* A fault in the second of three kernels is that step's. The thread that it
 * hits does not begin the third with the same blocks. */
static void check_fault(void)
{
    struct exec_plan *p = chain_plan(count_and_stray);
    exec_plan_on_fault(p, give_up, &gave_up);
    for (int round = 0; round < 20; round++) {
        atomic_store(&gave_up, 0);
        atomic_store(&is_faulty, 0);
        find_phase(p);
        atomic_store(&is_faulty, 1);
        CHECK(run_plan(p, &gave_up) == EXEC_FAULT_ADDRESS);
        CHECK(atomic_load(&gave_up));
        CHECK(atomic_load(&ran[2]) < BLOCKS);
    }
    exec_plan_unref(p);
}

int main(void)
{
    CHECK(exec_start());
    if (exec_sm_count() < 2) {
        puts("skipped: one processor, so nobody shares kernels");
        return 77;
    }
    exec_on_reach(reach_nothing);
    check_replaced();
    check_fault();
    return check_result();
}
