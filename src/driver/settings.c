/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of a context: limits, caches, access to other contexts. */
#include "driver/internal.h"

/* ---- limits -------------------------------------------------------------- */

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

/* ---- caches -------------------------------------------------------------- */

CUresult cuCtxGetCacheConfig(CUfunc_cache *pconfig)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!pconfig)
        return CUDA_ERROR_INVALID_VALUE;
    *pconfig = ctx_cache_config(ctx);
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    return err ? err : ctx_set_cache_config(ctx, config);
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *pConfig)
{
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (!pConfig)
        return CUDA_ERROR_INVALID_VALUE;
    *pConfig = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return CUDA_SUCCESS;
}

/* A preference without effect, as since compute capability 5: banks have 4
 * bytes. */
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    CUresult err = drv_check_context();
    if (!err)
        err = capture_check_call();
    if (err)
        return err;
    if ((unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

/* Nothing to reset: a CPU's cache has no lines set aside as persisting. */
CUresult cuCtxResetPersistingL2Cache(void)
{
    return drv_check_context();
}

/* ---- peers --------------------------------------------------------------- */

/* Of what is no living context. */
static CUresult peer_error(CUcontext ctx)
{
    return ctx && ctx_is_gone(ctx) ? CUDA_ERROR_CONTEXT_IS_DESTROYED
                                   : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (Flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (!ctx_is_alive(peerContext))
        return peer_error(peerContext);
    if (ctx_device(ctx) == ctx_device(peerContext))
        return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    if (ctx_is_peer(ctx, peerContext))
        return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    ctx_set_peer(ctx, peerContext, true);
    return CUDA_SUCCESS;
}

CUresult cuCtxDisablePeerAccess(CUcontext peerContext)
{
    CUcontext ctx;
    CUresult err = drv_context(&ctx);
    if (err)
        return err;
    if (!ctx_is_alive(peerContext))
        return peer_error(peerContext);
    if (!ctx_is_peer(ctx, peerContext))
        return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    ctx_set_peer(ctx, peerContext, false);
    return CUDA_SUCCESS;
}
