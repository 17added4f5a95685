/* SPDX-License-Identifier: Apache-2.0 */
#include "generator.h"

#include <stdarg.h>
#include <stdlib.h>

static uint64_t draw(struct generator *g)
{
    /* xorshift64*: Vigna, 2016 */
    g->state ^= g->state >> 12;
    g->state ^= g->state << 25;
    g->state ^= g->state >> 27;
    return g->state * UINT64_C(0x2545F4914F6CDD1D);
}

unsigned fuzz_below(struct generator *g, unsigned n)
{
    return (unsigned)((draw(g) >> 33) % n);
}

const char *fuzz_pick(struct generator *g, const char *const *names,
                      unsigned count)
{
    return names[fuzz_below(g, count)];
}

void fuzz_say(struct generator *g, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputc('\t', g->out);
    vfprintf(g->out, format, args);
    fputc('\n', g->out);
    va_end(args);
}

#define below fuzz_below
#define say   fuzz_say

void fuzz_label(struct generator *g, unsigned n)
{
    fprintf(g->out, "L%u:\n", n);
}

/* A source: mostly a register, at times a telling constant. */
static const char *int_source(struct generator *g, char *buffer)
{
    static const char *const constants[] = {
        "0",   "1",          "-1",          "31", "32", "33",
        "255", "2147483647", "-2147483648", "7",  "16", "65535"};

    if (below(g, 4) == 0)
        return constants[below(g, sizeof constants / sizeof *constants)];
    sprintf(buffer, "%%r%u", below(g, INTS));
    return buffer;
}

static void int_statement(struct generator *g)
{
    char a[16], b[16], c[16];
    unsigned d = below(g, INTS);

    switch (below(g, 11)) {
    case 0:
        say(g, "mad.lo.s32 %%r%u, %s, %s, %s;", d, int_source(g, a),
            int_source(g, b), int_source(g, c));
        break;
    case 1:
        say(g, "%s %%r%u, %s, %s;", PICK(g, "shl.b32", "shr.u32", "shr.s32"), d,
            int_source(g, a), int_source(g, b));
        break;
    case 2:
        say(g, "%s %%r%u, %s;",
            PICK(g, "not.b32", "neg.s32", "abs.s32", "popc.b32", "clz.b32",
                 "brev.b32", "bfind.u32", "bfind.s32"),
            d, int_source(g, a));
        break;
    case 3:
        say(g, "selp.b32 %%r%u, %s, %s, %%p%u;", d, int_source(g, a),
            int_source(g, b), below(g, PREDS));
        break;
    case 4: /* no division by zero: its result is open */
        say(g, "or.b32 %%r8, %s, 1;", int_source(g, a));
        say(g, "%s %%r%u, %s, %%r8;",
            PICK(g, "div.u32", "rem.u32", "div.s32", "rem.s32"), d,
            int_source(g, b));
        break;
    case 5:
        say(g, "%s %%r%u, %s, %s, %s;",
            PICK(g, "prmt.b32", "shf.l.wrap.b32", "shf.r.clamp.b32", "sad.u32"),
            d, int_source(g, a), int_source(g, b), int_source(g, c));
        break;
    case 7: /* constants have 8 bits */
        say(g, "%s %%r%u, %s, %%r%u, %u;", PICK(g, "bfe.u32", "bfe.s32"), d,
            int_source(g, a), below(g, INTS), below(g, 40));
        break;
    case 6:
        say(g, "lop3.b32 %%r%u, %s, %s, %s, %u;", d, int_source(g, a),
            int_source(g, b), int_source(g, c), below(g, 256));
        break;
    default:
        say(g, "%s %%r%u, %s, %s;",
            PICK(g, "add.s32", "sub.s32", "mul.lo.s32", "and.b32", "or.b32",
                 "xor.b32", "min.s32", "max.s32", "min.u32", "max.u32",
                 "mul.hi.u32", "mul.hi.s32", "add.s32", "add.s32"),
            d, int_source(g, a), int_source(g, b));
        break;
    }
}

/* A predicate lets only some threads do it. */
static void guarded_statement(struct generator *g)
{
    char a[16], b[16];

    say(g, "@%s%%p%u %s %%r%u, %s, %s;", below(g, 2) ? "!" : "",
        below(g, PREDS),
        PICK(g, "add.s32", "xor.b32", "min.s32", "mul.lo.s32", "shr.u32"),
        below(g, INTS), int_source(g, a), int_source(g, b));
}

