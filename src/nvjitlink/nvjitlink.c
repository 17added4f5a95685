/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvJitLink over the linker that the driver uses: images of every kind that has
 * PTX inside become one module. What it calls a cubin is a fat binary with that
 * PTX, which loads where a cubin does.
 */
#include "nvJitLink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/core.h"
#include "fatbin/fatbin.h"

struct nvJitLink {
    VEC(char *) texts; /* PTX */
    unsigned sm;
    bool wants_ptx, is_verbose;
    char *ptx; /* what nvJitLinkComplete made */
    void *image;
    size_t image_bytes;
    struct diag errors;
    char info[16384];
};

/* ---- options ------------------------------------------------------------- */

/* Those that only tune what a GPU would run. */
static const char *const tuning[] = {
    "-O",
    "-g",
    "-lineinfo",
    "-ftz",
    "-prec-div",
    "-prec-sqrt",
    "-fma",
    "-maxrregcount",
    "-kernels-used",
    "-variables-used",
    "-optimize-unused-variables",
    "-Xptxas",
    "-Xnvvm",
    "-split-compile",
    "-split-compile-extended",
    "-jump-table-density",
    "-no-cache",
    "-device-stack-protector",
    "-time",
};

static bool is_tuning(const char *option)
{
    for (size_t i = 0; i < ARRAY_COUNT(tuning); i++)
        if (starts_with(option, tuning[i]))
            return true;
    return false;
}

static nvJitLinkResult read_option(nvJitLinkHandle h, const char *option)
{
    char suffix = 0;
    if (starts_with(option, "-arch=")) {
        const char *name = option + 6;
        if (sscanf(name, "sm_%u%c", &h->sm, &suffix) >= 1 ||
            sscanf(name, "compute_%u%c", &h->sm, &suffix) >= 1)
            return NVJITLINK_SUCCESS;
        diag_error(&h->errors, "%s: no architecture, such as sm_90", option);
        return NVJITLINK_ERROR_UNRECOGNIZED_ARCH;
    }
    if (!strcmp(option, "-ptx"))
        return h->wants_ptx = true, NVJITLINK_SUCCESS;
    if (!strcmp(option, "-v") || !strcmp(option, "-verbose"))
        return h->is_verbose = true, NVJITLINK_SUCCESS;
    /* Inputs are PTX whether asked to optimise them together or not. */
    if (!strcmp(option, "-lto") || !strcmp(option, "-dlto") ||
        is_tuning(option))
        return NVJITLINK_SUCCESS;
    diag_error(&h->errors, "unknown option %s", option);
    return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
}

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t numOptions,
                                const char **options)
{
    if (!handle || (numOptions && !options))
        return NVJITLINK_ERROR_NULL_INPUT;
    nvJitLinkHandle h = calloc(1, sizeof *h);
    if (!h)
        return NVJITLINK_ERROR_INTERNAL;
    diag_init(&h->errors);
    *handle = h; /* also where this fails: it has the log */
    for (uint32_t i = 0; i < numOptions; i++) {
        if (!options[i])
            return NVJITLINK_ERROR_NULL_INPUT;
        nvJitLinkResult err = read_option(h, options[i]);
        if (err)
            return err;
    }
    return h->sm ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_MISSING_ARCH;
}

nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle)
{
    if (!handle || !*handle)
        return NVJITLINK_ERROR_NULL_INPUT;
    nvJitLinkHandle h = *handle;
    for (size_t i = 0; i < h->texts.count; i++)
        free(h->texts.data[i]);
    vec_fini(&h->texts);
    diag_fini(&h->errors);
    free(h->ptx);
    free(h->image);
    free(h);
    *handle = NULL;
    return NVJITLINK_SUCCESS;
}

/* ---- inputs -------------------------------------------------------------- */

static nvJitLinkResult add_text(nvJitLinkHandle h, const char *text,
                                size_t length)
{
    char *copy = strndup(text, length);
    if (copy && vec_push(&h->texts, copy))
        return NVJITLINK_SUCCESS;
    free(copy);
    return NVJITLINK_ERROR_INTERNAL;
}

