/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions between address spaces: cvta, isspacep, and addresses in other
 * blocks of a cluster.
 */
#include "emit/core/values.h"

static LLVMValueRef window_base(struct emit *e, enum ptx_space space)
{
    const struct emit_env *env = &e->f->env;

    if (ptx_is_shared_space(space))
        return ir_address(e, env->shared);
    if (space == PTX_SPACE_local ||
        (space == PTX_SPACE_param && !e->f->k->func->is_entry))
        return ir_address(e, env->stack_base);
    return NULL;
}

void emit_cvta(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type[0];
    bool is_interleaved = simt_interleaved_var(e->f->k, &inst->operand[1]);
    LLVMValueRef base = is_interleaved ? NULL : window_base(e, inst->space);
    LLVMValueRef v = emit_read(e, &inst->operand[1], type);

    if (base) {
        base = emit_from_scalar(e, ir_resize(e, base, ir_element(v), false));
        v = inst->flags & PTX_FLAG_to ? ir_sub(e, v, base) : ir_add(e, v, base);
    }
    emit_write(e, &inst->operand[0], v, type);
}

/* The block's rank, and the offset in its window, of an address of either
 * kind; a generic address first loses the window's address. */
static LLVMValueRef in_cluster(struct emit *e, const struct ptx_inst *inst,
                               LLVMValueRef v)
{
    if (inst->space != PTX_SPACE_generic)
        return v;
    return ir_sub(e, v, emit_from_scalar(e, ir_address(e, e->f->env.shared)));
}

/* mapa: the same address in another block of the cluster. */
void emit_mapa(struct emit *e, const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type[0];
    LLVMValueRef v = emit_read(e, &inst->operand[1], type);

    if (e->f->env.own_start) {
        LLVMValueRef rank = emit_read(e, &inst->operand[2], PTX_TYPE_u32);
        LLVMValueRef at = in_cluster(e, inst, v);
        rank = ir_resize(e, rank, ir_element(v), false);
        rank = ir_shl(e, rank, ir_int(rank, WEFT_CLUSTER_SHIFT));
        LLVMValueRef low =
            ir_and(e, at, ir_int(at, (INT64_C(1) << WEFT_CLUSTER_SHIFT) - 1));
        v = ir_add(e, ir_sub(e, v, at), ir_or(e, low, rank));
    }
    emit_write(e, &inst->operand[0], v, type);
}

/* getctarank: the block whose memory an address is in. */
void emit_getctarank(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef v = emit_read(e, &inst->operand[1], inst->type[0]);

    if (!e->f->env.own_start) {
        emit_write(e, &inst->operand[0], emit_const(e, e->i32, 0),
                   PTX_TYPE_u32);
        return;
    }
    v = in_cluster(e, inst, v);
    v = ir_lshr(e, v, ir_int(v, WEFT_CLUSTER_SHIFT));
    emit_write(e, &inst->operand[0], ir_resize(e, v, e->i32, false),
               PTX_TYPE_u32);
}

static LLVMValueRef is_within(struct emit *e, LLVMValueRef v, LLVMValueRef base,
                              uint64_t size_bytes)
{
    LLVMValueRef distance = ir_sub(e, v, emit_from_scalar(e, base));
    return ir_icmp(e, LLVMIntULT, distance,
                   ir_int(distance, (int64_t)size_bytes));
}

/* Generous windows: no other object is this close to a thread's shared memory
 * or stack. */
enum {
    WINDOW_BYTES_SHARED = 256 * 1024,
    WINDOW_BYTES_CLUSTER = WEFT_CLUSTER_MAX << WEFT_CLUSTER_SHIFT,
    WINDOW_BYTES_LOCAL = 64 << 20,
};

void emit_isspacep(struct emit *e, const struct ptx_inst *inst)
{
    const struct emit_env *env = &e->f->env;
    LLVMValueRef v = emit_read(e, &inst->operand[1], PTX_TYPE_u64);
    LLVMValueRef shared =
        is_within(e, v, ir_address(e, env->own_shared), WINDOW_BYTES_SHARED);
    LLVMValueRef cluster =
        env->own_start
            ? is_within(e, v, ir_address(e, env->shared), WINDOW_BYTES_CLUSTER)
            : shared;
    LLVMValueRef local =
        is_within(e, v, ir_address(e, env->stack_base), WINDOW_BYTES_LOCAL);
    const struct ptx_module *m = e->ptx;
    LLVMValueRef constants = ir_offset(e, env->globals, m->const_offset_bytes);
    LLVMValueRef is_const = is_within(e, v, ir_address(e, constants),
                                      m->globals_bytes - m->const_offset_bytes);
    LLVMValueRef result;

    switch (inst->space) {
    case PTX_SPACE_shared:
        result = shared;
        break;
    case PTX_SPACE_shared_cluster:
        result = cluster;
        break;
    case PTX_SPACE_local:
        result = local;
        break;
    case PTX_SPACE_global:
        result = ir_not(e, ir_or(e, ir_or(e, cluster, local), is_const));
        break;
    case PTX_SPACE_const:
        result = is_const;
        break;
    default: /* .param, param::entry: a kernel's, in global memory too */
        result =
            is_within(e, v, ir_address(e, env->params), e->kernel->param_bytes);
        break;
    }
    emit_write(e, &inst->operand[0], result, PTX_TYPE_pred);
}
