/* SPDX-License-Identifier: Apache-2.0 */
#include "exact.h"

#include <string.h>

typedef unsigned __int128 u128;

const struct exact_format exact_single = {23, 8}, exact_double = {52, 11};

/* (-1)^sign * m * 2^e; and a little more where something is left over. */
struct number {
    bool sign, has_rest;
    u128 m;
    int e;
};

static uint64_t sign_bit(struct exact_format f)
{
    return UINT64_C(1) << (f.fraction_bits + f.exponent_bits);
}

static uint64_t infinity(struct exact_format f)
{
    return ((UINT64_C(1) << f.exponent_bits) - 1) << f.fraction_bits;
}

static uint64_t nan_of(struct exact_format f)
{
    return sign_bit(f) - 1;
}

static uint64_t magnitude(struct exact_format f, uint64_t v)
{
    return v & (sign_bit(f) - 1);
}

bool exact_is_nan(struct exact_format f, uint64_t v)
{
    return magnitude(f, v) > infinity(f);
}

static int least_exponent(struct exact_format f)
{
    return 2 - (1 << (f.exponent_bits - 1)) - f.fraction_bits;
}

static struct number unpack(struct exact_format f, uint64_t v)
{
    int exponent = (int)(magnitude(f, v) >> f.fraction_bits);
    uint64_t fraction = v & ((UINT64_C(1) << f.fraction_bits) - 1);

    if (exponent > 0)
        fraction |= UINT64_C(1) << f.fraction_bits;
    return (struct number){.sign = v & sign_bit(f),
                           .m = fraction,
                           .e = least_exponent(f) +
                                (exponent > 0 ? exponent - 1 : 0)};
}

static int top_bit(u128 m)
{
    int n = -1;
    for (; m; m >>= 1)
        n++;
    return n;
}

/* ---- rounding ---------------------------------------------------------- */

static bool rounds_up(enum exact_rounding rounding, bool sign, bool is_odd,
                      bool is_half_or_more, bool has_rest)
{
    switch (rounding) {
    case EXACT_RN:
        return is_half_or_more && (has_rest || is_odd);
    case EXACT_RZ:
        return false;
    case EXACT_RM:
        return sign && (is_half_or_more || has_rest);
    default:
        return !sign && (is_half_or_more || has_rest);
    }
}

/* Without the lowest bits. */
static uint64_t shortened(struct number x, int shift,
                          enum exact_rounding rounding)
{
    bool is_gone = shift > 127; /* all of it */
    bool is_half = !is_gone && x.m >> (shift - 1) & 1;
    bool has_rest =
        x.has_rest || is_gone || (x.m & (((u128)1 << (shift - 1)) - 1)) != 0;
    uint64_t v = is_gone ? 0 : (uint64_t)(x.m >> shift);

    return v + rounds_up(rounding, x.sign, v & 1, is_half, has_rest);
}

/* What is not zero. *is_tiny: below the normal numbers, were it rounded to as
 * many bits as they have. */
static uint64_t round_to(struct exact_format f, struct number x,
                         enum exact_rounding rounding, bool *is_tiny)
{
    while (top_bit(x.m) < 120) { /* room to shift right */
        x.m <<= 1;
        x.e--;
    }
    int shift = top_bit(x.m) - f.fraction_bits;
    bool has_carry = shortened(x, shift, rounding) >> f.fraction_bits > 1;
    *is_tiny = x.e + shift + has_carry < least_exponent(f);
    if (x.e + shift < least_exponent(f))
        shift = least_exponent(f) - x.e;
    uint64_t v = shortened(x, shift, rounding);
    int e = x.e + shift;
    /* The hidden bit counts the exponent up, a carry too. */
    int steps = e - least_exponent(f);
    uint64_t sign = x.sign ? sign_bit(f) : 0;
    if (steps >= 1 << f.exponent_bits)
        v = infinity(f);
    else
        v += (uint64_t)steps << f.fraction_bits;
    if (v < infinity(f))
        return sign | v;
    bool stays =
        rounding == EXACT_RZ || rounding == (x.sign ? EXACT_RP : EXACT_RM);
    return sign | (infinity(f) - (stays ? 1 : 0));
}

/* ---- sums, in fixed point ---------------------------------------------- */

enum { LIMBS = 80, POINT = 2400 }; /* bit POINT is worth 1 */

struct fixed {
    uint64_t limb[LIMBS];
};

static void place(struct fixed *x, u128 m, int e)
{
    unsigned at = (unsigned)(e + POINT);

    memset(x, 0, sizeof *x);
    for (unsigned i = 0; i < 128; i++)
        if (m >> i & 1)
            x->limb[(at + i) / 64] |= UINT64_C(1) << (at + i) % 64;
}

