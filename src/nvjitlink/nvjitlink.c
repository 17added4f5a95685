/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvJitLink over the linker that the driver uses: images of every kind that has
 * PTX inside become one module. What it calls a cubin is a fat binary with that
 * PTX, which loads where a cubin does.
 */
#include "nvJitLink.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/core.h"
#include "fatbin/fatbin.h"

struct nvJitLink {
    VEC(char *) texts; /* PTX */
    unsigned sm;
    bool is_virtual; /* -arch=compute_XX */
    bool wants_ptx, is_verbose;
    bool is_link_time; /* -lto */
    bool is_complete;
    char *ptx; /* what nvJitLinkComplete made */
    void *image;
    size_t image_bytes;
    char *errors; /* malloc'ed; NULL: none */
    char info[16384];
};

/* Adds a text to the error log; `format` has the newlines. Out of memory, the
 * text is lost. */
__attribute__((format(printf, 2, 3))) static void say(nvJitLinkHandle h,
                                                      const char *format, ...)
{
    char *text = NULL, *both = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        text = NULL;
    va_end(list);
    if (text &&
        asprintf(&both, "%s%s", h->errors ? h->errors : "", text) >= 0) {
        free(h->errors);
        h->errors = both;
    }
    free(text);
}

/* ---- options ------------------------------------------------------------- */

/* Options that only tune machine code of GPUs: accepted without effect. */
static const char *const tuning[] = {
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

/* The oldest architecture that this library's release links for. */
enum { OLDEST_ARCH = JITLINK_MAJOR == 12 ? 50 : 75 };

static bool is_architecture(unsigned number)
{
    static const unsigned known[] = {
#define ARCH(number, listing) number,
#include "base/arch.def"
    };
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (known[i] == number)
            return true;
    return false;
}

static nvJitLinkResult read_arch(nvJitLinkHandle h, const char *name)
{
    if (sscanf(name, "sm_%u", &h->sm) != 1) {
        h->is_virtual = sscanf(name, "compute_%u", &h->sm) == 1;
        if (!h->is_virtual) {
            say(h,
                "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option "
                "value (-arch=%s)\n",
                name);
            return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
        }
    }
    if (!is_architecture(h->sm)) {
        say(h,
            "ERROR NVJITLINK_ERROR_UNRECOGNIZED_ARCH: unrecognized "
            "architecture (compute_%u)\n",
            h->sm);
        return NVJITLINK_ERROR_UNRECOGNIZED_ARCH;
    }
    if (h->sm >= OLDEST_ARCH)
        return NVJITLINK_SUCCESS;
    say(h,
        "ERROR NVJITLINK_ERROR_UNSUPPORTED_ARCH: unsupported architecture "
        "(compute_%u)\n",
        h->sm);
    return NVJITLINK_ERROR_UNSUPPORTED_ARCH;
}

static nvJitLinkResult read_level(nvJitLinkHandle h, const char *level)
{
    if (!strcmp(level, "0") || !strcmp(level, "3"))
        return NVJITLINK_SUCCESS;
    say(h, "unsupported value of -O: %s. Only 0 and 3 are supported.\n", level);
    return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
}

static nvJitLinkResult read_option(nvJitLinkHandle h, const char *option)
{
    if (starts_with(option, "-arch="))
        return read_arch(h, option + strlen("-arch="));
    if (starts_with(option, "-O") && option[2] >= '0' && option[2] <= '9')
        return read_level(h, option + 2);
    if (!strcmp(option, "-ptx"))
        return h->wants_ptx = true, NVJITLINK_SUCCESS;
    if (!strcmp(option, "-verbose"))
        return h->is_verbose = true, NVJITLINK_SUCCESS;
    /* Inputs are PTX whether asked to optimise them together or not. */
    if (!strcmp(option, "-lto") || !strcmp(option, "-dlto"))
        return h->is_link_time = true, NVJITLINK_SUCCESS;
    if (is_tuning(option))
        return NVJITLINK_SUCCESS;
    say(h, "unrecognized option: %s\n", option);
    return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
}

/* Checks what single options cannot see. */
static nvJitLinkResult check_options(nvJitLinkHandle h)
{
    if (!h->sm)
        return NVJITLINK_ERROR_MISSING_ARCH;
    if (h->is_virtual && !h->wants_ptx)
        say(h, "ERROR: virtual arch requires -ptx\n");
    else if (h->wants_ptx && !h->is_link_time)
        say(h, "ERROR: -ptx requires -lto\n");
    else
        return NVJITLINK_SUCCESS;
    return NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS;
}

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t numOptions,
                                const char **options)
{
    if (!handle || (numOptions && !options))
        return NVJITLINK_ERROR_NULL_INPUT;
    nvJitLinkHandle h = calloc(1, sizeof *h);
    if (!h)
        return NVJITLINK_ERROR_INTERNAL;
    *handle = h; /* even if an option is wrong: the handle has the log */
    for (uint32_t i = 0; i < numOptions; i++) {
        if (!options[i])
            return NVJITLINK_ERROR_NULL_INPUT;
        nvJitLinkResult err = read_option(h, options[i]);
        if (err)
            return err;
    }
    return check_options(h);
}

nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle)
{
    if (!handle || !*handle)
        return NVJITLINK_ERROR_NULL_INPUT;
    nvJitLinkHandle h = *handle;
    for (size_t i = 0; i < h->texts.count; i++)
        free(h->texts.data[i]);
    vec_fini(&h->texts);
    free(h->errors);
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
        say(h, "%s: no PTX for sm_%u or older, only %s\n", name, h->sm,
            seen ? seen : "nothing");
        free(seen);
        return NVJITLINK_ERROR_ARCH_MISMATCH;
    }
    nvJitLinkResult err = add_text(h, e.ptx, e.ptx_bytes);
    free(e.owned);
    return err;
}

/* Objects and archives: a fat binary begins with its magic number wherever it
 * lies. What has no PTX is left out, as all of NVIDIA's libcudadevrt.a is:
 * a kernel that needs it gets an error with the undefined name. */
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

static nvJitLinkResult refuse_input(nvJitLinkHandle h, const char *name,
                                    const char *what)
{
    say(h, "%s: %s cannot be linked here, PTX can\n", name, what);
    return NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
}

/* Adds PTX; refuses at once what is wrong or for a newer device. has_target:
 * whether its .target counts. */
static nvJitLinkResult add_ptx(nvJitLinkHandle h, const char *text,
                               size_t length, const char *name, bool has_target)
{
    unsigned target = 0;
    char errors[16384] = "";
    struct module_log log = {errors, sizeof errors};
    char *copy = strndup(text, length);
    const char *at = copy && has_target ? strstr(copy, ".target sm_") : NULL;
    if (!copy)
        return NVJITLINK_ERROR_INTERNAL;
    if (at && sscanf(at, ".target sm_%u", &target) == 1 && target > h->sm)
        say(h, "ptxas fatal   : SM version specified by .target is higher than "
               "default SM version assumed\n");
    else if (module_check_image(copy, name, &log))
        say(h, "%s", errors);
    else if (vec_push(&h->texts, copy))
        return NVJITLINK_SUCCESS;
    else
        return free(copy), NVJITLINK_ERROR_INTERNAL;
    free(copy);
    say(h, "ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (%s)\n", name);
    return NVJITLINK_ERROR_PTX_COMPILE;
}

static bool is_ptx(const void *data, size_t size)
{
    return memmem(data, size, ".version", strlen(".version")) != NULL;
}

/* May an input that was found to be `found` be called `type`? Our cubins and
 * LTO-IR are PTX or fat binaries with PTX, so those names fit as well. */
static bool is_called(nvJitLinkInputType found, nvJitLinkInputType type,
                      bool has_ptx)
{
    switch (type) {
    case NVJITLINK_INPUT_CUBIN:
        return found != NVJITLINK_INPUT_PTX || has_ptx;
    case NVJITLINK_INPUT_LTOIR:
    case NVJITLINK_INPUT_PTX:
        return found == NVJITLINK_INPUT_LTOIR ||
               (found == NVJITLINK_INPUT_PTX && has_ptx);
    default:
        return found == type;
    }
}

/* NULL: no such type. */
static const char *type_name(nvJitLinkInputType type)
{
    static const char *const names[] = {
        [NVJITLINK_INPUT_CUBIN] = "CUBIN",
        [NVJITLINK_INPUT_PTX] = "PTX",
        [NVJITLINK_INPUT_LTOIR] = "LTOIR",
        [NVJITLINK_INPUT_FATBIN] = "FATBIN",
        [NVJITLINK_INPUT_OBJECT] = "OBJECT",
        [NVJITLINK_INPUT_LIBRARY] = "LIBRARY",
        [NVJITLINK_INPUT_INDEX] = "INDEX",
    };
    return (size_t)type < ARRAY_COUNT(names) ? names[type] : NULL;
}

