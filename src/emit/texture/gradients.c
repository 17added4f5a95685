/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fetches with gradients: the level of detail of all lanes, as exec's lod.c
 * finds it, for code that reads levels. Gradients are floats of ten significant
 * bits; what is done to them here is exact in floats, as it is in lod.c's
 * doubles, but for a sum of three. Long and short ones could leave the range of
 * floats on the way; they are the helper's, with what is no number.
 */
#include "emit/texture/texture.h"

#include <math.h>

#include "emit/core/masks.h"

enum {
    SHORT_BITS = 9, /* behind the first */
    SPARE_BITS = 3,
    FLOAT_BITS = 23,
    FLOAT_BIAS = 127,
    LOG_BITS = 8,
};
/* Gradients that are not 0 lie between; those of cubes, and directions, are
 * divided by each other. */
#define LEAST      0x1p-60
#define MOST       0x1p60
#define CUBE_LEAST 0x1p-30
#define CUBE_MOST  0x1p30

/* ---- short floats ------------------------------------------------------- */

static LLVMValueRef masked_bits(struct emit *e, LLVMValueRef v, int64_t mask)
{
    LLVMValueRef bits = ir_as_int(e, v);
    return ir_as(e, ir_and(e, bits, ir_int(bits, mask)), e->f32);
}

/* One in the last place. */
static LLVMValueRef last_place(struct emit *e, LLVMValueRef v)
{
    LLVMValueRef power = masked_bits(e, v, INT64_C(0xff) << FLOAT_BITS);
    return ir_fmul(e, power, ir_real(v, 1.0 / (1 << SHORT_BITS)));
}

static LLVMValueRef cut_short(struct emit *e, LLVMValueRef v)
{
    return masked_bits(e, v, -(INT64_C(1) << (FLOAT_BITS - SHORT_BITS)));
}

static LLVMValueRef part_of(struct emit *e, LLVMValueRef v, int factor,
                            int more)
{
    LLVMValueRef part = ir_fmul(e, v, ir_real(v, factor / 512.0));
    if (more)
        part = ir_fma(e, last_place(e, v), ir_real(v, more / 512.0), part);
    return cut_short(e, part);
}

static LLVMValueRef largest_of(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    return ir_binary(e, "llvm.maxnum", a, b);
}

static LLVMValueRef smallest_of(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
    return ir_binary(e, "llvm.minnum", a, b);
}

/* a + b, or a - b. */
static LLVMValueRef sum_of(struct emit *e, LLVMValueRef a, LLVMValueRef b,
                           bool is_difference)
{
    LLVMValueRef most = largest_of(e, ir_fabs(e, a), ir_fabs(e, b));
    LLVMValueRef unit = last_place(e, most);
    unit = ir_fmul(e, unit, ir_real(unit, 0.5));
    LLVMValueRef bits = ir_as_int(e, unit); /* a power of two, or 0 */
    LLVMValueRef per = ir_as(
        e,
        ir_sub(e, ir_int(bits, (int64_t)(2 * FLOAT_BIAS) << FLOAT_BITS), bits),
        e->f32);
    a = ir_unary(e, "llvm.trunc", ir_fmul(e, a, per));
    b = ir_unary(e, "llvm.trunc", ir_fmul(e, b, per));
    LLVMValueRef sum = is_difference ? ir_fsub(e, a, b) : ir_fadd(e, a, b);
    return cut_short(e, ir_fmul(e, sum, unit));
}

/* Of three: a float loses what decides whether the second sum reaches the next
 * short float. */
static LLVMValueRef total_of(struct emit *e, LLVMValueRef v[3], unsigned count)
{
    if (count < 3)
        return cut_short(e, count == 1 ? v[0] : ir_fadd(e, v[0], v[1]));
    for (unsigned i = 0; i < 3; i++)
        v[i] = ir_cast(e, LLVMFPExt, v[i], e->f64);
    LLVMValueRef sum = ir_fadd(e, ir_fadd(e, v[0], v[1]), v[2]);
    LLVMValueRef bits = ir_as_int(e, sum);
    bits = ir_and(e, bits, ir_int(bits, -(INT64_C(1) << (52 - SHORT_BITS))));
    return ir_cast(e, LLVMFPTrunc, ir_as(e, bits, e->f64), e->f32);
}

/* ---- lengths ------------------------------------------------------------ */

