/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The module: its header, its directives, and what all the parser's files
 * need to look at tokens and to report what is wrong with them. After an
 * error the parser goes on behind the next semicolon or closing brace, so
 * that one run shows several errors.
 *
 * Source: PTX ISA, "PTX Module Directives" and those after it.
 */
#include "ptx/internal.h"

#include "ptx/parse.h"

#include <stdio.h>
#include <stdlib.h>

#define VERSION_MAX    99
#define VERSION_NEWEST 90u
#define PRAGMAS_MAX    100

/* ---- tokens and messages ----------------------------------------------- */

void must_have_memory(bool is_there)
{
    if (is_there)
        return;
    fprintf(stderr, "weft: out of memory while parsing PTX\n");
    abort();
}

void next_token(struct parser *p)
{
    lex_next(&p->lexer, &p->token);
    if (p->token.kind == TOKEN_unfinished) {
        bool is_string = p->token.len && *p->token.start == '"';
        error_at(p, &p->token,
                 is_string ? "string without closing quote"
                           : "comment without end");
        p->token.kind = TOKEN_end;
    }
    if (p->token.kind == TOKEN_bad_number) {
        error_at(p, &p->token, "`%.*s` is no number PTX knows",
                 (int)p->token.len, p->token.start);
        p->token.kind = TOKEN_int;
    }
}

bool is_punct(const struct parser *p, char c)
{
    return p->token.kind == TOKEN_punct && *p->token.start == c;
}

bool is_directive(const struct parser *p, const char *name)
{
    return p->token.kind == TOKEN_directive && token_is(&p->token, name);
}

bool accept_punct(struct parser *p, char c)
{
    if (!is_punct(p, c))
        return false;
    next_token(p);
    return true;
}

bool accept_directive(struct parser *p, const char *name)
{
    if (!is_directive(p, name))
        return false;
    next_token(p);
    return true;
}

static void report_at(struct parser *p, enum diag_severity severity,
                      const struct token *at, const char *format, va_list args)
{
    char message[512];
    vsnprintf(message, sizeof message, format, args);

    /* The text has no NUL; the line must not be read past its end. */
    char line[200];
    size_t len = 0;
    for (const char *c = at->line_start;
         c < p->lexer.end && *c != '\n' && *c && len + 1 < sizeof line;)
        line[len++] = *c++;
    line[len] = 0;
    diag_report(p->diag, severity, p->file_name, at->line,
                (unsigned)(at->start - at->line_start) + 1, line, "%s",
                message);
}

bool error_at(struct parser *p, const struct token *at, const char *format, ...)
{
    va_list args;
    if (diag_is_full(p->diag))
        return false;
    va_start(args, format);
    report_at(p, DIAG_ERROR, at, format, args);
    va_end(args);
    if (diag_is_full(p->diag))
        diag_report(p->diag, DIAG_NOTE, p->file_name, 0, 0, NULL,
                    "too many errors, giving up");
    return false;
}

void warn_at(struct parser *p, const struct token *at, const char *format, ...)
{
    va_list args;
    if (p->warning_count++ >= WARNINGS_MAX)
        return;
    va_start(args, format);
    report_at(p, DIAG_WARNING, at, format, args);
    va_end(args);
}

bool error_expected(struct parser *p, const char *what)
{
    if (p->token.kind == TOKEN_end)
        return error_at(p, &p->token, "expected %s, found the end of the file",
                        what);
    int len = p->token.len < 60 ? (int)p->token.len : 60;
    return error_at(p, &p->token, "expected %s, found `%.*s`", what, len,
                    p->token.start);
}

bool expect_punct(struct parser *p, char c, const char *where)
{
    if (accept_punct(p, c))
        return true;
    char what[80];
    snprintf(what, sizeof what, "`%c` %s", c, where);
    return error_expected(p, what);
}

