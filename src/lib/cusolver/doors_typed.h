/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that come in four types. weft/cusolver_types.h includes this
 * once for each of them (so there is no guard) and defines CUSOLVER_T and so
 * on; doors.c defines TYPE, DO and the other macros. */

/* What a size function refuses beside a missing handle: as little as an H200.
 * Most take any size, leading dimension and enumerator. */
#define SIZE(name, valid, ...)                                                 \
    cusolverStatus_t name(cusolverDnHandle_t handle, __VA_ARGS__)              \
    {                                                                          \
        return solver_size(handle, valid, lwork);                              \
    }
#define SQUARE_OK (check_ld(lda, n) && check_at(A, n, n))
#define FULL_OK   (n >= 0 && check_ld(lda, m) && check_at(A, m, n))
#define RIGHT_OK  (nrhs >= 0 && check_ld(ldb, n) && check_at(B, n, nrhs))

/* ---- Cholesky --------------------------------------------------------- */

#define TRIANGLE(name, size_ok, routine, splitter, has_info)                   \
    SIZE(CUSOLVER_S(name##_bufferSize), size_ok, cublasFillMode_t uplo, int n, \
         CUSOLVER_T *A, int lda, int *lwork)                                   \
    cusolverStatus_t CUSOLVER_S(name)(                                         \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,               \
        CUSOLVER_T *A, int lda, CUSOLVER_T *work, int lwork, int *devInfo)     \
    {                                                                          \
        (void)work, (void)lwork;                                               \
        return DO(check_fill(uplo) && SQUARE_OK && (has_info), 1,              \
                  .run = routine, .split = splitter, UPLO, .n = n, .a = A,     \
                  .lda = lda,                                                  \
                  .wrong = !check_fill(uplo)   ? 1                             \
                           : n < 0             ? 2                             \
                           : !check_ld(lda, n) ? 4                             \
                                               : 0,                            \
                  .info = devInfo);                                            \
    }
TRIANGLE(potrf, check_fill(uplo), run_potrf, split_potrf, devInfo)
TRIANGLE(potri, true, run_potri, NULL, true)
TRIANGLE(lauum, true, run_lauum, NULL, true)
#undef TRIANGLE

cusolverStatus_t CUSOLVER_S(potrs)(cusolverDnHandle_t handle,
                                   cublasFillMode_t uplo, int n, int nrhs,
                                   const CUSOLVER_T *A, int lda, CUSOLVER_T *B,
                                   int ldb, int *devInfo)
{
    return DO(check_fill(uplo) && SQUARE_OK && RIGHT_OK, 1, .run = run_potrs,
              .split = split_solve, UPLO, .n = n, .nrhs = nrhs, .a = (void *)A,
              .lda = lda, .b = B, .ldb = ldb,
              .wrong = nrhs < 0            ? 3
                       : !check_ld(ldb, n) ? 7
                                           : 0,
              .info = devInfo);
}

cusolverStatus_t CUSOLVER_S(potrfBatched)(cusolverDnHandle_t handle,
                                          cublasFillMode_t uplo, int n,
                                          CUSOLVER_T *Aarray[], int lda,
                                          int *infoArray, int batchSize)
{
    return DO(check_fill(uplo) && check_ld(lda, n) && Aarray && batchSize > 0,
              batchSize, .run = run_potrf, UPLO, .n = n,
              .a_array = (void *const *)Aarray, .lda = lda, .info = infoArray);
}

/* NVIDIA's takes one right-hand side only. */
cusolverStatus_t CUSOLVER_S(potrsBatched)(cusolverDnHandle_t handle,
                                          cublasFillMode_t uplo, int n,
                                          int nrhs, CUSOLVER_T *A[], int lda,
                                          CUSOLVER_T *B[], int ldb, int *d_info,
                                          int batchSize)
{
    return DO(check_fill(uplo) && check_ld(lda, n) && A && RIGHT_OK &&
                  nrhs == 1 && batchSize > 0,
              batchSize, .run = run_potrs, .split = split_solve, UPLO, .n = n,
              .nrhs = nrhs, .a_array = (void *const *)A, .lda = lda,
              .b_array = (void *const *)B, .ldb = ldb, .has_one_info = true,
              .info = d_info);
}

/* ---- LU --------------------------------------------------------------- */

SIZE(CUSOLVER_S(getrf_bufferSize), true, int m, int n, CUSOLVER_T *A, int lda,
     int *lwork)

cusolverStatus_t CUSOLVER_S(getrf)(cusolverDnHandle_t handle, int m, int n,
                                   CUSOLVER_T *A, int lda,
                                   CUSOLVER_T *Workspace, int *devIpiv,
                                   int *devInfo)
{
    (void)Workspace;
    bool is_ld_wrong = m >= 0 && n >= 0 && !check_ld(lda, m) && devInfo;
    cusolverStatus_t status =
        DO(FULL_OK && devInfo, 1, .run = run_getrf, .split = split_getrf,
           .m = m, .n = n, .a = A, .lda = lda, .pivots = devIpiv,
           .wrong = is_ld_wrong ? 4 : 0, .info = devInfo);
    return solver_forgive(status, is_ld_wrong);
}

cusolverStatus_t CUSOLVER_S(getrs)(cusolverDnHandle_t handle,
                                   cublasOperation_t trans, int n, int nrhs,
                                   const CUSOLVER_T *A, int lda,
                                   const int *devIpiv, CUSOLVER_T *B, int ldb,
                                   int *devInfo)
{
    bool is_valid = (unsigned)trans <= CUBLAS_OP_C && SQUARE_OK && RIGHT_OK;
    return DO(is_valid, 1, .run = run_getrs, .split = split_solve,
              .op = "NTC"[is_valid ? trans : 0], .n = n, .nrhs = nrhs,
              .a = (void *)A, .lda = lda, .pivots = (void *)devIpiv, .b = B,
              .ldb = ldb, .info = devInfo);
}

cusolverStatus_t CUSOLVER_S(laswp)(cusolverDnHandle_t handle, int n,
                                   CUSOLVER_T *A, int lda, int k1, int k2,
                                   const int *devIpiv, int incx)
{
    return DO(n >= 0 && k1 >= 1 && check_ld(lda, k2) && check_at(A, k2, n) &&
                  devIpiv && incx != 0,
              k1 <= k2, .run = run_laswp, .m = k1, .k = k2, .n = n, .a = A,
              .lda = lda, .pivots = (void *)devIpiv, .inc = incx);
}

/* ---- symmetric, indefinite -------------------------------------------- */

SIZE(CUSOLVER_S(sytrf_bufferSize), true, int n, CUSOLVER_T *A, int lda,
     int *lwork)
SIZE(CUSOLVER_S(sytri_bufferSize), true, cublasFillMode_t uplo, int n,
     CUSOLVER_T *A, int lda, const int *ipiv, int *lwork)

cusolverStatus_t CUSOLVER_S(sytrf)(cusolverDnHandle_t handle,
                                   cublasFillMode_t uplo, int n, CUSOLVER_T *A,
                                   int lda, int *ipiv, CUSOLVER_T *work,
                                   int lwork, int *info)
{
    (void)work;
    return DO(check_fill(uplo) && SQUARE_OK && check_at(ipiv, n, 1) &&
                  lwork >= 1 && info,
              1, .run = run_sytrf, .asks = true, UPLO, .n = n, .a = A,
              .lda = lda, .pivots = ipiv, .info = info);
}

cusolverStatus_t CUSOLVER_S(sytri)(cusolverDnHandle_t handle,
                                   cublasFillMode_t uplo, int n, CUSOLVER_T *A,
                                   int lda, const int *ipiv, CUSOLVER_T *work,
                                   int lwork, int *info)
{
    (void)work, (void)lwork;
    return DO(check_fill(uplo) && SQUARE_OK && check_at(ipiv, n, 1) && info, 1,
              .run = run_sytri, UPLO, .n = n, .a = A, .lda = lda,
              .pivots = (void *)ipiv, .info = info);
}

/* ---- QR and reflectors ------------------------------------------------ */

cusolverStatus_t CUSOLVER_S(geqrf_bufferSize)(cusolverDnHandle_t handle, int m,
                                              int n, CUSOLVER_T *A, int lda,
                                              int *lwork)
{
    (void)lda; /* not checked: CuPy passes n */
    cusolverStatus_t status = solver_size(handle, true, lwork);
    if (!status)
        *lwork = solver_qr_room(m, n);
    return status;
}

SIZE(CUSOLVER_OR(gqr_bufferSize), true, int m, int n, int k,
     const CUSOLVER_T *A, int lda, const CUSOLVER_T *tau, int *lwork)
SIZE(CUSOLVER_OR(mqr_bufferSize), true, cublasSideMode_t side,
     cublasOperation_t trans, int m, int n, int k, const CUSOLVER_T *A, int lda,
     const CUSOLVER_T *tau, const CUSOLVER_T *C, int ldc, int *lwork)
SIZE(CUSOLVER_OR(gbr_bufferSize), true, cublasSideMode_t side, int m, int n,
     int k, const CUSOLVER_T *A, int lda, const CUSOLVER_T *tau, int *lwork)
SIZE(CUSOLVER_OR(gtr_bufferSize), n >= 0 && lda >= 0, cublasFillMode_t uplo,
     int n, const CUSOLVER_T *A, int lda, const CUSOLVER_T *tau, int *lwork)
SIZE(CUSOLVER_OR(mtr_bufferSize), true, cublasSideMode_t side,
     cublasFillMode_t uplo, cublasOperation_t trans, int m, int n,
     const CUSOLVER_T *A, int lda, const CUSOLVER_T *tau, const CUSOLVER_T *C,
     int ldc, int *lwork)

cusolverStatus_t CUSOLVER_S(geqrf)(cusolverDnHandle_t handle, int m, int n,
                                   CUSOLVER_T *A, int lda, CUSOLVER_T *TAU,
                                   CUSOLVER_T *Workspace, int Lwork,
                                   int *devInfo)
{
    return DO(FULL_OK && check_at(TAU, m, n), 1, .run = run_geqrf,
              .split = split_geqrf, .asks = true, .m = m, .n = n, .a = A,
              .lda = lda, .tau = TAU,
              .wrong = m >= 0 && n >= 0 && !check_ld(lda, m) ? 4 : 0,
              .info = devInfo, .work = Workspace, .work_count = Lwork);
}

cusolverStatus_t CUSOLVER_OR(gqr)(cusolverDnHandle_t handle, int m, int n,
                                  int k, CUSOLVER_T *A, int lda,
                                  const CUSOLVER_T *tau, CUSOLVER_T *work,
                                  int lwork, int *info)
{
    (void)work, (void)lwork;
    return DO(FULL_OK && 0 <= k && k <= n && n <= m && check_at(tau, k, 1), 1,
              .run = run_orgqr, .asks = true, .m = m, .n = n, .k = k, .a = A,
              .lda = lda, .tau = (void *)tau,
              .wrong = m < 0               ? 1
                       : n < 0 || n > m    ? 2
                       : k < 0 || k > n    ? 3
                       : !check_ld(lda, m) ? 5
                                           : 0,
              .info = info);
}

cusolverStatus_t CUSOLVER_OR(mqr)(cusolverDnHandle_t handle,
                                  cublasSideMode_t side,
                                  cublasOperation_t trans, int m, int n, int k,
                                  const CUSOLVER_T *A, int lda,
                                  const CUSOLVER_T *tau, CUSOLVER_T *C, int ldc,
                                  CUSOLVER_T *work, int lwork, int *devInfo)
{
    (void)work, (void)lwork;
    int order = side == CUBLAS_SIDE_RIGHT ? n : m;
    bool is_valid = is_side(side) && check_unitary_op(TYPE, trans) && n >= 0 &&
                    0 <= k && k <= order && check_ld(lda, order) &&
                    check_at(A, order, k) && check_at(tau, k, 1) &&
                    check_ld(ldc, m) && check_at(C, m, n);
    return DO(is_valid && devInfo, 1, .run = run_ormqr, .asks = true, SIDE,
              .op = "NTC"[is_valid ? trans : 0], .m = m, .n = n, .k = k,
              .a = (void *)A, .lda = lda, .tau = (void *)tau, .b = C,
              .ldb = ldc,
              .wrong = !is_side(side)                   ? 1
                       : !check_unitary_op(TYPE, trans) ? 2
                       : m < 0                          ? 3
                       : n < 0                          ? 4
                       : k < 0 || k > order             ? 5
                       : !check_ld(lda, order)          ? 7
                       : !check_ld(ldc, m)              ? 10
                                                        : 0,
              .info = devInfo);
}

/* Left: makes Q; right: makes P. */
cusolverStatus_t CUSOLVER_OR(gbr)(cusolverDnHandle_t handle,
                                  cublasSideMode_t side, int m, int n, int k,
                                  CUSOLVER_T *A, int lda, const CUSOLVER_T *tau,
                                  CUSOLVER_T *work, int lwork, int *info)
{
    (void)work, (void)lwork;
    bool is_q = side == CUBLAS_SIDE_LEFT;
    int more = is_q ? m : n, less = is_q ? n : m;
    return DO(is_side(side) && FULL_OK && k >= 0 && less <= more &&
                  less >= smaller_of(more, k) && check_at(tau, m, n) && info,
              1, .run = run_orgbr, .asks = true, .side = is_q ? 'Q' : 'P',
              .m = m, .n = n, .k = k, .a = A, .lda = lda, .tau = (void *)tau,
              .info = info);
}

cusolverStatus_t CUSOLVER_OR(gtr)(cusolverDnHandle_t handle,
                                  cublasFillMode_t uplo, int n, CUSOLVER_T *A,
                                  int lda, const CUSOLVER_T *tau,
                                  CUSOLVER_T *work, int lwork, int *info)
{
    (void)work, (void)lwork;
    return DO(check_fill(uplo) && SQUARE_OK && (n <= 1 || tau) && info, 1,
              .run = run_orgtr, .asks = true, UPLO, .n = n, .a = A, .lda = lda,
              .tau = (void *)tau, .info = info);
}

cusolverStatus_t CUSOLVER_OR(mtr)(cusolverDnHandle_t handle,
                                  cublasSideMode_t side, cublasFillMode_t uplo,
                                  cublasOperation_t trans, int m, int n,
                                  CUSOLVER_T *A, int lda, CUSOLVER_T *tau,
                                  CUSOLVER_T *C, int ldc, CUSOLVER_T *work,
                                  int lwork, int *info)
{
    (void)work, (void)lwork;
    int order = side == CUBLAS_SIDE_RIGHT ? n : m;
    bool is_valid =
        is_side(side) && check_fill(uplo) && check_unitary_op(TYPE, trans) &&
        n >= 0 && check_ld(lda, order) && check_at(A, order, order) &&
        (order <= 1 || tau) && check_ld(ldc, m) && check_at(C, m, n);
    return DO(is_valid && info, 1, .run = run_ormtr, .asks = true, SIDE, UPLO,
              .op = "NTC"[is_valid ? trans : 0], .m = m, .n = n, .a = A,
              .lda = lda, .tau = tau, .b = C, .ldb = ldc, .info = info);
}

/* ---- bidiagonal, tridiagonal ------------------------------------------ */

SIZE(CUSOLVER_S(gebrd_bufferSize), true, int m, int n, int *lwork)
SIZE(CUSOLVER_SY(trd_bufferSize), true, cublasFillMode_t uplo, int n,
     const CUSOLVER_T *A, int lda, const CUSOLVER_R *d, const CUSOLVER_R *e,
     const CUSOLVER_T *tau, int *lwork)

cusolverStatus_t CUSOLVER_S(gebrd)(cusolverDnHandle_t handle, int m, int n,
                                   CUSOLVER_T *A, int lda, CUSOLVER_R *D,
                                   CUSOLVER_R *E, CUSOLVER_T *TAUQ,
                                   CUSOLVER_T *TAUP, CUSOLVER_T *Work,
                                   int Lwork, int *devInfo)
{
    (void)Work, (void)Lwork;
    bool has_all = smaller_of(m, n) <= 0 || (D && TAUQ && TAUP);
    return DO(FULL_OK && has_all && (E || smaller_of(m, n) <= 1) && devInfo, 1,
              .run = run_gebrd, .asks = true, .m = m, .n = n, .a = A,
              .lda = lda, .s = D, .e = E, .tau = TAUQ, .tau_p = TAUP,
              .info = devInfo);
}

cusolverStatus_t CUSOLVER_SY(trd)(cusolverDnHandle_t handle,
                                  cublasFillMode_t uplo, int n, CUSOLVER_T *A,
                                  int lda, CUSOLVER_R *d, CUSOLVER_R *e,
                                  CUSOLVER_T *tau, CUSOLVER_T *work, int lwork,
                                  int *info)
{
    (void)work, (void)lwork;
    return DO(check_fill(uplo) && SQUARE_OK && check_at(d, n, 1) &&
                  (n <= 1 || (e && tau)) && info,
              1, .run = run_sytrd, .asks = true, UPLO, .n = n, .a = A,
              .lda = lda, .s = d, .e = e, .tau = tau, .info = info);
}

/* ---- eigenvalues ------------------------------------------------------ */

#define EIG_OK                                                                 \
    (check_jobz(jobz) && check_fill(uplo) && SQUARE_OK && check_at(W, n, 1))
#define EIG_ARGS(constant)                                                     \
    cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,                      \
        constant CUSOLVER_T *A, int lda
#define PAIR_ARGS(constant)                                                    \
    cusolverEigType_t itype, EIG_ARGS(constant), constant CUSOLVER_T *B, int ldb
#define EIG .asks = true, JOBZ, UPLO, .n = n, .a = A, .lda = lda, .s = W

SIZE(CUSOLVER_SY(evd_bufferSize), n >= 0, EIG_ARGS(const), const CUSOLVER_R *W,
     int *lwork)
SIZE(CUSOLVER_SY(evj_bufferSize), n >= 0, EIG_ARGS(const), const CUSOLVER_R *W,
     int *lwork, syevjInfo_t params)
SIZE(CUSOLVER_SY(evjBatched_bufferSize), n >= 0 && batchSize >= 0,
     EIG_ARGS(const), const CUSOLVER_R *W, int *lwork, syevjInfo_t params,
     int batchSize)
SIZE(CUSOLVER_SY(gvd_bufferSize), check_fill(uplo) && n >= 0, PAIR_ARGS(const),
     const CUSOLVER_R *W, int *lwork)
SIZE(CUSOLVER_SY(gvj_bufferSize), check_fill(uplo) && n >= 0 && lda >= 0,
     PAIR_ARGS(const), const CUSOLVER_R *W, int *lwork, syevjInfo_t params)

cusolverStatus_t CUSOLVER_SY(evd)(cusolverDnHandle_t handle, EIG_ARGS(),
                                  CUSOLVER_R *W, CUSOLVER_T *work, int lwork,
                                  int *info)
{
    (void)work, (void)lwork;
    return DO(EIG_OK && info, 1, .run = run_syevd, EIG,
              .wrong = !check_jobz(jobz)   ? 1
                       : !check_fill(uplo) ? 2
                       : n < 0             ? 3
                       : !check_ld(lda, n) ? 5
                                           : 0,
              .info = info);
}

cusolverStatus_t CUSOLVER_SY(evj)(cusolverDnHandle_t handle, EIG_ARGS(),
                                  CUSOLVER_R *W, CUSOLVER_T *work, int lwork,
                                  int *info, syevjInfo_t params)
{
    (void)work, (void)lwork;
    return DO(EIG_OK && info && params, 1, .run = run_syevj, EIG,
              .result = jacobi_of_eigen(params), .info = info);
}

cusolverStatus_t CUSOLVER_SY(evjBatched)(cusolverDnHandle_t handle, EIG_ARGS(),
                                         CUSOLVER_R *W, CUSOLVER_T *work,
                                         int lwork, int *info,
                                         syevjInfo_t params, int batchSize)
{
    (void)work, (void)lwork;
    return DO(EIG_OK && info && params, batchSize, .run = run_syevd, EIG,
              .stride_a = (int64_t)lda * n, .stride_s = n, .info = info);
}

#define PAIR_OK                                                                \
    (is_itype(itype) && EIG_OK && check_ld(ldb, n) && check_at(B, n, n))

cusolverStatus_t CUSOLVER_SY(gvd)(cusolverDnHandle_t handle, PAIR_ARGS(),
                                  CUSOLVER_R *W, CUSOLVER_T *work, int lwork,
                                  int *info)
{
    (void)work, (void)lwork;
    return DO(PAIR_OK && info, 1, .run = run_sygvd, EIG, .itype = itype, .b = B,
              .ldb = ldb, .info = info);
}

cusolverStatus_t CUSOLVER_SY(gvj)(cusolverDnHandle_t handle, PAIR_ARGS(),
                                  CUSOLVER_R *W, CUSOLVER_T *work, int lwork,
                                  int *info, syevjInfo_t params)
{
    (void)work, (void)lwork;
    return DO(PAIR_OK && info && params, 1, .run = run_sygvj, EIG,
              .itype = itype, .b = B, .ldb = ldb,
              .result = jacobi_of_eigen(params), .info = info);
}

SIZE(CUSOLVER_SY(evdx_bufferSize), n >= 0, cusolverEigMode_t jobz,
     cusolverEigRange_t range, cublasFillMode_t uplo, int n,
     const CUSOLVER_T *A, int lda, CUSOLVER_R vl, CUSOLVER_R vu, int il, int iu,
     int *meig, const CUSOLVER_R *W, int *lwork)
SIZE(CUSOLVER_SY(gvdx_bufferSize), check_fill(uplo) && n >= 0 && lda >= 0,
     cusolverEigType_t itype, cusolverEigMode_t jobz, cusolverEigRange_t range,
     cublasFillMode_t uplo, int n, const CUSOLVER_T *A, int lda,
     const CUSOLVER_T *B, int ldb, CUSOLVER_R vl, CUSOLVER_R vu, int il, int iu,
     int *meig, const CUSOLVER_R *W, int *lwork)

#define SELECTED(is_valid, ...)                                                \
    int64_t found = 0;                                                         \
    struct range r = {range_kind(range), vl, vu, il, iu, &found};              \
    (void)work, (void)lwork;                                                   \
    cusolverStatus_t status = solver_do_answer(                                \
        handle, (is_valid) && check_range(r, n) && meig && info, true, 1,      \
        &(struct job){                                                         \
            .type = TYPE, EIG, .range = r, .info = info, __VA_ARGS__});        \
    if (!status)                                                               \
        *meig = (int)found;                                                    \
    return status

cusolverStatus_t CUSOLVER_SY(evdx)(cusolverDnHandle_t handle,
                                   cusolverEigMode_t jobz,
                                   cusolverEigRange_t range,
                                   cublasFillMode_t uplo, int n, CUSOLVER_T *A,
                                   int lda, CUSOLVER_R vl, CUSOLVER_R vu,
                                   int il, int iu, int *meig, CUSOLVER_R *W,
                                   CUSOLVER_T *work, int lwork, int *info)
{
    SELECTED(EIG_OK, .run = run_syevdx);
}

cusolverStatus_t CUSOLVER_SY(gvdx)(
    cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int n, CUSOLVER_T *A,
    int lda, CUSOLVER_T *B, int ldb, CUSOLVER_R vl, CUSOLVER_R vu, int il,
    int iu, int *meig, CUSOLVER_R *W, CUSOLVER_T *work, int lwork, int *info)
{
    SELECTED(PAIR_OK, .run = run_sygvdx, .itype = itype, .b = B, .ldb = ldb);
}

#undef SELECTED
#undef PAIR_OK
#undef EIG
#undef PAIR_ARGS
#undef EIG_ARGS
#undef EIG_OK

/* ---- singular values -------------------------------------------------- */

SIZE(CUSOLVER_S(gesvd_bufferSize), true, int m, int n, int *lwork)
SIZE(CUSOLVER_S(gesvdj_bufferSize), m >= 0 && n >= 0, cusolverEigMode_t jobz,
     int econ, int m, int n, const CUSOLVER_T *A, int lda, const CUSOLVER_R *S,
     const CUSOLVER_T *U, int ldu, const CUSOLVER_T *V, int ldv, int *lwork,
     gesvdjInfo_t params)
SIZE(CUSOLVER_S(gesvdjBatched_bufferSize), true, cusolverEigMode_t jobz, int m,
     int n, const CUSOLVER_T *A, int lda, const CUSOLVER_R *S,
     const CUSOLVER_T *U, int ldu, const CUSOLVER_T *V, int ldv, int *lwork,
     gesvdjInfo_t params, int batchSize)

/* On failure NVIDIA's stores the superdiagonal in rwork; ours does not. */
cusolverStatus_t CUSOLVER_S(gesvd)(cusolverDnHandle_t handle, signed char jobu,
                                   signed char jobvt, int m, int n,
                                   CUSOLVER_T *A, int lda, CUSOLVER_R *S,
                                   CUSOLVER_T *U, int ldu, CUSOLVER_T *VT,
                                   int ldvt, CUSOLVER_T *work, int lwork,
                                   CUSOLVER_R *rwork, int *info)
{
    (void)work, (void)rwork, (void)lwork;
    int rows = jobvt == 'S' ? smaller_of(m, n) : n;
    return DO(check_svd_job(jobu) && check_svd_job(jobvt) &&
                  !(jobu == 'O' && jobvt == 'O') && FULL_OK &&
                  check_at(S, m, n) && check_vectors(jobu, U, ldu, m) &&
                  check_vectors(jobvt, VT, ldvt, rows) && info,
              1, .run = run_gesvd, .asks = true, .jobz = jobu, .job_vt = jobvt,
              .m = m, .n = n, .a = A, .lda = lda, .s = S, .u = U,
              .ldu = ldu > 0 ? ldu : 1, .v = VT, .ldv = ldvt > 0 ? ldvt : 1,
              .wrong = !check_svd_job(jobu) ? 1
                       : !check_svd_job(jobvt) || (jobu == 'O' && jobvt == 'O')
                           ? 2
                       : m < 0                                 ? 3
                       : n < 0                                 ? 4
                       : !check_ld(lda, m)                     ? 6
                       : !check_vectors(jobu, U, ldu, m)       ? 9
                       : !check_vectors(jobvt, VT, ldvt, rows) ? 11
                                                               : 0,
              .info = info);
}

cusolverStatus_t CUSOLVER_S(gesvdj)(cusolverDnHandle_t handle,
                                    cusolverEigMode_t jobz, int econ, int m,
                                    int n, CUSOLVER_T *A, int lda,
                                    CUSOLVER_R *S, CUSOLVER_T *U, int ldu,
                                    CUSOLVER_T *V, int ldv, CUSOLVER_T *work,
                                    int lwork, int *info, gesvdjInfo_t params)
{
    (void)work, (void)lwork;
    return DO(FULL_OK && check_at(S, m, n) &&
                  check_jacobi(jobz, m, n, U, ldu, V, ldv) && info && params,
              1, .run = run_gesvdj_measured, .asks = true, JOBZ,
              .is_econ = econ != 0, .m = m, .n = n, .a = A, .lda = lda, .s = S,
              .u = U, .ldu = ldu, .v = V, .ldv = ldv,
              .result = jacobi_of_singular(params), .info = info);
}

cusolverStatus_t
CUSOLVER_S(gesvdjBatched)(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                          int m, int n, CUSOLVER_T *A, int lda, CUSOLVER_R *S,
                          CUSOLVER_T *U, int ldu, CUSOLVER_T *V, int ldv,
                          CUSOLVER_T *work, int lwork, int *info,
                          gesvdjInfo_t params, int batchSize)
{
    (void)work;
    return DO(FULL_OK && check_at(S, m, n) &&
                  check_jacobi(jobz, m, n, U, ldu, V, ldv) && lwork >= 1 &&
                  info && params,
              batchSize, .run = run_gesvdj, .asks = true, JOBZ, .m = m, .n = n,
              .a = A, .lda = lda, .s = S, .u = U, .ldu = ldu, .v = V,
              .ldv = ldv, .stride_a = (int64_t)lda * n,
              .stride_s = smaller_of(m, n), .stride_u = (int64_t)ldu * m,
              .stride_v = (int64_t)ldv * n, .info = info);
}

/* gesvda gives V, not its adjoint; and of U and V the first `rank` columns. */
SIZE(CUSOLVER_S(gesvdaStridedBatched_bufferSize), n >= 0,
     cusolverEigMode_t jobz, int rank, int m, int n, const CUSOLVER_T *d_A,
     int lda, long long int strideA, const CUSOLVER_R *d_S,
     long long int strideS, const CUSOLVER_T *d_U, int ldu,
     long long int strideU, const CUSOLVER_T *d_V, int ldv,
     long long int strideV, int *lwork, int batchSize)

cusolverStatus_t CUSOLVER_S(gesvdaStridedBatched)(
    cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n,
    const CUSOLVER_T *d_A, int lda, long long int strideA, CUSOLVER_R *d_S,
    long long int strideS, CUSOLVER_T *d_U, int ldu, long long int strideU,
    CUSOLVER_T *d_V, int ldv, long long int strideV, CUSOLVER_T *d_work,
    int lwork, int *d_info, double *h_R_nrmF, int batchSize)
{
    bool is_valid = n >= 0 && check_ld(lda, m) && check_at(d_A, m, n) &&
                    rank >= 0 && rank <= smaller_of(m, n) && d_S && d_info &&
                    lwork >= 1 && batchSize >= 0 &&
                    (batchSize < 2 || (strideA > 0 && strideS > 0 &&
                                       strideU > 0 && strideV > 0)) &&
                    check_jacobi(jobz, m, n, d_U, ldu, d_V, ldv);
    return solver_do_answer(handle, is_valid, h_R_nrmF, batchSize,
                            &(struct job){.run = run_gesvda,
                                          .asks = true,
                                          .type = TYPE,
                                          JOBZ,
                                          .is_econ = true,
                                          .rank = rank,
                                          .m = m,
                                          .n = n,
                                          .a = (void *)d_A,
                                          .lda = lda,
                                          .s = d_S,
                                          .u = d_U,
                                          .ldu = ldu,
                                          .v = d_V,
                                          .ldv = ldv,
                                          .stride_a = strideA,
                                          .stride_s = strideS,
                                          .stride_u = strideU,
                                          .stride_v = strideV,
                                          .norms = h_R_nrmF,
                                          .info = d_info});
}

#undef RIGHT_OK
#undef FULL_OK
#undef SQUARE_OK
#undef SIZE
