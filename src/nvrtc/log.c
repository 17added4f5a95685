/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler's messages as NVRTC words them, for programs that read them:
 * Jitify finds the headers that are missing by these lines.
 *
 *   clang   k.cu:3:10: fatal error: 'a.h' file not found
 *   NVRTC   k.cu(3): catastrophic error: cannot open source file "a.h"
 *
 * Files in the scratch folder have the names that the program knows.
 */
#include "cc/clang_messages.h"
#include "nvrtc/internal.h"

#include <stdio.h>
#include <stdlib.h>

struct log {
    struct rtc_blob *to;
    const char *scratch; /* left out of names, with the slash behind it */
    const char *name;    /* of the program */
    bool is_catastrophic;
};

static bool put_bytes(struct log *l, const char *text, size_t length)
{
    return rtc_blob_add(l->to, text, length);
}

static bool put_text(struct log *l, const char *text)
{
    return put_bytes(l, text, strlen(text));
}

/* Adds a text without the scratch folder's name. */
static bool put_names(struct log *l, const char *text, size_t length)
{
    const char *end = text + length;
    size_t folder = strlen(l->scratch);
    bool ok = true;
    while (ok && text < end) {
        const char *at = memmem(text, (size_t)(end - text), l->scratch, folder);
        ok = put_bytes(l, text, (size_t)((at ? at : end) - text));
        text = at ? at + folder : end;
        text += at && text < end && *text == '/';
    }
    return ok;
}

static const struct severity {
    const char *clang, *nvrtc;
} severities[] = {
    {": fatal error: ", "): catastrophic error: "},
    {": error: ", "): error: "},
    {": warning: ", "): warning: "},
    {": note: ", "): note: "},
};

/* The digits that end at `end`, or NULL where there are none behind a colon. */
static const char *number_before(const char *line, const char *end)
{
    const char *p = end;
    while (p > line && p[-1] >= '0' && p[-1] <= '9')
        p--;
    return p < end && p > line && p[-1] == ':' ? p : NULL;
}

static bool put_message(struct log *l, const char *text, size_t length)
{
    static const char missing[] = CLANG_FILE_NOT_FOUND;
    const size_t tail = sizeof missing - 1;
    if (length > tail + 1 && *text == '\'' &&
        memcmp(text + length - tail, missing, tail) == 0)
        return put_text(l, "cannot open source file \"") &&
               put_names(l, text + 1, length - tail - 1) &&
               put_bytes(l, "\"\n", 2);
    return put_names(l, text, length) && put_bytes(l, "\n", 1);
}

/* clang's "1 warning and 2 errors generated ..." in NVRTC's words, which count
 * the errors alone. */
static bool put_count(struct log *l, const char *line, const char *end)
{
    const char *word = memmem(line, (size_t)(end - line), " error", 6);
    if (!word)
        return true;
    const char *digits = word;
    while (digits > line && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    const int count = atoi(digits);
    char text[64];
    int n = snprintf(text, sizeof text, "\n%d %serror%s detected in the ",
                     count, l->is_catastrophic ? "catastrophic " : "",
                     count == 1 ? "" : "s");
    return put_bytes(l, text, (size_t)n) && put_text(l, "compilation of \"") &&
           put_text(l, l->name) && put_text(l, "\".\n") &&
           (!l->is_catastrophic || put_text(l, "Compilation terminated.\n"));
}

static bool put_line(struct log *l, const char *line, size_t length)
{
    static const char counts[] = CLANG_SUMMARY;
    const char *end = line + length;
    for (size_t i = 0; i < ARRAY_COUNT(severities); i++) {
        const struct severity *s = &severities[i];
        const char *at = memmem(line, length, s->clang, strlen(s->clang));
        const char *column = at ? number_before(line, at) : NULL;
        const char *row = column ? number_before(line, column - 1) : NULL;
        if (!row)
            continue;
        l->is_catastrophic |= i == 0;
        const char *text = at + strlen(s->clang);
        return put_names(l, line, (size_t)(row - 1 - line)) &&
               put_bytes(l, "(", 1) &&
               put_bytes(l, row, (size_t)(column - 1 - row)) &&
               put_text(l, s->nvrtc) &&
               put_message(l, text, (size_t)(end - text));
    }
    if (memmem(line, length, counts, sizeof counts - 1))
        return put_count(l, line, end);
    return put_names(l, line, length) && put_bytes(l, "\n", 1);
}

bool rtc_log_add(struct _nvrtcProgram *p, const char *messages,
                 const char *scratch)
{
    struct log l = {&p->log, scratch, p->name, false};
    struct rtc_blob text = {0};
    bool ok = true;
    if (rtc_blob_read(&text, messages)) /* else there were none */
        for (const char *line = text.data; ok && *line;) {
            size_t length = strcspn(line, "\n");
            ok = put_line(&l, line, length);
            line += length + (line[length] != 0);
        }
    rtc_blob_free(&text);
    return ok;
}
