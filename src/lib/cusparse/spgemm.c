/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse by sparse: the structure in _compute or _nnz, the numbers later. */
#include "structure.h"

#include "lib/common/pending.h"

#include <stdlib.h>

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

struct cusparseSpGEMMDescr {
    int64_t *counts;  /* where each row of the result begins, once computed */
    int64_t products; /* that the result takes, once asked for */
    bool is_estimated;
    struct pending pending; /* kernels that read counts */
};

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descr)
{
    if (!descr)
        return CUSPARSE_END(WRONG);
    *descr = calloc(1, sizeof **descr);
    return CUSPARSE_END(*descr ? CUSPARSE_STATUS_SUCCESS
                               : CUSPARSE_STATUS_ALLOC_FAILED);
}

/* Waits for the kernels that read them. */
static void free_counts(cusparseSpGEMMDescr_t descr)
{
    pending_wait(&descr->pending);
    free(descr->counts);
    descr->counts = NULL;
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr)
{
    if (descr)
        free_counts(descr);
    free(descr);
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

/* alpha and beta are NULL where no numbers are computed. */
static cusparseStatus_t
set_matrices(cusparseHandle_t handle, cusparseOperation_t opA,
             cusparseOperation_t opB, const struct cusparseSpMatDescr *a,
             const struct cusparseSpMatDescr *b,
             const struct cusparseSpMatDescr *c, cusparseSpGEMMAlg_t alg,
             cusparseSpGEMMDescr_t descr, struct work *w)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (status)
        return status;
    if ((unsigned)alg > CUSPARSE_SPGEMM_ALG3 || !a || !b || !c || !descr ||
        !check_op(opA) || !check_op(opB) ||
        a->cols != b->rows || c->rows != a->rows || c->cols != b->cols)
        return WRONG;
    if (opA || opB || a->format != CUSPARSE_FORMAT_CSR || a->batch > 1 ||
        b->format != CUSPARSE_FORMAT_CSR || c->format != CUSPARSE_FORMAT_CSR ||
        a->type != b->type || a->type != c->type)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    status = cusparse_view(a, opA, &w->a);
    if (!status)
        status = cusparse_view(b, opB, &w->b);
    if (!status)
        status = cusparse_view(c, opA, &w->c);
    w->pieces = cusparse_pieces(a->nnz * 8);
    return status;
}

