/* SPDX-License-Identifier: Apache-2.0 */
/* Where the entries of a product are. */
#ifndef WEFT_CUSPARSE_STRUCTURE_H
#define WEFT_CUSPARSE_STRUCTURE_H

#include "internal.h"

/* Columns of row i of a b, sorted, and its offset, into c. seen: one for each
 * column of b, 0 or from other rows. */
void structure_row(const struct work *w, int64_t i, int64_t *seen);

#endif
