/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device intrinsics that clang's headers leave to NVIDIA's: state-space
 * queries and conversions, dot products, the old names without underscores,
 * integer min/max with a third operand.
 */
#ifndef WEFT_DEVICE_INTRINSICS_H
#define WEFT_DEVICE_INTRINSICS_H

#include "../device_types.h"

#define WEFT_DEVICE static __device__ __forceinline__

/*
 * State spaces of a generic address. By asm and not by clang's builtins where
 * it matters which variable a pointer leads to: an array that is only read, and
 * begins as a copy of constants, would else become those constants, which are
 * global memory.
 */

#define WEFT_PURE_DEVICE WEFT_DEVICE __attribute__((const))
#define WEFT_IS_IN(space, p)                                                   \
    unsigned int is;                                                           \
    __asm__("{ .reg .pred p; isspacep." space " p, %1; "                       \
            "selp.u32 %0, 1, 0, p; }"                                          \
            : "=r"(is)                                                         \
            : "l"(p));                                                         \
    return is
WEFT_PURE_DEVICE unsigned int __isGlobal(const void *p)
{
    WEFT_IS_IN("global", p);
}
WEFT_PURE_DEVICE unsigned int __isShared(const void *p)
{
    return __nvvm_isspacep_shared(p);
}
WEFT_PURE_DEVICE unsigned int __isConstant(const void *p)
{
    return __nvvm_isspacep_const(p);
}
WEFT_PURE_DEVICE unsigned int __isLocal(const void *p)
{
    WEFT_IS_IN("local", p);
}
WEFT_PURE_DEVICE unsigned int __isGridConstant(const void *p)
{
    WEFT_IS_IN("param", p);
}
#undef WEFT_IS_IN
#undef WEFT_PURE_DEVICE

#define WEFT_SPACE(number) __attribute__((address_space(number)))
WEFT_DEVICE size_t __cvta_generic_to_global(const void *p)
{
    return (size_t)(WEFT_SPACE(1) void *)p;
}
WEFT_DEVICE size_t __cvta_generic_to_shared(const void *p)
{
    return (size_t)(WEFT_SPACE(3) void *)p;
}
WEFT_DEVICE size_t __cvta_generic_to_constant(const void *p)
{
    return (size_t)(WEFT_SPACE(4) void *)p;
}
WEFT_DEVICE size_t __cvta_generic_to_local(const void *p)
{
    return (size_t)(WEFT_SPACE(5) void *)p;
}
WEFT_DEVICE void *__cvta_global_to_generic(size_t p)
{
    return (void *)(WEFT_SPACE(1) void *)p;
}
WEFT_DEVICE void *__cvta_shared_to_generic(size_t p)
{
    return (void *)(WEFT_SPACE(3) void *)p;
}
WEFT_DEVICE void *__cvta_constant_to_generic(size_t p)
{
    return (void *)(WEFT_SPACE(4) void *)p;
}
WEFT_DEVICE void *__cvta_local_to_generic(size_t p)
{
    return (void *)(WEFT_SPACE(5) void *)p;
}
WEFT_DEVICE size_t __cvta_generic_to_grid_constant(const void *p)
{
    size_t result;
    __asm__("cvta.to.param.u64 %0, %1;" : "=l"(result) : "l"(p));
    return result;
}
WEFT_DEVICE void *__cvta_grid_constant_to_generic(size_t p)
{
    void *result;
    __asm__("cvta.param.u64 %0, %1;" : "=l"(result) : "l"(p));
    return result;
}
#undef WEFT_SPACE

/* clang's header names CUDA's type of a shared address. */
typedef unsigned int cuuint32_t;

/* Bytes in reverse order. */
WEFT_DEVICE unsigned short __nv_bswap16(unsigned short x)
{
    return __builtin_bswap16(x);
}
WEFT_DEVICE unsigned int __nv_bswap32(unsigned int x)
{
    return __builtin_bswap32(x);
}
WEFT_DEVICE unsigned long long __nv_bswap64(unsigned long long x)
{
    return __builtin_bswap64(x);
}

#ifndef __assume
#define __assume(condition) __builtin_assume(condition)
#endif

/* Dot products of packed integers. */

#define WEFT_DP4A(result, left, right, accumulator, instruction)               \
    WEFT_DEVICE result __dp4a(left a, right b, accumulator c)                  \
    {                                                                          \
        result d;                                                              \
        __asm__(instruction " %0, %1, %2, %3;"                                 \
                : "=r"(d)                                                      \
                : "r"(__builtin_bit_cast(unsigned, a)),                        \
                  "r"(__builtin_bit_cast(unsigned, b)), "r"(c));               \
        return d;                                                              \
    }
