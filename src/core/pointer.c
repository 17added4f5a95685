/* SPDX-License-Identifier: Apache-2.0 */
/* What a pointer is, attribute by attribute. */
#include "core/internal.h"

#include "core/pool.h"

/* What memory is mapped in; a pool's; the program's own. */
#define BLOCK_BYTES ((size_t)2 << 20)
#define POOL_BYTES  ((size_t)32 << 20)

struct mem_info pointer_query(const void *p)
{
    struct mem_info info = mem_query(p);
    if (info.kind == MEM_MODULE && info.owner)
        module_refine(&info, (uintptr_t)p);
    return info;
}

bool pointer_is_open(const struct mem_info *info, const void *p)
{
    switch (info->kind) {
    case MEM_VIRTUAL:
        return virtual_access((uintptr_t)p) != CU_MEM_ACCESS_FLAGS_PROT_NONE;
    case MEM_POOL:
        return pool_is_open(info);
    default:
        return info->kind != MEM_UNKNOWN;
    }
}

static bool is_host(const struct mem_info *m)
{
    enum mem_kind kind = mem_seen_as(m);
    return kind == MEM_PINNED || kind == MEM_REGISTERED ||
           (kind == MEM_VIRTUAL && virtual_is_host(m));
}

static bool is_managed(const struct mem_info *m)
{
    return mem_seen_as(m) == MEM_MANAGED;
}

bool pointer_reaches(CUcontext ctx, const void *p, size_t size_bytes,
                     CUmemAccess_flags access)
{
    struct mem_info m = mem_query(p);
    CUmemoryPool pool = pool_of((void *)(uintptr_t)m.base);
    CUcontext owner;
    switch (mem_seen_as(&m)) {
    case MEM_POOL:
        return !pool || pool->access[ctx_device(ctx)];
    case MEM_VIRTUAL:
        return virtual_reaches(ctx_device(ctx), (uintptr_t)p, size_bytes,
                               access);
    case MEM_DEVICE:
        if (m.owner)
            return graph_memory_reaches(m.owner, ctx_device(ctx), access);
        owner = mem_context(&m);
        return ctx_device(owner) == ctx_device(ctx) || ctx_is_peer(ctx, owner);
    default:
        return true;
    }
}

/* Memory of a pool or a graph is where that says, whoever asks. */
int pointer_device(const struct mem_info *m)
{
    if (m->kind == MEM_VIRTUAL)
        return virtual_device(m->base);
    if (m->kind == MEM_DEVICE && m->owner)
        return graph_memory_device(m->owner);
    CUmemoryPool pool = pool_of((void *)(uintptr_t)m->base);
    return pool && pool->props.location.type == CU_MEM_LOCATION_TYPE_DEVICE
               ? pool->props.location.id
               : ctx_device(mem_context(m));
}

/* Managed memory begins so, other memory does not. */
static bool is_sync(const struct mem_info *m)
{
    return m->is_sync != is_managed(m);
}

static bool has_host_pointer(const struct mem_info *m)
{
    return is_host(m) || is_managed(m);
}

/* Memory that belongs to a device and not to a context. */
static bool has_no_context(const struct mem_info *m)
{
    return m->kind == MEM_POOL || m->kind == MEM_VIRTUAL;
}

static void *context_of(const struct mem_info *m)
{
    return has_no_context(m) ? NULL : mem_context(m);
}

