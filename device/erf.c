/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Error functions. erf near 0 is a polynomial; everything else comes from
 * the scaled complement e^(x^2) erfc(x) = P(t) / (1 + 2x) with
 * t = (x - K) / (x + K), which maps [0, infinity) to [-1, 1).
 */
#include "device.h"

/* erf(x) / x in x^2, |x| <= 1 */
static const float erf32[] = {
    0x1.20dd74p+0f, -0x1.81273ep-2f,  0x1.ce2d2p-4f,   -0x1.b7fbb6p-6f,
    0x1.5419fap-8f, -0x1.a485f8p-11f, 0x1.4ae4c6p-14f,
};
static const double erf64[] = {
    0x1.20dd750429b6dp+0,   -0x1.812746b0379c2p-2,  0x1.ce2f21a041018p-4,
    -0x1.b82ce312062bcp-6,  0x1.565bccfa9a825p-8,   -0x1.c02db072f3fdep-11,
    0x1.f9a2bf73f0c35p-14,  -0x1.f4ca94990c8bfp-17, 0x1.b9827b18846c5p-20,
    -0x1.5c16e30fa81d3p-23, 0x1.d7849365e1051p-27,  -0x1.acdff90af3887p-31,
};

/* P for K = 2 and K = 4 */
static const float erfcx32[] = {
    0x1.46e80ep+0f,   -0x1.7bf5dcp-4f,  -0x1.5407bcp-3f, 0x1.4ff93p-3f,
    -0x1.bc2c5p-5f,   -0x1.06c6bp-7f,   0x1.1de5fp-7f,   0x1.3f550cp-10f,
    -0x1.7ff1aap-10f, -0x1.7815dep-12f, 0x1.d1a58ep-13f, 0x1.0aeb92p-14f,
    -0x1.564e6cp-16f,
};
static const double erfcx64[] = {
    0x1.3ba5916e9fd7fp+0,   -0x1.1df1ad154a287p-3,  0x1.f7f5df66fd612p-7,
    0x1.16ecefcfa4d8bp-4,   -0x1.9ddb23c3e85ffp-4,  0x1.7fee004e1e27cp-4,
    -0x1.0fb06dfe57066p-4,  0x1.3079edf52adc5p-5,   -0x1.09623882db192p-6,
    0x1.49c672ddb2367p-8,   -0x1.8d4a9b87cdc1fp-11, -0x1.a1df5c859a066p-13,
    0x1.3be0539b258a5p-13,  -0x1.99539e9cf298ep-16, -0x1.788742f2863eep-17,
    0x1.7ef76171333bbp-18,  0x1.39bb074b8fd56p-22,  -0x1.b8d8397e09b2ap-21,
    0x1.4bc7808c33883p-24,  0x1.c8d9d9210cbb3p-24,  -0x1.5eb24db4d7f83p-26,
    -0x1.a8a7103dcf031p-27, 0x1.abe1acfb46543p-29,  0x1.008a68f115ff4p-30,
    -0x1.1a12630aebfb4p-32,
};

/* a >= 0 */
INLINE float scaled32(float a)
{
    float under = a + 2.0f;
    float t = (a - 2.0f) / under;
    /* give back what the quotient and its parts lost */
    float rest = fma32(-t, a, (a - 2.0f) - 2.0f * t);
    t = t + rest / under;
    t = a > 0x1p60f ? 1.0f : t;
    return 0.5f * poly32(t, erfcx32) / (a + 0.5f);
}

INLINE double scaled64(double a)
{
    double under = a + 4.0;
    double t = (a - 4.0) / under;
    double rest = fma64(-t, a, (a - 4.0) - 4.0 * t);
    t = t + rest / under;
    t = a > 0x1p500 ? 1.0 : t;
    return 0.5 * poly64(t, erfcx64) / (a + 0.5);
}

/* erfc(a), a >= 0; the exponential is scaled up by 2^32, so that a small
 * result is rounded once. */
INLINE float complement32(float a)
{
    float square = mul32(a, a), lost = fma32(a, a, -square);
    float y = scaled32(a) * weft_exp32(-square, 32);
    y = fma32(-lost, y, y) * 0x1p-32f;
    return a > 10.1f ? 0.0f : y;
}

