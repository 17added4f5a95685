/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clang reads a CUDA file twice and says most things twice. Its messages are
 * cut into groups (a warning or error with the lines that belong to it), and a
 * group that the first pass has shown is not shown again.
 */
#include "cc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct group {
    const char *text;
    size_t length;
};
typedef VEC(struct group) groups;

static size_t line_length(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? (size_t)(end - line) + 1 : strlen(line);
}

static bool contains(const char *line, size_t length, const char *what)
{
    return memmem(line, length, what, strlen(what)) != NULL;
}

/* "   12 | source text", perhaps in colour */
static bool is_source_line(const char *line)
{
    while (isspace((unsigned char)*line) || isdigit((unsigned char)*line))
        line++;
    return *line == '|';
}

static bool is_include_line(const char *line)
{
    return strncmp(line, "In file included from", 21) == 0 ||
           strncmp(line, "                 from", 21) == 0;
}

static bool is_summary(const char *line, size_t length)
{
    return contains(line, length, " generated when compiling for ");
}

static bool starts_group(const char *line, size_t length, bool after_include)
{
    if (after_include || is_source_line(line))
        return false;
    return is_include_line(line) || is_summary(line, length) ||
           contains(line, length, "error: ") ||
           contains(line, length, "warning: ") ||
           contains(line, length, "remark: ");
}

static void split(const char *text, groups *out)
{
    bool after_include = false;
    for (const char *line = text; *line;) {
        size_t length = line_length(line);
        if (!out->count || starts_group(line, length, after_include)) {
            struct group g = {line, 0};
            vec_push(out, g);
        }
        after_include = is_include_line(line);
        out->data[out->count - 1].length += length;
        line += length;
    }
}

static bool has_group(const groups *list, const struct group *g)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->data[i].length == g->length &&
            memcmp(list->data[i].text, g->text, g->length) == 0)
            return true;
    return false;
}

/* An empty text if there is no such file: the pass said nothing. */
static char *read_messages(const char *file)
{
    FILE *f = file ? fopen(file, "r") : NULL;
    char *text = NULL;
    size_t capacity = 0;
    if (!f || getdelim(&text, &capacity, '\0', f) < 0) {
        free(text);
        text = strdup("");
    }
    if (f)
        fclose(f);
    return text;
}

void cc_show_messages(const char *file, const char *seen)
{
    char *text = read_messages(file), *seen_text = read_messages(seen);
    groups fresh = {0}, known = {0};
    bool any = false;

    if (text && seen_text) {
        split(text, &fresh);
        split(seen_text, &known);
    }
    for (size_t i = 0; i < fresh.count; i++) {
        const struct group *g = &fresh.data[i];
        /* "2 warnings generated ..." of a pass that had nothing new. */
        bool is_empty_summary = is_summary(g->text, g->length) && seen && !any;
        if (has_group(&known, g) || is_empty_summary)
            continue;
        fwrite(g->text, 1, g->length, stderr);
        any = true;
    }
    fflush(stderr);
    vec_fini(&fresh);
    vec_fini(&known);
    free(text);
    free(seen_text);
}
