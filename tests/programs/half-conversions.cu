// SPDX-License-Identifier: Apache-2.0
//
// <cuda_fp16.h> and <cuda_bf16.h>: integers and floats in and out with every
// rounding, the same on both sides; numbers between two 16-bit ones.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

#define FROM(N, name, type)                                                    \
    sum = sum * 31 + __##N##_as_ushort(__##name##2##N##_rn((type)bits));       \
    sum = sum * 31 + __##N##_as_ushort(__##name##2##N##_rz((type)bits));       \
    sum = sum * 31 + __##N##_as_ushort(__##name##2##N##_rd((type)bits));       \
    sum = sum * 31 + __##N##_as_ushort(__##name##2##N##_ru((type)bits))
#define TO(N, name)                                                            \
    sum = sum * 31 + (unsigned long long)__##N##2##name##_rn(h);               \
    sum = sum * 31 + (unsigned long long)__##N##2##name##_rz(h);               \
    sum = sum * 31 + (unsigned long long)__##N##2##name##_rd(h);               \
    sum = sum * 31 + (unsigned long long)__##N##2##name##_ru(h)
#define ALL(N)                                                                 \
    FROM(N, short, short);                                                     \
    FROM(N, ushort, unsigned short);                                           \
    FROM(N, int, int);                                                         \
    FROM(N, uint, unsigned int);                                               \
    FROM(N, ll, long long);                                                    \
    FROM(N, ull, unsigned long long);                                          \
    FROM(N, float, float);                                                     \
    TO(N, short);                                                              \
    TO(N, ushort);                                                             \
    TO(N, int);                                                                \
    TO(N, uint);                                                               \
    TO(N, ll);                                                                 \
    TO(N, ull);                                                                \
    sum = sum * 31 + (unsigned char)__##N##2char_rz(h);                        \
    sum = sum * 31 + __##N##2uchar_rz(h)

__host__ __device__ static unsigned long long bits_of(int i)
{
    unsigned long long wide =
        (unsigned long long)scramble(i) << 32 | scramble(i + 0x10000);
    return wide >> (i % 61);
}

__host__ __device__ static unsigned long long halves(int i)
{
    unsigned long long bits = bits_of(i), sum = 0;
    __half h = __ushort_as_half((unsigned short)scramble(i + 7));
    ALL(half);
    return sum;
}
__host__ __device__ static unsigned long long bfloats(int i)
{
    unsigned long long bits = bits_of(i), sum = 0;
    __nv_bfloat16 h = __ushort_as_bfloat16((unsigned short)scramble(i + 9));
    ALL(bfloat16);
    return sum;
}

// Rounded once: a double on the way would make a tie of the first of these.
__host__ __device__ static unsigned long long between(int i)
{
    long long one = (1ll << 62) + (1ll << 54), more = one + 1 + i;
    unsigned long long sum = __bfloat16_as_ushort(__ll2bfloat16_rn(more));
    sum = sum << 16 | __bfloat16_as_ushort(__nv_bfloat16(one));
    sum = sum << 16 | __bfloat16_as_ushort(__ll2bfloat16_ru(-more));
    return sum << 16 | __half_as_ushort(__int2half_rz(2049));
}

// Integers of few significant bits, beyond a half's range as well: what is known
// of their bits must not make one conversion of three.
__host__ __device__ static float few_bits(int i)
{
    int n = (i & 7) << 14;
    return i & 8 ? __half2float(__float2half((float)n))
                 : __half2float(__double2half((double)n));
}

int main()
{
    CHECK_MAP(float, few_bits, 100);
    CHECK_MAP(unsigned long long, halves, 3000);
    CHECK_MAP(unsigned long long, bfloats, 3000);
    CHECK_MAP(unsigned long long, between, 100);
    EXPECT_EQ(between(0), 0x5e815e80de806800ull);
    EXPECT_EQ(__half2char_rz(__float2half(-300.5f)), -128);
    EXPECT_EQ(__half2uchar_rz(__float2half(254.9f)), 254);
    EXPECT_EQ(__half2int_rn(__float2half(2.5f)), 2);
    EXPECT_EQ(__bfloat162ll_ru(__float2bfloat16(-1e30f)), (long long)1 << 63);
    return finish();
}
