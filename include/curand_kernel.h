/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuRAND's device API: states that threads keep, and the numbers they give. All
 * of them are NVIDIA's, bit for bit; src/lib/curand says where the algorithms
 * are published.
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif

#ifndef __CUDACC_RTC__
#include <math.h>
#include <memory.h>
#include <stdlib.h>
#include <string.h>
#endif

#include "curand.h"
#include "curand_discrete.h"
#include "curand_globals.h"
#include "curand_mrg32k3a.h"
#include "curand_mtgp32_kernel.h"
#include "curand_philox4x32_x.h"
#include "curand_precalc.h"

/* ---- states ----------------------------------------------------------- */

/* The test generator: a counter that starts at 3 * seed; subsequences are
 * 31337 apart. */
struct curandStateTest {
    unsigned int v;
};
typedef struct curandStateTest curandStateTest_t;

/* boxmuller_*: the second normal of a pair, kept if its flag is set. */
struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

#define EXTRA_FLAG_NORMAL 0x00000001
#define EXTRA_FLAG_LOG_NORMAL 0x00000002

struct curandStateMRG32k3a {
    unsigned int s1[3];
    unsigned int s2[3];
    int boxmuller_flag;
    int boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

/* i: number of the next point; x: the point's bits; c: the scramble constant
 * that is applied to all points. */
struct curandStateSobol32 {
    unsigned int i, x, c;
    unsigned int direction_vectors[32];
};
typedef struct curandStateSobol32 curandStateSobol32_t;

struct curandStateScrambledSobol32 {
    unsigned int i, x, c;
    unsigned int direction_vectors[32];
};
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;

struct curandStateSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};
typedef struct curandStateSobol64 curandStateSobol64_t;

struct curandStateScrambledSobol64 {
    unsigned long long i, x, c;
    unsigned long long direction_vectors[64];
};
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

template <typename S>
QUALIFIERS void __weft_forget_normals(S *state)
{
    state->boxmuller_flag = 0;
    state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0.f;
    state->boxmuller_extra_double = 0.;
}

/* ---- the test generator ----------------------------------------------- */

QUALIFIERS void curand_init(unsigned long long seed,
                            unsigned long long subsequence,
                            unsigned long long offset, curandStateTest_t *state)
{
    state->v = (unsigned int)(seed * 3 + subsequence * 31337 + offset);
}

QUALIFIERS unsigned int curand(curandStateTest_t *state)
{
    return state->v++;
}

QUALIFIERS void skipahead(unsigned long long n, curandStateTest_t *state)
{
    state->v += (unsigned int)n;
}

/* ---- XORWOW ----------------------------------------------------------- */

QUALIFIERS void __weft_xorshift(unsigned int v[5])
{
    unsigned int t = v[0] ^ (v[0] >> 2);
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = v[3] ^ (v[3] << 4) ^ t ^ (t << 1);
}

/* Goes 2^log2_steps steps ahead: sums up the states that a polynomial
 * names. */
QUALIFIERS void __weft_xorshift_jump(unsigned int v[5], int log2_steps)
{
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    for (int word = 0; word < 5; word++) {
        unsigned int bits = weft_xorwow_powers[log2_steps][word];
        for (int i = 0; i < 32; i++, bits >>= 1) {
            unsigned int mask = 0u - (bits & 1);
            for (int k = 0; k < 5; k++)
                sum[k] ^= v[k] & mask;
            __weft_xorshift(v);
        }
    }
    for (int k = 0; k < 5; k++)
        v[k] = sum[k];
}

QUALIFIERS void __weft_xorshift_skip(unsigned int v[5], unsigned long long n,
                                     int log2_unit)
{
    for (int i = 0; n; n >>= 1, i++)
        if (n & 1)
            __weft_xorshift_jump(v, log2_unit + i);
}

QUALIFIERS void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    __weft_xorshift_skip(state->v, n, 0);
    state->d += 362437 * (unsigned int)n;
}

/* Goes n * 2^67 steps ahead; that is a multiple of the period of d, which
 * stays. */
QUALIFIERS void skipahead_sequence(unsigned long long n,
                                   curandStateXORWOW_t *state)
{
    __weft_xorshift_skip(state->v, n, XORWOW_SEQUENCE_SPACING);
}

