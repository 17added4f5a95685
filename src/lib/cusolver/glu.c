/* SPDX-License-Identifier: Apache-2.0 */
/* GLU (undeclared.h): makes factors by cusolverRf, and refines solutions by
 * them. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cusolverRf.h"
#include "sparse_call.h"
#include "undeclared.h"

enum { GLU_MAGIC = 0x756c6763, REFINEMENTS_MAX = 10, ROOM_BYTES = 8 };

struct csrgluInfo {
    uint32_t magic;
    cusolverRfHandle_t factors;
    int n, nnz; /* of A; n is 0 before Setup */
    bool is_factored;
    int *p, *q;
};

static bool is_info(csrgluInfo_t info)
{
    return info && info->magic == GLU_MAGIC;
}

#define CHECK(handle, is_valid)                                                \
    do {                                                                       \
        if (!(handle))                                                         \
            return CUSOLVER_STATUS_NOT_INITIALIZED;                            \
        if (!(is_valid))                                                       \
            return CUSOLVER_STATUS_INVALID_VALUE;                              \
    } while (0)

cusolverStatus_t cusolverSpCreateGluInfo(csrgluInfo_t *info)
{
    if (!info)
        return CUSOLVER_STATUS_INVALID_VALUE;
    struct csrgluInfo *new = calloc(1, sizeof *new);
    if (!new)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    cusolverStatus_t status = cusolverRfCreate(&new->factors);
    if (status) {
        free(new);
        return status;
    }
    new->magic = GLU_MAGIC;
    *info = new;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpDestroyGluInfo(csrgluInfo_t info)
{
    if (!info)
        return CUSOLVER_STATUS_SUCCESS;
    if (!is_info(info))
        return CUSOLVER_STATUS_INVALID_VALUE;
    cusolverRfDestroy(info->factors);
    free(info->p);
    free(info->q);
    info->magic = 0;
    free(info);
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- set-up ----------------------------------------------------------- */

/* A and the two triangles of M with indices from 0. One allocation, which is
 * freed by its beginning, `zeros`. */
struct patterns {
    int *a_start, *a_index, *l_start, *l_index, *u_start, *u_index;
    double *zeros; /* the values of A for now */
};

static bool make_patterns(const struct sparse *a, const struct sparse *m,
                          struct patterns *out)
{
    size_t n = (size_t)a->m + 1, nnz_a = (size_t)sparse_count(a);
    size_t nnz_m = (size_t)sparse_count(m);
    double *all = calloc(
        nnz_a * sizeof *all + (3 * n + nnz_a + 2 * nnz_m) * sizeof(int) + 1, 1);
    if (!all)
        return false;
    int *at = (int *)(all + nnz_a);
    *out = (struct patterns){at, at + n, 0, 0, 0, 0, all};
    out->l_start = out->a_index + nnz_a;
    out->l_index = out->l_start + n;
    out->u_start = out->l_index + nnz_m;
    out->u_index = out->u_start + n;
    for (size_t i = 0; i < n; i++)
        out->a_start[i] = a->start[i] - a->base;
    for (size_t p = 0; p < nnz_a; p++)
        out->a_index[p] = a->index[p] - a->base;
    for (int i = 0, l = 0, u = 0; i < m->m; i++) {
        for (int p = m->start[i]; p < m->start[i + 1]; p++) {
            int column = m->index[p - m->base] - m->base;
            if (column < i)
                out->l_index[l++] = column;
            else
                out->u_index[u++] = column;
        }
        out->l_start[i + 1] = l;
        out->u_start[i + 1] = u;
    }
    return true;
}

static cusolverStatus_t keep_order(csrgluInfo_t info, int n, const int *p,
                                   const int *q)
{
    size_t bytes = (size_t)n * sizeof(int);
    free(info->p);
    free(info->q);
    info->p = malloc(bytes);
    info->q = malloc(bytes);
    info->n = 0;
    info->is_factored = false;
    if (!info->p || !info->q)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    memcpy(info->p, p, bytes);
    memcpy(info->q, q, bytes);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpDgluSetup(
    cusolverSpHandle_t handle, int m, int nnzA, const cusparseMatDescr_t descrA,
    const int *h_csrRowPtrA, const int *h_csrColIndA, const int *h_P,
    const int *h_Q, int nnzM, const cusparseMatDescr_t descrM,
    const int *h_csrRowPtrM, const int *h_csrColIndM, csrgluInfo_t info)
{
    struct sparse a, f;
    CHECK(handle, is_info(info) && m > 0 && h_P && h_Q &&
                      sparse_matrix(BLAS_D, m, m, nnzA, descrA, h_csrRowPtrA,
                                    h_csrRowPtrA, h_csrColIndA, &a) &&
                      sparse_matrix(BLAS_D, m, m, nnzM, descrM, h_csrRowPtrM,
                                    h_csrRowPtrM, h_csrColIndM, &f) &&
                      sparse_is_sound(&a) && sparse_is_sound(&f) &&
                      sparse_count(&a) == nnzA && sparse_count(&f) == nnzM);
    struct patterns s;
    cusolverStatus_t status = keep_order(info, m, h_P, h_Q);
    if (status || !make_patterns(&a, &f, &s))
        return CUSOLVER_STATUS_ALLOC_FAILED;
    status = cusolverRfSetupHost(m, nnzA, s.a_start, s.a_index, s.zeros,
                                 s.l_start[m], s.l_start, s.l_index, NULL,
                                 s.u_start[m], s.u_start, s.u_index, NULL,
                                 info->p, info->q, info->factors);
    free(s.zeros);
    if (!status) {
        info->n = m;
        info->nnz = nnzA;
    }
    return status;
}

/* All memory is allocated: the workspace is not used. */
cusolverStatus_t cusolverSpDgluBufferSize(cusolverSpHandle_t handle,
                                          csrgluInfo_t info,
                                          size_t *pBufferSize)
{
    CHECK(handle, is_info(info) && info->n && pBufferSize);
    *pBufferSize = ROOM_BYTES;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpDgluAnalysis(cusolverSpHandle_t handle,
                                        csrgluInfo_t info, void *workspace)
{
    (void)workspace;
    CHECK(handle, is_info(info) && info->n);
    return cusolverRfAnalyze(info->factors);
}

cusolverStatus_t cusolverSpDgluReset(cusolverSpHandle_t handle, int m, int nnzA,
                                     const cusparseMatDescr_t descrA,
                                     const double *d_csrValA,
                                     const int *d_csrRowPtrA,
                                     const int *d_csrColIndA, csrgluInfo_t info)
{
    (void)descrA;
    CHECK(handle, is_info(info) && info->n && m == info->n &&
                      nnzA == info->nnz && d_csrValA && d_csrRowPtrA &&
                      d_csrColIndA);
    if (lib_synchronize(handle->stream))
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    return cusolverRfResetValues(m, nnzA, (int *)d_csrRowPtrA,
                                 (int *)d_csrColIndA, (double *)d_csrValA,
                                 info->p, info->q, info->factors);
}

cusolverStatus_t cusolverSpDgluFactor(cusolverSpHandle_t handle,
                                      csrgluInfo_t info, void *workspace)
{
    (void)workspace;
    CHECK(handle, is_info(info) && info->n);
    cusolverStatus_t status = cusolverRfRefactor(info->factors);
    info->is_factored = status == CUSOLVER_STATUS_SUCCESS ||
                        status == CUSOLVER_STATUS_ZERO_PIVOT;
    return status;
}

/* ---- solution --------------------------------------------------------- */

struct residual {
    struct sparse a;
    const double *b, *x;
    double *r;           /* b - A x */
    double most, likely; /* the largest |r|, and that which rounding explains */
};

static void find_residual(const void *args, uint64_t first, uint64_t end)
{
    (void)first, (void)end; /* one tile */
    struct residual *w = *(struct residual *const *)args;
    const struct sparse *a = &w->a;
    const double *value = a->value;
    w->most = w->likely = 0;
    for (int i = 0; i < a->m; i++) {
        double sum = w->b[i], size = fabs(w->b[i]);
        for (int p = a->start[i] - a->base; p < a->start[i + 1] - a->base;
             p++) {
            double product = value[p] * w->x[a->index[p] - a->base];
            sum -= product;
            size += fabs(product);
        }
        w->r[i] = sum;
        w->most = isnan(sum) ? INFINITY : fmax(w->most, fabs(sum));
        w->likely = fmax(w->likely, size);
    }
    w->likely *= 4 * DBL_EPSILON;
}

static CUresult run_residual(CUstream stream, struct residual *w)
{
    static const struct native_kernel k = {"cusolver_glu_residual",
                                           find_residual,
                                           sizeof(struct residual *), 1 << 18};
    CUresult err = lib_run(&k, stream, 1, &w);
    return err ? err : lib_synchronize(stream);
}

/* x += A^-1 r until the largest |r| is one that rounding explains, or is no
 * longer halved, or REFINEMENTS_MAX steps are done. */
static cusolverStatus_t refine_solution(csrgluInfo_t info, CUstream stream,
                                        struct residual *w, double *x)
{
    int n = info->n;
    double before = INFINITY;
    for (int i = 0;; i++) {
        if (run_residual(stream, w))
            return CUSOLVER_STATUS_EXECUTION_FAILED;
        if (w->most <= w->likely || !(w->most < before / 2) ||
            i == REFINEMENTS_MAX)
            return CUSOLVER_STATUS_SUCCESS;
        before = w->most;
        cusolverStatus_t status = cusolverRfSolve(info->factors, info->p,
                                                  info->q, 1, NULL, n, w->r, n);
        if (status)
            return status;
        for (int j = 0; j < n; j++)
            x[j] += w->r[j];
    }
}

cusolverStatus_t
cusolverSpDgluSolve(cusolverSpHandle_t handle, int m, int nnzA,
                    const cusparseMatDescr_t descrA, const double *d_csrValA,
                    const int *d_csrRowPtrA, const int *d_csrColIndA,
                    const double *d_b0, double *d_x, int *ite_refine_succ,
                    double *r_nrminf_ptr, csrgluInfo_t info, void *workspace)
{
    (void)workspace;
    struct residual w = {.x = d_x};
    CHECK(handle, is_info(info) && info->is_factored && m == info->n &&
                      nnzA == info->nnz && d_b0 && d_x && ite_refine_succ &&
                      r_nrminf_ptr);
    if (lib_synchronize(handle->stream))
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    CHECK(handle, sparse_matrix(BLAS_D, m, m, nnzA, descrA, d_csrValA,
                                d_csrRowPtrA, d_csrColIndA, &w.a));
    size_t bytes = (size_t)m * sizeof(double);
    double *b = malloc(2 * bytes);
    if (!b)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    w.b = b;
    w.r = b + m;
    memcpy(b, d_b0, bytes);
    memmove(d_x, d_b0, bytes);
    cusolverStatus_t status =
        cusolverRfSolve(info->factors, info->p, info->q, 1, NULL, m, d_x, m);
    if (!status)
        status = refine_solution(info, handle->stream, &w, d_x);
    free(b);
    if (status)
        return status;
    *ite_refine_succ = w.most <= w.likely;
    *r_nrminf_ptr = w.most;
    return CUSOLVER_STATUS_SUCCESS;
}

/* ---- a norm ----------------------------------------------------------- */

struct norm {
    const double *x;
    int n;
    double most;
};

static void find_norm(const void *args, uint64_t first, uint64_t end)
{
    (void)first, (void)end; /* one tile */
    struct norm *w = *(struct norm *const *)args;
    for (int i = 0; i < w->n; i++)
        w->most = fmax(w->most, fabs(w->x[i]));
}

cusolverStatus_t cusolverSpDnrminf(cusolverSpHandle_t handle, int n,
                                   const double *x, double *result,
                                   void *d_work)
{
    static const struct native_kernel k = {"cusolver_nrminf", find_norm,
                                           sizeof(struct norm *), 1 << 18};
    (void)d_work;
    CHECK(handle, n >= 0 && (x || !n) && result);
    struct norm w = {x, n, 0}, *at = &w;
    if (lib_run(&k, handle->stream, 1, &at) || lib_synchronize(handle->stream))
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    *result = w.most;
    return CUSOLVER_STATUS_SUCCESS;
}
