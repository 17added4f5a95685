/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links images into one. What cuLinkComplete calls a cubin is PTX text here.
 */
#include "driver/internal.h"

#include <ar.h>
#include <elf.h>
#include <stdlib.h>

#include "core/registry.h"
#include "fatbin/fatbin.h"

struct CUlinkState_st {
    struct module_parts *parts;
    struct jit_options options;
    bool is_complete;
    bool has_clash;  /* two inputs defined a name */
    CUresult result; /* of the link, when it is complete */
    char *linked;    /* the result's text; owned */
};

static struct registry living = REGISTRY_INIT;

CUresult cuLinkCreate(unsigned int numOptions, CUjit_option *options,
                      void **optionValues, CUlinkState *stateOut)
{
    struct jit_options o;
    CUresult err = drv_check_context();
    if (err)
        return err;
    if (!stateOut)
        return CUDA_ERROR_INVALID_VALUE;
    err = jit_options_read(&o, numOptions, options, optionValues);
    if (err)
        return err;
    CUlinkState s = calloc(1, sizeof *s);
    if (!s || !(s->parts = module_parts_create(true)))
        goto free_state;
    if (!registry_add(&living, s))
        goto destroy_parts;
    s->options = o;
    *stateOut = s;
    return CUDA_SUCCESS;

destroy_parts:
    module_parts_destroy(s->parts);
free_state:
    free(s);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

/* Writes an error to the log of the link; returns `err`. */
static CUresult refuse_input(CUlinkState s, CUresult err, const char *name,
                             const char *what)
{
    struct jit_options o = s->options;
    struct module_log *log = &o.errors;
    if (log->buffer && log->size_bytes) {
        size_t room = log->size_bytes;
        int n = snprintf(log->buffer, room, "%s: error: %s\n",
                         name ? name : "input", what);
        log->size_bytes = (size_t)n < room ? (size_t)n : room - 1;
    }
    jit_options_write(&o, 0);
    return err;
}

/* What is wrong with the file that these bytes are; NULL: nothing. */
static const char *find_damage(const char *data, size_t size)
{
    if (!fatbin_fits(data, size))
        return "the fat binary says that it is longer than what was passed";
    if (fatbin_length(data, size) && !fatbin_has_entries(data))
        return "the fat binary has no images, or a damaged one";
    if (size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG) &&
        !fatbin_is_elf(data, size))
        return "the ELF file is damaged, or not whole";
    return NULL;
}

/* Refuses at once, with a log, broken PTX and PTX that does not fit earlier
 * inputs. may_lack_ptx: the image may have no PTX for this device; the link
 * then leaves it out if another input has some. */
static CUresult add_image(CUlinkState s, const char *data, size_t size,
                          const char *name, bool may_lack_ptx)
{
    struct jit_options o = s->options; /* a copy: sizes of logs change */
    const char *damage = find_damage(data, size);
    if (damage)
        return refuse_input(s, CUDA_ERROR_INVALID_IMAGE, name, damage);
    char *image = malloc(size + 1);
    if (!image)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(image, data, size);
    image[size] = 0;
    CUresult err =
        module_parts_add(s->parts, image, name ? name : "ptx", may_lack_ptx,
                         o.errors.buffer ? &o.errors : NULL);
    if (err)
        jit_options_write(&o, 0);
    if (err == CUDA_ERROR_INVALID_SOURCE)
        s->has_clash = true;
    free(image);
    return err;
}

/* The fat binaries in an object or archive of the host's. */
static CUresult add_containers(CUlinkState s, const char *data, size_t size,
                               const char *name)
{
    const char *at;
    size_t length;
    CUresult err = CUDA_SUCCESS;
    while (!err && (at = fatbin_find(&data, &size, &length)))
        err = add_image(s, at, length, name, true);
    return err;
}

/* Returns what an H200's driver does. An object needs device code. */
static CUresult add_object(CUlinkState s, const char *data, size_t size,
                           const char *name)
{
    const char *next = data;
    size_t left = size, length;
    if (size < SELFMAG || memcmp(data, ELFMAG, SELFMAG))
        return refuse_input(s, CUDA_ERROR_UNKNOWN, name,
                            "it is no object file");
    if (!fatbin_is_elf(data, size))
        return refuse_input(s, CUDA_ERROR_INVALID_IMAGE, name,
                            "the object file is damaged, or not whole");
    if (!fatbin_find(&next, &left, &length))
        return refuse_input(s, CUDA_ERROR_INVALID_IMAGE, name,
                            "the object file has no device code");
    return add_containers(s, data, size, name);
}

