// SPDX-License-Identifier: Apache-2.0
//
// Integers of 128 bits in kernels: arithmetic, and to and from floating point.
#include "check.h"

typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;

static __host__ __device__ wide value(int i)
{
    wide x = (wide)i * i * 0x123456789abcdefll;
    return i % 2 ? -(x << i % 50) : x << i % 70;
}

static __host__ __device__ long long product(int i)
{
    wide x = value(i) * value(i + 7);
    return (long long)(x >> 64) ^ (long long)x;
}
static __host__ __device__ long long quotient(int i)
{
    wide a = value(i), b = value(i % 5 + 1) / 3;
    unsigned_wide u = a, v = b;
    return (long long)(a / b + a % b) ^ (long long)(u / v - u % v);
}
static __host__ __device__ double as_double(int i)
{
    return (double)value(i) + (double)(unsigned_wide)value(i + 1) / 3;
}
static __host__ __device__ float as_float(int i)
{
    return (float)value(i);
}
static __host__ __device__ long long from_double(int i)
{
    wide x = (wide)((double)value(i) / 1.7);
    unsigned_wide y = (unsigned_wide)((double)i * 1e30);
    wide z = (wide)((float)i * 1e9f);
    return (long long)(x >> 60) ^ (long long)(y >> 50) ^ (long long)z;
}

int main()
{
    CHECK_MAP(long long, product, 100);
    CHECK_MAP(long long, quotient, 100);
    CHECK_MAP(double, as_double, 100);
    CHECK_MAP(float, as_float, 100);
    CHECK_MAP(long long, from_double, 100);
    return finish();
}
