/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuBLASLt: matrices that do not lie in columns or rows of one type. Bytes in
 * groups of 32 columns, complex numbers in planes, 8-bit and 4-bit floats with
 * scales for some of k: against plain loops, places as the manual has them.
 */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cublasLt.h"
#include "cuda_runtime_api.h"

#include "../exec/check.h"

typedef double complex number;

static cublasLtHandle_t lt;

static void *take(size_t bytes)
{
    void *p = NULL;
    CHECK_EQUAL(cudaMallocManaged(&p, bytes, cudaMemAttachGlobal), 0);
    memset(p, 0, bytes);
    return p;
}

static unsigned next_bits(void)
{
    static unsigned state = 5;
    state = state * 1664525 + 1013904223;
    return state >> 16;
}

static cublasLtMatrixLayout_t layout(cudaDataType_t type, int rows, int columns,
                                     int64_t ld, int order)
{
    cublasLtMatrixLayout_t l;
    CHECK_EQUAL(cublasLtMatrixLayoutCreate(&l, type, (uint64_t)rows,
                                           (uint64_t)columns, ld),
                0);
    CHECK_EQUAL(cublasLtMatrixLayoutSetAttribute(
                    l, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order),
                0);
    return l;
}

static cublasLtMatmulDesc_t product_of(cublasComputeType_t compute,
                                       cudaDataType_t scale, int op_a, int op_b)
{
    cublasLtMatmulDesc_t desc;
    CHECK_EQUAL(cublasLtMatmulDescCreate(&desc, compute, scale), 0);
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &op_a,
                                   sizeof op_a);
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSB, &op_b,
                                   sizeof op_b);
    return desc;
}

/* ---- groups of 32 columns --------------------------------------------- */

static int rounded(int n, int unit)
{
    return (n + unit - 1) / unit * unit;
}

static int64_t ld_of(int order, int rows)
{
    return 32 * rounded(rows, order == CUBLASLT_ORDER_COL4_4R2_8C    ? 8
                              : order == CUBLASLT_ORDER_COL32_2R_4R4 ? 32
                                                                     : 1);
}

/* Of the manual. COL4_4R2_8C: 8 x 8 tiles of even rows, then of odd ones, of
 * four columns, then of the other four. */
static int64_t place(int order, int64_t ld, int row, int column)
{
    int64_t group = column / 32 * ld;
    int col = column % 32;
    if (order == CUBLASLT_ORDER_COL32)
        return group + row * 32 + col;
    if (order == CUBLASLT_ORDER_COL32_2R_4R4)
        return group + row / 32 * 1024 +
               (((row % 8) / 2 * 4 + row % 32 / 8) * 2 + row % 2) * 32 + col;
    int in_eight = (col % 8 >= 4 ? 4 : 0) + row % 8 / 2;
    return group + ((row / 8 * 8 + row % 2 * 4 + col / 8) * 32) + in_eight * 4 +
           col % 4;
}

static int8_t *bytes_in(int order, int rows, int columns, int8_t *plain)
{
    int64_t ld = ld_of(order, rows);
    int8_t *p = take((size_t)(ld * ((columns + 31) / 32)));
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++) {
            plain[r + c * rows] = (int8_t)next_bits();
            p[place(order, ld, r, c)] = plain[r + c * rows];
        }
    return p;
}

/* C (m x n) = alpha A B', A and C in COL32, B (n x k) in the order given. */
static void groups(int order_b, int m, int n, int k)
{
    int8_t *plain_a = malloc((size_t)(m * k)),
           *plain_b = malloc((size_t)(n * k));
    int8_t *a = bytes_in(CUBLASLT_ORDER_COL32, m, k, plain_a);
    int8_t *b = bytes_in(order_b, n, k, plain_b);
    int32_t *c = take((size_t)(32 * m * ((n + 31) / 32)) * 4);
    int alpha = 3, beta = 0, wrong = 0;
    cublasLtMatrixLayout_t la =
        layout(CUDA_R_8I, m, k, 32 * m, CUBLASLT_ORDER_COL32);
    cublasLtMatrixLayout_t lb =
        layout(CUDA_R_8I, n, k, ld_of(order_b, n), order_b);
    cublasLtMatrixLayout_t lc =
        layout(CUDA_R_32I, m, n, 32 * m, CUBLASLT_ORDER_COL32);
    cublasLtMatmulDesc_t desc =
        product_of(CUBLAS_COMPUTE_32I, CUDA_R_32I, CUBLAS_OP_N, CUBLAS_OP_T);
    CHECK_EQUAL(cublasLtMatmul(lt, desc, &alpha, a, la, b, lb, &beta, c, lc, c,
                               lc, NULL, NULL, 0, 0),
                0);
    CHECK_EQUAL(cudaDeviceSynchronize(), 0);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            int sum = 0;
            for (int p = 0; p < k; p++)
                sum += plain_a[i + p * m] * plain_b[j + p * n];
            wrong += c[place(CUBLASLT_ORDER_COL32, 32 * m, i, j)] != 3 * sum;
        }
    if (wrong)
        fprintf(stderr, "order %d, %d x %d x %d: %d wrong\n", order_b, m, n, k,
                wrong);
    CHECK_EQUAL(wrong, 0);
    cublasLtMatrixLayoutDestroy(la), cublasLtMatrixLayoutDestroy(lb);
    cublasLtMatrixLayoutDestroy(lc), cublasLtMatmulDescDestroy(desc);
    cudaFree(a), cudaFree(b), cudaFree(c), free(plain_a), free(plain_b);
}

