// SPDX-License-Identifier: Apache-2.0
//
// Constructors of static objects launch kernels and use symbols of their own
// file before main().
#include "check.h"

__device__ int counter = 5;
__constant__ int step = 2;
__global__ void add(int n);

struct launcher {
    int seen;
    explicit launcher(int n)
    {
        add<<<1, 1>>>(n);
        CHECK_KERNEL();
        CHECK(cudaMemcpyFromSymbol(&seen, counter, sizeof seen));
    }
};

static launcher first(1);
launcher second(10);

__global__ void add(int n)
{
    counter += n * step;
}

int main()
{
    EXPECT_EQ(first.seen, 7);
    EXPECT_EQ(second.seen, 27);
    return finish();
}
