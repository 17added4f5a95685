/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse with dense vectors; sparse from and to dense matrices. */
#include "structure.h"

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

static cusparseStatus_t begin_vectors(cusparseHandle_t handle,
                                      const struct cusparseSpVecDescr *x,
                                      const struct cusparseDnVecDescr *y,
                                      struct work *w)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (status)
        return status;
    if (!x || !y || x->size != y->size)
        return WRONG;
    if (x->type != y->type || cusparse_type_index(x->type) < 0)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    w->a = (struct sparse){
        .base = x->base,
        .nnz = x->nnz,
        .minor = {x->indices, x->index_type == CUSPARSE_INDEX_64I},
        .values = x->values,
        .type = x->type};
    w->x = cusparse_vector(y);
    w->pieces = cusparse_pieces(x->nnz);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                               cusparseConstSpVecDescr_t vecX, const void *beta,
                               cusparseDnVecDescr_t vecY)
{
    struct work w = {0};
    cusparseStatus_t status = begin_vectors(handle, vecX, vecY, &w);
    if (!status && (!alpha || !beta))
        status = WRONG;
    if (status)
        return CUSPARSE_END(status);
    w.alpha = cusparse_scalar(handle, cusparse_scalar_type(vecX->type), alpha);
    w.beta = cusparse_scalar(handle, cusparse_scalar_type(vecX->type), beta);
    struct work all = w;
    all.pieces = cusparse_pieces(vecY->size);
    status =
        cusparse_launch(handle, KERNEL_scale, vecX->type, all.pieces, &all);
    if (!status)
        status = cusparse_launch(handle, KERNEL_axpy, vecX->type, w.pieces, &w);
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle,
                                cusparseConstDnVecDescr_t vecY,
                                cusparseSpVecDescr_t vecX)
{
    struct work w = {0};
    cusparseStatus_t status = begin_vectors(handle, vecX, vecY, &w);
    return CUSPARSE_END(status ? status
                               : cusparse_launch(handle, KERNEL_take,
                                                 vecX->type, w.pieces, &w));
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle,
                                 cusparseConstSpVecDescr_t vecX,
                                 cusparseDnVecDescr_t vecY)
{
    struct work w = {0};
    cusparseStatus_t status = begin_vectors(handle, vecX, vecY, &w);
    return CUSPARSE_END(
        status ? status
               : cusparse_launch(handle, KERNEL_put, vecX->type, w.pieces, &w));
}

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c_coeff,
                             const void *s_coeff, cusparseSpVecDescr_t vecX,
                             cusparseDnVecDescr_t vecY)
{
    struct work w = {0};
    cusparseStatus_t status = begin_vectors(handle, vecX, vecY, &w);
    if (!status && (!c_coeff || !s_coeff))
        status = WRONG;
    if (status)
        return CUSPARSE_END(status);
    w.alpha =
        cusparse_scalar(handle, cusparse_scalar_type(vecX->type), c_coeff);
    w.beta = cusparse_scalar(handle, cusparse_scalar_type(vecX->type), s_coeff);
    return CUSPARSE_END(
        cusparse_launch(handle, KERNEL_rot, vecX->type, w.pieces, &w));
}

static cusparseStatus_t set_dot(cusparseHandle_t handle,
                                cusparseOperation_t opX,
                                const struct cusparseSpVecDescr *x,
                                const struct cusparseDnVecDescr *y,
                                cudaDataType compute, struct work *w)
{
    cusparseStatus_t status = begin_vectors(handle, x, y, w);
    if (status)
        return status;
    if (!check_op(opX) || opX == CUSPARSE_OPERATION_TRANSPOSE)
        return WRONG;
    w->a.is_conjugate = opX == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    w->y = (struct dense){.rows = 1, .cols = 1, .type = compute};
    return cusparse_has_product(x->type, y->type, compute, compute)
               ? CUSPARSE_STATUS_SUCCESS
               : cusparse_refused_type(compute);
}

cusparseStatus_t
cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX,
                        cusparseConstSpVecDescr_t vecX,
                        cusparseConstDnVecDescr_t vecY, const void *result,
                        cudaDataType computeType, size_t *bufferSize)
{
    struct work w = {0};
    cusparseStatus_t status = set_dot(handle, opX, vecX, vecY, computeType, &w);
    if (!status && (!bufferSize || !result))
        status = WRONG;
    if (!status)
        *bufferSize = 8;
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX,
                              cusparseConstSpVecDescr_t vecX,
                              cusparseConstDnVecDescr_t vecY, void *result,
                              cudaDataType computeType, void *externalBuffer)
{
    struct work w = {0};
    (void)externalBuffer;
    cusparseStatus_t status = set_dot(handle, opX, vecX, vecY, computeType, &w);
    if (!status && !result)
        status = WRONG;
    if (status)
        return CUSPARSE_END(status);
    bool is_host = handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST;
    w.y.at = result;
    status = cusparse_launch(handle, KERNEL_dot, computeType, 1, &w);
    if (!status && is_host && !lib_is_capturing(handle->stream))
        status = cusparse_wait(handle);
    return CUSPARSE_END(status);
}

/* ---- sparse and dense ------------------------------------------------- */

