/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constant expressions of 64-bit integers with C's operators, and floating
 * literals with a sign. A literal keeps its bits: 0f7FA00000 must not become
 * a quiet NaN on its way through a double.
 *
 * Source: PTX ISA, "Constants", "Constant Expression Evaluation".
 */
#include "ptx/parse.h"

#include "base/bits.h"

#define WARP_SZ 32

static bool parse_unary(struct parser *p, struct constant *c, unsigned depth);
static bool parse_ternary(struct parser *p, struct constant *c, unsigned depth);

/* ---- conversion -------------------------------------------------------- */

/* The bits of d in an IEEE format with that many bits, rounded to nearest. */
static uint64_t round_to_format(double d, unsigned exponent_bits,
                                unsigned mantissa_bits)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    uint64_t sign = bits >> 63 << (exponent_bits + mantissa_bits);
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    int bias = (1 << (exponent_bits - 1)) - 1;
    uint64_t infinity = ((UINT64_C(1) << exponent_bits) - 1) << mantissa_bits;

    if (exponent == 0x7ff)
        return sign | infinity |
               (mantissa ? UINT64_C(1) << (mantissa_bits - 1) : 0);
    if (exponent == 0)
        return sign; /* far below the least number of every smaller format */
    mantissa |= UINT64_C(1) << 52;
    int scaled = exponent - 1023 + bias;
    int shift = 52 - (int)mantissa_bits + (scaled < 1 ? 1 - scaled : 0);
    if (shift > 54)
        return sign;
    uint64_t kept = mantissa >> shift;
    uint64_t rest = mantissa & ((UINT64_C(1) << shift) - 1);
    uint64_t half = UINT64_C(1) << (shift - 1);
    kept += rest > half || (rest == half && kept & 1);
    if (scaled > 1)
        kept += (uint64_t)(scaled - 1) << mantissa_bits;
    return sign | (kept < infinity ? kept : infinity);
}

static double constant_value(const struct constant *c)
{
    float f;
    double d;
    uint32_t low = (uint32_t)c->bits;
    if (c->kind == CONST_f32) {
        memcpy(&f, &low, sizeof f);
        return f;
    }
    if (c->kind == CONST_f64) {
        memcpy(&d, &c->bits, sizeof d);
        return d;
    }
    return c->is_unsigned ? (double)c->bits : (double)(int64_t)c->bits;
}

static bool float_constant_bits(const struct constant *c, enum ptx_type type,
                                uint64_t *bits)
{
    double d = constant_value(c);
    switch (type) {
    case PTX_TYPE_f16:
        *bits = round_to_format(d, 5, 10);
        return true;
    case PTX_TYPE_bf16:
        *bits = round_to_format(d, 8, 7);
        return true;
    case PTX_TYPE_b32:
    case PTX_TYPE_b64: /* only literals of their size: 0f..., 0d... and 1.5 */
        *bits = c->bits;
        return (c->kind == CONST_f32) == (type == PTX_TYPE_b32);
    case PTX_TYPE_f32:
    case PTX_TYPE_tf32:
        *bits = c->kind == CONST_f32 ? c->bits : bits_of_float((float)d);
        return true;
    case PTX_TYPE_f64:
        /* 0f... has 32 bits here, too: a tiny number. */
        *bits = c->kind == CONST_int ? bits_of_double(d) : c->bits;
        return true;
    default:
        return false;
    }
}

bool constant_bits(const struct constant *c, enum ptx_type type, uint64_t *bits)
{
    bool is_float = ptx_type_is_float(type);
    if (c->kind != CONST_int ||
        (is_float && ptx_type_size(type) >= 4 && type != PTX_TYPE_f16x2 &&
         type != PTX_TYPE_bf16x2))
        return float_constant_bits(c, type, bits);
    *bits = c->bits;
    return true;
}

/* ---- primaries and unary operators ------------------------------------- */

static bool parse_paren(struct parser *p, struct constant *c, unsigned depth)
{
    bool is_signed = is_directive(p, ".s64");
    if (is_signed || is_directive(p, ".u64")) { /* a cast */
        next_token(p);
        if (!expect_punct(p, ')', "after the type") ||
            !parse_unary(p, c, depth + 1))
            return false;
        c->is_unsigned = !is_signed;
        return true;
    }
    return parse_ternary(p, c, depth + 1) &&
           expect_punct(p, ')', "in the expression");
}

