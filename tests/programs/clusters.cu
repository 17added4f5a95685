// SPDX-License-Identifier: Apache-2.0
// weftcc: -arch=sm_90
//
// Clusters: blocks that run together and see each other's shared memory. Where
// a block is in its cluster, barriers whose two halves are apart, and shared
// memory of other blocks by generic and by 32-bit addresses.
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static cudaLaunchConfig_t config(dim3 grid, dim3 block, cudaLaunchAttribute *at,
                                 dim3 cluster)
{
    at->id = cudaLaunchAttributeClusterDimension;
    at->val.clusterDim.x = cluster.x;
    at->val.clusterDim.y = cluster.y;
    at->val.clusterDim.z = cluster.z;
    cudaLaunchConfig_t c = {};
    c.gridDim = grid;
    c.blockDim = block;
    c.attrs = at;
    c.numAttrs = 1;
    return c;
}

template <typename... Params, typename... Args>
static void launch(void (*kernel)(Params...), dim3 grid, dim3 block,
                   dim3 cluster, Args... args)
{
    cudaLaunchAttribute at;
    cudaLaunchConfig_t c = config(grid, block, &at, cluster);
    CHECK(cudaLaunchKernelEx(&c, kernel, Params(args)...));
}

// ---- where a block is -----------------------------------------------------

struct place {
    unsigned id[3], count[3], in[3], size[3], rank, blocks, is_explicit;
    unsigned same; // what cooperative groups say
};

#define REGISTER(name)                                                         \
    [] {                                                                       \
        unsigned v;                                                            \
        asm volatile("mov.u32 %0, %%" name ";" : "=r"(v));                     \
        return v;                                                              \
    }()

static __device__ bool same_by_groups()
{
    cg::grid_group grid = cg::this_grid();
    dim3 n = grid.dim_clusters(), i = grid.cluster_index();
    return n.x == REGISTER("nclusterid.x") && n.y == REGISTER("nclusterid.y") &&
           n.z == REGISTER("nclusterid.z") && i.x == REGISTER("clusterid.x") &&
           i.y == REGISTER("clusterid.y") && i.z == REGISTER("clusterid.z") &&
           grid.num_clusters() == (unsigned long long)n.x * n.y * n.z &&
           grid.cluster_rank() == (i.z * n.y + i.y) * n.x + i.x;
}

__global__ void tell(place *out)
{
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned is_explicit;
    asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster;\n\t"
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(is_explicit));
    out[block] = {{REGISTER("clusterid.x"), REGISTER("clusterid.y"),
                   REGISTER("clusterid.z")},
                  {REGISTER("nclusterid.x"), REGISTER("nclusterid.y"),
                   REGISTER("nclusterid.z")},
                  {REGISTER("cluster_ctaid.x"), REGISTER("cluster_ctaid.y"),
                   REGISTER("cluster_ctaid.z")},
                  {REGISTER("cluster_nctaid.x"), REGISTER("cluster_nctaid.y"),
                   REGISTER("cluster_nctaid.z")},
                  REGISTER("cluster_ctarank"),
                  REGISTER("cluster_nctarank"),
                  is_explicit,
                  same_by_groups()};
}

static void check_places(dim3 grid, dim3 cluster)
{
    const unsigned g[] = {grid.x, grid.y, grid.z};
    const unsigned n[] = {cluster.x, cluster.y, cluster.z};
    unsigned blocks = g[0] * g[1] * g[2];
    buffer<place> out(blocks);
    launch(tell, grid, 32, cluster, out.device);
    out.download();
    std::vector<place> want(blocks);
    for (unsigned b = 0; b < blocks; b++) {
        unsigned at[] = {b % g[0], b / g[0] % g[1], b / g[0] / g[1]};
        place &w = want[b];
        for (int i = 0; i < 3; i++) {
            w.id[i] = at[i] / n[i];
            w.in[i] = at[i] % n[i];
            w.count[i] = g[i] / n[i];
            w.size[i] = n[i];
        }
        w.rank = (w.in[2] * n[1] + w.in[1]) * n[0] + w.in[0];
        w.blocks = n[0] * n[1] * n[2];
        w.is_explicit = 1;
        w.same = 1;
    }
    expect_same("places", out, want);
}

static void without_clusters()
{
    buffer<place> out(3);
    tell<<<3, 32>>>(out.device);
    out.download();
    for (unsigned b = 0; b < 3; b++) {
        place want = {{b, 0, 0}, {3, 1, 1}, {0, 0, 0}, {1, 1, 1}, 0, 1, 0, 1};
        expect_same("no cluster", &out[b], &want, 1);
    }
}

// ---- generic addresses ----------------------------------------------------

// Each block reads what the next one has in its shared memory, in turn.
__global__ void hand_on(int *out, int rounds)
{
    __shared__ int box[2][64];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    int t = thread_in_block();
    box[0][t] = blockIdx.x * 100 + t;
    for (int i = 0; i < rounds; i++) {
        cluster.sync();
        int *other = cluster.map_shared_rank(box[i & 1], next);
        box[~i & 1][t] = other[t] + 1;
    }
    cluster.sync(); // nobody leaves while others read
    out[thread_in_grid()] = box[rounds & 1][t];
}

