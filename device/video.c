/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SIMD intrinsics on two halfwords (2) or four bytes (4) of a word:
 * __vadd4 and its like. CUDA math API, "SIMD Intrinsics". Sums and differences
 * keep the lanes apart by leaving out their top bits; the rest goes lane by
 * lane.
 */
#include "device.h"

/* Lane by lane. `a` and `b` are the lanes' values as ints, signed (s) or
 * unsigned (u), WIDTH the lane's bits. */
#define LANES(name, bits, kind, expression)                                    \
    int name(int left, int right)                                              \
    {                                                                          \
        enum { WIDTH = bits };                                                 \
        (void)WIDTH;                                                           \
        uint32_t out = 0;                                                      \
        _Pragma("clang loop unroll(full)") for (int at = 0; at < 32;           \
                                                at += bits)                    \
        {                                                                      \
            int a = lane_##kind##bits((uint32_t)left >> at);                   \
            int b = lane_##kind##bits((uint32_t)right >> at);                  \
            (void)a, (void)b;                                                  \
            out |= ((uint32_t)(expression) & (0xffffffffu >> (32 - bits)))     \
                   << at;                                                      \
        }                                                                      \
        return (int)out;                                                       \
    }

INLINE int lane_s8(uint32_t v)
{
    return (int8_t)v;
}

INLINE int lane_u8(uint32_t v)
{
    return (uint8_t)v;
}

INLINE int lane_s16(uint32_t v)
{
    return (int16_t)v;
}

INLINE int lane_u16(uint32_t v)
{
    return (uint16_t)v;
}

INLINE int clamp(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

INLINE int distance(int a, int b)
{
    return a > b ? a - b : b - a;
}

#define SIGNED_CLAMP(v)   clamp(v, -(1 << (WIDTH - 1)), (1 << (WIDTH - 1)) - 1)
#define UNSIGNED_CLAMP(v) clamp(v, 0, (1 << WIDTH) - 1)

/* of halfwords and of bytes */
#define BOTH(name, kind, expression)                                           \
    LANES(__nv_##name##2, 16, kind, expression)                                \
    LANES(__nv_##name##4, 8, kind, expression)
BOTH(vaddss, s, SIGNED_CLAMP(a + b))
BOTH(vaddus, u, UNSIGNED_CLAMP(a + b))
BOTH(vsubss, s, SIGNED_CLAMP(a - b))
BOTH(vsubus, u, UNSIGNED_CLAMP(a - b))
BOTH(vabsdiffs, s, distance(a, b))
BOTH(vabsdiffu, u, distance(a, b))
BOTH(vavgs, s, (a + b + (a + b >= 0)) >> 1)
BOTH(vavgu, u, (a + b + 1) >> 1)
BOTH(vhaddu, u, (a + b) >> 1)
BOTH(vmaxs, s, a > b ? a : b)
BOTH(vmaxu, u, a > b ? a : b)
BOTH(vmins, s, a < b ? a : b)
BOTH(vminu, u, a < b ? a : b)

/* Comparisons: all ones, or (vset) a one. */
#define COMPARE(suffix, kind, op)                                              \
    BOTH(vcmp##suffix, kind, a op b ? -1 : 0)                                  \
    BOTH(vset##suffix, kind, a op b)
COMPARE(eq, u, ==)
COMPARE(ne, u, !=)
COMPARE(ges, s, >=)
COMPARE(geu, u, >=)
COMPARE(gts, s, >)
COMPARE(gtu, u, >)
COMPARE(les, s, <=)
COMPARE(leu, u, <=)
COMPARE(lts, s, <)
COMPARE(ltu, u, <)

/* Of one operand. */
#define ONE(name, kind, expression)                                            \
    INLINE LANES(name##2_of, 16, kind, expression)                             \
    INLINE LANES(name##4_of, 8, kind, expression)                              \
    int __nv_##name##2(int v)                                                  \
    {                                                                          \
        return name##2_of(v, 0);                                               \
    }                                                                          \
    int __nv_##name##4(int v)                                                  \
    {                                                                          \
        return name##4_of(v, 0);                                               \
    }
ONE(vabs, s, a < 0 ? -a : a)
ONE(vabsss, s, SIGNED_CLAMP(a < 0 ? -a : a))
ONE(vneg, s, -a)
ONE(vnegss, s, SIGNED_CLAMP(-a))

/* Sums of the lanes' distances. */
#define SUM(name, bits, kind)                                                  \
    int name(int left, int right)                                              \
    {                                                                          \
        int sum = 0;                                                           \
        _Pragma("clang loop unroll(full)") for (int at = 0; at < 32;           \
                                                at += bits) sum +=             \
            distance(lane_##kind##bits((uint32_t)left >> at),                  \
                     lane_##kind##bits((uint32_t)right >> at));                \
        return sum;                                                            \
    }
SUM(__nv_vsads2, 16, s)
SUM(__nv_vsads4, 8, s)
SUM(__nv_vsadu2, 16, u)
SUM(__nv_vsadu4, 8, u)

INLINE uint32_t add_lanes(uint32_t a, uint32_t b, uint32_t top)
{
    return ((a & ~top) + (b & ~top)) ^ ((a ^ b) & top);
}

INLINE uint32_t sub_lanes(uint32_t a, uint32_t b, uint32_t top)
{
    return ((a | top) - (b & ~top)) ^ ((a ^ ~b) & top);
}

int __nv_vadd2(int a, int b)
{
    return (int)add_lanes((uint32_t)a, (uint32_t)b, 0x80008000u);
}

int __nv_vadd4(int a, int b)
{
    return (int)add_lanes((uint32_t)a, (uint32_t)b, 0x80808080u);
}

int __nv_vsub2(int a, int b)
{
    return (int)sub_lanes((uint32_t)a, (uint32_t)b, 0x80008000u);
}

int __nv_vsub4(int a, int b)
{
    return (int)sub_lanes((uint32_t)a, (uint32_t)b, 0x80808080u);
}
