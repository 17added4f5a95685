/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Surface reads and writes. CUDA C++ programming guide, "Surface Functions".
 * x counts bytes. The instructions move 1 to 16 bytes as they are, so of the
 * types that CUDA takes only the size matters here.
 */
#ifndef WEFT_DEVICE_SURFACES_H
#define WEFT_DEVICE_SURFACES_H

#include "../cuda_surface_types.h"
#include "../surface_types.h"

#define WEFT_DEVICE    static __device__ __forceinline__
#define WEFT_OPEN(...) __VA_ARGS__

template <unsigned int Bytes> struct weft_surface_word;
#define WEFT_WORD(bytes, members)                                              \
    template <> struct weft_surface_word<bytes> {                              \
        members;                                                               \
    };
WEFT_WORD(1, unsigned short x)
WEFT_WORD(2, unsigned short x)
WEFT_WORD(4, unsigned int x)
WEFT_WORD(8, unsigned int x; unsigned int y)
WEFT_WORD(16, unsigned int x; unsigned int y; unsigned int z; unsigned int w)
#undef WEFT_WORD

template <typename T> struct weft_surface_element;
#define WEFT_ELEMENT(type)                                                     \
    template <> struct weft_surface_element<type> {                            \
        typedef weft_surface_word<sizeof(type)> word;                          \
    };
#define WEFT_WIDE_ELEMENTS(scalar, vector)                                     \
    WEFT_ELEMENT(scalar)                                                       \
    WEFT_ELEMENT(vector##1)                                                    \
    WEFT_ELEMENT(vector##2)
#define WEFT_ELEMENTS(scalar, vector)                                          \
    WEFT_WIDE_ELEMENTS(scalar, vector)                                         \
    WEFT_ELEMENT(vector##4)
WEFT_ELEMENT(char)
WEFT_ELEMENTS(signed char, char)
WEFT_ELEMENTS(unsigned char, uchar)
WEFT_ELEMENTS(short, short)
WEFT_ELEMENTS(unsigned short, ushort)
WEFT_ELEMENTS(int, int)
WEFT_ELEMENTS(unsigned int, uint)
WEFT_WIDE_ELEMENTS(long long int, longlong)
WEFT_WIDE_ELEMENTS(unsigned long long int, ulonglong)
WEFT_ELEMENTS(float, float)
#undef WEFT_ELEMENTS
#undef WEFT_WIDE_ELEMENTS
#undef WEFT_ELEMENT

template <typename Reference>
WEFT_DEVICE cudaSurfaceObject_t weft_surface_handle(Reference reference)
{
    cudaSurfaceObject_t handle;
    __asm__("mov.b64 %0, %1;" : "=l"(handle) : "l"(reference));
    return handle;
}

/* Operands are numbered from the surface on, which comes first. */
#define WEFT_READ_AS(function, geometry, where, parameters, inputs, mode,      \
                     bytes, type, list, outputs)                               \
    WEFT_DEVICE void weft_##function##_##mode(weft_surface_word<bytes> &v,     \
                                              cudaSurfaceObject_t s,           \
                                              WEFT_OPEN parameters)            \
    {                                                                          \
        __asm__ volatile("suld.b." geometry "." type "." #mode " " list        \
                         ", [%[s], " where "];"                                \
                         : WEFT_OPEN outputs                                   \
                         : [s] "l"(s), WEFT_OPEN inputs                        \
                         : "memory");                                          \
    }
#define WEFT_WRITE_AS(function, geometry, where, parameters, inputs, mode,     \
                      bytes, type, list, values)                               \
    WEFT_DEVICE void weft_##function##_##mode(                                 \
        const weft_surface_word<bytes> &v, cudaSurfaceObject_t s,              \
        WEFT_OPEN parameters)                                                  \
    {                                                                          \
        __asm__ volatile("sust.b." geometry "." type "." #mode                 \
                         " [%[s], " where "], " list ";" ::[s] "l"(s),         \
                         WEFT_OPEN values, WEFT_OPEN inputs                    \
                         : "memory");                                          \
    }
