/* SPDX-License-Identifier: Apache-2.0 */
/* Names in the text of PTX, for those who look for one and do not parse. */
#ifndef WEFT_BASE_PTX_NAMES_H
#define WEFT_BASE_PTX_NAMES_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What a name may have behind its first character. */
static inline bool ptx_is_inner_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* With the third sign that PTX allows, which only begins names. */
static inline bool ptx_is_name_char(char c)
{
    return ptx_is_inner_char(c) || c == '%';
}

/* In bytes; 0: no name begins there. */
static inline size_t ptx_name_length(const char *name)
{
    size_t length = 0;
    while (ptx_is_name_char(name[length]))
        length++;
    return length;
}

/* The first byte that is no space, or the text's end. */
static inline const char *ptx_skip_space(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

/* The name behind ".func"; a result in parentheses may come first. */
static inline const char *ptx_function_name(const char *p)
{
    p = ptx_skip_space(p);
    if (*p == '(')
        p += strcspn(p, ")") + 1;
    return ptx_skip_space(p);
}

#endif
