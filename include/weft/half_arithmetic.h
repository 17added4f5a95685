/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic, comparison and operators of one 16-bit floating-point type and
 * its pair. Included once per type, by cuda_fp16.h and cuda_bf16.h, which
 * define
 *   WEFT_H, WEFT_H2         the type and its pair
 *   WEFT_NATIVE             clang's type for it, in device code
 *   WEFT_H_BITS(h)          the bits of an h
 *   WEFT_H_MAKE(bits)       an h of bits
 *   WEFT_H_FLOAT(h)         its value
 *   WEFT_H_ROUND(double)    a double rounded to it
 * No include guard on purpose.
 */

#if defined(__CUDA_ARCH__)

typedef WEFT_NATIVE WEFT_CAT(weft_pair_, WEFT_H)
    __attribute__((ext_vector_type(2)));
#define WEFT_PAIR WEFT_CAT(weft_pair_, WEFT_H)
#define WEFT_IN(h)                                                             \
    __builtin_bit_cast(WEFT_NATIVE, (unsigned short)WEFT_H_BITS(h))
#define WEFT_OUT(v)                                                            \
    WEFT_H_MAKE(__builtin_bit_cast(unsigned short, (WEFT_NATIVE)(v)))
#define WEFT_IN2(h) __builtin_bit_cast(WEFT_PAIR, h)
#define WEFT_OUT2(v) __builtin_bit_cast(WEFT_H2, (WEFT_PAIR)(v))

/* name, expression in x and y of the native type; expression for the host in
 * doubles */
#define WEFT_BINARY(name, device_expression, host_expression)                  \
    WEFT_HALF_FN WEFT_H name(const WEFT_H a, const WEFT_H b)                   \
    {                                                                          \
        WEFT_NATIVE x = WEFT_IN(a), y = WEFT_IN(b);                            \
        return WEFT_OUT(device_expression);                                    \
    }                                                                          \
    WEFT_HALF_FN WEFT_H2 name##2(const WEFT_H2 a, const WEFT_H2 b)             \
    {                                                                          \
        WEFT_PAIR x = WEFT_IN2(a), y = WEFT_IN2(b);                            \
        return WEFT_OUT2(device_expression);                                   \
    }

#else

#define WEFT_BINARY(name, device_expression, host_expression)                  \
    WEFT_HALF_FN WEFT_H name(const WEFT_H a, const WEFT_H b)                   \
    {                                                                          \
        double x = WEFT_H_FLOAT(a), y = WEFT_H_FLOAT(b);                       \
        return WEFT_H_ROUND(host_expression);                                  \
    }                                                                          \
    WEFT_HALF_FN WEFT_H2 name##2(const WEFT_H2 a, const WEFT_H2 b)             \
    {                                                                          \
        WEFT_H2 r;                                                             \
        r.x = name(a.x, b.x);                                                  \
        r.y = name(a.y, b.y);                                                  \
        return r;                                                              \
    }

#endif

WEFT_BINARY(__hadd, x + y, x + y)
WEFT_BINARY(__hsub, x - y, x - y)
WEFT_BINARY(__hmul, x *y, x *y)
#undef WEFT_BINARY

/* In single precision the quotient is rounded twice, and still right: it has
 * more than twice the digits. */
WEFT_HALF_FN WEFT_H __hdiv(const WEFT_H a, const WEFT_H b)
{
    return WEFT_H_ROUND(WEFT_H_FLOAT(a) / WEFT_H_FLOAT(b));
}

WEFT_HALF_FN WEFT_H __hfma(const WEFT_H a, const WEFT_H b, const WEFT_H c)
{
#if defined(__CUDA_ARCH__)
    WEFT_NATIVE x = WEFT_IN(a), y = WEFT_IN(b), z = WEFT_IN(c);
    return WEFT_OUT(__builtin_elementwise_fma(x, y, z));
#else
    double x = WEFT_H_FLOAT(a), y = WEFT_H_FLOAT(b), z = WEFT_H_FLOAT(c);
    return WEFT_H_ROUND(__builtin_fma(x, y, z));
#endif
}

