// SPDX-License-Identifier: Apache-2.0
//
// The smallest program that the driver tests compile: one kernel, one answer.
#include <cstdio>

__global__ void answer(int *p)
{
    *p = 42;
}

int main()
{
    int *d, h = 0;
    cudaMalloc(&d, sizeof h);
    answer<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d\n", h);
    return h != 42;
}
