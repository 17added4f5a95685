// SPDX-License-Identifier: Apache-2.0
// What all threads store to shared memory first is there when others go on with
// it, though no barrier is between: a race that a GPU hides, whose warps begin
// together.
#include "check.h"

static const int size = 256, n = 1 << 14;

// Bins, set to 0 by all threads, counted up by all.
__global__ void count(const int *in, int *out)
{
    __shared__ unsigned bins[size];
    bins[threadIdx.x] = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&bins[in[i] & 255], 1u);
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}

// The same with more bins than threads.
__global__ void count_in_more(const int *in, int *out)
{
    __shared__ unsigned bins[4 * size];
    for (int i = threadIdx.x; i < 4 * size; i += blockDim.x)
        bins[i] = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&bins[in[i] & 1023], 1u);
    __syncthreads();
    unsigned sum = 0;
    for (int i = threadIdx.x; i < 4 * size; i += blockDim.x)
        sum += bins[i];
    out[threadIdx.x] = sum;
}

// A search through a tile that has just been written.
__global__ void find(const int *in, int *out)
{
    __shared__ int tile[size];
    tile[threadIdx.x] = 3 * threadIdx.x;
    int wanted = in[threadIdx.x] % (3 * size), low = 0, high = size;
    while (low < high) {
        int middle = (low + high) / 2;
        if (tile[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    __syncthreads();
    out[threadIdx.x] = low;
}

int main()
{
    buffer<int> in(n), out(size);
    std::vector<int> bins(size), more(size), found(size);
    for (int i = 0; i < n; i++)
        in[i] = (int)(scramble(i) >> 1);
    for (int i = 0; i < n; i++) {
        bins[in[i] & 255]++;
        more[in[i] & 255]++;
    }
    for (int i = 0; i < size; i++)
        found[i] = (in[i] % (3 * size) + 2) / 3;
    in.upload();
    count<<<1, size>>>(in.device, out.device);
    out.download();
    expect_same("bins", out, bins);
    count_in_more<<<1, size>>>(in.device, out.device);
    out.download();
    expect_same("more bins", out, more);
    find<<<1, size>>>(in.device, out.device);
    out.download();
    expect_same("positions", out, found);
    return finish();
}
