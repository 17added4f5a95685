/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tex by code in the kernel. The texture's descriptor says which of a few paths
 * can read it (enum texture_path); the code tests for those that fit the
 * instruction, once for the warp, and calls the helper for any other texture.
 * Narrow texels share the code that finds them.
 * Which path fits depends on how many channels of the result are read at all: a
 * fetch of one float is not made for textures of four.
 */
#include "emit/texture/texture.h"

#include <stdio.h>

#include "emit/core/address.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"
#include "ptx/texture_form.h"
#include "simt/plan/plan.h"

LLVMValueRef emit_texture_field(struct emit *e, LLVMValueRef texture,
                                size_t offset, LLVMTypeRef type)
{
    LLVMValueRef v =
        ir_load(e, type, ir_offset(e, texture, (int64_t)offset), 4);
    LLVMSetMetadata(v, e->md_invariant, e->md_empty);
    return v;
}

/* ---- what fits ------------------------------------------------------------
 */

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

/* Channels that the texture will have if the result is read by its type. */
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
    const struct ptx_operand *where = ptx_texture_operand(inst, 'T');
    bool is_elements = f->is_integer && f->dims == 1 && !f->has_index;
    return f->op == TEXTURE_FETCH && f->lod == TEXTURE_LOD_NONE &&
           f->result == TEXTURE_RESULT_32 && !f->is_cube && !f->offsets &&
           !f->has_sampler && !f->has_reference &&
           (!f->is_integer || is_elements) && e->lanes == TEXTURE_LANES &&
           e->target->has_avx2 && e->target->has_fma && e->target->has_f16c &&
           inst->operand[0].kind == PTX_OPERAND_vector &&
           emit_texture_is_uniform(e, where);
}

/* ---- the texture ----------------------------------------------------------
 */

/* The object: what the operand says, or what the variable there holds. */
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

LLVMValueRef emit_texture_object(struct emit *e,
                                 const struct ptx_operand *where,
                                 LLVMBasicBlockRef call)
{
    if (e->f->at.mask)
        go_on_if(e, emit_any(e, e->f->at.mask), "texture", call);
    LLVMValueRef t = find_texture(e, where);
    LLVMValueRef null = LLVMConstNull(e->ptr);
    go_on_if(e, ir_icmp(e, LLVMIntNE, t, null), "bound", call);
    LLVMValueRef magic = TEXTURE_FIELD(e, t, magic, e->i64);
    go_on_if(
        e, ir_icmp(e, LLVMIntEQ, magic, LLVMConstInt(e->i64, TEXTURE_MAGIC, 0)),
        "object", call);
    return t;
}

/* ---- paths ----------------------------------------------------------------
 */

struct fetch {
    struct emit_sample as;
    LLVMValueRef path;
    LLVMBasicBlockRef done;
};

/* i1: is the texture narrow, and else as f->as says? */
static LLVMValueRef is_narrow(struct emit *e, const struct fetch *f,
                              uint32_t number)
{
    LLVMValueRef beyond = ir_sub(e, f->path, ir_int(f->path, number));
    return ir_icmp(e, LLVMIntULE, beyond,
                   ir_int(beyond, TEXTURE_PATH_COLORS - TEXTURE_PATH_HALVES));
}

/* Code for one path; goes on where the texture is none of that kind. */
static void emit_path(struct emit *e, struct fetch *f, enum texture_path kind,
                      bool is_linear)
{
    LLVMBasicBlockRef yes = emit_new_block(e, "path");
    LLVMBasicBlockRef no = emit_new_block(e, "other");
    unsigned dims = f->as.dims + (f->as.layer ? TEXTURE_PATH_LAYERED : 0);
    uint32_t number = TEXTURE_PATH(kind, f->as.channels, dims, is_linear);
    f->as.kind = kind;
    f->as.is_linear = is_linear;
    LLVMValueRef test =
        emit_texels_are_narrow(kind)
            ? is_narrow(e, f, number)
            : ir_icmp(e, LLVMIntEQ, f->path, LLVMConstInt(e->i32, number, 0));
    emit_branch(e, test, yes, no, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, yes);
    if (kind == TEXTURE_PATH_ELEMENTS)
        emit_read_elements(e, &f->as);
    else
        emit_find_taps(e, &f->as);
    LLVMBuildBr(e->b, f->done);
    LLVMPositionBuilderAtEnd(e->b, no);
}

