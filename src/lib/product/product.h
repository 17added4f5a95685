/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices, D = alpha op(A) op(B) + beta C, of all types, sizes and
 * batches: split into tiles of D, each a call of OpenBLAS (or of a kernel for
 * small ones) on the SM thread that has it. Matrices are in column order.
 *
 * Where all four have the type that is computed in, tiles are computed in
 * place. Otherwise a tile's parts of A and B are converted, a slice of k at a
 * time, and D is made from the sums.
 */
#ifndef WEFT_LIB_PRODUCT_H
#define WEFT_LIB_PRODUCT_H

#include <stdint.h>

#include "cuda.h"

#include "lib/product/elements.h"

struct matrix {
    void *at; /* arrays: a list of pointers, read when the work runs */
    int64_t ld, stride; /* stride: elements from one of the batch to the next */
    int64_t offset;     /* of element (0, 0), in elements */
    cudaDataType_t type;
    bool is_array;
};

enum product_op { PRODUCT_N, PRODUCT_T, PRODUCT_C, PRODUCT_CONJ };

/* What becomes of a tile of sums; see product_finish. */
struct product;
struct product_tile {
    int64_t row, column, rows, columns, batch;
    void *sums; /* of the type that is computed in; ld is rows */
};
typedef void product_finish_fn(const struct product *p,
                               const struct product_tile *t);

/* `count` rows of op(A), or columns of op(B), from `outer` on, `depth` numbers
 * of each from k `from` on, of the type that is computed in: as columns of
 * op(A), or of op(B), one after another. */
typedef void product_load_fn(const struct product *p, bool is_b, int64_t batch,
                             int64_t outer, int64_t count, int64_t from,
                             int64_t depth, void *to);

struct product {
    int64_t m, n, k, batch;
    struct matrix a, b, c, d;
    struct scalar alpha, beta;
    enum product_op op_a, op_b;
    enum blas_type type; /* computed in */
    bool is_integer;     /* exact sums of integers; type is BLAS_S */
    /* NULL: product_finish. Another one gets more: the launch's arguments are
     * `bytes` long and begin with this struct. */
    product_finish_fn *finish;
    product_load_fn *load; /* or NULL: A and B are what their structs say */
    bool whole_rows; /* a tile has all columns of its rows; at most 512 rows */
    int64_t row_unit; /* a power of 2: tiles begin at multiples; 0: anywhere */
    /* Filled in by product_run. */
    int64_t tile_m, tile_n, rows, columns;
};

/* The most that the arguments of a launch take. */
enum { PRODUCT_ARGS = 1024 };

/* bytes: of the arguments, at least sizeof *p. m, n and batch are not 0. */
CUresult product_run(struct product *p, size_t bytes, CUstream stream);

/* The tile's elements of D from its sums: alpha, beta and conversion. */
void product_finish(const struct product *p, const struct product_tile *t);

/* A matrix of the batch, from an element on. */
void *matrix_at(const struct matrix *m, int64_t batch, int64_t row,
                int64_t column);

/* Memory of this thread until its next call; NULL: there is none. */
void *product_scratch(size_t bytes);

/* Splits n in about `parts` of a multiple of `unit`. */
int64_t product_part(int64_t n, int64_t parts, int64_t unit);

#endif