static void half_word_statement(struct generator *g)
{
    unsigned d = below(g, INTS), a = below(g, INTS), b = below(g, INTS);

    say(g, "cvt.u16.u32 %%h0, %%r%u;", a);
    say(g, "cvt.u16.u32 %%h1, %%r%u;", b);
    say(g, "%s %%h0, %%h0, %%h1;",
        PICK(g, "add.u16", "sub.s16", "mul.lo.u16", "mul.hi.s16", "min.s16",
             "max.u16", "and.b16"));
    say(g, "cvt.%s %%r%u, %%h0;", PICK(g, "u32.u16", "s32.s16"), d);
}

static void double_statement(struct generator *g)
{
    say(g, "cvt.rn.f64.%s %%e0, %%r%u;", PICK(g, "s32", "u32"), below(g, INTS));
    say(g, "cvt.f64.f32 %%e1, %%f%u;", below(g, FLOATS));
    say(g, "%s;",
        PICK(g, "fma.rn.f64 %e0, %e0, %e1, %e0", "add.rn.f64 %e0, %e0, %e1",
             "mul.rz.f64 %e0, %e0, %e1", "max.f64 %e0, %e0, %e1",
             "div.rn.f64 %e0, %e1, %e0"));
    say(g, "cvt.rzi.s32.f64 %%r%u, %%e0;", below(g, INTS));
}

static void wide_statement(struct generator *g)
{
    char a[16], b[16];
    unsigned d = below(g, WIDES);

    switch (below(g, 6)) {
    case 0:
        say(g, "%s %%d%u, %s;", PICK(g, "cvt.u64.u32", "cvt.s64.s32"), d,
            (sprintf(a, "%%r%u", below(g, INTS)), a));
        break;
    case 1:
        say(g, "%s %%d%u, %s, %s;", PICK(g, "mul.wide.s32", "mul.wide.u32"), d,
            int_source(g, a), int_source(g, b));
        break;
    case 2:
        say(g, "cvt.u32.u64 %%r%u, %%d%u;", below(g, INTS), d);
        break;
    case 3:
        say(g, "%s %%d%u, %%d%u, %u;", PICK(g, "shl.b64", "shr.u64", "shr.s64"),
            d, below(g, WIDES), below(g, 70));
        break;
    default:
        say(g, "%s %%d%u, %%d%u, %%d%u;",
            PICK(g, "add.s64", "sub.s64", "mul.lo.s64", "xor.b64", "and.b64",
                 "min.s64", "max.u64"),
            d, below(g, WIDES), below(g, WIDES));
        break;
    }
}

static void float_statement(struct generator *g)
{
    unsigned d = below(g, FLOATS), a = below(g, FLOATS), b = below(g, FLOATS);

    switch (below(g, 7)) {
    case 0:
        say(g, "fma.rn.f32 %%f%u, %%f%u, %%f%u, %%f%u;", d, a, b,
            below(g, FLOATS));
        break;
    case 1:
        say(g, "%s %%f%u, %%r%u;",
            PICK(g, "cvt.rn.f32.s32", "cvt.rn.f32.u32", "cvt.rz.f32.s32"), d,
            below(g, INTS));
        break;
    case 2:
        say(g, "%s %%r%u, %%f%u;",
            PICK(g, "cvt.rzi.s32.f32", "cvt.rni.s32.f32", "cvt.rmi.u32.f32"),
            below(g, INTS), a);
        break;
    case 3:
        say(g, "%s %%f%u, %%f%u;",
            PICK(g, "abs.f32", "neg.f32", "sqrt.rn.f32", "rcp.rn.f32",
                 "abs.ftz.f32"),
            d, a);
        break;
    default:
        say(g, "%s %%f%u, %%f%u, %%f%u;",
            PICK(g, "add.rn.f32", "sub.rn.f32", "mul.rn.f32", "min.f32",
                 "max.f32", "div.rn.f32", "mul.rn.ftz.f32", "add.rn.sat.f32"),
            d, a, b);
        break;
    }
}

static void compare_statement(struct generator *g)
{
    char a[16], b[16];
    unsigned p = below(g, PREDS);

    switch (below(g, 4)) {
    case 0:
        say(g, "setp.%s.f32 %%p%u, %%f%u, %%f%u;",
            PICK(g, "lt", "ge", "eq", "neu", "ltu"), p, below(g, FLOATS),
            below(g, FLOATS));
        break;
    case 1:
        say(g, "%s %%p%u, %%p%u, %%p%u;",
            PICK(g, "and.pred", "or.pred", "xor.pred"), p, below(g, PREDS),
            below(g, PREDS));
        break;
    default:
        say(g, "setp.%s %%p%u, %s, %s;",
            PICK(g, "lt.s32", "lt.u32", "eq.s32", "ne.s32", "ge.s32", "gt.u32",
                 "le.s32"),
            p, int_source(g, a), int_source(g, b));
        break;
    }
}

