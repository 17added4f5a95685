// SPDX-License-Identifier: Apache-2.0
//
// A kernel, and a device function, whose first instruction is the head of a
// loop that lanes leave one by one: all of them have to enter it.
#include "check.h"

__device__ int next_number, numbers[4096];

__global__ void draw_until_even()
{
    int n;
    do {
        n = atomicAdd(&next_number, 1);
    } while (n % 2 != 0);
    numbers[n % 4096] = 1;
}

__device__ __noinline__ void draw_thirds()
{
    int n;
    do {
        n = atomicAdd(&next_number, 1);
    } while (n % 3 != 0);
    numbers[n % 4096] = 2;
}

__global__ void call_at_once()
{
    draw_thirds();
}

template <typename F> static int count_marks(F launch, int mark)
{
    static int host[4096];
    int zero = 0;
    std::memset(host, 0, sizeof host);
    CHECK(cudaMemcpyToSymbol(numbers, host, sizeof host));
    CHECK(cudaMemcpyToSymbol(next_number, &zero, sizeof zero));
    launch();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(host, numbers, sizeof host));
    int count = 0;
    for (int i = 0; i < 4096; i++)
        count += host[i] == mark;
    return count;
}

int main()
{
    EXPECT_EQ(count_marks([] { draw_until_even<<<3, 70>>>(); }, 1), 210);
    EXPECT_EQ(count_marks([] { call_at_once<<<3, 70>>>(); }, 2), 210);
    return finish();
}
