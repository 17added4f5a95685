/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that write to __constant__ variables. To clang these are variables
 * like others, and its optimiser forgets the write; nvcc refuses it. So the
 * source is looked through for assignments to such names in functions of the
 * device, and clang is asked about a copy in which the variables are const.
 */
#include "cc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t line_of(const char *text, const char *at)
{
    size_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* Behind __constant__: the variable's name; NULL: it is something else. */
static const char *declared_name(const char *p)
{
    const char *end = p + strcspn(p, "[;=,({");
    if (*end == '(' || *end == '{')
        return NULL;
    while (end > p && isspace((unsigned char)end[-1]))
        end--;
    const char *name = end;
    while (name > p && is_name_char(name[-1]))
        name--;
    return name < end && !isdigit((unsigned char)*name) ? name : NULL;
}

static const char *word_at(const char *p)
{
    size_t length = 0;
    while (is_name_char(p[length]))
        length++;
    return arena_strndup(cc_arena, p, length);
}

/* In "a = 1, b[2]" the b; NULL: there is none. */
static const char *next_name(const char *name)
{
    const char *p = name + strcspn(name, ",;(");
    if (*p != ',')
        return NULL;
    p++;
    p += strspn(p, " \t\n*");
    return is_name_char(*p) && !isdigit((unsigned char)*p) ? p : NULL;
}

/* Whether what follows a name assigns to it, or to a part. */
static bool is_assigned(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\n");
        if (*p == '[') {
            p += strcspn(p, "];");
            p += *p == ']';
        } else if (*p == '.') {
            for (p++; is_name_char(*p); p++) {
            }
        } else {
            break;
        }
    }
    if (strncmp(p, "++", 2) == 0 || strncmp(p, "--", 2) == 0)
        return true;
    if (strncmp(p, "<<=", 3) == 0 || strncmp(p, ">>=", 3) == 0)
        return true;
    p += *p && strchr("+-*/%&|^", *p) != NULL;
    return *p == '=' && p[1] != '=';
}

/* From the beginning of the text: whether a place is inside of a function that
 * says __global__ or __device__. Comments and strings count as text, which may
 * mislead; clang is asked afterwards. */
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

/* Lines where `name` is assigned to in functions of the device. */
static void find_writes(const char *text, const char *name, cc_lines *lines)
{
    size_t length = strlen(name);
    for (const char *p = text; (p = strstr(p, name)); p += length) {
        bool is_word =
            (p == text || !is_name_char(p[-1])) && !is_name_char(p[length]);
        bool is_prefixed = p - text >= 2 && (strncmp(p - 2, "++", 2) == 0 ||
                                             strncmp(p - 2, "--", 2) == 0);
        if (!is_word || (!is_prefixed && !is_assigned(p + length)) ||
            !is_in_device_function(text, p))
            continue;
        size_t line = line_of(text, p);
        struct cc_lines_of of = {line, line};
        vec_push(lines, of);
    }
}

bool cc_finds_constant_writes(const char *path, cc_lines *lines,
                              cc_insertions *declared)
{
    static const char word[] = "__constant__";
    size_t bytes;
    char *text = cc_read_file(path, &bytes);
    for (const char *p = text; p && (p = strstr(p, word));) {
        p += sizeof word - 1;
        const char *name = declared_name(p);
        if (!name)
            continue;
        const char *line = name;
        while (line > text && line[-1] != '\n')
            line--;
        struct cc_insertion i = {.line = line_of(text, name),
                                 .column = (size_t)(name - line) + 1,
                                 .text = "const ",
                                 .name = word_at(name)};
        vec_push(declared, i);
        for (; name; name = next_name(name))
            find_writes(text, word_at(name), lines);
    }
    free(text);
    return lines->count > 0;
}

/* "path:line:column: error: cannot assign to variable 'c' with const-qualified
 * type", on one of the lines. */
static bool is_about_write(const char *message, const char *path,
                           const cc_lines *lines)
{
    static const char error[] = ": error: cannot assign to variable '";
    size_t length = strlen(path);
    char *end;
    if (strncmp(message, path, length) != 0 || message[length] != ':')
        return false;
    unsigned long line = strtoul(message + length + 1, &end, 10);
    if (*end != ':')
        return false;
    strtoul(end + 1, &end, 10);
    if (strncmp(end, error, sizeof error - 1) != 0)
        return false;
    for (size_t i = 0; i < lines->count; i++)
        if (line == lines->data[i].first)
            return true;
    return false;
}

bool cc_refuses_constant_writes(const char *messages, const char *path,
                                const cc_lines *lines)
{
    size_t bytes;
    bool any = false;
    char *text = cc_read_file(messages, &bytes);
    for (const char *line = text; line && *line;) {
        if (is_about_write(line, path, lines)) {
            const char *error = strstr(line, ": error: ");
            const char *name = strchr(error, '\'') + 1;
            fprintf(stderr,
                    "%.*s: error: device code cannot write to '%.*s', which is "
                    "__constant__; fill it with cudaMemcpyToSymbol\n",
                    (int)(error - line), line, (int)strcspn(name, "'"), name);
            any = true;
        }
        line = strchr(line, '\n');
        if (line)
            line++;
    }
    free(text);
    return any;
}
