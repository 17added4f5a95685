/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of 64-bit sizes, whose types are arguments. The type that is
 * computed in must be the matrix's own. */
#include "generic.h"

bool generic_type(cudaDataType type, cudaDataType compute, enum blas_type *out)
{
    static const cudaDataType types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F,
                                         CUDA_C_64F};
    for (int i = 0; i < 4; i++) {
        if (types[i] != type)
            continue;
        *out = (enum blas_type)i;
        return compute == type;
    }
    return false;
}

bool generic_is_real(cudaDataType real, enum blas_type type)
{
    return real == (real_bytes(type) == 4 ? CUDA_R_32F : CUDA_R_64F);
}

static bool fit_in_int(int64_t a, int64_t b, int64_t c)
{
    return a <= INT32_MAX && b <= INT32_MAX && c <= INT32_MAX;
}

bool generic_square(const void *a, int64_t n, int64_t lda)
{
    return check_ld(lda, n) && check_at(a, n, n) && fit_in_int(n, lda, 0);
}

bool generic_full(const void *a, int64_t m, int64_t n, int64_t lda)
{
    return n >= 0 && check_ld(lda, m) && check_at(a, m, n) &&
           fit_in_int(m, n, lda);
}

bool generic_right(const void *b, int64_t n, int64_t nrhs, int64_t ldb)
{
    return nrhs >= 0 && check_ld(ldb, n) && check_at(b, n, nrhs) &&
           fit_in_int(n, nrhs, ldb);
}

cusolverStatus_t generic_size(cusolverDnHandle_t handle, bool is_valid,
                              cusolverDnParams_t params, size_t *device,
                              size_t *host)
{
    (void)params; /* may be NULL; there is one algorithm */
    int elements;
    cusolverStatus_t status =
        solver_size(handle, is_valid && device && host, &elements);
    if (status)
        return status;
    *device = (size_t)elements * sizeof(cuDoubleComplex);
    *host = 0;
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- Cholesky --------------------------------------------------------- */

cusolverStatus_t cusolverDnXpotrf_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
    int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda, BUFFERS_OUT)
{
    (void)n, (void)dataTypeA, (void)A, (void)lda, (void)computeType;
    return SIZE(check_fill(uplo));
}

cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle,
                                  cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n,
                                  cudaDataType dataTypeA, void *A, int64_t lda,
                                  BUFFERS_IN, int *info)
{
    NO_BUFFERS;
    enum blas_type type = BLAS_S;
    bool is_valid = generic_type(dataTypeA, computeType, &type) &&
                    check_fill(uplo) && generic_square(A, n, lda) && info;
    return solver_do(handle, is_valid, 1,
                     &(struct job){.run = run_potrf,
                                   .split = split_potrf,
                                   .type = type,
                                   .uplo = fill_letter(uplo),
                                   .n = (int)n,
                                   .a = A,
                                   .lda = (int)lda,
                                   .info = info});
}

cusolverStatus_t
cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                 cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                 cudaDataType dataTypeA, const void *A, int64_t lda,
                 cudaDataType dataTypeB, void *B, int64_t ldb, int *info)
{
    (void)params;
    enum blas_type type = BLAS_S;
    bool is_valid = generic_type(dataTypeA, dataTypeB, &type) &&
                    check_fill(uplo) && generic_square(A, n, lda) &&
                    generic_right(B, n, nrhs, ldb) && info;
    return solver_do(handle, is_valid, 1,
                     &(struct job){.run = run_potrs,
                                   .split = split_solve,
                                   .type = type,
                                   .uplo = fill_letter(uplo),
                                   .n = (int)n,
                                   .nrhs = (int)nrhs,
                                   .a = (void *)A,
                                   .lda = (int)lda,
                                   .b = B,
                                   .ldb = (int)ldb,
                                   .info = info});
}

/* ---- LU --------------------------------------------------------------- */

