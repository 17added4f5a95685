/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Level 3 but gemm (product.h). Products with, and solutions of, a triangular
 * or symmetric matrix are split along the side of the other matrix that is not
 * multiplied. Changes of rank k are split into squares of the triangle; those
 * off the diagonal are plain products.
 */
#include "internal.h"

#include <string.h>

#include "lib/cublas/tiles.h"

/* ---- split into strips ------------------------------------------------ */

/* The side that is split: columns of B if A is on the left, else rows. */
static int64_t free_size(const struct job *j)
{
    return j->is_right ? j->m : j->n;
}

/* A tile: where it begins, of which of the batch, and its size. */
struct strip {
    int64_t row, column, batch;
    int m, n;
};

static struct strip strip_of(const struct job *j, int64_t tile)
{
    int64_t strips = (free_size(j) + j->part - 1) / j->part;
    int64_t from = tile % strips * j->part;
    int64_t size =
        free_size(j) - from < j->part ? free_size(j) - from : j->part;
    struct strip s = {.batch = tile / strips, .m = (int)j->m, .n = (int)j->n};
    if (j->is_right) {
        s.row = from;
        s.m = (int)size;
    } else {
        s.column = from;
        s.n = (int)size;
    }
    return s;
}

/* Chooses j->part; returns the number of tiles. */
static uint64_t split_strips(struct job *j)
{
    int64_t threads = lib_thread_count(), size = free_size(j);
    double work =
        (double)j->m * (double)j->n * (double)(j->is_right ? j->n : j->m);
    int64_t parts =
        work < 64.0 * 64 * 64 ? 1 : (threads + j->batch - 1) / j->batch;
    j->part = product_part(size, parts, 8);
    return (uint64_t)((size + j->part - 1) / j->part * j->batch);
}

static void run_symm(const struct job *j, int64_t tile)
{
    struct blas_job b = blas_job(j);
    struct strip s = strip_of(j, tile);
    (j->is_hermitian ? b.blas->hemm : b.blas->symm)(
        &b.side, &b.uplo, &s.m, &s.n, &b.alpha, matrix_at(&j->a, 0, 0, 0),
        &b.lda, matrix_at(&j->b, 0, s.row, s.column), &b.ldb, &b.beta,
        matrix_at(&j->c, 0, s.row, s.column), &b.ldc);
}

cublasStatus_t cublas_symm(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_symm, j, split_strips(j));
}

static void run_trsm(const struct job *j, int64_t tile)
{
    struct blas_job b = blas_job(j);
    struct strip s = strip_of(j, tile);
    b.blas->trsm(&b.side, &b.uplo, &b.op, &b.diag, &s.m, &s.n, &b.alpha,
                 matrix_at(&j->a, s.batch, 0, 0), &b.lda,
                 matrix_at(&j->b, s.batch, s.row, s.column), &b.ldb);
}

cublasStatus_t cublas_trsm(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_trsm, j, split_strips(j));
}

/* Copies B to C, which may be the same, then multiplies in place. */
static void run_trmm(const struct job *j, int64_t tile)
{
    struct blas_job b = blas_job(j);
    struct strip s = strip_of(j, tile);
    size_t bytes = (size_t)s.m * blas_bytes(j->type);
    for (int64_t c = s.column; c < s.column + s.n; c++)
        memmove(matrix_at(&j->c, 0, s.row, c), matrix_at(&j->b, 0, s.row, c),
                bytes);
    b.blas->trmm(&b.side, &b.uplo, &b.op, &b.diag, &s.m, &s.n, &b.alpha,
                 matrix_at(&j->a, 0, 0, 0), &b.lda,
                 matrix_at(&j->c, 0, s.row, s.column), &b.ldc);
}

cublasStatus_t cublas_trmm(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_trmm, j, split_strips(j));
}

/* ---- squares of a triangle -------------------------------------------- */

struct square {
    int64_t row, column;
    int m, n;
};

/* Squares are counted down the columns of the lower triangle; those of an upper
 * one are its transpose. */
static struct square square_of(const struct job *j, int64_t tile)
{
    int64_t squares = (j->n + j->part - 1) / j->part, column = 0;
    while (tile >= squares - column)
        tile -= squares - column++;
    int64_t row = column + tile;
    struct square s = {row * j->part, column * j->part, 0, 0};
    if (j->is_upper)
        s = (struct square){s.column, s.row, 0, 0};
    s.m = (int)(j->n - s.row < j->part ? j->n - s.row : j->part);
    s.n = (int)(j->n - s.column < j->part ? j->n - s.column : j->part);
    return s;
}

/* Chooses j->part; returns the number of tiles. */
static uint64_t split_squares(struct job *j)
{
    int64_t threads = lib_thread_count(), columns = 1;
    double work = (double)j->n * (double)j->n * (double)(j->k + 1);
    /* Squares on the diagonal cost less: three for each thread even it out. */
    while (threads > 1 && work > 64.0 * 64 * 64 &&
           columns * (columns + 1) / 2 < 3 * threads)
        columns++;
    j->part = product_part(j->n, columns, 16);
    int64_t squares = (j->n + j->part - 1) / j->part;
    return (uint64_t)(squares * (squares + 1) / 2);
}

