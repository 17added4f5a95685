/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions with their guards, the ways from block to block, and functions.
 */
#ifndef WEFT_EMIT_CONTROL_H
#define WEFT_EMIT_CONTROL_H

#include "emit/core/state.h"

/* ---- guard.c, dispatch.c ----------------------------------------------- */

/* Emits instructions [first, end) of the current block, without its
 * terminator, which is control.c's. */
void emit_instructions(struct emit *e, uint32_t first, uint32_t end);
/* Emits an instruction that the plan has taken from its place. */
void emit_instruction_late(struct emit *e, uint32_t i);
/* Runs `fn` for each warp of the coarse warp, with its mask and blend. */
void emit_each_warp(struct emit *e, const struct ptx_inst *inst,
                    void (*fn)(struct emit *, const struct ptx_inst *));
/* read: the guard for the lanes that are computed. has_varying: is it a mask?
 * uniform: as a scalar; NULL: there is none, or it is a mask. */
LLVMValueRef emit_read_guard(struct emit *e, const struct ptx_inst *inst);
bool emit_has_varying_guard(struct emit *e, const struct ptx_inst *inst);
LLVMValueRef emit_uniform_guard(struct emit *e, const struct ptx_inst *inst);
/* Makes a warp of the coarse warp current, with all its lanes and its mask. */
void emit_select_warp(struct emit *e, unsigned warp);

/* ---- overflow.c -------------------------------------------------------- */

/* To be called before and after the scalars of a conditional destination. */
LLVMValueRef emit_begin_conditional(struct emit *e, const struct ptx_inst *inst,
                                    void (*fn)(struct emit *,
                                               const struct ptx_inst *));
void emit_end_conditional(struct emit *e, const struct ptx_inst *inst,
                          LLVMValueRef ok);

/* ---- control.c: blocks and their ends ---------------------------------- */

/* Expects the builder in the prologue; terminates every block. */
void emit_body(struct emit *e);
/* Makes the LLVM blocks of blocks [first, end), and emits them. */
void emit_make_blocks(struct emit *e, uint32_t first, uint32_t end);
void emit_blocks(struct emit *e, uint32_t first, uint32_t end);

/* ---- split.c, frame.c -------------------------------------------------- */

/* Takes the place of emit_body() if simt_split_insts() is not 0. */
void emit_split_body(struct emit *e);
/* Is the block in another part than the current one? */
bool emit_is_outside(struct emit *e, uint32_t block);
/* An LLVM block that leads to a block of another part. */
LLVMBasicBlockRef emit_way_out(struct emit *e, uint32_t block, bool is_check);

/* ---- function.c, entry.c, callee.c ------------------------------------- */

/* Makes the first blocks of e->f's LLVM function and moves to the second,
 * behind what emit_alloca adds. */
void emit_begin_blocks(struct emit *e);
/* begin: makes e->f, the current function, for `value`; end: ends it. Its body
 * is emitted in between. emit_entry, emit_device_function: emit a kernel, a
 * device function; false: the diag has the reason. emit_declare_function: the
 * LLVM function of a device function that is emitted later. */
void emit_begin_function(struct emit *e, const struct simt_plan *plan,
                         LLVMValueRef value);
void emit_end_function(struct emit *e);
bool emit_entry(struct emit *e, const struct simt_plan *plan);
bool emit_device_function(struct emit *e, const struct ptx_func *func);
LLVMValueRef emit_declare_function(struct emit *e, const struct ptx_func *func);
/* Makes the function of a part the current one: split.c. */
void emit_begin_split_function(struct emit *e, LLVMValueRef value);
void emit_find_entry_masks(struct emit *e);
/* Memory for pointers to a device function's parameters and results. */
void emit_make_params(struct emit *e);

/* ---- lockstep.c ---------------------------------------------------------- */

/* Functions that run 32 threads together, and some one by one; and what a call
 * knows of when to try again. */
struct emit_lockstep {
    LLVMValueRef together, alone, wait_var, penalty_var;
};

/* Makes the functions of a plan that has plan->lockstep. */
void emit_lockstep_functions(struct emit *e, const struct simt_plan *plan,
                             struct emit_lockstep *l);
/* Expects the builder where thread `index` of `end` is next. Runs 32 from
 * there together if that works, and goes to `ran`. Otherwise runs some one by
 * one, and returns the first that is left. block: for messages. */
LLVMValueRef emit_try_lockstep(struct emit *e, const struct emit_lockstep *l,
                               LLVMValueRef block, LLVMValueRef index,
                               LLVMValueRef end, LLVMBasicBlockRef ran);
/* At the start and at the end of a call. */
void emit_begin_lockstep(struct emit *e, struct emit_lockstep *l);
void emit_end_lockstep(struct emit *e, const struct emit_lockstep *l);

/* entry.c: a coarse warp's number in the form that LLVM knows most about; and
 * the notes that messages about faults and assertions need. */
LLVMValueRef emit_coarse_index(struct emit *e, LLVMValueRef index);
void emit_note_position(struct emit *e, LLVMValueRef block, LLVMValueRef warp);

/* ---- affine_compare.c -------------------------------------------------- */

/* A scalar that is true only if the comparison holds in all lanes of the
 * coarse warp. */
LLVMValueRef emit_affine_compare(struct emit *e,
                                 const struct simt_affine_compare *q);

/* ---- grid_stride.c ----------------------------------------------------- */

/* At the header of a loop that takes turns: lets the other warps catch up. */
void emit_take_turns(struct emit *e);

/* ---- flush_mode.c ------------------------------------------------------ */

/* The entry function that turns flushing on around the body. */
void emit_flush_mode_entry(struct emit *e, LLVMValueRef body);

#endif
