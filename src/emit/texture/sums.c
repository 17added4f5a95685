/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What texels of floats, halves and colors of sRGB add up to in a texture unit,
 * bit by bit as exec's mix.c says: four at a time, cut off at so many bits of
 * the largest exponent among them; sums of fours on a common grid. Sums are
 * doubles, in which all of this is exact; of one plane's floats, two floats
 * each. Between levels a sum waits in memory for what the next level adds.
 */
#include "emit/texture/texture.h"

#include "emit/core/masks.h"

enum {
    FLOAT_BIAS = 127,
    DOUBLE_BIAS = 1023,
    NO_FINITE = 255, /* the exponent of what is not finite */
    /* Least biased exponents: of halves and colors, and of floats for which
     * the scale that aligns them is a float. */
    LEAST_HALF = FLOAT_BIAS - 14,
    LEAST_FLOAT = FLOAT_BIAS - 90,
    SINGLE = 0x10000, /* instead of a weight of 1: the only texel, unchanged */
};

/* For the lanes of a slice: value * 2^power. */
struct sum {
    LLVMValueRef value;    /* doubles */
    LLVMValueRef power;    /* i32; NULL: 0 */
    LLVMValueRef exponent; /* i32, of the largest texel, biased as a float's */
};

static int bits_of(const struct emit_sample *s)
{
    return s->kind == TEXTURE_PATH_WORDS    ? TEXTURE_SUM_FLOAT_BITS
           : s->kind == TEXTURE_PATH_HALVES ? TEXTURE_SUM_HALF_BITS
                                            : TEXTURE_SUM_COLOR_BITS;
}

static int least_of(const struct emit_sample *s)
{
    return s->kind == TEXTURE_PATH_WORDS ? LEAST_FLOAT : LEAST_HALF;
}

/* A number that grows with the exponent: a float's bits without its sign, the
 * last byte of a color's word; 0 for nothing. */
static LLVMValueRef size_of(struct emit *e, const struct emit_sample *s,
                            LLVMValueRef v)
{
    if (s->kind == TEXTURE_PATH_COLORS)
        return ir_and(e, v, ir_int(v, 255));
    LLVMValueRef bits = ir_as_int(e, v);
    return ir_and(e, bits, ir_int(bits, INT32_MAX));
}

static LLVMValueRef value_of(struct emit *e, const struct emit_sample *s,
                             LLVMValueRef v)
{
    if (s->kind != TEXTURE_PATH_COLORS)
        return v;
    return ir_as(e, ir_and(e, v, ir_int(v, ~0xffff)), e->f32);
}

static LLVMValueRef float_power(struct emit *e, LLVMValueRef biased)
{
    return ir_as(e, ir_shl(e, biased, ir_int(biased, 23)), e->f32);
}

/* 2^power. */
static LLVMValueRef double_power(struct emit *e, LLVMValueRef power)
{
    LLVMValueRef biased =
        ir_zext(e, ir_add(e, power, ir_int(power, DOUBLE_BIAS)), e->i64);
    return ir_as(e, ir_shl(e, biased, ir_int(biased, 52)), e->f64);
}

static LLVMValueRef any_of(struct emit *e, LLVMValueRef lanes)
{
    unsigned count = LLVMGetVectorSize(LLVMTypeOf(lanes));
    LLVMTypeRef bits = LLVMIntTypeInContext(e->cx, count);
    LLVMValueRef any = LLVMBuildBitCast(e->b, lanes, bits, "");
    return ir_icmp(e, LLVMIntNE, any, ir_int(any, 0));
}

/* Warps with texels that are not finite, or whose floats are all so small that
 * no float aligns them, go to the helper. */
