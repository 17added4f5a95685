/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From random words to what is asked for. An item is the unit in which an
 * engine consumes words: one number, or two normals at once.
 */
#ifndef WEFT_CURAND_CONVERT_H
#define WEFT_CURAND_CONVERT_H

#include "generator.h"

/* How an engine's words become numbers. */
enum words {
    WORDS_MANY,   /* 32 bits, as many as precision wants; normals in pairs */
    WORDS_MRG,    /* 1 to 2^32 - 209, one to a number; normals in pairs */
    WORDS_SINGLE, /* 32 bits, one to a number */
    WORDS_HALF,   /* the same, in the middle of their interval */
    WORDS_WIDE,   /* 64 bits, one to a number */
    WORDS_COUNT
};

/* What an engine does for a request. Poisson numbers of large means are normals
 * that are rounded at the end: then `form` is FORM_NORMAL. */
struct recipe {
    enum words words;
    enum form form;
    const struct poisson *poisson; /* of FORM_POISSON */
    bool is_streamed; /* past the caches: more than they hold */
};
/* ALLOCATION_FAILED: no memory for a table of the distribution. */
curandStatus_t recipe_for(curandGenerator_t g, enum words words,
                          const struct request *r, struct recipe *out);

/* Words that an item takes (64-bit ones if wide), and numbers it gives. */
unsigned item_words(enum words words, enum form form);
unsigned item_numbers(enum words words, enum form form);

/* Converts `items` items. Of normals, that is what finish_normals takes. in and
 * out do not overlap. */
void convert(const struct recipe *recipe, const void *in, void *out,
             uint64_t items);

/* Makes what convert has streamed visible to other threads: called at the end
 * of a range of tiles. */
void convert_finish(const struct recipe *recipe);

/* Two normals of two words, by the C library. */
void normals_of(enum words words, const uint32_t in[2], float out[2]);

/* Pairs of normals of which the request takes only one number: its first number
 * is the second of a pair if cut is 1, its last one the first of a pair if the
 * numbers between are odd. words: those of both pairs, 16 bytes apart. */
struct edges {
    unsigned cut;
    void *words;
};

/* Makes normals of what convert left for the recipe, in its place; nothing for
 * other forms. e: NULL, where no pair is cut. */
curandStatus_t finish_normals(curandGenerator_t g, const struct recipe *recipe,
                              const struct request *r, const struct edges *e);

#endif