/* Into each order and back. */
static void transforms(int order)
{
    enum { ROWS = 72, COLUMNS = 96 };
    int8_t *a = take(ROWS * COLUMNS), *back = take(ROWS * COLUMNS);
    int64_t ld = ld_of(order, ROWS);
    int8_t *b = take((size_t)ld * COLUMNS / 32);
    float one = 1;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        a[i] = (int8_t)next_bits();
    cublasLtMatrixLayout_t plain = layout(CUDA_R_8I, ROWS, COLUMNS, ROWS, 0);
    cublasLtMatrixLayout_t grouped =
        layout(CUDA_R_8I, ROWS, COLUMNS, ld, order);
    cublasLtMatrixTransformDesc_t t;
    CHECK_EQUAL(cublasLtMatrixTransformDescCreate(&t, CUDA_R_32F), 0);
    CHECK_EQUAL(cublasLtMatrixTransform(lt, t, &one, a, plain, NULL, NULL, NULL,
                                        b, grouped, 0),
                0);
    CHECK_EQUAL(cublasLtMatrixTransform(lt, t, &one, b, grouped, NULL, NULL,
                                        NULL, back, plain, 0),
                0);
    CHECK_EQUAL(cudaDeviceSynchronize(), 0);
    int wrong = 0;
    for (int c = 0; c < COLUMNS; c++)
        for (int r = 0; r < ROWS; r++)
            wrong += b[place(order, ld, r, c)] != a[r + c * ROWS];
    CHECK_EQUAL(wrong, 0);
    CHECK(!memcmp(a, back, ROWS * COLUMNS));
    cublasLtMatrixTransformDescDestroy(t);
    cublasLtMatrixLayoutDestroy(plain), cublasLtMatrixLayoutDestroy(grouped);
    cudaFree(a), cudaFree(b), cudaFree(back);
}

/* ---- planes ----------------------------------------------------------- */

/* Halves from -2 to 2 by quarters, and back. */
static uint16_t half_of(int quarters)
{
    static const uint16_t bits[] = {0,      0x3400, 0x3800, 0x3a00, 0x3c00,
                                    0x3d00, 0x3e00, 0x3f00, 0x4000};
    return (uint16_t)(quarters < 0 ? bits[-quarters] | 0x8000 : bits[quarters]);
}

static double of_half(uint16_t h)
{
    int exponent = h >> 10 & 31, fraction = h & 1023;
    double x =
        exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return h >> 15 ? -x : x;
}

static number *random_planes(uint16_t *p, int count)
{
    number *x = calloc((size_t)count, sizeof *x);
    for (int i = 0; i < count; i++) {
        int re = (int)(next_bits() % 17) - 8, im = (int)(next_bits() % 17) - 8;
        x[i] = re / 4.0 + im / 4.0 * I;
        p[i] = half_of(re);
        p[count + i] = half_of(im);
    }
    return x;
}

static cublasLtMatrixLayout_t planes(int rows, int columns)
{
    cublasLtMatrixLayout_t l = layout(CUDA_C_16F, rows, columns, rows, 0);
    int64_t offset = (int64_t)rows * columns * 2;
    CHECK_EQUAL(
        cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET,
                                         &offset, sizeof offset),
        0);
    return l;
}

