/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frames around bodies: the kernel, which loops over its blocks and warps
 * itself, and device functions, which run once for a mask of lanes.
 */
#include "emit/internal.h"

/* ---- attributes -------------------------------------------------------- */

static void add_string(struct emit *e, LLVMValueRef fn, const char *key,
                       const char *value)
{
    LLVMAddAttributeAtIndex(
        fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(e->cx, key, (unsigned)strlen(key), value,
                                  (unsigned)strlen(value)));
}

static void add_enum(struct emit *e, LLVMValueRef fn, int index,
                     const char *name, uint64_t value)
{
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
    add_enum(e, fn, LLVMAttributeFunctionIndex, "nounwind", 0);
}

void emit_attributes(struct emit *e, LLVMValueRef fn)
{
    emit_attributes_of_all(e, fn);
    add_enum(e, fn, 1, "noalias", 0);
    add_enum(e, fn, 1, "nonnull", 0);
    add_enum(e, fn, 1, "dereferenceable", sizeof(struct exec_warp));
}

/* ---- fields of the launch and the warp --------------------------------- */

/* A field that nobody changes while the function runs. */
static LLVMValueRef load_constant(struct emit *e, LLVMValueRef base,
                                  size_t offset, LLVMTypeRef type)
{
    LLVMValueRef p = ir_offset(e, base, (int64_t)offset);
    LLVMValueRef v = ir_load(e, type, p, type == e->i32 ? 4 : 8);
    LLVMSetMetadata(v, e->md_invariant, e->md_empty);
    return v;
}

static void set_dereferenceable(struct emit *e, LLVMValueRef v, uint64_t size)
{
    LLVMMetadataRef bytes = LLVMValueAsMetadata(LLVMConstInt(e->i64, size, 0));
    LLVMSetMetadata(v, e->md_nonnull, e->md_empty);
    LLVMSetMetadata(
        v, e->md_deref,
        LLVMMetadataAsValue(e->cx, LLVMMDNodeInContext2(e->cx, &bytes, 1)));
}

#define WARP(field, type)                                                      \
    load_constant(e, env->warp, offsetof(struct exec_warp, field), type)
#define LAUNCH(field, type)                                                    \
    load_constant(e, env->launch, offsetof(struct exec_launch, field), type)

/* For codegen/promote_shared.c: nobody but this function sees the window. */
static void mark_window(struct emit *e, LLVMValueRef window)
{
    const struct simt_kernel *k = e->f->k;

    if (!k->func->is_entry || k->has_calls || simt_piece_insts(k) ||
        !e->is_block_in_step || e->info->static_shared_bytes == 0)
        return;
    LLVMMetadataRef bytes = LLVMValueAsMetadata(
        LLVMConstInt(e->i64, e->info->static_shared_bytes, 0));
    LLVMSetMetadata(
        window, LLVMGetMDKindIDInContext(e->cx, EMIT_SHARED_NAME,
                                 sizeof EMIT_SHARED_NAME - 1),
        LLVMMetadataAsValue(e->cx, LLVMMDNodeInContext2(e->cx, &bytes, 1)));
}

static void make_env(struct emit *e, LLVMValueRef warp)
{
    struct emit_env *env = &e->f->env;

    env->warp = warp;
    env->launch = WARP(launch, e->ptr);
    set_dereferenceable(e, env->launch, sizeof(struct exec_launch));
    env->shared = env->own_shared = WARP(shared, e->ptr);
    if (e->spec.is_cluster) {
        LLVMValueRef rank = ir_zext(e, WARP(cluster_rank, e->i32), e->i64);
        env->own_start = ir_shl(e, rank, ir_int(rank, WEFT_CLUSTER_SHIFT));
        env->shared = ir_offset_by(e, env->own_shared,
                                   ir_sub(e, ir_int(rank, 0), env->own_start));
    }
    if (!e->spec.is_cluster)
        mark_window(e, env->shared);
    env->stack_base = WARP(stack_base, e->ptr);
    env->helpers = e->flushes ? LAUNCH(flushing_helpers, e->ptr)
                              : LAUNCH(helpers, e->ptr);
    set_dereferenceable(e, env->helpers, sizeof(struct exec_helpers));
    env->globals = LAUNCH(globals, e->ptr);
    env->params = LAUNCH(params, e->ptr);
    if (e->kernel->param_bytes)
        set_dereferenceable(e, env->params, e->kernel->param_bytes);
}

