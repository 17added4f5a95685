/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many blocks of a kernel fit on a multiprocessor of any GPU, from its
 * properties and the kernel's, without asking a device. CUDA C++ programming
 * guide, "Occupancy Calculator", and the table "Technical Specifications per
 * Compute Capability".
 */
#ifndef WEFT_CUDA_OCCUPANCY_H
#define WEFT_CUDA_OCCUPANCY_H

#include <limits.h>
#include <stddef.h>

typedef enum cudaOccError_enum {
    CUDA_OCC_SUCCESS = 0,
    CUDA_OCC_ERROR_INVALID_INPUT = 1,
    CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2
} cudaOccError;

typedef struct cudaOccDeviceProp {
    int computeMajor;
    int computeMinor;
    int maxThreadsPerBlock;
    int maxThreadsPerMultiprocessor;
    int regsPerBlock;
    int regsPerMultiprocessor;
    int warpSize;
    size_t sharedMemPerBlock;
    size_t sharedMemPerMultiprocessor;
    int numSms;
    size_t sharedMemPerBlockOptin;
    size_t reservedSharedMemPerBlock;

#if defined(__cplusplus)
    cudaOccDeviceProp() : computeMajor(0)
    {
    }
    template <typename Properties>
    cudaOccDeviceProp(const Properties &p)
        : computeMajor(p.major), computeMinor(p.minor),
          maxThreadsPerBlock(p.maxThreadsPerBlock),
          maxThreadsPerMultiprocessor(p.maxThreadsPerMultiProcessor),
          regsPerBlock(p.regsPerBlock),
          regsPerMultiprocessor(p.regsPerMultiprocessor), warpSize(p.warpSize),
          sharedMemPerBlock(p.sharedMemPerBlock),
          sharedMemPerMultiprocessor(p.sharedMemPerMultiprocessor),
          numSms(p.multiProcessorCount),
          sharedMemPerBlockOptin(p.sharedMemPerBlockOptin),
          reservedSharedMemPerBlock(p.reservedSharedMemPerBlock)
    {
    }
#endif
} cudaOccDeviceProp;

typedef enum cudaOccPartitionedGCConfig_enum {
    PARTITIONED_GC_OFF,
    PARTITIONED_GC_ON,
    PARTITIONED_GC_ON_STRICT
} cudaOccPartitionedGCConfig;

typedef enum cudaOccFuncShmemConfig_enum {
    FUNC_SHMEM_LIMIT_DEFAULT,
    FUNC_SHMEM_LIMIT_OPTIN
} cudaOccFuncShmemConfig;

typedef struct cudaOccFuncAttributes {
    int maxThreadsPerBlock;
    int numRegs;
    size_t sharedSizeBytes;
    cudaOccPartitionedGCConfig partitionedGCConfig;
    cudaOccFuncShmemConfig shmemLimitConfig;
    size_t maxDynamicSharedSizeBytes;
    int numBlockBarriers;

#if defined(__cplusplus)
    cudaOccFuncAttributes() : maxThreadsPerBlock(0)
    {
    }
    template <typename Attributes>
    cudaOccFuncAttributes(const Attributes &a)
        : maxThreadsPerBlock(a.maxThreadsPerBlock), numRegs(a.numRegs),
          sharedSizeBytes(a.sharedSizeBytes),
          partitionedGCConfig(PARTITIONED_GC_OFF),
          shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
          maxDynamicSharedSizeBytes(a.maxDynamicSharedSizeBytes),
          numBlockBarriers(1)
    {
    }
#endif
} cudaOccFuncAttributes;

typedef enum cudaOccCacheConfig_enum {
    CACHE_PREFER_NONE = 0,
    CACHE_PREFER_SHARED = 1,
    CACHE_PREFER_L1 = 2,
    CACHE_PREFER_EQUAL = 3
} cudaOccCacheConfig;

typedef enum cudaOccCarveoutConfig_enum {
    SHAREDMEM_CARVEOUT_DEFAULT = -1,
    SHAREDMEM_CARVEOUT_MAX_L1 = 0,
    SHAREDMEM_CARVEOUT_MAX_SHARED = 100
} cudaOccCarveoutConfig;

typedef struct cudaOccDeviceState {
    cudaOccCacheConfig cacheConfig;
    int carveoutConfig;

#if defined(__cplusplus)
    cudaOccDeviceState()
        : cacheConfig(CACHE_PREFER_NONE),
          carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT)
    {
    }
#endif
} cudaOccDeviceState;

typedef enum cudaOccLimitingFactor_enum {
    OCC_LIMIT_WARPS = 0x01,
    OCC_LIMIT_REGISTERS = 0x02,
    OCC_LIMIT_SHARED_MEMORY = 0x04,
    OCC_LIMIT_BLOCKS = 0x08,
    OCC_LIMIT_BARRIERS = 0x10
} cudaOccLimitingFactor;

