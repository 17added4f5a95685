/* SPDX-License-Identifier: Apache-2.0 */
/* cu++filt: names of C++ as the source has them. */
#include "toolkit/toolkit.h"

#include <stdio.h>
#include <stdlib.h>

/* Of the C++ runtime; declared here, as its header is C++. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length,
                     int *status);

enum { UNDERSCORE, NO_PARAMETERS };

static const struct kit_option options[] = {
    [UNDERSCORE] = {"strip-underscore", "_", NULL,
                    "names have one underscore more in front", KIT_TAKE},
    [NO_PARAMETERS] = {"no-params", "p", NULL, "no parameters of functions",
                       KIT_TAKE},
};

/* Where the parameters of a demangled function begin: at the parenthesis that
 * the last one closes. */
static char *find_parameters(char *text)
{
    int depth = 0;
    char *p = strrchr(text, ')');
    for (; p && p >= text; p--) {
        depth += (*p == ')') - (*p == '(');
        if (depth == 0)
            return p;
    }
    return NULL;
}

static void print_name(const struct kit_args *args, const char *name)
{
    const char *mangled = name;
    if (kit_value(args, UNDERSCORE) && *mangled == '_')
        mangled++;
    char *text = starts_with(mangled, "_Z")
                     ? __cxa_demangle(mangled, NULL, NULL, NULL)
                     : NULL;
    char *parameters =
        text && kit_value(args, NO_PARAMETERS) ? find_parameters(text) : NULL;
    if (parameters)
        *parameters = 0;
    fputs(text ? text : name, stdout);
    free(text);
}

bool kit_is_in_name(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.';
}

/* Copies standard input to standard output with each name demangled. */
static void filter_input(const struct kit_args *args)
{
    VEC(char) name = {0};
    int c;
    do {
        c = getchar();
        if (c != EOF && kit_is_in_name(c)) {
            if (!vec_push(&name, (char)c))
                break;
            continue;
        }
        if (name.count && vec_push(&name, 0))
            print_name(args, name.data);
        name.count = 0;
        if (c != EOF)
            putchar(c);
    } while (c != EOF);
    vec_fini(&name);
}

static int run_cufilt(const struct kit_args *args)
{
    if (!args->files.count)
        filter_input(args);
    for (size_t i = 0; i < args->files.count; i++) {
        print_name(args, args->files.data[i]);
        putchar('\n');
    }
    return 0;
}

const struct kit_tool kit_cufilt = {
    .name = "cu++filt",
    .arguments = "[NAME]...",
    .summary = "shows C++ names as the source has them",
    .details = "Without a NAME it filters standard input.",
    .options = options,
    .option_count = ARRAY_COUNT(options),
    .run = run_cufilt,
};
