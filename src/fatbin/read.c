/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading. A damaged container may claim any size, so each read is checked
 * first, and only headers and the selected image are read.
 */
#include "fatbin/fatbin.h"
#include "fatbin/format.h"

#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* A PTX module that unpacks to more is damage. */
#define PLAIN_BYTES_MAX ((uint64_t)1 << 30)
/* A program of so many object files, or entries, is damage. */
#define PARTS_MAX   65536
#define ENTRIES_MAX 4096

/* ---- walking ---------------------------------------------------------- */

/* Copies bytes of an image, whose real size is unknown. They may lie outside
 * the objects that the sanitizers know, so these do not check this function. */
__attribute__((no_sanitize_address, no_sanitize_thread)) static bool
read_bytes(void *out, const void *from, size_t size_bytes)
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
    struct fatbin_wrapper w;
    struct fatbin_header c;
    uint32_t magic;
    if (!read_bytes(&magic, image, sizeof magic))
        return false;
    if (magic == FATBIN_WRAPPER_MAGIC) {
        if (!read_bytes(&w, image, sizeof w))
            return false;
        image = w.container;
    }
    if (!read_bytes(&c, image, sizeof c) || c.magic != FATBIN_MAGIC ||
        c.header_bytes < sizeof c ||
        c.content_bytes > INTPTR_MAX - (uintptr_t)image - c.header_bytes)
        return false;
    r->next = (const uint8_t *)image + c.header_bytes;
    r->end = r->next + c.content_bytes;
    r->entry_count = 0;
    return true;
}

bool fatbin_is_here(const void *image)
{
    /* Text may be shorter than 4 bytes; no magic number has a NUL. */
    return starts_with(image, "\x50\xed\x55\xba") ||
           starts_with(image, "\xb1\x43\x62\x46");
}

size_t fatbin_length(const void *bytes, size_t size_bytes)
{
    struct fatbin_header c;
    if (size_bytes < sizeof c)
        return 0;
    memcpy(&c, bytes, sizeof c);
    bool is_whole = c.magic == FATBIN_MAGIC && c.header_bytes >= sizeof c &&
                    c.header_bytes <= size_bytes &&
                    c.content_bytes <= size_bytes - c.header_bytes;
    return is_whole ? c.header_bytes + c.content_bytes : 0;
}

const char *fatbin_find(const char **bytes, size_t *size_bytes, size_t *length)
{
    static const uint32_t magic = FATBIN_MAGIC; /* as stored: little-endian */
    const char *end = *bytes + *size_bytes, *at = *bytes;
    while ((at = memmem(at, (size_t)(end - at), &magic, sizeof magic))) {
        *length = fatbin_length(at, (size_t)(end - at));
        *bytes = at + (*length ? *length : sizeof magic);
        *size_bytes = (size_t)(end - *bytes);
        if (*length)
            return at;
        at = *bytes;
    }
    *bytes = end;
    *size_bytes = 0;
    return NULL;
}

bool fatbin_fits(const void *image, size_t size_bytes)
{
    struct fatbin_header c = {0};
    memcpy(&c, image, size_bytes < sizeof c ? size_bytes : sizeof c);
    if (c.magic == FATBIN_WRAPPER_MAGIC)
        return size_bytes >= sizeof(struct fatbin_wrapper);
    return c.magic != FATBIN_MAGIC ||
           (size_bytes >= sizeof c && size_bytes >= c.header_bytes &&
            c.content_bytes <= size_bytes - c.header_bytes);
}

/* False: there are no more entries, or the rest is damaged. */
static bool next_entry(struct fatbin_reader *r, struct fatbin_image_header *e,
                       const uint8_t **content)
{
    size_t left = (size_t)(r->end - r->next);
    if (left < sizeof *e || r->entry_count++ == ENTRIES_MAX ||
        !read_bytes(e, r->next, sizeof *e))
        return false;
    if (e->header_bytes < sizeof *e || e->header_bytes > left ||
        e->content_bytes > left - e->header_bytes)
        return false;
    *content = r->next + e->header_bytes;
    r->next = *content + e->content_bytes;
    return true;
}

/* ---- unpacking -------------------------------------------------------- */

/* False: damage, since neither lz4 nor zstd compresses that much. */
static bool is_size_likely(const struct fatbin_image_header *e,
                           const uint8_t *content)
{
    if (e->compressed_bytes > e->content_bytes || e->plain_bytes == 0 ||
        e->plain_bytes > PLAIN_BYTES_MAX)
        return false;
    if (e->flags & FATBIN_ZSTD) {
        unsigned long long n =
            ZSTD_getFrameContentSize(content, e->compressed_bytes);
        return n != ZSTD_CONTENTSIZE_ERROR &&
               (n == ZSTD_CONTENTSIZE_UNKNOWN || n == e->plain_bytes);
    }
    return e->plain_bytes / 256 <= e->compressed_bytes;
}

