/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of sparse_doors.c that come in four types.
 * weft/cusolver_types.h includes this once for each of them: no guard. */

#define MATRIX                                                                 \
    const cusparseMatDescr_t descrA, const CUSOLVER_T *csrValA,                \
        const int *csrRowPtrA, const int *csrColIndA
/* As in NVIDIA's library, empty ones are refused. */
#define CHECK_MATRIX(m, n, nnz, c)                                             \
    ((m) > 0 && (nnz) > 0 &&                                                   \
     sparse_matrix(TYPE, m, n, nnz, descrA, csrValA, csrRowPtrA, csrColIndA,   \
                   &(c).a))

/* ---- A x = b ---------------------------------------------------------- */

#define SOLVE(name, what, on_device)                                           \
    cusolverStatus_t CUSOLVER_SP(name)(cusolverSpHandle_t handle, int m,       \
                                       int nnz, MATRIX, const CUSOLVER_T *b,   \
                                       CUSOLVER_R tol, int reorder,            \
                                       CUSOLVER_T *x, int *singularity)        \
    {                                                                          \
        struct sparse_call c = {.run = sparse_run_solve,                       \
                                .is_on_device = on_device,                     \
                                .kind = what,                                  \
                                .b = b,                                        \
                                .x = x,                                        \
                                .tol = tol,                                    \
                                .order = reorder,                              \
                                .position = singularity,                       \
                                .has_other_type =                              \
                                    sparse_has_other_type(descrA)};            \
        bool is_valid = CHECK_MATRIX(m, m, nnz, c) && b && x && singularity && \
                        is_order(reorder);                                     \
        return sparse_do(handle, is_valid, &c);                                \
    }
SOLVE(csrlsvluHost, SPARSE_LU, false)
SOLVE(csrlsvqrHost, SPARSE_QR, false)
SOLVE(csrlsvqr, SPARSE_QR, true)
SOLVE(csrlsvcholHost, SPARSE_CHOLESKY, false)
SOLVE(csrlsvchol, SPARSE_CHOLESKY, true)
#undef SOLVE

cusolverStatus_t CUSOLVER_SP(csrlsqvqrHost)(cusolverSpHandle_t handle, int m,
                                            int n, int nnz, MATRIX,
                                            const CUSOLVER_T *b, CUSOLVER_R tol,
                                            int *rankA, CUSOLVER_T *x, int *p,
                                            CUSOLVER_R *min_norm)
{
    struct sparse_call c = {.run = sparse_run_least,
                            .kind = SPARSE_QR,
                            .b = b,
                            .x = x,
                            .tol = tol,
                            .order = 2,
                            .rank = rankA,
                            .permutation = p};
    bool is_valid =
        CHECK_MATRIX(m, n, nnz, c) && b && x && rankA && p && min_norm;
    cusolverStatus_t status = sparse_do(handle, is_valid, &c);
    if (!status)
        *min_norm = (CUSOLVER_R)c.left;
    return status;
}

#define EIGEN(name, on_device)                                                 \
    cusolverStatus_t CUSOLVER_SP(name)(                                        \
        cusolverSpHandle_t handle, int m, int nnz, MATRIX, CUSOLVER_T mu0,     \
        const CUSOLVER_T *x0, int maxite, CUSOLVER_R tol, CUSOLVER_T *mu,      \
        CUSOLVER_T *x)                                                         \
    {                                                                          \
        struct sparse_call c = {.run = sparse_run_eigen,                       \
                                .is_on_device = on_device,                     \
                                .b = x0,                                       \
                                .x = x,                                        \
                                .tol = tol,                                    \
                                .limit = maxite,                               \
                                .mu0 = &mu0,                                   \
                                .mu = mu};                                     \
        bool is_valid = CHECK_MATRIX(m, m, nnz, c) && x0 && x && mu;           \
        return sparse_do(handle, is_valid, &c);                                \
    }
EIGEN(csreigvsiHost, false)
EIGEN(csreigvsi, true)
#undef EIGEN

/* A(P, :) has as few zeros on its diagonal as possible. */
cusolverStatus_t CUSOLVER_SP(csrzfdHost)(cusolverSpHandle_t handle, int n,
                                         int nnz, MATRIX, int *P, int *numnz)
{
    struct sparse_call c = {
        .run = sparse_run_zero_free, .permutation = P, .rank = numnz};
    return sparse_do(handle, CHECK_MATRIX(n, n, nnz, c) && P && numnz, &c);
}

/* ---- batches ---------------------------------------------------------- */

cusolverStatus_t CUSOLVER_SP(csrqrBufferInfoBatched)(
    cusolverSpHandle_t handle, int m, int n, int nnz, MATRIX, int batchSize,
    csrqrInfo_t info, size_t *internalDataInBytes, size_t *workspaceInBytes)
{
    (void)descrA, (void)csrValA, (void)csrRowPtrA, (void)csrColIndA;
    bool is_valid = m >= 1 && n >= 1 && nnz >= 1 && batchSize >= 1;
    return answer_sizes(handle, is_valid, SPARSE_INFO(info),
                        internalDataInBytes, workspaceInBytes);
}