/* Magnitudes, the longest first. */
static void sort_sides(struct emit *e, const LLVMValueRef *v, unsigned dims,
                       LLVMValueRef side[3])
{
    for (unsigned d = 0; d < dims; d++)
        side[d] = ir_fabs(e, v[d]);
    for (unsigned last = dims; last > 1; last--)
        for (unsigned d = 1; d < last; d++) {
            LLVMValueRef a = side[d - 1], b = side[d];
            side[d - 1] = largest_of(e, a, b);
            side[d] = smallest_of(e, a, b);
        }
}

/* How much of each side a length has, in 1 / 512, and of its last place. */
struct share {
    int factor, more;
};
static const struct share whole_length[] = {{512, 0}, {176, 64}, {128, 0}};
static const struct share shorter_length[] = {{352, 128}, {121, 32}, {88, 32}};

static LLVMValueRef length_of(struct emit *e, const LLVMValueRef *v,
                              unsigned dims, const struct share *share)
{
    LLVMValueRef side[3];
    sort_sides(e, v, dims, side);
    for (unsigned d = 0; d < dims; d++)
        if (share[d].factor < 512)
            side[d] = part_of(e, side[d], share[d].factor, share[d].more);
    return total_of(e, side, dims);
}

/* Of the ellipse of both; of lanes across an edge of a cube (or NULL), of
 * either. */
static LLVMValueRef reach_of(struct emit *e, LLVMValueRef along[2][3],
                             unsigned dims, LLVMValueRef is_across)
{
    LLVMValueRef sum[3], difference[3];
    LLVMValueRef r = largest_of(e, length_of(e, along[0], dims, whole_length),
                                length_of(e, along[1], dims, whole_length));
    for (unsigned d = 0; d < dims; d++) {
        sum[d] = sum_of(e, along[0][d], along[1][d], false);
        difference[d] = sum_of(e, along[0][d], along[1][d], true);
    }
    LLVMValueRef further =
        largest_of(e, length_of(e, sum, dims, shorter_length),
                   length_of(e, difference, dims, shorter_length));
    if (is_across)
        further = ir_select(e, is_across, r, further);
    return largest_of(e, r, further);
}

/* As many lanes at once as a register has. */
static LLVMValueRef in_table(struct emit *e, LLVMValueRef table,
                             LLVMValueRef offsets)
{
    unsigned lanes = e->target->vector_bytes / 4, count = e->lanes / lanes;
    LLVMValueRef part[TEXTURE_LANES];
    for (unsigned i = 0; i < count; i++)
        part[i] = emit_gather_words(
            e, table, ir_slice(e, offsets, i * lanes, lanes), e->f32);
    return ir_concat(e, part, count);
}

static LLVMValueRef lod_of_length(struct emit *e, LLVMValueRef texture,
                                  LLVMValueRef length)
{
    LLVMValueRef bits = ir_as_int(e, length);
    LLVMValueRef table = TEXTURE_FIELD(e, texture, logarithms, e->ptr);
    LLVMValueRef at =
        ir_and(e, ir_lshr(e, bits, ir_int(bits, FLOAT_BITS - LOG_BITS)),
               ir_int(bits, (1 << LOG_BITS) - 1));
    LLVMValueRef part = in_table(e, table, ir_shl(e, at, ir_int(at, 2)));
    LLVMValueRef whole = ir_sub(e, ir_lshr(e, bits, ir_int(bits, FLOAT_BITS)),
                                ir_int(bits, FLOAT_BIAS));
    LLVMValueRef lod = ir_fadd(e, ir_cast(e, LLVMSIToFP, whole, e->f32), part);
    LLVMValueRef has_one = ir_fcmp(e, LLVMRealOGT, length, ir_real(length, 0));
    return ir_select(e, has_one, lod, ir_real(lod, -INFINITY));
}

/* ---- gradients in texels ------------------------------------------------ */

static LLVMValueRef size_field(struct emit *e, LLVMValueRef texture, unsigned d,
                               size_t offset, LLVMTypeRef type)
{
    return emit_texture_field(e, texture,
                              offsetof(struct exec_texture, level[0].side) +
                                  d * sizeof(struct texture_side) + offset,
                              type);
}

/* What a coordinate is scaled by; a whole number. */
static LLVMValueRef scale_of(struct emit *e, LLVMValueRef texture, unsigned d)
{
    return size_field(e, texture, d, offsetof(struct texture_side, scale),
                      e->f32);
}

