/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cooperative groups: blocks, tiles of a warp, coalesced threads, the grid.
 * CUDA C++ programming guide, "Cooperative Groups". A group of at most a warp
 * is the mask of its lanes; its operations are the warp intrinsics under that
 * mask.
 */
#ifndef WEFT_COOPERATIVE_GROUPS_H
#define WEFT_COOPERATIVE_GROUPS_H

/* The guard that programs test for. */
#define _COOPERATIVE_GROUPS_H_

#if !defined(__cplusplus) || !defined(__CUDACC__)
#error "cooperative_groups.h is for CUDA C++"
#endif

#define _CG_HAS_GROUP_TYPES   1
#define _CG_HAS_CLUSTER_GROUP 1

#define WEFT_CG        static __device__ __forceinline__
#define WEFT_CG_MEMBER __device__ __forceinline__

namespace cooperative_groups
{
namespace __v1
{

namespace details
{

template <bool Condition, typename T> struct only_if {
};
template <typename T> struct only_if<true, T> {
    typedef T type;
};

WEFT_CG unsigned int lane()
{
    return __nvvm_read_ptx_sreg_laneid();
}

WEFT_CG unsigned int lanes_before()
{
    return __nvvm_read_ptx_sreg_lanemask_lt();
}

WEFT_CG unsigned int block_size()
{
    return blockDim.x * blockDim.y * blockDim.z;
}

WEFT_CG unsigned int rank_in_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

WEFT_CG unsigned long long grid_blocks()
{
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}

WEFT_CG unsigned long long block_rank()
{
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) *
               gridDim.x +
           blockIdx.x;
}

/* Any trivially copyable value, 32 bits at a time, through one of the warp's
 * shuffles. */
#define WEFT_CG_SHUFFLE(name, intrinsic, type)                                 \
    template <typename T>                                                      \
    WEFT_CG T name(unsigned int mask, const T &value, type lane, int width)    \
    {                                                                          \
        enum { words = (sizeof(T) + 3) / 4 };                                  \
        unsigned int word[words] = {};                                         \
        __builtin_memcpy(word, (const void *)&value, sizeof(T));               \
        _Pragma("unroll") for (int i = 0; i < words; i++) word[i] =            \
            intrinsic(mask, word[i], lane, width);                             \
        T result;                                                              \
        __builtin_memcpy((void *)&result, word, sizeof(T));                    \
        return result;                                                         \
    }
WEFT_CG_SHUFFLE(shuffle, __shfl_sync, int)
WEFT_CG_SHUFFLE(shuffle_up, __shfl_up_sync, unsigned int)
WEFT_CG_SHUFFLE(shuffle_down, __shfl_down_sync, unsigned int)
WEFT_CG_SHUFFLE(shuffle_xor, __shfl_xor_sync, int)
#undef WEFT_CG_SHUFFLE

/* The grid's barrier, in memory that each cooperative launch gets for itself;
 * all its blocks are resident, so waiting for them is safe. */
struct grid_barrier {
    unsigned int reserved[2];
    unsigned int arrived;
    unsigned int generation;
};

/* NULL outside of a cooperative launch. */
WEFT_CG grid_barrier *the_grid_barrier()
{
    unsigned int high, low;
    __asm__ volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
    __asm__ volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
    return (grid_barrier *)((unsigned long long)high << 32 | low);
}

WEFT_CG void grid_wait()
{
    grid_barrier *b = the_grid_barrier();
    if (!b)
        __trap();
    __syncthreads();
    if (rank_in_block() == 0) {
        volatile unsigned int *generation = &b->generation;
        unsigned int mine = *generation;
        __threadfence();
        if (atomicAdd(&b->arrived, 1u) == (unsigned int)grid_blocks() - 1) {
            b->arrived = 0;
            __threadfence();
            atomicAdd(&b->generation, 1u);
        } else {
            while (*generation == mine)
                ;
        }
        __threadfence();
    }
    __syncthreads();
}

} // namespace details

class thread_block;
class thread_group;
static __device__ thread_group tiled_partition(const thread_group &parent,
                                               unsigned int size);
template <unsigned int Size, typename Parent = void> class thread_block_tile;
/* A tile is part of a warp, or several whole warps; the two differ in what
 * they are made of. */
template <unsigned int Size, typename Parent = void, bool IsWide = (Size > 32)>
class weft_tile;
class coalesced_group;

/* Any group of at most a block. The other groups convert to it. */
class thread_group
{
  protected:
    friend class coalesced_group;
    unsigned int lanes; /* lanes of its warp; 0: the group is the whole block */
    unsigned int count;
    unsigned int rank;
    unsigned int meta_rank, meta_size;

