/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that may wait for another warp: they read memory that others write
 * while they run (volatile, relaxed or stronger loads). Such a kernel needs a
 * fiber for each warp, and its loops let the other fibers run. A test of an
 * mbarrier waits wherever it stands: its loop may be around a call.
 */
#include "emit/internal.h"

static bool is_watching_load(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_ld && inst->sem != PTX_SEM_none &&
           inst->sem != PTX_SEM_weak && inst->space != PTX_SPACE_local;
}

/* Is there a jump from `index` or behind it to `index` or before it? */
static bool is_in_loop(const struct ptx_func *func, size_t index)
{
    for (size_t i = index; i < func->inst_count; i++) {
        const struct ptx_inst *inst = &func->insts[i];
        if (inst->op == PTX_OP_bra &&
            func->labels[inst->operand[0].label].inst <= index)
            return true;
        for (unsigned t = 0; t < inst->target_count; t++)
            if (func->labels[inst->targets[t]].inst <= index)
                return true;
    }
    return false;
}

static bool is_lock(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_atom &&
           (inst->sub == PTX_SUB_cas || inst->sub == PTX_SUB_exch);
}

static bool is_mbarrier_test(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_mbarrier &&
           (inst->sub == PTX_SUB_test_wait || inst->sub == PTX_SUB_try_wait);
}

bool emit_is_wait_point(const struct ptx_func *func, size_t index)
{
    const struct ptx_inst *inst = &func->insts[index];
    if (is_mbarrier_test(inst))
        return true;
    return (is_watching_load(inst) || is_lock(inst)) && is_in_loop(func, index);
}

static bool scan(const struct ptx_func *func, bool *visited)
{
    if (func->is_prototype || visited[func->index])
        return false;
    visited[func->index] = true;
    for (size_t i = 0; i < func->inst_count; i++) {
        const struct ptx_inst *inst = &func->insts[i];
        if (is_mbarrier_test(inst) ||
            (is_watching_load(inst) && is_in_loop(func, i)))
            return true;
        if (inst->call && inst->call->func && scan(inst->call->func, visited))
            return true;
    }
    return false;
}

bool emit_has_waits(struct arena *a, const struct ptx_func *kernel)
{
    return scan(kernel, arena_array(a, bool, kernel->module->func_count + 1));
}
