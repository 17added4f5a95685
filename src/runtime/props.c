/* SPDX-License-Identifier: Apache-2.0 */
/* cudaDeviceProp, and choosing a device by properties. */
#include "runtime/internal.h"

#include <stdio.h>

static_assert(sizeof(struct cudaDeviceProp) == 1032, "layout of CUDA 12");

/* ---- the structure of each toolkit -------------------------------------- */

#if WEFT_CUDART == 13

/* CUDA 13 removed eight fields, and the fields behind each moved up. A row is a
 * run of fields that move together; alignment of fields of eight bytes ends
 * some runs. */
#define SIZE_OF_13 1008
#define MOVE(first, last, to)                                                  \
    {                                                                          \
        offsetof(struct cudaDeviceProp, first),                                \
            offsetof(struct cudaDeviceProp, last) +                            \
                sizeof(((struct cudaDeviceProp *)0)->last),                    \
            to                                                                 \
    }
static const struct {
    size_t from, end, to;
} moves[] = {
    MOVE(name, maxGridSize, 0),
    MOVE(totalConstMem, texturePitchAlignment, 352),
    MOVE(multiProcessorCount, multiProcessorCount, 384),
    MOVE(integrated, canMapHostMemory, 388),
    MOVE(maxTexture1D, maxTexture1DMipmap, 396),
    MOVE(maxTexture2D, unifiedAddressing, 404),
    MOVE(memoryBusWidth, localL1CacheSupported, 592),
    MOVE(sharedMemPerMultiprocessor, hostNativeAtomicSupported, 624),
    MOVE(pageableMemoryAccess, cooperativeLaunch, 652),
    MOVE(sharedMemPerBlockOptin, unifiedFunctionPointers, 672),
};

static void give_props(struct cudaDeviceProp *out,
                       const struct cudaDeviceProp *p)
{
    memset(out, 0, SIZE_OF_13);
    for (size_t i = 0; i < ARRAY_COUNT(moves); i++)
        memcpy((char *)out + moves[i].to, (const char *)p + moves[i].from,
               moves[i].end - moves[i].from);
}

#else

static void give_props(struct cudaDeviceProp *out,
                       const struct cudaDeviceProp *p)
{
    *out = *p;
}

#endif

/* ---- entry points ------------------------------------------------------- */

cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *prop, int device)
{
    if (!prop)
        return rt_return(cudaErrorInvalidValue);
    if (!rt_is_device(device))
        return rt_return(rt_no_such_device());
    struct cudaDeviceProp p = {.totalGlobalMem = device_total_memory()};
    int value;
    snprintf(p.name, sizeof p.name, "%s", device_name());
    static_assert(sizeof p.uuid.bytes == 16, "an id");
    device_uuid(device_number(device), (uint8_t *)p.uuid.bytes);
#define TYPE_INT  int
#define TYPE_SIZE size_t
#define RT_PROP(field, type, attribute)                                        \
    if (!device_attribute(&value, CU_DEVICE_ATTRIBUTE_##attribute, device))    \
        p.field = (TYPE_##type)value;
#include "runtime/props.def"
    give_props(prop, &p);
    return rt_return(cudaSuccess);
}

/* All devices are alike, so the first one fits as well as any. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
    if (!device || !prop)
        return rt_return(cudaErrorInvalidValue);
    if (rt_device_count() == 0)
        return rt_return(rt_no_such_device());
    *device = 0;
    return rt_return(cudaSuccess);
}