/* erfc(a + low) */
INLINE double complement64(double a, double low)
{
    double square = mul64(a, a), lost = fma64(a, a, -square);
    lost = fma64(a + a, low, lost);
    double y = scaled64(a) * weft_exp_dd((struct dd){-square, -lost}, 64);
    return a > 27.3 ? 0.0 : y * 0x1p-64;
}

float __nv_erff(float x)
{
    float a = abs32(x), z = x * x;
    float near = a * poly32(z, erf32);
    float far = 1.0f - complement32(a);
    return x != x ? x : sign32(a < 1.0f ? near : far, x);
}

double __nv_erf(double x)
{
    double a = abs64(x), z = x * x;
    double near = a * poly64(z, erf64);
    double far = 1.0 - complement64(a, 0.0);
    return x != x ? x : sign64(a < 1.0 ? near : far, x);
}

float __nv_erfcf(float x)
{
    float y = complement32(abs32(x));
    y = x < 0.0f ? 2.0f - y : y;
    return x != x ? x : y;
}

double __nv_erfc(double x)
{
    double y = complement64(abs64(x), 0.0), z = x * x;
    double near = fma64(-x, poly64(z, erf64), 1.0);
    y = x < 0.0 ? 2.0 - y : y;
    y = abs64(x) < 0.5 ? near : y;
    return x != x ? x : y;
}

/* For a negative argument 2 e^(x^2) - the same of -x. */
double __nv_erfcx(double x)
{
    double y = scaled64(abs64(x));
    double square = mul64(x, x), lost = fma64(x, x, -square);
    double twice = weft_exp_dd((struct dd){square, lost}, 1);
    y = x < 0.0 ? twice - y : y;
    return x != x ? x : x == -INF64 ? INF64 : y;
}

float __nv_erfcxf(float x)
{
    return (float)__nv_erfcx((double)x);
}

/* erfc(-x / sqrt(2)) / 2, the quotient in two parts */
double __nv_normcdf(double x)
{
    double a = abs64(x);
    a = a > 60.0 ? 60.0 : a;
    struct dd t = dd_product(a, 0x1.6a09e667f3bcdp-1);
    t.lo = fma64(a, -0x1.bdd3413b26456p-55, t.lo);
    double z = t.hi * t.hi;
    double part = 0.5 * t.hi * poly64(z, erf64);
    double far = 0.5 * complement64(t.hi, t.lo);
    double near = x > 0.0 ? 0.5 + part : 0.5 - part;
    double y = x > 0.0 ? 1.0 - far : far;
    y = a < 0.5 ? near : y;
    return x != x ? x : y;
}

float __nv_normcdff(float x)
{
    return (float)__nv_normcdf((double)x);
}

/* erfinv(x) / x in x^2, |x| <= 1/2 */
static const double erfinv64[] = {
    0x1.c5bf891b4ef6bp-1,  0x1.db29fb2fee5e5p-3, 0x1.053c2c0ab9057p-3,
    0x1.62847c47f54a3p-4,  0x1.0a13189606c4p-4,  0x1.a7c85ea254538p-5,
    0x1.5eeae3caed6f6p-5,  0x1.2abed70814608p-5, 0x1.035fa7e9e45ap-5,
    0x1.cec3e2d3fc45ep-6,  0x1.7b476c317e9c9p-6, 0x1.0816e5c2974aep-5,
    -0x1.dfb0162225d17p-7, 0x1.b7265342b1e2fp-4, -0x1.f349324bfba9cp-4,
    0x1.08da8b7e30f96p-3,
};

/* erfcinv(y) / s in 1 / s, s = sqrt(-log y), y <= 1/2: to 2^-13 */
static const double erfcinv_start[] = {
    0x1.0042f5c27e5d8p+0,  -0x1.d8ca7b84e768p-5,  -0x1.22551109ddfa3p+0,
    0x1.c121ad633f562p+0,  -0x1.848b32a2fc065p+0, 0x1.80d55034056cep-1,
    -0x1.4962dd5577a93p-3,
};

