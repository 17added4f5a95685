/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Textures and surfaces: the lanes' handles and coordinates are written down
 * side by side, and a helper answers for the whole warp (abi/texture.h).
 */
#include "emit/internal.h"
#include "emit/emitters.h"

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

static LLVMValueRef field(struct emit *e, const struct request *r,
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

static const struct ptx_operand *item(const struct ptx_operand *o, unsigned i)
{
    return o->kind == PTX_OPERAND_vector ? &o->items[i] : o;
}

static void put_words(struct emit *e, const struct request *r,
                      const struct ptx_operand *o, unsigned count,
                      size_t offset)
{
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef v = emit_read_vector(e, item(o, i), PTX_TYPE_b32);
        ir_store(e, as_integer(e, v),
                 field(e, r, offset + i * 4 * TEXTURE_LANES), 4);
    }
}

static void put_values(struct emit *e, const struct ptx_inst *inst,
                       const struct request *r, const struct ptx_operand *o)
{
    for (unsigned i = 0; i < r->form.count; i++) {
        LLVMValueRef v =
            as_integer(e, emit_read_vector(e, item(o, i), inst->type[0]));
        ir_store(e, LLVMBuildZExt(e->b, v, ir_like(v, e->i64), ""),
                 field(e, r, LONGS(value, i)), 8);
    }
}

static void put_form(struct emit *e, const struct request *r)
{
    const uint8_t *bytes = (const uint8_t *)&r->form;
    for (size_t i = 0; i < sizeof r->form; i++)
        ir_store(e, LLVMConstInt(e->i8, bytes[i], 0),
                 field(e, r, FIELD(form) + i), 1);
}

/* What the destination's register holds is of the instruction's type. */
static void take_values(struct emit *e, const struct ptx_inst *inst,
                        const struct request *r, const struct ptx_operand *o)
{
    LLVMTypeRef longs = ir_like(emit_mask(e), e->i64);
    LLVMTypeRef wanted = emit_type(e, inst->type[0]);
    for (unsigned i = 0; i < r->form.count; i++) {
        LLVMValueRef v = ir_load(e, longs, field(e, r, LONGS(value, i)), 8);
        unsigned bits = 8 * (unsigned)ptx_type_size(inst->type[0]);
        LLVMTypeRef t = LLVMIntTypeInContext(e->cx, bits);
        if (bits < 64)
            v = LLVMBuildTrunc(e->b, v, ir_like(v, t), "");
        if (wanted != t)
            v = LLVMBuildBitCast(e->b, v, ir_like(v, wanted), "");
        emit_write_vector(e, item(o, i), v, inst->type[0]);
    }
}

static void put_level(struct emit *e, const struct ptx_inst *inst,
                      const struct request *r)
{
    const struct texture_form *f = &r->form;
    if (f->lod == TEXTURE_LOD_GIVEN)
        put_words(e, r, &inst->operand[3], 1, WORDS(lod, 0));
    for (unsigned k = 0; f->lod == TEXTURE_LOD_GRADIENT && k < 2; k++)
        put_words(e, r, &inst->operand[3 + k], f->dims,
                  WORDS(lod, k * f->dims));
}

/* tex: d|p, [t, {at}], level; suld: d, [s, {at}]; sust: [s, {at}], values */
void emit_texture(struct emit *e, const struct ptx_inst *inst)
{
    struct request r;
    if (!ptx_texture_form(inst, &r.form)) {
        emit_refuse(e, "this form of `%s` is not supported", inst->spelling);
        return;
    }
    LLVMTypeRef t = LLVMArrayType2(e->i8, sizeof(struct exec_texture_request));
    const struct ptx_operand *where = ptx_texture_operand(inst, 'T');
    bool is_store = where == &inst->operand[0];
    r.memory = emit_alloca(e, t, 64, "texture");
    put_form(e, &r);
    ir_store(e, emit_mask_bits(e, emit_mask(e)), field(e, &r, FIELD(lanes)), 4);
    ir_store(e,
             emit_real_addresses(e, where ? where : &inst->operand[1],
                                 PTX_SPACE_generic),
             field(e, &r, FIELD(handle)), 8);
    if (where)
        put_words(e, &r, &where->items[where->item_count - 1], r.form.operands,
                  WORDS(at, 0));
    put_level(e, inst, &r);
    if (is_store)
        put_values(e, inst, &r, &inst->operand[1]);
    EMIT_HELPER(e, texture, e->voidt, &r.memory, 1);
    if (!is_store)
        take_values(e, inst, &r, &inst->operand[0]);
    if (r.form.op <= TEXTURE_GATHER &&
        inst->operand[1].kind != PTX_OPERAND_none) /* all is resident */
        emit_write_uniform(e, &inst->operand[1], LLVMConstInt(e->i1, 1, 0),
                           PTX_TYPE_pred);
}