static void memory_statement(struct generator *g)
{
    unsigned r = below(g, INTS);

    switch (g->is_function ? 2 : below(g, 7)) {
    case 0: /* a slot of its own in shared memory */
        say(g, "st.shared.b32 [%%rs], %%r%u;", below(g, INTS));
        break;
    case 1:
        say(g, "ld.shared.b32 %%r%u, [%%rs];", below(g, INTS));
        break;
    case 2: /* an array of its own, indexed */
        say(g, "and.b32 %%r8, %%r%u, 60;", r);
        say(g, "mov.u32 %%r9, array;");
        say(g, "add.u32 %%r8, %%r8, %%r9;");
        if (below(g, 2))
            say(g, "st.local.b32 [%%r8], %%r%u;", below(g, INTS));
        else
            say(g, "ld.local.b32 %%r%u, [%%r8];", below(g, INTS));
        break;
    case 3:
        say(g, "and.b32 %%r8, %%r%u, %d;", r, FUZZ_INPUTS - 4);
        say(g, "mul.wide.u32 %%dm, %%r8, 4;");
        say(g, "add.s64 %%dm, %%din, %%dm;");
        say(g, "ld.global.v2.u32 {%%r%u, %%r9}, [%%dm];", r);
        say(g, "xor.b32 %%r%u, %%r%u, %%r9;", r, r);
        break;
    default:
        say(g, "and.b32 %%r8, %%r%u, %d;", r, FUZZ_INPUTS - 1);
        say(g, "mul.wide.u32 %%dm, %%r8, 4;");
        say(g, "add.s64 %%dm, %%din, %%dm;");
        say(g, "ld.global.%s %%r%u, [%%dm];", PICK(g, "b32", "u8", "s16"),
            below(g, INTS));
        break;
    }
}

/* Each word of memory knows one operation, so that order does not matter. */
static void atomic_statement(struct generator *g)
{
    static const char *const ops[] = {"add.u32", "xor.b32", "max.u32",
                                      "or.b32"};
    unsigned op = below(g, 4);

    if (below(g, 3) == 0) {
        say(g, "and.b32 %%r8, %%r%u, 48;", below(g, INTS));
        say(g, "mov.u32 %%r9, tallies;");
        say(g, "add.u32 %%r8, %%r8, %%r9;");
        say(g, "red.shared.%s [%%r8+%u], %%r%u;", ops[op], op * 4,
            below(g, INTS));
        return;
    }
    say(g, "and.b32 %%r8, %%r%u, %d;", below(g, INTS), FUZZ_SUMS / 4 - 1);
    say(g, "mul.wide.u32 %%dm, %%r8, 16;");
    say(g, "add.s64 %%dm, %%dacc, %%dm;");
    say(g, "red.global.%s [%%dm+%u], %%r%u;", ops[op], op * 4, below(g, INTS));
}

/* Among the lanes that are known to be here. */
static void masked_warp_statement(struct generator *g)
{
    unsigned d = below(g, INTS), a = below(g, INTS);

    switch (below(g, 5)) {
    case 0: /* from the highest of them */
        say(g, "bfind.u32 %%r8, %%m%d;", g->mask);
        say(g, "shfl.sync.idx.b32 %%r%u, %%r%u, %%r8, 31, %%m%d;", d, a,
            g->mask);
        break;
    case 1:
        say(g, "vote.sync.ballot.b32 %%r%u, %%p%u, %%m%d;", d, below(g, PREDS),
            g->mask);
        break;
    case 2:
        say(g, "match.any.sync.b32 %%r%u, %%r%u, %%m%d;", d, a, g->mask);
        break;
    case 3:
        say(g, "vote.sync.%s.pred %%p%u, %%p%u, %%m%d;",
            PICK(g, "all", "any", "uni"), below(g, PREDS), below(g, PREDS),
            g->mask);
        break;
    default:
        say(g, "redux.sync.%s %%r%u, %%r%u, %%m%d;",
            PICK(g, "add.s32", "min.u32", "max.s32", "xor.b32"), d, a, g->mask);
        break;
    }
}

