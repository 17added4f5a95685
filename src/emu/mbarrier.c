/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mbarrier objects. All threads of a block run on one host thread, so plain
 * loads and stores are atomic enough. Waiting never blocks here: a thread asks
 * again, and others get their turns in between.
 */
#include "emu/check.h"

#include "abi/mbarrier.h"

static uint64_t pending_count(uint64_t w)
{
    return w >> MBARRIER_PENDING_SHIFT & MBARRIER_COUNT_MASK;
}

static uint64_t phase_of(uint64_t w)
{
    return w >> MBARRIER_PHASE_SHIFT & MBARRIER_PHASE_MASK;
}

static uint64_t first_state(uint64_t expected, uint64_t in_phase)
{
    return expected | expected << MBARRIER_PENDING_SHIFT |
           (in_phase & MBARRIER_PHASE_MASK) << MBARRIER_PHASE_SHIFT;
}

static uint64_t complete_phase(uint64_t w)
{
    if (pending_count(w) || w >> MBARRIER_TX_SHIFT)
        return w;
    return first_state(w & MBARRIER_COUNT_MASK, phase_of(w) + 1);
}

static void expect_bytes(uint8_t *p, uint32_t bytes)
{
    uint64_t w = emu_load(PTX_TYPE_u64, p);
    emu_store(PTX_TYPE_u64, p, w + ((uint64_t)bytes << MBARRIER_TX_SHIFT));
}

void emu_mbarrier_complete(uint8_t *p, uint32_t bytes)
{
    uint64_t w = emu_load(PTX_TYPE_u64, p);
    w -= (uint64_t)bytes << MBARRIER_TX_SHIFT;
    emu_store(PTX_TYPE_u64, p, complete_phase(w));
}

void emu_mbarrier_arrive(uint8_t *p, uint32_t count)
{
    uint64_t w = emu_load(PTX_TYPE_u64, p);
    w -= (uint64_t)count << MBARRIER_PENDING_SHIFT;
    emu_store(PTX_TYPE_u64, p, complete_phase(w));
}

static uint32_t optional_operand(struct emu_block *b, struct emu_thread *t,
                                 const struct ptx_inst *in, unsigned i,
                                 uint32_t other)
{
    if (i >= in->operand_count || in->operand[i].kind == PTX_OPERAND_none)
        return other;
    return (uint32_t)emu_read(b, t, &in->operand[i], PTX_TYPE_u32);
}

/* The operand that is the address. */
static const struct ptx_operand *mbarrier_of(const struct ptx_inst *in)
{
    switch (in->sub) {
    case PTX_SUB_init:
    case PTX_SUB_inval:
    case PTX_SUB_expect_tx:
    case PTX_SUB_complete_tx:
        return &in->operand[0];
    default:
        return &in->operand[1];
    }
}

static void arrive_at(struct emu_block *b, struct emu_thread *t,
                      const struct ptx_inst *in)
{
    uint8_t *p = emu_address(b, t, in, mbarrier_of(in));
    uint32_t n = optional_operand(b, t, in, 2, 1), count = n;
    uint64_t state = emu_load(PTX_TYPE_u64, p);

    if (in->sub2 == PTX_SUB_expect_tx) {
        expect_bytes(p, n);
        count = 1;
    }
    if (in->sub == PTX_SUB_arrive_drop)
        emu_store(PTX_TYPE_u64, p, emu_load(PTX_TYPE_u64, p) - count);
    emu_mbarrier_arrive(p, count);
    emu_write(t, &in->operand[0], state);
}

static void test_phase(struct emu_block *b, struct emu_thread *t,
                       const struct ptx_inst *in)
{
    const uint8_t *p = emu_address(b, t, in, mbarrier_of(in));
    uint64_t now = phase_of(emu_load(PTX_TYPE_u64, p));
    uint64_t given = emu_read(b, t, &in->operand[2], PTX_TYPE_u64);

    emu_write(t, &in->operand[0],
              in->flags & PTX_FLAG_parity ? (now & 1) != (given & 1)
                                          : now != phase_of(given));
}

static bool may_use(struct emu_block *b, struct emu_thread *t,
                    const struct ptx_inst *in)
{
    unsigned access = EMU_READS | EMU_STRONG;

    if (in->sub == PTX_SUB_pending_count)
        return true;
    if (in->sub != PTX_SUB_test_wait && in->sub != PTX_SUB_try_wait)
        access |= EMU_WRITES;
    return emu_touch(b, t, in, in->space,
                     emu_address(b, t, in, mbarrier_of(in)), MBARRIER_BYTES,
                     access);
}

void emu_mbarrier(struct emu_block *b, struct emu_thread *t,
                  const struct ptx_inst *in)
{
    if (!may_use(b, t, in))
        return;
    switch (in->sub) {
    case PTX_SUB_init:
        emu_store(PTX_TYPE_u64, emu_address(b, t, in, mbarrier_of(in)),
                  first_state(optional_operand(b, t, in, 1, 0), 0));
        break;
    case PTX_SUB_inval:
        break;
    case PTX_SUB_expect_tx:
        expect_bytes(emu_address(b, t, in, mbarrier_of(in)),
                     optional_operand(b, t, in, 1, 0));
        break;
    case PTX_SUB_complete_tx:
        emu_mbarrier_complete(emu_address(b, t, in, mbarrier_of(in)),
                              optional_operand(b, t, in, 1, 0));
        break;
    case PTX_SUB_pending_count:
        emu_write(t, &in->operand[0],
                  pending_count(emu_read(b, t, &in->operand[1], PTX_TYPE_u64)));
        break;
    case PTX_SUB_test_wait:
    case PTX_SUB_try_wait:
        test_phase(b, t, in);
        break;
    default:
        arrive_at(b, t, in);
        break;
    }
}
