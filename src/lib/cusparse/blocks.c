/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices in blocks: products, and conversions of their formats. */
#include "structure.h"

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

/* rows, cols and nnz count blocks of block_rows x block_cols numbers; CSR has
 * blocks of 1 x 1. */
struct blocks {
    int rows, cols, nnz;
    cusparseMatDescr_t descr;
    const void *val;
    const int *ptr, *ind;
    int block_rows, block_cols;
    cusparseDirection_t dir;
};

static cusparseStatus_t view_blocks(cudaDataType type, const struct blocks *b,
                                    struct sparse *out)
{
    if (b->rows < 0 || b->cols < 0 || b->nnz < 0 || b->block_rows < 1 ||
        b->block_cols < 1 || (unsigned)b->dir > 1 || !b->descr || !b->ptr)
        return WRONG;
    if (b->descr->type != CUSPARSE_MATRIX_TYPE_GENERAL)
        return CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
    *out = cusparse_bsr(cusparse_csr(b->rows, b->cols, b->nnz, b->descr, type,
                                     b->val, b->ptr, b->ind),
                        b->dir, b->block_rows, b->block_cols);
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- products --------------------------------------------------------- */

static cusparseStatus_t begin_product(cusparseHandle_t handle,
                                      cudaDataType type, const struct blocks *a,
                                      const void *alpha, const void *beta,
                                      struct work *w)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (!status)
        status = view_blocks(type, a, &w->a);
    if (status)
        return status;
    if (!alpha || !beta || (a->nnz && (!a->val || !a->ind)))
        return WRONG;
    w->alpha = cusparse_scalar(handle, type, alpha);
    w->beta = cusparse_scalar(handle, type, beta);
    return CUSPARSE_STATUS_SUCCESS;
}

static struct dense dense_vector(cudaDataType type, const void *at,
                                 int64_t size)
{
    return (struct dense){(void *)at, size, 1, 1, size, 0, false, type};
}

static cusparseStatus_t
multiply_vector(cusparseHandle_t handle, cudaDataType type,
                cusparseOperation_t op, const struct blocks *a,
                const void *alpha, const void *x, const void *beta, void *y)
{
    struct work w = {0};
    cusparseStatus_t status = begin_product(handle, type, a, alpha, beta, &w);
    if (!status &&
        (op || a->block_rows < 2 || (w.a.majors && !y) || (a->nnz && !x)))
        status = WRONG;
    w.x = dense_vector(type, x, w.a.minors);
    w.y = dense_vector(type, y, w.a.majors);
    return status ? status : cusparse_multiply(handle, type, 1, &w);
}

/* Only rows of blocks that the mask lists; they end where `ends` says. */
static cusparseStatus_t
multiply_masked(cusparseHandle_t handle, cudaDataType type,
                cusparseOperation_t op, const struct blocks *a, const int *mask,
                int size, const int *ends, const void *alpha, const void *x,
                const void *beta, void *y)
{
    struct work w = {.n = size, .mask = {mask, false}};
    cusparseStatus_t status = begin_product(handle, type, a, alpha, beta, &w);
    if (!status && (op || a->block_rows < 2 || size < 0 || (size && !mask) ||
                    !ends || (size && !y) || (a->nnz && !x)))
        status = WRONG;
    if (status || !size)
        return status;
    w.a.ends = (struct list){ends, false};
    w.x = dense_vector(type, x, w.a.minors);
    w.y = dense_vector(type, y, w.a.majors);
    w.pieces = cusparse_pieces(w.a.nnz * w.a.block_step);
    return cusparse_launch(handle, KERNEL_masked, type, w.pieces, &w);
}

/* B and C by columns; n: columns of the result. */
struct factors {
    cusparseOperation_t op_a, op_b;
    int n, ldb, ldc;
    const void *b;
    void *c;
};

