/* SPDX-License-Identifier: Apache-2.0 */
/* Selected eigenvalues and singular values: computes all, and moves those that
 * were asked for to the front. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char range_kind(cusolverEigRange_t range)
{
    switch (range) {
    case CUSOLVER_EIG_RANGE_ALL:
        return 'A';
    case CUSOLVER_EIG_RANGE_I:
        return 'I';
    case CUSOLVER_EIG_RANGE_V:
        return 'V';
    }
    return 0;
}

bool check_range(struct range range, int64_t n)
{
    if (range.kind == 'V')
        return range.low < range.high;
    if (range.kind == 'I' && n > 0)
        return 1 <= range.first && range.first <= range.last && range.last <= n;
    return range.kind;
}

static double value_at(const struct job *j, int i)
{
    return real_bytes(j->type) == 4 ? ((const float *)j->s)[i]
                                    : ((const double *)j->s)[i];
}

/* The first selected value, and how many there are; values are in order. */
static int find_selected(const struct job *j, int *count)
{
    const struct range *r = &j->range;
    int first = 0, end = j->n;
    if (r->kind == 'I') {
        first = r->first - 1;
        end = r->last;
    }
    while (r->kind == 'V' && first < end && value_at(j, first) <= r->low)
        first++;
    while (r->kind == 'V' && first < end && value_at(j, end - 1) > r->high)
        end--;
    *count = j->n > 0 ? end - first : 0;
    return first;
}

/* Moves the selected values and their vectors, and writes range.found. */
static void move_selected(const struct job *j, const int *info)
{
    unsigned real = real_bytes(j->type), bytes = element_bytes(j->type);
    int count, first = find_selected(j, &count);
    *j->range.found = *info ? 0 : count;
    if (*info || first == 0 || count == 0)
        return;
    memmove(j->s, (char *)j->s + (size_t)first * real, (size_t)count * real);
    for (int64_t c = 0; j->jobz == 'V' && c < count; c++)
        memcpy((char *)j->a + c * j->lda * bytes,
               (char *)j->a + (c + first) * j->lda * bytes,
               (size_t)j->n * bytes);
}

void run_syevdx(const struct job *j, struct work *w, int *info)
{
    run_syevd(j, w, info);
    if (w->count >= 0)
        move_selected(j, info);
}

void run_sygvdx(const struct job *j, struct work *w, int *info)
{
    run_sygvd(j, w, info);
    if (w->count >= 0)
        move_selected(j, info);
}

/* |A V - U S| of the first `rank` values. */
static double norm_left(const struct job *j, const struct job *all)
{
    double one[2] = {1, 0}, zero[2] = {0, 0};
    float one_f[2] = {1, 0}, zero_f[2] = {0, 0};
    bool is_float = real_bytes(j->type) == 4;
    void *left = scratch((uint64_t)all->lda * j->rank, element_bytes(j->type));
    weft_blas[j->type].gemm("N", "N", &j->m, &j->rank, &j->n,
                            is_float ? (void *)one_f : one, j->a, &j->lda,
                            all->v, &all->ldv, is_float ? (void *)zero_f : zero,
                            left, &all->lda);
    double norm = residual_of(j, left, all->u, all->ldu, all->s, j->m, j->rank);
    free(left);
    return norm;
}

void run_gesvda(const struct job *j, struct work *w, int *info)
{
    struct job all = *j;
    int count = j->m < j->n ? j->m : j->n;
    unsigned bytes = element_bytes(j->type);
    if (w->count < 0) {
        run_gesvdj(&all, w, info);
        return;
    }
    if (j->norms)
        all.jobz = 'V';
    all.lda = all.ldu = j->m > 0 ? j->m : 1;
    all.ldv = j->n > 0 ? j->n : 1;
    all.a = scratch((uint64_t)j->m * j->n, bytes);
    all.s = scratch((uint64_t)count, real_bytes(j->type));
    all.u = scratch((uint64_t)j->m * count, bytes);
    all.v = scratch((uint64_t)j->n * count, bytes);
    copy_matrix(j->type, all.a, all.lda, j->a, j->lda, j->m, j->n);
    run_gesvdj(&all, w, info);
    memcpy(j->s, all.s, (size_t)j->rank * real_bytes(j->type));
    if (j->jobz == 'V' && j->u)
        copy_matrix(j->type, j->u, j->ldu, all.u, all.ldu, j->m, j->rank);
    if (j->jobz == 'V' && j->v)
        copy_matrix(j->type, j->v, j->ldv, all.v, all.ldv, j->n, j->rank);
    if (j->norms)
        *j->norms = norm_left(j, &all);
    free(all.v);
    free(all.u);
    free(all.s);
    free(all.a);
}
