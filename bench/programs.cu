// SPDX-License-Identifier: Apache-2.0
//
// The CUDA side of `make bench`: the kernels as a guide would write them, with
// nothing in them that knows it runs on a CPU. Each checks its answer. The
// names are those of the twins in twins.c.
#include <cmath>
#include <vector>

#include "device.h"

static float *x, *y;
static const int n = VECTOR_LENGTH;

__global__ void fill(float *p, size_t count, float base, float step)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        p[i] = base + step * (float)(i % 64);
}

static float *filled(size_t count, float base, float step)
{
    float *p = device_array<float>(count);
    fill<<<(unsigned)((count + 255) / 256), 256>>>(p, count, base, step);
    wait_for_device();
    return p;
}

__global__ void saxpy(int count, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        y[i] = a * x[i] + y[i];
}

static double run_saxpy()
{
    x = filled(n, 1, 0);
    y = filled(n, 0, 0);
    static int runs;
    double ms = measure_ms([] {
        saxpy<<<(n + 255) / 256, 256>>>(n, 0.5f, x, y);
        wait_for_device();
        runs++;
    });
    return device_value(y + n / 2 + 7) == 0.5f * runs ? ms : -1;
}

const int block_size = 256;
static double *total;

__device__ void add_block(float mine, double *total)
{
    __shared__ float partial[block_size];
    partial[threadIdx.x] = mine;
    __syncthreads();
    for (int half = block_size / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(total, (double)partial[0]);
}

// Few blocks, many elements a thread.
__global__ void reduce_strided(const float *data, int count, double *total)
{
    float mine = 0;
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        mine += data[i];
    add_block(mine, total);
}

// One element a thread: the tree in shared memory is all the work.
__global__ void reduce_blocks(const float *data, int count, double *total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    add_block(i < count ? data[i] : 0, total);
}

static double run_reduction(void (*work)())
{
    x = filled(n, 1, 0.0078125f);
    total = device_array<double>(1);
    double ms = measure_ms(work);
    double want = n + 0.0078125 * (63 * 64 / 2) * (n / 64);
    return fabs(device_value(total) - want) < 1e-5 * want ? ms : -1;
}

static double run_reduction_strided()
{
    return run_reduction([] {
        CHECK(cudaMemsetAsync(total, 0, sizeof(double)));
        reduce_strided<<<STRIDED_BLOCKS, BLOCK_SIZE>>>(x, n, total);
        wait_for_device();
    });
}

static double run_reduction_blocks()
{
    return run_reduction([] {
        CHECK(cudaMemsetAsync(total, 0, sizeof(double)));
        reduce_blocks<<<n / block_size, block_size>>>(x, n, total);
        wait_for_device();
    });
}

static int *picture;

__global__ void mandelbrot(int *out, int size, int limit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= size || py >= size)
        return;
    float cx = -2.0f + 2.5f * px / size;
    float cy = -1.25f + 2.5f * py / size;
    float zx = 0, zy = 0;
    int i = 0;
    while (i < limit && zx * zx + zy * zy < 4.0f) {
        float next = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = next;
        i++;
    }
    out[py * size + px] = i;
}

static double run_mandelbrot()
{
    const int size = PICTURE_SIZE;
    picture = device_array<int>((size_t)size * size);
    double ms = measure_ms([] {
        dim3 block(16, 16), grid(size / 16, size / 16);
        mandelbrot<<<grid, block>>>(picture, size, PICTURE_LIMIT);
        wait_for_device();
    });
    // The middle of the picture is in the set, its corner far outside.
    bool ok = device_value(picture + size / 2 * size + size * 3 / 4) ==
                  PICTURE_LIMIT &&
              device_value(picture) == 1;
    return ok ? ms : -1;
}

const int tile = 16;

__global__ void matmul(const float *a, const float *b, float *c, int size)
{
    __shared__ float as[tile][tile], bs[tile][tile];
    int row = blockIdx.y * tile + threadIdx.y;
    int column = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < size; t += tile) {
        as[threadIdx.y][threadIdx.x] = a[row * size + t + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * size + column];
        __syncthreads();
        for (int k = 0; k < tile; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * size + column] = sum;
}

static float *product;

static double run_matmul()
{
    const int size = MATRIX_SIZE;
    x = filled((size_t)size * size, 0.5f, 0);
    y = filled((size_t)size * size, 0, 0.25f);
    product = device_array<float>((size_t)size * size);
    double ms = measure_ms([] {
        dim3 block(tile, tile), grid(size / tile, size / tile);
        matmul<<<grid, block>>>(x, y, product, size);
        wait_for_device();
    });
    // Column c of b holds 0.25 * (c % 64) everywhere.
    float want = 0.5f * 0.25f * (77 % 64) * size;
    return fabsf(device_value(product + 300 * size + 77) - want) <= 1e-4f * want
               ? ms
               : -1;
}

__global__ void empty()
{
}

// Milliseconds of one launch and wait; the median of many batches.
static double run_launch()
{
    const int batch = 500;
    return measure_ms([] {
               for (int i = 0; i < batch; i++) {
                   empty<<<1, 1>>>();
                   cudaDeviceSynchronize();
               }
           }) /
           batch;
}

