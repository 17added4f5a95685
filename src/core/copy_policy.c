/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The behaviour of copies towards the calling thread, the same for both APIs.
 *
 * Who waits (CUDA Driver API, "API synchronization behavior"): a synchronous
 * copy does, except from device to device. An asynchronous copy does if
 * pageable host memory takes part, since the program may reuse it at once,
 * unless it is so small that its bytes are kept aside.
 *
 * A synchronous copy or fill of the device's memory is waited for as well if
 * its stream has nothing else to do. A GPU takes microseconds for it, so
 * programs use the memory in a stream that does not wait for this one, and are
 * right there; here it takes milliseconds.
 */
#include "core/capture_hooks.h"
#include "core/internal.h"

bool mem_is_shared_by_host(const void *p, size_t size_bytes)
{
    const char *first = p;
    int shared = 0;
    device_attribute(&shared, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0);
    return shared && p && size_bytes && mem_is_reachable(first, 1) &&
           mem_is_reachable(first + size_bytes - 1, 1);
}

/* INVALID_VALUE unless `size_bytes` bytes at p can be one side of a copy: they
 * are within one allocation, and host memory is a device's side only if
 * kernels may use it. */
static CUresult check_side(const void *p, size_t size_bytes, enum mem_side side,
                           struct mem_info *info)
{
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    *info = mem_query(p);
    bool ok = mem_holds(p, size_bytes) &&
              (info->kind != MEM_UNKNOWN || side != MEM_SIDE_DEVICE ||
               mem_is_shared_by_host(p, size_bytes));
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The same for the destination, which the calling thread may write itself. */
static CUresult check_target(const void *p, size_t size_bytes,
                             enum mem_side side, struct mem_info *info)
{
    CUresult err = check_side(p, size_bytes, side, info);
    if (!err && info->kind == MEM_VIRTUAL &&
        !virtual_holds((CUdeviceptr)(uintptr_t)p, size_bytes,
                       CU_MEM_ACCESS_FLAGS_PROT_READWRITE))
        err = CUDA_ERROR_INVALID_VALUE;
    return err;
}

/* Bytes from the first to the last of a box. False: too large. */
static bool box_bytes(const struct mem_copy *c, size_t pitch, size_t slice,
                      size_t *size_bytes)
{
    assert(size_bytes);
    assert(c->width_bytes && c->height && c->depth);
    size_t slices, rows;
    return !__builtin_mul_overflow(c->depth - 1, slice, &slices) &&
           !__builtin_mul_overflow(c->height - 1, pitch, &rows) &&
           !__builtin_add_overflow(slices, rows, &rows) &&
           !__builtin_add_overflow(rows, c->width_bytes, size_bytes);
}

/* Of what kernels allocated there are no copies; an H200 fills it. */
static CUresult check_sides(const struct mem_copy *c, struct mem_info *from,
                            struct mem_info *to)
{
    size_t source_bytes, destination_bytes;
    if (!box_bytes(c, c->source_pitch, c->source_slice, &source_bytes) ||
        !box_bytes(c, c->destination_pitch, c->destination_slice,
                   &destination_bytes) ||
        exec_heap_has(c->source) || exec_heap_has(c->destination))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = check_side(c->source, source_bytes, c->source_side, from);
    return err ? err
               : check_target(c->destination, destination_bytes,
                              c->destination_side, to);
}

static bool is_of_device(const struct mem_info *m)
{
    return mem_is_device_kind(mem_seen_as(m));
}

/* True: a synchronous copy between such sides has ended when the call
 * returns. */
static bool is_waited_for(const struct mem_info *from,
                          const struct mem_info *to)
{
    return !is_of_device(from) || !is_of_device(to) || from->is_sync ||
           to->is_sync;
}

CUresult copy_check(const struct mem_copy *c)
{
    assert(c);
    struct mem_info from, to;
    if (!c->width_bytes || !c->height || !c->depth)
        return CUDA_SUCCESS;
    return check_sides(c, &from, &to);
}

CUresult copy_run(CUstream s, const struct mem_copy *c, enum copy_manner manner)
{
    assert(s && c);
    struct mem_info from, to;
    if (!c->width_bytes || !c->height || !c->depth)
        return CUDA_SUCCESS;
    /* Before the addresses are looked at, as by a GPU's driver. */
    CUresult err =
        manner == COPY_SYNC ? capture_refuse(s) : capture_check_valid(s);
    if (!err)
        err = check_sides(c, &from, &to);
    if (err)
        return err;
    bool from_pageable = from.kind == MEM_UNKNOWN;
    bool to_pageable = to.kind == MEM_UNKNOWN;
    if (manner == COPY_ASYNC && from_pageable && !to_pageable)
        return mem_copy_staged(s, c);
    return mem_copy_box(s, c,
                        manner == COPY_ASYNC
                            ? from_pageable || to_pageable
                            : is_waited_for(&from, &to) || stream_is_idle(s));
}

/* The destination is on the device's side. */
CUresult fill_run(CUstream s, const struct mem_copy *where, unsigned value,
                  unsigned element_bytes, enum copy_manner manner)
{
    assert(element_bytes == 1 || element_bytes == 2 || element_bytes == 4);
    const struct mem_copy *c = where;
    struct mem_info to;
    size_t size_bytes;
    if (!c->width_bytes || !c->height || !c->depth)
        return CUDA_SUCCESS;
    if (!box_bytes(c, c->destination_pitch, c->destination_slice, &size_bytes))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = manner == COPY_SYNC ? capture_refuse(s) : CUDA_SUCCESS;
    if (err)
        return err;
    /* A capture takes any address; its graph then has no instances. */
    bool may_be_node = manner == COPY_ASYNC && capture_is_on();
    if (!may_be_node)
        err = check_target(c->destination, size_bytes, MEM_SIDE_DEVICE, &to);
    if (err)
        return err;
    bool wait = manner == COPY_SYNC &&
                (!is_of_device(&to) || to.is_sync || stream_is_idle(s));
    return mem_set(s, (CUdeviceptr)(uintptr_t)c->destination,
                   c->destination_pitch, value, element_bytes,
                   c->width_bytes / element_bytes, c->height,
                   c->destination_slice, c->depth, wait);
}
