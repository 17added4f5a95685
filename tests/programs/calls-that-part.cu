/* SPDX-License-Identifier: Apache-2.0 */
// also: WEFT_LANES=1
/* Lanes that reach one instruction by different calls do not stand there
 * together. */
#include <cstdio>

__device__ __noinline__ unsigned who(int depth, int a)
{
    if (depth > 0)
        return who(depth - 1, a * 3 + 1) + (a & 0);
    return __activemask();
}

__global__ void part(unsigned *out, int a)
{
    unsigned v;
    if (threadIdx.x < 12)
        v = who(0, a);
    else if (threadIdx.x < 20)
        v = who(0, a + 1);
    else
        v = who(2, a + 2);
    out[threadIdx.x] = v;
}

int main()
{
    unsigned *out;

    cudaMallocManaged(&out, 32 * sizeof *out);
    part<<<1, 32>>>(out, 1);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int i = 0; i < 32; i++)
        printf("%08x%c", out[i], i % 8 == 7 ? '\n' : ' ');
    return 0;
}