#define WEFT_MODE(function, geometry, where, parameters, inputs, mode)         \
    WEFT_READ_AS(function##read, geometry, where, parameters, inputs, mode, 1, \
                 "b8", "{%[x]}", ([x] "=h"(v.x)))                              \
    WEFT_READ_AS(function##read, geometry, where, parameters, inputs, mode, 2, \
                 "b16", "{%[x]}", ([x] "=h"(v.x)))                             \
    WEFT_READ_AS(function##read, geometry, where, parameters, inputs, mode, 4, \
                 "b32", "{%[x]}", ([x] "=r"(v.x)))                             \
    WEFT_READ_AS(function##read, geometry, where, parameters, inputs, mode, 8, \
                 "v2.b32", "{%[x], %[y]}", ([x] "=r"(v.x), [y] "=r"(v.y)))     \
    WEFT_READ_AS(function##read, geometry, where, parameters, inputs, mode,    \
                 16, "v4.b32", "{%[x], %[y], %[z], %[w]}",                     \
                 ([x] "=r"(v.x), [y] "=r"(v.y), [z] "=r"(v.z), [w] "=r"(v.w))) \
    WEFT_WRITE_AS(function##write, geometry, where, parameters, inputs, mode,  \
                  1, "b8", "{%[x]}", ([x] "h"(v.x)))                           \
    WEFT_WRITE_AS(function##write, geometry, where, parameters, inputs, mode,  \
                  2, "b16", "{%[x]}", ([x] "h"(v.x)))                          \
    WEFT_WRITE_AS(function##write, geometry, where, parameters, inputs, mode,  \
                  4, "b32", "{%[x]}", ([x] "r"(v.x)))                          \
    WEFT_WRITE_AS(function##write, geometry, where, parameters, inputs, mode,  \
                  8, "v2.b32", "{%[x], %[y]}", ([x] "r"(v.x), [y] "r"(v.y)))   \
    WEFT_WRITE_AS(function##write, geometry, where, parameters, inputs, mode,  \
                  16, "v4.b32", "{%[x], %[y], %[z], %[w]}",                    \
                  ([x] "r"(v.x), [y] "r"(v.y), [z] "r"(v.z), [w] "r"(v.w)))

/* The boundary mode is known when this is inlined. */
#define WEFT_BY_MODE(function, value, arguments)                               \
    switch (mode) {                                                            \
    case cudaBoundaryModeZero:                                                 \
        weft_##function##_zero(value, s, WEFT_OPEN arguments);                 \
        break;                                                                 \
    case cudaBoundaryModeClamp:                                                \
        weft_##function##_clamp(value, s, WEFT_OPEN arguments);                \
        break;                                                                 \
    default:                                                                   \
        weft_##function##_trap(value, s, WEFT_OPEN arguments);                 \
        break;                                                                 \
    }

