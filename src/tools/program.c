/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weft run PROGRAM: starts a program that was not compiled for us, so that it
 * finds our libraries where it looks for NVIDIA's. A program whose device code
 * does not run here is refused: it would fail at its first launch.
 */
#include "tools/tools.h"

#include "base/environment.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what is it? --------------------------------------------------------- */

bool tool_is_program(const char *path)
{
    unsigned char head[EI_NIDENT + 2] = {0};
    struct stat s;
    if (stat(path, &s) || !S_ISREG(s.st_mode) || access(path, X_OK))
        return false;
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    size_t n = fread(head, 1, sizeof head, f);
    fclose(f);
    if (n >= 2 && head[0] == '#' && head[1] == '!')
        return true;
    unsigned type = head[EI_NIDENT];
    return n == sizeof head && !memcmp(head, ELFMAG, SELFMAG) &&
           (type == ET_EXEC || type == ET_DYN);
}

/* A name without a slash is looked for in PATH, then in the current folder. */
char *tool_find_program(const char *name)
{
    if (strchr(name, '/'))
        return tool_is_program(name) ? strdup(name) : NULL;
    const char *path = getenv("PATH");
    for (const char *p = path; p && *p; p += *p == ':') {
        char *file;
        size_t length = strcspn(p, ":");
        if (asprintf(&file, "%.*s/%s", (int)length, p, name) < 0)
            return NULL;
        if (tool_is_program(file))
            return file;
        free(file);
        p += length;
    }
    char *here;
    if (!tool_is_program(name) || asprintf(&here, "./%s", name) < 0)
        return NULL;
    return here;
}

/* ---- our folders --------------------------------------------------------- */

struct folders {
    char library[4096], toolkit[4096];
};

/* Writes ROOT/NAME to `out`; false if the file MARKER is not in that folder. */
static bool folder_with(char *out, size_t size, const char *root,
                        const char *name, const char *marker)
{
    char file[4096 + 64];
    int length = snprintf(out, size, "%s/%s", root, name);
    if (length < 0 || (size_t)length >= size)
        return false;
    snprintf(file, sizeof file, "%s/%s", out, marker);
    return access(file, R_OK) == 0;
}

static bool find_folders(struct folders *f)
{
    char root[4000];
    ssize_t length = readlink("/proc/self/exe", root, sizeof root - 1);
    if (length < 0) {
        tool_error("run: cannot read /proc/self/exe: %s", strerror(errno));
        return false;
    }
    root[length] = 0;
    for (int i = 0; i < 2; i++) { /* bin/weft */
        char *slash = strrchr(root, '/');
        if (slash)
            *slash = 0;
    }
    if (!folder_with(f->library, sizeof f->library, root, "lib/weft",
                     "libcuda.so.1") &&
        !folder_with(f->library, sizeof f->library, root, "lib",
                     "libcuda.so.1")) {
        tool_error(
            "run: no libcuda.so.1 in %s/lib; build or install weft again",
            root);
        return false;
    }
    if (!folder_with(f->toolkit, sizeof f->toolkit, f->library, "nvcc",
                     "bin/nvcc") &&
        !folder_with(f->toolkit, sizeof f->toolkit, root, "nvcc", "bin/nvcc"))
        *f->toolkit = 0;
    return true;
}

/* ---- the environment ----------------------------------------------------- */

/* Puts a folder in front of those in a variable; false: no memory. */
static bool prepend_folder(const char *variable, const char *folder)
{
    const char *old = getenv(variable);
    char *list;
    if (asprintf(&list, "%s%s%s", folder, old && *old ? ":" : "",
                 old ? old : "") < 0)
        return false;
    bool ok = setenv(variable, list, 1) == 0;
    free(list);
    return ok;
}

/* Sets the variables by which programs that compile kernels find a toolkit to
 * ours: NVIDIA's would make machine code for GPUs. */
static bool name_toolkit(const struct folders *f)
{
    char bin[4200], ptxas[4200];
    snprintf(bin, sizeof bin, "%s/bin", f->toolkit);
    snprintf(ptxas, sizeof ptxas, "%s/bin/ptxas", f->toolkit);
    return prepend_folder("PATH", bin) && !setenv("CUDA_PATH", f->toolkit, 1) &&
           !setenv("CUDA_HOME", f->toolkit, 1) &&
           !setenv("TRITON_PTXAS_PATH", ptxas, 1) &&
           !setenv("TRITON_PTXAS_BLACKWELL_PATH", ptxas, 1) &&
           !setenv("TRITON_LIBCUDA_PATH", f->library, 1);
}

/* ---- running ------------------------------------------------------------- */

enum tool_status tool_run_program(const char *path, char **argv)
{
    struct folders f;
    struct tool_device_code code;
    if (!find_folders(&f))
        return TOOL_FAILED;
    bool has_code = tool_device_code(path, &code);
    if (has_code && !code.runs_count) {
        tool_error("run: %s has no device code that runs here (%s); rebuild it "
                   "with PTX: -gencode arch=compute_90,code=compute_90",
                   path, code.targets);
        return TOOL_FAILED;
    }
    if (!prepend_folder("LD_LIBRARY_PATH", f.library) ||
        setenv(ENVIRONMENT_NEWER_PTX, "1", 0) ||
        (*f.toolkit && !name_toolkit(&f))) {
        tool_error("run: no memory");
        return TOOL_FAILED;
    }
    fprintf(stderr, "weft: runs %s with LD_LIBRARY_PATH=%s%s%s\n", path,
            getenv("LD_LIBRARY_PATH"), has_code ? "; it has " : "",
            has_code ? code.targets : "");
    execv(path, argv);
    tool_error("run: cannot start %s: %s", path, strerror(errno));
    return TOOL_FAILED;
}
