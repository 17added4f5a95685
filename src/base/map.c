/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A map from strings or pointers to pointers: open addressing with linear
 * probing, a power of two slots, at most three quarters full. Removal moves
 * later entries back, so that there are no tombstones.
 */
#include "base/base.h"

#include <stdlib.h>

#ifdef WEFT_CRAMPED
#define MAP_MIN 2
#else
#define MAP_MIN 16
#endif

struct map_entry {
    const void *key; /* NULL: free */
    void *value;
    uint64_t hash;
};

void map_init_strings(struct map *m)
{
    *m = (struct map){.string_keys = true};
}

void map_init_pointers(struct map *m)
{
    *m = (struct map){.string_keys = false};
}

void map_fini(struct map *m)
{
    free(m->entries);
    m->entries = NULL;
    m->count = m->capacity = 0;
}

static uint64_t hash_key(const struct map *m, const void *key)
{
    if (m->string_keys)
        return hash_bytes(key, strlen(key), 0);
    uint64_t h = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 32;
}

static bool is_same(const struct map *m, const struct map_entry *e,
                    const void *key, uint64_t hash)
{
    if (e->hash != hash)
        return false;
    return m->string_keys ? strcmp(e->key, key) == 0 : e->key == key;
}

/* The key's slot, or the free one where it belongs. Needs a free slot. */
static size_t find_slot(const struct map *m, const void *key, uint64_t hash)
{
    size_t i = hash & (m->capacity - 1);
    while (m->entries[i].key && !is_same(m, &m->entries[i], key, hash))
        i = (i + 1) & (m->capacity - 1);
    return i;
}

void *map_find(const struct map *m, const void *key)
{
    if (!m->count)
        return NULL;
    return m->entries[find_slot(m, key, hash_key(m, key))].value;
}

static bool map_grow(struct map *m)
{
    struct map bigger = *m;
    bigger.capacity = m->capacity ? m->capacity * 2 : MAP_MIN;
    bigger.entries = calloc(bigger.capacity, sizeof *bigger.entries);
    if (!bigger.entries)
        return false;
    for (size_t i = 0; i < m->capacity; i++) {
        const struct map_entry *e = &m->entries[i];
        if (e->key)
            bigger.entries[find_slot(&bigger, e->key, e->hash)] = *e;
    }
    free(m->entries);
    *m = bigger;
    return true;
}

bool map_put(struct map *m, const void *key, void *value)
{
    assert(key);
    if ((m->count + 1) * 4 > m->capacity * 3 && !map_grow(m))
        return false;
    uint64_t hash = hash_key(m, key);
    struct map_entry *e = &m->entries[find_slot(m, key, hash)];
    if (!e->key)
        m->count++;
    *e = (struct map_entry){.key = key, .value = value, .hash = hash};
    return true;
}

void map_remove(struct map *m, const void *key)
{
    if (!m->count)
        return;
    size_t mask = m->capacity - 1;
    size_t hole = find_slot(m, key, hash_key(m, key));
    if (!m->entries[hole].key)
        return;
    m->count--;
    /* Entries that were pushed past the hole move back to it. */
    for (size_t i = (hole + 1) & mask; m->entries[i].key; i = (i + 1) & mask) {
        size_t home = m->entries[i].hash & mask;
        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        m->entries[hole] = m->entries[i];
        hole = i;
    }
    m->entries[hole] = (struct map_entry){0};
}
