/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every shape, type and layout of mma, mma.sp and wmma, interpreted, compiled,
 * and computed here from the definition: small values, for which the answer is
 * exact whatever the order of the sums, must agree with the definition, and
 * bits of any kind must give the same in both engines.
 *
 *     matrix [WORD...]      cases whose instruction contains one of the words
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/emu.h"
#include "exec/block/switch.h"
#include "jit/jit.h"
#include "ptx/matrix.h"

enum { MAX_REGS = 8, LANE_BYTES = 512, MATRIX_BYTES = 16384 };

struct shape {
    enum ptx_op op;
    bool is_sparse;
    unsigned m, n, k;
    uint64_t sources, sums;
};

static const struct shape shapes[] = {
#define T(name) (UINT64_C(1) << PTX_TYPE_##name)
#define dense   false
#define sparse  true
#define MATRIX(op, density, m, n, k, sources, sums)                            \
    {PTX_OP_##op, density, m, n, k, sources, sums},
#include "ptx/matrix.def"
#undef dense
#undef sparse
};

/* One instruction, and for wmma the layouts of A, B, C and D in memory. */
struct variant {
    const struct shape *shape;
    enum ptx_type a, b, c, d;
    enum ptx_layout layout[4];
    const char *rounding, *operation;
    bool is_saturating;
    unsigned selector;
    char spelling[160];
    struct ptx_mma mma;
};

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * UINT64_C(0x2545F4914F6CDD1D) >> 16;
}

static const char *layout_name(enum ptx_layout l)
{
    return l == PTX_LAYOUT_col ? "col" : "row";
}

/* ---- elements ---------------------------------------------------------- */

/* A small number as the bits of its type: exact in every type. */
static uint64_t bits_of(enum ptx_type t, int v)
{
    float f = (float)v;
    double d = v;
    uint64_t bits = 0;
    uint32_t single;

    memcpy(&single, &f, sizeof single);
    memcpy(&bits, &d, sizeof bits);
    unsigned exponent = v ? (single >> 23 & 255) - 127 : 0;
    unsigned sign = single >> 31, fraction = single & 0x7fffff;
    switch (t) {
    case PTX_TYPE_f64:
        return bits;
    case PTX_TYPE_f32:
    case PTX_TYPE_tf32:
        return single;
    case PTX_TYPE_bf16:
        return single >> 16;
    case PTX_TYPE_f16:
        return v ? sign << 15 | (exponent + 15) << 10 | fraction >> 13 : 0;
    case PTX_TYPE_e5m2:
        return v ? sign << 7 | (exponent + 15) << 2 | fraction >> 21 : 0;
    case PTX_TYPE_e4m3:
        return v ? sign << 7 | (exponent + 7) << 3 | fraction >> 20 : 0;
    case PTX_TYPE_u8:
    case PTX_TYPE_s8:
        return (uint8_t)v;
    case PTX_TYPE_u4:
    case PTX_TYPE_s4:
        return (unsigned)v & 15;
    case PTX_TYPE_b1:
        return (unsigned)v & 1;
    default:
        return (uint32_t)v;
    }
}

static int small_value(enum ptx_type t)
{
    int v = (int)(next_random() % 7) - 3;
    bool is_unsigned = t == PTX_TYPE_u8 || t == PTX_TYPE_u4;

    return t == PTX_TYPE_b1 ? v & 1 : is_unsigned ? abs(v) : v;
}

/* ---- the instruction and its kernel ------------------------------------ */

/* How many registers a fragment has is known once it is described: try. */
static bool describe(struct variant *v)
{
    const struct shape *s = v->shape;
    struct ptx_operand o[4] = {{0}};
    struct ptx_inst in = {.op = s->op,
                          .sub = s->op == PTX_OP_wmma ? PTX_SUB_mma : 0,
                          .flags = s->is_sparse ? PTX_FLAG_sparse : 0,
                          .shape = PTX_SHAPE(s->m, s->n, s->k),
                          .type = {v->d, v->a, v->b, v->c},
                          .type_count = 4,
                          .layout = {v->layout[0], v->layout[1]},
                          .operand = o,
                          .operand_count = 4};

    ptx_describe_mma(&in, &v->mma); /* fills it, whatever it says of o */
    return v->mma.m != 0;
}

