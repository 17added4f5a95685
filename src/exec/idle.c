/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workers that have nothing to do. Each spins a little on a word of its own,
 * then sleeps on it; none looks at the queue meanwhile: if all spinners
 * watched it, each of 16 would come for a kernel of one block (8 us instead
 * of 1.5). Who is idle stands in two sets of bits, so that finding somebody
 * takes no lock: among 16 threads one waits for a lock longer than a small
 * kernel runs. Who spins is woken first, it costs no system call.
 */
#define _GNU_SOURCE
#include "exec/internal.h"

#include <sched.h>

#include "base/size.h"

#define SPIN_NS    WEFT_SIZE(40000, 0)
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

/* Spins until the worker is woken, some time has passed, or a host thread
 * needs the core. */
static void spin_awhile(struct worker *w)
{
    unsigned woken =
        atomic_load_explicit(&idle.hosts_woken, memory_order_relaxed);
    uint64_t end_ns = clock_now_ns() + SPIN_NS;
    do {
        for (unsigned i = 0; i < SPINS_PER_CLOCK; i++) {
            cpu_relax();
            if (is_awake(w))
                return;
        }
        if (atomic_load_explicit(&idle.hosts_woken, memory_order_relaxed) !=
                woken ||
            atomic_load_explicit(&idle.host_cpu, memory_order_relaxed) ==
                (int)w->sm->cpu)
            return;
    } while (clock_now_ns() < end_ns);
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
                      bool (*has_work)(const struct worker *w),
                      void (*pass_on)(void))
{
    unsigned i = (unsigned)(w - idle.workers);
    assert(i < idle.count && idle.count <= EXEC_SM_MAX);
    crew_add(s, i);
    if (!has_work(w))
        return true;
    if (atomic_load(&w->sm->is_taken)) { /* by a helper: another one's turn */
        pass_on();
        return true;
    }
    return !crew_take(s, i);
}

void idle_wait(struct worker *w, bool (*has_work)(const struct worker *w),
               void (*pass_on)(void))
{
    unsigned spinning = WORKER_SPINNING;
    assert(is_awake(w)); /* and so in no set */
    atomic_store(&w->state, WORKER_SPINNING);
    if (!join_crew(&idle.spinning, w, has_work, pass_on))
        goto awake;
    spin_awhile(w);
    if (is_awake(w))
        return;
    if (!crew_take(&idle.spinning, (unsigned)(w - idle.workers))) {
        spin_until_woken(w);
        return;
    }
    if (!join_crew(&idle.asleep, w, has_work, pass_on))
        goto awake;
    atomic_compare_exchange_strong(&w->state, &spinning, WORKER_ASLEEP);
    while (!is_awake(w))
        futex_wait(&w->state, WORKER_ASLEEP);
    return;

awake:
    atomic_store(&w->state, WORKER_AWAKE);
}
