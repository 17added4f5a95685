/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a result is as good as the recorded one.
 */
#include "replay.h"

#include <math.h>
#include <string.h>

/* ---- formats ------------------------------------------------------------ */

struct layout {
    unsigned bits, fraction_bits, exponent_bits, count;
};

static bool layout_of(const struct truth_kind *k, struct layout *out)
{
    static const struct {
        const char *name;
        struct layout layout;
    } layouts[] = {{"f16", {16, 10, 5, 1}}, {"f16x2", {16, 10, 5, 2}},
                   {"bf16", {16, 7, 8, 1}}, {"bf16x2", {16, 7, 8, 2}},
                   {"f32", {32, 23, 8, 1}}, {"tf32", {32, 23, 8, 1}},
                   {"f64", {64, 52, 11, 1}}};

    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (strcmp(layouts[i].name, k->name) == 0) {
            *out = layouts[i].layout;
            return true;
        }
    return false;
}

static uint64_t part(const struct layout *l, uint64_t v, unsigned i)
{
    return l->bits == 64 ? v
                         : v >> (l->bits * i) & ((UINT64_C(1) << l->bits) - 1);
}

static double number(const struct layout *l, uint64_t v)
{
    int bias = (1 << (l->exponent_bits - 1)) - 1;
    int top = (1 << l->exponent_bits) - 1;
    int e = (int)(v >> l->fraction_bits) & top;
    uint64_t f = v & ((UINT64_C(1) << l->fraction_bits) - 1);
    double d = e == top ? (f ? NAN : INFINITY)
               : e      ? ldexp((double)(f | UINT64_C(1) << l->fraction_bits),
                                e - bias - (int)l->fraction_bits)
                        : ldexp((double)f, 1 - bias - (int)l->fraction_bits);

    return v >> (l->bits - 1) & 1 ? -d : d;
}

static bool same_but_nan(const struct truth_kind *k, uint64_t a, uint64_t b)
{
    struct layout l;

    if (a == b)
        return true;
    if (!layout_of(k, &l))
        return false;
    for (unsigned i = 0; i < l.count; i++)
        if (part(&l, a, i) != part(&l, b, i) &&
            !(isnan(number(&l, part(&l, a, i))) &&
              isnan(number(&l, part(&l, b, i)))))
            return false;
    return true;
}

/* ---- approximations ----------------------------------------------------- */

typedef long double reference_fn(long double x, long double y);

static long double reciprocal(long double x, long double y)
{
    (void)y;
    return 1 / x;
}
static long double root(long double x, long double y)
{
    (void)y;
    return sqrtl(x);
}
static long double inverse_root(long double x, long double y)
{
    (void)y;
    return 1 / sqrtl(x);
}
static long double sine(long double x, long double y)
{
    (void)y;
    return sinl(x);
}
static long double cosine(long double x, long double y)
{
    (void)y;
    return cosl(x);
}
static long double logarithm(long double x, long double y)
{
    (void)y;
    return log2l(x);
}
static long double power(long double x, long double y)
{
    (void)y;
    return exp2l(x);
}
static long double tangent(long double x, long double y)
{
    (void)y;
    return tanhl(x);
}
static long double quotient(long double x, long double y)
{
    return x / y;
}

static const struct bound {
    const char *form;
    reference_fn *fn;
    enum { RELATIVE, ABSOLUTE, STEPS, LOGARITHM } measure;
    double bound, range;
} bounds[] = {
#define BOUND(form, fn, measure, bound, range)                                 \
    {form, fn, measure, bound, range},
#include "bounds.def"
};

/* The operand that ranges are about. */
static double limited(const struct truth_form *f, const double operand[2])
{
    return fabs(operand[strstr(f->name, "div.") ? 1 : 0]);
}

static const struct bound *bound_of(const struct truth_form *f,
                                    const double operand[2])
{
    const struct bound *last = NULL;

    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        const struct bound *b = &bounds[i];
        if (strncmp(f->name, b->form, strlen(b->form)) != 0)
            continue;
        if (last && strcmp(last->form, b->form) != 0)
            break;
        last = b;
        if (limited(f, operand) <= b->range)
            break;
    }
    return last;
}

/* A unit in the last place. */
static long double step_at(const struct layout *l, long double exact)
{
    int least = 2 - (1 << (l->exponent_bits - 1)), e;

    frexpl(exact, &e);
    return ldexpl(1, (e - 1 < least ? least : e - 1) - (int)l->fraction_bits);
}