LLVMValueRef emit_launch_field(struct emit *e, size_t offset, LLVMTypeRef type)
{
    return load_constant(e, e->f->env.launch, offset, type);
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
    LLVMValueRef fn = load_constant(e, e->f->env.helpers, offset, e->ptr);
    LLVMTypeRef type = LLVMFunctionType(ret, types, count + 1, 0);
    LLVMValueRef call = LLVMBuildCall2(e->b, type, fn, all, count + 1, "");
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddCallSiteAttribute(call,
                             (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(e->cx, nounwind, 0));
    return call;
}

/* ---- common to both kinds ---------------------------------------------- */

static void begin_function(struct emit *e, const struct simt_plan *plan,
                           LLVMValueRef value)
{
    const struct simt_kernel *k = plan->k;
    struct emit_fn *f = arena_new(e->arena, struct emit_fn);

    e->f = f;
    f->k = k;
    f->plan = plan;
    f->value = value;
    f->at.lane = EMIT_ALL_LANES;
    f->warps = k->spec.warp_count;
    f->lane_block = arena_array(e->arena, LLVMValueRef, k->func->var_count + 1);
    f->allocas = emit_new_block(e, "entry");
    LLVMBasicBlockRef setup = emit_new_block(e, "setup");
    LLVMPositionBuilderAtEnd(e->b, f->allocas);
    LLVMBuildBr(e->b, setup);
    LLVMPositionBuilderAtEnd(e->b, setup);
    make_env(e, LLVMGetParam(value, 0));
}

static void end_function(struct emit *e)
{
    /* An upper bound of the deepest chain, whatever the call graph. */
    e->info->local_bytes += e->f->local_bytes;
    e->f = NULL;
}

/* ---- the kernel -------------------------------------------------------- */

struct block_loop {
    LLVMValueRef block_var, warp_var, ctaid_var[3];
    LLVMValueRef block_end, warp_first, warp_end;
    LLVMBasicBlockRef head, warps, warp_head, warp, next_block, end;
};

static LLVMValueRef variable(struct emit *e, LLVMTypeRef type,
                             LLVMValueRef value, const char *name)
{
    LLVMValueRef a = emit_alloca(e, type, 0, name);
    ir_store(e, value, a, 0);
    return a;
}

static LLVMValueRef grid_size(struct emit *e, const struct emit_env *env,
                              unsigned d)
{
    return load_constant(e, env->launch,
                         offsetof(struct exec_launch, grid) + 4 * d, e->i32);
}

/* Coordinate d of a block; *rest: what the ones before have left of it. */
static LLVMValueRef coordinate(struct emit *e, LLVMValueRef *rest, unsigned d)
{
    LLVMValueRef size = ir_zext(e, grid_size(e, &e->f->env, d), e->i64);
    LLVMValueRef here = d == 2 ? *rest : LLVMBuildURem(e->b, *rest, size, "");

    if (d < 2)
        *rest = LLVMBuildUDiv(e->b, *rest, size, "");
    return ir_trunc(e, here, e->i32);
}

/* The first block's coordinates; the others follow by counting. */
static void start_ctaid(struct emit *e, struct block_loop *l,
                        LLVMValueRef first)
{
    static const char *const names[] = {"ctaid.x", "ctaid.y", "ctaid.z"};
    LLVMValueRef rest = first;

    for (unsigned d = 0; d < 3; d++)
        l->ctaid_var[d] =
            variable(e, e->i32, coordinate(e, &rest, d), names[d]);
}

static void next_ctaid(struct emit *e, struct block_loop *l)
{
    const struct emit_env *env = &e->f->env;
    LLVMValueRef carry = LLVMConstInt(e->i32, 1, 0);

    for (unsigned d = 0; d < 3; d++) {
        LLVMValueRef size = grid_size(e, env, d);
        LLVMValueRef v = ir_load(e, e->i32, l->ctaid_var[d], 0);
        v = ir_add(e, v, carry);
        LLVMValueRef is_over = ir_icmp(e, LLVMIntEQ, v, size);
        ir_store(e, d == 2 ? v : ir_select(e, is_over, ir_int(v, 0), v),
                 l->ctaid_var[d], 0);
        carry = ir_and(e, ir_zext(e, is_over, e->i32), carry);
    }
}

/* The same for a block further on: in one row of the grid mostly. */
static void far_ctaid(struct emit *e, struct block_loop *l,
                      LLVMValueRef distance, LLVMValueRef block)
{
    const struct emit_env *env = &e->f->env;
    LLVMBasicBlockRef same = emit_new_block(e, "same.row");
    LLVMBasicBlockRef other = emit_new_block(e, "other.row");
    LLVMBasicBlockRef done = emit_new_block(e, "row");
    LLVMValueRef size = ir_zext(e, grid_size(e, env, 0), e->i64);
    LLVMValueRef x = ir_zext(e, ir_load(e, e->i32, l->ctaid_var[0], 0), e->i64);

    x = ir_add(e, x, distance);
    emit_branch(e, ir_icmp(e, LLVMIntULT, x, size), same, other, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, same);
    ir_store(e, ir_trunc(e, x, e->i32), l->ctaid_var[0], 0);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, other);
    for (unsigned d = 0; d < 3; d++)
        ir_store(e, coordinate(e, &block, d), l->ctaid_var[d], 0);
    emit_goto_new(e, done);
}

