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
 * A call may run a team of warps in step. Nobody but the dispatcher, control.c
 * and value.c knows: an emitter sees one warp, number f->warp of the team, and
 * runs once for each. Vectors always have one warp's lanes.
 */
#ifndef WEFT_EMIT_INTERNAL_H
#define WEFT_EMIT_INTERNAL_H

#include "emit/emit.h"
#include "emit/ir.h"
#include "abi/abi.h"
#include "emit/marks.h"

#define EMIT_MAX_LANES 32
#define EMIT_MIN_GROUP 8 /* lanes with one affine value */
#define EMIT_MAX_WARPS 8
#define EMIT_ALL_LANES (-1)

/* A varying 64-bit value as base + index * scale + offset; see parts.c. */
struct emit_parts {
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
 * group of the team. */
struct emit_reg {
    struct simt_shape shape;
    LLVMTypeRef type; /* of one lane */
    unsigned slot_count;
    struct emit_slot *slot;
    /* Conditional shapes: the flag, and the exact vector that is valid while
     * the flag is false (volatile, so that it never costs the fast path). */
    LLVMValueRef ok, shadow[EMIT_MAX_WARPS];
    struct emit_parts parts[EMIT_MAX_WARPS];
    uint32_t piece; /* for which it was made, + 1; see piece.c */
};

struct emit_late;
struct emit_late_lanes;
struct emit_ahead;
struct emit_spread;

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
    LLVMValueRef ctaid[3];   /* i32 */
    LLVMValueRef team_index; /* i32, in the block: the warp's, if alone */
    LLVMValueRef where;      /* struct where *, for callees; or NULL */
};

/* One for each warp of the team. */
struct emit_masks {
    LLVMValueRef of[EMIT_MAX_WARPS];
};

/* What is being emitted, and how: saved, changed and put back as a whole. */
struct emit_cursor {
    const struct ptx_inst *inst;
    uint32_t index;
    uint32_t block;
    unsigned warp;      /* of the team */
    LLVMValueRef mask;  /* its active lanes; NULL: all */
    LLVMValueRef blend; /* writes of vectors keep the other lanes; NULL: all */
    LLVMValueRef when;  /* scalar guard of a write, or NULL */
    int lane;           /* EMIT_ALL_LANES or the lane that is computed */
    unsigned group;     /* shape group of the destinations being computed */
    bool looks;         /* at its sources' bits; see payload.c */
    bool makes_nan;     /* what it computes is looked at elsewhere */
    bool is_cold;       /* computing the exact vector of a conditional value */
};

struct emit_fn {
    const struct simt_kernel *k;
    const struct simt_plan *plan;
    LLVMValueRef value;
    struct emit_env env;
    LLVMBasicBlockRef allocas;       /* entry block; ends in a branch */
    LLVMBasicBlockRef prologue;      /* runs once per warp; ends in a branch */
    LLVMBasicBlockRef exit;          /* all lanes are done */
    LLVMBasicBlockRef *check, *body; /* by simt block */
    unsigned warps;                  /* in the team */
    struct emit_masks *mask_var;     /* by simt_block.mask_variable */
    struct emit_masks cur_var;       /* allocas of the current masks */
    struct emit_masks entry_mask;    /* NULL: every lane exists */
    struct emit_masks masks;         /* of the current block; NULL: all */
    struct emit_reg *regs;
    const bool *is_float;       /* by register: kept as a float */
    const bool *is_exposed;     /* by register: may be read before its block has
                                   written it */
    struct emit_pieces *pieces; /* of a long kernel; NULL: this is no piece */
    uint32_t piece;
    LLVMValueRef *lane_block;  /* by function-scope variable: .local and
                                  .param, one copy for each lane */
    unsigned local_bytes;      /* of one lane */
    LLVMValueRef stack_saved;  /* at the start of a warp that uses alloca */
    LLVMValueRef *own_param;   /* device functions: by parameter */
    LLVMValueRef *own_ret;     /* device functions: by return value */
    LLVMValueRef matrix_frame; /* operands of products; made on demand */
    LLVMValueRef wgmma_sums;   /* D of a wgmma; made on demand */
    LLVMValueRef texture_request; /* made on demand */
    struct emit_late *late;    /* reds that are kept back; see late.c */
    struct emit_late_lanes *late_lanes; /* the same for each lane */
    struct emit_ahead *ahead;   /* what blocks have loaded; see ahead.c */
    struct emit_spread *spread; /* in a loop that counts; see spread.c */
    LLVMValueRef stored_once;
    LLVMValueRef cache_bytes;
    /* What .cc writes; made on demand. */
    LLVMValueRef carry_var[EMIT_MAX_WARPS];
    LLVMValueRef special[EMIT_MAX_WARPS][PTX_SREG_COUNT]
                        [EMIT_MAX_LANES + 1]; /* cache */
    struct emit_cursor at;
    uint32_t era; /* counts blocks, and copies of them */
    /* The operand whose bases wrap.c has tested, or NULL; all such tests. */
    const struct ptx_operand *tested;
    uint32_t test_count;
    uint32_t *replay; /* by register: its definition's index + 1; see wrap.c */
    uint32_t replaying; /* register + 1 */
    LLVMValueRef replayed;
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
    bool flushes; /* the machine flushes subnormals; see flushing.c */
    struct emit_info *info;
    const struct ptx_func *kernel;
    bool is_block_in_step; /* one call runs the whole block: see sync.c */

    LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, ptr, voidt;
    LLVMTypeRef mask_type, where_type;
    unsigned md_invariant, md_scope, md_noalias, md_prof, md_deref, md_nonnull;
    LLVMValueRef md_empty, md_cold_true, md_cold_false;
    LLVMValueRef scope[PTX_SPACE_COUNT], noalias[PTX_SPACE_COUNT];

    struct ptx_shared_layout *shared;
    LLVMValueRef *functions;         /* by ptx_func.index, made on demand */
    const struct ptx_func **to_emit; /* declared, body not yet emitted */
    unsigned to_emit_count;
    /* Made on demand; of a function, which may have several pieces. */
    struct simt_alignments *alignments;
    const struct simt_kernel *alignments_of;
    struct emit_fn *f;
};

typedef void emit_op_fn(struct emit *e, const struct ptx_inst *inst);

/* ---- refuse.c, dispatch.c, guard.c --------------------------------------- */

/* Reports that the instruction being emitted cannot be compiled. */
void emit_refuse(struct emit *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Emits instructions [first, end) of the current block; its terminator is
 * left to control.c. */
void emit_instructions(struct emit *e, uint32_t first, uint32_t end);
/* `fn` for all lanes of each warp of the team, with its mask and blend. */
void emit_each_warp(struct emit *e, const struct ptx_inst *inst,
                    void (*fn)(struct emit *, const struct ptx_inst *));

/* The guard's value for the lanes of the current mode; is it a mask? As a
 * scalar, or NULL where there is none, or it is a mask. */
LLVMValueRef emit_read_guard(struct emit *e, const struct ptx_inst *inst);
bool emit_has_varying_guard(struct emit *e, const struct ptx_inst *inst);
LLVMValueRef emit_uniform_guard(struct emit *e, const struct ptx_inst *inst);
/* Turns to all lanes of a warp of the team, and its mask. */
void emit_select_warp(struct emit *e, unsigned warp);

/* ---- value.c: registers and operands ------------------------------------ */

/* Decides what is known of registers before they are made. */
void emit_plan_regs(struct emit *e);
void emit_make_reg(struct emit *e, uint32_t reg);
LLVMTypeRef emit_slot_type(struct emit *e, const struct emit_reg *r);
/* The value before any other, where that may be read. */
void emit_reset_reg(struct emit *e, uint32_t reg);
/* A varying register of the current warp that nobody will read as it is. */
void emit_forget_reg(struct emit *e, uint32_t reg);
/* The scalar LLVM type in which a PTX type is computed: halves and packed
 * types are integers. */
LLVMTypeRef emit_type(struct emit *e, enum ptx_type type);
/* `scalar`, or a vector of it when all lanes are being computed. */
LLVMTypeRef emit_mode_type(struct emit *e, LLVMTypeRef scalar);
/* A lane of the current warp, counted through the team. */
unsigned emit_team_lane(struct emit *e, unsigned lane);
/* Constants of the current mode. */
LLVMValueRef emit_const(struct emit *e, LLVMTypeRef scalar, int64_t value);
/* fn(lane) for each lane, or for the lane being computed. */
LLVMValueRef emit_lane_const(struct emit *e, LLVMTypeRef scalar,
                             int64_t (*fn)(int lane));
/* A scalar as a value of the current mode. */
LLVMValueRef emit_from_scalar(struct emit *e, LLVMValueRef scalar);
LLVMValueRef emit_splat(struct emit *e, LLVMValueRef scalar);
LLVMValueRef emit_read(struct emit *e, const struct ptx_operand *o,
                       enum ptx_type type);
LLVMValueRef emit_read_reg(struct emit *e, uint32_t reg);
/* Predicate operands, negation applied. */
LLVMValueRef emit_read_pred(struct emit *e, const struct ptx_operand *o);
/* Values are extended to the register's width as `type` says. Writes only
 * registers that the current mode computes. */
void emit_write(struct emit *e, const struct ptx_operand *o, LLVMValueRef value,
                enum ptx_type type);
/* Reads for all lanes whatever the mode; as a scalar for one lane. */
LLVMValueRef emit_read_vector(struct emit *e, const struct ptx_operand *o,
                              enum ptx_type type);
LLVMValueRef emit_read_lane(struct emit *e, const struct ptx_operand *o,
                            enum ptx_type type, int lane);
/* Writes a vector, or a scalar, into a register of any shape. A register
 * kept as scalars gets the values of the groups' first lanes. */
void emit_write_vector(struct emit *e, const struct ptx_operand *o,
                       LLVMValueRef vector, enum ptx_type type);
void emit_write_uniform(struct emit *e, const struct ptx_operand *o,
                        LLVMValueRef scalar, enum ptx_type type);
struct simt_shape emit_operand_shape(struct emit *e,
                                     const struct ptx_operand *o);
bool emit_is_uniform(struct emit *e, const struct ptx_operand *o);
/* How many groups of scalars a shape has in a warp, and in the team. */
unsigned emit_group_count(struct emit *e, struct simt_shape s);
unsigned emit_team_group_count(struct emit *e, struct simt_shape s);
/* Turns to lane `team_lane` of the team, to compute it alone. */
void emit_select_lane(struct emit *e, unsigned team_lane);
void emit_dest_shapes(struct emit *e, const struct ptx_inst *inst,
                      uint64_t *groups, bool *has_varying);
/* ---- wrap.c: conditional shapes ----------------------------------------- */

void emit_find_replays(struct emit *e);
bool emit_replays(struct emit *e, uint32_t reg);
const struct ptx_inst *emit_replayed(struct emit *e, uint32_t reg);
/* The exact vector, where the register's flag is false. */
LLVMValueRef emit_exact(struct emit *e, uint32_t reg);
/* Calls a function that codegen/affine_addresses.c replaces by its meaning. */
LLVMValueRef emit_call_mark(struct emit *e, const char *name,
                            LLVMTypeRef result, LLVMValueRef *args,
                            unsigned count);
/* A base of the operand that was tested, marked as such. */
LLVMValueRef emit_tested_base(struct emit *e, LLVMValueRef base);
/* Around the scalars of a conditional destination. */
LLVMValueRef emit_begin_conditional(struct emit *e, const struct ptx_inst *inst,
                                    void (*fn)(struct emit *,
                                               const struct ptx_inst *));
void emit_end_conditional(struct emit *e, const struct ptx_inst *inst,
                          LLVMValueRef ok);
/* The `ok` flag of a register (i1), or NULL when its shape always holds. */
LLVMValueRef emit_ok(struct emit *e, uint32_t reg);

/* ---- mask.c: masks, branches, loops over lanes -------------------------- */

LLVMValueRef emit_all_ones(struct emit *e);
LLVMValueRef emit_mask(struct emit *e);                         /* never NULL */
LLVMValueRef emit_mask_bits(struct emit *e, LLVMValueRef mask); /* i32 */
LLVMValueRef emit_any(struct emit *e, LLVMValueRef mask);       /* i1 */
/* Is a lane of any warp of the team active? A NULL mask: yes. */
LLVMValueRef emit_any_of_team(struct emit *e, const struct emit_masks *masks);
LLVMValueRef emit_all(struct emit *e, LLVMValueRef mask); /* i1 */
LLVMValueRef emit_and_mask(struct emit *e, LLVMValueRef a, LLVMValueRef b);
LLVMBasicBlockRef emit_new_block(struct emit *e, const char *name);
void emit_goto_new(struct emit *e, LLVMBasicBlockRef bb);
LLVMValueRef emit_mask_of_bits(struct emit *e, LLVMValueRef bits);
/* The value of the last active lane. */
LLVMValueRef emit_last_active(struct emit *e, LLVMValueRef vector);
/* Of all active lanes' stores to one place the value that stays, where each
 * stores so many bytes. */
LLVMValueRef emit_stored_last(struct emit *e, LLVMValueRef vector,
                              unsigned bytes);
/* An alloca in the function's entry block. */
LLVMValueRef emit_alloca(struct emit *e, LLVMTypeRef type, unsigned align,
                         const char *name);
/* One that holds `first` from the end of `begin` on: f->allocas, once in a
 * call; f->prologue, for each warp anew. */
LLVMValueRef emit_kept(struct emit *e, LLVMBasicBlockRef begin,
                       LLVMValueRef first, const char *name);
enum emit_likely { EMIT_EVEN, EMIT_LIKELY, EMIT_UNLIKELY };
void emit_branch(struct emit *e, LLVMValueRef condition, LLVMBasicBlockRef yes,
                 LLVMBasicBlockRef no, enum emit_likely likely);
/* A vector in memory, to be indexed by a lane known at run time. */
LLVMValueRef emit_spill(struct emit *e, LLVMValueRef vector);
LLVMValueRef emit_spilled_lane(struct emit *e, LLVMValueRef memory,
                               LLVMTypeRef scalar, LLVMValueRef lane);
void emit_store_lane(struct emit *e, LLVMValueRef memory, LLVMTypeRef scalar,
                     LLVMValueRef lane, LLVMValueRef value);
LLVMValueRef emit_unspill(struct emit *e, LLVMValueRef memory,
                          LLVMTypeRef scalar);
/* for each set bit of mask: the code emitted between begin and end. */
struct emit_lane_loop {
    LLVMBasicBlockRef head, body, done;
    LLVMValueRef bits_var, lane;
};
void emit_lane_loop_begin(struct emit *e, struct emit_lane_loop *loop,
                          LLVMValueRef mask);
void emit_lane_loop_end(struct emit *e, struct emit_lane_loop *loop);
/* The same for the bits of an i32. */
void emit_bit_loop_begin(struct emit *e, struct emit_lane_loop *loop,
                         LLVMValueRef bits);

/* ---- special.c ---------------------------------------------------------- */

LLVMValueRef emit_special(struct emit *e, enum ptx_sreg sreg);

/* ---- address.c --------------------------------------------------------- */

/* The address of a variable as its state space counts addresses (i64), in
 * the current mode. */
LLVMValueRef emit_var_address(struct emit *e, const struct ptx_var *var);
/* A pointer to a variable plus `offset`, in the current mode. */
LLVMValueRef emit_pointer_to_var(struct emit *e, const struct ptx_var *var,
                                 int64_t offset);
/* A pointer for the address operand plus `offset`: for one lane, or for all. */
LLVMValueRef emit_pointer(struct emit *e, const struct ptx_operand *o,
                          enum ptx_space space, int lane, int64_t offset);
/* The same place in the shared memory of the cluster's block `rank`, i32. */
LLVMValueRef emit_in_block(struct emit *e, LLVMValueRef pointer,
                           LLVMValueRef rank);
/* Where the lanes' copies of a .local or .param variable lie. */
LLVMValueRef emit_make_lane_block(struct emit *e, const struct ptx_var *var);
struct emit_block_ref emit_lane_block(struct emit *e,
                                      const struct ptx_var *var);
bool emit_is_kernel_param(struct emit *e, const struct ptx_var *var);
/* Tells LLVM which window an access is in. */
void emit_set_alias(struct emit *e, LLVMValueRef access, enum ptx_space space);

/* ---- align.c ----------------------------------------------------------- */

/* Before the memory instruction at hand: ends the kernel if an active lane's
 * address is none for accesses of its size. */
void emit_test_alignment(struct emit *e);

/* ---- parts.c ----------------------------------------------------------- */

/* What the instruction's destination will be made of, and what the operand is;
 * index NULL: not known. */
struct emit_parts emit_find_parts(struct emit *e, const struct ptx_inst *inst);
struct emit_parts emit_parts_of(struct emit *e, const struct ptx_operand *o);
LLVMValueRef emit_pointers_of_parts(struct emit *e, const struct ptx_operand *o,
                                    int64_t offset);

/* ---- likely.c ---------------------------------------------------------- */

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
 * simt_kernel.hoped_address says; NULL: it says nothing. */
LLVMValueRef emit_likely_shape(struct emit *e,
                               const struct ptx_operand *address);
/* For elements of so many bytes; false: there is no hope. */
bool emit_likely_row(struct emit *e, const struct ptx_operand *address,
                     enum ptx_space space, int64_t size_bytes,
                     struct emit_row *row);

/* ---- memory.c ---------------------------------------------------------- */

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

/* ---- late.c ------------------------------------------------------------ */

/* The same as emit_atomic_at for the red being emitted, at the latest when the
 * function ends. */
void emit_atomic_late(struct emit *e, LLVMValueRef p, LLVMValueRef v);
/* At the function's end. */
void emit_release_late(struct emit *e);

/* ---- late_lanes.c ------------------------------------------------------ */

/* The same for a red whose lanes have neighbouring addresses: `first` is that
 * of the warp's first lane, v what they add. Returns the block behind it, and
 * leaves the builder where it has to be done at once. */
LLVMBasicBlockRef emit_keep_lanes(struct emit *e, LLVMValueRef first,
                                  LLVMValueRef v);
void emit_release_late_lanes(struct emit *e);

/* ---- spread.c ---------------------------------------------------------- */

/* Around the copy of a loop that all lanes are in: before it, at the start of
 * each iteration, and behind it. */
void emit_spread_begin(struct emit *e, uint32_t block);
void emit_spread_iteration(struct emit *e);
void emit_spread_end(struct emit *e);
/* The addition being emitted, at these offsets in the shared window, of `value`
 * (a scalar: the same for all lanes). False: it has to be done another way. */
bool emit_spread_add(struct emit *e, LLVMValueRef offsets, LLVMValueRef value);
/* A load in the loop: asks for what is `distance` bytes further on, a little
 * with each addition. False: has to be done another way. */
bool emit_spread_ahead(struct emit *e, const struct ptx_operand *address,
                       struct simt_shape shape, LLVMValueRef distance);

/* ---- control.c: blocks and their ends ---------------------------------- */

/* Expects the builder in the prologue; leaves every block terminated. */
void emit_body(struct emit *e);
/* Blocks [first, end) of it. */
void emit_make_blocks(struct emit *e, uint32_t first, uint32_t end);
void emit_blocks(struct emit *e, uint32_t first, uint32_t end);

/* ---- piece.c ----------------------------------------------------------- */

/* Stands for emit_body() where simt_piece_insts() is not 0. */
void emit_in_pieces(struct emit *e);
/* Of the piece at hand: does the block belong to another one? */
bool emit_is_outside(struct emit *e, uint32_t block);
/* A block that leads there. */
LLVMBasicBlockRef emit_way_out(struct emit *e, uint32_t block, bool is_check);
/* The current warp's carry, a new variable, goes on from piece to piece. */
void emit_keep_carry(struct emit *e, LLVMValueRef var);
/* Memory of a function-scope variable, which all pieces share: made by `make`
 * in the whole function when the first piece asks. */
typedef LLVMValueRef emit_make_block_fn(struct emit *e,
                                        const struct ptx_var *var);
LLVMValueRef emit_outer_lane_block(struct emit *e, const struct ptx_var *var,
                                   emit_make_block_fn *make);

/* ---- weave.c ----------------------------------------------------------- */

/* Memory for a woven variable of the function at hand: made, and later. */
LLVMValueRef emit_make_woven(struct emit *e, const struct ptx_var *var);
LLVMValueRef emit_woven_block(struct emit *e, const struct ptx_var *var);
/* ld and st. False: it is none of such memory. */
bool emit_woven(struct emit *e, const struct ptx_inst *inst);

/* ---- quads.c ----------------------------------------------------------- */

/* Each lane's address as a scalar. */
void emit_lane_pointers(struct emit *e, const struct ptx_operand *address,
                        enum ptx_space space, struct simt_shape shape,
                        LLVMValueRef *out);
/* Four words at each lane's address, for all lanes: out[i] and in[i] are word
 * i of the lanes. Addresses are multiples of 16. */
void emit_load_quads(struct emit *e, const LLVMValueRef *pointers,
                     LLVMTypeRef element, enum ptx_space space,
                     LLVMValueRef *out);
void emit_store_quads(struct emit *e, const LLVMValueRef *pointers,
                      enum ptx_space space, const LLVMValueRef *in);

/* ---- spaced.c ---------------------------------------------------------- */

/* An element, or several side by side, of each of a group's lanes, the next
 * lane's `step` elements further on. */
struct emit_spaced {
    enum ptx_space space;
    unsigned size, count; /* bytes of an element, elements of a lane */
    unsigned step, lanes;
    LLVMValueRef bits; /* i32: which lanes are active; NULL: all */
};

/* From, and to, the first lane's address; a vector for each component. */
void emit_load_spaced(struct emit *e, const struct emit_spaced *s,
                      LLVMTypeRef element, LLVMValueRef pointer,
                      LLVMValueRef *out);
void emit_store_spaced(struct emit *e, const struct emit_spaced *s,
                       LLVMValueRef pointer, LLVMValueRef *in);

/* ---- function.c, call.c ------------------------------------------------ */

void emit_begin_function(struct emit *e, const struct simt_plan *plan,
                         LLVMValueRef value);
void emit_end_function(struct emit *e);
bool emit_entry(struct emit *e, const struct simt_plan *plan);
bool emit_device_function(struct emit *e, const struct ptx_func *func);
LLVMValueRef emit_declare_function(struct emit *e, const struct ptx_func *func);
/* A piece's function becomes the one at hand: piece.c. */
void emit_begin_piece(struct emit *e, LLVMValueRef value);
void emit_find_entry_masks(struct emit *e);
/* Room for the pointers to a device function's parameters and results. */
void emit_make_params(struct emit *e);
/* Where a warp with calls keeps, bit by bit, who has exited in them. */
LLVMValueRef emit_exited_pointer(struct emit *e);
/* And by which calls the function at hand was reached. */
LLVMValueRef emit_path_pointer(struct emit *e);
/* Of a function whose first parameter is the warp; of any function. */
void emit_attributes(struct emit *e, LLVMValueRef fn);
void emit_attributes_of_all(struct emit *e, LLVMValueRef fn);
void emit_add_attribute(struct emit *e, LLVMValueRef fn, int index,
                        const char *name, uint64_t value);
/* Fills f->env for the function at hand, of which `warp` is a parameter. */
void emit_make_env(struct emit *e, LLVMValueRef warp);
/* A field that nobody changes while the function runs. */
LLVMValueRef emit_load_constant(struct emit *e, LLVMValueRef base,
                                size_t offset, LLVMTypeRef type);
#define EMIT_WARP_FIELD(e, env, field, type)                                   \
    emit_load_constant((e), (env)->warp, offsetof(struct exec_warp, field),    \
                       (type))
LLVMValueRef emit_launch_field(struct emit *e, size_t offset, LLVMTypeRef type);
/* Calls helpers->field(warp, args...). */
LLVMValueRef emit_helper(struct emit *e, size_t offset, LLVMTypeRef ret,
                         LLVMValueRef *args, unsigned count);
#define EMIT_HELPER(e, field, ret, args, count)                                \
    emit_helper((e), offsetof(struct exec_helpers, field), (ret), (args),      \
                (count))

/* ---- warp.c, and meet.c: the same for one lane to a call ---------------- */

/* PTX ISA, "shfl.sync": the lane that `lane` takes its value from, given the
 * operands b and c; *in: it lies in the segment. Vectors or scalars. */
LLVMValueRef emit_source_lane(struct emit *e, enum ptx_sub mode,
                              LLVMValueRef lane, LLVMValueRef b, LLVMValueRef c,
                              LLVMValueRef *in);
/* The result of a vote: `bits` of the lanes `all` said yes. */
void emit_write_vote(struct emit *e, const struct ptx_inst *inst,
                     LLVMValueRef bits, LLVMValueRef all);
/* redux over the lanes of v that are in `mask`; NULL: all. */
LLVMValueRef emit_redux_of(struct emit *e, const struct ptx_inst *inst,
                           LLVMValueRef v, LLVMValueRef mask);
/* The thread's lane in its warp of 32. */
LLVMValueRef emit_own_lane(struct emit *e);
void emit_meet_barrier(struct emit *e, const struct ptx_inst *inst);
void emit_meet_shfl(struct emit *e, const struct ptx_inst *inst);
void emit_meet_vote(struct emit *e, const struct ptx_inst *inst);
void emit_meet_match(struct emit *e, const struct ptx_inst *inst);
void emit_meet_activemask(struct emit *e, const struct ptx_inst *inst);
void emit_meet_elect(struct emit *e, const struct ptx_inst *inst);
void emit_meet_redux(struct emit *e, const struct ptx_inst *inst);
/* Registers of all lanes of the warp as a vector, and back; with one lane to a
 * call the lanes meet, and each has everybody's. */
LLVMValueRef emit_warp_read(struct emit *e, const struct ptx_operand *o,
                            enum ptx_type type);
void emit_warp_write(struct emit *e, const struct ptx_operand *o,
                     LLVMValueRef v, enum ptx_type type);
/* With one lane to a call: everybody's integers as i64; all are here. */
LLVMValueRef emit_meet_values(struct emit *e, LLVMValueRef value);
void emit_meet_warp(struct emit *e); /* with 32: nothing */
/* With one lane to a call what is between is done by the warp's first. */
LLVMBasicBlockRef emit_first_lane_begin(struct emit *e);
void emit_first_lane_end(struct emit *e, LLVMBasicBlockRef done);

/* ---- extremes.c -------------------------------------------------------- */

/* A scalar that is true only if the predicate p, as instructions [first, end)
 * leave it, is `wanted` in all lanes of the team; NULL: no cheap answer. */
LLVMValueRef emit_extremes_hold(struct emit *e, uint32_t first, uint32_t end,
                                uint32_t p, bool wanted);

/* ---- dense.c ----------------------------------------------------------- */

struct emit_dense {
    LLVMValueRef mask;
    enum ptx_space space;
    unsigned size; /* bytes of an element */
};

/* Stores v if they do, and goes to the block that is returned. Leaves the
 * builder where they do not. */
LLVMBasicBlockRef emit_store_dense(struct emit *e, enum ptx_space space,
                                   unsigned size, LLVMValueRef pointers,
                                   LLVMValueRef v);

/* ---- stride.c ---------------------------------------------------------- */

/* At the head of a loop that takes turns: lets the other warps catch up. */
void emit_take_turns(struct emit *e);
/* For a load in a loop with barriers, or one that strides. */
void emit_prefetch_ahead(struct emit *e, const struct ptx_operand *address);
/* ahead.c: the same for the next block. */
void emit_ask_ahead(struct emit *e, const struct ptx_operand *address);
/* The numbers are llvm.prefetch's. */
enum emit_nearness { EMIT_SECOND_CACHE = 2, EMIT_FIRST_CACHE = 3 };
void emit_prefetch_lines(struct emit *e, LLVMValueRef p, int64_t bytes,
                         enum emit_nearness near);

/* ---- stream.c ---------------------------------------------------------- */

void emit_find_streams(struct emit *e);
/* The store that is emitted; and the test whether it passes the caches by now:
 * its rows begin at `p`. NULL: it never does. */
bool emit_may_stream(struct emit *e);
LLVMValueRef emit_streams_to(struct emit *e, LLVMValueRef *p, unsigned rows);
void emit_mark_streaming(struct emit *e, LLVMValueRef store);
void emit_fence_streams(struct emit *e);

/* ---- stack.c ----------------------------------------------------------- */

void emit_restore_stack(struct emit *e); /* at the end of a warp */

/* ---- float.c, half.c: pieces that other files use ---------------------- */

LLVMValueRef emit_flush(struct emit *e, LLVMValueRef v); /* subnormal -> 0 */
/* emit_read for .ftz: flushes only what may be subnormal; flushed.c. */
LLVMValueRef emit_read_flushed(struct emit *e, const struct ptx_operand *o,
                               enum ptx_type type);
LLVMValueRef emit_saturate(struct emit *e, LLVMValueRef v); /* [0, 1] */
LLVMValueRef emit_float_min_max(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                                bool is_max, bool is_nan);
/* The NaN that operations make, of v's type. */
LLVMValueRef emit_quiet_nan(struct emit *e, LLVMValueRef v);
bool emit_is_directed(enum ptx_rnd rnd); /* rz, rm, rp */
/* The directed result of a value that was rounded to r; the sign of `error`
 * is that of value - r. */
LLVMValueRef emit_round_directed(struct emit *e, LLVMValueRef r,
                                 LLVMValueRef error, enum ptx_rnd rnd);
/* a * b + c, rounded once. */
LLVMValueRef emit_fma_rounded(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                              LLVMValueRef c, enum ptx_rnd rnd);
void emit_float_arith(struct emit *e, const struct ptx_inst *inst);
void emit_float_sign(struct emit *e, const struct ptx_inst *inst);
void emit_float_min_max_op(struct emit *e, const struct ptx_inst *inst);
/* Halves are kept as bits (i16). */
LLVMValueRef emit_half_to_float(struct emit *e, LLVMValueRef bits);
LLVMValueRef emit_float_to_half(struct emit *e, LLVMValueRef v,
                                enum ptx_rnd rnd);
LLVMValueRef emit_bf16_to_float(struct emit *e, LLVMValueRef bits);
LLVMValueRef emit_float_to_bf16(struct emit *e, LLVMValueRef v,
                                enum ptx_rnd rnd);
/* Under .ftz: subnormals of f16 to zero. */
LLVMValueRef emit_flush_half(struct emit *e, const struct ptx_inst *inst,
                             LLVMValueRef bits);
/* double to float, fit for a second rounding. */
LLVMValueRef emit_double_to_float_odd(struct emit *e, LLVMValueRef v);
void emit_half_arith(struct emit *e, const struct ptx_inst *inst);
void emit_half_sign(struct emit *e, const struct ptx_inst *inst);
void emit_half_min_max(struct emit *e, const struct ptx_inst *inst);
void emit_half_approx(struct emit *e, const struct ptx_inst *inst,
                      LLVMValueRef (*fn)(struct emit *e, LLVMValueRef x));

/* ---- flushing.c -------------------------------------------------------- */

/* Is a source of the instruction a constant? */
bool emit_has_constant(struct emit *e, const struct ptx_inst *inst);
/* The entry that turns flushing on around the body. */
void emit_flushing_entry(struct emit *e, LLVMValueRef body);

/* ---- payload.c --------------------------------------------------------- */

/* Does somebody look at its bits? */
bool emit_is_seen(const struct emit *e, const struct ptx_operand *o);
/* v as the instruction at hand has to see it. */
LLVMValueRef emit_look_at(struct emit *e, uint32_t reg, LLVMValueRef v);
/* Every NaN among singles becomes 0x7fffffff. */
LLVMValueRef emit_one_nan(struct emit *e, LLVMValueRef v);

/* ---- pack.c ------------------------------------------------------------ */

/* False: not between types of eight bits. */
bool emit_cvt_fp8(struct emit *e, const struct ptx_inst *inst);
void emit_cvt_pack(struct emit *e, const struct ptx_inst *inst);

/* ---- approx.c ---------------------------------------------------------- */

LLVMValueRef emit_upper_half(struct emit *e, LLVMValueRef v);

/* ---- compare.c, warp.c ------------------------------------------------- */

LLVMValueRef emit_compare(struct emit *e, enum ptx_cmp cmp, enum ptx_type type,
                          LLVMValueRef a, LLVMValueRef b);
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
