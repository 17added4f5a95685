/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams, events, words in memory that streams wait for. Above memory and
 * contexts; captures are asked by capture_hooks.h.
 */
#ifndef WEFT_CORE_STREAM_H
#define WEFT_CORE_STREAM_H

#include "core/ctx.h"
#include "core/frees.h"

/* stream_attributes.c. All zero: nothing was said. */
struct stream_hints {
    CUaccessPolicyWindow window;
    CUsynchronizationPolicy policy;
    CUlaunchMemSyncDomain domain;
    CUlaunchMemSyncDomainMap domain_map;
    bool has_domain_map;
};

struct CUstream_st {
    struct list in_ctx;
    CUcontext ctx;
    struct exec_task *tail; /* last work submitted; NULL: none yet */
    unsigned flags;         /* CU_STREAM_*; never changes */
    int priority;
    struct stream_hints hints;
    unsigned long long id; /* of no other stream, ever */
    atomic_ullong freed;   /* how often memory of pools was freed in it */
    struct frees after;    /* in other streams, before what comes in it now */
    bool is_legacy;
    struct capture_point *point; /* graph/capture.h; NULL: not captured */
    bool is_destroyed;           /* freed when its work is done */
};

struct CUevent_st {
    struct list in_ctx;
    CUcontext ctx;
    struct exec_task *task; /* of the last record; NULL: never recorded */
    /* Of a record in a captured stream; written under the lock of graphs, but
     * whether there is one is asked without. */
    struct capture_point *_Atomic point;
    unsigned flags;
    struct ipc_event *shared; /* with other processes; else NULL */
    struct frees after;       /* of the last record */
};

/* event.c: a stream's wait for an event that other processes may record; true:
 * it is one. */
bool event_wait_shared(CUevent e, CUstream s, CUresult *err);

enum { HANDLE_STREAM = 1, HANDLE_EVENT = 2, HANDLE_MODULE = 3 };
/* What programs hand in is a `what` of the context, or nothing that may be
 * looked into. Under the context's lock; add: false, no memory. */
bool handle_add(CUcontext ctx, const void *handle, intptr_t what);
bool handle_is(CUcontext ctx, const void *handle, intptr_t what);
/* The living context that has it, locked, or NULL. */
CUcontext handle_lock_owner(CUcontext likely, const void *handle,
                            intptr_t what);

/* memops.c: they could be done. */
CUresult memops_check(const CUstreamBatchMemOpParams *ops, unsigned count);
/* As a program would say it. */
void memop_params(const struct memop *m, CUstreamBatchMemOpParams *out);

/* texture_reference.c: before its variables go. */
void texture_references_forget(CUmodule m);

/* graph/memory.c: true, with what comes of it, if a graph's node allocated p.
 * Behind the work of the stream; NULL: nothing uses the memory any more. */
bool graph_memory_free(CUstream s, CUdeviceptr p, CUresult *err);
/* Of memory that a graph's node allocates: its device, and whether another has
 * been given that access. owner: of struct mem_info. */
int graph_memory_device(const void *owner);
bool graph_memory_reaches(const void *owner, int device,
                          CUmemAccess_flags access);

/* copy_policy.c: both sides may be what they are. */
CUresult copy_check(const struct mem_copy *copy);

/* event.c, for graphs: the event is recorded when *mark, the caller's to
 * submit, is done; what it waits for now, with a reference, or NULL. */
CUresult event_set_mark(CUevent e, struct exec_task **mark);
CUresult event_get_mark(CUevent e, struct exec_task **mark);

/* In the context's list, which owns it. NULL: no memory. */
CUstream stream_new(CUcontext ctx, unsigned flags, int priority);
/* To what there is: a low number comes first. */
int stream_clamp_priority(int priority);
void stream_free_all(CUcontext ctx); /* all work is done */
void stream_free_legacy(CUcontext ctx);
/* When all work of the context is done, and no other thread uses it. */
void event_free_all(CUcontext ctx);
/* The task of the last record, with a reference; may be NULL. */
CUresult event_task(CUevent e, struct exec_task **out);
bool event_has_time(CUevent e); /* false of what is none, too */
/* True: nothing submitted before is unfinished. */
bool stream_is_idle(CUstream s);
/* A reference to a task that is done when all submitted before is, or NULL: it
 * is now. False: no memory. */
bool stream_mark(CUstream s, struct exec_task **out);
/* What comes in `s` now comes after all these frees; with no lock. */
void stream_frees(CUstream s, struct frees *out);
/* What comes in `s` comes after `t` as well. */
CUresult stream_wait_task(CUstream s, struct exec_task *t);

/* Like stream_submit, but the stream goes on when `end` is done,
 * which somebody else submits. */
CUresult stream_submit_until(CUstream s, struct exec_task *t,
                             struct exec_task *end);
/* If the run of a plan is the last in `s`, and nobody waits for its end, it is
 * run once more before that. False: it is to be submitted once more. */
bool stream_repeat(CUstream s, struct exec_task *run);

/* copy.c: a copy or, with element_bytes, a fill, not submitted. */
struct exec_task *copy_task(CUcontext ctx, const struct mem_copy *copy,
                            uint32_t value, unsigned element_bytes);

/* stream_attributes.c: its sizes and ratios are ones that a device takes. */
bool is_access_window(const CUaccessPolicyWindow *w);

#endif