static cusparseStatus_t multiply_matrix(cusparseHandle_t handle,
                                        cudaDataType type,
                                        const struct blocks *a,
                                        const void *alpha, const void *beta,
                                        const struct factors *f)
{
    struct work w = {0};
    bool is_n = f->op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
    cusparseStatus_t status = begin_product(handle, type, a, alpha, beta, &w);
    if (status)
        return status;
    if (f->op_a || a->block_rows < 2 ||
        (unsigned)f->op_b > CUSPARSE_OPERATION_TRANSPOSE ||
        f->n < 0 || f->ldb < (is_n ? w.a.minors : f->n) ||
        f->ldc < w.a.majors || (f->n && w.a.majors && (!f->b || !f->c)))
        return WRONG;
    w.x = (struct dense){.at = (void *)f->b,
                         .rows = w.a.minors,
                         .cols = f->n,
                         .row_step = is_n ? 1 : f->ldb,
                         .col_step = is_n ? f->ldb : 1,
                         .type = type};
    w.y = (struct dense){.at = f->c,
                         .rows = w.a.majors,
                         .cols = f->n,
                         .row_step = 1,
                         .col_step = f->ldc,
                         .type = type};
    return cusparse_multiply(handle, type, 1, &w);
}

/* ---- formats ---------------------------------------------------------- */

static int blocks_of(int n, int block)
{
    return block < 1 ? 0 : (n + block - 1) / block;
}

/* No empty matrix becomes one of square blocks, as in NVIDIA's library: such a
 * number is refused. */
static int square_blocks_of(int n, int block)
{
    return n == 0 ? -1 : blocks_of(n, block);
}

static cusparseStatus_t begin_conversion(cusparseHandle_t handle,
                                         cudaDataType type,
                                         const struct blocks *a,
                                         const struct blocks *c, struct work *w)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (!status)
        status = view_blocks(type, a, &w->a);
    if (!status)
        status = view_blocks(type, c, &w->c);
    if (!status && a->nnz && !a->ind)
        status = WRONG;
    w->pieces = cusparse_pieces(w->a.majors * 8);
    if (a->cols == 0)
        w->a.majors = 0; /* whatever its offsets say, it is empty */
    return status;
}

static cusparseStatus_t count_blocks(cusparseHandle_t handle,
                                     const struct blocks *a,
                                     const struct blocks *c, int *total)
{
    struct work w = {.total = {total, false}, .n = c->rows};
    cusparseStatus_t status = begin_conversion(handle, CUDA_R_32F, a, c, &w);
    return status ? status : structure_count(handle, &structure_blocks, &w);
}

static cusparseStatus_t to_blocks(cusparseHandle_t handle, cudaDataType type,
                                  const struct blocks *a,
                                  const struct blocks *c)
{
    struct work w = {0};
    cusparseStatus_t status = begin_conversion(handle, type, a, c, &w);
    if (!status && a->nnz && (!a->val || !c->val || !c->ind))
        status = WRONG;
    return status || !c->rows
               ? status
               : cusparse_launch(handle, KERNEL_reblock, type, w.pieces, &w);
}

/* Without values where a has none. */
static cusparseStatus_t from_blocks(cusparseHandle_t handle, cudaDataType type,
                                    const struct blocks *a,
                                    const struct blocks *c)
{
    struct work w = {0};
    cusparseStatus_t status = begin_conversion(handle, type, a, c, &w);
    return status || !w.a.majors
               ? status
               : cusparse_launch(handle, KERNEL_unblock, type, w.pieces, &w);
}

cusparseStatus_t
cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t dirA, int m,
                    int n, const cusparseMatDescr_t descrA,
                    const int *csrSortedRowPtrA, const int *csrSortedColIndA,
                    int blockDim, const cusparseMatDescr_t descrC,
                    int *bsrSortedRowPtrC, int *nnzTotalDevHostPtr)
{
    struct blocks a = {
        m, n, 0, descrA, NULL, csrSortedRowPtrA, csrSortedColIndA, 1, 1, dirA};
    struct blocks c = {square_blocks_of(m, blockDim),
                       square_blocks_of(n, blockDim),
                       0,
                       descrC,
                       NULL,
                       bsrSortedRowPtrC,
                       NULL,
                       blockDim,
                       blockDim,
                       dirA};
    return CUSPARSE_END(count_blocks(handle, &a, &c, nnzTotalDevHostPtr));
}