static void spell(struct variant *v)
{
    const struct shape *s = v->shape;
    bool is_wmma = s->op == PTX_OP_wmma, is_b1 = v->a == PTX_TYPE_b1;
    bool is_half = is_wmma && v->a == PTX_TYPE_f16;
    char types[64];

    if (is_half)
        snprintf(types, sizeof types, ".%s.%s", ptx_type_name(v->d),
                 ptx_type_name(v->c));
    else
        snprintf(types, sizeof types, ".%s.%s.%s.%s", ptx_type_name(v->d),
                 ptx_type_name(v->a), ptx_type_name(v->b), ptx_type_name(v->c));
    const char *sat = v->is_saturating ? ".satfinite" : "";
    if (is_wmma)
        snprintf(v->spelling, sizeof v->spelling,
                 "wmma.mma%s.sync.aligned.%s.%s.m%un%uk%u%s%s%s",
                 is_b1 ? v->operation : "", layout_name(v->layout[0]),
                 layout_name(v->layout[1]), s->m, s->n, s->k, v->rounding,
                 types, sat);
    else
        snprintf(v->spelling, sizeof v->spelling,
                 "mma%s.sync.aligned.m%un%uk%u.%s.%s%s%s%s%s",
                 s->is_sparse ? ".sp::ordered_metadata" : "", s->m, s->n, s->k,
                 layout_name(v->layout[0]), layout_name(v->layout[1]), sat,
                 v->rounding, types, is_b1 ? v->operation : "");
}

static const char *reg_type(const struct ptx_fragment *f)
{
    return f->reg_bits == 64 ? "f64" : f->type == PTX_TYPE_f32 ? "f32" : "b32";
}

static void print_list(FILE *f, const struct ptx_fragment *fr, char name)
{
    for (unsigned i = 0; i < fr->reg_count; i++)
        fprintf(f, "%s%%%c%u", i ? ", " : "{", name, i);
    fprintf(f, "}");
}

static void print_product(FILE *f, const struct variant *v)
{
    fprintf(f, "%s ", v->spelling);
    print_list(f, &v->mma.d, 'd');
    fprintf(f, ", ");
    print_list(f, &v->mma.a, 'a');
    fprintf(f, ", ");
    print_list(f, &v->mma.b, 'b');
    fprintf(f, ", ");
    print_list(f, &v->mma.c, 'c');
    if (v->shape->is_sparse)
        fprintf(f, ", %%e, %u", v->selector);
    fprintf(f, ";\n");
}

static void print_head(FILE *f, const struct variant *v)
{
    const struct ptx_fragment *fr[] = {&v->mma.a, &v->mma.b, &v->mma.c,
                                       &v->mma.d};

    fprintf(f, ".version 8.7\n.target sm_90a\n.address_size 64\n"
               ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
               ".reg .b64 %%p, %%q, %%o;\n.reg .b32 %%t, %%e;\n");
    for (unsigned i = 0; i < 4; i++)
        fprintf(f, ".reg .%s %%%c<%u>;\n", reg_type(fr[i]), "abcd"[i],
                fr[i] -> reg_count);
    fprintf(f,
            "ld.param.u64 %%p, [in];\nld.param.u64 %%q, [out];\n"
            "mov.u32 %%t, %%tid.x;\nmul.wide.u32 %%o, %%t, %u;\n",
            LANE_BYTES);
}

/* Registers straight from memory: A, B, C and the metadata of each lane. */
static void print_mma(FILE *f, const struct variant *v)
{
    const struct ptx_fragment *fr[] = {&v->mma.a, &v->mma.b, &v->mma.c};
    unsigned at = 0;

    fprintf(f, "add.s64 %%p, %%p, %%o;\nadd.s64 %%q, %%q, %%o;\n");
    for (unsigned i = 0; i < 3; i++)
        for (unsigned r = 0; r < fr[i]->reg_count; r++, at += 8)
            fprintf(f, "ld.global.%s %%%c%u, [%%p+%u];\n", reg_type(fr[i]),
                    "abc"[i], r, at);
    fprintf(f, "ld.global.b32 %%e, [%%p+%u];\n", at);
    print_product(f, v);
    for (unsigned r = 0; r < v->mma.d.reg_count; r++)
        fprintf(f, "st.global.%s [%%q+%u], %%d%u;\n", reg_type(&v->mma.d),
                8 * r, r);
}

/* Elements from one line to the next, and how long a line is. */
static unsigned line_elements(const struct ptx_fragment *f, enum ptx_layout l)
{
    return l == PTX_LAYOUT_col ? f->rows : f->columns;
}

