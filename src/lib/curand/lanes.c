/* SPDX-License-Identifier: Apache-2.0 */
#include "lanes.h"

#include <math.h>
#include <string.h>

/* Behind a tile's states, for each lane: whether it has kept a normal, and that
 * normal. */
enum { EXTRA_WORDS = 2 };

static uint32_t *tile_of(uint32_t *state, const struct lanes *l, uint64_t tile)
{
    return state + tile * (l->state_words + EXTRA_WORDS) * LANE_TILE;
}

/* ---- seeding ---------------------------------------------------------- */

struct seeding {
    const struct lanes *lanes;
    uint32_t *state;
    uint32_t first[LANE_WORDS_MAX]; /* state of lane 0 */
    uint64_t seed, skip;
    uint64_t ahead; /* lanes before this one have made a step more */
    bool alone;
};

static void seed_alone(const struct seeding *s, uint64_t lane, uint32_t *tile)
{
    uint32_t state[LANE_WORDS_MAX];
    for (uint32_t i = 0; i < LANE_TILE; i++) {
        s->lanes->seed_alone(s->seed, lane + i, s->skip, state);
        for (unsigned k = 0; k < s->lanes->state_words; k++)
            tile[k * LANE_TILE + i] = state[k];
    }
}

static void seed_tiles(const void *args, uint64_t first, uint64_t end)
{
    const struct seeding *s = args;
    uint32_t dropped[LANE_TILE];
    for (uint64_t t = first; t < end; t++) {
        uint32_t *tile = tile_of(s->state, s->lanes, t);
        uint64_t lane = t * LANE_TILE;
        memset(tile + s->lanes->state_words * LANE_TILE, 0,
               EXTRA_WORDS * LANE_TILE * sizeof *tile);
        if (s->alone)
            seed_alone(s, lane, tile);
        else
            s->lanes->seed_tile(s->first, lane, tile);
        if (lane < s->ahead) {
            uint64_t n = s->ahead - lane;
            s->lanes->draw(tile, 1, dropped, n < LANE_TILE ? n : LANE_TILE);
        }
    }
}

static const struct native_kernel seed_kernel = {
    .name = "curand_seed_lanes",
    .run = seed_tiles,
    .args_bytes = sizeof(struct seeding),
    .stack_bytes = 64 << 10,
};

curandStatus_t lanes_seed(curandGenerator_t g, const struct lanes *lanes)
{
    uint64_t count = lanes->count(g->order);
    curandStatus_t status = generator_reserve(
        g, count * (lanes->state_words + EXTRA_WORDS) * sizeof(uint32_t));
    if (status)
        return status;
    struct seeding s = {
        .lanes = lanes,
        .state = g->state,
        .seed = g->seed,
        .skip = g->offset / count,
        .ahead = g->offset % count,
        .alone = g->order == CURAND_ORDERING_PSEUDO_SEEDED,
    };
    lanes->seed_first(g->seed, s.skip, s.first);
    g->cursor = s.ahead;
    return generator_run(g, &seed_kernel, count / LANE_TILE, &s);
}

/* ---- numbers ---------------------------------------------------------- */

struct drawing {
    const struct lanes *lanes;
    uint32_t *state;
    char *out;
    uint64_t first, end; /* items, the first lane's first being 0 */
    uint64_t count;      /* lanes */
    uint32_t words, item_bytes;
    double lambda; /* above 0: Poisson numbers of normals */
    struct recipe recipe;
};

/* Every lane keeps the second of two normals for its next number. */
static void draw_poisson(const struct drawing *d, uint32_t *s, uint32_t *out,
                         uint64_t n)
{
    uint32_t *flag = s + d->lanes->state_words * LANE_TILE;
    uint32_t *extra = flag + LANE_TILE, words[2];
    for (uint64_t i = 0; i < n; i++) {
        float normal[2];
        if (flag[i]) {
            memcpy(normal, &extra[i], sizeof *normal);
        } else {
            d->lanes->draw(s + i, 2, words, 1);
            normals_of(d->recipe.words, words, normal);
            memcpy(&extra[i], normal + 1, sizeof *normal);
        }
        flag[i] = !flag[i];
        out[i] = (uint32_t)(sqrt(d->lambda) * normal[0] + d->lambda + 0.5);
    }
}

