/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The atomic functions of the CUDA C++ programming guide, "Atomic
 * Functions": relaxed, at device scope; _block and _system name the other
 * two scopes. One row per function and type, and no row that CUDA does not
 * have: programs define those by themselves.
 */
#ifndef WEFT_DEVICE_ATOMICS_H
#define WEFT_DEVICE_ATOMICS_H

#define WEFT_ATOMIC static __device__ __forceinline__

/* name of the function, type, clang's builtin */
#define WEFT_ATOMIC_RMW(name, type, builtin)                                   \
    WEFT_ATOMIC type name(type *address, type value)                           \
    {                                                                          \
        return builtin(address, value, __ATOMIC_RELAXED,                       \
                       __MEMORY_SCOPE_DEVICE);                                 \
    }                                                                          \
    WEFT_ATOMIC type name##_block(type *address, type value)                   \
    {                                                                          \
        return builtin(address, value, __ATOMIC_RELAXED,                       \
                       __MEMORY_SCOPE_WRKGRP);                                 \
    }                                                                          \
    WEFT_ATOMIC type name##_system(type *address, type value)                  \
    {                                                                          \
        return builtin(address, value, __ATOMIC_RELAXED,                       \
                       __MEMORY_SCOPE_SYSTEM);                                 \
    }

#define WEFT_ATOMIC_RMW_32(name, builtin)                                      \
    WEFT_ATOMIC_RMW(name, int, builtin)                                        \
    WEFT_ATOMIC_RMW(name, unsigned int, builtin)

#define WEFT_ATOMIC_RMW_INT(name, builtin)                                     \
    WEFT_ATOMIC_RMW_32(name, builtin)                                          \
    WEFT_ATOMIC_RMW(name, long long, builtin)                                  \
    WEFT_ATOMIC_RMW(name, unsigned long long, builtin)

WEFT_ATOMIC_RMW_32(atomicAdd, __scoped_atomic_fetch_add)
WEFT_ATOMIC_RMW(atomicAdd, unsigned long long, __scoped_atomic_fetch_add)
WEFT_ATOMIC_RMW(atomicAdd, float, __scoped_atomic_fetch_add)
/* Programs for older devices define this one by themselves. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
WEFT_ATOMIC_RMW(atomicAdd, double, __scoped_atomic_fetch_add)
#endif
WEFT_ATOMIC_RMW_32(atomicSub, __scoped_atomic_fetch_sub)
WEFT_ATOMIC_RMW_INT(atomicMin, __scoped_atomic_fetch_min)
WEFT_ATOMIC_RMW_INT(atomicMax, __scoped_atomic_fetch_max)
WEFT_ATOMIC_RMW_INT(atomicAnd, __scoped_atomic_fetch_and)
WEFT_ATOMIC_RMW_INT(atomicOr, __scoped_atomic_fetch_or)
WEFT_ATOMIC_RMW_INT(atomicXor, __scoped_atomic_fetch_xor)
WEFT_ATOMIC_RMW_32(atomicExch, __scoped_atomic_exchange_n)
WEFT_ATOMIC_RMW(atomicExch, unsigned long long, __scoped_atomic_exchange_n)

/* Exchange of a float is one of its bits. */
#define WEFT_ATOMIC_EXCH_FLOAT(scope)                                          \
    WEFT_ATOMIC float atomicExch##scope(float *address, float value)           \
    {                                                                          \
        return __builtin_bit_cast(                                             \
            float,                                                             \
            atomicExch##scope((unsigned int *)address,                         \
                              __builtin_bit_cast(unsigned int, value)));       \
    }
WEFT_ATOMIC_EXCH_FLOAT()
WEFT_ATOMIC_EXCH_FLOAT(_block)
WEFT_ATOMIC_EXCH_FLOAT(_system)
#undef WEFT_ATOMIC_EXCH_FLOAT

#define WEFT_ATOMIC_CAS_SCOPE(name, type, scope)                               \
    WEFT_ATOMIC type name(type *address, type compare, type value)             \
    {                                                                          \
        __scoped_atomic_compare_exchange_n(address, &compare, value, false,    \
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED, \
                                           scope);                             \
        return compare;                                                        \
    }
#define WEFT_ATOMIC_CAS(type)                                                  \
    WEFT_ATOMIC_CAS_SCOPE(atomicCAS, type, __MEMORY_SCOPE_DEVICE)              \
    WEFT_ATOMIC_CAS_SCOPE(atomicCAS_block, type, __MEMORY_SCOPE_WRKGRP)        \
    WEFT_ATOMIC_CAS_SCOPE(atomicCAS_system, type, __MEMORY_SCOPE_SYSTEM)
WEFT_ATOMIC_CAS(int)
WEFT_ATOMIC_CAS(unsigned int)
WEFT_ATOMIC_CAS(unsigned long long)
#undef WEFT_ATOMIC_CAS
#undef WEFT_ATOMIC_CAS_SCOPE

/* Of one or two bytes clang makes an access to the word around them: an
 * optimiser that saw the variable, which is no word, would take the two for
 * different places. */
template <typename T> WEFT_ATOMIC T *__weft_atomic_place(T *p)
{
    if (sizeof(T) < 4)
        __asm__ volatile("" : "+l"(p) : : "memory");
    return p;
}

WEFT_ATOMIC unsigned short
atomicCAS(unsigned short *address, unsigned short compare, unsigned short value)
{
#if __CUDA_ARCH__ >= 700
    unsigned short old;
    __asm__ volatile("atom.relaxed.gpu.cas.b16 %0, [%1], %2, %3;"
                     : "=h"(old)
                     : "l"(address), "h"(compare), "h"(value)
                     : "memory");
    return old;
#else
    __scoped_atomic_compare_exchange_n(__weft_atomic_place(address), &compare,
                                       value, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    return compare;
#endif
}

/* Increment and decrement that wrap at a limit. */
WEFT_ATOMIC unsigned int atomicInc(unsigned int *address, unsigned int limit)
{
    return __nvvm_atom_inc_gen_ui(address, limit);
}
WEFT_ATOMIC unsigned int atomicInc_block(unsigned int *address,
                                         unsigned int limit)
{
    return __nvvm_atom_cta_inc_gen_ui(address, limit);
}
WEFT_ATOMIC unsigned int atomicInc_system(unsigned int *address,
                                          unsigned int limit)
{
    return __nvvm_atom_sys_inc_gen_ui(address, limit);
}
WEFT_ATOMIC unsigned int atomicDec(unsigned int *address, unsigned int limit)
{
    return __nvvm_atom_dec_gen_ui(address, limit);
}
WEFT_ATOMIC unsigned int atomicDec_block(unsigned int *address,
                                         unsigned int limit)
{
    return __nvvm_atom_cta_dec_gen_ui(address, limit);
}
WEFT_ATOMIC unsigned int atomicDec_system(unsigned int *address,
                                          unsigned int limit)
{
    return __nvvm_atom_sys_dec_gen_ui(address, limit);
}

#undef WEFT_ATOMIC_RMW_INT
#undef WEFT_ATOMIC_RMW_32
#undef WEFT_ATOMIC_RMW
#undef WEFT_ATOMIC

#endif
