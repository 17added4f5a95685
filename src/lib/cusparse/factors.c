/* SPDX-License-Identifier: Apache-2.0 */
/* Incomplete factors, and triangles in blocks: functions with an info object
 * that remembers the analysis and the first zero pivot. Entries of blocks are
 * visited one by one, as those of CSR. */
#include "levels.h"

#include "lib/common/pending.h"

#include <stdlib.h>

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

struct info {
    int64_t pivot;          /* of the last call: a row of blocks, or -1 */
    struct pending pending; /* kernels that write it or read levels */
    bool is_analysed, has_boost;
    struct scalar tolerance, boost;
    struct levels levels;
};

static void info_init(struct info *i)
{
    *i = (struct info){.pivot = -1};
}

static void info_fini(struct info *i)
{
    pending_wait(&i->pending);
    levels_free(&i->levels);
}

/* Waits for the handle's stream, and the last call's if that is another. */
static cusparseStatus_t zero_pivot(cusparseHandle_t handle, struct info *info,
                                   int *position)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (!status && (!info || !position || !info->is_analysed))
        status = WRONG;
    if (!status)
        status = cusparse_check_wait(handle);
    if (!status)
        status = cusparse_wait(handle);
    if (status)
        return status;
    pending_wait(&info->pending);
    *position = (int)info->pivot;
    return *position < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

#define INFO(Name, name)                                                       \
    struct name##Info {                                                        \
        struct info i;                                                         \
    };                                                                         \
    cusparseStatus_t cusparseCreate##Name##Info(name##Info_t *info)            \
    {                                                                          \
        if (!info)                                                             \
            return CUSPARSE_END(WRONG);                                        \
        *info = malloc(sizeof **info);                                         \
        if (!*info)                                                            \
            return CUSPARSE_END(CUSPARSE_STATUS_ALLOC_FAILED);                 \
        info_init(&(*info)->i);                                                \
        return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);                          \
    }                                                                          \
    cusparseStatus_t cusparseDestroy##Name##Info(name##Info_t info)            \
    {                                                                          \
        if (info)                                                              \
            info_fini(&info->i);                                               \
        free(info);                                                            \
        return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);                          \
    }                                                                          \
    cusparseStatus_t cusparseX##name##_zeroPivot(                              \
        cusparseHandle_t handle, name##Info_t info, int *position)             \
    {                                                                          \
        return CUSPARSE_END(                                                   \
            zero_pivot(handle, info ? &info->i : NULL, position));             \
    }
INFO(Csrilu02, csrilu02)
INFO(Csric02, csric02)
INFO(Bsrilu02, bsrilu02)
INFO(Bsric02, bsric02)
INFO(Bsrsv2, bsrsv2)
INFO(Bsrsm2, bsrsm2)

/* ---- the steps -------------------------------------------------------- */

/* A matrix in blocks of dim x dim: 1 is CSR. */
struct matrix {
    cusparseMatDescr_t descr;
    const void *val;
    const int *ptr, *ind;
    int rows, nnz, dim;
    cusparseDirection_t dir;
    cusparseSolvePolicy_t policy;
};

static cusparseStatus_t view_matrix(cusparseHandle_t handle, cudaDataType type,
                                    const struct matrix *m,
                                    const struct info *info, struct work *w)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (m->rows < 1 || m->nnz < 1 || m->dim < 1 || (unsigned)m->dir > 1 ||
        (unsigned)m->policy > CUSPARSE_SOLVE_POLICY_USE_LEVEL || !m->descr ||
        !m->ptr || !m->val || !m->ind || !info)
        return WRONG;
    if (m->descr->type != CUSPARSE_MATRIX_TYPE_GENERAL)
        return CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
    w->a = cusparse_bsr(cusparse_csr(m->rows, m->rows, m->nnz, m->descr, type,
                                     m->val, m->ptr, m->ind),
                        m->dir, m->dim, m->dim);
    return CUSPARSE_STATUS_SUCCESS;
}

/* The bytes of a buffer, as int or as size_t: one of both is asked for. */
static cusparseStatus_t ask_bytes(cusparseHandle_t handle, cudaDataType type,
                                  const struct matrix *m,
                                  const struct info *info, int *few,
                                  size_t *many)
{
    struct work w = {0};
    cusparseStatus_t status = view_matrix(handle, type, m, info, &w);
    if (!status && !few && !many)
        status = WRONG;
    if (!status && few)
        *few = 8;
    if (!status && many)
        *many = 8;
    return status;
}

struct diagonal {
    struct sparse a;
    int64_t *pivot;
};

/* One tile. The first row of blocks that has none on the diagonal, or -1. */
static void find_gap(const void *args, uint64_t first, uint64_t end)
{
    const struct diagonal *d = args;
    const struct sparse *a = &d->a;
    (void)first, (void)end;
    *d->pivot = -1;
    for (int64_t i = 0; i < a->majors && !a->is_unit; i++) {
        bool is_there = false;
        for (struct cursor e = sparse_row(a, i); !is_there && sparse_next(&e);)
            is_there = e.minor == i;
        if (is_there)
            continue;
        *d->pivot = i / a->block_rows + a->base;
        return;
    }
}

