/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of sparse and dense matrices with operators of the program's own,
 * which it passes as link-time code: C = epilogue(sum of mul(A, B), C).
 */
#include "operators.h"

#include <stdio.h>
#include <stdlib.h>

#include "internal.h"
#include "lib/common/functions.h"

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

extern const char operators_ptx[];

struct cusparseSpMMOpPlan {
    cusparseHandle_t handle;
    struct lib_loaded loaded;
    struct operators_args args;
};

static char letter_of(cudaDataType compute)
{
    static const char letters[] = "sdcz";
    return compute == CUDA_R_32I ? 'i' : letters[cusparse_type_index(compute)];
}

static cusparseStatus_t
check_matrices(cusparseHandle_t handle, cusparseOperation_t opA,
               cusparseOperation_t opB, const struct cusparseSpMatDescr *a,
               const struct cusparseDnMatDescr *b,
               const struct cusparseDnMatDescr *c, cudaDataType compute)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (status)
        return status;
    if (!a || !b || !c || !check_op(opA) || !check_op(opB))
        return WRONG;
    struct dense x = cusparse_dense(b, opB);
    if (x.rows != a->cols || x.cols != c->cols || a->rows != c->rows)
        return WRONG;
    if (opA || opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ||
        a->format != CUSPARSE_FORMAT_CSR || a->batch != 1 || b->batch != 1 ||
        c->batch != 1)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return cusparse_has_product(a->type, b->type, c->type, compute)
               ? CUSPARSE_STATUS_SUCCESS
               : cusparse_refused_type(compute);
}

static struct operators_dense dense_args(const struct cusparseDnMatDescr *m,
                                         cusparseOperation_t op)
{
    struct dense d = cusparse_dense(m, op);
    return (struct operators_dense){d.at, d.row_step, d.col_step, d.type};
}

static struct operators_args
operators_args_of(const struct cusparseSpMatDescr *a,
                  const struct cusparseDnMatDescr *b, cusparseOperation_t opB,
                  const struct cusparseDnMatDescr *c)
{
    return (struct operators_args){
        .offsets = a->major,
        .columns = a->minor,
        .values = a->values,
        .has_wide_offsets = a->major_type == CUSPARSE_INDEX_64I,
        .has_wide_columns = a->minor_type == CUSPARSE_INDEX_64I,
        .base = a->base,
        .type = a->type,
        .rows = c->rows,
        .cols = c->cols,
        .b = dense_args(b, opB),
        .c = dense_args(c, CUSPARSE_OPERATION_NON_TRANSPOSE),
    };
}

static cusparseStatus_t link_operators(struct cusparseSpMMOpPlan *p,
                                       char letter, struct lib_function *f)
{
    char names[LIB_FUNCTIONS_MAX][16], kernel[16], *linked = NULL;
    static const char *const roles[] = {"add", "mul", "end"};
    for (int i = 0; i < LIB_FUNCTIONS_MAX; i++) {
        snprintf(names[i], sizeof names[i], "weft_%s_%c", roles[i], letter);
        f[i].placeholder = names[i];
    }
    snprintf(kernel, sizeof kernel, "operators_%c", letter);
    CUresult err =
        lib_link_functions("cusparseSpMMOp_createPlan", operators_ptx, f,
                           LIB_FUNCTIONS_MAX, &linked);
    if (!err)
        err = lib_load_kernel(linked, kernel, &p->loaded);
    free(linked);
    if (err == CUDA_ERROR_OUT_OF_MEMORY)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    return err ? CUSPARSE_STATUS_INTERNAL_ERROR : CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMMOp_createPlan(
    cusparseHandle_t handle, cusparseSpMMOpPlan_t *plan,
    cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
    cusparseDnMatDescr_t matC, cudaDataType computeType,
    cusparseSpMMOpAlg_t alg, const void *addOperationNvvmBuffer,
    size_t addOperationBufferSize, const void *mulOperationNvvmBuffer,
    size_t mulOperationBufferSize, const void *epilogueNvvmBuffer,
    size_t epilogueBufferSize, size_t *SpMMWorkspaceSize)
{
    struct lib_function f[LIB_FUNCTIONS_MAX] = {
        {addOperationNvvmBuffer, addOperationBufferSize, "add_op", NULL},
        {mulOperationNvvmBuffer, mulOperationBufferSize, "mul_op", NULL},
        {epilogueNvvmBuffer, epilogueBufferSize, "epilogue", NULL},
    };
    cusparseStatus_t status =
        check_matrices(handle, opA, opB, matA, matB, matC, computeType);
    for (int i = 0; i < LIB_FUNCTIONS_MAX && !status; i++)
        if (!f[i].image || !f[i].size_bytes)
            status = WRONG;
    if (!status && (!plan || !SpMMWorkspaceSize || alg))
        status = WRONG;
    if (status)
        return CUSPARSE_END(status);
    struct cusparseSpMMOpPlan *p = calloc(1, sizeof *p);
    if (!p)
        return CUSPARSE_END(CUSPARSE_STATUS_ALLOC_FAILED);
    p->handle = handle;
    p->args = operators_args_of(matA, matB, opB, matC);
    status = link_operators(p, letter_of(computeType), f);
    if (status) {
        cusparseSpMMOp_destroyPlan(p);
        return CUSPARSE_END(status);
    }
    *plan = p;
    *SpMMWorkspaceSize = 8; /* and not looked at */
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

cusparseStatus_t cusparseSpMMOp(cusparseSpMMOpPlan_t plan, void *externalBuffer)
{
    enum { BLOCK = 256, GRID_MAX = 1 << 20 };
    (void)externalBuffer;
    if (!plan)
        return CUSPARSE_END(WRONG);
    int64_t count = plan->args.rows * plan->args.cols;
    int64_t grid = (count + BLOCK - 1) / BLOCK;
    if (!grid)
        return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
    struct lib_shape shape = {
        .grid = {(unsigned)(grid < GRID_MAX ? grid : GRID_MAX)},
        .block = {BLOCK},
    };
    void *args[] = {&plan->args};
    return CUSPARSE_END(cusparse_status(lib_launch_function(
        plan->loaded.kernel, plan->handle->stream, shape, args)));
}

cusparseStatus_t cusparseSpMMOp_destroyPlan(cusparseSpMMOpPlan_t plan)
{
    if (plan)
        lib_unload(&plan->loaded);
    free(plan);
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}
