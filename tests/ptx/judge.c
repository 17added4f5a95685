/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx-judge [-n N] [-s SEED] [-o OPCODE] [-v] PTXAS: does PTXAS take what we
 * take? From every row of forms.def come instructions: right ones, and such
 * with a suffix, operand, type, version or target that is wrong. Each is put
 * to our checker and to PTXAS; what they disagree on is printed, then how
 * often they agree.
 *
 *   -n N       so many instructions of a row (60)
 *   -o OPCODE  only this one
 *   -f FILE    ask about the instructions in the file instead
 *   -w FILE    ... about the modules, one a line
 *   -m N       fail if more than N in a thousand differ
 *   -v         print all that differ, not only the first of a row
 */
#include "instructions.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- candidates --------------------------------------------------------- */

enum kind {
    KIND_right,
    KIND_suffix,
    KIND_operand,
    KIND_age,
    KIND_listed,
    KIND_COUNT
};
static const char *const kind_names[] = {"right", "suffix", "operand", "age",
                                         "listed"};

struct candidate {
    char text[TEXT_MAX];
    unsigned version, sm; /* sm: with SM_ARCH */
    size_t form;
    enum kind kind;
    bool ours, theirs;
    bool is_module; /* not an instruction */
    char our_reason[200], their_reason[200];
};

static VEC(struct candidate) candidates;

static void add_candidate(const struct row *r, const char *spelling,
                          const char *letters, const struct types *t,
                          const struct mutation *m, enum kind kind,
                          unsigned version, unsigned sm)
{
    struct candidate c = {.version = version,
                          .sm = sm,
                          .kind = kind,
                          .form = (size_t)(r->form - ptx_forms)};
    size_t len = (size_t)snprintf(c.text, sizeof c.text, "%s", spelling);
    put_operands(c.text + len, sizeof c.text - len, letters, t, m);
    must_have_memory(vec_push(&candidates, c));
}

static const unsigned targets[] = {10, 11, 12, 13, 20, 30, 32, 35,
                                   37, 50, 52, 53, 60, 61, 62, 70,
                                   72, 75, 80, 86, 87, 89, 90, 90 | SM_ARCH};

static unsigned target_before(unsigned sm)
{
    if (sm & SM_ARCH)
        return sm & ~SM_ARCH;
    unsigned before = 0;
    for (size_t i = 0; i < ARRAY_COUNT(targets); i++)
        if (targets[i] < sm)
            before = targets[i];
    return before;
}

static unsigned default_version(const struct row *r)
{
    return r->before == 14 ? 13 : r->before ? r->before - 1 : 90;
}

static unsigned default_sm(const struct row *r)
{
    return r->before == 14 ? 13 : r->before ? 60 : 90 | SM_ARCH;
}

static const struct mutation as_is = {.bad = -1, .drop = -1};
static const struct mutation in_full = {
    .bad = -1, .drop = -1, .with_optional = true};

static void add_right(const struct row *r, const struct spelled_row *s)
{
    unsigned version = default_version(r), sm = default_sm(r);
    if ((s->sm & ~SM_ARCH) > 90)
        return;
    for (const char *form = r->form->operands; form;
         form = strchr(form, ' ') ? strchr(form, ' ') + 1 : NULL) {
        add_candidate(r, s->text, form, &s->types, &as_is, KIND_right, version,
                      sm);
        if (strpbrk(form, "?|"))
            add_candidate(r, s->text, form, &s->types, &in_full, KIND_right,
                          version, sm);
    }
}

static void add_ages(const struct row *r, const struct spelled_row *s)
{
    static const unsigned versions[] = {
        10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 30, 31, 32, 40, 41,
        42, 43, 50, 60, 61, 62, 63, 64, 65, 70, 71, 72, 73, 74, 75,
        76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90};
    if ((s->sm & ~SM_ARCH) > 90 || r->before)
        return;
    unsigned before = 0;
    for (size_t i = 0; i < ARRAY_COUNT(versions); i++)
        if (versions[i] < s->since)
            before = versions[i];
    const char *form = r->form->operands;
    add_candidate(r, s->text, form, &s->types, &as_is, KIND_age, s->since,
                  s->sm);
    if (before >= version_of(s->sm))
        add_candidate(r, s->text, form, &s->types, &as_is, KIND_age, before,
                      s->sm);
    unsigned sm = target_before(s->sm);
    if (sm)
        add_candidate(r, s->text, form, &s->types, &as_is, KIND_age,
                      later(s->since, version_of(s->sm)), sm);
}

