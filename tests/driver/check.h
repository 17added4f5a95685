/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the driver's tests, beside those of the runtime's. */
#ifndef TESTS_DRIVER_CHECK_H
#define TESTS_DRIVER_CHECK_H

#include "../runtime/check.h"

#include <cuda.h>

static inline void check_gives(const char *file, int line, const char *call,
                               CUresult expected, CUresult got)
{
    const char *name = "no error", *other = "no error";
    if (got == expected)
        return;
    cuGetErrorName(got, &name);
    cuGetErrorName(expected, &other);
    printf("%s:%d: %s gives %s, not %s\n", file, line, call, name, other);
    failures++;
}

/* The call returns CUDA_ERROR_ and this. */
#define CU_GIVES(error, call)                                                  \
    check_gives(__FILE__, __LINE__, #call, CUDA_ERROR_##error, call)
#define CU_OK(call) check_gives(__FILE__, __LINE__, #call, CUDA_SUCCESS, call)

#endif