/* The tile's part of a row. */
static void draw_row(const struct drawing *d, uint32_t *tile, uint64_t lane,
                     uint64_t row)
{
    uint32_t raw[4 * LANE_TILE] __attribute__((aligned(64)));
    uint64_t begin = row + lane, end = begin + LANE_TILE;
    if (begin < d->first)
        begin = d->first;
    if (end > d->end)
        end = d->end;
    if (begin >= end)
        return;
    if (d->lambda > 0) {
        draw_poisson(d, tile + (begin - row - lane),
                     (uint32_t *)d->out + (begin - d->first), end - begin);
        return;
    }
    d->lanes->draw(tile + (begin - row - lane), d->words, raw, end - begin);
    convert(&d->recipe, raw, d->out + (begin - d->first) * d->item_bytes,
            end - begin);
}

/* Has the tile all lanes of so many rows? */
static bool has_rows(const struct drawing *d, uint64_t begin, unsigned rows)
{
    return begin >= d->first &&
           begin + (rows - 1) * d->count + LANE_TILE <= d->end;
}

/* Draws several rows at once if the request has all of the tile's lanes in
 * them, so that states are read once. Returns how many rows; 0: draw_row does
 * one. */
static unsigned draw_rows(const struct drawing *d, uint32_t *tile,
                          uint64_t lane, uint64_t row)
{
    uint32_t raw[LANE_ROWS * LANE_TILE] __attribute__((aligned(64)));
    uint64_t begin = row + lane;
    if (!d->lanes->draw_rows || d->words != 1 || d->lambda > 0)
        return 0;
    if (d->recipe.is_streamed && d->lanes->draw_floats &&
        has_rows(d, begin, FLOAT_ROWS) &&
        d->lanes->draw_floats(tile, (float *)d->out + (begin - d->first),
                              d->count))
        return FLOAT_ROWS;
    if (!has_rows(d, begin, LANE_ROWS))
        return 0;
    d->lanes->draw_rows(tile, raw);
    for (int r = 0; r < LANE_ROWS; r++, begin += d->count)
        convert(&d->recipe, raw + r * LANE_TILE,
                d->out + (begin - d->first) * d->item_bytes, LANE_TILE);
    return LANE_ROWS;
}

static void draw_tiles(const void *args, uint64_t first, uint64_t end)
{
    const struct drawing *d = args;
    for (uint64_t t = first; t < end; t++) {
        uint32_t *tile = tile_of(d->state, d->lanes, t);
        for (uint64_t row = 0; row < d->end;) {
            unsigned rows = draw_rows(d, tile, t * LANE_TILE, row);
            if (rows == 0)
                draw_row(d, tile, t * LANE_TILE, row);
            row += (rows ? rows : 1) * d->count;
        }
    }
    convert_finish(&d->recipe);
}

static const struct native_kernel draw_kernel = {
    .name = "curand_draw_lanes",
    .run = draw_tiles,
    .args_bytes = sizeof(struct drawing),
    .stack_bytes = 64 << 10,
};

curandStatus_t lanes_draw(curandGenerator_t g, const struct lanes *lanes,
                          const struct request *r)
{
    unsigned numbers = item_numbers(lanes->words, r->form);
    if (r->count % numbers)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    struct recipe recipe;
    curandStatus_t status = recipe_for(g, lanes->words, r, &recipe);
    if (status)
        return status;
    struct drawing d = {
        .lanes = lanes,
        .state = g->state,
        .out = r->out,
        .first = g->cursor,
        .end = g->cursor + r->count / numbers,
        .count = lanes->count(g->order),
        .words = item_words(lanes->words, r->form),
        .item_bytes = numbers * form_bytes(r->form),
        .recipe = recipe,
        .lambda = r->form == recipe.form ? 0 : r->mean,
    };
    g->cursor = d.end % d.count;
    status = generator_run(g, &draw_kernel, d.count / LANE_TILE, &d);
    if (status || d.lambda > 0)
        return status;
    return finish_normals(g, &recipe, r, NULL);
}