static void add_bad_operands(const struct row *r, const struct spelled_row *s)
{
    static const char *const others[] = {
        "%pred_0",
        "%b16_0",
        "%b32_0",
        "%b64_0",
        "%u16_1",
        "%u32_1",
        "%u64_1",
        "%s32_1",
        "%f32_1",
        "%f64_1",
        "%f16_1",
        "5",
        "0f3F800000",
        "_",
        "!%pred_1",
        "[%u64_0]",
        "{%u32_0,%u32_1}",
        "%tid.x",
        "vglobal",
        "-1",
        "1.5",
        "%s64_0",
        "%s16_0",
    };
    if ((s->sm & ~SM_ARCH) > 90)
        return;
    const char *form = r->form->operands;
    int count = 0;
    for (const char *c = form; *c && *c != ' ' && *c != '@'; c++)
        count += *c != '?' && *c != '|' && (*c != 'h' || s->types.has_hint);
    struct mutation m = in_full;
    if (count) {
        m.bad = (int)random_below((unsigned)count);
        m.instead = others[random_below(ARRAY_COUNT(others))];
        add_candidate(r, s->text, form, &s->types, &m, KIND_operand,
                      default_version(r), default_sm(r));
    }
    if (count && random_below(4) == 0) {
        m = as_is;
        m.drop = (int)random_below((unsigned)count);
        add_candidate(r, s->text, form, &s->types, &m, KIND_operand,
                      default_version(r), default_sm(r));
    }
    if (random_below(6) == 0) {
        m = as_is;
        m.is_longer = true;
        add_candidate(r, s->text, form, &s->types, &m, KIND_operand,
                      default_version(r), default_sm(r));
    }
}

/* One suffix left out, doubled, or taken from another form of any opcode. */
static void add_bad_suffix(const struct row *r, const struct spelled_row *s)
{
    if ((s->sm & ~SM_ARCH) > 90)
        return;
    struct spelled_row bad = *s;
    unsigned how = random_below(3);
    char *dot = strchr(bad.text, '.');
    if (how == 0 && dot) {
        char *end = strchr(dot + 1, '.');
        memmove(dot, end ? end : dot + strlen(dot), end ? strlen(end) + 1 : 1);
    } else {
        struct row other;
        size_t n = ptx_form_count;
        size_t pick = how == 1
                          ? (size_t)random_below((unsigned)n)
                          : (size_t)(r->form - ptx_forms) + random_below(5) - 2;
        if (pick >= n)
            return;
        read_row(&other, &ptx_forms[pick]);
        if (!other.count)
            return;
        const struct word *w = &other.word[random_below(other.count)];
        char suffix[60];
        snprintf(suffix, sizeof suffix, ".%s",
                 w->choice[random_below(w->count)].text);
        if (strlen(bad.text) + strlen(suffix) >= sizeof bad.text)
            return;
        dot = dot ? dot : bad.text + strlen(bad.text);
        memmove(dot + strlen(suffix), dot, strlen(dot) + 1);
        memcpy(dot, suffix, strlen(suffix));
    }
    add_candidate(r, bad.text, r->form->operands, &s->types, &as_is,
                  KIND_suffix, default_version(r), default_sm(r));
}

static void add_row(const struct form_row *form, unsigned limit)
{
    struct row r;
    unsigned pick[WORD_MAX] = {0};
    struct spelled_row s;
    read_row(&r, form);
    if (!has_plain_operands(form))
        return;
    for (unsigned i = 0; i < r.count; i++)
        pick[i] = r.word[i].is_optional ? r.word[i].count : 0;
    /* Each choice once, then at random. */
    spell(&r, pick, &s);
    add_right(&r, &s);
    add_ages(&r, &s);
    for (unsigned i = 0; i < r.count; i++) {
        unsigned kept = pick[i];
        for (unsigned k = 0; k < r.word[i].count; k++) {
            pick[i] = k;
            spell(&r, pick, &s);
            add_right(&r, &s);
            add_ages(&r, &s);
        }
        pick[i] = kept;
    }
    for (unsigned n = 0; n < limit; n++) {
        for (unsigned i = 0; i < r.count; i++)
            pick[i] = random_below(r.word[i].count + r.word[i].is_optional);
        spell(&r, pick, &s);
        if (n % 4 == 0)
            add_right(&r, &s);
        if (n % 8 == 0)
            add_ages(&r, &s);
        add_bad_operands(&r, &s);
        if (n % 2 == 0)
            add_bad_suffix(&r, &s);
    }
}

