/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running plans: see plan.h. Steps that are ready and that no thread goes on
 * with stand in the plan's queue; while there are such, the run stands in the
 * scheduler's queue, and every SM thread may come and take some.
 *
 *    IDLE --run starts--> RUNNING --last sink of section 0--> IDLE
 */
#define _GNU_SOURCE
#include "exec/sched/plan_internal.h"

#include "base/size.h"

#define BATCH_MAX WEFT_SIZE(64, 1)
/* Work that is worth a second thread, and a look at the queue. */
#define BATCH_CYCLES WEFT_SIZE(6000, 1)
/* Of brief steps one in so many is timed. Few graphs have a number of steps
 * that is a multiple of 17, so each step is timed sooner or later. */
#define SAMPLE_EVERY 17
/* A kernel that takes one thread longer than SOLO_CYCLES may be shared with a
 * team, if that is worth it (tune.h). With members that are waiting,
 * THERE_CYCLES are enough: their caches hold what they wrote. Long kernels are
 * always shared, and still longer ones as any launch is. */
#define SOLO_CYCLES  WEFT_SIZE(6000, 1)
#define THERE_CYCLES WEFT_SIZE(1200, 1)
#define LONG_CYCLES  600000
#define TEAM_CYCLES  2500000
#define SOLO_CHUNKS  WEFT_SIZE(16, 2)
/* A thread takes as many blocks at once as run for at least and at most these
 * times. Each time takes lines that other members hold, such as that of a sum,
 * so the more of them there are, the longer it is to last. */
#define GRAIN_CYCLES        2000
#define GRAIN_MEMBER_CYCLES 1000
#define GRAIN_MOST_CYCLES   8000
#define MOST_CYCLES         50000
/* What one more member of a team costs. */
#define MEMBER_CYCLES 150
/* Work for which a sleeping thread is woken. */
#define SLEEPER_CYCLES 100000

/* A thread that works on a plan. */
struct runner {
    struct exec_plan *plan;
    uint32_t next; /* it goes on with this one */
    uint32_t batch[BATCH_MAX], batch_count, batch_next;
    uint64_t batch_cycles;   /* when it was taken */
    uint32_t section, sinks; /* done and not yet counted */
    bool is_leader;          /* of the plan's team, until another wants to be */
    bool is_more_queued;     /* for which somebody is to be woken */
    bool is_leaving;         /* to other work, between two runs */
    struct runner *outer;
};
static __thread struct runner *runner;

struct exec_task *exec_plan_run(struct exec_plan *p)
{
    return p->run;
}

/* ---- the queue -------------------------------------------------------- */

/* Puts the run into the scheduler's queue. The plan's lock is held. */
static void list_run(struct exec_plan *p)
{
    assert(p->run && p->tail - p->head <= p->mask + 1);
    atomic_store_explicit(&p->run->unclaimed, p->tail - p->head,
                          memory_order_relaxed);
    if (p->is_listed)
        return;
    p->is_listed = true;
    sched_insert(p->run);
}

static void unlist_run(struct exec_plan *p)
{
    atomic_store_explicit(&p->is_calling, false, memory_order_relaxed);
    if (!p->is_listed)
        return;
    p->is_listed = false;
    sched_remove(p->run);
}

/* Estimated cycles of a step. An unknown step counts as worth a thread. */
static uint32_t cycles_of(const struct plan_step *s)
{
    uint64_t cycles = s->cycles ? s->cycles : BATCH_CYCLES;
    return cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX;
}

/* Nobody leads who could use helpers, or these are wanted elsewhere: the run
 * would be found before other work again and again. */
static void stop_calling(struct exec_plan *p)
{
    if (!atomic_load_explicit(&p->is_calling, memory_order_relaxed))
        return;
    pthread_mutex_lock(&p->lock);
    atomic_store_explicit(&p->is_calling, false, memory_order_relaxed);
    if (p->tail == p->head)
        unlist_run(p);
    pthread_mutex_unlock(&p->lock);
}

static void push_steps(struct exec_plan *p, const uint32_t *steps,
                       uint32_t count)
{
    assert(count > 0 && count <= p->mask + 1);
    pthread_mutex_lock(&p->lock);
    for (uint32_t i = 0; i < count; i++) {
        struct queued q = {steps[i], cycles_of(&p->steps[steps[i]])};
        p->queue[p->tail++ & p->mask] = q;
        p->queued_cycles += q.cycles;
    }
    list_run(p);
    bool is_worth_it = p->queued_cycles >= BATCH_CYCLES;
    pthread_mutex_unlock(&p->lock);
    /* A running SM thread comes here when it has ended what it does. */
    if (!sched_is_running() || (count > 1 && is_worth_it))
        exec_poke();
}

