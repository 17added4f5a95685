/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scratch files: in a folder that only this process uses and that goes away
 * with it, or, with -keep, in the current folder or that of -keep-dir.
 */
#include "cc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static char *folder;  /* NULL: none yet */
static pid_t owner;   /* forked helpers leave it to its owner */
static cc_args names; /* handed out already */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *cc_with_suffix(const char *path, const char *suffix)
{
    const char *name = base_name(path), *dot = strrchr(name, '.');
    size_t length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    return arena_printf(cc_arena, "%.*s%s", (int)length, name, suffix);
}

/* Two inputs may have the same name in different folders. */
static const char *fresh_name(const char *name)
{
    const char *fresh = name;
    for (size_t i = 0; i < names.count; i++) {
        if (strcmp(names.data[i], fresh) != 0)
            continue;
        fresh = arena_printf(cc_arena, "%zu-%s", names.count, name);
        break;
    }
    cc_add(&names, fresh);
    return fresh;
}

static bool make_folder(const struct cc_options *o)
{
    const char *place = getenv("TMPDIR");
    if (!place || !*place)
        place = "/tmp";
    folder = arena_printf(cc_arena, "%s/weftcc-XXXXXX", place);
    owner = getpid();
    if (o->dry_run || mkdtemp(folder))
        return true;
    cc_error("cannot make a scratch folder in %s: %s; set TMPDIR to a folder "
             "with room",
             place, strerror(errno));
    folder = NULL;
    return false;
}

const char *cc_temporary(const struct cc_options *o, const char *source,
                         const char *suffix)
{
    if (o->keep || o->keep_dir) {
        const char *name = cc_with_suffix(source, suffix);
        if (!o->keep_dir)
            return name;
        if (!o->dry_run && mkdir(o->keep_dir, 0777) < 0 && errno != EEXIST) {
            cc_error("cannot make the folder '%s' of -keep-dir: %s",
                     o->keep_dir, strerror(errno));
            return NULL;
        }
        return arena_printf(cc_arena, "%s/%s", o->keep_dir, name);
    }
    if (!folder && !make_folder(o))
        return NULL;
    return arena_printf(cc_arena, "%s/%s", folder,
                        fresh_name(cc_with_suffix(source, suffix)));
}

const char *cc_shown_name(const char *path)
{
    size_t length = folder ? strlen(folder) : 0;
    bool is_scratch =
        length && strncmp(path, folder, length) == 0 && path[length] == '/';
    return is_scratch ? path + length + 1 : path;
}

void cc_report_full_scratch(void)
{
    struct statvfs room;
    if (folder && statvfs(folder, &room) == 0 && room.f_blocks &&
        (room.f_bavail == 0 || (room.f_files && room.f_favail == 0)))
        cc_error("no space left for scratch files in %s; make room, or set "
                 "TMPDIR to a folder with room",
                 folder);
}

void cc_remove_temporaries(void)
{
    if (!folder || owner != getpid())
        return;
    int dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = dir < 0 ? NULL : fdopendir(dir);
    for (struct dirent *e; entries && (e = readdir(entries));)
        if (e->d_name[0] != '.')
            unlinkat(dir, e->d_name, 0);
    if (entries)
        closedir(entries);
    rmdir(folder);
    folder = NULL;
}
