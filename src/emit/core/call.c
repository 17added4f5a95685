/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls. Arguments and results are in memory, one copy for each lane; a device
 * function runs once for all lanes of a call. An indirect call runs once for
 * the lanes that want the same function. LLVM inlines where it pays, and
 * parameters become registers again.
 */
#include "emit/core/control.h"
#include "emit/core/emitters.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "abi/calls.h"

enum extra { NOTHING, LANE };

static const struct builtin {
    const char *name;
    size_t helper;
    char result;
    const char *parameters;
    enum extra extra;
} builtins[] = {
#define BUILTIN(name, helper, result, parameters, extra, flow)                 \
    {name, offsetof(struct exec_helpers, helper), result, parameters, extra},
#include "abi/builtins.def"
};

static const struct builtin *find_builtin(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(builtins); i++)
        if (strcmp(builtins[i].name, name) == 0)
            return &builtins[i];
    return NULL;
}

/* ---- arguments --------------------------------------------------------- */

/* Memory for an argument: an argument that is a register or a constant gets
 * some. */
static struct emit_block_ref block_of(struct emit *e,
                                      const struct ptx_operand *o,
                                      const struct ptx_var *formal)
{
    if (o->kind == PTX_OPERAND_var || o->kind == PTX_OPERAND_address)
        if (o->var && o->reg == PTX_NO_REG)
            return emit_lane_block(e, o->var);
    LLVMValueRef v;
    if (o->kind == PTX_OPERAND_sink)
        v = LLVMGetUndef(LLVMVectorType(emit_type(e, formal->type), e->lanes));
    else
        v = emit_read_vector(e, o, formal->type);
    return (struct emit_block_ref){emit_spill(e, v),
                                   ptx_type_size(formal->type)};
}

static struct emit_block_ref checked_block(struct emit *e,
                                           const struct ptx_operand *o,
                                           const struct ptx_var *formal)
{
    struct emit_block_ref b = block_of(e, o, formal);

    if (b.stride_bytes != simt_local_pitch(formal))
        emit_refuse(e, "`%s` has %u bytes for each lane, the argument %u",
                    formal->name, simt_local_pitch(formal), b.stride_bytes);
    return b;
}

/* Copies results from memory to the registers that take them. */
static void take_results(struct emit *e, const struct ptx_call *call,
                         const struct ptx_func *formal,
                         const struct emit_block_ref *blocks)
{
    for (unsigned i = 0; i < call->ret_count; i++) {
        const struct ptx_operand *o = &call->rets[i];
        enum ptx_type type = formal->rets[i].type;
        if (o->kind == PTX_OPERAND_reg)
            emit_write_vector(
                e, o, emit_unspill(e, blocks[i].pointer, emit_type(e, type)),
                type);
    }
}

/* ---- builtins ---------------------------------------------------------- */

static LLVMTypeRef letter_type(struct emit *e, char letter)
{
    return letter == 'l' ? e->i64 : letter == 'i' ? e->i32 : e->voidt;
}

static LLVMValueRef lane_pointer(struct emit *e, struct emit_block_ref b,
                                 LLVMValueRef lane)
{
    LLVMValueRef at = ir_zext(e, lane, e->i64);
    return ir_offset_by(e, b.pointer,
                        ir_mul(e, at, ir_int(at, b.stride_bytes)));
}

/* Finds the memory of a call's arguments and of its result, if any. False: the
 * call was refused. */
static bool find_blocks(struct emit *e, const struct ptx_call *call,
                        const char *name, unsigned count,
                        struct emit_block_ref *in, struct emit_block_ref *out)
{
    if (call->arg_count != count || call->func->param_count != count) {
        emit_refuse(e, "`%s` takes %u parameters, this call has %u", name,
                    count, call->arg_count);
        return false;
    }
    for (unsigned i = 0; i < count; i++)
        in[i] = checked_block(e, &call->args[i], &call->func->params[i]);
    if (call->ret_count > 0)
        *out = checked_block(e, &call->rets[0], &call->func->rets[0]);
    return true;
}

