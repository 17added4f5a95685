/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands of asm statements that stand for text: for "C"(array) nvcc writes
 * the array's characters in place of %3. clang has texts that are computed:
 *
 *     asm("%2.s32 %0, %1, 7;" : "=r"(x) : "r"(y), "C"(op));
 *
 * becomes
 *
 *     asm((weft_asm_text_with(weft_asm_text_of("%2.s32 %0, %1, 7;"), 2, op))
 *         : "=r"(x) : "r"(y), "n"(0));
 *
 * Finds the parts of such a statement; patch.c changes them.
 */
#include "cc/compat/mend.h"

#include <stdlib.h>

/* The place behind the word asm with its qualifiers, if one ends at `open`, the
 * parenthesis of the statement. */
static bool is_asm(const char *start, char *open)
{
    static const char *const words[] = {"asm", "__asm__", "__asm"},
                             *const qualifiers[] = {"volatile", "__volatile__",
                                                    "__volatile", "inline"};
    for (char *end = cc_skip_space_back(start, open);;) {
        char *word = end;
        while (word > start && cc_is_name_char(word[-1]))
            word--;
        size_t length = (size_t)(end - word);
        for (size_t i = 0; i < ARRAY_COUNT(words); i++)
            if (strlen(words[i]) == length && !memcmp(word, words[i], length))
                return true;
        bool is_qualifier = false;
        for (size_t i = 0; i < ARRAY_COUNT(qualifiers); i++)
            is_qualifier |= strlen(qualifiers[i]) == length &&
                            !memcmp(word, qualifiers[i], length);
        if (!is_qualifier)
            return false;
        end = cc_skip_space_back(start, word);
    }
}

/* The parenthesis of the asm statement around `at`; NULL: there is none. */
static char *statement_open(const char *text, char *at)
{
    for (char *p = at; p > text; p--)
        if (*p == '(' && is_asm(text, p) && cc_closing(p) > at)
            return p;
    return NULL;
}

/* Behind the bracket, string or character at p. */
static char *next_part(char *p)
{
    char *end = strchr("([{", *p) ? cc_closing(p) : NULL;
    if (end)
        return end + 1;
    end = cc_skip_text(p);
    return end > p ? end : p + 1;
}

bool cc_find_asm_text(const char *text, char *at, struct cc_asm_text *out)
{
    char *open = statement_open(text, at),
         *close = open ? cc_closing(open) : NULL;
    if (!close)
        return false;
    *out = (struct cc_asm_text){.start = cc_skip_space(open + 1)};
    char *p = out->start;
    while (p < close && *p != ':')
        p = next_part(p);
    out->end = cc_skip_space_back(open, p);
    unsigned operand = 0;
    for (; p < close && out->count < ARRAY_COUNT(out->operands);
         p = next_part(p)) {
        char *value = *p == '"' ? cc_skip_space(next_part(p)) : NULL;
        if (!value || *value != '(')
            continue;
        if (starts_with(p, "\"C\""))
            out->operands[out->count++] =
                (struct cc_text_operand){p, value, cc_closing(value), operand};
        operand++;
    }
    return out->count > 0;
}
