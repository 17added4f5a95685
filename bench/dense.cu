/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuBLAS and cuSOLVER: dense NAME prints milliseconds. sgemm, dgemm: products
 * of 1024 x 1024; batched: 4096 of 32 x 32; axpy, dot: 2^24 floats; getrf,
 * potrf, geqrf: factors of 1024 x 1024 in double.
 */
#include <cublas_v2.h>
#include <cusolverDn.h>

#include "dense.h"

static cublasHandle_t blas;
static cusolverDnHandle_t solver;
static float *x, *y, *z, *sum;
static double *a, *b, *c, *work, *tau;
static int *pivots, *info, room;

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
    const int n = DENSE_SIZE;
    cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x, n, y, n,
                &zero, z, n);
    wait();
}

static void dgemm(void)
{
    const double one = 1, zero = 0;
    const int n = DENSE_SIZE;
    cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n,
                &zero, c, n);
    wait();
}

static void batched(void)
{
    const float one = 1, zero = 0;
    const int n = BATCH_SIZE, each = n * n;
    cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x,
                              n, each, y, n, each, &zero, z, n, each,
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
    const int n = DENSE_SIZE;
    memcpy(b, a, (size_t)n * n * sizeof *a);
    cusolverDnDgetrf(solver, n, n, b, n, work, pivots, info);
    wait();
}

static void potrf(void)
{
    const int n = DENSE_SIZE;
    memcpy(b, a, (size_t)n * n * sizeof *a);
    cusolverDnDpotrf(solver, CUBLAS_FILL_MODE_LOWER, n, b, n, work, room, info);
    wait();
}

static void geqrf(void)
{
    const int n = DENSE_SIZE;
    memcpy(b, a, (size_t)n * n * sizeof *a);
    cusolverDnDgeqrf(solver, n, n, b, n, tau, work, room, info);
    wait();
}

static void prepare(void)
{
    const int n = DENSE_SIZE;
    cublasCreate(&blas);
    cusolverDnCreate(&solver);
    x = reserve<float>(DENSE_VECTOR);
    y = reserve<float>(DENSE_VECTOR);
    z = reserve<float>(DENSE_VECTOR);
    sum = reserve<float>(1);
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
               {"axpy", axpy},   {"dot", dot},     {"getrf", getrf},
               {"potrf", potrf}, {"geqrf", geqrf}};
    double ms = -1;
    prepare();
    for (const auto &row : all) {
        if (argc > 1 && !strcmp(argv[1], row.name))
            ms = measure_ms(row.run);
    }
    printf("%g\n", *info ? -1 : ms);
    return ms < 0 || *info;
}