/* Where row `row` of op(X), n x k, begins. */
static void *rows_of(const struct job *j, const struct matrix *x, int64_t row)
{
    return j->op == PRODUCT_N ? matrix_at(x, 0, row, 0)
                              : matrix_at(x, 0, 0, row);
}

/* The square of C = alpha op(X) op(Y)' + beta C. */
static void multiply_square(const struct job *j, const struct blas_job *b,
                            const struct square *s, const struct matrix *x,
                            const struct matrix *y,
                            const union blas_number *alpha,
                            const union blas_number *beta, void *c, int ldc)
{
    bool is_n = j->op == PRODUCT_N;
    char transposed = j->is_hermitian ? 'C' : 'T';
    char op_x = is_n ? 'N' : transposed, op_y = is_n ? transposed : 'N';
    int k = (int)j->k, ldx = (int)x->ld, ldy = (int)y->ld;
    b->blas->gemm(&op_x, &op_y, (int *)&s->m, (int *)&s->n, &k, (void *)alpha,
                  rows_of(j, x, s->row), &ldx, rows_of(j, y, s->column), &ldy,
                  (void *)beta, c, &ldc);
}

/* herk wants real scalars: the first component of ours. */
static void run_syrk(const struct job *j, int64_t tile)
{
    struct blas_job b = blas_job(j);
    struct square s = square_of(j, tile);
    void *c = matrix_at(&j->c, 0, s.row, s.column);
    if (s.row != s.column) {
        multiply_square(j, &b, &s, &j->a, &j->a, &b.alpha, &b.beta, c, b.ldc);
        return;
    }
    (j->is_hermitian ? b.blas->herk : b.blas->syrk)(
        &b.uplo, &b.op, &s.m, &b.k, &b.alpha, rows_of(j, &j->a, s.row), &b.lda,
        &b.beta, c, &b.ldc);
}

cublasStatus_t cublas_syrk(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_syrk, j, split_squares(j));
}

/* alpha, for Hermitian matrices conjugated. */
static union blas_number conjugate_alpha(const struct job *j)
{
    struct number alpha = scalar_get(&j->alpha);
    if (j->is_hermitian)
        alpha.im = -alpha.im;
    return blas_number(j->type, alpha);
}

static void run_syr2k(const struct job *j, int64_t tile)
{
    struct blas_job b = blas_job(j);
    struct square s = square_of(j, tile);
    void *c = matrix_at(&j->c, 0, s.row, s.column);
    if (s.row == s.column) {
        (j->is_hermitian ? b.blas->her2k : b.blas->syr2k)(
            &b.uplo, &b.op, &s.m, &b.k, &b.alpha, rows_of(j, &j->a, s.row),
            &b.lda, rows_of(j, &j->b, s.row), &b.ldb, &b.beta, c, &b.ldc);
        return;
    }
    union blas_number one = blas_number(j->type, (struct number){1, 0});
    union blas_number other = conjugate_alpha(j);
    multiply_square(j, &b, &s, &j->a, &j->b, &b.alpha, &b.beta, c, b.ldc);
    multiply_square(j, &b, &s, &j->b, &j->a, &other, &one, c, b.ldc);
}

cublasStatus_t cublas_syr2k(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_syr2k, j, split_squares(j));
}

/* The triangle of a square on the diagonal = that of `from` + beta C. */
static void add_triangle(const struct job *j, const struct square *s,
                         const char *from)
{
    cudaDataType_t type = blas_element(j->type);
    struct number beta = scalar_get(&j->beta);
    int64_t bytes = (int64_t)blas_bytes(j->type);
    for (int64_t c = 0; c < s->n; c++) {
        int64_t first = j->is_upper ? 0 : c, end = j->is_upper ? c + 1 : s->m;
        for (int64_t r = first; r < end; r++) {
            void *to = matrix_at(&j->c, 0, s->row + r, s->column + c);
            struct number sum =
                element_load(type, from + (r + c * s->m) * bytes);
            struct number old = {0, 0};
            if (beta.re != 0 || beta.im != 0)
                old = element_load(type, to);
            sum.re += beta.re * old.re - beta.im * old.im;
            sum.im += beta.re * old.im + beta.im * old.re;
            if (j->is_hermitian && r == c)
                sum.im = 0;
            element_store(type, sum, to);
        }
    }
}

static void run_syrkx(const struct job *j, int64_t tile)
{
    struct blas_job b = blas_job(j);
    struct square s = square_of(j, tile);
    if (s.row != s.column) {
        multiply_square(j, &b, &s, &j->a, &j->b, &b.alpha, &b.beta,
                        matrix_at(&j->c, 0, s.row, s.column), b.ldc);
        return;
    }
    union blas_number zero = blas_number(j->type, (struct number){0, 0});
    void *full =
        product_scratch((size_t)s.m * (size_t)s.n * blas_bytes(j->type));
    multiply_square(j, &b, &s, &j->a, &j->b, &b.alpha, &zero, full, s.m);
    add_triangle(j, &s, full);
}

cublasStatus_t cublas_syrkx(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_syrkx, j, split_squares(j));
}
