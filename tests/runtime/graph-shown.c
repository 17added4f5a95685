/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What captured work looks like when a program asks for it, as an H200 shows
 * it: copies of arrays as such and in elements, boxes where they lie, edges
 * behind the events of launches; which functions and memory nodes name.
 */
#include "check.h"
#include "kernels.h"

#include <cuda.h>

static cudaStream_t s, other;
static cudaArray_t flat, box;
static char *device, *pinned;

/* ---- copies -------------------------------------------------------------- */

static void put_side(char *text, size_t room, cudaArray_t a,
                     struct cudaPitchedPtr p, struct cudaPos at)
{
    if (a)
        snprintf(text, room, "array %zu,%zu,%zu", at.x, at.y, at.z);
    else
        snprintf(text, room, "pitch %zu height %zu %zu,%zu,%zu", p.pitch,
                 p.ysize, at.x, at.y, at.z);
}

static void expect_shown(cudaGraphNode_t n, const char *expected)
{
    char from[64], to[64], all[256];
    struct cudaMemcpy3DParms p;
    OK(cudaGraphMemcpyNodeGetParams(n, &p));
    put_side(from, sizeof from, p.srcArray, p.srcPtr, p.srcPos);
    put_side(to, sizeof to, p.dstArray, p.dstPtr, p.dstPos);
    snprintf(all, sizeof all, "%d: %zu %zu %zu, %s to %s", p.kind,
             p.extent.width, p.extent.height, p.extent.depth, from, to);
    CHECK(strcmp(all, expected) == 0);
    if (strcmp(all, expected) != 0)
        printf("%s, expected %s\n", all, expected);
    CHECK((p.srcArray == NULL) != (p.srcPtr.ptr == NULL));
    CHECK((p.dstArray == NULL) != (p.dstPtr.ptr == NULL));
}

static void begin(void)
{
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
}

/* Ends the capture, which has made these copies, and runs it. */
static void end_copies(const char *const *expected, size_t count)
{
    enum { MOST = 8 };
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t nodes[MOST];
    size_t there = MOST;
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphGetNodes(g, nodes, &there));
    CHECK(there == count);
    for (size_t i = 0; i < count && i < there; i++)
        expect_shown(nodes[i], expected[i]);
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphLaunch(x, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
}

#define END_COPIES(expected)                                                   \
    end_copies(expected, sizeof(expected) / sizeof *(expected))

/* Elements are of 16 bytes, rows of 1,024. */
static void rows(void)
{
    static const char *const expected[] = {
        "3: 8 5 1, pitch 512 height 0 0,0,0 to array 2,1,0",
        "3: 4 3 1, array 1,2,0 to pitch 1024 height 0 0,0,0",
        "2: 64 4 1, array 0,0,0 to pitch 1024 height 0 0,0,0",
        "3: 64 1 1, pitch 1024 height 0 0,0,0 to array 0,3,0",
        "3: 16 1 1, array 1,0,0 to pitch 1024 height 0 0,0,0",
        "3: 100 7 1, pitch 256 height 0 0,0,0 to pitch 512 height 0 0,0,0",
    };
    const enum cudaMemcpyKind inside = cudaMemcpyDeviceToDevice;
    begin();
    OK(cudaMemcpy2DToArrayAsync(flat, 32, 1, device, 512, 128, 5, inside, s));
    OK(cudaMemcpy2DFromArrayAsync(device, 1024, flat, 16, 2, 64, 3, inside, s));
    OK(cudaMemcpy2DFromArrayAsync(pinned, 1024, flat, 0, 0, 1024, 4,
                                  cudaMemcpyDeviceToHost, s));
    OK(cudaMemcpyToArrayAsync(flat, 0, 3, device, 1024, inside, s));
    OK(cudaMemcpyFromArrayAsync(device, flat, 16, 0, 256, inside, s));
    OK(cudaMemcpy2DAsync(device, 512, device + 65536, 256, 100, 7, inside, s));
    END_COPIES(expected);
}

