/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SM threads and what they run. Every SM has one worker thread, pinned to
 * its core. Whoever has taken an SM may run blocks on it: its worker, or a
 * host thread that waits. One lock guards the ready queue; it is taken per
 * task, not per chunk of blocks, and not by those who are woken for a kernel:
 * who waits for a lock among 16 threads may wait longer than a kernel runs.
 *
 * A worker: looks for work -> runs it -> is idle (idle.c). Whoever adds work
 * wakes one idle worker, unless one looks at the queue; whoever takes work and
 * leaves some wakes the next.
 *
 * When kernels on all SMs do nothing but wait, what they wait for may be in the
 * queue: another kernel, a copy. Then a spare worker, with an SM of its own
 * besides those of the cores, runs one task from there. So it does when the
 * queue stands still for a while, since not every loop that waits can be told
 * from others: host threads that wait look at it now and then.
 */
#define _GNU_SOURCE
#include "exec/internal.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>

#include "base/size.h"

/* How long a waiting host thread looks for work. */
#define HELP_NS   WEFT_SIZE(40000, 0)
#define SPARE_MAX 64
/* If nothing leaves the queue for so long, it stands still. */
#define STILL_NS 50000000

static struct {
    _Alignas(CACHE_LINE) pthread_mutex_t lock;
    struct list ready;        /* of exec_task.in_ready, by priority */
    atomic_uint ready_count;  /* of them, listed: something is left to claim */
    atomic_uint parted_count; /* of those, not for all SMs */
    _Atomic uint64_t added;   /* tasks so far */
    /* Seldom written. */
    _Alignas(CACHE_LINE) atomic_bool is_stopping;
    unsigned sm_count;
    struct sm *sms;
    struct worker *workers;
    struct spare *spares[SPARE_MAX];
    unsigned spare_count;
} sched;

/*  BUSY --task done--> IDLE --woken--> BUSY;  under the lock */
struct spare {
    struct worker worker;
    struct sm sm;
    bool is_busy;
};

static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_started;

/* ---- taking SMs ------------------------------------------------------- */

static bool sm_take(struct sm *sm)
{
    int expected = 0;
    return atomic_load_explicit(&sm->is_taken, memory_order_relaxed) == 0 &&
           atomic_compare_exchange_strong(&sm->is_taken, &expected, 1);
}

static struct sm *sm_of_cpu(int cpu)
{
    for (unsigned i = 0; i < sched.sm_count; i++) {
        if ((int)sched.sms[i].cpu == cpu)
            return &sched.sms[i];
    }
    return NULL;
}

/* Takes the SM of the core that this thread is on, or any that is free; NULL:
 * none is. */
static struct sm *sm_take_near(struct sm_range sms)
{
    struct sm *near = sm_of_cpu(sched_getcpu());
    if (near && is_sm_in(sms, near) && sm_take(near))
        return near;
    for (unsigned i = sms.first; i < sched.sm_count && i < sms.end; i++) {
        if (sm_take(&sched.sms[i]))
            return &sched.sms[i];
    }
    return NULL;
}

/* ---- waking ----------------------------------------------------------- */

static void sm_release(struct sm *sm)
{
    assert(atomic_load(&sm->is_taken));
    atomic_store(&sm->is_taken, 0);
    exec_poke(); /* its worker was passed over while the SM was taken */
}

/* ---- the ready queue -------------------------------------------------- */

static bool is_parted(const struct exec_task *t)
{
    return t->sms.end != UINT_MAX;
}

static void ready_insert(struct exec_task *t)
{
    assert(list_is_empty(&t->in_ready));
    struct list *before = sched.ready.prev;
    while (before != &sched.ready &&
           container_of(before, struct exec_task, in_ready)->priority >
               t->priority)
        before = before->prev;
    list_push(before->next, &t->in_ready);
    atomic_store_explicit(&t->is_listed, true, memory_order_relaxed);
    if (is_parted(t))
        atomic_fetch_add(&sched.parted_count, 1);
    atomic_fetch_add_explicit(&sched.added, 1, memory_order_relaxed);
    atomic_fetch_add(&sched.ready_count, 1);
}

/* Searches no longer find the task. The thread that takes it out of the queue
 * would otherwise wait for the lock behind all threads that find it there,
 * again and again. */
