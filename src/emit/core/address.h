/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pointers for the address operands of instructions.
 */
#ifndef WEFT_EMIT_ADDRESS_H
#define WEFT_EMIT_ADDRESS_H

#include "emit/core/state.h"

/* ---- address.c --------------------------------------------------------- */

/* A pointer for the address operand plus `offset`, for one lane or for all. */
LLVMValueRef emit_pointer(struct emit *e, const struct ptx_operand *o,
                          enum ptx_space space, int lane, int64_t offset);
/* The same address in the shared memory of the cluster's block `rank`
 * (i32). */
LLVMValueRef emit_in_block(struct emit *e, LLVMValueRef pointer,
                           LLVMValueRef rank);

/* ---- base_index.c ------------------------------------------------------ */

/* make: the form that the destination of the current instruction will have;
 * the other: the operand's form. index NULL: it has no such form. */
struct emit_base_index emit_make_base_index(struct emit *e);
struct emit_base_index emit_base_index_of(struct emit *e,
                                          const struct ptx_operand *o);
/* Pointers for all lanes from base and index; NULL: there is no such form. */
LLVMValueRef emit_base_index_pointers(struct emit *e,
                                      const struct ptx_operand *o,
                                      int64_t offset);

#endif
