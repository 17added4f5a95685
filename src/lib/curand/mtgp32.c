/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MTGP32: Saito & Matsumoto, "Variants of Mersenne Twister suitable for graphic
 * processors", ACM TOMS 39/2, 2013. A block has a parameter set and a sequence
 * of its own; the output takes 256 numbers of one after the other.
 */
#include "convert.h"

#include <string.h>

#include "lib/common/clones.h"
#include "curand_mtgp32dc_p_11213.h"

enum { N = 351, CHUNK = 256, SETS = 200 };

/* The last N words. */
struct block {
    uint32_t x[N];
};

static const struct mtgp32_params_fast *parameters_of(uint64_t block)
{
    return &mtgp32dc_params_fast_11213[block % SETS];
}

static void seed_block(uint64_t index, uint32_t seed, struct block *b)
{
    const struct mtgp32_params_fast *p = parameters_of(index);
    uint32_t hidden = p->tbl[4] ^ (p->tbl[8] << 16);
    uint32_t fill = hidden + (hidden >> 16);
    fill += fill >> 8;
    memset(b->x, fill & 0xff, sizeof b->x);
    b->x[0] = seed;
    b->x[1] = hidden;
    for (uint32_t i = 1; i < N; i++)
        b->x[i] ^= 1812433253u * (b->x[i - 1] ^ b->x[i - 1] >> 30) + i;
}

/* Entry i of a table is the sum over GF(2) of the entries of its bits. */
static inline uint32_t look_up(const uint32_t *table, uint32_t i)
{
    return (-(i & 1) & table[1]) ^ (-(i >> 1 & 1) & table[2]) ^
           (-(i >> 2 & 1) & table[4]) ^ (-(i >> 3 & 1) & table[8]);
}

/* The next n words; n is small enough that none of them needs another. */
CLONES static void recur_words(const struct mtgp32_params_fast *p,
                               const uint32_t *restrict old,
                               uint32_t *restrict new, uint32_t n)
{
    const uint32_t *far = old + p->pos;
    uint32_t sh1 = p->sh1, sh2 = p->sh2, mask = p->mask;
    const uint32_t *t = p->tbl;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = (old[i] & mask) ^ old[i + 1];
        x ^= x << sh1;
        uint32_t y = x ^ far[i] >> sh2;
        new[i] = y ^ look_up(t, y);
    }
}

CLONES static void temper_words(const struct mtgp32_params_fast *p,
                                const uint32_t *restrict x,
                                uint32_t *restrict out, uint32_t n)
{
    const uint32_t *t = p->tmp_tbl, *far = x + p->pos - 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t f = far[i] ^ far[i] >> 16;
        f ^= f >> 8;
        out[i] = x[N + i] ^ look_up(t, f);
    }
}

/* The next n <= CHUNK words of a block. */
static void draw_chunk(uint64_t index, struct block *b, uint32_t *out,
                       uint32_t n)
{
    const struct mtgp32_params_fast *p = parameters_of(index);
    uint32_t x[N + CHUNK], step = N - p->pos;
    memcpy(x, b->x, sizeof b->x);
    for (uint32_t i = 0; i < n; i += step)
        recur_words(p, x + i, x + N + i, n - i < step ? n - i : step);
    temper_words(p, x, out, n);
    memcpy(b->x, x + n, sizeof b->x);
}

/* ---- the kernels ------------------------------------------------------ */

struct seeding {
    struct block *blocks;
    uint32_t seed;
};

static void seed_tiles(const void *args, uint64_t first, uint64_t end)
{
    const struct seeding *s = args;
    for (uint64_t i = first; i < end; i++)
        seed_block(i, s->seed + (uint32_t)i + 1, &s->blocks[i]);
}

static const struct native_kernel seed_kernel = {
    .name = "curand_seed_mtgp32",
    .run = seed_tiles,
    .args_bytes = sizeof(struct seeding),
    .stack_bytes = 64 << 10,
};

struct drawing {
    struct block *blocks;
    uint64_t count; /* blocks */
    char *out;
    uint64_t first, end; /* numbers, the first block's first being 0 */
    struct recipe recipe;
};

static void draw_block(const struct drawing *d, uint64_t index)
{
    uint32_t raw[CHUNK] __attribute__((aligned(64)));
    uint64_t start = index * CHUNK, size = form_bytes(d->recipe.form);
    for (; start < d->end; start += d->count * CHUNK) {
        uint64_t begin = start > d->first ? start : d->first;
        uint64_t end = start + CHUNK < d->end ? start + CHUNK : d->end;
        if (begin >= end)
            continue;
        draw_chunk(index, &d->blocks[index], raw, end - begin);
        convert(&d->recipe, raw, d->out + (begin - d->first) * size,
                end - begin);
    }
}

static void draw_tiles(const void *args, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++)
        draw_block(args, i);
}

static const struct native_kernel draw_kernel = {
    .name = "curand_draw_mtgp32",
    .run = draw_tiles,
    .args_bytes = sizeof(struct drawing),
    .stack_bytes = 64 << 10,
};

/* ---- the engine ------------------------------------------------------- */

/* DYNAMIC: 7 for each SM of an H200. Blocks beyond the published sets of
 * parameters have sets of their own there; here they have the first sets again,
 * with other seeds. */
static uint64_t blocks_of(curandOrdering_t order)
{
    if (order == CURAND_ORDERING_PSEUDO_LEGACY)
        return 64;
    return order == CURAND_ORDERING_PSEUDO_DYNAMIC ? 924 : 192;
}

static curandStatus_t seed_blocks(curandGenerator_t g)
{
    uint64_t count = blocks_of(g->order);
    curandStatus_t status = generator_reserve(g, count * sizeof(struct block));
    if (status)
        return status;
    struct seeding s = {g->state, (uint32_t)(g->seed ^ g->seed >> 32)};
    g->cursor = 0;
    return generator_run(g, &seed_kernel, count, &s);
}

static curandStatus_t draw_numbers(curandGenerator_t g, const struct request *r)
{
    struct drawing d = {
        .blocks = g->state,
        .count = blocks_of(g->order),
        .out = r->out,
        .first = g->cursor,
        .end = g->cursor + r->count,
    };
    curandStatus_t status = recipe_for(g, WORDS_SINGLE, r, &d.recipe);
    if (status)
        return status;
    g->cursor = d.end % (d.count * CHUNK);
    status = generator_run(g, &draw_kernel, d.count, &d);
    return status ? status : finish_normals(g, &d.recipe, r, NULL);
}

const struct engine mtgp_engine = {
    .type = CURAND_RNG_PSEUDO_MTGP32,
    .orders = ORDERS_USUAL,
    .seed = seed_blocks,
    .draw = draw_numbers,
};
