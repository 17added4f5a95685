// SPDX-License-Identifier: Apache-2.0
// Loops that do nothing to shared memory but count there, which are compiled
// to count in several tables: whatever the table's size, the values, and
// whoever leaves early, the sums are right.
#include "check.h"

const int length = 60000, blocks = 3;

__host__ __device__ static unsigned bin(unsigned v, unsigned bins)
{
    return v >> 30 ? v % 8 : v % bins;
}

template <int bins>
__global__ void count(const unsigned *in, int n, unsigned *out)
{
    __shared__ unsigned before[5], table[bins], behind[5];
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        table[i] = i;
    if (threadIdx.x < 5)
        before[threadIdx.x] = behind[threadIdx.x] = 77;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        atomicAdd(&table[bin(in[i], bins)], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        atomicAdd(&out[i], table[i] - i);
    if (threadIdx.x < 5)
        atomicAdd(&out[bins], before[threadIdx.x] + behind[threadIdx.x]);
}

template <int bins> static void check_count(int threads)
{
    buffer<unsigned> in(length), out(bins + 1, 0);
    std::vector<unsigned> want(bins + 1);
    for (int i = 0; i < length; i++) {
        in[i] = scramble(i);
        want[bin(in[i], bins)]++;
    }
    want[bins] = blocks * 5 * 154;
    in.upload();
    count<bins><<<blocks, threads>>>(in.device, length, out.device);
    out.download();
    expect_same("counters", out, want);
}

// Values of each lane, two tables, one of them behind a condition.
__global__ void sums(const unsigned *in, int n, int *out)
{
    __shared__ int odd[64], all[64];
    odd[threadIdx.x % 64] = all[threadIdx.x % 64] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int v = (int)(in[i] >> 8 & 1023) - 512;
        atomicAdd(&all[in[i] % 64], v);
        if (v & 1)
            atomicSub(&odd[in[i] % 64], v);
    }
    __syncthreads();
    if (threadIdx.x < 64) {
        out[threadIdx.x] = all[threadIdx.x];
        out[64 + threadIdx.x] = odd[threadIdx.x];
    }
}

static void check_sums(int threads)
{
    buffer<unsigned> in(length);
    buffer<int> out(128, 0);
    std::vector<int> want(128);
    for (int i = 0; i < length; i++) {
        in[i] = scramble(i + 1);
        int v = (int)(in[i] >> 8 & 1023) - 512;
        want[in[i] % 64] += v;
        if (v & 1)
            want[64 + in[i] % 64] -= v;
    }
    in.upload();
    sums<<<1, threads>>>(in.device, length, out.device);
    out.download();
    expect_same("sums", out, want);
}

// Addresses that leave the variable they are computed from, now and then.
__global__ void beyond(const unsigned *in, int n, unsigned *out)
{
    __shared__ unsigned tables[128];
    unsigned *first = tables, *second = tables + 64;
    tables[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd((in[i] >> 20 ? first : second) + in[i] % 64, 2u);
    __syncthreads();
    out[threadIdx.x] = tables[threadIdx.x];
}

// Each iteration looks at what was counted: nothing may come late.
__global__ void looked_at(const unsigned *in, int n, unsigned *out)
{
    __shared__ unsigned table[64];
    if (threadIdx.x < 64)
        table[threadIdx.x] = 0;
    __syncthreads();
    unsigned wrong = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        unsigned *own = &table[threadIdx.x % 64];
        atomicAdd(own, 1u);
        wrong += *(volatile unsigned *)own < (unsigned)(i / blockDim.x);
    }
    atomicAdd(out, wrong);
}

int main()
{
    for (int threads : {64, 256}) {
        check_count<256>(threads);
        check_count<257>(threads);
        check_count<8>(threads);
        check_count<1000>(threads);
        check_count<2000>(threads);
        check_sums(threads);
    }
    check_count<256>(32);
    check_count<256>(90);
    check_sums(200);

    buffer<unsigned> in(length), out(128, 0), wrong(1, 0);
    std::vector<unsigned> want(128);
    for (int i = 0; i < length; i++) {
        in[i] = scramble(i) >> (i % 1000 ? 0 : 12);
        want[in[i] % 64 + (in[i] >> 20 ? 0 : 64)] += 2;
    }
    in.upload();
    beyond<<<1, 128>>>(in.device, length, out.device);
    out.download();
    expect_same("beyond", out, want);
    looked_at<<<1, 128>>>(in.device, length, wrong.device);
    wrong.download();
    EXPECT_EQ(wrong[0], 0);
    return finish();
}
