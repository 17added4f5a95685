/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the search for loops that wait share: what changes from
 * iteration to iteration (cfg/induction.c), what a loop looks at
 * (spin_loops.c), what is written elsewhere (spin_alias.c), and whom a loop may
 * wait for (forward_progress.c). */
#ifndef WEFT_SIMT_WAITS_H
#define WEFT_SIMT_WAITS_H

#include "simt/internal.h"

/* What a function does by its text alone, callees included. */
enum simt_summary {
    SIMT_SUMMARY_VISITED = 1,
    SIMT_SUMMARY_WATCHES = 2, /* may look at what others write */
    SIMT_SUMMARY_WRITES = 4,
    SIMT_SUMMARY_WAITS = 8, /* has loops that wait */
};

/* An instruction, and the block that it is in. */
struct simt_place {
    uint32_t inst, block;
};

/* Of a kernel: with more polls nothing is written elsewhere. */
#define SIMT_POLLS 8

struct simt_waits {
    struct simt_work *w;
    struct simt_kernel *k;
    uint8_t *summary; /* by function */
    /* With which loops look at what they wait for, of all loops together; the
     * count may exceed the array. */
    struct simt_place polls[SIMT_POLLS];
    unsigned poll_count;
    bool has_hidden_polls; /* in functions that it calls */
    int way; /* that they look from what is written: -1, 1; 0: not known yet */
    /* --- the loop in question --- */
    const struct simt_loop *loop;
    uint64_t *seen; /* registers */
    uint32_t *stack;
    size_t stack_count;
    bool is_spinning; /* does nothing but look */
    bool is_counting; /* ends by a counter, whatever it sees */
    bool has_found;
    bool is_between_threads; /* not only by mbarriers */
    bool is_for_mbarrier;
};

/* One instruction, looked at alone. */
bool simt_is_write(const struct ptx_inst *in);
bool simt_is_imm(const struct ptx_operand *o, int64_t value);
bool simt_is_poll(const struct ptx_inst *in); /* may be such a look */
uint8_t simt_summary_of_call(const struct simt_waits *s,
                             const struct ptx_inst *in);

/* What one question may look at: the ways back multiply. */
enum { SIMT_TRIES_MAX = 20000 };

/* Counts the steps of looking through s->loop. */
static inline void simt_look_through(const struct simt_waits *s)
{
    for (uint32_t b = s->loop->first; b <= s->loop->last; b++)
        simt_can_go_on(s->w,
                       10 + 10 * (s->k->blocks[b].end - s->k->blocks[b].first));
}

/* ---- cfg/definitions.c
 * -------------------------------------------------------------- */

/* Where blocks [first, last] define the register, one place after the other:
 * for (struct simt_place at = simt_start(k, first);
 *      simt_find_def(k, reg, last, &at); at.inst++) */
static inline struct simt_place simt_start(const struct simt_kernel *k,
                                           uint32_t first)
{
    return (struct simt_place){k->blocks[first].first, first};
}
bool simt_find_def(const struct simt_kernel *k, uint32_t reg, uint32_t last,
                   struct simt_place *at);
/* The last one before `at` in its block. */
bool simt_find_def_above(const struct simt_kernel *k, uint32_t reg,
                         struct simt_place *at);
/* Before all these. */
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

/* ---- cfg/induction.c: of s->loop
 * ------------------------------------------------ */

/* Is it the same in all iterations? */
bool simt_is_invariant(const struct simt_waits *s, const struct ptx_operand *o);
/* Does every iteration come through the block? */
bool simt_is_in_every_iteration(const struct simt_waits *s, uint32_t block);
/* Does the block's branch end the loop when a counter is where it has to be? */
bool simt_counts_to_end(const struct simt_waits *s, uint32_t block);
/* Does every iteration make another value of the register that the instruction
 * reads, from its own last one? */
bool simt_moves_on(const struct simt_waits *s, uint32_t reg,
                   struct simt_place reader);

/* ---- spin_loops.c, spin_alias.c
 * ------------------------------------------------ */

/* Marks what s->loop looks at, adds it to the polls, and says of what sort
 * it is. */
void simt_find_polls(struct simt_waits *s);

/* Is the write, which a lane that is not in a loop comes to, none that any
 * poll of the kernel could wait for? Only as long as lanes do not come to one
 * of the blocks that are added to `leans_on`: they make what it leans on. */
bool simt_writes_elsewhere(struct simt_waits *s, uint32_t inst, uint32_t block,
                           uint64_t *leans_on);

#endif
