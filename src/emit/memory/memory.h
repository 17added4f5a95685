/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses to memory: the ways in which they are done, what is deferred, and
 * what is prefetched.
 */
#ifndef WEFT_EMIT_MEMORY_H
#define WEFT_EMIT_MEMORY_H

#include "emit/core/state.h"

/* ---- store_conflict.c -------------------------------------------------- */

/* The value that remains when all active lanes store to one place, each this
 * many bytes. */
LLVMValueRef emit_stored_last(struct emit *e, LLVMValueRef vector,
                              unsigned bytes);

/* ---- alignment.c ------------------------------------------------------- */

/* To be called before the current memory instruction: ends the kernel if an
 * active lane's address is misaligned. */
void emit_test_alignment(struct emit *e);

/* ---- speculative.c ----------------------------------------------------- */

/* Lanes that may turn out to be neighbours, or all at one place; or all lanes
 * of each group, where each group is a row. */
struct emit_row {
    /* i1: they are, and all lanes are active that have to be */
    LLVMValueRef test;
    LLVMValueRef mask; /* lanes to be accessed; NULL: all */
    unsigned lanes;    /* in one row */
    /* for the first lane of each row */
    LLVMValueRef pointer[EMIT_MAX_LANES / EMIT_MIN_GROUP];
    bool is_one_place;
};
/* i1: all lanes are active, and the instruction's address is as
 * simt_kernel.optimistic_address says; NULL: it says nothing. */
LLVMValueRef emit_test_shape(struct emit *e, const struct ptx_operand *address);
/* For elements of so many bytes. False: the addresses are never a row. */
bool emit_test_row(struct emit *e, const struct ptx_operand *address,
                   enum ptx_space space, int64_t size_bytes,
                   struct emit_row *row);

/* ---- fence.c ----------------------------------------------------------- */

/* LLVM fences: of this order; as needed before, or behind, an access with
 * these semantics (mostly none). */
void emit_fence_of(struct emit *e, LLVMAtomicOrdering order);
void emit_fence_before(struct emit *e, enum ptx_sem sem);
void emit_fence_after(struct emit *e, enum ptx_sem sem);

/* ---- atomic.c, mbarrier.c, copy.c: for one lane ------------------------ */

/* red with inst's operation at p, an address in `space`. */
void emit_atomic_at(struct emit *e, const struct ptx_inst *inst,
                    enum ptx_space space, LLVMValueRef p, LLVMValueRef b);
/* The operand of one operation that does the same as two on one place of
 * global memory. */
LLVMValueRef emit_atomic_combine(struct emit *e, const struct ptx_inst *inst,
                                 LLVMValueRef a, LLVMValueRef b);
void emit_mbarrier_complete_tx(struct emit *e, LLVMValueRef p,
                               LLVMValueRef bytes);
void emit_mbarrier_arrive(struct emit *e, LLVMValueRef p, LLVMValueRef count);
/* cp.async.bulk.tensor, for all lanes. */
void emit_tensor_copy(struct emit *e, const struct ptx_inst *inst);
/* The operand's addresses as integers, for all lanes. */
LLVMValueRef emit_real_addresses(struct emit *e, const struct ptx_operand *o,
                                 enum ptx_space space);
/* st.async and red.async, for all lanes. */
void emit_store_async(struct emit *e, const struct ptx_inst *inst);

/* ---- privatised.c ------------------------------------------------------ */

/* As emit_atomic_at for the current red, but deferred, at most to the end of
 * the function. */
void emit_add_privately(struct emit *e, LLVMValueRef p, LLVMValueRef v);
/* Adds deferred sums; at the end of the function. */
void emit_flush_private_sums(struct emit *e);

/* ---- privatised_lanes.c ------------------------------------------------ */

/* The same for a red whose lanes have neighbouring addresses: `first` is that
 * of the warp's first lane, v the lanes' operands. Returns the block behind
 * it, and leaves the builder where the red has to be done at once. */
LLVMBasicBlockRef emit_add_lanes_privately(struct emit *e, LLVMValueRef first,
                                           LLVMValueRef v);
void emit_flush_lane_sums(struct emit *e);

/* ---- histogram.c ------------------------------------------------------- */

