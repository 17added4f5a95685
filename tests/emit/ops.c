/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs single instructions on many operand values and compares each result
 * with the same computed in C (ops.def). Each instruction is compiled three
 * times: operands that differ between lanes, operands that are the same in all
 * lanes, and lane count 1.
 *
 *     emit_ops [ROW...]      rows whose text contains one of the words
 */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "exec/block/switch.h"
#include "jit/jit.h"

/* ---- operands ----------------------------------------------------------- */

struct item {
    uint64_t a, b, c;
    uint64_t out;
};

static uint64_t random_state = 88172645463325252u;
static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static float as_f32(uint64_t v)
{
    uint32_t u = (uint32_t)v;
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}
static double as_f64(uint64_t v)
{
    double f;
    memcpy(&f, &v, sizeof f);
    return f;
}
static uint64_t of_f32(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}
static uint64_t of_f64(double f)
{
    uint64_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static const uint64_t special64[] = {
    0,
    1,
    2,
    3,
    7,
    8,
    15,
    16,
    24,
    31,
    32,
    33,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0x8001,
    0xffff,
    0x7c00,
    0xfc00,
    0x3c00,
    0x0400,
    0x03ff,
    0x7bff,
    0x3f80,
    0x7f80,
    0x7fffffff,
    0x80000000,
    0x80000001,
    0xffffffff,
    0x3f800000,
    0xbf800000,
    0x7f800000,
    0xff800000,
    0x7fc00000,
    0x00800000,
    0x007fffff,
    0x00000001,
    0x80000001,
    0x7f7fffff,
    0xff7fffff,
    0x4f000000,
    0xcf000000,
    0x4effffff,
    0x4f800000,
    0x5f000000,
    0x3f000000,
    0x3fc00000,
    0x40200000,
    0xbf000000,
    0x477fe000,
    0x477ff000,
    0x38800000,
    0x33000000,
    0x33000001,
    0x3ff0000000000000,
    0xbff0000000000000,
    0x7ff0000000000000,
    0xfff0000000000000,
    0x7ff8000000000000,
    0x0010000000000000,
    0x000fffffffffffff,
    0x7fefffffffffffff,
    0x8000000000000000,
    0x7fffffffffffffff,
    0xffffffffffffffff,
    0x41dfffffffc00000,
    0x41e0000000000000,
    0x43e0000000000000,
    0x40efffe000000000,
    0x41efffffffe00000,
    0x3e70000000000000,
};

/* Bit patterns of all sorts: special, small, moderate floats, random. */
static uint64_t operand(unsigned kind)
{
    uint64_t r = next_random();

    switch (kind % 6) {
    case 0:
        return special64[r % ARRAY_COUNT(special64)];
    case 1:
        return r % 300;
    case 2:
        return of_f32((float)((double)(int64_t)next_random() / 0x1p63 *
                              exp2((double)(r % 40) - 20)));
    case 3:
        return of_f64((double)(int64_t)next_random() / 0x1p63 *
                      exp2((double)(r % 80) - 40));
    case 4:
        return (uint64_t) - (int64_t)(r % 300);
    default:
        return r >> (next_random() % 64);
    }
}

enum { ITEMS = 2048 };

static void fill(struct item *items)
{
    for (unsigned i = 0; i < ITEMS; i++)
        items[i] = (struct item){.a = operand((unsigned)next_random()),
                                 .b = operand((unsigned)next_random()),
                                 .c = operand((unsigned)next_random())};
}

/* ---- results in C ------------------------------------------------------ */

enum result { R16, R32, R64, RP, RF16, RBF16, RF32, RF64 };

typedef uint64_t value_fn(uint64_t a, uint64_t b, uint64_t c);

static float flush(float f)
{
    return fabsf(f) < 0x1p-126f ? copysignf(0, f) : f;
}
static float saturate(float f)
{
    return f > 0 ? (f < 1 ? f : 1) : 0;
}

/* x in rounding mode m; volatile, since compilers compute ahead. */
#define ROUNDED(T, m, x)                                                       \
    __extension__({                                                            \
        fesetround(m);                                                         \
        volatile T rounded_ = (x);                                             \
        fesetround(FE_TONEAREST);                                              \
        rounded_;                                                              \
    })
#define V(x) (*(volatile __typeof__(x) *)&(__typeof__(x)){x})

static double half_to_double(uint64_t v)
{
    unsigned e = v >> 10 & 31, m = v & 1023;
    double d = e == 31 ? (m ? NAN : INFINITY)
               : e     ? ldexp(1024 + m, (int)e - 25)
                       : ldexp(m, -24);
    return v & 0x8000 ? -d : d;
}
/* To the nearest number with `bits` bits of mantissa, exponents as given. */
static uint64_t to_small(double d, unsigned bits, int bias, unsigned top)
{
    uint64_t sign = signbit(d) ? 0x8000 : 0;
    int e;

    if (d != d)
        return 0x7fff;
    if (isinf(d))
        return sign | (uint64_t)top << bits;
    if (d == 0)
        return sign;
    frexp(d, &e);
    int unit = e - 1 - (int)bits;
    if (unit < 1 - bias - (int)bits)
        unit = 1 - bias - (int)bits;
    double m = nearbyint(ldexp(fabs(d), -unit));
    uint64_t n = (uint64_t)m;
    uint64_t biased = (uint64_t)(unit + bias + (int)bits);
    uint64_t v = n >> bits ? n + ((biased - 1) << bits) : n;
    if (v > (uint64_t)top << bits)
        v = (uint64_t)top << bits;
    return sign | v;
}
static uint64_t of_half(double d)
{
    return to_small(d, 10, 15, 31);
}
static double bf16_to_double(uint64_t v)
{
    return as_f32((v & 0xffff) << 16);
}
static uint64_t of_bf16(double d)
{
    return to_small(d, 7, 127, 255);
}

/* The last bit tells whether something was lost: round once more as you like. */
static double add_to_odd(double a, double b)
{
    feclearexcept(FE_INEXACT);
    double sum = ROUNDED(double, FE_TOWARDZERO, V(a) + V(b));
    return as_f64(of_f64(sum) | (fetestexcept(FE_INEXACT) ? 1 : 0));
}

static double clamp_to(double d, double lo, double hi)
{
    return d < lo ? lo : d > hi ? hi : d;
}
static uint64_t to_signed(double d, unsigned bits, uint64_t nan)
{
    if (d != d)
        return nan;
    if (d >= ldexp(1, (int)bits - 1))
        return (UINT64_C(1) << (bits - 1)) - 1;
    if (d <= -ldexp(1, (int)bits - 1))
        return 0 - (UINT64_C(1) << (bits - 1));
    return (uint64_t)(int64_t)d;
}
static uint64_t to_unsigned(double d, unsigned bits, uint64_t nan)
{
    if (d != d)
        return nan;
    if (d >= ldexp(1, (int)bits))
        return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    return d <= 0 ? 0 : (uint64_t)d;
}

static uint32_t bit_reverse(uint32_t v)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (v >> i & 1) << (31 - i);
    return r;
}
static uint32_t bytes_of(uint32_t a, uint32_t b, uint32_t selector)
{
    uint64_t both = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (int i = 0; i < 4; i++) {
        unsigned s = selector >> (4 * i) & 15;
        uint32_t byte = both >> (8 * (s & 7)) & 255;
        if (s & 8)
            byte = byte & 0x80 ? 255 : 0;
        r |= byte << (8 * i);
    }
    return r;
}
static uint32_t funnel(uint32_t low, uint32_t high, unsigned n, int left)
{
    uint64_t both = (uint64_t)high << 32 | low;
    return left ? (uint32_t)(both << n >> 32) : (uint32_t)(both >> n);
}
static uint64_t field(uint64_t a, unsigned start, unsigned length,
                      unsigned width, int is_signed)
{
    unsigned msb = width - 1;
    uint64_t v = 0, sign = 0;
    start = start > 255 ? 255 : start; /* as good as more */
    length = length > 255 ? 255 : length;
    if (is_signed && length) {
        unsigned at = start + length - 1 < msb ? start + length - 1 : msb;
        sign = a >> at & 1;
    }
    for (unsigned i = 0; i < width; i++)
        v |= (i < length && i + start <= msb ? a >> (i + start) & 1 : sign)
             << i;
    return v;
}
static uint64_t insert(uint64_t a, uint64_t b, unsigned start, unsigned length,
                       unsigned width)
{
    for (unsigned i = 0; i < length && start + i < width; i++) {
        uint64_t bit = UINT64_C(1) << (start + i);
        b = (b & ~bit) | (a >> i & 1 ? bit : 0);
    }
    return b;
}
static float min_max(float a, float b, int is_max)
{
    if (a != a || b != b)
        return a != a ? b : a;
    if (a == b)
        return is_max ? (signbit(a) ? b : a) : (signbit(a) ? a : b);
    return (a < b) != is_max ? a : b;
}