static cusparseStatus_t
set_typed(cusparseHandle_t handle, cusparseOperation_t opA,
          cusparseOperation_t opB, const void *alpha,
          const struct cusparseSpMatDescr *a,
          const struct cusparseSpMatDescr *b, const void *beta,
          const struct cusparseSpMatDescr *c, cudaDataType compute,
          cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr, struct work *w)
{
    cusparseStatus_t status =
        set_matrices(handle, opA, opB, a, b, c, alg, descr, w);
    if (status)
        return status;
    if (!alpha || !beta)
        return WRONG;
    if (!cusparse_has_product(a->type, a->type, a->type, compute))
        return cusparse_refused_type(compute);
    w->alpha = cusparse_scalar(handle, compute, alpha);
    w->beta = cusparse_scalar(handle, compute, beta);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Waits. */
static cusparseStatus_t count_products(cusparseHandle_t handle, struct work *w,
                                       cusparseSpGEMMDescr_t descr)
{
    cusparseStatus_t status = cusparse_check_wait(handle);
    if (status)
        return status;
    w->out = &descr->products;
    status =
        cusparse_status(lib_run(&structure_products, handle->stream, 1, w));
    if (!status)
        status = cusparse_wait(handle);
    descr->is_estimated = !status;
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
    cusparseStatus_t status =
        set_typed(handle, opA, opB, alpha, matA, matB, beta, matC, computeType,
                  alg, spgemmDescr, &w);
    if (!status && !bufferSize1)
        status = WRONG;
    if (!status && !externalBuffer1)
        *bufferSize1 = 8;
    if (!status && externalBuffer1)
        status = count_products(handle, &w, spgemmDescr);
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
    if (w->a.majors)
        status = cusparse_status(lib_run(&structure_product, handle->stream,
                                         (uint64_t)w->pieces, w));
    if (!status)
        status = cusparse_wait(handle);
    for (int64_t i = 0; i < w->a.majors && !status; i++)
        counts[i + 1] += counts[i];
    if (status) {
        free(counts);
        return status;
    }
    free_counts(descr);
    descr->counts = counts;
    c->nnz = counts[w->a.majors];
    return CUSPARSE_STATUS_SUCCESS;
}

static bool is_ready(const struct work *w, cusparseSpGEMMDescr_t descr)
{
    return descr->counts && w->c.major.at &&
           (!w->c.nnz || (w->c.minor.at && w->c.values));
}

/* The offsets and columns of the result. */
static cusparseStatus_t fill_structure(cusparseHandle_t handle, struct work *w,
                                       cusparseSpGEMMDescr_t descr)
{
    cusparseStatus_t status;
    if (!is_ready(w, descr))
        return WRONG;
    w->counts = descr->counts;
    status = cusparse_status(
        lib_run(&structure_columns, handle->stream, (uint64_t)w->pieces, w));
    pending_note(&descr->pending, handle->stream);
    return status;
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
    cusparseStatus_t status =
        set_typed(handle, opA, opB, alpha, matA, matB, beta, matC, computeType,
                  alg, spgemmDescr, &w);
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
    cusparseStatus_t status =
        set_typed(handle, opA, opB, alpha, matA, matB, beta, matC, computeType,
                  alg, spgemmDescr, &w);
    if (!status)
        status = fill_structure(handle, &w, spgemmDescr);
    return CUSPARSE_END(status ? status
                               : cusparse_launch(handle, KERNEL_spgemm,
                                                 computeType, w.pieces, &w));
}

cusparseStatus_t
cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t spgemmDescr,
                              int64_t *num_prods)
{
    if (!spgemmDescr || !num_prods || !spgemmDescr->is_estimated)
        return CUSPARSE_END(WRONG);
    *num_prods = spgemmDescr->products;
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

cusparseStatus_t cusparseSpGEMM_estimateMemory(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t matA,
    cusparseConstSpMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
    cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr, float chunk_fraction,
    size_t *bufferSize3, void *externalBuffer3, size_t *bufferSize2)
{
    struct work w = {0};
    (void)chunk_fraction;
    cusparseStatus_t status =
        set_typed(handle, opA, opB, alpha, matA, matB, beta, matC, computeType,
                  alg, spgemmDescr, &w);
    if (!status && (!bufferSize3 || (externalBuffer3 && !bufferSize2)))
        status = WRONG;
    if (status)
        return CUSPARSE_END(status);
    *(externalBuffer3 ? bufferSize2 : bufferSize3) = 8;
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

/* ---- the structure once, numbers often -------------------------------- */

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
    cusparseSpMatDescr_t matC, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr, size_t *bufferSize1,
    void *externalBuffer1)
{
    struct work w = {0};
    cusparseStatus_t status =
        set_matrices(handle, opA, opB, matA, matB, matC, alg, spgemmDescr, &w);
    if (!status && !bufferSize1)
        status = WRONG;
    if (!status && !externalBuffer1)
        *bufferSize1 = 8;
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseSpGEMMreuse_nnz(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
    cusparseSpMatDescr_t matC, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr, size_t *bufferSize2,
    void *externalBuffer2, size_t *bufferSize3, void *externalBuffer3,
    size_t *bufferSize4, void *externalBuffer4)
{
    struct work w = {0};
    cusparseStatus_t status =
        set_matrices(handle, opA, opB, matA, matB, matC, alg, spgemmDescr, &w);
    if (!status && (!bufferSize2 || !bufferSize3 || !bufferSize4))
        status = WRONG;
    if (status)
        return CUSPARSE_END(status);
    if (externalBuffer2 && externalBuffer3 && externalBuffer4)
        return CUSPARSE_END(find_structure(handle, &w, matC, spgemmDescr));
    *bufferSize2 = *bufferSize3 = *bufferSize4 = 8;
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

cusparseStatus_t cusparseSpGEMMreuse_copy(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
    cusparseSpMatDescr_t matC, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr, size_t *bufferSize5,
    void *externalBuffer5)
{
    struct work w = {0};
    cusparseStatus_t status =
        set_matrices(handle, opA, opB, matA, matB, matC, alg, spgemmDescr, &w);
    if (!status && !bufferSize5)
        status = WRONG;
    if (!status && externalBuffer5)
        status = fill_structure(handle, &w, spgemmDescr);
    if (!status && !externalBuffer5)
        *bufferSize5 = 8;
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseSpGEMMreuse_compute(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    const void *alpha, cusparseConstSpMatDescr_t matA,
    cusparseConstSpMatDescr_t matB, const void *beta, cusparseSpMatDescr_t matC,
    cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr)
{
    struct work w = {0};
    cusparseStatus_t status =
        set_typed(handle, opA, opB, alpha, matA, matB, beta, matC, computeType,
                  alg, spgemmDescr, &w);
    if (!status && !is_ready(&w, spgemmDescr))
        status = WRONG;
    return CUSPARSE_END(status ? status
                               : cusparse_launch(handle, KERNEL_spgemm,
                                                 computeType, w.pieces, &w));
}
