// SPDX-License-Identifier: Apache-2.0
// Shared memory whose every address is known when the kernel is compiled for
// its block: trees of sums, one number of each warp, bytes in words, volatile
// steps, masks that are not known; and kernels where one address is not.
#include <cstdio>

const int blocks = 5;

__global__ void tree(const int *in, int n, int *out)
{
    __shared__ int v[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    v[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            v[t] += v[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = v[0];
}

__global__ void of_warps(const int *in, int *out)
{
    __shared__ int first[8];
    __shared__ long long wide[8];
    int t = threadIdx.x, v = in[blockIdx.x * blockDim.x + t];
    if (t % 32 == 5) {
        first[t / 32] = v;
        wide[t / 32] = (long long)v << 33;
    }
    __syncthreads();
    int sum = t < 8 ? first[t] + (int)(wide[7 - t] >> 32) : 0;
    for (int w = 0; w < 8; w++)
        sum += first[w] * (w + 1);
    out[blockIdx.x * blockDim.x + t] = sum;
}

// What a block does not write, it finds as anything; what it writes under a
// mask known only at run time, it finds.
__global__ void under_masks(const int *in, int *out)
{
    __shared__ int v[256];
    int t = threadIdx.x, x = in[blockIdx.x * blockDim.x + t];
    v[t] = -1;
    __syncthreads();
    if (x % 3 == 0)
        v[t] = x;
    __syncthreads();
    int other = 0;
    if (x % 5)
        other = v[255 - t];
    out[blockIdx.x * blockDim.x + t] = other;
}

__global__ void steps(const int *in, int *out)
{
    __shared__ volatile int v[64];
    int t = threadIdx.x;
    v[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    if (t < 32) {
        v[t] += v[t + 32];
        for (int d = 16; d > 0; d /= 2) {
            __syncwarp();
            int other = v[t + d];
            __syncwarp();
            v[t] += other;
        }
    }
    if (t == 0)
        out[blockIdx.x] = v[0];
}

__global__ void bytes(const int *in, int *out)
{
    __shared__ unsigned char b[256];
    __shared__ unsigned words[64];
    int t = threadIdx.x;
    b[t] = (unsigned char)in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    if (t < 64)
        words[t] = b[4 * t] | b[4 * t + 1] << 8 | b[4 * t + 2] << 16 |
                   b[4 * t + 3] << 24;
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = words[t % 64] ^ b[t ^ 1];
}

__global__ void one_unknown(const int *in, int *out)
{
    __shared__ int v[256];
    int t = threadIdx.x, x = in[blockIdx.x * blockDim.x + t];
    v[t] = x;
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = v[x & 255];
}

// The bytes of words far apart and in pairs, aligned and not.
__global__ void strided_bytes(const unsigned char *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = in[4 * i] + 3 * in[4 * i + 3] + 5 * in[2 * i + 1] +
              7 * ((const unsigned short *)in)[2 * i + 1];
    if (i % 7)
        sum += 11 * in[8 * i + 6];
    out[i] = sum;
}

static unsigned hash(const int *p, int n)
{
    unsigned h = 1;
    for (int i = 0; i < n; i++)
        h = h * 31 + (unsigned)p[i];
    return h;
}

int main()
{
    const int n = blocks * 256;
    int *in, *out;
    cudaMallocManaged(&in, 2 * n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    for (int i = 0; i < 2 * n; i++)
        in[i] = i * i % 1009 - 300;
    auto show = [&](const char *name, int count) {
        cudaError_t err = cudaDeviceSynchronize();
        printf("%s: %x%s\n", name, hash(out, count), err ? " failed" : "");
    };
    tree<<<blocks, 256>>>(in, n - 100, out);
    show("tree", blocks);
    of_warps<<<blocks, 256>>>(in, out);
    show("of warps", n);
    under_masks<<<blocks, 256>>>(in, out);
    show("under masks", n);
    steps<<<blocks, 64>>>(in, out);
    show("steps", blocks);
    bytes<<<blocks, 256>>>(in, out);
    show("bytes", n);
    one_unknown<<<blocks, 256>>>(in, out);
    show("one unknown", n);
    strided_bytes<<<blocks, 256>>>((const unsigned char *)in, out);
    show("strided bytes", n);
    return 0;
}
