/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extensions of gcc's C++ that nvcc accepts in host code and clang refuses:
 *
 *   - `int a[n] = {1, 2};`, an array of variable length with values;
 *   - `double (*a)[n] = (double (*)[n])malloc(bytes);`, a pointer to such an
 *     array: clang takes each mention of the type for another type;
 *   - `p + n` and `p += n` with a pointer to void, which counts bytes.
 *
 * Finds the parts of the code that clang points at; patch.c changes them.
 */
#include "cc/compat/mend.h"

/* From behind a ']' back to its '['; NULL: it is not there. */
static char *opening_bracket(const char *start, char *behind)
{
    int depth = 0;
    for (char *p = behind; p-- > start;) {
        depth += *p == ']' ? 1 : *p == '[' ? -1 : 0;
        if (!depth)
            return p;
    }
    return NULL;
}

/* The first '[' of an array's sizes, from a place within one of them. */
static char *first_size(const char *start, char *at)
{
    char *open = at;
    while (open > start && *open != '[' && *open != ';')
        open--;
    if (*open != '[')
        return NULL;
    for (char *p = open;
         p && (p = cc_skip_space_back(start, p)) > start && p[-1] == ']';)
        if ((p = opening_bracket(start, p)))
            open = p;
    return open;
}

/* Behind the last ']' of an array's sizes, or NULL. */
static char *behind_sizes(char *open, int *count)
{
    for (*count = 0; open && *open == '['; ++*count) {
        char *close = cc_closing(open);
        open = close ? cc_skip_space(close + 1) : NULL;
    }
    return open;
}

/* The ';' that ends a declaration, or NULL. */
static char *statement_end(char *p)
{
    while (p && *p && *p != ';') {
        if (strchr("([{", *p) && !(p = cc_closing(p)))
            return NULL;
        p++;
    }
    return p && *p ? p : NULL;
}

bool cc_find_filled_array(const char *line, char *at, struct cc_filled *out)
{
    char *sizes = first_size(line, at);
    char *p = sizes ? behind_sizes(sizes, &out->dimensions) : NULL;
    if (!p || *p != '=')
        return false;
    out->equals = p;
    out->open = cc_skip_space(p + 1);
    if (*out->open != '{' || !(out->close = cc_closing(out->open)) ||
        !(out->end = statement_end(out->close + 1)))
        return false;
    char *last = cc_skip_space_back(out->open + 1, out->close);
    out->values_end = last[-1] == ',' ? last - 1 : last;
    out->name_end = cc_skip_space_back(line, sizes);
    out->name = out->name_end;
    while (out->name > line && cc_is_name_char(out->name[-1]))
        out->name--;
    return out->name < out->name_end;
}

bool cc_find_array_pointer(const char *line, char *name,
                           struct cc_array_pointer *out)
{
    int dimensions;
    char *p = name;
    while (cc_is_name_char(*p))
        p++;
    out->name_end = p;
    p = cc_skip_space(p);
    char *equals =
        *p == ')' ? behind_sizes(cc_skip_space(p + 1), &dimensions) : NULL;
    if (!equals || *equals != '=' || !dimensions)
        return false;
    out->equals = equals;
    p = name;
    while (p > line && *p != '(' && !strchr(";{}", *p))
        p--;
    if (*p != '(')
        return false;
    while (p > line && !strchr(";{}(", p[-1]))
        p--;
    out->type = p + strspn(p, " \t");
    return true;
}

/* The column at which a terminal shows `p`: clang's underline has blanks where
 * the line has tabs. */
static size_t shown_column(const char *line, const char *p)
{
    size_t column = 0;
    for (; line < p; line++)
        column = *line == '\t' ? (column / 8 + 1) * 8 : column + 1;
    return column;
}

bool cc_find_void_operand(char *line, char *at, const char *underline,
                          struct cc_void_operand *out)
{
    size_t length = strspn(underline, "~"), back = strlen(underline);
    if ((*at != '+' && *at != '-') || at[1] == *at || !length ||
        underline[length + strspn(underline + length, " ")])
        return false;
    size_t column = shown_column(line, at);
    if (column < back)
        return false;
    column -= back;
    out->start = line;
    while (shown_column(line, out->start) < column)
        out->start++;
    out->end = out->start;
    while (out->end < at && shown_column(line, out->end) < column + length)
        out->end++;
    out->is_assigned = at[1] == '=';
    return true;
}
