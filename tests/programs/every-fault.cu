// SPDX-License-Identifier: Apache-2.0
//
// All the ways in which a kernel can go astray, one after the other in one
// process: each launch is accepted, each ends its context with the error that
// it should, and after a reset the device is as good as new.
#include <functional>
#include <thread>

#include "check.h"

// ---- addresses ------------------------------------------------------------

__global__ void store(long long address)
{
    *(volatile int *)address = 1;
}

__global__ void store_row(long long address)
{
    ((volatile int *)address)[threadIdx.x] = 1;
}

__global__ void add(long long address)
{
    atomicAdd((int *)address, 1);
}

__global__ void clear(long long address)
{
    memset((void *)address, 0, 64);
}

__global__ void load_far(int *p)
{
    *p = ((volatile int *)p)[1ll << 33];
}

__global__ void one_of_many(long long address, int who)
{
    if (threadIdx.x == who && blockIdx.x == 3)
        *(volatile int *)address = 1;
}

__global__ void behind_barrier(long long address)
{
    __shared__ int values[64];
    values[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 40)
        *(volatile int *)address = values[3];
    __syncthreads();
}

__global__ void run_off(int *p)
{
    for (long long i = 0;; i += 1024)
        p[i] = 1;
}

__global__ void shared(int i, int *out)
{
    __shared__ volatile int values[32];
    values[threadIdx.x] = 1;
    __syncthreads();
    *out = values[i];
}

__global__ void dynamic_shared(int i)
{
    extern __shared__ volatile int words[];
    words[i] = 3;
}

__global__ void local(int i, int *out)
{
    volatile int values[16];
    values[i] = 7;
    *out = values[i & 15];
}

// ---- calls ----------------------------------------------------------------

__device__ __noinline__ int forever(int n, volatile int *p)
{
    volatile int values[8];
    values[n & 7] = *p;
    return forever(n + 1, p) + values[n & 7];
}

__global__ void recurse(int *p)
{
    *p = forever(threadIdx.x, p);
}

__global__ void recurse_in_step(int *p)
{
    __syncthreads();
    *p = forever(threadIdx.x, p);
    __syncthreads();
}

__global__ void call(int *p, long long address)
{
    *p = ((int (*)(int))address)(3);
}

__global__ void trap(int who)
{
    if (threadIdx.x == who && blockIdx.x == 3)
        __trap();
}

__global__ void divide(int *p, int zero)
{
    p[0] = 5 / zero + 5 % zero + (int)(5u / (unsigned)zero);
    p[1] = (-2147483647 - 1) / (zero - 1);
    p[2] = (int)(5ll / zero) + (int)((-9223372036854775807ll - 1) / (zero - 1));
}

// ---- barriers -------------------------------------------------------------

__global__ void meet(int *p, int count)
{
    asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory");
    p[threadIdx.x] = 1;
}

__global__ void arrive(int *p, int count)
{
    asm volatile("bar.arrive 1, %0;" ::"r"(count) : "memory");
    p[threadIdx.x] = 1;
}

__global__ void vote(int *p, int count)
{
    asm volatile("{ .reg .pred q; setp.ne.s32 q, %1, 0;"
                 " bar.red.popc.u32 %0, 2, %1, q; }"
                 : "=r"(p[threadIdx.x])
                 : "r"(count)
                 : "memory");
}

__global__ void differ(int *p)
{
    int count = threadIdx.x < 32 ? 64 : 128;
    asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory");
    p[threadIdx.x] = 1;
}

__global__ void mix(int *p, int is_vote)
{
    if (threadIdx.x / 32 % 2)
        p[threadIdx.x] = __syncthreads_or(threadIdx.x == 40);
    else if (is_vote)
        p[threadIdx.x] = __syncthreads_count(threadIdx.x == 40);
    else
        __syncthreads();
}

// ---------------------------------------------------------------------------

__global__ void mark(int *p)
{
    *p = 77;
}

__global__ void wait_for(const volatile int *flag)
{
    while (!*flag)
        ;
}

static void check_device()
{
    int *p, value = 0;
    CHECK(cudaMalloc(&p, sizeof *p));
    mark<<<1, 1>>>(p);
    CHECK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDefault));
    EXPECT_EQ(value, 77);
    CHECK(cudaFree(p));
}

static void reset()
{
    CHECK(cudaDeviceReset());
    (void)cudaGetLastError();
}

