// SPDX-License-Identifier: Apache-2.0
// What a graph's launch has allocated stays when the graph and its instance are
// gone, until it is freed: by a call, behind a stream's work, or by another
// graph.
#include <cstdio>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t err = (call);                                              \
        if (err)                                                               \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(err));          \
    } while (0)

enum { N = 20000 };

__global__ void fill(int *p, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < 20; round++)
        if (i < N)
            ((volatile int *)p)[i] = value + i + round - 19;
}

// Launches a graph that allocates and fills, and destroys it at once.
static int *allocate(cudaStream_t s, int value, unsigned flags)
{
    int *p;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaMallocAsync((void **)&p, N * sizeof *p, s));
    fill<<<(N + 255) / 256, 256, 0, s>>>(p, value);
    CHECK(cudaStreamEndCapture(s, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, flags));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return p;
}

static int wrong(const int *p, int value, cudaStream_t s)
{
    static int host[N];
    int count = 0;
    CHECK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    for (int i = 0; i < N; i++)
        count += host[i] != value + i;
    return count;
}

static void free_by_graph(int *p, cudaStream_t s)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemFreeNode(&node, graph, NULL, 0, p));
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    fill<<<(N + 255) / 256, 256, 0, s>>>(p, 5);
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

int main()
{
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    for (int round = 0; round < 3; round++) {
        unsigned flags = round ? cudaGraphInstantiateFlagAutoFreeOnLaunch : 0;
        int *p = allocate(s, 1000, flags), *q = allocate(s, 2000, flags),
            *r = allocate(s, 3000, flags);
        printf("wrong: %d %d %d\n", wrong(p, 1000, s), wrong(q, 2000, s),
               wrong(r, 3000, s));
        fill<<<(N + 255) / 256, 256, 0, s>>>(q, 7);
        CHECK(cudaFreeAsync(q, s)); // behind the kernel
        CHECK(cudaFree(p));
        free_by_graph(r, s);
        CHECK(cudaStreamSynchronize(s));
        printf("again: %s", cudaGetErrorName(cudaFree(p)));
        printf(" %s", cudaGetErrorName(cudaFreeAsync(q, s)));
        printf(" %s\n", cudaGetErrorName(cudaFree(r)));
        cudaGetLastError();
    }
    size_t used = 1;
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent,
                                         &used));
    printf("used: %zu\n", used);
}