static bool unpack_content(const struct fatbin_image_header *e,
                           const uint8_t *content, char *out)
{
    size_t from = e->compressed_bytes, to = e->plain_bytes;
    if (e->flags & FATBIN_ZSTD)
        return ZSTD_decompress(out, to, content, from) == to;
    return from <= INT32_MAX && to <= INT32_MAX &&
           LZ4_decompress_safe((const char *)content, out, (int)from,
                               (int)to) == (int)to;
}

/* Plain text ends at its first NUL, or at the end of the content. */
static bool get_text(const struct fatbin_image_header *e,
                     const uint8_t *content, struct fatbin_entry *out)
{
    *out = (struct fatbin_entry){.sm = e->sm};
    if (!memory_is_readable(content, e->content_bytes))
        return false;
    if (!(e->flags & (FATBIN_LZ4 | FATBIN_ZSTD))) {
        out->ptx = (const char *)content;
        out->ptx_bytes = strnlen(out->ptx, e->content_bytes);
        return true;
    }
    if (!is_size_likely(e, content))
        return false;
    char *text = malloc(e->plain_bytes);
    if (!text)
        return false;
    if (!unpack_content(e, content, text)) {
        free(text);
        return false;
    }
    out->owned = text;
    out->ptx = text;
    out->ptx_bytes = strnlen(text, e->plain_bytes);
    return true;
}

/* ---- choosing --------------------------------------------------------- */

static const char *target_suffix(const struct fatbin_image_header *e)
{
    return e->flags & FATBIN_EXACT ? "a" : e->flags & FATBIN_FAMILY ? "f" : "";
}

static void describe_entry(const struct fatbin_image_header *e, char *text,
                           size_t size_bytes)
{
    size_t n = strlen(text);
    const char *what = e->kind == FATBIN_PTX     ? "PTX"
                       : e->kind == FATBIN_CUBIN ? "machine code"
                       : e->kind == FATBIN_LTOIR ? "link-time code (LTO-IR)"
                                                 : "something unknown";
    snprintf(text + n, size_bytes - n, "%s%s for sm_%u%s", n ? ", " : "", what,
             e->sm, target_suffix(e));
}

/* PTX runs on its target and all later devices, but PTX for one device (sm_90a)
 * or one family (sm_100f) only there. */
static bool runs_on(const struct fatbin_image_header *e, unsigned sm)
{
    if (sm == FATBIN_ANY_DEVICE)
        return true;
    if (e->flags & FATBIN_EXACT)
        return e->sm == sm;
    if (e->flags & FATBIN_FAMILY)
        return e->sm / 10 == sm / 10 && e->sm <= sm;
    return e->sm <= sm;
}

/* Of two images for one compute capability, the specialised one is better. */
static bool is_better(const struct fatbin_image_header *e, unsigned device_sm,
                      const struct fatbin_image_header *best)
{
    if (e->kind != FATBIN_PTX || !runs_on(e, device_sm))
        return false;
    return !best->kind || e->sm > best->sm ||
           (e->sm == best->sm && *target_suffix(e) && !*target_suffix(best));
}

bool fatbin_select(const void *image, unsigned device_sm,
                   struct fatbin_entry *out, char **seen)
{
    struct fatbin_reader r;
    struct fatbin_image_header e, best = {0};
    const uint8_t *content, *best_content = NULL;
    char text[512] = "";

    *out = (struct fatbin_entry){0};
    *seen = NULL;
    if (!fatbin_open(image, &r)) {
        *seen = strdup("no entries (the container is damaged)");
        return false;
    }
    while (next_entry(&r, &e, &content)) {
        describe_entry(&e, text, sizeof text);
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
    struct fatbin_image_header e;
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

bool fatbin_has_entries(const void *image)
{
    struct fatbin_reader r;
    struct fatbin_item item;
    if (!fatbin_open(image, &r))
        return false;
    while (fatbin_next(&r, &item))
        ;
    return r.entry_count > 0 && r.next == r.end;
}

static struct fatbin_image_header entry_of(const struct fatbin_item *item)
{
    return (struct fatbin_image_header){
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
    struct fatbin_image_header e = entry_of(item);
    return e.kind == FATBIN_PTX && runs_on(&e, sm);
}

char *fatbin_unpack(const struct fatbin_item *item, size_t *size_bytes)
{
    struct fatbin_image_header e = entry_of(item);
    bool is_packed = e.flags & (FATBIN_LZ4 | FATBIN_ZSTD);
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
    if (!is_packed || unpack_content(&e, item->content, plain))
        return plain;
    free(plain);
    return NULL;
}

/* ---- what nvcc linked --------------------------------------------------- */

size_t fatbin_parts(const void *image, const void *const **parts)
{
    struct fatbin_wrapper w;
    if (!read_bytes(&w, image, sizeof w) || w.magic != FATBIN_WRAPPER_MAGIC ||
        w.version != FATBIN_WRAPPER_LINKED)
        return 0;
    size_t count = 0;
    while (count < PARTS_MAX &&
           memory_is_readable(w.parts + count, sizeof *w.parts) &&
           w.parts[count])
        count++;
    *parts = w.parts;
    return count;
}
