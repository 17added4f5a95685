/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fetches with a level of detail, given or by gradients, as in exec's lod.c: a
 * level that a lane of the warp reads is visited once, from the finest on, by
 * the sampler for one level; neighbours seldom read more than three. Between
 * levels, contributions are added up.
 */
#include "emit/texture/texture.h"

#include "emit/core/masks.h"

/* Of all lanes. */
struct levels {
    /* i32: the level, and how much of the next in 1 / 256 */
    LLVMValueRef first, part;
    LLVMValueRef active;
    LLVMValueRef has_part;   /* masks */
    LLVMValueRef is_between; /* i1: for any lane */
};

struct between {
    LLVMValueRef path, at, out, whole;
    LLVMBasicBlockRef failed;
};

static LLVMValueRef all_of(struct emit *e, LLVMValueRef scalar)
{
    return ir_splat(e, scalar, e->lanes);
}

/* As bounded_lod in exec's lod.c. */
static LLVMValueRef bounded_level(struct emit *e, const struct emit_sample *s,
                                  LLVMValueRef lod)
{
    LLVMValueRef more = TEXTURE_FIELD(e, s->texture, lod_more, e->f32);
    LLVMValueRef low = TEXTURE_FIELD(e, s->texture, lod_low, e->f32);
    LLVMValueRef high = TEXTURE_FIELD(e, s->texture, lod_high, e->f32);
    lod = ir_select(e, ir_is_nan(e, lod), ir_real(lod, 0), lod);
    lod = ir_unary(e, "llvm.trunc", ir_fmul(e, lod, ir_real(lod, 256)));
    lod = ir_fmul(e, lod, ir_real(lod, 1.0 / 256));
    lod = ir_fadd(e, lod, all_of(e, more));
    lod = ir_binary(e, "llvm.minnum", lod, all_of(e, high));
    return ir_binary(e, "llvm.maxnum", lod, all_of(e, low));
}

static struct levels find_levels(struct emit *e, const struct emit_sample *s,
                                 LLVMValueRef lod, LLVMValueRef active)
{
    LLVMValueRef test = TEXTURE_FIELD(e, s->texture, is_between, e->i8);
    test = all_of(e, ir_icmp(e, LLVMIntNE, test, ir_int(test, 0)));
    lod = bounded_level(e, s, lod);
    LLVMValueRef fixed =
        ir_unary(e, "llvm.floor", ir_fmul(e, lod, ir_real(lod, 256)));
    LLVMValueRef nearest =
        ir_unary(e, "llvm.floor", ir_fadd(e, lod, ir_real(lod, 0.5)));
    fixed =
        ir_select(e, test, fixed, ir_fmul(e, nearest, ir_real(nearest, 256)));
    fixed = ir_cast(e, LLVMFPToSI, fixed, e->i32);
    struct levels l = {
        .first = ir_ashr(e, fixed, ir_int(fixed, 8)),
        .part = ir_and(e, fixed, ir_int(fixed, 255)),
        .active = emit_mask_of_bits(e, active),
    };
    l.has_part = ir_icmp(e, LLVMIntNE, l.part, ir_int(l.part, 0));
    l.is_between = emit_any(e, ir_and(e, l.active, l.has_part));
    return l;
}

/* The least or the largest level of active lanes. */
static LLVMValueRef outermost_level(struct emit *e, const struct levels *l,
                                    LLVMValueRef level, bool is_least)
{
    LLVMValueRef none = ir_int(level, is_least ? TEXTURE_LEVELS_MAX - 1 : 0);
    LLVMValueRef v = ir_select(e, l->active, level, none);
    LLVMTypeRef type = LLVMTypeOf(v);
    return ir_intrinsic(
        e, is_least ? "llvm.vector.reduce.umin" : "llvm.vector.reduce.umax",
        &type, 1, &v, 1);
}

/* Goes on behind. */
static void sample_one(struct emit *e, const struct emit_sample *s,
                       const struct between *b, LLVMValueRef lanes)
{
    LLVMBasicBlockRef next = emit_new_block(e, "level.done");
    LLVMValueRef is_done =
        emit_sample_level(e, s, b->path, b->at, b->out, lanes);
    emit_branch(e, is_done, next, b->failed, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, next);
}

