/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUDA_LAUNCH_BLOCKING=1: a launch returns when its kernel has ended, and has
 * the error of a kernel that fails. A launch that is captured does not wait.
 */
#include "check.h"

/* Sleeps a little, then stores; a null pointer is a fault. */
static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 to)\n"
    "{ .reg .u64 %t; ld.param.u64 %t, [to];\n"
    "  nanosleep.u32 1000000; nanosleep.u32 1000000;\n"
    "  st.global.u32 [%t], 7; ret; }\n";

static CUresult launch(CUfunction k, CUstream s, CUdeviceptr to)
{
    void *args[] = {&to};
    return cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, s, args, NULL);
}

int main(void)
{
    CUdevice device;
    CUcontext ctx;
    CUmodule m;
    CUfunction k;
    CUstream s;
    CUdeviceptr p;
    CUgraph graph;

    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&device, 0));
    CU_OK(cuCtxCreate(&ctx, 0, device));
    CU_OK(cuModuleLoadData(&m, text));
    CU_OK(cuModuleGetFunction(&k, m, "k"));
    CU_OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CU_OK(cuMemAlloc(&p, 4));
    for (int i = 0; i < 3; i++) {
        CU_OK(launch(k, s, p));
        CU_OK(cuStreamQuery(s));
    }
    CU_OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    CU_OK(launch(k, s, p));
    CU_OK(cuStreamEndCapture(s, &graph));
    CU_OK(cuGraphDestroy(graph));
    CU_GIVES(ILLEGAL_ADDRESS, launch(k, s, 0));
    CU_OK(cuCtxDestroy(ctx));
    return failures != 0;
}
