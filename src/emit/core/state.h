/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files of emit/. A `struct emit` makes one LLVM module; `e->f`
 * is the function that is being emitted. One thread at a time for each.
 *
 * Emitters of lane-wise opcodes know nothing of shapes. The dispatcher runs
 * such an emitter once for each way in which a destination is kept: for all
 * lanes as a vector, or as a scalar for the first lane of each group (the base
 * of an affine value is its value in the first lane, whatever the opcode).
 * emit_read and emit_write do the rest.
 *
 * A call may run several warps in step, a coarse warp. Only the dispatcher,
 * control.c and value.c know: an emitter sees one warp, number f->at.warp of
 * the coarse warp, and runs once for each. A vector always has one warp's
 * lanes.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  one at a time for each struct emit and its LLVM context
 *   errors   emit_refuse reports what cannot be compiled; the function goes on
 *            with any value, and emit_kernel fails at the end
 *   owners   LLVM's values are the module's, our structures the kernel's
 *            arena's; callers keep neither
 *   units    sizes and offsets are bytes; a mask that is NULL means all lanes
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

/* A varying 64-bit value as base + index * scale + offset; see
 * base_index.c. */
struct emit_base_index {
    uint32_t era;       /* it holds while emit_fn.era has this value */
    LLVMValueRef base;  /* i64; NULL: 0 */
    LLVMValueRef index; /* vector of i32 or i64; NULL: not known */
    int64_t scale, offset;
    bool is_signed;
};

/* A variable, and the value that it holds while control is in `block`. Most
 * reads come soon after a write, and what is never loaded costs LLVM
 * nothing. */
struct emit_slot {
    LLVMValueRef var, value;
    LLVMBasicBlockRef block;
};

/* A register: one vector for each warp, or one scalar for each group of the
 * coarse warp. */
struct emit_reg {
    struct simt_shape shape;
    LLVMTypeRef type; /* of one lane */
    unsigned slot_count;
    struct emit_slot *slot;
    /* For conditional shapes: the flag, and the exact vector, which is valid
     * while the flag is false (volatile, so that it does not slow the fast
     * path). */
    LLVMValueRef ok, shadow[EMIT_MAX_WARPS];
    struct emit_base_index parts[EMIT_MAX_WARPS];
    uint32_t part; /* 1 + the part that it was made for; see split.c */
};

struct emit_private_sum;
struct emit_lane_sums;
struct emit_next_block;
struct emit_histogram;

/* A parameter of a function or a call: lane after lane in memory. */
struct emit_block_ref {
    LLVMValueRef pointer;
    unsigned stride_bytes;
};

/* Values of the launch and the warp that a function may need. */
struct emit_env {
    LLVMValueRef warp;    /* struct exec_warp * */
    LLVMValueRef launch;  /* const struct exec_launch * */
    LLVMValueRef helpers; /* const struct exec_helpers * */
    /* shared: what shared addresses count from; own_shared: the block's own
     * window; own_start: offset of that in the former (i64), NULL for 0, as
     * without clusters. */
    LLVMValueRef shared, own_shared, own_start;
    LLVMValueRef globals, params, stack_base;
    LLVMValueRef ctaid[3];     /* i32 */
    /* i32, in the block; if the warp is alone, the warp's */
    LLVMValueRef coarse_index;
    LLVMValueRef where;        /* struct where *, for callees; may be NULL */
};

/* One mask for each warp of the coarse warp. */
struct emit_masks {
    LLVMValueRef of[EMIT_MAX_WARPS];
};

/* What is being emitted, and how. It is saved, changed and restored as a
 * whole. */
struct emit_cursor {
    const struct ptx_inst *inst;
    uint32_t index;
    uint32_t block;
    unsigned warp;      /* in the coarse warp */
    LLVMValueRef mask;  /* active lanes of that warp; NULL: all */
    LLVMValueRef blend; /* lanes that a write of a vector changes; NULL: all */
    LLVMValueRef when;  /* scalar guard of a write; may be NULL */
    int lane;           /* EMIT_ALL_LANES, or the lane that is computed */
    unsigned group;     /* group of the destinations that is computed */
    bool looks;         /* bits of its sources are used; see nan.c */
    bool makes_nan;     /* bits of what it computes are used elsewhere */
    /* the exact vector of a conditional value is computed */
    bool is_cold;
    bool is_full_copy;  /* in the copy of a loop for all lanes */
};

