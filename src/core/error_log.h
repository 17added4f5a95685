/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The error log: in words, what went wrong in calls and kernels. Lines have the
 * form
 *
 *     [hour:minute:second.millisecond][thread][CUDA][E] message
 *
 * and the last ones are kept; CUDA_LOG_FILE (stdout, stderr or a path) names
 * where all of them go as well. CUDA Driver API, "Error Log Management". All
 * functions may be called by any thread, also by callbacks.
 */
#ifndef WEFT_CORE_ERROR_LOG_H
#define WEFT_CORE_ERROR_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "cuda.h"

#include "core/exports.h"

#pragma GCC visibility push(default)

/* A line; the message has no newline at its end. */
void error_log_add(CUlogLevel level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuX". */
void error_log_return(const char *function, int code, const char *name);

/* The number of the line that comes next; never 0. */
uint32_t error_log_next(void);
/* Lines from number *from on (NULL: all that are kept) that fit into *size
 * bytes with a NUL behind them; *size becomes their length, *from what comes
 * next. A first line says so if lines before had to go. INVALID_VALUE: not one
 * line fits, and *size is 0. */
CUresult error_log_dump(uint32_t *from, char *buffer, size_t *size);
/* The same into a file, which it replaces. INVALID_VALUE: it cannot be
 * written. */
CUresult error_log_dump_file(uint32_t *from, const char *path);

/* Called with each message, without what stands before it in its line. */
CUresult error_log_register(CUlogsCallback fn, void *data,
                            CUlogsCallbackHandle *out);
/* INVALID_VALUE: there is none such. Calls that run may end later. */
CUresult error_log_unregister(CUlogsCallbackHandle h);

#pragma GCC visibility pop

#endif
