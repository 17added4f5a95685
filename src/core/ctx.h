/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts, for the files of core/: their layout, handles, the sticky error,
 * waiting for all. The bottom layer: what is made in a context stands above it.
 * Order of locks: graphs', a context's, then any other.
 */
#ifndef WEFT_CORE_CTX_H
#define WEFT_CORE_CTX_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/core.h"
#include "exec/exec.h"

struct CUctx_st {
    /* A CUresult, set once by the first fault; tasks that start later are
     * cancelled by it. */
    atomic_int sticky;
    atomic_bool is_failing; /* a fault is being explained, or has been */
    /* What else is told of the first one, before its error is seen. */
    void (*on_first_fault)(CUcontext ctx, enum exec_fault fault);
    /* Guards everything below, and the tails of the streams. */
    pthread_mutex_t lock;
    struct list streams; /* of CUstream_st.in_ctx, destroyed ones too while
                            their work goes on */
    struct map handles;  /* living streams, events, modules, by address */
    struct list events;
    struct list modules;
    CUstream legacy;        /* the default stream */
    struct exec_task *gate; /* what new streams wait for first; or NULL */
    unsigned generation;    /* resets so far */
    uint64_t peers[4];      /* contexts that it may access, by place */
    /* contexts.c. The id is of no other context, ever; 0: there is none. */
    atomic_ullong id;
    atomic_bool was_alive; /* it once had an id */
    atomic_uint flags;     /* CU_CTX_* */
    int device;
    unsigned holder_count; /* of a primary one */
    bool is_runtimes;      /* the runtime API holds it, too */
    bool is_taken;         /* a created one's place */
    bool is_green;         /* a part of the device: see ctx_home */
    struct exec_part part; /* where its kernels run */
    unsigned device_sms;   /* of the whole device */
    unsigned use_count;    /* beside the one of who created it */
};

/* device.c: the threads of sm_count of a device's SMs, from sm_first on. */
struct exec_part device_part(int device, unsigned sm_first, unsigned sm_count);
/* Waits for all work; how many streams were not done. */
unsigned ctx_drain(CUcontext ctx);
CUcontext ctx_at(unsigned place);       /* NULL: none is alive there */
CUcontext ctx_at_place(unsigned place); /* alive or not */
/* With an id from now on. */
void ctx_come_alive(CUcontext ctx);
/* A child of this process may not use what is made from here on. Once. */
void ctx_watch_forks(void);
/* The calling thread's top one is this now, which the program did not choose;
 * the runtime API's device. */
void ctx_replace_current(CUcontext ctx);
void ctx_note_device(int device);
/* Called whenever somebody has waited for work; one function. */
typedef void ctx_waited_fn(void);
void ctx_on_wait(ctx_waited_fn *fn);
void ctx_note_wait(void);
/* Where the calling thread's allocations belong. */
unsigned ctx_place_of_thread(void);

/* Ends what is kept with the context. */
void ctx_storage_end(CUcontext ctx);
void ctx_lock(CUcontext ctx);
void ctx_unlock(CUcontext ctx);
/* Takes the lock at a moment when no stream has unfinished work. */
void ctx_lock_idle(CUcontext ctx);
/* on_done of every task: a fault becomes the context's sticky error. */
void ctx_task_done(void *ctx, enum exec_fault fault);
/* The same in two steps, between which the caller may say more. True: it is the
 * context's first, and has been explained. */
bool ctx_begin_fault(CUcontext ctx, enum exec_fault fault);
void ctx_end_fault(CUcontext ctx, enum exec_fault fault, bool is_first);

/* ctx_order.c: calls fn(data) once all work that the context's streams have now
 * is done; at once, if it is. On any thread; must not block. */
typedef void ctx_done_fn(void *data, enum exec_fault fault);
void ctx_when_done(CUcontext ctx, ctx_done_fn *fn, void *data);

/* NUMA nodes of the machine; at least 1 (device.c). */
int device_node_count(void);

/* An error that no fault of a kernel is, for good. */
void ctx_fail(CUcontext ctx, CUresult err);

#endif
