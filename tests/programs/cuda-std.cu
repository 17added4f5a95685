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

    counters()
        : sum(0), wide(0), fraction(0), most(-1), least(1000), bits(0),
          standard(0), small(0), pointer(nullptr), plain(0), guarded(0)
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
