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

/* At least so many bytes of shared memory are the box, padding of its rows not
 * counted. */
static size_t box_bytes(const struct tensor_map *m)
{
    size_t bytes =
        m->interleave ? 16u * m->interleave : tensor_type_size(m->type);

    if (m->is_im2col)
        return m->interleave ? bytes : bytes * m->channels * m->pixels;
    for (unsigned i = 0; i < m->rank; i++) {
        if (m->interleave && i == m->rank - 2u)
            continue;
        bytes *= i == 0 && !m->interleave
                     ? m->box[0]
                     : (m->box[i] + m->step[i] - 1u) / m->step[i];
    }
    return bytes;
}

/* What of the box is outside of the tensor is no error; the tensor's memory is
 * checked at its first byte and in its last line. */
static bool may_copy(struct emu_block *b, struct emu_thread *t,
                     const struct ptx_inst *in,
                     const struct exec_tensor_copy *c)
{
    struct tensor_map m;
    bool is_load = c->kind == TENSOR_LOAD;
    unsigned access = is_load ? EMU_READS : EMU_WRITES;

    if (!emu_checks_wanted)
        return true;
    memcpy(&m, (const void *)(uintptr_t)c->map, sizeof m);
    if (m.magic != TENSOR_MAP_MAGIC)
        return true; /* the helper refuses it */
    uint64_t last = m.address;
    for (unsigned i = 1; i < m.rank; i++)
        last += (uint64_t)(m.dim[i] - 1) * m.stride[i - 1];
    return emu_touch(b, t, in, PTX_SPACE_global,
                     (const uint8_t *)(uintptr_t)m.address, 1, access) &&
           emu_touch(b, t, in, PTX_SPACE_global,
                     (const uint8_t *)(uintptr_t)last, 1, access) &&
           emu_touch(b, t, in, PTX_SPACE_shared,
                     (const uint8_t *)(uintptr_t)c->shared, box_bytes(&m),
                     is_load ? EMU_WRITES : EMU_READS) &&
           (!is_load ||
            emu_touch(b, t, in, PTX_SPACE_shared,
                      (const uint8_t *)(uintptr_t)c->mbarrier, MBARRIER_BYTES,
                      EMU_READS | EMU_WRITES | EMU_STRONG));
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
    if (may_copy(b, t, in, &c))
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
