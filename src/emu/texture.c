/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Textures and surfaces: describes one thread's request to the helper, as that
 * of a warp's first lane (abi/texture.h).
 */
#include "emu/internal.h"

#include "ptx/texture_form.h"

static void read_words(struct emu_block *b, struct emu_thread *t,
                       const struct ptx_operand *o, unsigned count,
                       uint32_t (*to)[TEXTURE_LANES])
{
    for (unsigned i = 0; i < count; i++)
        to[i][0] =
            (uint32_t)emu_read(b, t, ptx_operand_item(o, i), PTX_TYPE_b32);
}

/* The operands of a fetch besides its coordinates. */
static void read_fetch(struct emu_block *b, struct emu_thread *t,
                       const struct ptx_inst *in,
                       struct exec_texture_request *r)
{
    const struct texture_form *f = &r->form;
    if (f->lod == TEXTURE_LOD_GIVEN)
        read_words(b, t, &in->operand[3], 1, r->lod);
    for (unsigned k = 0; f->lod == TEXTURE_LOD_GRADIENT && k < 2; k++)
        read_words(b, t, &in->operand[3 + k], f->dims, &r->lod[k * f->dims]);
    if (f->offsets)
        read_words(b, t, ptx_texture_offsets(in), f->offsets, r->offset);
    if (f->has_reference)
        read_words(b, t, ptx_texture_reference(in), 1, &r->reference);
    if (f->has_sampler)
        r->sampler[0] = emu_read(b, t, &ptx_texture_operand(in, 'T')->items[0],
                                 PTX_TYPE_u64);
}

/* The handle of the texture, surface or sampler that the instruction names. */
static uint64_t handle_of(struct emu_block *b, struct emu_thread *t,
                          const struct ptx_inst *in)
{
    struct ptx_inst generic = {.space = PTX_SPACE_generic};
    const struct ptx_operand *where = ptx_texture_operand(in, 'T');
    if (in->op == PTX_OP_istypep)
        return emu_read(b, t, &in->operand[1], PTX_TYPE_u64);
    return (uintptr_t)emu_address(b, t, &generic,
                                  where ? where : &in->operand[1]);
}

void emu_texture(struct emu_block *b, struct emu_thread *t,
                 const struct ptx_inst *in)
{
    struct exec_texture_request r = {.lanes = 1};
    const struct ptx_operand *where = ptx_texture_operand(in, 'T');
    bool is_store = where == &in->operand[0];
    const struct texture_form *f = &r.form;
    bool is_fetch;

    if (!ptx_texture_form(in, &r.form)) {
        b->launch->helpers->illegal(b->w);
        return;
    }
    is_fetch = f->op <= TEXTURE_GATHER;
    r.handle[0] = handle_of(b, t, in);
    if (where)
        read_words(b, t, &where->items[where->item_count - 1], f->operands,
                   r.at);
    if (is_fetch)
        read_fetch(b, t, in, &r);
    if (f->has_level)
        read_words(b, t, &in->operand[2], 1, r.lod);
    for (unsigned i = 0; is_store && i < f->count; i++)
        r.value[i][0] =
            emu_read(b, t, ptx_operand_item(&in->operand[1], i), in->type[0]);
    b->launch->helpers->texture(b->w, &r);
    for (unsigned i = 0; !is_store && i < f->count; i++)
        emu_write(t, ptx_operand_item(&in->operand[0], i), r.value[i][0]);
    if (is_fetch && in->operand[1].kind != PTX_OPERAND_none)
        emu_write(t, &in->operand[1], 1); /* all is resident */
}
