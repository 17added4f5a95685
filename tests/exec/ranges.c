/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which range of blocks an SM begins with: that of its own number, so that it
 * finds the same memory in its caches at each launch; but who comes first
 * begins with range 0, for the lowest block is always in work. Every block is
 * claimed once, in whichever order SMs arrive and however many.
 */
#include "exec/internal.h"

#include <limits.h>
#include <stdlib.h>

#include "launch.h"
#include "check.h"

enum { SMS = 70, EACH = 100 };

static void nothing(struct exec_warp *w)
{
    (void)w;
}

static struct exec_task *make_task(unsigned sms, unsigned first_sm)
{
    static uint32_t params;
    size_t bytes = sizeof(struct exec_task) + SMS * sizeof(struct range);
    struct exec_task *t = aligned_alloc(CACHE_LINE, bytes);
    CHECK(t != NULL);
    memset(t, 0, bytes);
    t->kernel = make_kernel(nothing, &params, (uint64_t)sms * EACH, 32);
    t->kernel.launch.cluster_blocks = 1;
    t->sms = (struct sm_range){first_sm, first_sm + sms};
    claim_init(t, sms, 0);
    return t;
}

struct claimer {
    uint32_t sm_id;
    unsigned range;
    bool is_done;
};

/* The first block of the SM's next chunk; UINT64_MAX: nothing is left. */
static uint64_t claim_next(struct exec_task *t, struct claimer *c,
                           unsigned char *seen)
{
    uint64_t first, end;
    bool is_last = false;
    if (!claim_blocks(t, c->sm_id, &c->range, &first, &end, &is_last))
        return UINT64_MAX;
    for (uint64_t b = first; b < end; b++)
        CHECK_EQUAL(seen[b]++, 0);
    return first;
}

/* Arrivals of all SMs in an order: where each begins. */
static void check_homes(const unsigned *order, const unsigned *range,
                        unsigned sms, unsigned first_sm)
{
    unsigned char seen[SMS * EACH] = {0};
    struct exec_task *t = make_task(sms, first_sm);
    for (unsigned i = 0; i < sms; i++) {
        struct claimer c = {first_sm + order[i], UINT_MAX, false};
        CHECK_EQUAL(claim_next(t, &c, seen), (uint64_t)range[i] * EACH);
        CHECK_EQUAL(claim_is_range_left(t), i + 1 < sms);
    }
    free(t);
}

/* Some SMs take turns until all is claimed. Whoever has used up its range
 * goes on with the lowest one that nobody has begun. */
static void check_all(unsigned sms, unsigned coming, unsigned step)
{
    unsigned char seen[SMS * EACH] = {0};
    struct claimer c[SMS];
    struct exec_task *t = make_task(sms, 0);
    unsigned left = coming;
    for (unsigned i = 0; i < coming; i++)
        c[i] = (struct claimer){(i + 1) * step % sms, UINT_MAX, false};
    for (unsigned i = 0; left; i = (i + 1) % coming) {
        if (c[i].is_done)
            continue;
        unsigned lowest = 0, before = c[i].range;
        while (lowest < sms &&
               t->begun[lowest / WORD_BITS] >> lowest % WORD_BITS & 1)
            lowest++;
        if (claim_next(t, &c[i], seen) == UINT64_MAX) {
            c[i].is_done = true;
            left--;
        } else if (before != UINT_MAX && before != c[i].range &&
                   c[i].range < sms) {
            CHECK_EQUAL(c[i].range, lowest);
        }
    }
    for (unsigned b = 0; b < sms * EACH; b++)
        CHECK_EQUAL(seen[b], 1);
    CHECK_EQUAL(atomic_load(&t->unclaimed), 0);
    free(t);
}

/* An SM that has none of the numbers, a spare one, takes the lowest. */
static void check_spare(void)
{
    unsigned char seen[SMS * EACH] = {0};
    struct exec_task *t = make_task(4, 8);
    struct claimer spare = {77, UINT_MAX, false}, own = {8, UINT_MAX, false},
                   other = {9, UINT_MAX, false};
    CHECK_EQUAL(claim_next(t, &spare, seen), 0);
    CHECK_EQUAL(claim_next(t, &other, seen), EACH);
    CHECK_EQUAL(claim_next(t, &own, seen), 2 * EACH);
    free(t);
}

/* The interpreter's blocks are one SM's; who goes on where it has stopped takes
 * the lowest, in order, whatever its number. */
static void check_whole_blocks(void)
{
    unsigned char seen[SMS * EACH] = {0};
    struct exec_task *t = make_task(4, 0);
    struct claimer first = {2, UINT_MAX, false}, other = {3, UINT_MAX, false};
    t->kernel.is_whole_block = true;
    claim_init(t, 4, 0);
    CHECK_EQUAL(claim_next(t, &first, seen), 0);
    CHECK_EQUAL(claim_next(t, &other, seen), EACH);
    free(t);
}

int main(void)
{
    check_whole_blocks();
    check_homes((unsigned[]){0, 1, 2, 3}, (unsigned[]){0, 1, 2, 3}, 4, 0);
    check_homes((unsigned[]){3, 2, 1, 0}, (unsigned[]){0, 2, 1, 3}, 4, 0);
    check_homes((unsigned[]){2, 0, 3, 1}, (unsigned[]){0, 2, 3, 1}, 4, 0);
    check_homes((unsigned[]){1, 3, 0, 2}, (unsigned[]){0, 3, 1, 2}, 4, 16);
    check_spare();
    for (unsigned sms = 2; sms <= SMS; sms += 17)
        for (unsigned coming = 1; coming <= sms; coming += sms / 4 + 1)
            check_all(sms, coming, 7);
    return check_result();
}
