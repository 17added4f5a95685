/* SPDX-License-Identifier: Apache-2.0 */
/* The doors for the type T. No guard: sorting.c includes this four times. */

cusparseStatus_t
NAME(csru2csr_bufferSizeExt)(cusparseHandle_t handle, int m, int n, int nnz,
                             T *csrVal, const int *csrRowPtr, int *csrColInd,
                             csru2csrInfo_t info, size_t *pBufferSizeInBytes)
{
    (void)csrVal, (void)csrRowPtr, (void)csrColInd;
    cusparseStatus_t status = check_coo(handle, m, n, nnz);
    if (!status && (!info || !pBufferSizeInBytes))
        status = WRONG;
    if (!status)
        *pBufferSizeInBytes = 8;
    return CUSPARSE_END(status);
}

cusparseStatus_t NAME(csru2csr)(cusparseHandle_t handle, int m, int n, int nnz,
                                const cusparseMatDescr_t descrA, T *csrVal,
                                const int *csrRowPtr, int *csrColInd,
                                csru2csrInfo_t info, void *pBuffer)
{
    (void)pBuffer;
    return CUSPARSE_END(sort_with_values(handle, m, n, nnz, descrA, sizeof(T),
                                         csrVal, csrRowPtr, csrColInd, info,
                                         false));
}

cusparseStatus_t NAME(csr2csru)(cusparseHandle_t handle, int m, int n, int nnz,
                                const cusparseMatDescr_t descrA, T *csrVal,
                                const int *csrRowPtr, int *csrColInd,
                                csru2csrInfo_t info, void *pBuffer)
{
    (void)pBuffer;
    return CUSPARSE_END(sort_with_values(handle, m, n, nnz, descrA, sizeof(T),
                                         csrVal, csrRowPtr, csrColInd, info,
                                         true));
}
