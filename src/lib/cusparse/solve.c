/* SPDX-License-Identifier: Apache-2.0 */
/* Triangles: SpSV and SpSM. The analysis has nothing to find: a tile solves a
 * column, row by row. */
#include "internal.h"

#include <stdlib.h>

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

struct cusparseSpSVDescr {
    bool is_analysed;
};
struct cusparseSpSMDescr {
    bool is_analysed;
};

#define DESCRIPTION(name)                                                      \
    cusparseStatus_t cusparse##name##_createDescr(                             \
        cusparse##name##Descr_t *descr)                                        \
    {                                                                          \
        if (!descr)                                                            \
            return CUSPARSE_END(WRONG);                                        \
        *descr = calloc(1, sizeof **descr);                                    \
        return CUSPARSE_END(*descr ? CUSPARSE_STATUS_SUCCESS                   \
                                   : CUSPARSE_STATUS_ALLOC_FAILED);            \
    }                                                                          \
    cusparseStatus_t cusparse##name##_destroyDescr(                            \
        cusparse##name##Descr_t descr)                                         \
    {                                                                          \
        free(descr);                                                           \
        return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);                          \
    }
DESCRIPTION(SpSV)
DESCRIPTION(SpSM)

static cusparseStatus_t begin(cusparseHandle_t handle, cusparseOperation_t op,
                              const void *alpha,
                              const struct cusparseSpMatDescr *a,
                              cudaDataType compute, struct work *w)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (!alpha || !a || !check_op(op) || a->rows != a->cols)
        return WRONG;
    if (a->type != compute || a->batch > 1)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    status = cusparse_view(a, op, &w->a);
    if (!status)
        w->alpha = cusparse_scalar(handle, compute, alpha);
    return status;
}

static cusparseStatus_t set_spsv(cusparseHandle_t handle,
                                 cusparseOperation_t op, const void *alpha,
                                 const struct cusparseSpMatDescr *a,
                                 const struct cusparseDnVecDescr *x,
                                 const struct cusparseDnVecDescr *y,
                                 cudaDataType compute, struct work *w)
{
    cusparseStatus_t status = begin(handle, op, alpha, a, compute, w);
    if (status)
        return status;
    if (!x || !y || x->size != a->rows || y->size != a->rows)
        return WRONG;
    if (x->type != compute || y->type != compute)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    w->x = cusparse_vector(x);
    w->y = cusparse_vector(y);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, const void *alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
    cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t alg,
    cusparseSpSVDescr_t spsvDescr, size_t *bufferSize)
{
    struct work w = {0};
    cusparseStatus_t status =
        set_spsv(handle, opA, alpha, matA, vecX, vecY, computeType, &w);
    if (!status && (!spsvDescr || !bufferSize || alg))
        status = WRONG;
    if (!status)
        *bufferSize = 8;
    return CUSPARSE_END(status);
}

cusparseStatus_t
cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t opA,
                      const void *alpha, cusparseConstSpMatDescr_t matA,
                      cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                      cudaDataType computeType, cusparseSpSVAlg_t alg,
                      cusparseSpSVDescr_t spsvDescr, void *externalBuffer)
{
    struct work w = {0};
    (void)externalBuffer;
    cusparseStatus_t status =
        set_spsv(handle, opA, alpha, matA, vecX, vecY, computeType, &w);
    if (!status && (!spsvDescr || alg))
        status = WRONG;
    if (!status)
        spsvDescr->is_analysed = true;
    return CUSPARSE_END(status);
}

cusparseStatus_t
cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                   const void *alpha, cusparseConstSpMatDescr_t matA,
                   cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                   cudaDataType computeType, cusparseSpSVAlg_t alg,
                   cusparseSpSVDescr_t spsvDescr)
{
    struct work w = {0};
    cusparseStatus_t status =
        set_spsv(handle, opA, alpha, matA, vecX, vecY, computeType, &w);
    if (!status && (!spsvDescr || !spsvDescr->is_analysed || alg))
        status = WRONG;
    return CUSPARSE_END(
        status ? status
               : cusparse_launch(handle, KERNEL_solve, computeType, 1, &w));
}

/* ---- many right sides ------------------------------------------------- */

static cusparseStatus_t set_spsm(cusparseHandle_t handle,
                                 cusparseOperation_t opA,
                                 cusparseOperation_t opB, const void *alpha,
                                 const struct cusparseSpMatDescr *a,
                                 const struct cusparseDnMatDescr *b,
                                 const struct cusparseDnMatDescr *c,
                                 cudaDataType compute, struct work *w)
{
    cusparseStatus_t status = begin(handle, opA, alpha, a, compute, w);
    if (status)
        return status;
    if (!b || !c || !check_op(opB))
        return WRONG;
    w->x = cusparse_dense(b, opB);
    w->y = cusparse_dense(c, CUSPARSE_OPERATION_NON_TRANSPOSE);
    if (w->x.rows != a->rows || w->y.rows != a->rows || w->x.cols != w->y.cols)
        return WRONG;
    if (b->type != compute || c->type != compute || b->batch > 1 ||
        c->batch > 1)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t matA,
    cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
    cudaDataType computeType, cusparseSpSMAlg_t alg,
    cusparseSpSMDescr_t spsmDescr, size_t *bufferSize)
{
    struct work w = {0};
    cusparseStatus_t status =
        set_spsm(handle, opA, opB, alpha, matA, matB, matC, computeType, &w);
    if (!status && (!spsmDescr || !bufferSize || alg))
        status = WRONG;
    if (!status)
        *bufferSize = 8;
    return CUSPARSE_END(status);
}

cusparseStatus_t
cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA,
                      cusparseOperation_t opB, const void *alpha,
                      cusparseConstSpMatDescr_t matA,
                      cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                      cudaDataType computeType, cusparseSpSMAlg_t alg,
                      cusparseSpSMDescr_t spsmDescr, void *externalBuffer)
{
    struct work w = {0};
    (void)externalBuffer;
    cusparseStatus_t status =
        set_spsm(handle, opA, opB, alpha, matA, matB, matC, computeType, &w);
    if (!status && (!spsmDescr || alg))
        status = WRONG;
    if (!status)
        spsmDescr->is_analysed = true;
    return CUSPARSE_END(status);
}

cusparseStatus_t
cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                   cusparseOperation_t opB, const void *alpha,
                   cusparseConstSpMatDescr_t matA,
                   cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                   cudaDataType computeType, cusparseSpSMAlg_t alg,
                   cusparseSpSMDescr_t spsmDescr)
{
    struct work w = {0};
    cusparseStatus_t status =
        set_spsm(handle, opA, opB, alpha, matA, matB, matC, computeType, &w);
    if (!status && (!spsmDescr || !spsmDescr->is_analysed || alg))
        status = WRONG;
    return CUSPARSE_END(status ? status
                               : cusparse_launch(handle, KERNEL_solve,
                                                 computeType, w.y.cols, &w));
}
