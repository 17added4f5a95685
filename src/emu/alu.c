/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integer, logic, comparison and selection instructions on single values.
 * Shift amounts clamp, division by zero gives all ones (what hardware gives;
 * the manual leaves it open).
 */
#include "emu/internal.h"

typedef unsigned __int128 u128;
typedef emu_s128 s128;

static bool is_signed(const struct ptx_inst *in)
{
    return ptx_type_is_signed(in->type[0]);
}

static s128 extend(const struct ptx_inst *in, emu_bits v)
{
    return is_signed(in) ? (s128)emu_signed(in->type[0], v)
                         : (s128)emu_truncate(in->type[0], v);
}

static emu_bits saturate(const struct ptx_inst *in, s128 v)
{
    unsigned bits = emu_width(in->type[0]);
    s128 hi = ((s128)1 << (bits - 1)) - 1, lo = -hi - 1;

    if (!(in->flags & PTX_FLAG_sat))
        return (emu_bits)v;
    return (emu_bits)(v > hi ? hi : v < lo ? lo : v);
}

static emu_bits multiply(const struct ptx_inst *in, emu_bits a, emu_bits b)
{
    s128 p = (s128)((u128)extend(in, a) * (u128)extend(in, b));

    if (in->half == PTX_HALF_hi)
        return (emu_bits)(is_signed(in)
                              ? p >> emu_width(in->type[0])
                              : (s128)((u128)p >> emu_width(in->type[0])));
    return (emu_bits)p;
}

static emu_bits multiply24(const struct ptx_inst *in, emu_bits a, emu_bits b)
{
    s128 x = is_signed(in) ? (int64_t)(a << 40) >> 40 : (int64_t)(a & 0xffffff);
    s128 y = is_signed(in) ? (int64_t)(b << 40) >> 40 : (int64_t)(b & 0xffffff);
    s128 p = x * y;

    return (emu_bits)(in->half == PTX_HALF_hi ? p >> 16 : p);
}

static emu_bits divide(const struct ptx_inst *in, emu_bits a, emu_bits b)
{
    s128 x = extend(in, a), y = extend(in, b);

    if (y == 0)
        return ~UINT64_C(0);
    return (emu_bits)(in->op == PTX_OP_div ? x / y : x % y);
}

static emu_bits shift(const struct ptx_inst *in, emu_bits a, uint32_t n)
{
    unsigned bits = emu_width(in->type[0]);

    if (in->op == PTX_OP_shl)
        return n >= bits ? 0 : a << n;
    if (is_signed(in))
        return (emu_bits)(emu_signed(in->type[0], a) >>
                          (n >= bits ? bits - 1 : n));
    return n >= bits ? 0 : emu_truncate(in->type[0], a) >> n;
}

static emu_bits funnel(const struct ptx_inst *in, uint32_t a, uint32_t b,
                       uint32_t c)
{
    uint64_t both = (uint64_t)b << 32 | a;
    unsigned n = in->flags & PTX_FLAG_clamp ? (c > 32 ? 32 : c) : c & 31;

    return in->sub == PTX_SUB_l ? (uint32_t)(both << n >> 32)
                                : (uint32_t)(both >> n);
}

/* Of a field's numbers 8 bits count, says the manual; with 64-bit types
 * hardware takes all of them. */
static unsigned field_number(const struct ptx_inst *in, unsigned n)
{
    if (emu_width(in->type[0]) == 64)
        return n > 255 ? 255 : n;
    return n & 0xff;
}

static emu_bits extract(const struct ptx_inst *in, emu_bits a, unsigned pos,
                        unsigned len)
{
    unsigned bits = emu_width(in->type[0]), sign_at;
    emu_bits v = 0;

    pos = field_number(in, pos);
    len = field_number(in, len);
    a = emu_truncate(in->type[0], a);
    sign_at = pos + len - 1 < bits - 1 ? pos + len - 1 : bits - 1;
    bool sign = is_signed(in) && len > 0 && (a >> sign_at & 1);
    for (unsigned i = 0; i < bits; i++) {
        bool bit = i < len && pos + i < bits ? a >> (pos + i) & 1 : sign;
        v |= (emu_bits)bit << i;
    }
    return v;
}

