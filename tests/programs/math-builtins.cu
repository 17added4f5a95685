// SPDX-License-Identifier: Apache-2.0
// __builtin_acos(x) in device code is acos(x), for all of C's functions, as
// templates of C++ libraries for both sides write it.
#include <cstdio>
#include <cstring>

#define SAME(a, b) at++, *bad = (a) == (b) || *bad ? *bad : at
#define UNARY(name)                                                           \
    SAME(__builtin_##name(x), name(x));                                       \
    SAME(__builtin_##name##f(f), name##f(f));
#define BINARY(name, y, g)                                                    \
    SAME(__builtin_##name(x, y), name(x, y));                                 \
    SAME(__builtin_##name##f(f, g), name##f(f, g));

__global__ void numbers(int *bad, double x, double y, float f, float g, int n)
{
    int at = 0, one = 0, other = 0;
    UNARY(acos) UNARY(asin) UNARY(asinh) UNARY(atan) UNARY(atanh) UNARY(cbrt)
    UNARY(ceil) UNARY(cos) UNARY(cosh) UNARY(erf) UNARY(erfc) UNARY(exp)
    UNARY(exp10) UNARY(exp2) UNARY(expm1) UNARY(fabs) UNARY(floor)
    UNARY(lgamma) UNARY(log) UNARY(log10) UNARY(log1p) UNARY(log2) UNARY(logb)
    UNARY(nearbyint) UNARY(rint) UNARY(round) UNARY(sin) UNARY(sinh)
    UNARY(sqrt) UNARY(tan) UNARY(tanh) UNARY(tgamma) UNARY(trunc)
    UNARY(ilogb) UNARY(lrint) UNARY(llrint) UNARY(lround) UNARY(llround)
    SAME(__builtin_acosh(x + 1), acosh(x + 1));
    SAME(__builtin_acoshf(f + 1), acoshf(f + 1));
    BINARY(atan2, y, g) BINARY(copysign, y, g) BINARY(fdim, y, g)
    BINARY(fmax, y, g) BINARY(fmin, y, g) BINARY(fmod, y, g)
    BINARY(hypot, y, g) BINARY(nextafter, y, g) BINARY(pow, y, g)
    BINARY(remainder, y, g) BINARY(ldexp, n, n) BINARY(scalbn, n, n)
    BINARY(scalbln, n, n)
    SAME(__builtin_fma(x, y, x), fma(x, y, x));
    SAME(__builtin_fmaf(f, g, f), fmaf(f, g, f));
    SAME(__builtin_frexp(x, &one), frexp(x, &other));
    SAME(__builtin_frexpf(f, &one), frexpf(f, &other));
    SAME(__builtin_remquo(x, y, &one), remquo(x, y, &other));
    SAME(one, other);
    double whole, part;
    SAME(__builtin_modf(x + 2, &whole) + whole, modf(x + 2, &part) + part);
    SAME(__builtin_powi(x, n), x * x * x);
    SAME(__builtin_powif(f, n), f * f * f);
    double s, c, t, d;
    __builtin_sincos(x, &s, &c);
    sincos(x, &t, &d);
    SAME(s + 2 * c, t + 2 * d);
    SAME(__builtin_isnan(x) + __builtin_isinf(x) + __builtin_isfinite(f) +
             __builtin_isnormal(f) + __builtin_signbit(-x),
         3);
}

__global__ void words(int *bad, const char *a, const char *b)
{
    int at = 1000;
    SAME(__builtin_strcmp(a, b) < 0, true);
    SAME(__builtin_strncmp(a, b, 2), 0);
    SAME(__builtin_memcmp(a, b, 3) < 0, true);
    SAME(__builtin_strlen(a), 3);
    SAME(__builtin_strchr(a, 'c') - a, 2);
    SAME((const char *)__builtin_memchr(a, 'b', 3) - a, 1);
}

int main()
{
    int *bad;
    cudaMallocManaged(&bad, 64);
    char *a = (char *)(bad + 2), *b = (char *)(bad + 4);
    strcpy(a, "abc");
    strcpy(b, "abd");
    numbers<<<1, 1>>>(bad, 0.7, 1.3, 0.7f, -1.3f, 3);
    words<<<1, 1>>>(bad, a, b);
    cudaError_t err = cudaDeviceSynchronize();
    if (*bad)
        printf("%d is not the same\n", *bad);
    return err || *bad;
}
