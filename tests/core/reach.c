/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels are found to touch: a table of kernels, and random ones, each of
 * which writes down the addresses that it computes. Where it is known what such
 * a kernel touches, all of these are in it.
 */
#define _GNU_SOURCE
#include "../exec/check.h"
#include "core/core.h"
#include "core/graph/reach.h"
#include "core/module.h"
#include "jit/jit.h"

#include <stdarg.h>
#include <stdlib.h>

enum { BLOCKS = 7, THREADS = 64, WORDS = 4096, KERNELS = 120, OPS = 9 };

static CUcontext ctx;
static uint64_t *log_of;
static uint32_t *array;

/* ---- asking ------------------------------------------------------------- */

struct params {
    uint64_t log, array;
    uint32_t n;
    uint64_t wide;
};

static struct params params(void)
{
    return (struct params){(uintptr_t)log_of, (uintptr_t)array, 1000, 24};
}

static bool ask(CUfunction f, const struct params *p, struct exec_reach *out)
{
    const struct exec_kernel k = {
        .launch = {.params = (uint8_t *)(uintptr_t)p,
                   .grid = {BLOCKS, 1, 1},
                   .block = {THREADS, 1, 1},
                   .block_count = BLOCKS,
                   .function = f},
    };
    out->count = 0;
    return kernel_reach(&k, out);
}

static CUmodule load(const char *text)
{
    CUmodule m = NULL;
    struct diag diag;
    diag_init(&diag);
    CHECK_EQUAL(module_load(ctx, text, &diag, &m), CUDA_SUCCESS);
    if (diag.text)
        printf("%s", diag.text);
    diag_fini(&diag);
    return m;
}

#define HEAD                                                                   \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                          \
    ".visible .const .b8 table[64];\n"
#define ENTRY                                                                  \
    "(.param .u64 log, .param .u64 array, .param .u32 n, .param .u64 wide)"    \
    "{ .reg .b32 %r<60>; .reg .b64 %d<60>; .reg .pred %p<4>;"                  \
    "  .shared .b8 s[64];"                                                     \
    "  ld.param.u64 %d0, [log]; ld.param.u64 %d1, [array];"                    \
    "  ld.param.u32 %r3, [n]; ld.param.u64 %d2, [wide];"                       \
    "  mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;"      \
    "  mad.lo.s32 %r4, %r1, %r2, %r0;"

/* ---- a table ------------------------------------------------------------ */

/* Bytes from the array's start; of the whole array: WORDS * 4 of them. */
static const struct row {
    const char *body;
    bool is_known;
    int64_t first, end, step;
} rows[] = {
    {"mul.wide.s32 %d3, %r4, 4; add.s64 %d4, %d1, %d3;"
     "st.global.u32 [%d4], %r0;",
     true, 0, 4 * THREADS, 4 * THREADS},
    {"mul.wide.s32 %d3, %r4, 4; add.s64 %d4, %d1, %d3;"
     "ld.global.u32 %r5, [%d4+8];",
     true, 8, 8 + 4 * THREADS, 4 * THREADS},
    {"shl.b32 %r5, %r1, 6; or.b32 %r6, %r5, %r0; mul.wide.u32 %d3, %r6, 16;"
     "add.s64 %d4, %d3, %d1; ld.global.v4.u32 {%r7, %r8, %r9, %r10}, [%d4];",
     true, 0, 16 * THREADS, 16 * THREADS},
    {"and.b32 %r5, %r0, 3; mul.wide.u32 %d3, %r5, 4; add.s64 %d4, %d1, %d3;"
     "red.global.add.u32 [%d4], 1;",
     true, 0, 16, 0},
    {"mul.lo.s32 %r5, %r4, %r3; cvt.s64.s32 %d3, %r5; add.s64 %d4, %d1, %d3;"
     "ld.global.u8 %r6, [%d4];",
     true, 0, 1000 * (THREADS - 1) + 1, 1000 * THREADS},
    {"add.s64 %d4, %d1, %d2; ld.global.u32 %r6, [%d4];", true, 24, 28, 0},
    /* What is read from memory is any number. */
    {"ld.global.u32 %r5, [%d1]; mul.wide.s32 %d3, %r5, 4;"
     "add.s64 %d4, %d1, %d3; ld.global.u32 %r6, [%d4];",
     true, 0, 4 * WORDS, 0},
    {"mov.u64 %d3, %d1; l: ld.global.u32 %r5, [%d3]; add.s64 %d3, %d3, 4;"
     "setp.ne.u32 %p0, %r5, 0; @%p0 bra l;",
     true, 0, 4 * WORDS, 0},
    /* What wraps is any, too. */
    {"mul.lo.s32 %r5, %r4, 1073741824; mul.wide.s32 %d3, %r5, 4;"
     "add.s64 %d4, %d1, %d3; ld.global.u32 %r6, [%d4];",
     true, 0, 4 * WORDS, 0},
    {"sub.s32 %r5, %r0, 1; mul.wide.u32 %d3, %r5, 4;"
     "add.s64 %d4, %d1, %d3; ld.global.u32 %r6, [%d4];",
     true, 0, 4 * WORDS, 0},
    /* Not followed. */
    {"ld.global.u64 %d3, [%d1]; ld.global.u32 %r5, [%d3];", false, 0, 0, 0},
    {"sub.s64 %d3, %d1, %d0; add.s64 %d4, %d0, %d3;"
     "ld.global.u32 %r5, [%d4];",
     false, 0, 0, 0},
    {"and.b64 %d3, %d1, -16; ld.global.u32 %r5, [%d3];", false, 0, 0, 0},
    {"setp.eq.u32 %p0, %r0, 0; selp.b64 %d3, %d1, %d0, %p0;"
     "ld.global.u32 %r5, [%d3];",
     false, 0, 0, 0},
    {"add.s64 %d3, %d1, %d0; ld.global.u32 %r5, [%d3];", false, 0, 0, 0},
    {"mov.u64 %d3, 4096; ld.global.u32 %r5, [%d3];", false, 0, 0, 0},
    {"ld.const.u32 %r5, [table];", false, 0, 0, 0},
    {"ld.acquire.gpu.global.u32 %r5, [%d1];", false, 0, 0, 0},
    {"fence.acq_rel.gpu; ld.global.u32 %r5, [%d1];", false, 0, 0, 0},
    {"prefetch.global.L2 [%d1]; ld.volatile.global.u32 %r5, [%d1];", false, 0,
     0, 0},
    {"mov.u64 %d3, log; ld.param.u64 %d4, [%d3]; ld.global.u32 %r5, [%d4];",
     false, 0, 0, 0},
};