static nvJitLinkResult add_container(nvJitLinkHandle h, const char *container,
                                     const char *name)
{
    struct fatbin_entry e;
    char *seen = NULL;
    if (!fatbin_select(container, h->sm, &e, &seen)) {
        diag_error(&h->errors, "%s: no PTX for sm_%u or older, only %s", name,
                   h->sm, seen ? seen : "nothing");
        free(seen);
        return NVJITLINK_ERROR_ARCH_MISMATCH;
    }
    nvJitLinkResult err = add_text(h, e.ptx, e.ptx_bytes);
    free(e.owned);
    return err;
}

/* Objects and archives: a fat binary begins with its magic number wherever it
 * lies. What has no PTX for us is left out: who needs it, as nobody needs
 * NVIDIA's libcudadevrt.a here, hears of an undefined name. */
static nvJitLinkResult add_containers(nvJitLinkHandle h, const char *bytes,
                                      size_t size)
{
    const char *at;
    size_t length;
    while ((at = fatbin_find(&bytes, &size, &length))) {
        struct fatbin_entry e;
        char *seen = NULL;
        if (fatbin_select(at, h->sm, &e, &seen)) {
            nvJitLinkResult err = add_text(h, e.ptx, e.ptx_bytes);
            free(e.owned);
            if (err)
                return err;
        }
        free(seen);
    }
    return NVJITLINK_SUCCESS;
}

static nvJitLinkInputType find_type(const char *bytes, size_t size)
{
    if (size >= 8 && !memcmp(bytes, "!<arch>\n", 8))
        return NVJITLINK_INPUT_LIBRARY;
    if (fatbin_length(bytes, size))
        return NVJITLINK_INPUT_FATBIN;
    if (size >= 4 && !memcmp(bytes,
                             "\x7f"
                             "ELF",
                             4))
        return NVJITLINK_INPUT_OBJECT;
    if (size >= 4 && (!memcmp(bytes, "BC\xc0\xde", 4)))
        return NVJITLINK_INPUT_LTOIR;
    return NVJITLINK_INPUT_PTX;
}

static nvJitLinkResult refuse(nvJitLinkHandle h, const char *name,
                              const char *what)
{
    diag_error(&h->errors, "%s: %s cannot be linked here, PTX can", name, what);
    return NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle,
                                 nvJitLinkInputType inputType, const void *data,
                                 size_t size, const char *name)
{
    if (!handle || !data || !size)
        return NVJITLINK_ERROR_NULL_INPUT;
    if (!name)
        name = "<unnamed>";
    nvJitLinkInputType found = find_type(data, size);
    switch (inputType == NVJITLINK_INPUT_ANY ? found : inputType) {
    case NVJITLINK_INPUT_PTX:
        return add_text(handle, data, size);
    case NVJITLINK_INPUT_CUBIN:
    case NVJITLINK_INPUT_FATBIN:
        if (found == NVJITLINK_INPUT_PTX) /* what cuLinkComplete gives */
            return add_text(handle, data, size);
        if (found != NVJITLINK_INPUT_FATBIN)
            return refuse(handle, name, "machine code of a GPU");
        return add_container(handle, data, name);
    case NVJITLINK_INPUT_OBJECT:
    case NVJITLINK_INPUT_LIBRARY:
        return add_containers(handle, data, size);
    case NVJITLINK_INPUT_LTOIR: /* ours is PTX */
        if (found == NVJITLINK_INPUT_PTX && memmem(data, size, ".version", 8))
            return add_text(handle, data, size);
        return refuse(handle, name, "NVIDIA's link-time format");
    case NVJITLINK_INPUT_INDEX:
        return refuse(handle, name, "an index file");
    default:
        return NVJITLINK_ERROR_INVALID_INPUT;
    }
}

nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle,
                                 nvJitLinkInputType inputType,
                                 const char *fileName)
{
    if (!handle || !fileName)
        return NVJITLINK_ERROR_NULL_INPUT;
    FILE *f = fopen(fileName, "rb");
    char *bytes = NULL;
    long size = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;
    bool ok = size > 0 && !fseek(f, 0, SEEK_SET) &&
              (bytes = malloc((size_t)size)) &&
              fread(bytes, 1, (size_t)size, f) == (size_t)size;
    if (f)
        fclose(f);
    if (!ok)
        diag_error(&handle->errors, "%s: %s", fileName,
                   size == 0 ? "it is empty" : strerror(errno));
    nvJitLinkResult err =
        ok ? nvJitLinkAddData(handle, inputType, bytes, (size_t)size, fileName)
           : NVJITLINK_ERROR_INVALID_INPUT;
    free(bytes);
    return err;
}

