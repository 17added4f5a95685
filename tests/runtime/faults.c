/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every entry point of the runtime API that allocates, with its 1st, 2nd, 3rd
 * ... allocation failing until it succeeds (failing.h).
 */
#define _GNU_SOURCE
#include "failing.h"
#include "kernels.h"

#include <stdlib.h>

static cudaStream_t stream, other;
static cudaEvent_t event;
static unsigned *device, *pinned, *managed;
static char own[4096];
static cudaArray_t array;
static cudaMemPool_t pool;
static cudaGraph_t graph;
static cudaGraphExec_t executable;
static void *image;

static void wait_for_gate(void *data)
{
    while (!__atomic_load_n((int *)data, __ATOMIC_ACQUIRE))
        ;
}

static int gate;

static void close_gate(void)
{
    gate = 0;
    OK(cudaLaunchHostFunc(stream, wait_for_gate, &gate));
}

static void open_gate(void)
{
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    OK(cudaStreamSynchronize(stream));
}

static int last_error(void)
{
    return (int)cudaGetLastError();
}

/* A row's call: an expression of the status. */
#define CALL(name, expression)                                                 \
    static int name(void)                                                      \
    {                                                                          \
        return (int)(expression);                                              \
    }

/* ---- memory -------------------------------------------------------------- */

static size_t *pitch = (size_t *)(out.bytes + 64);
static struct cudaChannelFormatDesc words = {32, 0, 0, 0,
                                             cudaChannelFormatKindUnsigned};
static const struct cudaExtent cube = {16, 8, 4};

CALL(free_it, cudaFree(out.p))
CALL(malloc_small, cudaMalloc(&out.p, 100))
CALL(malloc_large, cudaMalloc(&out.p, 9 << 20))
CALL(malloc_pitch, cudaMallocPitch(&out.p, pitch, 1000, 3000))
CALL(malloc_3d, cudaMalloc3D((struct cudaPitchedPtr *)out.bytes,
                             make_cudaExtent(1000, 30, 100)))
CALL(malloc_managed, cudaMallocManaged(&out.p, 9 << 20, cudaMemAttachGlobal))
CALL(malloc_async, cudaMallocAsync(&out.p, 9 << 20, stream))
CALL(malloc_from_pool, cudaMallocFromPoolAsync(&out.p, 1 << 20, pool, stream))
CALL(host_alloc, cudaHostAlloc(&out.p, 9 << 20, 0))
CALL(free_host, cudaFreeHost(out.p))
CALL(host_register, cudaHostRegister(own, sizeof own, 0))
CALL(host_unregister, cudaHostUnregister(own))
CALL(malloc_array, cudaMallocArray((cudaArray_t *)&out.p, &words, 64, 64, 0))
CALL(malloc_3d_array, cudaMalloc3DArray((cudaArray_t *)&out.p, &words, cube, 0))
CALL(free_array, cudaFreeArray(out.p))
CALL(malloc_mipmaps, cudaMallocMipmappedArray((cudaMipmappedArray_t *)&out.p,
                                              &words, cube, 3, 0))
CALL(free_mipmaps, cudaFreeMipmappedArray(out.p))
CALL(pool_destroy, cudaMemPoolDestroy(out.p))
CALL(advise, cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, 0))
CALL(unadvise, cudaMemAdvise(managed, 4096, cudaMemAdviseUnsetReadMostly, 0))

static int pool_create(void)
{
    struct cudaMemPoolProps p = {.allocType = cudaMemAllocationTypePinned,
                                 .location = {cudaMemLocationTypeDevice, 0}};
    return (int)cudaMemPoolCreate((cudaMemPool_t *)&out.p, &p);
}

/* ---- textures ------------------------------------------------------------ */

static struct cudaResourceDesc resource;
static struct cudaTextureDesc sampler;

CALL(texture_create, cudaCreateTextureObject((cudaTextureObject_t *)&out.p,
                                             &resource, &sampler, NULL))
CALL(texture_destroy, cudaDestroyTextureObject((cudaTextureObject_t)out.p))
CALL(surface_create,
     cudaCreateSurfaceObject((cudaSurfaceObject_t *)&out.p, &resource))
CALL(surface_destroy, cudaDestroySurfaceObject((cudaSurfaceObject_t)out.p))

/* ---- streams and events -------------------------------------------------- */

