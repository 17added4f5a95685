/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device side of cuda_runtime.h, for clang compiling CUDA and for nobody
 * else: built-in variables, intrinsics, atomics, device math.
 *
 * The ground is laid by clang's own headers (its resource directory), which
 * lower CUDA's functions to compiler builtins and to __nv_* calls that our
 * device library answers. clang's usual entry, its runtime wrapper, cannot
 * be used since it wants NVIDIA's headers; this file keeps the wrapper's
 * order and supplies what the wrapper takes from there.
 *
 * Needs the vector types (dim3, uint3, int4 ...) and host_defines.h before
 * it, and no C++ standard header before weft/device_prologue.h.
 */
#ifndef WEFT_DEVICE_RUNTIME_H
#define WEFT_DEVICE_RUNTIME_H

#if !defined(__CUDA__) || !defined(__clang__)
#error "weft/device_runtime.h is for clang compiling CUDA"
#endif

#include "device_prologue.h"
#include "../vector_types.h"
#include "../vector_functions.h"

/* clang's headers ask which toolkit they stand on. With 9.1 the intrinsics on
 * bytes and halfwords (__vadd4 ...) are functions of the device library, with
 * later ones inline assembly of instructions that GPUs no longer have. */
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9010
#include "device_builtin_vars.h"
#include <__clang_cuda_libdevice_declares.h>
/* weft/device_legacy.h has these. */
#define __all        weft_unused_all
#define __any        weft_unused_any
#define __ballot     weft_unused_ballot
#define clock        weft_unused_clock
#define float_as_int weft_unused_float_as_int
#define int_as_float weft_unused_int_as_float
#define float2int    weft_unused_float2int
#define int2float    weft_unused_int2float
#define saturate     weft_unused_saturate
#define mul24        weft_unused_mul24
#define umul24       weft_unused_umul24
#define mulhi        weft_unused_mulhi
#define mul64hi      weft_unused_mul64hi
#include <__clang_cuda_device_functions.h>
#undef __all
#undef __any
#undef __ballot
#undef clock
#undef float_as_int
#undef int_as_float
#undef float2int
#undef int2float
#undef saturate
#undef mul24
#undef umul24
#undef mulhi
#undef mul64hi
#undef CUDA_VERSION
#define CUDA_VERSION 12080

#include "device_powers.h"

/* -use_fast_math: clang's header itself takes the approximate sinf, cosf,
 * sincosf, logf and log2f; nvcc's list has five more. */
#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
#define __nv_tanf   __nv_fast_tanf
#define __nv_expf   __nv_fast_expf
#define __nv_exp10f __nv_fast_exp10f
#define __nv_log10f __nv_fast_log10f
#define __nv_powf   __nv_fast_powf
#else
#define __nv_powf weft_powf
#endif
#define __nv_pow weft_pow
#define powi     weft_unused_powi /* weft/device_legacy.h has these */
#define powif    weft_unused_powif
#include <__clang_cuda_math.h>
#undef powi
#undef powif
#undef __nv_pow
#undef __nv_tanf
#undef __nv_expf
#undef __nv_exp10f
#undef __nv_log10f
#undef __nv_powf

#include "device_system.h"
#include "device_strings.h"
#include "device_math.h"
#include "device_atomics.h"
#include "device_nv_atomics.h"

#define WEFT_CONVERSIONS(type)                                                 \
    __device__ inline type::operator uint3() const                             \
    {                                                                          \
        uint3 v;                                                               \
        v.x = x;                                                               \
        v.y = y;                                                               \
        v.z = z;                                                               \
        return v;                                                              \
    }                                                                          \
    __device__ inline dim3::dim3(const type &v) : x(v.x), y(v.y), z(v.z)       \
    {                                                                          \
    }
#ifdef __CUDA_ARCH__
WEFT_CONVERSIONS(__cuda_builtin_threadIdx_t)
WEFT_CONVERSIONS(__cuda_builtin_blockIdx_t)
WEFT_CONVERSIONS(__cuda_builtin_blockDim_t)
WEFT_CONVERSIONS(__cuda_builtin_gridDim_t)
#endif
#undef WEFT_CONVERSIONS

#include "device_intrinsics.h"
#include "wide_atomic.h"
#define powi  weft_unused_powi
#define powif weft_unused_powif
#include <__clang_cuda_cmath.h>
#undef powi
#undef powif
#define __shfl      weft_unused_shfl
#define __shfl_up   weft_unused_shfl_up
#define __shfl_down weft_unused_shfl_down
#define __shfl_xor  weft_unused_shfl_xor
#define atomicAdd weft_unused_atomicAdd
#define atomicAdd_block weft_unused_atomicAdd_block
#define atomicAdd_system weft_unused_atomicAdd_system
#include <__clang_cuda_intrinsics.h>
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#undef atomicAdd
#undef atomicAdd_block
#undef atomicAdd_system
#include "device_reduce.h"
#include "device_legacy.h"
#include <__clang_cuda_complex_builtins.h>
#include "device_memory.h"
#include "aligned_new.h"
#include "device_minmax.h"
#include "device_builtins.h"
#include <new>
/* nvcc's header has this with the option, and programs rely on it. */
#if defined(__CUDACC_EXTENDED_LAMBDA__) && !defined(__CUDACC_RTC__) &&         \
    __cplusplus >= 201103L
#include <functional>
#endif

#pragma pop_macro("CUDA_VERSION")

#endif
