// SPDX-License-Identifier: Apache-2.0
// weftcc: -arch=sm_90 -std=c++17
//
// Atomic accesses of 16 bytes and of several floats: both halves are always of
// one and the same thread.
#include <cuda/atomic>

#include "check.h"

struct alignas(16) pair {
    unsigned long long a, b;
};

enum { BLOCKS = 6, SIZE = 64, THREADS = BLOCKS * SIZE };

__global__ void count(pair *p, int *torn)
{
    pair old = p[0], seen;
    do {
        seen = old;
        if (seen.b != 3 * seen.a)
            atomicAdd(torn, 1);
        old = atomicCAS(p, seen, pair{seen.a + 1, seen.b + 3});
    } while (old.a != seen.a || old.b != seen.b);
    unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;
    pair before = atomicExch(p + 1, pair{i, ~i});
    if (before.b != ~before.a)
        atomicAdd(torn, 1);
    atomicAdd((unsigned long long *)(p + 2), before.a);
    atomicExch_system(p + 3, pair{7, 8});
    atomicCAS_block(p + 4, pair{0, 0}, pair{9, 10});
}

static void check_functions()
{
    buffer<pair> p(std::vector<pair>{{0, 0}, {1000, ~1000ull}, {}, {}, {}});
    buffer<int> torn(std::vector<int>{0});
    count<<<BLOCKS, SIZE>>>(p.device, torn.device);
    CHECK_KERNEL();
    p.download();
    torn.download();
    EXPECT_EQ(torn.host[0], 0);
    EXPECT_EQ(p.host[0].a, THREADS);
    EXPECT_EQ(p.host[0].b, 3 * THREADS);
    // of a chain of exchanges only the last value was seen by nobody
    EXPECT_EQ(p.host[2].a + p.host[1].a, 1000 + THREADS * (THREADS - 1) / 2);
    EXPECT(p.host[3].a == 7 && p.host[3].b == 8);
    EXPECT(p.host[4].a == 9 && p.host[4].b == 10);
}

template <cuda::thread_scope scope>
__global__ void count_objects(cuda::atomic<pair, scope> *p,
                              cuda::atomic<unsigned __int128, scope> *wide)
{
    pair old = p->load();
    while (!p->compare_exchange_weak(old, pair{old.a + 1, old.b - 1}))
        ;
    wide->fetch_add((unsigned __int128)1 << 64 | ~0ull);
    if (threadIdx.x == 0 && blockIdx.x == 0)
        p[1].store(pair{5, 6});
    cuda::atomic_ref<pair, scope> ref(((pair *)p)[2]);
    ref.exchange(pair{1, 2}, cuda::std::memory_order_relaxed);
}

template <cuda::thread_scope scope> static void check_objects(int blocks)
{
    buffer<pair> p(std::vector<pair>(4, pair{0, 0}));
    count_objects<scope><<<blocks, SIZE>>>(
        (cuda::atomic<pair, scope> *)p.device,
        (cuda::atomic<unsigned __int128, scope> *)(p.device + 3));
    CHECK_KERNEL();
    p.download();
    unsigned long long n = blocks * SIZE;
    EXPECT(p.host[0].a == n && p.host[0].b == 0 - n);
    EXPECT(p.host[1].a == 5 && p.host[1].b == 6);
    EXPECT(p.host[2].a == 1 && p.host[2].b == 2);
    EXPECT_EQ(p.host[3].a, 0 - n); // n times 2^65 - 1
    EXPECT_EQ(p.host[3].b, 2 * n - 1);
}

__global__ void add_floats(float2 *two, float4 *four)
{
    atomicAdd(two, make_float2(0.5f, -1));
    float4 old = atomicAdd_system(four, make_float4(1, 2, 3, 4));
    atomicAdd_block(two + 1, make_float2(old.y - 2 * old.x, old.w - old.x));
}

static void check_floats()
{
    buffer<float2> two(std::vector<float2>(2));
    buffer<float4> four(std::vector<float4>(1));
    add_floats<<<1, SIZE>>>(two.device, four.device);
    CHECK_KERNEL();
    two.download();
    four.download();
    EXPECT(two.host[0].x == SIZE * 0.5f && two.host[0].y == -SIZE);
    EXPECT(four.host[0].x == SIZE && four.host[0].y == 2 * SIZE);
    EXPECT(four.host[0].z == 3 * SIZE && four.host[0].w == 4 * SIZE);
}

int main()
{
    check_functions();
    check_objects<cuda::thread_scope_device>(BLOCKS);
    check_objects<cuda::thread_scope_system>(BLOCKS);
    check_objects<cuda::thread_scope_block>(1);
    check_floats();
    return finish();
}
