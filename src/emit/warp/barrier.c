/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers, fences, traps, sleeping. */
#include "emit/core/emitters.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"
#include "emit/warp/warp.h"

/* An operand of a barrier, which is the same for all lanes, whatever its
 * shape. */
static LLVMValueRef barrier_number(struct emit *e, const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_none)
        return LLVMConstInt(e->i32, 0, 0);
    if (o->kind == PTX_OPERAND_imm)
        return LLVMConstInt(e->i32, (uint64_t)o->imm, 0);
    if (emit_is_uniform(e, o))
        return emit_read_lane(e, o, PTX_TYPE_u32, 0);
    return emit_last_active(e, emit_read_vector(e, o, PTX_TYPE_u32));
}

static LLVMValueRef barrier_id(struct emit *e, const struct ptx_operand *o)
{
    LLVMValueRef id = barrier_number(e, o);
    return ir_and(e, id, ir_int(id, WEFT_BARRIERS - 1));
}

/* A count that is no constant may be illegal. */
static bool is_to_check(const struct ptx_operand *count)
{
    return count->kind == PTX_OPERAND_reg;
}

/* Number of lanes in a mask. */
static LLVMValueRef count_lanes(struct emit *e, LLVMValueRef mask)
{
    LLVMTypeRef bits = LLVMIntTypeInContext(e->cx, e->lanes);
    LLVMValueRef v = LLVMBuildBitCast(e->b, mask, bits, "");
    v = ir_intrinsic(e, "llvm.ctpop", &bits, 1, &v, 1);
    return ir_resize(e, v, e->i32, false);
}

/* Counts active lanes of the coarse warp, and those of them where p holds. */
static void count_votes(struct emit *e, const struct ptx_operand *p,
                        LLVMValueRef *votes, LLVMValueRef *lanes)
{
    struct emit_fn *f = e->f;

    *votes = *lanes = LLVMConstInt(e->i32, 0, 0);
    for (f->at.warp = 0; f->at.warp < f->warps; f->at.warp++) {
        LLVMValueRef mask =
            f->warps > 1 ? f->lanes.here.of[f->at.warp] : f->at.mask;
        LLVMValueRef yes = emit_read_vector(e, p, PTX_TYPE_pred);
        yes = count_lanes(e, emit_and_mask(e, mask, yes));
        *votes = ir_add(e, *votes, yes);
        mask = mask ? mask : emit_all_ones(e);
        *lanes = ir_add(e, *lanes, count_lanes(e, mask));
    }
    f->at.warp = 0;
}

static void barrier_red(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    enum ptx_sub what = inst->sub2 ? inst->sub2 : inst->sub;
    LLVMValueRef count, total;

    count_votes(e, &o[3], &count, &total);
    if (!e->is_block_in_step || is_to_check(&o[2])) {
        enum exec_barrier_kind kind = what == PTX_SUB_popc  ? EXEC_BARRIER_popc
                                      : what == PTX_SUB_and ? EXEC_BARRIER_and
                                                            : EXEC_BARRIER_or;
        LLVMValueRef id = barrier_id(e, &o[1]);
        id = ir_or(e, id, ir_int(id, EXEC_BARRIER(0, kind)));
        LLVMValueRef total_at = ir_offset(
            e, e->f->env.warp, offsetof(struct exec_warp, vote_total));
        LLVMValueRef args[] = {id, barrier_number(e, &o[2]), count, total,
                               total_at};
        count = EMIT_HELPER(e, barrier_red, e->i32, args, 5);
        total = ir_load(e, e->i32, total_at, 4);
    }
    if (what == PTX_SUB_popc)
        emit_write_uniform(e, &o[0], count, PTX_TYPE_u32);
    else
        emit_write_uniform(e, &o[0],
                           what == PTX_SUB_and
                               ? ir_icmp(e, LLVMIntEQ, count, total)
                               : ir_icmp(e, LLVMIntNE, count, ir_int(count, 0)),
                           PTX_TYPE_pred);
}

static bool is_cluster_barrier(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_barrier &&
           (inst->scope == PTX_SCOPE_cluster || inst->sub == PTX_SUB_wait);
}

/* With .aligned, all lanes of the warp that have not exited are here. */
static void cluster_barrier(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef lanes = LLVMConstInt(e->i32, UINT32_MAX, 0);

    if (inst->sub == PTX_SUB_wait) {
        EMIT_HELPER(e, cluster_wait, e->voidt, NULL, 0);
        LLVMBuildFence(e->b, LLVMAtomicOrderingAcquire, 1, "");
        return;
    }
    if (e->lanes > 1 && !(inst->flags & PTX_FLAG_aligned))
        lanes = emit_mask_bits(e, emit_mask(e));
    LLVMBuildFence(e->b, LLVMAtomicOrderingRelease, 1, "");
    EMIT_HELPER(e, cluster_arrive, e->voidt, &lanes, 1);
}

void emit_bar(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;

    if (is_cluster_barrier(inst)) {
        cluster_barrier(e, inst);
        return;
    }
    if (inst->sub == PTX_SUB_warp) {
        if (e->lanes == 1)
            emit_one_lane_barrier(e, inst);
        return; /* otherwise the lanes of a warp are always in step */
    }
    if (inst->sub == PTX_SUB_red) {
        barrier_red(e, inst);
        return;
    }
    if (e->is_block_in_step && !is_to_check(&o[1])) {
        /* Nothing to wait for. But no value may be carried across: picking one
         * out of a stored vector costs more than loading it. */
        LLVMBuildFence(e->b, LLVMAtomicOrderingAcquireRelease, 1, "");
        return;
    }
    LLVMValueRef args[] = {barrier_id(e, &o[0]), barrier_number(e, &o[1])};
    if (inst->sub == PTX_SUB_arrive)
        EMIT_HELPER(e, barrier_arrive, e->voidt, args, 2);
    else
        EMIT_HELPER(e, barrier_sync, e->voidt, args, 2);
}

/* A block runs on one thread, but others see its memory through whoever
 * synchronises with it: never less than acq_rel. */
void emit_fence(struct emit *e, const struct ptx_inst *inst)
{
    bool is_sc = inst->sem == PTX_SEM_sc ||
                 (inst->op == PTX_OP_membar && inst->scope != PTX_SCOPE_cta);
    emit_fence_nontemporal(e);
    LLVMBuildFence(e->b,
                   is_sc ? LLVMAtomicOrderingSequentiallyConsistent
                         : LLVMAtomicOrderingAcquireRelease,
                   0, "");
}

void emit_trap(struct emit *e, const struct ptx_inst *inst)
{
    (void)inst;
    EMIT_HELPER(e, trap, e->voidt, NULL, 0);
}

void emit_nanosleep(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef ns = barrier_number(e, &inst->operand[0]);
    EMIT_HELPER(e, nanosleep, e->voidt, &ns, 1);
}
