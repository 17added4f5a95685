/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fat binary: a container for the device code of one source file, in the
 * layout that NVIDIA's tools and drivers read, so that what weftcc builds runs
 * on a real GPU as well. One header, then one image after the other; weftcc
 * writes PTX text, uncompressed, and reads what nvcc writes too.
 */
#include "cc.h"

#include <errno.h>
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

enum {
    FATBIN_MAGIC = (int)0xBA55ED50,
    FATBIN_VERSION = 1,
    IMAGE_PTX = 1,
    IMAGE_VERSION = 0x0101,
    IMAGE_64_BIT = 0x1, /* flags */
    IMAGE_LINUX = 0x10,
    IMAGE_LZ4 = 0x2000,
    IMAGE_ZSTD = 0x8000,
    PAYLOAD_ALIGNMENT = 8,
};

struct fatbin_header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t content_bytes; /* everything behind this header */
};

struct image_header {
    uint16_t kind, version;
    uint32_t header_bytes; /* with what stands between it and the payload */
    uint64_t payload_bytes;
    uint32_t compressed_bytes; /* 0: not compressed */
    uint32_t options_offset;   /* of a struct image_options, from here */
    uint16_t minor, major;     /* of the PTX version */
    uint32_t sm;
    uint32_t name_offset, name_bytes; /* of the source file, from here */
    uint64_t flags, reserved;
    uint64_t uncompressed_bytes; /* 0: not compressed */
};

/* The options that the PTX was made with; we write none. */
struct image_options {
    uint32_t text_offset, text_bytes;
};

static_assert(sizeof(struct fatbin_header) == 16, "on disk");
static_assert(sizeof(struct image_options) == 8, "on disk");
static_assert(sizeof(struct image_header) == 64, "on disk");

static size_t round_up(size_t n)
{
    return (n + PAYLOAD_ALIGNMENT - 1) / PAYLOAD_ALIGNMENT * PAYLOAD_ALIGNMENT;
}

/* ".version 8.0" and ".target sm_80" stand before everything else in PTX. */
static bool read_ptx_head(const char *ptx, struct image_header *image)
{
    unsigned major, minor, sm;
    const char *version = strstr(ptx, ".version");
    const char *target = strstr(ptx, ".target");
    if (!version || sscanf(version, ".version %u.%u", &major, &minor) != 2 ||
        !target || sscanf(target, ".target sm_%u", &sm) != 1)
        return false;
    image->major = (uint16_t)major;
    image->minor = (uint16_t)minor;
    image->sm = sm;
    return true;
}

/* The header of an image, without what its PTX says. */
static struct image_header header_of(const struct cc_image *image,
                                     const char *name)
{
    size_t name_bytes = strlen(name);
    size_t options_at = sizeof(struct image_header) + round_up(name_bytes + 1);
    return (struct image_header){
        .kind = IMAGE_PTX,
        .version = IMAGE_VERSION,
        .header_bytes = (uint32_t)(options_at + sizeof(struct image_options)),
        .payload_bytes = round_up(image->bytes + 1), /* ends with a NUL */
        .options_offset = (uint32_t)options_at,
        .name_offset = sizeof(struct image_header),
        .name_bytes = (uint32_t)name_bytes,
        .flags = IMAGE_64_BIT | IMAGE_LINUX,
    };
}

static void write_image(FILE *f, const struct image_header *head,
                        const char *name, const struct cc_image *image)
{
    static const char zeros[PAYLOAD_ALIGNMENT + 1];
    struct image_options options = {.text_offset = head->header_bytes};
    size_t name_room = head->options_offset - head->name_offset;

    fwrite(head, sizeof *head, 1, f);
    fwrite(name, 1, head->name_bytes, f);
    fwrite(zeros, 1, name_room - head->name_bytes, f);
    fwrite(&options, sizeof options, 1, f);
    fwrite(image->ptx, 1, image->bytes, f);
    fwrite(zeros, 1, head->payload_bytes - image->bytes, f);
}

static bool write_all(FILE *f, const struct image_header *heads,
                      const struct cc_image *images, size_t count,
                      const char *name)
{
    struct fatbin_header header = {
        .magic = (uint32_t)FATBIN_MAGIC,
        .version = FATBIN_VERSION,
        .header_bytes = sizeof header,
    };
    for (size_t i = 0; i < count; i++)
        header.content_bytes += heads[i].header_bytes + heads[i].payload_bytes;
    fwrite(&header, sizeof header, 1, f);
    for (size_t i = 0; i < count; i++)
        write_image(f, &heads[i], name, &images[i]);
    return !ferror(f);
}