static void test_exponents(struct emit *e, const struct emit_sample *s,
                           LLVMValueRef most)
{
    LLVMValueRef is_odd =
        ir_icmp(e, LLVMIntUGE, most, ir_int(most, NO_FINITE << 23));
    if (s->kind == TEXTURE_PATH_WORDS) { /* but zeros are not small */
        LLVMValueRef less_one = ir_sub(e, most, ir_int(most, 1));
        LLVMValueRef is_small =
            ir_icmp(e, LLVMIntULT, less_one, ir_int(most, LEAST_FLOAT << 23));
        is_odd = ir_or(e, is_odd, is_small);
    }
    LLVMBasicBlockRef good = emit_new_block(e, "finite");
    emit_branch(e, any_of(e, is_odd), s->call, good, EMIT_UNLIKELY);
    LLVMPositionBuilderAtEnd(e->b, good);
}

/* -0, which changes no sum, nor its sign; a color's word has no such value. */
static LLVMValueRef nothing_like(const struct emit_sample *s, LLVMValueRef v)
{
    return s->kind == TEXTURE_PATH_COLORS ? LLVMConstNull(LLVMTypeOf(v))
                                          : ir_real(v, -0.0);
}

/* The texel, or nothing if it has no weight. */
static LLVMValueRef counted_texel(struct emit *e, const struct emit_sample *s,
                                  LLVMValueRef weight, LLVMValueRef v)
{
    LLVMValueRef counts = ir_fcmp(e, LLVMRealONE, weight, ir_real(weight, 0));
    return ir_select(e, counts, v, nothing_like(s, v));
}

/* The largest size of texels with a weight; the others become nothing. */
static LLVMValueRef largest_size(struct emit *e, const struct emit_sample *s,
                                 unsigned count, const LLVMValueRef *weight,
                                 LLVMValueRef *v)
{
    LLVMValueRef most = NULL;
    for (unsigned i = 0; i < count; i++) {
        v[i] = counted_texel(e, s, weight[i], v[i]);
        LLVMValueRef size = size_of(e, s, v[i]);
        most = most ? ir_binary(e, "llvm.umax", most, size) : size;
    }
    if (s->kind != TEXTURE_PATH_COLORS)
        test_exponents(e, s, most);
    return most;
}

static LLVMValueRef largest_exponent(struct emit *e,
                                     const struct emit_sample *s,
                                     unsigned count, const LLVMValueRef *weight,
                                     LLVMValueRef *v)
{
    LLVMValueRef most = largest_size(e, s, count, weight, v);
    if (s->kind != TEXTURE_PATH_COLORS)
        most = ir_lshr(e, most, ir_int(most, 23));
    return ir_binary(e, "llvm.umax", most, ir_int(most, least_of(s)));
}

/* Adds an aligned texel times its weight: exact, fused or not. */
static LLVMValueRef add_term(struct emit *e, const struct emit_sample *s,
                             LLVMValueRef sum, LLVMValueRef weight,
                             LLVMValueRef v, LLVMValueRef scale)
{
    LLVMValueRef x =
        ir_unary(e, "llvm.trunc", ir_fmul(e, value_of(e, s, v), scale));
    if (s->kind == TEXTURE_PATH_COLORS) {
        LLVMValueRef counts =
            ir_fcmp(e, LLVMRealONE, weight, ir_real(weight, 0));
        x = ir_select(e, counts, x, ir_real(x, -0.0));
    }
    x = ir_cast(e, LLVMFPExt, x, e->f64);
    weight = ir_cast(e, LLVMFPExt, weight, e->f64);
    return sum ? ir_ternary(e, "llvm.fmuladd", weight, x, sum)
               : ir_fmul(e, weight, x);
}

/* The sum of at most four texels. */
static struct sum sum_of(struct emit *e, const struct emit_sample *s,
                         unsigned count, const LLVMValueRef *weight,
                         LLVMValueRef *v)
{
    int bits = bits_of(s);
    struct sum sum = {.exponent = largest_exponent(e, s, count, weight, v)};
    LLVMValueRef most = sum.exponent;
    LLVMValueRef scale = float_power(
        e, ir_sub(e, ir_int(most, 2 * FLOAT_BIAS - 1 + bits), most));
    for (unsigned i = 0; i < count; i++)
        sum.value = add_term(e, s, sum.value, weight[i], v[i], scale);
    sum.power = ir_sub(e, most, ir_int(most, FLOAT_BIAS + bits - 1));
    return sum;
}

