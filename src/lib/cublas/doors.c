/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that come in both widths of integers. */
#include "internal.h"

#include <string.h>

#define NAME_(width, name, version)                                            \
    CUBLAS_EXPAND(CUBLAS_##version##_##width, name)

/* ---- int -------------------------------------------------------------- */

#define CUBLAS_I            int
#define INDEX               CUDA_R_32I
#define NAME(name, version) NAME_(32, name, version)
#include "lib/cublas/doors_types.h"
#include "lib/cublas/doors_ex.h"
#undef CUBLAS_I
#undef INDEX
#undef NAME

/* ---- int64_t ---------------------------------------------------------- */

#define CUBLAS_I            int64_t
#define INDEX               CUDA_R_64I
#define NAME(name, version) NAME_(64, name, version)
#include "lib/cublas/doors_types.h"
#include "lib/cublas/doors_ex.h"
#undef CUBLAS_I
#undef INDEX
#undef NAME
