/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which idle workers are woken to share a kernel, and how many. They get the
 * task with the wake-up, without a look at the queue.
 */
#include "exec/internal.h"

/* Work that is worth waking a thread for. With less, waking it and fetching
 * what it wrote take longer. A sleeping thread costs a system call, and comes
 * when a short kernel has ended. Measured on 16 cores. */
#define SPINNER_WORTH_NS 3000
#define SLEEPER_WORTH_NS 40000
#define WOKEN_MAX        64 /* at once; they wake others */

/* Wakes up to `count` workers that spin. Returns how many. */
static unsigned wake_spinners(struct exec_task *t, uint64_t count)
{
    struct worker *woken[WOKEN_MAX];
    unsigned most = count < WOKEN_MAX ? (unsigned)count : WOKEN_MAX;
    unsigned found = idle_pop_spinners(t->sms, woken, most);
    if (found)
        task_refs(t, found);
    for (unsigned i = 0; i < found; i++) {
        woken[i]->given = t;
        idle_wake_spinner(woken[i]);
    }
    return found;
}

/* Wakes up to `count` workers, first those that spin; of those asleep up to
 * `sleepers`. Returns how many. */
static unsigned wake_workers(struct exec_task *t, uint64_t count,
                             unsigned sleepers)
{
    unsigned woken = wake_spinners(t, count);
    for (; woken < count && sleepers; woken++) {
        struct worker *w = idle_pop(t->sms);
        if (!w)
            break;
        sleepers -= idle_is_asleep(w);
        task_refs(t, 1);
        w->given = t;
        idle_wake(w);
    }
    return woken;
}

/* Wakes as many workers as the rest of the kernel is worth, if there are
 * blocks for them. Of those asleep it wakes two, who wake others. */
static void wake_for_ns(struct exec_task *t, uint64_t left_ns)
{
    unsigned sleepers = left_ns > SLEEPER_WORTH_NS ? 2 : 0;
    uint64_t worth = left_ns / SPINNER_WORTH_NS;
    uint64_t left = atomic_load_explicit(&t->unclaimed, memory_order_relaxed);
    if (worth > left && !t->is_ordered)
        worth = left;
    if (!left || !worth)
        return;
    wake_workers(t, worth, sleepers);
}

static bool has_ranges_left(const struct exec_task *t)
{
    return t->is_shared && claim_is_range_left(t);
}

void wake_for_known(struct exec_task *t)
{
    uint64_t known_ns = pace_known_ns(t);
    if (known_ns && has_ranges_left(t))
        wake_for_ns(t, known_ns);
}

bool wake_for_rest(struct exec_task *t, const struct pace *p)
{
    bool is_left = has_ranges_left(t);
    if (is_left)
        wake_for_ns(t, pace_left_ns(t, p));
    return is_left;
}

void wake_for_waiting(struct exec_task *t)
{
    if (t->is_shared)
        wake_for_ns(t, UINT64_MAX);
}

unsigned wake_invite(struct exec_task *run, unsigned count,
                     bool may_wake_sleeper)
{
    return wake_workers(run, count, may_wake_sleeper);
}
