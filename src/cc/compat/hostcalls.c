/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of __host__ functions by __host__ __device__ functions. nvcc warns, and
 * device code that reaches the call has undefined behaviour: libraries have
 * such calls behind `if (false)`, or where only the host passes. clang refuses
 * the call wherever a kernel may reach its function. So the call is moved into
 * a lambda of the host's, in which clang's device pass only instantiates
 * templates, and which traps in device code (include/weft/host_calls.h). If
 * there is no name to call (a constructor, an operator), the block around it is
 * moved.
 */
#include "cc/compat/mend.h"

#include <stdlib.h>

/* The bracket that matches the closing one before p; NULL: there is none. */
static char *opening_bracket(const char *text, char *p)
{
    char close = p[-1];
    char open = close == ')' ? '(' : close == ']' ? '[' : '<';
    int depth = 0;
    while (p > text) {
        p--;
        bool is_arrow = *p == '>' && p > text && p[-1] == '-';
        depth += *p == close && !is_arrow ? 1 : *p == open ? -1 : 0;
        if (!depth)
            return p;
        if (open == '<' && strchr(";{}", *p))
            return NULL;
    }
    return NULL;
}

static char *name_start(const char *text, char *p)
{
    while (p > text && cc_is_name_char(p[-1]))
        p--;
    return p;
}

static bool ends_with_word(const char *text, const char *end, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(end - text) < length)
        return false;
    const char *start = end - length;
    return memcmp(start, word, length) == 0 &&
           (start == text || !cc_is_name_char(start[-1]));
}

/* Where the operand begins that ends before p, in front of "::", "." or "->": a
 * name with template arguments, subscripts and calls. NULL: something else. */
static char *primary_start(const char *text, char *p)
{
    p = cc_skip_space_back(text, p);
    while (p > text && strchr(")]>", p[-1]))
        if (!(p = opening_bracket(text, p)))
            return NULL;
    char *start = name_start(text, p);
    return start < p || strchr("([", *p) ? start : NULL;
}

/* Where the expression begins that ends with the name at `at`. */
static char *expression_start(const char *text, char *at)
{
    static const char *const joints[] = {"::", ".", "->"};
    char *start = at;
    for (bool goes_on = true; goes_on;) {
        char *p = cc_skip_space_back(text, start);
        if (ends_with_word(text, p, "template"))
            p = cc_skip_space_back(text, p - strlen("template"));
        goes_on = false;
        for (size_t i = 0; i < ARRAY_COUNT(joints); i++) {
            size_t length = strlen(joints[i]);
            if ((size_t)(p - text) < length ||
                memcmp(p - length, joints[i], length) != 0)
                continue;
            char *before = primary_start(text, p - length);
            start = before ? before : p - length;
            goes_on = before != NULL;
            break;
        }
    }
    return start;
}

/* The place behind the template arguments at p; p, if there are none. */
static char *skip_arguments(char *p)
{
    int depth = 0;
    char *start = p;
    for (; *p && *p != ';'; p++) {
        if (*p == '(' || *p == '[' || *p == '{') {
            p = cc_closing(p);
            if (!p)
                return start;
            continue;
        }
        bool is_arrow = *p == '>' && p > start && p[-1] == '-';
        depth += *p == '<' ? 1 : *p == '>' && !is_arrow ? -1 : 0;
        if (!depth)
            return p + (p > start);
    }
    return start;
}

/* The call of the function whose name clang points at. */
static bool find_call(const char *text, char *at, struct cc_host_call *out)
{
    char *p = at;
    while (cc_is_name_char(*p))
        p++;
    if (p == at)
        return false;
    p = cc_skip_space(p);
    if (*p == '<')
        p = cc_skip_space(skip_arguments(p));
    char *close = *p == '(' ? cc_closing(p) : NULL;
    if (!close)
        return false;
    *out = (struct cc_host_call){expression_start(text, at), close + 1, false};
    return true;
}

/* The word that ends before p, or before the parentheses that end there. */
static const char *word_before(const char *text, char *p)
{
    char *open = p > text && p[-1] == ')' ? opening_bracket(text, p) : NULL;
    return name_start(text, open ? cc_skip_space_back(text, open) : p);
}

static bool is_one_of(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (starts_with(name, *words) && !cc_is_name_char(name[strlen(*words)]))
            return true;
    return false;
}

/* Does a block begin at the brace, not a list of values? The body of a switch
 * does not count: its labels cannot move without the switch. */
static bool is_block(const char *text, char *brace)
{
    static const char *const chosen[] = {"switch", NULL};
    static const char *const words[] = {"else",     "do",       "try",
                                        "const",    "noexcept", "mutable",
                                        "override", "final",    NULL};
    char *p = cc_skip_space_back(text, brace);
    if (p == text || strchr(";:{}", p[-1]))
        return true;
    const char *word = word_before(text, p);
    return p[-1] == ')' ? !is_one_of(word, chosen) : is_one_of(word, words);
}

/* Finds the innermost block around a place. */
static bool find_block(const char *text, char *at, struct cc_host_call *out)
{
    int depth = 0;
    for (char *p = at; p > text;) {
        p--;
        depth += *p == '}' ? 1 : *p == '{' ? -1 : 0;
        if (depth >= 0 || *p != '{')
            continue;
        depth = 0;
        char *close = is_block(text, p) ? cc_closing(p) : NULL;
        if (!close)
            continue;
        *out = (struct cc_host_call){p + 1, close, true};
        return close > at;
    }
    return false;
}

bool cc_find_host_call(const char *text, char *at, const char *name,
                       struct cc_host_call *out)
{
    size_t length = strcspn(name, "<");
    bool is_named =
        strncmp(at, name, length) == 0 && !cc_is_name_char(at[length]);
    return (is_named && find_call(text, at, out)) || find_block(text, at, out);
}

bool cc_shows_host_calls(const char *messages)
{
    size_t size_bytes;
    char *text = cc_read_file(messages, &size_bytes);
    bool shows = text && (strstr(text, "WEFT_HOST_") ||
                          strstr(text, "' statement not in "));
    free(text);
    return shows;
}
