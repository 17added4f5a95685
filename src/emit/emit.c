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
    const struct ptx_inst *inst = e->f ? e->f->at.inst : NULL;

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

static LLVMValueRef read_guard(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef p = emit_read_reg(e, inst->guard);
    return inst->guard_negated ? ir_not(e, p) : p;
}

static bool has_varying_guard(struct emit *e, const struct ptx_inst *inst)
{
    return inst->guard != PTX_NO_REG &&
           !simt_is_uniform(e->f->k->shapes[inst->guard]);
}

static LLVMValueRef uniform_guard(struct emit *e, const struct ptx_inst *inst)
{
    if (inst->guard == PTX_NO_REG || has_varying_guard(e, inst))
        return NULL;
    emit_select_lane(e, 0);
    LLVMValueRef p = read_guard(e, inst);
    e->f->at.lane = EMIT_ALL_LANES;
    return p;
}

/* The lanes of the current warp that keep what a destination had. */
static LLVMValueRef blend_of(struct emit *e, const struct ptx_inst *inst)
{
    struct emit_fn *f = e->f;
    LLVMValueRef blend =
        f->k->inst_flags[f->at.index] & SIMT_BLEND ? f->at.mask : NULL;

    if (has_varying_guard(e, inst))
        blend = emit_and_mask(e, blend, read_guard(e, inst));
    return blend;
}

static void select_warp(struct emit *e, unsigned warp)
{
    e->f->at.warp = warp;
    e->f->at.lane = EMIT_ALL_LANES;
    e->f->at.mask = e->f->masks.of[warp];
}

void emit_each_warp(struct emit *e, const struct ptx_inst *inst, emit_op_fn *fn)
{
    struct emit_fn *f = e->f;

    for (unsigned w = 0; w < f->warps; w++) {
        select_warp(e, w);
        f->at.blend = blend_of(e, inst);
        fn(e, inst);
    }
    f->at.blend = NULL;
    select_warp(e, 0);
}

void emit_again(struct emit *e, const struct ptx_inst *inst)
{
    assert(emitters[inst->op].how == LANES);
    emitters[inst->op].fn(e, inst);
}

static void for_all_lanes(struct emit *e, const struct ptx_inst *inst)
{
    struct emit_parts parts = emit_find_parts(e, inst);

    emitters[inst->op].fn(e, inst);
    if (parts.index)
        e->f->regs[inst->operand[0].reg].parts[e->f->at.warp] = parts;
}

/* Each lane for itself: vectors of all lanes, and a scalar for each group. */
static void emit_lanes(struct emit *e, const struct ptx_inst *inst,
                       emit_op_fn *fn)
{
    struct emit_fn *f = e->f;
    uint64_t groups;
    bool has_varying;

    f->at.when = uniform_guard(e, inst);
    emit_dest_shapes(e, inst, &groups, &has_varying);
    LLVMValueRef ok = emit_begin_conditional(e, inst, fn);
    if (has_varying)
        emit_each_warp(e, inst, for_all_lanes);
    for (unsigned group = 1; group <= SIMT_ALL_LANES; group *= 2) {
        if (!(groups & group))
            continue;
        f->at.group = group;
        struct simt_shape s = {.group = (uint16_t)group};
        for (unsigned g = 0; g < emit_team_group_count(e, s); g++) {
            emit_select_lane(e, g * group);
            fn(e, inst);
        }
    }
    select_warp(e, 0);
    emit_end_conditional(e, inst, ok);
    f->at.when = NULL;
}

/* Is what the instruction does the same for all warps of a team? */
static bool is_of_team(struct emit *e, const struct ptx_inst *inst)
{
    uint64_t groups;
    bool has_varying;

    if (ptx_is_barrier(inst))
        return true;
    if (inst->op != PTX_OP_ld && inst->op != PTX_OP_ldu)
        return false;
    emit_dest_shapes(e, inst, &groups, &has_varying);
    return !has_varying && groups == SIMT_ALL_LANES;
}

/* A branch around what follows, unless `condition`. */
static LLVMBasicBlockRef begin_if(struct emit *e, LLVMValueRef condition)
{
    LLVMBasicBlockRef doit = emit_new_block(e, "guarded");
    LLVMBasicBlockRef done = emit_new_block(e, "guarded.done");

    emit_branch(e, condition, doit, done, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, doit);
    return done;
}

static void forget(void *data, uint32_t reg)
{
    emit_forget_reg(data, reg);
}

/* A branch around what follows, unless a lane of this warp is here. If none
 * is and no other lane needs them, the destinations lose what they held. */
static LLVMBasicBlockRef begin_if_any(struct emit *e,
                                      const struct ptx_inst *inst)
{
    LLVMValueRef any = emit_any(e, e->f->at.mask);

    if (e->f->at.blend)
        return begin_if(e, any);
    LLVMBasicBlockRef doit = emit_new_block(e, "some");
    LLVMBasicBlockRef none = emit_new_block(e, "none");
    LLVMBasicBlockRef done = emit_new_block(e, "some.done");
    emit_branch(e, any, doit, none, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, none);
    ptx_for_each_def(inst, forget, e);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, doit);
    return done;
}