/* ---- linking ------------------------------------------------------------- */

nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle)
{
    if (!handle)
        return NVJITLINK_ERROR_NULL_INPUT;
    if (!handle->texts.count || handle->ptx)
        return NVJITLINK_ERROR_INVALID_INPUT;
    char errors[16384] = "";
    struct module_log error_log = {errors, sizeof errors};
    struct module_log info_log = {handle->info, sizeof handle->info};
    CUresult err = module_link(
        (const void *const *)handle->texts.data, handle->texts.count,
        &error_log, handle->is_verbose ? &info_log : NULL, &handle->ptx);
    if (*errors)
        diag_error(&handle->errors, "%s", errors);
    if (err)
        return NVJITLINK_ERROR_PTX_COMPILE;
    const struct fatbin_image image = {.ptx = handle->ptx,
                                       .bytes = strlen(handle->ptx)};
    handle->image = fatbin_build(&image, 1, "", &handle->image_bytes);
    return handle->image ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INTERNAL;
}

/* ---- results ------------------------------------------------------------- */

static nvJitLinkResult check_result(nvJitLinkHandle h, const void *out)
{
    if (!h || !out)
        return NVJITLINK_ERROR_NULL_INPUT;
    return h->image ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INVALID_INPUT;
}

nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle,
                                            size_t *size)
{
    nvJitLinkResult err = check_result(handle, size);
    if (!err)
        *size = handle->image_bytes;
    return err;
}

nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin)
{
    nvJitLinkResult err = check_result(handle, cubin);
    if (!err)
        memcpy(cubin, handle->image, handle->image_bytes);
    return err;
}

nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size)
{
    nvJitLinkResult err = check_result(handle, size);
    if (!err)
        *size = strlen(handle->ptx) + 1;
    return err;
}

nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *ptx)
{
    nvJitLinkResult err = check_result(handle, ptx);
    if (!err)
        strcpy(ptx, handle->ptx);
    return err;
}

nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size)
{
    if (!handle || !size)
        return NVJITLINK_ERROR_NULL_INPUT;
    *size = (handle->errors.text ? strlen(handle->errors.text) : 0) + 1;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log)
{
    if (!handle || !log)
        return NVJITLINK_ERROR_NULL_INPUT;
    strcpy(log, handle->errors.text ? handle->errors.text : "");
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size)
{
    if (!handle || !size)
        return NVJITLINK_ERROR_NULL_INPUT;
    *size = strlen(handle->info) + 1;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log)
{
    if (!handle || !log)
        return NVJITLINK_ERROR_NULL_INPUT;
    strcpy(log, handle->info);
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor)
{
    if (!major || !minor)
        return NVJITLINK_ERROR_NULL_INPUT;
    *major = JITLINK_MAJOR;
    *minor = JITLINK_MINOR;
    return NVJITLINK_SUCCESS;
}

/* ---- names with a version ------------------------------------------------ */

/* Each toolkit's header calls its own: __nvJitLinkCreate_13_0. */
#define ALIAS(name, version)                                                   \
    __asm__(".globl __" #name "_" #version "\n"                                \
            ".set __" #name "_" #version ", " #name "\n");
#if JITLINK_MAJOR == 12
#define JITLINK_API(name)                                                      \
    ALIAS(name, 12_0)                                                          \
    ALIAS(name, 12_1)                                                          \
    ALIAS(name, 12_2)                                                          \
    ALIAS(name, 12_3)                                                          \
    ALIAS(name, 12_4)                                                          \
    ALIAS(name, 12_5)                                                          \
    ALIAS(name, 12_6)                                                          \
    ALIAS(name, 12_7)                                                          \
    ALIAS(name, 12_8)                                                          \
    ALIAS(name, 12_9)
#else
#define JITLINK_API(name)                                                      \
    ALIAS(name, 13_0)                                                          \
    ALIAS(name, 13_1)                                                          \
    ALIAS(name, 13_2)                                                          \
    ALIAS(name, 13_3)                                                          \
    ALIAS(name, 13_4)                                                          \
    ALIAS(name, 13_5)
#endif
#include "nvjitlink/functions.def"
