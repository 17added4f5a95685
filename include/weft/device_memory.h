/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores with cache hints, for every type: those that clang's
 * intrinsics header lacks. CUDA C++ programming guide, "Load Functions Using
 * Cache Hints". Elements of 8 bits travel in 32-bit or 16-bit registers.
 */
#ifndef WEFT_DEVICE_MEMORY_H
#define WEFT_DEVICE_MEMORY_H

#define WEFT_DEVICE static __device__ __forceinline__

#define WEFT_LOAD_1(name, hint, type, ptx, reg, temporary)                     \
    WEFT_DEVICE type name(const type *p)                                       \
    {                                                                          \
        temporary x;                                                           \
        __asm__("ld.global." hint "." ptx " %0, [%1];" : reg(x) : "l"(p));     \
        return (type)x;                                                        \
    }
#define WEFT_LOAD_2(name, hint, type, ptx, reg, temporary)                     \
    WEFT_DEVICE type name(const type *p)                                       \
    {                                                                          \
        temporary x, y;                                                        \
        __asm__("ld.global." hint ".v2." ptx " {%0,%1}, [%2];"                 \
                : reg(x), reg(y)                                               \
                : "l"(p));                                                     \
        type v;                                                                \
        v.x = (__typeof__(v.x))x, v.y = (__typeof__(v.y))y;                    \
        return v;                                                              \
    }
#define WEFT_LOAD_4(name, hint, type, ptx, reg, temporary)                     \
    WEFT_DEVICE type name(const type *p)                                       \
    {                                                                          \
        temporary x, y, z, w;                                                  \
        __asm__("ld.global." hint ".v4." ptx " {%0,%1,%2,%3}, [%4];"           \
                : reg(x), reg(y), reg(z), reg(w)                               \
                : "l"(p));                                                     \
        type v;                                                                \
        v.x = (__typeof__(v.x))x, v.y = (__typeof__(v.y))y;                    \
        v.z = (__typeof__(v.z))z, v.w = (__typeof__(v.w))w;                    \
        return v;                                                              \
    }
#define WEFT_STORE_1(name, hint, type, ptx, reg, temporary)                    \
    WEFT_DEVICE void name(type *p, type v)                                     \
    {                                                                          \
        __asm__("st.global." hint "." ptx " [%0], %1;" ::"l"(p),               \
                reg((temporary)v)                                              \
                : "memory");                                                   \
    }
#define WEFT_STORE_2(name, hint, type, ptx, reg, temporary)                    \
    WEFT_DEVICE void name(type *p, type v)                                     \
    {                                                                          \
        __asm__("st.global." hint ".v2." ptx " [%0], {%1,%2};" ::"l"(p),       \
                reg((temporary)v.x), reg((temporary)v.y)                       \
                : "memory");                                                   \
    }
#define WEFT_STORE_4(name, hint, type, ptx, reg, temporary)                    \
    WEFT_DEVICE void name(type *p, type v)                                     \
    {                                                                          \
        __asm__("st.global." hint ".v4." ptx " [%0], {%1,%2,%3,%4};" ::"l"(p), \
                reg((temporary)v.x), reg((temporary)v.y),                      \
                reg((temporary)v.z), reg((temporary)v.w)                       \
                : "memory");                                                   \
    }

/* ROW(elements, function, hint, type, PTX type, register, temporary) */
#define WEFT_EACH_TYPE(ROW, name, hint, r, h, l, f, d)                         \
    ROW##_1(name, hint, char, "s8", r, int)                                    \
    ROW##_1(name, hint, signed char, "s8", r, int)                             \
    ROW##_1(name, hint, short, "s16", h, short)                                \
    ROW##_1(name, hint, int, "s32", r, int)                                    \
    ROW##_1(name, hint, long, "s64", l, long)                                  \
    ROW##_1(name, hint, long long, "s64", l, long long)                        \
    ROW##_1(name, hint, unsigned char, "u8", r, unsigned)                      \
    ROW##_1(name, hint, unsigned short, "u16", h, unsigned short)              \
    ROW##_1(name, hint, unsigned int, "u32", r, unsigned)                      \
    ROW##_1(name, hint, unsigned long, "u64", l, unsigned long)                \
    ROW##_1(name, hint, unsigned long long, "u64", l, unsigned long long)      \
    ROW##_1(name, hint, float, "f32", f, float)                                \
    ROW##_1(name, hint, double, "f64", d, double)                              \
    ROW##_2(name, hint, char2, "s8", r, int)                                   \
    ROW##_4(name, hint, char4, "s8", r, int)                                   \
    ROW##_2(name, hint, short2, "s16", h, short)                               \
    ROW##_4(name, hint, short4, "s16", h, short)                               \
    ROW##_2(name, hint, int2, "s32", r, int)                                   \
    ROW##_4(name, hint, int4, "s32", r, int)                                   \
    ROW##_2(name, hint, longlong2, "s64", l, long long)                        \
    ROW##_2(name, hint, uchar2, "u8", r, unsigned)                             \
    ROW##_4(name, hint, uchar4, "u8", r, unsigned)                             \
    ROW##_2(name, hint, ushort2, "u16", h, unsigned short)                     \
    ROW##_4(name, hint, ushort4, "u16", h, unsigned short)                     \
    ROW##_2(name, hint, uint2, "u32", r, unsigned)                             \
    ROW##_4(name, hint, uint4, "u32", r, unsigned)                             \
    ROW##_2(name, hint, ulonglong2, "u64", l, unsigned long long)              \
    ROW##_2(name, hint, float2, "f32", f, float)                               \
    ROW##_4(name, hint, float4, "f32", f, float)                               \
    ROW##_2(name, hint, double2, "f64", d, double)

#define WEFT_LOADS(name, hint)                                                 \
    WEFT_EACH_TYPE(WEFT_LOAD, name, hint, "=r", "=h", "=l", "=f", "=d")
#define WEFT_STORES(name, hint)                                                \
    WEFT_EACH_TYPE(WEFT_STORE, name, hint, "r", "h", "l", "f", "d")

WEFT_LOADS(__ldca, "ca")
WEFT_LOADS(__ldlu, "lu")
WEFT_STORES(__stwb, "wb")
WEFT_STORES(__stcg, "cg")
WEFT_STORES(__stcs, "cs")

/* clang's header has these for all types but unsigned long (and long), and
 * none of them before C++11. */
#if __cplusplus >= 201103L
#define WEFT_LOAD_ULONG(name)                                                  \
    WEFT_DEVICE unsigned long name(const unsigned long *p)                     \
    {                                                                          \
        return name((const unsigned long long *)p);                            \
    }
WEFT_LOAD_ULONG(__ldcg)
WEFT_LOAD_ULONG(__ldcs)
WEFT_LOAD_ULONG(__ldcv)
WEFT_DEVICE void __stwt(unsigned long *p, unsigned long v)
{
    __stwt((unsigned long long *)p, (unsigned long long)v);
}
WEFT_DEVICE void __stwt(long *p, long v)
{
    __stwt((long long *)p, (long long)v);
}

#undef WEFT_LOAD_ULONG
#endif
#undef WEFT_LOADS
#undef WEFT_STORES
#undef WEFT_EACH_TYPE
#undef WEFT_LOAD_1
#undef WEFT_LOAD_2
#undef WEFT_LOAD_4
#undef WEFT_STORE_1
#undef WEFT_STORE_2
#undef WEFT_STORE_4
#undef WEFT_DEVICE

#endif
