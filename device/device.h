/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every file of the device library stands on: bit casts, fused
 * multiply-add, polynomials. tests/math measures what comes of it.
 *
 * Rules of this folder. The back end may fuse any product with a sum that
 * uses it, in every program, so nothing may depend on a product's rounding
 * unless it goes through mul32() or mul64(), and a sum with an argument goes
 * through add32() or add64() where it matters. Code is straight, with selects:
 * 32 lanes run it at once; a branch is for rare arguments only. Polynomials
 * are minimax fits (Remez) to the function their name and comment say.
 */
#ifndef WEFT_DEVICE_H
#define WEFT_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))
/* A path that few lanes take: kept out of the callers. */
#define RARE static __attribute__((noinline))

#define INF32 __builtin_inff()
#define INF64 __builtin_inf()
#define NAN32 __builtin_nanf("")
#define NAN64 __builtin_nan("")

INLINE uint32_t bits32(float x)
{
    uint32_t u;
    __builtin_memcpy(&u, &x, sizeof u);
    return u;
}

INLINE float float32(uint32_t u)
{
    float x;
    __builtin_memcpy(&x, &u, sizeof x);
    return x;
}

INLINE uint64_t bits64(double x)
{
    uint64_t u;
    __builtin_memcpy(&u, &x, sizeof u);
    return u;
}

INLINE double float64(uint64_t u)
{
    double x;
    __builtin_memcpy(&x, &u, sizeof x);
    return x;
}

INLINE float fma32(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}