/* Leads to f->done, or to f->as.call. */
static void emit_paths(struct emit *e, struct fetch *f)
{
    bool is_float = f->as.element == e->f32;
    bool has_bytes = f->as.channels != 2;
    f->path = TEXTURE_FIELD(e, f->as.texture, path, e->i32);
    if (is_float)
        emit_path(e, f, TEXTURE_PATH_WORDS, true);
    emit_path(e, f, TEXTURE_PATH_WORDS, false);
    if (is_float && has_bytes) {
        emit_path(e, f, TEXTURE_PATH_UNITS, true);
        emit_path(e, f, TEXTURE_PATH_UNITS, false);
    } else if (has_bytes) {
        emit_path(e, f, TEXTURE_PATH_BYTES, false);
    }
    if (is_float) {
        emit_path(e, f, TEXTURE_PATH_HALVES, true);
        emit_path(e, f, TEXTURE_PATH_HALVES, false);
    }
    LLVMBuildBr(e->b, f->as.call);
}

/* ---- samplers -------------------------------------------------------------
 */

/*
 * i1 sampler(texture *, at *, out *, i32 active): the paths are a function of
 * their own, one for all fetches of a kernel that are alike; LLVM puts it where
 * it is called only once. Vectors of coordinates and of channels lie one behind
 * the other. False: the helper is to be called.
 */
#define VECTOR_BYTES (4 * TEXTURE_LANES)

static LLVMTypeRef sampler_type(struct emit *e)
{
    LLVMTypeRef types[] = {e->ptr, e->ptr, e->ptr, e->i32};
    return LLVMFunctionType(e->i1, types, 4, 0);
}

static struct emit_fn *begin_sampler(struct emit *e, LLVMValueRef fn,
                                     bool is_masked)
{
    struct emit_fn *f = arena_new(e->arena, struct emit_fn);
    f->k = e->f->k;
    f->plan = e->f->plan;
    f->value = fn;
    f->at.lane = EMIT_ALL_LANES;
    e->f = f;
    f->blocks.allocas = emit_new_block(e, "entry");
    LLVMBasicBlockRef setup = emit_new_block(e, "setup");
    LLVMPositionBuilderAtEnd(e->b, f->blocks.allocas);
    LLVMBuildBr(e->b, setup);
    LLVMPositionBuilderAtEnd(e->b, setup);
    if (is_masked)
        f->at.mask = emit_mask_of_bits(e, LLVMGetParam(fn, 3));
    return f;
}

static void emit_return(struct emit *e, LLVMBasicBlockRef block, bool value)
{
    LLVMPositionBuilderAtEnd(e->b, block);
    LLVMBuildRet(e->b, LLVMConstInt(e->i1, value, 0));
}

static void emit_sampler(struct emit *e, LLVMValueRef fn,
                         const struct emit_sample *as, bool is_masked)
{
    struct emit_fn *outer = e->f;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    begin_sampler(e, fn, is_masked);
    struct fetch f = {.done = emit_new_block(e, "done"), .as = *as};
    LLVMTypeRef floats = LLVMVectorType(e->f32, e->lanes);
    f.as.call = emit_new_block(e, "call");
    f.as.texture = LLVMGetParam(fn, 0);
    for (unsigned d = 0; d < as->dims; d++)
        f.as.at[d] = ir_load(
            e, floats, ir_offset(e, LLVMGetParam(fn, 1), d * VECTOR_BYTES), 64);
    if (as->layer)
        f.as.layer = ir_load(
            e, ir_like(as->layer, e->i32),
            ir_offset(e, LLVMGetParam(fn, 1), as->dims * VECTOR_BYTES), 64);
    for (unsigned c = 0; c < as->channels; c++)
        f.as.out[c] = ir_offset(e, LLVMGetParam(fn, 2), c * VECTOR_BYTES);
    emit_paths(e, &f);
    emit_return(e, f.done, true);
    emit_return(e, f.as.call, false);
    e->f = outer;
    LLVMPositionBuilderAtEnd(e->b, here);
}

static LLVMValueRef sampler_of(struct emit *e, const struct emit_sample *as)
{
    char name[64];
    bool is_masked = e->f->at.mask;
    snprintf(name, sizeof name, "weft.sampler.%u.%u.%s%s%s", as->dims,
             as->channels, as->element == e->f32 ? "float" : "int",
             as->layer ? ".layered" : "", is_masked ? ".masked" : "");
    LLVMValueRef fn = LLVMGetNamedFunction(e->module, name);
    if (fn)
        return fn;
    fn = LLVMAddFunction(e->module, name, sampler_type(e));
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    emit_attributes_of_all(e, fn);
    emit_add_attribute(e, fn, 1, "noalias", 0);
    emit_add_attribute(e, fn, 2, "noalias", 0);
    emit_add_attribute(e, fn, 3, "noalias", 0);
    emit_sampler(e, fn, as, is_masked);
    return fn;
}

