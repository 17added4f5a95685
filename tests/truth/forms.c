/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the rows of cases.def to forms. A pattern holds alternatives,
 * `add<,.sat>.<s32,u32>` or `lop3 ... <0..255>`, and stands for all their
 * combinations. The operands of a plain opcode follow from letters and from the
 * types in its spelling.
 */
#include "truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct truth_case truth_cases[] = {
#define CASE(family, pattern, operands, samples, rule)                         \
    {#family, pattern, operands, samples, TRUTH_##rule},
#include "cases.def"
};
const size_t truth_case_count = sizeof truth_cases / sizeof *truth_cases;

#define BUFFER 4096

static void fail(const struct truth_case *row, const char *what,
                 const char *where)
{
    fprintf(stderr, "cases.def: %s: %s (at `%s`)\n", row->pattern, what, where);
    exit(2);
}

static void *grown(void *at, size_t count, size_t size_bytes)
{
    if (count & (count - 1))
        return at;
    at = realloc(at, (count ? count * 2 : 1) * size_bytes);
    if (!at)
        abort();
    return at;
}

/* ---- operands ----------------------------------------------------------- */

/* The type suffixes of a spelling, in order. */
static unsigned types_of(const char *spelling, const char *found[4],
                         size_t lengths[4])
{
    unsigned n = 0;
    for (const char *c = strchr(spelling, '.'); c; c = strchr(c, '.')) {
        size_t length = strcspn(++c, ". ");
        if (n < 4 && truth_kind_find(c, length)) {
            found[n] = c;
            lengths[n++] = length;
        }
    }
    return n;
}

static const struct truth_kind *kind_of(const struct truth_case *row,
                                        const char *name, size_t length)
{
    const struct truth_kind *k = truth_kind_find(name, length);
    if (!k)
        fail(row, "no kind of this name in kinds.def", name);
    return k;
}

static const struct truth_kind *twice(const struct truth_kind *k)
{
    char name[8];
    snprintf(name, sizeof name, "%c%u", k->name[0],
             2 * (unsigned)atoi(k->name + 1));
    return truth_kind_find(name, strlen(name));
}

/* What a letter stands for in this spelling. */
static const struct truth_kind *kind_of_letter(const struct truth_case *row,
                                               const char *spelling, char c)
{
    const char *found[4];
    size_t lengths[4];
    unsigned n = types_of(spelling, found, lengths);
    const struct truth_kind *k;

    switch (c) {
    case 'd':
    case 'c':
    case 's':
    case 'v':
    case 'w':
        if (n == 0)
            fail(row, "no type in this spelling", spelling);
        k = kind_of(row, found[0], lengths[0]);
        return c != 's' && strstr(spelling, ".wide") ? twice(k) : k;
    case 't':
        return kind_of(row, found[n > 1], lengths[n > 1]);
    case 'D':
        return truth_kind_find("b32", 3);
    case 'x':
        return truth_kind_find("shift", 5);
    case 'p':
    case 'q':
        return truth_kind_find("pred", 4);
    default:
        fail(row, "a letter that needs its operands written out", spelling);
        return NULL;
    }
}

static bool is_dest(char c)
{
    return c && strchr("dDpvR", c);
}

/* `dss` or `p|pssq`: the body is the spelling and its operands. */
static void operands_by_letter(struct truth_form *f, const char *letters)
{
    char body[BUFFER];
    int at = snprintf(body, sizeof body, "%s", f->name);
    bool is_joined = false;

    for (const char *c = letters; *c; c++) {
        if (*c == '|') {
            is_joined = true;
            continue;
        }
        const struct truth_kind *k = kind_of_letter(f->row, f->name, *c);
        const char *comma = is_joined ? "|" : c == letters ? " " : ", ";
        if (is_dest(*c)) {
            at += snprintf(body + at, sizeof body - (size_t)at, "%s%%o%u",
                           comma, f->out_count);
            f->out[f->out_count++] = k;
        } else {
            at += snprintf(body + at, sizeof body - (size_t)at, "%s%%i%u",
                           comma, f->in_count);
            f->in[f->in_count++] = k;
        }
        is_joined = false;
    }
    snprintf(body + at, sizeof body - (size_t)at, ";");
    f->body = strdup(body);
}

