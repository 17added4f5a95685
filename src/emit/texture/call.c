/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Textures and surfaces by a helper: the lanes' handles and coordinates are
 * stored side by side, and it answers for the whole warp (abi/texture.h).
 */
#include "emit/texture/texture.h"

#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"
#include "ptx/texture_form.h"

static_assert(EMIT_MAX_LANES == TEXTURE_LANES, "one request for a warp");

struct request {
    LLVMValueRef memory;
    struct texture_form form;
};

#define FIELD(name) offsetof(struct exec_texture_request, name)
/* Array i of several for all lanes. */
#define WORDS(name, i) (FIELD(name) + (size_t)(i)*4 * TEXTURE_LANES)
#define LONGS(name, i) (FIELD(name) + (size_t)(i)*8 * TEXTURE_LANES)

static LLVMValueRef request_field(struct emit *e, const struct request *r,
                                  size_t offset)
{
    return ir_offset(e, r->memory, (int64_t)offset);
}

static LLVMValueRef as_integer(struct emit *e, LLVMValueRef v)
{
    LLVMTypeRef t = ir_element(v);
    if (t != e->f32 && t != e->f64)
        return v;
    return LLVMBuildBitCast(e->b, v, ir_like(v, t == e->f32 ? e->i32 : e->i64),
                            "");
}

static void put_words(struct emit *e, const struct request *r,
                      const struct ptx_operand *o, unsigned count,
                      size_t offset)
{
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef v =
            emit_read_vector(e, ptx_operand_item(o, i), PTX_TYPE_b32);
        ir_store(e, as_integer(e, v),
                 request_field(e, r, offset + i * 4 * TEXTURE_LANES), 4);
    }
}

static void put_values(struct emit *e, const struct ptx_inst *inst,
                       const struct request *r, const struct ptx_operand *o)
{
    for (unsigned i = 0; i < r->form.count; i++) {
        LLVMValueRef v = as_integer(
            e, emit_read_vector(e, ptx_operand_item(o, i), inst->type[0]));
        ir_store(e, LLVMBuildZExt(e->b, v, ir_like(v, e->i64), ""),
                 request_field(e, r, LONGS(value, i)), 8);
    }
}

static void put_form(struct emit *e, const struct request *r)
{
    const uint8_t *bytes = (const uint8_t *)&r->form;
    for (size_t i = 0; i < sizeof r->form; i++)
        ir_store(e, LLVMConstInt(e->i8, bytes[i], 0),
                 request_field(e, r, FIELD(form) + i), 1);
}

static LLVMValueRef value_of(struct emit *e, LLVMValueRef longs,
                             enum ptx_type type)
{
    if (type == PTX_TYPE_pred)
        return ir_icmp(e, LLVMIntNE, longs, ir_int(longs, 0));
    unsigned bits = 8 * (unsigned)ptx_type_size(type);
    LLVMTypeRef t = LLVMIntTypeInContext(e->cx, bits);
    LLVMTypeRef wanted = emit_type(e, type);
    if (bits < 64)
        longs = LLVMBuildTrunc(e->b, longs, ir_like(longs, t), "");
    return wanted == t
               ? longs
               : LLVMBuildBitCast(e->b, longs, ir_like(longs, wanted), "");
}

/* Converts what the helper returns to the type of the destination's
 * register. */
static void take_values(struct emit *e, const struct ptx_inst *inst,
                        const struct request *r, const struct ptx_operand *o)
{
    LLVMTypeRef longs = ir_like(emit_mask(e), e->i64);
    enum ptx_type type =
        inst->op == PTX_OP_istypep ? PTX_TYPE_pred : inst->type[0];
    for (unsigned i = 0; i < r->form.count; i++) {
        LLVMValueRef v =
            ir_load(e, longs, request_field(e, r, LONGS(value, i)), 8);
        emit_write_vector(e, ptx_operand_item(o, i), value_of(e, v, type),
                          type);
    }
}

