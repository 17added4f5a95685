/* SPDX-License-Identifier: Apache-2.0 */
/* More functions of 64-bit sizes: selected eigenvalues, eigenvalues of general
 * matrices, the largest singular values, inverses of triangles, indefinite
 * systems, triangles of reflectors. */
#include "generic.h"

/* ---- selected eigenvalues --------------------------------------------- */

static double bound_at(const void *at, enum blas_type type)
{
    if (!at)
        return 0;
    return real_bytes(type) == 4 ? *(const float *)at : *(const double *)at;
}

cusolverStatus_t cusolverDnXsyevdx_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,
    int64_t n, cudaDataType dataTypeA, const void *A, int64_t lda, void *vl,
    void *vu, int64_t il, int64_t iu, int64_t *h_meig, cudaDataType dataTypeW,
    const void *W, BUFFERS_OUT)
{
    (void)range, (void)vl, (void)vu, (void)il, (void)iu, (void)h_meig;
    return cusolverDnXsyevd_bufferSize(
        handle, params, jobz, uplo, n, dataTypeA, A, lda, dataTypeW, W,
        computeType, workspaceInBytesOnDevice, workspaceInBytesOnHost);
}

cusolverStatus_t
cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params,
                  cusolverEigMode_t jobz, cusolverEigRange_t range,
                  cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                  void *A, int64_t lda, void *vl, void *vu, int64_t il,
                  int64_t iu, int64_t *meig64, cudaDataType dataTypeW, void *W,
                  BUFFERS_IN, int *info)
{
    NO_BUFFERS;
    enum blas_type type = BLAS_S;
    bool is_valid = generic_type(dataTypeA, computeType, &type) &&
                    generic_is_real(dataTypeW, type) && check_jobz(jobz) &&
                    check_fill(uplo) && generic_square(A, n, lda) &&
                    check_at(W, n, 1) && meig64 && info;
    struct range r = {range_kind(range),
                      bound_at(vl, type),
                      bound_at(vu, type),
                      (int)il,
                      (int)iu,
                      meig64};
    is_valid = is_valid && check_range(r, n) && (r.kind != 'V' || (vl && vu)) &&
               (r.kind != 'I' || ((int)il == il && (int)iu == iu));
    return solver_do_answer(handle, is_valid, true, 1,
                            &(struct job){.run = run_syevdx,
                                          .asks = true,
                                          .type = type,
                                          .jobz = job_letter(jobz),
                                          .uplo = fill_letter(uplo),
                                          .n = (int)n,
                                          .a = A,
                                          .lda = (int)lda,
                                          .s = W,
                                          .range = r,
                                          .info = info});
}

/* ---- general matrices ------------------------------------------------- */

static cudaDataType complex_of(enum blas_type type)
{
    return real_bytes(type) == 4 ? CUDA_C_32F : CUDA_C_64F;
}

static bool check_geev_types(cudaDataType a, cudaDataType compute,
                             cudaDataType w, cudaDataType vl, cudaDataType vr,
                             enum blas_type *type)
{
    return generic_type(a, compute, type) &&
           (w == a || w == complex_of(*type)) && vl == a && vr == a;
}

static bool check_side_vectors(cusolverEigMode_t job, const void *v, int64_t n,
                               int64_t ld)
{
    return check_jobz(job) &&
           (job == CUSOLVER_EIG_MODE_NOVECTOR || generic_square(v, n, ld));
}

cusolverStatus_t cusolverDnXgeev_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
    cudaDataType dataTypeA, const void *A, int64_t lda, cudaDataType dataTypeW,
    const void *W, cudaDataType dataTypeVL, const void *VL, int64_t ldvl,
    cudaDataType dataTypeVR, const void *VR, int64_t ldvr, BUFFERS_OUT)
{
    (void)A, (void)W, (void)VL, (void)VR, (void)ldvl, (void)ldvr;
    enum blas_type type;
    return SIZE(check_geev_types(dataTypeA, computeType, dataTypeW, dataTypeVL,
                                 dataTypeVR, &type) &&
                check_jobz(jobvl) && check_jobz(jobvr) && check_ld(lda, n));
}

