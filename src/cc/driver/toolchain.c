/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where things are. weft's own folders are found from the running binary, so
 * that a build tree and an installed tree work alike, wherever they are moved:
 *
 *   bin/weftcc, weft-link
 *   lib/ or lib/weft/
 *   include/ or include/weft/
 *
 * clang is found by its versioned name, since another version's PTX and
 * headers would differ.
 */
#include "cc/cc.h"

#include "base/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define STRING_(x) #x
#define STRING(x)  STRING_(x)
#define CLANG      "clang-" STRING(WEFT_LLVM_VERSION)

/* "/a/b/c" -> "/a/b" */
static const char *parent_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return arena_strndup(cc_arena, path, slash ? (size_t)(slash - path) : 0);
}

static const char *join_path(const char *folder, const char *name)
{
    return arena_printf(cc_arena, "%s/%s", folder, name);
}

/* The first of the folders that has `marker` in it, or NULL. */
static const char *folder_with(const char *marker, const char *first,
                               const char *second)
{
    if (access(join_path(first, marker), R_OK) == 0)
        return first;
    return access(join_path(second, marker), R_OK) == 0 ? second : NULL;
}

bool cc_toolchain_locate(struct cc_toolchain *t)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) {
        cc_error("cannot read /proc/self/exe; weftcc needs /proc");
        return false;
    }
    self[length] = 0;
    t->self = arena_strndup(cc_arena, self, (size_t)length);

    const char *bin = parent_folder(t->self), *root = parent_folder(bin);
    t->linker = join_path(bin, "weft-link");
    t->include_dir =
        folder_with("cuda_runtime.h", join_path(root, "include/weft"),
                    join_path(root, "include"));
    t->library_dir = folder_with("libcudart.so", join_path(root, "lib/weft"),
                                 join_path(root, "lib"));
    if (!t->include_dir || !t->library_dir) {
        cc_error("%s is not complete: no %s beside %s; build or install weft "
                 "again",
                 root,
                 t->include_dir ? "lib/libcudart.so" : "include/cuda_runtime.h",
                 t->self);
        return false;
    }
    t->device_library = join_path(t->library_dir, "weft-device.bc");
    t->toolkit_dir = folder_with("bin/nvcc", join_path(t->library_dir, "nvcc"),
                                 join_path(root, "nvcc"));
    if (!t->toolkit_dir)
        t->toolkit_dir = root;
    return true;
}

static const char *find_in_path(const char *name)
{
    const char *path = secure_getenv("PATH");
    for (const char *p = path; p && *p; p += *p == ':') {
        size_t length = strcspn(p, ":");
        const char *file =
            arena_printf(cc_arena, "%.*s/%s", (int)length, p, name);
        if (access(file, X_OK) == 0)
            return file;
        p += length;
    }
    return NULL;
}

bool cc_toolchain_find_clang(struct cc_toolchain *t)
{
    const char *named = secure_getenv(ENVIRONMENT_CLANG);
    if (named && *named) {
        t->clang = strchr(named, '/') ? named : find_in_path(named);
        if (t->clang && access(t->clang, X_OK) == 0)
            return true;
        cc_error(ENVIRONMENT_CLANG
                 " is '%s', which is no program; unset it, and "
                 "install the Debian package " CLANG " if that is missing",
                 named);
        return false;
    }
    static const char fixed[] =
        "/usr/lib/llvm-" STRING(WEFT_LLVM_VERSION) "/bin/clang";
    t->clang = find_in_path(CLANG);
    if (!t->clang && access(fixed, X_OK) == 0)
        t->clang = fixed;
    if (t->clang)
        return true;
    cc_error(CLANG " not found; install the Debian package " CLANG
                   " (apt-get install " CLANG
                   "), or name the compiler in " ENVIRONMENT_CLANG);
    return false;
}

/* From "#define CUDA_VERSION 13000" in the toolkit's cuda.h. */
const char *cc_toolkit_version(const char *toolkit)
{
    static const char name[] = "#define CUDA_VERSION";
    const char *path = arena_printf(cc_arena, "%s/include/cuda.h", toolkit);
    size_t bytes;
    char *text = access(path, R_OK) == 0 ? cc_read_file(path, &bytes) : NULL;
    const char *line = text ? strstr(text, name) : NULL;
    unsigned long number =
        line ? strtoul(line + sizeof name - 1, NULL, 10) : 0;
    free(text);
    return number ? arena_printf(cc_arena, "%lu.%lu", number / 1000,
                                 number % 1000 / 10)
                  : NULL;
}
