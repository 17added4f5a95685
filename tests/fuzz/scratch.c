/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each thread's own places in global memory: records, columns, rows with a
 * margin, from the end, scattered, or where a count of bits says. %qs is the
 * first place of the thread, %qj how far it is to the next one; how both are
 * computed differs from kernel to kernel. Where the engines write besides,
 * compare.c sees.
 */
#include "generator.h"

#include <string.h>

struct element {
    const char *type;
    unsigned bytes;     /* of all that is accessed */
    const char *values; /* %u: a register of integers */
};

static const struct element elements[] = {
    {"b8", 1, "%%r%u"},
    {"s8", 1, "%%r%u"},
    {"u16", 2, "%%h0"},
    {"s16", 2, "%%r%u"},
    {"b32", 4, "%%r%u"},
    {"b32", 4, "%%r%u"},
    {"f32", 4, "%%f1"},
    {"v2.b16", 4, "{%%h0, %%h1}"},
    {"v4.u8", 4, "{%%r%u, %%rb, %%r9, %%rc}"},
    {"b64", 8, "%%dn"},
    {"f64", 8, "%%e0"},
    {"v2.b32", 8, "{%%r%u, %%r9}"},
    {"v2.f32", 8, "{%%f1, %%f2}"},
    {"v4.b32", 16, "{%%r%u, %%rb, %%r9, %%rc}"},
    {"v2.b64", 16, "{%%dn, %%qb}"},
};

/* Mostly as large as a place, so that whole places move. */
static const struct element *some_element(struct generator *g)
{
    const struct element *e;
    unsigned limit = g->place_bytes, tries = 20;

    do
        e = &elements[fuzz_below(g, sizeof elements / sizeof *elements)];
    while (e->bytes > limit || (e->bytes < limit && tries-- > 4));
    return e;
}

static void say_element(struct generator *g, const char *guard, const char *op,
                        const char *address, unsigned reg,
                        const struct element *e)
{
    char values[64];

    snprintf(values, sizeof values, e->values, reg);
    if (*op == 's')
        fuzz_say(g, "%sst.global.%s [%s], %s;", guard, e->type, address,
                 values);
    else
        fuzz_say(g, "%sld.global%s.%s %s, [%s];", guard,
                 fuzz_below(g, 6) ? "" : ".ca", e->type, values, address);
}

static void some_guard(struct generator *g, char *guard)
{
    *guard = '\0';
    if (fuzz_below(g, 3) == 0)
        sprintf(guard, "@%s%%p%u ", fuzz_below(g, 2) ? "!" : "",
                fuzz_below(g, PREDS));
}

/* ---- where the places are ------------------------------------------------ */

/* %ri, below `return value`: another one for each thread of the grid. */
static unsigned choose_index(struct generator *g)
{
    unsigned all = g->threads * g->grid, power = 1, x = g->block[0],
             pitch = x + fuzz_below(g, 4), rows = g->threads / x;

    while (power < all)
        power *= 2;
    switch (fuzz_below(g, 7)) {
    case 0:
        fuzz_say(g, "sub.s32 %%ri, %u, %%rg;", all - 1);
        return all;
    case 1:
        fuzz_say(g, "mov.u32 %%r8, %%tid.z;");
        fuzz_say(g, "mad.lo.u32 %%r8, %%r8, %u, %%r1;", g->block[1]);
        fuzz_say(g, "mad.lo.u32 %%r8, %%r4, %u, %%r8;", rows);
        fuzz_say(g, "mad.lo.u32 %%ri, %%r8, %u, %%r0;", pitch);
        return rows * g->grid * pitch;
    case 2:
        fuzz_say(g, "mul.lo.u32 %%ri, %%rg, %u;", 2 * fuzz_below(g, 8) + 1);
        fuzz_say(g, "and.b32 %%ri, %%ri, %u;", power - 1);
        return power;
    case 3:
        fuzz_say(g, "xor.b32 %%ri, %%rg, %u;", fuzz_below(g, power));
        return power;
    case 4: /* those with a bit before those without, in each warp */
        fuzz_say(g, "setp.lt.u32 %%pl, %%r5, %%r6;");
        fuzz_say(g, "vote.sync.ballot.b32 %%r8, %%pl, -1;");
        fuzz_say(g, "mov.u32 %%r9, %%lanemask_lt;");
        fuzz_say(g, "and.b32 %%rb, %%r8, %%r9;");
        fuzz_say(g, "popc.b32 %%rb, %%rb;");
        fuzz_say(g, "not.b32 %%rc, %%r8;");
        fuzz_say(g, "and.b32 %%rc, %%rc, %%r9;");
        fuzz_say(g, "popc.b32 %%rc, %%rc;");
        fuzz_say(g, "popc.b32 %%r8, %%r8;");
        fuzz_say(g, "add.u32 %%rc, %%rc, %%r8;");
        fuzz_say(g, "selp.b32 %%rb, %%rb, %%rc, %%pl;");
        fuzz_say(g, "sub.u32 %%ri, %%rg, %%r7;");
        fuzz_say(g, "add.u32 %%ri, %%ri, %%rb;");
        return all;
    default:
        fuzz_say(g, "mov.u32 %%ri, %%rg;");
        return all;
    }
}

