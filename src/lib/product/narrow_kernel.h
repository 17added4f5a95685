/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels of narrow products are; narrow.c packs for them and calls them.
 */
#ifndef WEFT_LIB_NARROW_KERNEL_H
#define WEFT_LIB_NARROW_KERNEL_H

#include "lib/product/narrow.h"

/* `steps` lanes of A times those of B, less what `less` has for a column. a has
 * `rows` lanes for each step, b `columns`, or what the kernel's pack_b made. */
typedef void narrow_kernel_fn(int64_t steps, const int32_t *a, const int32_t *b,
                              const int32_t *less, struct narrow_sums to);

/* Lanes of `count` (at most `width`) neighbours from x->at on; others are 0. */
typedef void narrow_pack_fn(const struct narrow *x, int64_t count,
                            int64_t width, int64_t k, int32_t *to);

struct narrow_kernel {
    int rows, columns; /* of a block of sums: `rows` along its lanes */
    int width;         /* columns that pack_b packs together */
    int group;         /* numbers in a lane */
    int steps;         /* a multiple of so many, the last ones of zeros */
    size_t element_bytes;
    narrow_pack_fn *pack_a, *pack_b;
    narrow_kernel_fn *run;
    /* Or NULL: what comes of how A is packed, a number for each column. */
    void (*find_less)(int64_t steps, const int32_t *b, int32_t *less);
    /* Or NULL: of this thread, before the first block and after the last. */
    void (*begin)(void), (*end)(void);
};

/* The most that a block has of both. */
enum { NARROW_ROWS = 48, NARROW_COLUMNS = 32, NARROW_BLOCK = 1024 };

/* Lane p of neighbour i: lanes[p * width + i]. */
narrow_pack_fn narrow_pack_bytes, narrow_pack_bfloats;

/* lanes[p * width + i] is lane p of row i, rows `step` bytes apart: 8 x 8. */
void narrow_turn(const char *at, int64_t step, int32_t flip, int64_t width,
                 int32_t *lanes);

/* Blocks of 32 x 32 in tiles of 16 x 16: by AMX, or by loops in C that do the
 * same. NULL: this processor, or this process, cannot. */
const struct narrow_kernel *narrow_amx(enum narrow_kind kind);
const struct narrow_kernel *narrow_tiles(enum narrow_kind kind);

#endif
