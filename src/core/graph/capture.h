/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures inside core. Streams and events that belong to one have a point: the
 * nodes that the stream's next node comes after. All of it is guarded by the
 * graphs' lock; without any capture, nothing here takes it.
 *
 *   capture.c       their life: begin, end, fork, join, questions
 *   capture_node.c  the node that an operation becomes
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
    VEC(CUgraphNode) left; /* the last ones of streams that were destroyed */
};

struct capture_point {
    struct capture *capture;
    VEC(struct graph_link) links;
    VEC(CUgraphNode) nodes; /* what capture_info shows of the links */
    VEC(CUgraphEdgeData) data;
};

/* With the lock: the capture that `s` belongs to, or NULL; an error if the
 * operation is illegal. */
CUresult capture_enter(CUstream s, struct capture **out);
void capture_invalidate(struct capture *c);
/* The stream goes on behind `n`. */
CUresult capture_follow(CUstream s, CUgraphNode n);
/* Takes over the work, also when it fails. */
CUresult capture_add(CUstream s, struct graph_work *work);

/* capture_node.c, for the hooks: the nodes that operations become. */
bool capture_node_kernel(CUfunction f, const struct launch_config *config,
                         void **args, const void *packed, CUresult *err);
bool capture_node_params(CUstream s, const CUgraphNodeParams *params,
                         CUresult *err);
bool capture_node_copy(CUstream s, const struct mem_copy *copy, CUresult *err);
bool capture_node_fill(CUstream s, const struct mem_copy *box, uint32_t value,
                       unsigned element_bytes, CUresult *err);
bool capture_node_alloc(CUstream s, size_t size_bytes, CUdeviceptr *out,
                        CUresult *err);
bool capture_node_free(CUstream s, CUdeviceptr p, CUresult *err);
bool capture_node_memops(CUstream s, const struct memop *ops, size_t count,
                         CUresult *err);

#endif
