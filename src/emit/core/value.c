/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands read and written in the current mode: for all lanes as a vector, or
 * as a scalar for one of them. Conditional shapes: exact.c and overflow.c.
 */
#include "emit/core/masks.h"
#include "emit/core/values.h"

#include <stdlib.h>

/* ---- shapes of operands ------------------------------------------------- */

struct simt_shape emit_operand_shape(struct emit *e,
                                     const struct ptx_operand *o)
{
    static const struct simt_shape uniform = {.group = SIMT_ALL_LANES};
    static const struct simt_shape varying = {.group = 0};

    switch (o->kind) {
    case PTX_OPERAND_reg:
        return e->f->k->shapes[o->reg];
    case PTX_OPERAND_imm:
    case PTX_OPERAND_func:
        return uniform;
    case PTX_OPERAND_address:
        if (o->reg != PTX_NO_REG)
            return e->f->k->shapes[o->reg];
        /* fall through */
    case PTX_OPERAND_var:
        if (simt_interleaved_var(e->f->k, o))
            return uniform;
        if (o->var && o->var->space == PTX_SPACE_local)
            return (struct simt_shape){.group = SIMT_ALL_LANES,
                                       .stride = simt_local_pitch(o->var)};
        return o->var && o->var->space == PTX_SPACE_param &&
                       !emit_is_kernel_param(e, o->var)
                   ? varying
                   : uniform;
    case PTX_OPERAND_sreg:
        return varying;
    default:
        return varying;
    }
}

bool emit_is_uniform(struct emit *e, const struct ptx_operand *o)
{
    return simt_is_uniform(emit_operand_shape(e, o));
}

static void note_dest(struct emit *e, const struct ptx_operand *o,
                      uint64_t *groups, bool *has_varying)
{
    if (o->kind == PTX_OPERAND_vector) {
        for (unsigned i = 0; i < o->item_count; i++)
            note_dest(e, &o->items[i], groups, has_varying);
        return;
    }
    if (o->kind != PTX_OPERAND_reg)
        return;
    struct simt_shape s = e->f->k->shapes[o->reg];
    if (simt_is_varying(s))
        *has_varying = true;
    else
        *groups |= s.group;
}

void emit_dest_shapes(struct emit *e, const struct ptx_inst *inst,
                      uint64_t *groups, bool *has_varying)
{
    assert(ptx_dest_count(inst) <= inst->operand_count);
    *groups = 0;
    *has_varying = false;
    for (unsigned i = 0; i < ptx_dest_count(inst); i++)
        note_dest(e, &inst->operand[i], groups, has_varying);
}

/* ---- reading ----------------------------------------------------------- */

static LLVMValueRef load_slot(struct emit *e, const struct emit_reg *r,
                              unsigned slot)
{
    struct emit_slot *s = &r->slot[slot];
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);

    assert(slot < r->slot_count);
    if (s->block != here) {
        s->value = ir_load(e, emit_slot_type(e, r), s->var, 0);
        s->block = here;
    }
    return s->value;
}

static void store_slot(struct emit *e, const struct emit_reg *r, unsigned slot,
                       LLVMValueRef v)
{
    struct emit_slot *s = &r->slot[slot];

    assert(slot < r->slot_count);
    assert(LLVMTypeOf(v) == emit_slot_type(e, r));
    ir_store(e, v, s->var, 0);
    s->value = v;
    s->block = LLVMGetInsertBlock(e->b);
}

/* base + stride * n for a constant n. */
static LLVMValueRef step_by(struct emit *e, const struct emit_reg *r,
                            LLVMValueRef base, int64_t n)
{
    assert(r->shape.stride == 0 || !simt_is_varying(r->shape));
    int64_t distance = (int64_t)((uint64_t)r->shape.stride * (uint64_t)n);
    if (distance == 0)
        return base;
    LLVMValueRef v = ir_as_int(e, base);
    return ir_as(e, ir_add(e, v, ir_int(v, distance)), r->type);
}

static LLVMValueRef read_lane(struct emit *e, const struct emit_reg *r,
                              unsigned lane)
{
    assert(lane < e->lanes);
    if (simt_is_varying(r->shape))
        return ir_extract(e, load_slot(e, r, e->f->at.warp), lane);
    unsigned n = emit_coarse_lane(e, lane);
    LLVMValueRef base = load_slot(e, r, n / r->shape.group);
    return step_by(e, r, base, n % r->shape.group);
}