static void unlist_task(struct exec_task *t)
{
    if (!atomic_exchange(&t->is_listed, false))
        return;
    assert(atomic_load(&sched.ready_count) > 0);
    atomic_fetch_sub(&sched.ready_count, 1);
    if (is_parted(t))
        atomic_fetch_sub(&sched.parted_count, 1);
}

static bool is_listed(const struct exec_task *t)
{
    return atomic_load_explicit(&t->is_listed, memory_order_relaxed);
}

/* Takes a task out of the queue. The lock is held. */
static void ready_remove(struct exec_task *t)
{
    unlist_task(t);
    if (!list_is_empty(&t->in_ready))
        list_remove(&t->in_ready);
}

static __thread bool is_worker_thread;
static __thread struct sm *worker_sm; /* of an SM's own worker */

static void note_host_cpu(void)
{
    if (!is_worker_thread)
        idle_note_host_cpu();
}

/* This thread ends a task, and will look at the queue at once. */
static __thread bool looks_next;

void sched_ready(struct exec_task *t)
{
    note_host_cpu();
    atomic_store_explicit(&t->state, EXEC_READY, memory_order_relaxed);
    if (t->is_host_function) {
        host_function_push(t);
        return;
    }
    pthread_mutex_lock(&sched.lock);
    ready_insert(t);
    /* If it is the only task, the thread that ends its predecessor takes it,
     * without a wake-up. */
    bool is_ours =
        looks_next && sched.ready_count == 1 && is_sm_in(t->sms, worker_sm);
    struct sm_range sms = t->sms; /* it may be done by now */
    bool can_wait = !t->is_shared && !is_parted(t);
    pthread_mutex_unlock(&sched.lock);
    if (!is_ours && !(can_wait && idle_has_lookout()))
        idle_wake(idle_pop(sms));
}

static uint64_t look_at_queue(void)
{
    return atomic_load(&sched.ready_count)
               ? atomic_load_explicit(&sched.added, memory_order_relaxed)
               : 0;
}

static bool is_any_sm_free(struct sm_range sms)
{
    for (unsigned i = sms.first; i < sched.sm_count && i < sms.end; i++)
        if (!atomic_load_explicit(&sched.sms[i].is_taken, memory_order_relaxed))
            return true;
    return false;
}

/* Does a ready task of another order need the SM that the helper would take,
 * as no other is free? What the helper runs might wait for that task, so it
 * leaves the SM to its worker, which runs both. The lock is held. */
static bool is_last_sm_wanted(const struct exec_task *like, const struct sm *sm)
{
    list_for_each(struct exec_task, t, &sched.ready, in_ready)
    {
        if (is_listed(t) && t->order != like->order && is_sm_in(t->sms, sm))
            return !is_any_sm_free(t->sms);
    }
    return false;
}

/* The first task in the queue for this SM, or for any (NULL), that is of the
 * same order as `like`. The lock is held. */
static struct exec_task *first_ready(const struct exec_task *like,
                                     const struct sm *sm)
{
    list_for_each(struct exec_task, t, &sched.ready, in_ready)
    {
        if (is_listed(t) && (!like || t->order == like->order) &&
            (!sm || is_sm_in(t->sms, sm)))
            return t;
    }
    return NULL;
}

/* True: the task is a kernel whose blocks may wait, and an SM works on it.
 * That SM begins further blocks itself if those it has only wait. */
static bool is_in_good_hands(const struct exec_task *t)
{
    if (t->kind != EXEC_TASK_KERNEL || !t->is_ordered)
        return false;
    const struct range *r = &t->range[0];
    uint64_t left = atomic_load_explicit(&t->unfinished, memory_order_relaxed);
    uint64_t next = atomic_load_explicit(&r->next, memory_order_relaxed);
    return next + left > r->end;
}

/* The first task in the queue that only a spare would run. The lock is
 * held. */
static struct exec_task *first_left_alone(void)
{
    list_for_each(struct exec_task, t, &sched.ready, in_ready)
    {
        if (is_listed(t) && !is_in_good_hands(t))
            return t;
    }
    return NULL;
}

/* The first task that a spare can run, also beside SMs that work on it. The
 * lock is held. */