static void call_builtin(struct emit *e, const struct builtin *b,
                         const struct ptx_call *call)
{
    struct emit_block_ref in[8], out = {0};
    LLVMValueRef args[8];
    unsigned count = (unsigned)strlen(b->parameters);
    struct emit_lane_loop loop;

    if (!find_blocks(e, call, b->name, count, in, &out))
        return;
    LLVMValueRef lanes = emit_mask_bits(e, emit_mask(e));
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    for (unsigned i = 0; i < count; i++)
        args[i] = ir_load(e, letter_type(e, b->parameters[i]),
                          lane_pointer(e, in[i], loop.lane), 0);
    if (b->extra == LANE) {
        args[count++] = loop.lane;
        args[count++] = lanes;
    }
    LLVMValueRef v =
        emit_helper(e, b->helper, letter_type(e, b->result), args, count);
    if (out.pointer && b->result != 'v')
        ir_store(e, v, lane_pointer(e, out, loop.lane), 0);
    emit_lane_loop_end(e, &loop);
    take_results(e, call, call->func, &out);
}

/* ---- the device runtime ------------------------------------------------ */

/* One lane's parameter as a word: its value, or a dim3's address. */
static LLVMValueRef argument_word(struct emit *e, char letter,
                                  struct emit_block_ref b, LLVMValueRef lane)
{
    LLVMValueRef p = lane_pointer(e, b, lane);
    if (letter == 'd')
        return LLVMBuildPtrToInt(e->b, p, e->i64, "");
    return ir_resize(e, ir_load(e, letter_type(e, letter), p, 0), e->i64,
                     false);
}

static void call_device_runtime(struct emit *e, enum exec_call which,
                                const struct ptx_call *call)
{
    const struct exec_call_form *form = &exec_call_forms[which];
    struct emit_block_ref in[EXEC_CALL_MAX_ARGUMENTS], out = {0};
    unsigned count = (unsigned)strlen(form->parameters);
    struct emit_lane_loop loop;

    if (!find_blocks(e, call, form->name, count, in, &out))
        return;
    LLVMTypeRef words = LLVMArrayType(e->i64, EXEC_CALL_MAX_ARGUMENTS);
    LLVMValueRef memory = emit_alloca(e, words, 8, "arguments");
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef at = LLVMConstInt(e->i64, i * 8, 0);
        ir_store(e, argument_word(e, form->parameters[i], in[i], loop.lane),
                 ir_offset_by(e, memory, at), 0);
    }
    LLVMValueRef args[] = {LLVMConstInt(e->i32, which, 0), loop.lane, memory};
    LLVMValueRef v = EMIT_HELPER(e, device_call, e->i64, args, 3);
    if (out.pointer)
        ir_store(e, ir_resize(e, v, letter_type(e, form->result), false),
                 lane_pointer(e, out, loop.lane), 0);
    emit_lane_loop_end(e, &loop);
    take_results(e, call, call->func, &out);
}

/* ---- device functions -------------------------------------------------- */

/* Threads at the same instruction that came by different calls do not meet:
 * see one_lane.c. Returns the path so far. */
static LLVMValueRef extend_path(struct emit *e)
{
    LLVMValueRef p = emit_path_pointer(e);
    LLVMValueRef path = ir_load(e, e->i32, p, 4);
    LLVMValueRef longer =
        ir_mul(e, ir_add(e, path, ir_int(path, e->f->at.index + 1)),
               ir_int(path, 0x9e3779b1));

    ir_store(e, longer, p, 4);
    return path;
}

/* Calls `func` for the lanes of `mask`. */
static void call_function(struct emit *e, const struct ptx_func *func,
                          LLVMValueRef mask, LLVMValueRef *blocks,
                          unsigned count)
{
    LLVMValueRef callee = emit_declare_function(e, func);

    assert(emit_is_mask(e, mask) || LLVMTypeOf(mask) == e->i32);
    blocks[0] = e->f->env.warp;
    blocks[1] = emit_mask_bits(e, mask);
    blocks[2] = e->f->env.where;
    LLVMValueRef path = e->lanes == 1 ? extend_path(e) : NULL;
    LLVMBuildCall2(e->b, LLVMGlobalGetValueType(callee), callee, blocks, count,
                   "");
    if (path)
        ir_store(e, path, emit_path_pointer(e), 4);
}

