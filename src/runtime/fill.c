/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Setting memory to a byte. The host does not wait, except where it could
 * see the memory itself.
 */
#include "runtime/internal.h"

enum manner { SYNCHRONOUS, ASYNCHRONOUS };

struct box {
    void *start;
    size_t pitch, slice;
    size_t width_bytes, height, depth;
};

/* The box lies in one allocation that kernels may write. */
static cudaError_t check_box(const struct box *b, enum mem_kind *kind)
{
    size_t slices, size_bytes;
    if (__builtin_mul_overflow(b->depth - 1, b->slice, &slices) ||
        __builtin_mul_overflow(b->height - 1, b->pitch, &size_bytes) ||
        __builtin_add_overflow(slices, size_bytes, &size_bytes) ||
        __builtin_add_overflow(b->width_bytes, size_bytes, &size_bytes))
        return cudaErrorInvalidValue;
    struct mem_info info = mem_query(b->start);
    *kind = info.kind;
    if (info.kind == MEM_UNKNOWN)
        return mem_is_shared_by_host(b->start, size_bytes)
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    size_t offset = (uintptr_t)b->start - info.base;
    return size_bytes <= info.size_bytes - offset ? cudaSuccess
                                                  : cudaErrorInvalidValue;
}

static cudaError_t fill(const struct box *b, int value, enum manner manner,
                        cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    enum mem_kind kind;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (err || !b->width_bytes || !b->height || !b->depth)
        return err;
    if (b->height > 1 && b->width_bytes > b->pitch)
        return cudaErrorInvalidValue;
    err = check_box(b, &kind);
    if (err)
        return err;
    bool wait = manner == SYNCHRONOUS && kind != MEM_DEVICE;
    return rt_error(mem_set(s, (CUdeviceptr)(uintptr_t)b->start, b->pitch,
                            (unsigned char)value, 1, b->width_bytes, b->height,
                            b->slice, b->depth, wait));
}

/* ---- a row --------------------------------------------------------------- */

static struct box row(void *p, size_t count)
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
    struct box b = row(devPtr, count);
    return rt_return(fill(&b, value, SYNCHRONOUS, NULL));
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                            cudaStream_t stream)
{
    struct box b = row(devPtr, count);
    return rt_return(fill(&b, value, ASYNCHRONOUS, stream));
}

/* ---- rows ---------------------------------------------------------------- */

static struct box rows(void *p, size_t pitch, size_t width, size_t height)
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
    struct box b = rows(devPtr, pitch, width, height);
    return rt_return(fill(&b, value, SYNCHRONOUS, NULL));
}

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value,
                              size_t width, size_t height, cudaStream_t stream)
{
    struct box b = rows(devPtr, pitch, width, height);
    return rt_return(fill(&b, value, ASYNCHRONOUS, stream));
}

/* ---- a box --------------------------------------------------------------- */

static cudaError_t fill_box(struct cudaPitchedPtr p, int value,
                            struct cudaExtent extent, enum manner manner,
                            cudaStream_t stream)
{
    struct box b = {.start = p.ptr,
                    .pitch = p.pitch,
                    .width_bytes = extent.width,
                    .height = extent.height,
                    .depth = extent.depth};
    if (__builtin_mul_overflow(p.pitch, p.ysize, &b.slice) ||
        (extent.depth > 1 && extent.height > p.ysize))
        return cudaErrorInvalidValue;
    return fill(&b, value, manner, stream);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value,
                         struct cudaExtent extent)
{
    return rt_return(fill_box(pitchedDevPtr, value, extent, SYNCHRONOUS, NULL));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value,
                              struct cudaExtent extent, cudaStream_t stream)
{
    return rt_return(
        fill_box(pitchedDevPtr, value, extent, ASYNCHRONOUS, stream));
}