static void begin_blocks(struct emit *e, struct block_loop *l)
{
    const struct emit_env *env = &e->f->env;
    LLVMValueRef first = WARP(block_first, e->i64);

    l->block_end = WARP(block_end, e->i64);
    l->warp_first = WARP(warp_first, e->i32);
    l->warp_end = WARP(warp_end, e->i32);
    l->head = emit_new_block(e, "block");
    l->warps = emit_new_block(e, "block.warps");
    l->warp_head = emit_new_block(e, "warp");
    l->warp = emit_new_block(e, "warp.body");
    e->f->exit = emit_new_block(e, "warp.next");
    l->next_block = emit_new_block(e, "block.next");
    l->end = emit_new_block(e, "end");
    start_ctaid(e, l, first);
    l->block_var = variable(e, e->i64, first, "block");
    l->warp_var = variable(e, e->i32, l->warp_first, "warp");
    emit_goto_new(e, l->head);
    LLVMValueRef block = ir_load(e, e->i64, l->block_var, 0);
    LLVMValueRef more = ir_icmp(e, LLVMIntULT, block, l->block_end);
    LLVMBuildCondBr(e->b, more, l->warps, l->end);
    LLVMPositionBuilderAtEnd(e->b, l->warps);
    ir_store(e, l->warp_first, l->warp_var, 0);
    emit_goto_new(e, l->warp_head);
    LLVMValueRef warp = ir_load(e, e->i32, l->warp_var, 0);
    more = ir_icmp(e, LLVMIntULT, warp, l->warp_end);
    LLVMBuildCondBr(e->b, more, l->warp, l->next_block);
    LLVMPositionBuilderAtEnd(e->b, l->warp);
}

static void store_field(struct emit *e, size_t offset, LLVMValueRef v)
{
    LLVMValueRef p = ir_offset(e, e->f->env.warp, (int64_t)offset);
    LLVMValueRef s = ir_store(e, v, p, 0);
    LLVMSetVolatile(s, 1); /* read when a fault stops the code anywhere */
    emit_set_alias(e, s, PTX_SPACE_param);
}

/* For messages about faults and asserts. */
static void note_position(struct emit *e, LLVMValueRef block, LLVMValueRef warp)
{
    store_field(e, offsetof(struct exec_warp, block_current), block);
    store_field(e, offsetof(struct exec_warp, warp_current), warp);
}

static int64_t lane_number(int lane)
{
    return lane;
}

