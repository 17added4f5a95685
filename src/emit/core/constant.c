/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types and constants in the current mode (all lanes, or the one that is
 * computed), and which lanes of a coarse warp share a scalar.
 */
#include "emit/core/values.h"

LLVMTypeRef emit_type(struct emit *e, enum ptx_type type)
{
    if (type == PTX_TYPE_pred)
        return e->i1;
    if (type == PTX_TYPE_f32 || type == PTX_TYPE_tf32)
        return e->f32;
    if (type == PTX_TYPE_f64)
        return e->f64;
    return LLVMIntTypeInContext(e->cx, 8 * ptx_type_size(type));
}

/* A vector type when all lanes are computed, else the scalar type. */
LLVMTypeRef emit_mode_type(struct emit *e, LLVMTypeRef scalar)
{
    return e->f->at.lane == EMIT_ALL_LANES ? LLVMVectorType(scalar, e->lanes)
                                           : scalar;
}

LLVMValueRef emit_const(struct emit *e, LLVMTypeRef scalar, int64_t value)
{
    return ir_int(LLVMGetUndef(emit_mode_type(e, scalar)), value);
}

LLVMValueRef emit_lane_const(struct emit *e, LLVMTypeRef scalar,
                             int64_t (*fn)(int lane))
{
    LLVMValueRef all[EMIT_MAX_LANES];

    assert(e->f->at.lane < (int)e->lanes);
    if (e->f->at.lane != EMIT_ALL_LANES)
        return LLVMConstInt(scalar, (uint64_t)fn(e->f->at.lane), 1);
    for (unsigned i = 0; i < e->lanes; i++)
        all[i] = LLVMConstInt(scalar, (uint64_t)fn((int)i), 1);
    return LLVMConstVector(all, e->lanes);
}

LLVMValueRef emit_splat(struct emit *e, LLVMValueRef scalar)
{
    assert(!ir_is_vector(scalar));
    return ir_splat(e, scalar, e->lanes);
}

LLVMValueRef emit_from_scalar(struct emit *e, LLVMValueRef scalar)
{
    assert(!ir_is_vector(scalar));
    return e->f->at.lane == EMIT_ALL_LANES ? emit_splat(e, scalar) : scalar;
}

static unsigned groups_among(unsigned lanes, struct simt_shape s)
{
    assert((s.group & (s.group - 1)) == 0);
    return simt_is_varying(s) || s.group >= lanes ? 1 : lanes / s.group;
}

unsigned emit_group_count(struct emit *e, struct simt_shape s)
{
    return groups_among(e->lanes, s);
}

unsigned emit_coarse_group_count(struct emit *e, struct simt_shape s)
{
    return groups_among(e->lanes * e->f->warps, s);
}

void emit_select_lane(struct emit *e, unsigned coarse_lane)
{
    assert(coarse_lane < e->lanes * e->f->warps);
    e->f->at.warp = coarse_lane / e->lanes;
    e->f->at.lane = (int)(coarse_lane % e->lanes);
}

/* Number of a lane of the current warp within the coarse warp. */
unsigned emit_coarse_lane(struct emit *e, unsigned lane)
{
    assert(lane < e->lanes);
    return e->f->at.warp * e->lanes + lane;
}