CALL(stream_create,
     cudaStreamCreateWithFlags((cudaStream_t *)&out.p, cudaStreamNonBlocking))
CALL(stream_destroy, cudaStreamDestroy(out.p))
CALL(event_create, cudaEventCreate((cudaEvent_t *)&out.p))
CALL(event_create_shared,
     cudaEventCreateWithFlags((cudaEvent_t *)&out.p,
                              cudaEventInterprocess | cudaEventDisableTiming))
CALL(event_destroy, cudaEventDestroy(out.p))
CALL(ipc_memory, cudaIpcGetMemHandle((cudaIpcMemHandle_t *)out.bytes, device))

/* ---- what streams take: behind work that is not done, so that it queues ---- */

static void nothing(void *data)
{
    (void)data;
}

static void nothing_of_stream(cudaStream_t s, cudaError_t e, void *data)
{
    (void)s, (void)e, (void)data;
}

static struct cudaMemcpy3DParms box;
static void *arguments[2];
static unsigned value = 1;

CALL(copy, cudaMemcpyAsync(device, pinned, 128, cudaMemcpyHostToDevice, stream))
CALL(copy_pageable,
     cudaMemcpyAsync(device, own, 128, cudaMemcpyHostToDevice, stream))
CALL(copy_back,
     cudaMemcpyAsync(own, device, 128, cudaMemcpyDeviceToHost, stream))
CALL(copy_2d, cudaMemcpy2DAsync(device, 32, pinned, 64, 16, 2,
                                cudaMemcpyHostToDevice, stream))
CALL(copy_3d, cudaMemcpy3DAsync(&box, stream))
CALL(copy_to_array, cudaMemcpy2DToArrayAsync(array, 0, 0, pinned, 64, 64, 2,
                                             cudaMemcpyHostToDevice, stream))
CALL(copy_peer, cudaMemcpyPeerAsync(device, 0, device + 8, 0, 4, stream))
CALL(copy_to_symbol, cudaMemcpyToSymbolAsync(table, pinned, 4, 0,
                                             cudaMemcpyHostToDevice, stream))
CALL(fill, cudaMemsetAsync(device, 0, 128, stream))
CALL(fill_2d, cudaMemset2DAsync(device, 32, 0, 16, 2, stream))
CALL(record, cudaEventRecord(event, stream))
CALL(wait, cudaStreamWaitEvent(stream, event, 0))
CALL(host_function, cudaLaunchHostFunc(stream, nothing, NULL))
CALL(callback, cudaStreamAddCallback(stream, nothing_of_stream, NULL, 0))
CALL(launch, launch_store(device, 1, 32, stream))
CALL(launch_cooperative,
     cudaLaunchCooperativeKernel((const void *)&store, dim(1, 1, 1),
                                 dim(32, 1, 1), arguments, 0, stream))
CALL(prefetch, cudaMemPrefetchAsync(managed, 4096, 0, stream))
CALL(attach, cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachGlobal))
CALL(free_async, cudaFreeAsync(out.p, stream))
CALL(graph_launch, cudaGraphLaunch(executable, stream))

/* ---- graphs -------------------------------------------------------------- */

static struct cudaKernelNodeParams kernel_node;

CALL(graph_create, cudaGraphCreate((cudaGraph_t *)&out.p, 0))
CALL(graph_clone, cudaGraphClone((cudaGraph_t *)&out.p, graph))
CALL(graph_destroy, cudaGraphDestroy(out.p))
CALL(node_empty,
     cudaGraphAddEmptyNode((cudaGraphNode_t *)&out.p, graph, NULL, 0))
CALL(node_kernel, cudaGraphAddKernelNode((cudaGraphNode_t *)&out.p, graph, NULL,
                                         0, &kernel_node))
CALL(node_copy,
     cudaGraphAddMemcpyNode1D((cudaGraphNode_t *)&out.p, graph, NULL, 0, device,
                              device + 8, 16, cudaMemcpyDeviceToDevice))
CALL(node_child, cudaGraphAddChildGraphNode((cudaGraphNode_t *)&out.p, graph,
                                            NULL, 0, image))
CALL(node_event, cudaGraphAddEventRecordNode((cudaGraphNode_t *)&out.p, graph,
                                             NULL, 0, event))
