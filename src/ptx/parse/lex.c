/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Characters to tokens. The text need not end in NUL: every look ahead is
 * checked against the end. Tokens point into the text; nothing is copied.
 *
 * Source: PTX ISA, "Syntax": identifiers, constants, comments.
 */
#include "ptx/internal.h"

#include <stdlib.h>

enum { C_SPACE = 1, C_START = 2, C_IDENT = 4, C_DIGIT = 8 };

static const uint8_t class_of[256] = {
    [' '] = C_SPACE,
    ['\t'] = C_SPACE,
    ['\r'] = C_SPACE,
    ['\f'] = C_SPACE,
    ['\v'] = C_SPACE,
    ['0' ... '9'] = C_DIGIT | C_IDENT,
    ['a' ... 'z'] = C_START | C_IDENT,
    ['A' ... 'Z'] = C_START | C_IDENT,
    ['_'] = C_START | C_IDENT,
    ['$'] = C_START | C_IDENT,
    ['%'] = C_START,
};

static bool is_class(const struct lexer *lx, const char *p, uint8_t mask)
{
    return p < lx->end && class_of[(unsigned char)*p] & mask;
}

void lex_init(struct lexer *lx, const char *text, size_t length)
{
    *lx = (struct lexer){
        .p = text, .end = text + length, .line_start = text, .line = 1};
}

static void new_line(struct lexer *lx)
{
    lx->line++;
    lx->line_start = lx->p;
}

/* Moves to the slash that ends the comment; false: it has no end. */
static bool skip_block_comment(struct lexer *lx)
{
    lx->p += 2;
    while (lx->p < lx->end) {
        char c = *lx->p++;
        if (c == '\n')
            new_line(lx);
        if (c == '*' && lx->p < lx->end && *lx->p == '/') {
            lx->p++;
            return true;
        }
    }
    return false;
}

static void skip_line(struct lexer *lx)
{
    const char *newline = memchr(lx->p, '\n', (size_t)(lx->end - lx->p));
    lx->p = newline ? newline : lx->end;
}

/* Skips white space and comments. False: a comment has no end. */
static bool skip_blank(struct lexer *lx)
{
    for (;;) {
        while (is_class(lx, lx->p, C_SPACE))
            lx->p++;
        if (lx->p >= lx->end)
            return true;
        char next = lx->p + 1 < lx->end ? lx->p[1] : 0;
        if (*lx->p == '\n') {
            lx->p++;
            new_line(lx);
        } else if (*lx->p == '/' && next == '/') {
            skip_line(lx);
        } else if (*lx->p == '@' && next == '@') {
            skip_line(lx); /* @@DWARF lines of the first PTX versions */
        } else if (*lx->p == '/' && next == '*') {
            if (!skip_block_comment(lx))
                return false;
        } else {
            return true;
        }
    }
}

static enum token_kind lex_string(struct lexer *lx)
{
    for (lx->p++; lx->p < lx->end && *lx->p != '\n'; lx->p++) {
        if (*lx->p == '\\' && lx->p + 1 < lx->end && lx->p[1] != '\n')
            lx->p++;
        else if (*lx->p == '"')
            return lx->p++, TOKEN_string;
    }
    return TOKEN_unfinished;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

/* Reads digits of a base; returns their number. */
static unsigned lex_digits(struct lexer *lx, unsigned base, uint64_t *value,
                           bool *overflow)
{
    unsigned count = 0;
    for (; lx->p < lx->end; lx->p++, count++) {
        unsigned d = (unsigned)digit_value(*lx->p);
        if (d >= base)
            break;
        *overflow |= __builtin_mul_overflow(*value, (uint64_t)base, value);
        *overflow |= __builtin_add_overflow(*value, (uint64_t)d, value);
    }
    return count;
}

/* 0f and eight digits, or 0d and sixteen. */
static enum token_kind lex_hex_float(struct lexer *lx, struct token *t,
                                     enum token_kind kind, unsigned digits)
{
    bool overflow = false;
    lx->p += 2;
    if (lex_digits(lx, 16, &t->value, &overflow) != digits)
        return TOKEN_bad_number;
    return is_class(lx, lx->p, C_IDENT) ? TOKEN_bad_number : kind;
}

static bool has_fraction(const struct lexer *lx)
{
    const char *p = lx->p;
    while (is_class(lx, p, C_DIGIT))
        p++;
    return p < lx->end && (*p == '.' || *p == 'e' || *p == 'E');
}

static enum token_kind lex_decimal_float(struct lexer *lx, struct token *t)
{
    char buffer[64];
    size_t len = 0;
    for (; lx->p < lx->end && len + 1 < sizeof buffer; lx->p++) {
        char c = *lx->p;
        bool is_sign = (c == '+' || c == '-') && len &&
                       (buffer[len - 1] == 'e' || buffer[len - 1] == 'E');
        if (!is_class(lx, lx->p, C_DIGIT) && c != '.' && c != 'e' && c != 'E' &&
            !is_sign)
            break;
        buffer[len++] = c;
    }
    buffer[len] = 0;
    char *end;
    double d = strtod(buffer, &end);
    memcpy(&t->value, &d, sizeof d);
    return *end || is_class(lx, lx->p, C_IDENT) ? TOKEN_bad_number
                                                : TOKEN_float64;
}

static enum token_kind lex_number(struct lexer *lx, struct token *t)
{
    char second = lx->p + 1 < lx->end ? lx->p[1] : 0;
    unsigned base = 10;
    bool overflow = false;

