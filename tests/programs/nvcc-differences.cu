// SPDX-License-Identifier: Apache-2.0
// weftcc: -std=c++17
//
// What nvcc takes and clang alone does not, of what programs were seen to use;
// declarations that differ are in tests/cc/merged-*.
#include "check.h"

#include <cstdint>
#include <cuda/barrier>
#include <cuda_fp16.h>

// ---- host min and max, of two types too -------------------------------------

static void test_host_minmax()
{
    int i = 3;
    unsigned u = 4;
    long l = 5;
    long long ll = 6;
    unsigned long long ull = 7;
    float f = 2.5f;
    double d = 9.5;
    size_t z = 8;
    EXPECT_EQ(min(i, u), 3);
    EXPECT_EQ(max(u, i), 4);
    EXPECT_EQ(max(ll, ull), 7);
    EXPECT_EQ(min(l, (long)i), 3);
    EXPECT_EQ(max((int64_t)i, (int64_t)u), 4);
    EXPECT_EQ(max(z, z), 8);
    EXPECT(min(f, d) == 2.5);
    EXPECT(max(1.0f, 2.0f) == 2.0f);
}

// ---- kernels --------------------------------------------------------------------

struct results {
    int lane, finite, sum;
    unsigned atomics[4];
    __half2 pair;
};

__global__ void take_all(results *out, float *f)
{
    register int i = threadIdx.x;
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    if (i == 0)
        init(&all, blockDim.x);
    __syncthreads();
    all.arrive_and_wait();

    int lane;
    asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
    asm volatile("{ .reg .u32 t; mov.u32 t, %laneid; }");
    __stcs(f + i, 2.5f);
    bool is_good = isfinite(f[i]) && !isnan(f[i]) && !isinf((double)f[i]) &&
                   !signbit(f[i]);
    __nv_atomic_fetch_add(&out->atomics[0], 1u, __NV_ATOMIC_RELAXED,
                          __NV_THREAD_SCOPE_DEVICE);
    if (i != 31)
        return;
    unsigned expected = 9;
    __nv_atomic_compare_exchange_n(&out->atomics[1], &expected, 5u, false,
                                   __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED,
                                   __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_store_n(&out->atomics[2], 3u, __NV_ATOMIC_RELEASE);
    __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    out->atomics[3] = __nv_atomic_load_n(&out->atomics[2], __NV_ATOMIC_ACQUIRE,
                                         __NV_THREAD_SCOPE_BLOCK) +
                      expected;
    __half2 pair = __floats2half2_rn(1, 2);
    out->pair = {pair.y, pair.x};
    out->lane = lane;
    out->finite = is_good;
}

static void test_kernel()
{
    results *r;
    float *f;
    CHECK(cudaMallocManaged(&r, sizeof *r));
    CHECK(cudaMallocManaged(&f, 32 * sizeof *f));
    memset(r, 0, sizeof *r);
    r->atomics[1] = 8;
    take_all<<<1, 32>>>(r, f);
    CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(r->lane, 31);
    EXPECT_EQ(r->finite, 1);
    EXPECT_EQ(r->atomics[0], 32);
    EXPECT_EQ(r->atomics[1], 8);
    EXPECT_EQ(r->atomics[2], 3);
    EXPECT_EQ(r->atomics[3], 11);
    EXPECT(__low2float(r->pair) == 2 && __high2float(r->pair) == 1);
}

// ---- shared objects: nobody calls their constructors ------------------------

struct counted {
    int n;
    __device__ counted() : n(7)
    {
    }
    __device__ ~counted()
    {
        n = 0;
    }
};
struct with_initializer {
    int n = 5;
};

template <typename T> __global__ void use_shared(int *out)
{
    __shared__ T table[4][2];
    __shared__ with_initializer one;
    int i = threadIdx.x;
    table[i / 2][i % 2].n = i;
    if (i == 0)
        one.n = 100 + sizeof table;
    __syncthreads();
    out[i] = table[(7 - i) / 2][(7 - i) % 2].n * 1000 + one.n;
}

static void test_shared_objects()
{
    int *out;
    CHECK(cudaMallocManaged(&out, 8 * sizeof *out));
    use_shared<counted><<<1, 8>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 8; i++)
        EXPECT_EQ(out[i], (7 - i) * 1000 + 132);
}

// ---- a macro that stands for #pragma ----------------------------------------

// clang-format off
#define UNROLL #pragma unroll
#define UNROLL_BY_4   #pragma unroll 4 // times
// clang-format on

template <int N> __host__ __device__ int sum_up(const int *v)
{
    int sum = 0;
    UNROLL
    for (int i = 0; i < N; i++)
        sum += v[i];
    UNROLL_BY_4
    for (int i = 0; i < N; i++)
        sum += v[i] * 100;
    return sum;
}

__global__ void use_macros(int *v)
{
    v[threadIdx.x + 8] = sum_up<8>(v);
}

static void test_macros()
{
    int *v;
    CHECK(cudaMallocManaged(&v, 9 * sizeof *v));
    for (int i = 0; i < 8; i++)
        v[i] = i;
    use_macros<<<1, 1>>>(v);
    CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(v[8], 2828);
    EXPECT_EQ(sum_up<8>(v), 2828);
}

// ---- #pragma unroll that nvcc does not heed; a power's type ------------------

__global__ void use_pragmas(int *v, float x)
{
#pragma unroll
    v[0] = 1;
#pragma unroll -1
    for (int i = 1; i < 4; i++)
        v[i] = v[i - 1] * 2;
    v[4] = sizeof(pow(x, v[1])) * 10 + sizeof(std::pow(x, 2.f));
    v[5] = pow(x, v[1]) == (double)x * x;
}

static void test_pragmas()
{
    int *v;
    CHECK(cudaMallocManaged(&v, 6 * sizeof *v));
    use_pragmas<<<1, 1>>>(v, 1.1f);
    CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(v[3], 8);
    EXPECT_EQ(v[4], 84);
    EXPECT_EQ(v[5], 1);
}

int main()
{
    test_host_minmax();
    test_pragmas();
    test_kernel();
    test_macros();
    test_shared_objects();
    return finish();
}