/* For lanes that read the level; `whole`: its weight in each. */
static void sample_either(struct emit *e, const struct emit_sample *s,
                          const struct levels *l, const struct between *b,
                          LLVMValueRef mask, LLVMValueRef whole)
{
    struct emit_sample one = *s;
    LLVMValueRef lanes = emit_mask_bits(e, mask);
    one.is_level = true;
    if (s->element != e->f32) {
        sample_one(e, &one, b, lanes);
        return;
    }
    LLVMBasicBlockRef single = emit_new_block(e, "single");
    LLVMBasicBlockRef between = emit_new_block(e, "between");
    LLVMBasicBlockRef done = emit_new_block(e, "visited");
    ir_store(e, whole, b->whole, 64);
    emit_branch(e, l->is_between, between, single, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, single);
    sample_one(e, &one, b, lanes);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, between);
    one.whole = b->whole;
    sample_one(e, &one, b, lanes);
    LLVMBuildBr(e->b, done);
    LLVMPositionBuilderAtEnd(e->b, done);
}

/* Visits a level, by its number. */
static void visit_level(struct emit *e, const struct emit_sample *s,
                        const struct levels *l, const struct between *b,
                        LLVMValueRef number)
{
    struct emit_sample one = *s;
    LLVMValueRef all = all_of(e, number);
    LLVMValueRef is_first = ir_icmp(e, LLVMIntEQ, l->first, all);
    LLVMValueRef next = ir_add(e, l->first, ir_int(l->first, 1));
    LLVMValueRef is_second =
        ir_and(e, l->has_part, ir_icmp(e, LLVMIntEQ, next, all));
    LLVMValueRef mask = ir_and(e, l->active, ir_or(e, is_first, is_second));
    LLVMValueRef rest = ir_sub(e, ir_int(l->part, 256), l->part);
    LLVMValueRef whole = ir_select(e, is_first, rest, l->part);
    LLVMBasicBlockRef some = emit_new_block(e, "some");
    LLVMBasicBlockRef none = emit_new_block(e, "visited.all");
    emit_branch(e, emit_any(e, mask), some, none, EMIT_LIKELY);
    LLVMPositionBuilderAtEnd(e->b, some);
    LLVMValueRef bytes = ir_mul(
        e, number, ir_int(number, (int64_t)sizeof(struct texture_level)));
    one.level = ir_offset_by(
        e, ir_offset(e, s->texture, offsetof(struct exec_texture, level)),
        ir_zext(e, bytes, e->i64));
    sample_either(e, &one, l, b, mask, ir_cast(e, LLVMSIToFP, whole, e->f32));
    LLVMBuildBr(e->b, none);
    LLVMPositionBuilderAtEnd(e->b, none);
}

static void visit_all(struct emit *e, const struct emit_sample *s,
                      const struct levels *l, const struct between *b)
{
    LLVMBasicBlockRef head = emit_new_block(e, "level");
    LLVMBasicBlockRef done = emit_new_block(e, "levels.done");
    LLVMValueRef begin = outermost_level(e, l, l->first, true);
    LLVMValueRef more = ir_zext(e, l->has_part, e->i32);
    LLVMValueRef end = outermost_level(e, l, ir_add(e, l->first, more), false);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, head);
    LLVMPositionBuilderAtEnd(e->b, head);
    LLVMValueRef number = LLVMBuildPhi(e->b, e->i32, "");
    visit_level(e, s, l, b, number);
    LLVMValueRef next = ir_add(e, number, ir_int(number, 1));
    LLVMValueRef blocks_next = ir_icmp(e, LLVMIntULE, next, end);
    LLVMValueRef values[] = {begin, next};
    LLVMBasicBlockRef from[] = {before, LLVMGetInsertBlock(e->b)};
    LLVMAddIncoming(number, values, from, 2);
    emit_branch(e, blocks_next, head, done, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, done);
}

