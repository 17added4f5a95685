/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samplers: code that reads one level of a texture for a warp. The descriptor
 * says which of a few paths can read the texture (enum texture_path); a
 * sampler has the paths that fit the instruction, and tests once for the warp
 * which one it is. Narrow texels share the code that finds them. A sampler is
 * a function for all similar fetches of a kernel; LLVM inlines it if it is
 * called only once.
 */
#include "emit/texture/texture.h"

#include <stdio.h>

#include "emit/core/control.h"
#include "emit/core/launch.h"
#include "emit/core/masks.h"
#include "emit/core/values.h"

/* ---- paths -------------------------------------------------------------- */

struct paths {
    struct emit_sample as;
    LLVMValueRef path;
    LLVMBasicBlockRef done;
};

/* i1: is the texture narrow, and otherwise as f->as says? */
static LLVMValueRef is_narrow(struct emit *e, const struct paths *f,
                              uint32_t number)
{
    LLVMValueRef beyond = ir_sub(e, f->path, ir_int(f->path, number));
    return ir_icmp(e, LLVMIntULE, beyond,
                   ir_int(beyond, TEXTURE_PATH_COLORS - TEXTURE_PATH_HALVES));
}

/* i1: has the texture words or bytes, and the component? A gather does not
 * depend on the filter. */
static LLVMValueRef has_component(struct emit *e, const struct paths *f,
                                  uint32_t number)
{
    const uint32_t linear = TEXTURE_PATH(0, 0, 0, true);
    const uint32_t channels = TEXTURE_PATH(0, 255, 0, false);
    LLVMValueRef alike =
        ir_and(e, f->path, ir_int(f->path, (int64_t) ~(linear | channels)));
    LLVMValueRef count = ir_and(e, f->path, ir_int(f->path, channels));
    LLVMValueRef least =
        ir_int(count, TEXTURE_PATH(0, f->as.component, 0, false));
    return ir_and(e,
                  ir_icmp(e, LLVMIntEQ, alike, ir_int(alike, number & ~linear)),
                  ir_icmp(e, LLVMIntUGE, count, least));
}

/* The same for narrow texels other than colors. */
static LLVMValueRef has_narrow_component(struct emit *e, const struct paths *f,
                                         unsigned dims)
{
    uint32_t halves = TEXTURE_PATH(TEXTURE_PATH_HALVES, 0, dims, false);
    uint32_t fractions = TEXTURE_PATH(TEXTURE_PATH_FRACTIONS, 0, dims, false);
    return ir_or(e, has_component(e, f, halves),
                 has_component(e, f, fractions));
}

/* Code for one path; goes on where the texture is of another kind. */
static void emit_path(struct emit *e, struct paths *f, enum texture_path kind,
                      bool is_linear)
{
    LLVMBasicBlockRef yes = emit_new_block(e, "path");
    LLVMBasicBlockRef no = emit_new_block(e, "other");
    unsigned dims = f->as.dims + (f->as.layer ? TEXTURE_PATH_LAYERED : 0);
    uint32_t number = TEXTURE_PATH(kind, f->as.channels, dims, is_linear);
    f->as.kind = kind;
    f->as.is_linear = is_linear;
    LLVMValueRef test =
        f->as.component && emit_texels_are_narrow(kind)
            ? has_narrow_component(e, f, dims)
        : f->as.component
            ? has_component(e, f, TEXTURE_PATH(kind, 0, dims, false))
        : emit_texels_are_narrow(kind)
            ? is_narrow(e, f, number)
            : ir_icmp(e, LLVMIntEQ, f->path, LLVMConstInt(e->i32, number, 0));
    emit_branch(e, test, yes, no, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, yes);
    emit_find_taps(e, &f->as);
    LLVMBuildBr(e->b, f->done);
    LLVMPositionBuilderAtEnd(e->b, no);
}

