/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device code that writes to __constant__ variables. nvcc refuses it; clang
 * accepts it, and its optimiser drops the write. So we search the source for
 * assignments to such names in device functions, and if there are any, have
 * clang check a copy of the source in which the variables are const.
 */
#include "cc/cc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* The name of the variable that is declared behind __constant__, at p; NULL: it
 * is something else. */
static const char *declared_name(const char *p)
{
    const char *end = p + strcspn(p, "[;=,({");
    if (*end == '(' || *end == '{')
        return NULL;
    return cc_last_name(p, &end);
}

static const char *word_at(const char *p)
{
    size_t length = 0;
    while (cc_is_name_char(p[length]))
        length++;
    return arena_strndup(cc_arena, p, length);
}

/* The next name of a declaration: in "a = 1, b[2]" the b. NULL: there is
 * none. */
static const char *next_name(const char *name)
{
    const char *p = name + strcspn(name, ",;(");
    if (*p != ',')
        return NULL;
    p++;
    p += strspn(p, " \t\n*");
    return cc_is_name_char(*p) && !isdigit((unsigned char)*p) ? p : NULL;
}

/* Does the text behind a name assign to it, or to a part of it? */
static bool is_assigned(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\n");
        if (*p == '[') {
            p += strcspn(p, "];");
            p += *p == ']';
        } else if (*p == '.') {
            for (p++; cc_is_name_char(*p); p++) {
            }
        } else {
            break;
        }
    }
    if (starts_with(p, "++") || starts_with(p, "--"))
        return true;
    if (starts_with(p, "<<=") || starts_with(p, ">>="))
        return true;
    p += *p && strchr("+-*/%&|^", *p) != NULL;
    return *p == '=' && p[1] != '=';
}

/* Is the place inside of a function that says __global__ or __device__?
 * Macros are not, so the answer may be wrong; clang is asked afterwards. */
static bool is_in_device_function(const char *text, const char *at)
{
    const char *header = text;
    int depth = 0;
    bool is_device = false;
    for (const char *p = text; p < at; p++) {
        if (*p == '{' && !depth++) {
            const char *start = header;
            is_device = memmem(start, (size_t)(p - start), "__global__", 10) ||
                        memmem(start, (size_t)(p - start), "__device__", 10);
        } else if (*p == '}' && depth && !--depth) {
            header = p + 1;
        } else if (*p == ';' && !depth) {
            header = p + 1;
        }
    }
    return depth && is_device;
}

/* Adds the lines where device functions assign to `name`. */
static void find_writes(const char *text, const char *name, cc_lines *lines)
{
    size_t length = strlen(name);
    for (const char *p = text; (p = strstr(p, name)); p += length) {
        bool is_word = (p == text || !cc_is_name_char(p[-1])) &&
                       !cc_is_name_char(p[length]);
        bool is_prefixed = p - text >= 2 && (starts_with(p - 2, "++") ||
                                             starts_with(p - 2, "--"));
        if (!is_word || (!is_prefixed && !is_assigned(p + length)) ||
            !is_in_device_function(text, p))
            continue;
        size_t line = cc_line_of(text, p);
        struct cc_lines_of of = {line, line};
        must_have_memory(vec_push(lines, of));
    }
}

/* Makes blanks of comments, strings and numbers. */
static void blank_texts(char *text)
{
    for (char *p = text; *p;) {
        char *behind = p > text || *p == '/' ? cc_skip_text(p) : p;
        cc_blank(p, behind);
        p = behind > p ? behind : p + 1;
    }
}

bool cc_finds_constant_writes(const char *path, cc_lines *lines,
                              cc_insertions *declared)
{
    static const char word[] = "__constant__";
    size_t bytes;
    char *text = cc_read_file(path, &bytes);
    if (!text || !strstr(text, word)) {
        free(text);
        return false;
    }
    blank_texts(text);
    for (const char *p = text; p && (p = strstr(p, word));) {
        p += sizeof word - 1;
        const char *name = declared_name(p);
        if (!name)
            continue;
        const char *line = name;
        while (line > text && line[-1] != '\n')
            line--;
        struct cc_insertion i = {.line = cc_line_of(text, name),
                                 .column = (size_t)(name - line) + 1,
                                 .text = "const ",
                                 .name = word_at(name)};
        must_have_memory(vec_push(declared, i));
        for (; name; name = next_name(name))
            find_writes(text, word_at(name), lines);
    }
    free(text);
    return lines->count > 0;
}

static void report_write(const char *message, const char *error)
{
    const char *name = strchr(error, '\'') + 1;
    fprintf(stderr,
            "%.*s: error: device code cannot write to '%.*s', which is "
            "__constant__; fill it with cudaMemcpyToSymbol\n",
            (int)(error - message), message, (int)strcspn(name, "'"), name);
}

bool cc_refuses_constant_writes(const char *messages, const char *path,
                                const cc_lines *lines)
{
    return cc_each_error(messages, path, ": error: cannot assign to variable '",
                         lines, report_write);
}