/* `2xb32, pred`: kinds by name, with a count before an x. */
static unsigned kinds_by_name(const struct truth_case *row, const char *text,
                              size_t length, const struct truth_kind **out,
                              unsigned max)
{
    unsigned n = 0;
    const char *end = text + length;

    while (text < end) {
        unsigned count = 1;
        int skip = 0;
        text += strspn(text, " ,");
        if (text >= end)
            break;
        if (sscanf(text, "%ux%n", &count, &skip) == 1 && skip)
            text += skip;
        size_t word = strcspn(text, " ,()");
        while (count--) {
            if (n == max)
                fail(row, "too many operands", text);
            out[n++] = kind_of(row, text, word);
        }
        text += word;
    }
    return n;
}

/* `b32(f32, 2xf32)`: results, then sources; the name is the body. */
static void operands_by_name(struct truth_form *f, const char *operands)
{
    const char *open = strchr(operands, '('), *close = strchr(operands, ')');

    if (!close)
        fail(f->row, "`)` is missing", operands);
    f->out_count = kinds_by_name(f->row, operands, (size_t)(open - operands),
                                 f->out, TRUTH_MAX_OUT);
    f->in_count = kinds_by_name(f->row, open + 1, (size_t)(close - open - 1),
                                f->in, TRUTH_MAX_IN);
    f->body = strdup(f->name);
}

/* What the operands hold is part of the name, after the text. */
static void name_with_operands(struct truth_form *f, const char *operands)
{
    size_t size = strlen(f->name) + strlen(operands) + 5;
    char *name = malloc(size);

    if (!name)
        abort();
    snprintf(name, size, "%s  // %s", f->name, operands);
    free(f->name);
    f->name = name;
}

/* ---- alternatives ------------------------------------------------------- */

struct expansion {
    const struct truth_case *row;
    struct truth_forms *to;
    const char *chosen[16], *chosen_end[16]; /* for <#n> */
    unsigned chosen_count;
};

/* The row's operands, where #n stands for the pattern's n-th choice. */
static void choose_kinds(const struct expansion *e, char operands[BUFFER])
{
    size_t n = 0;

    for (const char *c = e->row->operands; *c; c++) {
        const char *from = c;
        size_t length = 1;
        if (*c == '#') {
            unsigned choice = (unsigned)(*++c - '0');
            if (choice >= e->chosen_count)
                fail(e->row, "no choice of this number", c);
            from = e->chosen[choice];
            length = (size_t)(e->chosen_end[choice] - from);
        }
        if (n + length >= BUFFER)
            fail(e->row, "too long", c);
        memcpy(operands + n, from, length);
        n += length;
    }
    operands[n] = '\0';
}

static void add_form(struct expansion *e, const char *name)
{
    struct truth_forms *to = e->to;
    to->at = grown(to->at, to->count, sizeof *to->at);
    struct truth_form *f = &to->at[to->count++];

    *f = (struct truth_form){.name = strdup(name), .row = e->row};
    if (!f->name)
        abort();
    if (strchr(e->row->operands, '(')) {
        char operands[BUFFER] = "";
        choose_kinds(e, operands);
        operands_by_name(f, operands);
        name_with_operands(f, operands);
    } else {
        operands_by_letter(f, e->row->operands);
    }
}

static void join(const struct expansion *e, char out[BUFFER], const char *done,
                 const char *more, size_t length)
{
    size_t n = strlen(done);

    if (n + length >= BUFFER)
        fail(e->row, "too long", more);
    memcpy(out, done, n);
    memcpy(out + n, more, length);
    out[n + length] = '\0';
}

static void expand(struct expansion *e, const char *done, const char *rest);

static void expand_with(struct expansion *e, const char *done,
                        const char *choice, size_t length, const char *rest)
{
    char text[BUFFER];

    join(e, text, done, choice, length);
    e->chosen[e->chosen_count] = choice;
    e->chosen_end[e->chosen_count++] = choice + length;
    expand(e, text, rest);
    e->chosen_count--;
}

