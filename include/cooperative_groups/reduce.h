/* SPDX-License-Identifier: Apache-2.0 */
/* cooperative_groups::reduce over tiles and coalesced groups. */
#ifndef WEFT_COOPERATIVE_GROUPS_REDUCE_H
#define WEFT_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define WEFT_CG_OPERATION(name, expression)                                    \
    template <typename T> struct name {                                        \
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

/* A butterfly: every lane ends with the whole. */
template <unsigned int Size, typename Parent, typename T, typename Op>
static __device__ __forceinline__ T
reduce(const thread_block_tile<Size, Parent> &group, T value, Op op)
{
#pragma unroll
    for (unsigned int step = Size / 2; step > 0; step /= 2)
        value = op(value, group.shfl_xor(value, step));
    return value;
}

/* Towards rank 0, and back to all. */
template <typename T, typename Op>
static __device__ __forceinline__ T reduce(const coalesced_group &group,
                                           T value, Op op)
{
    unsigned int rank = group.thread_rank(), size = group.size();
    for (unsigned int step = 16; step > 0; step /= 2) {
        T other = group.shfl_down(value, step);
        if (rank < step && rank + step < size)
            value = op(value, other);
    }
    return group.shfl(value, 0);
}

} // namespace cooperative_groups

#endif
