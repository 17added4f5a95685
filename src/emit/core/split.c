/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long kernels and device functions in parts. LLVM's time for a function grows
 * faster than the function, in this pass or that, and its working set outgrows
 * the caches. So one above a size becomes several functions of some thousand
 * instructions, each a run of blocks in the schedule. The kernel's own
 * function calls one after the other: each returns where control goes on, a
 * part and one of its entries.
 *
 * What lives longer than a part (registers, masks, the carry) is kept in the
 * frame, memory of the kernel's function. A part copies what it touches into
 * variables of its own where it begins, and back what it may have changed
 * where it ends.
 */
#include "emit/core/split.h"
#include "emit/core/control.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"

/* ---- what is needed in several parts ---------------------------------- */

static void note_goto(struct emit_split *p, uint32_t from, struct simt_goto to)
{
    if (to.block == SIMT_NO_BLOCK)
        return;
    for (uint32_t i = p->part_of[to.block]; i < p->part_of[from]; i++)
        p->is_repeated[i] = p->is_repeated[i + 1] = true;
}

/* Finds parts that control may go back to. */
static void find_repeated(struct emit_split *p)
{
    const struct simt_kernel *k = p->whole->k;

    for (uint32_t b = 0; b < k->block_count; b++) {
        const struct simt_block *bb = &k->blocks[b];
        note_goto(p, b, bb->next);
        if (bb->is_checked)
            note_goto(p, b, bb->skip);
        for (unsigned i = 0; i < bb->leave_count; i++)
            note_goto(p, b, bb->leaves[i]);
        for (unsigned i = 0; i < bb->edge_count; i++)
            note_goto(p, b, bb->edges[i].next);
    }
}

struct touch {
    struct emit_split *p;
    uint32_t part;
};

static void note_touch(void *data, uint32_t reg)
{
    struct touch *t = data;

    if (!t->p->first_use[reg])
        t->p->first_use[reg] = t->part + 1;
    t->p->last_use[reg] = t->part + 1;
}

static void for_each_reg(const struct simt_kernel *k, uint32_t first,
                         uint32_t end, void (*fn)(void *data, uint32_t reg),
                         void *data)
{
    for (uint32_t b = first; b < end; b++)
        for (uint32_t i = k->blocks[b].first; i < k->blocks[b].end; i++) {
            ptx_for_each_use(&k->func->insts[i], fn, data);
            ptx_for_each_def(&k->func->insts[i], fn, data);
        }
}

static void find_uses(struct emit_split *p)
{
    for (struct touch t = {p, 0}; t.part < p->count; t.part++)
        for_each_reg(p->whole->k, p->first[t.part], p->first[t.part + 1],
                     note_touch, &t);
}

static bool is_shared(const struct emit_split *p, uint32_t reg)
{
    assert(reg < p->whole->k->func->reg_count);
    return p->whole->plan->regs[reg].is_exposed &&
           (p->first_use[reg] != p->last_use[reg] ||
            p->is_repeated[p->first_use[reg] - 1]);
}

/* ---- registers --------------------------------------------------------- */

/* Reserves space for the values, the flag and the shadows. */
static void place_reg(struct emit *e, struct emit_split *p, uint32_t reg)
{
    const struct emit_reg *r = &e->f->regs[reg];
    LLVMTypeRef t = emit_slot_type(e, r);
    LLVMTypeRef vector = LLVMVectorType(r->type, e->lanes);
    uint64_t at = emit_frame_reserve(e, p, t, r->slot_count);

    assert(p->reg_at[reg] == 0);
    p->reg_at[reg] = at;
    if (!simt_is_varying(r->shape) || r->type == e->i1)
        for (unsigned s = 0; s < r->slot_count; s++)
            emit_frame_start(e, p, at + s * emit_frame_stride(e, t),
                             LLVMConstNull(t));
    if (!r->ok)
        return;
    emit_frame_start(e, p, emit_frame_reserve(e, p, e->i1, 1),
                     LLVMConstInt(e->i1, 1, 0));
    if (!emit_replays(e, reg))
        emit_frame_reserve(e, p, vector, e->f->warps);
}

