/* SPDX-License-Identifier: Apache-2.0 */
/* The doors for the type T. No guard: blocks.c includes this four times. */

cusparseStatus_t NAME(bsrmv)(cusparseHandle_t handle, cusparseDirection_t dirA,
                             cusparseOperation_t transA, int mb, int nb,
                             int nnzb, const T *alpha,
                             const cusparseMatDescr_t descrA,
                             const T *bsrSortedValA,
                             const int *bsrSortedRowPtrA,
                             const int *bsrSortedColIndA, int blockDim,
                             const T *x, const T *beta, T *y)
{
    struct blocks a = {mb,
                       nb,
                       nnzb,
                       descrA,
                       bsrSortedValA,
                       bsrSortedRowPtrA,
                       bsrSortedColIndA,
                       blockDim,
                       blockDim,
                       dirA};
    return CUSPARSE_END(
        multiply_vector(handle, TYPE, transA, &a, alpha, x, beta, y));
}

cusparseStatus_t
NAME(bsrxmv)(cusparseHandle_t handle, cusparseDirection_t dirA,
             cusparseOperation_t transA, int sizeOfMask, int mb, int nb,
             int nnzb, const T *alpha, const cusparseMatDescr_t descrA,
             const T *bsrSortedValA, const int *bsrSortedMaskPtrA,
             const int *bsrSortedRowPtrA, const int *bsrSortedEndPtrA,
             const int *bsrSortedColIndA, int blockDim, const T *x,
             const T *beta, T *y)
{
    struct blocks a = {mb,
                       nb,
                       nnzb,
                       descrA,
                       bsrSortedValA,
                       bsrSortedRowPtrA,
                       bsrSortedColIndA,
                       blockDim,
                       blockDim,
                       dirA};
    return CUSPARSE_END(multiply_masked(handle, TYPE, transA, &a,
                                        bsrSortedMaskPtrA, sizeOfMask,
                                        bsrSortedEndPtrA, alpha, x, beta, y));
}

cusparseStatus_t
NAME(bsrmm)(cusparseHandle_t handle, cusparseDirection_t dirA,
            cusparseOperation_t transA, cusparseOperation_t transB, int mb,
            int n, int kb, int nnzb, const T *alpha,
            const cusparseMatDescr_t descrA, const T *bsrSortedValA,
            const int *bsrSortedRowPtrA, const int *bsrSortedColIndA,
            const int blockSize, const T *B, const int ldb, const T *beta, T *C,
            int ldc)
{
    struct blocks a = {mb,
                       kb,
                       nnzb,
                       descrA,
                       bsrSortedValA,
                       bsrSortedRowPtrA,
                       bsrSortedColIndA,
                       blockSize,
                       blockSize,
                       dirA};
    struct factors f = {transA, transB, n, ldb, ldc, B, C};
    return CUSPARSE_END(multiply_matrix(handle, TYPE, &a, alpha, beta, &f));
}

/* ---- formats ---------------------------------------------------------- */

cusparseStatus_t
NAME(csr2bsr)(cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,
              const cusparseMatDescr_t descrA, const T *csrSortedValA,
              const int *csrSortedRowPtrA, const int *csrSortedColIndA,
              int blockDim, const cusparseMatDescr_t descrC, T *bsrSortedValC,
              int *bsrSortedRowPtrC, int *bsrSortedColIndC)
{
    struct blocks a = {
        m, n, 0,   descrA, csrSortedValA, csrSortedRowPtrA, csrSortedColIndA,
        1, 1, dirA};
    struct blocks c = {square_blocks_of(m, blockDim),
                       square_blocks_of(n, blockDim),
                       0,
                       descrC,
                       bsrSortedValC,
                       bsrSortedRowPtrC,
                       bsrSortedColIndC,
                       blockDim,
                       blockDim,
                       dirA};
    return CUSPARSE_END(to_blocks(handle, TYPE, &a, &c));
}

cusparseStatus_t
NAME(csr2gebsr)(cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,
                const cusparseMatDescr_t descrA, const T *csrSortedValA,
                const int *csrSortedRowPtrA, const int *csrSortedColIndA,
                const cusparseMatDescr_t descrC, T *bsrSortedValC,
                int *bsrSortedRowPtrC, int *bsrSortedColIndC, int rowBlockDim,
                int colBlockDim, void *pBuffer)
{
    struct blocks a = {
        m, n, 0,   descrA, csrSortedValA, csrSortedRowPtrA, csrSortedColIndA,
        1, 1, dirA};
    struct blocks c = {blocks_of(m, rowBlockDim),
                       blocks_of(n, colBlockDim),
                       0,
                       descrC,
                       bsrSortedValC,
                       bsrSortedRowPtrC,
                       bsrSortedColIndC,
                       rowBlockDim,
                       colBlockDim,
                       dirA};
    (void)pBuffer;
    return CUSPARSE_END(to_blocks(handle, TYPE, &a, &c));
}

cusparseStatus_t NAME(gebsr2gebsr)(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, int nnzb,
    const cusparseMatDescr_t descrA, const T *bsrSortedValA,
    const int *bsrSortedRowPtrA, const int *bsrSortedColIndA, int rowBlockDimA,
    int colBlockDimA, const cusparseMatDescr_t descrC, T *bsrSortedValC,
    int *bsrSortedRowPtrC, int *bsrSortedColIndC, int rowBlockDimC,
    int colBlockDimC, void *pBuffer)
{
    struct blocks a = {mb,
                       nb,
                       nnzb,
                       descrA,
                       bsrSortedValA,
                       bsrSortedRowPtrA,
                       bsrSortedColIndA,
                       rowBlockDimA,
                       colBlockDimA,
                       dirA};
    struct blocks c = {blocks_of(mb * rowBlockDimA, rowBlockDimC),
                       blocks_of(nb * colBlockDimA, colBlockDimC),
                       0,
                       descrC,
                       bsrSortedValC,
                       bsrSortedRowPtrC,
                       bsrSortedColIndC,
                       rowBlockDimC,
                       colBlockDimC,
                       dirA};
    (void)pBuffer;
    return CUSPARSE_END(to_blocks(handle, TYPE, &a, &c));
}

