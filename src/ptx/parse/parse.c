/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The module: its header, and its directives. After an error the parser goes
 * on behind the next semicolon or closing brace, so that one run reports
 * several errors.
 *
 * Source: PTX ISA, "PTX Module Directives" and those after it.
 */
#include "ptx/internal.h"

#include "ptx/parse.h"

#include <stdio.h>
#include <stdlib.h>

#define VERSION_MAX    99
#define VERSION_NEWEST 90u

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
    /* sm_90a came with PTX 8.0, later than sm_90. */
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
