/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texels of 8 or 16 bits a channel that become floats: halves, fractions,
 * colors of sRGB. The descriptor says how wide and of which sign they are, so
 * that one piece of code reads them all.
 */
#include "emit/texture/texture.h"

/* How a texel's channels lie in words; scalars of i32. */
struct narrow {
    LLVMValueRef bits; /* of a channel */
    LLVMValueRef is_8; /* i1: or 16 */
    LLVMValueRef is_signed;
};

static struct narrow narrow_of(struct emit *e, const struct emit_sample *s)
{
    LLVMValueRef bytes =
        ir_zext(e, TEXTURE_FIELD(e, s->texture, channel_bytes, e->i8), e->i32);
    LLVMValueRef kind = TEXTURE_FIELD(e, s->texture, kind, e->i8);
    return (struct narrow){
        .bits = ir_mul(e, bytes, ir_int(bytes, 8)),
        .is_8 = ir_icmp(e, LLVMIntEQ, bytes, ir_int(bytes, 1)),
        .is_signed =
            ir_icmp(e, LLVMIntEQ, kind, ir_int(kind, TEXEL_SIGNED_NORMALIZED)),
    };
}

static LLVMValueRef splat_like(struct emit *e, LLVMValueRef scalar,
                               LLVMValueRef like)
{
    return ir_splat(e, scalar, LLVMGetVectorSize(LLVMTypeOf(like)));
}

/* Is channel c a color? As texel_is_color. */
static bool is_color(const struct emit_sample *s, unsigned c)
{
    return s->kind == TEXTURE_PATH_COLORS &&
           (c == 0 || (c < 3 && s->channels == 4));
}

/* The words that hold the channels, channel c at bit c * bits of both. */
static void load_channels(struct emit *e, const struct emit_sample *s,
                          const struct narrow *n, LLVMValueRef offset,
                          LLVMValueRef raw[4])
{
    LLVMValueRef data = TEXTURE_FIELD(e, s->texture, level[0].data, e->ptr);
    LLVMValueRef three = ir_int(offset, 3);
    LLVMValueRef aligned = ir_and(e, offset, ir_not(e, three));
    LLVMValueRef shift = ir_shl(e, ir_and(e, offset, three), three);
    LLVMValueRef low = emit_gather_words(e, data, aligned, e->i32);
    LLVMValueRef high = low;
    if (s->channels == 4) {
        LLVMValueRef four =
            ir_select(e, n->is_8, ir_int(n->bits, 0), ir_int(n->bits, 4));
        high =
            emit_gather_words(e, ir_offset_by(e, data, four), aligned, e->i32);
    }
    for (unsigned c = 0; c < s->channels; c++) {
        LLVMValueRef at = ir_mul(e, n->bits, ir_int(n->bits, c));
        at = ir_and(e, at, ir_int(at, 31));
        raw[c] = ir_lshr(e, c < 2 ? low : high,
                         ir_add(e, shift, splat_like(e, at, shift)));
    }
}

static LLVMValueRef float_of_half(struct emit *e, LLVMValueRef raw)
{
    LLVMTypeRef half = LLVMHalfTypeInContext(e->cx);
    LLVMValueRef v = ir_as(e, ir_trunc(e, raw, e->i16), half);
    return ir_cast(e, LLVMFPExt, v, e->f32);
}

static LLVMValueRef integer_of(struct emit *e, const struct narrow *n,
                               LLVMValueRef raw)
{
    LLVMValueRef unused = ir_sub(e, ir_int(n->bits, 32), n->bits);
    unused = splat_like(e, unused, raw);
    LLVMValueRef v = ir_shl(e, raw, unused);
    LLVMValueRef sign = splat_like(e, n->is_signed, raw);
    return ir_select(e, sign, ir_ashr(e, v, unused), ir_lshr(e, v, unused));
}

