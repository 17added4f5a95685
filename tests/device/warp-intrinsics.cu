// SPDX-License-Identifier: Apache-2.0
// also: WEFT_LANES=1
//
// Shuffles, votes, matches and reductions of a warp, with full and partial
// masks and widths below a warp's.
#include <cstdio>

__global__ void shuffles(int *out)
{
    int i = threadIdx.x, k = 0;
    out[k++ * 32 + i] = __shfl_sync(~0u, i * 3, 5);
    out[k++ * 32 + i] = __shfl_sync(~0u, i * 3, i / 2, 8);
    out[k++ * 32 + i] = __shfl_up_sync(~0u, i, 3);
    out[k++ * 32 + i] = __shfl_up_sync(~0u, i, 1, 4);
    out[k++ * 32 + i] = __shfl_down_sync(~0u, i, 4);
    out[k++ * 32 + i] = __shfl_down_sync(~0u, i, 2, 16);
    out[k++ * 32 + i] = __shfl_xor_sync(~0u, i, 5);
    out[k++ * 32 + i] = __shfl_xor_sync(~0u, i, 9, 8);
    out[k++ * 32 + i] = (int)__shfl_sync(~0u, i * 0.5, 31 - i);
    long long wide = __shfl_sync(~0u, (long long)i << 32, i ^ 1);
    out[k++ * 32 + i] = (int)(wide >> 32);
    out[k++ * 32 + i] = (int)__shfl_down_sync(~0u, i + 0.25f, 1);
}

__global__ void votes(int *out, const int *in)
{
    int i = threadIdx.x, k = 0, v = in[i];
    out[k++ * 32 + i] = __ballot_sync(~0u, v & 1);
    out[k++ * 32 + i] = __all_sync(~0u, v >= 0);
    out[k++ * 32 + i] = __any_sync(~0u, v > 100);
    out[k++ * 32 + i] = __match_any_sync(~0u, v % 3);
    int same;
    out[k++ * 32 + i] = __match_all_sync(~0u, v / 1000, &same) + same;
    out[k++ * 32 + i] = __reduce_add_sync(~0u, (unsigned)v);
    out[k++ * 32 + i] = __reduce_max_sync(~0u, v);
    out[k++ * 32 + i] = __reduce_min_sync(~0u, (unsigned)v);
    out[k++ * 32 + i] = __reduce_xor_sync(~0u, (unsigned)v);
    int r = -1;
    if (i % 4 == 1) {
        unsigned mask = __activemask();
        r = __ballot_sync(mask, v > 15) + __popc(mask);
        r += __shfl_sync(mask, v, 9);
    }
    out[k++ * 32 + i] = r;
    out[k++ * 32 + i] = __syncthreads_count(v > 15);
    int both = __syncthreads_and(v > 15) * 2;
    out[k++ * 32 + i] = both + __syncthreads_or(v > 15);
}

int main()
{
    const int rows = 12;
    int in[32], h[rows * 32], *d, *o;
    for (int i = 0; i < 32; i++)
        in[i] = (i * 7) % 32;
    cudaMalloc(&d, sizeof in);
    cudaMalloc(&o, sizeof h);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    for (int part = 0; part < 2; part++) {
        cudaMemset(o, 0, sizeof h);
        if (part)
            votes<<<1, 32>>>(o, d);
        else
            shuffles<<<1, 32>>>(o);
        cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
        for (int k = 0; k < rows; k++)
            for (int i = 0; i < 32; i++)
                printf("%x%c", h[k * 32 + i], i == 31 ? '\n' : ' ');
    }
    return cudaDeviceSynchronize();
}
