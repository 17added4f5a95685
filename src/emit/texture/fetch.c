/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tex as code in the kernel: the descriptor is tested once for the warp; a
 * sampler reads the textures that it can (sampler.c), the helper any other.
 * Which path fits depends on how many channels of the result are used: a fetch
 * of one float is not made for textures of four.
 */
#include "emit/texture/texture.h"

#include "emit/core/address.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "emit/memory/memory.h"
#include "ptx/texture_form.h"
#include "simt/plan/plan.h"

/* ---- what fits ---------------------------------------------------------- */

static bool is_read(struct emit *e, const struct ptx_operand *o)
{
    const struct ptx_func *f = e->f->k->func;
    if (o->kind != PTX_OPERAND_reg)
        return false;
    for (size_t i = 0; i < f->inst_count; i++)
        if (ptx_uses(&f->insts[i], o->reg))
            return true;
    return false;
}

/* Number of channels that the texture has if the result is used by its
 * type. */
static unsigned channels_read(struct emit *e, const struct ptx_operand *to)
{
    unsigned count = 0;
    for (unsigned i = 0; i < to->item_count; i++)
        if (is_read(e, &to->items[i]))
            count = i + 1;
    return count < 2 ? 1 : count == 2 ? 2 : 4;
}

bool emit_texture_is_uniform(struct emit *e, const struct ptx_operand *where)
{
    if (where->reg == PTX_NO_REG)
        return true;
    return simt_is_uniform(e->f->regs[where->reg].shape) &&
           !emit_ok(e, where->reg);
}

static bool is_usual(struct emit *e, const struct ptx_inst *inst,
                     const struct texture_form *f)
{
    bool is_elements = f->is_integer && f->dims == 1 && !f->has_index;
    bool is_gather = f->op == TEXTURE_GATHER && !f->lod;
    return (f->op == TEXTURE_FETCH || is_gather) &&
           f->result == TEXTURE_RESULT_32 && !f->has_sampler &&
           !f->has_reference &&
           (!f->is_integer || (is_elements && !f->lod && !f->offsets)) &&
           e->lanes == TEXTURE_LANES && e->target->has_avx2 &&
           e->target->has_fma && e->target->has_f16c &&
           inst->operand[0].kind == PTX_OPERAND_vector;
}

/* ---- the texture -------------------------------------------------------- */

/* The texture object: the operand, or what the variable there holds. */
static LLVMValueRef find_texture(struct emit *e,
                                 const struct ptx_operand *where)
{
    LLVMValueRef p = emit_pointer(e, where, PTX_SPACE_generic, 0, 0);
    if (where->reg != PTX_NO_REG)
        return p;
    LLVMValueRef held = ir_load(e, e->ptr, p, 8);
    LLVMSetMetadata(held, e->md_invariant, e->md_empty);
    return held;
}

static void go_on_if(struct emit *e, LLVMValueRef test, const char *name,
                     LLVMBasicBlockRef other)
{
    LLVMBasicBlockRef next = emit_new_block(e, name);
    emit_branch(e, test, next, other, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, next);
}

/* Goes on if it is one. */
static void test_object(struct emit *e, LLVMValueRef t, LLVMBasicBlockRef call)
{
    LLVMValueRef handle = LLVMBuildPtrToInt(e->b, t, e->i64, "");
    go_on_if(e,
             ir_icmp(e, LLVMIntUGE, handle, ir_int(handle, TEXTURE_HANDLE_MIN)),
             "bound", call);
    LLVMValueRef magic = TEXTURE_FIELD(e, t, magic, e->i64);
    go_on_if(
        e, ir_icmp(e, LLVMIntEQ, magic, LLVMConstInt(e->i64, TEXTURE_MAGIC, 0)),
        "object", call);
}

LLVMValueRef emit_texture_object(struct emit *e,
                                 const struct ptx_operand *where,
                                 LLVMBasicBlockRef call)
{
    if (e->f->at.mask)
        go_on_if(e, emit_any(e, e->f->at.mask), "texture", call);
    LLVMValueRef t = find_texture(e, where);
    test_object(e, t, call);
    return t;
}

