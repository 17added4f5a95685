/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The classes of one format of 4, 6 or 8 bits: alone, two and four of them,
 * with their conversions. Included once per format, by cuda_fp4.h and its
 * like, which define
 *   WEFT_T, WEFT_T2, WEFT_T4   the classes
 *   WEFT_S, WEFT_S2, WEFT_S4   the integers that hold them
 *   WEFT_BITS                  from one of them to the next
 *   WEFT_TO(x), WEFT_VALUE(s)  from a double, to a float
 *   WEFT_PAIR                  what two convert to: __half2 or __nv_bfloat162
 *   WEFT_PAIR_OF(f)            and how, from a float2
 * No include guard on purpose.
 */
#define WEFT_HD __host__ __device__

#define WEFT_FROM(type, value)                                                 \
    explicit WEFT_HD WEFT_T(const type x) : __x((WEFT_S)WEFT_TO(value))        \
    {                                                                          \
    }
#define WEFT_TO_INTEGER(type, name)                                            \
    explicit WEFT_HD operator type() const                                     \
    {                                                                          \
        return (type)weft_float_to_##name(__builtin_truncf(WEFT_VALUE(__x)));  \
    }

struct __attribute__((aligned(sizeof(WEFT_S)))) WEFT_T {
    WEFT_S __x;
    WEFT_T() = default;
    WEFT_FROM(__half, weft_wide((__half_raw)x))
    WEFT_FROM(__nv_bfloat16, weft_wide((__nv_bfloat16_raw)x))
    WEFT_FROM(double, x)
    WEFT_FROM(float, (double)x)
    /* Integers have room in a double, or are too large for any format. */
    WEFT_FROM(short, (double)x)
    WEFT_FROM(unsigned short, (double)x)
    WEFT_FROM(int, (double)x)
    WEFT_FROM(unsigned int, (double)x)
    WEFT_FROM(long, (double)x)
    WEFT_FROM(unsigned long, (double)x)
    WEFT_FROM(long long, (double)x)
    WEFT_FROM(unsigned long long, (double)x)
    explicit WEFT_HD operator __half() const
    {
        return __float2half(WEFT_VALUE(__x));
    }
    explicit WEFT_HD operator __nv_bfloat16() const
    {
        return __float2bfloat16(WEFT_VALUE(__x));
    }
    explicit WEFT_HD operator float() const
    {
        return WEFT_VALUE(__x);
    }
    explicit WEFT_HD operator double() const
    {
        return (double)WEFT_VALUE(__x);
    }
    explicit WEFT_HD operator bool() const
    {
        return WEFT_VALUE(__x) != 0.0f;
    }
    WEFT_TO_INTEGER(char, int)
    WEFT_TO_INTEGER(signed char, int)
    WEFT_TO_INTEGER(unsigned char, uint)
    WEFT_TO_INTEGER(short, short)
    WEFT_TO_INTEGER(unsigned short, ushort)
    WEFT_TO_INTEGER(int, int)
    WEFT_TO_INTEGER(unsigned int, uint)
    WEFT_TO_INTEGER(long, ll)
    WEFT_TO_INTEGER(unsigned long, ull)
    WEFT_TO_INTEGER(long long, ll)
    WEFT_TO_INTEGER(unsigned long long, ull)
};
#undef WEFT_FROM
#undef WEFT_TO_INTEGER

/* The first is in the low bits. */
#define WEFT_PACK2(x, y)                                                       \
    ((WEFT_S2)((unsigned int)WEFT_TO(x) | (unsigned int)WEFT_TO(y)             \
                                              << WEFT_BITS))
#define WEFT_PART(i)                                                           \
    WEFT_VALUE((WEFT_S)(__x >> (i) * WEFT_BITS & ((1u << WEFT_BITS) - 1)))
#define WEFT_FROM2(type, value)                                                \
    explicit WEFT_HD WEFT_T2(const type v)                                     \
    {                                                                          \
        const double2 w = weft_wide(value);                                    \
        __x = WEFT_PACK2(w.x, w.y);                                            \
    }

struct __attribute__((aligned(sizeof(WEFT_S2)))) WEFT_T2 {
    WEFT_S2 __x;
    WEFT_T2() = default;
    WEFT_FROM2(__half2, (__half2_raw)v)
    WEFT_FROM2(__nv_bfloat162, (__nv_bfloat162_raw)v)
    WEFT_FROM2(float2, v)
    WEFT_FROM2(double2, v)
    explicit WEFT_HD operator float2() const
    {
        return make_float2(WEFT_PART(0), WEFT_PART(1));
    }
    explicit WEFT_HD operator WEFT_PAIR() const
    {
        return WEFT_PAIR_OF(make_float2(WEFT_PART(0), WEFT_PART(1)));
    }
};
#undef WEFT_FROM2

#define WEFT_PACK4(low, high)                                                  \
    ((WEFT_S4)((unsigned int)WEFT_PACK2(low.x, low.y) |                        \
               (unsigned int)WEFT_PACK2(high.x, high.y) << 2 * WEFT_BITS))
#define WEFT_FROM_TWO(type, raw)                                               \
    explicit WEFT_HD WEFT_T4(const type low, const type high)                  \
    {                                                                          \
        const double2 a = weft_wide((raw)low), b = weft_wide((raw)high);       \
        __x = WEFT_PACK4(a, b);                                                \
    }
#define WEFT_FROM4(type)                                                       \
    explicit WEFT_HD WEFT_T4(const type v)                                     \
    {                                                                          \
        const double2 a = weft_wide2((double)v.x, (double)v.y);                \
        const double2 b = weft_wide2((double)v.z, (double)v.w);                \
        __x = WEFT_PACK4(a, b);                                                \
    }

struct __attribute__((aligned(sizeof(WEFT_S4)))) WEFT_T4 {
    WEFT_S4 __x;
    WEFT_T4() = default;
    WEFT_FROM_TWO(__half2, __half2_raw)
    WEFT_FROM_TWO(__nv_bfloat162, __nv_bfloat162_raw)
    WEFT_FROM4(float4)
    WEFT_FROM4(double4)
    WEFT_FROM4(double4_16a)
    WEFT_FROM4(double4_32a)
    explicit WEFT_HD operator float4() const
    {
        return make_float4(WEFT_PART(0), WEFT_PART(1), WEFT_PART(2),
                           WEFT_PART(3));
    }
};
#undef WEFT_FROM4
#undef WEFT_FROM_TWO
#undef WEFT_PACK4
#undef WEFT_PACK2
#undef WEFT_PART
#undef WEFT_HD

#undef WEFT_T
#undef WEFT_T2
#undef WEFT_T4
#undef WEFT_S
#undef WEFT_S2
#undef WEFT_S4
#undef WEFT_BITS
#undef WEFT_TO
#undef WEFT_VALUE
#undef WEFT_PAIR
#undef WEFT_PAIR_OF
