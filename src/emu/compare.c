/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons, and selection by the sign of a number. */
#include "emu/internal.h"

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

static emu_bits flush_operand(const struct ptx_inst *in, enum ptx_type t,
                              emu_bits v)
{
    if (!(in->flags & PTX_FLAG_ftz))
        return v;
    if (t == PTX_TYPE_f32 && (v & 0x7f800000) == 0)
        return v & 0x80000000;
    if (t == PTX_TYPE_f16 && (v & 0x7c00) == 0)
        return v & 0x8000;
    return v;
}

static bool compare_values(const struct ptx_inst *in, enum ptx_type t,
                           emu_bits a, emu_bits b)
{
    if (ptx_type_is_float(t))
        return compare_floats(in->cmp,
                              emu_to_double(t, flush_operand(in, t, a)),
                              emu_to_double(t, flush_operand(in, t, b)));
    /* lo, ls, hi, hs compare without sign, whatever the type. */
    bool is_unsigned = in->cmp == PTX_CMP_lo || in->cmp == PTX_CMP_ls ||
                       in->cmp == PTX_CMP_hi || in->cmp == PTX_CMP_hs ||
                       !ptx_type_is_signed(t);
    if (is_unsigned)
        return emu_compare_integers(in->cmp, (emu_s128)emu_truncate(t, a),
                                    (emu_s128)emu_truncate(t, b));
    return emu_compare_integers(in->cmp, emu_signed(t, a), emu_signed(t, b));
}

bool emu_combine(enum ptx_sub sub, bool a, bool b)
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

/* setp of packed halves: *result from the low ones, *result2 from the high. */
static void set_two_predicates(const struct ptx_inst *in, const emu_bits *a,
                               emu_bits *result, emu_bits *result2)
{
    enum ptx_type t = emu_half_type(in->type[0]);
    bool low = compare_values(in, t, a[0] & 0xffff, a[1] & 0xffff);
    bool high = compare_values(in, t, a[0] >> 16, a[1] >> 16);

    *result = emu_combine(in->sub, low, combine_source(in, a));
    *result2 = emu_combine(in->sub, high, combine_source(in, a));
}

void emu_setp(const struct ptx_inst *in, const emu_bits *a, emu_bits *result,
              emu_bits *result2)
{
    if (emu_half_type(in->type[0])) {
        set_two_predicates(in, a, result, result2);
        return;
    }
    bool c = compare_values(in, in->type[0], a[0], a[1]);

    *result = emu_combine(in->sub, c, combine_source(in, a));
    *result2 = emu_combine(in->sub, !c, combine_source(in, a));
}

static emu_bits set_one(const struct ptx_inst *in, enum ptx_type to,
                        enum ptx_type from, const emu_bits *a)
{
    bool c = compare_values(in, from, a[0], a[1]);

    c = emu_combine(in->sub, c, combine_source(in, a));
    if (!ptx_type_is_float(to))
        return c ? ~UINT64_C(0) : 0;
    return emu_from_double(to, c ? 1.0 : 0.0);
}

emu_bits emu_set(const struct ptx_inst *in, const emu_bits *a)
{
    enum ptx_type from = emu_half_type(in->type[1]);
    enum ptx_type to = emu_half_type(in->type[0]);
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

emu_bits emu_slct(const struct ptx_inst *in, const emu_bits *a)
{
    bool first = ptx_type_is_float(in->type[1])
                     ? emu_to_double(PTX_TYPE_f32,
                                     flush_operand(in, PTX_TYPE_f32, a[2])) >= 0
                     : (int32_t)a[2] >= 0;
    return first ? a[0] : a[1];
}
