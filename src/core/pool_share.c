/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools of several processes. The memory of a pool that is made for it is a
 * file without a name, whose descriptor is the pool's handle; a pointer's data
 * says where in it the allocation lies. The importing process maps the same
 * bytes at an address of its own, and frees that before the exporting one
 * frees the memory.
 */
#define _GNU_SOURCE
#include "core/pool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/ipc.h"

/* What CUmemPoolPtrExportData holds. */
struct pointer_data {
    uint64_t inode; /* of the pool's file */
    uint64_t file_offset;
    uint64_t size_bytes, asked_bytes;
};

CUresult pool_check_handle_type(CUmemAllocationHandleType type)
{
    switch (type) {
    case CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR:
        return CUDA_SUCCESS;
    case CU_MEM_HANDLE_TYPE_WIN32:
    case CU_MEM_HANDLE_TYPE_WIN32_KMT:
    case CU_MEM_HANDLE_TYPE_FABRIC:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult pool_export(CUmemoryPool p, CUmemAllocationHandleType type,
                     unsigned long long flags, int *fd)
{
    if (flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return CUDA_ERROR_INVALID_VALUE;
    if (!pool_find(p) || p->fd < 0 || p->is_imported)
        return CUDA_ERROR_INVALID_VALUE;
    int copy = fcntl(p->fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *fd = copy;
    return CUDA_SUCCESS;
}

CUresult pool_import(CUcontext ctx, int fd, CUmemoryPool *out)
{
    const CUmemPoolProps props = {
        .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
        .handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE},
    };
    CUresult err = ctx_sticky(ctx);
    if (err)
        return err;
    /* Only files of memory can be sealed or asked for seals. */
    int copy = fcntl(fd, F_GET_SEALS) < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0)
        return CUDA_ERROR_UNKNOWN; /* as a GPU's driver says it */
    err = pool_make(&props, copy, out);
    if (err)
        close(copy);
    else
        (*out)->is_imported = true;
    return err;
}

CUresult pool_export_pointer(CUdeviceptr p, CUmemPoolPtrExportData *out)
{
    static_assert(sizeof(struct pointer_data) <= sizeof *out, "it fits");
    struct mem_info info = mem_query((const void *)(uintptr_t)p);
    if (info.kind != MEM_POOL || info.base != p)
        return CUDA_ERROR_INVALID_VALUE;
    const struct pool_block *b = info.owner;
    assert(b && b->pool);
    if (b->pool->fd < 0 || b->pool->is_imported)
        return CUDA_ERROR_INVALID_VALUE;
    const struct pointer_data data = {
        .inode = shared_file_inode(b->pool->fd),
        .file_offset = b->file_offset,
        .size_bytes = b->size_bytes,
        .asked_bytes = b->asked_bytes,
    };
    memset(out, 0, sizeof *out);
    memcpy(out, &data, sizeof data);
    return CUDA_SUCCESS;
}

static bool is_in_file(int fd, const struct pointer_data *d)
{
    struct stat st;
    assert(fd >= 0);
    return !fstat(fd, &st) && (uint64_t)st.st_ino == d->inode &&
           d->size_bytes && d->asked_bytes && d->asked_bytes <= d->size_bytes &&
           d->file_offset % 4096 == 0 &&
           d->file_offset <= (uint64_t)st.st_size &&
           d->size_bytes <= (uint64_t)st.st_size - d->file_offset;
}

static struct pool_block *map_block(CUmemoryPool p,
                                    const struct pointer_data *d)
{
    assert(p->is_imported && d->size_bytes > 0);
    struct pool_block *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->pool = p;
    b->size_bytes = d->size_bytes;
    b->file_offset = d->file_offset;
    list_init(&b->in_pool);
    b->address = mem_alloc_file(d->size_bytes, MEM_CACHED, b,
                                (struct mem_file){p->fd, d->file_offset});
    if (!b->address) {
        free(b);
        return NULL;
    }
    return b;
}

CUresult pool_import_pointer(CUmemoryPool p, const CUmemPoolPtrExportData *data,
                             CUdeviceptr *out)
{
    struct pointer_data d;
    memcpy(&d, data, sizeof d);
    if (!pool_find(p) || !p->is_imported || !is_in_file(p->fd, &d))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&p->lock);
    struct pool_block *b = map_block(p, &d);
    if (b) {
        p->block_count++;
        p->cached_count++;
        p->reserved_bytes += b->size_bytes;
        pool_hand_out(b, d.asked_bytes);
        *out = (CUdeviceptr)(uintptr_t)b->address;
    }
    pthread_mutex_unlock(&p->lock);
    return b ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
