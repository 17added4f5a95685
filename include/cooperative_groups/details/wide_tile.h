/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles of 64 to 1024 threads, whole warps of a block; a part of
 * cooperative_groups.h. One lane of each warp meets the others at a barrier
 * in shared memory; values go through a slot for each warp.
 */
#ifndef WEFT_COOPERATIVE_GROUPS_WIDE_TILE_H
#define WEFT_COOPERATIVE_GROUPS_WIDE_TILE_H

#include "../../weft/barrier_word.h"

namespace cooperative_groups
{
namespace __v1
{

namespace details
{

enum { most_threads = 1024 };

WEFT_CG unsigned int warp_in_block()
{
    return rank_in_block() / 32;
}

template <unsigned int Size>
WEFT_CG weft_cuda::detail::barrier_word *tile_barrier()
{
    static __shared__ weft_cuda::detail::barrier_word word[most_threads / Size];
    return &word[rank_in_block() / Size];
}

/* An array in shared memory with one element for each warp of the block. */
template <typename T> WEFT_CG T *warp_slots()
{
    static __shared__
        __attribute__((aligned(16))) char room[most_threads / 32 * sizeof(T)];
    return (T *)room;
}

/* Has to be called by all threads of the parent (a block or a tile) before it
 * is split into tiles of this size. */
template <unsigned int Size, typename Parent>
WEFT_CG void prepare_tiles(const Parent &parent)
{
    if (Size <= 32)
        return;
    parent.sync();
    if (rank_in_block() % Size == 0)
        *tile_barrier<Size <= 32 ? 64 : Size>() =
            weft_cuda::detail::barrier_new(Size / 32);
    parent.sync();
}

template <unsigned int Size> WEFT_CG void tile_wait()
{
    __syncwarp();
    if (lane() == 0) {
        weft_cuda::detail::barrier_word *word = tile_barrier<Size>();
        weft_cuda::detail::complete_nothing nothing;
        weft_cuda::detail::barrier_word state =
            weft_cuda::detail::barrier_arrive<weft_cuda::thread_scope_block>(
                word, 1, 0, nothing);
        while (!weft_cuda::detail::barrier_has_left<
               weft_cuda::thread_scope_block>(word, state))
            weft_cuda::detail::pause();
    }
    __syncwarp();
}

} // namespace details

template <unsigned int Size, typename Parent>
class weft_tile<Size, Parent, true> : public thread_group
{
    static_assert(Size <= details::most_threads && (Size & (Size - 1)) == 0,
                  "a tile has a power of two of threads, at most 1024");

  public:
    WEFT_CG_MEMBER weft_tile(unsigned int parent_rank,
                             unsigned int parent_size)
        : thread_group(0, Size, parent_rank & (Size - 1))
    {
        meta_rank = parent_rank / Size;
        meta_size = (parent_size + Size - 1) / Size;
    }
    template <typename Other>
    WEFT_CG_MEMBER weft_tile(const weft_tile<Size, Other, true> &other)
        : thread_group(other)
    {
    }
    static WEFT_CG_MEMBER void sync()
    {
        details::tile_wait<Size>();
    }
    static WEFT_CG_MEMBER constexpr unsigned int size()
    {
        return Size;
    }
    static WEFT_CG_MEMBER constexpr unsigned int num_threads()
    {
        return Size;
    }
    static WEFT_CG_MEMBER unsigned int thread_rank()
    {
        return details::rank_in_block() & (Size - 1);
    }
    WEFT_CG_MEMBER unsigned int meta_group_rank() const
    {
        return meta_rank;
    }
    WEFT_CG_MEMBER unsigned int meta_group_size() const
    {
        return meta_size;
    }
    WEFT_CG_MEMBER int any(int predicate) const
    {
        return weft_votes(__ballot_sync(~0u, predicate)) != 0;
    }
    WEFT_CG_MEMBER int all(int predicate) const
    {
        return weft_votes(__ballot_sync(~0u, !predicate)) == 0;
    }
    /* Value of the thread of rank `n` in the tile. */
    template <typename T> WEFT_CG_MEMBER T shfl(T value, unsigned int n) const
    {
        T *slot = details::warp_slots<T>() + first_warp();
        if (thread_rank() == n)
            *slot = value;
        sync();
        value = *slot;
        sync();
        return value;
    }

    /* Stores a value for this warp; returns the values of the tile's warps, in
     * the order of the warps. All threads of the tile call it. */
    template <typename T> WEFT_CG_MEMBER const T *weft_publish(T of_warp) const
    {
        T *slots = details::warp_slots<T>();
        if (details::lane() == 0)
            slots[details::warp_in_block()] = of_warp;
        sync();
        return slots + first_warp();
    }
    static WEFT_CG_MEMBER unsigned int weft_warp()
    {
        return thread_rank() / 32;
    }

  private:
    static WEFT_CG_MEMBER unsigned int first_warp()
    {
        return details::rank_in_block() / Size * (Size / 32);
    }
    WEFT_CG_MEMBER unsigned int weft_votes(unsigned int of_warp) const
    {
        const unsigned int *votes = weft_publish(of_warp);
        unsigned int result = 0;
        for (unsigned int i = 0; i < Size / 32; i++)
            result |= votes[i];
        sync();
        return result;
    }
};

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
