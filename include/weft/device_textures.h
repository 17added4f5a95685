/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texture fetches, through texture objects and through the texture references
 * of older programs. CUDA C++ programming guide, "Texture Functions". Every
 * fetch is one PTX instruction that gives four floats, ints or unsigneds, of
 * which the wanted type takes what it has room for.
 */
#ifndef WEFT_DEVICE_TEXTURES_H
#define WEFT_DEVICE_TEXTURES_H

#include "../texture_types.h"
#include "../cuda_texture_types.h"

#define WEFT_DEVICE    static __device__ __forceinline__
#define WEFT_OPEN(...) __VA_ARGS__

template <typename T> struct weft_four {
    T x, y, z, w;
};

/* What a texel type is made of: raw is float, int or unsigned. */
template <typename T> struct weft_texel;
#define WEFT_TEXEL(type, base, assign)                                         \
    template <> struct weft_texel<type> {                                      \
        typedef base raw;                                                      \
        WEFT_DEVICE type from(const weft_four<raw> &r)                         \
        {                                                                      \
            type v;                                                            \
            assign;                                                            \
            return v;                                                          \
        }                                                                      \
    };
#define WEFT_TEXELS(scalar, vector, base)                                      \
    WEFT_TEXEL(scalar, base, v = (scalar)r.x)                                  \
    WEFT_TEXEL(vector##1, base, v.x = (scalar)r.x)                             \
    WEFT_TEXEL(vector##2, base, (v.x = (scalar)r.x, v.y = (scalar)r.y))        \
    WEFT_TEXEL(vector##4, base,                                                \
               (v.x = (scalar)r.x, v.y = (scalar)r.y, v.z = (scalar)r.z,       \
                v.w = (scalar)r.w))
WEFT_TEXEL(char, int, v = (char)r.x)
WEFT_TEXELS(signed char, char, int)
WEFT_TEXELS(unsigned char, uchar, unsigned int)
WEFT_TEXELS(short, short, int)
WEFT_TEXELS(unsigned short, ushort, unsigned int)
WEFT_TEXELS(int, int, int)
WEFT_TEXELS(unsigned int, uint, unsigned int)
WEFT_TEXELS(float, float, float)
#undef WEFT_TEXELS
#undef WEFT_TEXEL

/* What a fetch through a reference gives: its texels, or the same number of
 * floats where they are normalized. */
template <typename T> struct weft_as_float;
#define WEFT_AS_FLOAT(type, result)                                            \
    template <> struct weft_as_float<type> {                                   \
        typedef result type_name;                                              \
    };
#define WEFT_AS_FLOATS(scalar, vector)                                         \
    WEFT_AS_FLOAT(scalar, float)                                               \
    WEFT_AS_FLOAT(vector##1, float1)                                           \
    WEFT_AS_FLOAT(vector##2, float2)                                           \
    WEFT_AS_FLOAT(vector##4, float4)
WEFT_AS_FLOAT(char, float)
WEFT_AS_FLOATS(signed char, char)
WEFT_AS_FLOATS(unsigned char, uchar)
WEFT_AS_FLOATS(short, short)
WEFT_AS_FLOATS(unsigned short, ushort)
#undef WEFT_AS_FLOATS
#undef WEFT_AS_FLOAT

template <typename T, enum cudaTextureReadMode mode>
struct weft_fetched {
    typedef T type;
};
template <typename T> struct weft_fetched<T, cudaReadModeNormalizedFloat> {
    typedef typename weft_as_float<T>::type_name type;
};

/* What a gather through a reference gives. */
template <typename T> struct weft_gathered;
#define WEFT_GATHERED(texel, four)                                             \
    template <> struct weft_gathered<texel> {                                  \
        typedef four type;                                                     \
    };
#define WEFT_GATHERS(scalar, vector)                                           \
    WEFT_GATHERED(scalar, vector##4)                                           \
    WEFT_GATHERED(vector##1, vector##4)                                        \
    WEFT_GATHERED(vector##2, vector##4)                                        \
    WEFT_GATHERED(vector##4, vector##4)
WEFT_GATHERED(char, char4)
WEFT_GATHERS(signed char, char)
WEFT_GATHERS(unsigned char, uchar)
WEFT_GATHERS(short, short)
WEFT_GATHERS(unsigned short, ushort)
WEFT_GATHERS(int, int)
WEFT_GATHERS(unsigned int, uint)
WEFT_GATHERS(float, float)
#undef WEFT_GATHERS
#undef WEFT_GATHERED

/* clang makes a handle of a reference that device code names. */
template <typename Reference>
WEFT_DEVICE cudaTextureObject_t weft_handle(Reference reference)
{
    cudaTextureObject_t handle;
    __asm__("mov.b64 %0, %1;" : "=l"(handle) : "l"(reference));
    return handle;
}

/* One instruction for one raw type. */
#define WEFT_TEX_RAW(function, instruction, coordinate, operands, parameters,  \
                     inputs, raw, letters, out)                                \
    WEFT_DEVICE void weft_##function(weft_four<raw> &r, cudaTextureObject_t t, \
                                     WEFT_OPEN parameters)                     \
    {                                                                          \
        __asm__(instruction ".v4." letters "." coordinate                      \
                            " {%0, %1, %2, %3}, " operands ";"                 \
                : out(r.x), out(r.y), out(r.z), out(r.w)                       \
                : "l"(t), WEFT_OPEN inputs);                                   \
    }
#define WEFT_TEX_INSTRUCTION(function, instruction, coordinate, operands,      \
                             parameters, inputs)                               \
    WEFT_TEX_RAW(function, instruction, coordinate, operands, parameters,      \
                 inputs, float, "f32", "=f")                                   \
    WEFT_TEX_RAW(function, instruction, coordinate, operands, parameters,      \
                 inputs, int, "s32", "=r")                                     \
    WEFT_TEX_RAW(function, instruction, coordinate, operands, parameters,      \
                 inputs, unsigned int, "u32", "=r")

/* The function for objects, by value and by pointer, and for references. */
#define WEFT_TEX_FUNCTION(function, kind, parameters, arguments)               \
    template <typename T>                                                      \
    WEFT_DEVICE T function(cudaTextureObject_t t, WEFT_OPEN parameters)        \
    {                                                                          \
        weft_four<typename weft_texel<T>::raw> r;                              \
        weft_##function(r, t, WEFT_OPEN arguments);                            \
        return weft_texel<T>::from(r);                                         \
    }                                                                          \
    template <typename T>                                                      \
    WEFT_DEVICE void function(T *out, cudaTextureObject_t t,                   \
                              WEFT_OPEN parameters)                            \
    {                                                                          \
        *out = function<T>(t, WEFT_OPEN arguments);                            \
    }                                                                          \
    template <typename T, enum cudaTextureReadMode mode>                       \
    WEFT_DEVICE typename weft_fetched<T, mode>::type function(                 \
        WEFT_TEXTURE_NAME<T, kind, mode> t, WEFT_OPEN parameters)              \
    {                                                                          \
        return function<typename weft_fetched<T, mode>::type>(                 \
            weft_handle(t), WEFT_OPEN arguments);                              \
    }
#define WEFT_TEX(function, kind, instruction, coordinate, operands,            \
                 parameters, arguments, inputs)                                \
    WEFT_TEX_INSTRUCTION(function, instruction, coordinate, operands,          \
                         parameters, inputs)                                   \
    WEFT_TEX_FUNCTION(function, kind, parameters, arguments)

/* clang-format off */
WEFT_TEX(tex1Dfetch, cudaTextureType1D, "tex.1d", "s32", "[%4, {%5}]",
         (int x), (x), ("r"(x)))
WEFT_TEX(tex1D, cudaTextureType1D, "tex.1d", "f32", "[%4, {%5}]",
         (float x), (x), ("f"(x)))
WEFT_TEX(tex1DLod, cudaTextureType1D, "tex.level.1d", "f32", "[%4, {%5}], %6",
         (float x, float level), (x, level), ("f"(x), "f"(level)))
WEFT_TEX(tex1DGrad, cudaTextureType1D, "tex.grad.1d", "f32",
         "[%4, {%5}], {%6}, {%7}",
         (float x, float dx, float dy), (x, dx, dy),
         ("f"(x), "f"(dx), "f"(dy)))
WEFT_TEX(tex1DLayered, cudaTextureType1DLayered, "tex.a1d", "f32",
         "[%4, {%5, %6}]",
         (float x, int layer), (x, layer), ("r"(layer), "f"(x)))
WEFT_TEX(tex1DLayeredLod, cudaTextureType1DLayered, "tex.level.a1d", "f32",
         "[%4, {%5, %6}], %7",
         (float x, int layer, float level), (x, layer, level),
         ("r"(layer), "f"(x), "f"(level)))
WEFT_TEX(tex1DLayeredGrad, cudaTextureType1DLayered, "tex.grad.a1d", "f32",
         "[%4, {%5, %6}], {%7}, {%8}",
         (float x, int layer, float dx, float dy), (x, layer, dx, dy),
         ("r"(layer), "f"(x), "f"(dx), "f"(dy)))
WEFT_TEX(tex2D, cudaTextureType2D, "tex.2d", "f32", "[%4, {%5, %6}]",
         (float x, float y), (x, y), ("f"(x), "f"(y)))
WEFT_TEX(tex2DLod, cudaTextureType2D, "tex.level.2d", "f32",
         "[%4, {%5, %6}], %7",
         (float x, float y, float level), (x, y, level),
         ("f"(x), "f"(y), "f"(level)))
WEFT_TEX(tex2DGrad, cudaTextureType2D, "tex.grad.2d", "f32",
         "[%4, {%5, %6}], {%7, %8}, {%9, %10}",
         (float x, float y, float2 dx, float2 dy), (x, y, dx, dy),
         ("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
WEFT_TEX(tex2DLayered, cudaTextureType2DLayered, "tex.a2d", "f32",
         "[%4, {%5, %6, %7, %7}]",
         (float x, float y, int layer), (x, y, layer),
         ("r"(layer), "f"(x), "f"(y)))
WEFT_TEX(tex2DLayeredLod, cudaTextureType2DLayered, "tex.level.a2d", "f32",
         "[%4, {%5, %6, %7, %7}], %8",
         (float x, float y, int layer, float level), (x, y, layer, level),
         ("r"(layer), "f"(x), "f"(y), "f"(level)))
WEFT_TEX(tex2DLayeredGrad, cudaTextureType2DLayered, "tex.grad.a2d", "f32",
         "[%4, {%5, %6, %7, %7}], {%8, %9}, {%10, %11}",
         (float x, float y, int layer, float2 dx, float2 dy),
         (x, y, layer, dx, dy),
         ("r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x),
          "f"(dy.y)))
WEFT_TEX(tex3D, cudaTextureType3D, "tex.3d", "f32", "[%4, {%5, %6, %7, %7}]",
         (float x, float y, float z), (x, y, z), ("f"(x), "f"(y), "f"(z)))
WEFT_TEX(tex3DLod, cudaTextureType3D, "tex.level.3d", "f32",
         "[%4, {%5, %6, %7, %7}], %8",
         (float x, float y, float z, float level), (x, y, z, level),
         ("f"(x), "f"(y), "f"(z), "f"(level)))
WEFT_TEX(tex3DGrad, cudaTextureType3D, "tex.grad.3d", "f32",
         "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
         (float x, float y, float z, float4 dx, float4 dy),
         (x, y, z, dx, dy),
         ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z),
          "f"(dy.x), "f"(dy.y), "f"(dy.z)))
WEFT_TEX(texCubemap, cudaTextureTypeCubemap, "tex.cube", "f32",
         "[%4, {%5, %6, %7, %7}]",
         (float x, float y, float z), (x, y, z), ("f"(x), "f"(y), "f"(z)))
WEFT_TEX(texCubemapLod, cudaTextureTypeCubemap, "tex.level.cube", "f32",
         "[%4, {%5, %6, %7, %7}], %8",
         (float x, float y, float z, float level), (x, y, z, level),
         ("f"(x), "f"(y), "f"(z), "f"(level)))
WEFT_TEX(texCubemapLayered, cudaTextureTypeCubemapLayered, "tex.acube", "f32",
         "[%4, {%5, %6, %7, %8}]",
         (float x, float y, float z, int layer), (x, y, z, layer),
         ("r"(layer), "f"(x), "f"(y), "f"(z)))
WEFT_TEX(texCubemapLayeredLod, cudaTextureTypeCubemapLayered,
         "tex.level.acube", "f32", "[%4, {%5, %6, %7, %8}], %9",
         (float x, float y, float z, int layer, float level),
         (x, y, z, layer, level),
         ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(level)))
WEFT_TEX(texCubemapGrad, cudaTextureTypeCubemap, "tex.grad.cube", "f32",
         "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
         (float x, float y, float z, float4 dx, float4 dy),
         (x, y, z, dx, dy),
         ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z),
          "f"(dy.x), "f"(dy.y), "f"(dy.z)))
WEFT_TEX(texCubemapLayeredGrad, cudaTextureTypeCubemapLayered,
         "tex.grad.acube", "f32",
         "[%4, {%5, %6, %7, %8}], {%9, %10, %11, %11}, {%12, %13, %14, %14}",
         (float x, float y, float z, int layer, float4 dx, float4 dy),
         (x, y, z, layer, dx, dy),
         ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z),
          "f"(dy.x), "f"(dy.y), "f"(dy.z)))

