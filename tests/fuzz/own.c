/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An array of the thread's own, `own`, whose address goes nowhere: registers
 * %ra and %qa hold it and nothing else. Elements of all sizes, at places that
 * are known, the same for a block, for a row of it, or different.
 */
#include "generator.h"

#include <stdlib.h>
#include <string.h>

enum { OWN_BYTES = 64 };

/* Functions that get an array's address: then it is not interleaved, and what
 * they do not write may be uniform. */
const char fuzz_own_functions[] =
    ".func (.param .b32 r) peek(.param .b64 p)\n{\n"
    "\t.reg .b64 %d<2>;\n\t.reg .b32 %r<4>;\n"
    "\tld.param.b64 %d1, [p];\n"
    "\tld.b32 %r1, [%d1+12];\n\tld.b32 %r2, [%d1+40];\n"
    "\tmad.lo.u32 %r3, %r1, 5, %r2;\n"
    "\tst.param.b32 [r], %r3;\n\tret;\n}\n"
    ".func (.param .b32 r) poke(.param .b64 p)\n{\n"
    "\t.reg .b64 %d<3>;\n\t.reg .b32 %r<3>;\n"
    "\tld.param.b64 %d1, [p];\n\tadd.u64 %d2, %d1, 24;\n"
    "\tld.b32 %r1, [%d2+8];\n\tadd.u32 %r2, %r1, 7;\n"
    "\tst.b32 [%d2], %r2;\n\tst.b32 [%d2+4], %r1;\n"
    "\tst.param.b32 [r], %r2;\n\tret;\n}\n";

struct element {
    const char *type;
    unsigned bytes;     /* of all that is accessed */
    const char *values; /* %u: registers of integers */
};

static const struct element elements[] = {
    {"u8", 1, "%%r%u"},
    {"s8", 1, "%%r%u"},
    {"u16", 2, "%%h0"},
    {"b32", 4, "%%r%u"},
    {"b32", 4, "%%r%u"},
    {"f32", 4, "%%f1"},
    {"b64", 8, "%%dn"},
    {"f64", 8, "%%e0"},
    {"v2.u8", 2, "{%%h0, %%h1}"},
    {"v2.b16", 4, "{%%h0, %%h1}"},
    {"v2.b32", 8, "{%%r%u, %%r9}"},
    {"v4.b32", 16, "{%%r%u, %%rb, %%r9, %%rc}"},
    {"v4.u8", 4, "{%%r%u, %%rb, %%r9, %%rc}"},
    {"v2.b64", 16, "{%%dn, %%qb}"},
};

/* Where an element may lie, into %r8. */
static void choose_place(struct generator *g, unsigned bytes)
{
    unsigned mask = (OWN_BYTES - 1) & ~(bytes - 1);

    switch (fuzz_below(g, 4)) {
    case 0: /* the same for a block */
        fuzz_say(g, "mov.u32 %%r8, %%ctaid.x;");
        fuzz_say(g, "mul.lo.u32 %%r8, %%r8, %u;", 8 + 4 * fuzz_below(g, 8));
        fuzz_say(g, "and.b32 %%r8, %%r8, %u;", mask);
        break;
    case 1: /* for rows of it */
        fuzz_say(g, "mov.u32 %%r8, %%tid.y;");
        fuzz_say(g, "shl.b32 %%r8, %%r8, %u;", 1 + fuzz_below(g, 4));
        fuzz_say(g, "and.b32 %%r8, %%r8, %u;", mask);
        break;
    default:
        fuzz_say(g, "and.b32 %%r8, %%r%u, %u;", fuzz_below(g, INTS), mask);
        break;
    }
}

/* What follows ld or st: the space, and the address, which has been computed.
 * Both are good until the next call. */
