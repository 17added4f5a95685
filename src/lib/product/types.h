/* SPDX-License-Identifier: Apache-2.0 */
/* Which products there are, from types.def. */
#ifndef WEFT_LIB_PRODUCT_TYPES_H
#define WEFT_LIB_PRODUCT_TYPES_H

#pragma GCC visibility push(default)
#include "cublas_api.h"
#pragma GCC visibility pop

#include "lib/product/elements.h"

struct product_types {
    enum blas_type type;  /* computed in */
    cudaDataType_t scale; /* of alpha and beta */
    bool is_integer;      /* exact sums, modulo 2^32 */
};
/* False: there is no such product. Any thread may call. */
bool product_types_of(cublasComputeType_t compute, cudaDataType_t a,
                      cudaDataType_t b, cudaDataType_t c,
                      struct product_types *out);

#endif
