/* SPDX-License-Identifier: Apache-2.0 */
/* The doors for the type T. No guard: sums.c includes this four times. */

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
    (void)descrA, (void)descrB, (void)descrC;
    (void)alpha, (void)beta, (void)csrSortedValA, (void)csrSortedValB;
    (void)csrSortedRowPtrA, (void)csrSortedColIndA, (void)csrSortedRowPtrB;
    (void)csrSortedColIndB, (void)csrSortedValC, (void)csrSortedRowPtrC;
    (void)csrSortedColIndC;
    (void)m, (void)n, (void)nnzA, (void)nnzB;
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (!status && !pBufferSizeInBytes)
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
    struct work w = {.a = cusparse_csr(m, n, nnzA, descrA, TYPE, csrSortedValA,
                                       csrSortedRowPtrA, csrSortedColIndA),
                     .b = cusparse_csr(m, n, nnzB, descrB, TYPE, csrSortedValB,
                                       csrSortedRowPtrB, csrSortedColIndB),
                     .c = cusparse_csr(m, n, 0, descrC, TYPE, csrSortedValC,
                                       csrSortedRowPtrC, csrSortedColIndC)};
    if (!descrA || !descrB || !descrC)
        w.a.major.at = NULL; /* INVALID_VALUE, behind the handle's */
    return CUSPARSE_END(add_matrices(handle, TYPE, alpha, beta, &w));
}