/* The vector of an affine register for the current warp. */
static LLVMValueRef expand_lanes(struct emit *e, const struct emit_reg *r)
{
    unsigned groups = emit_group_count(e, r->shape);
    unsigned lanes = e->lanes / groups;
    LLVMValueRef parts[EMIT_MAX_LANES], steps[EMIT_MAX_LANES];

    assert(!simt_is_varying(r->shape));
    for (unsigned g = 0; g < groups; g++) {
        unsigned slot = emit_coarse_lane(e, g * lanes) / r->shape.group;
        parts[g] = ir_splat(e, load_slot(e, r, slot), lanes);
    }
    LLVMValueRef bases = ir_concat(e, parts, groups);
    if (r->shape.stride == 0)
        return bases;
    LLVMTypeRef t = LLVMIntTypeInContext(e->cx, ir_bits(bases));
    for (unsigned i = 0; i < e->lanes; i++) {
        unsigned place = emit_coarse_lane(e, i) % r->shape.group;
        uint64_t n = (uint64_t)r->shape.stride * place;
        if (LLVMGetIntTypeWidth(t) < 64)
            n &= (UINT64_C(1) << LLVMGetIntTypeWidth(t)) - 1;
        steps[i] = LLVMConstInt(t, n, 0);
    }
    LLVMValueRef v =
        ir_add(e, ir_as_int(e, bases), LLVMConstVector(steps, e->lanes));
    return ir_as(e, v, r->type);
}

static LLVMValueRef expand_conditional(struct emit *e, uint32_t reg)
{
    struct emit_reg *r = &e->f->regs[reg];

    assert(e->f->regs[reg].ok);
    assert(e->f->at.lane == EMIT_ALL_LANES);
    if (e->f->at.is_cold && emit_replays(e, reg))
        return emit_exact(e, reg);
    LLVMValueRef ok = ir_load(e, e->i1, r->ok, 0);
    LLVMValueRef fast = expand_lanes(e, r);
    if (e->f->at.is_cold)
        return ir_select(e, ok, fast, emit_exact(e, reg));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMBasicBlockRef cold = emit_new_block(e, "wrapped");
    LLVMBasicBlockRef join = emit_new_block(e, "join");
    emit_branch(e, ok, join, cold, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, cold);
    LLVMValueRef exact = emit_exact(e, reg);
    LLVMBuildBr(e->b, join);
    LLVMPositionBuilderAtEnd(e->b, join);
    return ir_merge(e, fast, here, exact, cold);
}

LLVMValueRef emit_read_reg(struct emit *e, uint32_t reg)
{
    struct emit_reg *r = &e->f->regs[reg];

    assert(emit_has_reg(e, reg));
    if (e->f->at.lane != EMIT_ALL_LANES)
        return read_lane(e, r, (unsigned)e->f->at.lane);
    if (simt_is_varying(r->shape))
        return load_slot(e, r, e->f->at.warp);
    return r->ok ? expand_conditional(e, reg) : expand_lanes(e, r);
}

/* An integer or float constant as bits of the type. */
static LLVMValueRef read_imm(struct emit *e, const struct ptx_operand *o,
                             enum ptx_type type)
{
    LLVMTypeRef t = emit_type(e, type);
    LLVMValueRef like = LLVMGetUndef(emit_mode_type(e, t));

    if (t == e->i1)
        return ir_int(like, o->imm != 0);
    if (t == e->f32 || t == e->f64)
        return ir_bits_real(e, like,
                            t == e->f32 ? (uint32_t)o->imm : (uint64_t)o->imm);
    return ir_int(like, o->imm);
}

/* The bits of v as `type`; a register may be wider than the instruction's
 * type. */
static LLVMValueRef in_type(struct emit *e, LLVMValueRef v, enum ptx_type type)
{
    LLVMTypeRef t = emit_type(e, type);

    if (ir_element(v) == t)
        return v;
    if (t == e->i1) /* a predicate in a wider place */
        return ir_icmp(e, LLVMIntNE, ir_as_int(e, v),
                       ir_int(ir_as_int(e, v), 0));
    if (ir_element(v) == e->i1)
        v = ir_zext(e, v, e->i8);
    unsigned bits = 8 * ptx_type_size(type);
    v = ir_resize(e, ir_as_int(e, v), LLVMIntTypeInContext(e->cx, bits),
                  ptx_type_is_signed(type));
    return ir_as(e, v, t);
}

