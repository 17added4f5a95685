/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file /tmp/perf-PID.map, by which `perf report` names code that no file
 * on disk holds. Written when WEFT_PERF_MAP=1.
 */
#include "jit/internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool jit_perfmap_is_wanted(void)
{
    const char *wanted = secure_getenv("WEFT_PERF_MAP");
    return wanted && !strcmp(wanted, "1");
}

/* Anybody may have made a file of that name in /tmp: -1, unless it is ours. */
static int open_map(void)
{
    char path[64];
    struct stat st;
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    int fd = open(path,
                  O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK |
                      O_CLOEXEC,
                  0600);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
        st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
        return fd;
    close(fd);
    return -1;
}

void jit_perfmap_add(uint64_t address, size_t size_bytes, const char *kernel,
                     const char *name)
{
    int fd = open_map();
    if (fd < 0)
        return;
    char line[512];
    int length = snprintf(line, sizeof line, "%llx %zx %.200s%s%.200s\n",
                          (unsigned long long)address, size_bytes, kernel,
                          name ? ":" : "", name ? name : "");
    /* One write, so that lines of several threads do not mix. Should it fail,
     * a profile without this name is still a profile. */
    ssize_t written = write(fd, line, (size_t)length);
    (void)written;
    close(fd);
}
