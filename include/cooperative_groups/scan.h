/* SPDX-License-Identifier: Apache-2.0 */
/* Prefix sums over tiles and coalesced groups. */
#ifndef WEFT_COOPERATIVE_GROUPS_SCAN_H
#define WEFT_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#define WEFT_CG static __device__ __forceinline__

namespace cooperative_groups
{
namespace __v1
{

template <typename Group, typename T, typename Op>
WEFT_CG T inclusive_scan(const Group &group, T value, Op op)
{
    unsigned int rank = group.thread_rank(), size = group.size();
    for (unsigned int step = 1; step < size; step *= 2) {
        T before = group.shfl_up(value, step);
        if (rank >= step)
            value = op(before, value);
    }
    return value;
}

/* Scans within each warp, then adds the totals of the warps before. */
template <unsigned int Size, typename Parent, typename T, typename Op>
WEFT_CG typename details::only_if<(Size > 32), T>::type
inclusive_scan(const thread_block_tile<Size, Parent> &group, T value, Op op)
{
    thread_block_tile<32> warp(0, 32);
    value = inclusive_scan(warp, value, op);
    const T *totals = group.weft_publish(warp.shfl(value, 31));
    unsigned int before = group.weft_warp();
    if (before > 0) {
        T sum = totals[0];
        for (unsigned int i = 1; i < before; i++)
            sum = op(sum, totals[i]);
        value = op(sum, value);
    }
    group.sync();
    return value;
}
template <typename Group, typename T>
WEFT_CG T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}

/* The first thread gets a value-initialised T(). */
template <typename Group, typename T, typename Op>
WEFT_CG T exclusive_scan(const Group &group, T value, Op op)
{
    T sum = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() == 0 ? T() : sum;
}
template <unsigned int Size, typename Parent, typename T, typename Op>
WEFT_CG typename details::only_if<(Size > 32), T>::type
exclusive_scan(const thread_block_tile<Size, Parent> &group, T value, Op op)
{
    thread_block_tile<32> warp(0, 32);
    value = inclusive_scan(group, value, op);
    T up = warp.shfl_up(value, 1);
    const T *last = group.weft_publish(warp.shfl(value, 31));
    if (warp.thread_rank() == 0)
        up = group.weft_warp() ? last[group.weft_warp() - 1] : T();
    group.sync();
    return up;
}
template <typename Group, typename T>
WEFT_CG T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

/* A scan that begins with an atomic's old value, and adds the group's total to
 * the atomic: threads get disjoint parts of what the atomic counts. */
template <typename Group, typename T, cuda::thread_scope Scope, typename Op>
WEFT_CG T inclusive_scan_update(const Group &group, cuda::atomic<T, Scope> &to,
                                T value, Op op)
{
    T sum = inclusive_scan(group, value, op), old = T();
    unsigned int last = (unsigned int)group.size() - 1;
    if (group.thread_rank() == last)
        old = details::update(to, sum, op);
    return op(group.shfl(old, last), sum);
}
template <typename Group, typename T, cuda::thread_scope Scope>
WEFT_CG T inclusive_scan_update(const Group &group, cuda::atomic<T, Scope> &to,
                                T value)
{
    return inclusive_scan_update(group, to, value, plus<T>());
}
template <typename Group, typename T, cuda::thread_scope Scope, typename Op>
WEFT_CG T exclusive_scan_update(const Group &group, cuda::atomic<T, Scope> &to,
                                T value, Op op)
{
    T sum = inclusive_scan(group, value, op), old = T();
    unsigned int last = (unsigned int)group.size() - 1;
    if (group.thread_rank() == last)
        old = details::update(to, sum, op);
    old = group.shfl(old, last);
    T before = exclusive_scan(group, value, op);
    return group.thread_rank() == 0 ? old : op(old, before);
}
template <typename Group, typename T, cuda::thread_scope Scope>
WEFT_CG T exclusive_scan_update(const Group &group, cuda::atomic<T, Scope> &to,
                                T value)
{
    return exclusive_scan_update(group, to, value, plus<T>());
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#undef WEFT_CG

#endif