/* Its emitter expects that some lane is active. */
static void whole_warp(struct emit *e, const struct ptx_inst *inst)
{
    struct emit_fn *f = e->f;
    LLVMValueRef mask = f->at.mask;
    LLVMBasicBlockRef done = NULL;
    bool is_guarded = has_varying_guard(e, inst);

    if (is_guarded)
        f->at.mask = f->at.blend = emit_and_mask(e, mask, read_guard(e, inst));
    if (is_guarded || (f->warps > 1 && f->at.mask))
        done = begin_if_any(e, inst);
    emit_test_alignment(e);
    emitters[inst->op].fn(e, inst);
    if (done)
        emit_goto_new(e, done);
    f->at.mask = mask;
}

/* Once for all warps, of which some lane is active. */
static void whole_team(struct emit *e, const struct ptx_inst *inst)
{
    struct emit_fn *f = e->f;
    struct emit_masks masks;

    if (!has_varying_guard(e, inst)) {
        emit_test_alignment(e);
        emitters[inst->op].fn(e, inst);
        return;
    }
    for (unsigned w = 0; w < f->warps; w++) {
        select_warp(e, w);
        masks.of[w] = emit_and_mask(e, f->at.mask, read_guard(e, inst));
    }
    select_warp(e, 0);
    LLVMBasicBlockRef done = begin_if(e, emit_any_of_team(e, &masks));
    emit_test_alignment(e);
    emitters[inst->op].fn(e, inst);
    emit_goto_new(e, done);
}

/* A varying guard narrows the mask, a uniform one is a branch around. */
static void emit_whole(struct emit *e, const struct ptx_inst *inst)
{
    LLVMValueRef p = uniform_guard(e, inst);
    LLVMBasicBlockRef done = p ? begin_if(e, p) : NULL;

    if (e->f->warps > 1 && is_of_team(e, inst))
        whole_team(e, inst);
    else
        emit_each_warp(e, inst, whole_warp);
    if (done)
        emit_goto_new(e, done);
}

void emit_instructions(struct emit *e, uint32_t first, uint32_t end)
{
    struct emit_fn *f = e->f;

    for (uint32_t i = first; i < end && !e->has_failed; i++) {
        const struct ptx_inst *inst = f->plan->code[i];
        if (!inst)
            continue;
        const struct emitter *em = &emitters[inst->op];
        f->at.inst = inst;
        f->at.index = i;
        f->at.looks = f->plan->insts[i].looks;
        f->at.makes_nan = f->plan->insts[i].makes_nan;
        if (!ptx_is_of_device(inst)) {
            emit_refuse(e, "it needs sm_100, the device is sm_90");
            break;
        }
        if (f->k->inst_flags[i] & SIMT_WAITS)
            EMIT_HELPER(e, yield, e->voidt, NULL, 0);
        bool is_ticket = f->plan->insts[i].is_ticket;
        if (f->k->inst_flags[i] & SIMT_TURN || is_ticket)
            EMIT_HELPER(e, turn, e->voidt, NULL, 0);
        if (em->how == LANES && !(f->k->inst_flags[i] & SIMT_DEAD))
            emit_lanes(e, inst, em->fn);
        else if (em->how == WHOLE)
            emit_whole(e, inst);
        else if (em->how == HOW_NONE)
            emit_refuse(e, "this instruction is not supported");
        if (is_ticket)
            EMIT_HELPER(e, turn, e->voidt, NULL, 0);
    }
    f->at.inst = NULL;
    f->at.looks = f->at.makes_nan = false;
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
    e->where_type = LLVMArrayType2(e->i32, 6); /* see function.c */
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
                          const struct simt_plan *plan,
                          struct emit_info *info, struct diag *diag)
{
    const struct simt_kernel *kernel = plan->k;
    struct emit e = {
        .cx = context,
        .ptx = kernel->module,
        .target = plan->machine,
        .spec = kernel->spec,
        .lanes = kernel->spec.lane_count,
        .diag = diag,
        .arena = kernel->arena,
        .info = info,
        .kernel = kernel->func,
        .is_block_in_step = plan->is_in_step,
    };
    size_t func_count = kernel->module->func_count;

    assert(e.lanes >= 1 && e.lanes <= EMIT_MAX_LANES);
    assert(e.spec.warp_count >= 1 && e.spec.warp_count <= EMIT_MAX_WARPS);
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
    e.shared = ptx_layout_shared(e.arena, kernel->func);
    info->static_shared_bytes = ptx_shared_size(e.shared);
    info->has_waits = kernel->has_waits;
    info->takes_turns = plan->takes_turns;
    if (e.is_block_in_step)
        info->has_barrier = false;
    info->has_barrier |= info->has_waits || info->takes_turns ||
                         (e.lanes == 1 && kernel->has_warp_ops);
    make_types(&e);
    e.flushes = plan->flushes;
    bool ok = emit_entry(&e, plan) && emit_callees(&e);
    LLVMDisposeBuilder(e.b);
    if (ok)
        return e.module;
    LLVMDisposeModule(e.module);
    return NULL;
}
