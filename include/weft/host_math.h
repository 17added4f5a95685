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

/* Computed with more digits than the result has, and rounded once. */
#define WEFT_HOST_1(name, expression)                                          \
    WEFT_HOST double name(double x)                                            \
    {                                                                          \
        return (double)(expression);                                           \
    }                                                                          \
    WEFT_HOST float name##f(float x)                                           \
    {                                                                          \
        return (float)name((double)x);                                         \
    }                                                                          \
    WEFT_HOST float name(float x)                                              \
    {                                                                          \
        return name##f(x);                                                     \
    }

WEFT_HOST_1(rsqrt, 1.0L / ::sqrtl(x))
WEFT_HOST_1(rcbrt, 1.0L / ::cbrtl(x))

/* sin and cos of pi * x: exact zeros and ones, by symmetry in a quarter
 * turn. */
WEFT_HOST long double __weft_sinpi_reduced(double r)
{
    const long double pi = 3.14159265358979323846264338327950288L;
    double a = ::fabs(r); /* at most 1 */
    double b = a > 0.5 ? 1.0 - a : a;
    long double s = b > 0.25 ? ::cosl(pi * (0.5 - b)) : ::sinl(pi * b);
    return ::copysignl(s, r);
}
/* A whole number of half turns keeps the argument's sign. */
WEFT_HOST long double __weft_sinpi(double x)
{
    long double s = __weft_sinpi_reduced(::remainder(x, 2.0));
    return s == 0.0L ? ::copysignl(s, x) : s;
}
WEFT_HOST_1(sinpi, __weft_sinpi(x))
WEFT_HOST_1(cospi, 0.0L + __weft_sinpi_reduced(
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

/* Lengths of vectors. hypotl() has the room that the squares need, and makes a
 * length infinite if a part is. */
template <typename T>
WEFT_HOST long double __weft_length(int dim, const T *p)
{
    long double sum = 0;
    for (int i = 0; i < dim; i++)
        sum = ::hypotl(sum, p[i]);
    return sum;
}
WEFT_HOST double norm(int dim, const double *p)
{
    return (double)__weft_length(dim, p);
}
WEFT_HOST float normf(int dim, const float *p)
{
    return (float)__weft_length(dim, p);
}
WEFT_HOST double rnorm(int dim, const double *p)
{
    return (double)(1.0L / __weft_length(dim, p));
}
WEFT_HOST float rnormf(int dim, const float *p)
{
    return (float)(1.0L / __weft_length(dim, p));
}
WEFT_HOST double rhypot(double x, double y)
{
    return (double)(1.0L / ::hypotl(x, y));
}
WEFT_HOST float rhypotf(float x, float y)
{
    return (float)(1.0L / ::hypotl(x, y));
}
#define WEFT_HOST_LENGTH(type, suffix)                                         \
    WEFT_HOST type norm3d##suffix(type a, type b, type c)                      \
    {                                                                          \
        return (type)::hypotl(::hypotl(a, b), c);                              \
    }                                                                          \
    WEFT_HOST type rnorm3d##suffix(type a, type b, type c)                     \
    {                                                                          \
        return (type)(1.0L / ::hypotl(::hypotl(a, b), c));                     \
    }                                                                          \
    WEFT_HOST type norm4d##suffix(type a, type b, type c, type d)              \
    {                                                                          \
        return (type)::hypotl(::hypotl(a, b), ::hypotl(c, d));                 \
    }                                                                          \
    WEFT_HOST type rnorm4d##suffix(type a, type b, type c, type d)             \
    {                                                                          \
        return (type)(1.0L / ::hypotl(::hypotl(a, b), ::hypotl(c, d)));        \
    }
WEFT_HOST_LENGTH(double, )
WEFT_HOST_LENGTH(float, f)
#undef WEFT_HOST_LENGTH

/* exp(x * x) * erfc(x). Above 10 by the continued fraction. */
WEFT_HOST long double __weft_erfcx(long double x)
{
    if (!(x > -30.0L))
        return x != x ? x : __builtin_infl();
    if (x < 10.0L)
        return ::expl(x * x) * ::erfcl(x);
    long double tail = 0.0L;
    for (int i = 60; i > 0; i--)
        tail = 0.5L * i / (x + tail);
    return 0.564189583547756286948079451560772586L / (x + tail);
}
WEFT_HOST_1(erfcx, __weft_erfcx(x))

/* Newton's steps on log(erfc), which is nearly a parabola: y in (0, 0.5]. */
WEFT_HOST long double __weft_erfcinv_small(long double y)
{
    long double log_y = ::logl(y), x = ::sqrtl(-log_y) * 0.8L;
    for (int i = 0; i < 40; i++) {
        long double e = __weft_erfcx(x);
        long double step = (::logl(e) - x * x - log_y) * e *
                           0.886226925452758013649083741670572591L;
        x += step;
        if (::fabsl(step) < 1e-17L * x)
            break;
    }
    return x;
}
/* The same where erf keeps the digits: |y| at most 0.5. */
WEFT_HOST long double __weft_erfinv_small(long double y)
{
    const long double slope = 0.886226925452758013649083741670572591L;
    long double x = slope * y;
    for (int i = 0; i < 6 && ::fabsl(y) > 1e-10L; i++)
        x -= (::erfl(x) - y) * slope * ::expl(x * x);
    return x;
}
WEFT_HOST long double __weft_erfcinv(long double y)
{
    if (!(y > 0.0L && y < 2.0L))
        return y == 0.0L   ? __builtin_infl()
               : y == 2.0L ? -__builtin_infl()
                           : __builtin_nanl("");
    if (y >= 0.5L && y <= 1.5L)
        return __weft_erfinv_small(1.0L - y);
    return y < 1.0L ? __weft_erfcinv_small(y) : -__weft_erfcinv_small(2.0L - y);
}
WEFT_HOST long double __weft_erfinv(long double y)
{
    return ::fabsl(y) <= 0.5L ? __weft_erfinv_small(y)
                              : __weft_erfcinv(1.0L - y);
}
WEFT_HOST_1(erfcinv, __weft_erfcinv(x))
WEFT_HOST_1(erfinv, __weft_erfinv(x))
WEFT_HOST_1(normcdf,
            0.5L * ::erfcl(x * -0.707106781186547524400844362104849039L))
WEFT_HOST_1(normcdfinv, 0.0L - 1.41421356237309504880168872420969808L *
                                   __weft_erfcinv(2.0L * x))

/* Modified Bessel functions: the power series, and beyond 50 the asymptotic
 * one; mu is 4 * order squared. */
WEFT_HOST long double __weft_cyl_bessel_i(int order, double x)
{
    long double a = ::fabs(x);
    if (!(a < 800.0L))
        return order ? x * __builtin_infl() : a * __builtin_infl();
    if (a < 50.0L) {
        long double q = a * a * 0.25L, term = order ? a * 0.5L : 1.0L;
        long double sum = term;
        for (int k = 1; term > sum * 1e-21L; k++) {
            term *= q / ((long double)k * (k + order));
            sum += term;
        }
        return order ? ::copysignl(sum, x) : sum;
    }
    long double mu = 4.0L * order, term = 1.0L, sum = 1.0L;
    for (int k = 1; k < 60 && ::fabsl(term) > 1e-21L; k++) {
        long double odd = 2 * k - 1;
        term *= -(mu - odd * odd) / (k * 8.0L * a);
        sum += term;
    }
    sum *= ::expl(a) / ::sqrtl(6.28318530717958647692528676655900577L * a);
    return order ? ::copysignl(sum, x) : sum;
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
