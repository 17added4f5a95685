// SPDX-License-Identifier: Apache-2.0
// weftcc: -O3 -Xcompiler -std=c99,-Wall
//
// Host code that grew up with gcc: signed numbers wrap around, a float is read
// as an int, null pointers are looked at late, functions end without their
// return; strings and macros stand side by side, and builtins have gcc's names.
// Kernels call functions that end so, too.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define _TAIL "tail"

__host__ __device__ static int stores(int *p, int n)
{
    if (n > 1000)
        return 1;
    *p = n;
}

extern "C"__global__ void k(int *p)
{
    stores(p, 0);
    p[1] = 5;
}

static inline unsigned long long __rdtsc()
{
    unsigned low, high;
    asm volatile("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long long)high << 32 | low;
}

static int next_number(int x)
{
    return (1103515245 * x + 12345) & 0x7fffffff;
}

__attribute__((noinline)) static bool grows(int x)
{
    return x + 1 > x;
}

__attribute__((noinline)) static int bits_of(float *f, int *as_int)
{
    *as_int = 1;
    *f = 1.f;
    return *as_int;
}

__attribute__((noinline)) static int first_of(int *volatile *where)
{
    int *p = *where;
    int *copy = p ? p : (int *)where;
    return copy != nullptr;
}

int main()
{
    char text[64];
    snprintf(text, sizeof text, "%"PRId64" %s", (int64_t)7, "a"_TAIL);
    if (strcmp(text, "7 atail"))
        return 1;
    int x = 12345, largest = 0x7fffffff;
    for (int i = 0; i < 1000; i++) {
        x = next_number(x);
        if (x < 0)
            return 2;
    }
    float f;
    if (grows(largest) || bits_of(&f, (int *)&f) == 1)
        return 3;
    int *nothing = nullptr;
    if (!first_of(&nothing) || __rdtsc() == 0)
        return 4;
#if !defined(__CUDA_ARCH__)
    unsigned long long difference;
    if (__builtin_ia32_sbb_u64(1, 0, 0, &difference) != 1 || ~difference)
        return 5;
#endif
    int *p;
    cudaMallocManaged(&p, 8);
    stores(p, 3);
    if (*p != 3)
        return 6;
    k<<<1, 1>>>(p);
    return cudaDeviceSynchronize() || p[0] != 0 || p[1] != 5 ? 7 : 0;
}
