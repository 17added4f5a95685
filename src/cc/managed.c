/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Managed variables. clang compiles them for HIP, not for CUDA, so that our
 * header makes __managed__ a device variable of an alignment that is otherwise
 * not seen. Here such a variable gets .attribute(.managed), as nvcc writes it;
 * the runtime then lets the device use the host's variable of the same name.
 *
 * A variable that has this alignment for a reason of its own becomes managed
 * too. Device code does not notice, and host code does not touch it.
 */
#include "cc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* As clang writes a variable with the alignment of host_defines.h. */
static const char marked[] = ".global .align 4096 ";
static const char managed[] = ".global .attribute(.managed) .align 4096 ";

static bool write_marked(FILE *f, const char *ptx)
{
    const char *next;
    while ((next = strstr(ptx, marked))) {
        fwrite(ptx, 1, (size_t)(next - ptx), f);
        fputs(managed, f);
        ptx = next + sizeof marked - 1;
    }
    fputs(ptx, f);
    return !ferror(f);
}

bool cc_mark_managed(const char *path)
{
    /* What went to the terminal or nowhere cannot be read again. */
    if (strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0)
        return true;
    size_t size_bytes;
    char *ptx = cc_read_file(path, &size_bytes);
    if (!ptx)
        return false;
    bool ok = true;
    if (strstr(ptx, marked)) {
        FILE *f = fopen(path, "w");
        ok = f && write_marked(f, ptx);
        if (f)
            ok &= fclose(f) == 0;
        if (!ok)
            cc_error("cannot write '%s': %s", path, strerror(errno));
    }
    free(ptx);
    return ok;
}
