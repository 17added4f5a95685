/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing what kernels touch: see reach.h. */
#include "exec/reach.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(exec_reach_fn *) find_reach;
static _Atomic uint64_t epoch;

/* Both in one window that moves on by no less than its length for each block,
 * so that no two blocks meet in it. */
static bool is_own(const struct exec_touch *a, const struct exec_touch *b)
{
    int64_t step = a->step_bytes < 0 ? -a->step_bytes : a->step_bytes;
    int64_t first = a->first < b->first ? a->first : b->first;
    int64_t end = a->end > b->end ? a->end : b->end;
    return a->step_bytes == b->step_bytes && step != 0 && end - first <= step;
}

static bool is_apart(const struct exec_touch *a, const struct exec_touch *b)
{
    assert(a->first <= a->end && b->first <= b->end);
    return (!a->writes && !b->writes) || a->high <= b->low ||
           b->high <= a->low || is_own(a, b);
}

bool exec_reach_is_apart(const struct exec_reach *a, const struct exec_reach *b)
{
    assert(a->count <= EXEC_TOUCHES_MAX && b->count <= EXEC_TOUCHES_MAX);
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++)
            if (!is_apart(&a->touch[i], &b->touch[j]))
                return false;
    return true;
}

void exec_on_reach(exec_reach_fn *fn)
{
    /* Pairs with the load in exec_reach_of. */
    atomic_store_explicit(&find_reach, fn, memory_order_release);
}

bool exec_reach_of(const struct exec_kernel *k, struct exec_reach *out)
{
    /* Pairs with the store in exec_on_reach. */
    exec_reach_fn *fn = atomic_load_explicit(&find_reach, memory_order_acquire);
    out->count = 0;
    return fn && fn(k, out);
}

void exec_reach_expire(void)
{
    atomic_fetch_add_explicit(&epoch, 1, memory_order_relaxed);
}

uint64_t exec_reach_epoch(void)
{
    return atomic_load_explicit(&epoch, memory_order_relaxed);
}