static emu_bits insert(const struct ptx_inst *in, emu_bits a, emu_bits b,
                       unsigned pos, unsigned len)
{
    unsigned bits = emu_width(in->type[0]);

    pos = field_number(in, pos);
    len = field_number(in, len);
    for (unsigned i = 0; i < len && pos + i < bits; i++) {
        b &= ~(UINT64_C(1) << (pos + i));
        b |= (a >> i & 1) << (pos + i);
    }
    return b;
}

static emu_bits find_bit(const struct ptx_inst *in, emu_bits a)
{
    unsigned bits = emu_width(in->type[0]);

    a = emu_truncate(in->type[0], a);
    if (is_signed(in) && a >> (bits - 1) & 1)
        a = emu_truncate(in->type[0], ~a);
    if (a == 0)
        return UINT32_MAX;
    unsigned at = 63 - (unsigned)__builtin_clzll(a);
    return in->flags & PTX_FLAG_shiftamt ? bits - 1 - at : at;
}

static emu_bits reverse(const struct ptx_inst *in, emu_bits a)
{
    emu_bits v = 0;

    for (unsigned i = 0, n = emu_width(in->type[0]); i < n; i++)
        v |= (a >> i & 1) << (n - 1 - i);
    return v;
}

static unsigned prmt_selector(enum ptx_sub mode, unsigned c, unsigned byte)
{
    unsigned s = c & 3;

    switch (mode) {
    case PTX_SUB_f4e:
        return s + byte;
    case PTX_SUB_b4e:
        return (s + 8 - byte) & 7;
    case PTX_SUB_rc8:
        return s;
    case PTX_SUB_ecl:
        return byte > s ? byte : s;
    case PTX_SUB_ecr:
        return byte < s ? byte : s;
    case PTX_SUB_rc16:
        return (s & 1) * 2 + (byte & 1);
    default:
        return c >> (4 * byte) & 15;
    }
}

static emu_bits permute(const struct ptx_inst *in, uint32_t a, uint32_t b,
                        uint32_t c)
{
    uint64_t both = (uint64_t)b << 32 | a;
    emu_bits v = 0;

    for (unsigned i = 0; i < 4; i++) {
        unsigned s = prmt_selector(in->sub, c, i);
        uint8_t byte = (uint8_t)(both >> (8 * (s & 7)));
        if (s & 8)
            byte = byte & 0x80 ? 0xff : 0;
        v |= (emu_bits)byte << (8 * i);
    }
    return v;
}

static emu_bits logic3(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
    emu_bits v = 0;

    for (unsigned i = 0; i < 32; i++) {
        unsigned at = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
        v |= (emu_bits)(table >> at & 1) << i;
    }
    return v;
}

/* dp4a and dp2a: signedness of each source from its own type. */
static emu_bits dot(const struct ptx_inst *in, uint32_t a, uint32_t b,
                    uint32_t c)
{
    bool sa = ptx_type_is_signed(in->type[0]);
    bool sb = ptx_type_is_signed(in->type[1]);
    int64_t sum = 0;

    if (in->op == PTX_OP_dp4a) {
        for (int i = 0; i < 4; i++)
            sum +=
                (sa ? (int64_t)(int8_t)(a >> 8 * i) : (uint8_t)(a >> 8 * i)) *
                (sb ? (int64_t)(int8_t)(b >> 8 * i) : (uint8_t)(b >> 8 * i));
    } else {
        unsigned from = in->half == PTX_HALF_hi ? 2 : 0;
        for (unsigned i = 0; i < 2; i++) {
            uint16_t x = (uint16_t)(a >> 16 * i);
            uint8_t y = (uint8_t)(b >> 8 * (from + i));
            sum +=
                (sa ? (int64_t)(int16_t)x : x) * (sb ? (int64_t)(int8_t)y : y);
        }
    }
    return (uint32_t)((uint64_t)sum + c);
}

