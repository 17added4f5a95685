/* SPDX-License-Identifier: Apache-2.0 */
/* cusolverSp's handles and infos, and the work that its doors ask for. */
#include "sparse_call.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"

enum { SPARSE_MAGIC = 0x73706172, INFO_MAGIC = 0x696e666f };

/* ---- handles ---------------------------------------------------------- */

static bool is_handle(cusolverSpHandle_t handle)
{
    return handle && handle->magic == SPARSE_MAGIC;
}

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *handle)
{
    if (!handle)
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (lib_start() != CUDA_SUCCESS)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    struct cusolverSpContext *h = calloc(1, sizeof *h);
    if (!h)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    h->magic = SPARSE_MAGIC;
    *handle = h;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle)
{
    if (!is_handle(handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    handle->magic = 0;
    free(handle);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle,
                                     cudaStream_t streamId)
{
    if (!is_handle(handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    handle->stream = (CUstream)streamId;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle,
                                     cudaStream_t *streamId)
{
    if (!is_handle(handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!streamId)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *streamId = (cudaStream_t)handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- calls ------------------------------------------------------------ */

bool sparse_is_sound(const struct sparse *a)
{
    if (a->m > 0 && a->start[0] != a->base)
        return false;
    for (int i = 0; i < a->m; i++) {
        if (a->start[i + 1] < a->start[i])
            return false;
    }
    int count = a->m > 0 ? a->start[a->m] - a->base : 0;
    for (int p = 0; p < count; p++) {
        if ((unsigned)(a->index[p] - a->base) >= (unsigned)a->n)
            return false;
    }
    return true;
}

static void run_call(struct sparse_call *c)
{
    c->status = CUSOLVER_STATUS_SUCCESS;
    if (c->a.index && !sparse_is_sound(&c->a))
        c->status = CUSOLVER_STATUS_INVALID_VALUE;
    else if (sparse_enter(&c->room))
        c->run(c);
    else
        c->status = CUSOLVER_STATUS_ALLOC_FAILED;
    sparse_leave(&c->room);
}

static void run_tile(const void *args, uint64_t first, uint64_t end)
{
    (void)first, (void)end;
    run_call(*(struct sparse_call *const *)args);
}

static const struct native_kernel kernel = {
    "cusolver_sparse", run_tile, sizeof(struct sparse_call *), 1 << 20};

static void run_in_stream(CUstream stream, struct sparse_call *c)
{
    c->status = CUSOLVER_STATUS_NOT_SUPPORTED;
    if (lib_is_capturing(stream))
        return;
    c->status = CUSOLVER_STATUS_EXECUTION_FAILED;
    if (lib_run(&kernel, stream, 1, &c) || lib_synchronize(stream))
        c->status = CUSOLVER_STATUS_EXECUTION_FAILED;
}

cusolverStatus_t sparse_do(cusolverSpHandle_t handle, bool is_valid,
                           struct sparse_call *c)
{
    if (!is_handle(handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!is_valid)
        return c->has_other_type ? CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED
                                 : CUSOLVER_STATUS_INVALID_VALUE;
    if (c->is_on_device)
        run_in_stream(handle->stream, c);
    else
        run_call(c);
    return c->status;
}

bool sparse_has_other_type(cusparseMatDescr_t descr)
{
    int base;
    return !descr || !describe_is_general(descr, &base);
}

bool sparse_matrix(enum blas_type type, int m, int n, int nnz,
                   cusparseMatDescr_t descr, const void *value,
                   const int *start, const int *index, struct sparse *out)
{
    if (m < 0 || n < 0 || nnz < 0 || !descr || !start ||
        (nnz && (!index || !value)))
        return false;
    int base;
    bool is_general = describe_is_general(descr, &base);
    *out = (struct sparse){type, m, n, base, start, index, value};
    return is_general;
}

/* ---- calls that do all at once ---------------------------------------- */

static const struct sparse_engine *engine_of(const struct sparse_call *c)
{
    return &sparse_engines[c->a.type];
}

static const struct sparse_factor *make_factors(struct sparse_room *room,
                                                const struct sparse_call *c,
                                                const int *order)
{
    switch (c->kind) {
    case SPARSE_LU:
        return engine_of(c)->lu(room, &c->a, order, c->tol);
    case SPARSE_QR:
        return engine_of(c)->qr(room, &c->a, order, c->tol);
    default:
        return engine_of(c)->cholesky(room, &c->a, order);
    }
}

static const int *order_for(struct sparse_room *room,
                            const struct sparse_call *c)
{
    struct sparse a = c->a;
    if (c->kind == SPARSE_QR && c->order > 0)
        a = sparse_normal(room, &c->a);
    return sparse_order(room, &a, c->order);
}

void sparse_run_solve(struct sparse_call *c)
{
    double tol = c->tol;
    c->tol = c->kind == SPARSE_LU ? 1 : tol; /* LU: 1 is the threshold */
    const struct sparse_factor *f =
        make_factors(&c->room, c, order_for(&c->room, c));
    *c->position = sparse_singular(f, tol);
    if (*c->position < 0)
        engine_of(c)->solve(&c->room, f, c->b, c->x);
}

void sparse_run_least(struct sparse_call *c)
{
    const int *order = order_for(&c->room, c);
    const struct sparse_factor *f = make_factors(&c->room, c, order);
    c->left = engine_of(c)->solve(&c->room, f, c->b, c->x);
    *c->rank = 0;
    for (int k = 0; k < f->n; k++)
        *c->rank += f->row[k] >= 0;
    memcpy(c->permutation, order, (size_t)f->n * sizeof *order);
}

static const struct sparse_factor *shifted_factors(struct sparse_call *c,
                                                   const void *mu)
{
    struct sparse shifted = engine_of(c)->shift(&c->room, &c->a, mu);
    return engine_of(c)->lu(&c->room, &shifted,
                            sparse_minimum_degree(&c->room, &shifted), 1);
}

/* Some roundings beside mu0; 0: a number that is small in either type. */
static void move_shift(enum blas_type type, const void *mu0, void *out)
{
    bool is_float = type == BLAS_S || type == BLAS_C;
    memcpy(out, mu0, blas_bytes(type));
    if (is_float) {
        float *real = out;
        *real = *real == 0 ? 8 * FLT_EPSILON : *real * (1 + 8 * FLT_EPSILON);
    } else {
        double *real = out;
        *real = *real == 0 ? 8 * DBL_EPSILON : *real * (1 + 8 * DBL_EPSILON);
    }
}

void sparse_run_eigen(struct sparse_call *c)
{
    double beside[2];
    const struct sparse_factor *f = shifted_factors(c, c->mu0);
    /* mu0 is an eigenvalue itself. */
    if (sparse_singular(f, 0) >= 0) {
        move_shift(c->a.type, c->mu0, beside);
        f = shifted_factors(c, beside);
    }
    if (sparse_singular(f, 0) >= 0) {
        c->status = CUSOLVER_STATUS_INTERNAL_ERROR;
        return;
    }
    engine_of(c)->iterate(&c->room, &c->a, f, c->b, c->limit, c->tol, c->mu,
                          c->x);
}

void sparse_run_zero_free(struct sparse_call *c)
{
    *c->rank = sparse_zero_free(&c->room, &c->a, c->permutation);
}

/* ---- step by step ----------------------------------------------------- */

bool sparse_is_info(const struct sparse_info *info)
{
    return info && info->magic == INFO_MAGIC;
}

bool sparse_has_factors(const struct sparse_info *info)
{
    return sparse_is_info(info) && info->f;
}

static cusolverStatus_t create_info(void *out, size_t bytes)
{
    if (!out)
        return CUSOLVER_STATUS_INVALID_VALUE;
    struct sparse_info *info = calloc(1, bytes);
    if (!info)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    info->magic = INFO_MAGIC;
    *(struct sparse_info **)out = info;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t destroy_info(struct sparse_info *info)
{
    if (!info)
        return CUSOLVER_STATUS_SUCCESS;
    if (!sparse_is_info(info))
        return CUSOLVER_STATUS_INVALID_VALUE;
    sparse_leave(&info->factors);
    sparse_leave(&info->analysis);
    info->magic = 0;
    free(info);
    return CUSOLVER_STATUS_SUCCESS;
}

#define INFO(Kind, kind)                                                       \
    cusolverStatus_t cusolverSpCreate##Kind(kind##_t *info)                    \
    {                                                                          \
        return create_info(info, sizeof(struct kind));                         \
    }                                                                          \
    cusolverStatus_t cusolverSpDestroy##Kind(kind##_t info)                    \
    {                                                                          \
        return destroy_info((struct sparse_info *)info);                       \
    }
INFO(CsrluInfoHost, csrluInfoHost)
INFO(CsrqrInfoHost, csrqrInfoHost)
INFO(CsrqrInfo, csrqrInfo)
INFO(CsrcholInfoHost, csrcholInfoHost)
INFO(CsrcholInfo, csrcholInfo)

void sparse_run_analysis(struct sparse_call *c)
{
    struct sparse_info *info = c->info;
    info->f = NULL;
    sparse_leave(&info->factors);
    sparse_leave(&info->analysis);
    const int *order = order_for(&c->room, c);
    info->order = NULL;
    if (!sparse_enter(&info->analysis)) {
        c->status = CUSOLVER_STATUS_ALLOC_FAILED;
        return;
    }
    info->order = sparse_new(&info->analysis, c->a.n, sizeof(int));
    memcpy(info->order, order, (size_t)c->a.n * sizeof *order);
}

/* Keeps A - mu I in the info for sparse_run_factor. */
void sparse_run_setup(struct sparse_call *c)
{
    struct sparse_info *info = c->info;
    info->f = NULL;
    sparse_leave(&info->factors);
    if (sparse_enter(&info->factors))
        info->shifted = engine_of(c)->shift(&info->factors, &c->a, c->mu0);
    else
        c->status = CUSOLVER_STATUS_ALLOC_FAILED;
}

void sparse_run_factor(struct sparse_call *c)
{
    struct sparse_info *info = c->info;
    info->f = NULL;
    if (c->kind != SPARSE_QR)
        sparse_leave(&info->factors);
    if (sparse_enter(&info->factors))
        info->f = make_factors(&info->factors, c, info->order);
    else
        c->status = CUSOLVER_STATUS_ALLOC_FAILED;
    if (info->f && c->b && c->x)
        engine_of(c)->solve(&c->room, info->f, c->b, c->x);
}

void sparse_run_with_factors(struct sparse_call *c)
{
    engine_of(c)->solve(&c->room, c->info->f, c->b, c->x);
}

/* x = A^-1 b by QR, in the room; false: there is no memory. */
static __attribute__((noinline)) bool solve_by_qr(const struct sparse_call *c,
                                                  struct sparse_room *room,
                                                  const struct sparse *a,
                                                  const void *b, void *x)
{
    if (!sparse_enter(room))
        return false;
    const struct sparse_factor *f =
        engine_of(c)->qr(room, a, c->info->order, 0);
    engine_of(c)->solve(room, f, b, x);
    return true;
}

/* Values, right-hand sides and solutions of the batch follow each other. */
void sparse_run_batch(struct sparse_call *c)
{
    size_t bytes = blas_bytes(c->a.type);
    struct sparse a = c->a;
    for (int i = 0; i < c->batch && c->status == CUSOLVER_STATUS_SUCCESS; i++) {
        struct sparse_room room = {0};
        a.value = (const char *)c->a.value +
                  (size_t)i * (size_t)sparse_count(&a) * bytes;
        if (!solve_by_qr(c, &room, &a,
                         (const char *)c->b + (size_t)i * (size_t)a.m * bytes,
                         (char *)c->x + (size_t)i * (size_t)a.n * bytes))
            c->status = CUSOLVER_STATUS_ALLOC_FAILED;
        sparse_leave(&room);
    }
}