static cusparseStatus_t set_pair(cusparseHandle_t handle,
                                 const struct cusparseSpMatDescr *sparse,
                                 const struct cusparseDnMatDescr *dense,
                                 struct work *w)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (status)
        return status;
    if (!sparse || !dense)
        return WRONG;
    w->x = cusparse_dense(dense, CUSPARSE_OPERATION_NON_TRANSPOSE);
    w->pieces = cusparse_pieces(dense->rows * dense->cols);
    status = cusparse_view(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &w->a);
    if (status)
        return status;
    bool is_swapped = w->a.is_transposed;
    if ((is_swapped ? w->a.minors : w->a.majors) != dense->rows ||
        (is_swapped ? w->a.majors : w->a.minors) != dense->cols)
        return WRONG;
    if (sparse->type != dense->type || sparse->batch > 1 || dense->batch > 1)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Dense to sparse: w->c is the result. */
static cusparseStatus_t set_result(cusparseHandle_t handle,
                                   const struct cusparseDnMatDescr *dense,
                                   const struct cusparseSpMatDescr *sparse,
                                   cusparseDenseToSparseAlg_t alg,
                                   struct work *w)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (!status && sparse &&
        (sparse->format == CUSPARSE_FORMAT_BSR ||
         sparse->format == CUSPARSE_FORMAT_SLICED_ELLPACK))
        status = CUSPARSE_STATUS_NOT_SUPPORTED;
    if (!status)
        status = set_pair(handle, sparse, dense, w);
    w->c = w->a;
    return !status && alg ? WRONG : status;
}

static bool is_ell(const struct cusparseSpMatDescr *m)
{
    return m->slice || m->format == CUSPARSE_FORMAT_BLOCKED_ELL;
}

cusparseStatus_t cusparseSparseToDense_bufferSize(
    cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
    cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t alg,
    size_t *bufferSize)
{
    struct work w = {0};
    cusparseStatus_t status = set_pair(handle, matA, matB, &w);
    if (!status && (!bufferSize || alg))
        status = WRONG;
    if (!status && is_ell(matA))
        status = CUSPARSE_STATUS_NOT_SUPPORTED;
    if (!status)
        *bufferSize = 8;
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle,
                                       cusparseConstSpMatDescr_t matA,
                                       cusparseDnMatDescr_t matB,
                                       cusparseSparseToDenseAlg_t alg,
                                       void *externalBuffer)
{
    struct work w = {0};
    (void)externalBuffer;
    cusparseStatus_t status = set_pair(handle, matA, matB, &w);
    if (!status && alg)
        status = WRONG;
    if (!status && is_ell(matA))
        status = CUSPARSE_STATUS_NOT_SUPPORTED;
    return CUSPARSE_END(status ? status
                               : cusparse_launch(handle, KERNEL_densify,
                                                 matA->type, w.pieces, &w));
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(
    cusparseHandle_t handle, cusparseConstDnMatDescr_t matA,
    cusparseSpMatDescr_t matB, cusparseDenseToSparseAlg_t alg,
    size_t *bufferSize)
{
    struct work w = {0};
    cusparseStatus_t status = set_result(handle, matA, matB, alg, &w);
    if (!status && !bufferSize)
        status = WRONG;
    if (!status)
        *bufferSize = 8;
    return CUSPARSE_END(status);
}

/* The host is told the number of entries, so this waits. */
static cusparseStatus_t count_entries(cusparseHandle_t handle,
                                      cudaDataType type, struct work *w,
                                      int64_t *nnz)
{
    cusparseStatus_t status = cusparse_check_wait(handle);
    w->counts = nnz;
    if (!status)
        status = cusparse_launch(handle, KERNEL_count, type, w->pieces, w);
    w->total = (struct list){nnz, true};
    w->n = w->c.majors;
    if (!status && !w->c.is_coo)
        status = structure_finish(handle, w);
    return status ? status : cusparse_wait(handle);
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t matA,
                                                cusparseSpMatDescr_t matB,
                                                cusparseDenseToSparseAlg_t alg,
                                                void *externalBuffer)
{
    struct work w = {0};
    int64_t nnz = 0;
    (void)externalBuffer;
    cusparseStatus_t status = set_result(handle, matA, matB, alg, &w);
    if (status || w.c.ell_blocks)
        return CUSPARSE_END(status);
    if (!w.c.is_coo && !w.c.major.at)
        return CUSPARSE_END(WRONG);
    status = count_entries(handle, matA->type, &w, &nnz);
    if (!status)
        matB->nnz = nnz;
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                               cusparseConstDnMatDescr_t matA,
                                               cusparseSpMatDescr_t matB,
                                               cusparseDenseToSparseAlg_t alg,
                                               void *externalBuffer)
{
    struct work w = {0};
    (void)externalBuffer;
    cusparseStatus_t status = set_result(handle, matA, matB, alg, &w);
    if (!status && ((!w.c.major.at && !w.c.ell_blocks) ||
                    (w.c.nnz && (!w.c.minor.at || !w.c.values))))
        status = WRONG;
    if (status)
        return CUSPARSE_END(status);
    if (w.c.is_coo)
        w.pieces = 1;
    return CUSPARSE_END(
        cusparse_launch(handle, w.c.ell_blocks ? KERNEL_collect : KERNEL_keep,
                        matA->type, w.pieces, &w));
}
