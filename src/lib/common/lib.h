/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the CUDA libraries share: work in a stream. All of it is kernels, in C
 * or in CUDA C++, so that order, capture into graphs, devices, faults and the
 * threads that run it are the engine's. Any thread may call.
 *
 * Streams are handles as programs have them: 0, CU_STREAM_LEGACY,
 * CU_STREAM_PER_THREAD or one that was created. The context is the calling
 * thread's; without one, the primary context of its device.
 */
#ifndef WEFT_LIB_COMMON_LIB_H
#define WEFT_LIB_COMMON_LIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/native.h"
#include "cuda.h"

/* SUCCESS: there is a device, and the thread has a context. */
CUresult lib_start(void);

/* Runs k->run over `tiles` tiles (1 to 2^31 - 1) in the stream. args:
 * k->args_bytes bytes, copied. Returns at once. INVALID_HANDLE: no stream. */
CUresult lib_run(const struct native_kernel *k, CUstream stream, uint64_t tiles,
                 const void *args);

/* Kernels in PTX; static. The module is loaded once in each context, at the
 * first launch of one of its kernels, and lives as long. */
struct lib_module {
    const char *ptx;
};

/* args: one pointer per parameter. */
struct lib_shape {
    unsigned grid[3], block[3]; /* 0: 1 */
    unsigned shared_bytes;
};
CUresult lib_launch(const struct lib_module *m, const char *name,
                    CUstream stream, struct lib_shape shape, void **args);

/* The same of a function that the caller has found. */
CUresult lib_launch_function(CUfunction f, CUstream stream,
                             struct lib_shape shape, void **args);

/* Threads that run tiles at once, at least 1: how finely to divide work. Fewer
 * than the SMs that the device reports. */
unsigned lib_thread_count(void);

/* Is the stream being captured? What must wait for results cannot. */
bool lib_is_capturing(CUstream stream);
/* Waits for all work in the stream. */
CUresult lib_synchronize(CUstream stream);
/* Where memory lies: what is not known to CUDA is the host's. */
bool lib_is_device_pointer(const void *p);
/* Device, managed or pinned memory. */
bool lib_is_known_pointer(const void *p);

#endif
