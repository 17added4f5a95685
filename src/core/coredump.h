/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Core files of kernels that failed, or when the user asks: coredump.c has the
 * settings and decides, coredump_file.c writes.
 */
#ifndef WEFT_CORE_COREDUMP_H
#define WEFT_CORE_COREDUMP_H

#include "core/internal.h"

/* What is in a file. */
struct coredump {
    CUcontext ctx;
    const struct exec_fault_info *fault; /* NULL: nothing failed */
    unsigned flags;                      /* CU_COREDUMP_SKIP_... */
};
/* False: the file could not be written, or not all of it. */
bool coredump_write(const char *path, const struct coredump *d);

/* The context's kernel failed: writes what the settings want. May not return,
 * as CUDA has it. */
void coredump_on_fault(CUcontext ctx, enum exec_fault fault);
/* What was said of the context does not hold any more. */
void coredump_forget(CUcontext ctx);

#endif