QUALIFIERS void curand_init(unsigned long long seed,
                            unsigned long long subsequence,
                            unsigned long long offset,
                            curandStateXORWOW_t *state)
{
    unsigned int low = ((unsigned int)seed ^ 0xaad26b49u) * 1099087573u;
    unsigned int high =
        ((unsigned int)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    state->d = 6615241u + high + low;
    state->v[0] = 123456789u + low;
    state->v[1] = 362436069u ^ low;
    state->v[2] = 521288629u + high;
    state->v[3] = 88675123u ^ high;
    state->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    __weft_forget_normals(state);
}

QUALIFIERS unsigned int curand(curandStateXORWOW_t *state)
{
    __weft_xorshift(state->v);
    state->d += 362437;
    return state->v[4] + state->d;
}

/* ---- Philox ----------------------------------------------------------- */

QUALIFIERS void __weft_philox_refresh(curandStatePhilox4_32_10_t *state)
{
    state->output = curand_Philox4x32_10(state->ctr, state->key);
}

QUALIFIERS void skipahead(unsigned long long n,
                          curandStatePhilox4_32_10_t *state)
{
    unsigned int words = state->STATE + (unsigned int)(n & 3);
    state->STATE = words & 3;
    Philox_State_Incr(state, n / 4 + (words >> 2));
    __weft_philox_refresh(state);
}

QUALIFIERS void skipahead_sequence(unsigned long long n,
                                   curandStatePhilox4_32_10_t *state)
{
    Philox_State_Incr_hi(state, n);
    __weft_philox_refresh(state);
}

QUALIFIERS void curand_init(unsigned long long seed,
                            unsigned long long subsequence,
                            unsigned long long offset,
                            curandStatePhilox4_32_10_t *state)
{
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key.x = (unsigned int)seed;
    state->key.y = (unsigned int)(seed >> 32);
    state->STATE = 0;
    Philox_State_Incr_hi(state, subsequence);
    skipahead(offset, state);
    __weft_forget_normals(state);
}

QUALIFIERS unsigned int __weft_word(uint4 v, unsigned int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t *state)
{
    unsigned int word = __weft_word(state->output, state->STATE);
    if (++state->STATE == 4) {
        Philox_State_Incr(state);
        __weft_philox_refresh(state);
        state->STATE = 0;
    }
    return word;
}

/* The next four words: from this counter's block and, where that runs out,
 * from the next. */
QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    uint4 a = state->output;
    Philox_State_Incr(state);
    __weft_philox_refresh(state);
    uint4 b = state->output;
    switch (state->STATE) {
    case 1:
        return make_uint4(a.y, a.z, a.w, b.x);
    case 2:
        return make_uint4(a.z, a.w, b.x, b.y);
    case 3:
        return make_uint4(a.w, b.x, b.y, b.z);
    default:
        return a;
    }
}

/* ---- MRG32k3a --------------------------------------------------------- */

/* The next number, from 1 to 2^32 - 209. */
QUALIFIERS double curand_MRG32k3a(curandStateMRG32k3a_t *state)
{
    const unsigned int m1 = 4294967087u, m2 = 4294944443u;
    unsigned long long p = 1403580ull * state->s1[1] +
                           810728ull * (m1 - state->s1[0]);
    unsigned long long q = 527612ull * state->s2[2] +
                           1370589ull * (m2 - state->s2[0]);
    /* 2^32 is 209 modulo m1, and 22853 modulo m2. */
    p = (p >> 32) * 209u + (unsigned int)p;
    q = (q >> 32) * 22853u + (unsigned int)q;
    q = (q >> 32) * 22853u + (unsigned int)q;
    unsigned int x = (unsigned int)(p >= m1 ? p - m1 : p);
    unsigned int y = (unsigned int)(q >= m2 ? q - m2 : q);
    state->s1[0] = state->s1[1];
    state->s1[1] = state->s1[2];
    state->s1[2] = x;
    state->s2[0] = state->s2[1];
    state->s2[1] = state->s2[2];
    state->s2[2] = y;
    return (double)(x <= y ? x - y + m1 : x - y);
}

QUALIFIERS unsigned int curand(curandStateMRG32k3a_t *state)
{
    return (unsigned int)(curand_MRG32k3a(state) * MRG32K3A_BITS_NORM);
}

QUALIFIERS void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
    unsigned int a[3][3] = {{0, 1, 0}, {0, 0, 1}, {4294156359u, 1403580u, 0}};
    unsigned int b[3][3] = {{0, 1, 0}, {0, 0, 1}, {4293573854u, 0, 527612u}};
    __weft_mrg_jump(a, n, state->s1, 4294967087u);
    __weft_mrg_jump(b, n, state->s2, 4294944443u);
}

/* Goes n * 2^76 steps ahead. */
QUALIFIERS void skipahead_subsequence(unsigned long long n,
                                      curandStateMRG32k3a_t *state)
{
    unsigned int a[3][3] = {{82758667u, 1871391091u, 4127413238u},
                            {3672831523u, 69195019u, 1871391091u},
                            {3672091415u, 3528743235u, 69195019u}};
    unsigned int b[3][3] = {{1511326704u, 3759209742u, 1610795712u},
                            {4292754251u, 1511326704u, 3889917532u},
                            {3859662829u, 4292754251u, 3708466080u}};
    __weft_mrg_jump(a, n, state->s1, 4294967087u);
    __weft_mrg_jump(b, n, state->s2, 4294944443u);
}