/* %qs is the place with number %ri, each of so many bytes. */
static void say_address(struct generator *g, unsigned bytes)
{
    switch (fuzz_below(g, 5)) {
    case 0:
        fuzz_say(g, "mul.wide.s32 %%qs, %%ri, %u;", bytes);
        break;
    case 1:
        fuzz_say(g, "cvt.u64.u32 %%qs, %%ri;");
        fuzz_say(g, "mul.lo.s64 %%qs, %%qs, %u;", bytes);
        break;
    case 2:
        fuzz_say(g, "mul.lo.u32 %%ri, %%ri, %u;", bytes);
        fuzz_say(g, "cvt.s64.s32 %%qs, %%ri;");
        break;
    case 3:
        fuzz_say(g, "mad.wide.u32 %%qs, %%ri, %u, %%qp;", bytes);
        return;
    default:
        fuzz_say(g, "mul.wide.u32 %%qs, %%ri, %u;", bytes);
        break;
    }
    fuzz_say(g, "add.s64 %%qs, %%qp, %%qs;");
}

void fuzz_begin_scratch(struct generator *g)
{
    unsigned bytes = g->place_bytes = 1u << fuzz_below(g, 5);
    unsigned count = g->places = 1u << fuzz_below(g, bytes > 8 ? 3 : 4);

    fuzz_say(g, "ld.param.u64 %%qp, [scratch];");
    unsigned threads = choose_index(g);
    if (fuzz_below(g, 2)) { /* records */
        unsigned record = bytes * (count + fuzz_below(g, 3));
        say_address(g, record);
        fuzz_say(g, "mov.u64 %%qj, %u;", g->place_step = bytes);
        return;
    }
    say_address(g, bytes);
    g->place_step = threads * bytes;
    if (fuzz_below(g, 2) || g->place_step % g->grid) {
        fuzz_say(g, "mov.u64 %%qj, %u;", g->place_step);
        return;
    }
    fuzz_say(g, "mov.u32 %%r8, %%nctaid.x;");
    fuzz_say(g, "mul.wide.u32 %%qj, %%r8, %u;", g->place_step / g->grid);
}

/* ---- statements ---------------------------------------------------------- */

/* One place: which one is known, the same for a block, or not. */
static void one_place(struct generator *g)
{
    const struct element *e = some_element(g);
    char address[32], guard[16];
    unsigned reg = fuzz_below(g, INTS),
             part = e->bytes * fuzz_below(g, g->place_bytes / e->bytes);

    fuzz_set_registers(g);
    switch (fuzz_below(g, 3)) {
    case 0:
        sprintf(address, "%%qs+%u",
                g->place_step * fuzz_below(g, g->places) + part);
        break;
    case 1:
        if (fuzz_below(g, 2))
            fuzz_say(g, "mov.u32 %%r8, %%ctaid.x;");
        else
            fuzz_say(g, "mov.u32 %%r8, %%r%u;", fuzz_below(g, INTS));
        fuzz_say(g, "and.b32 %%r8, %%r8, %u;", g->places - 1);
        fuzz_say(g, "mad.wide.u32 %%qp, %%r8, %u, %%qs;", g->place_step);
        sprintf(address, "%%qp+%u", part);
        break;
    default:
        fuzz_say(g, "mov.u64 %%qp, %%qs;");
        fuzz_say(g, "@%%p%u add.s64 %%qp, %%qp, %u;", fuzz_below(g, PREDS),
                 g->place_step * fuzz_below(g, g->places));
        sprintf(address, "%%qp+%u", part);
        break;
    }
    some_guard(g, guard);
    say_element(g, guard, "st", address, reg, e);
    fuzz_set_registers(g);
    some_guard(g, guard);
    say_element(g, guard, "ld", address, reg, e);
    fuzz_use_registers(g, reg);
}

