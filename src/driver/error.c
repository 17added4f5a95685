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

CUresult cuGetErrorString(CUresult error, const char **pStr)
{
    if (!pStr)
        return CUDA_ERROR_INVALID_VALUE;
    *pStr = name_of(error) ? error_text((int)error) : NULL;
    return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
