/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Special registers. One that stays the same while a warp runs is computed
 * once, in the warp's prologue, when an instruction first uses it. If the
 * block shape is known, %tid is computed from constants and the warp's index,
 * by formulas that show LLVM what is equal in all lanes.
 */
#include "abi/shared.h"
#include "emit/core/launch.h"
#include "emit/core/lines.h"
#include "emit/core/values.h"

static LLVMValueRef launch_u32(struct emit *e, size_t offset)
{
    return emit_from_scalar(e, emit_launch_field(e, offset, e->i32));
}

static LLVMValueRef block_size(struct emit *e, unsigned dim)
{
    assert(dim < 3);
    if (e->spec.block[0])
        return emit_const(e, e->i32, e->spec.block[dim]);
    return launch_u32(e, offsetof(struct exec_launch, block) + 4 * dim);
}

static LLVMValueRef coarse_index(struct emit *e)
{
    return emit_from_scalar(e, e->f->env.coarse_index);
}

/* The warp's index in the block. */
static LLVMValueRef warp_index(struct emit *e)
{
    LLVMValueRef t = coarse_index(e);

    return ir_add(e, ir_mul(e, t, ir_int(t, e->f->warps)),
                  ir_int(t, e->f->at.warp));
}

static unsigned coarse_lanes(struct emit *e)
{
    return e->lanes * e->f->warps;
}

/* Each lane's index in the coarse warp. */
static LLVMValueRef coarse_lane(struct emit *e)
{
    LLVMValueRef lane = emit_lane_const(e, e->i32, emit_lane_number);
    return ir_add(e, lane, ir_int(lane, e->f->at.warp * e->lanes));
}

/* Each thread's index in the block. */
static LLVMValueRef thread_index(struct emit *e)
{
    LLVMValueRef t = coarse_index(e);
    if (e->lanes == 1)
        return t;
    return ir_add(e, ir_mul(e, t, ir_int(t, coarse_lanes(e))), coarse_lane(e));
}

static LLVMValueRef divide_unsigned(struct emit *e, LLVMValueRef a,
                                    LLVMValueRef b)
{
    return LLVMBuildUDiv(e->b, a, b, "");
}

static LLVMValueRef remainder_unsigned(struct emit *e, LLVMValueRef a,
                                       LLVMValueRef b)
{
    return LLVMBuildURem(e->b, a, b, "");
}

/* thread_index / ntid.x: rows of x before this lane's thread. */
static LLVMValueRef row_index(struct emit *e)
{
    unsigned bx = e->spec.block[0], n = coarse_lanes(e);
    LLVMValueRef t = coarse_index(e);

    if (bx && bx % n == 0)
        return bx == n ? t : divide_unsigned(e, t, ir_int(t, bx / n));
    if (bx && n % bx == 0) {
        LLVMValueRef lane = coarse_lane(e);
        return ir_add(e, ir_mul(e, t, ir_int(t, n / bx)),
                      divide_unsigned(e, lane, ir_int(lane, bx)));
    }
    return divide_unsigned(e, thread_index(e), block_size(e, 0));
}

static LLVMValueRef tid_x(struct emit *e)
{
    const uint32_t *block = e->spec.block;
    unsigned bx = block[0], n = coarse_lanes(e);

    if (bx && block[1] * block[2] == 1)
        return thread_index(e);
    if (bx && bx % n == 0) {
        LLVMValueRef t = coarse_index(e);
        LLVMValueRef column = remainder_unsigned(e, t, ir_int(t, bx / n));
        return ir_add(e, ir_mul(e, column, ir_int(t, n)), coarse_lane(e));
    }
    if (bx && n % bx == 0) {
        LLVMValueRef lane = coarse_lane(e);
        return remainder_unsigned(e, lane, ir_int(lane, bx));
    }
    return remainder_unsigned(e, thread_index(e), block_size(e, 0));
}

static LLVMValueRef tid_y(struct emit *e)
{
    const uint32_t *block = e->spec.block;

    if (block[0] && block[1] == 1)
        return emit_const(e, e->i32, 0);
    if (block[0] && block[2] == 1)
        return row_index(e);
    return remainder_unsigned(e, row_index(e), block_size(e, 1));
}

static LLVMValueRef tid_z(struct emit *e)
{
    if (e->spec.block[0] && e->spec.block[2] == 1)
        return emit_const(e, e->i32, 0);
    return divide_unsigned(e, row_index(e), block_size(e, 1));
}

static int64_t mask_le(int lane)
{
    return (INT64_C(2) << lane) - 1;
}
static int64_t mask_gt(int lane)
{
    return ~mask_le(lane) & UINT32_MAX;
}
static int64_t mask_ge(int lane)
{
    return ~emit_lanes_below(lane) & UINT32_MAX;
}

