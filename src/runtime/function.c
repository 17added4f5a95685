/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of kernels and how many blocks of one fit on an SM. */
#include "runtime/internal.h"

/* The kernel, in the thread's context. */
static cudaError_t get_function(const void *func, CUfunction *out)
{
    CUcontext ctx;
    cudaError_t err = rt_context(&ctx);
    return err ? err : rt_function(func, out);
}

static int function_attribute_of(CUfunction f, CUfunction_attribute which)
{
    int value = 0;
    return function_attribute(&value, which, f) ? 0 : value;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr,
                                  const void *func)
{
    CUfunction f;
    if (!attr)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = get_function(func, &f);
    if (err)
        return rt_return(err);
#define GET(name) function_attribute_of(f, CU_FUNC_ATTRIBUTE_##name)
    *attr = (struct cudaFuncAttributes){
        .sharedSizeBytes = (size_t)GET(SHARED_SIZE_BYTES),
        .constSizeBytes = (size_t)GET(CONST_SIZE_BYTES),
        .localSizeBytes = (size_t)GET(LOCAL_SIZE_BYTES),
        .maxThreadsPerBlock = GET(MAX_THREADS_PER_BLOCK),
        .numRegs = GET(NUM_REGS),
        .ptxVersion = GET(PTX_VERSION),
        .binaryVersion = GET(BINARY_VERSION),
        .cacheModeCA = GET(CACHE_MODE_CA),
        .maxDynamicSharedSizeBytes = GET(MAX_DYNAMIC_SHARED_SIZE_BYTES),
        .preferredShmemCarveout = GET(PREFERRED_SHARED_MEMORY_CARVEOUT),
        .clusterDimMustBeSet = GET(CLUSTER_SIZE_MUST_BE_SET),
        .requiredClusterWidth = GET(REQUIRED_CLUSTER_WIDTH),
        .requiredClusterHeight = GET(REQUIRED_CLUSTER_HEIGHT),
        .requiredClusterDepth = GET(REQUIRED_CLUSTER_DEPTH),
        .clusterSchedulingPolicyPreference =
            GET(CLUSTER_SCHEDULING_POLICY_PREFERENCE),
        .nonPortableClusterSizeAllowed = GET(NON_PORTABLE_CLUSTER_SIZE_ALLOWED),
    };
#undef GET
    return rt_return(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr,
                                 int value)
{
    CUfunction f;
    cudaError_t err = get_function(func, &f);
    if (err)
        return rt_return(err);
    return rt_return(
        rt_error(function_set_attribute(f, (CUfunction_attribute)attr, value)));
}

cudaError_t cudaFuncSetCacheConfig(const void *func,
                                   enum cudaFuncCache cacheConfig)
{
    CUfunction f;
    if ((unsigned)cacheConfig > cudaFuncCachePreferEqual)
        return rt_return(cudaErrorInvalidValue);
    return rt_return(get_function(func, &f));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func,
                                       enum cudaSharedMemConfig config)
{
    CUfunction f;
    if ((unsigned)config > cudaSharedMemBankSizeEightByte)
        return rt_return(cudaErrorInvalidValue);
    return rt_return(get_function(func, &f));
}

cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    CUfunction f;
    if (!name)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = get_function(func, &f);
    if (!err)
        *name = rt_function_name(func);
    return rt_return(err);
}

/* Takes host functions only: any other handle is
 * cudaErrorInvalidDeviceFunction.
 */
static cudaError_t get_registered(const void *host_function, CUfunction *out)
{
    cudaError_t err = get_function(host_function, out);
    return err == cudaErrorInvalidResourceHandle
               ? cudaErrorInvalidDeviceFunction
               : err;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr,
                                const void *symbolPtr)
{
    CUfunction f;
    CUkernel k;
    CUcontext ctx;
    cudaError_t err = get_registered(symbolPtr, &f);
    if (!err && !functionPtr)
        err = cudaErrorInvalidValue;
    if (!err)
        err = rt_context(&ctx);
    /* By its kernel, which nodes of the function show. */
    if (!err && !rt_kernel(symbolPtr, &k))
        err = rt_error(kernel_function(k, ctx, &f));
    if (!err)
        *functionPtr = f;
    return rt_return(err);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernelPtr, const void *entryFuncAddr)
{
    CUfunction f;
    if (!kernelPtr)
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = get_registered(entryFuncAddr, &f);
    if (!err)
        err = rt_kernel(entryFuncAddr, (CUkernel *)kernelPtr);
    return rt_return(err);
}

/* Called by compilers' code. Gives the host function itself as the handle; if
 * it has no kernel, the launch that follows fails. */
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *func)
{
    *kernel = (cudaKernel_t)func;
    return cudaSuccess;
}

/* ---- occupancy ----------------------------------------------------------- */

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize,
    unsigned int flags)
{
    CUfunction f;
    if (!numBlocks || blockSize <= 0 ||
        (flags & ~(unsigned)cudaOccupancyDisableCachingOverride))
        return rt_return(cudaErrorInvalidValue);
    cudaError_t err = get_function(func, &f);
    if (!err)
        err = rt_error(
            occupancy_max_blocks(f, blockSize, dynamicSMemSize, numBlocks));
    return rt_return(err);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *numBlocks, const void *func, int blockSize, size_t dynamicSMemSize)
{
    return rt_forward(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks, func, blockSize, dynamicSMemSize, cudaOccupancyDefault));
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemSize,
                                                      const void *func,
                                                      int numBlocks,
                                                      int blockSize)
{
    CUfunction f;
    cudaError_t err = get_function(func, &f);
    if (!err && (!dynamicSmemSize || numBlocks <= 0 || blockSize <= 0))
        err = cudaErrorInvalidValue;
    if (!err)
        err = rt_error(occupancy_available_shared(f, numBlocks, blockSize,
                                                  dynamicSmemSize));
    return rt_return(err);
}

/* ---- parameters ---------------------------------------------------------- */

cudaError_t cudaFuncGetParamInfo(const void *func, size_t paramIndex,
                                 size_t *paramOffset, size_t *paramSize)
{
    CUfunction f;
    cudaError_t err = get_function(func, &f);
    if (!err)
        err =
            rt_error(function_parameter(f, paramIndex, paramOffset, paramSize));
    return rt_return(err);
}
