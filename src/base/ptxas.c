/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "base/ptxas.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- options ------------------------------------------------------------- */

static const struct ptxas_option known[] = {
    {"gpu-name", "arch", "SM"},
    {"verbose", "v", NULL},
    {"output-file", "o", "FILE"},
    {"compile-only", "c", NULL},
    {"disable-warnings", "w", NULL},
    {"warning-as-error", "Werror", NULL},
    {"options-file", "optf", "FILE,..."},
    {"help", "h", NULL},
    {"version", "V", NULL},
    {"sp-bounds-check", "sp-bounds-check", NULL},
#define PTXAS_OPTION(name, brief, value) {name, brief, value},
#include "base/ptxas_options.def"
};

/* Does the argument, without its dashes, name the option? */
static bool is_option(const char *name, const char *argument, size_t length)
{
    return strlen(name) == length && !strncmp(name, argument, length);
}

const struct ptxas_option *ptxas_find_option(const char *argument,
                                             const char **value)
{
    bool is_long = starts_with(argument, "--");
    const char *text = argument + 1 + is_long;
    size_t length = strcspn(text, "=");
    *value = text[length] ? text + length + 1 : NULL;
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (is_option(is_long ? known[i].name : known[i].brief, text, length))
            return &known[i];
    for (size_t i = 0; i < ARRAY_COUNT(known) && !is_long; i++) {
        if (!known[i].value || known[i].brief[1] || *known[i].brief != *text)
            continue;
        *value = text + 1; /* -O3 */
        return &known[i];
    }
    return NULL;
}

/* ---- values -------------------------------------------------------------- */

/* Is it one of the words of "ca|cg|cs"? */
static bool is_one_of(const char *words, const char *value)
{
    size_t length = strlen(value);
    for (const char *p = words; *p; p += *p == '|') {
        size_t n = strcspn(p, "|");
        if (n == length && !strncmp(p, value, n))
            return true;
        p += n;
    }
    return false;
}

static bool is_number(const char *value)
{
    char *end;
    strtol(value, &end, 0);
    return *value && !*end;
}

/* Is it a list of words, "ca|cg|cs"? */
static bool is_word_list(const char *kind)
{
    for (const char *p = kind; *p; p++)
        if (!islower((unsigned char)*p) && !isdigit((unsigned char)*p) &&
            *p != '|')
            return false;
    return true;
}

const char *ptxas_check_value(const char *kind, const char *name,
                              const char *value, char *out, size_t size_bytes)
{
    if (!strcmp(kind, "N") && !is_number(value))
        snprintf(out, size_bytes, "Invalid value '%s' for option '%s'", value,
                 name);
    else if (!strcmp(kind, "BOOL") && !is_one_of("true|false", value))
        snprintf(out, size_bytes, "'%s': expected true or false", value);
    else if (is_word_list(kind) && !is_one_of(kind, value))
        snprintf(out, size_bytes, "Value '%s' is not defined for option '%s'",
                 value, name);
    else
        return NULL;
    return out;
}

/* ---- logs ---------------------------------------------------------------- */

static void print_line(FILE *out, const char *tool, const char *line,
                       size_t length)
{
    static const struct {
        const char *ours, *theirs;
    } words[] = {
        {"error: ", "error   : "},
        {"warning: ", "warning : "},
        {"note: ", "info    : "},
    };
    for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
        const char *at =
            memmem(line, length, words[i].ours, strlen(words[i].ours));
        if (!at || (at > line && at[-1] != ' '))
            continue;
        const char *text = at + strlen(words[i].ours);
        const char *colon = memchr(line, ':', (size_t)(at - line));
        fprintf(out, "%s ", tool);
        if (colon)
            fprintf(out, "%.*s, line %d; ", (int)(colon - line), line,
                    atoi(colon + 1));
        fprintf(out, "%s%.*s\n", words[i].theirs, (int)(line + length - text),
                text);
        return;
    }
    fprintf(out, "%.*s\n", (int)length, line);
}

char *ptxas_log(const char *tool, const char *log)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    while (*log) {
        size_t length = strcspn(log, "\n");
        print_line(out, tool, log, length);
        log += length + (log[length] != 0);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- versions ------------------------------------------------------------ */

void ptxas_for_each_version(void (*fn)(void *data, int major, int minor),
                            void *data)
{
    static const int last_minor[] = {
        [1] = 5, [2] = 3, [3] = 2, [4] = 3, [5] = 1,
        [6] = 5, [7] = 8, [8] = 8, [9] = 3};
    for (int major = 1; major < (int)ARRAY_COUNT(last_minor); major++)
        for (int minor = 0; minor <= last_minor[major]; minor++)
            fn(data, major, minor);
}
