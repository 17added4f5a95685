// SPDX-License-Identifier: Apache-2.0
/*
 * Arrays that every thread has for itself, with elements of each size, at
 * indices that are the same for all threads, that differ, that only some
 * threads come to, and at addresses that move along.
 */
#include <cstdio>

#define N 24

template <typename T> __host__ __device__ T mixed(T *a, int me, int turns)
{
    for (int i = 0; i < N; i++)
        a[i] = (T)(me * 7 + i * 3);
    for (int t = 0; t < turns; t++) {
        if ((me + t) % 3 == 0) {
            a[(me * 5 + t) % N] += a[t % N];
        } else {
            for (int i = 1 + t % 2; i < N; i++)
                a[i] = a[i] + a[i - 1] * (T)2;
        }
        if (me % 5 == t % 5)
            continue;
        T *low = a, *high = a + N - 1;
        while (low < high) {
            T kept = *low;
            *low++ = *high;
            *high-- = kept;
        }
    }
    T sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * (T)3 + a[i];
    return sum;
}

template <typename T> __host__ __device__ T pairs(int me, int turns)
{
    T a[N];
    T r = mixed(a, me, turns);
    struct two {
        T x, y;
    } b[4];
    for (int i = 0; i < 4; i++)
        b[i] = two{(T)(me + i), a[(me + i) % N]};
    return r + b[(me + turns) % 4].x + b[turns % 4].y;
}

template <typename T> __global__ void run(T *out, int turns, int n)
{
    int me = blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x +
             threadIdx.x;
    if (me < n)
        out[me] = pairs<T>(me, turns);
}

__global__ void between_barriers(int *out, int turns)
{
    __shared__ int all[256];
    int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = threadIdx.x + i;
    for (int t = 0; t < turns; t++) {
        all[threadIdx.x] = a[(t + threadIdx.x / 32) % 8];
        __syncthreads();
        a[t % 8] += all[(threadIdx.x + 37) % blockDim.x];
        __syncthreads();
    }
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum = sum * 5 + a[(i + threadIdx.x) % 8];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <typename T> void check(const char *name, dim3 block, int n)
{
    T *out;
    int size = block.x * block.y, bad = 0;
    cudaMallocManaged(&out, n * sizeof(T));
    run<T><<<(n + size - 1) / size, block>>>(out, 11, n);
    cudaError_t err = cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        bad += out[i] != pairs<T>(i, 11);
    printf("%s %dx%d: %s, %d wrong\n", name, block.x, block.y,
           cudaGetErrorString(err), bad);
    cudaFree(out);
}

int main()
{
    for (dim3 block : {dim3(32), dim3(8, 8), dim3(100), dim3(256)}) {
        check<unsigned char>("bytes", block, 300);
        check<unsigned short>("halves", block, 300);
        check<unsigned>("words", block, 300);
        check<unsigned long long>("double words", block, 300);
    }
    int *out, *want = new int[512];
    cudaMallocManaged(&out, 512 * sizeof(int));
    between_barriers<<<2, 256>>>(out, 21);
    cudaDeviceSynchronize();
    static int a[256][8], all[256];
    for (int i = 0; i < 256; i++)
        for (int j = 0; j < 8; j++)
            a[i][j] = i + j;
    for (int t = 0; t < 21; t++) {
        for (int i = 0; i < 256; i++)
            all[i] = a[i][(t + i / 32) % 8];
        for (int i = 0; i < 256; i++)
            a[i][t % 8] += all[(i + 37) % 256];
    }
    int bad = 0;
    for (int i = 0; i < 256; i++) {
        int sum = 0;
        for (int j = 0; j < 8; j++)
            sum = sum * 5 + a[i][(j + i) % 8];
        bad += (out[i] != sum) + (out[256 + i] != sum);
    }
    printf("between barriers: %d wrong\n", bad);
    return 0;
}
