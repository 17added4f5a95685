/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions between formats without blocks. Indices are int. */
#include "internal.h"

#include <string.h>

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

struct conversion {
    int m, n, nnz, base, value_bytes;
    int *major, *minor;           /* the result */
    const int *from, *from_minor; /* what is read */
    const char *values;
    char *values_out;
    int64_t pieces;
    int *counts; /* of each piece: n */
};

#define KERNEL(name)                                                           \
    static const struct native_kernel kernel_##name = {                        \
        "cusparse_" #name, name, sizeof(struct conversion), 0}

static cusparseStatus_t run_conversion(cusparseHandle_t handle,
                                       const struct native_kernel *k,
                                       bool is_valid, struct conversion *c)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (!is_valid)
        return WRONG;
    c->pieces = cusparse_pieces((int64_t)c->m + c->n + c->nnz);
    return cusparse_status(lib_run(k, handle->stream, (uint64_t)c->pieces, c));
}

static int piece_start(const struct conversion *c, int64_t total,
                       uint64_t piece)
{
    return (int)(total * (int64_t)piece / c->pieces);
}

/* ---- rows and offsets ------------------------------------------------- */

/* The first entry whose row is not below `row`. */
static int entry_of(const struct conversion *c, int row)
{
    int low = 0, high = c->nnz;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (c->from[middle] - c->base < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void compress_rows(const void *args, uint64_t first, uint64_t end)
{
    const struct conversion *c = args;
    int row = piece_start(c, (int64_t)c->m + 1, first);
    int last = piece_start(c, (int64_t)c->m + 1, end);
    for (int e = entry_of(c, row); row < last; row++) {
        while (e < c->nnz && c->from[e] - c->base < row)
            e++;
        c->major[row] = e + c->base;
    }
}
KERNEL(compress_rows);

static void expand_rows(const void *args, uint64_t first, uint64_t end)
{
    const struct conversion *c = args;
    int last = piece_start(c, c->m, end);
    for (int row = piece_start(c, c->m, first); row < last; row++)
        for (int e = c->from[row]; e < c->from[row + 1]; e++)
            c->major[e - c->base] = row + c->base;
}
KERNEL(expand_rows);

static void fill_identity(const void *args, uint64_t first, uint64_t end)
{
    const struct conversion *c = args;
    int last = piece_start(c, c->n, end);
    for (int i = piece_start(c, c->n, first); i < last; i++)
        c->major[i] = i;
}
KERNEL(fill_identity);

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle,
                                                   int n, int *p)
{
    struct conversion c = {.n = n, .major = p};
    return CUSPARSE_END(
        run_conversion(handle, &kernel_fill_identity, n >= 0 && (p || !n), &c));
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *cooRowInd,
                                  int nnz, int m, int *csrSortedRowPtr,
                                  cusparseIndexBase_t idxBase)
{
    struct conversion c = {.m = m,
                           .nnz = nnz,
                           .base = idxBase,
                           .from = cooRowInd,
                           .major = csrSortedRowPtr};
    return CUSPARSE_END(
        run_conversion(handle, &kernel_compress_rows,
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
    return CUSPARSE_END(
        run_conversion(handle, &kernel_expand_rows,
                       m >= 0 && nnz >= 0 && (cooRowInd || !nnz) &&
                           csrSortedRowPtr && (unsigned)idxBase <= 1,
                       &c));
}

/* ---- rows to columns -------------------------------------------------- */

static void put_entry(const struct conversion *c, int row, int e, int to)
{
    size_t size = (size_t)c->value_bytes;
    c->minor[to] = row + c->base;
    if (size)
        memcpy(c->values_out + (size_t)to * size, c->values + (size_t)e * size,
               size);
}

/* One tile. While entries go to their columns, major[j + 1] is where the next
 * goes. */
static void transpose_serially(const void *args, uint64_t first, uint64_t end)
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
        for (int e = c->from[i] - c->base; e < c->from[i + 1] - c->base; e++)
            put_entry(c, i, e, next[c->from_minor[e] - c->base]++);
    for (int j = 0; j <= c->n; j++)
        c->major[j] += c->base;
}
KERNEL(transpose_serially);

/* The first row of piece p: pieces have equally many entries. */
static int row_of(const struct conversion *c, int64_t p)
{
    int goal = (int)((int64_t)c->nnz * p / c->pieces) + c->base;
    int low = 0, high = c->m;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (c->from[middle] < goal)
            low = middle + 1;
        else
            high = middle;
    }
    return p == c->pieces ? c->m : low;
}

static void count_columns(const void *args, uint64_t first, uint64_t end)
{
    const struct conversion *c = args;
    for (int64_t p = (int64_t)first; p < (int64_t)end; p++) {
        int *counts = c->counts + p * c->n - c->base;
        int last = c->from[row_of(c, p + 1)] - c->base;
        memset(c->counts + p * c->n, 0, (size_t)c->n * sizeof(int));
        for (int e = c->from[row_of(c, p)] - c->base; e < last; e++)
            counts[c->from_minor[e]]++;
    }
}
KERNEL(count_columns);

/* One tile: from counts to where each piece's entries of a column go. */
static void start_columns(const void *args, uint64_t first, uint64_t end)
{
    const struct conversion *c = args;
    int sum = 0;
    (void)first, (void)end;
    for (int j = 0; j < c->n; j++) {
        c->major[j] = sum + c->base;
        for (int64_t p = 0; p < c->pieces; p++) {
            int count = c->counts[p * c->n + j];
            c->counts[p * c->n + j] = sum;
            sum += count;
        }
    }
    c->major[c->n] = sum + c->base;
}
KERNEL(start_columns);

static void fill_columns(const void *args, uint64_t first, uint64_t end)
{
    const struct conversion *c = args;
    for (int64_t p = (int64_t)first; p < (int64_t)end; p++) {
        int *next = c->counts + p * c->n - c->base;
        int last = row_of(c, p + 1);
        for (int i = row_of(c, p); i < last; i++)
            for (int e = c->from[i] - c->base; e < c->from[i + 1] - c->base;
                 e++)
                put_entry(c, i, e, next[c->from_minor[e]]++);
    }
}
KERNEL(fill_columns);

enum { FEW_ENTRIES = 32768 };

static cusparseStatus_t run_transpose(cusparseHandle_t handle,
                                      struct conversion *c)
{
    uint64_t tiles = lib_thread_count();
    c->pieces = (int64_t)tiles;
    if (!c->counts || c->nnz < FEW_ENTRIES || tiles < 2)
        return cusparse_status(
            lib_run(&kernel_transpose_serially, handle->stream, 1, c));
    CUresult err = lib_run(&kernel_count_columns, handle->stream, tiles, c);
    if (!err)
        err = lib_run(&kernel_start_columns, handle->stream, 1, c);
    if (!err)
        err = lib_run(&kernel_fill_columns, handle->stream, tiles, c);
    return cusparse_status(err);
}

cusparseStatus_t cusparse_transpose(cusparseHandle_t handle, int m, int n,
                                    int nnz, const void *val, const int *ptr,
                                    const int *ind, void *csc_val, int *csc_ptr,
                                    int *csc_ind, int value_bytes,
                                    cusparseAction_t action,
                                    cusparseIndexBase_t base, void *buffer)
{
    bool has_values = action == CUSPARSE_ACTION_NUMERIC;
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (m < 0 || n < 0 || nnz < 0 || (unsigned)action > 1 ||
        (unsigned)base > 1 || !ptr || !csc_ptr || (nnz && (!ind || !csc_ind)) ||
        (nnz && has_values && (!val || !csc_val)))
        return WRONG;
    struct conversion c = {.m = m,
                           .n = n,
                           .nnz = nnz,
                           .base = base,
                           .value_bytes = has_values ? value_bytes : 0,
                           .major = csc_ptr,
                           .minor = csc_ind,
                           .from = ptr,
                           .from_minor = ind,
                           .values = val,
                           .values_out = csc_val,
                           .counts = buffer};
    return run_transpose(handle, &c);
}

static cusparseStatus_t check_csr2csc(cusparseHandle_t handle, int m, int n,
                                      int nnz, cudaDataType type,
                                      cusparseAction_t action,
                                      cusparseIndexBase_t base,
                                      cusparseCsr2CscAlg_t alg)
{
    cusparseStatus_t status = cusparse_check_generic(handle);
    if (status)
        return status;
    if (m < 0 || n < 0 || nnz < 0 || (unsigned)action > 1 ||
        (unsigned)base > 1 || alg != CUSPARSE_CSR2CSC_ALG1)
        return WRONG;
    return cusparse_type_bytes(type) ? CUSPARSE_STATUS_SUCCESS
                                     : cusparse_refused_type(type);
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(
    cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,
    const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,
    int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,
    cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg, size_t *bufferSize)
{
    (void)csrVal, (void)csrRowPtr, (void)csrColInd, (void)cscVal;
    (void)cscColPtr, (void)cscRowInd;
    cusparseStatus_t status =
        check_csr2csc(handle, m, n, nnz, valType, copyValues, idxBase, alg);
    if (!status && !bufferSize)
        status = WRONG;
    if (!status)
        *bufferSize = ((size_t)n * lib_thread_count() + 2) * sizeof(int);
    return CUSPARSE_END(status);
}

cusparseStatus_t cusparseCsr2cscEx2(
    cusparseHandle_t handle, int m, int n, int nnz, const void *csrVal,
    const int *csrRowPtr, const int *csrColInd, void *cscVal, int *cscColPtr,
    int *cscRowInd, cudaDataType valType, cusparseAction_t copyValues,
    cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg, void *buffer)
{
    cusparseStatus_t status =
        check_csr2csc(handle, m, n, nnz, valType, copyValues, idxBase, alg);
    return CUSPARSE_END(
        status ? status
               : cusparse_transpose(handle, m, n, nnz, csrVal, csrRowPtr,
                                    csrColInd, cscVal, cscColPtr, cscRowInd,
                                    (int)cusparse_type_bytes(valType),
                                    copyValues, idxBase, buffer));
}
