/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
 * as 1, 2, 3", SC 2011. Lane i is the subsequence i, of which a turn takes the
 * numbers of one counter, or of two where a number takes two words: 4 numbers.
 *
 * The state is how many counters each lane has used, as spans of lanes with the
 * same count: counts differ after calls for numbers of both widths. Once a call
 * has been captured, kernels keep the counts in g->counts, one for each lane,
 * as each replay uses up counters of its lanes.
 */
#include "convert.h"

#include <stdlib.h>
#include <string.h>

#include "philox_blocks.h"

enum { TILE = 512, PART = 128, PER_TURN = 4 };
enum { EDGE_BYTES = 32 };

/* ---- ages of lanes ---------------------------------------------------- */

/* Lanes from `first` to the next span's have had `turns` blocks. */
struct span {
    uint32_t first;
    uint64_t turns;
};

struct spans {
    uint32_t count;
    struct span at[];
};

/* Lanes, a multiple of TILE. */
enum { LANES_MOST = 67584 };
static uint32_t lanes_of(curandGenerator_t g)
{
    return g->order == CURAND_ORDERING_PSEUDO_DYNAMIC ? LANES_MOST : 65536;
}

/* The lane behind span i; the last span has no end. */
static uint32_t end_of(const struct spans *s, uint32_t i)
{
    return i + 1 < s->count ? s->at[i + 1].first : UINT32_MAX;
}

static void push_span(struct spans *s, uint32_t first, uint64_t turns)
{
    if (s->count == 0 || s->at[s->count - 1].turns != turns)
        s->at[s->count++] = (struct span){first, turns};
}

/* The spans with `before` more turns for lanes below `cut`, and `behind` more
 * for the others. NULL: no memory. */
static struct spans *advance_spans(const struct spans *s, uint32_t cut,
                                   uint64_t before, uint64_t behind)
{
    struct spans *r =
        malloc(sizeof *r + (s->count + 1) * sizeof(struct span));
    if (!r)
        return NULL;
    r->count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct span *a = &s->at[i];
        if (a->first < cut)
            push_span(r, a->first, a->turns + before);
        if (end_of(s, i) > cut)
            push_span(r, a->first < cut ? cut : a->first, a->turns + behind);
    }
    return r;
}

/* ---- numbers ---------------------------------------------------------- */

/* Numbers first to end, number 0 being lane 0's in the first row. Of lanes
 * lane to lane_end, whose first row's counter is `counter`. */
struct drawing {
    char *out;
    uint64_t first, end;
    uint32_t lane, lane_end, lanes;
    uint64_t counter, seed;
    struct recipe recipe;
    uint32_t each, words;   /* blocks of a turn; words of a number */
    philox_blocks_fn *blocks;
    philox_floats_fn *floats; /* NULL: convert makes them of words */
    uint32_t *edges;        /* pairs of normals that are cut in two */
};

/* Numbers begin to end, of which raw has the words. */
static void put_numbers(const struct drawing *d, const uint32_t *raw,
                        uint64_t begin, uint64_t end)
{
    unsigned size = form_bytes(d->recipe.form), pair_bytes = 2 * size;
    if (form_is_normal(d->recipe.form)) {
        if (begin % 2) {
            memcpy(d->edges, raw - d->words, pair_bytes);
            begin++, raw += d->words;
        }
        if (end % 2 && end > begin) {
            end--;
            memcpy(d->edges + 4, raw + (end - begin) * d->words, pair_bytes);
        }
        if (end > begin)
            convert(&d->recipe, raw,
                    d->out + (begin - d->first) * size, (end - begin) / 2);
        return;
    }
    convert(&d->recipe, raw, d->out + (begin - d->first) * size,
            end - begin);
}

/* Of n lanes in one row. */
static void draw_part(const struct drawing *d, uint64_t row, uint32_t lane,
                      uint32_t n)
{
    uint32_t raw[8 * PART + PHILOX_SLACK] __attribute__((aligned(64)));
    uint64_t start = (row * d->lanes + lane) * PER_TURN;
    uint64_t begin = start > d->first ? start : d->first;
    uint64_t end = start + 4ull * n < d->end ? start + 4ull * n : d->end;
    if (begin >= end)
        return;
    struct place at = {
        .counter = d->counter + row * d->each,
        .lane = lane,
        .key = {(uint32_t)d->seed, (uint32_t)(d->seed >> 32)},
    };
    d->blocks(&at, d->each, raw, n);
    put_numbers(d, raw + (begin - start) * d->words, begin, end);
}

