/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wgmma of every type, with A in registers and in shared memory, every swizzle
 * and both orders of the elements, interpreted and compiled, against a product
 * computed here. Shared memory is filled by the test, with the layouts as the
 * manual gives them in units of 16 bytes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "emu/emu.h"
#include "exec/block/switch.h"
#include "jit/jit.h"
#include "ptx/matrix.h"

enum { THREADS = 128, LANE_BYTES = 1024, SHARED = 1 << 17, B_START = 1 << 16 };

static const struct kind {
    const char *types; /* of D, A, B */
    enum ptx_type d, a, b;
    unsigned k;
} kinds[] = {
    {"f32.f16.f16", PTX_TYPE_f32, PTX_TYPE_f16, PTX_TYPE_f16, 16},
    {"f16.f16.f16", PTX_TYPE_f16, PTX_TYPE_f16, PTX_TYPE_f16, 16},
    {"f32.bf16.bf16", PTX_TYPE_f32, PTX_TYPE_bf16, PTX_TYPE_bf16, 16},
    {"f32.tf32.tf32", PTX_TYPE_f32, PTX_TYPE_tf32, PTX_TYPE_tf32, 8},
    {"f32.e4m3.e5m2", PTX_TYPE_f32, PTX_TYPE_e4m3, PTX_TYPE_e5m2, 32},
    {"s32.s8.u8", PTX_TYPE_s32, PTX_TYPE_s8, PTX_TYPE_u8, 32},
    {"s32.b1.b1.and.popc", PTX_TYPE_s32, PTX_TYPE_b1, PTX_TYPE_b1, 256},
};

struct variant {
    const struct kind *kind;
    unsigned n, mode; /* swizzle: 0 none, 1 128, 2 64, 3 32 bytes */
    bool is_a_in_registers, has_c, is_negated;
    bool is_a_transposed, is_b_transposed;
};

static uint8_t shared[SHARED] __attribute__((aligned(1024)));
static uint8_t input[THREADS * LANE_BYTES], out[2][THREADS * LANE_BYTES];
static int a[64][256], b[256][256], c[64][256];

/* A small number as the bits of its type. */
static uint64_t bits_of(enum ptx_type t, int v)
{
    float f = (float)v;
    uint32_t s;

    memcpy(&s, &f, sizeof s);
    unsigned exponent = v ? (s >> 23 & 255) - 127 : 0, sign = s >> 31;
    unsigned fraction = s & 0x7fffff;
    switch (t) {
    case PTX_TYPE_f32:
    case PTX_TYPE_tf32:
        return s;
    case PTX_TYPE_bf16:
        return s >> 16;
    case PTX_TYPE_f16:
        return v ? sign << 15 | (exponent + 15) << 10 | fraction >> 13 : 0;
    case PTX_TYPE_e5m2:
        return v ? sign << 7 | (exponent + 15) << 2 | fraction >> 21 : 0;
    case PTX_TYPE_e4m3:
        return v ? sign << 7 | (exponent + 7) << 3 | fraction >> 20 : 0;
    case PTX_TYPE_b1:
        return (unsigned)v & 1;
    case PTX_TYPE_s32:
        return (uint32_t)v;
    default:
        return (uint8_t)v;
    }
}

static unsigned bits_in(enum ptx_type t)
{
    return t == PTX_TYPE_b1 ? 1 : 8 * ptx_type_size(t);
}

/* ---- shared memory ----------------------------------------------------- */

/* Strides in units of 16 bytes, of a matrix with `outer` rows or columns. */
struct strides {
    unsigned lead, stride, width;
};

static struct strides strides_of(const struct variant *v, unsigned outer,
                                 bool is_transposed)
{
    struct strides s = {.width = v->mode ? 16u >> v->mode : 1};

    if (s.width > 1) { /* a transposed matrix is 16 lines high */
        s.stride = 8 * s.width;
        s.lead = is_transposed ? 16 * s.width : 1;
    } else {
        s.stride = 8;
        s.lead = outer;
    }
    return s;
}

/* PTX ISA, canonical layouts: the unit of 16 bytes for chunk `chunk` along the
 * contiguous direction of line `line`. */
