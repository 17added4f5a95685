/* SPDX-License-Identifier: Apache-2.0 */
/* nvlink: links the device code of objects, archives and images into one image,
 * which loads where a cubin does. */
#include "toolkit/toolkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fatbin/fatbin.h"

enum { OUTPUT, ARCH, LIBRARY, LIBRARY_PATH, EMIT_PTX, VERBOSE, REGISTER };

#define TUNES(name, brief, value)                                              \
    {                                                                          \
        name, brief, value, "for a GPU", KIT_TUNES                             \
    }

static const struct kit_option options[] = {
    [OUTPUT] = {"output-file", "o", "FILE", "the image (a.out)", KIT_TAKE},
    [ARCH] = {"arch", "arch", "SM", "the device it is for", KIT_TAKE},
    [LIBRARY] = {"library", "l", "NAME", "an archive", KIT_TAKE},
    [LIBRARY_PATH] = {"library-path", "L", "FOLDER", "where archives are",
                      KIT_TAKE},
    [EMIT_PTX] = {"emit-ptx", "emit-ptx", NULL, "PTX and no image around it",
                  KIT_TAKE},
    [VERBOSE] = {"verbose", "v", NULL, "say what each kernel takes", KIT_TAKE},
    [REGISTER] = {"register-link-binaries", "register-link-binaries", "FILE",
                  "weftcc -dlink makes the object that registers a program's "
                  "device code",
                  KIT_REFUSE},
    {"relocatable-link", "r", NULL, "link all that belongs together at once",
     KIT_REFUSE},
    TUNES("Ofast-compile", "Ofc", "LEVEL"),
    TUNES("Xnvvm", "Xnvvm", "OPTIONS"),
    TUNES("Xptxas", "Xptxas", "OPTIONS"),
    TUNES("cpu-arch", "cpu-arch", "NAME"),
    TUNES("debug", "g", NULL),
    TUNES("disable-infos", "disable-infos", NULL),
    TUNES("disable-warnings", "w", NULL),
    TUNES("dlto", "dlto", NULL),
    TUNES("extra-warnings", "extrawarn", NULL),
    TUNES("ignore-host-info", "ignore-host-info", NULL),
    TUNES("keep-system-libraries", "keep-system-libraries", NULL),
    TUNES("kernels-used", "kernels-used", "NAMES"),
    TUNES("link-time-opt", "lto", NULL),
    TUNES("machine", "m", "BITS"),
    TUNES("maxrregcount", "maxrregcount", "N"),
    TUNES("nvvmpath", "nvvmpath", "FOLDER"),
    TUNES("preserve-relocs", "preserve-relocs", NULL),
    TUNES("split-compile", "split-compile", "N"),
    TUNES("suppress-arch-warning", "suppress-arch-warning", NULL),
    TUNES("suppress-debug-info", "suppress-debug-info", NULL),
    TUNES("suppress-stack-size-warning", "suppress-stack-size-warning", NULL),
    TUNES("use-host-info", "use-host-info", NULL),
    TUNES("variables-used", "variables-used", "NAMES"),
    TUNES("warning-as-error", "Werror", NULL),
};

/* Archives without device code, such as libcudadevrt.a, are left out. */
static bool has_device_code(const char *path)
{
    size_t size, length;
    char *bytes = kit_read(path, &size);
    const char *next = bytes;
    bool has_code = bytes && fatbin_find(&next, &size, &length);
    free(bytes);
    return has_code;
}

/* Adds the device code of -lNAME. A library that is in no folder of -L is taken
 * for one of the host's, without device code. */
static bool add_library(const struct kit_args *args, const char *name,
                        unsigned sm, struct kit_ptx *ptx)
{
    for (size_t i = 0; i < args->given.count; i++) {
        char *path;
        if (args->given.data[i].option != LIBRARY_PATH)
            continue;
        if (asprintf(&path, "%s/lib%s.a", args->given.data[i].value, name) < 0)
            return false;
        bool is_there = access(path, R_OK) == 0;
        bool ok =
            !is_there || !has_device_code(path) || kit_add_ptx(path, sm, ptx);
        free(path);
        if (is_there)
            return ok;
    }
    return true;
}

static bool add_all(const struct kit_args *args, unsigned sm,
                    struct kit_ptx *ptx)
{
    for (size_t i = 0; i < args->files.count; i++)
        if (!kit_add_ptx(args->files.data[i], sm, ptx))
            return false;
    for (size_t i = 0; i < args->given.count; i++)
        if (args->given.data[i].option == LIBRARY &&
            !add_library(args, args->given.data[i].value, sm, ptx))
            return false;
    if (!ptx->texts.count)
        kit_error("expected objects, archives or images with PTX");
    return ptx->texts.count > 0;
}

static bool write_linked(const struct kit_args *args, const char *text)
{
    const struct fatbin_image image = {.ptx = text, .bytes = strlen(text)};
    const char *path = kit_value(args, OUTPUT);
    if (!path)
        path = "a.out";
    if (kit_value(args, EMIT_PTX))
        return kit_write(path, text, strlen(text));
    return kit_write_fatbin(path, &image, 1, path);
}

static bool link_all(const struct kit_args *args, const struct kit_ptx *ptx)
{
    char errors[16384] = "", info[16384] = "", *linked;
    struct module_log error_log = {errors, sizeof errors};
    struct module_log info_log = {info, sizeof info};
    CUresult err =
        module_link((const void *const *)ptx->texts.data, ptx->texts.count,
                    &error_log, &info_log, &linked);
    fputs(errors, stderr);
    if (err) {
        kit_error("linking failed: %s", error_text((int)err));
        return false;
    }
    if (kit_value(args, VERBOSE))
        fputs(info, stderr);
    bool ok = write_linked(args, linked);
    free(linked);
    return ok;
}

static int run_nvlink(const struct kit_args *args)
{
    struct kit_ptx ptx = {0};
    unsigned sm = 90;
    char suffix;
    const char *arch = kit_value(args, ARCH);
    if (arch && !kit_parse_arch(arch, &sm, &suffix))
        return 1;
    bool ok = add_all(args, sm, &ptx) && link_all(args, &ptx);
    kit_free_ptx(&ptx);
    return ok ? 0 : 1;
}

const struct kit_tool kit_nvlink = {
    .name = "nvlink",
    .arguments = "FILE...",
    .summary = "links device code into one image that loads like a cubin",
    .details = "A FILE is an object, an archive, a fat binary, an image of "
               "ptxas, or PTX.",
    .options = options,
    .option_count = ARRAY_COUNT(options),
    .run = run_nvlink,
};
