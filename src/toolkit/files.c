/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files, and the device code in them. A fat binary is found by its magic number
 * wherever it lies in a file, so executables, objects and archives need no
 * parsing.
 */
#include "toolkit/toolkit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arch.h"
#include "base/file.h"

/* ---- reading and writing ------------------------------------------------- */

char *kit_read(const char *path, size_t *size_bytes)
{
    bool is_stdin = !strcmp(path, "-");
    FILE *f = is_stdin ? stdin : fopen(path, "rb");
    char *bytes = f ? file_read(f, size_bytes) : NULL;
    if (!bytes)
        kit_error("Input file '%s' could not be opened: %s", path,
                  strerror(errno));
    if (f && !is_stdin)
        fclose(f);
    return bytes;
}

bool kit_write(const char *path, const void *data, size_t size_bytes)
{
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(data, 1, size_bytes, f) == size_bytes;
    if (f)
        ok &= fclose(f) == 0;
    if (!ok)
        kit_error("Output file '%s' could not be opened: %s", path,
                  strerror(errno));
    return ok;
}

bool kit_write_fatbin(const char *path, const struct fatbin_image *images,
                      size_t count, const char *name)
{
    size_t size_bytes;
    void *data = fatbin_build(images, count, name, &size_bytes);
    if (!data)
        kit_error("an image for '%s' has no .version and .target", path);
    bool ok = data && kit_write(path, data, size_bytes);
    free(data);
    return ok;
}

/* ---- fat binaries -------------------------------------------------------- */

bool kit_for_each_container(const char *path, char *bytes, size_t size_bytes,
                            kit_container_fn *fn, void *data)
{
    const char *rest = bytes, *at;
    size_t length;
    bool found = false;
    while ((at = fatbin_find(&rest, &size_bytes, &length))) {
        fn(data, bytes + (at - bytes), length);
        found = true;
    }
    if (!found)
        kit_error("'%s' has no device code", path);
    return found;
}

/* ---- PTX ----------------------------------------------------------------- */

struct search {
    const char *path;
    unsigned sm;
    struct kit_ptx *out;
    bool has_failed;
};

static void add_best(void *data, char *container, size_t size_bytes)
{
    struct search *s = data;
    struct fatbin_entry e;
    char *seen = NULL;
    (void)size_bytes;
    if (!fatbin_select(container, s->sm, &e, &seen)) {
        kit_error("no PTX for sm_%u or older, only %s", s->sm,
                  seen ? seen : "nothing");
        s->has_failed = true;
        free(seen);
        return;
    }
    char *text = strndup(e.ptx, e.ptx_bytes);
    if (!text || !vec_push(&s->out->texts, text) ||
        !vec_push(&s->out->paths, s->path))
        s->has_failed = true;
    free(e.owned);
}

static bool is_text(const char *bytes, size_t size_bytes)
{
    return !memchr(bytes, 0, size_bytes) && strstr(bytes, ".version");
}

bool kit_add_ptx(const char *path, unsigned sm, struct kit_ptx *out)
{
    size_t size_bytes;
    struct search s = {.path = path, .sm = sm, .out = out};
    char *bytes = kit_read(path, &size_bytes);
    if (!bytes)
        return false;
    if (is_text(bytes, size_bytes)) {
        if (vec_push(&out->texts, bytes))
            return vec_push(&out->paths, path);
        free(bytes);
        return false;
    }
    bool ok = kit_for_each_container(path, bytes, size_bytes, add_best, &s) &&
              !s.has_failed;
    free(bytes);
    return ok;
}

void kit_free_ptx(struct kit_ptx *p)
{
    for (size_t i = 0; i < p->texts.count; i++)
        free(p->texts.data[i]);
    vec_fini(&p->texts);
    vec_fini(&p->paths);
    for (size_t i = 0; i < p->owned.count; i++)
        free(p->owned.data[i]);
    vec_fini(&p->owned);
}

bool kit_parse_arch(const char *option, const char *text, unsigned *sm,
                    char *suffix)
{
    *sm = arch_parse_number(text, suffix);
    if (!*sm)
        *sm = arch_parse_name(text, suffix);
    if (arch_find(*sm))
        return true;
    kit_error("Value '%s' is not defined for option '%s': it is no GPU "
              "architecture, such as sm_90",
              text, option);
    return false;
}
