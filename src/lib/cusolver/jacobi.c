/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Jacobi functions call LAPACK's syevd, sygvd and gesvd, so GetSweeps
 * answers that there were 0 sweeps. GetResidual answers |A V - V W| or |A V - U
 * S| (Frobenius), or, where no vectors were asked for, the difference of the
 * norms of A and of the values.
 */
#include "jacobi.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "internal.h"

struct jacobi_result {
    struct jacobi_result *next; /* in the list of free ones */
    double residual;
    bool is_known;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct jacobi_result *unused;

struct jacobi_result *jacobi_result_new(void)
{
    pthread_mutex_lock(&lock);
    struct jacobi_result *r = unused;
    if (r)
        unused = r->next;
    pthread_mutex_unlock(&lock);
    if (!r)
        r = malloc(sizeof *r);
    if (r)
        *r = (struct jacobi_result){0};
    return r;
}

void jacobi_result_drop(struct jacobi_result *r)
{
    pthread_mutex_lock(&lock);
    r->next = unused;
    unused = r;
    pthread_mutex_unlock(&lock);
}

/* ---- residuals -------------------------------------------------------- */

/* |left - right diag(values)|, rows x columns; ld is right's. */
#define DISTANCE(real)                                                         \
    static double distance_##real(const real *left, const real *right,         \
                                  int64_t ld, const real *values, int rows,    \
                                  int columns, int parts)                      \
    {                                                                          \
        double sum = 0;                                                        \
        for (int64_t c = 0; c < columns; c++) {                                \
            for (int64_t i = 0; i < (int64_t)rows * parts; i++) {              \
                double d = left[c * rows * parts + i] -                        \
                           (double)right[c * ld * parts + i] * values[c];      \
                sum += d * d;                                                  \
            }                                                                  \
        }                                                                      \
        return sqrt(sum);                                                      \
    }
DISTANCE(float)
DISTANCE(double)

double residual_of(const struct job *j, const void *left, const void *right,
                   int64_t ld, const void *values, int rows, int columns)
{
    int parts = blas_is_complex(j->type) ? 2 : 1;
    return real_bytes(j->type) == 4
               ? distance_float(left, right, ld, values, rows, columns, parts)
               : distance_double(left, right, ld, values, rows, columns, parts);
}

static void keep_residual(const struct job *j, const void *left,
                          const void *right, int64_t ld, int rows, int columns)
{
    j->result->residual = residual_of(j, left, right, ld, j->s, rows, columns);
    j->result->is_known = true;
}

/* ---- without vectors: the change of A's norm --------------------------- */

/* Row i of column c counts: all of A ('A'), or of a triangle what is off the
 * diagonal twice. */
static double weight_at(char part, int64_t i, int64_t c)
{
    if (part == 'A' || i == c)
        return 1;
    return (part == 'U') == (i < c) ? 2 : 0;
}

static double norm_of(const struct job *j, char part, const void *at,
                      int64_t ld, int rows, int columns)
{
    int parts = blas_is_complex(j->type) && at != j->s ? 2 : 1;
    long double sum = 0;
    for (int64_t c = 0; c < columns; c++) {
        for (int64_t i = 0; i < (int64_t)rows * parts; i++) {
            int64_t k = c * ld * parts + i;
            double v = real_bytes(j->type) == 4 ? ((const float *)at)[k]
                                                : ((const double *)at)[k];
            sum += (long double)v * v * weight_at(part, i / parts, c);
        }
    }
    return (double)sqrtl(sum);
}

/* Runs it; the residual is by how much the norm of its values is not A's. */
static void keep_norm(const struct job *j, struct work *w, int *info,
                      routine *run, char part)
{
    bool is_kept = j->result && w->count >= 0 && j->jobz == 'N';
    int rows = part == 'A' ? j->m : j->n, count = smaller_of(rows, j->n);
    double norm = is_kept ? norm_of(j, part, j->a, j->lda, rows, j->n) : 0;
    run(j, w, info);
    if (!is_kept)
        return;
    j->result->residual = fabs(norm - norm_of(j, 'A', j->s, count, count, 1));
    j->result->is_known = true;
}

/* Is the residual to be measured? If not, it is unknown from now on. */
static bool is_measured(const struct job *j, const struct work *w)
{
    if (j->result && w->count >= 0)
        j->result->is_known = false;
    return j->result && w->count >= 0 && j->jobz == 'V' && j->n > 0;
}

/* to = the Hermitian matrix whose triangle this is, times V. */
static void times_v(const struct job *j, void *triangle, int ld, void *to)
{
    double one[2] = {1, 0}, zero[2] = {0, 0};
    float one_f[2] = {1, 0}, zero_f[2] = {0, 0};
    bool is_float = real_bytes(j->type) == 4;
    weft_blas[j->type].hemm(
        "L", &j->uplo, &j->n, &j->n, is_float ? (void *)one_f : one, triangle,
        &ld, j->a, &j->lda, is_float ? (void *)zero_f : zero, to, &j->n);
}

