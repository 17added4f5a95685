/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sine, cosine, tangent. The argument is reduced to [-pi/4, pi/4] by taking
 * off k pi/2 in three parts (Cody and Waite); arguments beyond what k holds
 * go the long way, through the bits of 2/pi that matter (Payne and Hanek).
 */
#include "device.h"

#define TWO_OVER_PI 0x1.45f306dc9c883p-1
/* pi/2 in parts: for double the first two have 33 bits, so that k times
 * either is exact. */
#define PIO2_A64 0x1.921fb544p+0
#define PIO2_B64 0x1.0b4611a6p-34
#define PIO2_C64 0x1.3198a2e037073p-69
#define PIO2_A32 0x1.921fb6p+0f
#define PIO2_B32 -0x1.777a5cp-25f
#define PIO2_C32 -0x1.ee59dap-50f
#define PI_HI64  0x1.921fb54442d18p+1
#define PI_LO64  0x1.1a62633145c07p-53
#define PI_HI32  0x1.921fb6p+1f
#define PI_LO32  -0x1.777a5cp-24f

/* The largest arguments of the short way. */
#define SHORT32 0x1.8p+16f
#define SHORT64 0x1.8p+19

/* (sin r - r) / r^3 in r^2 */
static const float sin32[] = {
    -0x1.555552p-3f,
    0x1.110c28p-7f,
    -0x1.9ac9a6p-13f,
};
static const double sin64[] = {
    -0x1.5555555555555p-3, 0x1.1111111110bbp-7,    -0x1.a01a019e83135p-13,
    0x1.71de3795bc6b7p-19, -0x1.ae600a2510eeep-26, 0x1.5e0ac803dd6e3p-33,
};

/* (cos r - 1 + r^2/2) / r^4 in r^2 */
static const float cos32[] = {
    0x1.555554p-5f,
    -0x1.6c12d2p-10f,
    0x1.9bd87ep-16f,
};
static const double cos64[] = {
    0x1.5555555555555p-5,   -0x1.6c16c16c16966p-10, 0x1.a01a019f4e611p-16,
    -0x1.27e4fa176f90dp-22, 0x1.1eeb6877034f6p-29,  -0x1.907d4f3cb4389p-37,
};

static const uint64_t two_over_pi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
    0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab, 0xf0cfbc209af4361d,
};

/* 64 bits of 2/pi after the first `from`. */
INLINE uint64_t bits_of_two_over_pi(int from)
{
    int word = from >> 6, bit = from & 63;
    uint64_t next = two_over_pi[word + 1] >> 1 >> (63 - bit);
    return two_over_pi[word] << bit | next;
}

/*
 * Modulo 2 pi, |r| <= pi/4; x finite and at
 * least 2^16. Of 2/pi, the leading bits whose product with x counts whole
 * turns are left out, and 192 bits of what follows are used.
 */
