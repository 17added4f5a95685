/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jumps in MRG32k3a: a step multiplies each half of the state by a matrix,
 * modulo a prime; squaring gives the matrix of a power of two.
 */
#ifndef CURAND_MRG32K3A_MATRICES_H_
#define CURAND_MRG32K3A_MATRICES_H_

#include "curand_globals.h"

#define MRG32K3A_MOD1 4294967087.
#define MRG32K3A_MOD2 4294944443.
#define MRG32K3A_A12 1403580.
#define MRG32K3A_A13N 810728.
#define MRG32K3A_A21 527612.
#define MRG32K3A_A23N 1370589.
#define MRG32K3A_NORM (2.3283065498378288e-10)
#define MRG32K3A_BITS_NORM 1.000000048662

/* Product of one row with the vector, modulo mod. Each product is below 2^64,
 * the sum of three is not. */
QUALIFIERS unsigned int __weft_mrg_dot(const unsigned int *row, unsigned int x,
                                       unsigned int y, unsigned int z,
                                       unsigned int mod)
{
    return (unsigned int)(((unsigned long long)row[0] * x % mod +
                           (unsigned long long)row[1] * y % mod +
                           (unsigned long long)row[2] * z % mod) %
                          mod);
}

QUALIFIERS void __weft_mrg_apply(const unsigned int m[3][3], unsigned int s[3],
                                 unsigned int mod)
{
    unsigned int x = s[0], y = s[1], z = s[2];
    for (int i = 0; i < 3; i++)
        s[i] = __weft_mrg_dot(m[i], x, y, z, mod);
}

QUALIFIERS void __weft_mrg_square(unsigned int m[3][3], unsigned int mod)
{
    unsigned int old[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            old[i][j] = m[i][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] =
                __weft_mrg_dot(old[i], old[0][j], old[1][j], old[2][j], mod);
}

/* s becomes m^n s. */
QUALIFIERS void __weft_mrg_jump(unsigned int m[3][3], unsigned long long n,
                                unsigned int s[3], unsigned int mod)
{
    for (; n; n >>= 1) {
        if (n & 1)
            __weft_mrg_apply(m, s, mod);
        if (n > 1)
            __weft_mrg_square(m, mod);
    }
}

#endif