const char *expect_name(struct parser *p, const char *what)
{
    if (p->token.kind != TOKEN_ident) {
        error_expected(p, what);
        return NULL;
    }
    const char *name = intern(p->names, p->token.start, p->token.len);
    next_token(p);
    return name;
}

bool expect_unsigned(struct parser *p, const char *what, uint64_t max,
                     uint64_t *value)
{
    if (p->token.kind != TOKEN_int)
        return error_expected(p, what);
    if (p->token.value > max)
        return error_at(p, &p->token, "%s is at most %llu, found %.*s", what,
                        (unsigned long long)max, (int)p->token.len,
                        p->token.start);
    *value = p->token.value;
    next_token(p);
    return true;
}

/* From an opening brace to behind its closing one, whatever is inside. */
bool skip_braces(struct parser *p)
{
    struct token open = p->token;
    size_t depth = 0;
    do {
        if (p->token.kind == TOKEN_end)
            return error_at(p, &open, "`{` without `}`");
        if (is_punct(p, '{'))
            depth++;
        else if (is_punct(p, '}'))
            depth--;
        next_token(p);
    } while (depth);
    return true;
}

/* A brace may belong to a vector or an initialiser where the error is, or
 * close the scope around it: that one is on a line of its own. */
void recover(struct parser *p)
{
    uint32_t line = p->token.line;
    while (p->token.kind != TOKEN_end && !is_punct(p, ';')) {
        if (is_punct(p, '}') && p->token.line != line)
            return;
        if (!is_punct(p, '{'))
            next_token(p);
        else if (!skip_braces(p) || !p->depth)
            return;
    }
    accept_punct(p, ';');
}

/* ---- the header -------------------------------------------------------- */

/* .version 8.3: the lexer sees a number with a fraction. */
static bool parse_version(struct parser *p)
{
    if (!is_directive(p, ".version"))
        return error_expected(p, "`.version` first in the module");
    next_token(p);
    struct token at = p->token;
    const char *dot = memchr(at.start, '.', at.len);
    if (at.kind != TOKEN_float64 || !dot)
        return error_expected(p, "a version such as 8.3");
    unsigned major = (unsigned)strtoul(at.start, NULL, 10);
    unsigned minor = (unsigned)strtoul(dot + 1, NULL, 10);
    if (major < 1 || minor > 9 || major > VERSION_MAX / 10)
        return error_at(p, &at, "PTX version %.*s is not known", (int)at.len,
                        at.start);
    p->module->version = major * 10 + minor;
    if (p->module->version > VERSION_NEWEST)
        warn_at(p, &at, "PTX %u.%u is newer than %u.%u, the newest known",
                major, minor, VERSION_NEWEST / 10, VERSION_NEWEST % 10);
    next_token(p);
    return true;
}

static const struct target_row {
    unsigned sm, since;
    const char *letters;
} target_rows[] = {
#define PTX_TARGET(sm, since, letters) {sm, since, letters},
#include "ptx/targets.def"
};

static bool set_target(struct parser *p, const struct token *at,
                       const struct target_row *row, const char *letter)
{
    unsigned version = p->module->version;
    /* sm_90a came with PTX 8.0, a later version than sm_90's. */
    unsigned since = row->sm == 90 && *letter ? 80 : row->since;
    if (*letter && (letter[1] || !strchr(row->letters, *letter)))
        return error_at(p, at, "target `%.*s` is not known", (int)at->len,
                        at->start);
    if (version < since)
        return error_at(p, at,
                        "target `%.*s` needs PTX %u.%u, .version says %u.%u",
                        (int)at->len, at->start, since / 10, since % 10,
                        version / 10, version % 10);
    p->module->sm = row->sm;
    p->module->is_arch_specific = *letter != 0;
    return true;
}

static bool parse_target_option(struct parser *p, const struct token *at,
                                const char *name)
{
    static const char *const others[] = {"texmode_unified", "debug",
                                         "map_f64_to_f32"};
    if (strcmp(name, "texmode_independent") == 0)
        return p->module->is_texmode_independent = true;
    for (size_t i = 0; i < ARRAY_COUNT(others); i++)
        if (strcmp(name, others[i]) == 0)
            return true;
    return error_at(p, at, "target `%s` is not known", name);
}