/* erfcinv(y) for y from 1/8 to 1/2, where Newton's method loses two bits: a
 * piece for each eighth of an octave, in y less its middle. The first two of a
 * row are one constant. */
static const double erfcinv_pieces[16][13] = {
    {0x1.101737e5cc904p+0, 0x1.e549d9447617p-54, -0x1.5f0ae046992ebp+1,
     0x1.ffa0694fd9ddep+2, -0x1.2f9047a1c6e8dp+5, 0x1.9bfdc54f440c6p+7,
     -0x1.2dd0007d5d09bp+10, 0x1.cf930d6f78b04p+12, -0x1.6fb11ad0f179bp+15,
     0x1.2a8c71ebf477bp+18, -0x1.ed88940dde036p+20, 0x1.a138a0e871537p+23,
     -0x1.61b98046a4af4p+26},
    {0x1.0596094368bf8p+0, -0x1.037808b5110dcp-56, -0x1.42431d92640ffp+1,
     0x1.9e870a82860cp+2, -0x1.b895f4b85e841p+4, 0x1.0b437fed0a09dp+7,
     -0x1.5e3325150ee3ap+9, 0x1.e118fa7fa21c5p+11, -0x1.5552b95970ea3p+14,
     0x1.efd106923044p+16, -0x1.6e9afcee5ce18p+19, 0x1.14c5ec0a1389fp+22,
     -0x1.a3d31e26dda7bp+24},
    {0x1.f7ca569d8ed4bp-1, -0x1.55a661474237bp-55, -0x1.2ab2f07914f28p+1,
     0x1.56ee7985dfd56p+2, -0x1.4a40514bbbfa8p+4, 0x1.6a2dbac49793dp+6,
     -0x1.ad32736625d45p+8, 0x1.0aa4b3ae003dbp+11, -0x1.56396e0317a8ep+13,
     0x1.c1aebf50ce10bp+15, -0x1.2cc572de073e1p+18, 0x1.9a5003318eebap+20,
     -0x1.198236960190ap+23},
    {0x1.e5c0f57460023p-1, 0x1.b042a53079d1p-55, -0x1.1709f931bb03bp+1,
     0x1.208f52e5a3392p+2, -0x1.fc61ce8159045p+3, 0x1.fc931b2ea6746p+5,
     -0x1.130a0163e94dcp+8, 0x1.37ed41109ee43p+10, -0x1.6d70b042d71a2p+12,
     0x1.b65800a4d4107p+14, -0x1.0ba55a0587f49p+17, 0x1.4d0314782d8c1p+19,
     -0x1.a126c14fa1cfdp+21},
    {0x1.d4d923214a9f3p-1, 0x1.2794d255b8756p-55, -0x1.0660fde3347bbp+1,
     0x1.ec811b097d2d3p+1, -0x1.90072b4b0cd19p+3, 0x1.6fce6ca7e6855p+5,
     -0x1.6de1cabc3574p+7, 0x1.7da4d15141dbbp+9, -0x1.9b40db0fc7375p+11,
     0x1.c5bf14448959dp+13, -0x1.fdb095b9f7cb4p+15, 0x1.2377bc1e3de49p+18,
     -0x1.4fdb157644b87p+20},
    {0x1.c4e84a02a6bb1p-1, 0x1.c1123e61e3666p-57, -0x1.f0274b6500e19p+0,
     0x1.a94e5abfbef8dp+1, -0x1.40b3f18a29dc2p+3, 0x1.10bef802996d8p+5,
     -0x1.f64f0882fb3d3p+6, 0x1.e5000e2bde3bdp+8, -0x1.e3cfa401353f1p+10,
     0x1.ee2c0917fa94bp+12, -0x1.00f3833919274p+15, 0x1.0feb3da40513p+17,
     -0x1.22156bf4968e7p+19},
    {0x1.b5cca0ea9ace8p-1, -0x1.b144e5cd2ec01p-58, -0x1.d753a544385ep+0,
     0x1.73012f83baef6p+1, -0x1.05429d996c2bfp+3, 0x1.9d46cb7938753p+4,
     -0x1.623cae1fa9705p+6, 0x1.3e5b47641c309p+8, -0x1.279d5858c3c25p+10,
     0x1.1912f22a07d7p+12, -0x1.1019425af885bp+14, 0x1.0befa0a9d3b8bp+16,
     -0x1.0a173b32e374p+18},
    {0x1.a76ae00be0f76p-1, 0x1.f51daad39579bp-58, -0x1.c19340a3644fep+0,
     0x1.46767353103f5p+1, -0x1.afa0d9db0f40ap+2, 0x1.3ef9ca1f7282p+4,
     -0x1.ff738b12c767ep+5, 0x1.ade1308ba4f9ep+7, -0x1.7558f892e2127p+9,
     0x1.4c07341fad643p+11, -0x1.2ca5cb2b561ebp+13, 0x1.14d07cf0c287p+15,
     -0x1.0124c5946f764p+17},
    {0x1.9304f5f09dcebp-1, 0x1.9f090b553a3e6p-56, -0x1.a5930316d2fcp+0,
     0x1.113bd0c9ef9f8p+1, -0x1.4b6426f6425eep+2, 0x1.bdabc036b279dp+3,
     -0x1.45b9776f79a12p+5, 0x1.f30b31b83bed2p+6, -0x1.8b1203deb6e97p+8,
     0x1.4043fdc012ad3p+10, -0x1.085ba51a25cdfp+12, 0x1.be6e6710ca101p+13,
     -0x1.7a196e43a14bep+15},
    {0x1.79a9e3ce812c6p-1, 0x1.25ddcfb5da6c5p-55, -0x1.86e9b432c77bp+0,
     0x1.b84e816ea3a3bp+0, -0x1.e28baa96a5b2ep+1, 0x1.216034795973ap+3,
     -0x1.7a7a4e8640249p+4, 0x1.03478221a796p+6, -0x1.6f31aac4acf51p+7,
     0x1.0a431cdecf61cp+9, -0x1.8933a9a22bb9cp+10, 0x1.287deb34a30a5p+12,
     -0x1.c142d5ecebccfp+13},
    {0x1.62096703bedc9p-1, 0x1.9ae096c5761a4p-55, -0x1.6df6f9aecced7p+0,
     0x1.69c1c83fd2ed2p+0, -0x1.6b0bf6b7bac62p+1, 0x1.885e9b330fc93p+2,
     -0x1.d07bc2ab35bbbp+3, 0x1.1fbb31a17a81bp+5, -0x1.7095a4c741c14p+6,
     0x1.e3823ec9dda9ap+7, -0x1.42f0bbc72b9ffp+9, 0x1.b802d329c0dd5p+10,
     -0x1.2d8f4121d5365p+12},
    {0x1.4bd436a31be05p-1, -0x1.d0475833c8e7dp-55, -0x1.594e89cfc7e56p+0,
     0x1.2dddc42eaaf9bp+0, -0x1.18a2dbdbcc1afp+1, 0x1.1388ef7c30936p+2,
     -0x1.2a0e2577c8106p+3, 0x1.50efda9453825p+4, -0x1.8a01fa3a7f419p+5,
     0x1.d7cc3944fa49p+6, -0x1.1fa94160d9285p+8, 0x1.65773af216c17p+9,
     -0x1.bf4b1ba989485p+10},
    {0x1.36cdf8e2617edp-1, 0x1.1a33eb316697fp-59, -0x1.47f5dfa57febcp+0,
     0x1.fe181f488e6a4p-1, -0x1.bbe02d1dd16a9p+0, 0x1.8e6c089368475p+1,
     -0x1.8d0ff0f941908p+2, 0x1.9c9c2eacebd7ap+3, -0x1.bbd9173661d69p+4,
     0x1.e8d65741a1ac7p+5, -0x1.12289c65effddp+7, 0x1.392812a5ec9e1p+8,
     -0x1.68724b8740df8p+9},
    {0x1.22c78f36936aap-1, 0x1.3d1a36166669ep-56, -0x1.393aec81e9e39p+0,
     0x1.b3528cb43427bp-1, -0x1.65faaa2fd82a5p+0, 0x1.272fe18066147p+1,
     -0x1.10fb3c0874953p+2, 0x1.065f29bdf941ep+3, -0x1.0554ae443487fp+4,
     0x1.0a6d6ee1d20f6p+5, -0x1.14aac40106333p+6, 0x1.24671bf87469ep+7,
     -0x1.3795a9d3caed2p+8},
    {0x1.0f9b62ecc58edp-1, -0x1.2bf8f11b64629p-57, -0x1.2c9b9f693dcd8p+0,
     0x1.76823287e2ed5p-1, -0x1.25b0f43de632ap+0, 0x1.be8cf10a0e42p+0,
     -0x1.81b666799858ap+1, 0x1.58a3a372e676fp+2, -0x1.3fa87f819dc66p+3,
     0x1.2f51e7136ca0dp+4, -0x1.25385ba5fd046p+5, 0x1.2059dceaa8646p+6,
     -0x1.1e0a24ff06db4p+7},
    {0x1.fa55cf6bd9d9p-2, 0x1.a1d4998051e0fp-57, -0x1.21b6c014ec5b1p+0,
     0x1.443d78f8314edp-1, -0x1.e948e68b91f37p-1, 0x1.57c509320db6ap+0,
     -0x1.170cae4f51811p+1, 0x1.d1858e906a57fp+1, -0x1.941c4a6009f5dp+2,
     0x1.669149512248dp+3, -0x1.443e3f38484b3p+4, 0x1.2a215ce8738e3p+5,
     -0x1.14a106eee335p+6},
};

