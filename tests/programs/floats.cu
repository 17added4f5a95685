// SPDX-License-Identifier: Apache-2.0
//
// Floating point where the answer is exact: special values, signed zeros,
// subnormals, comparisons with NaN, rounding modes, fused multiply-add, and
// the functions that must be correctly rounded.
#include <cmath>

#include "check.h"

static __host__ __device__ float special(int i)
{
    const unsigned bits[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000,
                             0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
                             0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff,
                             0x3f000000, 0x40490fdb, 0x4b000001, 0xc2c80000};
    float f;
    memcpy(&f, &bits[i & 15], sizeof(f));
    return f;
}

static __host__ __device__ float left(int i)
{
    return special(i / 16);
}

static __host__ __device__ unsigned bits_of(float f)
{
    unsigned u;
    memcpy(&u, &f, sizeof(u));
    return f != f ? 0x7fc00000u : u; // any NaN is as good as another
}

static __host__ __device__ unsigned long long bits_of(double d)
{
    unsigned long long u;
    memcpy(&u, &d, sizeof(u));
    return d != d ? 0x7ff8000000000000ull : u;
}

static __host__ __device__ unsigned sum(int i)
{
    return bits_of(left(i) + special(i));
}

static __host__ __device__ unsigned difference(int i)
{
    return bits_of(left(i) - special(i));
}

static __host__ __device__ unsigned product(int i)
{
    return bits_of(left(i) * special(i));
}

static __host__ __device__ unsigned quotient(int i)
{
    return bits_of(left(i) / special(i));
}

static __host__ __device__ unsigned root(int i)
{
    return bits_of(sqrtf(special(i)));
}

static __host__ __device__ unsigned fused(int i)
{
    return bits_of(fmaf(left(i), special(i), special(i * 7 + 3)));
}

static __host__ __device__ unsigned negated(int i)
{
    return bits_of(-special(i)) ^ bits_of(fabsf(left(i)));
}

static __host__ __device__ unsigned compared(int i)
{
    float a = left(i), b = special(i);
    return (a < b) << 0 | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 |
           (a > b) << 4 | (a >= b) << 5 | !(a < b) << 6 | !(a >= b) << 7 |
           (a < b || a > b) << 8 | (a != a) << 9;
}

// Signed zeros aside: C leaves open which of them is the smaller.
static __host__ __device__ unsigned smaller(int i)
{
    return bits_of(fminf(left(i), special(i)) + 0.0f);
}

static __host__ __device__ unsigned larger(int i)
{
    return bits_of(fmaxf(left(i), special(i)) + 0.0f);
}

static __host__ __device__ unsigned rounded(int i)
{
    float a = special(i) * 0.3f;
    if (i >= 16)
        a = (float)(int)(scramble(i) % 2001 - 1000) * 0.25f;
    return bits_of(floorf(a)) * 3 + bits_of(ceilf(a)) * 5 +
           bits_of(truncf(a)) * 7 + bits_of(rintf(a)) * 11 +
           bits_of(roundf(a)) * 13;
}

static __host__ __device__ unsigned copied_sign(int i)
{
    return bits_of(
        copysignf(left(i), special(i) != special(i) ? 1.0f : special(i)));
}

static __host__ __device__ unsigned remainders(int i)
{
    float a = (float)(int)(scramble(i) % 20001 - 10000) * 0.37f;
    float b = (float)(scramble(i + 1) % 100 + 1) * 0.11f;
    return bits_of(fmodf(a, b)) ^ bits_of(remainderf(a, b)) << 1;
}

static __host__ __device__ unsigned scaled(int i)
{
    int exponent;
    float a = i < 16 ? special(i) : (float)(int)scramble(i);
    if (!(fabsf(a) < 1e30f))
        return 1;
    float m = frexpf(a, &exponent);
    return bits_of(m) + exponent * 3 + bits_of(ldexpf(m, exponent / 2)) * 5;
}

// Numbers scaled by so much that the result is subnormal, and rounded once.
static __host__ __device__ unsigned subnormal(int i)
{
    int n = -100 - i % 150, digits = i / 150 % 25;
    float m = (float)(scramble(i) >> 8) * 0x1p-24f;
    return bits_of(scalblnf(ldexpf(m, digits - 150 - n), n));
}

