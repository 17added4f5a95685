/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SM threads and what they run. Every SM has one worker thread, pinned to
 * its core. Whoever has taken an SM may run blocks on it: its worker, or a
 * host thread that waits. One lock guards the ready queue and the sleepers;
 * it is taken per task, not per chunk of blocks.
 *
 * A worker: looks for work -> runs it -> spins a little -> sleeps on its own
 * futex. Whoever adds work wakes one sleeper, unless a worker spins; whoever
 * takes work and leaves some wakes the next.
 *
 * When kernels on all SMs do nothing but wait, what they wait for may be in the
 * queue: another kernel, a copy. Then a spare worker, with an SM of its own
 * besides those of the cores, runs one task from there.
 */
#define _GNU_SOURCE
#include "exec/internal.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>

#define SM_MAX          1024
#define SPIN_NS         40000
#define SPINS_PER_CLOCK 64
#define SPARE_MAX       64

/*  SEARCHING --nothing to do--> SPINNING --time is up--> ASLEEP --woken--> */
struct worker {
    pthread_t thread;
    struct sm *sm;
    atomic_uint is_woken; /* the futex it sleeps on */
};

static struct {
    pthread_mutex_t lock;
    struct list ready;       /* of exec_task.in_ready, by priority */
    atomic_uint ready_count; /* entries; read without the lock by spinners */
    atomic_uint spinning;
    /* Host threads woken so far: a spinner whose core such a thread may want
     * gives it up. */
    atomic_uint waiters_woken;
    /* Where a host thread last gave work or waited: its core's worker does
     * not spin, since the two would share the core. */
    atomic_int host_cpu;
    atomic_bool is_stopping;
    unsigned sm_count;
    struct sm *sms;
    struct worker *workers;
    struct worker **sleepers; /* a stack */
    unsigned sleeper_count;
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

/* The SM of the core this thread is on, or any that is free. */
static struct sm *sm_take_near(void)
{
    struct sm *near = sm_of_cpu(sched_getcpu());
    if (near && sm_take(near))
        return near;
    for (unsigned i = 0; i < sched.sm_count; i++) {
        if (sm_take(&sched.sms[i]))
            return &sched.sms[i];
    }
    return NULL;
}

/* ---- waking ----------------------------------------------------------- */

/* A sleeper who could work: its SM is free, and if possible its core is not
 * the caller's. Removed from the stack. Under the lock. */
static struct worker *pop_sleeper(void)
{
    int cpu = sched_getcpu();
    unsigned best = UINT_MAX;
    for (unsigned i = sched.sleeper_count; i-- > 0;) {
        struct worker *w = sched.sleepers[i];
        if (atomic_load_explicit(&w->sm->is_taken, memory_order_seq_cst))
            continue;
        if (best == UINT_MAX)
            best = i;
        if ((int)w->sm->cpu != cpu) {
            best = i;
            break;
        }
    }
    if (best == UINT_MAX)
        return NULL;
    struct worker *w = sched.sleepers[best];
    sched.sleepers[best] = sched.sleepers[--sched.sleeper_count];
    return w;
}

static struct worker *sleeper_if_needed(void)
{
    if (sched.sleeper_count == 0 || atomic_load(&sched.spinning))
        return NULL;
    return pop_sleeper();
}

static void wake(struct worker *w)
{
    if (!w)
        return;
    atomic_store(&w->is_woken, 1);
    futex_wake(&w->is_woken, 1);
}

static void sm_release(struct sm *sm)
{
    atomic_store(&sm->is_taken, 0);
    exec_poke(); /* its worker was passed over while the SM was taken */
}

void sched_waiter_woken(void)
{
    atomic_fetch_add_explicit(&sched.waiters_woken, 1, memory_order_relaxed);
}

/* ---- host functions --------------------------------------------------- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    struct list queue;
    pthread_t thread;
    bool is_running, is_stopping;
} host_calls = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .has_work = PTHREAD_COND_INITIALIZER,
};

/* What kernels printed before it is on paper when a callback runs. */
static void run_host_call(struct exec_task *t)
{
    exec_printf_flush();
    t->call(t->call_data);
    task_finish(t, EXEC_OK);
}

static void *host_call_main(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&host_calls.lock);
    for (;;) {
        while (list_is_empty(&host_calls.queue) && !host_calls.is_stopping)
            pthread_cond_wait(&host_calls.has_work, &host_calls.lock);
        if (list_is_empty(&host_calls.queue))
            break;
        struct exec_task *t =
            container_of(host_calls.queue.next, struct exec_task, in_ready);
        list_remove(&t->in_ready);
        pthread_mutex_unlock(&host_calls.lock);
        run_host_call(t);
        pthread_mutex_lock(&host_calls.lock);
    }
    pthread_mutex_unlock(&host_calls.lock);
    return NULL;
}

