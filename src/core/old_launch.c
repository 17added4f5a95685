/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launches of the first toolkits: block shape, shared memory and parameters are
 * told to the kernel one after the other, and stay until told otherwise. A
 * block has one thread until then.
 */
#include "core/internal.h"

#include <stdlib.h>

struct old_launch {
    unsigned block[3];
    size_t shared_bytes, param_bytes;
    uint8_t params[4096]; /* the most that such kernels could have */
};

/* With f->lock, for the caller to give back; NULL: no memory, and no lock. */
static struct old_launch *lock_told(CUfunction f)
{
    pthread_mutex_lock(&f->lock);
    if (!f->old) {
        f->old = calloc(1, sizeof *f->old);
        if (!f->old) {
            pthread_mutex_unlock(&f->lock);
            return NULL;
        }
        f->old->block[0] = f->old->block[1] = f->old->block[2] = 1;
    }
    return f->old;
}

CUresult old_launch_block(CUfunction f, int x, int y, int z)
{
    const unsigned block[3] = {(unsigned)x, (unsigned)y, (unsigned)z};
    if (x < 1 || y < 1 || z < 1 || z > LIMIT_BLOCK_Z ||
        (int64_t)x * y * z > LIMIT_THREADS_PER_BLOCK)
        return CUDA_ERROR_INVALID_VALUE;
    struct old_launch *o = lock_told(f);
    if (!o)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(o->block, block, sizeof block);
    pthread_mutex_unlock(&f->lock);
    return CUDA_SUCCESS;
}

CUresult old_launch_shared(CUfunction f, size_t size_bytes)
{
    if (f->static_shared_bytes + size_bytes > LIMIT_SHARED_BYTES)
        return CUDA_ERROR_INVALID_VALUE;
    struct old_launch *o = lock_told(f);
    if (!o)
        return CUDA_ERROR_OUT_OF_MEMORY;
    o->shared_bytes = size_bytes;
    pthread_mutex_unlock(&f->lock);
    return CUDA_SUCCESS;
}

CUresult old_launch_param_size(CUfunction f, size_t size_bytes)
{
    if (size_bytes > sizeof f->old->params)
        return CUDA_ERROR_INVALID_VALUE;
    struct old_launch *o = lock_told(f);
    if (!o)
        return CUDA_ERROR_OUT_OF_MEMORY;
    o->param_bytes = size_bytes;
    pthread_mutex_unlock(&f->lock);
    return CUDA_SUCCESS;
}

CUresult old_launch_param(CUfunction f, int offset, const void *value,
                          size_t size_bytes)
{
    const size_t most = sizeof f->old->params;
    if (offset < 0 || !value || (size_t)offset > most ||
        size_bytes > most - (size_t)offset)
        return CUDA_ERROR_INVALID_VALUE;
    struct old_launch *o = lock_told(f);
    if (!o)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(o->params + offset, value, size_bytes);
    pthread_mutex_unlock(&f->lock);
    return CUDA_SUCCESS;
}

CUresult old_launch_grid(CUfunction f, int width, int height, CUstream s)
{
    if (width < 1 || height < 1)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = capture_check_call();
    if (err)
        return err;
    struct old_launch *o = lock_told(f);
    if (!o)
        return CUDA_ERROR_OUT_OF_MEMORY;
    assert(o->param_bytes <= sizeof o->params);
    const struct old_launch now = *o;
    pthread_mutex_unlock(&f->lock);
    const struct launch_config config = {
        .grid = {(unsigned)width, (unsigned)height, 1},
        .block = {now.block[0], now.block[1], now.block[2]},
        .shared_bytes = now.shared_bytes,
        .stream = s,
    };
    return launch_kernel(f, &config, NULL, now.params, now.param_bytes);
}