/* Needs every lane: only where all threads are. */
static void warp_statement(struct generator *g)
{
    unsigned d = below(g, INTS), a = below(g, INTS);

    switch (below(g, 8)) {
    case 5: /* segments, a lane that differs, and whether it was there */
        say(g, "and.b32 %%r9, %%r%u, 31;", below(g, INTS));
        say(g, "shfl.sync.%s.b32 %%r8|%%pl, %%r%u, %%r9, %s, -1;",
            PICK(g, "bfly", "idx", "down", "up"), a,
            PICK(g, "31", "0", "7199", "6175", "4127", "7943"));
        say(g, "selp.b32 %%r8, %%r8, 77, %%pl;");
        say(g, "@%%pfull mov.b32 %%r%u, %%r8;", d);
        break;
    case 6:
        say(g, "bar.red.popc.u32 %%r%u, 0, %%p%u;", d, below(g, PREDS));
        break;
    case 7:
        say(g, "bar.red.%s.pred %%p%u, 0, %s%%p%u;", PICK(g, "and", "or"),
            below(g, PREDS), below(g, 2) ? "!" : "", below(g, PREDS));
        break;
    case 0:
        say(g, "shfl.sync.%s.b32 %%r8, %%r%u, %u, %s, -1;",
            PICK(g, "bfly", "idx", "down"), a, below(g, 32), "31");
        /* lanes that do not exist have no value to give */
        say(g, "@%%pfull mov.b32 %%r%u, %%r8;", d);
        break;
    case 1:
        say(g, "vote.sync.ballot.b32 %%r%u, %%p%u, -1;", d, below(g, PREDS));
        break;
    case 2:
        say(g, "vote.sync.%s.pred %%p%u, %%p%u, -1;", PICK(g, "all", "any"),
            below(g, PREDS), below(g, PREDS));
        break;
    case 3:
        say(g, "redux.sync.%s %%r%u, %%r%u, -1;",
            PICK(g, "add.s32", "min.u32", "max.s32", "xor.b32"), d, a);
        break;
    default: /* everybody's slot, between two barriers */
        say(g, "st.shared.b32 [%%rs], %%r%u;", a);
        say(g, "bar.sync 0;");
        say(g, "add.u32 %%r8, %%rt, %u;", below(g, 64));
        say(g, "rem.u32 %%r8, %%r8, %u;", g->threads);
        say(g, "shl.b32 %%r8, %%r8, 2;");
        say(g, "mov.u32 %%r9, slots;");
        say(g, "add.u32 %%r8, %%r8, %%r9;");
        say(g, "ld.shared.b32 %%r%u, [%%r8];", d);
        say(g, "bar.sync 0;");
        break;
    }
}

static void if_statement(struct generator *g)
{
    unsigned other = g->labels++, end = g->labels++, p = below(g, PREDS);
    int was_convergent = g->is_convergent, mask = g->mask, taken = -1,
        left = -1;
    const char *sign = below(g, 2) ? "!" : "", *not = *sign ? "" : "!";

    if ((was_convergent || mask >= 0) && !g->has_exits &&
        g->masks + 2 <= MASKS) {
        char all[16] = "-1";
        if (mask >= 0)
            sprintf(all, "%%m%d", mask);
        taken = (int)g->masks++;
        left = (int)g->masks++;
        say(g, "vote.sync.ballot.b32 %%m%d, %s%%p%u, %s;", taken, sign, p, all);
        say(g, "vote.sync.ballot.b32 %%m%d, %s%%p%u, %s;", left, not, p, all);
    }
    g->is_convergent = 0;
    g->mask = left;
    say(g, "@%s%%p%u bra L%u;", sign, p, other);
    fuzz_statements(g, 1 + below(g, 4));
    if (below(g, 2)) {
        say(g, "bra%s L%u;", below(g, 2) ? ".uni" : "", end);
        fuzz_label(g, other);
        g->mask = taken;
        fuzz_statements(g, 1 + below(g, 4));
    } else {
        fuzz_label(g, other);
    }
    fuzz_label(g, end);
    g->is_convergent = was_convergent;
    g->mask = mask;
}

/* A branch that a whole block takes, or none of it: barriers may be inside. */
static void uniform_if_statement(struct generator *g)
{
    unsigned end = g->labels++;

    say(g, "mov.u32 %%r8, %%ctaid.x;");
    say(g, "and.b32 %%r8, %%r8, %u;", 1 + below(g, 2));
    say(g, "setp.%s.u32 %%pl, %%r8, 0;", PICK(g, "eq", "ne"));
    say(g, "@%%pl bra L%u;", end);
    g->mask = -1;
    fuzz_statements(g, 1 + below(g, 4));
    fuzz_label(g, end);
}