// What the host pays for a launch; waits are not counted.
static double run_enqueue()
{
    const int batch = 100, batches = 100;
    double ms[batches];
    empty<<<1, 1>>>();
    wait_for_device();
    for (double &time : ms) {
        double start = now_ms();
        for (int i = 0; i < batch; i++)
            empty<<<1, 1>>>();
        time = (now_ms() - start) / batch;
        wait_for_device();
    }
    return median(ms, batches);
}

// ---- memory -----------------------------------------------------------------

static const size_t megabyte = 1 << 20;

// Milliseconds to allocate and free a megabyte.
static double run_malloc()
{
    const int batch = 1000;
    return measure_ms([] {
               void *p;
               for (int i = 0; i < batch; i++) {
                   CHECK(cudaMalloc(&p, megabyte));
                   CHECK(cudaFree(p));
               }
           }) /
           batch;
}

static double run_pool()
{
    const int batch = 1000;
    return measure_ms([] {
               void *p;
               for (int i = 0; i < batch; i++) {
                   CHECK(cudaMallocAsync(&p, megabyte, 0));
                   CHECK(cudaFreeAsync(p, 0));
               }
               CHECK(cudaDeviceSynchronize());
           }) /
           batch;
}

static double run_copy()
{
    x = filled(n, 1, 0);
    y = filled(n, 0, 0);
    double ms = measure_ms([] {
        CHECK(cudaMemcpy(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice));
        CHECK(cudaDeviceSynchronize());
    });
    return device_value(y + n - 1) == 1 ? ms : -1;
}

// ---- graphs of empty kernels ------------------------------------------------

static cudaStream_t stream;
static cudaGraph_t graph;
static cudaGraphNode_t first_node;
static cudaGraphExec_t instance;
static cudaKernelNodeParams empty_params;

// Behind one another, or side by side.
static void empty_kernels(int count, bool is_chain)
{
    cudaGraphNode_t last = nullptr;
    empty_params.func = (void *)empty;
    empty_params.gridDim = empty_params.blockDim = dim3(1);
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaGraphCreate(&graph, 0));
    for (int i = 0; i < count; i++) {
        cudaGraphNode_t n;
        bool follows = is_chain && i;
        CHECK(cudaGraphAddKernelNode(&n, graph, &last, follows,
                                     &empty_params));
        first_node = i ? first_node : n;
        last = n;
    }
    CHECK(cudaGraphInstantiate(&instance, graph, 0));
}

// Milliseconds of a node, the launch and the wait for it shared out.
static double run_nodes(int count, bool is_chain)
{
    empty_kernels(count, is_chain);
    return measure_ms([] {
               for (int i = 0; i < 20; i++) {
                   CHECK(cudaGraphLaunch(instance, stream));
                   CHECK(cudaStreamSynchronize(stream));
               }
           }) /
           (20 * count);
}

static double run_graph_chain()
{
    return run_nodes(100, true);
}

static double run_graph_wide()
{
    return run_nodes(1000, false);
}

// What the host pays for a launch, behind work that is under way.
static double run_graph_launch()
{
    const int batch = 200;
    empty_kernels(1, true);
    return measure_ms([] {
               for (int i = 0; i < batch; i++)
                   CHECK(cudaGraphLaunch(instance, stream));
               CHECK(cudaStreamSynchronize(stream));
           }) /
           batch;
}

static double run_graph_update()
{
    const int batch = 1000;
    empty_kernels(1, true);
    return measure_ms([] {
               for (int i = 0; i < batch; i++)
                   CHECK(cudaGraphExecKernelNodeSetParams(
                       instance, first_node, &empty_params));
           }) /
           batch;
}

// The first launch of a kernel, the second launch's time taken off. Whether
// the cache on disk has it is up to who starts this program.
static double run_jit()
{
    const int size = tile;
    x = device_array<float>(size * size);
    CHECK(cudaMemset(x, 0, size * size * sizeof(float)));
    double start = now_ms();
    matmul<<<1, dim3(tile, tile)>>>(x, x, x, size);
    wait_for_device();
    double first = now_ms() - start;
    start = now_ms();
    matmul<<<1, dim3(tile, tile)>>>(x, x, x, size);
    wait_for_device();
    return first - (now_ms() - start);
}

// A process's first kernel, from its first call on.
static double run_first()
{
    double start = now_ms();
    empty<<<1, 1>>>();
    wait_for_device();
    return now_ms() - start;
}

int main(int argc, char **argv)
{
    const program programs[] = {
        {"saxpy", run_saxpy},
        {"reduction", run_reduction_strided},
        {"reduction-blocks", run_reduction_blocks},
        {"mandelbrot", run_mandelbrot},
        {"matmul", run_matmul},
        {"matmul-tuned", run_matmul}, // the same beside another twin
        {"launch", run_launch},
        {"enqueue", run_enqueue},
        {"malloc", run_malloc},
        {"pool", run_pool},
        {"copy", run_copy},
        {"first", run_first},
        {"graph-chain", run_graph_chain},
        {"graph-wide", run_graph_wide},
        {"graph-launch", run_graph_launch},
        {"graph-update", run_graph_update},
        {"jit", run_jit},
        {nullptr, nullptr},
    };
    return run_named(programs, argc, argv);
}
