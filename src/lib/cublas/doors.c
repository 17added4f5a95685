/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the functions of doors_typed.h and doors_ex.h, with sizes of int and
 * of int64_t (..._64). */
#include "internal.h"

#include <string.h>

#define NAME_(width, name, version)                                            \
    CUBLAS_EXPAND(CUBLAS_##version##_##width, name)

#define TYPE BLAS_TYPE_OF(CUBLAS_T)
#define ELEMENT                                                                \
    BLAS_OF(CUBLAS_T, CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F)
#define REAL                                                                   \
    BLAS_OF(CUBLAS_T, CUDA_R_32F, CUDA_R_64F, CUDA_R_32F, CUDA_R_64F)
#define CUBLAS_ROWS "lib/cublas/doors_typed.h"

/* ---- int -------------------------------------------------------------- */

#define CUBLAS_I            int
#define INDEX               CUDA_R_32I
#define NAME(name, version) NAME_(32, name, version)
#include "weft/cublas_types.h"
#include "lib/cublas/doors_ex.h"
#undef CUBLAS_I
#undef INDEX
#undef NAME

/* ---- int64_t ---------------------------------------------------------- */

#define CUBLAS_I            int64_t
#define INDEX               CUDA_R_64I
#define NAME(name, version) NAME_(64, name, version)
#include "weft/cublas_types.h"
#include "lib/cublas/doors_ex.h"
#undef CUBLAS_I
#undef INDEX
#undef NAME