static void check_hand_on(int blocks, int threads, int size, int rounds)
{
    buffer<int> out(blocks * threads);
    launch(hand_on, blocks, threads, size, out.device, rounds);
    out.download();
    std::vector<int> want(out.host.size());
    for (int b = 0; b < blocks; b++)
        for (int t = 0; t < threads; t++)
            want[b * threads + t] =
                (b / size * size + (b + rounds) % size) * 100 + t + rounds;
    expect_same("hand_on", out, want);
}

// A histogram whose bins are spread over the cluster's blocks.
__global__ void histogram(unsigned *bins, int per_block, const unsigned *in,
                          int n)
{
    extern __shared__ unsigned own[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < per_block; i += blockDim.x)
        own[i] = 0;
    cluster.sync();
    int all = per_block * cluster.num_blocks();
    for (int i = thread_in_grid(); i < n; i += gridDim.x * blockDim.x) {
        int bin = in[i] % all;
        atomicAdd(
            cluster.map_shared_rank(own, bin / per_block) + bin % per_block, 1);
    }
    cluster.sync();
    int first = cluster.block_rank() * per_block;
    for (int i = threadIdx.x; i < per_block; i += blockDim.x)
        atomicAdd(&bins[first + i], own[i]);
}

static void check_histogram(int size)
{
    const int per_block = 50, n = 20000;
    buffer<unsigned> bins(per_block * size, 0), in(n);
    std::vector<unsigned> want(per_block * size, 0);
    for (int i = 0; i < n; i++) {
        in[i] = scramble(i);
        want[in[i] % want.size()]++;
    }
    in.upload();
    cudaLaunchAttribute at;
    cudaLaunchConfig_t c = config(2 * size, 128, &at, size);
    c.dynamicSmemBytes = per_block * sizeof(unsigned);
    CHECK(cudaLaunchKernelEx(&c, histogram, bins.device, per_block,
                             (const unsigned *)in.device, n));
    bins.download();
    expect_same("histogram", bins, want);
}

// ---- 32-bit addresses -----------------------------------------------------

__device__ unsigned address_of(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ unsigned mapa(unsigned address, unsigned rank)
{
    unsigned out;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(out)
        : "r"(address), "r"(rank));
    return out;
}

__device__ unsigned rank_of(unsigned address)
{
    unsigned out;
    asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(out) : "r"(address));
    return out;
}

enum { WORDS = 6 };

// Block 0 collects what the others have put there; addresses are handed round.
__global__ void by_address(unsigned *out)
{
    __shared__ unsigned sum, addresses[16], value;
    unsigned rank = REGISTER("cluster_ctarank");
    unsigned size = REGISTER("cluster_nctarank");
    unsigned own = address_of(&value);
    if (threadIdx.x == 0) {
        sum = 0;
        value = 1000 + rank;
    }
    cg::this_cluster().sync();
    if (threadIdx.x == 0) {
        unsigned at = mapa(address_of(&addresses[rank]), 0);
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at), "r"(own)
                     : "memory");
    }
    unsigned old;
    asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "r"(mapa(address_of(&sum), 0)), "r"(threadIdx.x)
                 : "memory");
    cg::this_cluster().sync();
    if (rank == 0 && threadIdx.x < size) {
        unsigned seen, i = threadIdx.x;
        // An address of a block's own memory means the same to all of them.
        asm volatile("ld.shared::cluster.u32 %0, [%1];"
                     : "=r"(seen)
                     : "r"(addresses[i])
                     : "memory");
        unsigned *to = out + (blockIdx.x + i) * WORDS;
        to[0] = seen;
        to[1] = rank_of(addresses[i]);
        to[2] = sum;
        to[3] = addresses[i] == mapa(address_of(&value), i);
        const unsigned *p = cg::this_cluster().map_shared_rank(&value, (int)i);
        to[4] = __isShared(p) + 2 * __isGlobal(p);
        unsigned is_cluster;
        asm("{ .reg .pred p; isspacep.shared::cluster p, %1;\n\t"
            "selp.u32 %0, 1, 0, p; }"
            : "=r"(is_cluster)
            : "l"(p));
        to[5] = is_cluster;
    }
    cg::this_cluster().sync();
}

static void check_addresses(int size)
{
    const int threads = 40;
    buffer<unsigned> out(2 * size * WORDS);
    launch(by_address, 2 * size, threads, size, out.device);
    out.download();
    std::vector<unsigned> want;
    for (int b = 0; b < 2 * size; b++) {
        unsigned i = b % size;
        want.insert(want.end(), {1000 + i, i,
                                 (unsigned)(size * threads * (threads - 1) / 2),
                                 1, i == 0, 1});
    }
    expect_same("by_address", out, want);
}

// ---- the barrier's halves -------------------------------------------------

