/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a kernel's blocks take, and so how much work is left: the scheduler
 * asks before it wakes a thread to share a kernel.
 */
#include "exec/internal.h"

/* Blocks have to run for this long before their pace is believed: the first
 * ones are slower. */
#define PACE_NS 1000

static uint64_t block_count(const struct exec_task *t)
{
    const struct exec_launch *l = &t->kernel.launch;
    assert(t->kind == EXEC_TASK_KERNEL && l->cluster_blocks > 0);
    return l->block_count / l->cluster_blocks;
}

uint64_t pace_left_ns(const struct exec_task *t, const struct pace *p)
{
    uint64_t past_ns = clock_now_ns() - p->begin_ns;
    if (past_ns < PACE_NS)
        return 0;
    assert(p->finished > 0 && p->finished <= block_count(t));
    return (uint64_t)((double)past_ns * (double)(block_count(t) - p->finished) /
                      (double)p->finished);
}

/*
 * What blocks of a kernel took in its last run, by a hash of kernel and grid,
 * which another kernel may share. Without it a few long blocks would run one
 * after the other: whoever ends the first wakes two threads, each of which
 * wakes two more. A product of matrices, 16 blocks of 60 ms on 16 cores, took
 * 2.1 times as long as its blocks do.
 */
static _Atomic uint32_t known_ns[256];

static _Atomic uint32_t *known_of(const struct exec_task *t)
{
    const struct exec_launch *l = &t->kernel.launch;
    uint64_t key =
        l->function ? (uintptr_t)l->function : (uintptr_t)t->kernel.fn;
    key = (key ^ l->block_count << 32) * 0x9e3779b97f4a7c15u;
    return &known_ns[key >> 56];
}

uint64_t pace_known_ns(const struct exec_task *t)
{
    uint64_t each = atomic_load_explicit(known_of(t), memory_order_relaxed);
    return each * block_count(t);
}

void pace_note(const struct exec_task *t, const struct pace *p)
{
    if (!t->is_shared || !p->finished)
        return;
    _Atomic uint32_t *known = known_of(t);
    uint64_t each = (clock_now_ns() - p->begin_ns) / p->finished;
    uint32_t old = atomic_load_explicit(known, memory_order_relaxed);
    if (each > UINT32_MAX)
        each = UINT32_MAX;
    /* Written only if it has changed much: all SMs come here. */
    if (each / 2 > old || each < old / 2)
        atomic_store_explicit(known, (uint32_t)each, memory_order_relaxed);
}
