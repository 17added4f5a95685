/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function templates without __device__ that are only named in decltype, such
 * as a library's own declval. nvcc does not care where those run. clang, in the
 * return type of a template, does not find them in device code, and its message
 * does not say where they are declared. So the user's headers are searched for
 * templates of that name.
 */
#include "cc/compat/mend.h"

#include <ctype.h>
#include <stdlib.h>

/* The "template" with which the declaration of the function begins, in front of
 * its name; NULL: the name is no declaration, but a call for example. */
static const char *find_declaration(const char *text, const char *name)
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

/* Does the text from `template` to the name say nothing about execution spaces?
 * False also for text that is no declaration, as "return f<T>(x)". */
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
        const char *start = find_declaration(text, p);
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
