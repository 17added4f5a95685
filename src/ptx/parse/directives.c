/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Debug information, pragmas and sections: directives that change no code.
 *
 * Source: PTX ISA, "Debugging Directives", "Performance-Tuning Directives:
 * .pragma".
 */
#include "ptx/internal.h"

#include "ptx/parse.h"

#define PRAGMAS_MAX 100

/* .file 1 "name"[, time, size] */
bool parse_file(struct parser *p)
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

/* Compilers write .file behind the functions as well. */
void check_files(struct parser *p)
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

bool parse_section(struct parser *p)
{
    if (p->token.kind != TOKEN_directive && p->token.kind != TOKEN_ident)
        return error_expected(p, "the section's name");
    next_token(p);
    if (!is_punct(p, '{'))
        return error_expected(p, "`{` after the section's name");
    return skip_braces(p);
}
