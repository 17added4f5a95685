/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Diagnostics as text, for people and for the logs that cuModuleLoadDataEx
 * hands out. When memory runs out a message is lost, its count is not.
 */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

#define ERROR_LIMIT_DEFAULT 20
#define SOURCE_LINE_MAX     160

void diag_init(struct diag *d)
{
    *d = (struct diag){0};
}

void diag_fini(struct diag *d)
{
    free(d->text);
    *d = (struct diag){0};
}

bool diag_is_full(const struct diag *d)
{
    unsigned limit = d->error_limit ? d->error_limit : ERROR_LIMIT_DEFAULT;
    return d->error_count >= limit;
}

static void append_bytes(struct diag *d, const char *s, size_t len)
{
    if (!vec_reserve_((void **)&d->text, &d->capacity, d->length + len + 1, 1))
        return;
    memcpy(d->text + d->length, s, len);
    d->length += len;
    d->text[d->length] = 0;
}

/* Appends text of the user's. Each control character becomes a '?', since a
 * terminal would obey it; UTF-8 stays. */
static void append_plain(struct diag *d, const char *s, size_t len)
{
    size_t at = d->length;
    append_bytes(d, s, len);
    if (d->length == at)
        return;
    for (char *p = d->text + at; *p; p++) {
        if ((unsigned char)*p < ' ' && *p != '\t' && *p != '\n')
            *p = '?';
    }
}

static void append_string(struct diag *d, const char *s)
{
    append_bytes(d, s, strlen(s));
}

static void append_format(struct diag *d, const char *format, va_list args)
{
    char buffer[1024];
    int len = vsnprintf(buffer, sizeof buffer, format, args);
    if (len < 0)
        return;
    if ((size_t)len >= sizeof buffer)
        strcpy(buffer + sizeof buffer - 4, "...");
    append_plain(d, buffer, strlen(buffer));
}

/* The line, and a caret under the column; tabs stay tabs so that the caret
 * stands where it should. */
static void append_source(struct diag *d, const char *line, unsigned column)
{
    char caret[SOURCE_LINE_MAX + 1];
    size_t len = 0;
    while (len < SOURCE_LINE_MAX && line[len] && line[len] != '\n' &&
           line[len] != '\r')
        len++;
    append_string(d, "    ");
    append_plain(d, line, len);
    append_string(d, "\n");
    if (!column || column > len + 1 || column > SOURCE_LINE_MAX)
        return;
    for (unsigned i = 0; i + 1 < column; i++)
        caret[i] = line[i] == '\t' ? '\t' : ' ';
    caret[column - 1] = '^';
    append_string(d, "    ");
    append_bytes(d, caret, column);
    append_string(d, "\n");
}

static void append_message(struct diag *d, enum diag_severity severity,
                           const char *format, va_list args)
{
    static const char *const word[] = {
        [DIAG_NOTE] = "note: ",
        [DIAG_WARNING] = "warning: ",
        [DIAG_ERROR] = "error: ",
    };
    if (severity == DIAG_ERROR)
        d->error_count++;
    else if (severity == DIAG_WARNING)
        d->warning_count++;
    append_string(d, word[severity]);
    append_format(d, format, args);
    append_string(d, "\n");
}

void diag_report(struct diag *d, enum diag_severity severity, const char *file,
                 unsigned line, unsigned column, const char *source_line,
                 const char *format, ...)
{
    char place[32];
    if (file) {
        append_string(d, file);
        if (line && column)
            snprintf(place, sizeof place, ":%u:%u: ", line, column);
        else if (line)
            snprintf(place, sizeof place, ":%u: ", line);
        else
            snprintf(place, sizeof place, ": ");
        append_string(d, place);
    }
    va_list args;
    va_start(args, format);
    append_message(d, severity, format, args);
    va_end(args);
    if (line && source_line)
        append_source(d, source_line, column);
}

void diag_error(struct diag *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append_message(d, DIAG_ERROR, format, args);
    va_end(args);
}

void diag_append(struct diag *d, const struct diag *from)
{
    if (from->text)
        append_bytes(d, from->text, from->length);
    d->error_count += from->error_count;
    d->warning_count += from->warning_count;
}
