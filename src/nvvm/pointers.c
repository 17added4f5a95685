/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Since version 15 LLVM's text has `ptr` where older versions have `i8*` or
 * `{ i32, float addrspace(3)* } addrspace(1)*`, which newer versions cannot
 * read. Outside of strings and comments a star always ends a pointer type. So
 * the text is copied, and at each star the type in front of it is removed from
 * the copy and replaced by `ptr`.
 *
 * `byval` and `sret` name their type today: they get the pointee of the pointer
 * in front of them.
 */
#include "nvvm/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* Stands between `ptr` and its address space until the copy is complete, so
 * that `i8* addrspace(3)*` is not taken for `i8 addrspace(3)**`. */
#define JOINED '\1'

struct writer {
    VEC(char) out;
    char pointee[1024]; /* of the last pointer */
    bool has_failed;
};

static void put_bytes(struct writer *w, const char *text, size_t length)
{
    for (size_t i = 0; i < length && !w->has_failed; i++)
        w->has_failed = !vec_push(&w->out, text[i]);
}

static void put_text(struct writer *w, const char *text)
{
    put_bytes(w, text, strlen(text));
}

/* ---- backwards over a type ----------------------------------------------- */

static bool is_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' ||
           c == '-' || c == JOINED;
}

static size_t skip_spaces(const char *s, size_t end)
{
    while (end && isspace((unsigned char)s[end - 1]))
        end--;
    return end;
}

/* Where the string begins whose closing quote is before `end`. */
static size_t skip_string(const char *s, size_t end)
{
    end--;
    while (end && s[end - 1] != '"')
        end--;
    return end ? end - 1 : 0;
}

/* Where the bracket opens that is closed before `end`. */
static size_t skip_brackets(const char *s, size_t end)
{
    int depth = 0;
    do {
        char c = s[end - 1];
        if (c == '"') {
            end = skip_string(s, end);
            continue;
        }
        depth += (c == ')' || c == ']' || c == '}' || c == '>') -
                 (c == '(' || c == '[' || c == '{' || c == '<');
        end--;
    } while (end && depth > 0);
    return end;
}

static size_t skip_word(const char *s, size_t end)
{
    if (end && s[end - 1] == '"')
        end = skip_string(s, end);
    else
        while (end && is_in_word(s[end - 1]))
            end--;
    return end && s[end - 1] == '%' ? end - 1 : end;
}

/* `addrspace(3)` before `end`: where it begins; else `end`. */
static size_t skip_space_name(const char *s, size_t end)
{
    static const char word[] = "addrspace";
    size_t n = sizeof word - 1;
    if (!end || s[end - 1] != ')')
        return end;
    size_t open = skip_brackets(s, end);
    bool is_space = open >= n && !strncmp(s + open - n, word, n);
    return is_space ? open - n : end;
}

/* Where the type begins that ends before `end`. */
static size_t skip_type(const char *s, size_t end)
{
    if (!end)
        return 0;
    switch (s[end - 1]) {
    case ']':
    case '}':
    case '>':
        return skip_brackets(s, end);
    case ')': { /* a function's type; or the address space of a `ptr` */
        size_t space = skip_space_name(s, end);
        if (space < end)
            return skip_word(s, space);
        return skip_type(s, skip_spaces(s, skip_brackets(s, end)));
    }
    default:
        return skip_word(s, end);
    }
}

/* ---- forwards ------------------------------------------------------------ */

static void remember_pointee(struct writer *w, size_t from, size_t to)
{
    snprintf(w->pointee, sizeof w->pointee, "%.*s", (int)(to - from),
             w->out.data + from);
}

/* At a star: replaces the type at the end of the copy by `ptr`. */
static void take_back(struct writer *w)
{
    char space[32] = "";
    size_t end = skip_spaces(w->out.data, w->out.count);
    size_t at = skip_space_name(w->out.data, end);
    bool is_joined = at && w->out.data[at - 1] == JOINED;
    if (at < end && !is_joined) {
        snprintf(space, sizeof space, "%c%.*s", JOINED, (int)(end - at),
                 w->out.data + at);
        end = skip_spaces(w->out.data, at);
    }
    size_t begin = skip_type(w->out.data, end);
    remember_pointee(w, begin, end);
    w->out.count = begin;
    put_text(w, "ptr");
    put_text(w, space);
}

static const char *copy_string(struct writer *w, const char *p)
{
    const char *end = strchr(p + 1, '"');
    size_t length = end ? (size_t)(end - p) + 1 : strlen(p);
    put_bytes(w, p, length);
    return p + length;
}

/* Copies a word; a `byval` or `sret` without its type gets the last pointee. */
static const char *copy_word(struct writer *w, const char *p)
{
    size_t length = 1;
    while (is_in_word(p[length]))
        length++;
    put_bytes(w, p, length);
    bool is_typed = (length == 5 && !strncmp(p, "byval", 5)) ||
                    (length == 4 && !strncmp(p, "sret", 4));
    if (is_typed && p[length] != '(' && *w->pointee) {
        put_text(w, "(");
        put_text(w, w->pointee);
        put_text(w, ")");
    }
    return p + length;
}

static const char *copy_name(struct writer *w, const char *p)
{
    put_bytes(w, p++, 1);
    if (*p == '"')
        return copy_string(w, p);
    size_t length = 0;
    while (is_in_word(p[length]))
        length++;
    put_bytes(w, p, length);
    return p + length;
}

char *nvvm_forget_pointees(const char *text)
{
    struct writer w = {0};
    for (const char *p = text; *p && !w.has_failed;) {
        size_t comment = *p == ';' ? strcspn(p, "\n") : 0;
        put_bytes(&w, p, comment);
        p += comment;
        if (comment)
            continue;
        if (*p == '"') {
            p = copy_string(&w, p);
        } else if (*p == '%' || *p == '@' || *p == '!' || *p == '#') {
            p = copy_name(&w, p);
        } else if (is_in_word(*p)) {
            p = copy_word(&w, p);
        } else if (*p == '*') {
            take_back(&w);
            p++;
        } else {
            put_bytes(&w, p++, 1);
        }
    }
    for (size_t i = 0; i < w.out.count; i++)
        if (w.out.data[i] == JOINED)
            w.out.data[i] = ' ';
    put_bytes(&w, "", 1);
    if (!w.has_failed)
        return w.out.data;
    vec_fini(&w.out);
    return NULL;
}
