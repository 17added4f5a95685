// SPDX-License-Identifier: Apache-2.0
//
// One lane sets a variable and all pass it to a shuffle, which takes that
// lane's. The others' values mean nothing, and no conclusion may be drawn from
// their use.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void by_shuffle(int *count, int *out)
{
    int lane = threadIdx.x & (warpSize - 1), base;
    if (lane == 5)
        base = atomicAdd(count, 32);
    out[threadIdx.x] = __shfl_sync(0xffffffff, base, 5) + lane;
}

__global__ void by_group(int *count, int *out)
{
    cg::coalesced_group active = cg::coalesced_threads();
    unsigned lane = threadIdx.x & (warpSize - 1), base;
    if (lane == 0)
        base = atomicAdd(count, 32);
    out[threadIdx.x] = active.shfl((int)base, 0) + lane;
}

static void expect_places(void (*kernel)(int *, int *))
{
    int *p;
    CHECK(cudaMallocManaged(&p, 129 * sizeof *p));
    p[128] = 0;
    kernel<<<1, 128>>>(p + 128, p);
    CHECK_KERNEL();
    EXPECT_EQ(p[128], 128);
    for (int i = 0; i < 128; i++)
        EXPECT(p[i] % 32 == i % 32 && p[i] >= 0 && p[i] < 128);
    for (int i = 32; i < 128; i += 32)
        EXPECT(p[i] != p[i - 32]);
}

int main()
{
    expect_places(by_shuffle);
    expect_places(by_group);
    return finish();
}
