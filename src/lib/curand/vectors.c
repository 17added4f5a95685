/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Direction vectors. joe-kuo.bin has the table new-joe-kuo-6 of Joe & Kuo
 * (LICENSE.joe-kuo): of each dimension from the second on the polynomial's
 * inner coefficients and m_2, m_3 ..., without their lowest bits, which are 1.
 *
 * A scrambled set is the plain one times a lower triangular matrix for each
 * dimension, and a constant. The matrices look random and no rule for them is
 * known; scrambles.bin has NVIDIA's constants, and the first SCRAMBLES_KNOWN
 * of their matrices. Those of further dimensions are our own.
 */
#include "vectors.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 64, SCRAMBLES_KNOWN = 1000 };

__asm__(".section .rodata\n"
        ".balign 8\n"
        "joe_kuo: .incbin \"" CURAND_DATA "/joe-kuo.bin\"\n"
        ".balign 8\n"
        "scrambles: .incbin \"" CURAND_DATA "/scrambles.bin\"\n"
        ".previous\n");
extern const uint8_t joe_kuo[] __attribute__((visibility("hidden")));
extern const uint64_t scrambles[] __attribute__((visibility("hidden")));

/* ---- reading ---------------------------------------------------------- */

struct bits {
    const uint8_t *bytes;
    uint64_t at;
};

static uint64_t take_bits(struct bits *b, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++, b->at++)
        value |= (uint64_t)(b->bytes[b->at / 8] >> (b->at % 8) & 1) << i;
    return value;
}

/* ---- the plain vectors ------------------------------------------------ */

typedef uint64_t vectors64[BITS];

/* Continues the first `degree` vectors by the recurrence of a polynomial of
 * that degree with the inner coefficients a. */
static void extend_vectors(uint64_t *v, unsigned degree, uint64_t a)
{
    for (unsigned k = degree; k < BITS; k++) {
        v[k] = v[k - degree] ^ v[k - degree] >> degree;
        for (unsigned j = 1; j < degree; j++)
            v[k] ^= -(a >> (degree - 1 - j) & 1) & v[k - j];
    }
}

static void read_dimension(struct bits *b, unsigned degree, uint64_t *v)
{
    uint64_t a = take_bits(b, degree - 1);
    for (unsigned k = 0; k < degree; k++)
        v[k] = (take_bits(b, k) << 1 | 1) << (BITS - 1 - k);
    extend_vectors(v, degree, a);
}

static void make_plain(vectors64 *out)
{
    /* Primitive polynomials of the degrees 1, 2 ...: all, in their order. */
    static const uint16_t polynomials[] = {1,  1,   2,   2,   6,   6,
                                           18, 16,  48,  60,  176, 144,
                                           630, 756, 1800, 2048, 7710, 7776};
    struct bits b = {.bytes = joe_kuo};
    unsigned degree = 1, used = 0;
    for (unsigned k = 0; k < BITS; k++)
        out[0][k] = 1ull << (BITS - 1 - k);
    for (unsigned d = 1; d < DIMENSIONS_MAX; d++) {
        if (used == polynomials[degree - 1])
            degree++, used = 0;
        read_dimension(&b, degree, out[d]);
        used++;
    }
}

/* ---- scrambling ------------------------------------------------------- */

static uint64_t mix_bits(uint64_t x) /* splitmix64's */
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* Column k has a one on the diagonal and anything below. */
static uint64_t scramble_column(struct bits *b, unsigned dimension, unsigned k)
{
    uint64_t below;
    if (dimension < SCRAMBLES_KNOWN)
        below = take_bits(b, BITS - 1 - k);
    else
        below = k == BITS - 1 ? 0
                              : mix_bits((dimension * 64ull + k + 1) *
                                         0x9e3779b97f4a7c15ull) >>
                                    (k + 1);
    return 1ull << (BITS - 1 - k) | below;
}

