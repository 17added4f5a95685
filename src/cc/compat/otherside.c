/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host code of templates that calls __device__ functions and lambdas. It is
 * often on a path that is never taken: nvcc compiles it, and replaces the
 * callee by a function that ends the program. clang refuses the call, and in
 * the device pass drops the statement around it, which may launch a kernel. So
 * both passes get a copy of the source in which the callee is __host__
 * __device__; in the host's copy its body ends the program. A lambda that
 * returns something without naming the type then returns int, as with nvcc. The
 * body of a lambda stays, in an inner lambda that is not called, since it
 * decides what is captured.
 *
 * mend.c finds the place in clang's messages and writes the copy.
 */
#include "cc/cc.h"

#include <ctype.h>
#include <stdlib.h>

/* Over R"tag( to )tag"; p: no such literal begins or ends there. */
static char *skip_raw_string(char *p)
{
    char *tag = p;
    tag += starts_with(tag, "u8") ? 2 : *tag && strchr("uUL", *tag) ? 1 : 0;
    if (!starts_with(tag, "R\""))
        return p;
    tag += 2;
    size_t length = strcspn(tag, "()\\ \t\n\"");
    if (tag[length] != '(')
        return p;
    const char *end = arena_printf(cc_arena, ")%.*s\"", (int)length, tag);
    char *found = strstr(tag + length, end);
    return found ? found + strlen(end) : p;
}

char *cc_skip_text(char *p)
{
    if (cc_is_name_char(*p)) {
        if (cc_is_name_char(p[-1]))
            return p;
        if (!isdigit((unsigned char)*p))
            return skip_raw_string(p);
        /* 1'000 and 0xAB'CD are numbers. */
        while (cc_is_name_char(*p) || (*p == '\'' && cc_is_name_char(p[1])))
            p++;
        return p;
    }
    if (starts_with(p, "//"))
        return p + strcspn(p, "\n");
    if (starts_with(p, "/*")) {
        char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p != '"' && *p != '\'')
        return p;
    char quote = *p++;
    for (; *p && *p != quote && *p != '\n'; p++)
        p += *p == '\\' && p[1];
    return *p == quote ? p + 1 : p;
}

char *cc_skip_space(char *p)
{
    return p + strspn(p, " \t\r\n");
}

char *cc_skip_space_back(const char *start, char *p)
{
    while (p > start && isspace((unsigned char)p[-1]))
        p--;
    return p;
}

char *cc_closing(char *p)
{
    char open = *p, close = open == '(' ? ')' : open == '[' ? ']' : '}';
    int depth = 0;
    while (*p) {
        char *behind = cc_skip_text(p);
        if (behind > p) {
            p = behind;
            continue;
        }
        depth += *p == open ? 1 : *p == close ? -1 : 0;
        if (!depth)
            return p;
        p++;
    }
    return NULL;
}

/* The brace of the body, from behind a function's name or a lambda's
 * introducer; NULL: there is none, or text that is not understood here. *type:
 * the "->" in front of a result type, or NULL. */
static char *find_body(char *p, char **type)
{
    *type = NULL;
    while (p && *p && *p != ';' && *p != '}') {
        char *behind = cc_skip_text(p);
        if (behind > p) {
            p = behind;
        } else if (*p == '{') {
            return p;
        } else if (*p == '(' || *p == '[') {
            p = cc_closing(p);
            p += p != NULL;
        } else if (*p == ':' && p[1] == ':') {
            p += 2;
        } else if (*p == ':' || *p == '=') {
            return NULL;
        } else {
            if (starts_with(p, "->"))
                *type = p;
            p++;
        }
    }
    return NULL;
}

static bool returns_value(char *body, const char *end)
{
    static const char word[] = "return";
    for (char *p = body; p < end;) {
        char *behind = cc_skip_text(p);
        if (behind > p) {
            p = behind;
            continue;
        }
        bool is_word = starts_with(p, word) && !cc_is_name_char(p[-1]) &&
                       !cc_is_name_char(p[sizeof word - 1]);
        if (is_word &&
            p[sizeof word - 1 + strspn(p + sizeof word - 1, " \t\n")] != ';')
            return true;
        p++;
    }
    return false;
}

