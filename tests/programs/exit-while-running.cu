// SPDX-License-Identifier: Apache-2.0
// status: 3
//
// The process ends with exit's status although a kernel never would.
#include "check.h"

__global__ void wait_for(volatile int *flag)
{
    while (!*flag) {
    }
}

int main()
{
    int *flag;
    CHECK(cudaMallocManaged(&flag, sizeof *flag));
    *flag = 0;
    alarm(60);
    wait_for<<<8, 64>>>(flag);
    CHECK(cudaGetLastError());
    exit(failures ? 1 : 3);
}