static unsigned stride_of(const struct ptx_fragment *f, enum ptx_layout l)
{
    return line_elements(f, l) +
           128 / f->element_bits * (f->element_bits < 8 ? 1 : 2);
}

static void print_wmma(FILE *f, const struct variant *v)
{
    const struct ptx_fragment *fr[] = {&v->mma.a, &v->mma.b, &v->mma.c,
                                       &v->mma.d};

    for (unsigned i = 0; i < 3; i++) {
        fprintf(f, "wmma.load.%c.sync.aligned.%s.m%un%uk%u.global.%s ",
                "abc"[i], layout_name(v->layout[i]), v -> shape -> m,
                v -> shape -> n, v -> shape -> k, ptx_type_name(fr[i]->type));
        print_list(f, fr[i], "abc"[i]);
        fprintf(f, ", [%%p+%u], %u;\n", i * MATRIX_BYTES,
                stride_of(fr[i], v->layout[i]));
    }
    print_product(f, v);
    fprintf(f, "wmma.store.d.sync.aligned.%s.m%un%uk%u.global.%s [%%q], ",
            layout_name(v->layout[3]), v->shape->m, v->shape->n, v->shape->k,
            ptx_type_name(v->d));
    print_list(f, &v->mma.d, 'd');
    fprintf(f, ", %u;\n", stride_of(&v->mma.d, v->layout[3]));
}

static char *make_text(const struct variant *v)
{
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);

    if (!f)
        abort();
    print_head(f, v);
    if (v->shape->op == PTX_OP_wmma)
        print_wmma(f, v);
    else
        print_mma(f, v);
    fprintf(f, "ret;\n}\n");
    fclose(f);
    return text;
}

/* ---- matrices ---------------------------------------------------------- */

enum { CELLS = 4 * PTX_MATRIX_MAX_CELLS };

static struct {
    int a[CELLS], b[CELLS], c[CELLS];
    int choice[CELLS]; /* which of the rows of B a sparse A's element meets */
} value;
static uint8_t input[4 * MATRIX_BYTES], want[2 * MATRIX_BYTES],
    got[2 * MATRIX_BYTES];

static size_t index_of(const struct ptx_fragment *f, struct ptx_cell c)
{
    return (c.group * f->rows + c.row) * f->columns + c.column;
}

static void put_bits(uint8_t *to, size_t at_bit, unsigned bits, uint64_t v)
{
    for (unsigned i = 0; i < bits; i++) {
        size_t bit = at_bit + i;
        to[bit / 8] = (uint8_t)((to[bit / 8] & ~(1u << bit % 8)) |
                                (v >> i & 1) << bit % 8);
    }
}

static uint64_t take_bits(const uint8_t *from, size_t at_bit, unsigned bits)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < bits; i++)
        v |= (uint64_t)(from[(at_bit + i) / 8] >> (at_bit + i) % 8 & 1) << i;
    return v;
}

/* Bit at which an element lies in `input` or in a result. */
static size_t place_in_memory(const struct ptx_fragment *f, enum ptx_layout l,
                              unsigned row, unsigned column)
{
    unsigned line = l == PTX_LAYOUT_col ? column : row;
    unsigned position = l == PTX_LAYOUT_col ? row : column;

    return ((size_t)line * stride_of(f, l) + position) * f->element_bits;
}

static void store_matrix(const struct variant *v, unsigned which,
                         const struct ptx_fragment *f, const int *values)
{
    for (unsigned row = 0; row < f->rows; row++)
        for (unsigned column = 0; column < f->columns; column++)
            put_bits(input + which * MATRIX_BYTES,
                     place_in_memory(f, v->layout[which], row, column),
                     f->element_bits,
                     bits_of(f->type, values[row * f->columns + column]));
}

static void store_registers(const struct ptx_fragment *f, unsigned at,
                            const int *values)
{
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned r = 0; r < f->reg_count; r++)
            for (unsigned p = 0; p < f->per_reg; p++)
                put_bits(
                    input + lane * LANE_BYTES + at + 8 * r, p * f->element_bits,
                    f->element_bits,
                    bits_of(
                        f->type,
                        values[index_of(f, ptx_fragment_cell(f, lane, r, p))]));
}

