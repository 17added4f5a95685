// SPDX-License-Identifier: Apache-2.0
//
// <cuda_fp16.h> and <cuda_bf16.h>: integers and floats in and out with every
// rounding, the same on both sides; numbers between two 16-bit ones.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>
#include <utility>

#include "check.h"

// What converts by itself, as NVIDIA's headers have it: the type with each
// number, nothing with the other of the two types. 1: yes, 0: no or ambiguous.
template <class...> using exists = void;
#define FORM(name, expression)                                                 \
    template <class H, class G, class = void>                                  \
    struct name : std::false_type {                                            \
    };                                                                         \
    template <class H, class G>                                                \
    struct name<H, G, exists<decltype(expression)>> : std::true_type {         \
    };
FORM(plus_float, std::declval<H>() + 1.0f)
FORM(less_int, std::declval<H>() < 1)
FORM(plus_other, std::declval<H>() + std::declval<G>())
FORM(common_float, true ? std::declval<H>() : 1.0f)
FORM(common_other, true ? std::declval<H>() : std::declval<G>())
FORM(of_other, H(std::declval<G>()))
FORM(indexes, std::declval<int *>()[std::declval<H>()])
FORM(long_double, (long double)std::declval<H>())
template <class H, class T, int converts, int assigns> struct number {
    static_assert(std::is_convertible<H, T>::value == converts, "");
    static_assert(std::is_assignable<H &, T>::value == assigns, "");
};
template <class H, class G> struct conversions {
    static_assert(!plus_float<H, G>::value && !less_int<H, G>::value &&
                      !plus_other<H, G>::value && !common_float<H, G>::value &&
                      !common_other<H, G>::value && of_other<H, G>::value &&
                      indexes<H, G>::value && !long_double<H, G>::value,
                  "");
    number<H, bool, 1, 1> of_bool;
    number<H, char, 1, 1> of_char;
    number<H, signed char, 1, 1> of_signed_char;
    number<H, unsigned char, 1, 1> of_unsigned_char;
    number<H, short, 1, 1> of_short;
    number<H, int, 1, 1> of_int;
    number<H, unsigned int, 1, 1> of_unsigned;
    number<H, long, 1, 0> of_long;
    number<H, unsigned long, 1, 0> of_unsigned_long;
    number<H, long long, 1, 1> of_long_long;
    number<H, float, 1, 1> of_float;
    number<H, double, 1, 1> of_double;
    number<H, G, 0, 0> of_the_other;
};
template struct conversions<__half, __nv_bfloat16>;
template struct conversions<__nv_bfloat16, __half>;

// To integers as by __half2int_rz: towards 0 and clamped.
__host__ __device__ static unsigned long long clamped(int i)
{
    __half h = __ushort_as_half((unsigned short)scramble(i));
    __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)scramble(i));
    signed char least = h;
    unsigned short little = b;
    int whole = b;
    return (h ? 1 : 0) + 2ull * (unsigned char)least + 512ull * little +
           ((unsigned long long)(unsigned int)whole << 32);
}

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
    CHECK_MAP(unsigned long long, clamped, 1000);
    EXPECT_EQ((short)__float2half(60000.0f), 32767);
    EXPECT_EQ((int)__float2bfloat16(-3.3e38f), -0x7fffffff - 1);
    EXPECT_EQ(__half_as_ushort(__half(__nv_bfloat16(1.5f))), 0x3e00);
    EXPECT_EQ(between(0), 0x5e815e80de806800ull);
    EXPECT_EQ(__half2char_rz(__float2half(-300.5f)), -128);
    EXPECT_EQ(__half2uchar_rz(__float2half(254.9f)), 254);
    EXPECT_EQ(__half2int_rn(__float2half(2.5f)), 2);
    EXPECT_EQ(__bfloat162ll_ru(__float2bfloat16(-1e30f)), (long long)1 << 63);
    return finish();
}
