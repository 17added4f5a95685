/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled kernels in the cache folder: what a file holds. Whatever does not
 * fit (magic, version, sizes, the key itself, a checksum) counts as absent and
 * is replaced by the next store.
 */
#include "cache/cache.h"
#include "jit/internal.h"

#include <stdlib.h>

#define FILE_VERSION 5

enum { FACT_BARRIER = 1, FACT_WAITS = 2, FACT_TURNS = 4 };

/* The file: this header, the key, zeros up to a multiple of 16, the object. */
struct header {
    char magic[8];
    uint32_t version;
    uint32_t key_bytes;
    uint64_t object_bytes;
    uint64_t checksum; /* of everything behind this field */
    uint64_t stack_bytes;
    uint32_t static_shared_bytes, local_bytes;
    uint32_t kind, lane_count; /* kind: FACT_* */
    struct simt_need needs[JIT_MAX_NEEDS];
    uint64_t need_count;
};
static_assert(sizeof(struct header) == 64 + sizeof(struct simt_need[16]),
              "header has no holes");
static const char magic[8] = {'w', 'e', 'f', 't', 'c', 'o', 'd', 'e'};

/* ---- the file ----------------------------------------------------------- */

static size_t object_at(size_t key_bytes)
{
    return (sizeof(struct header) + key_bytes + 15) & ~(size_t)15;
}

static uint64_t file_checksum(const uint8_t *file, size_t size_bytes)
{
    size_t from = offsetof(struct header, checksum) + sizeof(uint64_t);
    return hash_bytes(file + from, size_bytes - from, FILE_VERSION);
}

/* The whole file for a result; malloc'ed. */
static uint8_t *pack_code(const char *key, const struct compiler_result *r,
                          size_t *size_bytes)
{
    size_t key_bytes = strlen(key);
    size_t at = object_at(key_bytes);
    uint8_t *file = calloc(1, at + r->object_bytes);
    if (!file)
        return NULL;
    struct header h = {
        .version = FILE_VERSION,
        .key_bytes = (uint32_t)key_bytes,
        .object_bytes = r->object_bytes,
        .stack_bytes = r->facts.stack_bytes,
        .static_shared_bytes = r->facts.static_shared_bytes,
        .local_bytes = r->facts.local_bytes,
        .kind = (r->facts.has_barrier ? FACT_BARRIER : 0u) |
                (r->facts.has_waits ? FACT_WAITS : 0u) |
                (r->facts.takes_turns ? FACT_TURNS : 0u),
        .lane_count = r->facts.lane_count,
        .need_count = r->facts.need_count,
    };
    memcpy(h.needs, r->facts.needs, sizeof h.needs);
    memcpy(h.magic, magic, sizeof magic);
    memcpy(file, &h, sizeof h);
    memcpy(file + sizeof h, key, key_bytes);
    memcpy(file + at, r->object, r->object_bytes);
    *size_bytes = at + r->object_bytes;
    h.checksum = file_checksum(file, *size_bytes);
    memcpy(file, &h, sizeof h);
    return file;
}

/* Takes a file apart, in place: on success `file` belongs to the result. */
static bool unpack_code(const char *key, uint8_t *file, size_t size_bytes,
                        struct compiler_result *r)
{
    struct header h;
    size_t key_bytes = strlen(key);
    size_t at = object_at(key_bytes);
    if (size_bytes < at)
        return false;
    memcpy(&h, file, sizeof h);
    if (memcmp(h.magic, magic, sizeof magic) || h.version != FILE_VERSION ||
        h.key_bytes != key_bytes || h.object_bytes != size_bytes - at ||
        memcmp(file + sizeof h, key, key_bytes) ||
        h.need_count > JIT_MAX_NEEDS ||
        h.checksum != file_checksum(file, size_bytes))
        return false;

    memmove(file, file + at, h.object_bytes);
    *r = (struct compiler_result){
        .object = file,
        .object_bytes = h.object_bytes,
        .facts = {.has_barrier = h.kind & FACT_BARRIER,
                  .has_waits = h.kind & FACT_WAITS,
                  .takes_turns = h.kind & FACT_TURNS,
                  .lane_count = h.lane_count,
                  .stack_bytes = h.stack_bytes,
                  .static_shared_bytes = h.static_shared_bytes,
                  .local_bytes = h.local_bytes,
                  .need_count = (uint32_t)h.need_count},
    };
    memcpy(r->facts.needs, h.needs, sizeof h.needs);
    return true;
}

/* ---- the cache ---------------------------------------------------------- */

bool jit_cache_find(const char *key, struct compiler_result *result)
{
    char name[CACHE_NAME_BYTES];
    size_t size_bytes;
    cache_name(name, key, strlen(key));
    uint8_t *file = cache_read(name, &size_bytes);
    if (file && unpack_code(key, file, size_bytes, result))
        return true;
    free(file);
    return false;
}

void jit_cache_store(const char *key, const struct compiler_result *result)
{
    char name[CACHE_NAME_BYTES];
    size_t size_bytes;
    uint8_t *file =
        cache_is_disabled() ? NULL : pack_code(key, result, &size_bytes);
    if (!file)
        return;
    cache_name(name, key, strlen(key));
    cache_write(name, file, size_bytes);
    free(file);
}
