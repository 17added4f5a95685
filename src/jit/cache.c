/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The disk cache: one file per compiled kernel, its name a hash of the key.
 *
 * Any number of processes use the folder at once, without locks: a file is
 * written under a temporary name and renamed when it is whole, so a reader
 * sees a whole file or none. What a reader gets is checked all the same
 * (magic, version, sizes, the key itself, a checksum), since disks fill up,
 * machines stop and people copy files; whatever does not fit counts as absent
 * and is replaced by the next store.
 *
 * Obeys CUDA_CACHE_PATH, CUDA_CACHE_DISABLE and CUDA_CACHE_MAXSIZE. Over the
 * limit, the files that were used longest ago go. Files that are not ours are
 * never touched: the folder may be shared with another driver's cache.
 */
#include "jit/internal.h"

#include <dirent.h>
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

#define SUFFIX       ".weft"
#define TMP_SUFFIX   ".weft-tmp"
#define LIMIT_BYTES  (UINT64_C(1) << 30) /* CUDA's, for current drivers */
#define PATH_BYTES   4096
#define FILE_VERSION 5

enum { FACT_BARRIER = 1, FACT_WAITS = 2, FACT_TURNS = 4 };

/* The file: this header, the key, zeros up to a multiple of 16, the object. */
struct header {
    char magic[8];
    uint32_t version;
    uint32_t key_bytes;
    uint64_t object_bytes;
    uint64_t checksum; /* of everything behind this field */
    uint64_t stack_bytes;
    uint32_t static_shared_bytes, local_bytes;
    uint32_t kind, lane_count; /* kind: FACT_* */
    struct simt_need needs[JIT_MAX_NEEDS];
    uint64_t need_count;
};
static_assert(sizeof(struct header) == 64 + sizeof(struct simt_need[16]),
              "header has no holes");
static const char magic[8] = {'w', 'e', 'f', 't', 'c', 'o', 'd', 'e'};

/* ---- where, and how much ------------------------------------------------ */

static bool is_disabled(void)
{
    const char *text = getenv("CUDA_CACHE_DISABLE");
    return text && *text && strcmp(text, "0");
}

static uint64_t limit_bytes(void)
{
    const char *text = getenv("CUDA_CACHE_MAXSIZE");
    if (!text || *text < '0' || *text > '9')
        return LIMIT_BYTES;
    char *end;
    uint64_t limit = strtoull(text, &end, 10);
    return *end ? LIMIT_BYTES : limit;
}

