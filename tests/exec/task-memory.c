/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of tasks: each piece is one owner's until it is freed, whichever
 * thread frees it; it comes back to who needs one; no more than a limit is
 * kept, and nothing when its thread ends.
 */
#include "exec/internal.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

#include "check.h"

enum { THREADS = 4, ROUNDS = 20000, BYTES = 700, SLOTS = 64, MANY = 5000 };

/* What one thread puts here, another frees: every other thread only frees. */
static _Atomic(unsigned *) slots[SLOTS];

#define TAKEN 0x7a6b5c4du

/* Behind what a piece that is kept holds itself. */
static void mark(unsigned *p, unsigned old, unsigned new)
{
    _Atomic(unsigned) *at = (_Atomic(unsigned) *)&p[BYTES / 8];
    CHECK((atomic_exchange(at, new) == TAKEN) == (old == TAKEN));
}

static void *pass_around(void *data)
{
    unsigned id = (unsigned)(uintptr_t)data;
    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned *p = id % 2 ? NULL : task_memory_alloc(BYTES);
        if (p)
            mark(p, 0, TAKEN);
        unsigned *other = atomic_exchange(&slots[(id * 7 + i) % SLOTS], p);
        if (!other)
            continue;
        CHECK((uintptr_t)other % CACHE_LINE == 0);
        mark(other, TAKEN, 0);
        task_memory_free(other, BYTES);
    }
    return NULL;
}

static void *free_many(void *data)
{
    void **p = data;
    for (unsigned i = 0; i < MANY; i++)
        task_memory_free(p[i], BYTES);
    return NULL;
}

static size_t in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Whatever was there at most, little stays. */
static void check_limit(void)
{
    static void *p[MANY];
    pthread_t thread;
    size_t before = in_use();
    if (!before) /* a sanitizer's malloc does not say */
        return;
    for (unsigned i = 0; i < MANY; i++)
        p[i] = task_memory_alloc(BYTES);
    CHECK(in_use() >= before + (size_t)MANY * BYTES);
    CHECK(!pthread_create(&thread, NULL, free_many, p));
    CHECK(!pthread_join(thread, NULL));
    CHECK(in_use() < before + (size_t)2000 * 2048);
    task_memory_drop();
    CHECK(in_use() < before + (size_t)100 * 1024);
}

int main(void)
{
    pthread_t threads[THREADS];
    /* Made before it is known how large blocks are, it is one all the same. */
    void *early = task_memory_alloc(100);
    task_memory_start(16);
    task_memory_free(early, 100);
    size_t whole = sizeof(struct exec_task) + 16 * sizeof(struct range);
    void *first = task_memory_alloc(whole);
    CHECK(first == early && malloc_usable_size(first) >= whole);
    task_memory_free(first, whole);
    /* Blocks stay as large as they were. */
    task_memory_start(60);
    void *again = task_memory_alloc(BYTES);
    CHECK(again == first);
    void *large = task_memory_alloc(100000);
    CHECK(large && (uintptr_t)large % CACHE_LINE == 0);
    task_memory_free(large, 100000);
    task_memory_free(again, BYTES);

    check_limit();
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, pass_around, (void *)i));
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(!pthread_join(threads[i], NULL));
    for (unsigned i = 0; i < SLOTS; i++)
        if (slots[i]) {
            mark(slots[i], TAKEN, 0);
            task_memory_free(slots[i], BYTES);
        }
    return check_result();
}
