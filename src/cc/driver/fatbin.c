/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fat binaries of this compilation, written and read.
 */
#include "cc/cc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fatbin/fatbin.h"

bool cc_fatbin_write(const char *path, const struct fatbin_image *images,
                     size_t count, const char *source_name)
{
    /* Beside the result, then renamed over it; a device such as /dev/null is
     * written as it is. */
    bool is_device = starts_with(path, "/dev/");
    const char *scratch =
        is_device ? path
                  : arena_printf(cc_arena, "%s.%d.tmp", path, (int)getpid());
    size_t bad = count;
    FILE *f = fopen(scratch, "wb");
    bool ok = f && fatbin_write(f, images, count, source_name, &bad);
    if (f)
        ok &= fclose(f) == 0;
    if (ok && !is_device)
        ok = rename(scratch, path) == 0;
    if (ok)
        return true;
    if (bad < count)
        cc_error("'%s' is not PTX: it has no '.version' and '.target sm_XX'",
                 source_name);
    else
        cc_error("cannot write '%s': %s", path, strerror(errno));
    if (!is_device)
        unlink(scratch);
    return false;
}

/* Selects the best PTX for the device that we stand for, else the newest. */
static bool select_ptx(const char *container, struct fatbin_entry *e)
{
    const unsigned levels[] = {cc_arch_level("native"), FATBIN_ANY_DEVICE};
    for (size_t i = 0; i < ARRAY_COUNT(levels); i++) {
        char *seen;
        bool found = fatbin_select(container, levels[i], e, &seen);
        free(seen);
        if (found)
            return true;
    }
    return false;
}

char *cc_fatbin_ptx(const char *bytes, size_t size, size_t *used)
{
    struct fatbin_entry e;
    *used = fatbin_length(bytes, size);
    if (!*used || !select_ptx(bytes, &e))
        return NULL;
    char *text = strndup(e.ptx, e.ptx_bytes);
    free(e.owned);
    return text;
}