/* Takes steps off the queue: the fair share of each thread, so that all finish
 * together, but no less than is worth the look. The lock is held. */
static uint32_t take_batch(struct exec_plan *p, uint32_t *out)
{
    uint32_t count = 0, queued = p->tail - p->head;
    uint32_t least = queued / (4 * exec_sm_count());
    uint64_t cycles = 0;
    assert(queued > 0 && queued <= p->mask + 1);
    while (count < queued && count < BATCH_MAX &&
           (count == 0 || count < least || cycles < BATCH_CYCLES)) {
        struct queued q = p->queue[p->head++ & p->mask];
        out[count++] = q.step;
        cycles += q.cycles;
    }
    assert(p->queued_cycles >= cycles);
    p->queued_cycles -= cycles;
    return count;
}

/* Takes steps of this run; returns how many. *is_more: those that are left are
 * worth another thread. */
static uint32_t take_steps(struct exec_plan *p, const struct exec_task *t,
                           uint32_t *out, bool *is_more)
{
    uint32_t count = 0;
    *is_more = false;
    pthread_mutex_lock(&p->lock);
    if (p->run == t && p->tail != p->head) {
        count = take_batch(p, out);
        *is_more = p->queued_cycles >= BATCH_CYCLES;
        atomic_store_explicit(&p->run->unclaimed, p->tail - p->head,
                              memory_order_relaxed);
        if (p->tail == p->head &&
            !atomic_load_explicit(&p->is_calling, memory_order_relaxed))
            unlist_run(p);
    }
    pthread_mutex_unlock(&p->lock);
    return count;
}

/* ---- what a step's end leads to --------------------------------------- */

static void complete_step(struct exec_plan *p, struct plan_step *s);

static bool is_cancelled(const struct exec_plan *p)
{
    const atomic_int *flag = p->run->cancel;
    return flag && atomic_load_explicit(flag, memory_order_relaxed) != 0;
}

/* Makes steps ready. The first goes to this thread, if it works on the plan
 * and has no next step. */
static void make_ready(struct exec_plan *p, const uint32_t *steps,
                       uint32_t count)
{
    struct runner *r = runner;
    if (r && r->plan == p && r->next == EXEC_NO_STEP && count) {
        r->next = *steps++;
        count--;
    }
    if (count)
        push_steps(p, steps, count);
}

static void open_section(struct exec_plan *p, uint32_t k, uint32_t owner)
{
    struct section *section = &p->sections[k];
    section->owner = owner;
    atomic_store_explicit(&section->open, section->sink_count,
                          memory_order_relaxed);
}

static void start_section(struct exec_plan *p, uint32_t k, uint32_t owner)
{
    const struct section *section = &p->sections[k];
    open_section(p, k, owner);
    make_ready(p, p->roots + section->first_root, section->root_count);
}

/* Starts the next section of a CHOICE step, or ends the step. */
static void go_on(struct exec_plan *p, struct plan_step *s)
{
    assert(s->as.choose);
    for (;;) {
        uint32_t k = is_cancelled(p) ? EXEC_NO_SECTION
                                     : s->as.choose(s->as.data, s->round++);
        if (k == EXEC_NO_SECTION) {
            complete_step(p, s);
            return;
        }
        if (p->sections[k].root_count) {
            start_section(p, k, (uint32_t)(s - p->steps));
            return;
        }
    }
}

/* The n for which cycles / n + n * MEMBER_CYCLES is least. */
static unsigned best_size(uint64_t cycles, unsigned most)
{
    unsigned n = 2;
    while (n < most && (uint64_t)(n + 1) * (n + 1) * MEMBER_CYCLES <= cycles)
        n++;
    return n < most ? n : most;
}

/* What is done before the first step of each run. */
static void prepare_run(struct exec_plan *p, struct exec_task *t)
{
    if (t->call)
        t->call(t->call_data);
    if (p->tune.size == 0 && p->team_kernels)
        tune_start(
            &p->tune,
            best_size(p->team_cycles / p->team_kernels, task_sm_count(t)),
            task_sm_count(t));
    p->begin_cycles = cycles_now();
    phases_begin_run(&p->phases);
}

