/* SPDX-License-Identifier: Apache-2.0 */
/* What the passes of simt/ share, for them alone. */
#ifndef WEFT_SIMT_INTERNAL_H
#define WEFT_SIMT_INTERNAL_H

#include "simt/simt.h"

/* ---- bit sets over blocks or registers ---------------------------------- */

/* Words of a set of numbers below n; it begins empty, as zeroed memory. */
static inline size_t bits_words(size_t n)
{
    return (n + 63) / 64;
}
/* One number, which must be below n. */
static inline bool bits_has(const uint64_t *set, size_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}
static inline void bits_add(uint64_t *set, size_t i)
{
    set[i / 64] |= UINT64_C(1) << (i % 64);
}
static inline void bits_remove(uint64_t *set, size_t i)
{
    set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}
/* Returns whether `to` grew. */
static inline bool bits_union(uint64_t *to, const uint64_t *from, size_t words)
{
    uint64_t grown = 0;
    for (size_t i = 0; i < words; i++) {
        grown |= from[i] & ~to[i];
        to[i] |= from[i];
    }
    return grown != 0;
}

/* ---- loops -------------------------------------------------------------- */

/* A strongly connected region, contiguous in the schedule: blocks
 * [first, last], entered at `first` (an irreducible one elsewhere as well).
 * Every retreating edge leads to the header of a loop around its source. */
struct simt_loop {
    uint32_t first, last;
    struct simt_loop *parent;
    bool is_irreducible;
};
/* Is block b part of the loop? */
static inline bool simt_is_inside(const struct simt_loop *l, uint32_t b)
{
    return b >= l->first && b <= l->last;
}

/* ---- values ------------------------------------------------------------- */

/* All lanes' values lie in [lo, hi], read as signed numbers of the register's
 * width. Full range: nothing known. */
struct simt_range {
    int64_t lo, hi;
};

/* A shape on its way to the fixed point. */
struct simt_value {
    bool is_known; /* false: no definition seen yet (optimistic top) */
    struct simt_shape shape;
    uint8_t zeros; /* low zero bits that every base has */
};

/* What is taken to hold, though nothing says so. */
enum simt_speculation {
    SIMT_SPECULATE_NOTHING,
    SIMT_SPECULATE_TOGETHER, /* lanes never part */
    SIMT_SPECULATE_MOSTLY, /* nor does what shape/speculation.c says about most
                              lanes fail */
};

struct simt_work {
    struct simt_kernel *k;
    struct diag *diag;
    struct simt_loop **loop_of; /* by block: innermost, or NULL */
    uint64_t **live_in;         /* by block: set of registers */
    uint64_t **live_pending;    /* by block: union of live_in over pending */
    struct simt_range *ranges;  /* by register */
    struct simt_value *values;  /* by register */
    uint64_t *forced_varying;   /* registers that must blend */
    enum simt_speculation speculation;
    struct map exits;              /* function -> 2: threads may exit, 1: not */
    uint64_t steps;                /* see simt_can_go_on */
    size_t reg_words, block_words; /* block sets have one bit more: returned */
};

/* Control flow that no program has could take for ever. Counts `steps`, some
 * nanosecond each; false: these were too many, the function is refused. */
static inline bool simt_can_go_on(struct simt_work *w, uint64_t steps)
{
    w->steps += steps;
    return w->steps <= UINT64_C(4000000000);
}

/* ---- passes, in order --------------------------------------------------- */

/* Splits the body into blocks with edges, in text order. False: refused. */
bool simt_find_blocks(struct simt_work *w);
/* Puts them into schedule order: loops contiguous, headers first, otherwise
 * topological, text order where there is a choice. Drops unreachable ones.
 * False: simt_can_go_on says no. */
