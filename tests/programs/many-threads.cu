// SPDX-License-Identifier: Apache-2.0
//
// Host threads that use all of the device at once: memory, streams, events,
// copies, host functions, symbols, device malloc, and errors, each its own.
#include <atomic>
#include <thread>

#include "check.h"

__device__ int launches;
__constant__ int step[4];

__global__ void add(int *p, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < n; i += gridDim.x * blockDim.x)
        p[i] += value;
}

__global__ void sum(const int *p, int n, int *out)
{
    __shared__ int part[256];
    int t = 0;
    for (int i = threadIdx.x; i < n; i += 256)
        t += p[i];
    part[threadIdx.x] = t;
    __syncthreads();
    for (int k = 128; k; k >>= 1) {
        if (threadIdx.x < k)
            part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = part[0];
}

__global__ void count()
{
    atomicAdd(&launches, step[0]);
}

__global__ void allocate(int *out)
{
    int *p = (int *)malloc(64);
    *p = threadIdx.x;
    atomicAdd(out, *p);
    free(p);
}

static std::atomic<int> host_calls;

struct numbers {
    unsigned seed;

    int below(int n)
    {
        seed = seed * 1103515245 + 12345;
        return (int)((seed >> 8) % n);
    }
};

// The interpreter takes half a microsecond for an instruction.
static const char *const engine = getenv("WEFT_ENGINE");
static const int most = engine && !strcmp(engine, "emu") ? 3000 : 20000;

static void wait(int how, cudaStream_t s, cudaEvent_t e)
{
    if (how == 0)
        CHECK(cudaStreamSynchronize(s));
    else if (how == 1)
        CHECK(cudaEventSynchronize(e));
    else if (how == 2)
        CHECK(cudaDeviceSynchronize());
    else
        while (cudaEventQuery(e) == cudaErrorNotReady)
            ;
}

static void one_round(int id, numbers &r)
{
    int n = 1 + r.below(most), times = 1 + r.below(5);
    int *device, *host, *results;
    cudaEvent_t begin, end;
    cudaStream_t s = cudaStreamPerThread;
    if (r.below(2))
        CHECK(cudaStreamCreateWithFlags(&s, r.below(2)));
    CHECK(cudaMalloc(&device, n * sizeof *device));
    CHECK(cudaMallocHost(&host, n * sizeof *host));
    CHECK(cudaMallocManaged(&results, 2 * sizeof *results));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    results[0] = results[1] = 0;
    CHECK(cudaMemsetAsync(device, 0, n * sizeof *device, s));
    CHECK(cudaEventRecord(begin, s));
    for (int i = 0; i < times; i++)
        add<<<1 + r.below(8), 32 * (1 + r.below(8)), 0, s>>>(device, n, id);
    sum<<<1, 256, 0, s>>>(device, n, results);
    allocate<<<1, 32, 0, s>>>(results + 1);
    CHECK(cudaMemcpyAsync(host, device, n * sizeof *host, cudaMemcpyDefault,
                          s));
    CHECK(cudaLaunchHostFunc(s, [](void *) { ++host_calls; }, nullptr));
    CHECK(cudaEventRecord(end, s));
    count<<<1, 32>>>();
    CHECK(cudaGetLastError());
    EXPECT(cudaMalloc((void **)nullptr, 1) == cudaErrorInvalidValue);
    wait(r.below(4), s, end);
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    EXPECT(ms >= 0);
    for (int i = 0; i < n; i++)
        EXPECT_EQ(host[i], id * times);
    EXPECT_EQ(results[0], n * id * times);
    EXPECT_EQ(results[1], 496);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue); // nobody else's
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    if (s != cudaStreamPerThread)
        CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(results));
}

int main()
{
    const int threads = 8, rounds = 100;
    const int one = 1;
    int total = 0;
    CHECK(cudaMemcpyToSymbol(step, &one, sizeof one));
    std::vector<std::thread> all;
    for (int i = 1; i <= threads; i++)
        all.emplace_back([=] {
            numbers r = {i * 77u};
            for (int k = 0; k < rounds; k++)
                one_round(i, r);
        });
    for (std::thread &t : all)
        t.join();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(&total, launches, sizeof total));
    EXPECT_EQ(total, 32 * threads * rounds);
    EXPECT_EQ(host_calls.load(), threads * rounds);
    return finish();
}
