/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advice about ranges of managed memory, and their attributes. Host and device
 * share one memory, so nothing migrates (core/range.c).
 */
#include "runtime/internal.h"

CUmemLocation rt_core_location(struct cudaMemLocation location)
{
    return (CUmemLocation){.type = (CUmemLocationType)location.type,
                           .id = location.id};
}

struct cudaMemLocation rt_location_of(int device)
{
    return (struct cudaMemLocation){
        .type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                          : cudaMemLocationTypeDevice,
        .id = device,
    };
}

cudaError_t cudaMemAdvise_v2(const void *devPtr, size_t count,
                             enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(range_advise(rt_device_pointer(devPtr), count,
                                    (CUmem_advise)advice,
                                    rt_core_location(location)));
    return rt_return(err);
}

/* cudaMemAdvise needs a device for some kinds of advice. */
static bool names_no_device(enum cudaMemoryAdvise advice, int device)
{
    bool has_device = advice == cudaMemAdviseSetPreferredLocation ||
                      advice == cudaMemAdviseSetAccessedBy ||
                      advice == cudaMemAdviseUnsetAccessedBy;
    return has_device && device != cudaCpuDeviceId && !rt_is_device(device);
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count,
                          enum cudaMemoryAdvise advice, int device)
{
    if (names_no_device(advice, device))
        return rt_return(cudaErrorInvalidDevice);
    return rt_forward(
        cudaMemAdvise_v2(devPtr, count, advice, rt_location_of(device)));
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t dataSize,
                                     enum cudaMemRangeAttribute attribute,
                                     const void *devPtr, size_t count)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err =
            rt_error(range_get(data, dataSize, (CUmem_range_attribute)attribute,
                               rt_device_pointer(devPtr), count));
    return rt_return(err);
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *dataSizes,
                                      enum cudaMemRangeAttribute *attributes,
                                      size_t numAttributes, const void *devPtr,
                                      size_t count)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    if (!err)
        err = rt_error(range_get_all(
            data, dataSizes, (const CUmem_range_attribute *)attributes,
            numAttributes, rt_device_pointer(devPtr), count));
    return rt_return(err);
}
