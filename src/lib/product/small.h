/* SPDX-License-Identifier: Apache-2.0 */
/* Products of small real matrices, without packing. */
#ifndef WEFT_LIB_SMALL_H
#define WEFT_LIB_SMALL_H

#include "lib/product/product.h"

/* C = alpha op(A) op(B) + beta C, in column order; op(A) is m x k. False, and
 * nothing is done: a size is over 64, the type is complex, alpha is 0, or this
 * processor has no kernel. Any thread may call. */
bool small_gemm(enum blas_type type, enum product_op op_a, enum product_op op_b,
                int64_t m, int64_t n, int64_t k, const union blas_number *alpha,
                const void *a, int64_t lda, const void *b, int64_t ldb,
                const union blas_number *beta, void *c, int64_t ldc);

#endif