static struct exec_task *first_for_spare(void)
{
    list_for_each(struct exec_task, t, &sched.ready, in_ready)
    {
        bool is_full =
            is_in_good_hands(t) &&
            atomic_load_explicit(&t->is_out_of_slots, memory_order_relaxed);
        if (is_listed(t) && !is_full)
            return t;
    }
    return NULL;
}

/* Takes a task from the queue with a reference, which the caller gives back.
 * The lock is held. */
static struct exec_task *take_ready(struct exec_task *t, bool *is_more)
{
    if (t) {
        exec_task_ref(t);
        if (!t->is_shared)
            ready_remove(t);
        /* For a shared task, others are woken after its first chunk: most
         * kernels are small, and waking takes longer than they run. */
        *is_more = sched.ready_count > (unsigned)t->is_shared;
    }
    return t;
}

/* Wakes one worker for each task that is for some SMs only; they run others,
 * too. */
static void wake_for_parts(void)
{
    struct worker *woken[16];
    unsigned count = 0;
    pthread_mutex_lock(&sched.lock);
    list_for_each(struct exec_task, t, &sched.ready, in_ready)
    {
        if (is_listed(t) && count < ARRAY_COUNT(woken) &&
            (woken[count] = idle_pop(t->sms)))
            count++;
    }
    pthread_mutex_unlock(&sched.lock);
    for (unsigned i = 0; i < count; i++)
        idle_wake(woken[i]);
}

void exec_poke(void)
{
    if (atomic_load(&sched.parted_count))
        wake_for_parts();
    else if (atomic_load(&sched.ready_count))
        idle_wake(idle_pop(SM_RANGE_ALL));
}

/* Takes a task for `sm`, with a reference; a call is then the caller's alone.
 * `like`: what the caller waits for; NULL: any task will do. */
static struct exec_task *take_work(const struct exec_task *like,
                                   const struct sm *sm)
{
    if (atomic_load(&sched.ready_count) == 0)
        return NULL;
    bool is_more = false;
    pthread_mutex_lock(&sched.lock);
    struct exec_task *t =
        like && is_last_sm_wanted(like, sm) ? NULL : first_ready(like, sm);
    t = take_ready(t, &is_more);
    pthread_mutex_unlock(&sched.lock);
    if (is_more)
        exec_poke();
    return t;
}

/* For a spare: takes the task that it was called for, if that can be told. */
static struct exec_task *take_spare_work(void)
{
    bool is_more = false;
    pthread_mutex_lock(&sched.lock);
    struct exec_task *t = first_left_alone();
    t = take_ready(t ? t : first_for_spare(), &is_more);
    pthread_mutex_unlock(&sched.lock);
    return t;
}

bool sched_is_wanted(unsigned known)
{
    return atomic_load_explicit(&sched.ready_count, memory_order_relaxed) >
               known ||
           atomic_load_explicit(&sched.is_stopping, memory_order_relaxed);
}

/* Puts a task back into the queue for others to go on with. */
static void put_back(struct exec_task *t)
{
    pthread_mutex_lock(&sched.lock);
    ready_insert(t);
    pthread_mutex_unlock(&sched.lock);
}

static void drop_from_ready(struct exec_task *t)
{
    unlist_task(t);
    pthread_mutex_lock(&sched.lock);
    ready_remove(t);
    pthread_mutex_unlock(&sched.lock);
}

/* All blocks of a shared task are claimed: it leaves the queue. Other tasks
 * left it when they were taken. */
static void drop_if_shared(struct exec_task *t)
{
    if (t->is_shared)
        drop_from_ready(t);
}

void sched_insert(struct exec_task *t)
{
    put_back(t);
}

void sched_remove(struct exec_task *t)
{
    drop_from_ready(t);
}

/* ---- running ---------------------------------------------------------- */

static void finish_task(struct exec_task *t, enum exec_fault fault)
{
    looks_next = worker_sm != NULL;
    task_finish(t, fault);
    looks_next = false;
}

static void count_finished(struct exec_task *t, uint64_t blocks)
{
    if (blocks == 0)
        return;
    assert(t->kind == EXEC_TASK_KERNEL);
    /* Pairs with the same operation on other SMs: the last sees what all
     * blocks wrote. */
    uint64_t before =
        atomic_fetch_sub_explicit(&t->unfinished, blocks, memory_order_acq_rel);
    assert(before >= blocks);
    if (before == blocks)
        finish_task(t, exec_task_fault(t));
}

