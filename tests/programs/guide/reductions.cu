// SPDX-License-Identifier: Apache-2.0
//
// Sums over many threads: without barriers inside a warp ("Synchronization
// Instruction": the threads of a warp are in step, if the shared memory is
// volatile), by the last block that is done ("Memory Fence Functions"), and
// with an atomic addition of doubles made of compare-and-swap ("Atomic
// Functions").
#include "../check.h"

// ---- a warp in step ---------------------------------------------------------

__global__ void sum_in_step(const float *in, float *out)
{
    extern __shared__ float data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    if (tid < 128)
        data[tid] += data[tid + 128];
    __syncthreads();
    if (tid < 64)
        data[tid] += data[tid + 64];
    __syncthreads();
    if (tid < 32) {
        volatile float *s = data;
        s[tid] += s[tid + 32];
        s[tid] += s[tid + 16];
        s[tid] += s[tid + 8];
        s[tid] += s[tid + 4];
        s[tid] += s[tid + 2];
        s[tid] += s[tid + 1];
    }
    if (tid == 0)
        out[blockIdx.x] = data[0];
}

static void warp_in_step()
{
    const int blocks = 40;
    buffer<float> in(blocks * 256), out(blocks);
    std::vector<float> want(blocks, 0.0f);
    for (int i = 0; i < blocks * 256; i++) {
        in[i] = (float)(scramble(i) % 64);
        want[i / 256] += in[i];
    }
    in.upload();
    sum_in_step<<<blocks, 256, 256 * sizeof(float)>>>(in.device, out.device);
    out.download();
    expect_same("a warp in step", out, want);
}

// ---- the last block ---------------------------------------------------------

__device__ unsigned int blocks_done = 0;
__shared__ bool is_last;

static __device__ float sum_of_block(const float *values, int n, int first,
                                     int step)
{
    __shared__ float partial[128];
    float sum = 0;
    for (int i = first + threadIdx.x; i < n; i += step)
        sum += values[i];
    partial[threadIdx.x] = sum;
    for (int half = 64; half; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    return partial[0];
}

__global__ void sum(const float *values, int n, float *result)
{
    float part = sum_of_block(values, n, blockIdx.x * blockDim.x,
                              blockDim.x * gridDim.x);
    if (threadIdx.x == 0) {
        result[blockIdx.x] = part;
        // Who sees the count sees the part.
        __threadfence();
        unsigned done = atomicInc(&blocks_done, gridDim.x);
        is_last = done == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last)
        return;
    float total = sum_of_block((const float *)result, gridDim.x, 0, blockDim.x);
    if (threadIdx.x == 0) {
        result[0] = total;
        blocks_done = 0;
    }
}

static void last_block()
{
    const int n = 20011;
    buffer<float> values(n), result(50);
    float want = 0;
    for (int i = 0; i < n; i++)
        want += values[i] = (float)(scramble(i) % 16);
    values.upload();
    for (int blocks : {1, 7, 50}) {
        sum<<<blocks, 128>>>(values.device, n, result.device);
        result.download();
        EXPECT(result[0] == want);
    }
}

// ---- any atomic operation ---------------------------------------------------

__device__ double add_atomically(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(
            bits, assumed,
            __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void add_all(double *sums, int *seen_before)
{
    int i = thread_in_grid();
    double before = add_atomically(&sums[i % 3], i * 0.25);
    if (before == 0)
        atomicAdd(seen_before, 1);
}

static void atomic_double()
{
    buffer<double> sums(3, 0);
    buffer<int> seen(1, 0);
    double want[3] = {};
    for (int i = 0; i < 5 * 96; i++)
        want[i % 3] += i * 0.25;
    add_all<<<5, 96>>>(sums.device, seen.device);
    sums.download();
    seen.download();
    expect_same("doubles", &sums[0], want, 3);
    EXPECT(seen[0] >= 3); // the first of each, and those behind thread 0
}

int main()
{
    warp_in_step();
    last_block();
    atomic_double();
    return finish();
}
