/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse by sparse: the structure in _compute, the numbers in _copy. */
#include "structure.h"

#include <stdlib.h>

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

struct cusparseSpGEMMDescr {
    int64_t *counts; /* where each row of the result begins, once computed */
    CUstream stream; /* whose kernels read it */
};

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr)
{
    if (!descr)
        return CUSPARSE_END(WRONG);
    *descr = calloc(1, sizeof **descr);
    return CUSPARSE_END(*descr ? CUSPARSE_STATUS_SUCCESS
                               : CUSPARSE_STATUS_ALLOC_FAILED);
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr)
{
    if (!descr)
        return CUSPARSE_END(WRONG);
    if (descr->counts)
        lib_synchronize(descr->stream);
    free(descr->counts);
    free(descr);
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

static cusparseStatus_t
set(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, const struct cusparseSpMatDescr *a,
    const struct cusparseSpMatDescr *b, const void *beta,
    const struct cusparseSpMatDescr *c, cudaDataType compute,
    cusparseSpGEMMDescr_t descr, struct work *w)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (!alpha || !beta || !a || !b || !c || !descr || !check_op(opA) ||
        !check_op(opB) || a->cols != b->rows || c->rows != a->rows ||
        c->cols != b->cols)
        return WRONG;
    if (opA || opB || a->format != CUSPARSE_FORMAT_CSR || a->batch > 1 ||
        b->format != CUSPARSE_FORMAT_CSR || c->format != CUSPARSE_FORMAT_CSR ||
        a->type != compute || b->type != compute || c->type != compute)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    status = cusparse_view(a, opA, &w->a);
    if (!status)
        status = cusparse_view(b, opB, &w->b);
    if (!status)
        status = cusparse_view(c, opA, &w->c);
    w->alpha = cusparse_scalar(handle, compute, alpha);
    w->beta = cusparse_scalar(handle, compute, beta);
    w->pieces = cusparse_pieces(a->nnz * 8);
    return status;
}

cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t matA,
    cusparseConstSpMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
    cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr, size_t *bufferSize1,
    void *externalBuffer1)
{
    struct work w = {0};
    (void)alg;
    cusparseStatus_t status = set(handle, opA, opB, alpha, matA, matB, beta,
                                  matC, computeType, spgemmDescr, &w);
    if (!status && !bufferSize1)
        status = WRONG;
    if (!status && !externalBuffer1)
        *bufferSize1 = 8;
    return CUSPARSE_END(status);
}

/* Waits: the program asks matC for the number of entries next. */
static cusparseStatus_t find_structure(cusparseHandle_t handle, struct work *w,
                                       cusparseSpMatDescr_t c,
                                       cusparseSpGEMMDescr_t descr)
{
    cusparseStatus_t status = cusparse_check_wait(handle);
    if (status)
        return status;
    int64_t *counts = calloc((size_t)w->a.majors + 1, sizeof *counts);
    if (!counts)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    w->counts = counts;
    status = cusparse_status(lib_run(&structure_spgemm, handle->stream, 1, w));
    if (!status)
        status = cusparse_wait(handle);
    if (status) {
        free(counts);
        return status;
    }
    free(descr->counts);
    descr->counts = counts;
    descr->stream = handle->stream;
    c->nnz = counts[w->a.majors];
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_compute(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t matA,
    cusparseConstSpMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
    cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr, size_t *bufferSize2,
    void *externalBuffer2)
{
    struct work w = {0};
    (void)alg;
    cusparseStatus_t status = set(handle, opA, opB, alpha, matA, matB, beta,
                                  matC, computeType, spgemmDescr, &w);
    if (!status && !bufferSize2)
        status = WRONG;
    if (status)
        return CUSPARSE_END(status);
    if (externalBuffer2)
        return CUSPARSE_END(find_structure(handle, &w, matC, spgemmDescr));
    *bufferSize2 = 8;
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

cusparseStatus_t
cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                    cusparseOperation_t opB, const void *alpha,
                    cusparseConstSpMatDescr_t matA,
                    cusparseConstSpMatDescr_t matB, const void *beta,
                    cusparseSpMatDescr_t matC, cudaDataType computeType,
                    cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr)
{
    struct work w = {0};
    (void)alg;
    cusparseStatus_t status = set(handle, opA, opB, alpha, matA, matB, beta,
                                  matC, computeType, spgemmDescr, &w);
    if (!status && (!spgemmDescr->counts || !w.c.major.at ||
                    (w.c.nnz && (!w.c.minor.at || !w.c.values))))
        status = WRONG;
    if (status)
        return CUSPARSE_END(status);
    w.counts = spgemmDescr->counts;
    spgemmDescr->stream = handle->stream;
    return CUSPARSE_END(
        cusparse_launch(handle, KERNEL_spgemm, computeType, w.pieces, &w));
}
