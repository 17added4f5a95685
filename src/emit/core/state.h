/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of emit/ share. One `struct emit` makes one LLVM module;
 * `e->f` is the function being emitted.
 *
 * Emitters of lane-wise opcodes know nothing of shapes. The dispatcher runs
 * such an emitter once per way in which a destination is kept: for all lanes
 * as a vector, or as a scalar for the first lane of each group (the base of an
 * affine value is the value that its first lane has, whatever the opcode).
 * emit_read and emit_write do the rest.
 *
 * A call may run several warps in step, a coarse warp. Only the dispatcher,
 * control.c and value.c know: an emitter sees one warp, number f->warp of the
 * coarse warp, and runs once for each. Vectors always have one warp's lanes.
 */
#ifndef WEFT_EMIT_STATE_H
#define WEFT_EMIT_STATE_H

#include "abi/abi.h"
#include "emit/core/ir.h"
#include "emit/emit.h"

#define EMIT_MAX_LANES 32
#define EMIT_MIN_GROUP 8 /* lanes with one affine value */
#define EMIT_MAX_WARPS 8
#define EMIT_ALL_LANES (-1)

/* A varying 64-bit value as base + index * scale + offset; see base_index.c. */
struct emit_base_index {
    uint32_t era;       /* emit_fn.era while this holds */
    LLVMValueRef base;  /* i64; NULL: 0 */
    LLVMValueRef index; /* a vector of i32 or i64; NULL: not known */
    int64_t scale, offset;
    bool is_signed;
};

/* A variable, and what it holds if control is in `block`: most reads come soon
 * after a write, and what is never loaded costs LLVM no work. */
struct emit_slot {
    LLVMValueRef var, value;
    LLVMBasicBlockRef block;
};

/* Where a register lives: one vector for each warp, or one scalar for each
 * group of the coarse warp. */
struct emit_reg {
    struct simt_shape shape;
    LLVMTypeRef type; /* of one lane */
    unsigned slot_count;
    struct emit_slot *slot;
    /* Conditional shapes: the flag, and the exact vector that is valid while
     * the flag is false (volatile, so that it never costs the fast path). */
    LLVMValueRef ok, shadow[EMIT_MAX_WARPS];
    struct emit_base_index parts[EMIT_MAX_WARPS];
    uint32_t part; /* for which it was made, + 1; see split.c */
};

struct emit_private_sum;
struct emit_lane_sums;
struct emit_next_block;
struct emit_histogram;

/* A function's or call's parameter: lane after lane in memory. */
struct emit_block_ref {
    LLVMValueRef pointer;
    unsigned stride_bytes;
};

/* Values of the launch and the warp that a function can ask for. */
struct emit_env {
    LLVMValueRef warp;    /* struct exec_warp * */
    LLVMValueRef launch;  /* const struct exec_launch * */
    LLVMValueRef helpers; /* const struct exec_helpers * */
    /* What shared addresses count from, the block's own window, and where that
     * begins in the former: i64, or NULL for 0, as without clusters. */
    LLVMValueRef shared, own_shared, own_start;
    LLVMValueRef globals, params, stack_base;
    LLVMValueRef ctaid[3];     /* i32 */
    LLVMValueRef coarse_index; /* i32, in the block: the warp's, if alone */
    LLVMValueRef where;        /* struct where *, for callees; or NULL */
};

/* One for each warp of the coarse warp. */
struct emit_masks {
    LLVMValueRef of[EMIT_MAX_WARPS];
};

/* What is being emitted, and how: saved, changed and put back as a whole. */
struct emit_cursor {
    const struct ptx_inst *inst;
    uint32_t index;
    uint32_t block;
    unsigned warp;      /* of the coarse warp */
    LLVMValueRef mask;  /* its active lanes; NULL: all */
    LLVMValueRef blend; /* writes of vectors keep the other lanes; NULL: all */
    LLVMValueRef when;  /* scalar guard of a write, or NULL */
    int lane;           /* EMIT_ALL_LANES or the lane that is computed */
    unsigned group;     /* shape group of the destinations being computed */
    bool looks;         /* at its sources' bits; see nan.c */
    bool makes_nan;     /* what it computes is looked at elsewhere */
    bool is_cold;       /* computing the exact vector of a conditional value */
    bool is_full_copy;  /* in the copy of a loop for all lanes */
};

/* The LLVM blocks of a function; control.c, and function.c for the first. */
struct emit_blocks {
    LLVMBasicBlockRef allocas;       /* entry block; ends in a branch */
    LLVMBasicBlockRef prologue;      /* runs once per warp; ends in a branch */
    LLVMBasicBlockRef exit;          /* all lanes are done */
    LLVMBasicBlockRef parted;        /* in lockstep: they are not */
    LLVMBasicBlockRef *check, *body; /* by simt block */
};

