/* SPDX-License-Identifier: Apache-2.0 */
/* Systems of three and five diagonals. */
#include "internal.h"

#define WRONG CUSPARSE_STATUS_INVALID_VALUE

enum { GTSV_ROW = 4, GPSV_ROW = 7 };

struct system {
    int64_t n, count, step, stride; /* of elements, of systems */
    const void *low, *mid, *up;
    struct dense x;
};

static cusparseStatus_t solve_tridiagonal(cusparseHandle_t handle,
                                          cudaDataType type, bool is_valid,
                                          const struct system *s, void *buffer)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    if (!is_valid || !s->low || !s->mid || !s->up || !s->x.at || !buffer)
        return WRONG;
    if (s->n == 0)
        return CUSPARSE_STATUS_SUCCESS;
    struct work w = {.n = s->n, .x = s->x, .out = buffer};
    w.a.values = (void *)s->low;
    w.b.values = (void *)s->mid;
    w.c.values = (void *)s->up;
    w.a.major_stride = s->step;
    w.a.value_stride = s->stride;
    return cusparse_launch(handle, KERNEL_gtsv, type, s->count, &w);
}

/* Bytes of a buffer with `each` elements for each row of a system. Negative
 * sizes count as 0. */
static cusparseStatus_t band_bytes(cusparseHandle_t handle, cudaDataType type,
                                   bool is_valid, int64_t each, int64_t n,
                                   int64_t count, size_t *bytes)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (!status && (!is_valid || !bytes))
        status = WRONG;
    n = n < 0 ? 0 : n;
    count = count < 0 ? 0 : count;
    if (!status)
        *bytes = (size_t)(each * n * count * cusparse_type_bytes(type)) + 8;
    return status;
}

/* Element i of system s: s + i * count. */
static cusparseStatus_t solve_pentadiagonal(cusparseHandle_t handle,
                                            cudaDataType type, bool is_valid,
                                            int64_t n, int64_t count,
                                            const struct work *diagonals,
                                            void *x, void *buffer)
{
    cusparseStatus_t status = cusparse_check_handle(handle);
    if (status)
        return status;
    struct work w = *diagonals;
    for (int d = 0; d < 5; d++)
        is_valid = is_valid && w.diagonals[d];
    if (!is_valid || !x || !buffer)
        return WRONG;
    if (n == 0)
        return CUSPARSE_STATUS_SUCCESS;
    w.n = n;
    w.x = (struct dense){x, n, 1, count, 1, 1, false, type};
    w.a.major_stride = count;
    w.a.value_stride = 1;
    w.out = buffer;
    return cusparse_launch(handle, KERNEL_gpsv, type, count, &w);
}

#define TYPED "lib/cusparse/bands_typed.h"
#include "lib/cusparse/each_type.h"