LLVMValueRef emit_read_pred(struct emit *e, const struct ptx_operand *o)
{
    assert(o->kind != PTX_OPERAND_vector);
    return emit_read(e, o, PTX_TYPE_pred);
}

/* {a, b, ...} as one value, with a in the lowest bits. */
static LLVMValueRef read_packed(struct emit *e, const struct ptx_operand *o,
                                enum ptx_type type)
{
    unsigned bits = 8 * ptx_type_size(type), part = bits / o->item_count;
    LLVMTypeRef whole = LLVMIntTypeInContext(e->cx, bits);
    LLVMTypeRef piece = LLVMIntTypeInContext(e->cx, part);
    LLVMValueRef v = emit_const(e, whole, 0);

    assert(o->item_count > 0);
    assert(8 * ptx_type_size(type) % o->item_count == 0);
    for (unsigned i = 0; i < o->item_count; i++) {
        const struct ptx_operand *item = &o->items[i];
        LLVMValueRef x;
        if (item->kind == PTX_OPERAND_reg)
            x = ir_as_int(e, emit_canonical_source(
                                 e, item->reg, emit_read_reg(e, item->reg)));
        else
            x = emit_const(e, piece, item->imm);
        x = ir_resize(e, ir_resize(e, x, piece, false), whole, false);
        v = ir_or(e, v, ir_shl(e, x, ir_int(x, part * i)));
    }
    return ir_as(e, v, emit_type(e, type));
}

LLVMValueRef emit_read(struct emit *e, const struct ptx_operand *o,
                       enum ptx_type type)
{
    LLVMValueRef v;

    switch (o->kind) {
    case PTX_OPERAND_reg:
        v = emit_canonical_source(e, o->reg, emit_read_reg(e, o->reg));
        v = in_type(e, v, type);
        if (o == e->f->guard.tested && e->f->at.lane != EMIT_ALL_LANES)
            v = emit_tested_base(e, v);
        return o->negated ? ir_not(e, v) : v;
    case PTX_OPERAND_imm:
        return read_imm(e, o, type);
    case PTX_OPERAND_sreg:
        return in_type(e, emit_special(e, o->sreg), type);
    case PTX_OPERAND_var:
    case PTX_OPERAND_address:
        v = o->var ? emit_var_address(e, o->var) : emit_const(e, e->i64, 0);
        if (o->kind == PTX_OPERAND_address && o->reg != PTX_NO_REG)
            v = ir_resize(e, ir_as_int(e, emit_read_reg(e, o->reg)), e->i64,
                          false);
        return in_type(e, ir_add(e, v, ir_int(v, o->imm)), type);
    case PTX_OPERAND_func:
        return emit_const(e, emit_type(e, type),
                          (int64_t)WEFT_FUNC_HANDLE(o->func->index));
    case PTX_OPERAND_vector:
        return read_packed(e, o, type);
    default:
        emit_refuse(e, "this kind of operand cannot be read");
        return LLVMGetUndef(emit_mode_type(e, emit_type(e, type)));
    }
}

LLVMValueRef emit_read_vector(struct emit *e, const struct ptx_operand *o,
                              enum ptx_type type)
{
    int lane = e->f->at.lane;
    e->f->at.lane = EMIT_ALL_LANES;
    LLVMValueRef v = emit_read(e, o, type);
    e->f->at.lane = lane;
    return v;
}

LLVMValueRef emit_read_lane(struct emit *e, const struct ptx_operand *o,
                            enum ptx_type type, int lane)
{
    assert(lane >= 0 && (unsigned)lane < e->lanes);
    int saved = e->f->at.lane;
    e->f->at.lane = lane;
    LLVMValueRef v = emit_read(e, o, type);
    e->f->at.lane = saved;
    return v;
}

/* ---- writing ----------------------------------------------------------- */

/* Does the current mode compute this register? */
static bool is_of_mode(struct emit *e, const struct emit_reg *r)
{
    if (e->f->at.lane != EMIT_ALL_LANES)
        return r->shape.group == e->f->at.group;
    return simt_is_varying(r->shape) || (e->f->at.is_cold && r->ok);
}

