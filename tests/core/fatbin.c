/* SPDX-License-Identifier: Apache-2.0 */
/* Fat binaries as the compilers write them: plain, lz4, zstd, several
 * devices; and damaged in every byte and length. */
#include "../exec/check.h"
#include "core/core.h"

#include <lz4.h>
#include <stdlib.h>
#include <zstd.h>

enum packing { PLAIN, LZ4, ZSTD };

struct image {
    uint8_t *bytes;
    size_t size;
};

static void put(struct image *m, const void *data, size_t n)
{
    m->bytes = realloc(m->bytes, m->size + n);
    memcpy(m->bytes + m->size, data, n);
    m->size += n;
}

static void put_number(struct image *m, uint64_t value, size_t n)
{
    put(m, &value, n);
}

static size_t pack(enum packing packing, const char *text, char *out,
                   size_t capacity)
{
    size_t n = strlen(text) + 1;
    if (packing == LZ4)
        return (size_t)LZ4_compress_default(text, out, (int)n, (int)capacity);
    if (packing == ZSTD)
        return ZSTD_compress(out, capacity, text, n, 3);
    memcpy(out, text, n);
    return n;
}

static void put_entry(struct image *m, unsigned kind, unsigned sm,
                      enum packing packing, const char *text)
{
    static const uint64_t flags[] = {0x11, 0x2011, 0x8011};
    char content[4096] = {0};
    size_t n = pack(packing, text, content, sizeof content);
    put_number(m, kind, 2);
    put_number(m, 0x0101, 2);
    put_number(m, 80, 4); /* header */
    put_number(m, (n + 7) & ~7ull, 8);
    put_number(m, packing == PLAIN ? 0 : n, 4);
    put_number(m, 64, 4);
    put_number(m, 0x00090000, 4);
    put_number(m, sm, 4);
    put_number(m, 0, 8);
    put_number(m, flags[packing], 8);
    put_number(m, 0, 8);
    put_number(m, packing == PLAIN ? 0 : strlen(text) + 1, 8);
    put_number(m, 72, 8);
    put_number(m, 0, 8);
    put(m, content, (n + 7) & ~7ull);
}

static struct image begin(void)
{
    struct image m = {0};
    put_number(&m, 0xba55ed50, 4);
    put_number(&m, 1, 2);
    put_number(&m, 16, 2);
    put_number(&m, 0, 8);
    return m;
}

static void end(struct image *m)
{
    uint64_t n = m->size - 16;
    memcpy(m->bytes + 8, &n, 8);
}

static bool gives(const void *image, const char *text, unsigned sm)
{
    struct fatbin_entry e;
    char *seen;
    bool ok = fatbin_select(image, 80, &e, &seen) && e.sm == sm &&
              e.ptx_bytes == strlen(text) && !memcmp(e.ptx, text, e.ptx_bytes);
    free(e.owned);
    free(seen);
    return ok;
}

static const char text_50[] = ".version 6.0 // fifty fifty fifty fifty fifty";
static const char text_80[] = ".version 8.0 // eighty eighty eighty eighty";

static void check_packing(enum packing packing)
{
    struct image m = begin();
    put_entry(&m, 2, 80, PLAIN, "machine code");
    put_entry(&m, 1, 50, packing, text_50);
    put_entry(&m, 1, 80, packing, text_80);
    put_entry(&m, 1, 90, packing, text_50);
    end(&m);
    CHECK(gives(m.bytes, text_80, 80));
    struct {
        uint32_t magic, version;
        const void *container, *unused;
    } wrapper = {0x466243b1, 1, m.bytes, NULL};
    CHECK(gives(&wrapper, text_80, 80));

    /* Every byte wrong once: any answer, but no stray access. */
    for (size_t i = 0; i < m.size; i++) {
        for (int change = 1; change < 256; change *= 4) {
            if (i >= 8 && i < 16)
                continue; /* the length is all we know of where it ends */
            uint8_t old = m.bytes[i];
            m.bytes[i] ^= (uint8_t)change;
            gives(m.bytes, text_80, 80);
            m.bytes[i] = old;
        }
    }
    /* Cut short. */
    for (uint64_t n = 0; n < m.size - 16; n++) {
        uint8_t *cut = malloc(16 + n);
        memcpy(cut, m.bytes, 16 + n);
        memcpy(cut + 8, &n, 8);
        gives(cut, text_80, 80);
        free(cut);
    }
    free(m.bytes);
}

static void check_message(void)
{
    struct fatbin_entry e;
    char *seen = NULL;
    struct image m = begin();
    put_entry(&m, 2, 70, PLAIN, "machine code");
    put_entry(&m, 1, 90, ZSTD, text_80);
    end(&m);
    CHECK(!fatbin_select(m.bytes, 80, &e, &seen));
    CHECK(seen && !strcmp(seen, "machine code for sm_70, PTX for sm_90"));
    free(seen);
    free(m.bytes);
}

int main(void)
{
    check_packing(PLAIN);
    check_packing(LZ4);
    check_packing(ZSTD);
    check_message();
    return check_result();
}
