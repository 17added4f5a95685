// SPDX-License-Identifier: Apache-2.0
// Lanes of one warp that wait for each other in functions that they call: the
// same function, one of two, one of a table.
#include "check.h"

__device__ volatile int flag[4];

__device__ __noinline__ void meet_first()
{
    atomicAdd((int *)&flag[0], 1);
    while (flag[0] < 2)
        __nanosleep(20);
}

__device__ __noinline__ void meet_second()
{
    atomicAdd((int *)&flag[0], 1);
    while (flag[0] < 2)
        __nanosleep(40);
    flag[1] = 7;
}

__device__ __noinline__ void meet_through()
{
    if (threadIdx.x == 0)
        meet_first();
    else
        flag[2] = 1;
    if (threadIdx.x == 1)
        meet_second();
}

typedef void meet_fn();
__device__ meet_fn *table[2] = {meet_first, meet_second};

enum { BRANCHES, OWN_TABLE, TABLE, DEEPER, WAYS };

__global__ void meet(int way)
{
    meet_fn *own[2] = {meet_first, meet_second};
    switch (way) {
    case BRANCHES:
        if (threadIdx.x == 0)
            meet_first();
        else
            meet_second();
        break;
    case OWN_TABLE:
        own[threadIdx.x]();
        break;
    case TABLE:
        table[threadIdx.x]();
        break;
    default:
        meet_through();
        break;
    }
}

int main()
{
    for (int way = 0; way < WAYS; way++) {
        int flags[4] = {};
        CHECK(cudaMemcpyToSymbol(flag, flags, sizeof flags));
        meet<<<1, 2>>>(way);
        CHECK_KERNEL();
        CHECK(cudaMemcpyFromSymbol(flags, flag, sizeof flags));
        EXPECT_EQ(flags[0], 2);
        EXPECT_EQ(flags[1], 7);
    }
    return finish();
}
