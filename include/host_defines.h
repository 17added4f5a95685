/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words that CUDA adds to C: __global__, __device__ ..., as attributes
 * where the compiler compiles CUDA and as nothing where it compiles C or C++.
 * Everything else in this folder spells declarations with these words.
 */
#ifndef WEFT_HOST_DEFINES_H
#define WEFT_HOST_DEFINES_H
/* Programs ask for this name to know whether the header was included. */
#define __HOST_DEFINES_H__

#if defined(__CUDA__) && !defined(__CUDACC__)
#define __CUDACC__ 1
#endif

#if defined(__CUDACC__)
#define __host__          __attribute__((host))
#define __device__        __attribute__((device))
#define __global__        __attribute__((global))
#define __shared__        __attribute__((shared))
#define __constant__      __attribute__((constant))
/* clang knows managed variables for HIP only. An alignment that no other
 * variable has tells weftcc, which writes .attribute(.managed) into the
 * PTX. */
#define __managed__ __attribute__((device)) __attribute__((aligned(4096)))
#define __grid_constant__ __attribute__((grid_constant))
#if defined(__CUDA_ARCH__)
/* The second attribute is an error on what is no kernel, and means nothing
 * here; diagnostics.c says what nvcc does. */
#define __launch_bounds__(...)                                                 \
    __attribute__((launch_bounds(__VA_ARGS__), amdgpu_num_vgpr(0)))
#else
#define __launch_bounds__(...)
#endif
/* clang does not write cluster dimensions into PTX. It writes a destructor's
 * priority, and device code has no destructors: weftcc turns the priority
 * into directives. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define __cluster_dims__(...)                                                  \
    __attribute__((destructor(__weft_cluster_dims<__VA_ARGS__>::priority)))
template <unsigned int x = ~0u, unsigned int y = 1, unsigned int z = 1>
struct __weft_cluster_dims {
    _Static_assert(x && x <= 32 && y && y <= 32 && z && z <= 32,
                   "__cluster_dims__ takes sizes from 1 to 32");
    enum { priority = 0x8000 | (x - 1) | (y - 1) << 5 | (z - 1) << 10 };
};
template <> /* __cluster_dims__(): what the launch says */
struct __weft_cluster_dims<~0u, 1, 1> {
    enum { priority = 0x7fff };
};
#else
#define __cluster_dims__(...)
#endif
#define __maxnreg__(...)
/* __block_size__((x, y, z)) or ((x, y, z), (blocks of a cluster)). It comes
 * into PTX as launch bounds larger than any, which weftcc turns into
 * directives. */
#if defined(__CUDA_ARCH__)
#define __block_size__(...) __WEFT_BLOCK_SIZE(__VA_ARGS__, (1, 1, 1), )
#if __CUDA_ARCH__ >= 900
#define __WEFT_BLOCK_SIZE(block, cluster, ...)                                 \
    __attribute__((launch_bounds(__WEFT_PACKED block, __WEFT_PACKED cluster)))
#else /* without clusters */
#define __WEFT_BLOCK_SIZE(block, cluster, ...)                                 \
    __attribute__((launch_bounds(__WEFT_PACKED block, 1 << 30)))
#endif
#define __WEFT_PACKED(...) __weft_block_size<__VA_ARGS__>::packed
template <unsigned int x, unsigned int y = 1, unsigned int z = 1>
struct __weft_block_size {
    _Static_assert(x && x <= 1024 && y && y <= 1024 && z && z <= 64 &&
                       x * y * z <= 1024,
                   "__block_size__ takes sizes from 1, 1024 in all");
    enum { packed = 1 << 30 | z << 22 | y << 11 | x };
};
#else
#define __block_size__(...)
#endif
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __block_size__(...)
#endif

/* In CUDA mode clang takes __noinline__ for a keyword; in C and C++ the name
 * belongs to the standard library's own attributes. */
#define __forceinline__      __inline__ __attribute__((always_inline))
#define __inline_hint__      __inline__
#define __align__(n)         __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __no_return__        __attribute__((noreturn))
#define __thread__           __thread
#define __nv_pure__          __attribute__((pure))

#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __annotate__(a) __attribute__((a))
#define __location__(a) __annotate__(a)
#define __import__
#define __export__

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

/* A default argument where the language has them. */
#if defined(__cplusplus)
#define __dv(v) = v
#else
#define __dv(v)
#endif

#if !defined(__specialization_static)
#define __specialization_static static
#endif

/* No warning about deprecated names between these two. */
#if defined(__GNUC__)
#define __NV_SILENCE_DEPRECATION_BEGIN                                         \
    _Pragma("GCC diagnostic push")                                             \
    _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
#define __NV_SILENCE_DEPRECATION_END _Pragma("GCC diagnostic pop")
#else
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
#endif

#endif
