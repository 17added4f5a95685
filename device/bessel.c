/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bessel functions of the first and second kind, and the modified ones of the
 * first. Up to 8 polynomials in x^2, with the zeros of j0 and j1 as factors in
 * two parts; beyond, amplitude and phase. Single precision goes through
 * double.
 */
#include "device.h"

double __nv_log(double x);
void __nv_sincos(double x, double *sine, double *cosine);

#define TWO_OVER_PI      0x1.45f306dc9c883p-1
#define ONE_OVER_ROOT_PI 0x1.20dd750429b6dp-1

/* j0(x) / ((x^2 - a^2) (x^2 - b^2)) and j1(x) / (x (x^2 - a^2) (x^2 - b^2)),
 * a and b the first two zeros, in x^2 / 32 - 1 */
static const double j0_near[] = {
    0x1.2bc29174dd587p-10,  -0x1.15d87e4b8d5b1p-9,  0x1.99e65104a68bdp-10,
    -0x1.5059ea69f589ep-11, 0x1.6409a6fd7bc99p-13,  -0x1.08db6a2de29cp-15,
    0x1.250f5378fb8eap-18,  -0x1.f633ea8571369p-22, 0x1.577f68f91f23dp-25,
    -0x1.801f7fbc824f7p-29, 0x1.65eb677aea5d8p-33,  -0x1.1a4cf0d52bc3p-37,
    0x1.7f85840493659p-42,  -0x1.c1d6b2d57354bp-47,
};
static const double j1_near[] = {
    0x1.98ec1eee7c01ap-13,  -0x1.1adb1329ed859p-12, 0x1.4c9bd11c0aa32p-13,
    -0x1.c5a7fc38de5dcp-15, 0x1.9ac7788fbe1f6p-17,  -0x1.0af8bb97e974ep-19,
    0x1.06438a6903e77p-22,  -0x1.941a837a02a52p-26, 0x1.f6297ab3ceb8ep-30,
    -0x1.0136fb4e80045p-33, 0x1.ba3e874ba689p-38,   -0x1.452fe28e3a97ap-42,
    0x1.9a44178a2dff2p-47,
};
/* y0(x) - 2/pi log(x) j0(x) and (y1(x) - 2/pi (log(x) j1(x) - 1/x)) / x
 */
static const double y0_near[] = {
    -0x1.876cb72f1c7ebp-2,  -0x1.a828bfbfdc936p-1,  0x1.a5a81d661f788p+0,
    0x1.272bb3b608b4ep-3,   -0x1.13da2b14a486ep+0,  0x1.58279811359ffp-1,
    -0x1.c06cc647f6a9ap-3,  0x1.7bd6bf2cea1e4p-5,   -0x1.cc706012368dbp-8,
    0x1.a6a8c6c8b114p-11,   -0x1.31537c5c835dfp-14, 0x1.651b8fa0f977bp-18,
    -0x1.5995ab94e4ce2p-22, 0x1.1997d49acbfcbp-26,  -0x1.88003e15bdc3p-31,
    0x1.d9b43388730dp-36,   -0x1.f1bc0a5acc1ccp-41,
};
static const double y1_near[] = {
    0x1.21d516f81acf6p-4,   -0x1.f26fddceafd0ep-3,  0x1.7edab31507d03p-6,
    0x1.e16d7a1d07b7p-3,    -0x1.923952d7c42a6p-3,  0x1.41bb6917b15d2p-4,
    -0x1.4198f92a31f28p-6,  0x1.c097bb98fe303p-9,   -0x1.d1604f9ccafeep-12,
    0x1.76c164b7f480ep-15,  -0x1.e35169de1c4cep-19, 0x1.ff34fd2dc5b2bp-23,
    -0x1.c3f1d953c93a5p-27, 0x1.532ea3b973fd9p-31,  -0x1.b5d34f7ba6365p-36,
    0x1.ed24f8375eca2p-41,  -0x1.e5950c4f983c4p-46,
};
/* sqrt(pi x / 2) (j, y) = (p cos t - q/x sin t, p sin t + q/x cos t),
 * t = x - pi/4 - n pi/2; in 1/x^2 */
