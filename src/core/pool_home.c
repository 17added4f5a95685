/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose pools there are: each device, the host and each of its NUMA nodes has a
 * default pool of pinned and one of managed memory, made when it is first asked
 * for, and a current one, which allocations without a pool come from.
 */
#define _GNU_SOURCE
#include "core/pool.h"

#include <sched.h>
#include <unistd.h>

enum {
    HOME_HOST = DEVICE_COUNT_MAX, /* devices come first */
    HOME_ANYWHERE,                /* of managed memory */
    HOME_NODE,                    /* the first of them */
    HOME_COUNT = HOME_NODE + DEVICE_COUNT_MAX,
};

struct home {
    CUmemoryPool by_default; /* made once, never destroyed */
    CUmemoryPool current;    /* NULL: the default one */
};
static struct home homes[2][HOME_COUNT]; /* [is managed]; atomic pointers */

/* ---- places ----------------------------------------------------------- */

CUresult pool_place(CUmemLocation *location)
{
    if (location->type == CU_MEM_LOCATION_TYPE_HOST)
        location->id = 0;
    return device_check_place(location);
}

static int current_node(void)
{
    unsigned node;
    return getcpu(NULL, &node) ? 0 : (int)node;
}

CUresult pool_place_managed(CUmemLocation *location)
{
    if (location->type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT) {
        location->type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
        location->id = current_node();
    }
    if (location->type != CU_MEM_LOCATION_TYPE_INVALID)
        return pool_place(location);
    location->id = 0;
    return CUDA_SUCCESS;
}

/* Of a location that pool_place has seen. */
static struct home *home_at(const CUmemLocation *l, CUmemAllocationType type)
{
    unsigned i = l->type == CU_MEM_LOCATION_TYPE_DEVICE ? (unsigned)l->id
                 : l->type == CU_MEM_LOCATION_TYPE_HOST ? HOME_HOST
                 : l->type == CU_MEM_LOCATION_TYPE_INVALID
                     ? HOME_ANYWHERE
                     : HOME_NODE + (unsigned)l->id;
    assert(i < HOME_COUNT);
    return &homes[type == CU_MEM_ALLOCATION_TYPE_MANAGED][i];
}

/* ---- default pools ---------------------------------------------------- */

static CUresult make_default(const CUmemLocation *l, CUmemAllocationType type)
{
    const CUmemPoolProps props = {.allocType = type, .location = *l};
    CUmemoryPool p;
    CUresult err = pool_make(&props, -1, &p);
    if (err)
        return err;
    p->is_default = true;
    CUmemoryPool none = NULL; /* two threads may come here */
    if (!__atomic_compare_exchange_n(&home_at(l, type)->by_default, &none, p,
                                     false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        p->is_default = false;
        pool_destroy(p);
    }
    return CUDA_SUCCESS;
}

static CUresult get_default(const CUmemLocation *l, CUmemAllocationType type,
                            CUmemoryPool *out)
{
    CUmemoryPool *at = &home_at(l, type)->by_default;
    if (!__atomic_load_n(at, __ATOMIC_ACQUIRE)) {
        CUresult err = make_default(l, type);
        if (err)
            return err;
    }
    *out = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    assert(*out && (*out)->is_default);
    return CUDA_SUCCESS;
}

static CUresult get_current(const CUmemLocation *l, CUmemAllocationType type,
                            CUmemoryPool *out)
{
    *out = __atomic_load_n(&home_at(l, type)->current, __ATOMIC_ACQUIRE);
    return *out ? CUDA_SUCCESS : get_default(l, type, out);
}

static CUmemLocation device_place(int device)
{
    return (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device};
}

CUresult pool_default(int device, CUmemoryPool *out)
{
    const CUmemLocation l = device_place(device);
    return device_exists(device)
               ? get_default(&l, CU_MEM_ALLOCATION_TYPE_PINNED, out)
               : CUDA_ERROR_INVALID_DEVICE;
}

CUresult pool_current(int device, CUmemoryPool *out)
{
    const CUmemLocation l = device_place(device);
    return device_exists(device)
               ? get_current(&l, CU_MEM_ALLOCATION_TYPE_PINNED, out)
               : CUDA_ERROR_INVALID_DEVICE;
}

/* ---- by place and kind of memory -------------------------------------- */

/* As an H200 has it. */
static CUresult check_place(const CUmemLocation *given,
                            CUmemAllocationType type, CUmemLocation *out)
{
    bool is_managed = type == CU_MEM_ALLOCATION_TYPE_MANAGED;
    if (!given)
        return CUDA_ERROR_INVALID_VALUE;
    if (given->type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (type != CU_MEM_ALLOCATION_TYPE_PINNED && !is_managed)
        return CUDA_ERROR_INVALID_VALUE;
    *out = *given;
    return (is_managed ? pool_place_managed(out) : pool_place(out))
               ? CUDA_ERROR_INVALID_VALUE
               : CUDA_SUCCESS;
}

CUresult pool_default_at(const CUmemLocation *location,
                         CUmemAllocationType type, CUmemoryPool *out)
{
    CUmemLocation l;
    CUresult err = check_place(location, type, &l);
    return err ? err : get_default(&l, type, out);
}

CUresult pool_current_at(const CUmemLocation *location,
                         CUmemAllocationType type, CUmemoryPool *out)
{
    CUmemLocation l;
    CUresult err = check_place(location, type, &l);
    return err ? err : get_current(&l, type, out);
}

CUresult pool_set_current_at(const CUmemLocation *location,
                             CUmemAllocationType type, CUmemoryPool p)
{
    CUmemLocation l;
    CUresult err = capture_check_call();
    if (!err)
        err = check_place(location, type, &l);
    if (err)
        return err;
    if (!pool_find(p) || p->is_imported || p->props.allocType != type ||
        p->props.location.type != l.type || p->props.location.id != l.id)
        return CUDA_ERROR_INVALID_VALUE;
    __atomic_store_n(&home_at(&l, type)->current, p, __ATOMIC_RELEASE);
    return CUDA_SUCCESS;
}

CUresult pool_set_current(int device, CUmemoryPool p)
{
    const CUmemLocation l = device_place(device);
    return device_exists(device)
               ? pool_set_current_at(&l, CU_MEM_ALLOCATION_TYPE_PINNED, p)
               : CUDA_ERROR_INVALID_VALUE;
}

void pool_forget_current(CUmemoryPool p)
{
    CUmemoryPool *at =
        &home_at(&p->props.location, p->props.allocType)->current;
    CUmemoryPool it = p;
    __atomic_compare_exchange_n(at, &it, NULL, false, __ATOMIC_ACQ_REL,
                                __ATOMIC_RELAXED);
}
