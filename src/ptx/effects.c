/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns of ops.def as data, and what suffixes change about them. PTX
 * ISA, "Memory Consistency Model" and the instructions' own pages.
 */
#include "ptx/effects.h"

const struct ptx_facts ptx_facts[PTX_OP_COUNT] = {
#define PTX_OP(name, context, memory, order, lanes, result, nan, ftz, flow,    \
               work, twice, align, waits)                                      \
    [PTX_OP_##                                                                 \
        name] = {PTX_MEMORY_##memory, PTX_ORDER_##order, PTX_LANES_##lanes,    \
                 PTX_RESULT_##result, PTX_NAN_##nan,     PTX_FTZ_##ftz,        \
                 PTX_FLOW_##flow,     PTX_WORK_##work,   PTX_TWICE_##twice,    \
                 PTX_ALIGN_##align,   PTX_WAITS_##waits},
#include "ptx/ops.def"
};

static const struct ptx_facts *facts_of(const struct ptx_inst *in)
{
    assert(in->op < PTX_OP_COUNT);
    return &ptx_facts[in->op];
}

bool ptx_only_computes(const struct ptx_inst *in)
{
    const struct ptx_facts *f = facts_of(in);

    return f->memory == PTX_MEMORY_NONE && f->order == PTX_ORDER_FREE &&
           f->lanes == PTX_LANES_ALONE && f->flow == PTX_FLOW_NEXT;
}

/* ---- memory ------------------------------------------------------------- */

/* The same for an instruction, starting from its opcode's column. */
static enum ptx_memory memory_of(const struct ptx_inst *in)
{
    switch (in->op) {
    case PTX_OP_wmma:
        return in->sub == PTX_SUB_load    ? PTX_MEMORY_READS
               : in->sub == PTX_SUB_store ? PTX_MEMORY_WRITES
                                          : PTX_MEMORY_NONE;
    case PTX_OP_mbarrier:
        if (in->sub == PTX_SUB_pending_count)
            return PTX_MEMORY_NONE;
        return in->sub == PTX_SUB_test_wait || in->sub == PTX_SUB_try_wait
                   ? PTX_MEMORY_READS
                   : PTX_MEMORY_UPDATES;
    case PTX_OP_cp:
        return ptx_only_orders_copies(in) ? PTX_MEMORY_NONE
                                          : PTX_MEMORY_UPDATES;
    default:
        return facts_of(in)->memory;
    }
}

bool ptx_reads_memory(const struct ptx_inst *in)
{
    enum ptx_memory m = memory_of(in);
    return m == PTX_MEMORY_READS || m == PTX_MEMORY_UPDATES;
}

bool ptx_writes_memory(const struct ptx_inst *in)
{
    enum ptx_memory m = memory_of(in);
    return m == PTX_MEMORY_WRITES || m == PTX_MEMORY_UPDATES;
}

bool ptx_is_relaxed(enum ptx_sem sem)
{
    return sem == PTX_SEM_none || sem == PTX_SEM_weak || sem == PTX_SEM_relaxed;
}

bool ptx_orders_memory(const struct ptx_inst *in)
{
    return facts_of(in)->order == PTX_ORDER_ORDERS || !ptx_is_relaxed(in->sem);
}

bool ptx_is_private(enum ptx_space space)
{
    return space == PTX_SPACE_shared || space == PTX_SPACE_local ||
           space == PTX_SPACE_param || space == PTX_SPACE_const;
}

enum ptx_space ptx_space_of(const struct ptx_operand *address,
                            enum ptx_space space)
{
    return space == PTX_SPACE_generic && address->var ? address->var->space
                                                      : space;
}

const struct ptx_operand *ptx_address_of(const struct ptx_inst *in)
{
    for (unsigned i = 0; i < in->operand_count; i++)
        if (in->operand[i].kind == PTX_OPERAND_address)
            return &in->operand[i];
    return NULL;
}

bool ptx_is_atomic(const struct ptx_inst *in)
{
    return in->op == PTX_OP_atom || in->op == PTX_OP_red;
}

/* ---- threads ------------------------------------------------------------ */

bool ptx_is_barrier(const struct ptx_inst *in)
{
    return facts_of(in)->lanes == PTX_LANES_BLOCK;
}

bool ptx_ends_block(const struct ptx_inst *in)
{
    switch (facts_of(in)->flow) {
    case PTX_FLOW_NEXT:
    case PTX_FLOW_CALLS:
        return false;
    case PTX_FLOW_TRAPS:
        return in->guard == PTX_NO_REG;
    default:
        return true;
    }
}
