/* SPDX-License-Identifier: Apache-2.0 */
/* Prefix sums over tiles and coalesced groups. */
#ifndef WEFT_COOPERATIVE_GROUPS_SCAN_H
#define WEFT_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{

template <typename Group, typename T, typename Op>
static __device__ __forceinline__ T inclusive_scan(const Group &group,
                                                   T value, Op op)
{
    unsigned int rank = group.thread_rank(), size = group.size();
    for (unsigned int step = 1; step < size; step *= 2) {
        T before = group.shfl_up(value, step);
        if (rank >= step)
            value = op(before, value);
    }
    return value;
}
template <typename Group, typename T>
static __device__ __forceinline__ T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}

/* The first thread gets T(). */
template <typename Group, typename T, typename Op>
static __device__ __forceinline__ T exclusive_scan(const Group &group,
                                                   T value, Op op)
{
    T sum = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() == 0 ? T() : sum;
}
template <typename Group, typename T>
static __device__ __forceinline__ T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
