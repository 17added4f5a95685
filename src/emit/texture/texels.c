/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texels of all lanes, and what filters make of them, bit by bit as
 * exec's sampler.c. Weights are multiples of 1 / 256, kept as floats, in which
 * all operations on them are exact.
 */
#include "emit/texture/texture.h"

#include "emit/core/masks.h"

/* A value for each channel. */
struct texel {
    LLVMValueRef channel[4];
};

static LLVMValueRef data_of(struct emit *e, const struct emit_sample *s)
{
    return LEVEL_FIELD(e, s, data, e->ptr);
}

/* ---- loads -------------------------------------------------------------- */

static LLVMValueRef load_row(struct emit *e, const struct emit_sample *s,
                             const struct emit_taps *t, unsigned i,
                             LLVMTypeRef element)
{
    LLVMValueRef p = ir_offset_by(e, data_of(e, s), t->row[i]);
    return ir_load(e, LLVMVectorType(element, t->lanes), p, 1);
}

/* LLVM takes AVX2's gathers for slow and makes a load for each lane. */
static LLVMValueRef gather_eight(struct emit *e, LLVMValueRef base,
                                 LLVMValueRef offsets, LLVMTypeRef element)
{
    bool is_float = element == e->f32;
    LLVMTypeRef t = ir_like(offsets, element);
    LLVMValueRef all = LLVMConstAllOnes(ir_like(offsets, e->i32));
    if (is_float)
        all = LLVMConstBitCast(all, t);
    LLVMValueRef args[] = {LLVMConstNull(t), base, offsets, all,
                           LLVMConstInt(e->i8, 1, 0)};
    return ir_intrinsic(e,
                        is_float ? "llvm.x86.avx2.gather.d.ps.256"
                                 : "llvm.x86.avx2.gather.d.d.256",
                        NULL, 0, args, 5);
}

LLVMValueRef emit_gather_at(struct emit *e, LLVMValueRef pointers,
                            LLVMValueRef mask, LLVMTypeRef type)
{
    LLVMValueRef args[] = {pointers, mask, LLVMConstNull(type)};
    LLVMTypeRef overloads[] = {type, LLVMTypeOf(pointers)};
    LLVMValueRef v =
        ir_intrinsic(e, "llvm.masked.gather", overloads, 2, args, 3);
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(v, 1, LLVMCreateEnumAttribute(e->cx, align, 4));
    return v;
}

LLVMValueRef emit_gather_words(struct emit *e, LLVMValueRef base,
                               LLVMValueRef offsets, LLVMTypeRef element)
{
    if (LLVMGetVectorSize(LLVMTypeOf(offsets)) == 8)
        return gather_eight(e, base, offsets, element);
    LLVMTypeRef t = ir_like(offsets, element);
    LLVMValueRef all = LLVMConstAllOnes(ir_like(offsets, e->i1));
    LLVMValueRef pointers = LLVMBuildGEP2(e->b, e->i8, base, &offsets, 1, "");
    return emit_gather_at(e, pointers, all, t);
}

/* Four words for each lane, by one load each. */
static struct texel load_quads(struct emit *e, const struct emit_sample *s,
                               const struct emit_taps *t, LLVMValueRef offsets)
{
    struct texel v;
    LLVMValueRef base = data_of(e, s), quads[EMIT_MAX_LANES];
    LLVMTypeRef quad = LLVMVectorType(s->element, 4);
    int index[4][EMIT_MAX_LANES];
    for (unsigned i = 0; i < t->lanes; i++) {
        LLVMValueRef offset = ir_extract(e, offsets, i);
        quads[i] = ir_load(
            e, quad, ir_offset_by(e, base, ir_zext(e, offset, e->i64)), 4);
        for (unsigned c = 0; c < 4; c++)
            index[c][i] = (int)(4 * i + c);
    }
    LLVMValueRef all = ir_concat(e, quads, t->lanes);
    for (unsigned c = 0; c < 4; c++)
        v.channel[c] = ir_shuffle(e, all, all, index[c], t->lanes);
    return v;
}