/* Bits behind the binary point of the grid for this exponent. */
static LLVMValueRef grid_of(struct emit *e, const struct emit_sample *s,
                            LLVMValueRef exponent)
{
    LLVMValueRef up = ir_sub(e, exponent, ir_int(exponent, FLOAT_BIAS - 3));
    up = ir_and(e, up, ir_int(up, ~3));
    return ir_sub(e, ir_int(up, bits_of(s) + TEXTURE_SUM_GRID_BITS), up);
}

/* Adds several sums, each cut off on the grid of their largest exponent. */
static struct sum added_sums(struct emit *e, const struct emit_sample *s,
                             const struct sum *part, unsigned count)
{
    struct sum sum = {.exponent = part[0].exponent};
    for (unsigned i = 1; i < count; i++)
        sum.exponent =
            ir_binary(e, "llvm.umax", sum.exponent, part[i].exponent);
    LLVMValueRef grid = grid_of(e, s, sum.exponent);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef up = part[i].power ? ir_add(e, part[i].power, grid) : grid;
        LLVMValueRef x = ir_unary(
            e, "llvm.floor", ir_fmul(e, part[i].value, double_power(e, up)));
        sum.value = sum.value ? ir_fadd(e, sum.value, x) : x;
    }
    sum.power = ir_neg(e, grid);
    return sum;
}

/* Ties away from zero. */
static LLVMValueRef nearest_float(struct emit *e, LLVMValueRef v,
                                  unsigned dropped)
{
    LLVMValueRef bits = ir_as_int(e, v);
    int64_t one = INT64_C(1) << dropped;
    bits = ir_add(e, bits, ir_int(bits, one / 2));
    return ir_as(e, ir_and(e, bits, ir_int(bits, -one)), e->f64);
}

static LLVMValueRef value_of_sum(struct emit *e, const struct sum *sum)
{
    return sum->power ? ir_fmul(e, sum->value, double_power(e, sum->power))
                      : sum->value;
}

/* The result of a sum. A float's scale is a float itself: see LEAST_FLOAT. */
static LLVMValueRef result_of(struct emit *e, const struct emit_sample *s,
                              const struct sum *sum)
{
    if (s->kind == TEXTURE_PATH_WORDS) {
        LLVMValueRef f = nearest_float(e, sum->value, 52 - 23),
                     power = sum->power;
        f = ir_cast(e, LLVMFPTrunc, f, e->f32);
        if (!power)
            return f;
        power = ir_add(e, power, ir_int(power, FLOAT_BIAS));
        return ir_fmul(e, f, float_power(e, power));
    }
    LLVMValueRef v = value_of_sum(e, sum);
    LLVMValueRef is_small =
        ir_fcmp(e, LLVMRealOLT, ir_fabs(e, v), ir_real(v, 0x1p-14));
    LLVMValueRef small = ir_fmul(e, v, ir_real(v, 0x1p24));
    LLVMValueRef half = ir_binary(e, "llvm.copysign", ir_real(v, 0.5), small);
    small = ir_unary(e, "llvm.trunc", ir_fadd(e, small, half));
    small = ir_fmul(e, small, ir_real(v, 0x1p-24));
    v = ir_select(e, is_small, small, nearest_float(e, v, 52 - 10));
    return ir_cast(e, LLVMFPTrunc, v, e->f32);
}

/* Sums of a level's texels, one or two. */
static unsigned sums_of(struct emit *e, const struct emit_sample *s,
                        unsigned count, const LLVMValueRef *weight,
                        LLVMValueRef *v, struct sum sum[2])
{
    sum[0] = sum_of(e, s, count < 4 ? count : 4, weight, v);
    if (count <= 4)
        return 1;
    sum[1] = sum_of(e, s, count - 4, weight + 4, v + 4);
    return 2;
}

