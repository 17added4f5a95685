/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies by tensor maps, and changes of maps: describes them to the helpers
 * that do them (abi/tensor.h).
 */
#include "emu/check.h"

#include "abi/mbarrier.h"
#include "abi/tensor.h"

static uint64_t address_in(struct emu_block *b, struct emu_thread *t,
                           const struct ptx_operand *o, enum ptx_space space)
{
    struct ptx_inst in = {.space = space};
    return (uintptr_t)emu_address(b, t, &in, o);
}

static enum tensor_kind kind_of(const struct ptx_inst *in)
{
    static const struct {
        enum ptx_sub sub;
        enum tensor_kind kind;
    } reductions[] = {
        {PTX_SUB_add, TENSOR_ADD}, {PTX_SUB_min, TENSOR_MIN},
        {PTX_SUB_max, TENSOR_MAX}, {PTX_SUB_inc, TENSOR_INC},
        {PTX_SUB_dec, TENSOR_DEC}, {PTX_SUB_and, TENSOR_AND},
        {PTX_SUB_or, TENSOR_OR},   {PTX_SUB_xor, TENSOR_XOR},
    };

    if (!(in->flags & PTX_FLAG_reduce))
        return in->space == PTX_SPACE_global ? TENSOR_STORE : TENSOR_LOAD;
    for (size_t i = 0; i < ARRAY_COUNT(reductions); i++)
        if (reductions[i].sub == in->sub)
            return reductions[i].kind;
    return TENSOR_XOR;
}

struct watched {
    struct emu_block *b;
    struct emu_thread *t;
    const struct ptx_inst *in;
    bool is_load, is_bad; /* is_bad: once is enough */
};

/* What of the box is outside of the tensor is no error. */
static bool may_move(void *data, const void *global, unsigned valid,
                     const void *shared)
{
    struct watched *c = data;

    c->is_bad =
        c->is_bad ||
        !emu_touch(c->b, c->t, c->in, PTX_SPACE_global, global, valid,
                   c->is_load ? EMU_READS : EMU_WRITES) ||
        !emu_touch(c->b, c->t, c->in, PTX_SPACE_shared, shared,
                   TENSOR_CHUNK_BYTES, c->is_load ? EMU_WRITES : EMU_READS);
    return !c->is_bad;
}

static bool may_complete(void *data, const void *mbarrier)
{
    struct watched *c = data;

    return emu_touch(c->b, c->t, c->in, PTX_SPACE_shared, mbarrier,
                     MBARRIER_BYTES, EMU_READS | EMU_WRITES | EMU_STRONG);
}

static void copy_watched(struct emu_block *b, struct emu_thread *t,
                         const struct ptx_inst *in,
                         const struct exec_tensor_copy *c)
{
    struct watched data = {b, t, in, c->kind == TENSOR_LOAD, false};
    struct exec_tensor_watch watch = {may_move, may_complete, &data};

    b->launch->helpers->watched_tensor_copy(b->w, c, &watch);
}

void emu_tensor_copy(struct emu_block *b, struct emu_thread *t,
                     const struct ptx_inst *in)
{
    const struct ptx_operand *o = in->operand;
    struct exec_tensor_copy c = {.kind = kind_of(in),
                                 .rank = (uint8_t)in->dims};
    bool is_load = c.kind == TENSOR_LOAD;
    const struct ptx_operand *map = is_load ? &o[1] : &o[0];
    const struct ptx_operand *shared = is_load ? &o[0] : &o[1];
    const struct ptx_operand *next = &o[3];

    for (unsigned i = 0; i < in->dims; i++)
        c.at[i] =
            (int32_t)emu_read(b, t, &map->items[0].items[i], PTX_TYPE_s32);
    c.map = address_in(b, t, map, PTX_SPACE_generic);
    c.shared = address_in(b, t, shared, PTX_SPACE_shared);
    c.is_im2col =
        in->sub == PTX_SUB_im2col || in->sub == PTX_SUB_im2col_no_offs ||
        in->sub2 == PTX_SUB_im2col || in->sub2 == PTX_SUB_im2col_no_offs;
    if (is_load) {
        c.mbarrier = address_in(b, t, &o[2], PTX_SPACE_shared);
        for (unsigned i = 0; c.is_im2col && i + 2 < in->dims; i++)
            c.offset[i] =
                (uint16_t)emu_read(b, t, &next->items[i], PTX_TYPE_u16);
        next += c.is_im2col;
        if (in->flags & PTX_FLAG_multicast)
            c.blocks = (uint16_t)emu_read(b, t, next, PTX_TYPE_u16);
    }
    if (emu_checks_wanted)
        copy_watched(b, t, in, &c);
    else
        b->launch->helpers->tensor_copy(b->w, &c);
}

static void replace_field(struct emu_block *b, struct emu_thread *t,
                          const struct ptx_inst *in)
{
    static const struct {
        enum ptx_sub sub;
        enum tensor_field field;
        unsigned value; /* which operand */
    } fields[] = {
#define FIELD(name, value) {PTX_SUB_##name, TENSOR_FIELD_##name, value},
        FIELD(rank, 1) FIELD(box_dim, 2) FIELD(global_dim, 2)
            FIELD(global_stride, 2) FIELD(element_stride, 2) FIELD(elemtype, 1)
                FIELD(interleave_layout, 1) FIELD(swizzle_mode, 1)
                    FIELD(fill_mode, 1)
#undef FIELD
                        {PTX_SUB_global_address, TENSOR_FIELD_address, 1},
    };
    uint64_t map = (uintptr_t)emu_address(b, t, in, &in->operand[0]);
    unsigned i = 0;

    while (fields[i].sub != in->sub)
        i++;
    enum tensor_field field = fields[i].field;
    unsigned at = fields[i].value;
    uint64_t v = emu_read(b, t, &in->operand[at], PTX_TYPE_b64);
    uint32_t ordinal = at == 2 ? (uint32_t)in->operand[1].imm : 0;
    if (field != TENSOR_FIELD_address && field != TENSOR_FIELD_global_stride)
        v = (uint32_t)v;
    if (field == TENSOR_FIELD_global_stride && /* in units of 16 bytes */
        b->k->func->module->version < 85)
        v <<= 4;
    b->launch->helpers->tensor_replace(b->w, map, field, ordinal, v);
}

void emu_tensormap(struct emu_block *b, struct emu_thread *t,
                   const struct ptx_inst *in)
{
    const struct ptx_operand *o = in->operand;

    if (in->sub != PTX_SUB_tensormap_generic)
        replace_field(b, t, in);
    else /* cp_fenceproxy */
        memcpy((void *)address_in(b, t, &o[0], PTX_SPACE_global),
               (void *)address_in(b, t, &o[1], PTX_SPACE_shared),
               TENSOR_MAP_BYTES);
}
