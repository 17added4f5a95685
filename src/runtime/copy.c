/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of rows and variables. Their meaning is in core (copy_policy.c).
 */
#include "runtime/internal.h"

static cudaError_t copy_bytes(const struct mem_copy *c,
                              enum cudaMemcpyKind kind, enum copy_manner manner,
                              cudaStream_t stream)
{
    CUcontext ctx;
    CUstream s;
    struct mem_copy sided = *c;
    cudaError_t err = rt_stream(stream, &ctx, &s);
    if (!c->width_bytes && err == rt_sticky())
        return cudaSuccess; /* copying no bytes works in any context */
    if (!err && c->width_bytes && c->height)
        err = rt_check_direction(kind);
    if (err || !c->width_bytes || !c->height)
        return err;
    sided.source_side = rt_side(kind, true);
    sided.destination_side = rt_side(kind, false);
    return rt_error(copy_run(s, &sided, manner));
}

/* ---- one row ------------------------------------------------------------- */

static cudaError_t copy_row(void *dst, const void *src, size_t count,
                            enum cudaMemcpyKind kind, enum copy_manner manner,
                            cudaStream_t stream)
{
    struct mem_copy c = {.source = src,
                         .destination = dst,
                         .width_bytes = count,
                         .height = 1,
                         .depth = 1};
    return copy_bytes(&c, kind, manner, stream);
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count,
                       enum cudaMemcpyKind kind)
{
    return rt_return(copy_row(dst, src, count, kind, COPY_SYNC, NULL));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return rt_return(copy_row(dst, src, count, kind, COPY_ASYNC, stream));
}

/* ---- rows ---------------------------------------------------------------- */

static cudaError_t copy_rows(void *dst, size_t dpitch, const void *src,
                             size_t spitch, size_t width, size_t height,
                             enum cudaMemcpyKind kind, enum copy_manner manner,
                             cudaStream_t stream)
{
    if (width && height &&
        (!rt_is_pitch(dpitch, width, height) ||
         !rt_is_pitch(spitch, width, height)))
        return rt_wrong_pitch(spitch > dpitch ? spitch : dpitch, height);
    struct mem_copy c = {.source = src,
                         .destination = dst,
                         .source_pitch = spitch,
                         .destination_pitch = dpitch,
                         .width_bytes = width,
                         .height = height,
                         .depth = 1};
    return copy_bytes(&c, kind, manner, stream);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src,
                         size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    return rt_return(copy_rows(dst, dpitch, src, spitch, width, height, kind,
                               COPY_SYNC, NULL));
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
                              size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return rt_return(copy_rows(dst, dpitch, src, spitch, width, height, kind,
                               COPY_ASYNC, stream));
}

/* ---- symbols ------------------------------------------------------------- */

static cudaError_t copy_symbol(const void *symbol, void *other, size_t count,
                               size_t offset, enum cudaMemcpyKind kind,
                               enum rt_direction direction,
                               enum copy_manner manner, cudaStream_t stream)
{
    CUcontext ctx;
    void *address;
    cudaError_t err = rt_context(&ctx);
    if (err || !count) /* other arguments do not matter, as on an H200 */
        return err;
    err = rt_symbol_part(symbol, count, offset, kind, direction, &address);
    if (err)
        return err;
    return direction == RT_TO_SYMBOL
               ? copy_row(address, other, count, kind, manner, stream)
               : copy_row(other, address, count, kind, manner, stream);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src,
                               size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return rt_return(copy_symbol(symbol, (void *)(uintptr_t)src, count, offset,
                                 kind, RT_TO_SYMBOL, COPY_SYNC, NULL));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src,
                                    size_t count, size_t offset,
                                    enum cudaMemcpyKind kind,
                                    cudaStream_t stream)
{
    return rt_return(copy_symbol(symbol, (void *)(uintptr_t)src, count, offset,
                                 kind, RT_TO_SYMBOL, COPY_ASYNC, stream));
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count,
                                 size_t offset, enum cudaMemcpyKind kind)
{
    return rt_return(copy_symbol(symbol, dst, count, offset, kind,
                                 RT_FROM_SYMBOL, COPY_SYNC, NULL));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol,
                                      size_t count, size_t offset,
                                      enum cudaMemcpyKind kind,
                                      cudaStream_t stream)
{
    return rt_return(copy_symbol(symbol, dst, count, offset, kind,
                                 RT_FROM_SYMBOL, COPY_ASYNC, stream));
}
