/* SPDX-License-Identifier: Apache-2.0 */
/* cusolverSp's functions: they check their arguments and fill in a struct
 * sparse_call. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sparse_call.h"

#define TYPE BLAS_TYPE_OF(CUSOLVER_T)

/* As sparse_matrix, of a pattern without values; empty ones are refused. */
static bool read_pattern(int m, int n, int nnz, cusparseMatDescr_t descr,
                         const int *start, const int *index, struct sparse *out)
{
    bool is_valid =
        m > 0 && nnz > 0 &&
        sparse_matrix(BLAS_S, m, n, nnz, descr, start, start, index, out);
    out->value = NULL;
    return is_valid;
}

static bool is_order(int reorder)
{
    return reorder >= 0 && reorder <= 3;
}

/* ---- patterns --------------------------------------------------------- */

/* Does each row end behind its start and within the `count` entries? */
static bool are_ends_sound(const struct sparse *a, const int *end, int count)
{
    for (int i = 0; i < a->m; i++) {
        if (end[i] < a->start[i] || end[i] - a->base > count)
            return false;
    }
    return true;
}

/* Row i is index[start[i]] to index[end[i] - 1]. */
static bool is_symmetric(const int *start, const int *end, const int *index,
                         int m, int base)
{
    for (int i = 0; i < m; i++) {
        for (int p = start[i] - base; p < end[i] - base; p++) {
            int j = index[p] - base;
            bool is_found = false;
            for (int q = start[j] - base; q < end[j] - base && !is_found; q++)
                is_found = index[q] - base == i;
            if (!is_found)
                return false;
        }
    }
    return true;
}

cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m,
                                         int nnzA,
                                         const cusparseMatDescr_t descrA,
                                         const int *csrRowPtrA,
                                         const int *csrEndPtrA,
                                         const int *csrColIndA, int *issym)
{
    struct sparse a;
    bool is_valid =
        read_pattern(m, m, nnzA, descrA, csrRowPtrA, csrColIndA, &a);
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!is_valid || !csrEndPtrA || !issym || !sparse_is_sound(&a) ||
        !are_ends_sound(&a, csrEndPtrA, m > 0 ? sparse_count(&a) : 0))
        return CUSOLVER_STATUS_INVALID_VALUE;
    *issym = is_symmetric(csrRowPtrA, csrEndPtrA, csrColIndA, m, a.base);
    return CUSOLVER_STATUS_SUCCESS;
}

static void run_order(struct sparse_call *c)
{
    int *order = sparse_order(&c->room, &c->a, c->order);
    memcpy(c->permutation, order, (size_t)c->a.n * sizeof *order);
}

static cusolverStatus_t find_order(cusolverSpHandle_t handle, int how, int n,
                                   int nnz, cusparseMatDescr_t descr,
                                   const int *start, const int *index, int *p)
{
    struct sparse_call c = {.run = run_order, .order = how, .permutation = p};
    return sparse_do(
        handle, read_pattern(n, n, nnz, descr, start, index, &c.a) && (p || !n),
        &c);
}

cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t handle, int n,
                                          int nnzA,
                                          const cusparseMatDescr_t descrA,
                                          const int *csrRowPtrA,
                                          const int *csrColIndA, int *p)
{
    return find_order(handle, 1, n, nnzA, descrA, csrRowPtrA, csrColIndA, p);
}

cusolverStatus_t cusolverSpXcsrsymmdqHost(cusolverSpHandle_t handle, int n,
                                          int nnzA,
                                          const cusparseMatDescr_t descrA,
                                          const int *csrRowPtrA,
                                          const int *csrColIndA, int *p)
{
    return find_order(handle, 2, n, nnzA, descrA, csrRowPtrA, csrColIndA, p);
}

cusolverStatus_t cusolverSpXcsrsymamdHost(cusolverSpHandle_t handle, int n,
                                          int nnzA,
                                          const cusparseMatDescr_t descrA,
                                          const int *csrRowPtrA,
                                          const int *csrColIndA, int *p)
{
    return find_order(handle, 2, n, nnzA, descrA, csrRowPtrA, csrColIndA, p);
}

/* options are METIS's and change nothing. */
cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n,
                                           int nnzA,
                                           const cusparseMatDescr_t descrA,
                                           const int *csrRowPtrA,
                                           const int *csrColIndA,
                                           const int64_t *options, int *p)
{
    (void)options;
    return find_order(handle, 3, n, nnzA, descrA, csrRowPtrA, csrColIndA, p);
}

/* ---- permutations ----------------------------------------------------- */

