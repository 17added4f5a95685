/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Green contexts: contexts with some of a device's SMs. An SM is a thread that
 * runs blocks. The device may claim more SMs than the machine has cores; green
 * contexts may then share a core.
 */
#include "driver/internal.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* As on hardware of compute capability 9. */
enum { PART_LEAST = 8, PART_ALIGN = 8 };

struct CUdevResourceDesc_st {
    unsigned sm_first, sm_count;
};

struct CUgreenCtx_st {
    struct list in_all;
    CUcontext ctx;
    unsigned sm_first, sm_count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list all = {&all, &all};

/* A whole is a device's or a context's. What a split gives, what is left over
 * as well, cannot be split again. */
enum origin { ORIGIN_NONE, ORIGIN_WHOLE, ORIGIN_PART };

/* Which SMs a resource has, where programs do not look. */
struct hidden {
    unsigned first, count;
    enum origin origin;
};
static_assert(sizeof(struct hidden) <=
                  sizeof((CUdevResource){0}._internal_padding),
              "there is room for it");

static CUdevResource sm_resource(unsigned first, unsigned count,
                                 enum origin origin)
{
    const struct hidden h = {first, count, origin};
    CUdevResource r = {.type = CU_DEV_RESOURCE_TYPE_SM};
    memcpy(r._internal_padding, &h, sizeof h);
    r.sm.smCount = count;
    r.sm.minSmPartitionSize = PART_LEAST;
    r.sm.smCoscheduledAlignment = PART_ALIGN;
    return r;
}

/* ORIGIN_NONE: the program made it, or changed it. */
static struct hidden hidden_of(const CUdevResource *r)
{
    struct hidden h;
    memcpy(&h, r->_internal_padding, sizeof h);
    if (h.count != r->sm.smCount ||
        (h.origin != ORIGIN_WHOLE && h.origin != ORIGIN_PART))
        h.origin = ORIGIN_NONE;
    return h;
}

/* By its own handle or its context's. NULL: `handle` is neither. The lock is
 * held. */
static CUgreenCtx find_locked(const void *handle)
{
    list_for_each(struct CUgreenCtx_st, g, &all, in_all)
    {
        if (g == handle || g->ctx == handle)
            return g;
    }
    return NULL;
}

static CUgreenCtx find_green(const void *handle)
{
    pthread_mutex_lock(&lock);
    CUgreenCtx g = find_locked(handle);
    pthread_mutex_unlock(&lock);
    return g;
}

/* ---- resources ----------------------------------------------------------- */

static CUresult give_resource(CUdevResource *out, CUdevResourceType type,
                              unsigned sm_first, unsigned sm_count)
{
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_DEV_RESOURCE_TYPE_SM)
        return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    *out = sm_resource(sm_first, sm_count, ORIGIN_WHOLE);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource *resource,
                                CUdevResourceType type)
{
    CUresult err = drv_check_device(device);
    return err ? err : give_resource(resource, type, 0, device_sm_count());
}

CUresult cuCtxGetDevResource(CUcontext hCtx, CUdevResource *resource,
                             CUdevResourceType type)
{
    CUresult err = drv_check_living(hCtx);
    if (!err)
        err = ctx_sticky(hCtx);
    if (err)
        return err;
    CUgreenCtx g = find_green(hCtx);
    return g ? give_resource(resource, type, g->sm_first, g->sm_count)
             : give_resource(resource, type, 0, device_sm_count());
}

CUresult cuGreenCtxGetDevResource(CUgreenCtx hCtx, CUdevResource *resource,
                                  CUdevResourceType type)
{
    CUresult err = drv_initialised();
    CUgreenCtx g = find_green(hCtx);
    if (err)
        return err;
    return g ? give_resource(resource, type, g->sm_first, g->sm_count)
             : CUDA_ERROR_INVALID_CONTEXT;
}

static unsigned part_size(unsigned wanted, unsigned flags)
{
    unsigned align = flags & CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING
                         ? 2
                         : PART_ALIGN;
    unsigned least = wanted > align ? wanted : align;
    return (least + align - 1) / align * align;
}

/* result NULL: only tells how many groups there can be. */
CUresult cuDevSmResourceSplitByCount(
    CUdevResource *result, unsigned int *nbGroups, const CUdevResource *input,
    CUdevResource *remaining, unsigned int useFlags, unsigned int minCount)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!nbGroups || !input || (result && !*nbGroups))
        return CUDA_ERROR_INVALID_VALUE;
    if (input->type != CU_DEV_RESOURCE_TYPE_SM)
        return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    struct hidden in = hidden_of(input);
    if (in.origin != ORIGIN_WHOLE || minCount > in.count)
        return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    unsigned size = part_size(minCount, useFlags);
    unsigned most = in.count / size;
    if (!result) {
        *nbGroups = most;
        return CUDA_SUCCESS;
    }
    if (*nbGroups > most)
        *nbGroups = most;
    for (unsigned i = 0; i < *nbGroups; i++)
        result[i] = sm_resource(in.first + i * size, size, ORIGIN_PART);
    unsigned used = *nbGroups * size;
    if (remaining && used == in.count)
        *remaining = (CUdevResource){.type = CU_DEV_RESOURCE_TYPE_INVALID};
    else if (remaining)
        *remaining =
            sm_resource(in.first + used, in.count - used, ORIGIN_PART);
    return CUDA_SUCCESS;
}

