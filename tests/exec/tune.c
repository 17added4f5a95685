/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for the size of a team, by what runs of each size would take. */
#include "check.h"

#include "base/size.h"
#include "exec/sched/tune.h"

/* Work in cycles, what a member costs, what sharing costs, threads: the size
 * that is found, and that is found from any first guess. */
static const struct {
    uint64_t work, each, sharing;
    unsigned most, least_found, most_found;
} cases[] = {
    {40000, 30000, 0, 2, 1, 1},
    {40000, 1000, 0, 2, 2, 2},
    {40000, 20000, 0, 16, 1, 2},
    {40000, 400, 0, 16, 8, 12},
    {4000000, 100, 0, 16, 16, 16},
    {1000, 1, 0, 1, 1, 1},
    {100, 10000, 0, 64, 1, 1},
    {1000000, 1000, 0, 64, 24, 48},
    /* One is better than eight or sixteen, though two and four are worse. */
    {40000, 400, 40000, 16, 1, 1},
    /* And the other way around: two are worse than one. */
    {40000, 400, 25000, 16, 8, 16},
};

static uint64_t cycles_of(size_t c, unsigned size, unsigned run)
{
    uint64_t cycles = cases[c].work / size + cases[c].each * (size - 1) +
                      (size > 1 ? cases[c].sharing : 0);
    /* Every second one is disturbed, some much. */
    if (run % 2)
        cycles += cycles / 3 + run * 7919 % 5000000;
    return cycles + run * 31 % 100 * cycles / 10000;
}

static void check_from(size_t c, unsigned guess)
{
    struct tune t = {0};
    unsigned other = 0;
    tune_note(&t, 1); /* nothing is known yet: harmless */
    tune_start(&t, guess, cases[c].most);
    for (unsigned run = 0; run < 4000; run++) {
        unsigned size = tune_size(&t);
        CHECK(size >= 1 && size <= cases[c].most);
        tune_note(&t, cycles_of(c, size, run));
        other += run >= 2000 && tune_size(&t) != t.size;
    }
    CHECK(t.size >= cases[c].least_found && t.size <= cases[c].most_found);
    /* Trials are rare when nothing changes. */
    CHECK(other < WEFT_SIZE(200, 2000));
}

/* Runs from the first trial's begin to its end. */
static unsigned runs_of_trial(unsigned size, unsigned most)
{
    struct tune t = {0};
    unsigned runs = 0;
    tune_start(&t, size, most);
    while (!t.tried)
        tune_note(&t, 1000);
    for (; t.tried; runs++)
        tune_note(&t, 1000);
    return runs;
}

/* A size is tried once, though several kinds may come to it. */
static void check_lengths(void)
{
    unsigned each = runs_of_trial(4, 16) / TUNE_KINDS;
    CHECK(runs_of_trial(4, 16) == TUNE_KINDS * each);
    CHECK(runs_of_trial(1, 16) == 3 * each); /* 1, 2, 4 */
    CHECK(runs_of_trial(2, 16) == 4 * each); /* 1, 2, 4, 8 */
    CHECK(runs_of_trial(16, 16) == 3 * each);
    CHECK(runs_of_trial(1, 1) == each);
}

/* What was best is no more: it is seen. */
static void check_change(void)
{
    struct tune t = {0};
    tune_start(&t, 2, 2);
    for (unsigned run = 0; run < 4000; run++)
        tune_note(&t, cycles_of(0, tune_size(&t), run));
    CHECK(t.size == 1);
    for (unsigned run = 0; run < 200000; run++)
        tune_note(&t, cycles_of(1, tune_size(&t), run));
    CHECK(t.size == 2);
}

/* A size that was lucky in some runs, but not in as many as count, is not
 * taken. */
static void check_luck(void)
{
    enum { LUCKY = WEFT_SIZE(TUNE_QUICKEST, 1) - 1 };
    struct tune t = {0};
    int lucky = 0;
    tune_start(&t, 4, 16);
    while (!t.tried)
        tune_note(&t, 1000);
    while (t.tried) {
        int is_lucky = tune_size(&t) == 8 && lucky < LUCKY;
        lucky += is_lucky;
        tune_note(&t, is_lucky ? 100 : 1000);
    }
    CHECK(lucky == LUCKY && t.size == 4);
}

int main(void)
{
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (unsigned guess = 1; guess <= cases[c].most; guess *= 2)
            check_from(c, guess);
    check_change();
    check_lengths();
    check_luck();
    return check_result();
}