INLINE double erfcinv_piece(double y)
{
    uint64_t eighth = bits64(y) >> 49;
    const double *c = erfcinv_pieces[eighth - (0x3fcull << 3)];
    double middle = float64((eighth << 49) + (1ull << 48));
    double d = y - middle, p = c[12];
    for (int i = 11; i >= 2; i--)
        p = fma64(p, d, c[i]);
    return c[0] + fma64(p, d, c[1]);
}

double __nv_log(double x);

/* y in (0, 1/2]: Newton's method on log erfcx(x) - x^2 - log y = 0, which
 * has no range to underflow in. */
RARE double erfcinv_tail(double y)
{
    if (y >= 0.125 && y < 0.5)
        return erfcinv_piece(y);
    double log_y = __nv_log(y), s = __builtin_sqrt(-log_y);
    double x = s * poly64(1.0 / s, erfcinv_start);
    for (int i = 0; i < 2; i++) {
        double e = scaled64(x);
        double miss = (__nv_log(e) - log_y) - x * x;
        x = fma64(miss * e, 0x1.c5bf891b4ef6bp-1, x);
    }
    return x;
}

INLINE double erfinv_middle(double x)
{
    return x * poly64(x * x, erfinv64);
}

double __nv_erfinv(double x)
{
    double a = abs64(x);
    if (a <= 0.5)
        return erfinv_middle(x);
    if (!(a < 1.0))
        return a == 1.0 ? sign64(INF64, x) : NAN64;
    return sign64(erfcinv_tail(1.0 - a), x);
}

double __nv_erfcinv(double y)
{
    if (y >= 0.5 && y <= 1.5)
        return erfinv_middle(1.0 - y);
    if (!(y > 0.0 && y < 2.0))
        return y == 0.0 ? INF64 : y == 2.0 ? -INF64 : NAN64;
    return y < 1.0 ? erfcinv_tail(y) : -erfcinv_tail(2.0 - y);
}

double __nv_normcdfinv(double p)
{
    return 0.0 - 0x1.6a09e667f3bcdp+0 * __nv_erfcinv(2.0 * p);
}

float __nv_erfinvf(float x)
{
    return (float)__nv_erfinv((double)x);
}

float __nv_erfcinvf(float y)
{
    return (float)__nv_erfcinv((double)y);
}

float __nv_normcdfinvf(float p)
{
    return (float)__nv_normcdfinv((double)p);
}