/* ---- the instruction ---------------------------------------------------- */

struct fetch {
    const struct ptx_inst *inst;
    const struct texture_form *form;
    struct emit_sample as;
    LLVMValueRef out;       /* vectors of the channels, for samplers */
    LLVMValueRef result[4]; /* the same as variables of the kernel */
    const struct ptx_operand *at[3];
    LLVMBasicBlockRef done;
};

static void emit_elements(struct emit *e, struct fetch *f)
{
    LLVMValueRef path = TEXTURE_FIELD(e, f->as.texture, path, e->i32);
    uint32_t number =
        TEXTURE_PATH(TEXTURE_PATH_ELEMENTS, f->as.channels, 1, false);
    f->as.kind = TEXTURE_PATH_ELEMENTS;
    go_on_if(e, ir_icmp(e, LLVMIntEQ, path, ir_int(path, number)), "elements",
             f->as.call);
    memcpy(f->as.out, f->result, sizeof f->result);
    emit_read_elements(e, &f->as);
}

static void emit_rows(struct emit *e, struct fetch *f)
{
    bool is_float = f->as.element == e->f32;
    struct emit_sample row = f->as;
    if (row.channels != 1 || row.dims > 2 || row.layer || f->form->lod ||
        f->form->offsets)
        return;
    row.out[0] = f->result[0];
    emit_read_row(e, &row, f->at, TEXTURE_PATH_WORDS, f->done);
    if (!is_float)
        emit_read_row(e, &row, f->at, TEXTURE_PATH_BYTES, f->done);
}

/* Stores the level of detail of each lane and returns where; goes on where
 * there is one. */
static LLVMValueRef emit_lods(struct emit *e, struct fetch *f,
                              LLVMValueRef active)
{
    const struct ptx_operand *operand = f->inst->operand;
    unsigned dims = f->form->dims;
    LLVMValueRef gradient[9];
    LLVMTypeRef floats = LLVMVectorType(e->f32, e->lanes);
    LLVMValueRef lod = emit_alloca(e, floats, 64, "lod");
    if (f->form->lod == TEXTURE_LOD_GIVEN) {
        ir_store(e, emit_read_vector(e, &operand[3], PTX_TYPE_f32), lod, 64);
        return lod;
    }
    if (dims == 2) { /* along an ellipse: the helper's */
        LLVMValueRef most =
            TEXTURE_FIELD(e, f->as.texture, max_anisotropy, e->i32);
        go_on_if(e, ir_icmp(e, LLVMIntULE, most, ir_int(most, 1)), "isotropic",
                 f->as.call);
    }
    for (unsigned i = 0; i < 2 * dims; i++)
        gradient[i] = emit_read_vector(
            e, ptx_operand_item(&operand[3 + i / dims], i % dims),
            PTX_TYPE_f32);
    for (unsigned d = 0; f->form->is_cube && d < 3; d++)
        gradient[6 + d] = emit_read_vector(e, f->at[d], PTX_TYPE_f32);
    go_on_if(e,
             emit_lod_of_gradients(e, f->as.texture, dims, f->form->is_cube,
                                   gradient, lod, active),
             "detail", f->as.call);
    return lod;
}

/* Goes on where there is a result. */
static void emit_sample(struct emit *e, struct fetch *f)
{
    bool has_lod = f->form->lod;
    LLVMValueRef path =
        has_lod ? TEXTURE_FIELD(e, f->as.texture, level_path, e->i32)
                : TEXTURE_FIELD(e, f->as.texture, path, e->i32);
    LLVMValueRef active = e->f->at.mask ? emit_mask_bits(e, e->f->at.mask)
                                        : LLVMConstAllOnes(e->i32);
    LLVMValueRef is_done;
    if (f->form->is_cube) { /* from here on it is layered */
        path = ir_xor(e, path, ir_int(path, TEXTURE_PATH_CUBE << 16));
        emit_find_faces(e, &f->as);
    }
    LLVMValueRef at = emit_store_coordinates(e, &f->as);
    if (has_lod) {
        LLVMValueRef lod = emit_lods(e, f, active);
        is_done = emit_sample_levels(e, &f->as, path, at, f->out, active, lod);
    } else {
        is_done = emit_sample_level(e, &f->as, path, at, f->out, active);
    }
    go_on_if(e, is_done, "sampled", f->as.call);
    for (unsigned i = 0; i < f->as.channels; i++) {
        LLVMTypeRef vector = LLVMVectorType(f->as.element, e->lanes);
        ir_store(e, ir_load(e, vector, f->as.out[i], 64), f->result[i], 64);
    }
}

