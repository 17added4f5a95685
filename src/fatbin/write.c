/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing: PTX text and machine code, uncompressed.
 */
#include "fatbin/fatbin.h"
#include "fatbin/format.h"

#include <stdlib.h>
#include <string.h>

static size_t round_up(size_t n)
{
    return (n + FATBIN_ALIGNMENT - 1) / FATBIN_ALIGNMENT * FATBIN_ALIGNMENT;
}

/* What the image says of itself: ".version 8.0" and ".target sm_80" come
 * first in PTX. False: they are missing. */
static bool read_head(const struct fatbin_image *from,
                      struct fatbin_image_header *image)
{
    unsigned major, minor, sm;
    char suffix = 0; /* of sm_90a, sm_100f */
    if (from->cubin_sm) {
        image->kind = FATBIN_CUBIN;
        image->sm = from->cubin_sm;
        return true;
    }
    const char *version = strstr(from->ptx, ".version");
    const char *target = strstr(from->ptx, ".target");
    if (!version || sscanf(version, ".version %u.%u", &major, &minor) != 2 ||
        !target || sscanf(target, ".target sm_%u%c", &sm, &suffix) < 1)
        return false;
    image->flags |= suffix == 'a'   ? FATBIN_EXACT
                    : suffix == 'f' ? FATBIN_FAMILY
                                    : 0;
    image->major = (uint16_t)major;
    image->minor = (uint16_t)minor;
    image->sm = sm;
    return true;
}

/* The header of an image, without what its PTX says. */
static struct fatbin_image_header header_of(const struct fatbin_image *image,
                                            const char *name)
{
    size_t name_bytes = strlen(name);
    size_t options_at =
        sizeof(struct fatbin_image_header) + round_up(name_bytes + 1);
    return (struct fatbin_image_header){
        .kind = FATBIN_PTX,
        .version = FATBIN_IMAGE_VERSION,
        .header_bytes = (uint32_t)(options_at + sizeof(struct fatbin_options)),
        .content_bytes = round_up(image->bytes + 1), /* ends with a NUL */
        .options_offset = (uint32_t)options_at,
        .name_offset = sizeof(struct fatbin_image_header),
        .name_bytes = (uint32_t)name_bytes,
        .flags = FATBIN_64_BIT | FATBIN_LINUX,
    };
}

static void write_image(FILE *f, const struct fatbin_image_header *head,
                        const char *name, const struct fatbin_image *image)
{
    static const char zeros[FATBIN_ALIGNMENT + 1];
    struct fatbin_options options = {.text_offset = head->header_bytes};
    size_t name_room = head->options_offset - head->name_offset;

    fwrite(head, sizeof *head, 1, f);
    fwrite(name, 1, head->name_bytes, f);
    fwrite(zeros, 1, name_room - head->name_bytes, f);
    fwrite(&options, sizeof options, 1, f);
    fwrite(image->ptx, 1, image->bytes, f);
    fwrite(zeros, 1, head->content_bytes - image->bytes, f);
}

/* The bytes of all images with their headers; *bad as in fatbin_write. */
static bool measure_images(const struct fatbin_image *images, size_t count,
                           const char *name, uint64_t *bytes, size_t *bad)
{
    *bytes = 0;
    for (*bad = 0; *bad < count; ++*bad) {
        struct fatbin_image_header head = header_of(&images[*bad], name);
        if (!read_head(&images[*bad], &head))
            return false;
        *bytes += head.header_bytes + head.content_bytes;
    }
    return true;
}

bool fatbin_write(FILE *f, const struct fatbin_image *images, size_t count,
                  const char *name, size_t *bad)
{
    struct fatbin_header header = {
        .magic = FATBIN_MAGIC,
        .version = FATBIN_VERSION,
        .header_bytes = sizeof header,
    };
    if (!measure_images(images, count, name, &header.content_bytes, bad))
        return false;
    fwrite(&header, sizeof header, 1, f);
    for (size_t i = 0; i < count; i++) {
        struct fatbin_image_header head = header_of(&images[i], name);
        read_head(&images[i], &head);
        write_image(f, &head, name, &images[i]);
    }
    return !ferror(f);
}

void *fatbin_build(const struct fatbin_image *images, size_t count,
                   const char *name, size_t *size_bytes)
{
    char *out = NULL;
    size_t bad;
    FILE *f = open_memstream(&out, size_bytes);
    if (!f)
        return NULL;
    bool ok = fatbin_write(f, images, count, name, &bad);
    ok &= fclose(f) == 0;
    if (ok)
        return out;
    free(out);
    return NULL;
}
