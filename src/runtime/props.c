/* SPDX-License-Identifier: Apache-2.0 */
/* cudaDeviceProp and the choice of a device by its properties. */
#include "runtime/internal.h"

#include <stdio.h>

static_assert(sizeof(struct cudaDeviceProp) == 1032, "layout of CUDA 12");

/* The same device of the same machine always has the same id. */
static void set_uuid(struct cudaDeviceProp *prop, int device)
{
    uint64_t halves[2];
    halves[0] = hash_bytes(prop->name, strlen(prop->name), (uint64_t)device);
    halves[1] = hash_bytes(prop->name, strlen(prop->name), ~halves[0]);
    static_assert(sizeof halves == sizeof prop->uuid.bytes, "16 bytes");
    memcpy(prop->uuid.bytes, halves, sizeof halves);
}

cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device)
{
    if (!prop)
        return rt_return(cudaErrorInvalidValue);
    if (!rt_is_device(device))
        return rt_return(cudaErrorInvalidDevice);
    struct cudaDeviceProp p = {.totalGlobalMem = device_total_memory()};
    int value;
    snprintf(p.name, sizeof p.name, "%s", device_name());
    set_uuid(&p, device);
#define TYPE_INT  int
#define TYPE_SIZE size_t
#define RT_PROP(field, type, attribute)                                        \
    if (!device_attribute(&value, CU_DEVICE_ATTRIBUTE_##attribute, device))    \
        p.field = (TYPE_##type)value;
#include "runtime/props.def"
    *prop = p;
    return rt_return(cudaSuccess);
}

/* With one device, it is the best match for any wish. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    if (!device || !prop)
        return rt_return(cudaErrorInvalidValue);
    if (device_count() == 0)
        return rt_return(cudaErrorNoDevice);
    *device = 0;
    return rt_return(cudaSuccess);
}
