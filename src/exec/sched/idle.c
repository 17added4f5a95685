/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workers that have nothing to do. Each spins a little on a word of its own,
 * then sleeps on it; one looks at the queue meanwhile: if all spinners
 * watched it, each of 16 would come for a kernel of one block (8 us instead
 * of 1.5). While one does, nobody is woken for what one thread runs: mostly the
 * host waits for it at once, and runs it itself, sooner than a woken one. Who
 * is idle stands in two sets of bits, so that finding somebody takes no lock:
 * among 16 threads one waits for a lock longer than a small kernel runs. Who
 * spins is woken first, it costs no system call.
 */
#define _GNU_SOURCE
#include "exec/internal.h"

#include <sched.h>

#include "base/size.h"

#define SPIN_NS    WEFT_SIZE(40000, 0)
/* The lookout's time, and between two looks. Where processors are few it is in
 * somebody's way. */
#define LOOKOUT_NS WEFT_SIZE(1000000, 0)
#define LOOK_NS    500
#define SOON_LOOKS 4
#define FEW        4
#define WAKE_SPINS WEFT_SIZE(1000, 1) /* whoever wakes it may lose its core */

struct crew {
    _Atomic uint64_t word[EXEC_SM_MAX / WORD_BITS];
};

static struct {
    struct worker *workers;
    unsigned count;
    /* A worker is in one of them, or none. On lines of their own: all who spin
     * look at what follows. */
    _Alignas(CACHE_LINE) struct crew spinning;
    _Alignas(CACHE_LINE) struct crew asleep;
    /* Host threads woken so far: a spinner whose core such a thread may want
     * gives it up. */
    _Alignas(CACHE_LINE) atomic_uint hosts_woken;
    /* The processor on which a host thread last launched or waited. The worker
     * of that core does not spin, since the two would share it. */
    atomic_int host_cpu;
    /* The one of those who spin that looks at the queue, counted from 1; 0:
     * none does. */
    _Alignas(CACHE_LINE) atomic_uint lookout;
} idle;

void idle_init(struct worker *workers, unsigned count)
{
    assert(count > 0 && count <= EXEC_SM_MAX);
    memset(&idle, 0, sizeof idle);
    idle.workers = workers;
    idle.count = count;
    atomic_init(&idle.host_cpu, -1);
}

void idle_note_host_cpu(void)
{
    int cpu = sched_getcpu();
    if (atomic_load_explicit(&idle.host_cpu, memory_order_relaxed) != cpu)
        atomic_store_explicit(&idle.host_cpu, cpu, memory_order_relaxed);
}

void idle_note_host_woken(void)
{
    atomic_fetch_add_explicit(&idle.hosts_woken, 1, memory_order_relaxed);
}

/* seq_cst: a worker joins a set and then looks for work; whoever adds work
 * looks at the sets afterwards. One of the two sees the other. */
static void crew_add(struct crew *s, unsigned i)
{
    assert(i < idle.count);
    atomic_fetch_or(&s->word[i / WORD_BITS], UINT64_C(1) << i % WORD_BITS);
}

/* Removes worker i. True: it was a member, and the caller may wake it. */
static bool crew_take(struct crew *s, unsigned i)
{
    assert(i < idle.count);
    uint64_t bit = UINT64_C(1) << i % WORD_BITS;
    return atomic_fetch_and(&s->word[i / WORD_BITS], ~bit) & bit;
}

/* Removes and returns a member whose SM is free and in `sms` and whose core is
 * not `cpu`; NULL: there is none. */
static struct worker *crew_pop(struct crew *s, struct sm_range sms, int cpu)
{
    for (unsigned k = 0; k * WORD_BITS < idle.count; k++) {
        uint64_t left = atomic_load(&s->word[k]);
        for (; left; left &= left - 1) {
            unsigned i = k * WORD_BITS + (unsigned)__builtin_ctzll(left);
            assert(i < idle.count);
            struct worker *w = &idle.workers[i];
            if ((int)w->sm->cpu != cpu && is_sm_in(sms, w->sm) &&
                !atomic_load(&w->sm->is_taken) && crew_take(s, i))
                return w;
        }
    }
    return NULL;
}

struct worker *idle_pop(struct sm_range sms)
{
    int cpu = sched_getcpu();
    struct worker *w = crew_pop(&idle.spinning, sms, cpu);
    if (!w)
        w = crew_pop(&idle.asleep, sms, cpu);
    if (!w)
        w = crew_pop(&idle.spinning, sms, -1);
    return w ? w : crew_pop(&idle.asleep, sms, -1);
}

/* Members of word k that may be taken, at most `count`: the one whose core is
 * `cpu` only if there are too few others. */
static uint64_t choose_members(unsigned k, uint64_t members,
                               struct sm_range sms, int cpu, unsigned count)
{
    uint64_t chosen = 0, last = 0;
    for (uint64_t left = members; left; left &= left - 1) {
        uint64_t bit = left & -left;
        unsigned i = k * WORD_BITS + (unsigned)__builtin_ctzll(left);
        assert(i < idle.count);
        const struct sm *sm = idle.workers[i].sm;
        if (!is_sm_in(sms, sm) || atomic_load(&sm->is_taken))
            continue;
        if ((int)sm->cpu == cpu) {
            last = bit;
        } else if (count) {
            chosen |= bit;
            count--;
        }
    }
    return count ? chosen | last : chosen;
}