/* Four ways that meet again. */
static void switch_statement(struct generator *g)
{
    unsigned first = g->labels, end = first + 4;
    int was_convergent = g->is_convergent, mask = g->mask;

    g->labels += 5;
    say(g, "and.b32 %%r8, %%r%u, 3;", below(g, INTS));
    fprintf(g->out, "T%u: .branchtargets L%u, L%u, L%u, L%u;\n", first, first,
            first + 1, first + 2, first + 3);
    if (below(g, 3))
        say(g, "brx.idx %%r8, T%u;", first);
    else
        say(g, "@%s%%p%u brx.idx %%r8, T%u;", below(g, 2) ? "!" : "",
            below(g, PREDS), first);
    g->is_convergent = 0;
    g->mask = -1;
    for (unsigned i = 0; i < 4; i++) {
        fuzz_label(g, first + i);
        fuzz_statements(g, 1 + below(g, 3));
        if (below(g, 4)) /* or fall through */
            say(g, "bra L%u;", end);
    }
    fuzz_label(g, end);
    g->is_convergent = was_convergent;
    g->mask = mask;
}

/* Counts %c<n> down from a small number that may differ between lanes. */
static void loop_statement(struct generator *g)
{
    unsigned n = g->loops++, head = g->labels++, next = g->labels++,
             end = g->labels++;
    int was_convergent = g->is_convergent, is_uniform = below(g, 2) == 0;
    int mask = g->mask;

    if (is_uniform)
        say(g, "mov.u32 %%c%u, %u;", n, 1 + below(g, 4));
    else
        say(g, "and.b32 %%c%u, %%r%u, 3;", n, below(g, INTS));
    if (!is_uniform)
        g->is_convergent = 0;
    g->mask = -1; /* lanes may leave it */
    g->break_label[g->loop_depth] = end;
    g->continue_label[g->loop_depth] = next;
    g->loop_is_convergent[g->loop_depth++] = g->is_convergent;
    fuzz_label(g, head);
    fuzz_statements(g, 1 + below(g, 5));
    fuzz_label(g, next);
    say(g, "sub.u32 %%c%u, %%c%u, 1;", n, n);
    say(g, "setp.gt.s32 %%pl, %%c%u, 0;", n);
    say(g, "@%%pl bra L%u;", head);
    fuzz_label(g, end);
    g->loop_depth--;
    g->is_convergent = was_convergent;
    g->mask = mask;
}

/* Leaves the innermost loop, or this round of it, for some lanes. Only from
 * loops without barriers, so that nobody misses one. */
static void jump_statement(struct generator *g)
{
    if (g->loop_depth == 0 || g->loop_is_convergent[g->loop_depth - 1])
        return;
    unsigned loop = g->loop_depth - 1; /* or one around it */
    while (loop > 0 && !g->loop_is_convergent[loop - 1] && below(g, 3) == 0)
        loop--;
    unsigned to = below(g, 2) ? g->break_label[loop] : g->continue_label[loop];
    say(g, "@%%p%u bra L%u;", below(g, PREDS), to);
}

static void call_statement(struct generator *g)
{
    say(g, "{");
    say(g, ".param .b32 a0; .param .b32 a1; .param .b32 ret;");
    say(g, "st.param.b32 [a0], %%r%u;", below(g, INTS));
    say(g, "st.param.b32 [a1], %%r%u;", below(g, INTS));
    if (below(g, 3)) {
        say(g, "call (ret), %s, (a0, a1);",
            PICK(g, "helper", "random", "descend"));
    } else {
        say(g, "mov.u64 %%dm, %s;", PICK(g, "helper", "random"));
        say(g, "mov.u64 %%dn, %s;", PICK(g, "other", "descend"));
        say(g, "selp.b64 %%dm, %%dm, %%dn, %%p%u;", below(g, PREDS));
        say(g, "proto: .callprototype (.param .b32 _) _ "
               "(.param .b32 _, .param .b32 _);");
        say(g, "call (ret), %%dm, (a0, a1), proto;");
    }
    say(g, "ld.param.b32 %%r%u, [ret];", below(g, INTS));
    say(g, "}");
}

static void newer_statement(struct generator *g, unsigned kind)
{
    if (kind < 6)
        fuzz_scratch(g);
    else if (kind < (g->has_apart ? 11 : 9) && g->is_convergent)
        fuzz_together(g);
    else if (kind < 11 && !g->is_function)
        fuzz_beside(g);
    else if (kind < 12 && g->depth < 4 && !g->in_graph)
        fuzz_graph(g);
    else if (kind < 13 && g->has_exits)
        fuzz_exit(g);
    else
        memory_statement(g);
}

