/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bessel functions of the first and second kind, and the modified ones of the
 * first. Up to 8 polynomials in x^2, with zeros as factors in two parts;
 * beyond, amplitude and phase. Single precision goes through double.
 */
#include "device.h"

void __nv_sincos(double x, double *sine, double *cosine);

#define TWO_OVER_PI      0x1.45f306dc9c883p-1
#define ONE_OVER_ROOT_PI 0x1.20dd750429b6dp-1

/*
 * Up to 8, in pieces with a zero or two each, so that the result is as precise
 * near a zero as anywhere: of the first kind j0(x) and j1(x) / x, divided by
 * x^2 - zero^2; of the second y0(x) - 2/pi log(x / zero) j0(x) and
 * x (y1(x) - 2/pi log(x / zero) j1(x)), divided so too. All in x^2, taken
 * to [-1, 1].
 */
static const double j0_low[] = {
    -0x1.6b2948e843e2bp-4,  0x1.08d902d0bf620p-4,   -0x1.17057235d9c2bp-6,
    0x1.33fa04134f0abp-9,   -0x1.a4b2380ccc120p-13, 0x1.87a4ac4403e49p-17,
    -0x1.08c621262a185p-21, 0x1.0fff1f805757cp-26,  -0x1.b72e5fe143051p-32,
    0x1.1e14036597f5bp-37,  -0x1.3344f41d42566p-43, 0x1.148676940a444p-49,
};
static const double j0_high[] = {
    -0x1.68eb52bda2c08p-11, 0x1.c8ba80ea59711p-14,  0x1.937a5aec8ce2dp-13,
    -0x1.bec9a59fe990cp-14, 0x1.caed1c2cd39dfp-16,  -0x1.28e3755163c72p-18,
    0x1.0f4978e0a9099p-21,  -0x1.750cb196f4f50p-25, 0x1.92567016fe12fp-29,
    -0x1.5e9fd55c4534fp-33, 0x1.f921424788ba4p-38,  -0x1.3237260813724p-42,
    0x1.3dd213bb63568p-47,  -0x1.1c6001f498967p-52,
};
static const double j1_low[] = {
    -0x1.041c9423ec767p-6,  0x1.acf566aaededbp-7,   -0x1.15e32ff822fa4p-8,
    0x1.8bf87b5439004p-11,  -0x1.686a2a3c3f229p-14, 0x1.c95360babdc49p-18,
    -0x1.ac92400b19962p-22, 0x1.35278ce236c83p-26,  -0x1.623701dae085ap-31,
    0x1.4a45b9d078f76p-36,  -0x1.ff29dde95d7a0p-42, 0x1.4df092a4a2f3ep-47,
    -0x1.74adbafc67582p-53,
};
static const double j1_high[] = {
    -0x1.d601cf1393df4p-15, -0x1.cf0bfd7443f80p-19, 0x1.b12601af7bce0p-17,
    -0x1.23c25344e1d85p-18, 0x1.9afde36d9dabap-21,  -0x1.7a76b79e6b1bcp-24,
    0x1.f630cad473269p-28,  -0x1.fc2244b1a9813p-32, 0x1.974673301b996p-36,
    -0x1.09d9580237a19p-40, 0x1.20bb2f277f220p-45,  -0x1.09caca30d0a00p-50,
    0x1.a301fe62597a1p-56,
};
static const double y0_low[] = {
    0x1.34e38fcbadbc9p-3,   -0x1.ded5786ed8495p-6,  0x1.08bd219281f76p-9,
    -0x1.301fb6a1eb30cp-14, 0x1.adc2b9e6acf8ep-20,  -0x1.9c023af1d4c25p-26,
    0x1.1dd70c88acb26p-32,  -0x1.2c82d23ed5d2cp-39, 0x1.ef672afef4e42p-47,
};
static const double y0_mid[] = {
    -0x1.4ef3441a096f1p-5,  0x1.153d86d1694e1p-6,   0x1.62877c7cde1e8p-9,
    -0x1.394f406042709p-9,  0x1.1ac9969e2817ap-11,  -0x1.1d5417d28f9e6p-14,
    0x1.7f1d7bc84b85bp-18,  -0x1.744ee23525dd4p-22, 0x1.13cd02508bd20p-26,
    -0x1.42ee2b4afb8a8p-31, 0x1.32f9ab838f7d1p-36,  -0x1.e475ab3cfc6f2p-42,
    0x1.41e78cf6ff19dp-47,
};
static const double y0_high[] = {
    0x1.4357421c6f89ap-6,   -0x1.efb77bc84fe89p-10, -0x1.cd8a77df9f15fp-9,
    0x1.05fb5b13e1e42p-10,  -0x1.023c2822f3d9dp-14, -0x1.cdf477f72d31ap-17,
    0x1.ca66beffbcf29p-19,  -0x1.a028d3194dba2p-22, 0x1.f2fb2a2421b94p-26,
    -0x1.b92b74eeea8fbp-30, 0x1.302ffc11c972dp-34,  -0x1.52e27546b80dep-39,
    0x1.39451ff28a2c6p-44,  -0x1.e7da469af8c97p-50,
};
static const double y1_low[] = {
    0x1.7d2fc064fa737p-3,   -0x1.92e600dff263ep-9,  -0x1.5de3bfdf6b0b6p-5,
    0x1.a1606356b98a6p-7,   -0x1.c4e5b1e6c08b9p-10, 0x1.26874783e5c43p-13,
    -0x1.02ee4bf427005p-17, 0x1.4a4ec0b091a6cp-22,  -0x1.40a352be7f7f8p-27,
    0x1.ea6d345ab5a23p-33,  -0x1.2fa144a2245ecp-38, 0x1.366358f5876dfp-44,
};
static const double y1_mid[] = {
    -0x1.32f397d367638p-3,  -0x1.f2e81842fa48cp-9,  0x1.c9018aab99d14p-6,
    -0x1.29ae1c4b9bd17p-8,  -0x1.9d027843124dep-12, 0x1.9626661291513p-13,
    -0x1.cd035852cd2b1p-16, 0x1.38a372def6d83p-19,  -0x1.2838100ff740bp-23,
    0x1.a5da04ece0ed8p-28,  -0x1.d7f8b045db910p-33, 0x1.ac663375356a7p-38,
    -0x1.41ae818bfa735p-43,
};
static const double y1_high[] = {
    0x1.8ec7eff3c66f7p-4,   0x1.df5e155a9b8f6p-6,   -0x1.cc41661f8eb8bp-8,
    -0x1.4a7f945443b47p-11, 0x1.b2c31ec2d131bp-13,  -0x1.dd7e3928ed123p-17,
    -0x1.ce094cdfb8105p-24, 0x1.53e009e497de6p-24,  -0x1.b53bb5b8ff281p-28,
    0x1.4f5fe23cf4020p-32,  -0x1.70ce6560514ebp-37, 0x1.397fe256c62c7p-42,
    -0x1.ac61dd2fc2580p-48,
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
/* x in [from, to]: x^2 to [-1, 1], where the polynomials lose few digits */
INLINE double centred(double x, double from, double to)
{
    double width = to * to - from * from;
    return fma64(x * x, 2.0 / width, -(to * to + from * from) / width);
}

/* x^2 - zero^2 */
INLINE double past_zero(double x, double zero, double zero_low)
{
    return ((x - zero) - zero_low) * (x + zero);
}

INLINE double j0_small(double x)
{
    if (x < 4.0)
        return past_zero(x, 0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53) *
               poly64(centred(x, 0.0, 4.0), j0_low);
    return past_zero(x, 0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54) *
           past_zero(x, 0x1.14eb56cccdecap+3, -0x1.51970714c7c25p-52) *
           poly64(centred(x, 4.0, 8.0), j0_high);
}

INLINE double j1_small(double x)
{
    if (x < 5.0)
        return x * past_zero(x, 0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53) *
               poly64(centred(x, 0.0, 5.0), j1_low);
    return x * past_zero(x, 0x1.c0ff5f3b47250p+2, -0x1.b226d9d243827p-54) *
           past_zero(x, 0x1.458d0d0bdfc29p+3, 0x1.02610a51562b6p-51) *
           poly64(centred(x, 5.0, 8.0), j1_high);
}

struct zero {
    double at, at_low, log, log_low;
};

/* 2/pi log(x / zero); close to the zero by the series, which keeps its digits
 */
INLINE double log_past_zero(double x, struct zero z)
{
    double q = ((x - z.at) - z.at_low) / z.at;
    struct dd l = dd_add(weft_log_dd(x), (struct dd){-z.log, -z.log_low});
    double close = q * fma64(q, fma64(q, fma64(q, -0.25, 1.0 / 3), -0.5), 1.0);
    return TWO_OVER_PI * (abs64(q) < 0x1p-16 ? close : l.hi + l.lo);
}

/* 2/pi log(x / zero) first + (x^2 - zero^2) rest */
INLINE double second_kind(double x, struct zero z, double first, double rest)
{
    return fma64(log_past_zero(x, z), first,
                 past_zero(x, z.at, z.at_low) * rest);
}

INLINE double y0_small(double x)
{
    const struct zero low = {0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56,
                             -0x1.cce4b73e6f025p-4, -0x1.4297c34fad727p-58};
    const struct zero mid = {0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54,
                             0x1.602b189f9a0e3p+0, 0x1.b6722a977776cp-54};
    const struct zero high = {0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54,
                              0x1.f547e3f8d9a25p+0, -0x1.bf8d4045d16ccp-56};
    double j = j0_small(x);

    if (x < 2.0)
        return second_kind(x, low, j, poly64(centred(x, 0.0, 2.0), y0_low));
    if (x < 5.5)
        return second_kind(x, mid, j, poly64(centred(x, 2.0, 5.5), y0_mid));
    return second_kind(x, high, j, poly64(centred(x, 5.5, 8.0), y0_high));
}

INLINE double y1_small(double x)
{
    const struct zero low = {0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55,
                             0x1.930641fe98869p-1, -0x1.86dff1066eceap-58};
    const struct zero mid = {0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52,
                             0x1.b11f12c8890ffp+0, 0x1.b58212b5289afp-54};
    const struct zero high = {0x1.13127ae6169b4p+3, 0x1.479cc068d9046p-52,
                              0x1.135db8c5f832ep+1, -0x1.20c9e204f25e8p-54};
    double j = j1_small(x);

    if (x < 4.0)
        return second_kind(x, low, j, poly64(centred(x, 0.0, 4.0), y1_low) / x);
    if (x < 6.5)
        return second_kind(x, mid, j, poly64(centred(x, 4.0, 6.5), y1_mid) / x);
    return second_kind(x, high, j, poly64(centred(x, 6.5, 8.0), y1_high) / x);
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
    return y0_small(x);
}

double __nv_y1(double x)
{
    if (!(x > 0.0 && x < INF64))
        return second_special(x);
    if (x >= 8.0)
        return far(x, 1, true);
    return y1_small(x);
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
