/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values: types and constants, variables, special registers, and the registers
 * that instructions read and write in the current mode.
 */
#ifndef WEFT_EMIT_VALUES_H
#define WEFT_EMIT_VALUES_H

#include "emit/core/state.h"

/* ---- refuse.c ---------------------------------------------------------- */

/* Reports that the current instruction cannot be compiled. */
void emit_refuse(struct emit *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- constant.c, register.c, value.c ----------------------------------- */

/* Makes the variables of a register of the current function. */
void emit_make_reg(struct emit *e, uint32_t reg);
/* Type in memory: of one lane, or of all lanes if the register varies. */
LLVMTypeRef emit_slot_type(struct emit *e, const struct emit_reg *r);
/* Initialises a register whose initial value may be read. */
void emit_reset_reg(struct emit *e, uint32_t reg);
/* Makes a varying register of the current warp undefined, as nothing will read
 * it. */
void emit_forget_reg(struct emit *e, uint32_t reg);
/* The scalar LLVM type in which a PTX type is computed; halves and packed
 * types are integers. */
LLVMTypeRef emit_type(struct emit *e, enum ptx_type type);
/* `scalar`, or a vector of it while all lanes are computed. */
LLVMTypeRef emit_mode_type(struct emit *e, LLVMTypeRef scalar);
/* Number of a lane of the current warp within the coarse warp. */
unsigned emit_coarse_lane(struct emit *e, unsigned lane);
/* Constants for the current mode. */
LLVMValueRef emit_const(struct emit *e, LLVMTypeRef scalar, int64_t value);
/* The constant fn(lane) for each lane, or for the lane that is computed. */
LLVMValueRef emit_lane_const(struct emit *e, LLVMTypeRef scalar,
                             int64_t (*fn)(int lane));
/* Such functions: a lane's number; its bit; the bits of the lanes below it. */
static inline int64_t emit_lane_number(int lane)
{
    return lane;
}
static inline int64_t emit_lane_bit(int lane)
{
    return INT64_C(1) << lane;
}
static inline int64_t emit_lanes_below(int lane)
{
    return emit_lane_bit(lane) - 1;
}
/* A scalar as a value for the current mode. */
LLVMValueRef emit_from_scalar(struct emit *e, LLVMValueRef scalar);
LLVMValueRef emit_splat(struct emit *e, LLVMValueRef scalar);
LLVMValueRef emit_read(struct emit *e, const struct ptx_operand *o,
                       enum ptx_type type);
LLVMValueRef emit_read_reg(struct emit *e, uint32_t reg);
/* Reads a predicate operand and applies its negation. */
LLVMValueRef emit_read_pred(struct emit *e, const struct ptx_operand *o);
/* Extends the value to the register's width as `type` says. Writes only
 * registers that the current mode computes. */
void emit_write(struct emit *e, const struct ptx_operand *o, LLVMValueRef value,
                enum ptx_type type);
/* Source i, and the result, of an instruction with one type. */
static inline LLVMValueRef
emit_read_source(struct emit *e, const struct ptx_inst *inst, unsigned i)
{
    return emit_read(e, &inst->operand[i], inst->type[0]);
}
static inline void
emit_write_result(struct emit *e, const struct ptx_inst *inst, LLVMValueRef v)
{
    emit_write(e, &inst->operand[0], v, inst->type[0]);
}
/* Read for all lanes, whatever the mode; or as a scalar for one lane. */
LLVMValueRef emit_read_vector(struct emit *e, const struct ptx_operand *o,
                              enum ptx_type type);
LLVMValueRef emit_read_lane(struct emit *e, const struct ptx_operand *o,
                            enum ptx_type type, int lane);
/* Write a vector, or a scalar, to a register of any shape. A register that is
 * kept as scalars gets the values of its groups' first lanes. */
void emit_write_vector(struct emit *e, const struct ptx_operand *o,
                       LLVMValueRef vector, enum ptx_type type);
void emit_write_uniform(struct emit *e, const struct ptx_operand *o,
                        LLVMValueRef scalar, enum ptx_type type);
struct simt_shape emit_operand_shape(struct emit *e,
                                     const struct ptx_operand *o);
bool emit_is_uniform(struct emit *e, const struct ptx_operand *o);
/* Number of groups of a shape in a warp, and in the coarse warp. */
unsigned emit_group_count(struct emit *e, struct simt_shape s);
unsigned emit_coarse_group_count(struct emit *e, struct simt_shape s);
/* Makes lane `coarse_lane` of the coarse warp the one that is computed. */
void emit_select_lane(struct emit *e, unsigned coarse_lane);
void emit_dest_shapes(struct emit *e, const struct ptx_inst *inst,
                      uint64_t *groups, bool *has_varying);

/* ---- exact.c: conditional shapes --------------------------------------- */

/* Is the register's exact vector recomputed where it is needed? And the
 * definition that does it. */
bool emit_replays(struct emit *e, uint32_t reg);
const struct ptx_inst *emit_replayed(struct emit *e, uint32_t reg);
/* The exact vector, for code where the register's flag is false. */
LLVMValueRef emit_exact(struct emit *e, uint32_t reg);
/* Calls a function that codegen/affine_addresses.c replaces by code. */
LLVMValueRef emit_call_mark(struct emit *e, const char *name,
                            LLVMTypeRef result, LLVMValueRef *args,
                            unsigned count);
/* A base of the operand that was tested, marked as such. */
LLVMValueRef emit_tested_base(struct emit *e, LLVMValueRef base);
/* The `ok` flag of a register (i1); NULL: its shape always holds. */
LLVMValueRef emit_ok(struct emit *e, uint32_t reg);

/* ---- special.c --------------------------------------------------------- */

/* A special register in the current mode. */
LLVMValueRef emit_special(struct emit *e, enum ptx_sreg sreg);

/* ---- variable.c, frame.c ----------------------------------------------- */

/* A variable's address as its state space counts addresses (i64), in the
 * current mode. */
LLVMValueRef emit_var_address(struct emit *e, const struct ptx_var *var);
/* A pointer to a variable plus `offset`, in the current mode. */
LLVMValueRef emit_pointer_to_var(struct emit *e, const struct ptx_var *var,
                                 int64_t offset);
/* Memory for the lanes' copies of a .local or .param variable. */
LLVMValueRef emit_make_lane_block(struct emit *e, const struct ptx_var *var);
struct emit_block_ref emit_lane_block(struct emit *e,
                                      const struct ptx_var *var);
bool emit_is_kernel_param(struct emit *e, const struct ptx_var *var);
/* Tells LLVM which window an access is in. */
void emit_set_alias(struct emit *e, LLVMValueRef access, enum ptx_space space);
/* Keeps the current warp's carry, a new variable, from part to part. */
void emit_keep_carry(struct emit *e, LLVMValueRef var);
/* Memory of a function-scope variable that all parts share: `make` makes it in
 * the whole function when the first part needs it. */
typedef LLVMValueRef emit_make_block_fn(struct emit *e,
                                        const struct ptx_var *var);
LLVMValueRef emit_outer_lane_block(struct emit *e, const struct ptx_var *var,
                                   emit_make_block_fn *make);
/* Memory for an interleaved variable of the current function. */
LLVMValueRef emit_make_interleaved(struct emit *e, const struct ptx_var *var);
LLVMValueRef emit_interleaved_block(struct emit *e, const struct ptx_var *var);

/* ---- nan.c ------------------------------------------------------------- */

/* Are the bits of the operand's register used by some instruction? */
bool emit_is_seen(const struct emit *e, const struct ptx_operand *o);
/* v as the current instruction has to see it. */
LLVMValueRef emit_canonical_source(struct emit *e, uint32_t reg,
                                   LLVMValueRef v);
/* Makes every NaN among singles 0x7fffffff. */
LLVMValueRef emit_canonical_nan(struct emit *e, LLVMValueRef v);

/* ---- comparison.c ------------------------------------------------------ */

/* Compares integers, or floats ordered or unordered; i1. */
LLVMValueRef emit_compare(struct emit *e, enum ptx_cmp cmp, enum ptx_type type,
                          LLVMValueRef a, LLVMValueRef b);

#endif
