/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for LLVM, which asks for some hundred thousand small pieces in one
 * compilation. The C library's malloc, on a thread other than the first, calls
 * the system for every 4 KB of them: a good part of a short kernel's time.
 *
 * While a thread compiles, it has a heap: free lists by size, over spans of
 * memory of its own. The linker redirects all calls of malloc in
 * libweft-compiler.so to here (--wrap); those of threads that do not compile,
 * and those for large pieces, go on to the C library. A heap outlives its
 * compilation, for the next one, and so does what LLVM keeps in it. (Huge pages
 * cost more time to clear than they save.)
 */
#include "codegen/codegen.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#define UNIT_BYTES   ((size_t)32 << 10)
#define CHUNK_BYTES  ((size_t)8 << 20)
#define REGION_BYTES ((size_t)8 << 30)
#define UNIT_COUNT   (REGION_BYTES / UNIT_BYTES)
/* A heap larger than this gives unused spans back after a compilation. */
#define KEEP_BYTES ((size_t)64 << 20)

#define MAX_BYTES   ((size_t)128 << 10) /* bigger pieces are not ours */
#define FINE_SHIFT  7                   /* up to so many bits in steps of 16 */
#define FINE_BYTES  ((size_t)1 << FINE_SHIFT)
#define FINE_COUNT  (FINE_BYTES / 16)
#define STEPS       4 /* classes for each doubling from there on */
#define DOUBLINGS   10
#define CLASS_COUNT (FINE_COUNT + DOUBLINGS * STEPS)
static_assert(FINE_BYTES << DOUBLINGS == MAX_BYTES, "the last class");
#define MAX_UNITS (MAX_BYTES / UNIT_BYTES)

void *__real_malloc(size_t size_bytes);
void *__real_calloc(size_t count, size_t size_bytes);
void *__real_realloc(void *p, size_t size_bytes);
void *__real_aligned_alloc(size_t align, size_t size_bytes);
void __real_free(void *p);
void *__wrap_malloc(size_t size_bytes);
void *__wrap_calloc(size_t count, size_t size_bytes);
void *__wrap_realloc(void *p, size_t size_bytes);
void *__wrap_aligned_alloc(size_t align, size_t size_bytes);
void __wrap_free(void *p);

struct piece {
    struct piece *next;
};

struct heap {
    struct heap *next; /* in the list of free heaps */
    struct class
    {
        struct piece *free;
        char *at, *end; /* of its newest span: never used */
    } class[CLASS_COUNT];
    char *at, *end;                     /* of the newest chunk */
    struct piece *spans[MAX_UNITS + 1]; /* given back, by length in units */
    size_t size_bytes;
};

/* By unit of the region: which heap has it, and the size of its pieces. */
static struct unit {
    struct heap *owner;
    uint32_t live;  /* pieces in use, in the span's first unit */
    uint8_t class;  /* + 1 */
    uint8_t behind; /* the span's first unit: how many before this one */
} units[UNIT_COUNT];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(char *) region; /* never changes once it is there */
static char *region_at;        /* under the lock */
static struct heap *unused;    /* under the lock */

#define IN_EVERY_THREAD __attribute__((tls_model("initial-exec"))) _Thread_local
static IN_EVERY_THREAD struct heap *mine, *suspended;

/* ---- sizes -------------------------------------------------------------- */

static unsigned class_of(size_t size_bytes)
{
    if (size_bytes <= FINE_BYTES)
        return size_bytes ? (unsigned)((size_bytes - 1) / 16) : 0;
    unsigned top = 63 - (unsigned)__builtin_clzll(size_bytes - 1);
    unsigned step = (unsigned)((size_bytes - 1) >> (top - 2)) & (STEPS - 1);
    return (unsigned)FINE_COUNT + (top - FINE_SHIFT) * STEPS + step;
}

static size_t class_bytes(unsigned class)
{
    if (class < FINE_COUNT)
        return (class + 1) * (size_t)16;
    unsigned octave = (class - (unsigned)FINE_COUNT) / STEPS;
    unsigned step = (class - (unsigned)FINE_COUNT) % STEPS;
    return (FINE_BYTES / STEPS * (STEPS + 1 + step)) << octave;
}

static unsigned span_units(unsigned class)
{
    size_t least = class_bytes(class) > 2048 ? 2 * UNIT_BYTES : UNIT_BYTES;
    size_t size = class_bytes(class) > least ? class_bytes(class) : least;
    return (unsigned)((size + UNIT_BYTES - 1) / UNIT_BYTES);
}

/* ---- spans -------------------------------------------------------------- */

static struct unit *unit_of(const void *p)
{
    char *start = atomic_load_explicit(&region, memory_order_relaxed);
    size_t at = (size_t)p - (size_t)start;
    return start && at < REGION_BYTES ? &units[at / UNIT_BYTES] : NULL;
}

static struct unit *span_of(struct unit *u)
{
    return u - u->behind;
}

static bool add_chunk(struct heap *h)
{
    pthread_mutex_lock(&lock);
    char *at = region_at;
    bool ok = at < region + REGION_BYTES &&
              !mprotect(at, CHUNK_BYTES, PROT_READ | PROT_WRITE);
    if (ok)
        region_at += CHUNK_BYTES;
    pthread_mutex_unlock(&lock);
    if (!ok)
        return false;
    h->at = at;
    h->end = at + CHUNK_BYTES;
    h->size_bytes += CHUNK_BYTES;
    return true;
}

/* A span of `count` units: one given back before, else the chunk's next. The
 * rest of a chunk that is too short is lost. NULL: no memory. */
