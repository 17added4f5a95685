/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every rounding of every operation that has one, in f32 and f64, on both
 * engines, against exact arithmetic (exact.c): bit for bit. Operands are drawn
 * so that results lie where rounding is hard: near ties, after cancellation,
 * among subnormals, at the largest number.
 *
 *     rounding [ROUNDS [SEED]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/emu.h"
#include "exact.h"
#include "exec/block/switch.h"
#include "jit/jit.h"

enum { ITEMS = 2048, BLOCK = 64, MAX_ROWS = 60 };

static const struct op {
    const char *name, *operands;
    enum exact_op op;
} ops[] = {{"add", "%a, %b", EXACT_ADD},     {"sub", "%a, %b", EXACT_SUB},
           {"mul", "%a, %b", EXACT_MUL},     {"div", "%a, %b", EXACT_DIV},
           {"fma", "%a, %b, %c", EXACT_FMA}, {"rcp", "%a", EXACT_RCP},
           {"sqrt", "%a", EXACT_SQRT}};
static const char *const roundings[] = {"rn", "rz", "rm", "rp"};

struct row {
    char text[64];
    enum exact_op op;
    enum exact_rounding rounding;
    bool is_flushed;
};

struct table {
    struct exact_format format;
    const char *type;
    struct row rows[MAX_ROWS];
    unsigned count;
    uint64_t items[ITEMS][3];
    uint64_t results[MAX_ROWS][ITEMS];
};

/* ---- operands ---------------------------------------------------------- */

static uint64_t random_state;

static uint64_t draw(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * UINT64_C(0x2545F4914F6CDD1D);
}

static uint64_t below(uint64_t n)
{
    return (draw() >> 16) % n;
}

static uint64_t assemble(struct exact_format f, uint64_t sign, int64_t exponent,
                         uint64_t fraction)
{
    int64_t most = (1 << f.exponent_bits) - 1;

    exponent = exponent < 0 ? 0 : exponent > most ? most : exponent;
    return (sign & 1) << (f.fraction_bits + f.exponent_bits) |
           (uint64_t)exponent << f.fraction_bits |
           (fraction & ((UINT64_C(1) << f.fraction_bits) - 1));
}

/* Few bits, all of them, or any. */
static uint64_t fraction(void)
{
    switch (below(6)) {
    case 0:
        return 0;
    case 1:
        return ~UINT64_C(0);
    case 2:
        return UINT64_C(1) << below(52) | UINT64_C(1) << below(52);
    case 3:
        return ~(UINT64_C(1) << below(52));
    case 4:
        return draw() << below(52);
    default:
        return draw();
    }
}

static int64_t exponent(struct exact_format f)
{
    int64_t most = (1 << f.exponent_bits) - 1, middle = most / 2;

    switch (below(5)) {
    case 0:
        return (int64_t)below((uint64_t)f.fraction_bits + 8);
    case 1:
        return most - (int64_t)below((uint64_t)f.fraction_bits + 8);
    case 2:
        return middle - 4 + (int64_t)below(8);
    case 3:
        return middle / 2 - 30 + (int64_t)below(60);
    default:
        return (int64_t)below((uint64_t)most + 1);
    }
}

static uint64_t any_number(struct exact_format f)
{
    return assemble(f, draw(), exponent(f), fraction());
}

/* A few steps from v. */
static uint64_t near(uint64_t v)
{
    return v + below(5) - 2;
}

/* b so that an operation with a has an exponent near `target`. */
static uint64_t partner(struct exact_format f, uint64_t a, int64_t target)
{
    int64_t bias = (1 << (f.exponent_bits - 1)) - 1;
    int64_t ea = (int64_t)(a >> f.fraction_bits) & ((1 << f.exponent_bits) - 1);
    return assemble(f, draw(), bias + (target - ea) + (int64_t)below(5) - 2,
                    fraction());
}

static void draw_item(struct exact_format f, uint64_t v[3])
{
    uint64_t sign = UINT64_C(1) << (f.fraction_bits + f.exponent_bits);
    int64_t most = (1 << f.exponent_bits) - 1;

    for (int i = 0; i < 3; i++)
        v[i] = any_number(f);
    switch (below(8)) {
    case 0: /* a and b nearly cancel; c is nearly -a * b */
        v[1] = near(v[0] ^ sign);
        break;
    case 1:
        v[1] = partner(f, v[0], (int64_t)below((uint64_t)most));
        v[2] = near(exact_compute(f, EXACT_MUL, EXACT_RN, false, v) ^ sign);
        break;
    case 2: /* products and quotients among subnormals */
        v[1] = partner(f, v[0], -(int64_t)below(30));
        v[2] = assemble(f, draw(), (int64_t)below(4), fraction());
        break;
    case 3: /* and at the other end */
        v[1] = partner(f, v[0], most - 2);
        v[2] = assemble(f, draw(), most - (int64_t)below(4), fraction());
        break;
    case 4: { /* a is nearly a multiple of b, a square */
        uint64_t factors[3] = {v[1], below(2) ? v[2] : v[1], 0};
        v[0] = near(exact_compute(f, EXACT_MUL, EXACT_RN, false, factors));
        break;
    }
    case 5: /* c is far above or below the product */
        v[1] = partner(f, v[0], most / 2);
        v[2] = assemble(f, draw(), most / 2 + (int64_t)below(240) - 120,
                        fraction());
        break;
    case 6: /* special values, and their neighbours */
        v[below(3)] = near(assemble(f, draw(), below(2) ? 0 : most, 0));
        v[below(3)] = near(assemble(f, draw(), below(2) ? 1 : most / 2, 0));
        break;
    default:
        break;
    }
    for (int i = 0; i < 3; i++)
        v[i] &= 2 * sign - 1;
}

/* ---- kernels ----------------------------------------------------------- */

static void make_rows(struct table *t)
{
    bool is_single = t->format.exponent_bits == 8;

    t->count = 0;
    for (size_t o = 0; o < ARRAY_COUNT(ops); o++)
        for (size_t r = 0; r < ARRAY_COUNT(roundings); r++)
            for (int ftz = 0; ftz <= is_single; ftz++) {
                struct row *row = &t->rows[t->count++];
                snprintf(row->text, sizeof row->text, "%s.%s%s.%s %%d, %s;",
                         ops[o].name, roundings[r], ftz ? ".ftz" : "", t->type,
                         ops[o].operands);
                row->op = ops[o].op;
                row->rounding = (enum exact_rounding)r;
                row->is_flushed = ftz;
            }
}

static char *make_text(const struct table *t, bool is_uniform)
{
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);

    if (!f)
        abort();
    fprintf(f,
            ".version 8.0\n.target sm_90\n.address_size 64\n"
            ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
            ".reg .b64 %%at, %%to, %%off, %%x;\n.reg .b32 %%t, %%s, %%n, %%w;\n"
            ".reg .%s %%a, %%b, %%c, %%d;\n"
            "ld.param.u64 %%at, [in];\nld.param.u64 %%to, [out];\n"
            "mov.u32 %%t, %s;\nmov.u32 %%s, %%ctaid.x;\nmov.u32 %%n, %u;\n"
            "mad.lo.u32 %%t, %%s, %%n, %%t;\n"
            "mul.wide.u32 %%off, %%t, 24;\nadd.s64 %%at, %%at, %%off;\n"
            "mul.wide.u32 %%off, %%t, 8;\nadd.s64 %%to, %%to, %%off;\n"
            "ld.global.%s %%a, [%%at];\nld.global.%s %%b, [%%at+8];\n"
            "ld.global.%s %%c, [%%at+16];\n",
            t->type, is_uniform ? "0" : "%tid.x", is_uniform ? 1 : BLOCK,
            t->type, t->type, t->type);
    for (unsigned i = 0; i < t->count; i++)
        fprintf(f, "%s\nst.global.%s [%%to+%u], %%d;\n", t->rows[i].text,
                t->type, i * (unsigned)sizeof t->results[0]);
    fprintf(f, "ret;\n}\n");
    fclose(f);
    return text;
}

