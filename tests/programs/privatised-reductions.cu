// SPDX-License-Identifier: Apache-2.0
// Many blocks add to one place, or to a few in turn: the sums must be there
// when the kernel has ended, and when a thread looks at its own.
#include <cstdio>

const int blocks = 777;

__global__ void one_place(unsigned *sum, int *low, int *high, unsigned *bits,
                          unsigned *parity, float *f, double *d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        atomicAdd(sum, blockIdx.x);
        atomicAdd(d, 0.5);
    }
    atomicMin(low, -i);
    atomicMax(high, i);
    atomicOr(bits, 1u << i % 13);
    atomicXor(parity, i);
    if (threadIdx.x % 2)
        atomicAdd(f, 1.0f);
}

__global__ void in_turn(unsigned long long *sums, int places)
{
    if (threadIdx.x == 3)
        atomicAdd(&sums[blockIdx.x / 5 % places], 1ull << 32);
}

// With a barrier, and the last warp incomplete.
__global__ void behind_barrier(unsigned *sum)
{
    __shared__ unsigned part[96];
    part[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned all = 0;
        for (unsigned i = 0; i < blockDim.x; i++)
            all += part[i];
        atomicAdd(sum, all);
    }
}

// A thread that reads what it has added to finds it there.
__global__ void looked_at(unsigned *sums, unsigned *wrong)
{
    unsigned *own = &sums[blockIdx.x];
    if (threadIdx.x == 0) {
        atomicAdd(own, 3u);
        if (*(volatile unsigned *)own != 3)
            atomicAdd(wrong, 1u);
    }
}

// The order of a sum and a maximum on one place is kept for each thread.
__global__ void sum_then_limit(unsigned *v)
{
    if (threadIdx.x == 0)
        atomicAdd(&v[blockIdx.x], 100u);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMin(&v[blockIdx.x], 7u);
}

// The last block to come adds what all have stored.
__global__ void last_block(unsigned *parts, unsigned *come, unsigned *total)
{
    if (threadIdx.x == 0) {
        atomicAdd(&parts[blockIdx.x % 4], blockIdx.x);
        __threadfence();
        if (atomicAdd(come, 1u) == gridDim.x - 1)
            for (int i = 0; i < 4; i++)
                *total += *(volatile unsigned *)&parts[i];
    }
}

// No barrier, no fence: in a loop, and never for some lanes.
__global__ void in_loop(unsigned *sum, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (i % 3 == 0)
            atomicAdd(sum, 1u);
}

template <typename T> static T *array(int n, T first)
{
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    for (int i = 0; i < n; i++)
        p[i] = first;
    return p;
}

int main()
{
    auto sum = array<unsigned>(1, 1), bits = array<unsigned>(1, 0),
         parity = array<unsigned>(1, 0);
    auto low = array<int>(1, 5), high = array<int>(1, 5);
    auto f = array<float>(1, 0);
    auto d = array<double>(1, 0);
    one_place<<<blocks, 100>>>(sum, low, high, bits, parity, f, d);
    cudaDeviceSynchronize();
    printf("one place: %u %d %d %x %u %g %g\n", *sum, *low, *high, *bits,
           *parity, *f, *d);

    auto sums = array<unsigned long long>(3, 9);
    in_turn<<<blocks, 32>>>(sums, 3);
    cudaDeviceSynchronize();
    printf("in turn: %llx %llx %llx\n", sums[0], sums[1], sums[2]);

    *sum = 0;
    behind_barrier<<<blocks, 90>>>(sum);
    behind_barrier<<<blocks, 64>>>(sum);
    cudaDeviceSynchronize();
    printf("behind a barrier: %u\n", *sum);

    auto own = array<unsigned>(blocks, 0), wrong = array<unsigned>(1, 0);
    looked_at<<<blocks, 64>>>(own, wrong);
    cudaDeviceSynchronize();
    printf("looked at: %u wrong\n", *wrong);

    auto v = array<unsigned>(blocks, 0);
    sum_then_limit<<<blocks, 64>>>(v);
    cudaDeviceSynchronize();
    unsigned sevens = 0;
    for (int i = 0; i < blocks; i++)
        sevens += v[i] == 7;
    printf("sum, then limit: %u\n", sevens);

    auto parts = array<unsigned>(4, 0), come = array<unsigned>(1, 0),
         total = array<unsigned>(1, 0);
    last_block<<<blocks, 64>>>(parts, come, total);
    cudaDeviceSynchronize();
    printf("last block: %u\n", *total);

    *sum = 0;
    in_loop<<<33, 48>>>(sum, 1000);
    cudaDeviceSynchronize();
    printf("in a loop: %u\n", *sum);
    return 0;
}