static void check_row(CUfunction f, const struct row *r)
{
    const struct params p = params();
    struct exec_reach reach;
    bool is_known = ask(f, &p, &reach);
    if (is_known != r->is_known)
        printf("%s: %s\n", r->body, is_known ? "known" : "not known");
    CHECK(is_known == r->is_known);
    if (!is_known || !r->is_known)
        return;
    const struct exec_touch *t = &reach.touch[reach.count - 1];
    int64_t base = (int64_t)p.array;
    bool is_right = t->first - base == r->first && t->end - base == r->end &&
                    t->step_bytes == r->step;
    if (!is_right)
        printf("%s: from %lld to %lld, %lld\n", r->body,
               (long long)(t->first - base), (long long)(t->end - base),
               (long long)t->step_bytes);
    CHECK(is_right && t->low >= base && t->high <= base + 4 * WORDS);
}

static void check_table(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = NULL;
        CUfunction f = NULL;
        CHECK(asprintf(&text, "%s%s%s%s", HEAD ".visible .entry k", ENTRY,
                       rows[i].body, " ret; }\n") > 0);
        CUmodule m = load(text);
        if (m && module_function(m, "k", &f) == CUDA_SUCCESS)
            check_row(f, &rows[i]);
        else
            CHECK(f != NULL);
        free(text);
    }
}

/* ---- random kernels ----------------------------------------------------- */

static unsigned seed = 5;
static unsigned any(unsigned below)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 16) % below;
}

struct text {
    char bytes[400000];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t,
                                                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    t->length += (size_t)vsnprintf(t->bytes + t->length,
                                   sizeof t->bytes - t->length, format, args);
    va_end(args);
}

/* Registers that have a value: of 32 bits, and numbers of 64. */
static unsigned words, doubles;

static unsigned new_word(void)
{
    return words == 5 || any(6) ? words++ : 5 + any(words - 5);
}

/* 1$ is written, 2$ and 3$ are read, 4$ is a number. */
static void put_word(struct text *t)
{
    static const char *const forms[] = {
        "add.s32 %%r%1$u, %%r%2$u, %%r%3$u;\n",
        "sub.s32 %%r%1$u, %%r%2$u, %%r%3$u;\n",
        "or.b32 %%r%1$u, %%r%2$u, %%r%3$u;\n",
        "mul.lo.s32 %%r%1$u, %%r%2$u, %%r%3$u;\n",
        "mov.u32 %%r%1$u, %%r%2$u; @%%p1 mov.u32 %%r%1$u, %%r%3$u;\n",
        "selp.b32 %%r%1$u, %%r%2$u, %%r%3$u, %%p1;\n",
        "mad.lo.s32 %%r%1$u, %%r%2$u, 12, %%r%3$u;\n",
        "mul.lo.s32 %%r%1$u, %%r%2$u, %4$d;\n",
        "add.s32 %%r%1$u, %%r%2$u, %4$d;\n",
        "and.b32 %%r%1$u, %%r%2$u, %4$d;\n",
        "shl.b32 %%r%1$u, %%r%2$u, 5;\n",
        "shr.u32 %%r%1$u, %%r%2$u, 2;\n",
    };
    unsigned a = any(words), b = any(words);
    int number = (int)any(80) - (any(3) ? 0 : 40);
    put(t, forms[any(sizeof forms / sizeof *forms)], new_word(), a, b, number);
}

