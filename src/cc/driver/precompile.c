/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Precompiles cuda_runtime.h, which every CUDA file reads first, together with
 * the headers that -include names: reading them takes most of the time that a
 * small kernel needs. NVRTC has one precompiled file for all programs, since
 * nothing in a program changes that header, neither a macro nor a header of its
 * own with the name of one of the host's. weftcc makes one for each command
 * line and pass, as macros and folders may change it, if --precompiled-folder
 * is given.
 *
 * clang notices if one of the headers has changed since; then the file is made
 * again.
 */
#include "cc/cc.h"

#include "cache/cache.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Are headers looked for in folders that may be relative to the current one? */
static bool has_folders(const struct cc_options *o)
{
    const cc_args *lists[] = {&o->preprocessor, &o->host};
    for (size_t i = 0; i < ARRAY_COUNT(lists); i++)
        for (size_t k = 0; k < lists[i]->count; k++)
            if (starts_with(lists[i]->data[k], "-i") ||
                starts_with(lists[i]->data[k], "-I"))
                return true;
    return false;
}

/* The path of the precompiled file: its name is a hash of what decides its
 * contents besides the headers, which is the command and clang. */
static const char *file_of(const struct cc_job *j, const char *folder,
                           const cc_args *command)
{
    struct stat st = {0};
    uint64_t first = 1, second = 2;
    char here[PATH_MAX] = "";
    stat(j->toolchain->clang, &st);
    first = hash_bytes(&st.st_size, sizeof st.st_size, first);
    second = hash_bytes(&st.st_mtim, sizeof st.st_mtim, second);
    for (size_t i = 0; i < command->count; i++) {
        const char *text = command->data[i];
        first = hash_bytes(text, strlen(text), first);
        second = hash_bytes(text, strlen(text), second);
    }
    if (has_folders(j->options) && getcwd(here, sizeof here))
        first = hash_bytes(here, strlen(here), first);
    return arena_printf(cc_arena, "%s/%016llx%016llx.weft", folder,
                        (unsigned long long)first, (unsigned long long)second);
}

/* Is the file there, and nobody else's? clang trusts what is in it. */
static bool is_there(const char *path)
{
    int fd = cache_open(path);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Has clang printed nothing? A header with warnings is not precompiled, so that
 * each compilation shows them. */
static bool is_silent(const char *messages)
{
    struct stat st;
    return stat(messages, &st) < 0 || st.st_size == 0;
}

/* Makes the file under another name and renames it, as others may look for it
 * at the same time. False: it cannot be made. */
static bool make_file(cc_args *command, const char *path, const char *messages)
{
    const char *scratch =
        arena_printf(cc_arena, "%s-%d.weft-tmp", path, (int)getpid());
    cc_add(command, "-o");
    cc_add(command, scratch);
    if (cc_run(command, messages) == 0 && is_silent(messages) &&
        chmod(scratch, 0600) == 0 && rename(scratch, path) == 0)
        return true;
    unlink(scratch);
    return false;
}

bool cc_reads_others(const struct cc_options *o)
{
    for (size_t i = 0; !o->is_nvrtc && i < o->preprocessor.count; i++)
        if (starts_with(o->preprocessor.data[i], "-include"))
            return true;
    return false;
}

/* Do options name files to be read first that cannot be precompiled: those of
 * -imacros, and those that only one pass reads? */
static bool reads_others_first(const struct cc_options *o)
{
    const struct {
        const cc_args *list;
        const char *option;
    } refused[] = {{&o->preprocessor, "-imacros"},
                   {&o->front_end, "-i"},
                   {&o->host, "-include"},
                   {&o->host, "-imacros"}};
    for (size_t i = 0; i < ARRAY_COUNT(refused); i++)
        for (size_t k = 0; k < refused[i].list->count; k++)
            if (starts_with(refused[i].list->data[k], refused[i].option))
                return true;
    return false;
}

/* May a precompiled file be used? Not if the list of headers that are read is
 * wanted, which would be incomplete, nor if an overlay may replace one. */
static bool may_precompile(const struct cc_job *j, enum cc_pass pass)
{
    const struct cc_options *o = j->options;
    if (!o->precompiled_folder || o->dry_run || o->cuda_path)
        return false;
    if (o->is_nvrtc)
        return pass == CC_DEVICE_PASS;
    return !j->overlay && !o->wants_dependencies && !reads_others_first(o);
}

const char *cc_precompiled(const struct cc_job *j, enum cc_pass pass)
{
    const struct cc_options *o = j->options;
    char folder[CACHE_PATH_BYTES];
    if (!may_precompile(j, pass) ||
        snprintf(folder, sizeof folder, "%s", o->precompiled_folder) >=
            (int)sizeof folder ||
        !cache_resolve(folder))
        return NULL;
    struct cc_job job = *j;
    cc_args command = {0};
    job.precompiled = NULL; /* what it was when this command is run again */
    job.unit = NULL; /* of -rdc=true: each file has its own */
    cc_command_precompile(&job, pass, &command);
    const char *path = file_of(j, folder, &command);
    const char *messages =
        cc_reads_others(o) ? cc_temporary(o, j->input.path, ".header.log")
                           : "/dev/null";
    bool exists =
        messages && (is_there(path) || make_file(&command, path, messages));
    vec_fini(&command);
    return exists ? path : NULL;
}

bool cc_refuses_precompiled(const struct cc_job *j, const char *path,
                            const char *messages)
{
    size_t bytes;
    char *text = path ? cc_read_file(messages, &bytes) : NULL;
    bool refuses = text && (strstr(text, path) || strstr(text, "PCH file") ||
                            strstr(text, "precompiled"));
    free(text);
    if (refuses && !j->overlay && !j->delays_templates)
        unlink(path);
    return refuses;
}
