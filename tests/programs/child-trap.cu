// SPDX-License-Identifier: Apache-2.0
// weftcc: -rdc=true
//
// A kernel's kernel executes __trap: that ends the context, and what the
// others still had to launch does not run.
#include "sticky.h"

__global__ void child(int *out, int level)
{
    if (level == 0 && threadIdx.x == 3)
        __trap();
    if (threadIdx.x == 0)
        child<<<1, 4>>>(out, level - 1);
}

__global__ void fail(int *out, long long where)
{
    for (int i = 0; i < 1500 && threadIdx.x == 32; i++)
        child<<<1, 4>>>(out, 0);
    if (threadIdx.x < 2)
        child<<<1, 4>>>(out, (int)where);
    if (threadIdx.x == 0)
        child<<<1, 4, 0, cudaStreamTailLaunch>>>(out, 100);
}

int main()
{
    return expect_sticky(fail, 3, cudaErrorLaunchFailure, 719);
}
