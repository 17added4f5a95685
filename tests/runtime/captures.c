/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stream capture: what becomes of operations, of the capture, of the graph.
 * The first table's rows are what an H200 does (driver of CUDA 13), those of
 * the second what the guide and the manual say of calls of the same kind.
 */
#include "check.h"
#include "kernels.h"

#include <pthread.h>

static cudaStream_t s, o, nb; /* captured; another; another that blocks none */
/* Recorded: captured, before, in a capture that is over, not. */
static cudaEvent_t cap, old, stale, never, fresh;
static unsigned *d, *d2, *pin;
static int host[64];
static cudaGraph_t small_graph;
static cudaGraphExec_t exec, spare;
static void *managed;

/* ---- operations ---------------------------------------------------------- */

static cudaError_t kernel(cudaStream_t stream)
{
    return launch_store(d, 7, 32, stream);
}

static void nothing(void *data)
{
    (void)data;
}

static void CUDART_CB callback(cudaStream_t stream, cudaError_t err, void *data)
{
    (void)stream, (void)err, (void)data;
}

static cudaError_t allocate(void)
{
    void *p;
    return cudaMalloc(&p, 100);
}

static cudaError_t allocate_host(void)
{
    void *p;
    return cudaMallocHost(&p, 100);
}

static cudaError_t allocate_managed(void)
{
    void *p;
    return cudaMallocManaged(&p, 100, cudaMemAttachGlobal);
}

static cudaError_t allocate_async(cudaStream_t stream)
{
    void *p;
    return cudaMallocAsync(&p, 100, stream);
}

static cudaError_t elapsed(cudaEvent_t e)
{
    float ms;
    return cudaEventElapsedTime(&ms, e, e);
}

static cudaError_t flags(cudaStream_t stream)
{
    unsigned value;
    return cudaStreamGetFlags(stream, &value);
}

static cudaError_t id(cudaStream_t stream)
{
    unsigned long long value;
    return cudaStreamGetId(stream, &value);
}

/* Slices behind each other are one node. */
static cudaError_t fill_box(void)
{
    const struct cudaPitchedPtr p = {d, 16, 16, 2};
    return cudaMemset3DAsync(p, 1, (struct cudaExtent){16, 2, 2}, s);
}

static cudaError_t advise(void)
{
    return cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, 0);
}

static cudaError_t trim(void)
{
    cudaMemPool_t pool;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    return cudaMemPoolTrimTo(pool, 0);
}

/* Not destroyed where it is forbidden. */
static cudaError_t destroy_instance(void)
{
    cudaError_t err = cudaGraphExecDestroy(spare);
    if (!err)
        spare = NULL;
    return err;
}

static cudaError_t launch_too_large(void)
{
    const dim3 one = {1, 1, 1};
    unsigned value = 0;
    void *args[] = {&d, &value};
    return cudaLaunchKernel(&store, one, one, args, 1 << 20, s);
}

static cudaError_t launch_no_block(void)
{
    const dim3 one = {1, 1, 1}, none = {0, 1, 1};
    unsigned value = 0;
    void *args[] = {&d, &value};
    return cudaLaunchKernel(&store, one, none, args, 0, s);
}

/* Any is taken and given back. */
static cudaError_t exchange_mode(void)
{
    enum cudaStreamCaptureMode mode = 7;
    cudaError_t err = cudaThreadExchangeStreamCaptureMode(&mode);
    CHECK(mode == cudaStreamCaptureModeGlobal);
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == 7);
    return err;
}

static cudaError_t depend_twice(void)
{
    cudaGraph_t g;
    cudaGraphNode_t list[2];
    enum cudaStreamCaptureStatus status;
    OK(cudaStreamGetCaptureInfo(s, &status, NULL, &g, NULL, NULL));
    OK(cudaGraphAddEmptyNode(&list[0], g, NULL, 0));
    list[1] = list[0];
    return cudaStreamUpdateCaptureDependencies(
        s, list, 2, cudaStreamSetCaptureDependencies);
}

static cudaError_t is_capturing(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    return cudaStreamIsCapturing(stream, &status);
}

static cudaError_t info(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status;
    return cudaStreamGetCaptureInfo(stream, &status, NULL, NULL, NULL, NULL);
}

static cudaError_t begin(cudaStream_t stream)
{
    return cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
}

static cudaError_t end(cudaStream_t stream)
{
    cudaGraph_t g;
    return cudaStreamEndCapture(stream, &g);
}

static cudaError_t make_stream(void)
{
    cudaStream_t t;
    return cudaStreamCreate(&t);
}

static cudaError_t instantiate(void)
{
    cudaGraphExec_t e;
    return cudaGraphInstantiate(&e, small_graph, 0);
}

/* Another capture's event. */
static cudaError_t merge(void)
{
    enum cudaStreamCaptureStatus status;
    OK(cudaStreamBeginCapture(nb, cudaStreamCaptureModeRelaxed));
    OK(cudaEventRecord(fresh, nb));
    cudaError_t err = cudaStreamWaitEvent(s, fresh, 0);
    OK(cudaStreamIsCapturing(nb, &status));
    CHECK(status == cudaStreamCaptureStatusInvalidated);
    GIVES(cudaErrorStreamCaptureInvalidated, end(nb));
    return err;
}

