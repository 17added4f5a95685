/* SPDX-License-Identifier: Apache-2.0 */
/* The doors for the type T. No guard: filters.c includes this four times. */

/* A tolerance's real part. */
static double NAME(_real)(T v)
{
    R parts[sizeof(T) / sizeof(R)];
    __builtin_memcpy(parts, &v, sizeof v);
    return parts[0];
}

cusparseStatus_t NAME(nnz)(cusparseHandle_t handle, cusparseDirection_t dirA,
                           int m, int n, const cusparseMatDescr_t descrA,
                           const T *A, int lda, int *nnzPerRowCol,
                           int *nnzTotalDevHostPtr)
{
    struct source s = {.m = m, .n = n, .a = A, .lda = lda, .descr = descrA};
    return CUSPARSE_END(
        count_dense(handle, TYPE, dirA, &s, nnzPerRowCol, nnzTotalDevHostPtr));
}

cusparseStatus_t NAME(nnz_compress)(cusparseHandle_t handle, int m,
                                    const cusparseMatDescr_t descr,
                                    const T *csrSortedValA,
                                    const int *csrSortedRowPtrA, int *nnzPerRow,
                                    int *nnzC, T tol)
{
    struct source s = {.m = m,
                       .nnz = csrSortedValA ? 1 : 0, /* or more */
                       .descr = descr,
                       .val = csrSortedValA,
                       .ptr = csrSortedRowPtrA};
    return CUSPARSE_END(
        count_large(handle, TYPE, &s, NAME(_real)(tol), nnzPerRow, nnzC));
}

cusparseStatus_t
NAME(csr2csr_compress)(cusparseHandle_t handle, int m, int n,
                       const cusparseMatDescr_t descrA, const T *csrSortedValA,
                       const int *csrSortedColIndA, const int *csrSortedRowPtrA,
                       int nnzA, const int *nnzPerRow, T *csrSortedValC,
                       int *csrSortedColIndC, int *csrSortedRowPtrC, T tol)
{
    struct source s = {.m = m,
                       .n = n,
                       .nnz = nnzA,
                       .descr = descrA,
                       .val = csrSortedValA,
                       .ptr = csrSortedRowPtrA,
                       .ind = csrSortedColIndA};
    struct result r = {descrA, csrSortedValC, csrSortedRowPtrC,
                       csrSortedColIndC};
    return CUSPARSE_END(
        nnzPerRow ? compress_entries(handle, TYPE, &s, NAME(_real)(tol), &r)
                  : WRONG);
}

cusparseStatus_t NAME(gemvi)(cusparseHandle_t handle,
                             cusparseOperation_t transA, int m, int n,
                             const T *alpha, const T *A, int lda, int nnz,
                             const T *xVal, const int *xInd, const T *beta,
                             T *y, cusparseIndexBase_t idxBase, void *pBuffer)
{
    struct source s = {.m = m,
                       .n = n,
                       .a = A,
                       .lda = lda,
                       .nnz = nnz,
                       .val = xVal,
                       .ind = xInd};
    (void)pBuffer;
    return CUSPARSE_END(multiply_sparse_vector(handle, TYPE, transA, &s, alpha,
                                               beta, y, idxBase));
}

cusparseStatus_t NAME(gemvi_bufferSize)(cusparseHandle_t handle,
                                        cusparseOperation_t transA, int m,
                                        int n, int nnz, int *pBufferSize)
{
    (void)transA, (void)m, (void)n, (void)nnz;
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (!status && !pBufferSize)
        status = WRONG;
    if (!status)
        *pBufferSize = 8;
    return CUSPARSE_END(status);
}