    WEFT_CG_MEMBER thread_group(unsigned int lanes, unsigned int count,
                                unsigned int rank)
        : lanes(lanes), count(count), rank(rank), meta_rank(0), meta_size(1)
    {
    }

  public:
    WEFT_CG_MEMBER thread_group() : thread_group(0, 0, 0)
    {
    }
    WEFT_CG_MEMBER void sync() const
    {
        if (lanes)
            __syncwarp(lanes);
        else
            __syncthreads();
    }
    WEFT_CG_MEMBER unsigned long long size() const
    {
        return count;
    }
    WEFT_CG_MEMBER unsigned long long num_threads() const
    {
        return count;
    }
    WEFT_CG_MEMBER unsigned long long thread_rank() const
    {
        return rank;
    }
    WEFT_CG_MEMBER bool is_valid() const
    {
        return true;
    }
    friend __device__ thread_group tiled_partition(const thread_group &parent,
                                                   unsigned int size);
};

/* A tile size that is known at run time only. The last tile may have fewer
 * threads than the others. */
static __device__ __forceinline__ thread_group
tiled_partition(const thread_group &parent, unsigned int size)
{
    unsigned int first = details::lane() & ~(size - 1);
    unsigned int left = parent.count - (parent.rank & ~(size - 1));
    unsigned int count = left < size ? left : size;
    unsigned int ones = count >= 32 ? ~0u : (1u << count) - 1;
    thread_group tile(ones << first, count, parent.rank & (size - 1));
    tile.meta_rank = parent.rank / size;
    tile.meta_size = (parent.count + size - 1) / size;
    return tile;
}

class thread_block : public thread_group
{
  public:
    WEFT_CG_MEMBER thread_block()
        : thread_group(0, details::block_size(), details::rank_in_block())
    {
    }
    static WEFT_CG_MEMBER void sync()
    {
        __syncthreads();
    }
    static WEFT_CG_MEMBER unsigned int size()
    {
        return details::block_size();
    }
    static WEFT_CG_MEMBER unsigned int num_threads()
    {
        return details::block_size();
    }
    static WEFT_CG_MEMBER unsigned int thread_rank()
    {
        return details::rank_in_block();
    }
    static WEFT_CG_MEMBER dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static WEFT_CG_MEMBER dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static WEFT_CG_MEMBER dim3 group_dim()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    static WEFT_CG_MEMBER dim3 dim_threads()
    {
        return group_dim();
    }
    struct arrival_token {
    };
    static WEFT_CG_MEMBER arrival_token barrier_arrive()
    {
        return arrival_token();
    }
    static WEFT_CG_MEMBER void barrier_wait(arrival_token &&)
    {
        __syncthreads();
    }
};

WEFT_CG thread_block this_thread_block()
{
    return thread_block();
}

/* Shared memory for tiles of more than a warp. GPUs before 8.0 ask for it;
 * here such tiles bring their own. */
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {
    unsigned long long word[MaxBlockSize < 32 ? 1 : MaxBlockSize / 32];
};
template <unsigned int MaxBlockSize>
WEFT_CG thread_block this_thread_block(block_tile_memory<MaxBlockSize> &)
{
    return thread_block();
}

class grid_group
{
#define WEFT_REGISTER(name)                                                    \
    [] {                                                                       \
        unsigned int value;                                                    \
        __asm__ volatile("mov.u32 %0, %%" name ";" : "=r"(value));             \
        return value;                                                          \
    }()
#define WEFT_REGISTERS(name)                                                   \
    dim3(WEFT_REGISTER(name ".x"), WEFT_REGISTER(name ".y"),                   \
         WEFT_REGISTER(name ".z"))