static struct texel load_words(struct emit *e, const struct emit_sample *s,
                               const struct emit_taps *t, unsigned i)
{
    struct texel v = {{NULL}};
    if (!t->offset[i]) {
        v.channel[0] = load_row(e, s, t, i, s->element);
        return v;
    }
    if (s->channels == 4)
        return load_quads(e, s, t, t->offset[i]);
    for (unsigned c = 0; c < s->channels; c++)
        v.channel[c] = emit_gather_words(e, ir_offset(e, data_of(e, s), 4 * c),
                                         t->offset[i], s->element);
    return v;
}

/* One byte of each lane in a word: the aligned word around it is in the same
 * page. */
static LLVMValueRef gather_bytes(struct emit *e, const struct emit_sample *s,
                                 LLVMValueRef offset)
{
    LLVMValueRef three = ir_int(offset, 3);
    LLVMValueRef word = emit_gather_words(
        e, data_of(e, s), ir_and(e, offset, ir_not(e, three)), e->i32);
    LLVMValueRef shift = ir_shl(e, ir_and(e, offset, three), three);
    return ir_and(e, ir_lshr(e, word, shift), ir_int(word, 255));
}

static struct texel bytes_of_word(struct emit *e, LLVMValueRef word)
{
    struct texel v;
    for (unsigned c = 0; c < 4; c++)
        v.channel[c] =
            ir_and(e, ir_lshr(e, word, ir_int(word, 8 * c)), ir_int(word, 255));
    return v;
}

/* As integers. */
static struct texel load_bytes(struct emit *e, const struct emit_sample *s,
                               const struct emit_taps *t, unsigned i)
{
    struct texel v = {{NULL}};
    LLVMValueRef offset = t->offset[i];
    if (s->channels == 1) {
        v.channel[0] = offset ? gather_bytes(e, s, offset)
                              : ir_zext(e, load_row(e, s, t, i, e->i8), e->i32);
        return v;
    }
    LLVMValueRef word =
        offset ? emit_gather_words(e, data_of(e, s), offset, e->i32)
               : load_row(e, s, t, i, e->i32);
    return bytes_of_word(e, word);
}

static struct texel load_inside(struct emit *e, const struct emit_sample *s,
                                const struct emit_taps *t, unsigned i)
{
    struct texel v = {{NULL}};
    if (emit_texels_are_narrow(s->kind)) {
        emit_load_narrow(e, s, t->offset[i], v.channel);
        return v;
    }
    return s->kind == TEXTURE_PATH_WORDS ? load_words(e, s, t, i)
                                         : load_bytes(e, s, t, i);
}

static LLVMValueRef border_like(struct emit *e, const struct emit_sample *s,
                                unsigned c, LLVMValueRef like)
{
    size_t offset = emit_is_summed(s)
                        ? offsetof(struct exec_texture, border_term)
                        : offsetof(struct exec_texture, border_texel);
    LLVMValueRef word =
        emit_texture_field(e, s->texture, offset + 4 * c, e->i32);
    word = ir_splat(e, word, LLVMGetVectorSize(LLVMTypeOf(like)));
    return ir_as(e, word, ir_element(like));
}

static struct texel load_texel(struct emit *e, const struct emit_sample *s,
                               const struct emit_taps *t, unsigned i)
{
    struct texel v = load_inside(e, s, t, i);
    for (unsigned c = 0; t->beyond[i] && c < s->channels; c++)
        v.channel[c] = ir_select(
            e, t->beyond[i], border_like(e, s, c, v.channel[c]), v.channel[c]);
    return v;
}

/* ---- pairs ----------------------------------------------------------------
 *
 * A filter's texels of a word that lie side by side along x are gathered as
 * one of two words: what gathers cost is their number of elements.
 */

bool emit_reads_pairs(const struct emit_sample *s)
{
    bool is_word = (s->kind == TEXTURE_PATH_WORDS && s->channels == 1) ||
                   (s->kind == TEXTURE_PATH_UNITS && s->channels == 4);
    return s->is_linear && !s->component && is_word;
}

