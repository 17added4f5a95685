/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The built-in vector types, char1 to double4, and dim3. Sizes and alignments
 * are those of the programming guide's table "Alignment Requirements": a
 * vector of 2 or 4 is aligned like its size, at most 16 bytes; a vector of 1
 * or 3 like its element.
 */
#ifndef WEFT_VECTOR_TYPES_H
#define WEFT_VECTOR_TYPES_H
/* Programs ask for this name to know whether the header was included. */
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define WEFT_VECTOR_1(name, element)                                           \
    struct name {                                                              \
        element x;                                                             \
    };                                                                         \
    typedef struct name name;
#define WEFT_VECTOR_2(name, element, alignment)                                \
    struct __attribute__((aligned(alignment))) name {                          \
        element x, y;                                                          \
    };                                                                         \
    typedef struct name name;
#define WEFT_VECTOR_3(name, element)                                           \
    struct name {                                                              \
        element x, y, z;                                                       \
    };                                                                         \
    typedef struct name name;
#define WEFT_VECTOR_4(name, element, alignment)                                \
    struct __attribute__((aligned(alignment))) name {                          \
        element x, y, z, w;                                                    \
    };                                                                         \
    typedef struct name name;
#define WEFT_VECTORS(name, element, alignment2, alignment4)                    \
    WEFT_VECTOR_1(name##1, element)                                            \
    WEFT_VECTOR_2(name##2, element, alignment2)                                \
    WEFT_VECTOR_3(name##3, element)                                            \
    WEFT_VECTOR_4(name##4, element, alignment4)

WEFT_VECTORS(char, signed char, 2, 4)
WEFT_VECTORS(uchar, unsigned char, 2, 4)
WEFT_VECTORS(short, short, 4, 8)
WEFT_VECTORS(ushort, unsigned short, 4, 8)
WEFT_VECTORS(int, int, 8, 16)
WEFT_VECTORS(uint, unsigned int, 8, 16)
WEFT_VECTORS(long, long int, 16, 16)
WEFT_VECTORS(ulong, unsigned long int, 16, 16)
WEFT_VECTORS(longlong, long long int, 16, 16)
WEFT_VECTORS(ulonglong, unsigned long long int, 16, 16)
WEFT_VECTORS(float, float, 8, 16)
WEFT_VECTORS(double, double, 16, 16)

/* CUDA 13's vectors of four 8-byte elements, with the alignment in their
 * names. Each is a type of its own, since programs overload functions by
 * them. */
WEFT_VECTOR_4(long4_16a, long int, 16)
WEFT_VECTOR_4(ulong4_16a, unsigned long int, 16)
WEFT_VECTOR_4(longlong4_16a, long long int, 16)
WEFT_VECTOR_4(ulonglong4_16a, unsigned long long int, 16)
WEFT_VECTOR_4(double4_16a, double, 16)
WEFT_VECTOR_4(long4_32a, long int, 32)
WEFT_VECTOR_4(ulong4_32a, unsigned long int, 32)
WEFT_VECTOR_4(longlong4_32a, long long int, 32)
WEFT_VECTOR_4(ulonglong4_32a, unsigned long long int, 32)
WEFT_VECTOR_4(double4_32a, double, 32)

#undef WEFT_VECTORS
#undef WEFT_VECTOR_1
#undef WEFT_VECTOR_2
#undef WEFT_VECTOR_3
#undef WEFT_VECTOR_4

#if defined(__CUDA__) && defined(__clang__)
/* Declared in weft/device_builtin_vars.h. */
struct __cuda_builtin_threadIdx_t;
struct __cuda_builtin_blockIdx_t;
struct __cuda_builtin_blockDim_t;
struct __cuda_builtin_gridDim_t;
#endif

/* Components that are not given are 1. */
struct dim3 {
    unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                       unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ constexpr operator uint3(void) const
    {
        return uint3{x, y, z};
    }
#else
    __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1,
                             unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ operator uint3(void) const
    {
        uint3 t;
        t.x = x;
        t.y = y;
        t.z = z;
        return t;
    }
#endif
#if defined(__CUDA__) && defined(__clang__)
    __device__ dim3(const __cuda_builtin_threadIdx_t &v);
    __device__ dim3(const __cuda_builtin_blockIdx_t &v);
    __device__ dim3(const __cuda_builtin_blockDim_t &v);
    __device__ dim3(const __cuda_builtin_gridDim_t &v);
#endif
#endif
};
typedef struct dim3 dim3;

#endif