unsigned idle_pop_spinners(struct sm_range sms, struct worker **out,
                           unsigned count)
{
    int cpu = sched_getcpu();
    unsigned popped = 0;
    for (unsigned k = 0; k * WORD_BITS < idle.count && popped < count; k++) {
        uint64_t members = atomic_load(&idle.spinning.word[k]);
        uint64_t mine = choose_members(k, members, sms, cpu, count - popped);
        if (mine) /* some may have gone meanwhile */
            mine &= atomic_fetch_and(&idle.spinning.word[k], ~mine);
        for (; mine; mine &= mine - 1)
            out[popped++] =
                &idle.workers[k * WORD_BITS + (unsigned)__builtin_ctzll(mine)];
    }
    assert(popped <= count);
    return popped;
}

void idle_wake_spinner(struct worker *w)
{
    /* Pairs with is_awake: the task that was given is seen. */
    atomic_store_explicit(&w->state, WORKER_AWAKE, memory_order_release);
}

bool idle_is_asleep(const struct worker *w)
{
    return atomic_load_explicit(&w->state, memory_order_relaxed) ==
           WORKER_ASLEEP;
}

void idle_wake(struct worker *w)
{
    if (w && atomic_exchange(&w->state, WORKER_AWAKE) == WORKER_ASLEEP)
        futex_wake(&w->state, 1);
}

static bool is_awake(const struct worker *w)
{
    /* Pairs with idle_wake and idle_wake_spinner: the task that was given is
     * seen. */
    return atomic_load_explicit(&w->state, memory_order_acquire) ==
           WORKER_AWAKE;
}

bool idle_has_lookout(void)
{
    return atomic_load(&idle.lookout);
}

static bool become_lookout(const struct worker *w)
{
    unsigned none = 0;
    return !atomic_load_explicit(&idle.lookout, memory_order_relaxed) &&
           atomic_compare_exchange_strong(&idle.lookout, &none,
                                          (unsigned)(w - idle.workers) + 1);
}

static bool is_host_here(const struct worker *w)
{
    return atomic_load_explicit(&idle.host_cpu, memory_order_relaxed) ==
           (int)w->sm->cpu;
}

/* Looks at the queue until no task has come between two looks that found some,
 * or SOON_LOOKS did, the worker is woken, or some time has passed. seq_cst:
 * whoever adds a task looks for a lookout afterwards, and a lookout that leaves
 * looks for tasks afterwards. */
static void look_out(const struct worker *w, const struct idle_queue *queue)
{
    uint64_t now = clock_now_ns(), look_ns = now, seen = 0;
    uint64_t end_ns = now + (idle.count < FEW ? SPIN_NS : LOOKOUT_NS);
    unsigned found = 0;
    while (!is_awake(w) && now < end_ns && !is_host_here(w)) {
        cpu_relax();
        now = clock_now_ns();
        if (now < look_ns)
            continue;
        look_ns = now + LOOK_NS;
        uint64_t added = queue->look();
        found = added ? found + 1 : 0;
        if (found && (added == seen || found == SOON_LOOKS))
            break;
        seen = added;
    }
    atomic_store(&idle.lookout, 0);
}

/* Spins until the worker is woken, some time has passed, or a host thread
 * needs the core; or there is work, and nobody else looked. True: this worker
 * looked. */
static bool spin_awhile(const struct worker *w, const struct idle_queue *queue)
{
    unsigned woken =
        atomic_load_explicit(&idle.hosts_woken, memory_order_relaxed);
    uint64_t end_ns = clock_now_ns() + SPIN_NS;
    do {
        if (become_lookout(w)) {
            look_out(w, queue);
            return true;
        }
        for (unsigned i = 0; i < SPINS_PER_CLOCK; i++) {
            cpu_relax();
            if (is_awake(w))
                return false;
        }
        if (atomic_load_explicit(&idle.hosts_woken, memory_order_relaxed) !=
                woken ||
            is_host_here(w))
            return false;
    } while (clock_now_ns() < end_ns);
    return false;
}

/* Somebody has taken the worker out of the set of those who spin, and wakes it
 * without a system call. */
static void spin_until_woken(const struct worker *w)
{
    for (unsigned spins = 0; !is_awake(w); spins++) {
        if (spins < WAKE_SPINS)
            cpu_relax();
        else
            sched_yield();
    }
}

/* Enters the worker into a set, unless there is work by now. False: there is,
 * and no other thread has taken the worker out to wake it. */
static bool join_crew(struct crew *s, struct worker *w,
                      const struct idle_queue *queue)
{
    unsigned i = (unsigned)(w - idle.workers);
    assert(i < idle.count && idle.count <= EXEC_SM_MAX);
    crew_add(s, i);
    if (!queue->has_work(w))
        return true;
    if (atomic_load(&w->sm->is_taken)) { /* by a helper: another one's turn */
        queue->pass_on();
        return true;
    }
    return !crew_take(s, i);
}

void idle_wait(struct worker *w, const struct idle_queue *queue)
{
    unsigned spinning = WORKER_SPINNING;
    assert(is_awake(w)); /* and so in no set */
    atomic_store(&w->state, WORKER_SPINNING);
    if (!join_crew(&idle.spinning, w, queue))
        goto awake;
    bool was_lookout = spin_awhile(w, queue);
    if (is_awake(w) ||
        !crew_take(&idle.spinning, (unsigned)(w - idle.workers))) {
        spin_until_woken(w);
        /* For what came meanwhile nobody else was woken. */
        if (was_lookout && queue->has_work(w))
            queue->pass_on();
        return;
    }
    if (!join_crew(&idle.asleep, w, queue))
        goto awake;
    atomic_compare_exchange_strong(&w->state, &spinning, WORKER_ASLEEP);
    while (!is_awake(w))
        futex_wait(&w->state, WORKER_ASLEEP);
    return;

awake:
    atomic_store(&w->state, WORKER_AWAKE);
}
