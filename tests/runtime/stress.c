/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runtime-stress [SECONDS [SEED]]: eight threads that do at random what programs
 * do, each with streams, events, memory, graphs and contexts of its own, and
 * wait for each other's events. Every result is compared.
 */
#include "check.h"
#include "kernels.h"

#include <cuda.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { THREADS = 8, WORDS = 256 };

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static cudaEvent_t shared[THREADS]; /* each recorded by one, waited for by all */
static atomic_uint wrong, calls_of_host, calls_expected;
static double end_s;

struct worker {
    pthread_t thread;
    unsigned id;
    uint64_t random;
    cudaStream_t stream;
    unsigned *memory, *seen; /* of the device; of the host, pinned */
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned below(struct worker *w, unsigned n)
{
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(w->random >> 33) % n;
}

static void must(cudaError_t err, int line)
{
    if (err) {
        printf("%s:%d: %s\n", __FILE__, line, cudaGetErrorName(err));
        atomic_fetch_add(&wrong, 1);
    }
}
#define MUST(call) must(call, __LINE__)

static void expect(bool is_so, int line)
{
    if (!is_so) {
        printf("%s:%d: another result\n", __FILE__, line);
        atomic_fetch_add(&wrong, 1);
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

static bool is_all(const unsigned *p, unsigned value)
{
    for (unsigned i = 0; i < WORDS; i++)
        if (p[i] != value)
            return false;
    return true;
}

/* ---- what they do ------------------------------------------------------- */

static void kernel_and_copy(struct worker *w)
{
    unsigned value = below(w, 1000);
    MUST(launch_store(w->memory, value, WORDS, w->stream));
    MUST(cudaMemcpyAsync(w->seen, w->memory, WORDS * 4, cudaMemcpyDefault,
                         w->stream));
    MUST(cudaStreamSynchronize(w->stream));
    EXPECT(is_all(w->seen, value));
}

static void default_stream(struct worker *w)
{
    unsigned value = below(w, 256);
    MUST(cudaMemset(w->memory, (int)value, WORDS * 4));
    MUST(cudaMemcpy(w->seen, w->memory, WORDS * 4, cudaMemcpyDefault));
    EXPECT(is_all(w->seen, value * 0x01010101u));
}

static void new_stream(struct worker *w)
{
    MUST(cudaStreamSynchronize(w->stream));
    MUST(cudaStreamDestroy(w->stream));
    MUST(cudaStreamCreateWithFlags(
        &w->stream, below(w, 2) ? cudaStreamNonBlocking : cudaStreamDefault));
}

static void events(struct worker *w)
{
    cudaEvent_t begin, end;
    float ms = -1;
    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
    MUST(cudaEventRecord(begin, w->stream));
    MUST(launch_store(w->memory, 1, WORDS, w->stream));
    MUST(cudaEventRecord(end, w->stream));
    MUST(cudaEventRecord(shared[w->id], w->stream));
    MUST(cudaStreamWaitEvent(w->stream, shared[below(w, THREADS)], 0));
    MUST(cudaEventSynchronize(end));
    MUST(cudaEventElapsedTime(&ms, begin, end));
    EXPECT(ms >= 0);
    MUST(cudaEventDestroy(begin));
    MUST(cudaEventDestroy(end));
}

static void memory(struct worker *w)
{
    size_t bytes = 4 * (WORDS + (size_t)below(w, 1 << 20));
    unsigned *p, *q;
    MUST(cudaMalloc((void **)&p, bytes));
    MUST(cudaMallocAsync((void **)&q, bytes, w->stream));
    MUST(launch_store(q, w->id, WORDS, w->stream));
    MUST(cudaMemcpyAsync(p, q, WORDS * 4, cudaMemcpyDefault, w->stream));
    MUST(cudaFreeAsync(q, w->stream));
    MUST(cudaMemcpyAsync(w->seen, p, WORDS * 4, cudaMemcpyDefault, w->stream));
    MUST(cudaStreamSynchronize(w->stream));
    EXPECT(is_all(w->seen, w->id));
    MUST(cudaFree(p));
}

static void CUDART_CB call_of_host(void *data)
{
    (void)data;
    atomic_fetch_add(&calls_of_host, 1);
}

static void host_function(struct worker *w)
{
    atomic_fetch_add(&calls_expected, 1);
    MUST(cudaLaunchHostFunc(w->stream, call_of_host, NULL));
}

/* A memset, a kernel and a copy; launched, changed, launched again. (What is
 * captured must not wait for the default stream, which others use.) */
static void graph(struct worker *w)
{
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t exec;
    cudaGraphNode_t nodes[8];
    size_t count = COUNT_OF(nodes);
    unsigned value = below(w, 1000), other = below(w, 1000);
    MUST(cudaStreamSynchronize(w->stream));
    MUST(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    MUST(cudaMemsetAsync(w->memory, 0, WORDS * 4, s));
    MUST(launch_store(w->memory, value, WORDS, s));
    MUST(cudaMemcpyAsync(w->seen, w->memory, WORDS * 4, cudaMemcpyDefault,
                         s));
    MUST(cudaStreamEndCapture(s, &g));
    MUST(cudaGraphInstantiateWithFlags(&exec, g, 0));
    for (unsigned i = 1 + below(w, 4); i > 0; i--)
        MUST(cudaGraphLaunch(exec, s));
    MUST(cudaStreamSynchronize(s));
    EXPECT(is_all(w->seen, value));

    void *args[] = {&w->memory, &other};
    const struct cudaKernelNodeParams k = {.func = &store,
                                           .gridDim = {WORDS / 32, 1, 1},
                                           .blockDim = {32, 1, 1},
                                           .kernelParams = args};
    MUST(cudaGraphGetNodes(g, nodes, &count));
    for (size_t i = 0; i < count; i++) {
        enum cudaGraphNodeType type;
        MUST(cudaGraphNodeGetType(nodes[i], &type));
        if (type == cudaGraphNodeTypeKernel)
            MUST(cudaGraphExecKernelNodeSetParams(exec, nodes[i], &k));
    }
    MUST(cudaGraphLaunch(exec, s));
    if (below(w, 2))
        MUST(cudaStreamSynchronize(s));
    MUST(cudaGraphExecDestroy(exec)); /* it may still run */
    MUST(cudaGraphDestroy(g));
    MUST(cudaStreamSynchronize(s));
    EXPECT(is_all(w->seen, other));
    MUST(cudaStreamDestroy(s));
}

static void context(struct worker *w)
{
    CUcontext ctx, before;
    CUdeviceptr p;
    unsigned value = below(w, 1000), seen = 0;
    EXPECT(!cuCtxGetCurrent(&before));
    EXPECT(!cuCtxCreate(&ctx, 0, 0));
    EXPECT(!cuMemAlloc(&p, 4096));
    EXPECT(!cuMemsetD32(p, value, 1024));
    EXPECT(!cuMemcpyDtoH(&seen, p + 4092, 4));
    EXPECT(seen == value);
    if (below(w, 2))
        EXPECT(!cuMemFree(p));
    EXPECT(!cuCtxDestroy(ctx)); /* with what is left in it */
    EXPECT(!cuCtxSetCurrent(before));
}

static void *run(void *data)
{
    static void (*const actions[])(struct worker *) = {
        kernel_and_copy, kernel_and_copy, default_stream, new_stream, events,
        memory,          host_function,   graph,          context};
    struct worker *w = data;
    MUST(cudaStreamCreate(&w->stream));
    MUST(cudaMalloc((void **)&w->memory, WORDS * 4));
    MUST(cudaMallocHost((void **)&w->seen, WORDS * 4));
    while (now_s() < end_s && atomic_load(&wrong) < 10)
        actions[below(w, COUNT_OF(actions))](w);
    MUST(cudaStreamSynchronize(w->stream));
    MUST(cudaFreeHost(w->seen));
    MUST(cudaFree(w->memory));
    MUST(cudaStreamDestroy(w->stream));
    return NULL;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 2;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    struct worker workers[THREADS] = {0};

    kernels_register();
    for (unsigned i = 0; i < THREADS; i++)
        OK(cudaEventCreateWithFlags(&shared[i], cudaEventDisableTiming));
    end_s = now_s() + seconds;
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].id = i;
        workers[i].random = seed * THREADS + i;
        pthread_create(&workers[i].thread, NULL, run, &workers[i]);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    OK(cudaDeviceSynchronize());
    CHECK(atomic_load(&calls_of_host) == atomic_load(&calls_expected));
    CHECK(atomic_load(&wrong) == 0);
    for (unsigned i = 0; i < THREADS; i++)
        OK(cudaEventDestroy(shared[i]));
    kernels_unregister();
    return failures != 0;
}