/* The run begins once more. Work that waits for a thread comes first: the run
 * stands behind it in the queue. */
static void run_again(struct exec_plan *p, struct exec_task *t)
{
    const struct section *all = &p->sections[0];
    struct runner *r = runner;
    prepare_run(p, t);
    if (!r || r->plan != p || !sched_is_wanted(0)) {
        start_section(p, 0, EXEC_NO_STEP);
        return;
    }
    r->is_leaving = true;
    open_section(p, 0, EXEC_NO_STEP);
    push_steps(p, p->roots + all->first_root, all->root_count);
}

/* How often the run that has ended is to be run again. If somebody launches one
 * behind the other, the next comes within a moment; waiting for it is in vain
 * where each is waited for, so it is tried ever more seldom then. */
static unsigned take_again(struct exec_plan *p, struct exec_task *t)
{
    enum { FAILURES_MOST = 6 };
    const struct runner *r = runner;
    bool lingers =
        p->linger_pause == 0 && r && r->plan == p && !is_cancelled(p);
    p->linger_pause -= p->linger_pause > 0;
    unsigned count = task_take_again(t, lingers);
    if (count) {
        p->linger_failures = p->linger_pause = 0;
    } else if (lingers) {
        p->linger_failures += p->linger_failures < FAILURES_MOST;
        p->linger_pause = 1U << p->linger_failures;
    }
    return count;
}

static void end_run(struct exec_plan *p)
{
    struct exec_task *t = p->run;
    assert(t && p->tail == p->head); /* each step has been done once */
    tune_note(&p->tune, cycles_now() - p->begin_cycles);
    if (p->is_listed) {
        pthread_mutex_lock(&p->lock);
        unlist_run(p);
        pthread_mutex_unlock(&p->lock);
    }
    if (!p->due)
        p->due = take_again(p, t);
    if (p->due && p->sections[0].root_count) {
        p->due--;
        run_again(p, t);
        return;
    }
    p->due = 0;
    pthread_mutex_lock(&p->lock);
    p->run = NULL;
    pthread_mutex_unlock(&p->lock);
    task_finish(t, exec_task_fault(t));
}

static void count_sinks(struct exec_plan *p, uint32_t k, uint32_t sinks)
{
    struct section *section = &p->sections[k];
    if (sinks == 0)
        return;
    /* Each pairs with the others: the thread that ends a section sees what all
     * of its steps wrote. */
    uint32_t before =
        atomic_fetch_sub_explicit(&section->open, sinks, memory_order_acq_rel);
    assert(before >= sinks);
    if (before != sinks)
        return;
    if (k == 0)
        end_run(p);
    else
        go_on(p, &p->steps[section->owner]);
}

/* Counts the sinks that this thread has done. The end of a section may end its
 * CHOICE step, which may be a sink itself. */
static void flush_sinks(struct runner *r)
{
    while (r->sinks) {
        uint32_t sinks = r->sinks;
        r->sinks = 0;
        count_sinks(r->plan, r->section, sinks);
    }
}

static void sink_done(struct exec_plan *p, uint32_t section)
{
    struct runner *r = runner;
    if (!r || r->plan != p) {
        count_sinks(p, section, 1);
        return;
    }
    if (r->section != section)
        flush_sinks(r);
    r->section = section;
    r->sinks++;
}

/* True: the last step before s is done. Resets the count, since s may run
 * again. */
static bool is_ready_now(struct plan_step *s)
{
    /* Once this step is counted, another may make s ready. */
    unsigned wait_count = s->wait_count;
    /* Each pairs with the others: the step sees what the steps before it
     * wrote. */
    if (wait_count > 1) {
        unsigned before =
            atomic_fetch_sub_explicit(&s->waiting, 1, memory_order_acq_rel);
        assert(before > 0 && before <= wait_count);
        if (before != 1)
            return false;
    }
    atomic_store_explicit(&s->waiting, wait_count, memory_order_relaxed);
    return true;
}

/* Other threads may end the run, and free the plan, once the last successor is
 * counted and those that are ready are in the queue. */