static const char *make_place(struct generator *g, unsigned bytes,
                              const char **address)
{
    static char text[32];

    if (fuzz_below(g, 4) == 0) {
        snprintf(text, sizeof text, "own+%u",
                 fuzz_below(g, OWN_BYTES / bytes) * bytes);
        *address = text;
        return ".local";
    }
    choose_place(g, bytes);
    if (fuzz_below(g, 3) == 0) {
        fuzz_say(g, "cvt.u64.u32 %%dm, %%r8;");
        fuzz_say(g, "mov.u64 %%qa, own;");
        fuzz_say(g, "cvta.local.u64 %%qa, %%qa;");
        fuzz_say(g, "add.s64 %%qa, %%qa, %%dm;");
        *address = "%qa";
        return "";
    }
    fuzz_say(g, "mov.u32 %%ra, own;");
    fuzz_say(g, "add.u32 %%ra, %%ra, %%r8;");
    if (fuzz_below(g, 4) == 0)
        fuzz_say(g, "@%%p%u mov.u32 %%ra, own;", fuzz_below(g, PREDS));
    *address = "%ra";
    return ".local";
}

static void say_access(struct generator *g, const char *op, unsigned reg,
                       const struct element *t)
{
    char values[64], guard[16] = "";
    const char *address, *space = make_place(g, t->bytes, &address);

    if (fuzz_below(g, 4) == 0)
        snprintf(guard, sizeof guard, "@%s%%p%u ", fuzz_below(g, 2) ? "!" : "",
                 fuzz_below(g, PREDS));
    snprintf(values, sizeof values, t->values, reg);
    if (*op == 's')
        fuzz_say(g, "%sst%s.%s [%s], %s;", guard, space, t->type, address,
                 values);
    else
        fuzz_say(g, "%sld%s.%s %s, [%s];", guard, space, t->type, values,
                 address);
}

/* No NaN is stored: %f2 may hold what a loop computed, or what was loaded, and
 * compiled code leaves such a one its payload. */
void fuzz_set_registers(struct generator *g)
{
    unsigned a = fuzz_below(g, INTS), b = fuzz_below(g, INTS);

    fuzz_say(g, "mov.b32 {%%h0, %%h1}, %%r%u;", a);
    fuzz_say(g, "xor.b32 %%r9, %%r%u, 12345;", a);
    fuzz_say(g, "add.u32 %%rc, %%r%u, %%r%u;", a, b);
    fuzz_say(g, "sub.u32 %%rb, %%r%u, %%r9;", b);
    fuzz_say(g, "mov.b64 %%dn, {%%r%u, %%r9};", b);
    fuzz_say(g, "mov.b64 %%qb, {%%r%u, %%rb};", a);
    fuzz_say(g, "cvt.rn.f64.s32 %%e0, %%r%u;", b);
    fuzz_say(g, "cvt.rn.f32.s32 %%f1, %%r%u;", a);
    fuzz_say(g, "cvt.rn.f32.s32 %%f2, %%r%u;", b);
}

void fuzz_use_registers(struct generator *g, unsigned reg)
{
    fuzz_say(g, "mov.b32 %%r8, {%%h0, %%h1};");
    fuzz_say(g, "xor.b32 %%r%u, %%r%u, %%r8;", reg, reg);
    fuzz_say(g, "xor.b32 %%r%u, %%r%u, %%r9;", reg, reg);
    fuzz_say(g, "add.u32 %%r%u, %%r%u, %%rc;", reg, reg);
    fuzz_say(g, "sub.u32 %%r%u, %%r%u, %%rb;", reg, reg);
    fuzz_say(g, "xor.b64 %%dn, %%dn, %%qb;");
    fuzz_say(g, "mov.b64 {%%r8, %%r9}, %%dn;");
    fuzz_say(g, "xor.b32 %%r%u, %%r%u, %%r8;", reg, reg);
    fuzz_say(g, "add.u32 %%r%u, %%r%u, %%r9;", reg, reg);
    fuzz_say(g, "mov.b64 %%dm, %%e0;");
    fuzz_say(g, "cvt.u32.u64 %%r8, %%dm;");
    fuzz_say(g, "xor.b32 %%r%u, %%r%u, %%r8;", reg, reg);
}

/* Mostly the kernel's favourite, so that words of all lengths are chosen. */
static const struct element *some_element(struct generator *g)
{
    unsigned n = sizeof elements / sizeof *elements;

    if (!g->favourite)
        g->favourite = 1 + fuzz_below(g, n);
    return &elements[fuzz_below(g, 4) ? g->favourite - 1 : fuzz_below(g, n)];
}