bool simt_order_blocks(struct simt_work *w);
/* May some lanes not come back from this instruction, a call? */
bool simt_call_may_exit(struct simt_work *w, const struct ptx_inst *in);
/* Which local memory is interleaved; before shapes. */
void simt_find_interleaved(struct simt_work *w);
/* Immediate dominators and post-dominators. False: as above. */
bool simt_find_dominators(struct simt_work *w);
/* Does every way to b lead through a? */
bool simt_dominates(const struct simt_kernel *k, uint32_t a, uint32_t b);
/* Is `from` the only predecessor of `to`, back edges aside? */
bool simt_is_only_way(const struct simt_kernel *k, uint32_t from, uint32_t to);
void simt_find_liveness(struct simt_work *w);
/* Sets SIMT_DEAD; after liveness. */
void simt_find_dead(struct simt_work *w);
void simt_find_ranges(struct simt_work *w);
/* Shapes given forced_varying; true if any changed. */
bool simt_find_shapes(struct simt_work *w);
/* Fills simt_kernel.speculative and its like, once the shapes stand. */
void simt_find_speculative_shapes(struct simt_work *w);
/* Ends, pending sets and gotos given shapes; adds to forced_varying and
 * returns true if that grew, unless simt_can_go_on says no. */
bool simt_schedule(struct simt_work *w);
/* For simt_kernel.varying_bytes. */
unsigned simt_find_pressure(const struct simt_work *w);
/* Mask variables, fullness, blends: once the shapes stand. */
void simt_place_masks(struct simt_work *w);

/* A barrier of the block that all who come there wait at. */
static inline bool simt_is_block_barrier(const struct ptx_inst *in)
{
    return ptx_is_barrier(in) && in->guard == PTX_NO_REG &&
           in->sub != PTX_SUB_arrive && in->sub != PTX_SUB_warp;
}
/* Fills simt_block.apart. */
void simt_find_apart(struct simt_work *w);
/* progress/divergent_sync.c: while some lanes of a warp wait in the loop at an
 * mbarrier, may others have still to arrive at one? */
bool simt_arrives_divergently(const struct simt_work *w,
                              const struct simt_loop *loop);
/* May lanes that have left the loop name those inside, and they them? */
bool simt_has_divergent_votes(const struct simt_work *w,
                              const struct simt_loop *loop);
/* progress/collectives.c: may lanes of one collective be at different places?
 */
bool simt_has_divergent_collectives(const struct simt_work *w);
/* Could it be so, by the function's text alone? */
bool simt_may_diverge_collectives(const struct ptx_func *f);
/* Loops that wait: last of all. */
void simt_find_waits(struct simt_work *w);
/* Fills simt_kernel.costs and block_times. */
void simt_find_costs(const struct simt_work *w);
/* Writes to what other warps may still have to read. */
void simt_find_hazards(struct simt_work *w);

/* ---- shared by ranges and shapes ---------------------------------------- */

/* Of a register; a predicate has one. */
static inline unsigned simt_width_bits(enum ptx_type t)
{
    return t == PTX_TYPE_pred ? 1 : ptx_type_size(t) * 8;
}
/* May it be any number of so many bits? */
bool simt_range_is_full(struct simt_range r, unsigned bits);
/* The range of a source operand; bits is the operand's width. */
struct simt_range simt_operand_range(const struct simt_work *w,
                                     const struct ptx_operand *o,
                                     unsigned bits);
/* True and *value if the operand is one number in every lane. */
bool simt_operand_constant(const struct simt_work *w,
                           const struct ptx_operand *o, unsigned bits,
                           int64_t *value);
/* What the result's shape mostly is where it cannot be told
 * (shape/speculation.c): of an instruction with these first sources, of one of
 * two values. */
struct simt_value simt_speculate(struct simt_work *w, const struct ptx_inst *in,
                                 struct simt_value a, struct simt_value b);
struct simt_value simt_speculate_either(struct simt_value a,
                                        struct simt_value b);
/* What one instruction makes of its operands' shapes (shape/transfer.c). */
struct simt_value simt_transfer(struct simt_work *w, const struct ptx_inst *in,
                                unsigned dest, uint8_t *flags);
struct simt_value simt_address_value(struct simt_work *w,
                                     const struct ptx_operand *o);
struct simt_value simt_sreg_value(const struct simt_spec *spec,
                                  enum ptx_sreg sreg);
struct simt_value simt_view(struct simt_value v, unsigned group);

#endif
