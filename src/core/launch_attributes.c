/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launch attributes. One that only says how a launch may be faster may be
 * ignored; one that changes what the launch means may not.
 */
#include "core/internal.h"

#include "core/capture_hooks.h"
#include "core/limits.h"

#define CARVEOUT_MOST 100 /* per cent */

static CUresult valid_if(bool is_valid)
{
    return is_valid ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The edges behind a kernel's events. */
static const CUgraphEdgeData
    behind_trigger = {.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
                      .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC},
    behind_start = {.from_port = CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER,
                    .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC},
    behind_launch = {.from_port = CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER};

/* An external record is a node, so there must be a capture. Behind blocks that
 * have begun no time is taken. */
static CUresult read_event(struct launch_config *config, CUevent event,
                           int flags, CUgraphEdgeData edge)
{
    config->event = event;
    config->event_edge = edge;
    if (!event)
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags & ~CU_EVENT_RECORD_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    if (flags && !capture_is_on())
        return CUDA_ERROR_ILLEGAL_STATE;
    return event_has_time(event) ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

static bool is_zero(const unsigned n[3])
{
    return !n[0] && !n[1] && !n[2];
}

/* A preferred cluster is made of whole ones of the least size. */
static CUresult check_preferred(const CUlaunchAttribute *a, unsigned count,
                                const unsigned least[3])
{
    for (unsigned i = 0; i < count; i++) {
        const unsigned n[3] = {a[i].value.preferredClusterDim.x,
                               a[i].value.preferredClusterDim.y,
                               a[i].value.preferredClusterDim.z};
        if (a[i].id != CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION ||
            is_zero(n))
            continue;
        for (unsigned k = 0; k < 3; k++) {
            if (!least[k] || !n[k] || n[k] % least[k])
                return CUDA_ERROR_INVALID_CLUSTER_SIZE;
        }
    }
    return CUDA_SUCCESS;
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
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        config->window = &a->value.accessPolicyWindow;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        config->priority = &a->value.priority;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: /* see below */
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY: /* a stream's alone */
        return CUDA_ERROR_INVALID_VALUE;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        return valid_if(
            (unsigned)a->value.clusterSchedulingPolicyPreference <=
            CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING);
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        return valid_if(a->value.memSyncDomainMap.default_ <
                            LIMIT_SYNC_DOMAINS &&
                        a->value.memSyncDomainMap.remote < LIMIT_SYNC_DOMAINS);
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        return valid_if((unsigned)a->value.memSyncDomain <=
                        CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE);
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        return valid_if(a->value.sharedMemCarveout <= CARVEOUT_MOST);
    case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
        return valid_if(a->value.nvlinkUtilCentricScheduling <= 1);
    /* Matters in captures only: outside of them a kernel begins when those
     * before it have ended. */
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        config->is_programmatic =
            a->value.programmaticStreamSerializationAllowed != 0;
        return CUDA_SUCCESS;
    /* The event may be recorded early, when blocks have begun or triggered it,
     * but need not: here it is recorded at the kernel's end. */
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
        return read_event(config, a->value.programmaticEvent.event,
                          a->value.programmaticEvent.flags,
                          a->value.programmaticEvent.triggerAtBlockStart
                              ? behind_start
                              : behind_trigger);
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
        return read_event(config, a->value.launchCompletionEvent.event,
                          a->value.launchCompletionEvent.flags, behind_launch);
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
    return err ? err : check_preferred(attributes, count, config->cluster);
}