/* LLVM blocks of a function; control.c's, and for the first ones
 * function.c's. */
struct emit_blocks {
    LLVMBasicBlockRef allocas;       /* entry block; ends in a branch */
    /* runs once for each warp; ends in a branch */
    LLVMBasicBlockRef prologue;
    LLVMBasicBlockRef exit;          /* all lanes are done */
    LLVMBasicBlockRef parted;        /* in lockstep: lanes have parted */
    LLVMBasicBlockRef *check, *body; /* by simt block */
};

/* Which lanes are where; control.c's. */
struct emit_lanes_at {
    struct emit_masks existing; /* when a warp starts; NULL: all */
    struct emit_masks here;     /* in the current block; NULL: all */
    struct emit_masks here_var; /* allocas for those */
    struct emit_masks *waiting; /* allocas, by simt_block.mask_variable */
};

/* Memory with a copy for every lane; variable.c's. */
struct emit_own {
    LLVMValueRef *lane_block; /* by function-scope variable: .local, .param */
    LLVMValueRef *param;      /* device functions: by parameter */
    LLVMValueRef *ret;        /* device functions: by return value */
    LLVMValueRef stack_saved; /* at the start of a warp that uses alloca */
    unsigned local_bytes;     /* bytes for one lane */
};

/* What is kept between blocks, or in a loop; made when first needed. Each
 * belongs to one file: privatised sums, those of each lane, what the block
 * before has loaded, the current loop's histogram. */
struct emit_kept_values {
    struct emit_private_sum *sums;
    struct emit_lane_sums *lane_sums;
    struct emit_next_block *next_block;
    struct emit_histogram *histogram;
};

/* For kernels with non-temporal stores: nontemporal.c's. */
struct emit_nontemporal {
    LLVMValueRef stored_once, cache_bytes;
};

/* Operands and sums of matrix products; made when first needed. */
struct emit_products {
    LLVMValueRef operands, sums;
};

/* Overflow guards; overflow.c's and exact.c's. */
struct emit_guard {
    /* The operand whose bases have been tested, or NULL; number of such
     * tests. */
    const struct ptx_operand *tested;
    uint32_t count;
    /* 1 + the register whose definition is emitted again; 0: none */
    uint32_t replaying;
    LLVMValueRef replayed;
};

/* The function, or part of one, that is being emitted. */
struct emit_fn {
    const struct simt_kernel *k;
    const struct simt_plan *plan;
    LLVMValueRef value;
    struct emit_env env;
    struct emit_blocks blocks;
    unsigned warps; /* in the coarse warp */
    struct emit_lanes_at lanes;
    struct emit_reg *regs;
    struct emit_split *split; /* the kernel's parts; NULL: it has none */
    uint32_t part;
    struct emit_own own;
    struct emit_products products;
    LLVMValueRef texture_request; /* made when first needed */
    struct emit_kept_values kept;
    struct emit_nontemporal nontemporal;
    struct emit_guard guard;
    /* The carry that .cc writes; made when first needed. */
    LLVMValueRef carry_var[EMIT_MAX_WARPS];
    LLVMValueRef special[EMIT_MAX_WARPS][PTX_SREG_COUNT]
                        [EMIT_MAX_LANES + 1]; /* cache */
    struct emit_cursor at;
    uint32_t era; /* counts blocks and copies of them */
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
    /* by ptx_func.index, made when first needed */
    LLVMValueRef *functions;
    /* declared functions whose bodies are not emitted yet */
    const struct ptx_func **to_emit;
    unsigned to_emit_count;
    struct emit_fn *f;

    /* NULL: the PTX has no source lines; see lines.c */
    struct LLVMOpaqueDIBuilder *lines;
    LLVMMetadataRef lines_file;
};

/* For assertions: is it a register, a block, an instruction of the current
 * function; is it a mask of a warp's lanes, or NULL? */
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
