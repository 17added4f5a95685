// SPDX-License-Identifier: Apache-2.0
//
// The slides on warps: the threads of a block are numbered x first, then y,
// then z; 32 in a row are a warp, and 65 make three of them; half a warp may go
// one way and half the other, and they meet again.
#include "../check.h"

__global__ void number(int *warps, int *lanes)
{
    int i = threadIdx.x + threadIdx.y * blockDim.x +
            threadIdx.z * blockDim.x * blockDim.y;
    unsigned together = __activemask();
    warps[i] = __popc(together);
    int lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    lanes[i] = lane;
}

static void numbers()
{
    for (dim3 block : {dim3(65), dim3(13, 5), dim3(5, 1, 13), dim3(64)}) {
        int n = block.x * block.y * block.z;
        buffer<int> warps(n), lanes(n);
        number<<<1, block>>>(warps.device, lanes.device);
        warps.download();
        lanes.download();
        for (int i = 0; i < n; i++) {
            EXPECT_EQ(lanes[i], i % 32);
            EXPECT_EQ(warps[i], i < 64 ? 32 : 1);
        }
    }
}

__global__ void part_and_meet(int *out)
{
    __shared__ int seen[64];
    int i = threadIdx.x, value;
    if (i % 32 < 16) {
        value = 100 + i;
        seen[i] = __popc(__activemask());
    } else {
        value = -i;
        seen[i] = __popc(__activemask());
    }
    __syncwarp();
    int partner = __shfl_xor_sync(0xffffffff, value, 16);
    out[i] = partner;
    out[64 + i] = seen[i ^ 16];
}

static void both_ways()
{
    buffer<int> out(128);
    part_and_meet<<<1, 64>>>(out.device);
    out.download();
    for (int i = 0; i < 64; i++) {
        int other = i ^ 16;
        EXPECT_EQ(out[i], other % 32 < 16 ? 100 + other : -other);
        EXPECT(out[64 + i] >= 1 && out[64 + i] <= 16);
    }
}

int main()
{
    numbers();
    both_ways();
    return finish();
}