static void statement(struct generator *g)
{
    unsigned kind = below(g, 72);

    if (g->budget == 0)
        return;
    g->budget--;
    if (g->likes_alike && kind < 36)
        fuzz_alike(g);
    else if (kind >= 58)
        newer_statement(g, kind - 58);
    else if (kind >= 55)
        fuzz_sequence(g);
    else if (kind >= 53)
        fuzz_own_memory(g);
    else if (kind == 52 && g->is_convergent && g->depth < 5)
        uniform_if_statement(g);
    else if (kind >= 48)
        fuzz_alike(g);
    else if (kind >= 44)
        fuzz_row(g->out, draw(g));
    else if (kind < 14)
        int_statement(g);
    else if (kind < 17)
        wide_statement(g);
    else if (kind < 21)
        float_statement(g);
    else if (kind < 25)
        compare_statement(g);
    else if (kind < 28)
        memory_statement(g);
    else if (kind < 29 && !g->is_function)
        atomic_statement(g);
    else if (kind < 30 && !g->is_function)
        call_statement(g);
    else if (kind < 32)
        jump_statement(g);
    else if (kind < 34 && g->is_convergent && !g->has_exits)
        warp_statement(g);
    else if (kind < 34 && g->mask >= 0)
        masked_warp_statement(g);
    else if (kind < 35)
        guarded_statement(g);
    else if (kind < 36)
        half_word_statement(g);
    else if (kind < 37)
        double_statement(g);
    else if (kind < 38 && g->depth < 4)
        switch_statement(g);
    else if (kind < 41 && g->depth < 5)
        if_statement(g);
    else if (g->depth < 4 && g->loop_depth < 3)
        loop_statement(g);
    else
        guarded_statement(g);
}

void fuzz_statements(struct generator *g, unsigned count)
{
    g->depth++;
    for (unsigned i = 0; i < count; i++)
        statement(g);
    g->depth--;
}

static const char registers[] = "\t.reg .b32 %r<10>;\n\t.reg .f32 %f<4>;\n"
                                "\t.reg .b64 %d<4>;\n\t.reg .pred %p<4>;\n"
                                "\t.reg .b64 %din, %dout, %dacc, %dm, %dn;\n"
                                "\t.reg .b16 %h<2>;\n\t.reg .f64 %e<2>;\n"
                                "\t.reg .b32 %m<64>;\n"
                                "\t.reg .b32 %rs, %rt, %rg, %ri, %c<999>;\n"
                                "\t.reg .pred %pl, %pfull;\n"
                                "\t.reg .b32 %ra, %rb, %rc;\n"
                                "\t.reg .b64 %qa, %qb, %qs, %qj, %qp;\n"
                                "\t.local .align 16 .b8 array[64];\n"
                                "\t.local .align 16 .b8 own[64];\n"
                                "\t.local .align 8 .b8 alike[64];\n";

/* A function of random statements, each thread by itself. */
static void random_function(struct generator *g)
{
    struct generator f = {.state = draw(g),
                          .out = g->out,
                          .labels = g->labels,
                          .loops = g->loops,
                          .budget = 3 + below(g, 12),
                          .is_function = 1,
                          .mask = -1,
                          .threads = g->threads};

    fprintf(g->out,
            ".func (.param .b32 r) random(.param .b32 x, .param .b32 y)\n{\n"
            "%s",
            registers);
    say(&f, "ld.param.b32 %%r0, [x];");
    say(&f, "ld.param.b32 %%r1, [y];");
    for (unsigned i = 2; i < INTS; i++)
        say(&f, "add.u32 %%r%u, %%r%u, %%r%u;", i, i - 2, i - 1);
    for (unsigned i = 0; i < 64; i += 8)
        say(&f, "st.local.v2.b32 [array+%u], {%%r%u, %%r%u};", i, i / 8,
            below(&f, INTS));
    fuzz_begin_own(&f);
    fuzz_begin_alike(&f);
    for (unsigned i = 0; i < FLOATS; i++)
        say(&f, "cvt.rn.f32.s32 %%f%u, %%r%u;", i, i * 2);
    for (unsigned i = 0; i < WIDES; i++) {
        say(&f, "cvt.s64.s32 %%d%u, %%r%u;", i, i + 3);
        say(&f, "setp.lt.s32 %%p%u, %%r%u, %%r%u;", i, i, i + 1);
    }
    while (f.budget > 0)
        statement(&f);
    say(&f, "st.param.b32 [r], %%r%u;", below(&f, INTS));
    say(&f, "ret;");
    fprintf(g->out, "}\n");
    g->labels = f.labels;
    g->loops = f.loops;
}

