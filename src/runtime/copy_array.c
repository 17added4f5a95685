/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of rows to and from arrays; and older functions that copy a number of
 * bytes along an array's rows, from the end of one to the start of the next.
 */
#include "runtime/internal.h"

/* ---- rows ---------------------------------------------------------------- */

/* One side of a copy: rows in an array from (x, y) on, or in memory. */
struct rows {
    cudaArray_const_t array;
    size_t x_bytes, y;
    const void *p;
    size_t pitch;
    bool is_array;
};

static cudaError_t check_pitch(const struct rows *r, size_t width,
                               size_t height)
{
    return r->is_array || rt_is_pitch(r->pitch, width, height)
               ? cudaSuccess
               : rt_wrong_pitch(r->pitch, height);
}

static bool is_array_of_host(const struct rows *r, enum mem_side side)
{
    return r->is_array && side == MEM_SIDE_HOST;
}

static cudaError_t check_place(const struct rows *r)
{
    if (r->is_array)
        return r->array ? cudaSuccess : cudaErrorInvalidResourceHandle;
    return r->p ? cudaSuccess : cudaErrorInvalidValue;
}

static struct rows rows_of_array(cudaArray_const_t array, size_t x_bytes,
                                 size_t y)
{
    return (struct rows){
        .array = array, .x_bytes = x_bytes, .y = y, .is_array = true};
}

static struct rows rows_at(const void *p, size_t pitch)
{
    return (struct rows){.p = p, .pitch = pitch};
}

static CUmemorytype type_of(const struct rows *r, enum mem_side side)
{
    return r->array ? CU_MEMORYTYPE_ARRAY : mem_side_type(side);
}

static CUDA_MEMCPY3D describe_copy(struct rows to, struct rows from,
                                   size_t width, size_t height,
                                   enum cudaMemcpyKind kind)
{
    return (CUDA_MEMCPY3D){
        .srcMemoryType = type_of(&from, rt_side(kind, true)),
        .srcHost = from.p,
        .srcDevice = (CUdeviceptr)(uintptr_t)from.p,
        .srcArray = (CUarray)(uintptr_t)from.array,
        .srcXInBytes = from.x_bytes,
        .srcY = from.y,
        .srcPitch = from.pitch,
        .dstMemoryType = type_of(&to, rt_side(kind, false)),
        .dstHost = (void *)(uintptr_t)to.p,
        .dstDevice = (CUdeviceptr)(uintptr_t)to.p,
        .dstArray = (CUarray)(uintptr_t)to.array,
        .dstXInBytes = to.x_bytes,
        .dstY = to.y,
        .dstPitch = to.pitch,
        .WidthInBytes = width,
        .Height = height,
        .Depth = 1,
    };
}

static cudaError_t copy_rows(struct rows to, struct rows from, size_t width,
                             size_t height, enum cudaMemcpyKind kind,
                             enum copy_manner manner, cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_check_direction(kind);
    if (!err)
        err = rt_stream(stream, &ctx, &s);
    if (err || !width || !height)
        return err;
    /* In the order in which an H200's runtime checks them. */
    err = check_pitch(&to, width, height);
    if (!err)
        err = check_pitch(&from, width, height);
    if (!err && (is_array_of_host(&to, rt_side(kind, false)) ||
                 is_array_of_host(&from, rt_side(kind, true))))
        err = cudaErrorInvalidMemcpyDirection;
    if (!err)
        err = check_place(&to);
    if (!err)
        err = check_place(&from);
    if (err)
        return err;
    CUDA_MEMCPY3D box = describe_copy(to, from, width, height, kind);
    return rt_error(copy_run_box(s, &box, manner));
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                const void *src, size_t spitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind)
{
    return rt_return(copy_rows(rows_of_array(dst, wOffset, hOffset),
                               rows_at(src, spitch), width, height, kind,
                               COPY_SYNC, NULL));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset,
                                     size_t hOffset, const void *src,
                                     size_t spitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    return rt_return(copy_rows(rows_of_array(dst, wOffset, hOffset),
                               rows_at(src, spitch), width, height, kind,
                               COPY_ASYNC, stream));
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch,
                                  cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height,
                                  enum cudaMemcpyKind kind)
{
    return rt_return(copy_rows(rows_at(dst, dpitch),
                               rows_of_array(src, wOffset, hOffset), width,
                               height, kind, COPY_SYNC, NULL));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch,
                                       cudaArray_const_t src, size_t wOffset,
                                       size_t hOffset, size_t width,
                                       size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
    return rt_return(copy_rows(rows_at(dst, dpitch),
                               rows_of_array(src, wOffset, hOffset), width,
                               height, kind, COPY_ASYNC, stream));
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst,
                                     size_t hOffsetDst, cudaArray_const_t src,
                                     size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    return rt_return(copy_rows(rows_of_array(dst, wOffsetDst, hOffsetDst),
                               rows_of_array(src, wOffsetSrc, hOffsetSrc),
                               width, height, kind, COPY_SYNC, NULL));
}

/* ---- bytes along rows ---------------------------------------------------- */

static struct copy_place in_array(cudaArray_const_t array, size_t x_bytes,
                                  size_t y)
{
    return (struct copy_place){
        .array = (CUarray)(uintptr_t)array, .x_bytes = x_bytes, .y = y};
}

static struct copy_place in_memory(const void *p, enum mem_side side)
{
    return (struct copy_place){.p = (void *)(uintptr_t)p, .side = side};
}

static cudaError_t copy_bytes(struct copy_place to, struct copy_place from,
                              size_t count, enum cudaMemcpyKind kind,
                              enum copy_manner manner, cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (err || !count) /* other arguments do not matter, as on an H200 */
        return err;
    err = rt_check_direction(kind);
    if (err)
        return err;
    if ((to.array && rt_side(kind, false) == MEM_SIDE_HOST) ||
        (from.array && rt_side(kind, true) == MEM_SIDE_HOST))
        return cudaErrorInvalidMemcpyDirection;
    return rt_error(copy_linear(s, to, from, count, manner));
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                              const void *src, size_t count,
                              enum cudaMemcpyKind kind)
{
    return rt_return(copy_bytes(in_array(dst, wOffset, hOffset),
                                in_memory(src, rt_side(kind, true)), count,
                                kind, COPY_SYNC, NULL));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset,
                                   size_t hOffset, const void *src,
                                   size_t count, enum cudaMemcpyKind kind,
                                   cudaStream_t stream)
{
    return rt_return(copy_bytes(in_array(dst, wOffset, hOffset),
                                in_memory(src, rt_side(kind, true)), count,
                                kind, COPY_ASYNC, stream));
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src,
                                size_t wOffset, size_t hOffset, size_t count,
                                enum cudaMemcpyKind kind)
{
    return rt_return(copy_bytes(in_memory(dst, rt_side(kind, false)),
                                in_array(src, wOffset, hOffset), count, kind,
                                COPY_SYNC, NULL));
}

cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src,
                                     size_t wOffset, size_t hOffset,
                                     size_t count, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    return rt_return(copy_bytes(in_memory(dst, rt_side(kind, false)),
                                in_array(src, wOffset, hOffset), count, kind,
                                COPY_ASYNC, stream));
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst,
                                   size_t hOffsetDst, cudaArray_const_t src,
                                   size_t wOffsetSrc, size_t hOffsetSrc,
                                   size_t count, enum cudaMemcpyKind kind)
{
    return rt_return(copy_bytes(in_array(dst, wOffsetDst, hOffsetDst),
                                in_array(src, wOffsetSrc, hOffsetSrc), count,
                                kind, COPY_SYNC, NULL));
}