static int ld_of(int64_t ld)
{
    return ld > 0 ? (int)ld : 1;
}

/* A pair of complex eigenvectors of a real matrix is two columns, its real and
 * its imaginary part, as in LAPACK. */
cusolverStatus_t
cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t params,
                cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                cudaDataType dataTypeA, void *A, int64_t lda,
                cudaDataType dataTypeW, void *W, cudaDataType dataTypeVL,
                void *VL, int64_t ldvl, cudaDataType dataTypeVR, void *VR,
                int64_t ldvr, BUFFERS_IN, int *info)
{
    NO_BUFFERS;
    enum blas_type type = BLAS_S;
    bool is_valid = check_geev_types(dataTypeA, computeType, dataTypeW,
                                     dataTypeVL, dataTypeVR, &type) &&
                    generic_square(A, n, lda) && check_at(W, n, 1) &&
                    check_side_vectors(jobvl, VL, n, ldvl) &&
                    check_side_vectors(jobvr, VR, n, ldvr) && info;
    return solver_do(handle, is_valid, 1,
                     &(struct job){.run = run_geev,
                                   .asks = true,
                                   .type = type,
                                   .jobz = job_letter(jobvl),
                                   .job_vt = job_letter(jobvr),
                                   .is_econ = dataTypeW != dataTypeA,
                                   .n = (int)n,
                                   .a = A,
                                   .lda = (int)lda,
                                   .s = W,
                                   .u = VL,
                                   .ldu = ld_of(ldvl),
                                   .v = VR,
                                   .ldv = ld_of(ldvr),
                                   .info = info});
}

/* ---- the largest singular values -------------------------------------- */

static bool check_svdr(signed char jobu, signed char jobv, int64_t m, int64_t n,
                       int64_t k, int64_t p, int64_t niters)
{
    return (jobu == 'S' || jobu == 'N') && (jobv == 'S' || jobv == 'N') &&
           k >= 0 && k <= m && k <= n && p >= 0 && niters >= 0;
}

cusolverStatus_t cusolverDnXgesvdr_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
    signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p,
    int64_t niters, cudaDataType dataTypeA, const void *A, int64_t lda,
    cudaDataType dataTypeSrand, const void *Srand, cudaDataType dataTypeUrand,
    const void *Urand, int64_t ldUrand, cudaDataType dataTypeVrand,
    const void *Vrand, int64_t ldVrand, BUFFERS_OUT)
{
    (void)A, (void)Srand, (void)Urand, (void)ldUrand, (void)Vrand;
    (void)ldVrand;
    enum blas_type type;
    return SIZE(generic_type(dataTypeA, computeType, &type) &&
                generic_is_real(dataTypeSrand, type) &&
                dataTypeUrand == dataTypeA && dataTypeVrand == dataTypeA &&
                n >= 0 && check_ld(lda, m) &&
                check_svdr(jobu, jobv, m, n, k, p, niters));
}

/* Computes all singular values and gives the k largest, which are exact: p and
 * niters, of the randomised method, change nothing. */
