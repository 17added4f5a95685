/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables: their memory, and their addresses as their state space counts
 * them. Every lane has its own copy of a .local variable and of a device
 * function's parameter; the copies are one behind the other, or interleaved
 * word by word.
 */
#include "emit/core/lines.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"

enum {
    FORGET_WORDS = 64, /* longer arrays do not become registers */
};

static unsigned round_up(unsigned n, unsigned to)
{
    assert(to > 0);
    return (n + to - 1) / to * to;
}

LLVMValueRef emit_make_interleaved(struct emit *e, const struct ptx_var *var)
{
    assert(simt_is_interleaved(e->f->k, var));
    struct emit_fn *f = e->f;
    unsigned word = f->k->interleaved_bytes[var - f->k->func->vars];
    unsigned size = round_up((unsigned)var->size_bytes, word);
    unsigned all = e->lanes * f->warps;
    LLVMTypeRef row =
        LLVMVectorType(LLVMIntTypeInContext(e->cx, 8 * word), e->lanes);
    LLVMValueRef block = emit_alloca(
        e, LLVMArrayType2(e->i8, size ? (uint64_t)size * all : word), 64,
        var->name);

    /* Inactive lanes need not keep what the last warp left. */
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMPositionBuilderBefore(e->b,
                              LLVMGetBasicBlockTerminator(f->blocks.prologue));
    for (unsigned at = 0; size <= FORGET_WORDS * word && at < size * all;
         at += word * e->lanes)
        ir_store(e, LLVMGetUndef(row), ir_offset(e, block, at), word);
    emit_go_back(e, here);
    f->own.local_bytes += size;
    return block;
}

bool emit_is_kernel_param(struct emit *e, const struct ptx_var *var)
{
    return ptx_is_kernel_param(e->f->k->func, var);
}

/* Makes a block undefined at the start of each warp; otherwise inactive lanes
 * would have to keep what the last warp left. */
static void forget_block(struct emit *e, LLVMValueRef block, uint32_t pitch)
{
    assert(pitch > 0 && pitch <= 8);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    LLVMTypeRef t =
        LLVMVectorType(LLVMIntTypeInContext(e->cx, 8 * pitch), e->lanes);

    LLVMPositionBuilderBefore(
        e->b, LLVMGetBasicBlockTerminator(e->f->blocks.prologue));
    for (unsigned w = 0; w < e->f->warps; w++)
        ir_store(e, LLVMGetUndef(t),
                 ir_offset(e, block, (int64_t)w * e->lanes * pitch), 1);
    emit_go_back(e, here);
}

LLVMValueRef emit_make_lane_block(struct emit *e, const struct ptx_var *var)
{
    assert(var >= e->f->k->func->vars);
    assert(!e->f->split);
    struct emit_fn *f = e->f;
    LLVMValueRef *block = &f->own.lane_block[var - f->k->func->vars];
    if (simt_is_interleaved(f->k, var))
        return *block = emit_make_interleaved(e, var);
    uint32_t pitch = simt_local_pitch(var);
    unsigned bytes = pitch * e->lanes * f->warps;
    unsigned align = var->align_bytes > 64 ? var->align_bytes : 64;

    *block = emit_alloca(e, LLVMArrayType2(e->i8, bytes ? bytes : 1), align,
                         var->name);
    f->own.local_bytes += pitch;
    if (pitch == 1 || pitch == 2 || pitch == 4 || pitch == 8)
        forget_block(e, *block, pitch);
    return *block;
}

/* The memory of a variable that has a copy for each lane. */
static struct emit_block_ref lane_block(struct emit *e,
                                        const struct ptx_var *var)
{
    const struct ptx_func *func = e->f->k->func;
    struct emit_fn *f = e->f;
    uint32_t pitch = simt_local_pitch(var);

    if (var >= func->params && var < func->params + func->param_count)
        return (struct emit_block_ref){f->own.param[var - func->params], pitch};
    if (var >= func->rets && var < func->rets + func->ret_count)
        return (struct emit_block_ref){f->own.ret[var - func->rets], pitch};
    assert(var >= func->vars && var < func->vars + func->var_count);
    LLVMValueRef *block = &f->own.lane_block[var - func->vars];
    if (!*block)
        *block = f->split ? emit_outer_lane_block(e, var, emit_make_lane_block)
                          : emit_make_lane_block(e, var);
    return (struct emit_block_ref){*block, pitch};
}