static LLVMValueRef cut_sum(struct emit *e, const struct emit_sample *s,
                            unsigned count, const LLVMValueRef *weight,
                            LLVMValueRef *v)
{
    struct sum sum[2];
    if (sums_of(e, s, count, weight, v, sum) == 2)
        sum[0] = added_sums(e, s, sum, 2);
    return result_of(e, s, sum);
}

/* ---- floats without doubles ------------------------------------------------
 *
 * A sum of upper parts and one of lower parts, each exact in floats, since
 * weights are multiples of 1/256 that add up to one. Of four texels the upper
 * part is what the largest exponent leaves of 16 bits, the lower one the 12
 * bits that are not cut off. Of eight, which are cut off by fours, it is each
 * texel's upper 12 bits: only where exponents are at most four apart, and
 * nothing is cut off.
 */

enum { NEAR_EXPONENTS = 4, LOWER_BITS = 12 };

/* i1: has a lane texels, zeros aside, whose exponents are further apart? Those
 * without a weight become nothing. */
static LLVMValueRef is_far_apart(struct emit *e, const struct emit_sample *s,
                                 unsigned count, const LLVMValueRef *weight,
                                 LLVMValueRef *v)
{
    LLVMValueRef most = NULL, least = NULL;
    for (unsigned i = 0; i < count; i++) {
        v[i] = counted_texel(e, s, weight[i], v[i]);
        LLVMValueRef size = size_of(e, s, v[i]);
        /* of 0: the most */
        LLVMValueRef low = ir_sub(e, size, ir_int(size, 1));
        most = most ? ir_binary(e, "llvm.umax", most, size) : size;
        least = least ? ir_binary(e, "llvm.umin", least, low) : low;
    }
    test_exponents(e, s, most);
    LLVMValueRef apart = ir_sub(e, most, least);
    return any_of(
        e, ir_icmp(e, LLVMIntUGT, apart, ir_int(apart, NEAR_EXPONENTS << 23)));
}

/* The sum of upper and lower sums: rounded to nearest even, then away from
 * zero where what is missing is half of the last bit (Knuth's sum of two). */
static LLVMValueRef rounded_sum(struct emit *e, LLVMValueRef upper,
                                LLVMValueRef less)
{
    LLVMValueRef sum = ir_fsub(e, upper, less);
    LLVMValueRef part = ir_fsub(e, sum, upper);
    LLVMValueRef lost = ir_fsub(e, upper, ir_fsub(e, sum, part));
    lost = ir_fsub(e, lost, ir_fadd(e, less, part));
    LLVMValueRef twice = ir_fadd(e, lost, lost);
    LLVMValueRef away = ir_fadd(e, sum, twice);
    LLVMValueRef is_half =
        ir_fcmp(e, LLVMRealOEQ, ir_fsub(e, away, sum), twice);
    LLVMValueRef signs = ir_xor(e, ir_as_int(e, sum), ir_as_int(e, lost));
    LLVMValueRef is_away =
        ir_icmp(e, LLVMIntSGE, signs, LLVMConstNull(LLVMTypeOf(signs)));
    return ir_select(e, ir_and(e, is_half, is_away), away, sum);
}

/* Upper and lower sums. Lower parts are taken with the opposite sign, so that
 * those of -0 are +0, and a sum of such is -0. */
struct parts {
    LLVMValueRef upper, less;
};

static void add_parts(struct emit *e, struct parts *sum, LLVMValueRef weight,
                      LLVMValueRef upper, LLVMValueRef less)
{
    sum->upper = sum->upper
                     ? ir_ternary(e, "llvm.fmuladd", weight, upper, sum->upper)
                     : ir_fmul(e, weight, upper);
    sum->less = sum->less
                    ? ir_ternary(e, "llvm.fmuladd", weight, less, sum->less)
                    : ir_fmul(e, weight, less);
}

