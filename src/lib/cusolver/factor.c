/* SPDX-License-Identifier: Apache-2.0 */
/* Factors, solutions by them, reflectors, tridiagonal and bidiagonal forms:
 * calls of LAPACK, and what cuSOLVER has besides: LU without pivots, pivots of
 * 64 bits. */
#include "split.h"

#include <stdlib.h>

/* ---- Cholesky --------------------------------------------------------- */

void run_potrf(const struct job *j, struct work *w, int *info)
{
    (void)w;
    lapack_of(j)->potrf(&j->uplo, &j->n, j->a, &j->lda, info, 1);
}

void run_potrs(const struct job *j, struct work *w, int *info)
{
    (void)w;
    lapack_of(j)->potrs(&j->uplo, &j->n, &j->nrhs, j->a, &j->lda, j->b, &j->ldb,
                        info, 1);
}

void run_potri(const struct job *j, struct work *w, int *info)
{
    (void)w;
    lapack_of(j)->potri(&j->uplo, &j->n, j->a, &j->lda, info, 1);
}

void run_lauum(const struct job *j, struct work *w, int *info)
{
    (void)w;
    lapack_of(j)->lauum(&j->uplo, &j->n, j->a, &j->lda, info, 1);
}

/* ---- LU --------------------------------------------------------------- */

union number number_of(enum blas_type type, double value)
{
    union number x = {.d = {0, 0}};
    if (real_bytes(type) == 4)
        x.s[0] = (float)value;
    else
        x.d[0] = value;
    return x;
}

void *job_element(const struct job *j, int row, int column)
{
    return (char *)j->a +
           (row + (int64_t)column * j->lda) * element_bytes(j->type);
}

static bool is_zero(enum blas_type type, const void *at)
{
    int parts = blas_is_complex(type) ? 2 : 1;
    for (int i = 0; i < parts; i++) {
        if (real_bytes(type) == 4 ? ((const float *)at)[i] != 0
                                  : ((const double *)at)[i] != 0)
            return false;
    }
    return true;
}

/* LU of the columns [first, end) from row `first` on, without pivots.
 * Recursive: factors the left half, applies it to the right half, factors that.
 * *info, if it is 0, becomes the first column, from 1, whose pivot is 0. */
static void lu_columns(const struct job *j, int first, int end, int *info)
{
    union number one = number_of(j->type, 1), minus = number_of(j->type, -1);
    int left = (end - first) / 2, middle = first + left;
    int right = end - middle, below = j->m - middle, one_row = 1;
    if (end - first == 1) {
        int under = j->m - first - 1;
        if (is_zero(j->type, job_element(j, first, first)))
            *info = *info ? *info : first + 1;
        else if (under > 0)
            blas_of(j)->trsm("R", "U", "N", "N", &under, &one_row, &one,
                             job_element(j, first, first), &j->lda,
                             job_element(j, first + 1, first), &j->lda);
        return;
    }
    lu_columns(j, first, middle, info);
    blas_of(j)->trsm("L", "L", "N", "U", &left, &right, &one,
                     job_element(j, first, first), &j->lda,
                     job_element(j, first, middle), &j->lda);
    blas_of(j)->gemm("N", "N", &below, &right, &left, &minus,
                     job_element(j, middle, first), &j->lda,
                     job_element(j, first, middle), &j->lda, &one,
                     job_element(j, middle, middle), &j->lda);
    lu_columns(j, middle, end, info);
}

void lu_without_pivots(const struct job *j, int *info)
{
    union number one = number_of(j->type, 1);
    int square = j->m < j->n ? j->m : j->n, more = j->n - square;
    if (square > 0)
        lu_columns(j, 0, square, info);
    if (square > 0 && more > 0)
        blas_of(j)->trsm("L", "L", "N", "U", &square, &more, &one, j->a,
                         &j->lda, job_element(j, 0, square), &j->lda);
}

void run_getrf(const struct job *j, struct work *w, int *info)
{
    (void)w;
    int64_t count = j->m < j->n ? j->m : j->n;
    if (!j->pivots) {
        lu_without_pivots(j, info);
        return;
    }
    int *pivots =
        j->has_wide_pivots ? scratch(count, sizeof(int)) : (int *)j->pivots;
    blas_of(j)->getrf(&j->m, &j->n, j->a, &j->lda, pivots, info);
    if (!j->has_wide_pivots)
        return;
    for (int64_t i = 0; i < count; i++)
        ((int64_t *)j->pivots)[i] = pivots[i];
    free(pivots);
}

