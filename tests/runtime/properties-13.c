/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cudaDeviceProp as programs for CUDA 13 know it: members that are attributes,
 * too, at the offsets of its documentation, in the library of that version.
 */
#include "check.h"

/* Which the headers, those of CUDA 12, call something else. */
#undef cudaGetDeviceProperties
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);

static const struct {
    const char *name;
    size_t offset, size;
    enum cudaDeviceAttr attribute;
} members[] = {
    {"maxThreadsPerBlock", 320, 4, cudaDevAttrMaxThreadsPerBlock},
    {"major", 360, 4, cudaDevAttrComputeCapabilityMajor},
    {"minor", 364, 4, cudaDevAttrComputeCapabilityMinor},
    {"multiProcessorCount", 384, 4, cudaDevAttrMultiProcessorCount},
    {"canMapHostMemory", 392, 4, cudaDevAttrCanMapHostMemory},
    {"maxTexture2D[0]", 404, 4, cudaDevAttrMaxTexture2DWidth},
    {"asyncEngineCount", 584, 4, cudaDevAttrAsyncEngineCount},
    {"unifiedAddressing", 588, 4, cudaDevAttrUnifiedAddressing},
    {"memoryBusWidth", 592, 4, cudaDevAttrGlobalMemoryBusWidth},
    {"l2CacheSize", 596, 4, cudaDevAttrL2CacheSize},
    {"maxThreadsPerMultiProcessor", 604, 4,
     cudaDevAttrMaxThreadsPerMultiProcessor},
    {"localL1CacheSupported", 616, 4, cudaDevAttrLocalL1CacheSupported},
    {"sharedMemPerMultiprocessor", 624, 8,
     cudaDevAttrMaxSharedMemoryPerMultiprocessor},
    {"regsPerMultiprocessor", 632, 4, cudaDevAttrMaxRegistersPerMultiprocessor},
    {"managedMemory", 636, 4, cudaDevAttrManagedMemory},
    {"hostNativeAtomicSupported", 648, 4, cudaDevAttrHostNativeAtomicSupported},
    {"pageableMemoryAccess", 652, 4, cudaDevAttrPageableMemoryAccess},
    {"cooperativeLaunch", 668, 4, cudaDevAttrCooperativeLaunch},
    {"sharedMemPerBlockOptin", 672, 8,
     cudaDevAttrMaxSharedMemoryPerBlockOptin},
};

static char stub; /* of no kernel: the shape is looked at first */

/* Bad shapes are invalid values since CUDA 13. */
static void shapes(void)
{
    const dim3 one = {1, 1, 1}, none = {0, 1, 1}, many = {2000, 1, 1};
    CHECK(cudaLaunchKernel(&stub, none, one, NULL, 0, 0) ==
          cudaErrorInvalidValue);
    CHECK(cudaLaunchKernel(&stub, one, many, NULL, 0, 0) ==
          cudaErrorInvalidValue);
}

int main(void)
{
    struct {
        uint8_t bytes[1008], behind[64];
    } prop;
    memset(&prop, 0xee, sizeof prop);
    CHECK(cudaGetDeviceProperties((struct cudaDeviceProp *)&prop, 0) ==
          cudaSuccess);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        int value = -1;
        uint64_t member = 0;
        CHECK(cudaDeviceGetAttribute(&value, members[i].attribute, 0) ==
              cudaSuccess);
        memcpy(&member, prop.bytes + members[i].offset, members[i].size);
        if (member != (uint64_t)value)
            fprintf(stderr, "%s\n", members[i].name);
        CHECK(member == (uint64_t)value);
    }
    for (size_t i = 0; i < sizeof prop.behind; i++)
        CHECK(prop.behind[i] == 0xee);
    shapes();
    return failures != 0;
}
