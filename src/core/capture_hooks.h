/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where operations of streams meet captures. Graphs stand above streams, so
 * what a captured stream does with an operation is registered here with the
 * first capture; until then, and while no stream is captured, these cost a
 * load.
 *
 * Hooks that return true have dealt with the operation: the stream is captured,
 * or may not be used, and *err says what came of it. False: the caller does it.
 */
#ifndef WEFT_CORE_CAPTURE_HOOKS_H
#define WEFT_CORE_CAPTURE_HOOKS_H

#include "core/internal.h"

/* Number of streams that are being captured; a hint, as it is read without a
 * lock. */
extern atomic_uint capture_count;
static inline bool capture_is_on(void)
{
    return atomic_load_explicit(&capture_count, memory_order_relaxed) != 0;
}

struct capture_hooks {
    bool (*kernel)(CUfunction f, const struct launch_config *config,
                   void **args, const void *packed, CUresult *err);
    /* A node that the program could also have added with these parameters. */
    bool (*node)(CUstream s, const CUgraphNodeParams *params, CUresult *err);
    bool (*copy)(CUstream s, const struct mem_copy *copy, CUresult *err);
    bool (*fill)(CUstream s, const struct mem_copy *box, uint32_t value,
                 unsigned element_bytes, CUresult *err);
    bool (*alloc)(CUstream s, CUmemoryPool pool, size_t size_bytes,
                  CUdeviceptr *out, CUresult *err);
    bool (*free)(CUstream s, CUdeviceptr p, CUresult *err);
    bool (*memops)(CUstream s, const struct memop *ops, size_t count,
                   CUresult *err);
    bool (*record)(CUevent e, CUstream s, bool is_external, CUresult *err);
    void (*mark)(CUevent e, CUgraphEdgeData edge);
    bool (*wait)(CUstream s, CUevent e, bool is_external, CUresult *err);
    /* Called for an operation that no capture may have. */
    CUresult (*refuse)(CUstream s);
    CUresult (*check_valid)(CUstream s);
    CUresult (*check_call)(void);
    CUresult (*check_all)(CUcontext ctx);
    CUresult (*check_event)(CUevent e);
    CUresult (*check_time)(CUevent e);
    /* The stream or event is about to be destroyed. */
    void (*forget_stream)(CUstream s);
    void (*forget_event)(CUevent e);
    void (*forget_all)(CUcontext ctx);
};

/* To be called before capture_count leaves 0 for the first time. The hooks
 * stay. */
void capture_set_hooks(const struct capture_hooks *hooks);

/* Each is called before the operation of the same name. True: the stream is
 * captured. The operation has become a node, or *err says why not, and the
 * caller does nothing else. */
bool capture_kernel(CUfunction f, const struct launch_config *config,
                    void **args, const void *packed, CUresult *err);
bool capture_node(CUstream s, const CUgraphNodeParams *params, CUresult *err);
bool capture_copy(CUstream s, const struct mem_copy *copy, CUresult *err);
bool capture_fill(CUstream s, const struct mem_copy *box, uint32_t value,
                  unsigned element_bytes, CUresult *err);
bool capture_alloc(CUstream s, CUmemoryPool pool, size_t size_bytes,
                   CUdeviceptr *out, CUresult *err);
bool capture_free(CUstream s, CUdeviceptr p, CUresult *err);
bool capture_memops(CUstream s, const struct memop *ops, size_t count,
                    CUresult *err);
bool capture_record(CUevent e, CUstream s, bool is_external, CUresult *err);
/* A captured launch has recorded the event, behind which edges are such. */
void capture_mark(CUevent e, CUgraphEdgeData edge);
bool capture_wait(CUstream s, CUevent e, bool is_external, CUresult *err);
/* For a call that waits for the whole device: an error if that would disturb a
 * capture. */
CUresult capture_check_all(CUcontext ctx);
/* Called before an event is asked for its state. */
CUresult capture_check_event(CUevent e);
/* Called before an event is asked for its time. */
CUresult capture_check_time(CUevent e);
void capture_forget_stream(CUstream s);
void capture_forget_event(CUevent e);
void capture_forget_all(CUcontext ctx);

#endif