/* A list of instructions or modules, one a line, # before what is none. */
static bool add_list(const char *name, bool is_module)
{
    char line[TEXT_MAX];
    FILE *file = fopen(name, "r");
    if (!file) {
        fprintf(stderr, "cannot read %s\n", name);
        return false;
    }
    while (fgets(line, sizeof line, file)) {
        struct candidate c = {.version = 90,
                              .sm = 90 | SM_ARCH,
                              .kind = KIND_listed,
                              .is_module = is_module};
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#')
            continue;
        snprintf(c.text, sizeof c.text, "%s", line);
        must_have_memory(vec_push(&candidates, c));
    }
    fclose(file);
    return true;
}

/* ---- verdicts ----------------------------------------------------------- */

struct batch {
    struct candidate **list;
    size_t count;
};

static char *batch_text(const struct batch *b)
{
    size_t size = 4096 + b->count * (TEXT_MAX + 2);
    char *text = malloc(size);
    must_have_memory(text);
    if (b->list[0]->is_module) {
        snprintf(text, size,
                 ".version 9.0 .target sm_90a .address_size 64\n%s\n",
                 b->list[0]->text);
        return text;
    }
    size_t len = put_header(text, size, b->list[0]->version, b->list[0]->sm);
    for (size_t i = 0; i < b->count; i++)
        len += (size_t)snprintf(text + len, size - len, "%s\n",
                                b->list[i]->theirs ? b->list[i]->text : "");
    /* An error at the end keeps it from making code of the rest. */
    snprintf(text + len, size - len, "judge; ret; }\n");
    return text;
}

/* Whether that is news. */
static bool reject(const struct batch *b, unsigned long line, bool is_ours,
                   const char *reason)
{
    if (b->list[0]->is_module) /* wherever it is */
        line = 2;
    if (line < 2 || line - 2 >= b->count)
        return false;
    struct candidate *c = b->list[line - 2];
    char *to = is_ours ? c->our_reason : c->their_reason;
    bool *verdict = is_ours ? &c->ours : &c->theirs;
    if (!*verdict)
        return false;
    snprintf(to, sizeof c->our_reason, "%.*s", (int)strcspn(reason, "\n"),
             reason);
    *verdict = false;
    return true;
}

static void ask_ourselves(const struct batch *b, const char *text)
{
    struct diag diag;
    diag_init(&diag);
    diag.error_limit = UINT32_MAX;
    struct ptx_module *m = ptx_parse("m", text, strlen(text), &diag);
    for (const char *c = diag.text; c && *c; c = strchr(c, '\n') + 1) {
        const char *error = strstr(c, "error: ");
        if (c[0] == 'm' && c[1] == ':' && error && error < strchr(c, '\n'))
            reject(b, strtoul(c + 2, NULL, 10), true, error + 7);
    }
    ptx_module_destroy(m);
    diag_fini(&diag);
}

/* MORE was found wrong, which is not asked again. */
enum answer { DONE, MORE, CRASHED };

static enum answer ask_once(const struct batch *b, const char *ptxas,
                            const char *folder)
{
    bool is_news = false;
    char *text = batch_text(b);
    char name[300], command[800], line[1000];
    snprintf(name, sizeof name, "%s/judge.ptx", folder);
    FILE *file = fopen(name, "w");
    must_have_memory(file);
    fputs(text, file);
    fclose(file);
    free(text);
    snprintf(command, sizeof command,
             "ulimit -v 4000000; timeout 20 '%s' -arch sm_90a %s '%s' -o "
             "/dev/null 2>&1",
             ptxas, b->list[0]->version >= 31 ? "-c" : "", name);
    FILE *answer = popen(command, "r");
    must_have_memory(answer);
    while (fgets(line, sizeof line, answer)) {
        const char *at = strstr(line, ", line ");
        const char *error = strstr(line, "error   : ");
        if (at && error)
            is_news |= reject(b, strtoul(at + 7, NULL, 10), false, error + 10);
        else if (at && strstr(line, "fatal   : "))
            is_news |= reject(b, strtoul(at + 7, NULL, 10), false,
                              strstr(line, "fatal   : ") + 10);
        else if (b->list[0]->is_module && !strstr(line, "warning"))
            reject(b, 2, false, line);
        else if (strstr(line, "fatal") && !strstr(line, "aborted due"))
            fprintf(stderr, "%s", line);
    }
    int status = pclose(answer);
    remove(name);
    bool is_good = WIFEXITED(status) &&
                   (WEXITSTATUS(status) < 128 || WEXITSTATUS(status) == 255);
    return !is_good ? CRASHED : is_news ? MORE : DONE;
}