/* The lanes that exist: the last warps of a block may be short or missing. */
static LLVMValueRef existing_lanes(struct emit *e, LLVMValueRef team)
{
    const uint32_t *block = e->spec.block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];

    if (e->f->k->is_full || e->lanes == 1)
        return NULL;
    assert(threads > 0);
    LLVMValueRef lane = emit_lane_const(e, e->i32, lane_number);
    int64_t here = (int64_t)threads - e->f->at.warp * e->lanes;
    LLVMValueRef before = ir_mul(e, team, ir_int(team, e->lanes * e->f->warps));
    LLVMValueRef left = ir_sub(e, ir_int(team, here), before);
    return ir_icmp(e, LLVMIntSLT, lane, emit_splat(e, left));
}

LLVMValueRef emit_exited_pointer(struct emit *e)
{
    return ir_offset(e, e->f->env.where, 16);
}

LLVMValueRef emit_path_pointer(struct emit *e)
{
    return ir_offset(e, e->f->env.where, 20);
}

/* What device functions must know of where they run: the block's three
 * coordinates, the warp's index; what they tell: who has exited; and by which
 * calls they were reached, a number that differs with them. */
static void tell_callees(struct emit *e)
{
    struct emit_env *env = &e->f->env;

    if (!e->f->k->has_calls)
        return;
    env->where = emit_alloca(e, e->where_type, 16, "where");
    for (unsigned d = 0; d < 3; d++)
        ir_store(e, env->ctaid[d], ir_offset(e, env->where, 4 * d), 4);
    ir_store(e, env->team_index, ir_offset(e, env->where, 12), 4);
    ir_store(e, LLVMConstInt(e->i32, 0, 0), emit_exited_pointer(e), 4);
    ir_store(e, LLVMConstInt(e->i32, 0, 0), emit_path_pointer(e), 4);
}

/* Of few bits, so that LLVM sees which sums cannot wrap. */
static LLVMValueRef team_index(struct emit *e, struct block_loop *l)
{
    const uint32_t *block = e->spec.block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    uint64_t lanes = e->lanes * e->f->warps, teams = 1;
    LLVMValueRef team = ir_load(e, e->i32, l->warp_var, 0);

    while (teams * lanes < threads)
        teams *= 2;
    return threads ? ir_and(e, team, ir_int(team, (int64_t)teams - 1)) : team;
}

void emit_find_entry_masks(struct emit *e)
{
    struct emit_fn *f = e->f;

    for (f->at.warp = 0; f->at.warp < f->warps; f->at.warp++)
        f->entry_mask.of[f->at.warp] = existing_lanes(e, f->env.team_index);
    f->at.warp = 0;
}

static void begin_warp(struct emit *e, struct block_loop *l)
{
    struct emit_fn *f = e->f;

    f->prologue = l->warp;
    for (unsigned d = 0; d < 3; d++)
        f->env.ctaid[d] = ir_load(e, e->i32, l->ctaid_var[d], 0);
    f->env.team_index = team_index(e, l);
    note_position(e, ir_load(e, e->i64, l->block_var, 0), f->env.team_index);
    emit_find_entry_masks(e);
    tell_callees(e);
}

static void end_blocks(struct emit *e, struct block_loop *l)
{
    LLVMPositionBuilderAtEnd(e->b, e->f->exit);
    emit_restore_stack(e);
    LLVMValueRef warp = ir_load(e, e->i32, l->warp_var, 0);
    ir_store(e, ir_add(e, warp, ir_int(warp, 1)), l->warp_var, 0);
    LLVMBuildBr(e->b, l->warp_head);
    LLVMPositionBuilderAtEnd(e->b, l->next_block);
    LLVMValueRef block = ir_load(e, e->i64, l->block_var, 0);
    LLVMValueRef distance = ir_int(block, 1);
    if (e->info->has_barrier)
        distance = EMIT_HELPER(e, block_end, e->i64, NULL, 0);
    block = ir_add(e, block, distance);
    ir_store(e, block, l->block_var, 0);
    if (e->info->has_barrier)
        far_ctaid(e, l, distance, block);
    else
        next_ctaid(e, l);
    LLVMBuildBr(e->b, l->head);
    LLVMPositionBuilderAtEnd(e->b, l->end);
    emit_release_late(e);
    emit_release_late_lanes(e);
    emit_fence_streams(e);
    LLVMBuildRetVoid(e->b);
}

