/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integer arithmetic on single values, and the way to the files with the other
 * operations on values: bits.c, compare.c, float.c, convert.c, video.c.
 * Division by zero gives all ones, as hardware does; the manual leaves it open.
 */
#include "emu/internal.h"

typedef unsigned __int128 u128;
typedef emu_s128 s128;

static bool is_signed(const struct ptx_inst *in)
{
    return ptx_type_is_signed(in->type[0]);
}

static s128 extend_source(const struct ptx_inst *in, emu_bits v)
{
    return is_signed(in) ? (s128)emu_signed(in->type[0], v)
                         : (s128)emu_truncate(in->type[0], v);
}

static emu_bits saturate_integer(const struct ptx_inst *in, s128 v)
{
    unsigned bits = ptx_type_bits(in->type[0]);
    s128 hi = ((s128)1 << (bits - 1)) - 1, lo = -hi - 1;

    if (!(in->flags & PTX_FLAG_sat))
        return (emu_bits)v;
    return (emu_bits)(v > hi ? hi : v < lo ? lo : v);
}

static emu_bits multiply_integers(const struct ptx_inst *in, emu_bits a,
                                  emu_bits b)
{
    s128 p = (s128)((u128)extend_source(in, a) * (u128)extend_source(in, b));

    if (in->half == PTX_HALF_hi)
        return (emu_bits)(is_signed(in)
                              ? p >> ptx_type_bits(in->type[0])
                              : (s128)((u128)p >> ptx_type_bits(in->type[0])));
    return (emu_bits)p;
}

static emu_bits multiply_24_bits(const struct ptx_inst *in, emu_bits a,
                                 emu_bits b)
{
    s128 x = is_signed(in) ? (int64_t)(a << 40) >> 40 : (int64_t)(a & 0xffffff);
    s128 y = is_signed(in) ? (int64_t)(b << 40) >> 40 : (int64_t)(b & 0xffffff);
    s128 p = x * y;

    return (emu_bits)(in->half == PTX_HALF_hi ? p >> 16 : p);
}

static emu_bits divide_integers(const struct ptx_inst *in, emu_bits a,
                                emu_bits b)
{
    s128 x = extend_source(in, a), y = extend_source(in, b);

    if (y == 0)
        return ~UINT64_C(0);
    return (emu_bits)(in->op == PTX_OP_div ? x / y : x % y);
}

/* dp4a and dp2a: each source has a sign or not, as its own type says. */
static emu_bits dot_product(const struct ptx_inst *in, uint32_t a, uint32_t b,
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

/* a + b + carry, or a - b - borrow; sets the carry if .cc is there. For a
 * difference that is the carry of a + ~b + 1, as on hardware: 1 is no borrow.
 */
static emu_bits add_carry(const struct ptx_inst *in, emu_bits a, emu_bits b,
                          bool is_sub, bool takes, bool *carry)
{
    enum ptx_type t = in->type[0];
    u128 x = emu_truncate(t, a), y = emu_truncate(t, b);
    u128 in_bit = takes && *carry != is_sub ? 1 : 0;
    u128 v = is_sub ? x - y - in_bit : x + y + in_bit;

    if (in->flags & PTX_FLAG_cc)
        *carry = ((v >> ptx_type_bits(t) & 1) != 0) != is_sub;
    return (emu_bits)v;
}

static emu_bits multiply_add(const struct ptx_inst *in, const emu_bits *a,
                             bool *carry)
{
    if (in->op == PTX_OP_madc || (in->flags & PTX_FLAG_cc))
        return add_carry(in, multiply_integers(in, a[0], a[1]), a[2], false,
                         in->op == PTX_OP_madc, carry);
    if (in->flags & PTX_FLAG_sat) /* mad.hi.sat.s32 */
        return saturate_integer(
            in,
            (s128)emu_signed(in->type[0], multiply_integers(in, a[0], a[1])) +
                emu_signed(in->type[0], a[2]));
    return multiply_integers(in, a[0], a[1]) + a[2];
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
    s128 x = extend_source(in, a[0]), y = extend_source(in, a[1]);

    switch (in->op) {
    case PTX_OP_add:
        return in->flags & PTX_FLAG_cc
                   ? add_carry(in, a[0], a[1], false, false, carry)
                   : saturate_integer(in, x + y);
    case PTX_OP_sub:
        return in->flags & PTX_FLAG_cc
                   ? add_carry(in, a[0], a[1], true, false, carry)
                   : saturate_integer(in, x - y);
    case PTX_OP_addc:
        return add_carry(in, a[0], a[1], false, true, carry);
    case PTX_OP_subc:
        return add_carry(in, a[0], a[1], true, true, carry);
    case PTX_OP_mul:
        return multiply_integers(in, a[0], a[1]);
    case PTX_OP_mad:
    case PTX_OP_madc:
        return multiply_add(in, a, carry);
    case PTX_OP_mul24:
        return multiply_24_bits(in, a[0], a[1]);
    case PTX_OP_mad24:
        return saturate_integer(
            in, (s128)extend_source(in, multiply_24_bits(in, a[0], a[1])) +
                    extend_source(in, a[2]));
    case PTX_OP_div:
    case PTX_OP_rem:
        return divide_integers(in, a[0], a[1]);
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
    case PTX_OP_dp4a:
    case PTX_OP_dp2a:
        return dot_product(in, (uint32_t)a[0], (uint32_t)a[1], (uint32_t)a[2]);
    default:
        return emu_bit_op(in, a);
    }
}

/* Packed 16-bit integers: each half on its own. */
static emu_bits on_halves(const struct ptx_inst *in, const emu_bits *a)
{
    struct ptx_inst one = *in;
    emu_bits v = 0;

    one.type[0] = emu_half_type(in->type[0]);
    for (unsigned i = 0; i < 2; i++) {
        emu_bits half[3];
        for (unsigned j = 0; j < 3; j++)
            half[j] = a[j] >> 16 * i & 0xffff;
        v |= (integer_op(&one, half, NULL) & 0xffff) << 16 * i;
    }
    return v;
}

/* Not by emu_ops, which names all functions of the folder. */
static const bool is_video[PTX_OP_COUNT] = {
#define EMU_VALUES(op, how)     [PTX_OP_##op] = EMU_##how == EMU_VIDEO,
#define EMU_THREAD(op, run)     [PTX_OP_##op] = false,
#define EMU_COLLECTIVE(op, how) [PTX_OP_##op] = false,
#include "emu/ops.def"
};

void emu_alu(const struct ptx_inst *in, const emu_bits *a, bool *carry,
             emu_bits *result, emu_bits *result2)
{
    switch (in->op) {
    case PTX_OP_lop3:
        emu_lop3(in, a, result, result2);
        return;
    case PTX_OP_setp:
        emu_setp(in, a, result, result2);
        return;
    case PTX_OP_set:
        *result = emu_set(in, a);
        return;
    case PTX_OP_selp:
        *result = a[2] & 1 ? a[0] : a[1];
        return;
    case PTX_OP_slct:
        *result = emu_slct(in, a);
        return;
    case PTX_OP_cvt:
        *result = emu_convert(in, a);
        return;
    default:
        break;
    }
    if (is_video[in->op])
        *result = emu_video(in, a);
    else if (is_float_op(in))
        *result = emu_float(in, a);
    else if (emu_half_type(in->type[0]))
        *result = on_halves(in, a);
    else
        *result = integer_op(in, a, carry);
}
