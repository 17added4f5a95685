/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations between the lanes of a warp: lanes of vectors here. The lanes
 * taking part are the active ones; a member mask that names others is the
 * program's error, as the manual says. Lanes that are here together may still
 * have named different members: then each set has its own turn.
 */
#include "emit/core/emitters.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/warp/warp.h"

static bool needs_whole_warp(struct emit *e)
{
    if (e->lanes == WEFT_WARP_LANES)
        return true;
    emit_refuse(e, "warp operations need 32 lanes, this code has %u", e->lanes);
    return false;
}

static LLVMValueRef active_bits(struct emit *e)
{
    return emit_mask_bits(e, emit_mask(e));
}

/* Active lanes in which the predicate holds, as i32. */
static LLVMValueRef ballot_bits(struct emit *e, LLVMValueRef pred_vector)
{
    return emit_mask_bits(e, emit_and_mask(e, e->f->at.mask, pred_vector));
}

/* ---- shfl -------------------------------------------------------------- */

struct shuffle {
    enum ptx_sub mode;
    const struct ptx_operand *value, *lane, *clamp;
};

/* PTX ISA, "shfl.sync": the source lane, and whether it lies in the segment. */
static int source_lane(enum ptx_sub mode, int lane, int b, int c, bool *is_in)
{
    int segment = c >> 8 & 31;
    int max = (lane & segment) | (c & 31 & ~segment);
    int min = lane & segment, j;

    assert(lane >= 0 && lane < WEFT_WARP_LANES);
    b &= 31;
    switch (mode) {
    case PTX_SUB_up:
        j = lane - b;
        *is_in = j >= max;
        break;
    case PTX_SUB_down:
        j = lane + b;
        *is_in = j <= max;
        break;
    case PTX_SUB_bfly:
        j = lane ^ b;
        *is_in = j <= max;
        break;
    default:
        j = min | (b & ~segment);
        *is_in = j <= max;
        break;
    }
    return *is_in ? j : lane;
}

static LLVMValueRef shuffle_constant(struct emit *e, const struct shuffle *s,
                                     LLVMValueRef v, LLVMValueRef *in)
{
    int index[EMIT_MAX_LANES];
    LLVMValueRef is_in[EMIT_MAX_LANES];

    assert(e->lanes == WEFT_WARP_LANES);
    for (int i = 0; i < WEFT_WARP_LANES; i++) {
        bool inside;
        index[i] = source_lane(s->mode, i, (int)s->lane->imm,
                               (int)s->clamp->imm, &inside);
        is_in[i] = LLVMConstInt(e->i1, inside, 0);
    }
    *in = LLVMConstVector(is_in, WEFT_WARP_LANES);
    return ir_shuffle(e, v, NULL, index, WEFT_WARP_LANES);
}

/* The same with vectors of lane numbers. */
static LLVMValueRef source_lanes(struct emit *e, const struct shuffle *s,
                                 LLVMValueRef *in)
{
    return emit_source_lane(e, s->mode,
                            emit_lane_const(e, e->i32, emit_lane_number),
                            emit_read_vector(e, s->lane, PTX_TYPE_b32),
                            emit_read_vector(e, s->clamp, PTX_TYPE_b32), in);
}

/* x86 only: 32 lanes of 32 bits are two registers, and vpermi2d picks from two
 * registers by a vector of indices. */
static LLVMValueRef permute_avx512(struct emit *e, LLVMValueRef v,
                                   LLVMValueRef index)
{
    LLVMValueRef low = ir_slice(e, v, 0, 16), high = ir_slice(e, v, 16, 16);
    LLVMValueRef parts[2];

    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef args[] = {low, ir_slice(e, index, 16 * i, 16), high};
        parts[i] = ir_intrinsic(e, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0,
                                args, 3);
    }
    return ir_concat(e, parts, 2);
}

static LLVMValueRef permute_lanes(struct emit *e, LLVMValueRef v,
                                  LLVMValueRef index)
{
    assert(ir_bits(v) == 32);
    if (e->target->is_x86 && e->target->has_avx512)
        return permute_avx512(e, v, index);
    LLVMValueRef memory = emit_spill(e, v), r = ir_undef_like(v);
    for (unsigned i = 0; i < e->lanes; i++) {
        LLVMValueRef x = emit_spilled_lane(e, memory, ir_element(v),
                                           ir_extract(e, index, i));
        r = LLVMBuildInsertElement(e->b, r, x, LLVMConstInt(e->i32, i, 0), "");
    }
    return r;
}

