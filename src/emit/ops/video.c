/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scalar and SIMD video instructions. Scalar ones compute in 64 bits, where
 * sums of 32-bit parts of either sign are exact. SIMD ones split words into
 * vectors of bytes or half-words, twice as many lanes, and compute in the next
 * wider type. Scalar ones saturate and compare as real devices do, which is not
 * always what the manual says: docs/ptx-hardware-notes.md.
 *
 * Source: PTX ISA, "Scalar Video Instructions", "SIMD Video Instructions".
 */
#include "emit/core/emitters.h"
#include "emit/core/values.h"

static LLVMValueRef extended_to(struct emit *e, LLVMValueRef v, LLVMTypeRef to,
                                enum ptx_type t)
{
    return ir_resize(e, v, to, ptx_type_is_signed(t));
}

/* Clamps v, a signed number, to the range of `bits` bits. */
static LLVMValueRef clamp_to(struct emit *e, LLVMValueRef v, unsigned bits,
                             bool is_signed)
{
    int64_t high = (INT64_C(1) << (bits - is_signed)) - 1;
    v = ir_binary(e, "llvm.smax", v, ir_int(v, is_signed ? -high - 1 : 0));
    return ir_binary(e, "llvm.smin", v, ir_int(v, high));
}

/* ---- scalar ------------------------------------------------------------ */

/* The part of a word that the selector names, as an i64. */
static LLVMValueRef video_part(struct emit *e, const struct ptx_operand *o,
                               enum ptx_type t)
{
    struct ptx_operand word = *o;
    unsigned bits = ptx_selected_bits(o);

    word.negated = false;
    LLVMValueRef v = emit_read(e, &word, PTX_TYPE_b32);
    v = ir_lshr(e, v, ir_int(v, bits == 32 ? 0 : bits * (o->select & 15)));
    v = ir_resize(e, v, LLVMIntTypeInContext(e->cx, bits), false);
    return extended_to(e, v, e->i64, t);
}

static LLVMValueRef shifted_by(struct emit *e, const struct ptx_inst *inst,
                               LLVMValueRef a, LLVMValueRef n)
{
    if (inst->flags & PTX_FLAG_wrap)
        n = ir_and(e, n, ir_int(n, 31));
    else
        n = ir_binary(e, "llvm.umin", n, ir_int(n, 32));
    if (inst->op == PTX_OP_vshr)
        return ir_ashr(e, a, n);
    return ir_shl(e, a, n);
}

static LLVMValueRef absolute_of(struct emit *e, LLVMValueRef v)
{
    return ir_binary(e, "llvm.smax", v, ir_neg(e, v));
}

static LLVMValueRef video_operation(struct emit *e, const struct ptx_inst *inst,
                                    LLVMValueRef a, LLVMValueRef b)
{
    switch (inst->op) {
    case PTX_OP_vadd:
    case PTX_OP_vadd2:
    case PTX_OP_vadd4:
        return ir_add(e, a, b);
    case PTX_OP_vsub:
    case PTX_OP_vsub2:
    case PTX_OP_vsub4:
        return ir_sub(e, a, b);
    case PTX_OP_vabsdiff:
    case PTX_OP_vabsdiff2:
    case PTX_OP_vabsdiff4:
        return absolute_of(e, ir_sub(e, a, b));
    case PTX_OP_vmin:
    case PTX_OP_vmin2:
    case PTX_OP_vmin4:
        return ir_binary(e, "llvm.smin", a, b);
    case PTX_OP_vmax:
    case PTX_OP_vmax2:
    case PTX_OP_vmax4:
        return ir_binary(e, "llvm.smax", a, b);
    case PTX_OP_vavrg2:
    case PTX_OP_vavrg4: { /* rounds up, unless the sum is negative */
        LLVMValueRef sum = ir_add(e, a, b);
        LLVMValueRef up = ir_icmp(e, LLVMIntSGE, sum, ir_int(sum, 0));
        sum = ir_add(e, sum, ir_zext(e, up, ir_element(sum)));
        return ir_ashr(e, sum, ir_int(sum, 1));
    }
    case PTX_OP_vset:
    case PTX_OP_vset2:
    case PTX_OP_vset4:
        return ir_zext(e, emit_compare(e, inst->cmp, PTX_TYPE_s64, a, b),
                       ir_element(a));
    default:
        return shifted_by(e, inst, a, b);
    }
}

static bool is_shift(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_vshl || inst->op == PTX_OP_vshr;
}

/* bits: of the destination's part. */
static LLVMValueRef saturated_to(struct emit *e, const struct ptx_inst *inst,
                                 LLVMValueRef v, unsigned bits, bool is_signed)
{
    if (is_shift(inst)) { /* of 34 bits, to a word whatever the part */
        v = ir_ashr(e, ir_shl(e, v, ir_int(v, 30)), ir_int(v, 30));
        return clamp_to(e, v, 32, is_signed);
    }
    if (bits < 32) /* negative values are large */
        return ir_binary(e, "llvm.umin", v,
                         ir_int(v, (INT64_C(1) << (bits - is_signed)) - 1));
    if (is_signed)
        return clamp_to(e, v, 32, true);
    return ir_binary(e, "llvm.smax", v, ir_int(v, 0)); /* no upper limit */
}

