/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_DRIVER_FAILED_H
#define WEFT_DRIVER_FAILED_H

#include "cuda.h"

/* Logs the error that a call ends with; prints once for each function that it
 * is not supported. Returns the error. Any thread. */
__attribute__((cold, noinline)) CUresult drv_failed(const char *function,
                                                    CUresult err);

#endif
