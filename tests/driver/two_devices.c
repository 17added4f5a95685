/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two devices (WEFT_DEVICES=2): what one's streams and events do for the other,
 * and launches of functions and of kernels, which have no device, into streams.
 */
#include "check.h"

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry k(.param .u64 p) {\n"
                          ".reg .b64 %rd<2>;\n ld.param.u64 %rd1, [p];\n"
                          "st.global.u64 [%rd1], %rd1;\n ret; }\n";

struct device {
    CUcontext ctx;
    CUstream stream;
    CUevent event;
    CUmodule module;
    CUfunction f;
    CUdeviceptr p;
} all[2];

static void make(struct device *d, int number)
{
    CU_OK(cuDevicePrimaryCtxRetain(&d->ctx, number));
    CU_OK(cuCtxSetCurrent(d->ctx));
    CU_OK(cuStreamCreate(&d->stream, CU_STREAM_NON_BLOCKING));
    CU_OK(cuEventCreate(&d->event, CU_EVENT_DISABLE_TIMING));
    CU_OK(cuModuleLoadData(&d->module, ptx));
    CU_OK(cuModuleGetFunction(&d->f, d->module, "k"));
    CU_OK(cuMemAlloc(&d->p, 64));
}

static CUresult launch(CUfunction f, struct device *of, CUstream s)
{
    void *args[] = {&of->p};
    const CUlaunchConfig config = {.gridDimX = 1,
                                   .gridDimY = 1,
                                   .gridDimZ = 1,
                                   .blockDimX = 1,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .hStream = s};
    CUresult err = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, NULL);
    CHECK(cuLaunchKernelEx(&config, f, args, NULL) == err);
    return err;
}

/* The stream's device is the current one, or the launch is refused. */
static void launches(void)
{
    CUlibrary library;
    CUkernel k;
    CU_OK(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
    CU_OK(cuLibraryGetKernel(&k, library, "k"));
    for (int current = 0; current < 2; current++) {
        CU_OK(cuCtxSetCurrent(all[current].ctx));
        for (int i = 0; i < 2; i++) {
            struct device *d = &all[i];
            CUresult expected =
                i == current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
            CHECK(launch((CUfunction)k, d, d->stream) == expected);
            CHECK(launch(all[1 - i].f, d, d->stream) ==
                  CUDA_ERROR_INVALID_HANDLE);
            if (i == current)
                CHECK(launch(d->f, d, d->stream) == CUDA_SUCCESS);
            CU_OK(cuStreamSynchronize(d->stream));
        }
    }
    CU_OK(cuLibraryUnload(library));
}

/* Events are recorded in streams of their context, and waited for in any. */
static void events(void)
{
    CU_OK(cuCtxSetCurrent(all[0].ctx));
    CU_OK(cuEventRecord(all[0].event, all[0].stream));
    CU_GIVES(INVALID_HANDLE, cuEventRecord(all[0].event, all[1].stream));
    CU_OK(cuStreamWaitEvent(all[1].stream, all[0].event, 0));
    CU_OK(cuStreamSynchronize(all[1].stream));
    CU_OK(cuEventQuery(all[0].event));
    CU_OK(cuMemcpyDtoDAsync(all[1].p, all[0].p, 64, all[1].stream));
    CU_OK(cuMemcpyPeerAsync(all[0].p, all[0].ctx, all[1].p, all[1].ctx, 64,
                            all[1].stream));
    CU_OK(cuStreamSynchronize(all[1].stream));
}

/* An instance's operands stay on their devices. */
static void instances(void)
{
    CUDA_MEMSET_NODE_PARAMS m = {
        .dst = all[0].p, .elementSize = 4, .width = 4, .height = 1};
    CUDA_MEMCPY3D c = {.WidthInBytes = 16,
                       .Height = 1,
                       .Depth = 1,
                       .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                       .srcDevice = all[0].p,
                       .dstDevice = all[1].p};
    CUgraph g;
    CUgraphNode fill, copy;
    CUgraphExec e;
    CU_OK(cuCtxSetCurrent(all[0].ctx));
    CU_OK(cuGraphCreate(&g, 0));
    CU_OK(cuGraphAddMemsetNode(&fill, g, NULL, 0, &m, all[0].ctx));
    CU_OK(cuGraphAddMemcpyNode(&copy, g, NULL, 0, &c, all[0].ctx));
    CU_OK(cuGraphInstantiate(&e, g, 0));
    m.dst = all[0].p + 16;
    CU_OK(cuGraphExecMemsetNodeSetParams(e, fill, &m, all[0].ctx));
    m.dst = all[1].p;
    CU_GIVES(INVALID_VALUE,
             cuGraphExecMemsetNodeSetParams(e, fill, &m, all[1].ctx));
    c.srcDevice = all[0].p + 16;
    CU_OK(cuGraphExecMemcpyNodeSetParams(e, copy, &c, all[0].ctx));
    c.srcDevice = all[1].p + 16;
    CU_GIVES(INVALID_VALUE,
             cuGraphExecMemcpyNodeSetParams(e, copy, &c, all[0].ctx));
    CU_OK(cuGraphLaunch(e, all[0].stream));
    CU_OK(cuStreamSynchronize(all[0].stream));
    CU_OK(cuGraphExecDestroy(e));
    CU_OK(cuGraphDestroy(g));
}

int main(void)
{
    int count = 0;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGetCount(&count));
    CHECK(count == 2);
    if (count != 2)
        return check_result();
    make(&all[0], 0);
    make(&all[1], 1);
    launches();
    events();
    instances();
    return check_result();
}
