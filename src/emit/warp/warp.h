/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives: for 32 lanes, where they are lanes of vectors, and for one lane
 * to a call, where they are fibers.
 */
#ifndef WEFT_EMIT_WARP_H
#define WEFT_EMIT_WARP_H

#include "emit/core/state.h"

/* ---- common.c; one_lane.c: for one lane to a call ---------------------- */

/* PTX ISA, "shfl.sync": the lane from which `lane` takes its value, for
 * operands b and c; *in: it is in the segment. Vectors or scalars. */
LLVMValueRef emit_source_lane(struct emit *e, enum ptx_sub mode,
                              LLVMValueRef lane, LLVMValueRef b, LLVMValueRef c,
                              LLVMValueRef *in);
/* Writes the result of a vote: `bits` of the lanes in `all` said yes. */
void emit_write_vote(struct emit *e, const struct ptx_inst *inst,
                     LLVMValueRef bits, LLVMValueRef all);
/* redux over the lanes of v in `mask`; NULL: all. */
LLVMValueRef emit_redux_of(struct emit *e, const struct ptx_inst *inst,
                           LLVMValueRef v, LLVMValueRef mask);
void emit_one_lane_barrier(struct emit *e, const struct ptx_inst *inst);
void emit_one_lane_shfl(struct emit *e, const struct ptx_inst *inst);
void emit_one_lane_vote(struct emit *e, const struct ptx_inst *inst);
void emit_one_lane_match(struct emit *e, const struct ptx_inst *inst);
void emit_one_lane_activemask(struct emit *e, const struct ptx_inst *inst);
void emit_one_lane_elect(struct emit *e, const struct ptx_inst *inst);
void emit_one_lane_redux(struct emit *e, const struct ptx_inst *inst);
/* A register of all lanes of the warp as a vector, and back. With one lane to
 * a call the lanes meet, and each has the values of all. */
LLVMValueRef emit_warp_read(struct emit *e, const struct ptx_operand *o,
                            enum ptx_type type);
void emit_warp_write(struct emit *e, const struct ptx_operand *o,
                     LLVMValueRef v, enum ptx_type type);
/* With one lane to a call: the integers of all lanes as i64; all lanes are
 * here. */
LLVMValueRef emit_exchange_lanes(struct emit *e, LLVMValueRef value);
void emit_sync_warp(struct emit *e); /* with 32: nothing */
/* With one lane to a call: what is in between is done by the warp's first
 * lane. */
LLVMBasicBlockRef emit_first_lane_begin(struct emit *e);
void emit_first_lane_end(struct emit *e, LLVMBasicBlockRef done);

/* ---- compare.c, common.c ----------------------------------------------- */

/* All active lanes of v into one scalar. */
LLVMValueRef emit_reduce(struct emit *e, enum ptx_sub sub, enum ptx_type type,
                         LLVMValueRef v);
/* What an absent lane contributes to a reduction: a constant like v. */
LLVMValueRef emit_identity(LLVMValueRef v, enum ptx_sub sub, bool is_signed);

/* ---- scan.c ------------------------------------------------------------ */

/* All active lanes of v into one scalar; and, of the lanes below each one,
 * into *before. Integers only. */
LLVMValueRef emit_scan(struct emit *e, enum ptx_sub sub, enum ptx_type type,
                       LLVMValueRef v, LLVMValueRef *before);

#endif