/* A part of the kernel whose function is at hand. */
void emit_begin_piece(struct emit *e, LLVMValueRef value)
{
    const struct emit_fn *whole = e->f;

    begin_function(e, whole->plan, value);
    struct emit_fn *f = e->f;
    f->prologue = LLVMGetInsertBlock(e->b);
    f->regs = whole->regs;
    f->is_float = whole->is_float;
    f->is_exposed = whole->is_exposed;
    f->replay = whole->replay;
    f->body = whole->body;
    f->check = whole->check;
}

bool emit_entry(struct emit *e, const struct simt_plan *plan)
{
    const struct simt_kernel *k = plan->k;
    struct block_loop loop = {0};
    LLVMTypeRef type = LLVMFunctionType(e->voidt, &e->ptr, 1, 0);
    LLVMValueRef value = LLVMAddFunction(
        e->module, e->flushes ? "weft.flushing" : WEFT_ENTRY_NAME, type);

    emit_attributes(e, value);
    begin_function(e, plan, value);
    emit_find_streams(e);
    begin_blocks(e, &loop);
    begin_warp(e, &loop);
    emit_plan_regs(e);
    if (simt_piece_insts(k))
        emit_in_pieces(e);
    else
        emit_body(e);
    end_blocks(e, &loop);
    end_function(e);
    if (e->flushes)
        emit_flushing_entry(e, value);
    return !e->has_failed;
}

/* ---- device functions -------------------------------------------------- */

/* (warp, mask, where, parameters..., results...): the last two are pointers
 * to 32 copies each. */
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

    f->own_param = arena_array(e->arena, LLVMValueRef, func->param_count + 1);
    f->own_ret = arena_array(e->arena, LLVMValueRef, func->ret_count + 1);
}

static void receive(struct emit *e)
{
    struct emit_fn *f = e->f;
    const struct ptx_func *func = f->k->func;
    unsigned next = 3;

    f->entry_mask.of[0] = emit_mask_of_bits(e, LLVMGetParam(f->value, 1));
    f->env.where = LLVMGetParam(f->value, 2);
    for (unsigned d = 0; d < 3; d++)
        f->env.ctaid[d] =
            ir_load(e, e->i32, ir_offset(e, f->env.where, 4 * d), 4);
    f->env.team_index = ir_load(e, e->i32, ir_offset(e, f->env.where, 12), 4);
    emit_make_params(e);
    for (size_t i = 0; i < func->param_count; i++)
        f->own_param[i] = LLVMGetParam(f->value, next++);
    for (size_t i = 0; i < func->ret_count; i++)
        f->own_ret[i] = LLVMGetParam(f->value, next++);
}

/* Functions up to this size are inlined at every call. */
enum { INLINE_INSTS = 200 };

bool emit_device_function(struct emit *e, const struct ptx_func *func)
{
    struct simt_spec spec = e->spec;
    spec.warp_count = 1;
    struct simt_kernel *k = simt_build(e->arena, e->ptx, func, &spec, e->diag);

    if (!k) {
        e->has_failed = true;
        return false;
    }
    if (!k->is_recursive && func->inst_count <= INLINE_INSTS)
        add_enum(e, e->functions[func->index], LLVMAttributeFunctionIndex,
                 "alwaysinline", 0);
    begin_function(e, simt_make_plan(k, e->target, (struct simt_choice){0}), e->functions[func->index]);
    receive(e);
    e->f->prologue = LLVMGetInsertBlock(e->b);
    e->f->exit = emit_new_block(e, "return");
    emit_plan_regs(e);
    if (simt_piece_insts(k))
        emit_in_pieces(e);
    else
        emit_body(e);
    LLVMPositionBuilderAtEnd(e->b, e->f->exit);
    LLVMBuildRetVoid(e->b);
    end_function(e);
    return !e->has_failed;
}
