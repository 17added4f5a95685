/* SPDX-License-Identifier: Apache-2.0 */
/* Inverse trigonometric functions. */
#include "device.h"

#define PI_HI64   0x1.921fb54442d18p+1
#define PI_LO64   0x1.1a62633145c07p-53
#define PIO2_HI64 0x1.921fb54442d18p+0
#define PIO2_LO64 0x1.1a62633145c07p-54
#define PI_HI32   0x1.921fb6p+1f
#define PI_LO32   -0x1.777a5cp-24f
#define PIO2_HI32 0x1.921fb6p+0f
#define PIO4_32   0x1.921fb6p-1f /* of 1, which the polynomial misses */
#define PIO2_LO32 -0x1.777a5cp-25f

/* (asin x - x) / x^3 in x^2, |x| <= 1/2 */
static const float asin32[] = {
    0x1.55555ep-3f, 0x1.332636p-4f, 0x1.70cefap-5f,
    0x1.b1073ap-6f, 0x1.3a0ebap-5f,
};
static const double asin64[] = {
    0x1.555555555554ep-3, 0x1.33333333374dp-4,   0x1.6db6db67ba652p-5,
    0x1.f1c71fdc9ae32p-6, 0x1.6e8b223670567p-6,  0x1.1c59e64d11a2ap-6,
    0x1.c862d59d868e6p-7, 0x1.85980a12de01bp-7,  0x1.faf3029be3602p-8,
    0x1.0a0b6a945cc79p-6, -0x1.6b793eadc9744p-7, 0x1.d1a3a2e3520cfp-6,
};

/* (atan x - x) / x^3 in x^2, |x| <= 1 */
static const float atan32[] = {
    -0x1.55555p-2f,  0x1.9993fap-3f, -0x1.24104cp-3f, 0x1.be004ep-4f,
    -0x1.4abbbap-4f, 0x1.986f24p-5f, -0x1.53484p-6f,  0x1.0a18cap-8f,
};
static const double atan64[] = {
    -0x1.5555555555555p-2,  0x1.999999999991fp-3,  -0x1.249249248db5fp-3,
    0x1.c71c71c4f24ddp-4,   -0x1.745d170044406p-4, 0x1.3b13abdf5cb69p-4,
    -0x1.1110ca4607931p-4,  0x1.e1dcb24f006e4p-5,  -0x1.af047d120e89bp-5,
    0x1.855ae07161c03p-5,   -0x1.6122a52d7aa4ap-5, 0x1.3dcd0892844dbp-5,
    -0x1.15990573cc19cp-5,  0x1.c72e288abc8bbp-6,  -0x1.4fdd62f960ed7p-6,
    0x1.a9fd3dfe24c16p-7,   -0x1.ba32b387ba4bfp-8, 0x1.635373562422ep-9,
    -0x1.9a652abd4fb5cp-11, 0x1.2d08512f21a1dp-13, -0x1.a35f3cb1de1a1p-17,
};

INLINE float odd32(float x, float p, float z)
{
    return fma32(x * z, p, x);
}

INLINE double odd64(double x, double p, double z)
{
    return fma64(x * z, p, x);
}

/* Above 1/2: asin x = pi/2 - 2 asin(sqrt((1 - x) / 2)). */
float __nv_asinf(float x)
{
    float a = abs32(x);
    bool is_big = a > 0.5f;
    float z = is_big ? fma32(-0.5f, a, 0.5f) : a * a;
    float s = is_big ? __builtin_sqrtf(z) : a;
    float y = odd32(s, poly32(z, asin32), z);
    y = is_big ? PIO2_HI32 + fma32(-2.0f, y, PIO2_LO32) : y;
    return sign32(y, x);
}

double __nv_asin(double x)
{
    double a = abs64(x);
    bool is_big = a > 0.5;
    double z = is_big ? fma64(-0.5, a, 0.5) : a * a;
    double s = is_big ? __builtin_sqrt(z) : a;
    double y = odd64(s, poly64(z, asin64), z);
    y = is_big ? PIO2_HI64 + fma64(-2.0, y, PIO2_LO64) : y;
    return sign64(y, x);
}

float __nv_acosf(float x)
{
    float a = abs32(x);
    bool is_big = a > 0.5f;
    float z = is_big ? fma32(-0.5f, a, 0.5f) : a * a;
    float s = is_big ? __builtin_sqrtf(z) : x;
    float y = odd32(s, poly32(z, asin32), z);
    float near_one = y + y;
    float near_minus = PI_HI32 + fma32(-2.0f, y, PI_LO32);
    float middle = PIO2_HI32 + (PIO2_LO32 - y);
    return is_big ? (x > 0.0f ? near_one : near_minus) : middle;
}

double __nv_acos(double x)
{
    double a = abs64(x);
    bool is_big = a > 0.5;
    double z = is_big ? fma64(-0.5, a, 0.5) : a * a;
    double s = is_big ? __builtin_sqrt(z) : x;
    double y = odd64(s, poly64(z, asin64), z);
    double near_one = y + y;
    double near_minus = PI_HI64 + fma64(-2.0, y, PI_LO64);
    double middle = PIO2_HI64 + (PIO2_LO64 - y);
    return is_big ? (x > 0.0 ? near_one : near_minus) : middle;
}

float __nv_atanf(float x)
{
    float a = abs32(x);
    bool is_big = a > 1.0f;
    float t = is_big ? 1.0f / a : a;
    float z = t * t;
    float y = t == 1.0f ? PIO4_32 : odd32(t, poly32(z, atan32), z);
    y = is_big ? PIO2_HI32 + (PIO2_LO32 - y) : y;
    return sign32(y, x);
}

double __nv_atan(double x)
{
    double a = abs64(x);
    bool is_big = a > 1.0;
    double t = is_big ? 1.0 / a : a;
    double z = t * t;
    double y = odd64(t, poly64(z, atan64), z);
    y = is_big ? PIO2_HI64 + (PIO2_LO64 - y) : y;
    return sign64(y, x);
}

/* The smaller over the larger, then the octant. */
float __nv_atan2f(float y, float x)
{
    float a = abs32(x), b = abs32(y);
    bool is_steep = b > a;
    float most = is_steep ? b : a, least = is_steep ? a : b;
    float t = least / most;
    t = most == 0.0f ? 0.0f : least == INF32 ? 1.0f : t;
    float z = t * t;
    float r = t == 1.0f ? PIO4_32 : odd32(t, poly32(z, atan32), z);
    r = is_steep ? PIO2_HI32 + (PIO2_LO32 - r) : r;
    r = bits32(x) >> 31 ? PI_HI32 + (PI_LO32 - r) : r;
    /* From above, pi less what was rounded up. */
    r = t == 0.0f && is_steep ? PIO2_HI32 : r;
    return x != x || y != y ? x + y : sign32(r, y);
}

double __nv_atan2(double y, double x)
{
    double a = abs64(x), b = abs64(y);
    bool is_steep = b > a;
    double most = is_steep ? b : a, least = is_steep ? a : b;
    double t = least / most;
    t = most == 0.0 ? 0.0 : least == INF64 ? 1.0 : t;
    double z = t * t;
    double r = odd64(t, poly64(z, atan64), z);
    r = is_steep ? PIO2_HI64 + (PIO2_LO64 - r) : r;
    r = bits64(x) >> 63 ? PI_HI64 + (PI_LO64 - r) : r;
    return x != x || y != y ? x + y : sign64(r, y);
}