static const double p0_far[] = {
    0x1p+0,
    -0x1.1ffffffffa155p-4,
    0x1.cb5fffb404a25p-4,
    -0x1.251eb7e180855p-1,
    0x1.84ad252e92b7p+2,
    -0x1.b67898185bd82p+6,
    0x1.6e4911e8ac88bp+11,
    -0x1.806c6c1570c81p+16,
    0x1.9a7cd877ba2b5p+21,
    -0x1.68bbf964debb8p+26,
    0x1.a71a8c7ff9b13p+30,
    -0x1.d9e072480630dp+33,
};
static const double q0_far[] = {
    -0x1.ffffffffffff6p-4,  0x1.2bffffffcf27fp-4,   -0x1.d11dfec4d1c1fp-3,
    0x1.ba4b90c38adeep+0,   -0x1.85f52168713ebp+4,  0x1.11f99975ea5cap+9,
    -0x1.0ed0327ccb041p+14, 0x1.3f625b628db8bp+19,  -0x1.6e57976630351p+24,
    0x1.4f9f0bfc4962ap+29,  -0x1.9379f167e5f03p+33, 0x1.cae992d51744ep+36,
};
static const double p1_far[] = {
    0x1p+0,
    0x1.dffffffff9b89p-4,
    -0x1.274fffd7b18e2p-3,
    0x1.5a6a24f6b3874p-1,
    -0x1.b88121990a1cbp+2,
    0x1.e4b2dc2e4fbcfp+6,
    -0x1.8e8347b0cccfap+11,
    0x1.9e2ec2dd87a33p+16,
    -0x1.b7d4aacfa44cep+21,
    0x1.815b2b3c93291p+26,
    -0x1.c336595281704p+30,
    0x1.f8d6bce415e38p+33,
};
static const double q1_far[] = {
    0x1.7fffffffffffdp-2,   -0x1.a3ffffffcc47ep-4,  0x1.1c3cff592d722p-2,
    -0x1.fe5744119bae3p+0,  0x1.b3d7bce24874fp+4,   -0x1.2c21c9c284c1cp+9,
    0x1.24d0eac64b238p+14,  -0x1.5693a495f42d5p+19, 0x1.872b1caf84f45p+24,
    -0x1.6577d8c5df35ep+29, 0x1.ad1ec925239e8p+33,  -0x1.e7a5a579a6e16p+36,
};
/* i0(x) and i1(x) / x in x^2; e^-x sqrt(x) times them in 1/x */
static const double i0_near[] = {
    0x1p+0,
    0x1p-2,
    0x1p-6,
    0x1.c71c71c71c71dp-12,
    0x1.c71c71c71c71ap-18,
    0x1.23456789abd12p-24,
    0x1.02e85c08986e9p-31,
    0x1.522a43f65d522p-39,
    0x1.522a43f592c13p-47,
    0x1.0b313295e3a51p-55,
    0x1.5601873d946eep-64,
    0x1.69cab100bb50ap-73,
    0x1.41969d2b93f7dp-82,
    0x1.e739f903478dp-92,
    0x1.3d8da7a3f8f2p-101,
    0x1.6fee7a6a1619dp-111,
    0x1.41647cc0f5d4ep-121,
    0x1.e1e62d0220ccep-131,
};
static const double i1_near[] = {
    0x1p-1,
    0x1p-4,
    0x1.5555555555555p-9,
    0x1.c71c71c71c71cp-15,
    0x1.6c16c16c16c16p-21,
    0x1.845c8a0ce514bp-28,
    0x1.27e4fb7789c93p-35,
    0x1.522a43f659a5dp-43,
    0x1.2c9758da8a534p-51,
    0x1.ab81ea82e4304p-60,
    0x1.f17696a7f2b01p-69,
    0x1.e2638fbaa2f3fp-78,
    0x1.8bcd595132dccp-87,
    0x1.1668135ee6fccp-96,
    0x1.52d1200cf3dep-106,
    0x1.6f3ffd99941eep-116,
    0x1.317ad4e35f84fp-126,
    0x1.a662aa4f1e99bp-136,
};
static const double i0_far[] = {
    0x1.9884533d43652p-2,   0x1.9884533d38914p-5,   0x1.cb94dde3814b3p-6,
    0x1.debad277d0cfap-6,   0x1.6e91c14a28a96p-5,   0x1.74f0be7500255p-4,
    0x1.42927645a4744p-4,   0x1.1cc2efb9feea7p+4,   -0x1.2781aeb1c2a96p+10,
    0x1.b800c5957b30fp+15,  -0x1.d9ab339950ab6p+20, 0x1.7c27348fe7e59p+25,
    -0x1.cd80a569fc9c9p+29, 0x1.aa1f9df6fd7ebp+33,  -0x1.2aae7501cda4ep+37,
    0x1.3ad8f6406f137p+40,  -0x1.e9d8e18ba9e62p+42, 0x1.103d71dbff0bbp+45,
    -0x1.988ad64471cafp+46, 0x1.729aea6e5d5a3p+47,  -0x1.32f3ba07f2275p+47,
};
static const double i1_far[] = {
    0x1.9884533d4364fp-2,   -0x1.32633e6deffefp-3,  -0x1.7efc0e24980c2p-5,
    -0x1.4f1c754689281p-5,  -0x1.d742044f3cd2dp-5,  -0x1.ca031d73d5cd6p-4,
    -0x1.cc537b25fb685p-5,  -0x1.668f5e1074067p+4,  0x1.60f43b7756697p+10,
    -0x1.fc871ef6e6b0ep+15, 0x1.0bd8185015aa3p+21,  -0x1.a74d6dbd010e5p+25,
    0x1.fbe5615606e2ap+29,  -0x1.d0aae1a0731ffp+33, 0x1.4349dabad36a7p+37,
    -0x1.52b3f10e1e278p+40, 0x1.0620253f90958p+43,  -0x1.22148f84e2e5bp+45,
    0x1.b1a8f171d5da9p+46,  -0x1.88150b7a22342p+47, 0x1.43c9622e7499ep+47,
};
/* x^2 in [0, 64] to [-1, 1], where the polynomials lose fewer digits */
INLINE double centred(double x)
{
    return fma64(x * x, 0x1p-5, -1.0);
}

