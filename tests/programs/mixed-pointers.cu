// SPDX-License-Identifier: Apache-2.0
// A pointer that is shared memory in some lanes, global or the thread's own in
// others: each lane knows which, and reads and writes through it.
#include "check.h"

enum { SHARED = 1, GLOBAL = 2, LOCAL = 4 };

static __device__ int kinds_of(const void *p)
{
    return (__isShared(p) ? SHARED : 0) | (__isGlobal(p) ? GLOBAL : 0) |
           (__isLocal(p) ? LOCAL : 0);
}

// The thread's array begins as a copy of constants, and is only read by it.
__global__ void of_constants(int *out, int *global)
{
    __shared__ int tile[32];
    int own[4] = {1, 2, 3, 4}, t = threadIdx.x;
    tile[t] = t;
    __syncthreads();
    const int *p = t % 3 == 0 ? tile : t % 3 == 1 ? global : own;
    int kind = kinds_of(p);
    own[t & 3] = p[t & 3];
    out[t] = kind + 8 * (own[t & 3] == -1);
}

__global__ void written(int *out, int *global)
{
    __shared__ int tile[32];
    int own[4], t = threadIdx.x;
    for (int i = 0; i < 4; i++)
        own[i] = out[(t + i) & 31];
    tile[t] = 100 + t;
    __syncthreads();
    int *p = t % 3 == 0 ? &tile[t] : t % 3 == 1 ? &global[t] : &own[t & 3];
    int kind = kinds_of(p);
    *p += 1000;
    out[t] = kind + 8 * (*p - 1000);
}

__global__ void only_asked(int *out, int *global)
{
    int own[4] = {1, 2, 3, 4}, t = threadIdx.x;
    const int *p = t & 1 ? global : own;
    out[t] = (__isGlobal(p) ? GLOBAL : 0) + 8 * p[t & 3];
}

int main()
{
    buffer<int> out(32), global(32);
    for (int i = 0; i < 32; i++)
        global[i] = 50 + i;
    global.upload();
    of_constants<<<1, 32>>>(out.device, global.device);
    out.download();
    for (int t = 0; t < 32; t++)
        EXPECT_EQ(out[t], 1 << t % 3);
    for (int t = 0; t < 32; t++)
        out[t] = t;
    out.upload();
    written<<<1, 32>>>(out.device, global.device);
    out.download();
    for (int t = 0; t < 32; t++) {
        int value = t % 3 == 0   ? 100 + t
                    : t % 3 == 1 ? 50 + t
                                 : (t + (t & 3)) & 31;
        EXPECT_EQ(out[t], (1 << t % 3) + 8 * value);
    }
    only_asked<<<1, 32>>>(out.device, global.device);
    out.download();
    for (int t = 0; t < 32; t++)
        EXPECT_EQ(out[t], t & 1 ? GLOBAL + 8 * (t & 2 ? 53 : 1051)
                                : 8 * (1 + (t & 3)));
    return finish();
}