INLINE double fma64(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

INLINE float abs32(float x)
{
    return __builtin_fabsf(x);
}

INLINE double abs64(double x)
{
    return __builtin_fabs(x);
}

INLINE float sign32(float magnitude, float sign)
{
    return __builtin_copysignf(magnitude, sign);
}

INLINE double sign64(double magnitude, double sign)
{
    return __builtin_copysign(magnitude, sign);
}

/* A sum of what a caller passed. That may be a product, and a sum that is fused
 * with it is not one of the argument: rounding it down may give another integer
 * than subtracting that. */
INLINE float add32(float a, float b)
{
    return __nvvm_add_rn_f(a, b);
}

INLINE double add64(double a, double b)
{
    return __nvvm_add_rn_d(a, b);
}

/* Products that are rounded by themselves. */
INLINE float mul32(float a, float b)
{
    return __nvvm_mul_rn_f(a, b);
}

INLINE double mul64(double a, double b)
{
    return __nvvm_mul_rn_d(a, b);
}

/* Of an instruction's two forms the one that -ftz= asks for. The compiler of
 * the program knows; that of the library must not decide, so it sees another
 * name (CMakeLists.txt). */
int __nvvm_reflect_later(const char *question);
#define FTZ(flushing, plain)                                                   \
    (__nvvm_reflect_later("__CUDA_FTZ") ? (flushing) : (plain))

/* c[0] + c[1] x + c[2] x^2 ...; the coefficients become immediates. */
INLINE float poly32_n(float x, const float *c, int n)
{
    float p = c[n - 1];
#pragma clang loop unroll(full)
    for (int i = n - 2; i >= 0; i--)
        p = fma32(p, x, c[i]);
    return p;
}

INLINE double poly64_n(double x, const double *c, int n)
{
    double p = c[n - 1];
#pragma clang loop unroll(full)
    for (int i = n - 2; i >= 0; i--)
        p = fma64(p, x, c[i]);
    return p;
}

#define poly32(x, c) poly32_n(x, c, (int)(sizeof(c) / sizeof(c)[0]))
#define poly64(x, c) poly64_n(x, c, (int)(sizeof(c) / sizeof(c)[0]))

/* Adding this rounds to an integer, which then stands in the low bits. Good
 * for |x| < 2^21 and 2^50. */
#define ROUND32 0x1.8p23f
#define ROUND64 0x1.8p52

/* 2^n within the normal range of exponents. */
INLINE float exp2i32(int n)
{
    return float32((uint32_t)(n + 127) << 23);
}

INLINE double exp2i64(int n)
{
    return float64((uint64_t)(uint32_t)(n + 1023) << 52);
}

/* x * 2^n in two steps, so that n may leave the range of exponents and a
 * subnormal result is rounded once. x near 1. */
INLINE float scale32(float x, int n)
{
    int half = n >> 1;
    return x * exp2i32(half) * exp2i32(n - half);
}

INLINE double scale64(double x, int n)
{
    int half = n >> 1;
    return x * exp2i64(half) * exp2i64(n - half);
}

/* Multiplication by 2^n: three steps reach from the largest number to the
 * smallest. A subnormal result is rounded once: a step of 2^-102 (2^-969) is
 * taken only where 2^-25 (2^-54) or less is left, which makes zero of what the
 * step makes subnormal. */
INLINE float ldexp32(float x, int n)
{
    n = n > 400 ? 400 : n < -400 ? -400 : n;
    int a = n > 127 ? 127 : n < -126 ? -102 : n;
    int b = n - a > 127 ? 127 : n - a < -126 ? -102 : n - a;
    int c = n - a - b;
    c = c > 127 ? 127 : c < -126 ? -126 : c;
    return x * exp2i32(a) * exp2i32(b) * exp2i32(c);
}

INLINE double ldexp64(double x, int n)
{
    n = n > 3000 ? 3000 : n < -3000 ? -3000 : n;
    int a = n > 1023 ? 1023 : n < -1022 ? -969 : n;
    int b = n - a > 1023 ? 1023 : n - a < -1022 ? -969 : n - a;
    int c = n - a - b;
    c = c > 1023 ? 1023 : c < -1022 ? -1022 : c;
    return x * exp2i64(a) * exp2i64(b) * exp2i64(c);
}

/* The exponent of a finite number other than 0, subnormal ones included. */
INLINE int exponent32(float x)
{
    bool is_tiny = abs32(x) < 0x1p-126f;
    uint32_t u = bits32(is_tiny ? x * 0x1p24f : x);
    return (int)(u >> 23 & 0xff) - 127 - (is_tiny ? 24 : 0);
}

INLINE int exponent64(double x)
{
    bool is_tiny = abs64(x) < 0x1p-1022;
    uint64_t u = bits64(is_tiny ? x * 0x1p54 : x);
    return (int)(u >> 52 & 0x7ff) - 1023 - (is_tiny ? 54 : 0);
}

/* A sum of two floats that holds twice the digits. */
struct dd {
    double hi, lo;
};

/* |a| >= |b|, or a is 0. */
INLINE struct dd dd_fast_sum(double a, double b)
{
    double s = a + b;
    return (struct dd){s, b - (s - a)};
}

INLINE struct dd dd_sum(double a, double b)
{
    double s = a + b, t = s - a;
    return (struct dd){s, (a - (s - t)) + (b - t)};
}

INLINE struct dd dd_product(double a, double b)
{
    double p = mul64(a, b);
    return (struct dd){p, fma64(a, b, -p)};
}

INLINE struct dd dd_mul(struct dd a, struct dd b)
{
    struct dd p = dd_product(a.hi, b.hi);
    p.lo += fma64(a.hi, b.lo, a.lo * b.hi);
    return dd_fast_sum(p.hi, p.lo);
}

INLINE struct dd dd_add(struct dd a, struct dd b)
{
    struct dd s = dd_sum(a.hi, b.hi);
    return dd_fast_sum(s.hi, s.lo + (a.lo + b.lo));
}

/* An angle as quadrant * pi/2 + r + low. */
struct reduced {
    double r, low;
    int quadrant;
};

/* What one file offers the others. */
struct dd weft_log_dd(double x);            /* x normal, positive */
double weft_exp_dd(struct dd x, int scale); /* e^x * 2^scale, |scale| <= 64 */
float weft_exp32(float x, int scale);       /* the same, |scale| <= 32 */
struct reduced weft_reduce_huge(double x);

#endif
