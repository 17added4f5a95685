/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that mean something together only, in a random kernel. */
#include "generator.h"

static unsigned int_register(struct generator *g)
{
    return fuzz_below(g, INTS);
}

/* 64 to 128 bits in words, through the condition code. */
static void carry_chain(struct generator *g)
{
    static const char *const chains[][3] = {
        {"add.cc.u32", "addc.cc.u32", "addc.u32"},
        {"sub.cc.u32", "subc.cc.u32", "subc.u32"},
        {"add.cc.s32", "addc.cc.s32", "addc.s32"}};
    unsigned chain = fuzz_below(g, 3), words = 2 + fuzz_below(g, 3);

    for (unsigned i = 0; i < words; i++)
        fuzz_say(g, "%s %%r%u, %%r%u, %%r%u;",
                 chains[chain][i == 0          ? 0
                               : i + 1 < words ? 1
                                               : 2],
                 int_register(g), int_register(g), int_register(g));
}

static void product_chain(struct generator *g)
{
    unsigned a = int_register(g), b = int_register(g);

    fuzz_say(g, "mad.lo.cc.u32 %%r8, %%r%u, %%r%u, %%r%u;", a, b,
             int_register(g));
    fuzz_say(g, "madc.hi.cc.u32 %%r9, %%r%u, %%r%u, %%r%u;", a, b,
             int_register(g));
    fuzz_say(g, "addc.u32 %%r%u, %%r8, %%r9;", int_register(g));
}

/* Pairs of f16 or bf16 in a word; results are no NaN of the engine's choice. */
static void halves(struct generator *g)
{
    unsigned d = int_register(g), a = int_register(g), b = int_register(g);

    switch (fuzz_below(g, 4)) {
    case 0:
        fuzz_say(g, "%s %%r%u, %%r%u, %%r%u;",
                 PICK(g, "add.rn.f16x2", "sub.rn.f16x2", "mul.rn.f16x2",
                      "add.rn.ftz.f16x2", "mul.rn.sat.f16x2", "min.f16x2",
                      "max.NaN.f16x2", "add.rn.bf16x2", "max.bf16x2"),
                 d, a, b);
        break;
    case 1:
        fuzz_say(g, "%s %%r%u, %%r%u, %%r%u, %%r%u;",
                 PICK(g, "fma.rn.f16x2", "fma.rn.relu.f16x2", "fma.rn.bf16x2",
                      "fma.rn.ftz.f16x2"),
                 d, a, b, int_register(g));
        break;
    case 2:
        fuzz_say(g, "setp.%s.f16x2 %%p%u|%%p%u, %%r%u, %%r%u;",
                 PICK(g, "lt", "geu", "eq", "num"), fuzz_below(g, 2),
                 2 + fuzz_below(g, 2), a, b);
        break;
    default:
        fuzz_say(g, "{ .reg .b16 %%x, %%y; mov.b32 {%%x, %%y}, %%r%u;", a);
        fuzz_say(g, "%s %%x, %%x, %%y;",
                 PICK(g, "add.rn.f16", "mul.rn.f16", "max.f16"));
        fuzz_say(g, "mov.b32 %%r%u, {%%y, %%x}; }", d);
        break;
    }
}

/* 64 bits: what the plain statements leave out. */
static void wide(struct generator *g)
{
    unsigned d = fuzz_below(g, WIDES), a = fuzz_below(g, WIDES),
             b = fuzz_below(g, WIDES);

    switch (fuzz_below(g, 7)) {
    case 0: /* no division by zero: its result is open */
        fuzz_say(g, "or.b64 %%dm, %%d%u, 1;", b);
        fuzz_say(g, "%s %%d%u, %%d%u, %%dm;",
                 PICK(g, "div.u64", "rem.u64", "div.s64", "rem.s64"), d, a);
        break;
    case 1:
        fuzz_say(g, "%s %%d%u, %%d%u, %%d%u, %%d%u;",
                 PICK(g, "mad.lo.s64", "mad.hi.u64", "sad.s64"), d, a, b,
                 fuzz_below(g, WIDES));
        break;
    case 2:
        fuzz_say(g, "setp.%s %%p%u, %%d%u, %%d%u;",
                 PICK(g, "lt.s64", "gt.u64", "eq.s64", "le.u64"),
                 fuzz_below(g, PREDS), a, b);
        break;
    case 3:
        fuzz_say(g, "selp.b64 %%d%u, %%d%u, %%d%u, %%p%u;", d, a, b,
                 fuzz_below(g, PREDS));
        break;
    case 4:
        fuzz_say(g, "mov.b64 {%%r%u, %%r8}, %%d%u;", int_register(g), a);
        fuzz_say(g, "mov.b64 %%d%u, {%%r8, %%r%u};", d, int_register(g));
        break;
    case 5:
        fuzz_say(g, "%s %%r%u, %%d%u;",
                 PICK(g, "popc.b64", "clz.b64", "bfind.s64", "bfind.u64"),
                 int_register(g), a);
        break;
    default:
        fuzz_say(g, "add.cc.u64 %%d%u, %%d%u, %%d%u;", d, a, b);
        fuzz_say(g, "addc.u64 %%d%u, %%d%u, %%d%u;", fuzz_below(g, WIDES), a,
                 b);
        break;
    }
}

