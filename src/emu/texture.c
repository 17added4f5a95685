/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Textures and surfaces: one thread's request, as the first lane of a warp
 * (abi/texture.h).
 */
#include "emu/internal.h"

#include "ptx/texture_form.h"

static const struct ptx_operand *item(const struct ptx_operand *o, unsigned i)
{
    return o->kind == PTX_OPERAND_vector ? &o->items[i] : o;
}

static void read_words(struct emu_block *b, struct emu_thread *t,
                       const struct ptx_operand *o, unsigned count,
                       uint32_t (*to)[TEXTURE_LANES])
{
    for (unsigned i = 0; i < count; i++)
        to[i][0] = (uint32_t)emu_read(b, t, item(o, i), PTX_TYPE_b32);
}

static uint64_t handle_of(struct emu_block *b, struct emu_thread *t,
                          const struct ptx_operand *o)
{
    struct ptx_inst in = {.space = PTX_SPACE_generic};
    return (uintptr_t)emu_address(b, t, &in, o);
}

void emu_texture(struct emu_block *b, struct emu_thread *t,
                 const struct ptx_inst *in)
{
    struct exec_texture_request r = {.lanes = 1};
    const struct ptx_operand *where = ptx_texture_operand(in, 'T');
    bool is_store = where == &in->operand[0];
    const struct texture_form *f = &r.form;

    if (!ptx_texture_form(in, &r.form)) {
        b->launch->helpers->illegal(b->w);
        return;
    }
    r.handle[0] = handle_of(b, t, where ? where : &in->operand[1]);
    if (where)
        read_words(b, t, &where->items[where->item_count - 1], f->operands,
                   r.at);
    if (f->lod == TEXTURE_LOD_GIVEN)
        read_words(b, t, &in->operand[3], 1, r.lod);
    for (unsigned k = 0; f->lod == TEXTURE_LOD_GRADIENT && k < 2; k++)
        read_words(b, t, &in->operand[3 + k], f->dims, &r.lod[k * f->dims]);
    for (unsigned i = 0; is_store && i < f->count; i++)
        r.value[i][0] = emu_read(b, t, item(&in->operand[1], i), in->type[0]);
    b->launch->helpers->texture(b->w, &r);
    for (unsigned i = 0; !is_store && i < f->count; i++)
        emu_write(t, item(&in->operand[0], i), r.value[i][0]);
    if (f->op <= TEXTURE_GATHER && in->operand[1].kind != PTX_OPERAND_none)
        emu_write(t, &in->operand[1], 1);
}