static void cancel_kernel(struct exec_task *t)
{
    bool is_last = false;
    atomic_store_explicit(&t->is_cancelled, true, memory_order_relaxed);
    uint64_t blocks = claim_rest(t, &is_last);
    if (is_last)
        drop_if_shared(t);
    count_finished(t, blocks);
}

/* claim_blocks for a task that may be cancelled. Only while blocks are claimed
 * does the context whose flag this is certainly exist. *is_last: the caller
 * sees to it that the task leaves the queue. */
static bool claim_unless_cancelled(struct exec_task *t, uint32_t sm_id,
                                   unsigned *range, uint64_t *first,
                                   uint64_t *end, bool *is_last)
{
    *is_last = false;
    if (!claim_blocks(t, sm_id, range, first, end, is_last))
        return false;
    if (!t->cancel || !atomic_load_explicit(t->cancel, memory_order_relaxed))
        return true;
    if (*is_last)
        drop_if_shared(t);
    cancel_kernel(t);
    count_finished(t, *end - *first);
    return false;
}

static bool source_is_cancelled(const struct block_source *s)
{
    return atomic_load_explicit(&s->task->is_cancelled, memory_order_relaxed);
}

static bool source_is_left(const struct block_source *s)
{
    return atomic_load_explicit(&s->task->unclaimed, memory_order_relaxed) &&
           !source_is_cancelled(s);
}

static bool source_take(struct block_source *s, enum source_hurry hurry,
                        uint64_t *block)
{
    if (source_is_cancelled(s))
        return false;
    if (s->next == s->end) {
        if (hurry == SOURCE_PATIENT && s->until && exec_task_is_done(s->until))
            return false;
        bool is_last;
        if (!claim_unless_cancelled(s->task, s->sm_id, &s->range, &s->next,
                                    &s->end, &is_last)) {
            s->next = s->end;
            return false;
        }
        if (is_last)
            drop_if_shared(s->task);
        s->claimed += s->end - s->next;
    }
    *block = s->next++;
    return true;
}

/* Runs several blocks at a time. */
static void run_resident(struct sm *sm, struct exec_task *t,
                         const struct exec_task *until)
{
    struct block_source source = {
        .task = t, .until = until, .sm_id = sm->id, .range = UINT_MAX};
    wake_for_waiting(t);
    enum exec_fault fault = sm_run_resident(sm, &t->kernel, &source);
    if (fault) {
        atomic_store_explicit(&t->fault, fault, memory_order_relaxed);
        cancel_kernel(t);
    }
    count_finished(t, source.claimed);
    if (!t->is_shared && source_is_left(&source))
        put_back(t);
}

static bool is_resident(const struct exec_kernel *k)
{
    return k->has_waits || k->launch.cluster_blocks > 1 ||
           (k->takes_turns && k->launch.block_count > 1) ||
           (k->has_barrier && k->launch.lane_count == 1);
}

bool sched_is_resident(const struct exec_kernel *k)
{
    return is_resident(k) || k->is_cooperative;
}

static void run_kernel(struct sm *sm, struct exec_task *t,
                       const struct exec_task *until)
{
    struct pace pace = {.begin_ns = clock_now_ns()};
    unsigned range = UINT_MAX;
    uint64_t first, end;
    bool is_last, may_wake = true;
    if (is_resident(&t->kernel)) {
        run_resident(sm, t, until);
        return;
    }
    wake_for_known(t);
    while (claim_unless_cancelled(t, sm->id, &range, &first, &end, &is_last)) {
        /* Nobody looks for blocks any more; the lock can wait. */
        if (is_last && t->is_shared)
            unlist_task(t);
        enum exec_fault fault = sm_run(sm, &t->kernel, first, end);
        if (is_last)
            drop_if_shared(t);
        pace.finished += end - first;
        if (fault) {
            atomic_store_explicit(&t->fault, fault, memory_order_relaxed);
            cancel_kernel(t);
        }
        may_wake = may_wake && wake_for_rest(t, &pace);
        if (until && until != t && exec_task_is_done(until)) {
            if (!t->is_shared && atomic_load(&t->unclaimed))
                put_back(t);
            break;
        }
    }
    pace_note(t, &pace);
    /* Once at the end, not after each chunk: all SMs write to this counter. */
    count_finished(t, pace.finished);
}

