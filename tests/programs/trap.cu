// SPDX-License-Identifier: Apache-2.0
//
// A kernel executes __trap: the process survives, the
// error stays on the context through every later call, and a reset of the
// device makes it as good as new.
#include "sticky.h"

__global__ void fail(int *out, long long where)
{
    out[threadIdx.x] = 1;
    if (threadIdx.x == where)
        __trap();
}

int main()
{
    return expect_sticky(fail, 40, cudaErrorLaunchFailure, 719);
}
