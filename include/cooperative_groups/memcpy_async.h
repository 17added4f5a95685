/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies into shared memory by a whole group. The copy is made at once, byte
 * ranges spread over the threads; waiting is the group's barrier.
 */
#ifndef WEFT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define WEFT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

namespace details
{
template <typename Group>
static __device__ __forceinline__ void copy(const Group &group, char *to,
                                            const char *from, size_t bytes)
{
    size_t rank = group.thread_rank(), size = group.size();
    bool is_aligned = (((size_t)to | (size_t)from | bytes) & 3) == 0;
    if (is_aligned)
        for (size_t i = rank; i < bytes / 4; i += size)
            ((unsigned int *)to)[i] = ((const unsigned int *)from)[i];
    else
        for (size_t i = rank; i < bytes; i += size)
            to[i] = from[i];
}
} // namespace details

template <typename Group, typename T>
static __device__ __forceinline__ void
memcpy_async(const Group &group, T *to, const T *from, size_t bytes)
{
    details::copy(group, (char *)to, (const char *)from, bytes);
}
/* Layouts in elements: the shorter of the two is copied. */
template <typename Group, typename T>
static __device__ __forceinline__ void
memcpy_async(const Group &group, T *to, size_t to_count, const T *from,
             size_t from_count)
{
    size_t count = to_count < from_count ? to_count : from_count;
    details::copy(group, (char *)to, (const char *)from, count * sizeof(T));
}

template <typename Group>
static __device__ __forceinline__ void wait(const Group &group)
{
    group.sync();
}
template <unsigned int Stages, typename Group>
static __device__ __forceinline__ void wait_prior(const Group &group)
{
    group.sync();
}

} // namespace cooperative_groups

#endif