cusolverStatus_t
cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n,
                                  int nnzA, const cusparseMatDescr_t descrA,
                                  const int *csrRowPtrA, const int *csrColIndA,
                                  const int *p, const int *q,
                                  size_t *bufferSizeInBytes)
{
    struct sparse a;
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!read_pattern(m, n, nnzA, descrA, csrRowPtrA, csrColIndA, &a) || !p ||
        !q || !bufferSizeInBytes)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *bufferSizeInBytes = 8; /* not used: memory is allocated */
    return CUSOLVER_STATUS_SUCCESS;
}

struct entry {
    int column, from;
};

static int compare_entries(const void *a, const void *b)
{
    int x = ((const struct entry *)a)->column;
    int y = ((const struct entry *)b)->column;
    return (x > y) - (x < y);
}

struct permutation {
    struct sparse_call call;
    int *start, *index, *map;
    const int *p, *q;
};

/* Is each number below `count` there once? */
static bool is_permutation(struct sparse_room *room, const int *of, int count)
{
    bool *is_there = sparse_new(room, count, sizeof *is_there);
    for (int i = 0; i < count; i++) {
        if ((unsigned)of[i] >= (unsigned)count || is_there[of[i]])
            return false;
        is_there[of[i]] = true;
    }
    return true;
}

/* A becomes A(p, q), columns in order; map goes with it. */
static void run_permute(struct sparse_call *c)
{
    struct permutation *w = (struct permutation *)c;
    if (!is_permutation(&c->room, w->p, c->a.m) ||
        !is_permutation(&c->room, w->q, c->a.n)) {
        c->status = CUSOLVER_STATUS_INVALID_VALUE;
        return;
    }
    const struct sparse *a = &c->a;
    int count = sparse_count(a), put = 0;
    int *place = sparse_new(&c->room, a->n, sizeof *place);
    int *start = sparse_new(&c->room, a->m + 1, sizeof *start);
    int *map = sparse_new(&c->room, count, sizeof *map);
    struct entry *entries = sparse_new(&c->room, count, sizeof *entries);
    for (int j = 0; j < a->n; j++)
        place[w->q[j]] = j;
    for (int i = 0; i < a->m; i++) {
        int row = w->p[i], first = put;
        for (int p = a->start[row] - a->base; p < a->start[row + 1] - a->base;
             p++)
            entries[put++] =
                (struct entry){place[a->index[p] - a->base], w->map[p]};
        qsort(entries + first, (size_t)(put - first), sizeof *entries,
              compare_entries);
        start[i + 1] = put;
    }
    for (int p = 0; p < count; p++) {
        w->index[p] = entries[p].column + a->base;
        w->map[p] = entries[p].from;
    }
    for (int i = 0; i <= a->m; i++)
        w->start[i] = start[i] + a->base;
}

cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n,
                                        int nnzA,
                                        const cusparseMatDescr_t descrA,
                                        int *csrRowPtrA, int *csrColIndA,
                                        const int *p, const int *q, int *map,
                                        void *pBuffer)
{
    (void)pBuffer;
    struct permutation w = {.call.run = run_permute,
                            .start = csrRowPtrA,
                            .index = csrColIndA,
                            .map = map,
                            .p = p,
                            .q = q};
    bool is_valid =
        read_pattern(m, n, nnzA, descrA, csrRowPtrA, csrColIndA, &w.call.a) &&
        p && q && map;
    return sparse_do(handle, is_valid, &w.call);
}

/* ---- step by step ----------------------------------------------------- */

static cusolverStatus_t analyse_pattern(cusolverSpHandle_t handle,
                                        enum sparse_kind kind,
                                        bool is_on_device, int m, int n,
                                        int nnz, cusparseMatDescr_t descr,
                                        const int *start, const int *index,
                                        struct sparse_info *info)
{
    struct sparse_call c = {.run = sparse_run_analysis,
                            .is_on_device = is_on_device,
                            .kind = kind,
                            .order = kind == SPARSE_QR ? 2 : 0,
                            .info = info};
    bool is_valid = read_pattern(m, n, nnz, descr, start, index, &c.a) &&
                    sparse_is_info(info);
    if (is_valid && info->is_reordered)
        c.order = 3; /* NVIDIA's uses METIS's order here */
    return sparse_do(handle, is_valid, &c);
}

cusolverStatus_t cusolverSpXcsrluAnalysisHost(
    cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,
    const int *csrRowPtrA, const int *csrColIndA, csrluInfoHost_t info)
{
    return analyse_pattern(handle, SPARSE_LU, false, n, n, nnzA, descrA,
                           csrRowPtrA, csrColIndA, SPARSE_INFO(info));
}

