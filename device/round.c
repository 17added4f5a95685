/* SPDX-License-Identifier: Apache-2.0 */
/* Rounding to integers, classification, and taking numbers apart. */
#include "device.h"

#define BOTH_1(name, builtin)                                                  \
    double __nv_##name(double x)                                               \
    {                                                                          \
        return __builtin_##builtin(x);                                         \
    }                                                                          \
    float __nv_##name##f(float x)                                              \
    {                                                                          \
        return __builtin_##builtin##f(x);                                      \
    }
BOTH_1(fabs, fabs)
BOTH_1(floor, floor)
BOTH_1(ceil, ceil)
BOTH_1(trunc, trunc)
BOTH_1(rint, rint)
BOTH_1(nearbyint, rint)

/* Half away from zero. |x| + 0.5 could round up across an integer, so the
 * distance to the truncated value decides. */
float __nv_roundf(float x)
{
    float whole = __builtin_truncf(x);
    float away = whole + sign32(1.0f, x);
    return abs32(add32(x, -whole)) >= 0.5f ? away : sign32(whole, x);
}

double __nv_round(double x)
{
    double whole = __builtin_trunc(x);
    double away = whole + sign64(1.0, x);
    return abs64(add64(x, -whole)) >= 0.5 ? away : sign64(whole, x);
}

long long __nv_llrint(double x)
{
    return __nvvm_d2ll_rn(x);
}

long long __nv_llrintf(float x)
{
    return __nvvm_f2ll_rn(x);
}

long long __nv_llround(double x)
{
    return __nvvm_d2ll_rz(__nv_round(x));
}

long long __nv_llroundf(float x)
{
    return __nvvm_f2ll_rz(__nv_roundf(x));
}

double __nv_fmax(double a, double b)
{
    return __builtin_fmax(a, b);
}

float __nv_fmaxf(float a, float b)
{
    return __builtin_fmaxf(a, b);
}

double __nv_fmin(double a, double b)
{
    return __builtin_fmin(a, b);
}

float __nv_fminf(float a, float b)
{
    return __builtin_fminf(a, b);
}

float __nv_saturatef(float x)
{
    return FTZ(__nvvm_saturate_ftz_f(x), __nvvm_saturate_f(x));
}

double __nv_fma(double a, double b, double c)
{
    return fma64(a, b, c);
}

float __nv_fmaf(float a, float b, float c)
{
    return fma32(a, b, c);
}

double __nv_copysign(double a, double b)
{
    return sign64(a, b);
}

float __nv_copysignf(float a, float b)
{
    return sign32(a, b);
}

double __nv_fdim(double a, double b)
{
    return a <= b ? 0.0 : add64(a, -b);
}

float __nv_fdimf(float a, float b)
{
    return a <= b ? 0.0f : add32(a, -b);
}

int __nv_isnand(double x)
{
    return x != x;
}

int __nv_isnanf(float x)
{
    return x != x;
}

int __nv_isinfd(double x)
{
    return abs64(x) == INF64;
}

int __nv_isinff(float x)
{
    return abs32(x) == INF32;
}

int __nv_isfinited(double x)
{
    return abs64(x) < INF64;
}

int __nv_finitef(float x)
{
    return abs32(x) < INF32;
}

int __nv_signbitd(double x)
{
    return (int)(bits64(x) >> 63);
}

int __nv_signbitf(float x)
{
    return (int)(bits32(x) >> 31);
}

/* A quiet NaN whose payload is the number that the string spells. */
INLINE uint64_t number_of(const signed char *tag)
{
    uint64_t value = 0;
    unsigned base = 10;
    if (!tag)
        return 0;
    if (tag[0] == '0') {
        bool is_hex = tag[1] == 'x' || tag[1] == 'X';
        base = is_hex ? 16 : 8;
        tag += is_hex ? 2 : 1;
    }
    for (; *tag; tag++) {
        unsigned c = (unsigned char)*tag | 32u;
        unsigned digit = c - '0' < 10u  ? c - '0'
                         : c - 'a' < 6u ? c - 'a' + 10
                                        : 99u;
        if (digit >= base)
            return 0;
        value = value * base + digit;
    }
    return value;
}