/* Calls itself up to seven times, as deep as each thread likes. */
static const char descend[] =
    ".func (.param .b32 r) descend(.param .b32 x, .param .b32 y)\n{\n"
    "\t.reg .b32 %r<8>;\n\t.reg .pred %p<2>;\n"
    "\t.local .align 4 .b32 kept[2];\n"
    "\tld.param.b32 %r1, [x];\n\tld.param.b32 %r2, [y];\n"
    "\tand.b32 %r3, %r1, 7;\n\tsetp.eq.u32 %p1, %r3, 0;\n"
    "\tst.local.b32 [kept+4], %r2;\n"
    "\t@%p1 bra LAST;\n\tsub.u32 %r3, %r3, 1;\n"
    "\txor.b32 %r4, %r1, %r2;\n"
    "\t{\n\t.param .b32 a0; .param .b32 a1; .param .b32 ret;\n"
    "\tst.param.b32 [a0], %r3;\n\tst.param.b32 [a1], %r4;\n"
    "\tcall (ret), descend, (a0, a1);\n"
    "\tld.param.b32 %r5, [ret];\n\t}\n"
    "\tld.local.b32 %r6, [kept+4];\n"
    "\tmad.lo.u32 %r2, %r5, 3, %r6;\n"
    "LAST:\n\tst.param.b32 [r], %r2;\n\tret;\n}\n";

static void prologue(struct generator *g, const struct fuzz_case *c)
{
    fprintf(g->out,
            ".version 8.7\n.target sm_90a\n.address_size 64\n"
            ".func (.param .b32 r) descend(.param .b32 x, .param .b32 y);\n"
            ".func (.param .b32 r) helper(.param .b32 x, .param .b32 y)\n{\n"
            "\t.reg .b32 %%r<8>;\n\t.reg .pred %%p<2>;\n"
            "\tld.param.b32 %%r1, [x];\n\tld.param.b32 %%r2, [y];\n"
            "\tsetp.lt.s32 %%p1, %%r1, %%r2;\n\t@%%p1 bra SMALL;\n"
            "\tsub.s32 %%r3, %%r1, %%r2;\n\tst.param.b32 [r], %%r3;\n\tret;\n"
            "SMALL:\n\tmul.lo.s32 %%r3, %%r1, 3;\n"
            "\txor.b32 %%r3, %%r3, %%r2;\n\tst.param.b32 [r], %%r3;\n"
            "\tret;\n}\n"
            ".func (.param .b32 r) other(.param .b32 x, .param .b32 y)\n{\n"
            "\t.reg .b32 %%r<4>;\n"
            "\tld.param.b32 %%r1, [x];\n\tld.param.b32 %%r2, [y];\n"
            "\tmad.lo.s32 %%r3, %%r1, %%r2, 5;\n\tst.param.b32 [r], %%r3;\n"
            "\tret;\n}\n"
            "%s%s",
            descend, fuzz_own_functions);
    fuzz_begin_apart(g);
    random_function(g);
    fprintf(g->out,
            ".visible .entry k(.param .u64 in, .param .u64 out, "
            ".param .u64 acc, .param .u64 scratch)\n{\n%s"
            "\t.shared .align 16 .b8 slots[4096];\n"
            "\t.shared .align 4 .b8 tallies[64];\n",
            registers);
    say(g, "ld.param.u64 %%din, [in];");
    say(g, "ld.param.u64 %%dout, [out];");
    say(g, "ld.param.u64 %%dacc, [acc];");
    say(g, "mov.u32 %%r0, %%tid.x;");
    say(g, "mov.u32 %%r1, %%tid.y;");
    say(g, "mov.u32 %%r2, %%tid.z;");
    say(g, "mad.lo.u32 %%r3, %%r2, %u, %%r1;", c->block[1]);
    say(g, "mad.lo.u32 %%rt, %%r3, %u, %%r0;", c->block[0]);
    say(g, "mov.u32 %%r4, %%ctaid.x;");
    say(g, "mad.lo.u32 %%rg, %%r4, %u, %%rt;", g->threads);
    say(g, "shl.b32 %%rs, %%rt, 2;");
    say(g, "mov.u32 %%r5, slots;");
    say(g, "add.u32 %%rs, %%rs, %%r5;");
    say(g, "st.shared.b32 [%%rs], %%rt;");
    for (unsigned i = 0; i < 64; i += 4)
        say(g, "st.local.b32 [array+%u], %%rt;", i);
    fuzz_begin_own(g);
    fuzz_begin_alike(g);
    for (unsigned i = 0; i < 64; i += 4) /* by everybody: the same value */
        say(g, "st.shared.b32 [tallies+%u], 0;", i);
    say(g, "bar.sync 0;");
    say(g, "or.b32 %%r6, %%rt, 31;");
    say(g, "setp.lt.u32 %%pfull, %%r6, %u;", g->threads);
    say(g, "mul.wide.u32 %%dm, %%rg, 4;");
    say(g, "add.s64 %%dm, %%din, %%dm;");
    say(g, "ld.global.b32 %%r5, [%%dm];");
    say(g, "ld.global.b32 %%r6, [%%dm+1024];");
    say(g, "mov.u32 %%r7, %%laneid;");
    fuzz_begin_scratch(g);
    for (unsigned i = 0; i < FLOATS; i++)
        say(g, "cvt.rn.f32.s32 %%f%u, %%r%u;", i, i * 2);
    for (unsigned i = 0; i < WIDES; i++)
        say(g, "cvt.s64.s32 %%d%u, %%r%u;", i, i + 3);
    say(g, "setp.lt.s32 %%p0, %%r5, %%r6;");
    say(g, "setp.eq.u32 %%p1, %%r4, 0;");
    say(g, "setp.lt.u32 %%p2, %%r7, 13;");
    say(g, "setp.gt.s32 %%p3, %%r0, 5;");
}

