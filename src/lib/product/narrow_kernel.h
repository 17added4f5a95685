/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of narrow products; narrow.c packs their operands and calls them. */
#ifndef WEFT_LIB_NARROW_KERNEL_H
#define WEFT_LIB_NARROW_KERNEL_H

#include "lib/product/narrow.h"

/* A block of sums over `steps` lanes along k; less[j] is subtracted from those
 * of column j. a: `rows` lanes for each step; b: `columns` lanes for each step,
 * or the form that the kernel's own pack_b makes. */
typedef void narrow_kernel_fn(int64_t steps, const int32_t *a, const int32_t *b,
                              const int32_t *less, struct narrow_sums to);

/* Packs `count` rows of A, or columns of B, from x->at on over k: a panel of
 * `width` of them, of which those behind `count` are zeros. */
typedef void narrow_pack_fn(const struct narrow *x, int64_t count,
                            int64_t width, int64_t k, int32_t *to);

struct narrow_kernel {
    int rows, columns;    /* of a block of sums; vectors lie along rows */
    int width;            /* of a panel of B */
    int group;            /* numbers in a lane */
    int steps;            /* run()'s are a multiple of it */
    size_t element_bytes; /* of a number */
    narrow_pack_fn *pack_a, *pack_b;
    narrow_kernel_fn *run;
    /* Or NULL. less[j]: how much too large the packed form of A makes the sums
     * of column j. */
    void (*find_less)(int64_t steps, const int32_t *b, int32_t *less);
    /* Or NULL: a thread calls begin before its blocks and end behind them. */
    void (*begin)(void), (*end)(void);
};

/* The most that a block of any kernel has: rows, columns, sums. */
enum { NARROW_ROWS = 48, NARROW_COLUMNS = 32, NARROW_BLOCK = 1024 };

/* They put lane p of row, or column, i at lanes[p * width + i]. */
narrow_pack_fn narrow_pack_bytes, narrow_pack_bfloats;

/* Transposes 8 x 8 lanes, each XORed with flip: lane p of row i goes to
 * lanes[p * width + i]. Rows are `step` bytes apart. */
void narrow_turn(const char *at, int64_t step, int32_t flip, int64_t width,
                 int32_t *lanes);

/* Kernels with blocks of 32 x 32 in tiles of 16 x 16: by AMX (NULL: the
 * processor lacks it, or Linux does not save its registers for this process),
 * and by loops in C (NULL: the processor lacks AVX2, which packing needs). */
const struct narrow_kernel *narrow_amx(enum narrow_kind kind);
const struct narrow_kernel *narrow_tiles(enum narrow_kind kind);

#endif
