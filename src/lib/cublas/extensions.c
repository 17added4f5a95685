/* SPDX-License-Identifier: Apache-2.0 */
/* cuBLAS's extensions of BLAS: sums of matrices, products with diagonal
 * matrices, packed triangles. */
#include "internal.h"

#include "lib/cublas/tiles.h"

enum { BLOCK = 32 }; /* columns of a tile; side of a transposed square */

static uint64_t column_tiles(const struct job *j)
{
    return (uint64_t)((j->n + BLOCK - 1) / BLOCK);
}

/* ---- C = alpha op(A) + beta op(B) ------------------------------------- */

/* turn_: copies a block's transpose, reading along memory, so that it is in the
 * first-level cache. add_part_: C = factor (re, im) * x, or C += (adds); sign
 * -1 conjugates x. parts: 2 of complex numbers. */
#define ADD_PART(real)                                                         \
    static const real *turn_##real(const real *x, int64_t ld, real *to,        \
                                   int64_t rows, int64_t columns, int parts)   \
    {                                                                          \
        for (int64_t i = 0; i < rows; i++) {                                   \
            const real *from = x + i * ld * parts;                             \
            for (int64_t j = 0; parts == 1 && j < columns; j++)                \
                to[j * BLOCK + i] = from[j];                                   \
            for (int64_t j = 0; parts == 2 && j < columns; j++) {              \
                to[2 * (j * BLOCK + i)] = from[2 * j];                         \
                to[2 * (j * BLOCK + i) + 1] = from[2 * j + 1];                 \
            }                                                                  \
        }                                                                      \
        return to;                                                             \
    }                                                                          \
    static void add_part_##real(                                               \
        const real *x, int64_t step, real *c, int64_t ldc, int64_t rows,       \
        int64_t columns, int parts, real re, real im, real sign, bool adds)    \
    {                                                                          \
        for (int64_t j = 0; j < columns; j++) {                                \
            real *to = c + j * ldc * parts;                                    \
            const real *from = x + j * step * parts;                           \
            for (int64_t i = 0; parts == 1 && adds && i < rows; i++)           \
                to[i] += re * from[i];                                         \
            for (int64_t i = 0; parts == 1 && !adds && i < rows; i++)          \
                to[i] = re * from[i];                                          \
            for (int64_t i = 0; parts == 2 && i < 2 * rows; i += 2) {          \
                real a = from[i], b = sign * from[i + 1];                      \
                to[i] = (adds ? to[i] : 0) + re * a - im * b;                  \
                to[i + 1] = (adds ? to[i + 1] : 0) + re * b + im * a;          \
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
    bool as_stored = product_as_stored(t->op);
    double sign = t->op == PRODUCT_C || t->op == PRODUCT_CONJ ? -1 : 1;
    const void *x = as_stored ? matrix_at(t->x, 0, row, column)
                              : matrix_at(t->x, 0, column, row);
    int64_t step = as_stored ? t->x->ld : BLOCK;
    void *c = matrix_at(&j->c, 0, row, column);
    int parts = blas_is_complex(j->type) ? 2 : 1;
    struct number f = t->factor;
    union {
        float f[2 * BLOCK * BLOCK];
        double d[2 * BLOCK * BLOCK];
    } turned;
    if (j->type == BLAS_S || j->type == BLAS_C) {
        if (!as_stored)
            x = turn_float(x, t->x->ld, turned.f, rows, columns, parts);
        add_part_float(x, step, c, j->c.ld, rows, columns, parts, (float)f.re,
                       (float)f.im, (float)sign, adds);
    } else {
        if (!as_stored)
            x = turn_double(x, t->x->ld, turned.d, rows, columns, parts);
        add_part_double(x, step, c, j->c.ld, rows, columns, parts, f.re, f.im,
                        sign, adds);
    }
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

/* A matrix with factor 0 is not read. A matrix that is C itself is taken first,
 * before C is written. */
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

/* Whole columns where nothing is transposed, else squares. */
static void run_geam(const struct job *j, int64_t tile)
{
    struct term a = {&j->a, j->op, scalar_get(&j->alpha)};
    struct term b = {&j->b, j->op_b, scalar_get(&j->beta)};
    bool straight = product_as_stored(j->op) && product_as_stored(j->op_b);
    int64_t column = tile * BLOCK, end = at_most(column + BLOCK, j->n);
    for (int64_t c = column; straight && c < end; c++)
        sum_block(j, &a, &b, 0, c, j->m, 1);
    for (int64_t row = 0; !straight && row < j->m; row += BLOCK)
        sum_block(j, &a, &b, row, column, at_most(j->m - row, BLOCK),
                  end - column);
}

cublasStatus_t cublas_geam(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_geam, j, column_tiles(j));
}

/* ---- C = A diag(x) or diag(x) A --------------------------------------- */

/* Multiplies a column by factors that are `step` components apart (0: one
 * factor for all): real numbers, and pairs that are complex ones. */
#define SCALE_COLUMN(real)                                                     \
    static void scale_column_##real(const real *a, const real *x,              \
                                    int64_t step, real *to, int64_t rows)      \
    {                                                                          \
        for (int64_t r = 0; step == 0 && r < rows; r++)                        \
            to[r] = a[r] * *x;                                                 \
        for (int64_t r = 0; step == 1 && r < rows; r++)                        \
            to[r] = a[r] * x[r];                                               \
        for (int64_t r = 0; step != 0 && step != 1 && r < rows; r++)           \
            to[r] = a[r] * x[r * step];                                        \
    }                                                                          \
    static void scale_pairs_##real(const real *a, const real *x, int64_t step, \
                                   real *to, int64_t rows)                     \
    {                                                                          \
        for (int64_t r = 0; r < rows; r++, x += step) {                        \
            real re = a[2 * r], im = a[2 * r + 1];                             \
            to[2 * r] = re * x[0] - im * x[1];                                 \
            to[2 * r + 1] = re * x[1] + im * x[0];                             \
        }                                                                      \
    }
