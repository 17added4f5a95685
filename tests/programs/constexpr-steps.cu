// SPDX-License-Identifier: Apache-2.0
// A constant that takes more than a million steps, clang's own limit, in host
// and in device code.
#include "check.h"

constexpr unsigned generate(int steps)
{
    unsigned x = 1;
    for (int i = 0; i < steps; i++)
        x = x * 1664525u + 1013904223u;
    return x;
}

const int steps = 1100000;

__global__ void store(unsigned *out)
{
    constexpr unsigned x = generate(steps);
    *out = x;
}

int main()
{
    unsigned *out, found, expected = 1;
    for (int i = 0; i < steps; i++)
        expected = expected * 1664525u + 1013904223u;
    CHECK(cudaMalloc(&out, sizeof *out));
    store<<<1, 1>>>(out);
    CHECK_KERNEL();
    CHECK(cudaMemcpy(&found, out, sizeof found, cudaMemcpyDeviceToHost));
    EXPECT_EQ(found, expected);
    constexpr unsigned x = generate(steps);
    EXPECT_EQ(x, expected);
    return finish();
}
