/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVRTC compiles without the host's headers: a program that includes <stdio.h>
 * or <type_traits> finds one of its own, or none. Our own headers include the
 * host's, so their folders must be searched all the same. clang lists which
 * system headers the program's files include directly, and a header of the host
 * in that list is an error.
 *
 * The implicit header also brings names of the host's library. A program that
 * defines one of them is compiled with an implicit header in which they have
 * other names.
 */
#include "cc/cc.h"

#include <stdio.h>
#include <stdlib.h>

void cc_hide_names(const struct cc_toolchain *t, cc_args *command)
{
    cc_add(command,
           arena_printf(cc_arena, "-D__WEFT_RUNTIME_STD=\"%s/weft/%s\"",
                        t->include_dir, "runtime_std.h"));
#define HIDDEN(name) cc_add(command, "-D" #name "=__weft_" #name);
#include "cc/hidden.def"
}

void cc_list_host_headers(const struct cc_job *j, cc_args *command)
{
    const char *const options[] = {
        "-header-include-file", j->host_headers, "-header-include-format=json",
        "-header-include-filtering=direct-per-file", "-sys-header-deps"};
    for (size_t i = 0; i < ARRAY_COUNT(options); i++) {
        cc_add(command, "-Xclang");
        cc_add(command, options[i]);
    }
}

/* Is the path within a folder that the program names with -I? */
static bool is_asked_for(const struct cc_options *o, const char *path)
{
    for (size_t i = 0; i < o->device.count; i++) {
        const char *arg = o->device.data[i];
        size_t length = strlen(arg);
        if (*arg == '/' && i && strcmp(o->device.data[i - 1], "-I") == 0 &&
            strncmp(path, arg, length) == 0 &&
            (path[length] == '/' || arg[length - 1] == '/'))
            return true;
    }
    return false;
}

/* Headers of the host that programs may include: assert.h, since NVRTC has
 * assert() built in, and version, which is asked for with __has_include. */
static bool is_harmless(const char *path)
{
    const char *name = strrchr(path, '/');
    return name &&
           (strcmp(name, "/assert.h") == 0 || strcmp(name, "/version") == 0);
}

static bool is_allowed(const struct cc_job *j, const char *path)
{
    return starts_with(path, j->toolchain->include_dir) ||
           starts_with(path, j->toolchain->library_dir) || is_harmless(path) ||
           is_asked_for(j->options, path);
}

/* The text from p up to the next quote. */
static const char *quoted_text(const char *p)
{
    return arena_strndup(cc_arena, p, strcspn(p, "\""));
}

/* The name of the header in an include line, if `path` ends with it; else
 * NULL. */
static const char *name_in(const char *line, const char *path)
{
    const char *name = strpbrk(line, "<\"");
    size_t length = name ? strcspn(name + 1, ">\"\n") : 0;
    size_t all = strlen(path);
    const char *word = strstr(line, "include");
    bool is_it = length && length < all && word && word < name &&
                 strncmp(path + all - length, name + 1, length) == 0;
    return is_it ? arena_strndup(cc_arena, name + 1, length) : NULL;
}

/* The name by which the line at `location`, "FILE:LINE:COLUMN", includes the
 * header at `path`. The program's source has another name and other line
 * numbers than its file: there, the first line that includes such a header
 * counts. */
static const char *name_at(const struct cc_job *j, const char *location,
                           const char *path)
{
    const char *end = strchr(location, ':'), *name = NULL;
    long row = end ? atol(end + 1) : 0, at = 0;
    FILE *f =
        end ? fopen(arena_strndup(cc_arena, location, (size_t)(end - location)),
                    "r")
            : NULL;
    if (!f) {
        row = 0;
        f = fopen(j->input.path, "r");
    }
    char *line = NULL;
    size_t room = 0;
    while (f && !name && getline(&line, &room, f) > 0) {
        at++;
        if (!row || at == row)
            name = name_in(line, path);
    }
    free(line);
    if (f)
        fclose(f);
    return name ? name : strrchr(path, '/') + 1;
}

/* Reports a header of the host as clang reports one that is not there: clients
 * read the name, and try again with a header that they have by that name. */
static void refuse_header(const struct cc_job *j, const char *location,
                          const char *path)
{
    fprintf(stderr,
            "%s: fatal error: '%s' file not found\n"
            "weftcc note   : NVRTC has no headers of the host (%s); pass it to "
            "nvrtcCreateProgram, or its folder with -I\n"
            "1 error generated when compiling for a device.\n",
            location, name_at(j, location, path), path);
}

/* Is the header in a folder of the host's? clang's list does not say. */
static bool is_hosts(const char *path)
{
    return starts_with(path, "/usr/") || strstr(path, "/lib/clang/");
}

/* Checks what one file of the program includes; false after reporting a header
 * of the host's. entry: the rest of the file's entry in the list, up to `end`.
 */
static bool leaves_them(const struct cc_job *j, const char *entry,
                        const char *end)
{
    static const char location[] = "\"location\":\"", file[] = "\"file\":\"";
    for (const char *p = strstr(entry, location); p && p < end;
         p = strstr(p, location)) {
        p += sizeof location - 1;
        const char *path = strstr(p, file);
        path = path ? quoted_text(path + sizeof file - 1) : "";
        if (is_hosts(path) && !is_allowed(j, path)) {
            refuse_header(j, quoted_text(p), path);
            return false;
        }
    }
    return true;
}

/* The list has an entry for each file that includes others. */
bool cc_leaves_host_headers(const struct cc_job *j)
{
    static const char field[] = "\"source\":\"";
    size_t bytes;
    bool is_good = true;
    char *text = cc_read_file(j->host_headers, &bytes);
    for (char *p = text ? strstr(text, field) : NULL, *next; p && is_good;
         p = next) {
        p += sizeof field - 1;
        next = strstr(p, field);
        const char *source = quoted_text(p);
        bool is_programs = *source != '/' || is_asked_for(j->options, source) ||
                           strcmp(source, j->input.path) == 0;
        if (is_programs)
            is_good = leaves_them(j, p, next ? next : text + bytes);
    }
    free(text);
    return is_good;
}