static void complex_planes(int op_a)
{
    enum { M = 24, N = 16, K = 40 };
    bool turns = op_a != CUBLAS_OP_N;
    uint16_t *a = take(M * K * 4), *b = take(K * N * 4), *c = take(M * N * 4);
    number *xa = random_planes(a, M * K), *xb = random_planes(b, K * N);
    number *xc = random_planes(c, M * N);
    cublasLtMatrixLayout_t la = turns ? planes(K, M) : planes(M, K);
    cublasLtMatrixLayout_t lb = planes(K, N), lc = planes(M, N);
    float alpha[2] = {0.5f, 1}, beta[2] = {2, -0.25f};
    cublasLtMatmulDesc_t desc =
        product_of(CUBLAS_COMPUTE_32F, CUDA_C_32F, op_a, CUBLAS_OP_N);
    CHECK_EQUAL(cublasLtMatmul(lt, desc, alpha, a, la, b, lb, beta, c, lc, c,
                               lc, NULL, NULL, 0, 0),
                0);
    CHECK_EQUAL(cudaDeviceSynchronize(), 0);
    int wrong = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            number sum = 0;
            for (int k = 0; k < K; k++) {
                number x = turns ? xa[k + i * K] : xa[i + k * M];
                sum += (op_a == CUBLAS_OP_C ? conj(x) : x) * xb[k + j * K];
            }
            sum = (0.5 + I) * sum + (2 - 0.25 * I) * xc[i + j * M];
            number got =
                of_half(c[i + j * M]) + of_half(c[M * N + i + j * M]) * I;
            wrong += cabs(got - sum) > 1e-3 * (1 + cabs(sum));
        }
    CHECK_EQUAL(wrong, 0);
    cublasLtMatrixLayoutDestroy(la), cublasLtMatrixLayoutDestroy(lb);
    cublasLtMatrixLayoutDestroy(lc), cublasLtMatmulDescDestroy(desc);
    cudaFree(a), cudaFree(b), cudaFree(c), free(xa), free(xb), free(xc);
}

/* ---- scales for some of k --------------------------------------------- */

enum { OUTER = 144, DEPTH = 384 };

/* The scale of number k of an operand's row, which `set` makes if not 0. */
static double scale_at(int mode, void *at, int outer, int k, double set)
{
    float *floats = at;
    uint8_t *bytes = at;
    int each = mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 ? 32 : 16;
    int64_t i = 0;
    if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F)
        i = outer;
    if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F)
        i = outer + k / 128 * OUTER;
    if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F)
        i = k / 128 + outer / 128 * 4; /* 3 blocks, rounded up to 4 */
    if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 ||
        mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3) {
        int block = k / each, tiles = rounded(DEPTH / each, 4) / 4;
        i = (outer / 128 * tiles + block / 4) * 512 + outer % 32 * 16 +
            outer % 128 / 32 * 4 + block % 4;
        /* e8m0: 127 is 1; e4m3: 7 << 3 is 1. */
        int one = each == 32 ? 127 : 7 << 3, step = each == 32 ? 1 : 8;
        if (set != 0)
            bytes[i] = (uint8_t)(one + step * ilogb(set));
        return ldexp(1, (bytes[i] - one) / step);
    }
    if (set != 0)
        floats[i] = (float)set;
    return floats[i];
}

static void *random_scales(int mode)
{
    void *p = take(1 << 20);
    for (int outer = 0; outer < OUTER; outer++)
        for (int k = 0; k < DEPTH; k += 16)
            scale_at(mode, p, outer, k, ldexp(1, (int)(next_bits() % 5) - 2));
    return p;
}

/* 8 bits, e4m3, from -3.5 to 3.5, or 4 bits; both operands lie along k. */
static double narrow_at(bool is_four, const uint8_t *p, int64_t i)
{
    static const double e2m1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    if (is_four) {
        unsigned bits = p[i / 2] >> i % 2 * 4 & 15;
        return bits & 8 ? -e2m1[bits & 7] : e2m1[bits & 7];
    }
    int exponent = p[i] >> 3 & 15, fraction = p[i] & 7;
    double x =
        exponent ? ldexp(8 + fraction, exponent - 10) : ldexp(fraction, -9);
    return p[i] >> 7 ? -x : x;
}

static uint8_t *random_narrow(bool is_four)
{
    uint8_t *p = take(OUTER * DEPTH);
    for (int i = 0; i < OUTER * DEPTH; i++)
        p[i] = (uint8_t)(is_four ? next_bits()
                                 : (next_bits() & 0x87) | (6 + next_bits() % 3)
                                                              << 3);
    return p;
}

static void set_scales(cublasLtMatmulDesc_t desc, int mode_a, void *a,
                       int mode_b, void *b)
{
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_A_SCALE_MODE,
                                   &mode_a, sizeof mode_a);
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_B_SCALE_MODE,
                                   &mode_b, sizeof mode_b);
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER,
                                   &a, sizeof a);
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER,
                                   &b, sizeof b);
}