static void complete_step(struct exec_plan *p, struct plan_step *s)
{
    uint32_t list[BATCH_MAX], count = 0;
    const uint32_t *next = p->successors + s->first_successor;
    const uint32_t *end = next + s->successor_count;
    if (next == end) {
        sink_done(p, s->as.section);
        return;
    }
    while (next < end) {
        uint32_t step = *next++;
        if (!is_ready_now(&p->steps[step]))
            continue;
        list[count++] = step;
        if (count == ARRAY_COUNT(list)) {
            make_ready(p, list, count);
            count = 0;
        }
    }
    if (count)
        make_ready(p, list, count);
}

void exec_plan_end_step(struct exec_plan *p, uint32_t step)
{
    complete_step(p, &p->steps[step]);
}

/* ---- running a step --------------------------------------------------- */

static void note_fault(struct exec_plan *p, const struct plan_step *s,
                       enum exec_fault fault)
{
    if (!fault)
        return;
    atomic_store_explicit(&p->run->fault, fault, memory_order_relaxed);
    if (p->on_fault)
        p->on_fault(p->fault_data, fault, (uint32_t)(s - p->steps));
}

void exec_plan_fail_step(struct exec_plan *p, uint32_t step)
{
    note_fault(p, &p->steps[step], EXEC_FAULT_ADDRESS);
    complete_step(p, &p->steps[step]);
}

static void task_done(void *data, enum exec_fault fault)
{
    struct plan_step *s = data;
    note_fault(s->plan, s, fault);
    complete_step(s->plan, s);
}

/* Submits the blocks from `first` on as a task of its own. */
static void run_shared(struct sm *sm, struct plan_step *s, uint64_t first)
{
    struct exec_plan *p = s->plan;
    struct exec_task *run = p->run;
    struct exec_task *t = task_again(s->as.task, first);
    if (!t) {
        note_fault(p, s, EXEC_FAULT_STACK);
        complete_step(p, s);
        return;
    }
    s->as.task = t;
    exec_task_on_done(t, task_done, s);
    exec_task_set_order(t, run->order);
    exec_task_set_priority(t, run->priority + s->as.priority);
    sched_run_now(sm, t);
}

/* ---- small kernels ---------------------------------------------------- */

/* Calls idle workers and, if those are too few, threads that look at the
 * queue. */
static void call_helpers(struct exec_plan *p, unsigned wanted)
{
    unsigned have = team_helpers(&p->team);
    if (have < wanted)
        have += wake_invite(p->run, wanted - have,
                            p->team_cycles > SLEEPER_CYCLES ||
                                tune_is_trying(&p->tune));
    bool calls = have < wanted;
    /* Only a hint, as other threads may change it; what counts is done under
     * the lock. */
    if (atomic_load_explicit(&p->is_calling, memory_order_relaxed) == calls)
        return;
    pthread_mutex_lock(&p->lock);
    atomic_store_explicit(&p->is_calling, calls, memory_order_relaxed);
    if (calls)
        list_run(p);
    else if (p->tail == p->head)
        unlist_run(p);
    pthread_mutex_unlock(&p->lock);
}

/* The size of the team, the same for all short kernels, so that each part
 * stays with its thread. */
static unsigned team_size_for(const struct exec_plan *p, uint64_t cycles)
{
    if (cycles <= LONG_CYCLES && p->tune.size)
        return tune_size(&p->tune);
    return best_size(cycles, task_sm_count(p->run));
}

/* How many of `all` blocks, which take `whole` cycles, run in this time; at
 * least one. */
static uint32_t blocks_in(uint64_t all, uint64_t whole, uint64_t cycles)
{
    uint64_t blocks = whole ? all * cycles / whole : 1;
    return blocks < 1 ? 1 : blocks < all ? (uint32_t)blocks : (uint32_t)all;
}

/* Notes what all blocks took. A single disturbed run does not count for
 * much. */
static void note_whole(uint64_t *whole, uint64_t cycles)
{
    uint64_t old = *whole;
    if (old == 0 || cycles < old)
        *whole = old ? (old + cycles) / 2 + 1 : cycles + 1;
    else
        *whole = (3 * old + (cycles < 2 * old ? cycles : 2 * old)) / 4 + 1;
}

static void give_lead_up(struct exec_plan *p)
{
    if (runner->is_leader) {
        stop_calling(p);
        team_give_lead_up(&p->team);
    }
    runner->is_leader = false;
}