static LLVMValueRef near_sum(struct emit *e, unsigned count,
                             const LLVMValueRef *weight, const LLVMValueRef *v)
{
    struct parts sum = {NULL, NULL};
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef bits = ir_as_int(e, v[i]);
        bits = ir_and(e, bits, ir_int(bits, -(1 << LOWER_BITS)));
        LLVMValueRef x = ir_as(e, bits, e->f32);
        add_parts(e, &sum, weight[i], x, ir_fsub(e, x, v[i]));
    }
    return rounded_sum(e, sum.upper, sum.less);
}

/* The power of two that brings a float of the largest exponent, `most` in its
 * place, to so many bits before the point. */
static LLVMValueRef aligning_power(struct emit *e, LLVMValueRef most, int bits)
{
    uint32_t biased = (uint32_t)(2 * FLOAT_BIAS - 1 + bits) << 23;
    return ir_as(e, ir_sub(e, ir_int(most, (int32_t)biased), most), e->f32);
}

bool emit_sums_floats(const struct emit_sample *s, const struct emit_taps *t)
{
    return s->kind == TEXTURE_PATH_WORDS && t->count <= 4 && !s->whole;
}

LLVMValueRef emit_sum_floats(struct emit *e, const struct emit_sample *s,
                             unsigned count, const LLVMValueRef *weight,
                             LLVMValueRef *v)
{
    enum { UPPER_BITS = TEXTURE_SUM_FLOAT_BITS - LOWER_BITS };
    struct parts sum = {NULL, NULL};
    LLVMValueRef most = largest_size(e, s, count, weight, v);
    most = ir_and(e, most, ir_int(most, INT32_C(255) << 23));
    most = ir_binary(e, "llvm.umax", most, ir_int(most, LEAST_FLOAT << 23));
    LLVMValueRef up = aligning_power(e, most, UPPER_BITS);
    LLVMValueRef cut = aligning_power(e, most, TEXTURE_SUM_FLOAT_BITS);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef upper = ir_unary(e, "llvm.trunc", ir_fmul(e, v[i], up));
        LLVMValueRef all = ir_unary(e, "llvm.trunc", ir_fmul(e, v[i], cut));
        LLVMValueRef less =
            ir_ternary(e, "llvm.fmuladd", all,
                       ir_real(all, -1.0 / (1 << LOWER_BITS)), upper);
        add_parts(e, &sum, weight[i], upper, less);
    }
    /* and weights are in 1 / 256 */
    LLVMValueRef down =
        ir_sub(e, most, ir_int(most, (UPPER_BITS - 1 + 8) << 23));
    return ir_fmul(e, rounded_sum(e, sum.upper, sum.less),
                   ir_as(e, down, e->f32));
}

LLVMValueRef emit_aligned_sum(struct emit *e, const struct emit_sample *s,
                              unsigned count, const LLVMValueRef *weight,
                              LLVMValueRef *v)
{
    if (s->kind != TEXTURE_PATH_WORDS)
        return cut_sum(e, s, count, weight, v);
    assert(count > 4);
    LLVMBasicBlockRef near = emit_new_block(e, "near"),
                      far = emit_new_block(e, "far"),
                      end = emit_new_block(e, "summed");
    emit_branch(e, is_far_apart(e, s, count, weight, v), far, near,
                EMIT_UNLIKELY);
    LLVMBasicBlockRef from[2];
    LLVMValueRef sum[2];
    LLVMPositionBuilderAtEnd(e->b, near);
    sum[0] = near_sum(e, count, weight, v);
    from[0] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, end);
    LLVMPositionBuilderAtEnd(e->b, far);
    sum[1] = cut_sum(e, s, count, weight, v);
    from[1] = LLVMGetInsertBlock(e->b);
    LLVMBuildBr(e->b, end);
    LLVMPositionBuilderAtEnd(e->b, end);
    return ir_merge(e, sum[0], from[0], sum[1], from[1]);
}