static int compare(const struct fixed *a, const struct fixed *b)
{
    for (int i = LIMBS - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static void add(struct fixed *a, const struct fixed *b)
{
    u128 carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (u128)a->limb[i] + b->limb[i];
        a->limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* a is not less than b. */
static void subtract(struct fixed *a, const struct fixed *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        u128 d = (u128)a->limb[i] - b->limb[i] - borrow;
        a->limb[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) != 0;
    }
}

static struct number sum(struct number x, struct number y)
{
    struct fixed a, b;
    struct number r = {.sign = x.sign};

    place(&a, x.m, x.e);
    place(&b, y.m, y.e);
    if (x.sign == y.sign) {
        add(&a, &b);
    } else if (compare(&a, &b) >= 0) {
        subtract(&a, &b);
    } else {
        subtract(&b, &a);
        a = b;
        r.sign = y.sign;
    }
    int top = LIMBS - 1;
    while (top > 0 && !a.limb[top])
        top--;
    r.m = a.limb[top];
    if (top > 0)
        r.m = r.m << 64 | a.limb[top - 1];
    r.e = (top > 0 ? top - 1 : 0) * 64 - POINT;
    for (int i = 0; i < top - 1; i++)
        r.has_rest = r.has_rest || a.limb[i];
    return r;
}

/* ---- operations -------------------------------------------------------- */

/* a * b + c, where c may be an absent zero of the product's sign. */
static uint64_t fused(struct exact_format f, enum exact_rounding rounding,
                      uint64_t a, uint64_t b, uint64_t c, bool has_c,
                      bool *is_tiny)
{
    struct number x = unpack(f, a), y = unpack(f, b), z = unpack(f, c);
    bool sign = x.sign != y.sign;
    uint64_t inf = infinity(f);
    bool is_infinite = magnitude(f, a) == inf || magnitude(f, b) == inf;

    if (!has_c)
        z.sign = sign;
    if (is_infinite && (!magnitude(f, a) || !magnitude(f, b)))
        return nan_of(f);
    if (magnitude(f, c) == inf)
        return is_infinite && sign != z.sign ? nan_of(f) : c;
    if (is_infinite)
        return inf | (sign ? sign_bit(f) : 0);
    struct number p = {.sign = sign, .m = x.m * y.m, .e = x.e + y.e};
    struct number r = sum(p, z);
    if (r.m)
        return round_to(f, r, rounding, is_tiny);
    if (sign != z.sign || (p.m && has_c))
        sign = sign == z.sign ? sign : rounding == EXACT_RM;
    return sign ? sign_bit(f) : 0;
}

static uint64_t quotient(struct exact_format f, enum exact_rounding rounding,
                         uint64_t a, uint64_t b, bool *is_tiny)
{
    struct number x = unpack(f, a), y = unpack(f, b);
    struct number r = {.sign = x.sign != y.sign};
    uint64_t sign = r.sign ? sign_bit(f) : 0, inf = infinity(f);

    if (magnitude(f, a) == inf)
        return magnitude(f, b) == inf ? nan_of(f) : sign | inf;
    if (magnitude(f, b) == inf)
        return sign;
    if (y.m == 0)
        return x.m == 0 ? nan_of(f) : sign | inf;
    if (x.m == 0)
        return sign;
    int shift = 120 - top_bit(x.m);
    r.m = (x.m << shift) / y.m;
    r.has_rest = (x.m << shift) % y.m != 0;
    r.e = x.e - shift - y.e;
    return round_to(f, r, rounding, is_tiny);
}

static uint64_t root(struct exact_format f, enum exact_rounding rounding,
                     uint64_t a, bool *is_tiny)
{
    struct number x = unpack(f, a), r = {0};

    if (x.m == 0)
        return a;
    if (x.sign)
        return nan_of(f);
    if (magnitude(f, a) == infinity(f))
        return a;
    int shift = 124 - top_bit(x.m);
    shift -= (x.e - shift) & 1;
    u128 m = x.m << shift;
    for (int i = 62; i >= 0; i--) {
        u128 next = r.m | (u128)1 << i;
        if (next * next <= m)
            r.m = next;
    }
    r.has_rest = r.m * r.m != m;
    r.e = (x.e - shift) / 2;
    return round_to(f, r, rounding, is_tiny);
}

static uint64_t compute(struct exact_format f, enum exact_op op,
                        enum exact_rounding rounding, const uint64_t v[3],
                        bool *is_tiny)
{
    uint64_t one = infinity(f) >> 1 & ~((UINT64_C(1) << f.fraction_bits) - 1);

    switch (op) {
    case EXACT_ADD:
        return fused(f, rounding, v[0], one, v[1], true, is_tiny);
    case EXACT_SUB:
        return fused(f, rounding, v[0], one, v[1] ^ sign_bit(f), true, is_tiny);
    case EXACT_MUL:
        return fused(f, rounding, v[0], v[1], 0, false, is_tiny);
    case EXACT_DIV:
        return quotient(f, rounding, v[0], v[1], is_tiny);
    case EXACT_FMA:
        return fused(f, rounding, v[0], v[1], v[2], true, is_tiny);
    case EXACT_RCP:
        return quotient(f, rounding, one, v[0], is_tiny);
    default:
        return root(f, rounding, v[0], is_tiny);
    }
}

static unsigned operand_count(enum exact_op op)
{
    return op == EXACT_FMA ? 3 : op >= EXACT_RCP ? 1 : 2;
}

static uint64_t flush(struct exact_format f, uint64_t v)
{
    return magnitude(f, v) >> f.fraction_bits ? v : v & sign_bit(f);
}

uint64_t exact_compute(struct exact_format f, enum exact_op op,
                       enum exact_rounding rounding, bool is_flushed,
                       const uint64_t operand[3])
{
    uint64_t v[3];

    for (unsigned i = 0; i < 3; i++) {
        v[i] = is_flushed ? flush(f, operand[i]) : operand[i];
        if (i < operand_count(op) && exact_is_nan(f, v[i]))
            return nan_of(f);
    }
    bool is_tiny = false;
    uint64_t r = compute(f, op, rounding, v, &is_tiny);
    return is_flushed && is_tiny ? r & sign_bit(f) : r;
}
