/* SPDX-License-Identifier: Apache-2.0 */
/*
 * initcheck: which bytes of the device's memory nobody has set since they were
 * allocated. A bit for each, in pieces that are made when such memory is
 * allocated; where there is no piece, all is set.
 */
#include "core/check.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/environment.h"
#include "core/internal.h"
#include "emu/emu.h"

unsigned check_wanted(void)
{
    static const struct {
        const char *name;
        unsigned which;
    } tools[] = {
        {ENVIRONMENT_CHECK_MEMCHECK, EMU_CHECK_MEMORY},
        {ENVIRONMENT_CHECK_RACECHECK, EMU_CHECK_RACES},
        {ENVIRONMENT_CHECK_INITCHECK, EMU_CHECK_VALUES},
        {ENVIRONMENT_CHECK_SYNCCHECK, EMU_CHECK_BARRIERS},
    };
    const char *text = getenv(ENVIRONMENT_CHECK);
    unsigned which = 0;
    for (size_t i = 0; text && i < ARRAY_COUNT(tools); i++) {
        if (strstr(text, tools[i].name))
            which |= tools[i].which;
    }
    return which;
}

#define PIECE_BYTES ((uintptr_t)1 << 20)

struct piece {
    struct piece *next;
    uint8_t unset[PIECE_BYTES / 8];
};

static struct {
    pthread_mutex_t lock;
    pthread_once_t once;
    bool is_wanted;
    struct map pieces; /* by number, as a pointer -> piece */
    struct piece *first;
} the = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

static void prepare_values(void)
{
    the.is_wanted = check_wanted() & EMU_CHECK_VALUES;
    map_init_pointers(&the.pieces);
}

static bool is_wanted(void)
{
    pthread_once(&the.once, prepare_values);
    return the.is_wanted;
}

/* The lock is held. NULL: there is none, or no memory for it. */
static struct piece *find_piece(uintptr_t at, bool may_make)
{
    const void *key = (const void *)(at / PIECE_BYTES + 1);
    struct piece *p = map_find(&the.pieces, key);
    if (p || !may_make)
        return p;
    p = calloc(1, sizeof *p);
    if (!p || !map_put(&the.pieces, key, p)) {
        free(p);
        return NULL;
    }
    p->next = the.first;
    the.first = p;
    return p;
}

static bool is_unset(const struct piece *p, uintptr_t at)
{
    return p->unset[at % PIECE_BYTES / 8] >> at % 8 & 1;
}

/* Marks one byte or, if eight of them begin here, those. Returns how many. */
static size_t mark_next(struct piece *p, uintptr_t at, uintptr_t end,
                        bool unset)
{
    assert(p && at < end);
    uint8_t *bits = &p->unset[at % PIECE_BYTES / 8];
    if (at % 8 == 0 && end - at >= 8) {
        *bits = unset ? 0xff : 0;
        return 8;
    }
    *bits = (uint8_t)(*bits & ~(1u << at % 8)) |
            (uint8_t)((unsigned)unset << at % 8);
    return 1;
}

static void mark_bytes(const void *p, size_t bytes, bool unset)
{
    uintptr_t at = (uintptr_t)p, end = at + bytes;
    if (!bytes || !is_wanted())
        return;
    assert(end > at);
    pthread_mutex_lock(&the.lock);
    while (at < end) {
        uintptr_t next = (at / PIECE_BYTES + 1) * PIECE_BYTES;
        struct piece *piece = find_piece(at, unset);
        next = next < end ? next : end;
        while (piece && at < next)
            at += mark_next(piece, at, next, unset);
        at = next;
    }
    pthread_mutex_unlock(&the.lock);
}

void check_values_unset(const void *p, size_t bytes)
{
    mark_bytes(p, bytes, true);
}

void check_values_set(const void *p, size_t bytes)
{
    mark_bytes(p, bytes, false);
}

bool check_values_are_set(const void *p, size_t bytes)
{
    bool are_set = true;
    if (!is_wanted())
        return true;
    pthread_mutex_lock(&the.lock);
    for (size_t i = 0; i < bytes && are_set; i++) {
        const struct piece *piece = find_piece((uintptr_t)p + i, false);
        are_set = !piece || !is_unset(piece, (uintptr_t)p + i);
    }
    pthread_mutex_unlock(&the.lock);
    return are_set;
}

/* As NVIDIA's tool looks at the memory of copies. */
#define COPY_GRAIN_BYTES ((uintptr_t)32)

/* The first byte that nobody has set, or `end`. */
static uintptr_t find_unset(uintptr_t at, uintptr_t end)
{
    while (at < end && check_values_are_set((const void *)at, 1))
        at++;
    return at;
}

void check_values_copied(const void *to, const void *row, size_t row_bytes,
                         size_t first, size_t end)
{
    const uintptr_t from = (uintptr_t)row, row_end = from + row_bytes;
    uintptr_t at = from + first;
    if (!is_wanted())
        return;
    assert(first <= end && end <= row_bytes);
    if (first) /* who copies what is before looks at all 32 bytes */
        at = (at + COPY_GRAIN_BYTES - 1) & ~(COPY_GRAIN_BYTES - 1);
    while (at < from + end) {
        uintptr_t next = (at / COPY_GRAIN_BYTES + 1) * COPY_GRAIN_BYTES;
        next = next < row_end ? next : row_end;
        if (!check_values_are_set((const void *)at, next - at))
            check_report_copy(row, row_bytes,
                              (const void *)find_unset(at, next));
        at = next;
    }
    check_values_set(to, end - first);
}

void check_values_set_all(void)
{
    if (!is_wanted())
        return;
    pthread_mutex_lock(&the.lock);
    for (struct piece *p = the.first; p; p = p->next)
        memset(p->unset, 0, sizeof p->unset);
    pthread_mutex_unlock(&the.lock);
}