static const struct native_kernel gap_kernel = {"cusparse_find_gap", find_gap,
                                                sizeof(struct diagonal), 0};

/* Finds the levels of the triangle, the lower one for a factor, and a pivot
 * that is zero because it is missing. */
static cusparseStatus_t analyse_levels(cusparseHandle_t handle,
                                       cudaDataType type,
                                       const struct matrix *m,
                                       struct info *info, const void *buffer,
                                       bool is_factor)
{
    struct work w = {0};
    cusparseStatus_t status = view_matrix(handle, type, m, info, &w);
    if (!status && !buffer)
        status = WRONG;
    if (status)
        return status;
    w.a.is_lower = w.a.is_lower || is_factor;
    w.a.is_unit = w.a.is_unit && !is_factor;
    pending_wait(&info->pending);
    status = levels_find(handle, &w, &info->levels);
    if (!status) {
        struct diagonal d = {w.a, &info->pivot};
        status = cusparse_status(lib_run(&gap_kernel, handle->stream, 1, &d));
        pending_note(&info->pending, handle->stream);
    }
    info->is_analysed = !status;
    return status;
}

/* Forgets the pivot of the call before, in the stream's order. */
static void forget_pivot(const void *args, uint64_t first, uint64_t end)
{
    (void)first, (void)end;
    **(int64_t *const *)args = -1;
}

static const struct native_kernel forget_kernel = {
    "cusparse_forget_pivot", forget_pivot, sizeof(int64_t *), 0};

static cusparseStatus_t report_into(cusparseHandle_t handle, struct info *info,
                                    struct work *w)
{
    int64_t *pivot = &info->pivot;
    w->out = pivot;
    return cusparse_status(lib_run(&forget_kernel, handle->stream, 1, &pivot));
}

/* Runs `whole` over tiles, or with levels `by_levels`; notes both. */
static cusparseStatus_t run_rows(cusparseHandle_t handle, cudaDataType type,
                                 enum kernel whole, enum kernel by_levels,
                                 int64_t tiles, bool has_levels,
                                 struct info *info, struct work *w)
{
    cusparseStatus_t status = report_into(handle, info, w);
    if (!status && has_levels)
        status = levels_run(handle, by_levels, type, w, &info->levels);
    else if (!status)
        status = cusparse_launch(handle, whole, type, tiles, w);
    pending_note(&info->pending, handle->stream);
    return status;
}

static cusparseStatus_t run_factor(cusparseHandle_t handle, enum kernel kernel,
                                   cudaDataType type, const struct matrix *m,
                                   struct info *info)
{
    struct work w = {0};
    cusparseStatus_t status = view_matrix(handle, type, m, info, &w);
    if (!status && !info->is_analysed)
        status = CUSPARSE_STATUS_INTERNAL_ERROR; /* as NVIDIA's library */
    if (status)
        return status;
    w.more = info->has_boost ? info : NULL;
    w.alpha = info->tolerance;
    w.beta = info->boost;
    w.end = w.a.majors;
    w.pieces = 1;
    return run_rows(handle, type, kernel, kernel, 1, info->levels.order, info,
                    &w);
}

static cusparseStatus_t set_boost(cusparseHandle_t handle, cudaDataType type,
                                  struct info *info, int enable,
                                  const double *tol, const void *value)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (!info)
        return WRONG;
    if (enable && (!tol || !value))
        return CUSPARSE_STATUS_INTERNAL_ERROR; /* as NVIDIA's library */
    info->has_boost = enable;
    if (!enable)
        return CUSPARSE_STATUS_SUCCESS;
    info->tolerance = cusparse_scalar(handle, CUDA_R_64F, tol);
    info->boost = cusparse_scalar(handle, type, value);
    return CUSPARSE_STATUS_SUCCESS;
}

/* w has x, y and alpha; op is of the matrix. */
static cusparseStatus_t
solve_triangle(cusparseHandle_t handle, cudaDataType type,
               cusparseOperation_t op, const void *alpha,
               const struct matrix *m, struct info *info, struct work *w)
{
    cusparseStatus_t status = view_matrix(handle, type, m, info, w);
    if (!status && (!check_op(op) || !alpha || !info->is_analysed ||
                    w->y.cols < 1 || !w->x.at || !w->y.at))
        status = WRONG;
    if (status)
        return status;
    w->alpha = cusparse_scalar(handle, type, alpha);
    w->a.is_transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    w->a.is_conjugate = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    return run_rows(handle, type, KERNEL_solve, KERNEL_solve_rows, w->y.cols,
                    info->levels.order && !w->a.is_transposed, info, w);
}

/* rows x cols, or with op its transpose in memory. */
static struct dense right_side(cudaDataType type, const void *at, int64_t rows,
                               int64_t cols, int64_t ld, cusparseOperation_t op)
{
    bool is_n = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    return (struct dense){.at = (void *)at,
                          .rows = rows,
                          .cols = cols,
                          .row_step = is_n ? 1 : ld,
                          .col_step = is_n ? ld : 1,
                          .is_conjugate =
                              op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE,
                          .type = type};
}

#define TYPED "lib/cusparse/factors_typed.h"
#include "lib/cusparse/each_type.h"
