/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvJitLink over the linker that the driver uses: images of every kind that has
 * PTX inside become one module. What it calls a cubin is a fat binary with that
 * PTX, which loads where a cubin does.
 */
#include "nvjitlink/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "fatbin/fatbin.h"

void jitlink_say(char **log, const char *format, ...)
{
    char *text = NULL, *both = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        text = NULL;
    va_end(list);
    if (text && asprintf(&both, "%s%s", *log ? *log : "", text) >= 0) {
        free(*log);
        *log = both;
    }
    free(text);
}

#define say(h, ...) jitlink_say(&(h)->errors, __VA_ARGS__)

/* ---- handles ------------------------------------------------------------- */

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t numOptions,
                                const char **options)
{
    if (!handle || (numOptions && !options))
        return NVJITLINK_ERROR_NULL_INPUT;
    nvJitLinkHandle h = calloc(1, sizeof *h);
    if (!h || !(h->parts = module_parts_create(false))) {
        free(h);
        return NVJITLINK_ERROR_INTERNAL;
    }
    h->created_ns = clock_now_ns();
    *handle = h; /* even if an option is wrong: the handle has the log */
    for (uint32_t i = 0; i < numOptions; i++) {
        if (!options[i])
            return NVJITLINK_ERROR_NULL_INPUT;
        nvJitLinkResult err = jitlink_read_option(h, options[i]);
        if (err)
            return err;
    }
    return jitlink_check_options(h);
}

nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle)
{
    if (!handle || !*handle)
        return NVJITLINK_ERROR_NULL_INPUT;
    nvJitLinkHandle h = *handle;
    module_parts_destroy(h->parts);
    for (size_t i = 0; i < h->for_ptxas.count; i++)
        free(h->for_ptxas.data[i]);
    vec_fini(&h->for_ptxas);
    free(h->max_registers);
    free(h->line_info);
    free(h->errors);
    free(h->info);
    free(h->ptx);
    free(h->image);
    free(h);
    *handle = NULL;
    return NVJITLINK_SUCCESS;
}

/* ---- inputs -------------------------------------------------------------- */

/* What is wrong with the PTX is in the log. */
static bool add_text(nvJitLinkHandle h, const char *text, size_t length,
                     const char *name)
{
    char errors[16384] = "";
    struct module_log log = {errors, sizeof errors};
    char *copy = strndup(text, length);
    bool ok = copy && !module_parts_add(h->parts, copy, name, false, &log);
    if (!ok)
        say(h, "%s", errors);
    else
        jitlink_say_usage(h, copy);
    free(copy);
    return ok;
}

static nvJitLinkResult refuse_input(nvJitLinkHandle h, const char *name,
                                    const char *what)
{
    say(h, "%s: %s cannot be linked here, PTX can\n", name, what);
    return NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
}

static nvJitLinkResult refuse_link_time(nvJitLinkHandle h, const char *name)
{
    if (h->is_link_time)
        return refuse_input(h, name, "NVIDIA's link-time code (LTO-IR)");
    say(h, "ERROR 1: LTO-IR input cannot be used without LTO enabled (-lto)\n");
    return NVJITLINK_ERROR_LTO_NOT_ENABLED;
}

static nvJitLinkResult refuse_ptx(nvJitLinkHandle h, const char *name)
{
    say(h, "ERROR NVJITLINK_ERROR_PTX_COMPILE: JIT the PTX (%s)\n", name);
    return NVJITLINK_ERROR_PTX_COMPILE;
}

static bool has_link_time_code(const char *container)
{
    struct fatbin_reader r;
    struct fatbin_item item;
    bool found = false;
    if (fatbin_open(container, &r))
        while (!found && fatbin_next(&r, &item))
            found = item.kind == FATBIN_LTOIR;
    return found;
}

/* What has no PTX may be left out, as all of NVIDIA's libcudadevrt.a is: a
 * kernel that needs it gets an error with the undefined name. */
