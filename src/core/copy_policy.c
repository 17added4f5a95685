/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a copy means to the thread that asks for it, whichever API it uses.
 *
 * Who waits (CUDA Driver API, "API synchronization behavior"): a synchronous
 * copy does, except from device to device; an asynchronous one does if
 * pageable host memory takes part, since the program may reuse it, unless
 * there is so little that it is kept aside.
 */
#include "core/internal.h"

bool mem_is_shared_by_host(const void *p, size_t size_bytes)
{
    const char *first = p;
    int shared = 0;
    device_attribute(&shared, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0);
    return shared && p && size_bytes && mem_is_reachable(first, 1) &&
           mem_is_reachable(first + size_bytes - 1, 1);
}

/* `size_bytes` bytes at p can be one side of a copy: within one allocation;
 * host memory is a device's side only if kernels may use it too. */
static CUresult check_side(const void *p, size_t size_bytes, enum mem_side side,
                           enum mem_kind *kind)
{
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    *kind = mem_query(p).kind;
    bool ok = *kind == MEM_REGISTERED ||
              (*kind == MEM_UNKNOWN && side != MEM_SIDE_DEVICE) ||
              (*kind == MEM_UNKNOWN ? mem_is_shared_by_host(p, size_bytes)
                                    : mem_holds(p, size_bytes));
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* From the first to the last byte of a box. False: more than fits. */
static bool span(const struct mem_copy *c, size_t pitch, size_t slice,
                 size_t *size_bytes)
{
    size_t slices, rows;
    return !__builtin_mul_overflow(c->depth - 1, slice, &slices) &&
           !__builtin_mul_overflow(c->height - 1, pitch, &rows) &&
           !__builtin_add_overflow(slices, rows, &rows) &&
           !__builtin_add_overflow(rows, c->width_bytes, size_bytes);
}

static CUresult check_sides(const struct mem_copy *c, enum mem_kind *from,
                            enum mem_kind *to)
{
    size_t source_bytes, destination_bytes;
    if (!span(c, c->source_pitch, c->source_slice, &source_bytes) ||
        !span(c, c->destination_pitch, c->destination_slice,
              &destination_bytes))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = check_side(c->source, source_bytes, c->source_side, from);
    return err ? err
               : check_side(c->destination, destination_bytes,
                            c->destination_side, to);
}

CUresult copy_check(const struct mem_copy *c)
{
    enum mem_kind from, to;
    if (!c->width_bytes || !c->height || !c->depth)
        return CUDA_SUCCESS;
    return check_sides(c, &from, &to);
}

CUresult copy_run(CUstream s, const struct mem_copy *c, enum copy_manner manner)
{
    enum mem_kind from, to;
    if (!c->width_bytes || !c->height || !c->depth)
        return CUDA_SUCCESS;
    CUresult err = check_sides(c, &from, &to);
    if (err)
        return err;
    if (manner == COPY_ASYNC && from == MEM_UNKNOWN && to != MEM_UNKNOWN)
        return mem_copy_staged(s, c);
    bool wait = manner == COPY_ASYNC
                    ? from == MEM_UNKNOWN || to == MEM_UNKNOWN
                    : !mem_is_device_kind(from) || !mem_is_device_kind(to);
    return mem_copy(s, c, wait);
}
