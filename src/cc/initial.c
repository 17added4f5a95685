/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables of the device whose value is a call of a host function. clang says
 * so, but not if it is to defer what fits no overload (-fgpu-defer-diag): there
 * is no function to which it could belong, and the variable would be 0. So the
 * source is looked through for such values, and clang is asked again about
 * those.
 */
#include "cc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind __device__: "type name = ... f(", and where that begins; NULL: it is
 * something else. */
static const char *called_value(const char *p)
{
    const char *equals = p + strcspn(p, "=({;");
    if (*equals != '=' || equals[1] == '=')
        return NULL;
    const char *end = equals + strcspn(equals, ";{");
    const char *open = memchr(equals, '(', (size_t)(end - equals));
    return *end == ';' && open && is_name_char(open[-1]) ? equals : NULL;
}

static size_t line_of(const char *text, const char *at)
{
    size_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

bool cc_finds_values(const char *path, cc_lines *lines)
{
    static const char *const words[] = {"__device__", "__constant__",
                                        "__managed__"};
    size_t bytes;
    char *text = cc_read_file(path, &bytes);
    for (size_t i = 0; text && i < ARRAY_COUNT(words); i++)
        for (const char *p = text; (p = strstr(p, words[i]));) {
            p += strlen(words[i]);
            const char *value = called_value(p);
            if (!value)
                continue;
            struct cc_lines_of of = {line_of(text, value),
                                     line_of(text, strchr(value, ';'))};
            vec_push(lines, of);
        }
    free(text);
    return lines->count > 0;
}

/* Whether a message is about one of the values: "path:line:column: error: no
 * matching function for call to". */
static bool is_about_value(const char *message, const char *path,
                           const cc_lines *lines)
{
    size_t length = strlen(path);
    char *end;
    if (strncmp(message, path, length) != 0 || message[length] != ':')
        return false;
    unsigned long line = strtoul(message + length + 1, &end, 10);
    if (*end != ':')
        return false;
    strtoul(end + 1, &end, 10);
    if (strncmp(end, ": error: no matching function for call to", 41) != 0)
        return false;
    for (size_t i = 0; i < lines->count; i++)
        if (line >= lines->data[i].first && line <= lines->data[i].last)
            return true;
    return false;
}

bool cc_refuses_values(const char *messages, const char *path,
                       const cc_lines *lines)
{
    size_t bytes;
    bool any = false;
    char *text = cc_read_file(messages, &bytes);
    for (const char *line = text; line && *line;) {
        if (is_about_value(line, path, lines)) {
            const char *error = strstr(line, ": error: ");
            fprintf(stderr,
                    "%.*s: error: dynamic initialization is not supported for "
                    "__device__, __constant__ and __managed__ variables: the "
                    "value is that of a host function\n",
                    (int)(error - line), line);
            any = true;
        }
        line = strchr(line, '\n');
        if (line)
            line++;
    }
    free(text);
    return any;
}