/* Branches to f->done, or to f->as.call. */
static void emit_paths(struct emit *e, struct paths *f)
{
    bool is_float = f->as.element == e->f32;
    bool has_bytes = f->as.channels != 2;
    if (f->as.component) {
        emit_path(e, f, TEXTURE_PATH_WORDS, true);
        emit_path(e, f, is_float ? TEXTURE_PATH_UNITS : TEXTURE_PATH_BYTES,
                  true);
        if (is_float)
            emit_path(e, f, TEXTURE_PATH_HALVES, true);
        LLVMBuildBr(e->b, f->as.call);
        return;
    }
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

/* ---- samplers ----------------------------------------------------------- */

static LLVMTypeRef sampler_type(struct emit *e)
{
    LLVMTypeRef types[] = {e->ptr, e->ptr, e->i32, e->ptr,
                           e->ptr, e->i32, e->ptr};
    return LLVMFunctionType(e->i1, types, 7, 0);
}

void emit_begin_texture_function(struct emit *e, LLVMValueRef fn)
{
    struct emit_fn *f = arena_new(e->arena, struct emit_fn);
    f->k = e->f->k;
    f->plan = e->f->plan;
    f->value = fn;
    f->at.lane = EMIT_ALL_LANES;
    e->f = f;
    emit_begin_blocks(e);
}

void emit_texture_return(struct emit *e, LLVMBasicBlockRef block, bool value)
{
    LLVMPositionBuilderAtEnd(e->b, block);
    LLVMBuildRet(e->b, LLVMConstInt(e->i1, value, 0));
}

void emit_load_coordinates(struct emit *e, LLVMValueRef at,
                           struct emit_sample *s)
{
    LLVMTypeRef floats = LLVMVectorType(e->f32, e->lanes);
    LLVMTypeRef words = LLVMVectorType(e->i32, e->lanes);
    for (unsigned d = 0; d < s->dims; d++)
        s->at[d] = ir_load(e, floats, ir_offset(e, at, d * VECTOR_BYTES), 64);
    if (s->layer)
        s->layer =
            ir_load(e, words, ir_offset(e, at, s->dims * VECTOR_BYTES), 64);
    for (unsigned d = 0; d < 3; d++)
        if (s->offset[d])
            s->offset[d] =
                ir_load(e, words, ir_offset(e, at, (4 + d) * VECTOR_BYTES), 64);
}

LLVMValueRef emit_store_coordinates(struct emit *e, const struct emit_sample *s)
{
    LLVMTypeRef floats = LLVMVectorType(e->f32, e->lanes);
    LLVMValueRef at =
        emit_alloca(e, LLVMArrayType2(floats, 7), 64, "coordinates");
    for (unsigned d = 0; d < s->dims; d++)
        ir_store(e, s->at[d], ir_offset(e, at, d * VECTOR_BYTES), 64);
    if (s->layer)
        ir_store(e, s->layer, ir_offset(e, at, s->dims * VECTOR_BYTES), 64);
    for (unsigned d = 0; d < 3; d++)
        if (s->offset[d])
            ir_store(e, s->offset[d], ir_offset(e, at, (4 + d) * VECTOR_BYTES),
                     64);
    return at;
}

static void emit_sampler(struct emit *e, LLVMValueRef fn,
                         const struct emit_sample *as, bool is_masked)
{
    struct emit_fn *outer = e->f;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    emit_begin_texture_function(e, fn);
    if (is_masked)
        e->f->at.mask = emit_mask_of_bits(e, LLVMGetParam(fn, 5));
    struct paths f = {.done = emit_new_block(e, "done"), .as = *as};
    f.as.call = emit_new_block(e, "call");
    f.as.texture = LLVMGetParam(fn, 0);
    f.as.level = LLVMGetParam(fn, 1);
    f.path = LLVMGetParam(fn, 2);
    f.as.whole = as->whole ? LLVMGetParam(fn, 6) : NULL;
    emit_load_coordinates(e, LLVMGetParam(fn, 3), &f.as);
    for (unsigned c = 0; c < as->channels; c++)
        f.as.out[c] = ir_offset(e, LLVMGetParam(fn, 4), c * VECTOR_BYTES);
    emit_paths(e, &f);
    emit_texture_return(e, f.done, true);
    emit_texture_return(e, f.as.call, false);
    e->f = outer;
    LLVMPositionBuilderAtEnd(e->b, here);
}

LLVMValueRef emit_texture_function(struct emit *e, const char *kind,
                                   const struct emit_sample *as, bool is_masked,
                                   LLVMTypeRef type, bool *is_new)
{
    char name[64];
    snprintf(name, sizeof name, "weft.%s.%u.%u.%s%s%s%s", kind, as->dims,
             as->component ? as->component : as->channels,
             as->element == e->f32 ? "float" : "int",
             as->layer ? ".layered" : "", as->offset[0] ? ".offset" : "",
             is_masked ? ".masked" : "");
    LLVMValueRef fn = LLVMGetNamedFunction(e->module, name);
    *is_new = !fn;
    if (fn)
        return fn;
    fn = LLVMAddFunction(e->module, name, type);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    emit_attributes_of_all(e, fn);
    for (unsigned i = 0; i < LLVMCountParams(fn); i++)
        if (LLVMTypeOf(LLVMGetParam(fn, i)) == e->ptr)
            emit_add_attribute(e, fn, i + 1, "noalias", 0);
    return fn;
}

LLVMValueRef emit_sample_level(struct emit *e, const struct emit_sample *as,
                               LLVMValueRef path, LLVMValueRef at,
                               LLVMValueRef out, LLVMValueRef active)
{
    bool is_new, is_masked = e->f->at.mask || as->is_level;
    const char *kind = as->component  ? "gather"
                       : as->whole    ? "sampler.between"
                       : as->is_level ? "sampler.level"
                                      : "sampler";
    LLVMValueRef fn =
        emit_texture_function(e, kind, as, is_masked, sampler_type(e), &is_new);
    if (is_new)
        emit_sampler(e, fn, as, is_masked);
    LLVMValueRef whole = as->whole ? as->whole : LLVMConstNull(e->ptr);
    LLVMValueRef args[] = {as->texture, as->level, path, at,
                           out,         active,    whole};
    return LLVMBuildCall2(e->b, sampler_type(e), fn, args, 7, "");
}
