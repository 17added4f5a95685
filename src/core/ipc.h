/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and events that processes share: ipc.c. */
#ifndef WEFT_CORE_IPC_H
#define WEFT_CORE_IPC_H

#include "core/internal.h"

/* By which processes know a file that they share; 0: it cannot be read. */
uint64_t shared_file_inode(int fd);

void ipc_free_all(void); /* memory that was opened */

struct ipc_event; /* counted */
struct record;

struct ipc_event *ipc_event_create(void); /* NULL: no memory */
/* The event of another process, with a reference. INVALID_VALUE: the handle is
 * wrong, or the event gone. */
CUresult ipc_event_open(const CUipcEventHandle *handle, struct ipc_event **out);
struct ipc_event *ipc_event_ref(struct ipc_event *e);
void ipc_event_unref(struct ipc_event *e); /* NULL is harmless */
/* The handle by which another process opens the event while it lives. */
CUresult ipc_event_export(const struct ipc_event *e, CUipcEventHandle *out);
/* Makes `mark`, which the caller submits, the latest record. False: out of
 * memory. */
bool ipc_event_mark(struct ipc_event *e, struct exec_task *mark,
                    struct record **out);
void ipc_event_drop(struct record *r); /* mark was not submitted after all */
bool ipc_event_is_done(const struct ipc_event *e);
CUresult ipc_event_wait(struct ipc_event *e, CUstream s);
CUresult ipc_event_synchronize(CUcontext ctx, const struct ipc_event *e);

#endif
