/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses and memory apart: ranges of addresses are reserved, memory is made,
 * and mapped there. The memory is a file without a name, so that several
 * addresses and other processes can show the same bytes; what may be done at
 * an address is the processor's own protection, so a kernel that does what it
 * may not faults.
 *
 * A handle counts who holds it, and each mapping holds its memory besides.
 * CUDA Driver API, "Virtual Memory Management".
 */
#define _GNU_SOURCE
#include "core/virtual.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    pthread_mutex_t lock; /* mem.c's is taken inside, and never around it */
    struct list ranges;
    struct map memories; /* whose handles are held */
    uint64_t last_id;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER,
         .ranges = {&all.ranges, &all.ranges}};

void virtual_lock(void)
{
    pthread_mutex_lock(&all.lock);
}

void virtual_unlock(void)
{
    pthread_mutex_unlock(&all.lock);
}

static void *address_of(CUdeviceptr p)
{
    return (void *)(uintptr_t)p;
}

/* ---- finding; all with the lock --------------------------------------- */

static struct range *find_range(CUdeviceptr p)
{
    list_for_each(struct range, r, &all.ranges, in_all)
    {
        if (p - r->base < r->size_bytes)
            return r;
    }
    return NULL;
}

struct mapping *virtual_find_mapping(CUdeviceptr p)
{
    struct range *r = find_range(p);
    for (size_t i = 0; r && i < r->mappings.count; i++) {
        struct mapping *m = &r->mappings.data[i];
        if (p - m->base < m->size_bytes)
            return m;
    }
    return NULL;
}

struct memory *virtual_find_memory(CUmemGenericAllocationHandle handle)
{
    struct memory *m = (struct memory *)(uintptr_t)handle;
    return m && map_find(&all.memories, m) ? m : NULL;
}

static bool is_in(const struct range *r, CUdeviceptr p, size_t size_bytes)
{
    size_t offset = (size_t)(p - r->base);
    return offset < r->size_bytes && size_bytes <= r->size_bytes - offset;
}

static bool overlaps_mapping(const struct mapping *m, CUdeviceptr p,
                             size_t size_bytes)
{
    assert(size_bytes > 0);
    return m->base < p + size_bytes && p < m->base + m->size_bytes;
}

static bool is_inside(const struct mapping *m, CUdeviceptr p, size_t size_bytes)
{
    return m->base >= p && m->base + m->size_bytes <= p + size_bytes;
}

static const struct mem_lookup lookup = {
    .query = virtual_query,
    .holds = virtual_holds,
};

/* ---- addresses -------------------------------------------------------- */

CUresult virtual_reserve(size_t size_bytes, size_t alignment, CUdeviceptr wish,
                         CUdeviceptr *out)
{
    if (!size_bytes || size_bytes % GRAIN_BYTES || wish % GRAIN_BYTES ||
        (alignment & (alignment - 1)))
        return CUDA_ERROR_INVALID_VALUE;
    size_t more = alignment > GRAIN_BYTES ? alignment : 0;
    if (size_bytes > SIZE_MAX / 4 || more > SIZE_MAX / 4)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct range *r = calloc(1, sizeof *r);
    if (!r)
        return CUDA_ERROR_OUT_OF_MEMORY;
    mem_set_mappings(&lookup);
    r->whole = mem_reserve(size_bytes + more, MEM_VIRTUAL, r);
    if (!r->whole) {
        free(r);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    uintptr_t start = (uintptr_t)r->whole;
    r->base = more ? (start + more - 1) & ~(uintptr_t)(more - 1) : start;
    r->size_bytes = size_bytes;
    pthread_mutex_lock(&all.lock);
    list_push(&all.ranges, &r->in_all);
    pthread_mutex_unlock(&all.lock);
    *out = r->base;
    return CUDA_SUCCESS;
}

static void range_free(struct range *r)
{
    list_remove(&r->in_all);
    mem_release(r->whole, MEM_VIRTUAL);
    vec_fini(&r->mappings);
    free(r);
}

CUresult virtual_free(CUdeviceptr p, size_t size_bytes)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&all.lock);
    struct range *r = find_range(p);
    if (r && r->base == p && r->size_bytes == size_bytes &&
        !r->mappings.count) {
        range_free(r);
        err = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&all.lock);
    return err;
}

/* ---- memory ----------------------------------------------------------- */

static bool is_host(const CUmemLocation *l)
{
    return l->type == CU_MEM_LOCATION_TYPE_HOST ||
           l->type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
}

