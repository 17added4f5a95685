/* SPDX-License-Identifier: Apache-2.0 */
/* What operands are worth: special registers, symbols, vectors; and the bytes
 * that a store writes. */
#include "emu/internal.h"

#include "abi/shared.h"

/* Special registers that are fields of the launch or of the warp, that a
 * helper gives, or that are a number (abi/special_registers.def). All others
 * read as 0. */
static emu_bits special_field(const struct exec_launch *l, struct exec_warp *w,
                              enum ptx_sreg sreg)
{
    switch (sreg) {
#define OWNER_LAUNCH  l
#define OWNER_WARP    w
#define PART_WHOLE(v) (v)
#define PART_LOW(v)   ((uint32_t)(v))
#define PART_HIGH(v)  ((v) >> 32)
#define SPECIAL_FIELD(sreg, owner, field, part)                                \
    case PTX_SREG_##sreg:                                                      \
        return PART_##part((uintptr_t)OWNER_##owner->field);
#define SPECIAL_CALL(sreg, helper, part)                                       \
    case PTX_SREG_##sreg:                                                      \
        return PART_##part(l->helpers->helper(w));
#define SPECIAL_CONSTANT(sreg, value)                                          \
    case PTX_SREG_##sreg:                                                      \
        return value;
#include "abi/special_registers.def"
    default:
        return 0;
    }
}

static emu_bits lane_mask(enum ptx_sreg sreg, uint32_t lane)
{
    uint32_t eq = UINT32_C(1) << lane, lt = eq - 1;

    switch (sreg) {
    case PTX_SREG_lanemask_eq:
        return eq;
    case PTX_SREG_lanemask_lt:
        return lt;
    case PTX_SREG_lanemask_le:
        return lt | eq;
    case PTX_SREG_lanemask_gt:
        return ~(lt | eq);
    default:
        return ~lt;
    }
}

static emu_bits special_register(struct emu_block *b, struct emu_thread *t,
                                 enum ptx_sreg sreg)
{
    const struct exec_launch *l = b->launch;
    unsigned i;

    switch (sreg) {
    case PTX_SREG_tid_x:
    case PTX_SREG_tid_y:
    case PTX_SREG_tid_z:
        return t->tid[sreg - PTX_SREG_tid_x];
    case PTX_SREG_ntid_x:
    case PTX_SREG_ntid_y:
    case PTX_SREG_ntid_z:
        return l->block[sreg - PTX_SREG_ntid_x];
    case PTX_SREG_ctaid_x:
    case PTX_SREG_ctaid_y:
    case PTX_SREG_ctaid_z:
        return b->ctaid[sreg - PTX_SREG_ctaid_x];
    case PTX_SREG_laneid:
        return t->lane;
    case PTX_SREG_warpid:
        return (emu_bits)(t - b->threads) / WEFT_WARP_LANES;
    case PTX_SREG_lanemask_eq:
    case PTX_SREG_lanemask_lt:
    case PTX_SREG_lanemask_le:
    case PTX_SREG_lanemask_gt:
    case PTX_SREG_lanemask_ge:
        return lane_mask(sreg, t->lane);
    case PTX_SREG_clusterid_x:
    case PTX_SREG_clusterid_y:
    case PTX_SREG_clusterid_z:
        i = sreg - PTX_SREG_clusterid_x;
        return b->ctaid[i] / l->cluster[i];
    case PTX_SREG_nclusterid_x:
    case PTX_SREG_nclusterid_y:
    case PTX_SREG_nclusterid_z:
        i = sreg - PTX_SREG_nclusterid_x;
        return l->grid[i] / l->cluster[i];
    case PTX_SREG_cluster_ctaid_x:
    case PTX_SREG_cluster_ctaid_y:
    case PTX_SREG_cluster_ctaid_z:
        i = sreg - PTX_SREG_cluster_ctaid_x;
        return b->ctaid[i] % l->cluster[i];
    case PTX_SREG_total_smem_size:
        i = l->static_shared_bytes + l->dynamic_shared_bytes;
        return (i + WEFT_SHARED_UNIT - 1) & ~(WEFT_SHARED_UNIT - 1u);
    case PTX_SREG_aggr_smem_size:
        return l->static_shared_bytes + l->dynamic_shared_bytes +
               WEFT_SHARED_RESERVED;
    default:
        return special_field(l, b->w, sreg);
    }
}

/* {a, b, ...} as one value of type `whole`: a in the lowest bits. */
static emu_bits pack_vector(struct emu_block *b, struct emu_thread *t,
                            const struct ptx_operand *o, enum ptx_type whole)
{
    unsigned bits = ptx_type_size(whole) * 8 / o->item_count;
    emu_bits v = 0;

    for (unsigned i = 0; i < o->item_count; i++) {
        emu_bits item = emu_read(b, t, &o->items[i], whole);
        if (bits < 64)
            item &= (UINT64_C(1) << bits) - 1;
        v |= item << (bits * i);
    }
    return v;
}

emu_bits emu_read_other(struct emu_block *b, struct emu_thread *t,
                        const struct ptx_operand *o, enum ptx_type type)
{
    switch (o->kind) {
    case PTX_OPERAND_reg: /* !%p */
        return !(t->frame->regs[o->reg] & 1);
    case PTX_OPERAND_sreg:
        return special_register(b, t, o->sreg);
    case PTX_OPERAND_var:
    case PTX_OPERAND_func:
        return emu_symbol(b, t, o);
    case PTX_OPERAND_vector:
        return pack_vector(b, t, o, type);
    default:
        return 0;
    }
}

void emu_stored_bytes(struct emu_block *b, struct emu_thread *t,
                      const struct ptx_inst *in, uint8_t *out)
{
    const struct ptx_operand *from = &in->operand[1];
    unsigned size = ptx_type_size(in->type[0]);

    if (in->type[0] == PTX_TYPE_b128) {
        struct emu_wide w = emu_read_wide(b, t, from);
        memcpy(out, &w, sizeof w);
        return;
    }
    for (unsigned i = 0; i < ptx_operand_item_count(from); i++)
        emu_store(in->type[0], out + i * size,
                  emu_read(b, t, ptx_operand_item(from, i), in->type[0]));
}