static void emit_other(struct emit *e, const struct fetch *f)
{
    LLVMValueRef value[4];
    emit_texture_call(e, f->inst, f->form, value);
    for (unsigned i = 0; i < f->as.channels; i++)
        ir_store(e, value[i], f->result[i], 64);
    LLVMBuildBr(e->b, f->done);
}

/* Offsets keep their lowest bits. */
static void read_offsets(struct emit *e, struct fetch *f)
{
    int spare = 32 - (f->form->op == TEXTURE_GATHER ? GATHER_OFFSET_BITS
                                                    : TEXTURE_OFFSET_BITS);
    for (unsigned d = 0; d < f->form->offsets; d++) {
        LLVMValueRef v = emit_read_vector(
            e, ptx_operand_item(ptx_texture_offsets(f->inst), d), PTX_TYPE_s32);
        LLVMValueRef by = ir_int(v, spare);
        f->as.offset[d] = ir_ashr(e, ir_shl(e, v, by), by);
    }
}

/* From the texture, or (NULL) from the one that all lanes mean. */
static struct fetch make_fetch(struct emit *e, const struct ptx_inst *inst,
                               const struct texture_form *form,
                               LLVMValueRef texture)
{
    const struct ptx_operand *where = ptx_texture_operand(inst, 'T');
    LLVMTypeRef vector = LLVMVectorType(emit_type(e, inst->type[0]), e->lanes);
    LLVMValueRef out = emit_alloca(e, LLVMArrayType2(vector, 4), 64, "fetched");
    const struct ptx_operand *at = &where->items[where->item_count - 1];
    struct fetch f = {
        .inst = inst,
        .form = form,
        .out = out,
        .done = emit_new_block(e, "fetched"),
        .as =
            {
                .call = emit_new_block(e, "call"),
                .element = emit_type(e, inst->type[0]),
                .dims = form->dims,
                .channels = form->op == TEXTURE_GATHER
                                ? 4
                                : channels_read(e, &inst->operand[0]),
                .component =
                    form->op == TEXTURE_GATHER ? form->component + 1u : 0,
            },
    };
    for (unsigned i = 0; i < f.as.channels; i++)
        f.as.out[i] = ir_offset(e, out, i * VECTOR_BYTES);
    for (unsigned i = 0; i < f.as.channels; i++)
        f.result[i] = emit_alloca(e, vector, 64, "result");
    for (unsigned d = 0; d < form->dims; d++) {
        f.at[d] = ptx_operand_item(at, d + form->has_index);
        f.as.at[d] = emit_read_vector(e, f.at[d], inst->type[1]);
    }
    if (form->has_index)
        f.as.layer = emit_read_vector(e, ptx_operand_item(at, 0), PTX_TYPE_u32);
    if (texture)
        test_object(e, texture, f.as.call);
    f.as.texture = texture ? texture : emit_texture_object(e, where, f.as.call);
    f.as.level =
        ir_offset(e, f.as.texture,
                  f.as.component ? offsetof(struct exec_texture, level)
                                 : offsetof(struct exec_texture, start));
    read_offsets(e, &f);
    return f;
}

