/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of integers: where the entries of results are. */
#ifndef WEFT_CUSPARSE_STRUCTURE_H
#define WEFT_CUSPARSE_STRUCTURE_H

#include "internal.h"

/* In tiles: count the entries of each major of c in c.major[i + 1]: of a + b,
 * of a in blocks of c's size; for a b in counts[i + 1]. */
extern const struct native_kernel structure_product, structure_sum,
    structure_blocks;
/* One tile: from counts to offsets of c, whose number of majors is n, and
 * their sum into `total`, if there is one. */
extern const struct native_kernel structure_offsets;
/* The same sum of counts that stay counts. */
extern const struct native_kernel structure_total;
/* The columns of c = a b, whose offsets are counts. */
extern const struct native_kernel structure_columns;
/* One tile: how many products a b takes into *out (int64_t). */
extern const struct native_kernel structure_products;

/* The columns of a row of blocks of c, sorted, of what a has there; marks: one
 * for each column of blocks, 0 or from rows before. */
int64_t structure_block_row(const struct work *w, int64_t row, int64_t *marks);

/* Counts by one of the first, then makes offsets; waits if the total goes to
 * the host. */
cusparseStatus_t structure_count(cusparseHandle_t handle,
                                 const struct native_kernel *k,
                                 const struct work *w);
/* The second half of it, by a kernel of one tile. structure_finish: by
 * structure_offsets. */
cusparseStatus_t structure_end(cusparseHandle_t handle,
                               const struct native_kernel *k,
                               const struct work *w);
cusparseStatus_t structure_finish(cusparseHandle_t handle,
                                  const struct work *w);

#endif
