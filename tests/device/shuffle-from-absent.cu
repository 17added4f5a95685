// SPDX-License-Identifier: Apache-2.0
// also: WEFT_LANES=1
//
// Shuffles whose masks name lanes that take no part, as reductions over few
// values have them: what these give is zero.
#include <cstdio>

__global__ void reduce(int *out, int count)
{
    __shared__ int part[32][8];
    int lane = threadIdx.x, group = threadIdx.y;
    int v = 4 * group + lane + 1;
    v += __shfl_down_sync(~0u, v, 1, 4);
    v += __shfl_down_sync(~0u, v, 2, 4);
    if (lane == 0)
        part[threadIdx.z][group] = v;
    __syncthreads();
    int sum = 0;
    for (int r = lane; r < count; r += 4) {
        int w = part[r][group];
        w += __shfl_down_sync(~0u, w, 1, 4);
        w += __shfl_down_sync(~0u, w, 2, 4);
        sum += w;
    }
    if (lane == 0 && threadIdx.z == 0)
        out[group] = sum;
}

__global__ void from_others(int *out, int n, int by)
{
    int v = 100 + threadIdx.x;
    if (threadIdx.x < n)
        v = __shfl_xor_sync(~0u, v, by);
    out[threadIdx.x] = v;
}

static void print(const int *out, int count)
{
    cudaDeviceSynchronize();
    for (int i = 0; i < count; i++)
        printf("%d ", out[i]);
    printf("\n");
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 128);
    for (int z = 1; z <= 4; z *= 2) {
        reduce<<<1, dim3(4, 8, z)>>>(out, z);
        print(out, 8);
    }
    from_others<<<1, 32>>>(out, 3, 1);
    print(out, 6);
    return 0;
}
