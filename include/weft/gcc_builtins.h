/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host code that was written for gcc: builtins of gcc's that clang spells
 * otherwise, and a name that is one of clang's and a program's own with gcc.
 */
#ifndef WEFT_GCC_BUILTINS_H
#define WEFT_GCC_BUILTINS_H

#if defined(__clang__) && defined(__x86_64__)

/* clang always knows it, gcc where <x86intrin.h> or <immintrin.h> say so, and
 * elsewhere programs define it. One of theirs is no template, and is preferred.
 */
#if defined(__cplusplus) && !defined(__rdtsc)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++11-extensions"
template <int = 0>
#pragma clang diagnostic pop
static inline unsigned long long weft_own_rdtsc()
{
    return __rdtsc();
}
#define __rdtsc weft_own_rdtsc
#endif

#if !__has_builtin(__builtin_ia32_sbb_u64)
static inline unsigned char __builtin_ia32_sbb_u64(unsigned char borrow,
                                                   unsigned long long a,
                                                   unsigned long long b,
                                                   unsigned long long *result)
{
    return __builtin_ia32_subborrow_u64(borrow, a, b, result);
}
static inline unsigned char __builtin_ia32_sbb_u32(unsigned char borrow,
                                                   unsigned int a,
                                                   unsigned int b,
                                                   unsigned int *result)
{
    return __builtin_ia32_subborrow_u32(borrow, a, b, result);
}
#endif

#endif
#endif
