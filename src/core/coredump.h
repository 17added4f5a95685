/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Core files of kernels that failed, or when the user asks: coredump.c has the
 * settings and decides, coredump_file.c writes.
 */
#ifndef WEFT_CORE_COREDUMP_H
#define WEFT_CORE_COREDUMP_H

#include "core/internal.h"

/* What a file is to contain. */
struct coredump {
    CUcontext ctx;
    const struct exec_fault_info *fault; /* NULL: nothing failed */
    unsigned flags;                      /* CU_COREDUMP_SKIP_... */
};
/* False: the file could not be written completely. */
bool coredump_write(const char *path, const struct coredump *d);

/* A kernel of the context has failed: writes the core files that the settings
 * want. May end the process, as CUDA's does. */
void coredump_on_fault(CUcontext ctx, enum exec_fault fault);
/* Forgets the settings of a context. */
void coredump_forget(CUcontext ctx);

#endif