static void run(const struct emu_kernel *emu, const struct jit_kernel *code,
                struct table *t, uint32_t block)
{
    static uint8_t shared[64];
    static struct exec_helpers helpers;
    uint64_t params[2] = {(uint64_t)t->items, (uint64_t)t->results};
    struct exec_launch launch = {.helpers = &helpers,
                                 .params = (const uint8_t *)params,
                                 .grid = {ITEMS / block, 1, 1},
                                 .block = {block, 1, 1},
                                 .sm_count = 1,
                                 .warps_per_block = (block + 31) / 32,
                                 .block_count = ITEMS / block};
    struct exec_warp w = {.launch = &launch,
                          .shared = shared,
                          .block_end = ITEMS / block,
                          .warp_end = (block + 31) / 32};

    memset(t->results, 0, sizeof t->results);
    if (emu)
        emu_run(emu, &w);
    else
        exec_call_kernel(code->fn, &w);
}

static unsigned compare(const struct table *t, const char *engine)
{
    unsigned wrong = 0;

    for (unsigned r = 0; r < t->count; r++) {
        const struct row *row = &t->rows[r];
        unsigned in_row = 0;
        for (unsigned i = 0; i < ITEMS; i++) {
            uint64_t want = exact_compute(t->format, row->op, row->rounding,
                                          row->is_flushed, t->items[i]);
            uint64_t got = t->results[r][i];
            if (want == got ||
                (exact_is_nan(t->format, want) && exact_is_nan(t->format, got)))
                continue;
            if (in_row++ < 3)
                printf("%s on %s: a %#" PRIx64 " b %#" PRIx64 " c %#" PRIx64
                       ": %#" PRIx64 ", expected %#" PRIx64 "\n",
                       row->text, engine, t->items[i][0], t->items[i][1],
                       t->items[i][2], got, want);
        }
        wrong += in_row;
    }
    return wrong;
}