/* What lanes that take no part give is undefined. Reductions over fewer lanes
 * than their mask names get zero on an H200. */
static LLVMValueRef of_active(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef mask = e->f->at.mask;
    return mask ? ir_select(e, mask, v, ir_int(v, 0)) : v;
}

void emit_shfl(struct emit *e, const struct ptx_inst *inst)
{
    struct shuffle s = {inst->sub, &inst->operand[2], &inst->operand[3],
                        &inst->operand[4]};
    LLVMValueRef in;

    if (e->lanes == 1) {
        emit_one_lane_shfl(e, inst);
        return;
    }
    if (!needs_whole_warp(e))
        return;
    LLVMValueRef v = of_active(e, emit_read_vector(e, s.value, PTX_TYPE_b32));
    if (s.lane->kind == PTX_OPERAND_imm && s.clamp->kind == PTX_OPERAND_imm)
        v = shuffle_constant(e, &s, v, &in);
    else
        v = permute_lanes(e, v, source_lanes(e, &s, &in));
    emit_write_vector(e, &inst->operand[0], v, PTX_TYPE_b32);
    emit_write_vector(e, &inst->operand[1], in, PTX_TYPE_pred);
}

/* ---- sets of members --------------------------------------------------- */

typedef void collective_fn(struct emit *e, const struct ptx_inst *inst);

/* Runs `fn` once for each different member mask among the active lanes, for
 * the lanes that have it. */
static void for_each_member_mask(struct emit *e, const struct ptx_inst *inst,
                                 const struct ptx_operand *members,
                                 collective_fn *fn)
{
    struct emit_fn *f = e->f;
    LLVMValueRef mask = f->at.mask, blend = f->at.blend;
    LLVMValueRef masks = emit_read_vector(e, members, PTX_TYPE_b32);
    LLVMValueRef memory = emit_spill(e, masks);
    LLVMValueRef left = emit_alloca(e, e->i32, 0, "members.left");
    LLVMBasicBlockRef round = emit_new_block(e, "members.round");
    LLVMBasicBlockRef done = emit_new_block(e, "members.done");

    assert(!emit_is_uniform(e, members));
    ir_store(e, active_bits(e), left, 0);
    emit_goto_new(e, round);
    LLVMValueRef bits = ir_load(e, e->i32, left, 0);
    LLVMValueRef own =
        emit_spilled_lane(e, memory, e->i32, emit_lowest_lane(e, bits));
    f->at.mask = emit_and_mask(
        e, mask, ir_icmp(e, LLVMIntEQ, masks, emit_splat(e, own)));
    f->at.blend = f->at.mask;
    LLVMValueRef rest = ir_and(e, bits, ir_not(e, active_bits(e)));
    ir_store(e, rest, left, 0);
    fn(e, inst);
    LLVMBuildCondBr(e->b, ir_icmp(e, LLVMIntEQ, rest, ir_int(rest, 0)), done,
                    round);
    LLVMPositionBuilderAtEnd(e->b, done);
    f->at.mask = mask;
    f->at.blend = blend;
}

/* members: NULL before sm_70, where an operation is for the active lanes. */
static void run_collective(struct emit *e, const struct ptx_inst *inst,
                           const struct ptx_operand *members, collective_fn *fn)
{
    if (!needs_whole_warp(e))
        return;
    if (!members || emit_is_uniform(e, members))
        fn(e, inst);
    else
        for_each_member_mask(e, inst, members, fn);
}

/* ---- vote, match, activemask, elect ------------------------------------ */

static bool names_all(const struct ptx_operand *members)
{
    return members->kind == PTX_OPERAND_imm &&
           (uint32_t)members->imm == UINT32_MAX;
}

/* Each lane gets the votes of those that it names, whether it is one of them
 * or not; the manual leaves that open. */
