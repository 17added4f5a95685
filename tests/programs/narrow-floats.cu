// SPDX-License-Identifier: Apache-2.0
//
// <cuda_fp8.h>, <cuda_fp6.h>, <cuda_fp4.h>: all values both ways, rounding and
// saturation against the nearest of all values, on both sides.
#include <cmath>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include "check.h"

template <typename T> static double value_of(int bits)
{
    T x;
    x.__x = (unsigned char)bits;
    return (double)x;
}

// The nearest of all finite values, of two the one with an even last bit.
template <typename T, int values> static int nearest(double v)
{
    int best = 0;
    double best_distance = INFINITY;
    for (int bits = 0; bits < values; bits++) {
        double candidate = value_of<T>(bits);
        if (!std::isfinite(candidate) ||
            std::signbit(candidate) != std::signbit(v))
            continue;
        double distance = std::fabs(candidate - v);
        if (distance < best_distance ||
            (distance == best_distance && bits % 2 == 0)) {
            best = bits;
            best_distance = distance;
        }
    }
    return best;
}

template <typename T, int values>
static void check_type(const char *name, double largest)
{
    for (int bits = 0; bits < values; bits++) {
        double v = value_of<T>(bits);
        if (std::isfinite(v))
            EXPECT_EQ(T(v).__x, bits);
    }
    for (int i = -2000; i < 2000; i++) {
        double v = i * std::exp2(i % 13 - 16.0);
        int want = nearest<T, values>(v);
        if (T(v).__x != want)
            FAIL("%s of %g is %02x, should be %02x", name, v, T(v).__x, want);
        EXPECT_EQ(T((float)v).__x, want);
    }
    EXPECT((double)T(1e30) == largest && (double)T(-INFINITY) == -largest);
}

// Numbers between two neighbours go to the one that the mode says.
template <typename Convert, typename Value>
static void check_modes(Convert to, Value of, int largest)
{
    for (int bits = 0; bits < largest; bits++)
        for (double part : {0.25, 0.5, 0.75}) {
            double low = of(bits), v = low + part * (of(bits + 1) - low);
            int near = part < 0.5   ? bits
                       : part > 0.5 ? bits + 1
                                    : bits + bits % 2;
            int sign = largest + 1;
            EXPECT_EQ(to(v, cudaRoundNearest), near);
            EXPECT_EQ(to(v, cudaRoundZero), bits);
            EXPECT_EQ(to(v, cudaRoundPosInf), bits + 1);
            EXPECT_EQ(to(v, cudaRoundMinInf), bits);
            EXPECT_EQ(to(-v, cudaRoundNearest), near | sign);
            EXPECT_EQ(to(-v, cudaRoundPosInf), bits | sign);
            EXPECT_EQ(to(-v, cudaRoundMinInf), (bits + 1) | sign);
        }
}

static void check_rounding()
{
    check_modes(
        [](double v, cudaRoundMode mode) {
            return (int)__nv_cvt_double_to_fp6(v, __NV_E2M3, mode);
        },
        value_of<__nv_fp6_e2m3>, 0x1f);
    check_modes(
        [](double v, cudaRoundMode mode) {
            return (int)__nv_cvt_float_to_fp6((float)v, __NV_E3M2, mode);
        },
        value_of<__nv_fp6_e3m2>, 0x1f);
    check_modes(
        [](double v, cudaRoundMode mode) {
            return (int)__nv_cvt_double_to_fp4(v, __NV_E2M1, mode);
        },
        value_of<__nv_fp4_e2m1>, 0x7);
}

static void check_powers()
{
    for (int bits = 0; bits < 255; bits++) {
        EXPECT_EQ(value_of<__nv_fp8_e8m0>(bits), std::exp2(bits - 127));
        EXPECT_EQ(__nv_fp8_e8m0(-std::exp2(bits - 127)).__x, bits);
        float more = (float)std::exp2(bits - 127) * 1.5f;
        EXPECT_EQ(__nv_fp8_e8m0(more).__x, bits < 254 ? bits + 1 : 254);
        EXPECT_EQ(__nv_cvt_float_to_e8m0(more, __NV_NOSAT, cudaRoundZero),
                  bits);
    }
    EXPECT(std::isnan(value_of<__nv_fp8_e8m0>(255)));
    EXPECT_EQ(__nv_cvt_float_to_e8m0(INFINITY, __NV_NOSAT, cudaRoundPosInf),
              255);
    EXPECT_EQ(__nv_cvt_float_to_e8m0(0.0f, __NV_NOSAT, cudaRoundZero), 0);
    for (double large : {0x1p128, 1e39, 1e300}) {
        EXPECT_EQ(__nv_cvt_double_to_e8m0(large, __NV_NOSAT, cudaRoundZero),
                  254);
        EXPECT_EQ(__nv_cvt_double_to_e8m0(large, __NV_NOSAT, cudaRoundPosInf),
                  255);
    }
    EXPECT_EQ(__nv_cvt_double_to_e8m0(INFINITY, __NV_NOSAT, cudaRoundZero),
              255);
    EXPECT_EQ(__nv_cvt_e8m0x2_to_bf162raw(0x8000).y, 0x4000);
}

