/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts. There is one, the device's primary context, and here is counted
 * who holds it: programs that retain it, and one that "creates" a context of
 * its own, which gets the same. A second created one, beside the first, would
 * have to keep its memory and streams apart, and is refused. When nobody holds
 * it any more, what was made in it is freed; unless the runtime API was there
 * first, to whom the context belongs then.
 */
#include "driver/internal.h"

#include <pthread.h>
#include <stdatomic.h>

enum { DEPTH = 64 };
/* The calling thread's contexts; the last is current. */
static __thread struct {
    CUcontext at[DEPTH];
    int count;
} stack;

static atomic_bool is_initialised;

/* Guards the counts. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned retained, flags_of_primary, flags_of_created;
static bool is_created;
static atomic_bool is_held; /* retained or created */
static atomic_bool is_ours; /* not the runtime API but this one made it */

CUresult cuInit(unsigned int Flags)
{
    if (Flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (ctx_is_lost())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!device_count())
        return CUDA_ERROR_NO_DEVICE;
    atomic_store(&is_initialised, true);
    return CUDA_SUCCESS;
}

/* The runtime API's first call initialises the driver, too. */
CUresult drv_initialised(void)
{
    return atomic_load(&is_initialised) || ctx_is_made()
               ? CUDA_SUCCESS
               : CUDA_ERROR_NOT_INITIALIZED;
}

/* ---- the current one ----------------------------------------------------- */

static bool is_runtimes(void)
{
    return ctx_is_made() && !atomic_load(&is_ours);
}

CUresult drv_context(CUcontext *out)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    bool is_current = stack.count && stack.at[stack.count - 1];
    if (!is_current && !is_runtimes())
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!atomic_load(&is_held) && !is_runtimes())
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return ctx_primary(out);
}

CUresult drv_check_context(void)
{
    CUcontext ctx;
    return drv_context(&ctx);
}

CUresult drv_check_handle(const void *handle)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    return handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* NULL is one, too: none. */
static bool is_context(CUcontext ctx)
{
    CUcontext primary;
    if (!ctx)
        return true;
    ctx_primary(&primary);
    return ctx == primary && (atomic_load(&is_held) || is_runtimes());
}

CUresult drv_check_other(CUcontext ctx)
{
    return ctx && is_context(ctx) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPushCurrent(CUcontext ctx)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!ctx || !is_context(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (stack.count == DEPTH)
        return CUDA_ERROR_OUT_OF_MEMORY;
    stack.at[stack.count++] = ctx;
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *pctx)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!stack.count)
        return CUDA_ERROR_INVALID_CONTEXT;
    CUcontext ctx = stack.at[--stack.count];
    if (pctx)
        *pctx = ctx;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext ctx)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!is_context(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (stack.count)
        stack.count--;
    if (ctx)
        stack.at[stack.count++] = ctx;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *pctx)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!pctx)
        return CUDA_ERROR_INVALID_VALUE;
    *pctx = stack.count ? stack.at[stack.count - 1] : NULL;
    if (!*pctx && is_runtimes())
        ctx_primary(pctx);
    return CUDA_SUCCESS;
}

/* ---- who holds it -------------------------------------------------------- */

/* Under lock. What was made in it goes with the last who holds it. */
static CUresult note_holders(void)
{
    bool was_held = atomic_exchange(&is_held, retained || is_created);
    if (was_held && !atomic_load(&is_held) && !is_runtimes())
        return ctx_reset();
    return CUDA_SUCCESS;
}

/* Under lock. */
static CUresult make_primary(CUcontext *out)
{
    if (!ctx_is_made())
        atomic_store(&is_ours, true);
    return ctx_primary(out);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!pctx)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    err = make_primary(pctx);
    if (!err) {
        retained++;
        err = note_holders();
    }
    pthread_mutex_unlock(&lock);
    return err;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    err = CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    if (retained) {
        retained--;
        err = note_holders();
    }
    pthread_mutex_unlock(&lock);
    return err;
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    return err ? err : ctx_reset();
}

static bool are_flags(unsigned flags)
{
    unsigned schedule = flags & CU_CTX_SCHED_MASK;
    return !(flags & ~(unsigned)CU_CTX_FLAGS_MASK) &&
           !(schedule & (schedule - 1));
}

/* How a host thread waits only tunes its speed. */
CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!are_flags(flags))
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    flags_of_primary = flags;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags,
                                    int *active)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!flags || !active)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    *flags = flags_of_primary;
    *active = retained || is_runtimes();
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

static CUresult create(CUcontext *pctx, unsigned flags, CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!pctx || !are_flags(flags))
        return CUDA_ERROR_INVALID_VALUE;
    if (stack.count == DEPTH)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&lock);
    err = is_created ? CUDA_ERROR_NOT_SUPPORTED : make_primary(pctx);
    if (!err) {
        is_created = true;
        flags_of_created = flags;
        stack.at[stack.count++] = *pctx;
        err = note_holders();
    }
    pthread_mutex_unlock(&lock);
    return err;
}

CUresult cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
    return create(pctx, flags, dev);
}

/* Contexts with a part of the device, or shared with graphics. */
CUresult cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *ctxCreateParams,
                        unsigned int flags, CUdevice dev)
{
    if (ctxCreateParams &&
        (ctxCreateParams->numExecAffinityParams || ctxCreateParams->cigParams))
        return CUDA_ERROR_NOT_SUPPORTED;
    return create(pctx, flags, dev);
}

CUresult cuCtxDestroy(CUcontext ctx)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!ctx || !is_context(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    err = is_created ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
    if (!err) {
        ctx_synchronize(ctx);
        is_created = false;
        if (stack.count && stack.at[stack.count - 1] == ctx)
            stack.count--;
        err = note_holders();
    }
    pthread_mutex_unlock(&lock);
    return err;
}

/* ---- questions ----------------------------------------------------------- */

CUresult cuCtxGetDevice(CUdevice *device)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = 0;
    return CUDA_SUCCESS;
}

/* Of any context; NULL stands for the current one. */
CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx)
{
    CUresult err = ctx ? drv_initialised() : drv_check_context();
    if (err)
        return err;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_context(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    *flags = is_created ? flags_of_created : flags_of_primary;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    return err ? err : ctx_synchronize(ctx);
}

CUresult cuCtxSynchronize_v2(CUcontext ctx)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!ctx)
        return cuCtxSynchronize();
    return is_context(ctx) ? ctx_synchronize(ctx) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    CUresult err = drv_check_context();
    return err ? err : device_limit_set(limit, value);
}

CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    return pvalue ? device_limit_get(pvalue, limit) : CUDA_ERROR_INVALID_VALUE;
}

/* A preference: caches are the host's. It is kept for who asks. */
static atomic_int cache_config = CU_FUNC_CACHE_PREFER_NONE;

CUresult cuCtxGetCacheConfig(CUfunc_cache *pconfig)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (!pconfig)
        return CUDA_ERROR_INVALID_VALUE;
    *pconfig = (CUfunc_cache)atomic_load(&cache_config);
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return CUDA_ERROR_INVALID_VALUE;
    atomic_store(&cache_config, (int)config);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!is_context(ctx))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = 3020; /* since when contexts behave as they do */
    return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (leastPriority)
        *leastPriority = 0;
    if (greatestPriority)
        *greatestPriority = -5;
    return CUDA_SUCCESS;
}
