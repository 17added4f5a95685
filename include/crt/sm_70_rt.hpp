/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The overloads that clang's intrinsics header expects from this file:
 * __match_any_sync and __match_all_sync for every type of a register's or
 * two registers' width, and __nanosleep.
 */
#ifndef WEFT_CRT_SM_70_RT_HPP
#define WEFT_CRT_SM_70_RT_HPP

#define WEFT_MATCH(type, bits, width)                                          \
    static __device__ __forceinline__ unsigned int __match_any_sync(           \
        unsigned int mask, type value)                                         \
    {                                                                          \
        return __match##width##_any_sync(mask,                                 \
                                         __builtin_bit_cast(bits, value));     \
    }                                                                          \
    static __device__ __forceinline__ unsigned int __match_all_sync(           \
        unsigned int mask, type value, int *pred)                              \
    {                                                                          \
        return __match##width##_all_sync(                                      \
            mask, __builtin_bit_cast(bits, value), pred);                      \
    }
WEFT_MATCH(int, unsigned int, 32)
WEFT_MATCH(unsigned int, unsigned int, 32)
WEFT_MATCH(long, unsigned long, 64)
WEFT_MATCH(unsigned long, unsigned long, 64)
WEFT_MATCH(long long, unsigned long long, 64)
WEFT_MATCH(unsigned long long, unsigned long long, 64)
WEFT_MATCH(float, unsigned int, 32)
WEFT_MATCH(double, unsigned long long, 64)
#undef WEFT_MATCH

static __device__ __forceinline__ void __nanosleep(unsigned int ns)
{
    __nvvm_nanosleep(ns);
}

#endif
