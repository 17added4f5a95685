/* SPDX-License-Identifier: Apache-2.0 */
/* Names and texts of errors. */
#include "driver/internal.h"

static const char *name_of(CUresult error)
{
    switch (error) {
#define DRV_ERROR(name)                                                        \
    case name:                                                                 \
        return #name;
#include "driver/errors.def"
    }
    return NULL;
}

CUresult cuGetErrorName(CUresult error, const char **pStr)
{
    if (!pStr)
        return CUDA_ERROR_INVALID_VALUE;
    *pStr = name_of(error);
    return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The texts are the runtime API's, which lacks two of the errors. */
static const char *text_of(CUresult error)
{
    return error == CUDA_ERROR_CONTEXT_ALREADY_CURRENT
               ? "context already current"
           : error == CUDA_ERROR_KEY_ROTATION
               ? "an error happened during the key rotation sequence"
               : error_text((int)error);
}

CUresult cuGetErrorString(CUresult error, const char **pStr)
{
    if (!pStr)
        return CUDA_ERROR_INVALID_VALUE;
    *pStr = name_of(error) ? text_of(error) : NULL;
    return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