/* sm_80, sm_90a, compute_80 and words such as texmode_independent. */
static bool parse_target_word(struct parser *p)
{
    struct token at = p->token;
    const char *name = expect_name(p, "a target such as sm_80");
    if (!name)
        return false;
    const char *digits = starts_with(name, "sm_")        ? name + 3
                         : starts_with(name, "compute_") ? name + 8
                                                         : NULL;
    if (!digits)
        return parse_target_option(p, &at, name);
    char *end;
    unsigned long sm = strtoul(digits, &end, 10);
    for (size_t i = 0; i < ARRAY_COUNT(target_rows); i++)
        if (target_rows[i].sm == sm && end - digits <= 3)
            return set_target(p, &at, &target_rows[i], end);
    return error_at(p, &at, "target `%s` is not known", name);
}

static bool parse_target(struct parser *p)
{
    if (!is_directive(p, ".target"))
        return error_expected(p, "`.target` after `.version`");
    next_token(p);
    const char *start = p->token.start;
    const char *end;
    do {
        end = p->token.start + p->token.len;
        if (!parse_target_word(p))
            return false;
    } while (accept_punct(p, ','));
    p->module->target = arena_strndup(p->arena, start, (size_t)(end - start));
    return true;
}

static bool parse_address_size(struct parser *p)
{
    struct token at = p->token;
    uint64_t bits;
    if (!expect_unsigned(p, "the address size", 64, &bits))
        return false;
    if (bits != 32 && bits != 64)
        return error_at(p, &at, "the address size is 32 or 64, found %u",
                        (unsigned)bits);
    if (bits == 32)
        return error_at(p, &at,
                        "32-bit addresses are not supported: memory lies "
                        "beyond 4 GiB; compile for `.address_size 64`");
    p->module->address_size_bits = (unsigned)bits;
    return true;
}

/* ---- debug information and other directives ---------------------------- */

/* .file 1 "name"[, time, size] */
static bool parse_file(struct parser *p)
{
    uint64_t index, ignored;
    if (!expect_unsigned(p, "the file's index", 1 << 16, &index))
        return false;
    if (p->token.kind != TOKEN_string)
        return error_expected(p, "the file's name in quotes");
    const char *name =
        arena_strndup(p->arena, p->token.start + 1, p->token.len - 2);
    next_token(p);
    while (accept_punct(p, ','))
        if (!expect_unsigned(p, "a number", UINT64_MAX, &ignored))
            return false;
    while (p->files.count <= index)
        must_have_memory(vec_push(&p->files, NULL));
    p->files.data[index] = name;
    return true;
}

/* The rest of: .loc 1 20 5, function_name $L1, inlined_at 1 30 2 */
static bool parse_loc_tail(struct parser *p)
{
    uint64_t number;
    while (accept_punct(p, ',')) {
        if (!expect_name(p, "`function_name` or `inlined_at`"))
            return false;
        if (p->token.kind == TOKEN_ident) {
            next_token(p);
            if (accept_punct(p, '+') &&
                !expect_unsigned(p, "an offset", UINT64_MAX, &number))
                return false;
        }
        while (p->token.kind == TOKEN_int)
            next_token(p);
    }
    return true;
}

static bool has_file(const struct parser *p, uint64_t file)
{
    return file < p->files.count && p->files.data[file];
}

/* Compilers write .file behind the functions too. */
static void check_files(struct parser *p)
{
    if (p->has_loc_unknown && !has_file(p, p->loc_unknown_file))
        warn_at(p, &p->loc_unknown,
                ".loc names file %u, which no .file declares",
                p->loc_unknown_file);
}

