/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the runtime's tests: say what failed and go on; the exit status
 * tells whether anything did. */
#ifndef TESTS_RUNTIME_CHECK_H
#define TESTS_RUNTIME_CHECK_H

#include <cuda_runtime.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

/* The expression holds. */
#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);     \
            failures++;                                                        \
        }                                                                      \
    } while (0)

/* The call returns this error. It becomes the last error, which is cleared. */
#define GIVES(error, call)                                                     \
    do {                                                                       \
        cudaError_t got_ = (call);                                             \
        if (got_ != (error)) {                                                 \
            printf("%s:%d: %s gives %s, not %s\n", __FILE__, __LINE__, #call,  \
                   cudaGetErrorName(got_), #error);                            \
            failures++;                                                        \
        }                                                                      \
        cudaGetLastError();                                                    \
    } while (0)

#define OK(call) GIVES(cudaSuccess, call)

static inline int check_result(void)
{
    if (!failures)
        printf("ok\n");
    return failures != 0;
}

#endif
