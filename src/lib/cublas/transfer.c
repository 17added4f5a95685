/* SPDX-License-Identifier: Apache-2.0 */
/* Copies vectors and matrices between host and device, by a kernel. */
#include "internal.h"

#include <string.h>

enum { TILE_BYTES = 1 << 20 };

struct transfer {
    const char *from;
    char *to;
    int64_t rows, columns, elem, ld_from, ld_to;
    int64_t columns_each; /* of a tile */
};

static void copy_columns(const struct transfer *t, int64_t first, int64_t end)
{
    size_t bytes = (size_t)(t->rows * t->elem);
    for (int64_t c = first; c < end && c < t->columns; c++)
        memcpy(t->to + c * t->ld_to * t->elem,
               t->from + c * t->ld_from * t->elem, bytes);
}

static void run_transfer(const void *args, uint64_t first, uint64_t end)
{
    const struct transfer *t = args;
    bool is_dense = t->ld_from == t->rows && t->ld_to == t->rows;
    int64_t from = (int64_t)first * t->columns_each;
    int64_t to = (int64_t)end * t->columns_each;
    if (to > t->columns)
        to = t->columns;
    if (!is_dense) {
        copy_columns(t, from, to);
        return;
    }
    int64_t column = t->rows * t->elem;
    memcpy(t->to + from * column, t->from + from * column,
           (size_t)((to - from) * column));
}

static const struct native_kernel transfer = {.name = "transfer",
                                              .run = run_transfer,
                                              .args_bytes =
                                                  sizeof(struct transfer)};

/* As cudaMemcpyAsync, an asynchronous copy is done on return if CUDA does not
 * know the memory of the host. */
static bool must_wait(bool is_async, const void *from, const void *to,
                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const void *host = kind == cudaMemcpyHostToDevice ? from : to;
    if (!is_async)
        return true;
    return !lib_is_known_pointer(host) && !lib_is_capturing((CUstream)stream);
}

cublasStatus_t cublas_copy(int64_t rows, int64_t columns, int64_t elem,
                           const void *from, int64_t ld_from, void *to,
                           int64_t ld_to, enum cudaMemcpyKind kind,
                           cudaStream_t stream, bool is_async)
{
    if (rows < 0 || columns < 0 || elem <= 0 || ld_from <= 0 || ld_to <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (rows == 0 || columns == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!from || !to)
        return CUBLAS_STATUS_MAPPING_ERROR;
    struct transfer t = {from, to, rows, columns, elem, ld_from, ld_to, 1};
    t.columns_each = TILE_BYTES / (rows * elem) + 1;
    while ((columns + t.columns_each - 1) / t.columns_each > INT32_MAX / 2)
        t.columns_each *= 2;
    uint64_t tiles =
        (uint64_t)((columns + t.columns_each - 1) / t.columns_each);
    CUresult err = lib_run(&transfer, (CUstream)stream, tiles, &t);
    if (!err && must_wait(is_async, from, to, kind, stream))
        err = lib_synchronize((CUstream)stream);
    return err == CUDA_SUCCESS ? CUBLAS_STATUS_SUCCESS
                               : CUBLAS_STATUS_MAPPING_ERROR;
}
