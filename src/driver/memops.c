/* SPDX-License-Identifier: Apache-2.0 */
/* Words in memory that streams write and wait for. Both forms of each function
 * mean the same, and programs call either. */
#include "driver/internal.h"

#undef cuStreamWaitValue32
#undef cuStreamWaitValue64
#undef cuStreamWriteValue32
#undef cuStreamWriteValue64
#undef cuStreamBatchMemOp

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define FIRST(name)  name##_ptsz
#define SECOND(name) name##_v2_ptsz
#else
#define FIRST(name)  name
#define SECOND(name) name##_v2
#endif

static CUresult enqueue_one(CUstream handle, struct memop m)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(handle, &ctx, &s);
    return err ? err : stream_memops(s, &m, 1);
}

#define BOTH_FORMS(name, type, operation, wide)                                \
    CUresult SECOND(name)(CUstream stream, CUdeviceptr addr, type value,       \
                          unsigned int flags);                                 \
    CUresult FIRST(name)(CUstream stream, CUdeviceptr addr, type value,        \
                         unsigned int flags);                                  \
    CUresult SECOND(name)(CUstream stream, CUdeviceptr addr, type value,       \
                          unsigned int flags)                                  \
    {                                                                          \
        return enqueue_one(stream, (struct memop){.kind = operation,           \
                                                  .is_wide = wide,             \
                                                  .address = addr,             \
                                                  .value = value,              \
                                                  .flags = flags});            \
    }                                                                          \
    CUresult FIRST(name)(CUstream stream, CUdeviceptr addr, type value,        \
                         unsigned int flags)                                   \
    {                                                                          \
        return SECOND(name)(stream, addr, value, flags);                       \
    }

BOTH_FORMS(cuStreamWaitValue32, cuuint32_t, MEMOP_WAIT, false)
BOTH_FORMS(cuStreamWaitValue64, cuuint64_t, MEMOP_WAIT, true)
BOTH_FORMS(cuStreamWriteValue32, cuuint32_t, MEMOP_WRITE, false)
BOTH_FORMS(cuStreamWriteValue64, cuuint64_t, MEMOP_WRITE, true)

CUresult SECOND(cuStreamBatchMemOp)(CUstream stream, unsigned int count,
                                    CUstreamBatchMemOpParams *paramArray,
                                    unsigned int flags);
CUresult FIRST(cuStreamBatchMemOp)(CUstream stream, unsigned int count,
                                   CUstreamBatchMemOpParams *paramArray,
                                   unsigned int flags);

CUresult SECOND(cuStreamBatchMemOp)(CUstream stream, unsigned int count,
                                    CUstreamBatchMemOpParams *paramArray,
                                    unsigned int flags)
{
    CUcontext ctx;
    CUstream s;
    CUresult err = drv_stream(stream, &ctx, &s);
    if (err)
        return err;
    return flags ? CUDA_ERROR_INVALID_VALUE
                 : stream_batch_memops(s, paramArray, count);
}

CUresult FIRST(cuStreamBatchMemOp)(CUstream stream, unsigned int count,
                                   CUstreamBatchMemOpParams *paramArray,
                                   unsigned int flags)
{
    return SECOND(cuStreamBatchMemOp)(stream, count, paramArray, flags);
}