static void boxes(void)
{
    static const char *const expected[] = {
        "3: 4 3 2, pitch 256 height 8 0,0,0 to array 1,2,1",
        "3: 16 8 2, array 0,0,0 to array 0,0,2",
        "4: 100 3 2, pitch 256 height 8 8,1,1 to pitch 512 height 16 0,0,0",
    };
    struct cudaMemcpy3DParms p = {
        .srcPtr = {.ptr = device, .pitch = 256, .xsize = 16, .ysize = 8},
        .dstArray = box,
        .dstPos = {1, 2, 1},
        .extent = {4, 3, 2},
        .kind = cudaMemcpyDeviceToDevice};
    begin();
    OK(cudaMemcpy3DAsync(&p, s));
    p = (struct cudaMemcpy3DParms){.srcArray = box,
                                   .dstArray = box,
                                   .dstPos = {0, 0, 2},
                                   .extent = {16, 8, 2},
                                   .kind = cudaMemcpyDeviceToDevice};
    OK(cudaMemcpy3DAsync(&p, s));
    p = (struct cudaMemcpy3DParms){
        .srcPtr = {.ptr = device, .pitch = 256, .xsize = 200, .ysize = 8},
        .dstPtr = {.ptr = device + 65536, .pitch = 512, .ysize = 16},
        .srcPos = {8, 1, 1},
        .extent = {100, 3, 2},
        .kind = cudaMemcpyDefault};
    OK(cudaMemcpy3DAsync(&p, s));
    END_COPIES(expected);
}

/* The driver API shows bytes, and of each side only what is of its type. */
static void driver_side(void)
{
    CUDA_MEMCPY3D p;
    cudaGraph_t g;
    cudaGraphNode_t n;
    size_t count = 1;
    begin();
    CHECK(!cuMemcpyHtoAAsync((CUarray)flat, 32, pinned, 128, (CUstream)s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphGetNodes(g, &n, &count));
    CHECK(!cuGraphMemcpyNodeGetParams((CUgraphNode)n, &p));
    CHECK(p.srcMemoryType == CU_MEMORYTYPE_HOST && p.srcHost == pinned);
    CHECK(!p.srcDevice && !p.srcArray && !p.srcPitch && !p.dstPitch);
    CHECK(p.dstMemoryType == CU_MEMORYTYPE_ARRAY &&
          p.dstArray == (CUarray)flat);
    CHECK(!p.dstDevice && !p.dstHost && p.dstXInBytes == 32);
    CHECK(p.WidthInBytes == 128 && p.Height == 1 && p.Depth == 1);
    OK(cudaGraphDestroy(g));
}

/* A copy of an array stays one. A fill of one row has no pitch. */
static void changes(void)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t nodes[2];
    size_t count = 2;
    struct cudaMemsetParams fill;
    begin();
    OK(cudaMemcpy2DToArrayAsync(flat, 0, 0, device, 64, 64, 1,
                                cudaMemcpyDeviceToDevice, s));
    OK(cudaMemsetAsync(device, 3, 10, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphGetNodes(g, nodes, &count));
    OK(cudaGraphInstantiate(&x, g, 0));
    GIVES(cudaErrorInvalidValue,
          cudaGraphExecMemcpyNodeSetParams1D(x, nodes[0], device, device + 64,
                                             64, cudaMemcpyDeviceToDevice));
    OK(cudaGraphMemsetNodeGetParams(nodes[1], &fill));
    CHECK(fill.pitch == 0 && fill.width == 10 && fill.height == 1);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
}

/* ---- edges --------------------------------------------------------------- */

static void launch(cudaStream_t stream, cudaLaunchAttribute *a)
{
    unsigned *p = (unsigned *)device, value = 1;
    void *args[] = {&p, &value};
    const cudaLaunchConfig_t c = {.gridDim = {1, 1, 1},
                                  .blockDim = {1, 1, 1},
                                  .stream = stream,
                                  .attrs = a,
                                  .numAttrs = a ? 1 : 0};
    OK(cudaLaunchKernelExC(&c, &store, args));
}

/* The edge from a kernel with such an event to another that waits for it. */
static void expect_edge(cudaLaunchAttribute a, cudaEvent_t e, unsigned port,
                        unsigned type)
{
    cudaGraph_t g;
    cudaGraphNode_t from, to;
    cudaGraphEdgeData data = {0};
    size_t count = 1;
    begin();
    launch(s, &a);
    OK(cudaStreamWaitEvent(other, e, 0));
    launch(other, NULL);
    OK(cudaEventRecord(e, other));
    OK(cudaStreamWaitEvent(s, e, 0));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphGetEdges_v2(g, &from, &to, &data, &count));
    CHECK(count == 1 && data.from_port == port && data.type == type);
    OK(cudaGraphDestroy(g));
}