static uint64_t aligned_for(struct emit *e, LLVMTypeRef type, uint64_t at)
{
    uint64_t align = emit_frame_align(emit_frame_size(e, type));
    return (at + align - 1) & -align;
}

/* In the order of place_reg(). */
static void keep_reg(struct emit *e, struct emit_split *p, uint32_t reg)
{
    struct emit_reg *r = &e->f->regs[reg];
    LLVMTypeRef t = emit_slot_type(e, r);
    LLVMTypeRef vector = LLVMVectorType(r->type, e->lanes);
    uint64_t at = p->reg_at[reg];

    assert(p->reg_at[reg] != 0);
    for (unsigned s = 0; s < r->slot_count; s++, at += emit_frame_stride(e, t))
        emit_frame_keep(e, p, r->slot[s].var, t, at);
    if (!r->ok)
        return;
    at = aligned_for(e, e->i1, at);
    emit_frame_keep(e, p, r->ok, e->i1, at);
    at = aligned_for(e, vector, at + emit_frame_stride(e, e->i1));
    if (emit_replays(e, reg))
        return;
    LLVMBasicBlockRef here = emit_go_to_prologue(e, e->f);
    for (unsigned w = 0; w < e->f->warps; w++)
        r->shadow[w] = ir_offset(
            e, p->here, (int64_t)(at + w * emit_frame_stride(e, vector)));
    LLVMPositionBuilderAtEnd(e->b, here);
}

struct making {
    struct emit *e;
    struct emit_split *p;
    uint32_t part;
};

static void make_reg(void *data, uint32_t reg)
{
    struct making *m = data;
    struct emit *e = m->e;

    if (e->f->regs[reg].part == m->part + 1)
        return;
    emit_make_reg(e, reg);
    e->f->regs[reg].part = m->part + 1;
    if (is_shared(m->p, reg)) {
        if (!m->p->reg_at[reg])
            place_reg(e, m->p, reg);
        keep_reg(e, m->p, reg);
    } else if (e->f->plan->regs[reg].is_exposed) {
        LLVMBasicBlockRef here = emit_go_to_prologue(e, e->f);
        emit_reset_reg(e, reg);
        LLVMPositionBuilderAtEnd(e->b, here);
    }
}

/* ---- masks, the carry, memory of lanes --------------------------------- */

static void keep_mask(struct emit *e, struct emit_split *p, uint32_t block)
{
    const struct simt_block *bb = &e->f->k->blocks[block];
    struct emit_masks *var = &e->f->lanes.waiting[bb->mask_variable];

    if (!bb->has_mask_variable || var->of[0])
        return;
    for (unsigned w = 0; w < e->f->warps; w++) {
        var->of[w] = emit_alloca(e, e->mask_type, 0, "mask");
        emit_frame_keep(e, p, var->of[w], e->mask_type,
                        p->mask_at[bb->mask_variable] +
                            w * emit_frame_stride(e, e->mask_type));
    }
}

static void keep_masks(struct emit *e, struct emit_split *p, uint32_t first,
                       uint32_t end)
{
    struct emit_fn *f = e->f;
    const struct simt_kernel *k = f->k;

    assert(first < end);
    f->lanes.waiting =
        arena_array(e->arena, struct emit_masks, k->mask_variable_count + 1);
    for (unsigned w = 0; w < f->warps; w++) {
        f->lanes.here_var.of[w] = emit_alloca(e, e->mask_type, 0, "cur");
        emit_frame_keep(e, p, f->lanes.here_var.of[w], e->mask_type,
                        p->cur_at + w * emit_frame_stride(e, e->mask_type));
    }
    for (uint32_t b = first; b < end; b++) {
        const struct simt_block *bb = &k->blocks[b];
        keep_mask(e, p, b);
        for (unsigned i = 0; i < bb->edge_count; i++)
            if (bb->edges[i].deposits)
                keep_mask(e, p, bb->edges[i].to);
        if (bb->leave_count == 0)
            continue;
        struct simt_goto back =
            bb->leave_count == 1 ? bb->skip : bb->leaves[bb->leave_count - 2];
        for (uint32_t l = back.block; l < b; l++)
            keep_mask(e, p, l);
    }
}

