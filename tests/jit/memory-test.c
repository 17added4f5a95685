/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler's heap (codegen/heap.c), without a compiler: pieces of all sizes
 * keep what is written to them, whoever frees them and whenever.
 */
#include "codegen/codegen.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define PIECES 4000

struct piece {
    unsigned char *p;
    size_t size_bytes;
    unsigned char fill;
};

static void fail(const char *what)
{
    fprintf(stderr, "memory-test: %s\n", what);
    exit(1);
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static void check(const struct piece *x)
{
    for (size_t i = 0; i < x->size_bytes; i++)
        if (x->p[i] != x->fill)
            fail("a piece does not hold what was written to it");
}

/* Mostly small, now and then more than the heap takes. */
static size_t any_size(uint32_t *seed)
{
    return next(seed) % (size_t)(1 << (4 + next(seed) % 15));
}

static void change(struct piece *x, uint32_t *seed)
{
    static const unsigned char zeros[1 << 18];

    check(x);
    size_t size = any_size(seed);
    switch (next(seed) % 4) {
    case 0:
        free(x->p);
        x->p = malloc(size);
        break;
    case 1:
        free(x->p);
        x->p = calloc(size ? size : 1, 1);
        if (memcmp(x->p, zeros, size))
            fail("calloc does not clear");
        break;
    case 2:
        free(x->p);
        x->p = aligned_alloc(64, (size + 63) & -(size_t)64);
        if ((size_t)x->p % 64)
            fail("aligned_alloc does not align");
        break;
    default:
        x->p = realloc(x->p, size ? size : 1);
        x->size_bytes = size < x->size_bytes ? size : x->size_bytes;
        check(x);
    }
    if (!x->p || (size_t)x->p % 16)
        fail("no piece, or none that is aligned");
    x->size_bytes = size;
    x->fill = (unsigned char)next(seed);
    memset(x->p, x->fill, size);
}

static void free_all(struct piece *pieces)
{
    for (unsigned i = 0; i < PIECES; i++) {
        check(&pieces[i]);
        free(pieces[i].p);
    }
}

/* Some live on from one compilation to the next; what was allocated while the
 * heap was suspended is the C library's. */
static void *compile(void *data)
{
    uint32_t seed = *(uint32_t *)data;
    static _Thread_local struct piece pieces[PIECES], kept[PIECES];

    for (unsigned round = 0; round < 2; round++) {
        codegen_heap_begin();
        for (unsigned i = 0; i < 2 * PIECES; i++)
            change(&pieces[next(&seed) % PIECES], &seed);
        codegen_heap_suspend();
        for (unsigned i = 0; i < PIECES; i++)
            change(&kept[i], &seed);
        codegen_heap_resume();
        free_all(pieces);
        memset(pieces, 0, sizeof pieces);
        for (unsigned i = 0; i < PIECES; i += 16)
            change(&pieces[i], &seed);
        codegen_heap_end();
        free_all(kept);
        memset(kept, 0, sizeof kept);
    }
    free_all(pieces); /* of a heap that this thread does not have any more */
    return NULL;
}

int main(void)
{
    uint32_t seeds[3] = {1, 2, 3};
    pthread_t threads[3];

    for (unsigned i = 0; i < 3; i++)
        if (pthread_create(&threads[i], NULL, compile, &seeds[i]))
            fail("no thread");
    for (unsigned i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
