/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of few entries, one by one: y = alpha a x + beta y for the rows from
 * `first` to `end`. y is not read where beta is 0. */
#ifndef WEFT_CUSPARSE_SHORT_ROWS_H
#define WEFT_CUSPARSE_SHORT_ROWS_H

#include <complex.h>

#include "band_rows.h"

/* One for each type: s and d real, c and z complex, of 4 and 8 bytes a part.
 * Any thread, for rows of its own. */
void cusparse_short_rows_s(const struct csr_rows *r, int64_t first, int64_t end,
                           float alpha, float beta);
void cusparse_short_rows_d(const struct csr_rows *r, int64_t first, int64_t end,
                           double alpha, double beta);
void cusparse_short_rows_c(const struct csr_rows *r, int64_t first, int64_t end,
                           float _Complex alpha, float _Complex beta);
void cusparse_short_rows_z(const struct csr_rows *r, int64_t first, int64_t end,
                           double _Complex alpha, double _Complex beta);

#endif
