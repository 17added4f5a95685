/* SPDX-License-Identifier: Apache-2.0 */
/* Entries that are large enough: counts, compression, pruning. */
#include "structure.h"

#include "lib/common/pending.h"

#include <math.h>
#include <stdlib.h>

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

struct pruneInfo {
    double threshold;       /* a kernel writes it */
    struct pending pending; /* kernels that use it */
};

cusparseStatus_t cusparseCreatePruneInfo(pruneInfo_t *info)
{
    if (!info)
        return CUSPARSE_END(WRONG);
    *info = calloc(1, sizeof **info);
    return CUSPARSE_END(*info ? CUSPARSE_STATUS_SUCCESS
                              : CUSPARSE_STATUS_ALLOC_FAILED);
}

cusparseStatus_t cusparseDestroyPruneInfo(pruneInfo_t info)
{
    if (info)
        pending_wait(&info->pending);
    free(info);
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

/* What is filtered: m x n, dense by columns, or CSR where `a` is NULL. */
struct source {
    int m, n;
    const void *a;
    int lda, nnz;
    cusparseMatDescr_t descr;
    const void *val;
    const int *ptr, *ind;
};

/* The CSR matrix that results. */
struct result {
    cusparseMatDescr_t descr;
    void *val;
    int *ptr, *ind;
};

static cusparseStatus_t begin_filter(cusparseHandle_t handle, cudaDataType type,
                                     const struct source *s,
                                     const struct result *r, struct work *w)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    bool is_csr = s->descr && s->ptr && s->nnz >= 0 && (!s->nnz || s->val);
    if (s->m < 0 || s->n < 0 || !r->descr || !r->ptr ||
        !(s->a ? s->lda >= (s->m > 1 ? s->m : 1) : is_csr))
        return WRONG;
    if (r->descr->type != CUSPARSE_MATRIX_TYPE_GENERAL)
        return CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
    w->c = cusparse_csr(s->m, s->n, 0, r->descr, type, r->val, r->ptr, r->ind);
    if (s->a)
        w->x = (struct dense){.at = (void *)s->a,
                              .rows = s->m,
                              .cols = s->n,
                              .row_step = 1,
                              .col_step = s->lda,
                              .type = type};
    else
        w->a = cusparse_csr(s->m, s->n, s->nnz, s->descr, type, s->val, s->ptr,
                            s->ind);
    w->n = s->m;
    w->pieces = cusparse_pieces(s->a ? (int64_t)s->m * s->n : s->nnz);
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- the two steps ---------------------------------------------------- */

/* Offsets of what is larger than w->alpha, and their number. */
static cusparseStatus_t count_kept(cusparseHandle_t handle, cudaDataType type,
                                   struct work *w, int *total)
{
    w->total = (struct list){total, false};
    if (total && handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST &&
        cusparse_check_wait(handle))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    cusparseStatus_t status = CUSPARSE_STATUS_SUCCESS;
    if (w->n)
        status = cusparse_launch(handle, KERNEL_count, type, w->pieces, w);
    return status ? status : structure_finish(handle, w);
}

static cusparseStatus_t keep_entries(cusparseHandle_t handle, cudaDataType type,
                                     const struct work *w)
{
    if (!w->x.at && !w->a.nnz) /* there may be no memory for it */
        return CUSPARSE_STATUS_SUCCESS;
    if (!w->c.values || !w->c.minor.at || (w->a.nnz && !w->a.minor.at))
        return WRONG;
    return w->n ? cusparse_launch(handle, KERNEL_keep, type, w->pieces, w)
                : CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t prune_count(cusparseHandle_t handle, cudaDataType type,
                                    const struct source *s,
                                    const struct result *r,
                                    const void *threshold, int *total)
{
    struct work w = {0};
    cusparseStatus_t status = begin_filter(handle, type, s, r, &w);
    if (!status && (!threshold || !total))
        status = WRONG;
    if (status)
        return status;
    w.alpha = cusparse_scalar(handle, type, threshold);
    return count_kept(handle, type, &w, total);
}

static cusparseStatus_t prune_entries(cusparseHandle_t handle,
                                      cudaDataType type, const struct source *s,
                                      const struct result *r,
                                      const void *threshold)
{
    struct work w = {0};
    cusparseStatus_t status = begin_filter(handle, type, s, r, &w);
    if (!status && !threshold)
        status = WRONG;
    if (status)
        return status;
    w.alpha = cusparse_scalar(handle, type, threshold);
    return keep_entries(handle, type, &w);
}

/* The largest magnitude that is dropped is the place_of-th smallest of all. */
static int64_t place_of(int64_t total, float percentage)
{
    int64_t place = (int64_t)ceil((double)total * percentage / 100) - 1;
    if (place > total - 1)
        place = total - 1;
    return place < 0 ? 0 : place;
}

static cusparseStatus_t share_count(cusparseHandle_t handle, cudaDataType type,
                                    const struct source *s,
                                    const struct result *r, float percentage,
                                    pruneInfo_t info, int *total)
{
    struct work w = {0};
    cusparseStatus_t status = begin_filter(handle, type, s, r, &w);
    if (status)
        return status;
    if (!info || !total || !(percentage >= 0 && percentage <= 100))
        return WRONG;
    int64_t n = w.n;
    w.n = place_of(s->a ? (int64_t)s->m * s->n : s->nnz, percentage);
    w.out = &info->threshold;
    status = cusparse_launch(handle, KERNEL_quantile, type, 1, &w);
    w.n = n;
    w.alpha = (struct scalar){.at = &info->threshold, .type = CUDA_R_64F};
    if (!status)
        status = count_kept(handle, type, &w, total);
    pending_note(&info->pending, handle->stream);
    return status;
}

static cusparseStatus_t prune_share(cusparseHandle_t handle, cudaDataType type,
                                    const struct source *s,
                                    const struct result *r, float percentage,
                                    pruneInfo_t info)
{
    struct work w = {0};
    cusparseStatus_t status = begin_filter(handle, type, s, r, &w);
    if (!status && (!info || !(percentage >= 0 && percentage <= 100)))
        status = WRONG;
    if (status)
        return status;
    w.alpha = (struct scalar){.at = &info->threshold, .type = CUDA_R_64F};
    status = keep_entries(handle, type, &w);
    pending_note(&info->pending, handle->stream);
    return status;
}

static cusparseStatus_t eight_bytes(cusparseHandle_t handle, bool is_valid,
                                    size_t *bytes)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (!status && (!is_valid || !bytes))
        status = WRONG;
    if (!status)
        *bytes = 8;
    return status;
}

#define TYPE       CUDA_R_16F
#define T          __half
#define NAME(name) cusparseH##name
#include "lib/cusparse/prune_typed.h"
#undef TYPE
#undef T
#undef NAME

#define TYPE       CUDA_R_32F
#define T          float
#define NAME(name) cusparseS##name
#include "lib/cusparse/prune_typed.h"
#undef TYPE
#undef T
#undef NAME

#define TYPE       CUDA_R_64F
#define T          double
#define NAME(name) cusparseD##name
#include "lib/cusparse/prune_typed.h"
#undef TYPE
#undef T
#undef NAME

/* ---- counts that stay counts ------------------------------------------ */

static cusparseStatus_t count_each(cusparseHandle_t handle, cudaDataType type,
                                   struct work *w, int *each, int *total)
{
    if (!each)
        return WRONG;
    if (total && handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST &&
        cusparse_check_wait(handle))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    w->total = (struct list){total, false};
    w->c.major = (struct list){each - 1, false};
    cusparseStatus_t status =
        w->n ? cusparse_launch(handle, KERNEL_count, type, w->pieces, w)
             : CUSPARSE_STATUS_SUCCESS;
    return status || !total ? status
                            : structure_end(handle, &structure_total, w);
}

/* total: NULL if only the counts are wanted. */
static cusparseStatus_t count_dense(cusparseHandle_t handle, cudaDataType type,
                                    cusparseDirection_t dir,
                                    const struct source *s, int *each,
                                    int *total)
{
    struct work w = {0};
    bool is_row = dir == CUSPARSE_DIRECTION_ROW;
    cusparseStatus_t status = begin_filter(
        handle, type, s, &(struct result){s->descr, NULL, each, NULL}, &w);
    if (!status && ((unsigned)dir > 1 || !s->a))
        status = WRONG;
    if (status)
        return status;
    w.c.is_transposed = !is_row;
    w.c.majors = w.n = is_row ? s->m : s->n;
    w.c.minors = is_row ? s->n : s->m;
    return count_each(handle, type, &w, each, total);
}

static cusparseStatus_t count_large(cusparseHandle_t handle, cudaDataType type,
                                    const struct source *s, double tol,
                                    int *each, int *total)
{
    struct work w = {.alpha = {.real = tol}};
    cusparseStatus_t status = begin_filter(
        handle, type, s, &(struct result){s->descr, NULL, each, NULL}, &w);
    if (!status && (!(tol >= 0) || !total))
        status = WRONG;
    return status ? status : count_each(handle, type, &w, each, total);
}

static cusparseStatus_t compress_entries(cusparseHandle_t handle,
                                         cudaDataType type,
                                         const struct source *s, double tol,
                                         const struct result *r)
{
    struct work w = {.alpha = {.real = tol}};
    cusparseStatus_t status = begin_filter(handle, type, s, r, &w);
    if (!status && !(tol >= 0))
        status = WRONG;
    if (!status)
        status = count_kept(handle, type, &w, NULL);
    return status ? status : keep_entries(handle, type, &w);
}

/* ---- y = alpha op(A) x + beta y, x sparse ------------------------------ */

static cusparseStatus_t
multiply_sparse_vector(cusparseHandle_t handle, cudaDataType type,
                       cusparseOperation_t op, const struct source *s,
                       const void *alpha, const void *beta, void *y,
                       cusparseIndexBase_t base)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    /* An H200 takes any number of columns and leading dimension. */
    if (!check_op(op) || s->m < 0 || s->nnz < 0 || (unsigned)base > 1 ||
        !alpha || !beta || !y || !s->a || (s->nnz && (!s->val || !s->ind)))
        return WRONG;
    bool is_n = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    int64_t rows = is_n ? s->m : s->n, cols = is_n ? s->n : s->m;
    struct work w = {.a = {.base = base,
                           .nnz = s->nnz,
                           .minor = {s->ind, false},
                           .values = (void *)s->val,
                           .type = type},
                     .x = {(void *)s->a, rows, cols, is_n ? 1 : s->lda,
                           is_n ? s->lda : 1, 0,
                           op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, type},
                     .y = {y, rows, 1, 1, rows, 0, false, type},
                     .alpha = cusparse_scalar(handle, type, alpha),
                     .beta = cusparse_scalar(handle, type, beta),
                     .pieces = cusparse_pieces(rows * (s->nnz + 1))};
    return rows > 0 ? cusparse_launch(handle, KERNEL_gemvi, type, w.pieces, &w)
                    : CUSPARSE_STATUS_SUCCESS;
}

#define TYPED "lib/cusparse/filters_typed.h"
#include "lib/cusparse/each_type.h"
