/* SPDX-License-Identifier: Apache-2.0 */
/* Reading tokens, recovering after a mistake and reporting it, for all files
 * of the parser. */
#include "ptx/internal.h"

#include "ptx/parse.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Skips from an opening brace to behind its closing one. */
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

/* A brace may belong to a vector or an initialiser at the error, or close the
 * scope around it: that one is on a line of its own. */
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
