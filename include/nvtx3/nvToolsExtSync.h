/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX: what a program waits for; without effect. */
#ifndef WEFT_NVTOOLSEXTSYNC_H
#define WEFT_NVTOOLSEXTSYNC_H

#include "nvtx3/nvToolsExt.h"

typedef struct nvtxSyncUser *nvtxSyncUser_t;

typedef struct nvtxSyncUserAttributes_v0 {
    uint16_t version;
    uint16_t size;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxSyncUserAttributes_t;
#define NVTX_SYNCUSER_ATTRIB_STRUCT_SIZE                                       \
    ((uint16_t)sizeof(nvtxSyncUserAttributes_t))

static __inline__ __attribute__((unused)) nvtxSyncUser_t
nvtxDomainSyncUserCreate(nvtxDomainHandle_t domain,
                         const nvtxSyncUserAttributes_t *attribs)
{
    (void)domain, (void)attribs;
    return 0;
}
#define WEFT_NVTX_SYNC(name)                                                   \
    static __inline__ __attribute__((unused)) void name(nvtxSyncUser_t handle) \
    {                                                                          \
        (void)handle;                                                          \
    }
WEFT_NVTX_SYNC(nvtxDomainSyncUserDestroy)
WEFT_NVTX_SYNC(nvtxDomainSyncUserAcquireStart)
WEFT_NVTX_SYNC(nvtxDomainSyncUserAcquireFailed)
WEFT_NVTX_SYNC(nvtxDomainSyncUserAcquireSuccess)
WEFT_NVTX_SYNC(nvtxDomainSyncUserReleasing)
#undef WEFT_NVTX_SYNC

#endif
