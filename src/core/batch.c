/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many copies, prefetches or discards by one call. All are checked before the
 * first is submitted; they have no order among each other, so any will do.
 */
#include "core/internal.h"

#include "core/array.h"

/* True: the indices of n attributes start at 0 and rise by at least `step`,
 * below `count`. */
static bool are_indices(const size_t *indices, size_t n, size_t count,
                        size_t step)
{
    if (!indices || n == 0 || n > count || indices[0] != 0)
        return false;
    for (size_t i = 1; i < n; i++) {
        if (indices[i] < indices[i - 1] + step || indices[i] >= count)
            return false;
    }
    return true;
}

/* The stream of an ordered batch: not the default stream, which orders
 * everything. */
static CUresult check_stream(CUstream s)
{
    CUresult err = ctx_sticky(s->ctx);
    if (!err)
        err = capture_refuse(s);
    return err || !s->is_legacy ? err : CUDA_ERROR_INVALID_VALUE;
}

/* ---- copies ----------------------------------------------------------- */

/* A batch of copies cannot be captured; to try leaves the capture as it is. */
static CUresult check_copy_stream(CUstream s)
{
    CUstreamCaptureStatus status;
    CUresult err = ctx_sticky(s->ctx);
    if (err)
        return err;
    if (s->is_legacy)
        return CUDA_ERROR_INVALID_VALUE;
    err = capture_status(s, &status);
    return !err && status != CU_STREAM_CAPTURE_STATUS_NONE
               ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
               : err;
}

static bool is_order(CUmemcpySrcAccessOrder order)
{
    return order > CU_MEMCPY_SRC_ACCESS_ORDER_INVALID &&
           order <= CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
}

static bool are_flags(unsigned flags)
{
    return !(flags & ~(unsigned)CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE);
}

/* A hint names a device that there is, another place, or none. */
static bool is_hint(const CUmemLocation *l)
{
    if (l->type < CU_MEM_LOCATION_TYPE_INVALID ||
        l->type > CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
        return false;
    return l->type != CU_MEM_LOCATION_TYPE_DEVICE || device_exists(l->id);
}

static bool is_attribute(const CUmemcpyAttributes *a)
{
    return is_order(a->srcAccessOrder) && are_flags(a->flags) &&
           is_hint(&a->srcLocHint) && is_hint(&a->dstLocHint);
}

/* Ordinary host memory is read in stream order, unless the program wants it
 * back when the call returns. */
static CUresult submit_copy(CUstream s, const struct mem_copy *c,
                            CUmemcpySrcAccessOrder order)
{
    bool is_pageable = mem_query(c->source).kind == MEM_UNKNOWN;
    return is_pageable && order == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL
               ? mem_copy_staged(s, c)
               : mem_copy_box(s, c, false);
}

static struct mem_copy row_copy(CUdeviceptr to, CUdeviceptr from,
                                size_t size_bytes)
{
    return (struct mem_copy){.source = (const void *)(uintptr_t)from,
                             .destination = (void *)(uintptr_t)to,
                             .width_bytes = size_bytes,
                             .height = 1,
                             .depth = 1};
}

static CUresult check_copies(const struct batch_copies *b, size_t *fail)
{
    *fail = SIZE_MAX;
    if (!b->to || !b->from || !b->sizes || !b->attributes || !b->count ||
        !are_indices(b->indices, b->attribute_count, b->count, 1))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < b->attribute_count; i++) {
        if (!is_attribute(&b->attributes[i]))
            return CUDA_ERROR_INVALID_VALUE;
    }
    for (*fail = 0; *fail < b->count; ++*fail) {
        struct mem_copy c =
            row_copy(b->to[*fail], b->from[*fail], b->sizes[*fail]);
        CUresult err =
            b->sizes[*fail] ? copy_check(&c) : CUDA_ERROR_INVALID_VALUE;
        if (err)
            return err;
    }
    *fail = SIZE_MAX;
    return CUDA_SUCCESS;
}

CUresult batch_copy(CUstream s, const struct batch_copies *b, size_t *fail)
{
    CUresult err = check_copy_stream(s);
    *fail = SIZE_MAX;
    if (!err)
        err = check_copies(b, fail);
    for (size_t i = 0, a = 0; i < b->count && !err; i++) {
        while (a + 1 < b->attribute_count && b->indices[a + 1] <= i)
            a++;
        assert(a < b->attribute_count && b->indices[a] <= i);
        struct mem_copy c = row_copy(b->to[i], b->from[i], b->sizes[i]);
        err = submit_copy(s, &c, b->attributes[a].srcAccessOrder);
    }
    return err;
}

/* ---- boxes ------------------------------------------------------------ */

