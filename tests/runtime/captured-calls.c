/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Some 480 calls of both APIs while a stream is captured, in each mode: their
 * error, and what becomes of the capture. The rows are an H200's answers.
 * captures.c has more of them, and what captured graphs do.
 */
#include "captured-operands.h"

#include <cudaProfiler.h>
#include <cuda_profiler_api.h>

#include <sched.h>
#include <stdatomic.h>

/* ---- the table ----------------------------------------------------------- */

enum outcome {
    GOES_ON,     /* the capture is as if nothing had been */
    ADDS,        /* it has a node more */
    INVALIDATES, /* it ends with StreamCaptureInvalidated */
};

/* Which modes an error is for; in the others the operation succeeds and the
 * capture goes on. */
enum modes { ALL = 7, NOT_RELAXED = 3 };

static const struct row {
    const char *name;
    enum outcome outcome;
    enum modes modes;
    cudaError_t error;
} rows[] = {
#define ROW(call, outcome, modes, error) {#call, outcome, modes, error},
#define DRIVER_ROW                       ROW
#include "captured-calls.def"
#undef ROW
#undef DRIVER_ROW
};

static cudaError_t operate(size_t which)
{
    size_t i = 0;
#define ROW(call, outcome, modes, error)                                       \
    if (i++ == which)                                                          \
        return call;
#define DRIVER_ROW(call, outcome, modes, error)                                \
    if (i++ == which)                                                          \
        return (cudaError_t)(call);
#include "captured-calls.def"
#undef ROW
#undef DRIVER_ROW
    return cudaErrorUnknown;
}

static void make_streams(void)
{
    cudaGraph_t g;
    make_spares();
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&o));
    OK(cudaStreamCreateWithFlags(&nb, cudaStreamNonBlocking));
    OK(cudaEventCreate(&cap));
    OK(cudaEventCreate(&old));
    OK(cudaEventCreate(&stale));
    OK(cudaEventCreate(&never));
    OK(cudaEventCreate(&fresh));
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    OK(cudaEventRecord(old, o));
    OK(cudaStreamBeginCapture(nb, cudaStreamCaptureModeRelaxed));
    OK(cudaEventRecord(stale, nb));
    OK(cudaStreamEndCapture(nb, &g));
    OK(cudaGraphDestroy(g));
    OK(cudaDeviceSynchronize());
}

/* Some calls have destroyed one. */
static void destroy_streams(void)
{
    const cudaEvent_t events[] = {cap, old, stale, never, fresh, untimed};
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        cudaEventDestroy(events[i]);
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(o));
    OK(cudaStreamDestroy(nb));
    cudaGetLastError();
}

static void check_row(size_t i, unsigned mode)
{
    const struct row *r = &rows[i];
    bool is_meant = r->modes >> mode & 1;
    enum outcome outcome = is_meant ? r->outcome : GOES_ON;
    cudaGraph_t g = NULL;
    size_t nodes = 0;
    OK(cudaStreamBeginCapture(s, (enum cudaStreamCaptureMode)mode));
    OK(cudaEventRecord(cap, s));
    cudaError_t err = operate(i);
    cudaGetLastError();
    OK(cudaStreamIsCapturing(s, &status));
    cudaError_t ended = cudaStreamEndCapture(s, &g);
    cudaGetLastError();
    if (g)
        OK(cudaGraphGetNodes(g, NULL, &nodes));
    bool ok = err == (is_meant ? r->error : cudaSuccess);
    if (outcome == INVALIDATES)
        ok &= status == cudaStreamCaptureStatusInvalidated && !g &&
              ended == cudaErrorStreamCaptureInvalidated;
    else
        ok &= status == cudaStreamCaptureStatusActive && !ended &&
              nodes == (outcome == ADDS);
    if (!ok)
        printf("%s, mode %u: %s, status %d, then %s, %zu nodes\n", r->name,
               mode, cudaGetErrorName(err), (int)status,
               cudaGetErrorName(ended), nodes);
    failures += !ok;
    if (g)
        OK(cudaGraphDestroy(g));
}

static void wait_until_set(void *flag)
{
    while (!atomic_load((atomic_bool *)flag))
        sched_yield();
}

/* What comes behind a capture waits for what came before it. */
static void order_around(void)
{
    static atomic_bool may_go;
    cudaGraph_t g;
    unsigned value = 0;
    make_streams();
    OK(cudaMemset(d, 0, 4));
    OK(cudaLaunchHostFunc(nb, wait_until_set, &may_go));
    OK(cudaMemsetAsync(d, 1, 4, nb));
    OK(cudaStreamBeginCapture(nb, cudaStreamCaptureModeRelaxed));
    OK(cudaMemsetAsync(d, 2, 4, nb));
    OK(cudaStreamEndCapture(nb, &g));
    OK(cudaMemcpyAsync(pin, d, 4, cudaMemcpyDefault, nb));
    GIVES(cudaErrorNotReady, cudaStreamQuery(nb));
    atomic_store(&may_go, true);
    OK(cudaStreamSynchronize(nb));
    memcpy(&value, pin, sizeof value);
    CHECK(value == 0x01010101);
    OK(cudaGraphDestroy(g));
    destroy_streams();
}

static void set_up(void)
{
    const struct cudaChannelFormatDesc word = {32, 0, 0, 0,
                                               cudaChannelFormatKindUnsigned};
    kernels_register();
    OK(cudaMalloc((void **)&d, 4096));
    OK(cudaMalloc((void **)&d2, 4096));
    OK(cudaMallocHost((void **)&pin, 4096));
    OK(cudaMallocManaged((void **)&managed, 65536, cudaMemAttachGlobal));
    OK(cudaMallocArray(&arr, &word, 16, 16, 0));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaUserObjectCreate(&uo, d, nothing, 100,
                            cudaUserObjectNoDestructorSync));
    OK(cudaGraphCreate(&small_graph, 0));
    OK(cudaGraphAddEmptyNode(&small_node, small_graph, NULL, 0));
    OK(cudaGraphInstantiate(&ex, small_graph, 0));
    CHECK(!cuCtxGetCurrent(&ctx));
    CHECK(!cuModuleLoadData(&module, kernels_ptx));
    CHECK(!cuModuleGetFunction(&fn, module, "store"));
    set_up_operands();
}

int main(void)
{
    set_up();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned mode = 0; mode < 3; mode++) {
            make_streams();
            check_row(i, mode);
            destroy_streams();
        }
    }
    order_around();
    return check_result();
}
