/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_runtime.h, which every CUDA file reads first, precompiled: reading it
 * takes most of the time that a small kernel needs. For NVRTC alone, where
 * nothing that a program says may change what is in that header: neither a
 * macro nor a header of its own by the name of one of the host's. Elsewhere a
 * macro on the command line may.
 *
 * clang itself finds out whether one of the headers has changed since; it is
 * then made again.
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
    return arena_printf(cc_arena, "%s/%016llx%016llx.weft", folder,
                        (unsigned long long)first, (unsigned long long)second);
}

/* clang reads what is there as its own data, so nobody else may have made it.
 */
static bool is_there(const char *path)
{
    int fd = cache_open(path);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Under another name first: others may look for it at the same time. */
static bool make(cc_args *command, const char *path)
{
    const char *scratch =
        arena_printf(cc_arena, "%s-%d.weft-tmp", path, (int)getpid());
    cc_add(command, "-o");
    cc_add(command, scratch);
    if (cc_run(command, "/dev/null") == 0 && chmod(scratch, 0600) == 0 &&
        rename(scratch, path) == 0)
        return true;
    unlink(scratch);
    return false;
}

const char *cc_precompiled(const struct cc_job *j)
{
    const struct cc_options *o = j->options;
    char folder[CACHE_PATH_BYTES];
    if (!o->precompiled_folder || o->dry_run || o->cuda_path ||
        snprintf(folder, sizeof folder, "%s", o->precompiled_folder) >=
            (int)sizeof folder ||
        !cache_resolve(folder))
        return NULL;
    cc_args command = {0};
    cc_command_precompile(j, &command);
    const char *path = file_of(j, folder, &command);
    bool exists = is_there(path) || make(&command, path);
    vec_fini(&command);
    return exists ? path : NULL;
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
