/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Begins, declares and ends functions: kernels, device functions, and parts of
 * either.
 */
#include "emit/core/control.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"

void emit_begin_blocks(struct emit *e)
{
    assert(e->f && !e->f->blocks.allocas);
    e->f->blocks.allocas = emit_new_block(e, "entry");
    LLVMBasicBlockRef setup = emit_new_block(e, "setup");
    LLVMPositionBuilderAtEnd(e->b, e->f->blocks.allocas);
    LLVMBuildBr(e->b, setup);
    LLVMPositionBuilderAtEnd(e->b, setup);
}

void emit_begin_function(struct emit *e, const struct simt_plan *plan,
                         LLVMValueRef value)
{
    const struct simt_kernel *k = plan->k;
    struct emit_fn *f = arena_new(e->arena, struct emit_fn);

    assert(plan->k->spec.warp_count <= EMIT_MAX_WARPS);
    e->f = f;
    f->k = k;
    f->plan = plan;
    f->value = value;
    f->at.lane = EMIT_ALL_LANES;
    f->warps = k->spec.warp_count;
    f->regs = arena_array(e->arena, struct emit_reg, k->func->reg_count + 1);
    f->own.lane_block =
        arena_array(e->arena, LLVMValueRef, k->func->var_count + 1);
    emit_begin_blocks(e);
    emit_make_env(e, LLVMGetParam(value, 0));
}

void emit_end_function(struct emit *e)
{
    assert(e->f);
    /* An upper bound of the deepest call chain, whatever the call graph. */
    e->info->local_bytes += e->f->own.local_bytes;
    e->f = NULL;
}

/* Which lanes exist: the last warps of a block may be short or missing. */
static LLVMValueRef existing_lanes(struct emit *e, LLVMValueRef index)
{
    const uint32_t *block = e->spec.block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];

    if (e->f->k->is_full || e->lanes == 1)
        return NULL;
    assert(threads > 0);
    LLVMValueRef lane = emit_lane_const(e, e->i32, emit_lane_number);
    int64_t here = (int64_t)threads - e->f->at.warp * e->lanes;
    LLVMValueRef before =
        ir_mul(e, index, ir_int(index, e->lanes * e->f->warps));
    LLVMValueRef left = ir_sub(e, ir_int(index, here), before);
    return ir_icmp(e, LLVMIntSLT, lane, emit_splat(e, left));
}

void emit_find_entry_masks(struct emit *e)
{
    struct emit_fn *f = e->f;

    assert(e->f->at.warp == 0);
    for (f->at.warp = 0; f->at.warp < f->warps; f->at.warp++)
        f->lanes.existing.of[f->at.warp] =
            existing_lanes(e, f->env.coarse_index);
    f->at.warp = 0;
}

/* A part of the kernel whose function is current. */
void emit_begin_split_function(struct emit *e, LLVMValueRef value)
{
    const struct emit_fn *whole = e->f;

    assert(!e->f->split);
    emit_begin_function(e, whole->plan, value);
    struct emit_fn *f = e->f;
    f->blocks.prologue = LLVMGetInsertBlock(e->b);
    f->regs = whole->regs;
    f->blocks.body = whole->blocks.body;
    f->blocks.check = whole->blocks.check;
}

/* (warp, mask, where, parameters..., results...). Parameters and results are
 * pointers to one copy for each lane. */
LLVMTypeRef emit_function_type(struct emit *e, const struct ptx_func *func)
{
    unsigned count = (unsigned)(func->param_count + func->ret_count) + 3;
    LLVMTypeRef *types = arena_array(e->arena, LLVMTypeRef, count);

    for (unsigned i = 0; i < count; i++)
        types[i] = e->ptr;
    types[1] = e->i32;
    return LLVMFunctionType(e->voidt, types, count, 0);
}

LLVMValueRef emit_declare_function(struct emit *e, const struct ptx_func *func)
{
    LLVMValueRef *known = &e->functions[func->index];

    assert(!func->is_entry);
    if (*known)
        return *known;
    *known =
        LLVMAddFunction(e->module, func->name, emit_function_type(e, func));
    LLVMSetLinkage(*known, LLVMInternalLinkage);
    emit_attributes(e, *known);
    e->to_emit[e->to_emit_count++] = func;
    return *known;
}

void emit_make_params(struct emit *e)
{
    struct emit_fn *f = e->f;
    const struct ptx_func *func = f->k->func;

    assert(!e->f->own.param);
    f->own.param = arena_array(e->arena, LLVMValueRef, func->param_count + 1);
    f->own.ret = arena_array(e->arena, LLVMValueRef, func->ret_count + 1);
}
