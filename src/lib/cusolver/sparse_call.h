/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cusolverSp: the doors fill in a struct sparse_call, and
 * sparse_call.c runs it, functions ...Host on the calling thread, others as a
 * kernel in the stream, which is waited for, since some answers go to the host.
 * Any number of threads may call, with one handle too, but an info is one
 * call's at a time. */
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

/* An info: the order of A, from the analysis, and its factors. */
struct sparse_info {
    uint32_t magic;
    struct sparse_room analysis, factors;
    bool is_reordered;             /* LU: csrluConfig asked for it */
    int *order;                    /* NULL before the analysis */
    struct sparse shifted;         /* QR: A - mu I, in the room `factors` */
    const struct sparse_factor *f; /* NULL: none yet */
};
/* An info of any of the types below, which begin with it; NULL stays NULL. */
#define SPARSE_INFO(info) ((struct sparse_info *)(info))
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
/* Does the work in c->room, which is freed behind it; c->status is SUCCESS
 * before. */
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

/* Runs the call and waits. NOT_INITIALIZED; INVALID_VALUE (of a matrix that is
 * no general one MATRIX_TYPE_NOT_SUPPORTED, if c says so); NOT_SUPPORTED in a
 * capture; ALLOC_FAILED; EXECUTION_FAILED; or what `run` says. */
cusolverStatus_t sparse_do(cusolverSpHandle_t handle, bool is_valid,
                           struct sparse_call *c);

/* Fills in *out. False: a size is negative, a pointer that is needed is NULL,
 * or descr describes no general matrix. Patterns are checked later. */
bool sparse_matrix(enum blas_type type, int m, int n, int nnz,
                   cusparseMatDescr_t descr, const void *value,
                   const int *start, const int *index, struct sparse *out);
/* Do rows follow each other, and are all columns inside? sparse_do asks it
 * where the call runs, when earlier work in the stream has written the matrix.
 */
bool sparse_is_sound(const struct sparse *a);
/* Is descr NULL, or does it describe another than a general matrix? */
bool sparse_has_other_type(cusparseMatDescr_t descr);
bool sparse_is_info(const struct sparse_info *info); /* a live one */
bool sparse_has_factors(const struct sparse_info *info);

/* All at once: A x = b, least squares, an eigenvalue. In steps: analysis, the
 * set-up of QR, factors (and a solution, if c->b and c->x are there), a
 * solution by them; a batch by QR. And a permutation for a diagonal without
 * zeros. */
sparse_routine sparse_run_solve, sparse_run_least, sparse_run_eigen;
sparse_routine sparse_run_analysis, sparse_run_setup, sparse_run_factor;
sparse_routine sparse_run_with_factors, sparse_run_batch, sparse_run_zero_free;

#endif
