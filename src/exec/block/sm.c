/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An SM, and running blocks of a kernel on it. The kernel never runs on the
 * stack of the thread that took the SM: its stack has a known size, a guard,
 * and is left by one jump after a fault.
 */
#include "exec/internal.h"

#include <stdlib.h>

#define SOLO_STACK_BYTES ((size_t)64 << 20)

bool sm_init(struct sm *sm, uint32_t id, unsigned cpu,
             const struct sm_host *host)
{
    assert(host && host->take && host->is_cancelled);
    memset(sm, 0, sizeof *sm);
    sm->id = id;
    sm->cpu = cpu;
    sm->host = host;
    sm->block_slots = calloc(1, sizeof *sm->block_slots);
    if (!sm->block_slots)
        return false;
    sm->block_slots[0] = block_slot_create(sm);
    if (!sm->block_slots[0])
        goto free_places;
    sm->block_slot_count = 1;
    if (!stack_init(&sm->solo.stack, SOLO_STACK_BYTES))
        goto destroy_slot;
    return true;

destroy_slot:
    block_slot_destroy(sm->block_slots[0]);
free_places:
    free(sm->block_slots);
    return false;
}

void sm_fini(struct sm *sm)
{
    for (uint32_t i = 0; i < sm->block_slot_count; i++)
        block_slot_destroy(sm->block_slots[i]);
    free(sm->block_slots);
    free(sm->text);
    stack_fini(&sm->solo.stack);
}

static bool provide_solo_stack(struct sm *sm, size_t wanted)
{
    if (sm->solo.stack.size_bytes >= wanted)
        return true;
    struct stack s;
    if (!stack_init(&s, wanted))
        return false;
    stack_fini(&sm->solo.stack);
    sm->solo.stack = s;
    return true;
}

static void solo_main(void *data)
{
    struct sm *sm = data;
    assert(sm->current && sm->current->owner == sm);
    exec_call_kernel(sm->fn, sm->current);
    fiber_switch(&sm->solo, &sm->home);
}

static void solo_run(struct sm *sm, const struct exec_kernel *k, uint64_t first,
                     uint64_t end)
{
    assert(first < end && end <= k->launch.block_count);
    struct exec_warp w = {
        .launch = &k->launch,
        .shared = sm->block_slots[0]->own_shared,
        .stack_base = sm->solo.stack.low,
        .block_first = first,
        .block_end = end,
        .warp_first = 0,
        .warp_end = k->launch.warps_per_block,
        .sm_id = sm_number(sm, k),
        .owner = sm,
        .block_current = first,
        .warp_current = 0,
    };
    sm->current = &w;
    fiber_prepare(&sm->solo, solo_main, sm, 0);
    fiber_switch(&sm->home, &sm->solo);
}

/* Kernels run with round-to-nearest and with subnormals, whatever the helping
 * host thread has set. */
#if defined(__x86_64__)
static uint32_t rounding_enter(void)
{
    uint32_t mine = __builtin_ia32_stmxcsr();
    if (mine != 0x1f80)
        __builtin_ia32_ldmxcsr(0x1f80);
    return mine;
}
static void rounding_leave(uint32_t mine)
{
    __builtin_ia32_ldmxcsr(mine);
}
#elif defined(__aarch64__)
static uint64_t rounding_enter(void)
{
    uint64_t mine;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mine));
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
    return mine;
}
static void rounding_leave(uint64_t mine)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mine));
}
#endif

static void begin_kernel(struct sm *sm, const struct exec_kernel *k)
{
    /* Pairs with the store in jit's publish_full. */
    exec_kernel_fn *newer =
        k->newer ? atomic_load_explicit(k->newer, memory_order_acquire) : NULL;
    sm->fn = newer ? newer : k->fn;
    sm->fault = EXEC_OK;
    sm->current = NULL;
    sm->has_fibers = sm->is_resident = false;
    sm->step.state = STEP_OFF;
    sm->resident = NULL;
    sm->idle_limit = UINT32_MAX;
    fault_set_current(sm);
    sm->in_kernel = 1;
}

/* Frames that fiber_escape left are nobody's any more, of which the address
 * sanitizer has to be told. */
static void forget_frames(struct sm *sm)
{
#ifdef EXEC_ASAN
    const struct stack *s = &sm->solo.stack;
    ASAN_UNPOISON_MEMORY_REGION(s->low, s->size_bytes);
    for (uint32_t i = 0; i < sm->block_slot_count; i++)
        for (uint32_t k = 0; k < sm->block_slots[i]->slot_capacity; k++) {
            s = &sm->block_slots[i]->slots[k].fiber.stack;
            ASAN_UNPOISON_MEMORY_REGION(s->low, s->size_bytes);
        }
#else
    (void)sm;
#endif
}

/* A kernel that is left by fiber_escape ends here too. */
static enum exec_fault end_kernel(struct sm *sm)
{
    assert(!sm->held_lock);
    if (!sm->in_kernel)
        forget_frames(sm);
    sm->in_kernel = 0;
    fault_set_current(NULL);
    sm->has_fibers = sm->is_resident = false;
    sm->step.state = STEP_OFF;
    sm->resident = NULL;
    return sm->fault;
}

enum exec_fault sm_run(struct sm *sm, const struct exec_kernel *k,
                       uint64_t first, uint64_t end_block)
{
    uint32_t warps = k->launch.warps_per_block;
    assert(first <= end_block && warps > 0 && sm->block_slot_count > 0);
    assert(!sm->in_kernel && !sm->held_lock);
    bool takes_turns = k->has_barrier && warps > 1;
    if (takes_turns ? !block_slot_provide(sm->block_slots[0], k, warps)
                    : !provide_solo_stack(sm, stack_wanted(k)))
        return EXEC_FAULT_STACK;
    uint64_t mine = rounding_enter();
    begin_kernel(sm, k);
    if (takes_turns)
        warp_run_all(sm, k, first, end_block);
    else
        solo_run(sm, k, first, end_block);
    enum exec_fault fault = end_kernel(sm);
    rounding_leave((uint32_t)mine);
    return fault;
}

enum exec_fault sm_run_resident(struct sm *sm, const struct exec_kernel *k,
                                struct block_source *source)
{
    uint64_t mine = rounding_enter();
    begin_kernel(sm, k);
    resident_run(sm, k, source);
    enum exec_fault fault = end_kernel(sm);
    rounding_leave((uint32_t)mine);
    return fault;
}
