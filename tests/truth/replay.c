/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the forms of a family on one engine and compares every result with what
 * a GPU gave. What differs is listed with its inputs.
 *
 *     truth_replay simd|emu|uniform|lanes FAMILY.truth.zst [WORD...]
 *
 * uniform: the simd engine with the same operands in all lanes of a warp, which
 * compiles to scalars; forms that look at other lanes or at memory are left
 * out. lanes: the simd engine with one lane to a call. With words: only forms
 * whose text contains one of them.
 */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_PER_FORM = 3, SHOWN_FORMS = 4000 };

struct totals {
    size_t forms, results, wrong_forms, wrong_results, refused, unexpected;
    size_t missing;
};

static struct options {
    enum truth_engine engine;
    char **words;
    int word_count;
} options;

/* ---- one form ----------------------------------------------------------- */

static void print_value(const struct truth_kind *kind, uint64_t v)
{
    if (kind->bits == 1)
        printf(" %d", (int)v);
    else
        printf(" %0*llx", (int)kind->bits / 4, (unsigned long long)v);
}

static void print_mismatch(const struct truth_form *f, const uint64_t *in,
                           unsigned sample, const uint64_t *want,
                           const uint64_t *got)
{
    unsigned samples = f->row->samples;

    printf("    %4u |", sample);
    for (unsigned k = 0; k < f->in_count; k++)
        print_value(f->in[k], in[(size_t)sample * f->in_count + k]);
    printf(" |");
    for (unsigned k = 0; k < f->out_count; k++)
        print_value(f->out[k], want[(size_t)k * samples + sample]);
    printf(" |");
    for (unsigned k = 0; k < f->out_count; k++)
        print_value(f->out[k], got[(size_t)k * samples + sample]);
    printf("\n");
}

static void compare(const struct truth_form *f, const uint64_t *in,
                    const uint64_t *want, const uint64_t *got, struct totals *t)
{
    unsigned samples = f->row->samples, wrong = 0;

    for (unsigned s = 0; s < samples; s++) {
        bool ok = true;
        for (unsigned k = 0; k < f->out_count; k++) {
            size_t at = (size_t)k * samples + s;
            ok = ok && truth_agrees(f, k, in + (size_t)s * f->in_count,
                                    want[at], got[at], options.engine);
        }
        t->results += f->out_count;
        if (ok)
            continue;
        t->wrong_results++;
        if (wrong == 0 && ++t->wrong_forms <= SHOWN_FORMS)
            printf("  %s\n    sample | inputs | hardware | %s\n", f->name,
                   truth_engine_name(options.engine));
        if (wrong++ < SHOWN_PER_FORM && t->wrong_forms <= SHOWN_FORMS)
            print_mismatch(f, in, s, want, got);
    }
    if (wrong > SHOWN_PER_FORM && t->wrong_forms <= SHOWN_FORMS)
        printf("    ... %u of %u differ\n", wrong, samples);
}

/* ---- groups ------------------------------------------------------------- */

static const uint64_t *recorded(const struct truth_record *r,
                                const struct truth_form *f)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->names[i], f->name) == 0)
            return r->samples[i] == f->row->samples &&
                           r->outputs[i] == f->out_count
                       ? r->results[i]
                       : NULL;
    return NULL;
}

static void refuse(const struct truth_form *f, const char *why,
                   struct totals *t)
{
    t->refused++;
    if (truth_may_refuse(f, options.engine))
        return;
    if (t->unexpected++ < SHOWN_FORMS)
        printf("  refused: %s\n%s\n", f->name, why ? why : "");
}

/* A group that does not compile is taken apart, to see which form it is. */
static void run_group(const struct truth_forms *forms, struct truth_range g,
                      const struct truth_record *r, struct totals *t)
{
    char *why = NULL;
    uint64_t *out = truth_run(forms, g, options.engine, &why);

    if (!out && g.end - g.first > 1) {
        struct truth_range low = g, high = g;
        low.end = high.first = (g.first + g.end) / 2;
        free(why);
        run_group(forms, low, r, t);
        run_group(forms, high, r, t);
        return;
    }
    if (!out) {
        refuse(&forms->at[g.first], why, t);
        free(why);
        return;
    }
    uint64_t *in = truth_inputs(&forms->at[g.first]);
    const uint64_t *got = out;
    for (size_t i = g.first; i < g.end; i++) {
        const struct truth_form *f = &forms->at[i];
        const uint64_t *want = recorded(r, f);
        t->forms++;
        if (want)
            compare(f, in, want, got, t);
        else if (t->missing++ < SHOWN_FORMS)
            printf("  nothing recorded for: %s\n", f->name);
        got += (size_t)f->out_count * f->row->samples;
    }
    free(in);
    free(out);
}

static bool is_wanted(const struct truth_form *f)
{
    for (int i = 0; i < options.word_count; i++)
        if (strstr(f->name, options.words[i]))
            return true;
    return options.word_count == 0;
}

/* Forms that are not wanted go to the end and off the list. */
static void choose(struct truth_forms *forms)
{
    size_t kept = 0;

    for (size_t i = 0; i < forms->count; i++) {
        struct truth_form f = forms->at[i];
        bool keep = is_wanted(&f) &&
                    (options.engine != TRUTH_UNIFORM || !truth_needs_lanes(&f));
        if (!keep)
            continue;
        forms->at[i] = forms->at[kept];
        forms->at[kept++] = f;
    }
    forms->count = kept;
}

static struct totals replay(const char *family, const struct truth_record *r)
{
    struct truth_forms forms = truth_forms_make(family);
    size_t all = forms.count;
    struct totals t = {0};

    choose(&forms);
    for (size_t i = 0; i < forms.count;) {
        struct truth_range g = {i, truth_group_end(&forms, i)};
        run_group(&forms, g, r, &t);
        i = g.end;
    }
    forms.count = all;
    truth_forms_free(&forms);
    return t;
}

/* DIRECTORY/integer.truth.zst is about integer. */
static bool family_of(const char *path, char family[64])
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = strcspn(name, ".");

    if (length >= 64)
        return false;
    memcpy(family, name, length);
    family[length] = '\0';
    return true;
}

int main(int argc, char **argv)
{
    struct truth_record record;
    char family[64];

    if (argc < 3 || !truth_engine_find(argv[1], &options.engine) ||
        !family_of(argv[2], family)) {
        fprintf(stderr, "usage: truth_replay simd|emu|uniform|lanes "
                        "FAMILY.truth.zst [WORD...]\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    options.words = argv + 3;
    options.word_count = argc - 3;
    if (!truth_read(argv[2], &record))
        return 2;
    struct totals t = replay(family, &record);
    truth_stop();
    printf("%s on %s: %zu forms, %zu results; %zu forms (%zu results) differ, "
           "%zu refused (%zu of them not expected), %zu not recorded\n",
           family, truth_engine_name(options.engine), t.forms, t.results,
           t.wrong_forms, t.wrong_results, t.refused, t.unexpected, t.missing);
    truth_record_free(&record);
    return t.wrong_forms || t.unexpected || t.missing ||
           t.forms + t.refused == 0;
}
