// SPDX-License-Identifier: Apache-2.0
//
// A kernel executes __brkpt and no debugger is there to go on: it ends as with
// __trap.
#include "sticky.h"

__global__ void fail(int *out, long long where)
{
    out[threadIdx.x] = 1;
    if (threadIdx.x == where)
        __brkpt();
}

int main()
{
    return expect_sticky(fail, 40, cudaErrorLaunchFailure, 719);
}
