// SPDX-License-Identifier: Apache-2.0
//
// The forum's question on stack frames: local arrays of 135,200 bytes per
// thread run, and so do those of 320,000 where there is memory for them. What a
// kernel is known to need, it gets, whatever cudaLimitStackSize says; the limit
// is for calls that nobody can count, and too many of them are an error.
#include "../check.h"

// Writes some words of the array and walks over them.
static __host__ __device__ int walk(int *local, int n, int seed, int steps)
{
    int used = n < 700 ? n : 700, gap = n / used;
    for (int i = 0; i < used; i++)
        local[i * gap] = i ^ seed;
    int at = seed % used, sum = 0;
    for (int i = 0; i < steps; i++) {
        sum += local[at * gap];
        local[at * gap] += i;
        at = (at + 37) % used;
    }
    return sum;
}

template <int BYTES> __global__ void large_frame(int *out, int steps)
{
    int local[BYTES / 4];
    out[thread_in_grid()] = walk(local, BYTES / 4, thread_in_grid(), steps);
}

template <int BYTES> static void frame()
{
    const int threads = 96, steps = 300;
    std::vector<int> local(BYTES / 4);
    buffer<int> out(threads);
    large_frame<BYTES><<<3, threads / 3>>>(out.device, steps);
    out.download();
    for (int i = 0; i < threads; i += 5)
        EXPECT_EQ(out[i], walk(local.data(), BYTES / 4, i, steps));
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, large_frame<BYTES>));
    EXPECT(attributes.localSizeBytes >= BYTES);
}

static void stack_limit()
{
    size_t limit = 0;
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    EXPECT_EQ(limit, 1024);
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    EXPECT(limit >= 16384);
    frame<1000>();
}

// ---- calls without end ------------------------------------------------------

__device__ __noinline__ int down(int *out, int i)
{
    int local[16];
    local[i % 16] = i;
    if (out[0] == 12345)
        return i;
    return down(out, i + 1) + local[(i + 1) % 16];
}

__global__ void endless(int *out)
{
    out[thread_in_grid()] = down(out, threadIdx.x);
}

static void overflow()
{
    buffer<int> out(32, 0);
    endless<<<1, 32>>>(out.device);
    cudaError_t status = cudaDeviceSynchronize();
    EXPECT(status != cudaSuccess);
    EXPECT(cudaGetLastError() == status);
    CHECK(cudaDeviceReset());
    out.device = nullptr; // the reset took it
    frame<64>();
}

int main()
{
    frame<135200>();
    frame<320000>();
    stack_limit();
    overflow();
    return finish();
}
