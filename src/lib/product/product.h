/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices, D = alpha op(A) op(B) + beta C, of all types, sizes and
 * batches, in column order. D is split into tiles; an SM thread computes a tile
 * by a call of OpenBLAS or of a kernel of ours (small.h, narrow.h).
 *
 * Where all four matrices have the type that is computed in, tiles are computed
 * in place. Otherwise a tile's parts of A and B are converted, a slice of k at
 * a time, and D is made from the sums.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call any function
 *   errors   false: there is no such product, and nothing is done
 *   owners   matrices are the caller's until the kernel is done
 *   units    sizes and leading dimensions are elements
 */
#ifndef WEFT_LIB_PRODUCT_H
#define WEFT_LIB_PRODUCT_H

#include <stdint.h>

#include "cuda.h"

#include "lib/product/elements.h"

struct matrix {
    void *at; /* the memory; is_array: a list of pointers, one for each of the
               * batch, which is read when the work runs */
    int64_t ld, stride; /* stride: elements from one of the batch to the next */
    int64_t offset;     /* elements from there to element (0, 0) */
    cudaDataType_t type;
    bool is_array;
};

static inline int64_t at_most(int64_t n, int64_t limit)
{
    return n < limit ? n : limit;
}

enum product_op { PRODUCT_N, PRODUCT_T, PRODUCT_C, PRODUCT_CONJ };

/* Is op(X) of X's own shape, not of its transpose's? */
static inline bool product_as_stored(enum product_op op)
{
    return op == PRODUCT_N || op == PRODUCT_CONJ;
}

/* Makes D from a tile of sums, as product_finish does. */
struct product;
struct product_tile {
    int64_t row, column, rows, columns, batch;
    void *sums; /* of the type that is computed in; ld is rows */
};
typedef void product_finish_fn(const struct product *p,
                               const struct product_tile *t);

/* Reads a part of op(A), rows [outer, outer + count) by k [from, from + depth),
 * or of op(B) (is_b), k by columns of the same numbers, into columns without
 * gaps of the type that is computed in. */
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
    /* NULL: product_finish. Another one may find more behind this struct, which
     * is the beginning of the launch's arguments (product_run). */
    product_finish_fn *finish;
    product_load_fn *load; /* or NULL: A and B are what their structs say */
    bool whole_rows;  /* a tile has all columns of its rows; at most 512 rows */
    int64_t row_unit; /* a power of 2: tiles begin at multiples; 0: anywhere */
    /* Filled in by product_run. */
    int64_t tile_m, tile_n, rows, columns;
};

/* The most bytes that the arguments of a launch take. */
enum { PRODUCT_ARGS = 1024 };

/* Splits the product and puts it into the stream; returns at once. bytes: of
 * the arguments that begin with *p and are copied, sizeof *p to PRODUCT_ARGS.
 * m, n and batch are not 0. Errors: lib_run's. */
CUresult product_run(struct product *p, size_t bytes, CUstream stream);

/* Makes the tile's elements of D from its sums: alpha, beta, conversion. For
 * kernels. */
void product_finish(const struct product *p, const struct product_tile *t);

/* Where an element of a matrix of the batch is. For kernels if m is_array. */
void *matrix_at(const struct matrix *m, int64_t batch, int64_t row,
                int64_t column);

/* Memory of this thread, aligned to 64, which is the thread's until it calls
 * again. For kernels. Never NULL: without memory the kernel faults. */
void *product_scratch(size_t bytes);

/* The size of a part if n is split into at most `parts` of them: a multiple of
 * `unit`. */
int64_t product_part(int64_t n, int64_t parts, int64_t unit);

#endif
