/* SPDX-License-Identifier: Apache-2.0 */
/* Products with dense vectors and matrices. */
#include "internal.h"

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

/* Fills w->a and the scalars. */
static cusparseStatus_t begin_generic(cusparseHandle_t handle,
                                      cusparseOperation_t op,
                                      const struct cusparseSpMatDescr *a,
                                      const void *alpha, const void *beta,
                                      cudaDataType compute, struct work *w)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (status)
        return status;
    if (!a || !alpha || !beta || !check_op(op))
        return WRONG;
    status = cusparse_view(a, op, &w->a);
    if (status)
        return status;
    w->alpha = cusparse_scalar(handle, compute, alpha);
    w->beta = cusparse_scalar(handle, compute, beta);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Rows and columns of op(a). */
static int64_t rows_of(const struct sparse *a)
{
    return a->is_transposed ? a->minors : a->majors;
}

static int64_t cols_of(const struct sparse *a)
{
    return a->is_transposed ? a->majors : a->minors;
}

cusparseStatus_t cusparse_multiply(cusparseHandle_t handle, cudaDataType type,
                                   int batch, struct work *w)
{
    if (w->y.rows == 0 || w->y.cols == 0)
        return CUSPARSE_STATUS_SUCCESS;
    int64_t entries = w->a.nnz * w->a.block_rows * w->a.block_cols;
    w->pieces = cusparse_pieces((entries + w->y.rows) * w->y.cols);
    if (w->a.is_transposed && w->pieces > lib_thread_count())
        w->pieces = lib_thread_count();
    return cusparse_launch(handle,
                           w->a.is_transposed ? KERNEL_scatter : KERNEL_gather,
                           type, w->pieces * batch, w);
}

/* Which formats an algorithm is for. */
static bool is_spmv_algorithm(cusparseSpMVAlg_t alg, cusparseFormat_t format)
{
    switch (alg) {
    case CUSPARSE_SPMV_ALG_DEFAULT:
        return true;
    case CUSPARSE_SPMV_CSR_ALG1:
    case CUSPARSE_SPMV_CSR_ALG2:
        return format == CUSPARSE_FORMAT_CSR || format == CUSPARSE_FORMAT_CSC;
    case CUSPARSE_SPMV_COO_ALG1:
    case CUSPARSE_SPMV_COO_ALG2:
        return format == CUSPARSE_FORMAT_COO;
    case CUSPARSE_SPMV_SELL_ALG1:
        return format == CUSPARSE_FORMAT_SLICED_ELLPACK;
    default:
        return alg == CUSPARSE_SPMV_BSR_ALG1 && format == CUSPARSE_FORMAT_BSR;
    }
}

static cusparseStatus_t
set_spmv(cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
         const struct cusparseSpMatDescr *a, const struct cusparseDnVecDescr *x,
         const void *beta, const struct cusparseDnVecDescr *y,
         cudaDataType compute, cusparseSpMVAlg_t alg, struct work *w)
{
    cusparseStatus_t status =
        begin_generic(handle, opA, a, alpha, beta, compute, w);
    if (status)
        return status;
    if (!x || !y || x->size != cols_of(&w->a) || y->size != rows_of(&w->a) ||
        !is_spmv_algorithm(alg, a->format) || !can_conjugate(opA, a->type))
        return WRONG;
    if (a->format == CUSPARSE_FORMAT_BLOCKED_ELL ||
        (a->format == CUSPARSE_FORMAT_BSR && opA) ||
        !cusparse_has_product(a->type, x->type, y->type, compute))
        return cusparse_refused_type(compute);
    w->x = cusparse_vector(x);
    w->y = cusparse_vector(y);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t
cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                        const void *alpha, cusparseConstSpMatDescr_t matA,
                        cusparseConstDnVecDescr_t vecX, const void *beta,
                        cusparseDnVecDescr_t vecY, cudaDataType computeType,
                        cusparseSpMVAlg_t alg, size_t *bufferSize)
{
    struct work w = {0};
    cusparseStatus_t status = set_spmv(handle, opA, alpha, matA, vecX, beta,
                                       vecY, computeType, alg, &w);
    if (!status && !bufferSize)
        status = WRONG;
    if (!status)
        *bufferSize = 8; /* programs allocate it, and 0 bytes are an error */
    return CUSPARSE_END(status);
}

