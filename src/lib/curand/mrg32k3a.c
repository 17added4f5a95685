/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MRG32k3a: L'Ecuyer, "Good parameters and implementations for combined
 * multiple recursive random number generators", Operations Research 47/1, 1999.
 * A lane starts 2^76 steps further than the one before.
 */
#include "lanes.h"

#include <pthread.h>
#include <string.h>

#include "lib/common/clones.h"

enum { WORDS = 6, SPACING_LOG2 = 76, LANES_LOG2 = 20, STEPS_LOG2 = 64 };

#define MOD_1 4294967087u
#define MOD_2 4294944443u
#define A12 1403580u
#define A13N 810728u
#define A21 527612u
#define A23N 1370589u

/* A step of both components; s = A s modulo mod. */
struct matrix {
    uint32_t of[2][3][3];
};

static const struct matrix one_step = {{
    {{0, 1, 0}, {0, 0, 1}, {MOD_1 - A13N, A12, 0}},
    {{0, 1, 0}, {0, 0, 1}, {MOD_2 - A23N, 0, A21}},
}};

/* The sum of three products does not fit 64 bits: each is reduced. m is a
 * constant once this is inlined. */
static inline __attribute__((always_inline)) uint32_t
dot_modulo(const uint32_t a[3], uint32_t x, uint32_t y, uint32_t z, uint32_t m)
{
    return ((uint64_t)a[0] * x % m + (uint64_t)a[1] * y % m +
            (uint64_t)a[2] * z % m) %
           m;
}

static inline __attribute__((always_inline)) void
multiply_half(const uint32_t m[3][3], uint32_t s[3], uint32_t mod)
{
    uint32_t x = s[0], y = s[1], z = s[2];
    for (int i = 0; i < 3; i++)
        s[i] = dot_modulo(m[i], x, y, z, mod);
}

static void multiply_vector(const struct matrix *m, uint32_t state[WORDS])
{
    multiply_half(m->of[0], state, MOD_1);
    multiply_half(m->of[1], state + 3, MOD_2);
}

static void square_half(uint32_t m[3][3], uint32_t mod)
{
    uint32_t r[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            r[i][j] = dot_modulo(m[i], m[0][j], m[1][j], m[2][j], mod);
    }
    memcpy(m, r, sizeof r);
}

static void square_matrix(struct matrix *m)
{
    square_half(m->of[0], MOD_1);
    square_half(m->of[1], MOD_2);
}

static struct matrix lane_powers[LANES_LOG2];

static void make_lane_powers(void)
{
    struct matrix m = one_step;
    for (int i = 0; i < SPACING_LOG2; i++)
        square_matrix(&m);
    for (int i = 0; i < LANES_LOG2; i++) {
        lane_powers[i] = m;
        square_matrix(&m);
    }
}

static void jump_ahead(uint32_t state[WORDS], uint64_t n)
{
    struct matrix m = one_step;
    for (; n; n >>= 1) {
        if (n & 1)
            multiply_vector(&m, state);
        square_matrix(&m);
    }
}

static void seed_first(uint64_t seed, uint64_t skip, uint32_t state[WORDS])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const uint32_t start = 12345;
    pthread_once(&once, make_lane_powers);
    for (int i = 0; i < WORDS; i++)
        state[i] = start;
    if (seed) {
        uint32_t low = (uint32_t)seed ^ 0x55555555u;
        uint32_t high = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;
        for (int i = 0; i < WORDS; i++) {
            uint64_t by = (i % 3 == 1) == (i / 3 == 0) ? high : low;
            state[i] = by * start % (i < 3 ? MOD_1 : MOD_2);
        }
    }
    jump_ahead(state, skip);
}

static void seed_tile(const uint32_t *first, uint64_t lane, uint32_t *tile)
{
    uint32_t state[WORDS];
    memcpy(state, first, sizeof state);
    for (int i = 0; lane >> i; i++) {
        if (lane >> i & 1)
            multiply_vector(&lane_powers[i], state);
    }
    for (uint32_t i = 0; i < LANE_TILE; i++) {
        for (int k = 0; k < WORDS; k++)
            tile[k * LANE_TILE + i] = state[k];
        multiply_vector(&lane_powers[0], state);
    }
}

/* 2^32 is 209 modulo the first modulus, and 22853 modulo the second. */
static inline uint32_t reduce_1(uint64_t x)
{
    x = (x >> 32) * 209u + (uint32_t)x;
    return x >= MOD_1 ? x - MOD_1 : x;
}

static inline uint32_t reduce_2(uint64_t x)
{
    x = (x >> 32) * 22853u + (uint32_t)x;
    x = (x >> 32) * 22853u + (uint32_t)x;
    return x >= MOD_2 ? x - MOD_2 : x;
}

#define DRAW(count)                                                           \
    CLONES static void draw_##count(uint32_t *restrict s,                     \
                                    uint32_t *restrict out, uint32_t n)       \
    {                                                                         \
        uint32_t *restrict a = s, *restrict b = s + LANE_TILE;                \
        uint32_t *restrict c = s + 2 * LANE_TILE;                             \
        uint32_t *restrict d = s + 3 * LANE_TILE;                             \
        uint32_t *restrict e = s + 4 * LANE_TILE;                             \
        uint32_t *restrict f = s + 5 * LANE_TILE;                             \
        _Pragma("GCC ivdep") for (uint32_t i = 0; i < n; i++) {               \
            _Pragma("GCC unroll 2") for (int k = 0; k < count; k++) {         \
                uint32_t x = reduce_1((uint64_t)A12 * b[i] +                  \
                                      (uint64_t)A13N * (MOD_1 - a[i]));       \
                a[i] = b[i], b[i] = c[i], c[i] = x;                           \
                uint32_t y = reduce_2((uint64_t)A21 * f[i] +                  \
                                      (uint64_t)A23N * (MOD_2 - d[i]));       \
                d[i] = e[i], e[i] = f[i], f[i] = y;                           \
                out[count * i + k] = x - y + (x <= y ? MOD_1 : 0);            \
            }                                                                 \
        }                                                                     \
    }
DRAW(1)
DRAW(2)

static void draw_words(uint32_t *s, unsigned words, uint32_t *out, uint32_t n)
{
    if (words == 1)
        draw_1(s, out, n);
    else
        draw_2(s, out, n);
}

static uint32_t lanes_of(curandOrdering_t order)
{
    if (order == CURAND_ORDERING_PSEUDO_LEGACY)
        return 4096;
    return order == CURAND_ORDERING_PSEUDO_DYNAMIC ? 270336 : 81920;
}

static const struct lanes mrg_lanes = {
    .words = WORDS_MRG,
    .state_words = WORDS,
    .count = lanes_of,
    .seed_first = seed_first,
    .seed_tile = seed_tile,
    .draw = draw_words,
};

static curandStatus_t seed_lanes(curandGenerator_t g)
{
    return lanes_seed(g, &mrg_lanes);
}

static curandStatus_t draw_numbers(curandGenerator_t g, const struct request *r)
{
    return lanes_draw(g, &mrg_lanes, r);
}

const struct engine mrg_engine = {
    .type = CURAND_RNG_PSEUDO_MRG32K3A,
    .has_offset = true,
    .orders = ORDERS_USUAL,
    .seed = seed_lanes,
    .draw = draw_numbers,
};