static void finish_channels(struct emit *e, const struct emit_sample *s,
                            LLVMValueRef out)
{
    for (unsigned c = 0; c < s->channels; c++) {
        LLVMValueRef p = ir_offset(e, out, c * VECTOR_BYTES);
        LLVMValueRef v = ir_load(e, LLVMVectorType(e->f32, e->lanes), p, 64);
        if (emit_is_aligned(s, c))
            v = emit_finish_aligned(e, s, c, v);
        else
            v = s->kind == TEXTURE_PATH_UNITS ? emit_finish_units(e, v)
                                              : emit_finish_narrow(e, s, c, v);
        ir_store(e, v, p, 64);
    }
}

/* Turns sums into results. */
static void finish_sums(struct emit *e, const struct emit_sample *s,
                        const struct levels *l, const struct between *b)
{
    struct emit_sample as = *s;
    LLVMBasicBlockRef sums = emit_new_block(e, "sums");
    LLVMBasicBlockRef done = emit_new_block(e, "finished");
    emit_branch(e, l->is_between, sums, done, EMIT_EVEN);
    LLVMPositionBuilderAtEnd(e->b, sums);
    LLVMValueRef kind = ir_and(e, b->path, ir_int(b->path, 255));
    LLVMValueRef choice = LLVMBuildSwitch(e->b, kind, done, 5);
    as.whole = b->whole;
    static const enum texture_path kinds[] = {
        TEXTURE_PATH_WORDS, TEXTURE_PATH_UNITS, TEXTURE_PATH_HALVES,
        TEXTURE_PATH_FRACTIONS, TEXTURE_PATH_COLORS};
    for (unsigned i = 0; i < ARRAY_COUNT(kinds); i++) {
        LLVMBasicBlockRef block = emit_new_block(e, "finish");
        LLVMAddCase(choice, ir_int(kind, kinds[i]), block);
        LLVMPositionBuilderAtEnd(e->b, block);
        as.kind = kinds[i];
        finish_channels(e, &as, b->out);
        LLVMBuildBr(e->b, done);
    }
    LLVMPositionBuilderAtEnd(e->b, done);
}

/* i1 (texture *, i32 path, at *, out *, i32 active, lod *) */
static LLVMTypeRef levels_type(struct emit *e)
{
    LLVMTypeRef types[] = {e->ptr, e->i32, e->ptr, e->ptr, e->i32, e->ptr};
    return LLVMFunctionType(e->i1, types, 6, 0);
}

static void emit_levels(struct emit *e, LLVMValueRef fn,
                        const struct emit_sample *as)
{
    struct emit_fn *outer = e->f;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    struct emit_sample s = *as;
    LLVMTypeRef floats = LLVMVectorType(e->f32, e->lanes);
    emit_begin_texture_function(e, fn);
    struct between b = {
        .path = LLVMGetParam(fn, 1),
        .at = LLVMGetParam(fn, 2),
        .out = LLVMGetParam(fn, 3),
        .whole = emit_make_sums(e),
        .failed = emit_new_block(e, "failed"),
    };
    s.texture = LLVMGetParam(fn, 0);
    s.whole = NULL;
    for (unsigned c = 0; c < s.channels; c++)
        ir_store(e, LLVMConstNull(floats),
                 ir_offset(e, b.out, c * VECTOR_BYTES), 64);
    LLVMValueRef lod = ir_load(e, floats, LLVMGetParam(fn, 5), 64);
    struct levels l = find_levels(e, &s, lod, LLVMGetParam(fn, 4));
    visit_all(e, &s, &l, &b);
    if (s.element == e->f32)
        finish_sums(e, &s, &l, &b);
    LLVMBuildRet(e->b, LLVMConstInt(e->i1, 1, 0));
    emit_texture_return(e, b.failed, false);
    e->f = outer;
    LLVMPositionBuilderAtEnd(e->b, here);
}

LLVMValueRef emit_sample_levels(struct emit *e, const struct emit_sample *s,
                                LLVMValueRef path, LLVMValueRef at,
                                LLVMValueRef out, LLVMValueRef active,
                                LLVMValueRef lod)
{
    bool is_new;
    LLVMValueRef fn =
        emit_texture_function(e, "levels", s, true, levels_type(e), &is_new);
    if (is_new)
        emit_levels(e, fn, s);
    LLVMValueRef args[] = {s->texture, path, at, out, active, lod};
    return LLVMBuildCall2(e->b, levels_type(e), fn, args, 6, "");
}