static unsigned unit_at(struct strides s, bool is_transposed, unsigned line,
                        unsigned chunk)
{
    unsigned unit;

    if (s.width == 1)
        unit = is_transposed ? chunk * s.stride + line % 8 + line / 8 * s.lead
                             : line % 8 + line / 8 * s.stride + chunk * s.lead;
    else if (is_transposed)
        unit = chunk % s.width + chunk / s.width * s.lead + line % 8 * s.width +
               line / 8 * s.stride;
    else
        unit = line % 8 * s.width + line / 8 * s.stride + chunk;
    return unit ^ (unit >> 3 & (s.width - 1));
}

static void put(uint8_t *base, size_t bit, unsigned bits, uint64_t v)
{
    for (unsigned i = 0; i < bits; i++, bit++)
        base[bit / 8] = (uint8_t)((base[bit / 8] & ~(1u << bit % 8)) |
                                  (v >> i & 1) << bit % 8);
}

static void put_shared(const struct variant *v, unsigned start, unsigned outers,
                       bool is_transposed, enum ptx_type t, unsigned outer,
                       unsigned k, int value)
{
    unsigned bits = bits_in(t);
    unsigned line = is_transposed ? k : outer;
    unsigned at = (is_transposed ? outer : k) * bits;
    struct strides s = strides_of(v, outers, is_transposed);
    unsigned unit = unit_at(s, is_transposed, line, at / 128);

    put(shared + start + 16 * unit, at % 128, bits, bits_of(t, value));
}

static uint64_t descriptor(const struct variant *v, unsigned start,
                           unsigned outers, bool is_transposed)
{
    struct strides s = strides_of(v, outers, is_transposed);
    return start >> 4 | (uint64_t)s.lead << 16 | (uint64_t)s.stride << 32 |
           (uint64_t)v->mode << 62;
}

/* ---- the kernel -------------------------------------------------------- */

static unsigned sum_regs(const struct variant *v)
{
    return v->kind->d == PTX_TYPE_f16 ? v->n / 4 : v->n / 2;
}

static char *make_text(const struct variant *v, char *name, size_t size)
{
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    const char *type = v->kind->d == PTX_TYPE_f32 ? "f32" : "b32";
    bool is_float = ptx_type_is_float(v->kind->a);

    if (!f)
        abort();
    snprintf(name, size, "wgmma.mma_async.sync.aligned.m64n%uk%u.%s", v->n,
             v->kind->k, v->kind->types);
    fprintf(f,
            ".version 8.6\n.target sm_90a\n.address_size 64\n"
            ".extern .shared .align 1024 .b8 s[];\n"
            ".visible .entry k(.param .u64 in, .param .u64 out, "
            ".param .u64 a, .param .u64 b, .param .u32 c)\n{\n"
            ".reg .b64 %%p, %%q, %%o, %%da, %%db;\n.reg .b32 %%t, %%c;\n"
            ".reg .b32 %%a<4>;\n.reg .%s %%d<128>;\n.reg .pred %%s;\n"
            "ld.param.u64 %%p, [in];\nld.param.u64 %%q, [out];\n"
            "ld.param.u64 %%da, [a];\nld.param.u64 %%db, [b];\n"
            "ld.param.u32 %%c, [c];\nsetp.ne.u32 %%s, %%c, 0;\n"
            "mov.u32 %%t, s;\nmov.u32 %%t, %%tid.x;\n"
            "mul.wide.u32 %%o, %%t, %d;\n"
            "add.s64 %%p, %%p, %%o;\nadd.s64 %%q, %%q, %%o;\n",
            type, LANE_BYTES);
    for (unsigned i = 0; i < sum_regs(v); i++)
        fprintf(f, "ld.global.%s %%d%u, [%%p+%u];\n", type, i, 4 * i);
    for (unsigned i = 0; i < 4; i++)
        fprintf(f, "ld.global.b32 %%a%u, [%%p+%u];\n", i, 512 + 4 * i);
    fprintf(f, "wgmma.fence.sync.aligned;\n%s ", name);
    for (unsigned i = 0; i < sum_regs(v); i++)
        fprintf(f, "%s%%d%u", i ? ", " : "{", i);
    fprintf(f, "}, %s, %%db, %%s",
            v->is_a_in_registers ? "{%a0, %a1, %a2, %a3}" : "%da");
    if (is_float)
        fprintf(f, ", %d, 1", v->is_negated ? -1 : 1);
    if (is_float && v->kind->k == 16 && !v->is_a_in_registers)
        fprintf(f, ", %d", v->is_a_transposed);
    if (is_float && v->kind->k == 16)
        fprintf(f, ", %d", v->is_b_transposed);
    fprintf(f, ";\nwgmma.commit_group.sync.aligned;\n"
               "wgmma.wait_group.sync.aligned 0;\n");
    for (unsigned i = 0; i < sum_regs(v); i++)
        fprintf(f, "st.global.%s [%%q+%u], %%d%u;\n", type, 4 * i, i);
    fprintf(f, "ret;\n}\n");
    fclose(f);
    return text;
}

