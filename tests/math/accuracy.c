/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the device library's math functions, compiled for the host,
 * against quadruple precision, and fails where one is worse than CUDA's
 * documentation allows. Arguments: random over all exponents, random within
 * the function's range, and the usual corners.
 *
 * usage: accuracy [samples [function]]
 */
#include <math.h>
#include <quadmath.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __float128 quad;

/* A reference's answer for an argument without a bound. */
#define NOT_TESTED (-12345678901234567890.0Q)

/* References that libquadmath lacks. */

static quad ref_rsqrt(quad x)
{
    return 1 / sqrtq(x);
}

static quad ref_rcbrt(quad x)
{
    return 1 / cbrtq(x);
}

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
    return y < 1 ? x : -x;
}

static quad ref_erfinv(quad x)
{
    if (fabsq(x) < 1e-15Q) /* 1 - x would not be exact */
        return x / M_2_SQRTPIq;
    return ref_erfcinv(1 - x);
}

static quad ref_normcdfinv(quad p)
{
    return -M_SQRT2q * ref_erfcinv(2 * p);
}

/* The documented bound leaves out a stretch of negative arguments. */
static quad ref_lgamma(quad x)
{
    if (x < -2.26Q)
        return NOT_TESTED;
    return lgammaq(x);
}

static quad ref_tgamma(quad x)
{
    if (x < 0 && floorq(x) == x)
        return nanq("");
    return tgammaq(x);
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

static quad ref_rhypot(quad x, quad y)
{
    return 1 / hypotq(x, y);
}

#define FUNCTION(name, s, d, ref, from, to)                                    \
    float __nv_##name##f(float);                                               \
    double __nv_##name(double);
#include "unary.def"
#define FUNCTION(name, s, d, ref, from, to)                                    \
    float __nv_##name##f(float);                                               \
    double __nv_##name(double);
#include "bessel.def"
#define FUNCTION(name, s, d, ref, from, to)                                    \
    float __nv_##name##f(float, float);                                        \
    double __nv_##name(double, double);
#include "binary.def"

struct function {
    const char *name;
    double bound_single, bound_double;
    quad (*ref1)(quad);
    quad (*ref2)(quad, quad);
    float (*single1)(float);
    double (*double1)(double);
    float (*single2)(float, float);
    double (*double2)(double, double);
    double from, to;
    double floor; /* an error counts as if the result were this large */
};

static const struct function functions[] = {
#define FUNCTION(name, s, d, ref, from, to)                                    \
    {#name,       s,    d,    ref,  NULL, __nv_##name##f,                      \
     __nv_##name, NULL, NULL, from, to,   0},
#include "unary.def"
#define FUNCTION(name, s, d, ref, from, to)                                    \
    {#name,       s,    d,    ref,  NULL, __nv_##name##f,                      \
     __nv_##name, NULL, NULL, from, to,   1.0},
#include "bessel.def"
#define FUNCTION(name, s, d, ref, from, to)                                    \
    {#name,          s,           d,    NULL, ref, NULL, NULL,                 \
     __nv_##name##f, __nv_##name, from, to,   0},
#include "binary.def"
};

static uint64_t random_bits(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717u;
}

static double double_of(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static float float_of(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static const double corners[] = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.0,
    -3.0,
    INFINITY,
    -INFINITY,
    NAN,
    0x1p-1074,
    0x1p-1022,
    -0x1p-1022,
    0x1p-149,
    0x1p-126,
    -0x1p-149,
    0x1.fffffep127,
    0x1.fffffffffffffp1023,
    1.5707963267948966,
    3.141592653589793,
    0x1.921fb6p+0,
    6381956970095103e2,
    6381956970095103.0 * 0x1p797,
    88.722839,
    -103.97208,
    709.782712893384,
    -745.1332191019411,
    0x1.fffffep-1,
    0x1.000002p0,
    0x1.fffffffffffffp-1,
    0x1.0000000000001p0,
    0.25,
    0.75,
    1e-10,
    -1e-10,
    1e22,
    105615.0,
    98304.0,
    786432.0,
    16777216.0,
    4503599627370496.5,
    0.49999999999999994,
    0.49999997,
    10.0,
    100.0,
    1024.0,
    127.0,
    128.0,
    -149.0,
    -150.0,
    5.0,
    7.0,
};
#define CORNERS (sizeof corners / sizeof *corners)

/* A distance in units in the last place between what the function returned
 * and the reference rounded to the same type. */
static double ulps_double(double got, quad want, double floor)
{
    double w = (double)want;
    if (isnan(w) || isnan(got))
        return isnan(w) && isnan(got) ? 0 : INFINITY;
    if (got == w)
        return 0;
    if (fabs(w) < floor)
        return (double)fabsq(got - want) / (floor * 0x1p-52);
    int64_t a, b;
    memcpy(&a, &got, 8);
    memcpy(&b, &w, 8);
    a = a < 0 ? INT64_MIN - a : a;
    b = b < 0 ? INT64_MIN - b : b;
    return a > b ? (double)((uint64_t)a - (uint64_t)b)
                 : (double)((uint64_t)b - (uint64_t)a);
}

static double ulps_single(float got, quad want, double floor)
{
    float w = (float)want;
    if (isnan(w) || isnan(got))
        return isnan(w) && isnan(got) ? 0 : INFINITY;
    if (got == w)
        return 0;
    if (fabsf(w) < floor)
        return (double)fabsq(got - want) / (floor * 0x1p-23);
    int32_t a, b;
    memcpy(&a, &got, 4);
    memcpy(&b, &w, 4);
    a = a < 0 ? INT32_MIN - a : a;
    b = b < 0 ? INT32_MIN - b : b;
    return fabs((double)a - (double)b);
}

/* The i-th argument: corners first, then half over all exponents, half
 * within the range. */
static double argument(const struct function *f, size_t i, bool is_single)
{
    if (i < CORNERS)
        return corners[i];
    double unit = (double)(random_bits() >> 11) * 0x1p-53;
    double to = f->to, from = f->from;
    if (to > 1e3) { /* huge ranges: near by in linear steps */
        to = 100;
        from = from < 0 ? -100 : from;
    }
    switch (random_bits() % 4) {
    case 0:
        return is_single ? float_of((uint32_t)random_bits())
                         : double_of(random_bits());
    case 1: { /* a moderate exponent */
        double x = ldexp(1 + unit, (int)(random_bits() % 60) - 40);
        return random_bits() & 1 ? -x : x;
    }
    default:
        return from + (to - from) * unit;
    }
}

struct worst {
    double ulps, x, y, got, want;
};

static void note(struct worst *w, double ulps, double x, double y, double got,
                 quad want)
{
    if (ulps > w->ulps && want != NOT_TESTED)
        *w = (struct worst){ulps, x, y, got, (double)want};
}

static quad reference(const struct function *f, quad x, quad y)
{
    return f->ref1 ? f->ref1(x) : f->ref2(x, y);
}

static void measure(const struct function *f, bool is_single, size_t samples,
                    struct worst *w)
{
    *w = (struct worst){0};
    size_t total = f->ref1 ? CORNERS + samples : CORNERS * CORNERS + samples;
    for (size_t i = 0; i < total; i++) {
        size_t j = f->ref1 ? i : i < CORNERS * CORNERS ? i / CORNERS : CORNERS;
        size_t k = i < CORNERS * CORNERS ? i % CORNERS : CORNERS;
        double x = argument(f, j, is_single), y = argument(f, k, is_single);
        if (is_single) {
            float xs = (float)x, ys = (float)y;
            quad want = reference(f, xs, ys);
            float got = f->single1 ? f->single1(xs) : f->single2(xs, ys);
            note(w, ulps_single(got, want, f->floor), xs, ys, got, want);
        } else {
            quad want = reference(f, x, y);
            double got = f->double1 ? f->double1(x) : f->double2(x, y);
            note(w, ulps_double(got, want, f->floor), x, y, got, want);
        }
    }
}

static bool report(const struct function *f, bool is_single, size_t samples)
{
    struct worst w;
    measure(f, is_single, samples, &w);
    double bound = is_single ? f->bound_single : f->bound_double;
    bool is_bad = !(w.ulps <= bound);
    printf("%-14s %-6s %9.4g ulp of %-3g", f->name,
           is_single ? "single" : "double", w.ulps, bound);
    if (is_bad)
        printf("  TOO FAR: (%a, %a) = %a, expected %a", w.x, w.y, w.got,
               w.want);
    printf("\n");
    return !is_bad;
}

int main(int argc, char **argv)
{
    size_t samples = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
    int bad = 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const struct function *f = &functions[i];
        if ((argc > 2 && strcmp(argv[2], f->name)) || (!f->ref1 && !f->ref2))
            continue;
        bad += !report(f, true, samples);
        bad += !report(f, false, samples);
    }
    if (bad)
        printf("%d functions beyond their bound\n", bad);
    return bad != 0;
}
