/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CURAND_RNG_TEST: the multiples of 31337 from three times the seed, modulo
 * 2^32, one for each number; no normals. As an H200 answers, but for generators
 * of the host with ORDERING_SEEDED, which take other steps there.
 */
#include "convert.h"

enum { PART = 1024, TILE = 1 << 16, STEP = 31337 };

struct counting {
    char *out;
    uint32_t first; /* word */
    uint64_t count;
    struct recipe recipe;
};

static void count_tiles(const void *args, uint64_t first, uint64_t end)
{
    const struct counting *c = args;
    uint32_t raw[PART] __attribute__((aligned(64)));
    uint64_t last = end * TILE < c->count ? end * TILE : c->count;
    for (uint64_t at = first * TILE; at < last; at += PART) {
        uint64_t n = last - at < PART ? last - at : PART;
        for (uint64_t i = 0; i < n; i++)
            raw[i] = c->first + (uint32_t)(at + i) * STEP;
        convert(&c->recipe, raw, c->out + at * form_bytes(c->recipe.form), n);
    }
    convert_finish(&c->recipe);
}

static const struct native_kernel count_kernel = {
    .name = "curand_count",
    .run = count_tiles,
    .args_bytes = sizeof(struct counting),
};

static curandStatus_t count_numbers(curandGenerator_t g,
                                    const struct request *r)
{
    struct counting c = {
        .out = r->out,
        .first = 3 * (uint32_t)g->seed + (uint32_t)g->cursor * STEP,
        .count = r->count,
    };
    if (form_is_normal(r->form) || r->form == FORM_POISSON)
        return CURAND_STATUS_INTERNAL_ERROR;
    curandStatus_t status = recipe_for(g, WORDS_SINGLE, r, &c.recipe);
    if (status)
        return status;
    g->cursor += r->count;
    return generator_run(g, &count_kernel, (r->count + TILE - 1) / TILE, &c);
}

const struct engine counting_engine = {
    .type = CURAND_RNG_TEST,
    .has_offset = true,
    .orders = ORDERS_USUAL | ORDER_SEEDED,
    .seed = generator_go_to_offset,
    .draw = count_numbers,
};