/* Doubles of half of the lanes, as twice as many words. */
static LLVMValueRef gather_doubles(struct emit *e, LLVMValueRef base,
                                   LLVMValueRef offsets, LLVMTypeRef element)
{
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(offsets));
    LLVMTypeRef t = ir_like(offsets, e->f64);
    LLVMTypeRef words = LLVMVectorType(element, 2 * lanes);
    LLVMValueRef v;
    if (lanes == 4) { /* see gather_eight */
        LLVMValueRef all = LLVMConstAllOnes(ir_like(offsets, e->i64));
        LLVMValueRef args[] = {LLVMConstNull(t), base, offsets,
                               LLVMConstBitCast(all, t),
                               LLVMConstInt(e->i8, 1, 0)};
        v = ir_intrinsic(e, "llvm.x86.avx2.gather.d.pd.256", NULL, 0, args, 5);
        return LLVMBuildBitCast(e->b, v, words, "");
    }
    LLVMValueRef all = LLVMConstAllOnes(ir_like(offsets, e->i1));
    LLVMValueRef pointers = LLVMBuildGEP2(e->b, e->i8, base, &offsets, 1, "");
    LLVMValueRef args[] = {pointers, all, LLVMConstNull(t)};
    LLVMTypeRef overloads[] = {t, LLVMTypeOf(pointers)};
    v = ir_intrinsic(e, "llvm.masked.gather", overloads, 2, args, 3);
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(v, 1, LLVMCreateEnumAttribute(e->cx, align, 4));
    return LLVMBuildBitCast(e->b, v, words, "");
}

/* The word there, and the one behind. */
static void gather_pair(struct emit *e, const struct emit_sample *s,
                        LLVMValueRef offsets, LLVMTypeRef element,
                        LLVMValueRef pair[2])
{
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(offsets));
    LLVMValueRef half[2];
    int index[2][EMIT_MAX_LANES];
    for (unsigned i = 0; i < 2; i++)
        half[i] = gather_doubles(e, data_of(e, s),
                                 ir_slice(e, offsets, i * lanes / 2, lanes / 2),
                                 element);
    for (unsigned i = 0; i < lanes; i++) {
        index[0][i] = (int)(2 * i);
        index[1][i] = (int)(2 * i + 1);
    }
    for (unsigned i = 0; i < 2; i++)
        pair[i] = ir_shuffle(e, half[0], half[1], index[i], lanes);
}

static void load_pairs(struct emit *e, const struct emit_sample *s,
                       const struct emit_taps *t, struct texel *texel)
{
    LLVMTypeRef element = s->kind == TEXTURE_PATH_WORDS ? s->element : e->i32;
    for (unsigned i = 0; i < t->count; i += 2) {
        LLVMValueRef pair[2];
        gather_pair(e, s, t->offset[i], element, pair);
        for (unsigned j = 0; j < 2; j++)
            if (s->channels == 4)
                texel[i + j] = bytes_of_word(e, pair[j]);
            else
                texel[i + j].channel[0] = pair[j];
    }
}

static void load_texels(struct emit *e, const struct emit_sample *s,
                        const struct emit_taps *t, struct texel *texel)
{
    if (t->are_pairs) {
        load_pairs(e, s, t, texel);
        return;
    }
    for (unsigned i = 0; i < t->count; i++)
        texel[i] = load_texel(e, s, t, i);
}

/* ---- weights ------------------------------------------------------------ */

/* a * b in 1 / 256, plus something, which is exact. */
static LLVMValueRef product_plus(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                                 double plus)
{
    LLVMValueRef scaled = ir_fmul(e, b, ir_real(b, 1.0 / 256));
    return ir_ternary(e, "llvm.fmuladd", a, scaled, ir_real(a, plus));
}

/* The same, rounded, ties up. */
static LLVMValueRef tap_product(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    return ir_unary(e, "llvm.floor", product_plus(e, a, b, 0.5));
}

/* Ties down. Nothing is +0, since it may be multiplied by -0. */
static LLVMValueRef product_down(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    return ir_fabs(e, ir_unary(e, "llvm.ceil", product_plus(e, a, b, -0.5)));
}

/* Weights of a plane's corners, by the bits of x and y; in 1 / 256. They add
 * up to left + right. */
