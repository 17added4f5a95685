/* SPDX-License-Identifier: Apache-2.0 */
/* What the passes of simt/ share, for them alone. */
#ifndef WEFT_SIMT_INTERNAL_H
#define WEFT_SIMT_INTERNAL_H

#include "simt/simt.h"

/* ---- bit sets over blocks or registers ---------------------------------- */

/* Words of a set of numbers below n. A set of zeroed words is empty. */
static inline size_t bits_words(size_t n)
{
    return (n + 63) / 64;
}
/* `i` must be below the set's n. */
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
/* Adds `from` to `to`. True: `to` grew. */
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

/* A strongly connected region of the schedule: blocks [first, last], entered
 * at `first` (an irreducible one elsewhere as well). Every edge back leads to
 * the header of a loop around its source. */
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

/* All lanes' values are in [lo, hi], as signed numbers of the register's
 * width. The full range means that nothing is known. */
struct simt_range {
    int64_t lo, hi;
};

/* A shape on its way to the fixed point. */
struct simt_value {
    bool is_known; /* false: no definition seen yet (the top) */
    struct simt_shape shape;
    uint8_t zeros; /* number of low bits that are 0 in every base */
};

/* What a speculative shape takes for granted. */
enum simt_speculation {
    SIMT_SPECULATE_NOTHING,
    SIMT_SPECULATE_TOGETHER, /* that lanes never part */
    /* that, and what shape/speculation.c says of most lanes */
    SIMT_SPECULATE_MOSTLY,
};

/* Offsets that an address may have, [lo, hi]. */
struct simt_span {
    int64_t lo, hi;
};

/* shape/addresses.c: which registers are addresses of a function's own memory.
 * A root is a .local variable, or all that a parameter points to. */
struct simt_addresses {
    const struct ptx_func *func;
    /* NULL: of the function's .local variables. Otherwise of what this
     * parameter, a pointer, points to: root 0. */
    const struct ptx_var *param;
    /* by register: 1 + the root that it points into (0: none), and where */
    uint32_t *into;
    struct simt_span *at;
    bool *is_told; /* by root: an address reaches a place that is not known */
    uint8_t *growth;
    bool has_grown;
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
    uint64_t *constant_registers; /* and those that never need to */
    enum simt_speculation speculation;
    struct simt_addresses *addresses; /* NULL: no local memory, or one lane */
    struct simt_local *local; /* shape/uniform_local.c; NULL: nothing known */
    struct map exits;              /* function -> 2: threads may exit, 1: not */
    uint64_t steps;                /* see simt_can_go_on */
    size_t reg_words, block_words; /* block sets have one bit more: returned */
};

/* Some control flow, which no real program has, could take very long. Counts
 * `steps` of a few nanoseconds. False: there were too many, and the function
 * is refused. */
static inline bool simt_can_go_on(struct simt_work *w, uint64_t steps)
{
    w->steps += steps;
    return w->steps <= UINT64_C(4000000000);
}

/* ---- passes, in order --------------------------------------------------- */

/* Splits the body into blocks with edges, in text order. False: the function
 * is refused. */
bool simt_find_blocks(struct simt_work *w);
/* Puts blocks into schedule order: loops contiguous, headers first, otherwise
 * topological, in text order where there is a choice. Drops unreachable
 * blocks. False: as simt_can_go_on. */
bool simt_order_blocks(struct simt_work *w);
/* May some lanes not return from this instruction, a call? */
bool simt_call_may_exit(struct simt_work *w, const struct ptx_inst *in);
/* Finds the registers that hold one constant wherever they are defined. */
void simt_find_constant_registers(struct simt_work *w);
/* Is it a .local variable of the function? */
bool simt_is_own_local(const struct ptx_func *f, const struct ptx_var *var);
/* Finds all registers that may be addresses; `a` has func and param. */
void simt_follow_addresses(struct arena *arena, struct simt_addresses *a);
/* A copy: what is told to it is not told to `a`. */
struct simt_addresses simt_same_addresses(struct arena *arena,
                                          const struct simt_addresses *a);
/* 1 + the root that the operand points into, *at where; 0: none. */
uint32_t simt_points_into(const struct simt_addresses *a,
                          const struct ptx_operand *o, struct simt_span *at);
/* 1 + the root that the result certainly points into; 0: none, or the address
 * is combined with something else. */
uint32_t simt_result_into(const struct simt_addresses *a,
                          const struct ptx_inst *in);
/* Is it a comparison or a difference of two addresses in one variable? */
bool simt_compares_addresses(const struct simt_addresses *a,
                             const struct ptx_inst *in);
/* Marks roots told: those of registers that are given something else here;
 * those of operands. */
void simt_check_definitions(struct simt_addresses *a,
                            const struct ptx_inst *in);
void simt_tell_all(struct simt_addresses *a, const struct ptx_operand *o,
                   unsigned count);
/* Chooses the local memory to interleave; before shapes are found. Leaves
 * simt_work.addresses. */