CALL(node_destroy, cudaGraphDestroyNode(out.p))
CALL(instantiate, cudaGraphInstantiate((cudaGraphExec_t *)&out.p, graph, 0))
CALL(executable_destroy, cudaGraphExecDestroy(out.p))
CALL(user_object,
     cudaUserObjectCreate((cudaUserObject_t *)&out.p, NULL, nothing, 1,
                          cudaUserObjectNoDestructorSync))
CALL(user_object_release, cudaUserObjectRelease(out.p, 1))
CALL(capture_begin, cudaStreamBeginCapture(other, cudaStreamCaptureModeRelaxed))

static int capture_end(void)
{
    cudaGraph_t made;
    cudaError_t err = cudaStreamEndCapture(other, &made);
    return (int)(err ? err : cudaGraphDestroy(made));
}

/* A call while the stream is captured, which makes a node. The capture ends
 * well whether that failed or not. */
static int in_capture(int (*call)(void))
{
    unsigned left = until_failure;
    cudaGraph_t made;
    until_failure = 0;
    cudaError_t begun =
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    until_failure = left;
    int err = begun ? (int)begun : call();
    until_failure = 0;
    cudaError_t ended = cudaStreamEndCapture(stream, &made);
    if (!ended)
        ended = cudaGraphDestroy(made);
    return err ? err : (int)ended;
}

CALL(capture_copy, in_capture(copy))
CALL(capture_fill, in_capture(fill_2d))
CALL(capture_launch, in_capture(launch))
CALL(capture_host_function, in_capture(host_function))
CALL(capture_record, in_capture(record))

static const struct attempt attempts[] = {
    {"cudaMalloc, small", malloc_small, free_it, false, false},
    {"cudaMalloc, large", malloc_large, free_it, false, false},
    {"cudaMallocPitch", malloc_pitch, free_it, false, false},
    {"cudaMalloc3D", malloc_3d, free_it, false, false},
    {"cudaMallocManaged", malloc_managed, free_it, false, false},
    {"cudaMallocAsync", malloc_async, free_it, false, false},
    {"cudaMallocFromPoolAsync", malloc_from_pool, free_it, false, false},
    {"cudaMallocAsync, behind work", malloc_async, free_async, true, false},
    {"cudaHostAlloc", host_alloc, free_host, false, false},
    {"cudaHostRegister", host_register, host_unregister, false, true},
    {"cudaMallocArray", malloc_array, free_array, false, false},
    {"cudaMalloc3DArray", malloc_3d_array, free_array, false, false},
    {"cudaMallocMipmappedArray", malloc_mipmaps, free_mipmaps, false, false},
    {"cudaMemPoolCreate", pool_create, pool_destroy, false, false},
    {"cudaMemAdvise", advise, unadvise, false, true},
    {"cudaCreateTextureObject", texture_create, texture_destroy, false, false},
    {"cudaCreateSurfaceObject", surface_create, surface_destroy, false, false},
    {"cudaStreamCreate", stream_create, stream_destroy, false, false},
    {"cudaEventCreate", event_create, event_destroy, false, false},
    {"cudaEventCreate, shared", event_create_shared, event_destroy, false,
     false},
    {"cudaIpcGetMemHandle", ipc_memory, NULL, false, false},
    {"cudaMemcpyAsync", copy, NULL, true, true},
    {"cudaMemcpyAsync from pageable memory", copy_pageable, NULL, false, true},
    {"cudaMemcpyAsync to pageable memory", copy_back, NULL, false, true},
    {"cudaMemcpy2DAsync", copy_2d, NULL, true, true},
    {"cudaMemcpy3DAsync", copy_3d, NULL, true, true},
    {"cudaMemcpy2DToArrayAsync", copy_to_array, NULL, true, true},
    {"cudaMemcpyPeerAsync", copy_peer, NULL, true, true},
    {"cudaMemcpyToSymbolAsync", copy_to_symbol, NULL, true, true},
    {"cudaMemsetAsync", fill, NULL, true, true},
    {"cudaMemset2DAsync", fill_2d, NULL, true, true},
    {"cudaEventRecord", record, NULL, true, true},
    {"cudaStreamWaitEvent", wait, NULL, true, true},
    {"cudaLaunchHostFunc", host_function, NULL, true, true},
    {"cudaStreamAddCallback", callback, NULL, true, true},
    {"cudaLaunchKernel", launch, NULL, true, true},
    {"cudaLaunchCooperativeKernel", launch_cooperative, NULL, true, true},
    {"cudaMemPrefetchAsync", prefetch, NULL, true, true},
    {"cudaStreamAttachMemAsync", attach, NULL, true, true},
    {"cudaGraphLaunch", graph_launch, NULL, true, true},
    {"cudaGraphCreate", graph_create, graph_destroy, false, false},
    {"cudaGraphClone", graph_clone, graph_destroy, false, false},
    {"cudaGraphAddEmptyNode", node_empty, node_destroy, false, false},
    {"cudaGraphAddKernelNode", node_kernel, node_destroy, false, false},
    {"cudaGraphAddMemcpyNode1D", node_copy, node_destroy, false, false},
    {"cudaGraphAddChildGraphNode", node_child, node_destroy, false, false},
    {"cudaGraphAddEventRecordNode", node_event, node_destroy, false, false},
    {"cudaGraphInstantiate", instantiate, executable_destroy, false, false},
    {"cudaUserObjectCreate", user_object, user_object_release, false, false},
    {"cudaStreamBeginCapture", capture_begin, capture_end, false, true},
    {"captured cudaMemcpyAsync", capture_copy, NULL, false, true},
    {"captured cudaMemset2DAsync", capture_fill, NULL, false, true},
    {"captured cudaLaunchKernel", capture_launch, NULL, false, true},
    {"captured cudaLaunchHostFunc", capture_host_function, NULL, false, true},
    {"captured cudaEventRecord", capture_record, NULL, false, true},
};

