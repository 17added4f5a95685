/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of cuSPARSE that come in four types, for the type CUSPARSE_T.
 * No guard: cusparse.h includes this once for each. */

cusparseStatus_t CUSPARSE_S(gemvi)(cusparseHandle_t handle,
                                   cusparseOperation_t transA, int m, int n,
                                   const CUSPARSE_T *alpha, const CUSPARSE_T *A,
                                   int lda, int nnz, const CUSPARSE_T *xVal,
                                   const int *xInd, const CUSPARSE_T *beta,
                                   CUSPARSE_T *y, cusparseIndexBase_t idxBase,
                                   void *pBuffer);
cusparseStatus_t CUSPARSE_S(gemvi_bufferSize)(cusparseHandle_t handle,
                                              cusparseOperation_t transA, int m,
                                              int n, int nnz, int *pBufferSize);
cusparseStatus_t
    CUSPARSE_S(bsrmv)(cusparseHandle_t handle, cusparseDirection_t dirA,
                      cusparseOperation_t transA, int mb, int nb, int nnzb,
                      const CUSPARSE_T *alpha, const cusparseMatDescr_t descrA,
                      const CUSPARSE_T *bsrSortedValA,
                      const int *bsrSortedRowPtrA, const int *bsrSortedColIndA,
                      int blockDim, const CUSPARSE_T *x, const CUSPARSE_T *beta,
                      CUSPARSE_T *y);
cusparseStatus_t CUSPARSE_S(bsrxmv)(
    cusparseHandle_t handle, cusparseDirection_t dirA,
    cusparseOperation_t transA, int sizeOfMask, int mb, int nb, int nnzb,
    const CUSPARSE_T *alpha, const cusparseMatDescr_t descrA,
    const CUSPARSE_T *bsrSortedValA, const int *bsrSortedMaskPtrA,
    const int *bsrSortedRowPtrA, const int *bsrSortedEndPtrA,
    const int *bsrSortedColIndA, int blockDim, const CUSPARSE_T *x,
    const CUSPARSE_T *beta, CUSPARSE_T *y);
