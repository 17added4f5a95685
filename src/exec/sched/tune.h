/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many threads share the short kernels of a plan: what runs of it have
 * taken decides. To hand a kernel over and to hear that it is done takes 0.1 us
 * where two cores share a cache, 0.5 us where they do not, and no table says
 * which.
 *
 *     RESTING --so many runs--> TRYING half, as many, twice, four times, one
 *        ^                         |
 *        \------- best kept -------/
 *
 * The next trial comes later if the size was the best already, else at once.
 */
#ifndef WEFT_EXEC_TUNE_H
#define WEFT_EXEC_TUNE_H

#include <stdint.h>

enum { TUNE_KINDS = 5, TUNE_QUICKEST = 3 };

/* One thread at a time. */
struct tune {
    unsigned size;  /* the best so far; 0: nothing known */
    unsigned most;  /* threads there are */
    unsigned tried; /* runs of this trial; 0: resting */
    uint32_t rest;  /* runs until the next trial */
    uint32_t pause; /* runs of the next rest */
    /* of each kind of size that is tried: the shortest runs; cycles */
    uint64_t best[TUNE_KINDS][TUNE_QUICKEST];
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
