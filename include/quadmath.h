/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gcc's functions of 128-bit floats, for host code that is linked with
 * -lquadmath. clang has the type but not the header; gcc, which has it in a
 * folder of its own, reads that one.
 *
 * Functions are gcc's, with errors in errno; any thread may call.
 */
#ifndef WEFT_QUADMATH_H
#define WEFT_QUADMATH_H

#if !defined(__clang__) && defined(__has_include_next)
#if __has_include_next(<quadmath.h>)
#include_next <quadmath.h>
#define WEFT_HAS_QUADMATH
#endif
#endif

#ifndef WEFT_HAS_QUADMATH
#include <stddef.h>

typedef _Complex float __attribute__((mode(TC))) __complex128;

#define FLT128_MANT_DIG 113
#define FLT128_DIG 33
#define FLT128_MIN_EXP (-16381)
#define FLT128_MAX_EXP 16384
#define FLT128_MIN_10_EXP (-4931)
#define FLT128_MAX_10_EXP 4932

#define FLT128_MAX 0x1.ffffffffffffffffffffffffffffp16383Q
#define FLT128_MIN 0x1p-16382Q
#define FLT128_EPSILON 0x1p-112Q
#define FLT128_DENORM_MIN 0x1p-16494Q
#define HUGE_VALQ __builtin_huge_valq()

#define M_Eq 2.718281828459045235360287471352662498Q
#define M_LOG2Eq 1.442695040888963407359924681001892137Q
#define M_LOG10Eq 0.434294481903251827651128918916605082Q
#define M_LN2q 0.693147180559945309417232121458176568Q
#define M_LN10q 2.302585092994045684017991454684364208Q
#define M_PIq 3.141592653589793238462643383279502884Q
#define M_PI_2q 1.570796326794896619231321691639751442Q
#define M_PI_4q 0.785398163397448309615660845819875721Q
#define M_1_PIq 0.318309886183790671537767526745028724Q
#define M_2_PIq 0.636619772367581343075535053490057448Q
#define M_2_SQRTPIq 1.128379167095512573896158903121545172Q
#define M_SQRT2q 1.414213562373095048801688724209698079Q
#define M_SQRT1_2q 0.707106781186547524400844362104849039Q

/* Functions of one argument, of two, and of complex numbers. */
#define WEFT_QUAD_ONE(X)                                                       \
    X(acosq) X(acoshq) X(asinq) X(asinhq) X(atanq) X(atanhq) X(cbrtq)          \
    X(ceilq) X(coshq) X(cosq) X(erfcq) X(erfq) X(exp2q) X(expm1q) X(expq)      \
    X(fabsq) X(floorq) X(j0q) X(j1q) X(lgammaq) X(log10q) X(log1pq) X(log2q)   \
    X(logbq) X(logq) X(nearbyintq) X(rintq) X(roundq) X(sinhq) X(sinq)         \
    X(sqrtq) X(tanhq) X(tanq) X(tgammaq) X(truncq) X(y0q) X(y1q)
#define WEFT_QUAD_TWO(X)                                                       \
    X(atan2q) X(copysignq) X(fdimq) X(fmaxq) X(fminq) X(fmodq) X(hypotq)       \
    X(nextafterq) X(powq) X(remainderq)
#define WEFT_QUAD_COMPLEX(X)                                                   \
    X(cacoshq) X(cacosq) X(casinhq) X(casinq) X(catanhq) X(catanq) X(ccoshq)   \
    X(ccosq) X(cexpq) X(clog10q) X(clogq) X(conjq) X(cprojq) X(csinhq)         \
    X(csinq) X(csqrtq) X(ctanhq) X(ctanq)
#define WEFT_QUAD_ONE_IS(name) __float128 name(__float128);
#define WEFT_QUAD_TWO_IS(name) __float128 name(__float128, __float128);
#define WEFT_QUAD_COMPLEX_IS(name) __complex128 name(__complex128);

#ifdef __cplusplus
extern "C" {
#endif
WEFT_QUAD_ONE(WEFT_QUAD_ONE_IS)
WEFT_QUAD_TWO(WEFT_QUAD_TWO_IS)
WEFT_QUAD_COMPLEX(WEFT_QUAD_COMPLEX_IS)

__float128 fmaq(__float128, __float128, __float128);
__float128 frexpq(__float128, int *);
__float128 ldexpq(__float128, int);
__float128 modfq(__float128, __float128 *);
__float128 nanq(const char *);
__float128 remquoq(__float128, __float128, int *);
__float128 scalblnq(__float128, long);
__float128 scalbnq(__float128, int);
__float128 jnq(int, __float128);
__float128 ynq(int, __float128);
void sincosq(__float128, __float128 *, __float128 *);
int finiteq(__float128);
int ilogbq(__float128);
int isinfq(__float128);
int isnanq(__float128);
int issignalingq(__float128);
int signbitq(__float128);
long lrintq(__float128);
long lroundq(__float128);
long long llrintq(__float128);
long long llroundq(__float128);

__float128 cabsq(__complex128);
__float128 cargq(__complex128);
__float128 cimagq(__complex128);
__float128 crealq(__complex128);
__complex128 cexpiq(__float128);
__complex128 cpowq(__complex128, __complex128);

__float128 strtoflt128(const char *, char **);
int quadmath_snprintf(char *, size_t, const char *, ...);
#ifdef __cplusplus
}
#endif
#endif

#undef WEFT_HAS_QUADMATH
#endif
