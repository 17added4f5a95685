/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuBLAS inside: the handle, and the routines, each in one form for all types
 * and both widths of integers. The doors (doors_*.h, one function for each
 * name) check their arguments (handle.c) and put them into a struct job, level1
 * or product, which the files of the levels launch. Every door ends with
 * cublas_end(), which writes the log.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call, with one handle, too, whose settings nobody
 *            changes meanwhile
 *   errors   a cublasStatus_t, and nothing is queued
 *   owners   a handle owns its workspace; matrices are the caller's until the
 *            kernel is done
 *   units    sizes, increments and leading dimensions are elements, workspaces
 *            bytes
 */
#ifndef WEFT_CUBLAS_INTERNAL_H
#define WEFT_CUBLAS_INTERNAL_H

#define WEFT_CUBLAS_SOURCE
#pragma GCC visibility push(default)
#include "cublas_api.h"
#pragma GCC visibility pop
#include "lib/common/lib.h"
#include "lib/product/product.h"
#include "lib/product/types.h"

struct cublasContext {
    uint32_t magic; /* of live handles */
    cublasPointerMode_t pointer_mode;
    cublasAtomicsMode_t atomics;
    cublasMath_t math;
    int sm_target;
    CUstream stream;
    void *workspace;
    size_t workspace_bytes;
    /* Kept to be asked for; products are not emulated. */
    cublasEmulationStrategy_t strategy;
    cudaEmulationSpecialValuesSupport special_values;
    cudaEmulationMantissaControl mantissa;
    int mantissa_bits, mantissa_offset;
    int *mantissa_count;
};

/* A call of level 2, level 3 or an extension. Each routine uses some fields. */
struct job {
    enum blas_type type;
    enum product_op op, op_b;
    bool is_upper, is_unit, is_right, is_hermitian, is_packed;
    int64_t m, n, k, kl, ku, batch;
    struct matrix a, b, c;
    struct matrix x, y;                 /* vectors: ld is the increment */
    const void *alpha_at, *beta_at;     /* as the call gave them; or NULL */
    bool has_real_alpha, has_real_beta; /* their types, of complex matrices */
    struct scalar alpha,
        beta;     /* by the pointer mode; cublas_do fills them in */
    int64_t part; /* rows or columns of a tile; the routine fills it in */
};

/* Checks what is left to check and launches the job; returns at once. */
typedef cublasStatus_t cublas_routine(cublasHandle_t handle, struct job *j);

/* A door's work: checks the handle, then is_valid (INVALID_VALUE), and, unless
 * is_nothing, reads the scalars and runs the routine. name: the door's, for the
 * log. cublas_do_product: `scale` is the type of alpha and beta, and matrices
 * that would be read must not be NULL. */
cublasStatus_t cublas_do(const char *name, cublasHandle_t handle, bool is_valid,
                         bool is_nothing, cublas_routine *run, struct job *j);
cublasStatus_t cublas_do_product(const char *name, cublasHandle_t handle,
                                 bool is_valid, struct product *p,
                                 cudaDataType_t scale, const void *alpha,
                                 const void *beta);

/* ---- status ----------------------------------------------------------- */

/* The status for an error of core's: ALLOC_FAILED without memory,
 * NOT_INITIALIZED without a device, else EXECUTION_FAILED. */
cublasStatus_t cublas_status(CUresult err);
/* Writes the call to the log, if that is on; returns the status. */
cublasStatus_t cublas_end(const char *name, cublasStatus_t status);
#define CUBLAS_END(status) cublas_end(__func__, status)

/* NOT_INITIALIZED for NULL and for what is no live handle. */
cublasStatus_t cublas_check_handle(cublasHandle_t handle);

/* ---- checks: false means INVALID_VALUE -------------------------------- */

/* Is it a value of the enumeration? */
bool check_op(cublasOperation_t op);
bool check_fill(cublasFillMode_t uplo);
bool check_side(cublasSideMode_t side);
bool check_diag(cublasDiagType_t diag);
/* May a matrix with so many rows have this leading dimension? */
bool check_ld(int64_t ld, int64_t rows);
/* The three of a triangular routine; op is N, T or C. */
bool check_triangle(cublasFillMode_t uplo, cublasOperation_t op,
                    cublasDiagType_t diag);
/* op of a change of rank k. H200s take N, T and C; T is C if it is Hermitian,
 * and else C is T. */
enum product_op rank_op(bool is_hermitian, cublasOperation_t op);
/* The ops and sizes of gemm; op is N, T or C. */
bool check_product(enum product_op op_a, enum product_op op_b, int64_t m,
                   int64_t n, int64_t k, int64_t lda, int64_t ldb, int64_t ldc);

/* ---- scalars ---------------------------------------------------------- */

/* alpha or beta: read now, or where the work will find it, by the handle's
 * pointer mode. at must not be NULL. */
