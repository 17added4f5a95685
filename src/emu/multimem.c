/* SPDX-License-Identifier: Apache-2.0 */
/* multimem: one address stands for a place in the memory of each of several
 * devices; a helper gives those places one after the other. */
#include "emu/internal.h"

enum { MAX_ITEMS = 8 };

/* One element at one device's place: stores or adds *v, or takes what is there
 * into the reduction *v. */
static void at_place(const struct ptx_inst *in, const struct ptx_inst *red,
                     uint8_t *p, bool is_first, emu_bits *v)
{
    if (in->sub == PTX_SUB_red) {
        emu_atomic(red, p, *v, 0);
    } else if (in->sub == PTX_SUB_st) {
        emu_store(in->type[0], p, *v);
    } else {
        emu_bits here = emu_load(in->type[0], p);
        *v = is_first ? here : emu_atomic_value(red, *v, here, 0);
    }
}

void emu_multimem(struct emu_block *b, struct emu_thread *t,
                  const struct ptx_inst *in)
{
    const struct exec_helpers *helpers = b->launch->helpers;
    bool is_load = in->sub == PTX_SUB_ld_reduce;
    const struct ptx_operand *values = &in->operand[!is_load];
    uint64_t at = (uintptr_t)emu_address(b, t, in, &in->operand[is_load]);
    unsigned count = ptx_operand_item_count(values);
    unsigned size_bytes = ptx_type_size(in->type[0]);
    struct ptx_inst red = *in;
    emu_bits v[MAX_ITEMS] = {0};

    assert(count <= MAX_ITEMS);
    red.op = PTX_OP_red;
    red.sub = in->sub2;
    red.space = PTX_SPACE_global;
    for (unsigned i = 0; i < count && !is_load; i++)
        v[i] = emu_read(b, t, ptx_operand_item(values, i), in->type[0]);
    uint64_t p;
    for (uint32_t k = 0; (p = helpers->replica(b->w, at, k)) != 0; k++) {
        for (unsigned i = 0; i < count; i++)
            at_place(in, &red, (uint8_t *)(uintptr_t)(p + i * size_bytes),
                     k == 0, &v[i]);
    }
    for (unsigned i = 0; i < count && is_load; i++)
        emu_write(t, ptx_operand_item(values, i), v[i]);
}
