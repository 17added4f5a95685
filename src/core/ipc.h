/* SPDX-License-Identifier: Apache-2.0 */
/* What processes share: see ipc.c. */
#ifndef WEFT_CORE_IPC_H
#define WEFT_CORE_IPC_H

#include "core/internal.h"

void ipc_free_all(void); /* memory that was opened */

struct ipc_event; /* counted */
struct record;

struct ipc_event *ipc_event_create(void); /* NULL: no memory */
/* Another process's event, with a reference. INVALID_VALUE: it is none, or
 * gone. */
CUresult ipc_event_open(const CUipcEventHandle *handle, struct ipc_event **out);
struct ipc_event *ipc_event_ref(struct ipc_event *e);
void ipc_event_unref(struct ipc_event *e); /* NULL is harmless */
/* Bytes that lead another process to it while it lives. */
CUresult ipc_event_export(const struct ipc_event *e, CUipcEventHandle *out);
/* `mark`, to be submitted, becomes the latest record. False: no memory. */
bool ipc_event_mark(struct ipc_event *e, struct exec_task *mark,
                    struct record **out);
void ipc_event_drop(struct record *r); /* it was not submitted after all */
bool ipc_event_is_done(const struct ipc_event *e);
CUresult ipc_event_wait(struct ipc_event *e, CUstream s);
CUresult ipc_event_synchronize(CUcontext ctx, const struct ipc_event *e);

#endif