/* Of several resources: as many SMs as they have together, from the first one's
 * on. Descriptors live as long as the process, since no call destroys one. */
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *phDesc,
                                   CUdevResource *resources,
                                   unsigned int nbResources)
{
    unsigned count = 0, first = UINT_MAX;
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!phDesc || !resources || !nbResources)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < nbResources; i++) {
        if (resources[i].type != CU_DEV_RESOURCE_TYPE_SM)
            return CUDA_ERROR_INVALID_RESOURCE_TYPE;
        struct hidden h = hidden_of(&resources[i]);
        if (h.origin == ORIGIN_NONE)
            return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
        count += h.count;
        first = first < h.first ? first : h.first;
    }
    if (!count || count > device_sm_count() ||
        first > device_sm_count() - count)
        return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    CUdevResourceDesc d = malloc(sizeof *d);
    if (!d)
        return CUDA_ERROR_OUT_OF_MEMORY;
    d->sm_first = first;
    d->sm_count = count;
    *phDesc = d;
    return CUDA_SUCCESS;
}

/* ---- contexts ------------------------------------------------------------ */

CUresult cuGreenCtxCreate(CUgreenCtx *phCtx, CUdevResourceDesc desc,
                          CUdevice dev, unsigned int flags)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!phCtx || !desc || flags != CU_GREEN_CTX_DEFAULT_STREAM)
        return CUDA_ERROR_INVALID_VALUE;
    CUgreenCtx g = calloc(1, sizeof *g);
    if (!g)
        return CUDA_ERROR_OUT_OF_MEMORY;
    g->sm_first = desc->sm_first;
    g->sm_count = desc->sm_count;
    err = ctx_create_green(dev, g->sm_first, g->sm_count, &g->ctx);
    if (err) {
        free(g);
        return err;
    }
    pthread_mutex_lock(&lock);
    list_push(&all, &g->in_all);
    pthread_mutex_unlock(&lock);
    *phCtx = g;
    return CUDA_SUCCESS;
}

CUgreenCtx drv_green_of(CUcontext ctx)
{
    return find_green(ctx);
}

CUresult cuGreenCtxDestroy(CUgreenCtx hCtx)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    pthread_mutex_lock(&lock);
    CUgreenCtx g = find_locked(hCtx);
    if (g)
        list_remove(&g->in_all);
    pthread_mutex_unlock(&lock);
    if (!g)
        return CUDA_ERROR_INVALID_CONTEXT;
    int device = ctx_device(g->ctx);
    err = ctx_destroy(g->ctx);
    ctx_primary_release(device);
    free(g);
    return err;
}

/* One that has failed gives its sticky error; NULL passes. */
static CUresult check_green(CUgreenCtx g)
{
    CUresult err = drv_initialised();
    return err || !g ? err : ctx_sticky(g->ctx);
}

CUresult cuCtxFromGreenCtx(CUcontext *pContext, CUgreenCtx hCtx)
{
    CUgreenCtx g = find_green(hCtx);
    CUresult err = check_green(g);
    if (err)
        return err;
    if (!pContext)
        return CUDA_ERROR_INVALID_VALUE;
    if (!g)
        return CUDA_ERROR_INVALID_CONTEXT;
    *pContext = g->ctx;
    return CUDA_SUCCESS;
}

CUresult cuGreenCtxGetId(CUgreenCtx greenCtx, unsigned long long *greenCtxId)
{
    CUgreenCtx g = find_green(greenCtx);
    CUresult err = check_green(g);
    if (err)
        return err;
    if (!g)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!greenCtxId)
        return CUDA_ERROR_INVALID_VALUE;
    *greenCtxId = ctx_id(g->ctx);
    return CUDA_SUCCESS;
}

CUresult cuGreenCtxRecordEvent(CUgreenCtx hCtx, CUevent hEvent)
{
    CUgreenCtx g = find_green(hCtx);
    CUresult err = check_green(g);
    if (err)
        return err;
    return g ? ctx_record_event(g->ctx, hEvent) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuGreenCtxWaitEvent(CUgreenCtx hCtx, CUevent hEvent)
{
    CUgreenCtx g = find_green(hCtx);
    CUresult err = check_green(g);
    if (err)
        return err;
    return g ? ctx_wait_event(g->ctx, hEvent) : CUDA_ERROR_INVALID_CONTEXT;
}

/* ---- streams ------------------------------------------------------------- */

CUresult cuGreenCtxStreamCreate(CUstream *phStream, CUgreenCtx greenCtx,
                                unsigned int flags, int priority)
{
    CUresult err = drv_initialised();
    CUgreenCtx g = find_green(greenCtx);
    if (err)
        return err;
    if (!phStream || flags != CU_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    return g ? stream_create(g->ctx, flags, priority, phStream)
             : CUDA_ERROR_INVALID_CONTEXT;
}

/* NULL: the stream's context has all of the device. */
CUresult cuStreamGetGreenCtx(CUstream hStream, CUgreenCtx *phCtx)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(hStream, &ctx, &s);
    if (err)
        return err;
    if (!phCtx)
        return CUDA_ERROR_INVALID_VALUE;
    *phCtx = find_green(stream_context(s));
    return CUDA_SUCCESS;
}
