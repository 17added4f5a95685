/* SPDX-License-Identifier: Apache-2.0 */
/* Between formats, and sorting. Indices are int. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

struct conversion {
    int m, n, nnz, base, value_bytes;
    int *major, *minor, *order;   /* what is sorted, or the result */
    const int *from, *from_minor; /* what is read */
    const char *values;
    char *values_out;
};

#define KERNEL(name)                                                           \
    static const struct native_kernel kernel_##name = {                        \
        "cusparse_" #name, name, sizeof(struct conversion), 0}

static cusparseStatus_t run(cusparseHandle_t handle,
                            const struct native_kernel *k, bool is_valid,
                            const struct conversion *c)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (!is_valid)
        return WRONG;
    return cusparse_status(lib_run(k, handle->stream, 1, c));
}

/* ---- rows and offsets ------------------------------------------------- */

static void coo2csr(const void *args, uint64_t first, uint64_t end)
{
    const struct conversion *c = args;
    (void)first, (void)end;
    for (int row = 0, e = 0; row <= c->m; row++) {
        while (e < c->nnz && c->from[e] - c->base < row)
            e++;
        c->major[row] = e + c->base;
    }
}
KERNEL(coo2csr);

static void csr2coo(const void *args, uint64_t first, uint64_t end)
{
    const struct conversion *c = args;
    (void)first, (void)end;
    for (int row = 0; row < c->m; row++)
        for (int e = c->from[row]; e < c->from[row + 1]; e++)
            c->major[e - c->base] = row + c->base;
}
KERNEL(csr2coo);

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *cooRowInd,
                                  int nnz, int m, int *csrSortedRowPtr,
                                  cusparseIndexBase_t idxBase)
{
    struct conversion c = {.m = m,
                           .nnz = nnz,
                           .base = idxBase,
                           .from = cooRowInd,
                           .major = csrSortedRowPtr};
    return CUSPARSE_END(run(handle, &kernel_coo2csr,
                            m >= 0 && nnz >= 0 && (cooRowInd || !nnz) &&
                                csrSortedRowPtr && (unsigned)idxBase <= 1,
                            &c));
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle,
                                  const int *csrSortedRowPtr, int nnz, int m,
                                  int *cooRowInd, cusparseIndexBase_t idxBase)
{
    struct conversion c = {.m = m,
                           .nnz = nnz,
                           .base = idxBase,
                           .from = csrSortedRowPtr,
                           .major = cooRowInd};
    return CUSPARSE_END(run(handle, &kernel_csr2coo,
                            m >= 0 && nnz >= 0 && (cooRowInd || !nnz) &&
                                csrSortedRowPtr && (unsigned)idxBase <= 1,
                            &c));
}

/* ---- rows to columns -------------------------------------------------- */

/* While entries go to their columns, major[j + 1] is where the next goes. */
static void csr2csc(const void *args, uint64_t first, uint64_t end)
{
    const struct conversion *c = args;
    int *next = c->major + 1, sum = 0;
    (void)first, (void)end;
    memset(c->major, 0, (size_t)(c->n + 1) * sizeof(int));
    for (int e = 0; e < c->nnz; e++)
        next[c->from_minor[e] - c->base]++;
    for (int j = 0; j < c->n; j++) {
        int count = next[j];
        next[j] = sum;
        sum += count;
    }
    for (int i = 0; i < c->m; i++)
        for (int e = c->from[i] - c->base; e < c->from[i + 1] - c->base; e++) {
            int to = next[c->from_minor[e] - c->base]++;
            c->minor[to] = i + c->base;
            if (c->value_bytes)
                memcpy(c->values_out + (size_t)to * c->value_bytes,
                       c->values + (size_t)e * c->value_bytes,
                       (size_t)c->value_bytes);
        }
    for (int j = 0; j <= c->n; j++)
        c->major[j] += c->base;
}
KERNEL(csr2csc);

static cusparseStatus_t check_csr2csc(cusparseHandle_t handle, int m, int n,
                                      int nnz, cudaDataType type,
                                      cusparseAction_t action,
                                      cusparseIndexBase_t base)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (m < 0 || n < 0 || nnz < 0 || (unsigned)action > 1 || (unsigned)base > 1)
        return WRONG;
    return cusparse_type_bytes(type) ? CUSPARSE_STATUS_SUCCESS
                                     : CUSPARSE_STATUS_NOT_SUPPORTED;
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(
    cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,
    const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,
    int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,
    cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg, size_t *bufferSize)
{
    (void)csrVal, (void)csrRowPtr, (void)csrColInd, (void)cscVal;
    (void)cscColPtr, (void)cscRowInd, (void)alg;
    cusparseStatus_t status =
        check_csr2csc(handle, m, n, nnz, valType, copyValues, idxBase);
    if (!status && !bufferSize)
        status = WRONG;
    if (!status)
        *bufferSize = 8;
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseCsr2cscEx2(
    cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,
    const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,
    int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,
    cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg, void *buffer)
{
    (void)alg, (void)buffer;
    cusparseStatus_t status =
        check_csr2csc(handle, m, n, nnz, valType, copyValues, idxBase);
    if (status)
        return CUSPARSE_END(status);
    bool has_values = copyValues == CUSPARSE_ACTION_NUMERIC;
    struct conversion c = {
        .m = m,
        .n = n,
        .nnz = nnz,
        .base = idxBase,
        .value_bytes = has_values ? (int)cusparse_type_bytes(valType) : 0,
        .major = cscColPtr,
        .minor = cscRowInd,
        .from = csrRowPtr,
        .from_minor = csrColInd,
        .values = csrVal,
        .values_out = cscVal};
    bool is_valid = csrRowPtr && cscColPtr &&
                    (!nnz || (csrColInd && cscRowInd)) &&
                    (!nnz || !has_values || (csrVal && cscVal));
    return CUSPARSE_END(run(handle, &kernel_csr2csc, is_valid, &c));
}

/* ---- sorting ---------------------------------------------------------- */

struct place {
    int major, minor, order, at;
};

/* Equal ones stay in order. */
static int compare(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->major != y->major)
        return x->major < y->major ? -1 : 1;
    if (x->minor != y->minor)
        return x->minor < y->minor ? -1 : 1;
    return x->at - y->at;
}

