/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuSPARSE inside. A door checks its arguments, puts them into a struct work
 * and runs a kernel of it in the handle's stream. Compressed rows, compressed
 * columns and coordinates are one thing to the kernels: majors (the rows of CSR
 * and COO, the columns of CSC), each a list of minors; is_transposed says if a
 * major is a column.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call; a handle is one thread's at a time
 *   errors   a cusparseStatus_t, and nothing is queued
 *   owners   descriptors borrow the caller's arrays; what a descriptor keeps
 *            for itself waits for its kernels (pending.h)
 *   units    counts and leading dimensions are elements, buffers bytes
 */
#ifndef WEFT_CUSPARSE_INTERNAL_H
#define WEFT_CUSPARSE_INTERNAL_H

#pragma GCC visibility push(default)
#include "cusparse.h"
#pragma GCC visibility pop
#include "lib/common/lib.h"

struct cusparseContext {
    uint32_t magic;
    cusparsePointerMode_t pointer_mode;
    CUstream stream;
};

struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
    cusparseIndexBase_t base;
};

/* ---- what the program describes --------------------------------------- */

struct cusparseSpVecDescr {
    int64_t size, nnz;
    void *indices, *values;
    cusparseIndexType_t index_type;
    cusparseIndexBase_t base;
    cudaDataType type;
};

struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};

struct cusparseDnMatDescr {
    int64_t rows, cols, ld;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
    int batch;
    int64_t batch_stride;
};

struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, cols, nnz;      /* BSR: in blocks */
    void *major, *minor, *values; /* offsets, or the rows of COO */
    cusparseIndexType_t major_type, minor_type;
    cusparseIndexBase_t base;
    cudaDataType type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diag;
    int batch;
    int64_t major_stride, minor_stride, value_stride;
    int64_t block_rows, block_cols, ell_cols, slice;
    cusparseOrder_t order;
};

/* ---- what kernels see ------------------------------------------------- */

struct list {
    const void *at;
    bool is_wide; /* int64_t, else int */
};

struct sparse {
    bool is_coo;        /* major has the major of each entry, sorted */
    bool is_transposed; /* a major is a column of what is meant */
    bool is_conjugate;
    bool is_lower, is_unit; /* of the majors as rows */
    int base;
    int64_t majors, minors, nnz; /* nnz: what minor has, blocks or entries */
    struct list major, minor;
    struct list ends; /* of majors, where they are not the next one's start */
    void *values;
    cudaDataType type;
    int64_t major_stride, minor_stride, value_stride; /* of a batch; elements */
    /* Blocks: 1 x 1 elsewhere. The steps between values of a block, and from
     * one block of a major to the next. */
    int64_t block_rows, block_cols, row_step, col_step, block_step;
    int64_t ell_blocks; /* blocked ELL: of each row of blocks; else 0 */
    int64_t slice;      /* sliced ELL: majors of a slice; else 0 */
};

/* Steps are in elements. */
struct dense {
    void *at;
    int64_t rows, cols, row_step, col_step, batch_stride;
    bool is_conjugate;
    cudaDataType type;
};

/* alpha or beta. */
struct scalar {
    const void *at; /* the device's, read when the kernel runs; or NULL */
    double real, imag;
    cudaDataType type;
};

/* The arguments of all kernels; each says which it reads. */
struct work {
    struct sparse a, b, c;
    struct dense x, y;
    struct scalar alpha, beta;
    int64_t n, pieces; /* pieces: tiles of one member of a batch */
    void *out, *more;
    const void *diagonals[5];
    int64_t *counts;
    struct list total, mask;
    const int64_t *order; /* majors by levels, of which those at from to end; */
    int64_t from, end;    /* NULL: as they come */
};

/* The kernels that come in four types: KERNEL_gather ... */
#define CUSPARSE_KERNELS(X)                                                    \
    X(gather)                                                                  \
    X(masked)                                                                  \
    X(scatter)                                                                 \
    X(sddmm)                                                                   \
    X(scale)                                                                   \
    X(axpy)                                                                    \
    X(take)                                                                    \
    X(put) X(rot) X(dot) X(gemvi) X(densify) X(count) X(keep) X(collect)       \
        X(quantile) X(solve) X(solve_rows) X(ilu) X(chol) X(spgemm) X(geam)    \
            X(gtsv) X(gpsv) X(reblock) X(unblock)
