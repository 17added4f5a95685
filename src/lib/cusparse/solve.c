/* SPDX-License-Identifier: Apache-2.0 */
/* Triangles: SpSV and SpSM. The analysis finds levels; without, a tile solves
 * a column, row by row. */
#include "levels.h"

#include "lib/common/pending.h"

#include <stdlib.h>
#include <string.h>

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

struct solver {
    bool is_analysed;
    struct levels levels;
    struct sparse a;        /* as analysed */
    void *values;           /* new ones, or NULL: the matrix's */
    struct pending pending; /* kernels that use values or levels */
};
struct cusparseSpSVDescr {
    struct solver s;
};
struct cusparseSpSMDescr {
    struct solver s;
};

/* Waits for the kernels that read the values and the levels. */
static void release_solver(struct solver *s)
{
    pending_wait(&s->pending);
    free(s->values);
    s->values = NULL;
    levels_free(&s->levels);
}

/* ---- new values ------------------------------------------------------- */

struct update {
    struct sparse a;
    const char *from;
    char *to;
    int64_t bytes;
    bool is_diagonal;
};

static void update_values(const void *args, uint64_t first, uint64_t end)
{
    const struct update *u = args;
    (void)first, (void)end;
    if (!u->is_diagonal) {
        memcpy(u->to, u->from, (size_t)(u->a.nnz * u->bytes));
        return;
    }
    for (int64_t i = 0; i < u->a.majors; i++)
        for (struct cursor e = sparse_row(&u->a, i); sparse_next(&e);)
            if (e.minor == i)
                memcpy(u->to + e.at * u->bytes, u->from + i * u->bytes,
                       (size_t)u->bytes);
}

static const struct native_kernel update_kernel = {
    "cusparse_update", update_values, sizeof(struct update), 0};

/* Copies new values of all entries, or of the diagonal only, once what was
 * solved with the old ones in any stream has been. */
static cusparseStatus_t update_solver(cusparseHandle_t handle, struct solver *s,
                                      const void *values, unsigned part)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (status)
        return status;
    if (!s || !s->is_analysed || !values || part > 1)
        return WRONG;
    if (s->a.slice || s->a.block_rows != 1)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    int64_t bytes = cusparse_type_bytes(s->a.type);
    struct update u = {s->a, s->a.values, s->values, bytes, false};
    status = cusparse_status(pending_order(&s->pending, handle->stream));
    if (status)
        return status;
    if (!s->values) {
        u.to = s->values = malloc((size_t)(s->a.nnz * bytes) + 1);
        if (!s->values)
            return CUSPARSE_STATUS_ALLOC_FAILED;
        status =
            cusparse_status(lib_run(&update_kernel, handle->stream, 1, &u));
    }
    u.from = values;
    u.is_diagonal = part == CUSPARSE_SPSV_UPDATE_DIAGONAL;
    if (!status)
        status =
            cusparse_status(lib_run(&update_kernel, handle->stream, 1, &u));
    pending_note(&s->pending, handle->stream);
    return status;
}

/* ----------------------------------------------------------------------- */

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
        if (descr)                                                             \
            release_solver(&descr->s);                                         \
        free(descr);                                                           \
        return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);                          \
    }                                                                          \
    cusparseStatus_t cusparse##name##_updateMatrix(                            \
        cusparseHandle_t handle, cusparse##name##Descr_t descr,                \
        void *newValues, cusparse##name##Update_t updatePart)                  \
    {                                                                          \
        return CUSPARSE_END(update_solver(handle, descr ? &descr->s : NULL,    \
                                          newValues, updatePart));             \
    }
DESCRIPTION(SpSV)
DESCRIPTION(SpSM)

/* Levels are of rows: a transposed triangle has none. */
static cusparseStatus_t analyse_triangle(cusparseHandle_t handle,
                                         const struct work *w, struct solver *s)
{
    release_solver(s);
    s->a = w->a;
    cusparseStatus_t status = CUSPARSE_STATUS_SUCCESS;
    if (!w->a.is_transposed)
        status = levels_find(handle, w, &s->levels);
    s->is_analysed = !status;
    return status;
}

static cusparseStatus_t run_solver(cusparseHandle_t handle, cudaDataType type,
                                   struct work *w, struct solver *s)
{
    if (s->values)
        w->a.values = s->values;
    bool has_levels = s->levels.order && w->y.cols < lib_thread_count();
    cusparseStatus_t status =
        has_levels ? levels_run(handle, KERNEL_solve_rows, type, w, &s->levels)
                   : cusparse_launch(handle, KERNEL_solve, type, w->y.cols, w);
    if (s->values || has_levels)
        pending_note(&s->pending, handle->stream);
    return status;
}

static cusparseStatus_t begin_solver(cusparseHandle_t handle,
                                     cusparseOperation_t op, const void *alpha,
                                     const struct cusparseSpMatDescr *a,
                                     cudaDataType compute, struct work *w)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (status)
        return status;
    if (!alpha || !a || !check_op(op) || a->rows != a->cols ||
        !can_conjugate(op, a->type))
        return WRONG;
    if (a->type != compute || a->batch > 1 || !cusparse_is_native(compute) ||
        a->format == CUSPARSE_FORMAT_BLOCKED_ELL ||
        a->block_rows != a->block_cols)
        return cusparse_refused_type(compute);
    status = cusparse_view(a, op, &w->a);
    if (!status)
        w->alpha = cusparse_scalar(handle, compute, alpha);
    return status;
}

/* Only the solution needs vectors. */
static cusparseStatus_t set_spsv(cusparseHandle_t handle,
                                 cusparseOperation_t op, const void *alpha,
                                 const struct cusparseSpMatDescr *a,
                                 const struct cusparseDnVecDescr *x,
                                 const struct cusparseDnVecDescr *y,
                                 cudaDataType compute, struct work *w)
{
    cusparseStatus_t status = begin_solver(handle, op, alpha, a, compute, w);
    if (status)
        return status;
    if ((x && x->size != w->a.majors) || (y && y->size != w->a.majors))
        return WRONG;
    if ((x && x->type != compute) || (y && y->type != compute))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    w->x = x ? cusparse_vector(x) : (struct dense){0};
    w->y = y ? cusparse_vector(y) : (struct dense){0};
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
    return CUSPARSE_END(status ? status
                               : analyse_triangle(handle, &w, &spsvDescr->s));
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
    if (!status && (!vecX || !vecY || !spsvDescr || alg))
        status = WRONG;
    if (!status && !spsvDescr->s.is_analysed)
        status = CUSPARSE_STATUS_NOT_INITIALIZED;
    return CUSPARSE_END(
        status ? status : run_solver(handle, computeType, &w, &spsvDescr->s));
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
    cusparseStatus_t status = begin_solver(handle, opA, alpha, a, compute, w);
    if (status)
        return status;
    if (!b || !c || !check_op(opB))
        return WRONG;
    w->x = cusparse_dense(b, opB);
    w->y = cusparse_dense(c, CUSPARSE_OPERATION_NON_TRANSPOSE);
    if (w->x.rows != w->a.majors || w->y.rows != w->a.majors ||
        w->x.cols != w->y.cols)
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
    return CUSPARSE_END(status ? status
                               : analyse_triangle(handle, &w, &spsmDescr->s));
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
    if (!status && (!spsmDescr || !spsmDescr->s.is_analysed || alg))
        status = WRONG;
    return CUSPARSE_END(
        status ? status : run_solver(handle, computeType, &w, &spsmDescr->s));
}