typedef struct cudaOccResult {
    int activeBlocksPerMultiprocessor;
    unsigned int limitingFactors;
    int blockLimitRegs;
    int blockLimitSharedMem;
    int blockLimitWarps;
    int blockLimitBlocks;
    int blockLimitBarriers;
    int allocatedRegistersPerBlock;
    size_t allocatedSharedMemPerBlock;
    cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

static inline int weft_occ_round_up(int n, int unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Most blocks on one multiprocessor: "Maximum number of resident blocks per
 * SM". */
static inline int weft_occ_blocks(const cudaOccDeviceProp *p)
{
    switch (p->computeMajor * 10 + p->computeMinor) {
    case 75:
    case 86:
    case 87:
        return 16;
    case 89:
        return 24;
    default:
        return p->computeMajor >= 5 ? 32 : 16;
    }
}

/* Warps get registers in units of 256, and each of a multiprocessor's four
 * parts has its own registers. */
static inline int weft_occ_registers(const cudaOccDeviceProp *p, int num_regs,
                                     int warps, int *per_block)
{
    const int parts = 4, unit = 256;
    int per_warp = weft_occ_round_up(num_regs * p->warpSize, unit);
    *per_block = per_warp * weft_occ_round_up(warps, parts);
    if (!per_warp)
        return INT_MAX;
    if (num_regs > 255 || per_warp * warps > p->regsPerBlock)
        return 0;
    return p->regsPerMultiprocessor / parts / per_warp * parts / warps;
}

static inline int weft_occ_shared(const cudaOccDeviceProp *p,
                                  const cudaOccFuncAttributes *a,
                                  size_t dynamic, size_t *per_block)
{
    const size_t unit = p->computeMajor >= 8 ? 128 : 256;
    size_t used = a->sharedSizeBytes + dynamic;
    size_t limit = a->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN
                       ? p->sharedMemPerBlockOptin
                       : p->sharedMemPerBlock;
    if (p->computeMajor < 7)
        limit = p->sharedMemPerBlock;
    *per_block = (used + p->reservedSharedMemPerBlock + unit - 1) / unit * unit;
    if (used > limit)
        return 0;
    return *per_block ? (int)(p->sharedMemPerMultiprocessor / *per_block)
                      : INT_MAX;
}

static inline cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(
    cudaOccResult *result, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
    int blockSize, size_t dynamicSmemSize)
{
    if (!result || !properties || !attributes || !state || blockSize <= 0 ||
        properties->warpSize <= 0)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    if (properties->computeMajor < 3)
        return CUDA_OCC_ERROR_UNKNOWN_DEVICE;

    int most = properties->maxThreadsPerBlock;
    if (attributes->maxThreadsPerBlock < most)
        most = attributes->maxThreadsPerBlock;
    int warps = weft_occ_round_up(blockSize, properties->warpSize) /
                properties->warpSize;
    cudaOccResult r;
    r.partitionedGCConfig = PARTITIONED_GC_OFF;
    r.blockLimitWarps = blockSize > most
                            ? 0
                            : properties->maxThreadsPerMultiprocessor /
                                  properties->warpSize / warps;
    r.blockLimitBlocks = weft_occ_blocks(properties);
    r.blockLimitRegs = weft_occ_registers(properties, attributes->numRegs,
                                          warps, &r.allocatedRegistersPerBlock);
    r.blockLimitSharedMem = weft_occ_shared(
        properties, attributes, dynamicSmemSize, &r.allocatedSharedMemPerBlock);
    r.blockLimitBarriers = attributes->numBlockBarriers
                               ? 16 * 4 / attributes->numBlockBarriers
                               : INT_MAX;

    int limits[5], least = INT_MAX;
    limits[0] = r.blockLimitWarps;
    limits[1] = r.blockLimitRegs;
    limits[2] = r.blockLimitSharedMem;
    limits[3] = r.blockLimitBlocks;
    limits[4] = r.blockLimitBarriers;
    for (int i = 0; i < 5; i++)
        if (limits[i] < least)
            least = limits[i];
    r.activeBlocksPerMultiprocessor = least;
    r.limitingFactors = 0;
    for (int i = 0; i < 5; i++)
        if (limits[i] == least)
            r.limitingFactors |= 1u << i;
    *result = r;
    return CUDA_OCC_SUCCESS;
}

/* Finds the block size, a multiple of the warp size, that keeps the most
 * threads of a multiprocessor busy. */
static inline cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
    size_t (*blockSizeToDynamicSMemSize)(int), size_t dynamicSMemSize)
{
    if (!minGridSize || !blockSize || !properties || !attributes || !state)
        return CUDA_OCC_ERROR_INVALID_INPUT;
    int most = properties->maxThreadsPerBlock, best = 0;
    if (attributes->maxThreadsPerBlock < most)
        most = attributes->maxThreadsPerBlock;
    *minGridSize = *blockSize = 0;
    for (int size = most; size > 0; size -= properties->warpSize) {
        cudaOccResult r;
        size_t dynamic = blockSizeToDynamicSMemSize
                             ? blockSizeToDynamicSMemSize(size)
                             : dynamicSMemSize;
        cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
            &r, properties, attributes, state, size, dynamic);
        if (error)
            return error;
        if (r.activeBlocksPerMultiprocessor * size > best) {
            best = r.activeBlocksPerMultiprocessor * size;
            *blockSize = size;
            *minGridSize = r.activeBlocksPerMultiprocessor * properties->numSms;
        }
    }
    return CUDA_OCC_SUCCESS;
}

#endif
