/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results on disk, in the folder of the compiled kernels.
 *
 * A file holds the whole key, so that no accident of hashing gives a wrong
 * result, and the names, sizes and times of the files that the compilation
 * read: headers, the device library, the compiler itself. If one of these is
 * not what it was, the result counts as absent.
 */
#include "base/environment.h"
#include "cache/cache.h"
#include "nvrtc/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMAT "weftrtc2"

/* ---- records: 8 bytes of length, then the bytes -------------------------- */

static bool put_bytes(struct rtc_blob *to, const void *data, size_t bytes)
{
    uint64_t length = bytes;
    return rtc_blob_add(to, &length, sizeof length) &&
           rtc_blob_add(to, data, bytes);
}

struct reader {
    const char *at;
    size_t left;
};

static bool get_bytes(struct reader *r, const char **data, size_t *bytes)
{
    uint64_t length;
    if (r->left < sizeof length)
        return false;
    memcpy(&length, r->at, sizeof length);
    r->at += sizeof length;
    r->left -= sizeof length;
    if (length > r->left)
        return false;
    *data = r->at;
    *bytes = length;
    r->at += length;
    r->left -= length;
    return true;
}

/* ---- the key ------------------------------------------------------------- */

bool rtc_cache_key(const struct _nvrtcProgram *p, const struct rtc_options *o,
                   struct rtc_blob *key)
{
    char folder[4096];
    uint64_t flags = (uint64_t)o->wants_image | o->is_default_device << 1 |
                     o->no_source_include << 2 | o->wants_ltoir << 3;
    const char *clang = secure_getenv(ENVIRONMENT_CLANG);
    if (!getcwd(folder, sizeof folder)) /* what relative paths mean */
        return false;
    bool ok = rtc_blob_add(key, FORMAT, sizeof FORMAT) &&
              put_bytes(key, &flags, sizeof flags) &&
              put_bytes(key, clang ? clang : "", clang ? strlen(clang) : 0) &&
              put_bytes(key, folder, strlen(folder)) &&
              put_bytes(key, p->name, strlen(p->name)) &&
              put_bytes(key, p->source, strlen(p->source));
    for (size_t i = 0; ok && i < o->arguments.count; i++)
        ok = put_bytes(key, o->arguments.data[i], strlen(o->arguments.data[i]));
    ok = ok && put_bytes(key, "headers", 7);
    for (size_t i = 0; ok && i < p->headers.count; i++) {
        const struct rtc_header *h = &p->headers.data[i];
        ok = put_bytes(key, h->name, strlen(h->name)) &&
             put_bytes(key, h->text, strlen(h->text));
    }
    ok = ok && put_bytes(key, "names", 5);
    for (size_t i = 0; ok && i < p->names.count; i++) {
        const char *text = p->names.data[i].expression;
        ok = put_bytes(key, text, strlen(text));
    }
    return ok;
}

/* ---- files that were read ------------------------------------------------ */

/* What tells whether a file has changed. */
struct stamp {
    uint64_t size, seconds, nanoseconds, inode;
};

static struct stamp stamp_of(const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return (struct stamp){.size = UINT64_MAX};
    return (struct stamp){(uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec,
                          (uint64_t)st.st_mtim.tv_nsec, (uint64_t)st.st_ino};
}

static bool put_input(struct rtc_blob *to, const char *path)
{
    struct stamp s = stamp_of(path);
    return put_bytes(to, path, strlen(path) + 1) && put_bytes(to, &s, sizeof s);
}

/* weftcc, the device library and clang, which the compiler's make rule does not
 * list. */
static bool put_tools(struct rtc_blob *to)
{
    static const char *const beside[] = {"../lib/weft-device.bc",
                                         "../lib/weft/weft-device.bc",
                                         "../../lib/weft-device.bc"};
    char *compiler = rtc_compiler(), path[4300];
    char *slash = compiler ? strrchr(compiler, '/') : NULL;
    bool ok = slash && put_input(to, compiler);
    for (size_t i = 0; ok && i < ARRAY_COUNT(beside); i++) {
        snprintf(path, sizeof path, "%.*s/%s", (int)(slash - compiler),
                 compiler, beside[i]);
        ok = put_input(to, path);
    }
    const char *clang = secure_getenv(ENVIRONMENT_CLANG);
    ok = ok && put_input(to, "/usr/bin/" RTC_CLANG);
    if (ok && clang)
        ok = put_input(to, clang);
    free(compiler);
    return ok;
}

static bool are_unchanged(struct reader *r, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const char *path, *old;
        size_t path_bytes, old_bytes;
        if (!get_bytes(r, &path, &path_bytes) ||
            !get_bytes(r, &old, &old_bytes) ||
            old_bytes != sizeof(struct stamp) || !path_bytes ||
            path[path_bytes - 1])
            return false;
        struct stamp now = stamp_of(path);
        if (memcmp(&now, old, sizeof now) != 0)
            return false;
    }
    return true;
}

