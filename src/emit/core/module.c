/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The LLVM module of a kernel: types, metadata, and all functions that it can
 * reach.
 */
#include "emit/emit.h"

#include "emit/core/control.h"
#include "emit/core/lines.h"

#include <stdio.h>

static LLVMValueRef metadata_value(struct emit *e, LLVMMetadataRef *items,
                                   size_t n)
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
    return metadata_value(e, items, 3);
}

/* Windows that cannot overlap: what is read in one remains known while another
 * is written. Generic accesses have no scope, so they may be anywhere. */
enum { GLOBAL_WINDOW = 0 };
static const enum ptx_space windows[] = {PTX_SPACE_global, PTX_SPACE_shared,
                                         PTX_SPACE_local, PTX_SPACE_param};

static LLVMMetadataRef make_domain(struct emit *e, const char *name)
{
    LLVMMetadataRef item = LLVMMDStringInContext2(e->cx, name, strlen(name));
    return LLVMMDNodeInContext2(e->cx, &item, 1);
}

static LLVMMetadataRef make_scope(struct emit *e, LLVMMetadataRef domain,
                                  const char *name)
{
    LLVMMetadataRef items[] = {
        LLVMMDStringInContext2(e->cx, name, strlen(name)), domain};
    return LLVMMDNodeInContext2(e->cx, items, 2);
}

/* No store that we emit aliases what `ld.global.nc` reads, so LLVM moves such
 * loads across stores. It is not invariant.load: that would vouch for the
 * place, and a plain load of it would be given the old value too. */
static void make_scopes(struct emit *e)
{
    LLVMMetadataRef scopes[ARRAY_COUNT(windows)];
    LLVMMetadataRef domain = make_domain(e, "windows");
    LLVMMetadataRef read_only =
        make_scope(e, make_domain(e, "read-only"), "nc");

    for (size_t i = 0; i < ARRAY_COUNT(windows); i++) {
        char name[16];
        snprintf(name, sizeof name, "window%zu", i);
        scopes[i] = make_scope(e, domain, name);
    }
    for (size_t i = 0; i < ARRAY_COUNT(windows); i++) {
        LLVMMetadataRef others[ARRAY_COUNT(windows)];
        size_t n = 0;
        if (windows[i] == PTX_SPACE_global)
            others[n++] = read_only;
        for (size_t j = 0; j < ARRAY_COUNT(windows); j++)
            if (j != i)
                others[n++] = scopes[j];
        e->scope[windows[i]] = metadata_value(e, &scopes[i], 1);
        e->noalias[windows[i]] = metadata_value(e, others, n);
    }
    e->scope[PTX_SPACE_const] = e->scope[PTX_SPACE_global];
    e->noalias[PTX_SPACE_const] = e->noalias[PTX_SPACE_global];
    e->noalias[PTX_SPACE_generic] = metadata_value(e, &read_only, 1);
    e->scope_nc = metadata_value(
        e, (LLVMMetadataRef[]){scopes[GLOBAL_WINDOW], read_only}, 2);
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
    e->md_align = metadata_kind(e, "align");
    e->md_nonnull = metadata_kind(e, "nonnull");
    e->md_empty = metadata_value(e, NULL, 0);
    e->md_cold_true = branch_weights(e, 1, 2000);
    e->md_cold_false = branch_weights(e, 2000, 1);
    make_scopes(e);
}

/* Emits device functions that calls have asked for, until there is no new
 * one. */
static bool emit_callees(struct emit *e)
{
    for (unsigned i = 0; i < e->to_emit_count; i++)
        if (!emit_device_function(e, e->to_emit[i]))
            return false;
    return true;
}

LLVMModuleRef emit_kernel(LLVMContextRef context, const struct simt_plan *plan,
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
                               .is_recursive = kernel->is_recursive,
                               .need_count = plan->need_count};
    memcpy(info->needs, plan->needs, sizeof info->needs);
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
    emit_lines_begin(&e);
    e.flushes = plan->flushes;
    bool ok = emit_entry(&e, plan) && emit_callees(&e);
    emit_lines_end(&e);
    LLVMDisposeBuilder(e.b);
    if (ok)
        return e.module;
    LLVMDisposeModule(e.module);
    return NULL;
}