static nvJitLinkResult check_type(nvJitLinkHandle h, nvJitLinkInputType type,
                                  nvJitLinkInputType found, bool has_ptx,
                                  const char *name)
{
    if (type == NVJITLINK_INPUT_ANY) {
        if (found != NVJITLINK_INPUT_PTX || has_ptx)
            return NVJITLINK_SUCCESS;
        say(h, "unrecognized input type: %s\n", name);
        return NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
    }
    if (!type_name(type))
        say(h, "unsupported input type: %s\n", name);
    else if (!is_called(found, type, has_ptx))
        say(h, "ERROR 1: bad input: does not match type NVJITLINK_INPUT_%s%s\n",
            type_name(type), name);
    else
        return NVJITLINK_SUCCESS;
    return NVJITLINK_ERROR_INCORRECT_INPUT_TYPE;
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle,
                                 nvJitLinkInputType inputType, const void *data,
                                 size_t size, const char *name)
{
    if (!handle || !data)
        return NVJITLINK_ERROR_NULL_INPUT;
    if (!size)
        return NVJITLINK_ERROR_INVALID_INPUT;
    if (!name)
        name = "<unnamed>";
    nvJitLinkInputType found = find_type(data, size);
    nvJitLinkResult err =
        check_type(handle, inputType, found, is_ptx(data, size), name);
    if (err)
        return err;
    switch (found) {
    case NVJITLINK_INPUT_PTX: /* LTO-IR is for any device */
        return add_ptx(handle, data, size, name,
                       inputType != NVJITLINK_INPUT_LTOIR);
    case NVJITLINK_INPUT_FATBIN:
        return add_container(handle, data, name);
    case NVJITLINK_INPUT_LTOIR:
        return refuse_input(handle, name, "NVIDIA's link-time format");
    default:
        if (inputType == NVJITLINK_INPUT_CUBIN)
            return refuse_input(handle, name, "machine code of a GPU");
        if (!fatbin_is_elf(data, size) && !fatbin_is_archive(data, size))
            return refuse_input(handle, name,
                                "an object or archive that is damaged");
        return add_containers(handle, data, size);
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
        say(handle, "no such file: %s\n", fileName);
    nvJitLinkResult err =
        ok ? nvJitLinkAddData(handle, inputType, bytes, (size_t)size, fileName)
           : NVJITLINK_ERROR_INVALID_INPUT;
    free(bytes);
    return err;
}

/* ---- linking ------------------------------------------------------------- */

static char *empty_module(unsigned sm)
{
    char *text = NULL;
    return asprintf(&text, ".version 8.0\n.target sm_%u\n.address_size 64\n",
                    sm) < 0
               ? NULL
               : text;
}

/* The linked PTX, malloc'ed; an empty module if there is no input. NULL after
 * reporting, or out of memory. */
static char *link_texts(nvJitLinkHandle h)
{
    char errors[16384] = "", *ptx = NULL;
    struct module_log error_log = {errors, sizeof errors};
    struct module_log info_log = {h->info, sizeof h->info};
    if (!h->texts.count)
        return empty_module(h->sm);
    if (module_link((const void *const *)h->texts.data, h->texts.count,
                    &error_log, h->is_verbose ? &info_log : NULL, &ptx))
        say(h, "%sERROR 9: finish\n", errors);
    return ptx;
}

nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle)
{
    if (!handle)
        return NVJITLINK_ERROR_NULL_INPUT;
    if (!handle->texts.count && handle->is_link_time) {
        say(handle, "ERROR in nvvmCompileProgram: "
                    "NVVM_ERROR_NO_MODULE_IN_PROGRAM\n");
        return NVJITLINK_ERROR_NVVM_COMPILE;
    }
    if (handle->is_complete)
        return NVJITLINK_ERROR_INTERNAL;
    handle->is_complete = true;
    handle->ptx = link_texts(handle);
    if (!handle->ptx)
        return NVJITLINK_ERROR_INTERNAL;
    const struct fatbin_image image = {.ptx = handle->ptx,
                                       .bytes = strlen(handle->ptx)};
    handle->image = fatbin_build(&image, 1, "", &handle->image_bytes);
    return handle->image ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INTERNAL;
}

/* ---- results ------------------------------------------------------------- */

/* Is there the result that is asked for? With -ptx that is PTX, else a cubin.
 */
static nvJitLinkResult check_result(nvJitLinkHandle h, const void *out,
                                    bool is_ptx)
{
    if (!h || !out)
        return NVJITLINK_ERROR_NULL_INPUT;
    if (is_ptx && !h->wants_ptx)
        return NVJITLINK_ERROR_INVALID_INPUT;
    return h->image && is_ptx == h->wants_ptx ? NVJITLINK_SUCCESS
                                              : NVJITLINK_ERROR_INTERNAL;
}

nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle,
                                            size_t *size)
{
    nvJitLinkResult err = check_result(handle, size, false);
    if (!err)
        *size = handle->image_bytes;
    return err;
}

nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin)
{
    nvJitLinkResult err = check_result(handle, cubin, false);
    if (!err)
        memcpy(cubin, handle->image, handle->image_bytes);
    return err;
}

nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size)
{
    nvJitLinkResult err = check_result(handle, size, true);
    if (!err)
        *size = strlen(handle->ptx) + 1;
    return err;
}

nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *ptx)
{
    nvJitLinkResult err = check_result(handle, ptx, true);
    if (!err)
        strcpy(ptx, handle->ptx);
    return err;
}

/* With its NUL; but 0 for an empty log. */
static size_t size_of(const char *log)
{
    return log && *log ? strlen(log) + 1 : 0;
}

static void copy_log(char *out, const char *log)
{
    if (size_of(log))
        strcpy(out, log);
}

nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size)
{
    if (!handle || !size)
        return NVJITLINK_ERROR_NULL_INPUT;
    *size = size_of(handle->errors);
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log)
{
    if (!handle || !log)
        return NVJITLINK_ERROR_NULL_INPUT;
    copy_log(log, handle->errors);
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size)
{
    if (!handle || !size)
        return NVJITLINK_ERROR_NULL_INPUT;
    *size = size_of(handle->info);
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log)
{
    if (!handle || !log)
        return NVJITLINK_ERROR_NULL_INPUT;
    copy_log(log, handle->info);
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

/* The header of each toolkit release calls names of its own, such as
 * __nvJitLinkCreate_13_0. */
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
