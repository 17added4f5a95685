/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuBLAS and cuSOLVER: dense NAME prints milliseconds. sgemm, dgemm, bf16, bytes:
 * products of 1024 x 1024; batched: 4096 of 32 x 32; axpy, dot: 2^24 floats; getrf,
 * potrf, geqrf: factors of 1024 x 1024 in double. NAME-n: n instead of 1024.
 */
#include <cublas_v2.h>
#include <cusolverDn.h>

#include "dense.h"

static cublasHandle_t blas;
static cusolverDnHandle_t solver;
static float *x, *y, *z, *sum;
static double *a, *b, *c, *work, *tau;
static unsigned short *halves;
static signed char *bytes;
static int *pivots, *info, room, n = DENSE_SIZE, *sums;

template <class T> static T *reserve(size_t count)
{
    T *p = NULL;
    if (cudaMallocManaged(&p, count * sizeof *p) != cudaSuccess)
        exit(1);
    memset(p, 0, count * sizeof *p);
    return p;
}

static void wait(void)
{
    if (cudaDeviceSynchronize() != cudaSuccess)
        exit(1);
}

static void sgemm(void)
{
    const float one = 1, zero = 0;
    cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x, n, y, n,
                &zero, z, n);
    wait();
}

static void dgemm(void)
{
    const double one = 1, zero = 0;
    cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n,
                &zero, c, n);
    wait();
}

static void bf16(void)
{
    const float one = 1, zero = 0;
    cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, halves,
                 CUDA_R_16BF, n, halves, CUDA_R_16BF, n, &zero, z, CUDA_R_32F,
                 n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    wait();
}

static void products_of_bytes(void)
{
    const int one = 1, zero = 0;
    cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, bytes,
                 CUDA_R_8I, n, bytes, CUDA_R_8I, n, &zero, sums, CUDA_R_32I, n,
                 CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
    wait();
}

static void batched(void)
{
    const float one = 1, zero = 0;
    const int m = BATCH_SIZE, each = m * m;
    cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, m, m, m, &one, x,
                              m, each, y, m, each, &zero, z, m, each,
                              BATCH_COUNT);
    wait();
}

static void axpy(void)
{
    const float half = 0.5f;
    cublasSaxpy(blas, DENSE_VECTOR, &half, x, 1, y, 1);
    wait();
}

static void dot(void)
{
    cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE);
    cublasSdot(blas, DENSE_VECTOR, x, 1, y, 1, sum);
    wait();
}

/* Every time of the same matrix: the copy is part of both sides. */
static void getrf(void)
{
    memcpy(b, a, (size_t)n * n * sizeof *a);
    cusolverDnDgetrf(solver, n, n, b, n, work, pivots, info);
    wait();
}

static void potrf(void)
{
    memcpy(b, a, (size_t)n * n * sizeof *a);
    cusolverDnDpotrf(solver, CUBLAS_FILL_MODE_LOWER, n, b, n, work, room, info);
    wait();
}

static void geqrf(void)
{
    memcpy(b, a, (size_t)n * n * sizeof *a);
    cusolverDnDgeqrf(solver, n, n, b, n, tau, work, room, info);
    wait();
}

static void prepare(void)
{
    cublasCreate(&blas);
    cusolverDnCreate(&solver);
    x = reserve<float>(DENSE_VECTOR);
    y = reserve<float>(DENSE_VECTOR);
    z = reserve<float>(DENSE_VECTOR);
    sum = reserve<float>(1);
    halves = reserve<unsigned short>(n * n);
    bytes = reserve<signed char>(n * n);
    sums = reserve<int>(n * n);
    dense_fill_narrow(halves, bytes, n * n);
    a = reserve<double>(n * n);
    b = reserve<double>(n * n);
    c = reserve<double>(n * n);
    tau = reserve<double>(n);
    pivots = reserve<int>(n);
    info = reserve<int>(1);
    dense_fill_floats(x, DENSE_VECTOR);
    dense_fill_floats(y, DENSE_VECTOR);
    dense_fill(a, n);
    cusolverDnDgeqrf_bufferSize(solver, n, n, b, n, &room);
    work = reserve<double>(room);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } all[] = {{"sgemm", sgemm}, {"dgemm", dgemm}, {"batched", batched},
               {"bf16", bf16},   {"bytes", products_of_bytes},
               {"axpy", axpy},   {"dot", dot},     {"getrf", getrf},
               {"potrf", potrf}, {"geqrf", geqrf}};
    const char *name = argc > 1 ? argv[1] : "";
    double ms = -1;
    n = dense_size(name);
    prepare();
    for (const auto &row : all) {
        if (dense_is(name, row.name))
            ms = measure_ms(row.run);
    }
    printf("%g\n", *info ? -1 : ms);
    return ms < 0 || *info;
}
