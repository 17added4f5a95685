// SPDX-License-Identifier: Apache-2.0
//
// cuLaunchKernelEx: clusters, events and what else attributes say, and how many
// clusters of a launch there are.
//
// weftcc: -lcuda
#include <cuda.h>

#include "check.h"

static const char tell_ptx[] = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry tell(.param .u64 out)
{
    .reg .u32 %rank, %count, %block;
    .reg .u64 %a, %o;
    mov.u32 %block, %ctaid.x;
    mov.u32 %rank, %cluster_ctarank;
    mov.u32 %count, %cluster_nctarank;
    ld.param.u64 %a, [out];
    mul.wide.u32 %o, %block, 8;
    add.u64 %a, %a, %o;
    st.global.v2.u32 [%a], {%rank, %count};
    ret;
})";

static CUfunction load()
{
    CUcontext ctx;
    CUmodule m;
    CUfunction f;
    EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(&ctx, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSetCurrent(ctx), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleLoadData(&m, tell_ptx), CUDA_SUCCESS);
    EXPECT_EQ(cuModuleGetFunction(&f, m, "tell"), CUDA_SUCCESS);
    return f;
}

static void expect_clusters(CUdeviceptr out, unsigned size)
{
    unsigned got[16];
    EXPECT_EQ(cuMemcpyDtoH(got, out, sizeof got), CUDA_SUCCESS);
    for (unsigned i = 0; i < 8; i++) {
        EXPECT_EQ(got[2 * i], i % size);
        EXPECT_EQ(got[2 * i + 1], size);
    }
}

int main()
{
    CUfunction f = load();
    CUdeviceptr out;
    CUevent end;
    int n = 0;
    EXPECT_EQ(cuMemAlloc(&out, 64), CUDA_SUCCESS);
    EXPECT_EQ(cuEventCreate(&end, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
    CUlaunchAttribute at[3] = {};
    at[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    at[0].value.clusterDim = {4, 1, 1};
    at[1].id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
    at[1].value.launchCompletionEvent.event = end;
    at[2].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    at[2].value.programmaticStreamSerializationAllowed = 1;
    CUlaunchConfig c = {8, 1, 1, 32, 1, 1, 0, nullptr, at, 3};
    void *args[] = {&out};
    EXPECT_EQ(cuLaunchKernelEx(&c, f, args, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuEventSynchronize(end), CUDA_SUCCESS);
    expect_clusters(out, 4);
    EXPECT_EQ(cuOccupancyMaxPotentialClusterSize(&n, f, &c), CUDA_SUCCESS);
    EXPECT(n >= 8);
    EXPECT_EQ(cuOccupancyMaxActiveClusters(&n, f, &c), CUDA_SUCCESS);
    EXPECT(n > 0);

    c.numAttrs = 0;
    EXPECT_EQ(cuLaunchKernelEx(&c, f, args, nullptr), CUDA_SUCCESS);
    expect_clusters(out, 1);

    c.numAttrs = 1;
    at[0].value.clusterDim.x = 3;
    EXPECT_EQ(cuLaunchKernelEx(&c, f, args, nullptr),
              CUDA_ERROR_INVALID_CLUSTER_SIZE);
    at[0].id = (CUlaunchAttributeID)77;
    EXPECT_EQ(cuLaunchKernelEx(&c, f, args, nullptr), CUDA_ERROR_INVALID_VALUE);
    c.attrs = nullptr;
    EXPECT_EQ(cuLaunchKernelEx(&c, f, args, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLaunchKernelEx(nullptr, f, args, nullptr),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuOccupancyMaxActiveClusters(nullptr, f, &c),
              CUDA_ERROR_INVALID_VALUE);
    cuEventDestroy(end);
    cuMemFree(out);
    return failures != 0;
}
