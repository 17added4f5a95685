// SPDX-License-Identifier: Apache-2.0
//
// Names of before CUDA 9 and of the C library in device code.
#include "check.h"

__global__ void warp(int *out)
{
    int i = threadIdx.x;
    out[i] = __shfl(i * 3, 5) + __shfl_up(i, 2) * 100 +
             __shfl_down(i, 3) * 10000 + __shfl_xor(i, 1) * 1000000;
    out[32 + i] = (int)__shfl(i * 0.5, 6, 8) + (int)__shfl_xor(i * 2.0f, 2) +
                  (int)__shfl(0x100000000ll + i, 1) + __popc(__ballot(i % 3)) +
                  __any(i == 7) * 1000 + __all(i < 32) * 2000;
    if (i < 12) /* those that are here */
        out[32 + i] += __popc(__ballot(1)) * 10000 + __all(i < 12) * 1000000;
}

__host__ __device__ static int strings(int i)
{
    char text[32], copy[32];
    strcpy(text, "abc");
    strcat(text, i % 2 ? "xyz" : "bcd");
    strncpy(copy, text, sizeof copy);
    copy[i % 6] = (char)('a' + i % 26);
    strncat(copy, "0123", i % 5);
    int sum = (int)strlen(copy) + 10 * (strcmp(text, copy) > 0) +
              20 * (strncmp(text, copy, 2) < 0);
    const char *found = strchr(copy, 'c'), *last = strrchr(copy, 'b');
    sum += 100 * (found ? (int)(found - copy) : 99);
    sum += 10000 * (last ? (int)(last - copy) : 99);
    memmove(copy + 1, copy, 5);
    memset(copy + 6, '#', 3);
    void *byte = memchr(copy, '#', sizeof copy);
    sum += 1000000 * (int)((char *)byte - copy);
    return sum + (memcmp(text, copy, 1) != 0) * 7;
}

__device__ static int swapped(unsigned int x)
{
    return (int)(__nv_bswap32(x) ^ __nv_bswap16((unsigned short)x) ^
                 (unsigned int)__nv_bswap64(x));
}
__global__ void swap(int *out)
{
    unsigned int i = threadIdx.x;
    __prof_trigger(1);
    __assume(i < 64);
    out[i] = swapped(i * 0x1010305u);
}

int main()
{
    buffer<int> out(64);
    warp<<<1, 32>>>(out.device);
    out.download();
    for (int i = 0; i < 32; i++) {
        EXPECT_EQ(out[i], 15 + (i < 2 ? i : i - 2) * 100 +
                              (i > 28 ? i : i + 3) * 10000 + (i ^ 1) * 1000000);
        EXPECT_EQ(out[32 + i], (i / 8 * 8 + 6) / 2 + (i ^ 2) * 2 + 1 + 21 +
                                   3000 + (i < 12 ? 1120000 : 0));
    }
    CHECK_MAP(int, strings, 200);
    swap<<<1, 64>>>(out.device);
    out.download();
    for (unsigned int i = 0; i < 64; i++) {
        unsigned int x = i * 0x1010305u;
        EXPECT_EQ(out[i], (int)(__builtin_bswap32(x) ^
                                __builtin_bswap16((unsigned short)x)));
    }
    CHECK(cudaThreadSynchronize());
    return finish();
}