static bool parse_primary(struct parser *p, struct constant *c, unsigned depth)
{
    *c = (struct constant){.bits = p->token.value,
                           .is_unsigned = p->token.is_unsigned};
    switch (p->token.kind) {
    case TOKEN_float32:
        c->kind = CONST_f32;
        break;
    case TOKEN_float64:
        c->kind = CONST_f64;
        break;
    case TOKEN_int:
        c->is_unsigned |= c->bits > INT64_MAX;
        break;
    default:
        if (accept_punct(p, '('))
            return parse_paren(p, c, depth);
        if (p->token.kind != TOKEN_ident || !token_is(&p->token, "WARP_SZ"))
            return error_expected(p, "a constant");
        c->bits = WARP_SZ;
    }
    next_token(p);
    return true;
}

static void negate_constant(struct constant *c)
{
    if (c->kind == CONST_f32)
        c->bits ^= UINT64_C(1) << 31;
    else if (c->kind == CONST_f64)
        c->bits ^= UINT64_C(1) << 63;
    else
        c->bits = -c->bits;
    /* -9223372036854775808 is meant as a signed number. */
    if (c->kind == CONST_int && c->bits == UINT64_C(1) << 63)
        c->is_unsigned = false;
}

static bool parse_unary(struct parser *p, struct constant *c, unsigned depth)
{
    struct token at = p->token;
    if (depth > EXPR_DEPTH_MAX)
        return error_at(p, &at, "expression nested deeper than %d",
                        EXPR_DEPTH_MAX);
    char op = at.kind == TOKEN_punct ? *at.start : 0;
    if (op != '-' && op != '+' && op != '!' && op != '~')
        return parse_primary(p, c, depth);
    next_token(p);
    if (!parse_unary(p, c, depth + 1))
        return false;
    if (c->kind != CONST_int && (op == '!' || op == '~'))
        return error_at(p, &at, "`%c` wants an integer", op);
    if (op == '-')
        negate_constant(c);
    else if (op == '!')
        *c = (struct constant){.bits = !c->bits};
    else if (op == '~')
        c->bits = ~c->bits;
    return true;
}

/* ---- binary operators -------------------------------------------------- */

enum binary {
    BINARY_none,
    BINARY_mul,
    BINARY_div,
    BINARY_rem,
    BINARY_add,
    BINARY_sub,
    BINARY_shl,
    BINARY_shr,
    BINARY_lt,
    BINARY_le,
    BINARY_gt,
    BINARY_ge,
    BINARY_eq,
    BINARY_ne,
    BINARY_and,
    BINARY_xor,
    BINARY_or,
    BINARY_land,
    BINARY_lor
};

/* Longer spellings before their beginnings. */
static const struct {
    char text[3];
    unsigned char op, precedence;
} binaries[] = {
    {"||", BINARY_lor, 1}, {"&&", BINARY_land, 2}, {"|", BINARY_or, 3},
    {"^", BINARY_xor, 4},  {"&", BINARY_and, 5},   {"==", BINARY_eq, 6},
    {"!=", BINARY_ne, 6},  {"<<", BINARY_shl, 8},  {">>", BINARY_shr, 8},
    {"<=", BINARY_le, 7},  {">=", BINARY_ge, 7},   {"<", BINARY_lt, 7},
    {">", BINARY_gt, 7},   {"+", BINARY_add, 9},   {"-", BINARY_sub, 9},
    {"*", BINARY_mul, 10}, {"/", BINARY_div, 10},  {"%", BINARY_rem, 10},
};

/* The operator at the current token, as an index into `binaries`; -1: none.
 * The lexer gives single characters, and `%` as the beginning of a name. */
static int peek_binary(const struct parser *p)
{
    const struct token *t = &p->token;
    bool is_percent = t->kind == TOKEN_ident && token_is(t, "%");
    if ((t->kind != TOKEN_punct && !is_percent) || *t->start == ',' ||
        *t->start == ';' || *t->start == ']')
        return -1;
    for (size_t i = 0; i < ARRAY_COUNT(binaries); i++) {
        size_t len = strlen(binaries[i].text);
        if ((size_t)(p->lexer.end - t->start) >= len &&
            memcmp(t->start, binaries[i].text, len) == 0)
            return (int)i;
    }
    return -1;
}

