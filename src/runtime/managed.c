/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advice about managed memory. Host and device share one memory here, so
 * there is nothing to migrate: the calls check what they are given, and what
 * they ask for is already so.
 */
#include "runtime/internal.h"

cudaError_t rt_check_managed(const void *p, size_t size_bytes)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (err)
        return err;
    struct mem_info info = mem_query(p);
    size_t offset = (uintptr_t)p - info.base;
    return size_bytes && info.kind == MEM_MANAGED &&
                   size_bytes <= info.size_bytes - offset
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

cudaError_t rt_check_location(struct cudaMemLocation location)
{
    switch (location.type) {
    case cudaMemLocationTypeDevice:
        return rt_is_device(location.id) ? cudaSuccess : rt_no_such_device();
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

struct cudaMemLocation rt_location_of(int device)
{
    return (struct cudaMemLocation){
        .type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                          : cudaMemLocationTypeDevice,
        .id = device,
    };
}

/* Advice of these kinds is about the range alone. */
static bool has_location(enum cudaMemoryAdvise advice)
{
    return advice != cudaMemAdviseSetReadMostly &&
           advice != cudaMemAdviseUnsetReadMostly &&
           advice != cudaMemAdviseUnsetPreferredLocation;
}

cudaError_t cudaMemAdvise_v2(const void *devPtr, size_t count,
                             enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location)
{
    if (advice < cudaMemAdviseSetReadMostly ||
        advice > cudaMemAdviseUnsetAccessedBy)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = cudaSuccess;
    if (has_location(advice))
        err = rt_check_location(location);
    if (!err)
        err = rt_check_managed(devPtr, count);
    return rt_return(err);
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count,
                          enum cudaMemoryAdvise advice, int device)
{
    return cudaMemAdvise_v2(devPtr, count, advice, rt_location_of(device));
}
