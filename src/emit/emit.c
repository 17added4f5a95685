/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The module, and the dispatch of instructions to their emitters. Which
 * opcode is emitted by what, and whether each lane stands alone, is told by
 * emitters.def; an opcode without a row there is refused by its name.
 */
#include "emit/emit.h"

#include "emit/internal.h"

#include <stdio.h>
#include <stdlib.h>

enum emit_how {
    HOW_NONE,
    LANES, /* each lane for itself: run once for each way of keeping it */
    WHOLE, /* looks at shapes and masks itself; guards are masks */
};

static const struct emitter {
    enum emit_how how;
    emit_op_fn *fn;
} emitters[PTX_OP_COUNT] = {
#define EMIT(op, how, fn) [PTX_OP_##op] = {how, fn},
#include "emit/emitters.def"
};

void emit_refuse(struct emit *e, const char *format, ...)
{
    char text[256], shown[256];
    va_list args;
    const struct ptx_inst *inst = e->f ? e->f->inst : NULL;

    e->has_failed = true;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!inst) {
        diag_error(e->diag, "%s: %s", e->kernel->name, text);
        return;
    }
    ptx_print_inst(e->f->k->func, inst, shown, sizeof shown);
    diag_report(e->diag, DIAG_ERROR, e->f->k->func->name, inst->line,
                inst->column, NULL, "cannot compile `%s` (%s): %s",
                ptx_op_name(inst->op), shown, text);
}

/* ---- one instruction --------------------------------------------------- */

static void run_lanes(struct emit *e, const struct ptx_inst *inst,
                      emit_op_fn *fn)
{
    struct emit_fn *f = e->f;
    uint64_t groups;
    bool has_varying;

    emit_dest_shapes(e, inst, &groups, &has_varying);
    LLVMValueRef ok = emit_begin_conditional(e, inst, fn);
    if (has_varying) {
        f->lane = EMIT_ALL_LANES;
        struct emit_parts parts = emit_find_parts(e, inst);
        fn(e, inst);
        if (parts.index)
            f->regs[inst->operand[0].reg].parts = parts;
    }
    for (unsigned group = 1; group <= 32; group *= 2) {
        if (!(groups >> group & 1))
            continue;
        f->group = group;
        struct simt_shape s = {.group = (uint8_t)group};
        for (unsigned g = 0; g < emit_group_count(e, s); g++) {
            f->lane = (int)(g * group);
            fn(e, inst);
        }
    }
    f->lane = EMIT_ALL_LANES;
    emit_end_conditional(e, inst, ok);
}

static LLVMValueRef read_guard(struct emit *e, const struct ptx_inst *inst,
                               bool is_uniform)
{
    e->f->lane = is_uniform ? 0 : EMIT_ALL_LANES;
    LLVMValueRef p = emit_read_reg(e, inst->guard);
    e->f->lane = EMIT_ALL_LANES;
    return inst->guard_negated ? ir_not(e, p) : p;
}

static void emit_lanes(struct emit *e, const struct ptx_inst *inst,
                       emit_op_fn *fn)
{
    struct emit_fn *f = e->f;
    uint8_t flags = f->k->inst_flags[f->index];

    f->blend = flags & SIMT_BLEND ? f->mask : NULL;
    f->when = NULL;
    if (inst->guard != PTX_NO_REG) {
        bool is_uniform = simt_is_uniform(f->k->shapes[inst->guard]);
        LLVMValueRef p = read_guard(e, inst, is_uniform);
        if (is_uniform)
            f->when = p;
        else
            f->blend = emit_and_mask(e, f->blend, p);
    }
    run_lanes(e, inst, fn);
    f->blend = f->when = NULL;
}