/* With one lane to a call, the thread's index determines its lane. */
static LLVMValueRef own_lane_value(struct emit *e, enum ptx_sreg sreg)
{
    LLVMValueRef lane = emit_own_lane(e), one = ir_int(lane, 1);
    LLVMValueRef eq = ir_shl(e, one, lane), lt = ir_sub(e, eq, one);

    assert(e->lanes == 1);
    switch (sreg) {
    case PTX_SREG_lanemask_eq:
        return eq;
    case PTX_SREG_lanemask_lt:
        return lt;
    case PTX_SREG_lanemask_le:
        return ir_or(e, lt, eq);
    case PTX_SREG_lanemask_gt:
        return ir_not(e, ir_or(e, lt, eq));
    case PTX_SREG_lanemask_ge:
        return ir_not(e, lt);
    default:
        return lane;
    }
}

static LLVMValueRef lane_value(struct emit *e, enum ptx_sreg sreg,
                               int64_t (*fn)(int))
{
    if (e->lanes == WEFT_WARP_LANES)
        return emit_lane_const(e, e->i32, fn);
    if (e->lanes == 1)
        return emit_from_scalar(e, own_lane_value(e, sreg));
    emit_refuse(e, "lane numbers need 32 lanes, this code has %u", e->lanes);
    return emit_const(e, e->i32, 0);
}

static LLVMValueRef warp_of_32(struct emit *e)
{
    LLVMValueRef thread = thread_index(e);
    return e->lanes == WEFT_WARP_LANES ? warp_index(e)
                                       : ir_lshr(e, thread, ir_int(thread, 5));
}

enum owner { NO_OWNER, LAUNCH, WARP, HELPER, CONSTANT };
enum part { WHOLE, LOW, HIGH };