static void solve_without_pivots(const struct job *j)
{
    union number one = number_of(j->type, 1);
    bool is_n = j->op == 'N';
    blas_of(j)->trsm("L", is_n ? "L" : "U", &j->op, is_n ? "U" : "N", &j->n,
                     &j->nrhs, &one, j->a, &j->lda, j->b, &j->ldb);
    blas_of(j)->trsm("L", is_n ? "U" : "L", &j->op, is_n ? "N" : "U", &j->n,
                     &j->nrhs, &one, j->a, &j->lda, j->b, &j->ldb);
}

void run_getrs(const struct job *j, struct work *w, int *info)
{
    (void)w;
    if (!j->pivots) {
        solve_without_pivots(j);
        return;
    }
    int *pivots =
        j->has_wide_pivots ? scratch(j->n, sizeof(int)) : (int *)j->pivots;
    for (int i = 0; j->has_wide_pivots && i < j->n; i++)
        pivots[i] = (int)((const int64_t *)j->pivots)[i];
    blas_of(j)->getrs(&j->op, &j->n, &j->nrhs, j->a, &j->lda, pivots, j->b,
                      &j->ldb, info);
    if (j->has_wide_pivots)
        free(pivots);
}

/* The job has the rows in m and k. */
void run_laswp(const struct job *j, struct work *w, int *info)
{
    (void)w, (void)info;
    lapack_of(j)->laswp(&j->n, j->a, &j->lda, &j->m, &j->k, j->pivots, &j->inc);
}

/* ---- symmetric, indefinite -------------------------------------------- */

void run_sytrf(const struct job *j, struct work *w, int *info)
{
    lapack_of(j)->sytrf(&j->uplo, &j->n, j->a, &j->lda, j->pivots, w->at,
                        &w->count, info, 1);
}

void run_sytri(const struct job *j, struct work *w, int *info)
{
    (void)w;
    void *room = scratch(2 * (uint64_t)j->n, element_bytes(j->type));
    lapack_of(j)->sytri(&j->uplo, &j->n, j->a, &j->lda, j->pivots, room, info,
                        1);
    free(room);
}

/* ---- QR and its reflectors -------------------------------------------- */

void run_geqrf(const struct job *j, struct work *w, int *info)
{
    blas_of(j)->geqrf(&j->m, &j->n, j->a, &j->lda, j->tau, w->at, &w->count,
                      info);
}

void run_orgqr(const struct job *j, struct work *w, int *info)
{
    lapack_of(j)->orgqr(&j->m, &j->n, &j->k, j->a, &j->lda, j->tau, w->at,
                        &w->count, info);
}

void run_ormqr(const struct job *j, struct work *w, int *info)
{
    lapack_of(j)->ormqr(&j->side, &j->op, &j->m, &j->n, &j->k, j->a, &j->lda,
                        j->tau, j->b, &j->ldb, w->at, &w->count, info, 1, 1);
}

void run_orgbr(const struct job *j, struct work *w, int *info)
{
    lapack_of(j)->orgbr(&j->side, &j->m, &j->n, &j->k, j->a, &j->lda, j->tau,
                        w->at, &w->count, info, 1);
}

void run_orgtr(const struct job *j, struct work *w, int *info)
{
    lapack_of(j)->orgtr(&j->uplo, &j->n, j->a, &j->lda, j->tau, w->at,
                        &w->count, info, 1);
}

void run_ormtr(const struct job *j, struct work *w, int *info)
{
    lapack_of(j)->ormtr(&j->side, &j->uplo, &j->op, &j->m, &j->n, j->a, &j->lda,
                        j->tau, j->b, &j->ldb, w->at, &w->count, info, 1, 1, 1);
}

/* ---- bidiagonal, tridiagonal ------------------------------------------ */

void run_gebrd(const struct job *j, struct work *w, int *info)
{
    lapack_of(j)->gebrd(&j->m, &j->n, j->a, &j->lda, j->s, j->e, j->tau,
                        j->tau_p, w->at, &w->count, info);
}

void run_sytrd(const struct job *j, struct work *w, int *info)
{
    lapack_of(j)->sytrd(&j->uplo, &j->n, j->a, &j->lda, j->s, j->e, j->tau,
                        w->at, &w->count, info, 1);
}