/* The products of a gradient's digits and those of the size. */
static LLVMValueRef times_size(struct emit *e, LLVMValueRef v,
                               LLVMValueRef scale)
{
    LLVMValueRef size = LLVMBuildFPToUI(e->b, scale, e->i32, "");
    LLVMValueRef bits = ir_as_int(e, v);
    LLVMValueRef digits = ir_and(e, bits, ir_int(bits, (1 << FLOAT_BITS) - 1));
    digits = ir_or(e, digits, ir_int(bits, 1 << FLOAT_BITS));
    digits = ir_lshr(e, digits, ir_int(bits, FLOAT_BITS - SHORT_BITS));
    digits = ir_shl(e, digits, ir_int(bits, SPARE_BITS));
    LLVMValueRef product = ir_int(digits, (1 << SPARE_BITS) - 1);
    LLVMValueRef args[] = {size, LLVMConstInt(e->i1, 0, 0)};
    LLVMTypeRef type = e->i32;
    LLVMValueRef zeros = ir_intrinsic(e, "llvm.ctlz", &type, 1, args, 2);
    size = ir_shl(e, size, zeros);
    for (int i = 0; i <= SHORT_BITS; i++) {
        LLVMValueRef bit =
            ir_ashr(e, ir_shl(e, size, ir_int(size, i)), ir_int(size, 31));
        LLVMValueRef part = ir_lshr(e, digits, ir_int(digits, i));
        product =
            ir_add(e, product, ir_and(e, part, ir_splat(e, bit, e->lanes)));
    }
    /* 2^exponent of the size, and the last place behind the spare bits. */
    LLVMValueRef power = ir_lshr(e, LLVMConstInt(e->i32, 1u << 31, 0), zeros);
    power = LLVMBuildUIToFP(e->b, power, e->f32, "");
    power = LLVMBuildFMul(e->b, power,
                          LLVMConstReal(e->f32, 1.0 / (1 << SPARE_BITS)), "");
    LLVMValueRef unit =
        ir_fmul(e, last_place(e, v), ir_splat(e, power, e->lanes));
    product = ir_fmul(e, ir_cast(e, LLVMSIToFP, product, e->f32), unit);
    return ir_binary(e, "llvm.copysign", cut_short(e, product), v);
}

/* Lanes with a number that is not 0 and leaves this range. */
static LLVMValueRef are_odd(struct emit *e, const LLVMValueRef *v,
                            unsigned count, double least, double most)
{
    LLVMValueRef odd = NULL;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef size = ir_fabs(e, v[i]);
        LLVMValueRef is_usual =
            ir_and(e, ir_fcmp(e, LLVMRealOGE, size, ir_real(size, least)),
                   ir_fcmp(e, LLVMRealOLE, size, ir_real(size, most)));
        is_usual =
            ir_or(e, is_usual, ir_fcmp(e, LLVMRealOEQ, size, ir_real(size, 0)));
        odd = odd ? ir_or(e, odd, ir_not(e, is_usual)) : ir_not(e, is_usual);
    }
    return odd;
}

/* ---- the function ------------------------------------------------------- */

/* i1 (texture *, gradients *, lod *, i32 active) */
static LLVMTypeRef gradients_type(struct emit *e)
{
    LLVMTypeRef types[] = {e->ptr, e->ptr, e->ptr, e->i32};
    return LLVMFunctionType(e->i1, types, 4, 0);
}

static void scale_all(struct emit *e, LLVMValueRef texture,
                      LLVMValueRef along[2][3], unsigned dims)
{
    LLVMBasicBlockRef exact = emit_new_block(e, "exact");
    LLVMBasicBlockRef other = emit_new_block(e, "digits");
    LLVMBasicBlockRef done = emit_new_block(e, "scaled");
    LLVMBasicBlockRef from[2] = {exact, other};
    LLVMValueRef v[6][2];
    LLVMValueRef test = TEXTURE_FIELD(e, texture, has_exact_sides, e->i8);
    emit_branch(e, ir_icmp(e, LLVMIntNE, test, ir_int(test, 0)), exact, other,
                EMIT_EVEN);
    for (unsigned k = 0; k < 2; k++) {
        LLVMPositionBuilderAtEnd(e->b, from[k]);
        for (unsigned i = 0; i < 2 * dims; i++) {
            LLVMValueRef g = along[i / dims][i % dims];
            LLVMValueRef scale = scale_of(e, texture, i % dims);
            v[i][k] =
                k ? times_size(e, g, scale)
                  : ir_fmul(e, cut_short(e, g), ir_splat(e, scale, e->lanes));
        }
        LLVMBuildBr(e->b, done);
    }
    LLVMPositionBuilderAtEnd(e->b, done);
    for (unsigned i = 0; i < 2 * dims; i++)
        along[i / dims][i % dims] = ir_merge(e, v[i][0], exact, v[i][1], other);
}