void fuzz_own_array(struct generator *g)
{
    unsigned reg = fuzz_below(g, INTS);

    fuzz_set_registers(g);
    for (unsigned i = 1 + fuzz_below(g, 2); i > 0; i--)
        say_access(g, "st", fuzz_below(g, INTS), some_element(g));
    fuzz_set_registers(g);
    say_access(g, "ld", reg, some_element(g));
    fuzz_use_registers(g, reg);
}

/* Vectors of what the favourite is made of. */
static unsigned favourite_bits(struct generator *g)
{
    some_element(g);
    const char *type = elements[g->favourite - 1].type;
    const char *digits = type + strcspn(type, "usbf") + 1;

    return (unsigned)atoi(digits);
}

void fuzz_begin_own(struct generator *g)
{
    unsigned bits = favourite_bits(g), step = bits / 2;

    for (unsigned i = 0; i<OWN_BYTES; i += step> 16 ? 16 : step)
        if (bits == 64)
            fuzz_say(g, "st.local.v2.b64 [own+%u], {%u, 3};", i, i * 77777);
        else
            fuzz_say(g, "st.local.v4.b%u [own+%u], {%u, 7, 9, %u};", bits, i, i,
                     i + 3);
    if (fuzz_below(g, 4))
        return;
    /* Now its address has been seen. */
    fuzz_say(g, "cvta.local.u64 %%qa, own;");
    fuzz_say(g, "isspacep.local %%pl, %%qa;");
}

void fuzz_end_own(struct generator *g)
{
    unsigned bits = favourite_bits(g), step = bits / 2;

    for (unsigned i = 0; i<OWN_BYTES; i += step> 16 ? 16 : step) {
        if (bits == 64) {
            fuzz_say(g, "ld.local.v2.b64 {%%dn, %%qb}, [own+%u];", i);
            fuzz_say(g, "mov.b64 {%%r8, %%r9}, %%dn;");
            fuzz_say(g, "mov.b64 {%%rb, %%rc}, %%qb;");
        } else {
            fuzz_say(g, "ld.local.v4.%s%u {%%r8, %%r9, %%rb, %%rc}, [own+%u];",
                     bits < 32 ? "u" : "b", bits, i);
        }
        fuzz_say(g, "mad.lo.u32 %%r7, %%r7, 3, %%r8;");
        fuzz_say(g, "mad.lo.u32 %%r7, %%r7, 5, %%r9;");
        fuzz_say(g, "mad.lo.u32 %%r7, %%r7, 7, %%rb;");
        fuzz_say(g, "mad.lo.u32 %%r7, %%r7, 9, %%rc;");
    }
}

/* ---- what lanes write alike ---------------------------------------------- */

/* The array `alike` holds the same in all lanes, until some of them write
 * into it by themselves, or functions do to which its address goes, in
 * registers of its own: one that points into several variables says nothing.
 * Each word has one way in which it is written, if at all: so one word tells
 * whether the analysis knows that way. In kernels that pass its address to
 * nobody the array is interleaved. */

enum {
    ALIKE_WORDS = 16,
    PEEKED = 3, /* peek reads it */
    POKED = 6,  /* poke writes it and the next one */
};

enum way {
    WRITE_NEVER,
    WRITE_ALIKE,   /* what all lanes have in common, where the statement is */
    WRITE_GUARDED, /* a constant, by some lanes */
    WRITE_OWN,     /* what each lane has */
    WRITE_PLACE,   /* a constant, to this word or the next one */
    WRITE_APART,   /* a constant, behind a branch that some lanes take */
    WAYS
};

/* Some lanes, or all, go around what comes before the label. */
static unsigned begin_apart(struct generator *g)
{
    unsigned label = g->labels++;

    if (fuzz_below(g, 2))
        fuzz_say(g, "@%%p%u bra L%u;", fuzz_below(g, PREDS), label);
    return label;
}

static void pass_address(struct generator *g, unsigned reg, const char *array)
{
    unsigned label = begin_apart(g);

    fuzz_say(g, "{");
    fuzz_say(g, ".param .b64 a0; .param .b32 ret; .reg .b64 %%to, %%at;");
    fuzz_say(g, "mov.u64 %%to, %s;", array);
    fuzz_say(g, "cvta.local.u64 %%at, %%to;");
    fuzz_say(g, "st.param.b64 [a0], %%at;");
    fuzz_say(g, "call (ret), %s, (a0);", fuzz_below(g, 3) ? "peek" : "poke");
    fuzz_say(g, "ld.param.b32 %%r%u, [ret];", reg);
    fuzz_say(g, "}");
    fuzz_label(g, label);
}

