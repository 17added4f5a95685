/* SPDX-License-Identifier: Apache-2.0 */
/* csrlu's factors as one matrix M: undeclared.h. */
#include <math.h>
#include <string.h>

#include "sparse_call.h"
#include "undeclared.h"

cusolverStatus_t cusolverSpXcsrluConfigHost(csrluInfoHost_t info, int reorder)
{
    if (!info || !sparse_is_info(&info->as) || (unsigned)reorder > 1)
        return CUSOLVER_STATUS_INVALID_VALUE;
    info->as.is_reordered = reorder;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpXcsrluNnzMHost(cusolverSpHandle_t handle,
                                          int *nnzMRef, csrluInfoHost_t info)
{
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!info || !sparse_has_factors(&info->as) || !nnzMRef)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *nnzMRef = (int)(info->as.f->l.count + info->as.f->u.count);
    return CUSOLVER_STATUS_SUCCESS;
}

/* The call, and where P, Q and M go. */
struct joining {
    struct sparse_call call;
    int *p, *q, *start, *index;
    void *value;
};

/* A triangle by rows. */
struct rows {
    int *start, *index;
    char *value;
};

static struct rows new_rows(struct sparse_call *c, int64_t count)
{
    return (struct rows){sparse_new(&c->room, c->info->f->n + 1, sizeof(int)),
                         sparse_new(&c->room, count, sizeof(int)),
                         sparse_new(&c->room, count, blas_bytes(c->a.type))};
}

/* Copies row i of a triangle to M from entry `put` on; returns where the next
 * one goes. */
static int append_row(const struct joining *j, const struct rows *from, int i,
                      int put)
{
    size_t bytes = blas_bytes(j->call.a.type);
    int first = from->start[i], count = from->start[i + 1] - first;
    for (int k = 0; k < count; k++)
        j->index[put + k] = from->index[first + k] + j->call.a.base;
    if (j->value)
        memcpy((char *)j->value + (size_t)put * bytes,
               from->value + (size_t)first * bytes, (size_t)count * bytes);
    return put + count;
}

static void run_join(struct sparse_call *c)
{
    struct joining *j = (struct joining *)c;
    const struct sparse_factor *f = c->info->f;
    const int *step = sparse_steps(&c->room, f, j->p, j->q);
    struct rows l = new_rows(c, f->l.count), u = new_rows(c, f->u.count);
    sparse_engines[c->a.type].split(f, step, l.start, l.index, l.value, u.start,
                                    u.index, u.value);
    int put = 0;
    for (int i = 0; i < f->n; i++) {
        j->start[i] = put + c->a.base;
        put = append_row(j, &u, i, append_row(j, &l, i, put));
    }
    j->start[f->n] = put + c->a.base;
}

static cusolverStatus_t join_factors(cusolverSpHandle_t handle,
                                     csrluInfoHost_t info,
                                     cusparseMatDescr_t descr,
                                     struct joining *j, enum blas_type type)
{
    bool is_valid = info && sparse_has_factors(&info->as) && j->p && j->q &&
                    j->index &&
                    sparse_matrix(type, 0, 0, 0, descr, NULL, j->start,
                                  j->index, &j->call.a);
    j->call.run = run_join;
    j->call.info = is_valid ? &info->as : NULL;
    j->call.a.type = type;
    return sparse_do(handle, is_valid, &j->call);
}

/* Magnitudes: the largest and smallest on U's diagonal, the largest in L. */
struct sizes {
    double most, least, most_below;
};

static double size_at(const void *value, enum blas_type type, int64_t i)
{
    const float *f = value;
    const double *d = value;
    switch (type) {
    case BLAS_S:
        return fabs((double)f[i]);
    case BLAS_D:
        return fabs(d[i]);
    case BLAS_C:
        return hypot((double)f[2 * i], (double)f[2 * i + 1]);
    default:
        return hypot(d[2 * i], d[2 * i + 1]);
    }
}

static struct sizes find_sizes(const struct sparse_factor *f,
                               enum blas_type type)
{
    struct sizes s = {0, f->n ? f->diagonal[0] : 0, f->n ? 1 : 0};
    for (int k = 0; k < f->n; k++) {
        s.most = fmax(s.most, f->diagonal[k]);
        s.least = fmin(s.least, f->diagonal[k]);
    }
    for (int64_t i = 0; i < f->l.count; i++)
        s.most_below = fmax(s.most_below, size_at(f->l.value, type, i));
    return s;
}

#define TYPED(s, T, R, blas_type)                                              \
    cusolverStatus_t cusolverSp##s##csrluExtractMHost(                         \
        cusolverSpHandle_t handle, int *P, int *Q,                             \
        const cusparseMatDescr_t descrM, T *csrValM, int *csrRowPtrM,          \
        int *csrColIndM, csrluInfoHost_t info, void *pBuffer)                  \
    {                                                                          \
        (void)pBuffer;                                                         \
        struct joining j = {.p = P,                                            \
                            .q = Q,                                            \
                            .start = csrRowPtrM,                               \
                            .index = csrColIndM,                               \
                            .value = csrValM};                                 \
        return join_factors(handle, info, descrM, &j, blas_type);              \
    }                                                                          \
    cusolverStatus_t cusolverSp##s##csrlucondHost(                             \
        csrluInfoHost_t info, R *maxDiagU, R *minDiagU, R *maxL)               \
    {                                                                          \
        if (!info || !sparse_has_factors(&info->as) || !maxDiagU ||            \
            !minDiagU || !maxL)                                                \
            return CUSOLVER_STATUS_INVALID_VALUE;                              \
        struct sizes sizes = find_sizes(info->as.f, blas_type);                \
        *maxDiagU = (R)sizes.most;                                             \
        *minDiagU = (R)sizes.least;                                            \
        *maxL = (R)sizes.most_below;                                           \
        return CUSOLVER_STATUS_SUCCESS;                                        \
    }
TYPED(S, float, float, BLAS_S)
TYPED(D, double, double, BLAS_D)
TYPED(C, cuComplex, float, BLAS_C)
TYPED(Z, cuDoubleComplex, double, BLAS_Z)
