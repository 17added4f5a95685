/* SPDX-License-Identifier: Apache-2.0 */
/* The profiler's functions in the driver API.
 *
 * Threads, errors, owners and units are as cuda.h says. */
#ifndef WEFT_CUDAPROFILER_H
#define WEFT_CUDAPROFILER_H

#include "cuda.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum CUoutput_mode_enum {
    CU_OUT_KEY_VALUE_PAIR = 0x00,
    CU_OUT_CSV = 0x01
} CUoutput_mode;

CUresult CUDAAPI cuProfilerInitialize(const char *configFile,
                                      const char *outputFile,
                                      CUoutput_mode outputMode);
CUresult CUDAAPI cuProfilerStart(void);
CUresult CUDAAPI cuProfilerStop(void);

#if defined(__cplusplus)
}
#endif

#endif