/* Around the copy of a loop for all lanes: before it, at the start of each
 * iteration, and behind it. */
void emit_begin_histogram(struct emit *e);
void emit_histogram_iteration(struct emit *e);
void emit_end_histogram(struct emit *e);
/* Does the current addition at these offsets in the shared window; value: a
 * scalar is the same for all lanes. False: not done. */
bool emit_count_in_histogram(struct emit *e, LLVMValueRef offsets,
                             LLVMValueRef value);
/* For a load in the loop: prefetches `distance` bytes further on, a little
 * with each addition. False: not done. */
bool emit_prefetch_with_histogram(struct emit *e,
                                  const struct ptx_operand *address,
                                  struct simt_shape shape,
                                  LLVMValueRef distance);

/* ---- interleaved.c ----------------------------------------------------- */

/* ld and st of interleaved memory. False: it is other memory. */
bool emit_interleaved(struct emit *e, const struct ptx_inst *inst);

/* ---- transposed.c ------------------------------------------------------ */

/* Each lane's address as a scalar. */
void emit_lane_pointers(struct emit *e, const struct ptx_operand *address,
                        enum ptx_space space, struct simt_shape shape,
                        LLVMValueRef *out);
/* Four words at each lane's address, for all lanes: out[i] and in[i] are word
 * i of all lanes. Addresses are multiples of 16. */
void emit_load_transposed(struct emit *e, const LLVMValueRef *pointers,
                          LLVMTypeRef element, enum ptx_space space,
                          LLVMValueRef *out);
void emit_store_transposed(struct emit *e, const LLVMValueRef *pointers,
                           enum ptx_space space, const LLVMValueRef *in);

/* ---- strided.c --------------------------------------------------------- */

/* An element, or several side by side, of each lane of a group; the next
 * lane's are `step` elements further on. */
struct emit_strided {
    enum ptx_space space;
    unsigned size, count; /* bytes of an element, elements of a lane */
    unsigned step, lanes;
    LLVMValueRef bits; /* i32: the active lanes; NULL: all */
};
/* From, or to, the first lane's address; a vector for each component. */
void emit_load_strided(struct emit *e, const struct emit_strided *s,
                       LLVMTypeRef element, LLVMValueRef pointer,
                       LLVMValueRef *out);
void emit_store_strided(struct emit *e, const struct emit_strided *s,
                        LLVMValueRef pointer, LLVMValueRef *in);

/* ---- compressed.c ------------------------------------------------------ */

struct emit_compressed {
    LLVMValueRef mask;
    enum ptx_space space;
    unsigned size; /* bytes of an element */
};
/* Stores v if the places follow each other, and branches to the block that is
 * returned. Leaves the builder where they do not. */
LLVMBasicBlockRef emit_store_compressed(struct emit *e, enum ptx_space space,
                                        unsigned size, LLVMValueRef pointers,
                                        LLVMValueRef v);

/* ---- prefetch.c -------------------------------------------------------- */

/* For a load in a loop with barriers, or in one that strides. */
void emit_prefetch_in_loop(struct emit *e, const struct ptx_operand *address);
/* next_block.c: the same for the next block. */
void emit_prefetch_next_block(struct emit *e,
                              const struct ptx_operand *address);
/* The numbers are those of llvm.prefetch. */
enum emit_nearness { EMIT_SECOND_CACHE = 2, EMIT_FIRST_CACHE = 3 };
void emit_prefetch_lines(struct emit *e, LLVMValueRef p, int64_t bytes,
                         enum emit_nearness near);

/* ---- nontemporal.c ----------------------------------------------------- */

/* Hook: how much the launch is going to store. */
void emit_begin_nontemporal(struct emit *e);
/* May the current store be non-temporal? And the test whether it is now, for
 * rows from `p` on; NULL: never. */
bool emit_is_nontemporal(struct emit *e);
LLVMValueRef emit_test_nontemporal(struct emit *e, LLVMValueRef *p,
                                   unsigned rows);
void emit_mark_nontemporal(struct emit *e, LLVMValueRef store);
void emit_fence_nontemporal(struct emit *e);

/* ---- stack.c ----------------------------------------------------------- */

void emit_restore_stack(struct emit *e); /* at the end of a warp */

#endif
