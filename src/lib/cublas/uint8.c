/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cublasUint8gemmBias: a product of bytes without signs. No guide says what it
 * computes; an H200 gives, with s = C_shift modulo 32 and without a sum where s
 * is 0,
 *
 *     C = ((sum (A - A_bias) (B - B_bias) + C_bias) C_mult + 2^(s - 1)) >> s
 *
 * cut to 0..255: the inner sum in 32 bits, what follows in 64.
 */
#include "internal.h"

enum { TILE_COLUMNS = 16 };

/* Elements are apart by `step` along the result's rows or columns, and by
 * `inner` along the sum. */
struct byte_matrix {
    const unsigned char *at;
    int64_t step, inner;
    uint32_t bias;
};

struct uint8_product {
    struct byte_matrix a, b;
    unsigned char *c;
    int64_t c_row, c_column;
    int m, n, k;
    int bias, factor, shift;
};

static uint32_t inner_product(const struct byte_matrix *a,
                              const struct byte_matrix *b, int i, int j, int k)
{
    const unsigned char *x = a->at + i * a->step, *y = b->at + j * b->step;
    uint32_t sum = 0;
    for (int64_t at = 0; at < k; at++)
        sum += (x[at * a->inner] - a->bias) * (y[at * b->inner] - b->bias);
    return sum;
}

static unsigned char scaled_byte(const struct uint8_product *p, uint32_t sum)
{
    int64_t v = ((int64_t)(int32_t)sum + p->bias) * p->factor;
    if (p->shift)
        v = (v + ((int64_t)1 << (p->shift - 1))) >> p->shift;
    return (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void run_uint8(const void *args, uint64_t first, uint64_t end)
{
    const struct uint8_product *p = args;
    int64_t limit = (int64_t)end * TILE_COLUMNS;
    int last = limit < p->n ? (int)limit : p->n;
    for (int j = (int)first * TILE_COLUMNS; j < last; j++) {
        for (int i = 0; i < p->m; i++) {
            uint32_t sum = inner_product(&p->a, &p->b, i, j, p->k);
            p->c[i * p->c_row + j * p->c_column] = scaled_byte(p, sum);
        }
    }
}

static const struct native_kernel kernel = {
    "cublas_uint8", run_uint8, sizeof(struct uint8_product), 1 << 20};

static bool is_plain_op(cublasOperation_t op)
{
    return (unsigned)op <= CUBLAS_OP_C;
}

/* is_inner_first: the sum goes along the columns, which are ld apart. */
static struct byte_matrix byte_matrix(const unsigned char *at, int bias, int ld,
                                      bool is_inner_first)
{
    return (struct byte_matrix){at, is_inner_first ? ld : 1,
                                is_inner_first ? 1 : ld, (uint32_t)bias};
}

cublasStatus_t cublasUint8gemmBias(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    cublasOperation_t transc, int m, int n, int k, const unsigned char *A,
    int A_bias, int lda, const unsigned char *B, int B_bias, int ldb,
    unsigned char *C, int C_bias, int ldc, int C_mult, int C_shift)
{
    bool is_c_turned = transc != CUBLAS_OP_N;
    cublasStatus_t status = cublas_check_handle(handle);
    bool is_valid = is_plain_op(transa) && is_plain_op(transb) &&
                    is_plain_op(transc) && m >= 0 && n >= 0 && k >= 0 &&
                    check_ld(lda, transa == CUBLAS_OP_N ? m : k) &&
                    check_ld(ldb, transb == CUBLAS_OP_N ? k : n) &&
                    check_ld(ldc, is_c_turned ? n : m);
    if (!status && !is_valid)
        status = CUBLAS_STATUS_INVALID_VALUE;
    if (status || m == 0 || n == 0)
        return CUBLAS_END(status);
    if (!C || (k && (!A || !B)))
        return CUBLAS_END(CUBLAS_STATUS_INVALID_VALUE);
    struct uint8_product p = {
        .a = byte_matrix(A, A_bias, lda, transa != CUBLAS_OP_N),
        .b = byte_matrix(B, B_bias, ldb, transb == CUBLAS_OP_N),
        .c = C,
        .c_row = is_c_turned ? ldc : 1,
        .c_column = is_c_turned ? 1 : ldc,
        .m = m,
        .n = n,
        .k = k,
        .bias = C_bias,
        .factor = C_mult,
        .shift = C_shift & 31};
    uint64_t tiles = ((uint64_t)n + TILE_COLUMNS - 1) / TILE_COLUMNS;
    return CUBLAS_END(
        cublas_status(lib_run(&kernel, handle->stream, tiles, &p)));
}