static uint64_t grain_cycles(unsigned members)
{
    uint64_t cycles = (uint64_t)members * GRAIN_MEMBER_CYCLES;
    return cycles < GRAIN_CYCLES        ? GRAIN_CYCLES
           : cycles < GRAIN_MOST_CYCLES ? cycles
                                        : GRAIN_MOST_CYCLES;
}

/* Runs, as the team's leader, kernels that need not wait for each other, from
 * block work.first on. *whole: cycles they take one thread; 0: unknown. */
static void run_with_team(struct sm *sm, struct exec_plan *p,
                          struct team_work work, const uint32_t *steps,
                          uint64_t *whole)
{
    uint64_t all = work.kernels[0]->launch.block_count, cycles;
    work.cancel = p->run->cancel;
    work.members = team_size_for(p, *whole);
    work.grain = blocks_in(all, *whole, grain_cycles(work.members));
    work.most = blocks_in(all, *whole, MOST_CYCLES);
    work.is_open = *whole > MOST_CYCLES;
    if (*whole > SOLO_CYCLES)
        call_helpers(p, work.members - 1);
    struct team_fault fault = team_lead(&p->team, sm, &work, &cycles);
    if (cycles)
        note_whole(whole, cycles);
    if (team_is_lead_wanted(&p->team))
        give_lead_up(p);
    if (fault.fault)
        note_fault(p, &p->steps[steps[fault.kernel]], fault.fault);
}

static bool is_shareable(const struct exec_kernel *k)
{
    return k->launch.block_count > 1 &&
           k->launch.block_count <= TEAM_BLOCKS_MAX && !k->is_whole_block &&
           exec_sm_count() > 1;
}

static bool try_to_lead(struct exec_plan *p)
{
    assert(runner && runner->plan == p);
    if (!runner->is_leader)
        runner->is_leader = team_take_lead(&p->team);
    return runner->is_leader;
}

/* Shares the blocks from `first` on, which is worth it. False: the team has
 * another kernel, and this thread may as well go on alone. */
static bool share_step(struct sm *sm, struct plan_step *s, uint64_t first)
{
    struct exec_plan *p = s->plan;
    const struct exec_kernel *k = &s->as.task->kernel;
    const uint32_t step = (uint32_t)(s - p->steps);
    if (s->cycles <= TEAM_CYCLES && try_to_lead(p)) {
        run_with_team(sm, p,
                      (struct team_work){
                          .kernels = &k, .kernel_count = 1, .first = first},
                      &step, &s->cycles);
        complete_step(p, s);
    } else if (s->cycles > 4 * SOLO_CYCLES) {
        run_shared(sm, s, first);
    } else {
        return false;
    }
    return true;
}

/* Notes that so much of the kernel has taken so long. */
static void note_cycles(struct plan_step *s, uint64_t cycles, uint64_t done)
{
    uint64_t old = s->cycles;
    s->cycles = cycles * s->as.task->kernel.launch.block_count / done;
    if (old > SOLO_CYCLES || s->cycles <= SOLO_CYCLES)
        return;
    atomic_fetch_add_explicit(&s->plan->team_cycles, s->cycles,
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&s->plan->team_kernels, 1, memory_order_relaxed);
}

/* A kernel with more work than this left is worth sharing. */
static uint64_t sharing_limit(const struct exec_plan *p)
{
    return team_size_for(p, 0) > 1 ? SOLO_CYCLES : LONG_CYCLES;
}

static bool is_worth_sharing(const struct exec_plan *p, uint64_t cycles,
                             uint64_t limit)
{
    return cycles > limit || (cycles > THERE_CYCLES && limit <= SOLO_CYCLES &&
                              team_helpers(&p->team));
}

/* Runs one step of a group. It may have been changed since to anything but a
 * host call. */
static void run_member(struct sm *sm, struct plan_step *s)
{
    struct exec_task *t = s->as.task;
    if (s->as.is_skipped || s->as.kind != EXEC_STEP_TASK)
        return;
    if (t->kind == EXEC_TASK_KERNEL)
        note_fault(s->plan, s,
                   sm_run(sm, &t->kernel, 0, t->kernel.launch.block_count));
    else
        t->call(t->call_data);
}

/* Runs the step with those behind it that need not wait for it. False: there
 * are none, or sharing them does not pay. */
