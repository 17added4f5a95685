/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alloca, stacksave, stackrestore. Each lane gets a piece of one allocation on
 * the machine's stack. Lanes without the others must not free what the others
 * still have, so only all of them together do; the rest is freed when the
 * function returns, or the warp ends.
 */
#include "emit/core/emitters.h"
#include "emit/core/lines.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"
#include "emit/warp/warp.h"

/* bytes that a lane may ask for, if not known before it runs */
enum { UNKNOWN_BYTES = 1024 };

static LLVMValueRef save_stack(struct emit *e)
{
    return ir_intrinsic(e, "llvm.stacksave", &e->ptr, 1, NULL, 0);
}

void emit_restore_stack(struct emit *e)
{
    if (e->f->own.stack_saved)
        ir_intrinsic(e, "llvm.stackrestore", &e->ptr, 1, &e->f->own.stack_saved,
                     1);
}

/* A kernel runs many warps in one call; what each has allocated ends with
 * it. */
static void save_at_start(struct emit *e)
{
    if (e->f->own.stack_saved || !e->f->k->func->is_entry)
        return;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderBefore(
        e->b, LLVMGetBasicBlockTerminator(e->f->blocks.prologue));
    e->f->own.stack_saved = save_stack(e);
    emit_go_back(e, here);
}

static LLVMValueRef as_local(struct emit *e, LLVMValueRef pointer)
{
    LLVMValueRef base =
        LLVMBuildPtrToInt(e->b, e->f->env.stack_base, e->i64, "");
    return ir_sub(e, LLVMBuildPtrToInt(e->b, pointer, e->i64, ""), base);
}

/* The most that an active lane asks for, in whole units of the alignment. */
static LLVMValueRef bytes_per_lane(struct emit *e, const struct ptx_operand *o,
                                   enum ptx_type type, unsigned align)
{
    LLVMValueRef n;

    if (emit_is_uniform(e, o))
        n = emit_read_lane(e, o, type, 0);
    else
        n = emit_reduce(e, PTX_SUB_max, type, emit_read_vector(e, o, type));
    n = ir_resize(e, n, e->i64, false);
    n = ir_add(e, n, ir_int(n, align - 1));
    return ir_and(e, n, ir_int(n, -(int64_t)align));
}

void emit_alloca_op(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    enum ptx_type type = inst->type[0];
    bool has_align = inst->operand_count > 2 && o[2].kind == PTX_OPERAND_imm;
    unsigned align = has_align && o[2].imm > 8 ? (unsigned)o[2].imm : 8;

    save_at_start(e);
    e->f->own.local_bytes += o[1].kind == PTX_OPERAND_imm
                                 ? (unsigned)o[1].imm + align
                                 : UNKNOWN_BYTES;
    LLVMValueRef pitch = bytes_per_lane(e, &o[1], type, align);
    LLVMValueRef memory = LLVMBuildArrayAlloca(
        e->b, e->i8, ir_mul(e, pitch, ir_int(pitch, e->lanes)), "alloca");
    LLVMSetAlignment(memory, align < 16 ? 16 : align);
    LLVMValueRef lane = emit_lane_const(e, e->i64, emit_lane_number);
    LLVMValueRef at = ir_add(e, emit_splat(e, as_local(e, memory)),
                             ir_mul(e, lane, emit_splat(e, pitch)));
    emit_write_vector(e, &o[0], ir_resize(e, at, emit_type(e, type), false),
                      type);
}

void emit_stacksave(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type[0];
    LLVMValueRef at = as_local(e, save_stack(e));
    emit_write_uniform(e, &inst->operand[0],
                       ir_resize(e, at, emit_type(e, type), false), type);
}

void emit_stackrestore(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = &inst->operand[0];

    if (e->f->at.mask || !emit_is_uniform(e, o))
        return;
    LLVMValueRef at = emit_read_lane(e, o, inst->type[0], 0);
    LLVMValueRef p =
        ir_offset_by(e, e->f->env.stack_base, ir_resize(e, at, e->i64, false));
    ir_intrinsic(e, "llvm.stackrestore", &e->ptr, 1, &p, 1);
}
