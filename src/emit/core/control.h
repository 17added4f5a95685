/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions with their guards, the ways from block to block, and functions.
 */
#ifndef WEFT_EMIT_CONTROL_H
#define WEFT_EMIT_CONTROL_H

#include "emit/core/state.h"

/* ---- guard.c, dispatch.c ----------------------------------------------- */

/* Emits instructions [first, end) of the current block; its terminator is
 * left to control.c. */
void emit_instructions(struct emit *e, uint32_t first, uint32_t end);
/* `fn` for all lanes of each warp of the coarse warp, with its mask and blend.
 */
void emit_each_warp(struct emit *e, const struct ptx_inst *inst,
                    void (*fn)(struct emit *, const struct ptx_inst *));
/* The guard's value for the lanes of the current mode; is it a mask? As a
 * scalar, or NULL where there is none, or it is a mask. */
LLVMValueRef emit_read_guard(struct emit *e, const struct ptx_inst *inst);
bool emit_has_varying_guard(struct emit *e, const struct ptx_inst *inst);
LLVMValueRef emit_uniform_guard(struct emit *e, const struct ptx_inst *inst);
/* Turns to all lanes of a warp of the coarse warp, and its mask. */
void emit_select_warp(struct emit *e, unsigned warp);

/* ---- overflow.c -------------------------------------------------------- */

/* Around the scalars of a conditional destination. */
LLVMValueRef emit_begin_conditional(struct emit *e, const struct ptx_inst *inst,
                                    void (*fn)(struct emit *,
                                               const struct ptx_inst *));
void emit_end_conditional(struct emit *e, const struct ptx_inst *inst,
                          LLVMValueRef ok);

/* ---- control.c: blocks and their ends ---------------------------------- */

/* Expects the builder in the prologue; leaves every block terminated. */
void emit_body(struct emit *e);
/* Blocks [first, end) of it. */
void emit_make_blocks(struct emit *e, uint32_t first, uint32_t end);
void emit_blocks(struct emit *e, uint32_t first, uint32_t end);

/* ---- split.c, frame.c -------------------------------------------------- */

/* Stands for emit_body() where simt_split_insts() is not 0. */
void emit_split_body(struct emit *e);
/* Of the part at hand: does the block belong to another one? */
bool emit_is_outside(struct emit *e, uint32_t block);
/* A block that leads there. */
LLVMBasicBlockRef emit_way_out(struct emit *e, uint32_t block, bool is_check);

/* ---- function.c, entry.c, callee.c ------------------------------------- */

/* Makes e->f, the function at hand, for `value`, and ends it: between the two,
 * its body. The others emit a kernel, a device function; declare: the LLVM
 * function of one, which is emitted later. False: the diag says why. */
void emit_begin_function(struct emit *e, const struct simt_plan *plan,
                         LLVMValueRef value);
void emit_end_function(struct emit *e);
bool emit_entry(struct emit *e, const struct simt_plan *plan);
bool emit_device_function(struct emit *e, const struct ptx_func *func);
LLVMValueRef emit_declare_function(struct emit *e, const struct ptx_func *func);
/* A part's function becomes the one at hand: split.c. */
void emit_begin_split_function(struct emit *e, LLVMValueRef value);
void emit_find_entry_masks(struct emit *e);
/* Room for the pointers to a device function's parameters and results. */
void emit_make_params(struct emit *e);

/* ---- lockstep.c ---------------------------------------------------------- */

/* Functions that run 32 threads together, and some one by one; and what a call
 * knows of how long it goes without trying. */
struct emit_lockstep {
    LLVMValueRef together, alone, wait_var, penalty_var;
};

/* Makes the functions of a plan with plan->lockstep. */
void emit_lockstep_functions(struct emit *e, const struct simt_plan *plan,
                             struct emit_lockstep *l);
/* Expects the builder where thread `index` of `end` is next: runs 32 from there
 * together if that can be, and goes to `ran`. Else it runs some one by one, and
 * returns the number of the first that is left. `block`: for messages. */
LLVMValueRef emit_try_lockstep(struct emit *e, const struct emit_lockstep *l,
                               LLVMValueRef block, LLVMValueRef index,
                               LLVMValueRef end, LLVMBasicBlockRef ran);
/* At the start and the end of a call. */
void emit_begin_lockstep(struct emit *e, struct emit_lockstep *l);
void emit_end_lockstep(struct emit *e, const struct emit_lockstep *l);

/* entry.c: a coarse warp's number as LLVM knows most of it; and for messages
 * about faults and asserts. */
LLVMValueRef emit_coarse_index(struct emit *e, LLVMValueRef index);
void emit_note_position(struct emit *e, LLVMValueRef block, LLVMValueRef warp);

/* ---- affine_compare.c -------------------------------------------------- */

/* A scalar that is true only if the comparison is in all lanes of the coarse
 * warp. */
LLVMValueRef emit_affine_compare(struct emit *e,
                                 const struct simt_affine_compare *q);

/* ---- grid_stride.c ----------------------------------------------------- */

/* At the head of a loop that takes turns: lets the other warps catch up. */
void emit_take_turns(struct emit *e);

/* ---- flush_mode.c ------------------------------------------------------ */

/* The entry that turns flushing on around the body. */
void emit_flush_mode_entry(struct emit *e, LLVMValueRef body);

#endif
