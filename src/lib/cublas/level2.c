/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Level 2: a matrix and vectors. gemv is a product of matrices (product.h);
 * changes of rank one and two are split by columns; each of the others is one
 * tile, one call of OpenBLAS.
 */
#include "internal.h"

#include "lib/cublas/tiles.h"

enum { COLUMNS = 16 }; /* of a tile, at least */

static bool fits_int(int64_t n)
{
    return n >= -INT32_MAX && n <= INT32_MAX;
}

static bool are_sizes_ints(const struct job *j)
{
    return fits_int(j->m) && fits_int(j->n) && fits_int(j->k) &&
           fits_int(j->kl) && fits_int(j->ku) && fits_int(j->a.ld) &&
           fits_int(j->b.ld) && fits_int(j->c.ld) && fits_int(j->x.ld) &&
           fits_int(j->y.ld);
}

cublasStatus_t tiles_run(cublasHandle_t handle, tile_fn *run,
                         const struct job *j, uint64_t tiles)
{
    struct tiles_args args = {run, *j};
    if (!are_sizes_ints(j))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return cublas_status(lib_run(&tiles_kernel, handle->stream, tiles, &args));
}

static void run_tiles(const void *args, uint64_t first, uint64_t end)
{
    const struct tiles_args *a = args;
    for (uint64_t i = first; i < end; i++)
        a->run(&a->job, (int64_t)i);
}

const struct native_kernel tiles_kernel = {.name = "blas",
                                           .run = run_tiles,
                                           .args_bytes =
                                               sizeof(struct tiles_args),
                                           .stack_bytes = 131072};

struct blas_job blas_job(const struct job *j)
{
    static const char fill[] = "LU", op[] = "NTCR", diag[] = "NU",
                      side[] = "LR";
    return (struct blas_job){
        .blas = &weft_blas[j->type],
        .uplo = fill[j->is_upper],
        .op = op[j->op],
        .diag = diag[j->is_unit],
        .side = side[j->is_right],
        .m = (int)j->m,
        .n = (int)j->n,
        .k = (int)j->k,
        .kl = (int)j->kl,
        .ku = (int)j->ku,
        .lda = (int)j->a.ld,
        .ldb = (int)j->b.ld,
        .ldc = (int)j->c.ld,
        .incx = (int)j->x.ld,
        .incy = (int)j->y.ld,
        .alpha = blas_number(j->type, scalar_get(&j->alpha)),
        .beta = blas_number(j->type, scalar_get(&j->beta)),
    };
}

/* ---- one call --------------------------------------------------------- */

