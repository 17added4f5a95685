// SPDX-License-Identifier: Apache-2.0
//
// Every atomic operation on global and on shared memory, under contention: all
// threads on one address, and groups of lanes on few addresses. What cannot be
// predicted (the value before) must still be a permutation.
#include <algorithm>

#include "check.h"

enum { THREADS = 224, BLOCKS = 6, COUNT = THREADS * BLOCKS };

struct totals {
    int add, sub, min, max, all, any, odd, exchange;
    unsigned umin, umax, inc, dec, cas;
    unsigned long long wide_add, wide_max, wide_min, wide_or, wide_cas;
    long long wide_smin;
    float single;
    double twice;
};

static __host__ __device__ int value_of(int i)
{
    return (int)(scramble(i) % 20001) - 10000;
}

static totals initial()
{
    totals t = {};
    t.min = 1 << 30;
    t.max = -(1 << 30);
    t.all = -1;
    t.umin = 0xffffffffu;
    t.wide_min = ~0ull;
    t.wide_smin = 1ll << 62;
    t.dec = 5;
    return t;
}

__device__ void apply(totals *t, int i)
{
    int v = value_of(i);
    unsigned u = scramble(i + 5);
    atomicAdd(&t->add, v);
    atomicSub(&t->sub, v);
    atomicMin(&t->min, v);
    atomicMax(&t->max, v);
    atomicAnd(&t->all, ~(1 << (i % 9)));
    atomicOr(&t->any, 1 << (i % 11));
    atomicXor(&t->odd, (int)u);
    atomicExch(&t->exchange, i + 1);
    atomicMin(&t->umin, u);
    atomicMax(&t->umax, u);
    atomicInc(&t->inc, 99);
    atomicDec(&t->dec, 99);
    atomicAdd(&t->wide_add, (unsigned long long)u << 8);
    atomicMax(&t->wide_max, (unsigned long long)u << 20);
    atomicMin(&t->wide_min, (unsigned long long)u << 20);
    atomicMin(&t->wide_smin, (long long)v << 33);
    atomicOr(&t->wide_or, 1ull << (i % 60));
    atomicAdd(&t->single, (float)(i % 7)); // sums stay exact
    atomicAdd(&t->twice, 0.5 * v);

    unsigned seen = t->cas, old;
    do { // adds u / 2 by hand
        old = seen;
        seen = atomicCAS(&t->cas, old, old + u / 2);
    } while (seen != old);
    unsigned long long wide_seen = t->wide_cas, wide_old;
    do {
        wide_old = wide_seen;
        wide_seen = atomicCAS(&t->wide_cas, wide_old, wide_old + u * 3ull);
    } while (wide_seen != wide_old);
}

