/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks and the order between them. A task knows how many others it still
 * waits for; a finished task walks its successors and counts them down.
 */
#include "exec/internal.h"
#include "exec/plan.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* Stands in place of the successors when the task is done. */
static struct edge closed;
#define TASK_CLOSED (&closed)

/* Allocates a task with `more` bytes behind its ranges. */
static struct exec_task *task_alloc(enum exec_task_kind kind, unsigned ranges,
                                    size_t more)
{
    size_t bytes =
        sizeof(struct exec_task) + ranges * sizeof(struct range) + more;
    struct exec_task *t = task_memory_alloc(bytes);
    if (!t)
        return NULL;
    memset(t, 0, sizeof *t);
    t->memory_bytes = bytes;
    t->kind = kind;
    t->range_capacity = ranges;
    atomic_init(&t->refs, 1);
    atomic_init(&t->state, EXEC_WAITING);
    atomic_init(&t->pending, 1);
    t->sms = SM_RANGE_ALL;
    list_init(&t->in_ready);
    return t;
}

static void set_warps(struct exec_launch *l)
{
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    if (l->lane_count == 0)
        l->lane_count = WEFT_WARP_LANES;
    l->warps_per_block = (threads + l->lane_count - 1) / l->lane_count;
    l->thread_count = threads * l->block_count;
    l->cache_bytes = exec_cache_bytes();
    for (unsigned i = 0; i < 3; i++)
        l->cluster[i] += l->cluster[i] == 0;
    l->cluster_blocks = l->cluster[0] * l->cluster[1] * l->cluster[2];
}

void exec_task_set_part(struct exec_task *t, const struct exec_part *part)
{
    assert(part->first <= part->end && part->end <= exec_sm_count());
    bool is_all = !part->end || part->end - part->first == exec_sm_count();
    t->sms = is_all ? SM_RANGE_ALL : (struct sm_range){part->first, part->end};
}

unsigned task_sm_count(const struct exec_task *t)
{
    return t->sms.end == UINT_MAX ? exec_sm_count() : t->sms.end - t->sms.first;
}

/* Copies the parameters into the task's own memory. */
static void copy_params(struct exec_task *t, unsigned ranges)
{
    struct exec_launch *l = &t->kernel.launch;
    uint8_t *to = (uint8_t *)&t->range[ranges];
    memcpy(to, l->params, t->kernel.params_bytes);
    if (l->grid_workspace)
        l->grid_workspace = to + ((uint8_t *)l->grid_workspace - l->params);
    l->params = to;
}

/* How many ranges claim_init may want; enough for clusters as well. */
static unsigned range_need(const struct exec_launch *l)
{
    unsigned sms = exec_sm_count();
    unsigned ranges = sms > l->block_count ? (unsigned)l->block_count : sms;
    return ranges ? ranges : 1;
}

struct exec_task *exec_task_kernel(const struct exec_kernel *kernel)
{
    unsigned sms = exec_sm_count();
    if (sms == 0)
        return NULL; /* exec_start failed */
    fault_keep_handlers();
    unsigned ranges = range_need(&kernel->launch);
    struct exec_task *t =
        task_alloc(EXEC_TASK_KERNEL, ranges, kernel->params_bytes);
    if (!t)
        return NULL;
    t->kernel = *kernel;
    if (kernel->params_bytes)
        copy_params(t, ranges);
    t->kernel.launch.helpers = &exec_helper_table;
    t->kernel.launch.flushing_helpers = exec_flushing_helpers();
    if (!t->kernel.launch.sm_count)
        t->kernel.launch.sm_count = sms;
    exec_task_set_part(t, &kernel->part);
    set_warps(&t->kernel.launch);
    claim_init(t, task_sm_count(t), 0);
    return t;
}

struct exec_task *exec_task_call(void (*fn)(void *data), void *data)
{
    assert(fn);
    struct exec_task *t = task_alloc(EXEC_TASK_CALL, 0, 0);
    if (!t)
        return NULL;
    t->call = fn;
    t->call_data = data;
    return t;
}

