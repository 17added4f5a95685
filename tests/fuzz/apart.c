/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives that lanes execute together at different places: in branches, in
 * loops of different length, in a function; all lanes, or the two halves of the
 * warp each by itself, or even and odd ones. Each lane executes as many of them
 * as the others of its group, so who executes one together is known.
 */
#include "generator.h"

enum { VOTE = 11, KINDS = 15 };

/* Who executes them together: all lanes, or each group by itself. %am is the
 * lane's own mask. */
enum group { ALL, HALVES, EVEN_AND_ODD, GROUPS };

static const char *const own_mask[GROUPS] = {
    [ALL] = "mov.u32 %am, -1;",
    [HALVES] = "and.b32 %am, %am, 16; shl.b32 %am, 0xffff, %am;",
    [EVEN_AND_ODD] = "and.b32 %am, %am, 1; shl.b32 %am, 0x55555555, %am;",
};

static void begin_group(struct generator *g, enum group group)
{
    fuzz_say(g, "{");
    fuzz_say(g, ".reg .b32 %%am;");
    fuzz_say(g, "mov.u32 %%am, %%laneid;");
    fuzz_say(g, "%s", own_mask[group]);
}

static const char *mask_of(enum group group)
{
    return group == ALL ? "-1" : "%am";
}

/* From a lane that is in the group. */
static void shuffle(struct generator *g, enum group group, unsigned kind)
{
    static const char *const modes[] = {"idx", "up", "down", "bfly"};
    unsigned distance = group == EVEN_AND_ODD ? 2u << fuzz_below(g, 4)
                        : group == HALVES     ? 1u << fuzz_below(g, 4)
                                              : 1u << fuzz_below(g, 5);
    unsigned segments = group == HALVES ? 0x1000 : 0, d = fuzz_below(g, INTS);

    if (kind == 0 && group == EVEN_AND_ODD)
        kind = 3; /* lane 0 is not in both */
    fuzz_say(g, "shfl.sync.%s.b32 %%r%u, %%r%u, %u, %u, %s;", modes[kind], d,
             fuzz_below(g, INTS), kind == 0 ? 0 : distance,
             segments | (kind == 1 ? 0 : 31), mask_of(group));
}

/* The same kind at each place; what the lanes give may differ. */
static void collective(struct generator *g, enum group group, unsigned kind)
{
    static const char *const votes[] = {"all", "any", "uni"};
    static const char *const sums[] = {"add.s32", "min.u32", "max.s32",
                                       "xor.b32"};
    const char *mask = mask_of(group);
    unsigned d = fuzz_below(g, INTS), a = fuzz_below(g, INTS);
    unsigned p = fuzz_below(g, PREDS), q = fuzz_below(g, PREDS);

    if (kind < 4)
        shuffle(g, group, kind);
    else if (kind < 7)
        fuzz_say(g, "vote.sync.%s.pred %%p%u, %%p%u, %s;", votes[kind - 4], p,
                 q, mask);
    else if (kind < 11)
        fuzz_say(g, "redux.sync.%s %%r%u, %%r%u, %s;", sums[kind - 7], d, a,
                 mask);
    else if (kind == VOTE)
        fuzz_say(g, "vote.sync.ballot.b32 %%r%u, %%p%u, %s;", d, q, mask);
    else if (kind == 12)
        fuzz_say(g, "match.any.sync.b32 %%r%u, %%r%u, %s;", d, a, mask);
    else if (kind == 13)
        fuzz_say(g, "match.all.sync.b32 %%r%u|%%p%u, %%r%u, %s;", d, p, a,
                 mask);
    else
        fuzz_say(g, "bar.warp.sync %s;", mask);
}

static void call(struct generator *g)
{
    fuzz_say(g, "{ .param .b32 a; .param .b32 ret;");
    fuzz_say(g, "st.param.b32 [a], %%r%u;", fuzz_below(g, INTS));
    fuzz_say(g, "call (ret), ask, (a);");
    fuzz_say(g, "ld.param.b32 %%r%u, [ret]; }", fuzz_below(g, INTS));
}

