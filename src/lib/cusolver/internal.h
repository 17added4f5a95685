/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuSOLVER inside. The doors (doors_typed.h, generic.c, refine.c) check their
 * arguments and put them into a struct job; solver_do() sends it into the
 * stream, where a routine of factor.c or spectra.c calls LAPACK.
 */
#ifndef WEFT_CUSOLVER_INTERNAL_H
#define WEFT_CUSOLVER_INTERNAL_H

#pragma GCC visibility push(default)
#include "cusolverDn.h"
#pragma GCC visibility pop
#include "lib/blas/lapack.h"
#include "lib/common/lib.h"

struct cusolverDnContext {
    uint32_t magic;
    CUstream stream;
    cusolverDeterministicMode_t determinism; /* always is */
    cusolverMathMode_t math;                 /* changes nothing */
    cudaEmulationStrategy_t strategy;        /* nor does this */
};

/* Workspaces. A routine that asks is called twice: at first the counts are -1
 * and it puts the numbers it wants into the first elements, as LAPACK does. */
struct work {
    void *at, *real;
    int *ints;
    int count, reals, int_count;
};

struct job;
typedef void routine(const struct job *j, struct work *w, int *info);

/* Sends a job that is not small as several launches, for all threads. False:
 * it is small, nothing is done. */
typedef bool splitter(CUstream stream, const struct job *j, CUresult *err);

/* Which eigenvalues are wanted: 'A'll, those in (low, high], or those from
 * `first` to `last`, counted from 1. */
struct range {
    char kind;
    double low, high;
    int first, last;
    int64_t *found; /* the host's */
};

/* What Jacobi's methods would have left; see jacobi.c. */
struct jacobi_result;

/* A call: a routine uses its fields. Vectors of a batch are tiles. */
struct job {
    routine *run;
    splitter *split; /* NULL: there is no such way */
    bool asks;       /* for workspaces */
    enum blas_type type;
    char uplo, op, side, jobz, job_vt;
    bool is_econ, has_wide_pivots;
    bool has_one_info; /* for the whole batch */
    int itype, m, n, k, nrhs, lda, ldb, ldu, ldv, inc;
    void *a, *b, *x;      /* lda, ldb, ldu */
    void *tau, *tau_p;    /* reflectors */
    void *s, *e;          /* reals */
    void *u, *v;          /* ldu, ldv */
    void *const *a_array; /* of a batch: instead of a, b */
    void *const *b_array;
    /* Of a batch without lists: elements from one to the next. */
    int64_t stride_a, stride_s, stride_u, stride_v;
    void *pivots; /* int, or int64_t if has_wide_pivots; NULL: none */
    int *info;    /* may be NULL */
    int wrong;    /* which argument is; 0: none, or unknown */
    struct range range;
    struct jacobi_result *result; /* may be NULL */
    int rank;                     /* gesvda: singular values that are wanted */
    double *norms;                /* of what is left, the host's; or NULL */
    void *work; /* the caller's, of work_count elements; geqrf's */
    int64_t work_count;
};

/* Every door's work: NOT_INITIALIZED, INVALID_VALUE, or the job is in the
 * stream, once for each of the batch. */
cusolverStatus_t solver_do(cusolverDnHandle_t handle, bool is_valid,
                           int64_t batch, const struct job *j);

/* Every bufferSize function's: routines allocate what LAPACK wants, so that a
 * few elements do, of which all but one look at none. */
enum { WORK_ELEMENTS = 32 };
cusolverStatus_t solver_size(cusolverDnHandle_t handle, bool is_valid,
                             int *lwork);

/* The status for an error of core's: ALLOC_FAILED without memory,
 * NOT_INITIALIZED without a device, else EXECUTION_FAILED. */
cusolverStatus_t solver_status(CUresult err);
/* NOT_INITIALIZED for what is no handle. */
cusolverStatus_t solver_check_handle(cusolverDnHandle_t handle);

/* As solver_do; has_answer: something of the host's is written, which is
 * waited for and refused in a capture. */
cusolverStatus_t solver_do_answer(cusolverDnHandle_t handle, bool is_valid,
                                  bool has_answer, int64_t batch,
                                  const struct job *j);

/* ---- memory while a routine runs -------------------------------------- */

/* Never NULL: without memory the kernel faults. */
void *scratch(uint64_t count, uint64_t bytes);
/* Bytes of an element, and of its real part. */
unsigned element_bytes(enum blas_type type);
unsigned real_bytes(enum blas_type type);
bool is_complex(enum blas_type type);

static inline const struct blas *blas_of(const struct job *j)
{
    return &weft_blas[j->type];
}
static inline const struct lapack *lapack_of(const struct job *j)
{
    return &weft_blas_lapack[j->type];
}
/* As LAPACK has them: which triangle; with vectors or without. */
static inline char fill_letter(cublasFillMode_t uplo)
{
    return uplo == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';
}
static inline char job_letter(cusolverEigMode_t jobz)
{
    return jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
}
static inline int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* ---- checks ----------------------------------------------------------- */

/* Values that the enumeration has, and rows that fit the leading dimension. */
bool check_fill(cublasFillMode_t uplo);
bool check_jobz(cusolverEigMode_t jobz);
bool check_ld(int64_t ld, int64_t rows);
/* A product with a unitary matrix: N, or T of reals and C of complex. */
bool check_unitary_op(enum blas_type type, cublasOperation_t op);
bool check_svd_job(signed char job);
/* A pointer that a matrix of so many elements needs. */
bool check_at(const void *at, int64_t m, int64_t n);

/* ---- routines: factor.c ----------------------------------------------- */

routine run_potrf, run_potrs, run_potri, run_lauum, run_getrf, run_getrs;
routine run_laswp, run_geqrf, run_orgqr, run_ormqr, run_orgbr, run_orgtr;
routine run_ormtr, run_sytrf, run_sytri, run_gebrd, run_sytrd;

/* ---- on all threads: split.c ------------------------------------------ */

splitter split_getrf, split_potrf, split_geqrf, split_solve;
/* Elements of the workspace that geqrf is best given. */
int solver_qr_room(int64_t m, int64_t n);

/* ---- routines: spectra.c ---------------------------------------------- */

routine run_syevd, run_sygvd, run_gesvd;
/* V instead of its adjoint. */
routine run_gesvdj;

/* ---- routines: refine.c ----------------------------------------------- */

routine run_gesv, run_gesv_own, run_gels;

/* ---- routines: selected.c, general.c, jacobi.c ------------------------ */

routine run_syevdx, run_sygvdx, run_gesvda, run_geev, run_trtri, run_sytrs;
routine run_larft;
/* syevd, sygvd and gesvdj, and what is left. */
routine run_syevj, run_sygvj, run_gesvdj_measured;

/* Of eigenvalues: whether its bounds, or its numbers from 1 to n, go together;
 * and LAPACK's letter for it, 'A', 'V' or 'I'. */
bool check_range(struct range range, int64_t n);
char range_kind(cusolverEigRange_t range);

/* Where the results of a call with these parameters go. */
struct jacobi_result *jacobi_of_eigen(syevjInfo_t params);
struct jacobi_result *jacobi_of_singular(gesvdjInfo_t params);

/* to, with ld_to, = rows x columns elements of `from`. */
void copy_matrix(enum blas_type type, void *to, int64_t ld_to, const void *from,
                 int64_t ld_from, int rows, int columns);

#endif
