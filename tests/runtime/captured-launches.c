/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What becomes of a captured launch's attributes, what calls answer once a
 * capture is invalid, what an allocation node may ask for, and which node an
 * update names: as an H200 gives them.
 */
#include "check.h"
#include "kernels.h"

#include <pthread.h>

static unsigned *d;
static cudaStream_t stream, other;

static cudaError_t launch(cudaStream_t s, const cudaLaunchAttribute *attribute)
{
    static unsigned value = 1;
    void *args[] = {&d, &value};
    cudaLaunchAttribute copy = {.id = cudaLaunchAttributeIgnore};
    if (attribute)
        copy = *attribute;
    const cudaLaunchConfig_t config = {.gridDim = {1, 1, 1},
                                       .blockDim = {1, 1, 1},
                                       .stream = s,
                                       .attrs = &copy,
                                       .numAttrs = 1};
    return cudaLaunchKernelExC(&config, &store, args);
}

/* ---- edges of programmatic events ---------------------------------------- */

/* A launch in `stream` records the event, `other` waits for it. */
static void begin(cudaLaunchAttribute attribute, cudaEvent_t event)
{
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(launch(stream, &attribute));
    OK(cudaStreamWaitEvent(other, event, 0));
}

/* The edge to the second node. */
static cudaGraphEdgeData end(cudaEvent_t event)
{
    cudaGraph_t g;
    cudaGraphNode_t nodes[2], before[2];
    cudaGraphEdgeData data[2];
    OK(cudaEventRecord(event, other));
    OK(cudaStreamWaitEvent(stream, event, 0));
    OK(cudaStreamEndCapture(stream, &g));
    OK(cudaGraphGetNodes(g, nodes, &(size_t){2}));
    memset(data, 9, sizeof data);
    OK(cudaGraphNodeGetDependencies_v2(nodes[1], before, data, &(size_t){2}));
    CHECK(before[0] == nodes[0]);
    OK(cudaGraphDestroy(g));
    return data[0];
}

static void edges_of_events(void)
{
    cudaEvent_t event;
    OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    cudaLaunchAttribute at = {.id = cudaLaunchAttributeProgrammaticEvent,
                              .val.programmaticEvent = {.event = event}};
    begin(at, event);
    OK(launch(other, NULL));
    cudaGraphEdgeData ended = end(event);
    at.val.programmaticEvent.triggerAtBlockStart = 1;
    begin(at, event);
    OK(launch(other, NULL));
    cudaGraphEdgeData begun = end(event);
    at.val.programmaticEvent.triggerAtBlockStart = 0;
    begin(at, event);
    OK(cudaMemsetAsync(d, 0, 4, other));
    cudaGraphEdgeData filled = end(event);
    CHECK(ended.from_port == cudaGraphKernelNodePortProgrammatic &&
          ended.type == cudaGraphDependencyTypeProgrammatic);
    CHECK(begun.from_port == cudaGraphKernelNodePortLaunchCompletion &&
          begun.type == cudaGraphDependencyTypeProgrammatic);
    CHECK(filled.from_port == cudaGraphKernelNodePortProgrammatic &&
          filled.type == cudaGraphDependencyTypeProgrammatic);
    OK(cudaEventDestroy(event));
}

/* ---- attributes ---------------------------------------------------------- */

static void attributes_of_launches(void)
{
    const cudaLaunchAttribute at = {.id = cudaLaunchAttributePriority,
                                    .val.priority = -1};
    cudaLaunchAttributeValue window = {
        .accessPolicyWindow = {.base_ptr = d,
                               .num_bytes = 64,
                               .hitRatio = 1,
                               .hitProp = cudaAccessPropertyPersisting}};
    cudaLaunchAttributeValue v;
    cudaGraph_t g;
    cudaGraphNode_t n[2];
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(launch(stream, &at));
    OK(cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow,
                              &window));
    OK(launch(stream, NULL));
    window.accessPolicyWindow.num_bytes = 0;
    OK(cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow,
                              &window));
    OK(cudaStreamEndCapture(stream, &g));
    OK(cudaGraphGetNodes(g, n, &(size_t){2}));
    OK(cudaGraphKernelNodeGetAttribute(n[0], cudaLaunchAttributePriority, &v));
    CHECK(v.priority == -1);
    OK(cudaGraphKernelNodeGetAttribute(
        n[1], cudaLaunchAttributeAccessPolicyWindow, &v));
    CHECK(v.accessPolicyWindow.num_bytes == 64);
    OK(cudaGraphKernelNodeGetAttribute(
        n[1], cudaLaunchAttributeMemSyncDomainMap, &v));
    CHECK(!v.memSyncDomainMap.default_ && v.memSyncDomainMap.remote == 1);
    OK(cudaGraphDestroy(g));
}

/* ---- invalid captures ---------------------------------------------------- */

static void *end_elsewhere(void *unused)
{
    cudaGraph_t g;
    (void)unused;
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &g));
    return NULL;
}