/* x^2 - zero^2 */
INLINE double past_zero(double x, double zero, double zero_low)
{
    return ((x - zero) - zero_low) * (x + zero);
}

INLINE double j0_small(double x)
{
    double a = past_zero(x, 0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53);
    double b = past_zero(x, 0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54);
    return a * b * poly64(centred(x), j0_near);
}

INLINE double j1_small(double x)
{
    double a = past_zero(x, 0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53);
    double b = past_zero(x, 0x1.c0ff5f3b47250p+2, -0x1.b226d9d243827p-54);
    return x * a * b * poly64(centred(x), j1_near);
}

/* sqrt(2 / (pi x)) times p cos t - q sin t (first kind) or p sin t + q cos t;
 * of t = x - pi/4 the functions come from those of x. */
INLINE double far(double x, int order, bool is_second)
{
    double r = 1.0 / x, u = r * r, s, c;
    double p = order ? poly64(u, p1_far) : poly64(u, p0_far);
    double q = r * (order ? poly64(u, q1_far) : poly64(u, q0_far));
    __nv_sincos(x, &s, &c);
    /* times sqrt(2) */
    double cos_t = order ? s - c : c + s;
    double sin_t = order ? -(s + c) : s - c;
    double wave =
        is_second ? fma64(p, sin_t, q * cos_t) : fma64(p, cos_t, -(q * sin_t));
    return ONE_OVER_ROOT_PI * wave / __builtin_sqrt(x);
}

double __nv_j0(double x)
{
    double a = abs64(x);
    if (a == INF64)
        return 0.0;
    return a < 8.0 ? j0_small(a) : far(a, 0, false);
}

double __nv_j1(double x)
{
    double a = abs64(x);
    if (a == INF64)
        return sign64(0.0, x);
    double y = a < 8.0 ? j1_small(a) : far(a, 1, false);
    return bits64(x) >> 63 ? -y : y;
}

INLINE double second_special(double x)
{
    return x == 0.0 ? -INF64 : x == INF64 ? 0.0 : NAN64;
}

