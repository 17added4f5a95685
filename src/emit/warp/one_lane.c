/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives in code for one lane to a call: each thread leaves a value where
 * they meet, and takes what it needs of the others' values from there. All
 * values here are scalars.
 */
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/warp/warp.h"

struct collective {
    LLVMValueRef at; /* struct exec_collective * */
    LLVMValueRef present;
};

static LLVMValueRef read_scalar(struct emit *e, const struct ptx_operand *o,
                                enum ptx_type type)
{
    return emit_read_lane(e, o, type, 0);
}

/* Lanes that meet do the same operation; where no members are named, they are
 * at the same instruction, and have come by the same calls. */
static LLVMValueRef kind_of(struct emit *e, bool has_members)
{
    const struct emit_fn *f = e->f;
    uint64_t kind = f->at.inst->op;

    assert(e->f->at.inst);
    if (!has_members)
        kind |= (uint64_t)((f->k->func->index + 1) * 8191 + f->at.index + 1)
                << 8;
    LLVMValueRef v = LLVMConstInt(e->i32, kind & UINT32_MAX, 0);
    if (has_members || f->k->func->is_entry)
        return v;
    LLVMValueRef path = ir_load(e, e->i32, emit_path_pointer(e), 4);
    return ir_xor(e, v, ir_shl(e, path, ir_int(path, 8)));
}

/* members 0: the lanes that come. value: an integer. */
static struct collective join_members(struct emit *e, LLVMValueRef members,
                                   bool has_members, LLVMValueRef value)
{
    assert(e->lanes == 1);
    LLVMValueRef args[] = {
        members,
        kind_of(e, has_members),
        ir_zext(e, value, e->i64),
    };
    struct collective m = {.at = EMIT_HELPER(e, collective, e->ptr, args, 3)};
    m.present = ir_load(
        e, e->i32,
        ir_offset(e, m.at, offsetof(struct exec_collective, present)), 4);
    return m;
}

/* members NULL or none: the lanes that come. */
static struct collective join_group(struct emit *e,
                                    const struct ptx_operand *members,
                                    LLVMValueRef value)
{
    bool has_members = members && members->kind != PTX_OPERAND_none;
    return join_members(e,
                        has_members ? read_scalar(e, members, PTX_TYPE_b32)
                                    : LLVMConstInt(e->i32, 0, 0),
                        has_members, value);
}

static struct collective join_without_value(struct emit *e,
                                       const struct ptx_operand *members)
{
    return join_group(e, members, LLVMConstInt(e->i32, 0, 0));
}

static LLVMValueRef ballot_of(struct emit *e, const struct collective *m)
{
    size_t at = offsetof(struct exec_collective, ballot);
    return ir_load(e, e->i32, ir_offset(e, m->at, (int64_t)at), 4);
}

/* All values as a vector of `type`. */
static LLVMValueRef values_of(struct emit *e, const struct collective *m,
                              LLVMTypeRef type)
{
    LLVMTypeRef all = LLVMVectorType(e->i64, WEFT_WARP_LANES);
    return ir_resize(e, ir_load(e, all, m->at, 8), type, false);
}

static LLVMValueRef presence_of(struct emit *e, const struct collective *m)
{
    LLVMTypeRef mask = LLVMVectorType(e->i1, WEFT_WARP_LANES);
    return LLVMBuildBitCast(e->b, m->present, mask, "");
}

/* ---- the operations ---------------------------------------------------- */

void emit_one_lane_barrier(struct emit *e, const struct ptx_inst *inst)
{
    join_without_value(e, &inst->operand[0]);
}

void emit_one_lane_shfl(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    LLVMValueRef in, v = read_scalar(e, &o[2], PTX_TYPE_b32);
    LLVMValueRef from = emit_source_lane(
        e, inst->sub, emit_own_lane(e), read_scalar(e, &o[3], PTX_TYPE_b32),
        read_scalar(e, &o[4], PTX_TYPE_b32), &in);
    struct collective m =
        join_group(e, inst->flags & PTX_FLAG_sync ? &o[5] : NULL, v);

    from =
        ir_zext(e, ir_and(e, from, ir_int(from, WEFT_WARP_LANES - 1)), e->i64);
    LLVMValueRef p = LLVMBuildGEP2(e->b, e->i64, m.at, &from, 1, "");
    v = ir_trunc(e, ir_load(e, e->i64, p, 8), e->i32);
    LLVMValueRef is_there = ir_and(
        e, ir_lshr(e, m.present, ir_trunc(e, from, e->i32)), ir_int(v, 1));
    v = ir_mul(e, v, is_there); /* zero, as in collectives.c */
    emit_write_uniform(e, &o[0], v, PTX_TYPE_b32);
    emit_write_uniform(e, &o[1], in, PTX_TYPE_pred);
}

