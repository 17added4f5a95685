/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files about matrices. */
#ifndef WEFT_EMIT_MATRIX_H
#define WEFT_EMIT_MATRIX_H

#include "emit/core/state.h"
#include "ptx/matrix.h"

/* Matrix operations need a whole warp to a call; refuses the instruction
 * otherwise. */
bool emit_has_whole_warp(struct emit *e);

/*
 * A product by a function (matrix.c). Registers of D, A, B and C and the
 * metadata are in memory at args[0] to args[4], and go from there to the
 * function and back in machine registers, as far as there are enough. The
 * caller describes the product in `mma`, prepares, stores the operands, calls,
 * and loads D; LLVM sees through this memory where indices are constant.
 */
struct emit_matrix_call {
    struct ptx_mma mma;
    LLVMValueRef fn, args[5];
};
void emit_prepare_product(struct emit *e, const struct ptx_inst *inst,
                          struct emit_matrix_call *call);
void emit_call_product(struct emit *e, const struct emit_matrix_call *call);
/* Stores the metadata, if there are any. */
void emit_pass_metadata(struct emit *e, const struct ptx_inst *inst,
                        const struct emit_matrix_call *call);
/* Address of register r of an operand. */
enum { EMIT_MATRIX_REG_BYTES = 8 * WEFT_WARP_LANES };
LLVMValueRef emit_matrix_reg(struct emit *e, LLVMValueRef base, unsigned r);

/* A function of `type` for one kind of product or access, which is never
 * inlined; the caller fills it. And a call of one. */
LLVMValueRef emit_matrix_function(struct emit *e, const char *name,
                                  LLVMTypeRef type);
LLVMValueRef emit_call_matrix(struct emit *e, LLVMValueRef fn,
                              LLVMValueRef *args, unsigned count);

/* memory.c: transposes an 8 by 8 matrix of 16 bits in one register. */
LLVMValueRef emit_transposed(struct emit *e, LLVMValueRef v);
/* wmma.load and wmma.store. */
void emit_move_fragment(struct emit *e, const struct ptx_inst *inst);

#endif
