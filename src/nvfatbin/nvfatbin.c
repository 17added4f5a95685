/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nvFatbin over the writer that weftcc uses. What our compilers call a cubin,
 * or LTO-IR, is PTX, and goes in as that; machine code goes in as it is.
 */
#include "nvFatbin.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/limits.h"
#include "fatbin/fatbin.h"

struct _nvFatbinHandle {
    VEC(struct fatbin_image) images; /* each owns its bytes */
    char *name;                      /* of the first that has one */
    void *built;
    size_t built_bytes;
};

const char *nvFatbinGetErrorString(nvFatbinResult result)
{
    static const char *const names[] = {
        [NVFATBIN_SUCCESS] = "",
        [NVFATBIN_ERROR_INTERNAL] = "internal error",
        [NVFATBIN_ERROR_ELF_ARCH_MISMATCH] = "machine code of another device",
        [NVFATBIN_ERROR_ELF_SIZE_MISMATCH] = "machine code of another size",
        [NVFATBIN_ERROR_MISSING_PTX_VERSION] = "the PTX has no .version",
        [NVFATBIN_ERROR_NULL_POINTER] = "a pointer is NULL",
        [NVFATBIN_ERROR_UNRECOGNIZED_OPTION] = "unknown option",
        [NVFATBIN_ERROR_INVALID_ARCH] = "no such architecture",
        [NVFATBIN_ERROR_INVALID_NVVM] = "LTO-IR that is no PTX",
        [NVFATBIN_ERROR_EMPTY_INPUT] = "the input is empty",
        [NVFATBIN_ERROR_MISSING_PTX_ARCH] = "the PTX has no .target",
        [NVFATBIN_ERROR_PTX_ARCH_MISMATCH] = "the PTX is for another device",
        [NVFATBIN_ERROR_MISSING_FATBIN] = "the object has no fat binary",
    };
    const char *name =
        (size_t)result < ARRAY_COUNT(names) ? names[result] : NULL;
    return name ? name : "unknown error";
}

/* ---- handles ------------------------------------------------------------- */

/* Images stay as they are, for 64-bit Linux. */
static bool is_known(const char *option)
{
    static const char *const known[] = {"-compress", "-64", "-host=linux",
                                        "-cuda",     "-g",  "-c"};
    for (size_t i = 0; i < ARRAY_COUNT(known); i++)
        if (starts_with(option, known[i]))
            return true;
    return false;
}

nvFatbinResult nvFatbinCreate(nvFatbinHandle *handle_indirect,
                              const char **options, size_t optionsCount)
{
    if (!handle_indirect || (optionsCount && !options))
        return NVFATBIN_ERROR_NULL_POINTER;
    for (size_t i = 0; i < optionsCount; i++)
        if (!options[i] || !is_known(options[i]))
            return NVFATBIN_ERROR_UNRECOGNIZED_OPTION;
    *handle_indirect = calloc(1, sizeof **handle_indirect);
    return *handle_indirect ? NVFATBIN_SUCCESS : NVFATBIN_ERROR_INTERNAL;
}

nvFatbinResult nvFatbinDestroy(nvFatbinHandle *handle_indirect)
{
    if (!handle_indirect || !*handle_indirect)
        return NVFATBIN_ERROR_NULL_POINTER;
    nvFatbinHandle h = *handle_indirect;
    for (size_t i = 0; i < h->images.count; i++)
        free((char *)h->images.data[i].ptx);
    vec_fini(&h->images);
    free(h->name);
    free(h->built);
    free(h);
    *handle_indirect = NULL;
    return NVFATBIN_SUCCESS;
}

/* ---- images -------------------------------------------------------------- */

/* "90", "90a". */
static bool read_arch(const char *arch, unsigned *sm)
{
    char suffix = 0;
    return arch && sscanf(arch, "%u%c", sm, &suffix) >= 1 && *sm >= 20 &&
           *sm < 200;
}

static nvFatbinResult add_code(nvFatbinHandle h, const void *code, size_t size,
                               unsigned cubin_sm, const char *identifier)
{
    char *copy = malloc(size + 1);
    if (!copy)
        return NVFATBIN_ERROR_INTERNAL;
    memcpy(copy, code, size);
    copy[size] = 0;
    struct fatbin_image image = {copy, cubin_sm ? size : strnlen(copy, size),
                                 cubin_sm};
    if (!vec_push(&h->images, image)) {
        free(copy);
        return NVFATBIN_ERROR_INTERNAL;
    }
    if (!h->name && identifier)
        h->name = strdup(identifier);
    free(h->built);
    h->built = NULL;
    return NVFATBIN_SUCCESS;
}

static nvFatbinResult check_code(nvFatbinHandle h, const void *code,
                                 size_t size)
{
    if (!h || !code)
        return NVFATBIN_ERROR_NULL_POINTER;
    return size ? NVFATBIN_SUCCESS : NVFATBIN_ERROR_EMPTY_INPUT;
}

/* The device that PTX is for; 0: it does not say. */
static unsigned find_target(const char *code, size_t size)
{
    static const char sign[] = ".target sm_";
    unsigned sm = 0;
    const char *at = memmem(code, size, sign, strlen(sign));
    return at && sscanf(at, ".target sm_%u", &sm) == 1 ? sm : 0;
}