static emu_bits find_nth(uint32_t mask, uint32_t base, int32_t offset)
{
    if (base > 31)
        return UINT32_MAX;
    if (offset == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
    for (int i = (int)base; i >= 0 && i < 32; i += step)
        if (mask >> i & 1 && --left == 0)
            return (emu_bits)i;
    return UINT32_MAX;
}

/* bmsk: b bits from bit a on. */
static emu_bits bit_mask(const struct ptx_inst *in, uint32_t a, uint32_t b)
{
    emu_bits v = 0;

    if (!(in->flags & PTX_FLAG_clamp)) {
        a &= 31;
        b &= 31;
    }
    for (unsigned i = 0; i < 32; i++)
        if (i >= a && i - a < b)
            v |= UINT64_C(1) << i;
    return v;
}

/* szext: the low b bits, extended. */
static emu_bits extend_low(const struct ptx_inst *in, uint32_t a, uint32_t b)
{
    if (in->flags & PTX_FLAG_clamp && b > 31)
        return a;
    b &= 31;
    if (b == 0)
        return 0;
    return (uint32_t)(is_signed(in) ? (int32_t)(a << (32 - b)) >> (32 - b)
                                    : (int32_t)(a << (32 - b) >> (32 - b)));
}

/* a + b + carry, or a - b - borrow, setting the carry if .cc asks: the one of
 * a + ~b + 1 when subtracting, as hardware has it. */
static emu_bits add_carry(const struct ptx_inst *in, emu_bits a, emu_bits b,
                          bool is_sub, bool takes, bool *carry)
{
    enum ptx_type t = in->type[0];
    u128 x = emu_truncate(t, a), y = emu_truncate(t, b);
    u128 in_bit = takes && *carry != is_sub ? 1 : 0;
    u128 v = is_sub ? x - y - in_bit : x + y + in_bit;

    if (in->flags & PTX_FLAG_cc)
        *carry = ((v >> emu_width(t) & 1) != 0) != is_sub;
    return (emu_bits)v;
}

static emu_bits multiply_add(const struct ptx_inst *in, const emu_bits *a,
                             bool *carry)
{
    if (in->op == PTX_OP_madc || (in->flags & PTX_FLAG_cc))
        return add_carry(in, multiply(in, a[0], a[1]), a[2], false,
                         in->op == PTX_OP_madc, carry);
    if (in->flags & PTX_FLAG_sat) /* mad.hi.sat.s32 */
        return saturate(
            in, (s128)emu_signed(in->type[0], multiply(in, a[0], a[1])) +
                    emu_signed(in->type[0], a[2]));
    return multiply(in, a[0], a[1]) + a[2];
}

bool emu_compare_integers(enum ptx_cmp cmp, emu_s128 a, emu_s128 b)
{
    switch (cmp) {
    case PTX_CMP_eq:
        return a == b;
    case PTX_CMP_ne:
        return a != b;
    case PTX_CMP_lt:
    case PTX_CMP_lo:
        return a < b;
    case PTX_CMP_le:
    case PTX_CMP_ls:
        return a <= b;
    case PTX_CMP_gt:
    case PTX_CMP_hi:
        return a > b;
    case PTX_CMP_ge:
    case PTX_CMP_hs:
        return a >= b;
    default:
        assert(!"checked: integer comparison");
        return false;
    }
}

static bool compare_floats(enum ptx_cmp cmp, double a, double b)
{
    bool unordered = a != a || b != b;

    switch (cmp) {
    case PTX_CMP_eq:
        return a == b;
    case PTX_CMP_ne:
        return !unordered && a != b;
    case PTX_CMP_lt:
        return a < b;
    case PTX_CMP_le:
        return a <= b;
    case PTX_CMP_gt:
        return a > b;
    case PTX_CMP_ge:
        return a >= b;
    case PTX_CMP_equ:
        return unordered || a == b;
    case PTX_CMP_neu:
        return unordered || a != b;
    case PTX_CMP_ltu:
        return unordered || a < b;
    case PTX_CMP_leu:
        return unordered || a <= b;
    case PTX_CMP_gtu:
        return unordered || a > b;
    case PTX_CMP_geu:
        return unordered || a >= b;
    case PTX_CMP_num:
        return !unordered;
    case PTX_CMP_nan:
        return unordered;
    default:
        assert(!"checked: floating comparison");
        return false;
    }
}

static emu_bits flush(const struct ptx_inst *in, enum ptx_type t, emu_bits v)
{
    if (!(in->flags & PTX_FLAG_ftz))
        return v;
    if (t == PTX_TYPE_f32 && (v & 0x7f800000) == 0)
        return v & 0x80000000;
    if (t == PTX_TYPE_f16 && (v & 0x7c00) == 0)
        return v & 0x8000;
    return v;
}

static bool compare(const struct ptx_inst *in, enum ptx_type t, emu_bits a,
                    emu_bits b)
{
    if (ptx_type_is_float(t))
        return compare_floats(in->cmp, emu_to_double(t, flush(in, t, a)),
                              emu_to_double(t, flush(in, t, b)));
    /* lo, ls, hi, hs compare without sign, whatever the type. */
    bool is_unsigned = in->cmp == PTX_CMP_lo || in->cmp == PTX_CMP_ls ||
                       in->cmp == PTX_CMP_hi || in->cmp == PTX_CMP_hs ||
                       !ptx_type_is_signed(t);
    if (is_unsigned)
        return emu_compare_integers(in->cmp, (s128)emu_truncate(t, a),
                                    (s128)emu_truncate(t, b));
    return emu_compare_integers(in->cmp, emu_signed(t, a), emu_signed(t, b));
}

static bool combine(enum ptx_sub sub, bool a, bool b)
{
    switch (sub) {
    case PTX_SUB_and:
        return a && b;
    case PTX_SUB_or:
        return a || b;
    case PTX_SUB_xor:
        return a != b;
    default:
        return a;
    }
}

static bool combine_source(const struct ptx_inst *in, const emu_bits *a)
{
    return in->sub == PTX_SUB_none ? false : a[2] & 1;
}

/* The type of each half of a packed type, else none. */
static enum ptx_type half_type(enum ptx_type t)
{
    switch (t) {
    case PTX_TYPE_f16x2:
        return PTX_TYPE_f16;
    case PTX_TYPE_bf16x2:
        return PTX_TYPE_bf16;
    case PTX_TYPE_u16x2:
        return PTX_TYPE_u16;
    case PTX_TYPE_s16x2:
        return PTX_TYPE_s16;
    default:
        return PTX_TYPE_none;
    }
}

/* p from the low halves, q from the high ones. */
static void set_two_predicates(const struct ptx_inst *in, const emu_bits *a,
                               emu_bits *result, emu_bits *result2)
{
    enum ptx_type t = half_type(in->type[0]);
    bool low = compare(in, t, a[0] & 0xffff, a[1] & 0xffff);
    bool high = compare(in, t, a[0] >> 16, a[1] >> 16);

    *result = combine(in->sub, low, combine_source(in, a));
    *result2 = combine(in->sub, high, combine_source(in, a));
}

static void set_predicate(const struct ptx_inst *in, const emu_bits *a,
                          emu_bits *result, emu_bits *result2)
{
    if (half_type(in->type[0])) {
        set_two_predicates(in, a, result, result2);
        return;
    }
    bool c = compare(in, in->type[0], a[0], a[1]);

    *result = combine(in->sub, c, combine_source(in, a));
    *result2 = combine(in->sub, !c, combine_source(in, a));
}

static emu_bits set_one(const struct ptx_inst *in, enum ptx_type to,
                        enum ptx_type from, const emu_bits *a)
{
    bool c = compare(in, from, a[0], a[1]);

    c = combine(in->sub, c, combine_source(in, a));
    if (!ptx_type_is_float(to))
        return c ? ~UINT64_C(0) : 0;
    return emu_from_double(to, c ? 1.0 : 0.0);
}

static emu_bits set_value(const struct ptx_inst *in, const emu_bits *a)
{
    enum ptx_type from = half_type(in->type[1]);
    enum ptx_type to = half_type(in->type[0]);
    emu_bits v = 0;

    if (!from)
        return set_one(in, in->type[0], in->type[1], a);
    for (unsigned i = 0; i < 2; i++) {
        emu_bits half[3] = {a[0] >> 16 * i & 0xffff, a[1] >> 16 * i & 0xffff,
                            a[2]};
        v |= (set_one(in, to, from, half) & 0xffff) << 16 * i;
    }
    return v;
}

/* lop3 with a predicate: does any bit of the result stand? */
static void logic3_predicate(const struct ptx_inst *in, const emu_bits *a,
                             emu_bits *result, emu_bits *result2)
{
    *result =
        logic3((uint32_t)a[0], (uint32_t)a[1], (uint32_t)a[2], (unsigned)a[3]);
    *result2 = combine(in->sub, *result != 0, a[4] & 1);
}

static emu_bits slct(const struct ptx_inst *in, const emu_bits *a)
{
    bool first =
        ptx_type_is_float(in->type[1])
            ? emu_to_double(PTX_TYPE_f32, flush(in, PTX_TYPE_f32, a[2])) >= 0
            : (int32_t)a[2] >= 0;
    return first ? a[0] : a[1];
}

static bool is_float_op(const struct ptx_inst *in)
{
    return in->type_count > 0 && ptx_type_is_float(in->type[0]);
}

/* min.relu, max.relu */
static emu_bits not_below_zero(const struct ptx_inst *in, s128 v)
{
    return in->flags & PTX_FLAG_relu && v < 0 ? 0 : (emu_bits)v;
}

static emu_bits integer_op(const struct ptx_inst *in, const emu_bits *a,
                           bool *carry)
{
    enum ptx_type t = in->type[0];
    s128 x = extend(in, a[0]), y = extend(in, a[1]);

    switch (in->op) {
    case PTX_OP_add:
        return in->flags & PTX_FLAG_cc
                   ? add_carry(in, a[0], a[1], false, false, carry)
                   : saturate(in, x + y);
    case PTX_OP_sub:
        return in->flags & PTX_FLAG_cc
                   ? add_carry(in, a[0], a[1], true, false, carry)
                   : saturate(in, x - y);
    case PTX_OP_addc:
        return add_carry(in, a[0], a[1], false, true, carry);
    case PTX_OP_subc:
        return add_carry(in, a[0], a[1], true, true, carry);
    case PTX_OP_mul:
        return multiply(in, a[0], a[1]);
    case PTX_OP_mad:
    case PTX_OP_madc:
        return multiply_add(in, a, carry);
    case PTX_OP_mul24:
        return multiply24(in, a[0], a[1]);
    case PTX_OP_mad24:
        return saturate(in, (s128)extend(in, multiply24(in, a[0], a[1])) +
                                extend(in, a[2]));
    case PTX_OP_div:
    case PTX_OP_rem:
        return divide(in, a[0], a[1]);
    case PTX_OP_sad:
        return a[2] + (emu_bits)(x < y ? y - x : x - y);
    case PTX_OP_abs:
        return (emu_bits)(x < 0 ? -x : x);
    case PTX_OP_neg:
        return (emu_bits)-x;
    case PTX_OP_min:
        return not_below_zero(in, x < y ? x : y);
    case PTX_OP_max:
        return not_below_zero(in, x > y ? x : y);
    case PTX_OP_popc:
        return (emu_bits)__builtin_popcountll(emu_truncate(t, a[0]));
    case PTX_OP_clz: {
        emu_bits v = emu_truncate(t, a[0]);
        return v ? (emu_bits)__builtin_clzll(v) - (64 - emu_width(t))
                 : emu_width(t);
    }
    case PTX_OP_bfind:
        return find_bit(in, a[0]);
    case PTX_OP_brev:
        return reverse(in, a[0]);
    case PTX_OP_bfe:
        return extract(in, a[0], (unsigned)a[1], (unsigned)a[2]);
    case PTX_OP_bfi:
        return insert(in, a[0], a[1], (unsigned)a[2], (unsigned)a[3]);
    case PTX_OP_fns:
        return find_nth((uint32_t)a[0], (uint32_t)a[1], (int32_t)a[2]);
    case PTX_OP_bmsk:
        return bit_mask(in, (uint32_t)a[0], (uint32_t)a[1]);
    case PTX_OP_szext:
        return extend_low(in, (uint32_t)a[0], (uint32_t)a[1]);
    case PTX_OP_and:
        return a[0] & a[1];
    case PTX_OP_or:
        return a[0] | a[1];
    case PTX_OP_xor:
        return a[0] ^ a[1];
    case PTX_OP_not:
        return ~a[0];
    case PTX_OP_cnot:
        return emu_truncate(t, a[0]) == 0;
    case PTX_OP_shl:
    case PTX_OP_shr:
        return shift(in, a[0], (uint32_t)a[1]);
    case PTX_OP_shf:
        return funnel(in, (uint32_t)a[0], (uint32_t)a[1], (uint32_t)a[2]);
    case PTX_OP_prmt:
        return permute(in, (uint32_t)a[0], (uint32_t)a[1], (uint32_t)a[2]);
    case PTX_OP_dp4a:
    case PTX_OP_dp2a:
        return dot(in, (uint32_t)a[0], (uint32_t)a[1], (uint32_t)a[2]);
    default:
        assert(!"ops.def says that it is known");
        return 0;
    }
}

/* Packed 16-bit integers: each half on its own. */
static emu_bits on_halves(const struct ptx_inst *in, const emu_bits *a)
{
    struct ptx_inst one = *in;
    emu_bits v = 0;

    one.type[0] = half_type(in->type[0]);
    for (unsigned i = 0; i < 2; i++) {
        emu_bits half[3];
        for (unsigned j = 0; j < 3; j++)
            half[j] = a[j] >> 16 * i & 0xffff;
        v |= (integer_op(&one, half, NULL) & 0xffff) << 16 * i;
    }
    return v;
}

void emu_alu(const struct ptx_inst *in, const emu_bits *a, bool *carry,
             emu_bits *result, emu_bits *result2)
{
    switch (in->op) {
    case PTX_OP_lop3:
        logic3_predicate(in, a, result, result2);
        return;
    case PTX_OP_setp:
        set_predicate(in, a, result, result2);
        return;
    case PTX_OP_set:
        *result = set_value(in, a);
        return;
    case PTX_OP_selp:
        *result = a[2] & 1 ? a[0] : a[1];
        return;
    case PTX_OP_slct:
        *result = slct(in, a);
        return;
    case PTX_OP_cvt:
        *result = emu_convert(in, a);
        return;
    default:
        break;
    }
    if (emu_ops[in->op].how == EMU_VIDEO)
        *result = emu_video(in, a);
    else if (is_float_op(in))
        *result = emu_float(in, a);
    else if (half_type(in->type[0]))
        *result = on_halves(in, a);
    else
        *result = integer_op(in, a, carry);
}
