/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fat binaries: containers in which compilers put PTX and machine code for
 * several devices. The layout is NVIDIA's, so that programs that weftcc builds
 * run on a GPU as well. We write images uncompressed, and read those that are
 * compressed with lz4 or zstd as well.
 *
 *   format.h   the layout
 *   read.c     finds containers, lists their images, selects PTX for a device
 *   write.c    images -> a container
 *   host.c     ELF files and archives, in which containers stand
 *
 * Damage is no danger: nothing is read that cannot be read, and sizes and
 * offsets are checked.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call; a reader is one thread's
 *   errors   false, NULL or 0: it is not there, or damaged
 *   owners   containers and files stay the caller's; what is unpacked or listed
 *            is malloc'ed, for the caller to free
 *   units    sizes are bytes; a device is 10 * major + minor of its capability
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
    void *owned; /* decompressed text, which the caller frees; or NULL */
};
#define FATBIN_ANY_DEVICE UINT32_MAX
/* The sections of host code that containers are in; the second one's are still
 * to be linked (-rdc=true). */
#define FATBIN_SECTION             ".nv_fatbin"
#define FATBIN_RELOCATABLE_SECTION "__nv_relfatbin"
/* Selects the PTX with the highest target that runs on device_sm. `image` is a
 * container, or the wrapper that a program registers. False: there is none, and
 * *seen, malloc'ed, lists what there is, for the message. */
bool fatbin_select(const void *image, unsigned device_sm,
                   struct fatbin_entry *out, char **seen);
/* Images one by one. */
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
    unsigned sm, major, minor; /* the target; the PTX version */
    const char *suffix;        /* "", "a", "f" */
    const char *name;          /* of the source file; not NUL-terminated */
    size_t name_bytes;
    const uint8_t *content; /* as it is stored, compressed or not */
    size_t content_bytes, packed_bytes, plain_bytes; /* see format.h */
    uint64_t flags;                                  /* FATBIN_LZ4 ... */
};
/* False: the image is no fat binary. */
bool fatbin_open(const void *image, struct fatbin_reader *out);
/* False: there are no more, or the rest is damaged. */
bool fatbin_next(struct fatbin_reader *r, struct fatbin_item *out);
/* The item is PTX that a device of compute capability `sm` can run. */
bool fatbin_runs_on(const struct fatbin_item *item, unsigned sm);
/* The image, decompressed, malloc'ed, with a NUL behind its *size_bytes bytes.
 * NULL: it is damaged, or memory has run out. */
char *fatbin_unpack(const struct fatbin_item *item, size_t *size_bytes);
/* False: these bytes are the beginning of a container or wrapper that is
 * longer.
 */
bool fatbin_fits(const void *image, size_t size_bytes);
/* The length of the container that `bytes` begins with; 0: there is none, or it
 * is cut off. */
size_t fatbin_length(const void *bytes, size_t size_bytes);
/* The container has at least one image, of any kind, and no damaged one. */
bool fatbin_has_entries(const void *image);
/* A 64-bit ELF file all of whose sections, or an archive ("!<arch>") all of
 * whose members, lie within these bytes. It may have none. */
bool fatbin_is_elf(const void *bytes, size_t size_bytes);
bool fatbin_is_archive(const void *bytes, size_t size_bytes);
/* The containers that a wrapper of nvcc's device linker lists: their count, and
 * *parts, which is the wrapper's. 0: `image` is no such wrapper. */
size_t fatbin_parts(const void *image, const void *const **parts);
/* Searches bytes, such as a file's, for the next whole container. Returns its
 * start, sets *length, and moves *bytes and *size_bytes behind it. NULL: there
 * are no more. */
const char *fatbin_find(const char **bytes, size_t *size_bytes, size_t *length);

#pragma GCC visibility pop

/* Does `image` begin with the magic number of a container or of a wrapper? It
 * may be any text that ends with a NUL, and be shorter than that number. */
bool fatbin_is_here(const void *image);

struct fatbin_image {
    const char *ptx;   /* with a NUL behind it */
    size_t bytes;      /* without that NUL */
    unsigned cubin_sm; /* not 0: `ptx` is no PTX but machine code for this */
};
/* Writes a container of images that were made of the source file `name`. False:
 * images[*bad] is PTX without .version or .target, and nothing is written; or
 * writing to `f` failed, and *bad is `count`. */
bool fatbin_write(FILE *f, const struct fatbin_image *images, size_t count,
                  const char *name, size_t *bad);
/* The same in memory, malloc'ed. NULL: an image has no .version or .target, or
 * memory has run out. */
void *fatbin_build(const struct fatbin_image *images, size_t count,
                   const char *name, size_t *size_bytes);

#endif
