/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scalar and SIMD video instructions: sources are words, half-words or bytes
 * chosen by selectors, results are clamped and merged with a third source.
 * Scalar ones saturate and compare as real devices do, which is not always
 * what the manual says: docs/ptx-hardware-notes.md.
 *
 * Source: PTX ISA, "Scalar Video Instructions", "SIMD Video Instructions".
 */
#include "emu/internal.h"

static bool is_signed(enum ptx_type t)
{
    return ptx_type_is_signed(t);
}

static int64_t extend_bits(int64_t word, unsigned bits, bool sign)
{
    uint64_t v = (uint64_t)word & ((UINT64_C(1) << bits) - 1);
    return sign && v >> (bits - 1) ? (int64_t)v - (INT64_C(1) << bits)
                                   : (int64_t)v;
}

static int64_t selected_part(const struct ptx_operand *o, enum ptx_type t,
                             emu_bits v)
{
    unsigned bits = ptx_selected_bits(o);
    return extend_bits((int64_t)(v >> bits * (o->select & 15)), bits,
                       is_signed(t));
}

static int64_t clamp_bits(int64_t v, unsigned bits, bool sign)
{
    int64_t high = (INT64_C(1) << (bits - (sign ? 1 : 0))) - 1;
    int64_t low = sign ? -high - 1 : 0;
    return v > high ? high : v < low ? low : v;
}

enum kind { ADD, SUB, ABSDIFF, MIN, MAX, SHL, SHR, SET, AVRG, MAD };

static const struct video {
    enum ptx_op op;
    enum kind kind;
    unsigned elements;
} videos[] = {
    {PTX_OP_vadd, ADD, 1},          {PTX_OP_vsub, SUB, 1},
    {PTX_OP_vabsdiff, ABSDIFF, 1},  {PTX_OP_vmin, MIN, 1},
    {PTX_OP_vmax, MAX, 1},          {PTX_OP_vshl, SHL, 1},
    {PTX_OP_vshr, SHR, 1},          {PTX_OP_vset, SET, 1},
    {PTX_OP_vmad, MAD, 1},          {PTX_OP_vadd2, ADD, 2},
    {PTX_OP_vsub2, SUB, 2},         {PTX_OP_vabsdiff2, ABSDIFF, 2},
    {PTX_OP_vmin2, MIN, 2},         {PTX_OP_vmax2, MAX, 2},
    {PTX_OP_vavrg2, AVRG, 2},       {PTX_OP_vset2, SET, 2},
    {PTX_OP_vadd4, ADD, 4},         {PTX_OP_vsub4, SUB, 4},
    {PTX_OP_vabsdiff4, ABSDIFF, 4}, {PTX_OP_vmin4, MIN, 4},
    {PTX_OP_vmax4, MAX, 4},         {PTX_OP_vavrg4, AVRG, 4},
    {PTX_OP_vset4, SET, 4},
};

static const struct video *find_row(enum ptx_op op)
{
    for (size_t i = 0; i < ARRAY_COUNT(videos); i++)
        if (videos[i].op == op)
            return &videos[i];
    return NULL;
}

static int64_t shift_number(const struct ptx_inst *in, enum kind kind,
                            int64_t a, uint64_t n)
{
    n = in->flags & PTX_FLAG_wrap ? n & 31 : n > 32 ? 32 : n;
    return kind == SHL ? (int64_t)((uint64_t)a << n) : a >> n;
}

static int64_t combine_parts(const struct ptx_inst *in, enum kind kind,
                             int64_t a, int64_t b)
{
    switch (kind) {
    case ADD:
        return a + b;
    case SUB:
        return a - b;
    case ABSDIFF:
        return a < b ? b - a : a - b;
    case MIN:
        return a < b ? a : b;
    case MAX:
        return a > b ? a : b;
    case AVRG: /* a half is rounded away from zero */
        return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case SET:
        return emu_compare_integers(in->cmp, a, b);
    default:
        return shift_number(in, kind, a, (uint64_t)b);
    }
}

/* ---- scalar ------------------------------------------------------------ */

static bool is_shift(enum kind kind)
{
    return kind == SHL || kind == SHR;
}

/* v clamped, as .sat asks. bits: the width of the destination's part. */
static int64_t saturate_part(enum kind kind, unsigned bits, bool sign,
                             int64_t v)
{
    if (is_shift(kind)) /* 34 bits are clamped to a word, whatever the part */
        return clamp_bits(extend_bits(v, 34, true), 32, sign);
    if (bits < 32) { /* a negative value counts as a large one */
        int64_t most = (INT64_C(1) << (bits - sign)) - 1;
        return v < 0 || v > most ? most : v;
    }
    if (sign)
        return clamp_bits(v, 32, true);
    return v < 0 ? 0 : v; /* not clamped from above */
}

/* The second operation (add, min, max) on the result v and source c. min and
 * max compare 64 bits; but a sum, a difference and what was saturated to a word
 * lose their upper half first, and are read with a sign whatever their type. */
