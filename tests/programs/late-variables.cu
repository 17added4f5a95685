// SPDX-License-Identifier: Apache-2.0
// Variables that are __device__ in the device's pass alone: nvcc registers
// them, and programs name them as symbols.
#include <cstdio>

#ifdef __CUDA_ARCH__
#define GLOBAL __device__
#else
#define GLOBAL
#endif

static GLOBAL int numbers[4];
GLOBAL int shown = 7;
int of_the_host;

__global__ void twice()
{
    numbers[threadIdx.x] *= 2;
    shown++;
}

int main()
{
    int in[4] = {1, 2, 3, 4}, out[4], one;
    void *p;
    printf("%d\n", cudaMemcpyToSymbol(numbers, in, sizeof in));
    twice<<<1, 4>>>();
    printf("%d\n", cudaMemcpyFromSymbol(out, numbers, sizeof out));
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
    printf("%d\n", cudaMemcpyFromSymbol(&one, shown, sizeof one));
    printf("%d\n", cudaMemcpyToSymbol(numbers, in, 17));
    printf("%d\n", cudaGetSymbolAddress(&p, of_the_host));
    printf("%d\n", cudaGetSymbolAddress(&p, *(int *)64));
}
