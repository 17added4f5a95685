/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code around bodies: a kernel loops over its blocks and warps itself, a
 * device function runs once for a mask of lanes.
 */
#include "emit/core/control.h"
#include "emit/core/hooks.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"

struct block_loop {
    struct emit_lockstep lockstep;
    LLVMValueRef block_var, warp_var, ctaid_var[3];
    LLVMValueRef block_end, warp_first, warp_end;
    /* By rows: how many blocks are side by side, and how many of them the warp
     * has done. */
    LLVMValueRef row_blocks, row_var;
    LLVMBasicBlockRef row_head;
    LLVMBasicBlockRef head, warps, warp_head, warp, next_block, end;
};

static LLVMValueRef make_variable(struct emit *e, LLVMTypeRef type,
                                  LLVMValueRef value, const char *name)
{
    LLVMValueRef a = emit_alloca(e, type, 0, name);
    ir_store(e, value, a, 0);
    return a;
}

static LLVMValueRef grid_size(struct emit *e, const struct emit_env *env,
                              unsigned d)
{
    return emit_load_constant(
        e, env->launch, offsetof(struct exec_launch, grid) + 4 * d, e->i32);
}

/* Coordinate d of a block; *rest: block number divided by the sizes so far. */
static LLVMValueRef next_coordinate(struct emit *e, LLVMValueRef *rest,
                                    unsigned d)
{
    LLVMValueRef size = ir_zext(e, grid_size(e, &e->f->env, d), e->i64);
    LLVMValueRef here = d == 2 ? *rest : LLVMBuildURem(e->b, *rest, size, "");

    assert(d < 3);
    if (d < 2)
        *rest = LLVMBuildUDiv(e->b, *rest, size, "");
    return ir_trunc(e, here, e->i32);
}

/* Coordinates of the first block; those of others are counted up. */
static void start_ctaid(struct emit *e, struct block_loop *l,
                        LLVMValueRef first)
{
    static const char *const names[] = {"ctaid.x", "ctaid.y", "ctaid.z"};
    LLVMValueRef rest = first;

    for (unsigned d = 0; d < 3; d++)
        l->ctaid_var[d] =
            make_variable(e, e->i32, next_coordinate(e, &rest, d), names[d]);
}

/* Advances by some blocks, at most to the end of the row. */
static void next_ctaid(struct emit *e, struct block_loop *l, LLVMValueRef carry)
{
    const struct emit_env *env = &e->f->env;

    for (unsigned d = 0; d < 3; d++) {
        LLVMValueRef size = grid_size(e, env, d);
        LLVMValueRef v = ir_load(e, e->i32, l->ctaid_var[d], 0);
        v = ir_add(e, v, carry);
        LLVMValueRef is_over = ir_icmp(e, LLVMIntEQ, v, size);
        ir_store(e, d == 2 ? v : ir_select(e, is_over, ir_int(v, 0), v),
                 l->ctaid_var[d], 0);
        carry = ir_zext(e, is_over, e->i32); /* only if it was not 0 */
    }
}

/* The same for a block that may be in another row of the grid. */
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
        ir_store(e, next_coordinate(e, &block, d), l->ctaid_var[d], 0);
    emit_goto_new(e, done);
}

/* Longer rows are done in pieces, so that what a block's rows share stays in
 * the first two caches. */
enum { ROW_THREADS = 2048 };

/* Number of blocks side by side from here on that this call runs. */
static LLVMValueRef blocks_in_row(struct emit *e, const struct block_loop *l)
{
    LLVMValueRef block = ir_load(e, e->i64, l->block_var, 0);
    LLVMValueRef left = ir_sub(e, l->block_end, block);
    LLVMValueRef most = ir_int(left, ROW_THREADS / e->spec.block[0]);
    LLVMValueRef x = ir_load(e, e->i32, l->ctaid_var[0], 0);
    LLVMValueRef row = ir_sub(e, grid_size(e, &e->f->env, 0), x);

    assert(e->spec.block[0] > 0 && e->spec.block[0] <= SIMT_LANES);
    left = ir_trunc(e, ir_binary(e, "llvm.umin", left, most), e->i32);
    return ir_binary(e, "llvm.umin", left, row);
}

static void begin_rows(struct emit *e, struct block_loop *l)
{
    l->row_head = emit_new_block(e, "row");
    l->row_var =
        make_variable(e, e->i32, LLVMConstInt(e->i32, 0, 0), "row.block");
}

