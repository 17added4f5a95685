/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Setting memory to a byte. cudaMemset waits only if the host can read the
 * memory.
 */
#include "runtime/internal.h"

struct box {
    void *start;
    size_t pitch, slice;
    size_t width_bytes, height, depth;
};

static cudaError_t fill_region(const struct box *b, int value,
                               enum copy_manner manner, cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!b->width_bytes && err == rt_sticky())
        return cudaSuccess; /* setting no bytes works in any context */
    if (err || !b->width_bytes || !b->height || !b->depth)
        return err;
    if (b->height > 1 && b->width_bytes > b->pitch)
        return cudaErrorInvalidValue;
    const struct mem_copy where = {
        .destination = b->start,
        .destination_pitch = b->pitch,
        .destination_slice = b->slice,
        .width_bytes = b->width_bytes,
        .height = b->height,
        .depth = b->depth,
    };
    return rt_error(fill_run(s, &where, (unsigned char)value, 1, manner));
}

/* ---- a row --------------------------------------------------------------- */

static struct box row_box(void *p, size_t count)
{
    return (struct box){.start = p,
                        .pitch = count,
                        .slice = count,
                        .width_bytes = count,
                        .height = 1,
                        .depth = 1};
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    struct box b = row_box(devPtr, count);
    return rt_return(fill_region(&b, value, COPY_SYNC, NULL));
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                            cudaStream_t stream)
{
    struct box b = row_box(devPtr, count);
    return rt_return(fill_region(&b, value, COPY_ASYNC, stream));
}

/* ---- rows ---------------------------------------------------------------- */

static struct box box_of_rows(void *p, size_t pitch, size_t width,
                              size_t height)
{
    return (struct box){.start = p,
                        .pitch = pitch,
                        .width_bytes = width,
                        .height = height,
                        .depth = 1};
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width,
                         size_t height)
{
    struct box b = box_of_rows(devPtr, pitch, width, height);
    return rt_return(fill_region(&b, value, COPY_SYNC, NULL));
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value,
                              size_t width, size_t height, cudaStream_t stream)
{
    struct box b = box_of_rows(devPtr, pitch, width, height);
    return rt_return(fill_region(&b, value, COPY_ASYNC, stream));
}

/* ---- a box --------------------------------------------------------------- */

static cudaError_t fill_box(struct cudaPitchedPtr p, int value,
                            struct cudaExtent extent, enum copy_manner manner,
                            cudaStream_t stream)
{
    struct box b = {.start = p.ptr,
                    .pitch = p.pitch,
                    .width_bytes = extent.width,
                    .height = extent.height,
                    .depth = extent.depth};
    bool is_empty = !extent.width || !extent.height || !extent.depth;
    if (__builtin_mul_overflow(p.pitch, p.ysize, &b.slice) ||
        (!is_empty && extent.height > p.ysize) ||
        (!is_empty && extent.depth > 1 && extent.width > p.pitch))
        return cudaErrorInvalidValue;
    return fill_region(&b, value, manner, stream);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value,
                         struct cudaExtent extent)
{
    return rt_return(fill_box(pitchedDevPtr, value, extent, COPY_SYNC, NULL));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value,
                              struct cudaExtent extent, cudaStream_t stream)
{
    return rt_return(
        fill_box(pitchedDevPtr, value, extent, COPY_ASYNC, stream));
}
