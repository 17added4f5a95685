/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interned strings: a table in the arena that holds each string once. The
 * table's old arrays stay in the arena when it grows; together they are
 * smaller than the newest one.
 */
#include "base/base.h"

#ifdef WEFT_CRAMPED
#define INTERN_MIN 2
#else
#define INTERN_MIN 256
#endif

struct slot {
    const char *text; /* NULL: free */
    uint32_t hash, len;
};

struct interner {
    struct arena *arena;
    struct slot *slots;
    size_t count, capacity;
};

struct interner *interner_create(struct arena *a)
{
    struct interner *in = arena_new(a, struct interner);
    in->arena = a;
    in->capacity = INTERN_MIN;
    in->slots = arena_array(a, struct slot, in->capacity);
    return in;
}

static struct slot *find_slot(const struct interner *in, const char *s,
                              size_t len, uint32_t hash)
{
    size_t mask = in->capacity - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct slot *slot = &in->slots[i];
        if (!slot->text)
            return slot;
        if (slot->hash == hash && slot->len == len &&
            memcmp(slot->text, s, len) == 0)
            return slot;
    }
}

static void interner_grow(struct interner *in)
{
    struct interner bigger = *in;
    bigger.capacity = in->capacity * 2;
    bigger.slots = arena_array(in->arena, struct slot, bigger.capacity);
    for (size_t i = 0; i < in->capacity; i++) {
        const struct slot *old = &in->slots[i];
        if (old->text)
            *find_slot(&bigger, old->text, old->len, old->hash) = *old;
    }
    *in = bigger;
}

const char *intern(struct interner *in, const char *s, size_t len)
{
    assert(len < UINT32_MAX);
    uint32_t hash = (uint32_t)hash_bytes(s, len, 0);
    struct slot *slot = find_slot(in, s, len, hash);
    if (slot->text)
        return slot->text;
    if ((in->count + 1) * 2 > in->capacity) {
        interner_grow(in);
        slot = find_slot(in, s, len, hash);
    }
    in->count++;
    *slot = (struct slot){.text = arena_strndup(in->arena, s, len),
                          .hash = hash,
                          .len = (uint32_t)len};
    return slot->text;
}
