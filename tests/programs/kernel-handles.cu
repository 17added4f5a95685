// SPDX-License-Identifier: Apache-2.0
// weftcc: -lcuda
//
// A kernel by each of its names, in the calls of both APIs: the program's own
// and a library's, in launches and in nodes of graphs; and its arguments as one
// block of bytes.
#include <cstring>

#include <cuda.h>

#include "check.h"

static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry add(.param .u64 p, .param .u32 value)\n"
    "{ .reg .b32 %r<2>; .reg .b64 %d<2>; ld.param.u64 %d1, [p];\n"
    "  ld.param.u32 %r1, [value]; red.global.add.u32 [%d1], %r1; ret; }\n";

__global__ void add(int *p, int value)
{
    atomicAdd(p, value);
}

static int *sum, value = 3;
static void *args[] = {&sum, &value};

static void by_runtime(cudaGraph_t g, void *name)
{
    cudaGraphNode_t n;
    cudaKernelNodeParams p = {name, dim3(1), dim3(1), 0, args, nullptr}, back;
    cudaGraphNodeParams q = {cudaGraphNodeTypeKernel};
    EXPECT(!cudaGraphAddKernelNode(&n, g, nullptr, 0, &p));
    EXPECT(!cudaGraphKernelNodeGetParams(n, &back) && back.func == name);
    EXPECT(!cudaGraphKernelNodeSetParams(n, &back));
    q.kernel.func = name;
    q.kernel.gridDim = q.kernel.blockDim = dim3(1);
    q.kernel.kernelParams = args;
    EXPECT(!cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &q));
}

/* A node of a kernel's function shows the kernel, as on an H200. */
static void by_driver(cudaGraph_t g, CUkernel kernel, CUfunction function,
                      CUkernel shown)
{
    CUgraphNode n;
    CUDA_KERNEL_NODE_PARAMS p, back;
    memset(&p, 0, sizeof p);
    p.kern = kernel;
    p.func = function;
    p.gridDimX = p.gridDimY = p.gridDimZ = 1;
    p.blockDimX = p.blockDimY = p.blockDimZ = 1;
    p.kernelParams = args;
    EXPECT(!cuGraphAddKernelNode(&n, (CUgraph)g, nullptr, 0, &p));
    EXPECT(!cuGraphKernelNodeGetParams(n, &back) && back.kern == shown);
    EXPECT(!cuGraphKernelNodeSetParams(n, &back));
    /* What is a kernel to the driver is one to the runtime. */
    cudaKernelNodeParams r;
    EXPECT(!cudaGraphKernelNodeGetParams(n, &r) && r.func);
    EXPECT(!cudaGraphKernelNodeSetParams(n, &r));
}

/* The sum that the nodes make. */
static int result(cudaGraph_t g)
{
    cudaGraphExec_t e;
    int found = 0;
    EXPECT(!cudaMemset(sum, 0, sizeof found));
    EXPECT(!cudaGraphInstantiate(&e, g, 0));
    EXPECT(!cudaGraphLaunch(e, nullptr));
    EXPECT(!cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost));
    EXPECT(!cudaGraphExecDestroy(e) && !cudaGraphDestroy(g));
    return found;
}

static void in_graphs(cudaKernel_t kernel, const void *host)
{
    cudaGraph_t g;
    CUfunction f;
    EXPECT(!cuKernelGetFunction(&f, (CUkernel)kernel));
    EXPECT(!cudaGraphCreate(&g, 0));
    by_runtime(g, kernel);
    if (host)
        by_runtime(g, (void *)host);
    by_driver(g, (CUkernel)kernel, nullptr, (CUkernel)kernel);
    by_driver(g, nullptr, f, (CUkernel)kernel);
    cudaFunction_t symbols;
    if (host) {
        EXPECT(!cudaGetFuncBySymbol(&symbols, host));
        by_driver(g, nullptr, (CUfunction)symbols, (CUkernel)kernel);
    }
    EXPECT(result(g) == value * (host ? 7 : 4));
}

static void in_calls(cudaKernel_t kernel)
{
    const CUkernel k = (CUkernel)kernel;
    const char *name, *same;
    cudaFuncAttributes a;
    int found = 0, bytes;
    EXPECT(!cudaMemset(sum, 0, sizeof found));
    EXPECT(!cudaLaunchKernel(kernel, dim3(1), dim3(1), args, 0, nullptr));
    EXPECT(!cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, nullptr, args,
                           nullptr));
    EXPECT(!cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost));
    EXPECT(found == 2 * value);
    EXPECT(!cuKernelGetName(&name, k) && !cudaFuncGetName(&same, kernel));
    EXPECT(!strcmp(name, same));
    EXPECT(!cudaKernelSetAttributeForDevice(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1000, 0));
    EXPECT(!cuKernelGetAttribute(
               &bytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, k, 0) &&
           bytes == 1000);
    EXPECT(!cudaFuncGetAttributes(&a, kernel) &&
           a.maxDynamicSharedSizeBytes == 1000);
}

static void no_kernels()
{
    CUfunction f;
    CUlibrary l;
    const char *name;
    int bytes;
    CUkernel k = (CUkernel)&value;
    EXPECT(cuKernelGetFunction(&f, k) == CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuKernelGetName(&name, k) == CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuKernelGetLibrary(&l, k) == CUDA_ERROR_INVALID_HANDLE);
    EXPECT(cuKernelGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_NUM_REGS, k, 0) ==
           CUDA_ERROR_INVALID_HANDLE);
}

/* As long as the parameters, with zeros for what it lacks, without a size. */
static void blocks_of_bytes()
{
    struct {
        int *p;
        int value;
    } block = {sum, 7};
    size_t whole = 12, part = 8;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &whole, CU_LAUNCH_PARAM_END};
    cudaKernelNodeParams p = {(void *)add, dim3(1), dim3(1), 0, nullptr, extra};
    cudaGraphNode_t n;
    cudaGraph_t g;
    EXPECT(!cudaGraphCreate(&g, 0));
    EXPECT(!cudaGraphAddKernelNode(&n, g, nullptr, 0, &p));
    extra[3] = &part;
    EXPECT(!cudaGraphAddKernelNode(&n, g, nullptr, 0, &p));
    EXPECT(result(g) == 7);
    EXPECT(!cudaGraphCreate(&g, 0));
    extra[2] = CU_LAUNCH_PARAM_END;
    EXPECT(cudaGraphAddKernelNode(&n, g, nullptr, 0, &p) ==
           cudaErrorInvalidValue);
    extra[0] = CU_LAUNCH_PARAM_END;
    EXPECT(cudaGraphAddKernelNode(&n, g, nullptr, 0, &p) ==
           cudaErrorInvalidValue);
    EXPECT(!cudaGraphDestroy(g));
}

int main()
{
    cudaKernel_t own, again, other;
    cudaLibrary_t library;
    EXPECT(!cudaMalloc(&sum, sizeof *sum));
    EXPECT(!cudaGetKernel(&own, (const void *)add));
    EXPECT(!cudaGetKernel(&again, (const void *)add) && again == own);
    EXPECT(!cudaLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr,
                                nullptr, 0));
    EXPECT(!cudaLibraryGetKernel(&other, library, "add"));
    in_graphs(own, (const void *)add);
    in_graphs(other, nullptr);
    in_calls(own);
    in_calls(other);
    no_kernels();
    blocks_of_bytes();
    EXPECT(!cudaLibraryUnload(library));
    return failures != 0;
}
