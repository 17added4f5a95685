// SPDX-License-Identifier: Apache-2.0
//
// <cuda/atomic>, <cuda/latch>, <cuda/semaphore> and what programs use of
// <cuda/std/...>, on both sides.
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include "check.h"

struct counters {
    cuda::atomic<int, cuda::thread_scope_device> sum;
    cuda::atomic<unsigned long long> wide;
    cuda::atomic<float, cuda::thread_scope_block> fraction;
    cuda::atomic<int> most, least, bits;
    cuda::std::atomic<int> standard;
    cuda::std::atomic<short> small;
    cuda::atomic<int *> pointer;
    cuda::latch<cuda::thread_scope_device> done{256};
    cuda::binary_semaphore<cuda::thread_scope_device> lock{1};
    int plain, guarded;
    /* Of an int's alignment, a size of 8. */
    struct alignas(8) {
        struct both {
            int up, down;
            __host__ __device__ bool operator==(const both &o) const
            {
                return up == o.up && down == o.down;
            }
        } now;
    } pair;

    counters()
        : sum(0), wide(0), fraction(0), most(-1), least(1000), bits(0),
          standard(0), small(0), pointer(nullptr), plain(0), guarded(0), pair()
    {
    }
};

__global__ void count(counters *c, int *out)
{
    int i = thread_in_grid();
    c->sum += i;
    c->wide.fetch_add(1ull << 40, cuda::memory_order_relaxed);
    c->fraction.fetch_add(0.5f);
    c->most.fetch_max(i);
    c->least.fetch_min(i);
    c->bits.fetch_or(1 << (i % 32), cuda::std::memory_order_relaxed);
    c->standard++;
    c->small.fetch_add(2);
    c->pointer.fetch_add(1);
    cuda::atomic_ref<int, cuda::thread_scope_device> plain(c->plain);
    int seen = plain.load(cuda::memory_order_relaxed);
    while (!plain.compare_exchange_weak(seen, seen + 1,
                                        cuda::memory_order_acq_rel)) {
    }
    cuda::atomic_ref<decltype(c->pair.now), cuda::thread_scope_device> pair(
        c->pair.now);
    auto was = pair.load(cuda::memory_order_relaxed), next = was;
    do {
        next = {was.up + 1, was.down - 2};
    } while (!pair.compare_exchange_weak(was, next));
    cuda::atomic_thread_fence(cuda::memory_order_release,
                              cuda::thread_scope_device);
    c->done.count_down();
    out[i] = 0;
}

// One thread of each block: lanes of a warp would wait for each other.
__global__ void guarded(counters *c)
{
    if (threadIdx.x == 0) {
        c->lock.acquire();
        int seen = *(volatile int *)&c->guarded;
        *(volatile int *)&c->guarded = seen + 1;
        c->lock.release();
    }
}

// Shared variables have no initial value.
__global__ void guarded_in_block(int *out)
{
    __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 2> places;
    __shared__ int inside, most;
    if (threadIdx.x == 0) {
        new (&places)
            cuda::counting_semaphore<cuda::thread_scope_block, 2>(2);
        inside = most = 0;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        places.acquire();
        atomicMax(&most, atomicAdd(&inside, 1) + 1);
        atomicSub(&inside, 1);
        places.release();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = most >= 1 && most <= 2 && inside == 0;
}

// On both sides the same.
__host__ __device__ static int library(int i)
{
    namespace std = cuda::std;
    std::array<int, 4> a = {{i, i + 1, i + 2, i + 3}};
    std::tuple<int, float, char> t(i, 0.5f, 'x');
    auto [first, second, third] = t;
    std::optional<int> maybe;
    if (i % 2)
        maybe = i * 2;
    std::complex<float> z(1.0f, (float)i), w = z * z;
    static_assert(std::is_same_v<std::tuple_element_t<1, decltype(t)>, float>);
    static_assert(std::numeric_limits<std::int16_t>::max() == 32767);
    int sum = first + (int)(second * 4) + third;
    for (int x : a)
        sum += std::max(x, 3) + std::min(x, 5);
    auto pair = std::make_pair(sum, 7);
    sum = std::plus<int>()(pair.first, std::get<1>(pair));
    if (maybe.has_value())
        sum += *maybe;
    return sum + (int)w.real() + (int)w.imag();
}

__global__ void ticks(int *out)
{
    namespace chrono = cuda::std::chrono;
    auto begin = chrono::high_resolution_clock::now();
    while (chrono::high_resolution_clock::now() - begin <
           chrono::microseconds(50)) {
    }
    auto spent = chrono::high_resolution_clock::now() - begin;
    out[0] = (int)chrono::duration_cast<chrono::microseconds>(spent).count();
}

int main()
{
    buffer<int> out(256);
    counters *c;
    CHECK(cudaMallocManaged(&c, sizeof *c));
    new (c) counters;
    int base[1];
    c->pointer = base;
    count<<<4, 64>>>(c, out.device);
    out.download();
    EXPECT_EQ(c->sum.load(), 255 * 128);
    EXPECT_EQ(c->wide.load() >> 40, 256);
    EXPECT_EQ(c->fraction.load(), 128);
    EXPECT_EQ(c->most, 255);
    EXPECT_EQ(c->least, 0);
    EXPECT_EQ(c->bits, -1);
    EXPECT_EQ(c->standard, 256);
    EXPECT_EQ(c->small, 512);
    EXPECT_EQ(c->pointer.load() - base, 256);
    EXPECT_EQ(c->plain, 256);
    EXPECT(c->done.try_wait());
    guarded<<<32, 64>>>(c);
    CHECK_KERNEL();
    EXPECT_EQ(c->guarded, 32);
    EXPECT_EQ(c->pair.now.up, 256);
    EXPECT_EQ(c->pair.now.down, -512);
    cuda::atomic_ref<decltype(c->pair.now)> pair(c->pair.now);
    EXPECT_EQ(pair.exchange({1, 2}).down, -512);
    guarded_in_block<<<1, 128>>>(out.device);
    out.download();
    EXPECT_EQ(out[0], 1);
    cuda::std::atomic<int> here(5);
    EXPECT_EQ(here.exchange(6), 5);
    EXPECT_EQ(++here, 7);
    volatile cuda::std::atomic<int> *there = &here;
    there->store(9, cuda::memory_order_release);
    *there += 1;
    EXPECT_EQ(there->load(), 10);
    CHECK(cudaFree(c));

    CHECK_MAP(int, library, 100);
    ticks<<<1, 1>>>(out.device);
    out.download();
    EXPECT(out[0] >= 50);
    return finish();
}
