/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device malloc: one region, mapped at first use and cut into blocks that
 * know their neighbours' sizes, so that freed ones grow together again. Free
 * blocks hang in lists by power of two. Thousands of threads allocate alike
 * small blocks at once, so both operations are a few loads under one lock.
 */
#include "exec/internal.h"

#include <stdlib.h>
#include <sys/mman.h>

#define HEAP_DEFAULT_BYTES ((size_t)8 << 20)
#define HEAP_LEAST_BYTES   ((size_t)4 << 20) /* as on hardware */
#define UNIT               16 /* alignment, and the header's size */
/* Blocks have their sizes in units, of 32 bits. */
#define HEAP_MOST_BYTES    (((size_t)UINT32_MAX * UNIT) & ~(size_t)4095)
#define LIST_COUNT         48
#define IN_USE             UINT64_C(1)
#define MAGIC              UINT32_C(0x57454654)

/* Stands before every block; blocks lie side by side. */
struct block {
    uint64_t size_and_use; /* bytes with header, multiple of UNIT; IN_USE */
    uint32_t previous;     /* units of the block before, 0: the first */
    uint32_t magic;        /* of blocks in use: catches foreign pointers */
    struct list in_free;   /* free blocks only */
};
#define HEADER_BYTES offsetof(struct block, in_free)
static_assert(HEADER_BYTES == UNIT, "blocks stay aligned");
#define LEAST_BYTES (sizeof(struct block))

static struct {
    atomic_flag lock;
    atomic_bool is_mapped; /* base is not NULL; for those without the lock */
    uint8_t *base;
    size_t size_bytes; /* mapped, or wanted before the first use */
    size_t used_bytes;
    struct list lists[LIST_COUNT];
    uint64_t has_free; /* lists that may hold something, by bit */
} heap = {.lock = ATOMIC_FLAG_INIT, .size_bytes = HEAP_DEFAULT_BYTES};

static uint64_t block_bytes(const struct block *b)
{
    return b->size_and_use & ~IN_USE;
}

static bool is_in_use(const struct block *b)
{
    return b->size_and_use & IN_USE;
}

static struct block *block_after(struct block *b)
{
    uint8_t *p = (uint8_t *)b + block_bytes(b);
    assert(p > (uint8_t *)b && p <= heap.base + heap.size_bytes);
    return p < heap.base + heap.size_bytes ? (struct block *)p : NULL;
}

static struct block *block_before(struct block *b)
{
    return b->previous
               ? (struct block *)((uint8_t *)b - (uint64_t)b->previous * UNIT)
               : NULL;
}

static unsigned list_of(uint64_t bytes)
{
    assert(bytes > 0);
    unsigned log = 63 - (unsigned)__builtin_clzll(bytes);
    return log < LIST_COUNT ? log : LIST_COUNT - 1;
}

static void set_size(struct block *b, uint64_t bytes)
{
    assert(bytes >= LEAST_BYTES && bytes % UNIT == 0);
    b->size_and_use = bytes;
    struct block *after = block_after(b);
    if (after)
        after->previous = (uint32_t)(bytes / UNIT);
}

static void add_free(struct block *b)
{
    assert(!is_in_use(b));
    unsigned i = list_of(block_bytes(b));
    b->magic = 0;
    /* At the front: what was freed last is in the cache. */
    list_push(heap.lists[i].next, &b->in_free);
    heap.has_free |= UINT64_C(1) << i;
}