/* Operands under the names the rows use. */
#define UA ((uint32_t)a)
#define UB ((uint32_t)b)
#define UC ((uint32_t)c)
#define SA ((int32_t)a)
#define SB ((int32_t)b)
#define SC ((int32_t)c)
#define HA ((uint16_t)a)
#define HB ((uint16_t)b)
#define HC ((uint16_t)c)
#define LA ((int64_t)a)
#define LB ((int64_t)b)
#define FA as_f32(a)
#define FB as_f32(b)
#define FC as_f32(c)
#define DA as_f64(a)
#define DB as_f64(b)
#define DC as_f64(c)

#define OP(text, result, tolerance, expression)                                \
    static uint64_t CONCAT(row_, __LINE__)(uint64_t a, uint64_t b, uint64_t c) \
    {                                                                          \
        (void)a, (void)b, (void)c;                                             \
        return (uint64_t)(expression);                                         \
    }
#define CONCAT(a, b)  CONCAT_(a, b)
#define CONCAT_(a, b) a##b
#include "ops.def"

static const struct row {
    const char *text;
    enum result result;
    double tolerance; /* relative, in results that are floats; 0: exact */
    value_fn *fn;
} rows[] = {
#define OP(text, result, tolerance, expression)                                \
    {text, result, tolerance, CONCAT(row_, __LINE__)},
#include "ops.def"
};

