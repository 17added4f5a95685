/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fat binaries: the container in which compilers pack PTX and machine code
 * for several devices, each entry plain or compressed with lz4 or zstd.
 * Layout as the public tools show it; written by src/cc/fatbin.c too.
 *
 * What a damaged one says about its own size is not believed: nothing is read
 * that is no memory of ours, and only headers and the one chosen entry are.
 */
#include "core/internal.h"

#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

#define MAGIC_CONTAINER 0xba55ed50u
#define MAGIC_WRAPPER   0x466243b1u

/* What __cudaRegisterFatBinary gets. */
struct wrapper {
    uint32_t magic, version;
    const void *container;
    const void *const *parts; /* version 2: containers to link, up to NULL */
};

enum { WRAPPER_LINKED = 2 };

struct container {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t content_bytes; /* entries */
};

enum { ENTRY_PTX = 1, ENTRY_ELF = 2 };
enum {
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    FLAG_EXACT = 0x100000,  /* sm_90a: for this device alone */
    FLAG_FAMILY = 0x200000, /* sm_100f: for devices of this major version */
};

struct entry {
    uint16_t kind, version;
    uint32_t header_bytes; /* where the content starts */
    uint64_t content_bytes;
    uint32_t compressed_bytes; /* 0: plain */
    uint32_t options;
    uint16_t minor, major; /* of the PTX version */
    uint32_t sm;
    uint32_t name_offset, name_bytes;
    uint64_t flags;
    uint64_t reserved;
    uint64_t plain_bytes; /* of compressed content */
};
static_assert(sizeof(struct entry) == 64, "as the compilers write it");

/* A PTX module that unpacks to more is damage. */
#define PLAIN_BYTES_MAX ((uint64_t)1 << 30)
/* A program of so many object files, or entries, is damage. */
#define PARTS_MAX   65536
#define ENTRIES_MAX 4096

/* ---- walking ---------------------------------------------------------- */

/* An image says nothing true about its size: whatever the process may read is
 * looked at, also where the sanitizers know of no object. */
__attribute__((no_sanitize_address, no_sanitize_thread)) static bool
get(void *out, const void *from, size_t size_bytes)
{
    volatile uint8_t *to = out;
    const uint8_t *p = from;

    if (!memory_is_readable(from, size_bytes))
        return false;
    for (size_t i = 0; i < size_bytes; i++)
        to[i] = p[i];
    return true;
}

bool fatbin_open(const void *image, struct fatbin_reader *r)
{
    struct wrapper w;
    struct container c;
    uint32_t magic;
    if (!get(&magic, image, sizeof magic))
        return false;
    if (magic == MAGIC_WRAPPER) {
        if (!get(&w, image, sizeof w))
            return false;
        image = w.container;
    }
    if (!get(&c, image, sizeof c) || c.magic != MAGIC_CONTAINER ||
        c.header_bytes < sizeof c ||
        c.content_bytes > INTPTR_MAX - (uintptr_t)image - c.header_bytes)
        return false;
    r->next = (const uint8_t *)image + c.header_bytes;
    r->end = r->next + c.content_bytes;
    r->entry_count = 0;
    return true;
}

bool fatbin_fits(const void *image, size_t size_bytes)
{
    struct container c = {0};
    memcpy(&c, image, size_bytes < sizeof c ? size_bytes : sizeof c);
    if (c.magic == MAGIC_WRAPPER)
        return size_bytes >= sizeof(struct wrapper);
    return c.magic != MAGIC_CONTAINER ||
           (size_bytes >= sizeof c && size_bytes >= c.header_bytes &&
            c.content_bytes <= size_bytes - c.header_bytes);
}

/* False: no entry is left, or what follows is damaged. */
static bool next_entry(struct fatbin_reader *r, struct entry *e,
                       const uint8_t **content)
{
    size_t left = (size_t)(r->end - r->next);
    if (left < sizeof *e || r->entry_count++ == ENTRIES_MAX ||
        !get(e, r->next, sizeof *e))
        return false;
    if (e->header_bytes < sizeof *e || e->header_bytes > left ||
        e->content_bytes > left - e->header_bytes)
        return false;
    *content = r->next + e->header_bytes;
    r->next = *content + e->content_bytes;
    return true;
}

/* ---- unpacking -------------------------------------------------------- */

/* What lz4 and zstd cannot have packed into so few bytes is damage. */
static bool is_size_likely(const struct entry *e, const uint8_t *content)
{
    if (e->compressed_bytes > e->content_bytes || e->plain_bytes == 0 ||
        e->plain_bytes > PLAIN_BYTES_MAX)
        return false;
    if (e->flags & FLAG_ZSTD) {
        unsigned long long n =
            ZSTD_getFrameContentSize(content, e->compressed_bytes);
        return n != ZSTD_CONTENTSIZE_ERROR &&
               (n == ZSTD_CONTENTSIZE_UNKNOWN || n == e->plain_bytes);
    }
    return e->plain_bytes / 256 <= e->compressed_bytes;
}

static bool unpack(const struct entry *e, const uint8_t *content, char *out)
{
    size_t from = e->compressed_bytes, to = e->plain_bytes;
    if (e->flags & FLAG_ZSTD)
        return ZSTD_decompress(out, to, content, from) == to;
    return from <= INT32_MAX && to <= INT32_MAX &&
           LZ4_decompress_safe((const char *)content, out, (int)from,
                               (int)to) == (int)to;
}