SCALE_COLUMN(float)
SCALE_COLUMN(double)

static void run_dgmm(const struct job *j, int64_t tile)
{
    int64_t end = at_most((tile + 1) * BLOCK, j->n);
    int64_t step = j->is_right ? 0 : j->x.ld;
    for (int64_t c = tile * BLOCK; c < end; c++) {
        const void *a = matrix_at(&j->a, 0, 0, c);
        const void *x = j->is_right ? vector_entry(j->type, &j->x, j->n, c)
                                    : vector_entry(j->type, &j->x, j->m, 0);
        void *to = matrix_at(&j->c, 0, 0, c);
        switch (j->type) {
        case BLAS_S:
            scale_column_float(a, x, step, to, j->m);
            break;
        case BLAS_D:
            scale_column_double(a, x, step, to, j->m);
            break;
        case BLAS_C:
            scale_pairs_float(a, x, 2 * step, to, j->m);
            break;
        default:
            scale_pairs_double(a, x, 2 * step, to, j->m);
        }
    }
}

cublasStatus_t cublas_dgmm(cublasHandle_t handle, struct job *j)
{
    return tiles_run(handle, run_dgmm, j, column_tiles(j));
}

/* ---- packed triangles ------------------------------------------------- */

static void run_tpttr(const struct job *j, int64_t tile)
{
    size_t bytes = blas_bytes(j->type);
    int64_t end = at_most((tile + 1) * BLOCK, j->n);
    for (int64_t c = tile * BLOCK; c < end; c++) {
        struct triangle_column at = triangle_column(j, c);
        __builtin_memcpy(matrix_at(&j->c, 0, at.row, c),
                         (char *)j->a.at + at.packed * (int64_t)bytes,
                         (size_t)at.rows * bytes);
    }
}

static void run_trttp(const struct job *j, int64_t tile)
{
    size_t bytes = blas_bytes(j->type);
    int64_t end = at_most((tile + 1) * BLOCK, j->n);
    for (int64_t c = tile * BLOCK; c < end; c++) {
        struct triangle_column at = triangle_column(j, c);
        __builtin_memcpy((char *)j->c.at + at.packed * (int64_t)bytes,
                         matrix_at(&j->a, 0, at.row, c),
                         (size_t)at.rows * bytes);
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
