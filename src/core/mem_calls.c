/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocating and freeing as programs ask for it. What is freed may be plain
 * memory (mem.c), a pool's or a graph node's.
 */
#include "core/capture_hooks.h"

/* ---- allocating -------------------------------------------------------- */

static CUresult alloc_device(CUcontext ctx, CUdeviceptr *out, size_t size_bytes,
                             enum mem_kind kind, unsigned flags)
{
    CUresult err = ctx_sticky(ctx);
    if (!err)
        err = capture_check_call();
    if (err)
        return err;
    void *p = mem_alloc_kind(size_bytes, kind, flags);
    if (!p)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *out = (CUdeviceptr)(uintptr_t)p;
    return CUDA_SUCCESS;
}

/* The pitch is a multiple of this. */
#define PITCH_BYTES ((size_t)512)

bool mem_pitched_size(size_t width_bytes, size_t row_count, size_t *pitch,
                      size_t *size_bytes)
{
    assert(pitch && size_bytes);
    if (width_bytes > SIZE_MAX - PITCH_BYTES)
        return false;
    *pitch = (width_bytes + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES;
    assert(*pitch >= width_bytes && *pitch % PITCH_BYTES == 0);
    return !__builtin_mul_overflow(*pitch, row_count, size_bytes);
}

CUresult mem_alloc(CUcontext ctx, CUdeviceptr *out, size_t size_bytes)
{
    if (!out || size_bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    return alloc_device(ctx, out, size_bytes, MEM_DEVICE, 0);
}

CUresult mem_alloc_managed(CUcontext ctx, CUdeviceptr *out, size_t size_bytes,
                           unsigned flags)
{
    if (!out || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
        return CUDA_ERROR_INVALID_VALUE;
    size_bytes = size_bytes ? size_bytes : 1;
    CUresult err = alloc_device(ctx, out, size_bytes, MEM_MANAGED, flags);
    if (!err)
        range_forget(*out, size_bytes); /* what was said of its predecessor */
    return err;
}

CUresult mem_alloc_host(CUcontext ctx, void **out, size_t size_bytes,
                        unsigned flags)
{
    const unsigned known = CU_MEMHOSTALLOC_PORTABLE |
                           CU_MEMHOSTALLOC_DEVICEMAP |
                           CU_MEMHOSTALLOC_WRITECOMBINED;
    CUdeviceptr p;
    if (!out || size_bytes == 0 || (flags & ~known))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = alloc_device(ctx, &p, size_bytes, MEM_PINNED, flags);
    if (!err)
        *out = (void *)(uintptr_t)p;
    return err;
}

/* ---- freeing ----------------------------------------------------------- */

/* Work that may use the memory is waited for, as CUDA does. */
CUresult mem_free(CUcontext ctx, CUdeviceptr p)
{
    const void *address = (const void *)(uintptr_t)p;
    CUresult err = capture_check_call();
    if (!err)
        err = ctx_wait(ctx);
    if (err || !p || graph_memory_free(NULL, p, &err))
        return err;
    return mem_release(address, MEM_DEVICE) ||
                   mem_release(address, MEM_MANAGED) || pool_free_now(p) ||
                   external_free(p)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

static void free_now(void *p)
{
    mem_release(p, MEM_DEVICE);
}

/* It becomes no node, and is as unsafe beside a capture as any free. */
static CUresult check_free_of_nothing(CUstream s)
{
    if (s->point)
        return CUDA_SUCCESS;
    CUresult err = capture_refuse(s);
    return err ? err : capture_check_call();
}

CUresult mem_free_later(CUstream s, CUdeviceptr p)
{
    void *address = (void *)(uintptr_t)p;
    CUresult err = ctx_sticky(s->ctx);
    if (!p)
        return err ? err : check_free_of_nothing(s);
    if (err || capture_free(s, p, &err) || graph_memory_free(s, p, &err) ||
        pool_free(s, p, &err))
        return err;
    struct mem_info info = mem_query(address);
    if (info.kind != MEM_DEVICE || info.base != p)
        return CUDA_ERROR_INVALID_VALUE;
    if (stream_is_idle(s))
        return mem_release(address, MEM_DEVICE) ? CUDA_SUCCESS
                                                : CUDA_ERROR_INVALID_VALUE;
    struct exec_task *t = exec_task_call(free_now, address);
    if (!t)
        return CUDA_ERROR_OUT_OF_MEMORY;
    err = stream_submit(s, t);
    exec_task_unref(t);
    return err;
}

CUresult mem_free_host(CUcontext ctx, void *p)
{
    CUresult err = capture_check_call();
    if (err || !p)
        return err;
    err = ctx ? ctx_wait(ctx) : CUDA_SUCCESS;
    if (err)
        return err;
    return mem_release(p, MEM_PINNED) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