/* C (float) = A' B; a status that is not `expected` fails. */
static void scaled(int mode_a, int mode_b, cudaDataType_t type, int expected)
{
    bool is_four = type == CUDA_R_4F_E2M1;
    uint8_t *a = random_narrow(is_four), *b = random_narrow(is_four);
    void *sa = random_scales(mode_a), *sb = random_scales(mode_b);
    float *c = take(OUTER * OUTER * sizeof *c), alpha = 2, beta = 0;
    cublasLtMatrixLayout_t l = layout(type, DEPTH, OUTER, DEPTH, 0);
    cublasLtMatrixLayout_t lc = layout(CUDA_R_32F, OUTER, OUTER, OUTER, 0);
    cublasLtMatmulDesc_t desc =
        product_of(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUBLAS_OP_T, CUBLAS_OP_N);
    set_scales(desc, mode_a, sa, mode_b, sb);
    int status = cublasLtMatmul(lt, desc, &alpha, a, l, b, l, &beta, c, lc, c,
                                lc, NULL, NULL, 0, 0);
    CHECK_EQUAL(status, expected);
    CHECK_EQUAL(cudaDeviceSynchronize(), 0);
    int wrong = 0;
    for (int j = 0; j < OUTER && !status; j++)
        for (int i = 0; i < OUTER; i++) {
            double sum = 0, size = 1;
            for (int k = 0; k < DEPTH; k++) {
                double x = narrow_at(is_four, a, i * DEPTH + k) *
                           scale_at(mode_a, sa, i, k, 0) *
                           narrow_at(is_four, b, j * DEPTH + k) *
                           scale_at(mode_b, sb, j, k, 0);
                sum += x;
                size += fabs(x);
            }
            wrong += fabs(c[i + j * OUTER] - 2 * sum) > 1e-4 * size;
        }
    if (wrong)
        fprintf(stderr, "scales %d and %d: %d wrong\n", mode_a, mode_b, wrong);
    CHECK_EQUAL(wrong, 0);
    cublasLtMatrixLayoutDestroy(l), cublasLtMatrixLayoutDestroy(lc);
    cublasLtMatmulDescDestroy(desc);
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(sa), cudaFree(sb);
}

/* ---- scales that are found for the result ----------------------------- */

/* The code, of those of 4 or 8 bits from 0 on, that is nearest to x. */
static double nearest(bool is_four, double x)
{
    double best = 0;
    for (int code = 0; code < (is_four ? 8 : 127); code++) {
        uint8_t byte = (uint8_t)code;
        double y = narrow_at(is_four, &byte, 0);
        best = fabs(y - fabs(x)) < fabs(best - fabs(x)) ? y : best;
    }
    return best;
}

/* The scale of a block: of 8 bits upwards to a power of 2. */
static double block_scale(bool is_four, double most)
{
    if (is_four)
        return nearest(false, most / 6);
    return most == 0 ? ldexp(1, -127) : ldexp(1, (int)ceil(log2(most / 448)));
}

/* Wrong numbers of one block of D, of which plain results are c. */
static int check_block(bool is_four, const float *c, const uint8_t *d,
                       int64_t i, int rows, uint8_t scale)
{
    double most = 0,
           each = is_four ? narrow_at(false, &scale, 0) : ldexp(1, scale - 127);
    int wrong = 0;
    for (int r = 0; r < rows; r++)
        most = fmax(most, fabs(c[i + r]));
    wrong += each != block_scale(is_four, most);
    for (int r = 0; r < rows; r++) {
        double x = each == 0 ? 0 : c[i + r] / each;
        double y = narrow_at(is_four, d, i + r);
        wrong += fabs(fabs(y) - fabs(x)) >
                     fabs(nearest(is_four, x) - fabs(x)) + 1e-5 ||
                 (y != 0 && signbit(y) != signbit(x));
    }
    return wrong;
}

/* The same product twice: in float, and in `type` with scales for blocks. The
 * columns have 144 rows: neither 4 blocks of 32, nor 8 of 16. */
