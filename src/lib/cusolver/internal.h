/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuSOLVER's dense part inside. The doors (doors_typed.h, generic*.c, refine.c,
 * irs.c) check their arguments and put them into a struct job; solver_do() puts
 * it into the stream as a kernel, whose routine (factor.c, spectra.c and
 * others) calls LAPACK.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call, with one handle, too, whose settings nobody
 *            changes meanwhile
 *   errors   a cusolverStatus_t, and nothing is queued; what LAPACK finds is in
 *            the caller's info
 *   owners   handles own their workspaces; matrices and those of the caller's
 *            are the caller's
 *   units    sizes and leading dimensions are elements; workspaces elements of
 *            the routine's type, bytes in the generic functions
 */
#ifndef WEFT_CUSOLVER_INTERNAL_H
#define WEFT_CUSOLVER_INTERNAL_H

#pragma GCC visibility push(default)
#include "cusolverDn.h"
#pragma GCC visibility pop
#include "lib/blas/lapack.h"
#include "lib/common/lib.h"

struct cusolverDnContext {
    uint32_t magic; /* of live handles */
    CUstream stream;
    /* Kept to be asked for: results are always deterministic and never of
     * emulated products. */
    cusolverDeterministicMode_t determinism;
    cusolverMathMode_t math;
    cudaEmulationStrategy_t strategy;
};

/* Workspaces of elements, reals and integers. A routine that asks for some
 * (job.asks) is called twice. At first the counts are -1, and it only writes
 * the numbers that it wants into the first element of each, as LAPACK does. */
struct work {
    void *at, *real;
    int *ints;
    int count, reals, int_count;
};

struct job;
/* Does the job, or its part in a batch; *info is 0 and becomes LAPACK's info.
 * work: NULL if the job asks for none. For kernels. */
typedef void routine(const struct job *j, struct work *w, int *info);

/* Puts a job into the stream as several launches, whose tiles all threads run.
 * False, and nothing is done: the job is too small for that. */
typedef bool splitter(CUstream stream, const struct job *j, CUresult *err);

/* Which eigenvalues are wanted: 'A'll, those in (low, high], or those from
 * `first` to `last`, counted from 1. */
struct range {
    char kind;
    double low, high;
    int first, last;
    int64_t *found; /* how many there were; memory of the host */
};

/* What the Jacobi functions answer about their work: jacobi.h. */
struct jacobi_result;

/* A call; each routine uses some fields. Each of a batch is a tile. */
struct job {
    routine *run;
    splitter *split; /* or NULL: it is one launch */
    bool asks;       /* for workspaces */
    enum blas_type type;
    char uplo, op, side, jobz, job_vt;
    bool is_econ, has_wide_pivots;
    bool has_one_info; /* only the first of the batch writes info */
    int itype, m, n, k, nrhs, lda, ldb, ldu, ldv, inc;
    void *a, *b, *x;      /* their leading dimensions: lda, ldb, ldu */
    void *tau, *tau_p;    /* factors of reflectors */
    void *s, *e;          /* values, off-diagonal elements: real numbers */
    void *u, *v;          /* leading dimensions: ldu, ldv */
    void *const *a_array; /* of a batch: instead of a, b */
    void *const *b_array;
    /* Of a batch without lists: elements from one to the next. */
    int64_t stride_a, stride_s, stride_u, stride_v;
    void *pivots; /* int, or int64_t if has_wide_pivots; NULL: none */
    int *info;    /* may be NULL */
    int wrong;    /* for info: which argument is wrong; 0: it says nothing */
    struct range range;
    struct jacobi_result *result; /* may be NULL */
    int rank;                     /* gesvda: singular values that are wanted */
    /* The host's, or NULL. gesvda: |A V - U S|; gesv and gels: the largest of
     * b - A x. */
    double *norms;
    void *work;    /* geqrf: the program's, of work_count elements */
    int64_t work_count;
};

/* Every door's work. Checks the handle (NOT_INITIALIZED), then is_valid and
 * batch (INVALID_VALUE), and puts the job, which is copied, into the stream, a
 * tile for each of the batch. Else solver_status's errors. */
cusolverStatus_t solver_do(cusolverDnHandle_t handle, bool is_valid,
                           int64_t batch, const struct job *j);

/* The status of a call that an H200 takes though an argument is wrong: info
 * says which. */
static inline cusolverStatus_t solver_forgive(cusolverStatus_t status,
                                              bool is_forgiven)
{
    return is_forgiven && status == CUSOLVER_STATUS_INVALID_VALUE
               ? CUSOLVER_STATUS_SUCCESS
               : status;
}

/* Every bufferSize function's work; *lwork counts elements. Routines allocate
 * what LAPACK wants, so a few elements, which nobody uses, are enough. (geqrf
 * asks for more, solver_qr_room, and uses it.) */
