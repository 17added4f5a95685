/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Masks (<lanes x i1>, NULL: all lanes), branches, a function's variables, and
 * loops over lanes.
 */
#ifndef WEFT_EMIT_MASKS_H
#define WEFT_EMIT_MASKS_H

#include "emit/core/state.h"

/* ---- mask.c: masks, branches, loops over lanes ------------------------- */

/* The mask with all lanes of a warp. */
LLVMValueRef emit_all_ones(struct emit *e);
LLVMValueRef emit_mask(struct emit *e);                         /* never NULL */
LLVMValueRef emit_mask_bits(struct emit *e, LLVMValueRef mask); /* i32 */
/* The lowest lane of such bits, some lane if there is none. */
LLVMValueRef emit_lowest_lane(struct emit *e, LLVMValueRef bits); /* i32 */
LLVMValueRef emit_any(struct emit *e, LLVMValueRef mask);       /* i1 */
/* Is a lane of any warp of the coarse warp active (i1)? A NULL mask: yes. */
LLVMValueRef emit_any_of_coarse_warp(struct emit *e,
                                     const struct emit_masks *masks);
LLVMValueRef emit_all(struct emit *e, LLVMValueRef mask); /* i1 */
LLVMValueRef emit_and_mask(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMBasicBlockRef emit_new_block(struct emit *e, const char *name);
void emit_goto_new(struct emit *e, LLVMBasicBlockRef bb);
LLVMValueRef emit_mask_of_bits(struct emit *e, LLVMValueRef bits);
/* The value in the last active lane. */
LLVMValueRef emit_last_active(struct emit *e, LLVMValueRef vector);
/* An alloca in the entry block of the function. */
LLVMValueRef emit_alloca(struct emit *e, LLVMTypeRef type, unsigned align,
                         const char *name);
/* A variable that holds `first` from the end of `begin` on. begin: f->allocas,
 * once in a call; f->prologue, anew for each warp. */
LLVMValueRef emit_kept(struct emit *e, LLVMBasicBlockRef begin,
                       LLVMValueRef first, const char *name);
enum emit_likely { EMIT_EVEN, EMIT_LIKELY, EMIT_UNLIKELY };
void emit_branch(struct emit *e, LLVMValueRef condition, LLVMBasicBlockRef yes,
                 LLVMBasicBlockRef no, enum emit_likely likely);
/* A vector in memory, to be indexed by a lane that is known at run time. */
LLVMValueRef emit_spill(struct emit *e, LLVMValueRef vector);
LLVMValueRef emit_spilled_lane(struct emit *e, LLVMValueRef memory,
                               LLVMTypeRef scalar, LLVMValueRef lane);
void emit_store_lane(struct emit *e, LLVMValueRef memory, LLVMTypeRef scalar,
                     LLVMValueRef lane, LLVMValueRef value);
LLVMValueRef emit_unspill(struct emit *e, LLVMValueRef memory,
                          LLVMTypeRef scalar);
/* Runs the code emitted between begin and end for each set bit of the mask. */
struct emit_lane_loop {
    LLVMBasicBlockRef head, body, done;
    LLVMValueRef bits_var, lane;
};
void emit_lane_loop_begin(struct emit *e, struct emit_lane_loop *loop,
                          LLVMValueRef mask);
void emit_lane_loop_end(struct emit *e, struct emit_lane_loop *loop);
/* The same for the bits of an i32. */
void emit_bit_loop_begin(struct emit *e, struct emit_lane_loop *loop,
                         LLVMValueRef bits);

#endif
