/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may be loaded: files that only this user or root can have written.
 * Folders are checked from the root down, by a path without links. Nobody else
 * can replace a folder between its check and its use, since the folder above it
 * has been checked before.
 */
#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_owned(const struct stat *st)
{
    return st->st_uid == 0 || st->st_uid == geteuid();
}

static bool is_writable_by_others(const struct stat *st)
{
    return st->st_mode & (S_IWGRP | S_IWOTH);
}

/* A folder above ours: others may add entries, but not remove any. */
static bool is_safe_parent(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && is_owned(&st) &&
           (!is_writable_by_others(&st) || (st.st_mode & S_ISVTX));
}

static bool is_private_folder(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && is_owned(&st) &&
           !is_writable_by_others(&st);
}

/* `path` is absolute and without links. */
static bool is_safe_folder(char *path)
{
    if (!is_safe_parent("/"))
        return false;
    for (char *p = path + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = 0;
        bool is_safe = is_safe_parent(path);
        *p = '/';
        if (!is_safe)
            return false;
    }
    return is_private_folder(path);
}

bool cache_resolve(char path[CACHE_PATH_BYTES])
{
    char real[PATH_MAX];
    static_assert(sizeof real <= CACHE_PATH_BYTES, "realpath's result fits");
    if (!realpath(path, real) ||
        strlen(real) >= CACHE_PATH_BYTES - 2 * CACHE_NAME_BYTES)
        return false;
    strcpy(path, real);
    return is_safe_folder(path);
}

bool cache_make_folder(char path[CACHE_PATH_BYTES])
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = 0;
        mkdir(path, 0700); /* if it fails, so does the last one */
        *p = '/';
    }
    return (mkdir(path, 0700) == 0 || errno == EEXIST) && cache_resolve(path);
}

int cache_open(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && is_owned(&st) &&
        !is_writable_by_others(&st))
        return fd;
    close(fd);
    return -1;
}
