/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Alignment that an instruction requires of its addresses. An access has to
 * begin at a multiple of its size, a vector at a multiple of the whole vector;
 * copies, rows of matrices and barriers in memory have sizes of their own. For
 * wmma the manual requires a line of a fragment; what is required here was
 * measured on an H200.
 *
 * Source: PTX ISA, "Operands: Memory operands", "ldmatrix", "cp.async",
 * "cp.async.bulk", "mbarrier: alignment".
 */
#include "ptx/effects.h"

enum { MBARRIER_BYTES = 8, BULK_BYTES = 16, ROW_BYTES = 16, ROWS = 8 };

struct accesses {
    struct ptx_access *items;
    unsigned count;
};

static void add_access(struct accesses *l, const struct ptx_operand *o,
                       enum ptx_space space, unsigned align_bytes)
{
    if (!o || o->kind != PTX_OPERAND_address || align_bytes < 2)
        return;
    bool is_generic = space == PTX_SPACE_generic && o->reg == PTX_NO_REG;
    l->items[l->count++] = (struct ptx_access){
        .address = o,
        .space = is_generic && o->var ? o->var->space : space,
        .align_bytes = align_bytes,
        .lanes = UINT32_MAX,
    };
}

/* st.async, red.async: [to], value, [mbarrier] */
static void add_async(struct accesses *l, const struct ptx_inst *in,
                      unsigned bytes)
{
    add_access(l, &in->operand[0], PTX_SPACE_shared, bytes);
    add_access(l, &in->operand[2], PTX_SPACE_shared, MBARRIER_BYTES);
}

static void add_load(struct accesses *l, const struct ptx_inst *in)
{
    assert(in->type_count > 0);
    add_access(l, ptx_address_of(in), in->space,
               ptx_type_size(in->type[in->type_count - 1]) *
                   ptx_operand_item_count(&in->operand[0]));
}

static void add_store(struct accesses *l, const struct ptx_inst *in)
{
    if (in->flags & PTX_FLAG_bulk)
        return; /* the operand has no type */
    assert(in->type_count > 0);
    unsigned bytes = ptx_type_size(in->type[in->type_count - 1]) *
                     ptx_operand_item_count(&in->operand[1]);

    if (in->flags & PTX_FLAG_async)
        add_async(l, in, bytes);
    else
        add_access(l, &in->operand[0], in->space, bytes);
}

static void add_atomic(struct accesses *l, const struct ptx_inst *in)
{
    unsigned bytes = ptx_type_size(in->type[0]) * ptx_vector_width(in);

    if (in->flags & PTX_FLAG_async)
        add_async(l, in, bytes);
    else
        add_access(l, ptx_address_of(in), in->space, bytes);
}

/* Tensor copies check their maps themselves. */
static void add_copy(struct accesses *l, const struct ptx_inst *in)
{
    const struct ptx_operand *o = in->operand;

    if (ptx_only_orders_copies(in) || in->flags & PTX_FLAG_tensor)
        return;
    if (in->sub == PTX_SUB_prefetch) {
        add_access(l, &o[0], PTX_SPACE_global, BULK_BYTES);
        return;
    }
    if (in->sub == PTX_SUB_mbarrier) {
        add_access(l, &o[0], in->space, MBARRIER_BYTES);
        return;
    }
    if (in->flags & PTX_FLAG_bulk) {
        add_access(l, &o[0], in->space, BULK_BYTES);
        add_access(l, &o[1], in->space2, BULK_BYTES);
        if (!(in->flags & PTX_FLAG_bulk_group))
            add_access(l, &o[3], PTX_SPACE_shared, MBARRIER_BYTES);
        return;
    }
    add_access(l, &o[0], PTX_SPACE_shared, (unsigned)o[2].imm);
    add_access(l, &o[1], PTX_SPACE_global, (unsigned)o[2].imm);
}

/* Eight lanes hold the row addresses of one matrix. */
static void add_rows(struct accesses *l, const struct ptx_inst *in)
{
    unsigned rows = ROWS * (in->vector ? in->vector : 1);

    add_access(l, ptx_address_of(in), in->space, ROW_BYTES);
    if (l->count && rows < 32)
        l->items[0].lanes = (UINT32_C(1) << rows) - 1;
}

/* Bytes that a lane takes at once from one line of a matrix. */
static unsigned piece_bytes(const struct ptx_inst *in)
{
    enum ptx_type type = in->type[0];
    bool is_row = in->layout[0] == PTX_LAYOUT_row;
    bool is_shared = ptx_is_shared_space(in->space);
    unsigned bytes = ptx_type_size(type);

    switch (in->sub2) {
    case PTX_SUB_a:
    case PTX_SUB_b:
        if (bytes >= 4)
            return bytes;
        if (bytes == 1 && is_row != (in->sub2 == PTX_SUB_a))
            return 1; /* across lines; bits and 4-bit numbers never are */
        return is_shared ? ROW_BYTES : 4;
    default:
        return bytes == 2 ? 4 : bytes * (is_row ? 2 : 1);
    }
}

static void add_whole(struct accesses *l, const struct ptx_inst *in)
{
    if (ptx_is_atomic(in))
        add_atomic(l, in);
    else if (ptx_dest_count(in) > 0)
        add_load(l, in);
    else
        add_store(l, in);
}

unsigned ptx_accesses(const struct ptx_inst *in,
                      struct ptx_access out[PTX_MAX_ACCESSES])
{
    struct accesses l = {.items = out};

    assert(in->op < PTX_OP_COUNT);
    switch (ptx_facts[in->op].align) {
    case PTX_ALIGN_FREE:
        break;
    case PTX_ALIGN_BARRIER:
        for (unsigned i = 0; i < 2 && i < in->operand_count; i++)
            add_access(&l, &in->operand[i], in->space, MBARRIER_BYTES);
        break;
    case PTX_ALIGN_LINES:
        if (in->sub == PTX_SUB_load || in->sub == PTX_SUB_store)
            add_access(&l, ptx_address_of(in), in->space, piece_bytes(in));
        break;
    case PTX_ALIGN_ROWS:
        add_rows(&l, in);
        break;
    case PTX_ALIGN_COPY:
        add_copy(&l, in);
        break;
    case PTX_ALIGN_WHOLE:
        add_whole(&l, in);
        break;
    }
    return l.count;
}

struct ptx_reach ptx_reach_of(const struct ptx_inst *in)
{
    const struct ptx_operand *o = in->operand;

    if (ptx_facts[in->op].align != PTX_ALIGN_WHOLE || !in->type_count ||
        in->flags & (PTX_FLAG_async | PTX_FLAG_bulk))
        return (struct ptx_reach){0};
    unsigned element = ptx_type_size(in->type[in->type_count - 1]);
    if (ptx_is_atomic(in))
        return (struct ptx_reach){ptx_address_of(in),
                                  ptx_type_size(in->type[0]) *
                                      ptx_vector_width(in)};
    return ptx_dest_count(in) > 0
               ? (struct ptx_reach){ptx_address_of(in),
                                    element * ptx_operand_item_count(&o[0])}
               : (struct ptx_reach){&o[0],
                                    element * ptx_operand_item_count(&o[1])};
}
