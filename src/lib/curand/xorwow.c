/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XORWOW: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8/14,
 * 2003. A lane is a sequence that starts 2^67 steps further than the one
 * before: the xorshift's step is a matrix over GF(2), so powers of it jump
 * ahead.
 */
#include "lanes.h"

#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "lib/common/clones.h"

enum { WORDS = 6, V = 5, BITS = 32 * V, SPACING_LOG2 = 67, LANES_LOG2 = 12 };

static const uint32_t weyl = 362437;

/* Column i is what the matrix makes of bit i alone. */
struct matrix {
    uint32_t column[BITS][V];
};

static void step_state(uint32_t v[V])
{
    uint32_t t = v[0] ^ (v[0] >> 2);
    memmove(v, v + 1, (V - 1) * sizeof *v);
    v[V - 1] = v[V - 2] ^ (v[V - 2] << 4) ^ t ^ (t << 1);
}

static void multiply_vector(const struct matrix *m, uint32_t v[V])
{
    uint32_t result[V] = {0};
    for (int i = 0; i < BITS; i++) {
        uint32_t mask = -(v[i / 32] >> (i % 32) & 1);
        for (int k = 0; k < V; k++)
            result[k] ^= mask & m->column[i][k];
    }
    memcpy(v, result, sizeof result);
}

static void square_matrix(struct matrix *m)
{
    struct matrix result = *m;
    for (int i = 0; i < BITS; i++)
        multiply_vector(m, result.column[i]);
    *m = result;
}

static void one_step(struct matrix *m)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < BITS; i++) {
        m->column[i][i / 32] = 1u << (i % 32);
        step_state(m->column[i]);
    }
}

/* One step, two, four ...; one lane, two, four ...: for all generators. */
static struct matrix step_powers[64], lane_powers[LANES_LOG2];

static void make_powers(void)
{
    struct matrix m;
    one_step(&m);
    for (int i = 0; i < SPACING_LOG2 + LANES_LOG2; i++) {
        if (i < 64)
            step_powers[i] = m;
        if (i >= SPACING_LOG2)
            lane_powers[i - SPACING_LOG2] = m;
        square_matrix(&m);
    }
}

/* Moves a state n steps on. */
static void jump_ahead(uint32_t state[WORDS], uint64_t n)
{
    state[0] += weyl * (uint32_t)n;
    for (int i = 0; n >> i; i++) {
        if (n >> i & 1)
            multiply_vector(&step_powers[i], state + 1);
        if (i == 63)
            break;
    }
}

static void seed_state(uint64_t seed, uint32_t state[WORDS])
{
    uint32_t low = ((uint32_t)seed ^ 0xaad26b49u) * 1099087573u;
    uint32_t high = ((uint32_t)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    state[0] = 6615241u + high + low;
    state[1] = 123456789u + low;
    state[2] = 362436069u ^ low;
    state[3] = 521288629u + high;
    state[4] = 88675123u ^ high;
    state[5] = 5783321u + low;
}

static void seed_first(uint64_t seed, uint64_t skip, uint32_t state[WORDS])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_powers);
    seed_state(seed, state);
    jump_ahead(state, skip);
}

static void seed_alone(uint64_t seed, uint64_t lane, uint64_t skip,
                       uint32_t state[WORDS])
{
    seed_state(seed + lane * 3133713, state);
    jump_ahead(state, skip);
}

/* Lanes [n, 2n) of a tile from [0, n): v of each times the matrix. */
CLONES static void spread_lanes(const struct matrix *m, uint32_t *restrict from,
                                uint32_t *restrict to, uint32_t n)
{
    uint32_t *out = to;
    for (int k = 0; k < V; k++)
        memset(out + k * LANE_TILE, 0, n * sizeof *out);
    for (int i = 0; i < BITS; i++) {
        const uint32_t *v = from + i / 32 * LANE_TILE;
        for (int k = 0; k < V; k++) {
            uint32_t column = m->column[i][k];
            for (uint32_t j = 0; j < n; j++)
                out[k * LANE_TILE + j] ^= -(v[j] >> (i % 32) & 1) & column;
        }
    }
}

static void seed_tile(const uint32_t *first, uint64_t lane, uint32_t *tile)
{
    uint32_t state[WORDS];
    memcpy(state, first, sizeof state);
    for (int i = 0; lane >> i; i++) {
        if (lane >> i & 1)
            multiply_vector(&lane_powers[i], state + 1);
    }
    for (int k = 0; k < WORDS; k++)
        tile[k * LANE_TILE] = state[k];
    for (uint32_t n = 1, i = 0; n < LANE_TILE; n *= 2, i++)
        spread_lanes(&lane_powers[i], tile + LANE_TILE, tile + LANE_TILE + n,
                     n);
    for (uint32_t i = 1; i < LANE_TILE; i++)
        tile[i] = state[0];
}

/* A step of one lane: d is the Weyl sequence, a to f the xorshift's words. */
#define NEXT(d, a, b, c, e, f, out)          \
    do {                                     \
        uint32_t t_ = (a) ^ ((a) >> 2);      \
        (a) = (b), (b) = (c), (c) = (e);     \
        (e) = (f);                           \
        (f) ^= ((f) << 4) ^ t_ ^ (t_ << 1);  \
        (d) += weyl;                         \
        (out) = (d) + (f);                   \
    } while (0)

