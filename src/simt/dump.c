/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the analyses as text, for people and for tests. */
#include "simt/internal.h"

#include <stdio.h>
#include <stdlib.h>

static void print_block_name(FILE *out, uint32_t b)
{
    if (b == SIMT_NO_BLOCK)
        fputs("end", out);
    else
        fprintf(out, "b%u", b);
}

static void print_goto(FILE *out, struct simt_goto to)
{
    print_block_name(out, to.block);
    if (to.is_check)
        fputc('?', out);
}

static void print_condition(FILE *out, const struct simt_kernel *k,
                            const struct simt_block *bb)
{
    if (bb->condition != PTX_NO_REG)
        fprintf(out, " %s%s", bb->condition_negated ? "!" : "",
                k->func->regs[bb->condition].name);
}

static const char *end_name(enum simt_end kind)
{
    static const char *const names[] = {
        [SIMT_END_JUMP] = "jump",
        [SIMT_END_UNIFORM] = "uniform",
        [SIMT_END_VARYING] = "varying",
        [SIMT_END_SWITCH] = "switch",
        [SIMT_END_SWITCH_VARYING] = "switch varying",
        [SIMT_END_RETURN] = "return",
        [SIMT_END_TRAP] = "trap",
    };
    return names[kind];
}

/* b1 loop b1 depth 1: lines 12-20 -> b1 b2, idom b0, ipdom b2 */
static void dump_cfg(FILE *out, const struct simt_kernel *k)
{
    for (uint32_t b = 0; b < k->block_count; b++) {
        const struct simt_block *bb = &k->blocks[b];
        fprintf(out, "b%u", b);
        if (bb->loop_header != SIMT_NO_BLOCK)
            fprintf(out, " loop b%u depth %u", bb->loop_header, bb->loop_depth);
        fprintf(out, ": lines %u-%u ->", k->func->insts[bb->first].line,
                k->func->insts[bb->end - 1].line);
        for (unsigned e = 0; e < bb->edge_count; e++) {
            fputc(' ', out);
            print_block_name(out, bb->edges[e].to);
        }
        fputs(", idom ", out);
        print_block_name(out, bb->idom);
        fputs(", ipdom ", out);
        print_block_name(out, bb->ipdom);
        fputc('\n', out);
    }
}

/* Escapes text for a Graphviz label whose lines end on the left. */
static void print_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("\"\\<>{}|", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
    fputs("\\l", out);
}

static void dump_dot_block(FILE *out, const struct simt_kernel *k, uint32_t b)
{
    const struct simt_block *bb = &k->blocks[b];
    char text[512];

    fprintf(out, "    b%u [label=\"{b%u: %s|", b, b, end_name(bb->kind));
    for (uint32_t i = bb->first; i < bb->end; i++) {
        ptx_print_inst(k->func, &k->func->insts[i], text, sizeof text);
        print_escaped(out, text);
    }
    fputs("}\"];\n", out);
    for (unsigned e = 0; e < bb->edge_count; e++) {
        fprintf(out, "    b%u -> ", b);
        print_block_name(out, bb->edges[e].to);
        fputs(bb->edges[e].to <= b ? " [style=bold];\n" : ";\n", out);
    }
}

/* Edges that go back are drawn bold. */
static void dump_dot(FILE *out, const struct simt_kernel *k)
{
    fprintf(out,
            "digraph \"%s\" {\n    node [shape=record fontname=monospace];"
            "\n",
            k->func->name);
    for (uint32_t b = 0; b < k->block_count; b++)
        dump_dot_block(out, k, b);
    fputs("}\n", out);
}

static void print_shape(FILE *out, const struct simt_spec *spec,
                        struct simt_shape s)
{
    unsigned lanes = simt_coarse_lanes(spec);

    if (simt_is_varying(s))
        fputs("varying", out);
    else if (simt_is_uniform(s))
        fputs("uniform", out);
    else
        fprintf(out, "affine %+lld in %u", (long long)s.stride,
                s.group < lanes ? s.group : lanes);
    if (s.is_conditional)
        fputs(" if no wrap", out);
}

