/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arenas: a chain of chunks that grow geometrically; memory is handed out
 * from the newest. Chunks come from calloc, so what is handed out is zero.
 */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

#define ARENA_ALIGN ((size_t)16)
#ifdef WEFT_CRAMPED
#define ARENA_CHUNK_MIN ((size_t)64)
#define ARENA_CHUNK_MAX ((size_t)64)
#else
#define ARENA_CHUNK_MIN ((size_t)4096)
#define ARENA_CHUNK_MAX ((size_t)1 << 20)
#endif

struct chunk {
    struct chunk *previous;
    size_t used_bytes, size_bytes;
    _Alignas(16) char data[];
};

struct arena {
    struct chunk *newest;
    size_t next_bytes; /* size of the next ordinary chunk */
};

static void *require_memory(void *p, size_t size_bytes)
{
    if (p)
        return p;
    fprintf(stderr, "weft: out of memory (%zu bytes for compiling)\n",
            size_bytes);
    abort();
}

void must_have_memory(bool is_there)
{
    if (is_there)
        return;
    fputs("weft: out of memory for compiling\n", stderr);
    abort();
}

struct arena *arena_create(void)
{
    struct arena *a = require_memory(calloc(1, sizeof *a), sizeof *a);
    a->next_bytes = ARENA_CHUNK_MIN;
    return a;
}

void arena_destroy(struct arena *a)
{
    if (!a)
        return;
    for (struct chunk *c = a->newest, *previous; c; c = previous) {
        previous = c->previous;
        free(c);
    }
    free(a);
}

void arena_join(struct arena *a, struct arena *b)
{
    struct chunk *oldest = b->newest;
    if (oldest) {
        while (oldest->previous)
            oldest = oldest->previous;
        oldest->previous = a->newest;
        a->newest = b->newest;
    }
    free(b);
}

static struct chunk *arena_grow(struct arena *a, size_t size_bytes)
{
    size_t chunk_bytes = a->next_bytes;
    if (chunk_bytes < size_bytes)
        chunk_bytes = size_bytes;
    else if (a->next_bytes < ARENA_CHUNK_MAX)
        a->next_bytes *= 2;

    struct chunk *c =
        require_memory(calloc(1, sizeof *c + chunk_bytes), chunk_bytes);
    c->size_bytes = chunk_bytes;
    c->previous = a->newest;
    a->newest = c;
    return c;
}

void *arena_alloc(struct arena *a, size_t size_bytes)
{
    if (size_bytes > SIZE_MAX / 2)
        require_memory(NULL, size_bytes);
    size_bytes = (size_bytes + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
    struct chunk *c = a->newest;
    if (!c || c->size_bytes - c->used_bytes < size_bytes)
        c = arena_grow(a, size_bytes);
    void *p = c->data + c->used_bytes;
    c->used_bytes += size_bytes;
    return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
    char *copy = arena_alloc(a, len + 1);
    if (len)
        memcpy(copy, s, len);
    return copy;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    assert(len >= 0);
    char *text = arena_alloc(a, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}
