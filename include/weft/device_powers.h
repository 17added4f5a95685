/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Powers whose exponent is a small whole number that the compiler sees, as it
 * does of most: a few products, and more exact than what the library does for
 * any exponent. The products are no part of a fused multiply-add, so that the
 * same power is the same number everywhere. Around clang's mathematical
 * functions, which call the library by these names.
 */
#ifndef WEFT_DEVICE_POWERS_H
#define WEFT_DEVICE_POWERS_H

#define WEFT_POWER(name, type, product, library)                               \
    static __device__ inline __attribute__((always_inline)) type name(         \
        type x, type y)                                                        \
    {                                                                          \
        if (__builtin_constant_p(y)) {                                         \
            if (y == 1)                                                        \
                return x;                                                      \
            if (y == 2)                                                        \
                return product(x, x);                                          \
            if (y == 3)                                                        \
                return product(product(x, x), x);                              \
            if (y == 4)                                                        \
                return product(product(x, x), product(x, x));                  \
        }                                                                      \
        return library(x, y);                                                  \
    }
WEFT_POWER(weft_pow, double, __nv_dmul_rn, __nv_pow)
WEFT_POWER(weft_powf, float, __nv_fmul_rn, __nv_powf)
#undef WEFT_POWER

#endif
