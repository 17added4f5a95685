/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file /tmp/perf-PID.map, by which `perf report` names code that no file
 * on disk holds. Written when WEFT_PERF_MAP=1.
 */
#include "jit/internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void jit_perfmap_add(const struct jit_code *code, const char *name)
{
    const char *wanted = getenv("WEFT_PERF_MAP");
    if (!wanted || strcmp(wanted, "1"))
        return;

    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
                  0600);
    if (fd < 0)
        return;
    char line[512];
    int length = snprintf(line, sizeof line, "%llx %zx %.400s\n",
                          (unsigned long long)(uintptr_t)code->entry,
                          code->entry_bytes, name);
    /* One write, so that lines of several threads do not mix. Should it fail,
     * a profile without this name is still a profile. */
    ssize_t written = write(fd, line, (size_t)length);
    (void)written;
    close(fd);
}