static void start_masks(struct emit *e, struct emit_split *p)
{
    const struct simt_kernel *k = e->f->k;
    uint64_t stride = emit_frame_stride(e, e->mask_type);

    p->cur_at = emit_frame_reserve(e, p, e->mask_type, e->f->warps);
    for (uint32_t v = 0; v < k->mask_variable_count; v++)
        p->mask_at[v] = emit_frame_reserve(e, p, e->mask_type, e->f->warps);
    for (unsigned w = 0; w < e->f->warps; w++) {
        LLVMValueRef mask = e->f->lanes.existing.of[w];
        mask = mask ? mask : emit_all_ones(e);
        emit_frame_start(e, p, p->cur_at + w * stride, mask);
        for (uint32_t v = 0; v < k->mask_variable_count; v++) {
            bool is_entry = k->blocks[0].has_mask_variable &&
                            k->blocks[0].mask_variable == v;
            emit_frame_start(e, p, p->mask_at[v] + w * stride,
                             is_entry ? mask : LLVMConstNull(e->mask_type));
        }
    }
}

/* ---- parameters of device functions ------------------------------------ */

/* Reserves space for the mask of the call and for pointers to parameters and
 * results. */
static void place_params(struct emit *e, struct emit_split *p)
{
    struct emit_fn *f = e->f;
    const struct ptx_func *func = f->k->func;
    uint64_t at = emit_frame_reserve(e, p, e->i64,
                                     1 + func->param_count + func->ret_count);

    p->params_at = at;
    emit_frame_start(e, p, at, LLVMGetParam(f->value, 1));
    for (size_t i = 0; i < func->param_count; i++)
        emit_frame_start(e, p, at += 8, f->own.param[i]);
    for (size_t i = 0; i < func->ret_count; i++)
        emit_frame_start(e, p, at += 8, f->own.ret[i]);
}

/* In the order of place_params(). */
static void load_params(struct emit *e, struct emit_split *p)
{
    struct emit_fn *f = e->f;
    const struct ptx_func *func = f->k->func;
    uint64_t at = p->params_at;
    LLVMValueRef lanes = emit_frame_load(e, p, at, e->i32);
    LLVMBasicBlockRef here = emit_go_to_prologue(e, f);

    assert(p->params_at != 0);
    f->lanes.existing.of[0] = emit_mask_of_bits(e, lanes);
    LLVMPositionBuilderAtEnd(e->b, here);
    emit_make_params(e);
    for (size_t i = 0; i < func->param_count; i++)
        f->own.param[i] = emit_frame_load(e, p, at += 8, e->ptr);
    for (size_t i = 0; i < func->ret_count; i++)
        f->own.ret[i] = emit_frame_load(e, p, at += 8, e->ptr);
}

/* ---- one part --------------------------------------------------------- */

/* i64 (warp, where, frame, i32 entry) */
static LLVMTypeRef part_type(struct emit *e)
{
    LLVMTypeRef params[] = {e->ptr, e->ptr, e->ptr, e->i32};
    return LLVMFunctionType(e->i64, params, ARRAY_COUNT(params), 0);
}