static uint64_t compute_signed(enum binary op, int64_t a, int64_t b)
{
    switch (op) {
    case BINARY_div:
        return b == -1 ? -(uint64_t)a : (uint64_t)(a / b);
    case BINARY_rem:
        return b == -1 ? 0 : (uint64_t)(a % b);
    case BINARY_shr:
        return (uint64_t)(a >> (b & 63));
    case BINARY_lt:
        return a < b;
    case BINARY_le:
        return a <= b;
    case BINARY_gt:
        return a > b;
    default:
        return a >= b;
    }
}

static uint64_t compute_unsigned(enum binary op, uint64_t a, uint64_t b)
{
    switch (op) {
    case BINARY_div:
        return a / b;
    case BINARY_rem:
        return a % b;
    case BINARY_shr:
        return a >> (b & 63);
    case BINARY_lt:
        return a < b;
    case BINARY_le:
        return a <= b;
    case BINARY_gt:
        return a > b;
    default:
        return a >= b;
    }
}

static uint64_t compute_binary(enum binary op, uint64_t a, uint64_t b,
                               bool is_unsigned)
{
    switch (op) {
    case BINARY_mul:
        return a * b;
    case BINARY_add:
        return a + b;
    case BINARY_sub:
        return a - b;
    case BINARY_shl:
        return a << (b & 63);
    case BINARY_eq:
        return a == b;
    case BINARY_ne:
        return a != b;
    case BINARY_and:
        return a & b;
    case BINARY_xor:
        return a ^ b;
    case BINARY_or:
        return a | b;
    case BINARY_land:
        return a && b;
    case BINARY_lor:
        return a || b;
    default:
        return is_unsigned ? compute_unsigned(op, a, b)
                           : compute_signed(op, (int64_t)a, (int64_t)b);
    }
}

/* Floating constants are computed in double precision. */
static bool apply_float(enum binary op, struct constant *a, double b)
{
    double value = constant_value(a);
    switch (op) {
    case BINARY_add:
        value += b;
        break;
    case BINARY_sub:
        value -= b;
        break;
    case BINARY_mul:
        value *= b;
        break;
    case BINARY_div:
        value = b != 0 ? value / b : value * __builtin_inf();
        break;
    default:
        return false;
    }
    *a = (struct constant){.kind = CONST_f64, .bits = bits_of_double(value)};
    return true;
}

static bool apply_binary(struct parser *p, const struct token *at,
                         enum binary op, struct constant *a,
                         const struct constant *b)
{
    if (a->kind != CONST_int && b->kind != CONST_int &&
        apply_float(op, a, constant_value(b)))
        return true;
    if (a->kind != CONST_int || b->kind != CONST_int)
        return error_at(p, at, "this operator wants integers in a constant");
    if ((op == BINARY_div || op == BINARY_rem) && !b->bits)
        return error_at(p, at, "division by zero in a constant");
    bool is_shift = op == BINARY_shl || op == BINARY_shr;
    bool is_unsigned = a->is_unsigned || (b->is_unsigned && !is_shift);
    a->bits = compute_binary(op, a->bits, b->bits, is_unsigned);
    bool is_truth = op >= BINARY_lt && op <= BINARY_ne;
    a->is_unsigned = is_unsigned && !is_truth;
    return true;
}

static bool parse_binary(struct parser *p, struct constant *c,
                         unsigned precedence, unsigned depth)
{
    if (!parse_unary(p, c, depth))
        return false;
    for (;;) {
        int i = peek_binary(p);
        if (i < 0 || binaries[i].precedence < precedence)
            return true;
        struct token at = p->token;
        next_token(p);
        if (binaries[i].text[1])
            next_token(p);
        struct constant right;
        if (!parse_binary(p, &right, binaries[i].precedence + 1u, depth + 1) ||
            !apply_binary(p, &at, binaries[i].op, c, &right))
            return false;
    }
}

static bool parse_ternary(struct parser *p, struct constant *c, unsigned depth)
{
    if (!parse_binary(p, c, 1, depth))
        return false;
    struct token at = p->token;
    if (!accept_punct(p, '?'))
        return true;
    struct constant yes, no;
    if (!parse_ternary(p, &yes, depth + 1) || !expect_punct(p, ':', "of `?`") ||
        !parse_ternary(p, &no, depth + 1))
        return false;
    if (c->kind != CONST_int)
        return error_at(p, &at, "`?` wants an integer");
    *c = c->bits ? yes : no;
    return true;
}

bool parse_constant(struct parser *p, struct constant *c)
{
    return parse_ternary(p, c, 0);
}
