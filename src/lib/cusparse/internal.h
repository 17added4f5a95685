/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuSPARSE inside. A door checks its arguments, puts them into a struct work
 * and runs a kernel of it in the handle's stream. Compressed rows, compressed
 * columns and coordinates are one thing to the kernels: lists of majors (the
 * rows of CSR and COO, the columns of CSC) that is_transposed or not.
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
    int64_t block_rows, block_cols;
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
    int64_t majors, minors, nnz;
    struct list major, minor;
    void *values;
    int64_t major_stride, minor_stride, value_stride; /* of a batch */
};

struct dense {
    void *at;
    int64_t rows, cols, row_step, col_step, batch_stride;
    bool is_conjugate;
};

struct scalar {
    const void *at; /* the device's, read when the kernel runs; or NULL */
    double real, imag;
};

struct work {
    struct sparse a, b, c;
    struct dense x, y, z;
    struct scalar alpha, beta;
    int64_t n, pieces; /* pieces: tiles of one member of a batch */
    void *out, *more;
    int64_t *counts;
};

/* The kernels that come in four types: KERNEL_gather ... */
#define CUSPARSE_KERNELS(X)                                                    \
    X(gather)                                                                  \
    X(scatter) X(axpby) X(take) X(put) X(rot) X(dot) X(densify) X(count)       \
        X(sparsify) X(sddmm) X(solve) X(spgemm) X(geam) X(ilu) X(chol) X(gtsv)
#define KERNEL_ENUM(name) KERNEL_##name,
enum kernel { CUSPARSE_KERNELS(KERNEL_ENUM) KERNEL_COUNT };

/* Runs it for a type that cusparse_type_index knows. */
cusparseStatus_t cusparse_launch(cusparseHandle_t handle, enum kernel k,
                                 cudaDataType type, int64_t tiles,
                                 const struct work *w);
/* Kernels of integers: structure.c. */
extern const struct native_kernel structure_spgemm, structure_geam;
cusparseStatus_t cusparse_status(CUresult err);

/* 0 to 3 for the types S, D, C, Z, else -1. */
int cusparse_type_index(cudaDataType type);
int64_t cusparse_type_bytes(cudaDataType type);

/* Reads alpha or beta as the pointer mode says. */
struct scalar cusparse_scalar(cusparseHandle_t handle, cudaDataType type,
                              const void *at);

/* The matrix as op means it; NOT_SUPPORTED: neither CSR, CSC nor COO. */
cusparseStatus_t cusparse_view(const struct cusparseSpMatDescr *m,
                               cusparseOperation_t op, struct sparse *out);
struct dense cusparse_dense(const struct cusparseDnMatDescr *m,
                            cusparseOperation_t op);
struct dense cusparse_vector(const struct cusparseDnVecDescr *v);
struct sparse cusparse_csr(int m, int n, int nnz, cusparseMatDescr_t descr,
                           const void *val, const int *ptr, const int *ind);

cusparseStatus_t cusparse_check_handle(cusparseHandle_t handle);
/* A call whose result the host reads: waits; NOT_SUPPORTED in a capture. */
cusparseStatus_t cusparse_check_wait(cusparseHandle_t handle);
cusparseStatus_t cusparse_wait(cusparseHandle_t handle);
static inline bool check_op(cusparseOperation_t op)
{
    return (unsigned)op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
int64_t cusparse_pieces(int64_t work);

/* Every door's last word: tells the log. */
cusparseStatus_t cusparse_end(const char *name, cusparseStatus_t status);
#define CUSPARSE_END(status) cusparse_end(__func__, status)

/* ---- entries ---------------------------------------------------------- */

static inline int64_t list_get(struct list l, int64_t i)
{
    return l.is_wide ? ((const int64_t *)l.at)[i] : ((const int *)l.at)[i];
}

static inline void list_set(struct list l, int64_t i, int64_t value)
{
    if (l.is_wide)
        ((int64_t *)l.at)[i] = value;
    else
        ((int *)l.at)[i] = (int)value;
}

/* The first entry of a major; of `majors`: the number of entries. */
static inline int64_t sparse_start(const struct sparse *s, int64_t major)
{
    if (!s->is_coo)
        return list_get(s->major, major) - s->base;
    int64_t low = 0, high = s->nnz;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (list_get(s->major, middle) - s->base < major)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline int64_t sparse_minor(const struct sparse *s, int64_t entry)
{
    return list_get(s->minor, entry) - s->base;
}

/* Where piece p of so many begins: majors with as many entries each. */
static inline int64_t sparse_cut(const struct sparse *s, int64_t p,
                                 int64_t pieces)
{
    int64_t total = sparse_start(s, s->majors) + s->majors;
    int64_t goal = (int64_t)((__int128)total * p / pieces);
    int64_t low = 0, high = s->majors;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (sparse_start(s, middle) + middle < goal)
            low = middle + 1;
        else
            high = middle;
    }
    return p == pieces ? s->majors : low;
}

#endif
