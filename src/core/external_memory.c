/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of other APIs. Each buffer and each mipmapped array has a mapping of
 * its own, so that the memory object may be destroyed before them.
 */
#define _GNU_SOURCE
#include "core/external.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/array.h"
#include "core/external_lost.h"
#include "core/internal.h"
#include "core/registry.h"

struct CUextMemory_st {
    struct list in_all;
    CUcontext ctx;
    int fd;
    bool is_dma;
    uint64_t start, size_bytes; /* of the imported part, in the file */
};

struct mapping {
    struct list in_all;
    CUcontext ctx;
    struct external_pages pages;
    void *mapped;
    CUdeviceptr p; /* in it */
};

static struct registry alive = REGISTRY_INIT;
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list memories = {&memories, &memories};
static struct list buffers = {&buffers, &buffers};

/* ---- what is behind a descriptor ----------------------------------------- */

/* The header that Mesa's software drivers put in front of exported memory; the
 * memory is at its offset. */
struct mesa_header {
    uint64_t size_bytes; /* including all that is before the memory */
    uint64_t offset;
};

static bool is_mesas(int fd)
{
    static const char name[] = "/memfd:llvmpipe memory fd";
    char path[64], link[128];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(path, link, sizeof link);
    return n >= (ssize_t)sizeof name - 1 &&
           !memcmp(link, name, sizeof name - 1);
}

/* Finds where the memory starts in the file. False: it has none. */
static bool find_start(int fd, uint64_t file_bytes, uint64_t *start)
{
    struct mesa_header h;
    *start = 0;
    if (!is_mesas(fd))
        return true;
    if (pread(fd, &h, sizeof h, 0) != (ssize_t)sizeof h ||
        h.offset < sizeof h || h.offset >= file_bytes)
        return false;
    *start = h.offset;
    return true;
}

static bool can_be_mapped(int fd)
{
    void *p = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return false;
    munmap(p, PAGE_BYTES);
    return true;
}

/* Size of a file or of a DMA buffer, which has no other way to ask. */
static uint64_t size_of(int fd)
{
    struct stat st;
    if (!fstat(fd, &st) && st.st_size > 0)
        return (uint64_t)st.st_size;
    off_t end = lseek(fd, 0, SEEK_END);
    return end > 0 ? (uint64_t)end : 0;
}