static emu_bits merge_word(const struct ptx_inst *in, enum kind kind, bool sign,
                           int64_t v, uint32_t c)
{
    bool is_word = kind == ADD || kind == SUB ||
                   ((in->flags & PTX_FLAG_sat) && (sign || is_shift(kind)));
    int64_t x = is_word ? extend_bits(v, 32, true) : v;
    int64_t y = extend_bits(c, 32, sign);
    bool is_less = sign ? x < y : (uint64_t)x < (uint64_t)y;

    switch (in->sub) {
    case PTX_SUB_add:
        return (uint32_t)v + c;
    case PTX_SUB_min:
        return is_less ? (uint32_t)v : c;
    case PTX_SUB_max:
        return is_less ? c : (uint32_t)v;
    default:
        return (uint32_t)v;
    }
}

static emu_bits video_scalar(const struct ptx_inst *in, enum kind kind,
                             const emu_bits *a)
{
    const struct ptx_operand *d = &in->operand[0];
    bool is_set = kind == SET;
    bool sign = is_signed(in->type[0]);
    int64_t v = combine_parts(
        in, kind,
        selected_part(&in->operand[1], in->type[is_set ? 0 : 1], a[0]),
        selected_part(&in->operand[2], in->type[is_set ? 1 : 2], a[1]));

    unsigned bits = ptx_selected_bits(d);
    if (in->flags & PTX_FLAG_sat)
        v = saturate_part(kind, bits, sign, v);
    if (bits == 32)
        return (uint32_t)merge_word(in, kind, sign, v, (uint32_t)a[2]);
    unsigned at = bits * (d->select & 15);
    emu_bits mask = ((UINT64_C(1) << bits) - 1) << at;
    bool is_upper = at == 16 && bits == 16; /* the upper half stays there */
    return (a[2] & ~mask) | ((emu_bits)v << (is_upper ? 0 : at) & mask);
}

static bool has_sub(const struct ptx_inst *in, enum ptx_sub sub)
{
    return in->sub == sub || in->sub2 == sub;
}

/* A source of vmad's product: a word has a sign, whatever its type. */
static int64_t vmad_factor(const struct ptx_operand *o, enum ptx_type t,
                           emu_bits v)
{
    return selected_part(o, ptx_selected_bits(o) == 32 ? PTX_TYPE_s32 : t, v);
}

static emu_bits multiply_add(const struct ptx_inst *in, const emu_bits *a)
{
    const struct ptx_operand *o = in->operand;
    bool minus_product = o[1].negated != o[2].negated;
    bool sign = is_signed(in->type[1]) || is_signed(in->type[2]) ||
                minus_product || o[3].negated;
    int64_t v = vmad_factor(&o[1], in->type[1], a[0]) *
                vmad_factor(&o[2], in->type[2], a[1]);
    uint32_t c = (uint32_t)a[2];
    int last = 0;

    if (has_sub(in, PTX_SUB_po)) {
        last = 1;
    } else if (minus_product) {
        v = ~v;
        last = 1;
    } else if (o[3].negated) {
        c = ~c;
        last = 1;
    }
    v += extend_bits(c, 32, true) + last;
    unsigned n = has_sub(in, PTX_SUB_shr7)    ? 7
                 : has_sub(in, PTX_SUB_shr15) ? 15
                                              : 0;
    v = sign ? v >> n : (int64_t)((uint64_t)v >> n);
    if (in->flags & PTX_FLAG_sat)
        v = clamp_bits(v, 32, sign);
    return (uint32_t)v;
}

/* ---- two and four at a time -------------------------------------------- */

/* Element i of a source: the part that its selector chooses of a and b, or the
 * source's own part i. others: the index of that source's part 0. */
static int64_t simd_element(const struct ptx_operand *o, enum ptx_type t,
                            unsigned others, const emu_bits *a, unsigned count,
                            unsigned i)
{
    unsigned bits = 32 / count;
    unsigned from = o->select_count ? o->select >> 4 * i & 15 : others + i;
    uint64_t both = (uint64_t)(uint32_t)a[1] << 32 | (uint32_t)a[0];

    return extend_bits((int64_t)(both >> bits * from), bits, is_signed(t));
}

static emu_bits video_simd(const struct ptx_inst *in, const struct video *v,
                           const emu_bits *a)
{
    unsigned n = v->elements, bits = 32 / n;
    unsigned types = v->kind == SET ? 0 : 1;
    bool adds = in->sub == PTX_SUB_add;
    emu_bits d = adds ? a[2] : 0;

    for (unsigned i = 0; i < n; i++) {
        emu_bits mask = ((UINT64_C(1) << bits) - 1) << bits * i;
        int64_t t = combine_parts(
            in, v->kind,
            simd_element(&in->operand[1], in->type[types], 0, a, n, i),
            simd_element(&in->operand[2], in->type[types + 1], n, a, n, i));
        if (in->flags & PTX_FLAG_sat)
            t = clamp_bits(t, bits, is_signed(in->type[0]));
        if (adds)
            d += ptx_selects(&in->operand[0], i) ? (emu_bits)t : 0;
        else
            d |= (ptx_selects(&in->operand[0], i) ? (emu_bits)t << bits * i
                                                  : a[2]) &
                 mask;
    }
    return (uint32_t)d;
}

emu_bits emu_video(const struct ptx_inst *in, const emu_bits *a)
{
    const struct video *v = find_row(in->op);

    assert(v);
    if (v->elements > 1)
        return video_simd(in, v, a);
    return v->kind == MAD ? multiply_add(in, a) : video_scalar(in, v->kind, a);
}