cusolverStatus_t
cusolverDnXgesvdr(cusolverDnHandle_t handle, cusolverDnParams_t params,
                  signed char jobu, signed char jobv, int64_t m, int64_t n,
                  int64_t k, int64_t p, int64_t niters, cudaDataType dataTypeA,
                  void *A, int64_t lda, cudaDataType dataTypeSrand, void *Srand,
                  cudaDataType dataTypeUrand, void *Urand, int64_t ldUrand,
                  cudaDataType dataTypeVrand, void *Vrand, int64_t ldVrand,
                  BUFFERS_IN, int *d_info)
{
    NO_BUFFERS;
    enum blas_type type = BLAS_S;
    bool is_valid = generic_type(dataTypeA, computeType, &type) &&
                    generic_is_real(dataTypeSrand, type) &&
                    dataTypeUrand == dataTypeA && dataTypeVrand == dataTypeA &&
                    generic_full(A, m, n, lda) && check_at(Srand, k, 1) &&
                    check_svdr(jobu, jobv, m, n, k, p, niters) && d_info;
    bool wants_u = jobu == 'S', wants_v = jobv == 'S';
    is_valid = is_valid && (!wants_u || generic_full(Urand, m, k, ldUrand)) &&
               (!wants_v || generic_full(Vrand, n, k, ldVrand));
    return solver_do(handle, is_valid, 1,
                     &(struct job){.run = run_gesvda,
                                   .asks = true,
                                   .type = type,
                                   .jobz = wants_u || wants_v ? 'V' : 'N',
                                   .is_econ = true,
                                   .rank = (int)k,
                                   .m = (int)m,
                                   .n = (int)n,
                                   .a = A,
                                   .lda = (int)lda,
                                   .s = Srand,
                                   .u = wants_u ? Urand : NULL,
                                   .ldu = ld_of(ldUrand),
                                   .v = wants_v ? Vrand : NULL,
                                   .ldv = ld_of(ldVrand),
                                   .info = d_info});
}

/* ---- triangles, indefinite systems ------------------------------------ */

static bool check_diag(cublasDiagType_t diag)
{
    return diag == CUBLAS_DIAG_NON_UNIT || diag == CUBLAS_DIAG_UNIT;
}

cusolverStatus_t cusolverDnXtrtri_bufferSize(
    cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag,
    int64_t n, cudaDataType dataTypeA, void *A, int64_t lda,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost)
{
    (void)uplo, (void)diag, (void)n, (void)A, (void)lda;
    cusolverDnParams_t params = NULL;
    enum blas_type type;
    cusolverStatus_t status = SIZE(true);
    if (!status && !generic_type(dataTypeA, dataTypeA, &type))
        status = CUSOLVER_STATUS_NOT_SUPPORTED;
    return status;
}

cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle,
                                  cublasFillMode_t uplo, cublasDiagType_t diag,
                                  int64_t n, cudaDataType dataTypeA, void *A,
                                  int64_t lda, void *bufferOnDevice,
                                  size_t workspaceInBytesOnDevice,
                                  void *bufferOnHost,
                                  size_t workspaceInBytesOnHost, int *devInfo)
{
    cusolverDnParams_t params = NULL;
    NO_BUFFERS;
    enum blas_type type = BLAS_S;
    cusolverStatus_t status = solver_check_handle(handle);
    if (!status && !generic_type(dataTypeA, dataTypeA, &type))
        status = CUSOLVER_STATUS_NOT_SUPPORTED;
    if (status)
        return status;
    bool is_valid = check_fill(uplo) && check_diag(diag) &&
                    generic_square(A, n, lda) && devInfo;
    return solver_do(handle, is_valid, 1,
                     &(struct job){.run = run_trtri,
                                   .type = type,
                                   .uplo = fill_letter(uplo),
                                   .op = diag == CUBLAS_DIAG_UNIT ? 'U' : 'N',
                                   .n = (int)n,
                                   .a = A,
                                   .lda = (int)lda,
                                   .info = devInfo});
}

cusolverStatus_t cusolverDnXsytrs_bufferSize(
    cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
    cudaDataType dataTypeA, const void *A, int64_t lda, const int64_t *ipiv,
    cudaDataType dataTypeB, void *B, int64_t ldb,
    size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost)
{
    (void)A, (void)ipiv, (void)B;
    cusolverDnParams_t params = NULL;
    enum blas_type type;
    return SIZE(generic_type(dataTypeA, dataTypeB, &type) && check_fill(uplo) &&
                nrhs >= 0 && check_ld(lda, n) && check_ld(ldb, n));
}

