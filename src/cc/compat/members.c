/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constants to nvcc that are none to clang: static members that are read
 * through `this`, a member or a reference, and variables whose values are
 * computed with an overflow.
 */
#include "cc/compat/mend.h"

#include <ctype.h>

static char *skip_word(char *p)
{
    while (cc_is_name_char(*p))
        p++;
    return p;
}

/* The '.' or "->" of a member, with spaces before it; NULL: there is none. */
static char *member_operator(char *p)
{
    p = cc_skip_space(p);
    bool is_dot = *p == '.' && p[1] != '.' && p[1] != '*';
    bool is_arrow = starts_with(p, "->") && p[2] != '*';
    return is_dot || is_arrow ? p : NULL;
}

static bool begins_name(char c)
{
    return cc_is_name_char(c) && !isdigit((unsigned char)c);
}

bool cc_find_member(char *at, struct cc_member *out)
{
    char *end = skip_word(at), *op;
    *out = (struct cc_member){.end = end + (end == at)};
    if (!begins_name(*at))
        return false;
    while ((op = member_operator(end))) {
        char *name = cc_skip_space(op + 1 + (*op == '-'));
        if (!begins_name(*name))
            break;
        out->op = op;
        end = skip_word(name);
        if ((size_t)(end - name) == strlen("template") &&
            starts_with(name, "template"))
            break;
    }
    out->is_arrow = out->op && *out->op == '-';
    out->end = end;
    return out->op != NULL;
}

/* From the name of a variable back to its `constexpr`; NULL: there is none. */
char *cc_find_constexpr(const char *text, char *name)
{
    static const char word[] = "constexpr";
    size_t length = sizeof word - 1;
    for (char *p = name; p > text && !strchr(";{}", *p); p--)
        if (starts_with(p, word) && !cc_is_name_char(p[length]) &&
            !cc_is_name_char(p[-1]))
            return p;
    return NULL;
}
