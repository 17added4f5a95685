/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Solvers with iterative refinement. A is factored in its own type, whatever
 * lower one the program allows. So the residual is already as small as
 * refinement would make it, and there are 0 iterations. A and B stay as they
 * are.
 */
#include "internal.h"

#include <math.h>
#include <stdlib.h>

static double column_norm(enum blas_type type, const void *column, int rows)
{
    double sum = 0;
    int reals = rows << blas_is_complex(type);
    for (int i = 0; i < reals; i++) {
        double v = real_bytes(type) == 4 ? ((const float *)column)[i]
                                         : ((const double *)column)[i];
        sum += v * v;
    }
    return sqrt(sum);
}

/* The largest norm of a column of B - A X. */
static void keep_residual_norm(const struct job *j)
{
    double one[2] = {1, 0}, minus[2] = {-1, 0};
    float one_f[2] = {1, 0}, minus_f[2] = {-1, 0};
    bool is_float = real_bytes(j->type) == 4;
    int ld = j->m > 0 ? j->m : 1;
    unsigned bytes = element_bytes(j->type);
    char *r = scratch((uint64_t)j->m * j->nrhs, bytes);
    copy_matrix(j->type, r, ld, j->b, j->ldb, j->m, j->nrhs);
    blas_of(j)->gemm("N", "N", &j->m, &j->nrhs, &j->n,
                     is_float ? (void *)minus_f : minus, j->a, &j->lda, j->x,
                     &j->ldu, is_float ? (void *)one_f : one, r, &ld);
    *j->norms = 0;
    for (int64_t c = 0; c < j->nrhs; c++)
        *j->norms =
            fmax(*j->norms, column_norm(j->type, r + c * ld * bytes, j->m));
    free(r);
}

void run_gesv(const struct job *j, struct work *w, int *info)
{
    (void)w;
    struct job own = *j;
    own.op = 'N';
    own.m = j->n;
    own.lda = j->n > 0 ? j->n : 1;
    own.a = scratch((uint64_t)j->n * j->n, element_bytes(j->type));
    copy_matrix(j->type, own.a, own.lda, j->a, j->lda, j->n, j->n);
    run_getrf(&own, NULL, info);
    own.b = j->x;
    own.ldb = j->ldu;
    copy_matrix(j->type, own.b, own.ldb, j->b, j->ldb, j->n, j->nrhs);
    if (*info == 0)
        run_getrs(&own, NULL, info);
    if (*info == 0 && j->norms)
        keep_residual_norm(j);
    free(own.a);
}

/* The same with memory of its own for the pivots. */
void run_gesv_own(const struct job *j, struct work *w, int *info)
{
    struct job own = *j;
    own.pivots = scratch((uint64_t)j->n, sizeof(int));
    run_gesv(&own, w, info);
    free(own.pivots);
}

void run_gels(const struct job *j, struct work *w, int *info)
{
    unsigned bytes = element_bytes(j->type);
    int ld = j->m > 0 ? j->m : 1;
    void *a = w->at, *b = w->at;
    if (w->count >= 0) {
        a = scratch((uint64_t)j->m * j->n, bytes);
        b = scratch((uint64_t)j->m * j->nrhs, bytes);
        copy_matrix(j->type, a, ld, j->a, j->lda, j->m, j->n);
        copy_matrix(j->type, b, ld, j->b, j->ldb, j->m, j->nrhs);
    }
    weft_blas[j->type].gels("N", &j->m, &j->n, &j->nrhs, a, &ld, b, &ld, w->at,
                            &w->count, info, 1);
    if (w->count < 0)
        return;
    copy_matrix(j->type, j->x, j->ldu, b, ld, j->n, j->nrhs);
    if (*info == 0 && j->norms)
        keep_residual_norm(j);
    free(b);
    free(a);
}

enum { WORKSPACE_BYTES = WORK_ELEMENTS * sizeof(cuDoubleComplex) };

static bool check_shapes(const struct job *j)
{
    return j->n >= 0 && j->n <= j->m && j->nrhs >= 0 &&
           check_ld(j->lda, j->m) && check_ld(j->ldb, j->m) &&
           check_ld(j->ldu, j->n);
}