static void edges(void)
{
    cudaEvent_t e;
    OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    cudaLaunchAttribute a = {.id = cudaLaunchAttributeProgrammaticEvent,
                             .val.programmaticEvent.event = e};
    expect_edge(a, e, cudaGraphKernelNodePortProgrammatic,
                cudaGraphDependencyTypeProgrammatic);
    a.val.programmaticEvent.triggerAtBlockStart = 1;
    expect_edge(a, e, cudaGraphKernelNodePortLaunchCompletion,
                cudaGraphDependencyTypeProgrammatic);
    a = (cudaLaunchAttribute){.id = cudaLaunchAttributeLaunchCompletionEvent,
                              .val.launchCompletionEvent.event = e};
    expect_edge(a, e, cudaGraphKernelNodePortLaunchCompletion,
                cudaGraphDependencyTypeDefault);
    OK(cudaEventDestroy(e));
}

/* What is captured behind the event has the edge, too, if it is no kernel. */
static void edges_of_fills(void)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t from, to;
    cudaGraphEdgeData data = {0};
    size_t count = 1;
    cudaEvent_t e;
    OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    cudaLaunchAttribute a = {.id = cudaLaunchAttributeProgrammaticEvent,
                             .val.programmaticEvent.event = e};
    begin();
    launch(s, &a);
    OK(cudaStreamWaitEvent(other, e, 0));
    OK(cudaMemsetAsync(device, 5, 4, other));
    OK(cudaEventRecord(e, other));
    OK(cudaStreamWaitEvent(s, e, 0));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphGetEdges_v2(g, &from, &to, &data, &count));
    CHECK(count == 1 && data.from_port == cudaGraphKernelNodePortProgrammatic &&
          data.type == cudaGraphDependencyTypeProgrammatic);
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphLaunch(x, s));
    OK(cudaStreamSynchronize(s));
    CHECK(device[0] == 5); /* the fill comes behind the store */
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
    OK(cudaEventDestroy(e));
}

/* An edge that is named twice is not there the second time. */
static void removals(void)
{
    cudaGraph_t g;
    cudaGraphNode_t a, b;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddEmptyNode(&a, g, NULL, 0));
    OK(cudaGraphAddEmptyNode(&b, g, &a, 1));
    const cudaGraphNode_t from[] = {a, a}, to[] = {b, b};
    GIVES(cudaErrorInvalidValue,
          cudaGraphRemoveDependencies_v2(g, from, to, NULL, 2));
    OK(cudaGraphDestroy(g));
}

/* ---- launches that cannot be --------------------------------------------- */