WEFT_DP4A(int, int, int, int, "dp4a.s32.s32")
WEFT_DP4A(unsigned, unsigned, unsigned, unsigned, "dp4a.u32.u32")
WEFT_DP4A(int, char4, char4, int, "dp4a.s32.s32")
WEFT_DP4A(unsigned, uchar4, uchar4, unsigned, "dp4a.u32.u32")
#undef WEFT_DP4A

#define WEFT_DP2A(name, result, left, right, accumulator, instruction)         \
    WEFT_DEVICE result name(left a, right b, accumulator c)                    \
    {                                                                          \
        result d;                                                              \
        __asm__(instruction " %0, %1, %2, %3;"                                 \
                : "=r"(d)                                                      \
                : "r"(__builtin_bit_cast(unsigned, a)),                        \
                  "r"(__builtin_bit_cast(unsigned, b)), "r"(c));               \
        return d;                                                              \
    }
WEFT_DP2A(__dp2a_lo, int, int, int, int, "dp2a.lo.s32.s32")
WEFT_DP2A(__dp2a_lo, unsigned, unsigned, unsigned, unsigned, "dp2a.lo.u32.u32")
WEFT_DP2A(__dp2a_lo, int, short2, char4, int, "dp2a.lo.s32.s32")
WEFT_DP2A(__dp2a_lo, unsigned, ushort2, uchar4, unsigned, "dp2a.lo.u32.u32")
WEFT_DP2A(__dp2a_hi, int, int, int, int, "dp2a.hi.s32.s32")
WEFT_DP2A(__dp2a_hi, unsigned, unsigned, unsigned, unsigned, "dp2a.hi.u32.u32")
WEFT_DP2A(__dp2a_hi, int, short2, char4, int, "dp2a.hi.s32.s32")
WEFT_DP2A(__dp2a_hi, unsigned, ushort2, uchar4, unsigned, "dp2a.hi.u32.u32")
#undef WEFT_DP2A

/* Old names, from before the double underscores. */