static cudaError_t unjoined(void)
{
    OK(cudaStreamWaitEvent(o, cap, 0));
    return kernel(o);
}

static cudaError_t joined(void)
{
    OK(unjoined());
    OK(cudaEventRecord(fresh, o));
    return cudaStreamWaitEvent(s, fresh, 0);
}

static cudaError_t end_of_fork(void)
{
    OK(cudaStreamWaitEvent(o, cap, 0));
    return end(o);
}

static cudaError_t allocate_array(void)
{
    const struct cudaChannelFormatDesc f = {32, 0, 0, 0,
                                            cudaChannelFormatKindUnsigned};
    cudaArray_t a;
    return cudaMallocArray(&a, &f, 16, 16, 0);
}

static cudaError_t allocate_rows(void)
{
    void *p;
    size_t pitch;
    return cudaMallocPitch(&p, &pitch, 64, 4);
}

static cudaError_t allocate_box(void)
{
    struct cudaPitchedPtr p;
    return cudaMalloc3D(&p, (struct cudaExtent){64, 4, 2});
}

static cudaMemPool_t default_pool(void)
{
    cudaMemPool_t pool;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    return pool;
}

static cudaError_t allocate_from_pool(cudaStream_t stream)
{
    void *p;
    return cudaMallocFromPoolAsync(&p, 100, default_pool(), stream);
}

static cudaError_t copy_box(cudaStream_t stream)
{
    struct cudaMemcpy3DParms p = {.extent = {16, 2, 2},
                                  .kind = cudaMemcpyDefault};
    p.srcPtr = make_cudaPitchedPtr(d, 16, 16, 2);
    p.dstPtr = make_cudaPitchedPtr(d2, 16, 16, 2);
    return stream ? cudaMemcpy3DAsync(&p, stream) : cudaMemcpy3D(&p);
}

static cudaError_t cooperative(void)
{
    const dim3 one = {1, 1, 1};
    unsigned value = 0;
    void *args[] = {&d, &value};
    return cudaLaunchCooperativeKernel(&store, one, one, args, 0, s);
}

/* What asks and changes nothing that a capture could hide. */
static cudaError_t questions(void)
{
    struct cudaPointerAttributes p;
    struct cudaFuncAttributes f;
    size_t free_bytes, total_bytes;
    int blocks, priority;
    OK(cudaPointerGetAttributes(&p, d));
    OK(cudaFuncGetAttributes(&f, &store));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &store, 32, 0));
    OK(cudaDeviceGetAttribute(&blocks, cudaDevAttrWarpSize, 0));
    OK(cudaStreamGetPriority(s, &priority));
    return cudaMemGetInfo(&free_bytes, &total_bytes);
}

/* Graphs may be made and changed; the captured one keeps its nodes. */
static cudaError_t graph_calls(void)
{
    cudaGraph_t g, captured;
    cudaGraphNode_t n;
    cudaGraphExecUpdateResultInfo result;
    enum cudaStreamCaptureStatus status;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddEmptyNode(&n, g, NULL, 0));
    OK(cudaGraphDestroyNode(n));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphClone(&g, small_graph));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphExecUpdate(exec, small_graph, &result));
    OK(cudaStreamGetCaptureInfo(s, &status, NULL, &captured, NULL, NULL));
    return cudaGraphDestroy(captured);
}

/* Waits for it are for those of its own capture. */
static cudaError_t wait_elsewhere(void)
{
    cudaError_t err = cudaStreamWaitEvent(o, stale, 0);
    enum cudaStreamCaptureStatus status;
    OK(cudaStreamIsCapturing(o, &status));
    CHECK(status == cudaStreamCaptureStatusNone);
    return err;
}

static cudaError_t another_capture(void)
{
    cudaGraph_t g;
    OK(cudaStreamBeginCapture(nb, cudaStreamCaptureModeRelaxed));
    OK(cudaLaunchHostFunc(nb, nothing, NULL));
    cudaError_t err = cudaStreamEndCapture(nb, &g);
    OK(cudaGraphDestroy(g));
    return err;
}

static cudaError_t relaxed_allocate(void)
{
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == cudaStreamCaptureModeGlobal);
    cudaError_t err = allocate();
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    return err;
}

/* ---- from another thread ------------------------------------------------- */

static cudaError_t result;

static void *thread_allocates(void *data)
{
    result = allocate();
    return data;
}

static void *thread_launches(void *data)
{
    result = kernel(s);
    return data;
}

static void *thread_ends(void *data)
{
    result = end(s);
    return data;
}

static cudaError_t in_thread(void *(*fn)(void *))
{
    pthread_t t;
    pthread_create(&t, NULL, fn, NULL);
    pthread_join(t, NULL);
    return result;
}

/* ---- the table ----------------------------------------------------------- */

