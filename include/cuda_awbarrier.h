/* SPDX-License-Identifier: Apache-2.0 */
/* nvcuda::experimental::awbarrier: an earlier name of cuda::barrier. */
#ifndef WEFT_CUDA_AWBARRIER_H
#define WEFT_CUDA_AWBARRIER_H

#include "cuda_awbarrier_primitives.h"

namespace nvcuda
{
namespace experimental
{

class awbarrier
{
    __mbarrier_t barrier;
    friend class pipeline;

  public:
    class arrival_token
    {
        __mbarrier_token_t token;
        friend class awbarrier;

      public:
        arrival_token() = default;
        __device__ __forceinline__ unsigned int pending_count() const
        {
            return __mbarrier_token_pending_count(token);
        }
    };

    awbarrier() = default;
    awbarrier(const awbarrier &) = delete;
    awbarrier &operator=(const awbarrier &) = delete;

    friend __device__ __forceinline__ void init(awbarrier *b,
                                                unsigned int expected)
    {
        __mbarrier_init(&b->barrier, expected);
    }
    friend __device__ __forceinline__ void inval(awbarrier *b)
    {
        __mbarrier_inval(&b->barrier);
    }
    static __device__ __forceinline__ unsigned int max()
    {
        return __mbarrier_maximum_count();
    }
    __device__ __forceinline__ arrival_token arrive()
    {
        arrival_token result;
        result.token = __mbarrier_arrive(&barrier);
        return result;
    }
    __device__ __forceinline__ arrival_token arrive_and_drop()
    {
        arrival_token result;
        result.token = __mbarrier_arrive_and_drop(&barrier);
        return result;
    }
    __device__ __forceinline__ bool timed_wait(arrival_token token,
                                               unsigned int hint_cycles)
    {
        return __mbarrier_try_wait(&barrier, token.token, hint_cycles);
    }
    __device__ __forceinline__ bool timed_wait_parity(bool phase,
                                                      unsigned int hint_cycles)
    {
        return __mbarrier_try_wait_parity(&barrier, phase, hint_cycles);
    }
    __device__ __forceinline__ void wait(arrival_token token)
    {
        while (!__mbarrier_test_wait(&barrier, token.token))
            weft_cuda::detail::pause();
    }
    __device__ __forceinline__ void arrive_and_wait()
    {
        wait(arrive());
    }
};

} // namespace experimental
} // namespace nvcuda

#endif
