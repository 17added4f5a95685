/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of a fat binary, as public tools show it: a header, then the
 * images, each with a header of its own. Little-endian, aligned to 8 bytes.
 */
#ifndef WEFT_FATBIN_FORMAT_H
#define WEFT_FATBIN_FORMAT_H

#include "base/base.h"

#define FATBIN_MAGIC         0xba55ed50u
#define FATBIN_WRAPPER_MAGIC 0x466243b1u

enum {
    FATBIN_VERSION = 1,
    FATBIN_IMAGE_VERSION = 0x0101,
    FATBIN_ALIGNMENT = 8,
};

/* The argument of __cudaRegisterFatBinary. */
struct fatbin_wrapper {
    uint32_t magic, version;
    const void *container;
    const void *const *parts; /* version 2: containers to link, then NULL */
};
enum { FATBIN_WRAPPER_LINKED = 2 };

struct fatbin_header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t content_bytes; /* of the images with their headers */
};

/* Flags of an image. */
enum {
    FATBIN_64_BIT = 0x1,
    FATBIN_LINUX = 0x10,
    FATBIN_LZ4 = 0x2000,
    FATBIN_ZSTD = 0x8000,
    FATBIN_EXACT = 0x100000,  /* sm_90a: for this device alone */
    FATBIN_FAMILY = 0x200000, /* sm_100f: for devices of this major version */
};

/* Offsets count from its start. */
struct fatbin_image_header {
    uint16_t kind, version;    /* enum fatbin_kind; FATBIN_IMAGE_VERSION */
    uint32_t header_bytes;     /* from this header's start to the content */
    uint64_t content_bytes;    /* as it is stored, padding included */
    uint32_t compressed_bytes; /* without padding; 0: not compressed */
    uint32_t options_offset;   /* of struct fatbin_options */
    uint16_t minor, major;     /* the PTX version */
    uint32_t sm;
    uint32_t name_offset, name_bytes; /* of the source file's name */
    uint64_t flags, reserved;
    uint64_t plain_bytes; /* after decompression */
};

/* The options that the PTX was made with; we write none. */
struct fatbin_options {
    uint32_t text_offset, text_bytes;
};

static_assert(sizeof(struct fatbin_header) == 16, "on disk");
static_assert(sizeof(struct fatbin_options) == 8, "on disk");
static_assert(sizeof(struct fatbin_image_header) == 64, "on disk");

#endif
