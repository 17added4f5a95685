/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device functions, which run once for a mask of lanes.
 */
#include "emit/core/control.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"

static void receive_state(struct emit *e)
{
    struct emit_fn *f = e->f;
    const struct ptx_func *func = f->k->func;
    unsigned next = 3;

    assert(e->f->warps == 1);
    f->lanes.existing.of[0] = emit_mask_of_bits(e, LLVMGetParam(f->value, 1));
    f->env.where = LLVMGetParam(f->value, 2);
    for (unsigned d = 0; d < 3; d++)
        f->env.ctaid[d] =
            ir_load(e, e->i32, ir_offset(e, f->env.where, 4 * d), 4);
    f->env.coarse_index = ir_load(e, e->i32, ir_offset(e, f->env.where, 12), 4);
    emit_make_params(e);
    for (size_t i = 0; i < func->param_count; i++)
        f->own.param[i] = LLVMGetParam(f->value, next++);
    for (size_t i = 0; i < func->ret_count; i++)
        f->own.ret[i] = LLVMGetParam(f->value, next++);
}

/* Functions up to this size are inlined at every call. */
enum { INLINE_INSTS = 200 };

bool emit_device_function(struct emit *e, const struct ptx_func *func)
{
    assert(e->functions[func->index]);
    struct simt_spec spec = e->spec;
    spec.warp_count = 1;
    struct simt_kernel *k = simt_build(e->arena, e->ptx, func, &spec, e->diag);

    if (!k) {
        e->has_failed = true;
        return false;
    }
    if (!k->is_recursive && func->inst_count <= INLINE_INSTS)
        emit_add_attribute(e, e->functions[func->index],
                           LLVMAttributeFunctionIndex, "alwaysinline", 0);
    emit_begin_function(e,
                        simt_make_plan(k, e->target, (struct simt_choice){0}),
                        e->functions[func->index]);
    receive_state(e);
    e->f->blocks.prologue = LLVMGetInsertBlock(e->b);
    e->f->blocks.exit = emit_new_block(e, "return");
    if (simt_split_insts(k))
        emit_split_body(e);
    else
        emit_body(e);
    LLVMPositionBuilderAtEnd(e->b, e->f->blocks.exit);
    LLVMBuildRetVoid(e->b);
    emit_end_function(e);
    return !e->has_failed;
}