/* All n lanes of a row at once, without words between. False: nothing done. */
static bool draw_floats(const struct drawing *d, uint64_t row, uint32_t lane,
                        uint32_t n)
{
    uint64_t begin = (row * d->lanes + lane) * PER_TURN;
    char *out = d->out + (begin - d->first) * sizeof(float);
    if (!d->floats || begin < d->first || begin + 4ull * n > d->end ||
        n % PHILOX_STEP || (uintptr_t)out % 64)
        return false;
    struct place at = {
        .counter = d->counter + row,
        .lane = lane,
        .key = {(uint32_t)d->seed, (uint32_t)(d->seed >> 32)},
    };
    d->floats(&at, 1, (float *)out, n);
    return true;
}

static void draw_lanes(const struct drawing *d, uint64_t row, uint32_t lane,
                       uint32_t last)
{
    if (lane < last && draw_floats(d, row, lane, last - lane))
        return;
    for (; lane < last; lane += PART)
        draw_part(d, row, lane, last - lane < PART ? last - lane : PART);
}

static void draw_tiles(const void *args, uint64_t first, uint64_t end)
{
    const struct drawing *d = args;
    for (uint64_t t = first; t < end; t++) {
        uint64_t row = t / (d->lanes / TILE);
        uint32_t lane = t % (d->lanes / TILE) * TILE, last = lane + TILE;
        draw_lanes(d, row, lane < d->lane ? d->lane : lane,
                   last > d->lane_end ? d->lane_end : last);
    }
    convert_finish(&d->recipe);
}

static const struct native_kernel draw_kernel = {
    .name = "curand_draw_philox",
    .run = draw_tiles,
    .args_bytes = sizeof(struct drawing),
    .stack_bytes = 64 << 10,
};

/* Tiles of all rows that have one of the numbers. */
static uint64_t tiles_of(const struct drawing *d)
{
    uint64_t row = (uint64_t)d->lanes * PER_TURN;
    return (d->end + row - 1) / row * (d->lanes / TILE);
}

static curandStatus_t draw_spans(curandGenerator_t g, struct drawing *d,
                                 const struct spans *s)
{
    curandStatus_t status = CURAND_STATUS_SUCCESS;
    for (uint32_t i = 0; i < s->count && !status; i++) {
        d->lane = s->at[i].first;
        d->lane_end = end_of(s, i);
        d->counter = s->at[i].turns;
        status = generator_run(g, &draw_kernel, tiles_of(d), d);
    }
    return status;
}

/* ---- numbers whose counts the device keeps ------------------------------ */

/* Lanes below `from` start a turn earlier; those below `to` end one later. */
struct counted {
    struct drawing d;
    uint64_t *counts;
    uint32_t from, to;
    uint64_t rows; /* that all lanes have */
};

static uint64_t count_of_lane(const struct counted *c, uint32_t lane)
{
    return c->counts[lane] - (lane < c->from ? c->d.each : 0);
}

/* Lanes with the same count at once. */
static void draw_counted(const void *args, uint64_t first, uint64_t end)
{
    struct counted c = *(const struct counted *)args;
    uint32_t per_row = c.d.lanes / TILE;
    for (uint64_t t = first; t < end; t++) {
        uint32_t lane = t % per_row * TILE, last = lane + TILE;
        while (lane < last) {
            uint32_t next = lane + 1;
            c.d.counter = count_of_lane(&c, lane);
            while (next < last && count_of_lane(&c, next) == c.d.counter)
                next++;
            draw_lanes(&c.d, t / per_row, lane, next);
            lane = next;
        }
    }
    convert_finish(&c.d.recipe);
}

static void count_turns(const void *args, uint64_t first, uint64_t end)
{
    const struct counted *c = args;
    for (uint64_t i = first * TILE; i < end * TILE; i++) {
        uint64_t turns = c->rows + (i < c->to) - (i < c->from);
        c->counts[i] += turns * c->d.each;
    }
}

/* After a seed: `turns` for lanes from `from` on, one more for those below. */
static void begin_counts(const void *args, uint64_t first, uint64_t end)
{
    const struct counted *c = args;
    for (uint64_t i = first * TILE; i < end * TILE; i++)
        c->counts[i] = c->rows + (i < c->from);
}

static const struct native_kernel counted_kernel = {
    "curand_draw_philox_counted", draw_counted, sizeof(struct counted),
    64 << 10};
static const struct native_kernel turns_kernel = {
    "curand_count_turns", count_turns, sizeof(struct counted), 0};
static const struct native_kernel begin_kernel = {
    "curand_begin_counts", begin_counts, sizeof(struct counted), 0};