cusolverStatus_t cusolverSpXcsrqrAnalysisHost(cusolverSpHandle_t handle, int m,
                                              int n, int nnzA,
                                              const cusparseMatDescr_t descrA,
                                              const int *csrRowPtrA,
                                              const int *csrColIndA,
                                              csrqrInfoHost_t info)
{
    return analyse_pattern(handle, SPARSE_QR, false, m, n, nnzA, descrA,
                           csrRowPtrA, csrColIndA, SPARSE_INFO(info));
}

cusolverStatus_t
cusolverSpXcsrqrAnalysis(cusolverSpHandle_t handle, int m, int n, int nnzA,
                         const cusparseMatDescr_t descrA, const int *csrRowPtrA,
                         const int *csrColIndA, csrqrInfo_t info)
{
    return analyse_pattern(handle, SPARSE_QR, true, m, n, nnzA, descrA,
                           csrRowPtrA, csrColIndA, SPARSE_INFO(info));
}

cusolverStatus_t
cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t handle, int m, int n,
                                int nnzA, const cusparseMatDescr_t descrA,
                                const int *csrRowPtrA, const int *csrColIndA,
                                csrqrInfo_t info)
{
    return analyse_pattern(handle, SPARSE_QR, true, m, n, nnzA, descrA,
                           csrRowPtrA, csrColIndA, SPARSE_INFO(info));
}

cusolverStatus_t cusolverSpXcsrcholAnalysisHost(
    cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,
    const int *csrRowPtrA, const int *csrColIndA, csrcholInfoHost_t info)
{
    return analyse_pattern(handle, SPARSE_CHOLESKY, false, n, n, nnzA, descrA,
                           csrRowPtrA, csrColIndA, SPARSE_INFO(info));
}

cusolverStatus_t cusolverSpXcsrcholAnalysis(
    cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,
    const int *csrRowPtrA, const int *csrColIndA, csrcholInfo_t info)
{
    return analyse_pattern(handle, SPARSE_CHOLESKY, true, n, n, nnzA, descrA,
                           csrRowPtrA, csrColIndA, SPARSE_INFO(info));
}

/* Factors are allocated: the buffers are not used. */
static cusolverStatus_t answer_sizes(cusolverSpHandle_t handle, bool is_valid,
                                     const struct sparse_info *info,
                                     size_t *internal, size_t *workspace)
{
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!is_valid || !sparse_is_info(info) || !info->order || !internal ||
        !workspace)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *internal = 8;
    *workspace = 8;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t zero_pivot(cusolverSpHandle_t handle,
                                   const struct sparse_info *info, double tol,
                                   int *position)
{
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!sparse_has_factors(info) || !position)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *position = sparse_singular(info->f, tol);
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t solve_with(cusolverSpHandle_t handle,
                                   enum blas_type type, bool is_on_device,
                                   struct sparse_info *info, int m, int n,
                                   const void *b, void *x)
{
    struct sparse_call c = {.run = sparse_run_with_factors,
                            .is_on_device = is_on_device,
                            .info = info,
                            .b = b,
                            .x = x,
                            .a.type = type};
    bool is_valid = sparse_has_factors(info) && b && x && info->f->m == m &&
                    info->f->n == n;
    return sparse_do(handle, is_valid, &c);
}

/* L without its diagonal of ones. */
cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle,
                                         int *nnzLRef, int *nnzURef,
                                         csrluInfoHost_t info)
{
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!sparse_has_factors(SPARSE_INFO(info)) || !nnzLRef || !nnzURef)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *nnzLRef = (int)info->as.f->l.count;
    *nnzURef = (int)info->as.f->u.count;
    return CUSOLVER_STATUS_SUCCESS;
}

struct extraction {
    struct sparse_call call;
    int *p, *q, *l_start, *l_index, *u_start, *u_index, l_base, u_base;
    void *l_value, *u_value;
};

/* Makes indices that begin at 0 begin at base. */
static void move_to_base(int *start, int *index, int n, int base)
{
    for (int i = 0; base && i < start[n]; i++)
        index[i] += base;
    for (int i = n; base && i >= 0; i--)
        start[i] += base;
}

static void run_extract(struct sparse_call *c)
{
    struct extraction *e = (struct extraction *)c;
    const struct sparse_factor *f = c->info->f;
    const int *step = sparse_steps(&c->room, f, e->p, e->q);
    sparse_engines[c->a.type].split(f, step, e->l_start, e->l_index, e->l_value,
                                    e->u_start, e->u_index, e->u_value);
    move_to_base(e->l_start, e->l_index, f->n, e->l_base);
    move_to_base(e->u_start, e->u_index, f->n, e->u_base);
}

#define CUSOLVER_ROWS "lib/cusolver/sparse_doors_typed.h"
#include "weft/cusolver_types.h"