void fuzz_sequence(struct generator *g)
{
    switch (fuzz_below(g, 5)) {
    case 0:
        carry_chain(g);
        break;
    case 1:
        product_chain(g);
        break;
    case 2:
        halves(g);
        break;
    default:
        wide(g);
        break;
    }
}

/* ---- memory ------------------------------------------------------------ */

/* The thread's array as vectors, at an index that differs. */
static void local_vectors(struct generator *g)
{
    unsigned a = int_register(g), b = int_register(g);

    fuzz_say(g, "and.b32 %%r8, %%r%u, 48;", int_register(g));
    fuzz_say(g, "mov.u32 %%r9, array;");
    fuzz_say(g, "add.u32 %%r8, %%r8, %%r9;");
    switch (fuzz_below(g, 4)) {
    case 0:
        fuzz_say(g, "st.local.v4.b32 [%%r8], {%%r%u, %%r%u, %%r%u, 7};", a, b,
                 int_register(g));
        break;
    case 1:
        fuzz_say(g, "st.local.v2.b64 [%%r8], {%%d%u, %%d%u};",
                 fuzz_below(g, WIDES), fuzz_below(g, WIDES));
        break;
    case 2:
        fuzz_say(g, "ld.local.v2.b64 {%%d%u, %%dm}, [%%r8];",
                 fuzz_below(g, WIDES));
        break;
    default:
        fuzz_say(g, "ld.local.v4.u16 {%%h0, %%h1, %%h0, %%h1}, [%%r8+8];");
        fuzz_say(g, "cvt.u32.u16 %%r%u, %%h%u;", a, fuzz_below(g, 2));
        break;
    }
}

/* The slot in shared memory, which nobody else uses but behind a barrier: what
 * an atomic returns is then known. */
static void own_atomic(struct generator *g)
{
    unsigned d = int_register(g), a = int_register(g);

    if (fuzz_below(g, 4) == 0) {
        fuzz_say(g, "atom.shared.cas.b32 %%r%u, [%%rs], %%r%u, %%r%u;", d, a,
                 int_register(g));
        return;
    }
    if (fuzz_below(g, 3) == 0) {
        fuzz_say(g, "cvt.u64.u32 %%dm, %%rs;");
        fuzz_say(g, "cvta.shared.u64 %%dm, %%dm;");
        fuzz_say(g, "atom.%s %%r%u, [%%dm], %%r%u;",
                 PICK(g, "add.u32", "exch.b32", "min.s32"), d, a);
        return;
    }
    fuzz_say(g, "atom.shared.%s %%r%u, [%%rs], %%r%u;",
             PICK(g, "add.u32", "exch.b32", "inc.u32", "dec.u32", "min.s32",
                  "max.u32", "and.b32", "or.b32", "xor.b32"),
             d, a);
}

/* Only some threads read or write. */
static void guarded(struct generator *g)
{
    const char *sign = fuzz_below(g, 2) ? "!" : "";
    unsigned p = fuzz_below(g, PREDS);

    switch (fuzz_below(g, 3)) {
    case 0:
        fuzz_say(g, "@%s%%p%u st.shared.b32 [%%rs], %%r%u;", sign, p,
                 int_register(g));
        break;
    case 1:
        fuzz_say(g, "@%s%%p%u ld.shared.b32 %%r%u, [%%rs];", sign, p,
                 int_register(g));
        break;
    default:
        fuzz_say(g,
                 "@%s%%p%u ld.global.v4.b32 {%%r%u, %%r8, %%r9, %%r8}, "
                 "[%%din+%u];",
                 sign, p, int_register(g), 16 * fuzz_below(g, 64));
        break;
    }
}

void fuzz_own_memory(struct generator *g)
{
    if (fuzz_below(g, 3) == 0) {
        fuzz_own_array(g);
        return;
    }
    if (g->is_function) {
        local_vectors(g);
        return;
    }
    switch (fuzz_below(g, 4)) {
    case 0:
        guarded(g);
        break;
    case 1:
        own_atomic(g);
        break;
    default:
        local_vectors(g);
        break;
    }
}
