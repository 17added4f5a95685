/* SPDX-License-Identifier: Apache-2.0 */
/* Integer functions, bits, and values seen as another type. */
#include "device.h"

int __nv_abs(int a)
{
    return a < 0 ? (int)-(unsigned)a : a;
}

long long __nv_llabs(long long a)
{
    return a < 0 ? (long long)-(unsigned long long)a : a;
}

#define MINMAX(min_name, max_name, type)                                       \
    type min_name(type a, type b)                                              \
    {                                                                          \
        return a < b ? a : b;                                                  \
    }                                                                          \
    type max_name(type a, type b)                                              \
    {                                                                          \
        return a > b ? a : b;                                                  \
    }
MINMAX(__nv_min, __nv_max, int)
MINMAX(__nv_umin, __nv_umax, unsigned)
MINMAX(__nv_llmin, __nv_llmax, long long)
MINMAX(__nv_ullmin, __nv_ullmax, unsigned long long)

int __nv_brev(int a)
{
    return (int)__builtin_bitreverse32((unsigned)a);
}

long long __nv_brevll(long long a)
{
    return (long long)__builtin_bitreverse64((unsigned long long)a);
}

int __nv_clz(int a)
{
    return a ? __builtin_clz((unsigned)a) : 32;
}

int __nv_clzll(long long a)
{
    return a ? __builtin_clzll((unsigned long long)a) : 64;
}

int __nv_ffs(int a)
{
    return a ? __builtin_ctz((unsigned)a) + 1 : 0;
}

int __nv_ffsll(long long a)
{
    return a ? __builtin_ctzll((unsigned long long)a) + 1 : 0;
}

int __nv_popc(unsigned a)
{
    return __builtin_popcount(a);
}

int __nv_popcll(unsigned long long a)
{
    return __builtin_popcountll(a);
}

/* prmt's selectors have a fourth bit, which CUDA's function ignores. */
int __nv_byte_perm(int a, int b, int selector)
{
    return (int)__nvvm_prmt((unsigned)a, (unsigned)b,
                            (unsigned)selector & 0x7777u);
}

/* 24-bit products, sign-extended or zero-extended. */
int __nv_mul24(int a, int b)
{
    return (int)((unsigned)((int)((unsigned)a << 8) >> 8) *
                 (unsigned)((int)((unsigned)b << 8) >> 8));
}

unsigned __nv_umul24(unsigned a, unsigned b)
{
    return (a & 0xffffffu) * (b & 0xffffffu);
}

int __nv_mulhi(int a, int b)
{
    return (int)(((long long)a * b) >> 32);
}

unsigned __nv_umulhi(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a * b) >> 32);
}

long long __nv_mul64hi(long long a, long long b)
{
    return (long long)(((__int128)a * b) >> 64);
}

unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}

unsigned __nv_sad(int a, int b, unsigned c)
{
    return c + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a);
}

unsigned __nv_usad(unsigned a, unsigned b, unsigned c)
{
    return c + (a > b ? a - b : b - a);
}

/* Averages that cannot overflow, rounded down and (r) up. */
int __nv_hadd(int a, int b)
{
    return (a & b) + ((a ^ b) >> 1);
}

int __nv_rhadd(int a, int b)
{
    return (a | b) - ((a ^ b) >> 1);
}

unsigned __nv_uhadd(unsigned a, unsigned b)
{
    return (a & b) + ((a ^ b) >> 1);
}

unsigned __nv_urhadd(unsigned a, unsigned b)
{
    return (a | b) - ((a ^ b) >> 1);
}

int __nv_float_as_int(float a)
{
    return (int)bits32(a);
}

unsigned __nv_float_as_uint(float a)
{
    return bits32(a);
}

float __nv_int_as_float(int a)
{
    return float32((unsigned)a);
}

float __nv_uint_as_float(unsigned a)
{
    return float32(a);
}

unsigned long long __nv_double_as_longlong(double a)
{
    return bits64(a);
}

double __nv_longlong_as_double(long long a)
{
    return float64((unsigned long long)a);
}

int __nv_double2hiint(double a)
{
    return (int)(bits64(a) >> 32);
}

int __nv_double2loint(double a)
{
    return (int)bits64(a);
}

double __nv_hiloint2double(int hi, int lo)
{
    return float64((unsigned long long)(unsigned)hi << 32 | (unsigned)lo);
}