/* Of arrays with holes the hardware tells whether the texels were there; here
 * memory has none. */
#define WEFT_RESIDENT(function, parameters, arguments)                         \
    template <typename T>                                                      \
    WEFT_DEVICE T function(cudaTextureObject_t t, WEFT_OPEN parameters,        \
                           bool *isResident)                                   \
    {                                                                          \
        *isResident = true;                                                    \
        return function<T>(t, WEFT_OPEN arguments);                            \
    }                                                                          \
    template <typename T>                                                      \
    WEFT_DEVICE void function(T *out, cudaTextureObject_t t,                   \
                              WEFT_OPEN parameters, bool *isResident)          \
    {                                                                          \
        *isResident = true;                                                    \
        *out = function<T>(t, WEFT_OPEN arguments);                            \
    }
WEFT_RESIDENT(tex2D, (float x, float y), (x, y))
WEFT_RESIDENT(tex2DLod, (float x, float y, float level), (x, y, level))
WEFT_RESIDENT(tex2DGrad, (float x, float y, float2 dx, float2 dy),
              (x, y, dx, dy))
WEFT_RESIDENT(tex2DLayered, (float x, float y, int layer), (x, y, layer))
WEFT_RESIDENT(tex2DLayeredLod, (float x, float y, int layer, float level),
              (x, y, layer, level))
