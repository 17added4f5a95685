/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Static variables in device code that is compiled to a module by itself.
 * Programs set them by name (cuModuleGetGlobal), which nvcc's code allows;
 * clang sees no write, and replaces them by their initial values. Host code
 * that takes the variable's address keeps clang from that: it is inserted
 * behind the declaration, in a copy of the source.
 */
#include "cc/cc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* Reads a source file: the place, the depth of braces, the declaration. */
struct reader {
    const char *text, *p;
    const char *start;   /* of the declaration */
    unsigned depth;      /* of braces that are no namespace's */
    unsigned namespaces; /* around them */
};

static bool says_word(const char *from, const char *to, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = from; (p = memmem(p, (size_t)(to - p), word, length));
         p += length)
        if ((p == from || !cc_is_name_char(p[-1])) &&
            !cc_is_name_char(p[length]))
            return true;
    return false;
}

/* The place behind the comment, directive or string at p; p: it is code. */
static const char *skip_no_code(const char *text, const char *p)
{
    const char *end = NULL;
    if (starts_with(p, "//"))
        end = strchr(p, '\n');
    else if (starts_with(p, "/*"))
        end = (end = strstr(p + 2, "*/")) ? end + 2 : NULL;
    else if (*p == '#' && (p == text || p[-1] == '\n'))
        for (end = strchr(p, '\n'); end && end[-1] == '\\';)
            end = strchr(end + 1, '\n');
    else if (*p != '"')
        return p;
    else
        for (end = p + 1; *end && *end != '"' && *end != '\n'; end++)
            end += *end == '\\' && end[1];
    if (*p == '"' && *end == '"')
        end++;
    return end ? end : p + strlen(p);
}

/* Does the text declare a function, "f(int x)", and not a variable with a
 * value,
 * "= f(1)"? */
static bool is_function(const char *from, const char *to)
{
    const char *open = memchr(from, '(', (size_t)(to - from));
    const char *equals = memchr(from, '=', (size_t)(to - from));
    return open && (!equals || open < equals);
}

static void open_brace(struct reader *r)
{
    bool is_namespace =
        !r->depth && (says_word(r->start, r->p, "namespace") ||
                      (says_word(r->start, r->p, "extern") &&
                       memchr(r->start, '"', (size_t)(r->p - r->start))));
    if (is_namespace) {
        r->namespaces++;
        r->start = r->p + 1;
    } else {
        r->depth++;
    }
}

static void close_brace(struct reader *r)
{
    if (!r->depth) {
        r->namespaces -= r->namespaces > 0;
        r->start = r->p + 1;
    } else if (!--r->depth && is_function(r->start, r->p)) {
        r->start = r->p + 1;
    }
}

/* The name that is declared from here on; NULL: none that is understood. */
static const char *declared_name(const char *from, const char *to)
{
    const char *end = from + strcspn(from, "[;=,({<");
    if (end > to || (*end && strchr(",(<", *end)))
        return NULL;
    const char *name = cc_last_name(from, &end);
    return name ? arena_strndup(cc_arena, name, (size_t)(end - name)) : NULL;
}

/* Called at the semicolon of a declaration: adds the insertion if it declares a
 * static device variable. */
static void end_declaration(const struct reader *r, cc_insertions *out)
{
    bool is_variable = says_word(r->start, r->p, "__constant__") ||
                       says_word(r->start, r->p, "__device__");
    if (!is_variable || !says_word(r->start, r->p, "static") ||
        says_word(r->start, r->p, "const") ||
        says_word(r->start, r->p, "constexpr") ||
        says_word(r->start, r->p, "template"))
        return;
    const char *name = declared_name(r->start, r->p);
    if (!name)
        return;
    const char *line = r->p;
    while (line > r->text && line[-1] != '\n')
        line--;
    size_t number = cc_line_of(r->text, r->p);
    struct cc_insertion i = {
        .line = number,
        .column = (size_t)(r->p - line) + 1,
        .text = arena_printf(
            cc_arena,
            "; static inline __attribute__((host)) const volatile void "
            "*__weft_named_%zu_%zu() { return &%s; }",
            number, (size_t)(r->p - line), name),
        .name = ";"};
    must_have_memory(vec_push(out, i));
}

bool cc_finds_statics(const char *path, cc_insertions *out)
{
    size_t bytes;
    char *text = cc_read_file(path, &bytes);
    struct reader r = {.text = text, .p = text, .start = text};
    while (text && *r.p) {
        const char *code = skip_no_code(text, r.p);
        if (code > r.p) {
            /* A declaration does not begin with a comment or a directive. */
            r.start = r.start == r.p ? code : r.start;
            r.p = code;
            continue;
        }
        if (*r.p == '{')
            open_brace(&r);
        else if (*r.p == '}')
            close_brace(&r);
        else if (*r.p == ';' && !r.depth) {
            end_declaration(&r, out);
            r.start = r.p + 1;
        } else if (isspace((unsigned char)*r.p) && r.start == r.p)
            r.start++;
        r.p++;
    }
    free(text);
    return out->count > 0;
}