cusolverStatus_t
cusolverDnXsytrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n,
                 int64_t nrhs, cudaDataType dataTypeA, const void *A,
                 int64_t lda, const int64_t *ipiv, cudaDataType dataTypeB,
                 void *B, int64_t ldb, void *bufferOnDevice,
                 size_t workspaceInBytesOnDevice, void *bufferOnHost,
                 size_t workspaceInBytesOnHost, int *info)
{
    cusolverDnParams_t params = NULL;
    NO_BUFFERS;
    enum blas_type type = BLAS_S;
    cusolverStatus_t status = solver_check_handle(handle);
    if (!status && !generic_type(dataTypeA, dataTypeB, &type))
        status = CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
    if (status)
        return status;
    bool is_valid = check_fill(uplo) && generic_square(A, n, lda) &&
                    generic_right(B, n, nrhs, ldb) && check_at(ipiv, n, 1) &&
                    info;
    return solver_do(handle, is_valid, 1,
                     &(struct job){.run = run_sytrs,
                                   .type = type,
                                   .uplo = fill_letter(uplo),
                                   .n = (int)n,
                                   .nrhs = (int)nrhs,
                                   .a = (void *)A,
                                   .lda = (int)lda,
                                   .pivots = (void *)ipiv,
                                   .b = B,
                                   .ldb = (int)ldb,
                                   .info = info});
}

/* ---- triangles of reflectors ------------------------------------------ */

static bool check_larft(const struct job *j, int64_t n, int64_t k, int64_t ldv,
                        int64_t ldt, cudaDataType compute,
                        const cudaDataType *types)
{
    enum blas_type type;
    bool by_columns = j->op == 'C';
    return (j->side == 'F' || j->side == 'B') && (by_columns || j->op == 'R') &&
           generic_type(types[0], compute, &type) && types[1] == types[0] &&
           types[2] == types[0] && k >= 0 && n >= k &&
           check_ld(ldv, by_columns ? n : k) && check_ld(ldt, k) &&
           n <= INT32_MAX && ldv <= INT32_MAX && ldt <= INT32_MAX;
}

static struct job larft_job(cusolverDirectMode_t direct,
                            cusolverStorevMode_t storev)
{
    return (struct job){
        .run = run_larft,
        .side = (unsigned)direct <= CUBLAS_DIRECT_BACKWARD ? "FB"[direct] : 0,
        .op = (unsigned)storev <= CUBLAS_STOREV_ROWWISE ? "CR"[storev] : 0};
}

cusolverStatus_t cusolverDnXlarft_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params,
    cusolverDirectMode_t direct, cusolverStorevMode_t storev, int64_t n,
    int64_t k, cudaDataType dataTypeV, const void *V, int64_t ldv,
    cudaDataType dataTypeTau, const void *tau, cudaDataType dataTypeT, void *T,
    int64_t ldt, BUFFERS_OUT)
{
    (void)direct, (void)storev, (void)n, (void)k, (void)V, (void)ldv;
    (void)tau, (void)T, (void)ldt;
    enum blas_type type;
    return SIZE(generic_type(dataTypeV, computeType, &type) &&
                dataTypeTau == dataTypeV && dataTypeT == dataTypeV);
}

cusolverStatus_t
cusolverDnXlarft(cusolverDnHandle_t handle, cusolverDnParams_t params,
                 cusolverDirectMode_t direct, cusolverStorevMode_t storev,
                 int64_t n, int64_t k, cudaDataType dataTypeV, const void *V,
                 int64_t ldv, cudaDataType dataTypeTau, const void *tau,
                 cudaDataType dataTypeT, void *T, int64_t ldt, BUFFERS_IN)
{
    NO_BUFFERS;
    struct job j = larft_job(direct, storev);
    cudaDataType types[] = {dataTypeV, dataTypeTau, dataTypeT};
    bool is_valid = check_larft(&j, n, k, ldv, ldt, computeType, types) &&
                    check_at(V, n, k) && check_at(tau, k, 1) &&
                    check_at(T, k, k);
    if (is_valid)
        generic_type(dataTypeV, computeType, &j.type);
    j.n = (int)n;
    j.k = (int)k;
    j.a = (void *)V;
    j.lda = (int)ldv;
    j.tau = (void *)tau;
    j.b = T;
    j.ldb = (int)ldt;
    return solver_do(handle, is_valid, 1, &j);
}
