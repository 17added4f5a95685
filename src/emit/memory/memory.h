/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses to memory: the ways in which they are done, what is kept back, and
 * what is asked for beforehand.
 */
#ifndef WEFT_EMIT_MEMORY_H
#define WEFT_EMIT_MEMORY_H

#include "emit/core/state.h"

/* ---- store_conflict.c -------------------------------------------------- */

/* Of all active lanes' stores to one place the value that stays, where each
 * stores so many bytes. */
LLVMValueRef emit_stored_last(struct emit *e, LLVMValueRef vector,
                              unsigned bytes);

/* ---- alignment.c ------------------------------------------------------- */

/* Before the memory instruction at hand: ends the kernel if an active lane's
 * address is none for accesses of its size. */
void emit_test_alignment(struct emit *e);

/* ---- speculative.c ----------------------------------------------------- */

/* Lanes that may turn out to be neighbours, or all in one place; or all lanes
 * of each group, which is a row of its own then. */
struct emit_row {
    LLVMValueRef test; /* i1: they are, and all are active that have to be */
    LLVMValueRef mask; /* lanes to be accessed; NULL: all */
    unsigned lanes;    /* in one row */
    LLVMValueRef pointer[EMIT_MAX_LANES / EMIT_MIN_GROUP]; /* of first lanes */
    bool is_one_place;
};
/* i1: all lanes are active, and the instruction's address is what
 * simt_kernel.optimistic_address says; NULL: it says nothing. */
LLVMValueRef emit_test_shape(struct emit *e, const struct ptx_operand *address);
/* For elements of so many bytes; false: it is never one. */
bool emit_test_row(struct emit *e, const struct ptx_operand *address,
                   enum ptx_space space, int64_t size_bytes,
                   struct emit_row *row);

/* ---- fence.c ----------------------------------------------------------- */

/* An LLVM fence: of this order; what an access of these semantics needs before
 * it, or behind it: nothing, mostly. */
void emit_fence_of(struct emit *e, LLVMAtomicOrdering order);
void emit_fence_before(struct emit *e, enum ptx_sem sem);
void emit_fence_after(struct emit *e, enum ptx_sem sem);

/* ---- atomic.c, mbarrier.c, copy.c: for one lane ------------------------ */

/* red of `inst`'s operation at p, an address of `space`. */
void emit_atomic_at(struct emit *e, const struct ptx_inst *inst,
                    enum ptx_space space, LLVMValueRef p, LLVMValueRef b);
/* What two operations on one place of global memory do together, in one. */
LLVMValueRef emit_atomic_combine(struct emit *e, const struct ptx_inst *inst,
                                 LLVMValueRef a, LLVMValueRef b);
void emit_mbarrier_complete_tx(struct emit *e, LLVMValueRef p,
                               LLVMValueRef bytes);
void emit_mbarrier_arrive(struct emit *e, LLVMValueRef p, LLVMValueRef count);
/* cp.async.bulk.tensor, for all lanes. */
void emit_tensor_copy(struct emit *e, const struct ptx_inst *inst);
/* The operand's addresses as numbers, of all lanes. */
LLVMValueRef emit_real_addresses(struct emit *e, const struct ptx_operand *o,
                                 enum ptx_space space);
/* st.async and red.async, for all lanes. */
void emit_store_async(struct emit *e, const struct ptx_inst *inst);

/* ---- privatised.c ------------------------------------------------------ */

/* The same as emit_atomic_at for the red being emitted, at the latest when the
 * function ends. */
void emit_add_privately(struct emit *e, LLVMValueRef p, LLVMValueRef v);
/* At the function's end. */
void emit_flush_private_sums(struct emit *e);

/* ---- privatised_lanes.c ------------------------------------------------ */

/* The same for a red whose lanes have neighbouring addresses: `first` is that
 * of the warp's first lane, v what they add. Returns the block behind it, and
 * leaves the builder where it has to be done at once. */
