/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fat binaries: the container in which compilers pack PTX and machine code for
 * several devices, in the layout that NVIDIA's tools and drivers read too, so
 * that what weftcc builds runs on a real GPU as well. Written plain; read also
 * where an image is compressed with lz4 or zstd.
 *
 *   format.h   the layout
 *   read.c     the best PTX for a device, containers among other bytes
 *   write.c    images -> a container
 *   host.c     objects and archives that have containers in them
 */
#ifndef WEFT_FATBIN_H
#define WEFT_FATBIN_H

#include <stdio.h>

#include "base/base.h"

/* libweft.so exports these for the two APIs: see core/exports.h. */
#pragma redefine_extname fatbin_open weft_fatbin_open
#pragma redefine_extname fatbin_next weft_fatbin_next
#pragma redefine_extname fatbin_runs_on weft_fatbin_runs_on
#pragma redefine_extname fatbin_unpack weft_fatbin_unpack
#pragma redefine_extname fatbin_fits weft_fatbin_fits
#pragma redefine_extname fatbin_select weft_fatbin_select
#pragma redefine_extname fatbin_parts weft_fatbin_parts
#pragma redefine_extname fatbin_find weft_fatbin_find
#pragma redefine_extname fatbin_length weft_fatbin_length
#pragma redefine_extname fatbin_has_entries weft_fatbin_has_entries
#pragma redefine_extname fatbin_is_elf weft_fatbin_is_elf
#pragma redefine_extname fatbin_is_archive weft_fatbin_is_archive
#pragma GCC visibility push(default)

struct fatbin_entry {
    const char *ptx; /* not NUL-terminated; NULL: machine code */
    size_t ptx_bytes;
    unsigned sm;
    void *owned; /* decompressed text, to free, or NULL */
};
#define FATBIN_ANY_DEVICE UINT32_MAX
/* The PTX for the highest level that runs on device_sm, in a container or in
 * what a program registers; if there is none, false and *seen describes what is
 * there, for the message (malloc'ed). Any damage is safe. */
bool fatbin_select(const void *image, unsigned device_sm,
                   struct fatbin_entry *out, char **seen);
/* One image after the other, for those who list them. */
enum fatbin_kind {
    FATBIN_PTX = 1,
    FATBIN_CUBIN = 2,
    FATBIN_LTOIR = 8, /* NVIDIA's link-time code */
};
struct fatbin_reader {
    const uint8_t *next, *end;
    unsigned entry_count;
};
struct fatbin_item {
    unsigned kind;             /* enum fatbin_kind, or something else */
    unsigned sm, major, minor; /* version: of the PTX */
    const char *suffix;        /* "", "a", "f" */
    const char *name;          /* of the source file; not NUL-terminated */
    size_t name_bytes;
    const uint8_t *content; /* packed or not */
    size_t content_bytes, packed_bytes, plain_bytes;
    uint64_t flags;
};
/* False: the image is no fat binary. */
bool fatbin_open(const void *image, struct fatbin_reader *out);
/* False: that was the last, or what follows is damaged. */
bool fatbin_next(struct fatbin_reader *r, struct fatbin_item *out);
/* It is PTX for this level, or an older one. */
bool fatbin_runs_on(const struct fatbin_item *item, unsigned sm);
/* The image, unpacked and with a NUL behind it; malloc'ed; NULL: damaged. */
char *fatbin_unpack(const struct fatbin_item *item, size_t *size_bytes);
/* False: a fat binary that says it is longer than these bytes. */
bool fatbin_fits(const void *image, size_t size_bytes);
/* The length of the whole container that `bytes` starts with; 0: none. */
size_t fatbin_length(const void *bytes, size_t size_bytes);
/* A container with at least one image, of whatever kind, all of them whole. */
bool fatbin_has_entries(const void *image);
/* A 64-bit ELF file, or an archive ("!<arch>"), whose parts lie within these
 * bytes. One without any is whole, too. */
bool fatbin_is_elf(const void *bytes, size_t size_bytes);
bool fatbin_is_archive(const void *bytes, size_t size_bytes);
/* The containers that a wrapper of nvcc's device linker names; 0: none. */
size_t fatbin_parts(const void *image, const void *const **parts);
/* The next whole container among other bytes, of a section, an object or an
 * archive: its start, and *length; *bytes goes behind it. NULL: there is no
 * more. */
const char *fatbin_find(const char **bytes, size_t *size_bytes, size_t *length);

#pragma GCC visibility pop

/* Whether these are the first bytes of a container, or of a wrapper, which
 * points at one. A text of one byte may be asked about. */
bool fatbin_is_here(const void *image);

struct fatbin_image {
    const char *ptx;   /* text with a NUL behind it */
    size_t bytes;      /* without that */
    unsigned cubin_sm; /* not 0: machine code for it, and no PTX */
};
/* Writes a container; `name` is what the code was made of. The first image that
 * has no .version and .target is refused: *bad is its index then. Otherwise
 * false says that `f` took not all of it, and *bad is `count`. */
bool fatbin_write(FILE *f, const struct fatbin_image *images, size_t count,
                  const char *name, size_t *bad);
/* The same in memory; malloc'ed. NULL: an image is refused, or no memory. */
void *fatbin_build(const struct fatbin_image *images, size_t count,
                   const char *name, size_t *size_bytes);

#endif
