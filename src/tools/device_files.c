/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weft run --device-files: programs that look for the files of NVIDIA's kernel
 * module before they load libcuda find empty ones. They exist in a mount
 * namespace of the program's own: a /dev that has all that /dev has, and these.
 */
#include "tools/tools.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const file_names[] = {"nvidiactl", "nvidia0", "nvidia-uvm"};

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    return close(fd) == 0 && ok;
}

/* A mount namespace of our own. Who is not root needs a user namespace for
 * that, in which he stays who he is. */
static bool enter_namespace(void)
{
    if (unshare(CLONE_NEWNS)) {
        char users[64], groups[64];
        snprintf(users, sizeof users, "%u %u 1", geteuid(), geteuid());
        snprintf(groups, sizeof groups, "%u %u 1", getegid(), getegid());
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS) ||
            !write_text("/proc/self/setgroups", "deny") ||
            !write_text("/proc/self/uid_map", users) ||
            !write_text("/proc/self/gid_map", groups))
            return false;
    }
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static bool make_empty_file(const char *path)
{
    int fd = open(path, O_CREAT | O_EXCL | O_RDONLY | O_CLOEXEC, 0666);
    return fd >= 0 && close(fd) == 0;
}

/* Gives the new /dev what the old one, open as `old`, has as `name`. What
 * cannot be shown, as a file that has just gone, is left out. */
static void show_entry(int old, const char *name)
{
    char from[512], to[512], target[512];
    struct stat s;
    snprintf(from, sizeof from, "/proc/self/fd/%d/%s", old, name);
    snprintf(to, sizeof to, "/dev/%s", name);
    if (fstatat(old, name, &s, AT_SYMLINK_NOFOLLOW))
        return;
    if (S_ISLNK(s.st_mode)) {
        ssize_t length = readlinkat(old, name, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = 0;
        (void)!symlink(target, to);
    } else if (S_ISDIR(s.st_mode) ? !mkdir(to, 0755) : make_empty_file(to)) {
        (void)mount(from, to, NULL, MS_BIND | MS_REC, NULL);
    }
}

/* Puts a /dev with our files over the old one. */
static bool cover_dev(void)
{
    DIR *dir = opendir("/dev");
    if (!dir)
        return false;
    bool ok = mount("weft", "/dev", "tmpfs", MS_NOSUID, "mode=755") == 0;
    for (struct dirent *e; ok && (e = readdir(dir));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
            show_entry(dirfd(dir), e->d_name);
    for (size_t i = 0; ok && i < ARRAY_COUNT(file_names); i++) {
        char path[64];
        snprintf(path, sizeof path, "/dev/%s", file_names[i]);
        ok = make_empty_file(path) || errno == EEXIST;
    }
    closedir(dir);
    return ok;
}

bool tool_show_device_files(void)
{
    char path[64];
    snprintf(path, sizeof path, "/dev/%s", file_names[0]);
    if (!access(path, F_OK))
        return true;
    if (enter_namespace() && cover_dev()) {
        fprintf(stderr,
                "weft: the program has a /dev of its own, which has "
                "%s, %s and %s, empty\n",
                file_names[0], file_names[1], file_names[2]);
        return true;
    }
    tool_error("run: --device-files needs a mount namespace, which this "
               "system does not permit (%s); have root make the file instead: "
               "touch %s",
               strerror(errno), path);
    return false;
}