/* Handles that Windows has, and those of NVLink's fabric. */
static CUresult check_handle_types(unsigned types)
{
    const unsigned of_windows =
        CU_MEM_HANDLE_TYPE_WIN32 | CU_MEM_HANDLE_TYPE_WIN32_KMT;
    return types & CU_MEM_HANDLE_TYPE_FABRIC ? CUDA_ERROR_NOT_PERMITTED
           : types & of_windows              ? CUDA_ERROR_INVALID_VALUE
                                             : CUDA_SUCCESS;
}

static CUresult check_props(const CUmemAllocationProp *p)
{
    CUresult err = device_check_place(&p->location);
    if (err)
        return err;
    if (p->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
        p->allocFlags.compressionType > CU_MEM_ALLOCATION_COMP_GENERIC)
        return CUDA_ERROR_INVALID_VALUE;
    return check_handle_types((unsigned)p->requestedHandleTypes);
}

/* Of every memory the same, whatever its properties are. */
CUresult virtual_granularity(CUmemAllocationGranularity_flags option,
                             size_t *out)
{
    if (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM &&
        option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return CUDA_ERROR_INVALID_VALUE;
    *out = GRAIN_BYTES;
    return CUDA_SUCCESS;
}

bool virtual_keep(struct memory *m)
{
    assert(m->holders == 1);
    pthread_mutex_lock(&all.lock);
    m->id = ++all.last_id;
    bool ok = map_put(&all.memories, m, m);
    pthread_mutex_unlock(&all.lock);
    return ok;
}

/* Takes over fd with success. */
static CUresult memory_make(int fd, size_t size_bytes,
                            const CUmemAllocationProp *props,
                            CUmemGenericAllocationHandle *out)
{
    assert(fd >= 0 && size_bytes > 0);
    struct memory *m = calloc(1, sizeof *m);
    if (!m || !mem_take_room(size_bytes)) {
        free(m);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *m = (struct memory){
        .fd = fd, .size_bytes = size_bytes, .props = *props, .holders = 1};
    if (props->location.type == CU_MEM_LOCATION_TYPE_HOST) { /* some node's */
        m->props.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
        m->props.location.id = 0;
    }
    if (!virtual_keep(m)) {
        mem_give_room(size_bytes);
        free(m);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = (uintptr_t)m;
    return CUDA_SUCCESS;
}

CUresult virtual_create(size_t size_bytes, const CUmemAllocationProp *props,
                        CUmemGenericAllocationHandle *out)
{
    CUresult err = check_props(props);
    if (err)
        return err;
    if (!size_bytes || size_bytes % GRAIN_BYTES)
        return CUDA_ERROR_INVALID_VALUE;
    if (size_bytes > device_total_memory())
        return CUDA_ERROR_OUT_OF_MEMORY;
    int fd = memfd_create("weft-memory", MFD_CLOEXEC);
    if (fd < 0)
        return CUDA_ERROR_OUT_OF_MEMORY;
    err = ftruncate(fd, (off_t)size_bytes)
              ? CUDA_ERROR_OUT_OF_MEMORY
              : memory_make(fd, size_bytes, props, out);
    if (err)
        close(fd);
    return err;
}

void virtual_end_if_unused(struct memory *m)
{
    assert(m);
    if (m->holders || m->mappings)
        return;
    if (m->multicast) {
        multicast_destroy(m);
        return;
    }
    close(m->fd);
    mem_give_room(m->size_bytes);
    free(m);
}

CUresult virtual_release(CUmemGenericAllocationHandle handle)
{
    pthread_mutex_lock(&all.lock);
    struct memory *m = virtual_find_memory(handle);
    if (m && --m->holders == 0) {
        map_remove(&all.memories, m);
        virtual_end_if_unused(m);
    }
    pthread_mutex_unlock(&all.lock);
    return m ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult virtual_retain(CUdeviceptr p, CUmemGenericAllocationHandle *out)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&all.lock);
    struct mapping *at = virtual_find_mapping(p);
    struct memory *m = at ? at->memory : NULL;
    if (m) {
        err = map_put(&all.memories, m, m) ? CUDA_SUCCESS
                                           : CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (!err) {
        m->holders++;
        *out = (uintptr_t)m;
    }
    pthread_mutex_unlock(&all.lock);
    return err;
}

CUresult virtual_props(CUmemGenericAllocationHandle handle,
                       CUmemAllocationProp *out)
{
    pthread_mutex_lock(&all.lock);
    struct memory *m = virtual_find_memory(handle);
    bool ok = m && !m->multicast;
    if (ok)
        *out = m->props;
    pthread_mutex_unlock(&all.lock);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- other processes -------------------------------------------------- */

CUresult virtual_export(CUmemGenericAllocationHandle handle, int *fd)
{
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    int copy = -1;
    pthread_mutex_lock(&all.lock);
    struct memory *m = virtual_find_memory(handle);
    if (m && (m->props.requestedHandleTypes &
              CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)) {
        copy = fcntl(m->fd, F_DUPFD_CLOEXEC, 0);
        err = copy < 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&all.lock);
    if (!err)
        *fd = copy;
    return err;
}

/* A file of ours; others have no seals, or no such size. */
static bool is_memory(int fd, size_t *size_bytes)
{
    assert(fd >= 0);
    struct stat st;
    if (fcntl(fd, F_GET_SEALS) < 0 || fstat(fd, &st) || st.st_size <= 0)
        return false;
    *size_bytes = (size_t)st.st_size;
    return *size_bytes % GRAIN_BYTES == 0;
}

CUresult virtual_import(CUcontext ctx, int fd,
                        CUmemGenericAllocationHandle *out)
{
    const CUmemAllocationProp props = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED, /* it is exported elsewhere */
        .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE},
    };
    size_t size_bytes;
    CUresult err = ctx_sticky(ctx);
    if (err)
        return err;
    if (fcntl(fd, F_GETFD) < 0 || !is_memory(fd, &size_bytes))
        return CUDA_ERROR_UNKNOWN;
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0)
        return CUDA_ERROR_OUT_OF_MEMORY;
    err = memory_make(copy, size_bytes, &props, out);
    if (err)
        close(copy);
    return err;
}

/* ---- mappings --------------------------------------------------------- */

/* Where a new one belongs among the range's; SIZE_MAX: there is one already. */
static size_t find_gap(const struct range *r, CUdeviceptr p, size_t size_bytes)
{
    assert(size_bytes > 0);
    size_t i = 0;
    for (; i < r->mappings.count; i++) {
        if (overlaps_mapping(&r->mappings.data[i], p, size_bytes))
            return SIZE_MAX;
        if (r->mappings.data[i].base > p)
            break;
    }
    return i;
}

static CUresult map_locked(struct range *r, CUdeviceptr p, struct memory *m)
{
    assert(m);
    struct mapping none = {0};
    size_t i = find_gap(r, p, m->size_bytes);
    if (i == SIZE_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    if (!vec_push(&r->mappings, none))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (!m->multicast && mmap(address_of(p), m->size_bytes, PROT_NONE,
                              MAP_SHARED | MAP_FIXED, m->fd, 0) == MAP_FAILED) {
        r->mappings.count--;
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    memmove(&r->mappings.data[i + 1], &r->mappings.data[i],
            (r->mappings.count - 1 - i) * sizeof none);
    r->mappings.data[i] =
        (struct mapping){.base = p, .size_bytes = m->size_bytes, .memory = m};
    m->mappings++;
    return CUDA_SUCCESS;
}

/* Memory is mapped as a whole, as a GPU's driver has it; of a multicast object
 * the addresses alone, where plain accesses fault. */
CUresult virtual_map(CUdeviceptr p, size_t size_bytes, size_t offset,
                     CUmemGenericAllocationHandle handle)
{
    pthread_mutex_lock(&all.lock);
    struct memory *m = virtual_find_memory(handle);
    struct range *r = find_range(p);
    CUresult err = CUDA_ERROR_INVALID_VALUE;
    if (m && p && size_bytes && (offset || size_bytes != m->size_bytes))
        err = CUDA_ERROR_NOT_SUPPORTED;
    else if (m && m->multicast && !multicast_is_complete(m))
        err = CUDA_ERROR_INVALID_VALUE;
    else if (m && size_bytes && r && p % GRAIN_BYTES == 0 &&
             is_in(r, p, size_bytes))
        err = map_locked(r, p, m);
    pthread_mutex_unlock(&all.lock);
    return err;
}

static void unmap_one(struct range *r, size_t i)
{
    assert(i < r->mappings.count);
    struct mapping m = r->mappings.data[i];
    mmap(address_of(m.base), m.size_bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    memmove(&r->mappings.data[i], &r->mappings.data[i + 1],
            (r->mappings.count - 1 - i) * sizeof m);
    r->mappings.count--;
    m.memory->mappings--;
    virtual_end_if_unused(m.memory);
}

/* No mapping is in it by a part. */
static bool has_no_parts(const struct range *r, CUdeviceptr p,
                         size_t size_bytes)
{
    for (size_t i = 0; i < r->mappings.count; i++) {
        const struct mapping *m = &r->mappings.data[i];
        if (overlaps_mapping(m, p, size_bytes) && !is_inside(m, p, size_bytes))
            return false;
    }
    return true;
}

/* Work that may use the memory is waited for, as when it is freed; a failed
 * context does not keep it. */
CUresult virtual_unmap(CUcontext ctx, CUdeviceptr p, size_t size_bytes)
{
    ctx_wait(ctx);
    pthread_mutex_lock(&all.lock);
    struct range *r = find_range(p);
    bool ok = r && size_bytes && is_in(r, p, size_bytes) &&
              has_no_parts(r, p, size_bytes);
    for (size_t i = ok ? r->mappings.count : 0; i-- > 0;) {
        if (is_inside(&r->mappings.data[i], p, size_bytes))
            unmap_one(r, i);
    }
    pthread_mutex_unlock(&all.lock);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- access ----------------------------------------------------------- */

static int protection_of(CUmemAccess_flags access)
{
    return access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? PROT_READ | PROT_WRITE
           : access == CU_MEM_ACCESS_FLAGS_PROT_READ    ? PROT_READ
                                                        : PROT_NONE;
}

static CUresult check_access(const CUmemAccessDesc *d)
{
    if (d->flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
        d->flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        d->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
        return CUDA_ERROR_INVALID_VALUE;
    return device_check_place(&d->location) ? CUDA_ERROR_INVALID_VALUE
                                            : CUDA_SUCCESS;
}

/* It begins and ends with whole mappings; in between, an H200's driver lets
 * gaps pass. */
static bool is_covered(const struct range *r, CUdeviceptr p, size_t size_bytes)
{
    return p % GRAIN_BYTES == 0 && size_bytes &&
           size_bytes % GRAIN_BYTES == 0 && virtual_find_mapping(p) &&
           virtual_find_mapping(p + size_bytes - 1) &&
           has_no_parts(r, p, size_bytes);
}

CUmemAccess_flags virtual_access_of_all(const struct mapping *m)
{
    unsigned access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    for (int i = 0; i < DEVICE_COUNT_MAX; i++)
        access |= m->access[i];
    return (CUmemAccess_flags)access;
}

/* Devices and the host see one mapping: the most that any of them may do. */
static CUresult set_access(struct mapping *m, const CUmemAccessDesc *d)
{
    struct mapping now = *m;
    if (is_host(&d->location))
        now.host_access = d->flags;
    else
        now.access[d->location.id] = d->flags;
    if (!m->memory->multicast &&
        mprotect(address_of(m->base), m->size_bytes,
                 protection_of(virtual_access_of_all(&now) | now.host_access)))
        return CUDA_ERROR_OUT_OF_MEMORY;
    *m = now;
    return CUDA_SUCCESS;
}

/* The host can use its own memory only. */
static bool is_refused(const struct mapping *m, const CUmemAccessDesc *d)
{
    return is_host(&d->location) && d->flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
           !is_host(&m->memory->props.location);
}

static CUresult set_access_locked(struct range *r, CUdeviceptr p,
                                  size_t size_bytes, const CUmemAccessDesc *d)
{
    CUresult err = CUDA_SUCCESS;
    for (size_t i = 0; i < r->mappings.count && !err; i++) {
        struct mapping *m = &r->mappings.data[i];
        if (!is_inside(m, p, size_bytes))
            continue;
        err = is_refused(m, d) ? CUDA_ERROR_NOT_SUPPORTED : set_access(m, d);
    }
    return err;
}

CUresult virtual_set_access(CUdeviceptr p, size_t size_bytes,
                            const CUmemAccessDesc *desc, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CUresult err = check_access(&desc[i]);
        if (err)
            return err;
    }
    pthread_mutex_lock(&all.lock);
    struct range *r = find_range(p);
    bool ok = r && count && size_bytes && is_in(r, p, size_bytes) &&
              is_covered(r, p, size_bytes);
    CUresult err = ok ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count && !err; i++)
        err = set_access_locked(r, p, size_bytes, &desc[i]);
    pthread_mutex_unlock(&all.lock);
    return err;
}

CUresult virtual_get_access(CUdeviceptr p, const CUmemLocation *location,
                            unsigned long long *out)
{
    if (location->type == CU_MEM_LOCATION_TYPE_INVALID)
        return CUDA_ERROR_INVALID_VALUE;
    if (device_check_place(location))
        return CUDA_ERROR_INVALID_DEVICE;
    pthread_mutex_lock(&all.lock);
    const struct mapping *m = virtual_find_mapping(p);
    if (m)
        *out = is_host(location) ? m->host_access : m->access[location->id];
    pthread_mutex_unlock(&all.lock);
    return m ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- questions of others ---------------------------------------------- */

CUmemAccess_flags virtual_access(CUdeviceptr p)
{
    pthread_mutex_lock(&all.lock);
    const struct mapping *m = virtual_find_mapping(p);
    CUmemAccess_flags access =
        m ? virtual_access_of_all(m) : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    pthread_mutex_unlock(&all.lock);
    return access;
}

/* Of one device, or of any and the host. */
enum { ANY_DEVICE = -1 };

static bool is_granted(const struct mapping *m, int device, unsigned access)
{
    assert(device < DEVICE_COUNT_MAX);
    unsigned granted = device == ANY_DEVICE
                           ? virtual_access_of_all(m) | m->host_access
                           : m->access[device];
    return (granted & access) == access;
}

/* Bytes in one mapping after the other, each with that access. */
static bool are_granted(CUdeviceptr p, size_t size_bytes, int device,
                        CUmemAccess_flags access)
{
    CUdeviceptr next = p, end = p + size_bytes;
    pthread_mutex_lock(&all.lock);
    while (next < end) {
        const struct mapping *m = virtual_find_mapping(next);
        if (!m || !is_granted(m, device, access) ||
            (device == ANY_DEVICE && m->memory->multicast))
            break;
        next = m->base + m->size_bytes;
    }
    pthread_mutex_unlock(&all.lock);
    return next >= end && end >= p;
}

bool virtual_reaches(int device, CUdeviceptr p, size_t size_bytes,
                     CUmemAccess_flags access)
{
    assert(device >= 0 && access != CU_MEM_ACCESS_FLAGS_PROT_NONE);
    return are_granted(p, size_bytes, device, access);
}

int virtual_device(CUdeviceptr p)
{
    pthread_mutex_lock(&all.lock);
    const struct mapping *m = virtual_find_mapping(p);
    int device = m && m->memory->props.location.type ==
                          CU_MEM_LOCATION_TYPE_DEVICE
                     ? m->memory->props.location.id
                     : 0;
    pthread_mutex_unlock(&all.lock);
    return device;
}

bool virtual_is_host(const struct mem_info *info)
{
    pthread_mutex_lock(&all.lock);
    const struct mapping *m = virtual_find_mapping(info->base);
    bool is = m && is_host(&m->memory->props.location);
    pthread_mutex_unlock(&all.lock);
    return is;
}

struct mem_info virtual_query(CUdeviceptr p)
{
    struct mem_info info = {0};
    pthread_mutex_lock(&all.lock);
    const struct mapping *m = virtual_find_mapping(p);
    if (m)
        info = (struct mem_info){.kind = MEM_VIRTUAL,
                                 .base = m->base,
                                 .size_bytes = m->size_bytes,
                                 .id = UINT64_C(1) << 63 | m->memory->id};
    pthread_mutex_unlock(&all.lock);
    return info;
}

bool virtual_holds(CUdeviceptr p, size_t size_bytes, CUmemAccess_flags access)
{
    return are_granted(p, size_bytes, ANY_DEVICE, access);
}

void virtual_reservation(const struct mem_info *m, CUdeviceptr *base,
                         size_t *size_bytes)
{
    if (m->kind != MEM_VIRTUAL)
        return;
    pthread_mutex_lock(&all.lock);
    const struct range *r = find_range(m->base);
    if (r) {
        *base = r->base;
        *size_bytes = r->size_bytes;
    }
    pthread_mutex_unlock(&all.lock);
}

int virtual_handle_types(const struct mem_info *m)
{
    int types = 0;
    pthread_mutex_lock(&all.lock);
    const struct mapping *at =
        m->kind == MEM_VIRTUAL ? virtual_find_mapping(m->base) : NULL;
    if (at)
        types = (int)at->memory->props.requestedHandleTypes;
    pthread_mutex_unlock(&all.lock);
    return types;
}

/* Handles outlive a reset; addresses do not. */
void virtual_free_all(void)
{
    pthread_mutex_lock(&all.lock);
    list_for_each(struct range, r, &all.ranges, in_all)
    {
        while (r->mappings.count)
            unmap_one(r, r->mappings.count - 1);
        range_free(r);
    }
    pthread_mutex_unlock(&all.lock);
}