/* ---- comparing --------------------------------------------------------- */

static bool is_close(double got, double want, double tolerance)
{
    if (want != want || got != got)
        return want != want && got != got;
    if (got == want)
        return signbit(got) == signbit(want) || tolerance > 0;
    return fabs(got - want) <= tolerance * fmax(fabs(want), 0x1p-126);
}

static bool agrees(const struct row *row, uint64_t got, uint64_t want)
{
    switch (row->result) {
    case R16:
        return (uint16_t)got == (uint16_t)want;
    case R32:
        return (uint32_t)got == (uint32_t)want;
    case R64:
        return got == want;
    case RP:
        return (got != 0) == (want != 0);
    case RF16:
        return is_close(half_to_double(got), half_to_double(want),
                        row->tolerance);
    case RBF16:
        return is_close(bf16_to_double(got), bf16_to_double(want),
                        row->tolerance);
    case RF32:
        return is_close(as_f32(got), as_f32(want), row->tolerance);
    default:
        return is_close(as_f64(got), as_f64(want), row->tolerance);
    }
}

/* ---- running ----------------------------------------------------------- */

static const char template[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 k_items)\n{\n"
    ".reg .b64 %%la, %%lb, %%lc, %%ld, %%at, %%off;\n"
    ".reg .b32 %%ra, %%rb, %%rc, %%rd, %%t, %%s, %%n;\n"
    ".reg .b16 %%ha, %%hb, %%hc, %%hd;\n"
    ".reg .f32 %%fa, %%fb, %%fc, %%fd;\n.reg .f64 %%da, %%db, %%dc, %%dd;\n"
    ".reg .pred %%pa, %%pb, %%pc, %%pd, %%pe;\n"
    "ld.param.u64 %%at, [k_items];\n"
    "%s"
    "mul.wide.u32 %%off, %%t, 32;\nadd.s64 %%at, %%at, %%off;\n"
    "ld.global.u64 %%la, [%%at];\nld.global.u64 %%lb, [%%at+8];\n"
    "ld.global.u64 %%lc, [%%at+16];\n"
    "cvt.u32.u64 %%ra, %%la;\ncvt.u32.u64 %%rb, %%lb;\n"
    "cvt.u32.u64 %%rc, %%lc;\n"
    "cvt.u16.u32 %%ha, %%ra;\ncvt.u16.u32 %%hb, %%rb;\n"
    "cvt.u16.u32 %%hc, %%rc;\n"
    "mov.b32 %%fa, %%ra;\nmov.b32 %%fb, %%rb;\nmov.b32 %%fc, %%rc;\n"
    "mov.b64 %%da, %%la;\nmov.b64 %%db, %%lb;\nmov.b64 %%dc, %%lc;\n"
    "and.b32 %%s, %%ra, 1;\nsetp.ne.u32 %%pa, %%s, 0;\n"
    "and.b32 %%s, %%rb, 1;\nsetp.ne.u32 %%pb, %%s, 0;\n"
    "and.b32 %%s, %%rc, 1;\nsetp.ne.u32 %%pc, %%s, 0;\n"
    "%s\n"
    "%s"
    "st.global.u64 [%%at+24], %%ld;\nret;\n}\n";

static const char by_thread[] =
    "mov.u32 %t, %tid.x;\nmov.u32 %s, %ctaid.x;\nmov.u32 %n, %ntid.x;\n"
    "mad.lo.u32 %t, %s, %n, %t;\n";
static const char by_block[] = "mov.u32 %t, %ctaid.x;\n";

static const char *const to_result[] = {
    [R16] = "cvt.u64.u16 %ld, %hd;\n",
    [R32] = "cvt.u64.u32 %ld, %rd;\n",
    [R64] = "",
    [RP] = "selp.u64 %ld, 1, 0, %pd;\n",
    [RF16] = "cvt.u64.u16 %ld, %hd;\n",
    [RBF16] = "cvt.u64.u16 %ld, %hd;\n",
    [RF32] = "mov.b32 %rd, %fd;\ncvt.u64.u32 %ld, %rd;\n",
    [RF64] = "mov.b64 %ld, %dd;\n",
};

struct variant {
    const char *name, *index;
    uint32_t block, grid;
    unsigned lanes;
};
static const struct variant variants[] = {
    {"vector", by_thread, 64, ITEMS / 64, 32},
    {"scalar", by_block, 32, ITEMS, 32},
    {"one lane", by_thread, 64, ITEMS / 64, 1},
};

static bool run(const struct row *row, const struct variant *v,
                struct item *items)
{
    static uint8_t shared[1024];
    struct exec_helpers helpers = {0};
    struct diag diag;
    char text[8192];
    bool ok = false;

    diag_init(&diag);
    snprintf(text, sizeof text, template, v->index, row->text,
             to_result[row->result]);
    struct ptx_module *m = ptx_parse("op", text, strlen(text), &diag);
    if (m) {
        struct jit_module *jm = jit_module_create(m, 0);
        struct simt_spec spec = {.block = {v->block, 1, 1},
                                 .is_grid_small = true,
                                 .lane_count = v->lanes};
        const struct jit_kernel *k =
            jit_get(jm, ptx_find_func(m, "k"), &spec, &diag);
        if (k) {
            uint32_t warps = v->block / v->lanes;
            struct exec_launch launch = {.helpers = &helpers,
                                         .params = (uint8_t *)&items,
                                         .grid = {v->grid, 1, 1},
                                         .block = {v->block, 1, 1},
                                         .sm_count = 1,
                                         .warps_per_block = warps,
                                         .block_count = v->grid};
            struct exec_warp w = {.launch = &launch,
                                  .shared = shared,
                                  .block_end = v->grid,
                                  .warp_end = warps};
            exec_call_kernel(k->fn, &w);
            ok = true;
        }
        jit_module_destroy(jm);
        ptx_module_destroy(m);
    }
    if (diag.text)
        fprintf(stderr, "%s (%s):\n%s\n", row->text, v->name, diag.text);
    diag_fini(&diag);
    return ok;
}

static unsigned check(const struct row *row, const struct variant *v,
                      struct item *items)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < ITEMS; i++)
        items[i].out = 0xdeadbeef;
    if (!run(row, v, items))
        return 1;
    for (unsigned i = 0; i < ITEMS; i++) {
        const struct item *x = &items[i];
        uint64_t want = row->fn(x->a, x->b, x->c);
        if (agrees(row, x->out, want))
            continue;
        if (wrong++ < 3)
            printf("%s (%s): a %#lx b %#lx c %#lx: got %#lx, want %#lx\n",
                   row->text, v->name, x->a, x->b, x->c, x->out, want);
    }
    return wrong;
}

static bool is_wanted(const struct row *row, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strstr(row->text, argv[i]))
            return true;
    return argc == 1;
}

int main(int argc, char **argv)
{
    struct item *items = calloc(ITEMS, sizeof *items);
    unsigned wrong = 0, count = 0;

    if (jit_target_get()->problem) {
        printf("skipped: %s\n", jit_target_get()->problem);
        return 77;
    }
    fill(items);
    for (size_t r = 0; r < ARRAY_COUNT(rows); r++) {
        if (!is_wanted(&rows[r], argc, argv))
            continue;
        count++;
        for (size_t v = 0; v < ARRAY_COUNT(variants); v++)
            wrong += check(&rows[r], &variants[v], items) != 0;
    }
    printf("%u instructions, %u wrong\n", count, wrong);
    free(items);
    return wrong != 0;
}
