/* SPDX-License-Identifier: Apache-2.0 */
/*
 * min and max in the global namespace, for host and device alike, with the
 * mixes of types that nvcc has: int, long and long long each with its
 * unsigned twin (the result is then unsigned), float with double.
 */
#ifndef WEFT_DEVICE_MINMAX_H
#define WEFT_DEVICE_MINMAX_H

#define WEFT_HD static __host__ __device__ __forceinline__

/* clang's header has these two for the device. */
static __host__ __forceinline__ int min(int a, int b)
{
    return b < a ? b : a;
}
static __host__ __forceinline__ int max(int a, int b)
{
    return a < b ? b : a;
}

#define WEFT_MINMAX(result, left, right)                                       \
    WEFT_HD result min(left a, right b)                                        \
    {                                                                          \
        return (result)b < (result)a ? (result)b : (result)a;                  \
    }                                                                          \
    WEFT_HD result max(left a, right b)                                        \
    {                                                                          \
        return (result)a < (result)b ? (result)b : (result)a;                  \
    }
WEFT_MINMAX(unsigned int, unsigned int, unsigned int)
WEFT_MINMAX(unsigned int, int, unsigned int)
WEFT_MINMAX(unsigned int, unsigned int, int)
WEFT_MINMAX(long, long, long)
WEFT_MINMAX(unsigned long, unsigned long, unsigned long)
WEFT_MINMAX(unsigned long, long, unsigned long)
WEFT_MINMAX(unsigned long, unsigned long, long)
WEFT_MINMAX(long long, long long, long long)
WEFT_MINMAX(unsigned long long, unsigned long long, unsigned long long)
WEFT_MINMAX(unsigned long long, long long, unsigned long long)
WEFT_MINMAX(unsigned long long, unsigned long long, long long)
#undef WEFT_MINMAX

/* Of a number and a NaN the number is returned. */
WEFT_HD float min(float a, float b)
{
    return fminf(a, b);
}
WEFT_HD float max(float a, float b)
{
    return fmaxf(a, b);
}
WEFT_HD double min(double a, double b)
{
    return fmin(a, b);
}
WEFT_HD double max(double a, double b)
{
    return fmax(a, b);
}
WEFT_HD double min(float a, double b)
{
    return fmin((double)a, b);
}
WEFT_HD double max(float a, double b)
{
    return fmax((double)a, b);
}
WEFT_HD double min(double a, float b)
{
    return fmin(a, (double)b);
}
WEFT_HD double max(double a, float b)
{
    return fmax(a, (double)b);
}

#define WEFT_HOST static __host__ __forceinline__
WEFT_HOST unsigned int umin(unsigned int a, unsigned int b)
{
    return b < a ? b : a;
}
WEFT_HOST unsigned int umax(unsigned int a, unsigned int b)
{
    return a < b ? b : a;
}
WEFT_HOST long long llmin(long long a, long long b)
{
    return b < a ? b : a;
}
WEFT_HOST long long llmax(long long a, long long b)
{
    return a < b ? b : a;
}
WEFT_HOST unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return b < a ? b : a;
}
WEFT_HOST unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return a < b ? b : a;
}
#undef WEFT_HOST
#undef WEFT_HD

#endif
