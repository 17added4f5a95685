/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels in their four types. */
#include "structure.h"

#include "band_rows.h"
#include "halves.h"
#include "short_rows.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The n-th smallest of count magnitudes, which are not negative: their bits
 * order as they do, 16 bits at a time. Overwrites all. */
static double select_magnitude(double *all, int64_t count, int64_t n)
{
    enum { DIGIT = 16, VALUES = 1 << DIGIT };
    int64_t *counts = malloc(VALUES * sizeof *counts);
    if (!counts)
        __builtin_trap();
    for (int shift = 64 - DIGIT; shift >= 0 && count > 1; shift -= DIGIT) {
        int64_t kept = 0;
        unsigned digit = 0;
        uint64_t bits;
        memset(counts, 0, VALUES * sizeof *counts);
        for (int64_t i = 0; i < count; i++) {
            memcpy(&bits, all + i, sizeof bits);
            counts[bits >> shift & (VALUES - 1)]++;
        }
        while (n >= counts[digit])
            n -= counts[digit++];
        for (int64_t i = 0; i < count; i++) {
            memcpy(&bits, all + i, sizeof bits);
            if ((bits >> shift & (VALUES - 1)) == digit)
                all[kept++] = all[i];
        }
        count = kept;
    }
    free(counts);
    return *all;
}

#define T            float
#define REAL         float
#define OF(name)     name##_s
#define NATIVE       CUDA_R_32F
#define CONJ(v)      (v)
#define MAGNITUDE(v) fabs(v)
#define IS_COMPLEX   0
#define BAND_ROWS    cusparse_band_rows_s
#include "lib/cusparse/kernels.h"
#undef T
#undef REAL
#undef OF
#undef NATIVE
#undef BAND_ROWS

#define T         double
#define REAL      double
#define OF(name)  name##_d
#define NATIVE    CUDA_R_64F
#define BAND_ROWS cusparse_band_rows_d
#include "lib/cusparse/kernels.h"
#undef T
#undef REAL
#undef OF
#undef NATIVE
#undef CONJ
#undef MAGNITUDE
#undef IS_COMPLEX
#undef BAND_ROWS

#define T            float _Complex
#define REAL         float
#define OF(name)     name##_c
#define NATIVE       CUDA_C_32F
#define CONJ(v)      conjf(v)
#define MAGNITUDE(v) cabs(v)
#define IS_COMPLEX   1
#define BAND_ROWS(r, first, end, alpha, beta) (first)
#include "lib/cusparse/kernels.h"
#undef T
#undef REAL
#undef OF
#undef NATIVE
#undef CONJ

#define T        double _Complex
#define REAL     double
#define OF(name) name##_z
#define NATIVE   CUDA_C_64F
#define CONJ(v)  conj(v)
#include "lib/cusparse/kernels.h"

#define KERNEL(name, type)                                                     \
    {                                                                          \
        "cusparse_" #name #type, name##type, sizeof(struct work), 0            \
    }
#define KERNEL_ROW(name)                                                       \
    [KERNEL_##name] = {KERNEL(name, _s), KERNEL(name, _d), KERNEL(name, _c),   \
                       KERNEL(name, _z)},
static const struct native_kernel kernels[KERNEL_COUNT][4] = {
    CUSPARSE_KERNELS(KERNEL_ROW)};

cusparseStatus_t cusparse_launch(cusparseHandle_t handle, enum kernel k,
                                 cudaDataType type, int64_t tiles,
                                 const struct work *w)
{
    int t = cusparse_type_index(type);
    if (t < 0)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (tiles <= 0)
        return CUSPARSE_STATUS_SUCCESS;
    return cusparse_status(
        lib_run(&kernels[k][t], handle->stream, (uint64_t)tiles, w));
}
