/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launch attributes. One that only says how a launch may be faster may be
 * ignored; one that changes what the launch means may not.
 */
#include "core/internal.h"

static CUresult read_event(struct launch_config *config, CUevent event)
{
    config->event = event;
    return event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Writes to the caller's array, as documented. */
static CUresult read_updatable(struct launch_config *config,
                               const CUlaunchAttribute *a)
{
    config->updatable = (CUlaunchAttributeValue *)&a->value;
    return CUDA_SUCCESS;
}

static CUresult read_one(struct launch_config *config,
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
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
        return CUDA_SUCCESS;
    /* Matters in captures only: outside of them a kernel begins when those
     * before it have ended. */
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        config->is_programmatic =
            a->value.programmaticStreamSerializationAllowed != 0;
        return CUDA_SUCCESS;
    /* The event may be recorded early, when blocks have begun or triggered it,
     * but need not: here it is recorded at the kernel's end. */
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
        return read_event(config, a->value.programmaticEvent.event);
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
        return read_event(config, a->value.launchCompletionEvent.event);
    case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        return read_updatable(config, a);
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult launch_attributes_read(const CUlaunchAttribute *attributes,
                                unsigned count, struct launch_config *config)
{
    assert(config);
    CUresult err =
        count && !attributes ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    for (unsigned i = 0; i < count && !err; i++)
        err = read_one(config, &attributes[i]);
    return err;
}
