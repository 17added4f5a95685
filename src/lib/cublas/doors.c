/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the functions of doors_typed.h and doors_ex.h, with sizes of int and
 * of int64_t (..._64). */
#include "internal.h"

#include <string.h>

#define NAME_(width, name, version)                                            \
    CUBLAS_EXPAND(CUBLAS_##version##_##width, name)

#define OF_TYPE(s, d, c, z)                                                    \
    _Generic(*(CUBLAS_T *)0, float                                             \
             : s, double                                                       \
             : d, cuComplex                                                    \
             : c, cuDoubleComplex                                              \
             : z)
#define TYPE        OF_TYPE(BLAS_S, BLAS_D, BLAS_C, BLAS_Z)
#define ELEMENT     OF_TYPE(CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F)
#define REAL        OF_TYPE(CUDA_R_32F, CUDA_R_64F, CUDA_R_32F, CUDA_R_64F)
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
