/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out whether a source file, or a header of the user's, declares a
 * __device__ function without defining it there. With -rdc=true the definition
 * may lack the word __device__; clang then takes it for another function, which
 * nobody notices before the device link. A yes makes us ask clang about it: a
 * wrong yes costs a pass, nothing else.
 */
#include "cc/cc.h"

#include <ctype.h>
#include <stdlib.h>

/* Does the text behind the word __device__ declare a function without a body: a
 * parenthesis, and a ';' before any brace or '='? */
static bool is_declaration(const char *p)
{
    const char *open = p + strcspn(p, "(;{=");
    if (*open != '(')
        return false;
    return open[strcspn(open, ";{=")] == ';';
}

static bool declares_function(const char *path)
{
    static const char word[] = "__device__";
    size_t bytes;
    bool found = false;
    char *text = cc_read_file(path, &bytes);
    for (const char *p = text; p && !found && (p = strstr(p, word));) {
        bool is_word = p == text || !cc_is_name_char(p[-1]);
        p += sizeof word - 1;
        found = is_word && !cc_is_name_char(*p) && is_declaration(p);
    }
    free(text);
    return found;
}

/* In a make rule a backslash escapes a space or continues a line. */
const char *cc_next_file(const char **at)
{
    const char *p = *at;
    while (isspace((unsigned char)*p) || (*p == '\\' && p[1] == '\n'))
        p++;
    if (!*p)
        return NULL;
    char *name = arena_strndup(cc_arena, p, strlen(p)), *to = name;
    while (*p && !isspace((unsigned char)*p)) {
        if (*p == '\\' && p[1] == ' ')
            p++;
        *to++ = *p++;
    }
    *to = '\0';
    *at = p;
    return name;
}

bool cc_declares_functions(const char *rule, const char *own_folder)
{
    size_t bytes;
    bool found = false;
    char *text = cc_read_file(rule, &bytes);
    const char *at = text ? strstr(text, ": ") : NULL, *name;
    if (at)
        at++;
    while (at && !found && (name = cc_next_file(&at)))
        found = !starts_with(name, own_folder) && declares_function(name);
    free(text);
    return found;
}
