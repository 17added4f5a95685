/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simt-hostile: control flow that no program has. Each gives a schedule or a
 * refusal with a message, in bounded time and memory, for whole warps and for
 * one lane.
 */
#include "simt/simt.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define MEMORY_MAX  ((rlim_t)3 << 30)
#define SECONDS_MAX 60 /* of work */

static const char *current = "none";
static FILE *out;

static void too_slow(int signal_number)
{
    (void)signal_number;
    (void)!write(2, current, strlen(current));
    (void)!write(2, ": takes too long\n", 17);
    _exit(1);
}

/* ---- kernels --------------------------------------------------------------
 * %r is the thread's index at first, %n counts down to the end. */

static unsigned draw(unsigned n)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(state >> 33) % n;
}

static void say_turn(unsigned i)
{
    fprintf(out,
            "L%u: add.u32 %%r, %%r, %u; sub.u32 %%n, %%n, 1;\n"
            "setp.eq.u32 %%p, %%n, 0; @%%p bra END;\n"
            "setp.lt.u32 %%p, %%r, %u;\n",
            i, i + 1, i * 3);
}

static void nested_loops(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        fprintf(out, "L%u: add.u32 %%r, %%r, 1;\n", i);
    for (unsigned i = n; i-- > 0;)
        fprintf(out, "setp.lt.u32 %%p, %%r, %u; @%%p bra L%u;\n", i, i);
}

static void nested_ifs(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        fprintf(out, "setp.lt.u32 %%p, %%r, %u; @%%p bra L%u;\n", i, i);
    for (unsigned i = n; i-- > 0;)
        fprintf(out, "L%u: add.u32 %%r, %%r, 3;\n", i);
}

static void any_graph(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        say_turn(i);
        fprintf(out, "@%%p bra L%u;\n", draw(n));
    }
    fprintf(out, "bra L0;\n");
}

/* Two loops, from each turn of one to the same turn of the other. */
static void ladder(unsigned n)
{
    for (unsigned i = 0; i < 2 * n; i++) {
        say_turn(i);
        fprintf(out, "@%%p bra L%u;\n", i < n ? i + n : i - n);
        if (i % n == n - 1)
            fprintf(out, "bra L%u;\n", i + 1 - n);
    }
}

/* From everywhere to everywhere. */
static void clique(unsigned n)
{
    fprintf(out, "T: .branchtargets L0");
    for (unsigned i = 1; i < n; i++)
        fprintf(out, ", L%u", i);
    fprintf(out, ";\n");
    for (unsigned i = 0; i < n; i++) {
        say_turn(i);
        fprintf(out, "brx.idx %%r, T;\n");
    }
}

/* Blocks that do nothing, one after the other. */
static void jumps(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        fprintf(out, "bra L%u;\nL%u:\n", i, i);
}

/* A register for each block, set in it and read at the end. */
static void registers(unsigned n)
{
    fprintf(out, ".reg .u32 %%q<%u>;\n", n);
    for (unsigned i = 0; i < n; i++)
        fprintf(out,
                "setp.lt.u32 %%p, %%r, %u; @%%p bra L%u;\n"
                "mov.u32 %%q%u, %%r;\nL%u:\n",
                i, i, i, i);
    for (unsigned i = 0; i < n; i++)
        fprintf(out, "add.u32 %%r, %%r, %%q%u;\n", i);
}

/* Each loop looks at memory that others write. */
static void nested_watches(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        fprintf(out,
                "L%u: ld.volatile.global.u32 %%r, [%%d+%u];\n"
                "st.volatile.global.u32 [%%d+%u], %%r;\n",
                i, 4 * i, 4 * i + 4);
    for (unsigned i = n; i-- > 0;)
        fprintf(out,
                "ld.volatile.global.u32 %%r, [%%d+%u];\n"
                "setp.eq.u32 %%p, %%r, %u; @%%p bra L%u;\n",
                4 * i, i, i);
}

/* A look at an address with 2^n ways back to where it comes from. */
static void doubled_address(unsigned n)
{
    fprintf(out,
            ".reg .u64 %%q<%u>;\nld.global.u32 %%r, [%%d];\n"
            "cvt.u64.u32 %%q0, %%r;\n",
            n + 2);
    for (unsigned i = 0; i < n; i++)
        fprintf(out, "add.s64 %%q%u, %%q%u, %%q%u;\n", i + 1, i, i);
    fprintf(out,
            "add.s64 %%q%u, %%d, %%q%u;\n"
            "setp.ne.u32 %%p, %%n, 0; @%%p bra END;\n"
            "L: ld.volatile.global.u32 %%r, [%%q%u];\n"
            "st.global.u32 [%%q%u+4], %%r;\n"
            "setp.eq.u32 %%p, %%r, 0; @%%p bra L;\n",
            n + 1, n, n + 1, n + 1);
}

/* A value to compare with that each of n guarded additions may have made, and
 * so on for 14 registers. */