/* ---- finding ------------------------------------------------------------- */

static bool take_bytes(struct reader *r, struct rtc_blob *to)
{
    const char *data;
    size_t bytes;
    return get_bytes(r, &data, &bytes) && rtc_blob_set(to, data, bytes);
}

static bool take_names(struct reader *r, nvrtcProgram p)
{
    for (size_t i = 0; i < p->names.count; i++) {
        const char *data;
        size_t bytes;
        if (!get_bytes(r, &data, &bytes))
            return false;
        free(p->names.data[i].lowered);
        p->names.data[i].lowered = strndup(data, bytes);
        if (!p->names.data[i].lowered)
            return false;
    }
    return true;
}

static bool unpack_program(nvrtcProgram p, const struct rtc_blob *key,
                           const struct rtc_blob *file)
{
    struct reader r = {file->data, file->bytes};
    const char *data;
    size_t bytes;
    uint64_t count;
    /* The last 8 bytes are a checksum of the others. */
    uint64_t sum;
    if (r.left < sizeof sum)
        return false;
    r.left -= sizeof sum;
    memcpy(&sum, r.at + r.left, sizeof sum);
    if (sum != hash_bytes(r.at, r.left, 3))
        return false;
    if (!get_bytes(&r, &data, &bytes) || bytes != key->bytes ||
        memcmp(data, key->data, bytes) != 0)
        return false;
    if (!get_bytes(&r, &data, &bytes) || bytes != sizeof count)
        return false;
    memcpy(&count, data, sizeof count);
    return are_unchanged(&r, count) && take_bytes(&r, &p->ptx) &&
           take_bytes(&r, &p->image) && take_bytes(&r, &p->log) &&
           take_names(&r, p);
}

bool rtc_cache_find(nvrtcProgram p, const struct rtc_blob *key)
{
    char name[CACHE_NAME_BYTES];
    struct rtc_blob file = {0};
    cache_name(name, key->data, key->bytes);
    file.data = cache_read(name, &file.bytes);
    bool found = file.data && unpack_program(p, key, &file);
    rtc_blob_free(&file);
    if (!found) {
        rtc_blob_free(&p->ptx);
        rtc_blob_free(&p->image);
        rtc_blob_free(&p->log);
    }
    return found;
}

/* ---- storing ------------------------------------------------------------- */

static bool pack_program(const struct _nvrtcProgram *p,
                         const struct rtc_blob *key,
                         const struct rtc_blob *inputs, struct rtc_blob *file)
{
    struct rtc_blob list = {0};
    uint64_t count = 3 + 1 + 1 + (secure_getenv(ENVIRONMENT_CLANG) != NULL);
    bool ok = put_tools(&list);
    for (size_t at = 0; ok && at < inputs->bytes;
         at += strlen(inputs->data + at) + 1, count++)
        ok = put_input(&list, inputs->data + at);
    ok = ok && put_bytes(file, key->data, key->bytes) &&
         put_bytes(file, &count, sizeof count) &&
         rtc_blob_add(file, list.data, list.bytes) &&
         put_bytes(file, p->ptx.data, p->ptx.bytes) &&
         put_bytes(file, p->image.data, p->image.bytes) &&
         put_bytes(file, p->log.data, p->log.bytes);
    for (size_t i = 0; ok && i < p->names.count; i++)
        ok = put_bytes(file, p->names.data[i].lowered,
                       strlen(p->names.data[i].lowered));
    rtc_blob_free(&list);
    if (!ok)
        return false;
    uint64_t sum = hash_bytes(file->data, file->bytes, 3);
    return rtc_blob_add(file, &sum, sizeof sum);
}

void rtc_cache_store(const struct _nvrtcProgram *p, const struct rtc_blob *key,
                     const struct rtc_blob *inputs)
{
    char name[CACHE_NAME_BYTES];
    struct rtc_blob file = {0};
    cache_name(name, key->data, key->bytes);
    if (!cache_is_disabled() && pack_program(p, key, inputs, &file))
        cache_write(name, file.data, file.bytes);
    rtc_blob_free(&file);
}
