/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warp functions of before CUDA 9, without _sync: they are those with _sync
 * for the lanes that are there. (The instructions that clang's own header has
 * for them went with compute capability 7.0.)
 */
#ifndef WEFT_DEVICE_LEGACY_H
#define WEFT_DEVICE_LEGACY_H

#define WEFT_DEVICE static __device__ __forceinline__

WEFT_DEVICE int __all(int predicate)
{
    return __all_sync(__activemask(), predicate);
}
WEFT_DEVICE int __any(int predicate)
{
    return __any_sync(__activemask(), predicate);
}
WEFT_DEVICE unsigned int __ballot(int predicate)
{
    return __ballot_sync(__activemask(), predicate);
}

#define WEFT_SHUFFLE(name, type, argument)                                     \
    WEFT_DEVICE type name(type value, argument lane, int width = 32)           \
    {                                                                          \
        return name##_sync(__activemask(), value, lane, width);                \
    }
#define WEFT_SHUFFLES(name, argument)                                          \
    WEFT_SHUFFLE(name, int, argument)                                          \
    WEFT_SHUFFLE(name, unsigned int, argument)                                 \
    WEFT_SHUFFLE(name, long, argument)                                         \
    WEFT_SHUFFLE(name, unsigned long, argument)                                \
    WEFT_SHUFFLE(name, long long, argument)                                    \
    WEFT_SHUFFLE(name, unsigned long long, argument)                           \
    WEFT_SHUFFLE(name, float, argument)                                        \
    WEFT_SHUFFLE(name, double, argument)
WEFT_SHUFFLES(__shfl, int)
WEFT_SHUFFLES(__shfl_up, unsigned int)
WEFT_SHUFFLES(__shfl_down, unsigned int)
WEFT_SHUFFLES(__shfl_xor, int)

#undef WEFT_SHUFFLES
#undef WEFT_SHUFFLE
#undef WEFT_DEVICE

#endif