static __thread unsigned run_depth; /* a plan runs tasks itself */

static void run_task(struct sm *sm, struct exec_task *t,
                     const struct exec_task *until)
{
    run_depth++;
    if (t->kind == EXEC_TASK_PLAN) {
        plan_run(sm, t, until);
        run_depth--;
        return;
    }
    if (t->kind == EXEC_TASK_KERNEL) {
        run_kernel(sm, t, until);
    } else {
        if (!t->cancel || !atomic_load(t->cancel))
            t->call(t->call_data);
        finish_task(t, EXEC_OK);
    }
    run_depth--;
    exec_task_unref(t);
}

bool sched_is_running(void)
{
    return run_depth > 0;
}

void sched_run_now(struct sm *sm, struct exec_task *t)
{
    exec_task_ref(t); /* for task_finish */
    atomic_store_explicit(&t->state, EXEC_READY, memory_order_relaxed);
    if (t->is_host_function) {
        host_function_push(t);
        return;
    }
    exec_task_ref(t); /* for run */
    if (t->is_shared)
        put_back(t);
    run_task(sm, t, NULL);
}

/* ---- SM threads ------------------------------------------------------- */

static void pin_thread(unsigned cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    /* Fails where affinity may not be set: the thread then runs anywhere. */
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/* Is there work for a worker that is about to be idle? */
static bool is_worker_wanted(const struct worker *w)
{
    if (atomic_load(&sched.is_stopping))
        return true;
    if (!atomic_load(&sched.ready_count) || !atomic_load(&sched.parted_count))
        return atomic_load(&sched.ready_count);
    pthread_mutex_lock(&sched.lock);
    bool is_any = first_ready(NULL, w->sm);
    pthread_mutex_unlock(&sched.lock);
    return is_any;
}

/* Works until there is no work, or somebody else has the SM. */
static void worker_loop(struct worker *w)
{
    struct exec_task *t = w->given;
    assert(is_worker_thread);
    w->given = NULL;
    if (!sm_take(w->sm)) {
        exec_task_unref(t);
        return;
    }
    if (!t)
        t = take_work(NULL, w->sm);
    for (; t; t = take_work(NULL, w->sm))
        run_task(w->sm, t, NULL);
    sm_release(w->sm);
}

static const struct idle_queue idle_queue = {
    .has_work = is_worker_wanted,
    .pass_on = exec_poke,
    .look = look_at_queue,
};

static void *worker_main(void *data)
{
    struct worker *w = data;
    is_worker_thread = true;
    worker_sm = w->sm;
    pin_thread(w->sm->cpu);
    fault_block_other_signals();
    fault_enter_thread();
    while (!atomic_load(&sched.is_stopping)) {
        worker_loop(w);
        idle_wait(w, &idle_queue);
    }
    exec_task_unref(w->given); /* it came with the end */
    return NULL;
}

/* ---- spare workers ---------------------------------------------------- */

static void *spare_main(void *data)
{
    struct spare *s = data;
    is_worker_thread = true;
    fault_block_other_signals();
    fault_enter_thread();
    while (!atomic_load(&sched.is_stopping)) {
        struct exec_task *t = take_spare_work();
        if (t)
            run_task(&s->sm, t, NULL);
        pthread_mutex_lock(&sched.lock);
        s->is_busy = false;
        atomic_store(&s->worker.state, WORKER_ASLEEP);
        pthread_mutex_unlock(&sched.lock);
        while (atomic_load(&s->worker.state) == WORKER_ASLEEP &&
               !atomic_load(&sched.is_stopping))
            futex_wait(&s->worker.state, WORKER_ASLEEP);
    }
    return NULL;
}

static const struct sm_host sm_host; /* below, with what it holds */

/* A further spare. The lock is held. NULL: out of memory, or there are
 * enough. */
static struct spare *new_spare(void)
{
    assert(sched.spare_count <= SPARE_MAX);
    if (sched.spare_count == SPARE_MAX)
        return NULL;
    struct spare *s = aligned_alloc(CACHE_LINE, sizeof *s);
    if (!s)
        return NULL;
    memset(s, 0, sizeof *s);
    const struct sm *like = &sched.sms[sched.spare_count % sched.sm_count];
    if (!sm_init(&s->sm, like->id, like->cpu, &sm_host))
        goto free_spare;
    atomic_store(&s->sm.is_taken, 1); /* its own */
    s->worker.sm = &s->sm;
    s->is_busy = true;
    if (pthread_create(&s->worker.thread, NULL, spare_main, s))
        goto fini_sm;
    sched.spares[sched.spare_count++] = s;
    return s;

fini_sm:
    sm_fini(&s->sm);
free_spare:
    free(s);
    return NULL;
}

/* Calls a spare for a task in the queue. The lock is held. Returns the worker
 * to wake. */
static struct worker *call_spare(const struct exec_task *t)
{
    struct worker *w = idle_pop(t->sms);
    for (unsigned i = 0; i < sched.spare_count && !w; i++) {
        struct spare *s = sched.spares[i];
        if (s->is_busy)
            continue;
        s->is_busy = true;
        w = &s->worker;
    }
    if (!w)
        new_spare();
    return w;
}

/* A kernel on some SM does nothing but wait: others have to run what is
 * ready. */
static void sched_relieve(struct block_source *s, bool is_out_of_slots)
{
    struct worker *w = NULL;
    if (is_out_of_slots)
        atomic_store_explicit(&s->task->is_out_of_slots, true,
                              memory_order_relaxed);
    if (atomic_load(&sched.ready_count) == 0)
        return;
    pthread_mutex_lock(&sched.lock);
    const struct exec_task *t = first_left_alone();
    if (t)
        w = call_spare(t);
    pthread_mutex_unlock(&sched.lock);
    idle_wake(w);
}

static const struct sm_host sm_host = {
    .take = source_take,
    .is_cancelled = source_is_cancelled,
    .poke = exec_poke,
    .relieve = sched_relieve,
};

static void stop_spares(void)
{
    for (unsigned i = 0; i < sched.spare_count; i++) {
        struct spare *s = sched.spares[i];
        idle_wake(&s->worker);
        pthread_join(s->worker.thread, NULL);
        sm_fini(&s->sm);
        free(s);
    }
    sched.spare_count = 0;
}

/* ---- waiting ---------------------------------------------------------- */

/* This core's own worker has work, on another SM than ours, and needs the
 * core. */
static bool is_worker_here(const struct sm *ours)
{
    const struct sm *here = sm_of_cpu(sched_getcpu());
    return here && here != ours && atomic_load(&here->is_taken);
}

/* There is work that this thread leaves to others, who need the SM. */
static bool is_other_work_ready(const struct exec_task *t, const struct sm *sm)
{
    if (atomic_load(&sched.ready_count) == 0)
        return false;
    pthread_mutex_lock(&sched.lock);
    bool is_ready = first_ready(NULL, sm) &&
                    (!first_ready(t, sm) || is_last_sm_wanted(t, sm));
    pthread_mutex_unlock(&sched.lock);
    return is_ready;
}

/* Runs tasks that lead to t on a free SM, until t is done or there has been no
 * work for a while. */
static void help_until_done(struct exec_task *t)
{
    if (!fault_enter_thread())
        return;
    struct sm *sm = sm_take_near(t->sms);
    if (!sm)
        return;
    note_host_cpu();
    uint64_t end_ns = 0;
    while (!exec_task_is_done(t)) {
        struct exec_task *other = take_work(t, sm);
        if (other) {
            run_task(sm, other, t);
            end_ns = 0;
            continue;
        }
        for (unsigned i = 0; i < SPINS_PER_CLOCK && !exec_task_is_done(t); i++)
            cpu_relax();
        if (is_worker_here(sm) || is_other_work_ready(t, sm))
            break;
        uint64_t now_ns = clock_now_ns();
        if (end_ns == 0)
            end_ns = now_ns + HELP_NS;
        else if (now_ns >= end_ns)
            break;
    }
    sm_release(sm);
}

/* The first task that a spare would run, and how much of it is left. */
struct queue_view {
    const struct exec_task *first; /* compared only */
    uint64_t unclaimed, next;
};

static struct queue_view view_queue(void)
{
    struct queue_view v = {0};
    if (atomic_load(&sched.ready_count) == 0)
        return v;
    pthread_mutex_lock(&sched.lock);
    struct exec_task *t = first_for_spare();
    if (t) {
        v.first = t;
        v.unclaimed = atomic_load_explicit(&t->unclaimed, memory_order_relaxed);
        if (t->kind == EXEC_TASK_KERNEL)
            v.next =
                atomic_load_explicit(&t->range[0].next, memory_order_relaxed);
    }
    pthread_mutex_unlock(&sched.lock);
    return v;
}

static void relieve_if_still(struct queue_view *before)
{
    struct queue_view now = view_queue();
    bool is_still = now.first && now.first == before->first &&
                    now.unclaimed == before->unclaimed &&
                    now.next == before->next;
    *before = now;
    if (!is_still)
        return;
    pthread_mutex_lock(&sched.lock);
    const struct exec_task *t = first_for_spare();
    struct worker *w = t ? call_spare(t) : NULL;
    pthread_mutex_unlock(&sched.lock);
    idle_wake(w);
}

static void sleep_until_done(struct exec_task *t)
{
    struct queue_view before = {0};
    atomic_fetch_add(&t->waiters, 1);
    unsigned state;
    while ((state = atomic_load(&t->state)) != EXEC_DONE) {
        futex_wait_for(&t->state, state, STILL_NS);
        relieve_if_still(&before);
    }
    atomic_fetch_sub(&t->waiters, 1);
}

void exec_wait(struct exec_task *t, enum exec_wait_mode mode)
{
    if (exec_task_is_done(t))
        return;
    exec_task_close(t);
    if (mode == EXEC_WAIT_HELP)
        help_until_done(t);
    if (!exec_task_is_done(t))
        sleep_until_done(t);
}

/* ---- start and stop --------------------------------------------------- */

static void stop_workers(unsigned count)
{
    atomic_store(&sched.is_stopping, true);
    for (unsigned i = 0; i < count; i++)
        idle_wake(&sched.workers[i]);
    for (unsigned i = 0; i < count; i++)
        pthread_join(sched.workers[i].thread, NULL);
    stop_spares();
}

static void free_sms(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        sm_fini(&sched.sms[i]);
    free(sched.sms);
    free(sched.workers);
    pthread_mutex_destroy(&sched.lock);
    sched.sm_count = 0;
}

static bool start_threads(void)
{
    unsigned cpus[EXEC_SM_MAX];
    unsigned count = topology_cores(cpus, EXEC_SM_MAX);
    unsigned sms = 0, threads = 0;

    memset(&sched, 0, sizeof sched);
    task_memory_start(count);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&sched.lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    list_init(&sched.ready);
    sched.sms = aligned_alloc(CACHE_LINE, count * sizeof *sched.sms);
    sched.workers = aligned_alloc(CACHE_LINE, count * sizeof *sched.workers);
    if (!sched.sms || !sched.workers || !fault_install())
        goto free_sms;
    memset(sched.workers, 0, count * sizeof *sched.workers);
    idle_init(sched.workers, count);
    for (; sms < count; sms++) {
        if (!sm_init(&sched.sms[sms], sms, cpus[sms], &sm_host))
            goto free_sms;
    }
    sched.sm_count = count;
    for (; threads < count; threads++) {
        struct worker *w = &sched.workers[threads];
        w->sm = &sched.sms[threads];
        if (pthread_create(&w->thread, NULL, worker_main, w))
            goto stop_workers;
    }
    return true;

stop_workers:
    stop_workers(threads);
free_sms:
    free_sms(sms);
    return false;
}

bool exec_start(void)
{
    /* Pairs with the store below. */
    if (atomic_load_explicit(&is_started, memory_order_acquire))
        return true;
    pthread_mutex_lock(&start_lock);
    bool ok = atomic_load(&is_started) || start_threads();
    if (ok)
        atomic_store_explicit(&is_started, true, memory_order_release);
    pthread_mutex_unlock(&start_lock);
    return ok;
}

void exec_stop(void)
{
    pthread_mutex_lock(&start_lock);
    if (atomic_load(&is_started)) {
        host_functions_stop();
        stop_workers(sched.sm_count);
        task_free_reserve();
        free_sms(sched.sm_count);
        task_memory_drop();
        atomic_store(&is_started, false);
    }
    pthread_mutex_unlock(&start_lock);
}

void exec_forget_threads(void)
{
    if (!atomic_load(&is_started))
        return;
    free_sms(sched.sm_count);
    atomic_store(&is_started, false);
}

unsigned exec_sm_count(void)
{
    return exec_start() ? sched.sm_count : 0;
}