/* Runs one warp of each block of a row, one after the other. */
static void begin_row(struct emit *e, struct block_loop *l)
{
    if (!e->f->plan->goes_by_rows)
        return;
    LLVMBasicBlockRef body = emit_new_block(e, "row.body");
    LLVMBasicBlockRef done = emit_new_block(e, "row.done");
    ir_store(e, LLVMConstInt(e->i32, 0, 0), l->row_var, 0);
    emit_goto_new(e, l->row_head);
    LLVMValueRef i = ir_load(e, e->i32, l->row_var, 0);
    LLVMValueRef more = ir_icmp(e, LLVMIntULT, i, l->row_blocks);
    LLVMBuildCondBr(e->b, more, body, done);
    LLVMPositionBuilderAtEnd(e->b, done);
    LLVMValueRef warp = ir_load(e, e->i32, l->warp_var, 0);
    ir_store(e, ir_add(e, warp, ir_int(warp, 1)), l->warp_var, 0);
    LLVMBuildBr(e->b, l->warp_head);
    LLVMPositionBuilderAtEnd(e->b, body);
    l->warp = body;
}

static void begin_blocks(struct emit *e, struct block_loop *l)
{
    const struct emit_env *env = &e->f->env;
    LLVMValueRef first = EMIT_WARP_FIELD(e, env, block_first, e->i64);

    l->block_end = EMIT_WARP_FIELD(e, env, block_end, e->i64);
    l->warp_first = EMIT_WARP_FIELD(e, env, warp_first, e->i32);
    l->warp_end = EMIT_WARP_FIELD(e, env, warp_end, e->i32);
    l->head = emit_new_block(e, "block");
    l->warps = emit_new_block(e, "block.warps");
    l->warp_head = emit_new_block(e, "warp");
    l->warp = emit_new_block(e, "warp.body");
    e->f->blocks.exit = emit_new_block(e, "warp.next");
    l->next_block = emit_new_block(e, "block.next");
    l->end = emit_new_block(e, "end");
    start_ctaid(e, l, first);
    l->block_var = make_variable(e, e->i64, first, "block");
    l->warp_var = make_variable(e, e->i32, l->warp_first, "warp");
    if (e->f->plan->goes_by_rows)
        begin_rows(e, l);
    emit_goto_new(e, l->head);
    LLVMValueRef block = ir_load(e, e->i64, l->block_var, 0);
    LLVMValueRef more = ir_icmp(e, LLVMIntULT, block, l->block_end);
    LLVMBuildCondBr(e->b, more, l->warps, l->end);
    LLVMPositionBuilderAtEnd(e->b, l->warps);
    ir_store(e, l->warp_first, l->warp_var, 0);
    if (e->f->plan->goes_by_rows)
        l->row_blocks = blocks_in_row(e, l);
    emit_goto_new(e, l->warp_head);
    LLVMValueRef warp = ir_load(e, e->i32, l->warp_var, 0);
    more = ir_icmp(e, LLVMIntULT, warp, l->warp_end);
    LLVMBuildCondBr(e->b, more, l->warp, l->next_block);
    LLVMPositionBuilderAtEnd(e->b, l->warp);
    begin_row(e, l);
}

static void store_field(struct emit *e, size_t offset, LLVMValueRef v)
{
    LLVMValueRef p = ir_offset(e, e->f->env.warp, (int64_t)offset);
    LLVMValueRef s = ir_store(e, v, p, 0);
    /* a fault may stop the code anywhere, and then it is read */
    LLVMSetVolatile(s, 1);
    emit_set_alias(e, s, PTX_SPACE_param);
}

void emit_note_position(struct emit *e, LLVMValueRef block, LLVMValueRef warp)
{
    store_field(e, offsetof(struct exec_warp, block_current), block);
    store_field(e, offsetof(struct exec_warp, warp_current), warp);
}

/* What device functions need to know of where they run: the block's three
 * coordinates, and the warp's index; what they report: who has exited; and by
 * which calls they were reached, a number that differs with them. */
static void tell_callees(struct emit *e)
{
    struct emit_env *env = &e->f->env;

    if (!e->f->k->has_calls)
        return;
    env->where = emit_alloca(e, e->where_type, 16, "where");
    for (unsigned d = 0; d < 3; d++)
        ir_store(e, env->ctaid[d], ir_offset(e, env->where, 4 * d), 4);
    ir_store(e, env->coarse_index, ir_offset(e, env->where, 12), 4);
    ir_store(e, LLVMConstInt(e->i32, 0, 0), emit_exited_pointer(e), 4);
    ir_store(e, LLVMConstInt(e->i32, 0, 0), emit_path_pointer(e), 4);
}

/* Of few bits, so that LLVM sees which sums cannot wrap. */
LLVMValueRef emit_coarse_index(struct emit *e, LLVMValueRef index)
{
    const uint32_t *block = e->spec.block;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    uint64_t lanes = e->lanes * e->f->warps, coarse = 1;

    while (coarse * lanes < threads)
        coarse *= 2;
    return threads ? ir_and(e, index, ir_int(index, (int64_t)coarse - 1))
                   : index;
}