WEFT_HALF_FN WEFT_H __hneg(const WEFT_H a)
{
    return WEFT_H_MAKE((unsigned short)(WEFT_H_BITS(a) ^ 0x8000u));
}

WEFT_HALF_FN WEFT_H __habs(const WEFT_H a)
{
    return WEFT_H_MAKE((unsigned short)(WEFT_H_BITS(a) & 0x7fffu));
}

/* Comparisons of one; the form with u is true for a NaN. */
#define WEFT_COMPARE(name, expression)                                         \
    WEFT_HALF_FN bool __h##name(const WEFT_H a, const WEFT_H b)                \
    {                                                                          \
        float x = WEFT_H_FLOAT(a), y = WEFT_H_FLOAT(b);                        \
        return expression;                                                     \
    }                                                                          \
    WEFT_HALF_FN WEFT_H2 __h##name##2(const WEFT_H2 a, const WEFT_H2 b)        \
    {                                                                          \
        WEFT_H2 r;                                                             \
        r.x = WEFT_H_ROUND(__h##name(a.x, b.x) ? 1.0f : 0.0f);                 \
        r.y = WEFT_H_ROUND(__h##name(a.y, b.y) ? 1.0f : 0.0f);                 \
        return r;                                                              \
    }                                                                          \
    WEFT_HALF_FN bool __hb##name##2(const WEFT_H2 a, const WEFT_H2 b)          \
    {                                                                          \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                     \
    }                                                                          \
    WEFT_HALF_FN unsigned int __h##name##2_mask(const WEFT_H2 a,               \
                                                const WEFT_H2 b)               \
    {                                                                          \
        return (__h##name(a.x, b.x) ? 0xffffu : 0u) |                          \
               (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                       \
    }
WEFT_COMPARE(eq, x == y)
WEFT_COMPARE(ne, x < y || x > y)
WEFT_COMPARE(lt, x < y)
WEFT_COMPARE(le, x <= y)
WEFT_COMPARE(gt, x > y)
WEFT_COMPARE(ge, x >= y)
WEFT_COMPARE(equ, !(x < y || x > y))
WEFT_COMPARE(neu, x != y)
WEFT_COMPARE(ltu, !(x >= y))
WEFT_COMPARE(leu, !(x > y))
WEFT_COMPARE(gtu, !(x <= y))
WEFT_COMPARE(geu, !(x < y))
#undef WEFT_COMPARE

WEFT_HALF_FN bool __hisnan(const WEFT_H a)
{
    float x = WEFT_H_FLOAT(a);
    return x != x;
}

/* -1 and 1 for the two infinities. */
WEFT_HALF_FN int __hisinf(const WEFT_H a)
{
    float x = WEFT_H_FLOAT(a);
    return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;
}

/* The number, where one of the two is a NaN; _nan: the NaN. -0 < +0. */
WEFT_HALF_FN WEFT_H __hmax(const WEFT_H a, const WEFT_H b)
{
    if (__hisnan(a) || __hisnan(b))
        return __hisnan(a) ? b : a;
    bool is_first = WEFT_H_FLOAT(a) == WEFT_H_FLOAT(b)
                        ? !(WEFT_H_BITS(a) & 0x8000u)
                        : WEFT_H_FLOAT(a) > WEFT_H_FLOAT(b);
    return is_first ? a : b;
}

WEFT_HALF_FN WEFT_H __hmin(const WEFT_H a, const WEFT_H b)
{
    if (__hisnan(a) || __hisnan(b))
        return __hisnan(a) ? b : a;
    bool is_first = WEFT_H_FLOAT(a) == WEFT_H_FLOAT(b)
                        ? (WEFT_H_BITS(a) & 0x8000u) != 0
                        : WEFT_H_FLOAT(a) < WEFT_H_FLOAT(b);
    return is_first ? a : b;
}

WEFT_HALF_FN WEFT_H __hmax_nan(const WEFT_H a, const WEFT_H b)
{
    return __hisnan(a) || __hisnan(b) ? WEFT_H_MAKE((unsigned short)0x7fffu)
                                      : __hmax(a, b);
}

WEFT_HALF_FN WEFT_H __hmin_nan(const WEFT_H a, const WEFT_H b)
{
    return __hisnan(a) || __hisnan(b) ? WEFT_H_MAKE((unsigned short)0x7fffu)
                                      : __hmin(a, b);
}

/* Variants: _rn is never fused with another operation, _sat clamps to
 * [0, 1], _relu to [0, infinity). */
WEFT_HALF_FN WEFT_H weft_saturate(const WEFT_H a)
{
    float x = WEFT_H_FLOAT(a);
    return WEFT_H_ROUND(x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f);
}

WEFT_HALF_FN WEFT_H weft_relu(const WEFT_H a)
{
    bool is_kept = __hisnan(a) || WEFT_H_FLOAT(a) > 0.0f;
    return is_kept ? a : WEFT_H_MAKE((unsigned short)0);
}

#define WEFT_RN_SAT(op)                                                        \
    WEFT_HALF_FN WEFT_H __h##op##_rn(const WEFT_H a, const WEFT_H b)           \
    {                                                                          \
        return __h##op(a, b);                                                  \
    }                                                                          \
    WEFT_HALF_FN WEFT_H __h##op##_sat(const WEFT_H a, const WEFT_H b)          \
    {                                                                          \
        return weft_saturate(__h##op(a, b));                                   \
    }                                                                          \
    WEFT_HALF_FN WEFT_H2 __h##op##2_rn(const WEFT_H2 a, const WEFT_H2 b)       \
    {                                                                          \
        return __h##op##2(a, b);                                               \
    }                                                                          \
    WEFT_HALF_FN WEFT_H2 __h##op##2_sat(const WEFT_H2 a, const WEFT_H2 b)      \
    {                                                                          \
        WEFT_H2 r;                                                             \
        r.x = __h##op##_sat(a.x, b.x);                                         \
        r.y = __h##op##_sat(a.y, b.y);                                         \
        return r;                                                              \
    }
WEFT_RN_SAT(add)
WEFT_RN_SAT(sub)
WEFT_RN_SAT(mul)
#undef WEFT_RN_SAT

WEFT_HALF_FN WEFT_H __hfma_sat(const WEFT_H a, const WEFT_H b, const WEFT_H c)
{
    return weft_saturate(__hfma(a, b, c));
}

WEFT_HALF_FN WEFT_H __hfma_relu(const WEFT_H a, const WEFT_H b, const WEFT_H c)
{
    return weft_relu(__hfma(a, b, c));
}

/* Of pairs, element by element. */
#define WEFT_PAIR_1(name)                                                      \
    WEFT_HALF_FN WEFT_H2 name##2(const WEFT_H2 a)                              \
    {                                                                          \
        WEFT_H2 r;                                                             \
        r.x = name(a.x);                                                       \
        r.y = name(a.y);                                                       \
        return r;                                                              \
    }
#define WEFT_PAIR_2(name, pair_name)                                           \
    WEFT_HALF_FN WEFT_H2 pair_name(const WEFT_H2 a, const WEFT_H2 b)           \
    {                                                                          \
        WEFT_H2 r;                                                             \
        r.x = name(a.x, b.x);                                                  \
        r.y = name(a.y, b.y);                                                  \
        return r;                                                              \
    }
#define WEFT_PAIR_3(name, pair_name)                                           \
    WEFT_HALF_FN WEFT_H2 pair_name(const WEFT_H2 a, const WEFT_H2 b,           \
                                   const WEFT_H2 c)                            \
    {                                                                          \
        WEFT_H2 r;                                                             \
        r.x = name(a.x, b.x, c.x);                                             \
        r.y = name(a.y, b.y, c.y);                                             \
        return r;                                                              \
    }
WEFT_PAIR_1(__hneg)
WEFT_PAIR_1(__habs)
WEFT_PAIR_2(__hmax, __hmax2)
WEFT_PAIR_2(__hmin, __hmin2)
WEFT_PAIR_2(__hmax_nan, __hmax2_nan)
WEFT_PAIR_2(__hmin_nan, __hmin2_nan)
WEFT_PAIR_3(__hfma_sat, __hfma2_sat)
WEFT_PAIR_3(__hfma_relu, __hfma2_relu)

WEFT_HALF_FN WEFT_H2 __h2div(const WEFT_H2 a, const WEFT_H2 b)
{
    WEFT_H2 r;
    r.x = __hdiv(a.x, b.x);
    r.y = __hdiv(a.y, b.y);
    return r;
}

WEFT_HALF_FN WEFT_H2 __hfma2(const WEFT_H2 a, const WEFT_H2 b, const WEFT_H2 c)
{
#if defined(__CUDA_ARCH__)
    return WEFT_OUT2(
        __builtin_elementwise_fma(WEFT_IN2(a), WEFT_IN2(b), WEFT_IN2(c)));
#else
    WEFT_H2 r;
    r.x = __hfma(a.x, b.x, c.x);
    r.y = __hfma(a.y, b.y, c.y);
    return r;
#endif
}

WEFT_HALF_FN WEFT_H2 __hisnan2(const WEFT_H2 a)
{
    WEFT_H2 r;
    r.x = WEFT_H_ROUND(__hisnan(a.x) ? 1.0f : 0.0f);
    r.y = WEFT_H_ROUND(__hisnan(a.y) ? 1.0f : 0.0f);
    return r;
}

/* Complex numbers: a * b + c. */
WEFT_HALF_FN WEFT_H2 __hcmadd(const WEFT_H2 a, const WEFT_H2 b,
                              const WEFT_H2 c)
{
    WEFT_H2 r;
    r.x = __hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x));
    r.y = __hfma(a.y, b.x, __hfma(a.x, b.y, c.y));
    return r;
}

/* Operators. */
#define WEFT_OPERATORS(type, op, function)                                     \
    WEFT_HALF_FN type operator op(const type &a, const type &b)                \
    {                                                                          \
        return function(a, b);                                                 \
    }                                                                          \
    WEFT_HALF_FN type &operator op##=(type &a, const type &b)                  \
    {                                                                          \
        a = function(a, b);                                                    \
        return a;                                                              \
    }
WEFT_OPERATORS(WEFT_H, +, __hadd)
WEFT_OPERATORS(WEFT_H, -, __hsub)
WEFT_OPERATORS(WEFT_H, *, __hmul)
WEFT_OPERATORS(WEFT_H, /, __hdiv)
WEFT_OPERATORS(WEFT_H2, +, __hadd2)
WEFT_OPERATORS(WEFT_H2, -, __hsub2)
WEFT_OPERATORS(WEFT_H2, *, __hmul2)
WEFT_OPERATORS(WEFT_H2, /, __h2div)
#undef WEFT_OPERATORS

#define WEFT_RELATION(op, function, pair_function)                             \
    WEFT_HALF_FN bool operator op(const WEFT_H &a, const WEFT_H &b)            \
    {                                                                          \
        return function(a, b);                                                 \
    }                                                                          \
    WEFT_HALF_FN bool operator op(const WEFT_H2 &a, const WEFT_H2 &b)          \
    {                                                                          \
        return pair_function(a, b);                                            \
    }
WEFT_RELATION(==, __heq, __hbeq2)
WEFT_RELATION(!=, __hneu, __hbneu2)
WEFT_RELATION(<, __hlt, __hblt2)
WEFT_RELATION(<=, __hle, __hble2)
WEFT_RELATION(>, __hgt, __hbgt2)
WEFT_RELATION(>=, __hge, __hbge2)
#undef WEFT_RELATION

WEFT_HALF_FN WEFT_H operator+(const WEFT_H &a)
{
    return a;
}
WEFT_HALF_FN WEFT_H operator-(const WEFT_H &a)
{
    return __hneg(a);
}
WEFT_HALF_FN WEFT_H2 operator+(const WEFT_H2 &a)
{
    return a;
}
WEFT_HALF_FN WEFT_H2 operator-(const WEFT_H2 &a)
{
    return __hneg2(a);
}
#define WEFT_STEP(type, op, function, one)                                     \
    WEFT_HALF_FN type &operator op(type &a)                                    \
    {                                                                          \
        a = function(a, one);                                                  \
        return a;                                                              \
    }                                                                          \
    WEFT_HALF_FN type operator op(type &a, int)                                \
    {                                                                          \
        type old = a;                                                          \
        a = function(a, one);                                                  \
        return old;                                                            \
    }
#define WEFT_ONE2 WEFT_H2(WEFT_H_ROUND(1.0f), WEFT_H_ROUND(1.0f))
WEFT_STEP(WEFT_H, ++, __hadd, WEFT_H_ROUND(1.0f))
WEFT_STEP(WEFT_H, --, __hsub, WEFT_H_ROUND(1.0f))
WEFT_STEP(WEFT_H2, ++, __hadd2, WEFT_ONE2)
WEFT_STEP(WEFT_H2, --, __hsub2, WEFT_ONE2)
#undef WEFT_ONE2
#undef WEFT_STEP

#if defined(__CUDACC__)

/*
 * Math functions, through single precision, correctly rounded: for all inputs
 * they give what an H200 gives. A few results in single precision lie on the
 * wrong side of the middle between two halves; those are named, by the bits of
 * the argument: the result should be less, or more, in magnitude. NaN is
 * positive, as always.
 */
#define WEFT_DEVICE static __device__ __inline__
#define WEFT_IS_HALF (WEFT_FRACTION_BITS == 10)
#define WEFT_MATH(name, expression) WEFT_MATH_BUT(name, expression, 0, 0)
#define WEFT_MATH_BUT(name, expression, is_less, is_more)                      \
    WEFT_DEVICE WEFT_H h##name(const WEFT_H a)                                 \
    {                                                                          \
        unsigned short bits = WEFT_H_BITS(a);                                  \
        unsigned short magnitude = bits & 0x7fffu;                             \
        float x = WEFT_H_FLOAT(a), y = (expression);                           \
        (void)bits, (void)magnitude;                                           \
        y *= (is_less) ? 1 - 0x1p-20f : (is_more) ? 1 + 0x1p-20f : 1.0f;       \
        WEFT_H r = WEFT_H_ROUND(y);                                            \
        return y == y ? r : WEFT_H_MAKE((unsigned short)0x7fffu);              \
    }                                                                          \
    WEFT_DEVICE WEFT_H2 h2##name(const WEFT_H2 a)                              \
    {                                                                          \
        WEFT_H2 r;                                                             \
        r.x = h##name(a.x);                                                    \
        r.y = h##name(a.y);                                                    \
        return r;                                                              \
    }
WEFT_MATH(sqrt, ::sqrtf(x))
WEFT_MATH(rsqrt, ::rsqrtf(x))
WEFT_MATH(rcp, 1.0f / x)
WEFT_MATH_BUT(exp, ::expf(x),
              WEFT_IS_HALF && (bits == 0x1f79 || bits == 0x25cf), 0)
WEFT_MATH_BUT(exp2, ::exp2f(x), 0, WEFT_IS_HALF && bits == 0x11c5)
WEFT_MATH_BUT(exp10, ::exp10f(x), !WEFT_IS_HALF && bits == 0xbc95, 0)
WEFT_MATH_BUT(log, ::logf(x), WEFT_IS_HALF && bits == 0x1d78, 0)
WEFT_MATH(log2, ::log2f(x))
WEFT_MATH_BUT(log10, ::log10f(x),
              WEFT_IS_HALF && (bits == 0x338f || bits == 0x4224 ||
                               bits == 0x57e1 || bits == 0x719d), 0)
WEFT_MATH_BUT(sin, ::sinf(x), WEFT_IS_HALF && magnitude == 0x5cb0,
              WEFT_IS_HALF && magnitude == 0x32b3)
WEFT_MATH_BUT(cos, ::cosf(x), 0, WEFT_IS_HALF && magnitude == 0x2b7c)
WEFT_MATH(tanh, ::tanhf(x))
WEFT_MATH(tanh_approx, ::tanhf(x))
WEFT_MATH(floor, ::floorf(x))
WEFT_MATH(ceil, ::ceilf(x))
WEFT_MATH(trunc, ::truncf(x))
WEFT_MATH(rint, ::rintf(x))
#undef WEFT_MATH
#undef WEFT_MATH_BUT
#undef WEFT_IS_HALF

/* Warps: the bits travel. */
#define WEFT_SHUFFLE(name, type)                                               \
    WEFT_DEVICE WEFT_H name##_sync(unsigned int mask, WEFT_H value, type lane, \
                                   int width = 32)                             \
    {                                                                          \
        return WEFT_H_MAKE((unsigned short)::name##_sync(                      \
            mask, (unsigned int)WEFT_H_BITS(value), lane, width));             \
    }                                                                          \
    WEFT_DEVICE WEFT_H2 name##_sync(unsigned int mask, WEFT_H2 value,          \
                                    type lane, int width = 32)                 \
    {                                                                          \
        return __builtin_bit_cast(                                             \
            WEFT_H2,                                                           \
            ::name##_sync(mask, __builtin_bit_cast(unsigned int, value),       \
                          lane, width));                                       \
    }
