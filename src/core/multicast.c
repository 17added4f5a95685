/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multicast objects: addresses that stand for memory of several devices at
 * once. Each device of an object binds memory of its own to parts of it; where
 * the object is mapped, PTX's multimem reads and writes what all of them have
 * there. Kernels ask for those places one by one (multicast_replica).
 *
 * There are none for one device, as on hardware, and none that other processes
 * share. CUDA Driver API, "Multicast Object Management".
 */
#define _GNU_SOURCE
#include "core/virtual.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "exec/exec.h"

struct binding {
    int device;
    size_t offset, size_bytes; /* in the object */
    uint8_t *at;               /* the same bytes, where we see them */
    struct memory *memory;     /* NULL: memory that is found by its address */
};

struct multicast {
    unsigned wanted;  /* how many devices */
    uint64_t devices; /* which were added, by bit */
    VEC(struct binding) bindings;
};

/* ---- making ----------------------------------------------------------- */

static CUresult check_props(const CUmulticastObjectProp *p)
{
    if (device_count() < 2)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (!p->numDevices || p->numDevices > (unsigned)device_count() || p->flags)
        return CUDA_ERROR_INVALID_VALUE;
    return p->handleTypes ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

CUresult multicast_granularity(const CUmulticastObjectProp *p,
                               CUmulticastGranularity_flags option, size_t *out)
{
    CUresult err = check_props(p);
    if (err)
        return err;
    if (option != CU_MULTICAST_GRANULARITY_MINIMUM &&
        option != CU_MULTICAST_GRANULARITY_RECOMMENDED)
        return CUDA_ERROR_INVALID_VALUE;
    *out = GRAIN_BYTES;
    return CUDA_SUCCESS;
}

CUresult multicast_create(const CUmulticastObjectProp *p,
                          CUmemGenericAllocationHandle *out)
{
    CUresult err = check_props(p);
    if (err)
        return err;
    if (!p->size || p->size % GRAIN_BYTES)
        return CUDA_ERROR_INVALID_VALUE;
    struct memory *m = calloc(1, sizeof *m);
    struct multicast *object = calloc(1, sizeof *object);
    if (m && object) {
        object->wanted = p->numDevices;
        *m = (struct memory){
            .fd = -1, .size_bytes = p->size, .holders = 1, .multicast = object};
    }
    if (!m || !object || !virtual_keep(m)) {
        free(object);
        free(m);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    exec_on_replica(multicast_replica);
    *out = (uintptr_t)m;
    return CUDA_SUCCESS;
}

/* ---- with the lock ---------------------------------------------------- */

static struct multicast *find_object(CUmemGenericAllocationHandle handle,
                                     size_t *size_bytes)
{
    struct memory *m = virtual_find_memory(handle);
    if (m)
        *size_bytes = m->size_bytes;
    return m ? m->multicast : NULL;
}

static bool is_member(const struct multicast *o, int device)
{
    assert(device >= 0 && device < 64);
    return o->devices >> device & 1;
}

static bool is_complete(const struct multicast *o)
{
    return (unsigned)__builtin_popcountll(o->devices) == o->wanted;
}

bool multicast_is_complete(const struct memory *m)
{
    assert(m->multicast);
    return is_complete(m->multicast);
}

static void end_binding(struct binding *b)
{
    if (!b->memory)
        return;
    munmap(b->at, b->size_bytes);
    b->memory->mappings--;
    virtual_end_if_unused(b->memory);
}

void multicast_destroy(struct memory *m)
{
    struct multicast *o = m->multicast;
    for (size_t i = 0; i < o->bindings.count; i++)
        end_binding(&o->bindings.data[i]);
    vec_fini(&o->bindings);
    free(o);
    free(m);
}

/* ---- devices and their memory ----------------------------------------- */

CUresult multicast_add_device(CUmemGenericAllocationHandle handle, int device)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    size_t size_bytes;
    if (!device_exists(device))
        return CUDA_ERROR_INVALID_DEVICE;
    virtual_lock();
    struct multicast *o = find_object(handle, &size_bytes);
    if (o && !is_complete(o) && !is_member(o, device)) {
        o->devices |= UINT64_C(1) << device;
        err = CUDA_SUCCESS;
    }
    virtual_unlock();
    return err;
}

static bool is_inside(size_t offset, size_t size_bytes, size_t whole)
{
    return size_bytes && offset % GRAIN_BYTES == 0 &&
           size_bytes % GRAIN_BYTES == 0 && offset <= whole &&
           size_bytes <= whole - offset;
}

static bool overlaps_binding(const struct binding *a, const struct binding *b)
{
    return a->device == b->device && a->offset < b->offset + b->size_bytes &&
           b->offset < a->offset + a->size_bytes;
}

/* With the lock. Takes over what the binding has, with success. */
static CUresult add_binding(CUmemGenericAllocationHandle handle,
                            struct binding b)
{
    size_t whole;
    struct multicast *o = find_object(handle, &whole);
    if (!o || !is_inside(b.offset, b.size_bytes, whole) || !is_complete(o))
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_member(o, b.device))
        return CUDA_ERROR_INVALID_DEVICE;
    for (size_t i = 0; i < o->bindings.count; i++) {
        if (overlaps_binding(&o->bindings.data[i], &b))
            return CUDA_ERROR_INVALID_VALUE;
    }
    return vec_push(&o->bindings, b) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* With the lock: [offset, offset + size) of memory that has a file. */
static CUresult bind_memory(CUmemGenericAllocationHandle handle, size_t to,
                            struct memory *m, size_t offset, size_t size_bytes)
{
    if (!m || m->multicast || !is_inside(offset, size_bytes, m->size_bytes) ||
        m->props.location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    uint8_t *at = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                       m->fd, (off_t)offset);
    if (at == MAP_FAILED)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult err =
        add_binding(handle, (struct binding){.device = m->props.location.id,
                                             .offset = to,
                                             .size_bytes = size_bytes,
                                             .at = at,
                                             .memory = m});
    if (err)
        munmap(at, size_bytes);
    else
        m->mappings++;
    return err;
}

CUresult multicast_bind_memory(CUmemGenericAllocationHandle handle, size_t to,
                               CUmemGenericAllocationHandle memory,
                               size_t offset, size_t size_bytes)
{
    virtual_lock();
    CUresult err = bind_memory(handle, to, virtual_find_memory(memory), offset,
                               size_bytes);
    virtual_unlock();
    return err;
}

CUresult multicast_bind_address(CUmemGenericAllocationHandle handle, size_t to,
                                CUdeviceptr p, size_t size_bytes)
{
    struct mem_info info = mem_query((const void *)(uintptr_t)p);
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    virtual_lock();
    const struct mapping *m = virtual_find_mapping(p);
    if (m)
        err = bind_memory(handle, to, m->memory, (size_t)(p - m->base),
                          size_bytes);
    else if (info.kind == MEM_DEVICE &&
             size_bytes <= info.base + info.size_bytes - p)
        err = add_binding(
            handle, (struct binding){.device = ctx_device(mem_context(&info)),
                                     .offset = to,
                                     .size_bytes = size_bytes,
                                     .at = (uint8_t *)(uintptr_t)p});
    virtual_unlock();
    return err;
}

/* Work that may use it is waited for. */
CUresult multicast_unbind(CUcontext ctx, CUmemGenericAllocationHandle handle,
                          int device, size_t offset, size_t size_bytes)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    size_t whole;
    if (!device_exists(device))
        return CUDA_ERROR_INVALID_DEVICE;
    ctx_wait(ctx);
    virtual_lock();
    struct multicast *o = find_object(handle, &whole);
    for (size_t i = 0; o && i < o->bindings.count; i++) {
        struct binding *b = &o->bindings.data[i];
        if (b->device != device || b->offset != offset ||
            b->size_bytes != size_bytes)
            continue;
        end_binding(b);
        *b = o->bindings.data[--o->bindings.count];
        err = CUDA_SUCCESS;
        break;
    }
    virtual_unlock();
    return err;
}

/* ---- kernels ---------------------------------------------------------- */

uint64_t multicast_replica(uint64_t address, uint32_t index)
{
    uint64_t at = 0;
    virtual_lock();
    const struct mapping *m = virtual_find_mapping(address);
    struct multicast *o =
        m && virtual_access_of_all(m) ? m->memory->multicast : NULL;
    for (size_t i = 0; o && i < o->bindings.count && !at; i++) {
        const struct binding *b = &o->bindings.data[i];
        size_t offset = (size_t)(address - m->base) - b->offset;
        if (offset < b->size_bytes && index-- == 0)
            at = (uintptr_t)b->at + offset;
    }
    virtual_unlock();
    return at;
}