static bool run_phase(struct sm *sm, struct plan_step *s, uint64_t limit)
{
    struct exec_plan *p = s->plan;
    struct phase *ph = phase_of(p, s);
    const struct exec_kernel *kernels[PHASE_KERNELS];
    if (!ph || ph->cycles > LONG_CYCLES ||
        !is_worth_sharing(p, ph->cycles, limit) || !try_to_lead(p))
        return false;
    for (uint32_t i = 0; i < ph->early_count; i++)
        for (uint32_t k = ph->early[i]; k != EXEC_NO_STEP; k = p->steps[k].next)
            run_member(sm, &p->steps[k]);
    for (uint32_t i = 0; i < ph->kernel_count; i++)
        kernels[i] = &p->steps[ph->step[i]].as.task->kernel;
    run_with_team(sm, p,
                  (struct team_work){.kernels = kernels,
                                     .kernel_count = ph->kernel_count},
                  ph->step, &ph->cycles);
    complete_step(p, &p->steps[ph->step[ph->kernel_count - 1]]);
    return true;
}

/* How many blocks to run before the clock is read again. */
static uint64_t solo_chunk(const struct plan_step *s)
{
    uint64_t blocks = s->as.task->kernel.launch.block_count;
    if (s->cycles)
        return blocks_in(blocks, s->cycles, SOLO_CYCLES);
    return blocks <= SOLO_CHUNKS ? 1 : blocks / SOLO_CHUNKS;
}

/* Is the step to be timed? Reading the clock takes as long as a brief step
 * does. */
static bool is_sample(const struct plan_step *s)
{
    static __thread unsigned untimed;
    return s->cycles == 0 || s->cycles >= BATCH_CYCLES ||
           ++untimed % SAMPLE_EVERY == 0;
}

/* Runs a kernel on this thread as long as it turns out to be short. */
static void run_kernel_step(struct sm *sm, struct plan_step *s)
{
    const struct exec_kernel *k = &s->as.task->kernel;
    uint64_t blocks = k->launch.block_count, first = 0, end = 0;
    uint64_t chunk = solo_chunk(s);
    bool may_share = is_shareable(k);
    uint64_t limit = may_share ? sharing_limit(s->plan) : 0;
    if (may_share && limit <= SOLO_CYCLES && run_phase(sm, s, limit))
        return;
    if (may_share && is_worth_sharing(s->plan, s->cycles, limit) &&
        share_step(sm, s, 0))
        return;
    bool is_timed = may_share || is_sample(s);
    uint64_t start = is_timed ? cycles_now() : 0;
    for (; first < blocks; first = end) {
        if (first && may_share && cycles_now() - start > limit) {
            note_cycles(s, cycles_now() - start, first);
            may_share = is_timed = false; /* asked once */
            if (share_step(sm, s, first))
                return;
        }
        end = first + chunk < blocks ? first + chunk : blocks;
        enum exec_fault fault = sm_run(sm, k, first, end);
        if (fault) {
            note_fault(s->plan, s, fault);
            break;
        }
    }
    if (is_timed)
        note_whole(&s->cycles, cycles_now() - start);
    complete_step(s->plan, s);
}

static void run_call_step(struct plan_step *s)
{
    struct exec_task *t = s->as.task;
    uint64_t start = is_sample(s) ? cycles_now() : 0;
    t->call(t->call_data);
    if (start)
        note_whole(&s->cycles, cycles_now() - start);
    complete_step(s->plan, s);
}

static void run_task_step(struct sm *sm, struct plan_step *s)
{
    struct exec_task *t = s->as.task;
    if (t->kind == EXEC_TASK_KERNEL) {
        if (sched_is_resident(&t->kernel))
            run_shared(sm, s, 0);
        else
            run_kernel_step(sm, s);
    } else if (t->is_host_function) {
        run_shared(sm, s, 0);
    } else {
        run_call_step(s);
    }
}

static void run_group(struct sm *sm, struct exec_plan *p, uint32_t leader)
{
    struct plan_step *s = &p->steps[leader];
    uint64_t start = is_sample(s) ? cycles_now() : 0;
    for (uint32_t i = leader; i != EXEC_NO_STEP; i = p->steps[i].next)
        if (!is_cancelled(p))
            run_member(sm, &p->steps[i]);
    if (start)
        note_whole(&s->cycles, cycles_now() - start);
    complete_step(p, s);
}

