/* SPDX-License-Identifier: Apache-2.0 */
/* The doors for the type T. No guard: legacy.c includes this four times. */

#define FACTOR(name, kernel)                                                   \
    cusparseStatus_t NAME(name##_bufferSize)(                                  \
        cusparseHandle_t handle, int m, int nnz,                               \
        const cusparseMatDescr_t descrA, T *val, const int *ptr,               \
        const int *ind, name##Info_t info, int *bytes)                         \
    {                                                                          \
        cusparseStatus_t status =                                              \
            check_factor(handle, m, nnz, descrA, val, ptr, ind, info);         \
        if (!status && !bytes)                                                 \
            status = WRONG;                                                    \
        if (!status)                                                           \
            *bytes = 8;                                                        \
        return CUSPARSE_END(status);                                           \
    }                                                                          \
    cusparseStatus_t NAME(name##_bufferSizeExt)(                               \
        cusparseHandle_t handle, int m, int nnz,                               \
        const cusparseMatDescr_t descrA, T *val, const int *ptr,               \
        const int *ind, name##Info_t info, size_t *bytes)                      \
    {                                                                          \
        cusparseStatus_t status =                                              \
            check_factor(handle, m, nnz, descrA, val, ptr, ind, info);         \
        if (!status && !bytes)                                                 \
            status = WRONG;                                                    \
        if (!status)                                                           \
            *bytes = 8;                                                        \
        return CUSPARSE_END(status);                                           \
    }                                                                          \
    cusparseStatus_t NAME(name##_analysis)(                                    \
        cusparseHandle_t handle, int m, int nnz,                               \
        const cusparseMatDescr_t descrA, const T *val, const int *ptr,         \
        const int *ind, name##Info_t info, cusparseSolvePolicy_t policy,       \
        void *pBuffer)                                                         \
    {                                                                          \
        (void)policy, (void)pBuffer;                                           \
        return CUSPARSE_END(                                                   \
            check_factor(handle, m, nnz, descrA, val, ptr, ind, info));        \
    }                                                                          \
    cusparseStatus_t NAME(name)(cusparseHandle_t handle, int m, int nnz,       \
                                const cusparseMatDescr_t descrA, T *val,       \
                                const int *ptr, const int *ind,                \
                                name##Info_t info,                             \
                                cusparseSolvePolicy_t policy, void *pBuffer)   \
    {                                                                          \
        (void)policy, (void)pBuffer;                                           \
        return CUSPARSE_END(factor(handle, kernel, TYPE, m, nnz, descrA, val,  \
                                   ptr, ind, info ? &info->f : NULL));         \
    }
FACTOR(csrilu02, KERNEL_ilu)
FACTOR(csric02, KERNEL_chol)
#undef FACTOR

#define GTSV2(name)                                                            \
    cusparseStatus_t NAME(name##_bufferSizeExt)(                               \
        cusparseHandle_t handle, int m, int n, const T *dl, const T *d,        \
        const T *du, const T *B, int ldb, size_t *bytes)                       \
    {                                                                          \
        (void)dl, (void)d, (void)du, (void)B;                                  \
        return CUSPARSE_END(gtsv_bytes(                                        \
            handle, TYPE, m >= 3 && n >= 0 && ldb >= m, m, 1, bytes));         \
    }                                                                          \
    cusparseStatus_t NAME(name)(cusparseHandle_t handle, int m, int n,         \
                                const T *dl, const T *d, const T *du, T *B,    \
                                int ldb, void *pBuffer)                        \
    {                                                                          \
        struct system s = {                                                    \
            m, 1, 1, 0, dl, d, du, {B, m, n, 1, ldb, 0, false}};               \
        return CUSPARSE_END(                                                   \
            gtsv(handle, TYPE, m >= 3 && n >= 0 && ldb >= m, &s, pBuffer));    \
    }
GTSV2(gtsv2)
GTSV2(gtsv2_nopivot)
#undef GTSV2

cusparseStatus_t NAME(gtsv2StridedBatch_bufferSizeExt)(
    cusparseHandle_t handle, int m, const T *dl, const T *d, const T *du,
    const T *x, int batchCount, int batchStride, size_t *bufferSizeInBytes)
{
    (void)dl, (void)d, (void)du, (void)x;
    return CUSPARSE_END(
        gtsv_bytes(handle, TYPE, m >= 3 && batchCount >= 0 && batchStride >= m,
                   m, batchCount, bufferSizeInBytes));
}

cusparseStatus_t NAME(gtsv2StridedBatch)(cusparseHandle_t handle, int m,
                                         const T *dl, const T *d, const T *du,
                                         T *x, int batchCount, int batchStride,
                                         void *pBuffer)
{
    struct system s = {m,  batchCount, 1,  batchStride,
                       dl, d,          du, {x, m, 1, 1, m, batchStride, false}};
    return CUSPARSE_END(gtsv(handle, TYPE,
                             m >= 3 && batchCount >= 0 && batchStride >= m, &s,
                             pBuffer));
}

cusparseStatus_t NAME(gtsvInterleavedBatch_bufferSizeExt)(
    cusparseHandle_t handle, int algo, int m, const T *dl, const T *d,
    const T *du, const T *x, int batchCount, size_t *pBufferSizeInBytes)
{
    (void)dl, (void)d, (void)du, (void)x;
    return CUSPARSE_END(gtsv_bytes(
        handle, TYPE, (unsigned)algo <= 2 && m >= 1 && batchCount >= 0, m,
        batchCount, pBufferSizeInBytes));
}

cusparseStatus_t NAME(gtsvInterleavedBatch)(cusparseHandle_t handle, int algo,
                                            int m, T *dl, T *d, T *du, T *x,
                                            int batchCount, void *pBuffer)
{
    struct system s = {
        m,  batchCount, batchCount, 1,
        dl, d,          du,         {x, m, 1, batchCount, 1, 1, false}};
    return CUSPARSE_END(gtsv(handle, TYPE,
                             (unsigned)algo <= 2 && m >= 1 && batchCount >= 0,
                             &s, pBuffer));
}

cusparseStatus_t NAME(csrgeam2_bufferSizeExt)(
    cusparseHandle_t handle, int m, int n, const T *alpha,
    const cusparseMatDescr_t descrA, int nnzA, const T *csrSortedValA,
    const int *csrSortedRowPtrA, const int *csrSortedColIndA, const T *beta,
    const cusparseMatDescr_t descrB, int nnzB, const T *csrSortedValB,
    const int *csrSortedRowPtrB, const int *csrSortedColIndB,
    const cusparseMatDescr_t descrC, const T *csrSortedValC,
    const int *csrSortedRowPtrC, const int *csrSortedColIndC,
    size_t *pBufferSizeInBytes)
{
    (void)alpha, (void)beta, (void)csrSortedValA, (void)csrSortedValB;
    (void)csrSortedRowPtrA, (void)csrSortedColIndA, (void)csrSortedRowPtrB;
    (void)csrSortedColIndB, (void)csrSortedValC, (void)csrSortedRowPtrC;
    (void)csrSortedColIndC;
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (!status && (m < 0 || n < 0 || nnzA < 0 || nnzB < 0 || !descrA ||
                    !descrB || !descrC || !pBufferSizeInBytes))
        status = WRONG;
    if (!status)
        *pBufferSizeInBytes = 8;
    return CUSPARSE_END(status);
}

cusparseStatus_t NAME(csrgeam2)(
    cusparseHandle_t handle, int m, int n, const T *alpha,
    const cusparseMatDescr_t descrA, int nnzA, const T *csrSortedValA,
    const int *csrSortedRowPtrA, const int *csrSortedColIndA, const T *beta,
    const cusparseMatDescr_t descrB, int nnzB, const T *csrSortedValB,
    const int *csrSortedRowPtrB, const int *csrSortedColIndB,
    const cusparseMatDescr_t descrC, T *csrSortedValC, int *csrSortedRowPtrC,
    int *csrSortedColIndC, void *pBuffer)
{
    (void)pBuffer;
    struct work w = {.a = cusparse_csr(m, n, nnzA, descrA, csrSortedValA,
                                       csrSortedRowPtrA, csrSortedColIndA),
                     .b = cusparse_csr(m, n, nnzB, descrB, csrSortedValB,
                                       csrSortedRowPtrB, csrSortedColIndB),
                     .c = cusparse_csr(m, n, 0, descrC, csrSortedValC,
                                       csrSortedRowPtrC, csrSortedColIndC)};
    if (!descrA || !descrB || !descrC)
        w.a.major.at = NULL; /* INVALID_VALUE, behind the handle's */
    return CUSPARSE_END(geam(handle, TYPE, alpha, beta, &w));
}
