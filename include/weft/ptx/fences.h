/* SPDX-License-Identifier: Apache-2.0 */
/* cuda::ptx: fences, and the barrier of a cluster. */
#ifndef WEFT_PTX_FENCES_H
#define WEFT_PTX_FENCES_H

#include "tags.h"

namespace cuda
{
namespace ptx
{

#define WEFT_STATEMENT(text) asm volatile(text ";" ::: "memory")

#define WEFT_FENCE(scope, sem)                                                 \
    WEFT_PTX(void) fence(sem_##sem##_t, scope_##scope##_t)                     \
    {                                                                          \
        WEFT_STATEMENT("fence." #sem "." #scope);                              \
    }
WEFT_EACH_SCOPE(WEFT_FENCE, sc)
WEFT_EACH_SCOPE(WEFT_FENCE, acq_rel)
WEFT_EACH_SCOPE(WEFT_FENCE, acquire)
WEFT_EACH_SCOPE(WEFT_FENCE, release)
#undef WEFT_FENCE

WEFT_PTX(void)
fence_sync_restrict(sem_acquire_t, space_cluster_t, scope_cluster_t)
{
    WEFT_STATEMENT("fence.acquire.sync_restrict::shared::cluster.cluster");
}
WEFT_PTX(void)
fence_sync_restrict(sem_release_t, space_shared_t, scope_cluster_t)
{
    WEFT_STATEMENT("fence.release.sync_restrict::shared::cta.cluster");
}

WEFT_PTX(void) fence_mbarrier_init(sem_release_t, scope_cluster_t)
{
    WEFT_STATEMENT("fence.mbarrier_init.release.cluster");
}

WEFT_PTX(void) fence_proxy_alias()
{
    WEFT_STATEMENT("fence.proxy.alias");
}
WEFT_PTX(void) fence_proxy_async()
{
    WEFT_STATEMENT("fence.proxy.async");
}
WEFT_PTX(void) fence_proxy_async(space_global_t)
{
    WEFT_STATEMENT("fence.proxy.async.global");
}
WEFT_PTX(void) fence_proxy_async(space_cluster_t)
{
    WEFT_STATEMENT("fence.proxy.async.shared::cluster");
}
WEFT_PTX(void) fence_proxy_async(space_shared_t)
{
    WEFT_STATEMENT("fence.proxy.async.shared::cta");
}
WEFT_PTX(void)
fence_proxy_async_generic_sync_restrict(sem_acquire_t, space_cluster_t,
                                        scope_cluster_t)
{
    WEFT_STATEMENT("fence.proxy.async::generic.acquire."
                   "sync_restrict::shared::cluster.cluster");
}
WEFT_PTX(void)
fence_proxy_async_generic_sync_restrict(sem_release_t, space_shared_t,
                                        scope_cluster_t)
{
    WEFT_STATEMENT("fence.proxy.async::generic.release."
                   "sync_restrict::shared::cta.cluster");
}

#define WEFT_FENCE(scope, unused)                                              \
    WEFT_PTX(void)                                                             \
    fence_proxy_tensormap_generic(sem_release_t, scope_##scope##_t)            \
    {                                                                          \
        WEFT_STATEMENT("fence.proxy.tensormap::generic.release." #scope);      \
    }                                                                          \
    template <int N>                                                           \
    static __device__ __forceinline__ void fence_proxy_tensormap_generic(      \
        sem_acquire_t, scope_##scope##_t, const void *addr, n32_t<N>)          \
    {                                                                          \
        asm volatile("fence.proxy.tensormap::generic.acquire." #scope          \
                     " [%0], %1;" ::"l"(addr),                                 \
                     "n"(N)                                                    \
                     : "memory");                                              \
    }
WEFT_EACH_SCOPE(WEFT_FENCE, )
#undef WEFT_FENCE

WEFT_PTX(void) barrier_cluster_arrive()
{
    WEFT_STATEMENT("barrier.cluster.arrive");
}
WEFT_PTX(void) barrier_cluster_arrive(sem_release_t)
{
    WEFT_STATEMENT("barrier.cluster.arrive.release");
}
WEFT_PTX(void) barrier_cluster_arrive(sem_relaxed_t)
{
    asm volatile("barrier.cluster.arrive.relaxed;");
}
WEFT_PTX(void) barrier_cluster_wait()
{
    WEFT_STATEMENT("barrier.cluster.wait");
}
WEFT_PTX(void) barrier_cluster_wait(sem_acquire_t)
{
    WEFT_STATEMENT("barrier.cluster.wait.acquire");
}

#undef WEFT_STATEMENT

/* Registers for warps of one kind, which tunes a GPU. */
template <int N> static __device__ __forceinline__ void setmaxnreg_inc(n32_t<N>)
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}
template <int N> static __device__ __forceinline__ void setmaxnreg_dec(n32_t<N>)
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

} // namespace ptx
} // namespace cuda

#endif