double __nv_nan(const signed char *tag)
{
    return float64(0x7ff8000000000000u | (number_of(tag) & 0x7ffffffffffffu));
}

float __nv_nanf(const signed char *tag)
{
    return float32(0x7fc00000u | ((uint32_t)number_of(tag) & 0x3fffffu));
}

float __nv_ldexpf(float x, int n)
{
    return ldexp32(x, n);
}

double __nv_ldexp(double x, int n)
{
    return ldexp64(x, n);
}

float __nv_scalbnf(float x, int n)
{
    return __nv_ldexpf(x, n);
}

double __nv_scalbn(double x, int n)
{
    return __nv_ldexp(x, n);
}

INLINE bool is_ordinary32(float x)
{
    return abs32(x) < INF32 && x != 0.0f;
}

INLINE bool is_ordinary64(double x)
{
    return abs64(x) < INF64 && x != 0.0;
}

float __nv_frexpf(float x, int *exponent)
{
    bool is_tiny = abs32(x) < 0x1p-126f;
    uint32_t u = bits32(is_tiny ? x * 0x1p24f : x);
    bool is_ordinary = is_ordinary32(x);
    *exponent = is_ordinary ? exponent32(x) + 1 : 0;
    return is_ordinary ? float32((u & 0x807fffffu) | 0x3f000000u) : x + x;
}

double __nv_frexp(double x, int *exponent)
{
    bool is_tiny = abs64(x) < 0x1p-1022;
    uint64_t u = bits64(is_tiny ? x * 0x1p54 : x);
    bool is_ordinary = is_ordinary64(x);
    *exponent = is_ordinary ? exponent64(x) + 1 : 0;
    return is_ordinary
               ? float64((u & 0x800fffffffffffffu) | 0x3fe0000000000000u)
               : x + x;
}

float __nv_logbf(float x)
{
    float special = x == 0.0f ? -INF32 : x * x;
    return is_ordinary32(x) ? (float)exponent32(x) : special;
}

double __nv_logb(double x)
{
    double special = x == 0.0 ? -INF64 : x * x;
    return is_ordinary64(x) ? (double)exponent64(x) : special;
}

/* Of 0 and NaN INT_MIN, of infinity INT_MAX. */
int __nv_ilogbf(float x)
{
    int special = abs32(x) == INF32 ? 0x7fffffff : -0x7fffffff - 1;
    return is_ordinary32(x) ? exponent32(x) : special;
}

int __nv_ilogb(double x)
{
    int special = abs64(x) == INF64 ? 0x7fffffff : -0x7fffffff - 1;
    return is_ordinary64(x) ? exponent64(x) : special;
}

float __nv_modff(float x, float *whole)
{
    float w = __builtin_truncf(x);
    *whole = w;
    float rest = abs32(x) == INF32 ? 0.0f : add32(x, -w);
    return x != x ? x : sign32(rest, x);
}

double __nv_modf(double x, double *whole)
{
    double w = __builtin_trunc(x);
    *whole = w;
    double rest = abs64(x) == INF64 ? 0.0 : add64(x, -w);
    return x != x ? x : sign64(rest, x);
}

float __nv_nextafterf(float x, float y)
{
    uint32_t u = bits32(x);
    uint32_t from_zero = (bits32(y) & 0x80000000u) | 1u;
    bool grows = (x < y) == (x > 0.0f);
    uint32_t next = x == 0.0f ? from_zero : grows ? u + 1 : u - 1;
    float result = x == y ? y : float32(next);
    return x != x || y != y ? x + y : result;
}

double __nv_nextafter(double x, double y)
{
    uint64_t u = bits64(x);
    uint64_t from_zero = (bits64(y) & 0x8000000000000000u) | 1u;
    bool grows = (x < y) == (x > 0.0);
    uint64_t next = x == 0.0 ? from_zero : grows ? u + 1 : u - 1;
    double result = x == y ? y : float64(next);
    return x != x || y != y ? x + y : result;
}
