/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lowest file of cc/, which calls no other: the arena, lists of arguments,
 * lines on stderr, whole files.
 */
#include "cc/cc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"

struct arena *cc_arena;
const char *cc_name = "weftcc";

void cc_add(cc_args *args, const char *arg)
{
    if (vec_push(args, arg))
        return;
    fputs("weftcc fatal   : out of memory\n", stderr);
    exit(CC_FAILED);
}

void cc_add_all(cc_args *args, const cc_args *more)
{
    for (size_t i = 0; i < more->count; i++)
        cc_add(args, more->data[i]);
}

bool cc_contains(const cc_args *args, const char *arg)
{
    for (size_t i = 0; i < args->count; i++)
        if (strcmp(args->data[i], arg) == 0)
            return true;
    return false;
}

static void print_line(const char *severity, const char *format, va_list list)
{
    fprintf(stderr, "%s %s: ", cc_name, severity);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
}

void cc_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_line("fatal   ", format, list);
    va_end(list);
}

void cc_warning(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_line("warning ", format, list);
    va_end(list);
}

/* ---- whole files --------------------------------------------------------- */

char *cc_read_file(const char *path, size_t *size_bytes)
{
    FILE *f = fopen(path, "rb");
    char *text = f ? file_read(f, size_bytes) : NULL;
    if (!text)
        cc_error("cannot read '%s': %s", path, strerror(errno));
    if (f)
        fclose(f);
    return text;
}

bool cc_close_written(FILE *f, const char *path)
{
    bool ok = f && !ferror(f);
    if (f)
        ok &= fclose(f) == 0;
    if (!ok)
        cc_error("cannot write '%s': %s", path, strerror(errno));
    return ok;
}

bool cc_append_file(const char *to, const char *from)
{
    size_t bytes;
    if (access(from, F_OK) != 0)
        return true;
    char *text = cc_read_file(from, &bytes);
    FILE *f = text ? fopen(to, "ab") : NULL;
    if (f)
        fwrite(text, 1, bytes, f);
    bool ok = cc_close_written(f, to);
    free(text);
    return ok;
}
