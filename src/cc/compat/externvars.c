/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device variables that a file declares extern and that its host code uses
 * (cudaMemcpyToSymbol). Without -rdc=true nvcc makes each a static variable of
 * the file. clang takes it for another file's, so its symbol is undefined in
 * the host's object file. If it is, the declaration becomes static in copies of
 * the source for both passes.
 */
#include "cc/compat/mend.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static const char word[] = "extern";

/* Is it the symbol of a variable of this name, in whatever namespace? */
static bool is_symbol_of(const char *symbol, const char *name, size_t length)
{
    if (strlen(symbol) == length && memcmp(symbol, name, length) == 0)
        return true;
    const char *part =
        arena_printf(cc_arena, "%zu%.*sE", length, (int)length, name);
    size_t symbol_length = strlen(symbol), part_length = strlen(part);
    return starts_with(symbol, "_ZN") && symbol_length > part_length &&
           strcmp(symbol + symbol_length - part_length, part) == 0;
}

static const char *symbol_of(const cc_args *symbols, const char *name,
                             size_t length)
{
    for (size_t i = 0; i < symbols->count; i++)
        if (is_symbol_of(symbols->data[i], name, length))
            return symbols->data[i];
    return NULL;
}

/* The place behind the parentheses, brackets or angles that open at p. */
static const char *skip_nested(const char *p, const char *end)
{
    int depth = 0;
    do {
        depth += strchr("([<", *p) != NULL;
        depth -= strchr(")]>", *p) != NULL;
        p++;
    } while (depth > 0 && p < end);
    return p;
}

/* Adds the undefined symbols that the declaration names to `found`. False: it
 * names one that the object defines. */
static bool find_symbols(const char *p, const char *end,
                         const struct cc_symbols *symbols, cc_args *found)
{
    while (p < end) {
        const char *name = p;
        while (p < end && cc_is_name_char(*p))
            p++;
        size_t length = (size_t)(p - name);
        const char *next = p + strspn(p, " \t\r\n");
        if (length && strchr("[,;", *next)) {
            const char *symbol = symbol_of(&symbols->undefined, name, length);
            if (symbol_of(&symbols->defined, name, length))
                return false;
            if (symbol)
                cc_add(found, symbol);
        }
        if (!length)
            p = strchr("([<", *p) ? skip_nested(p, end) : p + 1;
    }
    return true;
}

static bool is_of_device(const char *from, const char *to)
{
    static const char *const words[] = {"__device__", "__constant__",
                                        "__managed__"};
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        if (memmem(from, (size_t)(to - from), words[i], strlen(words[i])))
            return true;
    return false;
}

/* Mends the declaration behind the word `extern` at `at`, if it is one of a
 * symbol for which no earlier declaration was mended: those are `known`. */
static void mend_declaration(const char *path, const char *text, const char *at,
                             const struct cc_symbols *symbols, cc_args *known,
                             mends *out)
{
    const char *begin = at, *line = at, *end = at + strcspn(at, ";={}");
    if (at > text && cc_is_name_char(at[-1]))
        return;
    while (begin > text && !strchr(";{}", begin[-1]))
        begin--;
    if (*end != ';' || !is_of_device(begin, end))
        return;
    cc_args found = {0};
    bool is_fit = find_symbols(at, end, symbols, &found) && found.count &&
                  !cc_contains(known, found.data[0]);
    if (is_fit) {
        while (line > text && line[-1] != '\n')
            line--;
        struct mend_place place = {path, cc_line_of(text, at),
                                   (size_t)(at - line) + 1};
        cc_mend_add(out, place, MEND_EXTERN);
        cc_add_all(known, &found);
    }
    vec_fini(&found);
}

static void mend_file(const char *path, const struct cc_symbols *symbols,
                      cc_args *known, mends *out)
{
    size_t bytes;
    char *text = cc_read_file(path, &bytes);
    for (const char *p = text; p && (p = strstr(p, word)); p++)
        mend_declaration(path, text, p, symbols, known, out);
    free(text);
}

/* The source is the first file of the rule. It is read last, as it mostly
 * includes the others before it declares anything. */
void cc_find_extern_variables(const char *rule, const char *own_folder,
                              const struct cc_symbols *symbols, cc_args *known,
                              mends *out)
{
    size_t bytes;
    char *text = cc_read_file(rule, &bytes);
    const char *at = text ? strstr(text, ": ") : NULL;
    at = at ? at + 1 : NULL;
    const char *first = at ? cc_next_file(&at) : NULL, *name;
    while (first && (name = cc_next_file(&at)))
        if (!starts_with(name, own_folder))
            mend_file(name, symbols, known, out);
    if (first)
        mend_file(first, symbols, known, out);
    free(text);
}
