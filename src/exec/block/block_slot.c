/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a block is while it runs on an SM: a shared window and a stack for
 * each of its warps. The SM keeps its slots, since mapping memory takes
 * longer than most blocks do.
 */
#include "exec/internal.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/size.h"

/* Shared addresses are 32-bit offsets with a sign, so with 2 GiB of address
 * space on both sides a stray one faults; generic ones may stray farther. */
#define SHARED_SIDE        ((size_t)2 << 30)
#define SHARED_SIDE_LITTLE ((size_t)1 << 20)

/* Room for helpers (printf) and for stack that the compiler did not count. */
#define STACK_MARGIN     (((size_t)64 << 10) + STACK_COLORS * STACK_COLOR_BYTES)
#define WARP_STACK_BYTES ((size_t)256 << 10)
/* For recursive kernels, whose depth is unknown. */
#define WARP_STACK_RECURSIVE ((size_t)8 << 20)

/* Only so few stacks have a guard each: a process may have some ten thousand
 * mappings. */
#define GUARDED_MAX WEFT_SIZE(64, 1)

static bool map_shared(struct block_slot *p)
{
    size_t side = SHARED_SIDE;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    uint8_t *map = mmap(NULL, 2 * side, PROT_NONE, flags, -1, 0);
    if (map == MAP_FAILED) { /* little address space: ulimit -v */
        side = SHARED_SIDE_LITTLE;
        map = mmap(NULL, 2 * side, PROT_NONE, flags, -1, 0);
    }
    if (map == MAP_FAILED)
        return false;
    if (mprotect(map + side, EXEC_SHARED_BYTES, PROT_READ | PROT_WRITE)) {
        munmap(map, 2 * side);
        return false;
    }
    p->own_shared = map + side;
    p->shared_side_bytes = side;
    return true;
}

static atomic_uint total;

unsigned block_slot_total(void)
{
    return atomic_load_explicit(&total, memory_order_relaxed);
}

struct block_slot *block_slot_create(struct sm *sm)
{
    struct block_slot *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->sm = sm;
    if (!map_shared(p)) {
        free(p);
        return NULL;
    }
    cluster_alone(p);
    atomic_fetch_add_explicit(&total, 1, memory_order_relaxed);
    return p;
}

static void free_slots(struct block_slot *p)
{
    for (uint32_t i = 0; i < p->slot_capacity; i++)
        stack_fini(&p->slots[i].fiber.stack);
    free(p->slots);
    stack_fini(&p->slab);
    p->slots = NULL;
    p->slot_capacity = 0;
}

void block_slot_destroy(struct block_slot *p)
{
    if (!p)
        return;
    collective_destroy(p);
    free_slots(p);
    cluster_free_window(p);
    munmap(p->own_shared - p->shared_side_bytes, 2 * p->shared_side_bytes);
    free(p);
    atomic_fetch_sub_explicit(&total, 1, memory_order_relaxed);
}

/* ---- stacks ----------------------------------------------------------- */

/* Stack of a warp whose kernel is recursive; exec_set_stack_limit changes
 * it. */
static _Atomic size_t recursive_stack_bytes = WARP_STACK_RECURSIVE;

void exec_set_stack_limit(size_t thread_bytes)
{
    /* Four times what 32 threads may use: registers that calls save, and masks,
     * lie there too. */
    size_t bytes = thread_bytes * WEFT_WARP_LANES * 4;
    bytes = (bytes + 4095) & ~(size_t)4095;
    atomic_store(&recursive_stack_bytes,
                 bytes < WARP_STACK_RECURSIVE ? WARP_STACK_RECURSIVE : bytes);
}

size_t stack_wanted(const struct exec_kernel *k)
{
    if (k->stack_bytes == 0)
        return atomic_load_explicit(&recursive_stack_bytes,
                                    memory_order_relaxed);
    size_t bytes = k->stack_bytes + STACK_MARGIN;
    assert(bytes > k->stack_bytes);
    return bytes < WARP_STACK_BYTES ? WARP_STACK_BYTES : bytes;
}