cusolverStatus_t cusolverDnXgetrf_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda, BUFFERS_OUT)
{
    (void)m, (void)n, (void)dataTypeA, (void)A, (void)lda, (void)computeType;
    return SIZE(true);
}

cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle,
                                  cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType dataTypeA, void *A,
                                  int64_t lda, int64_t *ipiv, BUFFERS_IN,
                                  int *info)
{
    NO_BUFFERS;
    enum blas_type type = BLAS_S;
    bool is_type = generic_type(dataTypeA, computeType, &type);
    bool is_ld_wrong = is_type && m >= 0 && n >= 0 && !check_ld(lda, m) && info;
    cusolverStatus_t status =
        solver_do(handle, is_type && generic_full(A, m, n, lda) && info, 1,
                  &(struct job){.run = run_getrf,
                                .split = split_getrf,
                                .type = type,
                                .m = (int)m,
                                .n = (int)n,
                                .a = A,
                                .lda = (int)lda,
                                .pivots = ipiv,
                                .has_wide_pivots = true,
                                .wrong = is_ld_wrong ? 4 : 0,
                                .info = info});
    return solver_forgive(status, is_ld_wrong);
}

cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle,
                                  cusolverDnParams_t params,
                                  cublasOperation_t trans, int64_t n,
                                  int64_t nrhs, cudaDataType dataTypeA,
                                  const void *A, int64_t lda,
                                  const int64_t *ipiv, cudaDataType dataTypeB,
                                  void *B, int64_t ldb, int *info)
{
    (void)params;
    enum blas_type type = BLAS_S;
    bool is_valid = generic_type(dataTypeA, dataTypeB, &type) &&
                    (unsigned)trans <= CUBLAS_OP_C &&
                    generic_square(A, n, lda) &&
                    generic_right(B, n, nrhs, ldb) && info;
    return solver_do(handle, is_valid, 1,
                     &(struct job){.run = run_getrs,
                                   .split = split_solve,
                                   .type = type,
                                   .op = "NTC"[is_valid ? trans : 0],
                                   .n = (int)n,
                                   .nrhs = (int)nrhs,
                                   .a = (void *)A,
                                   .lda = (int)lda,
                                   .pivots = (void *)ipiv,
                                   .has_wide_pivots = true,
                                   .b = B,
                                   .ldb = (int)ldb,
                                   .info = info});
}

/* ---- QR --------------------------------------------------------------- */

cusolverStatus_t cusolverDnXgeqrf_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda,
    cudaDataType dataTypeTau, const void *tau, BUFFERS_OUT)
{
    (void)A, (void)lda, (void)tau;
    enum blas_type type = BLAS_S;
    cusolverStatus_t status =
        SIZE(generic_type(dataTypeA, computeType, &type) &&
             dataTypeTau == dataTypeA);
    if (!status)
        *workspaceInBytesOnDevice =
            (size_t)solver_qr_room(m, n) * element_bytes(type);
    return status;
}

cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle,
                                  cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType dataTypeA, void *A,
                                  int64_t lda, cudaDataType dataTypeTau,
                                  void *tau, BUFFERS_IN, int *info)
{
    (void)params, (void)bufferOnHost, (void)workspaceInBytesOnHost;
    enum blas_type type = BLAS_S;
    bool is_valid = generic_type(dataTypeA, computeType, &type) &&
                    dataTypeTau == dataTypeA && generic_full(A, m, n, lda) &&
                    check_at(tau, m, n) && info;
    int64_t room = (int64_t)(workspaceInBytesOnDevice / element_bytes(type));
    return solver_do(handle, is_valid, 1,
                     &(struct job){.run = run_geqrf,
                                   .split = split_geqrf,
                                   .asks = true,
                                   .type = type,
                                   .m = (int)m,
                                   .n = (int)n,
                                   .a = A,
                                   .lda = (int)lda,
                                   .tau = tau,
                                   .info = info,
                                   .work = bufferOnDevice,
                                   .work_count = room});
}

/* ---- eigenvalues ------------------------------------------------------ */