/* From now on kernels keep the counts. No kernel knows them yet. They are the
 * host's memory, as a capture refuses to allocate the device's. */
static curandStatus_t keep_counts(curandGenerator_t g)
{
    const struct spans *s = g->notes;
    g->counts = malloc(LANES_MOST * sizeof(uint64_t));
    if (!g->counts)
        return CURAND_STATUS_ALLOCATION_FAILED;
    for (uint32_t i = 0; i < s->count; i++) {
        for (uint32_t lane = s->at[i].first;
             lane < end_of(s, i) && lane < LANES_MOST; lane++)
            g->counts[lane] = s->at[i].turns;
    }
    return CURAND_STATUS_SUCCESS;
}

static curandStatus_t draw_with_counts(curandGenerator_t g,
                                       const struct drawing *d)
{
    uint64_t lanes_done = d->end / PER_TURN;
    struct counted c = {.d = *d,
                        .counts = g->counts,
                        .from = (uint32_t)(d->first / PER_TURN),
                        .to = (uint32_t)(lanes_done % d->lanes),
                        .rows = lanes_done / d->lanes};
    curandStatus_t status = generator_run(g, &counted_kernel, tiles_of(d), &c);
    return status ? status
                  : generator_run(g, &turns_kernel, d->lanes / TILE, &c);
}

/* ---- calls --------------------------------------------------------------- */

/* Rows count from lane 0, but lanes below the cursor's are drawn from only from
 * row 1 on: they start a turn earlier, so that row 1 has their next one. */
static curandStatus_t draw_numbers(curandGenerator_t g, const struct request *r)
{
    struct drawing d = {
        .out = r->out,
        .first = g->cursor,
        .end = g->cursor + r->count,
        .lanes = lanes_of(g),
        .seed = g->seed,
        .words = form_bytes(r->form) / 4,
        .each = form_bytes(r->form) / 4,
        .blocks = philox_blocks(),
        .edges = g->state,
    };
    uint64_t lanes_done = d.end / PER_TURN, rows = lanes_done / d.lanes;
    curandStatus_t status = recipe_for(g, WORDS_MANY, r, &d.recipe);
    if (status)
        return status;
    if (d.recipe.is_streamed)
        d.floats = philox_floats();
    if (!g->counts && !g->on_host && lib_is_capturing(g->stream))
        status = keep_counts(g);
    if (!status && g->counts) {
        status = draw_with_counts(g, &d);
        g->cursor = d.end % (d.lanes * PER_TURN);
        return status ? status
                      : finish_normals(g, &d.recipe, r,
                                       &(struct edges){d.first % 2, g->state});
    }
    if (status)
        return status;
    status = CURAND_STATUS_ALLOCATION_FAILED;
    struct spans *now =
        advance_spans(g->notes, g->cursor / PER_TURN, -(uint64_t)d.each, 0);
    if (!now)
        return status;
    struct spans *then = advance_spans(now, lanes_done % d.lanes,
                                       d.each * (rows + 1), d.each * rows);
    if (!then)
        goto free_now;
    status = draw_spans(g, &d, now);
    if (!status)
        status = finish_normals(g, &d.recipe, r,
                                &(struct edges){d.first % 2, g->state});
    free(g->notes);
    g->notes = then;
    g->cursor = d.end % (d.lanes * PER_TURN);
free_now:
    free(now);
    return status;
}

static curandStatus_t seed_spans(curandGenerator_t g)
{
    curandStatus_t status = generator_reserve(g, EDGE_BYTES);
    if (status)
        return status;
    struct spans *s = malloc(sizeof *s + 2 * sizeof(struct span));
    if (!s)
        return CURAND_STATUS_ALLOCATION_FAILED;
    uint64_t per_row = (uint64_t)lanes_of(g) * PER_TURN;
    uint64_t row = g->offset / per_row;
    uint32_t lane = g->offset % per_row / PER_TURN;
    s->count = 0;
    if (lane)
        push_span(s, 0, row + 1);
    push_span(s, lane, row);
    free(g->notes);
    g->notes = s;
    g->cursor = g->offset % per_row;
    if (!g->counts)
        return CURAND_STATUS_SUCCESS;
    struct counted begin = {.counts = g->counts, .from = lane, .rows = row};
    return generator_run(g, &begin_kernel, LANES_MOST / TILE, &begin);
}

const struct engine philox_engine = {
    .type = CURAND_RNG_PSEUDO_PHILOX4_32_10,
    .has_offset = true,
    .orders = ORDERS_USUAL,
    .seed = seed_spans,
    .draw = draw_numbers,
};