static void store_metadata(const struct variant *v, unsigned at)
{
    const struct ptx_fragment *a = &v->mma.a;

    for (unsigned i = 0; i < a->rows * a->columns; i++) {
        struct ptx_selector s = ptx_sparse_selector(
            &v->mma, i / a->columns, i % a->columns, v->selector);
        put_bits(input + s.lane * LANE_BYTES + at, s.shift, 2,
                 (unsigned)value.choice[i]);
    }
}

/* Two different places of a chunk, in order; both halves of a tf32, and both
 * elements of a pair of 4 bits, go together. */
static void choose_places(const struct variant *v)
{
    const struct ptx_fragment *a = &v->mma.a;
    unsigned chunk = a->type == PTX_TYPE_tf32 ? 1
                     : a->element_bits == 4   ? 4
                                              : 2;

    for (unsigned i = 0; i < a->rows * a->columns; i += chunk) {
        int first = (int)(next_random() % 3);
        int second = first + 1 + (int)(next_random() % (3 - (unsigned)first));
        for (unsigned j = 0; j < chunk; j++)
            value.choice[i + j] = j < chunk / 2 ? first : second;
        if (chunk == 1) /* the bits are 0100 or 1110 */
            value.choice[i] = first & 2;
    }
}

static void fill_small(const struct variant *v)
{
    const struct ptx_mma *m = &v->mma;

    memset(input, 0, sizeof input);
    for (unsigned i = 0; i < CELLS; i++) {
        value.a[i] = small_value(v->a);
        value.b[i] = small_value(v->b);
        value.c[i] = small_value(v->c) * 4;
        if (v->is_saturating && i % 3 == 0)
            value.c[i] = INT32_MAX - (int)(next_random() % 64);
        if (v->is_saturating && i % 3 == 1)
            value.c[i] = INT32_MIN + (int)(next_random() % 64);
    }
    if (m->is_sparse)
        choose_places(v);
    if (v->shape->op == PTX_OP_wmma) {
        store_matrix(v, 0, &m->a, value.a);
        store_matrix(v, 1, &m->b, value.b);
        store_matrix(v, 2, &m->c, value.c);
        return;
    }
    unsigned b = 8 * m->a.reg_count, c = b + 8 * m->b.reg_count;
    store_registers(&m->a, 0, value.a);
    store_registers(&m->b, b, value.b);
    store_registers(&m->c, c, value.c);
    if (m->is_sparse)
        store_metadata(v, c + 8 * m->c.reg_count);
}

static void fill_wild(void)
{
    static const uint64_t special[] = {
        0x7c007e00, 0x7f807fc0, 0x80000001, 0x0001fc00, 0x7f800000,
        0xff800000, 0x7fffffff, 0x007fffff, 0xff7fffff, 0x7f7f8080};

    for (unsigned i = 0; i < sizeof input; i += 4) {
        uint32_t w = (uint32_t)next_random();
        if (next_random() % 16 == 0)
            w = (uint32_t)special[next_random() % ARRAY_COUNT(special)];
        memcpy(input + i, &w, sizeof w);
    }
}

/* ---- the definition ---------------------------------------------------- */

static int64_t product_of(const struct variant *v, int a, int b)
{
    if (v->a == PTX_TYPE_b1)
        return strstr(v->operation, "and") ? a & b : a ^ b;
    return (int64_t)a * b;
}

static uint64_t right_sum(const struct variant *v, unsigned group, unsigned row,
                          unsigned column)
{
    const struct ptx_mma *m = &v->mma;
    int64_t sum = value.c[(group * m->m + row) * m->n + column];

    for (unsigned i = 0; i < m->a.columns; i++) {
        size_t at = (group * m->m + row) * m->a.columns + i;
        unsigned k = i;
        if (m->is_sparse)
            k = ptx_sparse_selector(m, row, i, v->selector).k[value.choice[at]];
        sum += product_of(v, value.a[at],
                          value.b[(group * m->k + k) * m->n + column]);
    }
    if (v->is_saturating)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return bits_of(v->d, (int)sum);
}

static bool check_sum(const struct variant *v, const uint8_t *result,
                      size_t at_bit, unsigned group, unsigned row,
                      unsigned column)
{
    uint64_t found = take_bits(result, at_bit, v->mma.d.element_bits);
    uint64_t right = right_sum(v, group, row, column);

    /* Towards minus infinity a sum that vanishes is -0. */
    if (strcmp(v->rounding, ".rm") == 0 && found << 1 == 0)
        found = 0;
    if (found != right)
        printf("%s: D[%u][%u] is %#llx, should be %#llx\n", v->spelling, row,
               column, (unsigned long long)found, (unsigned long long)right);
    return found == right;
}

