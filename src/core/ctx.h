/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts, for the files of core/: layout, handles, sticky error, waiting for
 * all work. The bottom layer; what is made in a context is above it. Locks are
 * taken in this order: the graphs' lock, a context's, any other.
 */
#ifndef WEFT_CORE_CTX_H
#define WEFT_CORE_CTX_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/core.h"
#include "exec/exec.h"

struct CUctx_st {
    /* A CUresult, set once by the first fault. It cancels tasks that start
     * later. */
    atomic_int sticky;
    atomic_bool is_failing; /* a fault is being explained, or has been */
    /* Writes more about the first fault before its error becomes visible. */
    void (*on_first_fault)(CUcontext ctx, enum exec_fault fault);
    /* Guards everything below, and the streams' tails. */
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
    /* contexts.c. The id is of this context only, for ever; 0: the place is
     * empty. */
    atomic_ullong id;
    atomic_bool was_alive; /* it once had an id */
    atomic_uint flags;     /* CU_CTX_* */
    atomic_int cache_config; /* a CUfunc_cache */
    int device;
    unsigned holder_count; /* of a primary one */
    bool is_runtimes;      /* the runtime API holds it, too */
    bool is_taken;         /* a created one's place */
    bool is_green;         /* a part of the device: see ctx_home */
    struct exec_part part; /* where its kernels run */
    unsigned device_sms;   /* of the whole device */
    unsigned use_count;    /* beside the one of who created it */
};

/* device.c: the threads of a device's SMs sm_first to sm_first + sm_count -
 * 1. */
struct exec_part device_part(int device, unsigned sm_first, unsigned sm_count);
/* compute_mode.c: count the contexts of this process on a device. Entering
 * fails with DEVICE_UNAVAILABLE if the device's mode forbids the first one. */
CUresult compute_mode_enter(int device);
void compute_mode_leave(int device);
/* Waits for all work. Returns how many streams were not done. */
unsigned ctx_drain(CUcontext ctx);
CUcontext ctx_at(unsigned place);       /* NULL: none is alive there */
CUcontext ctx_at_place(unsigned place); /* alive or not */
/* No context has ever had a place from this one on. */
unsigned ctx_place_end(void);
/* process.c: from now on others can find this process. */
void process_announce(void);
/* Gives the context an id: it is alive from now on. */
void ctx_come_alive(CUcontext ctx);
/* Called once: children that are forked after the program's first call may not
 * use CUDA. */
void ctx_watch_forks(void);
/* Whoever gets hold of a context for the program says so. False: out of
 * memory. */
bool ctx_note_used(void);
/* Makes ctx the calling thread's current context although the program has not
 * chosen it: the runtime API's device. */
void ctx_replace_current(CUcontext ctx);
void ctx_note_device(int device);
/* Sets the one function that is called whenever somebody has waited for
 * work. */
typedef void ctx_waited_fn(void);
void ctx_on_wait(ctx_waited_fn *fn);
void ctx_note_wait(void);
/* The place to which the calling thread's allocations belong. */
unsigned ctx_place_of_thread(void);

/* Ends what clients keep with the context. */
void ctx_storage_end(CUcontext ctx);
void ctx_lock(CUcontext ctx);
void ctx_unlock(CUcontext ctx);
/* Takes the lock when no stream has unfinished work; waits until then. */
void ctx_lock_idle(CUcontext ctx);
/* on_done of every task: makes a fault the context's sticky error. */
void ctx_task_done(void *ctx, enum exec_fault fault);
/* The same in two steps, between which the caller may write more. True: this
 * is the context's first fault, and it has been explained. */
bool ctx_begin_fault(CUcontext ctx, enum exec_fault fault);
void ctx_end_fault(CUcontext ctx, enum exec_fault fault, bool is_first);

/* ctx_order.c: calls fn(data) once all work that the context's streams have
 * now is done; at once, if it is. fn runs on any thread and must not block. */
typedef void ctx_done_fn(void *data, enum exec_fault fault);
void ctx_when_done(CUcontext ctx, ctx_done_fn *fn, void *data);

/* Number of the machine's NUMA nodes; at least 1 (device.c). */
int device_node_count(void);
/* Is there such a device, the host, or such a node? INVALID_DEVICE;
 * INVALID_VALUE, also for another kind of place (device.c). */
CUresult device_check_place(const CUmemLocation *l);

/* Sets a sticky error that no fault has caused. */
void ctx_fail(CUcontext ctx, CUresult err);

#endif