WEFT_DEVICE float __saturate(float a)
{
    return __saturatef(a);
}
WEFT_DEVICE float __tanhf(float a)
{
    float result;
    __asm__("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(a));
    return result;
}

WEFT_DEVICE unsigned long long __double_as_ulonglong(double a)
{
    return __builtin_bit_cast(unsigned long long, a);
}
WEFT_DEVICE double __ulonglong_as_double(unsigned long long a)
{
    return __builtin_bit_cast(double, a);
}

/* min and max of three, of sums, with clamping at zero ("relu"), and with a
 * flag that tells which operand it was. CUDA math API, "SIMD Intrinsics". */

#define WEFT_VI3(suffix, type)                                                 \
    WEFT_DEVICE type __vimax3_##suffix(type a, type b, type c)                 \
    {                                                                          \
        type m = a > b ? a : b;                                                \
        return m > c ? m : c;                                                  \
    }                                                                          \
    WEFT_DEVICE type __vimin3_##suffix(type a, type b, type c)                 \
    {                                                                          \
        type m = a < b ? a : b;                                                \
        return m < c ? m : c;                                                  \
    }                                                                          \
    WEFT_DEVICE type __viaddmax_##suffix(type a, type b, type c)               \
    {                                                                          \
        type s = (type)((unsigned)a + (unsigned)b);                            \
        return s > c ? s : c;                                                  \
    }                                                                          \
    WEFT_DEVICE type __viaddmin_##suffix(type a, type b, type c)               \
    {                                                                          \
        type s = (type)((unsigned)a + (unsigned)b);                            \
        return s < c ? s : c;                                                  \
    }                                                                          \
    WEFT_DEVICE type __vibmax_##suffix(type a, type b, bool *is_first)         \
    {                                                                          \
        *is_first = a >= b;                                                    \
        return a >= b ? a : b;                                                 \
    }                                                                          \
    WEFT_DEVICE type __vibmin_##suffix(type a, type b, bool *is_first)         \
    {                                                                          \
        *is_first = a <= b;                                                    \
        return a <= b ? a : b;                                                 \
    }
WEFT_VI3(s32, int)
WEFT_VI3(u32, unsigned int)
#undef WEFT_VI3

#define WEFT_RELU(value) ((value) > 0 ? (value) : 0)
WEFT_DEVICE int __vimax_s32_relu(int a, int b)
{
    return WEFT_RELU(a > b ? a : b);
}
WEFT_DEVICE int __vimin_s32_relu(int a, int b)
{
    return WEFT_RELU(a < b ? a : b);
}
WEFT_DEVICE int __vimax3_s32_relu(int a, int b, int c)
{
    return WEFT_RELU(__vimax3_s32(a, b, c));
}
WEFT_DEVICE int __vimin3_s32_relu(int a, int b, int c)
{
    return WEFT_RELU(__vimin3_s32(a, b, c));
}
WEFT_DEVICE int __viaddmax_s32_relu(int a, int b, int c)
{
    return WEFT_RELU(__viaddmax_s32(a, b, c));
}
WEFT_DEVICE int __viaddmin_s32_relu(int a, int b, int c)
{
    return WEFT_RELU(__viaddmin_s32(a, b, c));
}
#undef WEFT_RELU

/* The same on two 16-bit halves. */
#define WEFT_HALVES3(name, lane, expression)                                   \
    WEFT_DEVICE unsigned int name(unsigned int a, unsigned int b,              \
                                  unsigned int c)                              \
    {                                                                          \
        unsigned int out = 0;                                                  \
        for (int at = 0; at < 32; at += 16) {                                  \
            lane x = (lane)(a >> at), y = (lane)(b >> at), z = (lane)(c >> at);\
            lane s = (lane)(x + y), zero = 0;                                  \
            (void)s, (void)zero, (void)z;                                      \
            out |= (unsigned int)(unsigned short)(expression) << at;           \
        }                                                                      \
        return out;                                                            \
    }
#define WEFT_GREATER(p, q) ((p) > (q) ? (p) : (q))
#define WEFT_LESSER(p, q) ((p) < (q) ? (p) : (q))
#define WEFT_HALVES(type, lane)                                                \
    WEFT_HALVES3(__vimax3_##type, lane, WEFT_GREATER(WEFT_GREATER(x, y), z))   \
    WEFT_HALVES3(__vimin3_##type, lane, WEFT_LESSER(WEFT_LESSER(x, y), z))     \
    WEFT_HALVES3(__viaddmax_##type, lane, WEFT_GREATER(s, z))                  \
    WEFT_HALVES3(__viaddmin_##type, lane, WEFT_LESSER(s, z))
WEFT_HALVES(s16x2, short)
WEFT_HALVES(u16x2, unsigned short)
WEFT_HALVES3(__vimax3_s16x2_relu, short,
             WEFT_GREATER(WEFT_GREATER(WEFT_GREATER(x, y), z), zero))
WEFT_HALVES3(__vimin3_s16x2_relu, short,
             WEFT_GREATER(WEFT_LESSER(WEFT_LESSER(x, y), z), zero))
WEFT_HALVES3(__viaddmax_s16x2_relu, short,
             WEFT_GREATER(WEFT_GREATER(s, z), zero))
WEFT_HALVES3(__viaddmin_s16x2_relu, short,
             WEFT_GREATER(WEFT_LESSER(s, z), zero))
#undef WEFT_HALVES
#undef WEFT_HALVES3
#undef WEFT_GREATER
#undef WEFT_LESSER

WEFT_DEVICE unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b)
{
    return __vimax3_s16x2_relu(a, b, b);
}
WEFT_DEVICE unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b)
{
    return __vimin3_s16x2_relu(a, b, b);
}

#define WEFT_HALVES_WHICH(name, lane, op)                                      \
    WEFT_DEVICE unsigned int name(unsigned int a, unsigned int b,              \
                                  bool *is_first_hi, bool *is_first_lo)        \
    {                                                                          \
        lane ah = (lane)(a >> 16), bh = (lane)(b >> 16);                       \
        lane al = (lane)a, bl = (lane)b;                                       \
        *is_first_hi = ah op bh;                                               \
        *is_first_lo = al op bl;                                               \
        return (unsigned int)(unsigned short)(ah op bh ? ah : bh) << 16 |      \
               (unsigned short)(al op bl ? al : bl);                           \
    }
WEFT_HALVES_WHICH(__vibmax_s16x2, short, >=)
WEFT_HALVES_WHICH(__vibmin_s16x2, short, <=)
WEFT_HALVES_WHICH(__vibmax_u16x2, unsigned short, >=)
WEFT_HALVES_WHICH(__vibmin_u16x2, unsigned short, <=)
#undef WEFT_HALVES_WHICH

#undef WEFT_DEVICE

#endif
