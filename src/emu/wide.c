/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of 128 bits. Registers hold 64; the upper half of a .b128 register
 * is kept in a second row behind them. Only moves, loads, stores and the
 * exchanging atomics have this type.
 */
#include "emu/internal.h"

#include <stdatomic.h>

static emu_bits *upper_half(struct emu_thread *t, uint32_t reg)
{
    return &t->frame->regs[t->frame->func->reg_count + reg];
}

static unsigned piece_bits(const struct ptx_operand *o)
{
    return 128 / o->item_count;
}

static emu_bits low_mask(unsigned bits)
{
    return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

/* {a, b, ...}: a in the lowest bits. */
static struct emu_wide pack_items(struct emu_block *b, struct emu_thread *t,
                                  const struct ptx_operand *o)
{
    struct emu_wide w = {{0}};
    unsigned bits = piece_bits(o);

    for (unsigned i = 0; i < o->item_count; i++) {
        unsigned at = bits * i;
        emu_bits v = emu_read(b, t, &o->items[i], PTX_TYPE_b64);
        w.half[at / 64] |= (v & low_mask(bits)) << at % 64;
    }
    return w;
}

struct emu_wide emu_read_wide(struct emu_block *b, struct emu_thread *t,
                              const struct ptx_operand *o)
{
    if (o->kind == PTX_OPERAND_vector)
        return pack_items(b, t, o);
    struct emu_wide w = {{emu_read(b, t, o, PTX_TYPE_b64), 0}};
    if (o->kind == PTX_OPERAND_reg &&
        t->frame->func->regs[o->reg].type == PTX_TYPE_b128)
        w.half[1] = *upper_half(t, o->reg);
    return w;
}

void emu_write_wide(struct emu_thread *t, const struct ptx_operand *o,
                    struct emu_wide w)
{
    if (o->kind == PTX_OPERAND_vector) {
        unsigned bits = piece_bits(o);
        for (unsigned i = 0; i < o->item_count; i++)
            emu_write(t, &o->items[i],
                      w.half[bits * i / 64] >> bits * i % 64 & low_mask(bits));
        return;
    }
    emu_write(t, o, w.half[0]);
    if (o->kind == PTX_OPERAND_reg &&
        t->frame->func->regs[o->reg].type == PTX_TYPE_b128)
        *upper_half(t, o->reg) = w.half[1];
}

struct emu_wide emu_load_wide(const uint8_t *p)
{
    struct emu_wide w;

    memcpy(&w, p, sizeof w);
    return w;
}

void emu_store_wide(uint8_t *p, struct emu_wide w)
{
    memcpy(p, &w, sizeof w);
}

/* A lock among all callers, as not every host has an instruction for it. */
struct emu_wide emu_atomic_wide(const struct ptx_inst *in, uint8_t *p,
                                struct emu_wide b, struct emu_wide c)
{
    static atomic_flag lock = ATOMIC_FLAG_INIT;

    /* Pairs with the clear below. */
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        ;
    struct emu_wide old = emu_load_wide(p);
    if (in->sub == PTX_SUB_exch)
        emu_store_wide(p, b);
    else if (memcmp(&old, &b, sizeof old) == 0)
        emu_store_wide(p, c);
    atomic_flag_clear_explicit(&lock, memory_order_release);
    return old;
}
