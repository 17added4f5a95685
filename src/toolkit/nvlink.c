/* SPDX-License-Identifier: Apache-2.0 */
/* nvlink: links the device code of objects, archives and images into one image,
 * which loads where a cubin does. */
#include "toolkit/toolkit.h"
#include "core/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fatbin/fatbin.h"

enum {
    OUTPUT,
    ARCH,
    LIBRARY,
    LIBRARY_PATH,
    EMIT_PTX,
    VERBOSE,
    REGISTER,
    RELOCATABLE
};

#define TUNES(name, brief, value)                                              \
    {                                                                          \
        name, brief, value, "for a GPU", KIT_TUNES                             \
    }

static const struct kit_option options[] = {
    [OUTPUT] = {"output-file", "o", "FILE", "the image", KIT_TAKE},
    [ARCH] = {"arch", "arch", "SM", "the device it is for", KIT_TAKE},
    [LIBRARY] = {"library", "l", "NAME", "an archive", KIT_TAKE},
    [LIBRARY_PATH] = {"library-path", "L", "FOLDER", "where archives are",
                      KIT_TAKE},
    [EMIT_PTX] = {"emit-ptx", "emit-ptx", NULL, "PTX and no image around it",
                  KIT_TAKE},
    [VERBOSE] = {"verbose", "v", NULL, "say what each kernel takes", KIT_TAKE},
    [REGISTER] = {"register-link-binaries", "register-link-binaries", "FILE",
                  "the objects' names, for crt/link.stub", KIT_TAKE},
    [RELOCATABLE] = {"relocatable-link", "r", NULL,
                     "what is undefined may come with a later link", KIT_TAKE},
    KIT_OPTIONS_FILE,
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
    TUNES("machine", "m", "64"),
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

static bool add_archive(const char *path, unsigned sm, struct kit_ptx *ptx)
{
    char *kept = strdup(path);
    return kept && vec_push(&ptx->owned, kept) && kit_add_ptx(kept, sm, ptx);
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
            !is_there || !has_device_code(path) || add_archive(path, sm, ptx);
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
    if (kit_value(args, EMIT_PTX))
        return kit_write(path, text, strlen(text));
    return kit_write_fatbin(path, &image, 1, path);
}

/* In NVIDIA's form. */
static void print_usage(const struct kit_args *args, const char *linked)
{
    char *text = report_text_usage(linked, kit_value(args, ARCH), "");
    for (char *line = text; line && *line;) {
        size_t length = strcspn(line, "\n");
        bool is_of_ptxas = starts_with(line, "ptxas");
        fprintf(stderr, "%s%.*s\n", is_of_ptxas ? "nvlink" : "",
                (int)(length - 5 * is_of_ptxas), line + 5 * is_of_ptxas);
        line += length + (line[length] != 0);
    }
    free(text);
}

static CUresult link_parts(const struct kit_args *args,
                           const struct kit_ptx *ptx, struct module_log *errors,
                           char **linked)
{
    CUresult err = CUDA_SUCCESS;
    struct module_parts *parts = module_parts_create(true);
    if (!parts)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < ptx->texts.count && !err; i++)
        err = module_parts_add(parts, ptx->texts.data[i], ptx->paths.data[i],
                               false, errors);
    if (!err)
        err = module_parts_link(parts, kit_value(args, RELOCATABLE), errors,
                                NULL, linked);
    module_parts_destroy(parts);
    return err;
}

static bool link_all(const struct kit_args *args, const struct kit_ptx *ptx)
{
    char errors[16384] = "", *linked;
    struct module_log log = {errors, sizeof errors};
    CUresult err = link_parts(args, ptx, &log, &linked);
    if (err) {
        kit_print_log(errors);
        if (!*errors)
            kit_error("linking failed: %s", error_text((int)err));
        return false;
    }
    if (kit_value(args, VERBOSE))
        print_usage(args, linked);
    bool ok = write_linked(args, linked);
    free(linked);
    return ok;
}

/* ---- registration -------------------------------------------------------- */

/* How the function begins that an object calls to have its linked code
 * registered. */
static const char register_prefix[] = "__cudaRegisterLinkedBinary";

struct register_names {
    VEC(char *) names; /* what follows the prefix, malloc'ed */
};

static bool add_name(struct register_names *r, const char *name, size_t length)
{
    for (size_t i = 0; i < r->names.count; i++)
        if (!strncmp(r->names.data[i], name, length) &&
            !r->names.data[i][length])
            return true;
    char *copy = strndup(name, length);
    return copy && vec_push(&r->names, copy);
}

/* The names stand in the symbol tables' strings. */
static bool add_names(struct register_names *r, const char *path)
{
    size_t size, prefix = sizeof register_prefix - 1;
    char *bytes = kit_read(path, &size);
    bool ok = bytes;
    for (char *at = bytes; ok; at += prefix) {
        at = memmem(at, size - (size_t)(at - bytes), register_prefix, prefix);
        if (!at)
            break;
        ok = add_name(r, at + prefix, strlen(at + prefix));
    }
    free(bytes);
    return ok;
}

/* Writes what link.stub includes. */
static bool write_register(const char *path, const struct kit_ptx *ptx)
{
    struct register_names r = {0};
    FILE *f = fopen(path, "w");
    bool ok = f;
    if (!f)
        kit_error("Output file '%s' could not be opened", path);
    for (size_t i = 0; i < ptx->paths.count && ok; i++)
        ok = add_names(&r, ptx->paths.data[i]);
    if (ok)
        fprintf(f, "#define NUM_PRELINKED_OBJECTS %zu\n", r.names.count);
    for (size_t i = 0; i < r.names.count; i++) {
        if (ok)
            fprintf(f, "DEFINE_REGISTER_FUNC(%s)\n", r.names.data[i]);
        free(r.names.data[i]);
    }
    vec_fini(&r.names);
    return (!f || fclose(f) == 0) && ok;
}

/* ---- the tool ------------------------------------------------------------ */

/* What is wrong with the code that is linked: 255. */
static int run_nvlink(const struct kit_args *args)
{
    struct kit_ptx ptx = {0};
    unsigned sm;
    char suffix;
    const char *arch = kit_value(args, ARCH);
    if (!arch) {
        kit_error("no architecture was named: --arch sm_90");
        return kit_nvlink.fatal_status;
    }
    if (!kit_parse_arch("arch", arch, &sm, &suffix))
        return kit_nvlink.fatal_status;
    if (!kit_value(args, OUTPUT)) {
        kit_error("Must specify output file with -o option");
        return kit_nvlink.fatal_status;
    }
    int status = kit_nvlink.fatal_status;
    const char *names = kit_value(args, REGISTER);
    if (add_all(args, sm, &ptx))
        status = !link_all(args, &ptx)                   ? 255
                 : names && !write_register(names, &ptx) ? status
                                                         : 0;
    kit_free_ptx(&ptx);
    return status;
}

const struct kit_tool kit_nvlink = {
    .name = "nvlink",
    .arguments = "FILE...",
    .summary = "links device code into one image that loads like a cubin",
    .details = "A FILE is an object, an archive, a fat binary, an image of "
               "ptxas, or PTX.",
    .options = options,
    .option_count = ARRAY_COUNT(options),
    .fatal_status = 1,
    .run = run_nvlink,
};
