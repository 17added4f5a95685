/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scratch files, in a folder of this process that is removed at exit; and
 * intermediate results, which are scratch files or, with -keep, stay in the
 * current folder or that of -keep-dir.
 *
 * A process that was forked to compile one file makes a folder of its own
 * inside: its names and those of its siblings, chosen at the same time, then
 * cannot be the same.
 */
#include "cc/cc.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static char *folder;  /* where this process's files go; NULL: none yet */
static char *root;    /* the folder that holds all, made before any fork */
static pid_t owner;   /* of `root`: who removes it */
static pid_t user;    /* of `folder` */
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
    const char *fresh =
        cc_contains(&names, name)
            ? arena_printf(cc_arena, "%zu-%s", names.count, name)
            : name;
    cc_add(&names, fresh);
    return fresh;
}

/* The first folder of a process: in $TMPDIR, or inside its parent's. */
static bool make_folder(const struct cc_options *o)
{
    const char *place = secure_getenv("TMPDIR");
    if (!place || !*place)
        place = "/tmp";
    bool is_root = !root;
    char *made = is_root ? arena_printf(cc_arena, "%s/weftcc-XXXXXX", place)
                         : arena_printf(cc_arena, "%s/XXXXXX", root);
    if (!o->dry_run && !mkdtemp(made)) {
        cc_error("cannot make a scratch folder in %s: %s; set TMPDIR to a "
                 "folder with room",
                 is_root ? place : root, strerror(errno));
        return false;
    }
    folder = made;
    user = getpid();
    if (is_root) {
        root = made;
        owner = user;
    }
    return true;
}

static bool make_keep_folder(const struct cc_options *o)
{
    if (!o->keep_dir || o->dry_run || mkdir(o->keep_dir, 0777) == 0 ||
        errno == EEXIST)
        return true;
    cc_error("cannot make the folder '%s' of -keep-dir: %s", o->keep_dir,
             strerror(errno));
    return false;
}

const char *cc_temporary(const struct cc_options *o, const char *source,
                         const char *suffix)
{
    if ((!folder || user != getpid()) && !make_folder(o))
        return NULL;
    return arena_printf(cc_arena, "%s/%s", folder,
                        fresh_name(cc_with_suffix(source, suffix)));
}

const char *cc_intermediate(const struct cc_options *o, const char *source,
                            const char *suffix)
{
    if (!o->keep && !o->keep_dir)
        return cc_temporary(o, source, suffix);
    if (!make_keep_folder(o))
        return NULL;
    const char *name = fresh_name(cc_with_suffix(source, suffix));
    return o->keep_dir ? arena_printf(cc_arena, "%s/%s", o->keep_dir, name)
                       : name;
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

/* A scratch file, or the folder of a process that was forked. */
static int remove_entry(const char *path, const struct stat *st, int kind,
                        struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    remove(path);
    return 0;
}

void cc_remove_temporaries(void)
{
    if (!root || owner != getpid())
        return;
    nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    root = folder = NULL;
}
