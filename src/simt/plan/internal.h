/* SPDX-License-Identifier: Apache-2.0 */
/* What the decisions share. Each is one file with one function, which fills
 * its part of the plan and says what it did. */
#ifndef WEFT_SIMT_PLAN_INTERNAL_H
#define WEFT_SIMT_PLAN_INTERNAL_H

#include "simt/internal.h"
#include "simt/plan/plan.h"

/* Makes a note; plan_refuse and plan_*_refused: that the decision was not made,
 * and why. */
void plan_note(struct simt_plan *p, struct simt_note note);
static inline void plan_take(struct simt_plan *p, uint32_t inst,
                             enum simt_decision d)
{
    plan_note(p, (struct simt_note){SIMT_OF_INST, inst, d, SIMT_TAKEN, 0});
}
static inline void plan_refuse(struct simt_plan *p, uint32_t inst,
                               enum simt_decision d, enum simt_reason why)
{
    assert(why != SIMT_TAKEN);
    plan_note(p, (struct simt_note){SIMT_OF_INST, inst, d, why, 0});
}

#define plan_for_each_inst(k, b, i)                                            \
    for (uint32_t b = 0; b < (k)->block_count; b++)                            \
        for (uint32_t i = (k)->blocks[b].first; i < (k)->blocks[b].end; i++)

/* ---- the decisions, in order -------------------------------------------- */

void plan_lanes(struct simt_plan *p);           /* lanes.c */
void plan_in_step(struct simt_plan *p);         /* in_step.c */
void plan_merged(struct simt_plan *p);          /* merged.c */
void plan_accesses(struct simt_plan *p);        /* access.c */
void plan_grid_stride(struct simt_plan *p);     /* grid_stride.c */
void plan_prefetches(struct simt_plan *p);      /* prefetch.c */
void plan_nontemporal(struct simt_plan *p);     /* nontemporal.c */
void plan_privatised(struct simt_plan *p);      /* privatised.c */
void plan_full_copies(struct simt_plan *p);     /* full_copy.c */
void plan_histograms(struct simt_plan *p);      /* histogram.c */
void plan_flushing(struct simt_plan *p);        /* flush_mode.c */
void plan_redundant_flushes(struct simt_plan *p); /* redundant_flushes.c */
void plan_nans(struct simt_plan *p);            /* nan.c */
void plan_next_block(struct simt_plan *p);      /* next_block.c */
void plan_grid_rows(struct simt_plan *p);       /* grid_rows.c */
void plan_split(struct simt_plan *p);           /* split.c */
void plan_tickets(struct simt_plan *p);         /* ticket.c */
void plan_atomics(struct simt_plan *p);         /* atomic.c */
void plan_arrivals(struct simt_plan *p);        /* arrivals.c */
void plan_registers(struct simt_plan *p);       /* registers.c */
void plan_rematerialised(struct simt_plan *p);  /* rematerialised.c */
void plan_affine_compares(struct simt_plan *p); /* affine_compare.c */
void plan_base_indices(struct simt_plan *p);    /* base_index.c */
void plan_guard_copies(struct simt_plan *p);    /* guard_copy.c */
void plan_plain_if_full(struct simt_plan *p);   /* plain_if_full.c */
void plan_alignment(struct simt_plan *p);       /* alignment.c */
void plan_lockstep(struct simt_plan *p);        /* lockstep.c */

/* ---- what several ask ---------------------------------------------------- */

/* lockstep.c: is the kernel short and simple enough? Its plan tells more. */
bool plan_may_be_lockstep(const struct simt_kernel *k);

/* grid_stride.c: does the access go to neighbouring elements of global memory,
 * lane by lane? */
bool plan_is_neighbouring(const struct simt_kernel *k, uint32_t i);
/* compressed.c: may active lanes store elements of `size` bytes side by side,
 * as far as is known about the address of store i? */
bool plan_may_compress(struct simt_plan *p, uint32_t i, unsigned size);
/* affine_compare.c: do lanes leave the block by that edge if an affine
 * comparison holds? */
bool plan_is_affine_exit(const struct simt_kernel *k, uint32_t b, unsigned edge,
                         struct simt_affine_compare *out);
/* The same, if `test` has made the condition and its operands are still there.
 */
bool plan_is_affine_exit_by(const struct simt_kernel *k, uint32_t b,
                            unsigned edge, const struct ptx_inst *test,
                            struct simt_affine_compare *out);
/* atomic.c: can operands of several lanes be combined before memory is
 * accessed? is_used: what memory held is used. */
bool plan_is_associative(const struct ptx_inst *inst, bool is_used);
/* Bytes that the instruction moves for each lane. */
unsigned plan_bytes_of(const struct ptx_inst *in);

#endif
