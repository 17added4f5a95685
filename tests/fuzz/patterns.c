/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels do together: sums over a block, tickets, locks, copies that are
 * waited for; and graphs of blocks that no source text would have.
 */
#include "generator.h"

/* ---- all threads of the block, between barriers -------------------------- */

/* In a tree; then everybody reads the sum. */
static void block_sum(struct generator *g)
{
    unsigned head = g->labels++, skip = g->labels++, n = g->loops++, half = 1;
    const char *op = PICK(g, "add.u32", "xor.b32", "max.s32");

    while (half * 2 < g->threads)
        half *= 2;
    fuzz_say(g, "st.shared.b32 [%%rs], %%r%u;", fuzz_below(g, INTS));
    fuzz_say(g, "bar.sync 0;");
    fuzz_say(g, "mov.u32 %%c%u, %u;", n, half);
    fuzz_label(g, head);
    fuzz_say(g, "add.u32 %%r9, %%rt, %%c%u;", n);
    fuzz_say(g, "setp.lt.u32 %%pl, %%rt, %%c%u;", n);
    fuzz_say(g, "setp.lt.and.u32 %%pl, %%r9, %u, %%pl;", g->threads);
    fuzz_say(g, "@!%%pl bra L%u;", skip);
    fuzz_say(g, "shl.b32 %%r8, %%c%u, 2;", n);
    fuzz_say(g, "add.u32 %%r8, %%r8, %%rs;");
    fuzz_say(g, "ld.shared.b32 %%r8, [%%r8];");
    fuzz_say(g, "ld.shared.b32 %%r9, [%%rs];");
    fuzz_say(g, "%s %%r9, %%r8, %%r9;", op);
    fuzz_say(g, "st.shared.b32 [%%rs], %%r9;");
    fuzz_label(g, skip);
    fuzz_say(g, "bar.sync 0;");
    fuzz_say(g, "shr.u32 %%c%u, %%c%u, 1;", n, n);
    fuzz_say(g, "setp.ne.u32 %%pl, %%c%u, 0;", n);
    fuzz_say(g, "@%%pl bra L%u;", head);
    fuzz_say(g, "ld.shared.b32 %%r%u, [%s];", fuzz_below(g, INTS),
             PICK(g, "slots", "%rs"));
    fuzz_say(g, "bar.sync 0;");
}

/* What lower lanes have, added up; lanes that are not there give nothing. */
static void warp_scan(struct generator *g)
{
    unsigned d = fuzz_below(g, INTS);
    int down = fuzz_below(g, 2) == 0;

    for (unsigned step = 1; step < 32; step *= 2) {
        fuzz_say(g, "shfl.sync.%s.b32 %%r8|%%pl, %%r%u, %u, %u, -1;",
                 down ? "down" : "up", d, step, down ? 31 : 0);
        if (down)
            fuzz_say(g, "and.pred %%pl, %%pl, %%pfull;");
        fuzz_say(g, "@%%pl add.u32 %%r%u, %%r%u, %%r8;", d, d);
    }
}

