/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mapped files that another process makes shorter. Accessing the lost pages
 * gives SIGBUS. In a kernel that is the kernel's fault; anywhere else (a small
 * copy on the calling thread, a look at a semaphore) zeros take their place,
 * and the context has failed.
 */
#ifndef WEFT_CORE_EXTERNAL_LOST_H
#define WEFT_CORE_EXTERNAL_LOST_H

#include "core/core.h"

/* Mapped pages of another's file; a member of the struct that has mapped
 * them. */
struct external_pages {
    struct list in_all;
    CUcontext ctx; /* whose error it is */
    uint8_t *start;
    size_t size_bytes;
};

/* Called between mapping and unmapping; any thread, never in a signal
 * handler. */
void external_watch(struct external_pages *p, CUcontext ctx, void *start,
                    size_t size_bytes);
void external_unwatch(struct external_pages *p);

/* For a context that has failed, on any thread: writes to the error log what
 * the signal handler could not. */
void external_log_lost(void);

/* explain.c. The first is called before the second can be: it reads the
 * environment. The second, in a signal handler, writes the line; the third
 * adds it to the error log. */
void explain_prepare(void);
void explain_lost_file(const void *address);
void log_lost_file(const void *address);

#endif