static CUresult check_handle(const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *d)
{
    switch (d->type) {
    case CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD:
        return d->size &&
                       !(d->flags & ~(unsigned)CUDA_EXTERNAL_MEMORY_DEDICATED)
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    case CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD:
        return d->size && !d->flags ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32:
    case CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_KMT:
    case CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP:
        return CUDA_ERROR_NOT_SUPPORTED;
    case CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE:
    case CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE:
    case CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D11_RESOURCE_KMT:
        return d->flags & CUDA_EXTERNAL_MEMORY_DEDICATED
                   ? CUDA_ERROR_NOT_SUPPORTED
                   : CUDA_ERROR_INVALID_VALUE;
    case CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF:
        return d->handle.nvSciBufObject ? CUDA_ERROR_NOT_SUPPORTED
                                        : CUDA_ERROR_INVALID_VALUE;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult external_memory_import(CUcontext ctx,
                                const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *d,
                                CUexternalMemory *out)
{
    uint64_t start;
    int fd = d->handle.fd;
    CUresult err = ctx_sticky(ctx);
    if (!err)
        err = check_handle(d);
    if (err)
        return err;
    uint64_t file_bytes = size_of(fd);
    if (!file_bytes || !can_be_mapped(fd) ||
        !find_start(fd, file_bytes, &start))
        return CUDA_ERROR_UNKNOWN; /* as an H200's driver says */
    if (d->size > file_bytes - start)
        return CUDA_ERROR_INVALID_VALUE;
    bool is_dma = d->type == CU_EXTERNAL_MEMORY_HANDLE_TYPE_DMABUF_FD;
    if (is_dma && (fd = fcntl(fd, F_DUPFD_CLOEXEC, 0)) < 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    CUexternalMemory m = malloc(sizeof *m);
    if (!m || !registry_add(&alive, m)) {
        free(m);
        if (is_dma)
            close(fd);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *m = (struct CUextMemory_st){.ctx = ctx,
                                 .fd = fd,
                                 .is_dma = is_dma,
                                 .start = start,
                                 .size_bytes = d->size};
    list_push_locked(&all_lock, &memories, &m->in_all);
    *out = m;
    return CUDA_SUCCESS;
}

static void memory_free(CUexternalMemory m)
{
    assert(m->fd >= 0);
    list_remove(&m->in_all);
    close(m->fd);
    free(m);
}

CUresult external_memory_destroy(CUexternalMemory m)
{
    if (!registry_remove(&alive, m))
        return CUDA_ERROR_INVALID_HANDLE;
    pthread_mutex_lock(&all_lock);
    memory_free(m);
    pthread_mutex_unlock(&all_lock);
    return CUDA_SUCCESS;
}

/* ---- mappings ------------------------------------------------------------ */

/* Vector code may read a little beyond the last texel: maps something behind
 * the file's end. */
static bool add_slack(uint8_t *end)
{
    assert((uintptr_t)end % PAGE_BYTES == 0);
    return mmap(end, PAGE_BYTES, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

static struct mapping *map_part(CUexternalMemory m, uint64_t offset,
                                uint64_t size_bytes)
{
    uint64_t at = m->start + offset, inside = at % PAGE_BYTES;
    size_t length = (size_t)((inside + size_bytes + PAGE_BYTES - 1) /
                             PAGE_BYTES * PAGE_BYTES);
    struct mem_file file = {m->fd, at - inside};
    struct mapping *one = calloc(1, sizeof *one);
    if (!one)
        return NULL;
    one->mapped = mem_alloc_file(length + PAGE_BYTES, MEM_OPENED, one, file);
    if (one->mapped && add_slack((uint8_t *)one->mapped + length)) {
        one->ctx = m->ctx;
        one->p = (CUdeviceptr)(uintptr_t)one->mapped + inside;
        list_init(&one->in_all);
        external_watch(&one->pages, m->ctx, one->mapped, length);
        return one;
    }
    if (one->mapped)
        mem_release(one->mapped, MEM_OPENED);
    free(one);
    return NULL;
}

static void unmap_imported(void *mapping)
{
    struct mapping *one = mapping;
    assert(one && one->mapped);
    list_remove(&one->in_all);
    external_unwatch(&one->pages);
    mem_release(one->mapped, MEM_OPENED);
    free(one);
}

/* False: the file has become shorter since the import. */
static bool is_whole(CUexternalMemory m)
{
    return size_of(m->fd) >= m->start + m->size_bytes;
}

static bool holds_part(CUexternalMemory m, uint64_t offset, uint64_t size_bytes)
{
    return offset < m->size_bytes && size_bytes &&
           size_bytes <= m->size_bytes - offset && is_whole(m);
}

CUresult external_memory_buffer(CUexternalMemory m,
                                const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *d,
                                CUdeviceptr *out)
{
    if (!registry_has(&alive, m))
        return CUDA_ERROR_INVALID_HANDLE;
    if (d->flags || !holds_part(m, d->offset, d->size))
        return CUDA_ERROR_INVALID_VALUE;
    struct mapping *one = map_part(m, d->offset, d->size);
    if (!one)
        return CUDA_ERROR_OUT_OF_MEMORY;
    list_push_locked(&all_lock, &buffers, &one->in_all);
    *out = one->p;
    return CUDA_SUCCESS;
}

bool external_free(CUdeviceptr p)
{
    bool found = false;
    pthread_mutex_lock(&all_lock);
    list_for_each(struct mapping, one, &buffers, in_all)
    {
        if (one->p != p)
            continue;
        unmap_imported(one);
        found = true;
        break;
    }
    pthread_mutex_unlock(&all_lock);
    return found;
}

CUresult
external_memory_mipmap(CUexternalMemory m,
                       const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *d,
                       CUmipmappedArray *out)
{
    CUDA_ARRAY3D_DESCRIPTOR desc = d->arrayDesc;
    if (!registry_has(&alive, m))
        return CUDA_ERROR_INVALID_HANDLE;
    if (m->is_dma)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (!d->numLevels || !holds_part(m, d->offset, 1))
        return CUDA_ERROR_INVALID_VALUE;
    desc.Flags &= ~(unsigned)CUDA_ARRAY3D_COLOR_ATTACHMENT;
    uint64_t size_bytes = m->size_bytes - d->offset;
    struct mapping *one = map_part(m, d->offset, size_bytes);
    if (!one)
        return CUDA_ERROR_OUT_OF_MEMORY;
    const struct array_memory in = {
        .data = (uint8_t *)(uintptr_t)one->p,
        .size_bytes = size_bytes,
        .release = unmap_imported,
        .memory = one,
    };
    CUresult err = mipmap_create_in(m->ctx, &desc, d->numLevels, &in, out);
    if (err)
        unmap_imported(one);
    return err;
}

void external_memory_free_all(CUcontext ctx)
{
    pthread_mutex_lock(&all_lock);
    list_for_each(struct mapping, one, &buffers, in_all)
    {
        if (one->ctx == ctx)
            unmap_imported(one);
    }
    list_for_each(struct CUextMemory_st, m, &memories, in_all)
    {
        if (m->ctx != ctx)
            continue;
        registry_remove(&alive, m);
        memory_free(m);
    }
    pthread_mutex_unlock(&all_lock);
}