/* ---- engines ----------------------------------------------------------- */

struct program {
    struct ptx_module *ptx;
    struct emu_kernel *emu;
    struct jit_module *jit;
    const struct jit_kernel *code;
    uint32_t block;
};

static struct program make_program(const struct table *t, bool is_uniform,
                                   struct diag *diag)
{
    struct program p = {.block = is_uniform ? 1 : BLOCK};
    char *text = make_text(t, is_uniform);
    const struct simt_spec spec = {
        .block = {p.block, 1, 1}, .is_grid_small = true, .lane_count = 32};

    p.ptx = ptx_parse("rounding", text, strlen(text), diag);
    const struct ptx_func *f = p.ptx ? ptx_find_func(p.ptx, "k") : NULL;
    if (f && !is_uniform)
        p.emu = emu_kernel_create(f, diag);
    if (f)
        p.jit = jit_module_create(p.ptx, 0);
    if (p.jit)
        p.code = jit_get(p.jit, f, &spec, diag);
    free(text);
    return p;
}

static void free_program(struct program *p)
{
    jit_module_destroy(p->jit);
    emu_kernel_destroy(p->emu);
    if (p->ptx)
        ptx_module_destroy(p->ptx);
}

/* Rounds of new operands for one type; how many results are wrong. */
static unsigned check(struct table *t, unsigned rounds)
{
    struct diag diag;
    unsigned wrong = 0;

    diag_init(&diag);
    make_rows(t);
    struct program vector = make_program(t, false, &diag);
    struct program scalar = make_program(t, true, &diag);
    if (!vector.emu || !vector.code || !scalar.code) {
        printf("%s", diag.text ? diag.text : "no kernel\n");
        wrong = 1;
        rounds = 0;
    }
    for (unsigned i = 0; i < rounds; i++) {
        for (unsigned k = 0; k < ITEMS; k++)
            draw_item(t->format, t->items[k]);
        run(vector.emu, NULL, t, vector.block);
        wrong += compare(t, "emu");
        run(NULL, vector.code, t, vector.block);
        wrong += compare(t, "simd");
        run(NULL, scalar.code, t, scalar.block);
        wrong += compare(t, "simd, one lane");
    }
    free_program(&vector);
    free_program(&scalar);
    diag_fini(&diag);
    return wrong;
}

int main(int argc, char **argv)
{
    static struct table t;
    unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 4;
    unsigned wrong = 0;

    if (jit_target_get()->problem) {
        printf("skipped: %s\n", jit_target_get()->problem);
        return 77;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    random_state =
        argc > 2 ? strtoull(argv[2], NULL, 0) | 1 : 88172645463325252;
    t.format = exact_single;
    t.type = "f32";
    wrong += check(&t, rounds);
    t.format = exact_double;
    t.type = "f64";
    wrong += check(&t, rounds);
    printf("%u results wrong\n", wrong);
    return wrong != 0;
}
