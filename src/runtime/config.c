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

cudaError_t rt_read_config(const cudaLaunchConfig_t *config,
                           struct launch_config *out)
{
    static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute) &&
                      offsetof(cudaLaunchAttribute, val) ==
                          offsetof(CUlaunchAttribute, value),
                  "one layout in both APIs");
    if (!config)
        return cudaErrorInvalidValue;
    *out =
        rt_config(config->gridDim, config->blockDim, config->dynamicSmemBytes);
    cudaError_t err =
        rt_check_dimensions(config->gridDim, config->blockDim, config->stream);
    if (err)
        return err;
    return rt_error(launch_attributes_read(
        (const CUlaunchAttribute *)config->attrs, config->numAttrs, out));
}

/* ---- clusters --------------------------------------------------------- */

typedef CUresult occupancy_fn(CUfunction f, const struct launch_config *config,
                              int *out);

static cudaError_t find_occupancy(const void *func,
                                  const cudaLaunchConfig_t *config,
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
    return rt_return(find_occupancy(func, launchConfig,
                                    occupancy_max_cluster_size, clusterSize));
}

cudaError_t
cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                               const cudaLaunchConfig_t *launchConfig)
{
    return rt_return(find_occupancy(func, launchConfig, occupancy_max_clusters,
                                    numClusters));
}
