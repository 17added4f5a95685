/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texels of 8 or 16 bits a channel that become floats: halves, fractions,
 * colors of sRGB. The descriptor says how wide they are and of which sign, so
 * that one piece of code reads them all.
 */
#include "emit/texture/texture.h"

#include "emit/core/masks.h"

/* How a texel's channels are in words; scalars of i32. */
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

/* Loads the words with the channels; channel c is at bit c * bits of both. */
static void load_channels(struct emit *e, const struct emit_sample *s,
                          const struct narrow *n, LLVMValueRef offset,
                          LLVMValueRef raw[4])
{
    LLVMValueRef data = LEVEL_FIELD(e, s, data, e->ptr);
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

/* What filters add: 16 bits, except that signed bytes stay as they are. */
static LLVMValueRef wide_fraction(struct emit *e, const struct narrow *n,
                                  LLVMValueRef v)
{
    LLVMValueRef is_byte =
        LLVMBuildAnd(e->b, n->is_8, LLVMBuildNot(e->b, n->is_signed, ""), "");
    LLVMValueRef wide = ir_mul(e, v, ir_int(v, 257));
    v = ir_select(e, splat_like(e, is_byte, v), wide, v);
    return ir_cast(e, LLVMSIToFP, v, e->f32);
}

/* As texel_of_signed_sum. */
static LLVMValueRef of_signed_sum(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef sum =
        ir_cast(e, LLVMFPToSI, ir_fmul(e, v, ir_real(v, 256)), e->i32);
    LLVMValueRef high = ir_ashr(e, sum, ir_int(sum, 12));
    LLVMValueRef more = ir_add(e, sum, ir_mul(e, high, ir_int(sum, 16)));
    more = ir_ashr(e, ir_add(e, more, ir_int(more, 64)), ir_int(more, 7));
    return ir_cast(e, LLVMSIToFP, ir_add(e, sum, more), e->f32);
}

static LLVMValueRef fraction_of(struct emit *e, const struct narrow *n,
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

/* The float, and in its lowest byte the exponent with which it is added. */
static LLVMValueRef color_value(struct emit *e, const struct emit_sample *s,
                                LLVMValueRef raw)
{
    LLVMValueRef table = TEXTURE_FIELD(e, s->texture, colors, e->ptr);
    LLVMValueRef byte = ir_and(e, raw, ir_int(raw, 255));
    return emit_gather_words(e, table, ir_shl(e, byte, ir_int(byte, 2)),
                             e->i32);
}

static LLVMValueRef without_exponent(struct emit *e, LLVMValueRef word)
{
    return ir_as(e, ir_and(e, word, ir_int(word, ~0xffff)), e->f32);
}

bool emit_is_aligned(const struct emit_sample *s, unsigned c)
{
    bool is_float =
        s->kind == TEXTURE_PATH_WORDS || s->kind == TEXTURE_PATH_HALVES;
    return emit_is_summed(s) && (is_float || is_color(s, c));
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
            channel[c] = color_value(e, s, raw[c]);
            if (!emit_is_summed(s))
                channel[c] = without_exponent(e, channel[c]);
        } else {
            LLVMValueRef v = integer_of(e, &n, raw[c]);
            channel[c] = emit_is_summed(s) ? wide_fraction(e, &n, v)
                                           : fraction_of(e, &n, v);
        }
    }
}

/* Fractions become some of 16 bits, as sampler.c's gathered_component has it.
 */
LLVMValueRef emit_load_narrow_component(struct emit *e,
                                        const struct emit_sample *s,
                                        LLVMValueRef offset, unsigned c)
{
    struct narrow n = narrow_of(e, s);
    LLVMValueRef three = ir_int(offset, 3);
    LLVMValueRef bytes = ir_lshr(e, n.bits, ir_int(n.bits, 3));
    bytes = ir_mul(e, bytes, ir_int(bytes, c));
    offset = ir_add(e, offset, splat_like(e, bytes, offset));
    LLVMValueRef word =
        emit_gather_words(e, LEVEL_FIELD(e, s, data, e->ptr),
                          ir_and(e, offset, ir_not(e, three)), e->i32);
    LLVMValueRef raw =
        ir_lshr(e, word, ir_shl(e, ir_and(e, offset, three), three));
    if (s->kind == TEXTURE_PATH_HALVES)
        return float_of_half(e, raw);
    LLVMValueRef v = integer_of(e, &n, raw);
    LLVMValueRef is_byte =
        splat_like(e, LLVMBuildAnd(e->b, n.is_signed, n.is_8, ""), v);
    LLVMValueRef wide = of_signed_sum(e, ir_cast(e, LLVMSIToFP, v, e->f32));
    wide = ir_fdiv(e, wide, ir_real(wide, 32767));
    wide = ir_binary(e, "llvm.maxnum", wide, ir_real(wide, -1));
    return ir_select(e, is_byte, wide, fraction_of(e, &n, v));
}

LLVMValueRef emit_finish_narrow(struct emit *e, const struct emit_sample *s,
                                unsigned c, LLVMValueRef v)
{
    if (!emit_is_summed(s) || emit_is_aligned(s, c))
        return v;
    struct narrow n = narrow_of(e, s);
    LLVMValueRef sign = splat_like(e, n.is_signed, v);
    LLVMValueRef is_byte =
        splat_like(e, LLVMBuildAnd(e->b, n.is_signed, n.is_8, ""), v);
    LLVMValueRef unit =
        ir_select(e, sign, ir_real(v, 32767), ir_real(v, 65535));
    LLVMValueRef near =
        ir_unary(e, "llvm.floor", ir_fadd(e, v, ir_real(v, 0.5)));
    v = ir_select(e, is_byte, of_signed_sum(e, v), near);
    return ir_binary(e, "llvm.maxnum", ir_fdiv(e, v, unit), ir_real(v, -1));
}