static void plane_weights(struct emit *e, const struct emit_taps *t,
                          LLVMValueRef left, LLVMValueRef right,
                          LLVMValueRef *w)
{
    w[2] = product_down(e, left, t->part[1]);
    w[3] = tap_product(e, right, t->part[1]);
    w[0] = ir_fsub(e, left, w[2]);
    w[1] = ir_fsub(e, right, w[3]);
}

static void cell_weights(struct emit *e, const struct emit_taps *t,
                         LLVMValueRef whole, LLVMValueRef *w)
{
    LLVMValueRef far = whole ? product_down(e, whole, t->part[2]) : t->part[2];
    if (!whole)
        whole = ir_real(far, 256);
    LLVMValueRef near = ir_fsub(e, whole, far);
    LLVMValueRef near_right = tap_product(e, near, t->part[0]);
    LLVMValueRef far_right = tap_product(e, far, t->part[0]);
    plane_weights(e, t, ir_fsub(e, near, near_right), near_right, w);
    plane_weights(e, t, ir_fsub(e, far, far_right), far_right, w + 4);
}

static void corner_weights(struct emit *e, const struct emit_taps *t,
                           LLVMValueRef whole, LLVMValueRef *w)
{
    LLVMValueRef right = t->part[0];
    if (whole)
        right = tap_product(e, whole, right);
    LLVMValueRef all = whole ? whole : ir_real(right, 256);
    LLVMValueRef left = ir_fsub(e, all, right);
    if (t->count == 8) {
        cell_weights(e, t, whole, w);
    } else if (t->count == 4) {
        plane_weights(e, t, left, right, w);
    } else {
        w[0] = left;
        w[1] = right;
    }
}

/* ---- filters ------------------------------------------------------------ */

/* Fractions are filtered as 16 bits: a sum s of bytes times weights is s * 257
 * / 65535, rounded. */
LLVMValueRef emit_finish_units(struct emit *e, LLVMValueRef sum)
{
    LLVMValueRef v =
        ir_fadd(e, ir_fmul(e, sum, ir_real(sum, 257)), ir_real(sum, 0.5));
    v = ir_unary(e, "llvm.floor", v);
    return ir_fdiv(e, v, ir_real(v, 65535));
}

/* What is at the place of results, for the lanes of a slice. */
static LLVMValueRef before_of(struct emit *e, const struct emit_sample *s,
                              const struct emit_taps *t, unsigned c)
{
    LLVMTypeRef type = LLVMVectorType(s->element, t->lanes);
    return ir_load(e, type, ir_offset(e, s->out[c], 4 * t->first), 4);
}

static LLVMValueRef whole_of(struct emit *e, const struct emit_sample *s,
                             const struct emit_taps *t)
{
    LLVMTypeRef type = LLVMVectorType(e->f32, t->lanes);
    return s->whole ? ir_load(e, type, ir_offset(e, s->whole, 4 * t->first), 4)
                    : NULL;
}

/* Sums that are not aligned: floats, added one by one. */
static LLVMValueRef plain_sum(struct emit *e, const struct emit_sample *s,
                              const struct emit_taps *t, unsigned c,
                              const LLVMValueRef *w, const struct texel *texel)
{
    LLVMValueRef sum = s->whole ? before_of(e, s, t, c) : ir_real(w[0], 0);
    for (unsigned i = 0; i < t->count; i++) {
        LLVMValueRef x = texel[i].channel[c];
        if (s->kind == TEXTURE_PATH_UNITS)
            x = ir_cast(e, LLVMSIToFP, x, e->f32);
        sum = ir_fadd(e, sum, ir_fmul(e, w[i], x));
    }
    bool is_unit = s->kind == TEXTURE_PATH_UNITS && !s->whole;
    return is_unit ? emit_finish_units(e, sum) : sum;
}