/* Sorts [from, to) by major, where there is one, then minor. */
static void sort_range(const struct conversion *c, int from, int to)
{
    int n = to - from;
    struct place *p = malloc((size_t)(n + 1) * sizeof *p);
    if (!p)
        __builtin_trap();
    for (int k = 0; k < n; k++)
        p[k] = (struct place){c->major ? c->major[from + k] : 0,
                              c->minor[from + k],
                              c->order ? c->order[from + k] : 0, k};
    qsort(p, (size_t)n, sizeof *p, compare);
    for (int k = 0; k < n; k++) {
        if (c->major)
            c->major[from + k] = p[k].major;
        c->minor[from + k] = p[k].minor;
        if (c->order)
            c->order[from + k] = p[k].order;
    }
    free(p);
}

static void sort_all(const void *args, uint64_t first, uint64_t end)
{
    const struct conversion *c = args;
    (void)first, (void)end;
    sort_range(c, 0, c->nnz);
}
KERNEL(sort_all);

static void sort_majors(const void *args, uint64_t first, uint64_t end)
{
    const struct conversion *c = args;
    (void)first, (void)end;
    for (int i = 0; i < c->m; i++)
        sort_range(c, c->from[i] - c->base, c->from[i + 1] - c->base);
}
KERNEL(sort_majors);

static void identity(const void *args, uint64_t first, uint64_t end)
{
    const struct conversion *c = args;
    (void)first, (void)end;
    for (int i = 0; i < c->n; i++)
        c->order[i] = i;
}
KERNEL(identity);

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle,
                                                   int n, int *p)
{
    struct conversion c = {.n = n, .order = p};
    return CUSPARSE_END(run(handle, &kernel_identity, n >= 0 && (p || !n), &c));
}

static cusparseStatus_t sort_bytes(cusparseHandle_t handle, int m, int n,
                                   int nnz, size_t *bytes)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (!status && (m < 0 || n < 0 || nnz < 0 || !bytes))
        status = WRONG;
    if (!status)
        *bytes = 8;
    return status;
}

#define SORT_BYTES(name)                                                       \
    cusparseStatus_t cusparse##name##_bufferSizeExt(                           \
        cusparseHandle_t handle, int m, int n, int nnz, const int *major,      \
        const int *minor, size_t *pBufferSizeInBytes)                          \
    {                                                                          \
        (void)major, (void)minor;                                              \
        return CUSPARSE_END(                                                   \
            sort_bytes(handle, m, n, nnz, pBufferSizeInBytes));                \
    }
SORT_BYTES(Xcoosort)
SORT_BYTES(Xcsrsort)
SORT_BYTES(Xcscsort)

cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n,
                                       int nnz, int *cooRowsA, int *cooColsA,
                                       int *P, void *pBuffer)
{
    struct conversion c = {
        .nnz = nnz, .major = cooRowsA, .minor = cooColsA, .order = P};
    (void)pBuffer;
    return CUSPARSE_END(run(
        handle, &kernel_sort_all,
        m >= 0 && n >= 0 && nnz >= 0 && (!nnz || (cooRowsA && cooColsA)), &c));
}

cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n,
                                          int nnz, int *cooRowsA, int *cooColsA,
                                          int *P, void *pBuffer)
{
    struct conversion c = {
        .nnz = nnz, .major = cooColsA, .minor = cooRowsA, .order = P};
    (void)pBuffer;
    return CUSPARSE_END(run(
        handle, &kernel_sort_all,
        m >= 0 && n >= 0 && nnz >= 0 && (!nnz || (cooRowsA && cooColsA)), &c));
}

static cusparseStatus_t sort_compressed(cusparseHandle_t handle, int majors,
                                        int minors, int nnz,
                                        cusparseMatDescr_t descr,
                                        const int *ptr, int *ind, int *order)
{
    struct conversion c = {.m = majors,
                           .nnz = nnz,
                           .base = descr ? descr->base : 0,
                           .from = ptr,
                           .minor = ind,
                           .order = order};
    return run(handle, &kernel_sort_majors,
               majors >= 0 && minors >= 0 && nnz >= 0 && descr && ptr &&
                   (!nnz || ind),
               &c);
}

cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n,
                                  int nnz, const cusparseMatDescr_t descrA,
                                  const int *csrRowPtrA, int *csrColIndA,
                                  int *P, void *pBuffer)
{
    (void)pBuffer;
    return CUSPARSE_END(
        sort_compressed(handle, m, n, nnz, descrA, csrRowPtrA, csrColIndA, P));
}

cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n,
                                  int nnz, const cusparseMatDescr_t descrA,
                                  const int *cscColPtrA, int *cscRowIndA,
                                  int *P, void *pBuffer)
{
    (void)pBuffer;
    return CUSPARSE_END(
        sort_compressed(handle, n, m, nnz, descrA, cscColPtrA, cscRowIndA, P));
}
