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
#pragma redefine_extname capture_check_valid weft_capture_check_valid
#pragma redefine_extname capture_refuse_legacy weft_capture_refuse_legacy
#pragma redefine_extname capture_check_call weft_capture_check_call

#pragma GCC visibility push(default)

/* Operations in s become nodes, from now on, of a new graph, or of g behind
 * `dependencies` (data NULL: plain edges). ILLEGAL_STATE: s is captured
 * already; STREAM_CAPTURE_UNSUPPORTED: s is the legacy stream. */
CUresult capture_begin(CUstream s, CUstreamCaptureMode mode);
CUresult capture_begin_to_graph(CUstream s, CUgraph g,
                                const CUgraphNode *dependencies,
                                const CUgraphEdgeData *data, size_t count,
                                CUstreamCaptureMode mode);
/* Has to be called for the stream that began the capture, and by the same
 * thread unless the mode is relaxed. The graph is the caller's. After an error
 * it is NULL: ILLEGAL_STATE, s is not captured; STREAM_CAPTURE_INVALIDATED,
 * ..._UNMATCHED, ..._UNJOINED, ..._WRONG_THREAD. */
CUresult capture_end(CUstream s, CUgraph *out);
/* STREAM_CAPTURE_IMPLICIT: s is the legacy stream, and would wait for a stream
 * that is being captured. */
CUresult capture_status(CUstream s, CUstreamCaptureStatus *status);

/* State of a stream's capture. The arrays are valid until the next call about
 * this stream. */
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
/* Exchanges the calling thread's mode: which calls it may make while there are
 * captures. */
CUresult capture_exchange_mode(CUstreamCaptureMode *mode);

/* A host function in a stream. True: the stream is captured, or may not be
 * used; *err says which. */
bool capture_host(CUstream s, CUhostFn fn, void *data, CUresult *err);
/* An operation that cannot be captured is about to be put into s. If s is
 * captured, returns STREAM_CAPTURE_UNSUPPORTED, and the capture is invalid. */
CUresult capture_refuse(CUstream s);
/* To be called before an operation's parameters are looked at:
 * STREAM_CAPTURE_INVALIDATED, if the stream's capture is invalid. */
CUresult capture_check_valid(CUstream s);
/* For an operation that a captured stream may have: STREAM_CAPTURE_IMPLICIT, if
 * s is the legacy stream and a stream that it waits for is captured. */
CUresult capture_refuse_legacy(CUstream s);
/* An error if the call, one of CUDA's "potentially unsafe" ones, is not
 * allowed to this thread while there are captures. */
CUresult capture_check_call(void);

#pragma GCC visibility pop

#endif