static void host_call_push(struct exec_task *t)
{
    pthread_mutex_lock(&host_calls.lock);
    if (!host_calls.is_running) {
        list_init(&host_calls.queue);
        host_calls.is_stopping = false;
        host_calls.is_running =
            pthread_create(&host_calls.thread, NULL, host_call_main, NULL) == 0;
    }
    if (host_calls.is_running) {
        list_push(&host_calls.queue, &t->in_ready);
        pthread_cond_signal(&host_calls.has_work);
        pthread_mutex_unlock(&host_calls.lock);
        return;
    }
    pthread_mutex_unlock(&host_calls.lock);
    run_host_call(t); /* no more threads to be had: late, but done */
}

static void host_calls_stop(void)
{
    pthread_mutex_lock(&host_calls.lock);
    bool was_running = host_calls.is_running;
    host_calls.is_stopping = true;
    pthread_cond_signal(&host_calls.has_work);
    pthread_mutex_unlock(&host_calls.lock);
    if (was_running)
        pthread_join(host_calls.thread, NULL);
    host_calls.is_running = false;
}

/* ---- the ready queue -------------------------------------------------- */

static void ready_insert(struct exec_task *t)
{
    struct list *before = sched.ready.prev;
    while (before != &sched.ready &&
           container_of(before, struct exec_task, in_ready)->priority >
               t->priority)
        before = before->prev;
    list_push(before->next, &t->in_ready);
    atomic_fetch_add(&sched.ready_count, 1);
}

/* Under the lock. */
static void ready_remove(struct exec_task *t)
{
    if (list_is_empty(&t->in_ready))
        return;
    list_remove(&t->in_ready);
    atomic_fetch_sub(&sched.ready_count, 1);
}

static __thread bool is_worker_thread;

static void note_host_cpu(void)
{
    int cpu = sched_getcpu();
    if (!is_worker_thread &&
        atomic_load_explicit(&sched.host_cpu, memory_order_relaxed) != cpu)
        atomic_store_explicit(&sched.host_cpu, cpu, memory_order_relaxed);
}

void sched_ready(struct exec_task *t)
{
    note_host_cpu();
    atomic_store_explicit(&t->state, EXEC_READY, memory_order_relaxed);
    if (t->is_host_call) {
        host_call_push(t);
        return;
    }
    pthread_mutex_lock(&sched.lock);
    ready_insert(t);
    struct worker *w = sleeper_if_needed();
    pthread_mutex_unlock(&sched.lock);
    wake(w);
}

/* The first in the queue, or of the same order as `like`. Under the lock. */
static struct exec_task *first_ready(const struct exec_task *like)
{
    list_for_each(struct exec_task, t, &sched.ready, in_ready)
    {
        if (!like || t->order == like->order)
            return t;
    }
    return NULL;
}

/* Something to run, with a reference; a call is the caller's alone. `like`:
 * what the caller waits for; NULL: it runs anything. */
static struct exec_task *take_work(const struct exec_task *like)
{
    if (atomic_load(&sched.ready_count) == 0)
        return NULL;
    struct worker *next = NULL;
    pthread_mutex_lock(&sched.lock);
    struct exec_task *t = first_ready(like);
    if (t) {
        exec_task_ref(t);
        if (!t->is_shared)
            ready_remove(t);
        /* Of a shared one, others are woken after the first chunk only:
         * most kernels are small, and waking takes longer than they do. */
        if (sched.ready_count > (unsigned)t->is_shared)
            next = sleeper_if_needed();
    }
    pthread_mutex_unlock(&sched.lock);
    wake(next);
    return t;
}

/* Two, so that many wake fast; those wake others in turn. */
static void wake_for_shared(const struct exec_task *t)
{
    for (int i = 0; i < 2; i++) {
        if (atomic_load_explicit(&t->unclaimed, memory_order_relaxed) == 0)
            return;
        pthread_mutex_lock(&sched.lock);
        struct worker *w = sleeper_if_needed();
        pthread_mutex_unlock(&sched.lock);
        wake(w);
    }
}