cusolverStatus_t
cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle,
                            cusolverDnParams_t params, cusolverEigMode_t jobz,
                            cublasFillMode_t uplo, int64_t n,
                            cudaDataType dataTypeA, const void *A, int64_t lda,
                            cudaDataType dataTypeW, const void *W, BUFFERS_OUT)
{
    return cusolverDnXsyevBatched_bufferSize(
        handle, params, jobz, uplo, n, dataTypeA, A, lda, dataTypeW, W,
        computeType, workspaceInBytesOnDevice, workspaceInBytesOnHost, 1);
}

static cusolverStatus_t launch_syevd(cusolverDnHandle_t handle, bool is_valid,
                                     cusolverEigMode_t jobz,
                                     cublasFillMode_t uplo, int64_t batch,
                                     struct job j)
{
    j.run = run_syevd;
    j.asks = true;
    j.jobz = job_letter(jobz);
    j.uplo = fill_letter(uplo);
    return solver_do(handle, is_valid && check_jobz(jobz) && check_fill(uplo),
                     batch, &j);
}

cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle,
                                  cusolverDnParams_t params,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType dataTypeA, void *A,
                                  int64_t lda, cudaDataType dataTypeW, void *W,
                                  BUFFERS_IN, int *info)
{
    return cusolverDnXsyevBatched(
        handle, params, jobz, uplo, n, dataTypeA, A, lda, dataTypeW, W,
        computeType, bufferOnDevice, workspaceInBytesOnDevice, bufferOnHost,
        workspaceInBytesOnHost, info, 1);
}

cusolverStatus_t cusolverDnXsyevBatched_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeW,
    const void *W, BUFFERS_OUT, int64_t batchSize)
{
    (void)jobz, (void)uplo, (void)n, (void)A, (void)lda, (void)W;
    (void)batchSize;
    enum blas_type type;
    return SIZE(generic_type(dataTypeA, computeType, &type) &&
                generic_is_real(dataTypeW, type));
}

cusolverStatus_t
cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t params,
                       cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                       cudaDataType dataTypeA, void *A, int64_t lda,
                       cudaDataType dataTypeW, void *W, BUFFERS_IN, int *info,
                       int64_t batchSize)
{
    NO_BUFFERS;
    enum blas_type type = BLAS_S;
    bool is_valid = generic_type(dataTypeA, computeType, &type) &&
                    generic_is_real(dataTypeW, type) &&
                    generic_square(A, n, lda) && check_at(W, n, 1) && info &&
                    batchSize > 0;
    return launch_syevd(handle, is_valid, jobz, uplo, batchSize,
                        (struct job){.type = type,
                                     .n = (int)n,
                                     .a = A,
                                     .lda = (int)lda,
                                     .s = W,
                                     .stride_a = lda * n,
                                     .stride_s = n,
                                     .info = info});
}

/* ---- singular values -------------------------------------------------- */

static bool check_svd_types(cudaDataType a, cudaDataType s, cudaDataType u,
                            cudaDataType v, cudaDataType compute,
                            enum blas_type *type)
{
    return generic_type(a, compute, type) && generic_is_real(s, *type) &&
           u == a && v == a;
}

static bool check_vectors(char job, const void *at, int64_t ld, int64_t rows)
{
    return job == 'N' || job == 'O' ||
           (check_ld(ld, rows) && fit_in_int(ld, 0, 0) && (at || !rows));
}

cusolverStatus_t cusolverDnXgesvd_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
    signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA,
    const void *A, int64_t lda, cudaDataType dataTypeS, const void *S,
    cudaDataType dataTypeU, const void *U, int64_t ldu, cudaDataType dataTypeVT,
    const void *VT, int64_t ldvt, BUFFERS_OUT)
{
    (void)jobu, (void)jobvt, (void)n, (void)A, (void)lda, (void)S, (void)U;
    (void)ldu, (void)VT, (void)ldvt;
    enum blas_type type;
    return SIZE(check_svd_types(dataTypeA, dataTypeS, dataTypeU, dataTypeVT,
                                computeType, &type) &&
                m > 0);
}

cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle,
                                  cusolverDnParams_t params, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void *A, int64_t lda,
                                  cudaDataType dataTypeS, void *S,
                                  cudaDataType dataTypeU, void *U, int64_t ldu,
                                  cudaDataType dataTypeVT, void *VT,
                                  int64_t ldvt, BUFFERS_IN, int *info)
{
    NO_BUFFERS;
    enum blas_type type = BLAS_S;
    int64_t rows = jobvt == 'S' && m < n ? m : n;
    bool is_valid = check_svd_types(dataTypeA, dataTypeS, dataTypeU, dataTypeVT,
                                    computeType, &type) &&
                    check_svd_job(jobu) && check_svd_job(jobvt) &&
                    !(jobu == 'O' && jobvt == 'O') &&
                    generic_full(A, m, n, lda) && check_at(S, m, n) &&
                    check_vectors(jobu, U, ldu, m) &&
                    check_vectors(jobvt, VT, ldvt, rows) && info;
    return solver_do(handle, is_valid, 1,
                     &(struct job){.run = run_gesvd,
                                   .asks = true,
                                   .type = type,
                                   .jobz = jobu,
                                   .job_vt = jobvt,
                                   .m = (int)m,
                                   .n = (int)n,
                                   .a = A,
                                   .lda = (int)lda,
                                   .s = S,
                                   .u = U,
                                   .ldu = ldu > 0 ? (int)ldu : 1,
                                   .v = VT,
                                   .ldv = ldvt > 0 ? (int)ldvt : 1,
                                   .info = info});
}

cusolverStatus_t cusolverDnXgesvdp_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeS,
    const void *S, cudaDataType dataTypeU, const void *U, int64_t ldu,
    cudaDataType dataTypeV, const void *V, int64_t ldv, BUFFERS_OUT)
{
    (void)jobz, (void)econ, (void)m, (void)n, (void)A, (void)lda, (void)S;
    (void)U, (void)ldu, (void)V, (void)ldv;
    enum blas_type type;
    return SIZE(check_svd_types(dataTypeA, dataTypeS, dataTypeU, dataTypeV,
                                computeType, &type));
}

/* Computed by gesvd, which does not perturb A: h_err_sigma, the size of the
 * perturbation, is 0. */
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle,
                                   cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, int econ, int64_t m,
                                   int64_t n, cudaDataType dataTypeA, void *A,
                                   int64_t lda, cudaDataType dataTypeS, void *S,
                                   cudaDataType dataTypeU, void *U, int64_t ldu,
                                   cudaDataType dataTypeV, void *V, int64_t ldv,
                                   BUFFERS_IN, int *d_info, double *h_err_sigma)
{
    NO_BUFFERS;
    enum blas_type type = BLAS_S;
    char job = job_letter(jobz);
    bool is_valid = check_svd_types(dataTypeA, dataTypeS, dataTypeU, dataTypeV,
                                    computeType, &type) &&
                    check_jobz(jobz) && generic_full(A, m, n, lda) &&
                    check_at(S, m, n) && check_vectors(job, U, ldu, m) &&
                    check_vectors(job, V, ldv, n) && d_info && h_err_sigma;
    cusolverStatus_t status = solver_do(handle, is_valid, 1,
                                        &(struct job){.run = run_gesvdj,
                                                      .asks = true,
                                                      .type = type,
                                                      .jobz = job,
                                                      .is_econ = econ != 0,
                                                      .m = (int)m,
                                                      .n = (int)n,
                                                      .a = A,
                                                      .lda = (int)lda,
                                                      .s = S,
                                                      .u = U,
                                                      .ldu = (int)ldu,
                                                      .v = V,
                                                      .ldv = (int)ldv,
                                                      .info = d_info});
    if (!status)
        *h_err_sigma = 0;
    return status;
}