/* Lengths count elements if an array takes part, else bytes. */
static size_t unit_of(const CUDA_MEMCPY3D_BATCH_OP *op)
{
    const CUmemcpy3DOperand *sides[] = {&op->src, &op->dst};
    for (int i = 0; i < 2; i++) {
        if (sides[i]->type == CU_MEMCPY_OPERAND_TYPE_ARRAY &&
            array_find(sides[i]->op.array.array))
            return sides[i]->op.array.array->element_bytes;
    }
    return 1;
}

struct place {
    CUmemorytype type;
    CUdeviceptr p;
    CUarray array;
    size_t x_bytes, y, z, pitch, height;
};

static bool read_place(const CUmemcpy3DOperand *o, size_t unit, size_t width,
                       struct place *out)
{
    assert(unit > 0);
    switch (o->type) {
    case CU_MEMCPY_OPERAND_TYPE_POINTER:
        *out = (struct place){
            .type = CU_MEMORYTYPE_UNIFIED,
            .p = o->op.ptr.ptr,
            .pitch = (o->op.ptr.rowLength ? o->op.ptr.rowLength : width) * unit,
            .height = o->op.ptr.layerHeight,
        };
        return true;
    case CU_MEMCPY_OPERAND_TYPE_ARRAY:
        *out = (struct place){
            .type = CU_MEMORYTYPE_ARRAY,
            .array = o->op.array.array,
            .x_bytes = o->op.array.offset.x * unit,
            .y = o->op.array.offset.y,
            .z = o->op.array.offset.z,
        };
        return true;
    default:
        return false;
    }
}

static CUresult read_box(const CUDA_MEMCPY3D_BATCH_OP *op, struct mem_copy *out)
{
    size_t unit = unit_of(op);
    struct place from, to;
    if (!is_order(op->srcAccessOrder) || !are_flags(op->flags) ||
        !op->extent.width || !op->extent.height || !op->extent.depth ||
        !read_place(&op->src, unit, op->extent.width, &from) ||
        !read_place(&op->dst, unit, op->extent.width, &to))
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_MEMCPY3D box = {
        .srcMemoryType = from.type,
        .srcDevice = from.p,
        .srcArray = from.array,
        .srcXInBytes = from.x_bytes,
        .srcY = from.y,
        .srcZ = from.z,
        .srcPitch = from.pitch,
        .srcHeight = from.height,
        .dstMemoryType = to.type,
        .dstDevice = to.p,
        .dstArray = to.array,
        .dstXInBytes = to.x_bytes,
        .dstY = to.y,
        .dstZ = to.z,
        .dstPitch = to.pitch,
        .dstHeight = to.height,
        .WidthInBytes = op->extent.width * unit,
        .Height = op->extent.height,
        .Depth = op->extent.depth,
    };
    CUresult err = copy_describe(&box, out);
    return err ? err : copy_check(out);
}

CUresult batch_copy_boxes(CUstream s, const CUDA_MEMCPY3D_BATCH_OP *ops,
                          size_t count, unsigned long long flags, size_t *fail)
{
    struct mem_copy c;
    CUresult err = check_copy_stream(s);
    *fail = SIZE_MAX;
    if (!err && (!ops || !count || flags))
        err = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count && !err; i++) {
        err = read_box(&ops[i], &c);
        if (err)
            *fail = i;
    }
    for (size_t i = 0; i < count && !err; i++) {
        err = read_box(&ops[i], &c);
        if (!err)
            err = submit_copy(s, &c, ops[i].srcAccessOrder);
    }
    return err;
}

/* ---- managed memory --------------------------------------------------- */

static CUresult check_ranges(CUstream s, const struct batch_ranges *b)
{
    const CUmemLocation anywhere = {.type = CU_MEM_LOCATION_TYPE_HOST};
    CUresult err = check_stream(s);
    if (!err && (!b->starts || !b->sizes || !b->count || b->flags))
        err = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < b->count && !err; i++)
        err = range_check_prefetch(b->starts[i], b->sizes[i], &anywhere);
    return err;
}

CUresult batch_prefetch(CUstream s, const struct batch_ranges *b)
{
    CUresult err = check_ranges(s, b);
    if (!err && (!b->locations ||
                 !are_indices(b->indices, b->location_count, b->count, 0)))
        err = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < b->location_count && !err; i++)
        err = range_check_location(&b->locations[i]);
    for (size_t i = 0, l = 0; i < b->count && !err; i++) {
        while (l + 1 < b->location_count && b->indices[l + 1] <= i)
            l++;
        err = range_prefetch(s, b->starts[i], b->sizes[i], b->locations[l]);
    }
    return err;
}

/* The bytes may have any value afterwards, their old value included. */
CUresult batch_discard(CUstream s, const struct batch_ranges *b)
{
    return check_ranges(s, b);
}