/* An archive need not have device code: libcudadevrt.a has none. */
static CUresult add_library(CUlinkState s, const char *data, size_t size,
                            const char *name)
{
    if (size < SARMAG || memcmp(data, ARMAG, SARMAG))
        return refuse_input(s, CUDA_ERROR_UNKNOWN, name, "it is no archive");
    if (!fatbin_is_archive(data, size))
        return refuse_input(s, CUDA_ERROR_INVALID_IMAGE, name,
                            "the archive is damaged, or not whole");
    return add_containers(s, data, size, name);
}

static CUresult check_input(CUlinkState s, CUjitInputType type)
{
    if (!registry_has(&living, s))
        return CUDA_ERROR_INVALID_HANDLE;
    if ((unsigned)type >= CU_JIT_NUM_INPUT_TYPES || s->is_complete)
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

static CUresult add_input(CUlinkState s, CUjitInputType type, const char *data,
                          size_t size, const char *name)
{
    switch (type) {
    case CU_JIT_INPUT_CUBIN:
    case CU_JIT_INPUT_PTX:
    case CU_JIT_INPUT_FATBINARY:
        return add_image(s, data, size, name, false);
    case CU_JIT_INPUT_OBJECT:
        return add_object(s, data, size, name);
    case CU_JIT_INPUT_LIBRARY:
        return add_library(s, data, size, name);
    default: /* CU_JIT_INPUT_NVVM, which 12.0 dropped */
        return refuse_input(
            s, CUDA_ERROR_NOT_SUPPORTED, name,
            "NVIDIA's link-time format cannot be read; pass PTX");
    }
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data,
                       size_t size, const char *name, unsigned int numOptions,
                       CUjit_option *options, void **optionValues)
{
    struct jit_options o; /* checked, but without effect */
    CUresult err = jit_options_read(&o, numOptions, options, optionValues);
    if (!err)
        err = check_input(state, type);
    if (err)
        return err;
    if (!data || !size)
        return CUDA_ERROR_INVALID_VALUE;
    return add_input(state, type, data, size, name);
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
                       unsigned int numOptions, CUjit_option *options,
                       void **optionValues)
{
    struct jit_options o;
    char *data;
    size_t size;
    CUresult err = drv_check_nothing();
    if (err)
        return err;
    if (!registry_has(&living, state))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!path || state->is_complete)
        return CUDA_ERROR_INVALID_VALUE;
    err = module_read_file(path, &data, &size);
    if (err)
        return err;
    err = jit_options_read(&o, numOptions, options, optionValues);
    if (!err)
        err = check_input(state, type);
    if (!err)
        err = add_input(state, type, data, size, path);
    free(data);
    return err;
}

/* The result of linking no input. */
static const char empty_module[] =
    ".version 8.0\n.target sm_50\n.address_size 64\n";

static CUresult complete_link(CUlinkState s)
{
    struct jit_options *o = &s->options;
    if (s->has_clash) /* its log told then */
        return CUDA_ERROR_INVALID_SOURCE;
    if (module_parts_is_empty(s->parts))
        s->linked = strdup(empty_module);
    if (module_parts_is_empty(s->parts))
        return s->linked ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    CUresult err = module_parts_link(
        s->parts, false, o->errors.buffer ? &o->errors : NULL,
        o->info.buffer ? &o->info : NULL, &s->linked);
    return err == CUDA_ERROR_INVALID_PTX ? CUDA_ERROR_INVALID_SOURCE : err;
}

/* A second call answers as the first that failed, and writes no log; what was
 * made cannot be made again. */
CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut)
{
    CUresult err = drv_check_nothing();
    if (err)
        return err;
    if (!registry_has(&living, state))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!cubinOut)
        return CUDA_ERROR_INVALID_VALUE;
    if (state->is_complete && !state->result)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!state->is_complete)
        state->result = complete_link(state);
    state->is_complete = true;
    jit_options_write(&state->options, 0);
    if (state->result)
        return state->result;
    *cubinOut = state->linked;
    if (sizeOut)
        *sizeOut = strlen(state->linked) + 1;
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    if (!registry_remove(&living, state))
        return CUDA_ERROR_INVALID_HANDLE;
    module_parts_destroy(state->parts);
    free(state->linked);
    free(state);
    return CUDA_SUCCESS;
}