void fuzz_begin_alike(struct generator *g)
{
    for (unsigned i = 0; i < ALIKE_WORDS; i++) {
        fuzz_say(g, "st.local.b32 [alike+%u], %u;", 4 * i, fuzz_below(g, 1000));
        g->alike[i] = (unsigned char)fuzz_below(g, WAYS);
    }
    g->alike[POKED] = g->alike[POKED + 1] = WRITE_NEVER;
    g->alike_word[0] = POKED;
    g->alike_word[1] = PEEKED;
    for (unsigned i = 2; i < 6; i++)
        g->alike_word[i] = (unsigned char)fuzz_below(g, ALIKE_WORDS);
    g->is_alike_passed = fuzz_below(g, 2) == 0;
    g->likes_alike = fuzz_below(g, 4) == 0;
}

/* Into registers that hold nothing else, which may be uniform. */
static void load_alike(struct generator *g, unsigned reg, unsigned word)
{
    unsigned label = g->labels++;

    fuzz_say(g, "{");
    fuzz_say(g, ".reg .b32 %%low, %%high; .reg .pred %%less;");
    if (fuzz_below(g, 2)) {
        fuzz_say(g, "ld.local.v2.b32 {%%low, %%high}, [alike+%u];",
                 4 * (word & ~1u));
    } else {
        fuzz_say(g, "ld.local.b32 %%low, [alike+%u];", 4 * word);
        fuzz_say(g, "mov.b32 %%high, 500;");
    }
    fuzz_say(g, "setp.lt.u32 %%less, %%low, %%high;");
    fuzz_say(g, "@%%less bra L%u;", label);
    fuzz_say(g, "xor.b32 %%r%u, %%r%u, %%high;", reg, reg);
    fuzz_label(g, label);
    fuzz_say(g, "add.u32 %%r%u, %%r%u, %%low;", reg, reg);
    fuzz_say(g, "}");
}

static void store_alike(struct generator *g, unsigned word)
{
    unsigned at = 4 * word, value = fuzz_below(g, 1000), label;

    switch ((enum way)g->alike[word]) {
    case WRITE_ALIKE:
        fuzz_say(g, "{.reg .b32 %%all;");
        fuzz_say(g, "mov.u32 %%all, %%ctaid.x;");
        fuzz_say(g, "add.u32 %%all, %%all, %u;", value);
        fuzz_say(g, "st.local.b32 [alike+%u], %%all;}", at);
        break;
    case WRITE_GUARDED:
        fuzz_say(g, "@%%p%u st.local.b32 [alike+%u], %u;", fuzz_below(g, PREDS),
                 at, value);
        break;
    case WRITE_OWN:
        fuzz_say(g, "st.local.b32 [alike+%u], %%r%u;", at, fuzz_below(g, INTS));
        break;
    case WRITE_PLACE:
        fuzz_say(g, "{.reg .b32 %%low;.reg .b64 %%wide, %%to, %%at;");
        fuzz_say(g, "and.b32 %%low, %%r%u, 4;", fuzz_below(g, INTS));
        fuzz_say(g, "cvt.u64.u32 %%wide, %%low;");
        fuzz_say(g, "mov.u64 %%to, alike;");
        fuzz_say(g, "add.u64 %%at, %%to, %%wide;");
        fuzz_say(g, "st.local.b32 [%%at+%u], %u;}",
                 word < ALIKE_WORDS - 1 ? at : at - 4, value);
        break;
    case WRITE_APART:
        label = begin_apart(g);
        fuzz_say(g, "st.local.b32 [alike+%u], %u;", at, value);
        fuzz_label(g, label);
        break;
    default:
        load_alike(g, fuzz_below(g, INTS), word);
    }
}

void fuzz_alike(struct generator *g)
{
    unsigned reg = fuzz_below(g, INTS), word = g->alike_word[fuzz_below(g, 6)];

    switch (fuzz_below(g, 6)) {
    case 0:
        pass_address(g, reg, g->is_alike_passed ? "alike" : "own");
        break;
    case 1:
    case 2:
        store_alike(g, word);
        break;
    default:
        load_alike(g, reg, word);
    }
}
