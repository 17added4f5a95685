/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The error log: messages about calls and kernels that failed. A line is
 *
 *     [hour:minute:second.millisecond][thread][CUDA][E] message
 *
 * The last lines are kept; CUDA_LOG_FILE (stdout, stderr or a path) also gets
 * all of them. CUDA Driver API, "Error Log Management". Any thread may call
 * any function, also inside a callback.
 */
#ifndef WEFT_CORE_ERROR_LOG_H
#define WEFT_CORE_ERROR_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "cuda.h"

#include "core/exports.h"

#pragma GCC visibility push(default)

/* Adds a line. The message has no newline at its end. */
void error_log_add(CUlogLevel level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds "Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuX". */
void error_log_return(const char *function, int code, const char *name);

/* Number of the next line; never 0. */
uint32_t error_log_next(void);
/* Writes lines from number *from on (NULL: all that are kept) and a NUL, as
 * many as fit into *size bytes. *size becomes their length, *from the number
 * of the next line. If lines were lost, a first line says so. INVALID_VALUE:
 * not one line fits, and *size is 0. */
CUresult error_log_dump(uint32_t *from, char *buffer, size_t *size);
/* The same into a file, which is replaced. INVALID_VALUE: it cannot be
 * written. */
CUresult error_log_dump_file(uint32_t *from, const char *path);

/* fn is called with each message, without the part of the line before it. */
CUresult error_log_register(CUlogsCallback fn, void *data,
                            CUlogsCallbackHandle *out);
/* Calls of fn that are running may end later. INVALID_VALUE: no such
 * handle. */
CUresult error_log_unregister(CUlogsCallbackHandle h);

#pragma GCC visibility pop

#endif