static void put_double(struct text *t)
{
    static const char *const forms[] = {
        "mul.wide.s32 %%d%1$u, %%r%2$u, 4;\n",
        "mul.wide.u32 %%d%1$u, %%r%2$u, 8;\n",
        "cvt.s64.s32 %%d%1$u, %%r%2$u;\n",
        "cvt.u64.u32 %%d%1$u, %%r%2$u;\n",
        "mad.wide.s32 %%d%1$u, %%r%2$u, 4, %%d%3$u;\n",
        "add.s64 %%d%1$u, %%d%3$u, 16;\n",
        "shl.b64 %%d%1$u, %%d%3$u, 1;\n",
        "sub.s64 %%d%1$u, %%d2, %%d%3$u;\n",
        "add.s64 %%d%1$u, %%d2, %%d%3$u;\n",
    };
    unsigned from = 2 + any(doubles - 2);
    put(t, forms[any(sizeof forms / sizeof *forms)], doubles, any(words), from,
        0);
    doubles++;
}

static void put_kernel(struct text *t, unsigned number)
{
    words = 5;
    doubles = 3;
    put(t, ".visible .entry k%u%s setp.lt.u32 %%p1, %%r0, 9;\n", number, ENTRY);
    for (unsigned i = 0; i < OPS; i++)
        if (any(3))
            put_word(t);
        else
            put_double(t);
    put(t,
        "mul.wide.s32 %%d%u, %%r%u, 4; add.s64 %%d%u, %%d1, %%d%u;\n"
        "setp.eq.u32 %%p0, %%r3, 12345;\n"
        "@%%p0 ld.global.u32 %%r59, [%%d%u+4];\n",
        doubles, words - 1, doubles + 1, doubles - any(2), doubles + 1);
    put(t,
        "add.s64 %%d57, %%d%u, 4; mad.wide.u32 %%d58, %%r4, 8, %%d0;\n"
        "st.global.u64 [%%d58], %%d57; ret; }\n",
        doubles + 1);
}

static bool holds(const struct exec_reach *reach, int64_t address, int block)
{
    for (uint32_t i = 0; i < reach->count; i++) {
        const struct exec_touch *t = &reach->touch[i];
        int64_t at = address - t->step_bytes * block;
        if (!t->writes && at >= t->first && at + 4 <= t->end &&
            address >= t->low && address + 4 <= t->high)
            return true;
    }
    return false;
}

static void run(CUfunction f)
{
    struct params p = params();
    void *args[] = {&p.log, &p.array, &p.n, &p.wide};
    struct launch_config c = {.grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}};
    CHECK_EQUAL(stream_resolve(ctx, NULL, &c.stream), CUDA_SUCCESS);
    CHECK_EQUAL(launch_kernel(f, &c, args, NULL, 0), CUDA_SUCCESS);
    CHECK_EQUAL(stream_synchronize(c.stream), CUDA_SUCCESS);
}

/* Of those that are linear, the addresses of all threads that lead into the
 * array. Returns whether it is one. */
static bool check_kernel(CUmodule m, unsigned number)
{
    char name[16];
    CUfunction f = NULL;
    struct exec_reach reach;
    struct params p = params();
    snprintf(name, sizeof name, "k%u", number);
    CHECK_EQUAL(module_function(m, name, &f), CUDA_SUCCESS);
    if (!f || !ask(f, &p, &reach))
        return false;
    run(f);
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        int64_t at = (int64_t)log_of[i];
        bool is_inside =
            at >= (int64_t)p.array && at + 4 <= (int64_t)p.array + 4 * WORDS;
        if (!is_inside || holds(&reach, at, i / THREADS))
            continue;
        printf("kernel %u, thread %d: at %lld\n", number, i,
               (long long)(at - (int64_t)p.array));
        check_failures++;
        break;
    }
    for (uint32_t i = 0; i < reach.count; i++)
        if (!reach.touch[i].writes && reach.touch[i].step_bytes)
            return true;
    return false;
}

static void check_random(void)
{
    static struct text t;
    unsigned linear = 0;
    put(&t, "%s", HEAD);
    for (unsigned i = 0; i < KERNELS; i++)
        put_kernel(&t, i);
    CUmodule m = load(t.bytes);
    for (unsigned i = 0; i < KERNELS && m; i++)
        linear += check_kernel(m, i);
    printf("%u of %d are linear\n", linear, KERNELS);
    CHECK(linear > KERNELS / 10);
}

int main(void)
{
    setenv("WEFT_ENGINE", "emu", 1);
    CHECK_EQUAL(ctx_primary(&ctx), CUDA_SUCCESS);
    CUdeviceptr a = 0, b = 0;
    CHECK_EQUAL(mem_alloc(ctx, &a, BLOCKS * THREADS * 8 + 8000), CUDA_SUCCESS);
    CHECK_EQUAL(mem_alloc(ctx, &b, 4 * WORDS), CUDA_SUCCESS);
    log_of = (uint64_t *)(uintptr_t)a;
    array = (uint32_t *)(uintptr_t)b;
    check_table();
    check_random();
    return check_result();
}
