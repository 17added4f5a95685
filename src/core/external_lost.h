/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that another makes shorter while they are mapped. Touching what is gone
 * is SIGBUS: in a kernel that is the kernel's fault, anywhere else (a small
 * copy on the calling thread, a semaphore that is looked at) memory of zeros
 * takes the place and the context has failed.
 */
#ifndef WEFT_CORE_EXTERNAL_LOST_H
#define WEFT_CORE_EXTERNAL_LOST_H

#include "core/core.h"

/* Of a file that is not ours; part of who has mapped it. */
struct external_pages {
    struct list in_all;
    CUcontext ctx; /* whose error it is */
    uint8_t *start;
    size_t size_bytes;
};

/* From after mapping to before unmapping; any thread, never in a handler. */
void external_watch(struct external_pages *p, CUcontext ctx, void *start,
                    size_t size_bytes);
void external_unwatch(struct external_pages *p);

/* Of a context that has failed, any thread: what the signal handler could not
 * write to the error log. */
void external_log_lost(void);

/* explain.c. The first, before the second can be called: reads what the
 * environment asks for. The second, in a signal handler, writes the line; the
 * third puts it into the error log. */
void explain_prepare(void);
void explain_lost_file(const void *address);
void log_lost_file(const void *address);

#endif