/* Stores what a fetch has besides coordinates. */
static void put_fetch(struct emit *e, const struct ptx_inst *inst,
                      const struct request *r)
{
    const struct texture_form *f = &r->form;
    if (f->lod == TEXTURE_LOD_GIVEN)
        put_words(e, r, &inst->operand[3], 1, WORDS(lod, 0));
    for (unsigned k = 0; f->lod == TEXTURE_LOD_GRADIENT && k < 2; k++)
        put_words(e, r, &inst->operand[3 + k], f->dims,
                  WORDS(lod, k * f->dims));
    if (f->offsets)
        put_words(e, r, ptx_texture_offsets(inst), f->offsets,
                  WORDS(offset, 0));
    if (f->has_reference)
        put_words(e, r, ptx_texture_reference(inst), 1, FIELD(reference));
    if (f->has_sampler)
        ir_store(e,
                 emit_read_vector(e, &ptx_texture_operand(inst, 'T')->items[0],
                                  PTX_TYPE_u64),
                 request_field(e, r, FIELD(sampler)), 8);
}

static LLVMValueRef handles_of(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *where = ptx_texture_operand(inst, 'T');
    if (inst->op == PTX_OP_istypep)
        return emit_read_vector(e, &inst->operand[1], PTX_TYPE_u64);
    return emit_real_addresses(e, where ? where : &inst->operand[1],
                               PTX_SPACE_generic);
}

/* One for each function: a request is over when the next one begins. */
static LLVMValueRef request_memory(struct emit *e)
{
    LLVMTypeRef t = LLVMArrayType2(e->i8, sizeof(struct exec_texture_request));
    if (!e->f->texture_request)
        e->f->texture_request = emit_alloca(e, t, 64, "texture");
    return e->f->texture_request;
}

/* tex: d|p, [t, {at}], level; suld: d, [s, {at}]; sust: [s, {at}], values */
static void call_helper(struct emit *e, const struct ptx_inst *inst,
                        struct request *r)
{
    const struct ptx_operand *where = ptx_texture_operand(inst, 'T');
    r->memory = request_memory(e);
    put_form(e, r);
    ir_store(e, emit_mask_bits(e, emit_mask(e)),
             request_field(e, r, FIELD(lanes)), 4);
    ir_store(e, handles_of(e, inst), request_field(e, r, FIELD(handle)), 8);
    if (where)
        put_words(e, r, &where->items[where->item_count - 1], r->form.operands,
                  WORDS(at, 0));
    if (r->form.op <= TEXTURE_GATHER)
        put_fetch(e, inst, r);
    if (r->form.has_level)
        put_words(e, r, &inst->operand[2], 1, WORDS(lod, 0));
    if (where == &inst->operand[0])
        put_values(e, inst, r, &inst->operand[1]);
    EMIT_HELPER(e, texture, e->voidt, &r->memory, 1);
}

void emit_texture_call(struct emit *e, const struct ptx_inst *inst,
                       const struct texture_form *form, LLVMValueRef value[4])
{
    struct request r = {.form = *form};
    LLVMTypeRef longs = ir_like(emit_mask(e), e->i64);
    call_helper(e, inst, &r);
    for (unsigned i = 0; i < form->count; i++)
        value[i] = value_of(
            e, ir_load(e, longs, request_field(e, &r, LONGS(value, i)), 8),
            inst->type[0]);
}

void emit_texture(struct emit *e, const struct ptx_inst *inst)
{
    struct request r;
    if (!ptx_texture_form(inst, &r.form)) {
        emit_refuse(e,
                    "`%s` is not supported: textures of several samples "
                    "are not",
                    inst->spelling);
        return;
    }
    bool is_store = ptx_texture_operand(inst, 'T') == &inst->operand[0];
    if (!emit_texture_fetch(e, inst, &r.form) &&
        !emit_surface(e, inst, &r.form)) {
        call_helper(e, inst, &r);
        if (!is_store)
            take_values(e, inst, &r, &inst->operand[0]);
    }
    if (r.form.op <= TEXTURE_GATHER &&
        inst->operand[1].kind != PTX_OPERAND_none) /* all is resident */
        emit_write_uniform(e, &inst->operand[1], LLVMConstInt(e->i1, 1, 0),
                           PTX_TYPE_pred);
}
