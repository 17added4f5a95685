/* SPDX-License-Identifier: Apache-2.0 */
/* Searches source text and clang's messages without parsing them: for callers
 * that may be wrong, as they ask clang afterwards. */
#include "cc/cc.h"

#include <ctype.h>
#include <stdlib.h>

bool cc_is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

const char *cc_last_name(const char *from, const char **end)
{
    const char *to = *end;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    const char *name = to;
    while (name > from && cc_is_name_char(name[-1]))
        name--;
    *end = to;
    return name < to && !isdigit((unsigned char)*name) ? name : NULL;
}

size_t cc_line_of(const char *text, const char *at)
{
    size_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* If the message is "path:line:column" and this error, on one of the lines:
 * where the error begins. Else NULL. */
static const char *error_in(const char *message, const char *path,
                            const char *error, const cc_lines *lines)
{
    size_t length = strlen(path);
    char *end;
    if (strncmp(message, path, length) != 0 || message[length] != ':')
        return NULL;
    unsigned long line = strtoul(message + length + 1, &end, 10);
    if (*end != ':')
        return NULL;
    strtoul(end + 1, &end, 10);
    if (!starts_with(end, error))
        return NULL;
    for (size_t i = 0; i < lines->count; i++)
        if (line >= lines->data[i].first && line <= lines->data[i].last)
            return end;
    return NULL;
}

bool cc_each_error(const char *messages, const char *path, const char *error,
                   const cc_lines *lines,
                   void (*fn)(const char *message, const char *error))
{
    size_t bytes;
    bool any = false;
    char *text = cc_read_file(messages, &bytes);
    for (const char *line = text; line && *line;) {
        const char *found = error_in(line, path, error, lines);
        if (found)
            fn(line, found);
        any |= found != NULL;
        line = strchr(line, '\n');
        if (line)
            line++;
    }
    free(text);
    return any;
}