bool parse_loc(struct parser *p)
{
    uint64_t file, line, column;
    struct token at = p->token;
    if (!expect_unsigned(p, "the file's index", UINT32_MAX, &file) ||
        !expect_unsigned(p, "the line", UINT32_MAX, &line) ||
        !expect_unsigned(p, "the column", UINT32_MAX, &column))
        return false;
    if (!has_file(p, file) && !p->has_loc_unknown) {
        p->has_loc_unknown = true;
        p->loc_unknown = at;
        p->loc_unknown_file = (unsigned)file;
    }
    p->loc_file = (unsigned)file;
    p->loc_line = (unsigned)line;
    return parse_loc_tail(p);
}

static void add_pragma(struct parser *p, struct ptx_func *f)
{
    const char **list =
        arena_array(p->arena, const char *, f->pragma_count + 1);
    for (size_t i = 0; i < f->pragma_count; i++)
        list[i] = f->pragmas[i];
    list[f->pragma_count++] =
        arena_strndup(p->arena, p->token.start, p->token.len);
    f->pragmas = list;
}

bool parse_pragma(struct parser *p, struct ptx_func *list)
{
    do {
        if (p->token.kind != TOKEN_string)
            return error_expected(p, "a string");
        if (list && list->pragma_count == PRAGMAS_MAX)
            return error_at(p, &p->token, "a function has at most %d pragmas",
                            PRAGMAS_MAX);
        if (list)
            add_pragma(p, list);
        next_token(p);
    } while (accept_punct(p, ','));
    return expect_punct(p, ';', "after the pragma");
}

static bool parse_section(struct parser *p)
{
    if (p->token.kind != TOKEN_directive && p->token.kind != TOKEN_ident)
        return error_expected(p, "the section's name");
    next_token(p);
    if (!is_punct(p, '{'))
        return error_expected(p, "`{` after the section's name");
    return skip_braces(p);
}

/* ---- the module -------------------------------------------------------- */

static bool parse_linkage(struct parser *p, enum ptx_linkage *linkage)
{
    static const struct {
        const char *name;
        enum ptx_linkage linkage;
    } words[] = {
        {".visible", PTX_LINK_visible},
        {".extern", PTX_LINK_extern},
        {".weak", PTX_LINK_weak},
        {".common", PTX_LINK_common},
    };
    *linkage = PTX_LINK_internal;
    for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
        if (!accept_directive(p, words[i].name))
            continue;
        *linkage = words[i].linkage;
        return true;
    }
    return false;
}

static bool error_unknown_directive(struct parser *p)
{
    static const char *const known[] = {
        ".entry",   ".func",         ".global", ".const",   ".shared",
        ".visible", ".extern",       ".weak",   ".common",  ".alias",
        ".file",    ".loc",          ".pragma", ".section", ".version",
        ".target",  ".address_size",
    };
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)p->token.len, p->token.start);
    const char *near = nearest_name(name, known, ARRAY_COUNT(known));
    if (p->token.kind == TOKEN_directive && near)
        return error_at(p, &p->token,
                        "`%s` is no directive of a module; did you mean `%s`?",
                        name, near);
    return error_expected(p, "a directive, function or variable");
}

static bool parse_global_item(struct parser *p)
{
    enum ptx_linkage linkage;
    parse_linkage(p, &linkage);
    if (accept_directive(p, ".entry"))
        return parse_func(p, linkage, true);
    if (accept_directive(p, ".func"))
        return parse_func(p, linkage, false);
    if (is_var_directive(p))
        return parse_vars(p, linkage);
    return error_unknown_directive(p);
}

static bool parse_item(struct parser *p)
{
    if (accept_punct(p, ';'))
        return true;
    if (accept_directive(p, ".file"))
        return parse_file(p);
    if (accept_directive(p, ".loc"))
        return parse_loc(p);
    if (accept_directive(p, ".section"))
        return parse_section(p);
    if (accept_directive(p, ".pragma"))
        return parse_pragma(p, NULL);
    if (accept_directive(p, ".alias"))
        return parse_alias(p);
    if (accept_directive(p, ".address_size"))
        return parse_address_size(p);
    return parse_global_item(p);
}

