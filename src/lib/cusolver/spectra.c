/* SPDX-License-Identifier: Apache-2.0 */
/* All eigenvalues and singular values, by LAPACK. The Jacobi functions use the
 * same routines: they give all digits, in order, whatever their tolerance. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

void run_syevd(const struct job *j, struct work *w, int *info)
{
    if (blas_is_complex(j->type))
        lapack_of(j)->heevd(&j->jobz, &j->uplo, &j->n, j->a, &j->lda, j->s,
                            w->at, &w->count, w->real, &w->reals, w->ints,
                            &w->int_count, info, 1, 1);
    else
        lapack_of(j)->syevd(&j->jobz, &j->uplo, &j->n, j->a, &j->lda, j->s,
                            w->at, &w->count, w->ints, &w->int_count, info, 1,
                            1);
}

void run_sygvd(const struct job *j, struct work *w, int *info)
{
    if (blas_is_complex(j->type))
        lapack_of(j)->hegvd(&j->itype, &j->jobz, &j->uplo, &j->n, j->a, &j->lda,
                            j->b, &j->ldb, j->s, w->at, &w->count, w->real,
                            &w->reals, w->ints, &w->int_count, info, 1, 1);
    else
        lapack_of(j)->sygvd(&j->itype, &j->jobz, &j->uplo, &j->n, j->a, &j->lda,
                            j->b, &j->ldb, j->s, w->at, &w->count, w->ints,
                            &w->int_count, info, 1, 1);
}

/* LAPACK does not answer how many reals gesvd wants: five for each value. */
static void want_reals(const struct job *j, struct work *w)
{
    int count = 5 * (j->m < j->n ? j->m : j->n);
    if (real_bytes(j->type) == 4)
        *(float *)w->real = (float)count;
    else
        *(double *)w->real = count;
}

void run_gesvd(const struct job *j, struct work *w, int *info)
{
    if (w->count < 0)
        want_reals(j, w);
    if (blas_is_complex(j->type))
        lapack_of(j)->gesvd_complex(&j->jobz, &j->job_vt, &j->m, &j->n, j->a,
                                    &j->lda, j->s, j->u, &j->ldu, j->v, &j->ldv,
                                    w->at, &w->count, w->real, info, 1, 1);
    else
        lapack_of(j)->gesvd_real(&j->jobz, &j->job_vt, &j->m, &j->n, j->a,
                                 &j->lda, j->s, j->u, &j->ldu, j->v, &j->ldv,
                                 w->at, &w->count, info, 1, 1);
}

/* to, with ld, = the adjoint of `from`, rows x columns without gaps. */
#define ADJOINT(type)                                                          \
    static void adjoint_##type(type *to, int64_t ld, const type *from,         \
                               int rows, int columns, int parts)               \
    {                                                                          \
        for (int64_t c = 0; c < columns; c++) {                                \
            for (int64_t r = 0; r < rows; r++) {                               \
                type *t = to + (c + r * ld) * parts;                           \
                const type *f = from + (r + c * rows) * parts;                 \
                t[0] = f[0];                                                   \
                if (parts == 2)                                                \
                    t[1] = -f[1];                                              \
            }                                                                  \
        }                                                                      \
    }
ADJOINT(float)
ADJOINT(double)

/* Stores V from its adjoint. */
static void put_v(const struct job *j, const void *vt, int rows)
{
    int parts = blas_is_complex(j->type) ? 2 : 1;
    if (real_bytes(j->type) == 4)
        adjoint_float(j->v, j->ldv, vt, rows, j->n, parts);
    else
        adjoint_double(j->v, j->ldv, vt, rows, j->n, parts);
}

void run_gesvdj(const struct job *j, struct work *w, int *info)
{
    struct job svd = *j;
    int rows = j->is_econ && j->m < j->n ? j->m : j->n;
    svd.jobz = svd.job_vt = j->jobz == 'N' ? 'N' : j->is_econ ? 'S' : 'A';
    svd.ldv = rows > 0 ? rows : 1;
    if (w->count < 0 || j->jobz == 'N') {
        svd.ldu = j->ldu > 0 ? j->ldu : 1;
        run_gesvd(&svd, w, info);
        return;
    }
    svd.v = scratch((uint64_t)rows * j->n, element_bytes(j->type));
    run_gesvd(&svd, w, info);
    put_v(j, svd.v, rows);
    free(svd.v);
}
