// SPDX-License-Identifier: Apache-2.0
//
// Iterations of a conjugate gradient solver for a small system: kernels of some
// microseconds, each behind the one before. As a graph, and launched one by
// one.
#include "device.h"

static int length, blocks;

__global__ void multiply(int n, const int *rows, const int *columns,
                         const float *values, const float *p, float *q)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = rows[i]; k < rows[i + 1]; k++)
        sum += values[k] * p[columns[k]];
    q[i] = sum;
}

__global__ void dot(int n, const float *a, const float *b, float *result)
{
    __shared__ float sums[BLOCK_SIZE / 32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? a[i] * b[i] : 0;
    for (int d = 16; d; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x)
        return;
    sum = 0;
    for (int w = 0; w < BLOCK_SIZE / 32; w++)
        sum += sums[w];
    atomicAdd(result, sum);
}

__global__ void divide(const float *a, const float *b, float *result)
{
    *result = *a / *b;
}

// y += sign * *a * x
__global__ void axpy(int n, const float *a, float sign, const float *x,
                     float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += sign * *a * x[i];
}

// p = r + *b * p
__global__ void turn(int n, const float *b, const float *r, float *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = r[i] + *b * p[i];
}

static int *rows, *columns;
static float *values, *x, *r, *p, *q, *right;
static float *scalars; // r * r before and now, p * q, alpha, beta
static cudaStream_t stream;
static cudaGraphExec_t instance;

static void iterate()
{
    float *before = scalars, *now = scalars + 1, *pq = scalars + 2,
          *alpha = scalars + 3, *beta = scalars + 4;
    cudaMemcpyAsync(before, now, 4, cudaMemcpyDeviceToDevice, stream);
    cudaMemsetAsync(pq, 0, 4, stream);
    multiply<<<blocks, BLOCK_SIZE, 0, stream>>>(length, rows, columns, values,
                                                p, q);
    dot<<<blocks, BLOCK_SIZE, 0, stream>>>(length, p, q, pq);
    divide<<<1, 1, 0, stream>>>(before, pq, alpha);
    axpy<<<blocks, BLOCK_SIZE, 0, stream>>>(length, alpha, 1, p, x);
    axpy<<<blocks, BLOCK_SIZE, 0, stream>>>(length, alpha, -1, q, r);
    cudaMemsetAsync(now, 0, 4, stream);
    dot<<<blocks, BLOCK_SIZE, 0, stream>>>(length, r, r, now);
    divide<<<1, 1, 0, stream>>>(now, before, beta);
    turn<<<blocks, BLOCK_SIZE, 0, stream>>>(length, beta, r, p);
}

template <typename T> static T *uploaded(const T *from, size_t count)
{
    T *to = device_array<T>(count);
    CHECK(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}

static void start(int n)
{
    static int row[CG_LENGTH + 1], column[3 * CG_LENGTH];
    static float value[3 * CG_LENGTH], side[CG_LENGTH];
    length = n;
    blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    cg_system(n, row, column, value, side);
    rows = uploaded(row, n + 1);
    columns = uploaded(column, 3 * n);
    values = uploaded(value, 3 * n);
    right = uploaded(side, n);
    x = device_array<float>(n);
    r = device_array<float>(n);
    p = device_array<float>(n);
    q = device_array<float>(n);
    scalars = device_array<float>(5);
    CHECK(cudaStreamCreate(&stream));
}

// x = 0, so that r is the right side.
static void restart()
{
    const size_t bytes = length * sizeof(float);
    CHECK(cudaMemsetAsync(x, 0, bytes, stream));
    CHECK(cudaMemsetAsync(scalars, 0, 5 * sizeof(float), stream));
    CHECK(cudaMemcpyAsync(r, right, bytes, cudaMemcpyDeviceToDevice, stream));
    CHECK(cudaMemcpyAsync(p, right, bytes, cudaMemcpyDeviceToDevice, stream));
    dot<<<blocks, BLOCK_SIZE, 0, stream>>>(length, r, r, scalars + 1);
}

// Of one iteration.
static double checked(double ms)
{
    return cg_is_solution(device_value(x), device_value(x + length / 2)) ? ms
                                                                         : -1;
}

static double run_graph_of(int n)
{
    cudaGraph_t graph;
    start(n);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    iterate();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&instance, graph, 0));
    return checked(measure_ms([] {
                       restart();
                       for (int i = 0; i < CG_ROUNDS; i++)
                           CHECK(cudaGraphLaunch(instance, stream));
                       CHECK(cudaStreamSynchronize(stream));
                   }) /
                   CG_ROUNDS);
}

static double run_stream_of(int n)
{
    start(n);
    return checked(measure_ms([] {
                       restart();
                       for (int i = 0; i < CG_ROUNDS; i++)
                           iterate();
                       CHECK(cudaStreamSynchronize(stream));
                   }) /
                   CG_ROUNDS);
}

static double run_graph()
{
    return run_graph_of(CG_LENGTH);
}

static double run_stream()
{
    return run_stream_of(CG_LENGTH);
}

static double run_small_graph()
{
    return run_graph_of(CG_SMALL);
}

static double run_small_stream()
{
    return run_stream_of(CG_SMALL);
}

int main(int argc, char **argv)
{
    const program programs[] = {
        {"graph-cg", run_graph},
        {"stream-cg", run_stream},
        {"graph-small-cg", run_small_graph},
        {"stream-small-cg", run_small_stream},
        {nullptr, nullptr},
    };
    return run_named(programs, argc, argv);
}
