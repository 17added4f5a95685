/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of every kind. All end in copy(): it checks both sides, decides
 * whether the caller waits, and hands a box of bytes to core.
 *
 * Who waits (CUDA Runtime API, "API synchronization behavior"): a
 * synchronous copy does, except from device to device; an asynchronous one
 * does if pageable host memory takes part, since the program may reuse it,
 * unless there is so little that core keeps it aside.
 */
#include "runtime/internal.h"

enum manner { SYNCHRONOUS, ASYNCHRONOUS };

/* ---- checks -------------------------------------------------------------- */

static bool is_device_side(enum cudaMemcpyKind kind, bool is_source)
{
    switch (kind) {
    case cudaMemcpyDeviceToDevice:
        return true;
    case cudaMemcpyHostToDevice:
        return !is_source;
    case cudaMemcpyDeviceToHost:
        return is_source;
    default:
        return false;
    }
}

static bool is_device_memory(enum mem_kind kind)
{
    return kind == MEM_DEVICE || kind == MEM_MODULE;
}

/* `size_bytes` bytes at p can be one side of a copy: within one allocation;
 * host memory is a device's side only if kernels may use it too. */
static cudaError_t check_side(const void *p, size_t size_bytes, bool is_device,
                              enum mem_kind *kind)
{
    if (!p)
        return cudaErrorInvalidValue;
    struct mem_info info = mem_query(p);
    *kind = info.kind;
    if (info.kind == MEM_UNKNOWN)
        return !is_device || rt_is_shared_by_host(p, size_bytes)
                   ? cudaSuccess
                   : cudaErrorInvalidValue;
    if (info.kind == MEM_REGISTERED)
        return cudaSuccess;
    size_t offset = (uintptr_t)p - info.base;
    return size_bytes <= info.size_bytes - offset ? cudaSuccess
                                                  : cudaErrorInvalidValue;
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

/* ---- the copy ------------------------------------------------------------ */

static cudaError_t copy(const struct mem_copy *c, enum cudaMemcpyKind kind,
                        enum manner manner, cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    enum mem_kind from, to;
    size_t source_bytes, destination_bytes;
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (err)
        return err;
    if (!c->width_bytes || !c->height || !c->depth)
        return cudaSuccess;
    if (!span(c, c->source_pitch, c->source_slice, &source_bytes) ||
        !span(c, c->destination_pitch, c->destination_slice,
              &destination_bytes))
        return cudaErrorInvalidValue;
    err =
        check_side(c->source, source_bytes, is_device_side(kind, true), &from);
    if (!err)
        err = check_side(c->destination, destination_bytes,
                         is_device_side(kind, false), &to);
    if (err)
        return err;
    bool wait = manner == SYNCHRONOUS
                    ? !is_device_memory(from) || !is_device_memory(to)
                    : from == MEM_UNKNOWN || to == MEM_UNKNOWN;
    if (manner == ASYNCHRONOUS && from == MEM_UNKNOWN && to != MEM_UNKNOWN)
        return rt_error(mem_copy_staged(s, c));
    return rt_error(mem_copy(s, c, wait));
}

/* ---- one row ------------------------------------------------------------- */

static cudaError_t copy_row(void *dst, const void *src, size_t count,
                            enum cudaMemcpyKind kind, enum manner manner,
                            cudaStream_t stream)
{
    struct mem_copy c = {.source = src,
                         .destination = dst,
                         .width_bytes = count,
                         .height = 1,
                         .depth = 1};
    return copy(&c, kind, manner, stream);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count,
                       enum cudaMemcpyKind kind)
{
    return rt_return(copy_row(dst, src, count, kind, SYNCHRONOUS, NULL));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return rt_return(copy_row(dst, src, count, kind, ASYNCHRONOUS, stream));
}

/* ---- rows ---------------------------------------------------------------- */

static bool is_pitch(size_t pitch, size_t width_bytes)
{
    return width_bytes <= pitch &&
           pitch <= (size_t)rt_attribute(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
}

/* Of one row there is no distance to the next. */
static bool is_pitch_of_rows(size_t pitch, size_t width_bytes, size_t height)
{
    return is_pitch(pitch, width_bytes) || (height == 1 && !pitch);
}

static cudaError_t copy_rows(void *dst, size_t dpitch, const void *src,
                             size_t spitch, size_t width, size_t height,
                             enum cudaMemcpyKind kind, enum manner manner,
                             cudaStream_t stream)
{
    if (width && height &&
        (!is_pitch_of_rows(dpitch, width, height) ||
         !is_pitch_of_rows(spitch, width, height)))
        return cudaErrorInvalidPitchValue;
    struct mem_copy c = {.source = src,
                         .destination = dst,
                         .source_pitch = spitch,
                         .destination_pitch = dpitch,
                         .width_bytes = width,
                         .height = height,
                         .depth = 1};
    return copy(&c, kind, manner, stream);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src,
                         size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    return rt_return(copy_rows(dst, dpitch, src, spitch, width, height, kind,
                               SYNCHRONOUS, NULL));
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
                              size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return rt_return(copy_rows(dst, dpitch, src, spitch, width, height, kind,
                               ASYNCHRONOUS, stream));
}

/* ---- boxes --------------------------------------------------------------- */

/* One side of a box: where it starts and how far slices are apart. */
static cudaError_t locate(const struct cudaPitchedPtr *p,
                          const struct cudaPos *pos,
                          const struct cudaExtent *extent, void **start,
                          size_t *slice)
{
    if (!p->ptr)
        return cudaErrorInvalidValue;
    if (!is_pitch(p->pitch, pos->x + extent->width))
        return cudaErrorInvalidPitchValue;
    if ((extent->depth > 1 || pos->z) && pos->y + extent->height > p->ysize)
        return cudaErrorInvalidValue;
    if (__builtin_mul_overflow(p->pitch, p->ysize, slice))
        return cudaErrorInvalidValue;
    *start = (char *)p->ptr + pos->z * *slice + pos->y * p->pitch + pos->x;
    return cudaSuccess;
}

static cudaError_t copy_box(const struct cudaMemcpy3DParms *p,
                            enum manner manner, cudaStream_t stream)
{
    void *source = NULL;
    struct mem_copy c = {.width_bytes = p->extent.width,
                         .height = p->extent.height,
                         .depth = p->extent.depth,
                         .source_pitch = p->srcPtr.pitch,
                         .destination_pitch = p->dstPtr.pitch};
    if (p->srcArray || p->dstArray)
        return cudaErrorNotSupported;
    cudaError_t err = cudaSuccess;
    if (c.width_bytes && c.height && c.depth) {
        err = locate(&p->srcPtr, &p->srcPos, &p->extent, &source,
                     &c.source_slice);
        if (!err)
            err = locate(&p->dstPtr, &p->dstPos, &p->extent, &c.destination,
                         &c.destination_slice);
    }
    c.source = source;
    return err ? err : copy(&c, p->kind, manner, stream);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    if (!p)
        return rt_return(cudaErrorInvalidValue);
    return rt_return(copy_box(p, SYNCHRONOUS, NULL));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                              cudaStream_t stream)
{
    if (!p)
        return rt_return(cudaErrorInvalidValue);
    return rt_return(copy_box(p, ASYNCHRONOUS, stream));
}

/* ---- symbols ------------------------------------------------------------- */

enum direction { TO_SYMBOL, FROM_SYMBOL };

static cudaError_t copy_symbol(const void *symbol, void *other, size_t count,
                               size_t offset, enum cudaMemcpyKind kind,
                               enum direction direction, enum manner manner,
                               cudaStream_t stream)
{
    struct rt_symbol s;
    CUcontext ctx;
    enum cudaMemcpyKind usual = direction == TO_SYMBOL ? cudaMemcpyHostToDevice
                                                       : cudaMemcpyDeviceToHost;
    if (kind != usual && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_symbol(symbol, &s);
    if (err)
        return err;
    if (offset > s.size_bytes || count > s.size_bytes - offset)
        return cudaErrorInvalidValue;
    void *address = (char *)(uintptr_t)s.address + offset;
    return direction == TO_SYMBOL
               ? copy_row(address, other, count, kind, manner, stream)
               : copy_row(other, address, count, kind, manner, stream);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src,
                               size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return rt_return(copy_symbol(symbol, (void *)(uintptr_t)src, count, offset,
                                 kind, TO_SYMBOL, SYNCHRONOUS, NULL));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src,
                                    size_t count, size_t offset,
                                    enum cudaMemcpyKind kind,
                                    cudaStream_t stream)
{
    return rt_return(copy_symbol(symbol, (void *)(uintptr_t)src, count, offset,
                                 kind, TO_SYMBOL, ASYNCHRONOUS, stream));
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count,
                                 size_t offset, enum cudaMemcpyKind kind)
{
    return rt_return(copy_symbol(symbol, dst, count, offset, kind, FROM_SYMBOL,
                                 SYNCHRONOUS, NULL));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol,
                                      size_t count, size_t offset,
                                      enum cudaMemcpyKind kind,
                                      cudaStream_t stream)
{
    return rt_return(copy_symbol(symbol, dst, count, offset, kind, FROM_SYMBOL,
                                 ASYNCHRONOUS, stream));
}

/* ---- between devices ----------------------------------------------------- */

static cudaError_t
copy_box_between_devices(const struct cudaMemcpy3DPeerParms *p,
                         cudaStream_t stream)
{
    if (!p)
        return cudaErrorInvalidValue;
    if (!rt_is_device(p->srcDevice) || !rt_is_device(p->dstDevice))
        return rt_no_such_device();
    struct cudaMemcpy3DParms same = {
        .srcArray = p->srcArray,
        .srcPos = p->srcPos,
        .srcPtr = p->srcPtr,
        .dstArray = p->dstArray,
        .dstPos = p->dstPos,
        .dstPtr = p->dstPtr,
        .extent = p->extent,
        .kind = cudaMemcpyDeviceToDevice,
    };
    return copy_box(&same, ASYNCHRONOUS, stream);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return rt_return(copy_box_between_devices(p, NULL));
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p,
                                  cudaStream_t stream)
{
    return rt_return(copy_box_between_devices(p, stream));
}
