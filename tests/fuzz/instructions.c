/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Single instructions (instructions.def) on many operand values, interpreted
 * and compiled: both must give the same bits (any NaN for f32 and f64). Each
 * is compiled with operands that differ between lanes and with operands that
 * are the same in all lanes. Many rows make one kernel, so that a run is
 * short; the row that differs is named, with its operands.
 *
 *     instructions [WORD...]      rows whose text contains one of the words
 *     instructions --every N      each Nth row
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/emu.h"
#include "exec/block/switch.h"
#include "jit/jit.h"

enum result { B16, B32, B64, P, F32, F64 };

static const struct row {
    const char *text;
    enum result result;
} rows[] = {
#define INST(text, result) {text, result},
#include "instructions.def"
};

enum { ITEMS = 1024, BLOCK = 64, BATCH = 24 };

struct item {
    uint64_t a, b, c;
};

/* ---- operands ---------------------------------------------------------- */

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Limits of the integer and floating types, halves and bytes in pairs. */
static const uint64_t special[] = {
    0x0,
    0x1,
    0x2,
    0x3,
    0x7,
    0x8,
    0xf,
    0x10,
    0x18,
    0x1f,
    0x20,
    0x21,
    0x3f,
    0x40,
    0x7f,
    0x80,
    0x81,
    0xff,
    0x100,
    0x7fff,
    0x8000,
    0x8001,
    0xffff,
    0x7c00,
    0xfc00,
    0x7c01,
    0x3c00,
    0xbc00,
    0x0400,
    0x03ff,
    0x7bff,
    0x3f80,
    0x7f80,
    0x7fc0,
    0x7f7f,
    0x0080,
    0x7fffffff,
    0x80000000,
    0x80000001,
    0xffffffff,
    0x3f800000,
    0xbf800000,
    0x7f800000,
    0xff800000,
    0x7fc00000,
    0xffc00001,
    0x00800000,
    0x007fffff,
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
    0x477fefff,
    0x38800000,
    0x33000000,
    0x33000001,
    0x43e00000,
    0x43e80000,
    0x43e80001,
    0x47600000,
    0x47700000,
    0x3b000000,
    0x3a800000,
    0x80808080,
    0x7f7f7f7f,
    0x01010101,
    0xff00ff00,
    0x7fff8000,
    0x80007fff,
    0x3c003c00,
    0x7c007e00,
    0x7f807fc0,
    0x3f803f80,
    0x04000001,
    0x80000001,
    UINT64_C(0x3ff0000000000000),
    UINT64_C(0xbff0000000000000),
    UINT64_C(0x7ff0000000000000),
    UINT64_C(0xfff0000000000000),
    UINT64_C(0x7ff8000000000000),
    UINT64_C(0x0010000000000000),
    UINT64_C(0x000fffffffffffff),
    UINT64_C(0x7fefffffffffffff),
    UINT64_C(0x8000000000000000),
    UINT64_C(0x7fffffffffffffff),
    UINT64_C(0xffffffffffffffff),
    UINT64_C(0x41dfffffffc00000),
    UINT64_C(0x41e0000000000000),
    UINT64_C(0x43e0000000000000),
    UINT64_C(0x47efffffe0000000),
    UINT64_C(0x36a0000000000000),
};

/* A float of moderate size: random sign and mantissa, exponent near 0. */
static uint64_t moderate(unsigned exponent_bits, unsigned fraction_bits)
{
    uint64_t bias = (UINT64_C(1) << (exponent_bits - 1)) - 1;
    uint64_t exponent = bias - 12 + next_random() % 24;
    uint64_t fraction = next_random() & ((UINT64_C(1) << fraction_bits) - 1);
    uint64_t sign = next_random() & 1;

    if (next_random() % 3 == 0) /* ties of roundings */
        fraction &= ~UINT64_C(0) << (fraction_bits / 2 + 1);
    return sign << (exponent_bits + fraction_bits) | exponent << fraction_bits |
           fraction;
}

static uint64_t operand(void)
{
    uint64_t r = next_random();

    switch (next_random() % 8) {
    case 0:
    case 1:
        return special[r % ARRAY_COUNT(special)];
    case 2:
        return r % 300;
    case 3:
        return moderate(8, 23);
    case 4:
        return moderate(11, 52);
    case 5:
        return moderate(5, 10) | moderate(5, 10) << 16;
    case 6:
        return (uint64_t) - (int64_t)(r % 300);
    default:
        return r >> (next_random() % 64);
    }
}

static void fill(struct item *items)
{
    for (unsigned i = 0; i < ITEMS; i++)
        items[i] = (struct item){operand(), operand(), operand()};
}