static void expect(const char *name, cudaError_t want,
                   const std::function<void(int *)> &launch)
{
    int *p;
    CHECK(cudaMallocManaged(&p, 1 << 16));
    launch(p);
    cudaError_t launched = cudaGetLastError(), got = cudaDeviceSynchronize();
    if (launched || got != want)
        FAIL("%s: launch %s, then %s, should be %s", name,
             cudaGetErrorName(launched), cudaGetErrorName(got),
             cudaGetErrorName(want));
    if (want)
        reset();
    check_device();
}

static const cudaError_t bad = cudaErrorIllegalAddress;
static const cudaError_t failed = cudaErrorLaunchFailure;
static const cudaError_t illegal = cudaErrorIllegalInstruction;

static void check_addresses()
{
    static const long long addresses[] = {
        0, 8, 4096, -8, 1ll << 47, 0x7fffffff0000, (long long)(1ull << 63),
    };
    for (long long a : addresses) {
        expect("store", bad, [=](int *) { store<<<1, 32>>>(a); });
        expect("row", bad, [=](int *) { store_row<<<1, 64>>>(a); });
        expect("atomic", bad, [=](int *) { add<<<1, 32>>>(a); });
        expect("memset", bad, [=](int *) { clear<<<1, 32>>>(a); });
    }
    for (int who : {0, 31, 32, 63}) {
        expect("one", bad, [=](int *) { one_of_many<<<8, 64>>>(16, who); });
        expect("one trap", failed, [=](int *) { trap<<<8, 64>>>(who); });
    }
    expect("barrier", bad, [](int *) { behind_barrier<<<8, 64>>>(16); });
    expect("far", bad, [](int *p) { load_far<<<1, 1>>>(p); });
    expect("run off", bad, [](int *p) { run_off<<<1, 1>>>(p); });
    expect("shared", bad, [](int *p) { shared<<<1, 32>>>(1 << 26, p); });
    expect("below", bad, [](int *p) { shared<<<1, 32>>>(-1000, p); });
    expect("dynamic", bad, [](int *) { dynamic_shared<<<1, 32>>>(1 << 20); });
    expect("local", bad, [](int *p) { local<<<1, 32>>>(1 << 28, p); });
}

static void check_calls()
{
    expect("recursion", failed, [](int *p) { recurse<<<2, 128>>>(p); });
    expect("step", failed, [](int *p) { recurse_in_step<<<2, 128>>>(p); });
    expect("null", cudaErrorInvalidPc, [](int *p) { call<<<1, 32>>>(p, 0); });
    expect("division", cudaSuccess, [](int *p) { divide<<<1, 32>>>(p, 0); });
}

// Barriers of which PTX says that they are undefined: what an H200 makes of them.
static void check_barriers()
{
    for (int count : {31, 100}) {
        expect("count", illegal, [=](int *p) { meet<<<2, 128>>>(p, count); });
        expect("alone", illegal, [=](int *p) { meet<<<2, 32>>>(p, count); });
        expect("arrival", illegal,
               [=](int *p) { arrive<<<2, 128>>>(p, count); });
        expect("vote", illegal, [=](int *p) { vote<<<2, 128>>>(p, count); });
    }
    for (int count : {0, 4096 + 128}) {
        expect("good", cudaSuccess, [=](int *p) { meet<<<2, 128>>>(p, count); });
        expect("good", cudaSuccess, [=](int *p) { vote<<<2, 128>>>(p, count); });
    }
    expect("nobody", illegal, [](int *p) { arrive<<<2, 128>>>(p, 0); });
    expect("nobody", illegal, [](int *p) { arrive<<<2, 128>>>(p, 4096); });
    expect("other counts", illegal, [](int *p) { differ<<<2, 128>>>(p); });
    expect("other kind", illegal, [](int *p) { mix<<<2, 128>>>(p, 0); });
    expect("other vote", illegal, [](int *p) { mix<<<2, 128>>>(p, 1); });
}

// What other streams do ends, too, and other threads learn of it.
static void check_others()
{
    int *flag;
    cudaStream_t a, b;
    CHECK(cudaMallocHost(&flag, sizeof *flag));
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    *flag = 0;
    wait_for<<<1, 32, 0, a>>>(flag);
    store<<<1, 32, 0, b>>>(0);
    EXPECT(cudaStreamSynchronize(b) == bad);
    cudaError_t last = cudaErrorUnknown, sync = cudaErrorUnknown;
    std::thread other([&] {
        last = cudaGetLastError(); // nothing that it did itself
        sync = cudaStreamQuery(a);
    });
    other.join();
    EXPECT(last == cudaSuccess && sync == bad);
    *flag = 1;
    EXPECT(cudaDeviceSynchronize() == bad);
    reset();
    check_device();
}

int main()
{
    check_addresses();
    check_calls();
    check_barriers();
    check_others();
    return finish();
}