/* Loads the gradients, two along each axis. Goes on where the helper is not
 * needed. */
static LLVMValueRef load_gradients(struct emit *e, LLVMValueRef fn,
                                   unsigned dims, bool is_cube,
                                   LLVMValueRef along[2][3],
                                   LLVMBasicBlockRef odd)
{
    LLVMTypeRef floats = LLVMVectorType(e->f32, e->lanes);
    LLVMBasicBlockRef usual = emit_new_block(e, "usual");
    LLVMValueRef v[9], is_across = NULL, is_far = NULL;
    unsigned count = 2 * dims + (is_cube ? 3 : 0);
    for (unsigned i = 0; i < count; i++)
        v[i] = ir_load(e, floats,
                       ir_offset(e, LLVMGetParam(fn, 1), i * VECTOR_BYTES), 64);
    for (unsigned i = 0; i < 2 * dims; i++)
        along[i / dims][i % dims] = v[i];
    LLVMValueRef is_odd = are_odd(e, v, count, is_cube ? CUBE_LEAST : LEAST,
                                  is_cube ? CUBE_MOST : MOST);
    if (is_cube) {
        emit_turn_gradients(e, v + 6, along, &is_across, &is_far);
        is_odd = ir_or(e, is_odd, is_far);
    }
    is_odd = ir_and(e, is_odd, emit_mask_of_bits(e, LLVMGetParam(fn, 3)));
    emit_branch(e, emit_any(e, is_odd), odd, usual, EMIT_UNLIKELY);
    LLVMPositionBuilderAtEnd(e->b, usual);
    return is_across;
}

static void emit_gradients(struct emit *e, LLVMValueRef fn, unsigned dims,
                           bool is_cube)
{
    struct emit_fn *outer = e->f;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
    emit_begin_texture_function(e, fn);
    LLVMBasicBlockRef odd = emit_new_block(e, "odd");
    LLVMValueRef texture = LLVMGetParam(fn, 0), along[2][3];
    LLVMValueRef is_across = load_gradients(e, fn, dims, is_cube, along, odd);
    unsigned on_face = is_cube ? 2 : dims;
    scale_all(e, texture, along, on_face);
    LLVMValueRef reach = reach_of(e, along, on_face, is_across);
    ir_store(e, lod_of_length(e, texture, reach), LLVMGetParam(fn, 2), 64);
    LLVMBuildRet(e->b, LLVMConstInt(e->i1, 1, 0));
    emit_texture_return(e, odd, false);
    e->f = outer;
    LLVMPositionBuilderAtEnd(e->b, here);
}

LLVMValueRef emit_lod_of_gradients(struct emit *e, LLVMValueRef texture,
                                   unsigned dims, bool is_cube,
                                   const LLVMValueRef *gradient,
                                   LLVMValueRef lod, LLVMValueRef active)
{
    bool is_new;
    unsigned count = 2 * dims + (is_cube ? 3 : 0);
    struct emit_sample as = {.dims = dims, .channels = 1, .element = e->f32};
    LLVMValueRef fn =
        emit_texture_function(e, is_cube ? "gradients.cube" : "gradients", &as,
                              false, gradients_type(e), &is_new);
    if (is_new)
        emit_gradients(e, fn, dims, is_cube);
    LLVMTypeRef floats = LLVMVectorType(e->f32, e->lanes);
    LLVMValueRef memory =
        emit_alloca(e, LLVMArrayType2(floats, 9), 64, "gradients");
    for (unsigned i = 0; i < count; i++)
        ir_store(e, gradient[i], ir_offset(e, memory, i * VECTOR_BYTES), 64);
    LLVMValueRef args[] = {texture, memory, lod, active};
    return LLVMBuildCall2(e->b, gradients_type(e), fn, args, 4, "");
}
