/* SPDX-License-Identifier: Apache-2.0 */
/* Like BLAS: sums of matrices, diagonal matrices, packed triangles. */
#include "internal.h"

#include "lib/cublas/tiles.h"

enum { BLOCK = 32 }; /* columns of a tile; squares that are transposed */

static int64_t at_most(int64_t n, int64_t limit)
{
    return n < limit ? n : limit;
}

static uint64_t column_tiles(const struct job *j)
{
    return (uint64_t)((j->n + BLOCK - 1) / BLOCK);
}

/* ---- C = alpha op(A) + beta op(B) ------------------------------------- */

/* One factor and matrix, of components of a type. add: to C, else into it. */
#define ADD_PART(real)                                                         \
    static void add_part_##real(const real *x, int64_t row_step,               \
                                int64_t column_step, real *c, int64_t ldc,     \
                                int64_t rows, int64_t columns, int parts,      \
                                real re, real im, real sign, bool adds)        \
    {                                                                          \
        for (int64_t j = 0; j < columns; j++) {                                \
            real *to = c + j * ldc * parts;                                    \
            const real *from = x + j * column_step * parts;                    \
            for (int64_t i = 0; parts == 1 && i < rows; i++)                   \
                to[i] = (adds ? to[i] : 0) + re * from[i * row_step];          \
            for (int64_t i = 0; parts == 2 && i < rows; i++) {                 \
                real a = from[2 * i * row_step];                               \
                real b = sign * from[2 * i * row_step + 1];                    \
                to[2 * i] = (adds ? to[2 * i] : 0) + re * a - im * b;          \
                to[2 * i + 1] = (adds ? to[2 * i + 1] : 0) + re * b + im * a;  \
            }                                                                  \
        }                                                                      \
    }
ADD_PART(float)
ADD_PART(double)

struct term {
    const struct matrix *x;
    enum product_op op;
    struct number factor;
};

static void add_term(const struct job *j, const struct term *t, int64_t row,
                     int64_t column, int64_t rows, int64_t columns, bool adds)
{
    bool as_stored = t->op == PRODUCT_N || t->op == PRODUCT_CONJ;
    double sign = t->op == PRODUCT_C || t->op == PRODUCT_CONJ ? -1 : 1;
    const void *x = as_stored ? matrix_at(t->x, 0, row, column)
                              : matrix_at(t->x, 0, column, row);
    int64_t row_step = as_stored ? 1 : t->x->ld;
    int64_t column_step = as_stored ? t->x->ld : 1;
    void *c = matrix_at(&j->c, 0, row, column);
    int parts = blas_is_complex(j->type) ? 2 : 1;
    struct number f = t->factor;
    if (j->type == BLAS_S || j->type == BLAS_C)
        add_part_float(x, row_step, column_step, c, j->c.ld, rows, columns,
                       parts, (float)f.re, (float)f.im, (float)sign, adds);
    else
        add_part_double(x, row_step, column_step, c, j->c.ld, rows, columns,
                        parts, f.re, f.im, sign, adds);
}

static void clear_block(const struct job *j, int64_t row, int64_t column,
                        int64_t rows, int64_t columns)
{
    for (int64_t c = column; c < column + columns; c++) {
        for (int64_t r = row; r < row + rows; r++)
            element_store(blas_element(j->type), (struct number){0, 0},
                          matrix_at(&j->c, 0, r, c));
    }
}

static bool is_zero(struct number a)
{
    return a.re == 0 && a.im == 0;
}

/* A matrix with factor 0 is not read. One that is C itself comes first. */
static void sum_block(const struct job *j, struct term *a, struct term *b,
                      int64_t row, int64_t column, int64_t rows,
                      int64_t columns)
{
    struct term *first = j->b.at == j->c.at ? b : a;
    struct term *second = first == a ? b : a;
    bool has_first = !is_zero(first->factor);
    bool has_second = !is_zero(second->factor);
    if (has_first)
        add_term(j, first, row, column, rows, columns, false);
    if (has_second)
        add_term(j, second, row, column, rows, columns, has_first);
    if (!has_first && !has_second)
        clear_block(j, row, column, rows, columns);
}

static void run_geam(const struct job *j, int64_t tile)
{
    struct term a = {&j->a, j->op, scalar_get(&j->alpha)};
    struct term b = {&j->b, j->op_b, scalar_get(&j->beta)};
    int64_t column = tile * BLOCK, columns = at_most(j->n - column, BLOCK);
    for (int64_t row = 0; row < j->m; row += BLOCK)
        sum_block(j, &a, &b, row, column, at_most(j->m - row, BLOCK), columns);
}

cublasStatus_t cublas_geam(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_geam, j, column_tiles(j));
}

/* ---- C = A diag(x) or diag(x) A --------------------------------------- */

static void *entry(const struct job *j, int64_t i)
{
    int64_t n = j->is_right ? j->n : j->m;
    int64_t index = j->x.ld < 0 ? (i - n + 1) * j->x.ld : i * j->x.ld;
    return (char *)j->x.at + index * (int64_t)blas_bytes(j->type);
}

static void run_dgmm(const struct job *j, int64_t tile)
{
    cudaDataType_t type = blas_element(j->type);
    int64_t end = at_most((tile + 1) * BLOCK, j->n);
    for (int64_t c = tile * BLOCK; c < end; c++) {
        for (int64_t r = 0; r < j->m; r++) {
            struct number a = element_load(type, matrix_at(&j->a, 0, r, c));
            struct number x = element_load(type, entry(j, j->is_right ? c : r));
            struct number out = {a.re * x.re - a.im * x.im,
                                 a.re * x.im + a.im * x.re};
            element_store(type, out, matrix_at(&j->c, 0, r, c));
        }
    }
}

cublasStatus_t cublas_dgmm(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_dgmm, j, column_tiles(j));
}

/* ---- packed triangles ------------------------------------------------- */

/* Where a column of the triangle begins in packed form, and its rows. */
static int64_t packed_column(const struct job *j, int64_t c, int64_t *row,
                             int64_t *rows)
{
    *row = j->is_upper ? 0 : c;
    *rows = j->is_upper ? c + 1 : j->n - c;
    return j->is_upper ? c * (c + 1) / 2 : c * j->n - c * (c - 1) / 2;
}

static void run_tpttr(const struct job *j, int64_t tile)
{
    size_t bytes = blas_bytes(j->type);
    int64_t end = at_most((tile + 1) * BLOCK, j->n), row, rows;
    for (int64_t c = tile * BLOCK; c < end; c++) {
        int64_t at = packed_column(j, c, &row, &rows);
        __builtin_memcpy(matrix_at(&j->c, 0, row, c),
                         (char *)j->a.at + at * (int64_t)bytes,
                         (size_t)rows * bytes);
    }
}

static void run_trttp(const struct job *j, int64_t tile)
{
    size_t bytes = blas_bytes(j->type);
    int64_t end = at_most((tile + 1) * BLOCK, j->n), row, rows;
    for (int64_t c = tile * BLOCK; c < end; c++) {
        int64_t at = packed_column(j, c, &row, &rows);
        __builtin_memcpy((char *)j->c.at + at * (int64_t)bytes,
                         matrix_at(&j->a, 0, row, c), (size_t)rows * bytes);
    }
}

cublasStatus_t cublas_tpttr(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_tpttr, j, column_tiles(j));
}

cublasStatus_t cublas_trttp(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_trttp, j, column_tiles(j));
}
