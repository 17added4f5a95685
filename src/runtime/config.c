/* SPDX-License-Identifier: Apache-2.0 */
/* Launch configurations with attributes, and how many clusters of one fit. */
#include "runtime/internal.h"

struct launch_config rt_config(dim3 grid, dim3 block, size_t shared)
{
    return (struct launch_config){
        .grid = {grid.x, grid.y, grid.z},
        .block = {block.x, block.y, block.z},
        .shared_bytes = shared,
    };
}

/* Attributes that only say how a launch might be faster may be ignored; one
 * that says what it means may not. */
static cudaError_t apply_attribute(struct launch_config *config,
                                   const cudaLaunchAttribute *a)
{
    switch (a->id) {
    case cudaLaunchAttributeCooperative:
        config->is_cooperative = a->val.cooperative != 0;
        return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
        config->cluster[0] = a->val.clusterDim.x;
        config->cluster[1] = a->val.clusterDim.y;
        config->cluster[2] = a->val.clusterDim.z;
        return cudaSuccess;
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
    case cudaLaunchAttributePreferredClusterDimension:
        return cudaSuccess;
    /* They may come earlier, when blocks have begun or said so, but need not:
     * here the kernel's end is soon enough for those who wait. */
    case cudaLaunchAttributeProgrammaticEvent:
        config->event = a->val.programmaticEvent.event;
        return config->event ? cudaSuccess : cudaErrorInvalidValue;
    case cudaLaunchAttributeLaunchCompletionEvent:
        config->event = a->val.launchCompletionEvent.event;
        return config->event ? cudaSuccess : cudaErrorInvalidValue;
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        return cudaErrorNotSupported;
    }
    return cudaErrorInvalidValue;
}

cudaError_t rt_read_config(const cudaLaunchConfig_t *config,
                           struct launch_config *out)
{
    if (!config || (config->numAttrs && !config->attrs))
        return cudaErrorInvalidValue;
    *out =
        rt_config(config->gridDim, config->blockDim, config->dynamicSmemBytes);
    cudaError_t err = rt_check_dimensions(config->gridDim, config->blockDim);
    for (unsigned i = 0; i < config->numAttrs && !err; i++)
        err = apply_attribute(out, &config->attrs[i]);
    return err;
}

/* ---- clusters --------------------------------------------------------- */

typedef CUresult occupancy_fn(CUfunction f, const struct launch_config *config,
                              int *out);

static cudaError_t occupancy(const void *func, const cudaLaunchConfig_t *config,
                             occupancy_fn *fn, int *out)
{
    struct launch_config c;
    CUcontext ctx;
    CUfunction f;
    if (!out)
        return cudaErrorInvalidValue;
    cudaError_t err = rt_read_config(config, &c);
    if (!err)
        err = rt_context(&ctx);
    if (!err)
        err = rt_function(func, &f);
    return err ? err : rt_error(fn(f, &c, out));
}

cudaError_t
cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
                                     const cudaLaunchConfig_t *launchConfig)
{
    return rt_return(
        occupancy(func, launchConfig, occupancy_max_cluster_size, clusterSize));
}

cudaError_t
cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                               const cudaLaunchConfig_t *launchConfig)
{
    return rt_return(
        occupancy(func, launchConfig, occupancy_max_clusters, numClusters));
}