/* Infinities, NaNs and what .ftz made zero have to come out the same. Below the
 * normal numbers one step of the format is allowed on top. */
static bool is_close(const struct truth_form *f, const struct layout *l,
                     const struct bound *b, const double operand[2],
                     uint64_t want, uint64_t got)
{
    double x = operand[0], hardware = number(l, want), ours = number(l, got);
    double least = ldexp(1, 2 - (1 << (l->exponent_bits - 1)));
    bool is_flushed =
        hardware == 0 && strstr(f->name, ".ftz") && b->measure != ABSOLUTE;

    if (want == got || (isnan(hardware) && isnan(ours)))
        return true;
    if (is_flushed || !isfinite(hardware) || !isfinite(ours))
        return false;
    long double exact = b->fn(operand[0], operand[1]);
    long double allowed = b->bound;
    if (b->measure == STEPS)
        allowed *= step_at(l, exact);
    if (b->measure == RELATIVE ||
        (b->measure == LOGARITHM && (x < 0.5 || x > 2)))
        allowed *= fabsl(exact);
    if (fabs(hardware) < least && b->measure != STEPS)
        allowed += ldexp(least, -(int)l->fraction_bits);
    bool is_open = limited(f, operand) > b->range;
    if (is_open)
        allowed += fabsl(hardware - exact);
    return fabsl(ours - exact) <= allowed &&
           (ours != 0 || hardware != 0 || is_open ||
            signbit(ours) == signbit(hardware));
}

static bool is_bounded(const struct truth_form *f, unsigned output,
                       const uint64_t *in, uint64_t want, uint64_t got)
{
    struct layout l;

    if (!layout_of(f->out[output], &l))
        return false;
    for (unsigned i = 0; i < l.count; i++) {
        double operand[2] = {0, 0};
        for (unsigned k = 0; k < f->in_count && k < 2; k++) {
            operand[k] = number(&l, part(&l, in[k], i));
            if (strstr(f->name, ".ftz.f32") && fabs(operand[k]) < 0x1p-126)
                operand[k] = copysign(0, operand[k]);
        }
        const struct bound *b = bound_of(f, operand);
        if (!b ||
            !is_close(f, &l, b, operand, part(&l, want, i), part(&l, got, i)))
            return false;
    }
    return true;
}

/* ---- sums in an open order ---------------------------------------------- */

/* Terms are below 64, and the device adds a few at a time in a precision that
 * is a little more than the result's. */
static bool is_near(const struct truth_kind *k, uint64_t want, uint64_t got)
{
    struct layout l;

    if (!layout_of(k, &l))
        return want == got;
    for (unsigned i = 0; i < l.count; i++) {
        double difference =
            number(&l, part(&l, want, i)) - number(&l, part(&l, got, i));
        if (!(fabs(difference) <= ldexp(64, 1 - (int)l.fraction_bits)))
            return false;
    }
    return true;
}

/* Whose payload a double's NaN has: PTX leaves that open where several operands
 * are one, the sign of what abs and neg make of one, and whether an atomic
 * addition quiets one that signals. */
static bool is_open_nan(const struct truth_form *f, const uint64_t *in)
{
    unsigned nans = 0;

    for (unsigned k = 0; k < f->in_count; k++)
        nans += f->in[k]->bits == 64 && (in[k] << 1) > UINT64_C(0x7ff) << 53;
    return nans > 1 || (nans == 1 && (strncmp(f->name, "abs.", 4) == 0 ||
                                      strncmp(f->name, "neg.", 4) == 0 ||
                                      strstr(f->name, "atom.global.add.f64")));
}

bool truth_agrees(const struct truth_form *f, unsigned output,
                  const uint64_t *in, uint64_t want, uint64_t got,
                  enum truth_engine engine)
{
    switch (f->row->rule) {
    case TRUTH_EXACT:
        return want == got;
    case TRUTH_SUM:
        return is_near(f->out[output], want, got);
    case TRUTH_BOUND:
        return is_bounded(f, output, in, want, got);
    default:
        return want == got ||
               (engine != TRUTH_EMU && f->out[output]->bits == 64 &&
                is_open_nan(f, in) && same_but_nan(f->out[output], want, got));
    }
}
