// SPDX-License-Identifier: Apache-2.0
// weftcc: -arch=sm_90
//
// <cuda/ptx>: copies and barriers, another block's shared memory, words. That
// each function has the text of its instruction is in tests/cc/cuda-ptx.sh.
#include <cuda/ptx>
#include <cuda/barrier>
#include <cooperative_groups.h>

#include "check.h"

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

__device__ static void wait(uint64_t *bar, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__device__ static bool out_of_range(const void *p)
{
    return !p;
}

// Blocks of 64 numbers are fetched, doubled, added to others and put back.
__global__ void pipeline(int *out, const int *in, int *sums)
{
    __shared__ alignas(128) int tile[64];
    __shared__ uint64_t bar;
    unsigned i = threadIdx.x;
    if (i == 0) {
        ptx::mbarrier_init(&bar, blockDim.x);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    for (unsigned round = 0; round < 3; round++) {
        uint64_t state;
        if (i == 0) {
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile,
                               in + 64 * round, sizeof tile, &bar);
            // No bytes may lie anywhere: CUB's merge counts on it.
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile + 1,
                               in + 1, 16 * (unsigned)out_of_range(out), &bar);
            state = ptx::mbarrier_arrive_expect_tx(
                ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                sizeof tile);
        } else {
            state = ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta,
                                         ptx::space_shared, &bar);
        }
        while (!ptx::mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cta, &bar,
                                       state)) {
        }
        tile[i] *= 2;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (i == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared,
                               out + 64 * round, tile, sizeof tile);
            ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared,
                                      ptx::op_add, sums, tile, sizeof tile);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
        __syncthreads();
    }
    if (i == 0)
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

static void test_pipeline()
{
    buffer<int> in(192), out(192), sums(64, 0);
    for (int i = 0; i < 192; i++)
        in[i] = i * i;
    in.upload();
    pipeline<<<1, 64>>>(out.device, in.device, sums.device);
    out.download();
    sums.download();
    for (int i = 0; i < 192; i++)
        EXPECT_EQ(out[i], 2 * i * i);
    for (int i = 0; i < 64; i++)
        EXPECT_EQ(sums[i], out[i] + out[64 + i] + out[128 + i]);
}

// Each block sends to the other of its cluster.
__global__ void __cluster_dims__(2) exchange(int *out)
{
    __shared__ alignas(16) int numbers[4];
    __shared__ unsigned sum;
    __shared__ alignas(16) double pair[2];
    __shared__ uint64_t bar;
    auto cluster = cg::this_cluster();
    unsigned rank = ptx::get_sreg_cluster_ctarank(), other = rank ^ 1;
    const unsigned bytes = sizeof numbers + sizeof sum * 32 + sizeof pair;
    if (threadIdx.x == 0) {
        sum = 0;
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &bar, bytes);
    }
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
    uint64_t *far_bar = cluster.map_shared_rank(&bar, other);
    ptx::red_async(ptx::op_add, cluster.map_shared_rank(&sum, other),
                   threadIdx.x + rank, far_bar);
    if (threadIdx.x == 0) {
        int r = (int)rank;
        const int four[4] = {r, r + 1, r + 2, r + 3};
        const double two[2] = {r + 0.5, r + 0.25};
        ptx::st_async(cluster.map_shared_rank(numbers, other), four, far_bar);
        ptx::st_async(cluster.map_shared_rank(pair, other), two, far_bar);
    }
    wait(&bar, 0);
    if (threadIdx.x == 0) {
        int *mine = out + 4 * rank;
        mine[0] =
            numbers[0] * 1000 + numbers[1] * 100 + numbers[2] * 10 + numbers[3];
        mine[1] = sum;
        mine[2] = (int)(pair[0] * 100 + pair[1] * 4);
        mine[3] = ptx::getctarank(ptx::space_cluster, far_bar);
    }
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
}

static void test_exchange()
{
    buffer<int> out(8);
    exchange<<<2, 32>>>(out.device);
    out.download();
    for (int rank = 0; rank < 2; rank++) {
        int r = 1 - rank;
        EXPECT_EQ(out[4 * rank], r * 1111 + 123);
        EXPECT_EQ(out[4 * rank + 1], 496 + 32 * r);
        EXPECT_EQ(out[4 * rank + 2], 100 * r + 50 + 4 * r + 1);
        EXPECT_EQ(out[4 * rank + 3], r);
    }
}

__global__ void words(long long *out)
{
    unsigned i = threadIdx.x;
    bool is_good;
    float up = ptx::shfl_sync_up((float)i, is_good, 1, 0, ~0u);
    long long sum = (long long)up * 2 + is_good;
    sum = sum * 64 + ptx::shfl_sync_bfly(i, 3, 31, ~0u);
    sum = sum * 64 + ptx::bfind(i * i) + ptx::bfind(-(int)i) % 32;
    sum = sum * 64 + ptx::bfind_shiftamt((unsigned long long)i + 1);
    sum = sum * 64 + ptx::bmsk_clamp(i % 5, 3) % 61;
    sum = sum * 64 + ptx::prmt(i, i + 1, 0x5410u) % 61;
    sum = sum * 64 + ptx::shr(-(int)i * 100, 3) % 30 + 30;
    sum = sum * 4 + ptx::shl((short)1, i) % 3 + ptx::elect_sync(~0u);
    if (i == 31)
        ptx::exit();
    out[ptx::get_sreg_laneid()] =
        sum * 64 + ptx::get_sreg_ntid_x() + ptx::get_sreg_tid_x() % 8;
}

static void test_words()
{
    buffer<long long> out(32, 0);
    words<<<1, 32>>>(out.device);
    out.download();
    for (long long i = 0; i < 31; i++) {
        auto top = [](unsigned long long x) {
            return x ? 63 - __builtin_clzll(x) : -1;
        };
        // Of a negative number the highest 0.
        long long low = top((unsigned)~(unsigned)-(int)i);
        long long sum = (i ? i - 1 : 0) * 2 + (i > 0);
        sum = sum * 64 + (i ^ 3);
        sum = sum * 64 + (unsigned)top(i * i) + (unsigned)low % 32;
        sum = sum * 64 + 63 - top(i + 1);
        sum = sum * 64 + (7 << i % 5) % 61;
        sum = sum * 64 + ((i + 1) << 16 | i) % 61;
        sum = sum * 64 + (int)(-i * 100 >> 3) % 30 + 30;
        sum = sum * 4 + (i < 15 ? 1 << i : i == 15 ? -32768 : 0) % 3 + (i == 0);
        sum = sum * 64 + 32 + i % 8;
        EXPECT_EQ(out[i], sum);
    }
    EXPECT_EQ(out[31], 0);
}

int main()
{
    test_pipeline();
    test_exchange();
    test_words();
    return finish();
}
