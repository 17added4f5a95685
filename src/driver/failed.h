/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_DRIVER_FAILED_H
#define WEFT_DRIVER_FAILED_H

#include "cuda.h"

/* A call that ends with an error: logs it, and says once of each function that
 * it is not supported. Returns the error. */
__attribute__((cold, noinline)) CUresult drv_failed(const char *function,
                                                    CUresult err);

#endif
