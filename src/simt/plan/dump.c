/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan as text: what holds for the kernel, then every block and
 * instruction about which something was decided.
 *
 *     scale: 32 lanes to a call
 *     b1: grid-stride loop, next warp after 4 iterations
 *     31: atom.global.add.u32 %r4, [%rd2], %r3;  # no ticket counter: in a loop
 */
#include "simt/plan/internal.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *text, *number;
} decisions[] = {
#define SIMT_DECISION(name, text, number) {text, number},
#define SIMT_REASON(name, text)
#include "simt/plan/decisions.def"
};

static const char *const reasons[] = {
    [SIMT_TAKEN] = NULL,
#define SIMT_DECISION(name, text, number)
#define SIMT_REASON(name, text) [SIMT_REASON_##name] = text,
#include "simt/plan/decisions.def"
};

static void print_note(FILE *out, const struct simt_note *n)
{
    const char *number = decisions[n->decision].number;

    assert(n->decision < ARRAY_COUNT(decisions) &&
           n->reason < ARRAY_COUNT(reasons));
    if (n->reason != SIMT_TAKEN) {
        fprintf(out, "no %s: ", decisions[n->decision].text);
        fprintf(out, reasons[n->reason], (long long)n->number);
        return;
    }
    fputs(decisions[n->decision].text, out);
    if (*number) {
        char text[128];
        snprintf(text, sizeof text, number, (long long)n->number);
        fprintf(out, ", %s", text);
    }
}

/* Prints all notes about one thing on a line that begins with `before`. */
static void print_notes(FILE *out, const struct simt_plan *p,
                        struct simt_note about, const char *before)
{
    unsigned count = 0;

    for (size_t i = 0; i < p->note_count; i++) {
        const struct simt_note *n = &p->notes[i];
        if (n->of != about.of || n->at != about.at)
            continue;
        fputs(count++ ? "; " : before, out);
        print_note(out, n);
    }
    if (count)
        fputc('\n', out);
}

static void print_block(FILE *out, const struct simt_plan *p, uint32_t b)
{
    const struct ptx_func *f = p->k->func;
    char inst[400], before[512];

    snprintf(before, sizeof before, "b%u: ", b);
    print_notes(out, p, (struct simt_note){.of = SIMT_OF_BLOCK, .at = b},
                before);
    for (uint32_t i = p->k->blocks[b].first; i < p->k->blocks[b].end; i++) {
        ptx_print_inst(f, &f->insts[i], inst, sizeof inst);
        snprintf(before, sizeof before, "%u: %s  # ", f->insts[i].line, inst);
        print_notes(out, p, (struct simt_note){.of = SIMT_OF_INST, .at = i},
                    before);
    }
}

char *simt_dump_plan(const struct simt_plan *p)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    fprintf(out, "%s: %u lanes to a call\n", p->k->func->name,
            simt_coarse_lanes(&p->k->spec));
    print_notes(out, p, (struct simt_note){SIMT_OF_KERNEL}, "");
    for (uint32_t b = 0; b < p->k->block_count; b++)
        print_block(out, p, b);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
