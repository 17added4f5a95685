/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries: whole files, read and written.
 */
#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache/names.h"

void cache_name(char name[CACHE_NAME_BYTES], const void *key, size_t bytes)
{
    snprintf(name, CACHE_NAME_BYTES, "%016llx%016llx" CACHE_SUFFIX,
             (unsigned long long)hash_bytes(key, bytes, 1),
             (unsigned long long)hash_bytes(key, bytes, 2));
}

/* ---- reading ------------------------------------------------------------- */

static bool read_all(int fd, uint8_t *data, size_t bytes)
{
    while (bytes) {
        ssize_t n = read(fd, data, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* The modification time is the time of last use, correct to the hour. */
static void mark_used(int fd, const struct stat *st)
{
    if (time(NULL) - st->st_mtime > 3600)
        futimens(fd, NULL);
}

static void *read_file(int fd, size_t *bytes)
{
    struct stat st;
    if (fstat(fd, &st) || st.st_size <= 0)
        return NULL;
    *bytes = (size_t)st.st_size;
    uint8_t *data = malloc(*bytes);
    if (data && read_all(fd, data, *bytes)) {
        mark_used(fd, &st);
        return data;
    }
    free(data);
    return NULL;
}

void *cache_read(const char *name, size_t *bytes)
{
    char path[CACHE_PATH_BYTES];
    if (cache_is_disabled() || !cache_folder(path) || !cache_resolve(path))
        return NULL;
    size_t length = strlen(path);
    snprintf(path + length, sizeof path - length, "/%s", name);
    int fd = cache_open(path);
    if (fd < 0)
        return NULL;
    void *data = read_file(fd, bytes);
    close(fd);
    return data;
}

/* ---- writing ------------------------------------------------------------- */

static bool write_all(int fd, const uint8_t *data, size_t bytes)
{
    while (bytes) {
        ssize_t n = write(fd, data, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* A write beyond `ulimit -f` fails and raises SIGXFSZ, which would end the
 * user's program: the signal is blocked, and discarded. */
static bool write_quietly(int fd, const void *data, size_t bytes)
{
    sigset_t too_big, before;
    sigemptyset(&too_big);
    sigaddset(&too_big, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &too_big, &before);
    bool ok = write_all(fd, data, bytes);
    if (!ok && errno == EFBIG && !sigismember(&before, SIGXFSZ))
        sigtimedwait(&too_big, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

static bool write_file(const char *folder, const char *name, const void *data,
                       size_t bytes)
{
    char temporary[CACHE_PATH_BYTES], path[CACHE_PATH_BYTES];
    if (snprintf(temporary, sizeof temporary, "%s/XXXXXX" CACHE_TMP_SUFFIX,
                 folder) >= (int)sizeof temporary ||
        snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return false;
    int fd = mkostemps(temporary, sizeof CACHE_TMP_SUFFIX - 1, O_CLOEXEC);
    if (fd < 0)
        return false;
    flock(fd, LOCK_EX | LOCK_NB); /* see remove_if_abandoned */
    bool ok = write_quietly(fd, data, bytes) && !rename(temporary, path);
    if (!ok)
        unlink(temporary);
    close(fd);
    return ok;
}

void cache_write(const char *name, const void *data, size_t bytes)
{
    char folder[CACHE_PATH_BYTES];
    if (cache_is_disabled() || bytes > cache_limit_bytes() ||
        !cache_folder(folder) || !cache_make_folder(folder))
        return;
    if (write_file(folder, name, data, bytes))
        cache_keep_limit(folder, bytes);
}