static void make_scrambled(const vectors64 *plain, vectors64 *out)
{
    struct bits b = {.bytes = (const uint8_t *)(scrambles + DIMENSIONS_MAX)};
    for (unsigned d = 0; d < DIMENSIONS_MAX; d++) {
        uint64_t columns[BITS];
        for (unsigned k = 0; k < BITS; k++)
            columns[k] = scramble_column(&b, d, k);
        for (unsigned k = 0; k < BITS; k++) {
            out[d][k] = 0;
            for (uint64_t v = plain[d][k]; v; v &= v - 1)
                out[d][k] ^= columns[BITS - 1 - __builtin_ctzll(v)];
        }
    }
}

/* ---- sets ------------------------------------------------------------- */

enum { PLAIN, SCRAMBLED };

static vectors64 *wide[2];
static curandDirectionVectors32_t *narrow[2];
static uint32_t narrow_constants[DIMENSIONS_MAX];

static void make_narrow(const vectors64 *from, curandDirectionVectors32_t *out)
{
    for (unsigned d = 0; d < DIMENSIONS_MAX; d++) {
        for (unsigned k = 0; k < 32; k++)
            out[d][k] = from[d][k] >> 32;
    }
}

static bool make_set(int i)
{
    wide[i] = malloc(DIMENSIONS_MAX * sizeof **wide);
    narrow[i] = malloc(DIMENSIONS_MAX * sizeof **narrow);
    if (!wide[i] || !narrow[i]) {
        free(wide[i]), free(narrow[i]);
        return false;
    }
    if (i == PLAIN)
        make_plain(wide[i]);
    else
        make_scrambled(wide[PLAIN], wide[i]);
    make_narrow(wide[i], narrow[i]);
    return true;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool make_to(int i)
{
    static bool made[2];
    bool ok = true;
    pthread_mutex_lock(&lock);
    for (int k = 0; k <= i && ok; k++) {
        if (!made[k])
            ok = made[k] = make_set(k);
    }
    for (int d = 0; d < DIMENSIONS_MAX; d++)
        narrow_constants[d] = scrambles[d] >> 32;
    pthread_mutex_unlock(&lock);
    return ok;
}

const struct vector_set *vectors_of(curandRngType_t type)
{
    static struct vector_set sets[4];
    int i = type - CURAND_RNG_QUASI_SOBOL32;
    if (!make_to(i & 1))
        return NULL;
    pthread_mutex_lock(&lock);
    sets[0].vectors = narrow[PLAIN];
    sets[1] = (struct vector_set){narrow[SCRAMBLED], narrow_constants};
    sets[2].vectors = wide[PLAIN];
    sets[3] = (struct vector_set){wide[SCRAMBLED], scrambles};
    pthread_mutex_unlock(&lock);
    return &sets[i];
}

/* ---- the API ---------------------------------------------------------- */

curandStatus_t
curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                            curandDirectionVectorSet_t set)
{
    int i = set - CURAND_DIRECTION_VECTORS_32_JOEKUO6;
    if (!vectors || i < 0 || i > 1)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (!make_to(i))
        return CURAND_STATUS_ALLOCATION_FAILED;
    *vectors = narrow[i];
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t
curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                            curandDirectionVectorSet_t set)
{
    int i = set - CURAND_DIRECTION_VECTORS_64_JOEKUO6;
    if (!vectors || i < 0 || i > 1)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (!make_to(i))
        return CURAND_STATUS_ALLOCATION_FAILED;
    *vectors = (curandDirectionVectors64_t *)wide[i];
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetScrambleConstants32(unsigned int **constants)
{
    if (!constants)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (!make_to(PLAIN))
        return CURAND_STATUS_ALLOCATION_FAILED;
    *constants = narrow_constants;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetScrambleConstants64(unsigned long long **constants)
{
    if (!constants)
        return CURAND_STATUS_OUT_OF_RANGE;
    *constants = (unsigned long long *)scrambles;
    return CURAND_STATUS_SUCCESS;
}