cusolverStatus_t CUSOLVER_SP(csrqrsvBatched)(cusolverSpHandle_t handle, int m,
                                             int n, int nnz, MATRIX,
                                             const CUSOLVER_T *b, CUSOLVER_T *x,
                                             int batchSize, csrqrInfo_t info,
                                             void *pBuffer)
{
    (void)pBuffer;
    struct sparse_call c = {.run = sparse_run_batch,
                            .is_on_device = true,
                            .info = SPARSE_INFO(info),
                            .b = b,
                            .x = x,
                            .batch = batchSize};
    bool is_valid = CHECK_MATRIX(m, n, nnz, c) && b && x && batchSize >= 1 &&
                    sparse_is_info(SPARSE_INFO(info)) && info->as.order;
    return sparse_do(handle, is_valid, &c);
}

/* ---- step by step ----------------------------------------------------- */

#define SIZES(name, info_type, is_valid, ...)                                  \
    cusolverStatus_t CUSOLVER_SP(name)(                                        \
        cusolverSpHandle_t handle, __VA_ARGS__, int nnzA, MATRIX,              \
        info_type info, size_t *internalDataInBytes, size_t *workspaceInBytes) \
    {                                                                          \
        (void)descrA, (void)csrValA, (void)csrRowPtrA, (void)csrColIndA;       \
        return answer_sizes(handle, (is_valid) && nnzA >= 1,                   \
                            SPARSE_INFO(info), internalDataInBytes,            \
                            workspaceInBytes);                                 \
    }
SIZES(csrluBufferInfoHost, csrluInfoHost_t, n >= 1, int n)
SIZES(csrqrBufferInfoHost, csrqrInfoHost_t, m >= 1 && n >= 1, int m, int n)
SIZES(csrqrBufferInfo, csrqrInfo_t, m >= 1 && n >= 1, int m, int n)
SIZES(csrcholBufferInfoHost, csrcholInfoHost_t, n >= 1, int n)
SIZES(csrcholBufferInfo, csrcholInfo_t, n >= 1, int n)
#undef SIZES

#define PIVOT(name, info_type)                                                 \
    cusolverStatus_t CUSOLVER_SP(name)(cusolverSpHandle_t handle,              \
                                       info_type info, CUSOLVER_R tol,         \
                                       int *position)                          \
    {                                                                          \
        return zero_pivot(handle, SPARSE_INFO(info), tol, position);           \
    }
PIVOT(csrluZeroPivotHost, csrluInfoHost_t)
PIVOT(csrqrZeroPivotHost, csrqrInfoHost_t)
PIVOT(csrqrZeroPivot, csrqrInfo_t)
PIVOT(csrcholZeroPivotHost, csrcholInfoHost_t)
PIVOT(csrcholZeroPivot, csrcholInfo_t)
#undef PIVOT

cusolverStatus_t CUSOLVER_SP(csrluFactorHost)(cusolverSpHandle_t handle, int n,
                                              int nnzA, MATRIX,
                                              csrluInfoHost_t info,
                                              CUSOLVER_R pivot_threshold,
                                              void *pBuffer)
{
    (void)pBuffer;
    struct sparse_call c = {.run = sparse_run_factor,
                            .kind = SPARSE_LU,
                            .info = SPARSE_INFO(info),
                            .tol = pivot_threshold};
    bool is_valid = CHECK_MATRIX(n, n, nnzA, c) &&
                    sparse_is_info(SPARSE_INFO(info)) && info->as.order;
    return sparse_do(handle, is_valid, &c);
}

cusolverStatus_t CUSOLVER_SP(csrluSolveHost)(cusolverSpHandle_t handle, int n,
                                             const CUSOLVER_T *b, CUSOLVER_T *x,
                                             csrluInfoHost_t info,
                                             void *pBuffer)
{
    (void)pBuffer;
    return solve_with(handle, TYPE, false, SPARSE_INFO(info), n, n, b, x);
}

cusolverStatus_t CUSOLVER_SP(csrluExtractHost)(
    cusolverSpHandle_t handle, int *P, int *Q, const cusparseMatDescr_t descrL,
    CUSOLVER_T *csrValL, int *csrRowPtrL, int *csrColIndL,
    const cusparseMatDescr_t descrU, CUSOLVER_T *csrValU, int *csrRowPtrU,
    int *csrColIndU, csrluInfoHost_t info, void *pBuffer)
{
    (void)pBuffer;
    struct sparse l = {0}, u = {0};
    bool is_valid =
        sparse_has_factors(SPARSE_INFO(info)) && P && Q && csrValL && csrValU &&
        sparse_matrix(TYPE, 0, 0, 0, descrL, NULL, csrRowPtrL, csrColIndL,
                      &l) &&
        sparse_matrix(TYPE, 0, 0, 0, descrU, NULL, csrRowPtrU, csrColIndU, &u);
    struct extraction e = {
        .call = {.run = run_extract, .info = SPARSE_INFO(info), .a.type = TYPE},
        .p = P,
        .q = Q,
        .l_start = csrRowPtrL,
        .l_index = csrColIndL,
        .l_value = csrValL,
        .l_base = l.base,
        .u_start = csrRowPtrU,
        .u_index = csrColIndU,
        .u_value = csrValU,
        .u_base = u.base};
    return sparse_do(handle, is_valid && csrColIndL && csrColIndU, &e.call);
}