/* Where a special register's value is read from. */
static const struct field {
    enum owner owner;
    enum part part;
    size_t offset;     /* of a constant: its value */
    size_t size_bytes; /* of a helper: of its result */
} fields[PTX_SREG_COUNT] = {
#define OWNER_LAUNCH struct exec_launch
#define OWNER_WARP   struct exec_warp
#define SPECIAL_FIELD(sreg, owner, field, part)                                \
    [PTX_SREG_##sreg] = {owner, part, offsetof(OWNER_##owner, field),          \
                         sizeof((OWNER_##owner){0}.field)},
#define SPECIAL_CALL(sreg, helper, part)                                       \
    [PTX_SREG_##sreg] = {HELPER, part, offsetof(struct exec_helpers, helper),  \
                         sizeof(uint64_t)},
#define SPECIAL_CONSTANT(sreg, value)                                          \
    [PTX_SREG_##sreg] = {CONSTANT, WHOLE, value, 0},
#include "abi/special_registers.def"
};

static LLVMValueRef load_field(struct emit *e, const struct field *at)
{
    LLVMTypeRef word = at->size_bytes == 8 ? e->i64 : e->i32;

    assert(at->owner && (at->size_bytes == 8 || at->size_bytes == 4));
    if (at->owner == LAUNCH)
        return emit_launch_field(e, at->offset, word);
    if (at->owner == HELPER)
        return emit_helper(e, at->offset, word, NULL, 0);
    return ir_load(e, word, ir_offset(e, e->f->env.warp, (int64_t)at->offset),
                   (unsigned)at->size_bytes);
}

/* 0 for counters that are not set up, and for %envreg. */
static LLVMValueRef field_value(struct emit *e, enum ptx_sreg sreg)
{
    const struct field *at = &fields[sreg];
    enum ptx_type type = ptx_sreg_type(sreg);

    if (!at->owner)
        return emit_const(e, emit_type(e, type), 0);
    if (at->owner == CONSTANT)
        return emit_const(e, emit_type(e, type), at->offset);
    LLVMValueRef v = load_field(e, at);
    if (at->part == HIGH)
        v = ir_lshr(e, v, ir_int(v, 32));
    if (type != PTX_TYPE_pred)
        return emit_from_scalar(e, ir_resize(e, v, emit_type(e, type), false));
    v = emit_from_scalar(e, v);
    return ir_icmp(e, LLVMIntNE, v, ir_int(v, 0));
}

static LLVMValueRef shared_size(struct emit *e)
{
    LLVMValueRef fixed =
        launch_u32(e, offsetof(struct exec_launch, static_shared_bytes));
    return ir_add(e, fixed, field_value(e, PTX_SREG_dynamic_smem_size));
}

/* unit: a power of 2 */
static LLVMValueRef rounded_up(struct emit *e, LLVMValueRef v, int64_t unit)
{
    assert(unit > 0 && (unit & (unit - 1)) == 0);
    return ir_and(e, ir_add(e, v, ir_int(v, unit - 1)), ir_int(v, -unit));
}

/* Number of blocks of the grid, or of a cluster, in a dimension. */
static LLVMValueRef grid_size(struct emit *e, size_t i)
{
    assert(i < 3);
    return field_value(e, PTX_SREG_nctaid_x + (enum ptx_sreg)i);
}

static LLVMValueRef cluster_size(struct emit *e, size_t i)
{
    assert(i < 3);
    return field_value(e, PTX_SREG_cluster_nctaid_x + (enum ptx_sreg)i);
}

/* The block's coordinate divided by the cluster's size, or the remainder. */
static LLVMValueRef in_clusters(struct emit *e, size_t i, LLVMOpcode divide)
{
    LLVMValueRef v = emit_from_scalar(e, e->f->env.ctaid[i]);
    return LLVMBuildBinOp(e->b, divide, v, cluster_size(e, i), "");
}

static LLVMValueRef compute_special(struct emit *e, enum ptx_sreg sreg)
{
    const struct emit_env *env = &e->f->env;
    LLVMValueRef v;

    switch (sreg) {
    case PTX_SREG_tid_x:
        return tid_x(e);
    case PTX_SREG_tid_y:
        return tid_y(e);
    case PTX_SREG_tid_z:
        return tid_z(e);
    case PTX_SREG_ntid_x:
    case PTX_SREG_ntid_y:
    case PTX_SREG_ntid_z:
        return block_size(e, (unsigned)(sreg - PTX_SREG_ntid_x));
    case PTX_SREG_ctaid_x:
    case PTX_SREG_ctaid_y:
    case PTX_SREG_ctaid_z:
        return emit_from_scalar(e, env->ctaid[sreg - PTX_SREG_ctaid_x]);
    case PTX_SREG_laneid:
        return lane_value(e, sreg, emit_lane_number);
    case PTX_SREG_warpid:
        return warp_of_32(e);
    case PTX_SREG_lanemask_eq:
        return lane_value(e, sreg, emit_lane_bit);
    case PTX_SREG_lanemask_le:
        return lane_value(e, sreg, mask_le);
    case PTX_SREG_lanemask_lt:
        return lane_value(e, sreg, emit_lanes_below);
    case PTX_SREG_lanemask_ge:
        return lane_value(e, sreg, mask_ge);
    case PTX_SREG_lanemask_gt:
        return lane_value(e, sreg, mask_gt);
    case PTX_SREG_clusterid_x:
    case PTX_SREG_clusterid_y:
    case PTX_SREG_clusterid_z:
        return in_clusters(e, sreg - PTX_SREG_clusterid_x, LLVMUDiv);
    case PTX_SREG_cluster_ctaid_x:
    case PTX_SREG_cluster_ctaid_y:
    case PTX_SREG_cluster_ctaid_z:
        return in_clusters(e, sreg - PTX_SREG_cluster_ctaid_x, LLVMURem);
    case PTX_SREG_nclusterid_x:
    case PTX_SREG_nclusterid_y:
    case PTX_SREG_nclusterid_z:
        return LLVMBuildUDiv(e->b, grid_size(e, sreg - PTX_SREG_nclusterid_x),
                             cluster_size(e, sreg - PTX_SREG_nclusterid_x), "");
    case PTX_SREG_total_smem_size:
        return rounded_up(e, shared_size(e), WEFT_SHARED_UNIT);
    case PTX_SREG_aggr_smem_size:
        v = shared_size(e);
        return ir_add(e, v, ir_int(v, WEFT_SHARED_RESERVED));
    default:
        return field_value(e, sreg);
    }
}

static bool is_time(enum ptx_sreg sreg)
{
    return sreg >= PTX_SREG_clock && sreg <= PTX_SREG_globaltimer_hi;
}

LLVMValueRef emit_special(struct emit *e, enum ptx_sreg sreg)
{
    assert(sreg < PTX_SREG_COUNT);
    assert(e->f->at.lane + 1 <= (int)EMIT_MAX_LANES);
    struct emit_fn *f = e->f;
    if (is_time(sreg))
        return compute_special(e, sreg);
    LLVMValueRef *cached = &f->special[f->at.warp][sreg][f->at.lane + 1];
    if (*cached)
        return *cached;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderBefore(e->b,
                              LLVMGetBasicBlockTerminator(f->blocks.prologue));
    *cached = compute_special(e, sreg);
    emit_go_back(e, here);
    return *cached;
}