static void store_reg(struct emit *e, struct emit_reg *r, uint32_t reg,
                      LLVMValueRef v)
{
    struct emit_fn *f = e->f;

    assert(emit_has_reg(e, reg));
    assert(e->f->at.warp < e->f->warps);
    if (f->at.lane == EMIT_ALL_LANES)
        r->parts[f->at.warp].index = NULL;
    if (f->at.lane == EMIT_ALL_LANES && f->at.blend)
        v = ir_select(e, f->at.blend, v, emit_read_reg(e, reg));
    if (f->at.when)
        v = ir_select(e, f->at.when, v, emit_read_reg(e, reg));
    if (f->at.lane != EMIT_ALL_LANES)
        store_slot(e, r,
                   emit_coarse_lane(e, (unsigned)f->at.lane) / r->shape.group,
                   v);
    else if (simt_is_varying(r->shape))
        store_slot(e, r, f->at.warp, v);
    else if (f->guard.replaying == reg + 1)
        f->guard.replayed = v;
    else
        LLVMSetVolatile(ir_store(e, v, r->shadow[f->at.warp], 64), 1);
}

void emit_forget_reg(struct emit *e, uint32_t reg)
{
    struct emit_reg *r = &e->f->regs[reg];

    assert(emit_has_reg(e, reg));
    if (!simt_is_varying(r->shape))
        return;
    LLVMTypeRef t = LLVMVectorType(r->type, e->lanes);
    store_slot(e, r, e->f->at.warp, LLVMGetUndef(t));
}

/* Splits one value into {a, b, ...}; a gets the lowest bits. */
static void write_unpacked(struct emit *e, const struct ptx_operand *o,
                           LLVMValueRef v)
{
    v = ir_as_int(e, v);
    unsigned part = ir_bits(v) / o->item_count;
    LLVMTypeRef piece = LLVMIntTypeInContext(e->cx, part);
    enum ptx_type type = part == 8    ? PTX_TYPE_b8
                         : part == 16 ? PTX_TYPE_b16
                         : part == 32 ? PTX_TYPE_b32
                                      : PTX_TYPE_b64;

    for (unsigned i = 0; i < o->item_count; i++) {
        LLVMValueRef x = ir_lshr(e, v, ir_int(v, part * i));
        emit_write(e, &o->items[i], ir_resize(e, x, piece, false), type);
    }
}

void emit_write(struct emit *e, const struct ptx_operand *o, LLVMValueRef value,
                enum ptx_type type)
{
    if (o->kind == PTX_OPERAND_vector) {
        write_unpacked(e, o, value);
        return;
    }
    if (o->kind != PTX_OPERAND_reg)
        return;
    struct emit_reg *r = &e->f->regs[o->reg];
    if (!is_of_mode(e, r))
        return;
    if (ir_element(value) != r->type) {
        LLVMTypeRef bits =
            LLVMIntTypeInContext(e->cx, ir_bits(LLVMGetUndef(r->type)));
        value =
            ir_resize(e, ir_as_int(e, value), bits, ptx_type_is_signed(type));
        value = ir_as(e, value, r->type);
    }
    if (e->f->at.makes_nan && ir_bits(value) == 32)
        value = emit_canonical_nan(e, value);
    store_reg(e, r, o->reg, value);
}

void emit_write_vector(struct emit *e, const struct ptx_operand *o,
                       LLVMValueRef vector, enum ptx_type type)
{
    struct emit_fn *f = e->f;

    if (o->kind != PTX_OPERAND_reg)
        return;
    struct emit_reg *r = &f->regs[o->reg];
    f->at.lane = EMIT_ALL_LANES;
    if (simt_is_varying(r->shape)) {
        emit_write(e, o, vector, type);
        return;
    }
    f->at.group = r->shape.group;
    for (unsigned g = 0; g < emit_group_count(e, r->shape); g++) {
        f->at.lane = (int)(g * r->shape.group);
        emit_write(e, o, ir_extract(e, vector, (unsigned)f->at.lane), type);
    }
    f->at.lane = EMIT_ALL_LANES;
}

void emit_write_uniform(struct emit *e, const struct ptx_operand *o,
                        LLVMValueRef scalar, enum ptx_type type)
{
    struct emit_fn *f = e->f;

    assert(!ir_is_vector(scalar));
    if (o->kind != PTX_OPERAND_reg)
        return;
    struct emit_reg *r = &f->regs[o->reg];
    f->at.lane = EMIT_ALL_LANES;
    if (simt_is_varying(r->shape)) {
        emit_write(e, o, emit_splat(e, scalar), type);
        return;
    }
    f->at.group = r->shape.group;
    for (unsigned g = 0; g < emit_group_count(e, r->shape); g++) {
        f->at.lane = (int)(g * r->shape.group);
        emit_write(e, o, scalar, type);
    }
    f->at.lane = EMIT_ALL_LANES;
}
