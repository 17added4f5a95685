/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that name their type: factors, three diagonals, sums. */
#include "internal.h"

#include <stdlib.h>

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

/* ---- incomplete factors ----------------------------------------------- */

struct factor_info {
    int64_t pivot;   /* of the last factor: a row, or -1 */
    CUstream stream; /* whose kernel writes it */
    bool is_used;
};
struct csrilu02Info {
    struct factor_info f;
};
struct csric02Info {
    struct factor_info f;
};

#define FACTOR_INFO(Name, name)                                                \
    cusparseStatus_t cusparseCreate##Name##Info(name##Info_t *info)            \
    {                                                                          \
        if (!info)                                                             \
            return CUSPARSE_END(WRONG);                                        \
        *info = malloc(sizeof **info);                                         \
        if (!*info)                                                            \
            return CUSPARSE_END(CUSPARSE_STATUS_ALLOC_FAILED);                 \
        (*info)->f = (struct factor_info){.pivot = -1};                        \
        return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);                          \
    }                                                                          \
    cusparseStatus_t cusparseDestroy##Name##Info(name##Info_t info)            \
    {                                                                          \
        if (info && info->f.is_used && !lib_is_capturing(info->f.stream))      \
            lib_synchronize(info->f.stream);                                   \
        free(info);                                                            \
        return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);                          \
    }                                                                          \
    cusparseStatus_t cusparseX##name##_zeroPivot(                              \
        cusparseHandle_t handle, name##Info_t info, int *position)             \
    {                                                                          \
        cusparseStatus_t status = cusparse_check_handle(handle);               \
        if (!status && (!info || !position))                                   \
            status = WRONG;                                                    \
        if (!status)                                                           \
            status = cusparse_check_wait(handle);                              \
        if (!status)                                                           \
            status = cusparse_wait(handle);                                    \
        if (status)                                                            \
            return CUSPARSE_END(status);                                       \
        *position = (int)info->f.pivot;                                        \
        return CUSPARSE_END(*position < 0 ? CUSPARSE_STATUS_SUCCESS            \
                                          : CUSPARSE_STATUS_ZERO_PIVOT);       \
    }
FACTOR_INFO(Csrilu02, csrilu02)
FACTOR_INFO(Csric02, csric02)

static cusparseStatus_t check_factor(cusparseHandle_t handle, int m, int nnz,
                                     cusparseMatDescr_t descr, const void *val,
                                     const int *ptr, const int *ind,
                                     const void *info)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (m < 0 || nnz < 0 || !descr || !ptr || !info || (nnz && (!val || !ind)))
        return WRONG;
    return descr->type == CUSPARSE_MATRIX_TYPE_GENERAL
               ? CUSPARSE_STATUS_SUCCESS
               : CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

static cusparseStatus_t factor(cusparseHandle_t handle, enum kernel kernel,
                               cudaDataType type, int m, int nnz,
                               cusparseMatDescr_t descr, void *val,
                               const int *ptr, const int *ind,
                               struct factor_info *info)
{
    cusparseStatus_t status =
        check_factor(handle, m, nnz, descr, val, ptr, ind, info);
    if (status || !m)
        return status;
    struct work w = {.a = cusparse_csr(m, m, nnz, descr, val, ptr, ind),
                     .out = &info->pivot};
    info->stream = handle->stream;
    info->is_used = true;
    return cusparse_launch(handle, kernel, type, 1, &w);
}

/* ---- three diagonals -------------------------------------------------- */

struct system {
    int64_t n, count, step, stride; /* of elements, of systems */
    const void *low, *mid, *up;
    struct dense x;
};

static cusparseStatus_t gtsv(cusparseHandle_t handle, cudaDataType type,
                             bool is_valid, const struct system *s,
                             void *buffer)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (!is_valid || !s->low || !s->mid || !s->up || !s->x.at || !buffer)
        return WRONG;
    struct work w = {.n = s->n, .x = s->x, .out = buffer};
    w.a.values = (void *)s->low;
    w.b.values = (void *)s->mid;
    w.c.values = (void *)s->up;
    w.a.major_stride = s->step;
    w.a.value_stride = s->stride;
    return cusparse_launch(handle, KERNEL_gtsv, type, s->count, &w);
}

