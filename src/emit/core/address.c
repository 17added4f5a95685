/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses. Shared ones are offsets from the block's window, local ones from
 * the lowest address of the stack; generic, global and constant ones are real.
 */
#include "emit/core/address.h"
#include "emit/core/emitters.h"
#include "emit/core/values.h"

static LLVMValueRef as_pointer(struct emit *e, LLVMValueRef address)
{
    return LLVMBuildIntToPtr(e->b, address, ir_like(address, e->ptr), "");
}

/* Pointers at offsets from a window. Vectors of offsets stay in 32 bits, so
 * that gathers can take them as they are. Offsets are signed: where a row of
 * lanes begins before the window (`s[i - 1]`), its first lanes are inactive,
 * and the others follow in one piece. */
static LLVMValueRef from_window(struct emit *e, LLVMValueRef window,
                                LLVMValueRef offset)
{
    assert(window == e->f->env.shared || LLVMTypeOf(window) == e->ptr);
    if (ir_is_vector(offset))
        offset = ir_resize(e, offset, e->i32, true);
    else
        offset = ir_resize(e, offset, e->i64, true);
    return ir_offset_by(e, window, offset);
}

/* A pointer to the stack for an access at `offset`. LLVM takes a pointer that
 * existed before a variable's address was taken not to lead to the variable,
 * so that stores by the variable's name would be dead. So this is a new
 * pointer. */
static LLVMValueRef stack_for(struct emit *e, LLVMValueRef offset)
{
    static const char same[] = "=r,0,r";
    LLVMValueRef first =
        ir_is_vector(offset) ? ir_extract(e, offset, 0) : offset;
    LLVMTypeRef params[] = {e->ptr, LLVMTypeOf(first)};
    LLVMTypeRef type = LLVMFunctionType(e->ptr, params, 2, 0);
    LLVMValueRef args[] = {e->f->env.stack_base, first};
    LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, same, sizeof same - 1,
                                            0, 0, LLVMInlineAsmDialectATT, 0);

    return LLVMBuildCall2(e->b, type, nothing, args, 2, "");
}

static LLVMValueRef pointer_in_space(struct emit *e, LLVMValueRef address,
                                     enum ptx_space space, int64_t offset)
{
    const struct emit_env *env = &e->f->env;
    bool is_device = !e->f->k->func->is_entry;

    if (ptx_is_shared_space(space) || space == PTX_SPACE_local ||
        (space == PTX_SPACE_param && is_device)) {
        bool is_shared = ptx_is_shared_space(space);
        address = ir_add(e, address, ir_int(address, offset));
        return from_window(e, is_shared ? env->shared : stack_for(e, address),
                           address);
    }
    address = ir_resize(e, address, e->i64, false);
    if (ir_is_vector(address))
        return as_pointer(e, ir_add(e, address, ir_int(address, offset)));
    return ir_offset(e, as_pointer(e, address), offset);
}

LLVMValueRef emit_pointer(struct emit *e, const struct ptx_operand *o,
                          enum ptx_space space, int lane, int64_t offset)
{
    int saved = e->f->at.lane;
    LLVMValueRef p;

    assert(o->kind == PTX_OPERAND_address);
    assert(lane == EMIT_ALL_LANES || (unsigned)lane < e->lanes);
    e->f->at.lane = lane;
    offset += o->imm;
    bool is_real = space == PTX_SPACE_global || space == PTX_SPACE_generic ||
                   space == PTX_SPACE_const;
    if (lane == EMIT_ALL_LANES && is_real) {
        p = emit_base_index_pointers(e, o, offset);
        if (p) {
            e->f->at.lane = saved;
            return p;
        }
    }
    if (o->reg != PTX_NO_REG)
        p = pointer_in_space(e, ir_as_int(e, emit_read_reg(e, o->reg)), space,
                             offset);
    else if (o->var)
        p = emit_pointer_to_var(e, o->var, offset);
    else
        p = pointer_in_space(e, emit_const(e, e->i64, 0), space, offset);
    e->f->at.lane = saved;
    return p;
}

void emit_set_alias(struct emit *e, LLVMValueRef access, enum ptx_space space)
{
    assert(space < PTX_SPACE_COUNT);
    if (e->scope[space])
        LLVMSetMetadata(access, e->md_scope, e->scope[space]);
    if (e->noalias[space])
        LLVMSetMetadata(access, e->md_noalias, e->noalias[space]);
}

LLVMValueRef emit_in_block(struct emit *e, LLVMValueRef pointer,
                           LLVMValueRef rank)
{
    LLVMValueRef window = e->f->env.shared;
    LLVMValueRef at = ir_sub(e, ir_address(e, pointer), ir_address(e, window));

    assert(LLVMTypeOf(rank) == e->i32);
    at = ir_and(e, at, ir_int(at, (INT64_C(1) << WEFT_CLUSTER_SHIFT) - 1));
    rank = ir_zext(e, rank, e->i64);
    rank = ir_shl(e, rank, ir_int(rank, WEFT_CLUSTER_SHIFT));
    return ir_offset_by(e, window, ir_or(e, at, rank));
}
