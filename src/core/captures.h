/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stream capture: what is put into a stream becomes nodes of a graph. A part of
 * core.h.
 *
 *   NONE --begin--> ACTIVE --illegal call--> INVALIDATED --end--> NONE, no
 * graph
 *                      \--end--> NONE, a graph
 */
#ifndef WEFT_CORE_CAPTURES_H
#define WEFT_CORE_CAPTURES_H

#include "base/base.h"
#include "core/graphs.h"

#pragma redefine_extname capture_begin weft_capture_begin
#pragma redefine_extname capture_begin_to_graph weft_capture_begin_to_graph
#pragma redefine_extname capture_end weft_capture_end
#pragma redefine_extname capture_status weft_capture_status
#pragma redefine_extname capture_info weft_capture_info
#pragma redefine_extname capture_update weft_capture_update
#pragma redefine_extname capture_exchange_mode weft_capture_exchange_mode
#pragma redefine_extname capture_host weft_capture_host
#pragma redefine_extname capture_refuse weft_capture_refuse
#pragma redefine_extname capture_check_call weft_capture_check_call

#pragma GCC visibility push(default)

/* What is put into s from now on becomes nodes of a new graph, or of g behind
 * `dependencies` (data NULL: plain edges). ILLEGAL_STATE: it is captured
 * already; STREAM_CAPTURE_UNSUPPORTED: the legacy stream. */
CUresult capture_begin(CUstream s, CUstreamCaptureMode mode);
CUresult capture_begin_to_graph(CUstream s, CUgraph g,
                                const CUgraphNode *dependencies,
                                const CUgraphEdgeData *data, size_t count,
                                CUstreamCaptureMode mode);
/* By the stream that began, and the thread, unless the mode is relaxed. The
 * graph is the caller's; NULL after an error: ILLEGAL_STATE, not captured;
 * STREAM_CAPTURE_INVALIDATED, ..._UNMATCHED, ..._UNJOINED, ..._WRONG_THREAD. */
CUresult capture_end(CUstream s, CUgraph *out);
/* STREAM_CAPTURE_IMPLICIT: the legacy stream, while one is captured that it
 * would wait for. */
CUresult capture_status(CUstream s, CUstreamCaptureStatus *status);

/* What is known of a stream's capture. The arrays stay until the next call
 * that has to do with the stream. */
struct capture_facts {
    CUstreamCaptureStatus status;
    cuuint64_t id;
    CUgraph graph;
    const CUgraphNode *dependencies;
    const CUgraphEdgeData *data;
    size_t count;
    bool has_data; /* an edge that is not plain */
};
CUresult capture_info(CUstream s, struct capture_facts *out);
CUresult capture_update(CUstream s, const CUgraphNode *dependencies,
                        const CUgraphEdgeData *data, size_t count,
                        unsigned flags);
/* Of the calling thread: which calls it may make while others capture. */
CUresult capture_exchange_mode(CUstreamCaptureMode *mode);

/* A host function in a stream: true if the stream is captured (or may not be
 * used), with what came of it. */
bool capture_host(CUstream s, CUhostFn fn, void *data,
                  graph_host_caller *caller, CUresult *err);
/* An operation that cannot be captured is about to happen in `s`: if that is
 * captured, STREAM_CAPTURE_UNSUPPORTED, and the capture is invalid. */
CUresult capture_refuse(CUstream s);
/* A call that may disturb captures (CUDA's "potentially unsafe" ones). */
CUresult capture_check_call(void);

#pragma GCC visibility pop

#endif
