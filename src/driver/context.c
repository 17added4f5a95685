/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: the calling thread's, creating, destroying and querying them. */
#include "driver/internal.h"

CUresult cuInit(unsigned int Flags)
{
    if (Flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (ctx_is_lost())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!device_count())
        return device_missing();
    ctx_note_initialised();
    return CUDA_SUCCESS;
}

static CUresult check_initialised(void)
{
    process_await_running();
    return ctx_is_initialised() && !ctx_is_lost() ? CUDA_SUCCESS
                                                  : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult drv_check_nothing(void)
{
    process_await_running();
    return CUDA_SUCCESS;
}

CUresult drv_initialised(void)
{
    if (ctx_is_in_host_function())
        return CUDA_ERROR_NOT_PERMITTED;
    return check_initialised();
}

/* ---- checks, and the current context ------------------------------------- */

CUresult drv_current(CUcontext *out)
{
    CUresult err = drv_initialised();
    return err ? err : ctx_current(out);
}

CUresult drv_context(CUcontext *out)
{
    CUresult err = drv_current(out);
    return err ? err : ctx_sticky(*out);
}

CUresult drv_primary(CUcontext *out)
{
    *out = NULL;
    CUresult err = ctx_primary(out);
    return *out && err == ctx_sticky(*out) ? CUDA_SUCCESS : err;
}

CUresult drv_current_or_none(CUcontext *out)
{
    CUresult err = drv_current(out);
    if (err != CUDA_ERROR_INVALID_CONTEXT)
        return err;
    *out = NULL;
    return CUDA_SUCCESS;
}

CUresult drv_context_or_none(CUcontext *out)
{
    CUresult err = drv_current_or_none(out);
    return err || !*out ? err : ctx_sticky(*out);
}

CUresult drv_context_anywhere(CUcontext *out)
{
    CUresult err = check_initialised();
    if (err)
        return err;
    err = ctx_current(out);
    if (err == CUDA_ERROR_INVALID_CONTEXT) {
        *out = NULL;
        return CUDA_SUCCESS;
    }
    return err ? err : ctx_sticky(*out);
}

CUresult drv_check_context_or_none(void)
{
    CUcontext ctx;
    return drv_context_or_none(&ctx);
}

CUresult drv_context_for(const void *given, CUcontext *out)
{
    CUresult err = drv_context(out);
    return err ? err : given ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult drv_check_given(const void *given)
{
    CUcontext ctx;
    return drv_context_for(given, &ctx);
}

CUresult drv_initialised_for(const void *given)
{
    CUresult err = drv_initialised();
    return err ? err : given ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult drv_check_context(void)
{
    CUcontext ctx;
    return drv_context(&ctx);
}

CUresult drv_check_handle(const void *handle)
{
    CUcontext ctx;
    CUresult err = drv_context_anywhere(&ctx);
    if (err)
        return err;
    return handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult drv_check_other(CUcontext ctx)
{
    return ctx_is_alive(ctx) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult drv_check_living(CUcontext ctx)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    return ctx_is_alive(ctx) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult drv_context_or_current(CUcontext *ctx)
{
    return *ctx ? drv_check_living(*ctx) : drv_context(ctx);
}

/* Unlike drv_check_living, tells NULL and destroyed contexts apart. */
static CUresult check_given(CUcontext ctx)
{
    CUresult err = drv_check_living(ctx);
    return err != CUDA_ERROR_INVALID_CONTEXT ? err
           : !ctx                            ? CUDA_ERROR_INVALID_VALUE
           : ctx_is_gone(ctx)                ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                                             : err;
}

/* A destroyed context may be made current; calls that need it then fail. */
static CUresult check_to_be_current(CUcontext ctx)
{
    CUresult err = check_given(ctx);
    return err == CUDA_ERROR_CONTEXT_IS_DESTROYED ? CUDA_SUCCESS : err;
}

CUresult cuCtxPushCurrent(CUcontext ctx)
{
    CUresult err = check_to_be_current(ctx);
    if (err)
        return err;
    return ctx_push(ctx) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuCtxPopCurrent(CUcontext *pctx)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    CUcontext ctx = ctx_pop();
    if (!ctx)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (pctx)
        *pctx = ctx;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext ctx)
{
    CUresult err = ctx ? check_to_be_current(ctx) : drv_initialised();
    if (!err)
        ctx_set_current(ctx);
    return err;
}

CUresult cuCtxGetCurrent(CUcontext *pctx)
{
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!pctx)
        return CUDA_ERROR_INVALID_VALUE;
    *pctx = NULL;
    ctx_current(pctx);
    return CUDA_SUCCESS;
}

/* ---- creating and destroying --------------------------------------------- */

/* Flags that say how a host thread waits are kept and have no effect. */
static CUresult create_context(CUcontext *pctx, unsigned flags, CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!pctx || !ctx_are_flags(flags))
        return CUDA_ERROR_INVALID_VALUE;
    CUcontext ctx;
    err = ctx_create(dev, flags, &ctx);
    if (err)
        return err;
    if (!ctx_push(ctx)) {
        ctx_destroy(ctx);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *pctx = ctx;
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
    return create_context(pctx, flags, dev);
}

/* Only green contexts have some of the SMs: cuGreenCtxCreate. */
static CUresult check_affinity(const CUexecAffinityParam *params, int count)
{
    if (count < 0 || (count && !params))
        return CUDA_ERROR_INVALID_VALUE;
    return count ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY : CUDA_SUCCESS;
}

CUresult cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *paramsArray,
                        int numParams, unsigned int flags, CUdevice dev)
{
    CUresult err = drv_initialised();
    if (!err)
        err = check_affinity(paramsArray, numParams);
    return err ? err : create_context(pctx, flags, dev);
}

CUresult cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *ctxCreateParams,
                        unsigned int flags, CUdevice dev)
{
    const CUctxCreateParams *p = ctxCreateParams;
    CUresult err = drv_initialised();
    if (!err && p)
        err = check_affinity(p->execAffinityParams, p->numExecAffinityParams);
    if (!err && p && p->cigParams)
        err = CUDA_ERROR_NOT_SUPPORTED; /* shared with graphics */
    return err ? err : create_context(pctx, flags, dev);
}

static void pop_if_current(CUcontext ctx)
{
    CUcontext current = NULL;
    ctx_current(&current);
    if (current == ctx)
        ctx_pop();
}

CUresult cuCtxDestroy(CUcontext ctx)
{
    CUresult err = check_given(ctx);
    CUcontext current; /* an H200 tells them apart where there is one */
    if (err == CUDA_ERROR_CONTEXT_IS_DESTROYED &&
        drv_current(&current) == CUDA_ERROR_INVALID_CONTEXT)
        err = CUDA_ERROR_INVALID_CONTEXT;
    if (!err)
        err = ctx_destroy(ctx);
    if (!err)
        pop_if_current(ctx);
    return err;
}

/* cuCtxAttach and cuCtxDetach count uses of a context, from 1. A primary
 * context has a count of its own, cuDevicePrimaryCtxRetain's. */
CUresult cuCtxAttach(CUcontext *pctx, unsigned int flags)
{
    CUcontext ctx;
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = drv_current(&ctx);
    if (err)
        return err;
    if (!pctx)
        return CUDA_ERROR_INVALID_VALUE;
    *pctx = ctx;
    return ctx_attach(ctx);
}

CUresult cuCtxDetach(CUcontext ctx)
{
    CUcontext current;
    CUresult err = drv_check_living(ctx);
    if (err)
        return err;
    if (ctx_current(&current) || current != ctx)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (ctx_is_primary(ctx) || ctx_detach(ctx))
        return CUDA_SUCCESS;
    return cuCtxDestroy(ctx);
}

/* ---- primary contexts ---------------------------------------------------- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    return pctx ? ctx_primary_retain(dev, pctx) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    return err ? err : ctx_primary_release(dev);
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev)
{
    CUresult err = drv_check_device(dev);
    return err ? err : ctx_primary_reset(dev);
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)
{
    CUresult err = drv_check_device(dev);
    if (err)
        return err;
    if (!ctx_are_flags(flags) || flags & CU_CTX_MAP_HOST) /* as an H200 */
        return CUDA_ERROR_INVALID_VALUE;
    ctx_primary_set_flags(dev, flags);
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
    *flags = ctx_primary_flags(dev);
    *active = ctx_primary_is_active(dev);
    return CUDA_SUCCESS;
}

/* ---- queries ------------------------------------------------------------- */

/* A context that has failed or been destroyed keeps its device and flags. */
static CUresult current_or_gone(CUcontext *out)
{
    CUresult err = drv_current(out);
    return err == CUDA_ERROR_CONTEXT_IS_DESTROYED ? CUDA_SUCCESS : err;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    CUcontext ctx;
    CUresult err = drv_initialised();
    if (err)
        return err;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    err = current_or_gone(&ctx);
    if (!err)
        *device = ctx_device(ctx);
    return err;
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx)
{
    if (!ctx)
        return cuCtxGetDevice(device);
    CUresult err = drv_check_living(ctx);
    if (err)
        return err;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = ctx_device(ctx);
    return CUDA_SUCCESS;
}

/* A primary context says that it maps host memory, as hardware's does. */
CUresult cuCtxGetFlags(unsigned int *flags)
{
    CUcontext ctx;
    CUresult err = current_or_gone(&ctx);
    if (err)
        return err;
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    bool is_primary = ctx_is_primary(ctx) && ctx_is_alive(ctx);
    *flags = ctx_flags(ctx) | (is_primary ? CU_CTX_MAP_HOST : 0);
    return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned int flags)
{
    CUcontext ctx;
    CUresult err = drv_current(&ctx);
    if (err)
        return err;
    if (!ctx_are_flags(flags))
        return CUDA_ERROR_INVALID_VALUE;
    ctx_set_flags(ctx, flags);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext ctx, unsigned long long *ctxId)
{
    CUresult err = ctx ? check_given(ctx) : drv_context(&ctx);
    if (err)
        return err;
    if (!ctxId)
        return CUDA_ERROR_INVALID_VALUE;
    *ctxId = ctx_id(ctx);
    return CUDA_SUCCESS;
}

static CUresult check_unfailed(CUcontext ctx)
{
    CUresult err = drv_check_living(ctx);
    return err ? err : ctx_sticky(ctx);
}

CUresult cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent)
{
    CUresult err = check_unfailed(hCtx);
    return err ? err : ctx_record_event(hCtx, hEvent);
}

CUresult cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent)
{
    CUresult err = check_unfailed(hCtx);
    return err ? err : ctx_wait_event(hCtx, hEvent);
}

CUresult cuCtxSynchronize_v2(CUcontext ctx)
{
    CUresult err = drv_context_or_current(&ctx);
    return err ? err : ctx_synchronize(ctx);
}

CUresult cuCtxSynchronize(void)
{
    return cuCtxSynchronize_v2(NULL);
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
    CUresult err = drv_context_or_current(&ctx);
    if (err)
        return err;
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = 3020; /* the version that contexts have had since CUDA 3.2 */
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

CUresult cuCtxGetExecAffinity(CUexecAffinityParam *pExecAffinity,
                              CUexecAffinityType type)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (!pExecAffinity)
        return CUDA_ERROR_INVALID_VALUE;
    if ((unsigned)type >= CU_EXEC_AFFINITY_TYPE_MAX)
        return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    *pExecAffinity = (CUexecAffinityParam){.type = type};
    pExecAffinity->param.smCount.val = device_sm_count();
    return CUDA_SUCCESS;
}
