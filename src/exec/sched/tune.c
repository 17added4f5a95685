/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking for the size of a team: see tune.h. The third shortest of several
 * runs counts, since anything may disturb one, and a team may be lucky once;
 * and another size has to be better by some percent.
 */
#include "exec/sched/tune.h"

#include <assert.h>
#include <string.h>

#include "base/size.h"

/* Numbers of runs. The first few of each kind wait for threads to come. */
#define RUNS_EACH   WEFT_SIZE(12, 2)
#define FIRST_REST  WEFT_SIZE(20, 1)
#define PAUSE_FIRST WEFT_SIZE(500, 2)
#define PAUSE_MAX   WEFT_SIZE(64000, 4)
#define BETTER_BY   32 /* one part of so many */
#define COUNTS      (WEFT_SIZE(TUNE_QUICKEST, 1) - 1)

/* ALONE and FOURFOLD, since sharing at all has a price, which two may not be
 * worth. Whom ALONE leaves without work goes away, so it comes last. */
enum { HALF, SAME, TWICE, FOURFOLD, ALONE };
static_assert(ALONE + 1 == TUNE_KINDS, "each kind has a time");

static unsigned size_of(const struct tune *t, unsigned kind)
{
    unsigned size = t->size;
    if (kind == HALF)
        size = size / 2;
    else if (kind == TWICE)
        size = 2 * size;
    else if (kind == FOURFOLD)
        size = 4 * size;
    else if (kind == ALONE)
        size = 1;
    return size < 1 ? 1 : size > t->most ? t->most : size;
}

void tune_start(struct tune *t, unsigned size, unsigned most)
{
    assert(most > 0);
    *t = (struct tune){.size = size < most ? size : most,
                       .most = most,
                       .rest = FIRST_REST,
                       .pause = PAUSE_FIRST};
}

unsigned tune_size(const struct tune *t)
{
    return t->tried ? size_of(t, (t->tried - 1) / RUNS_EACH) : t->size;
}

static void begin_trial(struct tune *t)
{
    t->tried = 1;
    for (unsigned i = 0; i < TUNE_KINDS; i++)
        for (unsigned k = 0; k < TUNE_QUICKEST; k++)
            t->best[i][k] = UINT64_MAX;
}

/* The time of a run takes its place among the shortest. */
static void keep_quickest(uint64_t quickest[TUNE_QUICKEST], uint64_t cycles)
{
    for (unsigned k = 0; k < TUNE_QUICKEST; k++) {
        uint64_t other = quickest[k];
        if (cycles >= other)
            continue;
        quickest[k] = cycles;
        cycles = other;
    }
}

/* The first kind that has the size of this one. */
static unsigned first_alike(const struct tune *t, unsigned kind)
{
    unsigned first = 0;
    while (size_of(t, first) != size_of(t, kind))
        first++;
    assert(first <= kind);
    return first;
}

/* Kinds that come to a size which an earlier one had take its times. */
static void skip_known(struct tune *t)
{
    while ((t->tried - 1) % RUNS_EACH == 0) {
        unsigned kind = (t->tried - 1) / RUNS_EACH;
        unsigned first = kind < TUNE_KINDS ? first_alike(t, kind) : kind;
        if (first == kind)
            return;
        memcpy(t->best[kind], t->best[first], sizeof t->best[kind]);
        t->tried += RUNS_EACH;
    }
}

static void end_trial(struct tune *t)
{
    unsigned kind = SAME;
    for (unsigned i = 0; i < TUNE_KINDS; i++)
        if (t->best[i][COUNTS] + t->best[SAME][COUNTS] / BETTER_BY <
            t->best[kind][COUNTS])
            kind = i;
    unsigned size = size_of(t, kind);
    assert(size >= 1 && size <= t->most);
    t->tried = 0;
    if (size != t->size) {
        t->size = size;
        t->pause = PAUSE_FIRST;
        t->rest = 1;
        return;
    }
    t->rest = t->pause;
    t->pause = t->pause < PAUSE_MAX ? 2 * t->pause : PAUSE_MAX;
}

void tune_note(struct tune *t, uint64_t cycles)
{
    if (t->size == 0)
        return;
    if (!t->tried) {
        if (--t->rest == 0)
            begin_trial(t);
        return;
    }
    unsigned kind = (t->tried - 1) / RUNS_EACH;
    assert(kind < TUNE_KINDS);
    keep_quickest(t->best[kind], cycles);
    t->tried++;
    skip_known(t);
    if (t->tried > TUNE_KINDS * RUNS_EACH)
        end_trial(t);
}