/* The folder; false: there is none, or its name is too long. */
static bool find_directory(char path[PATH_BYTES])
{
    static const struct {
        const char *variable, *below;
    } places[] = {
        {"CUDA_CACHE_PATH", ""},
        {"XDG_CACHE_HOME", "/weft"},
        {"HOME", "/.cache/weft"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(places); i++) {
        const char *base = getenv(places[i].variable);
        if (!base || !*base)
            continue;
        int n = snprintf(path, PATH_BYTES, "%s%s", base, places[i].below);
        return n < PATH_BYTES - 64; /* leaves room for a file's name */
    }
    return false;
}

/* Makes a folder and those above it. */
static bool make_directory(const char *path)
{
    char part[PATH_BYTES];
    snprintf(part, sizeof part, "%s", path);
    for (char *p = part + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = 0;
        mkdir(part, 0700); /* the last one tells whether it worked */
        *p = '/';
    }
    return !mkdir(part, 0700) || errno == EEXIST;
}

static void file_path(char path[PATH_BYTES], const char *directory,
                      const char *key)
{
    size_t n = strlen(key);
    snprintf(path, PATH_BYTES, "%s/%016llx%016llx" SUFFIX, directory,
             (unsigned long long)hash_bytes(key, n, 1),
             (unsigned long long)hash_bytes(key, n, 2));
}

/* ---- the file ----------------------------------------------------------- */

static size_t object_at(size_t key_bytes)
{
    return (sizeof(struct header) + key_bytes + 15) & ~(size_t)15;
}

static uint64_t checksum(const uint8_t *file, size_t size_bytes)
{
    size_t from = offsetof(struct header, checksum) + sizeof(uint64_t);
    return hash_bytes(file + from, size_bytes - from, FILE_VERSION);
}

/* The whole file for a result; malloc'ed. */
static uint8_t *pack(const char *key, const struct compiler_result *r,
                     size_t *size_bytes)
{
    size_t key_bytes = strlen(key);
    size_t at = object_at(key_bytes);
    uint8_t *file = calloc(1, at + r->object_bytes);
    if (!file)
        return NULL;
    struct header h = {
        .version = FILE_VERSION,
        .key_bytes = (uint32_t)key_bytes,
        .object_bytes = r->object_bytes,
        .stack_bytes = r->facts.stack_bytes,
        .static_shared_bytes = r->facts.static_shared_bytes,
        .local_bytes = r->facts.local_bytes,
        .kind = (r->facts.has_barrier ? FACT_BARRIER : 0u) |
                (r->facts.has_waits ? FACT_WAITS : 0u) |
                (r->facts.takes_turns ? FACT_TURNS : 0u),
        .lane_count = r->facts.lane_count,
        .need_count = r->facts.need_count,
    };
    memcpy(h.needs, r->facts.needs, sizeof h.needs);
    memcpy(h.magic, magic, sizeof magic);
    memcpy(file, &h, sizeof h);
    memcpy(file + sizeof h, key, key_bytes);
    memcpy(file + at, r->object, r->object_bytes);
    *size_bytes = at + r->object_bytes;
    h.checksum = checksum(file, *size_bytes);
    memcpy(file, &h, sizeof h);
    return file;
}

/* Takes a file apart, in place: on success `file` belongs to the result. */
static bool unpack(const char *key, uint8_t *file, size_t size_bytes,
                   struct compiler_result *r)
{
    struct header h;
    size_t key_bytes = strlen(key);
    size_t at = object_at(key_bytes);
    if (size_bytes < at)
        return false;
    memcpy(&h, file, sizeof h);
    if (memcmp(h.magic, magic, sizeof magic) || h.version != FILE_VERSION ||
        h.key_bytes != key_bytes || h.object_bytes != size_bytes - at ||
        memcmp(file + sizeof h, key, key_bytes) ||
        h.need_count > JIT_MAX_NEEDS ||
        h.checksum != checksum(file, size_bytes))
        return false;

    memmove(file, file + at, h.object_bytes);
    *r = (struct compiler_result){
        .object = file,
        .object_bytes = h.object_bytes,
        .facts = {.has_barrier = h.kind & FACT_BARRIER,
                  .has_waits = h.kind & FACT_WAITS,
                  .takes_turns = h.kind & FACT_TURNS,
                  .lane_count = h.lane_count,
                  .stack_bytes = h.stack_bytes,
                  .static_shared_bytes = h.static_shared_bytes,
                  .local_bytes = h.local_bytes,
                  .need_count = (uint32_t)h.need_count},
    };
    memcpy(r->facts.needs, h.needs, sizeof h.needs);
    return true;
}

static bool read_all(int fd, uint8_t *data, size_t size_bytes)
{
    while (size_bytes) {
        ssize_t n = read(fd, data, size_bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        size_bytes -= (size_t)n;
    }
    return true;
}

static bool write_all(int fd, const uint8_t *data, size_t size_bytes)
{
    while (size_bytes) {
        ssize_t n = write(fd, data, size_bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        size_bytes -= (size_t)n;
    }
    return true;
}

/* ---- finding ------------------------------------------------------------ */

/* The time of last use is the file's time, kept to the hour. */
static void mark_used(int fd, const struct stat *st)
{
    if (time(NULL) - st->st_mtime > 3600)
        futimens(fd, NULL);
}

static bool find_in_file(int fd, const char *key, struct compiler_result *r)
{
    struct stat st;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0)
        return false;
    size_t size_bytes = (size_t)st.st_size;
    uint8_t *file = malloc(size_bytes);
    if (!file)
        return false;
    if (!read_all(fd, file, size_bytes) || !unpack(key, file, size_bytes, r)) {
        free(file);
        return false;
    }
    mark_used(fd, &st);
    return true;
}

bool jit_cache_find(const char *key, struct compiler_result *result)
{
    char directory[PATH_BYTES], path[PATH_BYTES];
    if (is_disabled() || !find_directory(directory))
        return false;
    file_path(path, directory, key);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    bool found = find_in_file(fd, key, result);
    close(fd);
    return found;
}

/* ---- keeping to the limit ----------------------------------------------- */

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

/* A writer holds a lock on its temporary file; no lock: it was killed. */
static void remove_if_abandoned(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return;
    if (!flock(fd, LOCK_EX | LOCK_NB))
        unlinkat(dir, name, 0);
    close(fd);
}

/* Lists our files and clears away what killed processes left. */
static void list_files(DIR *d, struct listing *l)
{
    struct dirent *e;
    while ((e = readdir(d))) {
        if (ends_in(e->d_name, TMP_SUFFIX))
            remove_if_abandoned(dirfd(d), e->d_name);
        struct stat st;
        if (!ends_in(e->d_name, SUFFIX) ||
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

/* Removes the longest unused files until `limit` holds. Returns what is
 * left, in bytes. */
static uint64_t evict(const char *directory, uint64_t limit)
{
    DIR *d = opendir(directory);
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

/* Listing the folder at every store would be slow when it is full of files:
 * count what this process adds, and look again now and then, since others add
 * to it too. */
static void keep_limit(const char *directory, uint64_t added_bytes)
{
    enum { LOOK_EVERY = 32 };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t total_bytes;
    static unsigned stores;

    pthread_mutex_lock(&lock);
    uint64_t limit = limit_bytes();
    total_bytes += added_bytes;
    if (stores++ % LOOK_EVERY == 0 || total_bytes > limit)
        total_bytes = evict(directory, limit);
    pthread_mutex_unlock(&lock);
}

/* ---- storing ------------------------------------------------------------ */

/* Past the limit of `ulimit -f` a write fails and a signal comes with it, one
 * that would end the program that we are a guest in: it is taken here. */
static bool write_quietly(int fd, const uint8_t *file, size_t size_bytes)
{
    sigset_t too_big, before;
    sigemptyset(&too_big);
    sigaddset(&too_big, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &too_big, &before);
    bool ok = write_all(fd, file, size_bytes);
    if (!ok && errno == EFBIG && !sigismember(&before, SIGXFSZ))
        sigtimedwait(&too_big, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

static bool write_file(const char *directory, const char *path,
                       const uint8_t *file, size_t size_bytes)
{
    char temporary[PATH_BYTES];
    if (snprintf(temporary, sizeof temporary, "%s/XXXXXX" TMP_SUFFIX,
                 directory) >= (int)sizeof temporary)
        return false;
    int fd = mkostemps(temporary, sizeof TMP_SUFFIX - 1, O_CLOEXEC);
    if (fd < 0)
        return false;
    flock(fd, LOCK_EX | LOCK_NB); /* see remove_if_abandoned */
    bool ok = write_quietly(fd, file, size_bytes) && !rename(temporary, path);
    if (!ok)
        unlink(temporary);
    close(fd);
    return ok;
}

void jit_cache_store(const char *key, const struct compiler_result *result)
{
    char directory[PATH_BYTES], path[PATH_BYTES];
    if (is_disabled() || !find_directory(directory) ||
        !make_directory(directory))
        return;
    size_t size_bytes;
    uint8_t *file = pack(key, result, &size_bytes);
    if (!file)
        return;
    file_path(path, directory, key);
    if (size_bytes <= limit_bytes() &&
        write_file(directory, path, file, size_bytes))
        keep_limit(directory, size_bytes);
    free(file);
}

void jit_cache_info_get(struct jit_cache_info *info)
{
    *info = (struct jit_cache_info){.is_disabled = is_disabled(),
                                    .limit_bytes = limit_bytes()};
    if (!find_directory(info->directory)) {
        info->directory[0] = 0;
        return;
    }
    DIR *d = opendir(info->directory);
    if (!d)
        return;
    struct listing l = {0};
    list_files(d, &l);
    info->size_bytes = l.size_bytes;
    info->file_count = l.files.count;
    free_listing(&l);
    closedir(d);
}
