/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUDA's own math functions for host code compiled as CUDA, where the C
 * library has none (it has exp10, sincos and the Bessel functions).
 */
#ifndef WEFT_HOST_MATH_H
#define WEFT_HOST_MATH_H

/* With -ffast-math clang would warn of the infinities and NaNs below. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnan-infinity-disabled"

#define WEFT_HOST static __host__ __inline__

#define WEFT_HOST_1(name, expression)                                          \
    WEFT_HOST double name(double x)                                            \
    {                                                                          \
        return expression;                                                     \
    }                                                                          \
    WEFT_HOST float name##f(float x)                                           \
    {                                                                          \
        return (float)name((double)x);                                         \
    }                                                                          \
    WEFT_HOST float name(float x)                                              \
    {                                                                          \
        return name##f(x);                                                     \
    }

WEFT_HOST_1(rsqrt, 1.0 / ::sqrt(x))
WEFT_HOST_1(rcbrt, 1.0 / ::cbrt(x))

/* sin and cos of pi * x: exact zeros and ones, by symmetry in a quarter
 * turn. */
WEFT_HOST double __weft_sinpi_reduced(double r)
{
    const double pi = 3.14159265358979323846;
    double a = ::fabs(r); /* at most 1 */
    double b = a > 0.5 ? 1.0 - a : a;
    double s = b > 0.25 ? ::cos(pi * (0.5 - b)) : ::sin(pi * b);
    return ::copysign(s, r);
}
WEFT_HOST_1(sinpi, __weft_sinpi_reduced(::remainder(x, 2.0)))
WEFT_HOST_1(cospi, 0.0 + __weft_sinpi_reduced(
                             0.5 - ::fabs(::remainder(x, 2.0))))
WEFT_HOST void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
WEFT_HOST void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
WEFT_HOST void sincospi(float x, float *s, float *c)
{
    sincospif(x, s, c);
}

WEFT_HOST double fdivide(double x, double y)
{
    return x / y;
}
WEFT_HOST float fdividef(float x, float y)
{
    return x / y;
}

/* Lengths of vectors. hypot() keeps the squares from overflowing. */
WEFT_HOST double norm(int dim, const double *p)
{
    double sum = 0;
    for (int i = 0; i < dim; i++)
        sum = ::hypot(sum, p[i]);
    return sum;
}
WEFT_HOST float normf(int dim, const float *p)
{
    double sum = 0;
    for (int i = 0; i < dim; i++)
        sum = ::hypot(sum, (double)p[i]);
    return (float)sum;
}
WEFT_HOST double rnorm(int dim, const double *p)
{
    return 1.0 / norm(dim, p);
}
WEFT_HOST float rnormf(int dim, const float *p)
{
    return 1.0f / normf(dim, p);
}
WEFT_HOST double rhypot(double x, double y)
{
    return 1.0 / ::hypot(x, y);
}
WEFT_HOST float rhypotf(float x, float y)
{
    return (float)rhypot((double)x, (double)y);
}
WEFT_HOST double norm3d(double a, double b, double c)
{
    return ::hypot(::hypot(a, b), c);
}
WEFT_HOST float norm3df(float a, float b, float c)
{
    return (float)norm3d((double)a, (double)b, (double)c);
}
WEFT_HOST double rnorm3d(double a, double b, double c)
{
    return 1.0 / norm3d(a, b, c);
}
WEFT_HOST float rnorm3df(float a, float b, float c)
{
    return (float)rnorm3d((double)a, (double)b, (double)c);
}
WEFT_HOST double norm4d(double a, double b, double c, double d)
{
    return ::hypot(::hypot(a, b), ::hypot(c, d));
}
WEFT_HOST float norm4df(float a, float b, float c, float d)
{
    return (float)norm4d((double)a, (double)b, (double)c, (double)d);
}
WEFT_HOST double rnorm4d(double a, double b, double c, double d)
{
    return 1.0 / norm4d(a, b, c, d);
}
WEFT_HOST float rnorm4df(float a, float b, float c, float d)
{
    return (float)rnorm4d((double)a, (double)b, (double)c, (double)d);
}