/* ---- the kernel -------------------------------------------------------- */

static const char head[] =
    ".version 8.7\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b64 %la, %lb, %lc, %ld, %le, %at, %to, %off;\n"
    ".reg .b32 %ra, %rb, %rc, %rd, %re, %t, %s, %n;\n"
    ".reg .b16 %ha, %hb, %hc, %hd, %he;\n"
    ".reg .f32 %fa, %fb, %fc, %fd;\n.reg .f64 %da, %db, %dc, %dd;\n"
    ".reg .pred %pa, %pb, %pc, %pd, %pe;\n.reg .b128 %qa, %qb;\n"
    ".reg .b8 %ba, %bb;\n"
    "ld.param.u64 %at, [in];\nld.param.u64 %to, [out];\n";

static const char body[] =
    "mul.wide.u32 %off, %t, 24;\nadd.s64 %at, %at, %off;\n"
    "ld.global.u64 %la, [%at];\nld.global.u64 %lb, [%at+8];\n"
    "ld.global.u64 %lc, [%at+16];\n"
    "mul.wide.u32 %off, %t, 8;\nadd.s64 %to, %to, %off;\n"
    "cvt.u32.u64 %ra, %la;\ncvt.u32.u64 %rb, %lb;\n"
    "cvt.u32.u64 %rc, %lc;\n"
    "cvt.u16.u32 %ha, %ra;\ncvt.u16.u32 %hb, %rb;\n"
    "cvt.u16.u32 %hc, %rc;\n"
    "mov.b32 %fa, %ra;\nmov.b32 %fb, %rb;\nmov.b32 %fc, %rc;\n"
    "mov.b64 %da, %la;\nmov.b64 %db, %lb;\nmov.b64 %dc, %lc;\n"
    "and.b32 %s, %ra, 1;\nsetp.ne.u32 %pa, %s, 0;\n"
    "and.b32 %s, %rb, 1;\nsetp.ne.u32 %pb, %s, 0;\n"
    "and.b32 %s, %rc, 1;\nsetp.ne.u32 %pc, %s, 0;\n"
    "mov.b32 %rd, 0;\nmov.b64 %ld, 0;\nmov.b16 %hd, 0;\n";

static const char by_thread[] =
    "mov.u32 %t, %tid.x;\nmov.u32 %s, %ctaid.x;\nmov.u32 %n, %ntid.x;\n"
    "mad.lo.u32 %t, %s, %n, %t;\n";
static const char by_block[] = "mov.u32 %t, %ctaid.x;\n";

static const char *const to_result[] = {
    [B16] = "cvt.u64.u16 %ld, %hd;\n",
    [B32] = "cvt.u64.u32 %ld, %rd;\n",
    [B64] = "",
    [P] = "selp.u64 %ld, 1, 0, %pd;\n",
    [F32] = "mov.b32 %rd, %fd;\ncvt.u64.u32 %ld, %rd;\n",
    [F64] = "mov.b64 %ld, %dd;\n",
};

struct batch {
    const struct row *rows[BATCH];
    unsigned count;
    struct item items[ITEMS];
    uint64_t want[BATCH][ITEMS], got[BATCH][ITEMS];
};

static char *make_text(const struct batch *b, const char *index)
{
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);

    if (!f)
        abort();
    fprintf(f, "%s%s%s", head, index, body);
    for (unsigned i = 0; i < b->count; i++)
        fprintf(f, "%s\n%sst.global.u64 [%%to+%u], %%ld;\n", b->rows[i]->text,
                to_result[b->rows[i]->result], i * (unsigned)sizeof b->want[0]);
    fprintf(f, "ret;\n}\n");
    fclose(f);
    return text;
}

/* ---- running ----------------------------------------------------------- */

static void run(const struct emu_kernel *emu, const struct jit_kernel *code,
                const uint64_t *params, uint32_t block, uint32_t grid)
{
    static uint8_t shared[1024];
    static struct exec_helpers helpers;
    struct exec_launch launch = {.helpers = &helpers,
                                 .params = (const uint8_t *)params,
                                 .grid = {grid, 1, 1},
                                 .block = {block, 1, 1},
                                 .sm_count = 1,
                                 .warps_per_block = block / 32,
                                 .block_count = grid};
    struct exec_warp w = {.launch = &launch,
                          .shared = shared,
                          .block_end = grid,
                          .warp_end = block / 32};
    if (emu)
        emu_run(emu, &w);
    else
        exec_call_kernel(code->fn, &w);
}