static __host__ __device__ unsigned long long wide_subnormal(int i)
{
    int n = -960 - i % 1100, digits = i / 1100 % 54;
    double m = (scramble(i) * 0x1p32 + scramble(i + 1)) * 0x1p-64;
    return bits_of(scalbln(ldexp(m, digits - 1074 - n), n));
}

static __host__ __device__ unsigned classes(int i)
{
    float a = special(i);
    double d = (double)left(i) * 1e300;
    return (a != a) | (fabsf(a) > 3e38f) << 1 | (d != d) << 3 |
           (fabs(d) > 1e308) << 4 | (d < 0) << 5;
}

// fma here and above: what a compiler contracts must not change the result.
static __host__ __device__ double wide(int i)
{
    return fma((double)left(i), 1.0000000001, (double)special(i) * 0x1p-30);
}

static __host__ __device__ unsigned long long wide_arithmetic(int i)
{
    double a = wide(i), b = wide(i * 5 + 2);
    // Unsigned sums of the results' bits.
    return bits_of(a * b) * 3 + bits_of(a - b) * 5 + bits_of(a / b) * 7 +
           bits_of(sqrt(fabs(a))) * 11 + bits_of(fma(a, b, 1.0)) * 13 +
           bits_of(floor(b)) * 17;
}

// Rounding modes: the sum or product as the mode asks.
__global__ void modes(float *out, double *wide_out, int n)
{
    int i = thread_in_grid();
    if (i >= n)
        return;
    float a = (float)scramble(i) * 1e-3f, b = (float)scramble(i + 1) * 7e-8f;
    float c = -(float)scramble(i + 2);
    float *p = out + 20 * i;
    p[0] = __fadd_rn(a, b);
    p[1] = __fadd_rz(c, b);
    p[2] = __fadd_ru(a, b);
    p[3] = __fadd_rd(c, b);
    p[4] = __fmul_rn(a, c);
    p[5] = __fmul_rz(a, c);
    p[6] = __fmul_ru(a, c);
    p[7] = __fmul_rd(a, c);
    p[8] = __fmaf_rn(a, b, c);
    p[9] = __fmaf_rz(a, b, c);
    p[10] = __fmaf_ru(a, b, c);
    p[11] = __fmaf_rd(a, b, c);
    p[12] = __fdiv_rn(a, c);
    p[13] = __fdiv_rz(a, c);
    p[14] = __fdiv_ru(a, c);
    p[15] = __fdiv_rd(a, c);
    p[16] = __fsqrt_rn(a);
    p[17] = __fsqrt_ru(a);
    p[18] = __frcp_rn(a);
    p[19] = __frcp_rd(c);
    double x = a * 1.1, y = c * 1.3;
    double *q = wide_out + 8 * i;
    q[0] = __dadd_rn(x, y);
    q[1] = __dadd_rz(x, y);
    q[2] = __dadd_ru(x, y);
    q[3] = __dadd_rd(x, y);
    q[4] = __dmul_rn(x, y);
    q[5] = __fma_rn(x, y, x);
    q[6] = __ddiv_rn(x, y);
    q[7] = __dsqrt_rn(x);
}

enum mode { NEAREST, ZERO, UP, DOWN };

// The exact value lies between neighbours of `near`; `above` says on which
// side of it: negative, zero or positive.
static float directed(float near, double above, mode m)
{
    if (above == 0 || m == NEAREST)
        return near;
    if (m == ZERO)
        m = near > 0 ? DOWN : UP;
    if (m == UP)
        return above > 0 ? std::nextafterf(near, INFINITY) : near;
    return above < 0 ? std::nextafterf(near, -INFINITY) : near;
}

static double directed(double near, double above, mode m)
{
    if (above == 0 || m == NEAREST)
        return near;
    if (m == ZERO)
        m = near > 0 ? DOWN : UP;
    if (m == UP)
        return above > 0 ? std::nextafter(near, (double)INFINITY) : near;
    return above < 0 ? std::nextafter(near, (double)-INFINITY) : near;
}

// long double has 64 bits: enough to hold a float's sum, product and fused
// result here exactly, or to tell on which side of a float they lie.
static float from_exact(long double exact, mode m)
{
    float near = (float)exact;
    return directed(near, (double)(exact - near), m);
}