struct scalar cublas_scalar(cublasHandle_t handle, cudaDataType_t type,
                            const void *at);
/* Is it known now to be this real number? */
bool cublas_is_value(const struct scalar *s, double value);

/* ---- level 1: level1.c ------------------------------------------------ */

enum level1_what {
    LEVEL1_AXPY,
    LEVEL1_SCAL,
    LEVEL1_COPY,
    LEVEL1_SWAP,
    LEVEL1_ROT,
    LEVEL1_ROTM,
    LEVEL1_DOT,
    LEVEL1_NRM2,
    LEVEL1_ASUM,
    LEVEL1_AMAX,
    LEVEL1_AMIN,
};

struct vector {
    void *at;
    int64_t inc;
    cudaDataType_t type;
};

/* A call of level 1. */
struct level1 {
    enum level1_what what;
    bool is_conjugate; /* dot: x is conjugated */
    int64_t n;
    struct vector x, y;
    const void *alpha_at, *beta_at, *param_at; /* as the call gave them */
    struct scalar alpha, beta;                 /* rot: c and s */
    double param[5];                           /* rotm's, or where it is: */
    const void *param_device;                  /* of alpha's type */
    void *result;                              /* of a reduction */
    cudaDataType_t result_type; /* CUDA_R_32I, CUDA_R_64I: an index from 1 */
    cudaDataType_t compute;     /* of 32 or 64 bits */
};

/* As cublas_do; v->alpha.type and v->beta.type are given. */
cublasStatus_t cublas_do_level1(const char *name, cublasHandle_t handle,
                                bool is_valid, struct level1 *v);
/* Launches it. A result for the host is waited for, and NOT_SUPPORTED in a
 * capture. */
cublasStatus_t cublas_level1(cublasHandle_t handle, struct level1 *v);

/* ---- mixed types: types.c --------------------------------------------- */

/* May vectors of this type be computed with in `compute`? */
bool cublas_vector_types(cudaDataType_t x, cudaDataType_t compute);
bool cublas_is_complex(cudaDataType_t type);
/* May alpha have this type? */
bool cublas_scalar_type(cudaDataType_t type, cudaDataType_t compute);
/* Is it the type of the real parts of x's? */
bool cublas_is_real_of(cudaDataType_t type, cudaDataType_t x);
bool cublas_is_type(cudaDataType_t type);   /* a value of the enumeration */
bool cublas_is_algorithm(cublasGemmAlgo_t algo); /* likewise */
cublas_routine cublas_unsupported;          /* NOT_SUPPORTED */
#define NO_COMPUTE ((cublasComputeType_t)0) /* no product has this type */
/* The type that magnitudes of such elements are compared in. */
cudaDataType_t cublas_real_compute(cudaDataType_t type);
/* As the functions without _ex, of calls whose types are arguments:
 * NOT_SUPPORTED if they do not go together. */
cublasStatus_t cublas_do_level1_ex(const char *name, cublasHandle_t handle,
                                   bool is_supported, bool is_valid,
                                   struct level1 *v);
cublasStatus_t cublas_do_product_ex(const char *name, cublasHandle_t handle,
                                    cublasComputeType_t compute, bool is_valid,
                                    struct product *p, const void *alpha,
                                    const void *beta);

/* ---- between host and device: transfer.c ------------------------------ */

/* Copies rows x columns elements of `elem` bytes; a vector is a matrix of one
 * row. Waits, unless is_async and CUDA knows the host's memory, or the stream
 * is captured. MAPPING_ERROR: a pointer is NULL, or the copy faulted. */
cublasStatus_t cublas_copy(int64_t rows, int64_t columns, int64_t elem,
                           const void *from, int64_t ld_from, void *to,
                           int64_t ld_to, enum cudaMemcpyKind kind,
                           cudaStream_t stream, bool is_async);

/* ---- levels 2 and 3 --------------------------------------------------- */

cublas_routine cublas_gemv, cublas_gbmv, cublas_symv, cublas_sbmv, cublas_spmv;
cublas_routine cublas_trmv, cublas_trsv, cublas_tbmv, cublas_tbsv, cublas_tpmv;
cublas_routine cublas_tpsv, cublas_syr, cublas_syr2;
cublas_routine cublas_ger; /* is_hermitian: with the conjugate of y */
cublas_routine cublas_symm, cublas_syrk, cublas_syr2k, cublas_syrkx;
cublas_routine cublas_trmm, cublas_trsm;

/* ---- extensions of BLAS: extensions.c --------------------------------- */

cublas_routine cublas_geam; /* c = alpha op(a) + beta op_b(b) */
cublas_routine cublas_dgmm; /* c = diag(x) a, or a diag(x) if is_right */
cublas_routine cublas_tpttr, cublas_trttp; /* packed a to c, a to packed c */

#endif
