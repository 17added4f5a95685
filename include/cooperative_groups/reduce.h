/* SPDX-License-Identifier: Apache-2.0 */
/* cooperative_groups::reduce over tiles and coalesced groups. */
#ifndef WEFT_COOPERATIVE_GROUPS_REDUCE_H
#define WEFT_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"
#include <cuda/atomic>

#define WEFT_CG static __device__ __forceinline__

namespace cooperative_groups
{
namespace __v1
{

#define WEFT_CG_OPERATION(name, expression)                                    \
    template <typename T = void> struct name {                                 \
        __device__ __forceinline__ T operator()(const T &a, const T &b) const  \
        {                                                                      \
            return expression;                                                 \
        }                                                                      \
    };                                                                         \
    template <> struct name<void> {                                            \
        template <typename T>                                                  \
        __device__ __forceinline__ T operator()(const T &a, const T &b) const  \
        {                                                                      \
            return expression;                                                 \
        }                                                                      \
    };
WEFT_CG_OPERATION(plus, a + b)
WEFT_CG_OPERATION(less, b < a ? b : a)
WEFT_CG_OPERATION(greater, a < b ? b : a)
WEFT_CG_OPERATION(bit_and, a &b)
WEFT_CG_OPERATION(bit_or, a | b)
WEFT_CG_OPERATION(bit_xor, a ^ b)
#undef WEFT_CG_OPERATION

/* A butterfly of shuffles: every lane ends with the result. */
template <unsigned int Size, typename Parent, typename T, typename Op>
WEFT_CG typename details::only_if<(Size <= 32), T>::type
reduce(const thread_block_tile<Size, Parent> &group, T value, Op op)
{
#pragma unroll
    for (unsigned int step = Size / 2; step > 0; step /= 2)
        value = op(value, group.shfl_xor(value, step));
    return value;
}

/* Every thread combines the results of all warps. */
template <unsigned int Size, typename Parent, typename T, typename Op>
WEFT_CG typename details::only_if<(Size > 32), T>::type
reduce(const thread_block_tile<Size, Parent> &group, T value, Op op)
{
    const T *parts =
        group.weft_publish(reduce(thread_block_tile<32>(0, 32), value, op));
    T result = parts[0];
    for (unsigned int i = 1; i < Size / 32; i++)
        result = op(result, parts[i]);
    group.sync();
    return result;
}

/* Lanes send their values towards rank 0, which sends the result to all. */
template <typename T, typename Op>
WEFT_CG T reduce(const coalesced_group &group, T value, Op op)
{
    unsigned int rank = group.thread_rank(), size = group.size();
    for (unsigned int step = 16; step > 0; step /= 2) {
        T other = group.shfl_down(value, step);
        if (rank < step && rank + step < size)
            value = op(value, other);
    }
    return group.shfl(value, 0);
}

namespace details
{
/* Replaces the atomic by op(atomic, value); returns the old value. */
template <typename T, cuda::thread_scope Scope, typename Op>
WEFT_CG T update(cuda::atomic<T, Scope> &atomic, T value, Op op)
{
    T old = atomic.load(cuda::memory_order_relaxed);
    while (!atomic.compare_exchange_weak(old, op(old, value),
                                         cuda::memory_order_relaxed)) {
    }
    return old;
}
} // namespace details

/* Stores the group's result to memory, or combines it into an atomic. */
template <typename Group, typename T, typename Op>
WEFT_CG void reduce_store_async(const Group &group, T *to, T value, Op op)
{
    value = reduce(group, value, op);
    if (group.thread_rank() == 0)
        *to = value;
}
template <typename Group, typename T, cuda::thread_scope Scope, typename Op>
WEFT_CG void reduce_store_async(const Group &group, cuda::atomic<T, Scope> &to,
                                T value, Op op)
{
    value = reduce(group, value, op);
    if (group.thread_rank() == 0)
        to.store(value, cuda::memory_order_relaxed);
}
template <typename Group, typename T, cuda::thread_scope Scope, typename Op>
WEFT_CG void reduce_update_async(const Group &group, cuda::atomic<T, Scope> &to,
                                 T value, Op op)
{
    value = reduce(group, value, op);
    if (group.thread_rank() == 0)
        details::update(to, value, op);
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#undef WEFT_CG

#endif