cusparseStatus_t
cusparseXcsr2gebsrNnz(cusparseHandle_t handle, cusparseDirection_t dirA, int m,
                      int n, const cusparseMatDescr_t descrA,
                      const int *csrSortedRowPtrA, const int *csrSortedColIndA,
                      const cusparseMatDescr_t descrC, int *bsrSortedRowPtrC,
                      int rowBlockDim, int colBlockDim, int *nnzTotalDevHostPtr,
                      void *pBuffer)
{
    struct blocks a = {
        m, n, 0, descrA, NULL, csrSortedRowPtrA, csrSortedColIndA, 1, 1, dirA};
    struct blocks c = {blocks_of(m, rowBlockDim),
                       blocks_of(n, colBlockDim),
                       0,
                       descrC,
                       NULL,
                       bsrSortedRowPtrC,
                       NULL,
                       rowBlockDim,
                       colBlockDim,
                       dirA};
    (void)pBuffer;
    return CUSPARSE_END(count_blocks(handle, &a, &c, nnzTotalDevHostPtr));
}

cusparseStatus_t cusparseXgebsr2gebsrNnz(
    cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, int nnzb,
    const cusparseMatDescr_t descrA, const int *bsrSortedRowPtrA,
    const int *bsrSortedColIndA, int rowBlockDimA, int colBlockDimA,
    const cusparseMatDescr_t descrC, int *bsrSortedRowPtrC, int rowBlockDimC,
    int colBlockDimC, int *nnzTotalDevHostPtr, void *pBuffer)
{
    struct blocks a = {mb,
                       nb,
                       nnzb,
                       descrA,
                       NULL,
                       bsrSortedRowPtrA,
                       bsrSortedColIndA,
                       rowBlockDimA,
                       colBlockDimA,
                       dirA};
    struct blocks c = {blocks_of(mb * rowBlockDimA, rowBlockDimC),
                       blocks_of(nb * colBlockDimA, colBlockDimC),
                       0,
                       descrC,
                       NULL,
                       bsrSortedRowPtrC,
                       NULL,
                       rowBlockDimC,
                       colBlockDimC,
                       dirA};
    (void)pBuffer;
    return CUSPARSE_END(count_blocks(handle, &a, &c, nnzTotalDevHostPtr));
}

cusparseStatus_t
cusparseXgebsr2csr(cusparseHandle_t handle, cusparseDirection_t dirA, int mb,
                   int nb, const cusparseMatDescr_t descrA,
                   const int *bsrSortedRowPtrA, const int *bsrSortedColIndA,
                   int rowBlockDim, int colBlockDim,
                   const cusparseMatDescr_t descrC, int *csrSortedRowPtrC,
                   int *csrSortedColIndC)
{
    struct blocks a = {mb,
                       nb,
                       0,
                       descrA,
                       NULL,
                       bsrSortedRowPtrA,
                       bsrSortedColIndA,
                       rowBlockDim,
                       colBlockDim,
                       dirA};
    struct blocks c = {mb * rowBlockDim, nb * colBlockDim, 0, descrC, NULL,
                       csrSortedRowPtrC, csrSortedColIndC, 1, 1,      dirA};
    return CUSPARSE_END(from_blocks(handle, CUDA_R_32F, &a, &c));
}

static cusparseStatus_t eight_bytes(cusparseHandle_t handle, bool is_valid,
                                    size_t *bytes, int *few_bytes)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (!is_valid || (!bytes && !few_bytes))
        return WRONG;
    if (bytes)
        *bytes = 8;
    if (few_bytes)
        *few_bytes = 8;
    return CUSPARSE_STATUS_SUCCESS;
}

#define TYPED "lib/cusparse/blocks_typed.h"
#include "lib/cusparse/each_type.h"
