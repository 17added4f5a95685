/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_runtime.h, which every CUDA file reads first, precompiled: reading it
 * takes most of the time that a small kernel needs. For NVRTC alone, where
 * nothing that a program says may change what is in that header; elsewhere a
 * macro on the command line may.
 *
 * A precompiled header is made beside the first compilation that has use for
 * it, under another name, and renamed when it is whole. clang itself finds out
 * whether one of the headers has changed since; it is then made again.
 */
#include "cc.h"

#include "cache/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What decides over the contents but the headers: the command, and clang. */
static const char *file_of(const struct cc_job *j, const char *folder,
                           const cc_args *command)
{
    struct stat st = {0};
    uint64_t first = 1, second = 2;
    stat(j->toolchain->clang, &st);
    first = hash_bytes(&st.st_size, sizeof st.st_size, first);
    second = hash_bytes(&st.st_mtim, sizeof st.st_mtim, second);
    for (size_t i = 0; i < command->count; i++) {
        const char *text = command->data[i];
        first = hash_bytes(text, strlen(text), first);
        second = hash_bytes(text, strlen(text), second);
    }
    return arena_printf(cc_arena, "%s/%016llx%016llx.weft",
                        folder,
                        (unsigned long long)first, (unsigned long long)second);
}

/* clang reads what is there as its own data, so nobody else may have made it. */
static bool is_there(const char *path)
{
    int fd = cache_open(path);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void start(struct cc_precompiling *p, cc_args *command, const char *path)
{
    p->path = path;
    p->scratch = arena_printf(cc_arena, "%s-%d.weft-tmp", path, (int)getpid());
    cc_add(command, "-o");
    cc_add(command, p->scratch);
    int pid = cc_start(command, "/dev/null");
    p->pid = pid > 0 ? pid : 0;
}

const char *cc_precompiled(const struct cc_job *j, struct cc_precompiling *p)
{
    const struct cc_options *o = j->options;
    *p = (struct cc_precompiling){0};
    char folder[CACHE_PATH_BYTES];
    if (!o->precompiled_folder || o->dry_run || o->cuda_path ||
        snprintf(folder, sizeof folder, "%s", o->precompiled_folder) >=
            (int)sizeof folder ||
        !cache_resolve(folder))
        return NULL;
    cc_args command = {0};
    cc_command_precompile(j, &command);
    const char *path = file_of(j, folder, &command);
    bool exists = is_there(path);
    if (!exists)
        start(p, &command, path);
    vec_fini(&command);
    return exists ? path : NULL;
}

void cc_precompiled_finish(struct cc_precompiling *p)
{
    if (p->pid && (cc_wait(p->pid) || chmod(p->scratch, 0600) ||
                   rename(p->scratch, p->path)))
        unlink(p->scratch);
    p->pid = 0;
}

bool cc_precompiled_is_stale(const char *path, const char *messages)
{
    size_t bytes;
    char *text = cc_read_file(messages, &bytes);
    bool is_stale = text && (strstr(text, path) || strstr(text, "PCH file") ||
                             strstr(text, "precompiled"));
    free(text);
    if (is_stale)
        unlink(path);
    return is_stale;
}
