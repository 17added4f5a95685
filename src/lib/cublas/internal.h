/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuBLAS inside: the handle, and the routines with all types and both widths
 * in one form. The doors (doors_*.h, one function for each name) put their
 * arguments into a struct job; check.c says what is wrong with it, and the
 * files of the levels run it. cublas_end() is every door's last word.
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
    uint32_t magic;
    cublasPointerMode_t pointer_mode;
    cublasAtomicsMode_t atomics;
    cublasMath_t math;
    int sm_target;
    CUstream stream;
    CUcontext ctx; /* what was current when it was made */
    void *workspace;
    size_t workspace_bytes;
    /* Kept for those who ask; products are not emulated. */
    cublasEmulationStrategy_t strategy;
    cudaEmulationSpecialValuesSupport special_values;
    cudaEmulationMantissaControl mantissa;
    int mantissa_bits, mantissa_offset;
    int *mantissa_count;
};

/* A call of levels 1 to 3 or like them; a routine uses its fields. */
struct job {
    enum blas_type type;
    enum product_op op, op_b;
    bool is_upper, is_unit, is_right, is_hermitian, is_packed;
    int64_t m, n, k, kl, ku, batch;
    struct matrix a, b, c;
    struct matrix x, y; /* vectors: ld is the increment */
    /* What the call gave, and by the pointer mode what it means. */
    const void *alpha_at, *beta_at;
    bool has_real_alpha, has_real_beta;
    struct scalar alpha, beta;
    int64_t part; /* how the work is split; filled in */
};

typedef cublasStatus_t cublas_routine(cublasHandle_t handle, struct job *j);

/* A door's work: checks the handle, then is_valid (INVALID_VALUE), reads the
 * scalars and runs the routine, unless there is nothing to do. */
cublasStatus_t cublas_do(const char *name, cublasHandle_t handle, bool is_valid,
                         bool is_nothing, cublas_routine *run, struct job *j);
cublasStatus_t cublas_do_product(const char *name, cublasHandle_t handle,
                                 bool is_valid, struct product *p,
                                 cudaDataType_t scale, const void *alpha,
                                 const void *beta);

/* ---- status ----------------------------------------------------------- */

/* The status for an error of core's. */
cublasStatus_t cublas_status(CUresult err);
/* Reports the call to the log, if there is one; gives the status back. */
cublasStatus_t cublas_end(const char *name, cublasStatus_t status);
#define CUBLAS_END(status) cublas_end(__func__, status)

/* NOT_INITIALIZED for what is no handle. */
cublasStatus_t cublas_check_handle(cublasHandle_t handle);

/* ---- checks: false means INVALID_VALUE -------------------------------- */

/* Is it one of the enumeration's values? */
bool check_op(cublasOperation_t op);
bool check_fill(cublasFillMode_t uplo);
bool check_side(cublasSideMode_t side);
bool check_diag(cublasDiagType_t diag);
/* The ld of a matrix with so many rows. */
bool check_ld(int64_t ld, int64_t rows);
bool check_triangle(cublasFillMode_t uplo, cublasOperation_t op,
                    cublasDiagType_t diag);
/* Of a change of rank k: N and C if Hermitian, else N and T (real: C too). */
bool check_rank_op(enum blas_type type, bool is_hermitian,
                   cublasOperation_t op);
bool check_product(enum product_op op_a, enum product_op op_b, int64_t m,
                   int64_t n, int64_t k, int64_t lda, int64_t ldb, int64_t ldc);

/* ---- scalars ---------------------------------------------------------- */

/* By the handle's pointer mode. at must not be NULL. */
struct scalar cublas_scalar(cublasHandle_t handle, cudaDataType_t type,
                            const void *at);
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

struct level1 {
    enum level1_what what;
    bool is_conjugate; /* dot: of x */
    int64_t n;
    struct vector x, y;
    const void *alpha_at, *beta_at, *param_at; /* as the call gave them */
    struct scalar alpha, beta;                 /* rot: c and s */
    double param[5];                           /* rotm; or */
    const void *param_device;                  /* of alpha's type */
    void *result;
    cudaDataType_t result_type; /* CUDA_R_32I, CUDA_R_64I: an index */
    cudaDataType_t compute;     /* real or double, 32 or 64 bits */
};

/* As cublas_do. alpha.type and beta.type are those of alpha_at and beta_at. */
cublasStatus_t cublas_do_level1(const char *name, cublasHandle_t handle,
                                bool is_valid, struct level1 *v);
cublasStatus_t cublas_level1(cublasHandle_t handle, struct level1 *v);

static inline int64_t at_most(int64_t n, int64_t limit)
{
    return n < limit ? n : limit;
}

/* ---- mixed types: types.c --------------------------------------------- */

/* May vectors of this type be computed with in `compute`? */
bool cublas_vector_types(cudaDataType_t x, cudaDataType_t compute);
bool cublas_is_complex(cudaDataType_t type);
/* May it be alpha's, or that of what x is reduced to? */
bool cublas_scalar_type(cudaDataType_t type, cudaDataType_t compute);
bool cublas_is_real_of(cudaDataType_t type, cudaDataType_t x);
bool cublas_is_type(cudaDataType_t type); /* any that CUDA has */
cublas_routine cublas_unsupported;
#define NO_COMPUTE ((cublasComputeType_t)0) /* no product has it */
/* What magnitudes of such elements are compared in. */
cudaDataType_t cublas_real_compute(cudaDataType_t type);
/* As cublas_do..., where the types may be NOT_SUPPORTED. */
cublasStatus_t cublas_do_level1_ex(const char *name, cublasHandle_t handle,
                                   bool is_supported, bool is_valid,
                                   struct level1 *v);
cublasStatus_t cublas_do_product_ex(const char *name, cublasHandle_t handle,
                                    cublasComputeType_t compute, bool is_valid,
                                    struct product *p, const void *alpha,
                                    const void *beta);

/* ---- between host and device: transfer.c ------------------------------ */

/* Vectors are matrices of one row. elem: bytes of an element. */
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

/* ---- like BLAS: extensions.c ------------------------------------------ */

cublas_routine cublas_geam; /* x is what alpha scales, a; b, and c */
cublas_routine cublas_dgmm;
cublas_routine cublas_tpttr, cublas_trttp; /* packed a to c, a to packed c */

#endif