void emit_vote(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *members =
        inst->flags & PTX_FLAG_sync ? &inst->operand[2] : NULL;

    if (e->lanes == 1) {
        emit_one_lane_vote(e, inst);
        return;
    }
    if (!needs_whole_warp(e))
        return;
    LLVMValueRef p = emit_read_vector(e, &inst->operand[1], PTX_TYPE_pred);
    LLVMValueRef bits = ballot_bits(e, p), all = active_bits(e);
    if (members && !emit_is_uniform(e, members)) {
        LLVMValueRef named = emit_read_vector(e, members, PTX_TYPE_b32);
        bits = ir_and(e, emit_splat(e, bits), named);
        all = ir_and(e, emit_splat(e, all), named);
    } else if (members && !names_all(members)) {
        LLVMValueRef named = emit_read_lane(e, members, PTX_TYPE_b32, 0);
        bits = ir_and(e, bits, named);
        all = ir_and(e, all, named);
    }
    emit_write_vote(e, inst, bits, all);
}

static void match_any(struct emit *e, const struct ptx_inst *inst,
                      LLVMValueRef v)
{
    LLVMTypeRef t = ir_element(v);
    LLVMValueRef memory = emit_spill(e, v);
    LLVMValueRef into =
        emit_alloca(e, LLVMVectorType(e->i32, e->lanes), 64, "matches");
    struct emit_lane_loop loop;

    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef mine = emit_spilled_lane(e, memory, t, loop.lane);
    LLVMValueRef same = ir_icmp(e, LLVMIntEQ, v, emit_splat(e, mine));
    emit_store_lane(e, into, e->i32, loop.lane, ballot_bits(e, same));
    emit_lane_loop_end(e, &loop);
    emit_write_vector(e, &inst->operand[0], emit_unspill(e, into, e->i32),
                      PTX_TYPE_b32);
}

static void match_all(struct emit *e, const struct ptx_inst *inst,
                      LLVMValueRef v)
{
    LLVMValueRef active = active_bits(e);
    LLVMValueRef first = emit_spilled_lane(e, emit_spill(e, v), ir_element(v),
                                           emit_lowest_lane(e, active));
    LLVMValueRef same = ir_icmp(e, LLVMIntEQ, v, emit_splat(e, first));
    LLVMValueRef all = ir_icmp(e, LLVMIntEQ, ballot_bits(e, same), active);

    emit_write_uniform(e, &inst->operand[0],
                       ir_select(e, all, active, ir_int(active, 0)),
                       PTX_TYPE_b32);
    emit_write_uniform(e, &inst->operand[1], all, PTX_TYPE_pred);
}

static void match_lanes(struct emit *e, const struct ptx_inst *inst)
{
    unsigned at = inst->sub == PTX_SUB_all ? 2 : 1; /* any has no predicate */
    LLVMValueRef v = emit_read_vector(e, &inst->operand[at], inst->type[0]);
    if (inst->sub == PTX_SUB_all)
        match_all(e, inst, v);
    else
        match_any(e, inst, v);
}

void emit_match(struct emit *e, const struct ptx_inst *inst)
{
    unsigned at = inst->sub == PTX_SUB_all ? 3 : 2;
    if (e->lanes == 1)
        emit_one_lane_match(e, inst);
    else
        run_collective(e, inst, &inst->operand[at], match_lanes);
}

void emit_activemask(struct emit *e, const struct ptx_inst *inst)
{
    if (e->lanes == 1)
        emit_one_lane_activemask(e, inst);
    else if (needs_whole_warp(e))
        emit_write_uniform(e, &inst->operand[0], active_bits(e), PTX_TYPE_b32);
}

void emit_elect(struct emit *e, const struct ptx_inst *inst)
{
    if (e->lanes == 1) {
        emit_one_lane_elect(e, inst);
        return;
    }
    if (!needs_whole_warp(e))
        return;
    LLVMValueRef leader = emit_lowest_lane(e, active_bits(e));
    LLVMValueRef lane = emit_lane_const(e, e->i32, emit_lane_number);
    LLVMValueRef is_leader = ir_icmp(e, LLVMIntEQ, lane, emit_splat(e, leader));
    emit_write_uniform(e, &inst->operand[0], leader, PTX_TYPE_b32);
    emit_write_vector(e, &inst->operand[1], is_leader, PTX_TYPE_pred);
}
/* ---- reductions -------------------------------------------------------- */

static void reduce_members(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type[0];
    LLVMValueRef v = emit_read_vector(e, &inst->operand[1], type);
    emit_write_uniform(e, &inst->operand[0],
                       emit_redux_of(e, inst, v, e->f->at.mask), type);
}

void emit_redux(struct emit *e, const struct ptx_inst *inst)
{
    if (e->lanes == 1)
        emit_one_lane_redux(e, inst);
    else
        run_collective(e, inst, &inst->operand[2], reduce_members);
}