/* ---- data -------------------------------------------------------------- */

static uint32_t random_state = 12345;

static int small(enum ptx_type t)
{
    random_state = random_state * 1664525 + 1013904223;
    int v = (int)(random_state >> 16) % 7 - 3;
    return t == PTX_TYPE_b1 ? v & 1 : t == PTX_TYPE_u8 ? abs(v) : v;
}

/* Register and part of D's (row, column), and the thread that has it. */
static size_t sum_bit(const struct variant *v, unsigned row, unsigned column)
{
    unsigned bits = bits_in(v->kind->d);
    unsigned lane = row % 8 * 4 + column % 8 / 2;
    unsigned i = column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
    return ((row / 16 * 32 + lane) * LANE_BYTES) * 8u + i * bits;
}

static void fill(const struct variant *v)
{
    const struct kind *kd = v->kind;
    unsigned bits = bits_in(kd->a), per_reg = 32 / bits;

    memset(shared, 0xa5, sizeof shared);
    memset(input, 0, sizeof input);
    for (unsigned row = 0; row < 64; row++)
        for (unsigned k = 0; k < kd->k; k++) {
            a[row][k] = small(kd->a);
            put_shared(v, 0, 64, v->is_a_transposed, kd->a, row, k, a[row][k]);
            unsigned reg = row % 16 / 8 + k / (4 * per_reg) * 2;
            unsigned thread = row / 16 * 32 + row % 8 * 4 + k / per_reg % 4;
            put(input + thread * LANE_BYTES + 512 + 4 * reg, k % per_reg * bits,
                bits, bits_of(kd->a, a[row][k]));
        }
    for (unsigned k = 0; k < kd->k; k++)
        for (unsigned column = 0; column < v->n; column++) {
            b[k][column] = small(kd->b);
            put_shared(v, B_START, v->n, v->is_b_transposed, kd->b, column, k,
                       b[k][column]);
        }
    for (unsigned row = 0; row < 64; row++)
        for (unsigned column = 0; column < v->n; column++) {
            c[row][column] = small(PTX_TYPE_s8) * 3;
            put(input, sum_bit(v, row, column), bits_in(kd->d),
                bits_of(kd->d, c[row][column]));
        }
}

static bool check_sums(const struct variant *v, const uint8_t *result,
                       const char *engine, const char *name)
{
    for (unsigned row = 0; row < 64; row++)
        for (unsigned column = 0; column < v->n; column++) {
            int sum = 0;
            for (unsigned k = 0; k < v->kind->k; k++)
                sum += a[row][k] * b[k][column];
            sum =
                (v->is_negated ? -sum : sum) + (v->has_c ? c[row][column] : 0);
            uint64_t want = bits_of(v->kind->d, sum), got = 0;
            size_t bit = sum_bit(v, row, column);
            memcpy(&got, result + bit / 8, bits_in(v->kind->d) / 8);
            if (want == got)
                continue;
            printf("%s, %s: D[%u][%u] is %#llx, should be %#llx\n", name,
                   engine, row, column, (unsigned long long)got,
                   (unsigned long long)want);
            return false;
        }
    return true;
}

/* ---- running ----------------------------------------------------------- */

/* Nobody writes what another warp reads: they need not meet. */
static void meet_nobody(struct exec_warp *w, uint32_t id, uint32_t threads)
{
    (void)w, (void)id, (void)threads;
}

static uint64_t end_block(struct exec_warp *w)
{
    return w->block_end - w->block_current;
}