static nvJitLinkResult add_container(nvJitLinkHandle h, const char *container,
                                     const char *name, bool may_lack_ptx)
{
    struct fatbin_entry e;
    char *seen = NULL;
    nvJitLinkResult err = NVJITLINK_SUCCESS;
    if (fatbin_select(container, h->sm, &e, &seen)) {
        if (add_text(h, e.ptx, e.ptx_bytes, name))
            h->has_link_time_code = true; /* in weft's form, it may be */
        else
            err = refuse_ptx(h, name);
        free(e.owned);
        return err;
    }
    if (has_link_time_code(container)) {
        err = refuse_link_time(h, name);
    } else if (!may_lack_ptx) {
        say(h, "%s: no PTX for sm_%u or older, only %s\n", name, h->sm,
            seen ? seen : "nothing");
        err = NVJITLINK_ERROR_ARCH_MISMATCH;
    }
    free(seen);
    return err;
}

/* Objects and archives: a fat binary begins with its magic number wherever it
 * lies. */
static nvJitLinkResult add_containers(nvJitLinkHandle h, const char *bytes,
                                      size_t size, const char *name)
{
    const char *at;
    size_t length;
    nvJitLinkResult err = NVJITLINK_SUCCESS;
    while (!err && (at = fatbin_find(&bytes, &size, &length)))
        err = add_container(h, at, name, true);
    return err;
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

/* For this device, and not for a newer one? */
static bool check_target(nvJitLinkHandle h, const char *text, size_t length)
{
    static const char directive[] = ".target sm_";
    const char *at = memmem(text, length, directive, strlen(directive));
    unsigned target = 0;
    if (!at)
        return true;
    for (at += strlen(directive); at < text + length; at++) {
        if (*at < '0' || *at > '9' || target > 1000)
            break;
        target = target * 10 + (unsigned)(*at - '0');
    }
    if (target > h->sm)
        say(h, "ptxas fatal   : SM version specified by .target is higher than "
               "default SM version assumed\n");
    return target <= h->sm;
}

/* PTX that is for a newer device, or wrong, is refused at once. */
static nvJitLinkResult add_ptx(nvJitLinkHandle h, const char *text,
                               size_t length, const char *name)
{
    if (h->is_virtual)
        say(h, "ERROR 3: ptxjit:%s\n", name);
    else if (check_target(h, text, length) && jitlink_check_ptxas_options(h) &&
             add_text(h, text, length, name))
        return NVJITLINK_SUCCESS;
    return refuse_ptx(h, name);
}

/* What -dlto of NVRTC makes here: PTX, for any device. */
static nvJitLinkResult add_link_time_ptx(nvJitLinkHandle h, const char *text,
                                         size_t length, const char *name)
{
    if (!h->is_link_time)
        return refuse_link_time(h, name);
    h->has_link_time_code = true;
    return add_text(h, text, length, name) ? NVJITLINK_SUCCESS
                                           : refuse_ptx(h, name);
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

static nvJitLinkResult add_binary(nvJitLinkHandle h, nvJitLinkInputType type,
                                  nvJitLinkInputType found, const void *data,
                                  size_t size, const char *name)
{
    if (found == NVJITLINK_INPUT_LTOIR)
        return refuse_link_time(h, name);
    if (found == NVJITLINK_INPUT_FATBIN)
        return add_container(h, data, name, false);
    if (type == NVJITLINK_INPUT_CUBIN)
        return refuse_input(h, name, "machine code of a GPU");
    if (!fatbin_is_elf(data, size) && !fatbin_is_archive(data, size))
        return refuse_input(h, name, "an object or archive that is damaged");
    return add_containers(h, data, size, name);
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle,
                                 nvJitLinkInputType inputType, const void *data,
                                 size_t size, const char *name)
{
    if (!handle)
        return NVJITLINK_ERROR_NULL_INPUT;
    if (!size)
        return NVJITLINK_ERROR_INVALID_INPUT;
    if (!data)
        return NVJITLINK_ERROR_NULL_INPUT;
    if (!name)
        name = "<unnamed>";
    nvJitLinkInputType found = find_type(data, size);
    nvJitLinkResult err =
        check_type(handle, inputType, found, is_ptx(data, size), name);
    if (err)
        return err;
    /* Of what is called anything, PTX may be link-time code. */
    if (inputType == NVJITLINK_INPUT_PTX || inputType == NVJITLINK_INPUT_CUBIN)
        handle->has_other_code = true;
    if (found != NVJITLINK_INPUT_PTX)
        return add_binary(handle, inputType, found, data, size, name);
    if (inputType == NVJITLINK_INPUT_LTOIR)
        return add_link_time_ptx(handle, data, size, name);
    if (inputType == NVJITLINK_INPUT_ANY)
        handle->has_link_time_code = true;
    return add_ptx(handle, data, size, name);
}

nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle,
                                 nvJitLinkInputType inputType,
                                 const char *fileName)
{
    if (!handle || !fileName)
        return NVJITLINK_ERROR_NULL_INPUT;
    FILE *f = fopen(fileName, "rb");
    size_t size = 0;
    char *bytes = f ? file_read(f, &size) : NULL;
    if (f)
        fclose(f);
    if (!size)
        say(handle, "no such file: %s\n", fileName);
    nvJitLinkResult err =
        size ? nvJitLinkAddData(handle, inputType, bytes, size, fileName)
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
    char errors[16384] = "", info[16384] = "", *ptx = NULL;
    struct module_log error_log = {errors, sizeof errors};
    struct module_log info_log = {info, sizeof info};
    if (module_parts_is_empty(h->parts))
        return empty_module(h->sm);
    if (module_parts_link(h->parts, h->is_relocatable, &error_log,
                          h->is_verbose ? &info_log : NULL, &ptx))
        say(h, "%sERROR 9: finish\n", errors);
    jitlink_say(&h->info, "%s", info);
    return ptx;
}

/* Link-time code is what -lto is about. */
static nvJitLinkResult check_link_time_code(nvJitLinkHandle h)
{
    if (!h->is_link_time)
        return NVJITLINK_SUCCESS;
    if (h->wants_ptx && h->has_other_code) {
        say(h, "ERROR: -ptx requires that all inputs have LTOIR\n");
        return NVJITLINK_ERROR_INCORRECT_INPUT_TYPE;
    }
    if (h->has_link_time_code)
        return NVJITLINK_SUCCESS;
    say(h, "ERROR in nvvmCompileProgram: NVVM_ERROR_NO_MODULE_IN_PROGRAM\n");
    return NVJITLINK_ERROR_NVVM_COMPILE;
}

static nvJitLinkResult finish_link(nvJitLinkHandle h)
{
    h->ptx = link_texts(h);
    if (!h->ptx)
        return NVJITLINK_ERROR_INTERNAL;
    const struct fatbin_image image = {.ptx = h->ptx, .bytes = strlen(h->ptx)};
    h->image = fatbin_build(&image, 1, "", &h->image_bytes);
    return h->image ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INTERNAL;
}

nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle)
{
    if (!handle)
        return NVJITLINK_ERROR_NULL_INPUT;
    uint64_t begin_ns = clock_now_ns();
    nvJitLinkResult err = check_link_time_code(handle);
    if (err)
        return err;
    if (handle->is_complete)
        return NVJITLINK_ERROR_INTERNAL;
    handle->is_complete = true;
    err = finish_link(handle);
    if (handle->is_timed)
        jitlink_say(&handle->info,
                    "nvJitLink time until Complete: %f\n"
                    "nvJitLinkComplete time to finish: %f\n",
                    (double)(begin_ns - handle->created_ns) / 1e6,
                    (double)(clock_now_ns() - begin_ns) / 1e6);
    return err;
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