__attribute__((noinline)) struct reduced weft_reduce_huge(double x)
{
    uint64_t u = bits64(x);
    int e = (int)(u >> 52 & 0x7ff) - 1075;
    uint64_t m = (u & 0xfffffffffffffu) | 0x10000000000000u;
    int from = e > 2 ? e - 2 : 0;
    typedef unsigned __int128 u128;
    u128 last = (u128)m * bits_of_two_over_pi(from + 128);
    u128 next = (u128)m * bits_of_two_over_pi(from + 64) + (last >> 64);
    u128 first = (u128)m * bits_of_two_over_pi(from) + (next >> 64);
    /* whole . hi lo, times 2^(e - from); then in units of two turns of pi */
    uint64_t whole = (uint64_t)(first >> 64);
    uint64_t hi = (uint64_t)first, lo = (uint64_t)next;
    int down = 2 - (e - from); /* 0 to 38 */
    lo = hi << 1 << (63 - down) | lo >> down;
    lo = down ? lo : (uint64_t)next;
    hi = down ? whole << (64 - down) | hi >> down : hi;

    int quadrant = (int)(hi >> 62);
    hi = hi << 2 | lo >> 62;
    lo <<= 2;
    bool is_up = hi >> 63; /* nearer to the next quadrant */
    quadrant += is_up;
    uint64_t flip = is_up ? ~(uint64_t)0 : 0;
    hi ^= flip;
    lo ^= flip;
    struct dd f = dd_fast_sum((double)(hi >> 11) * 0x1p-53,
                              (double)(hi << 53 | lo >> 11) * 0x1p-117);
    f = dd_mul(f, (struct dd){0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
    bool is_negative = (bool)(u >> 63) != is_up;
    return (struct reduced){.r = is_negative ? -f.hi : f.hi,
                            .low = is_negative ? -f.lo : f.lo,
                            .quadrant = u >> 63 ? -quadrant : quadrant};
}

/* Reduction; of infinity and NaN r is NaN. */
INLINE int reduce32(float x, float *r)
{
    float t = fma32(x, (float)TWO_OVER_PI, ROUND32);
    float k = t - ROUND32;
    *r = fma32(k, -PIO2_C32, fma32(k, -PIO2_B32, fma32(k, -PIO2_A32, x)));
    int quadrant = (int)bits32(t);
    if (abs32(x) > SHORT32) {
        if (abs32(x) < INF32) {
            struct reduced huge = weft_reduce_huge((double)x);
            quadrant = huge.quadrant;
            *r = (float)(huge.r + huge.low);
        } else {
            *r = NAN32;
        }
    }
    return quadrant;
}

INLINE int reduce64(double x, double *r, double *r_low)
{
    double t = fma64(x, TWO_OVER_PI, ROUND64);
    double k = t - ROUND64;
    double a = fma64(k, -PIO2_A64, x);
    double b = k * PIO2_B64;
    double c = a - b;
    double low = fma64(k, -PIO2_C64, (a - c) - b);
    *r = c + low;
    *r_low = (c - *r) + low;
    int quadrant = (int)(uint32_t)bits64(t);
    if (abs64(x) > SHORT64) {
        if (abs64(x) < INF64) {
            struct reduced huge = weft_reduce_huge(x);
            quadrant = huge.quadrant;
            *r = huge.r;
            *r_low = huge.low;
        } else {
            *r = NAN64;
            *r_low = 0.0;
        }
    }
    return quadrant;
}

/* On [-pi/4, pi/4]. */
INLINE float sin_part32(float r)
{
    float z = r * r;
    return fma32(z * r, poly32(z, sin32), r);
}

INLINE float cos_part32(float r)
{
    float z = r * r;
    return fma32(z * z, poly32(z, cos32), fma32(z, -0.5f, 1.0f));
}

INLINE double sin_part64(double r, double low)
{
    double z = r * r;
    double cube = fma64(z * r, poly64(z, sin64), low * fma64(z, -0.5, 1.0));
    return r + cube;
}

INLINE double cos_part64(double r, double low)
{
    double z = mul64(r, r);
    double head = fma64(z, -0.5, 1.0);
    double lost = fma64(z, -0.5, 1.0 - head);
    double tail = fma64(z * z, poly64(z, cos64), -(r * low));
    return head + (lost + tail);
}

/* Of sine and cosine in the first quadrant, those of the given one. */
INLINE float turn32(float s, float c, int quadrant)
{
    float y = quadrant & 1 ? c : s;
    return float32(bits32(y) ^ ((uint32_t)quadrant << 30 & 0x80000000u));
}

/* y with the other sign where x is negative: odd functions work on |x|, so
 * that a zero keeps its sign. */
INLINE float flip32(float y, float x)
{
    return float32(bits32(y) ^ (bits32(x) & 0x80000000u));
}

INLINE double turn64(double s, double c, int quadrant)
{
    double y = quadrant & 1 ? c : s;
    return quadrant & 2 ? -y : y;
}

float __nv_sinf(float x)
{
    float r;
    int quadrant = reduce32(abs32(x), &r);
    return flip32(turn32(sin_part32(r), cos_part32(r), quadrant), x);
}

float __nv_cosf(float x)
{
    float r;
    int quadrant = reduce32(x, &r);
    return turn32(sin_part32(r), cos_part32(r), quadrant + 1);
}

void __nv_sincosf(float x, float *sine, float *cosine)
{
    float r;
    int quadrant = reduce32(abs32(x), &r);
    float s = sin_part32(r), c = cos_part32(r);
    *sine = flip32(turn32(s, c, quadrant), x);
    *cosine = turn32(s, c, quadrant + 1);
}

float __nv_tanf(float x)
{
    float r;
    int quadrant = reduce32(abs32(x), &r);
    float s = sin_part32(r), c = cos_part32(r);
    return flip32(quadrant & 1 ? -c / s : s / c, x);
}

double __nv_sin(double x)
{
    double r, low;
    int quadrant = reduce64(x, &r, &low);
    double y = turn64(sin_part64(r, low), cos_part64(r, low), quadrant);
    return x == 0.0 ? x : y;
}

double __nv_cos(double x)
{
    double r, low;
    int quadrant = reduce64(x, &r, &low);
    return turn64(sin_part64(r, low), cos_part64(r, low), quadrant + 1);
}

void __nv_sincos(double x, double *sine, double *cosine)
{
    double r, low;
    int quadrant = reduce64(x, &r, &low);
    double s = sin_part64(r, low), c = cos_part64(r, low);
    *sine = x == 0.0 ? x : turn64(s, c, quadrant);
    *cosine = turn64(s, c, quadrant + 1);
}

double __nv_tan(double x)
{
    double r, low;
    int quadrant = reduce64(x, &r, &low);
    double s = sin_part64(r, low), c = cos_part64(r, low);
    double y = quadrant & 1 ? -c / s : s / c;
    return x == 0.0 ? x : y;
}

/* sin(pi r) and cos(pi r), |r| <= 1/4: (sin(pi r) - pi r) / r^3 and
 * (cos(pi r) - 1) / r^2 in r^2 */
static const float sinpi32[] = {
    -0x1.4abbcep+2f,
    0x1.466bc2p+1f,
    -0x1.32ce1ep-1f,
    0x1.4cb778p-4f,
};
static const float cospi32[] = {
    -0x1.3bd3ccp+2f,
    0x1.03c1eap+2f,
    -0x1.55cb98p+0f,
    0x1.db64cap-3f,
};
static const double sinpi64[] = {
    -0x1.4abbce625be53p+2,  0x1.466bc6775aae1p+1,  -0x1.32d2cce62b872p-1,
    0x1.50783486fab83p-4,   -0x1.e3074d25e88c2p-8, 0x1.e8f0368dfe75ap-12,
    -0x1.6cc565b758845p-16,
};
static const double cospi64[] = {
    -0x1.3bd3cc9be45dep+2,  0x1.03c1f081b5acp+2,   -0x1.55d3c7e3cb24p+0,
    0x1.e1f5068688aaap-3,   -0x1.a6d1eef444b4dp-6, 0x1.f9ce242346f0bp-10,
    -0x1.b2f3d477d705ep-14,
};

/* x = quadrant / 2 + r. Past 2^24 (2^53) every number is a whole even one. */
INLINE int halves32(float x, float *r)
{
    float even = 2.0f * __builtin_truncf(x * 0.5f);
    float rest = abs32(x) < 0x1p24f ? add32(x, -even) : x * 0.0f;
    float k = __builtin_rintf(rest + rest);
    *r = fma32(k, -0.5f, rest);
    return (int)k;
}

INLINE int halves64(double x, double *r)
{
    double even = 2.0 * __builtin_trunc(x * 0.5);
    double rest = abs64(x) < 0x1p53 ? add64(x, -even) : x * 0.0;
    double k = __builtin_rint(rest + rest);
    *r = fma64(k, -0.5, rest);
    return (int)k;
}

INLINE void sincospi_parts32(float r, float *s, float *c)
{
    float z = r * r;
    float tail = fma32(z * r, poly32(z, sinpi32), r * PI_LO32);
    *s = fma32(r, PI_HI32, tail);
    *c = fma32(z, poly32(z, cospi32), 1.0f);
}

INLINE void sincospi_parts64(double r, double *s, double *c)
{
    double z = r * r;
    double tail = fma64(z * r, poly64(z, sinpi64), r * PI_LO64);
    *s = fma64(r, PI_HI64, tail);
    *c = fma64(z, poly64(z, cospi64), 1.0);
}

/* A zero keeps the argument's sign (sine) or is positive (cosine). */
void __nv_sincospif(float x, float *sine, float *cosine)
{
    float r, s, c;
    int quadrant = halves32(x, &r);
    sincospi_parts32(r, &s, &c);
    float y = turn32(s, c, quadrant);
    *sine = y == 0.0f ? sign32(0.0f, x) : y;
    *cosine = turn32(s, c, quadrant + 1) + 0.0f;
}

float __nv_sinpif(float x)
{
    float s, c;
    __nv_sincospif(x, &s, &c);
    return s;
}

float __nv_cospif(float x)
{
    float s, c;
    __nv_sincospif(x, &s, &c);
    return c;
}

void __nv_sincospi(double x, double *sine, double *cosine)
{
    double r, s, c;
    int quadrant = halves64(x, &r);
    sincospi_parts64(r, &s, &c);
    double y = turn64(s, c, quadrant);
    *sine = y == 0.0 ? sign64(0.0, x) : y;
    *cosine = turn64(s, c, quadrant + 1) + 0.0;
}

double __nv_sinpi(double x)
{
    double s, c;
    __nv_sincospi(x, &s, &c);
    return s;
}

double __nv_cospi(double x)
{
    double s, c;
    __nv_sincospi(x, &s, &c);
    return c;
}
