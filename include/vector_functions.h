/* SPDX-License-Identifier: Apache-2.0 */
/* make_int4() and the other constructors of vector types, for host and device
 * code. */
#ifndef WEFT_VECTOR_FUNCTIONS_H
#define WEFT_VECTOR_FUNCTIONS_H
/* Programs ask for this name to know whether the header was included. */
#define __VECTOR_FUNCTIONS_H__

#include "host_defines.h"
#include "vector_types.h"

#define WEFT_MAKE static __inline__ __host__ __device__ __attribute__((unused))

#define WEFT_MAKE_1(name, element)                                             \
    WEFT_MAKE name make_##name(element x)                                      \
    {                                                                          \
        name v;                                                                \
        v.x = x;                                                               \
        return v;                                                              \
    }
#define WEFT_MAKE_2(name, element)                                             \
    WEFT_MAKE name make_##name(element x, element y)                           \
    {                                                                          \
        name v;                                                                \
        v.x = x;                                                               \
        v.y = y;                                                               \
        return v;                                                              \
    }
#define WEFT_MAKE_3(name, element)                                             \
    WEFT_MAKE name make_##name(element x, element y, element z)                \
    {                                                                          \
        name v;                                                                \
        v.x = x;                                                               \
        v.y = y;                                                               \
        v.z = z;                                                               \
        return v;                                                              \
    }
#define WEFT_MAKE_4(name, element)                                             \
    WEFT_MAKE name make_##name(element x, element y, element z, element w)     \
    {                                                                          \
        name v;                                                                \
        v.x = x;                                                               \
        v.y = y;                                                               \
        v.z = z;                                                               \
        v.w = w;                                                               \
        return v;                                                              \
    }
#define WEFT_MAKE_ALL(name, element)                                           \
    WEFT_MAKE_1(name##1, element)                                              \
    WEFT_MAKE_2(name##2, element)                                              \
    WEFT_MAKE_3(name##3, element)                                              \
    WEFT_MAKE_4(name##4, element)

WEFT_MAKE_ALL(char, signed char)
WEFT_MAKE_ALL(uchar, unsigned char)
WEFT_MAKE_ALL(short, short)
WEFT_MAKE_ALL(ushort, unsigned short)
WEFT_MAKE_ALL(int, int)
WEFT_MAKE_ALL(uint, unsigned int)
WEFT_MAKE_ALL(long, long int)
WEFT_MAKE_ALL(ulong, unsigned long int)
WEFT_MAKE_ALL(longlong, long long int)
WEFT_MAKE_ALL(ulonglong, unsigned long long int)
WEFT_MAKE_ALL(float, float)
WEFT_MAKE_ALL(double, double)

WEFT_MAKE_4(long4_16a, long int)
WEFT_MAKE_4(ulong4_16a, unsigned long int)
WEFT_MAKE_4(longlong4_16a, long long int)
WEFT_MAKE_4(ulonglong4_16a, unsigned long long int)
WEFT_MAKE_4(double4_16a, double)
WEFT_MAKE_4(long4_32a, long int)
WEFT_MAKE_4(ulong4_32a, unsigned long int)
WEFT_MAKE_4(longlong4_32a, long long int)
WEFT_MAKE_4(ulonglong4_32a, unsigned long long int)
WEFT_MAKE_4(double4_32a, double)

#undef WEFT_MAKE_ALL
#undef WEFT_MAKE_4
#undef WEFT_MAKE_3
#undef WEFT_MAKE_2
#undef WEFT_MAKE_1
#undef WEFT_MAKE

#endif
