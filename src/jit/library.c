/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libweft-compiler.so: where it is, which build it is, and loading it at the
 * first miss of the caches. LLVM is tens of megabytes and takes milliseconds
 * to load; a program whose kernels are all cached never does.
 */
#include "jit/internal.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARY_NAME       "libweft-compiler.so"
#define LIBRARY_PATH_BYTES (PATH_MAX + 64)

/* ---- where -------------------------------------------------------------- */

/* The file that holds this very function: libweft.so, or a tool. */
static bool own_path(char path[PATH_MAX])
{
    Dl_info info;
    if (!dladdr((void *)(uintptr_t)own_path, &info) || !info.dli_fname)
        return false;
    /* For a program, the name it was called by, which may need $PATH. */
    const char *name =
        strchr(info.dli_fname, '/') ? info.dli_fname : "/proc/self/exe";
    return realpath(name, path) != NULL;
}

static bool is_there(const char *directory, const char *below, char *path)
{
    snprintf(path, LIBRARY_PATH_BYTES, "%s/%s" LIBRARY_NAME, directory, below);
    return !access(path, R_OK);
}

/* Looks in WEFT_LIB_DIR if that is set, else beside the file of this code
 * (libweft.so), else in the library folder beside a tool's folder. On failure
 * `path` is the first place tried. */
static bool find_library(char path[LIBRARY_PATH_BYTES])
{
    static const char *const places[] = {"../lib/", "../lib/weft/"};
    char self[PATH_MAX], other[LIBRARY_PATH_BYTES];
    const char *directory = secure_getenv("WEFT_LIB_DIR");
    if (directory && *directory)
        return is_there(directory, "", path);
    if (!own_path(self))
        return is_there(".", "", path);
    *strrchr(self, '/') = 0;
    if (is_there(self, "", path))
        return true;
    for (size_t i = 0; i < ARRAY_COUNT(places); i++) {
        if (!is_there(self, places[i], other))
            continue;
        memcpy(path, other, sizeof other);
        return true;
    }
    return false;
}

/* ---- which build -------------------------------------------------------- */

/* The linker's build identifier, a hash of the library's contents. */
static uint64_t find_build_id(const uint8_t *notes, size_t size_bytes)
{
    size_t at = 0;
    while (size_bytes - at >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr n;
        memcpy(&n, notes + at, sizeof n);
        size_t name_at = at + sizeof n;
        size_t data_at = name_at + ((n.n_namesz + 3) & ~3u);
        size_t end = data_at + ((n.n_descsz + 3) & ~3u);
        if (end > size_bytes || end <= at)
            return 0;
        if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
            !memcmp(notes + name_at, "GNU", 4))
            return hash_bytes(notes + data_at, n.n_descsz, 0);
        at = end;
    }
    return 0;
}

static uint64_t read_build_id(int fd)
{
    ElfW(Ehdr) h;
    ElfW(Phdr) p;
    uint8_t notes[1024];
    if (pread(fd, &h, sizeof h, 0) != (ssize_t)sizeof h ||
        memcmp(h.e_ident, ELFMAG, SELFMAG))
        return 0;
    for (unsigned i = 0; i < h.e_phnum; i++) {
        off_t at = (off_t)(h.e_phoff + i * sizeof p);
        if (pread(fd, &p, sizeof p, at) != (ssize_t)sizeof p)
            return 0;
        if (p.p_type != PT_NOTE || p.p_filesz > sizeof notes)
            continue;
        ssize_t n = pread(fd, notes, p.p_filesz, (off_t)p.p_offset);
        uint64_t id = n > 0 ? find_build_id(notes, (size_t)n) : 0;
        if (id)
            return id;
    }
    return 0;
}

static uint64_t library_id;

static void find_library_id(void)
{
    char path[LIBRARY_PATH_BYTES];
    if (!find_library(path))
        return;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    struct stat st;
    library_id = read_build_id(fd);
    /* Linked without an identifier: time and size of the file stand for it. */
    if (!library_id && !fstat(fd, &st))
        library_id =
            hash_bytes(&st.st_mtim, sizeof st.st_mtim, (uint64_t)st.st_size);
    close(fd);
}

uint64_t jit_library_id(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_library_id);
    return library_id;
}

/* ---- loading ------------------------------------------------------------ */

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static const struct compiler_api *loaded; /* under load_lock */

static const struct compiler_api *load_library(struct diag *diag)
{
    char path[LIBRARY_PATH_BYTES];
    if (!find_library(path)) {
        diag_error(diag,
                   LIBRARY_NAME " is missing: expected %s; reinstall weft, "
                                "or set WEFT_LIB_DIR to the folder "
                                "that has it",
                   path);
        return NULL;
    }
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        diag_error(diag,
                   "cannot load " LIBRARY_NAME ": %s (if LLVM is what is "
                   "missing: apt-get install libllvm%d)",
                   dlerror(), WEFT_LLVM_VERSION);
        return NULL;
    }
    const struct compiler_api *api = dlsym(handle, "weft_compiler");
    if (!api || api->abi_version != WEFT_ABI_VERSION) {
        diag_error(diag, "%s is of another version of weft: reinstall weft",
                   path);
        dlclose(handle);
        return NULL;
    }
    return api;
}

const struct compiler_api *jit_compiler_get(struct diag *diag)
{
    pthread_mutex_lock(&load_lock);
    if (!loaded)
        loaded = load_library(diag);
    const struct compiler_api *api = loaded;
    pthread_mutex_unlock(&load_lock);
    return api;
}