static bool check_small(const struct variant *v, const uint8_t *result)
{
    const struct ptx_fragment *d = &v->mma.d;
    bool ok = true;

    if (v->shape->op == PTX_OP_wmma) {
        for (unsigned i = 0; ok && i < d->rows * d->columns; i++)
            ok = check_sum(v, result,
                           place_in_memory(d, v->layout[3], i / d->columns,
                                           i % d->columns),
                           0, i / d->columns, i % d->columns);
        return ok;
    }
    for (unsigned lane = 0; ok && lane < 32; lane++)
        for (unsigned i = 0; ok && i < d->reg_count * d->per_reg; i++) {
            unsigned r = i / d->per_reg, p = i % d->per_reg;
            struct ptx_cell c = ptx_fragment_cell(d, lane, r, p);
            size_t at = (lane * LANE_BYTES + 8 * r) * 8 + p * d->element_bits;
            ok = check_sum(v, result, at, c.group, c.row, c.column);
        }
    return ok;
}

/* ---- running ----------------------------------------------------------- */

struct engines {
    struct ptx_module *m;
    struct emu_kernel *emu;
    struct jit_module *jm;
    const struct jit_kernel *code;
};

static bool make_engines(const char *text, struct engines *x)
{
    const struct simt_spec spec = {
        .block = {32, 1, 1}, .is_grid_small = true, .lane_count = 32};
    struct diag diag;

    diag_init(&diag);
    *x = (struct engines){.m = ptx_parse("row", text, strlen(text), &diag)};
    const struct ptx_func *f = x->m ? ptx_find_func(x->m, "k") : NULL;
    if (f) {
        x->emu = emu_kernel_create(f, &diag);
        x->jm = jit_module_create(x->m, 0);
        x->code = jit_get(x->jm, f, &spec, &diag);
    }
    if (diag.text)
        printf("%s", diag.text);
    diag_fini(&diag);
    return x->emu && x->code;
}

static void destroy_engines(struct engines *x)
{
    if (x->jm)
        jit_module_destroy(x->jm);
    emu_kernel_destroy(x->emu);
    if (x->m)
        ptx_module_destroy(x->m);
}

static void run(const struct engines *x, bool is_emu, uint8_t *out)
{
    static uint8_t shared[1024];
    static struct exec_helpers helpers;
    uint64_t params[2] = {(uint64_t)input, (uint64_t)out};
    struct exec_launch launch = {.helpers = &helpers,
                                 .params = (const uint8_t *)params,
                                 .grid = {1, 1, 1},
                                 .block = {32, 1, 1},
                                 .sm_count = 1,
                                 .lane_count = 32,
                                 .warps_per_block = 1,
                                 .block_count = 1};
    struct exec_warp w = {
        .launch = &launch, .shared = shared, .block_end = 1, .warp_end = 1};

    memset(out, 0, sizeof want);
    if (is_emu)
        emu_run(x->emu, &w);
    else
        exec_call_kernel(x->code->fn, &w);
}

static bool agree(const struct variant *v)
{
    if (memcmp(want, got, sizeof want) == 0)
        return true;
    for (unsigned i = 0; i < sizeof want; i++)
        if (want[i] != got[i]) {
            printf("%s: the engines differ at byte %u: emu %02x, simd %02x\n",
                   v->spelling, i, want[i], got[i]);
            break;
        }
    return false;
}

static bool check(const struct variant *v)
{
    char *text = make_text(v);
    struct engines x;
    bool ok = make_engines(text, &x);

    if (ok) {
        fill_small(v);
        run(&x, true, want);
        run(&x, false, got);
        ok = check_small(v, want) & agree(v);
    }
    for (unsigned i = 0; ok && i < 4; i++) {
        fill_wild();
        run(&x, true, want);
        run(&x, false, got);
        ok = agree(v);
    }
    if (!ok)
        printf("FAILED: %s\n", v->spelling);
    destroy_engines(&x);
    free(text);
    return ok;
}

/* ---- all of them ------------------------------------------------------- */

static struct {
    char **words;
    int word_count;
    unsigned count, wrong;
} all;