/* True if the kernel could be made; runs it with results in `out`. */
static bool run_text(const struct batch *b, const char *text, bool is_emu,
                     uint32_t block, uint32_t grid, void *out)
{
    struct diag diag;
    uint64_t params[2] = {(uint64_t)b->items, (uint64_t)out};
    const struct simt_spec spec = {
        .block = {block, 1, 1}, .is_grid_small = true, .lane_count = 32};
    bool ok = false;

    diag_init(&diag);
    struct ptx_module *m = ptx_parse("row", text, strlen(text), &diag);
    const struct ptx_func *f = m ? ptx_find_func(m, "k") : NULL;
    if (f && is_emu) {
        struct emu_kernel *k = emu_kernel_create(f, &diag);
        ok = k != NULL;
        if (k)
            run(k, NULL, params, block, grid);
        emu_kernel_destroy(k);
    } else if (f) {
        struct jit_module *jm = jit_module_create(m, 0);
        const struct jit_kernel *k = jit_get(jm, f, &spec, &diag);
        ok = k != NULL;
        if (k)
            run(NULL, k, params, block, grid);
        jit_module_destroy(jm);
    }
    if (m)
        ptx_module_destroy(m);
    if (diag.text)
        printf("%s", diag.text);
    diag_fini(&diag);
    return ok;
}

/* ---- comparing --------------------------------------------------------- */

static bool is_nan(enum result r, uint64_t v)
{
    if (r == F32)
        return (v & 0x7fffffff) > 0x7f800000;
    return r == F64 && (v & INT64_MAX) > (uint64_t)INT64_C(0x7ff0000000000000);
}

static unsigned compare(const struct batch *b, const char *variant)
{
    unsigned wrong_rows = 0;

    for (unsigned r = 0; r < b->count; r++) {
        enum result result = b->rows[r]->result;
        unsigned wrong = 0;
        for (unsigned i = 0; i < ITEMS; i++) {
            uint64_t want = b->want[r][i], got = b->got[r][i];
            if (want == got || (is_nan(result, want) && is_nan(result, got)))
                continue;
            const struct item *x = &b->items[i];
            if (wrong++ < 3)
                printf("%s (%s): a %#" PRIx64 " b %#" PRIx64 " c %#" PRIx64
                       ": emu %#" PRIx64 ", simd %#" PRIx64 "\n",
                       b->rows[r]->text, variant, x->a, x->b, x->c, want, got);
        }
        wrong_rows += wrong != 0;
    }
    return wrong_rows;
}

static unsigned check(struct batch *b)
{
    static const struct {
        const char *name, *index;
        uint32_t block, grid;
    } variants[] = {{"vector", by_thread, BLOCK, ITEMS / BLOCK},
                    {"scalar", by_block, 32, ITEMS}};
    unsigned wrong = 0;

    for (size_t v = 0; v < ARRAY_COUNT(variants); v++) {
        char *text = make_text(b, variants[v].index);
        bool ok = (v > 0 || run_text(b, text, true, variants[v].block,
                                     variants[v].grid, b->want)) &&
                  run_text(b, text, false, variants[v].block, variants[v].grid,
                           b->got);
        free(text);
        if (!ok)
            return b->count;
        wrong += compare(b, variants[v].name);
    }
    return wrong;
}

/* One by one, so that each row that cannot be compiled is named. */
static unsigned check_each(const struct batch *all)
{
    static struct batch one;
    unsigned wrong = 0;

    one = *all;
    one.count = 1;
    for (unsigned i = 0; i < all->count; i++) {
        one.rows[0] = all->rows[i];
        unsigned n = check(&one);
        if (n)
            printf("FAILED: %s\n", all->rows[i]->text);
        wrong += n != 0;
    }
    return wrong;
}

static bool is_wanted(const struct row *row, int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--every") == 0)
        return (row - rows) % atol(argv[2]) == 0;
    for (int i = 1; i < argc; i++)
        if (strstr(row->text, argv[i]))
            return true;
    return argc == 1;
}

int main(int argc, char **argv)
{
    static struct batch b;
    unsigned wrong = 0, count = 0;

    if (jit_target_get()->problem) {
        printf("skipped: %s\n", jit_target_get()->problem);
        return 77;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    fill(b.items);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        if (is_wanted(&rows[i], argc, argv)) {
            b.rows[b.count++] = &rows[i];
            count++;
        }
        if (b.count == BATCH || (i + 1 == ARRAY_COUNT(rows) && b.count)) {
            wrong += check(&b) ? check_each(&b) : 0;
            b.count = 0;
        }
    }
    printf("%u instructions, %u wrong\n", count, wrong);
    return wrong != 0;
}
