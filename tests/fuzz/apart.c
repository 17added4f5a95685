/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives of all lanes that they execute at different places: in branches,
 * in loops of different length, in a function. Each lane executes as many of
 * them as all others, so who meets whom is known.
 */
#include "generator.h"

enum { KINDS = 5 };

/* The same kind at each place; what the lanes give may differ. */
static void collective(struct generator *g, unsigned kind)
{
    unsigned d = fuzz_below(g, INTS), a = fuzz_below(g, INTS);

    switch (kind) {
    case 0:
        fuzz_say(g, "vote.sync.ballot.b32 %%r%u, %%p%u, -1;", d,
                 fuzz_below(g, PREDS));
        break;
    case 1:
        fuzz_say(g, "redux.sync.add.s32 %%r%u, %%r%u, -1;", d, a);
        break;
    case 2:
        fuzz_say(g, "match.any.sync.b32 %%r%u, %%r%u, -1;", d, a);
        break;
    case 3: /* lane 0 is always there */
        fuzz_say(g, "shfl.sync.idx.b32 %%r%u, %%r%u, 0, 31, -1;", d, a);
        break;
    default:
        fuzz_say(g, "bar.warp.sync -1;");
        break;
    }
}

static void call(struct generator *g)
{
    fuzz_say(g, "{ .param .b32 a; .param .b32 ret;");
    fuzz_say(g, "st.param.b32 [a], %%r%u;", fuzz_below(g, INTS));
    fuzz_say(g, "call (ret), ask, (a);");
    fuzz_say(g, "ld.param.b32 %%r%u, [ret]; }", fuzz_below(g, INTS));
}

/* Two branches, at times of two kinds in turn. */
static void branches(struct generator *g)
{
    unsigned other = g->labels++, end = g->labels++, p = fuzz_below(g, PREDS);
    unsigned kind = fuzz_below(g, KINDS), next = fuzz_below(g, KINDS + 3);
    int is_call = fuzz_below(g, 3) == 0; /* `ask` votes */

    fuzz_say(g, "@%%p%u bra L%u;", p, other);
    fuzz_statements(g, fuzz_below(g, 2));
    collective(g, is_call ? 0 : kind);
    if (next < KINDS)
        collective(g, next);
    fuzz_say(g, "bra L%u;", end);
    fuzz_label(g, other);
    if (is_call)
        call(g);
    else
        collective(g, kind);
    fuzz_statements(g, fuzz_below(g, 2));
    if (next < KINDS)
        collective(g, next);
    fuzz_label(g, end);
}

/* `count` times, or not at all. */
static void loop(struct generator *g, const char *count, unsigned kind)
{
    unsigned head = g->labels++, end = g->labels++, n = g->loops++;

    fuzz_say(g, "mov.u32 %%c%u, %s;", n, count);
    fuzz_say(g, "setp.eq.u32 %%pl, %%c%u, 0;", n);
    fuzz_say(g, "@%%pl bra L%u;", end);
    fuzz_label(g, head);
    collective(g, kind);
    fuzz_say(g, "sub.u32 %%c%u, %%c%u, 1;", n, n);
    fuzz_say(g, "setp.ne.u32 %%pl, %%c%u, 0;", n);
    fuzz_say(g, "@%%pl bra L%u;", head);
    fuzz_label(g, end);
}

/* What a lane leaves out in the first, it does in the second. */
static void two_loops(struct generator *g)
{
    unsigned kind = fuzz_below(g, KINDS), n = g->loops++, m = g->loops++;
    char first[16], second[16];

    sprintf(first, "%%c%u", n);
    sprintf(second, "%%c%u", m);
    fuzz_say(g, "and.b32 %s, %%r%u, 3;", first, fuzz_below(g, INTS));
    fuzz_say(g, "sub.u32 %s, %u, %s;", second, 3 + fuzz_below(g, 2), first);
    loop(g, first, kind);
    loop(g, second, kind);
}

/* In every other iteration, which are not the same ones for all. */
static void iterations(struct generator *g)
{
    unsigned head = g->labels++, next = g->labels++, n = g->loops++;
    unsigned kind = fuzz_below(g, KINDS), bit = g->loops++;

    fuzz_say(g, "and.b32 %%c%u, %%r%u, 1;", bit, fuzz_below(g, INTS));
    fuzz_say(g, "mov.u32 %%c%u, %u;", n, 2 * (1 + fuzz_below(g, 3)));
    fuzz_label(g, head);
    fuzz_say(g, "xor.b32 %%c%u, %%c%u, 1;", bit, bit);
    fuzz_say(g, "setp.eq.u32 %%pl, %%c%u, 0;", bit);
    fuzz_say(g, "@%%pl bra L%u;", next);
    collective(g, kind);
    fuzz_label(g, next);
    fuzz_say(g, "sub.u32 %%c%u, %%c%u, 1;", n, n);
    fuzz_say(g, "setp.ne.u32 %%pl, %%c%u, 0;", n);
    fuzz_say(g, "@%%pl bra L%u;", head);
}

void fuzz_apart(struct generator *g)
{
    int was_convergent = g->is_convergent, mask = g->mask;

    g->is_convergent = 0;
    g->mask = -1;
    switch (fuzz_below(g, 4)) {
    case 0:
        two_loops(g);
        break;
    case 1:
        iterations(g);
        break;
    default:
        branches(g);
        break;
    }
    g->is_convergent = was_convergent;
    g->mask = mask;
}

void fuzz_begin_apart(struct generator *g)
{
    if (g->has_apart)
        fputs(".func (.param .b32 r) ask(.param .b32 x)\n{\n"
              "\t.reg .b32 %r<3>;\n\t.reg .pred %p<2>;\n"
              "\tld.param.b32 %r1, [x];\n\tsetp.lt.s32 %p1, %r1, 0;\n"
              "\tvote.sync.ballot.b32 %r2, %p1, -1;\n"
              "\tst.param.b32 [r], %r2;\n\tret;\n}\n",
              g->out);
}
