// SPDX-License-Identifier: Apache-2.0
//
// Iterations of a conjugate gradient solver for a small system: kernels of some
// microseconds, each behind the one before. As a graph, and launched one by
// one. "library": the same by cuSPARSE and cuBLAS with numbers on the device.
#include <cublas_v2.h>
#include <cusparse.h>

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

__global__ void negate(const float *a, float *result)
{
    *result = -*a;
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

static cublasHandle_t blas;
static cusparseHandle_t sparse;
static cusparseSpMatDescr_t matrix;
static cusparseDnVecDescr_t dense_p, dense_q;
static float *constants; // 0, 1

static void iterate_by_libraries()
{
    float *before = scalars, *now = scalars + 1, *pq = scalars + 2,
          *alpha = scalars + 3, *beta = scalars + 4, *minus = constants + 2;
    cudaMemcpyAsync(before, now, 4, cudaMemcpyDeviceToDevice, stream);
    cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, constants + 1,
                 matrix, dense_p, constants, dense_q, CUDA_R_32F,
                 CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
    cublasSdot(blas, length, p, 1, q, 1, pq);
    divide<<<1, 1, 0, stream>>>(before, pq, alpha);
    cublasSaxpy(blas, length, alpha, p, 1, x, 1);
    negate<<<1, 1, 0, stream>>>(alpha, minus);
    cublasSaxpy(blas, length, minus, q, 1, r, 1);
    cublasSdot(blas, length, r, 1, r, 1, now);
    divide<<<1, 1, 0, stream>>>(now, before, beta);
    cublasSscal(blas, length, beta, p, 1);
    cublasSaxpy(blas, length, constants + 1, r, 1, p, 1);
}

static void (*iteration)() = iterate;

static void start_libraries()
{
    static const float numbers[3] = {0, 1, 0};
    constants = device_array<float>(3);
    cudaMemcpy(constants, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cublasCreate(&blas);
    cublasSetStream(blas, stream);
    cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE);
    cusparseCreate(&sparse);
    cusparseSetStream(sparse, stream);
    cusparseSetPointerMode(sparse, CUSPARSE_POINTER_MODE_DEVICE);
    cusparseCreateCsr(&matrix, length, length, 3 * length - 2, rows, columns,
                      values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseCreateDnVec(&dense_p, length, p, CUDA_R_32F);
    cusparseCreateDnVec(&dense_q, length, q, CUDA_R_32F);
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
    if (iteration == iterate_by_libraries)
        start_libraries();
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
    iteration();
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
                           iteration();
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

template <double (*run)(int), int n> static double by_libraries()
{
    iteration = iterate_by_libraries;
    return run(n);
}

int main(int argc, char **argv)
{
    const program programs[] = {
        {"graph-cg", run_graph},
        {"stream-cg", run_stream},
        {"graph-small-cg", run_small_graph},
        {"stream-small-cg", run_small_stream},
        {"graph-library-cg", by_libraries<run_graph_of, CG_LENGTH>},
        {"stream-library-cg", by_libraries<run_stream_of, CG_LENGTH>},
        {"graph-library-small-cg", by_libraries<run_graph_of, CG_SMALL>},
        {"stream-library-small-cg", by_libraries<run_stream_of, CG_SMALL>},
        {nullptr, nullptr},
    };
    return run_named(programs, argc, argv);
}