static void run(const struct emu_kernel *emu, const struct jit_kernel *code,
                const struct variant *v, uint8_t *to)
{
    static const struct exec_helpers helpers = {.barrier_sync = meet_nobody,
                                                .block_end = end_block};
    uint64_t params[5] = {
        (uint64_t)input, (uint64_t)to, descriptor(v, 0, 64, v->is_a_transposed),
        descriptor(v, B_START, v->n, v->is_b_transposed), v->has_c};
    struct exec_launch launch = {.helpers = &helpers,
                                 .params = (const uint8_t *)params,
                                 .grid = {1, 1, 1},
                                 .block = {THREADS, 1, 1},
                                 .dynamic_shared_bytes = SHARED,
                                 .sm_count = 1,
                                 .lane_count = 32,
                                 .warps_per_block = THREADS / 32,
                                 .block_count = 1};
    struct exec_warp w = {.launch = &launch,
                          .shared = shared,
                          .block_end = 1,
                          .warp_end = THREADS / 32};

    if (emu)
        emu_run(emu, &w);
    for (uint32_t i = 0; code && i < THREADS / 32; i++) {
        w.warp_first = i;
        w.warp_end = i + 1;
        exec_call_kernel(code->fn, &w);
    }
}

static bool check(const struct variant *v)
{
    char name[128];
    char *text = make_text(v, name, sizeof name);
    const struct simt_spec spec = {
        .block = {THREADS, 1, 1}, .is_grid_small = true, .lane_count = 32};
    struct diag diag;
    bool ok = false;

    diag_init(&diag);
    struct ptx_module *m = ptx_parse("wgmma", text, strlen(text), &diag);
    const struct ptx_func *f = m ? ptx_find_func(m, "k") : NULL;
    struct emu_kernel *emu = f ? emu_kernel_create(f, &diag) : NULL;
    struct jit_module *jm = f ? jit_module_create(m, 0) : NULL;
    const struct jit_kernel *code = jm ? jit_get(jm, f, &spec, &diag) : NULL;
    if (emu && code) {
        fill(v);
        run(emu, NULL, v, out[0]);
        run(NULL, code, v, out[1]);
        ok = check_sums(v, out[0], "emu", name) &
             check_sums(v, out[1], "simd", name);
    }
    if (!ok)
        printf("FAILED: %s, swizzle %u, A in %s%s%s%s%s\n", name, v->mode,
               v->is_a_in_registers ? "registers" : "memory",
               v->is_a_transposed ? ", transposed" : "",
               v->is_b_transposed ? ", B transposed" : "",
               v->has_c ? ", with C" : "", v->is_negated ? ", negated" : "");
    if (diag.text)
        printf("%s", diag.text);
    diag_fini(&diag);
    if (jm)
        jit_module_destroy(jm);
    emu_kernel_destroy(emu);
    if (m)
        ptx_module_destroy(m);
    free(text);
    return ok;
}

int main(void)
{
    unsigned count = 0, wrong = 0;
    /* With vectors of less than 512 bits, LLVM takes minutes for products of
     * many columns. */
    bool is_wide = jit_target_get()->has_avx512;
    unsigned usual = is_wide ? 64 : 16;

    if (jit_target_get()->problem) {
        printf("skipped: %s\n", jit_target_get()->problem);
        return 77;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        for (unsigned j = 0; j < 8; j++) {
            const struct kind *kd = &kinds[i];
            bool is_float = ptx_type_is_float(kd->a);
            bool can_turn = is_float && ptx_type_size(kd->a) == 2;
            struct variant v = {.kind = kd,
                                .n = j == 0   ? 8
                                     : j == 1 ? 256
                                              : usual,
                                .mode = j % 4,
                                .is_a_in_registers = j / 4,
                                .has_c = (i + j) % 3 != 0};
            if (v.n == 256 && !is_wide)
                continue;
            if (v.n == 256 && kd->k != 16)
                v.n = 128;
            v.is_negated = is_float && j % 3 == 1;
            v.is_b_transposed = can_turn && j % 2 == 0 && v.n == usual;
            v.is_a_transposed = can_turn && !v.is_a_in_registers && j >= 2;
            count++;
            wrong += !check(&v);
        }
    printf("%u instructions, %u wrong\n", count, wrong);
    return wrong != 0;
}
