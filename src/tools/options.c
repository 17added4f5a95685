/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines: long options with `--name value` or `--name=value`, in any
 * order. An unknown one is refused with the nearest known one.
 */
#include "tools/tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void tool_error(const char *format, ...)
{
    va_list args;
    fputs("weft: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    putc('\n', stderr);
}

static void print_help(const struct tool_command *c)
{
    printf("Usage: weft %s [OPTION]... %s\n\n%s\n", c->name, c->arguments,
           c->summary);
    if (c->option_count)
        printf("\nOptions:\n");
    for (size_t i = 0; i < c->option_count; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", c->options[i].name,
                 c->options[i].value ? " " : "",
                 c->options[i].value ? c->options[i].value : "");
        printf("  %-24s %s\n", left, c->options[i].help);
    }
    if (*c->details)
        printf("\n%s\n", c->details);
}

/* Index of the option that `arg` names, up to `=`; or the count. */
static size_t find_option(const struct tool_command *c, const char *arg)
{
    size_t length = strcspn(arg, "=");
    size_t i = 0;
    while (i < c->option_count && (strlen(c->options[i].name) != length ||
                                   memcmp(c->options[i].name, arg, length)))
        i++;
    return i;
}

static void refuse_unknown(const struct tool_command *c, const char *arg)
{
    const char *names[TOOL_OPTIONS_MAX + 1];
    for (size_t i = 0; i < c->option_count; i++)
        names[i] = c->options[i].name;
    names[c->option_count] = "--help";
    const char *near = nearest_name(arg, names, c->option_count + 1);
    if (near)
        tool_error("%s: unknown option %s; did you mean %s?", c->name, arg,
                   near);
    else
        tool_error("%s: unknown option %s; see weft %s --help", c->name, arg,
                   c->name);
}

/* Takes the option at argv[*i], and its value. */
static bool take_option(const struct tool_command *c, int argc, char **argv,
                        int *i, struct tool_args *args)
{
    const char *arg = argv[*i];
    size_t option = find_option(c, arg);
    if (option == c->option_count) {
        refuse_unknown(c, arg);
        return false;
    }
    const char *equals = strchr(arg, '=');
    if (!c->options[option].value) {
        if (equals)
            tool_error("%s: %s takes no value", c->name,
                       c->options[option].name);
        args->values[option] = "";
        return !equals;
    }
    if (!equals && *i + 1 == argc) {
        tool_error("%s: %s needs a value: %s", c->name, arg,
                   c->options[option].value);
        return false;
    }
    args->values[option] = equals ? equals + 1 : argv[++*i];
    return true;
}

bool tool_parse(const struct tool_command *c, int argc, char **argv,
                struct tool_args *args, enum tool_status *status)
{
    assert(c->option_count <= TOOL_OPTIONS_MAX);
    *args = (struct tool_args){.positional = argv};
    *status = TOOL_USAGE;
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            print_help(c);
            *status = TOOL_OK;
            return false;
        }
        if (argv[i][0] != '-' || !argv[i][1])
            argv[args->positional_count++] = argv[i];
        else if (!take_option(c, argc, argv, &i, args))
            return false;
    }
    *status = TOOL_OK;
    return true;
}

bool tool_parse_u64(const char *option, const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    if (*text >= '0' && *text <= '9' && !*end && !errno)
        return true;
    tool_error("%s: %s is no number", option, text);
    return false;
}

bool tool_parse_lanes(const char *text, unsigned *out)
{
    if (strcmp(text, "1") && strcmp(text, "32")) {
        tool_error("--lanes: %s is neither 1 nor 32", text);
        return false;
    }
    *out = text[1] ? 32 : 1;
    return true;
}

bool tool_parse_dim3(const char *option, const char *text, uint32_t out[3])
{
    const char *at = text;
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; i < 3; i++) {
        char *end;
        unsigned long n = strtoul(at, &end, 10);
        if (*at < '0' || *at > '9' || !n || n > INT32_MAX)
            break;
        out[i] = (uint32_t)n;
        if (!*end)
            return true;
        if (*end != ',')
            break;
        at = end + 1;
    }
    tool_error("%s: %s is no shape, expected X, X,Y or X,Y,Z", option, text);
    return false;
}