struct exec_task *exec_task_host_function(void (*fn)(void *data), void *data)
{
    struct exec_task *t = exec_task_call(fn, data);
    if (t)
        t->is_host_function = true;
    return t;
}

struct exec_task *exec_task_nothing(void)
{
    return task_alloc(EXEC_TASK_NOTHING, 0, 0);
}

/* ---- once more -------------------------------------------------------- */

static bool is_mine_alone(struct exec_task *t)
{
    /* Pairs with exec_task_unref: what others did to it is seen. */
    return atomic_load_explicit(&t->refs, memory_order_acquire) == 1;
}

/* Resets a task to its state before submit, without dependencies. */
static void reset_task(struct exec_task *t)
{
    assert(is_mine_alone(t));
    while (t->owned_edges) {
        struct edge *next = t->owned_edges->next_owned;
        free(t->owned_edges);
        t->owned_edges = next;
    }
    t->inline_count = 0;
    t->done_ns = 0;
    t->is_begun = t->is_shared = false;
    atomic_store_explicit(&t->is_cancelled, false, memory_order_relaxed);
    atomic_store_explicit(&t->is_out_of_slots, false, memory_order_relaxed);
    atomic_store_explicit(&t->fault, EXEC_OK, memory_order_relaxed);
    atomic_store_explicit(&t->successors, NULL, memory_order_relaxed);
    atomic_store_explicit(&t->pending, 1, memory_order_relaxed);
    atomic_store_explicit(&t->again, 0, memory_order_relaxed);
    atomic_store_explicit(&t->state, EXEC_WAITING, memory_order_relaxed);
}

/*
 * Tasks in reserve for runs of plans, which allocate nothing. A task that a
 * late worker still refers to is exchanged for one of these, and lies here
 * until it can be used again. Each worker refers to one or two at a time.
 */
#define RESERVE_MAX 16

static struct {
    pthread_mutex_t lock;
    struct exec_task *task[RESERVE_MAX]; /* a reference each; NULL: none */
} reserve = {.lock = PTHREAD_MUTEX_INITIALIZER};

void task_fill_reserve(void)
{
    unsigned sms = exec_sm_count();
    unsigned count = sms + 2 < RESERVE_MAX ? sms + 2 : RESERVE_MAX;
    pthread_mutex_lock(&reserve.lock);
    for (unsigned i = 0; i < count; i++)
        if (!reserve.task[i])
            reserve.task[i] = task_alloc(EXEC_TASK_NOTHING, sms, 0);
    pthread_mutex_unlock(&reserve.lock);
}

void task_free_reserve(void)
{
    pthread_mutex_lock(&reserve.lock);
    for (unsigned i = 0; i < RESERVE_MAX; i++) {
        exec_task_unref(reserve.task[i]);
        reserve.task[i] = NULL;
    }
    pthread_mutex_unlock(&reserve.lock);
}

/* Takes the smallest task with room for so many ranges; NULL: there is
 * none. */
static struct exec_task *take_reserve(unsigned ranges)
{
    struct exec_task **best = NULL, *out = NULL;
    pthread_mutex_lock(&reserve.lock);
    for (unsigned i = 0; i < RESERVE_MAX; i++) {
        struct exec_task **at = &reserve.task[i];
        if (*at && (*at)->range_capacity >= ranges && is_mine_alone(*at) &&
            (!best || (*at)->range_capacity < (*best)->range_capacity))
            best = at;
    }
    if (best) {
        out = *best;
        *best = NULL;
    }
    pthread_mutex_unlock(&reserve.lock);
    return out;
}

/* Puts a task into the reserve; takes over the reference. */
static void give_reserve(struct exec_task *t)
{
    unsigned i = 0;
    pthread_mutex_lock(&reserve.lock);
    while (i < RESERVE_MAX && reserve.task[i])
        i++;
    if (i < RESERVE_MAX)
        reserve.task[i] = t;
    pthread_mutex_unlock(&reserve.lock);
    if (i == RESERVE_MAX)
        exec_task_unref(t);
}