cusparseStatus_t
cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t opA,
                        const void *alpha, cusparseConstSpMatDescr_t matA,
                        cusparseConstDnVecDescr_t vecX, const void *beta,
                        cusparseDnVecDescr_t vecY, cudaDataType computeType,
                        cusparseSpMVAlg_t alg, void *externalBuffer)
{
    struct work w = {0};
    (void)externalBuffer; /* tiles find their rows by themselves */
    return CUSPARSE_END(set_spmv(handle, opA, alpha, matA, vecX, beta, vecY,
                                 computeType, alg, &w));
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t opA,
                              const void *alpha, cusparseConstSpMatDescr_t matA,
                              cusparseConstDnVecDescr_t vecX, const void *beta,
                              cusparseDnVecDescr_t vecY,
                              cudaDataType computeType, cusparseSpMVAlg_t alg,
                              void *externalBuffer)
{
    struct work w = {0};
    (void)externalBuffer;
    cusparseStatus_t status = set_spmv(handle, opA, alpha, matA, vecX, beta,
                                       vecY, computeType, alg, &w);
    return CUSPARSE_END(status ? status
                               : cusparse_multiply(handle, computeType, 1, &w));
}

/* ---- matrices --------------------------------------------------------- */

static bool is_spmm_algorithm(cusparseSpMMAlg_t alg, cusparseFormat_t format)
{
    switch (alg) {
    case CUSPARSE_SPMM_ALG_DEFAULT:
        return true;
    case CUSPARSE_SPMM_CSR_ALG1:
    case CUSPARSE_SPMM_CSR_ALG2:
        return format == CUSPARSE_FORMAT_CSR || format == CUSPARSE_FORMAT_CSC;
    case CUSPARSE_SPMM_CSR_ALG3:
        return format == CUSPARSE_FORMAT_CSR;
    case CUSPARSE_SPMM_COO_ALG1:
    case CUSPARSE_SPMM_COO_ALG2:
    case CUSPARSE_SPMM_COO_ALG3:
    case CUSPARSE_SPMM_COO_ALG4:
        return format == CUSPARSE_FORMAT_COO;
    case CUSPARSE_SPMM_BLOCKED_ELL_ALG1:
        return format == CUSPARSE_FORMAT_BLOCKED_ELL;
    default:
        return alg == CUSPARSE_SPMM_BSR_ALG1 && format == CUSPARSE_FORMAT_BSR;
    }
}

