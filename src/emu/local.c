/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for frames. A .local address is an offset of at most 32 bits, since
 * programs keep it in a 32-bit register; so all frames lie in one range, which
 * is reserved at first use. Sizes are powers of two, with a list of free pieces
 * for each. One lock guards everything but `base`.
 */
#include "emu/internal.h"

#include <pthread.h>
#include <sys/mman.h>

#define RANGE_BYTES     ((size_t)3 << 30)
#define RANGE_BYTES_MIN ((size_t)16 << 20)
#define OPEN_BYTES      ((size_t)1 << 20)

enum { CLASS_FIRST = 6, CLASS_COUNT = 32 }; /* 64 bytes and more */

struct free_frame {
    struct free_frame *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *base; /* never changes once set */
static size_t size_bytes, used_bytes;
static size_t open_bytes; /* accessible; what lies behind faults */
static struct free_frame *free_frames[CLASS_COUNT];

/* Reserves the range, or half as much and so on where address space is short.
 * Under the lock. */
static void reserve_range(void)
{
    for (size_t n = RANGE_BYTES; !base && n >= RANGE_BYTES_MIN; n /= 2) {
        void *p = mmap(NULL, n, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            continue;
        base = p;
        size_bytes = n;
    }
}

static unsigned class_of(size_t bytes)
{
    unsigned c = CLASS_FIRST;
    while (c < CLASS_COUNT && (size_t)1 << c < bytes)
        c++;
    return c;
}

/* Takes the next `bytes` of the range. NULL: no memory. Under the lock. */
static uint8_t *extend_range(size_t bytes)
{
    if (!base || size_bytes - used_bytes < bytes)
        return NULL;
    size_t end = (used_bytes + bytes + OPEN_BYTES - 1) & ~(OPEN_BYTES - 1);
    if (end > open_bytes) {
        if (mprotect(base, end, PROT_READ | PROT_WRITE))
            return NULL;
        open_bytes = end;
    }
    uint8_t *p = base + used_bytes;
    used_bytes += bytes;
    return p;
}

uint8_t *emu_local_alloc(size_t bytes)
{
    unsigned c = class_of(bytes);
    uint8_t *p = NULL;
    if (c >= CLASS_COUNT)
        return NULL;
    pthread_mutex_lock(&lock);
    reserve_range();
    if (free_frames[c]) {
        p = (uint8_t *)free_frames[c];
        free_frames[c] = free_frames[c]->next;
    } else {
        p = extend_range((size_t)1 << c);
    }
    pthread_mutex_unlock(&lock);
    if (p)
        memset(p, 0, bytes);
    return p;
}

void emu_local_free(uint8_t *p, size_t bytes)
{
    unsigned c = class_of(bytes);
    struct free_frame *f = (struct free_frame *)p;
    pthread_mutex_lock(&lock);
    f->next = free_frames[c];
    free_frames[c] = f;
    pthread_mutex_unlock(&lock);
}

uint8_t *emu_local_base(void)
{
    return base;
}

bool emu_local_has(const void *p)
{
    return base && (uintptr_t)p - (uintptr_t)base < size_bytes;
}