/* What is compiled for a device that is newer than ours is PTX for ours. */
static bool is_for(unsigned target, unsigned sm)
{
    return target == (sm < DEVICE_SM ? sm : DEVICE_SM) || target == sm;
}

nvFatbinResult nvFatbinAddPTX(nvFatbinHandle handle, const char *code,
                              size_t size, const char *arch,
                              const char *identifier,
                              const char *optionsCmdLine)
{
    unsigned sm;
    (void)optionsCmdLine; /* they tune machine code */
    nvFatbinResult err = check_code(handle, code, size);
    if (err)
        return err;
    if (!read_arch(arch, &sm))
        return NVFATBIN_ERROR_INVALID_ARCH;
    const char *version = memmem(code, size, ".version", 8);
    if (!version)
        return NVFATBIN_ERROR_MISSING_PTX_VERSION;
    unsigned target = find_target(code, size);
    if (!target)
        return NVFATBIN_ERROR_MISSING_PTX_ARCH;
    if (!is_for(target, sm))
        return NVFATBIN_ERROR_PTX_ARCH_MISMATCH;
    return add_code(handle, code, size, 0, identifier);
}

/* Every image of a fat binary that has PTX. `sm`: what the images must be for,
 * 0 anything. */
static nvFatbinResult add_container(nvFatbinHandle h, const void *code,
                                    unsigned sm, const char *identifier)
{
    struct fatbin_reader r;
    struct fatbin_item item;
    nvFatbinResult err = fatbin_open(code, &r) ? NVFATBIN_SUCCESS
                                               : NVFATBIN_ERROR_MISSING_FATBIN;
    while (!err && fatbin_next(&r, &item)) {
        size_t size;
        char *plain = fatbin_unpack(&item, &size);
        bool is_cubin = item.kind == FATBIN_CUBIN;
        if (plain && sm && !is_cubin && !is_for(find_target(plain, size), sm))
            err = NVFATBIN_ERROR_ELF_ARCH_MISMATCH;
        else
            err = plain ? add_code(h, plain, size, is_cubin ? item.sm : 0,
                                   identifier)
                        : NVFATBIN_ERROR_INTERNAL;
        free(plain);
    }
    return err;
}

nvFatbinResult nvFatbinAddCubin(nvFatbinHandle handle, const void *code,
                                size_t size, const char *arch,
                                const char *identifier)
{
    unsigned sm;
    nvFatbinResult err = check_code(handle, code, size);
    if (err)
        return err;
    if (!read_arch(arch, &sm))
        return NVFATBIN_ERROR_INVALID_ARCH;
    return fatbin_length(code, size)
               ? add_container(handle, code, sm, identifier)
               : add_code(handle, code, size, sm, identifier);
}

nvFatbinResult nvFatbinAddLTOIR(nvFatbinHandle handle, const void *code,
                                size_t size, const char *arch,
                                const char *identifier,
                                const char *optionsCmdLine)
{
    nvFatbinResult err =
        nvFatbinAddPTX(handle, code, size, arch, identifier, optionsCmdLine);
    return err == NVFATBIN_ERROR_MISSING_PTX_VERSION
               ? NVFATBIN_ERROR_INVALID_NVVM
               : err;
}

/* A host object with relocatable device code. */
nvFatbinResult nvFatbinAddReloc(nvFatbinHandle handle, const void *code,
                                size_t size)
{
    const char *bytes = code;
    size_t length;
    nvFatbinResult err = check_code(handle, code, size);
    if (err)
        return err;
    const char *at = fatbin_find(&bytes, &size, &length);
    return at ? add_container(handle, at, 0, NULL)
              : NVFATBIN_ERROR_MISSING_FATBIN;
}

/* ---- the result ---------------------------------------------------------- */

static nvFatbinResult build_once(nvFatbinHandle h)
{
    if (!h->built)
        h->built = fatbin_build(h->images.data, h->images.count,
                                h->name ? h->name : "", &h->built_bytes);
    return h->built ? NVFATBIN_SUCCESS : NVFATBIN_ERROR_INTERNAL;
}

nvFatbinResult nvFatbinSize(nvFatbinHandle handle, size_t *size)
{
    if (!handle || !size)
        return NVFATBIN_ERROR_NULL_POINTER;
    nvFatbinResult err = build_once(handle);
    if (!err)
        *size = handle->built_bytes;
    return err;
}

nvFatbinResult nvFatbinGet(nvFatbinHandle handle, void *buffer)
{
    if (!handle || !buffer)
        return NVFATBIN_ERROR_NULL_POINTER;
    nvFatbinResult err = build_once(handle);
    if (!err)
        memcpy(buffer, handle->built, handle->built_bytes);
    return err;
}

nvFatbinResult nvFatbinVersion(unsigned int *major, unsigned int *minor)
{
    if (!major || !minor)
        return NVFATBIN_ERROR_NULL_POINTER;
    *major = FATBIN_MAJOR;
    *minor = FATBIN_MINOR;
    return NVFATBIN_SUCCESS;
}
