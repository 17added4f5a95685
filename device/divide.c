/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remainders, exactly: fmod, remainder, remquo. The divisor's and the
 * dividend's significands are brought together 48 bits of quotient at a time;
 * taking the multiple off with a fused multiply-add is exact. The
 * single-precision functions run the same loop once, rarely more often.
 */
#include "device.h"

#define STEP_BITS 48

/* a mod b, both positive and finite; *quotient gets the low bits of the whole
 * quotient. */
INLINE double mod64(double a, double b, unsigned *quotient)
{
    int ea = exponent64(a), eb = exponent64(b);
    double divisor = ldexp64(b, -eb); /* in [1, 2), like rest at first */
    double rest = ldexp64(a, -ea);
    int left = ea - eb;
    unsigned q = 0;
    bool is_less = left < 0;
    bool is_once = !is_less && rest >= divisor;
    rest = is_once ? rest - divisor : rest;
    q = is_once ? 1 : 0;
    while (left > 0) {
        int step = left < STEP_BITS ? left : STEP_BITS;
        double wide = rest * exp2i64(step);
        double part = __builtin_trunc(wide / divisor);
        rest = fma64(-part, divisor, wide);
        bool is_over = rest < 0.0;
        rest = is_over ? rest + divisor : rest;
        part = is_over ? part - 1.0 : part;
        q = (step < 32 ? q << step : 0u) + (unsigned)(long long)part;
        left -= step;
    }
    *quotient = is_less ? 0 : q;
    return is_less ? a : ldexp64(rest, eb);
}

INLINE bool has_remainder(double x, double y)
{
    return abs64(x) < INF64 && y == y && y != 0.0;
}

INLINE double fmod_any(double x, double y)
{
    if (!has_remainder(x, y))
        return NAN64;
    double a = abs64(x), b = abs64(y);
    unsigned q;
    double rest = a < b ? a : mod64(a, b, &q);
    return sign64(rest, x);
}

/* The quotient is rounded to nearest, ties to even. */
INLINE double remainder_any(double x, double y, int *quotient)
{
    *quotient = 0;
    if (!has_remainder(x, y))
        return NAN64;
    double a = abs64(x), b = abs64(y);
    unsigned q = 0;
    double rest = a;
    if (b < INF64 && a != 0.0)
        rest = mod64(a, b, &q);
    /* rest against b / 2 without halving a subnormal number */
    double other = b - rest;
    bool is_up = rest > other || (rest == other && (q & 1));
    rest = is_up ? -other : rest;
    q += is_up;
    q &= 0x7fffffff;
    bool is_negative = (bits64(x) ^ bits64(y)) >> 63;
    *quotient = is_negative ? -(int)q : (int)q;
    return bits64(x) >> 63 ? -rest : rest;
}

double __nv_fmod(double x, double y)
{
    return fmod_any(x, y);
}

float __nv_fmodf(float x, float y)
{
    return (float)fmod_any(x, y);
}

double __nv_remainder(double x, double y)
{
    int q;
    return remainder_any(x, y, &q);
}

float __nv_remainderf(float x, float y)
{
    int q;
    return (float)remainder_any(x, y, &q);
}

double __nv_remquo(double x, double y, int *quotient)
{
    return remainder_any(x, y, quotient);
}

float __nv_remquof(float x, float y, int *quotient)
{
    return (float)remainder_any(x, y, quotient);
}