// Warp 0 of a block arrives, and does work that the other block's warps need
// before they can wait; blocks and threads that have exited do not count.
__global__ void halves(int *out)
{
    __shared__ volatile int flag;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    if (threadIdx.x == 0)
        flag = 0;
    cluster.sync();
    if (rank == 2 || threadIdx.x % 5 == 4)
        return;
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    volatile int *other = cluster.map_shared_rank((int *)&flag, rank ^ 1);
    if (threadIdx.x == 0)
        *other = 7;
    if (threadIdx.x >= 32)
        while (flag == 0)
            __nanosleep(20);
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
    out[thread_in_grid()] = flag + 1;
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

static void check_halves()
{
    const int blocks = 9, threads = 70;
    buffer<int> out(blocks * threads, 0);
    // Block 2 of each three has no partner: 0 and 1 have each other.
    launch(halves, blocks, threads, 3, out.device);
    out.download();
    std::vector<int> want(blocks * threads, 0);
    for (int b = 0; b < blocks; b++)
        for (int t = 0; t < threads; t++)
            if (b % 3 != 2 && t % 5 != 4)
                want[b * threads + t] = 8;
    expect_same("halves", out, want);
}

// ---- kernels that say it themselves ---------------------------------------

__global__ void __cluster_dims__(2, 2, 1) four(unsigned *out)
{
    __shared__ unsigned mine;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    mine = 10 + rank;
    cluster.sync();
    unsigned other = *cluster.map_shared_rank(&mine, (int)(rank ^ 3));
    cluster.sync();
    if (threadIdx.x == 0)
        out[blockIdx.y * gridDim.x + blockIdx.x] =
            other * 100 + cluster.num_blocks() * 10 +
            cluster.query_shared_rank(cluster.map_shared_rank(&mine, 3));
}

static void check_four()
{
    buffer<unsigned> out(4 * 6);
    four<<<dim3(4, 6), 64>>>(out.device);
    out.download();
    std::vector<unsigned> want(4 * 6);
    for (unsigned y = 0; y < 6; y++)
        for (unsigned x = 0; x < 4; x++)
            want[4 * y + x] =
                (10 + ((y % 2 * 2 + x % 2) ^ 3)) * 100 + 4 * 10 + 3;
    expect_same("four", out, want);
}

// ---- together with the whole grid, and as large as can be ------------------

__global__ void with_grid(int *out, int rounds)
{
    __shared__ int mine;
    cg::cluster_group cluster = cg::this_cluster();
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0)
        mine = blockIdx.x;
    for (int i = 0; i < rounds; i++) {
        unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
        cluster.sync();
        int other = *cluster.map_shared_rank(&mine, (int)next);
        cluster.sync();
        if (threadIdx.x == 0)
            out[blockIdx.x] = mine = other + 1;
        grid.sync();
        if (out[(blockIdx.x + 1) % gridDim.x] <= i)
            out[blockIdx.x] = -1000;
        grid.sync();
    }
}

static void check_with_grid()
{
    buffer<int> out(8);
    cudaLaunchAttribute at[2];
    cudaLaunchConfig_t c = config(8, 64, at, 4);
    at[1].id = cudaLaunchAttributeCooperative;
    at[1].val.cooperative = 1;
    c.numAttrs = 2;
    CHECK(cudaLaunchKernelEx(&c, with_grid, out.device, 6));
    out.download();
    std::vector<int> want;
    for (int b = 0; b < 8; b++)
        want.push_back(b / 4 * 4 + (b + 6) % 4 + 6);
    expect_same("with_grid", out, want);
}

__global__ void add_all(int *out)
{
    __shared__ int mine[1024];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = blockIdx.x + threadIdx.x;
    cluster.sync();
    int sum = 0;
    for (unsigned r = 0; r < cluster.num_blocks(); r++)
        sum += cluster.map_shared_rank(mine, (int)r)[threadIdx.x];
    cluster.sync();
    out[thread_in_grid()] = sum;
}

static void check_largest()
{
    buffer<int> out(16 * 1024);
    CHECK(cudaFuncSetAttribute(
        add_all, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    launch(add_all, 16, 1024, 16, out.device);
    out.download();
    std::vector<int> want(out.host.size());
    for (size_t i = 0; i < want.size(); i++)
        want[i] = 16 * (int)(i % 1024) + 15 * 16 / 2;
    expect_same("add_all", out, want);
}

int main()
{
    without_clusters();
    check_places(dim3(4), dim3(2));
    check_places(dim3(4, 6, 4), dim3(2, 3, 1));
    check_places(dim3(2, 4, 6), dim3(1, 2, 3));
    check_places(dim3(3, 2), dim3(1));
    check_hand_on(8, 64, 8, 20);
    check_hand_on(24, 33, 4, 7);
    check_hand_on(6, 1, 3, 5);
    CHECK(cudaFuncSetAttribute(
        hand_on, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    check_hand_on(32, 64, 16, 18);
    check_histogram(4);
    check_histogram(1);
    check_addresses(2);
    check_addresses(8);
    check_halves();
    check_four();
    check_with_grid();
    check_largest();
    return finish();
}