/* The first call makes the context. */
static void first_call(void)
{
    unsigned n = 0;
    do {
        until_failure = ++n;
        has_failed = false;
        cudaError_t err = cudaFree(NULL);
        until_failure = 0;
        CHECK(err == cudaSuccess ? true : has_failed);
        if (err == cudaSuccess)
            break;
        CHECK(err == cudaErrorMemoryAllocation);
    } while (n < 1000);
    cudaGetLastError();
}

/* So many arrays that were freed are remembered. */
static void end_arrays(void)
{
    for (int i = 0; i < 1100; i++) {
        CHECK(malloc_array() == 0);
        CHECK(free_array() == 0);
    }
}

static void prepare(void)
{
    end_arrays();
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaEventCreate(&event));
    OK(cudaMalloc((void **)&device, 4096));
    OK(cudaMallocHost((void **)&pinned, 4096));
    OK(cudaMallocManaged((void **)&managed, 4096, cudaMemAttachGlobal));
    OK(cudaMallocArray(&array, &words, 64, 64, cudaArraySurfaceLoadStore));
    CHECK(pool_create() == 0);
    pool = out.p;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphCreate((cudaGraph_t *)&image, 0));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    box.srcPtr = make_cudaPitchedPtr(pinned, 64, 16, 2);
    box.dstPtr = make_cudaPitchedPtr(device, 64, 16, 2);
    box.extent = make_cudaExtent(16, 2, 2);
    box.kind = cudaMemcpyHostToDevice;
    arguments[0] = &device;
    arguments[1] = &value;
    kernel_node = (struct cudaKernelNodeParams){
        .func = &store,
        .gridDim = dim(1, 1, 1),
        .blockDim = dim(32, 1, 1),
        .kernelParams = arguments,
    };
    OK(launch_store(device, 1, 32, stream)); /* compiled from here on */
    OK(cudaDeviceSynchronize());
    CHECK(node_kernel() == 0);
    CHECK(node_copy() == 0);
    OK(cudaGraphInstantiate(&executable, graph, 0));
}

static void finish(void)
{
    OK(cudaGraphExecDestroy(executable));
    OK(cudaGraphDestroy(image));
    OK(cudaGraphDestroy(graph));
    OK(cudaMemPoolDestroy(pool));
    OK(cudaFreeArray(array));
    OK(cudaFree(managed));
    OK(cudaFreeHost(pinned));
    OK(cudaFree(device));
    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(other));
    OK(cudaStreamDestroy(stream));
}

int main(void)
{
    setenv("WEFT_TASK_MEMORY", "0", 1); /* what is kept would count */
    setvbuf(stdout, NULL, _IONBF, 0);
    kernels_register();
    first_call();
    prepare();
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        check(&attempts[i]);
    finish();
    kernels_unregister();
    return check_result();
}