void exec_poke(void)
{
    if (atomic_load(&sched.ready_count) == 0)
        return;
    pthread_mutex_lock(&sched.lock);
    struct worker *w = sched.ready_count ? sleeper_if_needed() : NULL;
    pthread_mutex_unlock(&sched.lock);
    wake(w);
}

/* Back into the queue, for others to go on with. */
static void put_back(struct exec_task *t)
{
    pthread_mutex_lock(&sched.lock);
    ready_insert(t);
    pthread_mutex_unlock(&sched.lock);
}

static void drop_from_ready(struct exec_task *t)
{
    pthread_mutex_lock(&sched.lock);
    ready_remove(t);
    pthread_mutex_unlock(&sched.lock);
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

static void count_finished(struct exec_task *t, uint64_t blocks)
{
    if (blocks && atomic_fetch_sub_explicit(&t->unfinished, blocks,
                                            memory_order_acq_rel) == blocks)
        task_finish(t, exec_task_fault(t));
}

static void cancel_kernel(struct exec_task *t)
{
    bool is_last = false;
    atomic_store_explicit(&t->is_cancelled, true, memory_order_relaxed);
    uint64_t blocks = claim_rest(t, &is_last);
    if (is_last)
        drop_from_ready(t);
    count_finished(t, blocks);
}

bool source_is_cancelled(const struct block_source *s)
{
    return atomic_load_explicit(&s->task->is_cancelled, memory_order_relaxed);
}

bool source_is_left(const struct block_source *s)
{
    return atomic_load_explicit(&s->task->unclaimed, memory_order_relaxed) &&
           !source_is_cancelled(s);
}

bool source_take(struct block_source *s, enum source_hurry hurry,
                 uint64_t *block)
{
    bool is_last = false;
    if (source_is_cancelled(s))
        return false;
    if (s->next == s->end) {
        if (hurry == SOURCE_PATIENT && s->until && exec_task_is_done(s->until))
            return false;
        if (!claim_blocks(s->task, &s->range, &s->next, &s->end, &is_last))
            return false;
        s->claimed += s->end - s->next;
        if (is_last)
            drop_from_ready(s->task);
    }
    *block = s->next++;
    return true;
}

/* Several blocks at a time. */
static void run_resident(struct sm *sm, struct exec_task *t,
                         const struct exec_task *until)
{
    struct block_source source = {.task = t, .until = until, .range = UINT_MAX};
    /* Its blocks may wait for others, so those begin at once. */
    if (t->is_shared)
        wake_for_shared(t);
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
    unsigned range = UINT_MAX;
    uint64_t first, end;
    bool is_last = false, is_first = true;
    if (t->cancel && atomic_load_explicit(t->cancel, memory_order_relaxed))
        cancel_kernel(t);
    if (is_resident(&t->kernel)) {
        run_resident(sm, t, until);
        return;
    }
    while (claim_blocks(t, &range, &first, &end, &is_last)) {
        if (is_last)
            drop_from_ready(t);
        enum exec_fault fault = sm_run(sm, &t->kernel, first, end);
        if (fault) {
            atomic_store_explicit(&t->fault, fault, memory_order_relaxed);
            cancel_kernel(t);
        }
        if (is_first && t->is_shared)
            wake_for_shared(t);
        is_first = false;
        count_finished(t, end - first);
        if (until && exec_task_is_done(until)) {
            if (!t->is_shared && atomic_load(&t->unclaimed))
                put_back(t);
            return;
        }
    }
}

static __thread unsigned run_depth; /* a plan runs tasks itself */

static void run(struct sm *sm, struct exec_task *t,
                const struct exec_task *until)
{
    run_depth++;
    if (t->kind == EXEC_TASK_KERNEL) {
        run_kernel(sm, t, until);
    } else if (t->kind == EXEC_TASK_PLAN) {
        plan_run(sm, t, until);
    } else {
        if (!t->cancel || !atomic_load(t->cancel))
            t->call(t->call_data);
        task_finish(t, EXEC_OK);
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
    if (t->is_host_call) {
        host_call_push(t);
        return;
    }
    exec_task_ref(t); /* for run */
    if (t->is_shared)
        put_back(t);
    run(sm, t, NULL);
}

/* ---- SM threads ------------------------------------------------------- */

static void pin(unsigned cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    /* Not allowed to: the thread runs where it may. */
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/* True: there may be work. False: nothing came for a while. */
static bool spin_for_work(struct worker *w)
{
    bool found = false;
    unsigned woken =
        atomic_load_explicit(&sched.waiters_woken, memory_order_relaxed);
    uint64_t end_ns = clock_now_ns() + SPIN_NS;
    atomic_fetch_add(&sched.spinning, 1);
    do {
        for (unsigned i = 0; i < SPINS_PER_CLOCK && !found; i++) {
            cpu_relax();
            found = atomic_load(&sched.ready_count) != 0 ||
                    atomic_load(&sched.is_stopping);
        }
        if (atomic_load_explicit(&sched.waiters_woken, memory_order_relaxed) !=
            woken)
            break;
        if (atomic_load_explicit(&sched.host_cpu, memory_order_relaxed) ==
            (int)w->sm->cpu)
            break;
    } while (!found && clock_now_ns() < end_ns);
    atomic_fetch_sub(&sched.spinning, 1);
    return found;
}

static void sleep_for_work(struct worker *w)
{
    pthread_mutex_lock(&sched.lock);
    if (atomic_load(&sched.is_stopping) ||
        (sched.ready_count && !atomic_load(&w->sm->is_taken))) {
        pthread_mutex_unlock(&sched.lock);
        return;
    }
    /* Work there is, but a helper has our SM; whoever releases it looks for a
     * sleeper. Others may have left that work to us while we span. */
    struct worker *other = sched.ready_count ? pop_sleeper() : NULL;
    atomic_store(&w->is_woken, 0);
    sched.sleepers[sched.sleeper_count++] = w;
    pthread_mutex_unlock(&sched.lock);
    wake(other);
    while (atomic_load(&w->is_woken) == 0)
        futex_wait(&w->is_woken, 0);
}

/* Works until there is none; false if the SM could not be taken. */
static bool work(struct worker *w)
{
    if (!sm_take(w->sm))
        return false;
    struct exec_task *t;
    while ((t = take_work(NULL)) != NULL)
        run(w->sm, t, NULL);
    sm_release(w->sm);
    return true;
}

static void *worker_main(void *data)
{
    struct worker *w = data;
    is_worker_thread = true;
    pin(w->sm->cpu);
    fault_block_other_signals();
    fault_enter_thread();
    while (!atomic_load(&sched.is_stopping)) {
        if (work(w) && spin_for_work(w))
            continue;
        sleep_for_work(w);
    }
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
        struct exec_task *t = take_work(NULL);
        if (t)
            run(&s->sm, t, NULL);
        pthread_mutex_lock(&sched.lock);
        s->is_busy = false;
        atomic_store(&s->worker.is_woken, 0);
        pthread_mutex_unlock(&sched.lock);
        while (atomic_load(&s->worker.is_woken) == 0 &&
               !atomic_load(&sched.is_stopping))
            futex_wait(&s->worker.is_woken, 0);
    }
    return NULL;
}

/* Under the lock; NULL: no memory, or enough. */
static struct spare *new_spare(void)
{
    if (sched.spare_count == SPARE_MAX)
        return NULL;
    struct spare *s = aligned_alloc(CACHE_LINE, sizeof *s);
    if (!s)
        return NULL;
    memset(s, 0, sizeof *s);
    const struct sm *like = &sched.sms[sched.spare_count % sched.sm_count];
    if (!sm_init(&s->sm, like->id, like->cpu))
        goto free_spare;
    atomic_store(&s->sm.is_taken, 1); /* nobody else's */
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

void sched_relieve(void)
{
    struct worker *w = NULL;
    if (atomic_load(&sched.ready_count) == 0)
        return;
    pthread_mutex_lock(&sched.lock);
    if (list_is_empty(&sched.ready) || atomic_load(&sched.spinning))
        goto unlock;
    w = pop_sleeper();
    for (unsigned i = 0; i < sched.spare_count && !w; i++) {
        struct spare *s = sched.spares[i];
        if (s->is_busy)
            continue;
        s->is_busy = true;
        w = &s->worker;
    }
    if (!w)
        new_spare();
unlock:
    pthread_mutex_unlock(&sched.lock);
    wake(w);
}

static void stop_spares(void)
{
    for (unsigned i = 0; i < sched.spare_count; i++) {
        struct spare *s = sched.spares[i];
        wake(&s->worker);
        pthread_join(s->worker.thread, NULL);
        sm_fini(&s->sm);
        free(s);
    }
    sched.spare_count = 0;
}

/* ---- waiting ---------------------------------------------------------- */

/* This core's own worker runs something, on another SM than ours, and needs
 * the core. */
static bool is_worker_here(const struct sm *ours)
{
    const struct sm *here = sm_of_cpu(sched_getcpu());
    return here && here != ours && atomic_load(&here->is_taken);
}

/* Work that this thread leaves to others is there: they need the SM. */
static bool is_other_work_ready(const struct exec_task *t)
{
    if (atomic_load(&sched.ready_count) == 0)
        return false;
    pthread_mutex_lock(&sched.lock);
    bool is_ready = !list_is_empty(&sched.ready) && !first_ready(t);
    pthread_mutex_unlock(&sched.lock);
    return is_ready;
}

/* Runs what leads to t on a free SM until t is done or nothing has come for
 * a while. */
static void help(struct exec_task *t)
{
    if (!fault_enter_thread())
        return;
    struct sm *sm = sm_take_near();
    if (!sm)
        return;
    note_host_cpu();
    uint64_t end_ns = 0;
    while (!exec_task_is_done(t)) {
        struct exec_task *other = take_work(t);
        if (other) {
            run(sm, other, t);
            end_ns = 0;
            continue;
        }
        for (unsigned i = 0; i < SPINS_PER_CLOCK && !exec_task_is_done(t); i++)
            cpu_relax();
        if (is_worker_here(sm) || is_other_work_ready(t))
            break;
        uint64_t now_ns = clock_now_ns();
        if (end_ns == 0)
            end_ns = now_ns + SPIN_NS;
        else if (now_ns >= end_ns)
            break;
    }
    sm_release(sm);
}

static void sleep_until_done(struct exec_task *t)
{
    atomic_fetch_add(&t->waiters, 1);
    unsigned state;
    while ((state = atomic_load(&t->state)) != EXEC_DONE)
        futex_wait(&t->state, state);
    atomic_fetch_sub(&t->waiters, 1);
}

void exec_wait(struct exec_task *t, enum exec_wait_mode mode)
{
    if (exec_task_is_done(t))
        return;
    if (mode == EXEC_WAIT_HELP)
        help(t);
    if (!exec_task_is_done(t))
        sleep_until_done(t);
}

/* ---- start and stop --------------------------------------------------- */

static void stop_workers(unsigned count)
{
    atomic_store(&sched.is_stopping, true);
    for (unsigned i = 0; i < count; i++)
        wake(&sched.workers[i]);
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
    free(sched.sleepers);
    pthread_mutex_destroy(&sched.lock);
    sched.sm_count = 0;
}

static bool start(void)
{
    unsigned cpus[SM_MAX];
    unsigned count = topology_cores(cpus, SM_MAX);
    unsigned sms = 0, threads = 0;

    memset(&sched, 0, sizeof sched);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&sched.lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    list_init(&sched.ready);
    atomic_init(&sched.host_cpu, -1);
    sched.sms = aligned_alloc(CACHE_LINE, count * sizeof *sched.sms);
    sched.workers = calloc(count, sizeof *sched.workers);
    sched.sleepers = calloc(count, sizeof *sched.sleepers);
    if (!sched.sms || !sched.workers || !sched.sleepers || !fault_install())
        goto free_sms;
    for (; sms < count; sms++) {
        if (!sm_init(&sched.sms[sms], sms, cpus[sms]))
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
    if (atomic_load_explicit(&is_started, memory_order_acquire))
        return true;
    pthread_mutex_lock(&start_lock);
    bool ok = atomic_load(&is_started) || start();
    if (ok)
        atomic_store_explicit(&is_started, true, memory_order_release);
    pthread_mutex_unlock(&start_lock);
    return ok;
}

void exec_stop(void)
{
    pthread_mutex_lock(&start_lock);
    if (atomic_load(&is_started)) {
        host_calls_stop();
        stop_workers(sched.sm_count);
        free_sms(sched.sm_count);
        atomic_store(&is_started, false);
    }
    pthread_mutex_unlock(&start_lock);
}

unsigned exec_sm_count(void)
{
    return exec_start() ? sched.sm_count : 0;
}