static void found(cudaDataType_t type, int mode, float bias)
{
    bool is_four = type == CUDA_R_4F_E2M1;
    int each = is_four ? 16 : 32, epilogue = CUBLASLT_EPILOGUE_BIAS;
    uint8_t *a = random_narrow(is_four), *b = random_narrow(is_four);
    uint8_t *d = take(OUTER * OUTER), *scales = take(4096 + 64), *at = scales;
    void *sa = random_scales(mode), *sb = random_scales(mode);
    float *c = take(OUTER * OUTER * sizeof *c), alpha = 1, beta = 0;
    float *biases = take(OUTER * sizeof *biases);
    cudaDataType_t single = CUDA_R_32F;
    cublasLtMatrixLayout_t l = layout(type, DEPTH, OUTER, DEPTH, 0);
    cublasLtMatrixLayout_t lc = layout(CUDA_R_32F, OUTER, OUTER, OUTER, 0);
    cublasLtMatrixLayout_t ld = layout(type, OUTER, OUTER, OUTER, 0);
    cublasLtMatmulDesc_t desc =
        product_of(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUBLAS_OP_T, CUBLAS_OP_N);
    set_scales(desc, mode, sa, mode, sb);
    biases[3] = bias;
    memset(a + 16 * DEPTH / (is_four ? 2 : 1), 0, 32 * DEPTH); /* zero rows */
    memset(scales, 0xee, 4096 + 64);
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE,
                                   &epilogue, sizeof epilogue);
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER,
                                   &biases, sizeof biases);
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE,
                                   &single, sizeof single);
    CHECK_EQUAL(cublasLtMatmul(lt, desc, &alpha, a, l, b, l, &beta, c, lc, c,
                               lc, NULL, NULL, 0, 0),
                0);
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE,
                                   &mode, sizeof mode);
    CHECK_EQUAL(cublasLtMatmul(lt, desc, &alpha, a, l, b, l, &beta, c, lc, d,
                               ld, NULL, NULL, 0, 0),
                CUBLAS_STATUS_NOT_SUPPORTED); /* no place for the scales */
    cublasLtMatmulDescSetAttribute(
        desc, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, &at, sizeof at);
    CHECK_EQUAL(cublasLtMatmul(lt, desc, &alpha, a, l, b, l, &beta, c, lc, d,
                               ld, NULL, NULL, 0, 0),
                0);
    CHECK_EQUAL(cudaDeviceSynchronize(), 0);
    int wrong = 0, blocks = rounded(OUTER, each) / each;
    for (int j = 0; j < OUTER; j++)
        for (int i = 0; i < OUTER; i += each) {
            int block = i / each, tiles = rounded(blocks, 4) / 4;
            int place = (j / 128 * tiles + block / 4) * 512 + j % 32 * 16 +
                        j % 128 / 32 * 4 + block % 4;
            wrong +=
                check_block(is_four, c, d, i + j * OUTER,
                            OUTER - i < each ? OUTER - i : each, scales[place]);
        }
    if (wrong)
        fprintf(stderr, "type %d: %d wrong\n", type, wrong);
    CHECK_EQUAL(wrong, 0);
    for (int i = 0; i < 64; i++)
        CHECK_EQUAL(scales[4096 + i], 0xee);
    cublasLtMatrixLayoutDestroy(l), cublasLtMatrixLayoutDestroy(lc);
    cublasLtMatrixLayoutDestroy(ld), cublasLtMatmulDescDestroy(desc);
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(sa), cudaFree(sb);
    cudaFree(d), cudaFree(scales), cudaFree(biases);
}

int main(void)
{
    CHECK_EQUAL(cublasLtCreate(&lt), 0);
    for (int order = CUBLASLT_ORDER_COL32; order <= CUBLASLT_ORDER_COL32_2R_4R4;
         order++)
        transforms(order);
    groups(CUBLASLT_ORDER_COL4_4R2_8C, 64, 96, 64);
    groups(CUBLASLT_ORDER_COL32_2R_4R4, 64, 96, 64);
    groups(CUBLASLT_ORDER_COL4_4R2_8C, 40, 56, 1056);
    complex_planes(CUBLAS_OP_N);
    complex_planes(CUBLAS_OP_C);
    scaled(CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F,
           CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F, CUDA_R_8F_E4M3, 0);
    scaled(CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F,
           CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F, CUDA_R_8F_E4M3, 0);
    scaled(CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F,
           CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F, CUDA_R_8F_E4M3, 0);
    scaled(CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0,
           CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0, CUDA_R_8F_E4M3, 0);
    scaled(CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3,
           CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3, CUDA_R_4F_E2M1, 0);
    scaled(CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3,
           CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3, CUDA_R_8F_E4M3,
           CUBLAS_STATUS_NOT_SUPPORTED);
    found(CUDA_R_8F_E4M3, CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0, 0);
    found(CUDA_R_8F_E4M3, CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0, 1e9f);
    found(CUDA_R_4F_E2M1, CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3, 0);
    CHECK_EQUAL(cublasLtDestroy(lt), 0);
    return check_result();
}
