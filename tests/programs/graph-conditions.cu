// SPDX-License-Identifier: Apache-2.0
// weftcc: -rdc=true
//
// Kernels that steer graphs: conditions set from the device, graphs that
// launch graphs and themselves.
#include <cstdio>

#define OK(call)                                                              \
    do {                                                                      \
        cudaError_t err = (call);                                             \
        if (err)                                                              \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(err));         \
    } while (0)

__global__ void count_down(cudaGraphConditionalHandle handle, int *left,
                           int *done)
{
    ++*done;
    cudaGraphSetConditional(handle, --*left > 0);
}

__global__ void choose(cudaGraphConditionalHandle handle, unsigned value)
{
    cudaGraphSetConditional(handle, value);
}

__global__ void add(int *p, int value)
{
    *p = *p * 10 + value;
}

__global__ void launch(cudaGraphExec_t exec, int *result)
{
    *result = cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);
}

// Behind itself, until it has run often enough.
__global__ void again(int *p, int *left)
{
    *p += 1;
    if (--*left > 0)
        cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

static cudaGraphNode_t kernel(cudaGraph_t g, cudaGraphNode_t after, void *f,
                              void **args)
{
    cudaGraphNode_t n;
    cudaKernelNodeParams p = {};
    p.func = f;
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = args;
    OK(cudaGraphAddKernelNode(&n, g, &after, after ? 1 : 0, &p));
    return n;
}

static cudaGraphNode_t condition(cudaGraph_t g, cudaGraphNode_t after,
                                 cudaGraphConditionalHandle handle,
                                 cudaGraphConditionalNodeType type,
                                 unsigned size, cudaGraph_t *bodies)
{
    cudaGraphNode_t n;
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = handle;
    p.conditional.type = type;
    p.conditional.size = size;
    OK(cudaGraphAddNode(&n, g, &after, after ? 1 : 0, &p));
    for (unsigned i = 0; i < size; i++)
        bodies[i] = p.conditional.phGraph_out[i];
    return n;
}

static void run(cudaGraph_t g)
{
    cudaGraphExec_t e;
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, 0));
    OK(cudaDeviceSynchronize());
    OK(cudaGraphExecDestroy(e));
}

int main()
{
    int *p, one = 1, two = 2, three = 3;
    OK(cudaMallocManaged(&p, 64));
    int *left = p + 1, *done = p + 2;
    cudaGraph_t g, bodies[4];
    cudaGraphConditionalHandle handle, inner;

    // A loop that a kernel ends.
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, g, 1,
                                        cudaGraphCondAssignDefault));
    condition(g, NULL, handle, cudaGraphCondTypeWhile, 1, bodies);
    void *count_args[] = {&handle, &left, &done};
    kernel(bodies[0], NULL, (void *)count_down, count_args);
    *left = 1000, *done = 0;
    run(g);
    printf("while: %d\n", *done);
    OK(cudaGraphDestroy(g));

    // if, else, switch, chosen by the kernel before; one within another.
    for (unsigned value = 0; value < 4; value++) {
        *p = 0;
        OK(cudaGraphCreate(&g, 0));
        OK(cudaGraphConditionalHandleCreate(&handle, g));
        OK(cudaGraphConditionalHandleCreate(&inner, g));
        void *choose_args[] = {&handle, &value};
        cudaGraphNode_t n = kernel(g, NULL, (void *)choose, choose_args);
        n = condition(g, n, handle, cudaGraphCondTypeIf, 2, bodies);
        void *add_one[] = {&p, &one}, *add_two[] = {&p, &two};
        void *add_three[] = {&p, &three};
        kernel(bodies[1], NULL, (void *)add, add_one);
        void *inner_args[] = {&inner, &value};
        cudaGraphNode_t m = kernel(bodies[0], NULL, (void *)choose, inner_args);
        cudaGraph_t cases[3];
        condition(bodies[0], m, inner, cudaGraphCondTypeSwitch, 3, cases);
        kernel(cases[1], NULL, (void *)add, add_two);
        kernel(cases[2], NULL, (void *)add, add_three);
        kernel(g, n, (void *)add, add_one);
        run(g);
        printf("choice %u: %d\n", value, *p);
        OK(cudaGraphDestroy(g));
    }

    // A graph launched by another's kernel, and one that goes on by itself.
    cudaGraphExec_t exec, outer;
    int *result = p + 3;
    OK(cudaGraphCreate(&g, 0));
    void *add_args[] = {&p, &three};
    kernel(g, NULL, (void *)add, add_args);
    OK(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagDeviceLaunch));
    OK(cudaGraphUpload(exec, 0));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphCreate(&g, 0));
    void *launch_args[] = {&exec, &result};
    kernel(g, NULL, (void *)launch, launch_args);
    OK(cudaGraphInstantiate(&outer, g, 0));
    *p = 4;
    OK(cudaGraphLaunch(outer, 0));
    OK(cudaDeviceSynchronize());
    printf("launched: %d %d\n", *result, *p);
    OK(cudaGraphDestroy(g));
    OK(cudaGraphCreate(&g, 0));
    void *again_args[] = {&p, &left};
    kernel(g, NULL, (void *)again, again_args);
    OK(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagDeviceLaunch));
    *p = 0, *left = 50;
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    printf("again: %d\n", *p);
    return 0;
}