void run_syevj(const struct job *j, struct work *w, int *info)
{
    unsigned bytes = element_bytes(j->type);
    if (!is_measured(j, w)) {
        keep_norm(j, w, info, run_syevd, j->uplo);
        return;
    }
    void *a = scratch((uint64_t)j->n * j->n, bytes);
    void *left = scratch((uint64_t)j->n * j->n, bytes);
    copy_matrix(j->type, a, j->n, j->a, j->lda, j->n, j->n);
    run_syevd(j, w, info);
    times_v(j, a, j->n, left);
    keep_residual(j, left, j->a, j->lda, j->n, j->n);
    free(left);
    free(a);
}

/* |A V - B V W|; of the other two types of problems there is no residual. */
void run_sygvj(const struct job *j, struct work *w, int *info)
{
    unsigned bytes = element_bytes(j->type);
    if (!is_measured(j, w) || j->itype != 1) {
        run_sygvd(j, w, info);
        return;
    }
    void *a = scratch((uint64_t)j->n * j->n, bytes);
    void *b = scratch((uint64_t)j->n * j->n, bytes);
    void *left = scratch((uint64_t)j->n * j->n, bytes);
    void *right = scratch((uint64_t)j->n * j->n, bytes);
    copy_matrix(j->type, a, j->n, j->a, j->lda, j->n, j->n);
    copy_matrix(j->type, b, j->n, j->b, j->ldb, j->n, j->n);
    run_sygvd(j, w, info);
    times_v(j, a, j->n, left);
    times_v(j, b, j->n, right);
    if (*info == 0)
        keep_residual(j, left, right, j->n, j->n, j->n);
    free(right);
    free(left);
    free(b);
    free(a);
}

void run_gesvdj_measured(const struct job *j, struct work *w, int *info)
{
    int count = j->m < j->n ? j->m : j->n, ld = j->m > 0 ? j->m : 1;
    double one[2] = {1, 0}, zero[2] = {0, 0};
    float one_f[2] = {1, 0}, zero_f[2] = {0, 0};
    bool is_float = real_bytes(j->type) == 4;
    if (!is_measured(j, w) || count == 0) {
        keep_norm(j, w, info, run_gesvdj, 'A');
        return;
    }
    void *a = scratch((uint64_t)j->m * j->n, element_bytes(j->type));
    void *left = scratch((uint64_t)j->m * count, element_bytes(j->type));
    copy_matrix(j->type, a, ld, j->a, j->lda, j->m, j->n);
    run_gesvdj(j, w, info);
    weft_blas[j->type].gemm(
        "N", "N", &j->m, &count, &j->n, is_float ? (void *)one_f : one, a, &ld,
        j->v, &j->ldv, is_float ? (void *)zero_f : zero, left, &ld);
    keep_residual(j, left, j->u, j->ldu, j->m, count);
    free(left);
    free(a);
}

/* ---- answers ---------------------------------------------------------- */

/* Checks a question and waits for the call that it is about. */
static cusolverStatus_t find_result(cusolverDnHandle_t handle,
                                    struct jacobi_result *r, const void *out)
{
    cusolverStatus_t status = solver_check_handle(handle);
    if (status)
        return status;
    if (!r || !out)
        return CUSOLVER_STATUS_INVALID_VALUE;
    return solver_status(lib_synchronize(handle->stream));
}

static cusolverStatus_t get_sweeps(cusolverDnHandle_t handle,
                                   struct jacobi_result *r, int *sweeps)
{
    cusolverStatus_t status = find_result(handle, r, sweeps);
    if (!status)
        *sweeps = 0;
    return status;
}

static cusolverStatus_t get_residual(cusolverDnHandle_t handle,
                                     struct jacobi_result *r, double *residual)
{
    cusolverStatus_t status = find_result(handle, r, residual);
    if (!status && !r->is_known)
        status = CUSOLVER_STATUS_NOT_SUPPORTED;
    if (!status)
        *residual = r->residual;
    return status;
}

cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle,
                                           syevjInfo_t info,
                                           int *executed_sweeps)
{
    return get_sweeps(handle, jacobi_of_eigen(info), executed_sweeps);
}

cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle,
                                             syevjInfo_t info, double *residual)
{
    return get_residual(handle, jacobi_of_eigen(info), residual);
}

cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle,
                                            gesvdjInfo_t info,
                                            int *executed_sweeps)
{
    return get_sweeps(handle, jacobi_of_singular(info), executed_sweeps);
}

cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle,
                                              gesvdjInfo_t info,
                                              double *residual)
{
    return get_residual(handle, jacobi_of_singular(info), residual);
}