static void begin_part(struct emit *e, struct emit_split *p, uint32_t part)
{
    struct emit_env env;

    assert(part < p->count);
    p->function[part] = LLVMAddFunction(e->module, "weft.part", part_type(e));
    LLVMSetLinkage(p->function[part], LLVMInternalLinkage);
    emit_attributes(e, p->function[part]);
    emit_begin_split_function(e, p->function[part]);
    struct emit_fn *f = e->f;
    f->split = p;
    f->part = part;
    f->blocks.exit = emit_new_block(e, "exit");
    p->leave = emit_new_block(e, "leave");
    p->next_var = emit_alloca(e, e->i64, 0, "next");
    p->here = LLVMGetParam(f->value, 2);
    LLVMBasicBlockRef enter = emit_new_block(e, "enter");
    LLVMBasicBlockRef nowhere = emit_new_block(e, "nowhere");
    emit_goto_new(e, enter);
    p->entries[part] =
        LLVMBuildSwitch(e->b, LLVMGetParam(f->value, 3), nowhere, 4);
    LLVMPositionBuilderAtEnd(e->b, nowhere);
    LLVMBuildUnreachable(e->b);
    env = f->env;
    env.where = LLVMGetParam(f->value, 1);
    for (unsigned d = 0; d < 3; d++)
        env.ctaid[d] = emit_frame_load(e, p, p->env_at + 8 * d, e->i32);
    env.coarse_index = emit_frame_load(e, p, p->env_at + 24, e->i32);
    f->env = env;
    if (!f->k->func->is_entry) {
        load_params(e, p);
        return;
    }
    LLVMBasicBlockRef here = emit_go_to_prologue(e, f);
    emit_find_entry_masks(e);
    LLVMPositionBuilderAtEnd(e->b, here);
}

static void end_part(struct emit *e, struct emit_split *p)
{
    assert(e->f->split == p);
    LLVMPositionBuilderAtEnd(e->b, e->f->blocks.exit);
    ir_store(e, emit_split_code(e, UINT32_MAX, 0), p->next_var, 0);
    emit_goto_new(e, p->leave);
    for (size_t i = 0; i < p->kept.count; i++) {
        const struct kept *kept = &p->kept.data[i];
        LLVMValueRef v = ir_load(e, kept->type, kept->var, 0);
        ir_store(e, v, ir_offset(e, p->here, (int64_t)kept->at),
                 emit_frame_align(emit_frame_size(e, kept->type)));
    }
    p->kept.count = 0;
    LLVMBuildRet(e->b, ir_load(e, e->i64, p->next_var, 0));
    e->info->local_bytes += e->f->own.local_bytes;
    e->f = p->whole;
}

static void emit_one_part(struct emit *e, struct emit_split *p, uint32_t part)
{
    uint32_t first = p->first[part], end = p->first[part + 1];
    struct making m = {e, p, part};

    assert(p->first[part] < p->first[part + 1]);
    begin_part(e, p, part);
    keep_masks(e, p, first, end);
    for_each_reg(e->f->k, first, end, make_reg, &m);
    emit_make_blocks(e, first, end);
    emit_blocks(e, first, end);
    end_part(e, p);
}

static void connect_entries(struct emit *e, struct emit_split *p)
{
    for (uint32_t b = 0; b < p->whole->k->block_count; b++) {
        LLVMValueRef entries = p->entries[p->part_of[b]];
        if (p->body_entry[b])
            LLVMAddCase(entries, LLVMConstInt(e->i32, p->body_entry[b], 0),
                        p->whole->blocks.body[b]);
        if (p->check_entry[b])
            LLVMAddCase(entries, LLVMConstInt(e->i32, p->check_entry[b], 0),
                        p->whole->blocks.check[b]);
    }
}

