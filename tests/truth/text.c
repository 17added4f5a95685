/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forms as PTX: one kernel per group of forms with the same operands.
 */
#include "truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned truth_block(const struct truth_form *form)
{
    return strcmp(form->row->family, "wgmma") == 0 ? 2 * TRUTH_BLOCK
                                                   : TRUTH_BLOCK;
}

/* These have kernels of their own: where nothing else is computed, the machine
 * may flush (emit/core/entry.c). */
static bool is_flushed(const struct truth_form *form)
{
    const char *name = form->name;

    return strstr(name, ".ftz") && !strstr(name, ".rz") &&
           !strstr(name, ".rm") && !strstr(name, ".rp");
}

size_t truth_group_end(const struct truth_forms *forms, size_t first)
{
    size_t end = first + 1;

    while (end < forms->count && end - first < TRUTH_GROUP &&
           truth_is_same_work(&forms->at[first], &forms->at[end]) &&
           is_flushed(&forms->at[first]) == is_flushed(&forms->at[end]))
        end++;
    return end;
}

unsigned truth_outputs(const struct truth_forms *forms, size_t first,
                       size_t end)
{
    unsigned n = 0;
    for (size_t i = first; i < end; i++)
        n += forms->at[i].out_count;
    return n;
}

static void declare(FILE *out, const struct truth_kind *k, char letter,
                    unsigned i)
{
    if (k->bits == 1)
        fprintf(out, "\t.reg .pred %%%c%u;\n", letter, i);
    else
        fprintf(out, "\t.reg .b%u %%%c%u;\n", k->bits, letter, i);
}

static void load(FILE *out, const struct truth_kind *k, unsigned i)
{
    if (k->bits == 1)
        fprintf(out,
                "\tld.global.u32 %%t0, [%%in+%u];\n"
                "\tsetp.ne.u32 %%i%u, %%t0, 0;\n",
                i * 8, i);
    else
        fprintf(out, "\tld.global.b%u %%i%u, [%%in+%u];\n", k->bits, i, i * 8);
}

static void store(FILE *out, const struct truth_kind *k, unsigned i,
                  size_t offset)
{
    if (k->bits == 1)
        fprintf(out,
                "\tselp.u32 %%t0, 1, 0, %%o%u;\n"
                "\tst.global.u32 [%%out+%zu], %%t0;\n",
                i, offset);
    else
        fprintf(out, "\tst.global.b%u [%%out+%zu], %%o%u;\n", k->bits, offset,
                i);
}

static void prologue(FILE *out, const struct truth_form *f, size_t first,
                     bool is_uniform)
{
    fprintf(out,
            ".visible .entry k%zu(.param .u64 p_in, .param .u64 p_out,\n"
            "\t.param .u64 p_mem)\n{\n"
            "\t.reg .b64 %%in, %%out, %%mem, %%l<8>;\n"
            "\t.reg .b32 %%t<8>, %%thread, %%lane, %%index;\n"
            "\t.reg .b16 %%h<4>;\n\t.reg .pred %%p<4>;\n"
            "\tld.param.u64 %%in, [p_in];\n\tld.param.u64 %%out, [p_out];\n"
            "\tld.param.u64 %%mem, [p_mem];\n"
            "\tmov.u32 %%thread, %%tid.x;\n\tand.b32 %%lane, %%thread, 31;\n"
            "\tmov.u32 %%t0, %%ctaid.x;\n",
            first);
    fprintf(out,
            is_uniform ? "\tmov.u32 %%index, %%t0;\n"
                       : "\tmad.lo.u32 %%index, %%t0, %u, %%thread;\n",
            truth_block(f));
    fprintf(out,
            "\tmad.wide.u32 %%mem, %%t0, %u, %%mem;\n"
            "\tmad.wide.u32 %%in, %%index, %u, %%in;\n"
            "\tmad.wide.u32 %%out, %%index, 8, %%out;\n",
            TRUTH_MEM_BYTES, f->in_count * 8);
    for (unsigned i = 0; i < f->in_count; i++) {
        declare(out, f->in[i], 'i', i);
        load(out, f->in[i], i);
    }
}

static void kernel(FILE *out, const struct truth_forms *forms, size_t first,
                   size_t end, bool is_uniform)
{
    unsigned slot = 0, samples = forms->at[first].row->samples;

    prologue(out, &forms->at[first], first, is_uniform);
    for (size_t i = first; i < end; i++) {
        const struct truth_form *f = &forms->at[i];
        fprintf(out, "\t{\n");
        for (unsigned k = 0; k < f->out_count; k++)
            declare(out, f->out[k], 'o', k);
        if (strstr(f->body, "%mem")) /* others may still use it */
            fprintf(out, "\tbar.sync 0;\n");
        fprintf(out, "\t%s\n", f->body);
        for (unsigned k = 0; k < f->out_count; k++)
            store(out, f->out[k], k, (size_t)slot++ * samples * 8);
        fprintf(out, "\t}\n");
    }
    fprintf(out, "\tret;\n}\n");
}

char *truth_text(const struct truth_forms *forms,
                 const struct truth_range *groups, size_t group_count,
                 bool is_uniform)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (!out)
        abort();
    const struct truth_form *any = &forms->at[groups[0].first];
    bool is_old = strcmp(any->row->family, "old") == 0;
    fprintf(out, is_old ? ".version 6.3\n.target sm_60\n"
                        : ".version 8.7\n.target sm_90a\n");
    fprintf(out,
            ".address_size 64\n"
            ".func (.param .b32 r) more_less(.param .b32 a, .param .b32 b)\n"
            "{\n\t.reg .b32 %%a, %%b;\n\t.reg .pred %%p;\n"
            "\tld.param.b32 %%a, [a];\n\tld.param.b32 %%b, [b];\n"
            "\tsetp.lt.s32 %%p, %%a, %%b;\n\t@%%p bra LESS;\n"
            "\tsub.s32 %%a, %%a, %%b;\n\tst.param.b32 [r], %%a;\n"
            "\tret;\n"
            "LESS:\n\txor.b32 %%a, %%a, %%b;\n\tst.param.b32 [r], %%a;\n"
            "\tret;\n}\n");
    for (size_t i = 0; i < group_count; i++)
        kernel(out, forms, groups[i].first, groups[i].end, is_uniform);
    fclose(out);
    return text;
}