/* Plain text ends at its first NUL, or at the end of the content. */
static bool get_text(const struct entry *e, const uint8_t *content,
                     struct fatbin_entry *out)
{
    *out = (struct fatbin_entry){.sm = e->sm};
    if (!memory_is_readable(content, e->content_bytes))
        return false;
    if (!(e->flags & (FLAG_LZ4 | FLAG_ZSTD))) {
        out->ptx = (const char *)content;
        out->ptx_bytes = strnlen(out->ptx, e->content_bytes);
        return true;
    }
    if (!is_size_likely(e, content))
        return false;
    char *text = malloc(e->plain_bytes);
    if (!text)
        return false;
    if (!unpack(e, content, text)) {
        free(text);
        return false;
    }
    out->owned = text;
    out->ptx = text;
    out->ptx_bytes = strnlen(text, e->plain_bytes);
    return true;
}

/* ---- choosing --------------------------------------------------------- */

static const char *target_suffix(const struct entry *e)
{
    return e->flags & FLAG_EXACT ? "a" : e->flags & FLAG_FAMILY ? "f" : "";
}

static void describe(const struct entry *e, char *text, size_t size_bytes)
{
    size_t n = strlen(text);
    const char *what = e->kind == ENTRY_PTX   ? "PTX"
                       : e->kind == ENTRY_ELF ? "machine code"
                                              : "something unknown";
    snprintf(text + n, size_bytes - n, "%s%s for sm_%u%s", n ? ", " : "", what,
             e->sm, target_suffix(e));
}

/* PTX runs on its own and every later device; what uses features of one
 * device or family, there alone. */
static bool runs_on(const struct entry *e, unsigned sm)
{
    if (sm == FATBIN_ANY_DEVICE)
        return true;
    if (e->flags & FLAG_EXACT)
        return e->sm == sm;
    if (e->flags & FLAG_FAMILY)
        return e->sm / 10 == sm / 10 && e->sm <= sm;
    return e->sm <= sm;
}

/* Of two for one level the specialised one. */
static bool is_better(const struct entry *e, unsigned device_sm,
                      const struct entry *best)
{
    if (e->kind != ENTRY_PTX || !runs_on(e, device_sm))
        return false;
    return !best->kind || e->sm > best->sm ||
           (e->sm == best->sm && *target_suffix(e) && !*target_suffix(best));
}

bool fatbin_select(const void *image, unsigned device_sm,
                   struct fatbin_entry *out, char **seen)
{
    struct fatbin_reader r;
    struct entry e, best = {0};
    const uint8_t *content, *best_content = NULL;
    char text[512] = "";

    *out = (struct fatbin_entry){0};
    *seen = NULL;
    if (!fatbin_open(image, &r)) {
        *seen = strdup("no entries (the container is damaged)");
        return false;
    }
    while (next_entry(&r, &e, &content)) {
        describe(&e, text, sizeof text);
        if (is_better(&e, device_sm, &best)) {
            best = e;
            best_content = content;
        }
    }
    if (best_content) {
        if (get_text(&best, best_content, out))
            return true;
        snprintf(text, sizeof text, "PTX for sm_%u%s that cannot be unpacked",
                 best.sm, target_suffix(&best));
    }
    *seen = strdup(*text ? text : "no entries");
    return false;
}

/* ---- listing ------------------------------------------------------------ */

bool fatbin_next(struct fatbin_reader *r, struct fatbin_item *out)
{
    struct entry e;
    const uint8_t *content;
    if (!next_entry(r, &e, &content))
        return false;
    *out = (struct fatbin_item){
        .kind = e.kind,
        .sm = e.sm,
        .major = e.major,
        .minor = e.minor,
        .suffix = target_suffix(&e),
        .content = content,
        .content_bytes = e.content_bytes,
        .packed_bytes = e.compressed_bytes,
        .plain_bytes = e.plain_bytes,
        .flags = e.flags,
    };
    if (e.name_offset < e.header_bytes &&
        e.name_bytes <= e.header_bytes - e.name_offset) {
        out->name = (const char *)content - e.header_bytes + e.name_offset;
        out->name_bytes = e.name_bytes;
    }
    return true;
}

static struct entry entry_of(const struct fatbin_item *item)
{
    return (struct entry){
        .kind = (uint16_t)item->kind,
        .sm = item->sm,
        .content_bytes = item->content_bytes,
        .compressed_bytes = (uint32_t)item->packed_bytes,
        .plain_bytes = item->plain_bytes,
        .flags = item->flags,
    };
}

bool fatbin_runs_on(const struct fatbin_item *item, unsigned sm)
{
    struct entry e = entry_of(item);
    return e.kind == ENTRY_PTX && runs_on(&e, sm);
}

char *fatbin_unpack(const struct fatbin_item *item, size_t *size_bytes)
{
    struct entry e = entry_of(item);
    bool is_packed = e.flags & (FLAG_LZ4 | FLAG_ZSTD);
    if (!memory_is_readable(item->content, e.content_bytes) ||
        (is_packed && !is_size_likely(&e, item->content)))
        return NULL;
    *size_bytes = is_packed ? e.plain_bytes : e.content_bytes;
    char *plain = malloc(*size_bytes + 1);
    if (!plain)
        return NULL;
    if (!is_packed)
        memcpy(plain, item->content, *size_bytes);
    plain[*size_bytes] = 0;
    if (!is_packed || unpack(&e, item->content, plain))
        return plain;
    free(plain);
    return NULL;
}

/* ---- what nvcc linked --------------------------------------------------- */

size_t fatbin_parts(const void *image, const void *const **parts)
{
    struct wrapper w;
    if (!get(&w, image, sizeof w) || w.magic != MAGIC_WRAPPER ||
        w.version != WRAPPER_LINKED)
        return 0;
    size_t count = 0;
    while (count < PARTS_MAX &&
           memory_is_readable(w.parts + count, sizeof *w.parts) &&
           w.parts[count])
        count++;
    *parts = w.parts;
    return count;
}