/* Takes the first <...> of `rest` apart; `done` stands before it. */
static void expand(struct expansion *e, const char *done, const char *rest)
{
    char text[BUFFER];
    const char *open = strchr(rest, '<'), *close = open ? strchr(open, '>') : 0;
    int first, last;

    if (!open) {
        join(e, text, done, rest, strlen(rest));
        add_form(e, text);
        return;
    }
    if (!close || e->chosen_count == 16)
        fail(e->row, "`>` is missing", open);
    join(e, text, done, rest, (size_t)(open - rest));
    if (open[1] == '#') { /* the n-th choice again */
        unsigned n = (unsigned)(open[2] - '0');
        if (n >= e->chosen_count)
            fail(e->row, "no choice of this number", open);
        char more[BUFFER];
        join(e, more, text, e->chosen[n],
             (size_t)(e->chosen_end[n] - e->chosen[n]));
        expand(e, more, close + 1);
        return;
    }
    if (sscanf(open, "<%d..%d>", &first, &last) == 2) {
        for (int i = first; i <= last; i++) {
            char number[16];
            snprintf(number, sizeof number, "%d", i);
            expand_with(e, text, number, strlen(number), close + 1);
        }
        return;
    }
    for (const char *c = open + 1; c <= close; c++) {
        size_t length = strcspn(c, ",>");
        expand_with(e, text, c, length, close + 1);
        c += length;
    }
}

bool truth_is_same_work(const struct truth_form *a, const struct truth_form *b)
{
    if (a->in_count != b->in_count || a->row->samples != b->row->samples)
        return false;
    for (unsigned i = 0; i < a->in_count; i++)
        if (a->in[i]->bits != b->in[i]->bits ||
            a->in[i]->format != b->in[i]->format)
            return false;
    return true;
}

/* Forms that can share a kernel stand together; else the order stays. */
static void bring_together(struct truth_forms *forms)
{
    for (size_t first = 0; first < forms->count;) {
        size_t end = first + 1;
        for (size_t i = end; i < forms->count; i++) {
            if (!truth_is_same_work(&forms->at[first], &forms->at[i]))
                continue;
            struct truth_form f = forms->at[i];
            memmove(&forms->at[end + 1], &forms->at[end], (i - end) * sizeof f);
            forms->at[end++] = f;
        }
        first = end;
    }
}

static int by_name(const void *a, const void *b)
{
    const struct truth_form *x = *(struct truth_form *const *)a;
    const struct truth_form *y = *(struct truth_form *const *)b;
    int order = strcmp(x->row->family, y->row->family);
    return order ? order : strcmp(x->name, y->name);
}

/* Records know forms by name. */
static void check_names(const struct truth_forms *forms)
{
    struct truth_form **all = calloc(forms->count + 1, sizeof *all);

    if (!all)
        abort();
    for (size_t i = 0; i < forms->count; i++)
        all[i] = &forms->at[i];
    qsort(all, forms->count, sizeof *all, by_name);
    for (size_t i = 1; i < forms->count; i++)
        if (by_name(&all[i - 1], &all[i]) == 0)
            fail(all[i]->row, "two forms of this name", all[i]->name);
    free(all);
}

struct truth_forms truth_forms_make(const char *family)
{
    struct truth_forms forms = {0};

    for (size_t i = 0; i < truth_case_count; i++) {
        struct expansion e = {.row = &truth_cases[i], .to = &forms};
        if (!family || strcmp(family, truth_cases[i].family) == 0)
            expand(&e, "", truth_cases[i].pattern);
    }
    check_names(&forms);
    bring_together(&forms);
    return forms;
}

void truth_forms_free(struct truth_forms *forms)
{
    for (size_t i = 0; i < forms->count; i++) {
        free(forms->at[i].name);
        free(forms->at[i].body);
    }
    free(forms->at);
    *forms = (struct truth_forms){0};
}