double __nv_y0(double x)
{
    if (!(x > 0.0 && x < INF64))
        return second_special(x);
    if (x >= 8.0)
        return far(x, 0, true);
    return fma64(TWO_OVER_PI * __nv_log(x), j0_small(x),
                 poly64(centred(x), y0_near));
}

double __nv_y1(double x)
{
    if (!(x > 0.0 && x < INF64))
        return second_special(x);
    if (x >= 8.0)
        return far(x, 1, true);
    double y = fma64(TWO_OVER_PI * __nv_log(x), j1_small(x),
                     x * poly64(centred(x), y1_near));
    return y - TWO_OVER_PI / x;
}

/* Upward where that is stable (n <= x), else downward from an order so high
 * that its value does not matter, normalised by j0 or j1. */
double __nv_jn(int n, double x)
{
    if (n < 0)
        return NAN64;
    if (n < 2)
        return n ? __nv_j1(x) : __nv_j0(x);
    double a = abs64(x);
    double sign = n & 1 ? sign64(1.0, x) : 1.0;
    if (!(a < INF64))
        return x != x ? x : sign * 0.0;
    if (a < 0x1p-27) { /* the first term of the series, (a/2)^n / n! */
        double term = sign;
        for (int k = 1; k <= n && term != 0.0; k++)
            term *= 0.5 * a / k;
        return term;
    }
    double r = 2.0 / a;
    if ((double)n <= a) {
        double before = __nv_j0(a), here = __nv_j1(a);
        for (int k = 1; k < n; k++) {
            double next = fma64(k * r, here, -before);
            before = here;
            here = next;
        }
        return sign * here;
    }
    int top = 2 * ((n + (int)__builtin_sqrt(60.0 * n) + 24) / 2);
    double after = 0.0, here = 1.0, wanted = 0.0;
    for (int k = top; k > 0; k--) {
        double next = fma64(k * r, here, -after);
        after = here;
        here = next;
        bool is_huge = abs64(here) > 0x1p500;
        double down = is_huge ? 0x1p-500 : 1.0;
        here *= down;
        after *= down;
        wanted *= down;
        wanted = k - 1 == n ? here : wanted;
    }
    /* `here` stands for j0, `after` for j1: scale by the larger */
    double j0 = __nv_j0(a), j1 = __nv_j1(a);
    double scale = abs64(j0) > abs64(j1) ? j0 / here : j1 / after;
    return sign * wanted * scale;
}

double __nv_yn(int n, double x)
{
    if (n < 0)
        return NAN64;
    if (n < 2)
        return n ? __nv_y1(x) : __nv_y0(x);
    if (!(x > 0.0 && x < INF64))
        return second_special(x);
    double r = 2.0 / x, before = __nv_y0(x), here = __nv_y1(x);
    for (int k = 1; k < n && here > -INF64; k++) {
        double next = fma64(k * r, here, -before);
        before = here;
        here = next;
    }
    return here;
}

/* e^a in two factors, so that it overflows only with the result. */
INLINE double grow(double value, double a)
{
    double half = weft_exp_dd((struct dd){0.5 * a, 0.0}, 0);
    return value / __builtin_sqrt(a) * half * half;
}

double __nv_cyl_bessel_i0(double x)
{
    double a = abs64(x);
    if (!(a < 8.0))
        return a < 800.0 ? grow(poly64(1.0 / a, i0_far), a) : a * INF64;
    return poly64(a * a, i0_near);
}

double __nv_cyl_bessel_i1(double x)
{
    double a = abs64(x);
    if (!(a < 8.0)) {
        double y = a < 800.0 ? grow(poly64(1.0 / a, i1_far), a) : a * INF64;
        return sign64(y, x);
    }
    return x * poly64(a * a, i1_near);
}

#define SINGLE(name)                                                           \
    float __nv_##name##f(float x)                                              \
    {                                                                          \
        return (float)__nv_##name((double)x);                                  \
    }
SINGLE(j0)
SINGLE(j1)
SINGLE(y0)
SINGLE(y1)
SINGLE(cyl_bessel_i0)
SINGLE(cyl_bessel_i1)

float __nv_jnf(int n, float x)
{
    return (float)__nv_jn(n, (double)x);
}

float __nv_ynf(int n, float x)
{
    return (float)__nv_yn(n, (double)x);
}