/* Slots of others, at places that are near, mirrored or the same for all. */
static void exchange(struct generator *g)
{
    fuzz_say(g, "st.shared.b32 [%%rs], %%r%u;", fuzz_below(g, INTS));
    fuzz_say(g, "bar.sync 0;");
    switch (fuzz_below(g, 4)) {
    case 0:
        fuzz_say(g, "sub.u32 %%r8, %u, %%rt;", g->threads - 1);
        break;
    case 1:
        fuzz_say(g, "xor.b32 %%r8, %%rt, %u;", 1u << fuzz_below(g, 6));
        break;
    case 2:
        fuzz_say(g, "and.b32 %%r8, %%rt, %u;", ~(3u << fuzz_below(g, 4)));
        break;
    default:
        fuzz_say(g, "mad.lo.u32 %%r8, %%r%u, 5, %%r%u;", fuzz_below(g, INTS),
                 fuzz_below(g, INTS));
        break;
    }
    int is_single = g->threads < 4 || fuzz_below(g, 2); /* or whole fours */
    fuzz_say(g, "min.u32 %%r8, %%r8, %u;",
             (is_single ? g->threads : g->threads & ~3u) - 1);
    fuzz_say(g, "mov.u32 %%r9, slots;");
    fuzz_say(g, "mad.lo.u32 %%r8, %%r8, 4, %%r9;");
    if (is_single) {
        fuzz_say(g, "ld.shared.b32 %%r%u, [%%r8];", fuzz_below(g, INTS));
    } else {
        fuzz_say(g, "and.b32 %%r8, %%r8, -16;"); /* slots is aligned so */
        fuzz_say(g, "ld.shared.v4.b32 {%%r8, %%r9, %%rb, %%rc}, [%%r8];");
        fuzz_say(g, "%s %%r%u, %%r8, %%r%s;", PICK(g, "sub.u32", "xor.b32"),
                 fuzz_below(g, INTS), PICK(g, "9", "b", "c"));
    }
    fuzz_say(g, "bar.sync 0;");
}

void fuzz_together(struct generator *g)
{
    if (g->has_apart && fuzz_below(g, 3)) {
        fuzz_apart(g);
        return;
    }
    switch (fuzz_below(g, g->has_exits ? 2 : 3)) {
    case 0:
        block_sum(g);
        break;
    case 1:
        exchange(g);
        break;
    default:
        warp_scan(g);
        break;
    }
}

/* ---- each thread, beside others ------------------------------------------ */

/* Numbers from a counter: their sum does not depend on who got which. */
static void ticket(struct generator *g)
{
    if (fuzz_below(g, 2)) {
        fuzz_say(g, "atom.global.add.u32 %%r8, [%%dacc+%u], 1;",
                 4 * FUZZ_TICKETS);
    } else { /* a loop that tries again */
        unsigned again = g->labels++;
        fuzz_say(g, "ld.global.b32 %%r8, [%%dacc+%u];", 4 * FUZZ_TICKETS);
        fuzz_label(g, again);
        fuzz_say(g, "mov.u32 %%r9, %%r8;");
        fuzz_say(g, "add.u32 %%rb, %%r9, 1;");
        fuzz_say(g, "atom.global.cas.b32 %%r8, [%%dacc+%u], %%r9, %%rb;",
                 4 * FUZZ_TICKETS);
        fuzz_say(g, "setp.ne.u32 %%pl, %%r8, %%r9;");
        fuzz_say(g, "@%%pl bra L%u;", again);
    }
    fuzz_say(g, "mul.lo.u32 %%r8, %%r8, %%r8;");
    fuzz_say(g, "red.global.add.u32 [%%dacc+%u], %%r8;",
             4 * (FUZZ_TICKETS + 1));
}

/* Every thread adds to a word that a lock guards. */
static void lock(struct generator *g)
{
    unsigned again = g->labels++, taken = g->labels++, end = g->labels++;
    unsigned place = 4 * (FUZZ_TICKETS + 2);

    fuzz_label(g, again);
    fuzz_say(g, "atom.global.cas.b32 %%r8, [%%dacc+%u], 0, 1;", place);
    fuzz_say(g, "setp.eq.u32 %%pl, %%r8, 0;");
    fuzz_say(g, "@%%pl bra L%u;", taken);
    fuzz_say(g, "bra L%u;", again);
    fuzz_label(g, taken);
    fuzz_say(g, "fence.acq_rel.gpu;");
    fuzz_say(g, "ld.volatile.global.b32 %%r8, [%%dacc+%u];", place + 4);
    fuzz_say(g, "add.u32 %%r8, %%r8, %%r%u;", fuzz_below(g, INTS));
    fuzz_say(g, "st.volatile.global.b32 [%%dacc+%u], %%r8;", place + 4);
    fuzz_say(g, "fence.acq_rel.gpu;");
    fuzz_say(g, "atom.global.exch.b32 %%r8, [%%dacc+%u], 0;", place);
    fuzz_label(g, end);
}