static CUmemAccess_flags access_of(const struct mem_info *m, CUdeviceptr p)
{
    return m->kind == MEM_VIRTUAL ? virtual_access(p)
                                  : CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

static CUdeviceptr block_base(const struct mem_info *m)
{
    return m->kind == MEM_REGISTERED ? m->base & ~(PAGE_BYTES - 1) : m->base;
}

static size_t block_bytes(const struct mem_info *m)
{
    size_t grain = m->kind == MEM_REGISTERED ? PAGE_BYTES
                   : m->kind == MEM_POOL     ? POOL_BYTES
                                             : BLOCK_BYTES;
    size_t bytes = m->base - block_base(m) + m->size_bytes;
    assert(block_base(m) <= m->base);
    return (bytes + grain - 1) / grain * grain;
}

/* Every attribute has one of these types. */
static void put_int(void *data, int value)
{
    memcpy(data, &value, sizeof value);
}

static void put_wide(void *data, uint64_t value)
{
    memcpy(data, &value, sizeof value);
}

static CUresult get_device_pointer(void *data, const struct mem_info *m,
                                   CUdeviceptr p)
{
    CUcontext ctx;
    bool is_open = pointer_is_open(m, (const void *)(uintptr_t)p);
    if (!is_open || (!ctx_current(&ctx) &&
                     !pointer_reaches(ctx, (const void *)(uintptr_t)p, 1,
                                      CU_MEM_ACCESS_FLAGS_PROT_READ)))
        return CUDA_ERROR_INVALID_VALUE;
    put_wide(data, p);
    return CUDA_SUCCESS;
}

static CUresult get_host_pointer(void *data, const struct mem_info *m,
                                 CUdeviceptr p)
{
    if (!has_host_pointer(m) || !access_of(m, p))
        return CUDA_ERROR_INVALID_VALUE;
    put_wide(data, p);
    return CUDA_SUCCESS;
}

static int memory_type(const struct mem_info *m)
{
    return is_host(m) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

/* What cuMemAddressReserve gave, of mapped memory; where a pool that is shut
 * has its memory is not said. */
struct address_range {
    CUdeviceptr base;
    size_t size_bytes;
};
static struct address_range range_of(const struct mem_info *m)
{
    struct address_range r = {m->base, m->size_bytes};
    virtual_reservation(m, &r.base, &r.size_bytes);
    if (m->kind == MEM_POOL && !pool_is_open(m))
        r.base = 0;
    return r;
}

static CUresult get_attribute(void *data, CUpointer_attribute attribute,
                              const struct mem_info *m, CUdeviceptr p)
{
    switch (attribute) {
#define POINTER(name, type, value, none)                                       \
    case CU_POINTER_ATTRIBUTE_##name:                                          \
        put_##type(data, value);                                               \
        return CUDA_SUCCESS;
#include "core/pointer_attributes.def"
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        return get_device_pointer(data, m, p);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        return get_host_pointer(data, m, p);
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS: /* of drivers of network cards */
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult pointer_get(void *data, CUpointer_attribute attribute, CUdeviceptr p)
{
    struct mem_info m = pointer_query((const void *)(uintptr_t)p);
    if (m.kind == MEM_UNKNOWN)
        return CUDA_ERROR_INVALID_VALUE;
    return get_attribute(data, attribute, &m, p);
}

static bool is_unknown(CUdeviceptr p)
{
    return mem_query((const void *)(uintptr_t)p).kind == MEM_UNKNOWN;
}

/* What is said of an attribute that the pointer has not: it may be the
 * program's own memory, which the host uses where it is. */
static CUresult put_nothing(void *data, CUpointer_attribute attribute,
                            CUdeviceptr p)
{
    switch (attribute) {
#define POINTER(name, type, value, none)                                       \
    case CU_POINTER_ATTRIBUTE_##name:                                          \
        put_##type(data, none);                                                \
        return CUDA_SUCCESS;
#include "core/pointer_attributes.def"
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        put_wide(data, 0);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        put_wide(data, is_unknown(p) ? p : 0);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
        put_int(data, 0);
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult pointer_get_or_nothing(void *data, CUpointer_attribute attribute,
                                CUdeviceptr p)
{
    return pointer_get(data, attribute, p) == CUDA_SUCCESS
               ? CUDA_SUCCESS
               : put_nothing(data, attribute, p);
}

CUresult pointer_set(const void *value, CUpointer_attribute attribute,
                     CUdeviceptr p)
{
    int wanted;
    struct mem_info m = mem_query((const void *)(uintptr_t)p);
    if (attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS ||
        !(mem_is_device_kind(m.kind) || has_host_pointer(&m)))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&wanted, value, sizeof wanted);
    mem_set_sync((const void *)(uintptr_t)p, (wanted != 0) != is_managed(&m));
    return CUDA_SUCCESS;
}

/* Kernels may use it, whatever was asked for. */
CUresult pointer_host_flags(const void *p, unsigned *flags)
{
    struct mem_info m = pointer_query(p);
    if (!has_host_pointer(&m))
        return CUDA_ERROR_INVALID_VALUE;
    *flags = CU_MEMHOSTALLOC_DEVICEMAP;
    if (m.kind == MEM_PINNED || m.kind == MEM_REGISTERED)
        *flags |= m.flags & CU_MEMHOSTALLOC_PORTABLE;
    if (m.kind == MEM_PINNED)
        *flags |= m.flags & CU_MEMHOSTALLOC_WRITECOMBINED;
    return CUDA_SUCCESS;
}
