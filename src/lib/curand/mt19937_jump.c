/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jumps in the Mersenne Twister (Matsumoto & Nishimura, ACM TOMACS 8/1, 1998;
 * the jumps are after Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer,
 * INFORMS J. Comput. 20/3, 2008). All of its bit sequences obey one linear
 * recurrence of degree 19937. So x^steps modulo its polynomial says which of
 * the top bits ahead sum up to the top bits behind the jump; and 19937 top bits
 * in a row determine the state.
 */
#include "mt19937_jump.h"

#include <immintrin.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "lib/common/clones.h"

enum {
    DEGREE = 19937,
    WORDS = (DEGREE + 63) / 64, /* 64-bit words of so many bits */
    LONG = 2 * WORDS + 1,
    SPACING_LOG2 = 2048,
    POWERS = 13,
    TERMS_MAX = 1000,
};

static const uint32_t twist = 0x9908b0dfu;

CLONES static void extend_part(const uint32_t *restrict x,
                               uint32_t *restrict out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t y = (x[i] & 0x80000000u) | (x[i + 1] & 0x7fffffffu);
        out[i] = x[i + MT_M] ^ y >> 1 ^ (-(y & 1) & twist);
    }
}

void mt_extend(uint32_t *x, uint32_t n)
{
    const uint32_t step = MT_N - MT_M;
    for (uint32_t i = 0; i < n; i += step)
        extend_part(x + i, x + MT_N + i, n - i < step ? n - i : step);
}

/* ---- bit sequences ---------------------------------------------------- */

static inline bool bit_at(const uint64_t *b, uint32_t i)
{
    return b[i / 64] >> (i % 64) & 1;
}

static inline void flip_bit(uint64_t *b, uint32_t i)
{
    b[i / 64] ^= 1ull << (i % 64);
}

/* The 64 bits from i on. */
static inline uint64_t bits_from(const uint64_t *b, uint32_t i)
{
    uint64_t low = b[i / 64] >> (i % 64);
    return i % 64 ? low | b[i / 64 + 1] << (64 - i % 64) : low;
}

/* The top bits of n words, from the state's first on. */
static void top_bits(const uint32_t state[MT_N], uint64_t *out, uint32_t n)
{
    static _Thread_local uint32_t x[MT_N + 2 * DEGREE + 64];
    memcpy(x, state, MT_N * sizeof *x);
    mt_extend(x, n - MT_N);
    memset(out, 0, (n + 63) / 64 * sizeof *out);
    for (uint32_t i = 0; i < n; i++)
        out[i / 64] |= (uint64_t)(x[i] >> 31) << (i % 64);
}

/* The state whose sequence has these top bits. In the recurrence, x[n] ^ x[m]
 * has the lowest bit of x[1] on top, and the others one place lower. */
static void state_of(const uint64_t *top, uint32_t x[MT_N])
{
    uint64_t lowest[LONG], plane[LONG], next[LONG];
    memset(x, 0, MT_N * sizeof *x);
    memcpy(plane, top, WORDS * sizeof *plane);
    memset(plane + WORDS, 0, (LONG - WORDS) * sizeof *plane);
    for (uint32_t i = 0; i < MT_N; i++)
        x[i] = (uint32_t)bit_at(top, i) << 31;
    uint32_t left = DEGREE;
    for (int j = -1; j < 30; j++) {
        left -= MT_N - 1;
        memset(next, 0, sizeof next);
        for (uint32_t k = 0; k < left + 64 && k / 64 + 20 < LONG; k += 64) {
            uint64_t y =
                bits_from(plane, k + MT_N - 1) ^ bits_from(plane, k + MT_M - 1);
            if (j >= 0 && twist >> j & 1)
                y ^= lowest[k / 64];
            next[k / 64] = y;
        }
        memcpy(plane, next, sizeof plane);
        if (j < 0)
            memcpy(lowest, next, sizeof lowest);
        for (uint32_t i = 1; i < MT_N; i++)
            x[i] |= (uint32_t)bit_at(plane, i) << (j + 1);
    }
}

/* ---- polynomials ------------------------------------------------------ */

/* Exponents of the characteristic polynomial but the highest, falling. */
static uint16_t terms[TERMS_MAX];
static uint32_t term_count;
/* x^(2^2048 * 2^i) */
static uint64_t powers[POWERS][WORDS + 1];

/* a ^= b << shift, of n words of b. */
static void add_shifted(uint64_t *a, const uint64_t *b, uint32_t shift,
                        uint32_t n)
{
    uint32_t words = shift / 64, bits = shift % 64;
    for (uint32_t i = 0; i < n; i++) {
        a[words + i] ^= b[i] << bits;
        if (bits)
            a[words + i + 1] ^= b[i] >> (64 - bits);
    }
}

