/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels written in C, for the CUDA libraries. One is a CUfunction like any
 * other: launched into streams, captured into graphs, ordered, and killed by a
 * fault as kernels are. A launch has blocks of one thread; its code gets
 * ranges of blocks, on every SM thread that is free.
 *
 * The code must not block, wait for other blocks or start threads. Its stack
 * is stack_bytes, rounded up to some 200 KiB.
 */
#ifndef WEFT_CORE_NATIVE_H
#define WEFT_CORE_NATIVE_H

#include <stdint.h>

#include "cuda.h"

#include "core/exports.h"

#pragma GCC visibility push(default)

/* Blocks [first, end), of one dimension. args: as the launch had them, aligned
 * to 64 bytes; the same for all blocks. */
typedef void native_kernel_fn(const void *args, uint64_t first, uint64_t end);

/* Static: its address is what a context knows it by. */
struct native_kernel {
    const char *name; /* a PTX identifier, for messages and graphs */
    native_kernel_fn *run;
    uint32_t args_bytes; /* 1 to 4096 */
    uint32_t stack_bytes;
};

/* The kernel in this context, made when first asked for; it lives as long as
 * the context. Any thread. OUT_OF_MEMORY, or the context's sticky error. */
CUresult native_function(CUcontext ctx, const struct native_kernel *k,
                         CUfunction *out);

/* How many threads run a device's blocks at once; at least 1. */
unsigned native_thread_count(void);

#pragma GCC visibility pop

#endif
