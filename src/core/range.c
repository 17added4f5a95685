/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program says of managed memory: advice, and where it was sent. There
 * is one memory, so nothing moves; but what was said is kept by pages, and
 * told again when a program asks.
 */
#include "core/internal.h"

#include <stdlib.h>

enum { HOST_BIT = 63 }; /* behind the bits of all devices */

/* Pages [first, end) of which all the same was said. Others: nothing was. */
struct part {
    CUdeviceptr first, end;
    bool is_read_mostly;
    CUmemLocation preferred, last; /* INVALID: none */
    uint64_t accessed_by;          /* a bit for each device, HOST_BIT */
};

static struct {
    pthread_mutex_t lock;
    VEC(struct part) parts; /* by address */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- places and ranges ------------------------------------------------ */

CUresult range_check_location(const CUmemLocation *l)
{
    return l->type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT
               ? CUDA_SUCCESS
               : device_check_place(l);
}

CUmemLocation range_location_of(CUdevice device)
{
    return (CUmemLocation){
        .type = device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST
                                        : CU_MEM_LOCATION_TYPE_DEVICE,
        .id = device,
    };
}

/* The range is managed memory of one allocation. */
static CUresult check_range(CUdeviceptr p, size_t size_bytes)
{
    struct mem_info info = pointer_query((const void *)(uintptr_t)p);
    return size_bytes && mem_seen_as(&info) == MEM_MANAGED &&
                   size_bytes <= info.size_bytes - (p - info.base)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

/* ---- parts; all with the lock ----------------------------------------- */

static bool insert_part(size_t i, struct part p)
{
    assert(i <= all.parts.count && p.first < p.end);
    if (!vec_push(&all.parts, p))
        return false;
    memmove(&all.parts.data[i + 1], &all.parts.data[i],
            (all.parts.count - 1 - i) * sizeof p);
    all.parts.data[i] = p;
    return true;
}

/* No part goes across `address` then. */
static bool split_part(CUdeviceptr address)
{
    assert(address % PAGE_BYTES == 0);
    for (size_t i = 0; i < all.parts.count; i++) {
        struct part *p = &all.parts.data[i];
        if (p->first >= address || p->end <= address)
            continue;
        struct part rest = *p;
        rest.first = address;
        p->end = address;
        if (insert_part(i + 1, rest))
            return true;
        p->end = rest.end;
        return false;
    }
    return true;
}

/* Every page of the range is in a part, and no part goes beyond it. */
static bool cover_range(CUdeviceptr first, CUdeviceptr end)
{
    assert(first < end && first % PAGE_BYTES == 0 && end % PAGE_BYTES == 0);
    size_t i = 0;
    if (!split_part(first) || !split_part(end))
        return false;
    while (i < all.parts.count && all.parts.data[i].end <= first)
        i++;
    while (first < end) {
        bool is_there = i < all.parts.count && all.parts.data[i].first == first;
        CUdeviceptr next = i < all.parts.count && all.parts.data[i].first < end
                               ? all.parts.data[i].first
                               : end;
        if (!is_there &&
            !insert_part(i, (struct part){.first = first, .end = next}))
            return false;
        first = all.parts.data[i++].end;
    }
    return true;
}

static CUdeviceptr page_of(CUdeviceptr p)
{
    return p & ~(PAGE_BYTES - 1);
}

static CUdeviceptr end_of(CUdeviceptr p, size_t size_bytes)
{
    return page_of(p + size_bytes + PAGE_BYTES - 1);
}

/* ---- what is said ----------------------------------------------------- */

/* Some advice is about the range alone, but its place must be a kind of place.
 * Nodes do not access memory: devices and the host do. */
static CUresult check_advised(CUmem_advise advice, const CUmemLocation *l)
{
    bool is_host = l->type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
                   l->type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    if (l->type < CU_MEM_LOCATION_TYPE_DEVICE ||
        l->type > CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
        return CUDA_ERROR_INVALID_VALUE;
    switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
        return CUDA_SUCCESS;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
        return range_check_location(l) ? CUDA_ERROR_INVALID_VALUE
                                       : CUDA_SUCCESS;
    default:
        return is_host || range_check_location(l) ? CUDA_ERROR_INVALID_VALUE
                                                  : CUDA_SUCCESS;
    }
}

/* What is said about a range, to each of its parts. */
struct saying {
    void (*tell)(struct part *p, const struct saying *s);
    CUmem_advise advice;
    CUmemLocation location;
};

static void tell_advice(struct part *p, const struct saying *s)
{
    CUmemLocation l = s->location;
    assert(p->first < p->end);
    int place = l.type == CU_MEM_LOCATION_TYPE_DEVICE ? l.id : HOST_BIT;
    uint64_t bit = UINT64_C(1) << (place & 63);
    switch (s->advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
        p->is_read_mostly = s->advice == CU_MEM_ADVISE_SET_READ_MOSTLY;
        break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
        p->preferred = l;
        break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
        p->preferred = (CUmemLocation){0};
        break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
        p->accessed_by |= bit;
        break;
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
        p->accessed_by &= ~bit;
        break;
    }
}

static void tell_prefetch(struct part *p, const struct saying *s)
{
    p->last = s->location;
}

static CUresult tell_range(CUdeviceptr p, size_t size_bytes,
                           const struct saying *s)
{
    CUdeviceptr first = page_of(p), end = end_of(p, size_bytes);
    pthread_mutex_lock(&all.lock);
    bool ok = cover_range(first, end);
    for (size_t i = 0; i < all.parts.count && ok; i++) {
        struct part *at = &all.parts.data[i];
        if (at->first >= first && at->end <= end)
            s->tell(at, s);
    }
    pthread_mutex_unlock(&all.lock);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult range_advise(CUdeviceptr p, size_t size_bytes, CUmem_advise advice,
                      CUmemLocation location)
{
    if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY ||
        advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = capture_check_call();
    if (!err)
        err = check_advised(advice, &location);
    if (!err)
        err = check_range(p, size_bytes);
    if (err)
        return err;
    return tell_range(p, size_bytes,
                      &(const struct saying){tell_advice, advice, location});
}

CUresult range_check_prefetch(CUdeviceptr p, size_t size_bytes,
                              const CUmemLocation *location)
{
    CUresult err = range_check_location(location);
    return err ? err : check_range(p, size_bytes);
}

CUresult range_prefetch(CUstream s, CUdeviceptr p, size_t size_bytes,
                        CUmemLocation location)
{
    CUresult err = capture_refuse(s);
    if (!err)
        err = range_check_prefetch(p, size_bytes, &location);
    if (err)
        return err;
    return tell_range(
        p, size_bytes,
        &(const struct saying){.tell = tell_prefetch, .location = location});
}

/* Which stream may touch managed memory is not restricted here; it is attached
 * in one piece, to one stream and not to all that the default one waits for. */
CUresult range_attach(CUstream s, CUdeviceptr p, size_t size_bytes,
                      unsigned flags)
{
    struct mem_info info = pointer_query((const void *)(uintptr_t)p);
    if ((flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST &&
         flags != CU_MEM_ATTACH_SINGLE) ||
        (flags == CU_MEM_ATTACH_SINGLE && s->is_legacy))
        return CUDA_ERROR_INVALID_VALUE;
    bool is_whole = info.kind == MEM_MANAGED && info.base == p &&
                    (size_bytes == 0 || size_bytes == info.size_bytes);
    CUresult err = capture_refuse(s);
    if (!err && !is_whole)
        err = CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = capture_check_call();
    return err ? err : ctx_sticky(s->ctx);
}

void range_forget(CUdeviceptr p, size_t size_bytes)
{
    CUdeviceptr end = end_of(p, size_bytes);
    size_t kept = 0;
    pthread_mutex_lock(&all.lock);
    for (size_t i = 0; i < all.parts.count; i++) {
        struct part at = all.parts.data[i];
        if (at.end <= page_of(p) || at.first >= end)
            all.parts.data[kept++] = at;
    }
    all.parts.count = kept;
    pthread_mutex_unlock(&all.lock);
}

/* ---- what was said ---------------------------------------------------- */

static bool is_same_place(CUmemLocation a, CUmemLocation b)
{
    return a.type == b.type && a.id == b.id;
}

/* What all pages of the range have in common. The lock is held. */
static struct part common_part(CUdeviceptr first, CUdeviceptr end)
{
    assert(first < end);
    struct part out = {.first = first, .end = first};
    bool is_first = true;
    for (size_t i = 0; i < all.parts.count; i++) {
        struct part p = all.parts.data[i];
        if (p.end <= first || p.first >= end)
            continue;
        if (p.first > out.end) /* a gap: nothing was said there */
            p = (struct part){.first = p.first, .end = p.end};
        if (is_first)
            out = p;
        out.is_read_mostly &= p.is_read_mostly;
        out.accessed_by &= p.accessed_by;
        if (!is_same_place(out.preferred, p.preferred))
            out.preferred = (CUmemLocation){0};
        if (!is_same_place(out.last, p.last))
            out.last = (CUmemLocation){0};
        out.end = p.end;
        is_first = false;
    }
    return !is_first && out.end >= end ? out : (struct part){0};
}

/* As a device's number; nodes of memory have none. */
static int number_of(CUmemLocation l)
{
    return l.type == CU_MEM_LOCATION_TYPE_DEVICE ? l.id
           : l.type == CU_MEM_LOCATION_TYPE_HOST ? CU_DEVICE_CPU
                                                 : CU_DEVICE_INVALID;
}

static int id_of(CUmemLocation l)
{
    return l.type == CU_MEM_LOCATION_TYPE_INVALID ? CU_DEVICE_INVALID
           : l.type == CU_MEM_LOCATION_TYPE_HOST  ? CU_DEVICE_CPU
                                                  : l.id;
}

static void put_devices(int *out, size_t count, uint64_t devices)
{
    for (int place = 0; place <= HOST_BIT; place++) {
        if (count && (devices >> place & 1)) {
            *out++ = place == HOST_BIT ? CU_DEVICE_CPU : place;
            count--;
        }
    }
    while (count--)
        *out++ = CU_DEVICE_INVALID;
}

static bool is_size(CUmem_range_attribute attribute, size_t size_bytes)
{
    return attribute == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY
               ? size_bytes && size_bytes % sizeof(int) == 0
               : size_bytes == sizeof(int);
}

static CUresult put_attribute(int *out, size_t count,
                              CUmem_range_attribute attribute,
                              const struct part *p)
{
    switch (attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
        *out = p->is_read_mostly;
        break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
        *out = number_of(p->preferred);
        break;
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
        put_devices(out, count, p->accessed_by);
        break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
        *out = number_of(p->last);
        break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
        *out = (int)p->preferred.type;
        break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
        *out = id_of(p->preferred);
        break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
        *out = (int)p->last.type;
        break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
        *out = id_of(p->last);
        break;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult range_get(void *data, size_t size_bytes,
                   CUmem_range_attribute attribute, CUdeviceptr p, size_t count)
{
    CUresult err = check_range(p, count);
    if (err)
        return err;
    if (!data || !is_size(attribute, size_bytes))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&all.lock);
    struct part said = common_part(page_of(p), end_of(p, count));
    pthread_mutex_unlock(&all.lock);
    return put_attribute(data, size_bytes / sizeof(int), attribute, &said);
}

CUresult range_get_all(void **data, const size_t *sizes,
                       const CUmem_range_attribute *attributes, size_t n,
                       CUdeviceptr p, size_t count)
{
    CUresult err = data && sizes && attributes && n ? CUDA_SUCCESS
                                                    : CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n && !err; i++)
        err = range_get(data[i], sizes[i], attributes[i], p, count);
    return err;
}