static void dump_shapes(FILE *out, const struct simt_kernel *k)
{
    const struct ptx_func *f = k->func;
    char text[512];

    for (size_t r = 0; r < f->reg_count; r++) {
        fprintf(out, "%-8s ", f->regs[r].name);
        print_shape(out, &k->spec, k->shapes[r]);
        fputc('\n', out);
    }
    for (size_t v = 0; k->interleaved_bytes && v < f->var_count; v++)
        if (k->interleaved_bytes[v])
            fprintf(out, "%-8s interleaved, words of %u\n", f->vars[v].name,
                    k->interleaved_bytes[v]);
    for (size_t i = 0; i < f->inst_count; i++) {
        if (!ptx_address_of(&f->insts[i]))
            continue;
        ptx_print_inst(f, &f->insts[i], text, sizeof text);
        fprintf(out, "%u: %s  # ", f->insts[i].line, text);
        print_shape(out, &k->spec, k->address[i]);
        fputc('\n', out);
    }
}

static void dump_block_schedule(FILE *out, const struct simt_kernel *k,
                                uint32_t b)
{
    const struct simt_block *bb = &k->blocks[b];
    unsigned blends = 0, waits = 0, turns = 0;

    fprintf(out, "b%u: %s", b,
            bb->is_full             ? "full"
            : bb->has_mask_variable ? "mask"
                                    : "same mask");
    if (bb->is_checked) {
        fputs(", if empty ", out);
        print_goto(out, bb->skip);
        for (unsigned i = 0; i < bb->leave_count; i++) {
            fputs(" or ", out);
            print_goto(out, bb->leaves[i]);
        }
    }
    for (uint32_t p = 0, n = 0; p <= k->block_count; p++)
        if (bits_has(bb->pending, p)) {
            fputs(n++ ? " " : ", pending ", out);
            print_block_name(out, p == k->block_count ? SIMT_NO_BLOCK : p);
        }
    for (uint32_t i = bb->first; i < bb->end; i++) {
        blends += (k->inst_flags[i] & SIMT_BLEND) != 0;
        waits += (k->inst_flags[i] & SIMT_WAITS) != 0;
        turns += (k->inst_flags[i] & SIMT_HAZARD) != 0;
    }
    if (blends)
        fprintf(out, ", %u blended", blends);
    if (waits)
        fprintf(out, ", %u waits", waits);
    if (turns)
        fprintf(out, ", %u turns", turns);
    if (bb->ends_with_turn)
        fputs(", turn at the end", out);
    fprintf(out, "\n    %s", end_name(bb->kind));
    print_condition(out, k, bb);
    for (unsigned e = 0; e < bb->edge_count; e++) {
        fputs(e ? ", " : ": ", out);
        print_block_name(out, bb->edges[e].to);
        if (bb->edges[e].deposits)
            fputs(" +lanes", out);
        if (bb->kind == SIMT_END_VARYING || bb->kind == SIMT_END_SWITCH_VARYING)
            continue;
        fputs(" goto ", out);
        print_goto(out, bb->edges[e].next);
    }
    if (bb->kind == SIMT_END_VARYING || bb->kind == SIMT_END_SWITCH_VARYING) {
        fputs("; goto ", out);
        print_goto(out, bb->next);
    }
    fputc('\n', out);
}

static void dump_schedule(FILE *out, const struct simt_kernel *k)
{
    fprintf(out, "%s: %s%s%s%s%s\n", k->func->name,
            k->is_full ? "all lanes" : "masked",
            simt_compare_lanes(k) == SIMT_LANES_ONE ? ", better one by one"
                                                    : "",
            k->has_barrier ? ", barriers" : "", k->has_calls ? ", calls" : "",
            k->lanes_may_wait ? ", lanes wait"
            : k->has_waits    ? ", warps wait"
                              : "");
    for (uint32_t b = 0; b < k->block_count; b++)
        dump_block_schedule(out, k, b);
}

char *simt_dump(const struct simt_kernel *k, enum simt_dump what)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    switch (what) {
    case SIMT_DUMP_CFG:
        dump_cfg(out, k);
        break;
    case SIMT_DUMP_DOT:
        dump_dot(out, k);
        break;
    case SIMT_DUMP_SHAPES:
        dump_shapes(out, k);
        break;
    case SIMT_DUMP_SCHEDULE:
        dump_schedule(out, k);
        break;
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
