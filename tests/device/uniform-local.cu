// SPDX-License-Identifier: Apache-2.0
// Kernels that hand a copy of their parameters to functions read it as one
// number for all lanes: of a lane that is there, whichever these are.
#include <cstdio>

struct team {
    int count, step;
    const int *in;
    int more[12];
    __device__ __noinline__ int sum(int from, int *update) const;
};

__device__ int team::sum(int from, int *update) const
{
    int s = 0;
    for (int i = from; i < count; i += step)
        s += in[i] + more[i % 12];
    *update += s;
    return s;
}

// Whole warps leave at once, others in part, and the rest goes on reading.
__global__ void sums(team t, int gone, int *out)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x, total = 0, s = 0;
    __shared__ int meet[256];

    t.step++;
    meet[threadIdx.x] = t.sum(1, &total);
    if ((int)threadIdx.x < gone)
        return;
    for (int i = 0; i < t.count; i += t.step) {
        s += t.sum(i + (int)threadIdx.x % 5, &total);
        if ((int)threadIdx.x % 3 == 1 && i == t.step)
            continue;
        meet[threadIdx.x] += t.more[i % 12];
    }
    out[id] = s ^ total << 8 ^ meet[threadIdx.x];
}

// Barriers in a loop whose end is read from the copy.
__global__ void barriers(team t, int *out)
{
    __shared__ int turn[256];
    int total = 0;

    turn[threadIdx.x] = threadIdx.x;
    t.step--;
    for (int i = 0; i < t.count; i += t.step) {
        __syncthreads();
        int next = turn[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
        turn[threadIdx.x] = next + t.sum(i, &total) % 7;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = turn[threadIdx.x] + total;
}

// One lane changes its own copy; others must not see that.
__device__ __noinline__ void change(team *t, int by)
{
    t->step += by;
}

__global__ void own(team t, int *out)
{
    int total = 0;

    if (threadIdx.x % 32 == 9)
        change(&t, 2);
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        t.sum(0, &total) * 100 + t.step * 10 + t.count % 10;
}

// An array whose address nobody gets, and that all fill alike; then some lanes
// write a word of their own, and leave.
__global__ void stack(team t, int gone, int *out)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
    int todo[16];

#pragma unroll 1
    for (int i = 0; i < 16; i++)
        todo[i] = i * t.count % 11;
#pragma unroll 1
    for (int round = 0; round < t.step; round++) {
        int top = 3 + round;
        if ((int)threadIdx.x % 3 == 1)
            todo[12 + round % 2] = id;
        if ((int)threadIdx.x < gone)
            break;
#pragma unroll 1
        while (top > 0) {
            int next = todo[--top]; // alike
            s = s * 7 + next + todo[12 + next % 4];
            if (next % 3 == 1 && top < 9)
                todo[top++] = next / 2;
        }
    }
    out[id] = s;
}

static unsigned digest(const int *v, int n)
{
    unsigned h = 2166136261u;
    for (int i = 0; i < n; i++)
        h = (h ^ (unsigned)v[i]) * 16777619u;
    return h;
}

int main()
{
    const int blocks = 5, most = blocks * 256;
    int *in, *out;
    team t = {.count = 37, .step = 2};

    cudaMallocManaged(&in, 64 * sizeof *in);
    cudaMallocManaged(&out, most * sizeof *out);
    for (int i = 0; i < 64; i++)
        in[i] = i * i % 23;
    for (int i = 0; i < 12; i++)
        t.more[i] = i * 7 % 5;
    t.in = in;
    for (int threads : {1, 20, 32, 100, 256})
        for (int gone : {0, 1, 33, 70}) {
            for (int i = 0; i < most; i++)
                out[i] = -1;
            sums<<<blocks, threads>>>(t, gone, out);
            cudaDeviceSynchronize();
            printf("sums %d %d: %08x\n", threads, gone, digest(out, most));
            stack<<<blocks, threads>>>(t, gone, out);
            cudaDeviceSynchronize();
            printf("stack %d %d: %08x\n", threads, gone, digest(out, most));
        }
    for (int threads : {32, 64, 100, 256}) {
        barriers<<<blocks, threads>>>(t, out);
        cudaDeviceSynchronize();
        printf("barriers %d: %08x\n", threads, digest(out, most));
        own<<<blocks, threads>>>(t, out);
        cudaDeviceSynchronize();
        printf("own %d: %08x %d %d\n", threads, digest(out, most), out[8],
               out[9]);
    }
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
