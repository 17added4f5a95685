/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cp.async: a copy to shared memory that may complete later. Here it is done
 * at once, so that there is never anything to wait for.
 */
#include "emit/internal.h"

/* Bytes from `used` on are zero; with none used nothing is read. */
static LLVMValueRef load_used(struct emit *e, LLVMTypeRef t, LLVMValueRef from,
                              LLVMValueRef instead, LLVMValueRef used)
{
    LLVMValueRef is_none = ir_icmp(e, LLVMIntEQ, used, ir_int(used, 0));
    LLVMValueRef v = ir_load(e, t, ir_select(e, is_none, instead, from), 4);
    LLVMValueRef bits = ir_resize(e, used, t, false);
    unsigned width = LLVMGetIntTypeWidth(t);

    bits = ir_mul(e, bits, ir_int(bits, 8));
    LLVMValueRef is_all = ir_icmp(e, LLVMIntUGE, bits, ir_int(bits, width));
    LLVMValueRef safe = ir_and(e, bits, ir_int(bits, width - 1));
    LLVMValueRef low =
        ir_sub(e, ir_shl(e, ir_int(bits, 1), safe), ir_int(bits, 1));
    return ir_select(e, is_all, v, ir_and(e, v, low));
}

static void copy_lanes(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    bool has_used =
        inst->operand_count > 3 &&
        (o[3].kind == PTX_OPERAND_reg || o[3].kind == PTX_OPERAND_imm) &&
        !(inst->flags & PTX_FLAG_cache_hint);
    LLVMTypeRef t = LLVMIntTypeInContext(e->cx, 8 * (unsigned)o[2].imm);
    LLVMValueRef to = emit_spill(
        e, emit_pointer(e, &o[0], PTX_SPACE_shared, EMIT_ALL_LANES, 0));
    LLVMValueRef from = emit_spill(
        e, emit_pointer(e, &o[1], PTX_SPACE_global, EMIT_ALL_LANES, 0));
    LLVMValueRef used = NULL;
    struct emit_lane_loop loop;

    if (has_used)
        used = emit_spill(e, emit_read_vector(e, &o[3], PTX_TYPE_u32));
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef d = emit_spilled_lane(e, to, e->ptr, loop.lane);
    LLVMValueRef s = emit_spilled_lane(e, from, e->ptr, loop.lane);
    LLVMValueRef v;
    if (used)
        v = load_used(e, t, s, d,
                      emit_spilled_lane(e, used, e->i32, loop.lane));
    else
        v = ir_load(e, t, s, 4);
    ir_store(e, v, d, 4);
    emit_lane_loop_end(e, &loop);
}

void emit_cp(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *size = &inst->operand[2];

    switch (inst->sub) {
    case PTX_SUB_commit_group:
    case PTX_SUB_wait_group:
    case PTX_SUB_wait_all:
        return;
    case PTX_SUB_none:
        break;
    default:
        emit_refuse(e, "this form of cp.async is not supported");
        return;
    }
    if (inst->operand_count < 3 || size->kind != PTX_OPERAND_imm ||
        (size->imm != 4 && size->imm != 8 && size->imm != 16)) {
        emit_refuse(e, "bulk copies are not supported");
        return;
    }
    copy_lanes(e, inst);
}
