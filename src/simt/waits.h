/* SPDX-License-Identifier: Apache-2.0 */
/* What the three parts of the search for loops that wait share: what a loop
 * looks at (watch.c), what is written elsewhere (elsewhere.c), and whom a loop
 * may wait for (wait.c). */
#ifndef WEFT_SIMT_WAITS_H
#define WEFT_SIMT_WAITS_H

#include "simt/internal.h"

/* What a function does by its text alone, callees included. */
enum simt_summary {
    SIMT_SUMMARY_VISITED = 1,
    SIMT_SUMMARY_WATCHES = 2, /* may look at what others write */
    SIMT_SUMMARY_WRITES = 4,
};

/* An instruction with which a loop looks at what it waits for. */
struct simt_watch {
    uint32_t inst, block;
};

#define SIMT_WATCHES                                                           \
    8 /* of a kernel; with more nothing is written elsewhere                   \
       */

struct simt_waits {
    struct simt_work *w;
    struct simt_kernel *k;
    uint8_t *summary; /* by function */
    /* Of all loops together; the count may exceed the array. */
    struct simt_watch watches[SIMT_WATCHES];
    unsigned watch_count;
    bool has_hidden_watches; /* in functions that it calls */
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
bool simt_is_strong(const struct ptx_inst *in); /* expects others to write */
bool simt_is_write(const struct ptx_inst *in);
bool simt_is_imm(const struct ptx_operand *o, int64_t value);
bool simt_is_watching(const struct ptx_inst *in); /* may be such a look */
uint8_t simt_summary_of_call(const struct simt_waits *s,
                             const struct ptx_inst *in);

/* Is block b part of the loop? Does every way to b lead through a? */
static inline bool simt_is_inside(const struct simt_loop *l, uint32_t b)
{
    return b >= l->first && b <= l->last;
}
bool simt_dominates(const struct simt_kernel *k, uint32_t a, uint32_t b);
/* Does nobody come to `to` but from `from`, and back from behind it? */
bool simt_is_only_way(const struct simt_kernel *k, uint32_t from, uint32_t to);

/* Does every iteration of s->loop come through the block? */
bool simt_is_in_every_iteration(const struct simt_waits *s, uint32_t block);

/* Marks what s->loop looks at, adds it to the watches, and says of what sort
 * it is. */
void simt_find_watches(struct simt_waits *s);

/* Is the write, which a lane that is not in a loop comes to, none that any
 * watch of the kernel could wait for? Only as long as lanes do not come to one
 * of the blocks that are added to `leans_on`: they make what it leans on. */
bool simt_writes_elsewhere(struct simt_waits *s, uint32_t inst, uint32_t block,
                           uint64_t *leans_on);

#endif