/* Which lanes are where; control.c. */
struct emit_lanes_at {
    struct emit_masks existing; /* when a warp starts; NULL: every lane */
    struct emit_masks here;     /* in the current block; NULL: all */
    struct emit_masks here_var; /* allocas of the same */
    struct emit_masks *waiting; /* allocas, by simt_block.mask_variable */
};

/* Memory of which every lane has its own; variable.c. */
struct emit_own {
    LLVMValueRef *lane_block; /* by function-scope variable: .local, .param */
    LLVMValueRef *param;      /* device functions: by parameter */
    LLVMValueRef *ret;        /* device functions: by return value */
    LLVMValueRef stack_saved; /* at the start of a warp that uses alloca */
    unsigned local_bytes;     /* of one lane */
};

/* What is kept from block to block, or in a loop; made on demand. Each is one
 * file's: privatised sums, those of each lane, what the block before has
 * loaded, the histogram of the loop at hand. */
struct emit_kept_values {
    struct emit_private_sum *sums;
    struct emit_lane_sums *lane_sums;
    struct emit_next_block *next_block;
    struct emit_histogram *histogram;
};

/* Of kernels with non-temporal stores: nontemporal.c. */
struct emit_nontemporal {
    LLVMValueRef stored_once, cache_bytes;
};

/* Operands and sums of matrix products; made on demand. */
struct emit_products {
    LLVMValueRef operands, sums;
};

/* Overflow guards; overflow.c and exact.c. */
struct emit_guard {
    /* The operand whose bases have been tested, or NULL; all such tests. */
    const struct ptx_operand *tested;
    uint32_t count;
    uint32_t replaying; /* register + 1 whose definition is emitted again */
    LLVMValueRef replayed;
};

/* The function, or part of one, being emitted. */
struct emit_fn {
    const struct simt_kernel *k;
    const struct simt_plan *plan;
    LLVMValueRef value;
    struct emit_env env;
    struct emit_blocks blocks;
    unsigned warps; /* in the coarse warp */
    struct emit_lanes_at lanes;
    struct emit_reg *regs;
    struct emit_split *split; /* of a long kernel; NULL: this is no part */
    uint32_t part;
    struct emit_own own;
    struct emit_products products;
    LLVMValueRef texture_request; /* made on demand */
    struct emit_kept_values kept;
    struct emit_nontemporal nontemporal;
    struct emit_guard guard;
    /* What .cc writes; made on demand. */
    LLVMValueRef carry_var[EMIT_MAX_WARPS];
    LLVMValueRef special[EMIT_MAX_WARPS][PTX_SREG_COUNT]
                        [EMIT_MAX_LANES + 1]; /* cache */
    struct emit_cursor at;
    uint32_t era; /* counts blocks, and copies of them */
};

struct emit {
    LLVMContextRef cx;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    const struct ptx_module *ptx;
    const struct simt_machine *target;
    struct simt_spec spec;
    unsigned lanes;
    struct diag *diag;
    struct arena *arena; /* the kernel's; lives as long as its analysis */
    bool has_failed;
    bool flushes; /* the machine flushes subnormals; see flush_mode.c */
    struct emit_info *info;
    const struct ptx_func *kernel;
    bool is_block_in_step; /* one call runs the whole block: see barrier.c */

    LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, ptr, voidt;
    LLVMTypeRef mask_type, where_type;
    unsigned md_invariant, md_scope, md_noalias, md_prof, md_deref, md_nonnull,
        md_align;
    LLVMValueRef md_empty, md_cold_true, md_cold_false;
    LLVMValueRef scope[PTX_SPACE_COUNT], noalias[PTX_SPACE_COUNT];
    LLVMValueRef scope_nc; /* what ld.global.nc reads; see module.c */

    struct ptx_shared_layout *shared;
    LLVMValueRef *functions;         /* by ptx_func.index, made on demand */
    const struct ptx_func **to_emit; /* declared, body not yet emitted */
    unsigned to_emit_count;
    struct emit_fn *f;

    /* NULL: the PTX has no lines of the source; see lines.c. */
    struct LLVMOpaqueDIBuilder *lines;
    LLVMMetadataRef lines_file;
};

/* For assertions: a register, a block, an instruction of the function at hand;
 * the lanes of a warp as a mask, or NULL for all. */
static inline bool emit_has_reg(const struct emit *e, uint32_t reg)
{
    return reg < e->f->k->func->reg_count;
}
static inline bool emit_has_block(const struct emit *e, uint32_t block)
{
    return block < e->f->k->block_count;
}
static inline bool emit_has_inst(const struct emit *e, uint32_t inst)
{
    return inst < e->f->k->func->inst_count;
}
static inline bool emit_is_mask(const struct emit *e, LLVMValueRef mask)
{
    return !mask || LLVMTypeOf(mask) == e->mask_type;
}

typedef void emit_op_fn(struct emit *e, const struct ptx_inst *inst);

#endif