WEFT_SHUFFLE(__shfl, int)
WEFT_SHUFFLE(__shfl_up, unsigned int)
WEFT_SHUFFLE(__shfl_down, unsigned int)
WEFT_SHUFFLE(__shfl_xor, int)
#undef WEFT_SHUFFLE

/* Loads and stores with cache hints. */
#define WEFT_LOAD(name)                                                        \
    WEFT_DEVICE WEFT_H name(const WEFT_H *p)                                   \
    {                                                                          \
        return WEFT_H_MAKE(::name((const unsigned short *)p));                 \
    }                                                                          \
    WEFT_DEVICE WEFT_H2 name(const WEFT_H2 *p)                                 \
    {                                                                          \
        return __builtin_bit_cast(WEFT_H2, ::name((const unsigned int *)p));   \
    }
WEFT_LOAD(__ldg)
WEFT_LOAD(__ldcg)
WEFT_LOAD(__ldca)
WEFT_LOAD(__ldcs)
WEFT_LOAD(__ldcv)
WEFT_LOAD(__ldlu)
#undef WEFT_LOAD
#define WEFT_STORE(name)                                                       \
    WEFT_DEVICE void name(WEFT_H *p, const WEFT_H value)                       \
    {                                                                          \
        ::name((unsigned short *)p, (unsigned short)WEFT_H_BITS(value));       \
    }                                                                          \
    WEFT_DEVICE void name(WEFT_H2 *p, const WEFT_H2 value)                     \
    {                                                                          \
        ::name((unsigned int *)p, __builtin_bit_cast(unsigned int, value));    \
    }