static char *find_span(struct heap *h, unsigned count)
{
    struct piece *old = h->spans[count];

    if (old) {
        h->spans[count] = old->next;
        return (char *)old;
    }
    size_t size_bytes = count * UNIT_BYTES;
    if ((size_t)(h->end - h->at) < size_bytes && !add_chunk(h))
        return NULL;
    h->at += size_bytes;
    return h->at - size_bytes;
}

static bool refill_class(struct heap *h, unsigned class)
{
    unsigned count = span_units(class);
    size_t size_bytes = class_bytes(class);
    char *span = find_span(h, count);

    if (!span)
        return false;
    struct unit *u = unit_of(span);
    for (unsigned i = 0; i < count; i++)
        u[i] = (struct unit){
            .owner = h, .class = (uint8_t)(class + 1), .behind = (uint8_t)i};
    size_t span_bytes = count * UNIT_BYTES;
    h->class[class].at = span;
    h->class[class].end = span + span_bytes - span_bytes % size_bytes;
    return true;
}

/* Gives spans in which nothing lives back to the system, but keeps their
 * addresses. */
static void purge_spans(struct heap *h)
{
    for (unsigned class = 0; class < CLASS_COUNT; class ++) {
        struct class *c = &h->class[class];
        struct piece **p = &c->free, *dead = NULL;
        if (c->at != c->end && !span_of(unit_of(c->at))->live)
            c->at = c->end = NULL;
        while (*p) {
            struct piece *piece = *p;
            if (span_of(unit_of(piece))->live) {
                p = &piece->next;
                continue;
            }
            *p = piece->next;
            if ((size_t)piece % UNIT_BYTES || unit_of(piece)->behind)
                continue; /* the span goes by its first piece */
            piece->next = dead;
            dead = piece;
        }
        unsigned count = span_units(class);
        while (dead) {
            struct piece *span = dead;
            dead = dead->next;
            madvise(span, count * UNIT_BYTES, MADV_DONTNEED);
            span->next = h->spans[count];
            h->spans[count] = span;
        }
    }
}

/* ---- heaps -------------------------------------------------------------- */

/* Under the lock. */
static bool find_region(void)
{
    if (region)
        return true;
    char *p = mmap(NULL, REGION_BYTES + CHUNK_BYTES, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return false;
    p += -(size_t)p % CHUNK_BYTES; /* units begin at multiples of their size */
    region_at = p;
    region = p;
    return true;
}

void codegen_heap_begin(void)
{
    assert(!mine);
    pthread_mutex_lock(&lock);
    struct heap *h = NULL;
    if (find_region()) {
        h = unused;
        unused = h ? h->next : NULL;
        h = h ? h : __real_calloc(1, sizeof *h);
    }
    pthread_mutex_unlock(&lock);
    mine = h;
    if (h && !h->at)
        add_chunk(h);
}

void *codegen_heap_fresh(size_t *size_bytes)
{
    *size_bytes = mine ? (size_t)(mine->end - mine->at) : 0;
    return mine ? mine->at : NULL;
}

void codegen_heap_suspend(void)
{
    suspended = mine;
    mine = NULL;
}

void codegen_heap_resume(void)
{
    mine = suspended;
}

void codegen_heap_end(void)
{
    struct heap *h = mine;

    mine = NULL;
    if (!h)
        return;
    if (h->size_bytes > KEEP_BYTES)
        purge_spans(h);
    pthread_mutex_lock(&lock);
    h->next = unused;
    unused = h;
    pthread_mutex_unlock(&lock);
}

/* ---- malloc ------------------------------------------------------------- */

void *__wrap_malloc(size_t size_bytes)
{
    struct heap *h = mine;

    if (!h || size_bytes > MAX_BYTES)
        return __real_malloc(size_bytes);
    unsigned class = class_of(size_bytes);
    struct class *c = &h->class[class];
    struct piece *p = c->free;
    if (p) {
        c->free = p->next;
    } else {
        if (c->at == c->end && !refill_class(h, class))
            return __real_malloc(size_bytes);
        p = (struct piece *)c->at;
        c->at += class_bytes(class);
    }
    span_of(unit_of(p))->live++;
    return p;
}

/* C++ calls it for ordinary alignments, too. */
void *__wrap_aligned_alloc(size_t align, size_t size_bytes)
{
    return align <= 16 ? __wrap_malloc(size_bytes)
                       : __real_aligned_alloc(align, size_bytes);
}

void __wrap_free(void *p)
{
    struct unit *u = unit_of(p);

    if (!u) {
        __real_free(p);
        return;
    }
    /* Only the span's own heap may touch it. The little that another
     * compilation frees of what LLVM keeps for the process is lost. */
    if (u->owner != mine)
        return;
    struct piece *piece = p;
    piece->next = mine->class[u->class - 1].free;
    mine->class[u->class - 1].free = piece;
    span_of(u)->live--;
}

void *__wrap_calloc(size_t count, size_t size_bytes)
{
    size_t total;

    if (!mine || __builtin_mul_overflow(count, size_bytes, &total) ||
        total > MAX_BYTES)
        return __real_calloc(count, size_bytes);
    void *p = __wrap_malloc(total);
    return p ? memset(p, 0, total) : NULL;
}

void *__wrap_realloc(void *p, size_t size_bytes)
{
    struct unit *u = p ? unit_of(p) : NULL;

    if (!p)
        return __wrap_malloc(size_bytes);
    if (!u)
        return __real_realloc(p, size_bytes);
    size_t old = class_bytes(u->class - 1u);
    if (size_bytes <= old && size_bytes > old / 2)
        return p;
    void *copy = __wrap_malloc(size_bytes);
    if (copy) {
        memcpy(copy, p, size_bytes < old ? size_bytes : old);
        __wrap_free(p);
    }
    return copy;
}