static void expected_modes(int i, float *p, double *q)
{
    float a = (float)scramble(i) * 1e-3f, b = (float)scramble(i + 1) * 7e-8f;
    float c = -(float)scramble(i + 2);
    const mode order[] = {NEAREST, ZERO, UP, DOWN};
    p[0] = from_exact((long double)a + b, NEAREST);
    p[1] = from_exact((long double)c + b, ZERO);
    p[2] = from_exact((long double)a + b, UP);
    p[3] = from_exact((long double)c + b, DOWN);
    for (int k = 0; k < 4; k++) {
        p[4 + k] = from_exact((long double)a * c, order[k]);
        p[8 + k] = from_exact((long double)a * b + c, order[k]);
        p[12 + k] = from_exact((long double)a / c, order[k]);
    }
    p[16] = from_exact(sqrtl(a), NEAREST);
    p[17] = from_exact(sqrtl(a), UP);
    p[18] = from_exact(1.0l / a, NEAREST);
    p[19] = from_exact(1.0l / c, DOWN);
    double x = a * 1.1, y = c * 1.3;
    double near = x + y, part = near - x;
    double lost = (x - (near - part)) + (y - part); // exactly, by Knuth
    for (int k = 0; k < 4; k++)
        q[k] = directed(near, lost, order[k]);
    q[4] = x * y;
    q[5] = std::fma(x, y, x);
    q[6] = x / y;
    q[7] = std::sqrt(x);
}

static void check_modes()
{
    const int n = 500;
    buffer<float> out(20 * n);
    buffer<double> wide_out(8 * n);
    std::vector<float> want(20 * n);
    std::vector<double> wide_want(8 * n);
    for (int i = 0; i < n; i++)
        expected_modes(i, &want[20 * i], &wide_want[8 * i]);
    modes<<<(n + 63) / 64, 64>>>(out.device, wide_out.device, n);
    out.download();
    wide_out.download();
    expect_same("rounding modes", out, want);
    expect_same("rounding modes of doubles", wide_out, wide_want);
}

// What only the device has; values are as the manual gives them.
__global__ void only_here(float *out)
{
    const float nan = __int_as_float(0x7fc00000);
    out[0] = __saturatef(1.5f);
    out[1] = __saturatef(-2.0f);
    out[2] = __saturatef(0.25f);
    out[3] = __saturatef(nan);
    out[4] = fminf(nan, 3.0f);
    out[5] = fmaxf(3.0f, nan);
    out[6] = fdimf(5.0f, 2.0f);
    out[7] = fdimf(2.0f, 5.0f);
    out[8] = rsqrtf(0.25f);
    out[9] = exp2f(10.0f);
    out[10] = isnan(nan) ? 1.0f : 0.0f;
    out[11] = isinf(__int_as_float(0xff800000)) ? 1.0f : 0.0f;
    out[12] = signbit(-0.0f) ? 1.0f : 0.0f;
    out[13] = isfinite(3.0f) ? 1.0f : 0.0f;
    out[14] = nearbyintf(2.5f);
    out[15] = modff(-3.75f, &out[16]);
}

static void check_only_here()
{
    buffer<float> out(17);
    const std::vector<float> want = {1,    0, 0.25f, 0, 3, 3, 3,      0,    2,
                                     1024, 1, 1,     1, 1, 2, -0.75f, -3.0f};
    only_here<<<1, 1>>>(out.device);
    out.download();
    expect_same("only here", out, want);
}

int main()
{
    const int n = 256;
    CHECK_MAP(unsigned, sum, n);
    CHECK_MAP(unsigned, difference, n);
    CHECK_MAP(unsigned, product, n);
    CHECK_MAP(unsigned, quotient, n);
    CHECK_MAP(unsigned, root, n);
    CHECK_MAP(unsigned, fused, n);
    CHECK_MAP(unsigned, negated, n);
    CHECK_MAP(unsigned, compared, n);
    CHECK_MAP(unsigned, smaller, n);
    CHECK_MAP(unsigned, larger, n);
    CHECK_MAP(unsigned, rounded, n);
    CHECK_MAP(unsigned, copied_sign, n);
    CHECK_MAP(unsigned, remainders, n);
    CHECK_MAP(unsigned, scaled, n);
    CHECK_MAP(unsigned, subnormal, 150 * 25);
    CHECK_MAP(unsigned long long, wide_subnormal, 1100 * 54);
    CHECK_MAP(unsigned, classes, n);
    CHECK_MAP(unsigned long long, wide_arithmetic, n);
    check_modes();
    check_only_here();
    return finish();
}
