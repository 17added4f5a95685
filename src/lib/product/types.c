/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/product/types.h"

struct row {
    cublasComputeType_t compute;
    struct product_types types;
    cudaDataType_t ab, c;
};

static const struct row rows[] = {
#define PRODUCT(compute, sums, scale, ab, c)                                   \
    {CUBLAS_COMPUTE_##compute,                                                 \
     {sums, scale, CUBLAS_COMPUTE_##compute == CUBLAS_COMPUTE_32I},            \
     ab,                                                                       \
     c},
#include "lib/product/types.def"
};

/* The type that the table has for it. */
static cublasComputeType_t plain_compute(cublasComputeType_t compute)
{
    switch (compute) {
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return CUBLAS_COMPUTE_16F;
    case CUBLAS_COMPUTE_32F_PEDANTIC:
        return CUBLAS_COMPUTE_32F;
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        return CUBLAS_COMPUTE_64F;
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        return CUBLAS_COMPUTE_32I;
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
        return CUBLAS_COMPUTE_64F;
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
        return CUBLAS_COMPUTE_32F;
    default:
        return compute;
    }
}

bool product_types_of(cublasComputeType_t compute, cudaDataType_t a,
                      cudaDataType_t b, cudaDataType_t c,
                      struct product_types *out)
{
    compute = plain_compute(compute);
    for (size_t i = 0; a == b && i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        if (r->compute != compute || r->ab != a || r->c != c)
            continue;
        *out = r->types;
        return true;
    }
    return false;
}