/* ---- between levels ----------------------------------------------------- */

/* Vectors behind s->whole: for each channel the doubles, then the
 * exponents. */
#define DOUBLES(c)   ((int64_t)VECTOR_BYTES * (1 + 3 * (int64_t)(c)))
#define EXPONENTS(c) (DOUBLES(c) + (int64_t)2 * VECTOR_BYTES)

LLVMValueRef emit_make_sums(struct emit *e)
{
    LLVMTypeRef type = LLVMArrayType2(e->i8, DOUBLES(4));
    LLVMValueRef sums = emit_alloca(e, type, 64, "sums");
    LLVMTypeRef doubles = LLVMVectorType(e->f64, e->lanes);
    LLVMTypeRef words = LLVMVectorType(e->i32, e->lanes);
    for (unsigned c = 0; c < 4; c++) {
        LLVMValueRef nothing = LLVMConstNull(doubles);
        ir_store(e, ir_real(nothing, -0.0), ir_offset(e, sums, DOUBLES(c)), 64);
        ir_store(e, LLVMConstNull(words), ir_offset(e, sums, EXPONENTS(c)), 64);
    }
    return sums;
}

static LLVMValueRef slice_place(struct emit *e, LLVMValueRef sums,
                                int64_t vector, const struct emit_taps *t,
                                unsigned bytes)
{
    return ir_offset(e, sums, vector + (int64_t)t->first * bytes);
}

static struct sum load_sum(struct emit *e, LLVMValueRef sums, unsigned c,
                           const struct emit_taps *t)
{
    LLVMTypeRef doubles = LLVMVectorType(e->f64, t->lanes);
    LLVMTypeRef words = LLVMVectorType(e->i32, t->lanes);
    return (struct sum){
        .value = ir_load(e, doubles, slice_place(e, sums, DOUBLES(c), t, 8), 8),
        .exponent =
            ir_load(e, words, slice_place(e, sums, EXPONENTS(c), t, 4), 4),
    };
}

static void store_sum(struct emit *e, LLVMValueRef sums, unsigned c,
                      const struct emit_taps *t, const struct sum *sum)
{
    ir_store(e, sum->value, slice_place(e, sums, DOUBLES(c), t, 8), 8);
    ir_store(e, sum->exponent, slice_place(e, sums, EXPONENTS(c), t, 4), 4);
}

void emit_add_aligned(struct emit *e, const struct emit_sample *s,
                      const struct emit_taps *t, unsigned c,
                      const LLVMValueRef *weight, LLVMValueRef *v,
                      LLVMValueRef is_single)
{
    struct sum kept = load_sum(e, s->whole, c, t), part[3] = {kept};
    unsigned count = 1 + sums_of(e, s, t->count, weight, v, part + 1);
    struct sum sum = added_sums(e, s, part, count);
    sum.value = value_of_sum(e, &sum);
    if (is_single)
        sum.exponent =
            ir_select(e, is_single, ir_int(sum.exponent, SINGLE), sum.exponent);
    if (e->f->at.mask) {
        LLVMValueRef mask = ir_slice(e, e->f->at.mask, t->first, t->lanes);
        sum.value = ir_select(e, mask, sum.value, kept.value);
        sum.exponent = ir_select(e, mask, sum.exponent, kept.exponent);
    }
    store_sum(e, s->whole, c, t, &sum);
}

LLVMValueRef emit_finish_aligned(struct emit *e, const struct emit_sample *s,
                                 unsigned c, LLVMValueRef single)
{
    struct emit_taps all = {.lanes = e->lanes};
    struct sum sum = load_sum(e, s->whole, c, &all);
    LLVMValueRef is_single =
        ir_icmp(e, LLVMIntEQ, sum.exponent, ir_int(sum.exponent, SINGLE));
    return ir_select(e, is_single, single, result_of(e, s, &sum));
}