static bool provide_slots(struct block_slot *p, uint32_t count)
{
    if (p->slot_capacity >= count)
        return true;
    assert(count <= WARPS_MAX);
    size_t bytes = count * sizeof *p->slots;
    bytes = (bytes + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1);
    struct warp_slot *slots = aligned_alloc(CACHE_LINE, bytes);
    if (!slots)
        return false;
    free_slots(p);
    memset(slots, 0, bytes);
    p->slots = slots;
    p->slot_capacity = count;
    return true;
}

/* One mapping for the stacks of all slots, without guards between them. */
static bool carve_stacks(struct block_slot *p, size_t wanted)
{
    if (p->slots[0].fiber.stack.size_bytes >= wanted)
        return true;
    wanted = (wanted + 4095) & ~(size_t)4095;
    struct stack slab;
    if (!stack_init(&slab, wanted * p->slot_capacity))
        return false;
    for (uint32_t i = 0; i < p->slot_capacity; i++) {
        stack_fini(&p->slots[i].fiber.stack);
        p->slots[i].fiber.stack = (struct stack){
            .low = slab.low + i * wanted,
            .size_bytes = wanted,
        };
    }
    stack_fini(&p->slab);
    p->slab = slab;
    return true;
}

/* The first `count` warps get stacks of at least the wanted size. */
static bool guarded_stacks(struct block_slot *p, size_t wanted, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct stack *s = &p->slots[i].fiber.stack;
        if (s->size_bytes >= wanted)
            continue;
        stack_fini(s);
        if (!stack_init(s, wanted))
            return false;
    }
    return true;
}

bool block_slot_provide(struct block_slot *p, const struct exec_kernel *k,
                        uint32_t fibers)
{
    size_t wanted = stack_wanted(k);
    if (!provide_slots(p, fibers))
        return false;
    if (k->launch.lane_count == 1 && !collective_provide(p))
        return false;
    bool is_guarded =
        p == p->sm->block_slots[0] && p->slot_capacity <= GUARDED_MAX;
    return is_guarded ? guarded_stacks(p, wanted, fibers)
                      : carve_stacks(p, wanted);
}

/* ---- starting --------------------------------------------------------- */

void block_slot_start(struct block_slot *p, const struct exec_kernel *k,
                      uint32_t fibers, void (*entry)(void *slot_warp),
                      uint64_t first, uint64_t end)
{
    const struct exec_launch *l = &k->launch;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    assert(fibers >= 1 && fibers <= p->slot_capacity);
    assert(p->cluster && p->cluster_rank < p->cluster->size);
    assert(p->shared && first <= end);

    p->count = fibers;
    p->words = set_words(fibers);
    p->lane_count = fibers == l->warps_per_block ? l->lane_count : threads;
    p->thread_count = (threads + 31) / 32 * 32;
    for (uint32_t i = 0; i < fibers; i++) {
        struct warp_slot *slot = &p->slots[i];
        bool is_alone = fibers == 1;
        assert(slot->fiber.stack.low);
        slot->block_slot = p;
        slot->phase = 0;
        slot->cluster_arrivals = p->cluster->phase;
        slot->cluster_lanes = 0;
        slot->warp = (struct exec_warp){
            .launch = l,
            .shared = p->shared,
            .stack_base = slot->fiber.stack.low,
            .block_first = first,
            .block_end = end,
            .warp_first = i,
            .warp_end = is_alone ? l->warps_per_block : i + 1,
            .sm_id = sm_number(p->sm, k),
            .cluster_rank = p->cluster_rank,
            .owner = p->sm,
            .block_current = first,
            .warp_current = i,
        };
        fiber_prepare(&slot->fiber, entry, &slot->warp, p->color + i);
    }
}
