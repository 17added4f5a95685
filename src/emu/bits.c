/* SPDX-License-Identifier: Apache-2.0 */
/* Logic, shifts, and instructions that count, find, move or cut out bits. Shift
 * amounts clamp. */
#include "emu/internal.h"

static emu_bits shift_bits(const struct ptx_inst *in, emu_bits a, uint32_t n)
{
    unsigned bits = ptx_type_bits(in->type[0]);

    if (in->op == PTX_OP_shl)
        return n >= bits ? 0 : a << n;
    if (ptx_type_is_signed(in->type[0]))
        return (emu_bits)(emu_signed(in->type[0], a) >>
                          (n >= bits ? bits - 1 : n));
    return n >= bits ? 0 : emu_truncate(in->type[0], a) >> n;
}

static emu_bits funnel_shift(const struct ptx_inst *in, uint32_t a, uint32_t b,
                             uint32_t c)
{
    uint64_t both = (uint64_t)b << 32 | a;
    unsigned n = in->flags & PTX_FLAG_clamp ? (c > 32 ? 32 : c) : c & 31;

    return in->sub == PTX_SUB_l ? (uint32_t)(both << n >> 32)
                                : (uint32_t)(both >> n);
}

/* A field's position or length: the manual says that its low 8 bits count; of
 * 64-bit types hardware takes the whole number. */
static unsigned field_number(const struct ptx_inst *in, unsigned n)
{
    if (ptx_type_bits(in->type[0]) == 64)
        return n > 255 ? 255 : n;
    return n & 0xff;
}

static emu_bits extract_field(const struct ptx_inst *in, emu_bits a,
                              unsigned pos, unsigned len)
{
    unsigned bits = ptx_type_bits(in->type[0]), sign_at;
    emu_bits v = 0;

    pos = field_number(in, pos);
    len = field_number(in, len);
    a = emu_truncate(in->type[0], a);
    sign_at = pos + len - 1 < bits - 1 ? pos + len - 1 : bits - 1;
    bool sign =
        ptx_type_is_signed(in->type[0]) && len > 0 && (a >> sign_at & 1);
    for (unsigned i = 0; i < bits; i++) {
        bool bit = i < len && pos + i < bits ? a >> (pos + i) & 1 : sign;
        v |= (emu_bits)bit << i;
    }
    return v;
}

static emu_bits insert_field(const struct ptx_inst *in, emu_bits a, emu_bits b,
                             unsigned pos, unsigned len)
{
    unsigned bits = ptx_type_bits(in->type[0]);

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
    unsigned bits = ptx_type_bits(in->type[0]);

    a = emu_truncate(in->type[0], a);
    if (ptx_type_is_signed(in->type[0]) && a >> (bits - 1) & 1)
        a = emu_truncate(in->type[0], ~a);
    if (a == 0)
        return UINT32_MAX;
    unsigned at = 63 - (unsigned)__builtin_clzll(a);
    return in->flags & PTX_FLAG_shiftamt ? bits - 1 - at : at;
}

static emu_bits reverse_bits(const struct ptx_inst *in, emu_bits a)
{
    emu_bits v = 0;

    for (unsigned i = 0, n = ptx_type_bits(in->type[0]); i < n; i++)
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

static emu_bits permute_bytes(const struct ptx_inst *in, uint32_t a, uint32_t b,
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

static emu_bits logic_of_three(uint32_t a, uint32_t b, uint32_t c,
                               unsigned table)
{
    emu_bits v = 0;

    for (unsigned i = 0; i < 32; i++) {
        unsigned at = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
        v |= (emu_bits)(table >> at & 1) << i;
    }
    return v;
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
    return (uint32_t)(ptx_type_is_signed(in->type[0])
                          ? (int32_t)(a << (32 - b)) >> (32 - b)
                          : (int32_t)(a << (32 - b) >> (32 - b)));
}

static emu_bits leading_zeros(enum ptx_type t, emu_bits a)
{
    emu_bits v = emu_truncate(t, a);
    return v ? (emu_bits)__builtin_clzll(v) - (64 - ptx_type_bits(t))
             : ptx_type_bits(t);
}

emu_bits emu_bit_op(const struct ptx_inst *in, const emu_bits *a)
{
    enum ptx_type t = in->type[0];

    switch (in->op) {
    case PTX_OP_popc:
        return (emu_bits)__builtin_popcountll(emu_truncate(t, a[0]));
    case PTX_OP_clz:
        return leading_zeros(t, a[0]);
    case PTX_OP_bfind:
        return find_bit(in, a[0]);
    case PTX_OP_brev:
        return reverse_bits(in, a[0]);
    case PTX_OP_bfe:
        return extract_field(in, a[0], (unsigned)a[1], (unsigned)a[2]);
    case PTX_OP_bfi:
        return insert_field(in, a[0], a[1], (unsigned)a[2], (unsigned)a[3]);
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
        return shift_bits(in, a[0], (uint32_t)a[1]);
    case PTX_OP_shf:
        return funnel_shift(in, (uint32_t)a[0], (uint32_t)a[1], (uint32_t)a[2]);
    case PTX_OP_prmt:
        return permute_bytes(in, (uint32_t)a[0], (uint32_t)a[1],
                             (uint32_t)a[2]);
    default:
        assert(!"ops.def says that it is known");
        return 0;
    }
}

/* The predicate of lop3.BoolOp: is any bit of the result set? */
void emu_lop3(const struct ptx_inst *in, const emu_bits *a, emu_bits *result,
              emu_bits *result2)
{
    *result = logic_of_three((uint32_t)a[0], (uint32_t)a[1], (uint32_t)a[2],
                             (unsigned)a[3]);
    *result2 = emu_combine(in->sub, *result != 0, a[4] & 1);
}