WEFT_STORE(__stwb)
WEFT_STORE(__stcg)
WEFT_STORE(__stcs)
WEFT_STORE(__stwt)
#undef WEFT_STORE

/* A pair is added as its two elements, each atomically. */
WEFT_DEVICE WEFT_H atomicAdd(WEFT_H *address, WEFT_H value)
{
    unsigned short *p = (unsigned short *)address;
    unsigned short old = *(volatile unsigned short *)p, seen;
    do {
        seen = old;
        WEFT_H sum = __hadd(WEFT_H_MAKE(seen), value);
        old = ::atomicCAS(p, seen, (unsigned short)WEFT_H_BITS(sum));
    } while (old != seen);
    return WEFT_H_MAKE(old);
}
WEFT_DEVICE WEFT_H2 atomicAdd(WEFT_H2 *address, WEFT_H2 value)
{
    unsigned int *p = (unsigned int *)address;
    unsigned int old = *(volatile unsigned int *)p, seen;
    do {
        seen = old;
        WEFT_H2 sum = __hadd2(__builtin_bit_cast(WEFT_H2, seen), value);
        old = ::atomicCAS(p, seen, __builtin_bit_cast(unsigned int, sum));
    } while (old != seen);
    return __builtin_bit_cast(WEFT_H2, old);
}
#undef WEFT_DEVICE

#endif /* __CUDACC__ */

#undef WEFT_PAIR_1
#undef WEFT_PAIR_2
#undef WEFT_PAIR_3
#undef WEFT_PAIR
#undef WEFT_IN
#undef WEFT_IN2
#undef WEFT_OUT
#undef WEFT_OUT2