static void run_step(struct sm *sm, struct exec_plan *p, uint32_t step)
{
    struct plan_step *s = &p->steps[step];
    if (s->next != EXEC_NO_STEP) {
        run_group(sm, p, step);
        return;
    }
    enum exec_step_kind kind =
        s->as.is_skipped ? EXEC_STEP_NOTHING : s->as.kind;
    switch (kind) {
    case EXEC_STEP_START:
        s->as.start(s->as.data, p, step);
        return;
    case EXEC_STEP_CHOICE:
        s->round = 0;
        go_on(p, s);
        return;
    case EXEC_STEP_TASK:
        if (!is_cancelled(p)) {
            run_task_step(sm, s);
            return;
        }
        break;
    case EXEC_STEP_NOTHING:
        break;
    }
    complete_step(p, s);
}

/* ---- a run ------------------------------------------------------------ */

static void begin_run(struct exec_plan *p, struct exec_task *t)
{
    t->is_begun = true;
    prepare_run(p, t);
    pthread_mutex_lock(&p->lock);
    p->run = t;
    t->is_shared = true; /* from now on, others may come */
    pthread_mutex_unlock(&p->lock);
    if (p->sections[0].root_count == 0)
        end_run(p);
    else
        start_section(p, 0, EXEC_NO_STEP);
}

static uint32_t next_of_queue(struct runner *r, const struct exec_task *t)
{
    r->batch_count = take_steps(r->plan, t, r->batch, &r->is_more_queued);
    r->batch_next = 1;
    return r->batch_count ? r->batch[0] : EXEC_NO_STEP;
}

static uint32_t next_step(struct runner *r, const struct exec_task *t)
{
    uint32_t step = r->next;
    r->next = EXEC_NO_STEP;
    if (step != EXEC_NO_STEP)
        return step;
    if (r->batch_next < r->batch_count)
        return r->batch[r->batch_next++];
    flush_sinks(r); /* may end a section, so that there is a next */
    if (r->is_leaving)
        return EXEC_NO_STEP;
    if (r->next == EXEC_NO_STEP)
        return next_of_queue(r, t);
    step = r->next;
    r->next = EXEC_NO_STEP;
    return step;
}

/* Leaves the steps that this thread has taken to others. */
static void give_back(struct runner *r)
{
    uint32_t list[BATCH_MAX + 1], count = 0;
    if (r->next != EXEC_NO_STEP)
        list[count++] = r->next;
    while (r->batch_next < r->batch_count)
        list[count++] = r->batch[r->batch_next++];
    r->next = EXEC_NO_STEP;
    if (count)
        push_steps(r->plan, list, count);
}

/* ---- helping ---------------------------------------------------------- */

struct help {
    struct exec_plan *plan;
    const struct exec_task *until;
};

/* True: there is other work. */
static bool is_help_over(void *data)
{
    const struct help *h = data;
    return (h->until && exec_task_is_done(h->until)) ||
           sched_is_wanted(h->plan->is_listed);
}

/* Runs steps of this run until none is left for this thread. */
static void run_steps(struct sm *sm, struct exec_task *t,
                      const struct exec_task *until)
{
    struct runner r = {.plan = t->plan, .next = EXEC_NO_STEP, .outer = runner};
    uint32_t step;
    runner = &r;
    if (!t->is_begun)
        begin_run(r.plan, t);
    while ((step = next_step(&r, t)) != EXEC_NO_STEP) {
        run_step(sm, r.plan, step);
        if (r.is_more_queued)
            exec_poke();
        r.is_more_queued = false;
        if (until && until != t && exec_task_is_done(until)) {
            give_back(&r);
            flush_sinks(&r);
            give_back(&r);
            break;
        }
    }
    give_lead_up(r.plan);
    runner = r.outer;
}

/* A thread that joins a run under way stays for its kernels, and for those of
 * the next runs. So it gives up its reference to the run first, which may be
 * submitted again meanwhile. */
void plan_run(struct sm *sm, struct exec_task *t, const struct exec_task *until)
{
    struct exec_plan *p = t->plan;
    bool is_helper = t->is_begun;
    run_steps(sm, t, until);
    if (!is_helper || p->team_cycles == 0) {
        exec_task_unref(t);
        return;
    }
    exec_plan_ref(p);
    exec_task_unref(t);
    struct help h = {p, until};
    team_help(&p->team, sm, is_help_over, &h);
    if (sched_is_wanted(p->is_listed))
        stop_calling(p);
    exec_plan_unref(p);
}