static cusparseStatus_t gtsv_bytes(cusparseHandle_t handle, cudaDataType type,
                                   bool is_valid, int64_t n, int64_t count,
                                   size_t *bytes)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (!status && (!is_valid || !bytes))
        status = WRONG;
    if (!status)
        *bytes = (size_t)(4 * n * count * cusparse_type_bytes(type)) + 8;
    return status;
}

/* ---- sums ------------------------------------------------------------- */

cusparseStatus_t cusparseXcsrgeam2Nnz(
    cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA,
    int nnzA, const int *csrSortedRowPtrA, const int *csrSortedColIndA,
    const cusparseMatDescr_t descrB, int nnzB, const int *csrSortedRowPtrB,
    const int *csrSortedColIndB, const cusparseMatDescr_t descrC,
    int *csrSortedRowPtrC, int *nnzTotalDevHostPtr, void *workspace)
{
    (void)workspace;
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return CUSPARSE_END(status);
    if (m < 0 || n < 0 || nnzA < 0 || nnzB < 0 || !descrA || !descrB ||
        !descrC || !csrSortedRowPtrA || !csrSortedRowPtrB ||
        !csrSortedRowPtrC || !nnzTotalDevHostPtr)
        return CUSPARSE_END(WRONG);
    struct work w = {
        .a = cusparse_csr(m, n, nnzA, descrA, NULL, csrSortedRowPtrA,
                          csrSortedColIndA),
        .b = cusparse_csr(m, n, nnzB, descrB, NULL, csrSortedRowPtrB,
                          csrSortedColIndB),
        .c = cusparse_csr(m, n, 0, descrC, NULL, csrSortedRowPtrC, NULL),
        .out = nnzTotalDevHostPtr};
    bool is_host = handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST;
    if (is_host)
        status = cusparse_check_wait(handle);
    if (!status)
        status =
            cusparse_status(lib_run(&structure_geam, handle->stream, 1, &w));
    if (!status && is_host)
        status = cusparse_wait(handle);
    return CUSPARSE_END(status);
}

static cusparseStatus_t geam(cusparseHandle_t handle, cudaDataType type,
                             const void *alpha, const void *beta,
                             struct work *w)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (!alpha || !beta || w->a.majors < 0 || w->a.minors < 0 ||
        !w->a.major.at || !w->b.major.at || !w->c.major.at ||
        (w->a.nnz && (!w->a.values || !w->a.minor.at)) ||
        (w->b.nnz && (!w->b.values || !w->b.minor.at)))
        return WRONG;
    w->alpha = cusparse_scalar(handle, type, alpha);
    w->beta = cusparse_scalar(handle, type, beta);
    w->pieces = cusparse_pieces(w->a.nnz + w->b.nnz);
    return cusparse_launch(handle, KERNEL_geam, type, w->pieces, w);
}

#define TYPE       CUDA_R_32F
#define T          float
#define NAME(name) cusparseS##name
#include "lib/cusparse/legacy_typed.h"
#undef TYPE
#undef T
#undef NAME

#define TYPE       CUDA_R_64F
#define T          double
#define NAME(name) cusparseD##name
#include "lib/cusparse/legacy_typed.h"
#undef TYPE
#undef T
#undef NAME

#define TYPE       CUDA_C_32F
#define T          cuComplex
#define NAME(name) cusparseC##name
#include "lib/cusparse/legacy_typed.h"
#undef TYPE
#undef T
#undef NAME

#define TYPE       CUDA_C_64F
#define T          cuDoubleComplex
#define NAME(name) cusparseZ##name
#include "lib/cusparse/legacy_typed.h"
