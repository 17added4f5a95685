/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies that may complete later: cp.async, cp.async.bulk, cp.reduce.async,
 * st.async, red.async. They are done at once, so that committing and waiting
 * have nothing to do; an mbarrier is told at once as well.
 */
#include "emu/check.h"

#include "abi/mbarrier.h"

static uint8_t *address_in(struct emu_block *b, struct emu_thread *t,
                           const struct ptx_operand *o, enum ptx_space space)
{
    struct ptx_inst in = {.space = space};
    return emu_address(b, t, &in, o);
}

/* cp.async.ca, .cg: bytes from `used` on are zero. */
static void copy_small(struct emu_block *b, struct emu_thread *t,
                       const struct ptx_inst *in)
{
    const struct ptx_operand *o = in->operand;
    uint8_t *to = address_in(b, t, &o[0], PTX_SPACE_shared);
    const uint8_t *from = address_in(b, t, &o[1], PTX_SPACE_global);
    size_t size = (size_t)o[2].imm, used = size;
    bool has_last = in->operand_count > 3 && o[3].kind != PTX_OPERAND_none;

    if (has_last && o[3].kind == PTX_OPERAND_reg &&
        t->frame->func->regs[o[3].reg].type == PTX_TYPE_pred)
        used = emu_read(b, t, &o[3], PTX_TYPE_pred) & 1 ? 0 : size;
    else if (has_last)
        used = (uint32_t)emu_read(b, t, &o[3], PTX_TYPE_u32);
    used = used < size ? used : size;
    if (!emu_touch(b, t, in, PTX_SPACE_global, from, used, EMU_READS) ||
        !emu_touch(b, t, in, PTX_SPACE_shared, to, size,
                   EMU_WRITES | EMU_DELAYED))
        return;
    memset(to, 0, size);
    memcpy(to, from, used);
}

/* A reducing copy: an atomic operation for each element. */
static void reduce_into(const struct ptx_inst *in, uint8_t *to,
                        const uint8_t *from, uint32_t bytes)
{
    unsigned size = ptx_type_size(in->type[0]);

    for (uint32_t i = 0; i + size <= bytes; i += size)
        emu_atomic(in, to + i, emu_load(in->type[0], from + i), 0);
}

static bool may_copy(struct emu_block *b, struct emu_thread *t,
                     const struct ptx_inst *in, const uint8_t *to,
                     const uint8_t *from, uint32_t bytes)
{
    unsigned how =
        in->flags & PTX_FLAG_reduce ? EMU_WRITES | EMU_STRONG : EMU_WRITES;
    return emu_touch(b, t, in, in->space2, from, bytes, EMU_READS) &&
           emu_touch(b, t, in, in->space, to, bytes, how);
}

static bool may_tell(struct emu_block *b, struct emu_thread *t,
                     const struct ptx_inst *in, enum ptx_space space,
                     const uint8_t *mbarrier)
{
    return emu_touch(b, t, in, space, mbarrier, MBARRIER_BYTES,
                     EMU_READS | EMU_WRITES | EMU_STRONG);
}

/* An mbarrier in shared memory learns that bytes have come. */
static void complete_bytes(struct emu_block *b, struct emu_thread *t,
                           const struct ptx_inst *in, uint8_t *mbarrier,
                           uint32_t bytes)
{
    if (may_tell(b, t, in, PTX_SPACE_shared, mbarrier))
        emu_mbarrier_complete(mbarrier, bytes);
}

/* cp.async.mbarrier.arrive; without .noinc it counts itself as pending, too. */
static void arrive_behind(struct emu_block *b, struct emu_thread *t,
                          const struct ptx_inst *in)
{
    uint8_t *mbarrier = address_in(b, t, &in->operand[0], in->space);

    if (may_tell(b, t, in, in->space, mbarrier) && in->flags & PTX_FLAG_noinc)
        emu_mbarrier_arrive(mbarrier, 1);
}