static void many_origins(unsigned n)
{
    fprintf(out, ".reg .u32 %%q<15>;\n.reg .pred %%g;\nmov.u32 %%q0, %%r;\n"
                 "L: setp.eq.u32 %%g, %%n, 3;\n");
    for (unsigned i = 0; i < 14 * n; i++)
        fprintf(out, "@%%g add.u32 %%q%u, %%q%u, %u;\n", i / n + 1, i / n, i);
    fprintf(out, "atom.global.cas.b32 %%r, [%%d], %%q14, %%n;\n"
                 "setp.ne.u32 %%p, %%r, %%q14; @%%p bra L;\n");
}

/* A loop whose end depends on all that it computes, as of a search for a hash:
 * long, and nothing but that. */
static void chain(unsigned n)
{
    fprintf(out, ".reg .u32 %%q<%u>;\nL: mov.u32 %%q0, %%r;\n", n + 1);
    for (unsigned i = 0; i < n; i++)
        fprintf(out, "mad.lo.u32 %%q%u, %%q%u, %%q%u, %u;\n", i + 1, i, i, i);
    fprintf(out, "mov.u32 %%r, %%q%u;\nsetp.gt.u32 %%p, %%r, 99; @%%p bra L;\n",
            n);
}

/* ---- looking at them ----------------------------------------------------- */

static bool is_taken(const struct ptx_module *m, unsigned lanes)
{
    struct simt_spec spec = {
        .block = {64, 1, 1}, .is_grid_small = true, .lane_count = lanes};
    struct diag diag;
    diag_init(&diag);
    struct arena *arena = arena_create();
    struct simt_kernel *k =
        simt_build(arena, m, ptx_find_func(m, "k"), &spec, &diag);
    if (!k != !!diag.error_count || (!k && !diag.text)) {
        fprintf(stderr, "%s: neither a kernel nor an error\n", current);
        exit(1);
    }
    if (k)
        free(simt_dump(k, SIMT_DUMP_SCHEDULE));
    arena_destroy(arena);
    diag_fini(&diag);
    return k != NULL;
}

static int check(const char *name, bool is_expected, void (*make)(unsigned n),
                 unsigned n)
{
    char *text = NULL;
    size_t length;
    struct diag diag;
    int failures = 0;

    current = name;
    out = open_memstream(&text, &length);
    if (!out)
        abort();
    fprintf(out, ".version 8.0\n.target sm_90\n.address_size 64\n"
                 ".visible .entry k(.param .u64 p)\n{\n.reg .pred %%p;\n"
                 ".reg .u32 %%r, %%n;\n.reg .u64 %%d;\n"
                 "ld.param.u64 %%d, [p];\nmov.u32 %%r, %%tid.x;\n"
                 "mov.u32 %%n, 1000;\n");
    make(n);
    fprintf(out, "END: st.global.u32 [%%d], %%r;\nret;\n}\n");
    fclose(out);
    diag_init(&diag);
    struct ptx_module *m = ptx_parse("hostile", text, length, &diag);
    if (!m) {
        fprintf(stderr, "%s: %s\n", name, diag.text);
        exit(1);
    }
    for (unsigned lanes = 1; lanes <= 32; lanes += 31) {
        bool found = is_taken(m, lanes);
        if (found != is_expected)
            fprintf(stderr, "%s (%u): is %s with %u lanes\n", name, n,
                    found ? "taken" : "refused", lanes);
        failures += found != is_expected;
    }
    ptx_module_destroy(m);
    diag_fini(&diag);
    free(text);
    return failures;
}

int main(void)
{
#ifndef __SANITIZE_ADDRESS__ /* which maps terabytes for itself */
    struct rlimit limit = {MEMORY_MAX, MEMORY_MAX};
    setrlimit(RLIMIT_AS, &limit);
#endif
    signal(SIGXCPU, too_slow);
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS_MAX, SECONDS_MAX + 1});
    int failures = check("loops", true, nested_loops, 100) +
                   check("loops", false, nested_loops, 10000) +
                   check("loops", false, nested_loops, 200000) +
                   check("ifs", true, nested_ifs, 3000) +
                   check("any graph", true, any_graph, 100) +
                   check("any graph", false, any_graph, 20000) +
                   check("ladder", true, ladder, 100) +
                   check("ladder", false, ladder, 20000) +
                   check("clique", true, clique, 60) +
                   check("clique", false, clique, 1500) +
                   check("jumps", true, jumps, 20000) +
                   check("jumps", false, jumps, 300000) +
                   check("registers", true, registers, 1000) +
                   check("registers", false, registers, 100000) +
                   check("watches", true, nested_watches, 30) +
                   check("watches", false, nested_watches, 1000) +
                   check("address", true, doubled_address, 23) +
                   check("origins", true, many_origins, 40) +
                   check("chain", true, chain, 20000);
    return failures != 0;
}
