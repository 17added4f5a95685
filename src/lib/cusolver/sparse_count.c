/* SPDX-License-Identifier: Apache-2.0 */
/* csreigs: counts the eigenvalues in a box of the complex plane. It finds all
 * of them by LAPACK's geev, from the dense matrix in double: n^2 numbers of
 * memory. */
#include "lib/blas/lapack.h"
#include "sparse_call.h"

struct box {
    struct sparse_call call;
    double low[2], high[2]; /* corners: real part, imaginary part */
    int *count;
};

static double part_at(const struct sparse *a, int64_t i)
{
    bool is_float = a->type == BLAS_S || a->type == BLAS_C;
    return is_float ? ((const float *)a->value)[i]
                    : ((const double *)a->value)[i];
}

/* The dense matrix by columns, `parts` numbers for an element. Entries of the
 * same place are added. */
static double *expand_to_dense(struct sparse_room *room, const struct sparse *a,
                               int parts)
{
    int64_t n = a->n;
    double *dense = sparse_new(room, n * n * parts, sizeof *dense);
    for (int64_t i = 0; i < a->m; i++) {
        for (int p = a->start[i] - a->base; p < a->start[i + 1] - a->base;
             p++) {
            double *to = dense + (i + (a->index[p] - a->base) * n) * parts;
            for (int c = 0; c < parts; c++)
                to[c] += part_at(a, (int64_t)p * parts + c);
        }
    }
    return dense;
}

/* values: all real parts, then all imaginary ones (parts is 1), or complex
 * numbers (2). False: geev does not converge. */
static bool find_values(struct sparse_room *room, const struct sparse *a,
                        int parts, double *values)
{
    int n = a->n, one = 1, info = 0, count = 8 * n + 8;
    double *dense = expand_to_dense(room, a, parts);
    double *work = sparse_new(room, (int64_t)count * parts, sizeof *work);
    double *real = sparse_new(room, 2 * (int64_t)n + 1, sizeof *real);
    if (parts == 1)
        weft_blas_lapack[BLAS_D].geev_real("N", "N", &n, dense, &n, values,
                                           values + n, NULL, &one, NULL, &one,
                                           work, &count, &info, 1, 1);
    else
        weft_blas_lapack[BLAS_Z].geev_complex("N", "N", &n, dense, &n, values,
                                              NULL, &one, NULL, &one, work,
                                              &count, real, &info, 1, 1);
    return info == 0;
}

static void run_count(struct sparse_call *c)
{
    struct box *b = (struct box *)c;
    int64_t n = c->a.n;
    int parts = c->a.type == BLAS_C || c->a.type == BLAS_Z ? 2 : 1;
    double *values = sparse_new(&c->room, 2 * n + 1, sizeof *values);
    if (n > 0 && !find_values(&c->room, &c->a, parts, values)) {
        c->status = CUSOLVER_STATUS_INTERNAL_ERROR;
        return;
    }
    *b->count = 0;
    for (int64_t i = 0; i < n; i++) {
        double re = parts == 1 ? values[i] : values[2 * i];
        double im = parts == 1 ? values[n + i] : values[2 * i + 1];
        *b->count += re > b->low[0] && re < b->high[0] && im > b->low[1] &&
                     im < b->high[1];
    }
}

#define TYPED(s, T, C, blas_type)                                              \
    cusolverStatus_t cusolverSp##s##csreigsHost(                               \
        cusolverSpHandle_t handle, int m, int nnz,                             \
        const cusparseMatDescr_t descrA, const T *csrValA,                     \
        const int *csrRowPtrA, const int *csrColIndA, C left_bottom_corner,    \
        C right_upper_corner, int *num_eigs)                                   \
    {                                                                          \
        struct box b = {.call.run = run_count,                                 \
                        .low = {left_bottom_corner.x, left_bottom_corner.y},   \
                        .high = {right_upper_corner.x, right_upper_corner.y},  \
                        .count = num_eigs};                                    \
        bool is_valid = m > 0 && nnz > 0 && num_eigs &&                        \
                        sparse_matrix(blas_type, m, m, nnz, descrA, csrValA,   \
                                      csrRowPtrA, csrColIndA, &b.call.a);      \
        return sparse_do(handle, is_valid, &b.call);                           \
    }
TYPED(S, float, cuComplex, BLAS_S)
TYPED(D, double, cuDoubleComplex, BLAS_D)
TYPED(C, cuComplex, cuComplex, BLAS_C)
TYPED(Z, cuDoubleComplex, cuDoubleComplex, BLAS_Z)