/* while (next is a part) next = part(warp, where, frame, entry) */
static void call_parts(struct emit *e, struct emit_split *p,
                       LLVMBasicBlockRef dispatch, LLVMValueRef next_var)
{
    struct emit_fn *f = e->f;
    LLVMValueRef where = f->env.where ? f->env.where : LLVMConstNull(e->ptr);

    LLVMPositionBuilderAtEnd(e->b, dispatch);
    LLVMValueRef next = ir_load(e, e->i64, next_var, 0);
    LLVMValueRef entry = ir_trunc(e, next, e->i32);
    LLVMValueRef part = LLVMBuildLShr(e->b, next, ir_int(next, 32), "");
    LLVMValueRef s = LLVMBuildSwitch(e->b, ir_trunc(e, part, e->i32),
                                     f->blocks.exit, p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        LLVMBasicBlockRef call = emit_new_block(e, "part");
        LLVMAddCase(s, LLVMConstInt(e->i32, i, 0), call);
        LLVMPositionBuilderAtEnd(e->b, call);
        LLVMValueRef args[] = {f->env.warp, where, p->frame, entry};
        ir_store(e,
                 LLVMBuildCall2(e->b, part_type(e), p->function[i], args,
                                ARRAY_COUNT(args), ""),
                 next_var, 0);
        LLVMBuildBr(e->b, dispatch);
    }
}

static struct emit_split *begin_split(struct emit *e)
{
    struct emit_split *p = arena_new(e->arena, struct emit_split);
    struct emit_fn *f = e->f;
    const struct ptx_func *func = f->k->func;
    uint32_t n = f->k->block_count;

    *p = (struct emit_split){.whole = f};
    p->first = p->whole->plan->part_first;
    p->part_of = p->whole->plan->part_of;
    p->count = p->whole->plan->part_count;
    p->function = arena_array(e->arena, LLVMValueRef, p->count);
    p->entries = arena_array(e->arena, LLVMValueRef, p->count);
    p->entry_count = arena_array(e->arena, uint32_t, p->count);
    p->is_repeated = arena_array(e->arena, bool, p->count);
    p->body_entry = arena_array(e->arena, uint32_t, n);
    p->check_entry = arena_array(e->arena, uint32_t, n);
    p->first_use = arena_array(e->arena, uint32_t, func->reg_count + 1);
    p->last_use = arena_array(e->arena, uint32_t, func->reg_count + 1);
    p->reg_at = arena_array(e->arena, uint64_t, func->reg_count + 1);
    p->mask_at = arena_array(e->arena, uint64_t, f->k->mask_variable_count + 1);
    p->lane_block_at = arena_array(e->arena, uint64_t, func->var_count + 1);
    find_repeated(p);
    find_uses(p);
    return p;
}

/* Expects the builder in the prologue, as emit_body() does. */
void emit_split_body(struct emit *e)
{
    struct emit_split *p = begin_split(e);
    struct emit_fn *f = e->f;
    LLVMBasicBlockRef dispatch = emit_new_block(e, "dispatch");
    LLVMValueRef next_var = emit_alloca(e, e->i64, 0, "next");

    assert(simt_split_insts(e->f->k) > 0);
    /* The size is known at the end. */
    p->frame = emit_alloca(e, e->i8, 64, "frame");
    ir_store(e, emit_split_code(e, 0, emit_split_entry(p, 0, false)), next_var,
             0);
    emit_goto_new(e, dispatch);
    p->env_at = emit_frame_reserve(e, p, e->i64, 4);
    for (unsigned d = 0; d < 3; d++)
        emit_frame_start(e, p, p->env_at + 8 * d, f->env.ctaid[d]);
    emit_frame_start(e, p, p->env_at + 24, f->env.coarse_index);
    if (!f->k->func->is_entry)
        place_params(e, p);
    start_masks(e, p);
    f->blocks.body =
        arena_array(e->arena, LLVMBasicBlockRef, f->k->block_count + 1);
    f->blocks.check =
        arena_array(e->arena, LLVMBasicBlockRef, f->k->block_count + 1);
    for (uint32_t i = 0; i < p->count && !e->has_failed; i++)
        emit_one_part(e, p, i);
    vec_fini(&p->kept);
    if (e->has_failed)
        return;
    connect_entries(e, p);
    call_parts(e, p, dispatch, next_var);
    LLVMSetOperand(p->frame, 0, LLVMConstInt(e->i32, p->frame_bytes, 0));
}