cusparseStatus_t CUSPARSE_S(bsrsv2_bufferSize)(
    cusparseHandle_t handle, cusparseDirection_t dirA,
    cusparseOperation_t transA, int mb, int nnzb,
    const cusparseMatDescr_t descrA, CUSPARSE_T *bsrSortedValA,
    const int *bsrSortedRowPtrA, const int *bsrSortedColIndA, int blockDim,
    bsrsv2Info_t info, int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(bsrsv2_bufferSizeExt)(
    cusparseHandle_t handle, cusparseDirection_t dirA,
    cusparseOperation_t transA, int mb, int nnzb,
    const cusparseMatDescr_t descrA, CUSPARSE_T *bsrSortedValA,
    const int *bsrSortedRowPtrA, const int *bsrSortedColIndA, int blockSize,
    bsrsv2Info_t info, size_t *pBufferSize);
cusparseStatus_t CUSPARSE_S(bsrsv2_analysis)(
    cusparseHandle_t handle, cusparseDirection_t dirA,
    cusparseOperation_t transA, int mb, int nnzb,
    const cusparseMatDescr_t descrA, const CUSPARSE_T *bsrSortedValA,
    const int *bsrSortedRowPtrA, const int *bsrSortedColIndA, int blockDim,
    bsrsv2Info_t info, cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSE_S(bsrsv2_solve)(
    cusparseHandle_t handle, cusparseDirection_t dirA,
    cusparseOperation_t transA, int mb, int nnzb, const CUSPARSE_T *alpha,
    const cusparseMatDescr_t descrA, const CUSPARSE_T *bsrSortedValA,
    const int *bsrSortedRowPtrA, const int *bsrSortedColIndA, int blockDim,
    bsrsv2Info_t info, const CUSPARSE_T *f, CUSPARSE_T *x,
    cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSE_S(bsrmm)(
    cusparseHandle_t handle, cusparseDirection_t dirA,
    cusparseOperation_t transA, cusparseOperation_t transB, int mb, int n,
    int kb, int nnzb, const CUSPARSE_T *alpha, const cusparseMatDescr_t descrA,
    const CUSPARSE_T *bsrSortedValA, const int *bsrSortedRowPtrA,
    const int *bsrSortedColIndA, const int blockSize, const CUSPARSE_T *B,
    const int ldb, const CUSPARSE_T *beta, CUSPARSE_T *C, int ldc);
cusparseStatus_t CUSPARSE_S(bsrsm2_bufferSize)(
    cusparseHandle_t handle, cusparseDirection_t dirA,
    cusparseOperation_t transA, cusparseOperation_t transXY, int mb, int n,
    int nnzb, const cusparseMatDescr_t descrA, CUSPARSE_T *bsrSortedVal,
    const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockSize,
    bsrsm2Info_t info, int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(bsrsm2_bufferSizeExt)(
    cusparseHandle_t handle, cusparseDirection_t dirA,
    cusparseOperation_t transA, cusparseOperation_t transB, int mb, int n,
    int nnzb, const cusparseMatDescr_t descrA, CUSPARSE_T *bsrSortedVal,
    const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockSize,
    bsrsm2Info_t info, size_t *pBufferSize);
cusparseStatus_t CUSPARSE_S(bsrsm2_analysis)(
    cusparseHandle_t handle, cusparseDirection_t dirA,
    cusparseOperation_t transA, cusparseOperation_t transXY, int mb, int n,
    int nnzb, const cusparseMatDescr_t descrA, const CUSPARSE_T *bsrSortedVal,
    const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockSize,
    bsrsm2Info_t info, cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSE_S(bsrsm2_solve)(
    cusparseHandle_t handle, cusparseDirection_t dirA,
    cusparseOperation_t transA, cusparseOperation_t transXY, int mb, int n,
    int nnzb, const CUSPARSE_T *alpha, const cusparseMatDescr_t descrA,
    const CUSPARSE_T *bsrSortedVal, const int *bsrSortedRowPtr,
    const int *bsrSortedColInd, int blockSize, bsrsm2Info_t info,
    const CUSPARSE_T *B, int ldb, CUSPARSE_T *X, int ldx,
    cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSE_S(csrilu02_numericBoost)(cusparseHandle_t handle,
                                                   csrilu02Info_t info,
                                                   int enable_boost,
                                                   double *tol,
                                                   CUSPARSE_T *boost_val);
cusparseStatus_t CUSPARSE_S(csrilu02_bufferSize)(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,
    CUSPARSE_T *csrSortedValA, const int *csrSortedRowPtrA,
    const int *csrSortedColIndA, csrilu02Info_t info, int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(csrilu02_bufferSizeExt)(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,
    CUSPARSE_T *csrSortedVal, const int *csrSortedRowPtr,
    const int *csrSortedColInd, csrilu02Info_t info, size_t *pBufferSize);
cusparseStatus_t CUSPARSE_S(csrilu02_analysis)(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,
    const CUSPARSE_T *csrSortedValA, const int *csrSortedRowPtrA,
    const int *csrSortedColIndA, csrilu02Info_t info,
    cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSE_S(csrilu02)(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,
    CUSPARSE_T *csrSortedValA_valM, const int *csrSortedRowPtrA,
    const int *csrSortedColIndA, csrilu02Info_t info,
    cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSE_S(bsrilu02_numericBoost)(cusparseHandle_t handle,
                                                   bsrilu02Info_t info,
                                                   int enable_boost,
                                                   double *tol,
                                                   CUSPARSE_T *boost_val);
cusparseStatus_t CUSPARSE_S(bsrilu02_bufferSize)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,
    const cusparseMatDescr_t descrA, CUSPARSE_T *bsrSortedVal,
    const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim,
    bsrilu02Info_t info, int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(bsrilu02_bufferSizeExt)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,
    const cusparseMatDescr_t descrA, CUSPARSE_T *bsrSortedVal,
    const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockSize,
    bsrilu02Info_t info, size_t *pBufferSize);
cusparseStatus_t CUSPARSE_S(bsrilu02_analysis)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,
    const cusparseMatDescr_t descrA, CUSPARSE_T *bsrSortedVal,
    const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim,
    bsrilu02Info_t info, cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSE_S(bsrilu02)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,
    const cusparseMatDescr_t descrA, CUSPARSE_T *bsrSortedVal,
    const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim,
    bsrilu02Info_t info, cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSE_S(csric02_bufferSize)(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,
    CUSPARSE_T *csrSortedValA, const int *csrSortedRowPtrA,
    const int *csrSortedColIndA, csric02Info_t info, int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(csric02_bufferSizeExt)(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,
    CUSPARSE_T *csrSortedVal, const int *csrSortedRowPtr,
    const int *csrSortedColInd, csric02Info_t info, size_t *pBufferSize);
cusparseStatus_t CUSPARSE_S(csric02_analysis)(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,
    const CUSPARSE_T *csrSortedValA, const int *csrSortedRowPtrA,
    const int *csrSortedColIndA, csric02Info_t info,
    cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSE_S(csric02)(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,
    CUSPARSE_T *csrSortedValA_valM, const int *csrSortedRowPtrA,
    const int *csrSortedColIndA, csric02Info_t info,
    cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSE_S(bsric02_bufferSize)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,
    const cusparseMatDescr_t descrA, CUSPARSE_T *bsrSortedVal,
    const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim,
    bsric02Info_t info, int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(bsric02_bufferSizeExt)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,
    const cusparseMatDescr_t descrA, CUSPARSE_T *bsrSortedVal,
    const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockSize,
    bsric02Info_t info, size_t *pBufferSize);
cusparseStatus_t CUSPARSE_S(bsric02_analysis)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,
    const cusparseMatDescr_t descrA, const CUSPARSE_T *bsrSortedVal,
    const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim,
    bsric02Info_t info, cusparseSolvePolicy_t policy, void *pInputBuffer);
cusparseStatus_t CUSPARSE_S(bsric02)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,
    const cusparseMatDescr_t descrA, CUSPARSE_T *bsrSortedVal,
    const int *bsrSortedRowPtr, const int *bsrSortedColInd, int blockDim,
    bsric02Info_t info, cusparseSolvePolicy_t policy, void *pBuffer);
cusparseStatus_t CUSPARSE_S(gtsv2_bufferSizeExt)(cusparseHandle_t handle, int m,
                                                 int n, const CUSPARSE_T *dl,
                                                 const CUSPARSE_T *d,
                                                 const CUSPARSE_T *du,
                                                 const CUSPARSE_T *B, int ldb,
                                                 size_t *bufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(gtsv2)(cusparseHandle_t handle, int m, int n,
                                   const CUSPARSE_T *dl, const CUSPARSE_T *d,
                                   const CUSPARSE_T *du, CUSPARSE_T *B, int ldb,
                                   void *pBuffer);
cusparseStatus_t CUSPARSE_S(gtsv2_nopivot_bufferSizeExt)(
    cusparseHandle_t handle, int m, int n, const CUSPARSE_T *dl,
    const CUSPARSE_T *d, const CUSPARSE_T *du, const CUSPARSE_T *B, int ldb,
    size_t *bufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(gtsv2_nopivot)(cusparseHandle_t handle, int m,
                                           int n, const CUSPARSE_T *dl,
                                           const CUSPARSE_T *d,
                                           const CUSPARSE_T *du, CUSPARSE_T *B,
                                           int ldb, void *pBuffer);
cusparseStatus_t CUSPARSE_S(gtsv2StridedBatch_bufferSizeExt)(
    cusparseHandle_t handle, int m, const CUSPARSE_T *dl, const CUSPARSE_T *d,
    const CUSPARSE_T *du, const CUSPARSE_T *x, int batchCount, int batchStride,
    size_t *bufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(gtsv2StridedBatch)(cusparseHandle_t handle, int m,
                                               const CUSPARSE_T *dl,
                                               const CUSPARSE_T *d,
                                               const CUSPARSE_T *du,
                                               CUSPARSE_T *x, int batchCount,
                                               int batchStride, void *pBuffer);
cusparseStatus_t CUSPARSE_S(gtsvInterleavedBatch_bufferSizeExt)(
    cusparseHandle_t handle, int algo, int m, const CUSPARSE_T *dl,
    const CUSPARSE_T *d, const CUSPARSE_T *du, const CUSPARSE_T *x,
    int batchCount, size_t *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(gtsvInterleavedBatch)(
    cusparseHandle_t handle, int algo, int m, CUSPARSE_T *dl, CUSPARSE_T *d,
    CUSPARSE_T *du, CUSPARSE_T *x, int batchCount, void *pBuffer);
cusparseStatus_t CUSPARSE_S(gpsvInterleavedBatch_bufferSizeExt)(
    cusparseHandle_t handle, int algo, int m, const CUSPARSE_T *ds,
    const CUSPARSE_T *dl, const CUSPARSE_T *d, const CUSPARSE_T *du,
    const CUSPARSE_T *dw, const CUSPARSE_T *x, int batchCount,
    size_t *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(gpsvInterleavedBatch)(
    cusparseHandle_t handle, int algo, int m, CUSPARSE_T *ds, CUSPARSE_T *dl,
    CUSPARSE_T *d, CUSPARSE_T *du, CUSPARSE_T *dw, CUSPARSE_T *x,
    int batchCount, void *pBuffer);
cusparseStatus_t CUSPARSE_S(csrgeam2_bufferSizeExt)(
    cusparseHandle_t handle, int m, int n, const CUSPARSE_T *alpha,
    const cusparseMatDescr_t descrA, int nnzA, const CUSPARSE_T *csrSortedValA,
    const int *csrSortedRowPtrA, const int *csrSortedColIndA,
    const CUSPARSE_T *beta, const cusparseMatDescr_t descrB, int nnzB,
    const CUSPARSE_T *csrSortedValB, const int *csrSortedRowPtrB,
    const int *csrSortedColIndB, const cusparseMatDescr_t descrC,
    const CUSPARSE_T *csrSortedValC, const int *csrSortedRowPtrC,
    const int *csrSortedColIndC, size_t *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(csrgeam2)(
    cusparseHandle_t handle, int m, int n, const CUSPARSE_T *alpha,
    const cusparseMatDescr_t descrA, int nnzA, const CUSPARSE_T *csrSortedValA,
    const int *csrSortedRowPtrA, const int *csrSortedColIndA,
    const CUSPARSE_T *beta, const cusparseMatDescr_t descrB, int nnzB,
    const CUSPARSE_T *csrSortedValB, const int *csrSortedRowPtrB,
    const int *csrSortedColIndB, const cusparseMatDescr_t descrC,
    CUSPARSE_T *csrSortedValC, int *csrSortedRowPtrC, int *csrSortedColIndC,
    void *pBuffer);
cusparseStatus_t CUSPARSE_S(csrcolor)(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,
    const CUSPARSE_T *csrSortedValA, const int *csrSortedRowPtrA,
    const int *csrSortedColIndA, const CUSPARSE_R *fractionToColor,
    int *ncolors, int *coloring, int *reordering,
    const cusparseColorInfo_t info);
cusparseStatus_t CUSPARSE_S(nnz)(cusparseHandle_t handle,
                                 cusparseDirection_t dirA, int m, int n,
                                 const cusparseMatDescr_t descrA,
                                 const CUSPARSE_T *A, int lda,
                                 int *nnzPerRowCol, int *nnzTotalDevHostPtr);
cusparseStatus_t CUSPARSE_S(nnz_compress)(cusparseHandle_t handle, int m,
                                          const cusparseMatDescr_t descr,
                                          const CUSPARSE_T *csrSortedValA,
                                          const int *csrSortedRowPtrA,
                                          int *nnzPerRow, int *nnzC,
                                          CUSPARSE_T tol);
cusparseStatus_t CUSPARSE_S(csr2csr_compress)(
    cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA,
    const CUSPARSE_T *csrSortedValA, const int *csrSortedColIndA,
    const int *csrSortedRowPtrA, int nnzA, const int *nnzPerRow,
    CUSPARSE_T *csrSortedValC, int *csrSortedColIndC, int *csrSortedRowPtrC,
    CUSPARSE_T tol);
cusparseStatus_t CUSPARSE_S(csr2bsr)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,
    const cusparseMatDescr_t descrA, const CUSPARSE_T *csrSortedValA,
    const int *csrSortedRowPtrA, const int *csrSortedColIndA, int blockDim,
    const cusparseMatDescr_t descrC, CUSPARSE_T *bsrSortedValC,
    int *bsrSortedRowPtrC, int *bsrSortedColIndC);
cusparseStatus_t CUSPARSE_S(bsr2csr)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb,
    const cusparseMatDescr_t descrA, const CUSPARSE_T *bsrSortedValA,
    const int *bsrSortedRowPtrA, const int *bsrSortedColIndA, int blockDim,
    const cusparseMatDescr_t descrC, CUSPARSE_T *csrSortedValC,
    int *csrSortedRowPtrC, int *csrSortedColIndC);
cusparseStatus_t CUSPARSE_S(gebsr2gebsc_bufferSize)(
    cusparseHandle_t handle, int mb, int nb, int nnzb,
    const CUSPARSE_T *bsrSortedVal, const int *bsrSortedRowPtr,
    const int *bsrSortedColInd, int rowBlockDim, int colBlockDim,
    int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(gebsr2gebsc_bufferSizeExt)(
    cusparseHandle_t handle, int mb, int nb, int nnzb,
    const CUSPARSE_T *bsrSortedVal, const int *bsrSortedRowPtr,
    const int *bsrSortedColInd, int rowBlockDim, int colBlockDim,
    size_t *pBufferSize);
cusparseStatus_t CUSPARSE_S(gebsr2gebsc)(
    cusparseHandle_t handle, int mb, int nb, int nnzb,
    const CUSPARSE_T *bsrSortedVal, const int *bsrSortedRowPtr,
    const int *bsrSortedColInd, int rowBlockDim, int colBlockDim,
    CUSPARSE_T *bscVal, int *bscRowInd, int *bscColPtr,
    cusparseAction_t copyValues, cusparseIndexBase_t idxBase, void *pBuffer);
cusparseStatus_t CUSPARSE_S(gebsr2csr)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb,
    const cusparseMatDescr_t descrA, const CUSPARSE_T *bsrSortedValA,
    const int *bsrSortedRowPtrA, const int *bsrSortedColIndA, int rowBlockDim,
    int colBlockDim, const cusparseMatDescr_t descrC, CUSPARSE_T *csrSortedValC,
    int *csrSortedRowPtrC, int *csrSortedColIndC);
cusparseStatus_t CUSPARSE_S(csr2gebsr_bufferSize)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,
    const cusparseMatDescr_t descrA, const CUSPARSE_T *csrSortedValA,
    const int *csrSortedRowPtrA, const int *csrSortedColIndA, int rowBlockDim,
    int colBlockDim, int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(csr2gebsr_bufferSizeExt)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,
    const cusparseMatDescr_t descrA, const CUSPARSE_T *csrSortedValA,
    const int *csrSortedRowPtrA, const int *csrSortedColIndA, int rowBlockDim,
    int colBlockDim, size_t *pBufferSize);
cusparseStatus_t CUSPARSE_S(csr2gebsr)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,
    const cusparseMatDescr_t descrA, const CUSPARSE_T *csrSortedValA,
    const int *csrSortedRowPtrA, const int *csrSortedColIndA,
    const cusparseMatDescr_t descrC, CUSPARSE_T *bsrSortedValC,
    int *bsrSortedRowPtrC, int *bsrSortedColIndC, int rowBlockDim,
    int colBlockDim, void *pBuffer);
cusparseStatus_t CUSPARSE_S(gebsr2gebsr_bufferSize)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, int nnzb,
    const cusparseMatDescr_t descrA, const CUSPARSE_T *bsrSortedValA,
    const int *bsrSortedRowPtrA, const int *bsrSortedColIndA, int rowBlockDimA,
    int colBlockDimA, int rowBlockDimC, int colBlockDimC,
    int *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(gebsr2gebsr_bufferSizeExt)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, int nnzb,
    const cusparseMatDescr_t descrA, const CUSPARSE_T *bsrSortedValA,
    const int *bsrSortedRowPtrA, const int *bsrSortedColIndA, int rowBlockDimA,
    int colBlockDimA, int rowBlockDimC, int colBlockDimC, size_t *pBufferSize);
cusparseStatus_t CUSPARSE_S(gebsr2gebsr)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, int nnzb,
    const cusparseMatDescr_t descrA, const CUSPARSE_T *bsrSortedValA,
    const int *bsrSortedRowPtrA, const int *bsrSortedColIndA, int rowBlockDimA,
    int colBlockDimA, const cusparseMatDescr_t descrC,
    CUSPARSE_T *bsrSortedValC, int *bsrSortedRowPtrC, int *bsrSortedColIndC,
    int rowBlockDimC, int colBlockDimC, void *pBuffer);
cusparseStatus_t CUSPARSE_S(csru2csr_bufferSizeExt)(
    cusparseHandle_t handle, int m, int n, int nnz, CUSPARSE_T *csrVal,
    const int *csrRowPtr, int *csrColInd, csru2csrInfo_t info,
    size_t *pBufferSizeInBytes);
cusparseStatus_t CUSPARSE_S(csru2csr)(cusparseHandle_t handle, int m, int n,
                                      int nnz, const cusparseMatDescr_t descrA,
                                      CUSPARSE_T *csrVal, const int *csrRowPtr,
                                      int *csrColInd, csru2csrInfo_t info,
                                      void *pBuffer);
cusparseStatus_t CUSPARSE_S(csr2csru)(cusparseHandle_t handle, int m, int n,
                                      int nnz, const cusparseMatDescr_t descrA,
                                      CUSPARSE_T *csrVal, const int *csrRowPtr,
                                      int *csrColInd, csru2csrInfo_t info,
                                      void *pBuffer);
