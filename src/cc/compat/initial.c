/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device variables that are initialised by a call of a host function. clang
 * refuses them, but not with -fgpu-defer-diag, which defers the error to the
 * function that contains it: there is none, and the variable would be 0. So the
 * source is searched for such initialisers, and if it has any, a strict pass of
 * clang is asked about them.
 */
#include "cc/cc.h"

#include <stdio.h>
#include <stdlib.h>

/* The '=' of "type name = ... f(...);" behind __device__, at p; NULL: it is
 * something else. */
static const char *called_value(const char *p)
{
    const char *equals = p + strcspn(p, "=({;");
    if (*equals != '=' || equals[1] == '=')
        return NULL;
    const char *end = equals + strcspn(equals, ";{");
    const char *open = memchr(equals, '(', (size_t)(end - equals));
    return *end == ';' && open && cc_is_name_char(open[-1]) ? equals : NULL;
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
            struct cc_lines_of of = {cc_line_of(text, value),
                                     cc_line_of(text, strchr(value, ';'))};
            must_have_memory(vec_push(lines, of));
        }
    free(text);
    return lines->count > 0;
}

static void report_value(const char *message, const char *error)
{
    fprintf(stderr,
            "%.*s: error: dynamic initialization is not supported for "
            "__device__, __constant__ and __managed__ variables: the "
            "value is that of a host function\n",
            (int)(error - message), message);
}

bool cc_refuses_values(const char *messages, const char *path,
                       const cc_lines *lines)
{
    return cc_each_error(messages, path,
                         ": error: no matching function for call to", lines,
                         report_value);
}