    if (*lx->p == '0' && (second == 'f' || second == 'F'))
        return lex_hex_float(lx, t, TOKEN_float32, 8);
    if (*lx->p == '0' && (second == 'd' || second == 'D'))
        return lex_hex_float(lx, t, TOKEN_float64, 16);
    if (*lx->p == '0' && (second == 'x' || second == 'X'))
        base = 16, lx->p += 2;
    else if (*lx->p == '0' && (second == 'b' || second == 'B'))
        base = 2, lx->p += 2;
    else if (has_fraction(lx))
        return lex_decimal_float(lx, t);
    else if (*lx->p == '0')
        base = 8;

    unsigned count = lex_digits(lx, base, &t->value, &overflow);
    t->is_unsigned = lx->p < lx->end && *lx->p == 'U';
    if (t->is_unsigned)
        lx->p++;
    if (!count || overflow || is_class(lx, lx->p, C_IDENT))
        return TOKEN_bad_number;
    return TOKEN_int;
}

static void skip_ident(struct lexer *lx)
{
    while (is_class(lx, lx->p, C_IDENT))
        lx->p++;
}

static enum token_kind lex_token(struct lexer *lx, struct token *t)
{
    if (is_class(lx, lx->p, C_START)) {
        lx->p++;
        skip_ident(lx);
        return TOKEN_ident;
    }
    if (is_class(lx, lx->p, C_DIGIT))
        return lex_number(lx, t);
    if (*lx->p == '.' && is_class(lx, lx->p + 1, C_DIGIT))
        return lex_decimal_float(lx, t);
    if (*lx->p == '"')
        return lex_string(lx);
    if (*lx->p == '.' && is_class(lx, lx->p + 1, C_START)) {
        lx->p += 2;
        skip_ident(lx);
        return TOKEN_directive;
    }
    lx->p++;
    return TOKEN_punct;
}

void lex_next(struct lexer *lx, struct token *t)
{
    bool is_finished = skip_blank(lx);
    *t = (struct token){
        .start = lx->p, .line_start = lx->line_start, .line = lx->line};
    if (!is_finished)
        t->kind = TOKEN_unfinished;
    else if (lx->p >= lx->end)
        t->kind = TOKEN_end;
    else
        t->kind = lex_token(lx, t);
    t->len = (uint32_t)(lx->p - t->start);
}

/* Blanks may stand before a dot: add .s32 */
static bool is_dot_next(const struct lexer *lx)
{
    const char *p = lx->p;
    while (p < lx->end && (*p == ' ' || *p == '\t'))
        p++;
    return p < lx->end && *p == '.';
}

void lex_extend(struct lexer *lx, struct token *t)
{
    for (;;) {
        if (is_class(lx, lx->p, C_IDENT))
            lx->p++;
        else if (lx->end - lx->p > 2 && lx->p[0] == ':' && lx->p[1] == ':')
            lx->p += 2;
        else if (is_dot_next(lx))
            lx->p = strchr(lx->p, '.') + 1;
        else
            break;
    }
    t->len = (uint32_t)(lx->p - t->start);
}

bool lex_is_label(const struct lexer *lx)
{
    struct lexer ahead = *lx;
    return skip_blank(&ahead) && ahead.p < ahead.end && *ahead.p == ':';
}