__global__ void in_global(totals *t)
{
    apply(t, blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void in_shared(totals *out, totals start)
{
    __shared__ totals t;
    if (threadIdx.x == 0)
        t = start;
    __syncthreads();
    apply(&t, blockIdx.x * blockDim.x + threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = t;
}

static totals expected(int from, int to)
{
    totals t = initial();
    for (int i = from; i < to; i++) {
        int v = value_of(i);
        unsigned u = scramble(i + 5);
        t.add += v;
        t.sub -= v;
        t.min = std::min(t.min, v);
        t.max = std::max(t.max, v);
        t.all &= ~(1 << (i % 9));
        t.any |= 1 << (i % 11);
        t.odd ^= (int)u;
        t.umin = std::min(t.umin, u);
        t.umax = std::max(t.umax, u);
        t.inc = t.inc >= 99 ? 0 : t.inc + 1;
        t.dec = t.dec == 0 || t.dec > 99 ? 99 : t.dec - 1;
        t.wide_add += (unsigned long long)u << 8;
        t.wide_max = std::max(t.wide_max, (unsigned long long)u << 20);
        t.wide_min = std::min(t.wide_min, (unsigned long long)u << 20);
        t.wide_smin = std::min(t.wide_smin, (long long)v * (1ll << 33));
        t.wide_or |= 1ull << (i % 60);
        t.single += (float)(i % 7);
        t.twice += 0.5 * v;
        t.cas += u / 2;
        t.wide_cas += u * 3ull;
    }
    return t;
}

static void expect_totals(const char *where, const totals &got, int from,
                          int to)
{
    totals want = expected(from, to);
#define SAME(field) expect_same(where, &got.field, &want.field, 1)
    SAME(add);
    SAME(sub);
    SAME(min);
    SAME(max);
    SAME(all);
    SAME(any);
    SAME(odd);
    SAME(umin);
    SAME(umax);
    SAME(inc);
    SAME(dec);
    SAME(wide_add);
    SAME(wide_max);
    SAME(wide_min);
    SAME(wide_smin);
    SAME(wide_or);
    SAME(single);
    SAME(twice);
    SAME(cas);
    SAME(wide_cas);
#undef SAME
    EXPECT(got.exchange > from && got.exchange <= to);
}

static void check_totals()
{
    buffer<totals> one(1), per_block(BLOCKS);
    one[0] = initial();
    one.upload();
    in_global<<<BLOCKS, THREADS>>>(one.device);
    one.download();
    expect_totals("global", one[0], 0, COUNT);

    in_shared<<<BLOCKS, THREADS>>>(per_block.device, initial());
    per_block.download();
    for (int b = 0; b < BLOCKS; b++)
        expect_totals("shared", per_block[b], b * THREADS, (b + 1) * THREADS);
}

// The values before: tickets are unique, and nothing is lost in a chain of
// exchanges.
__global__ void tickets(int *counter, int *taken, int *chain, int *passed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    taken[i] = atomicAdd(counter, 1);
    passed[i] = atomicExch(chain, i);
    if (i % 3 == 0) // only some lanes
        atomicAdd(counter + 1, 2);
}

static void check_tickets()
{
    buffer<int> counter(2, 0), taken(COUNT), chain(1, 0xff), passed(COUNT);
    tickets<<<BLOCKS, THREADS>>>(counter.device, taken.device, chain.device,
                                 passed.device);
    counter.download();
    taken.download();
    chain.download();
    passed.download();
    EXPECT_EQ(counter[0], COUNT);
    EXPECT_EQ(counter[1], (COUNT + 2) / 3 * 2);
    std::sort(taken.host.begin(), taken.host.end());
    std::vector<int> all = passed.host;
    all.push_back(chain[0]);
    std::sort(all.begin(), all.end());
    for (int i = 0; i < COUNT; i++) {
        EXPECT_EQ(taken[i], i);
        EXPECT_EQ(all[i], i - 1);
    }
    EXPECT_EQ(all[COUNT], COUNT - 1);
}

// Few addresses, many lanes on each.
__global__ void histogram(unsigned *bins, const unsigned char *data, int n)
{
    __shared__ unsigned local[16];
    if (threadIdx.x < 16)
        local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i] & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

static void check_histogram()
{
    const int n = 20001;
    buffer<unsigned> bins(16, 0);
    buffer<unsigned char> data(n);
    std::vector<unsigned> want(16);
    for (int i = 0; i < n; i++) {
        data[i] = (unsigned char)(scramble(i) % 37);
        want[data[i] & 15]++;
    }
    data.upload();
    histogram<<<5, 96>>>(bins.device, data.device, n);
    bins.download();
    expect_same("histogram", bins, want);
}

// The maximum of floats by compare and swap on their bits.
__device__ float atomic_max(float *address, float value)
{
    int *bits = (int *)address, old = *bits;
    while (value > __int_as_float(old)) {
        int seen = atomicCAS(bits, old, __float_as_int(value));
        if (seen == old)
            break;
        old = seen;
    }
    return __int_as_float(old);
}

__global__ void largest(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomic_max(&out[i % 3], in[i]);
}

static void check_largest()
{
    const int n = 3000;
    buffer<float> out(3, 0), in(n);
    std::vector<float> want(3);
    for (int i = 0; i < n; i++) {
        in[i] = (float)(scramble(i) % 1000000) * 0.125f;
        want[i % 3] = std::max(want[i % 3], in[i]);
    }
    in.upload();
    largest<<<(n + 127) / 128, 128>>>(out.device, in.device, n);
    out.download();
    expect_same("largest", out, want);
}

int main()
{
    check_totals();
    check_tickets();
    check_histogram();
    check_largest();
    return finish();
}