static void epilogue(struct generator *g)
{
    fuzz_end_own(g);
    say(g, "bar.sync 0;");
    say(g, "and.b32 %%r8, %%rt, 15;");
    say(g, "shl.b32 %%r8, %%r8, 2;");
    say(g, "mov.u32 %%r9, tallies;");
    say(g, "add.u32 %%r8, %%r8, %%r9;");
    say(g, "ld.shared.b32 %%r9, [%%r8];");
    say(g, "xor.b32 %%r7, %%r7, %%r9;");
    say(g, "mul.wide.u32 %%dm, %%rg, %u;", FUZZ_RESULTS * 4);
    say(g, "add.s64 %%dm, %%dout, %%dm;");
    for (unsigned i = 0; i < INTS; i++)
        say(g, "st.global.b32 [%%dm+%u], %%r%u;", i * 4, i);
    for (unsigned i = 0; i < 2; i++) { /* one NaN is as good as another */
        say(g, "setp.nan.f32 %%p0, %%f%u, %%f%u;", i, i);
        say(g, "mov.b32 %%r8, %%f%u;", i);
        say(g, "selp.b32 %%r8, 2147483647, %%r8, %%p0;");
        say(g, "st.global.b32 [%%dm+%u], %%r8;", (INTS + i) * 4);
    }
    for (unsigned i = 0; i < 2; i++) {
        say(g, "cvt.u32.u64 %%r8, %%d%u;", i);
        say(g, "shr.u64 %%d%u, %%d%u, 32;", i, i);
        say(g, "cvt.u32.u64 %%r9, %%d%u;", i);
        say(g, "xor.b32 %%r8, %%r8, %%r9;");
        say(g, "st.global.b32 [%%dm+%u], %%r8;", (INTS + 2 + i) * 4);
    }
    say(g, "ret;");
    fprintf(g->out, "}\n");
}

void fuzz_generate(uint64_t seed, unsigned size, struct fuzz_case *out)
{
    static const uint32_t shapes[][3] = {
        {32, 1, 1}, {64, 1, 1},  {65, 1, 1}, {16, 16, 1}, {8, 8, 2},
        {7, 3, 2},  {128, 1, 1}, {1, 1, 1},  {33, 1, 1},  {4, 16, 1},
        {48, 2, 1}, {96, 1, 1},  {32, 4, 1}, {16, 3, 1},  {1, 40, 1}};
    struct generator g = {.state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1,
                          .budget = size,
                          .is_convergent = 1,
                          .mask = -1};
    size_t length;

    for (int i = 0; i < 8; i++)
        draw(&g);
    const uint32_t *shape = shapes[below(&g, sizeof shapes / sizeof *shapes)];
    for (int i = 0; i < 3; i++) {
        out->block[i] = shape[i];
        out->grid[i] = 1;
    }
    out->seed = seed;
    out->warp_count = 0;
    out->grid[0] = 1 + below(&g, 3);
    g.grid = out->grid[0];
    g.block = out->block;
    g.threads = shape[0] * shape[1] * shape[2];
    g.has_exits = below(&g, 8) == 0;
    /* Each waits for all others: many would take long to interpret. */
    g.has_locks = g.threads * g.grid < 200 && below(&g, 8) == 0;
    g.has_apart = g.threads * g.grid < 400 && !g.has_exits && below(&g, 4) == 0;
    out->lane_count = g.has_locks || g.has_apart ? 0 : 32;
    out->text = NULL;
    g.out = open_memstream(&out->text, &length);
    if (!g.out)
        abort();
    prologue(&g, out);
    while (g.budget > 0)
        statement(&g);
    epilogue(&g);
    fclose(g.out);
}
