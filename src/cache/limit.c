/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the folder within its limit: the least recently used entries go first.
 */
#include "cache/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/names.h"

struct file {
    char *name;
    uint64_t size_bytes;
    struct timespec used;
};
struct listing {
    VEC(struct file) files;
    uint64_t size_bytes;
};

static bool ends_in(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && !strcmp(name + n - m, suffix);
}

/* A writer holds a lock on its temporary file, until it ends or is killed. */
static void remove_if_abandoned(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return;
    if (!flock(fd, LOCK_EX | LOCK_NB))
        unlinkat(dir, name, 0);
    close(fd);
}

/* Lists our entries, and removes the temporary files of killed processes. */
static void list_files(DIR *d, struct listing *l)
{
    struct dirent *e;
    while ((e = readdir(d))) {
        if (ends_in(e->d_name, CACHE_TMP_SUFFIX))
            remove_if_abandoned(dirfd(d), e->d_name);
        struct stat st;
        if (!ends_in(e->d_name, CACHE_SUFFIX) ||
            fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(st.st_mode))
            continue;
        struct file f = {.name = strdup(e->d_name),
                         .size_bytes = (uint64_t)st.st_size,
                         .used = st.st_mtim};
        if (!f.name || !vec_push(&l->files, f)) {
            free(f.name);
            return;
        }
        l->size_bytes += f.size_bytes;
    }
}

static void free_listing(struct listing *l)
{
    for (size_t i = 0; i < l->files.count; i++)
        free(l->files.data[i].name);
    vec_fini(&l->files);
}

static int by_use(const void *a, const void *b)
{
    const struct timespec *x = &((const struct file *)a)->used;
    const struct timespec *y = &((const struct file *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

/* Removes the least recently used entries until the rest is within `limit`.
 * Returns the bytes that are left. */
static uint64_t evict_oldest(const char *folder, uint64_t limit)
{
    DIR *d = opendir(folder);
    if (!d)
        return 0;
    struct listing l = {0};
    list_files(d, &l);
    if (l.size_bytes > limit)
        qsort(l.files.data, l.files.count, sizeof *l.files.data, by_use);
    for (size_t i = 0; i < l.files.count && l.size_bytes > limit; i++) {
        unlinkat(dirfd(d), l.files.data[i].name, 0);
        l.size_bytes -= l.files.data[i].size_bytes;
    }
    uint64_t left = l.size_bytes;
    free_listing(&l);
    closedir(d);
    return left;
}

/* Listing a full folder at every store would be slow. So the bytes that this
 * process adds are counted, and the folder is listed only now and then, since
 * other processes add to it, too. */
void cache_keep_limit(const char *folder, uint64_t bytes)
{
    enum { LOOK_EVERY = 32 };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t total_bytes;
    static unsigned stores;

    pthread_mutex_lock(&lock);
    uint64_t limit = cache_limit_bytes();
    total_bytes += bytes;
    if (stores++ % LOOK_EVERY == 0 || total_bytes > limit)
        total_bytes = evict_oldest(folder, limit);
    pthread_mutex_unlock(&lock);
}

void cache_info_get(struct cache_info *info)
{
    *info = (struct cache_info){.is_disabled = cache_is_disabled(),
                                .limit_bytes = cache_limit_bytes()};
    if (!cache_folder(info->folder)) {
        info->folder[0] = 0;
        return;
    }
    DIR *d = opendir(info->folder);
    if (!d)
        return;
    info->is_refused = !cache_resolve(info->folder);
    struct listing l = {0};
    list_files(d, &l);
    info->size_bytes = l.size_bytes;
    info->file_count = l.files.count;
    free_listing(&l);
    closedir(d);
}
