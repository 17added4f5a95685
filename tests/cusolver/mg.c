/* SPDX-License-Identifier: Apache-2.0 */
/* cusolverMg: matrices in blocks of columns over two devices, as they stand
 * and as parts of larger ones. */
#include "../exec/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cusolverMg.h"

enum { ROWS = 45, N = 40, BLOCK = 6, DEVICES = 2, FIRST = 3 };

#define OK(call) CHECK_EQUAL((int)(call), CUSOLVER_STATUS_SUCCESS)

static cusolverMgHandle_t handle;
static cudaLibMgMatrixDesc_t a_desc, b_desc;
static double full[ROWS][ROWS], right[ROWS];
static void *a[DEVICES], *b[DEVICES];
static int *pivots[DEVICES];

static double *place(void **at, int row, int column)
{
    int block = column / BLOCK;
    int local = block / DEVICES * BLOCK + column % BLOCK;
    return (double *)at[block % DEVICES] + row + local * ROWS;
}

static void fill(int is_symmetric)
{
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++)
            full[i][j] = rand() / (double)RAND_MAX - 0.5 + (i == j) * 20;
        right[i] = rand() / (double)RAND_MAX;
        *place(b, i, 0) = right[i];
    }
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
            if (is_symmetric && j > i)
                full[i][j] = full[j][i];
            *place(a, i, j) = full[i][j];
        }
    }
}

/* A part of N rows and columns from FIRST on. */
static void check_solution(int line)
{
    for (int i = FIRST; i < FIRST + N; i++) {
        double sum = -right[i];
        for (int j = FIRST; j < FIRST + N; j++)
            sum += full[i][j] * *place(b, j, 0);
        if (!(fabs(sum) < 1e-13))
            fprintf(stderr, "mg.c:%d: off by %g\n", line, sum);
        CHECK(fabs(sum) < 1e-13);
    }
    CHECK(*place(b, 0, 0) == right[0]);
    CHECK(*place(a, 0, 1) == full[0][1]);
}

static void test_lu(void)
{
    int64_t lwork = 0;
    int info = -1, at = FIRST + 1;
    fill(0);
    OK(cusolverMgGetrf_bufferSize(handle, N, N, a, at, at, a_desc, pivots,
                                  CUDA_R_64F, &lwork));
    CHECK(lwork > 0);
    OK(cusolverMgGetrf(handle, N, N, a, at, at, a_desc, pivots, CUDA_R_64F,
                       NULL, lwork, &info));
    CHECK_EQUAL(info, 0);
    OK(cusolverMgGetrs(handle, CUBLAS_OP_N, N, 1, a, at, at, a_desc, pivots, b,
                       at, 1, b_desc, CUDA_R_64F, NULL, lwork, &info));
    CHECK_EQUAL(info, 0);
    check_solution(__LINE__);
}

static void test_cholesky(void)
{
    int info = -1, at = FIRST + 1;
    cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
    fill(1);
    OK(cusolverMgPotrf(handle, lower, N, a, at, at, a_desc, CUDA_R_64F, NULL, 1,
                       &info));
    CHECK_EQUAL(info, 0);
    OK(cusolverMgPotrs(handle, lower, N, 1, a, at, at, a_desc, b, at, 1, b_desc,
                       CUDA_R_64F, NULL, 1, &info));
    check_solution(__LINE__);
    OK(cusolverMgPotri(handle, lower, N, a, at, at, a_desc, CUDA_R_64F, NULL, 1,
                       &info));
    double sum = 0; /* the first row of A A^-1 */
    for (int j = FIRST; j < FIRST + N; j++)
        sum += full[FIRST][j] * *place(a, j, FIRST);
    CHECK(fabs(sum - 1) < 1e-13);
    fill(1);
    *place(a, FIRST + 7, FIRST + 7) = -1;
    OK(cusolverMgPotrf(handle, lower, N, a, at, at, a_desc, CUDA_R_64F, NULL, 1,
                       &info));
    CHECK_EQUAL(info, 8);
}

static void test_eigen(void)
{
    int info = -1;
    double w[ROWS];
    fill(1);
    OK(cusolverMgSyevd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER,
                       ROWS, a, 1, 1, a_desc, w, CUDA_R_64F, CUDA_R_64F, NULL,
                       1, &info));
    CHECK_EQUAL(info, 0);
    for (int k = 0; k < ROWS; k++) {
        for (int i = 0; i < ROWS; i++) {
            double sum = -w[k] * *place(a, i, k);
            for (int j = 0; j < ROWS; j++)
                sum += full[i][j] * *place(a, j, k);
            CHECK(fabs(sum) < 1e-12);
        }
    }
}

int main(void)
{
    cudaLibMgGrid_t grid;
    int devices[DEVICES] = {0, 1};
    OK(cusolverMgCreate(&handle));
    OK(cusolverMgDeviceSelect(handle, DEVICES, devices));
    OK(cusolverMgCreateDeviceGrid(&grid, 1, DEVICES, devices,
                                  CUDALIBMG_GRID_MAPPING_COL_MAJOR));
    OK(cusolverMgCreateMatrixDesc(&a_desc, ROWS, ROWS, ROWS, BLOCK, CUDA_R_64F,
                                  grid));
    OK(cusolverMgCreateMatrixDesc(&b_desc, ROWS, 1, ROWS, BLOCK, CUDA_R_64F,
                                  grid));
    for (int i = 0; i < DEVICES; i++) {
        CHECK_EQUAL(cudaSetDevice(i), 0);
        CHECK_EQUAL(cudaMalloc(&a[i], ROWS * ROWS * 8), 0);
        CHECK_EQUAL(cudaMalloc(&b[i], ROWS * BLOCK * 8), 0);
        CHECK_EQUAL(cudaMalloc((void **)&pivots[i], ROWS * 4), 0);
    }
    CHECK_EQUAL(cudaSetDevice(0), 0);
    test_lu();
    test_cholesky();
    test_eigen();
    int info;
    CHECK_EQUAL((int)cusolverMgPotrf(handle, CUBLAS_FILL_MODE_LOWER, ROWS + 1,
                                     a, 1, 1, a_desc, CUDA_R_64F, NULL, 1,
                                     &info),
                CUSOLVER_STATUS_INVALID_VALUE);
    CHECK_EQUAL((int)cusolverMgDestroy(NULL), CUSOLVER_STATUS_NOT_INITIALIZED);
    OK(cusolverMgDestroyMatrixDesc(a_desc));
    OK(cusolverMgDestroyMatrixDesc(b_desc));
    OK(cusolverMgDestroyGrid(grid));
    OK(cusolverMgDestroy(handle));
    return check_result();
}