static void invalid_captures(void)
{
    cudaEvent_t event;
    pthread_t thread;
    float ms;
    OK(cudaEventCreate(&event));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    OK(cudaEventRecord(event, stream));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream));
    GIVES(cudaErrorStreamCaptureInvalidated, launch(stream, NULL));
    GIVES(cudaErrorInvalidValue, cudaEventSynchronize(event));
    GIVES(cudaErrorInvalidValue, cudaEventElapsedTime(&ms, event, event));
    CHECK(!pthread_create(&thread, NULL, end_elsewhere, NULL));
    CHECK(!pthread_join(thread, NULL));
    OK(cudaEventDestroy(event));
}

/* Attributes of the legacy stream are work in it. */
static void legacy_attributes(void)
{
    cudaStream_t blocking;
    cudaGraph_t g;
    OK(cudaStreamCreate(&blocking));
    for (int i = 0; i < 2; i++) {
        OK(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeRelaxed));
        GIVES(cudaErrorStreamCaptureImplicit,
              cudaStreamCopyAttributes(i ? NULL : other, i ? other : NULL));
        GIVES(cudaErrorStreamCaptureInvalidated,
              cudaStreamEndCapture(blocking, &g));
    }
    OK(cudaStreamDestroy(blocking));
}

/* ---- nodes --------------------------------------------------------------- */

static const struct {
    struct cudaMemAccessDesc access[2];
    size_t count;
    cudaError_t error;
} accesses[] = {
    {{{{cudaMemLocationTypeDevice, 0}, 3}}, 1, cudaSuccess},
    {{{{cudaMemLocationTypeHost, 0}, 3}}, 1, cudaSuccess},
    {{{{cudaMemLocationTypeDevice, 0}, 0}}, 1, cudaErrorNotSupported},
    {{{{cudaMemLocationTypeDevice, 0}, 1}}, 1, cudaErrorNotSupported},
    {{{{cudaMemLocationTypeDevice, 0}, 2}}, 1, cudaErrorInvalidValue},
    {{{{cudaMemLocationTypeDevice, -1}, 3}}, 1, cudaErrorInvalidDevice},
    {{{{cudaMemLocationTypeDevice, 99}, 3}}, 1, cudaErrorInvalidDevice},
    {{{{cudaMemLocationTypeInvalid, 0}, 3}}, 1, cudaErrorInvalidValue},
    {{{{cudaMemLocationTypeDevice, 0}, 3}, {{cudaMemLocationTypeDevice, 0}, 3}},
     2,
     cudaErrorInvalidValue},
};

static void accesses_of_nodes(void)
{
    cudaGraph_t g;
    cudaGraphNode_t n;
    OK(cudaGraphCreate(&g, 0));
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        struct cudaMemAllocNodeParams a = {
            .poolProps = {.allocType = cudaMemAllocationTypePinned,
                          .location = {cudaMemLocationTypeDevice, 0}},
            .accessDescs = accesses[i].access,
            .accessDescCount = accesses[i].count,
            .bytesize = 64};
        cudaError_t err = cudaGraphAddMemAllocNode(&n, g, NULL, 0, &a);
        if (err != accesses[i].error)
            printf("access %zu: %s\n", i, cudaGetErrorName(err));
        CHECK(err == accesses[i].error);
        cudaGetLastError();
    }
    OK(cudaGraphDestroy(g));
}

static cudaGraphNode_t empty_behind(cudaGraph_t g, cudaGraphNode_t before)
{
    cudaGraphNode_t n;
    OK(cudaGraphAddEmptyNode(&n, g, &before, before != NULL));
    return n;
}

/* A chain has one end where a fork has two: no node is to blame. A node's own
 * child graph is no child of another. */
static void shapes(void)
{
    cudaGraph_t fork, chain, child, own;
    cudaGraphNode_t n;
    cudaGraphExec_t e;
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphCreate(&fork, 0));
    OK(cudaGraphCreate(&chain, 0));
    OK(cudaGraphCreate(&child, 0));
    n = empty_behind(fork, NULL);
    empty_behind(fork, n);
    empty_behind(fork, n);
    empty_behind(chain, empty_behind(chain, empty_behind(chain, NULL)));
    OK(cudaGraphInstantiate(&e, fork, 0));
    GIVES(cudaErrorGraphExecUpdateFailure,
          cudaGraphExecUpdate(e, chain, &info));
    CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    CHECK(!info.errorNode && !info.errorFromNode);
    OK(cudaGraphAddChildGraphNode(&n, chain, NULL, 0, child));
    OK(cudaGraphChildGraphNodeGetGraph(n, &own));
    GIVES(cudaErrorNotSupported,
          cudaGraphAddChildGraphNode(&n, chain, NULL, 0, own));
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(fork));
    OK(cudaGraphDestroy(chain));
    OK(cudaGraphDestroy(child));
}

int main(void)
{
    kernels_register();
    OK(cudaMalloc((void **)&d, 64));
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    edges_of_events();
    attributes_of_launches();
    invalid_captures();
    legacy_attributes();
    accesses_of_nodes();
    shapes();
    return check_result();
}