enum { WORK_ELEMENTS = 32 };
cusolverStatus_t solver_size(cusolverDnHandle_t handle, bool is_valid,
                             int *lwork);

/* The status for an error of core's: ALLOC_FAILED without memory,
 * NOT_INITIALIZED without a device, else EXECUTION_FAILED. */
cusolverStatus_t solver_status(CUresult err);
/* NOT_INITIALIZED for NULL and for what is no live handle. */
cusolverStatus_t solver_check_handle(cusolverDnHandle_t handle);

/* As solver_do. has_answer: the job writes to memory of the host, so the call
 * waits for it, and is NOT_SUPPORTED in a capture. */
cusolverStatus_t solver_do_answer(cusolverDnHandle_t handle, bool is_valid,
                                  bool has_answer, int64_t batch,
                                  const struct job *j);

/* ---- memory while a routine runs -------------------------------------- */

/* count * bytes of memory, aligned as malloc's, which the routine frees. Never
 * NULL: without memory the kernel faults. */
void *scratch(uint64_t count, uint64_t bytes);
/* Bytes of an element, and of its real part. */
unsigned element_bytes(enum blas_type type);
unsigned real_bytes(enum blas_type type);

static inline const struct blas *blas_of(const struct job *j)
{
    return &weft_blas[j->type];
}
static inline const struct lapack *lapack_of(const struct job *j)
{
    return &weft_blas_lapack[j->type];
}
/* LAPACK's letters: which triangle; with vectors or without. */
static inline char fill_letter(cublasFillMode_t uplo)
{
    return uplo == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';
}
static inline char job_letter(cusolverEigMode_t jobz)
{
    return jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
}
static inline int smaller_of(int a, int b)
{
    return a < b ? a : b;
}

/* ---- checks ----------------------------------------------------------- */

/* Is it a value of the enumeration? */
bool check_fill(cublasFillMode_t uplo);
bool check_jobz(cusolverEigMode_t jobz);
/* Are there 0 or more rows, and may they have this leading dimension? */
bool check_ld(int64_t ld, int64_t rows);
/* op of a product with a unitary matrix: N, or T if real, C if complex. */
bool check_unitary_op(enum blas_type type, cublasOperation_t op);
bool check_svd_job(signed char job); /* A, S, O or N */
/* Is there memory, if the m x n matrix needs any? */
bool check_at(const void *at, int64_t m, int64_t n);

/* ---- routines: factor.c ----------------------------------------------- */

routine run_potrf, run_potrs, run_potri, run_lauum, run_getrf, run_getrs;
routine run_laswp, run_geqrf, run_orgqr, run_ormqr, run_orgbr, run_orgtr;
routine run_ormtr, run_sytrf, run_sytri, run_gebrd, run_sytrd;

/* ---- on all threads: split.c ------------------------------------------ */

splitter split_getrf, split_potrf, split_geqrf, split_solve;
/* Elements of the workspace with which geqrf can be split. */
int solver_qr_room(int64_t m, int64_t n);

/* ---- routines: spectra.c ---------------------------------------------- */

routine run_syevd, run_sygvd, run_gesvd;
/* gesvd that gives V instead of its adjoint; is_econ: only the first min(m, n)
 * columns of U and V. */
routine run_gesvdj;

/* ---- routines: refine.c ----------------------------------------------- */

/* They leave A and B as they are. run_gesv_own needs no memory for pivots. */
routine run_gesv, run_gesv_own, run_gels;

/* ---- routines: selected.c, general.c, jacobi.c ------------------------ */

routine run_syevdx, run_sygvdx, run_gesvda, run_geev, run_trtri, run_sytrs;
routine run_larft;
/* syevd, sygvd and gesvdj, which also measure the residual for job.result. */
routine run_syevj, run_sygvj, run_gesvdj_measured;

/* Do the bounds, or the numbers from 1 to n, go together? */
bool check_range(struct range range, int64_t n);
/* LAPACK's letter for it, 'A', 'V' or 'I'; 0: it is no value of the
 * enumeration. */
char range_kind(cusolverEigRange_t range);

/* |left - right diag(values)| (Frobenius); left's leading dimension is `rows`.
 */
double residual_of(const struct job *j, const void *left, const void *right,
                   int64_t ld, const void *values, int rows, int columns);
/* The result object of these parameters; NULL: they are no live object. */
struct jacobi_result *jacobi_of_eigen(syevjInfo_t params);
struct jacobi_result *jacobi_of_singular(gesvdjInfo_t params);

/* Copies rows x columns elements; leading dimensions in elements. */
void copy_matrix(enum blas_type type, void *to, int64_t ld_to, const void *from,
                 int64_t ld_from, int rows, int columns);

#endif
