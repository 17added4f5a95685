// SPDX-License-Identifier: Apache-2.0
// weftcc: -arch=sm_90
//
// What reaches into the shared memory of other blocks of a cluster and tells
// an mbarrier there: arrivals, st.async, red.async, bulk copies, multicast.
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ unsigned address_of(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ unsigned mapa(const void *p, unsigned rank)
{
    unsigned out;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(out)
        : "r"(address_of(p)), "r"(rank));
    return out;
}

__device__ void init(unsigned long long *bar, int count)
{
    asm volatile(
        "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(bar)),
        "r"(count)
        : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ void expect(unsigned long long *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     address_of(bar)),
                 "r"(bytes)
                 : "memory");
}

__device__ void wait(unsigned long long *bar, unsigned parity)
{
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
                     "p, [%1], %2;\n\tselp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(address_of(bar)), "r"(parity)
                     : "memory");
}

// ---- arrivals from other blocks -------------------------------------------

// Every thread of the cluster arrives at the barrier of each block.
__global__ void arrive_everywhere(int *out, int rounds)
{
    __shared__ unsigned long long bar;
    __shared__ int word;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        init(&bar, (int)cluster.num_threads());
        word = 0;
    }
    cluster.sync();
    for (int i = 0; i < rounds; i++) {
        for (unsigned r = 0; r < cluster.num_blocks(); r++)
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 "
                         "_, [%0];" ::"r"(mapa(&bar, r))
                         : "memory");
        wait(&bar, i & 1);
        if (threadIdx.x == 0)
            word++;
    }
    cluster.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = word;
}

// ---- st.async and red.async -----------------------------------------------

__global__ void send(unsigned *out)
{
    __shared__ unsigned long long bar;
    __shared__ alignas(16) unsigned got[64][4];
    __shared__ unsigned sum;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    int t = threadIdx.x;
    if (t == 0) {
        init(&bar, 1);
        sum = 0;
    }
    cluster.sync();
    if (t == 0)
        expect(&bar, 64 * 16 + 64 * 4);
    unsigned a = blockIdx.x * 1000 + t;
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 "
                 "[%0], {%1, %2, %3, %4}, [%5];" ::"r"(mapa(&got[t], next)),
                 "r"(a), "r"(a + 1), "r"(a + 2), "r"(a + 3),
                 "r"(mapa(&bar, next))
                 : "memory");
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::"
        "bytes.add.u32 [%0], %1, [%2];" ::"r"(mapa(&sum, next)),
        "r"(a), "r"(mapa(&bar, next))
        : "memory");
    wait(&bar, 0);
    for (int i = 0; i < 4; i++)
        out[(blockIdx.x * 64 + t) * 5 + i] = got[t][i];
    out[(blockIdx.x * 64 + t) * 5 + 4] = sum;
    cluster.sync();
}

static void check_send(int blocks, int size)
{
    buffer<unsigned> out(blocks * 64 * 5);
    cudaLaunchAttribute at = {};
    at.id = cudaLaunchAttributeClusterDimension;
    at.val.clusterDim.x = size;
    at.val.clusterDim.y = at.val.clusterDim.z = 1;
    cudaLaunchConfig_t c = {};
    c.gridDim = blocks;
    c.blockDim = 64;
    c.attrs = &at;
    c.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&c, send, out.device));
    out.download();
    std::vector<unsigned> want;
    for (int b = 0; b < blocks; b++)
        for (int t = 0; t < 64; t++) {
            unsigned from = b / size * size + (b + size - 1) % size;
            for (int i = 0; i < 4; i++)
                want.push_back(from * 1000 + t + i);
            want.push_back(from * 1000 * 64 + 63 * 64 / 2);
        }
    expect_same("send", out, want);
}

// ---- bulk copies -----------------------------------------------------------

// From global memory into the blocks of a mask; then from block to block.
__global__ void __cluster_dims__(4) spread(int *out, const int *in)
{
    __shared__ unsigned long long bar[2];
    __shared__ alignas(128) int first[64], second[64];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    int t = threadIdx.x;
    if (t == 0) {
        init(&bar[0], 1);
        init(&bar[1], 1);
    }
    first[t] = second[t] = -1;
    cluster.sync();
    if (t == 0) {
        if (rank != 1)
            expect(&bar[0], 256);
        expect(&bar[1], 256);
    }
    cluster.sync();
    const int *mine = in + blockIdx.x / 4 * 64;
    if (rank == 2 && t == 0) // to all but block 1, at the same place in each
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::"
                     "complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
                     "[%3], %4;" ::"r"(address_of(first)),
                     "l"(mine), "r"(256), "r"(address_of(&bar[0])),
                     "h"((unsigned short)0xd)
                     : "memory");
    if (rank != 1)
        wait(&bar[0], 0);
    asm volatile("fence.proxy.async;" ::: "memory");
    cluster.sync();
    unsigned next = (rank + 1) % 4;
    if (t == 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::"
                     "complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         mapa(second, next)),
                     "r"(address_of(first)), "r"(256), "r"(mapa(&bar[1], next))
                     : "memory");
    wait(&bar[1], 0);
    out[thread_in_grid()] = second[t] + 2 * first[t];
    cluster.sync();
}

int main()
{
    buffer<int> counts(8, 0);
    cudaLaunchAttribute at = {};
    at.id = cudaLaunchAttributeClusterDimension;
    at.val.clusterDim.x = 4;
    at.val.clusterDim.y = at.val.clusterDim.z = 1;
    cudaLaunchConfig_t c = {};
    c.gridDim = 8;
    c.blockDim = 50;
    c.attrs = &at;
    c.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&c, arrive_everywhere, counts.device, 9));
    counts.download();
    expect_same("arrive_everywhere", counts, std::vector<int>(8, 9));

    check_send(8, 4);
    check_send(4, 2);

    buffer<int> out(8 * 64), in(2 * 64);
    for (int i = 0; i < 2 * 64; i++)
        in[i] = (int)(scramble(i) >> 8);
    in.upload();
    spread<<<8, 64>>>(out.device, in.device);
    out.download();
    std::vector<int> want;
    for (int b = 0; b < 8; b++)
        for (int t = 0; t < 64; t++) {
            int v = in[b / 4 * 64 + t], before = (b + 3) % 4;
            want.push_back((before == 1 ? -1 : v) + 2 * (b % 4 == 1 ? -1 : v));
        }
    expect_same("spread", out, want);
    return finish();
}