static void ask_ptxas(const struct batch *b, const char *ptxas,
                      const char *folder)
{
    enum answer answer;
    if (b->list[0]->is_module) {
        ask_once(b, ptxas, folder);
        return;
    }
    /* It stops after so many errors. */
    while ((answer = ask_once(b, ptxas, folder)) == MORE)
        ;
    if (answer == DONE)
        return;
    if (b->count == 1) {
        reject(b, 2, false, "ptxas crashed");
        return;
    }
    struct batch first = {b->list, b->count / 2};
    struct batch rest = {b->list + first.count, b->count - first.count};
    ask_ptxas(&first, ptxas, folder);
    ask_ptxas(&rest, ptxas, folder);
}

static int by_age(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->version != y->version)
        return x->version < y->version ? -1 : 1;
    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    return x->form < y->form ? -1 : x->form > y->form;
}

static void judge_all(const char *ptxas, const char *folder)
{
    qsort(candidates.data, candidates.count, sizeof *candidates.data, by_age);
    for (size_t i = 0; i < candidates.count;) {
        struct candidate *first = &candidates.data[i];
        struct candidate *list[400];
        struct batch b = {.list = list};
        for (; i < candidates.count && b.count < ARRAY_COUNT(list) &&
               candidates.data[i].version == first->version &&
               candidates.data[i].sm == first->sm &&
               !(b.count && first->is_module);
             i++) {
            list[b.count] = &candidates.data[i];
            list[b.count]->ours = list[b.count]->theirs = true;
            b.count++;
        }
        char *text = batch_text(&b);
        ask_ourselves(&b, text);
        free(text);
        ask_ptxas(&b, ptxas, folder);
    }
}

/* ---- the report --------------------------------------------------------- */

static unsigned report(bool is_verbose)
{
    size_t count[KIND_COUNT] = {0}, same[KIND_COUNT] = {0}, all = 0, agreed = 0;
    size_t last[KIND_COUNT] = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX,
                               SIZE_MAX};
    for (size_t i = 0; i < candidates.count; i++) {
        const struct candidate *c = &candidates.data[i];
        count[c->kind]++;
        same[c->kind] += c->ours == c->theirs;
        if (c->ours == c->theirs ||
            (!is_verbose && c->kind != KIND_listed && last[c->kind] == c->form))
            continue;
        last[c->kind] = c->form;
        printf("%-7s %u.%u sm_%u%s  %s\n    %s: %s\n", kind_names[c->kind],
               c->version / 10, c->version % 10, c->sm & ~SM_ARCH,
               c->sm & SM_ARCH ? "a" : "", c->text, c->ours ? "ptxas" : "weft",
               c->ours ? c->their_reason : c->our_reason);
    }
    for (int k = 0; k < KIND_COUNT; k++) {
        printf("%-8s %6zu asked, %6zu the same\n", kind_names[k], count[k],
               same[k]);
        all += count[k];
        agreed += same[k];
    }
    printf("agreement: %zu of %zu, %.2f%%\n", agreed, all,
           all ? 100.0 * (double)agreed / (double)all : 100.0);
    return all ? (unsigned)((all - agreed) * 1000 / all) : 0;
}

int main(int argc, char **argv)
{
    unsigned limit = 60, worst = 1000;
    const char *only = NULL;
    bool is_verbose = false, has_list = false;
    for (int opt; (opt = getopt(argc, argv, "n:s:o:m:f:w:v")) != -1;) {
        if (opt == 'n')
            limit = (unsigned)strtoul(optarg, NULL, 10);
        else if (opt == 's')
            seed = strtoull(optarg, NULL, 10) * 2 + 1;
        else if (opt == 'o')
            only = optarg;
        else if ((opt == 'f' || opt == 'w') && add_list(optarg, opt == 'w'))
            has_list = true;
        else if (opt == 'm')
            worst = (unsigned)strtoul(optarg, NULL, 10);
        else if (opt == 'v')
            is_verbose = true;
        else
            return 2;
    }
    if (optind < argc && access(argv[optind], X_OK) != 0) {
        fprintf(stderr, "no %s here: skipped\n", argv[optind]);
        return 77;
    }
    if (optind >= argc) {
        fprintf(stderr, "usage: ptx-judge [-n N] [-s SEED] [-o OPCODE] "
                        "[-m N] [-v] PTXAS\n");
        return 2;
    }
    char folder[] = "/tmp/ptx-judge-XXXXXX";
    must_have_memory(mkdtemp(folder));
    for (size_t i = 0; i < ptx_form_count && !has_list; i++)
        if (!only || strcmp(only, ptx_op_name(ptx_forms[i].op)) == 0)
            add_row(&ptx_forms[i], limit);
    judge_all(argv[optind], folder);
    rmdir(folder);
    unsigned differ = report(is_verbose);
    vec_fini(&candidates);
    return differ > worst;
}
