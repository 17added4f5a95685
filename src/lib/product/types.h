/* SPDX-License-Identifier: Apache-2.0 */
/* Which products of mixed types there are: types.def. */
#ifndef WEFT_LIB_PRODUCT_TYPES_H
#define WEFT_LIB_PRODUCT_TYPES_H

#pragma GCC visibility push(default)
#include "cublas_api.h"
#pragma GCC visibility pop

#include "lib/product/elements.h"

/* What a product of these types is computed in, and its scalars' type; false:
 * there is no such product. */
struct product_types {
    enum blas_type type;
    cudaDataType_t scale;
    bool is_integer;
};
bool product_types_of(cublasComputeType_t compute, cudaDataType_t a,
                      cudaDataType_t b, cudaDataType_t c,
                      struct product_types *out);

#endif
