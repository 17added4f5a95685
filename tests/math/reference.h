/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The right answers of table.def's functions, in quadruple precision, where
 * libquadmath has no function of that name.
 */
#ifndef WEFT_TESTS_MATH_REFERENCE_H
#define WEFT_TESTS_MATH_REFERENCE_H

#include <limits.h>
#include <math.h>
#include <quadmath.h>
#include <stdbool.h>

#include "arguments.h"

typedef __float128 quad;

/* A reference's answer for an argument without a bound. */
#define NOT_TESTED (-12345678901234567890.0Q)

static quad ref_exp10(quad x)
{
    return powq(10, x);
}

static quad ref_sinpi(quad x)
{
    quad r = remainderq(x, 2);
    quad y = fabsq(r) > 0.5Q ? copysignq(1, r) - r : r;
    return y == 0 ? copysignq(0, x) : sinq(M_PIq * y);
}

static quad ref_cospi(quad x)
{
    quad r = fabsq(remainderq(x, 2));
    return r == 0.5Q ? 0 : sinq(M_PIq * (0.5Q - r));
}

static quad ref_erfcx(quad x)
{
    if (x < 20)
        return expq(x * x) * erfcq(x);
    quad tail = 0;
    for (int i = 200; i > 0; i--)
        tail = (quad)i / 2 / (x + tail);
    return M_2_SQRTPIq / 2 / (x + tail);
}

static quad ref_logb(quad x)
{
    int e;
    if (x == 0 || isnanq(x) || isinfq(x))
        return x == 0 ? -INFINITY : x * x;
    frexpq(x, &e);
    return e - 1;
}

static quad ref_normcdf(quad x)
{
    return erfcq(-x * M_SQRT1_2q) / 2;
}

/* By Newton's method from the tested function's neighbourhood. */
static quad ref_erfcinv(quad y)
{
    if (!(y > 0 && y < 2))
        return y == 0 ? HUGE_VALQ : y == 2 ? -HUGE_VALQ : nanq("");
    quad tail = y < 1 ? y : 2 - y;
    quad x = sqrtq(-logq(tail)) * 0.8Q;
    if (y > 0.5Q && y < 1.5Q) { /* erf keeps the digits near 0 */
        quad a = fabsq(1 - y);
        x = a;
        for (int i = 0; i < 12; i++)
            x -= (erfq(x) - a) / (M_2_SQRTPIq * expq(-x * x));
    } else {
        for (int i = 0; i < 60; i++) {
            quad e = ref_erfcx(x);
            quad step = (logq(e) - x * x - logq(tail)) * e / M_2_SQRTPIq;
            x += step;
            if (fabsq(step) < 1e-30Q * x)
                break;
        }
    }
    return y <= 1 ? x : -x;
}

static quad ref_erfinv(quad x)
{
    if (fabsq(x) < 1e-15Q) /* 1 - x would not be exact */
        return x / M_2_SQRTPIq;
    return ref_erfcinv(1 - x);
}

static quad ref_normcdfinv(quad p)
{
    return 0 - M_SQRT2q * ref_erfcinv(2 * p);
}

/* Modified Bessel functions by their power series, all terms positive. */
static quad ref_cyl_bessel(int order, quad x)
{
    quad q = x * x / 4, term = order ? x / 2 : 1, sum = term;
    if (fabsq(x) > 1000 || isnanq(x))
        return isnanq(x) ? x : order && x < 0 ? -HUGE_VALQ : HUGE_VALQ;
    for (int k = 1; k < 2000 && fabsq(term) > 1e-36Q * fabsq(sum); k++) {
        term *= q / ((quad)k * (k + order));
        sum += term;
    }
    return sum;
}

static quad ref_i0(quad x)
{
    return ref_cyl_bessel(0, x);
}

static quad ref_i1(quad x)
{
    return ref_cyl_bessel(1, x);
}

/* The length of a vector; an infinite part makes it infinite. */
static quad ref_norm(quad x, quad y, quad z, quad w)
{
    if (isinfq(x) || isinfq(y) || isinfq(z) || isinfq(w))
        return HUGE_VALQ;
    return sqrtq(x * x + y * y + z * z + w * w);
}

/* The documented bound leaves out a stretch of negative arguments. */
static quad ref_lgamma(quad x, bool is_double)
{
    bool is_left_out =
        is_double ? x > -11.0001Q && x < -2.2637Q : x > -10.001Q && x < -2.264Q;
    return is_left_out ? NOT_TESTED : lgammaq(x);
}

static quad ref_tgamma(quad x)
{
    if (x < 0 && floorq(x) == x)
        return nanq("");
    return x == 0 ? 1 / x : tgammaq(x);
}

/* Rounded once, in the function's own precision. */
static quad ref_sum(quad x, quad y, bool is_double)
{
    return is_double ? (quad)((double)x + (double)y)
                     : (quad)((float)x + (float)y);
}

static quad ref_fma(quad x, quad y, quad z, bool is_double)
{
    return is_double ? (quad)fma((double)x, (double)y, (double)z)
                     : (quad)fmaf((float)x, (float)y, (float)z);
}

static quad ref_nextafter(quad x, quad y, bool is_double)
{
    return is_double ? (quad)nextafter((double)x, (double)y)
                     : (quad)nextafterf((float)x, (float)y);
}

/* Of two zeros min takes the negative one, max the positive one. */
static quad ref_min(quad x, quad y)
{
    return x == y ? (signbitq(x) ? x : y) : fminq(x, y);
}

static quad ref_max(quad x, quad y)
{
    return x == y ? (signbitq(x) ? y : x) : fmaxq(x, y);
}

static quad ref_j1(quad x)
{
    return isinfq(x) ? copysignq(0, x) : j1q(x);
}

static quad ref_to_8(quad x, quad y)
{
    return fabsq(x) <= 8 ? y : NOT_TESTED;
}

static quad ref_jn(int n, quad x)
{
    return n == 1 ? ref_j1(x) : jnq(n, x);
}

/* __fdividef: 2 ulp for divisors of up to 2^126, beyond them 0, of infinity
 * NaN. */
static quad ref_fast_divide(quad x, quad y, bool is_double)
{
    quad a = fabsq(y);
    if (is_double || isnanq(x) || isnanq(y) || isinfq(y))
        return x / y;
    if (a > 0x1p126Q)
        return isinfq(x) ? nanq("") : copysignq(0, x * y);
    return a < 0x1p-126Q ? NOT_TESTED : x / y;
}

/* What is no long long has no documented result. */
static quad ref_integer(quad x)
{
    return fabsq(x) < 0x1p63Q ? x + 0 : NOT_TESTED;
}

static quad ref_ilogb(quad x)
{
    if (x == 0 || isnanq(x))
        return INT_MIN;
    return isinfq(x) ? INT_MAX : ref_logb(x);
}

static quad ref_frexp(quad x)
{
    int e;
    return frexpq(x, &e);
}

static quad ref_frexp_exponent(quad x)
{
    int e = 0;
    if (finiteq(x))
        frexpq(x, &e);
    return e;
}

static quad ref_modf(quad x)
{
    return copysignq(isinfq(x) ? 0 : x - truncq(x), x);
}

/* Sign and three bits of the quotient. */
static quad ref_remquo(quad x, quad y)
{
    int quotient;
    if (isnanq(remquoq(x, y, &quotient)))
        return 0;
    return quotient < 0 ? -(-quotient & 7) : quotient & 7;
}

#endif