/* The next `count` words of n lanes; word k of lane i goes to out[PLACE]. */
#define DRAW(name, count, PLACE)                                               \
    CLONES static void name(uint32_t *restrict s, uint32_t *restrict out,      \
                            uint32_t n)                                        \
    {                                                                          \
        _Pragma("GCC ivdep") for (int i = 0; i < (int)n; i++) {                \
            uint32_t d = s[i], a = s[i + LANE_TILE], b = s[i + 2 * LANE_TILE]; \
            uint32_t c = s[i + 3 * LANE_TILE], e = s[i + 4 * LANE_TILE];       \
            uint32_t f = s[i + 5 * LANE_TILE];                                 \
            _Pragma("GCC unroll 4") for (int k = 0; k < count; k++)            \
                NEXT(d, a, b, c, e, f, out[PLACE]);                            \
            s[i] = d, s[i + LANE_TILE] = a, s[i + 2 * LANE_TILE] = b;          \
            s[i + 3 * LANE_TILE] = c, s[i + 4 * LANE_TILE] = e;                \
            s[i + 5 * LANE_TILE] = f;                                          \
        }                                                                      \
    }
DRAW(draw_1, 1, i)
DRAW(draw_2, 2, 2 * i + k)
DRAW(draw_4, 4, 4 * i + k)
DRAW(draw_column, LANE_ROWS, k *LANE_TILE + i)

static void draw_rows(uint32_t *s, uint32_t *out)
{
    draw_column(s, out, LANE_TILE);
}

#if defined(__x86_64__)
/* (f << 4) ^ f ^ t ^ (t << 1) of 16 lanes, and what NEXT does else. */
#define NEXT_512(d, a, b, c, e, f)                                             \
    do {                                                                       \
        __m512i t_ = _mm512_xor_si512(a, _mm512_srli_epi32(a, 2));             \
        __m512i u_ = _mm512_ternarylogic_epi64(t_, _mm512_slli_epi32(t_, 1),   \
                                               _mm512_slli_epi32(f, 4), 0x96); \
        (a) = (b), (b) = (c), (c) = (e), (e) = (f);                            \
        (f) = _mm512_xor_si512(f, u_);                                         \
        (d) = _mm512_add_epi32(d, _mm512_set1_epi32(weyl));                    \
    } while (0)

/* The product in unit_float() is exact, so that one rounding is left. */
__attribute__((target("avx512f"))) static void
floats_512(uint32_t *s, float *out, uint64_t stride)
{
    for (int i = 0; i < LANE_TILE; i += 16, out += 16) {
        __m512i v[WORDS];
        for (int k = 0; k < WORDS; k++)
            v[k] = _mm512_loadu_si512(s + k * LANE_TILE + i);
        _Pragma("GCC unroll 4") for (int k = 0; k < FLOAT_ROWS; k++)
        {
            NEXT_512(v[0], v[1], v[2], v[3], v[4], v[5]);
            __m512 x = _mm512_cvtepu32_ps(_mm512_add_epi32(v[0], v[5]));
            x = _mm512_fmadd_ps(x, _mm512_set1_ps(0x1p-32f),
                                _mm512_set1_ps(0x1p-33f));
            _mm512_stream_ps(out + (uint64_t)k * stride, x);
        }
        for (int k = 0; k < WORDS; k++)
            _mm512_storeu_si512(s + k * LANE_TILE + i, v[k]);
    }
}

static bool draw_floats(uint32_t *s, float *out, uint64_t stride)
{
    if ((uintptr_t)out % 64 || stride % 16 ||
        !__builtin_cpu_supports("avx512f"))
        return false;
    floats_512(s, out, stride);
    return true;
}
#else
static bool draw_floats(uint32_t *s, float *out, uint64_t stride)
{
    (void)s, (void)out, (void)stride;
    return false;
}
#endif

static void draw_words(uint32_t *s, unsigned words, uint32_t *out, uint32_t n)
{
    if (words == 1)
        draw_1(s, out, n);
    else if (words == 2)
        draw_2(s, out, n);
    else
        draw_4(s, out, n);
}

static uint32_t lanes_of(curandOrdering_t order)
{
    return order == CURAND_ORDERING_PSEUDO_DYNAMIC ? 2816 : 4096;
}

static const struct lanes xorwow_lanes = {
    .words = WORDS_MANY,
    .state_words = WORDS,
    .count = lanes_of,
    .seed_first = seed_first,
    .seed_tile = seed_tile,
    .seed_alone = seed_alone,
    .draw = draw_words,
    .draw_rows = draw_rows,
    .draw_floats = draw_floats,
};

static curandStatus_t seed_lanes(curandGenerator_t g)
{
    return lanes_seed(g, &xorwow_lanes);
}

static curandStatus_t draw_numbers(curandGenerator_t g, const struct request *r)
{
    return lanes_draw(g, &xorwow_lanes, r);
}

const struct engine xorwow_engine = {
    .type = CURAND_RNG_PSEUDO_XORWOW,
    .has_offset = true,
    .orders = ORDERS_USUAL | ORDER_SEEDED,
    .seed = seed_lanes,
    .draw = draw_numbers,
};