#define ONE_CALL(name, call)                                                   \
    static void run_##name(const struct job *j, int64_t tile)                  \
    {                                                                          \
        struct blas_job b = blas_job(j);                                       \
        (void)tile;                                                            \
        call;                                                                  \
    }                                                                          \
    cublasStatus_t cublas_##name(cublasHandle_t handle, struct job *j)         \
    {                                                                          \
        return tiles_run(handle, run_##name, j, 1);                            \
    }

#define A j->a.at
#define X j->x.at
#define Y j->y.at
ONE_CALL(gbmv, b.blas->gbmv(&b.op, &b.m, &b.n, &b.kl, &b.ku, &b.alpha, A,
                            &b.lda, X, &b.incx, &b.beta, Y, &b.incy))
ONE_CALL(symv,
         (j->is_hermitian ? b.blas->hemv
                          : b.blas->symv)(&b.uplo, &b.n, &b.alpha, A, &b.lda, X,
                                          &b.incx, &b.beta, Y, &b.incy))
ONE_CALL(sbmv, b.blas->hbmv(&b.uplo, &b.n, &b.k, &b.alpha, A, &b.lda, X,
                            &b.incx, &b.beta, Y, &b.incy))
ONE_CALL(spmv, b.blas->hpmv(&b.uplo, &b.n, &b.alpha, A, X, &b.incx, &b.beta, Y,
                            &b.incy))
ONE_CALL(trmv,
         b.blas->trmv(&b.uplo, &b.op, &b.diag, &b.n, A, &b.lda, X, &b.incx))
ONE_CALL(trsv,
         b.blas->trsv(&b.uplo, &b.op, &b.diag, &b.n, A, &b.lda, X, &b.incx))
ONE_CALL(tbmv, b.blas->tbmv(&b.uplo, &b.op, &b.diag, &b.n, &b.k, A, &b.lda, X,
                            &b.incx))
ONE_CALL(tbsv, b.blas->tbsv(&b.uplo, &b.op, &b.diag, &b.n, &b.k, A, &b.lda, X,
                            &b.incx))
ONE_CALL(tpmv, b.blas->tpmv(&b.uplo, &b.op, &b.diag, &b.n, A, X, &b.incx))
ONE_CALL(tpsv, b.blas->tpsv(&b.uplo, &b.op, &b.diag, &b.n, A, X, &b.incx))

/* ---- a full matrix ---------------------------------------------------- */

/* A vector as row 0 of a matrix. */
static struct matrix as_row(const struct matrix *x, int64_t n)
{
    struct matrix row = *x;
    row.offset = x->ld < 0 ? (1 - n) * x->ld : 0;
    return row;
}

/* Operations that are none are transpositions of the n x m matrix of the same
 * leading dimension, and a y without increment is its first number: so an H200
 * has it. */
static void accept_any_gemv(struct job *j)
{
    if (!check_op((cublasOperation_t)j->op)) {
        int64_t m = j->m;
        j->op = PRODUCT_T;
        j->m = j->n, j->n = m;
    }
    if (j->y.ld == 0) {
        *(product_as_stored(j->op) ? &j->m : &j->n) = 1;
        j->y.ld = 1;
    }
}

cublasStatus_t cublas_gemv(cublasHandle_t handle, struct job *j)
{
    accept_any_gemv(j);
    static const enum product_op of_transpose[] = {[PRODUCT_N] = PRODUCT_T,
                                                   [PRODUCT_T] = PRODUCT_N,
                                                   [PRODUCT_C] = PRODUCT_CONJ,
                                                   [PRODUCT_CONJ] = PRODUCT_C};
    bool as_stored = product_as_stored(j->op);
    struct product p = {
        .m = 1,
        .n = as_stored ? j->m : j->n,
        .k = as_stored ? j->n : j->m,
        .batch = j->batch,
        .op_b = of_transpose[j->op],
        .b = j->a,
        .alpha = j->alpha,
        .beta = j->beta,
        .type = j->type,
    };
    bool reads = p.k > 0 && !cublas_is_value(&j->alpha, 0);
    if (!j->y.at || (reads && (!j->a.at || !j->x.at)))
        return CUBLAS_STATUS_INVALID_VALUE;
    p.a = as_row(&j->x, p.k);
    p.c = p.d = as_row(&j->y, p.n);
    return cublas_status(product_run(&p, sizeof p, handle->stream));
}

/* ---- changes of rank one and two -------------------------------------- */

static struct number conj_if(bool is_conjugate, struct number a)
{
    return is_conjugate ? (struct number){a.re, -a.im} : a;
}

/* out[0..rows) += factor * x[row..row+rows). */
static void add_multiple(const struct job *j, const struct matrix *x, int64_t n,
                         int64_t row, int64_t rows, struct number factor,
                         void *out)
{
    union blas_number f = blas_number(j->type, factor);
    int count = (int)rows, incx = (int)x->ld, one = 1;
    void *from = vector_entry(j->type, x, n, incx < 0 ? row + rows - 1 : row);
    weft_blas[j->type].axpy(&count, &f, from, &incx, out, &one);
}

/* The part of a column that is in the triangle: first row, rows, where. */
struct column {
    int64_t row, rows;
    char *at;
};

static struct column column_of(const struct job *j, int64_t c)
{
    struct triangle_column t = triangle_column(j, c);
    int64_t at = j->is_packed ? t.packed : c * j->a.ld + t.row;
    return (struct column){t.row, t.rows,
                           (char *)j->a.at + at * (int64_t)blas_bytes(j->type)};
}

/* Of a Hermitian matrix. */
static void make_diagonal_real(const struct job *j, const struct column *c)
{
    cudaDataType_t type = blas_element(j->type);
    char *at =
        c->at + (j->is_upper ? c->rows - 1 : 0) * (int64_t)blas_bytes(j->type);
    if (j->is_hermitian && blas_is_complex(j->type)) {
        struct number value = element_load(type, at);
        element_store(type, (struct number){value.re, 0}, at);
    }
}

static void run_ger(const struct job *j, int64_t tile)
{
    cudaDataType_t type = blas_element(j->type);
    struct number alpha = scalar_get(&j->alpha);
    int64_t end = (tile + 1) * COLUMNS;
    for (int64_t c = tile * COLUMNS; c < end && c < j->n; c++) {
        struct number y =
            element_load(type, vector_entry(j->type, &j->y, j->n, c));
        char *out =
            (char *)j->a.at + c * j->a.ld * (int64_t)blas_bytes(j->type);
        add_multiple(j, &j->x, j->m, 0, j->m,
                     number_times(alpha, conj_if(j->is_hermitian, y)), out);
    }
}

static void run_syr(const struct job *j, int64_t tile)
{
    cudaDataType_t type = blas_element(j->type);
    struct number alpha = scalar_get(&j->alpha);
    int64_t end = (tile + 1) * COLUMNS;
    for (int64_t c = tile * COLUMNS; c < end && c < j->n; c++) {
        struct column column = column_of(j, c);
        struct number x =
            element_load(type, vector_entry(j->type, &j->x, j->n, c));
        add_multiple(j, &j->x, j->n, column.row, column.rows,
                     number_times(alpha, conj_if(j->is_hermitian, x)),
                     column.at);
        make_diagonal_real(j, &column);
    }
}

static void run_syr2(const struct job *j, int64_t tile)
{
    cudaDataType_t type = blas_element(j->type);
    struct number alpha = scalar_get(&j->alpha);
    int64_t end = (tile + 1) * COLUMNS;
    for (int64_t c = tile * COLUMNS; c < end && c < j->n; c++) {
        struct column column = column_of(j, c);
        struct number x =
            element_load(type, vector_entry(j->type, &j->x, j->n, c));
        struct number y =
            element_load(type, vector_entry(j->type, &j->y, j->n, c));
        add_multiple(j, &j->x, j->n, column.row, column.rows,
                     number_times(alpha, conj_if(j->is_hermitian, y)),
                     column.at);
        add_multiple(j, &j->y, j->n, column.row, column.rows,
                     conj_if(j->is_hermitian, number_times(alpha, x)),
                     column.at);
        make_diagonal_real(j, &column);
    }
}

static uint64_t column_tiles(const struct job *j)
{
    return (uint64_t)((j->n + COLUMNS - 1) / COLUMNS);
}

cublasStatus_t cublas_ger(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_ger, j, column_tiles(j));
}

cublasStatus_t cublas_syr(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_syr, j, column_tiles(j));
}

cublasStatus_t cublas_syr2(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_syr2, j, column_tiles(j));
}
