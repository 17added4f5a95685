/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files about atomic operations. */
#ifndef WEFT_EMIT_ATOMIC_H
#define WEFT_EMIT_ATOMIC_H

#include "emit/core/state.h"

struct atomic {
    const struct ptx_inst *inst;
    const struct ptx_operand *dest; /* NULL: red */
    const struct ptx_operand *address, *b, *c;
    enum ptx_space space;
    enum ptx_type type;
    LLVMTypeRef t;  /* type of values: an integer, f32 or f64 */
    int64_t offset; /* of this element, in the vector forms */
};

/* Is it f16, bf16 or a pair of them? */
bool emit_atomic_is_half(enum ptx_type t);
/* The new value of memory that held `old`. */
LLVMValueRef emit_atomic_new_value(struct emit *e, const struct atomic *a,
                                   LLVMValueRef old, LLVMValueRef b,
                                   LLVMValueRef c);
/* Does the operation at p for one lane; returns what memory held. */
LLVMValueRef emit_atomic_one_lane(struct emit *e, const struct atomic *a,
                                  LLVMValueRef p, LLVMValueRef b,
                                  LLVMValueRef c);

#endif
