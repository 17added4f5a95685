/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a function knows of the launch and its warp, calls of helpers, and
 * attributes that LLVM uses.
 */
#include "emit/core/launch.h"
#include "emit/marks.h"

static void add_string(struct emit *e, LLVMValueRef fn, const char *key,
                       const char *value)
{
    LLVMAddAttributeAtIndex(
        fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(e->cx, key, (unsigned)strlen(key), value,
                                  (unsigned)strlen(value)));
}

void emit_add_attribute(struct emit *e, LLVMValueRef fn, int index,
                        const char *name, uint64_t value)
{
    assert(LLVMGetEnumAttributeKindForName(name, strlen(name)) != 0);
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)index,
                            LLVMCreateEnumAttribute(e->cx, kind, value));
}

void emit_attributes_of_all(struct emit *e, LLVMValueRef fn)
{
    const char *width = e->target->vector_bytes >= 64   ? "512"
                        : e->target->vector_bytes >= 32 ? "256"
                                                        : "128";

    add_string(e, fn, "prefer-vector-width", width);
    add_string(e, fn, "no-builtins", "");
    if (e->flushes)
        add_string(e, fn, "denormal-fp-math", "preserve-sign,preserve-sign");
    emit_add_attribute(e, fn, LLVMAttributeFunctionIndex, "nounwind", 0);
}

void emit_attributes(struct emit *e, LLVMValueRef fn)
{
    emit_attributes_of_all(e, fn);
    emit_add_attribute(e, fn, 1, "noalias", 0);
    emit_add_attribute(e, fn, 1, "nonnull", 0);
    emit_add_attribute(e, fn, 1, "dereferenceable", sizeof(struct exec_warp));
}

/* Loads a field that does not change while the function runs. */
LLVMValueRef emit_load_constant(struct emit *e, LLVMValueRef base,
                                size_t offset, LLVMTypeRef type)
{
    assert(type == e->i32 || type == e->i64 || type == e->ptr);
    LLVMValueRef p = ir_offset(e, base, (int64_t)offset);
    LLVMValueRef v = ir_load(e, type, p, type == e->i32 ? 4 : 8);
    LLVMSetMetadata(v, e->md_invariant, e->md_empty);
    return v;
}

static void set_number(struct emit *e, LLVMValueRef v, unsigned kind,
                       uint64_t number)
{
    LLVMMetadataRef m = LLVMValueAsMetadata(LLVMConstInt(e->i64, number, 0));
    LLVMSetMetadata(
        v, kind,
        LLVMMetadataAsValue(e->cx, LLVMMDNodeInContext2(e->cx, &m, 1)));
}

/* With an alignment: loads from there may be moved out of any loop. */
static void set_dereferenceable(struct emit *e, LLVMValueRef v, uint64_t size)
{
    LLVMSetMetadata(v, e->md_nonnull, e->md_empty);
    set_number(e, v, e->md_deref, size);
    set_number(e, v, e->md_align, 8);
}

#define LAUNCH(field, type)                                                    \
    emit_load_constant(e, env->launch, offsetof(struct exec_launch, field),    \
                       type)

/* For codegen/promote_shared.c: only this function accesses the window. */
static void mark_window(struct emit *e, LLVMValueRef window)
{
    const struct simt_kernel *k = e->f->k;

    if (!k->func->is_entry || k->has_calls || simt_split_insts(k) ||
        !e->is_block_in_step || e->info->static_shared_bytes == 0)
        return;
    LLVMMetadataRef bytes = LLVMValueAsMetadata(
        LLVMConstInt(e->i64, e->info->static_shared_bytes, 0));
    LLVMSetMetadata(
        window,
        LLVMGetMDKindIDInContext(e->cx, EMIT_SHARED_NAME,
                                 sizeof EMIT_SHARED_NAME - 1),
        LLVMMetadataAsValue(e->cx, LLVMMDNodeInContext2(e->cx, &bytes, 1)));
}

void emit_make_env(struct emit *e, LLVMValueRef warp)
{
    struct emit_env *env = &e->f->env;

    assert(LLVMTypeOf(warp) == e->ptr);
    env->warp = warp;
    env->launch = EMIT_WARP_FIELD(e, env, launch, e->ptr);
    set_dereferenceable(e, env->launch, sizeof(struct exec_launch));
    env->shared = env->own_shared = EMIT_WARP_FIELD(e, env, shared, e->ptr);
    if (e->spec.is_cluster) {
        LLVMValueRef rank =
            ir_zext(e, EMIT_WARP_FIELD(e, env, cluster_rank, e->i32), e->i64);
        env->own_start = ir_shl(e, rank, ir_int(rank, WEFT_CLUSTER_SHIFT));
        env->shared = ir_offset_by(e, env->own_shared,
                                   ir_sub(e, ir_int(rank, 0), env->own_start));
    }
    if (!e->spec.is_cluster)
        mark_window(e, env->shared);
    env->stack_base = EMIT_WARP_FIELD(e, env, stack_base, e->ptr);
    env->helpers =
        e->flushes ? LAUNCH(flushing_helpers, e->ptr) : LAUNCH(helpers, e->ptr);
    set_dereferenceable(e, env->helpers, sizeof(struct exec_helpers));
    env->globals = LAUNCH(globals, e->ptr);
    env->params = LAUNCH(params, e->ptr);
    if (e->kernel->param_bytes)
        set_dereferenceable(e, env->params, e->kernel->param_bytes);
}

LLVMValueRef emit_launch_field(struct emit *e, size_t offset, LLVMTypeRef type)
{
    return emit_load_constant(e, e->f->env.launch, offset, type);
}

LLVMValueRef emit_helper(struct emit *e, size_t offset, LLVMTypeRef ret,
                         LLVMValueRef *args, unsigned count)
{
    LLVMValueRef all[8] = {e->f->env.warp};
    LLVMTypeRef types[8] = {e->ptr};

    assert(count + 1 <= ARRAY_COUNT(all));
    for (unsigned i = 0; i < count; i++) {
        all[i + 1] = args[i];
        types[i + 1] = LLVMTypeOf(args[i]);
    }
    LLVMValueRef fn = emit_load_constant(e, e->f->env.helpers, offset, e->ptr);
    LLVMTypeRef type = LLVMFunctionType(ret, types, count + 1, 0);
    LLVMValueRef call = LLVMBuildCall2(e->b, type, fn, all, count + 1, "");
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddCallSiteAttribute(call,
                             (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(e->cx, nounwind, 0));
    return call;
}

LLVMValueRef emit_exited_pointer(struct emit *e)
{
    assert(e->f->env.where);
    return ir_offset(e, e->f->env.where, 16);
}

LLVMValueRef emit_path_pointer(struct emit *e)
{
    assert(e->f->env.where);
    return ir_offset(e, e->f->env.where, 20);
}

LLVMValueRef emit_own_lane(struct emit *e)
{
    assert(e->f->env.coarse_index);
    LLVMValueRef w = e->f->env.coarse_index;
    return ir_and(e, w, ir_int(w, WEFT_WARP_LANES - 1));
}
