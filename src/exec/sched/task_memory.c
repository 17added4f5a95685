/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of tasks. One thread makes a task and another ends it: malloc
 * would take each out of one arena and put it back under that arena's lock, and
 * aligned blocks are its slowest. So blocks of one size are kept: a thread has
 * some of its own, and what others have freed is a stack, of which a thread
 * that has none left takes all at once (so no block comes back between the look
 * at the top and its exchange).
 */
#include "exec/internal.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/size.h"

/* Sizes of a block: a task for a launch on a few SMs with a few parameters,
 * and one on all SMs with not too many. */
#define BLOCK_LEAST  ((size_t)1024)
#define BLOCK_MOST   ((size_t)4096)
#define PARAMS_BYTES ((size_t)256)
/* How many free blocks are kept: on the stack, and by a thread of those it
 * freed. */
#define STACK_MOST WEFT_SIZE(1024, 2)
#define OWN_MOST   WEFT_SIZE(64, 1)

/* Where a sanitizer or a test counts allocations, nothing is kept. */
#if defined(__SANITIZE_ADDRESS__)
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

struct block {
    struct block *next;
};

static _Alignas(CACHE_LINE) _Atomic(struct block *) stack;
static atomic_uint stack_count; /* about */
static atomic_bool is_kept;
static _Atomic size_t block_bytes; /* 0: not known yet; never changes */

struct own {
    struct block *first;
    unsigned freed; /* by this thread, since it was empty */
    enum { OWN_UNKNOWN, OWN_FREED_AT_END, OWN_NOTHING } state;
};
static __thread struct own own;

static pthread_key_t end_key;
static pthread_once_t end_once = PTHREAD_ONCE_INIT;
static bool has_end_key;

static void free_all(struct block *b)
{
    while (b) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
}

static void end_thread(void *unused)
{
    (void)unused;
    free_all(own.first);
    own = (struct own){.state = OWN_NOTHING};
}

static void make_end_key(void)
{
    has_end_key = pthread_key_create(&end_key, end_thread) == 0;
}

/* May the thread keep blocks? They are freed when it ends. */
static bool may_own(void)
{
    if (own.state == OWN_UNKNOWN) {
        pthread_once(&end_once, make_end_key);
        bool ok = has_end_key && pthread_setspecific(end_key, &own) == 0;
        own.state = ok ? OWN_FREED_AT_END : OWN_NOTHING;
    }
    return own.state == OWN_FREED_AT_END;
}

/* Another core wrote to the next block last: prefetches it while a task is
 * made of the one in front of it. */
static void fetch_pages(struct block *b)
{
    for (size_t i = 0; b && i < BLOCK_LEAST; i += CACHE_LINE)
        __builtin_prefetch((char *)b + i, 1);
}

static size_t size_of_blocks(void)
{
    return atomic_load_explicit(&block_bytes, memory_order_relaxed);
}

void task_memory_start(unsigned ranges)
{
    size_t bytes =
        sizeof(struct exec_task) + ranges * sizeof(struct range) + PARAMS_BYTES;
    bytes = bytes < BLOCK_LEAST  ? BLOCK_LEAST
            : bytes > BLOCK_MOST ? BLOCK_MOST
                                 : bytes;
    /* The size is set once: threads keep blocks across stops and starts. */
    if (size_of_blocks() == 0)
        atomic_store_explicit(&block_bytes,
                              (bytes + CACHE_LINE - 1) & ~(CACHE_LINE - 1ul),
                              memory_order_relaxed);
    const char *text = getenv("WEFT_TASK_MEMORY");
    bool keep = !IS_SANITIZED && !(text && !strcmp(text, "0"));
    atomic_store_explicit(&is_kept, keep, memory_order_relaxed);
}

void *task_memory_alloc(size_t bytes)
{
    size_t size = size_of_blocks();
    if (size == 0) /* it may become a block */
        return aligned_alloc(CACHE_LINE, bytes < BLOCK_MOST
                                             ? BLOCK_MOST
                                             : (bytes + CACHE_LINE - 1) &
                                                   ~(CACHE_LINE - 1ul));
    assert(size >= BLOCK_LEAST && size % CACHE_LINE == 0);
    if (bytes > size)
        return aligned_alloc(CACHE_LINE,
                             (bytes + CACHE_LINE - 1) & ~(CACHE_LINE - 1ul));
    if (!own.first && atomic_load_explicit(&stack, memory_order_relaxed) &&
        may_own()) {
        /* Pairs with the push: the last use of the blocks comes before. */
        own.first =
            atomic_exchange_explicit(&stack, NULL, memory_order_acquire);
        own.freed = 0;
        atomic_store_explicit(&stack_count, 0, memory_order_relaxed);
    }
    struct block *b = own.first;
    if (!b)
        return aligned_alloc(CACHE_LINE, size);
    own.first = b->next;
    own.freed -= own.freed > 0;
    fetch_pages(own.first);
    return b;
}

static bool keep_own(struct block *b)
{
    if (own.freed >= OWN_MOST || !may_own())
        return false;
    assert((uintptr_t)b % CACHE_LINE == 0);
    b->next = own.first;
    own.first = b;
    own.freed++;
    return true;
}

/* Pushes a block for any thread to take. */
static bool keep_for_all(struct block *b)
{
    if (atomic_load_explicit(&stack_count, memory_order_relaxed) >= STACK_MOST)
        return false;
    atomic_fetch_add_explicit(&stack_count, 1, memory_order_relaxed);
    b->next = atomic_load_explicit(&stack, memory_order_relaxed);
    /* Pairs with the exchange in task_memory_alloc. */
    while (!atomic_compare_exchange_weak_explicit(
        &stack, &b->next, b, memory_order_release, memory_order_relaxed))
        ;
    return true;
}

void task_memory_free(void *memory, size_t bytes)
{
    struct block *b = memory;
    if (bytes > size_of_blocks() ||
        !atomic_load_explicit(&is_kept, memory_order_relaxed) ||
        !(keep_own(b) || keep_for_all(b)))
        free(b);
}

void task_memory_drop(void)
{
    /* Pairs with the push. */
    free_all(atomic_exchange_explicit(&stack, NULL, memory_order_acquire));
    atomic_store_explicit(&stack_count, 0, memory_order_relaxed);
}
