// SPDX-License-Identifier: Apache-2.0
// weftcc: -rdc=true -lcudadevrt
//
// Kernels that call the device runtime only in functions whose addresses they
// find in memory, beside kernels that never do: in streams and in graphs.
#include "check.h"

#define OK(call) EXPECT_EQ((call), cudaSuccess)

__global__ void child(int *p, int value)
{
    atomicAdd(p, value);
}

__device__ void launch_child(int *p, cudaGraphConditionalHandle)
{
    child<<<2, 3>>>(p, 5);
}

__device__ void set_condition(int *p, cudaGraphConditionalHandle handle)
{
    cudaGraphSetConditional(handle, *p < 3);
}

typedef void action(int *p, cudaGraphConditionalHandle handle);
__device__ action *const actions[] = {launch_child, set_condition};

__global__ void act(int which, int *p, cudaGraphConditionalHandle handle)
{
    actions[which](p, handle);
}

__global__ void plain(int *p)
{
    *p += 1;
}

int main()
{
    int *sums;
    cudaStream_t s;
    cudaGraph_t g, body;
    cudaGraphExec_t e;
    cudaGraphConditionalHandle handle;
    OK(cudaMallocManaged(&sums, 2 * sizeof(int)));
    OK(cudaStreamCreate(&s));
    sums[0] = sums[1] = 0;

    // The kernel is done when the children of its functions are.
    for (int i = 0; i < 50; i++) {
        act<<<1, 1, 0, s>>>(0, sums, 0);
        plain<<<1, 1, 0, s>>>(sums);
    }
    OK(cudaStreamSynchronize(s));
    EXPECT_EQ(sums[0], 50 * (2 * 3 * 5 + 1));

    // A loop that such a kernel ends: three turns from 0.
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, g, 1,
                                        cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t n;
    OK(cudaGraphAddNode(&n, g, nullptr, 0, &loop));
    body = loop.conditional.phGraph_out[0];
    OK(cudaStreamBeginCaptureToGraph(s, body, nullptr, nullptr, 0,
                                     cudaStreamCaptureModeGlobal));
    plain<<<1, 1, 0, s>>>(sums + 1);
    act<<<1, 1, 0, s>>>(1, sums + 1, handle);
    OK(cudaStreamEndCapture(s, nullptr));
    OK(cudaGraphInstantiate(&e, g, 0));
    for (int i = 0; i < 5; i++) {
        sums[1] = 0;
        OK(cudaGraphLaunch(e, s));
        OK(cudaStreamSynchronize(s));
        EXPECT_EQ(sums[1], 3);
    }
    return finish();
}
