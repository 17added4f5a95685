/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of instructions.def as statements of a random kernel: operands become
 * registers of the kernel, results go to one. Rows with f64 and 128 bits are
 * left to instructions.c; the kernels have no such registers.
 */
#include <stdbool.h>
#include <string.h>

#include "generate.h"

enum result { B16, B32, B64, P, F32, F64 };

static const struct row {
    const char *text;
    enum result result;
} rows[] = {
#define INST(text, result) {text, result},
#include "instructions.def"
};

/* splitmix64: Steele, Lea, Flood, 2014 */
static unsigned below(uint64_t *state, unsigned n)
{
    uint64_t v = *state += UINT64_C(0x9E3779B97F4A7C15);

    v = (v ^ v >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    v = (v ^ v >> 27) * UINT64_C(0x94D049BB133111EB);
    return (unsigned)((v ^ v >> 31) >> 33) % n;
}

/* %ra: a kind (r l h f d p) and which (a b c: sources; d: result; e: free). */
static bool is_operand(const char *s)
{
    return s[0] == '%' && s[1] && strchr("rlhfdpq", s[1]) && s[2] >= 'a' &&
           s[2] <= 'e';
}

static bool is_usable(const struct row *row)
{
    if (row->result == F64)
        return false;
    for (const char *s = row->text; *s; s++)
        if (is_operand(s) && (s[1] == 'd' || s[1] == 'q'))
            return false;
    return true;
}

struct registers {
    unsigned r[4], l[4], f[4], p[4]; /* for a b c d */
};

static void print_operand(FILE *out, const char *s,
                          const struct registers *regs)
{
    unsigned which = (unsigned)(s[2] - 'a');

    if (which == 4) {
        fprintf(out, "%%free_%c", s[1]);
        return;
    }
    switch (s[1]) {
    case 'r':
        fprintf(out, "%%r%u", regs->r[which]);
        break;
    case 'l':
        fprintf(out, "%%d%u", regs->l[which]);
        break;
    case 'f':
        fprintf(out, "%%f%u", regs->f[which]);
        break;
    case 'p':
        fprintf(out, "%%p%u", regs->p[which]);
        break;
    default:
        fprintf(out, "%%half%u", which);
        break;
    }
}

/* Which NaN an operation gives is left open, but some instructions show its
 * bits: they find the same one everywhere. */
static void settle_nans(FILE *out, const struct registers *regs)
{
    for (unsigned i = 0; i < 3; i++)
        fprintf(out,
                "\tsetp.nan.f32 %%free_p, %%f%u, %%f%u;\n"
                "\t@%%free_p mov.b32 %%f%u, 0f7FFFFFFF;\n",
                regs->f[i], regs->f[i], regs->f[i]);
}

void fuzz_row(FILE *out, uint64_t seed)
{
    const struct row *row;
    struct registers regs;

    do
        row = &rows[below(&seed, sizeof rows / sizeof *rows)];
    while (!is_usable(row));
    for (unsigned i = 0; i < 4; i++) {
        regs.r[i] = below(&seed, 8);
        regs.l[i] = below(&seed, 4);
        regs.f[i] = below(&seed, 4);
        regs.p[i] = below(&seed, 4);
    }
    fprintf(out, "\t{\n\t.reg .b16 %%half<4>, %%free_h;\n"
                 "\t.reg .b32 %%free_r; .reg .b64 %%free_l;\n"
                 "\t.reg .f32 %%free_f; .reg .pred %%free_p;\n");
    for (unsigned i = 0; i < 4; i++)
        fprintf(out, "\tcvt.u16.u32 %%half%u, %%r%u;\n", i, regs.r[i]);
    settle_nans(out, &regs);
    fputc('\t', out);
    if (row->text[0] != '{' && !strstr(row->text, "; ") && !below(&seed, 3))
        fprintf(out, "@%s%%p%u ", below(&seed, 2) ? "!" : "", below(&seed, 4));
    for (const char *s = row->text; *s; s++) {
        if (is_operand(s)) {
            print_operand(out, s, &regs);
            s += 2;
        } else {
            fputc(*s, out);
        }
    }
    fputc('\n', out);
    if (row->result == B16)
        fprintf(out, "\tcvt.u32.u16 %%r%u, %%half3;\n", regs.r[3]);
    fprintf(out, "\t}\n");
}
