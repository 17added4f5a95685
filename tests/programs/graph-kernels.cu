// SPDX-License-Identifier: Apache-2.0
// weftcc: -arch=sm_90
//
// Kernels of every kind in graphs: blocks that wait for each other, barriers,
// clusters, large grids that are shared among SMs; launched again and again.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

#define OK(call)                                                              \
    do {                                                                      \
        cudaError_t err = (call);                                             \
        if (err)                                                              \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(err));         \
    } while (0)

enum { N = 1 << 12 };

// Every block adds what the block before it had before the barrier.
__global__ void rotate(int *p)
{
    cg::grid_group grid = cg::this_grid();
    int mine = p[blockIdx.x];
    int other = p[(blockIdx.x + gridDim.x - 1) % gridDim.x];
    grid.sync();
    p[blockIdx.x] = mine + other;
}

__global__ void reverse(int *p)
{
    __shared__ int tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = p[i];
    __syncthreads();
    p[i] = tile[255 - threadIdx.x] + 1;
}

__global__ void ranks(int *p)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ int mine;
    if (threadIdx.x == 0)
        mine = blockIdx.x;
    cluster.sync();
    int *other = cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
    if (threadIdx.x == 0)
        p[blockIdx.x] += *other;
    cluster.sync();
}

__global__ void work(float *p, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = p[i];
    for (int k = 0; k < rounds; k++)
        x = x * 0.5f + 1;
    p[i] = x;
}

static int *a, *b, *c;
static float *f;

static void capture(cudaStream_t s)
{
    int rounds = 2000;
    void *args[] = {&a};
    OK(cudaLaunchCooperativeKernel((void *)rotate, dim3(4), dim3(32), args, 0,
                                   s));
    reverse<<<N / 256, 256, 0, s>>>(b);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = dim3(8);
    config.blockDim = dim3(32);
    config.stream = s;
    config.attrs = &attribute;
    config.numAttrs = 1;
    OK(cudaLaunchKernelEx(&config, ranks, c));
    work<<<N / 256, 256, 0, s>>>(f, rounds);
}

int main()
{
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t e;
    OK(cudaMallocManaged(&a, 4 * sizeof(int)));
    OK(cudaMallocManaged(&b, N * sizeof(int)));
    OK(cudaMallocManaged(&c, 8 * sizeof(int)));
    OK(cudaMallocManaged(&f, N * sizeof(float)));
    for (int i = 0; i < N; i++)
        b[i] = i, f[i] = 0;
    for (int i = 0; i < 8; i++)
        c[i] = 0;
    for (int i = 0; i < 4; i++)
        a[i] = i + 1;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    capture(s);
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&e, g, 0));
    for (int i = 0; i < 6; i++)
        OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    printf("rotate: %d %d %d %d\n", a[0], a[1], a[2], a[3]);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += b[i] != i + 6 || f[i] < 1.99f || f[i] > 2;
    printf("wrong: %d\n", wrong);
    for (int i = 0; i < 8; i++)
        printf("%d%c", c[i], i < 7 ? ' ' : '\n');
    return 0;
}