static cusparseStatus_t
set_spmm(cusparseHandle_t handle, cusparseOperation_t opA,
         cusparseOperation_t opB, const void *alpha,
         const struct cusparseSpMatDescr *a, const struct cusparseDnMatDescr *b,
         const void *beta, const struct cusparseDnMatDescr *c,
         cudaDataType compute, cusparseSpMMAlg_t alg, struct work *w)
{
    cusparseStatus_t status =
        begin_generic(handle, opA, a, alpha, beta, compute, w);
    if (status)
        return status;
    if (!b || !c || !check_op(opB) || !is_spmm_algorithm(alg, a->format))
        return WRONG;
    w->x = cusparse_dense(b, opB);
    w->y = cusparse_dense(c, CUSPARSE_OPERATION_NON_TRANSPOSE);
    if (w->x.rows != cols_of(&w->a) || w->x.cols != w->y.cols ||
        w->y.rows != rows_of(&w->a) ||
        (a->batch != 1 && a->batch != c->batch) ||
        (b->batch != 1 && b->batch != c->batch))
        return WRONG;
    if (a->format == CUSPARSE_FORMAT_SLICED_ELLPACK ||
        (w->a.block_rows > 1 && opA) ||
        (alg == CUSPARSE_SPMM_CSR_ALG3 && opA) ||
        !cusparse_has_product(a->type, b->type, c->type, compute))
        return cusparse_refused_type(compute);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t matA,
    cusparseConstDnMatDescr_t matB, const void *beta, cusparseDnMatDescr_t matC,
    cudaDataType computeType, cusparseSpMMAlg_t alg, size_t *bufferSize)
{
    struct work w = {0};
    cusparseStatus_t status = set_spmm(handle, opA, opB, alpha, matA, matB,
                                       beta, matC, computeType, alg, &w);
    if (!status && !bufferSize)
        status = WRONG;
    if (!status)
        *bufferSize = 8;
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseSpMM_preprocess(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t matA,
    cusparseConstDnMatDescr_t matB, const void *beta, cusparseDnMatDescr_t matC,
    cudaDataType computeType, cusparseSpMMAlg_t alg, void *externalBuffer)
{
    struct work w = {0};
    (void)externalBuffer;
    return CUSPARSE_END(set_spmm(handle, opA, opB, alpha, matA, matB, beta,
                                 matC, computeType, alg, &w));
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void *alpha,
                              cusparseConstSpMatDescr_t matA,
                              cusparseConstDnMatDescr_t matB, const void *beta,
                              cusparseDnMatDescr_t matC,
                              cudaDataType computeType, cusparseSpMMAlg_t alg,
                              void *externalBuffer)
{
    struct work w = {0};
    (void)externalBuffer;
    cusparseStatus_t status = set_spmm(handle, opA, opB, alpha, matA, matB,
                                       beta, matC, computeType, alg, &w);
    return CUSPARSE_END(
        status ? status
               : cusparse_multiply(handle, computeType, matC->batch, &w));
}

/* ---- dense by dense, where c has entries ------------------------------ */

static cusparseStatus_t set_sddmm(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, const struct cusparseDnMatDescr *a,
    const struct cusparseDnMatDescr *b, const void *beta,
    const struct cusparseSpMatDescr *c, cudaDataType compute,
    cusparseSDDMMAlg_t alg, struct work *w)
{
    cusparseStatus_t status = begin_generic(
        handle, CUSPARSE_OPERATION_NON_TRANSPOSE, c, alpha, beta, compute, w);
    if (status)
        return status;
    if (!a || !b || !check_op(opA) || !check_op(opB) || alg)
        return WRONG;
    w->x = cusparse_dense(a, opA);
    w->y = cusparse_dense(b, opB);
    if (w->x.rows != rows_of(&w->a) || w->y.cols != cols_of(&w->a) ||
        w->x.cols != w->y.rows || (a->batch != 1 && a->batch != c->batch) ||
        (b->batch != 1 && b->batch != c->batch))
        return WRONG;
    if ((c->format != CUSPARSE_FORMAT_CSR &&
         c->format != CUSPARSE_FORMAT_BSR) ||
        !cusparse_has_product(a->type, b->type, c->type, compute))
        return cusparse_refused_type(compute);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSDDMM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstDnMatDescr_t matA,
    cusparseConstDnMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
    cudaDataType computeType, cusparseSDDMMAlg_t alg, size_t *bufferSize)
{
    struct work w = {0};
    cusparseStatus_t status = set_sddmm(handle, opA, opB, alpha, matA, matB,
                                        beta, matC, computeType, alg, &w);
    if (!status && !bufferSize)
        status = WRONG;
    if (!status)
        *bufferSize = 8;
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseSDDMM_preprocess(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstDnMatDescr_t matA,
    cusparseConstDnMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
    cudaDataType computeType, cusparseSDDMMAlg_t alg, void *externalBuffer)
{
    struct work w = {0};
    (void)externalBuffer;
    return CUSPARSE_END(set_sddmm(handle, opA, opB, alpha, matA, matB, beta,
                                  matC, computeType, alg, &w));
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA,
                               cusparseOperation_t opB, const void *alpha,
                               cusparseConstDnMatDescr_t matA,
                               cusparseConstDnMatDescr_t matB, const void *beta,
                               cusparseSpMatDescr_t matC,
                               cudaDataType computeType, cusparseSDDMMAlg_t alg,
                               void *externalBuffer)
{
    struct work w = {0};
    (void)externalBuffer;
    cusparseStatus_t status = set_sddmm(handle, opA, opB, alpha, matA, matB,
                                        beta, matC, computeType, alg, &w);
    if (status || !w.a.nnz)
        return CUSPARSE_END(status);
    w.pieces = cusparse_pieces(w.a.nnz * w.a.block_rows * w.a.block_cols *
                               (w.x.cols + 1));
    return CUSPARSE_END(cusparse_launch(handle, KERNEL_sddmm, computeType,
                                        w.pieces * matC->batch, &w));
}