/* A varying guard narrows the mask, a uniform one is a branch around. */
static void emit_whole(struct emit *e, const struct ptx_inst *inst,
                       emit_op_fn *fn)
{
    struct emit_fn *f = e->f;
    LLVMValueRef mask = f->mask;
    LLVMBasicBlockRef done = NULL;

    f->blend = f->k->inst_flags[f->index] & SIMT_BLEND ? f->mask : NULL;
    if (inst->guard != PTX_NO_REG) {
        bool is_uniform = simt_is_uniform(f->k->shapes[inst->guard]);
        LLVMValueRef p = read_guard(e, inst, is_uniform);
        if (!is_uniform) {
            f->mask = f->blend = emit_and_mask(e, mask, p);
            p = emit_any(e, f->mask);
        }
        LLVMBasicBlockRef doit = emit_new_block(e, "guarded");
        done = emit_new_block(e, "guarded.done");
        emit_branch(e, p, doit, done, EMIT_EVEN);
        LLVMPositionBuilderAtEnd(e->b, doit);
    }
    fn(e, inst);
    if (done)
        emit_goto_new(e, done);
    f->mask = mask;
    f->blend = NULL;
}

void emit_instructions(struct emit *e, uint32_t first, uint32_t end)
{
    struct emit_fn *f = e->f;

    for (uint32_t i = first; i < end && !e->has_failed; i++) {
        const struct ptx_inst *inst = &f->k->func->insts[i];
        const struct emitter *em = &emitters[inst->op];
        f->inst = inst;
        f->index = i;
        if (f->k->inst_flags[i] & SIMT_WAITS)
            EMIT_HELPER(e, yield, e->voidt, NULL, 0);
        if (em->how == LANES && !(f->k->inst_flags[i] & SIMT_DEAD))
            emit_lanes(e, inst, em->fn);
        else if (em->how == WHOLE)
            emit_whole(e, inst, em->fn);
        else if (em->how == HOW_NONE)
            emit_refuse(e, "this instruction is not supported");
    }
    f->inst = NULL;
}

/* ---- the module -------------------------------------------------------- */

static LLVMValueRef metadata(struct emit *e, LLVMMetadataRef *items, size_t n)
{
    return LLVMMetadataAsValue(e->cx, LLVMMDNodeInContext2(e->cx, items, n));
}

static LLVMValueRef branch_weights(struct emit *e, unsigned yes, unsigned no)
{
    LLVMMetadataRef items[] = {
        LLVMMDStringInContext2(e->cx, "branch_weights", 14),
        LLVMValueAsMetadata(LLVMConstInt(e->i32, yes, 0)),
        LLVMValueAsMetadata(LLVMConstInt(e->i32, no, 0)),
    };
    return metadata(e, items, 3);
}

/* Windows that cannot overlap: what is read in one stays known while another
 * is written. Generic accesses carry no scope, so they may be anywhere. */
static const enum ptx_space windows[] = {PTX_SPACE_global, PTX_SPACE_shared,
                                         PTX_SPACE_local, PTX_SPACE_param};

static void make_scopes(struct emit *e)
{
    LLVMMetadataRef scopes[ARRAY_COUNT(windows)];
    LLVMMetadataRef domain = LLVMMDStringInContext2(e->cx, "windows", 7);
    LLVMMetadataRef domain_node = LLVMMDNodeInContext2(e->cx, &domain, 1);

    for (size_t i = 0; i < ARRAY_COUNT(windows); i++) {
        char name[16];
        int n = snprintf(name, sizeof name, "window%zu", i);
        LLVMMetadataRef items[] = {
            LLVMMDStringInContext2(e->cx, name, (size_t)n), domain_node};
        scopes[i] = LLVMMDNodeInContext2(e->cx, items, 2);
    }
    for (size_t i = 0; i < ARRAY_COUNT(windows); i++) {
        LLVMMetadataRef others[ARRAY_COUNT(windows)];
        size_t n = 0;
        for (size_t j = 0; j < ARRAY_COUNT(windows); j++)
            if (j != i)
                others[n++] = scopes[j];
        e->scope[windows[i]] = metadata(e, &scopes[i], 1);
        e->noalias[windows[i]] = metadata(e, others, n);
    }
    e->scope[PTX_SPACE_const] = e->scope[PTX_SPACE_global];
    e->noalias[PTX_SPACE_const] = e->noalias[PTX_SPACE_global];
}