enum outcome {
    GOES_ON,     /* the capture is as if nothing had been */
    ADDS,        /* it has a node more */
    INVALIDATES, /* it ends with StreamCaptureInvalidated */
    UNJOINED,    /* it ends with that */
    ENDED,       /* it is none any more */
};

/* Which modes an error is for; in the others the operation succeeds and the
 * capture goes on. */
enum modes { ALL = 7, NOT_RELAXED = 3, GLOBAL_ONLY = 1 };

#define ROWS                                                                   \
    ROW(cudaSuccess, GOES_ON, ALL, cudaSuccess)                                \
    ROW(kernel(s), ADDS, ALL, cudaSuccess)                                     \
    ROW(cudaMemcpyAsync(d, host, 64, cudaMemcpyHostToDevice, s), ADDS, ALL,    \
        cudaSuccess)                                                           \
    ROW(cudaMemcpyAsync(host, d, 64, cudaMemcpyDeviceToHost, s), ADDS, ALL,    \
        cudaSuccess)                                                           \
    ROW(cudaMemcpyAsync(d, pin, 64, cudaMemcpyHostToDevice, s), ADDS, ALL,     \
        cudaSuccess)                                                           \
    ROW(cudaMemcpyAsync(host, host + 8, 16, cudaMemcpyHostToHost, s), ADDS,    \
        ALL, cudaSuccess)                                                      \
    ROW(cudaMemcpyAsync(d, d2, 64, cudaMemcpyDefault, s), ADDS, ALL,           \
        cudaSuccess)                                                           \
    ROW(cudaMemcpyAsync(d, NULL, 64, cudaMemcpyDefault, s), GOES_ON, ALL,      \
        cudaErrorInvalidValue)                                                 \
    ROW(cudaMemcpyAsync(d, d2, 0, cudaMemcpyDefault, s), GOES_ON, ALL,         \
        cudaSuccess)                                                           \
    ROW(cudaMemcpy2DAsync(d, 16, d2, 32, 8, 3, cudaMemcpyDefault, s), ADDS,    \
        ALL, cudaSuccess)                                                      \
    ROW(cudaMemsetAsync(d, 1, 64, s), ADDS, ALL, cudaSuccess)                  \
    ROW(cudaMemsetAsync(d, 1, 0, s), GOES_ON, ALL, cudaSuccess)                \
    ROW(cudaMemset2DAsync(d, 64, 1, 16, 3, s), ADDS, ALL, cudaSuccess)         \
    ROW(cudaLaunchHostFunc(s, nothing, NULL), ADDS, ALL, cudaSuccess)          \
    ROW(allocate_async(s), ADDS, ALL, cudaSuccess)                             \
    ROW(cudaStreamSynchronize(s), INVALIDATES, ALL,                            \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaStreamQuery(s), INVALIDATES, ALL,                                  \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaEventSynchronize(cap), INVALIDATES, ALL, cudaErrorCapturedEvent)   \
    ROW(cudaEventQuery(cap), INVALIDATES, ALL, cudaErrorCapturedEvent)         \
    ROW(elapsed(cap), GOES_ON, ALL, cudaErrorCapturedEvent)                    \
    ROW(elapsed(old), GOES_ON, ALL, cudaSuccess)                               \
    ROW(elapsed(stale), GOES_ON, ALL, cudaErrorInvalidValue)                   \
    ROW(flags(s), INVALIDATES, ALL, cudaErrorStreamCaptureUnsupported)         \
    ROW(flags(o), GOES_ON, ALL, cudaSuccess)                                   \
    ROW(id(s), INVALIDATES, ALL, cudaErrorStreamCaptureUnsupported)            \
    ROW(cudaMemcpyPeerAsync(d, 0, d2, 0, 64, s), INVALIDATES, ALL,             \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(fill_box(), ADDS, ALL, cudaSuccess)                                    \
    ROW(advise(), INVALIDATES, NOT_RELAXED, cudaErrorStreamCaptureUnsupported) \
    ROW(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20), INVALIDATES,     \
        NOT_RELAXED, cudaErrorStreamCaptureUnsupported)                        \
    ROW(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1), INVALIDATES,          \
        NOT_RELAXED, cudaErrorStreamCaptureUnsupported)                        \
    ROW(trim(), INVALIDATES, NOT_RELAXED, cudaErrorStreamCaptureUnsupported)   \
    ROW(destroy_instance(), INVALIDATES, NOT_RELAXED,                          \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(launch_too_large(), INVALIDATES, ALL, cudaErrorInvalidValue)           \
    ROW(launch_no_block(), INVALIDATES, ALL, cudaErrorInvalidConfiguration)    \
    ROW(cudaStreamWaitEvent(s, NULL, 0), INVALIDATES, ALL,                     \
        cudaErrorInvalidResourceHandle)                                        \
    ROW(exchange_mode(), GOES_ON, ALL, cudaSuccess)                            \
    ROW(depend_twice(), ADDS, ALL, cudaSuccess)                                \
    ROW(begin(NULL), INVALIDATES, ALL, cudaErrorStreamCaptureImplicit)         \
    ROW(end(NULL), INVALIDATES, ALL, cudaErrorStreamCaptureImplicit)           \
    ROW(cudaStreamEndCapture(s, NULL), ENDED, ALL, cudaSuccess)                \
    ROW(cudaStreamAddCallback(s, callback, NULL, 0), INVALIDATES, ALL,         \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(allocate_async(o), INVALIDATES, NOT_RELAXED,                           \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaFreeAsync(d2, s), GOES_ON, ALL, cudaErrorInvalidValue)             \
    ROW(begin(s), GOES_ON, ALL, cudaErrorIllegalState)                         \
    ROW(cudaGraphLaunch(exec, s), INVALIDATES, ALL,                            \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaGraphLaunch(exec, o), GOES_ON, ALL, cudaSuccess)                   \
    ROW(cudaGraphUpload(exec, s), INVALIDATES, ALL,                            \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaGraphUpload(exec, o), GOES_ON, ALL, cudaSuccess)                   \
    ROW(cudaStreamWaitEvent(s, old, 0), INVALIDATES, ALL,                      \
        cudaErrorStreamCaptureIsolation)                                       \
    ROW(cudaStreamWaitEvent(s, never, 0), GOES_ON, ALL, cudaSuccess)           \
    ROW(cudaStreamWaitEvent(s, cap, 0), GOES_ON, ALL, cudaSuccess)             \
    ROW(cudaStreamWaitEvent(s, old, cudaEventWaitExternal), ADDS, ALL,         \
        cudaSuccess)                                                           \
    ROW(cudaStreamWaitEvent(s, cap, cudaEventWaitExternal), ADDS, ALL,         \
        cudaSuccess)                                                           \
    ROW(cudaEventRecordWithFlags(fresh, s, cudaEventRecordExternal), ADDS,     \
        ALL, cudaSuccess)                                                      \
    ROW(cudaEventRecord(fresh, o), GOES_ON, ALL, cudaSuccess)                  \
    ROW(cudaEventRecord(cap, o), GOES_ON, ALL, cudaSuccess)                    \
    ROW(cudaEventRecordWithFlags(fresh, o, cudaEventRecordExternal), GOES_ON,  \
        ALL, cudaErrorIllegalState)                                            \
    ROW(cudaStreamWaitEvent(o, old, cudaEventWaitExternal), GOES_ON, ALL,      \
        cudaErrorIllegalState)                                                 \
    ROW(cudaEventRecord(cap, NULL), INVALIDATES, ALL,                          \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(cudaStreamWaitEvent(NULL, cap, 0), INVALIDATES, ALL,                   \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(cudaStreamWaitEvent(NULL, old, 0), INVALIDATES, ALL,                   \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(kernel(NULL), INVALIDATES, ALL, cudaErrorStreamCaptureImplicit)        \
    ROW(cudaMemcpy(d, host, 64, cudaMemcpyHostToDevice), INVALIDATES, ALL,     \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(cudaMemcpy(d, d2, 64, cudaMemcpyDeviceToDevice), INVALIDATES, ALL,     \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(cudaMemset(d, 0, 64), INVALIDATES, ALL,                                \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(cudaMemcpyToSymbol(table, host, 4, 0, cudaMemcpyHostToDevice),         \
        INVALIDATES, ALL, cudaErrorStreamCaptureImplicit)                      \
    ROW(cudaStreamSynchronize(NULL), INVALIDATES, ALL,                         \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(cudaStreamQuery(NULL), INVALIDATES, ALL,                               \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(is_capturing(NULL), GOES_ON, ALL, cudaErrorStreamCaptureImplicit)      \
    ROW(info(NULL), GOES_ON, ALL, cudaErrorStreamCaptureImplicit)              \
    ROW(kernel(cudaStreamPerThread), GOES_ON, ALL, cudaSuccess)                \
    ROW(allocate(), INVALIDATES, NOT_RELAXED,                                  \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(allocate_host(), INVALIDATES, NOT_RELAXED,                             \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(allocate_managed(), INVALIDATES, NOT_RELAXED,                          \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaFree(NULL), INVALIDATES, NOT_RELAXED,                              \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaHostRegister(host, 128, 0), INVALIDATES, NOT_RELAXED,              \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaDeviceSynchronize(), INVALIDATES, ALL,                             \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(make_stream(), GOES_ON, ALL, cudaSuccess)                              \
    ROW(cudaEventQuery(old), INVALIDATES, NOT_RELAXED,                         \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaEventSynchronize(old), INVALIDATES, NOT_RELAXED,                   \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaEventQuery(never), INVALIDATES, NOT_RELAXED,                       \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaStreamSynchronize(o), INVALIDATES, NOT_RELAXED,                    \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaStreamQuery(o), INVALIDATES, NOT_RELAXED,                          \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(kernel(o), GOES_ON, ALL, cudaSuccess)                                  \
    ROW(kernel(nb), GOES_ON, ALL, cudaSuccess)                                 \
    ROW(instantiate(), INVALIDATES, NOT_RELAXED,                               \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaEventDestroy(cap), GOES_ON, ALL, cudaSuccess)                      \
    ROW(end(o), GOES_ON, ALL, cudaErrorIllegalState)                           \
    ROW(in_thread(thread_ends), ENDED, NOT_RELAXED,                            \
        cudaErrorStreamCaptureWrongThread)                                     \
    ROW(in_thread(thread_allocates), INVALIDATES, GLOBAL_ONLY,                 \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(in_thread(thread_launches), ADDS, ALL, cudaSuccess)                    \
    ROW(merge(), INVALIDATES, ALL, cudaErrorStreamCaptureMerge)                \
    ROW(unjoined(), UNJOINED, ALL, cudaSuccess)                                \
    ROW(joined(), ADDS, ALL, cudaSuccess)                                      \
    ROW(cudaStreamWaitEvent(o, cap, 0), GOES_ON, ALL, cudaSuccess)             \
    ROW(end_of_fork(), INVALIDATES, ALL, cudaErrorStreamCaptureUnmatched)      \
    ROW(relaxed_allocate(), GOES_ON, ALL, cudaSuccess)

#define MANUAL_ROWS                                                            \
    ROW(cudaStreamAttachMemAsync(s, managed, 0, cudaMemAttachGlobal),          \
        INVALIDATES, ALL, cudaErrorStreamCaptureUnsupported)                   \
    ROW(copy_box(s), ADDS, ALL, cudaSuccess)                                   \
    ROW(copy_box(NULL), INVALIDATES, ALL, cudaErrorStreamCaptureImplicit)      \
    ROW(cooperative(), ADDS, ALL, cudaSuccess)                                 \
    ROW(allocate_from_pool(s), ADDS, ALL, cudaSuccess)                         \
    ROW(allocate_from_pool(o), INVALIDATES, NOT_RELAXED,                       \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaMemcpyToSymbolAsync(table, host, 4, 0, cudaMemcpyHostToDevice, s), \
        ADDS, ALL, cudaSuccess)                                                \
    ROW(cudaMemcpyFromSymbolAsync(host, table, 4, 0, cudaMemcpyDeviceToHost,   \
                                  s),                                          \
        ADDS, ALL, cudaSuccess)                                                \
    ROW(cudaMemcpyFromSymbol(host, table, 4, 0, cudaMemcpyDeviceToHost),       \
        INVALIDATES, ALL, cudaErrorStreamCaptureImplicit)                      \
    ROW(cudaMemcpy2D(d, 16, d2, 16, 8, 2, cudaMemcpyDefault), INVALIDATES,     \
        ALL, cudaErrorStreamCaptureImplicit)                                   \
    ROW(cudaMemset2D(d, 16, 0, 8, 2), INVALIDATES, ALL,                        \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(cudaMemcpyPeer(d, 0, d2, 0, 64), INVALIDATES, ALL,                     \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(cudaMemcpyAsync(d, d2, 64, cudaMemcpyDefault, NULL), INVALIDATES, ALL, \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(cudaMemsetAsync(d, 0, 64, NULL), INVALIDATES, ALL,                     \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(cudaLaunchHostFunc(NULL, nothing, NULL), INVALIDATES, ALL,             \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(allocate_async(NULL), INVALIDATES, ALL,                                \
        cudaErrorStreamCaptureImplicit)                                        \
    ROW(allocate_array(), INVALIDATES, NOT_RELAXED,                            \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(allocate_rows(), INVALIDATES, NOT_RELAXED,                             \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(allocate_box(), INVALIDATES, NOT_RELAXED,                              \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(questions(), GOES_ON, ALL, cudaSuccess)                                \
    ROW(graph_calls(), GOES_ON, ALL, cudaErrorIllegalState)                    \
    ROW(cudaStreamWaitEvent(s, stale, 0), INVALIDATES, ALL,                    \
        cudaErrorInvalidValue)                                                 \
    ROW(wait_elsewhere(), GOES_ON, ALL, cudaErrorInvalidValue)                 \
    ROW(another_capture(), GOES_ON, ALL, cudaSuccess)                          \
    ROW(cudaStreamQuery(nb), INVALIDATES, NOT_RELAXED,                         \
        cudaErrorStreamCaptureUnsupported)                                     \
    ROW(cudaLaunchHostFunc(o, nothing, NULL), GOES_ON, ALL, cudaSuccess)

static struct row {
    const char *name;
    enum outcome outcome;
    enum modes modes;
    cudaError_t error;
} rows[] = {
#define ROW(call, outcome, modes, error) {#call, outcome, modes, error},
    ROWS MANUAL_ROWS
#undef ROW
};

/* One call for each row; `which` chooses. */
static cudaError_t operate(size_t which)
{
    size_t i = 0;
#define ROW(call, outcome, modes, error)                                       \
    if (i++ == which)                                                          \
        return call;
    ROWS MANUAL_ROWS
#undef ROW
        return cudaErrorUnknown;
}

static void set_up(void)
{
    cudaGraph_t g;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&o));
    OK(cudaStreamCreateWithFlags(&nb, cudaStreamNonBlocking));
    OK(cudaEventCreate(&cap));
    OK(cudaEventCreate(&old));
    OK(cudaEventCreate(&never));
    OK(cudaEventCreate(&fresh));
    OK(cudaEventRecord(old, o));
    OK(cudaEventCreate(&stale));
    OK(cudaStreamBeginCapture(nb, cudaStreamCaptureModeRelaxed));
    OK(cudaEventRecord(stale, nb));
    OK(cudaStreamEndCapture(nb, &g));
    OK(cudaGraphDestroy(g));
    if (!spare)
        OK(cudaGraphInstantiate(&spare, small_graph, 0));
    OK(cudaDeviceSynchronize());
}

static void clean_up(void)
{
    OK(cudaDeviceSynchronize());
    cudaEventDestroy(cap);
    OK(cudaEventDestroy(old));
    OK(cudaEventDestroy(stale));
    OK(cudaEventDestroy(never));
    OK(cudaEventDestroy(fresh));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(o));
    OK(cudaStreamDestroy(nb));
    cudaGetLastError();
}

/* What a capture forbids it forbids until it ends, also once it is invalid. */
static void invalid_ones_forbid(void)
{
    cudaGraph_t g;
    void *p;
    set_up();
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaMalloc(&p, 64));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaMalloc(&p, 64));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(o));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaEventQuery(old));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
    OK(cudaMalloc(&p, 64));
    OK(cudaFree(p));
    clean_up();
}

static void check_row(size_t i, unsigned mode)
{
    const struct row *r = &rows[i];
    bool is_meant = r->modes >> mode & 1;
    enum outcome outcome = is_meant              ? r->outcome
                           : r->outcome == ENDED ? ENDED
                                                 : GOES_ON;
    enum cudaStreamCaptureStatus status;
    cudaGraph_t g = NULL;
    size_t nodes = 9;
    OK(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)mode));
    OK(cudaEventRecord(cap, s));
    cudaError_t err = operate(i);
    cudaGetLastError();
    OK(cudaStreamIsCapturing(s, &status));
    cudaError_t after = status == cudaStreamCaptureStatusInvalidated
                            ? kernel(s)
                            : cudaErrorStreamCaptureInvalidated;
    cudaError_t ended = cudaStreamEndCapture(s, &g);
    cudaGetLastError();
    bool ok = err == (is_meant ? r->error : cudaSuccess) &&
              after == cudaErrorStreamCaptureInvalidated &&
              (g != NULL) == !ended;
    switch (outcome) {
    case GOES_ON:
    case ADDS:
        if (g)
            OK(cudaGraphGetNodes(g, NULL, &nodes));
        ok &= status == cudaStreamCaptureStatusActive && !ended &&
              nodes == (outcome == ADDS);
        break;
    case INVALIDATES:
        ok &= status == cudaStreamCaptureStatusInvalidated &&
              ended == cudaErrorStreamCaptureInvalidated;
        break;
    case UNJOINED:
        ok &= ended == cudaErrorStreamCaptureUnjoined;
        break;
    case ENDED:
        ok &= status == cudaStreamCaptureStatusNone &&
              ended == cudaErrorIllegalState;
        break;
    }
    if (!ok)
        printf("%s, mode %u: %s, status %d, then %s, %zu nodes\n", r->name,
               mode, cudaGetErrorName(err), (int)status,
               cudaGetErrorName(ended), nodes);
    failures += !ok;
    if (g)
        OK(cudaGraphDestroy(g));
}

/* ---- what a captured graph does ------------------------------------------ */

static unsigned at(unsigned i)
{
    unsigned value = 0;
    OK(cudaMemcpy(&value, d + i, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static void run(cudaGraph_t g)
{
    cudaGraphExec_t e;
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, s));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphExecDestroy(e));
}

/* Fork over an event, join over another; nothing runs before the launch. */
/* An event that an earlier capture recorded is nothing to wait for. */
static void external_wait_for_captured(void)
{
    cudaStream_t stream;
    cudaEvent_t event;
    cudaGraph_t g;
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&event));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(event, stream));
    OK(cudaStreamEndCapture(stream, &g));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    GIVES(cudaErrorInvalidValue,
          cudaStreamWaitEvent(stream, event, cudaEventWaitExternal));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &g));
    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(stream));
}

static void fork_and_join(void)
{
    cudaGraph_t g;
    size_t edges = 0;
    OK(cudaMemset(d, 0, 4096));
    OK(begin(s));
    OK(cudaMemsetAsync(d, 1, 512, s));
    OK(cudaEventRecord(cap, s));
    OK(cudaStreamWaitEvent(o, cap, 0));
    OK(launch_store(d, 2, 32, s));
    OK(launch_store(d + 32, 3, 32, o));
    OK(cudaEventRecord(fresh, o));
    OK(cudaStreamWaitEvent(s, fresh, 0));
    OK(cudaMemcpyAsync(d + 64, d + 16, 128, cudaMemcpyDeviceToDevice, s));
    OK(cudaStreamEndCapture(s, &g));
    CHECK(at(0) == 0);
    OK(cudaGraphGetEdges(g, NULL, NULL, &edges));
    CHECK(edges == 4);
    run(g);
    CHECK(at(0) == 2 && at(63) == 3 && at(64) == 2 && at(80) == 3);
    CHECK(at(96) == 0x01010101);
    OK(cudaGraphDestroy(g));
}

/* An event of a capture that is over says nothing until it is recorded again.
 */
static void after_capture(void)
{
    cudaGraph_t g;
    cudaEvent_t e;
    OK(cudaEventCreate(&e));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(d, 0, 128, s));
    OK(cudaEventRecord(e, s));
    OK(cudaStreamEndCapture(s, &g));
    GIVES(cudaErrorInvalidValue, cudaEventQuery(e));
    GIVES(cudaErrorInvalidValue, cudaEventSynchronize(e));
    GIVES(cudaErrorInvalidValue, cudaStreamWaitEvent(o, e, 0));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    GIVES(cudaErrorInvalidValue, cudaStreamWaitEvent(s, e, 0));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
    OK(cudaEventRecord(e, s));
    OK(cudaEventSynchronize(e));
    OK(cudaEventQuery(e));
    OK(cudaEventDestroy(e));
}

/* A kernel that may begin early has an edge that says so. */
static void programmatic(void)
{
    unsigned value = 4;
    void *args[] = {&d, &value};
    cudaLaunchAttribute a = {
        .id = cudaLaunchAttributeProgrammaticStreamSerialization};
    a.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {.gridDim = {1, 1, 1},
                                       .blockDim = {32, 1, 1},
                                       .stream = s,
                                       .attrs = &a,
                                       .numAttrs = 1};
    cudaGraph_t g;
    cudaGraphNode_t from[2], to[2];
    cudaGraphEdgeData data[2];
    size_t count = 2;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(d, 0, 128, s));
    OK(cudaLaunchKernelExC(&config, &store, args));
    OK(cudaLaunchKernelExC(&config, &store, args));
    OK(cudaStreamEndCapture(s, &g));
    GIVES(cudaErrorLossyQuery, cudaGraphGetEdges(g, from, to, &count));
    count = 2;
    OK(cudaGraphGetEdges_v2(g, from, to, data, &count));
    CHECK(count == 2 && data[0].type == cudaGraphDependencyTypeDefault);
    CHECK(data[1].type == cudaGraphDependencyTypeProgrammatic);
    CHECK(data[1].from_port == cudaGraphKernelNodePortProgrammatic);
    run(g);
    CHECK(at(0) == 4);
    OK(cudaGraphDestroy(g));
}

/* Into a graph that is there, behind one of its nodes; and what is told. */
static void into_a_graph(void)
{
    cudaGraph_t g, told, got;
    cudaGraphNode_t first, second;
    const cudaGraphNode_t *dependencies;
    const cudaGraphEdgeData *data;
    unsigned long long id = 0, other = 0;
    size_t count;
    enum cudaStreamCaptureStatus status;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddEmptyNode(&first, g, NULL, 0));
    OK(cudaGraphAddEmptyNode(&second, g, NULL, 0));
    OK(cudaStreamBeginCaptureToGraph(s, g, &first, NULL, 1,
                                     cudaStreamCaptureModeGlobal));
    GIVES(cudaErrorIllegalState, cudaGraphDestroy(g));
    OK(cudaStreamGetCaptureInfo(s, &status, &id, &told, &dependencies, &count));
    CHECK(status == cudaStreamCaptureStatusActive && told == g && count == 1);
    CHECK(dependencies[0] == first);
    OK(cudaStreamUpdateCaptureDependencies(s, &second, 1,
                                           cudaStreamAddCaptureDependencies));
    OK(cudaStreamGetCaptureInfo_v3(s, &status, &other, &told, &dependencies,
                                   &data, &count));
    CHECK(count == 2 && dependencies[1] == second && other == id);
    OK(cudaStreamUpdateCaptureDependencies_v2(
        s, &second, NULL, 1, cudaStreamSetCaptureDependencies));
    GIVES(cudaErrorInvalidValue,
          cudaStreamUpdateCaptureDependencies(s, &second, 1, 7));
    OK(launch_store(d, 21, 32, s));
    OK(cudaStreamEndCapture(s, &got));
    CHECK(got == g);
    OK(cudaGraphNodeGetDependentNodes(first, NULL, &count));
    CHECK(count == 0);
    OK(cudaGraphNodeGetDependentNodes(second, NULL, &count));
    CHECK(count == 1);
    run(g);
    CHECK(at(0) == 21);
    GIVES(cudaErrorIllegalState,
          cudaStreamUpdateCaptureDependencies(s, &second, 1, 0));
    OK(cudaGraphDestroy(g));
}

/* Into a graph of the program's: it need not be told which. */
static void into_own_graph(void)
{
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaStreamBeginCaptureToGraph(s, g, NULL, NULL, 0,
                                     cudaStreamCaptureModeGlobal));
    OK(launch_store(d, 23, 32, s));
    OK(cudaStreamEndCapture(s, NULL));
    run(g);
    CHECK(at(0) == 23);
    OK(cudaGraphDestroy(g));
    OK(begin(s));
    OK(cudaStreamEndCapture(s, NULL)); /* nobody gets it */
    GIVES(cudaErrorIllegalState, cudaStreamEndCapture(s, &g));
}

/* A stream that has joined again may go before the capture ends. */
static void destroyed_stream(void)
{
    cudaGraph_t g = NULL;
    cudaStream_t other;
    cudaEvent_t forked, joined;
    OK(cudaEventCreate(&forked));
    OK(cudaEventCreate(&joined));
    for (int joins = 0; joins < 2; joins++) {
        OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
        OK(begin(s));
        OK(launch_store(d, 24, 32, s));
        OK(cudaEventRecord(forked, s));
        OK(cudaStreamWaitEvent(other, forked, 0));
        OK(launch_store(d, 25, 32, other));
        OK(cudaEventRecord(joined, other));
        if (joins)
            OK(cudaStreamWaitEvent(s, joined, 0));
        OK(cudaStreamDestroy(other));
        GIVES(joins ? cudaSuccess : cudaErrorStreamCaptureUnjoined,
              cudaStreamEndCapture(s, &g));
    }
    run(g);
    CHECK(at(0) == 25);
    OK(cudaGraphDestroy(g));
    OK(cudaEventDestroy(forked));
    OK(cudaEventDestroy(joined));
}

/* Allocations of a stream become the graph's. */
static void memory(void)
{
    cudaGraph_t g;
    unsigned *p;
    OK(begin(s));
    OK(cudaMallocAsync((void **)&p, 4096, s));
    OK(launch_store(p, 31, 32, s));
    OK(cudaMemcpyAsync(d, p, 128, cudaMemcpyDeviceToDevice, s));
    OK(cudaFreeAsync(p, s));
    OK(cudaStreamEndCapture(s, &g));
    run(g);
    CHECK(at(31) == 31);
    OK(cudaGraphDestroy(g));
}

/* As llama.cpp does: once a graph; at each step the same work is captured with
 * other pointers, and the instance takes them. */
static void step_by_step(void)
{
    cudaGraphExec_t e = NULL;
    OK(cudaMemset(d, 0, 4096));
    for (unsigned step = 0; step < 20; step++) {
        cudaGraph_t g;
        OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
        OK(launch_store(d + 32 * step, step + 1, 32, s));
        OK(cudaMemcpyAsync(d2, d + 32 * step, 128, cudaMemcpyDeviceToDevice,
                           s));
        OK(cudaStreamEndCapture(s, &g));
        size_t count = 2;
        cudaGraphNode_t nodes[2];
        struct cudaKernelNodeParams k;
        OK(cudaGraphGetNodes(g, nodes, &count));
        OK(cudaGraphKernelNodeGetParams(nodes[0], &k));
        CHECK(k.func == &store && *(unsigned *)k.kernelParams[1] == step + 1);
        cudaGraphExecUpdateResultInfo info;
        if (e)
            OK(cudaGraphExecUpdate(e, g, &info));
        else
            OK(cudaGraphInstantiate(&e, g, 0));
        OK(cudaGraphDestroy(g));
        OK(cudaGraphLaunch(e, s));
    }
    OK(cudaStreamSynchronize(s));
    for (unsigned step = 0; step < 20; step++)
        CHECK(at(32 * step + 5) == step + 1);
    OK(cudaGraphExecDestroy(e));
}

int main(void)
{
    cudaGraphNode_t n;
    kernels_register();
    OK(cudaMalloc((void **)&d, 4096));
    OK(cudaMalloc((void **)&d2, 4096));
    OK(cudaMallocHost((void **)&pin, 4096));
    OK(cudaMallocManaged(&managed, 4096, cudaMemAttachGlobal));
    OK(cudaGraphCreate(&small_graph, 0));
    OK(cudaGraphAddEmptyNode(&n, small_graph, NULL, 0));
    OK(cudaGraphInstantiate(&exec, small_graph, 0));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned mode = 0; mode < 3; mode++) {
            set_up();
            check_row(i, mode);
            clean_up();
        }
    }
    invalid_ones_forbid();
    set_up();
    GIVES(cudaErrorStreamCaptureUnsupported, begin(NULL));
    GIVES(cudaErrorIllegalState, end(s));
    GIVES(cudaErrorInvalidValue,
          cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)9));
    external_wait_for_captured();
    fork_and_join();
    programmatic();
    after_capture();
    into_a_graph();
    into_own_graph();
    destroyed_stream();
    memory();
    step_by_step();
    /* A reset ends it. */
    OK(begin(s));
    OK(kernel(s));
    OK(cudaDeviceReset());
    return check_result();
}
