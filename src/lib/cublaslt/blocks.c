/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results with scales for blocks of a column: 32 8-bit floats share a power of
 * 2, 16 4-bit floats an 8-bit float. A scale is the block's largest magnitude
 * divided by the largest number of the type, rounded (a power of 2: upwards);
 * numbers are stored divided by it. cuBLAS, "1D Block Scaling for FP8 and FP4
 * Data Types".
 */
#include "internal.h"

#include <math.h>

#include "base/bits.h"

enum { E2M1_MAX = 6, E4M3_MAX = 448, E5M2_MAX = 57344, BLOCK_MAX = 32 };

int64_t lt_block_length(int32_t mode)
{
    return mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0   ? 32
           : mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3 ? 16
                                                              : 0;
}

bool lt_is_out_scale_right(const struct matmul_desc *m, const struct layout *d)
{
    bool is_four = d->type == CUDA_R_4F_E2M1;
    bool is_eight = lt_is_fp8((cudaDataType_t)d->type);
    if (m->d_out_mode == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F)
        return !m->d_out_scale && !is_four;
    /* Two numbers of 4 bits share a byte, and columns begin with a byte. */
    return lt_block_length(m->d_out_mode) == (is_four    ? 16
                                              : is_eight ? 32
                                                         : -1) &&
           m->d_out_scale && d->batch == 1 && !(is_four && d->ld % 2);
}

int64_t lt_scale_place(int64_t outer, int64_t block, int64_t blocks)
{
    /* In tiles of 128 rows by 4 blocks. */
    int64_t across = (blocks + 3) / 4;
    return (outer / 128 * across + block / 4) * 512 + outer % 32 * 16 +
           outer % 128 / 32 * 4 + block % 4;
}

/* The exponent, with the bias of float, of the least power of 2 that is at
 * least x; x >= 0. */
static uint8_t power_above(float x)
{
    uint32_t bits = bits_of_float(x), exponent = bits >> 23;
    uint32_t fraction = bits & 0x7fffff;
    bool is_up =
        exponent ? exponent < 254 && fraction > 0 : fraction > 1u << 22;
    return (uint8_t)(exponent + is_up);
}

/* Stores the scale of a block whose largest magnitude is `most`; returns the
 * factor by which to multiply its numbers. */
static float store_scale(cudaDataType_t type, float most, uint8_t *at)
{
    if (type == CUDA_R_4F_E2M1) {
        struct number scale = {most / E2M1_MAX, 0};
        element_store(CUDA_R_8F_E4M3, scale, at);
        float stored = (float)element_load(CUDA_R_8F_E4M3, at).re;
        return stored == 0 ? 0 : 1 / stored;
    }
    float max = type == CUDA_R_8F_E4M3 ? E4M3_MAX : E5M2_MAX;
    *at = power_above(most / max);
    return *at == 255 ? NAN : ldexpf(1, 127 - *at);
}

/* To the nearest of 0, 0.5, 1, 1.5, 2, 3, 4, 6; ties to an even code. */
static unsigned to_e2m1(float x)
{
    static const float limits[] = {0.25f, 0.75f, 1.25f, 1.75f,
                                   2.5f,  3.5f,  5.0f};
    float magnitude = fabsf(x);
    unsigned code = 0;
    for (unsigned i = 0; i < 7; i++)
        code += i % 2 ? magnitude >= limits[i] : magnitude > limits[i];
    if (isnan(x))
        return 7;
    return code | (signbit(x) ? 8 : 0);
}

/* Stores n numbers of 4 bits from `index` on, which is even. */
static void store_fours(uint8_t *at, int64_t index, const float *values,
                        int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        uint8_t *byte = at + (index + i) / 2;
        unsigned shift = i % 2 * 4;
        *byte =
            (uint8_t)((*byte & ~(15u << shift)) | to_e2m1(values[i]) << shift);
    }
}

static void store_block(const struct lt_product *l, int64_t row, int64_t column,
                        int64_t rows, const float *values)
{
    const struct matrix *d = &l->p.d;
    int64_t each = lt_block_length(l->desc.d_out_mode);
    int64_t blocks = (l->p.m + each - 1) / each;
    float most = 0, quotients[BLOCK_MAX];
    for (int64_t i = 0; i < rows; i++)
        most = fmaxf(most, fabsf(values[i]));
    float factor = store_scale(d->type, most,
                               (uint8_t *)l->desc.d_out_scale +
                                   lt_scale_place(column, row / each, blocks));
    for (int64_t i = 0; i < rows; i++)
        quotients[i] = values[i] * factor;
    if (d->type == CUDA_R_4F_E2M1)
        store_fours(d->at, row + column * d->ld, quotients, rows);
    else
        element_from_float(element_of(d->type).part, quotients,
                           matrix_at(d, 0, row, column), (size_t)rows);
}

void lt_store_blocks(const struct lt_product *l, int64_t row, int64_t column,
                     int64_t rows, const float *values)
{
    int64_t each = lt_block_length(l->desc.d_out_mode);
    for (int64_t i = 0; i < rows; i += each)
        store_block(l, row + i, column, rows - i < each ? rows - i : each,
                    values + i);
}