/* exp(x * x) * erfc(x). Above 10 by the continued fraction, since erfc
 * underflows; below, the rounding of x * x is given back. */
WEFT_HOST double __weft_erfcx(double x)
{
    if (x < 10.0) {
        double square = x * x, rest = ::fma(x, x, -square);
        return ::exp(square) * ::erfc(x) * (1.0 + rest);
    }
    double tail = 0.0;
    for (int i = 60; i > 0; i--)
        tail = 0.5 * i / (x + tail);
    return 0.56418958354775628695 / (x + tail);
}
WEFT_HOST_1(erfcx, __weft_erfcx(x))

/* Newton steps of second order (Halley) on log-scaled erfc, from the
 * asymptotic start -log(y): y in (0, 1]. */
WEFT_HOST double __weft_erfcinv_small(double y)
{
    double l = -::log(y * 1.7724538509055160273 *
                      ::sqrt(-::log(y < 0.9 ? y : 0.9)));
    double x = ::sqrt(l > 0.0 ? l : 0.0);
    if (y > 0.4)
        x = 0.88622692545275801365 * (1.0 - y);
    for (int i = 0; i < 6; i++) {
        double f = (::erfc(x) - y) /
                   (-1.1283791670955125739 * ::exp(-x * x));
        x -= f / (1.0 + x * f);
    }
    return x;
}
WEFT_HOST double __weft_erfcinv(double y)
{
    if (!(y >= 0.0 && y <= 2.0))
        return __builtin_nan("");
    if (y == 0.0 || y == 2.0)
        return y == 0.0 ? __builtin_inf() : -__builtin_inf();
    return y <= 1.0 ? __weft_erfcinv_small(y)
                    : -__weft_erfcinv_small(2.0 - y);
}
WEFT_HOST double __weft_erfinv(double y)
{
    double a = ::fabs(y);
    if (!(a <= 1.0) || a == 1.0 || a > 0.5)
        return ::copysign(__weft_erfcinv(1.0 - a), y);
    double x = 0.88622692545275801365 * a;
    for (int i = 0; i < 6; i++) {
        double f = (::erf(x) - a) / (1.1283791670955125739 * ::exp(-x * x));
        x -= f / (1.0 + x * f);
    }
    return ::copysign(x, y);
}
WEFT_HOST_1(erfcinv, __weft_erfcinv(x))
WEFT_HOST_1(erfinv, __weft_erfinv(x))
WEFT_HOST_1(normcdf, 0.5 * ::erfc(x * -0.70710678118654752440))
WEFT_HOST_1(normcdfinv, -1.41421356237309504880 * erfcinv(2.0 * x))

/* Modified Bessel functions: the power series, and beyond 30 the asymptotic
 * one; mu is 4 * order squared. */
WEFT_HOST double __weft_cyl_bessel_i(int order, double x)
{
    double a = ::fabs(x), sign = order == 1 && x < 0 ? -1.0 : 1.0;
    if (a < 30.0) {
        double q = a * a * 0.25, term = order ? a * 0.5 : 1.0, sum = term;
        for (int k = 1; term > sum * 1e-18; k++) {
            term *= q / ((double)k * (k + order));
            sum += term;
        }
        return sign * sum;
    }
    double mu = 4.0 * order, term = 1.0, sum = 1.0;
    for (int k = 1; k < 30 && ::fabs(term) > 1e-18; k++) {
        double odd = 2 * k - 1;
        term *= -(mu - odd * odd) / (k * 8.0 * a);
        sum += term;
    }
    double half = ::exp(a * 0.5);
    return sign * (half / ::sqrt(6.28318530717958647693 * a)) * sum * half;
}
WEFT_HOST_1(cyl_bessel_i0, __weft_cyl_bessel_i(0, x))
WEFT_HOST_1(cyl_bessel_i1, __weft_cyl_bessel_i(1, x))

WEFT_HOST float exp10(float x)
{
    return ::exp10f(x);
}
WEFT_HOST void sincos(float x, float *s, float *c)
{
    ::sincosf(x, s, c);
}

#undef WEFT_HOST_1
#undef WEFT_HOST
#pragma clang diagnostic pop

#endif
