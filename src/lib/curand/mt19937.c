/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MT19937: 8192 engines of eight columns each, an engine 2^2048 steps further
 * than the one before. A row of the output has one number of every column; in
 * 78 rows an engine gives its 624 words, in the order in which eight threads of
 * a GPU hold them.
 */
#include "convert.h"

#include <string.h>

#include "lib/common/clones.h"
#include "mt19937_jump.h"

enum {
    ENGINES = 8192,
    PER_ENGINE = 8, /* columns */
    COLUMNS = ENGINES * PER_ENGINE,
    ROWS = MT_N / PER_ENGINE,
    TILE = 64, /* engines */
};

struct twister {
    uint32_t x[MT_N];
    uint64_t round; /* how often all words have been made */
};

/* Which of its engine's words a column has in a row. Row 0 takes the words
 * `apart`; each of the eleven runs has seven words for each column. */
static uint32_t word_of(uint32_t row, uint32_t column)
{
    static const uint16_t apart[] = {0, 113, 170, 283, 340, 397, 510, 567};
    static const uint16_t runs[] = {1,   57,  114, 171, 227, 284,
                                    341, 398, 454, 511, 568};
    if (row == 0)
        return apart[column];
    return runs[(row - 1) / 7] + 7 * column + (row - 1) % 7;
}

static void next_round(struct twister *t)
{
    uint32_t x[2 * MT_N];
    memcpy(x, t->x, sizeof t->x);
    mt_extend(x, MT_N);
    memcpy(t->x, x + MT_N, sizeof t->x);
    t->round++;
}

static uint32_t temper_word(uint32_t y)
{
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

/* ---- seeding ---------------------------------------------------------- */

struct seeding {
    struct twister *engines;
    uint32_t seed;
    uint32_t first_tile;
};

static void seed_first(uint32_t seed, uint32_t x[MT_N])
{
    x[0] = seed;
    for (uint32_t i = 1; i < MT_N; i++)
        x[i] = 1812433253u * (x[i - 1] ^ x[i - 1] >> 30) + i;
}

static void seed_tiles(const void *args, uint64_t first, uint64_t end)
{
    const struct seeding *s = args;
    for (uint64_t tile = first + s->first_tile; tile < end + s->first_tile;
         tile++) {
        struct twister *t = s->engines + tile * TILE;
        uint32_t x[MT_N];
        seed_first(s->seed, x);
        for (unsigned i = 0; tile * TILE >> i; i++) {
            if (tile * TILE >> i & 1)
                mt_jump(x, i);
        }
        for (int i = 0; i < TILE; i++, t++) {
            memcpy(t->x, x, sizeof x);
            t->round = 0;
            if (i + 1 < TILE)
                mt_jump(x, 0);
        }
    }
}

static const struct native_kernel seed_kernel = {
    .name = "curand_seed_mt19937",
    .run = seed_tiles,
    .args_bytes = sizeof(struct seeding),
    .stack_bytes = 128 << 10,
};

/* ---- numbers ---------------------------------------------------------- */

struct drawing {
    struct twister *engines;
    char *out;
    uint64_t first, end; /* numbers, from the first row's first on */
    struct recipe recipe;
};

/* A tile's part of a row: numbers begin to end. */
static void draw_part(const struct drawing *d, uint64_t begin, uint64_t end)
{
    uint32_t raw[TILE * PER_ENGINE] __attribute__((aligned(64)));
    uint64_t row = begin / COLUMNS, size = form_bytes(d->recipe.form);
    for (uint64_t i = begin; i < end; i++) {
        uint32_t column = i % COLUMNS;
        struct twister *t = &d->engines[column / PER_ENGINE];
        while (t->round <= row / ROWS)
            next_round(t);
        raw[i - begin] =
            temper_word(t->x[word_of(row % ROWS, column % PER_ENGINE)]);
    }
    convert(&d->recipe, raw, d->out + (begin - d->first) * size, end - begin);
}

static void draw_tiles(const void *args, uint64_t first, uint64_t end)
{
    const struct drawing *d = args;
    const uint64_t width = TILE * PER_ENGINE;
    for (uint64_t t = first; t < end; t++) {
        uint64_t start = d->first / COLUMNS * COLUMNS + t * width;
        for (; start < d->end; start += COLUMNS) {
            uint64_t last = start + width;
            uint64_t begin = start > d->first ? start : d->first;
            if (last > d->end)
                last = d->end;
            if (begin < last)
                draw_part(d, begin, last);
        }
    }
}

static const struct native_kernel draw_kernel = {
    .name = "curand_draw_mt19937",
    .run = draw_tiles,
    .args_bytes = sizeof(struct drawing),
    .stack_bytes = 64 << 10,
};

/* ---- the engine ------------------------------------------------------- */

static uint32_t tiles_for(uint64_t end)
{
    uint64_t columns = end < COLUMNS ? end : COLUMNS;
    return (uint32_t)((columns + TILE * PER_ENGINE - 1) / (TILE * PER_ENGINE));
}

/* Engines are seeded when the first number is drawn from them. */
static curandStatus_t seed_up_to(curandGenerator_t g, uint32_t tiles)
{
    struct seeding s = {g->state, (uint32_t)g->seed,
                        g->tiles_seeded};
    if (tiles <= g->tiles_seeded)
        return CURAND_STATUS_SUCCESS;
    curandStatus_t status =
        generator_run(g, &seed_kernel, tiles - s.first_tile, &s);
    if (!status)
        g->tiles_seeded = tiles;
    return status;
}

static curandStatus_t prepare_engines(curandGenerator_t g)
{
    g->cursor = 0;
    g->tiles_seeded = 0;
    return generator_reserve(g, ENGINES * sizeof(struct twister));
}

static curandStatus_t draw_numbers(curandGenerator_t g, const struct request *r)
{
    struct drawing d = {
        .engines = g->state,
        .out = r->out,
        .first = g->cursor,
        .end = g->cursor + r->count,
    };
    curandStatus_t status = recipe_for(g, WORDS_HALF, r, &d.recipe);
    if (!status)
        status = seed_up_to(g, tiles_for(d.end));
    if (!status)
        status = generator_run(g, &draw_kernel, tiles_for(d.end), &d);
    if (status)
        return status;
    g->cursor = d.end;
    return finish_normals(g, &d.recipe, r, NULL);
}

const struct engine mt19937_engine = {
    .type = CURAND_RNG_PSEUDO_MT19937,
    .orders = ORDER_BEST | ORDER_DEFAULT | ORDER_LEGACY,
    .seed = prepare_engines,
    .draw = draw_numbers,
};
