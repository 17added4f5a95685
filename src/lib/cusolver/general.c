/* SPDX-License-Identifier: Apache-2.0 */
/* Eigenvalues of general matrices, inverses of triangles, solutions of
 * indefinite systems, triangles of reflectors: calls of LAPACK. */
#include "internal.h"

#include <stdlib.h>

/* Makes complex numbers of real and imaginary parts. */
#define JOIN(real)                                                             \
    static void join_##real(real *to, const real *re, const real *im, int n)   \
    {                                                                          \
        for (int i = 0; i < n; i++) {                                          \
            to[2 * i] = re[i];                                                 \
            to[2 * i + 1] = im[i];                                             \
        }                                                                      \
    }
JOIN(float)
JOIN(double)

/* Eigenvalues go to s: all real parts, then all imaginary ones; or, if is_econ,
 * complex numbers. */
static void run_geev_real(const struct job *j, struct work *w, int *info)
{
    unsigned bytes = real_bytes(j->type);
    char *parts = j->s;
    if (j->is_econ && w->count >= 0)
        parts = scratch(2 * (uint64_t)j->n, bytes);
    lapack_of(j)->geev_real(&j->jobz, &j->job_vt, &j->n, j->a, &j->lda, parts,
                            parts + (size_t)j->n * bytes, j->u, &j->ldu, j->v,
                            &j->ldv, w->at, &w->count, info, 1, 1);
    if (parts == j->s)
        return;
    if (bytes == 4)
        join_float(j->s, (float *)parts, (float *)parts + j->n, j->n);
    else
        join_double(j->s, (double *)parts, (double *)parts + j->n, j->n);
    free(parts);
}

void run_geev(const struct job *j, struct work *w, int *info)
{
    if (!blas_is_complex(j->type)) {
        run_geev_real(j, w, info);
        return;
    }
    void *room = scratch(2 * (uint64_t)j->n, real_bytes(j->type));
    lapack_of(j)->geev_complex(&j->jobz, &j->job_vt, &j->n, j->a, &j->lda, j->s,
                               j->u, &j->ldu, j->v, &j->ldv, w->at, &w->count,
                               room, info, 1, 1);
    free(room);
}

static void set_one(enum blas_type type, void *at, int64_t i)
{
    int64_t real = blas_is_complex(type) ? 2 * i : i;
    bool is_float = real_bytes(type) == 4;
    if (is_float)
        ((float *)at)[real] = 1;
    else
        ((double *)at)[real] = 1;
    if (blas_is_complex(type) && is_float)
        ((float *)at)[real + 1] = 0;
    else if (blas_is_complex(type))
        ((double *)at)[real + 1] = 0;
}

/* A diagonal of ones that A need not have is stored, as by an H200. */
void run_trtri(const struct job *j, struct work *w, int *info)
{
    (void)w;
    lapack_of(j)->trtri(&j->uplo, &j->op, &j->n, j->a, &j->lda, info, 1, 1);
    for (int i = 0; i < j->n && j->op == 'U'; i++)
        set_one(j->type, j->a, i + (int64_t)i * j->lda);
}

void run_sytrs(const struct job *j, struct work *w, int *info)
{
    (void)w;
    int *pivots = scratch((uint64_t)j->n, sizeof *pivots);
    for (int i = 0; i < j->n; i++)
        pivots[i] = (int)((const int64_t *)j->pivots)[i];
    lapack_of(j)->sytrs(&j->uplo, &j->n, &j->nrhs, j->a, &j->lda, pivots, j->b,
                        &j->ldb, info, 1);
    free(pivots);
}

/* The job's side is 'F'orward or 'B'ackward, its op by 'C'olumns or 'R'ows. */
void run_larft(const struct job *j, struct work *w, int *info)
{
    (void)w, (void)info;
    lapack_of(j)->larft(&j->side, &j->op, &j->n, &j->k, j->a, &j->lda, j->tau,
                        j->b, &j->ldb, 1, 1);
}
