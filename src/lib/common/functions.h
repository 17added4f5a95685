/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that call functions of a program's, which it passes as link-time code
 * (functions.c). Images and names stay the caller's.
 */
#ifndef WEFT_LIB_COMMON_FUNCTIONS_H
#define WEFT_LIB_COMMON_FUNCTIONS_H

#include <stddef.h>

#include "cuda.h"

enum { LIB_FUNCTIONS_MAX = 3 };

struct lib_function {
    const void *image;
    size_t size_bytes;
    const char *name; /* in the program's source */
    /* What the kernels call it, and nothing else. They define it, as __weak__,
     * so that kernels whose function is not given load as well. */
    const char *placeholder;
};

/* For the entry point `caller`, which messages name. *out: PTX of the kernels
 * (a text that ends with 0) and the functions, at most LIB_FUNCTIONS_MAX;
 * malloc'ed. NOT_FOUND: an image has no function of that name; INVALID_IMAGE,
 * INVALID_PTX, NO_BINARY_FOR_GPU: it has no PTX for this device;
 * INVALID_SOURCE, INVALID_PTX: a function has other parameters than the kernels
 * pass. */
CUresult lib_link_functions(const char *caller, const char *kernels,
                            const struct lib_function *f, unsigned count,
                            char **out);

/* A kernel of a text that lib_link_functions made, in the calling thread's
 * context. {0}: none. */
struct lib_loaded {
    CUcontext ctx;
    CUmodule module;
    CUfunction kernel;
};
CUresult lib_load_kernel(const char *ptx, const char *kernel,
                         struct lib_loaded *out);
/* Waits for the context's work first, if the context is still there. */
void lib_unload(struct lib_loaded *l);

#endif