WEFT_RESIDENT(tex2DLayeredGrad,
              (float x, float y, int layer, float2 dx, float2 dy),
              (x, y, layer, dx, dy))
WEFT_RESIDENT(tex3D, (float x, float y, float z), (x, y, z))
WEFT_RESIDENT(tex3DLod, (float x, float y, float z, float level),
              (x, y, z, level))
WEFT_RESIDENT(tex3DGrad, (float x, float y, float z, float4 dx, float4 dy),
              (x, y, z, dx, dy))
#undef WEFT_RESIDENT

/* One component of the four texels that a filter would look at. */
#define WEFT_GATHER(component)                                                 \
    WEFT_TEX_INSTRUCTION(gather_##component, "tld4." #component ".2d", "f32",  \
                         "[%4, {%5, %6}]", (float x, float y),                 \
                         ("f"(x), "f"(y)))
WEFT_GATHER(r)
WEFT_GATHER(g)
WEFT_GATHER(b)
WEFT_GATHER(a)
#undef WEFT_GATHER
/* clang-format on */

template <typename Raw>
WEFT_DEVICE void weft_tex2Dgather(weft_four<Raw> &r, cudaTextureObject_t t,
                                  float x, float y, int component)
{
    switch (component) {
    case 1:
        return weft_gather_g(r, t, x, y);
    case 2:
        return weft_gather_b(r, t, x, y);
    case 3:
        return weft_gather_a(r, t, x, y);
    default:
        return weft_gather_r(r, t, x, y);
    }
}
template <typename T>
WEFT_DEVICE T tex2Dgather(cudaTextureObject_t t, float x, float y,
                          int component = 0)
{
    weft_four<typename weft_texel<T>::raw> r;
    weft_tex2Dgather(r, t, x, y, component);
    return weft_texel<T>::from(r);
}
template <typename T>
WEFT_DEVICE void tex2Dgather(T *out, cudaTextureObject_t t, float x, float y,
                             int component = 0)
{
    *out = tex2Dgather<T>(t, x, y, component);
}
template <typename T>
WEFT_DEVICE T tex2Dgather(cudaTextureObject_t t, float x, float y,
                          bool *isResident, int component = 0)
{
    *isResident = true;
    return tex2Dgather<T>(t, x, y, component);
}
template <typename T>
WEFT_DEVICE void tex2Dgather(T *out, cudaTextureObject_t t, float x, float y,
                             bool *isResident, int component = 0)
{
    *isResident = true;
    *out = tex2Dgather<T>(t, x, y, component);
}
/* A reference gives four of its scalars. */
template <typename T, enum cudaTextureReadMode mode>
WEFT_DEVICE typename weft_fetched<typename weft_gathered<T>::type, mode>::type
tex2Dgather(WEFT_TEXTURE_NAME<T, cudaTextureType2D, mode> t, float x, float y,
            int component = 0)
{
    typedef typename weft_gathered<T>::type four;
    return tex2Dgather<typename weft_fetched<four, mode>::type>(
        weft_handle(t), x, y, component);
}

#undef WEFT_TEX
#undef WEFT_TEX_FUNCTION
#undef WEFT_TEX_INSTRUCTION
#undef WEFT_TEX_RAW
#undef WEFT_OPEN
#undef WEFT_DEVICE

#endif
