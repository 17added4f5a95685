// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++17 --extended-lambda
// CUB's algorithms inside a block and inside a warp.
#include <algorithm>
#include <cstdio>
#include <numeric>

#include <cub/cub.cuh>

const int threads = 128, items = 4, n = threads * items;

__global__ void block_algorithms(const int *in, int *sums, int *scanned,
                                 int *sorted, int *striped, unsigned *bins)
{
    using Load = cub::BlockLoad<int, threads, items,
                                cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Store = cub::BlockStore<int, threads, items,
                                  cub::BLOCK_STORE_TRANSPOSE>;
    using Reduce = cub::BlockReduce<int, threads>;
    using Scan = cub::BlockScan<int, threads, cub::BLOCK_SCAN_WARP_SCANS>;
    using Sort = cub::BlockRadixSort<int, threads, items>;
    using Exchange = cub::BlockExchange<int, threads, items>;
    using Histogram = cub::BlockHistogram<unsigned char, threads, items, 16,
                                          cub::BLOCK_HISTO_ATOMIC>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
        typename Sort::TempStorage sort;
        typename Exchange::TempStorage exchange;
        typename Histogram::TempStorage histogram;
    } temp;
    __shared__ unsigned counts[16];
    int data[items], work[items];
    unsigned char small[items];

    Load(temp.load).Load(in, data);
    __syncthreads();
    int sum = Reduce(temp.reduce).Sum(data);
    if (threadIdx.x == 0)
        *sums = sum;
    __syncthreads();
    Scan(temp.scan).ExclusiveSum(data, work);
    __syncthreads();
    Store(temp.store).Store(scanned, work);
    __syncthreads();
    for (int i = 0; i < items; i++) {
        work[i] = data[i];
        small[i] = (unsigned char)(data[i] & 15);
    }
    Sort(temp.sort).SortDescending(work);
    __syncthreads();
    Store(temp.store).Store(sorted, work);
    __syncthreads();
    Exchange(temp.exchange).BlockedToStriped(data, work);
    for (int i = 0; i < items; i++)
        striped[i * threads + threadIdx.x] = work[i];
    Histogram(temp.histogram).Histogram(small, counts);
    __syncthreads();
    if (threadIdx.x < 16)
        bins[threadIdx.x] = counts[threadIdx.x];
}

__global__ void warp_algorithms(const int *in, int *sums, int *scanned)
{
    using Reduce = cub::WarpReduce<int>;
    using Scan = cub::WarpScan<int, 16>;
    __shared__ typename Reduce::TempStorage reduce[threads / 32];
    __shared__ typename Scan::TempStorage scan[threads / 16];
    int v = in[threadIdx.x], sum;
    sum = Reduce(reduce[threadIdx.x / 32]).Reduce(v, cub::Max());
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    Scan(scan[threadIdx.x / 16]).InclusiveSum(v, v);
    scanned[threadIdx.x] = v;
}

template <typename T> static T *managed(size_t count)
{
    T *p;
    cudaMallocManaged(&p, count * sizeof(T));
    return p;
}

static void say(const char *name, bool ok)
{
    printf("%-16s %s\n", name, ok ? "right" : "WRONG");
}

int main()
{
    int *in = managed<int>(n), *sums = managed<int>(8);
    int *scanned = managed<int>(n), *sorted = managed<int>(n);
    int *striped = managed<int>(n), want[n];
    unsigned *bins = managed<unsigned>(16);
    for (int i = 0; i < n; i++)
        in[i] = (int)(i * 2654435761u >> 20) - 1000;
    block_algorithms<<<1, threads>>>(in, sums, scanned, sorted, striped, bins);
    cudaDeviceSynchronize();
    say("BlockReduce", *sums == std::accumulate(in, in + n, 0));
    bool ok = true;
    for (int i = 0, sum = 0; i < n; sum += in[i++])
        ok &= scanned[i] == sum;
    say("BlockScan", ok);
    std::copy(in, in + n, want);
    std::sort(want, want + n, std::greater<int>());
    say("BlockRadixSort", std::equal(want, want + n, sorted));
    say("BlockExchange", std::equal(in, in + n, striped));
    unsigned counts[16] = {0};
    for (int i = 0; i < n; i++)
        counts[in[i] & 15]++;
    say("BlockHistogram", std::equal(counts, counts + 16, bins));

    warp_algorithms<<<1, threads>>>(in, sums, scanned);
    cudaDeviceSynchronize();
    ok = true;
    for (int w = 0; w < threads / 32; w++)
        ok &= sums[w] == *std::max_element(in + 32 * w, in + 32 * w + 32);
    say("WarpReduce", ok);
    ok = true;
    for (int i = 0, sum = 0; i < threads; i++) {
        sum = i % 16 ? sum + in[i] : in[i];
        ok &= scanned[i] == sum;
    }
    say("WarpScan", ok);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