#define KERNEL_ENUM(name) KERNEL_##name,
enum kernel { CUSPARSE_KERNELS(KERNEL_ENUM) KERNEL_COUNT };

/* Puts `tiles` tiles of a kernel into the handle's stream and does not wait; *w
 * is copied. NOT_SUPPORTED: cusparse_type_index does not know the type. */
cusparseStatus_t cusparse_launch(cusparseHandle_t handle, enum kernel k,
                                 cudaDataType type, int64_t tiles,
                                 const struct work *w);
/* The status for an error of core's; EXECUTION_FAILED if it has none of its
 * own. */
cusparseStatus_t cusparse_status(CUresult err);

/* 0 to 3 for the types that compute with S, D, C, Z, else -1. */
int cusparse_type_index(cudaDataType type);
int64_t cusparse_type_bytes(cudaDataType type); /* 0: no arithmetic */
/* Is it one of these four types itself? */
bool cusparse_is_native(cudaDataType type);
/* The status for a type that a call does not compute in: NOT_SUPPORTED, or
 * INVALID_VALUE if CUDA has no such type. */
cusparseStatus_t cusparse_refused_type(cudaDataType type);
/* Is there a row of types.def? */
bool cusparse_has_product(cudaDataType a, cudaDataType b, cudaDataType result,
                          cudaDataType compute);
/* The type of alpha and beta, by the operands', where a call names none. */
cudaDataType cusparse_scalar_type(cudaDataType type);

/* alpha or beta: read now, or by the kernel, as the pointer mode says. */
struct scalar cusparse_scalar(cusparseHandle_t handle, cudaDataType type,
                              const void *at);

/* The kernels' view of op(m); NOT_SUPPORTED: no kernel computes in its type.
 * Views point to the program's memory. */
cusparseStatus_t cusparse_view(const struct cusparseSpMatDescr *m,
                               cusparseOperation_t op, struct sparse *out);
struct dense cusparse_dense(const struct cusparseDnMatDescr *m,
                            cusparseOperation_t op);
struct dense cusparse_vector(const struct cusparseDnVecDescr *v);
struct sparse cusparse_csr(int m, int n, int nnz, cusparseMatDescr_t descr,
                           cudaDataType type, const void *val, const int *ptr,
                           const int *ind);
/* A view whose numbers count blocks of rows x cols, made of one of 1 x 1. */
struct sparse cusparse_bsr(struct sparse csr, cusparseDirection_t dir, int rows,
                           int cols);

/* NOT_INITIALIZED for what is no handle; from the generic API INVALID_VALUE. */
cusparseStatus_t cusparse_check_handle(cusparseHandle_t handle);
cusparseStatus_t cusparse_check_generic(cusparseHandle_t handle);
/* For calls whose result the host reads: NOT_SUPPORTED in a capture; then waits
 * for the handle's stream. */
cusparseStatus_t cusparse_check_wait(cusparseHandle_t handle);
cusparseStatus_t cusparse_wait(cusparseHandle_t handle);
static inline bool check_op(cusparseOperation_t op)
{
    return (unsigned)op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
/* Conjugation of real matrices is an error of some functions. */
static inline bool can_conjugate(cusparseOperation_t op, cudaDataType type)
{
    return op != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE || type == CUDA_C_32F ||
           type == CUDA_C_64F || type == CUDA_C_16F || type == CUDA_C_16BF;
}
/* Into how many tiles so many operations are worth dividing, at least 1. */
int64_t cusparse_pieces(int64_t work);
/* y = alpha a x + beta y for `batch` members; all of w but pieces is set. */
cusparseStatus_t cusparse_multiply(cusparseHandle_t handle, cudaDataType type,
                                   int batch, struct work *w);

/* CSR to CSC; values of any size. buffer: n ints for each thread; NULL: one
 * thread does it all. */
cusparseStatus_t cusparse_transpose(cusparseHandle_t handle, int m, int n,
                                    int nnz, const void *val, const int *ptr,
                                    const int *ind, void *csc_val, int *csc_ptr,
                                    int *csc_ind, int value_bytes,
                                    cusparseAction_t action,
                                    cusparseIndexBase_t base, void *buffer);

/* Logs a status that is not SUCCESS and returns it: the end of every door. */
cusparseStatus_t cusparse_end(const char *name, cusparseStatus_t status);
#define CUSPARSE_END(status) cusparse_end(__func__, status)

#include "entries.h"

#endif
