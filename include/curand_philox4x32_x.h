/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
 * as 1, 2, 3", SC 2011. The state has the block of the present counter ready.
 */
#ifndef CURAND_PHILOX4X32_X__H_
#define CURAND_PHILOX4X32_X__H_

#include "curand_globals.h"

#define PHILOX_W32_0 (0x9E3779B9)
#define PHILOX_W32_1 (0xBB67AE85)
#define PHILOX_M4x32_0 (0xD2511F53)
#define PHILOX_M4x32_1 (0xCD9E8D57)

struct curandStatePhilox4_32_10 {
    uint4 ctr;
    uint4 output;
    uint2 key;
    unsigned int STATE; /* words of `output` that are taken: 0 to 3 */
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/* Moves the counter on by n. It has 128 bits, the upper half of which is the
 * subsequence. */
QUALIFIERS void Philox_State_Incr(curandStatePhilox4_32_10_t *s,
                                  unsigned long long n)
{
    unsigned long long low = (unsigned long long)s->ctr.y << 32 | s->ctr.x;
    unsigned long long high = (unsigned long long)s->ctr.w << 32 | s->ctr.z;
    low += n;
    high += low < n;
    s->ctr.x = (unsigned int)low;
    s->ctr.y = (unsigned int)(low >> 32);
    s->ctr.z = (unsigned int)high;
    s->ctr.w = (unsigned int)(high >> 32);
}

QUALIFIERS void Philox_State_Incr_hi(curandStatePhilox4_32_10_t *s,
                                     unsigned long long n)
{
    unsigned long long high = (unsigned long long)s->ctr.w << 32 | s->ctr.z;
    high += n;
    s->ctr.z = (unsigned int)high;
    s->ctr.w = (unsigned int)(high >> 32);
}

QUALIFIERS void Philox_State_Incr(curandStatePhilox4_32_10_t *s)
{
    Philox_State_Incr(s, 1);
}

QUALIFIERS unsigned int mulhilo32(unsigned int a, unsigned int b,
                                  unsigned int *hip)
{
    unsigned long long product = (unsigned long long)a * b;
    *hip = (unsigned int)(product >> 32);
    return (unsigned int)product;
}

QUALIFIERS uint4 _philox4x32round(uint4 ctr, uint2 key)
{
    uint4 next;
    unsigned int high_x, high_z;
    next.w = mulhilo32(PHILOX_M4x32_0, ctr.x, &high_x);
    next.y = mulhilo32(PHILOX_M4x32_1, ctr.z, &high_z);
    next.x = high_z ^ ctr.y ^ key.x;
    next.z = high_x ^ ctr.w ^ key.y;
    return next;
}

QUALIFIERS uint4 curand_Philox4x32_10(uint4 c, uint2 k)
{
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int round = 0; round < 10; round++) {
        c = _philox4x32round(c, k);
        k.x += PHILOX_W32_0;
        k.y += PHILOX_W32_1;
    }
    return c;
}

#endif