/* In 64 bits. Sums, and what was saturated to a word, lose their upper half
 * first, and then are signed numbers, whatever their type. */
static LLVMValueRef second_operation(struct emit *e,
                                     const struct ptx_inst *inst,
                                     bool is_signed, LLVMValueRef v,
                                     LLVMValueRef c)
{
    bool is_sum = inst->op == PTX_OP_vadd || inst->op == PTX_OP_vsub;
    bool is_word = is_sum || ((inst->flags & PTX_FLAG_sat) &&
                              (is_signed || is_shift(inst)));
    bool is_min = inst->sub == PTX_SUB_min;
    LLVMValueRef low = ir_trunc(e, v, e->i32);

    if (inst->sub == PTX_SUB_add)
        return ir_add(e, low, c);
    if (!is_min && inst->sub != PTX_SUB_max)
        return low;
    v = is_word ? ir_resize(e, low, e->i64, true) : v;
    v = ir_binary(e,
                  is_signed ? is_min ? "llvm.smin" : "llvm.smax"
                  : is_min  ? "llvm.umin"
                            : "llvm.umax",
                  v, ir_resize(e, c, e->i64, is_signed));
    return ir_trunc(e, v, e->i32);
}

static bool has_third(const struct ptx_inst *inst)
{
    return inst->operand_count > 3 && inst->operand[3].kind != PTX_OPERAND_none;
}

void emit_video(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    bool is_set = inst->op == PTX_OP_vset;
    bool is_signed = ptx_type_is_signed(inst->type[0]);
    unsigned bits = ptx_selected_bits(&o[0]), at = bits * (o[0].select & 15);
    LLVMValueRef v = video_operation(
        e, inst, video_part(e, &o[1], inst->type[is_set ? 0 : 1]),
        video_part(e, &o[2], inst->type[is_set ? 1 : 2]));

    if (inst->flags & PTX_FLAG_sat)
        v = saturated_to(e, inst, v, bits, is_signed);
    if (!has_third(inst)) {
        v = ir_trunc(e, v, e->i32);
    } else if (bits == 32) {
        v = second_operation(e, inst, is_signed, v,
                             emit_read(e, &o[3], PTX_TYPE_b32));
    } else {
        LLVMValueRef c = emit_read(e, &o[3], PTX_TYPE_b32);
        int64_t mask = (int64_t)((UINT64_C(1) << bits) - 1) << at;
        v = ir_trunc(e, v, e->i32);
        if (bits == 8 || at == 0) /* the upper half stays there */
            v = ir_shl(e, v, ir_int(v, at));
        v = ir_and(e, v, ir_int(v, mask));
        v = ir_or(e, v, ir_and(e, c, ir_int(c, ~mask)));
    }
    emit_write(e, &o[0], v, PTX_TYPE_b32);
}

/* ---- vmad -------------------------------------------------------------- */

static bool has_sub(const struct ptx_inst *inst, enum ptx_sub sub)
{
    return inst->sub == sub || inst->sub2 == sub;
}

/* Words are signed, whatever their type. */
static LLVMValueRef video_factor(struct emit *e, const struct ptx_operand *o,
                                 enum ptx_type t)
{
    return video_part(e, o, ptx_selected_bits(o) == 32 ? PTX_TYPE_s32 : t);
}

static LLVMValueRef scaled_product(struct emit *e, const struct ptx_inst *inst,
                                   LLVMValueRef v, bool is_signed)
{
    unsigned n = has_sub(inst, PTX_SUB_shr7)    ? 7
                 : has_sub(inst, PTX_SUB_shr15) ? 15
                                                : 0;
    if (n == 0)
        return v;
    return is_signed ? ir_ashr(e, v, ir_int(v, n))
                     : ir_lshr(e, v, ir_int(v, n));
}

void emit_vmad(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    struct ptx_operand third = o[3];
    bool minus_product = o[1].negated != o[2].negated;
    bool is_signed = ptx_type_is_signed(inst->type[1]) ||
                     ptx_type_is_signed(inst->type[2]) || minus_product ||
                     o[3].negated;
    LLVMValueRef a = video_factor(e, &o[1], inst->type[1]);
    LLVMValueRef b = video_factor(e, &o[2], inst->type[2]);
    LLVMValueRef v = ir_mul(e, a, b);
    int64_t last = 0;

    third.negated = false;
    LLVMValueRef c = emit_read(e, &third, PTX_TYPE_b32);
    if (has_sub(inst, PTX_SUB_po)) {
        last = 1;
    } else if (minus_product) {
        v = ir_not(e, v);
        last = 1;
    } else if (o[3].negated) {
        c = ir_not(e, c);
        last = 1;
    }
    v = ir_add(e, v, ir_resize(e, c, e->i64, true));
    v = scaled_product(e, inst, ir_add(e, v, ir_int(v, last)), is_signed);
    if (inst->flags & PTX_FLAG_sat)
        v = clamp_to(e, v, 32, is_signed);
    emit_write(e, &o[0], ir_trunc(e, v, e->i32), PTX_TYPE_b32);
}