/* Makes a task like t. What t owns by pointer moves to the new one. */
static struct exec_task *take_over(struct exec_task *t)
{
    assert(t->kind != EXEC_TASK_PLAN && !t->plan);
    assert(!t->kernel.params_bytes);
    bool is_kernel = t->kind == EXEC_TASK_KERNEL;
    struct exec_task *n =
        take_reserve(is_kernel ? range_need(&t->kernel.launch) : 0);
    if (!n)
        n = task_alloc(t->kind, exec_sm_count(), 0);
    if (!n)
        return NULL;
    assert(!n->plan && !n->kernel.params_storage);
    n->kind = t->kind;
    n->priority = t->priority;
    n->cancel = t->cancel;
    n->call = t->call;
    n->call_data = t->call_data;
    n->is_host_function = t->is_host_function;
    n->sms = t->sms;
    n->kernel = t->kernel;
    t->kernel.params_storage = NULL;
    give_reserve(t);
    return n;
}

struct exec_task *task_again(struct exec_task *t, uint64_t first)
{
    struct exec_launch *l = &t->kernel.launch;
    if (!is_mine_alone(t) && !(t = take_over(t)))
        return NULL;
    reset_task(t);
    if (t->kind != EXEC_TASK_KERNEL)
        return t;
    l = &t->kernel.launch;
    if (l->grid_workspace)
        memset(l->grid_workspace, 0, EXEC_WORKSPACE_BYTES);
    claim_init(t, task_sm_count(t), first);
    return t;
}

struct exec_task *exec_task_plan(struct exec_plan *p,
                                 void (*on_start)(void *data), void *data)
{
    assert(p);
    struct exec_task *t = task_alloc(EXEC_TASK_PLAN, 0, 0);
    if (!t)
        return NULL;
    t->plan = exec_plan_ref(p);
    t->call = on_start;
    t->call_data = data;
    return t;
}

bool exec_task_plan_again(struct exec_task *t)
{
    assert(t->kind == EXEC_TASK_PLAN && t->plan);
    if (!is_mine_alone(t))
        return false;
    reset_task(t);
    return true;
}

/*
 * Runs of one plan behind each other, for whose ends nobody waits, are one task
 * that counts them. So a launch behind a launch costs one word that goes from
 * core to core, where a task of its own costs a lock, a wake-up and some seven
 * lines.
 */
#define AGAIN_CLOSED (1U << 31) /* no more may be added */
#define AGAIN_MOST   (1U << 30)
/* How long a run waits for the next: some launches. */
#define LINGER_CYCLES 4000

bool exec_task_plan_repeat(struct exec_task *t, int priority)
{
    assert(t->kind == EXEC_TASK_PLAN);
    if (t->priority != priority)
        return false;
    __builtin_prefetch(&t->again, 1); /* the line comes once, to be written */
    unsigned old = atomic_load_explicit(&t->again, memory_order_relaxed);
    do { /* pairs with task_take_again: the run sees what this thread wrote */
        if (old >= AGAIN_MOST)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(
        &t->again, &old, old + 1, memory_order_release, memory_order_relaxed));
    return true;
}

void exec_task_close(struct exec_task *t)
{
    if (t->kind == EXEC_TASK_PLAN &&
        !(atomic_load_explicit(&t->again, memory_order_relaxed) & AGAIN_CLOSED))
        atomic_fetch_or_explicit(&t->again, AGAIN_CLOSED, memory_order_relaxed);
}

unsigned task_take_again(struct exec_task *t, bool may_linger)
{
    assert(t->kind == EXEC_TASK_PLAN);
    uint64_t end = may_linger ? cycles_now() + LINGER_CYCLES : 0;
    unsigned old = atomic_load_explicit(&t->again, memory_order_relaxed);
    for (;;) {
        if (old == 0 && may_linger && cycles_now() < end) {
            cpu_relax();
            may_linger = !sched_is_wanted(0);
            old = atomic_load_explicit(&t->again, memory_order_relaxed);
            continue;
        }
        unsigned count = old & ~AGAIN_CLOSED;
        unsigned becomes = count ? old & AGAIN_CLOSED : AGAIN_CLOSED;
        /* Pairs with exec_task_plan_repeat. */
        if (atomic_compare_exchange_weak_explicit(&t->again, &old, becomes,
                                                  memory_order_acquire,
                                                  memory_order_relaxed))
            return count;
    }
}

