/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic that several files use.
 */
#ifndef WEFT_EMIT_OPS_H
#define WEFT_EMIT_OPS_H

#include "emit/core/state.h"

/* ---- float.c, rounding.c, half.c --------------------------------------- */

LLVMValueRef emit_flush(struct emit *e, LLVMValueRef v); /* subnormal -> 0 */
/* emit_read for .ftz: flushes only what may be subnormal; ftz.c. */
LLVMValueRef emit_read_flushed(struct emit *e, const struct ptx_operand *o,
                               enum ptx_type type);
LLVMValueRef emit_saturate(struct emit *e, LLVMValueRef v); /* [0, 1] */
LLVMValueRef emit_float_min_max(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                                bool is_max, bool is_nan);
/* The NaN that operations make, of v's type. */
LLVMValueRef emit_quiet_nan(struct emit *e, LLVMValueRef v);
/* The directed result of a value whose nearest result is r; `error` has the
 * sign of value - r. */
LLVMValueRef emit_round_directed(struct emit *e, LLVMValueRef r,
                                 LLVMValueRef error, enum ptx_rnd rnd);
/* a * b + c, rounded once. */
LLVMValueRef emit_fma_rounded(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                              LLVMValueRef c, enum ptx_rnd rnd);
void emit_float_arith(struct emit *e, const struct ptx_inst *inst);
void emit_float_sign(struct emit *e, const struct ptx_inst *inst);
void emit_float_min_max_op(struct emit *e, const struct ptx_inst *inst);
/* Halves are kept as bits (i16). */
LLVMValueRef emit_half_to_float(struct emit *e, LLVMValueRef bits);
LLVMValueRef emit_float_to_half(struct emit *e, LLVMValueRef v,
                                enum ptx_rnd rnd);
LLVMValueRef emit_bf16_to_float(struct emit *e, LLVMValueRef bits);
LLVMValueRef emit_float_to_bf16(struct emit *e, LLVMValueRef v,
                                enum ptx_rnd rnd);
/* Under .ftz: subnormals of f16 to zero. */
LLVMValueRef emit_flush_half(struct emit *e, const struct ptx_inst *inst,
                             LLVMValueRef bits);
/* double to float, rounded to odd, so that it can be rounded again. */
LLVMValueRef emit_double_to_float_odd(struct emit *e, LLVMValueRef v);
void emit_half_arith(struct emit *e, const struct ptx_inst *inst);
void emit_half_sign(struct emit *e, const struct ptx_inst *inst);
void emit_half_min_max(struct emit *e, const struct ptx_inst *inst);
void emit_half_approx(struct emit *e, const struct ptx_inst *inst,
                      LLVMValueRef (*fn)(struct emit *e, LLVMValueRef x));

/* ---- ftz.c ------------------------------------------------------------- */

/* Is a source of the instruction a constant? */
bool emit_has_constant(struct emit *e, const struct ptx_inst *inst);

/* ---- pack.c ------------------------------------------------------------ */

/* False: the conversion involves no type of eight bits. */
bool emit_cvt_fp8(struct emit *e, const struct ptx_inst *inst);
void emit_cvt_pack(struct emit *e, const struct ptx_inst *inst);

/* ---- approx.c ---------------------------------------------------------- */

/* Doubles with the lower 32 bits cleared. */
LLVMValueRef emit_upper_half(struct emit *e, LLVMValueRef v);

#endif