/* All of it; what it gives is in f.result. */
static struct fetch emit_whole_fetch(struct emit *e,
                                     const struct ptx_inst *inst,
                                     const struct texture_form *form,
                                     LLVMValueRef texture)
{
    struct fetch f = make_fetch(e, inst, form, texture);
    if (form->is_integer) {
        emit_elements(e, &f);
    } else {
        emit_rows(e, &f);
        emit_sample(e, &f);
    }
    LLVMBuildBr(e->b, f.done);
    LLVMPositionBuilderAtEnd(e->b, f.as.call);
    emit_other(e, &f);
    LLVMPositionBuilderAtEnd(e->b, f.done);
    return f;
}

static void write_results(struct emit *e, const struct ptx_inst *inst,
                          LLVMValueRef *result, unsigned count)
{
    LLVMTypeRef vector = LLVMVectorType(emit_type(e, inst->type[0]), e->lanes);
    for (unsigned i = 0; i < count; i++)
        emit_write_vector(e, &inst->operand[0].items[i],
                          ir_load(e, vector, result[i], 64), inst->type[0]);
}

/* ---- lanes that mean different textures -----------------------------------
 *
 * The texture of the first lane that is left is read for all lanes that mean
 * it, until none is left.
 */

/* In the body of a loop over lanes: those that mean the lane's texture. */
static LLVMValueRef take_alike(struct emit *e, struct emit_lane_loop *loop,
                               LLVMValueRef handles, LLVMValueRef handle)
{
    LLVMValueRef alike =
        ir_icmp(e, LLVMIntEQ, handles, ir_splat(e, handle, e->lanes));
    LLVMValueRef one =
        LLVMBuildShl(e->b, LLVMConstInt(e->i32, 1, 0), loop->lane, "");
    LLVMValueRef rest = ir_load(e, e->i32, loop->bits_var, 0);
    LLVMValueRef bits = emit_mask_bits(e, alike);
    LLVMValueRef taken = ir_and(e, ir_or(e, rest, one), bits);
    ir_store(e, ir_and(e, rest, ir_not(e, bits)), loop->bits_var, 0);
    return emit_mask_of_bits(e, taken);
}

static void emit_mixed_fetch(struct emit *e, const struct ptx_inst *inst,
                             const struct texture_form *form)
{
    const struct ptx_operand *where = ptx_texture_operand(inst, 'T');
    LLVMValueRef handles = emit_real_addresses(e, where, PTX_SPACE_generic);
    LLVMValueRef memory = emit_spill(e, handles), mask = e->f->at.mask, all[4];
    LLVMTypeRef vector = LLVMVectorType(emit_type(e, inst->type[0]), e->lanes);
    struct emit_lane_loop loop;
    for (unsigned i = 0; i < 4; i++) {
        all[i] = emit_alloca(e, vector, 64, "mixed");
        ir_store(e, LLVMConstNull(vector), all[i], 64);
    }
    emit_lane_loop_begin(e, &loop, emit_mask(e));
    LLVMValueRef handle = emit_spilled_lane(e, memory, e->i64, loop.lane);
    LLVMValueRef alike = take_alike(e, &loop, handles, handle);
    e->f->at.mask = alike;
    struct fetch f = emit_whole_fetch(
        e, inst, form, LLVMBuildIntToPtr(e->b, handle, e->ptr, ""));
    for (unsigned i = 0; i < f.as.channels; i++) {
        LLVMValueRef v = ir_load(e, vector, f.result[i], 64);
        LLVMValueRef others = ir_load(e, vector, all[i], 64);
        ir_store(e, ir_select(e, alike, v, others), all[i], 64);
    }
    e->f->at.mask = mask;
    emit_lane_loop_end(e, &loop);
    write_results(e, inst, all, f.as.channels);
}

bool emit_texture_fetch(struct emit *e, const struct ptx_inst *inst,
                        const struct texture_form *form)
{
    if (!is_usual(e, inst, form))
        return false;
    if (!emit_texture_is_uniform(e, ptx_texture_operand(inst, 'T'))) {
        emit_mixed_fetch(e, inst, form);
        return true;
    }
    struct fetch f = emit_whole_fetch(e, inst, form, NULL);
    write_results(e, inst, f.result, f.as.channels);
    return true;
}