/* ---- references ------------------------------------------------------- */

struct exec_task *exec_task_ref(struct exec_task *t)
{
    task_refs(t, 1);
    return t;
}

void exec_task_unref(struct exec_task *t)
{
    /* Each pairs with the others: the last sees what all wrote. */
    unsigned before =
        t ? atomic_fetch_sub_explicit(&t->refs, 1, memory_order_acq_rel) : 2;
    assert(before > 0);
    if (before != 1)
        return;
    struct edge *e = t->owned_edges;
    while (e) {
        struct edge *next = e->next_owned;
        free(e);
        e = next;
    }
    free(t->kernel.params_storage);
    exec_plan_unref(t->plan);
    task_memory_free(t, t->memory_bytes);
}

void exec_task_on_done(struct exec_task *t,
                       void (*fn)(void *data, enum exec_fault fault),
                       void *data)
{
    t->on_done = fn;
    t->on_done_data = data;
}

void exec_task_own(struct exec_task *t, void *storage)
{
    t->kernel.params_storage = storage;
}

void *exec_task_params(struct exec_task *t)
{
    return t->kernel.params_storage;
}

const void *exec_task_order(const struct exec_task *t)
{
    return t->order;
}

void exec_task_set_priority(struct exec_task *t, int priority)
{
    t->priority = priority;
}

void exec_task_set_order(struct exec_task *t, const void *order)
{
    t->order = order;
}

void exec_task_cancel_if(struct exec_task *t, const atomic_int *flag)
{
    t->cancel = flag;
}

static struct edge *new_edge(struct exec_task *t)
{
    if (t->inline_count < ARRAY_COUNT(t->inline_edge))
        return &t->inline_edge[t->inline_count++];
    struct edge *e = calloc(1, sizeof *e);
    if (e) {
        e->next_owned = t->owned_edges;
        t->owned_edges = e;
    }
    return e;
}

bool exec_task_depend(struct exec_task *t, struct exec_task *dependency)
{
    assert(t != dependency);
    assert(atomic_load(&t->state) == EXEC_WAITING);
    if (exec_task_is_done(dependency))
        return true;
    exec_task_close(dependency);
    struct edge *e = new_edge(t);
    if (!e)
        return false;
    e->waiting = t;
    atomic_fetch_add_explicit(&t->pending, 1, memory_order_relaxed);
    /* The push pairs with the exchange in finish_one, which sees the edge; a
     * load that finds the list closed sees what the task wrote. */
    struct edge *head =
        atomic_load_explicit(&dependency->successors, memory_order_acquire);
    do { /* pairs: see above */
        if (head == TASK_CLOSED) {
            atomic_fetch_sub_explicit(&t->pending, 1, memory_order_relaxed);
            return true;
        }
        e->next = head;
    } while (!atomic_compare_exchange_weak_explicit(
        &dependency->successors, &head, e, memory_order_release,
        memory_order_acquire));
    return true;
}

bool exec_task_is_done(const struct exec_task *t)
{
    /* Pairs with the store of DONE in finish_one. */
    return atomic_load_explicit(&t->state, memory_order_acquire) == EXEC_DONE;
}

enum exec_fault exec_task_fault(const struct exec_task *t)
{
    return atomic_load_explicit(&t->fault, memory_order_relaxed);
}

uint64_t exec_task_done_ns(const struct exec_task *t)
{
    return exec_task_is_done(t) ? t->done_ns : 0;
}

static bool is_cancelled(const struct exec_task *t)
{
    return t->cancel &&
           atomic_load_explicit(t->cancel, memory_order_relaxed) != 0;
}

/* True: the task has nothing to run, and is done as soon as it is ready. */
static bool is_immediate(const struct exec_task *t)
{
    return t->kind == EXEC_TASK_NOTHING || is_cancelled(t) ||
           (t->kind == EXEC_TASK_KERNEL && t->kernel.launch.block_count == 0);
}

