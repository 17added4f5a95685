/* SPDX-License-Identifier: Apache-2.0 */
/* Launch configurations with attributes, and how many clusters of one fit. */
#include "driver/internal.h"

/* Attributes that only say how a launch might be faster may be ignored; one
 * that says what it means may not. */
static CUresult apply_attribute(struct launch_config *config,
                                const CUlaunchAttribute *a)
{
    switch (a->id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        config->is_cooperative = a->value.cooperative != 0;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        config->cluster[0] = a->value.clusterDim.x;
        config->cluster[1] = a->value.clusterDim.y;
        config->cluster[2] = a->value.clusterDim.z;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        return CUDA_SUCCESS;
    /* The kernel's end is soon enough for those who wait, as in
     * runtime/config.c. */
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
        config->event = a->value.programmaticEvent.event;
        return config->event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
        config->event = a->value.launchCompletionEvent.event;
        return config->event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult drv_read_config(const CUlaunchConfig *config,
                         struct launch_config *out)
{
    if (!config || (config->numAttrs && !config->attrs))
        return CUDA_ERROR_INVALID_VALUE;
    *out = (struct launch_config){
        .grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
        .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
        .shared_bytes = config->sharedMemBytes};
    CUresult err = CUDA_SUCCESS;
    for (unsigned i = 0; i < config->numAttrs && !err; i++)
        err = apply_attribute(out, &config->attrs[i]);
    return err;
}

/* ---- clusters --------------------------------------------------------- */

typedef CUresult occupancy_fn(CUfunction f, const struct launch_config *config,
                              int *out);

static CUresult occupancy(CUfunction f, const CUlaunchConfig *config,
                          occupancy_fn *fn, int *out)
{
    struct launch_config c;
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!f)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    err = drv_read_config(config, &c);
    return err ? err : fn(f, &c, out);
}

CUresult cuOccupancyMaxPotentialClusterSize(int *clusterSize, CUfunction func,
                                            const CUlaunchConfig *config)
{
    return occupancy(func, config, occupancy_max_cluster_size, clusterSize);
}

CUresult cuOccupancyMaxActiveClusters(int *numClusters, CUfunction func,
                                      const CUlaunchConfig *config)
{
    return occupancy(func, config, occupancy_max_clusters, numClusters);
}