/* As sampler.c's wide_fraction. */
static LLVMValueRef wide_fraction(struct emit *e, const struct narrow *n,
                                  LLVMValueRef v)
{
    LLVMValueRef is_8 = splat_like(e, n->is_8, v);
    LLVMValueRef sign = splat_like(e, n->is_signed, v);
    LLVMValueRef least = ir_select(e, is_8, ir_int(v, -127), ir_int(v, -32767));
    v = ir_binary(e, "llvm.smax", v, least);
    LLVMValueRef above = ir_icmp(e, LLVMIntSGT, v, ir_int(v, 63));
    LLVMValueRef below = ir_icmp(e, LLVMIntSLT, v, ir_int(v, -64));
    LLVMValueRef seven = ir_mul(e, v, ir_int(v, 258));
    seven = ir_add(e, seven, ir_zext(e, above, e->i32));
    seven = ir_sub(e, seven, ir_zext(e, below, e->i32));
    LLVMValueRef eight = ir_mul(e, v, ir_int(v, 257));
    LLVMValueRef wide = ir_select(e, is_8, ir_select(e, sign, seven, eight), v);
    return ir_cast(e, LLVMSIToFP, wide, e->f32);
}

static LLVMValueRef fraction(struct emit *e, const struct narrow *n,
                             LLVMValueRef v)
{
    LLVMValueRef sign = splat_like(e, n->is_signed, v);
    LLVMValueRef is_8 = splat_like(e, n->is_8, v);
    LLVMValueRef f = ir_cast(e, LLVMSIToFP, v, e->f32);
    LLVMValueRef unit =
        ir_select(e, is_8, ir_select(e, sign, ir_real(f, 127), ir_real(f, 255)),
                  ir_select(e, sign, ir_real(f, 32767), ir_real(f, 65535)));
    return ir_binary(e, "llvm.maxnum", ir_fdiv(e, f, unit), ir_real(f, -1));
}

static LLVMValueRef color(struct emit *e, const struct emit_sample *s,
                          LLVMValueRef raw)
{
    LLVMValueRef table = TEXTURE_FIELD(e, s->texture, colors, e->ptr);
    LLVMValueRef byte = ir_and(e, raw, ir_int(raw, 255));
    LLVMValueRef word =
        emit_gather_words(e, table, ir_shl(e, byte, ir_int(byte, 1)), e->i32);
    return ir_as(e, ir_shl(e, word, ir_int(word, 16)), e->f32);
}

void emit_load_narrow(struct emit *e, const struct emit_sample *s,
                      LLVMValueRef offset, LLVMValueRef channel[4])
{
    LLVMValueRef raw[4];
    struct narrow n = narrow_of(e, s);
    load_channels(e, s, &n, offset, raw);
    for (unsigned c = 0; c < s->channels; c++) {
        if (s->kind == TEXTURE_PATH_HALVES) {
            channel[c] = float_of_half(e, raw[c]);
        } else if (is_color(s, c)) {
            channel[c] = color(e, s, raw[c]);
        } else {
            LLVMValueRef v = integer_of(e, &n, raw[c]);
            channel[c] =
                s->is_linear ? wide_fraction(e, &n, v) : fraction(e, &n, v);
        }
    }
}

/* As sampler.c's nearest_half. */
static LLVMValueRef nearest_half(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef is_small =
        ir_fcmp(e, LLVMRealOLT, ir_fabs(e, v), ir_real(v, 0x1p-14));
    LLVMValueRef small =
        ir_unary(e, "llvm.rint", ir_fmul(e, v, ir_real(v, 0x1p24)));
    small = ir_fmul(e, small, ir_real(v, 0x1p-24));
    LLVMValueRef bits = ir_as_int(e, v);
    bits = ir_add(e, bits, ir_int(bits, 0x1000));
    bits = ir_and(e, bits, ir_int(bits, ~0x1fff));
    return ir_select(e, is_small, small, ir_as(e, bits, e->f32));
}

LLVMValueRef emit_finish_narrow(struct emit *e, const struct emit_sample *s,
                                unsigned c, LLVMValueRef v)
{
    if (!s->is_linear)
        return v;
    if (s->kind == TEXTURE_PATH_HALVES || is_color(s, c))
        return nearest_half(e, v);
    struct narrow n = narrow_of(e, s);
    LLVMValueRef unit = ir_select(e, splat_like(e, n.is_signed, v),
                                  ir_real(v, 32767), ir_real(v, 65535));
    v = ir_unary(e, "llvm.floor", ir_fadd(e, v, ir_real(v, 0.5)));
    return ir_fdiv(e, v, unit);
}