static void try_variant(struct variant v)
{
    bool is_wanted = all.word_count == 0;

    if (!v.rounding)
        v.rounding = "";
    if (!describe(&v))
        abort();
    spell(&v);
    for (int i = 0; i < all.word_count; i++)
        is_wanted |= strstr(v.spelling, all.words[i]) != NULL;
    if (!is_wanted)
        return;
    all.count++;
    all.wrong += !check(&v);
}

static void try_layouts(struct variant v)
{
    bool is_wmma = v.shape->op == PTX_OP_wmma;
    bool is_fixed = v.mma.a.element_bits < 8 ||
                    !(is_wmma || (v.shape->m == 8 && v.a == PTX_TYPE_f16));

    for (unsigned l = 0; l < 4; l++) {
        enum ptx_layout first = l & 1 ? PTX_LAYOUT_col : PTX_LAYOUT_row;
        enum ptx_layout second = l & 2 ? PTX_LAYOUT_col : PTX_LAYOUT_row;
        if (is_fixed && l != 2)
            continue;
        v.layout[0] = first;
        v.layout[1] = second;
        v.layout[2] = second;
        v.layout[3] = first;
        try_variant(v);
        if (!is_fixed || !is_wmma)
            continue;
        v.layout[2] = first;
        v.layout[3] = second;
        try_variant(v);
    }
}

static void try_modifiers(struct variant v)
{
    static const char *const roundings[] = {".rn", ".rz", ".rm", ".rp"};

    describe(&v);
    try_layouts(v);
    if (v.mma.is_integer && v.a != PTX_TYPE_b1) {
        v.is_saturating = true;
        v.layout[0] = v.layout[3] = PTX_LAYOUT_row;
        v.layout[1] = v.layout[2] = PTX_LAYOUT_col;
        try_variant(v);
    }
    for (unsigned i = 0; v.a == PTX_TYPE_f64 && i < 4; i++) {
        v.rounding = roundings[i];
        v.layout[0] = v.layout[3] = PTX_LAYOUT_row;
        v.layout[1] = v.layout[2] = PTX_LAYOUT_col;
        try_variant(v);
    }
    if (v.a == PTX_TYPE_b1) {
        v.operation = ".and.popc";
        try_layouts(v);
    }
    if (!v.mma.is_sparse)
        return;
    unsigned k = v.mma.a.columns * v.mma.a.element_bits;
    unsigned last = k >= 256 && v.mma.a.element_bits <= 8 ? 0
                    : k >= 256                            ? 1
                    : v.mma.a.element_bits <= 8           ? 1
                                                          : 3;
    v.layout[1] = PTX_LAYOUT_col;
    for (v.selector = last; v.selector > 0; v.selector--)
        try_variant(v);
}

static bool go_together(const struct variant *v)
{
    bool is_f16 = v->a == PTX_TYPE_f16;
    bool is_fp8 = v->a == PTX_TYPE_e4m3 || v->a == PTX_TYPE_e5m2;

    if (v->c == v->d)
        return !is_fp8 || v->shape->k != 16 || v->c == PTX_TYPE_f32;
    if (!is_f16 || v->shape->is_sparse)
        return false;
    return v->shape->op == PTX_OP_wmma ||
           (v->shape->m == 8 && v->d == PTX_TYPE_f16);
}

static void try_types(const struct shape *s)
{
    struct variant v = {.shape = s, .operation = ".xor.popc"};

    for (unsigned a = 1; a < PTX_TYPE_COUNT; a++)
        for (unsigned b = 1; b < PTX_TYPE_COUNT; b++)
            for (unsigned c = 1; c < PTX_TYPE_COUNT; c++)
                for (unsigned d = 1; d < PTX_TYPE_COUNT; d++) {
                    v.a = (enum ptx_type)a;
                    v.b = (enum ptx_type)b;
                    v.c = (enum ptx_type)c;
                    v.d = (enum ptx_type)d;
                    if (s->sources >> a & 1 && s->sources >> b & 1 &&
                        s->sums >> c & 1 && s->sums >> d & 1 && go_together(&v))
                        try_modifiers(v);
                }
}

int main(int argc, char **argv)
{
    if (jit_target_get()->problem) {
        printf("skipped: %s\n", jit_target_get()->problem);
        return 77;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    all.words = argv + 1;
    all.word_count = argc - 1;
    for (size_t i = 0; i < ARRAY_COUNT(shapes); i++)
        try_types(&shapes[i]);
    printf("%u instructions, %u wrong\n", all.count, all.wrong);
    return all.wrong != 0 || all.count == 0;
}
