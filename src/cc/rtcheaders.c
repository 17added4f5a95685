/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NVRTC compiles without the host's headers: a program that includes <stdio.h>
 * or <type_traits> finds its own, one that came with it, or none. Our own
 * headers stand on the host's, so the folders of these are there all the same.
 * clang lists what files outside of system folders include from inside them,
 * and a header of the host in that list is an error.
 *
 * The implicit header has brought names along, too. A program that defines them
 * by itself is compiled with an implicit header in which they are called
 * something else.
 */
#include "cc.h"

#include <stdlib.h>

void cc_hide_names(const struct cc_toolchain *t, cc_args *command)
{
    cc_add(command,
           arena_printf(cc_arena, "-D__WEFT_RUNTIME_STD=\"%s/weft/%s\"",
                        t->include_dir, "runtime_std.h"));
#define HIDDEN(name) cc_add(command, "-D" #name "=__weft_" #name);
#include "hidden.def"
}

void cc_list_host_headers(const struct cc_job *j, cc_args *command)
{
    const char *const options[] = {
        "-header-include-file", j->host_headers, "-header-include-format=json",
        "-header-include-filtering=only-direct-system", "-sys-header-deps"};
    for (size_t i = 0; i < ARRAY_COUNT(options); i++) {
        cc_add(command, "-Xclang");
        cc_add(command, options[i]);
    }
}

/* Whether an -I of the program's own leads there. */
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

/* assert() is NVRTC's own, and comes from a header of the host's here; what
 * asks __has_include for <version> takes it. */
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

/* The list is one of paths in quotes. */
bool cc_leaves_host_headers(const struct cc_job *j)
{
    static const char field[] = "\"includes\":[";
    size_t bytes;
    bool is_good = true;
    char *text = cc_read_file(j->host_headers, &bytes);
    for (char *p = text ? strstr(text, field) : NULL; p && is_good;
         p = strstr(p, field)) {
        p += sizeof field - 1;
        for (; *p == '"' && is_good; p += *p == ',') {
            size_t length = strcspn(++p, "\"");
            const char *path = arena_strndup(cc_arena, p, length);
            p += length + (p[length] == '"');
            is_good = is_allowed(j, path);
            if (!is_good)
                cc_error("cannot open source file \"%s\": NVRTC has no headers "
                         "of the host (%s); pass it to nvrtcCreateProgram, or "
                         "its folder with -I",
                         strrchr(path, '/') + 1, path);
        }
    }
    free(text);
    return is_good;
}
