/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the search for loops that wait: what changes between
 * iterations (cfg/induction.c), what a loop polls (spin_loops.c), what is
 * written elsewhere (spin_alias.c), whom a loop may wait for
 * (forward_progress.c). */
#ifndef WEFT_SIMT_WAITS_H
#define WEFT_SIMT_WAITS_H

#include "simt/internal.h"

/* What a function does by its text, callees included. */
enum simt_summary {
    SIMT_SUMMARY_VISITED = 1,
    SIMT_SUMMARY_WATCHES = 2, /* may read what others write */
    SIMT_SUMMARY_WRITES = 4,
    SIMT_SUMMARY_WAITS = 8, /* has loops that wait */
};

/* An instruction, and its block. */
struct simt_place {
    uint32_t inst, block;
};

/* In a kernel with more polls, every write may be waited for. */
#define SIMT_POLLS 8

struct simt_waits {
    struct simt_work *w;
    struct simt_kernel *k;
    uint8_t *summary; /* by function */
    /* Reads by which the kernel's loops see what they wait for. The count may
     * exceed the array. */
    struct simt_place polls[SIMT_POLLS];
    unsigned poll_count;
    bool has_hidden_polls; /* in functions that it calls */
    /* the direction in which they read from what is written: -1, 1; 0: not
     * known yet */
    int way;
    /* --- the loop in question --- */
    const struct simt_loop *loop;
    uint64_t *seen; /* registers */
    uint32_t *stack;
    size_t stack_count;
    bool is_spinning; /* does nothing but poll */
    bool is_counting; /* a counter ends it, whatever it reads */
    bool has_found;
    bool is_between_threads; /* not only by mbarriers */
    bool is_for_mbarrier;
};

/* One instruction by itself: may it write memory, may it be a poll? */
bool simt_is_write(const struct ptx_inst *in);
bool simt_is_imm(const struct ptx_operand *o, int64_t value);
bool simt_is_poll(const struct ptx_inst *in); /* may be a poll */
uint8_t simt_summary_of_call(const struct simt_waits *s,
                             const struct ptx_inst *in);

/* Most places that one question may visit, as the ways back multiply. */
enum { SIMT_TRIES_MAX = 20000 };

/* Counts the steps of a visit to all of s->loop. */
static inline void simt_look_through(const struct simt_waits *s)
{
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        simt_can_go_on(s->w,
                       10 + 10 * (s->k->blocks[b].end - s->k->blocks[b].first));
}

/* ---- cfg/definitions.c -------------------------------------------------- */

/* The places where blocks [first, last] define the register, one after the
 * other:
 *     for (struct simt_place at = simt_start(k, first);
 *          simt_find_def(k, reg, last, &at); at.inst++) */
static inline struct simt_place simt_start(const struct simt_kernel *k,
                                           uint32_t first)
{
    return (struct simt_place){k->blocks[first].first, first};
}
bool simt_find_def(const struct simt_kernel *k, uint32_t reg, uint32_t last,
                   struct simt_place *at);
/* The last definition before `at` in its block. False: there is none. */
bool simt_find_def_above(const struct simt_kernel *k, uint32_t reg,
                         struct simt_place *at);
/* To be called before the three above. */
void simt_find_defs(struct simt_waits *s);

/* The beginning of s->loop. */
static inline struct simt_place simt_start_inside(const struct simt_waits *s)
{
    return simt_start(s->k, s->loop->first);
}
#define simt_for_each_def_inside(s, reg, at)                                   \
    for (struct simt_place at = simt_start_inside(s);                          \
         simt_can_go_on((s)->w, 100) &&                                        \
         simt_find_def((s)->k, (reg), (s)->loop->last, &at);                   \
         at.inst++)

/* ---- cfg/induction.c: of s->loop ---------------------------------------- */

/* Is the operand the same in all iterations? */
bool simt_is_invariant(const struct simt_waits *s, const struct ptx_operand *o);
/* Does every iteration pass the block? */
bool simt_is_in_every_iteration(const struct simt_waits *s, uint32_t block);
/* Does the block's branch end the loop when a counter has reached its
 * limit? */
bool simt_counts_to_end(const struct simt_waits *s, uint32_t block);
/* Does every iteration give the register that the instruction reads a new
 * value, made from the last one? */
bool simt_moves_on(const struct simt_waits *s, uint32_t reg,
                   struct simt_place reader);

/* ---- spin_loops.c, spin_alias.c ----------------------------------------- */

/* Marks what s->loop polls, adds it to the polls, and sets the loop's
 * properties above. */
void simt_find_polls(struct simt_waits *s);

/* Is the write, in a block outside of loops, certainly none that a poll of the
 * kernel waits for? Only as long as lanes do not come to the blocks that are
 * added to `leans_on`, which compute what this relies on. */
bool simt_writes_elsewhere(struct simt_waits *s, uint32_t inst, uint32_t block,
                           uint64_t *leans_on);

#endif