#define WEFT_SURFACE(function, kind, geometry, where, parameters, arguments,   \
                     inputs)                                                   \
    WEFT_MODE(function, geometry, where, parameters, inputs, zero)             \
    WEFT_MODE(function, geometry, where, parameters, inputs, clamp)            \
    WEFT_MODE(function, geometry, where, parameters, inputs, trap)             \
    template <typename T>                                                      \
    WEFT_DEVICE T function##read(cudaSurfaceObject_t s, WEFT_OPEN parameters,  \
                                 enum cudaSurfaceBoundaryMode mode =           \
                                     cudaBoundaryModeTrap)                     \
    {                                                                          \
        typename weft_surface_element<T>::word word;                           \
        WEFT_BY_MODE(function##read, word, arguments)                          \
        T value;                                                               \
        __builtin_memcpy(&value, &word, sizeof value);                         \
        return value;                                                          \
    }                                                                          \
    template <typename T>                                                      \
    WEFT_DEVICE void function##read(                                           \
        T *out, cudaSurfaceObject_t s, WEFT_OPEN parameters,                   \
        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)              \
    {                                                                          \
        *out = function##read<T>(s, WEFT_OPEN arguments, mode);                \
    }                                                                          \
    template <typename T, typename Any>                                        \
    WEFT_DEVICE T function##read(                                              \
        WEFT_SURFACE_NAME<Any, kind> s, WEFT_OPEN parameters,                  \
        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)              \
    {                                                                          \
        return function##read<T>(weft_surface_handle(s), WEFT_OPEN arguments,  \
                                 mode);                                        \
    }                                                                          \
    template <typename T, typename Any>                                        \
    WEFT_DEVICE void function##read(                                           \
        T *out, WEFT_SURFACE_NAME<Any, kind> s, WEFT_OPEN parameters,          \
        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)              \
    {                                                                          \
        *out = function##read<T>(weft_surface_handle(s), WEFT_OPEN arguments,  \
                                 mode);                                        \
    }                                                                          \
    template <typename T>                                                      \
    WEFT_DEVICE void function##write(                                          \
        T value, cudaSurfaceObject_t s, WEFT_OPEN parameters,                  \
        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)              \
    {                                                                          \
        typename weft_surface_element<T>::word word = {};                      \
        __builtin_memcpy(&word, &value, sizeof value);                         \
        WEFT_BY_MODE(function##write, word, arguments)                         \
    }                                                                          \
    template <typename T, typename Any>                                        \
    WEFT_DEVICE void function##write(                                          \
        T value, WEFT_SURFACE_NAME<Any, kind> s, WEFT_OPEN parameters,         \
        enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)              \
    {                                                                          \
        function##write(value, weft_surface_handle(s), WEFT_OPEN arguments,    \
                        mode);                                                 \
    }

/* A cubemap is an array of six faces, a layered one of six for each layer. */
/* clang-format off */
WEFT_SURFACE(surf1D, cudaSurfaceType1D, "1d", "{%[i]}",
             (int x), (x), ([i] "r"(x)))
WEFT_SURFACE(surf2D, cudaSurfaceType2D, "2d", "{%[i], %[j]}",
             (int x, int y), (x, y), ([i] "r"(x), [j] "r"(y)))
WEFT_SURFACE(surf3D, cudaSurfaceType3D, "3d", "{%[i], %[j], %[k], %[k]}",
             (int x, int y, int z), (x, y, z),
             ([i] "r"(x), [j] "r"(y), [k] "r"(z)))
WEFT_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, "a1d", "{%[l], %[i]}",
             (int x, int layer), (x, layer), ([l] "r"(layer), [i] "r"(x)))
WEFT_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, "a2d",
             "{%[l], %[i], %[j], %[j]}",
             (int x, int y, int layer), (x, y, layer),
             ([l] "r"(layer), [i] "r"(x), [j] "r"(y)))
WEFT_SURFACE(surfCubemap, cudaSurfaceTypeCubemap, "a2d",
             "{%[l], %[i], %[j], %[j]}",
             (int x, int y, int face), (x, y, face),
             ([l] "r"(face), [i] "r"(x), [j] "r"(y)))
WEFT_SURFACE(surfCubemapLayered, cudaSurfaceTypeCubemapLayered, "a2d",
             "{%[l], %[i], %[j], %[j]}",
             (int x, int y, int layerFace), (x, y, layerFace),
             ([l] "r"(layerFace), [i] "r"(x), [j] "r"(y)))
/* clang-format on */

#undef WEFT_SURFACE
#undef WEFT_BY_MODE
#undef WEFT_MODE
#undef WEFT_WRITE_AS
#undef WEFT_READ_AS
#undef WEFT_OPEN
#undef WEFT_DEVICE

#endif
