/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies that a whole group makes together. The copy is made in the call
 * itself (weft/group_copy.h), so that waiting for it is only a barrier of the
 * group.
 */
#ifndef WEFT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define WEFT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../weft/group_copy.h"

#define WEFT_CG static __device__ __forceinline__

namespace cooperative_groups
{
namespace __v1
{

/* The size is in bytes. */
template <typename Group, typename To, typename From>
WEFT_CG void memcpy_async(const Group &group, To *to, const From *from,
                          size_t bytes)
{
    weft_cuda::detail::copy_part(to, from, bytes, group.thread_rank(),
                                 group.size());
}
/* Layouts count elements; the smaller of the two is what is copied. */
template <typename Group, typename T>
WEFT_CG void memcpy_async(const Group &group, T *to, size_t to_count,
                          const T *from, size_t from_count)
{
    size_t count = to_count < from_count ? to_count : from_count;
    weft_cuda::detail::copy_part(to, from, count * sizeof(T),
                                 group.thread_rank(), group.size());
}

template <typename Group> WEFT_CG void wait(const Group &group)
{
    group.sync();
}
template <unsigned int Stages, typename Group>
WEFT_CG void wait_prior(const Group &group)
{
    group.sync();
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#undef WEFT_CG

#endif