/* Goes n * 2^127 steps ahead. */
QUALIFIERS void skipahead_sequence(unsigned long long n,
                                   curandStateMRG32k3a_t *state)
{
    unsigned int a[3][3] = {{2427906178u, 3580155704u, 949770784u},
                            {226153695u, 1230515664u, 3580155704u},
                            {1988835001u, 986791581u, 1230515664u}};
    unsigned int b[3][3] = {{1464411153u, 277697599u, 1610723613u},
                            {32183930u, 1464411153u, 1022607788u},
                            {2824425944u, 32183930u, 2093834863u}};
    __weft_mrg_jump(a, n, state->s1, 4294967087u);
    __weft_mrg_jump(b, n, state->s2, 4294944443u);
}

QUALIFIERS void curand_init(unsigned long long seed,
                            unsigned long long subsequence,
                            unsigned long long offset,
                            curandStateMRG32k3a_t *state)
{
    const unsigned long long start = 12345;
    unsigned int low = (unsigned int)seed ^ 0x55555555u;
    unsigned int high = (unsigned int)(seed >> 32) ^ 0xAAAAAAAAu;
    if (seed == 0)
        low = high = 1;
    for (int i = 0; i < 3; i++) {
        unsigned int even = i == 1 ? high : low, odd = i == 1 ? low : high;
        state->s1[i] = (unsigned int)(even * start % 4294967087u);
        state->s2[i] = (unsigned int)(odd * start % 4294944443u);
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
    __weft_forget_normals(state);
}

/* ---- Sobol' ----------------------------------------------------------- */

QUALIFIERS int __weft_lowest_zero(unsigned int i)
{
    int at = __builtin_ffs((int)~i);
    return at ? at - 1 : 31;
}

QUALIFIERS int __weft_lowest_zero(unsigned long long i)
{
    int at = __builtin_ffsll((long long)~i);
    return at ? at - 1 : 63;
}

template <typename S, typename W>
QUALIFIERS void __weft_sobol_skip(W n, S *state, int bits)
{
    state->i += n;
    state->x = state->c;
    W gray = state->i ^ (state->i >> 1);
    for (int k = 0; k < bits; k++)
        if (gray >> k & 1)
            state->x ^= state->direction_vectors[k];
}

template <typename S, typename W>
QUALIFIERS void __weft_sobol_init(const W *vectors, W c, W offset, S *state,
                                  int bits)
{
    for (int k = 0; k < bits; k++)
        state->direction_vectors[k] = vectors[k];
    state->i = 0;
    state->c = c;
    __weft_sobol_skip<S, W>(offset, state, bits);
}

/* Points that follow each other in the Gray code differ in one bit's
 * vector. */
#define WEFT_SOBOL(state_t, word, bits)                         \
    QUALIFIERS void skipahead(word n, state_t *state)           \
    {                                                           \
        __weft_sobol_skip<state_t, word>(n, state, bits);       \
    }                                                           \
    QUALIFIERS word curand(state_t *state)                      \
    {                                                           \
        word x = state->x;                                      \
        int k = __weft_lowest_zero(state->i);                   \
        state->x ^= state->direction_vectors[k];                \
        state->i++;                                             \
        return x;                                               \
    }
WEFT_SOBOL(curandStateSobol32_t, unsigned int, 32)
WEFT_SOBOL(curandStateScrambledSobol32_t, unsigned int, 32)
WEFT_SOBOL(curandStateSobol64_t, unsigned long long, 64)
WEFT_SOBOL(curandStateScrambledSobol64_t, unsigned long long, 64)
#undef WEFT_SOBOL

QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors,
                            unsigned int offset, curandStateSobol32_t *state)
{
    __weft_sobol_init(direction_vectors, 0u, offset, state, 32);
}

QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors,
                            unsigned int scramble_c, unsigned int offset,
                            curandStateScrambledSobol32_t *state)
{
    __weft_sobol_init(direction_vectors, scramble_c, offset, state, 32);
}

QUALIFIERS void curand_init(curandDirectionVectors64_t direction_vectors,
                            unsigned long long offset,
                            curandStateSobol64_t *state)
{
    __weft_sobol_init(direction_vectors, 0ull, offset, state, 64);
}

QUALIFIERS void curand_init(curandDirectionVectors64_t direction_vectors,
                            unsigned long long scramble_c,
                            unsigned long long offset,
                            curandStateScrambledSobol64_t *state)
{
    __weft_sobol_init(direction_vectors, scramble_c, offset, state, 64);
}

#include "curand_uniform.h"

#include "curand_normal.h"

#include "curand_lognormal.h"

#include "curand_poisson.h"

#include "curand_discrete2.h"

#endif