static unsigned metadata_kind(struct emit *e, const char *name)
{
    return LLVMGetMDKindIDInContext(e->cx, name, (unsigned)strlen(name));
}

static void make_types(struct emit *e)
{
    e->i1 = LLVMInt1TypeInContext(e->cx);
    e->i8 = LLVMInt8TypeInContext(e->cx);
    e->i16 = LLVMInt16TypeInContext(e->cx);
    e->i32 = LLVMInt32TypeInContext(e->cx);
    e->i64 = LLVMInt64TypeInContext(e->cx);
    e->f32 = LLVMFloatTypeInContext(e->cx);
    e->f64 = LLVMDoubleTypeInContext(e->cx);
    e->ptr = LLVMPointerTypeInContext(e->cx, 0);
    e->voidt = LLVMVoidTypeInContext(e->cx);
    e->mask_type = LLVMVectorType(e->i1, e->lanes);
    e->where_type = LLVMArrayType2(e->i32, 4); /* ctaid, warp index */
    e->md_invariant = metadata_kind(e, "invariant.load");
    e->md_scope = metadata_kind(e, "alias.scope");
    e->md_noalias = metadata_kind(e, "noalias");
    e->md_prof = metadata_kind(e, "prof");
    e->md_deref = metadata_kind(e, "dereferenceable");
    e->md_nonnull = metadata_kind(e, "nonnull");
    e->md_empty = metadata(e, NULL, 0);
    e->md_cold_true = branch_weights(e, 1, 2000);
    e->md_cold_false = branch_weights(e, 2000, 1);
    make_scopes(e);
}

/* Device functions that calls have asked for, until no new one turns up. */
static bool emit_callees(struct emit *e)
{
    for (unsigned i = 0; i < e->to_emit_count; i++)
        if (!emit_device_function(e, e->to_emit[i]))
            return false;
    return true;
}

LLVMModuleRef emit_kernel(LLVMContextRef context,
                          const struct simt_kernel *kernel,
                          const struct emit_target *target,
                          struct emit_info *info, struct diag *diag)
{
    struct emit e = {
        .cx = context,
        .ptx = kernel->module,
        .target = target,
        .spec = kernel->spec,
        .lanes = kernel->spec.lane_count,
        .diag = diag,
        .arena = kernel->arena,
        .info = info,
        .kernel = kernel->func,
    };
    size_t func_count = kernel->module->func_count;

    assert(e.lanes >= 1 && e.lanes <= EMIT_MAX_LANES);
    if (!kernel->func->is_entry) {
        diag_error(diag, "%s is a device function, not a kernel",
                   kernel->func->name);
        return NULL;
    }
    *info = (struct emit_info){.has_barrier = kernel->has_barrier,
                               .is_recursive = kernel->is_recursive};
    e.module = LLVMModuleCreateWithNameInContext(kernel->func->name, context);
    e.b = LLVMCreateBuilderInContext(context);
    e.functions = arena_array(e.arena, LLVMValueRef, func_count + 1);
    e.to_emit = arena_array(e.arena, const struct ptx_func *, func_count + 1);
    e.shared = emit_layout_shared(e.arena, kernel->func);
    info->static_shared_bytes = emit_shared_size(e.shared);
    info->has_waits = kernel->has_waits;
    info->takes_turns = emit_has_striding_loops(kernel);
    info->has_barrier |= info->has_waits || info->takes_turns ||
                         (e.lanes == 1 && kernel->has_warp_ops);
    make_types(&e);
    bool ok = emit_entry(&e, kernel) && emit_callees(&e);
    LLVMDisposeBuilder(e.b);
    if (ok)
        return e.module;
    LLVMDisposeModule(e.module);
    return NULL;
}
