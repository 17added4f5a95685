/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program tells a stream about its work: which memory to keep in the
 * cache, how to wait, which other work matters more. Checked and remembered; a
 * CPU's caches decide for themselves, so that no result depends on it.
 */
#include "core/internal.h"

/* An empty window is none. */
bool is_access_window(const CUaccessPolicyWindow *w)
{
    int most;

    if (device_attribute(
            &most, CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE, 0) ||
        w->num_bytes > (size_t)most)
        return false;
    /* A ratio that is no number passes, and so does any other property. */
    return !(w->hitRatio < 0 || w->hitRatio > 1) &&
           w->missProp != CU_ACCESS_PROPERTY_PERSISTING;
}

/* All memory is of one domain here; which number it has makes no difference. */
static const CUlaunchMemSyncDomainMap usual_domain_map = {.default_ = 0,
                                                          .remote = 1};

/* What a stream says that was not told how to wait, as on an H200. */
static const CUsynchronizationPolicy policy_unset = (CUsynchronizationPolicy)-1;

static bool are_domains(const CUlaunchMemSyncDomainMap *m)
{
    int count;
    return !device_attribute(&count, CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT,
                             0) &&
           m->default_ < count && m->remote < count;
}

CUresult stream_attribute_get(CUstream s, CUstreamAttrID id,
                              CUstreamAttrValue *value)
{
    CUstreamAttrValue v = {0};
    CUresult err = capture_refuse_legacy(s);
    if (err)
        return err;
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    ctx_lock(s->ctx);
    switch ((int)id) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        v.accessPolicyWindow = s->hints.window;
        break;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        v.syncPolicy = s->hints.policy ? s->hints.policy : policy_unset;
        break;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        v.priority = s->priority;
        break;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        v.memSyncDomain = s->hints.domain;
        break;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        v.memSyncDomainMap =
            s->hints.has_domain_map ? s->hints.domain_map : usual_domain_map;
        break;
    default:
        err = CUDA_ERROR_INVALID_VALUE;
    }
    ctx_unlock(s->ctx);
    if (!err)
        *value = v;
    return err;
}

static CUresult set_attribute(CUstream s, CUstreamAttrID id,
                              const CUstreamAttrValue *v)
{
    switch ((int)id) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        if (!is_access_window(&v->accessPolicyWindow))
            return CUDA_ERROR_INVALID_VALUE;
        s->hints.window = v->accessPolicyWindow;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        if (v->syncPolicy < CU_SYNC_POLICY_AUTO ||
            v->syncPolicy > CU_SYNC_POLICY_BLOCKING_SYNC)
            return CUDA_ERROR_INVALID_VALUE;
        s->hints.policy = v->syncPolicy;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        s->priority = stream_clamp_priority(v->priority);
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        if (v->memSyncDomain != CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT &&
            v->memSyncDomain != CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE)
            return CUDA_ERROR_INVALID_VALUE;
        s->hints.domain = v->memSyncDomain;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        if (!are_domains(&v->memSyncDomainMap))
            return CUDA_ERROR_INVALID_VALUE;
        s->hints.domain_map = v->memSyncDomainMap;
        s->hints.has_domain_map = true;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult stream_attribute_set(CUstream s, CUstreamAttrID id,
                              const CUstreamAttrValue *value)
{
    CUresult err = capture_refuse_legacy(s);
    if (err)
        return err;
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    ctx_lock(s->ctx);
    err = set_attribute(s, id, value);
    ctx_unlock(s->ctx);
    return err;
}

CUresult stream_attributes_copy(CUstream to, CUstream from)
{
    assert(to && from);
    if (ctx_device(to->ctx) != ctx_device(from->ctx))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = capture_refuse_legacy(to);
    if (!err)
        err = capture_refuse_legacy(from);
    if (err)
        return err;
    ctx_lock(to->ctx);
    to->hints = from->hints;
    to->priority = from->priority;
    ctx_unlock(to->ctx);
    return CUDA_SUCCESS;
}