/* A switch over all functions that the handle may name. */
static void call_by_handle(struct emit *e, const struct ptx_func *prototype,
                           LLVMValueRef handle, LLVMValueRef mask,
                           LLVMValueRef *blocks, unsigned count)
{
    LLVMBasicBlockRef bad = emit_new_block(e, "bad.call");
    LLVMBasicBlockRef done = emit_new_block(e, "called");
    LLVMValueRef s = LLVMBuildSwitch(e->b, handle, bad, 8);

    for (size_t i = 0; i < e->ptx->func_count; i++) {
        const struct ptx_func *func = e->ptx->funcs[i];
        if (!func->is_address_taken || func->is_entry || func->is_declaration ||
            !ptx_has_same_signature(func, prototype))
            continue;
        LLVMBasicBlockRef way = emit_new_block(e, func->name);
        LLVMAddCase(s, LLVMConstInt(e->i64, WEFT_FUNC_HANDLE(i), 0), way);
        LLVMPositionBuilderAtEnd(e->b, way);
        call_function(e, func, mask, blocks, count);
        LLVMBuildBr(e->b, done);
    }
    LLVMPositionBuilderAtEnd(e->b, bad);
    EMIT_HELPER(e, bad_call, e->voidt, &handle, 1);
    emit_goto_new(e, done);
}

static void call_indirect(struct emit *e, const struct ptx_call *call,
                          LLVMValueRef *blocks, unsigned count)
{
    LLVMValueRef handles = emit_read_reg(e, call->reg);
    handles = ir_resize(e, ir_as_int(e, handles), e->i64, false);
    LLVMValueRef memory = emit_spill(e, handles);
    LLVMValueRef left_var = emit_alloca(e, e->i32, 0, "left");
    LLVMBasicBlockRef head = emit_new_block(e, "callees");
    LLVMBasicBlockRef body = emit_new_block(e, "callee");
    LLVMBasicBlockRef done = emit_new_block(e, "callees.done");

    ir_store(e, emit_mask_bits(e, emit_mask(e)), left_var, 0);
    emit_goto_new(e, head);
    LLVMValueRef left = ir_load(e, e->i32, left_var, 0);
    LLVMBuildCondBr(e->b, ir_icmp(e, LLVMIntNE, left, ir_int(left, 0)), body,
                    done);
    LLVMPositionBuilderAtEnd(e->b, body);
    LLVMValueRef lane =
        ir_intrinsic(e, "llvm.cttz", &e->i32, 1,
                     (LLVMValueRef[]){left, LLVMConstInt(e->i1, 1, 0)}, 2);
    LLVMValueRef handle = emit_spilled_lane(e, memory, e->i64, lane);
    LLVMValueRef same = ir_icmp(e, LLVMIntEQ, handles, emit_splat(e, handle));
    same = ir_and(e, same, emit_mask_of_bits(e, left));
    LLVMValueRef rest = ir_and(e, left, ir_not(e, emit_mask_bits(e, same)));
    ir_store(e, rest, left_var, 0);
    call_by_handle(e, call->prototype, handle, same, blocks, count);
    LLVMBuildBr(e->b, head);
    LLVMPositionBuilderAtEnd(e->b, done);
}

void emit_call(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_call *call = inst->call;
    const struct ptx_func *formal = call->func ? call->func : call->prototype;
    unsigned count = 3 + call->arg_count + call->ret_count;

    if (call->func && call->func->is_declaration) {
        const struct builtin *b = find_builtin(call->func->name);
        enum exec_call which = exec_call_find(call->func->name);
        if (b)
            call_builtin(e, b, call);
        else if (which != EXEC_CALL_COUNT)
            call_device_runtime(e, which, call);
        else
            emit_refuse(e, "`%s` is declared, but defined nowhere",
                        call->func->name);
        return;
    }
    if (!formal || formal->param_count != call->arg_count ||
        formal->ret_count != call->ret_count) {
        emit_refuse(e, "the call does not fit the function's parameters");
        return;
    }
    LLVMValueRef *blocks = arena_array(e->arena, LLVMValueRef, count);
    struct emit_block_ref *rets =
        arena_array(e->arena, struct emit_block_ref, call->ret_count + 1);
    for (unsigned i = 0; i < call->arg_count; i++)
        blocks[3 + i] =
            checked_block(e, &call->args[i], &formal->params[i]).pointer;
    for (unsigned i = 0; i < call->ret_count; i++) {
        rets[i] = checked_block(e, &call->rets[i], &formal->rets[i]);
        blocks[3 + call->arg_count + i] = rets[i].pointer;
    }
    if (call->func)
        call_function(e, call->func, emit_mask(e), blocks, count);
    else
        call_indirect(e, call, blocks, count);
    take_results(e, call, formal, rets);
}
