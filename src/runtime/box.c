/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of boxes, described as the driver API does. */
#include "runtime/internal.h"

/* One side of a box. */
struct end {
    struct cudaPitchedPtr ptr;
    cudaArray_t array;
    struct cudaPos pos;
    enum mem_side side; /* by the copy's direction */

    /* check_end finds these. */
    CUmemorytype type;
    size_t x_bytes;
};

/* Checks one side. Arrays are on the device. A box that is longer than the
 * memory is found before one that ends behind it. */
static cudaError_t check_end(struct end *e, unsigned unit, size_t width_bytes,
                             const struct cudaExtent *extent)
{
    if (e->array && !array_element_bytes((CUarray)e->array))
        return cudaErrorInvalidResourceHandle;
    if (e->array && e->side == MEM_SIDE_HOST)
        return cudaErrorInvalidValue;
    size_t end_bytes;
    if (__builtin_mul_overflow(e->pos.x, unit, &e->x_bytes) ||
        __builtin_add_overflow(e->x_bytes, width_bytes, &end_bytes))
        return cudaErrorInvalidValue;
    e->type = e->array ? CU_MEMORYTYPE_ARRAY : mem_side_type(e->side);
    if (e->array)
        return cudaSuccess;
    size_t row_count, end_row;
    if (__builtin_mul_overflow(extent->height, extent->depth, &row_count) ||
        __builtin_add_overflow(e->pos.y, extent->height, &end_row))
        return cudaErrorInvalidValue;
    bool is_flat = extent->depth == 1 && !e->pos.z;
    if (!rt_is_pitch(e->ptr.pitch, extent->width, row_count))
        return rt_wrong_pitch(e->ptr.pitch, row_count);
    if (!is_flat && extent->height > e->ptr.ysize)
        return cudaErrorInvalidPitchValue;
    bool fits = rt_is_pitch(e->ptr.pitch, end_bytes, row_count) &&
                (is_flat || end_row <= e->ptr.ysize);
    return fits ? cudaSuccess : cudaErrorInvalidValue;
}

/* Widths and positions count elements if one side is an array, else bytes. That
 * holds for positions in plain memory, too, unlike what the manual says. */
static cudaError_t width_of(const struct cudaMemcpy3DParms *p, unsigned *unit,
                            size_t *width_bytes)
{
    unsigned from = array_element_bytes((CUarray)p->srcArray);
    unsigned to = array_element_bytes((CUarray)p->dstArray);
    if (from && to && from != to)
        return cudaErrorInvalidValue;
    *unit = from ? from : to ? to : 1;
    return __builtin_mul_overflow(p->extent.width, *unit, width_bytes)
               ? cudaErrorInvalidValue
               : cudaSuccess;
}

cudaError_t rt_describe_box(const struct cudaMemcpy3DParms *p,
                            CUDA_MEMCPY3D *out)
{
    size_t width;
    unsigned unit = 1;
    struct end from = {
        p->srcPtr, p->srcArray, p->srcPos, rt_side(p->kind, true), 0, 0};
    struct end to = {
        p->dstPtr, p->dstArray, p->dstPos, rt_side(p->kind, false), 0, 0};
    if (!from.array == !from.ptr.ptr || !to.array == !to.ptr.ptr)
        return cudaErrorInvalidValue;
    cudaError_t err = width_of(p, &unit, &width);
    if (!err)
        err = check_end(&from, unit, width, &p->extent);
    if (!err)
        err = check_end(&to, unit, width, &p->extent);
    if (err)
        return err;
    *out = (CUDA_MEMCPY3D){
        .srcXInBytes = from.x_bytes,
        .srcY = from.pos.y,
        .srcZ = from.pos.z,
        .srcMemoryType = from.type,
        .srcHost = from.ptr.ptr,
        .srcDevice = (CUdeviceptr)(uintptr_t)from.ptr.ptr,
        .srcArray = (CUarray)from.array,
        .srcPitch = from.ptr.pitch,
        .srcHeight = from.ptr.ysize,
        .dstXInBytes = to.x_bytes,
        .dstY = to.pos.y,
        .dstZ = to.pos.z,
        .dstMemoryType = to.type,
        .dstHost = to.ptr.ptr,
        .dstDevice = (CUdeviceptr)(uintptr_t)to.ptr.ptr,
        .dstArray = (CUarray)to.array,
        .dstPitch = to.ptr.pitch,
        .dstHeight = to.ptr.ysize,
        .WidthInBytes = width,
        .Height = p->extent.height,
        .Depth = p->extent.depth,
    };
    return cudaSuccess;
}
