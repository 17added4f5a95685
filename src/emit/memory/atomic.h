/* SPDX-License-Identifier: Apache-2.0 */
/* What the files about atomic operations share. */
#ifndef WEFT_EMIT_ATOMIC_H
#define WEFT_EMIT_ATOMIC_H

#include "emit/core/state.h"

struct atomic {
    const struct ptx_inst *inst;
    const struct ptx_operand *dest; /* NULL: red */
    const struct ptx_operand *address, *b, *c;
    enum ptx_space space;
    enum ptx_type type;
    LLVMTypeRef t;  /* the type of values: an integer, f32 or f64 */
    int64_t offset; /* of this element, in the vector forms */
};

/* f16, bf16 and pairs of them. */
bool emit_atomic_is_half(enum ptx_type t);
/* What memory holds after it held `old`. */
LLVMValueRef emit_atomic_new_value(struct emit *e, const struct atomic *a,
                                   LLVMValueRef old, LLVMValueRef b,
                                   LLVMValueRef c);
/* Performs it at p, for one lane; returns what memory held. */
LLVMValueRef emit_atomic_one_lane(struct emit *e, const struct atomic *a,
                                  LLVMValueRef p, LLVMValueRef b,
                                  LLVMValueRef c);

#endif
