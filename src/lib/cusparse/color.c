/* SPDX-License-Identifier: Apache-2.0 */
/* Colours of rows: neighbours, rows that have entries for each other, differ.
 * Each row takes the first colour that none of its neighbours has. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

struct cusparseColorInfo {
    int unused;
};

cusparseStatus_t cusparseCreateColorInfo(cusparseColorInfo_t *info)
{
    if (!info)
        return CUSPARSE_END(WRONG);
    *info = calloc(1, sizeof **info);
    return CUSPARSE_END(*info ? CUSPARSE_STATUS_SUCCESS
                              : CUSPARSE_STATUS_ALLOC_FAILED);
}

cusparseStatus_t cusparseDestroyColorInfo(cusparseColorInfo_t info)
{
    free(info);
    return CUSPARSE_END(CUSPARSE_STATUS_SUCCESS);
}

struct coloring {
    int m, base;
    const int *ptr, *ind;
    struct scalar fraction; /* of rows that share colours */
    int *colors, *order, *count;
};

static double fraction_of(const struct scalar *s)
{
    if (!s->at)
        return s->real;
    return s->type == CUDA_R_32F ? *(const float *)s->at
                                 : *(const double *)s->at;
}

/* The first colour that no neighbour before this row has. taken[k] is row + 1
 * where one has colour k. */
static int color_of(const struct coloring *c, int row, int *taken)
{
    int color = 0;
    for (int e = c->ptr[row]; e < c->ptr[row + 1]; e++) {
        int j = c->ind[e - c->base] - c->base;
        if (j < row)
            taken[c->colors[sparse_inside(j, row)]] = row + 1;
    }
    while (taken[color] == row + 1)
        color++;
    return color;
}

/* Rows by colours. */
static void sort_rows(const struct coloring *c, int *starts)
{
    memset(starts, 0, ((size_t)c->m + 1) * sizeof *starts);
    for (int i = 0; i < c->m; i++)
        starts[c->colors[i] + 1]++;
    for (int k = 0; k < c->m; k++)
        starts[k + 1] += starts[k];
    for (int i = 0; i < c->m; i++)
        c->order[starts[c->colors[i]]++] = i + c->base;
}

/* One tile. Rows behind the fraction have colours of their own. */
static void color_rows(const void *args, uint64_t first, uint64_t end)
{
    const struct coloring *c = args;
    int shared = (int)ceil(fraction_of(&c->fraction) * c->m), count = 0;
    int *taken = calloc((size_t)c->m + 2, sizeof *taken);
    (void)first, (void)end;
    if (!taken)
        __builtin_trap();
    for (int i = 0; i < c->m; i++) {
        c->colors[i] = i < shared ? color_of(c, i, taken) : count;
        if (c->colors[i] >= count)
            count = c->colors[i] + 1;
    }
    *c->count = count;
    if (c->order)
        sort_rows(c, taken);
    free(taken);
}

static const struct native_kernel color_kernel = {"cusparse_color", color_rows,
                                                  sizeof(struct coloring), 0};

static cusparseStatus_t color_matrix(cusparseHandle_t handle, cudaDataType real,
                                     int nnz, cusparseMatDescr_t descr,
                                     const void *fraction, struct coloring *c)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (c->m < 0 || nnz < 0 || !descr || !c->ptr || (nnz && !c->ind) ||
        !fraction || !c->count || !c->colors)
        return WRONG;
    bool is_host = handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST;
    c->base = descr->base;
    c->fraction = cusparse_scalar(handle, real, fraction);
    if (is_host && !(c->fraction.real >= 0 && c->fraction.real <= 1))
        return WRONG;
    if (is_host && cusparse_check_wait(handle))
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    CUresult err = lib_run(&color_kernel, handle->stream, 1, c);
    return err || !is_host ? cusparse_status(err) : cusparse_wait(handle);
}

/* A row's colour does not depend on values. */
#define COLOR(X, T, R, REAL)                                                   \
    cusparseStatus_t cusparse##X##csrcolor(                                    \
        cusparseHandle_t handle, int m, int nnz,                               \
        const cusparseMatDescr_t descrA, const T *csrSortedValA,               \
        const int *csrSortedRowPtrA, const int *csrSortedColIndA,              \
        const R *fractionToColor, int *ncolors, int *coloring,                 \
        int *reordering, const cusparseColorInfo_t info)                       \
    {                                                                          \
        struct coloring c = {.m = m,                                           \
                             .ptr = csrSortedRowPtrA,                          \
                             .ind = csrSortedColIndA,                          \
                             .colors = coloring,                               \
                             .order = reordering,                              \
                             .count = ncolors};                                \
        (void)csrSortedValA;                                                   \
        return CUSPARSE_END(info ? color_matrix(handle, REAL, nnz, descrA,     \
                                                fractionToColor, &c)           \
                                 : WRONG);                                     \
    }
COLOR(S, float, float, CUDA_R_32F)
COLOR(D, double, double, CUDA_R_64F)
COLOR(C, cuComplex, float, CUDA_R_32F)
COLOR(Z, cuDoubleComplex, double, CUDA_R_64F)
