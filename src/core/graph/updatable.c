/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel nodes that kernels may change: the grid, the arguments, whether the
 * node runs. Such a node has a handle for kernels, which its clones share, and
 * one instance at a time. What the node runs next belongs to its step (struct
 * kernel_next); a run reads it when it gets there.
 */
#include "core/graph/updatable.h"

#include <stdlib.h>

#include "cuda_runtime_api.h"

struct CUgraphDeviceUpdatableNode_st {
    unsigned refs; /* under the graphs' lock: nodes */
    pthread_mutex_t lock;
    /* of the instance's step; NULL: no instance has it */
    struct kernel_next *next;
};

/* ---- handles ----------------------------------------------------------- */

CUresult updatable_create(CUgraphDeviceNode *out)
{
    CUgraphDeviceNode d = calloc(1, sizeof *d);
    if (!d || !graph_note_alive(d, ALIVE_UPDATABLE)) {
        free(d);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    d->refs = 1;
    pthread_mutex_init(&d->lock, NULL);
    *out = d;
    return CUDA_SUCCESS;
}

CUgraphDeviceNode updatable_ref(CUgraphDeviceNode d)
{
    assert(!d || d->refs > 0);
    if (d)
        d->refs++;
    return d;
}

void updatable_unref(CUgraphDeviceNode d)
{
    if (!d || --d->refs)
        return;
    assert(!d->next);
    graph_note_dead(d);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

/* ---- what is next ------------------------------------------------------ */

bool updatable_is_taken(CUgraphDeviceNode d)
{
    pthread_mutex_lock(&d->lock);
    bool is_taken = d->next != NULL;
    pthread_mutex_unlock(&d->lock);
    return is_taken;
}

void updatable_install(CUgraphDeviceNode d, struct kernel_next *next)
{
    assert(next);
    pthread_mutex_lock(&d->lock);
    d->next = next;
    pthread_mutex_unlock(&d->lock);
}

void updatable_forget(CUgraphDeviceNode d, const struct kernel_next *next)
{
    pthread_mutex_lock(&d->lock);
    if (d->next == next)
        d->next = NULL;
    pthread_mutex_unlock(&d->lock);
}

/* Locks what kernels change it with; without a handle nothing changes it. */
struct kernel_next *updatable_read(CUgraphDeviceNode d,
                                   const struct kernel_next *next)
{
    assert(next && next->f);
    size_t bytes = sizeof *next + next->f->ptx->param_bytes;
    struct kernel_next *copy = malloc(bytes);
    if (d)
        pthread_mutex_lock(&d->lock);
    if (copy)
        memcpy(copy, next, bytes);
    if (d)
        pthread_mutex_unlock(&d->lock);
    return copy;
}

/* ---- changes by kernels ------------------------------------------------ */

/* What is next, locked; NULL: no handle, or one of no instance. */
static struct kernel_next *lock_next(CUgraphDeviceNode d)
{
    graph_lock();
    bool is_alive = graph_is_alive(d, ALIVE_UPDATABLE);
    if (is_alive)
        pthread_mutex_lock(&d->lock);
    graph_unlock();
    if (!is_alive)
        return NULL;
    if (d->next)
        return d->next;
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

CUresult updatable_set_grid(CUgraphDeviceNode d, const unsigned grid[3])
{
    struct kernel_next *next = lock_next(d);
    if (!next)
        return CUDA_ERROR_INVALID_VALUE;
    struct launch_config c = next->config;
    memcpy(c.grid, grid, sizeof c.grid);
    CUresult err =
        launch_check(next->f, &c) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    if (!err)
        memcpy(next->config.grid, grid, sizeof next->config.grid);
    pthread_mutex_unlock(&d->lock);
    return err;
}

CUresult updatable_set_enabled(CUgraphDeviceNode d, bool is_enabled)
{
    struct kernel_next *next = lock_next(d);
    if (!next)
        return CUDA_ERROR_INVALID_VALUE;
    next->is_enabled = is_enabled;
    pthread_mutex_unlock(&d->lock);
    return CUDA_SUCCESS;
}

static CUresult put_bytes(CUgraphDeviceNode d, size_t offset, const void *bytes,
                          size_t size)
{
    struct kernel_next *next = lock_next(d);
    if (!next)
        return CUDA_ERROR_INVALID_VALUE;
    size_t room = next->f->ptx->param_bytes;
    bool ok = offset <= room && size <= room - offset;
    if (ok && bytes)
        memcpy(next->packed + offset, bytes, size);
    pthread_mutex_unlock(&d->lock);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Copied in pieces through memory of our own: an access of the kernel's memory
 * may fault, and no lock is held then. */
CUresult updatable_set_param(CUgraphDeviceNode d, size_t offset,
                             const void *value, size_t size)
{
    uint8_t piece[64];
    CUresult err =
        value ? put_bytes(d, offset, NULL, size) : CUDA_ERROR_INVALID_VALUE;
    for (size_t at = 0; at < size && !err; at += sizeof piece) {
        size_t some = size - at < sizeof piece ? size - at : sizeof piece;
        memcpy(piece, (const char *)value + at, some);
        err = put_bytes(d, offset + at, piece, some);
    }
    return err;
}

static CUresult apply_update(const struct cudaGraphKernelNodeUpdate *u)
{
    const dim3 grid = u->updateData.gridDim;
    switch (u->field) {
    case cudaGraphKernelNodeFieldGridDim:
        return updatable_set_grid(u->node,
                                  (const unsigned[]){grid.x, grid.y, grid.z});
    case cudaGraphKernelNodeFieldParam:
        return updatable_set_param(u->node, u->updateData.param.offset,
                                   u->updateData.param.pValue,
                                   u->updateData.param.size);
    case cudaGraphKernelNodeFieldEnabled:
        return updatable_set_enabled(u->node, u->updateData.isEnabled != 0);
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult updatable_apply(const void *updates, size_t count)
{
    const struct cudaGraphKernelNodeUpdate *u = updates;
    CUresult err = count && u ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count && !err; i++) {
        const struct cudaGraphKernelNodeUpdate one = u[i];
        err = apply_update(&one);
    }
    return err;
}
