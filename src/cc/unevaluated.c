/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function templates that only decltype names: a library's own declval.
 * To nvcc it does not matter there that they say nothing of where they run; in
 * what a template returns, clang finds no such function in device code, and
 * does not say where it is. So the user's headers are looked through for
 * templates of the name.
 */
#include "mend.h"

#include <ctype.h>
#include <stdlib.h>

/* From a function's name back to the "template" that its declaration begins
 * with; NULL: it is called here, or something else. */
static const char *declaration(const char *text, const char *name)
{
    static const char word[] = "template";
    const char *p = name;
    while (p > text && isspace((unsigned char)p[-1]))
        p--;
    if (p == text || (!cc_is_name_char(p[-1]) && !strchr("&*>", p[-1])) ||
        p[-1] == '-' || (p - text > 1 && starts_with(p - 2, "->")))
        return NULL;
    while (p > text && !strchr(";{}#", p[-1]))
        p--;
    const char *start = strstr(p, word);
    return start && start < name && !cc_is_name_char(start[sizeof word - 1])
               ? start
               : NULL;
}

/* Whether between `template` and the name it says nothing of the kind, and
 * returns nothing of a value: "return f<T>(x)" is no declaration. */
static bool says_nothing(const char *start, const char *name)
{
    static const char *const words[] = {
        "__device__", "__host__", "__global__", "__attribute__",
        "return",     "(",        "="};
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        if (memmem(start, (size_t)(name - start), words[i], strlen(words[i])))
            return false;
    return true;
}

static void find_templates(const char *path, const char *text, const char *name,
                           mends *out)
{
    size_t length = strlen(name);
    for (const char *p = text; (p = strstr(p, name)); p += length) {
        const char *line = p;
        if ((p > text && cc_is_name_char(p[-1])) ||
            p[length + strspn(p + length, " \t")] != '(')
            continue;
        const char *start = declaration(text, p);
        if (!start || !says_nothing(start, p))
            continue;
        while (line > text && line[-1] != '\n')
            line--;
        struct mend_place at = {path, cc_line_of(text, p),
                                (size_t)(p - line) + 1};
        cc_mend_add_text(out, at, MEND_HOST_DEVICE, name);
    }
}

void cc_find_host_templates(const char *rule, const char *own_folder,
                            const cc_args *names, mends *out)
{
    size_t bytes, file_bytes;
    char *files = cc_read_file(rule, &bytes);
    const char *at = files ? strstr(files, ": ") : NULL, *path;
    if (at)
        at++;
    while (at && (path = cc_next_file(&at))) {
        if (starts_with(path, own_folder))
            continue;
        char *text = cc_read_file(path, &file_bytes);
        for (size_t i = 0; text && i < names->count; i++)
            find_templates(path, text, names->data[i], out);
        free(text);
    }
    free(files);
}