/* Berlekamp and Massey's algorithm, for the polynomial of the top bits. */
static void find_terms(void)
{
    static uint64_t s[LONG + 1], c[LONG + 1], b[LONG + 1], old[LONG + 1];
    static uint64_t past[LONG + 1]; /* the sequence so far, newest first */
    uint32_t x[MT_N], length = 0, gap = 1;
    for (uint32_t i = 0; i < MT_N; i++)
        x[i] = (i + 1) * 2654435761u;
    top_bits(x, s, 2 * DEGREE);
    c[0] = b[0] = 1;
    for (uint32_t i = 0; i < 2 * DEGREE; i++, gap++) {
        uint64_t sum = 0;
        uint32_t n = length / 64 + 1;
        for (uint32_t k = LONG - 1; k > 0; k--)
            past[k] = past[k] << 1 | past[k - 1] >> 63;
        past[0] = past[0] << 1 | bit_at(s, i);
        for (uint32_t k = 0; k < n; k++)
            sum ^= c[k] & past[k];
        if (!__builtin_parityll(sum))
            continue;
        memcpy(old, c, sizeof old);
        add_shifted(c, b, gap, WORDS);
        if (2 * length <= i) {
            length = i + 1 - length;
            memcpy(b, old, sizeof b);
            gap = 0;
        }
    }
    for (uint32_t i = 1; i <= DEGREE; i++) {
        if (bit_at(c, i))
            terms[term_count++] = (uint16_t)(DEGREE - i);
    }
}

/* a modulo the polynomial, a word at a time: the 200 terms below the highest
 * are zero. */
static void reduce_polynomial(uint64_t *a)
{
    for (uint32_t i = LONG - 1; i >= WORDS - 1; i--) {
        uint32_t base = i == WORDS - 1 ? DEGREE % 64 : 0;
        uint64_t w = a[i] >> base;
        a[i] ^= w << base;
        if (!w)
            continue;
        for (uint32_t t = 0; t < term_count; t++) {
            uint32_t at = 64 * i + base - DEGREE + terms[t];
            a[at / 64] ^= w << (at % 64);
            if (at % 64)
                a[at / 64 + 1] ^= w >> (64 - at % 64);
        }
    }
}

static uint64_t spread_bits(uint32_t x)
{
    uint64_t r = x;
    r = (r | r << 16) & 0x0000ffff0000ffffull;
    r = (r | r << 8) & 0x00ff00ff00ff00ffull;
    r = (r | r << 4) & 0x0f0f0f0f0f0f0f0full;
    r = (r | r << 2) & 0x3333333333333333ull;
    return (r | r << 1) & 0x5555555555555555ull;
}

static void square_polynomial(uint64_t *a)
{
    uint64_t r[LONG + 1] = {0};
    for (uint32_t i = 0; i < WORDS; i++) {
        r[2 * i] = spread_bits((uint32_t)a[i]);
        r[2 * i + 1] = spread_bits((uint32_t)(a[i] >> 32));
    }
    reduce_polynomial(r);
    memcpy(a, r, WORDS * sizeof *a);
}

static void make_powers(void)
{
    uint64_t a[WORDS + 1] = {2};
    find_terms();
    for (int i = 0; i < SPACING_LOG2; i++)
        square_polynomial(a);
    for (int i = 0; i < POWERS; i++) {
        memcpy(powers[i], a, sizeof a);
        square_polynomial(a);
    }
}

/* ---- sums ------------------------------------------------------------- */

/* Bit k of out is the sum of the bits k + i of `bits` where the polynomial has
 * x^i: a part of the product of `bits` and the reversed polynomial. */
__attribute__((target("pclmul,sse4.1"))) static void
sum_fast(const uint64_t *polynomial, const uint64_t *bits, uint64_t *out)
{
    uint64_t back[WORDS + 1] = {0}, product[LONG + 2] = {0};
    for (uint32_t i = 0; i < DEGREE; i++) {
        if (bit_at(polynomial, i))
            flip_bit(back, DEGREE - 1 - i);
    }
    for (uint32_t k = WORDS - 2; k < 2 * WORDS; k++) {
        __m128i sum = _mm_setzero_si128();
        for (uint32_t i = 0; i < WORDS; i++) {
            if (k < i)
                break;
            sum = _mm_xor_si128(
                sum, _mm_clmulepi64_si128(
                         _mm_cvtsi64_si128((int64_t)back[i]),
                         _mm_cvtsi64_si128((int64_t)bits[k - i]), 0));
        }
        product[k] ^= (uint64_t)_mm_cvtsi128_si64(sum);
        product[k + 1] ^= (uint64_t)_mm_extract_epi64(sum, 1);
    }
    for (uint32_t i = 0; i < WORDS; i++)
        out[i] = bits_from(product, DEGREE - 1 + 64 * i);
}

static void sum_plain(const uint64_t *polynomial, const uint64_t *bits,
                      uint64_t *out)
{
    memset(out, 0, WORDS * sizeof *out);
    for (uint32_t i = 0; i < DEGREE; i++) {
        for (uint32_t k = 0; bit_at(polynomial, i) && k < WORDS; k++)
            out[k] ^= bits_from(bits, i + 64 * k);
    }
}

void mt_jump(uint32_t x[MT_N], unsigned log2_times)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    uint64_t bits[LONG + 2] = {0}, jumped[WORDS + 1] = {0};
    pthread_once(&once, make_powers);
    top_bits(x, bits, 2 * DEGREE);
    if (__builtin_cpu_supports("pclmul"))
        sum_fast(powers[log2_times], bits, jumped);
    else
        sum_plain(powers[log2_times], bits, jumped);
    state_of(jumped, x);
}