__host__ __device__ static unsigned int convert(int i)
{
    float f = ((float)(scramble(i) % 100000) - 50000.0f) / 64.0f;
    __nv_fp8_e4m3 a(f);
    __nv_fp8_e5m2 b(__float2half(f)), c(__float2bfloat16(f));
    __nv_fp8x2_e4m3 pair(make_float2(f, -f));
    __nv_fp8x4_e5m2 four(make_float4(f, 1.0f, -2.0f, f / 3));
    float2 back = (float2)pair;
    float4 all = (float4)four;
    __half_raw h = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)i, __NV_E4M3);
    __half_raw g = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)i, __NV_E5M2);
    unsigned int sum = a.__x + b.__x * 3 + c.__x * 5 + h.x * 7 + g.x * 11;
    sum += (unsigned int)(int)(back.x * 8 + all.w * 16 - all.z) + (int)a;
    return sum + __nv_cvt_float_to_fp8(f * 100, __NV_NOSAT, __NV_E4M3) * 13 +
           __nv_cvt_float_to_fp8(f * 1e5f, __NV_NOSAT, __NV_E5M2) * 17;
}

__host__ __device__ static unsigned int convert_narrower(int i)
{
    float f = ((float)(scramble(i) % 10000) - 5000.0f) / 512.0f;
    __nv_fp6_e2m3 a(f);
    __nv_fp6_e3m2 b(__float2half(f));
    __nv_fp4_e2m1 c(__float2bfloat16(f));
    __nv_fp6x2_e3m2 pair(make_float2(f, -f));
    __nv_fp6x4_e2m3 four(make_float4(f, 1.0f, -2.0f, f / 3));
    __nv_fp4x2_e2m1 pair4(__floats2half2_rn(f, f / 2));
    __nv_fp4x4_e2m1 four4(make_float4(f, 1.0f, -2.0f, f / 3));
    __nv_fp8x2_e8m0 powers(make_float2(f, 1.0f));
    float2 back = (float2)pair, back4 = (float2)pair4;
    float4 all = (float4)four, all4 = (float4)four4;
    __half_raw h = __nv_cvt_fp6_to_halfraw(i & 63, __NV_E2M3);
    __half_raw g = __nv_cvt_fp4_to_halfraw(i & 15, __NV_E2M1);
    unsigned int sum = a.__x + b.__x * 3 + c.__x * 5 + h.x * 7 + g.x * 11;
    sum += (unsigned int)(int)(back.x * 16 + all.w * 32 - all.z) + (int)a;
    sum += (unsigned int)(int)(back4.y * 16 + all4.w * 32 - all4.z) * 13;
    sum += powers.__x * 17u;
    return sum + __nv_cvt_float2_to_fp4x2(make_float2(f, -f * 3), __NV_E2M1,
                                          cudaRoundNearest) *
                     19u;
}

int main()
{
    check_type<__nv_fp8_e4m3, 256>("e4m3", 448);
    check_type<__nv_fp8_e5m2, 256>("e5m2", 57344);
    check_type<__nv_fp6_e2m3, 64>("e2m3", 7.5);
    check_type<__nv_fp6_e3m2, 64>("e3m2", 28);
    check_type<__nv_fp4_e2m1, 16>("e2m1", 6);
    EXPECT(std::isnan((double)__nv_fp8_e4m3(NAN)));
    EXPECT(std::isnan((double)__nv_fp8_e5m2(NAN)));
    EXPECT_EQ((double)__nv_fp6_e3m2(NAN), 28.0);
    EXPECT_EQ((double)__nv_fp4_e2m1(-NAN), 6.0);
    check_rounding();
    check_powers();
    EXPECT_EQ(__nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E4M3), 0x7f);
    EXPECT_EQ(__nv_cvt_float_to_fp8(-1e9f, __NV_NOSAT, __NV_E5M2), 0xfc);
    EXPECT_EQ(__nv_cvt_float_to_fp8(464.0f, __NV_NOSAT, __NV_E4M3), 0x7e);
    EXPECT_EQ(__nv_cvt_fp8_to_halfraw(0x38, __NV_E4M3).x, 0x3c00);
    CHECK_MAP(unsigned int, convert, 1000);
    CHECK_MAP(unsigned int, convert_narrower, 1000);
    return finish();
}
