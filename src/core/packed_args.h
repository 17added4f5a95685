/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel's arguments as one block of bytes, which a list describes that ends
 * with CU_LAUNCH_PARAM_END: the parameter `extra` of launches and of nodes. */
#ifndef WEFT_CORE_PACKED_ARGS_H
#define WEFT_CORE_PACKED_ARGS_H

#include "cuda.h"

struct packed_args {
    const void *bytes; /* the program's; NULL: there is no block */
    size_t size_bytes;
};

/* INVALID_VALUE for a list with something unknown in it, or not with both the
 * block and its size; an empty list is one. */
static inline CUresult packed_args_read(void **extra, struct packed_args *out)
{
    const size_t *size_bytes = NULL;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            out->bytes = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            size_bytes = extra[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (!out->bytes || !size_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    out->size_bytes = *size_bytes;
    return CUDA_SUCCESS;
}

/* LAUNCH_OUT_OF_RESOURCES: more bytes than the kernel's parameters have, be
 * they a structure's padding. INVALID_VALUE: none. */
static inline CUresult packed_args_fit(const struct packed_args *args,
                                       size_t param_bytes)
{
    if (args->bytes && !args->size_bytes && param_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    return args->bytes && args->size_bytes > param_bytes
               ? CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
               : CUDA_SUCCESS;
}

#endif