static bool parse_module(struct parser *p)
{
    next_token(p);
    if (!parse_version(p) || !parse_target(p))
        return false;
    while (p->token.kind != TOKEN_end && !diag_is_full(p->diag)) {
        if (parse_item(p))
            continue;
        recover(p);
        accept_punct(p, '}');
    }
    return true;
}

static void finish_module(struct parser *p)
{
    struct ptx_module *m = p->module;
    m->vars = arena_array(p->arena, struct ptx_var *, p->vars.count);
    m->var_count = p->vars.count;
    m->funcs = arena_array(p->arena, struct ptx_func *, p->funcs.count);
    m->func_count = p->funcs.count;
    m->files = arena_array(p->arena, const char *, p->files.count);
    m->file_count = p->files.count;
    for (size_t i = 0; i < m->var_count; i++)
        m->vars[i] = p->vars.data[i];
    for (size_t i = 0; i < m->func_count; i++)
        m->funcs[i] = p->funcs.data[i];
    for (size_t i = 0; i < m->file_count; i++)
        m->files[i] = p->files.data[i];
    for (size_t i = 0; i < m->func_count; i++)
        resolve_alias(m->funcs[i]);
}

static void parser_init(struct parser *p, const char *name, const char *text,
                        size_t length, struct diag *diag)
{
    *p = (struct parser){.file_name = name, .diag = diag};
    lex_init(&p->lexer, text, length);
    p->arena = arena_create();
    p->scratch = arena_create();
    p->names = interner_create(p->arena);
    p->module = arena_new(p->arena, struct ptx_module);
    p->module->arena = p->arena;
    p->module->address_size_bits = 32;
    map_init_pointers(&p->symbols);
    map_init_pointers(&p->spellings);
    map_init_pointers(&p->taken);
}

static void parser_fini(struct parser *p)
{
    vec_fini(&p->vars);
    vec_fini(&p->funcs);
    vec_fini(&p->files);
    vec_fini(&p->regs);
    vec_fini(&p->local_vars);
    vec_fini(&p->labels);
    vec_fini(&p->insts);
    vec_fini(&p->label_uses);
    vec_fini(&p->targets);
    map_fini(&p->symbols);
    map_fini(&p->spellings);
    map_fini(&p->taken);
    arena_destroy(p->scratch);
}

struct ptx_module *ptx_parse(const char *name, const char *text, size_t length,
                             struct diag *diag)
{
    if (length >= INT32_MAX) {
        diag_error(diag, "%s: a PTX module may have 2 GiB, found %zu bytes",
                   name, length);
        return NULL;
    }
    /* A fat binary pads its text with zeros. */
    while (length && !text[length - 1])
        length--;
    unsigned errors_before = diag->error_count;
    struct parser p;
    parser_init(&p, name, text, length, diag);
    bool is_good = parse_module(&p);
    check_files(&p);
    is_good &= diag->error_count == errors_before;
    if (is_good) {
        finish_module(&p);
        is_good = ptx_layout_module(p.module, name, diag) &&
                  check_call_depth(p.module, name, diag) &&
                  check_shared_size(p.module, name, diag);
    }
    parser_fini(&p);
    if (is_good)
        return p.module;
    ptx_module_destroy(p.module);
    return NULL;
}

void ptx_module_destroy(struct ptx_module *m)
{
    if (m)
        arena_destroy(m->arena);
}

struct ptx_func *ptx_find_func(const struct ptx_module *m, const char *name)
{
    for (size_t i = 0; i < m->func_count; i++)
        if (strcmp(m->funcs[i]->name, name) == 0)
            return m->funcs[i];
    return NULL;
}

struct ptx_var *ptx_find_var(const struct ptx_module *m, const char *name)
{
    for (size_t i = 0; i < m->var_count; i++)
        if (strcmp(m->vars[i]->name, name) == 0)
            return m->vars[i];
    return NULL;
}
