/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of long kernels: what split.c and frame.c share. */
#ifndef WEFT_EMIT_SPLIT_H
#define WEFT_EMIT_SPLIT_H

#include "emit/core/state.h"

/* A variable of the current part that is a copy of a place in the frame. */
struct kept {
    LLVMValueRef var;
    LLVMTypeRef type;
    uint64_t at;
};

struct emit_split {
    struct emit_fn *whole; /* the kernel's function */
    LLVMValueRef frame;    /* in that function */
    uint64_t frame_bytes;
    uint32_t count;
    /* first block of each part, and one more for the end */
    const uint32_t *first;
    const uint32_t *part_of; /* by block */
    LLVMValueRef *function;  /* by part */
    LLVMValueRef *entries;   /* by part: the switch to its entries */
    uint32_t *entry_count;   /* by part */
    /* by block: the number of its entry in its part, from 1; */
    uint32_t *body_entry;
    uint32_t *check_entry;   /* 0: nothing outside leads to it */
    bool *is_repeated;       /* by part: control may come back to it */
    uint32_t *first_use, *last_use;             /* by register: part + 1 */
    /* by register, mask, variable: place in the frame; 0: none */
    uint64_t *reg_at, *mask_at, *lane_block_at;
    uint64_t env_at, cur_at, carry_at;
    uint64_t params_at; /* for a device function: see place_params() */
    /* --- the current part --- */
    LLVMValueRef here;       /* the frame */
    LLVMValueRef next_var;   /* where control goes on */
    LLVMBasicBlockRef leave; /* where the part is left */
    VEC(struct kept) kept;
};

/* Bytes of a value in the frame, its alignment, and the distance to the
 * next. */
uint64_t emit_frame_size(struct emit *e, LLVMTypeRef type);
unsigned emit_frame_align(uint64_t size_bytes);
uint64_t emit_frame_stride(struct emit *e, LLVMTypeRef type);
/* Reserves space for `count` values, a stride apart. */
uint64_t emit_frame_reserve(struct emit *e, struct emit_split *p,
                            LLVMTypeRef type, uint64_t count);
/* Moves the builder to a function's prologue; returns where it was. */
LLVMBasicBlockRef emit_go_to_prologue(struct emit *e, const struct emit_fn *f);
/* Initialises a place in the frame when a warp starts. */
void emit_frame_start(struct emit *e, struct emit_split *p, uint64_t at,
                      LLVMValueRef value);
/* Loads from the frame in the part's prologue. */
LLVMValueRef emit_frame_load(struct emit *e, struct emit_split *p, uint64_t at,
                             LLVMTypeRef type);
/* Makes a variable of the part a copy of a place in the frame. */
void emit_frame_keep(struct emit *e, struct emit_split *p, LLVMValueRef var,
                     LLVMTypeRef type, uint64_t at);
/* Where control goes on, as a number: a part and one of its entries. The
 * others: the number of the entry for a block, or for its check. */
LLVMValueRef emit_split_code(struct emit *e, uint32_t part, uint32_t entry);
uint32_t emit_split_entry(struct emit_split *p, uint32_t block, bool is_check);

#endif
