/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures inside of core. A stream or an event in a capture has a point: the
 * nodes that the next node of the stream comes after. The graphs' lock guards
 * it all; without captures, nothing here takes the lock.
 *
 * capture.c: begin, end, fork, join, questions. capture_node.c: the node that
 * an operation becomes.
 *
 * What streams call is core/capture_hooks.h.
 */
#ifndef WEFT_CORE_CAPTURE_H
#define WEFT_CORE_CAPTURE_H

#include "core/capture_hooks.h"
#include "core/captures.h"
#include "core/graph/graph.h"

struct capture {
    struct list in_all;
    unsigned refs; /* the points, and the list until it has ended */
    CUgraph graph;
    bool is_own; /* the graph was made for it */
    bool is_invalid, has_ended;
    CUstreamCaptureMode mode;
    pthread_t thread;
    CUstream origin;
    CUcontext ctx;
    cuuint64_t id;
    VEC(CUstream) streams;
    VEC(CUgraphNode) left; /* last nodes of streams that were destroyed */
};

struct capture_point {
    struct capture *capture;
    VEC(struct graph_link) links;
    VEC(CUgraphNode) nodes; /* what capture_info shows of the links */
    VEC(CUgraphEdgeData) data;
};

/* The capture that `s` belongs to, or NULL. An error if the operation is
 * illegal. The lock is held. */
CUresult capture_enter(CUstream s, struct capture **out);
void capture_invalidate(struct capture *c);
/* The next node of the stream comes after `n`. */
CUresult capture_follow(CUstream s, CUgraphNode n);
/* Adds a node to the stream's capture; takes over the work, even if it
 * fails. */
CUresult capture_add(CUstream s, struct graph_work *work);

/* capture_node.c, for the hooks: turn operations into nodes. */
bool capture_node_kernel(CUfunction f, const struct launch_config *config,
                         void **args, const void *packed, CUresult *err);
bool capture_node_params(CUstream s, const CUgraphNodeParams *params,
                         CUresult *err);
bool capture_node_copy(CUstream s, const struct mem_copy *copy, CUresult *err);
bool capture_node_fill(CUstream s, const struct mem_copy *box, uint32_t value,
                       unsigned element_bytes, CUresult *err);
bool capture_node_alloc(CUstream s, CUmemoryPool pool, size_t size_bytes,
                        CUdeviceptr *out, CUresult *err);
bool capture_node_free(CUstream s, CUdeviceptr p, CUresult *err);
bool capture_node_memops(CUstream s, const struct memop *ops, size_t count,
                         CUresult *err);

#endif
