/* SPDX-License-Identifier: Apache-2.0 */
/* nvcuda::experimental::pipeline: an earlier name of cuda::pipeline. */
#ifndef WEFT_CUDA_PIPELINE_H
#define WEFT_CUDA_PIPELINE_H

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

namespace nvcuda
{
namespace experimental
{

class pipeline
{
    size_t committed;

  public:
    pipeline(const pipeline &) = delete;
    pipeline(pipeline &&) = delete;
    pipeline &operator=(const pipeline &) = delete;
    pipeline &operator=(pipeline &&) = delete;

    __device__ __forceinline__ pipeline() : committed(0)
    {
    }
    __device__ __forceinline__ size_t commit()
    {
        __pipeline_commit();
        return committed++;
    }
    __device__ __forceinline__ void commit_and_wait()
    {
        commit();
        wait_prior<0>();
    }
    __device__ __forceinline__ void wait(size_t)
    {
        __pipeline_wait_prior(0);
    }
    template <unsigned N> __device__ __forceinline__ void wait_prior()
    {
        __pipeline_wait_prior(N);
    }
    __device__ __forceinline__ void arrive_on(awbarrier &barrier)
    {
        __pipeline_arrive_on(&barrier.barrier);
    }
};

template <class T>
__device__ __forceinline__ void memcpy_async(T &dst, const T &src, pipeline &)
{
    weft_cuda::detail::copy_part(&dst, &src, sizeof(T), 0, 1);
}

} // namespace experimental
} // namespace nvcuda

#endif