/* All places, or as many as the thread likes, one after the other. */
static void walk(struct generator *g)
{
    const struct element *e = some_element(g);
    unsigned n = g->loops++, head = g->labels++, reg = fuzz_below(g, INTS);
    char guard[16];

    if (fuzz_below(g, 2)) {
        fuzz_say(g, "mov.u32 %%c%u, %u;", n, 1 + fuzz_below(g, g->places));
    } else {
        fuzz_say(g, "and.b32 %%c%u, %%r%u, %u;", n, fuzz_below(g, INTS),
                 g->places - 1);
        fuzz_say(g, "add.u32 %%c%u, %%c%u, 1;", n, n);
    }
    fuzz_say(g, "mov.u64 %%qp, %%qs;");
    fuzz_label(g, head);
    fuzz_set_registers(g);
    some_guard(g, guard);
    if (fuzz_below(g, 3)) {
        say_element(g, guard, "ld", "%qp", reg, e);
        fuzz_use_registers(g, reg);
    }
    if (fuzz_below(g, 3))
        say_element(g, guard, "st", "%qp", reg, e);
    if (fuzz_below(g, 2))
        fuzz_say(g, "add.s64 %%qp, %%qp, %u;", g->place_step);
    else
        fuzz_say(g, "add.s64 %%qp, %%qp, %%qj;");
    fuzz_say(g, "sub.u32 %%c%u, %%c%u, 1;", n, n);
    fuzz_say(g, "setp.gt.s32 %%pl, %%c%u, 0;", n);
    fuzz_say(g, "@%%pl bra L%u;", head);
}

/* The grid strides over the inputs; the thread keeps what it has seen. */
static void stride(struct generator *g)
{
    unsigned n = g->loops++, head = g->labels++, end = g->labels++,
             d = fuzz_below(g, INTS), all = g->threads * g->grid,
             limit = fuzz_below(g, FUZZ_INPUTS / (1 + fuzz_below(g, 8)));

    fuzz_say(g, "mov.u32 %%c%u, %%rg;", n);
    fuzz_say(g, "setp.ge.u32 %%pl, %%c%u, %u;", n, limit);
    fuzz_say(g, "@%%pl bra L%u;", end);
    fuzz_label(g, head);
    fuzz_say(g, "mul.wide.%s %%dm, %%c%u, 4;", PICK(g, "u32", "s32"), n);
    fuzz_say(g, "add.s64 %%dm, %%din, %%dm;");
    fuzz_say(g, "ld.global%s.b32 %%r8, [%%dm];", PICK(g, "", ".nc"));
    fuzz_say(g, "%s %%r%u, %%r%u, %%r8;",
             PICK(g, "add.u32", "xor.b32", "max.s32", "sub.u32"), d, d);
    if (fuzz_below(g, 3) == 0)
        fuzz_say(g, "@%%p%u bra L%u;", fuzz_below(g, PREDS), end);
    fuzz_say(g, "add.u32 %%c%u, %%c%u, %u;", n, n, all);
    fuzz_say(g, "setp.lt.%s %%pl, %%c%u, %u;", PICK(g, "u32", "s32"), n, limit);
    fuzz_say(g, "@%%pl bra L%u;", head);
    fuzz_label(g, end);
}

void fuzz_scratch(struct generator *g)
{
    if (g->is_function)
        return;
    switch (fuzz_below(g, 6)) {
    case 0:
        stride(g);
        break;
    case 1:
    case 2:
        walk(g);
        break;
    default:
        one_place(g);
        break;
    }
}