bool cc_fatbin_write(const char *path, const struct cc_image *images,
                     size_t count, const char *source_name)
{
    struct image_header *heads =
        arena_array(cc_arena, struct image_header, count);
    for (size_t i = 0; i < count; i++) {
        heads[i] = header_of(&images[i], source_name);
        if (read_ptx_head(images[i].ptx, &heads[i]))
            continue;
        cc_error("'%s' is not PTX: it has no '.version' and '.target sm_XX'",
                 source_name);
        return false;
    }

    /* Beside the result, then renamed over it; a device such as /dev/null is
     * written as it is. */
    bool is_device = starts_with(path, "/dev/");
    const char *scratch =
        is_device ? path
                  : arena_printf(cc_arena, "%s.%d.tmp", path, (int)getpid());
    FILE *f = fopen(scratch, "wb");
    bool ok = f && write_all(f, heads, images, count, source_name);
    if (f)
        ok &= fclose(f) == 0;
    if (ok && !is_device)
        ok = rename(scratch, path) == 0;
    if (ok)
        return true;
    cc_error("cannot write '%s': %s", path, strerror(errno));
    if (!is_device)
        unlink(scratch);
    return false;
}

/* ---- reading ------------------------------------------------------------- */

/* The text of an image, malloc'ed, with a NUL behind it; NULL: damaged. */
static char *unpack(const struct image_header *image, const char *payload)
{
    bool is_packed = image->flags & (IMAGE_LZ4 | IMAGE_ZSTD);
    uint64_t bytes =
        is_packed ? image->uncompressed_bytes : image->payload_bytes;
    if (bytes > INT32_MAX || image->compressed_bytes > image->payload_bytes)
        return NULL;
    char *text = calloc(1, bytes + 1);
    bool ok = text;
    if (ok && image->flags & IMAGE_ZSTD)
        ok = ZSTD_decompress(text, bytes, payload, image->compressed_bytes) ==
             bytes;
    else if (ok && is_packed)
        ok = LZ4_decompress_safe(payload, text, (int)image->compressed_bytes,
                                 (int)bytes) == (int)bytes;
    else if (ok)
        memcpy(text, payload, bytes);
    if (!ok) {
        free(text);
        return NULL;
    }
    return text;
}

char *cc_fatbin_ptx(const char *bytes, size_t size, size_t *used)
{
    struct fatbin_header header;
    struct image_header image, best = {0};
    const char *payload = NULL;

    *used = 0;
    if (size < sizeof header)
        return NULL;
    memcpy(&header, bytes, sizeof header);
    if (header.magic != (uint32_t)FATBIN_MAGIC ||
        header.header_bytes != sizeof header ||
        header.content_bytes > size - sizeof header)
        return NULL;
    *used = sizeof header + header.content_bytes;

    for (size_t at = sizeof header; *used - at >= sizeof image;) {
        memcpy(&image, bytes + at, sizeof image);
        size_t left = *used - at;
        if (image.header_bytes < sizeof image || image.header_bytes > left ||
            image.payload_bytes > left - image.header_bytes)
            break;
        if (image.kind == IMAGE_PTX && image.sm >= best.sm &&
            (!payload || image.sm <= cc_arch_level("native"))) {
            best = image;
            payload = bytes + at + image.header_bytes;
        }
        at += image.header_bytes + image.payload_bytes;
    }
    return payload ? unpack(&best, payload) : NULL;
}

char *cc_read_file(const char *path, size_t *size_bytes)
{
    char *text = NULL;
    size_t size = 0, capacity = 0;
    FILE *f = fopen(path, "rb");
    if (!f) {
        cc_error("cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    do {
        if (!vec_reserve_((void **)&text, &capacity, size + (1 << 16) + 1, 1))
            break;
        size_t n = fread(text + size, 1, 1 << 16, f);
        size += n;
        if (n == 0)
            break;
    } while (true);
    bool ok = text && !ferror(f);
    if (!ok)
        cc_error("cannot read '%s': %s", path, strerror(errno));
    fclose(f);
    if (!ok) {
        free(text);
        return NULL;
    }
    text[size] = 0;
    *size_bytes = size;
    return text;
}

bool cc_append_file(const char *to, const char *from)
{
    size_t bytes;
    if (access(from, F_OK) != 0)
        return true;
    char *text = cc_read_file(from, &bytes);
    FILE *f = text ? fopen(to, "ab") : NULL;
    bool ok = f && fwrite(text, 1, bytes, f) == bytes;
    if (f)
        ok &= fclose(f) == 0;
    if (!ok)
        cc_error("cannot write '%s': %s", to, strerror(errno));
    free(text);
    return ok;
}
