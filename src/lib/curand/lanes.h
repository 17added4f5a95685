/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generators of many lanes, each a sequence with a state of its own: item i of
 * the output is the next one of lane i modulo the number of lanes. An item may
 * take several words of its lane, so lanes may be of different ages.
 */
#ifndef WEFT_CURAND_LANES_H
#define WEFT_CURAND_LANES_H

#include "convert.h"

enum { LANE_TILE = 256, LANE_WORDS_MAX = 6, LANE_ROWS = 4, FLOAT_ROWS = 16 };

/* A tile is the states of LANE_TILE lanes, word by word. */
struct lanes {
    enum words words;
    unsigned state_words;
    uint32_t (*count)(curandOrdering_t order); /* a multiple of LANE_TILE */
    /* The state of lane 0, `skip` steps on. */
    void (*seed_first)(uint64_t seed, uint64_t skip, uint32_t *state);
    /* A tile's states, of its first lane's number. */
    void (*seed_tile)(const uint32_t *first, uint64_t lane, uint32_t *tile);
    /* Or NULL; in the order SEEDED: the state of a lane from a seed of its own,
     * `skip` steps on. */
    void (*seed_alone)(uint64_t seed, uint64_t lane, uint64_t skip,
                       uint32_t *state);
    /* The next `words` words of n lanes, item by item. s: in a tile. */
    void (*draw)(uint32_t *s, unsigned words, uint32_t *out, uint32_t n);
    /* Or NULL: the next LANE_ROWS words of a whole tile, LANE_TILE apart. */
    void (*draw_rows)(uint32_t *s, uint32_t *out);
    /* Or NULL: the next FLOAT_ROWS as uniform numbers, rows `stride` apart,
     * written past the caches. False: nothing was done, since this processor
     * cannot or `out` is not aligned. */
    bool (*draw_floats)(uint32_t *s, float *out, uint64_t stride);
};

/* Seeds the generator's states by its seed and offset; draws what the request
 * asks for. Both put their work into the generator's stream. */
curandStatus_t lanes_seed(curandGenerator_t g, const struct lanes *lanes);
curandStatus_t lanes_draw(curandGenerator_t g, const struct lanes *lanes,
                          const struct request *r);

#endif
