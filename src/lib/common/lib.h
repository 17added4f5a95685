/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the CUDA libraries do work in a stream: as kernels, in C (lib_run) or in
 * PTX (lib_launch). So their order, their capture into graphs, their faults and
 * the threads that run them are those of any kernel. Any thread may call any
 * function here.
 *
 * Streams are handles as programs have them: 0, CU_STREAM_LEGACY,
 * CU_STREAM_PER_THREAD or one that was created. The context is the calling
 * thread's; without one, the primary context of its device.
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any thread may call any function
 *   errors   a CUresult, and nothing is queued
 *   owners   arguments are copied at the call; memory that they point to is the
 *            caller's until the kernel is done
 *   units    sizes are bytes
 */
#ifndef WEFT_LIB_COMMON_LIB_H
#define WEFT_LIB_COMMON_LIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/native.h"
#include "cuda.h"

/* SUCCESS: there is a device; a thread without a context has its primary one
 * from now on. Else the context's error, or why there is none. */
CUresult lib_start(void);

/* Puts k->run over `tiles` tiles (1 to 2^31 - 1, else INVALID_VALUE) into the
 * stream and returns at once. args: k->args_bytes bytes, copied.
 * INVALID_HANDLE: it is no stream. */
CUresult lib_run(const struct native_kernel *k, CUstream stream, uint64_t tiles,
                 const void *args);

/* Kernels in PTX, a zero-terminated text. Static: a context knows the module by
 * the address of this struct, loads it at the first launch of one of its
 * kernels and keeps it as long as it lives. */
struct lib_module {
    const char *ptx;
};

struct lib_shape {
    unsigned grid[3], block[3]; /* 0 counts as 1 */
    unsigned shared_bytes;      /* of dynamic shared memory */
};
/* Launches the kernel `name` of the module. args: a pointer to each parameter's
 * value, which is copied. NOT_FOUND: there is no such kernel. */
CUresult lib_launch(const struct lib_module *m, const char *name,
                    CUstream stream, struct lib_shape shape, void **args);

/* The same with a function of any module. */
CUresult lib_launch_function(CUfunction f, CUstream stream,
                             struct lib_shape shape, void **args);

/* How many threads run tiles at once, at least 1: divide work by it. The SMs
 * that the device reports are more. */
unsigned lib_thread_count(void);

/* Is the stream being captured? Then nothing may wait for results. False too if
 * it is no stream. */
bool lib_is_capturing(CUstream stream);
/* Waits for all work in the stream; the context's error, if there is one. */
CUresult lib_synchronize(CUstream stream);
/* Does p point to device or managed memory? */
bool lib_is_device_pointer(const void *p);
/* Does p point to memory that CUDA knows: device, managed or pinned? */
bool lib_is_known_pointer(const void *p);

#endif