/* Two branches, at times of two kinds in turn. */
static void branches(struct generator *g, enum group group)
{
    unsigned other = g->labels++, end = g->labels++, p = fuzz_below(g, PREDS);
    unsigned kind = fuzz_below(g, KINDS), next = fuzz_below(g, KINDS + 3);
    /* `ask` votes with all. */
    int is_call = group == ALL && fuzz_below(g, 3) == 0;

    fuzz_say(g, "@%%p%u bra L%u;", p, other);
    fuzz_statements(g, fuzz_below(g, 2));
    collective(g, group, is_call ? VOTE : kind);
    if (next < KINDS)
        collective(g, group, next);
    fuzz_say(g, "bra L%u;", end);
    fuzz_label(g, other);
    if (is_call)
        call(g);
    else
        collective(g, group, kind);
    fuzz_statements(g, fuzz_below(g, 2));
    if (next < KINDS)
        collective(g, group, next);
    fuzz_label(g, end);
}

/* `count` times, or not at all. */
static void loop(struct generator *g, enum group group, const char *count,
                 unsigned kind)
{
    unsigned head = g->labels++, end = g->labels++, n = g->loops++;

    fuzz_say(g, "mov.u32 %%c%u, %s;", n, count);
    fuzz_say(g, "setp.eq.u32 %%pl, %%c%u, 0;", n);
    fuzz_say(g, "@%%pl bra L%u;", end);
    fuzz_label(g, head);
    collective(g, group, kind);
    fuzz_say(g, "sub.u32 %%c%u, %%c%u, 1;", n, n);
    fuzz_say(g, "setp.ne.u32 %%pl, %%c%u, 0;", n);
    fuzz_say(g, "@%%pl bra L%u;", head);
    fuzz_label(g, end);
}

/* What a lane leaves out in the first, it does in the second. */
static void two_loops(struct generator *g, enum group group)
{
    unsigned kind = fuzz_below(g, KINDS), n = g->loops++, m = g->loops++;
    char first[16], second[16];

    sprintf(first, "%%c%u", n);
    sprintf(second, "%%c%u", m);
    fuzz_say(g, "and.b32 %s, %%r%u, 3;", first, fuzz_below(g, INTS));
    fuzz_say(g, "sub.u32 %s, %u, %s;", second, 3 + fuzz_below(g, 2), first);
    loop(g, group, first, kind);
    loop(g, group, second, kind);
}

/* In every other iteration, which are not the same ones for all. */
static void iterations(struct generator *g, enum group group)
{
    unsigned head = g->labels++, next = g->labels++, n = g->loops++;
    unsigned kind = fuzz_below(g, KINDS), bit = g->loops++;

    fuzz_say(g, "and.b32 %%c%u, %%r%u, 1;", bit, fuzz_below(g, INTS));
    fuzz_say(g, "mov.u32 %%c%u, %u;", n, 2 * (1 + fuzz_below(g, 3)));
    fuzz_label(g, head);
    fuzz_say(g, "xor.b32 %%c%u, %%c%u, 1;", bit, bit);
    fuzz_say(g, "setp.eq.u32 %%pl, %%c%u, 0;", bit);
    fuzz_say(g, "@%%pl bra L%u;", next);
    collective(g, group, kind);
    fuzz_label(g, next);
    fuzz_say(g, "sub.u32 %%c%u, %%c%u, 1;", n, n);
    fuzz_say(g, "setp.ne.u32 %%pl, %%c%u, 0;", n);
    fuzz_say(g, "@%%pl bra L%u;", head);
}

void fuzz_apart(struct generator *g)
{
    int was_convergent = g->is_convergent, mask = g->mask;
    enum group group = fuzz_below(g, 2) ? ALL : fuzz_below(g, GROUPS);

    g->is_convergent = 0;
    g->mask = -1;
    begin_group(g, group);
    switch (fuzz_below(g, 4)) {
    case 0:
        two_loops(g, group);
        break;
    case 1:
        iterations(g, group);
        break;
    default:
        branches(g, group);
        break;
    }
    fuzz_say(g, "}");
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
