/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CUDA side of libraries beside OpenMP: sparse NAME prints milliseconds.
 * spmv: cuSPARSE, 9 diagonals in double. philox, xorwow: cuRAND's uniform floats.
 */
#include <curand.h>
#include <cusparse.h>

#include "sparse.h"

static double *values, *x, *y;
static int *offsets, *columns;
static float *numbers;
static cusparseHandle_t handle;
static cusparseSpMatDescr_t a;
static cusparseDnVecDescr_t dx, dy;
static curandGenerator_t generator;

static void spmv(void)
{
    double one = 1, zero = 0;
    cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, dx, &zero,
                 dy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, NULL);
    cudaDeviceSynchronize();
}

static double run_spmv(void)
{
    size_t entries = (size_t)BAND_ROWS * BAND_WIDTH;
    cudaMallocManaged(&values, entries * sizeof *values);
    cudaMallocManaged(&columns, entries * sizeof *columns);
    cudaMallocManaged(&offsets, (BAND_ROWS + 1) * sizeof *offsets);
    cudaMallocManaged(&x, BAND_ROWS * sizeof *x);
    cudaMallocManaged(&y, BAND_ROWS * sizeof *y);
    int n = band_fill(values, offsets, columns, x);
    cusparseCreate(&handle);
    cusparseCreateCsr(&a, BAND_ROWS, BAND_ROWS, n, offsets, columns, values,
                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    cusparseCreateDnVec(&dx, BAND_ROWS, x, CUDA_R_64F);
    cusparseCreateDnVec(&dy, BAND_ROWS, y, CUDA_R_64F);
    double ms = measure_ms(spmv);
    return band_check(y) ? ms : -1;
}

static void uniform(void)
{
    curandGenerateUniform(generator, numbers, NUMBERS);
    cudaDeviceSynchronize();
}

static double run_uniform(curandRngType_t type)
{
    cudaMalloc(&numbers, NUMBERS * sizeof *numbers);
    curandCreateGenerator(&generator, type);
    return measure_ms(uniform);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    double ms = -1;
    if (!strcmp(name, "spmv"))
        ms = run_spmv();
    if (!strcmp(name, "philox"))
        ms = run_uniform(CURAND_RNG_PSEUDO_PHILOX4_32_10);
    if (!strcmp(name, "xorwow"))
        ms = run_uniform(CURAND_RNG_PSEUDO_XORWOW);
    printf("%g\n", ms);
    return ms < 0;
}