void simt_find_interleaved(struct simt_work *w);
/* Finds which loads may be uniform, and what writes their bytes. */
void simt_find_uniform_local(struct simt_work *w);
/* Does this load, whose address has this shape, read the same in all lanes,
 * as far as shapes tell? */
bool simt_loads_uniform(struct simt_work *w, const struct ptx_inst *in,
                        struct simt_value address);
/* Makes registers varying that are loaded from bytes which lanes have written
 * one after the other. True: forced_varying grew. */
bool simt_force_local(struct simt_work *w);
/* Finds immediate dominators and post-dominators. False: as simt_can_go_on. */
bool simt_find_dominators(struct simt_work *w);
/* Does every way to b lead through a? */
bool simt_dominates(const struct simt_kernel *k, uint32_t a, uint32_t b);
/* Is `from` the only predecessor of `to`, back edges aside? */
bool simt_is_only_way(const struct simt_kernel *k, uint32_t from, uint32_t to);
void simt_find_liveness(struct simt_work *w);
/* Sets SIMT_DEAD; needs liveness. */
void simt_find_dead(struct simt_work *w);
void simt_find_ranges(struct simt_work *w);
/* Finds shapes with the present forced_varying. True: some changed. */
bool simt_find_shapes(struct simt_work *w);
/* Fills in simt_kernel.speculative and its like, once shapes are final. */
void simt_find_speculative_shapes(struct simt_work *w);
/* Finds ends, pending sets and gotos with the present shapes. True:
 * forced_varying grew; never after simt_can_go_on has failed. */
bool simt_schedule(struct simt_work *w);
/* Computes simt_kernel.varying_bytes. */
unsigned simt_find_pressure(const struct simt_work *w);
/* Assigns mask variables, finds full blocks and blends, once shapes are
 * final. */
void simt_place_masks(struct simt_work *w);

/* Is it a barrier of the block at which all who come there wait? */
static inline bool simt_is_block_barrier(const struct ptx_inst *in)
{
    return ptx_is_barrier(in) && in->guard == PTX_NO_REG &&
           in->sub != PTX_SUB_arrive && in->sub != PTX_SUB_warp;
}
/* Fills in simt_block.apart. */
void simt_find_apart(struct simt_work *w);
/* progress/divergent_sync.c: may lanes still have to arrive at an mbarrier
 * while others of their warp wait for one in the loop? */
bool simt_arrives_divergently(const struct simt_work *w,
                              const struct simt_loop *loop);
/* May lanes that have left the loop name lanes inside as members, and these
 * them? */
bool simt_has_divergent_votes(const struct simt_work *w,
                              const struct simt_loop *loop);
/* progress/collectives.c: may the lanes of one collective be at different
 * instructions? */
bool simt_has_divergent_collectives(const struct simt_work *w);
/* Could they be, by the text of the function alone? */
bool simt_may_diverge_collectives(const struct ptx_func *f);
/* Finds loops that wait; the last analysis. */
void simt_find_waits(struct simt_work *w);
/* Fills in simt_kernel.costs and block_times. */
void simt_find_costs(const struct simt_work *w);
/* Finds writes to what other warps may still have to read. */
void simt_find_hazards(struct simt_work *w);

/* ---- shared by ranges and shapes ---------------------------------------- */

/* Is it one number in all lanes: a constant, or a register that is? */
static inline bool simt_is_uniform_operand(const struct simt_kernel *k,
                                           const struct ptx_operand *o)
{
    return o->kind == PTX_OPERAND_imm ||
           (o->kind == PTX_OPERAND_reg && simt_is_uniform(k->shapes[o->reg]));
}
/* May it be any number of this many bits? */
bool simt_range_is_full(struct simt_range r, unsigned bits);
/* The range of a source operand that is `bits` wide. */
struct simt_range simt_operand_range(const struct simt_work *w,
                                     const struct ptx_operand *o,
                                     unsigned bits);
/* True: the operand is one number in all lanes, *value. */
bool simt_operand_constant(const struct simt_work *w,
                           const struct ptx_operand *o, unsigned bits,
                           int64_t *value);
/* shape/speculation.c: the shape that a result mostly has, where it cannot be
 * known: of an instruction with these first sources; of one of two values. */
struct simt_value simt_speculate(struct simt_work *w, const struct ptx_inst *in,
                                 struct simt_value a, struct simt_value b);
struct simt_value simt_speculate_either(struct simt_value a,
                                        struct simt_value b);
/* shape/transfer.c: the shape of an instruction's result, from those of its
 * operands. */
struct simt_value simt_transfer(struct simt_work *w, const struct ptx_inst *in,
                                unsigned dest, uint8_t *flags);
struct simt_value simt_address_value(struct simt_work *w,
                                     const struct ptx_operand *o);
struct simt_value simt_sreg_value(const struct simt_spec *spec,
                                  enum ptx_sreg sreg);
struct simt_value simt_view(struct simt_value v, unsigned group);

#endif