/* Back to submission order; a stack holds them in reverse. */
static struct edge *reverse_edges(struct edge *e)
{
    struct edge *out = NULL;
    while (e) {
        struct edge *next = e->next;
        e->next = out;
        out = e;
        e = next;
    }
    return out;
}

static bool count_down(struct exec_task *t)
{
    /* Pairs with the same operation by other predecessors: the last sees what
     * all wrote. */
    unsigned before =
        atomic_fetch_sub_explicit(&t->pending, 1, memory_order_acq_rel);
    assert(before > 0);
    return before == 1;
}

/* Marks one task as done. The tasks that become done by that are put in front
 * of *done. */
static void finish_one(struct exec_task *t, struct exec_task **done)
{
    assert(!exec_task_is_done(t));
    t->done_ns = clock_now_ns();
    if (t->on_done)
        t->on_done(t->on_done_data, exec_task_fault(t));
    /* Pairs with the push in exec_task_depend. */
    struct edge *e = atomic_exchange_explicit(&t->successors, TASK_CLOSED,
                                              memory_order_acq_rel);
    assert(e != TASK_CLOSED);
    /* seq_cst, with the waiter's increment and its look at the state: one of
     * the two sees the other. */
    atomic_store(&t->state, EXEC_DONE);
    if (atomic_load(&t->waiters)) {
        futex_wake(&t->state, INT32_MAX);
        idle_note_host_woken();
    }
    for (e = reverse_edges(e); e;) {
        struct edge *next = e->next; /* lives in the waiting task */
        struct exec_task *waiting = e->waiting;
        e = next;
        if (!count_down(waiting))
            continue;
        if (is_immediate(waiting)) {
            waiting->next_done = *done;
            *done = waiting;
        } else {
            sched_ready(waiting);
        }
    }
    exec_task_unref(t);
}

/*
 * Counts threads in task_finish: a task of theirs may be done already, and
 * marks behind it not yet. They are counted by the epoch they began in, so
 * that whoever waits for them need not wait for later ones (McKenney,
 * "Sleepable RCU").
 */
static struct {
    atomic_uint epoch;
    atomic_uint count[2];
    pthread_mutex_t lock; /* of who turns the epoch */
} finishing = {.lock = PTHREAD_MUTEX_INITIALIZER};

void task_finish(struct exec_task *t, enum exec_fault fault)
{
    if (fault)
        atomic_store_explicit(&t->fault, fault, memory_order_relaxed);
    unsigned epoch = atomic_load(&finishing.epoch) & 1;
    /* before finish_one's store of DONE */
    atomic_fetch_add(&finishing.count[epoch], 1);
    /* A list, not recursion: chains of marks may be long. */
    struct exec_task *done = NULL;
    finish_one(t, &done);
    while (done) {
        t = done;
        done = t->next_done;
        finish_one(t, &done);
    }
    atomic_fetch_sub(&finishing.count[epoch], 1);
}

static bool is_finishing(void)
{
    return atomic_load(&finishing.count[0]) || atomic_load(&finishing.count[1]);
}

/* A thread in task_finish may have lost its core: waits longer with each
 * try. */
static void pass_time(unsigned tries)
{
    if (tries < 100)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

void exec_let_finish(const struct exec_task *t)
{
    enum { TRIES = 20000 }; /* half a second or more: a thread is lost */
    if (exec_task_is_done(t) || !is_finishing())
        return;
    pthread_mutex_lock(&finishing.lock);
    unsigned tries = 0;
    /* Twice, since a thread may have read the epoch and not counted itself
     * yet. */
    for (int turn = 0; turn < 2; turn++) {
        unsigned old = atomic_fetch_add(&finishing.epoch, 1) & 1;
        while (atomic_load(&finishing.count[old]) && !exec_task_is_done(t) &&
               tries < TRIES)
            pass_time(tries++);
    }
    pthread_mutex_unlock(&finishing.lock);
}

void exec_submit(struct exec_task *t)
{
    assert(atomic_load(&t->state) == EXEC_WAITING);
    exec_task_ref(t);
    if (!count_down(t))
        return;
    if (is_immediate(t))
        task_finish(t, EXEC_OK);
    else
        sched_ready(t);
}