bool cc_find_host_side(char *at, struct cc_host_side *out)
{
    static const char call[] = "operator()";
    bool is_lambda = *at == '[';
    char *type;
    char *p = is_lambda               ? cc_closing(at)
              : starts_with(at, call) ? at + sizeof call - 2
                                      : at;
    if (!p)
        return false;
    char *open = find_body(p + 1, &type);
    char *close = open ? cc_closing(open) : NULL;
    if (!close)
        return false;
    *out = (struct cc_host_side){.body = open, .end = close};
    if (!is_lambda)
        return true;
    out->spaces = p + 1;
    out->type =
        type ? arena_strndup(cc_arena, type, (size_t)(open - type)) : "";
    out->returns_int = !type && returns_value(open + 1, close);
    return true;
}

/* The body of the kernel whose __global__ stands before `at`. */
static bool find_declared_kernel(char *text, char *at, struct cc_host_side *out)
{
    static const char word[] = "__global__";
    char *p = at, *type;
    while (p > text && !starts_with(p, word))
        p--;
    char *open =
        starts_with(p, word) ? find_body(p + sizeof word - 1, &type) : NULL;
    char *close = open ? cc_closing(open) : NULL;
    if (!close || at < open || at > close)
        return false;
    *out = (struct cc_host_side){.body = open, .end = close};
    return true;
}

/* The name of the function whose body begins at `open`, in the form that
 * mangled names have: "6kernel". NULL: it is no function's body. */
static const char *symbol_part(const char *text, const char *open)
{
    const char *p = open;
    while (p > text && isspace((unsigned char)p[-1]))
        p--;
    int depth = 0;
    do {
        if (p == text)
            return NULL;
        p--;
        depth += *p == ')' ? 1 : *p == '(' ? -1 : 0;
    } while (depth > 0);
    while (p > text && isspace((unsigned char)p[-1]))
        p--;
    const char *end = p;
    while (p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_'))
        p--;
    if (*end != '(' && !isspace((unsigned char)*end))
        return NULL;
    return p == end ? NULL
                    : arena_printf(cc_arena, "%d%.*s", (int)(end - p),
                                   (int)(end - p), p);
}

static bool names_entry(const char *ptx, const char *part)
{
    for (const char *p = ptx; (p = strstr(p, ".entry ")) != NULL;) {
        size_t length = strcspn(p, "(\n");
        const char *name = arena_strndup(cc_arena, p, length);
        const char *at = strstr(name, part);
        if (at && !isdigit((unsigned char)at[-1]))
            return true;
        p += length;
    }
    return false;
}

/* Finds the body around `at` whose function is a kernel in the PTX of the
 * device pass. */
static bool find_entry(const struct cc_job *j, char *text, char *at,
                       struct cc_host_side *out)
{
    size_t size_bytes;
    char *ptx = j->ptx.count ? cc_read_file(j->ptx.data[0], &size_bytes) : NULL;
    bool found = false;
    for (char *p = at; ptx && !found && p > text; p--) {
        char *close = *p == '{' ? cc_closing(p) : NULL;
        const char *part = close > at ? symbol_part(text, p) : NULL;
        if (part && names_entry(ptx, part)) {
            *out = (struct cc_host_side){.body = p, .end = close};
            found = true;
        }
    }
    free(ptx);
    return found;
}

bool cc_find_kernel_body(const struct cc_job *j, char *text, char *at,
                         struct cc_host_side *out)
{
    return find_declared_kernel(text, at, out) || find_entry(j, text, at, out);
}

void cc_blank(char *from, const char *to)
{
    for (char *p = from; p < to; p++)
        if (*p != '\n' && *p != '\r')
            *p = ' ';
}