/* Runs thirty-two threads at a time where that works, else one by one. */
static void run_in_lockstep(struct emit *e, struct block_loop *l)
{
    LLVMBasicBlockRef ran = emit_new_block(e, "ran.in.step");
    LLVMValueRef index = ir_load(e, e->i32, l->warp_var, 0);
    LLVMValueRef block = ir_load(e, e->i64, l->block_var, 0);

    for (unsigned d = 0; d < 3; d++)
        e->f->env.ctaid[d] = ir_load(e, e->i32, l->ctaid_var[d], 0);
    LLVMValueRef end =
        emit_try_lockstep(e, &l->lockstep, block, index, l->warp_end, ran);
    ir_store(e, end, l->warp_var, 0);
    LLVMBuildBr(e->b, l->warp_head);
    LLVMPositionBuilderAtEnd(e->b, ran);
    ir_store(e, ir_add(e, index, ir_int(index, SIMT_LANES)), l->warp_var, 0);
    LLVMBuildBr(e->b, l->warp_head);
}

static void begin_warp(struct emit *e, struct block_loop *l)
{
    struct emit_fn *f = e->f;

    assert(!e->f->blocks.prologue);
    LLVMValueRef block = ir_load(e, e->i64, l->block_var, 0);
    for (unsigned d = 0; d < 3; d++)
        f->env.ctaid[d] = ir_load(e, e->i32, l->ctaid_var[d], 0);
    if (e->f->plan->goes_by_rows) {
        LLVMValueRef in_row = ir_load(e, e->i32, l->row_var, 0);
        f->env.ctaid[0] = ir_add(e, f->env.ctaid[0], in_row);
        block = ir_add(e, block, ir_zext(e, in_row, e->i64));
    }
    f->blocks.prologue = l->warp;
    f->env.coarse_index =
        emit_coarse_index(e, ir_load(e, e->i32, l->warp_var, 0));
    emit_note_position(e, block, f->env.coarse_index);
    emit_find_entry_masks(e);
    tell_callees(e);
}

static void end_blocks(struct emit *e, struct block_loop *l)
{
    LLVMPositionBuilderAtEnd(e->b, e->f->blocks.exit);
    if (!l->lockstep.together)
        emit_run_hooks(e, EMIT_AT_end_warp);
    bool by_rows = e->f->plan->goes_by_rows;
    LLVMValueRef next = by_rows ? l->row_var : l->warp_var;
    LLVMValueRef warp = ir_load(e, e->i32, next, 0);
    ir_store(e, ir_add(e, warp, ir_int(warp, 1)), next, 0);
    LLVMBuildBr(e->b, by_rows ? l->row_head : l->warp_head);
    LLVMPositionBuilderAtEnd(e->b, l->next_block);
    LLVMValueRef count = by_rows ? l->row_blocks : LLVMConstInt(e->i32, 1, 0);
    LLVMValueRef block = ir_load(e, e->i64, l->block_var, 0);
    LLVMValueRef distance = ir_zext(e, count, e->i64);
    if (e->info->has_barrier)
        distance = EMIT_HELPER(e, block_end, e->i64, NULL, 0);
    block = ir_add(e, block, distance);
    ir_store(e, block, l->block_var, 0);
    if (e->info->has_barrier)
        far_ctaid(e, l, distance, block);
    else
        next_ctaid(e, l, count);
    LLVMBuildBr(e->b, l->head);
    LLVMPositionBuilderAtEnd(e->b, l->end);
    emit_run_hooks(e, EMIT_AT_end_kernel);
    if (l->lockstep.together)
        emit_end_lockstep(e, &l->lockstep);
    LLVMBuildRetVoid(e->b);
}

bool emit_entry(struct emit *e, const struct simt_plan *plan)
{
    const struct simt_kernel *k = plan->k;
    struct block_loop loop = {0};
    LLVMTypeRef type = LLVMFunctionType(e->voidt, &e->ptr, 1, 0);
    LLVMValueRef value = LLVMAddFunction(
        e->module, e->flushes ? "weft.flushing" : WEFT_ENTRY_NAME, type);

    assert(plan->k->func->is_entry);
    emit_attributes(e, value);
    if (plan->lockstep)
        emit_lockstep_functions(e, plan, &loop.lockstep);
    emit_begin_function(e, plan, value);
    emit_run_hooks(e, EMIT_AT_begin_kernel);
    if (plan->lockstep)
        emit_begin_lockstep(e, &loop.lockstep);
    begin_blocks(e, &loop);
    if (plan->lockstep) {
        run_in_lockstep(e, &loop);
    } else {
        begin_warp(e, &loop);
        if (simt_split_insts(k))
            emit_split_body(e);
        else
            emit_body(e);
    }
    end_blocks(e, &loop);
    emit_end_function(e);
    if (e->flushes)
        emit_flush_mode_entry(e, value);
    return !e->has_failed;
}
