/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values: types and constants, variables, special registers, and the registers
 * that instructions read and write in the current mode.
 */
#ifndef WEFT_EMIT_VALUES_H
#define WEFT_EMIT_VALUES_H

#include "emit/core/state.h"

/* ---- refuse.c ---------------------------------------------------------- */

/* Reports that the instruction being emitted cannot be compiled. */
void emit_refuse(struct emit *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- constant.c, register.c, value.c ----------------------------------- */

/* Memory for a register of the function at hand. */
void emit_make_reg(struct emit *e, uint32_t reg);
/* In memory: of one lane, or of all if the register varies. */
LLVMTypeRef emit_slot_type(struct emit *e, const struct emit_reg *r);
/* The value before any other, where that may be read. */
void emit_reset_reg(struct emit *e, uint32_t reg);
/* A varying register of the current warp that nothing will read as it is. */
void emit_forget_reg(struct emit *e, uint32_t reg);
/* The scalar LLVM type in which a PTX type is computed: halves and packed
 * types are integers. */
LLVMTypeRef emit_type(struct emit *e, enum ptx_type type);
/* `scalar`, or a vector of it when all lanes are being computed. */
LLVMTypeRef emit_mode_type(struct emit *e, LLVMTypeRef scalar);
/* A lane of the current warp, counted through the coarse warp. */
unsigned emit_coarse_lane(struct emit *e, unsigned lane);
/* Constants of the current mode. */
LLVMValueRef emit_const(struct emit *e, LLVMTypeRef scalar, int64_t value);
/* fn(lane) for each lane, or for the lane being computed. */
LLVMValueRef emit_lane_const(struct emit *e, LLVMTypeRef scalar,
                             int64_t (*fn)(int lane));
/* A scalar as a value of the current mode. */
LLVMValueRef emit_from_scalar(struct emit *e, LLVMValueRef scalar);
LLVMValueRef emit_splat(struct emit *e, LLVMValueRef scalar);
LLVMValueRef emit_read(struct emit *e, const struct ptx_operand *o,
                       enum ptx_type type);
LLVMValueRef emit_read_reg(struct emit *e, uint32_t reg);
/* Predicate operands, negation applied. */
LLVMValueRef emit_read_pred(struct emit *e, const struct ptx_operand *o);
/* Values are extended to the register's width as `type` says. Writes only
 * registers that the current mode computes. */
void emit_write(struct emit *e, const struct ptx_operand *o, LLVMValueRef value,
                enum ptx_type type);
/* Reads for all lanes whatever the mode; as a scalar for one lane. */
LLVMValueRef emit_read_vector(struct emit *e, const struct ptx_operand *o,
                              enum ptx_type type);
LLVMValueRef emit_read_lane(struct emit *e, const struct ptx_operand *o,
                            enum ptx_type type, int lane);
/* Writes a vector, or a scalar, into a register of any shape. A register
 * kept as scalars gets the values of the groups' first lanes. */
void emit_write_vector(struct emit *e, const struct ptx_operand *o,
                       LLVMValueRef vector, enum ptx_type type);
void emit_write_uniform(struct emit *e, const struct ptx_operand *o,
                        LLVMValueRef scalar, enum ptx_type type);
struct simt_shape emit_operand_shape(struct emit *e,
                                     const struct ptx_operand *o);
bool emit_is_uniform(struct emit *e, const struct ptx_operand *o);
/* How many groups of scalars a shape has in a warp, and in the coarse warp. */
unsigned emit_group_count(struct emit *e, struct simt_shape s);
unsigned emit_coarse_group_count(struct emit *e, struct simt_shape s);
/* Turns to lane `coarse_lane` of the coarse warp, to compute it alone. */
void emit_select_lane(struct emit *e, unsigned coarse_lane);
void emit_dest_shapes(struct emit *e, const struct ptx_inst *inst,
                      uint64_t *groups, bool *has_varying);

/* ---- exact.c: conditional shapes --------------------------------------- */

/* Is its exact vector made anew where it is wanted? The definition that makes
 * it. */
bool emit_replays(struct emit *e, uint32_t reg);
const struct ptx_inst *emit_replayed(struct emit *e, uint32_t reg);
/* The exact vector, where the register's flag is false. */
LLVMValueRef emit_exact(struct emit *e, uint32_t reg);
/* Calls a function that codegen/affine_addresses.c replaces by its meaning. */
LLVMValueRef emit_call_mark(struct emit *e, const char *name,
                            LLVMTypeRef result, LLVMValueRef *args,
                            unsigned count);
/* A base of the operand that was tested, marked as such. */
LLVMValueRef emit_tested_base(struct emit *e, LLVMValueRef base);
/* The `ok` flag of a register (i1), or NULL when its shape always holds. */
LLVMValueRef emit_ok(struct emit *e, uint32_t reg);

/* ---- special.c --------------------------------------------------------- */

/* In the current mode. */
LLVMValueRef emit_special(struct emit *e, enum ptx_sreg sreg);

/* ---- variable.c, frame.c ----------------------------------------------- */

/* The address of a variable as its state space counts addresses (i64), in
 * the current mode. */
LLVMValueRef emit_var_address(struct emit *e, const struct ptx_var *var);
/* A pointer to a variable plus `offset`, in the current mode. */
LLVMValueRef emit_pointer_to_var(struct emit *e, const struct ptx_var *var,
                                 int64_t offset);
/* Where the lanes' copies of a .local or .param variable lie. */
LLVMValueRef emit_make_lane_block(struct emit *e, const struct ptx_var *var);
struct emit_block_ref emit_lane_block(struct emit *e,
                                      const struct ptx_var *var);
bool emit_is_kernel_param(struct emit *e, const struct ptx_var *var);
/* Tells LLVM which window an access is in. */
void emit_set_alias(struct emit *e, LLVMValueRef access, enum ptx_space space);
/* The current warp's carry, a new variable, goes on from part to part. */
void emit_keep_carry(struct emit *e, LLVMValueRef var);
/* Memory of a function-scope variable, which all parts share: made by `make`
 * in the whole function when the first part asks. */
typedef LLVMValueRef emit_make_block_fn(struct emit *e,
                                        const struct ptx_var *var);
LLVMValueRef emit_outer_lane_block(struct emit *e, const struct ptx_var *var,
                                   emit_make_block_fn *make);
/* Memory for an interleaved variable of the function at hand: made, and later.
 */
LLVMValueRef emit_make_interleaved(struct emit *e, const struct ptx_var *var);
LLVMValueRef emit_interleaved_block(struct emit *e, const struct ptx_var *var);

/* ---- nan.c ------------------------------------------------------------- */

/* Does an instruction look at its bits? */
bool emit_is_seen(const struct emit *e, const struct ptx_operand *o);
/* v as the instruction at hand has to see it. */
LLVMValueRef emit_canonical_source(struct emit *e, uint32_t reg,
                                   LLVMValueRef v);
/* Every NaN among singles becomes 0x7fffffff. */
LLVMValueRef emit_canonical_nan(struct emit *e, LLVMValueRef v);

/* ---- comparison.c ------------------------------------------------------ */

/* Integers, or floats as ordered or unordered numbers; i1. */
LLVMValueRef emit_compare(struct emit *e, enum ptx_cmp cmp, enum ptx_type type,
                          LLVMValueRef a, LLVMValueRef b);

#endif
