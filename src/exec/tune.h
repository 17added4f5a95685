/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many threads share the short kernels of a plan: what runs of it have
 * taken decides. To hand a kernel over and to hear that it is done takes 0.1 us
 * where two cores share a cache, 0.5 us where they do not, and no table says
 * which.
 *
 *     RESTING --so many runs--> TRYING half, as many, twice --best kept-->
 * RESTING
 *        ^-- the same as before: longer the next time; another one: at once --/
 */
#ifndef WEFT_EXEC_TUNE_H
#define WEFT_EXEC_TUNE_H

#include <stdint.h>

/* One thread at a time. */
struct tune {
    unsigned size;    /* the best so far; 0: nothing known */
    unsigned most;    /* threads there are */
    unsigned tried;   /* runs of this trial; 0: resting */
    uint32_t rest;    /* runs until the next trial */
    uint32_t pause;   /* runs of the next rest */
    uint64_t best[3]; /* of half, as many, twice: the shortest run; cycles */
};

/* Starts with `size` as a guess; `most` threads there are. */
void tune_start(struct tune *t, unsigned size, unsigned most);
/* The team's size for the run that begins. */
unsigned tune_size(const struct tune *t);
/* True: a trial is under way, so members have to be called. */
static inline int tune_is_trying(const struct tune *t)
{
    return t->tried != 0;
}
/* Notes what a run has taken. */
void tune_note(struct tune *t, uint64_t cycles);

#endif