/* Goes on where the sampler has given an answer. */
static void call_sampler(struct emit *e, const struct emit_sample *as,
                         LLVMValueRef out)
{
    LLVMTypeRef floats = LLVMVectorType(e->f32, e->lanes);
    LLVMValueRef at =
        emit_alloca(e, LLVMArrayType2(floats, 4), 64, "coordinates");
    LLVMValueRef active = e->f->at.mask ? emit_mask_bits(e, e->f->at.mask)
                                        : LLVMConstAllOnes(e->i32);
    for (unsigned d = 0; d < as->dims; d++)
        ir_store(e, as->at[d], ir_offset(e, at, d * VECTOR_BYTES), 64);
    if (as->layer)
        ir_store(e, as->layer, ir_offset(e, at, as->dims * VECTOR_BYTES), 64);
    LLVMValueRef args[] = {as->texture, at, out, active};
    LLVMValueRef is_done =
        LLVMBuildCall2(e->b, sampler_type(e), sampler_of(e, as), args, 4, "");
    go_on_if(e, is_done, "sampled", as->call);
}

/* ---- the instruction ------------------------------------------------------
 */

static void emit_elements(struct emit *e, struct fetch *f)
{
    f->path = TEXTURE_FIELD(e, f->as.texture, path, e->i32);
    emit_path(e, f, TEXTURE_PATH_ELEMENTS, false);
    LLVMBuildBr(e->b, f->as.call);
}

static void emit_rows(struct emit *e, struct fetch *f)
{
    bool is_float = f->as.element == e->f32;
    if (f->as.channels != 1 || f->as.dims > 2 || f->as.layer)
        return;
    emit_read_row(e, &f->as, TEXTURE_PATH_WORDS, f->done);
    if (!is_float)
        emit_read_row(e, &f->as, TEXTURE_PATH_BYTES, f->done);
}

static void emit_other(struct emit *e, const struct ptx_inst *inst,
                       const struct texture_form *form, const struct fetch *f)
{
    LLVMValueRef value[4];
    emit_texture_call(e, inst, form, value);
    for (unsigned i = 0; i < f->as.channels; i++)
        ir_store(e, value[i], f->as.out[i], 64);
    LLVMBuildBr(e->b, f->done);
}

static const struct ptx_operand *coordinate(const struct ptx_operand *at,
                                            unsigned i)
{
    return at->kind == PTX_OPERAND_vector ? &at->items[i] : at;
}

static struct fetch make_fetch(struct emit *e, const struct ptx_inst *inst,
                               const struct texture_form *form,
                               LLVMValueRef out)
{
    const struct ptx_operand *where = ptx_texture_operand(inst, 'T');
    const struct ptx_operand *at = &where->items[where->item_count - 1];
    struct fetch f = {
        .done = emit_new_block(e, "fetched"),
        .as =
            {
                .call = emit_new_block(e, "call"),
                .element = emit_type(e, inst->type[0]),
                .dims = form->dims,
                .channels = channels_read(e, &inst->operand[0]),
            },
    };
    for (unsigned i = 0; i < f.as.channels; i++)
        f.as.out[i] = ir_offset(e, out, i * VECTOR_BYTES);
    for (unsigned d = 0; d < form->dims; d++)
        f.as.at[d] = emit_read_vector(e, coordinate(at, d + form->has_index),
                                      inst->type[1]);
    if (form->has_index)
        f.as.layer = emit_read_vector(e, coordinate(at, 0), PTX_TYPE_u32);
    f.as.texture = emit_texture_object(e, where, f.as.call);
    return f;
}

bool emit_texture_fetch(struct emit *e, const struct ptx_inst *inst,
                        const struct texture_form *form)
{
    if (!is_usual(e, inst, form))
        return false;
    LLVMTypeRef vector = LLVMVectorType(emit_type(e, inst->type[0]), e->lanes);
    LLVMValueRef out = emit_alloca(e, LLVMArrayType2(vector, 4), 64, "fetched");
    struct fetch f = make_fetch(e, inst, form, out);
    if (form->is_integer) {
        emit_elements(e, &f);
    } else {
        emit_rows(e, &f);
        call_sampler(e, &f.as, out);
        LLVMBuildBr(e->b, f.done);
    }
    LLVMPositionBuilderAtEnd(e->b, f.as.call);
    emit_other(e, inst, form, &f);
    LLVMPositionBuilderAtEnd(e->b, f.done);
    for (unsigned i = 0; i < f.as.channels; i++)
        emit_write_vector(e, &inst->operand[0].items[i],
                          ir_load(e, vector, f.as.out[i], 64), inst->type[0]);
    return true;
}
