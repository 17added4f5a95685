/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An SM: its shared memory, its stacks, and running blocks of a kernel on
 * them. The kernel never runs on the stack of the thread that took the SM:
 * its stack has a known size, a guard, and is left by one jump after a fault.
 */
#include "exec/internal.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Shared addresses are 32-bit offsets, so with 4 GiB of address space behind
 * the window a stray one faults. */
#define SHARED_BYTES      ((size_t)228 << 10)
#define SHARED_MAP_BYTES  ((size_t)4 << 30)
#define SHARED_MAP_LITTLE ((size_t)1 << 20)

/* For helpers (printf) and what the compiler did not count. */
#define STACK_MARGIN     ((size_t)64 << 10)
#define WARP_STACK_BYTES ((size_t)256 << 10)
#define SOLO_STACK_BYTES ((size_t)64 << 20)
/* Recursion: how deep is unknown. */
#define WARP_STACK_MAXIMUM ((size_t)8 << 20)

static bool map_shared(struct sm *sm)
{
    size_t bytes = SHARED_MAP_BYTES;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    uint8_t *map = mmap(NULL, bytes, PROT_NONE, flags, -1, 0);
    if (map == MAP_FAILED) { /* little address space: ulimit -v */
        bytes = SHARED_MAP_LITTLE;
        map = mmap(NULL, bytes, PROT_NONE, flags, -1, 0);
    }
    if (map == MAP_FAILED)
        return false;
    if (mprotect(map, SHARED_BYTES, PROT_READ | PROT_WRITE)) {
        munmap(map, bytes);
        return false;
    }
    sm->shared = map;
    sm->shared_map_bytes = bytes;
    return true;
}

bool sm_init(struct sm *sm, uint32_t id, unsigned cpu)
{
    memset(sm, 0, sizeof *sm);
    sm->id = id;
    sm->cpu = cpu;
    if (!map_shared(sm))
        return false;
    if (!stack_init(&sm->solo.stack, SOLO_STACK_BYTES)) {
        munmap(sm->shared, sm->shared_map_bytes);
        return false;
    }
    return true;
}

void sm_fini(struct sm *sm)
{
    for (unsigned i = 0; i < WARPS_PER_BLOCK; i++)
        stack_fini(&sm->slots[i].fiber.stack);
    stack_fini(&sm->solo.stack);
    munmap(sm->shared, sm->shared_map_bytes);
}

static size_t wanted_stack(const struct exec_kernel *k)
{
    if (k->stack_bytes == 0)
        return WARP_STACK_MAXIMUM;
    size_t bytes = k->stack_bytes + STACK_MARGIN;
    return bytes < WARP_STACK_BYTES ? WARP_STACK_BYTES : bytes;
}

/* The first `count` warps get stacks of at least the wanted size. */
static bool provide_stacks(struct sm *sm, size_t wanted, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct stack *s = &sm->slots[i].fiber.stack;
        if (s->size_bytes >= wanted)
            continue;
        stack_fini(s);
        if (!stack_init(s, wanted))
            return false;
    }
    return true;
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

CALLS_KERNEL static void solo_main(void *data)
{
    struct sm *sm = data;
    sm->fn(sm->solo_warp);
    fiber_switch(&sm->solo, &sm->home);
}

static void solo_run(struct sm *sm, const struct exec_kernel *k, uint64_t first,
                     uint64_t end)
{
    struct exec_warp w = {
        .launch = &k->launch,
        .shared = sm->shared,
        .stack_base = sm->solo.stack.low,
        .block_first = first,
        .block_end = end,
        .warp_first = 0,
        .warp_end = k->launch.warps_per_block,
        .sm_id = sm->id,
        .owner = sm,
        .block_current = first,
        .warp_current = 0,
    };
    sm->solo_warp = &w;
    fiber_prepare(&sm->solo, solo_main, sm, 0);
    fiber_switch(&sm->home, &sm->solo);
}

/* Kernels start with round-to-nearest and full subnormals, whatever the
 * host thread that helps has set. */
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

enum exec_fault sm_run(struct sm *sm, const struct exec_kernel *k,
                       uint64_t first, uint64_t end)
{
    bool is_ring = k->has_barrier && k->launch.warps_per_block > 1;
    size_t wanted = wanted_stack(k);
    bool has_stacks =
        is_ring ? provide_stacks(sm, wanted, k->launch.warps_per_block)
                : provide_solo_stack(sm, wanted);
    if (!has_stacks)
        return EXEC_FAULT_STACK;

    sm->fn = k->fn;
    sm->fault = EXEC_OK;
    fault_set_current(sm);
    uint64_t mine = rounding_enter();
    sm->in_kernel = 1;
    if (is_ring)
        ring_run(sm, k, first, end);
    else
        solo_run(sm, k, first, end);
    /* A fault arrives here too, by fiber_escape. */
    sm->in_kernel = 0;
    rounding_leave((uint32_t)mine);
    fault_set_current(NULL);
    sm->ring.is_running = sm->ring.is_in_step = false;
    return sm->fault;
}

struct exec_warp *sm_current_warp(struct sm *sm)
{
    return sm->ring.is_running ? &sm->slots[sm->ring.current].warp
                               : sm->solo_warp;
}
