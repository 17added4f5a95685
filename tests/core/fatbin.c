/* SPDX-License-Identifier: Apache-2.0 */
/* Fat binaries as the compilers write them: plain, lz4, zstd, several
 * devices; and damaged in every byte and length. */
#define _GNU_SOURCE
#include "../exec/check.h"
#include "core/core.h"
#include "fatbin/fatbin.h"

#include <lz4.h>
#include <stdlib.h>
#include <sys/mman.h>
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

enum { FOR_LATER = 0, FOR_EXACT = 0x100000, FOR_FAMILY = 0x200000 };

static void put_special(struct image *m, unsigned kind, unsigned sm,
                        unsigned devices, enum packing packing,
                        const char *text)
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
    put_number(m, flags[packing] | devices, 8);
    put_number(m, 0, 8);
    put_number(m, packing == PLAIN ? 0 : strlen(text) + 1, 8);
    put_number(m, 72, 8);
    put_number(m, 0, 8);
    put(m, content, (n + 7) & ~7ull);
}

static void put_entry(struct image *m, unsigned kind, unsigned sm,
                      enum packing packing, const char *text)
{
    put_special(m, kind, sm, FOR_LATER, packing, text);
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

static bool gives_on(unsigned device, const void *image, const char *text,
                     unsigned sm)
{
    struct fatbin_entry e;
    char *seen;
    bool ok = fatbin_select(image, device, &e, &seen) && e.sm == sm &&
              e.ptx_bytes == strlen(text) && !memcmp(e.ptx, text, e.ptx_bytes);
    free(e.owned);
    free(seen);
    return ok;
}

static bool gives(const void *image, const char *text, unsigned sm)
{
    return gives_on(80, image, text, sm);
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

/* Features of one device are not those of the next. */
static void check_special_targets(void)
{
    struct image m = begin();
    put_special(&m, 1, 90, FOR_EXACT, ZSTD, text_50);
    put_special(&m, 1, 100, FOR_FAMILY, LZ4, text_50);
    put_entry(&m, 1, 80, PLAIN, text_80);
    end(&m);
    CHECK(gives_on(80, m.bytes, text_80, 80));
    CHECK(gives_on(90, m.bytes, text_50, 90));
    CHECK(gives_on(100, m.bytes, text_50, 100));
    CHECK(gives_on(103, m.bytes, text_50, 100));
    CHECK(gives_on(120, m.bytes, text_80, 80));
    CHECK(gives_on(FATBIN_ANY_DEVICE, m.bytes, text_50, 100));
    free(m.bytes);
}

/* At the end of mapped memory: what a wrong length promises is not there. */
static void check_lengths(void)
{
    enum { PAGE = 4096 };
    struct image m = begin();
    put_entry(&m, 1, 80, PLAIN, text_80);
    end(&m);
    uint8_t *pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    munmap(pages + PAGE, PAGE);
    mprotect(pages + 2 * PAGE, PAGE, PROT_NONE);
    uint8_t *at = pages + PAGE - m.size;
    static const uint64_t lengths[] = {0,          1,          63,
                                       PAGE,       2 * PAGE,   1ull << 40,
                                       1ull << 62, UINT64_MAX, UINT64_MAX - 16};
    for (size_t i = 0; i < ARRAY_COUNT(lengths); i++) {
        memcpy(at, m.bytes, m.size);
        memcpy(at + 8, &lengths[i], 8); /* of the container */
        gives(at, text_80, 80);
        memcpy(at, m.bytes, m.size);
        memcpy(at + 16 + 8, &lengths[i], 8); /* of the entry */
        gives(at, text_80, 80);
        memcpy(at, m.bytes, m.size);
        memcpy(at + 16 + 4, &lengths[i], 4); /* of its header */
        gives(at, text_80, 80);
    }
    memcpy(at, m.bytes, m.size);
    CHECK(gives(at, text_80, 80));
    for (size_t cut = 1; cut < m.size; cut++) {
        memcpy(at + cut, m.bytes, m.size - cut);
        CHECK(!gives(at + cut, text_80, 80));
    }
    CHECK(!gives(pages + PAGE, text_80, 80));
    CHECK(!gives(pages + 2 * PAGE, text_80, 80));
    CHECK(!gives(NULL, text_80, 80));
    munmap(pages, 3 * PAGE);
    free(m.bytes);
}

/* What nvcc's device linker passes. */
static void check_parts(void)
{
    struct image m = begin();
    end(&m);
    const void *list[] = {m.bytes, m.bytes, NULL}, *const *parts = NULL;
    struct {
        uint32_t magic, version;
        const void *container;
        const void *const *parts;
    } wrapper = {0x466243b1, 2, m.bytes, list};
    CHECK_EQUAL(fatbin_parts(&wrapper, &parts), 2);
    CHECK(parts == list);
    wrapper.parts = NULL;
    CHECK_EQUAL(fatbin_parts(&wrapper, &parts), 0);
    wrapper.version = 1;
    CHECK_EQUAL(fatbin_parts(&wrapper, &parts), 0);
    CHECK_EQUAL(fatbin_parts(m.bytes, &parts), 0);
    CHECK_EQUAL(fatbin_parts(NULL, &parts), 0);
    free(m.bytes);
}

/* Where the size is known, a container may not say that it has more. */
static void check_size(void)
{
    struct image m = begin();
    put_entry(&m, 1, 80, PLAIN, text_80);
    end(&m);
    CHECK(fatbin_fits(m.bytes, m.size));
    CHECK(fatbin_fits(m.bytes, m.size + 1));
    CHECK(fatbin_fits(text_80, 3));
    for (size_t n = 4; n < m.size; n++) {
        uint8_t *cut = malloc(n);
        memcpy(cut, m.bytes, n);
        CHECK(!fatbin_fits(cut, n));
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
    check_special_targets();
    check_lengths();
    check_parts();
    check_size();
    check_message();
    return check_result();
}