static bool map_heap(void)
{
    uint8_t *base = mmap(NULL, heap.size_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return false;
    heap.base = base;
    atomic_store_explicit(&heap.is_mapped, true, memory_order_relaxed);
    heap.used_bytes = 0;
    heap.has_free = 0;
    for (unsigned i = 0; i < LIST_COUNT; i++)
        list_init(&heap.lists[i]);
    struct block *all = (struct block *)base;
    all->previous = 0;
    set_size(all, heap.size_bytes);
    add_free(all);
    return true;
}

/* The first block that is large enough, from the first list that may have
 * one. */
static struct block *find_free(uint64_t bytes)
{
    uint64_t lists = heap.has_free & ~((UINT64_C(1) << list_of(bytes)) - 1);
    for (; lists; lists &= lists - 1) {
        unsigned i = (unsigned)__builtin_ctzll(lists);
        list_for_each(struct block, b, &heap.lists[i], in_free)
        {
            if (block_bytes(b) >= bytes)
                return b;
        }
        if (list_is_empty(&heap.lists[i]))
            heap.has_free &= ~(UINT64_C(1) << i);
    }
    return NULL;
}

/* Splits b, which is in no list, in two; returns the second. */
static struct block *split_block(struct block *b, uint64_t first_bytes)
{
    uint64_t rest = block_bytes(b) - first_bytes;
    set_size(b, first_bytes);
    struct block *second = block_after(b);
    set_size(second, rest);
    return second;
}

/* The part of b whose memory behind the header is aligned: b itself, or its
 * end. */
static struct block *skip_to(struct block *b, uint64_t alignment)
{
    uint64_t memory = (uintptr_t)b + HEADER_BYTES;
    if (memory % alignment == 0)
        return b;
    /* What is left in front is a block, too. */
    uint64_t skipped = -(memory + LEAST_BYTES) % alignment + LEAST_BYTES;
    struct block *aligned = split_block(b, skipped);
    add_free(b);
    return aligned;
}

static void *allocate_block(uint64_t size_bytes, uint64_t alignment)
{
    if (size_bytes > heap.size_bytes || alignment > heap.size_bytes ||
        (!heap.base && !map_heap()))
        return NULL;
    uint64_t bytes = (size_bytes + HEADER_BYTES + UNIT - 1) / UNIT * UNIT;
    if (bytes < LEAST_BYTES)
        bytes = LEAST_BYTES;
    uint64_t skipped = alignment > UNIT ? alignment + LEAST_BYTES : 0;
    struct block *b = find_free(bytes + skipped);
    if (!b)
        return NULL;
    assert(!is_in_use(b) && block_bytes(b) >= bytes + skipped);
    list_remove(&b->in_free);
    b = skip_to(b, alignment);
    if (block_bytes(b) - bytes >= LEAST_BYTES)
        add_free(split_block(b, bytes));
    heap.used_bytes += block_bytes(b);
    assert(heap.used_bytes <= heap.size_bytes);
    b->size_and_use |= IN_USE;
    b->magic = MAGIC;
    return (uint8_t *)b + HEADER_BYTES;
}

/* Frees the block at `address`. False: no block of this heap begins there. */
static bool release_chunk(uint64_t address)
{
    uint64_t base = (uintptr_t)heap.base;
    if (!heap.base || address < base + HEADER_BYTES ||
        address >= base + heap.size_bytes || address % UNIT)
        return false;
    struct block *b = (struct block *)(uintptr_t)(address - HEADER_BYTES);
    if (b->magic != MAGIC || !is_in_use(b))
        return false;
    assert(heap.used_bytes >= block_bytes(b));
    heap.used_bytes -= block_bytes(b);
    uint64_t bytes = block_bytes(b);
    struct block *after = block_after(b), *before = block_before(b);
    if (after && !is_in_use(after)) {
        list_remove(&after->in_free);
        bytes += block_bytes(after);
    }
    b->magic = 0;
    if (before && !is_in_use(before)) {
        list_remove(&before->in_free);
        bytes += block_bytes(before);
        b = before;
    }
    set_size(b, bytes);
    add_free(b);
    return true;
}

uint64_t heap_malloc(struct sm *sm, uint64_t size_bytes, uint64_t alignment)
{
    bool good = alignment && !(alignment & (alignment - 1));
    helper_lock(sm, &heap.lock);
    void *p = good ? allocate_block(size_bytes, alignment) : NULL;
    helper_unlock(sm, &heap.lock);
    return (uint64_t)(uintptr_t)p;
}

void heap_free(struct sm *sm, uint64_t address)
{
    if (!address)
        return;
    helper_lock(sm, &heap.lock);
    bool ok = release_chunk(address);
    helper_unlock(sm, &heap.lock);
    if (!ok)
        fault_raise(sm, EXEC_FAULT_TRAP);
}

/* Is there a block in use whose memory has the address? The lock is held. */
static bool has_address(const struct block *b, uint64_t address)
{
    uint64_t base = (uintptr_t)heap.base, at = (uintptr_t)b;
    if (b->magic != MAGIC || !is_in_use(b) || block_bytes(b) < LEAST_BYTES ||
        block_bytes(b) > base + heap.size_bytes - at)
        return false;
    const struct block *after = block_after((struct block *)b);
    return (!after || after->previous == block_bytes(b) / UNIT) &&
           address - at >= HEADER_BYTES && address - at < block_bytes(b);
}

bool exec_heap_has(const void *p)
{
    if (!atomic_load_explicit(&heap.is_mapped, memory_order_relaxed))
        return false;
    helper_lock(NULL, &heap.lock);
    bool is_heap =
        heap.base && (uintptr_t)p - (uintptr_t)heap.base < heap.size_bytes;
    helper_unlock(NULL, &heap.lock);
    return is_heap;
}

static const struct block *last_found; /* by exec_heap_holds */

bool exec_heap_holds(const void *p, size_t size_bytes)
{
    uint64_t base = (uintptr_t)heap.base, address = (uintptr_t)p;
    helper_lock(NULL, &heap.lock);
    bool is_heap = heap.base && address - base < heap.size_bytes;
    const struct block *b =
        is_heap && last_found && has_address(last_found, address) ? last_found
                                                                  : NULL;
    for (uint64_t at = address & ~(uint64_t)(UNIT - 1);
         is_heap && !b && at >= base; at -= UNIT) {
        if (has_address((const void *)(uintptr_t)at, address))
            b = (const void *)(uintptr_t)at;
    }
    bool ok = !is_heap ||
              (b && size_bytes <= (uintptr_t)b + block_bytes(b) - address);
    last_found = b ? b : last_found;
    helper_unlock(NULL, &heap.lock);
    return ok;
}

bool exec_heap_set_size(size_t size_bytes)
{
    if (size_bytes < HEAP_LEAST_BYTES)
        size_bytes = HEAP_LEAST_BYTES;
    if (size_bytes > HEAP_MOST_BYTES)
        size_bytes = HEAP_MOST_BYTES;
    size_bytes = (size_bytes + 4095) & ~(size_t)4095;
    helper_lock(NULL, &heap.lock);
    bool ok = !heap.base;
    if (ok)
        heap.size_bytes = size_bytes;
    helper_unlock(NULL, &heap.lock);
    return ok;
}

void exec_heap_reset(void)
{
    helper_lock(NULL, &heap.lock);
    if (heap.base)
        munmap(heap.base, heap.size_bytes);
    heap.base = NULL;
    atomic_store_explicit(&heap.is_mapped, false, memory_order_relaxed);
    last_found = NULL;
    heap.used_bytes = 0;
    heap.size_bytes = HEAP_DEFAULT_BYTES;
    helper_unlock(NULL, &heap.lock);
}

size_t exec_heap_size(void)
{
    helper_lock(NULL, &heap.lock);
    size_t bytes = heap.size_bytes;
    helper_unlock(NULL, &heap.lock);
    return bytes;
}