LLVMBasicBlockRef emit_add_lanes_privately(struct emit *e, LLVMValueRef first,
                                           LLVMValueRef v);
void emit_flush_lane_sums(struct emit *e);

/* ---- histogram.c ------------------------------------------------------- */

/* Around the copy of a loop that all lanes are in: before it, at the start of
 * each iteration, and behind it. */
void emit_begin_histogram(struct emit *e);
void emit_histogram_iteration(struct emit *e);
void emit_end_histogram(struct emit *e);
/* The addition being emitted, at these offsets in the shared window, of `value`
 * (a scalar: the same for all lanes). False: it has to be done another way. */
bool emit_count_in_histogram(struct emit *e, LLVMValueRef offsets,
                             LLVMValueRef value);
/* A load in the loop: asks for what is `distance` bytes further on, a little
 * with each addition. False: has to be done another way. */
bool emit_prefetch_with_histogram(struct emit *e,
                                  const struct ptx_operand *address,
                                  struct simt_shape shape,
                                  LLVMValueRef distance);

/* ---- interleaved.c ----------------------------------------------------- */

/* ld and st. False: it is none of such memory. */
bool emit_interleaved(struct emit *e, const struct ptx_inst *inst);

/* ---- transposed.c ------------------------------------------------------ */

/* Each lane's address as a scalar. */
void emit_lane_pointers(struct emit *e, const struct ptx_operand *address,
                        enum ptx_space space, struct simt_shape shape,
                        LLVMValueRef *out);
/* Four words at each lane's address, for all lanes: out[i] and in[i] are word
 * i of the lanes. Addresses are multiples of 16. */
void emit_load_transposed(struct emit *e, const LLVMValueRef *pointers,
                          LLVMTypeRef element, enum ptx_space space,
                          LLVMValueRef *out);
void emit_store_transposed(struct emit *e, const LLVMValueRef *pointers,
                           enum ptx_space space, const LLVMValueRef *in);

/* ---- strided.c --------------------------------------------------------- */

/* An element, or several side by side, of each of a group's lanes, the next
 * lane's `step` elements further on. */
struct emit_strided {
    enum ptx_space space;
    unsigned size, count; /* bytes of an element, elements of a lane */
    unsigned step, lanes;
    LLVMValueRef bits; /* i32: which lanes are active; NULL: all */
};
/* From, and to, the first lane's address; a vector for each component. */
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
/* Stores v if they do, and goes to the block that is returned. Leaves the
 * builder where they do not. */
LLVMBasicBlockRef emit_store_compressed(struct emit *e, enum ptx_space space,
                                        unsigned size, LLVMValueRef pointers,
                                        LLVMValueRef v);

/* ---- prefetch.c -------------------------------------------------------- */

/* For a load in a loop with barriers, or one that strides. */
void emit_prefetch_in_loop(struct emit *e, const struct ptx_operand *address);
/* next_block.c: the same for the next block. */
void emit_prefetch_next_block(struct emit *e,
                              const struct ptx_operand *address);
/* The numbers are llvm.prefetch's. */
enum emit_nearness { EMIT_SECOND_CACHE = 2, EMIT_FIRST_CACHE = 3 };
void emit_prefetch_lines(struct emit *e, LLVMValueRef p, int64_t bytes,
                         enum emit_nearness near);

/* ---- nontemporal.c ----------------------------------------------------- */

/* Hook: how much the launch is going to store. */
void emit_begin_nontemporal(struct emit *e);
/* The store that is emitted; and the test whether it passes the caches by now:
 * its rows begin at `p`. NULL: it never does. */
bool emit_is_nontemporal(struct emit *e);
LLVMValueRef emit_test_nontemporal(struct emit *e, LLVMValueRef *p,
                                   unsigned rows);
void emit_mark_nontemporal(struct emit *e, LLVMValueRef store);
void emit_fence_nontemporal(struct emit *e);

/* ---- stack.c ----------------------------------------------------------- */

void emit_restore_stack(struct emit *e); /* at the end of a warp */

#endif