void emit_one_lane_vote(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    struct collective m =
        join_group(e, inst->flags & PTX_FLAG_sync ? &o[2] : NULL,
                   ir_zext(e, read_scalar(e, &o[1], PTX_TYPE_pred), e->i32));

    emit_write_vote(e, inst, ballot_of(e, &m), m.present);
}

void emit_one_lane_match(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    bool is_all = inst->sub == PTX_SUB_all;
    unsigned at = is_all ? 2 : 1; /* any has no predicate */
    LLVMValueRef v = read_scalar(e, &o[at], inst->type[0]);
    struct collective m = join_group(e, &o[at + 1], v);
    LLVMValueRef all = values_of(e, &m, e->i64);
    LLVMValueRef mine = ir_splat(e, ir_zext(e, v, e->i64), WEFT_WARP_LANES);
    LLVMValueRef same =
        LLVMBuildBitCast(e->b, ir_icmp(e, LLVMIntEQ, all, mine), e->i32, "");

    same = ir_and(e, same, m.present);
    if (!is_all) {
        emit_write_uniform(e, &o[0], same, PTX_TYPE_b32);
        return;
    }
    LLVMValueRef agree = ir_icmp(e, LLVMIntEQ, same, m.present);
    emit_write_uniform(e, &o[0],
                       ir_select(e, agree, m.present, ir_int(same, 0)),
                       PTX_TYPE_b32);
    emit_write_uniform(e, &o[1], agree, PTX_TYPE_pred);
}

void emit_one_lane_activemask(struct emit *e, const struct ptx_inst *inst)
{
    struct collective m = join_without_value(e, NULL);
    emit_write_uniform(e, &inst->operand[0], m.present, PTX_TYPE_b32);
}

void emit_one_lane_elect(struct emit *e, const struct ptx_inst *inst)
{
    struct collective m = join_without_value(e, &inst->operand[2]);
    LLVMValueRef args[] = {m.present, LLVMConstInt(e->i1, 1, 0)};
    LLVMValueRef leader = ir_intrinsic(e, "llvm.cttz", &e->i32, 1, args, 2);

    emit_write_uniform(e, &inst->operand[0], leader, PTX_TYPE_b32);
    emit_write_uniform(e, &inst->operand[1],
                       ir_icmp(e, LLVMIntEQ, emit_own_lane(e), leader),
                       PTX_TYPE_pred);
}

void emit_one_lane_redux(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type[0];
    LLVMValueRef v = ir_as_int(e, read_scalar(e, &inst->operand[1], type));
    struct collective m = join_group(e, &inst->operand[2], v);
    LLVMValueRef all = values_of(e, &m, e->i32);

    if (type == PTX_TYPE_f32)
        all = ir_as(e, all, e->f32);
    emit_write_uniform(e, &inst->operand[0],
                       emit_redux_of(e, inst, all, presence_of(e, &m)), type);
}

/* ---- whole warps ------------------------------------------------------- */

LLVMValueRef emit_exchange_lanes(struct emit *e, LLVMValueRef value)
{
    assert(e->lanes == 1);
    LLVMValueRef all = LLVMConstInt(e->i32, UINT32_MAX, 0);
    struct collective m = join_members(e, all, true, value);
    return values_of(e, &m, e->i64);
}

void emit_sync_warp(struct emit *e)
{
    if (e->lanes == 1)
        emit_exchange_lanes(e, LLVMConstInt(e->i32, 0, 0));
}

LLVMValueRef emit_warp_read(struct emit *e, const struct ptx_operand *o,
                            enum ptx_type type)
{
    if (e->lanes == WEFT_WARP_LANES)
        return emit_read_vector(e, o, type);
    LLVMValueRef v = emit_exchange_lanes(e, read_scalar(e, o, type));
    return ir_resize(e, v, emit_type(e, type), false);
}

void emit_warp_write(struct emit *e, const struct ptx_operand *o,
                     LLVMValueRef v, enum ptx_type type)
{
    if (e->lanes == WEFT_WARP_LANES) {
        emit_write_vector(e, o, v, type);
        return;
    }
    LLVMValueRef own =
        LLVMBuildExtractElement(e->b, v, emit_own_lane(e), "own");
    emit_write_uniform(e, o, own, type);
}

LLVMBasicBlockRef emit_first_lane_begin(struct emit *e)
{
    if (e->lanes == WEFT_WARP_LANES)
        return NULL;
    LLVMBasicBlockRef first = emit_new_block(e, "first");
    LLVMBasicBlockRef done = emit_new_block(e, "others");
    LLVMValueRef own = emit_own_lane(e);
    LLVMBuildCondBr(e->b, ir_icmp(e, LLVMIntEQ, own, ir_int(own, 0)), first,
                    done);
    LLVMPositionBuilderAtEnd(e->b, first);
    return done;
}

void emit_first_lane_end(struct emit *e, LLVMBasicBlockRef done)
{
    if (done)
        emit_goto_new(e, done);
}