#define QR(host, info_type, on_device)                                         \
    cusolverStatus_t CUSOLVER_SP(csrqrSetup##host)(                            \
        cusolverSpHandle_t handle, int m, int n, int nnzA, MATRIX,             \
        CUSOLVER_T mu, info_type info)                                         \
    {                                                                          \
        struct sparse_call c = {.run = sparse_run_setup,                       \
                                .is_on_device = on_device,                     \
                                .info = SPARSE_INFO(info),                     \
                                .mu0 = &mu};                                   \
        bool is_valid = CHECK_MATRIX(m, n, nnzA, c) && m == n &&               \
                        sparse_is_info(SPARSE_INFO(info)) && info->as.order;   \
        return sparse_do(handle, is_valid, &c);                                \
    }                                                                          \
    cusolverStatus_t CUSOLVER_SP(csrqrFactor##host)(                           \
        cusolverSpHandle_t handle, int m, int n, int nnzA, CUSOLVER_T *b,      \
        CUSOLVER_T *x, info_type info, void *pBuffer)                          \
    {                                                                          \
        (void)pBuffer;                                                         \
        struct sparse_call c = {.run = sparse_run_factor,                      \
                                .is_on_device = on_device,                     \
                                .kind = SPARSE_QR,                             \
                                .info = SPARSE_INFO(info),                     \
                                .b = b,                                        \
                                .x = x};                                       \
        bool is_valid = nnzA > 0 && sparse_is_info(SPARSE_INFO(info)) &&       \
                        info->as.order && info->as.shifted.start &&            \
                        info->as.shifted.m == m && info->as.shifted.n == n;    \
        if (is_valid)                                                          \
            c.a = info->as.shifted;                                            \
        return sparse_do(handle, is_valid, &c);                                \
    }                                                                          \
    cusolverStatus_t CUSOLVER_SP(csrqrSolve##host)(                            \
        cusolverSpHandle_t handle, int m, int n, CUSOLVER_T *b, CUSOLVER_T *x, \
        info_type info, void *pBuffer)                                         \
    {                                                                          \
        (void)pBuffer;                                                         \
        return solve_with(handle, TYPE, on_device, SPARSE_INFO(info), m, n, b, \
                          x);                                                  \
    }
QR(Host, csrqrInfoHost_t, false)
QR(, csrqrInfo_t, true)
#undef QR

#define CHOLESKY(host, info_type, on_device)                                   \
    cusolverStatus_t CUSOLVER_SP(csrcholFactor##host)(                         \
        cusolverSpHandle_t handle, int n, int nnzA, MATRIX, info_type info,    \
        void *pBuffer)                                                         \
    {                                                                          \
        (void)pBuffer;                                                         \
        struct sparse_call c = {.run = sparse_run_factor,                      \
                                .is_on_device = on_device,                     \
                                .kind = SPARSE_CHOLESKY,                       \
                                .info = SPARSE_INFO(info)};                    \
        bool is_valid = CHECK_MATRIX(n, n, nnzA, c) &&                         \
                        sparse_is_info(SPARSE_INFO(info)) && info->as.order;   \
        return sparse_do(handle, is_valid, &c);                                \
    }                                                                          \
    cusolverStatus_t CUSOLVER_SP(csrcholSolve##host)(                          \
        cusolverSpHandle_t handle, int n, const CUSOLVER_T *b, CUSOLVER_T *x,  \
        info_type info, void *pBuffer)                                         \
    {                                                                          \
        (void)pBuffer;                                                         \
        return solve_with(handle, TYPE, on_device, SPARSE_INFO(info), n, n, b, \
                          x);                                                  \
    }
CHOLESKY(Host, csrcholInfoHost_t, false)
CHOLESKY(, csrcholInfo_t, true)
#undef CHOLESKY

/* The diagonal of L. */
cusolverStatus_t CUSOLVER_SP(csrcholDiag)(cusolverSpHandle_t handle,
                                          csrcholInfo_t info, CUSOLVER_R *diag)
{
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!sparse_has_factors(SPARSE_INFO(info)) || !diag)
        return CUSOLVER_STATUS_INVALID_VALUE;
    for (int k = 0; k < info->as.f->n; k++)
        diag[k] = (CUSOLVER_R)info->as.f->diagonal[k];
    return CUSOLVER_STATUS_SUCCESS;
}

#undef MATRIX
#undef CHECK_MATRIX
