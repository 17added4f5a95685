/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Name expressions. Behind the source, each becomes the initial value of a
 * device variable, which instantiates it:
 *
 *     extern "C" { __device__ auto __weft_name_0 = &(kernel<int>); }
 *
 * and in the PTX that value is the name:
 *
 *     .visible .global .align 8 .u64 __weft_name_0 = _Z6kernelIiEvPT_;
 */
#include "nvrtc/internal.h"
#include "base/ptx_names.h"

#include <stdio.h>
#include <stdlib.h>

static const char prefix[] = "__weft_name_";

static bool add_line(struct rtc_blob *source, size_t number,
                     const char *expression)
{
    char head[160];
    /* A cast or an address stands as it is. */
    bool is_address = expression[0] == '&' || expression[0] == '(';
    int n = snprintf(head, sizeof head,
                     "\nextern \"C\" { __device__ __attribute__((used)) "
                     "auto %s%zu = %s",
                     prefix, number, is_address ? "" : "&(");
    return rtc_blob_add(source, head, (size_t)n) &&
           rtc_blob_add(source, expression, strlen(expression)) &&
           rtc_blob_add(source, is_address ? "; }" : "); }",
                        is_address ? 3 : 4);
}

bool rtc_names_add_source(const struct _nvrtcProgram *p,
                          struct rtc_blob *source)
{
    static const char head[] = "\n# 1 \"name expressions\"";
    if (!p->names.count)
        return true;
    if (!rtc_blob_add(source, head, sizeof head - 1))
        return false;
    for (size_t i = 0; i < p->names.count; i++)
        if (!add_line(source, i, p->names.data[i].expression))
            return false;
    return rtc_blob_add(source, "\n", 1);
}

/* The line that defines variable `number`, or NULL. *value: behind the '='. */
static char *find_line(char *ptx, size_t number, char **value)
{
    char text[64];
    int length = snprintf(text, sizeof text, " %s%zu = ", prefix, number);
    char *at = strstr(ptx, text);
    if (!at)
        return NULL;
    *value = at + length;
    while (at > ptx && at[-1] != '\n')
        at--;
    return at;
}

bool rtc_names_find(nvrtcProgram p)
{
    for (size_t i = 0; i < p->names.count; i++) {
        char *value, *line = find_line(p->ptx.data, i, &value);
        if (!line)
            return false;
        if (starts_with(value, "generic("))
            value += 8;
        size_t length = 0;
        while (ptx_is_inner_char(value[length]))
            length++;
        free(p->names.data[i].lowered);
        p->names.data[i].lowered = strndup(value, length);
        if (!p->names.data[i].lowered)
            return false;
        char *rest = line + strcspn(line, "\n");
        rest += *rest == '\n';
        size_t left = p->ptx.bytes - (size_t)(rest - p->ptx.data);
        memmove(line, rest, left + 1);
        p->ptx.bytes -= (size_t)(rest - line);
    }
    return true;
}
