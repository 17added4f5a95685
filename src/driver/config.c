/* SPDX-License-Identifier: Apache-2.0 */
/* Launch configurations with attributes, and how many clusters of one fit. */
#include "driver/internal.h"

CUresult drv_read_config(const CUlaunchConfig *config,
                         struct launch_config *out)
{
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    *out = (struct launch_config){
        .grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
        .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
        .shared_bytes = config->sharedMemBytes};
    return launch_attributes_read(config->attrs, config->numAttrs, out);
}

/* ---- clusters --------------------------------------------------------- */

typedef CUresult occupancy_fn(CUfunction f, const struct launch_config *config,
                              int *out);

static CUresult find_occupancy(CUfunction f, const CUlaunchConfig *config,
                               occupancy_fn *fn, int *out)
{
    struct launch_config c;
    CUresult err = drv_check_context();
    if (!err)
        err = out ? drv_read_config(config, &c) : CUDA_ERROR_INVALID_VALUE;
    if (!err)
        err = drv_function(&f);
    return err ? err : fn(f, &c, out);
}

CUresult cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction func,
                                            const CUlaunchConfig *config)
{
    return find_occupancy(func, config, occupancy_max_cluster_size,
                          clusterSize);
}

CUresult cuOccupancyMaxActiveClusters(int *numClusters, CUfunction func,
                                      const CUlaunchConfig *config)
{
    return find_occupancy(func, config, occupancy_max_clusters, numClusters);
}