/* A node cannot become one of too many blocks that wait for each other. */
static void cooperation(void)
{
    unsigned *p = (unsigned *)device, value = 1;
    void *args[] = {&p, &value};
    cudaGraph_t g;
    cudaGraphNode_t n;
    cudaLaunchAttributeValue v = {.cooperative = 1};
    struct cudaKernelNodeParams k = {.func = &store,
                                     .gridDim = {100000, 1, 1},
                                     .blockDim = {64, 1, 1},
                                     .kernelParams = args};
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    GIVES(
        cudaErrorCooperativeLaunchTooLarge,
        cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeCooperative, &v));
    k.gridDim.x = 1;
    OK(cudaGraphKernelNodeSetParams(n, &k));
    OK(cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeCooperative, &v));
    k.gridDim.x = 100000;
    GIVES(cudaErrorCooperativeLaunchTooLarge,
          cudaGraphKernelNodeSetParams(n, &k));
    OK(cudaGraphDestroy(g));
}

/* After the first error all that a capture says is that it is lost. */
static void lost_captures(void)
{
    unsigned *p = (unsigned *)device, value = 1;
    void *args[] = {&p, &value};
    cudaGraph_t g;
    begin();
    GIVES(cudaErrorInvalidConfiguration,
          cudaLaunchKernel(&store, dim(1, 1, 1), dim(2048, 1, 1), args, 0, s));
    GIVES(cudaErrorStreamCaptureInvalidated,
          cudaLaunchKernel(&store, dim(1, 1, 1), dim(2048, 1, 1), args, 0, s));
    GIVES(cudaErrorStreamCaptureInvalidated,
          cudaMemcpyAsync(device, NULL, 4, cudaMemcpyDefault, s));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
}

/* A new node that is no kernel waits for the end of a kernel. */
static void new_nodes(void)
{
    unsigned *p = (unsigned *)device, value = 1;
    void *args[] = {&p, &value};
    cudaGraph_t g;
    cudaGraphNode_t first, n;
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeKernel};
    const cudaGraphEdgeData data = {
        .from_port = cudaGraphKernelNodePortProgrammatic,
        .type = cudaGraphDependencyTypeProgrammatic};
    params.kernel.func = &store;
    params.kernel.gridDim = params.kernel.blockDim = (dim3){1, 1, 1};
    params.kernel.kernelParams = args;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddNode_v2(&first, g, NULL, NULL, 0, &params));
    OK(cudaGraphAddNode_v2(&n, g, &first, &data, 1, &params));
    params = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeEmpty};
    GIVES(cudaErrorInvalidValue,
          cudaGraphAddNode_v2(&n, g, &first, &data, 1, &params));
    params.type = (enum cudaGraphNodeType)CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
    GIVES(cudaErrorInvalidValue,
          cudaGraphAddNode_v2(&n, g, &first, NULL, 1, &params));
    OK(cudaGraphDestroy(g));
}

/* ---- functions, memory --------------------------------------------------- */

/* Arguments that were given as a block are shown as one. */
static void expect_block(CUgraphNode n, int value)
{
    CUDA_KERNEL_NODE_PARAMS p;
    CHECK(!cuGraphKernelNodeGetParams_v2(n, &p));
    CHECK(!p.kernelParams && p.extra);
    if (!p.extra)
        return;
    CHECK(p.extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE &&
          *(size_t *)p.extra[1] == 4 &&
          p.extra[2] == CU_LAUNCH_PARAM_BUFFER_POINTER &&
          *(int *)p.extra[3] == value && p.extra[4] == CU_LAUNCH_PARAM_END);
}

static void blocks_of(cudaGraph_t g, CUfunction f)
{
    int value = 7;
    size_t bytes = sizeof value;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &value,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    CUgraphNode n, copy;
    CUgraph c;
    const CUDA_KERNEL_NODE_PARAMS p = {.func = f,
                                       .gridDimX = 1,
                                       .gridDimY = 1,
                                       .gridDimZ = 1,
                                       .blockDimX = 1,
                                       .blockDimY = 1,
                                       .blockDimZ = 1,
                                       .extra = extra};
    CHECK(!cuGraphAddKernelNode_v2(&n, (CUgraph)g, NULL, 0, &p));
    value = 8;
    expect_block(n, 7);
    CHECK(!cuGraphClone(&c, (CUgraph)g));
    CHECK(!cuGraphNodeFindInClone(&copy, n, c));
    expect_block(copy, 7);
    CHECK(!cuGraphDestroy(c));
}