/* Texel by texel for all channels, which share what is loaded. */
static struct texel filter_texel(struct emit *e, const struct emit_sample *s,
                                 const struct emit_taps *t)
{
    struct texel sum = {{NULL}}, texel[8];
    LLVMValueRef w[8], v[8], is_single = NULL, whole = whole_of(e, s, t);
    if (s->is_linear) {
        corner_weights(e, t, whole, w);
    } else {
        w[0] = whole;
        is_single = ir_fcmp(e, LLVMRealOEQ, whole, ir_real(whole, 256));
    }
    bool are_floats = emit_sums_floats(s, t);
    for (unsigned i = 0; !are_floats && i < t->count; i++)
        w[i] = ir_fmul(e, w[i], ir_real(w[i], 1.0 / 256));
    load_texels(e, s, t, texel);
    for (unsigned c = 0; c < s->channels; c++) {
        for (unsigned i = 0; i < t->count; i++)
            v[i] = texel[i].channel[c];
        if (are_floats) {
            sum.channel[c] = emit_sum_floats(e, s, t->count, w, v);
        } else if (!emit_is_aligned(s, c)) {
            sum.channel[c] = plain_sum(e, s, t, c, w, texel);
        } else if (s->whole) { /* the texel, if there is no other */
            sum.channel[c] = ir_as(e, v[0], e->f32);
            emit_add_aligned(e, s, t, c, w, v, is_single);
        } else {
            sum.channel[c] = emit_aligned_sum(e, s, t->count, w, v);
        }
    }
    return sum;
}

static struct texel fetch_texel(struct emit *e, const struct emit_sample *s,
                                const struct emit_taps *t)
{
    struct texel v = load_texel(e, s, t, 0);
    for (unsigned c = 0; s->kind == TEXTURE_PATH_UNITS && c < s->channels;
         c++) {
        LLVMValueRef x = ir_cast(e, LLVMSIToFP, v.channel[c], e->f32);
        v.channel[c] = ir_fdiv(e, x, ir_real(x, 255));
    }
    return v;
}

static void store_channel(struct emit *e, const struct emit_sample *s,
                          const struct emit_taps *t, unsigned c, LLVMValueRef v)
{
    LLVMValueRef mask = e->f->at.mask;
    if (s->is_level && mask)
        v = ir_select(e, ir_slice(e, mask, t->first, t->lanes), v,
                      before_of(e, s, t, c));
    ir_store(e, v, ir_offset(e, s->out[c], 4 * t->first), 4);
}

/* ---- gathers ------------------------------------------------------------ */

/* One component of a texel that has at least as many. */
static LLVMValueRef load_component(struct emit *e, const struct emit_sample *s,
                                   const struct emit_taps *t, unsigned i)
{
    unsigned c = s->component - 1;
    LLVMValueRef offset = t->offset[i], v;
    if (emit_texels_are_narrow(s->kind))
        return emit_load_narrow_component(e, s, offset, c);
    if (s->kind == TEXTURE_PATH_WORDS)
        v = emit_gather_words(e, ir_offset(e, data_of(e, s), 4 * c), offset,
                              s->element);
    else
        v = gather_bytes(e, s, ir_add(e, offset, ir_int(offset, c)));
    if (t->beyond[i])
        v = ir_select(e, t->beyond[i], border_like(e, s, c, v), v);
    if (s->kind != TEXTURE_PATH_UNITS)
        return v;
    v = ir_cast(e, LLVMSIToFP, v, e->f32);
    return ir_fdiv(e, v, ir_real(v, 255));
}

/* The four texels of a filter, in the order of PTX ISA, "tld4". */
static void gather_taps(struct emit *e, const struct emit_sample *s,
                        const struct emit_taps *t)
{
    static const unsigned order[4] = {2, 3, 1, 0};
    assert(t->count == 4 && !s->is_level);
    for (unsigned i = 0; i < 4; i++)
        store_channel(e, s, t, i, load_component(e, s, t, order[i]));
}

void emit_read_taps(struct emit *e, const struct emit_sample *s,
                    const struct emit_taps *t)
{
    if (s->component) {
        gather_taps(e, s, t);
        return;
    }
    struct texel v =
        emit_is_summed(s) ? filter_texel(e, s, t) : fetch_texel(e, s, t);
    for (unsigned c = 0; c < s->channels; c++) {
        if (emit_texels_are_narrow(s->kind) && !s->whole)
            v.channel[c] = emit_finish_narrow(e, s, c, v.channel[c]);
        store_channel(e, s, t, c, v.channel[c]);
    }
}