/* ---- two and four at a time -------------------------------------------- */

static unsigned part_selector(const struct ptx_operand *o, unsigned others,
                              unsigned i)
{
    return o->select_count ? o->select >> 4 * i & 15 : others + i;
}

/* The parts that a selector chooses from those of a and b, which are split
 * into n parts to the word. */
static LLVMValueRef chosen_parts(struct emit *e, const struct ptx_operand *o,
                                 unsigned others, unsigned n, LLVMValueRef a,
                                 LLVMValueRef b)
{
    unsigned total = LLVMGetVectorSize(LLVMTypeOf(a));
    int *index = arena_array(e->arena, int, total);

    for (unsigned i = 0; i < total; i++) {
        unsigned word = i / n * n,
                 s = part_selector(o, others, i % n) % (2 * n);
        index[i] = (int)(s < n ? word + s : total + word + s - n);
    }
    return ir_shuffle(e, a, b, index, total);
}

/* v where the destination takes it; else c. */
static LLVMValueRef merge_parts(struct emit *e, const struct ptx_operand *d,
                                unsigned n, LLVMValueRef v, LLVMValueRef c)
{
    unsigned total = LLVMGetVectorSize(LLVMTypeOf(v));
    int *index = arena_array(e->arena, int, total);

    for (unsigned i = 0; i < total; i++)
        index[i] = (int)(ptx_selects(d, i % n) ? i : total + i);
    return ir_shuffle(e, v, c, index, total);
}

/* c plus the chosen results, which are i32. */
static LLVMValueRef accumulate_parts(struct emit *e,
                                     const struct ptx_operand *d, unsigned n,
                                     LLVMValueRef v, LLVMValueRef c)
{
    unsigned total = LLVMGetVectorSize(LLVMTypeOf(v));
    unsigned words = total / n;
    int *index = arena_array(e->arena, int, words);

    for (unsigned part = 0; part < n; part++) {
        if (!ptx_selects(d, part))
            continue;
        for (unsigned i = 0; i < words; i++)
            index[i] = (int)(i * n + part);
        LLVMValueRef x = ir_shuffle(e, v, NULL, index, words);
        c = ir_add(e, c, ir_is_vector(c) ? x : ir_extract(e, x, 0));
    }
    return c;
}

static unsigned part_count(enum ptx_op op)
{
    switch (op) {
    case PTX_OP_vadd2:
    case PTX_OP_vsub2:
    case PTX_OP_vavrg2:
    case PTX_OP_vabsdiff2:
    case PTX_OP_vmin2:
    case PTX_OP_vmax2:
    case PTX_OP_vset2:
        return 2;
    default:
        return 4;
    }
}

void emit_video_simd(struct emit *e, const struct ptx_inst *inst)
{
    const struct ptx_operand *o = inst->operand;
    unsigned n = part_count(inst->op), bits = 32 / n;
    unsigned types =
        inst->op == PTX_OP_vset2 || inst->op == PTX_OP_vset4 ? 0 : 1;
    bool adds = inst->sub == PTX_SUB_add;
    LLVMTypeRef piece = LLVMIntTypeInContext(e->cx, bits);
    LLVMTypeRef wide = adds ? e->i32 : LLVMIntTypeInContext(e->cx, 2 * bits);
    LLVMValueRef a = ir_split(e, emit_read(e, &o[1], PTX_TYPE_b32), piece);
    LLVMValueRef b = ir_split(e, emit_read(e, &o[2], PTX_TYPE_b32), piece);
    LLVMValueRef c = emit_read(e, &o[3], PTX_TYPE_b32);
    LLVMValueRef x = extended_to(e, chosen_parts(e, &o[1], 0, n, a, b), wide,
                                 inst->type[types]);
    LLVMValueRef y = extended_to(e, chosen_parts(e, &o[2], n, n, a, b), wide,
                                 inst->type[types + 1]);
    LLVMValueRef v = video_operation(e, inst, x, y);

    if (inst->flags & PTX_FLAG_sat)
        v = clamp_to(e, v, bits, ptx_type_is_signed(inst->type[0]));
    if (adds)
        v = accumulate_parts(e, &o[0], n, v, c);
    else
        v = ir_join(e,
                    merge_parts(e, &o[0], n, ir_trunc(e, v, piece),
                                ir_split(e, c, piece)),
                    LLVMTypeOf(c));
    emit_write(e, &o[0], v, PTX_TYPE_b32);
}
