/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sobol' sequences: Joe & Kuo, "Constructing Sobol' sequences with better
 * two-dimensional projections", SIAM J. Sci. Comput. 30/5, 2008. Point n is
 * the sum over GF(2) of direction vectors where the Gray code of n has ones.
 * The output has all points of one dimension, then those of the next.
 */
#include "convert.h"
#include "vectors.h"

enum { PART = 512, TILE = 1 << 15 };

struct drawing {
    char *out;
    const void *vectors;   /* of all dimensions */
    const void *constants; /* or NULL */
    uint64_t first, points;
    uint64_t tiles; /* of one dimension */
    struct recipe recipe;
};

/* Numbers of one dimension, point by point: a step flips one vector. */
#define SEQUENCE(word, bits, lowest_zero)                                    \
    static word point_##bits(const word *v, word constant, uint64_t n)       \
    {                                                                        \
        word x = constant, gray = (word)(n ^ (word)n >> 1);                  \
        for (; gray; gray &= gray - 1)                                       \
            x ^= v[lowest_zero(gray)];                                       \
        return x;                                                            \
    }                                                                        \
    static void sequence_##bits(const word *v, word constant, uint64_t n,    \
                                word *restrict out, uint64_t count)          \
    {                                                                        \
        word x = point_##bits(v, constant, n);                               \
        for (uint64_t i = 0; i < count; i++) {                               \
            word all = ~(word)(n + i);                                       \
            out[i] = x;                                                      \
            x ^= v[all ? lowest_zero(all) : bits - 1];                       \
        }                                                                    \
    }
SEQUENCE(uint32_t, 32, __builtin_ctz)
SEQUENCE(uint64_t, 64, __builtin_ctzll)

static void draw_part(const struct drawing *d, uint64_t dimension,
                      uint64_t begin, uint64_t count)
{
    uint64_t raw[PART] __attribute__((aligned(64)));
    const uint32_t *v32 = (const uint32_t *)d->vectors + 32 * dimension;
    const uint64_t *v64 = (const uint64_t *)d->vectors + 64 * dimension;
    const uint32_t *c32 = d->constants;
    const uint64_t *c64 = d->constants;
    uint64_t at = dimension * d->points + begin;
    if (d->recipe.words == WORDS_WIDE)
        sequence_64(v64, c64 ? c64[dimension] : 0, d->first + begin, raw,
                    count);
    else
        sequence_32(v32, c32 ? c32[dimension] : 0, d->first + begin,
                    (uint32_t *)raw, count);
    convert(&d->recipe, raw,
            d->out + at * form_bytes(d->recipe.form), count);
}

static void draw_tiles(const void *args, uint64_t first, uint64_t end)
{
    const struct drawing *d = args;
    for (uint64_t t = first; t < end; t++) {
        uint64_t begin = t % d->tiles * TILE, last = begin + TILE;
        if (last > d->points)
            last = d->points;
        for (; begin < last; begin += PART)
            draw_part(d, t / d->tiles, begin,
                      last - begin < PART ? last - begin : PART);
    }
}

static const struct native_kernel draw_kernel = {
    .name = "curand_draw_sobol",
    .run = draw_tiles,
    .args_bytes = sizeof(struct drawing),
    .stack_bytes = 64 << 10,
};

static curandStatus_t draw_numbers(curandGenerator_t g, const struct request *r)
{
    const struct vector_set *set = vectors_of(g->engine->type);
    if (!set)
        return CURAND_STATUS_ALLOCATION_FAILED;
    struct drawing d = {
        .out = r->out,
        .vectors = set->vectors,
        .constants = set->constants,
        .first = g->cursor,
        .points = r->count / g->dimensions,
    };
    curandStatus_t status = recipe_for(
        g, g->engine->is_wide ? WORDS_WIDE : WORDS_SINGLE, r, &d.recipe);
    if (status)
        return status;
    d.tiles = (d.points + TILE - 1) / TILE;
    g->cursor += d.points;
    status = generator_run(g, &draw_kernel, d.tiles * g->dimensions, &d);
    return status ? status : finish_normals(g, &d.recipe, r, NULL);
}

#define ENGINE(name, its_type, wide)                                           \
    const struct engine name = {                                               \
        .type = its_type,                                                      \
        .has_offset = true,                                                    \
        .is_quasi = true,                                                      \
        .is_wide = wide,                                                       \
        .seed = generator_go_to_offset,                                        \
        .draw = draw_numbers,                                                  \
    };
ENGINE(sobol32_engine, CURAND_RNG_QUASI_SOBOL32, false)
ENGINE(scrambled32_engine, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, false)
ENGINE(sobol64_engine, CURAND_RNG_QUASI_SOBOL64, true)
ENGINE(scrambled64_engine, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, true)