LLVMValueRef emit_interleaved_block(struct emit *e, const struct ptx_var *var)
{
    return lane_block(e, var).pointer;
}

struct emit_block_ref emit_lane_block(struct emit *e, const struct ptx_var *var)
{
    struct emit_block_ref block = lane_block(e, var);
    int64_t before = (int64_t)e->f->at.warp * e->lanes * block.stride_bytes;

    assert(e->f->at.warp < e->f->warps);
    block.pointer = ir_offset(e, block.pointer, before);
    return block;
}

static bool is_per_lane(struct emit *e, const struct ptx_var *var)
{
    return var->space == PTX_SPACE_local ||
           (var->space == PTX_SPACE_param && !emit_is_kernel_param(e, var));
}

static LLVMValueRef lane_offset(struct emit *e, unsigned pitch)
{
    LLVMValueRef lane = emit_lane_const(e, e->i64, emit_lane_number);
    lane = ir_add(e, lane, ir_int(lane, e->f->at.warp * e->lanes));
    return ir_mul(e, lane, ir_int(lane, pitch));
}

/* A .global or .const variable; a managed one is found by a pointer. */
static LLVMValueRef global_pointer(struct emit *e, const struct ptx_var *var)
{
    LLVMValueRef p = ir_offset(e, e->f->env.globals, var->offset_bytes);

    assert(var->space == PTX_SPACE_global || var->space == PTX_SPACE_const);
    return var->is_managed ? ir_load(e, e->ptr, p, 8) : p;
}

static LLVMValueRef shared_address(struct emit *e, const struct ptx_var *var)
{
    LLVMValueRef start = e->f->env.own_start;
    uint32_t offset = ptx_shared_offset(e->shared, var);

    assert(var->space == PTX_SPACE_shared);
    if (!start)
        return emit_const(e, e->i64, offset);
    return emit_from_scalar(e, ir_add(e, start, ir_int(start, offset)));
}

LLVMValueRef emit_var_address(struct emit *e, const struct ptx_var *var)
{
    const struct emit_env *env = &e->f->env;

    if (simt_is_interleaved(e->f->k, var))
        return emit_const(e, e->i64, SIMT_INTERLEAVED_BASE);
    if (is_per_lane(e, var)) {
        struct emit_block_ref block = lane_block(e, var);
        LLVMValueRef base = ir_sub(e, ir_address(e, block.pointer),
                                   ir_address(e, env->stack_base));
        return ir_add(e, emit_from_scalar(e, base),
                      lane_offset(e, block.stride_bytes));
    }
    switch (var->space) {
    case PTX_SPACE_shared:
    case PTX_SPACE_shared_cluster:
        return shared_address(e, var);
    case PTX_SPACE_global:
    case PTX_SPACE_const:
        return emit_from_scalar(e, ir_address(e, global_pointer(e, var)));
    case PTX_SPACE_param:
        return emit_from_scalar(
            e, ir_address(e, ir_offset(e, env->params, var->offset_bytes)));
    default:
        emit_refuse(e, "the address of `%s` cannot be taken here", var->name);
        return emit_const(e, e->i64, 0);
    }
}

LLVMValueRef emit_pointer_to_var(struct emit *e, const struct ptx_var *var,
                                 int64_t offset)
{
    const struct emit_env *env = &e->f->env;

    if (is_per_lane(e, var)) {
        struct emit_block_ref block = lane_block(e, var);
        LLVMValueRef lane = lane_offset(e, block.stride_bytes);
        return ir_offset_by(e, block.pointer,
                            ir_add(e, lane, ir_int(lane, offset)));
    }
    LLVMValueRef base = var->space == PTX_SPACE_shared  ? env->own_shared
                        : var->space == PTX_SPACE_param ? env->params
                                                        : NULL;
    if (!base)
        base = global_pointer(e, var);
    else
        offset += var->space == PTX_SPACE_shared
                      ? ptx_shared_offset(e->shared, var)
                      : var->offset_bytes;
    return emit_from_scalar(e, ir_offset(e, base, offset));
}
