/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of rows of bytes, within and between devices. Meaning is in core
 * (copy_policy.c). */
#include "driver/internal.h"

static void *pointer_of(CUdeviceptr p)
{
    return (void *)(uintptr_t)p;
}

struct row {
    void *to;
    const void *from;
    size_t size_bytes;
    enum mem_side to_side, from_side;
};

static CUresult copy_row(struct row r, enum copy_manner manner, CUstream handle)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream_outside(handle, &ctx, &s);
    const struct mem_copy c = {.source = r.from,
                               .destination = r.to,
                               .width_bytes = r.size_bytes,
                               .height = 1,
                               .depth = 1,
                               .source_side = r.from_side,
                               .destination_side = r.to_side};
    return err ? err : copy_run(s, &c, manner);
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
    return copy_row((struct row){pointer_of(dst), pointer_of(src), ByteCount,
                                 MEM_SIDE_ANY, MEM_SIDE_ANY},
                    COPY_SYNC, NULL);
}

CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost,
                      size_t ByteCount)
{
    return copy_row((struct row){pointer_of(dstDevice), srcHost, ByteCount,
                                 MEM_SIDE_DEVICE, MEM_SIDE_HOST},
                    COPY_SYNC, NULL);
}

CUresult cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
    return copy_row((struct row){dstHost, pointer_of(srcDevice), ByteCount,
                                 MEM_SIDE_HOST, MEM_SIDE_DEVICE},
                    COPY_SYNC, NULL);
}

CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                      size_t ByteCount)
{
    return copy_row((struct row){pointer_of(dstDevice), pointer_of(srcDevice),
                                 ByteCount, MEM_SIDE_DEVICE, MEM_SIDE_DEVICE},
                    COPY_SYNC, NULL);
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
                       CUstream hStream)
{
    return copy_row((struct row){pointer_of(dst), pointer_of(src), ByteCount,
                                 MEM_SIDE_ANY, MEM_SIDE_ANY},
                    COPY_ASYNC, hStream);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost,
                           size_t ByteCount, CUstream hStream)
{
    return copy_row((struct row){pointer_of(dstDevice), srcHost, ByteCount,
                                 MEM_SIDE_DEVICE, MEM_SIDE_HOST},
                    COPY_ASYNC, hStream);
}

CUresult cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice,
                           size_t ByteCount, CUstream hStream)
{
    return copy_row((struct row){dstHost, pointer_of(srcDevice), ByteCount,
                                 MEM_SIDE_HOST, MEM_SIDE_DEVICE},
                    COPY_ASYNC, hStream);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                           size_t ByteCount, CUstream hStream)
{
    return copy_row((struct row){pointer_of(dstDevice), pointer_of(srcDevice),
                                 ByteCount, MEM_SIDE_DEVICE, MEM_SIDE_DEVICE},
                    COPY_ASYNC, hStream);
}

/* ---- between contexts ---------------------------------------------------- */

/* Contexts share one memory, so all that counts is that they exist. NULL is the
 * current one. */
static CUresult copy_between(struct row r, CUcontext to, CUcontext from,
                             enum copy_manner manner, CUstream handle)
{
    CUresult err = to ? drv_check_other(to) : CUDA_SUCCESS;
    if (!err && from)
        err = drv_check_other(from);
    if (!err && manner == COPY_ASYNC)
        err = drv_refuse_captured(handle); /* graphs have no such nodes */
    return err ? err : copy_row(r, manner, handle);
}

CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext,
                      CUdeviceptr srcDevice, CUcontext srcContext,
                      size_t ByteCount)
{
    return copy_between((struct row){pointer_of(dstDevice),
                                     pointer_of(srcDevice), ByteCount,
                                     MEM_SIDE_DEVICE, MEM_SIDE_DEVICE},
                        dstContext, srcContext, COPY_SYNC, NULL);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext,
                           CUdeviceptr srcDevice, CUcontext srcContext,
                           size_t ByteCount, CUstream hStream)
{
    return copy_between((struct row){pointer_of(dstDevice),
                                     pointer_of(srcDevice), ByteCount,
                                     MEM_SIDE_DEVICE, MEM_SIDE_DEVICE},
                        dstContext, srcContext, COPY_ASYNC, hStream);
}