cusparseStatus_t
NAME(bsr2csr)(cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb,
              const cusparseMatDescr_t descrA, const T *bsrSortedValA,
              const int *bsrSortedRowPtrA, const int *bsrSortedColIndA,
              int blockDim, const cusparseMatDescr_t descrC, T *csrSortedValC,
              int *csrSortedRowPtrC, int *csrSortedColIndC)
{
    struct blocks a = {mb,
                       nb,
                       0,
                       descrA,
                       bsrSortedValA,
                       bsrSortedRowPtrA,
                       bsrSortedColIndA,
                       blockDim,
                       blockDim,
                       dirA};
    struct blocks c = {
        mb * blockDim,    nb * blockDim,    0, descrC, csrSortedValC,
        csrSortedRowPtrC, csrSortedColIndC, 1, 1,      dirA};
    return CUSPARSE_END(from_blocks(handle, TYPE, &a, &c));
}

cusparseStatus_t
NAME(gebsr2csr)(cusparseHandle_t handle, cusparseDirection_t dirA, int mb,
                int nb, const cusparseMatDescr_t descrA, const T *bsrSortedValA,
                const int *bsrSortedRowPtrA, const int *bsrSortedColIndA,
                int rowBlockDim, int colBlockDim,
                const cusparseMatDescr_t descrC, T *csrSortedValC,
                int *csrSortedRowPtrC, int *csrSortedColIndC)
{
    struct blocks a = {mb,
                       nb,
                       0,
                       descrA,
                       bsrSortedValA,
                       bsrSortedRowPtrA,
                       bsrSortedColIndA,
                       rowBlockDim,
                       colBlockDim,
                       dirA};
    struct blocks c = {
        mb * rowBlockDim, nb * colBlockDim, 0, descrC, csrSortedValC,
        csrSortedRowPtrC, csrSortedColIndC, 1, 1,      dirA};
    return CUSPARSE_END(from_blocks(handle, TYPE, &a, &c));
}

/* Blocks are moved as they are. */
cusparseStatus_t NAME(gebsr2gebsc)(cusparseHandle_t handle, int mb, int nb,
                                   int nnzb, const T *bsrSortedVal,
                                   const int *bsrSortedRowPtr,
                                   const int *bsrSortedColInd, int rowBlockDim,
                                   int colBlockDim, T *bscVal, int *bscRowInd,
                                   int *bscColPtr, cusparseAction_t copyValues,
                                   cusparseIndexBase_t idxBase, void *pBuffer)
{
    (void)pBuffer;
    bool is_valid = rowBlockDim >= 1 && colBlockDim >= 1;
    return CUSPARSE_END(cusparse_transpose(
        handle, is_valid ? mb : -1, nb, nnzb, bsrSortedVal, bsrSortedRowPtr,
        bsrSortedColInd, bscVal, bscColPtr, bscRowInd,
        (int)sizeof(T) * rowBlockDim * colBlockDim, copyValues, idxBase, NULL));
}

/* ---- buffers ---------------------------------------------------------- */

#define BYTES(name, suffix, bytes_t, big, small, IS_VALID, ...)                \
    cusparseStatus_t NAME(name##suffix)(cusparseHandle_t handle, __VA_ARGS__,  \
                                        bytes_t * bytes)                       \
    {                                                                          \
        UNUSED;                                                                \
        return CUSPARSE_END(eight_bytes(handle, IS_VALID, big, small));        \
    }
#define BOTH(name, IS_VALID, ...)                                              \
    BYTES(name, _bufferSize, int, NULL, bytes, IS_VALID, __VA_ARGS__)          \
    BYTES(name, _bufferSizeExt, size_t, bytes, NULL, IS_VALID, __VA_ARGS__)

#define UNUSED (void)val, (void)ptr, (void)ind, (void)nnzb
BOTH(gebsr2gebsc, mb >= 0 && nb >= 0 && nnzb >= 0 && rows >= 1 && cols >= 1,
     int mb, int nb, int nnzb, const T *val, const int *ptr, const int *ind,
     int rows, int cols)
#undef UNUSED
#define UNUSED (void)val, (void)ptr, (void)ind
BOTH(csr2gebsr,
     (unsigned)dirA <= 1 && m >= 0 && n >= 0 && descrA && rows >= 1 &&
         cols >= 1,
     cusparseDirection_t dirA, int m, int n, const cusparseMatDescr_t descrA,
     const T *val, const int *ptr, const int *ind, int rows, int cols)
#undef UNUSED
#define UNUSED (void)val, (void)ptr, (void)ind, (void)nnzb
BOTH(gebsr2gebsr,
     (unsigned)dirA <= 1 && mb >= 0 && nb >= 0 && descrA && rows >= 0 &&
         cols >= 0 && rowsC >= 1 && colsC >= 1,
     cusparseDirection_t dirA, int mb, int nb, int nnzb,
     const cusparseMatDescr_t descrA, const T *val, const int *ptr,
     const int *ind, int rows, int cols, int rowsC, int colsC)
#undef UNUSED
#undef BYTES
#undef BOTH