/* Operands: to, from, bytes, and the mbarrier if that is how it completes. */
static void copy_bulk(struct emu_block *b, struct emu_thread *t,
                      const struct ptx_inst *in)
{
    const struct ptx_operand *o = in->operand;
    uint8_t *to = address_in(b, t, &o[0], in->space);
    const uint8_t *from = address_in(b, t, &o[1], in->space2);
    /* The rest is left out, as on hardware. */
    uint32_t bytes = (uint32_t)emu_read(b, t, &o[2], PTX_TYPE_u32) & ~15u;

    if (in->flags & PTX_FLAG_multicast) {
        uint8_t *mbarrier = address_in(b, t, &o[3], PTX_SPACE_shared);
        uint32_t blocks = (uint16_t)emu_read(b, t, &o[4], PTX_TYPE_u16);
        for (uint32_t r = 0; r < b->launch->cluster_blocks; r++) {
            if (!(blocks >> r & 1))
                continue;
            if (may_copy(b, t, in, emu_in_block(b, to, r), from, bytes))
                memcpy(emu_in_block(b, to, r), from, bytes);
            complete_bytes(b, t, in, emu_in_block(b, mbarrier, r), bytes);
        }
        return;
    }
    bool may = may_copy(b, t, in, to, from, bytes);
    if (may && in->flags & PTX_FLAG_reduce)
        reduce_into(in, to, from, bytes);
    else if (may)
        memmove(to, from, bytes);
    if (!(in->flags & PTX_FLAG_bulk_group))
        complete_bytes(b, t, in, address_in(b, t, &o[3], PTX_SPACE_shared),
                       bytes);
}

/* Which copies of cp.async the thread has waited for. */
static void note_order(struct emu_block *b, struct emu_thread *t,
                       const struct ptx_inst *in)
{
    if (in->flags & PTX_FLAG_bulk)
        return;
    bool waits_for_all =
        in->sub == PTX_SUB_wait_all || in->sub == PTX_SUB_mbarrier;
    if (in->sub == PTX_SUB_commit_group || waits_for_all)
        emu_races_commit(b->races, t);
    if (waits_for_all)
        emu_races_wait(b->races, t, 0);
    else if (in->sub == PTX_SUB_wait_group)
        emu_races_wait(b->races, t, (uint32_t)in->operand[0].imm);
}

void emu_copy(struct emu_block *b, struct emu_thread *t,
              const struct ptx_inst *in)
{
    if (b->races)
        note_order(b, t, in);
    if (ptx_only_orders_copies(in) || in->sub == PTX_SUB_prefetch)
        return;
    if (in->sub == PTX_SUB_mbarrier) {
        arrive_behind(b, t, in);
        return;
    }
    if (in->flags & PTX_FLAG_tensor)
        emu_tensor_copy(b, t, in);
    else if (in->flags & PTX_FLAG_bulk)
        copy_bulk(b, t, in);
    else
        copy_small(b, t, in);
}

/* st.async and red.async: [to], value, [mbarrier] */
void emu_store_async(struct emu_block *b, struct emu_thread *t,
                     const struct ptx_inst *in)
{
    const struct ptx_operand *o = in->operand;
    const struct ptx_operand *value = &o[1];
    uint8_t *to = address_in(b, t, &o[0], PTX_SPACE_shared);
    unsigned size = ptx_type_size(in->type[0]);
    unsigned count = ptx_operand_item_count(value);

    bool may = emu_touch(b, t, in, PTX_SPACE_shared, to, size * count,
                         EMU_WRITES | EMU_STRONG);

    for (unsigned i = 0; may && i < count; i++) {
        emu_bits v = emu_read(b, t, ptx_operand_item(value, i), in->type[0]);
        if (in->op == PTX_OP_red)
            emu_atomic(in, to, v, 0);
        else
            emu_store(in->type[0], to + i * size, v);
    }
    complete_bytes(b, t, in, address_in(b, t, &o[2], PTX_SPACE_shared),
                   size * count);
}
