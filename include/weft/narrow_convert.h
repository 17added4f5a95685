/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions to and from numbers of 4, 6 and 8 bits (CUDA Math API, "FP4
 * Intrinsics" and its like). To be included with
 *
 *   WEFT_N          fp4, fp6 or fp8, which the names are made of
 *   WEFT_BITS       of one number's place in a pair: 4 or 8
 *   WEFT_HOW        what else the conversions are told: their last parameters,
 *                   of which `kind` is one
 *   WEFT_IS_FINITE  and what they make of it: whether what is too large becomes
 *   WEFT_ROUNDING   the largest number; how they round
 *
 * defined, behind __nv_cvt_N_to_halfraw; undefines them. The first of a pair is
 * in the low bits. No include guard on purpose.
 */
#define WEFT_NAME(before, after) WEFT_CAT(WEFT_CAT(before, WEFT_N), after)
#define WEFT_S                   WEFT_NAME(__nv_, _storage_t)
#define WEFT_S2                  WEFT_NAME(__nv_, x2_storage_t)
#define WEFT_FORMAT              WEFT_NAME(weft_, _format)
#define WEFT_VALUE               WEFT_NAME(__nv_cvt_, _to_halfraw)

#define WEFT_NARROW(name, type)                                                \
    WEFT_HALF_FN WEFT_S WEFT_NAME(__nv_cvt_##name##_to_, )(const type x,       \
                                                           WEFT_HOW)           \
    {                                                                          \
        return (WEFT_S)weft_minifloat(weft_wide(x), WEFT_FORMAT(kind),         \
                                      WEFT_IS_FINITE, WEFT_ROUNDING);          \
    }
#define WEFT_NARROW2(name, type)                                               \
    WEFT_HALF_FN WEFT_S2 WEFT_NAME(__nv_cvt_##name##_to_, x2)(const type x,    \
                                                              WEFT_HOW)        \
    {                                                                          \
        const double2 w = weft_wide(x);                                        \
        const struct weft_format f = WEFT_FORMAT(kind);                        \
        return (                                                               \
            WEFT_S2)(weft_minifloat(w.x, f, WEFT_IS_FINITE, WEFT_ROUNDING) |   \
                     weft_minifloat(w.y, f, WEFT_IS_FINITE, WEFT_ROUNDING)     \
                         << WEFT_BITS);                                        \
    }
WEFT_NARROW(double, double)
WEFT_NARROW(float, float)
WEFT_NARROW(halfraw, __half_raw)
WEFT_NARROW(bfloat16raw, __nv_bfloat16_raw)
WEFT_NARROW2(double2, double2)
WEFT_NARROW2(float2, float2)
WEFT_NARROW2(halfraw2, __half2_raw)
WEFT_NARROW2(bfloat16raw2, __nv_bfloat162_raw)

WEFT_HALF_FN __half2_raw WEFT_NAME(__nv_cvt_, x2_to_halfraw2)(
    const WEFT_S2 x, const WEFT_NAME(__nv_, _interpretation_t) kind)
{
    __half2_raw result;
    result.x = WEFT_VALUE((WEFT_S)(x & ((1 << WEFT_BITS) - 1)), kind).x;
    result.y = WEFT_VALUE((WEFT_S)(x >> WEFT_BITS), kind).x;
    return result;
}

#undef WEFT_NARROW
#undef WEFT_NARROW2
#undef WEFT_NAME
#undef WEFT_S
#undef WEFT_S2
#undef WEFT_FORMAT
#undef WEFT_VALUE
#undef WEFT_N
#undef WEFT_BITS
#undef WEFT_HOW
#undef WEFT_IS_FINITE
#undef WEFT_ROUNDING
