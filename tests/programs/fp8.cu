// SPDX-License-Identifier: Apache-2.0
//
// <cuda_fp8.h>: all 256 values both ways, rounding and saturation against
// the nearest of all values, on both sides.
#include <cmath>
#include <cuda_fp8.h>

#include "check.h"

template <typename T> static double value_of(int bits)
{
    T x;
    x.__x = (__nv_fp8_storage_t)bits;
    return (double)x;
}

// The nearest of all finite values, of two the one with an even last bit.
template <typename T> static int nearest(double v)
{
    int best = 0;
    double best_distance = INFINITY;
    for (int bits = 0; bits < 256; bits++) {
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

template <typename T> static void check_type(const char *name, double largest)
{
    for (int bits = 0; bits < 256; bits++) {
        double v = value_of<T>(bits);
        if (v == v && std::isfinite(v))
            EXPECT_EQ(T(v).__x, bits);
    }
    for (int i = -2000; i < 2000; i++) {
        double v = i * std::exp2(i % 13 - 16.0);
        if (T(v).__x != nearest<T>(v))
            FAIL("%s of %g is %02x, should be %02x", name, v, T(v).__x,
                 nearest<T>(v));
        EXPECT_EQ(T((float)v).__x, nearest<T>(v));
    }
    EXPECT((double)T(1e30) == largest && (double)T(-INFINITY) == -largest);
    EXPECT(std::isnan((double)T(NAN)));
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

int main()
{
    check_type<__nv_fp8_e4m3>("e4m3", 448);
    check_type<__nv_fp8_e5m2>("e5m2", 57344);
    EXPECT_EQ(__nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E4M3), 0x7f);
    EXPECT_EQ(__nv_cvt_float_to_fp8(-1e9f, __NV_NOSAT, __NV_E5M2), 0xfc);
    EXPECT_EQ(__nv_cvt_float_to_fp8(464.0f, __NV_NOSAT, __NV_E4M3), 0x7e);
    EXPECT_EQ(__nv_cvt_fp8_to_halfraw(0x38, __NV_E4M3).x, 0x3c00);
    CHECK_MAP(unsigned int, convert, 1000);
    return finish();
}