  public:
    static WEFT_CG_MEMBER bool is_valid()
    {
        return details::the_grid_barrier() != 0;
    }
    static WEFT_CG_MEMBER void sync()
    {
        details::grid_wait();
    }
    static WEFT_CG_MEMBER unsigned long long size()
    {
        return details::grid_blocks() * details::block_size();
    }
    static WEFT_CG_MEMBER unsigned long long num_threads()
    {
        return size();
    }
    static WEFT_CG_MEMBER unsigned long long thread_rank()
    {
        return details::block_rank() * details::block_size() +
               details::rank_in_block();
    }
    static WEFT_CG_MEMBER dim3 group_dim()
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    static WEFT_CG_MEMBER dim3 dim_blocks()
    {
        return group_dim();
    }
    static WEFT_CG_MEMBER unsigned long long num_blocks()
    {
        return details::grid_blocks();
    }
    static WEFT_CG_MEMBER dim3 block_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static WEFT_CG_MEMBER unsigned long long block_rank()
    {
        return details::block_rank();
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    static WEFT_CG_MEMBER dim3 dim_clusters()
    {
        return WEFT_REGISTERS("nclusterid");
    }
    static WEFT_CG_MEMBER dim3 cluster_index()
    {
        return WEFT_REGISTERS("clusterid");
    }
    static WEFT_CG_MEMBER unsigned long long num_clusters()
    {
        dim3 n = dim_clusters();
        return (unsigned long long)n.x * n.y * n.z;
    }
    static WEFT_CG_MEMBER unsigned long long cluster_rank()
    {
        dim3 n = dim_clusters(), i = cluster_index();
        return ((unsigned long long)i.z * n.y + i.y) * n.x + i.x;
    }
#endif
    static WEFT_CG_MEMBER dim3 thread_index()
    {
        return dim3(threadIdx.x + blockIdx.x * blockDim.x,
                    threadIdx.y + blockIdx.y * blockDim.y,
                    threadIdx.z + blockIdx.z * blockDim.z);
    }
    static WEFT_CG_MEMBER dim3 dim_threads()
    {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y,
                    gridDim.z * blockDim.z);
    }
    struct arrival_token {
    };
    static WEFT_CG_MEMBER arrival_token barrier_arrive()
    {
        return arrival_token();
    }
    static WEFT_CG_MEMBER void barrier_wait(arrival_token &&)
    {
        sync();
    }
};

WEFT_CG grid_group this_grid()
{
    return grid_group();
}

/* The blocks of a cluster as a group. */
class cluster_group
{
  public:
    struct arrival_token {
    };
    static WEFT_CG_MEMBER void sync()
    {
        barrier_wait(barrier_arrive());
    }
    static WEFT_CG_MEMBER arrival_token barrier_arrive()
    {
        __asm__ volatile("barrier.cluster.arrive;" ::: "memory");
        return arrival_token();
    }
    static WEFT_CG_MEMBER void barrier_wait()
    {
        __asm__ volatile("barrier.cluster.wait;" ::: "memory");
    }
    static WEFT_CG_MEMBER void barrier_wait(arrival_token &&)
    {
        barrier_wait();
    }
    static WEFT_CG_MEMBER dim3 dim_blocks()
    {
        return WEFT_REGISTERS("cluster_nctaid");
    }
    static WEFT_CG_MEMBER dim3 block_index()
    {
        return WEFT_REGISTERS("cluster_ctaid");
    }
    static WEFT_CG_MEMBER unsigned int num_blocks()
    {
        return WEFT_REGISTER("cluster_nctarank");
    }
    static WEFT_CG_MEMBER unsigned int block_rank()
    {
        return WEFT_REGISTER("cluster_ctarank");
    }
    static WEFT_CG_MEMBER unsigned int num_threads()
    {
        return num_blocks() * details::block_size();
    }
    static WEFT_CG_MEMBER unsigned int size()
    {
        return num_threads();
    }
    static WEFT_CG_MEMBER unsigned int thread_rank()
    {
        return block_rank() * details::block_size() + details::rank_in_block();
    }
    static WEFT_CG_MEMBER dim3 thread_index()
    {
        dim3 b = block_index();
        return dim3(threadIdx.x + b.x * blockDim.x,
                    threadIdx.y + b.y * blockDim.y,
                    threadIdx.z + b.z * blockDim.z);
    }
    static WEFT_CG_MEMBER dim3 dim_threads()
    {
        dim3 n = dim_blocks();
        return dim3(n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z);
    }
    /* Address of the same shared variable in another block of the cluster. */
    template <typename T>
    static WEFT_CG_MEMBER T *map_shared_rank(T *p, int rank)
    {
        T *mapped;
        __asm__("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(p), "r"(rank));
        return mapped;
    }
    static WEFT_CG_MEMBER unsigned int query_shared_rank(const void *p)
    {
        unsigned int rank;
        __asm__("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(p));
        return rank;
    }
};
#undef WEFT_REGISTERS
#undef WEFT_REGISTER

WEFT_CG cluster_group this_cluster()
{
    return cluster_group();
}

/* Some lanes of a warp; a lane's rank is the number of group lanes below
 * it. */
class coalesced_group : public thread_group
{
  public:
    WEFT_CG_MEMBER explicit coalesced_group(unsigned int mask)
        : thread_group(mask, (unsigned int)__popc(mask),
                       (unsigned int)__popc(mask & details::lanes_before()))
    {
    }
    WEFT_CG_MEMBER unsigned int size() const
    {
        return count;
    }
    WEFT_CG_MEMBER unsigned int num_threads() const
    {
        return count;
    }
    WEFT_CG_MEMBER unsigned int thread_rank() const
    {
        return rank;
    }
    WEFT_CG_MEMBER unsigned int meta_group_rank() const
    {
        return meta_rank;
    }
    WEFT_CG_MEMBER unsigned int meta_group_size() const
    {
        return meta_size;
    }
    WEFT_CG_MEMBER unsigned int weft_mask() const
    {
        return lanes;
    }
    WEFT_CG_MEMBER void weft_set_meta(unsigned int rank, unsigned int size)
    {
        meta_rank = rank;
        meta_size = size;
    }

    /* Value of the group's lane of rank `source`. */
    template <typename T> WEFT_CG_MEMBER T shfl(T value, int source) const
    {
        unsigned int from =
            lanes == ~0u ? (unsigned int)source : lane_of((unsigned int)source);
        return details::shuffle(lanes, value, (int)from, 32);
    }
    template <typename T>
    WEFT_CG_MEMBER T shfl_down(T value, unsigned int delta) const
    {
        unsigned int from = rank + delta;
        from = from < count ? lane_of(from) : details::lane();
        return details::shuffle(lanes, value, (int)from, 32);
    }
    template <typename T>
    WEFT_CG_MEMBER T shfl_up(T value, unsigned int delta) const
    {
        unsigned int from =
            rank >= delta ? lane_of(rank - delta) : details::lane();
        return details::shuffle(lanes, value, (int)from, 32);
    }
    WEFT_CG_MEMBER int any(int predicate) const
    {
        return (__ballot_sync(lanes, predicate) & lanes) != 0;
    }
    WEFT_CG_MEMBER int all(int predicate) const
    {
        return (__ballot_sync(lanes, !predicate) & lanes) == 0;
    }
    WEFT_CG_MEMBER unsigned int ballot(int predicate) const
    {
        return packed(__ballot_sync(lanes, predicate));
    }
    template <typename T> WEFT_CG_MEMBER unsigned int match_any(T value) const
    {
        return packed(__match_any_sync(lanes, value));
    }
    template <typename T>
    WEFT_CG_MEMBER unsigned int match_all(T value, int &predicate) const
    {
        return packed(__match_all_sync(lanes, value, &predicate));
    }

  private:
    /* The lane that the n-th set bit of the group's mask stands for. */
    WEFT_CG_MEMBER unsigned int lane_of(unsigned int n) const
    {
        unsigned int left = lanes;
        for (unsigned int i = 0; i < n; i++)
            left &= left - 1;
        return left ? (unsigned int)__ffs((int)left) - 1 : details::lane();
    }
    /* Turns a mask of lanes into a mask of ranks. */
    WEFT_CG_MEMBER unsigned int packed(unsigned int bits) const
    {
        unsigned int result = 0, to = 1;
        for (unsigned int left = lanes; left; left &= left - 1) {
            if (bits & left & (0u - left))
                result |= to;
            to <<= 1;
        }
        return result;
    }
};

WEFT_CG coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* A part of a warp: an aligned power of two of its lanes. */
template <unsigned int Size, typename Parent>
class weft_tile<Size, Parent, false> : public thread_group
{
    static_assert(Size >= 1 && (Size & (Size - 1)) == 0,
                  "a tile has a power of two of threads");

    template <unsigned int, typename, bool> friend class weft_tile;

  public:
    /* The tile of the parent group that the calling thread is in. */
    WEFT_CG_MEMBER weft_tile(unsigned int parent_rank,
                             unsigned int parent_size)
        : thread_group(mask_here(), Size, details::lane() & (Size - 1))
    {
        meta_rank = parent_rank / Size;
        meta_size = (parent_size + Size - 1) / Size;
    }
    /* Converts a tile to one that does not name its parent. */
    template <typename Other>
    WEFT_CG_MEMBER weft_tile(const weft_tile<Size, Other> &other)
        : thread_group(other)
    {
    }
    static WEFT_CG_MEMBER void sync()
    {
        __syncwarp(mask_here());
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
        return details::lane() & (Size - 1);
    }
    WEFT_CG_MEMBER unsigned int meta_group_rank() const
    {
        return meta_rank;
    }
    WEFT_CG_MEMBER unsigned int meta_group_size() const
    {
        return meta_size;
    }
    static WEFT_CG_MEMBER unsigned int weft_mask()
    {
        return mask_here();
    }

    template <typename T> WEFT_CG_MEMBER T shfl(T value, int source) const
    {
        return details::shuffle(mask_here(), value, source, Size);
    }
    template <typename T>
    WEFT_CG_MEMBER T shfl_down(T value, unsigned int delta) const
    {
        return details::shuffle_down(mask_here(), value, delta, Size);
    }
    template <typename T>
    WEFT_CG_MEMBER T shfl_up(T value, unsigned int delta) const
    {
        return details::shuffle_up(mask_here(), value, delta, Size);
    }
    template <typename T>
    WEFT_CG_MEMBER T shfl_xor(T value, unsigned int lane_mask) const
    {
        return details::shuffle_xor(mask_here(), value, (int)lane_mask, Size);
    }
    WEFT_CG_MEMBER int any(int predicate) const
    {
        return ballot(predicate) != 0;
    }
    WEFT_CG_MEMBER int all(int predicate) const
    {
        return ballot(!predicate) == 0;
    }
    WEFT_CG_MEMBER unsigned int ballot(int predicate) const
    {
        return in_tile(__ballot_sync(mask_here(), predicate));
    }
    template <typename T> WEFT_CG_MEMBER unsigned int match_any(T value) const
    {
        return in_tile(__match_any_sync(mask_here(), value));
    }
    template <typename T>
    WEFT_CG_MEMBER unsigned int match_all(T value, int &predicate) const
    {
        unsigned int all = in_tile(mask_here());
        predicate = match_any(value) == all;
        return predicate ? all : 0;
    }

  private:
    /* Turns a mask of lanes into a mask of ranks in this tile. */
    static WEFT_CG_MEMBER unsigned int in_tile(unsigned int bits)
    {
        return (bits & mask_here()) >> first_lane();
    }
    static WEFT_CG_MEMBER unsigned int first_lane()
    {
        return details::lane() & ~(Size - 1);
    }
    static WEFT_CG_MEMBER unsigned int mask_here()
    {
        return Size == 32 ? ~0u : ((1u << (Size & 31)) - 1) << first_lane();
    }
};

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#include "cooperative_groups/details/wide_tile.h"

namespace cooperative_groups
{
namespace __v1
{

template <unsigned int Size, typename Parent>
class thread_block_tile : public weft_tile<Size, Parent>
{
  public:
    using weft_tile<Size, Parent>::weft_tile;
};

template <unsigned int Size>
WEFT_CG thread_block_tile<Size, thread_block>
tiled_partition(const thread_block &parent)
{
    details::prepare_tiles<Size>(parent);
    return thread_block_tile<Size, thread_block>(parent.thread_rank(),
                                                 parent.size());
}
template <unsigned int Size, unsigned int ParentSize, typename GrandParent>
WEFT_CG thread_block_tile<Size, thread_block_tile<ParentSize, GrandParent>>
tiled_partition(const thread_block_tile<ParentSize, GrandParent> &parent)
{
    static_assert(Size <= ParentSize, "a tile is no larger than its parent");
    if (Size < ParentSize)
        details::prepare_tiles<Size>(parent);
    return thread_block_tile<Size, thread_block_tile<ParentSize, GrandParent>>(
        parent.thread_rank(), parent.size());
}
/* Splits a coalesced group by rank: `size` threads to a tile. */
WEFT_CG coalesced_group tiled_partition(const coalesced_group &parent,
                                        unsigned int size)
{
    unsigned int part = parent.thread_rank() / size, mask = 0, n = 0;
    for (unsigned int left = parent.weft_mask(); left; left &= left - 1) {
        if (n / size == part)
            mask |= left & (0u - left);
        n++;
    }
    coalesced_group tile(mask);
    tile.weft_set_meta(part, (parent.size() + size - 1) / size);
    return tile;
}

WEFT_CG thread_block_tile<1> this_thread()
{
    return thread_block_tile<1>(0, 1);
}

/* Splits a group by a predicate or a label; within a part, ranks follow
 * lanes. */
template <typename Group>
WEFT_CG coalesced_group binary_partition(const Group &group, bool predicate)
{
    unsigned int mask = group.weft_mask();
    unsigned int yes = __ballot_sync(mask, predicate) & mask;
    coalesced_group part(predicate ? yes : mask & ~yes);
    part.weft_set_meta(predicate ? 1 : 0, 2);
    return part;
}
template <typename Group, typename Label>
WEFT_CG coalesced_group labeled_partition(const Group &group, Label label)
{
    unsigned int mask = group.weft_mask();
    unsigned int same = __match_any_sync(mask, label) & mask;
    unsigned int first = same & (0u - same); /* the part's lowest lane */
    unsigned int firsts =
        __ballot_sync(mask, first == 1u << details::lane()) & mask;
    coalesced_group part(same);
    part.weft_set_meta((unsigned int)__popc(firsts & (first - 1)),
                       (unsigned int)__popc(firsts));
    return part;
}

/* One thread of the group calls the function; the others go on at once. */
template <typename Group, typename Function, typename... Arguments>
WEFT_CG void invoke_one(const Group &group, Function &&function,
                        Arguments &&...arguments)
{
    if (group.thread_rank() == 0)
        function(static_cast<Arguments &&>(arguments)...);
}
/* One thread of the group calls the function, and all get its result. */
template <typename Group, typename Function, typename... Arguments>
WEFT_CG auto invoke_one_broadcast(const Group &group, Function &&function,
                                  Arguments &&...arguments)
    -> decltype(function(static_cast<Arguments &&>(arguments)...))
{
    decltype(function(static_cast<Arguments &&>(arguments)...)) result = {};
    if (group.thread_rank() == 0)
        result = function(static_cast<Arguments &&>(arguments)...);
    return group.shfl(result, 0);
}

template <typename Group> WEFT_CG void sync(const Group &group)
{
    group.sync();
}
template <typename Group> WEFT_CG unsigned int thread_rank(const Group &group)
{
    return (unsigned int)group.thread_rank();
}
template <typename Group> WEFT_CG unsigned int group_size(const Group &group)
{
    return (unsigned int)group.size();
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#undef WEFT_CG
#undef WEFT_CG_MEMBER

#endif