static cusolverStatus_t launch_solver(cusolverDnHandle_t handle,
                                      bool has_pivots, size_t bytes, int *iter,
                                      const struct job *j)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (status)
        return status;
    if (!check_shapes(j))
        return CUSOLVER_STATUS_IRS_PARAMS_INVALID;
    if (bytes < WORKSPACE_BYTES)
        return CUSOLVER_STATUS_INVALID_WORKSPACE;
    bool is_valid = check_at(j->a, j->m, j->n) &&
                    check_at(j->b, j->m, j->nrhs) &&
                    check_at(j->x, j->n, j->nrhs) && has_pivots && iter &&
                    j->info;
    status = solver_do(handle, is_valid, 1, j);
    if (!status)
        *iter = 0;
    return status;
}

static cusolverStatus_t answer_size(cusolverDnHandle_t handle,
                                    const struct job *j, size_t *bytes)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (!status && (!bytes || !check_shapes(j)))
        status = CUSOLVER_STATUS_IRS_PARAMS_INVALID;
    if (!status)
        *bytes = WORKSPACE_BYTES;
    return status;
}

#define JOB(element, ...)                                                      \
    &(struct job)                                                              \
    {                                                                          \
        .type = BLAS_TYPE_OF(element), .n = n, .nrhs = nrhs, .a = dA,          \
        .lda = ldda, .b = dB, .ldb = lddb, .x = dX, .ldu = lddx, __VA_ARGS__   \
    }
#define CUSOLVER_REFINE(letters, element)                                      \
    cusolverStatus_t cusolverDn##letters##gesv(                                \
        cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs,      \
        element *dA, cusolver_int_t ldda, cusolver_int_t *dipiv, element *dB,  \
        cusolver_int_t lddb, element *dX, cusolver_int_t lddx,                 \
        void *dWorkspace, size_t lwork_bytes, cusolver_int_t *iter,            \
        cusolver_int_t *d_info)                                                \
    {                                                                          \
        (void)dWorkspace;                                                      \
        return launch_solver(handle, check_at(dipiv, n, 1), lwork_bytes, iter, \
                             JOB(element, .run = run_gesv, .m = n,             \
                                 .pivots = dipiv, .info = d_info));            \
    }                                                                          \
    cusolverStatus_t cusolverDn##letters##gesv_bufferSize(                     \
        cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs,      \
        element *dA, cusolver_int_t ldda, cusolver_int_t *dipiv, element *dB,  \
        cusolver_int_t lddb, element *dX, cusolver_int_t lddx,                 \
        void *dWorkspace, size_t *lwork_bytes)                                 \
    {                                                                          \
        (void)dipiv, (void)dWorkspace;                                         \
        return answer_size(handle, JOB(element, .m = n), lwork_bytes);         \
    }                                                                          \
    cusolverStatus_t cusolverDn##letters##gels(                                \
        cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n,         \
        cusolver_int_t nrhs, element *dA, cusolver_int_t ldda, element *dB,    \
        cusolver_int_t lddb, element *dX, cusolver_int_t lddx,                 \
        void *dWorkspace, size_t lwork_bytes, cusolver_int_t *iter,            \
        cusolver_int_t *d_info)                                                \
    {                                                                          \
        (void)dWorkspace;                                                      \
        return launch_solver(handle, true, lwork_bytes, iter,                  \
                             JOB(element, .run = run_gels, .asks = true,       \
                                 .m = m, .info = d_info));                     \
    }                                                                          \
    cusolverStatus_t cusolverDn##letters##gels_bufferSize(                     \
        cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n,         \
        cusolver_int_t nrhs, element *dA, cusolver_int_t ldda, element *dB,    \
        cusolver_int_t lddb, element *dX, cusolver_int_t lddx,                 \
        void *dWorkspace, size_t *lwork_bytes)                                 \
    {                                                                          \
        (void)dWorkspace;                                                      \
        return answer_size(handle, JOB(element, .m = m), lwork_bytes);         \
    }
#include "weft/cusolver_refine.def"