/* The runtime does not know functions of modules. */
static void functions(void)
{
    static const char text[] =
        ".version 7.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry bare() { ret; }\n"
        ".visible .entry one(.param .u32 value) { ret; }\n";
    CUfunction one;
    CUmodule m;
    CUfunction f;
    CUgraphNode n;
    cudaGraph_t g;
    struct cudaKernelNodeParams params;
    CHECK(!cuModuleLoadData(&m, text) && !cuModuleGetFunction(&f, m, "bare"));
    const CUDA_KERNEL_NODE_PARAMS p = {.func = f,
                                       .gridDimX = 1,
                                       .gridDimY = 1,
                                       .gridDimZ = 1,
                                       .blockDimX = 1,
                                       .blockDimY = 1,
                                       .blockDimZ = 1};
    OK(cudaGraphCreate(&g, 0));
    CHECK(!cuGraphAddKernelNode_v2(&n, (CUgraph)g, NULL, 0, &p));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaGraphKernelNodeGetParams((cudaGraphNode_t)n, &params));
    CHECK(!cuModuleGetFunction(&one, m, "one"));
    blocks_of(g, one);
    OK(cudaGraphDestroy(g));
    CHECK(!cuModuleUnload(m));
}

static void *take(cudaGraph_t g, cudaGraphNode_t *last, size_t size_bytes)
{
    struct cudaMemAllocNodeParams p = {
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = size_bytes};
    cudaGraphNode_t n;
    OK(cudaGraphAddMemAllocNode(&n, g, last, *last != NULL, &p));
    OK(cudaGraphMemAllocNodeGetParams(n, &p));
    CHECK(p.bytesize == size_bytes);
    *last = n;
    return p.dptr;
}

static void give(cudaGraph_t g, cudaGraphNode_t *last, void *p)
{
    cudaGraphNode_t n;
    OK(cudaGraphAddMemFreeNode(&n, g, last, 1, p));
    *last = n;
}

/* Memory that was freed before goes to nodes that ask for as much or less: the
 * oldest that is large enough. */
static void memory(void)
{
    enum { SIZE = 1 << 20 };
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t last = NULL;
    OK(cudaGraphCreate(&g, 0));
    char *large = take(g, &last, 2 * SIZE), *small = take(g, &last, SIZE);
    give(g, &last, large);
    give(g, &last, small);
    char *p = take(g, &last, SIZE), *q = take(g, &last, SIZE),
         *r = take(g, &last, 2 * SIZE);
    CHECK(p == large && q != large && r != large && r != small);
    give(g, &last, p);
    CHECK(take(g, &last, 100) == large);
    give(g, &last, large);
    give(g, &last, q);
    give(g, &last, r);
    OK(cudaGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(x, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
}

int main(void)
{
    const struct cudaChannelFormatDesc four = {32, 32, 32, 32,
                                               cudaChannelFormatKindFloat};
    kernels_register();
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&other));
    OK(cudaMallocArray(&flat, &four, 64, 32, 0));
    OK(cudaMalloc3DArray(&box, &four, (struct cudaExtent){16, 8, 4}, 0));
    OK(cudaMalloc((void **)&device, 1 << 20));
    OK(cudaMemset(device, 0, 1 << 20));
    OK(cudaMallocHost((void **)&pinned, 1 << 16));
    rows();
    boxes();
    driver_side();
    changes();
    edges();
    edges_of_fills();
    removals();
    cooperation();
    lost_captures();
    new_nodes();
    functions();
    memory();
    OK(cudaFree(device));
    OK(cudaFreeHost(pinned));
    OK(cudaFreeArray(flat));
    OK(cudaFreeArray(box));
    kernels_unregister();
    return check_result();
}
