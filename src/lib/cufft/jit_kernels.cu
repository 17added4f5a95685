/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels for callbacks that come as link-time code (jit_callbacks.c). One for
 * each cufftXtCallbackType, by its number; it calls the function
 * weft_jit_NUMBER, whose place the program's takes.
 */
#include <cufftXt.h>

#define LOAD(number, type)                                                     \
    extern "C" __device__ __attribute__((weak))                                \
    type weft_jit_##number(void *, unsigned long long, void *, void *)         \
    {                                                                          \
        return type();                                                         \
    }                                                                          \
    extern "C" __global__ void kernel_##number(void *, void *data, void *mine, \
                                               void *info, weft_cufft_walk w)  \
    {                                                                          \
        weft_cufft_load_all<type>(weft_jit_##number, data, mine, info, w);     \
    }
#define STORE(number, type)                                                    \
    extern "C" __device__ __attribute__((weak)) void weft_jit_##number(        \
        void *, unsigned long long, type, void *, void *)                      \
    {                                                                          \
    }                                                                          \
    extern "C" __global__ void kernel_##number(void *, void *data, void *mine, \
                                               void *info, weft_cufft_walk w)  \
    {                                                                          \
        weft_cufft_store_all<type>(weft_jit_##number, data, mine, info, w);    \
    }
LOAD(0, cufftComplex)
LOAD(1, cufftDoubleComplex)
LOAD(2, cufftReal)
LOAD(3, cufftDoubleReal)
STORE(4, cufftComplex)
STORE(5, cufftDoubleComplex)
STORE(6, cufftReal)
STORE(7, cufftDoubleReal)