/* A copy into the thread's slot. */
static void copy(struct generator *g)
{
    char guard[16] = "";
    if (fuzz_below(g, 3) == 0)
        sprintf(guard, "@%%p%u ", fuzz_below(g, PREDS));
    fuzz_say(g, "and.b32 %%r8, %%r%u, %d;", fuzz_below(g, INTS),
             FUZZ_INPUTS - 1);
    fuzz_say(g, "mad.wide.u32 %%dm, %%r8, 4, %%din;");
    fuzz_say(g, "%scp.async.ca.shared.global [%%rs], [%%dm], 4%s;", guard,
             PICK(g, "", ", 2", ", 0"));
    if (fuzz_below(g, 2)) {
        fuzz_say(g, "cp.async.wait_all;");
    } else {
        fuzz_say(g, "cp.async.commit_group;");
        fuzz_say(g, "cp.async.wait_group 0;");
    }
    fuzz_say(g, "ld.shared.b32 %%r%u, [%%rs];", fuzz_below(g, INTS));
}

void fuzz_beside(struct generator *g)
{
    switch (fuzz_below(g, 5)) {
    case 0:
        if (g->has_locks && g->loop_depth == 0 && !g->in_graph) {
            lock(g);
            break;
        } /* fall through */
    case 1:
    case 2:
        ticket(g);
        break;
    default:
        copy(g);
        break;
    }
}

/* ---- any graph ---------------------------------------------------------- */

/* A few blocks, each of which goes anywhere: to itself, to one of the others,
 * out. So that it ends, each way costs the thread a step of a few. */
void fuzz_graph(struct generator *g)
{
    unsigned n = g->loops++, count = 3 + fuzz_below(g, 4), first = g->labels,
             end = first + count;
    int was_convergent = g->is_convergent, mask = g->mask;

    g->labels += count + 1;
    g->is_convergent = 0;
    g->mask = -1;
    g->in_graph = 1;
    if (fuzz_below(g, 2)) {
        fuzz_say(g, "mov.u32 %%c%u, %u;", n, 4 + fuzz_below(g, 12));
    } else {
        fuzz_say(g, "and.b32 %%c%u, %%r%u, 7;", n, fuzz_below(g, INTS));
        fuzz_say(g, "add.u32 %%c%u, %%c%u, 2;", n, n);
    }
    fuzz_say(g, "@%%p%u bra L%u;", fuzz_below(g, PREDS),
             first + fuzz_below(g, count));
    for (unsigned i = 0; i < count; i++) {
        fuzz_label(g, first + i);
        fuzz_statements(g, 1 + fuzz_below(g, 3));
        fuzz_say(g, "sub.u32 %%c%u, %%c%u, 1;", n, n);
        fuzz_say(g, "setp.le.s32 %%pl, %%c%u, 0;", n);
        fuzz_say(g, "@%%pl bra L%u;", end);
        fuzz_say(g, "@%s%%p%u bra L%u;", fuzz_below(g, 2) ? "!" : "",
                 fuzz_below(g, PREDS), first + fuzz_below(g, count));
        if (fuzz_below(g, 3) == 0)
            fuzz_say(g, "bra L%u;", first + fuzz_below(g, count));
    }
    fuzz_label(g, end);
    g->in_graph = 0;
    g->is_convergent = was_convergent;
    g->mask = mask;
}

/* Some threads end here. Who is left may meet them no more but at barriers. */
void fuzz_exit(struct generator *g)
{
    fuzz_say(g, "setp.%s.s32 %%pl, %%r%u, %%r%u;", PICK(g, "lt", "eq", "gt"),
             fuzz_below(g, INTS), fuzz_below(g, INTS));
    fuzz_say(g, "and.pred %%pl, %%pl, %%p%u;", fuzz_below(g, PREDS));
    fuzz_say(g, "@%%pl %s;", PICK(g, "exit", "ret"));
}
