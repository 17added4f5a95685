/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cusolverSp: what the doors fill in and sparse_call.c runs, on the
 * calling thread (`...Host`) or as a kernel in the stream, which is waited for:
 * what they answer lies in the host's memory. */
#ifndef WEFT_CUSOLVER_SPARSE_CALL_H
#define WEFT_CUSOLVER_SPARSE_CALL_H

#pragma GCC visibility push(default)
#include "cusolverSp.h"
#include "cusolverSp_LOWLEVEL_PREVIEW.h"
#pragma GCC visibility pop
#include "lib/common/lib.h"
#include "sparse.h"

struct cusolverSpContext {
    uint32_t magic;
    CUstream stream;
};

/* What an info holds: of A, its order and its factors. */
struct sparse_info {
    uint32_t magic;
    struct sparse_room analysis, factors;
    bool is_reordered; /* LU: what csrluConfig has asked for */
    int *order;
    struct sparse shifted; /* QR: of the set-up; in `factors`' room */
    const struct sparse_factor *f;
};
struct csrluInfoHost {
    struct sparse_info as;
};
struct csrqrInfoHost {
    struct sparse_info as;
};
struct csrqrInfo {
    struct sparse_info as;
};
struct csrcholInfoHost {
    struct sparse_info as;
};
struct csrcholInfo {
    struct sparse_info as;
};

struct sparse_call;
typedef void sparse_routine(struct sparse_call *c);

struct sparse_call {
    sparse_routine *run;
    bool is_on_device;
    struct sparse a;
    struct sparse_info *info;
    enum sparse_kind kind;
    const void *b; /* or the first vector of an iteration */
    void *x;
    double tol;
    int order, limit, batch; /* limit: of iterations */
    const void *mu0;
    void *mu;
    int *position, *rank, *permutation;
    double left;         /* of least squares */
    bool has_other_type; /* the description is of no general matrix */
    /* Filled in. */
    struct sparse_room room;
    cusolverStatus_t status;
};

/* NOT_INITIALIZED, INVALID_VALUE, what `run` says, ALLOC_FAILED. */
cusolverStatus_t sparse_do(cusolverSpHandle_t handle, bool is_valid,
                           struct sparse_call *c);

/* A matrix as doors get it: false if something is wrong with it. */
bool sparse_matrix(enum blas_type type, int m, int n, int nnz,
                   cusparseMatDescr_t descr, const void *value,
                   const int *start, const int *index, struct sparse *out);
/* Do rows follow each other, and are all columns inside? Calls ask where they
 * run: a matrix of the device is there by then. */
bool sparse_is_sound(const struct sparse *a);
/* Is it, or what is NULL, no description of a general matrix? */
bool sparse_has_other_type(cusparseMatDescr_t descr);
bool sparse_is_info(const struct sparse_info *info);
bool sparse_has_factors(const struct sparse_info *info);

sparse_routine sparse_run_solve, sparse_run_least, sparse_run_eigen;
sparse_routine sparse_run_analysis, sparse_run_setup, sparse_run_factor;
sparse_routine sparse_run_with_factors, sparse_run_batch, sparse_run_zero_free;

#endif
